/* SPDX-License-Identifier: Apache-2.0 */
/* propagate.c - see propagate.h: the order of visits, and the rounds. */
#include "shard/propagate/propagate.h"

#include "dialect/opcode.h"
#include "pass/pass.h"
#include "shard/core/flow.h"

/* ---- The stack ---- */

static void push(tsr_engine *e, tsr_op *op)
{
    if (op->id > e->cursor || e->waiting[op->id])
        return;
    if (e->nstack == e->stack_cap)
        e->stack = tsr_vec_grow(e->stack, &e->stack_cap, e->nstack + 1, sizeof *e->stack);
    e->stack[e->nstack++] = op;
    e->waiting[op->id] = (uint32_t)e->nstack;
}

/* The op, then its parents. */
static void push_again(tsr_engine *e, tsr_op *op)
{
    for (; op && op != e->module; op = tsr_block_parent(op->block))
        push(e, op);
}

static tsr_op *pop(tsr_engine *e)
{
    tsr_op *op = e->stack[--e->nstack];
    if (op)
        e->waiting[op->id] = 0;
    return op;
}

static void unwait(tsr_engine *e, const tsr_op *op)
{
    if (e->waiting[op->id])
        e->stack[e->waiting[op->id] - 1] = NULL;
    e->waiting[op->id] = 0;
}

/* ---- Notification ---- */

static tsr_op *step_up(const tsr_engine *e, const tsr_op *op)
{
    return e->above[op->id] ? e->above[op->id] : tsr_block_parent(op->block);
}

/* The nearest op around op that may need visits, or the module. All ops on the way remember it, so that deep nests are
 * not climbed again and again. */
static tsr_op *above(tsr_engine *e, tsr_op *op)
{
    tsr_op *end = step_up(e, op), *next;
    while (end && end != e->module && e->sites[end->id].kind == TSR_SITE_NONE)
        end = step_up(e, end);
    for (; op && op != end; op = next) {
        next = step_up(e, op);
        e->above[op->id] = end;
    }
    return end;
}

/* Ops that shardings do not propagate through need no visit. */
static void notify_op(tsr_engine *e, tsr_op *op)
{
    if (op == e->current)
        return;
    for (; op && op != e->module; op = above(e, op))
        if (e->sites[op->id].kind != TSR_SITE_NONE)
            push(e, op);
}

static void notify_users(tsr_engine *e, const tsr_value *v, uint32_t depth);

