/* plan.c - see plan.h. One walk over the function for collectives and liveness; callees are planned at their calls. */
#include "shard/spmd/plan.h"

#include "dialect/flops.h"

#include <stdio.h>

#include "dialect/sdy/axes.h"
#include "shard/spmd/cost.h"
#include "shard/spmd/spmd.h"

typedef struct {
    tsr_arena *arena;
    tsr_shard_plan *plan;
    tsr_shardings table;
    tsr_module *m;
    uint32_t *last_use;    /* by value id: index of the last op in its block that uses it, from 1 */
    bool *dead;            /* by value id: it has died, so that a repeated operand counts once */
    uint8_t *walking;      /* by op id of a function: being planned */
    const tsr_block *body; /* of the function */
    bool *donated;         /* by argument of it: its buffer is donated */
    bool unknown;          /* some value has an unknown size */
} planner;

static const tsr_sharding *sharding_of(planner *p, const tsr_value *v)
{
    return tsr_sharding_decode(&p->table, tsr_sdy_sharding_of(v));
}

/* A value of unknown size counts as 0, and makes the peak unknown. */
static int64_t local_bytes(planner *p, const tsr_value *v)
{
    int64_t n = tsr_local_bytes(v->type, sharding_of(p, v));
    p->unknown |= n < 0;
    return n < 0 ? 0 : n;
}

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

static void add_step(planner *p, tsr_op *op, const tsr_spmd_cost *cost, bool in_loop)
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
        .in_loop = in_loop};
    tsr_vec_push(&p->plan->steps, step);
    add_bytes(&p->plan->moved, cost->moved);
}

/* ---- Memory ---- */

/* Numbers the last use of every value within its own block: a use inside a region counts for the enclosing op. */
static void number_uses(planner *p, tsr_block *block)
{
    uint32_t at = 0;
    TSR_BLOCK_OPS (block, op) {
        at++;
        TSR_OPS (op, inner)
            for (uint32_t i = 0; i < inner->nin; i++) {
                const tsr_value *v = inner->in[i].value;
                if ((v->is_arg ? v->block : v->op->block) == block) {
                    p->last_use[v->id] = at;
                    p->dead[v->id] = false;
                }
            }
    }
}

static int64_t block_peak(planner *p, tsr_block *block, bool in_loop);

static int64_t region_peak(planner *p, tsr_op *op, bool in_loop)
{
    int64_t most = 0;
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b) {
            int64_t peak = block_peak(p, b, in_loop);
            most = peak > most ? peak : most;
        }
    return most;
}

/* A body of scalars (of a reduce, a sort, ...) takes negligible memory. */
static bool has_own_values(const tsr_op *op)
{
    return tsr_flow_of(op) != TSR_FLOW_NONE;
}

static int64_t call_peak(planner *p, tsr_op *op, bool in_loop)
{
    tsr_op *callee = tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")));
    if (!callee || !callee->nregion || !callee->regions[0].first || p->walking[callee->id])
        return 0;
    p->walking[callee->id] = 1;
    int64_t peak = block_peak(p, callee->regions[0].first, in_loop);
    p->walking[callee->id] = 0;
    return peak;
}

/* Whether the value is dead after op number at: a value of the block, or a donated argument. */
static bool dies_at(const planner *p, const tsr_block *block, const tsr_value *v, uint32_t at)
{
    if (v->is_arg ? v->block != block || block != p->body || !p->donated[v->index]
                  : v->op->block != block)
        return false;
    return p->last_use[v->id] == at;
}

/* Whether the op computes in place of its operand i, which dies there. */
static bool in_place(const tsr_op *op, uint32_t i)
{
    return op->in[i].value->is_arg && op->nout == 1 && tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)) &&
           op->in[i].value->type == op->out[0].type;
}

/* Bytes that die at op number at: before its result is computed, and after. */
static void dying_bytes(planner *p, const tsr_block *block, const tsr_op *op, uint32_t at,
                        int64_t *before, int64_t *after)
{
    bool placed = false; /* a result reuses only one buffer */
    *before = *after = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value;
        if (p->dead[v->id] || !dies_at(p, block, v, at))
            continue;
        p->dead[v->id] = true;
        bool here = !placed && in_place(op, i);
        placed |= here;
        *(here ? before : after) += local_bytes(p, v);
    }
}

/* The peak bytes of values defined in this block, minus donated arguments that have died. Other arguments belong to the
 * caller. */
