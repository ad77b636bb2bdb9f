/* SPDX-License-Identifier: Apache-2.0 */
/* meshes.c - merges several meshes over the same devices into one, whose axes are parts of theirs: <["x"=2, "y"=4]> and
 * <["a"=4, "b"=2]> become <["x"=2, "y_0"=2, "y_1"=2]>, and "a" is "x", "y_0". Shardings and manual axes are adapted. A
 * value on an empty mesh is replicated; a single device (a maximal mesh) cannot be part of a common mesh. */
#include <stdlib.h>

#include "eval/groups.h"
#include "shard/core/each.h"
#include "shard/core/make.h"
#include "shard/core/mesh_map.h"
#include "shard/tt/tt.h"

typedef TSR_VEC(int64_t) cut_vec;

/* An old mesh, mapped to the new one. */
typedef struct {
    const tsr_mesh *old;
    tsr_mesh_map map;
    bool whole; /* it does not place values */
} mapped;

typedef struct {
    tsr_pass *p;
    tsr_op *root, *bad; /* bad: the op with a sharding that has no counterpart */
    tsr_shardings before, after;
    const tsr_mesh *base, *joined;
    TSR_VEC(mapped) meshes;
} joiner;

/* ---- The new mesh ---- */

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Finds where the axes of all meshes cut an axis of the base. False: some mesh has no axes there, or the parts are not
 * compatible. */
static bool find_cuts(joiner *j, uint32_t axis, cut_vec *cuts)
{
    tsr_vec_push(cuts, 1);
    tsr_vec_push(cuts, j->base->sizes[axis]);
    for (size_t i = 0; i < j->meshes.n; i++) {
        const mapped *m = &j->meshes.data[i];
        for (uint32_t a = 0; !m->whole && a < m->old->naxis; a++) {
            tsr_axis all = {a, 1, m->old->sizes[a]};
            const tsr_axes *parts = tsr_mesh_map_axes(&m->map, &j->before.lists,
                                                      tsr_axes_get(&j->before.lists, &all, 1));
            for (uint32_t k = 0; parts && k < parts->n; k++)
                if (parts->data[k].axis == axis) {
                    tsr_vec_push(cuts, parts->data[k].pre);
                    tsr_vec_push(cuts, tsr_axis_end(parts->data[k]));
                }
            if (!parts)
                return false;
        }
    }
    qsort(cuts->data, cuts->n, sizeof *cuts->data, by_size);
    size_t n = 1;
    for (size_t i = 1; i < cuts->n; i++)
        if (cuts->data[i] != cuts->data[n - 1])
            cuts->data[n++] = cuts->data[i];
    cuts->n = n;
    for (size_t i = 1; i < n; i++)
        if (cuts->data[i] % cuts->data[i - 1])
            return false;
    return true;
}

static bool is_axis(const joiner *j, tsr_str name)
{
    for (uint32_t a = 0; a < j->base->naxis; a++)
        if (tsr_str_eq(tsr_mesh_axis_name(j->base, a)->s, name))
            return true;
    return false;
}

/* A name for part i of an axis that the mesh does not have yet. */
static tsr_attr *part_name(joiner *j, uint32_t axis, size_t i)
{
    tsr_buf name = {0};
    tsr_buf_str(&name, tsr_mesh_axis_name(j->base, axis)->s);
    do
        tsr_buf_printf(&name, "_%zu", i);
    while (is_axis(j, tsr_buf_text(&name)));
    tsr_attr *made = tsr_attr_string(j->p->ctx, tsr_buf_text(&name));
    tsr_buf_free(&name);
    return made;
}

static tsr_attr *joined_mesh(joiner *j)
{
    tsr_ctx *ctx = j->p->ctx;
    tsr_attr_vec axes = {0};
    bool ok = true;
    for (uint32_t a = 0; ok && a < j->base->naxis; a++) {
        cut_vec cuts = {0};
        ok = find_cuts(j, a, &cuts);
        if (ok && cuts.n <= 2)
            tsr_vec_push(&axes, j->base->axes[a]);
        for (size_t i = 1; ok && cuts.n > 2 && i < cuts.n; i++) {
            tsr_attr *size = tsr_attr_i64(ctx, cuts.data[i] / cuts.data[i - 1]);
            tsr_attr *params[] = {part_name(j, a, i - 1), size};
            tsr_vec_push(&axes, tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS, params));
        }
        tsr_vec_free(&cuts);
    }
    tsr_attr *ids = j->base->attr->attrs[SDY_MESH_device_ids];
    tsr_attr *made = ok ? tsr_sdy_mesh(ctx, tsr_attr_array(ctx, axes.data, axes.n), ids) : NULL;
    tsr_vec_free(&axes);
    return made;
}

