/* SPDX-License-Identifier: Apache-2.0 */
/* single_device.c - ops whose results are on one device (a maximal mesh): moves operands there and results back,
 * through tensors that are replicated on the mesh of all devices. */
#include "shard/reshard/explicit_reshards.h"

const tsr_mesh *tsr_global_mesh(tsr_resharder *s)
{
    if (s->global_known)
        return s->global;
    s->global_known = true;
    const tsr_op *module = s->table.meshes.module;
    const tsr_block *body = module->nregion ? module->regions[0].first : NULL;
    for (const tsr_op *op = body ? body->first : NULL; op && !s->global; op = op->next) {
        if (!tsr_op_is(op, TSR_OP_SDY_MESH))
            continue;
        const tsr_mesh *m =
            tsr_meshes_get(&s->table.meshes, tsr_attr_symbol(s->ctx, tsr_op_symbol(op), NULL, 0));
        if (m && m->naxis)
            s->global = m;
    }
    return s->global;
}

static bool is_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR);
}

/* The device's mesh; NULL after a diagnostic: results are on different devices. */
static const tsr_mesh *device_of(const tsr_op *op, const tsr_sharding *const *out)
{
    const tsr_mesh *mesh = NULL;
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!out[i] || !out[i]->mesh->maximal)
            continue;
        if (mesh && !tsr_mesh_same(mesh, out[i]->mesh)) {
            tsr_op_error(op, "has conflicting single-device result shardings");
            return NULL;
        }
        mesh = out[i]->mesh;
    }
    return mesh;
}

static void bring_operands(tsr_resharder *s, tsr_op *op, const tsr_sharding *device,
                           const tsr_mesh *global)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value;
        if (!is_tensor(v))
            continue;
        const tsr_sharding *all = tsr_sharding_empty(&s->table, global, tsr_value_rank(v), true);
        const tsr_sharding *from = tsr_value_sharding(s, v);
        if (!from)
            from = all;
        if (from->mesh == device->mesh && tsr_sharding_equivalent(from, device))
            continue;
        if (from->mesh != global || !tsr_sharding_is_replicated(from))
            v = tsr_insert_reshard(s, tsr_place_before(op), v, all);
        tsr_op_set_operand(op, i, tsr_insert_reshard(s, tsr_place_before(op), v, device));
    }
}

static void bring_results(tsr_resharder *s, tsr_op *op, const tsr_sharding *const *out,
                          const tsr_mesh *global)
{
    tsr_place behind = tsr_place_behind(op);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        if (!is_tensor(v))
            continue;
        const tsr_sharding *all = tsr_sharding_empty(&s->table, global, tsr_value_rank(v), true);
        const tsr_sharding *to = out[i] && !out[i]->mesh->maximal ? out[i] : all;
        tsr_value *shared = tsr_insert_reshard(s, behind, v, all);
        tsr_replace_behind(v, shared);
        if (to != all)
            tsr_replace_behind(shared, tsr_insert_reshard(s, behind, shared, to));
    }
}

bool tsr_reshard_single_device(tsr_resharder *s, tsr_op *op, const tsr_sharding *const *out)
{
    const tsr_mesh *mesh = device_of(op, out);
    if (!mesh)
        return false;
    const tsr_mesh *global = tsr_global_mesh(s);
    if (!global)
        return true;
    const tsr_sharding *device = tsr_sharding_empty(&s->table, mesh, 0, true);
    bring_operands(s, op, device, global);
    bring_results(s, op, out, global);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        if (is_tensor(v))
            tsr_sdy_set_sharding(v, tsr_sharding_encode(&s->table, device));
        else if (v->type->def == &tsr_def_STABLEHLO_TOKEN)
            tsr_sdy_set_sharding(v, tsr_sdy_replicated(s->ctx, global->ref, 0));
    }
    return true;
}
