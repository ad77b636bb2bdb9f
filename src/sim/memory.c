/* memory.c - memory in use while a device's program is simulated, in program order: see sim.h. */
#include "sim/sim.h"

#include <math.h>

#include "shard/core/cost.h"

static double bytes_of(const tsr_value *v)
{
    int64_t n = tsr_local_bytes(v->type, NULL);
    return n > 0 ? (double)n : 0;
}

/* Bytes freed at each task: before its results are allocated, or after. */
typedef struct {
    double *before, *after;
} ends;

/* Whether the task can write its result into the buffer of an argument that it is the last to read. */
static bool in_place(const tsr_op *op, const tsr_value *v)
{
    return op && op->nout == 1 && op->out[0].type == v->type &&
           tsr_op_has(op, TSR_TRAIT(ELEMENTWISE));
}

static void end_args(const tsr_sim *sim, const tsr_block *block, const uint32_t *last,
                     const tsr_op *func, ends *e)
{
    for (uint32_t i = 0; i < block->nargs; i++) {
        const tsr_value *v = block->args[i];
        uint32_t at = last[v->id];
        if (!at || !tsr_arg_is_donated(func, i))
            continue;
        /* A result can reuse the buffer of only one argument. */
        bool here = in_place(sim->tasks.data[at - 1].op, v) && e->before[at - 1] == 0;
        (here ? e->before : e->after)[at - 1] += bytes_of(v);
    }
}

/* The last task that needs result v of task i. */
static uint32_t end_of(const uint32_t *last, const bool *kept, const tsr_value *v, uint32_t i)
{
    return kept[v->index] ? UINT32_MAX : last[v->id] ? last[v->id] - 1 : i;
}

/* Whether the block returns the value, perhaps through barriers. */
static bool is_given(const tsr_value *v, const tsr_block *block)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (u->user->block == block &&
            (tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)) ||
             (tsr_sim_is_barrier(u->user) && is_given(&u->user->out[u - u->user->in], block))))
            return true;
    return false;
}

/* For each result of the task: whether the block returns it. */
static void find_kept(const tsr_op *op, bool *kept)
{
    for (uint32_t k = 0; k < op->nout; k++)
        kept[k] = is_given(&op->out[k], op->block);
}

static void find_alive(tsr_sim *sim, const tsr_block *block, const uint32_t *last,
                       const tsr_op *func, uint32_t at, bool *kept)
{
    for (uint32_t i = 0; i < block->nargs; i++)
        if (!tsr_arg_is_donated(func, i) || last[block->args[i]->id] > at)
            tsr_vec_push(&sim->alive,
                         ((tsr_plan_alive){block->args[i], (int64_t)bytes_of(block->args[i])}));
    for (uint32_t i = 0; i <= at && i < sim->tasks.n; i++) {
        const tsr_op *op = sim->tasks.data[i].op;
        find_kept(op, kept);
        for (uint32_t k = 0; k < op->nout; k++)
            if (end_of(last, kept, &op->out[k], i) >= at)
                tsr_vec_push(&sim->alive,
                             ((tsr_plan_alive){&op->out[k], (int64_t)bytes_of(&op->out[k])}));
    }
}

void tsr_sim_memory(tsr_sim *sim, const tsr_block *block, const uint32_t *last, const tsr_op *func)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    uint32_t n = (uint32_t)sim->tasks.n, most = 1, peak_at = 0;
    ends e = {TSR_NEW_ARRAY(&arena, double, n + 1), TSR_NEW_ARRAY(&arena, double, n + 1)};
    double live = 0;
    for (uint32_t i = 0; i < n; i++)
        most = sim->tasks.data[i].op->nout > most ? sim->tasks.data[i].op->nout : most;
    bool *kept = TSR_NEW_ARRAY(&arena, bool, most);
    for (uint32_t i = 0; func && i < block->nargs; i++)
        live += bytes_of(block->args[i]);
    if (func)
        end_args(sim, block, last, func, &e);
    sim->peak = live;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_op *op = sim->tasks.data[i].op;
        find_kept(op, kept);
        live -= e.before[i];
        for (uint32_t k = 0; k < op->nout; k++) {
            double bytes = bytes_of(&op->out[k]);
            uint32_t at = end_of(last, kept, &op->out[k], i);
            live += bytes;
            if (at < n)
                e.after[at] += bytes;
        }
        if (live + sim->tasks.data[i].held > sim->peak) {
            sim->peak = live + sim->tasks.data[i].held;
            peak_at = i;
        }
        live -= e.after[i];
    }
    if (func)
        find_alive(sim, block, last, func, peak_at, kept);
    tsr_arena_free(&arena);
}
