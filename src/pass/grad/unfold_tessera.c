/* SPDX-License-Identifier: Apache-2.0 */
/* unfold_tessera.c - differentiates Graph IR's ops through their lowering to StableHLO. */
#include "dialect/tessera/hlo.h"
#include "pass/grad/grad.h"

/* The op without its tokens, inserted before it; the copy keeps program order. NULL: it has none. */
static tsr_op *without_tokens(tsr_op *op)
{
    uint32_t n = tsr_tessera_values(op), m = op->nout;
    if (m && tsr_tessera_is_token(op->out[m - 1].type))
        m--;
    if ((n == op->nin && m == op->nout) || n != 1 || m != 1)
        return NULL;
    tsr_value *x = op->in[0].value;
    tsr_op *plain = tsr_op_new(op->module, op->def, op->loc, &x, 1, &op->out[0].type, 1, 0, 0);
    memcpy(plain->attrs, op->attrs, op->def->nslot * sizeof *op->attrs);
    tsr_op_insert(plain, op->block, op);
    return plain;
}

tsr_unfolded unfold_tessera(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_coll c;
    bool collective = tsr_coll_of(op, &c);
    if (collective && c.sharding && op->nin == 1 && op->nout == 1)
        return TSR_UNFOLD_KEEP; /* for a global tensor it only changes the placement */
    tsr_op *plain = collective ? without_tokens(op) : NULL;
    tsr_hlo_fn *hlo = tsr_hlo_of(op);
    bool ok = hlo && hlo(b, plain ? plain : op, out);
    if (plain)
        tsr_op_erase(plain);
    if (!ok)
        return TSR_UNFOLD_FAILED;
    if (op->nout == 2 && plain) /* some op waits for it */
        out[1] = tsr_build_op(b, TSR_OP_TESSERA_EFFECT_DEPENDENCY, out, 1, op->out[1].type);
    for (uint32_t i = 0; i < op->nout; i++) {
        /* Users of the result were verified with its type. */
        tsr_type *type = op->out[i].type;
        if (out[i]->type != type && !out[i]->is_arg && !out[i]->uses)
            out[i]->type = type;
        else if (out[i]->type != type)
            out[i] = tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, &out[i], 1, type);
    }
    return TSR_UNFOLD_DONE;
}
