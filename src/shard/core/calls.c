/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - see calls.h. */
#include "shard/core/calls.h"

/* ---- Symbols ---- */

typedef struct {
    tsr_str name;
    tsr_op *op; /* NULL: erased */
} symbol;

static symbol *lookup(const tsr_symbols *s, tsr_str name)
{
    TSR_MAP_EACH (&s->map, tsr_hash_str(name), v)
        if (tsr_str_eq(((symbol *)v)->name, name))
            return v;
    return NULL;
}

/* False: the name is taken. */
static bool claim(tsr_symbols *s, tsr_str name, tsr_op *op)
{
    symbol *have = lookup(s, name);
    if (have && have->op)
        return false;
    if (have) {
        have->op = op;
        return true;
    }
    symbol *new = TSR_NEW(&s->arena, symbol);
    *new = (symbol){{tsr_arena_copy(&s->arena, name.data, name.len), name.len}, op};
    tsr_map_put(&s->map, tsr_hash_str(name), new);
    return true;
}

void tsr_symbols_init(tsr_symbols *s, tsr_op *module)
{
    *s = (tsr_symbols){.module = module, .nop = module->module->nop};
    tsr_arena_init(&s->arena);
    for (uint32_t r = 0; r < module->nregion; r++)
        TSR_REGION_BLOCKS (&module->regions[r], b)
            TSR_BLOCK_OPS (b, op) {
                tsr_str name = tsr_op_symbol(op);
                if (name.len)
                    claim(s, name, op);
            }
}

void tsr_symbols_free(tsr_symbols *s)
{
    tsr_map_free(&s->map);
    tsr_arena_free(&s->arena);
}

tsr_op *tsr_symbols_find(const tsr_symbols *s, tsr_str name)
{
    symbol *have = lookup(s, name);
    return have ? have->op : NULL;
}

void tsr_symbols_insert(tsr_symbols *s, tsr_op *op)
{
    /* The op gets its name before it is added to the table; otherwise all copies of a function would briefly have one
     * name. */
    tsr_str name = tsr_op_symbol(op);
    tsr_buf buf = {0};
    bool own = claim(s, name, op);
    while (!own) {
        buf.len = 0;
        tsr_buf_str(&buf, name);
        tsr_buf_char(&buf, '_');
        tsr_buf_uint(&buf, s->counter++);
        own = claim(s, tsr_buf_text(&buf), op);
    }
    if (buf.len)
        tsr_op_set_attr(op, TSR_STR("sym_name"),
                        tsr_attr_string(op->module->ctx, tsr_buf_text(&buf)));
    tsr_buf_free(&buf);
    if (!op->block)
        tsr_op_insert(op, s->module->regions[0].first, NULL);
}

void tsr_symbols_erase(tsr_symbols *s, tsr_op *op)
{
    symbol *have = lookup(s, tsr_op_symbol(op));
    if (have && have->op == op)
        have->op = NULL;
    tsr_op_erase(op);
}

tsr_op *tsr_called_func(const tsr_symbols *s, const tsr_op *call)
{
    const tsr_attr *name = tsr_op_attr(call, TSR_STR("callee"));
    tsr_op *func = tsr_attr_is(name, TSR_ATTR_SYMBOL) ? tsr_symbols_find(s, name->s) : NULL;
    if (func && tsr_op_has(func, TSR_TRAIT(FUNCTION)))
        return func;
    tsr_str text = name ? name->s : TSR_STR("");
    tsr_op_error(call, "Failed to lookup function: %.*s", TSR_STR_ARG(text));
    return NULL;
}

void tsr_set_callee(tsr_op *call, const tsr_op *func)
{
    tsr_op_set_attr(call, TSR_STR("callee"),
                    tsr_attr_symbol(call->module->ctx, tsr_op_symbol(func), NULL, 0));
}

/* ---- The call graph ---- */

typedef struct {
    tsr_op *func;
    tsr_op *at;     /* position of the walk over its body; NULL: not begun */
    tsr_op *caller; /* the call by which it was reached first */
    uint8_t state;  /* 0: not visited; 1: being visited; 2: done */
} node;

static bool has_body(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(FUNCTION)) && op->nregion && op->regions[0].first;
}

/* The next op, not descending into functions: functions do not nest. */
static tsr_op *next_func(tsr_op *root, tsr_op *op)
{
    return has_body(op) ? tsr_walk_past(root, op) : tsr_walk_next(root, op);
}

