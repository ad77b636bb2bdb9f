/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - slices, gathers, scatters and embeddings: ops that select elements by index. */
#include <stdio.h>

#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

/* ---- Slices ---- */

typedef struct {
    int64_t begin, end, step; /* as written */
} range;

static const char *place(const tsr_op *op, int64_t written, int64_t adjusted)
{
    char text[64];
    int n = written < 0 ? snprintf(text, sizeof text, "%lld (%lld)", (long long)adjusted,
                                   (long long)written)
                        : snprintf(text, sizeof text, "%lld", (long long)written);
    return tsr_arena_copy(&op->module->arena, text, (size_t)n + 1);
}

/* How many elements of dimension dim a range has. empty: whether an empty one may begin anywhere. */
static bool range_size(const tsr_op *op, size_t dim, range r, bool empty, int64_t *out)
{
    const tsr_type *in = IN(op, 0);
    int64_t size = in->dims[dim];
    if (size == TSR_DYNAMIC) {
        *out = TSR_DYNAMIC;
        return true;
    }
    int64_t begin = r.begin < 0 ? r.begin + size : r.begin, end = r.end < 0 ? r.end + size : r.end;
    empty = empty && begin == end;
    if (!empty && (begin < 0 || begin >= size))
        return tsr_op_error(op,
                            "Invalid begin index for dimension %zu. Expected value in range [%lld, "
                            "%lld), got %lld. "
                            "Input shape: (%s)",
                            dim, (long long)-size, (long long)size, (long long)r.begin,
                            tt_show(op, in, ", "));
    if (!empty && (end < 0 || end > size))
        return tsr_op_error(
            op,
            "Invalid end index for dimension %zu. Expected value in range [%lld, %lld], got %lld. "
            "Input shape: (%s)",
            dim, (long long)-size, (long long)size, (long long)r.end, tt_show(op, in, ", "));
    if (r.step == 0)
        return tsr_op_error(op, "Step value for dimension %zu cannot be zero", dim);
    if (r.step > 0 ? begin > end : begin < end)
        return tsr_op_error(
            op,
            "For %s step, begin index must be %s than or equal to end index for dimension %zu. Got "
            "begin: %s, end: %s, step: %lld, input shape: (%s)",
            r.step > 0 ? "positive" : "negative", r.step > 0 ? "less" : "greater", dim,
            place(op, r.begin, begin), place(op, r.end, end), (long long)r.step,
            tt_show(op, in, ", "));
    int64_t step = llabs(r.step);
    *out = (llabs(end - begin) + step - 1) / step;
    return true;
}

static bool slice_size(const tsr_op *op, const tsr_slice *s, size_t dim, int64_t *out)
{
    range r = {tsr_ints_at(s->start, dim), tsr_ints_at(s->limit, dim),
               tsr_ints_at(s->strides, dim)};
    return range_size(op, dim, r, true, out);
}

static bool slice_counts(const tsr_op *op, tsr_slice *s)
{
    size_t rank = IN(op, 0)->n;
    tsr_slice_of(op, s);
    if (rank < 1)
        return tsr_op_error(op, "Input must be at least a 1D tensor");
    return (s->start.n == rank && s->limit.n == rank && s->strides.n == rank) ||
           tsr_op_error(op, "Begins, ends, and step attributes must have the same number of "
                            "elements as the input tensor "
                            "rank");
}

bool infer_ttir_slice_static(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    tsr_slice slice;
    TSR_TRY(slice_counts(op, &slice) && tt_shape_of(op, IN(op, 0), &s));
    for (size_t i = 0; i < s.n; i++)
        TSR_TRY(slice_size(op, &slice, i, &s.d[i]));
    return tt_result(op, out, &s);
}

static bool same_kind(const tsr_op *op)
{
    if (IN(op, 0)->elem != OUT(op)->elem)
        return tsr_op_error(op,
                            "Output tensor must have the same element type as the input tensor");
    return IN(op, 0)->n == OUT(op)->n ||
           tsr_op_error(op, "Output tensor must have the same rank as the input tensor");
}

static bool expect_size(const tsr_op *op, size_t dim, int64_t size)
{
    return OUT(op)->dims[dim] == size ||
           tsr_op_error(
               op,
               "Mismatch in dimension %zu of the output tensor: expected size %lld, but got %lld",
               dim, (long long)size, (long long)OUT(op)->dims[dim]);
}

bool verify_ttir_slice_static(tsr_op *op)
{
    tsr_slice slice;
    TSR_TRY(slice_counts(op, &slice) && same_kind(op));
    for (size_t i = 0; i < IN(op, 0)->n; i++) {
        int64_t size;
        TSR_TRY(slice_size(op, &slice, i, &size) && expect_size(op, i, size));
    }
    return true;
}

bool infer_ttir_slice_dynamic(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_kept(op, out);
}

