/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - layouts of the partitioner: local types, moves from one layout to another, masks.
 *
 * relayout.c plans moves for dimensions that their axes divide. A dimension that is not divided evenly is first
 * extended to the total size of its shards: if it was whole it is padded; if it becomes whole its padding is cut off
 * after the move. If old and new parts have no common multiple that fits both, it becomes whole in between. */
#include "shard/spmd/spmd.h"

#include "dialect/builtin/quant.h"
#include "shard/core/relayout.h"

/* ---- Shardings ---- */

static bool is_static(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(t);
}

bool tsr_spmd_may_part(const tsr_type *t)
{
    const tsr_type *e = is_static(t) ? t->elem : NULL;
    return e && !(e->kind == TSR_TYPE_DIALECT && e->def == &tsr_def_QUANT_UNIFORM &&
                  e->params[QUANT_axis]);
}

static int64_t padded(int64_t n, const tsr_axes *axes) /* the total size of all shards */
{
    return tsr_padded_size(n, axes->size);
}

tsr_type *tsr_spmd_type(tsr_spmd *s, tsr_type *global, const tsr_sharding *sharding)
{
    (void)s;
    if (!is_static(global) || !sharding->sharded)
        return global;
    tsr_assert(sharding->rank == global->n, "a sharding of rank %u for a tensor of rank %u",
               sharding->rank, global->n);
    return tsr_sharding_local_type(sharding, global, TSR_UNEVEN_PADS, NULL);
}

const tsr_sharding *tsr_spmd_replicated(tsr_spmd *s, uint32_t rank)
{
    return tsr_sharding_empty(&s->r.table, s->mesh, rank, true);
}

const tsr_sharding *tsr_spmd_sharding(tsr_spmd *s, const tsr_mesh *mesh,
                                      const tsr_axes *const *axes, uint32_t rank)
{
    const tsr_axes *none = s->r.table.lists.none;
    tsr_dim_sharding *dims = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *dims);
    bool sharded = false;
    for (uint32_t d = 0; d < rank; d++) {
        dims[d] = (tsr_dim_sharding){axes[d], -1, true};
        sharded |= axes[d]->n != 0;
        for (uint32_t e = 0; e < d && axes[d]->n; e++)
            tsr_assert(!tsr_axes_overlap(axes[d], axes[e]), "an axis shards dimensions %u and %u",
                       e, d);
    }
    return tsr_sharding_get(&s->r.table, sharded ? mesh : s->mesh, dims, rank, none, none,
                            TSR_SDY_SUM);
}

static const tsr_axes **axes_of(tsr_spmd *s, const tsr_sharding *a)
{
    const tsr_axes **axes = tsr_arena_alloc(s->r.arena, (a->rank + 1) * sizeof *axes);
    for (uint32_t d = 0; d < a->rank; d++)
        axes[d] = a->dims[d].axes;
    return axes;
}

const tsr_sharding *tsr_spmd_with_dim(tsr_spmd *s, const tsr_sharding *a, uint32_t dim,
                                      const tsr_axes *axes)
{
    const tsr_axes **all = axes_of(s, a);
    all[dim] = axes;
    return tsr_spmd_sharding(s, a->sharded ? a->mesh : s->op_mesh, all, a->rank);
}

