/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.c - rules of ops whose result shape is an operand. The value of such an operand is known only if it is a
 * constant; the rules then check it against the types. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/movement.h"

bool verify_stablehlo_dynamic_iota(tsr_op *op)
{
    const tsr_type *t = op->out[0].type;
    if (tsr_attr_of(op, STABLEHLO_DYNAMIC_IOTA_iota_dimension)->i >= t->n)
        return tsr_hlo_error(op, "iota dimension cannot go beyond the output rank.");
    return tsr_hlo_verify_shape_operand(op, op->in[0].value, t);
}

/* If neither is quantized, the elements must be the same; quantized ones have rules of their own. */
static bool check_elements(const tsr_op *op, const tsr_type *from, const tsr_type *to)
{
    if (tsr_hlo_is_quantized(from) || tsr_hlo_is_quantized(to) ||
        tsr_hlo_compatible_element(from, to))
        return true;
    return tsr_hlo_error(
        op, "expects operand and result to have compatible element type. Got: %s and %s",
        tsr_hlo_show_type(from), tsr_hlo_show_type(to));
}

bool verify_stablehlo_dynamic_reshape(tsr_op *op)
{
    tsr_type *from = tsr_hlo_in(op, 0), *shape = tsr_hlo_in(op, 1), *to = op->out[0].type;
    TSR_TRY(check_elements(op, from, to));
    TSR_TRY(tsr_hlo_verify_num_elements(op, from, to));
    TSR_TRY(tsr_hlo_verify_shape_operand(op, op->in[1].value, to));
    if (shape->n == 1 && shape->dims[0] != to->n)
        return tsr_hlo_error(
            op, "result should have a rank equal to the number of elements in output_shape");
    tsr_i64_vec dims = {0};
    bool ok = true;
    if (tsr_type_has_static_shape(from) && tsr_hlo_const_ints(op->in[1].value, &dims)) {
        uint64_t have = 1, want = 1;
        for (uint32_t i = 0; i < from->n; i++)
            have *= (uint64_t)from->dims[i];
        for (size_t i = 0; i < dims.n; i++)
            want *= (uint64_t)dims.data[i];
        if (have != want)
            ok = tsr_hlo_error(op,
                               "output_shape is incompatible with input type of operation: input "
                               "has %lld elements, "
                               "but output_shape has %lld",
                               (long long)have, (long long)want);
    }
    tsr_vec_free(&dims);
    return ok && tsr_hlo_verify_reshape_scales(op, from, to);
}

/* ---- Broadcast ---- */

static bool check_broadcast_dims(const tsr_op *op, const tsr_type *from, const tsr_type *to,
                                 const tsr_attr *dims)
{
    if (tsr_hlo_len(dims) != from->n)
        return tsr_hlo_error(op, "broadcast_dimensions size (%zu) does not match operand rank (%u)",
                             tsr_hlo_len(dims), from->n);
    if (to->n < from->n)
        return tsr_hlo_error(op, "result rank (%u) is less than operand rank (%u)", to->n, from->n);
    if (!tsr_hlo_is_unique(dims))
        return tsr_hlo_error(op, "broadcast_dimensions should not have duplicates");
    for (uint32_t i = 0; i < from->n; i++) {
        int64_t dim = tsr_hlo_at(dims, i), size = from->dims[i];
        TSR_TRY(tsr_hlo_verify_broadcast_dim(op, dim, to));
        if (size != 1 && !tsr_hlo_dims_compatible(size, to->dims[dim]))
            return tsr_hlo_error(
                op,
                "size of operand dimension %u (%lld) is not compatible with size of result "
                "dimension %lld (%lld)",
                i, (long long)size, (long long)dim, (long long)to->dims[dim]);
    }
    return true;
}

static bool check_hints(const tsr_op *op, const tsr_type *from)
{
    const tsr_attr *hints[] = {
        tsr_attr_of(op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_expanding_dimensions),
        tsr_attr_of(op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_nonexpanding_dimensions)};
    if (tsr_hlo_repeats(hints[0], hints[1]))
        return tsr_hlo_error(op, "duplicate expansion hint for at least one operand dimension");
    for (size_t h = 0; h < TSR_COUNT(hints); h++)
        for (size_t i = 0; i < tsr_hlo_len(hints[h]); i++) {
            int64_t dim = tsr_hlo_at(hints[h], i);
            if (dim < 0 || dim >= from->n)
                return tsr_hlo_error(
                    op,
                    "hint for expanding dimension %lld does not refer to a valid operand dimension",
                    (long long)dim);
        }
    return true;
}

