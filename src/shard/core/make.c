/* SPDX-License-Identifier: Apache-2.0 */
/* make.c - see make.h. */
#include "shard/core/make.h"

tsr_type *tsr_type_with_dims(tsr_type *t, const int64_t *dims, size_t n)
{
    return tsr_type_tensor(t->ctx, dims, n, t->elem, NULL);
}

/* ---- Attributes ---- */

tsr_attr *tsr_int_elements(tsr_ctx *ctx, tsr_module *m, tsr_type *type, int64_t number)
{
    uint8_t bytes[8] = {0};
    uint32_t bits = tsr_type_storage_bits(type->elem);
    uint64_t value = (uint64_t)number;
    if (type->elem->width < 64)
        value &= ((uint64_t)1 << type->elem->width) - 1;
    for (uint32_t i = 0; i < bits / 8 && i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return tsr_attr_dense(ctx, m, type, bytes, bits / 8, true);
}

tsr_attr *tsr_i64_elements(tsr_ctx *ctx, tsr_module *m, const int64_t *dims, size_t rank,
                           const int64_t *numbers)
{
    tsr_type *type = tsr_type_tensor(ctx, dims, rank, ctx->i64, NULL);
    int64_t n = tsr_type_num_elements(type);
    uint8_t *bytes = tsr_xmalloc((size_t)n * 8 + 1);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            bytes[i * 8 + k] = (uint8_t)((uint64_t)numbers[i] >> 8 * k);
    tsr_attr *a = tsr_attr_dense(ctx, m, type, bytes, (size_t)n * 8, false);
    tsr_free(bytes);
    return a;
}

tsr_attr *tsr_zero_elements(tsr_ctx *ctx, tsr_module *m, tsr_type *type)
{
    uint8_t bytes[32] = {0};
    uint32_t bits = tsr_type_storage_bits(type->elem);
    return bits && bits / 8 <= sizeof bytes ? tsr_attr_dense(ctx, m, type, bytes, bits / 8, true)
                                            : NULL;
}

/* ---- Ops ---- */

static tsr_value *close_as(tsr_build *b, tsr_op *op, tsr_type *type)
{
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_make_constant(tsr_build *b, tsr_attr *value)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_CONSTANT_value] = value;
    return close_as(b, op, value->type);
}

tsr_value *tsr_make_int(tsr_build *b, tsr_type *elem, int64_t number)
{
    return tsr_make_constant(b, tsr_int_elements(b->ctx, b->module, tsr_scalar_type(elem), number));
}

tsr_value *tsr_make_ints(tsr_build *b, const int64_t *numbers, int64_t n)
{
    return tsr_make_constant(b, tsr_i64_elements(b->ctx, b->module, &n, 1, numbers));
}

tsr_value *tsr_make_flags(tsr_build *b, const bool *flags, int64_t n)
{
    uint8_t *bytes = tsr_xmalloc((size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        bytes[i] = flags[i];
    tsr_type *type = tsr_type_tensor(b->ctx, &n, 1, b->ctx->i1, NULL);
    tsr_attr *a = tsr_attr_dense(b->ctx, b->module, type, bytes, (size_t)n, false);
    tsr_free(bytes);
    return tsr_make_constant(b, a);
}

tsr_value *tsr_make_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    return tsr_build_op(b, TSR_OP_STABLEHLO_RESHAPE, &v, 1, tsr_type_with_dims(v->type, dims, n));
}

tsr_value *tsr_make_transpose(tsr_build *b, tsr_value *v, const int64_t *order)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_TRANSPOSE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_TRANSPOSE_permutation] = tsr_attr_i64_array(b->ctx, order, v->type->n);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_make_convert(tsr_build *b, tsr_value *v, tsr_type *elem)
{
    tsr_type *type = tsr_type_tensor(b->ctx, v->type->dims, v->type->n, elem, NULL);
    return tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, &v, 1, type);
}

tsr_value *tsr_make_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims, tsr_type *type)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &v, 1, 1, 0);
    op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, dims, v->type->n);
    return close_as(b, op, type);
}

tsr_value *tsr_make_concatenate(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim,
                                tsr_type *type)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, in, n, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, dim);
    return close_as(b, op, type);
}

tsr_value *tsr_make_dynamic_slice(tsr_build *b, tsr_value *v, tsr_value *const *starts,
                                  tsr_type *type)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, v);
    for (uint32_t i = 0; i < type->n; i++)
        tsr_vec_push(&in, starts[i]);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in.data, in.n, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] =
        tsr_attr_i64_array(b->ctx, type->dims, type->n);
    tsr_vec_free(&in);
    return close_as(b, op, type);
}

