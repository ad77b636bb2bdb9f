/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - rules of ops that move elements: broadcasts, reshapes, transposes, slices, pads, concatenations. */
#include "base/round.h"
#include "shard/rule/build.h"

/* ---- One factor per dimension, some of another kind ---- */

bool shard_reverse(tsr_rule_build *b)
{
    const tsr_attr *reversed = tsr_attr_of(b->op, STABLEHLO_REVERSE_dimensions);
    uint32_t out = tsr_build_result(b, 0);
    for (uint32_t d = 0; d < tsr_build_rank(b, out); d++)
        tsr_rule_add_all(b, d, tsr_rule_size(b, out, d),
                         tsr_ints_has(tsr_attr_ints(reversed), d) ? TSR_FACTOR_PERMUTATION
                                                                  : TSR_FACTOR_PASS_THROUGH,
                         false);
    return true;
}

bool tsr_rule_resized(tsr_rule_build *b, tsr_factor_kind kind, bool blocked)
{
    uint32_t out = tsr_build_result(b, 0);
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        int64_t size = tsr_rule_size(b, 0, d);
        bool same = size == tsr_rule_size(b, out, d);
        uint32_t f =
            tsr_rule_factor(b, size, same ? TSR_FACTOR_PASS_THROUGH : kind, !same && blocked);
        tsr_rule_put(b, f, 0, d);
        tsr_rule_put(b, f, out, d);
    }
    return tsr_build_rank(b, 0) == tsr_build_rank(b, out);
}

bool shard_pad(tsr_rule_build *b)
{
    return tsr_rule_resized(b, TSR_FACTOR_PERMUTATION, b->options.conservative);
}

bool shard_slice(tsr_rule_build *b)
{
    return tsr_rule_resized(b, TSR_FACTOR_PERMUTATION, b->options.conservative);
}

/* The position of the slice is unknown: the parts that it needs may be anywhere. */
bool shard_dynamic_slice(tsr_rule_build *b)
{
    return tsr_rule_resized(b, TSR_FACTOR_NEED_REPLICATION, true);
}

bool tsr_rule_known(const tsr_rule_build *b, uint32_t from)
{
    b->rules->around = true;
    for (uint32_t i = from; i < b->op->nin; i++) {
        const tsr_value *v = b->op->in[i].value;
        if (!tsr_value_is_constant(v) && (v->is_arg || !tsr_op_is(v->op, TSR_OP_SDY_CONSTANT)))
            return false;
    }
    return true;
}

/* Each device can write the part of the update that falls into its part of the operand, if it has the whole update. */
bool shard_dynamic_update_slice(tsr_rule_build *b)
{
    bool known = tsr_rule_known(b, 2);
    uint32_t out = tsr_build_result(b, 0);
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        int64_t size = tsr_rule_size(b, 0, d), update = tsr_rule_size(b, 1, d);
        if (size == update) {
            tsr_rule_add_all(b, d, size, TSR_FACTOR_PASS_THROUGH, false);
            continue;
        }
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put(b, f, 0, d);
        tsr_rule_put(b, f, out, d);
        f = tsr_rule_factor(b, update,
                            known ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION, false);
        tsr_rule_put(b, f, 1, d);
    }
    return true;
}

bool shard_bitcast_convert(tsr_rule_build *b)
{
    uint32_t in = tsr_build_rank(b, 0), res = tsr_build_rank(b, 1);
    tsr_rule_add_batch(b, in < res ? 0 : 1, in < res ? in : res);
    if (in != res) { /* the bytes of one element become a dimension */
        uint32_t longer = in < res ? 1 : 0, d = (in < res ? res : in) - 1;
        tsr_rule_put(
            b, tsr_rule_factor(b, tsr_rule_size(b, longer, d), TSR_FACTOR_NEED_REPLICATION, false),
            longer, d);
    }
    return true;
}

/* ---- Concatenate ---- */

static const tsr_op *slice_of(const tsr_value *v)
{
    return !v->is_arg && tsr_op_is(v->op, TSR_OP_STABLEHLO_SLICE) ? v->op : NULL;
}

static const tsr_value *behind_slice(const tsr_value *v)
{
    const tsr_op *slice = slice_of(v);
    return slice ? slice->in[0].value : v;
}

/* Whether the operands are slices of one value, or all slices, so that concatenating only moves parts: rotations and
 * the like. */
static bool only_moves(const tsr_op *op)
{
    bool all = true, any = false, one = true;
    const tsr_value *source = op->nin ? behind_slice(op->in[0].value) : NULL;
    for (uint32_t i = 0; i < op->nin; i++) {
        bool slice = slice_of(op->in[i].value) != NULL;
        all &= slice;
        any |= slice;
        one &= behind_slice(op->in[i].value) == source;
    }
    return all || (one && any);
}

bool shard_concatenate(tsr_rule_build *b)
{
    int64_t along = tsr_attr_of(b->op, STABLEHLO_CONCATENATE_dimension)->i;
    uint32_t out = tsr_build_result(b, 0);
    for (uint32_t d = 0; d < tsr_build_rank(b, out); d++) {
        tsr_factor_kind kind = TSR_FACTOR_PASS_THROUGH;
        if (d == along) {
            if (b->options.conservative)
                continue;
            b->rules->around = true;
            kind = only_moves(b->op) ? TSR_FACTOR_PERMUTATION : TSR_FACTOR_NEED_REPLICATION;
        }
        tsr_rule_add_all(b, d, tsr_rule_size(b, out, d), kind, false);
    }
    return true;
}

