/* SPDX-License-Identifier: Apache-2.0 */
/* lapack.h - derivatives of custom_call targets of LAPACK: shared by the files lapack_*.c.
 *
 * A rule computes the tangents of results as linear functions of those of operands, with ops that have rules
 * themselves. Forward mode uses them directly; reverse mode transposes them (transpose.c). */
#ifndef TSR_PASS_GRAD_LAPACK_H
#define TSR_PASS_GRAD_LAPACK_H

#include "eval/kernel/lapack.h"
#include "pass/grad/matrix.h"

typedef struct {
    tsr_build *b;
    tsr_op *op;
    tsr_lapack_form name;
    const bool *want; /* by result: whether its tangent is needed */
    tsr_value **t;    /* tangents of matrices; NULL: zero, but not all are */
    tsr_value **out;  /* tangents of results, to be set; NULL: zero */
} tsr_lapack_job;

/* False after a diagnostic. */
typedef bool tsr_lapack_linear(tsr_lapack_job *j);

/* Operands after the options of the older form. */
static inline tsr_value *tsr_lapack_in(const tsr_op *op, const tsr_lapack_form *name, uint32_t i)
{
    return tsr_grad_in(op, name->skip + i);
}
static inline tsr_value *tsr_lapack_matrix(const tsr_lapack_job *j)
{
    return tsr_lapack_in(j->op, &j->name, 0);
}

/* An option of either form; old: its operand number in the older one. False after a diagnostic: it is not a
 * constant. */
bool tsr_lapack_ask(const tsr_op *op, const tsr_lapack_form *name, const char *key, uint32_t old,
                    int64_t *out);
/* Whether the lower triangle is used. */
bool tsr_lapack_lower(const tsr_op *op, const tsr_lapack_form *name, uint32_t old, bool *out);

/* Creates a call of a target with letters as options: pairs of key and letter, terminated by NULL. */
tsr_op *tsr_lapack_call(tsr_lapack_job *j, const char *name, tsr_value *const *in, size_t nin,
                        tsr_type *const *types, size_t nout, const char *const *options);

/* Linear rules. */
tsr_lapack_linear tsr_lapack_potrf, tsr_lapack_getrf, tsr_lapack_geqrf, tsr_lapack_geqp3,
    tsr_lapack_gtsv;
tsr_lapack_linear tsr_lapack_syevd, tsr_lapack_gesdd, tsr_lapack_geev;
/* Rules of other kinds. */
vjp_fn tsr_lapack_gtsv_vjp;
typedef bool tsr_lapack_unfold(tsr_op *op, const tsr_lapack_form *name, tsr_build *b,
                               tsr_value **out);
tsr_lapack_unfold tsr_lapack_orgqr, tsr_lapack_ormqr, tsr_lapack_trsm;

/* Reverse mode from a rule that computes tangents (transpose.c). */
typedef bool tsr_grad_tangents(void *user, tsr_value **t, const bool *want, tsr_value **out);
bool tsr_grad_transposed(tsr_grad *g, tsr_op *op, tsr_value *const *ct, tsr_grad_tangents *fn,
                         void *user);

#endif
