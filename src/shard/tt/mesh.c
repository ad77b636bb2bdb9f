/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - determines a module's mesh, and shards arguments by batch if nothing is sharded yet.
 *
 * A module is solved (a manual computation has manual axes: shardings of arguments are removed), partially solved (it
 * has shardings: nothing is done), or neither: then it gets a mesh and, if requested, the first dimension of its inputs
 * is sharded. analyze-mesh does this under its current name and also reads GSPMD's meshes;
 * apply-shardy-argument-annotations is the older form: closed shardings on a mesh of "model" and "batch". Needs
 * nothing; keeps everything else; breaks ids. */
#include "shard/passes.h"
#include "shard/tt/xla.h"

enum { MOST_AXES = 16 };

typedef struct {
    int64_t size[MOST_AXES];
    size_t n;
} mesh_shape;

static bool read_shape(tsr_pass *p, tsr_op *root, mesh_shape *shape)
{
    tsr_str word;
    shape->n = 0;
    for (size_t i = 0; tsr_pass_item(p, "mesh-shape", i, &word); i++) {
        int64_t v = 0;
        bool ok = word.len > 0 && i < MOST_AXES;
        for (size_t k = 0; ok && k < word.len; k++) {
            ok = word.data[k] >= '0' && word.data[k] <= '9' && v <= TSR_MAX_DEVICES;
            v = v * 10 + (word.data[k] - '0');
        }
        if (!ok || v < 1)
            return tsr_op_error(root, "cannot have a mesh with an axis of size '%.*s'",
                                TSR_STR_ARG(word));
        shape->size[shape->n++] = v;
    }
    int64_t total = 1;
    for (size_t i = 0; i < shape->n; i++) {
        total *= shape->size[i];
        if (total > TSR_MAX_DEVICES)
            return tsr_op_error(root, "asks for a mesh of more than %d devices", TSR_MAX_DEVICES);
    }
    return true;
}

/* ---- Batch parallelism ---- */

typedef struct {
    tsr_pass *p;
    tsr_op *func;
    int64_t devices;
    const tsr_op *mesh;
    bool typed;  /* some argument has a role: then only inputs are sharded */
    bool closed; /* the shardings must not be extended */
} batch;

static bool is_input(const batch *b, uint32_t i)
{
    const tsr_attr *type = tsr_tt_attr(b->func, true, i, TSR_TT_ARGUMENT_TYPE);
    return !b->typed ||
           (tsr_attr_is_struct(type, &tsr_def_TTCORE_ARGUMENT_TYPE) && type->i == TSR_TT_INPUT);
}

static bool any_typed(tsr_op *root)
{
    TSR_TT_FUNCS(root, func)
    for (uint32_t i = 0, n = tsr_func_count(func, true); i < n; i++)
        if (tsr_tt_attr(func, true, i, TSR_TT_ARGUMENT_TYPE))
            return true;
    return false;
}

static tsr_attr *batch_sharding(const batch *b, uint32_t rank, bool sharded)
{
    tsr_ctx *ctx = b->p->ctx;
    tsr_attr *none = tsr_attr_array(ctx, NULL, 0), *closed = tsr_attr_bool(ctx, b->closed);
    tsr_attr *axis = tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                                     (tsr_attr *[]){tsr_attr_string(ctx, TSR_STR("batch")), NULL});
    tsr_attr *axes = tsr_attr_array(ctx, &axis, 1);
    tsr_attr **dims = TSR_NEW_ARRAY(b->p->scratch, tsr_attr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = tsr_sdy_dim(ctx, sharded && i == 0 ? axes : none, closed, NULL);
    return tsr_sdy_make(ctx, tsr_attr_symbol(ctx, b->mesh->attrs[SDY_MESH_sym_name]->s, NULL, 0),
                        tsr_attr_array(ctx, dims, rank), none, none, NULL);
}

/* Inputs of the largest rank have the batch as their first dimension; others are left to propagation. */
static bool shard_arguments(const batch *b)
{
    uint32_t n = tsr_func_count(b->func, true), most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_type *t = tsr_func_type_of(b->func, true, i);
        if (b->typed && !tsr_tt_attr(b->func, true, i, TSR_TT_ARGUMENT_TYPE))
            return tsr_op_error(b->func,
                                "argument %u is not annotated with ttcore.argument_type, "
                                "as others are",
                                i);
        if (is_input(b, i) && tsr_type_is(t, TSR_TYPE_TENSOR) && t->n > most)
            most = t->n;
    }
    tsr_attr **all = TSR_NEW_ARRAY(b->p->scratch, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_type *t = tsr_func_type_of(b->func, true, i);
        if (!tsr_type_is(t, TSR_TYPE_TENSOR))
            continue;
        bool sharded = most && t->n == most && is_input(b, i) && t->dims[0] != 1;
        if (sharded && (t->dims[0] == TSR_DYNAMIC || t->dims[0] % b->devices)) {
            if (b->typed)
                return tsr_op_error(b->func,
                                    "argument %u has a batch of %lld, which %lld devices "
                                    "cannot share evenly",
                                    i, (long long)t->dims[0], (long long)b->devices);
            tsr_emit(b->p->ctx, TSR_WARNING, b->func->loc,
                     "argument %u has a first dimension of %lld, which %lld devices cannot share "
                     "evenly: it is not sharded",
                     i, (long long)t->dims[0], (long long)b->devices);
            sharded = false;
        }
        all[i] = batch_sharding(b, t->n, sharded);
    }
    tsr_sdy_set_arg_shardings(b->func, all);
    return true;
}