/* ---- Broadcast and transpose ---- */

bool tsr_rule_broadcast(tsr_rule_build *b, const tsr_attr *map)
{
    uint32_t out = tsr_build_result(b, 0), rank = tsr_build_rank(b, out), n = tsr_build_rank(b, 0);
    int64_t *from = tsr_arena_alloc(b->arena, (rank + 1) * sizeof *from);
    for (uint32_t d = 0; d < rank; d++)
        from[d] = TSR_NO_DIM;
    if (tsr_attr_count(map) != n)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t d = tsr_attr_int_at(map, i);
        if (d < 0 || d >= rank)
            return false;
        from[d] = i;
    }
    for (uint32_t d = 0; d < rank; d++) {
        int64_t in = from[d], size = tsr_rule_size(b, out, d);
        if (in != TSR_NO_DIM && tsr_rule_size(b, 0, in) != size) { /* one element becomes many */
            tsr_rule_put(b, tsr_rule_factor(b, 1, TSR_FACTOR_PASS_THROUGH, false), 0, in);
            in = TSR_NO_DIM;
        }
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put(b, f, 0, in);
        tsr_rule_put(b, f, out, d);
    }
    return true;
}

bool shard_broadcast_in_dim(tsr_rule_build *b)
{
    return tsr_rule_broadcast(b,
                              tsr_attr_of(b->op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions));
}

bool shard_transpose(tsr_rule_build *b)
{
    const tsr_attr *permutation = tsr_attr_of(b->op, STABLEHLO_TRANSPOSE_permutation);
    for (uint32_t d = 0; d < tsr_build_rank(b, 1); d++) {
        int64_t in = tsr_attr_int_at(permutation, d);
        tsr_rule_add3(b, in, TSR_NO_DIM, d, tsr_rule_size(b, 0, in), TSR_FACTOR_PASS_THROUGH,
                      false);
    }
    return true;
}

/* ---- Reshape ---- */

/* One side of a reshape: dimensions are cut into factors from the major end. sizes and factors are the products of all
 * dimensions begun and of all factors so far. */
typedef struct {
    uint32_t tensor, rank, dim;
    int64_t sizes, factors;
} side;

/* Begins the next dimension if the current one is used up; returns the size left to cut. */
static int64_t rest(tsr_rule_build *b, side *s)
{
    if (s->dim < s->rank && s->sizes == s->factors)
        s->sizes *= tsr_rule_size(b, s->tensor, s->dim);
    return s->sizes / s->factors;
}

static void cut(tsr_rule_build *b, side *s, uint32_t factor)
{
    tsr_rule_put(b, factor, s->tensor, s->dim);
    s->factors *= b->sizes[factor];
}

static void cut_alone(tsr_rule_build *b, side *s, int64_t size)
{
    cut(b, s, tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false));
}

/* The size to cut on the side that is behind: enough to make both sides equal again, or else enough to leave the common
 * divisor for the next step. */
static int64_t catch_up(int64_t left, int64_t common, int64_t behind, int64_t ahead)
{
    if (ahead % behind == 0 && left % (ahead / behind) == 0)
        return ahead / behind;
    return left > common ? left / common : left;
}

static bool unit_dim(tsr_rule_build *b, side *s)
{
    if (s->dim >= s->rank || tsr_rule_size(b, s->tensor, s->dim) != 1)
        return false;
    tsr_rule_put(b, tsr_rule_factor(b, 1, TSR_FACTOR_PASS_THROUGH, false), s->tensor, s->dim++);
    return true;
}

/* Cuts both sides in step by their greatest common divisor. Where it is 1 they diverge, each with its own factors,
 * until their products are equal again. */
bool tsr_rule_reshape(tsr_rule_build *b, uint32_t in_tensor, uint32_t out_tensor)
{
    const tsr_type *in_type = tsr_rule_type(b, in_tensor), *out_type = tsr_rule_type(b, out_tensor);
    int64_t n = tsr_type_num_elements(in_type);
    if (n <= 0 || n != tsr_type_num_elements(out_type))
        return false; /* nothing to propagate in an empty tensor */
    side in = {in_tensor, in_type->n, 0, 1, 1}, out = {out_tensor, out_type->n, 0, 1, 1};
    while (in.dim < in.rank || out.dim < out.rank) {
        if (unit_dim(b, &in) || unit_dim(b, &out))
            continue;
        int64_t in_left = rest(b, &in), out_left = rest(b, &out),
                common = tsr_gcd(in_left, out_left);
        if (in.factors == out.factors) {
            if (common > 1) {
                uint32_t f = tsr_rule_factor(b, common, TSR_FACTOR_PASS_THROUGH, false);
                cut(b, &in, f);
                cut(b, &out, f);
            } else {
                cut_alone(b, &in, in_left);
                cut_alone(b, &out, out_left);
            }
        } else if (in.factors < out.factors) {
            cut_alone(b, &in, catch_up(in_left, common, in.factors, out.factors));
        } else {
            cut_alone(b, &out, catch_up(out_left, common, out.factors, in.factors));
        }
        in.dim += in.dim < in.rank && in.sizes == in.factors;
        out.dim += out.dim < out.rank && out.sizes == out.factors;
        if (b->broken)
            return false;
    }
    return true;
}

bool shard_reshape(tsr_rule_build *b)
{
    return tsr_rule_reshape(b, 0, 1);
}
