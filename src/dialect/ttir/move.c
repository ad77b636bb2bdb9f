/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - ops that change shapes or move elements: reshapes, permutations, slices, concatenation, gathers. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

/* ---- Reshapes ---- */

bool infer_ttir_reshape(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *shape = op->attrs[TTIR_RESHAPE_shape];
    tt_shape s = {0};
    int64_t total = tsr_type_num_elements(IN(op, 0)), known = 1;
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < tt_count(shape); i++) {
        int64_t d = tt_int_at(shape, i);
        TSR_TRY(tt_shape_add(op, &s, d < 0 ? TSR_DYNAMIC : d));
        if (d == -1 && open == SIZE_MAX)
            open = i;
        else if (d >= 0)
            known = tt_times(known, d);
    }
    if (open != SIZE_MAX && total >= 0 && known > 0 && total % known == 0)
        s.d[open] = total / known;
    return tt_result(op, out, &s);
}

bool verify_ttir_reshape(tsr_op *op)
{
    const tsr_attr *shape = op->attrs[TTIR_RESHAPE_shape];
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    size_t n = tt_count(shape);
    bool open = false;
    if (n != out->n)
        return tsr_op_error(op, "Shape attribute size %zu must match output tensor rank %u", n,
                            out->n);
    int64_t have = tsr_type_num_elements(in), want = tsr_type_num_elements(out);
    if (have >= 0 && want >= 0 && have != want)
        return tsr_op_error(op,
                            "Input tensor number of elements %lld and output tensor number of "
                            "elements %lld must be "
                            "the same",
                            (long long)have, (long long)want);
    for (size_t i = 0; i < n; i++) {
        int64_t d = tt_int_at(shape, i);
        if (d == -1) {
            if (open)
                return tsr_op_error(op, "Shape attribute must have at most one -1 element");
            open = true;
        } else if (d < 0) {
            return tsr_op_error(op, "All dimensions must be >= 0 except the one with -1");
        } else if (d != out->dims[i]) {
            return tsr_op_error(
                op,
                "Shape attribute %lld must match the output tensor shape %lld at index %zu for "
                "dimension that is not -1",
                (long long)d, (long long)out->dims[i], i);
        }
    }
    return true;
}

static bool squeeze_dim(const tsr_op *op, size_t *dim)
{
    const tsr_type *in = IN(op, 0);
    int64_t d = tt_int(op, TTIR_SQUEEZE_dim, 0);
    if (!tt_dim(d, in->n, dim))
        return tsr_op_error(op, "Invalid dimension %lld for squeezing.",
                            (long long)(d < 0 ? d + in->n : d));
    return in->dims[*dim] == 1 ||
           tsr_op_error(op, "Dimension %zu in the input tensor must be 1.", *dim);
}

bool infer_ttir_squeeze(const tsr_op *op, tsr_type_vec *out)
{
    size_t dim;
    tt_shape s;
    TSR_TRY(squeeze_dim(op, &dim) && tt_shape_of(op, IN(op, 0), &s));
    memmove(s.d + dim, s.d + dim + 1, (--s.n - dim) * sizeof *s.d);
    return tt_result(op, out, &s);
}

bool verify_ttir_squeeze(tsr_op *op)
{
    size_t dim;
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    TSR_TRY(squeeze_dim(op, &dim));
    if (out->n == 0)
        return tsr_op_error(op, "Output tensor must have at least one dimension.");
    if (out->n + 1 != in->n)
        return tsr_op_error(op, "Output tensor rank must be one less than the input tensor rank.");
    for (size_t i = 0; i < out->n; i++)
        if (out->dims[i] != in->dims[i < dim ? i : i + 1])
            return tsr_op_error(
                op,
                "Dimensions of the output tensor must be the same as the input tensor except for "
                "dimension %zu.",
                dim);
    return true;
}

static bool unsqueeze_dim(const tsr_op *op, size_t *dim)
{
    return tt_dim(tt_int(op, TTIR_UNSQUEEZE_dim, 0), IN(op, 0)->n + 1, dim) ||
           tsr_op_error(op, "Dimension attribute must be within the bounds of the input tensor");
}

