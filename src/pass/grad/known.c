/* SPDX-License-Identifier: Apache-2.0 */
/* known.c - composites that are named after an op: the op's rule is better than that of its decomposition.
 *
 * Exporters wrap an op that an older reader may lack ("chlo.asinh") together with a decomposition, whose pieces are
 * chosen by selects: its derivative is 0 * inf where a piece that is not chosen has a pole. */
#include "pass/grad/function.h"

/* An attribute of the composite that the op does not have may change the meaning. */
static bool take_attrs(tsr_op *made, const tsr_op *composite)
{
    const tsr_attr *dict = tsr_attr_of(composite, STABLEHLO_COMPOSITE_composite_attributes);
    for (uint32_t i = 0; dict && i < dict->n; i++) {
        const tsr_named *a = &dict->named[i];
        tsr_str name = a->name->str;
        if (tsr_opdef_slot(made->def, name) < 0 && !memchr(name.data, '.', name.len))
            return false;
        tsr_op_set_attr(made, name, a->value);
    }
    return true;
}

/* Creates the op that a composite is named after, before it; NULL if there is none, or not with these operands and
 * results. */
static tsr_op *op_of(tsr_op *composite)
{
    tsr_ctx *ctx = composite->module->ctx;
    const tsr_opdef *def = tsr_opdef_find(ctx, tsr_attr_of(composite, STABLEHLO_COMPOSITE_name)->s);
    if (!def || def->opcode == TSR_UNREGISTERED || def->nregion || composite->nregion)
        return NULL;
    tsr_op *made = tsr_op_like(composite, def);
    made->extra = composite->extra;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    bool ok = tsr_grad_has_rule(made) && take_attrs(made, composite);
    tsr_op_insert(made, composite->block, composite);
    ok = ok && tsr_verify(made);
    ctx->quiet = quiet;
    if (ok)
        return made;
    tsr_op_erase(made);
    return NULL;
}

void tsr_grad_raise_composites(tsr_op *func)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(func, func); op; op = next) {
        next = tsr_walk_next(func, op);
        tsr_op *made = tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE) ? op_of(op) : NULL;
        if (!made)
            continue;
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], &made->out[i]);
        tsr_op_erase(op);
    }
}