static uint32_t enter(uint32_t *stack, uint32_t depth, node *nodes, uint32_t i)
{
    nodes[i].state = 1;
    nodes[i].at = nodes[i].func;
    stack[depth] = i;
    return depth + 1;
}

tsr_op **tsr_call_order(tsr_arena *scratch, tsr_op *module, bool acyclic, size_t *n)
{
    uint32_t nfunc = 0;
    for (tsr_op *op = module; op; op = next_func(module, op))
        nfunc += has_body(op);
    node *nodes = TSR_NEW_ARRAY(scratch, node, nfunc + 1);
    /* index + 1; 0: none */
    uint32_t *index = TSR_NEW_ARRAY(scratch, uint32_t, module->module->nop + 1);
    uint32_t i = 0;
    for (tsr_op *op = module; op; op = next_func(module, op))
        if (has_body(op)) {
            nodes[i].func = op;
            index[op->id] = ++i;
        }
    tsr_op **order = TSR_NEW_ARRAY(scratch, tsr_op *, nfunc + 1);
    uint32_t *stack = TSR_NEW_ARRAY(scratch, uint32_t, nfunc + 1), depth = 0;
    tsr_symcache cache;
    tsr_symcache_start(module->module, &cache);
    *n = 0;
    const tsr_op *cycle = NULL;
    for (i = 0; i < nfunc && !cycle; i++) {
        if (nodes[i].state)
            continue;
        depth = enter(stack, 0, nodes, i);
        while (depth && !cycle) {
            node *top = &nodes[stack[depth - 1]];
            top->at = tsr_walk_next(top->func, top->at);
            if (!top->at) {
                top->state = 2;
                order[(*n)++] = top->func;
                depth--;
                continue;
            }
            tsr_op *next = top->at;
            if (tsr_op_has(next, TSR_TRAIT(CALL)))
                next = tsr_symbol_resolve(next, tsr_op_attr(next, TSR_STR("callee")));
            uint32_t k = next && has_body(next) ? index[next->id] : 0;
            if (k && !nodes[k - 1].state)
                depth = enter(stack, depth, nodes, k - 1);
            else if (k && nodes[k - 1].state == 1 && acyclic && next != top->at)
                cycle = top->at;
        }
    }
    tsr_symcache_stop(&cache);
    if (cycle) {
        tsr_op_error(cycle, "calls a function that calls this one: recursion is not supported");
        return NULL;
    }
    return order;
}

/* ---- Copies ---- */

tsr_attr *tsr_original_name(const tsr_op *func)
{
    tsr_attr *name = tsr_op_attr(func, TSR_STR("sdy.original_func_name"));
    if (tsr_attr_is(name, TSR_ATTR_STRING))
        return name;
    return tsr_op_attr(func, TSR_STR("sym_name"));
}

/* Copies of copies double with each level of calls: a module with more copied ops than this is refused. */
enum { MAX_DEPTH = 1000, MAX_COPIED = 1 << 20 };

static tsr_op *clone_func(tsr_symbols *s, tsr_op *func, uint32_t depth)
{
    tsr_module *m = func->module;
    if (depth > MAX_DEPTH || m->nop - s->nop > MAX_COPIED) {
        tsr_op_error(func,
                     "a copy of this function is needed for each call, and there are too many");
        return NULL;
    }
    tsr_mapping map = {.values = {0}};
    tsr_op *copy = tsr_op_clone(m, func, &map);
    tsr_mapping_free(&map);
    tsr_op_set_attr(copy, TSR_STR("sdy.original_func_name"), tsr_original_name(func));
    TSR_OPS (copy, op) {
        if (!tsr_op_has(op, TSR_TRAIT(CALL)))
            continue;
        tsr_op *callee = tsr_called_func(s, op);
        if (!callee)
            return NULL;
        tsr_op *other = clone_func(s, callee, depth + 1);
        if (!other)
            return NULL;
        tsr_set_callee(op, other);
    }
    tsr_symbols_insert(s, copy);
    return copy;
}

tsr_op *tsr_clone_func(tsr_symbols *s, tsr_op *func)
{
    return clone_func(s, func, 0);
}

/* ---- Signatures ---- */

tsr_op *tsr_find_entry_func(tsr_op *module, tsr_str name)
{
    tsr_op *only = NULL, *named = NULL;
    uint32_t n = 0;
    TSR_REGION_BLOCKS (&module->regions[0], b)
        TSR_BLOCK_OPS (b, op) {
            if (!tsr_op_has(op, TSR_TRAIT(FUNCTION)))
                continue;
            only = op;
            n++;
            if (tsr_str_eq(tsr_op_symbol(op), name))
                named = op;
        }
    return n == 1 ? only : named;
}

