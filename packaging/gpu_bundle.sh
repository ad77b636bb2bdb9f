#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpu_bundle.sh FOLDER - `make gpu-bundle`: what tests and benchmarks on a GPU need, in one folder of less than 40 MB, laid
# out as the source tree is: build, tests, corpus, benchmarks, and the file commit, which says what was built. There,
# `sh tests/gpu/device.sh` and `python3 bench/gpu.py` need no compiler and no network. From the environment: BUILD, CC;
# MODELS, a folder with further programs to be run, which the bundle gets as models.
cd "$(dirname "$0")/.." || exit 3
set -e
folder=$1 most=40000000
rm -rf "$folder"
mkdir -p "$folder/build/bin" "$folder/build/bin-test" "$folder/build/bench" "$folder/tests"
for f in bin/tessera tessera_cuda.so tessera_mock.so bin-test/device bin-test/spmd bench/gpu_calls bench/gpu_run; do
    cp -L "$BUILD/$f" "$folder/build/$f"
    strip --strip-unneeded "$folder/build/$f"
done
cp -R tests/corpus tests/gpu tests/common.sh tests/small_vocabulary.sed "$folder/tests/"
find "$folder/tests/corpus" \( -name '*.mlirbc' -o -name propagated.mlir \) -exec rm {} +
mkdir -p "$folder/tests/device" "$folder/tests/differential" "$folder/bench" "$folder/docs"
cp tests/device/kernels.txt "$folder/tests/device/"
cp tests/differential/*.py "$folder/tests/differential/"
find "$folder" -name __pycache__ -exec rm -rf {} +
cp bench/gpu*.py "$folder/bench/"
cp docs/GPU.md "$folder/docs/"
[ -z "$MODELS" ] || cp -R "$MODELS" "$folder/models"
dirty=$(git status --porcelain --untracked-files=no 2>/dev/null | head -n 1)
echo "$(git rev-parse --short=12 HEAD 2>/dev/null || echo tree)${dirty:+-changed}" >"$folder/commit"
bytes=$(du -sb "$folder" | cut -f 1)
echo "$folder: $bytes bytes of $(cat "$folder/commit")"
[ "$bytes" -lt $most ] || { echo "gpu_bundle.sh: more than $most bytes" >&2; exit 1; }
