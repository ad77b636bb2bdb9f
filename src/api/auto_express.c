/* SPDX-License-Identifier: Apache-2.0 */
/* auto_express.c - which values a plan may pin, so that JAX can say it with with_sharding_constraint: those of its
 * equations, by the names in locations.
 *
 * The owner of an op is the equation that it was lowered from. If names have tags (".../tsr12/mul"), it is the last tag;
 * else it is the whole location. Loops are plumbing: JAX's scan slices its inputs and stacks its results with ops that
 * no equation of the body stands for. Their names continue that of the loop, but not with the call of the body. */
#include "api/auto_try.h"

#include "dialect/kinds.h"
#include "text/text.h"

typedef struct {
    tsr_chooser *c;
    tsr_arena arena;
    tsr_str *names;  /* by op id: the whole stack of names; empty: none */
    uint64_t *owner; /* by op id: of ops of one equation it is the same; 0: no equation */
    const tsr_op *
        *loop;   /* by op id: the innermost op with regions that carries values in; NULL: none */
    bool tagged; /* names have tags */
} names;

/* The last tag of a name, "tsr" and a number, plus 1; 0: it has none. */
static uint64_t last_tag(tsr_str name)
{
    for (size_t i = name.len; i-- > 0;) {
        size_t k = i + 3;
        uint64_t n = 0;
        bool starts = !i || !(((name.data[i - 1] | 32) >= 'a' && (name.data[i - 1] | 32) <= 'z') ||
                              name.data[i - 1] == '_');
        if (!starts || k >= name.len || memcmp(name.data + i, "tsr", 3) != 0)
            continue;
        for (; k < name.len && name.data[k] >= '0' && name.data[k] <= '9'; k++)
            n = n * 10 + (uint64_t)(name.data[k] - '0');
        bool ends = k == name.len || !(((name.data[k] | 32) >= 'a' && (name.data[k] | 32) <= 'z') ||
                                       name.data[k] == '_');
        if (k > i + 3 && ends)
            return n + 1;
    }
    return 0;
}

static void read_names(names *x, tsr_op *func)
{
    tsr_buf text = {0};
    TSR_OPS (func, op) {
        text.len = 0;
        if (!tsr_loc_name(&text, op->loc))
            text.len = 0;
        tsr_str name = {tsr_arena_copy(&x->arena, text.data ? text.data : "", text.len), text.len};
        x->names[op->id] = name;
        x->tagged |= last_tag(name) != 0;
        tsr_op *parent = op == func ? NULL : tsr_block_parent(op->block);
        x->loop[op->id] = !parent || parent == func              ? NULL
                          : tsr_flow_of(parent) != TSR_FLOW_NONE ? parent
                                                                 : x->loop[parent->id];
    }
    tsr_buf_free(&text);
    TSR_OPS (func, op)
        x->owner[op->id] = !x->names[op->id].len ? 0
                           : x->tagged           ? last_tag(x->names[op->id])
                                                 : (uint64_t)op->loc;
}

/* What follows the loop's own name in the name of an op in its body; empty: it does not follow it. */
static tsr_str within(tsr_str name, tsr_str loop)
{
    if (name.len <= loop.len || memcmp(name.data, loop.data, loop.len) != 0)
        return (tsr_str){"", 0};
    return tsr_str_of(name.data + loop.len, name.len - loop.len);
}

/* By op id of a loop: whether its body is called, so that what is not in the call is plumbing. */
static void find_called_bodies(const names *x, tsr_op *func, bool *called)
{
    TSR_OPS (func, op) {
        const tsr_op *loop = op == func ? NULL : x->loop[op->id];
        if (loop &&
            tsr_str_starts(within(x->names[op->id], x->names[loop->id]), "/body/closed_call"))
            called[loop->id] = true;
    }
}

/* Whether an op is an equation's own, and neither a loop nor its plumbing. called: by op id of a loop. */
static bool is_equation(const names *x, const tsr_op *op, const bool *called)
{
    const tsr_op *loop = x->loop[op->id];
    if (!x->owner[op->id] || tsr_flow_of(op) != TSR_FLOW_NONE)
        return false;
    if (!loop)
        return true;
    if (x->tagged || x->owner[op->id] == x->owner[loop->id])
        return x->owner[op->id] != x->owner[loop->id];
    return !called[loop->id] ||
           tsr_str_starts(within(x->names[op->id], x->names[loop->id]), "/body/closed_call");
}

