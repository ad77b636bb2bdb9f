/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.c - see suggest.h. */
#include "base/suggest.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits of one character, or swaps of two neighbours, from a to b; SIZE_MAX for names longer than any known one. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    enum { LONGEST = 64 };
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    if (na > LONGEST || nb > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++)
        last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[nb];
}

tsr_suggestion tsr_suggest_for(tsr_str name)
{
    return (tsr_suggestion){.name = name, .best = name.len / 2 + 1};
}

void tsr_suggest(tsr_suggestion *s, const char *candidate)
{
    size_t d = distance(s->name.data, s->name.len, candidate, strlen(candidate));
    if (d < s->best) {
        s->best = d;
        s->found = candidate;
    }
}
