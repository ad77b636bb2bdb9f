/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - constant folding: computes an op with known operands on its kernel of the evaluator.
 *
 * Pointwise ops on splats are computed on one element, whatever the shape. Nothing is folded where the result is not
 * well defined (integers divided by zero, the logarithm of a negative number), so that the op stays in the program. */
#include <math.h>

#include "dialect/stablehlo/cases.h"
#include "dialect/stablehlo/types.h"
#include "eval/plan.h"
#include "pass/simplify/simplify.h"

/* ---- With the kernel ---- */

enum { MAX_IN = 8 };

static bool pointwise(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE) |
                              TSR_TRAIT(BROADCASTING));
}

/* Limits the elements of all operands and the result of one call; nothing larger is computed. */
static bool too_large(const tsr_rewriter *r, const tsr_type *type, bool splat)
{
    int64_t n = tsr_type_num_elements(type);
    return n < 0 || (!splat && r->o->limit_all && n > r->o->element_limit);
}

static tsr_attr *const_of_tensor(tsr_rewriter *r, const tsr_tensor *t, tsr_type *type, bool splat)
{
    tsr_attr *a = tsr_tensor_to_attr(r->ctx, r->module, t);
    if (splat)
        return tsr_const_resized(r, a, type);
    return a->type == type ? a
                           : tsr_attr_dense(r->ctx, r->module, type, a->s.data, a->s.len, a->sub);
}

tsr_attr *tsr_const_of_kernel(tsr_rewriter *r, eval_fn *kernel, tsr_op *op, tsr_tensor **in,
                              tsr_type *type, bool splat)
{
    tsr_eval e;
    tsr_eval_init(&e, r->module, NULL);
    tsr_tensor *out = NULL;
    tsr_call c = {.e = &e, .op = op, .in = in, .out = &out};
    tsr_attr *value = NULL;
    if (kernel(&c) && out && out->kind == TSR_TENSOR &&
        out->n == (splat ? 1 : tsr_type_num_elements(type)))
        value = const_of_tensor(r, out, type, splat);
    tsr_tensor_unref(out);
    tsr_eval_free(&e);
    return value;
}

/* as: the type to interpret the operands' elements as, if it has the same storage; NULL: their own. */
static tsr_attr *fold_as(tsr_rewriter *r, tsr_op *op, tsr_type *as)
{
    tsr_attr *values[MAX_IN];
    eval_fn *kernel = tsr_kernel_of(op);
    tsr_type *type = op->nout == 1 ? op->out[0].type : NULL;
    if (!kernel || !op->nin || op->nin > MAX_IN || op->nregion ||
        !tsr_type_is(type, TSR_TYPE_TENSOR) || type->n > TSR_MAX_RANK ||
        tsr_dtype_of(type->elem) == TSR_D_NONE || tsr_hlo_is_quantized(type))
        return NULL;
    bool splat = pointwise(op);
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_type *in = op->in[i].value->type;
        values[i] = tsr_known_of(r, op->in[i].value);
        if (!values[i] || in->n > TSR_MAX_RANK || tsr_dtype_of(in->elem) == TSR_D_NONE ||
            tsr_hlo_is_quantized(in))
            return NULL;
        splat &= values[i]->sub;
    }
    if (too_large(r, type, splat) || (splat && tsr_type_num_elements(type) == 0))
        return NULL;
    tsr_tensor *in[MAX_IN] = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < op->nin; i++) {
        tsr_type *of = op->in[i].value->type;
        if (splat || as)
            of = tsr_type_tensor(r->ctx, of->dims, splat ? 0 : of->n, as ? as : of->elem, NULL);
        ok = (in[i] = tsr_tensor_of_attr(values[i], of)) != NULL;
    }
    tsr_attr *value = ok ? tsr_const_of_kernel(r, kernel, op, in, type, splat) : NULL;
    tsr_tensors_drop(in, op->nin);
    return value;
}

tsr_attr *tsr_fold_by_kernel(tsr_rewriter *r, tsr_op *op)
{
    return fold_as(r, op, NULL);
}

static bool becomes_constant(tsr_rewriter *r, tsr_op *op, tsr_attr *value)
{
    if (!value || value->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, value));
    return true;
}

/* ---- What may be folded ---- */

/* Element types of shape computations; floats only if folding them is allowed. */
static bool shape_numbers(const tsr_rewriter *r, const tsr_type *type, bool complex_too)
{
    if (!tsr_type_is(type, TSR_TYPE_TENSOR))
        return false;
    uint8_t kind = type->elem->kind;
    return kind == TSR_TYPE_INTEGER ||
           (r->o->optimize_float &&
            (kind == TSR_TYPE_FLOAT || (complex_too && kind == TSR_TYPE_COMPLEX)));
}

