/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.c - EXEC hooks of TTIR's elementwise ops, reductions and norms.
 *
 * As in the reference (eval/kernel/ttir), operands are converted to one type, and results to the type of the op.
 * Functions that only TTIR has are computed in f32, or in f64 if operands are f64. */
#include "dialect/kinds.h"
#include "dialect/params.h"
#include "dialect/ttir/shape.h"
#include "eval/kernel/ttir/ttir.h"
#include "exec/compile/value.h"

static tsr_xid in_as(tsr_xbuilder *b, const tsr_op *op, uint32_t i, tsr_dtype d)
{
    return tsr_x_as(b, op, tsr_x_in(b, op, i), d);
}

/* Operand 0 in the float type that functions are computed in. */
static tsr_xid working(tsr_xbuilder *b, const tsr_op *op)
{
    return in_as(b, op, 0, tsr_x_working(tsr_xdtype_of(b, tsr_x_in(b, op, 0))));
}

/* Sets the result to a function of operand 0, rounded to the operand's type before it is converted. */
static bool give_function(tsr_xbuilder *b, tsr_op *op, tsr_xid y)
{
    tsr_dtype d = tsr_xdtype_of(b, tsr_x_in(b, op, 0));
    return tsr_x_give(b, op, 0, tsr_dtype_is_float(d) ? tsr_x_as(b, op, y, d) : y);
}

/* ---- Ops that StableHLO has, too ---- */

bool exec_ttir_unary(tsr_xbuilder *b, tsr_op *op)
{
    uint8_t tile = tsr_x_tile_of(op);
    return tile && tsr_x_give(b, op, 0, tsr_x_apply1(b, op, tile - 1, tsr_x_in(b, op, 0)));
}

/* Both operands in their common type. */
static void both(tsr_xbuilder *b, const tsr_op *op, tsr_xid *out)
{
    tsr_dtype d =
        tsr_tt_promote(tsr_xdtype_of(b, tsr_x_in(b, op, 0)), tsr_xdtype_of(b, tsr_x_in(b, op, 1)));
    out[0] = in_as(b, op, 0, d);
    out[1] = in_as(b, op, 1, d);
}

bool exec_ttir_binary(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in[2];
    uint8_t tile = tsr_x_tile_of(op);
    both(b, op, in);
    if (!tile-- || in[0] == TSR_XNONE)
        return false;
    if (tile == TSR_TILE_shift_right_arithmetic &&
        tsr_dtype_kind(tsr_xdtype_of(b, in[0])) != TSR_K_SINT)
        tile = TSR_TILE_shift_right_logical;
    return tsr_x_give(b, op, 0, tsr_x_apply2(b, op, tile, in[0], in[1])) &&
           tsr_x_count_zeros(b, op);
}

bool exec_ttir_compare(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in[2];
    both(b, op, in);
    return tsr_x_give(b, op, 0, tsr_x_compare(b, op, tsr_x_tile_of(op) - 1, in[0], in[1]));
}

bool exec_ttir_logical(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_give(b, op, 0,
                      tsr_x_apply2(b, op, tsr_x_tile_of(op) - 1, in_as(b, op, 0, TSR_D_I1),
                                   in_as(b, op, 1, TSR_D_I1)));
}

bool exec_ttir_where(tsr_xbuilder *b, tsr_op *op)
{
    tsr_dtype d =
        tsr_tt_promote(tsr_xdtype_of(b, tsr_x_in(b, op, 1)), tsr_xdtype_of(b, tsr_x_in(b, op, 2)));
    return tsr_x_give(
        b, op, 0,
        tsr_x_select(b, op, in_as(b, op, 0, TSR_D_I1), in_as(b, op, 1, d), in_as(b, op, 2, d)));
}

