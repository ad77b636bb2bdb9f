/* SPDX-License-Identifier: Apache-2.0 */
/* pad_ops.c - ops that read along padded dimensions, or whose attributes contain sizes. */
#include "shard/local/halo.h"
#include "shard/local/pad.h"
#include "dialect/reducer.h"

/* Zeros in the padding of operand i along these dimensions. */
static bool zeros_along(tsr_padder *s, tsr_op *op, uint32_t i, const int64_t *dims, int64_t n)
{
    tsr_value *v = op->in[i].value;
    if (tsr_pad_original(s, v) == v->type || tsr_pad_kind_of(s, v) == TSR_PAD_ZERO)
        return true;
    tsr_build b = tsr_build_before(op);
    tsr_value *zero = tsr_make_zero(&b, v->type->elem);
    if (!zero)
        return tsr_op_error(op, "has elements that nothing can be padded with");
    tsr_op_set_operand(op, i, tsr_pad_fill(s, &b, v, zero, dims, n));
    return true;
}

/* ---- Products ---- */

bool pad_dot_general(tsr_padder *s, tsr_op *op)
{
    tsr_dot d;
    tsr_dot_of(op, &d);
    for (uint32_t i = 0; i < 2; i++)
        TSR_TRY(
            zeros_along(s, op, i, tsr_ints_array(s->scratch, d.contract[i], 0), d.contract[i].n));
    return tsr_pad_generic(s, op);
}

bool pad_dot(tsr_padder *s, tsr_op *op)
{
    int64_t last = (int64_t)op->in[0].value->type->n - 1, first = 0;
    return zeros_along(s, op, 0, &last, 1) && zeros_along(s, op, 1, &first, 1) &&
           tsr_pad_generic(s, op);
}

/* A feature dimension and the spatial ones. */
static bool zeros_along_features(tsr_padder *s, tsr_op *op, uint32_t i, int64_t feature,
                                 tsr_ints spatial)
{
    int64_t *dims = tsr_ints_array(s->scratch, spatial, 1);
    dims[spatial.n] = feature;
    return zeros_along(s, op, i, dims, (int64_t)spatial.n + 1);
}

bool pad_convolution(tsr_padder *s, tsr_op *op)
{
    tsr_conv c;
    tsr_conv_of(op, &c);
    TSR_TRY(zeros_along_features(s, op, 0, c.in_feature, c.in_spatial));
    TSR_TRY(zeros_along_features(s, op, 1, c.kernel_in, c.kernel_spatial));
    tsr_type_vec types = {0};
    bool ok = op->def->infer(op, &types) && types.n == 1;
    tsr_value *v = &op->out[0];
    tsr_type *type = ok ? tsr_hlo_with_element(types.data[0], v->type->elem) : NULL;
    tsr_vec_free(&types);
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *want = tsr_pad_type(v->type, a);
    if (!ok || type->n != want->n)
        return false;
    int64_t *dims = tsr_arena_copy(s->scratch, type->dims, type->n * sizeof *dims);
    bool cuts = false;
    for (uint32_t i = 0; i < c.out_spatial.n; i++) {
        uint32_t d = (uint32_t)tsr_ints_at(c.out_spatial, i);
        if (type->dims[d] < want->dims[d])
            return false; /* windows would have to extend past the end */
        cuts |= type->dims[d] > want->dims[d];
        dims[d] = want->dims[d];
    }
    tsr_type *had = v->type;
    v->type = type;
    if (!cuts) {
        tsr_pad_note(s, v, had);
        return true;
    }
    tsr_build b = tsr_build_before(op);
    b.at = op->next;
    int64_t *none = TSR_NEW_ARRAY(s->scratch, int64_t, 2 * type->n), *ones = none + type->n;
    for (uint32_t d = 0; d < type->n; d++)
        ones[d] = 1;
    tsr_value *cut = tsr_make_slice(&b, v, none, dims, ones);
    tsr_value_replace(v, cut);
    tsr_op_set_operand(cut->op, 0, v);
    tsr_pad_shard_as(s, cut, a);
    tsr_pad_note(s, cut, had);
    return true;
}

/* ---- Reduce ---- */

/* The padding along reduced dimensions gets the identity. */
bool pad_reduce(tsr_padder *s, tsr_op *op)
{
    tsr_ints list = tsr_attr_ints(op->attrs[STABLEHLO_REDUCE_dimensions]);
    int64_t n = list.n, *dims = tsr_ints_array(s->scratch, list, 0);
    bool longer = false;
    for (uint32_t i = 0; i < op->nin / 2; i++) {
        const tsr_type *type = tsr_pad_original(s, op->in[i].value);
        for (int64_t k = 0; k < n; k++)
            longer |= type->dims[dims[k]] != op->in[i].value->type->dims[dims[k]];
    }
    if (longer) {
        tsr_value *v = op->in[0].value;
        tsr_reducer r = {0};
        if (op->nin == 2)
            tsr_reducer_of(&op->regions[0], 1, 0, &r);
        tsr_attr *identity =
            tsr_reduce_identity_attr(op->module, r.kind, v->type->elem, TSR_IDENTITY_GREATEST);
        if (!identity)
            return tsr_op_error(op, "reduces a sharded dimension that its axes do not divide, and "
                                    "nothing is known that its body leaves alone");
        tsr_build b = tsr_build_before(op);
        tsr_value *with = tsr_make_constant(&b, identity);
        tsr_op_set_operand(op, 0, tsr_pad_fill(s, &b, v, with, dims, n));
    }
    return tsr_pad_generic(s, op);
}

