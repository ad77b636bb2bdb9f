/* provider.h - who multiplies matrices: our own kernels, or a library that is opened when it is asked for. None is ever needed. */
#ifndef TSR_EXEC_KERNEL_PROVIDER_H
#define TSR_EXEC_KERNEL_PROVIDER_H

#include "exec/kernel/gemm.h"

typedef struct {
    const char *name;
    /* NULL: it can be used from now on. Else a text that says why not, which lives as long as the process. */
    const char *(*open)(void);
    /* Whether the product is one that it can do; the others are our own. */
    bool (*takes)(const tsr_gemm *g);
    /* Computes columns and rows of one of the batch, in one thread: m x n elements from row and col on, ldc apart, to c. */
    void (*run)(const tsr_gemm *g, int64_t batch, int64_t row, int64_t m, int64_t col, int64_t n,
                void *c, int64_t ldc);
} tsr_gemm_provider;

/* Takes another one: "own", "openblas" (the file that TESSERA_OPENBLAS names, or libopenblas.so). False: there is no such one, or it cannot be opened; reason (may be NULL) says why. Not while products
 * run. */
bool tsr_gemm_use(const char *name, const char **reason);
/* The one in use; at first TESSERA_GEMM, when it can be followed, else "own". */
const char *tsr_gemm_name(void);
/* Why TESSERA_GEMM could not be followed; NULL: it could, or is not set. */
const char *tsr_gemm_complaint(void);
/* Names of all, up to NULL. */
const char *const *tsr_gemm_names(void);
/* The provider that does this product; NULL: our own kernels. */
const tsr_gemm_provider *tsr_gemm_provider_of(const tsr_gemm *g);
/* Runs it in blocks that depend on the shape alone, each in one thread, so that the bits are the same on any number of threads. False: no memory. */
bool tsr_gemm_run_with(const tsr_gemm_provider *p, const tsr_gemm *g);

#endif
