/* SPDX-License-Identifier: Apache-2.0 */
/* headers.c - src/cuda/symbols.def against NVIDIA's headers: the compiler finds a function that is declared otherwise, and
 * a constant of another value. It is compiled where the headers are, and never run. */
#define TSR_CUDA_HEADERS
#include <cublasLt.h>
#include <cuda.h>
#include <nvrtc.h>

#include "cuda/abi.h"

#define DRIVER(type, name, symbol, ...) extern type CUDAAPI name(__VA_ARGS__);
#define MAY_DRIVER(type, name, symbol, ...) extern type CUDAAPI name(__VA_ARGS__);
#define RTC(type, name, symbol, ...) extern type name(__VA_ARGS__);
#define LT(type, name, symbol, ...) extern type name(__VA_ARGS__);
#define NUMBER(name, value) _Static_assert((int)name == (value), #name);
#include "cuda/symbols.def"

/* The symbol is the one that the header makes of the name; cuEventElapsedTime's second version came with 12.8. */
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define DRIVER(type, name, symbol, ...)                                     \
    _Static_assert(__builtin_strcmp(TEXT(name), symbol) == 0 ||             \
                       __builtin_strcmp(symbol, "cuEventElapsedTime") == 0, \
                   symbol);
#include "cuda/symbols.def"

_Static_assert(sizeof(cublasLtMatmulAlgo_t) == 64 &&
                   sizeof(cublasLtMatmulHeuristicResult_t) == 96 &&
                   __builtin_offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) == 64 &&
                   __builtin_offsetof(cublasLtMatmulHeuristicResult_t, wavesCount) == 76,
               "a heuristic's result");
_Static_assert((uintptr_t)CU_LAUNCH_PARAM_BUFFER_POINTER == (uintptr_t)TSR_CUDA_WORDS &&
                   (uintptr_t)CU_LAUNCH_PARAM_BUFFER_SIZE == (uintptr_t)TSR_CUDA_WORDS_BYTES,
               "what a launch takes words by");
