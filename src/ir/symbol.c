/* SPDX-License-Identifier: Apache-2.0 */
/* symbol.c - names of ops within a symbol table, and references to them. */
#include "ir/ir.h"

tsr_str tsr_op_symbol(const tsr_op *op)
{
    const tsr_attr *name = tsr_op_attr(op, TSR_STR("sym_name"));
    return tsr_attr_is(name, TSR_ATTR_STRING) ? name->s : (tsr_str){"", 0};
}

static bool has_symbol(const tsr_op *op)
{
    return tsr_attr_is(tsr_op_attr(op, TSR_STR("sym_name")), TSR_ATTR_STRING);
}

/* ---- Cached names ---- */

/* The active cache of this module, or NULL. */
static tsr_symcache *cache_of(const tsr_module *m)
{
    tsr_symcache *c = m->ctx->symcache;
    return c && c->module == m ? c : NULL;
}

void tsr_symcache_start(tsr_module *m, tsr_symcache *c)
{
    *c = (tsr_symcache){.module = m, .outer = m->ctx->symcache};
    if (!cache_of(m))
        m->ctx->symcache = c;
}

void tsr_symcache_stop(tsr_symcache *c)
{
    if (c->module->ctx->symcache != c)
        return; /* an outer cache of the same module is used */
    for (uint32_t i = 0; i < c->tables.n; i++) {
        tsr_symtab *t = c->tables.entries[i].value;
        tsr_symtab_free(t);
        tsr_free(t);
    }
    tsr_map_free(&c->tables);
    c->module->ctx->symcache = c->outer;
}

static tsr_symtab *known_table(const tsr_symcache *c, const tsr_op *table)
{
    TSR_MAP_EACH (&c->tables, tsr_hash_ptr(table), v)
        if (((const tsr_symtab *)v)->op == table)
            return v;
    return NULL;
}

static tsr_symtab *table_in(tsr_symcache *c, const tsr_op *table)
{
    tsr_symtab *t = known_table(c, table);
    if (t)
        return t;
    t = tsr_xmalloc(sizeof *t);
    tsr_symtab_init(t, (tsr_op *)table);
    tsr_map_put(&c->tables, tsr_hash_ptr(table), t);
    return t;
}

static const tsr_op *holder(const tsr_op *op)
{
    return op->block && op->block->region ? op->block->region->op : NULL;
}

void tsr_symcache_saw(tsr_op *op)
{
    const tsr_op *table = holder(op);
    tsr_symcache *c = cache_of(op->module);
    tsr_symtab *t = c && table ? known_table(c, table) : NULL;
    if (!t || !has_symbol(op))
        return;
    uint64_t hash = tsr_hash_str(tsr_op_symbol(op));
    TSR_MAP_EACH (&t->map, hash, v)
        if (v == op)
            return;
    tsr_map_put(&t->map, hash, op);
}

void tsr_symcache_saw_block(tsr_block *block)
{
    if (block->region && block->region->op && cache_of(block->region->op->module))
        TSR_BLOCK_OPS (block, op)
            tsr_symcache_saw(op);
}

/* Entries may be of ops that are erased or renamed by now. If several match, the first one counts. */
static tsr_op *find_kept(const tsr_symtab *t, tsr_str name)
{
    tsr_op *found = NULL;
    TSR_MAP_EACH (&t->map, tsr_hash_str(name), v) {
        tsr_op *op = v;
        if (holder(op) == t->op && tsr_str_eq(tsr_op_symbol(op), name) &&
            (!found || (found->block == op->block && tsr_op_before(op, found))))
            found = op;
    }
    return found;
}

/* ---- Looking up ---- */

static tsr_op *find_one_by_one(const tsr_op *table, tsr_str name)
{
    for (uint32_t r = 0; r < table->nregion; r++)
        TSR_REGION_BLOCKS (&table->regions[r], b)
            TSR_BLOCK_OPS (b, op)
                if (has_symbol(op) && tsr_str_eq(tsr_op_symbol(op), name))
                    return op;
    return NULL;
}

