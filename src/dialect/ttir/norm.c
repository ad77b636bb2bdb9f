/* SPDX-License-Identifier: Apache-2.0 */
/* norm.c - normalization, training steps, and tensors that are made from attributes. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

static bool same_as_input(const tsr_op *op, const char *text)
{
    return tt_same_shape(IN(op, 0), OUT(op)) || tsr_op_error(op, "%s", text);
}

/* ---- Over the last dimensions ---- */

/* rms_norm and layer_norm: the same operands and attributes in the same order. */
bool verify_ttir_layer_norm(tsr_op *op)
{
    static const char *const names[] = {"weight", "bias"};
    const tsr_type *in = IN(op, 0);
    const tsr_attr *shape = op->attrs[TTIR_LAYER_NORM_normalized_shape];
    size_t n = tt_count(shape);
    TSR_TRY(same_as_input(op, "input and output must have the same shape"));
    if (n == 0)
        return tsr_op_error(op, "normalized_shape cannot be empty");
    if (n > in->n)
        return tsr_op_error(op, "normalized_shape has more dimensions than input tensor");
    for (size_t i = 0; i < n; i++)
        if (in->dims[in->n - n + i] != tt_int_at(shape, i))
            return tsr_op_error(
                op, "normalized_shape dimensions must match trailing dimensions of input tensor");
    for (size_t k = 0; k < 2; k++) {
        const tsr_type *t = tt_in(op, 1 + k);
        bool ok = !t || t->n == n;
        for (size_t i = 0; t && ok && i < n; i++)
            ok = t->dims[i] == tt_int_at(shape, i);
        if (!ok)
            return tsr_op_error(op, "%s tensor shape must match normalized_shape", names[k]);
    }
    return true;
}

static bool distributed(const tsr_op *op, int axis_slot, int epsilon_slot, size_t residual)
{
    const tsr_type *in = IN(op, 0), *rest = tt_in(op, residual);
    TSR_TRY(same_as_input(op, "output shape must match input shape"));
    if (tt_int(op, axis_slot, 0) > 1)
        return tsr_op_error(op, "cluster_axis must be 0 or 1");
    if (!(tt_float(op, epsilon_slot, 1) > 0))
        return tsr_op_error(op, "epsilon must be positive");
    if (rest && !tt_same_shape(rest, in))
        return tsr_op_error(op, "residual tensor shape must match input tensor shape");
    for (size_t i = 1; i < residual; i++) {
        const tsr_type *t = tt_in(op, i);
        if (t && (!t->n || !in->n || t->dims[t->n - 1] != in->dims[in->n - 1]))
            return tsr_op_error(op, "%s tensor's last dimension must match input's last dimension",
                                i == 1 ? "weight" : "bias");
    }
    return true;
}

bool verify_ttir_distributed_rms_norm(tsr_op *op)
{
    return distributed(op, TTIR_DISTRIBUTED_RMS_NORM_cluster_axis,
                       TTIR_DISTRIBUTED_RMS_NORM_epsilon, 2);
}

bool verify_ttir_distributed_layer_norm(tsr_op *op)
{
    return distributed(op, TTIR_DISTRIBUTED_LAYER_NORM_cluster_axis,
                       TTIR_DISTRIBUTED_LAYER_NORM_epsilon, 3);
}

bool verify_ttir_group_norm(tsr_op *op)
{
    const tsr_type *in = IN(op, 0);
    int64_t groups = tt_int(op, TTIR_GROUP_NORM_num_groups, 1),
            dim = tt_int(op, TTIR_GROUP_NORM_channel_dim, 3);
    TSR_TRY(same_as_input(op, "input and output must have the same shape"));
    if (in->n < 4)
        return tsr_op_error(op, "input must be at least a 4D tensor, got rank %u", in->n);
    if (groups <= 0)
        return tsr_op_error(op, "num_groups must be positive, got %lld", (long long)groups);
    if (dim < 0 || dim >= in->n)
        return tsr_op_error(op, "channel_dim must be in range [0, rank), got %lld for rank %u",
                            (long long)dim, in->n);
    int64_t c = in->dims[dim];
    if (c != TSR_DYNAMIC && c % groups != 0)
        return tsr_op_error(op,
                            "channel dimension (dim %lld) must be divisible by num_groups; got "
                            "C=%lld, num_groups=%lld",
                            (long long)dim, (long long)c, (long long)groups);
    for (size_t i = 2; i < 4; i++) {
        const tsr_type *t = tt_in(op, i);
        if (t && (t->n != 1 || t->dims[0] != c))
            return tsr_op_error(op, "%s must be 1D with size matching channel dimension C=%lld",
                                i == 2 ? "weight" : "bias", (long long)c);
    }
    return true;
}