/* ---- Slice and pad ---- */

bool pad_slice(tsr_padder *s, tsr_op *op)
{
    tsr_value *v = &op->out[0];
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *type = tsr_pad_type(v->type, a), *from = tsr_pad_original(s, op->in[0].value);
    if (type == v->type)
        return tsr_pad_generic(s, op);
    tsr_slice p;
    tsr_slice_of(op, &p);
    int64_t *limits = tsr_ints_array(s->scratch, p.limit, 0);
    int64_t *strides = tsr_ints_array(s->scratch, p.strides, 0);
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t parts = a->dims[d].axes->size;
        if (type->dims[d] == v->type->dims[d])
            continue;
        if (v->type->dims[d] <= 1)
            strides[d] = 1; /* for one element */
        if (tsr_ints_at(p.start, d) || strides[d] != 1 ||
            tsr_local_size(from->dims[d], parts) != tsr_local_size(v->type->dims[d], parts))
            return tsr_op_error(op,
                                "dimension %u is sharded, and the slice moves elements between "
                                "devices; sdy-resolve-permutation-factors resolves that",
                                d);
        limits[d] = type->dims[d];
    }
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(s->ctx, limits, p.limit.n);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(s->ctx, strides, p.strides.n);
    op->extra = NULL;
    tsr_pad_shard_as(s, v, a);
    tsr_pad_retype(s, v, type);
    return true;
}

bool pad_pad(tsr_padder *s, tsr_op *op)
{
    tsr_value *in = op->in[0].value, *v = &op->out[0];
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *type = tsr_pad_type(v->type, a);
    if (!tsr_type_is(in->type, TSR_TYPE_TENSOR))
        return false;
    int64_t *high = TSR_NEW_ARRAY(s->scratch, int64_t, type->n + 1);
    tsr_pad p;
    tsr_pad_of(op, &p);
    bool less = false;
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t low = tsr_ints_at(p.low, d), spread;
        int64_t interior = tsr_ints_at(p.interior, d);
        int64_t size = in->type->dims[d];
        if (__builtin_mul_overflow(size > 1 ? size - 1 : 0, interior, &spread) ||
            __builtin_sub_overflow(type->dims[d] - size, low, &high[d]) ||
            __builtin_sub_overflow(high[d], spread, &high[d]))
            return tsr_op_error(op, "is larger than numbers here can say");
        less |= high[d] < tsr_ints_at(p.high, d);
    }
    if (less) { /* the operand's padding takes the place of explicit padding */
        tsr_build b = tsr_build_before(op);
        tsr_op_set_operand(op, 0, tsr_pad_fill(s, &b, in, op->in[1].value, NULL, -1));
    }
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(s->ctx, high, type->n);
    op->extra = NULL;
    tsr_pad_shard_as(s, v, a);
    tsr_pad_retype(s, v, type);
    return true;
}

/* ---- Slices at dynamic positions ---- */

/* Slices of whole dimensions stay whole; whole[d]: whether dimension d may be one of them. */
static void lengthen_slices(tsr_padder *s, tsr_op *op, int slot, const bool *whole)
{
    const tsr_value *v = op->in[0].value;
    const tsr_type *old = tsr_pad_original(s, v);
    tsr_ints list = tsr_attr_ints(op->attrs[slot]);
    int64_t n = list.n, *sizes = tsr_ints_array(s->scratch, list, 0);
    for (int64_t d = 0; d < n; d++)
        if (whole[d] && sizes[d] == old->dims[d])
            sizes[d] = v->type->dims[d];
    op->attrs[slot] = tsr_attr_i64_array(s->ctx, sizes, (size_t)n);
}

/* One number per component of index vectors, in the shape of the indices. */
static tsr_value *bounds(tsr_padder *s, tsr_build *b, const int64_t *bound, int64_t n, int64_t at,
                         const tsr_value *indices)
{
    tsr_type *elem = indices->type->elem;
    tsr_type *row = tsr_type_tensor(s->ctx, &n, 1, elem, NULL);
    uint32_t size = tsr_type_storage_bits(elem) / 8;
    uint8_t *bytes = TSR_NEW_ARRAY(s->scratch, uint8_t, (size_t)n * size + 1);
    for (int64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < size && k < 8; k++)
            bytes[(size_t)i * size + k] = (uint8_t)((uint64_t)bound[i] >> 8 * k);
    tsr_attr *value = tsr_attr_dense(s->ctx, b->module, row, bytes, (size_t)n * size, false);
    tsr_value *v = tsr_make_constant(b, value);
    if (at == indices->type->n)
        v = tsr_make_broadcast(b, tsr_make_reshape(b, v, NULL, 0), NULL, indices->type);
    else
        v = tsr_make_broadcast(b, v, &at, indices->type);
    tsr_pad_shard_as(s, v, tsr_pad_sharding(s, indices));
    return v;
}

