/* SPDX-License-Identifier: Apache-2.0 */
/* pad_collective.c - collectives on tensors whose axes do not divide a dimension: operands are padded before, results
 * are cut where the axes are removed.
 *
 * A dimension that is sharded before and after may need different padded sizes, and then parts of one are not composed
 * of parts of the other. Shardy's passes give up on these or go wrong; here such dimensions are gathered, cut, and
 * sliced again. */
#include "shard/local/pad.h"

#include "shard/local/halo.h"

/* The scalar in the padding. */
static tsr_value *number_of(tsr_build *b, tsr_type *elem, tsr_pad_kind kind)
{
    tsr_type *type = tsr_scalar_type(elem);
    if (kind != TSR_PAD_ONE)
        return tsr_make_constant(b, tsr_zero_elements(b->ctx, b->module, type));
    if (elem->kind != TSR_TYPE_FLOAT)
        return tsr_make_int(b, elem, 1);
    uint64_t bits = tsr_float_from_double((tsr_float_kind)elem->sub, 1);
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    uint32_t size = tsr_type_storage_bits(elem) / 8;
    return tsr_make_constant(b, tsr_attr_dense(b->ctx, b->module, type, bytes, size, true));
}

static tsr_value *lengthen(tsr_padder *s, tsr_build *b, tsr_value *v, tsr_type *type,
                           tsr_pad_kind with)
{
    uint32_t rank = type->n;
    int64_t *none = TSR_NEW_ARRAY(s->scratch, int64_t, 2 * rank + 1), *high = none + rank;
    for (uint32_t d = 0; d < rank; d++)
        high[d] = type->dims[d] - v->type->dims[d];
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    b->loc = tsr_value_loc(v);
    v = tsr_make_pad(b, v, number_of(b, type->elem, with), none, high, none, type);
    tsr_pad_shard_as(s, v, a);
    return v;
}

/* Whether values of this element type can be created for padding; a diagnostic if not. */
static bool has_numbers(const tsr_op *op)
{
    uint32_t bits = tsr_type_storage_bits(op->out[0].type->elem);
    return (bits && bits <= 256) ||
           tsr_op_error(op, "has elements that nothing can be padded with");
}

/* Pads the operand to the type that the result's sharding needs, which becomes the result's type. */
static bool lengthen_operand(tsr_padder *s, tsr_op *op)
{
    tsr_value *v = op->in[0].value;
    if (!tsr_type_is(v->type, TSR_TYPE_TENSOR))
        return false;
    tsr_type *type = tsr_pad_type(v->type, tsr_pad_sharding(s, &op->out[0]));
    tsr_pad_kind kind = tsr_pad_kind_of(s, v);
    if (type != v->type) {
        bool before = v->type != tsr_pad_original(s, v);
        if (!has_numbers(op))
            return false;
        if (!before)
            kind = TSR_PAD_ZERO;
        tsr_build b = tsr_build_before(op);
        v = lengthen(s, &b, v, type, kind);
        if (kind)
            tsr_pad_set_kind(s, v, kind);
        tsr_op_set_operand(op, 0, v);
    }
    tsr_pad_retype(s, &op->out[0], type);
    tsr_pad_set_kind(s, &op->out[0], kind);
    return true;
}

/* Cuts the result along dims to the sizes of type, padded for the axes that are left on them. */
static void cut_result(tsr_padder *s, tsr_op *op, tsr_type *type, const bool *dims,
                       tsr_pad_kind kind)
{
    tsr_value *v = &op->out[0];
    type = tsr_pad_type(type, tsr_pad_sharding(s, v));
    uint32_t rank = v->type->n;
    int64_t *none = TSR_NEW_ARRAY(s->scratch, int64_t, 3 * rank + 1), *limits = none + rank;
    int64_t *ones = limits + rank;
    bool cuts = false;
    for (uint32_t d = 0; d < rank; d++) {
        bool cut = dims[d] && v->type->dims[d] > type->dims[d];
        limits[d] = cut ? type->dims[d] : v->type->dims[d];
        ones[d] = 1;
        cuts |= cut;
    }
    if (!cuts)
        return;
    tsr_build b = tsr_build_before(op);
    b.at = op->next;
    tsr_value *cut = tsr_make_slice(&b, v, none, limits, ones);
    tsr_value_replace(v, cut);
    tsr_op_set_operand(cut->op, 0, v);
    tsr_pad_shard_as(s, cut, tsr_pad_sharding(s, v));
    tsr_pad_note(s, cut, tsr_pad_original(s, v));
    if (kind)
        tsr_pad_set_kind(s, cut, kind);
}