/* ---- Over a batch ---- */

static bool batch_norm(const tsr_op *op, int slot)
{
    int64_t rank = IN(op, 0)->n, dim = tt_int(op, slot, 1);
    if (rank < 2 || rank > 5)
        return tsr_op_error(op, "input tensor must have rank between 2 and 5, got rank %lld",
                            (long long)rank);
    return (dim >= 0 && dim < rank) || tsr_op_error(op,
                                                    "dimension attribute must be within input rank "
                                                    "bounds, got dimension %lld for rank %lld",
                                                    (long long)dim, (long long)rank);
}

bool verify_ttir_batch_norm_inference(tsr_op *op)
{
    return batch_norm(op, TTIR_BATCH_NORM_INFERENCE_dimension) && tt_verify_inferred(op);
}

bool infer_ttir_batch_norm_training(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_like(op, out, IN(op, 0)) && tt_result_like(op, out, IN(op, 3)) &&
           tt_result_like(op, out, IN(op, 4));
}

bool verify_ttir_batch_norm_training(tsr_op *op)
{
    return batch_norm(op, TTIR_BATCH_NORM_TRAINING_dimension) && tt_verify_inferred(op);
}

bool infer_ttir_adamw(const tsr_op *op, tsr_type_vec *out)
{
    static const size_t from[] = {0, 2, 3, 4};
    for (size_t i = 0; i < 4; i++) {
        const tsr_type *t = tt_in(op, from[i]);
        if (t)
            TSR_TRY(tt_result_like(op, out, t));
    }
    return true;
}