/* A name that is not an axis of the mesh. */
static tsr_attr *free_name(tsr_spmd *s, const tsr_mesh *mesh)
{
    tsr_buf text = {0};
    tsr_buf_cstr(&text, "copies");
    while (tsr_mesh_axis(mesh, tsr_attr_string(s->ctx, tsr_buf_text(&text))) < mesh->naxis)
        tsr_buf_cstr(&text, "_");
    tsr_attr *name = tsr_attr_string(s->ctx, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return name;
}

/* The mesh with an additional last axis, which covers all devices of the program: if the mesh has n devices, device i
 * also represents i + n, i + 2n, ... Axes keep their positions. */
static const tsr_mesh *with_copies(tsr_spmd *s, const tsr_mesh *mesh)
{
    int64_t n = mesh->ndevice, copies = s->ndevice / n;
    tsr_assert(copies * n == s->ndevice, "%lld copies of %lld devices for %lld", (long long)copies,
               (long long)n, (long long)s->ndevice);
    int64_t *ids = tsr_arena_alloc(s->scratch, (size_t)s->ndevice * sizeof *ids);
    for (int64_t i = 0; i < s->ndevice; i++)
        ids[i] = tsr_spmd_device_at(mesh, i / copies) + i % copies * n;
    tsr_attr **axes = tsr_arena_alloc(s->scratch, (mesh->naxis + 1) * sizeof *axes);
    memcpy(axes, mesh->axes, mesh->naxis * sizeof *axes);
    tsr_attr *last[] = {free_name(s, mesh), tsr_attr_i64(s->ctx, copies)};
    axes[mesh->naxis] = tsr_attr_struct(s->ctx, &tsr_def_SDY_MESH_AXIS, last);
    tsr_attr *attr = tsr_sdy_mesh(s->ctx, tsr_attr_array(s->ctx, axes, mesh->naxis + 1),
                                  tsr_attr_i64_array(s->ctx, ids, (size_t)s->ndevice));
    return tsr_meshes_get(&s->r.table.meshes, attr);
}

/* The number of the mesh, or of one like it, among those met; their number: none. */
static size_t place_of(const tsr_spmd *s, const tsr_mesh *mesh)
{
    TSR_MAP_EACH (&s->mesh_places, tsr_hash_ptr(mesh->attr), at)
        if (tsr_mesh_same(s->meshes.data[(uintptr_t)at - 1], mesh))
            return (uintptr_t)at - 1;
    return s->meshes.n;
}

const tsr_mesh *tsr_spmd_mesh(tsr_spmd *s, const tsr_mesh *mesh)
{
    if (mesh->maximal || mesh->empty || mesh->ndevice < 1 || s->ndevice % mesh->ndevice)
        return NULL;
    if (mesh->ndevice < s->ndevice)
        mesh = with_copies(s, mesh);
    size_t at = place_of(s, mesh);
    if (at < s->meshes.n)
        return s->meshes.data[at];
    tsr_mesh_map *m = TSR_NEW(s->scratch, tsr_mesh_map);
    tsr_vec_push(&s->meshes, mesh);
    tsr_map_put(&s->mesh_places, tsr_hash_ptr(mesh->attr), (void *)(uintptr_t)s->meshes.n);
    tsr_vec_push(&s->maps, tsr_mesh_map_init(m, s->scratch, mesh, s->mesh, false) ? m : NULL);
    return mesh;
}

/* The map from a mesh that tsr_spmd_mesh returned to the main mesh; NULL: none, or it is the main one. */
static const tsr_mesh_map *map_of(const tsr_spmd *s, const tsr_mesh *mesh)
{
    size_t at = place_of(s, mesh);
    return at < s->meshes.n && s->meshes.data[at] == mesh ? s->maps.data[at] : NULL;
}

/* Maps the axes of each dimension to the other mesh, into out; false: some do not exist there. */
static bool map_axes(tsr_spmd *s, const tsr_mesh_map *map, const tsr_axes *const *axes,
                     uint32_t rank, const tsr_axes **out)
{
    for (uint32_t d = 0; d < rank; d++) {
        out[d] = tsr_mesh_map_axes(map, &s->r.table.lists, axes[d]);
        if (!out[d])
            return false;
    }
    return true;
}

/* The axes without those of size 1, which have no effect. */
static const tsr_axes *real_axes(tsr_spmd *s, const tsr_axes *axes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < axes->n; i++)
        n += axes->data[i].size > 1;
    if (n == axes->n)
        return axes;
    tsr_axis_vec kept = {0};
    for (uint32_t i = 0; i < axes->n; i++)
        if (axes->data[i].size > 1)
            tsr_axis_vec_add(&kept, axes->data[i]);
    const tsr_axes *left = tsr_axes_get(&s->r.table.lists, kept.data, kept.n);
    tsr_vec_free(&kept);
    return left;
}