/* ---- Shardings ---- */

static const mapped *find(joiner *j, const tsr_mesh *mesh)
{
    for (size_t i = 0; i < j->meshes.n; i++)
        if (tsr_mesh_same(j->meshes.data[i].old, mesh))
            return &j->meshes.data[i];
    return NULL;
}

static const tsr_axes *move_axes(joiner *j, const mapped *m, const tsr_axes *axes)
{
    return tsr_mesh_map_axes(&m->map, &j->after.lists, axes);
}

static tsr_attr *move_sharding(void *user, tsr_op *op, tsr_attr *sharding)
{
    joiner *j = user;
    const tsr_sharding *s = tsr_sharding_decode(&j->before, sharding);
    const mapped *m = s ? find(j, s->mesh) : NULL;
    if (m && m->whole)
        return tsr_sharding_encode(&j->after,
                                   tsr_sharding_empty(&j->after, j->joined, s->rank, true));
    tsr_dim_sharding *dims =
        s ? tsr_arena_copy(j->p->scratch, s->dims, s->rank * sizeof *dims) : NULL;
    bool ok = m != NULL;
    for (uint32_t d = 0; ok && d < s->rank; d++)
        ok = (dims[d].axes = move_axes(j, m, s->dims[d].axes)) != NULL;
    const tsr_axes *replicated = ok ? move_axes(j, m, s->replicated) : NULL;
    const tsr_axes *unreduced = ok ? move_axes(j, m, s->unreduced) : NULL;
    if (!replicated || !unreduced) {
        j->bad = j->bad ? j->bad : op;
        return sharding;
    }
    return tsr_sharding_encode(&j->after, tsr_sharding_get(&j->after, j->joined, dims, s->rank,
                                                           replicated, unreduced, s->reduction));
}

/* Maps the names of a manual computation's axes to the new mesh; NULL: not possible. */
static tsr_attr *move_manual(joiner *j, tsr_op *op, const tsr_attr *names)
{
    const tsr_sharding *s = NULL;
    for (uint32_t k = 0; !s && k < op->nin + op->nout; k++)
        s = tsr_sharding_decode(&j->before, k < op->nin
                                                ? tsr_sdy_list_sharding(op, true, k)
                                                : tsr_sdy_list_sharding(op, false, k - op->nin));
    const mapped *m = s ? find(j, s->mesh) : NULL;
    tsr_attr_vec list = {0};
    bool ok = m && !m->whole;
    for (uint32_t i = 0; ok && i < names->n; i++) {
        uint32_t a = tsr_mesh_axis(m->old, names->attrs[i]);
        tsr_axis all = {a, 1, a < m->old->naxis ? m->old->sizes[a] : 1};
        const tsr_axes *parts =
            a < m->old->naxis ? move_axes(j, m, tsr_axes_get(&j->before.lists, &all, 1)) : NULL;
        ok = parts != NULL;
        for (uint32_t k = 0; ok && k < parts->n; k++)
            tsr_vec_push(&list, tsr_mesh_axis_name(j->joined, parts->data[k].axis));
    }
    tsr_attr *array = ok ? tsr_attr_array(j->p->ctx, list.data, list.n) : NULL;
    tsr_vec_free(&list);
    return array ? tsr_attr_struct(j->p->ctx, &tsr_def_SDY_MANUAL_AXES, &array) : NULL;
}

static void move_all(joiner *j)
{
    TSR_OPS (j->root, op) {
        const tsr_attr *names = tsr_sdy_manual_axes(op);
        if (!names || !names->n || !tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            continue;
        tsr_attr *moved = move_manual(j, op, names);
        if (moved)
            op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] = moved;
        else
            j->bad = j->bad ? j->bad : op;
    }
    tsr_map_shardings(j->p->scratch, j->root, move_sharding, j);
}

/* ---- Modules ---- */

