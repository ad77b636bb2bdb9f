/* SPDX-License-Identifier: Apache-2.0 */
/* spmd.h - partitioned programs: making them, running them on a mesh of virtual devices, and finding the first op with
 * a wrong result. */
#ifndef TSR_API_SPMD_H
#define TSR_API_SPMD_H

#include "api/eval.h"
#include "check/ops.h"
#include "eval/parts.h"

/* Whether the module has something to partition: a mesh of several devices, and it is not partitioned yet. */
bool tsr_spmd_needed(const tsr_module *m);
/* Whether the module is the program of one of several devices: partitioned, or with collectives and no mesh, and a
 * number of replicas or partitions. Such a program runs only on all its devices. */
bool tsr_spmd_is_local(const tsr_module *m);
/* Whether each of n devices can run the module as it is written: it is for one device and says nothing of others, or
 * names a mesh of n devices that nothing is distributed on. */
bool tsr_spmd_runs_alike(const tsr_module *m, size_t n);
/* Sets run, which describes the module's function (tsr_spmd_entry), to n devices, with shards as inputs and results.
 * False with a status: the program is for another number. */
bool tsr_spmd_on_devices(const tsr_module *m, size_t n, tsr_parts_run *run, tsr_status *status);
/* Declares that the module is for a mesh of this shape, "1,8" (ttcore.meshes). False: not a valid shape. */
bool tsr_spmd_set_mesh(tsr_module *m, tsr_str shape);
/* Whether the module contains TTIR ops. */
bool tsr_spmd_has_ttir(const tsr_module *m);
/* tsr_module_partition, with remarks (shard/spmd/advice.h). */
bool tsr_spmd_partition(tsr_module *m, tsr_str function, int64_t combine_bytes, tsr_status *status);
/* How the arguments and results of a device's program relate to global values, from the partitioner's attributes,
 * and the number of processes. Memory comes from the arena. False: the numbers of replicas or partitions are out of
 * range. */
bool tsr_spmd_entry(tsr_arena *arena, const tsr_module *m, const tsr_op *func, tsr_parts_run *out,
                    tsr_status *status);

/* Runs a module (just read) undivided and partitioned, with the values of all ops of its function as results, and
 * reports the first one that differs by more than the tolerance (NULL: by element type). The module is changed. */
bool tsr_spmd_find_culprit(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                           const tsr_tolerance *tolerance, tsr_entry_options *options,
                           tsr_ops_verdict *out, tsr_status *status);

#endif
