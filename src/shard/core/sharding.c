/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.c - see sharding.h. */
#include "shard/core/sharding.h"

#include "shard/core/invariants.h"

void tsr_shardings_init(tsr_shardings *table, tsr_arena *arena, tsr_op *module)
{
    *table = (tsr_shardings){.ctx = module->module->ctx, .arena = arena};
    tsr_meshes_init(&table->meshes, arena, module);
    tsr_axis_lists_init(&table->lists, arena);
}

void tsr_shardings_init_lazy(tsr_shardings *table, tsr_arena *arena, tsr_op *module)
{
    *table = (tsr_shardings){.ctx = module->module->ctx, .arena = arena};
    tsr_meshes_init_lazy(&table->meshes, arena, module);
    tsr_axis_lists_init(&table->lists, arena);
}

void tsr_shardings_free(tsr_shardings *table)
{
    tsr_meshes_free(&table->meshes);
    tsr_axis_lists_free(&table->lists);
    tsr_map_free(&table->by_attr);
    tsr_map_free(&table->by_content);
}

/* ---- Interning ---- */

static bool same_dims(const tsr_dim_sharding *a, const tsr_dim_sharding *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i].axes != b[i].axes || a[i].closed != b[i].closed || a[i].priority != b[i].priority)
            return false;
    return true;
}

const tsr_sharding *tsr_sharding_get(tsr_shardings *table, const tsr_mesh *mesh,
                                     const tsr_dim_sharding *dims, uint32_t rank,
                                     const tsr_axes *replicated, const tsr_axes *unreduced,
                                     tsr_sdy_reduction reduction)
{
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(mesh), (uint64_t)replicated->id << 32 | unreduced->id);
    /* irrelevant without unreduced axes, but equal shardings must have equal addresses */
    if (!unreduced->n)
        reduction = TSR_SDY_SUM;
    h = tsr_hash_mix(h, (uint64_t)reduction << 32 | rank);
    for (uint32_t i = 0; i < rank; i++)
        h = tsr_hash_mix(h, (uint64_t)dims[i].axes->id << 32 ^ (uint64_t)dims[i].closed << 31 ^
                                (uint64_t)dims[i].priority);
    TSR_MAP_EACH (&table->by_content, h, found) {
        const tsr_sharding *s = found;
        if (s->mesh == mesh && s->rank == rank && s->replicated == replicated &&
            s->unreduced == unreduced && s->reduction == reduction &&
            same_dims(s->dims, dims, rank))
            return s;
    }
    tsr_sharding *s = tsr_arena_zalloc(table->arena, sizeof *s + rank * sizeof *dims);
    *s = (tsr_sharding){.mesh = mesh,
                        .replicated = replicated,
                        .unreduced = unreduced,
                        .reduction = reduction,
                        .rank = rank,
                        .id = table->by_content.n + 1};
    for (uint32_t i = 0; i < rank; i++) {
        s->dims[i] = dims[i];
        s->sharded |= dims[i].axes->n != 0;
    }
    tsr_check(tsr_sharding_sound(s),
              "a sharding of rank %u has an axis twice, or one that does not divide its axis",
              rank);
    tsr_map_put(&table->by_content, h, s);
    return s;
}

/* ---- Local types ---- */

tsr_type *tsr_sharding_local_type(const tsr_sharding *s, tsr_type *global, tsr_uneven uneven,
                                  uint32_t *bad)
{
    int64_t few[16],
        *dims = global->n <= TSR_COUNT(few) ? few : tsr_xmalloc(global->n * sizeof *dims);
    tsr_type *local = NULL;
    uint32_t d = 0;
    for (; d < global->n; d++) {
        int64_t size = global->dims[d], parts = d < s->rank ? s->dims[d].axes->size : 1;
        dims[d] = size == TSR_DYNAMIC ? size : tsr_local_size(size, parts);
        tsr_assert(uneven == TSR_UNEVEN_FAILS || size == TSR_DYNAMIC ||
                       (dims[d] * parts >= size && dims[d] * parts - size < parts),
                   "%lld shards of %lld elements for %lld", (long long)parts, (long long)dims[d],
                   (long long)size);
        if (uneven == TSR_UNEVEN_FAILS && size != TSR_DYNAMIC && size % parts)
            break;
    }
    if (bad)
        *bad = d;
    if (d == global->n)
        local = tsr_type_tensor(global->ctx, dims, global->n, global->elem, global->attr);
    if (dims != few)
        tsr_free(dims);
    return local;
}