tsr_value *tsr_make_slice(tsr_build *b, tsr_value *v, const int64_t *starts, const int64_t *limits,
                          const int64_t *strides)
{
    uint32_t n = v->type->n;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_SLICE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(b->ctx, starts, n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(b->ctx, limits, n);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(b->ctx, strides, n);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_make_pad(tsr_build *b, tsr_value *v, tsr_value *with, const int64_t *low,
                        const int64_t *high, const int64_t *interior, tsr_type *type)
{
    tsr_value *in[] = {v, with};
    uint32_t n = type->n;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    op->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_attr_i64_array(b->ctx, low, n);
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(b->ctx, high, n);
    op->attrs[STABLEHLO_PAD_interior_padding] = tsr_attr_i64_array(b->ctx, interior, n);
    return close_as(b, op, type);
}

tsr_value *tsr_make_iota(tsr_build *b, tsr_type *type, int64_t dim)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(b->ctx, dim);
    return close_as(b, op, type);
}

tsr_value *tsr_make_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y)
{
    return tsr_build_op(b, opcode, (tsr_value *[]){x, y}, 2, x->type);
}

tsr_value *tsr_make_select(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y)
{
    return tsr_build_op(b, TSR_OP_STABLEHLO_SELECT, (tsr_value *[]){p, x, y}, 3, x->type);
}

void tsr_make_reducer(tsr_build *b, tsr_region *region, enum tsr_opcode opcode, tsr_type *elem)
{
    tsr_type *scalar = tsr_scalar_type(elem), *types[] = {scalar, scalar};
    tsr_build inner = tsr_build_in(b, region, types, 2);
    tsr_value *v = tsr_make_binary(&inner, opcode, inner.block->args[0], inner.block->args[1]);
    tsr_build_return(&inner, &v, 1);
    tsr_build_free(&inner);
}

tsr_value *tsr_make_device_id(tsr_build *b, bool replicas)
{
    tsr_type *type = tsr_scalar_type(tsr_type_integer(b->ctx, 32, TSR_UNSIGNED));
    tsr_value *id = tsr_build_op(
        b, replicas ? TSR_OP_STABLEHLO_REPLICA_ID : TSR_OP_STABLEHLO_PARTITION_ID, NULL, 0, type);
    return tsr_make_convert(b, id, b->ctx->i64);
}

tsr_value *tsr_make_lookup(tsr_build *b, tsr_value *table, tsr_value *id)
{
    int64_t one = 1;
    tsr_value *part =
        tsr_make_dynamic_slice(b, table, &id, tsr_type_with_dims(table->type, &one, 1));
    return tsr_make_reshape(b, part, NULL, 0);
}

int64_t tsr_last_channel(tsr_op *root)
{
    int64_t last = 0;
    TSR_OPS (root, op) {
        const tsr_attr *a = tsr_op_attr(op, TSR_STR("channel_handle"));
        if (tsr_attr_is_struct(a, &tsr_def_STABLEHLO_CHANNEL_HANDLE) && a->attrs[0]->i > last)
            last = a->attrs[0]->i;
    }
    return last;
}

static bool all_zero(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

bool tsr_same_constant(const tsr_value *a, const tsr_value *b)
{
    return !a->is_arg && !b->is_arg && a->op->def == b->op->def &&
           tsr_op_has(a->op, TSR_TRAIT(CONSTANT_LIKE)) && a->op->attrs[0] == b->op->attrs[0];
}

bool tsr_is_zero(const tsr_value *v)
{
    if (v->is_arg ||
        (!tsr_op_is(v->op, TSR_OP_STABLEHLO_CONSTANT) && !tsr_op_is(v->op, TSR_OP_SDY_CONSTANT)))
        return false;
    const tsr_attr *value = v->op->attrs[0];
    if (!tsr_attr_is(value, TSR_ATTR_DENSE) || !value->sub || !value->s.len)
        return false;
    const tsr_type *elem = value->type->elem;
    size_t n = value->s.len;
    if (elem->kind != TSR_TYPE_FLOAT || elem->width % 8)
        return all_zero(value->s.data, n);
    /* all zero except for the sign */
    return all_zero(value->s.data, n - 1) && !(value->s.data[n - 1] & 0x7F);
}