bool tsr_spmd_axes_fit(const tsr_axes *a, const tsr_axes *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (a->data[i].axis == b->data[k].axis && !tsr_axis_fits(a->data[i], b->data[k]))
                return false;
    return true;
}

/* Sub-axes such as halves and thirds of one axis cannot be coordinates of a device together: the first ones are
 * kept. */
static void drop_unfit(tsr_spmd *s, const tsr_axes **axes, uint32_t rank)
{
    for (uint32_t d = 0; d < rank; d++)
        for (uint32_t k = 0; k <= d; k++)
            if (!tsr_spmd_axes_fit(axes[k], axes[d])) {
                axes[d] = s->r.table.lists.none;
                break;
            }
}

const tsr_sharding *tsr_spmd_decode(tsr_spmd *s, tsr_attr *attr, const tsr_type *type)
{
    uint32_t rank = tsr_type_is_shaped(type) ? type->n : 0;
    const tsr_sharding *a = tsr_sharding_decode(&s->r.table, attr);
    const tsr_mesh *mesh = a && a->sharded && a->rank == rank && tsr_spmd_may_part(type)
                               ? tsr_spmd_mesh(s, a->mesh)
                               : NULL;
    if (!mesh)
        return tsr_spmd_replicated(s, rank);
    const tsr_axes **axes = axes_of(s, a);
    for (uint32_t d = 0; d < rank; d++)
        axes[d] = real_axes(s, axes[d]);
    drop_unfit(s, axes, rank);
    const tsr_mesh_map *map = map_of(s, mesh);
    const tsr_axes *unreduced = real_axes(s, a->unreduced);
    const tsr_axes **mapped = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *mapped);
    if (map && map_axes(s, map, axes, rank, mapped) &&
        tsr_mesh_map_axes(map, &s->r.table.lists, unreduced))
        return tsr_spmd_sharding(s, s->mesh, mapped, rank);
    return tsr_spmd_sharding(s, mesh, axes, rank);
}

const tsr_sharding *tsr_spmd_unreduced(tsr_spmd *s, tsr_attr *attr, const tsr_type *type,
                                       const tsr_sharding *part)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->r.table, attr);
    if (!a || !a->unreduced->n || !tsr_spmd_may_part(type))
        return NULL;
    const tsr_mesh *mesh = tsr_spmd_mesh(s, a->mesh);
    const tsr_axes *axes = real_axes(s, a->unreduced);
    const tsr_mesh_map *map = mesh && part->sharded && part->mesh != mesh ? map_of(s, mesh) : NULL;
    const tsr_axes *mapped = map ? tsr_mesh_map_axes(map, &s->r.table.lists, axes) : NULL;
    if (mapped && part->mesh == map->to) {
        mesh = map->to;
        axes = mapped;
    }
    if (!mesh || axes->size <= 1 || (part->sharded && part->mesh != mesh) ||
        !tsr_spmd_axes_fit(axes, axes))
        return NULL;
    for (uint32_t d = 0; d < part->rank; d++)
        if (!tsr_spmd_axes_fit(axes, part->dims[d].axes))
            return NULL;
    return tsr_sharding_get(&s->r.table, mesh, part->dims, part->rank, s->r.table.lists.none, axes,
                            a->reduction);
}

bool tsr_spmd_pads(const tsr_type *global, const tsr_sharding *sharding, uint32_t dim)
{
    return global->dims[dim] % sharding->dims[dim].axes->size != 0;
}

/* ---- Moves ---- */

