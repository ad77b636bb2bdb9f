/* mesh_map.h - axes of one mesh as axes of another over the same devices: "d" of <["d"=8]> is "x", "y" of <["x"=2, "y"=4]>,
 * and "x" is "d":(1)2. With them values can go from mesh to mesh by the moves of one. */
#ifndef TSR_SHARD_CORE_MESH_MAP_H
#define TSR_SHARD_CORE_MESH_MAP_H

#include "shard/core/axis.h"
#include "shard/core/mesh.h"

typedef struct {
    const tsr_mesh *from, *to;
    int64_t *place; /* by place in from: the place in to */
} tsr_mesh_map;

/* by_place: places stand for places, whatever devices are at them; else they stand for those with the same device. False:
 * the devices are not the same, or are not in an order that axes could tell. */
bool tsr_mesh_map_init(tsr_mesh_map *map, tsr_arena *arena, const tsr_mesh *from,
                       const tsr_mesh *to, bool by_place);
/* Axes of map->from as those of map->to; NULL: some part of an axis is none there. */
const tsr_axes *tsr_mesh_map_axes(const tsr_mesh_map *map, tsr_axis_lists *lists,
                                  const tsr_axes *axes);

#endif
