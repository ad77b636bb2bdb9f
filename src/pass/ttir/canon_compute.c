/* SPDX-License-Identifier: Apache-2.0 */
/* canon_compute.c - canonicalization of ops that compute: synonyms, neutral operands, casts, clamps. */
#include <math.h>

#include "pass/ttir/tt.h"

/* le(a, b) -> ge(b, a), lt(a, b) -> gt(b, a) */
bool rule_tt_flip_comparison(tsr_rewriter *r, tsr_op *op)
{
    uint16_t other = tsr_op_is(op, TSR_OP_TTIR_LE) ? TSR_OP_TTIR_GE : TSR_OP_TTIR_GT;
    tsr_rw_replace_one(
        r, op, tsr_ttr_binary(r, op, other, tsr_rw_in(op, 1), tsr_rw_in(op, 0), op->out[0].type));
    return true;
}

/* A splat constant becomes full. */
bool rule_tt_constant_full(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *value = op->attrs[TTIR_CONSTANT_value], *fill;
    if (!tsr_attr_is(value, TSR_ATTR_DENSE) || !(fill = tsr_ttr_fill(r->ctx, value)))
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_full_of(r, op, op->out[0].type, fill));
    return true;
}

static bool becomes_number(tsr_rewriter *r, tsr_op *op, int64_t number)
{
    tsr_attr *value = tsr_const_number(r, op->out[0].type, number);
    if (!value)
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_constant(r, op, value, true));
    return true;
}

/* f(x, x) -> x, for f with this trait; ne(x, 0) if f turns other numbers into 0 and 1 */
bool rule_tt_same_operands(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    if (!tsr_op_has(op, TSR_TRAIT(TT_SAME_IDEMPOTENT)) || v != tsr_rw_in(op, 1) ||
        v->type != op->out[0].type)
        return false;
    if (tsr_op_has(op, TSR_TRAIT(TT_PREDICATE)) && !tsr_ttr_boolean(v)) {
        tsr_attr *zero = tsr_const_number(r, v->type, 0);
        if (!zero)
            return false;
        v = tsr_ttr_binary(r, op, TSR_OP_TTIR_NE, v, tsr_ttr_constant(r, op, zero, true), v->type);
    }
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* x ^ x -> 0 */
bool rule_tt_xor_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_in(op, 0) == tsr_rw_in(op, 1) && becomes_number(r, op, 0);
}

/* and(x, 0) -> 0, and(x, not 0) -> x, or(x, not 0) -> 1, or(x, 0) -> x; the latter of each pair for x of 0 and 1 */
bool rule_tt_logic_constant(tsr_rewriter *r, tsr_op *op)
{
    bool is_or = tsr_op_is(op, TSR_OP_TTIR_LOGICAL_OR);
    for (int i = 0; i < 2; i++) {
        double number;
        tsr_value *x = tsr_rw_in(op, (size_t)(1 - i));
        if (!tsr_ttr_number(tsr_rw_in(op, (size_t)i), &number))
            continue;
        if ((number != 0) == is_or)
            return becomes_number(r, op, is_or);
        if (tsr_ttr_boolean(x) && x->type == op->out[0].type) {
            tsr_rw_replace_one(r, op, x);
            return true;
        }
    }
    return false;
}

