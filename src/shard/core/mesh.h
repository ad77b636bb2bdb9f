/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.h - the meshes of one module, decoded once each. */
#ifndef TSR_SHARD_CORE_MESH_H
#define TSR_SHARD_CORE_MESH_H

#include "dialect/sdy/sdy.h"

typedef struct tsr_mesh {
    tsr_attr *ref;         /* as in shardings: @name, or an inlined mesh */
    tsr_attr *attr;        /* the mesh */
    tsr_op *op;            /* the sdy.mesh that defines it; NULL for an inlined mesh */
    tsr_attr *const *axes; /* mesh_axis attributes */
    const int64_t *sizes;
    uint32_t naxis;
    int64_t ndevice; /* the product of all sizes; 1 for a maximal mesh; saturates at INT64_MAX */
    bool maximal;    /* one device, no axes */
    bool empty;      /* no devices, no axes */
} tsr_mesh;

typedef struct {
    tsr_arena *arena;
    tsr_op *module;
    tsr_map by_ref;
    tsr_symtab symbols;
} tsr_meshes;

/* Nothing may rename or erase meshes while they are in use. */
void tsr_meshes_init(tsr_meshes *meshes, tsr_arena *arena, tsr_op *module);
/* Without a symbol table: for passes on functions, of which a module may have many. */
void tsr_meshes_init_lazy(tsr_meshes *meshes, tsr_arena *arena, tsr_op *module);
void tsr_meshes_free(tsr_meshes *meshes);
/* The mesh of a reference: @name or an inlined mesh. NULL: there is no such mesh. */
const tsr_mesh *tsr_meshes_get(tsr_meshes *meshes, tsr_attr *ref);

/* The position of an axis by name (an interned string); naxis if there is none. */
uint32_t tsr_mesh_axis(const tsr_mesh *mesh, const tsr_attr *name);
static inline tsr_attr *tsr_mesh_axis_name(const tsr_mesh *mesh, uint32_t axis)
{
    return mesh->axes[axis]->attrs[SDY_MESH_AXIS_name];
}
/* Equal axes and device ids; or equal axes, whatever the ids. */
static inline bool tsr_mesh_same(const tsr_mesh *a, const tsr_mesh *b)
{
    return a->attr == b->attr;
}
bool tsr_mesh_same_axes(const tsr_mesh *a, const tsr_mesh *b);

#endif
