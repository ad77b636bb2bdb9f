/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - how every value of a function is distributed over the devices, given its arguments. Changes nothing.
 *
 * Forward, ops run along the cut dimensions of their operands (dp/split.c). Backward, values that no cut value flows
 * into, such as constants and masks, are cut if all their users need it. An op that writes to an operand must take that
 * operand as it is; if it cannot, the operand is forced to be whole and planning starts again. */
#include "shard/dp/dp.h"

enum { NONE = -1, MAX_DEPTH = 32, MAX_ROUNDS = 3, MAX_PLANS = 16 };

typedef struct {
    tsr_dp *dp;
    tsr_dp_plan *p;
    tsr_block *body;
    bool *forced;    /* values forced to be whole */
    bool *gathered;  /* values that were gathered */
    bool failed;     /* another value had to be forced */
    tsr_dp_part *in; /* of the current op */
    uint32_t cap;
} planner;

bool tsr_dp_can_plan(const tsr_op *func)
{
    const tsr_block *b = tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->regions[0].first : NULL;
    return b && !b->next && b->last && tsr_op_is(b->last, TSR_OP_FUNC_RETURN);
}

/* ---- Ids ---- */

static void widen(uint32_t id, uint32_t *low, uint32_t *high)
{
    *low = id < *low ? id : *low;
    *high = id > *high ? id : *high;
}

static void find_ranges(tsr_dp_plan *p)
{
    uint32_t op0 = UINT32_MAX, op1 = 0, v0 = UINT32_MAX, v1 = 0;
    TSR_OPS (p->func, op) {
        widen(op->id, &op0, &op1);
        for (uint32_t i = 0; i < op->nout; i++)
            widen(op->out[i].id, &v0, &v1);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    widen(b->args[i]->id, &v0, &v1);
    }
    p->op0 = op0;
    p->nop = op1 - op0 + 1;
    p->value0 = v0 <= v1 ? v0 : 0;
    p->nvalue = v0 <= v1 ? v1 - v0 + 1 : 0;
}

static uint32_t at(const tsr_dp_plan *p, const tsr_value *v)
{
    return v->id - p->value0;
}

/* ---- Written values ---- */

static void mark_written(planner *s, const tsr_op *op)
{
    tsr_dp_plan *p = s->p;
    int64_t w = tsr_dp_written(op);
    bool nested = op->block != s->body;
    if (w >= 0 && w < op->nin) {
        p->written[at(p, op->in[w].value)] = true;
        s->forced[at(p, op->in[w].value)] |= nested;
    }
    /* A call inside a region is left unchanged. */
    for (uint32_t i = 0; nested && tsr_op_has(op, TSR_TRAIT(CALL)) && i < op->nin; i++)
        p->written[at(p, op->in[i].value)] = s->forced[at(p, op->in[i].value)] = true;
}

static void force(planner *s, const tsr_value *v)
{
    s->failed |= !s->forced[at(s->p, v)];
    s->forced[at(s->p, v)] = true;
    s->p->written[at(s->p, v)] = true;
}

/* ---- Forward ---- */

static const tsr_dp_part *operands(planner *s, const tsr_op *op)
{
    if (op->nin > s->cap) {
        s->cap = op->nin + s->cap;
        s->in = TSR_NEW_ARRAY(s->dp->arena, tsr_dp_part, s->cap);
    }
    for (uint32_t i = 0; i < op->nin; i++)
        s->in[i] = s->p->parts[at(s->p, op->in[i].value)];
    return s->in;
}

static bool any_cut(const tsr_dp_part *in, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (in[i].dim != TSR_WHOLE)
            return true;
    return false;
}

static void count_gathers(planner *s, tsr_op *op, const tsr_dp_part *in)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        uint32_t v = at(s->p, op->in[i].value);
        if (in[i].dim == TSR_WHOLE || tsr_dp_same(in[i], tsr_dp_operand(s->dp, s->p, op, i)) ||
            s->gathered[v])
            continue;
        s->gathered[v] = true;
        s->p->gathers++;
    }
}