/* where(c, x, y) -> x or y */
bool rule_tt_where_constant(tsr_rewriter *r, tsr_op *op)
{
    double number;
    if (!tsr_ttr_number(tsr_rw_in(op, 0), &number))
        return false;
    tsr_value *v = tsr_rw_in(op, number != 0 ? 1 : 2);
    if (v->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* eq(x, x) -> 1, ne(x, x) -> 0, of integers; floats may be NaN */
bool rule_tt_compare_same(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    return v == tsr_rw_in(op, 1) && tsr_type_is(v->type, TSR_TYPE_TENSOR) &&
           tt_is_integer(v->type->elem) && becomes_number(r, op, tsr_op_is(op, TSR_OP_TTIR_EQ));
}

/* prod of 0 and 1 -> min */
bool rule_tt_prod_boolean(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    if (!tsr_ttr_boolean(v) || !tsr_ttr_tensor(v) || !tsr_ttr_elements(v))
        return false;
    tsr_op *min = tsr_ttr_op(r, op, TSR_OP_TTIR_MIN, &v, 1, op->out[0].type);
    min->attrs[TTIR_MIN_keep_dim] = op->attrs[TTIR_PROD_keep_dim];
    min->attrs[TTIR_MIN_dim_arg] = op->attrs[TTIR_PROD_dim_arg];
    tsr_rw_replace_one(r, op, &min->out[0]);
    return true;
}

/* ---- Clamps ---- */

/* A number in the form of clamp_scalar's attributes for these elements. */
static tsr_attr *limit(tsr_rewriter *r, const tsr_type *type, double v)
{
    if (tt_is_float(type->elem))
        return tsr_ttir_f32(r->ctx, v);
    double low = -2147483648.0, high = 2147483647.0;
    return tsr_attr_i32(r->ctx, (int32_t)(v < low ? low : v > high ? high : v));
}

/* clamp(clamp(x)) -> clamp(x), if the ranges intersect */
bool rule_tt_clamp_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_CLAMP_SCALAR);
    if (!first || tsr_rw_in(first, 0)->type != first->out[0].type)
        return false;
    const int lo = TTIR_CLAMP_SCALAR_min, hi = TTIR_CLAMP_SCALAR_max;
    double low = fmax(tsr_ttr_float_attr(first->attrs[lo]), tsr_ttr_float_attr(op->attrs[lo]));
    double high = fmin(tsr_ttr_float_attr(first->attrs[hi]), tsr_ttr_float_attr(op->attrs[hi]));
    if (!(low <= high))
        return false;
    bool is_float = tsr_attr_is(op->attrs[lo], TSR_ATTR_FLOAT);
    op->attrs[lo] = is_float ? tsr_ttir_f32(r->ctx, low) : tsr_attr_i32(r->ctx, (int32_t)low);
    op->attrs[hi] = is_float ? tsr_ttir_f32(r->ctx, high) : tsr_attr_i32(r->ctx, (int32_t)high);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* clamp(x, 0, 6) -> relu6(x) */
bool rule_tt_clamp_relu6(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_ttr_float_attr(op->attrs[TTIR_CLAMP_SCALAR_min]) != 0 ||
        tsr_ttr_float_attr(op->attrs[TTIR_CLAMP_SCALAR_max]) != 6)
        return false;
    tsr_rw_replace_one(r, op,
                       tsr_ttr_unary(r, op, TSR_OP_TTIR_RELU6, tsr_rw_in(op, 0), op->out[0].type));
    return true;
}

/* clamp_tensor(x, constant, constant) -> clamp_scalar(x) */
bool rule_tt_clamp_constant(tsr_rewriter *r, tsr_op *op)
{
    double low, high;
    tsr_value *v = tsr_rw_in(op, 0);
    if (!tsr_ttr_number(tsr_rw_in(op, 1), &low) || !tsr_ttr_number(tsr_rw_in(op, 2), &high))
        return false;
    tsr_op *clamp = tsr_ttr_op(r, op, TSR_OP_TTIR_CLAMP_SCALAR, &v, 1, op->out[0].type);
    clamp->attrs[TTIR_CLAMP_SCALAR_min] = limit(r, op->out[0].type, low);
    clamp->attrs[TTIR_CLAMP_SCALAR_max] = limit(r, op->out[0].type, high);
    tsr_rw_replace_one(r, op, &clamp->out[0]);
    return true;
}

/* Broadcasts limits of clamp_tensor to the shape of the result. */
bool rule_tt_clamp_stretch(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    if (!tsr_ttr_tensor(&op->out[0]))
        return false;
    bool changed = false;
    for (size_t i = 1; i < 3; i++) {
        tsr_value *v = tsr_rw_in(op, i);
        if (!tsr_ttr_tensor(v) || v->type->n > type->n || tt_same_shape(v->type, type))
            continue;
        tsr_rw_set_operand(r, op, i, tsr_ttr_stretch(r, op, v, type->dims, type->n));
        changed = true;
    }
    return changed;
}

/* ---- Casts ---- */

