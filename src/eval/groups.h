/* SPDX-License-Identifier: Apache-2.0 */
/* groups.h - which processes take part in a collective op. */
#ifndef TSR_EVAL_GROUPS_H
#define TSR_EVAL_GROUPS_H

#include "dialect/comm.h"
#include "eval/mesh.h"

/* The op communicates with other devices: EFFECT(COLLECTIVE) of its row. */
bool tsr_op_meets(const tsr_op *op);

/* The process's own group of replica_groups: dense rows, padded with -1; no rows: all processes; or axes of a mesh.
 * Numbers from a mesh with as many devices as there are processes are processes, regardless of how: wherever how
 * applies, the meaning is the same. Empty if the process is in no group. The caller frees it. */
bool tsr_group_find(tsr_call *c, const tsr_attr *groups, tsr_grouping how, tsr_group *out);

/* The chain of source_target_pairs that contains the process: each sends to the next, and the last to the first if it
 * is a ring. Empty if no pair names the process. */
bool tsr_chain_find(tsr_call *c, const tsr_attr *pairs, tsr_grouping how, tsr_group *out,
                    bool *ring);

/* The groups that axes of a mesh define, flattened: *size devices each. mesh: #stablehlo.mesh, #sdy.mesh, a dictionary
 * of the same parts, or a symbol of an op that has one. axes: StableHLO's axis references, including sub-axes. */
typedef TSR_VEC(int64_t) tsr_device_list;
/* The same, resolving symbols from an op; returns an error message, or NULL. */
const char *tsr_mesh_axes_list(const tsr_op *from, const tsr_attr *mesh, const tsr_attr *refs,
                               tsr_device_list *out, size_t *size);
bool tsr_mesh_axes_groups(tsr_call *c, const tsr_attr *mesh, const tsr_attr *axes,
                          tsr_device_list *out, size_t *size);

/* The start of a group member's share of n elements. */
static inline int64_t tsr_share_begin(int64_t n, size_t place, size_t members)
{
    return (int64_t)((uint64_t)n / members * place + (uint64_t)n % members * place / members);
}

#endif
