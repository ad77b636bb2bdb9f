/* SPDX-License-Identifier: Apache-2.0 */
/* why.c - which steps sharded a value: repeats propagation with a record, and reports the record from the value
 * backwards. */
#include "api/api.h"
#include "api/shard.h"
#include "dialect/sdy/axes.h"
#include "shard/propagate/why.h"
#include "text/text.h"

typedef struct {
    const tsr_value *value;
    tsr_str name, shown; /* printed; the user's, of a function's argument */
} named;

typedef struct {
    tsr_arena *arena;
    tsr_ctx *ctx;
    tsr_map names; /* names, by address: ids change */
} teller;

/* Keeps the names as printed before the module is changed: those are what the user sees. */
static void keep_names(teller *t, tsr_module *m)
{
    tsr_str *names = tsr_value_names(t->arena, m);
    TSR_OPS (m->op, op) {
        for (uint32_t i = 0; i < op->nout; i++) {
            named *n = TSR_NEW(t->arena, named);
            *n = (named){&op->out[i], names[op->out[i].id], names[op->out[i].id]};
            tsr_map_put(&t->names, tsr_hash_ptr(n->value), n);
        }
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++) {
                    named *n = TSR_NEW(t->arena, named);
                    *n = (named){b->args[i], names[b->args[i]->id], names[b->args[i]->id]};
                    if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
                        n->shown = tsr_value_known_as(t->arena, b->args[i]);
                    tsr_map_put(&t->names, tsr_hash_ptr(n->value), n);
                }
    }
}

static tsr_str name_of(const teller *t, const tsr_value *v)
{
    TSR_MAP_EACH (&t->names, tsr_hash_ptr(v), x) {
        const named *n = x;
        if (n->value == v)
            return n->shown;
    }
    return (tsr_str){0};
}

/* Whether v is inside func, at any depth. */
static bool is_inside(const tsr_value *v, const tsr_op *func)
{
    const tsr_op *at = v->is_arg ? tsr_block_parent(v->block) : v->op;
    return at && tsr_op_is_ancestor(func, at);
}

/* "#2": what the function returns there. */
static tsr_value *returned(const tsr_op *func, tsr_str name)
{
    size_t index = 0;
    for (size_t i = 1; i < name.len; i++) {
        if (name.data[i] < '0' || name.data[i] > '9' || index > UINT32_MAX / 10)
            return NULL;
        index = index * 10 + (size_t)(name.data[i] - '0');
    }
    const tsr_op *last = func->regions[0].first->last;
    return name.len > 1 && index < last->nin ? last->in[index].value : NULL;
}

/* The only argument, or else the only result, that has this name for the user. */
static tsr_value *known_as(const teller *t, tsr_op *func, tsr_str name)
{
    tsr_value *found = NULL;
    const tsr_op *last = func->regions[0].first->last;
    for (int result = 0; result < 2 && !found; result++) {
        tsr_given_numbers which = {0};
        tsr_given_find(t->arena, func, result, name, &which);
        if (which.n == 1)
            found = !result                     ? func->regions[0].first->args[which.data[0]]
                    : which.data[0] < last->nin ? last->in[which.data[0]].value
                                                : NULL;
        tsr_vec_free(&which);
    }
    return found;
}

static tsr_value *value_named(const teller *t, const tsr_op *func, tsr_str name)
{
    if (tsr_str_starts(name, "#"))
        return returned(func, name);
    for (uint32_t i = 0; i < t->names.n; i++) {
        const named *n = t->names.entries[i].value;
        if (tsr_str_eq(n->name, name) && is_inside(n->value, func))
            return (tsr_value *)n->value;
    }
    return known_as(t, (tsr_op *)func, name);
}

static void tell_place(const teller *t, tsr_buf *out, const tsr_why_place *p)
{
    if (p->func) {
        tsr_buf_printf(out, "result #%u of @%.*s", p->result, TSR_STR_ARG(tsr_op_symbol(p->func)));
        return;
    }
    const tsr_value *v = p->value;
    tsr_str name = name_of(t, v);
    if (name.len) {
        tsr_buf_str(out, name);
        return;
    }
    /* Created during propagation: an edge represents the value that flows into it. */
    if (!v->is_arg && v->op->nin == 1 && (name = name_of(t, v->op->in[0].value)).len) {
        tsr_buf_printf(out, "%.*s (its edge)", TSR_STR_ARG(name));
        return;
    }
    tsr_buf_cstr(out, "a value");
    tsr_loc_at_place(out, t->ctx, tsr_value_loc(v), false);
}

