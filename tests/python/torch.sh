#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# torch.sh - torch.compile(backend="tessera"), where a python3 has torch (or TORCH_PYTHON names one): tests/python/torch_door.py and the example.
cd "$(dirname "$0")/../.." || exit 3
python=${TORCH_PYTHON:-python3}
if ! "$python" -c 'import torch' >/dev/null 2>&1; then
    echo 'skipped: no torch here (TORCH_PYTHON=python)'
    exit
fi
BUILD=$(cd "${BUILD:-build}" && pwd)
sh tests/python/loads.sh "$python" "$BUILD/libtessera.so" || exit 0
export PYTHONPATH="$PWD/python:$PYTHONPATH" TESSERA_LIBRARY="$BUILD/libtessera.so"
"$python" -W ignore tests/python/torch_door.py "$@" && "$python" -W ignore examples/torch_train.py