typedef struct {
    bool is_float, is_signed;
    uint32_t bits, exponent, mantissa;
} kind;

static kind kind_of(const tsr_type *elem)
{
    kind k = {.is_float = tt_is_float(elem), .bits = elem->width};
    if (k.is_float) {
        k.exponent = tsr_float_formats[elem->sub].ebits;
        k.mantissa = tsr_float_formats[elem->sub].mbits;
    }
    k.is_signed = !k.is_float && elem->sub != TSR_UNSIGNED && elem->width > 1;
    return k;
}

/* Whether values may be lost from a to b. */
static bool narrows(kind a, kind b)
{
    if (a.is_float)
        return !b.is_float || a.exponent > b.exponent || a.mantissa > b.mantissa;
    if (b.is_float)
        return a.bits - (a.is_signed ? 1 : 0) > b.mantissa;
    if (a.is_signed == b.is_signed)
        return a.bits > b.bits;
    return a.is_signed || a.bits >= b.bits;
}

static bool plain_number(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && (tt_is_float(t->elem) || tt_is_integer(t->elem));
}

/* Whether casts from in through mid to out give the same as one cast from in to out. Integers wrap, floats saturate
 * when they become integers, and anything but 0 becomes true. */
static bool passes_through(kind in, kind mid, kind out)
{
    bool integers = !in.is_float && !mid.is_float && !out.is_float;
    if (integers && mid.bits > 1 && out.bits > 1 && out.bits <= mid.bits)
        return true; /* out drops the bits that mid drops */
    if (narrows(in, mid))
        return false;
    if (in.is_float)
        return mid.bits >= 16; /* smaller formats have different bounds */
    if (!mid.is_float)
        return true;
    return mid.bits >= 16 && (out.is_float || !narrows(in, out));
}

bool tsr_ttr_casts_join(const tsr_type *in, const tsr_type *mid, const tsr_type *out)
{
    if (in->elem == mid->elem || mid->elem == out->elem)
        return true;
    return plain_number(in) && plain_number(mid) && plain_number(out) &&
           passes_through(kind_of(in->elem), kind_of(mid->elem), kind_of(out->elem));
}

/* typecast(typecast(x)) -> typecast(x), if it gives the same numbers. The peer drops more: everything except what one
 * of two conservative casts would lose. */
bool rule_tt_typecast_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_TYPECAST);
    if (!first || !plain_number(tsr_rw_in(first, 0)->type) || !plain_number(first->out[0].type) ||
        !plain_number(op->out[0].type))
        return false;
    bool a = first->attrs[TTIR_TYPECAST_conservative_folding]->i != 0;
    bool b = op->attrs[TTIR_TYPECAST_conservative_folding]->i != 0;
    kind in = kind_of(tsr_rw_in(first, 0)->type->elem), mid = kind_of(first->out[0].type->elem),
         out = kind_of(op->out[0].type->elem);
    if (r->ctx->as_peer ? (a || b) && ((in.is_float && !mid.is_float && out.is_float) ||
                                       (narrows(in, mid) && !narrows(mid, out)))
                        : !passes_through(in, mid, out))
        return false;
    op->attrs[TTIR_TYPECAST_conservative_folding] = tsr_attr_bool(r->ctx, a && b);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* ---- Layers ---- */

