/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - EXEC hooks of Graph IR: elementwise ops that broadcast and promote, shapes, reductions, layers. As in the
 * reference, layers are computed in f32 or f64 and rounded once. */
#include <math.h>

#include "dialect/tessera/tessera.h"
#include "eval/kernel/ttir/ttir.h"
#include "exec/compile/value.h"

/* Operand i in the float type that layers are computed in. */
static tsr_xid working(tsr_xbuilder *b, const tsr_op *op, uint32_t i)
{
    tsr_xid x = tsr_x_in(b, op, i);
    return tsr_x_as(b, op, x, tsr_x_working(tsr_xdtype_of(b, x)));
}

/* ---- Elementwise ---- */

bool exec_tessera_binary(tsr_xbuilder *b, tsr_op *op)
{
    tsr_dtype d = tsr_dtype_of(op->out[0].type->elem);
    uint8_t tile = tsr_x_tile_of(op);
    tsr_xid x = tsr_x_as(b, op, tsr_x_in(b, op, 0), d), y = tsr_x_as(b, op, tsr_x_in(b, op, 1), d);
    return tile && tsr_x_give(b, op, 0, tsr_x_apply2(b, op, tile - 1, x, y)) &&
           tsr_x_count_zeros(b, op);
}

bool exec_tessera_unary(tsr_xbuilder *b, tsr_op *op)
{
    uint8_t tile = tsr_x_tile_of(op);
    return tile && tsr_x_give(b, op, 0, tsr_x_apply1(b, op, tile - 1, tsr_x_in(b, op, 0)));
}

bool exec_tessera_relu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(
        b, op, 0,
        tsr_x_apply2(b, op, TSR_TILE_maximum, x, tsr_x_integer(b, op, tsr_xdtype_of(b, x), 0)));
}

bool exec_tessera_silu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(
        b, op, 0,
        tsr_x_apply2(b, op, TSR_TILE_multiply, x, tsr_x_apply1(b, op, TSR_TILE_logistic, x)));
}

bool exec_tessera_gelu(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_give(b, op, 0, tsr_x_gelu(b, op, working(b, op, 0), tsr_tessera_gelu_tanh(op)));
}

/* ---- Shapes ---- */

/* A cast, or the same elements in another shape. */
bool exec_tessera_reshape(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_give(b, op, 0, tsr_x_in(b, op, 0));
}

bool exec_tessera_transpose(tsr_xbuilder *b, tsr_op *op)
{
    size_t rank = tsr_xvalue_at(b, tsr_x_in(b, op, 0))->rank;
    int64_t order[TSR_VIEW_RANK];
    bool seen[TSR_VIEW_RANK] = {false};
    if (rank > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < rank; i++) {
        order[i] = tsr_tessera_perm(op, rank, i);
        if (order[i] < 0 || order[i] >= (int64_t)rank || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    return tsr_x_give(b, op, 0, tsr_x_permuted(b, op, tsr_x_in(b, op, 0), order));
}

bool exec_tessera_broadcast(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    return tsr_x_give(b, op, 0, tsr_x_spread(b, op, tsr_x_in(b, op, 0), type->dims, type->n));
}

/* Integers wrap; means of integers divide by a count that may be 0, and run on the evaluator. */
bool exec_tessera_reduce(tsr_xbuilder *b, tsr_op *op)
{
    static const tsr_fold_op folds[] = {[TSR_TESSERA_SUM] = TSR_FOLD_SUM,
                                        [TSR_TESSERA_MEAN] = TSR_FOLD_SUM,
                                        [TSR_TESSERA_MAX] = TSR_FOLD_MAX,
                                        [TSR_TESSERA_MIN] = TSR_FOLD_MIN,
                                        [TSR_TESSERA_PROD] = TSR_FOLD_PRODUCT};
    tsr_tessera_kind kind = tsr_tessera_kind_of(op->attrs[TESSERA_REDUCE_kind]);
    tsr_xid x = tsr_x_in(b, op, 0);
    size_t rank = tsr_xvalue_at(b, x)->rank;
    bool gone[TSR_MAX_RANK], mean = kind == TSR_TESSERA_MEAN;
    tsr_dtype d = tsr_xdtype_of(b, x);
    double count = 1;
    if (!tsr_dtype_is_float(d) && (mean || d == TSR_D_I1 || (size_t)kind >= TSR_COUNT(folds)))
        return false;
    for (size_t i = 0; i < rank; i++) {
        gone[i] = tsr_tessera_reduces(op, rank, i);
        count *= gone[i] ? (double)tsr_xvalue_at(b, x)->dims[i] : 1;
    }
    if (tsr_dtype_is_float(d))
        x = working(b, op, 0);
    x = x == TSR_XNONE
            ? x
            : tsr_x_folded(b, op, x, gone, tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims),
                           folds[kind], tsr_xdtype_of(b, x));
    return tsr_x_give(b, op, 0, mean ? tsr_x_with(b, op, TSR_TILE_divide, x, count) : x);
}

/* ---- Layers ---- */

bool exec_tessera_softmax(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op, 0);
    bool gone[TSR_MAX_RANK] = {false};
    size_t rank = x == TSR_XNONE ? 0 : tsr_xvalue_at(b, x)->rank;
    int64_t axis = tsr_tessera_axis(tsr_tessera_int(op, TESSERA_SOFTMAX_axis, -1), rank);
    if (axis < 0)
        return false;
    gone[axis] = true;
    return tsr_x_give(b, op, 0, tsr_x_softmax(b, op, x, gone));
}

