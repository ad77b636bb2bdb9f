/* SPDX-License-Identifier: Apache-2.0 */
/* compiled.c - memory of a step as the engine plans it: a device's program is compiled, though nothing runs it, and its
 * plan of memory is what reports tell. What memory.c finds from the ops alone is an estimate, for the search.
 *
 * Reports that show memory over time need it by task. The engine computes values in steps of its own, so tasks are put in
 * the order of the steps in which it computes their results, and each stands for the moment, of those since the task
 * before it, at which most is in memory. */
#include "sim/sim.h"

#include <stdlib.h>

#include "eval/plan.h"
#include "exec/report.h"
#include "exec/target.h"

/* A value in memory, from step first to step last, or what is left free between values. */
typedef struct {
    const tsr_value *value;
    double bytes;
    uint32_t first, last;
    uint32_t next; /* 1 + the next one of its block */
} stored;

/* Steps of a block: of its own, and of those inside. */
typedef struct {
    uint32_t first, last;
    uint32_t around; /* number of the block around it */
    uint32_t values; /* 1 + the first of its values */
    bool known;
} range;

struct tsr_sim_engine {
    uint32_t *step; /* by op id: 1 + the last step that computes some of it; 0: none */
    range *blocks;  /* by block id */
    uint32_t *in;   /* by step: the innermost block */
    double *live;   /* by step: bytes */
    TSR_VEC(stored) values;
    uint32_t nsteps;
};
typedef struct tsr_sim_engine engine;

/* The value of the IR that a value of the program is; of one inside of an op, a result of that op. NULL: none. */
static const tsr_value *value_of(const tsr_program *p, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    if (x->argument)
        return p->function->regions[0].first->args[x->argument - 1];
    return x->op && x->result < x->op->nout ? &x->op->out[x->result] : NULL;
}

/* ---- The plan ---- */

/* Memory is reported for a caller that gives up what the function donates: results in donated memory are not counted
 * beside it. */
static void find_alive(const tsr_program *p, tsr_shard_plan *plan)
{
    tsr_alive_vec all = {0};
    tsr_program_alive(p, &all);
    for (int arguments = 1; arguments >= 0; arguments--)
        for (size_t i = 0; i < all.n; i++) {
            const tsr_xvalue *x = &p->values.data[all.data[i].value];
            const tsr_value *value = value_of(p, all.data[i].value);
            if (value && (x->argument != 0) == arguments && !x->donor)
                tsr_vec_push(&plan->alive, ((tsr_plan_alive){value, (int64_t)all.data[i].bytes}));
        }
    tsr_vec_free(&all);
}

static const tsr_op *op_of(const tsr_program *p, const tsr_xgroup *g)
{
    for (size_t i = g->nodes.n; i-- > 0;)
        if (p->nodes.data[g->nodes.data[i]].op)
            return p->nodes.data[g->nodes.data[i]].op;
    return p->function->regions[0].first->last;
}

/* fixed: bytes that are in memory all the time. */
static void find_moments(const tsr_program *p, uint64_t fixed, tsr_shard_plan *plan)
{
    uint64_t *live = tsr_xmalloc((p->nsteps + 1) * sizeof *live);
    tsr_program_live(p, live);
    for (size_t i = 0; i < p->main.groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[p->main.groups.data[i]];
        uint64_t most = 0;
        for (uint32_t s = g->step; s <= g->end; s++)
            most = live[s] > most ? live[s] : most;
        if (g->step <= p->peak_step)
            plan->peak_at = plan->moments.n;
        tsr_vec_push(&plan->moments, ((tsr_plan_moment){op_of(p, g), (int64_t)(fixed + most)}));
    }
    tsr_free(live);
}

/* A value whose size is known when it runs has no place in the plan. */
static bool has_sizes(const tsr_program *p)
{
    for (tsr_xid v = 0; v < p->values.n; v++)
        if (p->values.data[v].n < 0 && p->values.data[v].type->kind == TSR_TYPE_TENSOR)
            return false;
    return true;
}

static bool take_memory(const tsr_program *p, tsr_shard_plan *plan)
{
    tsr_memory_use use;
    TSR_TRY(has_sizes(p));
    tsr_program_memory(p, &use);
    plan->alive.n = plan->moments.n = plan->peak_at = 0;
    plan->peak = (int64_t)(use.peak - use.donated);
    plan->compiled = true;
    find_alive(p, plan);
    find_moments(p, use.arguments + use.results - use.donated, plan);
    return true;
}

/* ---- Steps ---- */