static tsr_value *cut(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t size)
{
    tsr_assert(v->type->dims[dim] >= size, "%lld of %lld elements of a part", (long long)size,
               (long long)v->type->dims[dim]);
    return v->type->dims[dim] == size ? v : tsr_build_slice(&s->b, v, dim, 0, size);
}

/* Slices along axes of each dimension, for a value without padding. */
static tsr_value *slice_parts(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh,
                              const tsr_axes *const *axes)
{
    uint32_t rank = v->type->n;
    bool any = false;
    tsr_value **starts = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank);
    int64_t *sizes = tsr_arena_copy(s->r.arena, v->type->dims, rank * sizeof *sizes);
    for (uint32_t d = 0; d < rank; d++) {
        if (axes[d]->size <= 1)
            continue;
        tsr_assert(sizes[d] % axes[d]->size == 0, "%lld elements are cut into %lld parts",
                   (long long)sizes[d], (long long)axes[d]->size);
        sizes[d] /= axes[d]->size;
        starts[d] = tsr_spmd_start(s, mesh, axes[d], sizes[d]);
        any = true;
    }
    return any ? tsr_spmd_dynamic_slice(s, v, starts, sizes) : v;
}

/* The part of the tensor that the device at a place has. */
static int64_t box_at(const tsr_sharding *a, int64_t place)
{
    int64_t box = 0;
    for (uint32_t d = 0; d < a->rank; d++)
        box = box * a->dims[d].axes->size + tsr_spmd_place_index(a->mesh, a->dims[d].axes, place);
    return box;
}

/* Sources and targets that bring parts to the devices that need them. Both sides have the same parts, on different
 * devices. NULL: nothing moves. */
static tsr_attr *make_pairs(tsr_spmd *s, const tsr_sharding *from, const tsr_sharding *to)
{
    int64_t n = s->ndevice, boxes = s->manual->size;
    for (uint32_t d = 0; d < from->rank; d++)
        boxes *= from->dims[d].axes->size;
    int64_t *has = tsr_arena_alloc(s->r.arena, (size_t)n * sizeof *has);
    int64_t *wants = tsr_arena_alloc(s->r.arena, (size_t)n * sizeof *wants);
    for (int64_t place = 0; place < n; place++) {
        has[tsr_spmd_device_at(from->mesh, place)] = box_at(from, place);
        wants[tsr_spmd_device_at(to->mesh, place)] = box_at(to, place);
    }
    /* There are several instances of a manual computation, each with its own value. */
    for (int64_t place = 0; place < n && s->manual->n; place++) {
        int64_t device = tsr_spmd_device_at(s->manual_mesh, place);
        int64_t which = tsr_spmd_place_index(s->manual_mesh, s->manual, place);
        has[device] = has[device] * s->manual->size + which;
        wants[device] = wants[device] * s->manual->size + which;
    }
    /* Devices that have the part they need keep it; the others receive it from those that have it, in order. */
    int64_t *next = tsr_arena_alloc(s->r.arena, (size_t)n * sizeof *next),
            *first = TSR_NEW_ARRAY(s->r.arena, int64_t, boxes);
    int64_t *pairs = tsr_arena_alloc(s->r.arena, (size_t)n * 2 * sizeof *pairs);
    for (int64_t b = 0; b < boxes; b++)
        first[b] = -1;
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        tsr_assert(has[i] < boxes && wants[i] < boxes, "parts %lld and %lld of %lld",
                   (long long)has[i], (long long)wants[i], (long long)boxes);
    for (int64_t i = n; i-- > 0;)
        if (has[i] != wants[i]) {
            next[i] = first[has[i]];
            first[has[i]] = i;
            any = true;
        }
    for (int64_t i = 0; i < n; i++) {
        int64_t source = i;
        if (has[i] != wants[i]) {
            source = first[wants[i]];
            tsr_assert(source >= 0, "device %lld wants part %lld, which none has left",
                       (long long)i, (long long)wants[i]);
            first[wants[i]] = next[source];
        }
        pairs[i * 2] = source;
        pairs[i * 2 + 1] = i;
    }
    return any ? tsr_spmd_pairs(s, pairs, n) : NULL;
}

