/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_basic.c - ttir-fusing: replaces activations, softmax, means and heads that are written out by one op each. */
#include <math.h>

#include "pass/ttir/tt.h"

/* The value before casts. */
static tsr_value *uncast(tsr_value *v)
{
    while (tsr_ttr_def(v, TSR_OP_TTIR_TYPECAST))
        v = tsr_rw_in(v->op, 0);
    return v;
}

static bool near_number(const tsr_value *v, double number, double tolerance)
{
    double d;
    return tsr_ttr_number(v, &d) && fabs(d - number) <= tolerance;
}

/* The other operand of a binary op that has this number as a splat operand; NULL: it has none. */
static tsr_value *beside_number(const tsr_op *op, double number)
{
    if (near_number(tsr_rw_in(op, 1), number, 1e-6))
        return tsr_rw_in(op, 0);
    return near_number(tsr_rw_in(op, 0), number, 1e-6) ? tsr_rw_in(op, 1) : NULL;
}

static bool same_shape(const tsr_value *a, const tsr_value *b)
{
    return tsr_type_is(a->type, TSR_TYPE_TENSOR) && tsr_type_is(b->type, TSR_TYPE_TENSOR) &&
           tt_same_shape(a->type, b->type);
}

/* ---- Activations ---- */

/* max(x, 0) -> relu(x) */
bool rule_tt_fuse_relu(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = beside_number(op, 0);
    if (!x || !same_shape(x, &op->out[0]))
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_unary(r, op, TSR_OP_TTIR_RELU, x, op->out[0].type));
    return true;
}

/* min(relu(x), 6) -> relu6(x) */
bool rule_tt_fuse_relu6(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = beside_number(op, 6);
    tsr_op *relu = v ? tsr_ttr_single(v, TSR_OP_TTIR_RELU) : NULL;
    if (!relu || !same_shape(tsr_rw_in(relu, 0), &op->out[0]))
        return false;
    tsr_rw_replace_one(
        r, op, tsr_ttr_unary(r, op, TSR_OP_TTIR_RELU6, tsr_rw_in(relu, 0), op->out[0].type));
    return true;
}

/* relu6(x + 3) / 6 -> hardsigmoid(x) */
bool rule_tt_fuse_hardsigmoid(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *relu6 = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_RELU6);
    tsr_op *add = relu6 ? tsr_ttr_single(tsr_rw_in(relu6, 0), TSR_OP_TTIR_ADD) : NULL;
    tsr_value *x = add ? beside_number(add, 3) : NULL;
    if (!x || !near_number(tsr_rw_in(op, 1), 6, 1e-6) || x->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_unary(r, op, TSR_OP_TTIR_HARDSIGMOID, x, x->type));
    return true;
}

/* x * f(...), with casts around: x, and the op f, if it has no other users. */
static bool gated(const tsr_op *op, uint16_t opcode, tsr_value **x, tsr_op **gate)
{
    for (int i = 0; i < 2; i++) {
        tsr_value *v = uncast(tsr_rw_in(op, (size_t)i));
        *gate = tsr_ttr_single(v, opcode);
        *x = uncast(tsr_rw_in(op, (size_t)(1 - i)));
        if (tsr_ttr_def(v, opcode))
            return *gate != NULL;
    }
    return false;
}

