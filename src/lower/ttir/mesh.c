/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - preparation before StableHLO is lowered to TTIR: manual computations are inlined, with ttir.mesh_shard at
 * their boundaries, and meshes become an attribute of the module.
 *
 * ttir/nested.c handles manual computations inside others. An argument that is given in parts (presharded) needs no
 * mesh_shard: it gets its local type; so do results. A manual computation whose shardings mesh_shard cannot express
 * stays, and so does its mesh. */
#include "lower/ttir/mesh.h"

#include "eval/groups.h"
#include "shard/core/each.h"
#include "shard/core/make.h"
#include "shard/tt/tt.h"

/* ---- Meshes ---- */

static bool grid_of_sdy(const tsr_attr *mesh, tsr_ttir_grid *out)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    if (!axes || axes->n > TSR_TTIR_AXES || mesh->attrs[SDY_MESH_device_ids])
        return false; /* custom device orders have no numbers here */
    out->n = axes->n;
    int64_t total = 1;
    for (uint32_t i = 0; i < axes->n; i++) {
        out->sizes[i] = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
        if (out->sizes[i] < 1 || total > INT32_MAX / out->sizes[i])
            return false;
        total *= out->sizes[i];
    }
    return true;
}

static bool grid_of_ttcore(const tsr_attr *meshes, tsr_ttir_grid *out)
{
    if (!tsr_attr_is_struct(meshes, &tsr_def_TTCORE_MESHES) || !meshes->attrs[0] ||
        !meshes->attrs[0]->n)
        return false;
    const tsr_attr *shape = meshes->attrs[0]->attrs[0]->attrs[TTCORE_MESH_shape];
    int64_t n = shape ? tsr_attr_count(shape) : 0, total = 1;
    if (n > TSR_TTIR_AXES)
        return false;
    out->n = (uint32_t)n;
    for (uint32_t i = 0; i < out->n; i++) {
        out->sizes[i] = tsr_attr_int_at(shape, i);
        if (out->sizes[i] < 1 || total > INT32_MAX / out->sizes[i])
            return false;
        total *= out->sizes[i];
    }
    return true;
}

static const tsr_op *first_mesh(const tsr_op *module)
{
    if (!tsr_op_is(module, TSR_OP_BUILTIN_MODULE) || !module->regions[0].first)
        return NULL;
    TSR_BLOCK_OPS (module->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH))
            return op;
        else if (tsr_op_is(op, TSR_OP_FUNC_FUNC))
            return NULL; /* meshes are in front */
    return NULL;
}

bool tsr_ttir_grid_of(const tsr_op *op, tsr_ttir_grid *out)
{
    for (; op; op = op->block ? tsr_block_parent(op->block) : NULL) {
        const tsr_attr *meshes =
            op->extra ? tsr_dict_get(op->extra, TSR_STR("ttcore.meshes")) : NULL;
        if (meshes)
            return grid_of_ttcore(meshes, out);
        const tsr_op *mesh = first_mesh(op);
        if (mesh)
            return grid_of_sdy(mesh->attrs[SDY_MESH_mesh], out);
    }
    return false;
}

/* ---- Groups ---- */

/* The two-dimensional mesh whose rows or columns are these groups. */
static bool grid_of_groups(const tsr_attr *groups, tsr_ttir_grid *out)
{
    int64_t n = groups->type->dims[0], k = groups->type->dims[1];
    bool row = k < 2 || tsr_attr_int_at(groups, 1) == tsr_attr_int_at(groups, 0) + 1;
    *out = (tsr_ttir_grid){{row ? n : k, row ? k : n}, 2};
    return true;
}

