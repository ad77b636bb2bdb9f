/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - finds the rule of an op: the user's, or that of its row, built on first use. */
#include "shard/rule/build.h"
#include "shard/rule/invariants.h"

/* Hooks: the columns SHARD and SHARD_EXTRA. A row with neither is NULL: nothing is known about the op. */
static const struct {
    shard_fn *rule, *extra;
} hooks[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define SHARD(fn) .rule = shard_##fn,
#define SHARD_EXTRA(fn) .extra = shard_##fn,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

/* Cached for ops that have no rule. */
static const tsr_rule no_rule;

enum { SHARED = 256 }; /* a power of two */

/* Everything that hooks examine to build a rule. Ops with equal keys share the rule. */
struct tsr_rule_key {
    const void *what; /* the op's definition; for pointwise ops the hook */
    uint32_t nin, nout;
    uintptr_t parts[]; /* types of operands and results, attributes */
};

/* For a function: its symbol, as seen from ops of one symbol table. */
struct tsr_rule_named {
    const tsr_attr *symbol;
    const tsr_op *table;
    const tsr_rule *rule;
};

bool shard_none(tsr_rule_build *b)
{
    (void)b;
    return false;
}

void tsr_rule_unknown(const tsr_op *op, uint32_t bit, const char *fmt, ...)
{
    tsr_ctx *ctx = op->module->ctx;
    if (ctx->said & bit)
        return;
    va_list args;
    ctx->said |= bit;
    va_start(args, fmt);
    tsr_vemit(ctx, TSR_WARNING, op->loc, fmt, args);
    va_end(args);
}

tsr_attr *tsr_rule_given(const tsr_op *op)
{
    tsr_attr *a = op->extra ? tsr_dict_get(op->extra, TSR_STR("sdy.sharding_rule")) : NULL;
    return tsr_attr_is_struct(a, &tsr_def_SDY_OP_SHARDING_RULE) ? a : NULL;
}

/* The hook of op; NULL if it has no rule, possibly after a warning. */
static shard_fn *hook_of(const tsr_op *op, tsr_rule_options options)
{
    if (op->def->opcode != TSR_UNREGISTERED) {
        if (hooks[op->def->opcode].rule)
            return hooks[op->def->opcode].rule;
        if (options.extra && hooks[op->def->opcode].extra)
            return hooks[op->def->opcode].extra;
    }
    if (!tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        tsr_rule_unknown(op, TSR_SAID_UNKNOWN_OP,
                         "op '%.*s' is unknown to SDY sharding rule registry",
                         TSR_STR_ARG(op->def->name));
    return NULL;
}

bool tsr_rule_is_extra(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && !hooks[op->def->opcode].rule &&
           hooks[op->def->opcode].extra;
}

/* Hooks do not check for static shapes; rules that they build without them are refused. */
bool tsr_rule_is_static(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_type_is_shaped(op->in[i].value->type) &&
            !tsr_type_has_static_shape(op->in[i].value->type))
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_type_is_shaped(op->out[i].type) && !tsr_type_has_static_shape(op->out[i].type))
            return false;
    return true;
}

/* Whether the rule matches op's tensors: it may have been written for others. */
static bool fits(const tsr_rule *r, const tsr_op *op)
{
    if (r->noperand != op->nin || r->nresult != op->nout)
        return false;
    for (uint32_t t = 0; t < op->nin + op->nout; t++) {
        const tsr_type *type = t < op->nin ? op->in[t].value->type : op->out[t - op->nin].type;
        if (tsr_rule_rank(r, t) != (tsr_type_is_shaped(type) ? type->n : 0))
            return false;
    }
    return true;
}

static const tsr_rule *build(tsr_rules *rules, tsr_arena *arena, tsr_op *op,
                             tsr_rule_options options, uint32_t depth)
{
    tsr_attr *given = tsr_rule_given(op);
    if (!given && tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL))
        given = tsr_rule_user(op);
    if (given) {
        const tsr_rule *r = tsr_rule_decode(arena, given);
        return r && fits(r, op) ? r : NULL;
    }
    shard_fn *hook = hook_of(op, options);
    if (!hook || hook == shard_none)
        return NULL;
    tsr_rule_build b;
    tsr_rule_build_init(&b, arena, op, options);
    b.rules = rules;
    b.depth = depth;
    return hook(&b) ? tsr_rule_build_done(&b) : NULL;
}

const tsr_rule *tsr_rule_of(tsr_arena *arena, tsr_op *op, tsr_rule_options options)
{
    tsr_rules rules = {.arena = arena, .options = options};
    return build(&rules, arena, op, options, 0);
}

const tsr_rule *tsr_rule_inner(const tsr_rule_build *b, tsr_op *op)
{
    const tsr_rule *r = build(b->rules, b->arena, op, b->options, b->depth + 1);
    return r && tsr_rule_is_static(op) ? r : NULL;
}

/* The entry for symbol in table; cap is a power of two. */
static struct tsr_rule_named *named_place(struct tsr_rule_named *all, uint32_t cap,
                                          const tsr_attr *symbol, const tsr_op *table)
{
    uint32_t i = (uint32_t)(tsr_hash_ptr(symbol) + tsr_hash_ptr(table)) & (cap - 1);
    while (all[i].symbol && (all[i].symbol != symbol || all[i].table != table))
        i = (i + 1) & (cap - 1);
    return &all[i];
}

