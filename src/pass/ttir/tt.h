/* SPDX-License-Identifier: Apache-2.0 */
/* tt.h - shared by TTIR's passes: the names of their rule sets, builders of ops, and queries on shapes and constants.
 *
 * Most of TTIR's passes are sets of rules in rules.def, which pass/simplify's driver applies; a rule keeps what a
 * program computes. Builders are those of dialect/ttir/build.h: they insert an op before `at`, with the location of
 * `at`, and notify the driver. They always create an op, unless noted otherwise. */
#ifndef TSR_PASS_TTIR_TT_H
#define TSR_PASS_TTIR_TT_H

#include "dialect/ttir/build.h"
#include "dialect/ttir/shape.h"
#include "pass/simplify/simplify.h"

/* ---- Sets of rules ---- */

enum {
    TSR_TTR_CANON = 1 << 0,         /* canonicalize */
    TSR_TTR_FOLD = 1 << 21,         /* folding: part of every set that is not plain */
    TSR_TTR_DECOMPOSE = 1 << 1,     /* ttir-to-ttir-decomposition, for all targets */
    TSR_TTR_DEVICE = 1 << 2,        /* the same for devices */
    TSR_TTR_HOST = 1 << 3,          /* the same for hosts */
    TSR_TTR_IMPLICIT = 1 << 4,      /* ttir-implicit-broadcast-fold */
    TSR_TTR_EXPLICIT = 1 << 5,      /* ttir-explicate-tms */
    TSR_TTR_SCALAR = 1 << 6,        /* ttir-fold-full-to-scalar */
    TSR_TTR_UP = 1 << 7,            /* ttir-erase-inverse-ops: moves go up */
    TSR_TTR_DOWN = 1 << 8,          /* and down */
    TSR_TTR_FUSE = 1 << 9,          /* ttir-fusing */
    TSR_TTR_FUSE_CONV = 1 << 10,    /* including products merged into the weights of convolutions */
    TSR_TTR_FUSE_PERMUTE = 1 << 11, /* including permutes merged into matrix products */
    /* including slices of one product that become several products */
    TSR_TTR_FUSE_SLICE = 1 << 12,
    TSR_TTR_FUSE_FIRST = 1 << 13,   /* rules that run before the others */
    TSR_TTR_KEEP_DIM = 1 << 14,     /* ttir-reduction-force-keep-dim */
    TSR_TTR_FOLD_MOVES = 1 << 15,   /* ttir-fold-constant-reshape-broadcast */
    TSR_TTR_MOVE_RESHAPE = 1 << 16, /* ttir-move-reshape-to-constant */
    TSR_TTR_COMPOSITES = 1 << 17,   /* ttir-decompose-composites */
    TSR_TTR_FLATTEN = 1 << 18,      /* ttir-flatten-sliding-window */
    TSR_TTR_MOVES = 1 << 19,        /* ttir-decompose-complex-permute */
    TSR_TTR_RESHAPES = 1 << 20,     /* ttir-decompose-complex-reshape */
};

enum { TSR_TTR_ROUNDS = 10 };

#define RULE(id, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#define RULE_OF_ALL(dialect, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#include "pass/ttir/rules.def"
extern const tsr_rewrites tsr_ttr_rewrites;
extern const tsr_simplify_options canonicalize_ttir; /* pass/pass.def: CANONICALIZER */

/* ---- Builders (make.c) ---- */

/* a tensor of static shape and a rank that rules support */
bool tsr_ttr_tensor(const tsr_value *v);
tsr_op *tsr_ttr_op(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type);
/* A copy of op with other operands and, if type is given, another type of its only result; before at. */
tsr_op *tsr_ttr_copy(tsr_rewriter *r, tsr_op *at, const tsr_op *op, tsr_value *const *in,
                     size_t nin, tsr_type *type);
tsr_value *tsr_ttr_unary(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *a,
                         tsr_type *type);
tsr_value *tsr_ttr_binary(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *a, tsr_value *b,
                          tsr_type *type);
tsr_value *tsr_ttr_reshape(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims,
                           size_t n);
tsr_value *tsr_ttr_permute(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *perm);
/* Broadcasts to these dimensions, of the same rank; v itself if it has them. */
tsr_value *tsr_ttr_broadcast(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims);
/* NumPy's broadcasting: prepends dimensions, then repeats. */
tsr_value *tsr_ttr_stretch(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims,
                           size_t n);
tsr_value *tsr_ttr_typecast(tsr_rewriter *r, tsr_op *at, tsr_value *v, tsr_type *elem);
/* begins, ends, and steps of all dimensions; steps NULL: all 1. */
tsr_value *tsr_ttr_slice(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *begins,
                         const int64_t *ends, const int64_t *steps);
