/* SPDX-License-Identifier: Apache-2.0 */
/* provider.h - which code multiplies matrices: our own kernels, or a library that is opened on request. No library is
 * ever required. */
#ifndef TSR_EXEC_KERNEL_PROVIDER_H
#define TSR_EXEC_KERNEL_PROVIDER_H

#include "exec/kernel/gemm.h"

typedef struct {
    const char *name;
    /* NULL: it is ready for use. Otherwise the reason why not, as text that lives as long as the process. */
    const char *(*open)(void);
    /* Whether it can compute this product; our own kernels compute the others. */
    bool (*takes)(const tsr_gemm *g);
    /* Computes m x n elements of one matrix of the batch, from row and col on, to c, on one thread; ldc: row stride of
     * c. */
    void (*run)(const tsr_gemm *g, int64_t batch, int64_t row, int64_t m, int64_t col, int64_t n,
                void *c, int64_t ldc);
} tsr_gemm_provider;

/* Selects a provider: "own", or "openblas" (the file that TESSERA_OPENBLAS names, or libopenblas.so). False: unknown
 * name, or it cannot be opened; reason (may be NULL) says why. Must not be called while products run. */
bool tsr_gemm_use(const char *name, const char **reason);
/* The provider in use; initially that of TESSERA_GEMM, if it can be used, otherwise "own". */
const char *tsr_gemm_name(void);
/* Why the provider of TESSERA_GEMM is not used; NULL: it is, or the variable is not set. */
const char *tsr_gemm_complaint(void);
/* Names of all providers, terminated by NULL. */
const char *const *tsr_gemm_names(void);
/* The provider that computes this product; NULL: our own kernels. */
const tsr_gemm_provider *tsr_gemm_provider_of(const tsr_gemm *g);
/* Runs the product in blocks that depend on the shape alone, each on one thread, so that the bits are the same on any
 * number of threads. False: out of memory. */
bool tsr_gemm_run_with(const tsr_gemm_provider *p, const tsr_gemm *g);

#endif
