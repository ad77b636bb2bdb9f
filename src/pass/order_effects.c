/* SPDX-License-Identifier: Apache-2.0 */
/* order_effects.c - --tessera-effects: makes the order that effects need explicit, as tokens.
 *
 * An op must wait for the last one that wrote what it reads or writes, and, if it writes, for those that have read it
 * since (RAW, WAW, WAR). Collectives wait for earlier ones that share a device. Ops with unknown effects wait for
 * everything, and everything waits for them. Independent ops stay independent. An op with regions, or a call, has the
 * effects of the ops inside. Ops of Graph IR take tokens as operands and return one as a result; others are held back
 * by a barrier around their first operand. Linear in effects: per resource only the last writer and its readers since
 * are kept. Needs ids; keeps values; breaks ids. */
#include <stdlib.h>

#include "dialect/tessera/tessera.h"
#include "base/scope.h"
#include "pass/pass.h"

typedef enum {
    EFFECT_none,
    EFFECT_READS_STATE,
    EFFECT_WRITES_STATE,
    EFFECT_DRAWS, /* reads and writes a random state: that of its symbol, or the shared one */
    EFFECT_COLLECTIVE,
    EFFECT_ORDERS, /* tokens only */
    EFFECT_UNKNOWN,
} effect;

typedef struct {
    uint8_t how;
} row;

static const row rows[TSR_OP__COUNT + 1] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define EFFECT(word) .how = EFFECT_##word,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

typedef TSR_VEC(tsr_op *) op_vec;

/* A random state, or the shared one of ops without their own. */
typedef struct {
    const void *key;
    tsr_op *writer;
    op_vec readers; /* since */
    bool touched;   /* has either, and is listed as such */
} resource;

/* Devices that take part: some of the first 64 * n, or all. */
typedef struct {
    uint64_t *words;
    uint32_t n; /* 0: all */
} devices;

typedef struct {
    tsr_op *op;
    devices on;
} collective;

/* The effects of the ops inside an op. Numbers refer to resources, each once. */
typedef TSR_VEC(uint32_t) number_vec;
typedef struct {
    number_vec reads, writes;
    bool collective, unknown;
} summary;

typedef struct {
    tsr_pass *p;
    TSR_VEC(resource) resources;
    tsr_map by_key; /* 1 + number of a resource */
    number_vec touched;
    TSR_VEC(collective) open; /* collectives not covered by a later one */
    op_vec since;             /* effects since the last unknown one */
    tsr_op *unknown;          /* the last unknown one */
    op_vec *deps;             /* by op id */
    uint8_t *asked;           /* by op id: some op waits for it */
    tsr_value **token;        /* by op id */
    uint32_t n;
    uint32_t *waits;         /* by op id: 1 + id of the last op that waits for it */
    TSR_VEC(uint32_t) taken; /* by value id: 1 + id of the last op that has it as an operand */
    /* by op id of functions and ops with regions: effects inside, as far as analysed */
    summary **known;
    tsr_map effects; /* for ops with regions: whether they have any */
    uint32_t depth;
} order;

static const char shared_numbers; /* the key of draws without their own state */

/* ---- Effects of an op ---- */

static effect effect_of(order *o, const tsr_op *op)
{
    if (op->def->opcode < TSR_OP__COUNT && rows[op->def->opcode].how)
        return (effect)rows[op->def->opcode].how;
    return tsr_op_effect_free_known(&o->effects, op) ||
                   tsr_op_has(op, TSR_TRAIT(TERMINATOR) | TSR_TRAIT(SYMBOL))
               ? EFFECT_none
               : EFFECT_UNKNOWN;
}

static const void *state_of(const tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("state"));
    const tsr_attr *symbol = slot < 0 ? NULL : op->attrs[slot];
    return symbol ? (const void *)symbol : (const void *)&shared_numbers;
}

/* A draw from a state value returns the next state as a value, which already orders draws. */
static bool draws_from_value(const tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("state"));
    return slot >= 0 && !op->attrs[slot] && tsr_tessera_values(op) > 0;
}