/* Replaces the product by f(x), cast to the type of the product. */
static bool gate_becomes(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *x)
{
    if (!same_shape(x, &op->out[0]))
        return false;
    tsr_value *v = tsr_ttr_unary(r, op, opcode, x, x->type);
    if (v->type != op->out[0].type)
        v = tsr_ttr_unary(r, op, TSR_OP_TTIR_TYPECAST, v, op->out[0].type);
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* x * sigmoid(x) -> silu(x) */
bool rule_tt_fuse_silu(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x;
    tsr_op *sigmoid;
    return gated(op, TSR_OP_TTIR_SIGMOID, &x, &sigmoid) && uncast(tsr_rw_in(sigmoid, 0)) == x &&
           gate_becomes(r, op, TSR_OP_TTIR_SILU, x);
}

/* where(x > c, x, log1p(exp(x))): softplus that does not overflow. Returns its x; NULL: not of this form. */
static tsr_value *softplus_of(const tsr_value *v)
{
    tsr_op *where = tsr_ttr_single(v, TSR_OP_TTIR_WHERE);
    tsr_op *log1p = where ? tsr_ttr_single(tsr_rw_in(where, 2), TSR_OP_TTIR_LOG1P) : NULL;
    tsr_op *exp_op = log1p ? tsr_ttr_single(tsr_rw_in(log1p, 0), TSR_OP_TTIR_EXP) : NULL;
    tsr_op *gt = exp_op ? tsr_ttr_def(tsr_rw_in(where, 0), TSR_OP_TTIR_GT) : NULL;
    tsr_value *x = gt ? tsr_rw_in(where, 1) : NULL;
    double least;
    /* Below about 15 the two branches differ by more than f32 rounding. */
    if (!x || tsr_rw_in(gt, 0) != x || tsr_rw_in(exp_op, 0) != x ||
        !tsr_ttr_number_through(tsr_rw_in(gt, 1), &least) || least < 15)
        return NULL;
    return x;
}

/* x * tanh(softplus(x)) -> mish(x) */
bool rule_tt_fuse_mish(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x;
    tsr_op *tanh_op;
    return gated(op, TSR_OP_TTIR_TANH, &x, &tanh_op) && softplus_of(tsr_rw_in(tanh_op, 0)) == x &&
           gate_becomes(r, op, TSR_OP_TTIR_MISH, x);
}

/* ---- gelu ---- */

/* Within the precision of v's type; the peer uses 1.5e-3 for all types. */
static bool close_to(const tsr_value *v, double number)
{
    double d, near = v->type->ctx->as_peer ? 1.5e-3 : fmin(1.5e-3, tsr_ttr_rounding(v));
    return tsr_ttr_number(v, &d) && fabs(d / number - 1) <= near;
}

/* The factor beside this number; NULL: v is not such a product. */
static tsr_value *times_number(const tsr_value *v, double number)
{
    tsr_op *op = tsr_ttr_def(v, TSR_OP_TTIR_MULTIPLY);
    for (int i = 0; op && i < 2; i++)
        if (close_to(tsr_rw_in(op, (size_t)i), number))
            return tsr_rw_in(op, (size_t)(1 - i));
    return NULL;
}

/* x of x ** 3, or of x * x * x */
static tsr_value *cube_of(const tsr_value *v)
{
    tsr_op *pow_op = tsr_ttr_def(v, TSR_OP_TTIR_POW), *mul = tsr_ttr_def(v, TSR_OP_TTIR_MULTIPLY);
    if (pow_op)
        return close_to(tsr_rw_in(pow_op, 1), 3) ? tsr_rw_in(pow_op, 0) : NULL;
    for (int i = 0; mul && i < 2; i++) {
        tsr_op *square = tsr_ttr_def(tsr_rw_in(mul, (size_t)i), TSR_OP_TTIR_MULTIPLY);
        tsr_value *x = tsr_rw_in(mul, (size_t)(1 - i));
        if (square && tsr_rw_in(square, 0) == x && tsr_rw_in(square, 1) == x)
            return x;
    }
    return NULL;
}

/* x of 1 + erf(x / sqrt(2)), or of 1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)), whose error is within bf16
 * precision */
static tsr_value *normal_of(const tsr_value *v)
{
    tsr_op *add = tsr_ttr_def(v, TSR_OP_TTIR_ADD);
    tsr_value *f = NULL;
    for (int i = 0; add && !f && i < 2; i++)
        if (close_to(tsr_rw_in(add, (size_t)i), 1))
            f = tsr_rw_in(add, (size_t)(1 - i));
    if (!f)
        return NULL;
    tsr_op *erf_op = tsr_ttr_def(f, TSR_OP_TTIR_ERF), *tanh_op = tsr_ttr_def(f, TSR_OP_TTIR_TANH);
    if (erf_op)
        return times_number(tsr_rw_in(erf_op, 0), 0.7071067811865476);
    if (v->type->elem->width > 16 && !v->type->ctx->as_peer)
        return NULL;
    tsr_value *sum = tanh_op ? times_number(tsr_rw_in(tanh_op, 0), 0.7978845608028654) : NULL;
    tsr_op *both = sum ? tsr_ttr_def(sum, TSR_OP_TTIR_ADD) : NULL;
    for (int i = 0; both && i < 2; i++) {
        tsr_value *cube = times_number(tsr_rw_in(both, (size_t)i), 0.044715),
                  *x = tsr_rw_in(both, (size_t)(1 - i));
        if (cube && cube_of(cube) == x)
            return x;
    }
    return NULL;
}

/* x * 0.5 * normal(x), in any order -> gelu(x) */
bool rule_tt_fuse_gelu(tsr_rewriter *r, tsr_op *op)
{
    for (int i = 0; i < 2; i++) {
        tsr_op *inner = tsr_ttr_def(tsr_rw_in(op, (size_t)i), TSR_OP_TTIR_MULTIPLY);
        if (!inner)
            continue;
        tsr_value *three[] = {tsr_rw_in(op, (size_t)(1 - i)), tsr_rw_in(inner, 0),
                              tsr_rw_in(inner, 1)},
                  *x = NULL;
        bool half = false, found = false;
        for (int k = 0; k < 3; k++) {
            half |= close_to(three[k], 0.5);
            if (!x)
                x = normal_of(three[k]);
        }
        for (int k = 0; x && k < 3; k++)
            found |= three[k] == x;
        if (!half || !found || !same_shape(x, &op->out[0]))
            continue;
        tsr_rw_replace_one(r, op, tsr_ttr_unary(r, op, TSR_OP_TTIR_GELU, x, op->out[0].type));
        return true;
    }
    return false;
}

/* ---- softmax ---- */

/* The reduction of this kind, along one dimension that is kept, of which v is a broadcast; neither has other users. */
static tsr_op *spread_reduction(const tsr_value *v, uint16_t opcode, int64_t *dim)
{
    tsr_op *spread = tsr_ttr_def(v, TSR_OP_TTIR_BROADCAST);
    if (spread && !tsr_rw_one_use(v))
        return NULL;
    tsr_op *op = tsr_ttr_single(spread ? tsr_rw_in(spread, 0) : v, opcode);
    tsr_reduce_dims r;
    if (!op || !tsr_reduce_dims_of(op, &r) || !r.keep || r.dims.n != 1)
        return NULL;
    *dim = tsr_ints_at(r.dims, 0);
    return op;
}

static bool same_dim(int64_t a, int64_t b, size_t rank)
{
    return (a < 0 ? a + (int64_t)rank : a) == (b < 0 ? b + (int64_t)rank : b);
}

/* exp(x) / sum(exp(x)) -> softmax(x) */
bool rule_tt_fuse_softmax(tsr_rewriter *r, tsr_op *op)
{
    int64_t dim;
    tsr_op *exp_op = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_EXP),
           *sum = spread_reduction(tsr_rw_in(op, 1), TSR_OP_TTIR_SUM, &dim);
    if (!exp_op || !sum || tsr_rw_in(sum, 0) != &exp_op->out[0])
        return false;
    uint32_t uses = 0;
    for (tsr_use *u = exp_op->out[0].uses; u; u = u->next)
        uses++;
    tsr_value *x = tsr_rw_in(exp_op, 0);
    if (uses != 2 || !same_shape(x, &op->out[0]))
        return false;
    tsr_op *softmax = tsr_ttr_op(r, op, TSR_OP_TTIR_SOFTMAX, &x, 1, op->out[0].type);
    softmax->attrs[TTIR_SOFTMAX_dimension] = tsr_ttir_si32(r->ctx, dim);
    tsr_rw_replace_one(r, op, &softmax->out[0]);
    return true;
}

