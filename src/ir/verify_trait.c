/* SPDX-License-Identifier: Apache-2.0 */
/* verify_trait.c - the checks of traits, one per trait, in tables: before and after the op's regions. */
#include "ir/verify.h"

/* ---- On entry ---- */

static bool check_parents(tsr_op *op)
{
    const char *names = op->def->parents;
    const tsr_op *parent = tsr_block_parent(op->block);
    bool several = false;
    if (!names)
        return true;
    tsr_buf list = {0};
    for (const char *p = names; *p;) {
        size_t n = strcspn(p, " ");
        if (parent && tsr_str_eq(parent->def->name, tsr_str_of(p, n))) {
            tsr_buf_free(&list);
            return true;
        }
        if (list.len) {
            tsr_buf_cstr(&list, ", ");
            several = true;
        }
        tsr_buf_str(&list, tsr_str_of(p, n));
        p += n + strspn(p + n, " ");
    }
    tsr_op_error(op, "expects parent op %s'%.*s'", several ? "to be one of " : "", (int)list.len,
                 list.data);
    tsr_buf_free(&list);
    return false;
}

static bool check_single_block(tsr_op *op)
{
    for (uint16_t r = 0; r < op->nregion; r++) {
        const tsr_region *region = &op->regions[r];
        if (region->first != region->last)
            return tsr_op_error(op, "expects region #%u to have 0 or 1 blocks", r);
        if (region->first && !region->first->first && !tsr_op_has(op, TSR_TRAIT(NO_TERMINATOR)))
            return tsr_op_error(op, "expects a non-empty block");
    }
    return true;
}

static bool check_terminator(tsr_op *op)
{
    if (!op->block || op->block->last != op)
        return tsr_op_error(op, "must be the last operation in the parent block");
    return true;
}

static bool is_declaration(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(FUNCTION)) && op->nregion == 1 && !op->regions[0].first;
}

static bool check_symbol(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *name = tsr_op_attr(op, TSR_STR("sym_name"));
    int slot = tsr_opdef_slot(op->def, TSR_STR("sym_name"));
    if (!name && slot >= 0 && op->def->slots[slot].need == TSR_ATTR_OPTIONAL)
        return true;
    if (!tsr_attr_is(name, TSR_ATTR_STRING))
        return tsr_op_error(op, "requires string attribute 'sym_name'");
    const tsr_attr *seen = tsr_op_attr(op, TSR_STR("sym_visibility"));
    bool is_public = !seen || (seen->kind == TSR_ATTR_STRING && tsr_str_is(seen->s, "public"));
    if (seen && !is_public) {
        bool text = seen->kind == TSR_ATTR_STRING;
        if (!text || !(tsr_str_is(seen->s, "private") || tsr_str_is(seen->s, "nested"))) {
            tsr_buf got = tsr_quote_attr(ctx, seen);
            tsr_op_error(
                op, "%s, but got %.*s",
                text ? "visibility expected to be one of [\"public\", \"private\", \"nested\"]"
                     : "requires visibility attribute 'sym_visibility' to be a string attribute",
                (int)got.len, got.data);
            tsr_buf_free(&got);
            return false;
        }
    }
    if (is_public && is_declaration(op))
        return tsr_op_error(op, "symbol declaration cannot have public visibility");
    const tsr_op *parent = tsr_block_parent(op->block);
    if (parent && parent->def->opcode != TSR_UNREGISTERED &&
        !tsr_op_has(parent, TSR_TRAIT(SYMBOL_TABLE)))
        return tsr_op_error(op, "symbol's parent must have the SymbolTable trait");
    return true;
}

/* Attributes of a function's arguments (results): one dictionary each, dialect attributes only. */
static bool check_each_attrs(tsr_op *op, const char *slot, const char *what, tsr_attr_site site,
                             uint32_t n)
{
    const tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *all = tsr_op_attr(op, tsr_cstr(slot));
    if (!all)
        return true;
    if (all->kind != TSR_ATTR_ARRAY)
        return tsr_op_error(
            op, "attribute '%s' failed to satisfy constraint: Array of dictionary attributes",
            slot);
    if (all->n != n)
        return tsr_op_error(op,
                            "expects %s attribute array to have the same number of elements as the "
                            "number of function "
                            "%ss, got %u, but expected %u",
                            what, what, all->n, n);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_attr *dict = all->attrs[i];
        if (dict->kind != TSR_ATTR_DICT) {
            tsr_buf got = tsr_quote_attr(op->module->ctx, dict);
            tsr_op_error(op,
                         "expects %s attribute dictionary to be a DictionaryAttr, but got `%.*s`",
                         what, (int)got.len, got.data);
            tsr_buf_free(&got);
            return false;
        }
        for (uint32_t k = 0; k < dict->n; k++) {
            if (!memchr(dict->named[k].name->str.data, '.', dict->named[k].name->str.len))
                return tsr_op_error(op, "%ss may only have dialect attributes", what);
            if (ctx->verify_attr)
                TSR_TRY(ctx->verify_attr(op, site, i, &dict->named[k]));
        }
    }
    return true;
}