static uint32_t resource_of(order *o, const void *key)
{
    TSR_MAP_EACH (&o->by_key, tsr_hash_ptr(key), v)
        if (o->resources.data[(uintptr_t)v - 1].key == key)
            return (uint32_t)(uintptr_t)v - 1;
    tsr_vec_push(&o->resources, ((resource){.key = key}));
    tsr_map_put(&o->by_key, tsr_hash_ptr(key), (void *)(uintptr_t)o->resources.n);
    return (uint32_t)o->resources.n - 1;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void once_each(number_vec *v)
{
    size_t n = 0;
    if (v->n > 1)
        qsort(v->data, v->n, sizeof *v->data, by_number);
    for (size_t i = 0; i < v->n; i++)
        if (!i || v->data[i] != v->data[n - 1])
            v->data[n++] = v->data[i];
    v->n = n;
}

static void summarize(order *o, tsr_op *op, summary *s);

static void summarize_inside(order *o, tsr_op *op, summary *s)
{
    tsr_check_stack();
    enum { MAX_DEPTH = 256 };
    if (++o->depth > MAX_DEPTH)
        s->unknown = true;
    for (uint32_t r = 0; r < op->nregion && !s->unknown; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                summarize(o, inner, s);
    o->depth--;
}

/* Adds the effects inside op, which is analysed once, so that nesting costs linear time. A function that is recursive,
 * or nested too deeply in calls, may do anything. */
static void add_inside(order *o, tsr_op *op, summary *s)
{
    summary *inner = o->known[op->id];
    if (!inner) {
        inner = o->known[op->id] = TSR_NEW(o->p->scratch, summary);
        inner->unknown = true; /* until analysed */
        summary found = {0};
        summarize_inside(o, op, &found);
        once_each(&found.reads);
        once_each(&found.writes);
        *inner = found;
    }
    for (size_t i = 0; i < inner->reads.n; i++)
        tsr_vec_push(&s->reads, inner->reads.data[i]);
    for (size_t i = 0; i < inner->writes.n; i++)
        tsr_vec_push(&s->writes, inner->writes.data[i]);
    s->collective |= inner->collective;
    s->unknown |= inner->unknown;
}

static void summarize_call(order *o, tsr_op *op, summary *s)
{
    const tsr_attr *name = tsr_op_attr(op, TSR_STR("callee"));
    tsr_op *callee = tsr_attr_is(name, TSR_ATTR_SYMBOL) ? tsr_symbol_resolve(op, name) : NULL;
    if (!callee || !callee->nregion || !callee->regions[0].first || callee->id >= o->n)
        s->unknown = true;
    else
        add_inside(o, callee, s);
}

static void summarize(order *o, tsr_op *op, summary *s)
{
    if (s->unknown)
        return;
    switch (effect_of(o, op)) {
    case EFFECT_READS_STATE: tsr_vec_push(&s->reads, resource_of(o, state_of(op))); return;
    case EFFECT_DRAWS:
        if (draws_from_value(op))
            return;
        tsr_vec_push(&s->writes, resource_of(o, state_of(op)));
        return;
    case EFFECT_WRITES_STATE: tsr_vec_push(&s->writes, resource_of(o, state_of(op))); return;
    case EFFECT_COLLECTIVE: s->collective = true; return;
    case EFFECT_none:
    case EFFECT_ORDERS: return;
    case EFFECT_UNKNOWN: break;
    }
    if (tsr_op_has(op, TSR_TRAIT(CALL)))
        summarize_call(o, op, s);
    else if (op->nregion && op->id < o->n)
        add_inside(o, op, s);
    else if (op->nregion)
        summarize_inside(o, op, s);
    else
        s->unknown = true;
}

/* ---- Functions that promise to have no effects ---- */

static const char *does(order *o, tsr_op *op)
{
    switch (effect_of(o, op)) {
    case EFFECT_READS_STATE: return "reads a state";
    case EFFECT_WRITES_STATE: return "writes a state";
    case EFFECT_DRAWS: return draws_from_value(op) ? NULL : "draws from a state";
    case EFFECT_COLLECTIVE: return "meets other devices";
    case EFFECT_none:
    case EFFECT_ORDERS: return NULL;
    case EFFECT_UNKNOWN: break;
    }
    if (!tsr_op_has(op, TSR_TRAIT(CALL)))
        return op->nregion ? NULL : "may have effects"; /* the ops inside are checked themselves */
    summary s = {0};
    summarize_call(o, op, &s);
    bool any = s.reads.n || s.writes.n || s.collective || s.unknown;
    tsr_vec_free(&s.reads);
    tsr_vec_free(&s.writes);
    return any ? "calls a function that has effects" : NULL;
}

static bool check_pure(order *o, tsr_op *root)
{
    bool ok = true;
    TSR_OPS (root, func) {
        if (!tsr_op_has(func, TSR_TRAIT(FUNCTION)) || !func->extra ||
            !tsr_dict_get(func->extra, TSR_STR("tessera.pure")))
            continue;
        TSR_OPS (func, op) {
            const char *what = op == func ? NULL : does(o, op);
            if (what)
                ok = tsr_op_error(op, "%s, and function '%.*s' is marked tessera.pure", what,
                                  TSR_STR_ARG(tsr_op_symbol(func)));
        }
    }
    return ok;
}

/* ---- Devices of a collective ---- */

static bool add_device(order *o, devices *d, int64_t id)
{
    enum { MANY = 1 << 16 };
    if (id < 0)
        return true; /* padding of groups */
    if (id >= MANY)
        return false;
    uint32_t word = (uint32_t)(id / 64);
    if (word >= d->n) {
        uint64_t *more = TSR_NEW_ARRAY(o->p->scratch, uint64_t, word + 1);
        if (d->n)
            memcpy(more, d->words, d->n * sizeof *more);
        d->words = more;
        d->n = word + 1;
    }
    d->words[word] |= (uint64_t)1 << id % 64;
    return true;
}

/* Numbers in dense data, or in arrays of arrays. */
static bool add_devices(order *o, devices *d, const tsr_attr *a)
{
    if (tsr_attr_is(a, TSR_ATTR_ARRAY)) {
        for (uint32_t i = 0; i < a->n; i++)
            TSR_TRY(add_devices(o, d, a->attrs[i]));
        return true;
    }
    if (tsr_attr_is(a, TSR_ATTR_INT))
        return add_device(o, d, a->i);
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) && !tsr_attr_is(a, TSR_ATTR_DENSE_ARRAY))
        return false;
    int64_t n = tsr_attr_count(a);
    if (n > 1 << 16)
        return false;
    for (int64_t i = 0; i < n; i++)
        TSR_TRY(add_device(o, d, tsr_attr_int_at(a, (size_t)i)));
    return true;
}

