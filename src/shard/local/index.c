/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - gather and scatter: indices refer to the global operand, of which a device has a part. A gather takes
 * elements from its own part and zeros for the rest, which the all-reduce after it fills in; a scatter ignores updates
 * outside of its part. */
#include "shard/local/local.h"

#include "dialect/params.h"
#include "shard/rule/rule.h"

/* An op whose indices become local. */
typedef struct {
    tsr_local *s;
    tsr_build *b;
    tsr_gather d;
    const tsr_sharding *shard; /* of the operand */
    const tsr_type *global;    /* the operand's */
    const tsr_type *local;
    tsr_type *type; /* of the indices */
    /* which dimensions of the operand are sharded where one element is taken */
    const bool *sharded;
} access;

static int64_t mapped(const access *a, int64_t i)
{
    return tsr_ints_at(a->d.map, (size_t)i);
}

/* Whether index vectors have their own dimension, with more than one component. */
static bool has_vectors(const access *a)
{
    int64_t at = a->d.vector;
    return at < a->type->n && a->type->dims[at] != 1;
}

/* One number per component of index vectors, in the shape of the indices. */
static tsr_value *clamp_bound(const access *a, const int64_t *numbers, int64_t n)
{
    tsr_build *b = a->b;
    int64_t at = a->d.vector;
    if (n <= 1 || at >= a->type->n)
        return tsr_make_constant(b, tsr_int_elements(b->ctx, b->module, a->type, numbers[0]));
    tsr_type *row = tsr_type_tensor(b->ctx, &n, 1, a->type->elem, NULL);
    uint32_t size = tsr_type_storage_bits(row->elem) / 8;
    uint8_t *bytes = TSR_NEW_ARRAY(a->s->arena, uint8_t, (size_t)n * size + 1);
    for (int64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < size; k++)
            bytes[(size_t)i * size + k] = k < 8 ? (uint8_t)((uint64_t)numbers[i] >> 8 * k) : 0;
    tsr_attr *value = tsr_attr_dense(b->ctx, b->module, row, bytes, (size_t)n * size, false);
    return tsr_make_broadcast(b, tsr_make_constant(b, value), &at, a->type);
}

/* A gather clamps indices to the bounds: this must happen before they become local. */
static tsr_value *clamp(const access *a, tsr_value *indices)
{
    int64_t zero = 0, n = a->d.map.n;
    int64_t *last = TSR_NEW_ARRAY(a->s->arena, int64_t, n + 1);
    for (int64_t i = 0; i < n; i++)
        last[i] = a->global->dims[mapped(a, i)] - 1;
    tsr_value *low = clamp_bound(a, &zero, 1), *high = clamp_bound(a, last, n);
    return tsr_build_op(a->b, TSR_OP_STABLEHLO_CLAMP, (tsr_value *[]){low, indices, high}, 3,
                        a->type);
}

/* A scalar per component, broadcast to the shape of the indices. */
static tsr_value *spread_bounds(const access *a, tsr_value *const *bounds, int64_t n)
{
    if (!has_vectors(a))
        return tsr_make_broadcast(a->b, bounds[0], NULL, a->type);
    int64_t one = 1, at = a->d.vector;
    tsr_value **rows = TSR_NEW_ARRAY(a->s->arena, tsr_value *, n + 1);
    for (int64_t i = 0; i < n; i++)
        rows[i] = tsr_make_reshape(a->b, bounds[i], &one, 1);
    tsr_type *type = tsr_type_tensor(a->b->ctx, &n, 1, a->type->elem, NULL);
    tsr_value *all = tsr_make_concatenate(a->b, rows, (size_t)n, 0, type);
    return tsr_make_broadcast(a->b, all, &at, a->type);
}

static tsr_value *compare(tsr_build *b, const char *how, tsr_value *x, tsr_value *y)
{
    return tsr_build_compare(b, how, NULL, x, y);
}

