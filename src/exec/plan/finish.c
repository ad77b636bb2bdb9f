/* SPDX-License-Identifier: Apache-2.0 */
/* finish.c - orders the groups, finds the live ranges of values, then plans memory and generates code. */
#include <stdlib.h>

#include "base/scope.h"
#include "exec/plan/code.h"
#include "exec/plan/invariants.h"
#include "exec/target.h"

typedef struct {
    tsr_program *p;
    tsr_block_program *block;
} ordering;

static tsr_xgroup *group_at(tsr_program *p, tsr_xid g)
{
    return &p->groups.data[g];
}

/* ---- Dead nodes ---- */

/* Marks v as needed, and the barrier that it is a result of. */
static void need(tsr_program *p, tsr_xid v)
{
    if (p->values.data[v].fence != TSR_XNONE)
        p->nodes.data[p->values.data[v].fence].dead = false;
    p->values.data[tsr_storage_of(p, v)].mark = 1;
}

static void need_results(tsr_program *p, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++)
        need(p, b->results[i]);
}

void tsr_loop_reads(const tsr_program *p, size_t end, uint32_t *counts)
{
    const tsr_node *loop = &p->nodes.data[end];
    for (size_t i = loop->first_inside; i < end; i++)
        for (uint32_t k = 0; k < p->nodes.data[i].nin; k++)
            counts[tsr_storage_of(p, p->nodes.data[i].in[k])]++;
    for (size_t i = loop->first_inside; i <= end; i++)
        for (uint32_t b = 0; b < p->nodes.data[i].nblock; b++)
            for (uint32_t k = 0; k < p->nodes.data[i].blocks[b]->nresults; k++)
                counts[tsr_storage_of(p, p->nodes.data[i].blocks[b]->results[k])]++;
}

/* Whether only the node that computes the next value k of a loop reads value k, and nothing else that next value. */
static bool only_feeds_itself(const tsr_program *p, const tsr_node *loop, size_t end, uint32_t k,
                              const uint32_t *counts)
{
    tsr_xid next = tsr_storage_of(p, loop->blocks[1]->results[k]), made = p->values.data[next].node;
    if (p->values.data[loop->out[k]].mark || made == TSR_XNONE || made < loop->first_inside ||
        made >= end || counts[loop->out[k]] != 1 || counts[next] != 1)
        return false;
    const tsr_node *n = &p->nodes.data[made];
    bool reads = false;
    for (uint32_t i = 0; i < n->nin; i++)
        reads |= tsr_storage_of(p, n->in[i]) == loop->out[k];
    return reads && n->nout == 1 && !n->nblock && !n->effect && !n->counts &&
           p->values.data[next].fence == TSR_XNONE &&
           p->values.data[loop->blocks[1]->results[k]].fence == TSR_XNONE;
}

/* Values that a loop carries for nobody, such as results of all its iterations that are not read afterwards, are not
 * carried. end: the loop's number. */
static void drop_carried(tsr_program *p, size_t end, uint32_t *counts)
{
    tsr_node *loop = &p->nodes.data[end];
    tsr_block_program *body = loop->blocks[1];
    uint32_t kept = 0, all = loop->ncarried;
    for (uint32_t k = 0; k < all; k++)
        counts[loop->out[k]] = counts[tsr_storage_of(p, body->results[k])] = 0;
    tsr_loop_reads(p, end, counts);
    for (uint32_t k = 0; k < all; k++) {
        if (only_feeds_itself(p, loop, end, k, counts)) {
            p->values.data[loop->out[k]].place = TSR_PLACE_NOWHERE;
            continue;
        }
        loop->in[kept] = loop->in[k];
        loop->out[kept] = loop->out[k];
        body->results[kept++] = body->results[k];
    }
    loop->ncarried = loop->nout = body->nresults = kept;
    for (uint32_t k = all; k < loop->nin; k++)
        loop->in[k - all + kept] = loop->in[k];
    loop->nin -= all - kept;
}

/* Finds dead nodes, last node first: a reader of a value always has a higher number than the node that computes it. */
static void find_dead(tsr_program *p, uint32_t *counts)
{
    for (size_t i = 0; i < p->nodes.n; i++)
        p->nodes.data[i].dead = true;
    need_results(p, &p->main);
    for (size_t i = p->nodes.n; i-- > 0;) {
        tsr_node *n = &p->nodes.data[i];
        n->dead &= !n->effect && !n->counts;
        for (uint32_t k = 0; k < n->nout; k++)
            n->dead &= !p->values.data[n->out[k]].mark;
        if (!n->dead && n->kind == TSR_NODE_WHILE)
            drop_carried(p, i, counts);
        for (uint32_t k = 0; !n->dead && k < n->nin; k++)
            need(p, n->in[k]);
        for (uint32_t k = 0; !n->dead && k < n->nblock; k++)
            need_results(p, n->blocks[k]);
    }
}

/* Gives results of a block a place in memory; a loop keeps values that only it reads in registers. */
static void place_results(tsr_program *p, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++) {
        tsr_xvalue *x = &p->values.data[tsr_storage_of(p, b->results[i])];
        if (x->place == TSR_PLACE_NOWHERE)
            x->place = TSR_PLACE_ARENA;
    }
}

