/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - a sort by any comparison, also by one that is no order, as with NaNs: results are those of the evaluator's
 * merge sort, which cuts each merge into pieces of a few outputs that it merges independently of each other. */
#include "base/scope.h"
#include "exec/cpu/merge.h"

enum { PIECE = 64 };

/* Two neighbouring runs: the left one ends where the right one starts. */
typedef struct {
    uint64_t *from, *to;
    int64_t left, right, end;
    tsr_less_fn *less;
    const void *with;
} merge;

/* How many of the first skip outputs come from the left run; of equal elements the left one comes first. */
static int64_t left_of(const merge *m, int64_t skip)
{
    int64_t low = skip - (m->end - m->right), high = m->right - m->left;
    low = low > 0 ? low : 0;
    high = skip < high ? skip : high;
    while (low < high) {
        int64_t i = low + (high - low) / 2;
        if (m->less(m->with, m->from[m->right + skip - 1 - i], m->from[m->left + i]))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

/* Outputs skip to end, of which the left run gives those from low to high. */
static void merge_piece(const merge *m, int64_t skip, int64_t end, int64_t low, int64_t high)
{
    int64_t i = m->left + low, last = m->left + high;
    int64_t k = m->right + skip - low, stop = m->right + end - high, to = m->left + skip;
    while (i < last && k < stop)
        m->to[to++] = m->less(m->with, m->from[k], m->from[i]) ? m->from[k++] : m->from[i++];
    while (i < last)
        m->to[to++] = m->from[i++];
    while (k < stop)
        m->to[to++] = m->from[k++];
}

/* A comparison that is no order gives contradictory starts: each element must still be output exactly once. */
static void merge_runs(const merge *m)
{
    int64_t all = m->end - m->left, low = 0;
    for (int64_t skip = 0, end; skip < all; skip = end) {
        bool ends = skip + PIECE >= all;
        end = ends ? all : skip + PIECE;
        int64_t high = ends ? m->right - m->left : left_of(m, end);
        if (!ends)
            high = high < low ? low : high > low + PIECE ? low + PIECE : high;
        merge_piece(m, skip, end, low, high);
        low = high;
    }
    tsr_poll();
}

uint64_t *tsr_sort_merge(uint64_t *order, uint64_t *spare, int64_t n, tsr_less_fn *less,
                         const void *with)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = (uint64_t)i;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t at = 0; at < n; at += 2 * width) {
            int64_t mid = at + width < n ? at + width : n, end = mid + width < n ? mid + width : n;
            merge m = {order, spare, at, mid, end, less, with};
            merge_runs(&m);
        }
        uint64_t *t = order;
        order = spare;
        spare = t;
    }
    return order;
}
