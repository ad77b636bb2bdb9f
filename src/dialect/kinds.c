/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c - see kinds.h. */
#include "dialect/kinds.h"

enum { PAIRS = TSR_CARRIES_PAIRS }; /* as rows write it */

const tsr_kinds tsr_kinds_of_opcode[] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define FLOW(kind) .flow = TSR_FLOW_##kind,
#define ROLE(kind) .role = TSR_ROLE_##kind,
#define COLLECTIVE(kind, id, slot) .collective = TSR_COLLECTIVE_##kind, .groups = id##_##slot,
#define SHARDING(id, slot) .sharding = 1 + id##_##slot,
#define CALLEE(id, slot) .callee = 1 + id##_##slot,
#define CARRIES(bits) .carries = bits,
#define HLO_AS(opcode) .as = TSR_OP_##opcode,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

tsr_collective tsr_sdy_collective_of(const tsr_op *op)
{
    return op->def->dialect == TSR_DIALECT_SDY ? (tsr_collective)tsr_kinds_of(op).collective
                                               : TSR_COLLECTIVE_NONE;
}

tsr_collective tsr_hlo_collective_of(const tsr_op *op)
{
    return op->def->dialect == TSR_DIALECT_STABLEHLO ? (tsr_collective)tsr_kinds_of(op).collective
                                                     : TSR_COLLECTIVE_NONE;
}

bool tsr_module_may_have_role(const tsr_module *m, tsr_op_role role)
{
    for (uint32_t i = 0; i < TSR_OP__COUNT; i++)
        if (tsr_kinds_of_opcode[i].role == role && tsr_module_may_have(m, (uint16_t)i))
            return true;
    return false;
}