static int64_t block_peak(planner *p, tsr_block *block, bool in_loop)
{
    int64_t live = 0, most = 0, before, after;
    uint32_t at = 0;
    number_uses(p, block);
    TSR_BLOCK_OPS (block, op) {
        int64_t inside = 0;
        at++;
        tsr_spmd_cost local;
        if (tsr_spmd_cost_of(op, &local))
            add_step(p, op, &local, in_loop);
        double flops = tsr_op_flops(op);
        p->plan->flops = flops < 0 || p->plan->flops < 0 ? -1 : p->plan->flops + flops;
        if (op->nregion && has_own_values(op))
            inside = region_peak(p, op, in_loop || tsr_sdy_flow_of(op) == TSR_FLOW_LOOP);
        else if (tsr_op_has(op, TSR_TRAIT(CALL)))
            inside = call_peak(p, op, in_loop);
        dying_bytes(p, block, op, at, &before, &after);
        live -= before;
        for (uint32_t i = 0; i < op->nout; i++)
            live += local_bytes(p, &op->out[i]);
        if (block == p->body)
            tsr_vec_push(&p->plan->moments, ((tsr_plan_moment){op, live + inside}));
        most = live + inside > most ? live + inside : most;
        live -= after;
        for (uint32_t i = 0; i < op->nout; i++)
            if (!op->out[i].uses)
                live -= local_bytes(p, &op->out[i]);
    }
    return most;
}

/* Adds the arguments to each moment of the body, and finds the live values at the peak. */
static void find_alive(planner *p, int64_t arg_bytes)
{
    tsr_shard_plan *plan = p->plan;
    for (size_t i = 0; i < plan->moments.n; i++) {
        plan->moments.data[i].live += arg_bytes > 0 ? arg_bytes : 0;
        if (plan->moments.data[i].live > plan->moments.data[plan->peak_at].live)
            plan->peak_at = i;
    }
    for (uint32_t i = 0; i < p->body->nargs; i++) {
        tsr_value *v = p->body->args[i];
        if (!p->donated[i] || p->last_use[v->id] > plan->peak_at)
            tsr_vec_push(&plan->alive, ((tsr_plan_alive){v, local_bytes(p, v)}));
    }
    for (size_t i = 0; plan->moments.n && i <= plan->peak_at; i++) {
        const tsr_op *op = plan->moments.data[i].op;
        for (uint32_t k = 0; k < op->nout; k++)
            if (i == plan->peak_at || p->last_use[op->out[k].id] > plan->peak_at)
                tsr_vec_push(&plan->alive,
                             ((tsr_plan_alive){&op->out[k], local_bytes(p, &op->out[k])}));
    }
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

static tsr_plan_value value_of(planner *p, const char *prefix, uint32_t i, tsr_type *type,
                               tsr_attr *sharding)
{
    char name[32];
    int n = snprintf(name, sizeof name, "%s%u", prefix, i);
    const tsr_sharding *s = tsr_sharding_decode(&p->table, sharding);
    return (tsr_plan_value){.name = {tsr_arena_copy(p->arena, name, (size_t)n), (size_t)n},
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
    p.last_use = TSR_NEW_ARRAY(arena, uint32_t, m->nvalue);
    p.dead = TSR_NEW_ARRAY(arena, bool, m->nvalue);
    p.walking = TSR_NEW_ARRAY(arena, uint8_t, m->nop);
    tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_type *whole = body->args[i]->type;
        tsr_attr *sharding = tsr_sdy_arg_sharding(func, i);
        whole_of(tsr_op_attr(func, TSR_STR("arg_attrs")), i, &whole, &sharding);
        tsr_vec_push(&plan->args, value_of(&p, "%arg", i, whole, sharding));
        add_bytes(&plan->arg_bytes, plan->args.data[i].bytes);
    }
    const tsr_type *type = tsr_op_attr(func, TSR_STR("function_type"))->type;
    for (uint32_t i = 0; i < type->nout; i++) {
        tsr_type *whole = type->types[type->n + i];
        tsr_attr *sharding = tsr_sdy_result_sharding(func, i);
        whole_of(tsr_op_attr(func, TSR_STR("res_attrs")), i, &whole, &sharding);
        tsr_vec_push(&plan->results, value_of(&p, "#", i, whole, sharding));
        add_bytes(&plan->result_bytes, plan->results.data[i].bytes);
    }
    p.walking[func->id] = 1;
    p.body = body;
    p.donated = TSR_NEW_ARRAY(arena, bool, body->nargs + 1);
    for (uint32_t i = 0; i < body->nargs; i++)
        p.donated[i] = tsr_arg_is_donated(func, i);
    plan->peak = plan->arg_bytes;
    tsr_symcache symbols;
    tsr_symcache_start(m, &symbols);
    add_bytes(&plan->peak, block_peak(&p, body, false));
    tsr_symcache_stop(&symbols);
    plan->peak = p.unknown ? -1 : plan->peak;
    find_alive(&p, plan->arg_bytes);
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
}
