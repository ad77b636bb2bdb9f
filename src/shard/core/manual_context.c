/* SPDX-License-Identifier: Apache-2.0 */
/* manual_context.c - see manual_context.h. */
#include "shard/core/manual_context.h"

#include "dialect/opcode.h"
#include "shard/core/calls.h"
#include "shard/core/seeded_bugs.h"

/* A function in one context. */
typedef struct version {
    tsr_op *origin;      /* the function that it is a copy of, or itself */
    const tsr_attr *key; /* the context; NULL: none */
    tsr_op *func;
} version;

typedef struct {
    tsr_manual_contexts *c;
    tsr_ctx *ctx;
    tsr_symbols symbols;
    tsr_meshes meshes;
    TSR_VEC(version *) todo;
} maker;

int tsr_callee_slot(const tsr_op *op)
{
    return tsr_kinds_of(op).callee - 1;
}

static const version *version_of(const tsr_manual_contexts *c, const tsr_op *func)
{
    TSR_MAP_EACH (&c->by_func, tsr_hash_ptr(func), v)
        if (((const version *)v)->func == func)
            return v;
    return NULL;
}

const tsr_attr *tsr_manual_context_of(const tsr_manual_contexts *c, const tsr_op *func)
{
    const version *v = version_of(c, func);
    return v && !TSR_BUG(24) ? v->key : NULL;
}

/* ---- Contexts ---- */

/* The mesh of the first sharding that has one with axes. */
static tsr_attr *mesh_of(tsr_meshes *meshes, const tsr_op *manual)
{
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < (k ? manual->nout : manual->nin); i++) {
            const tsr_attr *a = tsr_sdy_list_sharding(manual, !k, i);
            const tsr_mesh *mesh = a ? tsr_meshes_get(meshes, a->attrs[SDY_SHARDING_mesh]) : NULL;
            if (mesh && mesh->naxis)
                return mesh->ref;
        }
    return NULL;
}

/* The context inside a manual computation that is itself in context outer. */
static const tsr_attr *inside(maker *m, const tsr_attr *outer, const tsr_op *manual)
{
    const tsr_attr *names = tsr_sdy_manual_axes(manual);
    tsr_attr *mesh = mesh_of(&m->meshes, manual);
    TSR_VEC(tsr_attr *) all = {0};
    tsr_vec_push(&all, mesh ? mesh : outer ? outer->attrs[0] : tsr_attr_unit(m->ctx));
    for (uint32_t i = 1; outer && i < outer->n; i++)
        tsr_vec_push(&all, outer->attrs[i]);
    for (uint32_t i = 0; names && i < names->n; i++)
        tsr_vec_push(&all, names->attrs[i]);
    const tsr_attr *key = tsr_attr_array(m->ctx, all.data, all.n);
    tsr_vec_free(&all);
    return key;
}

/* The context of an op in a function whose context is given. */
static const tsr_attr *context_at(maker *m, const tsr_op *op, const tsr_op *func,
                                  const tsr_attr *own)
{
    const tsr_op *parent = tsr_block_parent(op->block);
    if (op == func || !parent)
        return own;
    const tsr_attr *outer = context_at(m, parent, func, own);
    return tsr_flow_of(parent) == TSR_FLOW_MANUAL ? inside(m, outer, parent) : outer;
}

/* ---- Versions ---- */

static version *add_version(maker *m, tsr_op *origin, const tsr_attr *key, tsr_op *func)
{
    version *v = TSR_NEW(m->c->arena, version);
    *v = (version){origin, key, func};
    tsr_map_put(&m->c->by_func, tsr_hash_ptr(func), v);
    tsr_map_put(&m->c->by_key, tsr_hash_ptr(origin) ^ tsr_hash_ptr(key) * 3, v);
    tsr_vec_push(&m->todo, v);
    return v;
}

/* A module with more copied ops than this is refused. */
enum { MAX_COPIED = 1 << 20 };

