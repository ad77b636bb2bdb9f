/* SPDX-License-Identifier: Apache-2.0 */
/* through.c - movements that become part of the loop that reads them.
 *
 * A concatenation, a pad or a lookup of table rows that only one loop reads, element by element, is not copied: each
 * block of the loop reads its elements from their source (cpu/part.c). The movement's operands then live until the
 * loop, so none of them may have a later reader: otherwise a result could not reuse its buffer. Small movements, and
 * those in pieces of a few elements, are faster as groups of their own. */
#include "exec/program.h"
#include "exec/target.h"

enum {
    MOST_NODES = 160, /* of a loop */
    MANY = TSR_XNONE - 1
};

typedef struct {
    tsr_program *p;
    /* By value: the loop that reads it element by element; TSR_XNONE: none; MANY: other readers. */
    tsr_xid *reader;
    uint32_t *last; /* by value: position + 1 of the last group of its block that reads it */
} moves;

static tsr_xid group_of(const tsr_program *p, tsr_xid node)
{
    return node == TSR_XNONE || p->nodes.data[node].group == TSR_XNONE
               ? TSR_XNONE
               : tsr_xgroup_find(p, p->nodes.data[node].group);
}

/* ---- Readers ---- */

static bool reads_in_order(const tsr_program *p, const tsr_node *n, uint32_t k)
{
    tsr_xid v = n->in[k];
    return n->kind <= TSR_NODE_REDUCE && !(n->kind == TSR_NODE_TILE && n->by_row) &&
           !tsr_is_table(n, k) && p->values.data[v].fence == TSR_XNONE && tsr_is_whole(p, v, NULL);
}

static void note_read(moves *m, const tsr_node *n, uint32_t k)
{
    const tsr_program *p = m->p;
    tsr_xid s = tsr_storage_of(p, n->in[k]), from = group_of(p, p->values.data[s].node);
    tsr_xid group = tsr_xgroup_find(p, n->group);
    const tsr_xgroup *g = &p->groups.data[group];
    bool alone = from != TSR_XNONE && p->groups.data[from].home == g->home &&
                 reads_in_order(p, n, k) && (m->reader[s] == TSR_XNONE || m->reader[s] == group);
    m->reader[s] = alone ? group : MANY;
    if (m->last[s] < g->level + 1)
        m->last[s] = g->level + 1;
}

static void note_results(moves *m, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++) {
        tsr_xid s = tsr_storage_of(m->p, b->results[i]);
        m->reader[s] = MANY;
        m->last[s] = UINT32_MAX;
    }
}

static void note_reads(moves *m)
{
    const tsr_program *p = m->p;
    note_results(m, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->group == TSR_XNONE)
            continue;
        for (uint32_t k = 0; k < n->nin; k++)
            note_read(m, n, k);
        for (uint32_t k = 0; k < n->nblock; k++)
            note_results(m, n->blocks[k]);
    }
}

/* ---- Choosing movements ---- */

/* The number of contiguous elements in a piece of a pad; 0: it drops elements. */
static int64_t padded_run(const tsr_node *n, const tsr_xvalue *x, const tsr_xvalue *to)
{
    const int64_t *low = n->numbers, *interior = n->numbers + to->rank;
    int64_t run = 1;
    for (uint8_t d = 0; d < to->rank; d++)
        if (low[d] < 0 || low[d] + (x->dims[d] - 1) * (interior[d] + 1) >= to->dims[d])
            return 0;
    for (int d = to->rank - 1; d >= 0; d--) {
        bool same = x->dims[d] == to->dims[d];
        if (same || !interior[d])
            run *= x->dims[d];
        if (!same)
            break;
    }
    return run;
}

/* The smallest number of contiguous elements in any piece, in operand and result; 0: another kind of movement. */
static int64_t least_run(const tsr_program *p, const tsr_node *n)
{
    const tsr_xvalue *to = &p->values.data[n->out[0]];
    int64_t inner = 1, least = to->n;
    if (n->move == TSR_MOVE_ROWS)
        return to->n / p->values.data[n->in[1]].n;
    if (n->move == TSR_MOVE_CONCATENATE) {
        for (int64_t d = n->numbers[0] + 1; d < to->rank; d++)
            inner *= to->dims[d];
        for (uint32_t k = 0; k < n->nin; k++) {
            int64_t run = inner * p->values.data[n->in[k]].dims[n->numbers[0]];
            least = run < least ? run : least;
        }
        return least;
    }
    return n->move == TSR_MOVE_PAD ? padded_run(n, &p->values.data[n->in[0]], to) : 0;
}

int64_t tsr_part_row(const tsr_program *p, const tsr_node *n)
{
    const tsr_xvalue *to = &p->values.data[n->out[0]], *x = &p->values.data[n->in[0]];
    int64_t run = least_run(p, n), all = 1;
    int d = to->rank - 1;
    if (n->move == TSR_MOVE_CONCATENATE) {
        for (int64_t i = n->numbers[0]; i < to->rank; i++)
            all *= to->dims[i];
        return run * n->nin == all ? run : 0;
    }
    while (n->move == TSR_MOVE_PAD && d > 0 && x->dims[d] == to->dims[d])
        d--;
    return n->move == TSR_MOVE_PAD && n->numbers[to->rank + d] ? run : 0;
}

/* Whether an operand may be read later than at the movement's position. */
static bool may_wait(const moves *m, const tsr_node *n, tsr_xid v)
{
    const tsr_program *p = m->p;
    tsr_xid s = tsr_storage_of(p, v);
    const tsr_xvalue *x = &p->values.data[s];
    if (p->values.data[v].fence != TSR_XNONE)
        return false;
    if (x->place == TSR_PLACE_SPLAT || x->box)
        return true;
    if (x->argument)
        return !tsr_is_donated(p, x->argument - 1);
    tsr_xid from = group_of(p, x->node);
    const tsr_xgroup *own = &p->groups.data[n->group];
    return from != TSR_XNONE && p->groups.data[from].home == own->home &&
           p->groups.data[from].kind < TSR_NODE_OTHER && m->last[s] == own->level + 1;
}

static bool fits(const moves *m, const tsr_node *n)
{
    const tsr_program *p = m->p;
    if (n->dead || n->kind != TSR_NODE_MOVE || n->group == TSR_XNONE)
        return false;
    const tsr_xvalue *x = &p->values.data[n->out[0]];
    tsr_xid reader = m->reader[n->out[0]];
    if (reader >= MANY || x->n < p->target->part || x->is_result ||
        least_run(p, n) < p->target->part_run)
        return false;
    const tsr_xgroup *g = &p->groups.data[reader];
    bool ok = g->kind == TSR_NODE_TILE && g->product == TSR_XNONE && g->n == x->n &&
              g->nodes.n < MOST_NODES;
    for (uint32_t k = 0; k < n->nin && ok; k++)
        ok = may_wait(m, n, n->in[k]);
    return ok;
}

void tsr_moves_join(tsr_program *p)
{
    moves m = {.p = p};
    m.reader = tsr_xmalloc((p->values.n + 1) * (sizeof *m.reader + sizeof *m.last));
    m.last = m.reader + p->values.n + 1;
    for (size_t i = 0; i < p->values.n; i++) {
        m.reader[i] = TSR_XNONE;
        m.last[i] = 0;
    }
    note_reads(&m);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (!fits(&m, n))
            continue;
        tsr_xid reader = m.reader[n->out[0]];
        p->groups.data[n->group].into = reader;
        p->groups.data[n->group].nodes.n = 0;
        tsr_group_add(&p->groups.data[reader], (tsr_xid)i);
    }
    tsr_free(m.reader);
}
