/* SPDX-License-Identifier: Apache-2.0 */
/* test_place.c - offsets of values in one arena: no two that are alive at a time overlap, and little is lost. */
#include "unit.h"

#include <stdlib.h>

#include "exec/plan/invariants.h"

enum { ALIGN = 64 };
static uint32_t state;

static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* Pieces with lifetimes of up to so many steps; sizes of one kind, of powers of two, or any. */
static void make(tsr_piece *all, size_t n, uint32_t nsteps, uint32_t longest, uint32_t sizes)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t first = below(nsteps), last = first + below(longest);
        uint32_t units = sizes == 0 ? 1 : sizes == 1 ? 1u << below(8) : 1 + below(1000);
        all[i] = (tsr_piece){.bytes = (size_t)units * ALIGN,
                             .first = first,
                             .last = last < nsteps ? last : nsteps,
                             .value = (tsr_xid)i};
    }
}

static bool are_apart(const tsr_piece *all, size_t n, size_t bytes)
{
    for (size_t i = 0; i < n; i++) {
        const tsr_piece *x = &all[i];
        if (x->offset + x->bytes > bytes || x->offset % ALIGN)
            return false;
        for (size_t k = 0; k < i; k++) {
            const tsr_piece *y = &all[k];
            if (x->first <= y->last && y->first <= x->last && x->offset < y->offset + y->bytes &&
                y->offset < x->offset + x->bytes)
                return false;
        }
    }
    return true;
}

/* The checks of builds with DEBUG=1 find each mistake. */
static void mistakes(unit *u)
{
    tsr_program p = {0};
    tsr_ctx *ctx = tsr_ctx_new_empty();
    int64_t n = 16;
    tsr_type *type = tsr_type_tensor(ctx, &n, 1, tsr_type_integer(ctx, 32, TSR_SIGNLESS), NULL);
    tsr_xvalue values[3];
    for (size_t i = 0; i < 3; i++)
        values[i] = (tsr_xvalue){.type = type, .n = n, .dtype = TSR_D_I32};
    p.values.data = values;
    p.values.n = 3;
    const tsr_piece good[] = {{64, 0, 1, 3, 0}, {64, 64, 2, 5, 1}, {64, 0, 4, 6, 2}};
    tsr_piece all[3];
    memcpy(all, good, sizeof all);
    CHECK(u, tsr_pieces_sound(&p, all, 3, 128));
    CHECK(u, !tsr_pieces_sound(&p, all, 3, 127)); /* outside of the arena */
    all[2].first = 3;                             /* two values live at step 3 share a place */
    CHECK(u, !tsr_pieces_sound(&p, all, 3, 128));
    memcpy(all, good, sizeof all);
    all[1].offset = 60; /* overlaps the end of the first */
    CHECK(u, !tsr_pieces_sound(&p, all, 3, 128));
    memcpy(all, good, sizeof all);
    all[1].offset = 66; /* not aligned for its elements */
    CHECK(u, !tsr_pieces_sound(&p, all, 3, 256));
    memcpy(all, good, sizeof all);
    all[0].bytes = 60; /* shorter than the value */
    CHECK(u, !tsr_pieces_sound(&p, all, 3, 128));
    tsr_ctx_free(ctx);
}

void test_place(unit *u)
{
    mistakes(u);
    static const struct {
        size_t n;
        uint32_t steps, longest;
    } cases[] = {{0, 1, 1},    {1, 1, 1},      {2, 1, 1},       {7, 5, 3},       {30, 20, 6},
                 {64, 40, 40}, {300, 200, 12}, {300, 100, 300}, {3000, 2000, 9}, {3000, 500, 500}};
    tsr_piece *all = tsr_xmalloc(3001 * sizeof *all);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint32_t sizes = 0; sizes < 3; sizes++) {
            size_t n = cases[c].n;
            uint32_t peak = 0;
            state = (uint32_t)c;
            make(all, n, cases[c].steps, cases[c].longest, sizes);
            size_t least = tsr_place_least(all, n, cases[c].steps, &peak);
            size_t bytes = tsr_place_all(all, n, cases[c].steps, least, peak);
            CHECK(u, bytes >= least && are_apart(all, n, bytes));
            /* Pieces of one size take no more than they need; others little more. */
            CHECK(u, sizes ? bytes * 100 <= least * 120 : bytes == least);
        }
    tsr_free(all);
}
