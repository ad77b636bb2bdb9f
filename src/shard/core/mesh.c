/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - see mesh.h. */
#include "shard/core/mesh.h"

#include "dialect/opcode.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"

void tsr_meshes_init_lazy(tsr_meshes *meshes, tsr_arena *arena, tsr_op *module)
{
    *meshes = (tsr_meshes){.arena = arena, .module = module};
}

void tsr_meshes_init(tsr_meshes *meshes, tsr_arena *arena, tsr_op *module)
{
    tsr_meshes_init_lazy(meshes, arena, module);
    tsr_symtab_init(&meshes->symbols, module);
}

void tsr_meshes_free(tsr_meshes *meshes)
{
    tsr_map_free(&meshes->by_ref);
    tsr_symtab_free(&meshes->symbols);
}

static tsr_mesh *decode(tsr_meshes *meshes, tsr_attr *ref, tsr_attr *attr, tsr_op *op)
{
    tsr_mesh *m = TSR_NEW(meshes->arena, tsr_mesh);
    const tsr_attr *axes = attr->attrs[SDY_MESH_axes];
    int64_t *sizes = TSR_NEW_ARRAY(meshes->arena, int64_t, axes->n);
    *m = (tsr_mesh){ref, attr, op, axes->attrs, sizes, axes->n, 1, false, false};
    for (uint32_t i = 0; i < axes->n; i++) {
        sizes[i] = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
        tsr_assert(sizes[i] > 0, "axis %u of a mesh has size %lld", i, (long long)sizes[i]);
        m->ndevice = tsr_sdy_mul(m->ndevice, sizes[i]);
    }
    m->maximal = tsr_sdy_mesh_is_maximal(attr);
    m->empty = tsr_sdy_mesh_is_empty(attr);
    return m;
}

const tsr_mesh *tsr_meshes_get(tsr_meshes *meshes, tsr_attr *ref)
{
    uint64_t h = tsr_hash_ptr(ref);
    TSR_MAP_EACH (&meshes->by_ref, h, found) {
        const tsr_mesh *m = found;
        if (m->ref == ref)
            return m;
    }
    tsr_attr *attr = ref;
    tsr_op *op = NULL;
    if (tsr_attr_is(ref, TSR_ATTR_SYMBOL)) {
        op = meshes->symbols.op ? tsr_symtab_find(&meshes->symbols, ref->s)
                                : tsr_symbol_find(meshes->module, ref->s);
        attr = op && tsr_has_role(op, TSR_ROLE_MESH) ? op->attrs[SDY_MESH_mesh] : NULL;
    }
    if (!tsr_attr_is_struct(attr, &tsr_def_SDY_MESH))
        return NULL;
    tsr_mesh *m = decode(meshes, ref, attr, op);
    tsr_map_put(&meshes->by_ref, h, m);
    return m;
}

uint32_t tsr_mesh_axis(const tsr_mesh *mesh, const tsr_attr *name)
{
    uint32_t i = 0;
    while (i < mesh->naxis && tsr_mesh_axis_name(mesh, i) != name)
        i++;
    return i;
}

bool tsr_mesh_same_axes(const tsr_mesh *a, const tsr_mesh *b)
{
    return a->maximal == b->maximal &&
           a->attr->attrs[SDY_MESH_axes] == b->attr->attrs[SDY_MESH_axes];
}