tsr_value *tsr_ttr_matmul(tsr_rewriter *r, tsr_op *at, tsr_value *a, tsr_value *b, bool ta, bool tb,
                          tsr_type *type);
tsr_value *tsr_ttr_concat(tsr_rewriter *r, tsr_op *at, tsr_value *const *in, size_t n, size_t dim);
tsr_value *tsr_ttr_reduce(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *v,
                          const int64_t *dims, size_t n, bool keep, tsr_type *type);
/* ttir.full of a number that is already an attribute. */
tsr_value *tsr_ttr_full_of(tsr_rewriter *r, tsr_op *at, tsr_type *type, tsr_attr *fill);
/* A splat, as zeros, ones or full. */
tsr_value *tsr_ttr_full(tsr_rewriter *r, tsr_op *at, tsr_type *type, double number);
/* A constant with this value, as zeros, ones, full or constant. front: at the front of the function, where constants
 * are. */
tsr_value *tsr_ttr_constant(tsr_rewriter *r, tsr_op *at, tsr_attr *value, bool front);
/* The number of an equivalent full, as an attribute; NULL if it has no exact form there. */
tsr_attr *tsr_ttr_fill(tsr_ctx *ctx, const tsr_attr *splat);
/* The op after op in its block; NULL at the end. */
static inline tsr_op *tsr_ttr_behind(const tsr_op *op)
{
    return op->next;
}

/* ---- Queries (ask.c) ---- */

typedef struct {
    int64_t begin, end, step;
} tsr_ttr_range;

/* The number that all elements of a value equal. through: also behind reshapes, broadcasts, repeats and casts. */
bool tsr_ttr_number(const tsr_value *v, double *out);
bool tsr_ttr_number_through(const tsr_value *v, double *out);
/* How far a number of v's type may be from the intended one: a few units in the last place; floats only. */
double tsr_ttr_rounding(const tsr_value *v);
/* Whether all elements are 0 or 1. */
bool tsr_ttr_boolean(const tsr_value *v);
/* The definition, if it is an op of this kind; single: and its only result has no other uses. */
tsr_op *tsr_ttr_def(const tsr_value *v, uint16_t opcode);
tsr_op *tsr_ttr_single(const tsr_value *v, uint16_t opcode);
/* The only user of a value; NULL if there are none or several uses. */
tsr_op *tsr_ttr_user(const tsr_value *v);
/* The operand of a binary op that is not v. */
static inline tsr_value *tsr_ttr_other(const tsr_op *op, const tsr_value *v)
{
    return op->in[0].value == v ? op->in[1].value : op->in[0].value;
}
/* Indices of the dimensions of a reduction, sorted; false if one is out of range. */
bool tsr_ttr_reduced(const tsr_op *op, int64_t *dims, size_t *n);
double tsr_ttr_float_attr(const tsr_attr *a); /* also from an integer */
/* Whether all of these numbers, except the last few, are 1. Devices broadcast the last six dimensions by themselves:
 * implicit tells whether a broadcast involves only those. */
bool tsr_ttr_ones(const tsr_attr *numbers, size_t but);
bool tsr_ttr_implicit(const tsr_op *broadcast);
/* For slice_static: bounds and step of dimension i, counted from the front. */
tsr_ttr_range tsr_ttr_slice_range(const tsr_op *slice, size_t i);
/* Whether a reduction keeps reduced dimensions, with size 1. */
bool tsr_ttr_keeps_dims(const tsr_op *reduction);
/* Permutations. */
void tsr_ttr_inverse(const int64_t *perm, size_t n, int64_t *out);
size_t tsr_ttr_permutation(const tsr_op *permute, int64_t *out); /* returns its rank */
int64_t tsr_ttr_volume(const int64_t *dims, size_t n);
static inline int64_t tsr_ttr_elements(const tsr_value *v)
{
    return tsr_type_num_elements(v->type);
}

/* Whether casts of tensors from in through mid to out give the same as one cast from in to out. */
bool tsr_ttr_casts_join(const tsr_type *in, const tsr_type *mid, const tsr_type *out);

/* ---- Folding (fold.c) ---- */

/* Computes op, which has one result, with its kernel on constant operands: splats give a splat. NULL if it cannot. */
tsr_attr *tsr_ttr_compute(tsr_rewriter *r, const tsr_op *op);
/* Moves a constant's elements: place returns how much coordinate k of dimension i of the result adds to the index of
 * its source element. NULL if it is too large, or not a constant. */
typedef int64_t tsr_ttr_place_fn(const void *how, size_t i, int64_t k);
tsr_attr *tsr_ttr_move_constant(tsr_rewriter *r, const tsr_value *v, tsr_type *to,
                                tsr_ttr_place_fn *place, const void *how);

#endif