/* softmax(x - max(x)) -> softmax(x) that does not overflow */
bool rule_tt_fuse_stable_softmax(tsr_rewriter *r, tsr_op *op)
{
    int64_t dim;
    tsr_op *sub = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_SUBTRACT);
    tsr_op *max = sub ? spread_reduction(tsr_rw_in(sub, 1), TSR_OP_TTIR_MAX, &dim) : NULL;
    if (!max || tsr_rw_in(max, 0) != tsr_rw_in(sub, 0) ||
        !same_shape(tsr_rw_in(sub, 0), &op->out[0]) ||
        !same_dim(dim, op->attrs[TTIR_SOFTMAX_dimension]->i, op->out[0].type->n))
        return false;
    op->attrs[TTIR_SOFTMAX_numericStable] = tsr_attr_bool(r->ctx, true);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(sub, 0));
    return true;
}

/* ---- Reductions ---- */

/* A reduction whose only user restores the dropped dimensions -> one that keeps them */
bool rule_tt_fuse_keep_dim(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *reshape = tsr_ttr_user(&op->out[0]);
    const tsr_type *in = tsr_rw_in(op, 0)->type;
    int64_t dims[TSR_TTIR_RANK], shape[TSR_TTIR_RANK];
    size_t n;
    if (tsr_ttr_keeps_dims(op) || !reshape || !tsr_op_is(reshape, TSR_OP_TTIR_RESHAPE) ||
        !tsr_ttr_tensor(tsr_rw_in(op, 0)) || reshape->out[0].type->n != in->n ||
        !tsr_ttr_reduced(op, dims, &n))
        return false;
    memcpy(shape, in->dims, in->n * sizeof *shape);
    for (size_t i = 0; i < n; i++)
        shape[dims[i]] = 1;
    if (!tsr_ttir_shape_is(&reshape->out[0], shape, in->n))
        return false;
    tsr_value *v = tsr_rw_in(op, 0);
    tsr_op *copy = tsr_ttr_copy(r, op, op, &v, 1, reshape->out[0].type);
    copy->attrs[TTIR_SUM_keep_dim] = tsr_attr_bool(r->ctx, true);
    tsr_rw_replace_one(r, reshape, &copy->out[0]);
    return true;
}