tsr_op *tsr_symbol_find(const tsr_op *table, tsr_str name)
{
    tsr_symcache *c = cache_of(table->module);
    if (!c)
        return find_one_by_one(table, name);
    tsr_op *op = find_kept(table_in(c, table), name);
#if TSR_DEBUG
    tsr_assert(op == find_one_by_one(table, name), "'%.*s' came into its table unseen",
               TSR_STR_ARG(name));
#endif
    return op;
}

tsr_op *tsr_symbol_table_of(const tsr_op *op)
{
    tsr_op *p = tsr_block_parent(op->block);
    while (p && !tsr_op_has(p, TSR_TRAIT(SYMBOL_TABLE)))
        p = tsr_block_parent(p->block);
    return p;
}

/* @root::@a::@b inside one table. */
static tsr_op *resolve_in(const tsr_op *table, const tsr_attr *symbol)
{
    tsr_op *op = tsr_symbol_find(table, symbol->s);
    for (uint32_t i = 0; op && i < symbol->n; i++) {
        if (!tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE)))
            return NULL;
        op = tsr_symbol_find(op, symbol->attrs[i]->s);
    }
    return op;
}

tsr_op *tsr_symbol_resolve(const tsr_op *from, const tsr_attr *symbol)
{
    if (!tsr_attr_is(symbol, TSR_ATTR_SYMBOL))
        return NULL;
    const tsr_op *table =
        tsr_op_has(from, TSR_TRAIT(SYMBOL_TABLE)) ? from : tsr_symbol_table_of(from);
    for (; table; table = tsr_symbol_table_of(table)) {
        tsr_op *op = resolve_in(table, symbol);
        if (op)
            return op;
    }
    return NULL;
}

void tsr_symtab_init(tsr_symtab *t, tsr_op *table)
{
    *t = (tsr_symtab){.op = table};
    for (uint32_t r = 0; r < table->nregion; r++)
        TSR_REGION_BLOCKS (&table->regions[r], b)
            TSR_BLOCK_OPS (b, op)
                if (has_symbol(op))
                    tsr_map_put(&t->map, tsr_hash_str(tsr_op_symbol(op)), op);
}

void tsr_symtab_free(tsr_symtab *t)
{
    tsr_map_free(&t->map);
}

tsr_op *tsr_symtab_find(const tsr_symtab *t, tsr_str name)
{
    TSR_MAP_EACH (&t->map, tsr_hash_str(name), v)
        if (tsr_str_eq(tsr_op_symbol(v), name))
            return v;
    return NULL;
}

typedef struct {
    bool (*fn)(void *user, const tsr_attr *symbol);
    void *user;
} ref_walk;

static bool attr_refs(const ref_walk *w, const tsr_attr *a)
{
    if (!a || !a->refers)
        return true;
    switch (a->kind) {
    case TSR_ATTR_SYMBOL: return w->fn(w->user, a);
    case TSR_ATTR_DICT:
        for (uint32_t i = 0; i < a->n; i++)
            TSR_TRY(attr_refs(w, a->named[i].value));
        return true;
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_DISTINCT:
        for (uint32_t i = 0; i < a->n; i++)
            TSR_TRY(attr_refs(w, a->attrs[i]));
        return true;
    case TSR_ATTR_OPAQUE:
        for (uint32_t i = 0; i < a->n; i++)
            TSR_TRY(attr_refs(w, a->parts[i].attr));
        return true;
    default: return true;
    }
}

bool tsr_attr_symbol_refs(const tsr_attr *a, bool (*fn)(void *user, const tsr_attr *symbol),
                          void *user)
{
    return attr_refs(&(ref_walk){fn, user}, a);
}

bool tsr_op_symbol_refs(const tsr_op *op, bool (*fn)(void *user, const tsr_attr *symbol),
                        void *user)
{
    ref_walk w = {fn, user};
    for (uint16_t i = 0; i < op->def->nslot; i++)
        TSR_TRY(attr_refs(&w, op->attrs[i]));
    return attr_refs(&w, op->extra);
}