/* A gather clamps to the original bounds, which exclude the padding. */
bool pad_gather(tsr_padder *s, tsr_op *op)
{
    tsr_gather g;
    tsr_gather_of(op, &g);
    const tsr_value *v = op->in[0].value;
    const tsr_type *old = tsr_pad_original(s, v);
    bool *whole = TSR_NEW_ARRAY(s->scratch, bool, old->n + 1), longer = false;
    for (uint32_t d = 0; d < old->n; d++)
        whole[d] = tsr_gather_keeps(&g, d);
    int64_t n = g.map.n, *map = tsr_ints_array(s->scratch, g.map, 0), at = g.vector;
    int64_t *low = TSR_NEW_ARRAY(s->scratch, int64_t, 2 * n + 1), *high = low + n;
    for (int64_t i = 0; i < n; i++) {
        longer |= old->dims[map[i]] != v->type->dims[map[i]];
        high[i] = old->dims[map[i]] - tsr_ints_at(g.sizes, (size_t)map[i]);
    }
    tsr_value *indices = op->in[1].value;
    if (longer && tsr_type_storage_bits(indices->type->elem)) {
        tsr_build b = tsr_build_before(op);
        tsr_value *in[] = {bounds(s, &b, low, n, at, indices), indices,
                           bounds(s, &b, high, n, at, indices)};
        tsr_value *clamped = tsr_build_op(&b, TSR_OP_STABLEHLO_CLAMP, in, 3, indices->type);
        tsr_pad_shard_as(s, clamped, tsr_pad_sharding(s, indices));
        tsr_pad_note(s, clamped, tsr_pad_original(s, indices));
        tsr_op_set_operand(op, 1, clamped);
    }
    lengthen_slices(s, op, STABLEHLO_GATHER_slice_sizes, whole);
    return tsr_pad_generic(s, op);
}

bool pad_dynamic_slice(tsr_padder *s, tsr_op *op)
{
    uint32_t rank = op->in[0].value->type->n;
    bool *whole = TSR_NEW_ARRAY(s->scratch, bool, rank + 1);
    for (uint32_t d = 0; d < rank; d++)
        whole[d] = true;
    lengthen_slices(s, op, STABLEHLO_DYNAMIC_SLICE_slice_sizes, whole);
    return tsr_pad_generic(s, op);
}

/* Padded updates are not written anywhere. */
bool pad_scatter(tsr_padder *s, tsr_op *op)
{
    uint32_t at = (op->nin - 1) / 2;
    tsr_value *indices = op->in[at].value;
    if (tsr_pad_original(s, indices) != indices->type) {
        tsr_build b = tsr_build_before(op);
        tsr_value *outside = tsr_make_int(&b, indices->type->elem, -1);
        tsr_op_set_operand(op, at, tsr_pad_fill(s, &b, indices, outside, NULL, -1));
    }
    return tsr_pad_generic(s, op);
}

/* ---- Constants ---- */

/* The value with zeros in the padding. */
static tsr_attr *longer_value(tsr_padder *s, tsr_module *m, const tsr_attr *value, tsr_type *type)
{
    uint32_t size = tsr_type_storage_bits(type->elem) / 8;
    const tsr_type *old = value->type;
    int64_t all = tsr_type_num_elements(type), n = tsr_type_num_elements(old);
    if (!tsr_attr_is(value, TSR_ATTR_DENSE) || !size || all < 0)
        return NULL;
    if (value->sub)
        return tsr_attr_dense(s->ctx, m, type, value->s.data, value->s.len, true);
    if (all > INT64_MAX / size || (uint64_t)n * size != value->s.len)
        return NULL;
    char *bytes = tsr_xmalloc((size_t)all * size + 1);
    memset(bytes, 0, (size_t)all * size);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = 0, rest = i, stride = 1;
        for (uint32_t d = old->n; d-- > 0;) {
            at += rest % old->dims[d] * stride;
            rest /= old->dims[d];
            stride *= type->dims[d];
        }
        memcpy(bytes + at * size, value->s.data + i * size, size);
    }
    tsr_attr *longer = tsr_attr_dense(s->ctx, m, type, bytes, (size_t)all * size, false);
    tsr_free(bytes);
    return longer;
}

bool pad_constant(tsr_padder *s, tsr_op *op)
{
    tsr_value *v = &op->out[0];
    tsr_type *type = tsr_pad_type(v->type, tsr_pad_sharding(s, v));
    tsr_attr *value = longer_value(s, op->module, op->attrs[0], type);
    if (!value)
        return false;
    op->attrs[0] = value;
    tsr_pad_retype(s, v, type);
    return true;
}