static bool within_limit(const tsr_rewriter *r, const tsr_type *type)
{
    int64_t n = tsr_type_num_elements(type);
    return n >= 0 && n <= r->o->element_limit;
}

static bool real_numbers(const tsr_value *v)
{
    const tsr_type *t = v->type;
    return tsr_type_is(t, TSR_TYPE_TENSOR) &&
           (tsr_elem_is_int(t->elem) || tsr_elem_is_float(t->elem));
}

/* Whether every element of a float constant passes. */
static bool all_floats(const tsr_attr *a, bool (*ok)(double v))
{
    const tsr_type *elem = a->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    if (elem->kind != TSR_TYPE_FLOAT || !size || size > 8)
        return false;
    for (size_t i = 0; i + size <= a->s.len; i += size) {
        uint64_t bits = 0;
        for (size_t b = 0; b < size; b++)
            bits |= (uint64_t)(uint8_t)a->s.data[i + b] << 8 * b;
        if (!ok(tsr_float_to_double((tsr_float_kind)elem->sub, bits)))
            return false;
    }
    return true;
}

static bool any_zero(const tsr_attr *a)
{
    size_t size = tsr_type_storage_bits(a->type->elem) / 8;
    static const char zeros[16];
    for (size_t i = 0; size && size <= sizeof zeros && i + size <= a->s.len; i += size)
        if (memcmp(a->s.data + i, zeros, size) == 0)
            return true;
    return false;
}

/* ---- Rules ---- */

