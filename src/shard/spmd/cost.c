/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see spmd/cost.h. */
#include "shard/spmd/cost.h"

#include "dialect/params.h"
#include "shard/core/cost.h"

static int64_t sum_of(const tsr_type *type, int64_t sum)
{
    int64_t n = tsr_local_bytes(type, NULL);
    return n < 0 || sum < 0 ? -1 : sum > INT64_MAX - n ? INT64_MAX : sum + n;
}

bool tsr_spmd_cost_of(const tsr_op *op, tsr_spmd_cost *out)
{
    tsr_collective kind = tsr_hlo_collective_of(op);
    if (kind == TSR_COLLECTIVE_NONE)
        return false;
    tsr_comm with;
    int64_t rows, cols;
    *out = (tsr_spmd_cost){.ndevice = 1};
    if (tsr_comm_of(op, &with) && tsr_comm_table(&with, &rows, &cols))
        out->ndevice = kind == TSR_COLLECTIVE_PERMUTE ? rows : cols;
    for (uint32_t i = 0; i < op->nin; i++)
        out->before = sum_of(op->in[i].value->type, out->before);
    for (uint32_t i = 0; i < op->nout; i++)
        out->after = sum_of(op->out[i].type, out->after);
    if (out->before < 0 || out->after < 0 || out->ndevice < 1)
        return false;
    out->moved = tsr_collective_bytes(kind, out->before, out->ndevice);
    return true;
}