bool infer_ttir_unsqueeze(const tsr_op *op, tsr_type_vec *out)
{
    size_t dim;
    tt_shape s;
    TSR_TRY(unsqueeze_dim(op, &dim) && tt_shape_of(op, IN(op, 0), &s) && tt_shape_add(op, &s, 1));
    memmove(s.d + dim + 1, s.d + dim, (s.n - 1 - dim) * sizeof *s.d);
    s.d[dim] = 1;
    return tt_result(op, out, &s);
}

bool verify_ttir_unsqueeze(tsr_op *op)
{
    size_t dim;
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    TSR_TRY(unsqueeze_dim(op, &dim));
    if (out->n != in->n + 1)
        return tsr_op_error(op, "Output tensor must have one more dimension than the input tensor");
    if (out->dims[dim] != 1)
        return tsr_op_error(op, "Dimension added must be of size 1");
    for (size_t i = 0; i < in->n; i++)
        if (in->dims[i] != out->dims[i < dim ? i : i + 1])
            return tsr_op_error(op, "All dimensions of the input tensor must be the same as the "
                                    "output tensor except for "
                                    "the dimension added");
    return true;
}

/* ---- Permutations ---- */

static bool permuted(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0);
    tsr_order order;
    tsr_order_of(op, &order);
    bool seen[TT_MAX_RANK] = {false}, ok = order.dims.n == in->n;
    TSR_TRY(tt_shape_of(op, in, out));
    for (size_t i = 0; ok && i < in->n; i++) {
        int64_t d = tsr_ints_at(order.dims, i);
        ok = d >= 0 && d < in->n && !seen[d];
        if (ok) {
            seen[d] = true;
            out->d[i] = in->dims[d];
        }
    }
    if (ok)
        return true;
    int64_t all[TT_MAX_RANK];
    for (size_t i = 0; i < in->n; i++)
        all[i] = (int64_t)i;
    tsr_buf got = {0};
    for (size_t i = 0; i < order.dims.n; i++)
        tsr_buf_printf(&got, "%s%lld", i ? ", " : "", (long long)tsr_ints_at(order.dims, i));
    tsr_op_error(op, "Expected a permutation of (%s), got (%.*s)", tt_join(op, all, in->n, ", "),
                 TSR_STR_ARG(tsr_buf_text(&got)));
    tsr_buf_free(&got);
    return false;
}

