/* SPDX-License-Identifier: Apache-2.0 */
/* origins.c - writes the record of propagation as Shardy's attributes: sdy.sharding_origins names the user-written
 * sharding an axis comes from, sdy.propagation_edges the operands and results through which it came. */
#include "dialect/opcode.h"
#include "dialect/sdy/axes.h"
#include "shard/core/calls.h"
#include "shard/core/flow.h"
#include "shard/propagate/why.h"

static const char ORIGINS[] = "sdy.sharding_origins", ORIGIN_NAME[] = "sdy.sharding_origin_name";
static const char EDGES[] = "sdy.propagation_edges";

#define NAME(array) ((tsr_str){(array), sizeof(array) - 1})

/* ---- Origins ---- */

/* An axis of a value and the name of its origin. */
typedef struct origin {
    tsr_attr *axis;
    tsr_attr *name; /* string */
    struct origin *next;
} origin;

/* Axes of one value, in the order in which they were added. */
typedef struct {
    tsr_value *value;
    origin *first, *last;
} axes_of;

struct tsr_origins {
    tsr_arena *arena;
    tsr_op *module;
    tsr_map by_value;
    TSR_VEC(axes_of *) values;
};

static axes_of *find(tsr_origins *o, const tsr_value *v)
{
    TSR_MAP_EACH (&o->by_value, tsr_hash_ptr(v), found) {
        axes_of *a = found;
        if (a->value == v)
            return a;
    }
    return NULL;
}

/* The first origin of an axis is kept. */
static void add(tsr_origins *o, tsr_value *v, tsr_attr *axis, tsr_attr *name)
{
    axes_of *a = find(o, v);
    if (!a) {
        a = TSR_NEW(o->arena, axes_of);
        a->value = v;
        tsr_map_put(&o->by_value, tsr_hash_ptr(v), a);
        tsr_vec_push(&o->values, a);
    }
    for (const origin *i = a->first; i; i = i->next)
        if (i->axis == axis)
            return;
    origin *new = TSR_NEW(o->arena, origin);
    *new = (origin){axis, name, NULL};
    if (a->last)
        a->last->next = new;
    else
        a->first = new;
    a->last = new;
}

static void add_sharding(tsr_origins *o, const tsr_value *v, const tsr_attr *sharding,
                         tsr_attr *name)
{
    tsr_value *at = v ? tsr_sdy_shardable(v) : NULL;
    if (!at || !tsr_sdy_is_sharding(sharding))
        return;
    for (uint32_t d = 0; d < tsr_sdy_dims(sharding)->n; d++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, d);
        for (uint32_t i = 0; i < axes->n; i++)
            add(o, at, axes->attrs[i], name);
    }
}

static tsr_attr *name_of(tsr_ctx *ctx, const char *fmt, int64_t a, int64_t b)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, fmt, (long long)a, (long long)b);
    tsr_attr *s = tsr_attr_string(ctx, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return s;
}

static void start_computation(tsr_origins *o, tsr_op *op, int64_t id)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_block *body = op->nregion ? op->regions[0].first : NULL;
    for (uint32_t i = 0; body && i < body->nargs; i++) {
        tsr_attr *name = name_of(ctx, "mc_%lld_input: %lld", id, i);
        add_sharding(o, body->args[i], tsr_sdy_list_sharding(op, true, i), name);
        if (i < op->nin)
            add_sharding(o, op->in[i].value, tsr_sdy_sharding_of(op->in[i].value), name);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        add_sharding(o, &op->out[i], tsr_sdy_list_sharding(op, false, i),
                     name_of(ctx, "mc_%lld_output: %lld", id, i));
    tsr_op_set_attr(op, NAME(ORIGIN_NAME), name_of(ctx, "mc_%lld", id, 0));
}

static const tsr_op *terminator(const tsr_op *func)
{
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    return body ? body->last : NULL;
}

static void start_func(tsr_origins *o, tsr_op *func)
{
    tsr_ctx *ctx = func->module->ctx;
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    const tsr_op *end = terminator(func);
    for (uint32_t i = 0; body && i < body->nargs; i++)
        add_sharding(o, body->args[i], tsr_sdy_sharding_of(body->args[i]),
                     name_of(ctx, "input: %lld", i, 0));
    for (uint32_t i = 0; end && i < end->nin; i++)
        add_sharding(o, end->in[i].value, tsr_sdy_result_sharding(func, i),
                     name_of(ctx, "output: %lld", i, 0));
}