static void place_operands(tsr_program *p, const tsr_node *n)
{
    for (uint32_t k = 0; k < n->nin; k++) {
        tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[k])];
        if (x->place == TSR_PLACE_NOWHERE && x->node != TSR_XNONE &&
            tsr_xgroup_find(p, p->nodes.data[x->node].group) != tsr_xgroup_find(p, n->group))
            x->place = TSR_PLACE_ARENA;
    }
    for (uint32_t k = 0; k < n->nblock; k++)
        place_results(p, n->blocks[k]);
}

/* Removes dead nodes from groups. */
static void keep_live(tsr_program *p)
{
    for (size_t i = 0; i < p->groups.n; i++) {
        tsr_xgroup *g = group_at(p, (tsr_xid)i);
        size_t kept = 0;
        bool reduces = false;
        for (size_t k = 0; k < g->nodes.n; k++) {
            const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
            reduces |= !n->dead && n->kind == TSR_NODE_REDUCE;
            if (!n->dead)
                g->nodes.data[kept++] = g->nodes.data[k];
        }
        g->nodes.n = kept;
        if (!reduces)
            g->mode = TSR_LOOP_MAP;
    }
}

static void drop_dead(tsr_program *p)
{
    uint32_t *counts = tsr_xmalloc((p->values.n + 1) * sizeof *counts);
    find_dead(p, counts);
    tsr_free(counts);
    tsr_values_unmark(p);
    keep_live(p);
}

/* Values that only their own group reads have no place in memory. */
static void place_values(tsr_program *p)
{
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        bool in_loop = n->kind <= TSR_NODE_REDUCE;
        if (n->kind == TSR_NODE_CONTRACT || n->kind == TSR_NODE_MOVE) {
            const tsr_xgroup *g = group_at(p, tsr_xgroup_find(p, n->group));
            in_loop = g->kind == TSR_NODE_TILE || tsr_is_before(g, n);
        }
        bool stays = !n->dead && (!in_loop || n->late);
        for (uint32_t k = 0; k < n->nout && !stays; k++)
            if (p->values.data[n->out[k]].place == TSR_PLACE_ARENA)
                p->values.data[n->out[k]].place = TSR_PLACE_NOWHERE;
    }
    place_results(p, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++)
        if (!p->nodes.data[i].dead)
            place_operands(p, &p->nodes.data[i]);
}

/* ---- Order ---- */

static void visit(const ordering *o, tsr_xid g);

static void visit_producer(const ordering *o, tsr_xid v)
{
    tsr_program *p = o->p;
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, v)];
    if (x->node == TSR_XNONE || p->nodes.data[x->node].group == TSR_XNONE)
        return;
    tsr_xid g = tsr_xgroup_find(p, p->nodes.data[x->node].group);
    if (group_at(p, g)->home == o->block)
        visit(o, g);
}

static void visit_operand(const ordering *o, tsr_xid v)
{
    tsr_xid fence = o->p->values.data[v].fence;
    if (fence != TSR_XNONE && group_at(o->p, o->p->nodes.data[fence].group)->home == o->block)
        visit(o, o->p->nodes.data[fence].group);
    visit_producer(o, v);
}

/* Visits the groups that g reads from, then g. */
static void visit(const ordering *o, tsr_xid g)
{
    tsr_program *p = o->p;
    if (group_at(p, g)->mark)
        return;
    group_at(p, g)->mark = 1;
    tsr_check_stack();
    if (group_at(p, g)->after != TSR_XNONE)
        visit(o, tsr_xgroup_find(p, group_at(p, g)->after));
    for (size_t i = 0; i < group_at(p, g)->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[group_at(p, g)->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            visit_operand(o, n->in[k]);
    }
    tsr_vec_push(&o->block->groups, g);
}

static int by_number(const void *a, const void *b)
{
    tsr_xid x = *(const tsr_xid *)a, y = *(const tsr_xid *)b;
    return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Puts the groups of b, which are sorted by their last ops, in an order in which they can run. */
static void order(tsr_program *p, tsr_block_program *b)
{
    ordering o = {p, b};
    tsr_xid *given = b->groups.data;
    size_t n = b->groups.n;
    memset(&b->groups, 0, sizeof b->groups);
    for (size_t i = 0; i < n; i++)
        visit(&o, given[i]);
    tsr_free(given);
    tsr_xid *kept = tsr_arena_copy(&p->arena, b->groups.data, b->groups.n * sizeof *kept);
    tsr_free(b->groups.data);
    b->groups.data = kept;
    b->groups.cap = b->groups.n;
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = group_at(p, b->groups.data[i]);
        const tsr_node *node = &p->nodes.data[g->nodes.data[0]];
        for (uint32_t k = 0; k < node->nblock; k++)
            order(p, node->blocks[k]);
    }
}

/* Gives each block its groups, sorted by their last ops: program order, as far as it can be kept. */
static void collect(tsr_program *p)
{
    size_t n = 0;
    uint64_t *keys = tsr_xmalloc((p->groups.n + 1) * sizeof *keys);
    for (tsr_xid g = 0; g < p->groups.n; g++) {
        tsr_xgroup *x = group_at(p, g);
        if (x->into != g || !x->nodes.n)
            continue;
        qsort(x->nodes.data, x->nodes.n, sizeof *x->nodes.data, by_number);
        keys[n++] = (uint64_t)x->nodes.data[x->nodes.n - 1] << 32 | g;
    }
    qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&group_at(p, (tsr_xid)keys[i])->home->groups, (tsr_xid)keys[i]);
    tsr_free(keys);
}