/* Whether each group consists of the devices that differ along the axes of the set, in order. */
static bool groups_are(const tsr_ttir_grid *grid, uint32_t set, const tsr_attr *groups)
{
    int64_t n = groups->type->dims[0], k = groups->type->dims[1];
    for (int64_t g = 0; g < n; g++) {
        int64_t first = tsr_attr_int_at(groups, (size_t)(g * k));
        for (int64_t i = 0; i < k; i++) {
            int64_t rest = i, from = first, stride = 1, offset = 0;
            for (uint32_t a = grid->n; a-- > 0; stride *= grid->sizes[a], from /= grid->sizes[a]) {
                if (!(set >> a & 1))
                    continue;
                if (from % grid->sizes[a])
                    return false; /* the first device is at the start of each axis */
                offset += rest % grid->sizes[a] * stride;
                rest /= grid->sizes[a];
            }
            if (tsr_attr_int_at(groups, (size_t)(g * k + i)) != first + offset)
                return false;
        }
    }
    return true;
}

static bool are_lists(const tsr_attr *groups)
{
    return tsr_attr_is(groups, TSR_ATTR_DENSE) && groups->type->n == 2 && groups->type->dims[0] &&
           groups->type->dims[1];
}

static bool axes_in(tsr_ttir_grid grid, const tsr_attr *groups, uint32_t axes[TSR_TTIR_AXES],
                    uint32_t *n)
{
    int64_t k = groups->type->dims[1];
    *n = 0;
    if (tsr_ttir_devices(&grid) != groups->type->dims[0] * k)
        return false;
    if (k == 1) {
        for (uint32_t a = 0; a < grid.n && !*n; a++)
            if (grid.sizes[a] == 1)
                axes[(*n)++] = a;
        return true;
    }
    for (uint32_t set = 1; set < (uint32_t)1 << grid.n; set++) {
        int64_t size = 1;
        bool plain = true; /* axes of size 1 have no effect */
        for (uint32_t a = 0; a < grid.n; a++)
            if (set >> a & 1) {
                size *= grid.sizes[a];
                plain &= grid.sizes[a] > 1;
            }
        if (!plain || size != k || !groups_are(&grid, set, groups))
            continue;
        for (uint32_t a = 0; a < grid.n; a++)
            if (set >> a & 1)
                axes[(*n)++] = a;
        return true;
    }
    return false;
}

bool tsr_ttir_axes_of(const tsr_op *op, const tsr_attr *groups, uint32_t axes[TSR_TTIR_AXES],
                      uint32_t *n)
{
    tsr_ttir_grid grid;
    *n = 0;
    if (!are_lists(groups))
        return false;
    if (!tsr_ttir_grid_of(op, &grid) || tsr_ttir_devices(&grid) == 1)
        grid_of_groups(groups, &grid);
    return axes_in(grid, groups, axes, n);
}

/* ---- mesh_shard ---- */

tsr_value *tsr_ttir_mesh_shard(tsr_build *b, tsr_value *v, tsr_type *type, bool full_to_shard,
                               const int64_t *shape, uint32_t rank, const int64_t *dims,
                               uint32_t naxis)
{
    static const int64_t one = 1, none = -1;
    bool cut = false;
    for (uint32_t i = 0; i < rank; i++)
        cut |= shape[i] > 1;
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_MESH_SHARD, &v, 1, 1);
    op->attrs[TTIR_MESH_SHARD_shard_type] =
        tsr_attr_enum(b->ctx, &tsr_def_TTCORE_SHARD_TYPE, cut ? TSR_TT_DEVICES : TSR_TT_REPLICATE);
    op->attrs[TTIR_MESH_SHARD_shard_direction] =
        tsr_attr_enum(b->ctx, &tsr_def_TTCORE_SHARD_DIRECTION,
                      full_to_shard ? TSR_TT_FULL_TO_SHARD : TSR_TT_SHARD_TO_FULL);
    op->attrs[TTIR_MESH_SHARD_shard_shape] =
        tsr_attr_i64_array(b->ctx, cut ? shape : &one, cut ? rank : 1);
    op->attrs[TTIR_MESH_SHARD_shard_dims] =
        tsr_attr_i64_array(b->ctx, cut ? dims : &none, cut ? naxis : 1);
    return tsr_ttir_close(b, op, type);
}