bool infer_ttir_permute(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return permuted(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_permute(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(permuted(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "Expected result shape (%s), got (%s)", tt_join(op, s.d, s.n, ", "),
                        tt_show(op, OUT(op), ", "));
}

static bool transposed(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0);
    size_t a, b;
    if (in->n < 2)
        return tsr_op_error(op, "Input must be at least a 2D tensor");
    if (!tt_dim(tt_int(op, TTIR_TRANSPOSE_dim0, 0), in->n, &a))
        return tsr_op_error(op,
                            "Dimension 0 attribute must be within the bounds of the input tensor");
    if (!tt_dim(tt_int(op, TTIR_TRANSPOSE_dim1, 0), in->n, &b))
        return tsr_op_error(op,
                            "Dimension 1 attribute must be within the bounds of the input tensor");
    TSR_TRY(tt_shape_of(op, in, out));
    out->d[a] = in->dims[b];
    out->d[b] = in->dims[a];
    return true;
}

bool infer_ttir_transpose(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return transposed(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_transpose(tsr_op *op)
{
    tt_shape s;
    if (IN(op, 0)->n >= 2 && IN(op, 0)->n != OUT(op)->n)
        return tsr_op_error(op, "Input must have the same rank as output");
    TSR_TRY(transposed(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "Input-output transpose dimension mismatch.");
}

bool verify_ttir_reverse(tsr_op *op)
{
    const tsr_attr *dims = op->attrs[TTIR_REVERSE_dimensions];
    size_t n = tt_count(dims), rank = IN(op, 0)->n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i && k < TT_MAX_RANK; k++)
            if (tt_int_at(dims, i) == tt_int_at(dims, k)) {
                tsr_buf all = {0};
                for (size_t m = 0; m < n; m++)
                    tsr_buf_printf(&all, "%s%lld", m ? ", " : "", (long long)tt_int_at(dims, m));
                tsr_op_error(op, "dimensions should be unique. Got: %.*s",
                             TSR_STR_ARG(tsr_buf_text(&all)));
                tsr_buf_free(&all);
                return false;
            }
    for (size_t i = 0; i < n; i++) {
        int64_t d = tt_int_at(dims, i);
        if (d < 0)
            return tsr_op_error(op, "all dimensions should be non-negative. Got dimension: %lld",
                                (long long)d);
        if (d >= (int64_t)rank)
            return tsr_op_error(
                op, "all dimensions should be in interval [0, %zu). Got dimension: %lld", rank,
                (long long)d);
    }
    return tt_same_shape(IN(op, 0), OUT(op)) ||
           tsr_op_error(op, "failed to verify that all of {input, result} have same shape");
}

/* ---- Copies ---- */

/* Sizes times multipliers in an attribute, one per dimension. */
static bool multiplied(const tsr_op *op, const tsr_attr *by, tt_shape *out)
{
    TSR_TRY(tt_shape_of(op, IN(op, 0), out));
    for (size_t i = 0; i < out->n && i < tt_count(by); i++)
        out->d[i] = tt_times(out->d[i], tt_int_at(by, i));
    return true;
}

bool infer_ttir_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return multiplied(op, op->attrs[TTIR_BROADCAST_broadcast_dimensions], &s) &&
           tt_result(op, out, &s);
}

bool verify_ttir_broadcast(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    const tsr_attr *by = op->attrs[TTIR_BROADCAST_broadcast_dimensions];
    if (in->n != out->n)
        return tsr_op_error(op, "Input tensor rank of %u does not match output tensor rank of %u",
                            in->n, out->n);
    tt_shape a, b, both;
    TSR_TRY(tt_shape_of(op, in, &a) && tt_shape_of(op, out, &b));
    if (!tt_broadcast(&a, &b, &both))
        return tsr_op_error(op, "Input tensor shape (%s) is not broadcastable to output shape (%s)",
                            tt_show(op, in, ","), tt_show(op, out, ","));
    if (tt_count(by) != in->n)
        return tsr_op_error(op, "Input tensor rank should match output tensor rank.");
    for (size_t i = 0; i < in->n; i++)
        if (tt_times(in->dims[i], tt_int_at(by, i)) != out->dims[i])
            return tsr_op_error(op,
                                "Input tensor shape (%s) index %zu does not broadcast to output "
                                "(%s) using broadcast "
                                "value %lld",
                                tt_show(op, in, ","), i, tt_show(op, out, ","),
                                (long long)tt_int_at(by, i));
    return true;
}

bool infer_ttir_repeat(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return multiplied(op, op->attrs[TTIR_REPEAT_repeat_dimensions], &s) && tt_result(op, out, &s);
}

bool verify_ttir_repeat(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    const tsr_attr *by = op->attrs[TTIR_REPEAT_repeat_dimensions];
    if (in->n != tt_count(by))
        return tsr_op_error(
            op, "Input tensor rank %u doesn't match the number of repeat dimensions %zu.", in->n,
            tt_count(by));
    if (in->n != out->n)
        return tsr_op_error(op, "Input tensor rank %u doesn't match the output tensor rank %u.",
                            in->n, out->n);
    for (size_t i = 0; i < in->n; i++) {
        int64_t k = tt_int_at(by, i);
        if (k <= 0)
            return tsr_op_error(op, "Repeat dimension at index %zu must be greater than 0.", i);
        if (tt_times(in->dims[i], k) != out->dims[i])
            return tsr_op_error(
                op,
                "Input tensor shape (%s) at index %zu does not repeat to output (%s) using repeat "
                "value %lld.",
                tt_show(op, in, ","), i, tt_show(op, out, ","), (long long)k);
    }
    return true;
}

static bool interleaved(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0);
    int64_t repeats = tt_int(op, TTIR_REPEAT_INTERLEAVE_repeats, 1);
    size_t dim;
    if (in->n < 1)
        return tsr_op_error(op, "Input must be at least a 1D tensor");
    if (repeats == 0)
        return tsr_op_error(op, "Repeats attribute must be non-zero");
    if (!tt_dim(tt_int(op, TTIR_REPEAT_INTERLEAVE_dim, 0), in->n, &dim))
        return tsr_op_error(op, "Dimension attribute must be within the bounds[-%u, %u), got %u",
                            in->n, in->n, in->n);
    TSR_TRY(tt_shape_of(op, in, out));
    out->d[dim] = tt_times(out->d[dim], repeats);
    return true;
}

bool infer_ttir_repeat_interleave(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return interleaved(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_repeat_interleave(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(interleaved(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "Output shape [%s] does not match the expected shape [%s]",
                        tt_show(op, OUT(op), ","), tt_join(op, s.d, s.n, ","));
}

static bool concatenated(const tsr_op *op, tt_shape *out, size_t *dim)
{
    int64_t at = tt_int(op, TTIR_CONCAT_dim, 0);
    if (!op->nin)
        return tsr_op_error(op, "Expected at least one input tensor.");
    TSR_TRY(tt_shape_of(op, IN(op, 0), out));
    if (!tt_dim(at, out->n, dim))
        return tsr_op_error(op, "Invalid dimension %lld for concatenation.", (long long)at);
    for (uint32_t i = 1; i < op->nin; i++) {
        const tsr_type *t = IN(op, i);
        if (t->n != out->n)
            return tsr_op_error(op, "All input tensors must have the same rank.");
        for (size_t k = 0; k < out->n; k++)
            if (k == *dim)
                out->d[k] = tt_plus(out->d[k], t->dims[k]);
            else if (t->dims[k] != out->d[k])
                return tsr_op_error(
                    op,
                    "All input tensors must have the same dimensions, except for dimension %zu.",
                    *dim);
    }
    return true;
}

bool infer_ttir_concat(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    size_t dim;
    return concatenated(op, &s, &dim) && tt_result(op, out, &s);
}

bool verify_ttir_concat(tsr_op *op)
{
    tt_shape s;
    size_t dim;
    TSR_TRY(concatenated(op, &s, &dim));
    if (OUT(op)->n == s.n && OUT(op)->dims[dim] != s.d[dim])
        return tsr_op_error(op,
                            "Output tensor dimension %zu does not match the sum of input tensor "
                            "dimensions: %lld vs. "
                            "%lld.",
                            dim, (long long)OUT(op)->dims[dim], (long long)s.d[dim]);
    return tt_verify_inferred(op);
}

static bool padded(const tsr_op *op, tt_shape *out)
{
    tsr_pad by;
    tsr_pad_of(op, &by);
    TSR_TRY(tt_shape_of(op, IN(op, 0), out));
    if (by.low.n != out->n || by.high.n != out->n)
        return tsr_op_error(
            op,
            "Padding must have the same number of elements as twice the rank of the input tensor");
    for (size_t i = 0; i < out->n; i++)
        out->d[i] = tt_plus(out->d[i], tt_plus(tsr_ints_at(by.low, i), tsr_ints_at(by.high, i)));
    return true;
}

bool infer_ttir_pad(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return padded(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_pad(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(padded(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "Output tensor shape (%s) must match the inferred shape: (%s)",
                        tt_show(op, OUT(op), ","), tt_join(op, s.d, s.n, ","));
}

bool verify_ttir_get_dimension_size(tsr_op *op)
{
    int64_t d = tt_int(op, TTIR_GET_DIMENSION_SIZE_dimension, 0);
    return (d >= 0 && d < IN(op, 0)->n) ||
           tsr_op_error(op, "dimension %lld is out of range for operand of rank %u", (long long)d,
                        IN(op, 0)->n);
}

bool infer_ttir_get_dimension_size(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s = {1, {1}};
    return tt_result_of(op, out, &s, tsr_type_integer(op->module->ctx, 32, TSR_UNSIGNED));
}
