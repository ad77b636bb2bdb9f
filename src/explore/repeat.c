/* SPDX-License-Identifier: Apache-2.0 */
/* repeat.c - see repeat.h. Where the same few tokens occur again, their distance is a vote for a period; the periods
 * with the most votes are tried, each in one pass over the sequence. */
#include "explore/repeat.h"

#include <string.h>

#include "base/str.h"

enum { GRAM = 8, PERIODS_MOST = 8 };

typedef struct {
    const uint64_t *tokens;
    uint32_t n;
    uint32_t *votes; /* by distance */
    uint8_t *taken;  /* by position: in a run already found */
    tsr_repeats *out;
    uint64_t *steps;
} finder;

/* For each position: the distance back to the last occurrence of the same GRAM tokens. */
static void vote(finder *f, tsr_arena *arena)
{
    uint32_t room = 16;
    while (room < 2 * f->n)
        room *= 2;
    uint64_t *grams = TSR_NEW_ARRAY(arena, uint64_t, room);
    uint32_t *last = TSR_NEW_ARRAY(arena, uint32_t, room); /* position + 1; 0: free */
    for (uint32_t i = 0; i + GRAM <= f->n; i++) {
        uint64_t gram = 1;
        for (uint32_t k = 0; k < GRAM; k++)
            gram = tsr_hash_mix(gram, f->tokens[i + k]);
        uint32_t at = (uint32_t)(gram ^ gram >> 32) & (room - 1);
        for (; last[at] && grams[at] != gram; at = (at + 1) & (room - 1))
            ++*f->steps;
        if (last[at])
            f->votes[i + 1 - last[at]]++;
        grams[at] = gram;
        last[at] = i + 1;
    }
    *f->steps += (uint64_t)GRAM * f->n;
}

/* Takes all runs of this period with at least two copies. */
static void take(finder *f, uint32_t period)
{
    for (uint32_t i = 0; i + period < f->n;) {
        uint32_t same = 0; /* positions from i on that equal those one period later */
        while (i + same + period < f->n && !f->taken[i + same] && !f->taken[i + same + period] &&
               f->tokens[i + same] == f->tokens[i + same + period])
            same++;
        *f->steps += same + 1;
        if (same < period) {
            i += same + 1;
            continue;
        }
        tsr_repeat r = {i, period, same / period + 1};
        memset(f->taken + i, 1, (size_t)r.times * period);
        tsr_vec_push(f->out, r);
        i += r.times * period;
    }
}

static void sort(tsr_repeats *out, uint32_t *at, uint32_t n)
{
    memset(at, 0, sizeof *at * n);
    for (size_t i = 0; i < out->n; i++)
        at[out->data[i].first] = (uint32_t)i + 1;
    tsr_repeats sorted = {0};
    for (uint32_t i = 0; i < n; i++)
        if (at[i])
            tsr_vec_push(&sorted, out->data[at[i] - 1]);
    tsr_vec_free(out);
    *out = sorted;
}

void tsr_repeats_find(tsr_arena *arena, const uint64_t *tokens, uint32_t n, tsr_repeats *out,
                      uint64_t *steps)
{
    if (n < 2 * TSR_LAYER_LEAST)
        return;
    finder f = {.tokens = tokens,
                .n = n,
                .votes = TSR_NEW_ARRAY(arena, uint32_t, n + 1),
                .taken = TSR_NEW_ARRAY(arena, uint8_t, n),
                .out = out,
                .steps = steps};
    vote(&f, arena);
    for (int k = 0; k < PERIODS_MOST; k++) {
        uint32_t best = 0;
        for (uint32_t d = TSR_LAYER_LEAST; d < n; d++)
            if (f.votes[d] > f.votes[best])
                best = d;
        *steps += n;
        if (!best || f.votes[best] + GRAM < best) /* less than one copy */
            break;
        f.votes[best] = 0;
        take(&f, best);
    }
    if (out->n)
        sort(out, f.votes, n);
}
