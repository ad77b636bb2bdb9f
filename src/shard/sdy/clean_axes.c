/* SPDX-License-Identifier: Apache-2.0 */
/* clean_axes.c - removes axes of size one from shardings, and makes the shardings of a manual computation mention each
 * of its axes. Needs nothing; keeps everything else; breaks nothing. */
#include "dialect/sdy/axes.h"
#include "shard/core/each.h"
#include "shard/core/mesh.h"
#include "shard/passes.h"

/* ---- sdy-remove-size-one-axes ---- */

typedef struct {
    tsr_pass *p;
    tsr_meshes meshes;
} cleanup;

static int64_t size_of(const tsr_mesh *mesh, const tsr_attr *axis)
{
    const tsr_attr *sub = axis->attrs[SDY_AXIS_REF_sub];
    if (sub)
        return sub->attrs[SDY_SUB_AXIS_INFO_size]->i;
    uint32_t i = tsr_mesh_axis(mesh, axis->attrs[SDY_AXIS_REF_name]);
    return i < mesh->naxis ? mesh->sizes[i] : 0;
}

/* Merges parts of one axis that were separated by an axis of size one. */
static tsr_attr *longer_axes(cleanup *c, const tsr_mesh *mesh, tsr_attr *axes)
{
    tsr_sdy_axes left = {0};
    tsr_sdy_mesh_axes all;
    tsr_sdy_mesh_axes_init(&all, c->p->ctx, mesh->attr);
    for (uint32_t i = 0; i < axes->n; i++)
        if (size_of(mesh, axes->attrs[i]) != 1)
            tsr_sdy_axes_add(&all, &left, axes->attrs[i]);
    if (left.n < axes->n)
        axes = tsr_attr_array(c->p->ctx, left.data, left.n);
    tsr_sdy_mesh_axes_free(&all);
    tsr_vec_free(&left);
    return axes;
}

static tsr_attr *without_size_one(void *user, tsr_op *op, tsr_attr *sharding)
{
    (void)op;
    cleanup *c = user;
    tsr_ctx *ctx = c->p->ctx;
    const tsr_mesh *mesh = tsr_meshes_get(&c->meshes, sharding->attrs[SDY_SHARDING_mesh]);
    if (!mesh)
        return sharding;
    const tsr_attr *old = tsr_sdy_dims(sharding);
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *const *d = old->attrs[i]->attrs;
        tsr_attr *axes = longer_axes(c, mesh, d[SDY_DIMENSION_SHARDING_axes]);
        /* A closed dimension without axes must not have a priority. */
        bool none = !axes->n && d[SDY_DIMENSION_SHARDING_is_closed]->i;
        tsr_vec_push(&dims, tsr_sdy_dim(ctx, axes, d[SDY_DIMENSION_SHARDING_is_closed],
                                        none ? NULL : d[SDY_DIMENSION_SHARDING_priority]));
    }
    tsr_attr *const *was = sharding->attrs;
    tsr_attr *new = tsr_sdy_make(
        ctx, was[SDY_SHARDING_mesh], tsr_attr_array(ctx, dims.data, dims.n),
        longer_axes(c, mesh, was[SDY_SHARDING_replicated]),
        longer_axes(c, mesh, was[SDY_SHARDING_unreduced]), was[SDY_SHARDING_reduction]);
    tsr_vec_free(&dims);
    c->p->changed |= new != sharding;
    return new;
}

static bool has_size_one(const tsr_op *root)
{
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        if (!tsr_op_is(op, TSR_OP_SDY_MESH))
            continue;
        const tsr_attr *axes = op->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_axes];
        for (uint32_t i = 0; i < axes->n; i++)
            if (axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i == 1)
                return true;
    }
    return false;
}

bool pass_sdy_remove_size_one_axes(tsr_pass *p, tsr_op *root)
{
    if (!has_size_one(root))
        return true;
    cleanup c = {.p = p};
    tsr_meshes_init(&c.meshes, p->scratch, root);
    tsr_map_shardings(p->scratch, root, without_size_one, &c);
    tsr_meshes_free(&c.meshes);
    return true;
}

/* ---- sdy-manual-axes-cleanup ---- */

/* The mesh that all shardings share, ignoring empty meshes; NULL: none. */
static tsr_attr *common_ref(cleanup *c, const tsr_attr *in, const tsr_attr *out)
{
    tsr_attr *ref = NULL;
    const tsr_mesh *mesh = NULL;
    for (uint32_t i = 0; i < in->n + out->n; i++) {
        const tsr_attr *s = i < in->n ? in->attrs[i] : out->attrs[i - in->n];
        const tsr_mesh *other = tsr_meshes_get(&c->meshes, s->attrs[SDY_SHARDING_mesh]);
        if (!other)
            return NULL;
        if (!mesh || mesh->empty) {
            mesh = other;
            ref = s->attrs[SDY_SHARDING_mesh];
        } else if (!other->empty && !tsr_mesh_same(mesh, other)) {
            return NULL;
        }
    }
    return ref;
}

static void push_axes(tsr_sdy_axes *all, const tsr_attr *axes)
{
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_vec_push(all, axes->attrs[i]);
}