static void note_ranges(const tsr_program *p, engine *e)
{
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->group == TSR_XNONE || !n->op)
            continue;
        const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, n->group)];
        if (g->end + 1 > e->step[n->op->id])
            e->step[n->op->id] = g->end + 1;
        for (uint32_t k = 0; k < n->nblock && n->nblock == n->op->nregion; k++) {
            const tsr_block *block = n->op->regions[k].first;
            const tsr_block_program *b = n->blocks[k];
            e->blocks[block->id] =
                (range){b->first, b->last, n->op->block->id, 0, b->last < e->nsteps};
        }
    }
}

static int by_width(const void *a, const void *b)
{
    const range *const *x = a, *const *y = b;
    uint32_t m = (*x)->last - (*x)->first, n = (*y)->last - (*y)->first;
    return m != n ? (m < n ? 1 : -1) : (*x > *y) - (*x < *y);
}

/* The innermost block of each step: wide ones first, those inside over them. */
static void fill_in(engine *e, uint32_t nblock, uint32_t main)
{
    const range **order = tsr_xmalloc((nblock + 1) * sizeof *order);
    size_t n = 0;
    for (uint32_t b = 0; b < nblock; b++)
        if (e->blocks[b].known && b != main)
            order[n++] = &e->blocks[b];
    if (n)
        qsort(order, n, sizeof *order, by_width);
    for (uint32_t s = 0; s <= e->nsteps; s++)
        e->in[s] = main;
    for (size_t i = 0; i < n; i++)
        for (uint32_t s = order[i]->first; s <= order[i]->last; s++)
            e->in[s] = (uint32_t)(order[i] - e->blocks);
    tsr_free(order);
}

static void add_stored(engine *e, const tsr_value *value, double bytes, uint32_t first,
                       uint32_t last)
{
    uint32_t b = e->in[first];
    while (last > e->blocks[b].last || first < e->blocks[b].first)
        b = e->blocks[b].around;
    tsr_vec_push(&e->values, ((stored){value, bytes, first, last, e->blocks[b].values}));
    e->blocks[b].values = (uint32_t)e->values.n;
}

static void add_values(const tsr_program *p, engine *e)
{
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        double bytes = (double)tsr_xvalue_bytes(x);
        const tsr_value *value = value_of(p, v);
        bool kernels = x->place == TSR_PLACE_TENSOR && !x->given && x->node != TSR_XNONE;
        if (!bytes || !value)
            continue;
        if (x->place == TSR_PLACE_ARGUMENT)
            add_stored(e, value, bytes, 0, e->nsteps);
        else if ((x->place == TSR_PLACE_ARENA && x->is_result && !x->donor) || x->given)
            add_stored(e, value, bytes, 0, e->nsteps);
        else if ((kernels || tsr_xvalue_is_planned(x)) && x->first <= x->last)
            add_stored(e, value, bytes, x->first, x->last < e->nsteps ? x->last : e->nsteps);
    }
}

/* Bytes in memory by step; returns the most. */
static double find_live(engine *e)
{
    double most = 0;
    for (size_t i = 0; i < e->values.n; i++) {
        const stored *v = &e->values.data[i];
        e->live[v->first] += v->bytes;
        if (v->last < e->nsteps)
            e->live[v->last + 1] -= v->bytes;
    }
    for (uint32_t s = 0; s <= e->nsteps; s++) {
        e->live[s] += s ? e->live[s - 1] : 0;
        most = e->live[s] > most ? e->live[s] : most;
    }
    return most;
}

static const engine *keep_steps(const tsr_program *p, const tsr_shard_plan *plan, tsr_arena *keep)
{
    const tsr_module *m = p->module;
    uint32_t main = p->function->regions[0].first->id;
    engine *e = TSR_NEW(keep, engine);
    *e = (engine){.step = TSR_NEW_ARRAY(keep, uint32_t, m->nop),
                  .blocks = TSR_NEW_ARRAY(keep, range, m->nblock),
                  .in = TSR_NEW_ARRAY(keep, uint32_t, p->nsteps + 1),
                  .live = TSR_NEW_ARRAY(keep, double, p->nsteps + 1),
                  .nsteps = p->nsteps};
    e->blocks[main] = (range){0, p->nsteps, main, 0, true};
    note_ranges(p, e);
    fill_in(e, m->nblock, main);
    add_values(p, e);
    double most = find_live(e);
    if ((double)plan->peak > most)
        add_stored(e, NULL, (double)plan->peak - most, 0, e->nsteps);
    stored *values = tsr_arena_copy(keep, e->values.data, e->values.n * sizeof *values);
    tsr_vec_free(&e->values);
    e->values.data = values;
    return e;
}

