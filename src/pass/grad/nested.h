/* SPDX-License-Identifier: Apache-2.0 */
/* nested.h - differentiates a copy of a block inside another op (nested.c). */
#ifndef TSR_PASS_GRAD_NESTED_H
#define TSR_PASS_GRAD_NESTED_H

#include "pass/grad/grad.h"

/* A new block in which g builds, until tsr_grad_leave. */
typedef struct {
    tsr_build outer;
    tsr_value_vec saved; /* for captured values: their state outside */
    const tsr_value_vec *captures;
    tsr_op *end; /* the terminator, after a body was copied */
} tsr_grad_scope;

/* Creates a block of region with arguments of these types. captures: varied values from outside; in reverse mode they
 * start without cotangent. False after a diagnostic. */
bool tsr_grad_enter(tsr_grad *g, tsr_grad_scope *s, tsr_region *region, tsr_type *const *args,
                    size_t nargs, const tsr_value_vec *captures);
/* Ends the block, which returns these values. Erases unused ops. */
void tsr_grad_return(tsr_grad *g, tsr_grad_scope *s, tsr_value *const *out, size_t n);
void tsr_grad_leave(tsr_grad *g, tsr_grad_scope *s);

/* Copies body into the block; its arguments become args, whose state says whether they are varied. Then runs reverse
 * mode through it: ct has a cotangent for each returned value, or NULL. Afterwards args and captures have theirs. */
bool tsr_grad_block_vjp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        tsr_value *const *ct);
/* The same in forward mode; args and captures have their tangents. wanted: which tangents of returned values are
 * needed. */
bool tsr_grad_block_jvp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        const bool *wanted);

/* Finds which of the returned values of a block vary if these arguments do, without changing the block. */
void tsr_grad_block_varies(tsr_grad *g, tsr_block *body, const bool *args, bool *out);

/* Marks a value as varied and sets its tangent, which may be NULL. */
void tsr_grad_vary(tsr_grad *g, tsr_value *v, tsr_value *tangent);

#endif