static tsr_dp_plan *find_plan(tsr_dp *dp, const tsr_op *func, const tsr_dp_part *args)
{
    uint32_t n = func->regions[0].first->nargs;
    for (tsr_dp_plan *p = dp->plans[func->id]; p; p = p->next) {
        bool same = true;
        for (uint32_t i = 0; same && i < n; i++)
            same = tsr_dp_same(p->key[i], args[i]);
        if (same)
            return p;
    }
    return NULL;
}

static uint32_t count_plans(const tsr_dp *dp, const tsr_op *func)
{
    uint32_t n = 0;
    for (const tsr_dp_plan *p = dp->plans[func->id]; p; p = p->next)
        n++;
    return n;
}

static void plan_call(planner *s, tsr_op *op, const tsr_dp_part *in)
{
    tsr_dp *dp = s->dp;
    tsr_op *func = tsr_symbol_resolve(op, op->attrs[FUNC_CALL_callee]);
    if (!func || !tsr_dp_can_plan(func) || dp->busy[func->id] || dp->depth >= MAX_DEPTH ||
        func->regions[0].first->nargs != op->nin || func->regions[0].first->last->nin != op->nout)
        return;
    if (!find_plan(dp, func, in) && count_plans(dp, func) >= MAX_PLANS)
        return; /* limits the number of copies */
    dp->depth++;
    tsr_dp_part *asked = tsr_arena_copy(dp->arena, in, op->nin * sizeof *in);
    const tsr_dp_plan *callee = tsr_dp_plan_func(dp, func, asked);
    dp->depth--;
    for (uint32_t i = 0; i < op->nin; i++)
        if (callee->writes[i]) {
            s->p->written[at(s->p, op->in[i].value)] = true;
            if (!tsr_dp_same(callee->args[i], asked[i]))
                force(s, op->in[i].value);
        }
    if (!callee->cuts)
        return;
    s->p->callees[op->id - s->p->op0] = callee;
    s->p->passes += callee->passes;
    s->p->joins += callee->joins;
    s->p->gathers += callee->gathers;
    for (uint32_t i = 0; i < op->nout; i++)
        s->p->parts[at(s->p, &op->out[i])] = callee->results[i];
}

/* Whether func, or one of its callees, writes to an argument. Recursive functions are visited once. */
static bool may_write(tsr_dp *dp, tsr_op *func)
{
    enum { UNKNOWN, NO, YES };
    uint8_t *known = &dp->writers[func->id];
    if (*known != UNKNOWN)
        return *known == YES;
    if (dp->depth >= MAX_DEPTH)
        return true;
    *known = NO;
    dp->depth++;
    TSR_OPS (func, op) {
        tsr_op *callee = tsr_op_is(op, TSR_OP_FUNC_CALL)
                             ? tsr_symbol_resolve(op, op->attrs[FUNC_CALL_callee])
                             : NULL;
        if (tsr_dp_written(op) >= 0 || (callee && may_write(dp, callee)))
            *known = YES;
    }
    dp->depth--;
    return *known == YES;
}

/* A callee that is called unchanged may still write to its operands. */
static void plan_opaque_call(planner *s, tsr_op *op, const tsr_dp_part *in)
{
    tsr_op *func = tsr_symbol_resolve(op, op->attrs[FUNC_CALL_callee]);
    if (!func || !may_write(s->dp, func))
        return;
    for (uint32_t i = 0; i < op->nin; i++) {
        s->p->written[at(s->p, op->in[i].value)] = true;
        if (in[i].dim != TSR_WHOLE)
            force(s, op->in[i].value);
    }
}

