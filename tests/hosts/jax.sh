#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax.sh - JAX on several processes of this host, where a python3 has jax (or JAX_PYTHON names one).
cd "$(dirname "$0")/../.." || exit 3
python=${JAX_PYTHON:-python3}
if ! "$python" -c 'import jax' >/dev/null 2>&1; then
    echo 'skipped: no jax here (JAX_PYTHON=python)'
    exit
fi
library=$(cd "${BUILD:-build}" && pwd)/pjrt_plugin_tessera.so
sh tests/python/loads.sh "$python" "$library" || exit 0
export PYTHONPATH="$PWD/python:$PYTHONPATH" TESSERA_PLUGIN="$library"
exec "$python" -W ignore tests/hosts/processes.py
