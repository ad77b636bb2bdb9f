/* SPDX-License-Identifier: Apache-2.0 */
/* flatten.c - gives each call its own function before propagation, and merges equal functions again afterwards. Needs
 * nothing; keeps everything else; breaks ids. */
#include "shard/core/calls.h"
#include "shard/passes.h"

bool pass_sdy_flatten_call_graph(tsr_pass *p, tsr_op *root)
{
    size_t n;
    tsr_op **order = tsr_call_order(p->scratch, root, true, &n);
    if (!order)
        return false;
    tsr_bitset called = tsr_bitset_new(p->scratch, p->module->nop);
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, root);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        TSR_OPS (order[i], op) {
            if (!ok || !tsr_op_is(op, TSR_OP_FUNC_CALL))
                continue;
            tsr_op *func = tsr_called_func(&symbols, op);
            if (func && !tsr_bitset_has(&called, func->id)) {
                tsr_bitset_add(&called, func->id);
                continue;
            }
            tsr_op *copy = func ? tsr_clone_func(&symbols, func) : NULL;
            ok = copy != NULL;
            if (ok)
                tsr_set_callee(op, copy);
            p->changed = true;
        }
    tsr_symbols_free(&symbols);
    return ok;
}

/* ---- sdy-unflatten-call-graph ---- */

/* Functions are equal if they have the same original and the same shardings. */
typedef struct {
    const tsr_attr *name, *manual_axes, *in, *out;
} key;

typedef struct {
    key key;
    tsr_op *func;
    int64_t calls;
} kind;

typedef struct {
    tsr_pass *p;
    tsr_symbols symbols;
    tsr_meshes meshes;
    key **keys;    /* by op id */
    tsr_map kinds; /* keyed with or without shardings */
    tsr_map exact; /* keyed with shardings: number of calls of each */
} unflatten;

static const key *key_of(unflatten *u, const tsr_op *func)
{
    key **k = &u->keys[func->id];
    if (!*k) {
        *k = TSR_NEW(u->p->scratch, key);
        const tsr_attr *axes = tsr_op_attr(func, TSR_STR("sdy.func_manual_axes"));
        **k = (key){tsr_original_name(func),
                    tsr_attr_is_struct(axes, &tsr_def_SDY_MANUAL_AXES) ? axes : NULL,
                    tsr_func_shardings(func, true, &u->meshes),
                    tsr_func_shardings(func, false, &u->meshes)};
    }
    return *k;
}

/* The kind with this key; a new one has no function. fully: ignores shardings. */
static kind *kind_of(unflatten *u, tsr_map *kinds, const key *k, bool fully)
{
    key want = *k;
    if (fully)
        want.in = want.out = NULL;
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(want.name), tsr_hash_ptr(want.in));
    hash = tsr_hash_mix(hash, tsr_hash_ptr(want.out) ^ tsr_hash_ptr(want.manual_axes));
    TSR_MAP_EACH (kinds, hash, v) {
        kind *have = v;
        if (memcmp(&have->key, &want, sizeof want) == 0)
            return have;
    }
    kind *new = TSR_NEW(u->p->scratch, kind);
    new->key = want;
    tsr_map_put(kinds, hash, new);
    return new;
}

/* Chooses each kind's function: the first that is called, or, if shardings are ignored, the one called most often. */
static bool choose(unflatten *u, tsr_op *root, bool fully)
{
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL))
            continue;
        tsr_op *func = tsr_called_func(&u->symbols, op);
        if (!func)
            return false;
        kind *k = kind_of(u, &u->kinds, key_of(u, func), fully);
        if (!k->func)
            k->func = func;
    }
    if (!fully)
        return true;
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL))
            continue;
        tsr_op *func = tsr_called_func(&u->symbols, op);
        const key *mine = key_of(u, func);
        kind *chosen = kind_of(u, &u->kinds, mine, true);
        int64_t calls = ++kind_of(u, &u->exact, mine, false)->calls;
        if (calls > kind_of(u, &u->exact, key_of(u, chosen->func), false)->calls)
            chosen->func = func;
    }
    return true;
}

bool pass_sdy_unflatten_call_graph(tsr_pass *p, tsr_op *root)
{
    bool fully = tsr_pass_bool(p, "dedup-functions-fully");
    unflatten u = {.p = p, .keys = TSR_NEW_ARRAY(p->scratch, key *, p->module->nop + 1)};
    tsr_symbols_init(&u.symbols, root);
    tsr_meshes_init(&u.meshes, p->scratch, root);
    bool ok = choose(&u, root, fully);
    TSR_OPS (root, op) {
        if (!ok)
            break;
        if (tsr_op_is(op, TSR_OP_FUNC_CALL)) {
            const tsr_op *func = tsr_called_func(&u.symbols, op);
            const kind *k = kind_of(&u, &u.kinds, key_of(&u, func), fully);
            if (k->func != func)
                tsr_set_callee(op, k->func);
        }
    }
    tsr_map_free(&u.kinds);
    tsr_map_free(&u.exact);
    tsr_meshes_free(&u.meshes);
    tsr_symbols_free(&u.symbols);
    TSR_OPS (root, op)
        if (ok && tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->extra) {
            tsr_op_set_attr(op, TSR_STR("sdy.original_func_name"), NULL);
            tsr_op_set_attr(op, TSR_STR("sdy.func_manual_axes"), NULL);
        }
    p->changed = true;
    return ok;
}
