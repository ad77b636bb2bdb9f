/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_test_broadcast.c - converts "hlo_test_broadcast.numpy_broadcast" to a custom call of numpy_broadcasted on its
 * operands, broadcast to their common shape. Without a common shape it stays, after a diagnostic. Needs nothing; breaks
 * ids. */
#include "pass/pass.h"

#include "dialect/stablehlo/broadcast.h"

static bool broadcast(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_shaper s = {ctx, op->module, op, op->loc};
    tsr_value_vec in = {0};
    tsr_extent_vec shape = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    bool ok = tsr_broadcast_shape(ctx, op->loc, in.data, in.n, &shape);
    for (size_t i = 0; ok && i < in.n; i++)
        ok = (in.data[i] = tsr_broadcast_to(&s, in.data[i], &shape)) != NULL;
    if (ok) {
        tsr_type_vec out = {0};
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_vec_push(&out, op->out[i].type);
        tsr_op *call = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_CUSTOM_CALL),
                                  op->loc, in.data, in.n, out.data, out.n, 0, 0);
        tsr_vec_free(&out);
        call->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] =
            tsr_attr_string(ctx, TSR_STR("numpy_broadcasted"));
        call->attrs[STABLEHLO_CUSTOM_CALL_has_side_effect] = tsr_attr_bool(ctx, true);
        tsr_op_replace(op, call);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&shape);
    return ok;
}

bool pass_hlo_test_broadcast(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        if (tsr_str_is(op->def->name, "hlo_test_broadcast.numpy_broadcast") && !op->nregion &&
            !op->nsucc)
            p->changed |= broadcast(op);
    }
    return true;
}