/* The sharding, with manual axes (axis_ref[]) that it does not mention added as replicated ones. */
static tsr_attr *mention_all(tsr_ctx *ctx, const tsr_sdy_mesh_axes *mesh, tsr_attr *ref,
                             tsr_attr *sharding, const tsr_attr *manual)
{
    tsr_sdy_axes used = {0}, rest = {0};
    for (uint32_t i = 0; i < tsr_sdy_dims(sharding)->n; i++)
        push_axes(&used, tsr_sdy_dim_axes(sharding, i));
    push_axes(&used, sharding->attrs[SDY_SHARDING_replicated]);
    push_axes(&used, sharding->attrs[SDY_SHARDING_unreduced]);
    tsr_sdy_axes_sort(mesh, &used);
    tsr_sdy_axes_minus(mesh, manual, &used, &rest);
    if (rest.n) {
        tsr_sdy_axes all = {0};
        push_axes(&all, sharding->attrs[SDY_SHARDING_replicated]);
        for (size_t i = 0; i < rest.n; i++)
            tsr_vec_push(&all, rest.data[i]);
        tsr_sdy_axes_sort_and_merge(mesh, &all);
        tsr_attr *params[SDY_SHARDING_reduction + 1];
        memcpy(params, sharding->attrs, sizeof params);
        params[SDY_SHARDING_mesh] = ref;
        params[SDY_SHARDING_replicated] = tsr_attr_array(ctx, all.data, all.n);
        sharding = tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
        tsr_vec_free(&all);
    }
    tsr_vec_free(&used);
    tsr_vec_free(&rest);
    return sharding;
}

static void clean_list(cleanup *c, tsr_op *op, int slot, const tsr_sdy_mesh_axes *mesh,
                       tsr_attr *ref, const tsr_attr *manual)
{
    const tsr_attr *old = op->attrs[slot]->attrs[0];
    bool results = slot == SDY_MANUAL_COMPUTATION_out_shardings;
    TSR_VEC(tsr_attr *) new = {0};
    bool changed = false;
    for (uint32_t i = 0; i < old->n; i++) {
        const tsr_type *type = results ? op->out[i].type : op->in[i].value->type;
        tsr_attr *s = old->attrs[i];
        if (tsr_type_is_shaped(type))
            s = mention_all(c->p->ctx, mesh, ref, s, manual);
        changed |= s != old->attrs[i];
        tsr_vec_push(&new, s);
    }
    if (changed) {
        op->attrs[slot] = tsr_sdy_per_value(c->p->ctx, new.data, new.n);
        op->module->verified = false;
        c->p->changed = true;
    }
    tsr_vec_free(&new);
}

static bool clean_computation(cleanup *c, tsr_op *op)
{
    tsr_ctx *ctx = c->p->ctx;
    const tsr_attr *in = op->attrs[SDY_MANUAL_COMPUTATION_in_shardings]->attrs[0];
    const tsr_attr *out = op->attrs[SDY_MANUAL_COMPUTATION_out_shardings]->attrs[0];
    const tsr_attr *names = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes]->attrs[0];
    if (!in->n && !out->n) {
        const tsr_op *first = op->regions[0].first->first;
        if (names->n && first && !tsr_op_is(first, TSR_OP_SDY_RETURN))
            return tsr_error(
                ctx, op->loc,
                "op has manual_axes when there are no in/out shardings and the body is not "
                "empty. This isn't allowed at this stage, please contact the Shardy team or "
                "file a bug.");
        return true;
    }
    tsr_attr *ref = common_ref(c, in, out);
    if (!ref)
        return tsr_op_error(op, "expected inputs and outputs to have a common mesh");
    tsr_sdy_mesh_axes mesh;
    tsr_sdy_mesh_axes_init(&mesh, ctx, tsr_meshes_get(&c->meshes, ref)->attr);
    tsr_sdy_axes refs = {0}, sorted = {0};
    for (uint32_t i = 0; i < names->n; i++)
        tsr_vec_push(&refs, tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                                            (tsr_attr *[]){names->attrs[i], NULL}));
    tsr_sdy_axes_sort(&mesh, &refs);
    for (size_t i = 0; i < refs.n; i++)
        tsr_vec_push(&sorted, refs.data[i]->attrs[SDY_AXIS_REF_name]);
    tsr_attr *manual = tsr_attr_array(ctx, sorted.data, sorted.n);
    if (manual != names) {
        op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] =
            tsr_attr_struct(ctx, &tsr_def_SDY_MANUAL_AXES, &manual);
        op->module->verified = false;
        c->p->changed = true;
    }
    tsr_attr *axes = tsr_attr_array(ctx, refs.data, refs.n);
    clean_list(c, op, SDY_MANUAL_COMPUTATION_in_shardings, &mesh, ref, axes);
    clean_list(c, op, SDY_MANUAL_COMPUTATION_out_shardings, &mesh, ref, axes);
    tsr_vec_free(&refs);
    tsr_vec_free(&sorted);
    tsr_sdy_mesh_axes_free(&mesh);
    return true;
}

bool pass_sdy_manual_axes_cleanup(tsr_pass *p, tsr_op *root)
{
    cleanup c = {.p = p};
    bool ok = true;
    if (!tsr_module_may_have(p->module, TSR_OP_SDY_MANUAL_COMPUTATION))
        return true;
    tsr_meshes_init(&c.meshes, p->scratch, root);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            ok &= clean_computation(&c, op);
    tsr_meshes_free(&c.meshes);
    return ok;
}
