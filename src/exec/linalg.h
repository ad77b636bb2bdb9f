/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.h - factorizations, triangular solves and spectra of a batch of matrices. */
#ifndef TSR_EXEC_LINALG_H
#define TSR_EXEC_LINALG_H

#include "eval/math/linalg.h"

/* As LAPACK calls them; ORGQR and ORMQR are the unitary ones of complex numbers, too. */
typedef enum {
    TSR_LINALG_POTRF,
    TSR_LINALG_SOLVE,
    TSR_LINALG_GETRF,
    TSR_LINALG_GEQRF,
    TSR_LINALG_ORGQR,
    TSR_LINALG_ORMQR,
    TSR_LINALG_SYEVD,
    TSR_LINALG_GESDD,
} tsr_linalg_kind;
enum { TSR_LINALG_RESULTS = 5, TSR_LINALG_OPERANDS = 3 };

typedef struct tsr_linalg_plan {
    uint8_t kind; /* tsr_linalg_kind */
    tsr_dtype type;
    int64_t count, m, n; /* number and sizes of the first operand's matrices */
    int64_t k;           /* number of reflectors */
    /* Of the last operand, unless it is a factor; of singular values: left and right vectors. */
    int64_t rows, cols;
    tsr_triangle how;       /* of the first operand; left: of reflectors, too */
    bool adjoint;           /* of reflectors */
    bool spectrum, vectors; /* vectors: whether those of a spectrum are computed */
    /* Cholesky: the other triangle becomes zero, and the whole matrix NaN if it has no factor. */
    bool factor;
    uint8_t over; /* number + 1 of the operand whose buffer result 0 may reuse; 0: none */
} tsr_linalg_plan;

#endif