bool exec_ttir_clamp_tensor(tsr_xbuilder *b, tsr_op *op)
{
    tsr_dtype d = tsr_xdtype_of(b, tsr_x_in(b, op, 0));
    for (uint32_t i = 1; i < 3; i++)
        d = tsr_tt_promote(d, tsr_xdtype_of(b, tsr_x_in(b, op, i)));
    tsr_xid x = tsr_x_apply2(b, op, TSR_TILE_maximum, in_as(b, op, 0, d), in_as(b, op, 1, d));
    return tsr_x_give(b, op, 0, tsr_x_apply2(b, op, TSR_TILE_minimum, x, in_as(b, op, 2, d)));
}

/* Conversions; layouts do not affect values. */
bool exec_ttir_typecast(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->nout == 1 ? op->out[0].type : NULL;
    return type && tt_same_shape(type, op->in[0].value->type) &&
           tsr_x_give(b, op, 0, tsr_x_in(b, op, 0));
}

/* ---- Predicates ---- */

bool exec_ttir_isfinite(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_dtype_is_float(tsr_xdtype_of(b, x)) &&
           tsr_x_give(b, op, 0, tsr_x_apply(b, op, TSR_TILE_is_finite, TSR_D_I1, &x, 1));
}

bool exec_ttir_logical_not(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(
        b, op, 0,
        tsr_x_compare(b, op, TSR_TILE_compare_eq, x, tsr_x_integer(b, op, tsr_xdtype_of(b, x), 0)));
}

/* ---- Functions that only TTIR has ---- */

bool exec_ttir_gelu(tsr_xbuilder *b, tsr_op *op)
{
    return give_function(b, op, tsr_x_gelu(b, op, working(b, op), false));
}

bool exec_ttir_silu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    return give_function(
        b, op,
        tsr_x_apply2(b, op, TSR_TILE_multiply, x, tsr_x_apply1(b, op, TSR_TILE_logistic, x)));
}

bool exec_ttir_mish(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_xid soft =
        tsr_x_apply1(b, op, TSR_TILE_log_plus_one, tsr_x_apply1(b, op, TSR_TILE_exponential, x));
    return give_function(
        b, op, tsr_x_apply2(b, op, TSR_TILE_multiply, x, tsr_x_apply1(b, op, TSR_TILE_tanh, soft)));
}

/* x clamped to two bounds, in x's own type; NaN stays. If bounds cross, the upper one wins. */
static tsr_xid between(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, tsr_xid low, tsr_xid high)
{
    x = tsr_x_apply2(b, op, TSR_TILE_maximum, x, low);
    return high == TSR_XNONE ? x : tsr_x_apply2(b, op, TSR_TILE_minimum, x, high);
}

bool exec_ttir_relu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(b, op, 0,
                      between(b, op, x, tsr_x_integer(b, op, tsr_xdtype_of(b, x), 0), TSR_XNONE));
}

bool exec_ttir_relu6(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    tsr_dtype d = tsr_xdtype_of(b, x);
    /* The narrowest integers cannot represent 6. */
    if (tsr_dtype_bits(d) < 8)
        return false;
    return tsr_x_give(b, op, 0,
                      between(b, op, x, tsr_x_integer(b, op, d, 0), tsr_x_integer(b, op, d, 6)));
}

bool exec_ttir_hardsigmoid(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_dtype d = x == TSR_XNONE ? TSR_D_F32 : tsr_xdtype_of(b, x);
    x = tsr_x_with(b, op, TSR_TILE_add, tsr_x_with(b, op, TSR_TILE_divide, x, 6), 0.5);
    return give_function(b, op,
                         between(b, op, x, tsr_x_number(b, op, d, 0), tsr_x_number(b, op, d, 1)));
}

bool exec_ttir_softsign(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_xid by = tsr_x_with(b, op, TSR_TILE_add, tsr_x_apply1(b, op, TSR_TILE_abs, x), 1);
    tsr_xid finite = tsr_x_apply(b, op, TSR_TILE_is_finite, TSR_D_I1, &x, 1);
    return give_function(b, op,
                         tsr_x_select(b, op, finite, tsr_x_apply2(b, op, TSR_TILE_divide, x, by),
                                      tsr_x_apply1(b, op, TSR_TILE_sign, x)));
}

