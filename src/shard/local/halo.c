/* SPDX-License-Identifier: Apache-2.0 */
/* halo.c - see halo.h. */
#include "shard/local/halo.h"

#include "dialect/sdy/axes.h"
#include "shard/core/devices.h"

/* ---- Shardings ---- */

void tsr_set_sharding(tsr_permuter *p, tsr_value *v, const tsr_sharding *a)
{
    tsr_sdy_set_sharding(v, tsr_sharding_encode(&p->r->table, a));
}

int64_t tsr_manual_parts(const tsr_axes *axes, const bool *manual)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < axes->n; i++)
        n *= manual[axes->data[i].axis] ? axes->data[i].size : 1;
    return n;
}

void tsr_bind_axes(const tsr_axes *axes, bool *manual)
{
    for (uint32_t i = 0; i < axes->n; i++)
        manual[axes->data[i].axis] = true;
}

/* The axes that are bound (or that are not). */
static const tsr_axes *pick(tsr_permuter *p, const tsr_axes *axes, const bool *manual, bool bound)
{
    tsr_axis_vec v = {0};
    for (uint32_t i = 0; i < axes->n; i++)
        if (manual[axes->data[i].axis] == bound)
            tsr_vec_push(&v, axes->data[i]);
    const tsr_axes *out = tsr_axes_get(&p->r->table.lists, v.data, v.n);
    tsr_vec_free(&v);
    return out;
}

const tsr_sharding *tsr_without_manual(tsr_permuter *p, const tsr_sharding *a, const bool *manual)
{
    tsr_dim_sharding *dims = TSR_NEW_ARRAY(p->r->arena, tsr_dim_sharding, a->rank + 1);
    for (uint32_t d = 0; d < a->rank; d++) {
        dims[d] = a->dims[d];
        dims[d].axes = pick(p, dims[d].axes, manual, false);
    }
    return tsr_sharding_get(&p->r->table, a->mesh, dims, a->rank, a->replicated, a->unreduced,
                            TSR_SDY_SUM);
}

/* ---- Padding ---- */

tsr_value *tsr_make_zero(tsr_build *b, tsr_type *elem)
{
    tsr_attr *zero = tsr_zero_elements(b->ctx, b->module, tsr_scalar_type(elem));
    return zero ? tsr_make_constant(b, zero) : NULL;
}

tsr_value *tsr_pad_high(tsr_permuter *p, tsr_build *b, tsr_value *v, const int64_t *shape,
                        const tsr_sharding *a, tsr_value *with)
{
    uint32_t rank = v->type->n;
    if (memcmp(shape, v->type->dims, rank * sizeof *shape) == 0)
        return v;
    int64_t *none = TSR_NEW_ARRAY(p->r->arena, int64_t, 2 * rank), *high = none + rank;
    for (uint32_t d = 0; d < rank; d++)
        high[d] = shape[d] - v->type->dims[d];
    if (!with)
        with = tsr_make_zero(b, v->type->elem);
    v = tsr_make_pad(b, v, with, none, high, none, tsr_type_with_dims(v->type, shape, rank));
    tsr_set_sharding(p, v, a);
    return v;
}

tsr_value *tsr_cut_high(tsr_permuter *p, tsr_build *b, tsr_value *v, tsr_type *type,
                        const tsr_sharding *a)
{
    if (v->type == type)
        return v;
    int64_t *none = TSR_NEW_ARRAY(p->r->arena, int64_t, 2 * type->n), *ones = none + type->n;
    for (uint32_t d = 0; d < type->n; d++)
        ones[d] = 1;
    v = tsr_make_slice(b, v, none, type->dims, ones);
    tsr_set_sharding(p, v, a);
    return v;
}

/* ---- Plans ---- */

