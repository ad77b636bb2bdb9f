/* SPDX-License-Identifier: Apache-2.0 */
/* symbol_dce.c - erases symbols that are neither referenced nor visible from outside. Needs nothing; keeps uses; breaks
 * ids.
 *
 * Liveness spreads from the ops that must stay (ops that are not symbols, visible symbols) along symbol references. */
#include "pass/pass.h"

typedef struct {
    tsr_map live;   /* tsr_op */
    tsr_map tables; /* tsr_symtab of the symbol tables looked up */
    tsr_arena *scratch;
    TSR_VEC(tsr_op *) work; /* live, but references not yet followed */
    uint32_t dead;          /* number of symbols not found to be live so far */
    bool nested;            /* some op inside is itself a symbol table */
    tsr_op *from;           /* whose references are being followed */
    /* attributes followed recently, if there is only one table: most ops name the same mesh */
    const tsr_attr *seen[64];
} liveness;

static bool is_live(const liveness *l, const tsr_op *op)
{
    TSR_MAP_EACH (&l->live, tsr_hash_ptr(op), x)
        if (x == op)
            return true;
    return false;
}

static void mark(liveness *l, tsr_op *op)
{
    if (is_live(l, op))
        return;
    tsr_map_put(&l->live, tsr_hash_ptr(op), op);
    tsr_vec_push(&l->work, op);
}

static const tsr_symtab *symbols_of(liveness *l, tsr_op *table)
{
    TSR_MAP_EACH (&l->tables, tsr_hash_ptr(table), x)
        if (((tsr_symtab *)x)->op == table)
            return x;
    tsr_symtab *t = TSR_NEW(l->scratch, tsr_symtab);
    tsr_symtab_init(t, table);
    tsr_map_put(&l->tables, tsr_hash_ptr(table), t);
    return t;
}

/* @a::@b: a is looked up from the nearest table outward, the rest inside the op found. All ops on the path are live. */
static bool follow(void *user, const tsr_attr *ref)
{
    liveness *l = user;
    tsr_op *found = NULL;
    for (tsr_op *table = tsr_symbol_table_of(l->from); table && !found;
         table = tsr_symbol_table_of(table))
        found = tsr_symtab_find(symbols_of(l, table), ref->s);
    for (uint32_t i = 0; found; i++) {
        l->dead -= l->dead && !is_live(l, found);
        mark(l, found);
        bool more = i < ref->n && tsr_op_has(found, TSR_TRAIT(SYMBOL_TABLE));
        found = more ? tsr_symtab_find(symbols_of(l, found), ref->attrs[i]->s) : NULL;
    }
    return true;
}

static void follow_attr(liveness *l, const tsr_attr *a)
{
    if (!a || !a->refers)
        return;
    const tsr_attr **seen = &l->seen[tsr_hash_ptr(a) % TSR_COUNT(l->seen)];
    if (*seen == a && !l->nested)
        return;
    *seen = a;
    tsr_attr_symbol_refs(a, follow, l);
}

static bool is_symbol(const tsr_op *op)
{
    return tsr_op_symbol(op).len > 0 &&
           (tsr_op_has(op, TSR_TRAIT(SYMBOL)) || op->def->opcode == TSR_UNREGISTERED);
}

/* Unregistered ops may use sym_name for anything, so they stay. */
static bool may_go(const tsr_op *op, bool hidden)
{
    if (!tsr_op_has(op, TSR_TRAIT(SYMBOL)))
        return false;
    tsr_attr *v = tsr_op_attr(op, TSR_STR("sym_visibility"));
    if (!tsr_attr_is(v, TSR_ATTR_STRING))
        return false; /* public */
    return tsr_str_is(v->s, "private") || (hidden && tsr_str_is(v->s, "nested"));
}

static void seed(liveness *l, tsr_op *table)
{
    tsr_attr *v = tsr_op_attr(table, TSR_STR("sym_visibility"));
    bool hidden = !tsr_block_parent(table->block) || !is_symbol(table) ||
                  (tsr_attr_is(v, TSR_ATTR_STRING) && tsr_str_is(v->s, "private"));
    for (uint32_t r = 0; r < table->nregion; r++)
        TSR_REGION_BLOCKS (&table->regions[r], b)
            TSR_BLOCK_OPS (b, op)
                if (!is_symbol(op) || !may_go(op, hidden))
                    mark(l, op);
                else
                    l->dead++;
}

/* Whether some op inside root is itself a symbol table. */
static bool has_tables(tsr_op *root)
{
    if (root->module->ntable < 2)
        return false;
    TSR_OPS (root, op)
        if (op != root && tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE)))
            return true;
    return false;
}

/* Follows the references of op and the ops inside. In a nested symbol table only live symbols are followed. */
static void follow_all(liveness *l, tsr_op *op)
{
    if (!l->dead && !l->nested)
        return; /* nothing is left to erase */
    l->from = op;
    for (uint16_t i = 0; i < op->def->nslot; i++)
        follow_attr(l, op->attrs[i]);
    follow_attr(l, op->extra);
    if (tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE))) {
        seed(l, op);
        return;
    }
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                follow_all(l, inner);
}

static bool erase_dead(const liveness *l, tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(SYMBOL)) || !is_symbol(op) || is_live(l, op))
        return false;
    tsr_op_erase(op);
    return true;
}

bool pass_symbol_dce(tsr_pass *p, tsr_op *root)
{
    if (!tsr_op_has(root, TSR_TRAIT(SYMBOL_TABLE)))
        return tsr_op_error(
            root, " was scheduled to run under SymbolDCE, but does not define a symbol table");
    liveness l = {.scratch = p->scratch};
    seed(&l, root);
    /* If nothing is left that could be erased, the search ends. */
    l.nested = has_tables(root);
    while (l.work.n && (l.dead || l.nested))
        follow_all(&l, l.work.data[--l.work.n]);
    if (l.nested) {
        TSR_OPS_REVERSE (root, op)
            if (tsr_op_has(tsr_block_parent(op->block), TSR_TRAIT(SYMBOL_TABLE)))
                p->changed |= erase_dead(&l, op);
    } else if (l.dead) {
        for (uint32_t r = root->nregion; r-- > 0;)
            for (tsr_block *b = root->regions[r].last; b; b = b->prev)
                for (tsr_op *op = b->last, *before; op; op = before) {
                    before = op->prev;
                    p->changed |= erase_dead(&l, op);
                }
    }
    for (uint32_t i = 0; i < l.tables.n; i++)
        tsr_symtab_free(l.tables.entries[i].value);
    tsr_map_free(&l.tables);
    tsr_map_free(&l.live);
    tsr_vec_free(&l.work);
    return true;
}