static devices devices_of(order *o, const tsr_op *op)
{
    static const char *const names[] = {"devices", "replica_groups", "source_target_pairs"};
    devices d = {0};
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        int slot = tsr_opdef_slot(op->def, tsr_cstr(names[i]));
        const tsr_attr *a = slot < 0 ? NULL : op->attrs[slot];
        if (a)
            return add_devices(o, &d, a) ? d : (devices){0};
    }
    return d;
}

static bool overlap(const devices *a, const devices *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++)
        if (a->words[i] & b->words[i])
            return true;
    return !a->n || !b->n;
}

static bool covers(const devices *a, const devices *b) /* whether a has all of b */
{
    if (!a->n || !b->n)
        return !a->n;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->words[i] & ~(i < a->n ? a->words[i] : 0))
            return false;
    return true;
}

/* ---- Dependences ---- */

static void wait_for(order *o, tsr_op *op, tsr_op *earlier)
{
    if (!earlier || earlier == op || o->waits[earlier->id] == op->id + 1)
        return;
    o->waits[earlier->id] = op->id + 1;
    tsr_vec_push(&o->deps[op->id], earlier);
    o->asked[earlier->id] = 1;
}

static void reads(order *o, tsr_op *op, uint32_t number)
{
    resource *r = &o->resources.data[number];
    wait_for(o, op, r->writer);
    tsr_vec_push(&r->readers, op);
}

static void writes(order *o, tsr_op *op, uint32_t number)
{
    resource *r = &o->resources.data[number];
    if (!r->readers.n)
        wait_for(o, op, r->writer);
    for (size_t i = 0; i < r->readers.n; i++)
        wait_for(o, op, r->readers.data[i]);
    r->readers.n = 0;
    r->writer = op;
}

static void meets(order *o, tsr_op *op, devices on)
{
    size_t n = 0;
    for (size_t i = 0; i < o->open.n; i++) {
        const collective *c = &o->open.data[i];
        if (overlap(&c->on, &on))
            wait_for(o, op, c->op);
        if (!covers(&on, &c->on))
            o->open.data[n++] = *c;
    }
    o->open.n = n;
    tsr_vec_push(&o->open, ((collective){op, on}));
}