static const tsr_op *function_around(const tsr_op *op)
{
    while (op && !tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        op = tsr_block_parent(op->block);
    return op;
}

/* The first call of the function that returns the used value; NULL: it is not returned to calls. */
static tsr_op *first_call(const tsr_engine *e, const tsr_use *use)
{
    const tsr_op *func = function_around(tsr_block_parent(use->user->block));
    return func && e->calls && tsr_is_func_return(use->user) ? e->calls[func->id] : NULL;
}

/* Returned values affect the function's callers. */
static void notify_returned(tsr_engine *e, const tsr_use *use, uint32_t depth)
{
    tsr_op *call = first_call(e, use);
    if (!call) {
        notify_op(e, tsr_block_parent(use->user->block));
        return;
    }
    size_t i = (size_t)(use - use->user->in);
    for (; call; call = e->calls[call->id])
        if (i < call->nout)
            notify_users(e, &call->out[i], depth + 1);
}

/* The argument of the function that the call passes the value to; NULL: none. */
static const tsr_value *passed_to(const tsr_engine *e, const tsr_use *use)
{
    const tsr_op *callee = e->callees ? e->callees[use->user->id] : NULL;
    const tsr_block *body = callee && callee->nregion ? callee->regions[0].first : NULL;
    size_t i = (size_t)(use - use->user->in);
    return body && i < body->nargs ? body->args[i] : NULL;
}

/* Where the value goes if all that happens to it is one return to one call, or one call; NULL: more happens. */
static const tsr_value *next_of(const tsr_engine *e, const tsr_value *v)
{
    const tsr_use *use = v->uses;
    if (!use || use->next || tsr_flow_edge_of_use(use))
        return NULL;
    if (!tsr_op_has(use->user, TSR_TRAIT(TERMINATOR)))
        return tsr_op_has(use->user, TSR_TRAIT(CALL)) ? passed_to(e, use) : NULL;
    const tsr_op *call = first_call(e, use);
    size_t i = (size_t)(use - use->user->in);
    return call && !e->calls[call->id] && i < call->nout ? &call->out[i] : NULL;
}

/* The value at the end of the chain of calls that hand v on. All values on the way remember it, so that a chain is
 * walked once and not for each of its values. */
static const tsr_value *last_of(tsr_engine *e, const tsr_value *v)
{
    const tsr_value *end = v, *next;
    if (!e->handed_to)
        return v;
    for (uint32_t n = 0; n <= 2 * e->nfunc; n++, end = next) /* more would be a cycle */
        if (!(next = e->handed_to[end->id] ? e->handed_to[end->id] : next_of(e, end)))
            break;
    for (; v != end; v = next) {
        next = e->handed_to[v->id] ? e->handed_to[v->id] : next_of(e, v);
        e->handed_to[v->id] = end;
    }
    return end;
}

/* The edge that a use is a source of. Shardy does not follow operands of computations: what comes to them only after
 * their visit, as the stacked values of one loop come to the body of another, stops there. Ours goes on. */
static tsr_op *edge_of(const tsr_engine *e, const tsr_use *use)
{
    tsr_op *edge = tsr_flow_edge_of_use(use);
    return edge || !e->options->extra_rules ? edge : tsr_flow_edge_into(use);
}

/* Follows at most as many calls as there are functions: more would be a cycle. */
static void notify_users(tsr_engine *e, const tsr_value *v, uint32_t depth)
{
    enum { DEEPEST = 1000 };
    if (depth > DEEPEST || depth > 2 * e->nfunc)
        return;
    for (const tsr_use *use = last_of(e, v)->uses; use; use = use->next) {
        tsr_op *edge = edge_of(e, use);
        const tsr_value *argument;
        if (edge)
            notify_op(e, edge);
        else if (tsr_op_has(use->user, TSR_TRAIT(TERMINATOR)))
            notify_returned(e, use, depth);
        else if (!tsr_op_has(use->user, TSR_TRAIT(CALL)))
            notify_op(e, use->user);
        else if ((argument = passed_to(e, use)))
            notify_users(e, argument, depth + 1);
    }
}

void tsr_engine_notify(tsr_engine *e, const tsr_value *v)
{
    if (!v->is_arg && tsr_has_role(v->op, TSR_ROLE_EDGE)) {
        const tsr_value *owner = v->op->in[0].value, *target;
        for (uint32_t i = 0; (target = tsr_flow_target(owner, i)) != NULL; i++)
            notify_users(e, target, 0);
    }
    notify_op(e, v->is_arg ? tsr_block_parent(v->block) : v->op);
    notify_users(e, v, 0);
}

/* ---- Dead ops, which the rewriter removes when it visits them ---- */

/* Values that only op (and perhaps one other) uses may be dead next. */
static void push_operands(tsr_engine *e, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        const tsr_op *other = NULL;
        bool many = false;
        if (v->is_arg)
            continue;
        for (const tsr_use *use = v->uses; use && !many; use = use->next) {
            if (use->user == op || use->user == other)
                continue;
            many = other != NULL;
            other = use->user;
        }
        if (!many)
            push_again(e, v->op);
    }
}

/* Forgets one op of a tree being erased, after the ops inside it. */
static void forget(tsr_engine *e, tsr_op *op)
{
    push_operands(e, op);
    unwait(e, op);
    e->program[op->id] = NULL;
}

static void erase(tsr_engine *e, tsr_op *root)
{
    TSR_OPS_REVERSE (root, op) {
        forget(e, op);
        if (!tsr_op_used(op)) /* otherwise it is in a cycle, and is erased with root */
            tsr_op_erase(op);
    }
    forget(e, root);
    tsr_op_erase(root);
}

/* ---- Rounds ---- */

static void visit(tsr_engine *e, tsr_op *op)
{
    /* Nothing becomes unused in later rounds. */
    if (e->first && !tsr_op_used(op) && tsr_op_removable(op)) {
        erase(e, op);
        return;
    }
    tsr_site *site = tsr_engine_site(e, op);
    if (site->kind == TSR_SITE_NONE)
        return;
    e->current = op;
    tsr_engine_step(e, op, site);
}

/* Propagates between a function's returned values and the shardings of its results. */
static void func_results(tsr_engine *e)
{
    for (uint32_t k = 0; k < e->nfunc; k++) {
        const tsr_func_results *f = &e->funcs[k];
        const tsr_block *body = f->sites ? f->func->regions[0].first : NULL;
        uint32_t n = body && body->last ? body->last->nin : 0;
        for (uint32_t i = 0; i < n; i++)
            if (f->sites[i].kind == TSR_SITE_FUNC)
                tsr_engine_step(e, f->func, &f->sites[i]);
    }
}

