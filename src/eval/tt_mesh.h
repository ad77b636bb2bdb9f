/* SPDX-License-Identifier: Apache-2.0 */
/* tt_mesh.h - the mesh of a TTIR program: the module's ttcore.meshes, and the position of a device on it.
 *
 * A TTIR program for several devices is one program that each of them runs. Its arguments and results are global;
 * ttir.mesh_shard gives a device its shard of a value and assembles shards again, and everything in between is local.
 * So it runs on a grid of one replica, with a partition for each device in row-major order of the mesh. */
#ifndef TSR_EVAL_TT_MESH_H
#define TSR_EVAL_TT_MESH_H

#include "eval/groups.h"

enum { TSR_TT_AXES = 8, TSR_TT_DEVICES_MAX = 65536 };

typedef struct tsr_tt_mesh {
    uint32_t naxis;
    int64_t sizes[TSR_TT_AXES];
    uint32_t devices; /* their product */
    bool used;        /* some op of the module uses the mesh (ON_MESH) */
} tsr_tt_mesh;

/* The first mesh of the outermost op that has ttcore.meshes; if there is none, the mesh implied by the shapes of
 * mesh_shard. False: it has too many axes or devices; *what says so. */
bool tsr_tt_mesh_find(const tsr_module *m, tsr_tt_mesh *out, const char **what);

/* The mesh of a run; NULL after a failure: the processes of the run are not its devices. */
const tsr_tt_mesh *tsr_tt_mesh_of(tsr_call *c);
/* The position of a device along an axis. */
int64_t tsr_tt_place(const tsr_tt_mesh *m, uint32_t device, uint32_t axis);
/* The devices that differ from c's only along one axis, in order. The caller frees it. */
bool tsr_tt_group(tsr_call *c, int64_t axis, tsr_group *out);

#endif
