/* SPDX-License-Identifier: Apache-2.0 */
/* abi.h - the types of the driver, NVRTC and cuBLASLt, as far as symbols.def needs them: no header of theirs is needed.
 * tests/cuda/headers.c compares them with the headers, which it includes instead. */
#ifndef TSR_CUDA_ABI_H
#define TSR_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifndef TSR_CUDA_HEADERS
typedef int CUresult, CUdevice, CUdevice_attribute, CUfunction_attribute, CUmemPool_attribute;
typedef int nvrtcResult, cublasStatus_t, cublasComputeType_t, cudaDataType_t, cudaDataType;
typedef int cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t;
typedef int cublasLtMatmulPreferenceAttributes_t;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream, *cudaStream_t;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct _nvrtcProgram *nvrtcProgram;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct tsr_lt_desc *cublasLtMatmulDesc_t;
typedef struct tsr_lt_layout *cublasLtMatrixLayout_t;
typedef struct tsr_lt_preference *cublasLtMatmulPreference_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

enum {
#define NUMBER(name, value) name = value,
#include "cuda/symbols.def"
};
#endif

/* What cuLaunchKernel takes words by. */
#define TSR_CUDA_WORDS ((void *)1)
#define TSR_CUDA_WORDS_BYTES ((void *)2)
#define TSR_CUDA_END ((void *)0)

/* The functions of each library. */
typedef struct {
#define DRIVER(type, name, symbol, ...) type (*name)(__VA_ARGS__);
#define MAY_DRIVER(type, name, symbol, ...) type (*name)(__VA_ARGS__); /* NULL: it has none */
#include "cuda/symbols.def"
} tsr_cuda_driver;

typedef struct {
#define RTC(type, name, symbol, ...) type (*name)(__VA_ARGS__);
#include "cuda/symbols.def"
} tsr_cuda_rtc;

typedef struct {
#define LT(type, name, symbol, ...) type (*name)(__VA_ARGS__);
#include "cuda/symbols.def"
} tsr_cuda_lt;

#endif