/* f(c) -> constant, of any number that is not complex. */
bool rule_fold_unary(tsr_rewriter *r, tsr_op *op)
{
    return real_numbers(tsr_rw_in(op, 0)) && becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

static bool positive(double v)
{
    return v > 0;
}
static bool not_negative(double v)
{
    return v >= 0;
}
static bool not_nan(double v)
{
    return !isnan(v);
}

static bool fold_where(tsr_rewriter *r, tsr_op *op, bool (*ok)(double v))
{
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    return a && all_floats(a, ok) && rule_fold_unary(r, op);
}

/* log(c), rsqrt(c) -> constant, of positive numbers. */
bool rule_fold_positive(tsr_rewriter *r, tsr_op *op)
{
    return fold_where(r, op, positive);
}

/* sqrt(c) -> constant, but not of negative numbers. */
bool rule_fold_sqrt(tsr_rewriter *r, tsr_op *op)
{
    return fold_where(r, op, not_negative);
}

/* sign(c) -> constant; NaN has no sign. */
bool rule_fold_sign(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *v = tsr_rw_in(op, 0);
    if (real_numbers(v) && tsr_elem_is_int(v->type->elem))
        return v->type->elem->sub != TSR_UNSIGNED && rule_fold_unary(r, op);
    return fold_where(r, op, not_nan);
}

/* f(c, d) -> constant */
bool rule_fold_binary(tsr_rewriter *r, tsr_op *op)
{
    return shape_numbers(r, op->out[0].type, false) && real_numbers(tsr_rw_in(op, 0)) &&
           becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* compare(c, d) -> constant. Its compare_type counts, even if the elements' own type differs; strict: then it is not
 * folded, since implementations disagree. */
bool rule_fold_compare(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *how = op->attrs[STABLEHLO_COMPARE_compare_type];
    tsr_type *elem = tsr_rw_in(op, 0)->type->elem;
    if (!real_numbers(tsr_rw_in(op, 0)))
        return false;
    bool is_signed = tsr_elem_is_int(elem) && elem->width > 1 && elem->sub != TSR_UNSIGNED;
    if (!how || !tsr_elem_is_int(elem) ||
        (how->i != TSR_COMPARE_TYPE_SIGNED && how->i != TSR_COMPARE_TYPE_UNSIGNED) ||
        (how->i == TSR_COMPARE_TYPE_SIGNED) == is_signed || elem->width == 1)
        return becomes_constant(r, op, tsr_fold_by_kernel(r, op));
    tsr_type *as = tsr_type_integer(
        r->ctx, elem->width, how->i == TSR_COMPARE_TYPE_UNSIGNED ? TSR_UNSIGNED : TSR_SIGNLESS);
    return !r->o->strict && becomes_constant(r, op, fold_as(r, op, as));
}

/* c / d, c % d -> constant, unless an integer of d is 0 */
bool rule_fold_quotient(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *by = tsr_const_of(tsr_rw_in(op, 1));
    return by && !(tsr_elem_is_int(by->type->elem) && any_zero(by)) && rule_fold_binary(r, op);
}

/* f(c, d) -> constant, of integers */
bool rule_fold_bits(tsr_rewriter *r, tsr_op *op)
{
    return real_numbers(&op->out[0]) && tsr_elem_is_int(op->out[0].type->elem) &&
           becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* clamp(c, d, e) -> constant */
bool rule_fold_clamp(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    return shape_numbers(r, type, false) && tsr_rw_in(op, 0)->type == type &&
           tsr_rw_in(op, 2)->type == type && becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* Whether floats fit into integers of this many bits: infinities and -0 are not folded, since their conversion is not
 * well defined. */
static bool fits_int(const tsr_attr *a, const tsr_type *to)
{
    const tsr_type *elem = a->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    bool plain = to->sub != TSR_UNSIGNED;
    double high = ldexp(1, (int)to->width - (plain ? 1 : 0)), low = plain ? -high : 0;
    for (size_t i = 0; size && i + size <= a->s.len; i += size) {
        uint64_t bits = 0;
        for (size_t b = 0; b < size && b < 8; b++)
            bits |= (uint64_t)(uint8_t)a->s.data[i + b] << 8 * b;
        double v = tsr_float_to_double((tsr_float_kind)elem->sub, bits);
        if (!isfinite(v) || (v == 0 && signbit(v)) || trunc(v) < low || trunc(v) >= high)
            return false;
    }
    return true;
}

/* convert(c) -> constant */
bool rule_fold_convert(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *to = op->out[0].type;
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    if (!a || !real_numbers(tsr_rw_in(op, 0)) || !real_numbers(&op->out[0]) ||
        !shape_numbers(r, to, false) || !within_limit(r, to))
        return false;
    const tsr_type *from = a->type->elem;
    if (tsr_elem_is_float(from) && !r->o->optimize_float)
        return false;
    if (tsr_elem_is_float(from) && tsr_elem_is_int(to->elem) && to->elem->width > 1 &&
        !fits_int(a, to->elem))
        return false;
    return becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* broadcast_in_dim(splat) -> splat */
bool rule_fold_broadcast(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *splat = tsr_const_splat(tsr_rw_in(op, 0));
    return splat && tsr_type_has_static_shape(type) && shape_numbers(r, type, true) &&
           splat->type->elem == type->elem &&
           becomes_constant(r, op, tsr_const_resized(r, splat, type));
}

/* concatenate(c, d, ...) -> constant */
bool rule_fold_concatenate(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    if (!shape_numbers(r, type, false) || !within_limit(r, type))
        return false;
    size_t size = tsr_type_storage_bits(type->elem) / 8,
           dim = (size_t)op->attrs[STABLEHLO_CONCATENATE_dimension]->i;
    int64_t rows = 1;
    for (size_t i = 0; i < dim; i++)
        rows *= type->dims[i];
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_const_of(tsr_rw_in(op, i)) || tsr_rw_in(op, i)->type->elem != type->elem)
            return false;
    if (!size || !rows)
        return false;
    size_t bytes = (size_t)tsr_type_num_elements(type) * size;
    char *data = tsr_arena_alloc(r->p->scratch, bytes ? bytes : 1), *to = data;
    for (int64_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_attr *a = tsr_const_of(tsr_rw_in(op, i));
            size_t n = (size_t)(tsr_type_num_elements(tsr_rw_in(op, i)->type) / rows);
            if (!a->sub)
                memcpy(to, a->s.data + (size_t)row * n * size, n * size);
            for (size_t k = 0; a->sub && k < n; k++)
                memcpy(to + k * size, a->s.data, size);
            to += n * size;
        }
    }
    return becomes_constant(r, op, tsr_attr_dense(r->ctx, r->module, type, data, bytes, false));
}

/* concatenate(splat, splat, x) -> concatenate(longer splat, x), of equal neighbours */
bool rule_merge_splats(tsr_rewriter *r, tsr_op *op)
{
    size_t dim = (size_t)op->attrs[STABLEHLO_CONCATENATE_dimension]->i;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    uint32_t n = 0;
    bool merged = false;
    for (uint32_t i = 0; i < op->nin;) {
        tsr_attr *splat = tsr_const_splat(tsr_rw_in(op, i));
        uint32_t same = 1;
        while (splat && i + same < op->nin && tsr_const_splat(tsr_rw_in(op, i + same)) == splat)
            same++;
        in[n++] = tsr_rw_in(op, i);
        if (same > 1) {
            int64_t *dims = tsr_rw_ints(r, splat->type->n);
            memcpy(dims, splat->type->dims, splat->type->n * sizeof *dims);
            dims[dim] *= same;
            tsr_type *type =
                tsr_type_tensor(r->ctx, dims, splat->type->n, splat->type->elem, splat->type->attr);
            in[n - 1] = tsr_rw_constant(r, op, tsr_const_resized(r, splat, type));
            merged = true;
        }
        i += same;
    }
    if (merged)
        tsr_rw_set_operands(r, op, in, n);
    return merged;
}

/* get_dimension_size(x, d) -> constant, if x's type gives it */
bool rule_fold_size(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = tsr_rw_in(op, 0)->type;
    int64_t dim = op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension]->i;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || dim >= (int64_t)type->n ||
        type->dims[dim] == TSR_DYNAMIC)
        return false;
    return becomes_constant(r, op, tsr_const_number(r, op->out[0].type, type->dims[dim]));
}

/* set_dimension_size(x, n) -> x, when its dimension has that size */
bool rule_fold_set_size(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    int64_t dim = op->attrs[STABLEHLO_SET_DIMENSION_SIZE_dimension]->i;
    size_t n;
    const int64_t *size = tsr_const_ints(r, tsr_rw_in(op, 1), &n);
    if (!size || n != 1 || tsr_rw_in(op, 0)->type != type || dim >= (int64_t)type->n ||
        type->dims[dim] != size[0])
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* reshape(c) -> constant */
bool rule_fold_reshape(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    return a && tsr_type_has_static_shape(type) && shape_numbers(r, type, true) &&
           a->type->elem == type->elem &&
           becomes_constant(r, op,
                            tsr_attr_dense(r->ctx, r->module, type, a->s.data, a->s.len, a->sub));
}

/* slice(c) -> constant */
bool rule_fold_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    if (!a || !tsr_type_has_static_shape(type) || !shape_numbers(r, type, false) ||
        a->type->elem != type->elem)
        return false;
    return becomes_constant(r, op,
                            a->sub ? tsr_const_resized(r, a, type) : tsr_fold_by_kernel(r, op));
}

/* dynamic_slice(splat, ...) -> splat */
bool rule_fold_dynamic_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *splat = tsr_const_splat(tsr_rw_in(op, 0));
    return splat && tsr_type_has_static_shape(type) && splat->type->elem == type->elem &&
           becomes_constant(r, op, tsr_const_resized(r, splat, type));
}

