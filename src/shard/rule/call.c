/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - rules of custom calls, by target (targets.def). Nothing else verifies the operands and results that the
 * rules expect, so a call of a different form has no rule. */
#include "shard/rule/build.h"

static bool has_form(const tsr_rule_build *b, uint32_t nin, uint32_t nout)
{
    return b->op->nin == nin && b->op->nout == nout;
}

static bool shard_call_none(tsr_rule_build *b)
{
    (void)b;
    return false;
}

static bool shard_call_pointwise(tsr_rule_build *b)
{
    return tsr_rule_pointwise(b);
}

/* matrix -> vectors, values */
static bool shard_call_eigh(tsr_rule_build *b)
{
    uint32_t rank = b->op->nin ? tsr_build_rank(b, 0) : 0;
    if (!has_form(b, 1, 2) || rank < 2)
        return false;
    int64_t row = rank - 2, column = rank - 1;
    tsr_rule_add_batch(b, 0, rank - 2);
    uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, row), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put_range(b, f, 0, 2, row);
    f = tsr_rule_factor(b, tsr_rule_size(b, 0, column), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put_range(b, f, 0, 2, column);
    tsr_rule_put(b, f, 2, row);
    return true;
}

/* The first two tensors contain matrices of the same shape; the third contains a vector for each. */
static bool matrix_and_vector(tsr_rule_build *b, uint32_t one, uint32_t two, uint32_t vector)
{
    uint32_t rank = tsr_build_rank(b, one);
    if (rank < 2)
        return false;
    tsr_rule_add_batch(b, one, rank - 2);
    for (uint32_t d = rank - 2; d < rank; d++) {
        uint32_t f =
            tsr_rule_factor(b, tsr_rule_size(b, one, d), TSR_FACTOR_NEED_REPLICATION, false);
        tsr_rule_put(b, f, one, d);
        tsr_rule_put(b, f, two, d);
    }
    uint32_t f =
        tsr_rule_factor(b, tsr_rule_size(b, vector, rank - 2), TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put(b, f, vector, rank - 2);
    return true;
}

/* matrix -> reflectors, their scales */
static bool shard_call_qr(tsr_rule_build *b)
{
    return has_form(b, 1, 2) && matrix_and_vector(b, 0, 1, 2);
}

/* reflectors, their scales -> matrix */
static bool shard_call_householder(tsr_rule_build *b)
{
    return has_form(b, 2, 1) && matrix_and_vector(b, 0, 2, 1);
}

/* operand -> values, indices */
static bool shard_call_topk(tsr_rule_build *b)
{
    if (!has_form(b, 1, 2) || tsr_build_rank(b, 0) != tsr_build_rank(b, 1))
        return false;
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        bool same = tsr_rule_size(b, 0, d) == tsr_rule_size(b, 1, d);
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         same ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION, !same);
    }
    return true;
}

/* operand, positions, two initial values -> values, positions */
static bool shard_call_approx_topk(tsr_rule_build *b)
{
    if (!has_form(b, 4, 2) || tsr_build_rank(b, 0) != tsr_build_rank(b, 4))
        return false;
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        int64_t in = tsr_rule_size(b, 0, d), out = tsr_rule_size(b, 4, d);
        if (in == out) {
            tsr_rule_add_all(b, d, in, TSR_FACTOR_PASS_THROUGH, false);
            continue;
        }
        tsr_rule_put_range(b, tsr_rule_factor(b, in, TSR_FACTOR_PASS_THROUGH, false), 0, 2, d);
        tsr_rule_put_range(b, tsr_rule_factor(b, out, TSR_FACTOR_NEED_REPLICATION, true), 4, 6, d);
    }
    return true;
}

/* The state of the random bits is replicated and does not take part in propagation. */
static bool shard_call_x64_combine(tsr_rule_build *b)
{
    bool state = false;
    for (uint32_t i = 0; i < b->op->nout; i++)
        for (const tsr_use *u = b->op->out[i].uses; u; u = u->next)
            state |= tsr_op_is(u->user, TSR_OP_STABLEHLO_RNG_BIT_GENERATOR);
    if (!state)
        return tsr_rule_pointwise(b);
    tsr_rule_add_all(b, 0, tsr_rule_size(b, tsr_build_result(b, 0), 0), TSR_FACTOR_NEED_REPLICATION,
                     true);
    return true;
}

static const tsr_attr *composite_attribute(const tsr_rule_build *b, tsr_str name)
{
    const tsr_attr *all =
        b->op->extra ? tsr_dict_get(b->op->extra, TSR_STR("tt.composite_attributes")) : NULL;
    return tsr_attr_is(all, TSR_ATTR_DICT) ? tsr_dict_get(all, name) : NULL;
}

/* input, indices -> elements of the input at the indices along dimension dim */
static bool shard_call_gather_dim(tsr_rule_build *b)
{
    const tsr_attr *at = composite_attribute(b, TSR_STR("dim"));
    if (!has_form(b, 2, 1) || !tsr_attr_is(at, TSR_ATTR_INT))
        return false;
    int64_t rank = tsr_build_rank(b, 0), dim = at->i < 0 ? at->i + rank : at->i;
    if (tsr_build_rank(b, 1) != rank || tsr_build_rank(b, 2) != rank || dim < 0 || dim >= rank)
        return false;
    for (int64_t d = 0; d < rank; d++) {
        int64_t size = tsr_rule_size(b, 2, d);
        if (tsr_rule_size(b, 1, d) != size || (d != dim && tsr_rule_size(b, 0, d) != size))
            return false;
        if (d != dim)
            tsr_rule_add_all(b, d, size, TSR_FACTOR_PASS_THROUGH, false);
    }
    tsr_rule_put(b,
                 tsr_rule_factor(b, tsr_rule_size(b, 0, dim), TSR_FACTOR_NEED_REPLICATION, false),
                 0, dim);
    tsr_rule_put_range(
        b, tsr_rule_factor(b, tsr_rule_size(b, 1, dim), TSR_FACTOR_PASS_THROUGH, false), 1, 3, dim);
    return true;
}

