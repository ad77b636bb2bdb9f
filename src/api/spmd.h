/* spmd.h - partitioned programs from outside: making them, running them on a mesh of virtual
 * devices, and finding the op where one goes wrong. */
#ifndef TSR_API_SPMD_H
#define TSR_API_SPMD_H

#include "api/eval.h"
#include "check/ops.h"
#include "eval/parts.h"

/* Whether the module has something to partition: a mesh of several devices, and it was not done yet. */
bool tsr_spmd_needed(const tsr_module *m);
/* Whether the module is the program of one device of several: partitioned, or with collectives and
 * no mesh, and a number of replicas or partitions. It runs on its devices, and cannot on one. */
bool tsr_spmd_is_local(const tsr_module *m);
/* Says that the module is for a mesh of this shape, "1,8" (ttcore.meshes). False: it is no shape. */
bool tsr_spmd_set_mesh(tsr_module *m, tsr_str shape);
/* Whether ops of TTIR are in the module. */
bool tsr_spmd_has_ttir(const tsr_module *m);
/* tsr_module_partition, with remarks on what a person should know (shard/spmd/advice.h). */
bool tsr_spmd_partition(tsr_module *m, tsr_str function, int64_t combine_bytes, tsr_status *status);
/* What the arguments and results of a device's program are parts of, from the notes that the
 * partitioner left, and the number of processes. Memory is the arena's. False: the numbers of
 * replicas or partitions are out of range. */
bool tsr_spmd_entry(tsr_arena *arena, const tsr_module *m, const tsr_op *func, tsr_parts_run *out,
                    tsr_status *status);

/* Runs a module (just read) undivided and partitioned, with the values of all ops of its function
 * as results, and tells the first one that differs by more than the tolerance (NULL: by element
 * type). The module changes. */
bool tsr_spmd_find_culprit(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                           const tsr_tolerance *tolerance, tsr_entry_options *options,
                           tsr_ops_verdict *out, tsr_status *status);

#endif