bool verify_ttir_slice_dynamic(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *begins = IN(op, 1), *ends = IN(op, 2);
    const tsr_attr *steps = op->attrs[TTIR_SLICE_DYNAMIC_step];
    if (in->n < 1)
        return tsr_op_error(op, "Input must be at least a 1D tensor");
    if (begins->n != 1 || ends->n != 1)
        return tsr_op_error(op, "Begins and ends must be 1D tensors");
    if (begins->dims[0] != in->n || ends->dims[0] != in->n || (steps && tt_count(steps) != in->n))
        return tsr_op_error(op, "Begins, ends, and step must have the same number of elements as "
                                "the input tensor rank");
    TSR_TRY(same_kind(op));
    for (size_t i = 0; i < tt_count(steps); i++)
        if (tt_int_at(steps, i) == 0)
            return tsr_op_error(op, "Step value for dimension %zu cannot be zero", i);
    return true;
}

static bool index_dim(const tsr_op *op, size_t *dim, int64_t *size)
{
    const tsr_type *in = IN(op, 0);
    int64_t d = tt_int(op, TTIR_INDEX_dim, 0);
    range r = {tt_int(op, TTIR_INDEX_begin, 0), tt_int(op, TTIR_INDEX_end, 0),
               tt_int(op, TTIR_INDEX_step, 1)};
    if (in->n < 1)
        return tsr_op_error(op, "Input must be at least a 1D tensor");
    if (d < 0 || d >= in->n)
        return tsr_op_error(op, "Invalid dimension index %lld. Input tensor rank is %u",
                            (long long)d, in->n);
    *dim = (size_t)d;
    return range_size(op, *dim, r, false, size);
}

bool infer_ttir_index(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    size_t dim;
    int64_t size;
    TSR_TRY(index_dim(op, &dim, &size) && tt_shape_of(op, IN(op, 0), &s));
    s.d[dim] = size;
    return tt_result(op, out, &s);
}

bool verify_ttir_index(tsr_op *op)
{
    size_t dim;
    int64_t size;
    if (IN(op, 0)->n >= 1)
        TSR_TRY(same_kind(op));
    return index_dim(op, &dim, &size) && expect_size(op, dim, size) && tt_verify_inferred(op);
}

/* Elements that index_select takes from its dimension: length of them at begin, and again after each stride. */
static bool selected(const tsr_op *op, size_t *dim, int64_t *out)
{
    const tsr_type *in = IN(op, 0);
    int64_t d = tt_int(op, TTIR_INDEX_SELECT_dim, 0),
            begin = tt_int(op, TTIR_INDEX_SELECT_begin, 0);
    int64_t length = tt_int(op, TTIR_INDEX_SELECT_length, 1),
            stride = tt_int(op, TTIR_INDEX_SELECT_stride, 0);
    if (!tt_dim(d, in->n, dim))
        return tsr_op_error(op, "Invalid dimension %lld for select op with input tensor rank %u",
                            (long long)d, in->n);
    int64_t size = in->dims[*dim];
    if (size == TSR_DYNAMIC)
        return *out = TSR_DYNAMIC, true;
    if (stride == 0)
        stride = size;
    if (stride < 0)
        return tsr_op_error(op,
                            "Invalid stride %lld for dimension %zu, stride must be non-negative",
                            (long long)stride, *dim);
    if (stride > size)
        return tsr_op_error(op,
                            "Invalid stride %lld for dimension %zu with size %lld. stride must be "
                            "less than or equal "
                            "to the dimension size",
                            (long long)stride, *dim, (long long)size);
    if (begin < 0 || begin >= size)
        return tsr_op_error(
            op,
            "Invalid begin index %lld for dimension %zu with size %lld. begin must be in the range "
            "[0, dimSize)",
            (long long)begin, *dim, (long long)size);
    if (length < 1 || length > stride)
        return tsr_op_error(
            op,
            "Invalid length %lld for begin index %lld and stride %lld for dimension %zu with size "
            "%lld. stride must be greater than or equal to length",
            (long long)length, (long long)begin, (long long)stride, *dim, (long long)size);
    if (begin + length > size)
        return tsr_op_error(op,
                            "Invalid length %lld for begin index %lld and dimension %zu with size "
                            "%lld. begin + length "
                            "must be less than or equal to the dimension size",
                            (long long)length, (long long)begin, *dim, (long long)size);
    int64_t slices = (size - begin + stride - 1) / stride, last = begin + (slices - 1) * stride;
    *out = (slices - 1) * length + (last + length > size ? size - last : length);
    return true;
}

bool infer_ttir_index_select(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    size_t dim;
    int64_t size;
    TSR_TRY(selected(op, &dim, &size) && tt_shape_of(op, IN(op, 0), &s));
    s.d[dim] = size;
    return tt_result(op, out, &s);
}

bool verify_ttir_index_select(tsr_op *op)
{
    size_t dim;
    int64_t size;
    if (IN(op, 0)->n != OUT(op)->n)
        return tsr_op_error(op, "Input and output tensors must have the same rank.");
    if (IN(op, 0)->elem != OUT(op)->elem)
        return tsr_op_error(op, "Input and output tensors must have the same element type.");
    TSR_TRY(selected(op, &dim, &size));
    return OUT(op)->dims[dim] == size ||
           tsr_op_error(op,
                        "Sum of all slices must be equal to the output dimension size for the "
                        "given dimension. "
                        "Expected output dimension size: %lld, but got %lld",
                        (long long)OUT(op)->dims[dim], (long long)size);
}

