/* SPDX-License-Identifier: Apache-2.0 */
/* carry.c - loops that carry partial sums. The program says that a value which a loop carries is unreduced: each device may
 * keep its part of it, and the parts are combined once, after the loop.
 *
 * The body is partitioned as for any value. If the loop then only adds to the value, or stores into it, what it adds is
 * taken from before it was combined, so that nothing needs the combined parts any more, and the loop starts and ends with
 * partial values. */
#include "shard/spmd/spmd.h"

static bool used_once(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

static bool is(const tsr_value *v, enum tsr_opcode opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode);
}

/* A step from a carried value to the next: something is joined to it, or stored into it. */
static bool is_step(const tsr_value *v, enum tsr_opcode join)
{
    return is(v, join) || is(v, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE);
}

/* The operand of a step that may lead to arg: the first, or either one of a join. */
static uint32_t toward(const tsr_op *op, const tsr_value *arg, enum tsr_opcode join)
{
    const tsr_value *a = op->in[0].value, *b = op->in[1].value;
    return tsr_op_is(op, join) && (b == arg || !(a == arg || is_step(a, join)));
}

/* Whether steps that nothing else sees lead from arg to v. */
static bool only_steps(const tsr_value *v, const tsr_value *arg, enum tsr_opcode join)
{
    while (used_once(v) && v != arg) {
        if (!is_step(v, join))
            return false;
        v = v->op->in[toward(v->op, arg, join)].value;
    }
    return v == arg && used_once(v);
}

/* An op with one operand that can be applied to partial values: it moves or repeats elements, or rounds them to
 * another format. */
static bool is_linear(const tsr_value *v)
{
    if (is(v, TSR_OP_STABLEHLO_CONVERT))
        return v->type->elem->kind == TSR_TYPE_FLOAT &&
               v->op->in[0].value->type->elem->kind == TSR_TYPE_FLOAT;
    return is(v, TSR_OP_STABLEHLO_TRANSPOSE) || is(v, TSR_OP_STABLEHLO_RESHAPE) ||
           is(v, TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
}

/* The op with other operands, at the current position. */
static tsr_value *again(tsr_spmd *s, tsr_op *op, const tsr_value *const *old, tsr_value *const *in,
                        uint32_t n)
{
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < n; i++)
        tsr_mapping_put(&map, old[i], in[i]);
    tsr_op *made = tsr_op_clone(s->module, op, &map);
    tsr_mapping_free(&map);
    tsr_op_insert(made, s->b.block, s->b.at);
    return &made->out[0];
}

/* v before its parts were combined; NULL: it was not combined along these axes. */
static tsr_value *uncombined(tsr_spmd *s, tsr_value *v, const tsr_sharding *raw)
{
    if (!is_linear(v))
        return tsr_spmd_unjoined(s, v, tsr_spmd_join(raw->reduction), raw->mesh, raw->unreduced);
    const tsr_value *old = v->op->in[0].value;
    tsr_value *in = uncombined(s, v->op->in[0].value, raw);
    return in ? again(s, v->op, &old, &in, 1) : NULL;
}

/* The partial value of v, to which steps lead from arg. */
static tsr_value *partial(tsr_spmd *s, tsr_value *v, tsr_value *arg, const tsr_sharding *raw)
{
    if (v == arg)
        return arg;
    uint32_t i = toward(v->op, arg, tsr_spmd_join(raw->reduction));
    tsr_value *carried = v->op->in[i].value, *more = v->op->in[1 - i].value;
    tsr_value *part = uncombined(s, more, raw);
    const tsr_value *old[] = {carried, more};
    tsr_value *in[] = {partial(s, carried, arg, raw),
                       part ? part : tsr_spmd_partial_any(s, more, raw)};
    return again(s, v->op, old, in, 2);
}

static tsr_build build_before(tsr_spmd *s, tsr_op *at)
{
    tsr_build here = s->b;
    s->b = (tsr_build){
        .ctx = s->ctx, .module = s->module, .block = at->block, .at = at, .loc = at->loc};
    return here;
}

static void build_again(tsr_spmd *s, tsr_build here)
{
    tsr_build_free(&s->b);
    s->b = here;
}

bool tsr_spmd_carry(tsr_spmd *s, tsr_op *loop, uint32_t i, const tsr_sharding *raw)
{
    tsr_block *cond = loop->regions[0].first, *body = loop->regions[1].first;
    tsr_value *arg = body->args[i], *next = body->last->in[i].value;
    if (cond->args[i]->uses || next == arg || !only_steps(next, arg, tsr_spmd_join(raw->reduction)))
        return false;
    tsr_build here = build_before(s, body->last);
    tsr_op_set_operand(body->last, i, partial(s, next, arg, raw));
    build_again(s, here);
    here = build_before(s, loop);
    if (!TSR_BUG(27))
        tsr_op_set_operand(loop, i, tsr_spmd_partial_any(s, loop->in[i].value, raw));
    build_again(s, here);
    return true;
}
