/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.c - splits collectives into pairs: a device contributes its part as soon as that is computed (start), and
 * takes the result where it is needed (done); groups in between run meanwhile.
 *
 * The scheduled group becomes the done, and moves down to just before its first reader; the start is a new group just
 * after the last group that computes an operand. Side effects keep their order. So do starts where devices may run
 * different groups, as parts are matched in the order in which they arrive. The bytes in flight at any time stay below
 * a limit: operands live until the done, and the grid has copies of them. Linear time, apart from the collectives in
 * flight. */
#include "eval/groups.h"
#include "exec/program.h"

enum { LEAST_LIMIT = 1 << 20, SHARE = 4 };

typedef struct {
    uint32_t start, done; /* the positions before which they run */
    uint64_t bytes;
} flight;

typedef struct {
    tsr_program *p;
    tsr_block_program *block;
    uint32_t *first_read; /* by value in memory: the position of its first reader */
    /* By value: the position after the group that computes it; 0: not in this block. */
    uint32_t *made_at;
    /* By value in memory: the positions of its last reader and of the one before; the number of groups: none. */
    uint32_t *last[2];
    uint64_t limit;
    TSR_VEC(flight) flights; /* by position of done, last first */
} splitting;

static const tsr_xgroup *group_at(const splitting *s, uint32_t place)
{
    return &s->p->groups.data[s->block->groups.data[place]];
}

static const tsr_node *first_node(const splitting *s, uint32_t place)
{
    return &s->p->nodes.data[group_at(s, place)->nodes.data[0]];
}

/* Whether a group is a collective that can be split: it has static sizes and captures nothing. */
static bool can_split(const splitting *s, uint32_t place)
{
    const tsr_xgroup *g = group_at(s, place);
    const tsr_node *n = first_node(s, place);
    if (!tsr_is_kernel(g->kind) || !n->op || !tsr_op_meets(n->op) || n->ncaptured)
        return false;
    for (uint32_t i = 0; i < n->nin; i++)
        if (s->p->values.data[n->in[i]].n <= 0)
            return false;
    for (uint32_t i = 0; i < n->nout; i++)
        if (s->p->values.data[n->out[i]].n <= 0)
            return false;
    return n->nin > 0;
}

static void note_read(splitting *s, tsr_xid v, uint32_t place)
{
    uint32_t none = (uint32_t)s->block->groups.n;
    s->first_read[v] = place;
    if (s->last[0][v] == none)
        s->last[0][v] = place;
    else if (s->last[1][v] == none && s->last[0][v] != place)
        s->last[1][v] = place;
}

static void find_uses(splitting *s)
{
    const tsr_program *p = s->p;
    uint32_t n = (uint32_t)s->block->groups.n;
    for (size_t v = 0; v < p->values.n; v++) {
        s->first_read[v] = s->last[0][v] = s->last[1][v] = n;
        s->made_at[v] = 0;
    }
    for (uint32_t i = n; i-- > 0;) {
        const tsr_xgroup *g = group_at(s, i);
        for (size_t k = 0; k < g->nodes.n; k++) {
            const tsr_node *node = &p->nodes.data[g->nodes.data[k]];
            for (uint32_t m = 0; m < node->nin; m++)
                note_read(s, tsr_storage_of(p, node->in[m]), i);
            for (uint32_t m = 0; m < node->nout; m++)
                s->made_at[node->out[m]] = i + 1;
        }
    }
}

static uint64_t bytes_in_flight(const splitting *s, uint32_t start, uint32_t done)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->flights.n; i++)
        if (s->flights.data[i].start < done && start < s->flights.data[i].done)
            sum += s->flights.data[i].bytes;
    return sum;
}

/* Whether an earlier collective may still be in flight after this position: then this one is started, too, before that
 * one is done. */
static bool follows_flight(const splitting *s, uint32_t place)
{
    enum { BACK = 256 };
    for (uint32_t i = place; i-- > 0 && place - i < BACK;) {
        const tsr_node *n = first_node(s, i);
        bool flies = can_split(s, i);
        for (uint32_t k = 0; flies && k < n->nout; k++)
            flies = s->first_read[n->out[k]] > place;
        if (flies)
            return true;
    }
    return false;
}

/* Finds the positions of a collective's pair, within those in out. False: it is not split. */
static bool find_pair(splitting *s, uint32_t place, flight *out)
{
    const tsr_program *p = s->p;
    const tsr_node *n = first_node(s, place);
    for (uint32_t i = 0; i < n->nout; i++) {
        uint32_t read = s->first_read[n->out[i]];
        out->done = read < out->done ? read : out->done;
    }
    for (uint32_t i = 0; i < n->nin; i++) {
        tsr_xid v = tsr_storage_of(p, n->in[i]);
        uint32_t made = s->made_at[v];
        out->start = made > out->start ? made : out->start;
        /* An argument may be donated to its last reader: the pair must end before that. */
        uint32_t last = s->last[s->last[0][v] == place][v];
        if (!made && last > place && last < out->done)
            out->done = last;
        out->bytes += tsr_xvalue_bytes(&p->values.data[v]);
    }
    uint32_t between = out->done - out->start - (place >= out->start && place < out->done);
    uint64_t bytes = bytes_in_flight(s, out->start, out->done) + out->bytes;
    bool hides = between > 0 || (p->ranks && follows_flight(s, place));
    if (!hides || bytes > s->limit)
        return false;
    s->p->flight_bytes = bytes > s->p->flight_bytes ? bytes : s->p->flight_bytes;
    return true;
}