static void plan_op(planner *s, tsr_op *op)
{
    tsr_dp_plan *p = s->p;
    const tsr_dp_part *in = operands(s, op);
    bool whole = false;
    for (uint32_t i = 0; i < op->nout; i++)
        whole |= s->forced[at(p, &op->out[i])];
    if (tsr_op_is(op, TSR_OP_FUNC_CALL)) {
        if (any_cut(in, op->nin) && !whole)
            plan_call(s, op, in);
        /* planning a callee does not change it, but the buffer may have been reallocated */
        in = operands(s, op);
        if (!p->callees[op->id - p->op0])
            plan_opaque_call(s, op, in);
        count_gathers(s, op, in);
        return;
    }
    tsr_dp_choice c = {NONE, false, 0};
    if (!whole && !op->nregion)
        c = tsr_dp_choose(s->dp, op, in);
    p->choices[op->id - p->op0] = c;
    int64_t w = tsr_dp_written(op);
    if (c.factor == NONE) {
        if (w >= 0 && w < op->nin && in[w].dim != TSR_WHOLE)
            force(s, op->in[w].value);
    } else {
        const tsr_rule *r = tsr_dp_rule(s->dp, op);
        p->passes++;
        p->joins += c.joins;
        for (uint32_t i = 0; i < op->nout; i++)
            p->parts[at(p, &op->out[i])] = tsr_dp_want(r, op, c, op->nin + i);
    }
    count_gathers(s, op, in);
}

/* ---- Backward ---- */

/* The part that all users of v need, if they agree; whole otherwise. */
static tsr_dp_part wanted(planner *s, const tsr_value *v)
{
    tsr_dp_part want = tsr_dp_whole();
    for (const tsr_use *u = v->uses; u; u = u->next) {
        if (u->user->block != s->body || tsr_op_is(u->user, TSR_OP_FUNC_RETURN))
            return tsr_dp_whole();
        tsr_dp_part w = tsr_dp_operand(s->dp, s->p, u->user, (uint32_t)(u - u->user->in));
        if (w.dim == TSR_WHOLE || (want.dim != TSR_WHOLE && !tsr_dp_same(w, want)))
            return tsr_dp_whole();
        want = w;
    }
    return want;
}

static void pull_back(planner *s, tsr_op *op)
{
    tsr_dp_plan *p = s->p;
    if (op->nout != 1 || op->nregion || p->choices[op->id - p->op0].factor != NONE ||
        tsr_op_is(op, TSR_OP_FUNC_CALL) || p->written[at(p, &op->out[0])] ||
        any_cut(operands(s, op), op->nin) || !tsr_dp_rule(s->dp, op))
        return;
    tsr_dp_part want = wanted(s, &op->out[0]);
    if (want.dim == TSR_WHOLE || tsr_dp_fits(s->dp, tsr_dp_whole(), want))
        return;
    tsr_dp_choice c = tsr_dp_choose_result(s->dp, op, want);
    if (c.factor == NONE)
        return;
    p->choices[op->id - p->op0] = c;
    p->parts[at(p, &op->out[0])] = want;
}

/* ---- Functions ---- */

tsr_dp_part tsr_dp_operand(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *op, uint32_t i)
{
    if (tsr_op_is(op, TSR_OP_FUNC_RETURN))
        return p->parts[at(p, op->in[i].value)];
    const tsr_dp_plan *callee = p->callees[op->id - p->op0];
    if (callee)
        return callee->args[i];
    tsr_dp_choice c = p->choices[op->id - p->op0];
    return c.factor == NONE ? tsr_dp_whole() : tsr_dp_want(tsr_dp_rule(dp, op), op, c, i);
}

static void start(planner *s)
{
    tsr_dp_plan *p = s->p;
    for (uint32_t i = 0; i < p->nvalue; i++)
        p->parts[i] = tsr_dp_whole();
    for (uint32_t i = 0; i < p->nop; i++) {
        p->choices[i] = (tsr_dp_choice){NONE, false, 0};
        p->callees[i] = NULL;
    }
    memset(s->gathered, 0, p->nvalue * sizeof *s->gathered);
    p->passes = p->joins = p->gathers = 0;
    s->failed = false;
    for (uint32_t i = 0; i < s->body->nargs; i++)
        if (!s->forced[at(p, s->body->args[i])])
            p->parts[at(p, s->body->args[i])] = p->key[i];
}