static bool check_function(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *attr = tsr_op_attr(op, TSR_STR("function_type"));
    if (!tsr_attr_is(attr, TSR_ATTR_TYPE) || attr->type->kind != TSR_TYPE_FUNCTION)
        return true; /* reported by the row's constraint, if it has one */
    const tsr_type *type = attr->type;
    TSR_TRY(check_each_attrs(op, "arg_attrs", "argument", TSR_SITE_ARG, type->n));
    TSR_TRY(check_each_attrs(op, "res_attrs", "result", TSR_SITE_RESULT, type->nout));
    if (op->nregion != 1)
        return tsr_op_error(op, "expects one region");
    const tsr_block *entry = op->regions[0].first;
    if (!entry)
        return true;
    if (entry->nargs != type->n)
        return tsr_op_error(op, "entry block must have %u arguments to match function signature",
                            type->n);
    for (uint32_t i = 0; i < type->n; i++) {
        if (entry->args[i]->type == type->types[i])
            continue;
        tsr_buf got = tsr_quote_type(ctx, entry->args[i]->type),
                want = tsr_quote_type(ctx, type->types[i]);
        tsr_op_error(op,
                     "type of entry block argument #%u(%.*s) must match the type of the "
                     "corresponding argument in "
                     "function signature(%.*s)",
                     i, (int)got.len, got.data, (int)want.len, want.data);
        tsr_buf_free(&got);
        tsr_buf_free(&want);
        return false;
    }
    return true;
}

/* ---- On exit ---- */

static bool check_implicit(tsr_op *op)
{
    const char *name = op->def->implicit;
    for (uint16_t r = 0; name && r < op->nregion; r++) {
        const tsr_block *b = op->regions[r].first;
        if (!b || (b->last && tsr_str_is(b->last->def->name, name)))
            continue;
        if (!b->last)
            return tsr_op_error(op, "expects a non-empty block");
        tsr_op_error(op, "expects regions to end with '%s', found '%.*s'", name,
                     TSR_STR_ARG(b->last->def->name));
        tsr_note(op->module->ctx, op->loc,
                 "in custom textual format, the absence of terminator implies '%s'", name);
        return false;
    }
    return true;
}

/* The region of iso that holds b; NULL when none does. */
static const tsr_region *region_of(const tsr_op *iso, const tsr_block *b)
{
    while (b && b->region && b->region->op != iso)
        b = b->region->op ? b->region->op->block : NULL;
    return b ? b->region : NULL;
}

static bool stays_inside(const tsr_op *iso, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        const tsr_block *b = v->is_arg ? v->block : v->op->block;
        if (b && b->region && b->region == op->block->region)
            continue;
        const tsr_region *in = region_of(iso, b);
        if (in && in == region_of(iso, op->block))
            continue;
        tsr_op_error(op, "using value defined outside the region");
        tsr_note(iso->module->ctx, iso->loc, "required by region isolation constraints");
        return false;
    }
    return true;
}

static bool check_isolated(tsr_verifier *v, tsr_op *iso)
{
    for (tsr_op *op = tsr_walk_nest(iso, iso); op; op = tsr_walk_nest(iso, op))
        if (!stays_inside(iso, op) && !tsr_verifier_goes_on(v, op))
            return false;
    return true;
}

typedef struct {
    const tsr_verifier *v;
    const tsr_op *op;
} user;

static bool symbol_holds(void *data, const tsr_attr *symbol)
{
    const user *u = data;
    const tsr_op *op = tsr_symbol_resolve(u->op, symbol);
    return !op || !tsr_bitset_has(&u->v->bad, op->id);
}

/* Whether rules about op's symbols can be checked: the op and the ops it refers to are valid. */
static bool symbols_hold(const tsr_verifier *v, const tsr_op *op)
{
    return !v->nbad || (!tsr_bitset_has(&v->bad, op->id) &&
                        tsr_op_symbol_refs(op, symbol_holds, &(user){v, op}));
}