static bool norm(tsr_xbuilder *b, tsr_op *op, bool centred)
{
    tsr_xid x = working(b, op, 0);
    bool gone[TSR_MAX_RANK] = {false};
    size_t rank = x == TSR_XNONE ? 0 : tsr_xvalue_at(b, x)->rank;
    if (!rank)
        return false;
    gone[rank - 1] = true;
    x = tsr_x_normalized(b, op, x, gone, tsr_tessera_eps(op), centred);
    static const uint8_t tiles[] = {TSR_TILE_multiply, TSR_TILE_add};
    for (uint32_t i = 1; i < op->nin && i < 3; i++)
        x = tsr_x_apply2(b, op, tiles[i - 1], x, tsr_x_like(b, op, tsr_x_in(b, op, i), x));
    return tsr_x_give(b, op, 0, x);
}

bool exec_tessera_layer_norm(tsr_xbuilder *b, tsr_op *op)
{
    return norm(b, op, true);
}

bool exec_tessera_rms_norm(tsr_xbuilder *b, tsr_op *op)
{
    return norm(b, op, false);
}

bool exec_tessera_embedding(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_give(b, op, 0, tsr_x_rows(b, op, tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)));
}

/* A mask of the scores that a query does not see because their keys come after it. */
static tsr_xid after(tsr_xbuilder *b, const tsr_op *op, const tsr_xvalue *s)
{
    size_t rank = s->rank;
    tsr_xid i = tsr_x_count(b, op, s->dims, rank, rank - 2),
            j = tsr_x_count(b, op, s->dims, rank, rank - 1);
    int64_t more = s->dims[rank - 1] - s->dims[rank - 2];
    i = tsr_x_apply2(b, op, TSR_TILE_add, i, tsr_x_integer(b, op, TSR_D_I64, more));
    return tsr_x_compare(b, op, TSR_TILE_compare_gt, j, i);
}

/* Applies all masks to the scores, in order. */
static tsr_xid masked(tsr_xbuilder *b, const tsr_op *op, tsr_xid s)
{
    tsr_xvalue x = *tsr_xvalue_at(b, s);
    tsr_xid fill =
        tsr_x_number(b, op, (tsr_dtype)x.dtype,
                     tsr_tessera_number(op->attrs[TESSERA_FLASH_ATTENTION_fill], -INFINITY));
    for (uint32_t i = 3; i < op->nin; i++) {
        tsr_xid mask = tsr_x_in(b, op, i);
        if (tsr_xdtype_of(b, mask) == TSR_D_I1)
            s = tsr_x_select(b, op, tsr_x_spread(b, op, mask, x.dims, x.rank), s, fill);
        else
            s = tsr_x_apply2(b, op, TSR_TILE_add, s, tsr_x_like(b, op, mask, s));
    }
    return tsr_tessera_flag(op, TESSERA_FLASH_ATTENTION_causal)
               ? tsr_x_select(b, op, after(b, op, &x), fill, s)
               : s;
}

/* Softmax of the last dimension; a query that sees no key has results 0. */
static tsr_xid safe_softmax(tsr_xbuilder *b, const tsr_op *op, tsr_xid s)
{
    if (s == TSR_XNONE)
        return s;
    bool gone[TSR_MAX_RANK] = {false};
    tsr_dtype d = tsr_xdtype_of(b, s);
    gone[tsr_xvalue_at(b, s)->rank - 1] = true;
    if (!tsr_tessera_safe(op))
        return tsr_x_softmax(b, op, s, gone);
    tsr_xid most = tsr_x_folded(b, op, s, gone, true, TSR_FOLD_MAX, d),
            zero = tsr_x_number(b, op, d, 0);
    tsr_xid none =
        tsr_x_compare(b, op, TSR_TILE_compare_eq, most, tsr_x_number(b, op, d, -INFINITY));
    most = tsr_x_select(b, op, none, zero, most);
    tsr_xid e =
        tsr_x_apply1(b, op, TSR_TILE_exponential, tsr_x_apply2(b, op, TSR_TILE_subtract, s, most));
    tsr_xid sum = tsr_x_folded(b, op, e, gone, true, TSR_FOLD_SUM, d);
    sum = tsr_x_select(b, op, none, tsr_x_number(b, op, d, 1), sum);
    return tsr_x_apply2(b, op, TSR_TILE_divide, e, sum);
}