static void round_of(tsr_engine *e, tsr_strategy strategy, unsigned round)
{
    enum { AHEAD = 8 }; /* ops whose memory is requested before their visit */
    e->strategy = strategy;
    e->round = round;
    func_results(e);
    for (e->cursor = 0; e->cursor < e->nop; e->cursor++) {
        if (e->cursor + AHEAD < e->nop && e->program[e->cursor + AHEAD])
            tsr_op_prefetch(e->program[e->cursor + AHEAD], 0);
        bool idle = !e->first && e->sites[e->cursor].kind == TSR_SITE_NONE;
        if (idle || !e->program[e->cursor])
            continue;
        visit(e, e->program[e->cursor]);
        while (e->nstack) {
            tsr_op *op = pop(e);
            if (op)
                visit(e, op);
        }
    }
    e->first = false;
    func_results(e);
}

static void rounds(tsr_engine *e)
{
    const tsr_propagate_options *o = e->options;
    for (unsigned r = o->op_priorities ? 0 : TSR_SPREAD_ANY; r < TSR_SPREAD_ROUNDS; r++) {
        if (o->basic)
            round_of(e, TSR_BASIC, r);
        if (o->aggressive)
            round_of(e, TSR_AGGRESSIVE, r);
    }
}

static void all_priorities(tsr_engine *e)
{
    const tsr_propagate_options *o = e->options;
    int64_t priority = 0;
    tsr_priorities *p = o->user_priorities ? tsr_priorities_start(e) : NULL;
    rounds(e);
    while (p && tsr_priorities_more(p)) {
        if (o->after_priority) {
            tsr_engine_write_back(e);
            o->after_priority(o->user, e->module, priority);
        }
        priority = tsr_priorities_next(e, p);
        rounds(e);
    }
}

static bool all_closed(const tsr_sharding *s)
{
    for (uint32_t d = 0; d < s->rank; d++)
        if (!s->dims[d].closed)
            return false;
    return true;
}

/* A manual computation (with some axes) gives the sharding of each result. Where that is closed and not sharded,
 * nothing propagates, so the function's result would stay without a sharding: it is set here, as in the Shardy of JAX
 * 0.11. */
static void say_closed_results(tsr_engine *e, const tsr_func_results *f)
{
    const tsr_block *body = f->sites ? f->func->regions[0].first : NULL;
    uint32_t n = body && body->last ? body->last->nin : 0;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_value *v = body->last->in[i].value;
        uint32_t from = e->place[v->id], to = f->first + i;
        if (!v->is_arg && tsr_has_role(v->op, TSR_ROLE_EDGE))
            v = v->op->in[0].value;
        const tsr_attr *manual = v->is_arg ? NULL : tsr_sdy_manual_axes(v->op);
        if (!manual || !manual->n || from == TSR_NO_PLACE || e->now[to])
            continue;
        const tsr_sharding *s = e->now[from];
        if (s && s->rank && !s->sharded && all_closed(s))
            tsr_engine_set(e, to, s);
    }
}

/* Leaves rules on their ops, or removes those that an earlier pass left. */
static void leave_rules(tsr_engine *e)
{
    const tsr_rule *last = NULL;
    tsr_attr *attr = NULL;
    if (!e->options->keep_rules && !e->given)
        return;
    for (uint32_t i = 0; i < e->nop; i++) {
        tsr_op *op = e->program[i];
        if (!op)
            continue;
        const tsr_attr *given = tsr_rule_given(op);
        const tsr_site *site = &e->sites[op->id];
        if (e->options->keep_rules && !given && site->kind == TSR_SITE_RULE) {
            if (site->rule != last)
                attr = tsr_rule_encode(e->ctx, site->rule);
            last = site->rule;
            tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), attr);
        } else if (!e->options->keep_rules && given && !given->attrs[SDY_OP_SHARDING_RULE_custom]) {
            tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), NULL);
        }
    }
}

bool tsr_propagate(tsr_arena *scratch, tsr_op *module, const tsr_propagate_options *options)
{
    tsr_engine e;
    bool ok = tsr_engine_init(&e, scratch, module, options);
    if (ok) {
        all_priorities(&e);
        for (uint32_t i = 0; i < e.nfunc; i++)
            say_closed_results(&e, &e.funcs[i]);
        tsr_engine_write_back(&e);
        leave_rules(&e);
    }
    tsr_engine_free(&e);
    return ok;
}
