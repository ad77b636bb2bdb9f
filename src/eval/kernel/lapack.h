/* SPDX-License-Identifier: Apache-2.0 */
/* lapack.h - the LAPACK targets of custom_call that JAX emits for CPU. */
#ifndef TSR_EVAL_KERNEL_LAPACK_H
#define TSR_EVAL_KERNEL_LAPACK_H

#include "eval/eval.h"

/* The parsed name of a target. */
typedef struct {
    const char *name; /* without the letter of the type and the form: "getrf" */
    char letter;      /* s, d, c, z */
    bool ffi;         /* the newer form: options are attributes */
    uint8_t skip;     /* leading operands of the older form */
    uint8_t nmatrix;  /* operands after those */
} tsr_lapack_form;

/* False if it is not a LAPACK target. */
bool tsr_lapack_parse(tsr_str target, tsr_lapack_form *out);
/* An option of the newer form; 0 if it is missing. */
int64_t tsr_lapack_option(const tsr_op *op, const char *name);
/* The kernel of a custom_call with this target; NULL if it is not a LAPACK target. */
eval_fn *tsr_lapack_find(tsr_str target);

#endif