/* linear without a bias -> matmul */
bool rule_tt_linear_no_bias(tsr_rewriter *r, tsr_op *op)
{
    tsr_matmul m;
    if (op->nin != 2 || !tsr_matmul_of(op, &m))
        return false;
    tsr_value *v = tsr_ttr_matmul(r, op, tsr_rw_in(op, 0), tsr_rw_in(op, 1), m.transpose[0],
                                  m.transpose[1], op->out[0].type);
    v->op->extra = op->extra;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* The number of leading dimensions of a that are merged into the first of b, the others being equal; 0: not of this
 * form. */
static size_t merged(const tsr_type *a, const tsr_type *b)
{
    if (b->n >= a->n || b->n == 0)
        return 0;
    size_t n = a->n - b->n + 1;
    for (size_t i = n; i < a->n; i++)
        if (a->dims[i] != b->dims[i - n + 1])
            return 0;
    return tsr_ttr_volume(a->dims, n) == b->dims[0] ? n : 0;
}

/* reshape(matmul(reshape(a), reshape(b))) -> matmul(a, b), if the reshapes merge batch dimensions and split them
 * again */
bool rule_tt_matmul_merged(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *split = tsr_ttr_user(&op->out[0]);
    tsr_op *a = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_RESHAPE),
           *b = tsr_ttr_def(tsr_rw_in(op, 1), TSR_OP_TTIR_RESHAPE);
    if (!split || !tsr_op_is(split, TSR_OP_TTIR_RESHAPE) || !a || !b ||
        !tsr_ttr_tensor(&split->out[0]))
        return false;
    tsr_value *va = tsr_rw_in(a, 0), *vb = tsr_rw_in(b, 0);
    const tsr_type *out = split->out[0].type;
    if (!tsr_ttr_tensor(va) || !tsr_ttr_tensor(vb) || va->type->n != vb->type->n ||
        va->type->n != out->n)
        return false;
    size_t n = merged(out, op->out[0].type);
    if (!n || merged(va->type, a->out[0].type) != n || merged(vb->type, b->out[0].type) != n ||
        out->n < n + 2)
        return false;
    for (size_t i = 0; i < n; i++)
        if (va->type->dims[i] != out->dims[i] || vb->type->dims[i] != out->dims[i])
            return false;
    tsr_op *copy = tsr_ttr_copy(r, split, op, (tsr_value *[]){va, vb}, 2, split->out[0].type);
    tsr_rw_replace_one(r, split, &copy->out[0]);
    return true;
}

/* conv3d with a 1x1x1 kernel -> matmul or linear */
bool rule_tt_pointwise_conv3d(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *w = tsr_rw_in(op, 1);
    tsr_conv c;
    tsr_conv_of(op, &c);
    if (c.in_batch != 0 || c.in_feature != 4 || !tsr_ints_count_from(c.in_spatial, 1) ||
        c.feature_groups != 1 || !tsr_ttr_tensor(x) || !tsr_ttr_tensor(w) || x->type->n != 5 ||
        w->type->n != 5)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (w->type->dims[2 + i] != 1 || tsr_window_stride(&c.window, i) != 1 ||
            tsr_window_low(&c.window, i) != 0)
            return false;
    int64_t rows = tsr_ttr_volume(x->type->dims, 4), in = x->type->dims[4], out = w->type->dims[0];
    tsr_type *type = tsr_ttir_shaped(op->out[0].type, (int64_t[]){rows, out}, 2);
    x = tsr_ttr_reshape(r, op, x, (int64_t[]){rows, in}, 2);
    w = tsr_ttr_reshape(r, op, w, (int64_t[]){out, in}, 2);
    tsr_value *v;
    if (op->nin > 2) {
        tsr_value *bias = tsr_ttr_reshape(r, op, tsr_rw_in(op, 2), (int64_t[]){out}, 1);
        tsr_op *linear =
            tsr_ttr_op(r, op, TSR_OP_TTIR_LINEAR, (tsr_value *[]){x, w, bias}, 3, type);
        linear->attrs[TTIR_LINEAR_transpose_b] = tsr_attr_bool(r->ctx, true);
        v = &linear->out[0];
    } else {
        v = tsr_ttr_matmul(r, op, x, w, false, true, type);
    }
    tsr_rw_replace_one(r, op, tsr_ttr_reshape(r, op, v, op->out[0].type->dims, 5));
    return true;
}

