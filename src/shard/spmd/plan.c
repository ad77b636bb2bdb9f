/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - see plan.h. One walk over the function for collectives and operations; callees are planned at their calls. */
#include "shard/spmd/plan.h"

#include "dialect/flops.h"

#include "base/scope.h"
#include "dialect/sdy/axes.h"
#include "dialect/stablehlo/loop.h"
#include "shard/spmd/cost.h"
#include "shard/spmd/spmd.h"
#include "text/text.h"

typedef struct {
    tsr_arena *arena;
    tsr_shard_plan *plan;
    tsr_shardings table;
    tsr_module *m;
    uint8_t *walking; /* by op id of a function: being planned */
} planner;

/* Adds a size to a sum, which becomes unknown if the size is. */
static void add_bytes(int64_t *sum, int64_t n)
{
    *sum = n < 0 || *sum < 0 ? -1 : *sum + n;
}

/* ---- Collectives ---- */

/* The partitioner's notes on a collective that it created: axes, separated by commas, and cause. */
static tsr_str noted_axes(planner *p, const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, TSR_NOTE_AXES);
    bool is_list = tsr_attr_is_struct(a, &tsr_def_SDY_AXIS_REF_LIST);
    tsr_buf text = {0};
    for (uint32_t i = 0; is_list && i < a->attrs[0]->n; i++) {
        tsr_buf_cstr(&text, i ? "," : "");
        tsr_sdy_axis_print_plain(&text, a->attrs[0]->attrs[i]);
    }
    tsr_str axes = {tsr_arena_copy(p->arena, text.data, text.len), text.len};
    tsr_buf_free(&text);
    return axes;
}

static tsr_str noted_cause(const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, TSR_NOTE_CAUSE);
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){0};
}

static void add_step(planner *p, tsr_op *op, const tsr_spmd_cost *cost, const tsr_plan_step *where)
{
    tsr_plan_step step = {
        .op = op,
        .kind = {op->def->name.data + 10, op->def->name.len - 10}, /* without "stablehlo." */
        .axes = noted_axes(p, op),
        .type = op->out[0].type,
        .ntensor = op->nout,
        .devices = cost->ndevice,
        .moved = cost->moved,
        .bytes = cost->after,
        .cause = noted_cause(op),
        .cause_loc = op->loc,
        .in_loop = where->in_loop,
        .per_turn = where->per_turn,
        .turns = where->turns};
    tsr_vec_push(&p->plan->steps, step);
}

/* ---- Totals ---- */

/* What a block costs; below 0: unknown. */
typedef struct {
    int64_t moved, moved_once, ncollective;
    double flops, flops_once;
} totals;

static void add_totals(totals *sum, const totals *t, int64_t turns)
{
    add_bytes(&sum->moved, t->moved < 0 ? -1 : tsr_sdy_mul(t->moved, turns));
    add_bytes(&sum->moved_once, t->moved_once);
    sum->ncollective += tsr_sdy_mul(t->ncollective, turns);
    sum->flops = sum->flops < 0 || t->flops < 0 ? -1 : sum->flops + (double)turns * t->flops;
    sum->flops_once = sum->flops_once < 0 || t->flops < 0 ? -1 : sum->flops_once + t->flops_once;
}

static totals walk(planner *p, tsr_block *block, const tsr_plan_step *where);

static totals region_totals(planner *p, tsr_region *region, const tsr_plan_step *where)
{
    totals sum = {0};
    TSR_REGION_BLOCKS (region, b) {
        totals t = walk(p, b, where);
        add_totals(&sum, &t, 1);
    }
    return sum;
}

static totals loop_totals(planner *p, tsr_op *op, const tsr_plan_step *where)
{
    int64_t turns = tsr_loop_turns(op);
    tsr_plan_step inside = *where;
    totals sum = {0};
    inside.in_loop = true;
    inside.per_turn |= turns < 0;
    p->plan->nloop++;
    p->plan->nunknown += turns < 0;
    turns = turns < 0 ? 1 : turns;
    inside.turns = tsr_sdy_mul(where->turns, turns);
    for (uint32_t r = 0; r < op->nregion; r++) {
        totals t = region_totals(p, &op->regions[r], &inside);
        add_totals(&sum, &t, turns);
    }
    return sum;
}

