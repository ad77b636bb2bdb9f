/* SPDX-License-Identifier: Apache-2.0 */
/* to_ttir.c - convert-ttnn-to-ttir: converts ops of TTNN that request it (ttnn.hoist_generic_via_d2m), and those of
 * functions that d2m_subgraph names, to ops of TTIR on the same layouts. Needs TTNN; keeps values; breaks ids. */
#include "dialect/ttnn/view.h"
#include "lower/ttnn/ttnn.h"

/* A change of layout into a tensor created for it. */
static void to_layout(tsr_op *op)
{
    tsr_build b = tsr_build_before(op);
    tsr_type *type = op->out[0].type;
    tsr_value *in[] = {op->in[0].value, tsr_ttir_op(&b, TSR_OP_TTIR_EMPTY, NULL, 0, type)};
    tsr_value_replace(&op->out[0], tsr_ttir_op(&b, TSR_OP_TTIR_TO_LAYOUT, in, 2, type));
    tsr_op_erase(op);
    tsr_build_free(&b);
}

static bool convert(tsr_pass *p, tsr_op *op)
{
    tsr_ttnn_view view;
    p->changed = true;
    if (tsr_op_is(op, TSR_OP_TTNN_TO_LAYOUT) || tsr_op_is(op, TSR_OP_TTNN_TO_TENSOR_SPEC)) {
        to_layout(op);
        return true;
    }
    if (!tsr_ttnn_view_of(op, &view))
        return tsr_error(p->ctx, op->loc,
                         "failed to legalize operation '%.*s' that was explicitly marked illegal",
                         TSR_STR_ARG(op->def->name));
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(op, &in, &types);
    tsr_op *made = tsr_op_new(p->module, tsr_opdef_of(p->ctx, tsr_ttnn_means(op)), op->loc, in.data,
                              view.op.nin, types.data, types.n, 0, 0);
    memcpy(made->attrs, view.attrs, made->def->nslot * sizeof *made->attrs);
    tsr_op_replace(op, made);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return true;
}

static bool asks(const tsr_op *op)
{
    return tsr_op_in(op, TSR_DIALECT_TTNN) &&
           tsr_dict_get(op->extra, TSR_STR("ttnn.hoist_generic_via_d2m"));
}

/* The function that d2m_subgraph names, whose ops are all converted. */
static tsr_op *subgraph(const tsr_op *op)
{
    int slot =
        tsr_op_is(op, TSR_OP_TTNN_D2M_SUBGRAPH) ? tsr_opdef_slot(op->def, TSR_STR("d2m_func")) : -1;
    return slot < 0 || !op->attrs[slot] ? NULL : tsr_symbol_resolve(op, op->attrs[slot]);
}

bool pass_convert_ttnn_to_ttir(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) todo = {0};
    TSR_OPS (root, op) {
        tsr_op *func = subgraph(op);
        if (asks(op))
            tsr_vec_push(&todo, op);
        if (!func || !func->nregion || !func->regions[0].first)
            continue;
        TSR_BLOCK_OPS (func->regions[0].first, o)
            if (tsr_op_in(o, TSR_DIALECT_TTNN) && !asks(o))
                tsr_vec_push(&todo, o);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < todo.n; i++)
        ok = convert(p, todo.data[i]);
    tsr_vec_free(&todo);
    return ok;
}
