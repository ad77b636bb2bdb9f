/* SPDX-License-Identifier: Apache-2.0 */
/* rule.h - sharding rules: an op's dimensions in terms of factors, as data for every engine.
 *
 * A factor is a loop of the op that runs along some dimensions of its operands and results: dot(ik, kj) -> ij has
 * three. A dimension is made of one or more factors (a reshape's of several), major first. Sharding a factor shards
 * every dimension it is part of, on all tensors alike. Rules are immutable, built once per op, and allocated in an
 * arena. */
#ifndef TSR_SHARD_RULE_RULE_H
#define TSR_SHARD_RULE_RULE_H

#include "dialect/reducer.h"
#include "dialect/sdy/sdy.h"

typedef enum {
    TSR_FACTOR_PASS_THROUGH,
    TSR_FACTOR_REDUCTION,        /* results are partial: an all-reduce follows */
    TSR_FACTOR_NEED_REPLICATION, /* the op cannot work on parts */
    TSR_FACTOR_PERMUTATION,      /* parts move between devices */
} tsr_factor_kind;

/* Tensors are the operands, then the results. Tensor t has dimensions dims[t] .. dims[t + 1] - 1, counted over all
 * tensors; dimension d is made of factors[first[d]] .. factors[first[d + 1] - 1], major first. */
typedef struct tsr_rule {
    uint32_t nfactor, noperand, nresult;
    bool custom;            /* given by the user */
    const int64_t *sizes;   /* of each factor */
    const uint8_t *kinds;   /* tsr_factor_kind of each factor */
    const uint8_t *blocked; /* of each factor: 1 when nothing propagates along it */
    const uint32_t *dims;
    const uint32_t *first;
    const uint32_t *factors;
} tsr_rule;

static inline uint32_t tsr_rule_tensors(const tsr_rule *r)
{
    return r->noperand + r->nresult;
}
static inline uint32_t tsr_rule_rank(const tsr_rule *r, uint32_t tensor)
{
    return r->dims[tensor + 1] - r->dims[tensor];
}

/* Conversion between rules and sdy.op_sharding_rule attributes (rule/attr.c). */
const tsr_rule *tsr_rule_decode(tsr_arena *arena, const tsr_attr *attr);
tsr_attr *tsr_rule_encode(tsr_ctx *ctx, const tsr_rule *rule);

/* One pass-through factor per dimension, the same on noperand operands and one result of this type (rule/build.c). */
const tsr_rule *tsr_rule_identity(tsr_arena *arena, const tsr_type *type, uint32_t noperand);

/* ---- Rules of ops (rules.c) ---- */

typedef struct {
    /* no propagation along dimensions that a slice or pad changes, and the like */
    bool conservative;
    bool extra; /* our own rules for ops that Shardy leaves out */
} tsr_rule_options;

/* The rules of one module's ops, each built on first use. */
typedef struct {
    tsr_arena *arena;
    tsr_rule_options options;
    const tsr_rule **of_op; /* by op id; NULL: not yet built */
    uint32_t n;
    /* recently built rules, by hash of their keys: most ops of a program resemble another */
    const tsr_rule **shared;
    struct tsr_rule_key **keys;
    bool around; /* set by hooks that examine other ops than their own: such rules are not shared */
    /* rules of functions that composites name: a hash table at most half full */
    struct tsr_rule_named *named;
    uint32_t nnamed, named_cap;
} tsr_rules;

void tsr_rules_init(tsr_rules *rules, tsr_arena *arena, tsr_module *m, tsr_rule_options options);
/* The rule of op: the user's (attribute sdy.sharding_rule), else its row's. NULL: none. */
const tsr_rule *tsr_rules_get(tsr_rules *rules, tsr_op *op);
/* The same for one op, without caching, and also for dynamic shapes: the verifier must refuse such a rule. */
const tsr_rule *tsr_rule_of(tsr_arena *arena, tsr_op *op, tsr_rule_options options);
/* Whether the only rule of the op's row is our own (SHARD_EXTRA). */
bool tsr_rule_is_extra(const tsr_op *op);
/* Whether all sizes of dimensions, and so those of factors, are static. */
bool tsr_rule_is_static(const tsr_op *op);
/* How a scatter's body combines an update with the existing element, if the order does not matter: sum, product,
 * maximum, minimum, and on i1 and, or; with several inputs, the same for all. TSR_REDUCE_OTHER: none of these. */
tsr_reduce_kind tsr_scatter_reduction(const tsr_op *scatter);

/* ---- Rules of cut types (rule/local.c) ---- */

/* The rule for users that only cut types: factors that a device cannot compute from its own parts need replication. May
 * be rule itself. */
const tsr_rule *tsr_rule_local(tsr_arena *arena, const tsr_rule *rule, const tsr_op *op);
/* How partial results of op are combined; false: they cannot be. */
bool tsr_reduction_of(const tsr_op *op, tsr_sdy_reduction *how);

/* The user's rule alone; NULL: none. */
tsr_attr *tsr_rule_given(const tsr_op *op);
/* The rule in a string of a custom call's frontend attributes, as one of ours (not custom); NULL: none, or invalid. Its
 * text; empty: none (user.c). */
tsr_attr *tsr_rule_user(tsr_op *op);
tsr_str tsr_rule_user_text(const tsr_op *op);

#endif
