/* nested.h - differentiating a copy of a block inside another op (nested.c). */
#ifndef TSR_PASS_GRAD_NESTED_H
#define TSR_PASS_GRAD_NESTED_H

#include "pass/grad/grad.h"

/* A new block that g builds in, until tsr_grad_leave. */
typedef struct {
    tsr_build outer;
    tsr_value_vec saved; /* of captured values: what they had outside */
    const tsr_value_vec *captures;
    tsr_op *end; /* the terminator, once a body was copied */
} tsr_grad_scope;

/* A block of region with arguments of these types. captures: varied values from outside; in
 * reverse mode they start without cotangent. False after a diagnostic. */
bool tsr_grad_enter(tsr_grad *g, tsr_grad_scope *s, tsr_region *region, tsr_type *const *args,
                    size_t nargs, const tsr_value_vec *captures);
/* Ends the block: it returns these values. Ops that nobody uses are gone. */
void tsr_grad_return(tsr_grad *g, tsr_grad_scope *s, tsr_value *const *out, size_t n);
void tsr_grad_leave(tsr_grad *g, tsr_grad_scope *s);

/* Copies body into the block; its arguments become args, which say themselves whether they are
 * varied. Goes through it backwards: ct has a cotangent for each returned value, or NULL. Then
 * args and captures have theirs. */
bool tsr_grad_block_vjp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        tsr_value *const *ct);
/* The same forwards; args and captures have their tangents. wanted: which tangents of returned
 * values count. */
bool tsr_grad_block_jvp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        const bool *wanted);

/* Sets which of the returned values of a block vary when these arguments do. The block is not
 * changed. */
void tsr_grad_block_varies(tsr_grad *g, tsr_block *body, const bool *args, bool *out);

/* Says that a value varies and what its tangent is, which may be NULL. */
void tsr_grad_vary(tsr_grad *g, tsr_value *v, tsr_value *tangent);

#endif