/* sum(x) * (1 / n) -> mean(x) */
bool rule_tt_fuse_mean(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *sum = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_SUM),
           *full = tsr_ttr_def(tsr_rw_in(op, 1), TSR_OP_TTIR_FULL);
    int64_t dims[TSR_TTIR_RANK], count = 1;
    size_t n;
    double scale;
    tsr_reduce_dims of;
    if (!sum || !full || !tsr_reduce_dims_of(sum, &of) || of.all ||
        !tsr_ttr_tensor(tsr_rw_in(sum, 0)) || !tsr_ttr_reduced(sum, dims, &n))
        return false;
    for (size_t i = 0; i < n; i++)
        count *= tsr_rw_in(sum, 0)->type->dims[dims[i]];
    if (count <= 0 || !tsr_ttr_number(tsr_rw_in(op, 1), &scale) ||
        !tt_is_float(op->out[0].type->elem) ||
        fabs(scale * (double)count - 1) > tsr_ttr_rounding(tsr_rw_in(op, 1)) ||
        sum->out[0].type != op->out[0].type)
        return false;
    tsr_value *x = tsr_rw_in(sum, 0);
    tsr_op *mean = tsr_ttr_op(r, op, TSR_OP_TTIR_MEAN, &x, 1, op->out[0].type);
    mean->attrs[TTIR_MEAN_keep_dim] = sum->attrs[TTIR_SUM_keep_dim];
    mean->attrs[TTIR_MEAN_dim_arg] = sum->attrs[TTIR_SUM_dim_arg];
    tsr_rw_replace_one(r, op, &mean->out[0]);
    return true;
}