bool tsr_halo_plan(const tsr_mesh *mesh, int64_t parts, int64_t part, int64_t want, int64_t low,
                   int64_t dilation, int64_t size, tsr_halo_dim *out)
{
    enum { MOST = 1 << 24 }; /* pairs of devices in all collectives */
    const int64_t far = INT64_MAX / 8;
    *out = (tsr_halo_dim){.want = want};
    if (dilation < 1 || low > far || low < -far ||
        tsr_sdy_mul(tsr_sdy_mul(part, dilation), parts) > far || tsr_sdy_mul(want, parts) > far ||
        tsr_sdy_mul(want, dilation) > far)
        return false;
    for (int64_t t = 0; t < parts; t++) {
        int64_t start = (t * want - low) / dilation, last = start + want - 1;
        start = start < 0 ? 0 : start;
        last = last > size - 1 ? size - 1 : last;
        if (start > last) {
            out->moves = true;
            continue;
        }
        start /= part;
        last /= part;
        out->moves |= start != t || last != t;
        out->left = t - start > out->left ? t - start : out->left;
        out->right = last - t > out->right ? last - t : out->right;
    }
    if (out->left + out->right + 1 >= parts && (out->left > 1 || out->right > 1))
        return false;
    return tsr_sdy_mul(out->left + out->right, mesh->ndevice) <= MOST;
}

/* ---- Collectives ---- */

/* Each device sends to the one that is by positions further along the axes; at the ends to none. gets: by device,
 * whether it receives something; may be NULL. */
static tsr_attr *pairs_of(tsr_permuter *p, const tsr_mesh *mesh, const tsr_axes *axes, int64_t by,
                          bool *gets)
{
    tsr_arena *arena = p->r->arena;
    int64_t size, n = 0, *groups = tsr_device_groups(arena, mesh, axes->data, axes->n, &size);
    int64_t *to = TSR_NEW_ARRAY(arena, int64_t, mesh->ndevice + 1);
    for (int64_t i = 0; i < mesh->ndevice; i++) {
        int64_t at = i % size + by;
        to[groups[i]] = at >= 0 && at < size ? groups[i + by] : -1;
    }
    int64_t *pairs = TSR_NEW_ARRAY(arena, int64_t, 2 * mesh->ndevice + 1);
    for (int64_t place = 0; place < mesh->ndevice; place++) {
        int64_t from = tsr_device_at(mesh, place);
        if (to[from] < 0)
            continue;
        pairs[2 * n] = from;
        pairs[2 * n++ + 1] = to[from];
        if (gets)
            gets[to[from]] = true;
    }
    return n ? tsr_i64_elements(p->r->ctx, p->r->module, (int64_t[]){n, 2}, 2, pairs) : NULL;
}

static tsr_value *permute(tsr_permuter *p, tsr_build *b, tsr_value *v, tsr_attr *pairs)
{
    tsr_ctx *ctx = p->r->ctx;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] = pairs;
    if (!p->replicas) /* with a channel, the pairs would refer to partitions */
        op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_channel_handle] =
            tsr_attr_struct(ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE,
                            (tsr_attr *[]){tsr_attr_i64(ctx, p->channel++), tsr_attr_i64(ctx, 1)});
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

/* ---- Computations ---- */

/* Builds an sdy.manual_computation with these operands, whose body has arguments of the given types. */
static tsr_op *open_manual(tsr_permuter *p, tsr_build *b, tsr_value *const *in, uint32_t n,
                           const tsr_sharding *const *shardings, const tsr_sharding *out,
                           const bool *manual, tsr_type *type, tsr_type *const *args,
                           tsr_build *body)
{
    tsr_ctx *ctx = p->r->ctx;
    const tsr_mesh *mesh = shardings[0]->mesh;
    tsr_attr **list = TSR_NEW_ARRAY(p->r->arena, tsr_attr *, mesh->naxis + n + 1);
    tsr_op *op = tsr_build_open(b, TSR_OP_SDY_MANUAL_COMPUTATION, in, n, 1, 1);
    for (uint32_t i = 0; i < n; i++)
        list[i] = tsr_sharding_encode(&p->r->table, shardings[i]);
    op->attrs[SDY_MANUAL_COMPUTATION_in_shardings] = tsr_sdy_per_value(ctx, list, n);
    list[0] = tsr_sharding_encode(&p->r->table, out);
    op->attrs[SDY_MANUAL_COMPUTATION_out_shardings] = tsr_sdy_per_value(ctx, list, 1);
    uint32_t k = 0;
    for (uint32_t i = 0; i < mesh->naxis; i++)
        if (manual[i])
            list[k++] = tsr_mesh_axis_name(mesh, i);
    op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] = tsr_attr_struct(
        ctx, &tsr_def_SDY_MANUAL_AXES, (tsr_attr *[]){tsr_attr_array(ctx, list, k)});
    tsr_build_close_as(b, op, &type);
    *body = tsr_build_in(b, &op->regions[0], args, n);
    return op;
}

