/* groups.h - which processes a collective op brings together. */
#ifndef TSR_EVAL_GROUPS_H
#define TSR_EVAL_GROUPS_H

#include "eval/mesh.h"

/* What the numbers of replica_groups and source_target_pairs are. */
typedef enum {
    TSR_BY_REPLICA,   /* replicas; a group has one partition: the process' own */
    TSR_BY_PARTITION, /* partitions; a group has one replica */
    TSR_BY_BOTH,      /* replicas; a group has all partitions of them, partition by partition */
    TSR_BY_PROCESS,   /* processes: replica * partitions + partition */
} tsr_grouping;

/* The op meets other devices: EFFECT(COLLECTIVE) of its row. */
bool tsr_op_meets(const tsr_op *op);

/* The number of a channel_handle; 0: there is none. */
static inline int64_t tsr_channel_of(const tsr_attr *handle)
{
    return handle ? handle->attrs[0]->i : 0;
}
/* How ops read their groups that go along replicas or along partitions, never both. */
static inline tsr_grouping tsr_line_grouping(int64_t channel)
{
    return channel > 0 ? TSR_BY_PARTITION : TSR_BY_REPLICA;
}

/* The process' own group of replica_groups: dense rows, padded with -1; no rows: everybody; or axes of a mesh.
 * Numbers that come from a mesh of as many devices as there are processes are processes, whatever how says: where
 * how could be meant, it means the same. Empty when the process is in no group. The caller frees it. */
bool tsr_group_find(tsr_call *c, const tsr_attr *groups, tsr_grouping how, tsr_group *out);

/* The chain of source_target_pairs that the process is in: each sends to the next, and the last to the first when
 * it is a ring. Empty when no pair names the process. */
bool tsr_chain_find(tsr_call *c, const tsr_attr *pairs, tsr_grouping how, tsr_group *out,
                    bool *ring);

/* Groups that axes of a mesh make, flat: *size devices each. mesh: #stablehlo.mesh, #sdy.mesh, a dictionary of the
 * same parts, or a symbol of an op that has one. axes: axis references of StableHLO, parts of axes too. */
typedef TSR_VEC(int64_t) tsr_device_list;
/* The same from where an op is; what is wrong when it cannot be, else NULL. */
const char *tsr_mesh_axes_list(const tsr_op *from, const tsr_attr *mesh, const tsr_attr *refs,
                               tsr_device_list *out, size_t *size);
bool tsr_mesh_axes_groups(tsr_call *c, const tsr_attr *mesh, const tsr_attr *axes,
                          tsr_device_list *out, size_t *size);

/* Where the share of n elements begins that a member of a group computes. */
static inline int64_t tsr_share_begin(int64_t n, size_t place, size_t members)
{
    return (int64_t)((uint64_t)n / members * place + (uint64_t)n % members * place / members);
}

#endif
