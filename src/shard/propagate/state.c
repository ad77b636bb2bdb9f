/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - the engine's view of a module: where each value's sharding is stored, its current sharding, groups, calls,
 * and writing attributes back. */
#include "dialect/opcode.h"
#include "shard/core/calls.h"
#include "shard/core/flow.h"
#include "shard/propagate/propagate.h"

/* ---- Sharding groups ---- */

/* A sdy.sharding_group. */
typedef struct {
    int64_t id;
    uint32_t number; /* in program order */
    tsr_value *value;
} member;

typedef TSR_VEC(member) members;

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The common sharding of a group's members that have one; NULL: none. *conflict: they differ. */
static tsr_attr *common_sharding(const member *all, size_t n, bool *conflict)
{
    if (n == 1)
        return tsr_sdy_sharding_of(all[0].value);
    tsr_attr *sharding = NULL;
    for (size_t i = 0; i < n; i++) {
        tsr_attr *s = tsr_sdy_sharding_of(all[i].value);
        bool says = false;
        for (uint32_t d = 0; s && d < tsr_sdy_dims(s)->n; d++)
            says |= tsr_sdy_dim_axes(s, d)->n ||
                    tsr_sdy_dims(s)->attrs[d]->attrs[SDY_DIMENSION_SHARDING_is_closed]->i;
        if (!says || s == sharding)
            continue;
        if (!sharding) {
            sharding = s;
            continue;
        }
        const tsr_value *v = all[0].value;
        const tsr_op *op = v->is_arg ? tsr_block_parent(v->block) : v->op;
        tsr_emit(op->module->ctx, TSR_WARNING, op->loc,
                 "The initial operand shardings on the sharding groups of groupID: %lld do not "
                 "match. Inserting an open "
                 "sharding constraint to all constrained values. This can be caused when shardings "
                 "from different values are "
                 "grouped (e.g. from jax.shard_alike) but have separate inconsistent sharding "
                 "constraints on them.",
                 (long long)all[0].id);
        *conflict = true;
        break;
    }
    return sharding;
}

/* Inserts an open constraint after v, which all other users use from now on. */
static tsr_value *constrain(tsr_value *v, tsr_attr *like)
{
    tsr_op *parent = v->is_arg ? tsr_block_parent(v->block) : v->op;
    tsr_ctx *ctx = parent->module->ctx;
    tsr_attr *open = tsr_sdy_open(ctx, like->attrs[SDY_SHARDING_mesh], tsr_sdy_dims(like)->n);
    tsr_op *op = tsr_op_new(parent->module, tsr_opdef_of(ctx, TSR_OP_SDY_SHARDING_CONSTRAINT),
                            tsr_value_loc(v), &v, 1, &v->type, 1, 0, 0);
    op->attrs[SDY_SHARDING_CONSTRAINT_sharding] = open;
    if (v->is_arg)
        tsr_op_insert(op, v->block, v->block->first);
    else
        tsr_op_insert(op, v->op->block, v->op->next);
    tsr_flow_move_uses(v, &op->out[0], op);
    return &op->out[0];
}

/* Makes members of a group alike; if they conflict, constrains them. Returns whether an op was inserted. */
static bool sync_group(member *all, size_t n)
{
    bool conflict = false;
    tsr_attr *s = common_sharding(all, n, &conflict);
    for (size_t i = 0; s && i < n; i++) {
        if (conflict)
            all[i].value = constrain(all[i].value, s);
        else
            tsr_sdy_set_sharding(all[i].value, s);
    }
    return conflict;
}

static size_t group_end(const members *all, size_t first)
{
    size_t end = first;
    while (end < all->n && all->data[end].id == all->data[first].id)
        end++;
    return end;
}

static bool add_group(tsr_engine *e, const member *all, size_t n)
{
    tsr_value_group *g = &e->groups[e->ngroup++];
    *g = (tsr_value_group){TSR_NEW_ARRAY(e->arena, uint32_t, n), (uint32_t)n};
    for (size_t i = 0; i < n; i++) {
        uint32_t *of = &e->group_of[all[i].value->id];
        if (*of && *of != e->ngroup)
            return tsr_error(e->ctx, tsr_value_loc(all[i].value),
                             "Value can only map to one sharding group id after import.");
        *of = e->ngroup;
        g->members[i] = all[i].value->id;
    }
    return true;
}

