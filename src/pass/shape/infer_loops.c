/* SPDX-License-Identifier: Apache-2.0 */
/* infer_loops.c - types that loops of scf carry.
 *
 * The sizes of loop-carried values may change between iterations, so the initial types are not necessarily the carried
 * types. Types are found by trial: a copy of the loop carries the initial types, its body is inferred, and the types
 * that come back must match. If they do not, only what both have in common is tried next. Types that hold are used; the
 * copy is erased. */
#include "pass/shape/infer.h"

/* Rounds of a trial, and nested loops being tried: each doubles the work. */
enum { MAX_ROUNDS = 8, MAX_TRIALS = 6 };

/* A loop's values: operands, arguments of its first block, values that come back. */
typedef struct {
    tsr_block *block;
    uint32_t first_in, first_arg, n;
    const tsr_op *back;
    uint32_t first_back;
} carried;

static bool find_carried(const tsr_op *op, carried *c)
{
    bool counted = tsr_op_is(op, TSR_OP_SCF_FOR);
    const tsr_block *last = op->nregion ? op->regions[counted ? 0 : 1].first : NULL;
    *c = (carried){.block = op->nregion ? op->regions[0].first : NULL,
                   .first_in = counted ? 3 : 0,
                   .first_arg = counted ? 1 : 0};
    if (!c->block || !last || !last->last || op->nin < c->first_in)
        return false;
    c->n = op->nin - c->first_in;
    c->back = last->last;
    return c->block->nargs == c->first_arg + c->n && c->back->nin == c->n;
}

/* Infers the body of a copy that carries these types; types: the carried ones, replaced by those that come back. False
 * if its types contradict each other. */
static bool try_types(tsr_inference *s, tsr_op *op, tsr_type **types, bool *same)
{
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(op->module, op, &map);
    tsr_mapping_free(&map);
    tsr_op_insert(copy, op->block, op);
    carried c;
    bool ok = find_carried(copy, &c);
    for (uint32_t i = 0; ok && i < c.n; i++)
        c.block->args[c.first_arg + i]->type = types[i];
    ok = ok && tsr_inference_inside(s, copy);
    *same = true;
    for (uint32_t i = 0; ok && i < c.n; i++) {
        tsr_type *back = tsr_rw_in(c.back, i)->type, *t = tsr_type_both(op, types[i], back);
        if (t == back) /* as precise, or more */
            continue;
        types[i] = tsr_type_either(types[i], back);
        *same = false;
        ok = types[i] != NULL;
    }
    tsr_op_erase(copy);
    return ok;
}

void tsr_inference_loop(tsr_inference *s, tsr_op *op)
{
    carried c;
    if (s->trials >= MAX_TRIALS || !find_carried(op, &c) || !c.n)
        return;
    tsr_type **types = TSR_NEW_ARRAY(s->p->scratch, tsr_type *, c.n);
    tsr_value **values = TSR_NEW_ARRAY(s->p->scratch, tsr_value *, 2 * c.n);
    bool more = false;
    for (uint32_t i = 0; i < c.n; i++) {
        values[i] = c.block->args[c.first_arg + i];
        types[i] = tsr_type_both(op, values[i]->type, tsr_rw_in(op, c.first_in + i)->type);
        if (!types[i])
            return;
        more |= types[i] != values[i]->type;
    }
    bool changed = s->p->changed, same = false;
    for (int round = 0; more && !same; round++) {
        if (round == MAX_ROUNDS || !try_types(s, op, types, &same))
            return;
        more = false;
        for (uint32_t i = 0; i < c.n; i++) {
            types[i] = tsr_type_both(op, values[i]->type, types[i]);
            if (!types[i])
                return;
            more |= types[i] != values[i]->type;
        }
    }
    s->p->changed = changed;
    if (!more)
        return;
    (void)tsr_refine_values(&s->r, op, values, types, c.n);
    if (tsr_op_is(op, TSR_OP_SCF_FOR))
        (void)tsr_refine_results(&s->r, op, types, c.n);
}

void tsr_inference_condition(tsr_inference *s, tsr_op *op)
{
    tsr_op *loop = tsr_block_parent(op->block);
    tsr_block *body = loop && tsr_op_is(loop, TSR_OP_SCF_WHILE) ? loop->regions[1].first : NULL;
    if (!body || !op->nin || body->nargs != op->nin - 1 || loop->nout != body->nargs)
        return;
    tsr_type **types = TSR_NEW_ARRAY(s->p->scratch, tsr_type *, op->nin);
    for (uint32_t i = 0; i + 1 < op->nin; i++)
        types[i] = tsr_rw_in(op, i + 1)->type;
    (void)tsr_refine_values(&s->r, loop, body->args, types, body->nargs);
    (void)tsr_refine_results(&s->r, loop, types, loop->nout);
}

tsr_type *tsr_inference_carried(const tsr_op *op, const tsr_op *parent, uint32_t i)
{
    if (tsr_op_is(op, TSR_OP_SCF_FOR))
        return i < 3 ? NULL : op->regions[0].first->args[i - 2]->type;
    if (tsr_op_is(op, TSR_OP_SCF_WHILE))
        return op->regions[0].first->args[i]->type;
    if (tsr_op_is(op, TSR_OP_SCF_CONDITION) && parent && tsr_op_is(parent, TSR_OP_SCF_WHILE))
        return i && i <= parent->nout ? parent->out[i - 1].type : NULL;
    if (!tsr_op_is(op, TSR_OP_SCF_YIELD) || !parent)
        return NULL;
    if (tsr_op_is(parent, TSR_OP_SCF_WHILE))
        return i < parent->nin ? parent->regions[0].first->args[i]->type : NULL;
    return i < parent->nout ? parent->out[i].type : NULL;
}
