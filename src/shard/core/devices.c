/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - see devices.h. */
#include "shard/core/devices.h"

#include "shard/core/invariants.h"

bool tsr_devices_ok(const tsr_op *op, const tsr_mesh *mesh)
{
    if (mesh->ndevice > TSR_MAX_DEVICES)
        return tsr_op_error(op, "mesh has %lld devices, more than %d", (long long)mesh->ndevice,
                            TSR_MAX_DEVICES);
    const tsr_attr *ids = mesh->attr->attrs[SDY_MESH_device_ids];
    if (!ids || mesh->maximal)
        return true;
    for (int64_t i = 0, n = tsr_attr_count(ids); i < n; i++) {
        int64_t id = tsr_attr_int_at(ids, (size_t)i);
        if (n != mesh->ndevice || id < 0 || id >= n)
            return tsr_op_error(op, "device ids of the mesh do not number its devices");
    }
    return true;
}

int64_t tsr_device_at(const tsr_mesh *mesh, int64_t i)
{
    const tsr_attr *ids = mesh->attr->attrs[SDY_MESH_device_ids];
    return ids && !mesh->maximal && tsr_attr_count(ids) ? tsr_attr_int_at(ids, (size_t)i) : i;
}

int64_t tsr_axis_stride(const tsr_mesh *mesh, tsr_axis a)
{
    tsr_assert(a.axis < mesh->naxis && mesh->sizes[a.axis] % tsr_axis_end(a) == 0,
               "sub-axis (%lld)%lld of axis %u does not divide it", (long long)a.pre,
               (long long)a.size, a.axis);
    int64_t stride = mesh->sizes[a.axis] / tsr_axis_end(a);
    for (uint32_t i = a.axis + 1; i < mesh->naxis; i++)
        stride *= mesh->sizes[i];
    return stride;
}

static int64_t *strides_of(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes, size_t n)
{
    int64_t *strides = TSR_NEW_ARRAY(arena, int64_t, n + 1);
    for (size_t i = 0; i < n; i++)
        strides[i] = tsr_axis_stride(mesh, axes[i]);
    return strides;
}

int64_t *tsr_device_positions(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes,
                              size_t n)
{
    int64_t *out = TSR_NEW_ARRAY(arena, int64_t, mesh->ndevice + 1);
    int64_t *strides = strides_of(arena, mesh, axes, n);
    for (int64_t i = 0; i < mesh->ndevice; i++) {
        int64_t at = 0;
        for (size_t k = 0; k < n; k++)
            at = at * axes[k].size + i / strides[k] % axes[k].size;
        int64_t device = tsr_device_at(mesh, i);
        tsr_assert(device >= 0 && device < mesh->ndevice, "device %lld of %lld", (long long)device,
                   (long long)mesh->ndevice);
        out[device] = at;
    }
    return out;
}

int64_t *tsr_device_groups(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes, size_t n,
                           int64_t *size)
{
    int64_t *out = TSR_NEW_ARRAY(arena, int64_t, mesh->ndevice + 1);
    int64_t *group = TSR_NEW_ARRAY(arena, int64_t, mesh->ndevice + 1), ngroup = 0;
    int64_t *strides = strides_of(arena, mesh, axes, n);
    *size = 1;
    for (size_t k = 0; k < n; k++)
        *size *= axes[k].size;
    for (int64_t i = 0; i < mesh->ndevice; i++) {
        int64_t at = 0, first = i; /* the first member of a group precedes all others */
        for (size_t k = 0; k < n; k++) {
            int64_t c = i / strides[k] % axes[k].size;
            at = at * axes[k].size + c;
            first -= c * strides[k];
        }
        group[i] = first == i ? ngroup++ : group[first];
        out[group[i] * *size + at] = tsr_device_at(mesh, i);
    }
    tsr_assert(ngroup * *size == mesh->ndevice, "%lld groups of %lld devices for a mesh of %lld",
               (long long)ngroup, (long long)*size, (long long)mesh->ndevice);
    tsr_check(tsr_is_permutation(out, mesh->ndevice), "a device is in two groups, or in none");
    return out;
}
