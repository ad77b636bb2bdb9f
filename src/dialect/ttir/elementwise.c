/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - elementwise ops with broadcasting operands; and reductions. */
#include "dialect/hooks.h"
#include "base/decimal.h"
#include "dialect/ttir/shape.h"

/* ---- Broadcasting ---- */

/* The common shape of all operands; the diagnostic names the first of n operands that does not fit. */
static bool broadcast_all(const tsr_op *op, tt_shape *out)
{
    out->n = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        tt_shape s;
        TSR_TRY(tt_shape_of(op, op->in[i].value->type, &s));
        if (!tt_broadcast(out, &s, out))
            return tsr_op_error(
                op,
                "operand shape (%s) is not broadcast compatible with inferred operand shapes (%s)",
                tt_join(op, s.d, s.n, ", "), tt_join(op, out->d, out->n, ", "));
    }
    return true;
}

/* Most elementwise ops have operands of exactly the result's type: nothing has to be computed then. */
static bool all_alike(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type != op->out[0].type &&
            !tt_same_shape(op->in[i].value->type, op->out[0].type))
            return false;
    return true;
}

bool infer_ttir_elementwise(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return broadcast_all(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_elementwise(tsr_op *op)
{
    tt_shape s;
    if (all_alike(op))
        return true;
    TSR_TRY(broadcast_all(op, &s));
    return tt_shape_is(&s, op->out[0].type) ||
           tsr_op_error(op,
                        "result shape (%s) doesn't match expected shape after broadcasting (%s)",
                        tt_show(op, op->out[0].type, ", "), tt_join(op, s.d, s.n, ", "));
}

/* ---- Specific rules ---- */

bool verify_ttir_shift(tsr_op *op)
{
    static const char *const names[] = {"Left operand", "Right operand", "Output"};
    TSR_TRY(verify_ttir_elementwise(op));
    for (size_t i = 0; i < 3; i++) {
        const tsr_type *elem = (i < 2 ? op->in[i].value->type : op->out[0].type)->elem;
        if (!tt_is_integer(elem))
            return tsr_op_error(op, "%s element type must be integer, but got %s", names[i],
                                tt_show_type(op, elem));
    }
    return true;
}

bool verify_ttir_bitcast_convert(tsr_op *op)
{
    TSR_TRY(verify_ttir_elementwise(op));
    const tsr_type *from = op->in[0].value->type->elem, *to = op->out[0].type->elem;
    if (!tt_is_integer(from) && !tt_is_float(from))
        return tsr_op_error(op, "Input tensor type must be an integer or floating point type");
    if (!tt_is_integer(to) && !tt_is_float(to))
        return tsr_op_error(op, "Output tensor type must be an integer or floating point type");
    return from->width == to->width ||
           tsr_op_error(op, "Input and output tensor element types must have the same bit width");
}

bool verify_ttir_gelu_bw(tsr_op *op)
{
    TSR_TRY(verify_ttir_elementwise(op));
    const tsr_attr *how = op->attrs[TTIR_GELU_BW_approximate];
    if (how && !tsr_str_is(how->s, "none") && !tsr_str_is(how->s, "tanh"))
        return tsr_op_error(op,
                            "approximate attribute must be either 'none' or 'tanh', but got '%.*s'",
                            TSR_STR_ARG(how->s));
    size_t a = tt_rank(op->in[0].value->type), b = tt_rank(op->in[1].value->type);
    if (a < 2 || a > 4)
        return tsr_op_error(op, "gradient tensor (lhs) must have rank 2, 3, or 4, but got rank %zu",
                            a);
    if (b < 2 || b > 4)
        return tsr_op_error(op, "input tensor (rhs) must have rank 2, 3, or 4, but got rank %zu",
                            b);
    return a == b ||
           tsr_op_error(
               op,
               "gradient tensor (lhs) and input tensor (rhs) must have the same rank, but got lhs "
               "rank %zu and rhs rank %zu",
               a, b);
}

/* ---- One operand, one result of its shape ---- */

bool infer_ttir_like_input(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_like(op, out, op->in[0].value->type);
}

bool verify_ttir_clamp_scalar(tsr_op *op)
{
    return tt_same_shape(op->in[0].value->type, op->out[0].type) ||
           tsr_op_error(op, "input and output must have same shape.");
}

bool verify_ttir_clamp_tensor(tsr_op *op)
{
    tt_shape to, s, both;
    TSR_TRY(tt_shape_of(op, op->out[0].type, &to));
    for (size_t i = 1; i < 3; i++) {
        TSR_TRY(tt_shape_of(op, op->in[i].value->type, &s));
        if (!tt_broadcast(&s, &to, &both))
            return tsr_op_error(
                op, "%s attribute shape (%s) cannot be broadcasted to output shape (%s).",
                i == 1 ? "Min" : "Max", tt_join(op, s.d, s.n, ","), tt_join(op, to.d, to.n, ","));
    }
    return true;
}

static bool dim_between(const tsr_op *op, int64_t dim, int64_t rank)
{
    return (dim >= -rank && dim < rank) ||
           tsr_op_error(op, "specified dimension should be between %lld and %lld, but got: %lld",
                        (long long)-rank, (long long)rank - 1, (long long)dim);
}

bool verify_ttir_cumulative(tsr_op *op)
{
    return dim_between(op, tt_int(op, TTIR_CUMSUM_dim, 0), tt_rank(op->in[0].value->type)) &&
           tt_verify_inferred(op);
}

bool verify_ttir_softmax(tsr_op *op)
{
    size_t dim;
    if (!tt_same_shape(op->in[0].value->type, op->out[0].type))
        return tsr_op_error(op, "Input and output shapes must be the same");
    return tt_dim(tt_int(op, TTIR_SOFTMAX_dimension, 0), tt_rank(op->in[0].value->type), &dim) ||
           tsr_op_error(op, "Dimension attribute must be within the bounds of the input tensor");
}

bool verify_ttir_dropout(tsr_op *op)
{
    const tsr_type *in = op->in[0].value->type, *out = op->out[0].type;
    if (in != out)
        return tsr_op_error(
            op,
            "Input tensor type does not match with output tensor type. [Input tensor type = %s, "
            "output tensor type = %s].",
            tt_show_type(op, in), tt_show_type(op, out));
    double prob = tt_float(op, TTIR_DROPOUT_prob, 0), scale = tt_float(op, TTIR_DROPOUT_scale, 1);
    if (!(prob >= 0 && prob <= 1))
        return tsr_op_error(op, "Probability must be in range [0.0, 1.0], but got %s",
                            tsr_spell('g', 0, 6, prob).text);
    if (!(scale > 0))
        return tsr_op_error(op, "Scale must be positive, but got %s",
                            tsr_spell('g', 0, 6, scale).text);
    return (in->n >= 2 && in->n <= 4) ||
           tsr_op_error(op, "Input tensor rank must be 2, 3, or 4, but got %u", in->n);
}

/* ---- Reductions ---- */

/* The shape without the reduced dimensions, or with 1 in their place. */
static bool reduced(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = op->in[0].value->type;
    tsr_reduce_dims r;
    bool gone[TT_MAX_RANK] = {false}, twice = false;
    tt_shape s;
    tsr_reduce_dims_of(op, &r);
    TSR_TRY(tt_shape_of(op, in, &s));
    for (size_t i = 0; r.all && i < s.n; i++)
        gone[i] = true;
    for (size_t i = 0; i < r.dims.n; i++) {
        size_t d;
        int64_t dim = tsr_ints_at(r.dims, i);
        if (!tt_dim(dim, s.n, &d))
            return tsr_op_error(
                op, "Reduce dimension %lld is out of range for input tensor of rank %zu",
                (long long)dim, s.n);
        for (size_t k = 0; k < i; k++)
            twice |= tsr_ints_at(r.dims, k) == dim;
        gone[d] = true;
    }
    if (twice)
        return tsr_op_error(op, "Reduce dimensions are not unique");
    out->n = 0;
    for (size_t i = 0; i < s.n; i++)
        if (!gone[i] || r.keep)
            out->d[out->n++] = gone[i] ? 1 : s.d[i];
    return true;
}

bool infer_ttir_reduction(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return reduced(op, &s) && tt_result(op, out, &s);
}

bool infer_ttir_argmax(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return reduced(op, &s) && tt_result_of(op, out, &s, op->module->ctx->i32);
}

bool verify_ttir_reduction(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(reduced(op, &s));
    return tt_shape_is(&s, op->out[0].type) ||
           tsr_op_error(op, "Expected output shape (%s), got (%s)", tt_join(op, s.d, s.n, ", "),
                        tt_show(op, op->out[0].type, ", "));
}

/* ---- Sorting and selection ---- */

bool infer_ttir_sort(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return tt_shape_of(op, op->in[0].value->type, &s) && tt_result(op, out, &s) &&
           tt_result_of(op, out, &s, op->module->ctx->i32);
}

bool verify_ttir_sort(tsr_op *op)
{
    const tsr_type *in = op->in[0].value->type;
    int64_t dim = tt_int(op, TTIR_SORT_dim, -1), rank = in->n;
    if (dim >= rank || dim < -rank)
        return tsr_op_error(
            op, "Dimension out of range (expected to be in range of [%lld, %lld], but got %lld)",
            (long long)-rank, (long long)rank - 1, (long long)dim);
    if (in != op->out[0].type)
        return tsr_op_error(op, "Sorted tensor type does not match with input tensor.");
    return tt_same_shape(in, op->out[1].type) ||
           tsr_op_error(op, "Indices shape does not match with input tensor shape.");
}

static bool topk_dim(const tsr_op *op, size_t *dim)
{
    const tsr_type *in = op->in[0].value->type;
    int64_t k = tt_int(op, TTIR_TOPK_k, 1), at = tt_int(op, TTIR_TOPK_dim, -1);
    TSR_TRY(dim_between(op, at, in->n));
    (void)tt_dim(at, in->n, dim);
    return (k > 0 && (in->dims[*dim] == TSR_DYNAMIC || k <= in->dims[*dim])) ||
           tsr_op_error(
               op,
               "K should be between 1 and the size of the specified dimension (%zu), but got: %lld",
               *dim, (long long)k);
}

bool infer_ttir_topk(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    size_t dim;
    TSR_TRY(topk_dim(op, &dim) && tt_shape_of(op, op->in[0].value->type, &s));
    s.d[dim] = tt_int(op, TTIR_TOPK_k, 1);
    return tt_result(op, out, &s) && tt_result_of(op, out, &s, op->module->ctx->i32);
}

bool verify_ttir_topk(tsr_op *op)
{
    return tt_verify_inferred(op);
}

bool infer_ttir_sampling(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *in = op->in[0].value->type;
    tt_shape s = {1, {in->n ? in->dims[0] : 1}};
    return tt_result_of(op, out, &s, op->in[1].value->type->elem);
}

bool verify_ttir_sampling(tsr_op *op)
{
    static const char *const names[] = {"k", "p", "temp"};
    const tsr_type *values = op->in[0].value->type, *indices = op->in[1].value->type;
    if (values->n != 2)
        return tsr_op_error(op, "input_values must be 2D [batch, candidates]");
    if (indices->n != 2)
        return tsr_op_error(op, "input_indices must be 2D [batch, candidates]");
    if (!tt_same_shape(values, indices))
        return tsr_op_error(op, "input_values and input_indices must have the same shape");
    for (size_t i = 0; i < 3; i++) {
        const tsr_type *t = op->in[2 + i].value->type;
        if (t->n != 1)
            return tsr_op_error(op, "%s must be 1D [batch]", names[i]);
        if (t->dims[0] != values->dims[0])
            return tsr_op_error(op,
                                "%s batch dimension (%lld) must match input_values batch (%lld)",
                                names[i], (long long)t->dims[0], (long long)values->dims[0]);
    }
    const tsr_type *out = op->out[0].type;
    return (out->n == 1 && out->dims[0] == values->dims[0]) ||
           tsr_op_error(op, "result must be 1D [batch]");
}