static void forget(order *o)
{
    for (size_t i = 0; i < o->touched.n; i++) {
        resource *r = &o->resources.data[o->touched.data[i]];
        tsr_vec_free(&r->readers);
        r->writer = NULL;
        r->touched = false;
    }
    o->touched.n = o->open.n = o->since.n = 0;
}

static void touch(order *o, uint32_t number)
{
    resource *r = &o->resources.data[number];
    if (!r->touched)
        tsr_vec_push(&o->touched, number);
    r->touched = true;
}

static void barrier(order *o, tsr_op *op)
{
    if (!o->since.n)
        wait_for(o, op, o->unknown);
    for (size_t i = 0; i < o->since.n; i++)
        wait_for(o, op, o->since.data[i]);
    forget(o);
    o->unknown = op;
}

static void visit(order *o, tsr_op *op)
{
    summary s = {0};
    summarize(o, op, &s);
    once_each(&s.reads);
    once_each(&s.writes);
    if (s.unknown) {
        barrier(o, op);
    } else if (s.reads.n || s.writes.n || s.collective) {
        wait_for(o, op, o->unknown);
        for (size_t i = 0; i < s.reads.n; i++) {
            touch(o, s.reads.data[i]);
            reads(o, op, s.reads.data[i]);
        }
        for (size_t i = 0; i < s.writes.n; i++) {
            touch(o, s.writes.data[i]);
            writes(o, op, s.writes.data[i]);
        }
        if (s.collective)
            meets(o, op,
                  op->nregion && effect_of(o, op) != EFFECT_COLLECTIVE ? (devices){0}
                                                                       : devices_of(o, op));
        tsr_vec_push(&o->since, op);
    }
    tsr_vec_free(&s.reads);
    tsr_vec_free(&s.writes);
}

/* ---- Tokens ---- */

static bool takes_tokens(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(HAS_EFFECT)) && tsr_op_in(op, TSR_DIALECT_TESSERA) &&
           !op->nregion;
}

static tsr_type *token_type(tsr_ctx *ctx)
{
    return tsr_type_dialect(ctx, &tsr_def_TESSERA_EFFECT_TOKEN, NULL);
}

/* The token that shows that op is done. For ops that return none, it is derived from their results. */
static tsr_value *token_of(order *o, tsr_op *op)
{
    if (o->token[op->id] || !op->nout)
        return o->token[op->id];
    TSR_VEC(tsr_value *) results = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&results, &op->out[i]);
    tsr_type *type = token_type(op->module->ctx);
    tsr_op *made =
        tsr_op_new(op->module, tsr_opdef_of(op->module->ctx, TSR_OP_TESSERA_EFFECT_DEPENDENCY),
                   op->loc, results.data, results.n, &type, 1, 0, 0);
    tsr_op_insert(made, op->block, op->next);
    tsr_vec_free(&results);
    o->p->changed = true;
    return o->token[op->id] = &made->out[0];
}

static bool has_token(const tsr_op *op)
{
    return op->nout && tsr_tessera_is_token(op->out[op->nout - 1].type);
}

/* Whether op does not yet have v as an operand; records that it does now. */
static bool takes(order *o, const tsr_op *op, const tsr_value *v)
{
    while (o->taken.n <= v->id)
        tsr_vec_push(&o->taken, 0);
    bool first = o->taken.data[v->id] != op->id + 1;
    o->taken.data[v->id] = op->id + 1;
    return first;
}

/* Recreates the op so that it waits for tokens and returns one. */
static void with_tokens(order *o, tsr_op *op)
{
    TSR_VEC(tsr_value *) in = {0};
    TSR_VEC(tsr_type *) types = {0};
    const op_vec *deps = &o->deps[op->id];
    for (uint32_t i = 0; i < op->nin; i++) {
        takes(o, op, op->in[i].value);
        tsr_vec_push(&in, op->in[i].value);
    }
    for (size_t i = 0; i < deps->n; i++) {
        tsr_value *t = token_of(o, deps->data[i]);
        if (t && takes(o, op, t))
            tsr_vec_push(&in, t);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    bool gives = o->asked[op->id] && !has_token(op);
    if (gives)
        tsr_vec_push(&types, token_type(op->module->ctx));
    if (in.n > op->nin || gives) {
        tsr_op *made =
            tsr_op_new(op->module, op->def, op->loc, in.data, in.n, types.data, types.n, 0, 0);
        memcpy(made->attrs, op->attrs, op->def->nslot * sizeof *op->attrs);
        made->extra = op->extra;
        tsr_op_insert(made, op->block, op);
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], &made->out[i]);
        o->token[op->id] = has_token(made) ? &made->out[made->nout - 1] : NULL;
        tsr_op_erase(op);
        o->p->changed = true;
    } else if (has_token(op)) {
        o->token[op->id] = &op->out[op->nout - 1];
    }
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

