/* SPDX-License-Identifier: Apache-2.0 */
/* align.c - ttir-predicate-type-alignment: gives comparisons and their users the element types of neighbouring ops,
 * before element types are narrowed to those of devices. Needs nothing; keeps shapes; breaks ids. */
#include "pass/ttir/tt.h"

static bool is_truth(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && tsr_type_is_integer(v->type->elem, 1);
}

static tsr_value *cast(tsr_pass *p, tsr_op *at, tsr_loc loc, tsr_value *v, tsr_type *type)
{
    tsr_op *op = tsr_op_new(p->module, tsr_opdef_of(p->ctx, TSR_OP_TTIR_TYPECAST), loc, &v, 1,
                            &type, 1, 0, 0);
    op->attrs[TTIR_TYPECAST_conservative_folding] = tsr_attr_bool(p->ctx, false);
    tsr_op_insert(op, at->block, at);
    p->changed = true;
    return &op->out[0];
}

/* Changes the element type of op's result. Ops of other dialects get the old type through a cast. */
static void retype(tsr_pass *p, tsr_op *op, tsr_type *elem)
{
    tsr_value *v = &op->out[0], *old = NULL;
    tsr_type *type = v->type;
    if (type->elem == elem || !op->next)
        return;
    v->type = tsr_hlo_with_element(type, elem);
    p->changed = true;
    for (tsr_use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (tsr_op_in(u->user, TSR_DIALECT_TTIR) && u->user->nout)
            continue;
        if (!old)
            old = cast(p, op->next, op->loc, v, type);
        if (u->user != old->op)
            tsr_op_set_operand(u->user, (size_t)(u - u->user->in), old);
    }
}

/* The element type for both operands and the result; NULL: there is no such choice. */
static tsr_type *common_elem(const tsr_op *op)
{
    const tsr_value *all[] = {op->in[0].value, op->in[1].value, &op->out[0]};
    tsr_type *first = NULL;
    bool agree = true;
    for (int i = 0; i < 3; i++) {
        if (!tsr_type_is(all[i]->type, TSR_TYPE_TENSOR))
            return NULL;
        if (is_truth(all[i]))
            continue;
        first = first ? first : all[i]->type->elem;
        agree &= all[i]->type->elem == first;
    }
    return agree ? first : is_truth(all[2]) ? NULL : all[2]->type->elem;
}

static void align(tsr_pass *p, tsr_op *op)
{
    if (op->nout != 1 || !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) || op->nin == 0 ||
        !tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR))
        return;
    tsr_type *in = op->in[0].value->type;
    bool moves = tsr_op_has(op, TSR_TRAIT(TT_MOVES)) || tsr_op_is(op, TSR_OP_TTIR_BROADCAST);
    if (op->nin == 1 &&
        (moves || (is_truth(&op->out[0]) && (tsr_op_is(op, TSR_OP_TTIR_LOGICAL_NOT) ||
                                             tsr_op_is(op, TSR_OP_TTIR_REDUCE_OR))))) {
        retype(p, op, in->elem);
    } else if (op->nin == 2 && tsr_op_has(op, TSR_TRAIT(TT_BROADCAST))) {
        tsr_type *elem = common_elem(op);
        for (uint32_t i = 0; elem && i < 2; i++) {
            tsr_value *v = op->in[i].value;
            if (v->type->elem != elem)
                tsr_op_set_operand(op, i,
                                   cast(p, op, op->loc, v, tsr_hlo_with_element(v->type, elem)));
        }
        if (elem)
            retype(p, op, elem);
    } else if (tsr_op_is(op, TSR_OP_TTIR_WHERE) && is_truth(op->in[0].value) &&
               op->in[1].value->type == op->in[2].value->type &&
               op->in[1].value->type->elem != in->elem) {
        tsr_type *type = tsr_hlo_with_element(in, op->in[1].value->type->elem);
        tsr_op_set_operand(op, 0, cast(p, op, op->loc, op->in[0].value, type));
    }
}

bool pass_ttir_predicate_type_alignment(tsr_pass *p, tsr_op *root)
{
    /* In program order: types flow from operands to results. */
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (op->def->opcode != TSR_UNREGISTERED && tsr_op_in(op, TSR_DIALECT_TTIR))
            align(p, op);
    }
    tsr_erase_dead_ops(root);
    return true;
}