/* ---- Gathers ---- */

/* The older form, with StableHLO's dimension numbers: sizes of slices at offset_dims, the others from indices. */
static bool older_gather(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *index = IN(op, 1);
    tsr_gather g;
    tt_shape slice = {0}, s = {0};
    tsr_gather_of(op, &g);
    for (size_t i = 0; i < g.sizes.n; i++)
        if (tsr_gather_keeps(&g, (int64_t)i))
            TSR_TRY(tt_shape_add(op, &slice, tsr_ints_at(g.sizes, i)));
    size_t places = index->n - (g.vector >= 0 && g.vector < index->n), next = 0, at = 0;
    if (g.window.n != slice.n)
        return tsr_op_error(op, "has %u offset dimensions for slices of rank %zu", g.window.n,
                            slice.n);
    for (size_t i = 0; i < places + slice.n; i++) {
        bool is_offset = next < slice.n && tsr_ints_at(g.window, next) == (int64_t)i;
        if (!is_offset && (int64_t)at == g.vector)
            at++;
        if (!is_offset && at >= index->n)
            return tsr_op_error(op, "has offset dimensions that the result does not have");
        TSR_TRY(tt_shape_add(op, &s, is_offset ? slice.d[next++] : index->dims[at++]));
    }
    return tt_result(op, out, &s);
}

bool infer_ttir_gather(const tsr_op *op, tsr_type_vec *out)
{
    if (!op->attrs[TTIR_GATHER_dim])
        return older_gather(op, out);
    tt_shape s;
    return tt_shape_of(op, IN(op, 1), &s) && tt_result(op, out, &s);
}

bool verify_ttir_gather(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *index = IN(op, 1);
    if (!op->attrs[TTIR_GATHER_dim])
        return op->attrs[TTIR_GATHER_slice_sizes] ? tt_verify_inferred(op)
                                                  : tsr_op_error(op, "requires attribute 'dim'");
    if (!tt_is_integer(index->elem))
        return tsr_op_error(op, "Index tensor must have an integer type, got %s",
                            tt_show_type(op, index->elem));
    if (in->n != index->n)
        return tsr_op_error(op,
                            "Input tensor and index tensor must have the same rank. Got input rank "
                            "= %u, index rank "
                            "= %u",
                            in->n, index->n);
    if (in->n < 1)
        return tsr_op_error(op, "Input tensor and index tensor must have rank >= 1. Got rank = %u",
                            in->n);
    size_t dim;
    int64_t at = tt_int(op, TTIR_GATHER_dim, 0);
    if (!tt_dim(at, in->n, &dim))
        return tsr_op_error(op, "Dimension must be in the range [-%u, %u), got dim = %lld", in->n,
                            in->n, (long long)at);
    return tt_same_shape(index, OUT(op)) ||
           tsr_op_error(op, "Index tensor and result tensor must have the same shape.");
}

bool verify_ttir_scatter(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *index = IN(op, 1), *source = IN(op, 2);
    if (in->n != index->n || in->n != source->n)
        return tsr_op_error(op,
                            "Input tensor, index tensor, and source tensor must have the same "
                            "rank. Got input rank = "
                            "%u, index rank = %u, source rank = %u",
                            in->n, index->n, source->n);
    if (!tt_same_shape(index, source))
        return tsr_op_error(op, "Index tensor must have the same shape as source tensor.");
    return tt_verify_inferred(op);
}

/* ---- Embeddings ---- */

static bool embedded(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1);
    if (in->n > 2)
        return tsr_op_error(op, "input must be at most a 2D tensor, got %uD ranked tensor", in->n);
    if (weight->n < 2)
        return tsr_op_error(op, "weight must be at least 2D tensor, got %uD ranked tensor",
                            weight->n);
    for (size_t i = 0; i + 2 < weight->n; i++)
        if (weight->dims[i] != 1)
            return tsr_op_error(op, "weight must be effectively 2D tensor");
    return tt_shape_of(op, in, out) && tt_shape_add(op, out, weight->dims[weight->n - 1]);
}

bool infer_ttir_embedding(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return embedded(op, &s) && tt_result_of(op, out, &s, IN(op, 1)->elem);
}

bool verify_ttir_embedding(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(embedded(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "expected output shape of (%s) but got (%s)",
                        tt_join(op, s.d, s.n, ", "), tt_show(op, OUT(op), ", "));
}

bool infer_ttir_embedding_backward(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_like(op, out, IN(op, 1));
}

bool verify_ttir_embedding_backward(tsr_op *op)
{
    if (IN(op, 1)->n != 2)
        return tsr_op_error(op, "Input must be a 2D tensor");
    if (IN(op, 2)->elem != OUT(op)->elem)
        return tsr_op_error(op, "Input gradient and output must have the same dtype");
    return tt_same_shape(IN(op, 1), OUT(op)) ||
           tsr_op_error(op, "Output must have the same shape as weight");
}
