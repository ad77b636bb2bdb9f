/* SPDX-License-Identifier: Apache-2.0 */
/* ttcore.c - ttcore's ops that call functions or store values by name.
 *
 * A global dictionary lives as long as the run; a value of its type refers to its global. Results of load_cached are
 * computed each time: a cache would only change the time. */
#include <stdlib.h>

#include "eval/kernel/kernels.h"
#include "eval/plan.h"

typedef struct {
    int64_t global; /* op id */
    const tsr_attr *key;
    tsr_tensor **values;
    uint32_t n;
} entry;

struct tsr_tt_store {
    TSR_VEC(entry) entries;
};

static void drop_values(entry *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        tsr_tensor_unref(e->values[i]);
    tsr_free(e->values);
}

void tsr_tt_store_free(struct tsr_tt_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->entries.n; i++)
        drop_values(&store->entries.data[i]);
    tsr_vec_free(&store->entries);
    tsr_free(store);
}

bool eval_ttcore_load_cached(tsr_call *c)
{
    return tsr_call_symbol(c, tsr_call_attr(c, TTCORE_LOAD_CACHED_callee));
}

bool eval_ttcore_composite(tsr_call *c)
{
    return tsr_call_symbol(c, tsr_call_attr(c, TTCORE_COMPOSITE_decomposition));
}

bool eval_ttcore_get_global(tsr_call *c)
{
    tsr_str name = tsr_call_attr(c, TTCORE_GET_GLOBAL_sym_name)->s;
    const tsr_op *global = NULL;
    for (const tsr_op *t = tsr_symbol_table_of(c->op); t && !global; t = tsr_symbol_table_of(t))
        global = tsr_symbol_find(t, name);
    if (!global || !tsr_op_is(global, TSR_OP_TTCORE_GLOBAL))
        return tsr_fail(c, "asks for '@%.*s', which is no global", TSR_STR_ARG(name));
    if (c->op->out[0].type->kind == TSR_TYPE_TENSOR)
        return tsr_fail(c, "asks for '@%.*s', which nobody has given a value", TSR_STR_ARG(name));
    c->out[0] = tsr_token_new();
    if (!c->out[0])
        return tsr_fail_memory(c, "a dictionary");
    c->out[0]->n = global->id;
    return true;
}

static entry *find(const tsr_call *c, const tsr_attr *key)
{
    struct tsr_tt_store *s = c->e->store;
    for (size_t i = 0; s && i < s->entries.n; i++)
        if (s->entries.data[i].global == c->in[0]->n && s->entries.data[i].key == key)
            return &s->entries.data[i];
    return NULL;
}

bool eval_ttcore_set_key_value(tsr_call *c)
{
    const tsr_attr *key = tsr_call_attr(c, TTCORE_SET_KEY_VALUE_key);
    entry e = {.global = c->in[0]->n, .key = key, .n = c->op->nin - 1};
    e.values = tsr_xmalloc((e.n + 1) * sizeof *e.values);
    for (uint32_t i = 0; i < e.n; i++)
        e.values[i] = tsr_tensor_ref(c->in[1 + i]);
    if (!c->e->store) {
        c->e->store = tsr_xmalloc(sizeof *c->e->store);
        memset(c->e->store, 0, sizeof *c->e->store);
    }
    entry *old = find(c, key);
    if (old) {
        drop_values(old);
        *old = e;
    } else {
        tsr_vec_push(&c->e->store->entries, e);
    }
    return true;
}

bool eval_ttcore_get_key_value(tsr_call *c)
{
    const entry *e = find(c, tsr_call_attr(c, TTCORE_GET_KEY_VALUE_key));
    if (!e || e->n != c->op->nout)
        return tsr_fail(c, "asks for %u values under a key that has %u", c->op->nout, e ? e->n : 0);
    for (uint32_t i = 0; i < e->n; i++)
        c->out[i] = tsr_tensor_ref(e->values[i]);
    return true;
}