tsr_origins *tsr_origins_start(tsr_arena *arena, tsr_op *module)
{
    tsr_origins *o = TSR_NEW(arena, tsr_origins);
    *o = (tsr_origins){.arena = arena, .module = module};
    int64_t id = 0;
    TSR_POST_OPS (module, op) {
        if (!tsr_has_role(op, TSR_ROLE_CONSTRAINT))
            continue;
        tsr_attr *name = name_of(module->module->ctx, "constraint_%lld", id++, 0);
        add_sharding(o, &op->out[0], tsr_sdy_own_sharding(op), name);
        tsr_op_set_attr(op, NAME(ORIGIN_NAME), name);
        add_sharding(o, op->in[0].value, tsr_sdy_sharding_of(op->in[0].value), name);
    }
    id = 0;
    TSR_POST_OPS (module, op)
        if (tsr_flow_of(op) == TSR_FLOW_MANUAL)
            start_computation(o, op, id++);
    TSR_BLOCK_OPS (module->regions[0].first, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            start_func(o, op);
    return o;
}

/* Axes may be cut and merged on the way: then the origin is that of an axis that contains this one, or is contained in
 * it. */
static tsr_attr *look_up(tsr_origins *o, const tsr_value *v, const tsr_attr *axis)
{
    const axes_of *a = v ? find(o, v) : NULL;
    for (const origin *i = a ? a->first : NULL; i; i = i->next)
        if (i->axis == axis)
            return i->name;
    for (const origin *i = a ? a->first : NULL; i; i = i->next)
        if (tsr_sdy_axis_overlaps(i->axis, axis))
            return i->name;
    return NULL;
}

/* The dictionary of a value's axes; its own origin is called self. */
static tsr_attr *dictionary(tsr_ctx *ctx, const axes_of *a, const tsr_attr *self)
{
    TSR_VEC(tsr_named) entries = {0};
    for (const origin *i = a->first; i; i = i->next) {
        tsr_buf text = {0}, bare = {0};
        tsr_sdy_axis_print(&text, i->axis);
        for (size_t k = 0; k < text.len; k++)
            if (text.data[k] != '"')
                tsr_buf_char(&bare, text.data[k]);
        tsr_attr *name = i->name == self ? tsr_attr_string(ctx, TSR_STR("self")) : i->name;
        tsr_vec_push(&entries, (tsr_named){tsr_name_get(ctx, tsr_buf_text(&bare)), name});
        tsr_buf_free(&text);
        tsr_buf_free(&bare);
    }
    tsr_attr *dict = tsr_attr_dict(ctx, entries.data, entries.n);
    tsr_vec_free(&entries);
    return dict;
}

/* Dictionaries of functions' arguments and results, set all at once. */
typedef struct {
    tsr_op *func;
    tsr_attr **args, **results;
} func_dicts;

static func_dicts *dicts_of(tsr_arena *arena, func_dicts *all, size_t n, tsr_op *func)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].func == func) {
            if (!all[i].args) {
                all[i].args = TSR_NEW_ARRAY(arena, tsr_attr *, tsr_func_count(func, true));
                all[i].results = TSR_NEW_ARRAY(arena, tsr_attr *, tsr_func_count(func, false));
            }
            return &all[i];
        }
    return NULL;
}