/* Records the required parts of operands, for when types have changed. */
static void keep_wants(planner *s, tsr_op *op)
{
    tsr_dp_plan *p = s->p;
    uint32_t i = op->id - p->op0;
    if (p->choices[i].factor == NONE && !p->callees[i])
        return;
    p->wants[i] = TSR_NEW_ARRAY(s->dp->arena, tsr_dp_part, op->nin + 1);
    for (uint32_t k = 0; k < op->nin; k++)
        p->wants[i][k] = tsr_dp_operand(s->dp, p, op, k);
    if (p->choices[i].factor != NONE)
        p->reals[i] = tsr_dp_rule(s->dp, op)->sizes[p->choices[i].factor];
}

static void finish(planner *s)
{
    tsr_dp_plan *p = s->p;
    tsr_op *end = s->body->last;
    TSR_BLOCK_OPS (s->body, op)
        keep_wants(s, op);
    for (uint32_t i = 0; i < s->body->nargs; i++) {
        p->args[i] = p->parts[at(p, s->body->args[i])];
        p->writes[i] = p->written[at(p, s->body->args[i])];
    }
    for (uint32_t i = 0; i < end->nin; i++)
        p->results[i] = p->parts[at(p, end->in[i].value)];
    p->cuts = any_cut(p->parts, p->nvalue);
}

static tsr_dp_plan *make(tsr_dp *dp, tsr_op *func, const tsr_dp_part *args)
{
    tsr_dp_plan *p = TSR_NEW(dp->arena, tsr_dp_plan);
    tsr_block *b = func->regions[0].first;
    p->func = func;
    find_ranges(p);
    p->key = tsr_arena_copy(dp->arena, args, b->nargs * sizeof *args);
    p->args = TSR_NEW_ARRAY(dp->arena, tsr_dp_part, b->nargs + 1);
    p->writes = TSR_NEW_ARRAY(dp->arena, bool, b->nargs + 1);
    p->results = TSR_NEW_ARRAY(dp->arena, tsr_dp_part, b->last->nin + 1);
    p->parts = TSR_NEW_ARRAY(dp->arena, tsr_dp_part, p->nvalue + 1);
    p->choices = TSR_NEW_ARRAY(dp->arena, tsr_dp_choice, p->nop);
    p->callees = TSR_NEW_ARRAY(dp->arena, const tsr_dp_plan *, p->nop);
    p->wants = TSR_NEW_ARRAY(dp->arena, tsr_dp_part *, p->nop);
    p->reals = TSR_NEW_ARRAY(dp->arena, int64_t, p->nop);
    p->written = TSR_NEW_ARRAY(dp->arena, bool, p->nvalue + 1);
    return p;
}

tsr_dp_plan *tsr_dp_plan_func(tsr_dp *dp, tsr_op *func, const tsr_dp_part *args)
{
    tsr_block *body = func->regions[0].first;
    tsr_dp_plan *known = find_plan(dp, func, args);
    if (known)
        return known;
    planner s = {.dp = dp, .p = make(dp, func, args), .body = body};
    s.forced = TSR_NEW_ARRAY(dp->arena, bool, s.p->nvalue + 1);
    s.gathered = TSR_NEW_ARRAY(dp->arena, bool, s.p->nvalue + 1);
    TSR_OPS (func, op)
        mark_written(&s, op);
    dp->busy[func->id] = true;
    for (uint32_t round = 0;; round++) {
        start(&s);
        TSR_BLOCK_OPS (body, op)
            plan_op(&s, op);
        if (!s.failed)
            break;
        for (uint32_t i = 0; round >= MAX_ROUNDS && i < s.p->nvalue; i++)
            s.forced[i] |= s.p->written[i];
    }
    dp->busy[func->id] = false;
    for (tsr_op *op = body->last; op; op = op->prev)
        pull_back(&s, op);
    finish(&s);
    s.p->next = dp->plans[func->id];
    dp->plans[func->id] = s.p;
    return s.p;
}