bool tsr_sim_compiled(tsr_shard_plan *plan, tsr_arena *keep, const struct tsr_sim_engine **steps)
{
    tsr_module *m = plan->func->module;
    tsr_plan *facts = tsr_plan_facts(m);
    bool done = false;
    if (!tsr_plan_needs_evaluator(facts)) {
        const tsr_program_options options = {
            .target = &tsr_target_cpu, .unread = true, .plan = facts};
        tsr_program *p = tsr_program_new(m, plan->func, &options);
        done = p && take_memory(p, plan);
        if (done && keep)
            *steps = keep_steps(p, plan, keep);
        tsr_program_free(p);
    }
    tsr_plan_free(facts);
    return done;
}

/* ---- Tasks in the order of steps ---- */

typedef struct {
    uint32_t task, step;
} place;

static int by_step(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* Tasks in order; one that the engine does not know stays behind the task before it. */
static void find_order(const tsr_sim *sim, const range *r, place *order)
{
    uint32_t last = r->first;
    for (uint32_t i = 0; i < sim->tasks.n; i++) {
        const tsr_op *op = sim->tasks.data[i].op;
        uint32_t step = sim->engine->step[op->id];
        last = step && step - 1 >= r->first && step - 1 <= r->last ? step - 1 : last;
        order[i] = (place){i, last};
    }
    qsort(order, sim->tasks.n, sizeof *order, by_step);
}

static void reorder(tsr_sim *sim, const place *order)
{
    size_t n = sim->tasks.n;
    tsr_sim_task *tasks = tsr_xmalloc(n * sizeof *tasks);
    uint32_t *now = tsr_xmalloc(n * sizeof *now);
    for (uint32_t i = 0; i < n; i++) {
        tasks[i] = sim->tasks.data[order[i].task];
        now[order[i].task] = i;
    }
    memcpy(sim->tasks.data, tasks, n * sizeof *tasks);
    for (size_t i = 0; i < sim->needs.n; i++)
        sim->needs.data[i] = now[sim->needs.data[i]];
    tsr_free(tasks);
    tsr_free(now);
}

/* The step of each task at which most is in memory, of those since the task before it; the last task has the rest. */
static void find_most(const engine *e, const range *r, place *order, size_t n)
{
    uint32_t from = r->first;
    for (size_t i = 0; i < n; i++) {
        uint32_t to = i + 1 < n ? order[i].step : r->last, most = to;
        for (uint32_t s = from; s <= to; s++)
            most = e->live[s] > e->live[most] ? s : most;
        from = order[i].step + 1 > from ? order[i].step + 1 : from;
        order[i].step = most;
    }
}

static void find_spans(tsr_sim *sim, const range *r, const place *order)
{
    const engine *e = sim->engine;
    uint32_t n = (uint32_t)sim->tasks.n;
    for (uint32_t k = r->values; k; k = e->values.data[k - 1].next) {
        const stored *v = &e->values.data[k - 1];
        uint32_t low = 0, high = n;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (order[middle].step >= v->first)
                high = middle;
            else
                low = middle + 1;
        }
        for (high = low; high < n && order[high].step <= v->last; high++)
            sim->live.data[high] += v->bytes;
        if (high > low)
            tsr_vec_push(&sim->spans, ((tsr_sim_span){v->value, v->bytes, low, high - 1}));
    }
}

/* Bytes of values that belong to blocks inside of a task. */
static double held_at(const engine *e, const tsr_op *op, uint32_t step)
{
    double sum = 0;
    for (uint32_t r = 0; r < op->nregion; r++) {
        const range *inner = op->regions[r].first ? &e->blocks[op->regions[r].first->id] : NULL;
        if (!inner || !inner->known || step < inner->first || step > inner->last)
            continue;
        for (uint32_t k = inner->values; k; k = e->values.data[k - 1].next) {
            const stored *v = &e->values.data[k - 1];
            sum += v->first <= step && step <= v->last ? v->bytes : 0;
        }
        TSR_BLOCK_OPS (op->regions[r].first, in)
            if (in->nregion)
                sum += held_at(e, in, step);
    }
    return sum;
}

void tsr_sim_arrange(tsr_sim *sim, const tsr_block *block)
{
    const range *r = &sim->engine->blocks[block->id];
    sim->spans.n = 0;
    if (sim->live.n)
        memset(sim->live.data, 0, sim->live.n * sizeof *sim->live.data);
    if (!r->known || !sim->tasks.n)
        return;
    place *order = tsr_xmalloc(sim->tasks.n * sizeof *order);
    find_order(sim, r, order);
    reorder(sim, order);
    find_most(sim->engine, r, order, sim->tasks.n);
    find_spans(sim, r, order);
    for (size_t i = 0; i < sim->tasks.n; i++)
        sim->tasks.data[i].held = held_at(sim->engine, sim->tasks.data[i].op, order[i].step);
    tsr_free(order);
}
