/* SPDX-License-Identifier: Apache-2.0 */
/* grad.h - differentiation: the interface for rules, and definitions that the files of grad/ share.
 *
 * A function is copied; the copy is the forward part. In reverse mode the backward part follows
 * it: op by op, last first, a rule turns cotangents of results into cotangents of operands,
 * which add up. In forward mode each op is followed by the ops that compute the tangents of its
 * results. Only varied values (those that depend on an argument of interest through floats) have
 * either, and rules are not applied to others.
 *
 * Cotangents pair with tangents as Re(sum(c * t)), without conjugation, also for complex values:
 * a holomorphic f has f'(x) * c as cotangent. This is JAX's convention.
 *
 * Rules are columns of the op tables:
 *   PARTIAL(fn)  of elementwise ops: t times the partial derivative for operand i; serves both modes
 *   VJP(fn)      adds to the cotangents of operands
 *   JVP(fn)      sets the tangents of results
 *   UNFOLD(fn)   replaces the op by simpler ones before it is differentiated, unless its own rule applies */
#ifndef TSR_PASS_GRAD_GRAD_H
#define TSR_PASS_GRAD_GRAD_H

#include "dialect/reducer.h"
#include "dialect/stablehlo/ops.h"
#include "pass/pass.h"

typedef enum { TSR_GRAD_REVERSE, TSR_GRAD_FORWARD } tsr_grad_mode;

/* State of a value in differentiation. */
typedef struct {
    tsr_value *d;  /* the cotangent so far, or the tangent; NULL: zero */
    bool varied;   /* depends on an argument of interest */
    bool useful;   /* forward mode: a result of interest depends on it */
    uint32_t seen; /* stamp of the last walk that visited it */
} tsr_dual;

/* A function that was built for calls. */
typedef struct {
    const tsr_op *func;
    tsr_grad_mode mode;
    tsr_str key;  /* which operands and results are of interest: a character each */
    tsr_op *made; /* NULL while it is being built */
} tsr_grad_made;

/* The state of differentiating a module. */
typedef struct tsr_grad {
    tsr_build b; /* where rules insert ops */
    tsr_grad_mode mode;
    tsr_pass *pass;
    tsr_op *root; /* the module */
    tsr_symtab symbols;
    TSR_VEC(tsr_dual) duals; /* by value id */
    TSR_VEC(tsr_grad_made) made;
    bool remat;
    uint32_t stamp;
    unsigned depth; /* of nested regions and calls */
} tsr_grad;

enum { TSR_GRAD_DEPTH = 64 };

/* ---- Duals (duals.c) ---- */

/* valid until the next value is created */
tsr_dual *tsr_grad_dual(tsr_grad *g, const tsr_value *v);
static inline bool tsr_grad_varied(const tsr_grad *g, const tsr_value *v)
{
    return v->id < g->duals.n && g->duals.data[v->id].varied;
}
/* Adds to the cotangent of v; does nothing if v is not varied or ct is NULL. */
void tsr_grad_add(tsr_grad *g, tsr_value *v, tsr_value *ct);
/* The cotangent or tangent so far; NULL: zero. */
tsr_value *tsr_grad_of(tsr_grad *g, const tsr_value *v);
tsr_value *tsr_grad_of_or_zero(tsr_grad *g, tsr_value *v);
/* Sets the tangent of a result; NULL: zero. */
void tsr_grad_set(tsr_grad *g, tsr_value *v, tsr_value *tangent);
/* Whether values of this type have derivatives: tensors of floats or complex numbers. */
bool tsr_grad_is_smooth(const tsr_type *t);
tsr_value *tsr_grad_zero(tsr_grad *g, tsr_value *like);
/* Forward mode: whether the tangent of this result is needed. */
bool tsr_grad_wanted(tsr_grad *g, const tsr_value *v);

/* ---- Rules (rules.c) ---- */

/* An elementwise op at a point: operands have the shape of the result. */
typedef struct {
    tsr_op *op;
    tsr_value *in[3];
    tsr_value *out;
} tsr_point;

/* t times the derivative of the result with respect to operand i; NULL: zero. */
typedef tsr_value *partial_fn(tsr_build *b, const tsr_point *p, uint32_t i, tsr_value *t);
/* ct: one per result, NULL where it is zero; not all are. False after a diagnostic. */
typedef bool vjp_fn(tsr_grad *g, tsr_op *op, tsr_value *const *ct);
/* Some operand has a tangent. */
typedef bool jvp_fn(tsr_grad *g, tsr_op *op);
typedef enum {
    TSR_UNFOLD_FAILED, /* after a diagnostic */
    TSR_UNFOLD_KEEP,   /* the op has a rule and is kept */
    TSR_UNFOLD_DONE,   /* out has a value for each result, defined before op */
} tsr_unfolded;
typedef tsr_unfolded unfold_fn(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out);

#include "pass/grad/grad_tables.h"

