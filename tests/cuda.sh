#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuda.sh PART - the CUDA plug-in without a GPU: calls (what it calls, against libraries that stand for NVIDIA's), suite (what
# needs no kernels of the devices' suite, against them), headers (declarations against NVIDIA's headers), texts (kernel texts
# by NVRTC). The last two are skipped where there is no toolkit and no NVRTC. From the environment: BUILD, CC.
BUILD=${BUILD:-build}
T=$BUILD/bin-test

case $1 in
calls)
    exec "$T/cuda" "$BUILD/tessera_cuda.so" "$T/fakes"
    ;;
suite)
    TESSERA_CACHE=none TESSERA_CUDA_PATH=$PWD/$T/fakes:- exec "$T/device" "$BUILD/tessera_cuda.so" memory products
    ;;
headers)
    for d in "${CUDA_HOME:-/usr/local/cuda}/include" /usr/include; do
        [ -f "$d/cuda.h" ] && [ -f "$d/nvrtc.h" ] && [ -f "$d/cublasLt.h" ] || continue
        exec ${CC:-cc} -std=c11 -fsyntax-only -Wall -Wextra -Werror -Isrc -isystem "$d" tests/cuda/headers.c
    done
    echo "skipped: no CUDA toolkit here"
    ;;
texts)
    passed=0 failed=0 made=$(mktemp -d) || exit 3
    trap 'rm -rf "$made"' EXIT
    "$T/gpu_loops" --texts "$made" tests/gpu/goldens/loops.mlir >/dev/null || failed=1
    for sm in 80 90; do
        files=tests/device/kernels.txt
        [ $sm = 80 ] || files="$files $made/*.txt"
        said=$("$T/cuda" "$BUILD/tessera_cuda.so" compile $sm $files 2>&1)
        case $? in
        0) passed=$((passed + 1)) ;;
        77) echo "skipped: no NVRTC here"; exit 0 ;;
        *) failed=$((failed + 1)); echo "$said" ;;
        esac
    done
    mkdir "$made/ops" && "$T/gpu_ops" 1 1 "$made/ops" >/dev/null || failed=$((failed + 1))
    if said=$(printf '%s\n' "$made"/ops/*.txt | xargs -n 60 "$T/cuda" "$BUILD/tessera_cuda.so" compile 90 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$said"
    fi
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
    ;;
*)
    echo "cuda.sh: calls, suite, headers or texts"
    exit 2
    ;;
esac
