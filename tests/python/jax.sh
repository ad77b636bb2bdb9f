#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax.sh - plans for JAX programs, where a python3 has jax (or JAX_PYTHON names one): tests/python/jax_plan.py on Tessera's devices.
# With JAX_PLATFORMS=cpu they run on JAX's own.
cd "$(dirname "$0")/../.." || exit 3
python=${JAX_PYTHON:-python3}
if ! "$python" -c 'import jax' >/dev/null 2>&1; then
    echo 'skipped: no jax here (JAX_PYTHON=python)'
    exit
fi
BUILD=$(cd "${BUILD:-build}" && pwd)
sh tests/python/loads.sh "$python" "$BUILD/pjrt_plugin_tessera.so" || exit 0
export PYTHONPATH="$PWD/python:$PYTHONPATH" TESSERA_LIBRARY="$BUILD/libtessera.so" TESSERA_PLUGIN="$BUILD/pjrt_plugin_tessera.so"
export JAX_PLATFORMS="${JAX_PLATFORMS:-tessera,cpu}" TESSERA_DEVICES=8
exec "$python" -W ignore tests/python/jax_plan.py "$@"