/* Of each figure the most that a branch has. */
static totals branch_totals(planner *p, tsr_op *op, const tsr_plan_step *where)
{
    totals most = {0};
    size_t first = p->plan->steps.n, from = first, end = first;
    for (uint32_t r = 0; r < op->nregion; r++) {
        size_t start = p->plan->steps.n;
        totals t = region_totals(p, &op->regions[r], where);
        if (t.moved < 0 || t.moved > most.moved || r == 0) {
            from = start;
            end = p->plan->steps.n;
        }
        most.moved =
            t.moved < 0 || (most.moved >= 0 && t.moved > most.moved) ? t.moved : most.moved;
        most.moved_once = t.moved_once > most.moved_once ? t.moved_once : most.moved_once;
        most.ncollective = t.ncollective > most.ncollective ? t.ncollective : most.ncollective;
        most.flops =
            t.flops < 0 || (most.flops >= 0 && t.flops > most.flops) ? t.flops : most.flops;
        most.flops_once = t.flops_once > most.flops_once ? t.flops_once : most.flops_once;
    }
    for (size_t i = first; i < p->plan->steps.n; i++)
        p->plan->steps.data[i].other_branch |= i < from || i >= end;
    p->plan->nbranch += op->nregion > 1 && (most.moved || most.flops);
    return most;
}

static totals call_totals(planner *p, tsr_op *op, const tsr_plan_step *where)
{
    totals sum = {0};
    tsr_op *callee = tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")));
    if (!callee || !callee->nregion || !callee->regions[0].first || p->walking[callee->id])
        return sum;
    p->walking[callee->id] = 1;
    sum = walk(p, callee->regions[0].first, where);
    p->walking[callee->id] = 0;
    return sum;
}

/* where: the loops and branches that the block is in, as a step in it has them. */
static totals walk(planner *p, tsr_block *block, const tsr_plan_step *where)
{
    totals sum = {0};
    tsr_check_stack();
    TSR_BLOCK_OPS (block, op) {
        tsr_spmd_cost cost;
        totals own = {.flops = tsr_op_flops(op)};
        own.flops_once = own.flops;
        if (tsr_spmd_cost_of(op, &cost)) {
            add_step(p, op, &cost, where);
            own.moved = own.moved_once = cost.moved;
            own.ncollective = 1;
        }
        add_totals(&sum, &own, 1);
        tsr_flow_kind flow = tsr_flow_of(op);
        totals inner = {0};
        if (tsr_op_has(op, TSR_TRAIT(CALL)))
            inner = call_totals(p, op, where);
        else if (op->nregion && flow == TSR_FLOW_LOOP)
            inner = loop_totals(p, op, where);
        else if (op->nregion && flow != TSR_FLOW_NONE)
            inner = branch_totals(p, op, where);
        add_totals(&sum, &inner, 1);
    }
    return sum;
}

static void add_up(planner *p, tsr_block *body)
{
    tsr_shard_plan *plan = p->plan;
    totals t = walk(p, body, &(tsr_plan_step){.turns = 1});
    plan->moved = t.moved;
    plan->moved_once = t.moved_once;
    plan->ncollective = t.ncollective;
    plan->flops = t.flops;
    plan->flops_once = t.flops_once;
}

/* ---- The plan ---- */

static tsr_str local_text(planner *p, tsr_type *type, const tsr_sharding *s)
{
    tsr_buf text = {0};
    const tsr_type *local = tsr_local_type(p->m->ctx, type, s);
    tsr_str full = tsr_type_print(local);
    tsr_str shape = full;
    if (tsr_type_is(local, TSR_TYPE_TENSOR) && full.len > 8) /* tensor<...> */
        shape = (tsr_str){full.data + 7, full.len - 8};
    tsr_buf_str(&text, shape);
    tsr_free((void *)full.data);
    tsr_str kept = {tsr_arena_copy(p->arena, text.data, text.len), text.len};
    tsr_buf_free(&text);
    return kept;
}