/* Indices relative to the start of this device's part; *mask: where they are within it. mask may be NULL. */
static tsr_value *shift(const access *a, tsr_value *indices, tsr_value **mask)
{
    tsr_build *b = a->b;
    tsr_type *elem = a->type->elem;
    int64_t n = a->d.map.n;
    tsr_value *base = mask ? clamp(a, indices) : indices;
    tsr_value **low = TSR_NEW_ARRAY(a->s->arena, tsr_value *, 2 * n + 1), **high = low + n;
    for (int64_t i = 0; i < n; i++) {
        int64_t d = mapped(a, i);
        if (!a->sharded[d]) {
            low[i] = tsr_make_int(b, elem, 0);
            if (mask)
                high[i] = tsr_make_int(b, elem, a->global->dims[d] - 1);
            continue;
        }
        int64_t size = a->local->dims[d];
        low[i] = tsr_local_offset(a->s, b, a->shard->mesh, a->shard->dims[d].axes, size);
        low[i] = tsr_make_convert(b, low[i], elem);
        if (mask)
            high[i] =
                tsr_make_binary(b, TSR_OP_STABLEHLO_ADD, low[i], tsr_make_int(b, elem, size - 1));
    }
    tsr_value *first = spread_bounds(a, low, n);
    tsr_value *last = mask ? spread_bounds(a, high, n) : NULL;
    tsr_value *shifted = tsr_make_binary(b, TSR_OP_STABLEHLO_SUBTRACT, base, first);
    if (mask) {
        tsr_value *above = compare(b, "GE", base, first), *below = compare(b, "LE", base, last);
        *mask = tsr_make_binary(b, TSR_OP_STABLEHLO_AND, above, below);
    }
    return shifted;
}

/* Dimensions that no index refers to are read at 0, which only the first part has: combines the mask with that
 * condition. */
static tsr_value *mask_first_parts(const access *a, tsr_value *mask)
{
    tsr_build *b = a->b;
    tsr_value *first = NULL;
    for (uint32_t d = 0; d < a->local->n; d++) {
        if (!a->sharded[d] || tsr_ints_has(a->d.map, d))
            continue;
        tsr_value *at =
            tsr_local_offset(a->s, b, a->shard->mesh, a->shard->dims[d].axes, a->local->dims[d]);
        tsr_value *here = compare(b, "EQ", at, tsr_make_int(b, b->ctx->i64, 0));
        first = first ? tsr_make_binary(b, TSR_OP_STABLEHLO_AND, first, here) : here;
    }
    if (!first || !mask)
        return first ? first : mask;
    first = tsr_make_broadcast(b, first, NULL, mask->type);
    return tsr_make_binary(b, TSR_OP_STABLEHLO_AND, mask, first);
}

static bool any_mapped(const access *a)
{
    for (int64_t i = 0, n = a->d.map.n; i < n; i++)
        if (a->sharded[mapped(a, i)])
            return true;
    return false;
}

/* ---- Gather ---- */