/* mean over both inner dimensions of [n, h, w, c] -> over one of [n, 1, h * w, c] */
bool rule_tt_fuse_spatial_mean(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    int64_t dims[TSR_TTIR_RANK];
    size_t n;
    if (!tsr_ttr_user(&op->out[0]) || !op->attrs[TTIR_MEAN_dim_arg] || !tsr_ttr_tensor(x) ||
        x->type->n != 4 || !tsr_ttr_reduced(op, dims, &n) || n != 2 || dims[0] != 1 || dims[1] != 2)
        return false;
    const int64_t *d = x->type->dims;
    tsr_value *v = tsr_ttr_reshape(r, op, x, (int64_t[]){d[0], 1, d[1] * d[2], d[3]}, 4);
    tsr_type *type = tsr_ttir_shaped(op->out[0].type, (int64_t[]){d[0], 1, 1, d[3]}, 4);
    v = tsr_ttr_reduce(r, op, TSR_OP_TTIR_MEAN, v, (int64_t[]){2}, 1, true, type);
    if (!op->attrs[TTIR_MEAN_keep_dim]->i)
        v = tsr_ttr_reshape(r, op, v, (int64_t[]){d[0], d[3]}, 2);
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Moves ---- */

/* reshape(permute(x)), heads after rows -> concatenate_heads(x) */
bool rule_tt_fuse_concatenate_heads(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *permute = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    if (!permute || !tsr_ttr_tensor(&op->out[0]) || tsr_rw_in(permute, 0)->type->n != 4)
        return false;
    tsr_ttr_permutation(permute, perm);
    if (perm[0] != 0 || perm[1] != 2 || perm[2] != 1)
        return false;
    tsr_value *x = tsr_rw_in(permute, 0);
    const int64_t *d = x->type->dims, *out = op->out[0].type->dims;
    int64_t three[] = {d[0], d[2], d[1] * d[3]};
    bool flat = op->out[0].type->n == 2 && out[0] == d[0] * d[2] && out[1] == three[2];
    if (!flat && !tsr_ttir_shape_is(&op->out[0], three, 3))
        return false;
    tsr_value *v = tsr_ttr_unary(r, op, TSR_OP_TTIR_CONCATENATE_HEADS, x,
                                 tsr_ttir_shaped(op->out[0].type, three, 3));
    if (flat)
        tsr_rw_set_operand(r, op, 0, v);
    else
        tsr_rw_replace_one(r, op, v);
    return true;
}

/* The only dimension in which types of equal rank differ; SIZE_MAX: none, or several. */
static size_t only_change(const tsr_type *a, const tsr_type *b)
{
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < a->n; i++) {
        if (a->dims[i] == b->dims[i])
            continue;
        if (at != SIZE_MAX)
            return SIZE_MAX;
        at = i;
    }
    return at;
}

/* reshape(broadcast(reshape(x))) that repeats along one dimension -> repeat, or repeat_interleave */
bool rule_tt_fuse_repeat(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *spread = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_BROADCAST);
    tsr_op *first = spread ? tsr_ttr_single(tsr_rw_in(spread, 0), TSR_OP_TTIR_RESHAPE) : NULL;
    if (!first || !tsr_ttr_tensor(&op->out[0]) || !tsr_ttr_tensor(tsr_rw_in(first, 0)))
        return false;
    tsr_value *x = tsr_rw_in(first, 0);
    const tsr_type *in = x->type, *mid = first->out[0].type, *wide = spread->out[0].type,
                   *out = op->out[0].type;
    if (mid->n != in->n + 1 || out->n != in->n)
        return false;
    size_t at = only_change(mid, wide), changed = only_change(in, out);
    if (at == SIZE_MAX || changed == SIZE_MAX)
        return false;
    for (size_t i = 0; i < in->n; i++)
        if (mid->dims[i < at ? i : i + 1] != in->dims[i])
            return false;
    int64_t times = wide->dims[at];
    if (out->dims[changed] != in->dims[changed] * times)
        return false;
    tsr_op *repeat;
    if (changed + 1 == at) {
        repeat = tsr_ttr_op(r, op, TSR_OP_TTIR_REPEAT_INTERLEAVE, &x, 1, op->out[0].type);
        repeat->attrs[TTIR_REPEAT_INTERLEAVE_repeats] =
            tsr_attr_int(r->ctx, tsr_type_integer(r->ctx, 32, TSR_UNSIGNED), times);
        repeat->attrs[TTIR_REPEAT_INTERLEAVE_dim] = tsr_ttir_si32(r->ctx, (int64_t)changed);
    } else if (changed == at) {
        int64_t dims[TSR_TTIR_RANK];
        for (size_t i = 0; i < in->n; i++)
            dims[i] = i == changed ? times : 1;
        repeat = tsr_ttr_op(r, op, TSR_OP_TTIR_REPEAT, &x, 1, op->out[0].type);
        repeat->attrs[TTIR_REPEAT_repeat_dimensions] = tsr_attr_i64_array(r->ctx, dims, in->n);
    } else {
        return false;
    }
    tsr_rw_replace_one(r, op, &repeat->out[0]);
    return true;
}