bool tsr_ttir_shard_of(const tsr_op *op, const tsr_attr *sharding, tsr_i64_vec *shape,
                       tsr_i64_vec *dims, bool *ordered)
{
    const tsr_attr *mesh = tsr_sdy_mesh_of(op, sharding);
    tsr_ttir_grid grid;
    if (!mesh || !grid_of_sdy(mesh, &grid))
        return false;
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, op->module->ctx, mesh);
    shape->n = dims->n = 0;
    *ordered = true;
    for (uint32_t a = 0; a < grid.n; a++)
        tsr_vec_push(dims, -1);
    bool ok = true;
    for (uint32_t d = 0; d < tsr_sdy_dims(sharding)->n; d++) {
        const tsr_attr *list = tsr_sdy_dim_axes(sharding, d);
        tsr_vec_push(shape, 1);
        for (uint32_t i = 0; i < list->n; i++) {
            uint32_t at = tsr_sdy_axis_index(&axes, tsr_sdy_axis_name(list->attrs[i]));
            ok &= at < grid.n && tsr_sdy_axis_is_full(list->attrs[i]);
            if (!ok)
                break;
            *ordered &=
                i == 0 || tsr_sdy_axis_index(&axes, tsr_sdy_axis_name(list->attrs[i - 1])) < at;
            shape->data[d] *= grid.sizes[at];
            if (grid.sizes[at] > 1)
                dims->data[at] = d;
        }
    }
    tsr_sdy_mesh_axes_free(&axes);
    return ok;
}

/* Permutes the parts of v along each dimension to the order of the mesh, if the sharding's axes are in another one; or
 * back. v is the global tensor. NULL if the axes do not divide the sizes. */
static tsr_value *reorder(tsr_build *b, const tsr_op *op, tsr_value *v, const tsr_attr *sharding,
                          bool back)
{
    tsr_sdy_mesh_axes axes;
    const tsr_attr *mesh = tsr_sdy_mesh_of(op, sharding);
    tsr_sdy_mesh_axes_init(&axes, b->ctx, mesh);
    for (uint32_t d = 0; v && d < tsr_sdy_dims(sharding)->n; d++) {
        const tsr_attr *list = tsr_sdy_dim_axes(sharding, d);
        tsr_type *type = v->type;
        uint32_t k = list->n, rank = type->n;
        int64_t dims[TSR_TTIR_RANK], order[TSR_TTIR_RANK],
            total = tsr_sdy_sharded_size(&axes, list);
        if (k < 2)
            continue;
        if (rank + k > TSR_TTIR_RANK || type->dims[d] % total) {
            v = NULL;
            break;
        }
        /* The position of each axis of the list in the mesh order. */
        uint32_t place[TSR_TTIR_AXES];
        for (uint32_t i = 0; i < k; i++) {
            place[i] = 0;
            for (uint32_t j = 0; j < k; j++)
                place[i] += tsr_sdy_axis_less(&axes, list->attrs[j], list->attrs[i]);
        }
        for (uint32_t i = 0; i < rank + k; i++) {
            dims[i] = i < d        ? type->dims[i]
                      : i == d + k ? type->dims[d] / total
                      : i > d + k  ? type->dims[i - k]
                                   : 0;
            order[i] = i;
        }
        for (uint32_t i = 0; i < k; i++) {
            dims[d + (back ? place[i] : i)] = tsr_sdy_axis_size(&axes, list->attrs[i]);
            order[d + (back ? i : place[i])] = d + (back ? place[i] : i);
        }
        v = tsr_ttir_permute(b, tsr_ttir_reshape(b, v, dims, rank + k), order);
        v = tsr_ttir_reshape(b, v, type->dims, rank);
    }
    tsr_sdy_mesh_axes_free(&axes);
    return v;
}

/* ---- Functions with presharded arguments ---- */

static bool is_presharded(const tsr_op *func, bool args, uint32_t i)
{
    const tsr_attr *status = tsr_tt_attr(func, args, i, TSR_TT_SHARD_STATUS);
    return tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) &&
           status->i == TSR_TT_PRESHARDED;
}