static void close_manual(tsr_build *body, tsr_value *v)
{
    tsr_build_close_as(body, tsr_build_open(body, TSR_OP_SDY_RETURN, &v, 1, 0, 0), NULL);
    tsr_build_free(body);
}

static tsr_type *bound_type(tsr_permuter *p, tsr_type *type, const int64_t *shape,
                            const tsr_sharding *a, const bool *manual)
{
    int64_t *dims = TSR_NEW_ARRAY(p->r->arena, int64_t, type->n + 1);
    for (uint32_t d = 0; d < type->n; d++)
        dims[d] = shape[d] / tsr_manual_parts(a->dims[d].axes, manual);
    return tsr_type_with_dims(type, dims, type->n);
}

/* ---- Exchange ---- */

/* This device's index along the axes: tensor<i64>. */
static tsr_value *number_along(tsr_permuter *p, tsr_build *b, tsr_value *id, const tsr_mesh *mesh,
                               const tsr_axes *axes)
{
    tsr_type *i64 = p->r->ctx->i64;
    const tsr_attr *ids = mesh->attr->attrs[SDY_MESH_device_ids];
    if (ids && tsr_attr_count(ids)) {
        int64_t *table = tsr_device_positions(p->r->arena, mesh, axes->data, axes->n);
        return tsr_make_lookup(b, tsr_make_ints(b, table, mesh->ndevice), id);
    }
    tsr_value *number = NULL;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        int64_t stride = tsr_axis_stride(mesh, a);
        tsr_value *at = id;
        if (stride > 1)
            at = tsr_make_binary(b, TSR_OP_STABLEHLO_DIVIDE, at, tsr_make_int(b, i64, stride));
        if (a.size < mesh->ndevice)
            at = tsr_make_binary(b, TSR_OP_STABLEHLO_REMAINDER, at, tsr_make_int(b, i64, a.size));
        if (number) {
            number =
                tsr_make_binary(b, TSR_OP_STABLEHLO_MULTIPLY, number, tsr_make_int(b, i64, a.size));
            number = tsr_make_binary(b, TSR_OP_STABLEHLO_ADD, number, at);
        } else {
            number = at;
        }
    }
    return number ? number : tsr_make_int(b, i64, 0);
}

/* The part of a neighbour; at the ends, where a permute returns zeros, the padding value. Shardy leaves the zeros,
 * whatever the padding value is. */
static tsr_value *neighbour(tsr_permuter *p, tsr_build *b, const tsr_halo *h, const tsr_axes *axes,
                            int64_t by, tsr_value *v, tsr_value *with, const tsr_sharding *inner)
{
    const tsr_mesh *mesh = h->in->mesh;
    bool *gets = TSR_NEW_ARRAY(p->r->arena, bool, mesh->ndevice + 1);
    tsr_attr *pairs = pairs_of(p, mesh, axes, by, gets);
    if (!pairs)
        return v;
    tsr_value *part = permute(p, b, v, pairs);
    if (h->zero)
        return part;
    int64_t one = 1;
    tsr_value *id = tsr_make_device_id(b, p->replicas);
    tsr_value *mask = tsr_make_flags(b, gets, mesh->ndevice);
    mask = tsr_make_dynamic_slice(b, mask, &id, tsr_type_with_dims(mask->type, &one, 1));
    mask = tsr_make_reshape(b, mask, NULL, 0);
    tsr_value *fill = tsr_make_broadcast(b, with, NULL, part->type);
    tsr_set_sharding(p, fill, inner);
    part = tsr_make_select(b, mask, part, fill);
    tsr_set_sharding(p, part, inner);
    return part;
}