/* Whether the op's row gives it a derivative: 0 everywhere, or a rule. */
bool tsr_grad_is_flat(const tsr_op *op);
bool tsr_grad_has_rule(const tsr_op *op);
unfold_fn *tsr_grad_unfold(const tsr_op *op);
/* Applies the rule of op; an op without one is a diagnostic. */
bool tsr_grad_vjp(tsr_grad *g, tsr_op *op, tsr_value *const *ct);
bool tsr_grad_jvp(tsr_grad *g, tsr_op *op);
/* Reports "'op' has no derivative ..." at the op; always false. */
bool tsr_grad_none(const tsr_op *op, const char *why);

/* ---- Blocks (reverse.c, forward.c) ---- */

/* Finds which values of a block are varied, given those around it and its arguments; unfolds ops. */
bool tsr_grad_analyse(tsr_grad *g, tsr_block *block);
/* Replaces from by to, which takes over its state. */
void tsr_grad_replace(tsr_grad *g, tsr_value *from, tsr_value *to);
/* Computes cotangents from op back to the first op of its block; inserts ops at g->b. */
bool tsr_grad_reverse(tsr_grad *g, tsr_op *last);
/* The same back to the op first; NULL: to the start of the block. */
bool tsr_grad_reverse_from(tsr_grad *g, tsr_op *last, const tsr_op *first);
/* Marks the values that these depend on; then computes tangents for all ops from first to last. */
void tsr_grad_mark(tsr_grad *g, tsr_block *block, tsr_value *const *values, size_t n);
bool tsr_grad_forward(tsr_grad *g, tsr_op *first, tsr_op *last);
/* Erases unused ops from last back to the first of its block. */
void tsr_grad_erase_dead(tsr_grad *g, tsr_op *last);

/* A function that computes cotangents of the operands, or results and their tangents, for calls: args and results say
 * which ones are of interest, '1' or '0' each. NULL after a diagnostic. */
tsr_op *tsr_grad_function(tsr_grad *g, tsr_op *func, tsr_str args, tsr_str results);

/* ---- Regions (regions.c) ---- */

/* Varied values from outside that ops inside op use, each once, in order of first use. */
void tsr_grad_captures(tsr_grad *g, tsr_op *op, tsr_value_vec *out);
/* Copies the ops of from to the end of to, mapping arguments; returns the copy of the terminator. */
tsr_op *tsr_grad_copy_block(tsr_grad *g, tsr_block *from, tsr_block *to, tsr_mapping *map);
/* Applies the body of an op on scalars to tensors of one shape, at b. False if an op inside is not elementwise. */
bool tsr_grad_apply(tsr_build *b, tsr_region *body, tsr_value *const *in, size_t nin,
                    tsr_value_vec *out);
/* The results of a reduction: its body, applied to the init values (the last n operands of op) and to n values that it
 * has reduced. */
bool tsr_grad_add_init(tsr_build *b, tsr_op *op, tsr_value *const *reduced, uint32_t n,
                       tsr_value **out);
/* Builds a region with one op on two scalars. */
void tsr_grad_body(tsr_grad *g, tsr_region *region, enum tsr_opcode opcode, tsr_type *elem);

/* ---- Ops that rules need (make.c) ---- */

tsr_value *tsr_grad_sum(tsr_build *b, tsr_value *v, const int64_t *dims,
                        size_t n); /* over these dimensions */
tsr_value *tsr_grad_sum_all(tsr_build *b, tsr_value *v);
tsr_value *tsr_grad_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, tsr_value *init,
                           const int64_t *dims, size_t n);
tsr_value *tsr_grad_transpose(tsr_build *b, tsr_value *v, const int64_t *perm);
tsr_value *tsr_grad_swap(tsr_build *b, tsr_value *v); /* the last two dimensions */
tsr_value *tsr_grad_pad(tsr_build *b, tsr_value *v, tsr_value *with, const int64_t *low,
                        const int64_t *high, const int64_t *interior);
tsr_value *tsr_grad_slice(tsr_build *b, tsr_value *v, const int64_t *start, const int64_t *limit,
                          const int64_t *stride);
tsr_value *tsr_grad_concat(tsr_build *b, tsr_value *const *v, size_t n, int64_t dim);
tsr_value *tsr_grad_scalar(tsr_build *b, tsr_type *elem, double number);
/* A scalar broadcast to the shape of v. */
tsr_value *tsr_grad_fill(tsr_build *b, tsr_value *scalar, tsr_value *v);
tsr_value *tsr_grad_conj(tsr_build *b, tsr_value *v); /* v itself if it is real */
/* The sum over the dimensions that broadcasting to the shape of v repeated: back to the shape of x, whose dimensions
 * are at dims. */
tsr_value *tsr_grad_unspread(tsr_build *b, tsr_value *v, tsr_value *x, const int64_t *dims);
tsr_attr *tsr_grad_list(tsr_build *b, const int64_t *numbers, size_t n); /* array<i64> */
/* A copy of the op with other operands; types: of results, NULL: unchanged. Not yet inserted. */
tsr_op *tsr_grad_again(tsr_build *b, tsr_op *op, tsr_value *const *in, tsr_type *const *types);
static inline tsr_value *tsr_grad_in(const tsr_op *op, uint32_t i)
{
    return op->in[i].value;
}

#endif
