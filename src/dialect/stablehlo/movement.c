/* SPDX-License-Identifier: Apache-2.0 */
/* movement.c - result types and rules of ops that move whole tensors: broadcasts, reshapes, transposes, concatenation,
 * reinterpretation, and dimension sizes. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/movement.h"
#include "base/decimal.h"

/* ---- Broadcasts ---- */

bool infer_stablehlo_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *sizes = tsr_attr_of(op, STABLEHLO_BROADCAST_broadcast_sizes);
    size_t n = tsr_hlo_len(sizes);
    for (size_t i = 0; i < n; i++)
        if (tsr_hlo_at(sizes, i) < 0)
            return tsr_hlo_error(op, "Broadcast with negative dimension size %lld",
                                 (long long)tsr_hlo_at(sizes, i));
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, n + t->n, false);
    for (size_t i = 0; i < s.n; i++)
        s.dims[i] = i < n ? tsr_hlo_at(sizes, i) : t->dims[i - n];
    tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, NULL));
    return true;
}

bool tsr_hlo_verify_broadcast_dim(const tsr_op *op, int64_t dim, const tsr_type *to)
{
    if (dim >= 0 && dim < to->n)
        return true;
    return tsr_hlo_error(op,
                         "broadcast_dimensions contains invalid value %lld for result with rank %u",
                         (long long)dim, to->n);
}

bool tsr_hlo_verify_broadcast_scales(const tsr_op *op, const tsr_type *from, const tsr_type *to,
                                     const tsr_attr *dims)
{
    int64_t in = tsr_hlo_quantized_dim(from), to_dim = tsr_hlo_quantized_dim(to);
    if (to_dim < 0 || to_dim >= to->n || in < 0 || (size_t)in >= tsr_hlo_len(dims) || in >= from->n)
        return true;
    int64_t want = tsr_hlo_at(dims, (size_t)in);
    if (to_dim != want)
        return tsr_hlo_error(
            op, "result quantization_dimension %lld not same as broadcast_dimensions[%lld] = %lld",
            (long long)to_dim, (long long)in, (long long)want);
    if (from->dims[in] != 1)
        return true;
    for (size_t i = 0; i < tsr_hlo_num_scales(to); i++) {
        if (tsr_hlo_scale(to, i) != tsr_hlo_scale(from, 0))
            return tsr_hlo_error(op, "mismatch result scale %zu (%s) and operand scale 0 (%s)", i,
                                 tsr_spell('e', 0, 6, tsr_hlo_scale(to, i)).text,
                                 tsr_spell('e', 0, 6, tsr_hlo_scale(from, 0)).text);
        if (tsr_hlo_zero_point(to, i) != tsr_hlo_zero_point(from, 0))
            return tsr_hlo_error(
                op, "mismatch result zero_point %zu (%lld) and operand zero_point 0 (%lld)", i,
                (long long)tsr_hlo_zero_point(to, i), (long long)tsr_hlo_zero_point(from, 0));
    }
    return true;
}

bool verify_stablehlo_broadcast_in_dim(tsr_op *op)
{
    tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    TSR_TRY(tsr_hlo_verify_scale(op, from, to));
    if (tsr_hlo_len(dims) != from->n)
        return tsr_hlo_error(op, "broadcast_dimensions size (%zu) does not match operand rank (%u)",
                             tsr_hlo_len(dims), from->n);
    if (!tsr_hlo_is_unique(dims))
        return tsr_hlo_error(op, "broadcast_dimensions should not have duplicates");
    for (uint32_t i = 0; i < from->n; i++) {
        int64_t dim = tsr_hlo_at(dims, i), size = from->dims[i];
        TSR_TRY(tsr_hlo_verify_broadcast_dim(op, dim, to));
        if (size != TSR_DYNAMIC && size != 1 && size != to->dims[dim])
            return tsr_hlo_error(op,
                                 "size of operand dimension %u (%lld) is not equal to 1 or size of "
                                 "result dimension %lld (%lld)",
                                 i, (long long)size, (long long)dim, (long long)to->dims[dim]);
    }
    return tsr_hlo_verify_broadcast_scales(op, from, to, dims);
}