/* Concatenates the neighbours' parts with our own, dilated, with room at both ends. */
static tsr_value *line_up(tsr_permuter *p, tsr_build *b, const tsr_halo *h, uint32_t d,
                          tsr_value *v, tsr_value *with, const tsr_sharding *inner)
{
    const tsr_halo_dim *x = &h->dims[d];
    const tsr_axes *axes = pick(p, x->along ? x->along : h->in->dims[d].axes, h->manual, true);
    tsr_value_vec parts = {0};
    for (int64_t by = x->left; by >= -x->right; by--)
        tsr_vec_push(&parts, by ? neighbour(p, b, h, axes, by, v, with, inner) : v);
    uint32_t rank = v->type->n;
    int64_t *dims = tsr_arena_copy(p->r->arena, v->type->dims, rank * sizeof *dims);
    int64_t *room = TSR_NEW_ARRAY(p->r->arena, int64_t, 2 * rank), *interior = room + rank;
    dims[d] *= (int64_t)parts.n;
    v = tsr_make_concatenate(b, parts.data, parts.n, d, tsr_type_with_dims(v->type, dims, rank));
    tsr_vec_free(&parts);
    tsr_set_sharding(p, v, inner);
    room[d] = x->want * h->dilation[d];
    interior[d] = h->dilation[d] - 1;
    dims[d] = (dims[d] - 1) * h->dilation[d] + 1 + 2 * room[d];
    v = tsr_make_pad(b, v, with, room, room, interior, tsr_type_with_dims(v->type, dims, rank));
    tsr_set_sharding(p, v, inner);
    return v;
}

/* The position of our elements in the concatenation, and a zero for the other dimensions. */
static tsr_value *start_of(tsr_permuter *p, tsr_build *b, const tsr_halo *h, uint32_t d,
                           int64_t part, tsr_value *number, tsr_value **zero)
{
    const tsr_halo_dim *x = &h->dims[d];
    tsr_type *i64 = p->r->ctx->i64;
    if (x->along) { /* target parts begin at irregular positions: use a table */
        int64_t n = x->along->size, *table = TSR_NEW_ARRAY(p->r->arena, int64_t, n + 1);
        for (int64_t t = 0; t < n; t++) {
            int64_t source = x->sources[t] < 0 ? t : x->sources[t];
            table[t] = -h->low[d] + x->want + (x->left + source - t) * part + x->offsets[t];
        }
        tsr_value *at = tsr_make_lookup(b, tsr_make_ints(b, table, n), number);
        *zero = tsr_make_int(b, i64, 0);
        return at;
    }
    int64_t dilated = part * h->dilation[d];
    tsr_value *step = tsr_make_int(b, i64, x->want - dilated);
    tsr_value *base =
        tsr_make_int(b, i64, -h->low[d] + x->left * dilated + x->want * h->dilation[d]);
    tsr_value *at = tsr_make_binary(b, TSR_OP_STABLEHLO_MULTIPLY, number, step);
    at = tsr_make_binary(b, TSR_OP_STABLEHLO_ADD, at, base);
    *zero = tsr_make_int(b, i64, 0);
    return tsr_make_binary(b, TSR_OP_STABLEHLO_MAXIMUM, at, *zero);
}

static tsr_value *exchange_dim(tsr_permuter *p, tsr_build *b, const tsr_halo *h, uint32_t d,
                               tsr_value *v, tsr_value *with, const tsr_sharding *inner)
{
    const tsr_halo_dim *x = &h->dims[d];
    int64_t part = v->type->dims[d];
    uint32_t rank = v->type->n;
    tsr_value *line = line_up(p, b, h, d, v, with, inner), *zero;
    tsr_value *id = tsr_make_device_id(b, p->replicas);
    tsr_value *number =
        number_along(p, b, id, h->in->mesh, x->along ? x->along : h->in->dims[d].axes);
    tsr_value *at = start_of(p, b, h, d, part, number, &zero);
    tsr_value **starts = TSR_NEW_ARRAY(p->r->arena, tsr_value *, rank);
    for (uint32_t i = 0; i < rank; i++)
        starts[i] = i == d ? at : zero;
    int64_t *dims = tsr_arena_copy(p->r->arena, line->type->dims, rank * sizeof *dims);
    dims[d] = x->want;
    v = tsr_make_dynamic_slice(b, line, starts, tsr_type_with_dims(line->type, dims, rank));
    tsr_set_sharding(p, v, inner);
    return v;
}

/* Whether a device's part changes along a dimension, if only by padding. */
static bool changes(const tsr_halo *h, uint32_t d, int64_t part)
{
    const tsr_halo_dim *x = &h->dims[d];
    return x->moves ||
           (x->want && (x->want != part || (!x->along && (h->low[d] || h->dilation[d] != 1))));
}