typedef struct {
    const tsr_sharding *from, *to;
    const tsr_axes *manual;
    const tsr_mesh *manual_mesh;
    tsr_attr *pairs;
} known_pairs;

/* The same layouts recur in each layer, and there may be thousands of devices, so pairs are cached. */
static tsr_value *permute(tsr_spmd *s, tsr_value *v, const tsr_sharding *from,
                          const tsr_sharding *to)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(from), tsr_hash_ptr(to));
    known_pairs *known = NULL;
    TSR_MAP_EACH (&s->pairs, hash, x) {
        known_pairs *k = x;
        if (k->from == from && k->to == to && k->manual == s->manual &&
            k->manual_mesh == s->manual_mesh)
            known = k;
    }
    if (!known) {
        known = TSR_NEW(s->scratch, known_pairs);
        *known = (known_pairs){from, to, s->manual, s->manual_mesh, make_pairs(s, from, to)};
        tsr_map_put(&s->pairs, hash, known);
    }
    return known->pairs ? tsr_spmd_permute_devices(s, v, known->pairs) : v;
}

static const tsr_axes *listed(tsr_spmd *s, const tsr_axis_list *l)
{
    return tsr_axes_get(&s->r.table.lists, l->data, l->n);
}

static const tsr_axes **listed_per_dim(tsr_spmd *s, const tsr_axis_list *lists, uint32_t rank)
{
    const tsr_axes **axes = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *axes);
    for (uint32_t d = 0; d < rank; d++)
        axes[d] = listed(s, &lists[d]);
    return axes;
}

/* Whether no step on the way needs padding. */
static bool fits(const tsr_relayout_step *steps, const int64_t *dims, uint32_t rank)
{
    for (const tsr_relayout_step *t = steps; t; t = t->next)
        for (uint32_t d = 0; d < rank; d++)
            if (dims[d] % tsr_axis_list_size(&t->sharding[d]))
                return false;
    return true;
}

/* Moves between layouts of one mesh without padding: dims has the sizes. */
static tsr_value *run_steps(tsr_spmd *s, tsr_value *v, const tsr_relayout_step *steps,
                            const tsr_sharding *from, const tsr_mesh *mesh)
{
    uint32_t rank = from->rank;
    const tsr_sharding *now = from;
    for (const tsr_relayout_step *t = steps; t; t = t->next) {
        const tsr_axes **after = listed_per_dim(s, t->sharding, rank);
        const tsr_sharding *then = tsr_spmd_sharding(s, mesh, after, rank);
        switch (t->kind) {
        case TSR_STEP_SLICE: v = slice_parts(s, v, mesh, listed_per_dim(s, t->axes, rank)); break;
        case TSR_STEP_PERMUTE: {
            /* A whole value's mesh is the main one; here both sides use this mesh. */
            if (now->sharded && then->sharded)
                v = permute(s, v, now, then);
            break;
        }
        case TSR_STEP_ALL_TO_ALL:
            v = tsr_spmd_all_to_all(s, v, t->tgt, t->src, mesh, listed(s, &t->axes[0]));
            break;
        case TSR_STEP_GATHER:
            for (uint32_t d = 0; d < rank; d++)
                v = tsr_spmd_all_gather(s, v, d, mesh, listed(s, &t->axes[d]));
            break;
        }
        now = then;
    }
    return v;
}

/* Makes sharded dimensions whole, without padding. */
static tsr_value *gather_dims(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                              const tsr_sharding *from, const bool *which)
{
    for (uint32_t d = 0; d < from->rank; d++)
        if (which[d])
            v = cut(s, tsr_spmd_all_gather(s, v, d, from->mesh, from->dims[d].axes), d,
                    global->dims[d]);
    return v;
}

