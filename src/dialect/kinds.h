/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h - what engines query about an op instead of its name: the columns FLOW, ROLE, COLLECTIVE, SHARDING, CALLEE
 * and HLO_AS of its row. */
#ifndef TSR_DIALECT_KINDS_H
#define TSR_DIALECT_KINDS_H

#include "dialect/dialect.h"

/* How values flow through an op with regions, or around it. */
typedef enum {
    TSR_FLOW_NONE,
    TSR_FLOW_BODY,     /* operands to block arguments, returned values to results */
    TSR_FLOW_MANUAL,   /* the same, on local tensors: axes are bound inside */
    TSR_FLOW_LOOP,     /* operands and returned values to results and arguments of both regions */
    TSR_FLOW_BRANCHES, /* returned values of all regions to results */
    TSR_FLOW_CHOICE,   /* the same, but Shardy has no edges there */
    TSR_FLOW_THROUGH,  /* operands to results */
} tsr_flow_kind;

/* The role of an op in propagation and partitioning. */
typedef enum {
    TSR_ROLE_NONE,
    TSR_ROLE_MESH,       /* defines a mesh */
    TSR_ROLE_SHARDS,     /* between a tensor and its shards, on the module's mesh */
    TSR_ROLE_CONSTRAINT, /* its result has this sharding */
    TSR_ROLE_GROUP,      /* its operand is sharded as others of the group */
    TSR_ROLE_EDGE,       /* holds the sharding of a value that flows */
    TSR_ROLE_FUNC_EDGE,  /* the same, between a function and its calls */
    TSR_ROLE_BARRIER,    /* shardings pass in some directions only */
    TSR_ROLE_CONCAT,     /* its result is the concatenation of its operands */
} tsr_op_role;

/* What a collective does with the shards of a tensor. */
typedef enum {
    TSR_COLLECTIVE_NONE,
    TSR_COLLECTIVE_GATHER,    /* each device gets the shards of all */
    TSR_COLLECTIVE_EXCHANGE,  /* each device sends all but a share of its shard */
    TSR_COLLECTIVE_SCATTER,   /* the same, with a reduction */
    TSR_COLLECTIVE_REDUCE,    /* shards are summed, and all get the sum */
    TSR_COLLECTIVE_PERMUTE,   /* shards are permuted */
    TSR_COLLECTIVE_BROADCAST, /* one shard is sent to all */
    TSR_COLLECTIVE_SLICE,     /* each device keeps a share: nothing is moved */
    TSR_COLLECTIVE_UNREDUCE,  /* shards become addends: nothing is moved */
    TSR_COLLECTIVE_RESHARD,   /* any sequence of the above */
} tsr_collective;

/* All operands; operand i is result i. */
enum { TSR_CARRIES_ALL = 255, TSR_CARRIES_PAIRS = 256 };

typedef struct {
    uint8_t flow, role, collective;
    int8_t groups;    /* slot of the axes, replica groups or pairs of a collective */
    int8_t sharding;  /* 1 + slot of the sharding of its result; 0: it has no slot */
    int8_t callee;    /* 1 + slot of the function that it calls; 0: it calls none */
    uint16_t carries; /* operands that result 0 consists of, as bits, or TSR_CARRIES_*; 0: none */
    uint16_t as; /* the StableHLO or CHLO op that computes the same for equal shapes; 0: none */
} tsr_kinds;
extern const tsr_kinds tsr_kinds_of_opcode[];

static inline tsr_kinds tsr_kinds_of(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? (tsr_kinds){0}
                                               : tsr_kinds_of_opcode[op->def->opcode];
}
static inline tsr_flow_kind tsr_flow_of(const tsr_op *op)
{
    return (tsr_flow_kind)tsr_kinds_of(op).flow;
}
static inline bool tsr_has_role(const tsr_op *op, tsr_op_role role)
{
    return tsr_kinds_of(op).role == role;
}
/* Whether the module may have an op of this role: one of them was made at some time. */
bool tsr_module_may_have_role(const tsr_module *m, tsr_op_role role);
/* Of sdy, whose types stay global, and of StableHLO, on local tensors. */
tsr_collective tsr_sdy_collective_of(const tsr_op *op);
tsr_collective tsr_hlo_collective_of(const tsr_op *op);
/* Whether it ends a function. */
static inline bool tsr_is_func_return(const tsr_op *op)
{
    return op->def->dialect == TSR_DIALECT_FUNC && tsr_op_has(op, TSR_TRAIT(RETURN_LIKE));
}

#endif