/* ---- Reshapes ---- */

/* The number of elements of a static shape, or of its first n dimensions; wraps around. */
static uint64_t product(const int64_t *dims, size_t n)
{
    uint64_t p = 1;
    for (size_t i = 0; i < n; i++)
        p *= (uint64_t)dims[i];
    return p;
}

bool tsr_hlo_verify_num_elements(const tsr_op *op, const tsr_type *from, const tsr_type *to)
{
    if (!tsr_type_has_static_shape(from) || !tsr_type_has_static_shape(to))
        return true;
    uint64_t have = product(from->dims, from->n), want = product(to->dims, to->n);
    if (have == want)
        return true;
    return tsr_hlo_error(
        op, "number of output elements (%lld) doesn't match expected number of elements (%lld)",
        (long long)want, (long long)have);
}

bool tsr_hlo_verify_reshape_scales(const tsr_op *op, tsr_type *from, tsr_type *to)
{
    TSR_TRY(tsr_hlo_verify_scale(op, from, to));
    TSR_TRY(tsr_hlo_verify_scales(op, from, to));
    int64_t in = tsr_hlo_quantized_dim(from), at = tsr_hlo_quantized_dim(to);
    if (in < 0 || at < 0 || in >= from->n || at >= to->n)
        return true;
    if (!tsr_hlo_dims_compatible(from->dims[in], to->dims[at]))
        return tsr_hlo_error(
            op, "expect same quantization dimension size for operand and result %s and %s",
            tsr_hlo_show_type(from), tsr_hlo_show_type(to));
    if (!tsr_type_has_static_shape(from) || !tsr_type_has_static_shape(to))
        return true;
    uint64_t before = product(from->dims, (size_t)in), after = product(to->dims, (size_t)at);
    if (before != after)
        return tsr_hlo_error(
            op,
            "product of dimensions before quantization dimension must match between operand and "
            "result for %llu and %llu",
            (unsigned long long)before, (unsigned long long)after);
    return true;
}

bool verify_stablehlo_reshape(tsr_op *op)
{
    tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    if (!tsr_type_has_static_shape(from) || !tsr_type_has_static_shape(to))
        return true;
    return tsr_hlo_verify_num_elements(op, from, to) && tsr_hlo_verify_reshape_scales(op, from, to);
}

static bool verify_widths(const tsr_op *op, const tsr_type *from, const tsr_type *to, bool grows)
{
    const tsr_type *small = grows ? from : to, *big = grows ? to : from;
    uint32_t bits = tsr_hlo_bits(small->elem), all = tsr_hlo_bits(big->elem);
    if (bits != all && small->n != big->n + 1)
        return tsr_hlo_error(
            op,
            "rank of smaller element type (%u) should be 1 more than rank of larger element type "
            "(%u), but %u != %u + 1.",
            small->n, big->n, small->n, big->n);
    int64_t last = small->n ? small->dims[small->n - 1] : TSR_DYNAMIC;
    if (bits != all && last != TSR_DYNAMIC && (uint64_t)last * bits != all)
        return tsr_hlo_error(
            op, "requires compatible bit widths. Got: %s and %s, but %u * %lld != %u.",
            tsr_hlo_show_type(from), tsr_hlo_show_type(to), bits, (long long)last, all);
    uint32_t shared = bits != all ? small->n - 1 : small->n;
    for (uint32_t i = 0; i < shared && i < big->n; i++)
        if (!tsr_hlo_dims_compatible(small->dims[i], big->dims[i]))
            return tsr_hlo_error(
                op,
                "operand and result shapes must match except for the innermost dimension of the "
                "shape with the smaller element type. Got: %s and %s.",
                tsr_hlo_show_type(from), tsr_hlo_show_type(to));
    return true;
}