static bool init_groups(tsr_engine *e)
{
    members all = {0};
    bool inserted = false, ok = true;
    if (!tsr_module_may_have_role(e->module->module, TSR_ROLE_GROUP))
        return true;
    TSR_OPS (e->module, op)
        if (tsr_has_role(op, TSR_ROLE_GROUP))
            tsr_vec_push(&all, (member){op->attrs[SDY_SHARDING_GROUP_group_id]->i, (uint32_t)all.n,
                                        op->in[0].value});
    if (!all.n)
        return true;
    qsort(all.data, all.n, sizeof *all.data, by_group);
    size_t n = 0;
    for (size_t i = 0, end; i < all.n; i = end, n++) {
        end = group_end(&all, i);
        inserted |= sync_group(all.data + i, end - i);
    }
    if (inserted)
        tsr_module_renumber(e->module->module);
    e->groups = TSR_NEW_ARRAY(e->arena, tsr_value_group, n);
    e->group_of = TSR_NEW_ARRAY(e->arena, uint32_t, e->module->module->nvalue);
    for (size_t i = 0, end; ok && i < all.n; i = end) {
        end = group_end(&all, i);
        ok = add_group(e, all.data + i, end - i);
    }
    tsr_vec_free(&all);
    return ok;
}

/* ---- Values ---- */

static void add_value(tsr_engine *e, tsr_value *v, bool plain)
{
    e->values[v->id] = v;
    const tsr_value *at = plain ? v : tsr_sdy_shardable(v);
    e->place[v->id] = at ? at->id : TSR_NO_PLACE;
    if (at == v)
        e->now[v->id] = tsr_sharding_decode(&e->table, tsr_sdy_sharding_of(v));
}

static void add_op(tsr_engine *e, tsr_op *op)
{
    bool plain = !tsr_sdy_is_data_flow(op);
    for (uint32_t i = 0; i < op->nout; i++)
        add_value(e, &op->out[i], plain);
    bool func = tsr_op_has(op, TSR_TRAIT(FUNCTION));
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++)
                add_value(e, b->args[i], func && b == op->regions[0].first);
}

/* Shapes must be static; tuples are not tensors. */
static bool valid_shapes(tsr_op *module)
{
    TSR_POST_OPS (module, op) {
        for (uint32_t i = 0; i < op->nout; i++) {
            const tsr_type *t = op->out[i].type;
            bool tuple = t->kind == TSR_TYPE_TUPLE;
            if (!tuple && (!tsr_type_is_shaped(t) || tsr_type_has_static_shape(t)))
                continue;
            tsr_buf text = {0};
            module->module->ctx->print_type(&text, t);
            tsr_error(op->module->ctx, op->loc,
                      tuple ? "Shardy propagation doesn't support tuples: '%.*s'"
                            : "Shardy propagation only supports ranked tensors with a static "
                              "shape. type: '%.*s'",
                      TSR_STR_ARG(tsr_buf_text(&text)));
            tsr_buf_free(&text);
            return false;
        }
    }
    return true;
}

/* ---- Functions and calls ---- */

static void add_call(tsr_engine *e, tsr_op *call, const tsr_symtab *symbols, tsr_op **last)
{
    const tsr_attr *callee = tsr_op_attr(call, TSR_STR("callee"));
    tsr_op *func =
        tsr_attr_is(callee, TSR_ATTR_SYMBOL) ? tsr_symtab_find(symbols, callee->s) : NULL;
    if (!func || !tsr_op_has(func, TSR_TRAIT(FUNCTION)))
        return;
    e->callees[call->id] = func;
    e->calls[last[func->id] ? last[func->id]->id : func->id] = call;
    last[func->id] = call;
}

