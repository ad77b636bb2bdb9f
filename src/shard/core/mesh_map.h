/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_map.h - axes of one mesh as axes of another over the same devices: "d" of <["d"=8]> is "x", "y" of <["x"=2,
 * "y"=4]>, and "x" is "d":(1)2. With this map, values move between meshes by the collectives of one mesh. */
#ifndef TSR_SHARD_CORE_MESH_MAP_H
#define TSR_SHARD_CORE_MESH_MAP_H

#include "shard/core/axis.h"
#include "shard/core/mesh.h"

typedef struct {
    const tsr_mesh *from, *to;
    int64_t *place; /* by position in from: the position in to */
} tsr_mesh_map;

/* by_place: positions correspond by number, whatever devices are at them; otherwise by device. False: the devices
 * differ, or axes cannot express their order. */
bool tsr_mesh_map_init(tsr_mesh_map *map, tsr_arena *arena, const tsr_mesh *from,
                       const tsr_mesh *to, bool by_place);
/* Axes of map->from as axes of map->to; NULL: some part is not an axis there. */
const tsr_axes *tsr_mesh_map_axes(const tsr_mesh_map *map, tsr_axis_lists *lists,
                                  const tsr_axes *axes);

#endif
