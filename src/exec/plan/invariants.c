/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.c - see invariants.h. Aborts if the planner is wrong: the memory of a live value would be overwritten, or a
 * value read before it is computed. Runs at the end of each compilation in builds with DEBUG=1 or sanitizers. */
#include "exec/plan/invariants.h"

#include <stdlib.h>

#define HOLDS(group, cond, what, number) \
    tsr_assert(cond, "group %u of a program: %s (%llu)", group, what, (unsigned long long)(number))

/* ---- Pieces of memory ---- */

static int by_first(const void *a, const void *b)
{
    const tsr_piece *x = *(const tsr_piece *const *)a, *y = *(const tsr_piece *const *)b;
    return (x->first > y->first) - (x->first < y->first);
}

static int by_last(const void *a, const void *b)
{
    const tsr_piece *x = *(const tsr_piece *const *)a, *y = *(const tsr_piece *const *)b;
    return (x->last > y->last) - (x->last < y->last);
}

/* Pieces that are live at one step, sorted by offset. */
typedef TSR_VEC(const tsr_piece *) alive;

static size_t place_of(const alive *a, size_t offset)
{
    size_t low = 0, high = a->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->data[middle]->offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds a piece; false if it overlaps one of its neighbours, which do not overlap each other. */
static bool enter(alive *a, const tsr_piece *x)
{
    size_t at = place_of(a, x->offset);
    if ((at && a->data[at - 1]->offset + a->data[at - 1]->bytes > x->offset) ||
        (at < a->n && x->offset + x->bytes > a->data[at]->offset))
        return false;
    tsr_vec_push(a, x);
    memmove(a->data + at + 1, a->data + at, (a->n - 1 - at) * sizeof *a->data);
    a->data[at] = x;
    return true;
}

static void leave(alive *a, const tsr_piece *x)
{
    size_t at = place_of(a, x->offset);
    a->n--;
    memmove(a->data + at, a->data + at + 1, (a->n - at) * sizeof *a->data);
}

static bool no_overlaps(const tsr_piece *all, size_t n)
{
    const tsr_piece **start = tsr_xmalloc(2 * (n + 1) * sizeof *start), **end = start + n + 1;
    for (size_t i = 0; i < n; i++)
        start[i] = end[i] = &all[i];
    qsort(start, n, sizeof *start, by_first);
    qsort(end, n, sizeof *end, by_last);
    alive a = {0};
    bool ok = true;
    for (size_t i = 0, gone = 0; i < n && ok; i++) {
        for (; end[gone]->last < start[i]->first; gone++)
            leave(&a, end[gone]);
        ok = enter(&a, start[i]);
    }
    tsr_vec_free(&a);
    tsr_free(start);
    return ok;
}

bool tsr_pieces_sound(const tsr_program *p, const tsr_piece *all, size_t n, size_t arena_bytes)
{
    for (size_t i = 0; i < n; i++) {
        const tsr_xvalue *x = &p->values.data[all[i].value];
        size_t width = tsr_dtype_bytes((tsr_dtype)x->dtype);
        width = width < TSR_PLACE_LEAST ? width : TSR_PLACE_LEAST;
        if (all[i].offset > arena_bytes || arena_bytes - all[i].offset < all[i].bytes ||
            all[i].bytes < tsr_xvalue_bytes(x) || (width && all[i].offset % width) ||
            all[i].first > all[i].last)
            return false;
    }
    return no_overlaps(all, n);
}

/* ---- Values ---- */

static int by_host(const void *a, const void *b)
{
    const tsr_piece *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Values in the buffer of a result lie inside it, and those that are live at the same time do not overlap. */
static void check_hosts(const tsr_program *p)
{
    TSR_VEC(tsr_piece) all = {0};
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (!x->host)
            continue;
        const tsr_xvalue *host = &p->values.data[x->host - 1];
        tsr_assert(x->offset + tsr_xvalue_bytes(x) <= tsr_xvalue_bytes(host),
                   "value %u ends outside of result %u, which it is stored in", v, x->host - 1);
        tsr_assert(x->last < host->first || (x->last == host->first && host->follows),
                   "value %u is live after result %u, which it is stored in, is computed", v,
                   x->host - 1);
        tsr_vec_push(&all, ((tsr_piece){.bytes = (size_t)tsr_xvalue_bytes(x),
                                        .offset = x->offset,
                                        .first = x->first,
                                        .last = x->last,
                                        .value = x->host}));
    }
    if (all.n)
        qsort(all.data, all.n, sizeof *all.data, by_host);
    for (size_t i = 0, n; i < all.n; i += n) {
        for (n = 1; i + n < all.n && all.data[i + n].value == all.data[i].value; n++)
            ;
        tsr_assert(no_overlaps(all.data + i, n), "values stored in result %u overlap",
                   all.data[i].value - 1);
    }
    tsr_vec_free(&all);
}

static void check_value(const tsr_program *p, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    tsr_assert(x->node == TSR_XNONE || x->node < p->nodes.n, "value %u is of node %u of %zu", v,
               x->node, p->nodes.n);
    tsr_assert(!x->mark, "value %u has a mark left", v);
    if (x->place == TSR_PLACE_VIEW)
        tsr_assert(x->base < p->values.n && x->base != v, "value %u is a view of %u", v, x->base);
    if (x->shares == TSR_XNONE)
        return;
    tsr_assert(x->shares < p->values.n && x->shares != v, "value %u shares the buffer of %u", v,
               x->shares);
    const tsr_xvalue *root = &p->values.data[x->shares];
    tsr_assert(x->place == TSR_PLACE_ARENA && tsr_xvalue_bytes(x) <= tsr_xvalue_bytes(root),
               "value %u does not fit into the buffer of %u", v, x->shares);
    tsr_assert(!root->slice_of || root->spent, "value %u is written to slice %u, which others read",
               v, x->shares);
}

/* ---- Groups ---- */

static void check_code(const tsr_program *p, tsr_xid group, const tsr_xgroup *g)
{
    bool *defined = tsr_xmalloc(g->nregister + 1);
    memset(defined, 0, g->nregister + 1);
    for (uint32_t i = 0; i < g->ncode; i++) {
        const tsr_instr *o = &g->code[i];
        bool has_out = o->kind != TSR_I_STORE;
        HOLDS(group, o->kind <= TSR_I_STORE, "an instruction of no kind", i);
        HOLDS(group, has_out == (o->out != TSR_NO_REGISTER), "a store with a result", i);
        HOLDS(group, !has_out || o->out < g->nregister, "a result in no register", i);
        HOLDS(group, !has_out || !defined[o->out], "a register is defined twice", i);
        HOLDS(group, o->nin <= TSR_TILE_OPERANDS, "too many operands", i);
        for (uint8_t k = 0; k < o->nin; k++)
            HOLDS(group, o->in[k] < g->nregister && defined[o->in[k]],
                  "an operand that is not defined yet", i);
        HOLDS(group, o->kind != TSR_I_LOAD || o->value < p->values.n, "a load of no value", i);
        if (has_out)
            defined[o->out] = true;
    }
    tsr_free(defined);
}

/* What the group reads was computed before, or by one of its own nodes, and still exists. */
static void check_reads(const tsr_program *p, tsr_xid group, const tsr_xgroup *g, tsr_xid v)
{
    HOLDS(group, v < p->values.n, "it reads no value", v);
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, v)];
    if (x->place != TSR_PLACE_ARENA || x->node == TSR_XNONE)
        return;
    HOLDS(group, x->first <= g->step, "it reads a value that is not computed yet", v);
    HOLDS(group, x->last >= g->step, "it reads a value that is dead", v);
}

