/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.c - sharding rules of Graph IR's ops. */
#include "dialect/tessera/tessera.h"
#include "shard/rule/build.h"

/* The dimension of tensor t, not counting its last skip ones, that corresponds to dimension d of the result;
 * TSR_NO_DIM: none, or it is broadcast along it. */
static int64_t right(const tsr_rule_build *b, uint32_t t, int64_t d, int64_t rank, int64_t skip,
                     int64_t size)
{
    int64_t at = d - rank + (int64_t)tsr_build_rank(b, t) - skip;
    return at < 0 || tsr_rule_size(b, t, at) != size ? TSR_NO_DIM : at;
}

/* A factor for each of the first rank dimensions of the result, on operands whose dimensions, except the last skip, are
 * aligned at the end. */
static void leading(tsr_rule_build *b, int64_t rank, int64_t skip)
{
    uint32_t out = tsr_build_result(b, 0);
    for (int64_t d = 0; d < rank; d++) {
        int64_t size = tsr_rule_size(b, out, d);
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        for (uint32_t t = 0; t < b->op->nin; t++)
            tsr_rule_put(b, f, t, right(b, t, d, rank, skip, size));
        tsr_rule_put(b, f, out, d);
    }
}

bool shard_tessera_broadcast(tsr_rule_build *b)
{
    leading(b, tsr_build_rank(b, tsr_build_result(b, 0)), 0);
    return true;
}

bool shard_tessera_transpose(tsr_rule_build *b)
{
    uint32_t rank = tsr_build_rank(b, 0);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t from = tsr_tessera_perm(b->op, rank, i);
        tsr_rule_add3(b, from, TSR_NO_DIM, i, tsr_rule_size(b, 0, from), TSR_FACTOR_PASS_THROUGH,
                      false);
    }
    return true;
}

/* Only sums can be computed from partial sums. */
bool shard_tessera_reduce(tsr_rule_build *b)
{
    bool sum = tsr_tessera_kind_of(tsr_attr_of(b->op, TESSERA_REDUCE_kind)) == TSR_TESSERA_SUM;
    bool keep = tsr_tessera_flag(b->op, TESSERA_REDUCE_keep_dims);
    uint32_t rank = tsr_build_rank(b, 0);
    int64_t out = 0;
    for (uint32_t i = 0; i < rank; i++) {
        bool gone = tsr_tessera_reduces(b->op, rank, i);
        tsr_factor_kind kind = !gone ? TSR_FACTOR_PASS_THROUGH
                               : sum ? TSR_FACTOR_REDUCTION
                                     : TSR_FACTOR_NEED_REPLICATION;
        tsr_rule_add3(b, i, TSR_NO_DIM, gone ? TSR_NO_DIM : out, tsr_rule_size(b, 0, i), kind,
                      false);
        out += !gone || keep;
    }
    return true;
}

bool shard_tessera_matmul(tsr_rule_build *b)
{
    int64_t l = tsr_build_rank(b, 0), r = tsr_build_rank(b, 1),
            n = tsr_build_rank(b, tsr_build_result(b, 0));
    bool transposed = tsr_tessera_flag(b->op, TESSERA_MATMUL_rhs_transpose);
    if (l < 2 || r < 2 || n < 2)
        return false;
    leading(b, n - 2, 2);
    tsr_rule_add3(b, l - 2, TSR_NO_DIM, n - 2, tsr_rule_size(b, 0, l - 2), TSR_FACTOR_PASS_THROUGH,
                  false);
    int64_t cols = r - (transposed ? 2 : 1), inner = r - (transposed ? 1 : 2);
    tsr_rule_add3(b, TSR_NO_DIM, cols, n - 1, tsr_rule_size(b, 1, cols), TSR_FACTOR_PASS_THROUGH,
                  false);
    tsr_rule_add3(b, l - 1, inner, TSR_NO_DIM, tsr_rule_size(b, 0, l - 1), TSR_FACTOR_REDUCTION,
                  false);
    return true;
}

