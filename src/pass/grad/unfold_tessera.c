/* unfold_tessera.c - Graph IR's ops are differentiated as what they are in StableHLO. */
#include "dialect/tessera/hlo.h"
#include "pass/grad/grad.h"

tsr_unfolded unfold_tessera(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_coll c;
    if (tsr_coll_of(op, &c) && c.sharding && op->nin == 1 && op->nout == 1)
        return TSR_UNFOLD_KEEP; /* of a global tensor it changes nothing but where it lies */
    tsr_hlo_fn *hlo = tsr_hlo_of(op);
    if (!hlo || !hlo(b, op, out))
        return TSR_UNFOLD_FAILED;
    for (uint32_t i = 0; i < op->nout; i++) {
        /* Who uses the result was verified with its type. */
        tsr_type *type = op->out[i].type;
        if (out[i]->type != type && !out[i]->is_arg && !out[i]->uses)
            out[i]->type = type;
        else if (out[i]->type != type)
            out[i] = tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, &out[i], 1, type);
    }
    return TSR_UNFOLD_DONE;
}
