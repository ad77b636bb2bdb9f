/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - builds the sharding rule of an op: hooks of the SHARD column and their shared helpers.
 *
 * A hook adds factors one by one and puts each on dimensions of tensors. The order of factors matters: letters are
 * assigned in it, and of several factors of one dimension the first is the major one. A factor of size 1 adds nothing
 * to a dimension that already has one. At the end, each dimension without a factor gets its own factor of size 1. */
#ifndef TSR_SHARD_RULE_BUILD_H
#define TSR_SHARD_RULE_BUILD_H

#include "dialect/params.h"
#include "shard/rule/rule.h"

enum { TSR_NO_DIM = -1 };

typedef struct {
    uint32_t dim, factor;
} tsr_rule_place;

typedef struct tsr_rule_build {
    const tsr_op *op;
    tsr_rule_options options;
    tsr_rules *rules; /* cache of rules */
    tsr_arena *arena;
    uint32_t ntensor;
    bool broken; /* a factor was put on a dimension that does not exist: no rule */
    /* first dimension of each tensor; number of factors of each dimension so far */
    uint32_t *dims, *count;
    uint32_t nfactor, factor_cap, nplace, place_cap;
    int64_t *sizes;
    uint8_t *kinds, *blocked;
    tsr_rule_place *places;
    const tsr_rule *whole; /* a hook may supply a complete rule instead */
    uint32_t depth;        /* nesting depth of calls being examined */
} tsr_rule_build;

/* A hook: false when the op has no rule. */
typedef bool shard_fn(tsr_rule_build *b);
#include "shard/rule/build_tables.h"

/* ---- Tensors: the operands, then the results ---- */

static inline const tsr_type *tsr_rule_type(const tsr_rule_build *b, uint32_t t)
{
    return t < b->op->nin ? b->op->in[t].value->type : b->op->out[t - b->op->nin].type;
}
static inline uint32_t tsr_build_rank(const tsr_rule_build *b,
                                      uint32_t t) /* 0 for tokens and the like */
{
    return b->dims[t + 1] - b->dims[t];
}
static inline int64_t tsr_rule_size(const tsr_rule_build *b, uint32_t t,
                                    int64_t dim) /* 1 out of range */
{
    return dim >= 0 && dim < (int64_t)tsr_build_rank(b, t) ? tsr_rule_type(b, t)->dims[dim] : 1;
}
/* The tensor that is result i. */
static inline uint32_t tsr_build_result(const tsr_rule_build *b, uint32_t i)
{
    return b->op->nin + i;
}

/* ---- Factors ---- */

/* A new factor, on no dimension yet. */
uint32_t tsr_rule_factor(tsr_rule_build *b, int64_t size, tsr_factor_kind kind, bool blocked);
/* Puts it on a dimension of tensor t; TSR_NO_DIM: on none. */
void tsr_rule_put(tsr_rule_build *b, uint32_t factor, uint32_t t, int64_t dim);
/* The same on tensors from .. to - 1. */
void tsr_rule_put_range(tsr_rule_build *b, uint32_t factor, uint32_t from, uint32_t to,
                        int64_t dim);
/* A factor on this dimension of every tensor that is not a scalar. */
void tsr_rule_add_all(tsr_rule_build *b, int64_t dim, int64_t size, tsr_factor_kind kind,
                      bool blocked);
/* A pass-through factor for each of the first n dimensions of tensor t, on every tensor. */
void tsr_rule_add_batch(tsr_rule_build *b, uint32_t t, uint32_t n);
/* For ops with one or two operands and one result: a factor on these dimensions. rhs is ignored if there is one
 * operand. */
void tsr_rule_add3(tsr_rule_build *b, int64_t lhs, int64_t rhs, int64_t out, int64_t size,
                   tsr_factor_kind kind, bool blocked);

/* Rules shared by several hooks. */
bool tsr_rule_pointwise(tsr_rule_build *b);
bool tsr_rule_reshape(tsr_rule_build *b, uint32_t in, uint32_t out);
/* Maps dimensions of operand 0 to those of result 0 one by one; dimensions that change size get factors of this
 * kind. */
bool tsr_rule_resized(tsr_rule_build *b, tsr_factor_kind kind, bool blocked);
/* Whether all operands from this one on are constants. */
bool tsr_rule_known(const tsr_rule_build *b, uint32_t from);
/* Dimension i of operand 0 becomes dimension map[i] of result 0. */
bool tsr_rule_broadcast(tsr_rule_build *b, const tsr_attr *map);

/* The rule described by a text (rule/layout.c); false: the tensors do not match it, and nothing was added. */
bool tsr_rule_layout(tsr_rule_build *b, const char *text);

/* ---- Whole rules ---- */

void tsr_rule_build_init(tsr_rule_build *b, tsr_arena *arena, const tsr_op *op,
                         tsr_rule_options options);
/* The completed rule; NULL if it is broken. */
const tsr_rule *tsr_rule_build_done(tsr_rule_build *b);

/* The rule of an op nested in the current one; NULL: none. */
const tsr_rule *tsr_rule_inner(const tsr_rule_build *b, tsr_op *op);
/* The cache entry for the rule of what a symbol names, as seen from b's op; it holds NULL if not yet set. Entries move
 * when others are requested. */
const tsr_rule **tsr_rule_memo(const tsr_rule_build *b, const tsr_attr *symbol);

/* A warning issued once per context: bit is one of TSR_SAID_*. */
void tsr_rule_unknown(const tsr_op *op, uint32_t bit, const char *fmt, ...) TSR_PRINTF(3, 4);

#endif