bool verify_stablehlo_bitcast_convert(tsr_op *op)
{
    const tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    if ((from->elem->kind == TSR_TYPE_COMPLEX) != (to->elem->kind == TSR_TYPE_COMPLEX))
        return tsr_hlo_error(op,
                             "cannot convert between real and complex types, but got: %s and %s",
                             tsr_hlo_show_type(from), tsr_hlo_show_type(to));
    return verify_widths(op, from, to, tsr_hlo_bits(from->elem) < tsr_hlo_bits(to->elem));
}

/* ---- Order of dimensions and of elements ---- */

bool infer_stablehlo_reverse(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_hlo_in(op, 0));
    return true;
}

bool verify_stablehlo_reverse(tsr_op *op)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REVERSE_dimensions);
    uint32_t rank = tsr_hlo_in(op, 0)->n;
    if (!tsr_hlo_is_unique(dims))
        return tsr_hlo_error(op, "dimensions should be unique. Got: %s",
                             tsr_hlo_show_ints(op->module->ctx, dims));
    for (size_t i = 0; i < tsr_hlo_len(dims); i++) {
        int64_t dim = tsr_hlo_at(dims, i);
        if (dim < 0)
            return tsr_hlo_error(op, "all dimensions should be non-negative. Got dimension: %lld.",
                                 (long long)dim);
        if (dim >= rank)
            return tsr_hlo_error(op,
                                 "all dimensions should be between [0, %u). Got dimension: %lld.",
                                 rank, (long long)dim);
    }
    return true;
}

static const char *show_range(tsr_ctx *ctx, uint32_t n) /* 0, 1, ... */
{
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, n, false);
    for (uint32_t i = 0; i < n; i++)
        s.dims[i] = i;
    const char *text = tsr_hlo_show_dims(ctx, s.dims, n);
    tsr_hlo_shape_drop(&s);
    return text;
}

bool infer_stablehlo_transpose(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *order = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    const int64_t *bounds = tsr_hlo_bounds(t);
    if (tsr_hlo_len(order) != t->n)
        return tsr_hlo_error(op, "TransposeOp operand rank %u does not match permutation size %zu",
                             t->n, tsr_hlo_len(order));
    bool fits = tsr_hlo_is_unique(order);
    for (uint32_t i = 0; i < t->n; i++)
        fits = fits && tsr_hlo_at(order, i) >= 0 && tsr_hlo_at(order, i) < t->n;
    if (!fits)
        return tsr_hlo_error(op, "attribute permutation must be a permutation of [%s] but got %s",
                             show_range(t->ctx, t->n), tsr_hlo_show_ints(t->ctx, order));
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, t->n, bounds != NULL);
    for (uint32_t i = 0; i < t->n; i++) {
        s.dims[i] = t->dims[tsr_hlo_at(order, i)];
        if (bounds)
            s.bounds[i] = bounds[tsr_hlo_at(order, i)];
    }
    tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, t->attr));
    return true;
}

bool verify_stablehlo_transpose(tsr_op *op)
{
    tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    const tsr_attr *order = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    TSR_TRY(tsr_hlo_verify_scale(op, from, to) && tsr_hlo_verify_scales(op, from, to));
    int64_t in = tsr_hlo_quantized_dim(from), at = tsr_hlo_quantized_dim(to);
    if (in < 0 || at < 0 ||
        (size_t)at >= tsr_hlo_len(order)) /* inference reports an invalid permutation */
        return true;
    if (tsr_hlo_at(order, (size_t)at) != in)
        return tsr_hlo_error(
            op, "operand quantization_dimension %lld is not same as permutation[%lld] = %lld",
            (long long)in, (long long)at, (long long)tsr_hlo_at(order, (size_t)at));
    return true;
}

/* ---- Concatenation ---- */

static bool check_concatenated(const tsr_op *op, int64_t dim)
{
    const tsr_type *first = tsr_hlo_in(op, 0);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        if (t == first)
            continue;
        if (t->n != first->n)
            return tsr_hlo_error(op, "operands (0) and (%u) do not match rank", i);
        for (uint32_t d = 0; d < t->n; d++)
            if (d != dim && !tsr_hlo_dims_compatible(first->dims[d], t->dims[d]))
                return tsr_hlo_error(op,
                                     "shapes of operand (0) and (%u) are not compatible at "
                                     "non-concat index %u: (%s) != (%s)",
                                     i, d, tsr_hlo_show_dims(t->ctx, first->dims, first->n),
                                     tsr_hlo_show_dims(t->ctx, t->dims, t->n));
    }
    return true;
}