/* The operands of a collective are read at its start. */
static void read_at(splitting *s, uint32_t place, uint32_t start)
{
    const tsr_node *n = first_node(s, place);
    for (uint32_t i = 0; i < n->nin; i++) {
        uint32_t *first = &s->first_read[tsr_storage_of(s->p, n->in[i])];
        *first = start < *first ? start : *first;
    }
}

static tsr_xid add_start(splitting *s, uint32_t place)
{
    tsr_program *p = s->p;
    tsr_xid done = group_at(s, place)->nodes.data[0];
    tsr_node n = p->nodes.data[done];
    p->nodes.data[done].started = true;
    n.kind = TSR_NODE_START;
    n.nout = 0;
    n.done = done;
    n.counts = n.effect = false;
    n.group = (tsr_xid)p->groups.n;
    tsr_xgroup g = {.kind = TSR_NODE_START,
                    .home = s->block,
                    .after = TSR_XNONE,
                    .product = TSR_XNONE,
                    .also = TSR_XNONE,
                    .then = TSR_XNONE,
                    .into = n.group};
    tsr_vec_push(&g.nodes, (tsr_xid)p->nodes.n);
    tsr_vec_push(&p->nodes, n);
    tsr_vec_push(&p->groups, g);
    p->nstart++;
    return n.group;
}

/* Linked lists of collectives by position, in order; NONE ends a list. */
enum { NONE = UINT32_MAX };
typedef struct {
    uint32_t *head, *next;
} chains;

static chains chains_new(uint32_t n)
{
    chains c = {.head = tsr_xmalloc(2 * ((size_t)n + 1) * sizeof *c.head)};
    c.next = c.head + n + 1;
    for (uint32_t i = 0; i <= n; i++)
        c.head[i] = NONE;
    return c;
}

static void chain(chains *c, uint32_t place, uint32_t collective)
{
    c->next[collective] = c->head[place];
    c->head[place] = collective;
}

/* Reorders the block with its starts and dones: at each position first the dones, then the starts, then its own
 * group. */
static void put_order(splitting *s, const flight *pairs)
{
    uint32_t n = (uint32_t)s->block->groups.n;
    size_t k = 0;
    if (!s->flights.n)
        return;
    chains starts = chains_new(n), dones = chains_new(n);
    for (uint32_t i = n; i-- > 0;)
        if (pairs[i].bytes) {
            chain(&starts, pairs[i].start, i);
            chain(&dones, pairs[i].done, i);
        }
    tsr_xid *order = tsr_arena_alloc(&s->p->arena, (n + s->flights.n) * sizeof *order);
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t c = dones.head[i]; c != NONE; c = dones.next[c])
            order[k++] = s->block->groups.data[c];
        for (uint32_t c = starts.head[i]; c != NONE; c = starts.next[c])
            order[k++] = add_start(s, c);
        if (i < n && !pairs[i].bytes)
            order[k++] = s->block->groups.data[i];
    }
    s->block->groups.data = order;
    s->block->groups.n = s->block->groups.cap = k;
    tsr_free(starts.head);
    tsr_free(dones.head);
}

static void split_block(splitting *s, tsr_block_program *b);

static void split_inner(splitting *s, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        tsr_node n = s->p->nodes.data[s->p->groups.data[b->groups.data[i]].nodes.data[0]];
        for (uint32_t k = 0; k < n.nblock; k++)
            split_block(s, n.blocks[k]);
    }
}

/* Whether a start may move above this group. Other devices may be in another branch or iteration of a loop, where
 * collectives are matched in order: in such a block the order is kept. All devices run all of main. */
static bool can_pass(const splitting *s, uint32_t place)
{
    const tsr_node *n = first_node(s, place);
    return !n->effect || (s->block == &s->p->main && n->op && tsr_op_meets(n->op));
}

static void split_block(splitting *s, tsr_block_program *b)
{
    uint32_t n = (uint32_t)b->groups.n, earliest = 0, latest = n;
    split_inner(s, b);
    s->block = b;
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        any |= can_split(s, i);
    if (!any)
        return;
    flight *pairs = tsr_xmalloc((n + 1) * sizeof *pairs);
    memset(pairs, 0, (n + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        pairs[i].start = earliest;
        earliest = can_pass(s, i) ? earliest : i + 1;
    }
    find_uses(s);
    s->flights.n = 0;
    for (uint32_t i = n; i-- > 0;) {
        flight f = {.start = pairs[i].start, .done = latest};
        bool splits = can_split(s, i) && find_pair(s, i, &f);
        if (splits) {
            pairs[i] = f;
            tsr_vec_push(&s->flights, f);
            read_at(s, i, f.start);
        }
        if (first_node(s, i)->effect)
            latest = splits ? f.done : i;
    }
    put_order(s, pairs);
    tsr_free(pairs);
}

void tsr_collectives_split(tsr_program *p)
{
    splitting s = {.p = p};
    size_t n = p->values.n + 1;
    bool any = false;
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *node = &p->nodes.data[i];
        any |= tsr_is_kernel(node->kind) && !node->dead && node->op && tsr_op_meets(node->op);
    }
    if (!any)
        return;
    for (size_t v = 0; v < p->values.n; v++)
        if (p->values.data[v].argument)
            s.limit += tsr_xvalue_bytes(&p->values.data[v]);
    s.limit = p->ranks ? s.limit : s.limit / SHARE;
    s.limit = s.limit > LEAST_LIMIT ? s.limit : LEAST_LIMIT;
    s.first_read = tsr_xmalloc(4 * n * sizeof *s.first_read);
    s.made_at = s.first_read + n;
    s.last[0] = s.made_at + n;
    s.last[1] = s.last[0] + n;
    split_block(&s, &p->main);
    tsr_free(s.first_read);
    tsr_vec_free(&s.flights);
}