/* The version of a function for a context. NULL after a diagnostic. */
static const version *wanted(maker *m, tsr_op *func, const tsr_attr *key)
{
    const version *first = version_of(m->c, func);
    if (!first)
        return add_version(m, func, key, func);
    if (TSR_BUG(25))
        return first;
    TSR_MAP_EACH (&m->c->by_key, tsr_hash_ptr(first->origin) ^ tsr_hash_ptr(key) * 3, v)
        if (((const version *)v)->origin == first->origin && ((const version *)v)->key == key)
            return v;
    if (func->module->nop - m->symbols.nop > MAX_COPIED) {
        tsr_op_error(func,
                     "a copy of this function is needed for each set of manual axes that it is "
                     "called in, and there are too many");
        return NULL;
    }
    tsr_mapping map = {.values = {0}};
    tsr_op *copy = tsr_op_clone(func->module, first->origin, &map);
    tsr_mapping_free(&map);
    m->c->copied = true;
    copy->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(m->ctx, TSR_STR("private"));
    tsr_op_insert(copy, func->block, func->next);
    tsr_symbols_insert(&m->symbols, copy);
    return add_version(m, first->origin, key, copy);
}

/* Checks that no computation binds an axis that is already manual where its function is called. */
static bool check_axes(maker *m, const tsr_op *manual, const version *v)
{
    const tsr_attr *names = tsr_sdy_manual_axes(manual);
    const tsr_attr *outer = v->key && names ? context_at(m, manual, v->func, v->key) : NULL;
    for (uint32_t i = 0; outer && i < names->n; i++)
        for (uint32_t k = 1; k < outer->n; k++)
            if (outer->attrs[k] == names->attrs[i])
                return tsr_op_error(
                    manual, "binds axis \"%.*s\", which is manual already where @%.*s is called",
                    TSR_STR_ARG(names->attrs[i]->s), TSR_STR_ARG(tsr_op_symbol(v->origin)));
    return true;
}

/* Redirects the calls in a version to the versions for their contexts. */
static bool run_version(maker *m, const version *v)
{
    TSR_OPS (v->func, op) {
        TSR_TRY(tsr_flow_of(op) != TSR_FLOW_MANUAL || check_axes(m, op, v));
        int slot = tsr_callee_slot(op);
        tsr_attr *name = slot >= 0 ? op->attrs[slot] : NULL;
        tsr_op *func =
            tsr_attr_is(name, TSR_ATTR_SYMBOL) ? tsr_symbols_find(&m->symbols, name->s) : NULL;
        if (!func || !tsr_op_has(func, TSR_TRAIT(FUNCTION)) || !func->regions[0].first)
            continue;
        const version *callee =
            wanted(m, func, context_at(m, op, v->func, TSR_BUG(26) ? NULL : v->key));
        if (!callee)
            return false;
        if (callee->func != func)
            op->attrs[slot] = tsr_attr_symbol(m->ctx, tsr_op_symbol(callee->func), NULL, 0);
    }
    return true;
}

static bool has_manual(tsr_op *module)
{
    TSR_OPS (module, op)
        if (tsr_flow_of(op) == TSR_FLOW_MANUAL)
            return true;
    return false;
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *seen = func->attrs[FUNC_FUNC_sym_visibility];
    return tsr_attr_is(seen, TSR_ATTR_STRING) && tsr_str_is(seen->s, "private");
}

bool tsr_manual_contexts_make(tsr_manual_contexts *c, tsr_arena *arena, tsr_op *module)
{
    *c = (tsr_manual_contexts){.arena = arena};
    tsr_block *body = module->regions[0].first;
    if (!body || !has_manual(module))
        return true;
    maker m = {.c = c, .ctx = module->module->ctx};
    tsr_symbols_init(&m.symbols, module);
    tsr_meshes_init(&m.meshes, arena, module);
    bool ok = true;
    /* First functions that others may call; then those that have not been called so far. */
    for (int private = 0; private < 2; private ++)
        for (tsr_op *op = body->first; op && ok; op = op->next) {
            if (!tsr_op_has(op, TSR_TRAIT(FUNCTION)) || is_private(op) > private ||
                version_of(c, op))
                continue;
            add_version(&m, op, NULL, op);
            while (m.todo.n && ok)
                ok = run_version(&m, m.todo.data[--m.todo.n]);
        }
    tsr_vec_free(&m.todo);
    tsr_meshes_free(&m.meshes);
    tsr_symbols_free(&m.symbols);
    return ok;
}

void tsr_manual_contexts_free(tsr_manual_contexts *c)
{
    tsr_map_free(&c->by_func);
    tsr_map_free(&c->by_key);
}