/* ---- Parts that are not composed of parts ---- */

/* Whether dimensions that are sharded before and after have equal padded sizes. */
static bool lines_up(tsr_padder *s, const tsr_op *op)
{
    const tsr_sharding *in = tsr_pad_sharding(s, op->in[0].value);
    const tsr_sharding *out = tsr_pad_sharding(s, &op->out[0]);
    const tsr_type *type = tsr_pad_original(s, op->in[0].value);
    for (uint32_t d = 0; in && out && d < out->rank; d++) {
        const tsr_axes *a = in->dims[d].axes, *b = out->dims[d].axes;
        if (a != b && a->size > 1 && b->size > 1 &&
            tsr_padded_size(type->dims[d], a->size) != tsr_padded_size(type->dims[d], b->size))
            return false;
    }
    return true;
}

/* The axes of dimensions that are not sharded alike in a and b, as a list of lists. */
static tsr_attr *lists_of(tsr_padder *s, const tsr_sharding *a, const tsr_sharding *b)
{
    tsr_attr **all = TSR_NEW_ARRAY(s->scratch, tsr_attr *, a->rank + 1);
    const tsr_axes *none = s->table.lists.none;
    for (uint32_t d = 0; d < a->rank; d++) {
        bool same = a->dims[d].axes == b->dims[d].axes;
        tsr_attr *refs = tsr_axes_encode(&s->table, a->mesh, same ? none : a->dims[d].axes);
        all[d] = tsr_attr_struct(s->ctx, &tsr_def_SDY_AXIS_REF_LIST, &refs);
    }
    tsr_attr *array = tsr_attr_array(s->ctx, all, a->rank);
    return tsr_attr_struct(s->ctx, &tsr_def_SDY_LIST_OF_AXIS_REF_LISTS, &array);
}

/* The sum with which a reduce-scatter begins. */
static tsr_value *reduce(tsr_padder *s, tsr_build *b, const tsr_op *op, const tsr_sharding *in,
                         const tsr_sharding *out)
{
    const tsr_attr *lists = op->attrs[SDY_REDUCE_SCATTER_reduce_scatter_axes]->attrs[0];
    TSR_VEC(tsr_attr *) refs = {0};
    for (uint32_t d = 0; d < lists->n; d++)
        for (uint32_t i = 0; i < lists->attrs[d]->attrs[0]->n; i++)
            tsr_vec_push(&refs, lists->attrs[d]->attrs[0]->attrs[i]);
    tsr_attr *array = tsr_attr_array(s->ctx, refs.data, refs.n);
    const tsr_axes *axes = tsr_axes_decode(&s->table, out->mesh, array);
    tsr_vec_free(&refs);
    array = tsr_axes_encode(&s->table, out->mesh, tsr_axes_sorted(&s->table.lists, axes));
    const tsr_sharding *to = tsr_sharding_get(&s->table, in->mesh, in->dims, in->rank,
                                              in->replicated, out->unreduced, out->reduction);
    tsr_value *v = op->in[0].value;
    tsr_op *sum = tsr_build_open(b, TSR_OP_SDY_ALL_REDUCE, &v, 1, 1, 0);
    sum->attrs[SDY_ALL_REDUCE_reduction_axes] =
        tsr_attr_struct(s->ctx, &tsr_def_SDY_AXIS_REF_LIST, &array);
    sum->attrs[SDY_ALL_REDUCE_reduction_op] = op->attrs[SDY_REDUCE_SCATTER_reduction_op];
    sum->attrs[SDY_ALL_REDUCE_out_sharding] = tsr_sharding_encode(&s->table, to);
    return &tsr_build_close_as(b, sum, &v->type)->out[0];
}