/* ---- From attributes ---- */

static bool decode_axis(const tsr_mesh *mesh, const tsr_attr *ref, tsr_axis *out)
{
    uint32_t i = tsr_mesh_axis(mesh, ref->attrs[SDY_AXIS_REF_name]);
    if (i == mesh->naxis)
        return false;
    const tsr_attr *sub = ref->attrs[SDY_AXIS_REF_sub];
    *out = (tsr_axis){i, 1, mesh->sizes[i]};
    if (!sub)
        return true;
    out->pre = sub->attrs[SDY_SUB_AXIS_INFO_pre_size]->i;
    out->size = sub->attrs[SDY_SUB_AXIS_INFO_size]->i;
    /* Guaranteed by the verifier; the arithmetic relies on it. */
    return out->pre > 0 && out->size > 0 && out->pre <= mesh->sizes[i] / out->size;
}

const tsr_axes *tsr_axes_decode(tsr_shardings *table, const tsr_mesh *mesh, const tsr_attr *list)
{
    tsr_axis few[16], *axes = few;
    if (list->n > TSR_COUNT(few))
        axes = tsr_xmalloc(list->n * sizeof *axes);
    uint32_t n = 0;
    while (n < list->n && decode_axis(mesh, list->attrs[n], &axes[n]))
        n++;
    const tsr_axes *out = n == list->n ? tsr_axes_get(&table->lists, axes, n) : NULL;
    if (axes != few)
        tsr_free(axes);
    return out;
}

static const tsr_sharding *decode(tsr_shardings *table, const tsr_attr *attr)
{
    const tsr_mesh *mesh = tsr_meshes_get(&table->meshes, attr->attrs[SDY_SHARDING_mesh]);
    if (!mesh)
        return NULL;
    const tsr_attr *list = attr->attrs[SDY_SHARDING_dims];
    const tsr_axes *replicated = tsr_axes_decode(table, mesh, attr->attrs[SDY_SHARDING_replicated]);
    const tsr_axes *unreduced = tsr_axes_decode(table, mesh, attr->attrs[SDY_SHARDING_unreduced]);
    tsr_dim_sharding few[16], *dims = few;
    if (list->n > TSR_COUNT(few))
        dims = tsr_arena_alloc(table->arena, list->n * sizeof *dims);
    for (uint32_t i = 0; i < list->n; i++) {
        tsr_attr *const *d = list->attrs[i]->attrs;
        const tsr_attr *priority = d[SDY_DIMENSION_SHARDING_priority];
        dims[i].axes = tsr_axes_decode(table, mesh, d[SDY_DIMENSION_SHARDING_axes]);
        dims[i].closed = d[SDY_DIMENSION_SHARDING_is_closed]->i != 0;
        dims[i].priority = priority ? priority->i : -1;
        if (!dims[i].axes)
            return NULL;
    }
    if (!replicated || !unreduced)
        return NULL;
    return tsr_sharding_get(table, mesh, dims, list->n, replicated, unreduced,
                            (tsr_sdy_reduction)attr->attrs[SDY_SHARDING_reduction]->i);
}

/* Cache of decoded attributes. */
typedef struct {
    tsr_attr *attr;
    const tsr_sharding *sharding;
} decoded;

const tsr_sharding *tsr_sharding_decode(tsr_shardings *table, tsr_attr *attr)
{
    if (!tsr_sdy_is_sharding(attr))
        return NULL;
    uint64_t h = tsr_hash_ptr(attr);
    TSR_MAP_EACH (&table->by_attr, h, found) {
        const decoded *d = found;
        if (d->attr == attr)
            return d->sharding;
    }
    decoded *d = TSR_NEW(table->arena, decoded);
    *d = (decoded){attr, decode(table, attr)};
    tsr_map_put(&table->by_attr, h, d);
    return d->sharding;
}

/* ---- To attributes ---- */

