/* devices.h - tables over the devices of a mesh: where each is along some axes, and which form
 * a group because they differ along these axes alone. */
#ifndef TSR_SHARD_CORE_DEVICES_H
#define TSR_SHARD_CORE_DEVICES_H

#include "shard/core/axis.h"
#include "shard/core/mesh.h"

/* Tables have an entry per device; a mesh may have any size. */
enum { TSR_MAX_DEVICES = 1 << 20 };

/* Whether tables can be made for the mesh; a diagnostic at op when not. */
bool tsr_devices_ok(const tsr_op *op, const tsr_mesh *mesh);

/* Which device is at place i of the mesh. */
int64_t tsr_device_at(const tsr_mesh *mesh, int64_t i);
/* How many places lie between neighbours along an axis. */
int64_t tsr_axis_stride(const tsr_mesh *mesh, tsr_axis a);
/* Each device's number along the axes, the first being major; by device id. In the arena. */
int64_t *tsr_device_positions(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes,
                              size_t n);
/* Groups of devices that differ along the axes alone, one after the other: *size ids each, in the
 * order of the axes; groups in the order of the mesh. In the arena. */
int64_t *tsr_device_groups(tsr_arena *arena, const tsr_mesh *mesh, const tsr_axis *axes, size_t n,
                           int64_t *size);

#endif