bool exec_ttir_reciprocal(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_dtype d = x == TSR_XNONE ? TSR_D_F32 : tsr_xdtype_of(b, x);
    return give_function(b, op, tsr_x_apply2(b, op, TSR_TILE_divide, tsr_x_number(b, op, d, 1), x));
}

/* Rounds toward zero. Integers are left to the reference. */
static tsr_xid truncated(tsr_xbuilder *b, const tsr_op *op, tsr_xid x)
{
    if (!tsr_dtype_is_float(tsr_xdtype_of(b, x)))
        return TSR_XNONE;
    tsr_xid below =
        tsr_x_compare(b, op, TSR_TILE_compare_lt, x, tsr_x_number(b, op, tsr_xdtype_of(b, x), 0));
    return tsr_x_select(b, op, below, tsr_x_apply1(b, op, TSR_TILE_ceil, x),
                        tsr_x_apply1(b, op, TSR_TILE_floor, x));
}

bool exec_ttir_trunc(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_give(b, op, 0, truncated(b, op, tsr_x_in(b, op, 0)));
}

bool exec_ttir_frac(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(b, op, 0, tsr_x_apply2(b, op, TSR_TILE_subtract, x, truncated(b, op, x)));
}

bool exec_ttir_leaky_relu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_xid slope =
        tsr_x_with(b, op, TSR_TILE_multiply, x, tt_float(op, TTIR_LEAKY_RELU_parameter, 0));
    tsr_xid zero = tsr_x_number(b, op, x == TSR_XNONE ? TSR_D_F32 : tsr_xdtype_of(b, x), 0);
    return give_function(
        b, op, tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_lt, x, zero), slope, x));
}

bool exec_ttir_selu(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    tsr_xid low =
        tsr_x_with(b, op, TSR_TILE_multiply, tsr_x_apply1(b, op, TSR_TILE_exponential_minus_one, x),
                   tt_float(op, TTIR_SELU_alpha, 1));
    tsr_xid zero = tsr_x_number(b, op, x == TSR_XNONE ? TSR_D_F32 : tsr_xdtype_of(b, x), 0);
    tsr_xid y = tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_gt, x, zero), x, low);
    return give_function(b, op,
                         tsr_x_with(b, op, TSR_TILE_multiply, y, tt_float(op, TTIR_SELU_scale, 1)));
}

/* Bounds of integers are integers, those of floats any numbers. */
bool exec_ttir_clamp_scalar(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    if (!tsr_dtype_is_float(tsr_xdtype_of(b, x)))
        return false;
    tsr_dtype d = tsr_x_working(tsr_xdtype_of(b, x));
    return give_function(b, op,
                         between(b, op, tsr_x_as(b, op, x, d),
                                 tsr_x_number(b, op, d, tt_float(op, TTIR_CLAMP_SCALAR_min, 0)),
                                 tsr_x_number(b, op, d, tt_float(op, TTIR_CLAMP_SCALAR_max, 0))));
}

/* ---- Reductions ---- */

/* Reduces x, operand 0 in some type, to elements of type to. */
static tsr_xid reduce(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, tsr_fold_op fold, tsr_dtype to)
{
    bool gone[TSR_MAX_RANK];
    tsr_reduce_dims how;
    size_t rank = x == TSR_XNONE ? 0 : tsr_xvalue_at(b, x)->rank;
    if (x == TSR_XNONE || !tsr_reduce_dims_of(op, &how))
        return TSR_XNONE;
    for (size_t i = 0; i < rank; i++)
        gone[i] = how.all;
    for (size_t i = 0; !how.all && i < how.dims.n; i++) {
        size_t d;
        if (!tt_dim(tsr_ints_at(how.dims, i), rank, &d) || gone[d])
            return TSR_XNONE;
        gone[d] = true;
    }
    return tsr_x_folded(b, op, x, gone, how.keep, fold, to);
}