/* What was seen so far. */
typedef struct {
    tsr_bitset groups;
    tsr_bitset inside, done; /* nodes: of the current group; those before the current one */
} progress;

static void check_block(const tsr_program *p, const tsr_block_program *b, progress *seen);

/* Nodes of a group are listed after those of the group that they read. */
static void check_order(const tsr_program *p, tsr_xid group, const tsr_xgroup *g, progress *seen)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        HOLDS(group, !tsr_bitset_has(&seen->inside, g->nodes.data[i]), "a node is in two groups",
              g->nodes.data[i]);
        tsr_bitset_add(&seen->inside, g->nodes.data[i]);
    }
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid from = p->values.data[tsr_storage_of(p, n->in[k])].node;
            HOLDS(group,
                  from == TSR_XNONE || !tsr_bitset_has(&seen->inside, from) ||
                      tsr_bitset_has(&seen->done, from),
                  "a node comes before one that it reads", g->nodes.data[i]);
        }
        tsr_bitset_add(&seen->done, g->nodes.data[i]);
    }
}

static void check_group(const tsr_program *p, tsr_xid group, progress *seen)
{
    const tsr_xgroup *g = &p->groups.data[group];
    HOLDS(group, !tsr_bitset_has(&seen->groups, group), "it runs twice", g->step);
    tsr_bitset_add(&seen->groups, group);
    HOLDS(group, g->nodes.n, "it has no nodes", g->step);
    HOLDS(group, g->step <= g->end && g->end < p->nsteps, "its steps are not the program's",
          g->end);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            check_reads(p, group, g, n->in[k]);
        for (uint32_t k = 0; k < n->nblock; k++)
            check_block(p, n->blocks[k], seen);
    }
    if (!p->nodes.data[g->nodes.data[0]].nblock)
        check_order(p, group, g, seen);
    if (g->kind == TSR_NODE_TILE)
        check_code(p, group, g);
}

static void check_block(const tsr_program *p, const tsr_block_program *b, progress *seen)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        tsr_xid group = b->groups.data[i];
        tsr_assert(group < p->groups.n, "group %u of %zu", group, p->groups.n);
        HOLDS(group, p->groups.data[group].step > b->first && p->groups.data[group].end < b->last,
              "it runs outside of its block", b->first);
        HOLDS(group, !i || p->groups.data[b->groups.data[i - 1]].end < p->groups.data[group].step,
              "it does not run after the group before it", i);
        check_group(p, group, seen);
    }
    for (uint32_t i = 0; i < b->nresults; i++)
        tsr_assert(b->results[i] < p->values.n, "a block gives value %u", b->results[i]);
}

void tsr_program_check_invariants(const tsr_program *p)
{
    tsr_arena scratch;
    tsr_arena_init(&scratch);
    progress seen = {tsr_bitset_new(&scratch, p->groups.n), tsr_bitset_new(&scratch, p->nodes.n),
                     tsr_bitset_new(&scratch, p->nodes.n)};
    for (tsr_xid v = 0; v < p->values.n; v++)
        check_value(p, v);
    check_hosts(p);
    check_block(p, &p->main, &seen);
    tsr_arena_free(&scratch);
}