/* Whether a permutation alone suffices: equally many parts of each dimension on both sides. */
static bool same_parts(const tsr_sharding *a, const tsr_sharding *b)
{
    for (uint32_t d = 0; d < a->rank; d++)
        if (a->dims[d].axes->size != b->dims[d].axes->size)
            return false;
    return true;
}

/* Only slices of whole dimensions remain: does them all at once. */
static tsr_value *slice_rest(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh,
                             const tsr_axes *const *now, const tsr_axes *const *to)
{
    const tsr_axes **more = TSR_NEW_ARRAY(s->r.arena, const tsr_axes *, v->type->n);
    for (uint32_t d = 0; d < v->type->n; d++)
        more[d] = now[d]->n ? s->r.table.lists.none : to[d];
    return slice_parts(s, v, mesh, more);
}

static tsr_value *move_on_mesh(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                               const tsr_sharding *from, const tsr_sharding *to)
{
    uint32_t rank = from->rank;
    const tsr_mesh *mesh = from->sharded ? from->mesh : to->mesh;
    const tsr_axes *none = s->r.table.lists.none, **a = axes_of(s, from), **b = axes_of(s, to);
    int64_t *dims = tsr_arena_copy(s->r.arena, global->dims, rank * sizeof *dims);
    bool *whole = TSR_NEW_ARRAY(s->r.arena, bool, rank), any = false;
    for (uint32_t d = 0; d < rank; d++) {
        dims[d] = padded(dims[d], a[d]->n ? a[d] : b[d]);
        if (a[d] != b[d] && a[d]->n && b[d]->n && padded(global->dims[d], b[d]) != dims[d])
            any = whole[d] = true;
    }
    for (uint32_t d = 0; d < rank; d++)
        for (uint32_t k = 0; k < rank && a[d]->n && a[d] != b[d] && !whole[d]; k++)
            if (a[k] != b[k] && !tsr_spmd_axes_fit(a[d], b[k]))
                any = whole[d] = true;
    for (;;) {
        for (uint32_t d = 0; any && d < rank; d++)
            if (whole[d])
                dims[d] = padded(global->dims[d], b[d]);
        const tsr_axes **start = tsr_arena_copy(s->r.arena, a, rank * sizeof *a);
        for (uint32_t d = 0; d < rank; d++)
            if (whole[d])
                start[d] = none;
        tsr_relayout plan = {.rank = rank, .dims = dims, .from = start, .to = b, .same_mesh = true};
        tsr_relayout_step *steps = tsr_relayout_plan(s->r.arena, &plan);
        bool all = true;
        for (uint32_t d = 0; d < rank; d++)
            all &= whole[d] || !a[d]->n || a[d] == b[d];
        if (fits(steps, dims, rank) || all) {
            v = gather_dims(s, v, global, from, whole);
            for (uint32_t d = 0; d < rank; d++)
                if (!start[d]->n)
                    v = tsr_spmd_grow(s, v, d, 0, dims[d] - v->type->dims[d]);
            v = fits(steps, dims, rank)
                    ? run_steps(s, v, steps, tsr_spmd_sharding(s, mesh, start, rank), mesh)
                    : slice_rest(s, v, mesh, start, b);
            break;
        }
        any = true;
        for (uint32_t d = 0; d < rank; d++)
            whole[d] |= a[d]->n && a[d] != b[d];
    }
    for (uint32_t d = 0; d < rank; d++)
        if (!b[d]->n)
            v = cut(s, v, d, global->dims[d]);
    return v;
}

/* Whether v has the local sizes of the layout. */
static bool has_sizes(const tsr_value *v, const tsr_type *global, const tsr_sharding *a)
{
    for (uint32_t d = 0; d < a->rank; d++)
        if (v->type->dims[d] != tsr_local_size(global->dims[d], a->dims[d].axes->size))
            return false;
    return true;
}