static tsr_op *func_around(tsr_op *op)
{
    while (op && !tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        op = tsr_block_parent(op->block);
    return op;
}

/* The origin name that an op (or the computation of an edge) provides. */
static const tsr_attr *own_name(tsr_ctx *ctx, const tsr_op *op)
{
    if (tsr_has_role(op, TSR_ROLE_CONSTRAINT))
        return tsr_dict_get(op->extra, NAME(ORIGIN_NAME));
    const tsr_value *owner = op->in[0].value;
    const tsr_op *parent = owner->is_arg ? tsr_block_parent(owner->block) : owner->op;
    const tsr_attr *name = tsr_flow_of(parent) == TSR_FLOW_MANUAL
                               ? tsr_dict_get(parent->extra, NAME(ORIGIN_NAME))
                               : NULL;
    if (!name)
        return NULL;
    tsr_buf text = {0};
    tsr_buf_printf(&text, "%.*s_%s: %u", TSR_STR_ARG(name->s), owner->is_arg ? "input" : "output",
                   owner->index);
    const tsr_attr *s = tsr_attr_string(ctx, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return s;
}

static void write_result(tsr_ctx *ctx, tsr_op *op, uint32_t i, tsr_attr *dict)
{
    const tsr_attr *old = tsr_dict_get(op->extra, NAME(ORIGINS));
    bool usable = tsr_attr_is(old, TSR_ATTR_ARRAY) && old->n == op->nout;
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t k = 0; k < op->nout; k++)
        tsr_vec_push(&dicts, k == i ? dict : usable ? old->attrs[k] : tsr_attr_dict(ctx, NULL, 0));
    tsr_op_set_attr(op, NAME(ORIGINS), tsr_attr_array(ctx, dicts.data, dicts.n));
    tsr_vec_free(&dicts);
}

static void write_value(tsr_origins *o, const axes_of *a, func_dicts *funcs, size_t nfunc)
{
    tsr_ctx *ctx = o->module->module->ctx;
    tsr_value *v = a->value;
    tsr_op *op = v->is_arg ? tsr_block_parent(v->block) : v->op, *func = func_around(op);
    func_dicts *f = func ? dicts_of(o->arena, funcs, nfunc, func) : NULL;
    const tsr_op *end = f ? terminator(func) : NULL;
    for (const tsr_use *use = v->uses; end && use; use = use->next)
        if (use->user == end) {
            size_t i = (size_t)(use - end->in);
            f->results[i] = dictionary(ctx, a, name_of(ctx, "output: %lld", (int64_t)i, 0));
            break;
        }
    if (v->is_arg) {
        if (f && op == func)
            f->args[v->index] = dictionary(ctx, a, name_of(ctx, "input: %lld", v->index, 0));
    } else if (tsr_has_role(op, TSR_ROLE_CONSTRAINT) || tsr_has_role(op, TSR_ROLE_EDGE)) {
        tsr_op_set_attr(op, NAME(ORIGINS), dictionary(ctx, a, own_name(ctx, op)));
    } else {
        write_result(ctx, op, v->index, dictionary(ctx, a, NULL));
    }
}

/* Sets attributes of functions' arguments and results that do not have them yet. */
static void write_funcs(const func_dicts *funcs, size_t n, tsr_str name)
{
    for (size_t i = 0; i < n; i++) {
        if (!funcs[i].args)
            continue;
        tsr_sdy_set_func_attr(funcs[i].func, true, name, funcs[i].args);
        tsr_sdy_set_func_attr(funcs[i].func, false, name, funcs[i].results);
    }
}

void tsr_origins_write(tsr_origins *o, const tsr_why *why)
{
    for (size_t i = 0; i < why->edges.n; i++) {
        const tsr_why_edge *e = &why->edges.data[i];
        const tsr_value *from = e->from.value ? tsr_sdy_shardable(e->from.value) : NULL;
        tsr_value *to = e->to.value ? tsr_sdy_shardable(e->to.value) : NULL;
        tsr_attr *name = look_up(o, from, e->axis);
        if (name && to)
            add(o, to, e->axis, name);
    }
    TSR_VEC(func_dicts) funcs = {0};
    TSR_BLOCK_OPS (o->module->regions[0].first, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            tsr_vec_push(&funcs, (func_dicts){op, NULL, NULL});
    for (size_t i = 0; i < o->values.n; i++)
        write_value(o, o->values.data[i], funcs.data, funcs.n);
    write_funcs(funcs.data, funcs.n, NAME(ORIGINS));
    tsr_vec_free(&funcs);
    tsr_vec_free(&o->values);
    tsr_map_free(&o->by_value);
}

/* ---- Edges ---- */

int64_t tsr_why_first_step(tsr_op *module)
{
    int64_t most = -1;
    TSR_OPS (module, op) {
        const tsr_attr *edges = op->extra ? tsr_dict_get(op->extra, NAME(EDGES)) : NULL;
        if (!tsr_attr_is_struct(edges, &tsr_def_SDY_PROPAGATION_EDGES))
            continue;
        for (uint32_t i = 0; i < edges->attrs[0]->n; i++) {
            int64_t step = edges->attrs[0]->attrs[i]->attrs[SDY_PROPAGATION_ONE_STEP_step]->i;
            most = step > most ? step : most;
        }
    }
    return most + 1;
}

/* Edges of one op, sorted by step, axis name, first occurrence of the axis, source, target. */
typedef struct {
    const tsr_why_edge *edge;
    size_t number;
} numbered;

static int by_op(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    uint32_t i = x->edge->op->id, k = y->edge->op->id;
    return i != k ? (i < k ? -1 : 1) : x->number < y->number ? -1 : x->number > y->number;
}

static int by_place(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    const tsr_why_edge *e = x->edge, *f = y->edge;
    if (e->step != f->step)
        return e->step < f->step ? -1 : 1;
    if (e->axis != f->axis) {
        int c = tsr_str_cmp(tsr_sdy_axis_name(e->axis)->s, tsr_sdy_axis_name(f->axis)->s);
        int64_t p = tsr_sdy_axis_pre(e->axis), q = tsr_sdy_axis_pre(f->axis);
        if (c || p != q)
            return c ? c : p < q ? -1 : 1;
    }
    if (e->source != f->source)
        return e->source < f->source ? -1 : 1;
    if (e->target != f->target)
        return e->target < f->target ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static tsr_attr *node(tsr_ctx *ctx, const tsr_why_edge *e, uint32_t tensor)
{
    bool result = tensor >= e->noperand;
    tsr_attr *params[] = {tsr_attr_i64(ctx, result ? TSR_SDY_RESULT : TSR_SDY_OPERAND),
                          tsr_attr_i64(ctx, result ? tensor - e->noperand : tensor)};
    return tsr_attr_struct(ctx, &tsr_def_SDY_EDGE_VALUE_REF, params);
}

/* Keeps the first of edges with the same axis, source and target. */
static size_t drop_repeated(numbered *edges, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool seen = false;
        for (size_t k = 0; k < kept && !seen; k++) {
            const tsr_why_edge *a = edges[k].edge, *b = edges[i].edge;
            seen = a->axis == b->axis && a->source == b->source && a->target == b->target;
        }
        if (!seen)
            edges[kept++] = edges[i];
    }
    return kept;
}

typedef TSR_VEC(tsr_attr *) attrs;

/* Edges of one op or one result, as an attribute. */
static tsr_attr *edges_attr(tsr_ctx *ctx, numbered *edges, size_t n)
{
    n = drop_repeated(edges, n);
    qsort(edges, n, sizeof *edges, by_place);
    attrs steps = {0}, axes = {0}, targets = {0};
    for (size_t i = 0; i < n;) {
        int64_t step = edges[i].edge->step;
        axes.n = 0;
        while (i < n && edges[i].edge->step == step) {
            const tsr_why_edge *first = edges[i].edge;
            targets.n = 0;
            for (; i < n && edges[i].edge->step == step && edges[i].edge->axis == first->axis &&
                   edges[i].edge->source == first->source;
                 i++)
                tsr_vec_push(&targets, node(ctx, edges[i].edge, edges[i].edge->target));
            tsr_attr *params[] = {first->axis, node(ctx, first, first->source),
                                  tsr_attr_array(ctx, targets.data, targets.n)};
            tsr_vec_push(&axes,
                         tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_TO_PROPAGATION_DETAILS, params));
        }
        tsr_attr *params[] = {tsr_attr_i64(ctx, step), tsr_attr_array(ctx, axes.data, axes.n)};
        tsr_vec_push(&steps, tsr_attr_struct(ctx, &tsr_def_SDY_PROPAGATION_ONE_STEP, params));
    }
    tsr_attr *list = tsr_attr_array(ctx, steps.data, steps.n);
    tsr_vec_free(&steps);
    tsr_vec_free(&axes);
    tsr_vec_free(&targets);
    return tsr_attr_struct(ctx, &tsr_def_SDY_PROPAGATION_EDGES, &list);
}

void tsr_why_write_edges(tsr_arena *arena, tsr_op *module, const tsr_why *why)
{
    tsr_ctx *ctx = module->module->ctx;
    size_t n = why->edges.n;
    numbered *all = tsr_arena_alloc(arena, n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (numbered){&why->edges.data[i], i};
    if (n)
        qsort(all, n, sizeof *all, by_op);
    for (size_t i = 0, end; i < n; i = end) {
        tsr_op *op = all[i].edge->op;
        for (end = i; end < n && all[end].edge->op == op;)
            end++;
        tsr_attr *attr = edges_attr(ctx, all + i, end - i);
        if (!tsr_op_has(op, TSR_TRAIT(FUNCTION))) {
            tsr_op_set_attr(op, NAME(EDGES), attr);
            continue;
        }
        /* The edges of all results go on the first one, as if the function had no others. */
        tsr_attr **values = TSR_NEW_ARRAY(arena, tsr_attr *, tsr_func_count(op, false));
        values[0] = attr;
        tsr_sdy_set_func_attr(op, false, NAME(EDGES), values);
    }
}