static void find_calls(tsr_engine *e)
{
    bool any = false;
    for (uint32_t i = 0; i < e->nop; i++)
        any |= e->program[i] && tsr_op_has(e->program[i], TSR_TRAIT(CALL));
    if (!any)
        return;
    e->calls = TSR_NEW_ARRAY(e->arena, tsr_op *, e->nop);
    e->callees = TSR_NEW_ARRAY(e->arena, tsr_op *, e->nop);
    e->handed_to = TSR_NEW_ARRAY(e->arena, const tsr_value *, e->nvalue);
    tsr_op **last = TSR_NEW_ARRAY(e->arena, tsr_op *, e->nop);
    for (uint32_t i = 0; i < e->nop; i++)
        if (e->program[i] && tsr_op_has(e->program[i], TSR_TRAIT(CALL)))
            add_call(e, e->program[i], &e->table.meshes.symbols, last);
}

static bool is_func(const tsr_op *op)
{
    return op && tsr_op_has(op, TSR_TRAIT(FUNCTION));
}

static bool find_funcs(tsr_engine *e, const tsr_op **main)
{
    uint32_t n = 0, results = 0;
    *main = e->options->all_functions ? NULL : tsr_entry_func(e->module, e->options->entry);
    if (!*main && !e->options->all_functions)
        return false;
    for (uint32_t i = 0; i < e->nop; i++)
        if (is_func(e->program[i])) {
            n++;
            results += tsr_func_count(e->program[i], false);
        }
    e->nfunc = n;
    e->funcs = TSR_NEW_ARRAY(e->arena, tsr_func_results, n);
    e->nplace = e->nvalue + results;
    n = 0;
    results = e->nvalue;
    for (uint32_t i = 0; i < e->nop; i++)
        if (is_func(e->program[i])) {
            e->funcs[n] = (tsr_func_results){.func = e->program[i], .first = results};
            results += tsr_func_count(e->program[i], false);
            n++;
        }
    return true;
}

/* ---- Start and end ---- */

bool tsr_engine_init(tsr_engine *e, tsr_arena *scratch, tsr_op *module,
                     const tsr_propagate_options *options)
{
    tsr_module *m = module->module;
    *e = (tsr_engine){
        .options = options, .ctx = m->ctx, .module = module, .arena = scratch, .first = true};
    tsr_arena_init_pooled(&e->step, &m->ctx->pool);
    tsr_shardings_init(&e->table, scratch, module);
    /* With our own rules, ops with such values have none, and shardings do not propagate through them. */
    if ((!options->extra_rules && !valid_shapes(module)) || !init_groups(e))
        return false;
    e->nvalue = m->nvalue;
    e->nop = m->nop;
    tsr_rules_init(&e->rules, scratch, m,
                   (tsr_rule_options){options->conservative, options->extra_rules});
    e->program = TSR_NEW_ARRAY(scratch, tsr_op *, e->nop);
    for (tsr_op *op = tsr_walk_next(module, module); op; op = tsr_walk_next(module, op))
        e->program[op->id] = op;
    const tsr_op *main;
    if (!find_funcs(e, &main))
        return false;
    e->values = TSR_NEW_ARRAY(scratch, tsr_value *, e->nvalue);
    e->place = TSR_NEW_ARRAY(scratch, uint32_t, e->nvalue);
    e->now = TSR_NEW_ARRAY(scratch, const tsr_sharding *, e->nplace);
    e->changed = TSR_NEW_ARRAY(scratch, uint32_t, e->nplace);
    e->sites = TSR_NEW_ARRAY(scratch, tsr_site, e->nop);
    e->waiting = TSR_NEW_ARRAY(scratch, uint32_t, e->nop);
    e->above = TSR_NEW_ARRAY(scratch, tsr_op *, e->nop);
    for (tsr_op *op = tsr_walk_next(module, module); op; op = tsr_walk_next(module, op))
        add_op(e, op);
    for (uint32_t i = 0; i < e->nfunc; i++)
        for (uint32_t k = 0; k < tsr_func_count(e->funcs[i].func, false); k++)
            e->now[e->funcs[i].first + k] =
                tsr_sharding_decode(&e->table, tsr_sdy_result_sharding(e->funcs[i].func, k));
    e->before = tsr_arena_copy(scratch, e->now, e->nplace * sizeof *e->now);
    find_calls(e);
    for (uint32_t i = 0; i < e->nfunc; i++)
        if (!main || e->funcs[i].func == main)
            tsr_engine_func_sites(e, &e->funcs[i]);
    return true;
}