/* All components of an index vector must be within the part. */
static tsr_value *mask_of_vectors(const access *a, tsr_value *mask)
{
    tsr_build *b = a->b;
    int64_t at = a->d.vector, n = 0;
    if (at >= mask->type->n)
        return mask;
    int64_t *dims = TSR_NEW_ARRAY(a->s->arena, int64_t, mask->type->n + 1);
    for (uint32_t d = 0; d < mask->type->n; d++)
        if (d != at)
            dims[n++] = mask->type->dims[d];
    tsr_type *type = tsr_type_tensor(b->ctx, dims, (size_t)n, b->ctx->i1, NULL);
    tsr_value *in[] = {mask, tsr_make_int(b, b->ctx->i1, 1)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(b->ctx, &at, 1);
    tsr_make_reducer(b, &op->regions[0], TSR_OP_STABLEHLO_AND, b->ctx->i1);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* The mask in the shape of the result. */
static tsr_value *mask_of_result(const access *a, tsr_value *mask, const tsr_type *result)
{
    int64_t *dims = TSR_NEW_ARRAY(a->s->arena, int64_t, result->n + 1), n = 0;
    for (uint32_t d = 0; d < result->n; d++)
        if (!tsr_ints_has(a->d.window, d))
            dims[n++] = d;
    tsr_type *type = tsr_type_tensor(a->b->ctx, result->dims, result->n, a->b->ctx->i1, NULL);
    return tsr_make_broadcast(a->b, mask, dims, type);
}

/* Slices along whole dimensions have the size of the local part. */
static bool local_slice_sizes(tsr_local *s, tsr_op *op, const tsr_gather *g,
                              const tsr_sharding *shard)
{
    const tsr_type *global = tsr_local_global(s, op->in[0].value);
    int64_t *out = TSR_NEW_ARRAY(s->arena, int64_t, shard->rank + 1);
    for (uint32_t d = 0; d < shard->rank; d++) {
        const tsr_axes *axes = shard->dims[d].axes;
        out[d] = tsr_ints_at(g->sizes, d);
        if (out[d] == 1 || tsr_ints_has(g->batch, d) || !axes->n)
            continue;
        if (out[d] != global->dims[d])
            return tsr_op_error(op, "dimension %u is sharded, and slices take a part of it", d);
        out[d] /= axes->size;
    }
    op->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_attr_i64_array(s->ctx, out, shard->rank);
    if (!op->attrs[STABLEHLO_GATHER_indices_are_sorted])
        op->attrs[STABLEHLO_GATHER_indices_are_sorted] = tsr_attr_bool(s->ctx, false);
    return true;
}

bool local_gather(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *shard = tsr_local_sharding(s, op->in[0].value);
    if (tsr_local_replicated(shard))
        return true;
    if (!tsr_devices_ok(op, shard->mesh))
        return false;
    tsr_gather g;
    tsr_gather_of(op, &g);
    bool *sharded = TSR_NEW_ARRAY(s->arena, bool, shard->rank + 1), any = false;
    tsr_axis_vec axes = {0};
    for (uint32_t d = 0; d < shard->rank; d++) {
        const tsr_axes *more = shard->dims[d].axes;
        if (more->size <= 1 || tsr_ints_at(g.sizes, d) != 1 || tsr_ints_has(g.batch, d))
            continue;
        sharded[d] = any = true;
        tsr_axis_vec_add_all(&axes, more->data, more->n);
    }
    bool ok = local_slice_sizes(s, op, &g, shard) &&
              (!any || tsr_local_reduced(s, op, shard->mesh, &axes));
    tsr_vec_free(&axes);
    if (!ok || !any)
        return ok;
    tsr_build b = tsr_build_before(op);
    tsr_value *operand = op->in[0].value, *mask = NULL, *indices = op->in[1].value;
    access a = {s,      &b, g, shard, tsr_local_global(s, operand), operand->type, indices->type,
                sharded};
    if (any_mapped(&a))
        tsr_op_set_operand(op, 1, shift(&a, indices, &mask));
    mask = mask_first_parts(&a, mask);
    tsr_type *type = op->out[0].type;
    tsr_attr *zero = tsr_zero_elements(s->ctx, op->module, type);
    if (!zero)
        return tsr_op_error(op, "has elements without a zero");
    tsr_build behind = b; /* the gather stays; new ops go after it */
    behind.at = op->next;
    a.b = &behind;
    mask = mask_of_result(&a, mask_of_vectors(&a, mask), type);
    tsr_value *result = &op->out[0], *none = tsr_make_constant(&behind, zero);
    tsr_use *use = result->uses; /* the all-reduce */
    tsr_value *masked = tsr_make_select(&behind, mask, result, none);
    tsr_op_set_operand(use->user, (size_t)(use - use->user->in), masked);
    return true;
}

/* ---- Scatter ---- */

/* Axes that shard updates but not the operand: devices update copies of it. */
static void shared_axes(const tsr_sharding *updates, const tsr_sharding *operand, tsr_ints window,
                        tsr_axis_vec *out)
{
    for (uint32_t d = 0; updates && d < updates->rank; d++) {
        for (uint32_t i = 0; !tsr_ints_has(window, d) && i < updates->dims[d].axes->n; i++) {
            tsr_axis axis = updates->dims[d].axes->data[i];
            bool found = false;
            for (uint32_t k = 0; operand && k < operand->rank; k++)
                for (uint32_t j = 0; j < operand->dims[k].axes->n; j++)
                    found |= tsr_axis_eq(operand->dims[k].axes->data[j], axis);
            if (!found)
                tsr_vec_push(out, axis);
        }
    }
}

/* One of the devices with copies keeps the operand, the others begin with the identity, so that the combination of all
 * is right. */
static bool keep_once(tsr_local *s, tsr_build *b, tsr_op *op, const tsr_mesh *mesh,
                      const tsr_axis_vec *axes, uint32_t n)
{
    tsr_type *type = op->in[0].value->type;
    tsr_attr *identity = tsr_reduce_identity_attr(op->module, tsr_scatter_reduction(op), type->elem,
                                                  TSR_IDENTITY_FINITE);
    for (uint32_t i = 1; i < n; i++)
        if (op->in[i].value->type != type)
            identity = NULL;
    if (!identity)
        return tsr_error(s->ctx, op->loc, "failed to get scatter reduction identity.");
    tsr_value *scalar = tsr_make_constant(b, identity);
    int64_t *at = tsr_device_positions(s->arena, mesh, axes->data, axes->n), one = 1, zero = 0;
    bool *flags = TSR_NEW_ARRAY(s->arena, bool, mesh->ndevice + 1);
    for (int64_t i = 0; i < mesh->ndevice; i++)
        flags[i] = at[i] == 0;
    tsr_value *id = tsr_make_device_id(b, s->replicas);
    tsr_value *first = tsr_make_flags(b, flags, mesh->ndevice);
    first = tsr_make_dynamic_slice(b, first, &id, tsr_type_with_dims(first->type, &one, 1));
    if (!type->n) {
        first = tsr_make_reshape(b, first, NULL, 0);
    } else {
        tsr_type *mask = tsr_type_tensor(s->ctx, type->dims, type->n, s->ctx->i1, NULL);
        first = tsr_make_broadcast(b, first, &zero, mask);
    }
    tsr_value *none = tsr_make_broadcast(b, scalar, NULL, type);
    for (uint32_t i = 0; i < n; i++)
        tsr_op_set_operand(op, i, tsr_make_select(b, first, op->in[i].value, none));
    return true;
}

static bool scatter_on(tsr_local *s, tsr_op *op, uint32_t n, const tsr_mesh *mesh,
                       const tsr_axis_vec *axes)
{
    tsr_gather g;
    tsr_gather_of(op, &g);
    const tsr_sharding *shard = tsr_local_sharding(s, op->in[0].value);
    const tsr_type *global = tsr_local_global(s, op->in[0].value), *local = op->in[0].value->type;
    bool *sharded = TSR_NEW_ARRAY(s->arena, bool, local->n + 1), any = false;
    tsr_build b = tsr_build_before(op);
    if (axes->n &&
        (!keep_once(s, &b, op, mesh, axes, n) || !tsr_local_join(s, op, tsr_scatter_reduction(op))))
        return false;
    for (uint32_t d = 0; shard && d < shard->rank; d++) {
        if (!shard->dims[d].axes->n)
            continue;
        if (tsr_ints_has(g.map, d))
            sharded[d] = any = true;
        else if (tsr_ints_has(g.dropped, d))
            return tsr_op_error(op,
                                "sharding operand dimension %u that is not indexed but in inserted "
                                "window dimension is not supported.",
                                d);
    }
    if (!any && !axes->n)
        return true;
    tsr_value *indices = op->in[n].value;
    access a = {s, &b, g, shard, global, local, indices->type, sharded};
    if (any)
        tsr_op_set_operand(op, n, shift(&a, indices, NULL));
    for (int slot = STABLEHLO_SCATTER_indices_are_sorted; slot <= STABLEHLO_SCATTER_unique_indices;
         slot++)
        if (!op->attrs[slot])
            op->attrs[slot] = tsr_attr_bool(s->ctx, false);
    return true;
}

bool local_scatter(tsr_local *s, tsr_op *op)
{
    uint32_t n = (op->nin - 1) / 2;
    if (!n)
        return true;
    const tsr_sharding *in = tsr_local_sharding(s, op->in[0].value);
    const tsr_sharding *updates = tsr_local_sharding(s, op->in[n + 1].value);
    if (tsr_local_replicated(in) && tsr_local_replicated(updates))
        return true;
    const tsr_mesh *mesh = (in ? in : updates)->mesh;
    if (!tsr_devices_ok(op, mesh))
        return false;
    tsr_axis_vec axes = {0};
    tsr_gather g;
    tsr_gather_of(op, &g);
    shared_axes(updates, in, g.window, &axes);
    bool ok = scatter_on(s, op, n, mesh, &axes);
    tsr_vec_free(&axes);
    return ok;
}