const tsr_rule **tsr_rule_memo(const tsr_rule_build *b, const tsr_attr *symbol)
{
    tsr_rules *r = b->rules;
    const tsr_op *table = tsr_symbol_table_of(b->op);
    if (2 * r->nnamed >= r->named_cap) {
        uint32_t cap = r->named_cap ? 2 * r->named_cap : 16;
        struct tsr_rule_named *more = TSR_NEW_ARRAY(r->arena, struct tsr_rule_named, cap);
        for (uint32_t i = 0; i < r->named_cap; i++)
            if (r->named[i].symbol)
                *named_place(more, cap, r->named[i].symbol, r->named[i].table) = r->named[i];
        r->named = more;
        r->named_cap = cap;
    }
    struct tsr_rule_named *place = named_place(r->named, r->named_cap, symbol, table);
    if (!place->symbol) {
        *place = (struct tsr_rule_named){symbol, table, NULL};
        r->nnamed++;
    }
    return &place->rule;
}

/* ---- Rules of a module ---- */

void tsr_rules_init(tsr_rules *rules, tsr_arena *arena, tsr_module *m, tsr_rule_options options)
{
    *rules = (tsr_rules){.arena = arena, .options = options, .n = m->nop};
    rules->of_op = TSR_NEW_ARRAY(arena, const tsr_rule *, m->nop);
    rules->shared = TSR_NEW_ARRAY(arena, const tsr_rule *, SHARED);
    rules->keys = TSR_NEW_ARRAY(arena, struct tsr_rule_key *, SHARED);
}

static bool is_pointwise(const tsr_rules *rules, const tsr_op *op)
{
    return hooks[op->def->opcode].rule == shard_pointwise ||
           (rules->options.extra && hooks[op->def->opcode].extra == shard_pointwise);
}

/* Whether the rule depends only on the contents of a key. */
static bool is_shared(const tsr_op *op)
{
    if (op->def->opcode == TSR_UNREGISTERED || op->nregion ||
        tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL) || tsr_rule_given(op) ||
        op->nin + op->nout > 16)
        return false;
    for (uint16_t i = 0; i < op->def->nslot; i++)
        if (op->attrs[i] && op->attrs[i]->refers)
            return false;
    return true;
}

/* The key of op, without attributes if they do not matter. */
static uint64_t key_of(const tsr_rules *rules, const tsr_op *op, struct tsr_rule_key *key,
                       uint32_t *n)
{
    bool pointwise = is_pointwise(rules, op);
    uint32_t k = 0;
    key->what = pointwise ? (const void *)hooks : op->def;
    key->nin = op->nin;
    key->nout = op->nout;
    for (uint32_t i = 0; i < op->nin; i++)
        key->parts[k++] = (uintptr_t)op->in[i].value->type;
    for (uint32_t i = 0; i < op->nout; i++)
        key->parts[k++] = (uintptr_t)op->out[i].type;
    for (uint16_t i = 0; i < op->def->nslot && !pointwise; i++)
        key->parts[k++] = (uintptr_t)op->attrs[i];
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(key->what), (uint64_t)op->nin << 32 | op->nout);
    for (uint32_t i = 0; i < k; i++)
        h = tsr_hash_mix(h, key->parts[i]);
    *n = k;
    return h;
}

static const tsr_rule *shared_rule(tsr_rules *rules, tsr_op *op)
{
    uint32_t n;
    size_t most =
        sizeof(struct tsr_rule_key) + (op->nin + op->nout + op->def->nslot) * sizeof(uintptr_t);
    tsr_arena_mark mark = tsr_arena_save(rules->arena);
    struct tsr_rule_key *key = tsr_arena_alloc(rules->arena, most);
    uint32_t at = (uint32_t)key_of(rules, op, key, &n) & (SHARED - 1);
    const struct tsr_rule_key *old = rules->keys[at];
    if (old && old->what == key->what && old->nin == key->nin && old->nout == key->nout &&
        memcmp(old->parts, key->parts, n * sizeof *key->parts) == 0) {
        tsr_arena_rewind(rules->arena, mark);
        return rules->shared[at];
    }
    rules->around = false;
    const tsr_rule *r = build(rules, rules->arena, op, rules->options, 0);
    if (!r || !tsr_rule_is_static(op))
        r = &no_rule;
    if (!rules->around) {
        rules->keys[at] = key;
        rules->shared[at] = r;
    }
    return r;
}

/* Ops created later have ids after the others. */
static void grow(tsr_rules *rules, uint32_t id)
{
    uint32_t n = rules->n + rules->n / 2;
    n = n > id ? n : id + 64;
    const tsr_rule **more = TSR_NEW_ARRAY(rules->arena, const tsr_rule *, n);
    if (rules->n)
        memcpy(more, rules->of_op, rules->n * sizeof *more);
    rules->of_op = more;
    rules->n = n;
}

const tsr_rule *tsr_rules_get(tsr_rules *rules, tsr_op *op)
{
    if (op->id >= rules->n)
        grow(rules, op->id);
    const tsr_rule **at = &rules->of_op[op->id];
    if (!*at) {
        bool shared = is_shared(op);
        const tsr_rule *r =
            shared ? shared_rule(rules, op) : build(rules, rules->arena, op, rules->options, 0);
        if (r && !shared && !tsr_rule_is_static(op))
            r = NULL;
        tsr_check(!r || r == &no_rule || tsr_rule_sound(r, op),
                  "the rule of '%.*s' is inconsistent", TSR_STR_ARG(op->def->name));
        at = &rules->of_op[op->id]; /* the hook may have requested others, and so moved the table */
        *at = r ? r : &no_rule;
    }
    return *at == &no_rule ? NULL : *at;
}