/* Converts groups given by axes of a mesh to device numbers. False: the mesh has no such axes. */
static bool number_groups(joiner *j, tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    const tsr_attr *groups = slot >= 0 ? op->attrs[slot] : NULL;
    if (!tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
        return true;
    tsr_device_list ids = {0};
    size_t size = 1;
    bool ok = !tsr_mesh_axes_list(op, groups->attrs[0], groups->attrs[1], &ids, &size) && size;
    if (ok) {
        int64_t dims[] = {(int64_t)(ids.n / size), (int64_t)size};
        op->attrs[slot] = tsr_i64_elements(j->p->ctx, op->module, dims, 2, ids.data);
        slot = tsr_opdef_slot(op->def, TSR_STR("use_global_device_ids"));
        if (slot >= 0)
            op->attrs[slot] = tsr_attr_unit(j->p->ctx);
    }
    tsr_vec_free(&ids);
    return ok;
}

/* Whether the op of sdy refers to axes outside shardings: collectives do. */
static bool names_axes(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->def->nslot; i++) {
        const tsr_attr *a = op->attrs[i];
        if (tsr_attr_is_struct(a, &tsr_def_SDY_LIST_OF_AXIS_REF_LISTS) ||
            tsr_attr_is_struct(a, &tsr_def_SDY_ALL_TO_ALL_PARAM_LIST) ||
            tsr_attr_is_struct(a, &tsr_def_SDY_AXIS_REF_LIST))
            return true;
    }
    return false;
}

static bool read_meshes(joiner *j)
{
    TSR_BLOCK_OPS (j->root->regions[0].first, op) {
        if (!tsr_op_is(op, TSR_OP_SDY_MESH))
            continue;
        tsr_attr *ref = tsr_attr_symbol(j->p->ctx, tsr_op_symbol(op), NULL, 0);
        const tsr_mesh *mesh = tsr_meshes_get(&j->before.meshes, ref);
        if (!mesh || mesh->maximal)
            return false;
        mapped m = {.old = mesh, .whole = mesh->empty};
        tsr_vec_push(&j->meshes, m);
        if (!m.whole && !j->base)
            j->base = mesh;
    }
    for (size_t i = 0; j->base && i < j->meshes.n; i++) {
        mapped *m = &j->meshes.data[i];
        if (!m->whole && !tsr_mesh_map_init(&m->map, j->p->scratch, m->old, j->base, false))
            return false;
    }
    return j->base != NULL;
}

/* If there is no common mesh the module stays unchanged, and later passes report it. */
static bool join(joiner *j)
{
    TSR_OPS (j->root, op)
        if (names_axes(op))
            return true;
    tsr_attr *mesh = read_meshes(j) ? joined_mesh(j) : NULL;
    if (!mesh)
        return true;
    TSR_OPS (j->root, op)
        if (!number_groups(j, op))
            return tsr_op_error(op, "has groups by axes that its mesh does not have");
    tsr_op *kept = j->base->op;
    if (kept->attrs[SDY_MESH_mesh] != mesh)
        tsr_op_set_attr(kept, TSR_STR("stablehlo.mesh"), NULL);
    kept->attrs[SDY_MESH_mesh] = mesh;
    tsr_shardings_init(&j->after, j->p->scratch, j->root);
    j->joined = tsr_meshes_get(&j->after.meshes, j->base->ref);
    for (size_t i = 0; i < j->meshes.n; i++) {
        mapped *m = &j->meshes.data[i];
        if (!m->whole)
            tsr_mesh_map_init(&m->map, j->p->scratch, m->old, j->joined, false);
    }
    move_all(j);
    tsr_shardings_free(&j->after);
    if (j->bad)
        return tsr_op_error(
            j->bad, "has a sharding by parts of axes that the meshes of the module do not share");
    for (size_t i = 0; i < j->meshes.n; i++)
        if (j->meshes.data[i].old->op != kept)
            tsr_op_erase(j->meshes.data[i].old->op);
    j->root->module->verified = false;
    return true;
}

bool tsr_tt_join_meshes(tsr_pass *p, tsr_op *root)
{
    tsr_op *first;
    if (tsr_tt_count_meshes(root, &first) <= 1)
        return true;
    joiner j = {.p = p, .root = root};
    tsr_shardings_init(&j.before, p->scratch, root);
    bool ok = join(&j);
    tsr_shardings_free(&j.before);
    tsr_vec_free(&j.meshes);
    return ok;
}