bool exec_tessera_attention(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in[3];
    tsr_dtype d = TSR_D_NONE;
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = tsr_x_in(b, op, i);
        d = i ? tsr_tt_promote(d, tsr_xdtype_of(b, in[i])) : tsr_xdtype_of(b, in[i]);
    }
    tsr_xvalue q = *tsr_xvalue_at(b, in[0]);
    if (!tsr_dtype_is_float(d) || q.rank < 2 || tsr_xvalue_at(b, in[1])->rank != q.rank ||
        tsr_xvalue_at(b, in[2])->rank != q.rank)
        return false;
    tsr_dtype wide = tsr_x_working(d);
    double scale = tsr_tessera_number(op->attrs[TESSERA_FLASH_ATTENTION_scale],
                                      1 / sqrt((double)q.dims[q.rank - 1u]));
    tsr_xid s = tsr_x_matmul(b, op, tsr_x_as(b, op, in[0], d), tsr_x_as(b, op, in[1], d), false,
                             true, wide);
    s = tsr_x_with(b, op, TSR_TILE_multiply, s, scale);
    if (s == TSR_XNONE)
        return false;
    tsr_xid p = safe_softmax(b, op, masked(b, op, s));
    return tsr_x_give(b, op, 0,
                      tsr_x_matmul(b, op, p, tsr_x_as(b, op, in[2], wide), false, false, wide));
}

/* The first or second elements of all pairs: every second element, or one half of the last dimension. */
static tsr_xid half(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int which, bool interleaved)
{
    if (v == TSR_XNONE)
        return v;
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    int64_t begin[TSR_VIEW_RANK] = {0}, step[TSR_VIEW_RANK], dims[TSR_VIEW_RANK], h;
    if (!x.rank || x.rank > TSR_VIEW_RANK)
        return TSR_XNONE;
    for (uint8_t i = 0; i < x.rank; i++) {
        dims[i] = x.dims[i];
        step[i] = 1;
    }
    h = dims[x.rank - 1u] /= 2;
    begin[x.rank - 1u] = interleaved ? which : which * h;
    step[x.rank - 1u] = interleaved ? 2 : 1;
    return tsr_x_sliced(b, op, v, begin, step, dims);
}

bool exec_tessera_rotary(tsr_xbuilder *b, tsr_op *op)
{
    bool interleaved = tsr_tessera_flag(op, TESSERA_ROTARY_interleaved);
    tsr_xid x = working(b, op, 0), rotation[2][2], pair[2], out[2];
    if (x == TSR_XNONE)
        return false;
    tsr_xvalue of = *tsr_xvalue_at(b, x);
    int64_t n = of.rank ? of.dims[of.rank - 1u] : 1, dims[TSR_VIEW_RANK], dim;
    if (n % 2 || !of.rank || of.rank + 1 > TSR_VIEW_RANK)
        return false;
    for (int p = 0; p < 2; p++)
        pair[p] = half(b, op, x, p, interleaved);
    for (uint32_t k = 0; k < 2; k++) {
        tsr_xid a = tsr_x_as(b, op, tsr_x_in(b, op, k + 1), (tsr_dtype)of.dtype);
        const tsr_xvalue *y = a == TSR_XNONE ? NULL : tsr_xvalue_at(b, a);
        bool whole = y && y->rank && y->dims[y->rank - 1u] == n;
        for (int p = 0; p < 2; p++)
            rotation[k][p] = whole ? half(b, op, a, p, interleaved) : a;
    }
    for (int p = 0; p < 2; p++)
        out[p] = tsr_x_apply2(b, op, p ? TSR_TILE_add : TSR_TILE_subtract,
                              tsr_x_apply2(b, op, TSR_TILE_multiply, pair[p], rotation[0][p]),
                              tsr_x_apply2(b, op, TSR_TILE_multiply, pair[!p], rotation[1][p]));
    /* Adjacent pairs: one more dimension, of size 2. */
    memcpy(dims, of.dims, of.rank * sizeof *dims);
    dims[of.rank - 1u] = n / 2;
    dims[of.rank] = 1;
    for (int p = 0; p < 2 && interleaved; p++)
        out[p] = tsr_x_reshaped(b, op, out[p], dims, of.rank + 1u);
    dims[of.rank] = 2;
    dim = of.rank - !interleaved;
    return tsr_x_give(b, op, 0,
                      tsr_x_moved(b, op, TSR_MOVE_CONCATENATE, out, 2, &dim, 1,
                                  interleaved ? dims : of.dims, of.rank + (interleaved ? 1u : 0u)));
}