tsr_op *tsr_entry_func(tsr_op *module, tsr_str name)
{
    tsr_op *func = tsr_find_entry_func(module, name);
    if (!func)
        tsr_op_error(module, "Failed to lookup function: %.*s", TSR_STR_ARG(name));
    return func;
}

static const tsr_type *signature(const tsr_op *func)
{
    const tsr_attr *t = tsr_op_attr(func, TSR_STR("function_type"));
    return tsr_attr_is(t, TSR_ATTR_TYPE) && tsr_type_is(t->type, TSR_TYPE_FUNCTION) ? t->type
                                                                                    : NULL;
}

uint32_t tsr_func_count(const tsr_op *func, bool args)
{
    const tsr_type *t = signature(func);
    return !t ? 0 : args ? t->n : t->nout;
}

const tsr_type *tsr_func_type_of(const tsr_op *func, bool args, uint32_t i)
{
    const tsr_type *t = signature(func);
    return t->types[args ? i : t->n + i];
}

static tsr_attr *sharding_at(const tsr_op *func, bool args, uint32_t i)
{
    return args ? tsr_sdy_arg_sharding(func, i) : tsr_sdy_result_sharding(func, i);
}

tsr_attr *tsr_func_shardings(const tsr_op *func, bool args, tsr_meshes *meshes)
{
    uint32_t n = tsr_func_count(func, args);
    tsr_attr *ref = NULL;
    for (uint32_t i = 0; i < n && !ref; i++) {
        const tsr_attr *s = sharding_at(func, args, i);
        const tsr_mesh *mesh = s ? tsr_meshes_get(meshes, s->attrs[SDY_SHARDING_mesh]) : NULL;
        if (mesh && !mesh->maximal)
            ref = s->attrs[SDY_SHARDING_mesh];
    }
    if (!ref)
        return NULL;
    tsr_ctx *ctx = func->module->ctx;
    tsr_attr **all = tsr_xmalloc((n + 1) * sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = sharding_at(func, args, i);
        if (!all[i])
            all[i] = tsr_sdy_open(ctx, ref, tsr_sdy_rank(tsr_func_type_of(func, args, i)));
    }
    tsr_attr *per_value = tsr_sdy_per_value(ctx, all, n);
    tsr_free(all);
    return per_value;
}

void tsr_set_func_shardings(tsr_op *func, bool args, const tsr_attr *per_value)
{
    if (per_value->attrs[0]->n < tsr_func_count(func, args))
        return;
    if (args)
        tsr_sdy_set_arg_shardings(func, per_value->attrs[0]->attrs);
    else
        tsr_sdy_set_result_shardings(func, per_value->attrs[0]->attrs);
}

/* ---- Walking and moving ---- */

static tsr_op *first_in(const tsr_op *op, uint32_t region, const tsr_block *block)
{
    for (; block; block = block->next)
        if (block->first)
            return block->first;
    for (; region < op->nregion; region++)
        TSR_REGION_BLOCKS (&op->regions[region], b)
            if (b->first)
                return b->first;
    return NULL;
}

tsr_op *tsr_post_first(tsr_op *root)
{
    for (tsr_op *in; (in = first_in(root, 0, NULL)) != NULL;)
        root = in;
    return root;
}

tsr_op *tsr_post_next(tsr_op *root, tsr_op *op)
{
    if (op == root)
        return NULL;
    if (op->next)
        return tsr_post_first(tsr_op_onward(op));
    tsr_op *parent = op->block->region->op;
    uint32_t r = (uint32_t)(op->block->region - parent->regions);
    tsr_op *next = first_in(parent, r + 1, op->block->next);
    return next ? tsr_post_first(next) : parent;
}

void tsr_take_body(tsr_region *to, tsr_region *from, enum tsr_opcode terminator)
{
    tsr_region_take(to, from);
    TSR_REGION_BLOCKS (to, b) {
        tsr_op *old = b->last;
        if (!old)
            continue;
        tsr_op *new = tsr_op_new(old->module, tsr_opdef_of(old->module->ctx, terminator), old->loc,
                                 NULL, 0, NULL, 0, 0, 0);
        TSR_VEC(tsr_value *) in = {0};
        for (uint32_t i = 0; i < old->nin; i++)
            tsr_vec_push(&in, old->in[i].value);
        tsr_op_set_operands(new, in.data, in.n);
        tsr_vec_free(&in);
        tsr_op_insert(new, b, NULL);
        tsr_op_erase(old);
    }
}