static void retype(tsr_op *func, bool args, uint32_t i, tsr_type *type)
{
    const tsr_type *old = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec types = {0};
    for (uint32_t k = 0; k < old->n + old->nout; k++)
        tsr_vec_push(&types, old->types[k]);
    types.data[args ? i : old->n + i] = type;
    tsr_type *made =
        tsr_type_function(type->ctx, types.data, old->n, TSR_FROM(types.data, old->n), old->nout);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(type->ctx, made);
    tsr_vec_free(&types);
}

bool tsr_ttir_retype_argument(tsr_value *v, const tsr_op *op, tsr_type *part)
{
    tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC) || !tsr_tt_is_public(func))
        return false; /* callers of a private function have the global value */
    for (const tsr_use *use = v->uses; use; use = use->next)
        if (use->user != op)
            return false;
    retype(func, true, v->index, part);
    v->type = part;
    return true;
}

bool tsr_ttir_retype_results(tsr_value *v, tsr_value *part)
{
    for (const tsr_use *use = v->uses; use; use = use->next)
        if (!tsr_op_is(use->user, TSR_OP_FUNC_RETURN))
            return false;
    for (const tsr_use *use = v->uses; use; use = use->next)
        for (uint32_t i = 0; i < use->user->nin; i++)
            if (use->user->in[i].value == v)
                retype(tsr_block_parent(use->user->block), false, i, part->type);
    return v->uses != NULL;
}

static bool argument_is_given_in_parts(const tsr_value *v)
{
    const tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    return func && tsr_op_is(func, TSR_OP_FUNC_FUNC) && is_presharded(func, true, v->index);
}

/* Whether v is returned in parts everywhere. */
static bool is_returned_in_parts(const tsr_value *v)
{
    for (const tsr_use *use = v->uses; use; use = use->next) {
        const tsr_op *func = tsr_block_parent(use->user->block);
        if (!tsr_op_is(use->user, TSR_OP_FUNC_RETURN) || !tsr_op_is(func, TSR_OP_FUNC_FUNC) ||
            !is_presharded(func, false, (uint32_t)(use - use->user->in)))
            return false;
    }
    return v->uses != NULL;
}

/* ---- Manual computations ---- */

/* The sharding of operand or result i, restricted to the computation's own axes: others divide nothing at its
 * boundary. */
static tsr_attr *border(const tsr_op *op, bool operands, uint32_t i)
{
    tsr_attr *sharding = op->attrs[operands ? SDY_MANUAL_COMPUTATION_in_shardings
                                            : SDY_MANUAL_COMPUTATION_out_shardings]
                             ->attrs[0]
                             ->attrs[i];
    const tsr_attr *own = tsr_sdy_manual_axes(op), *mesh = tsr_sdy_mesh_of(op, sharding);
    TSR_VEC(tsr_attr *) others = {0};
    const tsr_attr *axes = mesh ? mesh->attrs[SDY_MESH_axes] : NULL;
    for (uint32_t k = 0; axes && k < axes->n; k++) {
        tsr_attr *name = axes->attrs[k]->attrs[SDY_MESH_AXIS_name];
        if (!tsr_sdy_has_name(own, name))
            tsr_vec_push(&others, name);
    }
    tsr_ctx *ctx = op->module->ctx;
    sharding = tsr_sdy_without_axes(ctx, sharding, tsr_attr_array(ctx, others.data, others.n));
    tsr_vec_free(&others);
    return sharding;
}

static bool can_open(const tsr_op *op)
{
    const tsr_attr *lists[] = {op->attrs[SDY_MANUAL_COMPUTATION_in_shardings],
                               op->attrs[SDY_MANUAL_COMPUTATION_out_shardings]};
    const tsr_block *body = op->regions[0].first;
    tsr_i64_vec shape = {0}, dims = {0};
    bool ordered, ok = body && !body->next && body->last &&
                       tsr_op_is(body->last, TSR_OP_SDY_RETURN) && body->nargs == op->nin &&
                       body->last->nin == op->nout && lists[0]->attrs[0]->n == op->nin &&
                       lists[1]->attrs[0]->n == op->nout;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; ok && i < lists[k]->attrs[0]->n; i++) {
            const tsr_type *type = k ? op->out[i].type : op->in[i].value->type;
            ok = tsr_type_is(type, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(type) &&
                 type->n <= TSR_TTIR_RANK / 2 &&
                 tsr_ttir_shard_of(op, border(op, !k, i), &shape, &dims, &ordered) &&
                 shape.n == type->n;
            for (uint32_t d = 0; ok && !ordered && d < type->n; d++)
                ok = type->dims[d] % shape.data[d] == 0;
        }
    tsr_vec_free(&shape);
    tsr_vec_free(&dims);
    return ok;
}

