/* SPDX-License-Identifier: Apache-2.0 */
/* tt_mesh.c - see tt_mesh.h. */
#include "eval/tt_mesh.h"

#include <stdlib.h>

#include "dialect/kinds.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/view.h"
#include "eval/plan.h"

/* Ops of a mesh: the ON_MESH column. */
static const struct {
    bool on_mesh;
} columns[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define ON_MESH(yes) .on_mesh = yes,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static bool on_mesh(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED &&
           (columns[op->def->opcode].on_mesh || columns[tsr_row_of_values(op)].on_mesh);
}

/* ---- The module's attributes ---- */

static void read_shape(const tsr_attr *shape, tsr_tt_mesh *m)
{
    int64_t n = tsr_attr_count(shape);
    m->naxis = n > 0 ? (uint32_t)n : 0;
    for (int64_t i = 0; i < n && i < TSR_TT_AXES; i++)
        m->sizes[i] = tsr_attr_int_at(shape, (size_t)i);
}

/* Axis i of the mesh divides dimension shard_dims[i] into shard_shape[that] parts, if it does so alone. */
static void widen(const tsr_op *op, tsr_tt_mesh *m)
{
    const tsr_attr *shape = op->attrs[TTIR_MESH_SHARD_shard_shape],
                   *dims = op->attrs[TTIR_MESH_SHARD_shard_dims];
    int64_t n = tsr_attr_count(dims);
    for (int64_t i = 0; i < n && i < TSR_TT_AXES; i++) {
        int64_t d = tsr_attr_int_at(dims, (size_t)i), alone = 0;
        for (int64_t k = 0; k < n; k++)
            alone += tsr_attr_int_at(dims, (size_t)k) == d;
        while ((int64_t)m->naxis <= i)
            m->sizes[m->naxis++] = 1;
        int64_t parts = d >= 0 && alone == 1 && d < tsr_attr_count(shape)
                            ? tsr_attr_int_at(shape, (size_t)d)
                            : 1;
        m->sizes[i] = parts > m->sizes[i] ? parts : m->sizes[i];
    }
}

/* The mesh of the device that op describes; NULL if it describes none. */
static const tsr_attr *device_shape(const tsr_op *op)
{
    const tsr_attr *a = tsr_op_attr(op, TSR_STR("device_attr"));
    a = tsr_attr_is_struct(a, &tsr_def_TTCORE_DEVICE) ? a->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    return a && tsr_attr_count(a) > 0 ? a : NULL;
}

bool tsr_tt_mesh_find(const tsr_module *m, tsr_tt_mesh *out, const char **what)
{
    *out = (tsr_tt_mesh){.devices = 1};
    bool given = false;
    TSR_OPS (m->op, op) {
        out->used |= on_mesh(op);
        const tsr_attr *meshes =
            op->extra && !given ? tsr_dict_get(op->extra, TSR_STR("ttcore.meshes")) : NULL;
        if (tsr_attr_is_struct(meshes, &tsr_def_TTCORE_MESHES) && meshes->attrs[0]->n) {
            read_shape(meshes->attrs[0]->attrs[0]->attrs[TTCORE_MESH_shape], out);
            given = true;
        } else if (!given && device_shape(op)) {
            read_shape(device_shape(op), out);
            given = true;
        } else if (!given && tsr_has_role(op, TSR_ROLE_SHARDS)) {
            widen(op, out);
        }
    }
    *what = out->naxis > TSR_TT_AXES ? "the module's mesh has too many axes" : NULL;
    for (uint32_t i = 0; !*what && i < out->naxis; i++) {
        if (out->sizes[i] < 1 || out->sizes[i] > TSR_TT_DEVICES_MAX / out->devices)
            *what = "the module's mesh has no device, or more than can be had";
        else
            out->devices *= (uint32_t)out->sizes[i];
    }
    return !*what;
}

/* ---- The position of a device ---- */

const tsr_tt_mesh *tsr_tt_mesh_of(tsr_call *c)
{
    const tsr_tt_mesh *m = &c->e->plan->mesh;
    uint32_t n = tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e);
    if (n == m->devices)
        return m;
    tsr_fail(c, "is run by %u processes where the module's mesh has %u devices", n, m->devices);
    return NULL;
}

int64_t tsr_tt_place(const tsr_tt_mesh *m, uint32_t device, uint32_t axis)
{
    int64_t stride = 1;
    for (uint32_t i = axis + 1; i < m->naxis; i++)
        stride *= m->sizes[i];
    return axis < m->naxis ? device / stride % m->sizes[axis] : 0;
}

bool tsr_tt_group(tsr_call *c, int64_t axis, tsr_group *out)
{
    const tsr_tt_mesh *m = tsr_tt_mesh_of(c);
    *out = (tsr_group){0};
    if (!m)
        return false;
    /* Without a mesh there is one device, whatever the axis. */
    if (axis < 0 || (m->naxis && axis >= (int64_t)m->naxis))
        return tsr_fail(c, "goes along axis %lld of a mesh of %u axes", (long long)axis, m->naxis);
    int64_t stride = 1;
    for (uint32_t i = (uint32_t)axis + 1; i < m->naxis; i++)
        stride *= m->sizes[i];
    uint32_t me = tsr_process_id(c->e);
    out->n = m->naxis ? (size_t)m->sizes[axis] : 1;
    out->ids = tsr_xmalloc(out->n * sizeof *out->ids);
    int64_t first = me - tsr_tt_place(m, me, (uint32_t)axis) * stride;
    for (size_t i = 0; i < out->n; i++)
        out->ids[i] = (uint32_t)(first + (int64_t)i * stride);
    return true;
}
