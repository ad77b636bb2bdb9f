/* finish.c - the order of groups, the steps in which values live, and then memory and code. */
#include <stdlib.h>

#include "base/scope.h"
#include "exec/code.h"

typedef struct {
    tsr_program *p;
    tsr_block_program *block;
} ordering;

static tsr_xgroup *group_at(tsr_program *p, tsr_xid g)
{
    return &p->groups.data[g];
}

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

/* What g needs, then g. */
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
            visit_producer(o, n->in[k]);
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

/* Whether anything that a loop computes goes to memory. */
static bool is_needed(const tsr_program *p, const tsr_xgroup *g)
{
    if (g->kind != TSR_NODE_TILE)
        return true;
    for (size_t i = 0; i < g->nodes.n; i++)
        if (p->values.data[p->nodes.data[g->nodes.data[i]].out[0]].place != TSR_PLACE_NOWHERE)
            return true;
    return false;
}

/* Puts the groups of b, which has them by their last ops, in an order in which they can run. */
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

/* Gives each block its groups, by the last op of each: the order of the program as far as it can be kept. */
static void collect(tsr_program *p)
{
    size_t n = 0;
    uint64_t *keys = tsr_xmalloc((p->groups.n + 1) * sizeof *keys);
    for (tsr_xid g = 0; g < p->groups.n; g++) {
        tsr_xgroup *x = group_at(p, g);
        if (x->into != g || !is_needed(p, x))
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
    for (uint32_t k = 0; k < node->nout && node->kind == TSR_NODE_WHILE; k++) {
        p->values.data[node->out[k]].last_inside = p->values.data[node->out[k]].last;
        p->values.data[node->out[k]].last = g->end;
        p->values.data[node->out[k]].loop = g->nodes.data[0] + 1;
    }
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[k])];
            if (x->last < g->end)
                x->last = g->end;
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
        /* That an argument is handed on is no use of it: it stays where it is. */
        if (x->last < b->last)
            x->last = b->last;
    }
}

static void code_all(tsr_program *p)
{
    uint16_t *registers = tsr_xmalloc((p->values.n + 1) * sizeof *registers);
    for (size_t i = 0; i < p->groups.n; i++) {
        tsr_xgroup *g = group_at(p, (tsr_xid)i);
        if (g->into == i && g->kind == TSR_NODE_TILE && g->mark)
            tsr_code_group(p, (tsr_xid)i, registers);
    }
    tsr_free(registers);
}

void tsr_program_finish(tsr_program *p)
{
    collect(p);
    order(p, &p->main);
    number(p, &p->main);
    tsr_memory_plan(p);
    code_all(p);
}