static void tell_axis(const teller *t, tsr_buf *out, tsr_why *why, tsr_value *v, tsr_attr *axis)
{
    tsr_why_edges chain = {0};
    tsr_why_chain(why, v, axis, &chain);
    tsr_buf text = {0};
    tsr_sdy_axis_print(&text, axis);
    tsr_why_place last = {.value = v};
    for (size_t i = 0; i < chain.n; i++) {
        const tsr_why_edge *e = &chain.data[i];
        tsr_buf_cstr(out, "    step ");
        tsr_buf_int(out, e->step);
        tsr_buf_cstr(out, ": to ");
        tell_place(t, out, &e->to);
        tsr_buf_cstr(out, " from ");
        tell_place(t, out, &e->from);
        tsr_buf_printf(out, ", through %.*s", TSR_STR_ARG(e->op->def->name));
        tsr_loc_at_place(out, t->ctx, e->op->loc, false);
        tsr_buf_char(out, '\n');
        last = e->from;
    }
    tsr_buf_cstr(out, "    ");
    tell_place(t, out, &last);
    tsr_buf_printf(out, " had %.*s from the start\n", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    tsr_vec_free(&chain);
}

static void tell(const teller *t, tsr_buf *out, tsr_why *why, tsr_value *v, tsr_str name)
{
    const tsr_attr *s = tsr_sdy_sharding_of(v);
    tsr_value *at = tsr_sdy_shardable(v);
    tsr_str type = tsr_type_print(v->type);
    tsr_buf_printf(out, "%.*s : %.*s\n", TSR_STR_ARG(name), TSR_STR_ARG(type));
    tsr_free((void *)type.data);
    bool any = false;
    for (uint32_t d = 0; s && d < tsr_sdy_dims(s)->n; d++)
        for (uint32_t i = 0; i < tsr_sdy_dim_axes(s, d)->n; i++) {
            tsr_attr *axis = tsr_sdy_dim_axes(s, d)->attrs[i];
            tsr_buf_printf(out, "  dimension %u is sharded by ", d);
            tsr_sdy_axis_print(out, axis);
            tsr_buf_cstr(out, ":\n");
            tell_axis(t, out, why, at ? at : v, axis);
            any = true;
        }
    if (!any)
        tsr_buf_cstr(out, s ? "  not sharded: no axis came here\n"
                            : "  not sharded: nothing was propagated here\n");
}

static bool prepare(tsr_module *m)
{
    static const char *const before[] = {"sdy-import-pipeline",
                                         "sdy-flatten-call-graph",
                                         "symbol-dce",
                                         "sdy-import-func-calls",
                                         "symbol-dce",
                                         "sdy-apply-sharding-constraints",
                                         "sdy-sharding-group-import",
                                         "sdy-pre-order-funcs"};
    for (size_t i = 0; i < TSR_COUNT(before); i++)
        TSR_TRY(tsr_run_pass(m, before[i], NULL, 0));
    return true;
}

static bool propagate(tsr_arena *arena, tsr_module *m, const tsr_op *func, tsr_why *why)
{
    tsr_module_renumber(m);
    return tsr_propagate(arena, m->op,
                         &(tsr_propagate_options){.basic = true,
                                                  .aggressive = true,
                                                  .op_priorities = true,
                                                  .user_priorities = true,
                                                  .extra_rules = true,
                                                  .entry = tsr_op_symbol(func),
                                                  .why = why});
}

/* Whether it was decomposed before propagation. */
static bool is_gone(const tsr_value *v)
{
    return !v->is_arg && !v->op->block;
}

bool tsr_shard_why(tsr_arena *arena, tsr_module *m, tsr_op *func, tsr_str name, tsr_buf *out,
                   tsr_status *status)
{
    teller t = {.arena = arena, .ctx = m->ctx};
    keep_names(&t, m);
    tsr_value *v = value_named(&t, func, name);
    bool ok = v != NULL;
    if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "there is no value '%.*s' in @%.*s; `tessera opt` prints their names, and "
                       "#0 is the first result",
                       TSR_STR_ARG(name), TSR_STR_ARG(tsr_op_symbol(func)));
    ok = ok && prepare(m);
    if (ok && is_gone(v))
        ok =
            tsr_status_set(status, TSR_BAD_INPUT,
                           "'%.*s' is taken apart before propagation: ask about what it is made of",
                           TSR_STR_ARG(name));
    tsr_why why = {.step = 0};
    ok = ok && propagate(arena, m, func, &why);
    if (ok)
        tell(&t, out, &why, v, name);
    tsr_why_free(&why);
    tsr_map_free(&t.names);
    return ok;
}

bool tsr_shard_whys(tsr_arena *arena, tsr_module *m, const tsr_op *func, tsr_value *const *values,
                    size_t n, tsr_buf *out)
{
    teller t = {.arena = arena, .ctx = m->ctx};
    tsr_why why = {.step = 0};
    keep_names(&t, m);
    bool ok = prepare(m) && propagate(arena, m, func, &why);
    for (size_t i = 0; ok && i < n; i++)
        if (!is_gone(values[i]))
            tell(&t, &out[i], &why, values[i], name_of(&t, values[i]));
    tsr_why_free(&why);
    tsr_map_free(&t.names);
    return ok;
}
