/* cost.c - see spmd/cost.h. */
#include "shard/spmd/cost.h"

#include "shard/core/cost.h"

typedef enum { GATHER, EXCHANGE, REDUCE, PERMUTE, BROADCAST } way;

static const struct {
    bool is;
    way how;
    int groups; /* slot */
} ways[TSR_OP__COUNT] = {
    [TSR_OP_STABLEHLO_ALL_GATHER] = {true, GATHER, STABLEHLO_ALL_GATHER_replica_groups},
    [TSR_OP_STABLEHLO_ALL_REDUCE] = {true, REDUCE, STABLEHLO_ALL_REDUCE_replica_groups},
    [TSR_OP_STABLEHLO_REDUCE_SCATTER] = {true, EXCHANGE, STABLEHLO_REDUCE_SCATTER_replica_groups},
    [TSR_OP_STABLEHLO_ALL_TO_ALL] = {true, EXCHANGE, STABLEHLO_ALL_TO_ALL_replica_groups},
    [TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE] = {true, PERMUTE,
                                             STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs},
    [TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST] = {true, BROADCAST,
                                               STABLEHLO_COLLECTIVE_BROADCAST_replica_groups},
};

/* Stops at the end of int64_t. */
static int64_t times(int64_t a, int64_t b)
{
    return b && a > INT64_MAX / b ? INT64_MAX : a * b;
}

static int64_t sum_of(const tsr_type *type, int64_t sum)
{
    int64_t n = tsr_local_bytes(type, NULL);
    return n < 0 || sum < 0 ? -1 : sum > INT64_MAX - n ? INT64_MAX : sum + n;
}

bool tsr_spmd_cost_of(const tsr_op *op, tsr_spmd_cost *out)
{
    if (op->def->opcode == TSR_UNREGISTERED || !ways[op->def->opcode].is)
        return false;
    way how = ways[op->def->opcode].how;
    const tsr_attr *groups = op->attrs[ways[op->def->opcode].groups];
    *out = (tsr_spmd_cost){.ndevice = 1};
    if (tsr_attr_is(groups, TSR_ATTR_DENSE) && groups->type->n == 2)
        out->ndevice = groups->type->dims[how == PERMUTE ? 0 : 1];
    for (uint32_t i = 0; i < op->nin; i++)
        out->before = sum_of(op->in[i].value->type, out->before);
    for (uint32_t i = 0; i < op->nout; i++)
        out->after = sum_of(op->out[i].type, out->after);
    if (out->before < 0 || out->after < 0 || out->ndevice < 1)
        return false;
    int64_t b = out->before, others = b - b / out->ndevice;
    switch (how) {
    case GATHER: out->moved = times(b, out->ndevice - 1); break;
    case EXCHANGE: out->moved = others; break;
    case REDUCE: out->moved = times(others, 2); break;
    case PERMUTE:
    case BROADCAST: out->moved = b; break;
    }
    return true;
}