bool verify_ttir_adamw(tsr_op *op)
{
    static const char *const in[] = {"param", "grad", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
    static const size_t from[] = {0, 2, 3, 4};
    for (size_t i = 1; i < 5; i++) {
        const tsr_type *t = tt_in(op, i);
        if (t && !tt_same_shape(t, IN(op, 0)))
            return tsr_op_error(op, "%s must have the same shape as param", in[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        const tsr_type *a = tt_in(op, from[i]), *b = tt_out(op, i);
        if (!a != !b)
            return tsr_op_error(
                op, "max_exp_avg_sq and max_exp_avg_sq_out must both be present or both be absent");
        if (a != b)
            return tsr_op_error(op, "%s_out type must match %s", in[from[i]], in[from[i]]);
    }
    return true;
}

/* ---- Tensors from attributes ---- */

bool infer_ttir_constant(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = op->attrs[TTIR_CONSTANT_value]->type;
    tt_shape s;
    return tt_shape_of(op, t, &s) && tt_result_of(op, out, &s, t->elem);
}

bool verify_ttir_constant(tsr_op *op)
{
    const tsr_attr *value = op->attrs[TTIR_CONSTANT_value];
    if (!tt_same_shape(value->type, OUT(op)))
        return tsr_op_error(op, "failed to verify that all of {value, result} have same shape");
    if (value->kind != TSR_ATTR_DENSE && value->kind != TSR_ATTR_DENSE_RESOURCE)
        return tsr_op_error(
            op, "value attribute must be one of DenseResourceElementsAttr or DenseElementsAttr.");
    return tt_is_integer(value->type->elem) || tt_is_float(value->type->elem) ||
           tsr_op_error(op, "value attribute must be of int or float type.");
}

/* full, zeros, ones and rand have their shapes in slot 0. */
static bool given_shape(const tsr_op *op, tt_shape *s)
{
    s->n = 0;
    for (size_t i = 0; i < tt_count(op->attrs[TTIR_FULL_shape]); i++)
        TSR_TRY(tt_shape_add(op, s, tt_int_at(op->attrs[TTIR_FULL_shape], i)));
    return true;
}

bool infer_ttir_full(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return given_shape(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_full(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(given_shape(op, &s));
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "expected shape (%s), got (%s)", tt_show(op, OUT(op), ", "),
                        tt_join(op, s.d, s.n, ", "));
}

bool verify_ttir_rand(tsr_op *op)
{
    tt_shape s;
    if (tt_float(op, TTIR_RAND_low, 0) >= tt_float(op, TTIR_RAND_high, 1))
        return tsr_op_error(op, "'low' value must be < 'high' value.");
    TSR_TRY(given_shape(op, &s));
    if (tt_shape_is(&s, OUT(op)))
        return true;
    return tsr_op_error(op,
                        "Size argument does not match with output tensor shape. [Size = [%s%s], "
                        "output tensor shape = "
                        "(%s)].",
                        tt_join(op, s.d, s.n, " : i32, "), s.n ? " : i32" : "",
                        tt_show(op, OUT(op), ", "));
}

bool infer_ttir_arange(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_kept(op, out);
}

bool verify_ttir_arange(tsr_op *op)
{
    int64_t start = tt_int(op, TTIR_ARANGE_start, 0), end = tt_int(op, TTIR_ARANGE_end, 0);
    int64_t step = tt_int(op, TTIR_ARANGE_step, 1),
            dim = tt_int(op, TTIR_ARANGE_arange_dimension, 0);
    const tsr_type *out = OUT(op);
    if (step == 0)
        return tsr_op_error(op, "Step value cannot be zero");
    int64_t span = tt_plus(end, -start), n = span == TSR_DYNAMIC ? 0 : span / step;
    if (n <= 0)
        return tsr_op_error(op, "Invalid range: start=%lld, end=%lld, step=%lld", (long long)start,
                            (long long)end, (long long)step);
    if (dim < 0 || dim >= out->n)
        return tsr_op_error(op, "arange_dimension %lld is not a dimension of the result",
                            (long long)dim);
    return out->dims[dim] == n ||
           tsr_op_error(op,
                        "Output tensor shape must be %lld at dim %lld (since start=%lld, end=%lld, "
                        "step=%lld), but got "
                        "%lld",
                        (long long)n, (long long)dim, (long long)start, (long long)end,
                        (long long)step, (long long)out->dims[dim]);
}

/* empty, alloc: the result's type is the only one there is. */
bool infer_ttir_kept(const tsr_op *op, tsr_type_vec *out)
{
    while (out->n < op->nout || out->n == 0)
        TSR_TRY(tt_result_kept(op, out));
    return true;
}

bool verify_ttir_alloc(tsr_op *op)
{
    enum { SYSTEM, MMIO, DRAM, L1 };
    const tsr_attr *layout = OUT(op)->attr;
    int64_t space = op->attrs[TTIR_ALLOC_memory_space]->i,
            address = tt_int(op, TTIR_ALLOC_address, 0);
    if (!tsr_attr_is_struct(layout, &tsr_def_TTCORE_METAL_LAYOUT))
        return tsr_op_error(op, "Result type missing layout attribute");
    if (tt_int(op, TTIR_ALLOC_size, 0) == 0)
        return tsr_op_error(op, "Alloc size must be non-zero");
    if (layout->attrs[TTCORE_METAL_LAYOUT_memory_space]->i != space)
        return tsr_op_error(op, "Input tensor layout memory space must match alloc memory space");
    if ((space == SYSTEM || space == MMIO) && address != 0)
        return tsr_op_error(op, "Allocating from system memory space must have address set to 0, "
                                "implicitly allocated by "
                                "the runtime");
    return !((space == DRAM || space == L1) && address == 0) ||
           tsr_op_error(op, "Allocating from a device memory space must have address set to a "
                            "non-zero value, device "
                            "addresses are statically allocated");
}
