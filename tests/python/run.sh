#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SCRIPT... - runs a test of the Python package with the library of BUILD. With sanitizers, their runtime is loaded before Python, which knows
# nothing of them; leaks are not looked for then, because Python has its own. What cannot be loaded is skipped.
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
python=$(sh tests/python.sh 2>/dev/null) || python=python3
if ! command -v "$python" >/dev/null 2>&1; then
    echo 'skipped: no python3 here'
    exit
fi
for needed in ctypes json unittest; do # Debian's python3-minimal has not all of them
    if ! "$python" -c "import $needed" >/dev/null 2>&1; then
        echo "skipped: $python has no $needed"
        exit
    fi
done
TESSERA_LIBRARY=$(cd "$BUILD" && pwd)/libtessera.so
TESSERA_PLUGIN=$(cd "$BUILD" && pwd)/pjrt_plugin_tessera.so
export TESSERA_LIBRARY TESSERA_PLUGIN
loads() { # loads COMMAND...: whether such a Python can load the library
    said=$(PYTHONPATH=python "$@" -c 'import tessera; tessera.Context' 2>&1)
}
set -- "$python" "$@"
if grep -q -e '-fsanitize=[a-z,]*address' "$BUILD/flags" 2>/dev/null; then
    runtime=$(${CC:-cc} -print-file-name=libasan.so)
    ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
    export ASAN_OPTIONS
    set -- env LD_PRELOAD="$runtime" "$@"
fi
case $1 in env) loads env LD_PRELOAD="$runtime" "$python" ;; *) loads "$python" ;; esac || {
    if grep -q -e -fsanitize -e --coverage "$BUILD/flags" 2>/dev/null; then
        echo "skipped: Python cannot load this build: $(printf '%s\n' "$said" | tail -n 1 | cut -c1-160)"
        exit
    fi
}
exec "$@"