tsr_attr *tsr_axis_encode(tsr_ctx *ctx, const tsr_mesh *mesh, tsr_axis axis)
{
    tsr_attr *sub = NULL;
    tsr_assert(axis.axis < mesh->naxis && tsr_axis_end(axis) <= mesh->sizes[axis.axis],
               "sub-axis (%lld)%lld of axis %u of %u", (long long)axis.pre, (long long)axis.size,
               axis.axis, mesh->naxis);
    if (axis.pre != 1 || axis.size != mesh->sizes[axis.axis])
        sub = tsr_attr_struct(
            ctx, &tsr_def_SDY_SUB_AXIS_INFO,
            (tsr_attr *[]){tsr_attr_i64(ctx, axis.pre), tsr_attr_i64(ctx, axis.size)});
    return tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                           (tsr_attr *[]){tsr_mesh_axis_name(mesh, axis.axis), sub});
}

tsr_attr *tsr_axes_encode(tsr_shardings *table, const tsr_mesh *mesh, const tsr_axes *axes)
{
    tsr_attr *few[16] = {NULL}, **list = few;
    if (axes->n > TSR_COUNT(few))
        list = tsr_xmalloc(axes->n * sizeof *list);
    for (uint32_t i = 0; i < axes->n; i++)
        list[i] = tsr_axis_encode(table->ctx, mesh, axes->data[i]);
    tsr_attr *out = tsr_attr_array(table->ctx, list, axes->n);
    if (list != few)
        tsr_free(list);
    return out;
}

static tsr_attr *encode_dim(tsr_shardings *table, const tsr_mesh *mesh, const tsr_dim_sharding *d)
{
    tsr_ctx *ctx = table->ctx;
    tsr_attr *params[] = {tsr_axes_encode(table, mesh, d->axes), tsr_attr_bool(ctx, d->closed),
                          d->priority < 0 ? NULL : tsr_attr_i64(ctx, d->priority)};
    return tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params);
}

tsr_attr *tsr_sharding_encode(tsr_shardings *table, const tsr_sharding *s)
{
    if (!s || s->attr)
        return s ? s->attr : NULL;
    tsr_attr *few[16] = {NULL}, **list = few;
    if (s->rank > TSR_COUNT(few))
        list = tsr_xmalloc(s->rank * sizeof *list);
    for (uint32_t i = 0; i < s->rank; i++)
        list[i] = encode_dim(table, s->mesh, &s->dims[i]);
    tsr_attr *params[] = {s->mesh->ref, tsr_attr_array(table->ctx, list, s->rank),
                          tsr_axes_encode(table, s->mesh, s->replicated),
                          tsr_axes_encode(table, s->mesh, s->unreduced),
                          tsr_attr_i64(table->ctx, s->reduction)};
    if (list != few)
        tsr_free(list);
    tsr_attr *attr = tsr_attr_struct(table->ctx, &tsr_def_SDY_SHARDING, params);
    ((tsr_sharding *)s)->attr = attr; /* a cache, so s does not change logically */
    return attr;
}

/* ---- Queries ---- */

const tsr_sharding *tsr_sharding_empty(tsr_shardings *table, const tsr_mesh *mesh, uint32_t rank,
                                       bool closed)
{
    tsr_dim_sharding few[16], *dims = few;
    if (rank > TSR_COUNT(few))
        dims = tsr_arena_alloc(table->arena, rank * sizeof *dims);
    const tsr_axes *none = table->lists.none;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = (tsr_dim_sharding){.axes = none, .priority = -1, .closed = closed};
    return tsr_sharding_get(table, mesh, dims, rank, none, none, TSR_SDY_SUM);
}

bool tsr_sharding_no_axes(const tsr_sharding *s)
{
    return !s->replicated->n && !s->unreduced->n && !s->sharded;
}

const tsr_mesh *tsr_common_mesh(const tsr_sharding *const *shardings, size_t n, bool ignore_ids)
{
    const tsr_mesh *mesh = NULL;
    for (size_t i = 0; i < n; i++) {
        const tsr_mesh *other = shardings[i] ? shardings[i]->mesh : NULL;
        if (!other || other == mesh)
            continue;
        if (!mesh || mesh->empty) {
            mesh = other;
            continue;
        }
        if (other->empty)
            continue;
        if (!(ignore_ids ? tsr_mesh_same_axes(mesh, other) : tsr_mesh_same(mesh, other)))
            return NULL;
        if (ignore_ids && !other->attr->attrs[SDY_MESH_device_ids])
            mesh = other;
    }
    return mesh;
}