static bool shard_by_batch(tsr_pass *p, tsr_op *root, const mesh_shape *shape, const char *model,
                           bool closed)
{
    tsr_str names[] = {{model, strlen(model)}, TSR_STR("batch")};
    batch b = {.p = p, .devices = shape->size[1], .typed = any_typed(root), .closed = closed};
    b.mesh = tsr_tt_add_mesh(root, TSR_STR("mesh"), names, shape->size, 2);
    TSR_TT_FUNCS(root, func)
    {
        b.func = func;
        if (!shard_arguments(&b))
            return false;
    }
    return true;
}

/* ---- analyze-mesh ---- */

/* A mesh with fewer than two axes gets another one of size one in front. */
static bool two_axes(tsr_op *root)
{
    tsr_op *mesh;
    uint32_t n = tsr_tt_count_meshes(root, &mesh);
    if (n == 0)
        return true;
    if (n > 1)
        return tsr_op_error(mesh, "is one of %u meshes that have no common one", n);
    const tsr_attr *axes = mesh->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_axes];
    if (axes->n >= 2)
        return true;
    tsr_ctx *ctx = mesh->module->ctx;
    tsr_str name = axes->n ? axes->attrs[0]->attrs[SDY_MESH_AXIS_name]->s : TSR_STR("default");
    tsr_attr *size = axes->n ? axes->attrs[0]->attrs[SDY_MESH_AXIS_size] : tsr_attr_i64(ctx, 1);
    tsr_buf aux = {0};
    tsr_buf_str(&aux, name);
    tsr_buf_cstr(&aux, "_aux");
    tsr_attr *both[] = {tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS,
                                        (tsr_attr *[]){tsr_attr_string(ctx, tsr_buf_text(&aux)),
                                                       tsr_attr_i64(ctx, 1)}),
                        tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS,
                                        (tsr_attr *[]){tsr_attr_string(ctx, name), size})};
    tsr_attr *ids = axes->n ? mesh->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_device_ids] : NULL;
    mesh->attrs[SDY_MESH_mesh] = tsr_sdy_mesh(ctx, tsr_attr_array(ctx, both, 2), ids);
    tsr_buf_free(&aux);
    return true;
}

static void add_xy(tsr_op *root, int64_t x, int64_t y)
{
    static const tsr_str names[] = {{"x", 1}, {"y", 1}};
    tsr_tt_add_mesh(root, TSR_STR("mesh"), names, (int64_t[]){x, y}, 2);
}

/* Checks that the existing mesh has no more devices than tables can hold. */
static bool check_mesh(tsr_pass *p, tsr_op *root)
{
    tsr_op *op;
    if (!tsr_tt_count_meshes(root, &op))
        return true;
    tsr_meshes meshes;
    tsr_meshes_init_lazy(&meshes, p->scratch, root);
    const tsr_mesh *mesh = tsr_meshes_get(&meshes, op->attrs[SDY_MESH_mesh]);
    bool ok = mesh && tsr_devices_ok(op, mesh);
    tsr_meshes_free(&meshes);
    return ok;
}

bool pass_tt_analyze_mesh(tsr_pass *p, tsr_op *root)
{
    mesh_shape shape;
    tsr_tt_gspmd_grid found;
    tsr_op *mesh;
    bool automatic = tsr_pass_bool(p, "automatic-arg-analysis");
    p->changed = true;
    if (!read_shape(p, root, &shape) || !tsr_tt_join_meshes(p, root) || !two_axes(root))
        return false;
    /* Constraints may refer to axes by number, so there must be a mesh before they are read. */
    if (!tsr_tt_count_meshes(root, &mesh)) {
        if (tsr_tt_has_gspmd(root)) {
            if (!tsr_tt_gspmd_mesh(root, &found))
                return false;
            add_xy(root, found.x, found.y);
        } else if (!automatic && shape.n == 2) {
            add_xy(root, shape.size[0], shape.size[1]);
        }
    }
    if (!tsr_tt_calls_to_constraints(p, root))
        return false;
    if (tsr_tt_has_shardy(root)) {
        if (!check_mesh(p, root))
            return false;
        if (tsr_tt_is_solved(root))
            tsr_tt_strip(root);
        return true;
    }
    if (!automatic) {
        add_xy(root, 1, 1);
        return true;
    }
    if (shape.n != 2 || shape.size[0] != 1)
        return tsr_op_error(root, "automatic argument analysis needs mesh-shape=1,n");
    return shard_by_batch(p, root, &shape, "default", false);
}

/* ---- apply-shardy-argument-annotations ---- */

bool pass_tt_apply_shardy_argument_annotations(tsr_pass *p, tsr_op *root)
{
    mesh_shape shape;
    if (!read_shape(p, root, &shape))
        return false;
    if (tsr_tt_is_solved(root)) {
        p->changed = tsr_tt_strip(root);
        return true;
    }
    if (tsr_tt_has_shardy(root))
        return check_mesh(p, root);
    p->changed = true;
    if (shape.n == 0)
        shape = (mesh_shape){{1, 1}, 2};
    if (shape.n == 1)
        shape = (mesh_shape){{1, shape.size[0]}, 2};
    if (shape.n != 2)
        return tsr_op_error(root, "mesh-shape must have two dimensions: 1,n");
    return shard_by_batch(p, root, &shape, "model", true);
}
