/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - tables over the devices of a mesh: the position of each along some axes, and the groups of devices that
 * differ only along these axes. */
#ifndef TSR_SHARD_CORE_DEVICES_H
#define TSR_SHARD_CORE_DEVICES_H

#include "shard/core/axis.h"
#include "shard/core/mesh.h"

/* Tables have an entry per device, but a mesh may have any size. */
enum { TSR_MAX_DEVICES = 1 << 20 };
#define TSR_TOO_MANY_DEVICES "a mesh of more than %d devices cannot be partitioned for"

/* Whether tables can be built for the mesh; reports a diagnostic at op if not. */
bool tsr_devices_ok(const tsr_op *op, const tsr_mesh *mesh);

/* The device at position i of the mesh. */
int64_t tsr_device_at(const tsr_mesh *mesh, int64_t i);
/* The distance between neighbours along an axis, in positions. */
int64_t tsr_axis_stride(const tsr_mesh *mesh, tsr_axis a);
/* By device id: its index along the axes, the first being major. In the arena. */
int64_t *tsr_device_positions(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes,
                              size_t n);
/* Groups of devices that differ only along the axes, one after the other: *size ids each, in the order of the axes;
 * groups in mesh order. In the arena. */
int64_t *tsr_device_groups(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes, size_t n,
                           int64_t *size);

#endif