static tsr_value *move(tsr_spmd *s, tsr_value *v, const tsr_type *global, const tsr_sharding *from,
                       const tsr_sharding *to)
{
    if (from->sharded && to->sharded && from->mesh != to->mesh) {
        if (same_parts(from, to))
            return permute(s, v, from, to);
        /* First to the same parts at the same places of its own mesh, then to the devices that need them. */
        tsr_mesh_map map;
        const tsr_axes **axes = tsr_arena_alloc(s->r.arena, (to->rank + 1) * sizeof *axes);
        if (tsr_mesh_map_init(&map, s->r.arena, to->mesh, from->mesh, true) &&
            map_axes(s, &map, axes_of(s, to), to->rank, axes)) {
            const tsr_sharding *here = tsr_spmd_sharding(s, from->mesh, axes, to->rank);
            return permute(s, move_on_mesh(s, v, global, from, here), here, to);
        }
        const tsr_sharding *all = tsr_spmd_replicated(s, from->rank);
        return move_on_mesh(s, move_on_mesh(s, v, global, from, all), global, all, to);
    }
    return move_on_mesh(s, v, global, from, to);
}

tsr_value *tsr_spmd_move(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *from, const tsr_sharding *to)
{
    if (from == to || !is_static(global) || (!from->sharded && !to->sharded))
        return v;
    tsr_assert(from->rank == to->rank && v->type->n == from->rank, "ranks %u, %u and %u",
               from->rank, to->rank, v->type->n);
    tsr_assert(has_sizes(v, global, from), "a value of rank %u has other sizes than its layout",
               from->rank);
    v = move(s, v, global, from, to);
    tsr_assert(v->type->n == to->rank && has_sizes(v, global, to),
               "a value of rank %u was not moved to the wanted layout", to->rank);
    return v;
}

/* ---- Masks ---- */

static tsr_value *in_range(tsr_spmd *s, tsr_value *v, int64_t size, const tsr_sharding *a,
                           uint32_t dim)
{
    tsr_build *b = &s->b;
    tsr_type *type = tsr_static_type(s->ctx, v->type->dims, v->type->n, s->ctx->i64);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(s->ctx, dim);
    tsr_value *at = &tsr_build_close_as(b, op, &type)->out[0];
    tsr_value *start = tsr_spmd_start(s, a->mesh, a->dims[dim].axes, v->type->dims[dim]);
    /* at < size - start, which avoids overflow */
    tsr_value *both[] = {tsr_spmd_i64(s, size), start};
    tsr_value *left = tsr_build_op(b, TSR_OP_STABLEHLO_SUBTRACT, both, 2, start->type);
    return tsr_build_compare(b, "LT", "SIGNED", at, tsr_build_broadcast(b, left, NULL, type));
}

tsr_value *tsr_spmd_mask(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *sharding, uint64_t dims, tsr_value *fill)
{
    tsr_value *keep = NULL;
    tsr_assert(v->type->n == global->n && sharding->rank == global->n,
               "a mask of rank %u for a value of rank %u", global->n, v->type->n);
    tsr_assert(!fill->type->n && fill->type->elem == v->type->elem,
               "padding is filled with another element type, or no scalar");
    for (uint32_t d = 0; d < global->n && d < 64; d++) {
        if (!(dims >> d & 1) || !tsr_spmd_pads(global, sharding, d))
            continue;
        tsr_value *in = in_range(s, v, global->dims[d], sharding, d);
        tsr_value *both[] = {keep, in};
        keep = keep ? tsr_build_op(&s->b, TSR_OP_STABLEHLO_AND, both, 2, in->type) : in;
    }
    if (!keep || TSR_BUG(11))
        return v;
    tsr_value *in[] = {keep, v, tsr_build_broadcast(&s->b, fill, NULL, v->type)};
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_SELECT, in, 3, v->type);
}