bool infer_stablehlo_concatenate(const tsr_op *op, tsr_type_vec *out)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i;
    if (!op->nin)
        return tsr_hlo_error(op, "expects at least one operand");
    const tsr_type *first = tsr_hlo_in(op, 0);
    if (first->n == 0)
        return tsr_hlo_error(op, "rank-0 values cannot be concatenated");
    if (dim >= first->n)
        return tsr_hlo_error(op, "dimension %lld is out-of-bounds for input rank %u",
                             (long long)dim, first->n);
    TSR_TRY(check_concatenated(op, dim));
    tsr_hlo_shape s;
    tsr_attr *encoding = NULL;
    bool bounded = false, ok = true;
    tsr_hlo_shape_start(&s, first->n, true);
    s.dims[dim] = 0;
    for (uint32_t i = 0; i < op->nin && ok; i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        bounded |= tsr_hlo_bounds(t) != NULL;
        encoding = encoding ? encoding : t->attr;
        for (uint32_t d = 0; d < t->n && ok; d++) {
            tsr_hlo_dim known = {s.dims[d], s.bounds[d]}, other = tsr_hlo_dim_of(t, d);
            if (d == dim)
                known = tsr_hlo_dim_concat(known, other);
            else
                ok = tsr_hlo_dim_most(op, d, known, other, &known);
            s.dims[d] = known.size;
            s.bounds[d] = known.bound;
        }
    }
    if (!bounded)
        s.bounds = NULL;
    if (ok)
        tsr_vec_push(out, tsr_hlo_shape_done(&s, first->elem, encoding));
    else
        tsr_hlo_shape_drop(&s);
    return ok;
}

/* ---- Sizes of dimensions ---- */

static bool check_dimension(const tsr_op *op, const tsr_type *t, int64_t dim)
{
    if (dim < 0)
        return tsr_hlo_error(op, "requires non-negative dimension attribute; found (%lld)",
                             (long long)dim);
    if (dim >= t->n)
        return tsr_hlo_error(op, "requires dimension attribute in range [0, %u); found (%lld)",
                             t->n, (long long)dim);
    return true;
}

bool infer_stablehlo_get_dimension_size(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    TSR_TRY(check_dimension(op, tsr_hlo_in(op, 0),
                            tsr_attr_of(op, STABLEHLO_GET_DIMENSION_SIZE_dimension)->i));
    tsr_vec_push(out, tsr_type_tensor(ctx, NULL, 0, ctx->i32, NULL));
    return true;
}

/* The old size becomes the bound of the new one, unless the new one is known to be as large. */
bool infer_stablehlo_set_dimension_size(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    int64_t dim = tsr_attr_of(op, STABLEHLO_SET_DIMENSION_SIZE_dimension)->i;
    if (tsr_hlo_in(op, 1)->n != 0)
        return tsr_hlo_error(op, "size operand should be of rank-0");
    TSR_TRY(check_dimension(op, t, dim));
    tsr_hlo_shape s;
    tsr_i64_vec size = {0};
    tsr_hlo_shape_start(&s, t->n, true);
    for (uint32_t d = 0; d < t->n; d++) {
        tsr_hlo_dim known = tsr_hlo_dim_of(t, d);
        s.dims[d] = known.size;
        s.bounds[d] = known.bound;
    }
    if (s.dims[dim] != TSR_DYNAMIC)
        s.bounds[dim] = s.dims[dim];
    s.dims[dim] = TSR_DYNAMIC;
    if (tsr_hlo_const_ints(op->in[1].value, &size) && size.n == 1 &&
        size.data[0] == s.bounds[dim]) {
        s.dims[dim] = size.data[0];
        s.bounds[dim] = TSR_DYNAMIC;
    }
    tsr_vec_free(&size);
    tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, NULL));
    return true;
}
