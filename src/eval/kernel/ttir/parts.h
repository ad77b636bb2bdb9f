/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - global values and their shards on the devices of a mesh. */
#ifndef TSR_EVAL_KERNEL_TTIR_PARTS_H
#define TSR_EVAL_KERNEL_TTIR_PARTS_H

#include "eval/tt_mesh.h"

/* For each of the first axes of the mesh, the dimension that it divides, -1: none, and into how many parts. With fewer
 * parts than the axis has devices, the first devices have them. */
typedef struct {
    uint32_t n;
    int64_t dims[TSR_TT_AXES], sizes[TSR_TT_AXES];
} tsr_tt_division;

/* Result 0 is the device's shard of operand 0. */
bool tsr_tt_take_part(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by);
/* Result 0 is assembled from all shards of operand 0; without axes, it is the first device's. If several devices have
 * the same shard, the first counts. */
bool tsr_tt_join_parts(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by);

#endif
