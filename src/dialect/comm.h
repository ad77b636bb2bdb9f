/* SPDX-License-Identifier: Apache-2.0 */
/* comm.h - the parameters of ops that communicate: decoded here for the evaluator, the simulator and the partitioner. */
#ifndef TSR_DIALECT_COMM_H
#define TSR_DIALECT_COMM_H

#include "dialect/kinds.h"
#include "dialect/reducer.h"

/* The meaning of the numbers in replica_groups and source_target_pairs. */
typedef enum {
    TSR_BY_REPLICA,   /* replicas; a group has one partition: the process's own */
    TSR_BY_PARTITION, /* partitions; a group has one replica */
    TSR_BY_BOTH,      /* replicas; a group has all their partitions, partition by partition */
    TSR_BY_PROCESS,   /* processes: replica * partitions + partition */
} tsr_grouping;

/* The grouping of ops whose groups run along replicas or along partitions, never both. */
static inline tsr_grouping tsr_line_grouping(int64_t channel)
{
    return channel > 0 ? TSR_BY_PARTITION : TSR_BY_REPLICA;
}

/* The number of a channel_handle; 0 if there is none. */
static inline int64_t tsr_channel_of(const tsr_attr *handle)
{
    return handle ? handle->attrs[0]->i : 0;
}

typedef struct tsr_comm {
    tsr_collective kind;
    tsr_reduce_kind reducer; /* of a reduction: what it computes */
    tsr_grouping how;
    const tsr_attr *groups; /* replica_groups, dense or axes of a mesh, or source_target_pairs */
    int64_t channel;        /* 0: none */
    bool global_ids;        /* use_global_device_ids; an op that lacks it has none */
    bool line;              /* the op's groups run along replicas or along partitions, never both */
    bool
        rooted; /* one member of a group gets the result, others zeros; or gives its value to all */
    bool
        dynamic_root; /* the last operand has a root for each of the others; else the first is it */
    const tsr_region *body; /* of a reduction; NULL: it is a sum, or none */
    /* GATHER: along which dimension; SCATTER: likewise; EXCHANGE: that is split into count parts, and concatenated. */
    int64_t axis, split, concat, count;
} tsr_comm;

/* Whether it is known what the op computes without running its body. */
static inline bool tsr_comm_is_known(const tsr_comm *c)
{
    return !c->body || c->reducer != TSR_REDUCE_OTHER;
}

/* The groups as a table of numbers, or pairs of them: false, with no rows, if they are axes of a mesh. */
bool tsr_comm_table(const tsr_comm *c, int64_t *rows, int64_t *cols);

#endif