/* Integers are summed in 64 bits, narrow floats in f32. */
static bool arithmetic(tsr_xbuilder *b, tsr_op *op, tsr_fold_op fold)
{
    tsr_dtype d = tsr_tt_sum(tsr_xdtype_of(b, tsr_x_in(b, op, 0)));
    return tsr_x_give(b, op, 0, reduce(b, op, in_as(b, op, 0, d), fold, d));
}

bool exec_ttir_sum(tsr_xbuilder *b, tsr_op *op)
{
    return arithmetic(b, op, TSR_FOLD_SUM);
}

bool exec_ttir_prod(tsr_xbuilder *b, tsr_op *op)
{
    return arithmetic(b, op, TSR_FOLD_PRODUCT);
}

bool exec_ttir_mean(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = working(b, op);
    if (x == TSR_XNONE)
        return false;
    tsr_xid sum = reduce(b, op, x, TSR_FOLD_SUM, tsr_xdtype_of(b, x));
    if (sum == TSR_XNONE)
        return false;
    double count = (double)tsr_xvalue_at(b, x)->n / (double)tsr_xvalue_at(b, sum)->n;
    return tsr_x_give(b, op, 0, tsr_x_with(b, op, TSR_TILE_divide, sum, count));
}

static bool ordered(tsr_xbuilder *b, tsr_op *op, tsr_fold_op fold)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    return tsr_x_give(b, op, 0, reduce(b, op, x, fold, tsr_xdtype_of(b, x)));
}

bool exec_ttir_max(tsr_xbuilder *b, tsr_op *op)
{
    return ordered(b, op, TSR_FOLD_MAX);
}

bool exec_ttir_min(tsr_xbuilder *b, tsr_op *op)
{
    return ordered(b, op, TSR_FOLD_MIN);
}

/* Elements other than 0 are true. */
static bool logical(tsr_xbuilder *b, tsr_op *op, tsr_fold_op fold)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    if (tsr_xdtype_of(b, x) != TSR_D_I1)
        x = tsr_x_compare(b, op, TSR_TILE_compare_ne, x,
                          tsr_x_integer(b, op, tsr_xdtype_of(b, x), 0));
    return tsr_x_give(b, op, 0, reduce(b, op, x, fold, TSR_D_I1));
}

bool exec_ttir_reduce_and(tsr_xbuilder *b, tsr_op *op)
{
    return logical(b, op, TSR_FOLD_AND);
}

bool exec_ttir_reduce_or(tsr_xbuilder *b, tsr_op *op)
{
    return logical(b, op, TSR_FOLD_OR);
}

/* Along one dimension, or over all elements in order. */
bool exec_ttir_argmax(tsr_xbuilder *b, tsr_op *op)
{
    tsr_reduce_dims how;
    tsr_xid x = tsr_x_in(b, op, 0), best;
    tsr_xvalue of = *tsr_xvalue_at(b, x);
    size_t d = 0;
    if (!tsr_reduce_dims_of(op, &how) || of.n <= 0 || of.rank > TSR_VIEW_RANK ||
        (!how.all && (how.dims.n != 1 || !tt_dim(tsr_ints_at(how.dims, 0), of.rank, &d))))
        return false;
    if (how.all)
        x = tsr_x_reshaped(b, op, x, &of.n, 1);
    tsr_xid places =
        how.all ? tsr_x_count(b, op, &of.n, 1, 0) : tsr_x_count(b, op, of.dims, of.rank, d);
    return tsr_x_give(b, op, 0, tsr_x_picked(b, op, x, places, d, TSR_FOLD_MAX, &best));
}

/* ---- Norms ---- */

bool exec_ttir_softmax(tsr_xbuilder *b, tsr_op *op)
{
    bool gone[TSR_MAX_RANK] = {false};
    tsr_xid x = working(b, op);
    size_t d;
    if (x == TSR_XNONE ||
        !tt_dim(tt_int(op, TTIR_SOFTMAX_dimension, 0), tsr_xvalue_at(b, x)->rank, &d))
        return false;
    gone[d] = true;
    return tsr_x_give(b, op, 0, tsr_x_softmax(b, op, x, gone));
}