/* Removes dimensions of size 1 from the indices of an embedding, if there are reshapes on both sides. */
bool rule_tt_embedding_squeeze(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *index = tsr_rw_in(op, 0);
    const tsr_type *type = op->out[0].type;
    int64_t dims[TSR_TTIR_RANK];
    size_t n = 0;
    if (!tsr_ttr_tensor(index) || !tsr_ttr_tensor(&op->out[0]) ||
        !tsr_ttr_def(index, TSR_OP_TTIR_RESHAPE) || !op->out[0].uses || index->type->n == 0)
        return false;
    for (tsr_use *u = op->out[0].uses; u; u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_TTIR_RESHAPE))
            return false;
    for (size_t i = 0; i < index->type->n; i++)
        if (index->type->dims[i] != 1)
            dims[n++] = index->type->dims[i];
    if (n == 0)
        dims[n++] = 1;
    if (n == index->type->n)
        return false;
    tsr_value *v = tsr_ttr_reshape(r, op, index, dims, n);
    dims[n] = type->dims[type->n - 1];
    tsr_op *copy = tsr_ttr_copy(r, op, op, (tsr_value *[]){v, tsr_rw_in(op, 1)}, 2,
                                tsr_ttir_shaped(type, dims, n + 1));
    tsr_rw_replace_one(r, op, tsr_ttr_reshape(r, op, &copy->out[0], type->dims, type->n));
    return true;
}

/* A pool of windows of one element -> its input */
bool rule_tt_pool_one(tsr_rewriter *r, tsr_op *op)
{
    tsr_pooling p;
    tsr_pooling_of(op, &p);
    const tsr_window *w = &p.window;
    if (tsr_rw_in(op, 0)->type != op->out[0].type || !tsr_ints_all(w->sizes, 1) ||
        !tsr_ints_all(w->strides, 1) || !tsr_ints_all(w->window_dilations, 1) ||
        !tsr_ints_all(w->low, 0) || !tsr_ints_all(w->high, 0))
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* topk along one element -> its input, and zeros */
bool rule_tt_topk_one(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    size_t dim;
    if (!tsr_ttr_tensor(v) || !tt_dim(op->attrs[TTIR_TOPK_dim]->i, v->type->n, &dim) ||
        v->type->dims[dim] != 1 || v->type != op->out[0].type)
        return false;
    tsr_attr *zero = tsr_const_number(r, op->out[1].type, 0);
    if (!zero)
        return false;
    tsr_rw_replace(r, op, (tsr_value *[]){v, tsr_ttr_constant(r, op, zero, false)});
    return true;
}

/* update_cache -> paged_update_cache without pages */
bool rule_tt_update_cache_paged(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *cache = tsr_rw_in(op, 0), *v = tsr_rw_in(op, 1), *index = tsr_rw_in(op, 2);
    if (!tsr_ttr_tensor(cache) || !tsr_ttr_tensor(v) || !tsr_ttr_tensor(index) ||
        cache->type->n != 4 || v->type->n != 4 || index->type->n != 1 ||
        op->attrs[TTIR_UPDATE_CACHE_batch_offset]->i != 0)
        return false;
    int64_t users = cache->type->dims[0], heads = cache->type->dims[1];
    if (v->type->dims[2] != users || v->type->dims[1] != heads ||
        (index->type->dims[0] != 1 && index->type->dims[0] != users))
        return false;
    v = tsr_ttr_permute(r, op, v, (int64_t[]){0, 2, 1, 3});
    if (index->type->dims[0] == 1) {
        tsr_op *repeat = tsr_ttr_op(r, op, TSR_OP_TTIR_REPEAT, &index, 1,
                                    tsr_ttir_shaped(index->type, &users, 1));
        repeat->attrs[TTIR_REPEAT_repeat_dimensions] = tsr_attr_i64_array(r->ctx, &users, 1);
        index = &repeat->out[0];
    }
    tsr_op *paged = tsr_rw_new(r, op, TSR_OP_TTIR_PAGED_UPDATE_CACHE,
                               (tsr_value *[]){cache, v, index}, 3, NULL, 0, 0);
    paged->attrs[TTIR_PAGED_UPDATE_CACHE_share_cache] = tsr_attr_bool(r->ctx, false);
    tsr_rw_erase(r, op);
    return true;
}

/* get_dimension_size -> its constant */
bool rule_tt_dimension_size(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = tsr_rw_in(op, 0)->type;
    int64_t dim = op->attrs[TTIR_GET_DIMENSION_SIZE_dimension]->i;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || dim < 0 || dim >= (int64_t)type->n ||
        type->dims[dim] == TSR_DYNAMIC)
        return false;
    tsr_attr *value = tsr_const_number(r, op->out[0].type, type->dims[dim]);
    if (!value)
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_constant(r, op, value, true));
    return true;
}
