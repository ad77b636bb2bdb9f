/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - compares two graphs: which nodes are the same in both, which have changed, and which are only in one.
 *
 * Passes keep locations, and interned things compare by address: a node is the same if everything it shows is equal; it
 * has changed if the other graph has a node of the same name at the same location in the same function. Each node is
 * matched once. */
#include "explore/graph.h"

typedef struct {
    const tsr_graph *g;
    /* by node: hash of everything it shows; of its name and location alone */
    uint64_t *exact, *loose;
    uint8_t *state;
} side;

/* Hashes a node's surroundings, the function's name, so that equal ops of two functions do not match. */
static uint64_t hash_around(const tsr_graph *g, const tsr_graph_node *n)
{
    for (;;) {
        uint32_t parent = g->groups.data[n->group].parent;
        if (parent == TSR_NO_NODE)
            return 1;
        n = &g->nodes.data[parent];
        if (n->op && tsr_op_symbol(n->op).len)
            return tsr_hash_str(tsr_op_symbol(n->op));
    }
}

static uint64_t hash_op(const tsr_op *op, uint64_t h)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        h = tsr_hash_mix(h, tsr_hash_ptr(op->out[i].type));
        h = tsr_hash_mix(h, tsr_hash_ptr(tsr_sdy_sharding_of(&op->out[i])));
    }
    bool holds = op->nregion != 0; /* its attributes change with its contents */
    for (uint32_t i = 0; i < op->def->nslot && !holds; i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->attrs[i]));
    return tsr_hash_mix(h, op->nin);
}

static void hash_node(side *s, size_t i)
{
    const tsr_graph_node *n = &s->g->nodes.data[i];
    uint64_t h = hash_around(s->g, n);
    if (n->op) {
        h = tsr_hash_mix(tsr_hash_mix(h, tsr_hash_ptr(n->op->def)), n->op->loc);
        s->loose[i] = h;
        s->exact[i] = hash_op(n->op, h);
    } else if (n->value) {
        h = tsr_hash_mix(h, n->value->index + 2);
        s->loose[i] = h;
        h = tsr_hash_mix(h, tsr_hash_ptr(n->value->type));
        s->exact[i] = tsr_hash_mix(h, tsr_hash_ptr(tsr_sdy_sharding_of(n->value)));
    } else {
        h = tsr_hash_mix(h, tsr_hash_str(n->box->label));
        s->loose[i] = s->exact[i] = tsr_hash_mix(h, n->box->nop);
    }
}

static side open_side(const tsr_graph *g)
{
    size_t n = g->nodes.n + 1;
    side s = {.g = g,
              .exact = TSR_NEW_ARRAY(g->arena, uint64_t, n),
              .loose = TSR_NEW_ARRAY(g->arena, uint64_t, n),
              .state = TSR_NEW_ARRAY(g->arena, uint8_t, n)};
    for (size_t i = 0; i < g->nodes.n; i++)
        hash_node(&s, i);
    memset(s.state, TSR_DIFF_ALONE, n);
    return s;
}

/* The unmatched nodes for each key: a hash table of linked lists. */
typedef struct {
    uint32_t *head, *next; /* node + 1; 0: none */
    uint32_t mask;
} table;

static void match(side *a, side *b, const uint64_t *of_a, const uint64_t *of_b, uint8_t state)
{
    uint32_t room = 16;
    while (room < a->g->nodes.n)
        room *= 2;
    tsr_arena *arena = a->g->arena;
    table t = {.head = TSR_NEW_ARRAY(arena, uint32_t, room),
               .next = TSR_NEW_ARRAY(arena, uint32_t, a->g->nodes.n + 1),
               .mask = room - 1};
    for (uint32_t i = (uint32_t)a->g->nodes.n; i-- > 0;)
        if (a->state[i] == TSR_DIFF_ALONE) {
            uint32_t *head = &t.head[(of_a[i] ^ of_a[i] >> 32) & t.mask];
            t.next[i] = *head;
            *head = i + 1;
        }
    for (uint32_t i = 0; i < b->g->nodes.n; i++) {
        if (b->state[i] != TSR_DIFF_ALONE)
            continue;
        uint32_t *at = &t.head[(of_b[i] ^ of_b[i] >> 32) & t.mask];
        while (*at && of_a[*at - 1] != of_b[i])
            at = &t.next[*at - 1];
        if (*at) {
            a->state[*at - 1] = b->state[i] = state;
            *at = t.next[*at - 1];
        }
    }
}

/* A node that contains a difference differs as well. Inner nodes come later in the list. */
static void spread(side *s)
{
    for (size_t i = s->g->nodes.n; i-- > 0;) {
        uint32_t parent = s->g->groups.data[s->g->nodes.data[i].group].parent;
        if (parent != TSR_NO_NODE && s->state[i] != TSR_DIFF_SAME &&
            s->state[parent] == TSR_DIFF_SAME)
            s->state[parent] = TSR_DIFF_CHANGED;
    }
}

size_t tsr_graph_diff(const tsr_graph *a, const tsr_graph *b, uint8_t **of_a, uint8_t **of_b)
{
    side x = open_side(a), y = open_side(b);
    match(&x, &y, x.exact, y.exact, TSR_DIFF_SAME);
    match(&x, &y, x.loose, y.loose, TSR_DIFF_CHANGED);
    spread(&x);
    spread(&y);
    *of_a = x.state;
    *of_b = y.state;
    size_t differ = 0;
    for (size_t i = 0; i < b->nodes.n; i++)
        differ += y.state[i] != TSR_DIFF_SAME;
    return differ;
}