/* transpose(c) -> constant */
bool rule_fold_transpose(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    if (!a || !tsr_type_has_static_shape(type) || a->type->elem != type->elem)
        return false;
    return becomes_constant(r, op,
                            a->sub ? tsr_const_resized(r, a, type) : tsr_fold_by_kernel(r, op));
}

/* reverse(c) -> constant; if nothing moves no constant is created */
bool rule_fold_reverse(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = tsr_rw_in(op, 0)->type;
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0)),
                   *dims = op->attrs[STABLEHLO_REVERSE_dimensions];
    if (!a || a->sub || !within_limit(r, type) || !real_numbers(tsr_rw_in(op, 0)))
        return false;
    bool moves = false;
    for (size_t i = 0; i < tsr_hlo_len(dims); i++)
        moves |= type->dims[tsr_hlo_at(dims, i)] > 1;
    return moves && becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* select(c, d, e) -> constant */
bool rule_fold_select(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *pred = tsr_const_of(tsr_rw_in(op, 0));
    tsr_attr *yes = tsr_const_of(tsr_rw_in(op, 1)), *no = tsr_const_of(tsr_rw_in(op, 2));
    if (!pred || !yes || !no || !tsr_type_has_static_shape(type) || !shape_numbers(r, type, false))
        return false;
    if (pred->sub)
        return becomes_constant(r, op, tsr_const_is(pred, TSR_IS_ZERO) ? no : yes);
    return tsr_elem_is_int(type->elem) && within_limit(r, type) &&
           becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* iota -> constant, of one element or none */
bool rule_fold_iota(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    int64_t n = tsr_type_num_elements(type);
    return (n == 0 || n == 1) && tsr_elem_is_int(type->elem) && within_limit(r, type) &&
           becomes_constant(r, op, tsr_const_number(r, type, 0));
}