tsr_value *tsr_halo_exchange(tsr_permuter *p, tsr_build *b, const tsr_halo *h, tsr_value *v,
                             tsr_value *with, tsr_type *type, tsr_halo_fn *finish, void *user)
{
    tsr_shardings *table = &p->r->table;
    const tsr_sharding *in[] = {h->in, tsr_sharding_empty(table, h->in->mesh, 0, false)};
    int64_t *dims = TSR_NEW_ARRAY(p->r->arena, int64_t, type->n + 1);
    for (uint32_t d = 0; d < type->n; d++)
        dims[d] = tsr_padded_size(type->dims[d], h->out->dims[d].axes->size);
    tsr_type *padded = tsr_type_with_dims(type, dims, type->n);
    tsr_type *args[] = {bound_type(p, v->type, h->shape, h->in, h->manual), with->type};
    tsr_build body;
    tsr_op *op =
        open_manual(p, b, (tsr_value *[]){v, with}, 2, in, h->out, h->manual, padded, args, &body);
    tsr_value *part = body.block->args[0], *inner_with = body.block->args[1];
    const tsr_sharding *inner = tsr_without_manual(p, h->in, h->manual);
    for (uint32_t d = 0; d < h->in->rank; d++)
        if (h->in->dims[d].axes->size > 1 && changes(h, d, part->type->dims[d]))
            part = exchange_dim(p, &body, h, d, part, inner_with, inner);
    close_manual(&body, finish(user, &body, part, inner_with, padded));
    return &op->out[0];
}

/* ---- Shifts ---- */

/* The part of the device hops positions lower; zeros if there is none. */
static tsr_value *part_from(tsr_permuter *p, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                            const tsr_axes *axes, int64_t hops, const tsr_sharding *inner)
{
    if (!hops)
        return v;
    tsr_attr *pairs = pairs_of(p, mesh, axes, hops, NULL);
    tsr_value *part = pairs ? permute(p, b, v, pairs)
                            : tsr_make_broadcast(b, tsr_make_zero(b, v->type->elem), NULL, v->type);
    tsr_set_sharding(p, part, inner);
    return part;
}

static tsr_value *slice_dim(tsr_permuter *p, tsr_build *b, tsr_value *v, uint32_t d, int64_t from,
                            int64_t to, const tsr_sharding *inner)
{
    uint32_t rank = v->type->n;
    int64_t *starts = TSR_NEW_ARRAY(p->r->arena, int64_t, 3 * rank), *limits = starts + rank;
    int64_t *ones = limits + rank;
    for (uint32_t i = 0; i < rank; i++) {
        starts[i] = i == d ? from : 0;
        limits[i] = i == d ? to : v->type->dims[i];
        ones[i] = 1;
    }
    v = tsr_make_slice(b, v, starts, limits, ones);
    tsr_set_sharding(p, v, inner);
    return v;
}

static tsr_value *shift_dim(tsr_permuter *p, tsr_build *b, const tsr_sharding *a,
                            const bool *manual, tsr_value *v, uint32_t d, int64_t by)
{
    const tsr_sharding *inner = tsr_without_manual(p, a, manual);
    const tsr_axes *axes = pick(p, a->dims[d].axes, manual, true);
    int64_t size = v->type->dims[d], hops = by / size, rest = by % size;
    tsr_value *head = part_from(p, b, v, a->mesh, axes, hops, inner);
    tsr_value *tail = part_from(p, b, v, a->mesh, axes, hops + 1, inner);
    tsr_value *parts[2] = {slice_dim(p, b, tail, d, size - rest, size, inner), NULL};
    parts[1] = slice_dim(p, b, head, d, 0, size - rest, inner);
    v = tsr_make_concatenate(b, parts, 2, d, v->type);
    tsr_set_sharding(p, v, inner);
    return v;
}

tsr_value *tsr_halo_shift(tsr_permuter *p, tsr_build *b, const tsr_sharding *a, const bool *manual,
                          tsr_value *v, const int64_t *by)
{
    tsr_build body;
    tsr_type *arg = bound_type(p, v->type, v->type->dims, a, manual);
    tsr_op *op = open_manual(p, b, &v, 1, &a, a, manual, v->type, &arg, &body);
    tsr_value *part = body.block->args[0];
    for (uint32_t d = 0; d < v->type->n; d++)
        if (by[d])
            part = shift_dim(p, &body, a, manual, part, d, by[d]);
    close_manual(&body, part);
    return &op->out[0];
}