/* Whether an op's only result is what its equation gives to others. */
static bool leaves_equation(const names *x, const tsr_op *op)
{
    for (const tsr_use *u = op->nout == 1 ? op->out[0].uses : NULL; u; u = u->next)
        if (x->owner[u->user->id] != x->owner[op->id])
            return true;
    return false;
}

/* Whether an equation reads a value that it did not make: one of another equation, or an argument. */
static bool reads_others(const names *x, const tsr_op *op, const bool *pinnable)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        if (v->is_arg || (x->owner[v->op->id] != x->owner[op->id] && pinnable[v->op->id]))
            return true;
    }
    return false;
}

static bool is_excluded(const tsr_plan_request *q, tsr_buf *text, const tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    text->len = 0;
    if (q->nexcluded && ctx->print_attr)
        ctx->print_attr(ctx, text, tsr_loc_attr(ctx, op->loc));
    for (size_t i = 0; i < q->nexcluded; i++) {
        tsr_str s = q->excluded[i];
        for (size_t at = 0; s.len && at + s.len <= text->len; at++)
            if (memcmp(text->data + at, s.data, s.len) == 0)
                return true;
    }
    return false;
}

static void find_expressible(tsr_chooser *c, bool *pinnable, bool *bringable)
{
    tsr_op *func = c->whole.func;
    uint32_t n = func->module->nop + 1;
    names x = {.c = c};
    tsr_arena_init(&x.arena);
    x.names = TSR_NEW_ARRAY(&x.arena, tsr_str, n);
    x.owner = TSR_NEW_ARRAY(&x.arena, uint64_t, n);
    x.loop = TSR_NEW_ARRAY(&x.arena, const tsr_op *, n);
    bool *called = TSR_NEW_ARRAY(&x.arena, bool, n);
    read_names(&x, func);
    if (!x.tagged)
        find_called_bodies(&x, func, called);
    TSR_OPS (func, op)
        pinnable[op->id] = op != func && is_equation(&x, op, called) && leaves_equation(&x, op);
    TSR_OPS (func, op)
        bringable[op->id] =
            op != func && is_equation(&x, op, called) && reads_others(&x, op, pinnable);
    tsr_arena_free(&x.arena);
}

void tsr_auto_find_pinnable(tsr_chooser *c)
{
    const tsr_plan_request *q = c->request->plan;
    tsr_op *func = c->whole.func;
    if (c->pinnable || !q || (!q->expressible && !q->nexcluded))
        return;
    uint32_t n = func->module->nop + 1;
    bool *pinnable = TSR_NEW_ARRAY(c->arena, bool, n),
         *bringable = TSR_NEW_ARRAY(c->arena, bool, n);
    memset(pinnable, true, n);
    memset(bringable, true, n);
    if (q->expressible)
        find_expressible(c, pinnable, bringable);
    tsr_buf text = {0};
    TSR_OPS (func, op)
        if (is_excluded(q, &text, op))
            pinnable[op->id] = bringable[op->id] = false;
    tsr_buf_free(&text);
    c->pinnable = pinnable;
    c->bringable = bringable;
}

/* Whether an operand is a value that may be brought to another sharding. */
static bool may_bring(const tsr_chooser *c, const tsr_op *op, uint32_t operand)
{
    const tsr_value *v = operand <= op->nin ? op->in[operand - 1].value : NULL;
    return v && c->bringable[op->id] &&
           (v->is_arg || c->pinnable[v->op->id] || !c->request->plan->expressible);
}

void tsr_auto_leave_pinnable(const tsr_chooser *c, tsr_auto_plan *p)
{
    uint32_t next = 0, n = 0;
    if (!c->pinnable || !p->npin)
        return;
    tsr_layout_pin *pins = TSR_NEW_ARRAY(c->arena, tsr_layout_pin, p->npin + 1);
    TSR_OPS (c->whole.func, op)
        for (; next < p->npin && p->pins[next].op <= op->id; next++) {
            const tsr_layout_pin *pin = &p->pins[next];
            if (pin->op == op->id &&
                (pin->operand ? may_bring(c, op, pin->operand) : c->pinnable[op->id]))
                pins[n++] = *pin;
        }
    p->pins = pins;
    p->npin = n;
}