void tsr_engine_free(tsr_engine *e)
{
    tsr_arena_free(&e->step);
    tsr_shardings_free(&e->table);
    tsr_map_free(&e->rule_map);
    tsr_map_free(&e->memo);
    tsr_free(e->stack);
}

void tsr_engine_set(tsr_engine *e, uint32_t place, const tsr_sharding *sharding)
{
    const tsr_value *v = place < e->nvalue ? e->values[place] : NULL;
    e->time++;
    if (v && !v->is_arg && v->op->nout > 1 && !e->now[place])
        for (uint32_t i = 0; i < v->op->nout; i++) {
            const tsr_value *other = &v->op->out[i];
            uint32_t rank = tsr_type_is_shaped(other->type) ? other->type->n : 0;
            e->now[other->id] = tsr_sharding_empty(&e->table, sharding->mesh, rank, false);
            e->changed[other->id] = e->time;
        }
    e->now[place] = sharding;
    e->changed[place] = e->time;
}

/* ---- Writing attributes back ---- */

static tsr_attr *encode(tsr_engine *e, uint32_t place)
{
    return tsr_sharding_encode(&e->table, e->now[place]);
}

static bool differs(const tsr_engine *e, uint32_t place)
{
    return e->now[place] != e->before[place];
}

static void write_func(tsr_engine *e, const tsr_func_results *f)
{
    uint32_t n = tsr_func_count(f->func, false);
    bool results = false, args = false;
    for (uint32_t i = 0; i < n; i++)
        results |= differs(e, f->first + i);
    const tsr_block *body = f->func->nregion ? f->func->regions[0].first : NULL;
    uint32_t nargs = body ? body->nargs : 0;
    tsr_attr **attrs = tsr_arena_alloc(&e->step, (n > nargs ? n : nargs) * sizeof *attrs);
    for (uint32_t i = 0; i < n; i++)
        attrs[i] = encode(e, f->first + i);
    if (results)
        tsr_sdy_set_result_shardings(f->func, attrs);
    for (uint32_t i = 0; i < nargs; i++) {
        args |= differs(e, body->args[i]->id);
        attrs[i] = encode(e, body->args[i]->id);
    }
    if (args)
        tsr_sdy_set_arg_shardings(f->func, attrs);
}

static void write_op(tsr_engine *e, tsr_op *op)
{
    bool any = false;
    for (uint32_t i = 0; i < op->nout; i++)
        any |= differs(e, op->out[i].id);
    if (any && op->nout == 1 && tsr_sdy_has_list(op) && !tsr_sdy_is_data_flow(op)) {
        tsr_sharding *s = (tsr_sharding *)e->now[op->out[0].id];
        tsr_attr *attr = encode(e, op->out[0].id);
        if (s && !s->list)
            s->list = tsr_sdy_per_value(e->ctx, &attr, 1);
        tsr_sdy_set_list(op, s ? s->list : NULL);
    } else if (any && op->nout == 1) {
        tsr_sdy_set_sharding(&op->out[0], encode(e, op->out[0].id));
    } else if (any) {
        tsr_attr **attrs = tsr_arena_alloc(&e->step, op->nout * sizeof *attrs);
        for (uint32_t i = 0; i < op->nout; i++)
            attrs[i] = encode(e, op->out[i].id);
        tsr_sdy_set_shardings(op, attrs, op->nout);
    }
    for (uint32_t r = 0; r < op->nregion && !tsr_op_has(op, TSR_TRAIT(FUNCTION)); r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++)
                if (differs(e, b->args[i]->id))
                    tsr_sdy_set_sharding(b->args[i], encode(e, b->args[i]->id));
}

void tsr_engine_write_back(tsr_engine *e)
{
    tsr_arena_mark mark = tsr_arena_save(&e->step);
    for (uint32_t i = 0; i < e->nfunc; i++)
        write_func(e, &e->funcs[i]);
    for (uint32_t i = 0; i < e->nop; i++)
        if (e->program[i])
            write_op(e, e->program[i]);
    memcpy(e->before, e->now, e->nplace * sizeof *e->now);
    tsr_arena_rewind(&e->step, mark);
}
