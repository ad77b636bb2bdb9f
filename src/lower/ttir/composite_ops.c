/* SPDX-License-Identifier: Apache-2.0 */
/* composite_ops.c - lowers composites that are layers and optimizer steps: norms, gelu, AdamW, random numbers,
 * gather. */
#include "lower/ttir/composite.h"

bool tsr_composite_gelu(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    if (op->nin != 1 || op->nout != 1)
        return false;
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTIR_GELU, op);
    for (uint32_t i = 0; attrs && i < attrs->n; i++)
        tsr_op_set_attr(made, attrs->named[i].name->str, attrs->named[i].value);
    tsr_composite_close(b, made, op, out);
    return true;
}

/* ---- Norms ---- */

/* Operands: an input, then perhaps a weight, then perhaps a bias; slots: the positions of the op's attributes. */
static bool norm(tsr_build *b, tsr_op *op, const tsr_attr *attrs, enum tsr_opcode opcode,
                 int shape_slot, int epsilon_slot, int segments_slot, tsr_value **out)
{
    tsr_i64_vec shape = {0};
    bool ok = op->nin >= 1 && op->nin <= 3 && op->nout == 1 &&
              tsr_given_ints(attrs, "normalized_shape", &shape);
    if (ok) {
        tsr_op *made = tsr_composite_open(b, opcode, op);
        tsr_attr *epsilon = tsr_given_f32(b, attrs, "epsilon");
        int64_t segments[] = {1, op->nin > 1, op->nin > 2};
        made->attrs[shape_slot] = tsr_attr_i64_array(b->ctx, shape.data, shape.n);
        made->attrs[segments_slot] = tsr_segments(b, segments, 3);
        if (epsilon)
            made->attrs[epsilon_slot] = epsilon;
        tsr_composite_close(b, made, op, out);
    }
    tsr_vec_free(&shape);
    return ok;
}

bool tsr_composite_rms_norm(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    return norm(b, op, attrs, TSR_OP_TTIR_RMS_NORM, TTIR_RMS_NORM_normalized_shape,
                TTIR_RMS_NORM_epsilon, TTIR_RMS_NORM_operandSegmentSizes, out);
}

bool tsr_composite_layer_norm(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    return norm(b, op, attrs, TSR_OP_TTIR_LAYER_NORM, TTIR_LAYER_NORM_normalized_shape,
                TTIR_LAYER_NORM_epsilon, TTIR_LAYER_NORM_operandSegmentSizes, out);
}

bool tsr_composite_distributed_rms_norm(tsr_build *b, tsr_op *op, const tsr_attr *attrs,
                                        tsr_value **out)
{
    int64_t axis;
    if (op->nin < 1 || op->nin > 3 || op->nout != 1 || !tsr_given_int(attrs, "cluster_axis", &axis))
        return false;
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTIR_DISTRIBUTED_RMS_NORM, op);
    tsr_attr *epsilon = tsr_given_f32(b, attrs, "epsilon");
    int64_t segments[] = {1, op->nin > 1, op->nin > 2};
    made->attrs[TTIR_DISTRIBUTED_RMS_NORM_cluster_axis] = tsr_ttir_ui32(b->ctx, axis);
    made->attrs[TTIR_DISTRIBUTED_RMS_NORM_operandSegmentSizes] = tsr_segments(b, segments, 3);
    if (epsilon)
        made->attrs[TTIR_DISTRIBUTED_RMS_NORM_epsilon] = epsilon;
    tsr_composite_close(b, made, op, out);
    return true;
}

/* TTIR's op takes rank four: ones are appended, so that the channels stay where they are. */
bool tsr_composite_group_norm(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    int64_t groups, channel, dims[4] = {1, 1, 1, 1};
    if (op->nin < 1 || op->nin > 3 || op->nout != 1 || op->out[0].type != op->in[0].value->type ||
        !tsr_given_int(attrs, "num_groups", &groups) ||
        !tsr_given_int(attrs, "channel_dim", &channel))
        return false;
    tsr_value *in[3];
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = op->in[i].value;
    const tsr_type *type = op->out[0].type;
    if (type->n < 4) {
        for (uint32_t i = 0; i < type->n; i++)
            dims[i] = type->dims[i];
        in[0] = tsr_ttir_reshape(b, in[0], dims, 4);
    }
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_GROUP_NORM, in, op->nin, 1);
    tsr_attr *epsilon = tsr_given_f32(b, attrs, "epsilon");
    int64_t segments[] = {1, 0, op->nin > 1, op->nin > 2};
    made->attrs[TTIR_GROUP_NORM_num_groups] = tsr_attr_i64(b->ctx, groups);
    made->attrs[TTIR_GROUP_NORM_channel_dim] = tsr_attr_i64(b->ctx, channel);
    made->attrs[TTIR_GROUP_NORM_operandSegmentSizes] = tsr_segments(b, segments, 4);
    if (epsilon)
        made->attrs[TTIR_GROUP_NORM_epsilon] = epsilon;
    out[0] = tsr_ttir_reshape(b, tsr_ttir_close(b, made, in[0]->type), type->dims, type->n);
    return true;
}