/* ---- Steps ---- */

static void number(tsr_program *p, tsr_block_program *b);

static void number_group(tsr_program *p, tsr_xgroup *g)
{
    g->step = p->nsteps++;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nout; k++)
            p->values.data[n->out[k]].first = p->values.data[n->out[k]].last = g->step;
    }
    const tsr_node *node = &p->nodes.data[g->nodes.data[0]];
    for (uint32_t k = 0; k < node->nblock; k++)
        number(p, node->blocks[k]);
    g->end = node->nblock ? p->nsteps++ : g->step;
    for (uint32_t k = 0; k < node->nout && node->nblock; k++) {
        tsr_xvalue *x = &p->values.data[node->out[k]];
        x->last_inside = x->last;
        x->last = g->end; /* where it is written, also if nothing reads it */
        x->loop = node->kind == TSR_NODE_WHILE ? g->nodes.data[0] + 1 : 0;
    }
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[k])];
            /* Initial values of a loop are read once; those also read inside appear among the operands again. */
            uint32_t end = n->kind == TSR_NODE_WHILE && k < n->ncarried ? g->step : g->end;
            if (x->last < end)
                x->last = end;
        }
    }
}

static void number(tsr_program *p, tsr_block_program *b)
{
    b->first = p->nsteps++;
    for (size_t i = 0; i < b->groups.n; i++)
        number_group(p, group_at(p, b->groups.data[i]));
    b->last = p->nsteps++;
    for (uint32_t i = 0; i < b->nresults; i++) {
        tsr_xvalue *x = &p->values.data[tsr_storage_of(p, b->results[i])];
        if (x->place == TSR_PLACE_NOWHERE)
            x->place = TSR_PLACE_ARENA;
        /* Passing an argument on unchanged is no use of it: it stays where it is. */
        if (x->last < b->last)
            x->last = b->last;
    }
}

/* What a group works in is a value that lives while it runs. */
static void add_workspaces(tsr_program *p)
{
    tsr_ctx *ctx = p->module->ctx;
    for (size_t i = 0; i < p->groups.n; i++) {
        tsr_xgroup *g = group_at(p, (tsr_xid)i);
        int64_t bytes = g->into == i && g->nodes.n ? (int64_t)p->target->workspace(p, g) : 0;
        if (!bytes)
            continue;
        tsr_xvalue x = {.type =
                            tsr_type_tensor(ctx, &bytes, 1, tsr_dtype_type(ctx, TSR_D_U8), NULL),
                        .place = TSR_PLACE_ARENA,
                        .dtype = TSR_D_U8,
                        .rank = 1,
                        .n = bytes,
                        .part = true,
                        .node = g->nodes.data[0],
                        .fence = TSR_XNONE,
                        .shares = TSR_XNONE,
                        .first = g->step,
                        .last = g->step,
                        .op = p->nodes.data[g->nodes.data[0]].op};
        x.dims = x.type->dims;
        g->work = (tsr_xid)p->values.n;
        tsr_vec_push(&p->values, x);
    }
}

static void code_all(tsr_program *p)
{
    uint16_t *registers = tsr_xmalloc((p->values.n + 1) * sizeof *registers);
    for (size_t i = 0; i < p->groups.n; i++) {
        const tsr_xgroup *g = group_at(p, (tsr_xid)i);
        if (g->into != i || !g->mark)
            continue;
        for (int side = 0; side < 2; side++)
            if (g->before[side])
                tsr_code_group(p, g->before[side] - 1, registers);
        if (g->kind == TSR_NODE_TILE)
            tsr_code_group(p, (tsr_xid)i, registers);
    }
    tsr_free(registers);
}

void tsr_program_finish(tsr_program *p)
{
    drop_dead(p);
    collect(p);
    order(p, &p->main);
    tsr_products_join(p);
    tsr_groups_schedule(p);
    if (!p->strict)
        tsr_values_round(p);
    tsr_values_recompute(p);
    if (p->target->moves_in_loops)
        tsr_moves_join(p);
    keep_live(p);
    tsr_groups_keep(p, &p->main);
    if (p->target->slices_in_place)
        tsr_slices_in_place(p);
    if (p->target->computed_factor)
        tsr_prologues_join(p);
    place_values(p);
    tsr_collectives_split(p);
    number(p, &p->main);
    if (p->target->workspace)
        add_workspaces(p);
    tsr_memory_plan(p);
    if (!p->unread)
        code_all(p);
#ifdef TSR_CHECKS
    tsr_program_check_invariants(p);
#endif
}
