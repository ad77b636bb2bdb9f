/* SPDX-License-Identifier: Apache-2.0 */
/* play.c - schedules tasks on resources in the order in which they become ready: see sim.h. */
#include "sim/sim.h"

#include <math.h>

enum { RESOURCES = 1 + TSR_SIM_LINKS * 65 };

/* Ready tasks of one resource, as a heap with the earliest in program order on top. */
typedef TSR_VEC(uint32_t) heap;

static void heap_add(heap *h, uint32_t x)
{
    tsr_vec_push(h, x);
    for (size_t i = h->n - 1; i && h->data[(i - 1) / 2] > h->data[i]; i = (i - 1) / 2) {
        uint32_t up = h->data[(i - 1) / 2];
        h->data[(i - 1) / 2] = h->data[i];
        h->data[i] = up;
    }
}

static uint32_t heap_take(heap *h)
{
    uint32_t top = h->data[0];
    h->data[0] = h->data[--h->n];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t c = 2 * i + 1; c < 2 * i + 3 && c < h->n; c++)
            least = h->data[c] < h->data[least] ? c : least;
        if (least == i)
            return top;
        uint32_t x = h->data[i];
        h->data[i] = h->data[least];
        h->data[least] = x;
        i = least;
    }
}

typedef struct {
    tsr_sim *sim;
    uint32_t *waits;        /* by task: dependences that have not finished */
    uint32_t *first, *next; /* by task, by dependence: who waits for it */
    heap ready[RESOURCES];
    uint32_t running[RESOURCES];     /* 1 + task */
    uint32_t used[RESOURCES], nused; /* resources that some task needs */
} player;

static double end_of(const tsr_sim_task *t)
{
    return t->start + t->seconds;
}

static void start_ready(player *p, double now)
{
    for (uint32_t i = 0; i < p->nused; i++) {
        uint32_t r = p->used[i];
        if (p->running[r] || !p->ready[r].n)
            continue;
        uint32_t t = heap_take(&p->ready[r]);
        p->sim->tasks.data[t].start = now;
        p->running[r] = t + 1;
    }
}

/* The running task that finishes first; 0: none is running. */
static uint32_t first_to_end(const player *p)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < p->nused; i++) {
        uint32_t t = p->running[p->used[i]];
        if (t &&
            (!best || end_of(&p->sim->tasks.data[t - 1]) < end_of(&p->sim->tasks.data[best - 1])))
            best = t;
    }
    return best;
}

static void link_up(player *p)
{
    tsr_sim *sim = p->sim;
    for (uint32_t t = 0; t < sim->tasks.n; t++) {
        tsr_sim_task *task = &sim->tasks.data[t];
        task->resource = task->resource < RESOURCES ? task->resource : RESOURCES - 1;
        p->waits[t] = task->nneed;
        for (uint32_t i = task->need; i < task->need + task->nneed; i++) {
            uint32_t before = sim->needs.data[i];
            p->next[i] = p->first[before];
            p->first[before] = i + 1;
        }
        bool known = false;
        for (uint32_t i = 0; i < p->nused; i++)
            known |= p->used[i] == task->resource;
        if (!known)
            p->used[p->nused++] = task->resource;
        if (!task->nneed)
            heap_add(&p->ready[task->resource], t);
    }
}

void tsr_sim_play(tsr_sim *sim)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    player *p = TSR_NEW(&arena, player);
    p->sim = sim;
    p->waits = TSR_NEW_ARRAY(&arena, uint32_t, sim->tasks.n + 1);
    p->first = TSR_NEW_ARRAY(&arena, uint32_t, sim->tasks.n + 1);
    p->next = TSR_NEW_ARRAY(&arena, uint32_t, sim->needs.n + 1);
    uint32_t *user = TSR_NEW_ARRAY(&arena, uint32_t, sim->needs.n + 1);
    for (uint32_t t = 0; t < sim->tasks.n; t++)
        for (uint32_t i = 0; i < sim->tasks.data[t].nneed; i++)
            user[sim->tasks.data[t].need + i] = t;
    link_up(p);
    double now = 0, inside = 0;
    start_ready(p, now);
    for (uint32_t t; (t = first_to_end(p)) != 0; start_ready(p, now)) {
        const tsr_sim_task *task = &sim->tasks.data[t - 1];
        now = end_of(task);
        p->running[task->resource] = 0;
        for (uint32_t i = p->first[t - 1]; i; i = p->next[i - 1])
            if (--p->waits[user[i - 1]] == 0)
                heap_add(&p->ready[sim->tasks.data[user[i - 1]].resource], user[i - 1]);
        if (task->collective) {
            sim->talking += task->seconds;
            sim->ncollective++;
        } else {
            sim->computing += task->seconds - task->inside;
            sim->talking += task->talking;
            inside += task->ncollective;
            sim->later += task->later;
            sim->multiplying += task->multiplying;
        }
        sim->flops += task->flops;
        sim->moved += task->moved;
    }
    sim->ncollective += (uint32_t)fmin(inside, 1e9);
    sim->seconds = now;
    sim->exposed = fmax(0, now - sim->computing);
    for (uint32_t i = 0; i < RESOURCES; i++)
        tsr_vec_free(&p->ready[i]);
    tsr_arena_free(&arena);
}

void tsr_sim_free(tsr_sim *sim)
{
    tsr_vec_free(&sim->tasks);
    tsr_vec_free(&sim->needs);
    tsr_vec_free(&sim->alive);
    tsr_vec_free(&sim->spans);
    tsr_vec_free(&sim->live);
}
