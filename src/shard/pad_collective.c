/* pad_collective.c - collectives of tensors whose axes do not divide a dimension: operands get
 * longer before, results are cut where the axes are gone. */
#include "shard/pad.h"

/* The scalar that added elements get. */
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

static void shard_as(tsr_padder *s, tsr_value *v, const tsr_sharding *a)
{
    if (a)
        tsr_sdy_set_sharding(v, tsr_sharding_encode(&s->table, a));
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
    shard_as(s, v, a);
    return v;
}

/* Whether elements can be added at all; a diagnostic when not. */
static bool has_numbers(const tsr_op *op)
{
    uint32_t bits = tsr_type_storage_bits(op->out[0].type->elem);
    return (bits && bits <= 256) || tsr_op_error(op, "has elements that nothing can be padded with");
}

/* The operand gets the type that the result's sharding wants, and the result has it, too. */
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

/* Cuts the result along dims to what type has there. */
static void cut_result(tsr_padder *s, tsr_op *op, const tsr_type *type, const bool *dims,
                       tsr_pad_kind kind)
{
    tsr_value *v = &op->out[0];
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
    shard_as(s, cut, tsr_pad_sharding(s, v));
    tsr_pad_note(s, cut, tsr_pad_original(s, v));
    if (kind)
        tsr_pad_set_kind(s, cut, kind);
}

bool pad_scatter(tsr_padder *s, tsr_op *op)
{
    return lengthen_operand(s, op);
}

bool pad_all_gather(tsr_padder *s, tsr_op *op)
{
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