/* An op without tokens gets its first operand through a barrier, which also takes results of the earlier ops. */
static void hold_back(order *o, tsr_op *op)
{
    const op_vec *deps = &o->deps[op->id];
    TSR_VEC(tsr_value *) in = {0};
    TSR_VEC(tsr_type *) types = {0};
    if (op->nin && tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR))
        tsr_vec_push(&in, op->in[0].value);
    for (size_t i = 0; in.n && i < deps->n; i++)
        for (uint32_t k = 0; k < deps->data[i]->nout; k++)
            if (tsr_type_is(deps->data[i]->out[k].type, TSR_TYPE_TENSOR))
                tsr_vec_push(&in, &deps->data[i]->out[k]);
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    bool already = in.n > 1 && !in.data[0]->is_arg && op->in[0].value->op->block == op->block;
    for (size_t i = 1; already && i < in.n; i++) /* it uses that result itself */
        already = in.data[i] == in.data[0];
    if (in.n > 1 && !already) {
        tsr_op *made = tsr_op_new(
            op->module, tsr_opdef_of(op->module->ctx, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER),
            op->loc, in.data, in.n, types.data, types.n, 0, 0);
        tsr_op_insert(made, op->block, op);
        tsr_op_set_operand(op, 0, &made->out[0]);
        o->p->changed = true;
    }
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

static void order_block(order *o, tsr_block *b)
{
    op_vec ops = {0};
    TSR_BLOCK_OPS (b, op)
        if (op->id < o->n)
            tsr_vec_push(&ops, op);
    for (size_t i = 0; i < ops.n; i++)
        visit(o, ops.data[i]);
    for (size_t i = 0; i < ops.n; i++) {
        tsr_op *op = ops.data[i];
        uint32_t id = op->id;
        if (takes_tokens(op))
            with_tokens(o, op);
        else if (o->deps[id].n && effect_of(o, op) == EFFECT_COLLECTIVE)
            hold_back(o, op);
        tsr_vec_free(&o->deps[id]);
    }
    forget(o);
    o->unknown = NULL;
    tsr_vec_free(&ops);
}

static void order_inside(order *o, tsr_op *op)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        for (tsr_block *b = op->regions[r].first; b; b = b->next) {
            for (tsr_op *inner = b->first; inner; inner = inner->next)
                if (inner->nregion)
                    order_inside(o, inner);
            order_block(o, b);
        }
}

bool pass_tessera_effects(tsr_pass *p, tsr_op *root)
{
    order o = {.p = p, .n = p->module->nop};
    o.deps = TSR_NEW_ARRAY(p->scratch, op_vec, o.n + 1);
    o.asked = TSR_NEW_ARRAY(p->scratch, uint8_t, o.n + 1);
    o.token = TSR_NEW_ARRAY(p->scratch, tsr_value *, o.n + 1);
    o.waits = TSR_NEW_ARRAY(p->scratch, uint32_t, o.n + 1);
    o.known = TSR_NEW_ARRAY(p->scratch, summary *, o.n + 1);
    tsr_symcache symbols;
    tsr_symcache_start(root->module, &symbols);
    bool ok = check_pure(&o, root);
    if (ok)
        order_inside(&o, root);
    tsr_symcache_stop(&symbols);
    for (uint32_t i = 0; i < o.n; i++)
        if (o.known[i]) {
            tsr_vec_free(&o.known[i]->reads);
            tsr_vec_free(&o.known[i]->writes);
        }
    tsr_map_free(&o.by_key);
    tsr_map_free(&o.effects);
    tsr_vec_free(&o.taken);
    tsr_vec_free(&o.touched);
    tsr_vec_free(&o.resources);
    tsr_vec_free(&o.open);
    tsr_vec_free(&o.since);
    return ok;
}