/* All dimensions pass through, except one that must be whole. */
static void whole_along(tsr_rule_build *b, int64_t dim)
{
    uint32_t out = tsr_build_result(b, 0);
    int64_t rank = tsr_build_rank(b, out);
    for (int64_t d = 0; d < rank; d++) {
        int64_t size = tsr_rule_size(b, out, d);
        uint32_t f = tsr_rule_factor(
            b, size, d == dim ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, false);
        for (uint32_t t = 0; t < b->op->nin; t++)
            tsr_rule_put(b, f, t, right(b, t, d, rank, 0, size));
        tsr_rule_put(b, f, out, d);
    }
}

bool shard_tessera_softmax(tsr_rule_build *b)
{
    whole_along(b, tsr_tessera_axis(tsr_tessera_int(b->op, TESSERA_SOFTMAX_axis, -1),
                                    tsr_build_rank(b, 0)));
    return true;
}

bool shard_tessera_norm(tsr_rule_build *b)
{
    whole_along(b, (int64_t)tsr_build_rank(b, 0) - 1);
    return true;
}

/* Keys and the dimension that scores sum over must be whole; so must queries whose visible keys depend on their
 * index. */
bool shard_tessera_attention(tsr_rule_build *b)
{
    uint32_t out = tsr_build_result(b, 0);
    int64_t n = tsr_build_rank(b, out);
    bool causal = tsr_tessera_flag(b->op, TESSERA_FLASH_ATTENTION_causal);
    if (n < 2 || b->op->nin < 3)
        return false;
    leading(b, n - 2, 2);
    int64_t nq = tsr_rule_size(b, 0, n - 2), nk = tsr_rule_size(b, 1, n - 2);
    uint32_t f = tsr_rule_factor(
        b, nq, causal ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put(b, f, 0, n - 2);
    tsr_rule_put(b, f, out, n - 2);
    for (uint32_t i = 3; i < b->op->nin; i++) {
        int64_t rows = (int64_t)tsr_build_rank(b, i) - 2;
        if (rows >= 0 && tsr_rule_size(b, i, rows) == nq)
            tsr_rule_put(b, f, i, rows);
    }
    f = tsr_rule_factor(b, nk, TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put(b, f, 1, n - 2);
    tsr_rule_put(b, f, 2, n - 2);
    for (uint32_t i = 3; i < b->op->nin; i++) {
        int64_t last = (int64_t)tsr_build_rank(b, i) - 1;
        if (last >= 0 && tsr_rule_size(b, i, last) == nk)
            tsr_rule_put(b, f, i, last);
    }
    f = tsr_rule_factor(b, tsr_rule_size(b, 0, n - 1), TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put(b, f, 0, n - 1);
    tsr_rule_put(b, f, 1, n - 1);
    f = tsr_rule_factor(b, tsr_rule_size(b, 2, n - 1), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put(b, f, 2, n - 1);
    tsr_rule_put(b, f, out, n - 1);
    return true;
}

/* Pairs may be anywhere in the last dimension. */
bool shard_tessera_rotary(tsr_rule_build *b)
{
    whole_along(b, (int64_t)tsr_build_rank(b, 0) - 1);
    return true;
}

bool shard_tessera_embedding(tsr_rule_build *b)
{
    int64_t n = tsr_build_rank(b, 1);
    for (int64_t i = 0; i < n; i++)
        tsr_rule_add3(b, TSR_NO_DIM, i, i, tsr_rule_size(b, 1, i), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_add3(b, 0, TSR_NO_DIM, TSR_NO_DIM, tsr_rule_size(b, 0, 0), TSR_FACTOR_NEED_REPLICATION,
                  false);
    for (int64_t i = 1; i < tsr_build_rank(b, 0); i++)
        tsr_rule_add3(b, i, TSR_NO_DIM, n + i - 1, tsr_rule_size(b, 0, i), TSR_FACTOR_PASS_THROUGH,
                      false);
    return true;
}