static tsr_plan_value value_of(planner *p, tsr_str name, tsr_type *type, tsr_attr *sharding)
{
    const tsr_sharding *s = tsr_sharding_decode(&p->table, sharding);
    return (tsr_plan_value){.name = name,
                            .type = type,
                            .sharding = sharding,
                            .local = local_text(p, type, s),
                            .bytes = tsr_local_bytes(type, s)};
}

void tsr_shard_plan_meshes(tsr_arena *arena, tsr_module *m, tsr_shard_plan *plan)
{
    tsr_meshes meshes;
    tsr_meshes_init(&meshes, arena, m->op);
    TSR_BLOCK_OPS (m->op->regions[0].first, op) {
        const tsr_mesh *mesh =
            tsr_has_role(op, TSR_ROLE_MESH)
                ? tsr_meshes_get(&meshes, tsr_attr_symbol(m->ctx, tsr_op_symbol(op), NULL, 0))
                : NULL;
        if (mesh)
            tsr_vec_push(&plan->meshes, mesh);
    }
    tsr_meshes_free(&meshes);
}

/* The global type and sharding of argument or result i, as the partitioner recorded them; otherwise type and sharding
 * stay. */
static void whole_of(const tsr_attr *dicts, uint32_t i, tsr_type **type, tsr_attr **sharding)
{
    const tsr_attr *dict = dicts && i < dicts->n ? dicts->attrs[i] : NULL;
    const tsr_attr *global = tsr_dict_get(dict, TSR_STR("tessera.global"));
    tsr_attr *how = tsr_dict_get(dict, TSR_STR("tessera.sharding"));
    if (!tsr_attr_is(global, TSR_ATTR_TYPE) || !tsr_sdy_is_sharding(how))
        return;
    *type = global->type;
    *sharding = how;
}

void tsr_shard_plan_make(tsr_arena *arena, tsr_op *func, tsr_shard_plan *plan)
{
    tsr_module *m = func->module;
    planner p = {.arena = arena, .plan = plan, .m = m};
    plan->func = func;
    tsr_shardings_init(&p.table, arena, m->op);
    p.walking = TSR_NEW_ARRAY(arena, uint8_t, m->nop);
    tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_type *whole = body->args[i]->type;
        tsr_attr *sharding = tsr_sdy_arg_sharding(func, i);
        whole_of(tsr_op_attr(func, TSR_STR("arg_attrs")), i, &whole, &sharding);
        tsr_vec_push(&plan->args,
                     value_of(&p, tsr_value_known_as(arena, body->args[i]), whole, sharding));
        add_bytes(&plan->arg_bytes, plan->args.data[i].bytes);
    }
    const tsr_type *type = tsr_op_attr(func, TSR_STR("function_type"))->type;
    for (uint32_t i = 0; i < type->nout; i++) {
        tsr_type *whole = type->types[type->n + i];
        tsr_attr *sharding = tsr_sdy_result_sharding(func, i);
        whole_of(tsr_op_attr(func, TSR_STR("res_attrs")), i, &whole, &sharding);
        tsr_vec_push(&plan->results,
                     value_of(&p, tsr_result_known_as(arena, func, i), whole, sharding));
        add_bytes(&plan->result_bytes, plan->results.data[i].bytes);
    }
    p.walking[func->id] = 1;
    tsr_symcache symbols;
    tsr_symcache_start(m, &symbols);
    add_up(&p, body);
    tsr_symcache_stop(&symbols);
    plan->peak = -1;
    tsr_shardings_free(&p.table);
}

void tsr_shard_plan_free(tsr_shard_plan *plan)
{
    tsr_vec_free(&plan->meshes);
    tsr_vec_free(&plan->args);
    tsr_vec_free(&plan->results);
    tsr_vec_free(&plan->steps);
    tsr_vec_free(&plan->moments);
    tsr_vec_free(&plan->alive);
    if (plan->flat)
        tsr_module_free(plan->flat);
}