/* ---- Others ---- */

bool tsr_composite_adamw(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    static const struct {
        const char *name;
        int slot;
    } numbers[] = {
        {"lr", TTIR_ADAMW_lr},
        {"beta1", TTIR_ADAMW_beta1},
        {"beta2", TTIR_ADAMW_beta2},
        {"beta1_pow", TTIR_ADAMW_beta1_pow},
        {"beta2_pow", TTIR_ADAMW_beta2_pow},
        {"epsilon", TTIR_ADAMW_epsilon},
        {"weight_decay", TTIR_ADAMW_weight_decay},
    };
    if ((op->nin != 4 && op->nin != 5) || op->nout + 1 != op->nin)
        return false;
    tsr_attr *values[TSR_COUNT(numbers)];
    for (size_t i = 0; i < TSR_COUNT(numbers); i++)
        if (!(values[i] = tsr_given_f32(b, attrs, numbers[i].name)))
            return false;
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTIR_ADAMW, op);
    for (size_t i = 0; i < TSR_COUNT(numbers); i++)
        made->attrs[numbers[i].slot] = values[i];
    tsr_attr *rounding = tsr_given_bool(attrs, "stochastic_rounding");
    if (rounding)
        made->attrs[TTIR_ADAMW_stochastic_rounding] = rounding;
    tsr_composite_close(b, made, op, out);
    return true;
}

/* Operands: a state, which TTIR does not have, and constant bounds. */
bool tsr_composite_uniform(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    if (op->nin != 3 || op->nout != 1 || !tsr_given(attrs, "shape", TSR_ATTR_ARRAY))
        return false;
    tsr_attr *bounds[2];
    for (int i = 0; i < 2; i++) {
        const tsr_attr *a = tsr_ttir_constant_of(op->in[i + 1].value, false);
        if (!a || tsr_type_num_elements(a->type) != 1 ||
            !tsr_type_is(a->type->elem, TSR_TYPE_FLOAT))
            return false;
        bounds[i] = tsr_ttir_f32(b->ctx, tsr_ttir_number(a, 0));
    }
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_RAND, NULL, 0, 1);
    made->attrs[TTIR_RAND_size] = tsr_ttir_i32s(b->ctx, op->out[0].type->dims, op->out[0].type->n);
    made->attrs[TTIR_RAND_low] = bounds[0];
    made->attrs[TTIR_RAND_high] = bounds[1];
    tsr_composite_close(b, made, op, out);
    return true;
}

bool tsr_composite_gather(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    int64_t dim;
    if (op->nin != 2 || op->nout != 1 || !tsr_given_int(attrs, "dim", &dim))
        return false;
    tsr_value *x = op->in[0].value, *index = op->in[1].value;
    const tsr_type *elem = index->type->elem;
    if (!tsr_type_is(elem, TSR_TYPE_INTEGER) || !x->type->n || x->type->n != index->type->n)
        return false;
    if (elem->sub != TSR_UNSIGNED || (elem->width != 32 && elem->width != 16))
        index = tsr_ttir_typecast(b, index, tsr_type_integer(b->ctx, 32, TSR_UNSIGNED));
    tsr_value *in[] = {x, index};
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_GATHER, in, 2, 1);
    made->attrs[TTIR_GATHER_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    tsr_composite_close(b, made, op, out);
    return true;
}

/* Each device keeps its own part of a replicated tensor: one ttir.mesh_partition for each axis that cuts it. */
bool tsr_composite_all_slice(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    tsr_i64_vec shape = {0}, dims = {0};
    const tsr_attr *sharding = tsr_given(attrs, "out_sharding", TSR_ATTR_STRUCT);
    tsr_ttir_grid grid;
    bool ordered = false, ok = op->nin == 1 && op->nout == 1 && sharding &&
                               tsr_sdy_is_sharding(sharding) && tsr_ttir_grid_of(op, &grid) &&
                               tsr_ttir_shard_of(op, sharding, &shape, &dims, &ordered) &&
                               ordered && shape.n == op->out[0].type->n && dims.n == grid.n;
    tsr_value *v = ok ? op->in[0].value : NULL;
    for (uint32_t a = 0; ok && a < grid.n; a++) {
        int64_t d = dims.data[a];
        if (d < 0)
            continue;
        ok = v->type->n <= TSR_TTIR_RANK && v->type->dims[d] % grid.sizes[a] == 0;
        if (!ok)
            break;
        v = tsr_ttir_mesh_partition(b, v, d, a, grid.sizes[a]);
    }
    tsr_vec_free(&shape);
    tsr_vec_free(&dims);
    out[0] = v;
    return ok && v->type == op->out[0].type;
}
