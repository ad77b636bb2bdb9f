/* SPDX-License-Identifier: Apache-2.0 */
/* constraint_to_reshard.c - turns sharding constraints into reshards. Needs nothing; keeps everything else; breaks
 * ids. */
#include "dialect/sdy/sharding.h"
#include "shard/passes.h"

bool pass_sdy_sharding_constraint_to_reshard(tsr_pass *p, tsr_op *root)
{
    const tsr_opdef *def = tsr_opdef_of(p->ctx, TSR_OP_SDY_RESHARD);
    if (!tsr_module_may_have(p->module, TSR_OP_SDY_SHARDING_CONSTRAINT))
        return true;
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT))
            continue;
        tsr_op *made =
            tsr_op_new(op->module, def, op->loc, &op->in[0].value, 1, &op->out[0].type, 1, 0, 0);
        made->attrs[SDY_RESHARD_sharding] = op->attrs[SDY_SHARDING_CONSTRAINT_sharding];
        made->extra = op->extra;
        tsr_op_insert(made, op->block, op);
        tsr_value_replace(&op->out[0], &made->out[0]);
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
