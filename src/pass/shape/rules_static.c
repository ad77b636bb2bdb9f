/* SPDX-License-Identifier: Apache-2.0 */
/* rules_static.c - rules of stablehlo-canonicalize-dynamism: ops whose shapes are operands become static ops if the
 * shapes are constants and the types agree; and the pass. Needs nothing; keeps everything else; breaks ids. */
#include "pass/shape/refine.h"

static bool known(tsr_rewriter *r, const tsr_value *v)
{
    size_t n;
    return tsr_const_ints(r, v, &n) != NULL;
}

/* Operands that give shapes of results are not needed if the types are static. */
bool rule_custom_call_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_shapes shapes = {0};
    bool ok = tsr_custom_call_shapes(op, &shapes, false);
    tsr_shapes_free(&shapes);
    for (uint32_t i = 0; ok && i < op->nout; i++)
        ok = tsr_rw_static(&op->out[i]);
    /* Aliases refer to operands by number. */
    if (!ok || tsr_hlo_len(op->attrs[STABLEHLO_CUSTOM_CALL_output_operand_aliases]))
        return false;
    const tsr_name *name = tsr_name_get(r->ctx, TSR_STR("indices_of_shape_operands"));
    const tsr_attr *indices = tsr_dict_get(op->extra, name->str);
    bool *shape = TSR_NEW_ARRAY(r->p->scratch, bool, op->nin + 1);
    for (size_t i = 0; i < tsr_hlo_len(indices); i++)
        shape[tsr_hlo_at(indices, i)] = true;
    tsr_attr **slot = &op->attrs[STABLEHLO_CUSTOM_CALL_operand_layouts];
    tsr_attr **layouts = TSR_NEW_ARRAY(r->p->scratch, tsr_attr *, op->nin + 1);
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin + 1);
    bool laid_out = tsr_attr_is(*slot, TSR_ATTR_ARRAY) && (*slot)->n == op->nin;
    size_t n = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!shape[i]) {
            layouts[n] = laid_out ? (*slot)->attrs[i] : NULL;
            in[n++] = tsr_rw_in(op, i);
        }
    if (laid_out)
        *slot = tsr_attr_array(r->ctx, layouts, n);
    op->extra = tsr_dict_with(r->ctx, op->extra, name, NULL);
    tsr_rw_set_operands(r, op, in, n);
    return true;
}

/* dynamic_broadcast(x, c) -> broadcast(x) */
bool rule_known_broadcast_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    if (!tsr_rw_static(x) || !tsr_rw_static(&op->out[0]) || !known(r, tsr_rw_in(op, 1)))
        return false;
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &x, 1, op->out[0].type);
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions];
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

/* dynamic_conv(x, y, c) -> convolution(x, y) */
bool rule_dynamic_conv_is_static(tsr_rewriter *r, tsr_op *op)
{
    size_t n;
    const int64_t *ints = tsr_const_ints(r, tsr_rw_in(op, 2), &n);
    if (!ints || n % 2)
        return false;
    bool splat = n > 0;
    for (size_t i = 1; i < n; i++)
        splat &= ints[i] == ints[0];
    int64_t dims[] = {(int64_t)n / 2, 2};
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1)};
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_CONVOLUTION, in, 2, op->out[0].type);
    /* All other attributes have the same names. */
    for (uint16_t i = 0; i < op->def->nslot; i++) {
        int slot = tsr_opdef_slot(made->def, tsr_cstr(op->def->slots[i].name));
        if (slot >= 0)
            made->attrs[slot] = op->attrs[i];
    }
    made->attrs[STABLEHLO_CONVOLUTION_padding] =
        tsr_attr_dense(r->ctx, r->module, tsr_type_tensor(r->ctx, dims, 2, r->ctx->i64, NULL), ints,
                       (splat ? 1 : n) * sizeof *ints, splat);
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

/* dynamic_iota(c) -> iota */
bool rule_known_iota_is_static(tsr_rewriter *r, tsr_op *op)
{
    return known(r, tsr_rw_in(op, 0)) && rule_dynamic_iota_is_static(r, op);
}

/* dynamic_reshape(x, c) -> reshape(x) */
bool rule_known_reshape_is_static(tsr_rewriter *r, tsr_op *op)
{
    return known(r, tsr_rw_in(op, 1)) && rule_dynamic_reshape_is_static(r, op);
}

bool pass_stablehlo_canonicalize_dynamism(tsr_pass *p, tsr_op *root)
{
    TSR_TRY(tsr_check_custom_call_shapes(root));
    tsr_simplify(p, root,
                 &(tsr_simplify_options){.rules = &tsr_hlo_rewrites,
                                         .sets = TSR_RULES_STATIC,
                                         .top_down = true,
                                         .max_rounds = 2});
    return true;
}
