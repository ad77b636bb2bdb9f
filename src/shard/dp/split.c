/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - chooses the factor of an op's rule to cut, given how its operands are distributed.
 *
 * At most one factor is cut. It must be the outermost of every dimension it is part of, so that each device has
 * contiguous elements; sums along it are combined afterwards, and operands that the op cannot use in parts are gathered
 * before. */
#include "shard/dp/dp.h"
#include "shard/rule/ttir.h"

enum { NONE = -1 };
enum {
    JOIN_none = -1,
    JOIN_sum = TSR_TT_SUM,
    JOIN_mean = TSR_TT_MEAN,
    JOIN_max = TSR_TT_MAX,
    JOIN_min = TSR_TT_MIN,
    JOIN_prod = TSR_TT_PROD,
};

/* The columns SPLIT and WRITES. */
static const struct {
    shard_fn *rule;
    int8_t join;
    uint8_t written; /* the operand, counted from 1 */
} rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define SPLIT(rule_, how, local) .rule = shard_##rule_, .join = JOIN_##how,
#define WRITES(operand) .written = (operand) + 1,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static const tsr_rule no_rule;

bool tsr_dp_may_cut(const tsr_type *t)
{
    const int64_t most = (int64_t)1 << 40; /* times the number of devices, it still fits */
    if (!tsr_type_is(t, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(t) || t->n > TSR_DP_RANK ||
        tsr_type_num_elements(t) <= 0 || tsr_type_num_elements(t) > most)
        return false;
    for (uint32_t d = 0; d < t->n; d++)
        if (t->dims[d] > INT32_MAX) /* attributes have this width */
            return false;
    return true;
}

const tsr_rule *tsr_dp_rule(tsr_dp *dp, tsr_op *op)
{
    const tsr_rule **at = &dp->rules[op->id];
    if (*at)
        return *at == &no_rule ? NULL : *at;
    *at = &no_rule;
    shard_fn *hook = op->def->opcode == TSR_UNREGISTERED ? NULL : rows[op->def->opcode].rule;
    if (!hook || op->nregion)
        return NULL;
    for (uint32_t t = 0; t < op->nin + op->nout; t++)
        if (!tsr_dp_may_cut(tsr_dp_type(op, t)))
            return NULL;
    tsr_rule_build b;
    tsr_rule_build_init(&b, dp->arena, op, (tsr_rule_options){.extra = true});
    const tsr_rule *r = hook(&b) ? tsr_rule_build_done(&b) : NULL;
    if (r)
        *at = r;
    return r;
}

bool tsr_dp_join(const tsr_op *op, tsr_tt_reduce_type *how)
{
    int join = rows[op->def->opcode].join;
    if (join == JOIN_none)
        return false;
    *how = (tsr_tt_reduce_type)join;
    for (uint32_t i = 0; join == JOIN_mean && i < op->nout; i++)
        if (!tsr_type_is(op->out[i].type->elem, TSR_TYPE_FLOAT))
            return false; /* integers are rounded once, not twice */
    return true;
}

int64_t tsr_dp_written(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? -1 : (int64_t)rows[op->def->opcode].written - 1;
}

tsr_dp_part tsr_dp_cut(const tsr_dp *dp, const tsr_type *type, uint32_t dim)
{
    int64_t n = dp->devices, real = type->dims[dim];
    tsr_assert(real >= 0 && n > 0, "%lld elements for %lld devices", (long long)real, (long long)n);
    return (tsr_dp_part){(int32_t)dim, real, (real + n - 1) / n * n};
}

/* ---- Factors ---- */

bool tsr_dp_major(const tsr_rule *r, const tsr_op *op, uint32_t t, uint32_t d, uint32_t *factor,
                  int64_t *rest)
{
    uint32_t at = r->dims[t] + d, i = r->first[at], end = r->first[at + 1];
    int64_t size = 1;
    while (i + 1 < end && r->sizes[r->factors[i]] == 1)
        i++;
    *factor = r->factors[i];
    *rest = 1;
    for (uint32_t k = r->first[at]; k < end; k++) {
        size *= r->sizes[r->factors[k]];
        if (k > i)
            *rest *= r->sizes[r->factors[k]];
    }
    return size == tsr_dp_type(op, t)->dims[d];
}

typedef enum { ABSENT, FIRST, HIDDEN } place;

/* The position of factor f in tensor t: in no dimension, first in one, or elsewhere. */
static place place_of(const tsr_rule *r, const tsr_op *op, uint32_t t, uint32_t f, uint32_t *dim,
                      int64_t *rest)
{
    place where = ABSENT;
    for (uint32_t d = 0; d < tsr_rule_rank(r, t); d++) {
        uint32_t at = r->dims[t] + d, major;
        for (uint32_t i = r->first[at]; i < r->first[at + 1]; i++) {
            if (r->factors[i] != f)
                continue;
            if (where != ABSENT || !tsr_dp_major(r, op, t, d, &major, rest) || major != f)
                return HIDDEN;
            where = FIRST;
            *dim = d;
        }
    }
    return where;
}

tsr_dp_part tsr_dp_want(const tsr_rule *r, const tsr_op *op, tsr_dp_choice c, uint32_t t)
{
    uint32_t dim;
    int64_t rest;
    if (c.factor == NONE || place_of(r, op, t, (uint32_t)c.factor, &dim, &rest) != FIRST)
        return tsr_dp_whole();
    return (tsr_dp_part){(int32_t)dim, tsr_dp_type(op, t)->dims[dim], c.size * rest};
}

/* Whether op can run with factor f in parts of this size (over all devices). */
static bool can_cut(const tsr_dp *dp, const tsr_rule *r, const tsr_op *op, uint32_t f, int64_t size,
                    tsr_dp_choice *out)
{
    tsr_tt_reduce_type how;
    uint32_t dim;
    int64_t rest;
    bool joins = r->kinds[f] == TSR_FACTOR_REDUCTION;
    if (size % dp->devices != 0 || size < r->sizes[f])
        return false;
    if (!joins && r->kinds[f] != TSR_FACTOR_PASS_THROUGH)
        return false;
    if (joins && (size != r->sizes[f] || !tsr_dp_join(op, &how)))
        return false; /* the contents of the padding are unspecified */
    for (uint32_t t = 0; t < op->nin + op->nout; t++) {
        place where = place_of(r, op, t, f, &dim, &rest);
        if (where == HIDDEN || (t >= op->nin && (where == FIRST) == joins))
            return false;
    }
    *out = (tsr_dp_choice){(int32_t)f, joins, size};
    return true;
}

/* ---- Choices ---- */

static int64_t bytes_of(const tsr_type *t)
{
    int64_t bits = tsr_type_storage_bits(t->elem);
    return tsr_type_num_elements(t) * (bits ? bits / 8 : 4);
}

/* Bytes moved between devices. */
static int64_t cost(const tsr_rule *r, const tsr_op *op, tsr_dp_choice c, const tsr_dp_part *in)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        if (in[i].dim != TSR_WHOLE && !tsr_dp_same(in[i], tsr_dp_want(r, op, c, i)))
            sum += bytes_of(op->in[i].value->type);
    for (uint32_t i = 0; c.joins && i < op->nout; i++)
        sum += bytes_of(op->out[i].type);
    return sum;
}