/* The operand in an operand group, in this shape; TSR_XNONE: it is absent, or has another number of elements. */
static tsr_xid parameter(tsr_xbuilder *b, const tsr_op *op, size_t group, const int64_t *dims,
                         size_t rank, bool *ok)
{
    uint32_t start, n;
    if (!tsr_op_operand_group(op, group, &start, &n) || !n)
        return TSR_XNONE;
    int64_t count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= dims[i];
    tsr_xid v = tsr_x_in(b, op, start);
    v = tsr_xvalue_at(b, v)->n == count ? tsr_x_reshaped(b, op, v, dims, rank) : TSR_XNONE;
    *ok &= v != TSR_XNONE;
    return v;
}

/* Both have their attributes in the same slots. */
static bool norm(tsr_xbuilder *b, tsr_op *op, bool centred)
{
    tsr_xid x = working(b, op);
    const tsr_attr *shape = op->attrs[TTIR_LAYER_NORM_normalized_shape];
    size_t n = tt_count(shape), rank = x == TSR_XNONE ? 0 : tsr_xvalue_at(b, x)->rank;
    bool gone[TSR_MAX_RANK] = {false}, ok = true;
    int64_t dims[TSR_VIEW_RANK];
    if (!n || n > rank || rank > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < n; i++) {
        dims[i] = tsr_xvalue_at(b, x)->dims[rank - n + i];
        ok &= dims[i] == tt_int_at(shape, i);
        gone[rank - n + i] = true;
    }
    tsr_xid weight = parameter(b, op, 1, dims, n, &ok), bias = parameter(b, op, 2, dims, n, &ok);
    if (!ok)
        return false;
    x = tsr_x_normalized(b, op, x, gone, tt_float(op, TTIR_LAYER_NORM_epsilon, 1e-5), centred);
    if (weight != TSR_XNONE)
        x = tsr_x_apply2(b, op, TSR_TILE_multiply, x, tsr_x_like(b, op, weight, x));
    if (bias != TSR_XNONE)
        x = tsr_x_apply2(b, op, TSR_TILE_add, x, tsr_x_like(b, op, bias, x));
    return tsr_x_give(b, op, 0, x);
}

bool exec_ttir_layer_norm(tsr_xbuilder *b, tsr_op *op)
{
    return norm(b, op, true);
}

bool exec_ttir_rms_norm(tsr_xbuilder *b, tsr_op *op)
{
    return norm(b, op, false);
}

bool exec_ttir_batch_norm_inference(tsr_xbuilder *b, tsr_op *op)
{
    enum { COUNT = 4 };
    tsr_xid x = working(b, op), p[COUNT];
    size_t rank = x == TSR_XNONE ? 0 : tsr_xvalue_at(b, x)->rank, d;
    int64_t dims[TSR_VIEW_RANK];
    bool ok = true;
    if (rank > TSR_VIEW_RANK ||
        !tt_dim(tt_int(op, TTIR_BATCH_NORM_INFERENCE_dimension, 1), rank, &d))
        return false;
    for (size_t i = 0; i < rank; i++)
        dims[i] = i == d ? tsr_xvalue_at(b, x)->dims[i] : 1;
    for (size_t i = 0; i < COUNT; i++)
        p[i] = tsr_x_as(b, op, parameter(b, op, 1 + i, dims, rank, &ok), tsr_xdtype_of(b, x));
    for (size_t i = 0; i < COUNT; i++)
        if (!ok || p[i] == TSR_XNONE)
            return false;
    x = tsr_x_scaled(b, op, x, p, tt_float(op, TTIR_BATCH_NORM_INFERENCE_epsilon, 0));
    return tsr_x_give(b, op, 0, x);
}
