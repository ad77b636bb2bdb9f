/* SPDX-License-Identifier: Apache-2.0 */
/* rules_scf.c - control flow of scf that is statically known: branches that are taken, loops that run once or not at
 * all. Their ops are inlined in order, so effects are preserved. */
#include "pass/simplify/simplify.h"

/* The constant number of v: i1 or index of arith. */
static bool known_number(const tsr_value *v, int64_t *out)
{
    const tsr_op *c = tsr_rw_def_is(v, TSR_OP_ARITH_CONSTANT);
    const tsr_attr *a = c ? c->attrs[ARITH_CONSTANT_value] : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_INT) ||
        (v->type->kind != TSR_TYPE_INDEX && !tsr_type_is_integer(v->type, 1)))
        return false;
    *out = a->i;
    return true;
}

/* Inlines the ops of a block before op; its terminator's operands become op's results. */
static bool put_inside(tsr_rewriter *r, tsr_op *op, tsr_block *b)
{
    tsr_op *end = b->last;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout + 1);
    tsr_rw_move_before(r, end, op);
    for (uint32_t i = 0; i < op->nout; i++)
        values[i] = tsr_rw_in(end, i);
    tsr_rw_replace(r, op, values);
    return true;
}

static bool ends_plainly(const tsr_op *op, const tsr_block *b)
{
    if (!b || b->next || !b->last || !tsr_op_is(b->last, TSR_OP_SCF_YIELD) ||
        b->last->nin != op->nout)
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_rw_in(b->last, i)->type != op->out[i].type)
            return false;
    return true;
}

/* if(c) -> the ops of its branch */
bool rule_scf_if_known(tsr_rewriter *r, tsr_op *op)
{
    int64_t c;
    if (!known_number(tsr_rw_in(op, 0), &c))
        return false;
    tsr_block *b = c ? op->regions[0].first : op->regions[1].first;
    if (!b && !op->nout) { /* there is no other branch */
        tsr_rw_erase(r, op);
        return true;
    }
    return ends_plainly(op, b) && put_inside(r, op, b);
}

static bool bounds(const tsr_op *op, int64_t *from, int64_t *to)
{
    return op->nin >= 3 && known_number(tsr_rw_in(op, 0), from) &&
           known_number(tsr_rw_in(op, 1), to) && op->nin == op->nout + 3;
}

/* for(a to b), a >= b -> its initial values */
bool rule_scf_for_never(tsr_rewriter *r, tsr_op *op)
{
    int64_t from, to;
    if (!bounds(op, &from, &to) || from < to)
        return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout + 1);
    for (uint32_t i = 0; i < op->nout; i++) {
        values[i] = tsr_rw_in(op, 3 + i);
        if (values[i]->type != op->out[i].type)
            return false;
    }
    tsr_rw_replace(r, op, values);
    return true;
}

/* for(a to b step c), a < b <= a + c -> the ops of its body, once */
bool rule_scf_for_once(tsr_rewriter *r, tsr_op *op)
{
    int64_t from, to, step;
    tsr_block *b = op->regions[0].first;
    if (!bounds(op, &from, &to) || from >= to || !known_number(tsr_rw_in(op, 2), &step) ||
        step < 1 || (uint64_t)to - (uint64_t)from > (uint64_t)step || !ends_plainly(op, b) ||
        b->nargs != op->nout + 1)
        return false;
    tsr_rw_forward(r, b->args[0], tsr_rw_in(op, 0));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_rw_forward(r, b->args[i + 1], tsr_rw_in(op, 3 + i));
    return put_inside(r, op, b);
}