/* The part of v that this device works on, with this type; join: the inverse. */
static tsr_value *cross(tsr_build *b, const tsr_op *op, tsr_value *v, tsr_type *type, uint32_t i,
                        bool join, bool nested)
{
    const tsr_attr *sharding = border(op, !join, i);
    if (nested)
        return tsr_ttir_part_along(b, op, v, sharding, join);
    tsr_i64_vec shape = {0}, dims = {0};
    bool ordered;
    tsr_ttir_shard_of(op, sharding, &shape, &dims, &ordered);
    v = ordered || join ? v : reorder(b, op, v, sharding, false);
    v = tsr_ttir_mesh_shard(b, v, type, !join, shape.data, (uint32_t)shape.n, dims.data,
                            (uint32_t)dims.n);
    v = ordered || !join ? v : reorder(b, op, v, sharding, true);
    tsr_vec_free(&shape);
    tsr_vec_free(&dims);
    return v;
}

static void open_up(tsr_op *op, bool nested)
{
    tsr_build b = tsr_build_before(op);
    tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value, *part = v;
        tsr_type *type = body->args[i]->type;
        if (nested || !argument_is_given_in_parts(v) ||
            (v->type != type && !tsr_ttir_retype_argument(v, op, type)))
            part = cross(&b, op, v, type, i, false, nested);
        tsr_value_replace(body->args[i], part);
    }
    tsr_op *end = body->last;
    tsr_op_remove(end);
    tsr_block_splice(op->block, op, body);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *part = end->in[i].value, *whole = part;
        if (nested || !is_returned_in_parts(&op->out[i]) ||
            !tsr_ttir_retype_results(&op->out[i], part))
            whole = cross(&b, op, part, op->out[i].type, i, true, nested);
        tsr_value_replace(&op->out[i], whole);
    }
    tsr_op_erase(end);
    tsr_op_erase(op);
    tsr_build_free(&b);
}

/* ---- The module ---- */

/* Replaces groups that name axes of a mesh by lists of devices: the mesh is removed, and axes of TTIR have no names.
 * False if they still name them. */