/* Rules about symbols of all ops that use this table, in MLIR's order: the last region found comes first. */
static bool check_uses(tsr_verifier *v, tsr_op *table)
{
    TSR_VEC(tsr_region *) todo = {0};
    bool ok = true;
    tsr_vec_push(&todo, &table->regions[0]);
    while (ok && todo.n) {
        const tsr_region *region = todo.data[--todo.n];
        for (tsr_block *b = region->first; ok && b; b = b->next)
            for (tsr_op *op = b->first; ok && op; op = op->next) {
                if (op->def->verify_uses && symbols_hold(v, op))
                    ok = op->def->verify_uses(op) || tsr_verifier_goes_on(v, op);
                if (!tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE)))
                    for (uint16_t r = 0; r < op->nregion; r++)
                        tsr_vec_push(&todo, &op->regions[r]);
            }
    }
    tsr_vec_free(&todo);
    return ok;
}

static bool check_names(tsr_verifier *v, const tsr_block *table)
{
    tsr_map seen = {0};
    bool ok = true;
    for (tsr_op *op = table->first; ok && op; op = op->next) {
        const tsr_attr *name = tsr_op_attr(op, TSR_STR("sym_name"));
        if (!tsr_attr_is(name, TSR_ATTR_STRING))
            continue;
        const tsr_op *first = NULL;
        uint64_t hash = tsr_hash_ptr(name); /* one-to-one, and names are interned */
        TSR_MAP_EACH (&seen, hash, other)
            first = other;
        if (!first) {
            tsr_map_put(&seen, hash, op);
            continue;
        }
        tsr_ctx *ctx = op->module->ctx;
        tsr_error(ctx, op->loc, "redefinition of symbol named '%.*s'", TSR_STR_ARG(name->s));
        tsr_note(ctx, first->loc, "see existing symbol definition here");
        ok = tsr_verifier_goes_on(v, op);
    }
    tsr_map_free(&seen);
    return ok;
}

static bool check_symbol_table(tsr_verifier *v, tsr_op *op)
{
    if (op->nregion != 1)
        return tsr_op_error(op, "Operations with a 'SymbolTable' must have exactly one region");
    tsr_block *b = op->regions[0].first;
    if (!b || b->next)
        return tsr_op_error(op, "Operations with a 'SymbolTable' must have exactly one block");
    return check_names(v, b) && check_uses(v, op);
}

/* ---- Tables ---- */

typedef struct {
    tsr_traits trait;
    bool (*check)(tsr_op *op);
} trait_check;

static const trait_check structural[] = {
    {TSR_TRAIT(SINGLE_BLOCK), check_single_block},
};

static const trait_check on_entry[] = {
    {TSR_TRAIT(TERMINATOR), check_terminator},
    {TSR_TRAIT(SYMBOL), check_symbol},
    {TSR_TRAIT(FUNCTION), check_function},
};

static bool run(const trait_check *checks, size_t n, tsr_op *op)
{
    for (size_t i = 0; i < n; i++)
        if (op->def->traits & checks[i].trait)
            TSR_TRY(checks[i].check(op));
    return true;
}

/* Own rules and inference may look at the ops that contain the op, and at its operands if those are constants or come
 * from ops with regions. Those were found valid before, unless the verification continues after bad ops. */
static bool surroundings_hold(const tsr_verifier *v, const tsr_op *op)
{
    if (!v->nbad)
        return true;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *in = op->in[i].value;
        if (!in->is_arg && tsr_bitset_has(&v->bad, in->op->id) &&
            (in->op->nregion || tsr_op_has(in->op, TSR_TRAIT(CONSTANT_LIKE))))
            return false;
    }
    for (const tsr_op *p = tsr_block_parent(op->block); p; p = tsr_block_parent(p->block))
        if (tsr_bitset_has(&v->bad, p->id))
            return false;
    return true;
}

bool tsr_verify_entry(const tsr_verifier *v, tsr_op *op)
{
    TSR_TRY(tsr_verify_counts(op, false));
    TSR_TRY(check_parents(op));
    TSR_TRY(run(structural, TSR_COUNT(structural), op));
    TSR_TRY(tsr_verify_invariants(op, false));
    TSR_TRY(run(on_entry, TSR_COUNT(on_entry), op));
    TSR_TRY(tsr_verify_types(op));
    return !op->def->verify || !surroundings_hold(v, op) || op->def->verify(op);
}

bool tsr_verify_exit(tsr_verifier *v, tsr_op *op)
{
    TSR_TRY(check_implicit(op));
    if (tsr_op_has(op, TSR_TRAIT(ISOLATED)))
        TSR_TRY(check_isolated(v, op));
    if (tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE)))
        TSR_TRY(check_symbol_table(v, op));
    if (v->nbad && (tsr_bitset_has(&v->tainted, op->id) || !surroundings_hold(v, op)))
        return true;
    return tsr_verify_inferred(op, &v->inferred);
}