/* Checks that the constant shape matches the result type and that the dimensions are in range. */
static bool check_broadcast_shape(const tsr_op *op, const tsr_type *from, const tsr_attr *dims)
{
    tsr_i64_vec shape = {0};
    bool ok = true;
    if (tsr_type_has_static_shape(from) && tsr_hlo_const_ints(op->in[1].value, &shape))
        for (uint32_t i = 0; i < from->n && ok; i++) {
            int64_t dim = tsr_hlo_at(dims, i);
            if ((size_t)dim < shape.n && from->dims[i] != 1 && from->dims[i] != shape.data[dim])
                ok = tsr_hlo_error(op,
                                   "size of operand dimension %u (%lld) is not equal to 1 or value "
                                   "of shape at index "
                                   "%lld (%lld)",
                                   i, (long long)from->dims[i], (long long)dim,
                                   (long long)shape.data[dim]);
        }
    tsr_vec_free(&shape);
    return ok;
}

bool verify_stablehlo_dynamic_broadcast_in_dim(tsr_op *op)
{
    const tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions);
    TSR_TRY(check_elements(op, from, to));
    TSR_TRY(check_broadcast_dims(op, from, to, dims));
    TSR_TRY(tsr_hlo_verify_shape_operand(op, op->in[1].value, to));
    TSR_TRY(check_hints(op, from));
    TSR_TRY(check_broadcast_shape(op, from, dims));
    return tsr_hlo_verify_broadcast_scales(op, from, to, dims);
}

/* ---- Slices and pads ---- */

bool verify_stablehlo_real_dynamic_slice(tsr_op *op)
{
    static const char *const names[] = {"start_indices", "limit_indices", "strides"};
    uint32_t rank = tsr_hlo_in(op, 0)->n;
    for (uint32_t i = 0; i < TSR_COUNT(names); i++) {
        const tsr_type *t = tsr_hlo_in(op, i + 1);
        if (!tsr_type_has_static_shape(t))
            continue;
        int64_t n = tsr_type_num_elements(t);
        if (n != rank)
            return tsr_hlo_error(op,
                                 "has mismatched number of operand rank (%u) and %s size (%lld)",
                                 rank, names[i], (long long)n);
    }
    return true;
}

/* All five are constants or static. */
static bool check_padded(const tsr_op *op, const tsr_type *from, const tsr_type *to,
                         const tsr_i64_vec *low, const tsr_i64_vec *high,
                         const tsr_i64_vec *interior)
{
    for (uint32_t i = 0; i < from->n && i < to->n && i < low->n && i < high->n && i < interior->n;
         i++) {
        uint64_t size = (uint64_t)from->dims[i], gaps = size > 1 ? size - 1 : 0;
        int64_t want = (int64_t)(size + (uint64_t)low->data[i] +
                                 gaps * (uint64_t)interior->data[i] + (uint64_t)high->data[i]);
        if (to->dims[i] != want)
            return tsr_hlo_error(
                op, "expected output dimension at index %u to equal %lld, but got %lld", i,
                (long long)want, (long long)to->dims[i]);
    }
    return true;
}

bool verify_stablehlo_dynamic_pad(tsr_op *op)
{
    const tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type, *sizes = tsr_hlo_in(op, 2);
    if (sizes->n != 1 || sizes->dims[0] != from->n)
        return tsr_hlo_error(op, "padding operands size (%lld) must match operand rank (%u)",
                             (long long)(sizes->n ? sizes->dims[0] : 0), from->n);
    tsr_i64_vec low = {0}, high = {0}, interior = {0};
    bool known = tsr_hlo_const_ints(op->in[4].value, &interior), ok = true;
    for (size_t i = 0; i < interior.n && ok; i++)
        if (interior.data[i] < 0)
            ok = tsr_hlo_error(op, "interior_padding must be non-negative, but got %s",
                               tsr_hlo_show_dims(op->module->ctx, interior.data, interior.n));
    known = known && tsr_type_has_static_shape(from) && tsr_type_has_static_shape(to) &&
            tsr_hlo_const_ints(op->in[2].value, &low) && tsr_hlo_const_ints(op->in[3].value, &high);
    if (ok && known)
        ok = check_padded(op, from, to, &low, &high, &interior);
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    tsr_vec_free(&interior);
    return ok;
}