static bool list_groups(tsr_op *op)
{
    int slot = op->def->opcode == TSR_UNREGISTERED
                   ? -1
                   : tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    const tsr_attr *groups = slot < 0 ? NULL : op->attrs[slot];
    if (!tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
        return true;
    tsr_device_list devices = {0};
    size_t size = 0;
    bool ok = !tsr_mesh_axes_list(op, groups->attrs[0], groups->attrs[1], &devices, &size) && size;
    if (ok) {
        int64_t dims[] = {(int64_t)(devices.n / size), (int64_t)size};
        op->attrs[slot] = tsr_i64_elements(op->module->ctx, op->module, dims, 2, devices.data);
    }
    tsr_vec_free(&devices);
    return ok;
}

static void put_meshes(tsr_op *module)
{
    tsr_ctx *ctx = module->module->ctx;
    const tsr_attr *old =
        module->extra ? tsr_dict_get(module->extra, TSR_STR("ttcore.meshes")) : NULL;
    TSR_VEC(tsr_attr *) all = {0};
    for (uint32_t i = 0; tsr_attr_is_struct(old, &tsr_def_TTCORE_MESHES) && i < old->attrs[0]->n;
         i++)
        tsr_vec_push(&all, old->attrs[0]->attrs[i]);
    TSR_BLOCK_OPS (module->regions[0].first, op) {
        tsr_ttir_grid grid;
        if (!tsr_op_is(op, TSR_OP_SDY_MESH) || !grid_of_sdy(op->attrs[SDY_MESH_mesh], &grid) ||
            !grid.n)
            continue;
        tsr_attr *name = tsr_attr_string(ctx, tsr_op_symbol(op));
        bool known = false;
        for (size_t i = 0; i < all.n; i++)
            known |= all.data[i]->attrs[TTCORE_MESH_name] == name;
        tsr_attr *params[] = {name, tsr_attr_i64_array(ctx, grid.sizes, grid.n)};
        if (!known)
            tsr_vec_push(&all, tsr_attr_struct(ctx, &tsr_def_TTCORE_MESH, params));
    }
    tsr_attr *list = tsr_attr_array(ctx, all.data, all.n);
    if (all.n)
        tsr_op_set_attr(module, TSR_STR("ttcore.meshes"),
                        tsr_attr_struct(ctx, &tsr_def_TTCORE_MESHES, &list));
    tsr_vec_free(&all);
}

static const tsr_attr *groups_of(const tsr_op *op)
{
    int slot = op->def->opcode == TSR_UNREGISTERED
                   ? -1
                   : tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    return slot >= 0 && are_lists(op->attrs[slot]) ? op->attrs[slot] : NULL;
}

/* Whether all groups inside module consist of devices along axes of the grid. */
static bool all_groups_fit(tsr_op *module, const tsr_ttir_grid *grid)
{
    uint32_t axes[TSR_TTIR_AXES], n;
    TSR_OPS (module, op)
        if (groups_of(op) && !axes_in(*grid, groups_of(op), axes, &n))
            return false;
    return true;
}

/* A program with device groups but no mesh gets a mesh whose axes they are, so that the number of devices is known at
 * run time. The peer leaves that to its runtime. */
static void put_mesh_of_groups(tsr_op *module)
{
    enum { TRIES = 8 };
    tsr_ctx *ctx = module->module->ctx;
    tsr_ttir_grid grid;
    if (ctx->as_peer || tsr_ttir_grid_of(module, &grid))
        return;
    int tries = 0;
    TSR_OPS (module, op) {
        if (!groups_of(op) || tries++ == TRIES)
            continue;
        grid_of_groups(groups_of(op), &grid);
        if (tsr_ttir_devices(&grid) == 1 || !all_groups_fit(module, &grid))
            continue;
        tsr_attr *params[] = {tsr_attr_string(ctx, TSR_STR("mesh")),
                              tsr_attr_i64_array(ctx, grid.sizes, grid.n)};
        tsr_attr *mesh = tsr_attr_struct(ctx, &tsr_def_TTCORE_MESH, params),
                 *list = tsr_attr_array(ctx, &mesh, 1);
        tsr_op_set_attr(module, TSR_STR("ttcore.meshes"),
                        tsr_attr_struct(ctx, &tsr_def_TTCORE_MESHES, &list));
        return;
    }
}

static tsr_attr *note_sharding(void *user, tsr_op *op, tsr_attr *sharding)
{
    (void)op;
    *(bool *)user = true;
    return sharding;
}

void tsr_ttir_meshes(tsr_op *module)
{
    tsr_op *next;
    bool needed = false;
    tsr_ttir_nesting nesting;
    tsr_ttir_nesting_find(module, &nesting);
    for (tsr_op *op = tsr_walk_next(module, module); op; op = next) {
        next = tsr_walk_next(module, op);
        needed |= !list_groups(op);
        if (!tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION) || !can_open(op) ||
            tsr_ptr_set_has(&nesting.unclear, op))
            continue;
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        open_up(op, tsr_ptr_set_has(&nesting.nested, op));
        next =
            before ? tsr_walk_next(module, before) : block->first; /* there may be others inside */
    }
    tsr_ttir_nesting_free(&nesting);
    tsr_ttir_gspmd(module);
    if (!module->regions[0].first)
        return;
    put_meshes(module);
    put_mesh_of_groups(module);
    tsr_each_sharding(module, note_sharding, &needed);
    for (tsr_op *op = module->regions[0].first->first; !needed && op; op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_SDY_MESH))
            tsr_op_erase(op);
    }
}