/* Whether an operand that is written to is used as it is, not copied. */
static bool keeps_written(const tsr_rule *r, const tsr_op *op, tsr_dp_choice c,
                          const tsr_dp_part *in)
{
    int64_t w = tsr_dp_written(op);
    return w < 0 || w >= op->nin || tsr_dp_same(in[w], tsr_dp_want(r, op, c, (uint32_t)w));
}

tsr_dp_choice tsr_dp_choose(tsr_dp *dp, tsr_op *op, const tsr_dp_part *in)
{
    tsr_dp_choice best = {NONE, false, 0}, c;
    bool cut = false;
    for (uint32_t i = 0; i < op->nin && !cut; i++)
        cut = in[i].dim != TSR_WHOLE;
    const tsr_rule *r = cut ? tsr_dp_rule(dp, op) : NULL;
    int64_t least = 0;
    for (uint32_t i = 0; r && i < op->nin; i++) {
        uint32_t f;
        int64_t rest;
        if (in[i].dim == TSR_WHOLE || !tsr_dp_major(r, op, i, (uint32_t)in[i].dim, &f, &rest) ||
            in[i].size % rest != 0 || !can_cut(dp, r, op, f, in[i].size / rest, &c) ||
            !keeps_written(r, op, c, in))
            continue;
        int64_t price = cost(r, op, c, in);
        if (best.factor == NONE || price < least) {
            best = c;
            least = price;
        }
    }
    return best;
}

tsr_dp_choice tsr_dp_choose_result(tsr_dp *dp, tsr_op *op, tsr_dp_part out)
{
    tsr_dp_choice c = {NONE, false, 0};
    const tsr_rule *r = op->nout == 1 ? tsr_dp_rule(dp, op) : NULL;
    uint32_t f;
    int64_t rest;
    if (!r || !tsr_dp_major(r, op, op->nin, (uint32_t)out.dim, &f, &rest) || out.size % rest != 0 ||
        !can_cut(dp, r, op, f, out.size / rest, &c))
        c.factor = NONE;
    return c;
}