/* input, weights and biases for its last dimensions, which are normalized -> result */
static bool shard_call_rms_norm(tsr_rule_build *b)
{
    const tsr_attr *shape = composite_attribute(b, TSR_STR("normalized_shape"));
    if (!b->op->nin || b->op->nin > 3 || b->op->nout != 1 || !shape ||
        (!tsr_attr_is(shape, TSR_ATTR_DENSE) && !tsr_attr_is(shape, TSR_ATTR_ARRAY) &&
         !tsr_attr_is(shape, TSR_ATTR_DENSE_ARRAY)))
        return false;
    int64_t rank = tsr_build_rank(b, 0), n = tsr_attr_count(shape), result = b->op->nin;
    if (n > rank || tsr_build_rank(b, (uint32_t)result) != rank)
        return false;
    for (int64_t d = 0; d < rank; d++) {
        int64_t size = tsr_rule_size(b, 0, d), inner = d - (rank - n);
        if (tsr_rule_size(b, (uint32_t)result, d) != size)
            return false;
        uint32_t f = tsr_rule_factor(
            b, size, inner < 0 ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION, false);
        tsr_rule_put(b, f, 0, d);
        for (uint32_t t = 1; inner >= 0 && t < b->op->nin; t++) {
            if (tsr_build_rank(b, t) != n || tsr_rule_size(b, t, inner) != size)
                return false;
            tsr_rule_put(b, f, t, inner);
        }
        tsr_rule_put(b, f, (uint32_t)result, d);
    }
    return true;
}

/* candidates and their indices, and three numbers per row -> one index per row */
static bool shard_call_sampling(tsr_rule_build *b)
{
    if (!has_form(b, 5, 1) || tsr_build_rank(b, 0) != 2)
        return false;
    int64_t rows = tsr_rule_size(b, 0, 0), candidates = tsr_rule_size(b, 0, 1);
    for (uint32_t t = 1; t < 6; t++)
        if (tsr_build_rank(b, t) != (t == 1 ? 2 : 1) || tsr_rule_size(b, t, 0) != rows ||
            (t == 1 && tsr_rule_size(b, t, 1) != candidates))
            return false;
    tsr_rule_add_all(b, 0, rows, TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put_range(b, tsr_rule_factor(b, candidates, TSR_FACTOR_NEED_REPLICATION, false), 0, 2,
                       1);
    return true;
}

static const struct {
    tsr_str name;
    shard_fn *hook;
    const char *layout; /* used if there is no hook */
} targets[] = {
#define TARGET(name, fn) {{name, sizeof name - 1}, shard_call_##fn, NULL},
#define LAYOUT(name, text) {{name, sizeof name - 1}, NULL, text},
#include "shard/rule/targets.def"
};

/* The number of leading batch dimensions of all operands and results, as JAX passes it to GSPMD; -1: not given. */
static int64_t batch_dims(const tsr_op *op)
{
    const tsr_attr *all =
        op->extra ? tsr_dict_get(op->extra, TSR_STR("mhlo.frontend_attributes")) : NULL;
    const tsr_attr *n =
        tsr_attr_is(all, TSR_ATTR_DICT) ? tsr_dict_get(all, TSR_STR("num_batch_dims")) : NULL;
    if (!tsr_attr_is(n, TSR_ATTR_STRING) || n->s.len != 1 || n->s.data[0] < '0' ||
        n->s.data[0] > '9')
        return -1;
    return n->s.data[0] - '0';
}

/* Batch dimensions pass through; all others are whole. */
static bool batched(tsr_rule_build *b, int64_t n)
{
    uint32_t count = b->op->nin + b->op->nout;
    for (uint32_t t = 0; t < count; t++)
        for (int64_t d = 0; d < n; d++)
            if (tsr_build_rank(b, t) < n || tsr_rule_size(b, t, d) != tsr_rule_size(b, 0, d))
                return false;
    if (!count)
        return false;
    tsr_rule_add_batch(b, 0, (uint32_t)n);
    for (uint32_t t = 0; t < count; t++)
        for (int64_t d = n; d < tsr_build_rank(b, t); d++)
            tsr_rule_put(
                b, tsr_rule_factor(b, tsr_rule_size(b, t, d), TSR_FACTOR_NEED_REPLICATION, true), t,
                d);
    return true;
}

bool shard_custom_call(tsr_rule_build *b)
{
    tsr_str name = tsr_attr_of(b->op, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
    bool known = false;
    for (size_t i = 0; i < TSR_COUNT(targets); i++) {
        if (!tsr_str_eq(targets[i].name, name))
            continue;
        if (targets[i].hook)
            return targets[i].hook(b);
        if (tsr_rule_layout(b, targets[i].layout))
            return true;
        known = true;
    }
    int64_t batches = batch_dims(b->op);
    if (batches >= 0 && batched(b, batches))
        return true;
    if (known)
        return false;
    tsr_rule_unknown(b->op, TSR_SAID_UNKNOWN_TARGET,
                     "custom call @%.*s is unknown to SDY sharding rule registry",
                     TSR_STR_ARG(name));
    return false;
}