/* Gathers dimensions that are sharded differently before and after, and slices them again. */
static bool gather_and_slice(tsr_padder *s, tsr_op *op)
{
    const tsr_sharding *in = tsr_pad_sharding(s, op->in[0].value);
    const tsr_sharding *out = tsr_pad_sharding(s, &op->out[0]);
    tsr_value *v = op->in[0].value;
    tsr_type *type = tsr_pad_original(s, v);
    uint32_t rank = out->rank;
    tsr_dim_sharding *dims = TSR_NEW_ARRAY(s->scratch, tsr_dim_sharding, rank + 1);
    int64_t *ends = TSR_NEW_ARRAY(s->scratch, int64_t, 3 * rank + 1), *ones = ends + rank;
    int64_t *none = ones + rank;
    if (!has_numbers(op))
        return false;
    for (uint32_t d = 0; d < rank; d++) {
        bool same = in->dims[d].axes == out->dims[d].axes;
        dims[d] = in->dims[d];
        if (!same)
            dims[d].axes = s->table.lists.none;
        ends[d] = same ? v->type->dims[d] : type->dims[d];
        ones[d] = 1;
    }
    tsr_build b = tsr_build_before(op);
    if (tsr_op_is(op, TSR_OP_SDY_REDUCE_SCATTER))
        v = reduce(s, &b, op, in, out);
    const tsr_sharding *whole = tsr_sharding_get(&s->table, in->mesh, dims, rank, in->replicated,
                                                 out->unreduced, out->reduction);
    tsr_op *gather = tsr_build_open(&b, TSR_OP_SDY_ALL_GATHER, &v, 1, 1, 0);
    gather->attrs[SDY_ALL_GATHER_gathering_axes] = lists_of(s, in, out);
    gather->attrs[SDY_ALL_GATHER_out_sharding] = tsr_sharding_encode(&s->table, whole);
    v = &tsr_build_close_as(&b, gather, &v->type)->out[0];
    v = tsr_make_slice(&b, v, none, ends, ones);
    tsr_pad_shard_as(s, v, whole);
    for (uint32_t d = 0; d < rank; d++)
        if (in->dims[d].axes != out->dims[d].axes)
            ends[d] = tsr_padded_size(ends[d], out->dims[d].axes->size);
    v = lengthen(s, &b, v, tsr_type_with_dims(type, ends, rank), TSR_PAD_ZERO);
    b.loc = op->loc;
    tsr_op *slice = tsr_build_open(&b, TSR_OP_SDY_ALL_SLICE, &v, 1, 1, 0);
    slice->attrs[SDY_ALL_SLICE_slicing_axes] = lists_of(s, out, in);
    slice->attrs[SDY_ALL_SLICE_out_sharding] = tsr_sharding_encode(&s->table, out);
    v = &tsr_build_close_as(&b, slice, &v->type)->out[0];
    tsr_pad_note(s, v, type);
    tsr_value_replace(&op->out[0], v); /* which has another type */
    tsr_op_erase(op);
    return true;
}

/* ---- Patterns ---- */

bool pad_all_slice(tsr_padder *s, tsr_op *op)
{
    return lines_up(s, op) ? lengthen_operand(s, op) : gather_and_slice(s, op);
}

bool pad_all_gather(tsr_padder *s, tsr_op *op)
{
    if (!lines_up(s, op))
        return gather_and_slice(s, op);
    tsr_type *type = op->out[0].type;
    tsr_pad_kind kind = tsr_pad_kind_of(s, op->in[0].value);
    if (!tsr_pad_generic(s, op))
        return false;
    if (kind)
        tsr_pad_set_kind(s, &op->out[0], kind);
    const tsr_attr *lists = op->attrs[SDY_ALL_GATHER_gathering_axes]->attrs[0];
    bool *dims = TSR_NEW_ARRAY(s->scratch, bool, type->n + 1);
    for (uint32_t d = 0; d < type->n && d < lists->n; d++)
        dims[d] = lists->attrs[d]->attrs[0]->n != 0;
    cut_result(s, op, type, dims, kind);
    return true;
}

bool pad_all_to_all(tsr_padder *s, tsr_op *op)
{
    if (!lines_up(s, op))
        return gather_and_slice(s, op);
    tsr_type *type = tsr_pad_original(s, op->in[0].value);
    tsr_pad_kind kind = tsr_pad_kind_of(s, op->in[0].value);
    if (!lengthen_operand(s, op))
        return false;
    const tsr_attr *params = op->attrs[SDY_ALL_TO_ALL_params]->attrs[0];
    bool *dims = TSR_NEW_ARRAY(s->scratch, bool, type->n + 1);
    for (uint32_t i = 0; i < params->n; i++) {
        int64_t d = params->attrs[i]->attrs[SDY_ALL_TO_ALL_PARAM_src]->i;
        if (d >= 0 && d < type->n)
            dims[d] = true;
    }
    cut_result(s, op, type, dims, kind);
    return true;
}
