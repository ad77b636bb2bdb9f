#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# wheel.sh folder [flags of pip] - makes the wheels of python/ and python/tt in a folder, for `make wheel`. TESSERA_PLUGIN, TESSERA_LIBRARY and TESSERA_COMMAND name
# what is built. Python's own tools are used where they can make wheels; else pip fetches them.
cd "$(dirname "$0")/.." || exit 3
python=${PYTHON:-python3}
folder=$1
shift
alone=
if "$python" -c 'import setuptools.command.bdist_wheel' 2>/dev/null || "$python" -c 'import setuptools, wheel.bdist_wheel' 2>/dev/null; then
    alone=--no-build-isolation
fi
mkdir -p "$folder" || exit 3
rm -f "$folder"/tessera_compiler-*.whl "$folder"/tessera_tt-*.whl
TESSERA_RELEASE=1 "$python" -m pip --disable-pip-version-check wheel --quiet --no-deps $alone -w "$folder" "$@" ./python ./python/tt || exit 1
ls "$folder"/tessera_compiler-*.whl "$folder"/tessera_tt-*.whl
