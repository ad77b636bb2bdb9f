/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - convert-ttir-to-ttnn: lowers ops of TTIR to those of TTNN.
 *
 * An op that has the same meaning there (column MEANS) keeps its operands, and its attributes by name; others have a
 * hook (column LOWERS of the op that they become). Needs ttnn-layout; keeps values; breaks ids. */
#include "lower/ttnn/convert.h"

#include "dialect/ttnn/view.h"

typedef struct {
    tsr_ttnn_lower_fn *lower;
    uint16_t to;
} row;

static const row rows[TSR_OP__COUNT] = {
#define LOWERS(id, from, hook) [TSR_OP_##from] = {lower_##hook, TSR_OP_##id},
#include "dialect/ops.def"
};

/* ---- Helpers that hooks share ---- */

tsr_op *tsr_ttnn_open(tsr_ttnn_lower *l, enum tsr_opcode to, tsr_value *const *in, size_t n)
{
    return tsr_ttir_open(&l->b, to, in, n, 1);
}

tsr_op *tsr_ttnn_like(tsr_ttnn_lower *l, enum tsr_opcode to, bool device)
{
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < l->op->nin; i++)
        tsr_vec_push(&in, l->op->in[i].value);
    if (device)
        tsr_vec_push(&in, tsr_ttnn_device(&l->b, l->op));
    tsr_op *made = tsr_ttir_open(&l->b, to, in.data, in.n, l->op->nout);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    tsr_vec_free(&in);
    return made;
}

bool tsr_ttnn_replace(tsr_ttnn_lower *l, tsr_value *v)
{
    tsr_value_replace(&l->op->out[0], v);
    tsr_op_erase(l->op);
    return true;
}

bool tsr_ttnn_done(tsr_ttnn_lower *l, tsr_op *made)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < l->op->nout; i++)
        tsr_vec_push(&types, l->op->out[i].type);
    for (uint16_t i = 0; i < made->def->nslot; i++)
        if (!made->attrs[i] && made->def->slots[i].need == TSR_ATTR_REQUIRED) {
            tsr_vec_free(&types);
            return tsr_op_error(l->op, "has no '%s', which '%.*s' needs", made->def->slots[i].name,
                                TSR_STR_ARG(made->def->name));
        }
    tsr_build_close_as(&l->b, made, types.data);
    for (uint32_t i = 0; i < l->op->nout; i++)
        tsr_value_replace(&l->op->out[i], &made->out[i]);
    tsr_op_erase(l->op);
    tsr_vec_free(&types);
    return true;
}

/* ---- The pass ---- */

static bool by_name(tsr_ttnn_lower *l)
{
    return tsr_ttnn_done(l, tsr_ttnn_like(l, l->to, false));
}

static bool lower_op(tsr_pass *p, tsr_op *op)
{
    const row *r = &rows[op->def->opcode];
    enum tsr_opcode as = tsr_ttnn_for(op);
    if (!r->lower && !as)
        return tsr_error(p->ctx, op->loc,
                         "failed to legalize operation '%.*s' that was explicitly marked illegal",
                         TSR_STR_ARG(op->def->name));
    tsr_ttnn_lower l = {
        .b = tsr_build_before(op), .op = op, .to = r->lower ? (enum tsr_opcode)r->to : as};
    bool ok = r->lower ? r->lower(&l) : by_name(&l);
    tsr_build_free(&l.b);
    p->changed = true;
    return ok;
}

static bool convert_function(tsr_pass *p, tsr_op *func)
{
    tsr_op *next;
    TSR_TRY(tsr_tt_one_block(func));
    for (tsr_op *op = func->regions[0].first->first; op; op = next) {
        next = op->next;
        if (tsr_op_in(op, TSR_DIALECT_TTIR) && op->def->opcode != TSR_UNREGISTERED)
            TSR_TRY(lower_op(p, op));
    }
    return true;
}

bool pass_convert_ttir_to_ttnn(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            !tsr_str_is(tsr_tt_function_type(op), "forward_cpu"))
            TSR_TRY(convert_function(p, op));
    return true;
}
