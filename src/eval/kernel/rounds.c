/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.c - updates in rounds, none of which updates a place twice. */
#include "eval/kernel/rounds.h"

#include <stdlib.h>

/* Sorts pairs by round, keeping their order within one; sets *nround and returns where each round starts, or NULL. */
static int64_t *make_rounds(tsr_pair *pairs, int64_t n, int64_t places, int64_t *nround)
{
    uint32_t *count = tsr_calloc((size_t)places + 1, sizeof *count),
             *round = tsr_malloc(((size_t)n + 1) * sizeof *round);
    tsr_pair *sorted = tsr_malloc(((size_t)n + 1) * sizeof *sorted);
    int64_t *start = NULL, most = 0;
    if (count && round && sorted) {
        for (int64_t i = 0; i < n; i++) {
            round[i] = count[pairs[i].to]++;
            most = (int64_t)round[i] + 1 > most ? (int64_t)round[i] + 1 : most;
        }
        start = tsr_calloc((size_t)most + 2, sizeof *start);
    }
    if (start) {
        for (int64_t i = 0; i < n; i++)
            start[round[i] + 2]++;
        for (int64_t r = 2; r <= most + 1; r++)
            start[r] += start[r - 1];
        for (int64_t i = 0; i < n; i++)
            sorted[start[round[i] + 1]++] = pairs[i];
        memcpy(pairs, sorted, (size_t)n * sizeof *pairs);
        *nround = most;
    }
    tsr_free(count);
    tsr_free(round);
    tsr_free(sorted);
    return start;
}

static tsr_tensor *pick(const tsr_tensor *from, const tsr_pair *pairs, int64_t n, bool updates)
{
    tsr_tensor *row = tsr_tensor_new(from->elem, &n, 1);
    for (int64_t i = 0; row && i < n; i++)
        tsr_copy_element(row, i, from, updates ? pairs[i].from : pairs[i].to);
    return row;
}

/* Runs the body once, on pairs with distinct places. */
static bool run_pairs(tsr_body *body, tsr_tensor *const *updates, uint32_t nin,
                      const tsr_pair *pairs, int64_t n, tsr_tensor **rows)
{
    tsr_call *c = body->c;
    bool ok = true;
    memset(rows, 0, 3 * nin * sizeof *rows);
    for (uint32_t i = 0; ok && i < nin; i++) {
        rows[i] = pick(c->out[i], pairs, n, false);
        rows[nin + i] = pick(updates[i], pairs, n, true);
        ok = (rows[i] && rows[nin + i]) || tsr_fail_memory(c, "rows of updates");
    }
    ok = ok && tsr_body_run(body, rows, 2 * nin, n, rows + 2 * nin, nin);
    for (uint32_t i = 0; ok && i < nin; i++) {
        const tsr_tensor *r = rows[2 * nin + i];
        if (r->dtype != c->out[i]->dtype)
            ok = tsr_fail(c, "has a body that gives another element type");
        for (int64_t k = 0; ok && k < n; k++)
            tsr_copy_element(c->out[i], pairs[k].to, r, k);
    }
    for (uint32_t i = 0; i < 3 * nin; i++)
        tsr_tensor_unref(rows[i]);
    return ok;
}

bool tsr_rounds_run(tsr_body *body, tsr_pair *pairs, int64_t npair, tsr_tensor *const *updates,
                    uint32_t n)
{
    enum { ROW = 16384 };
    tsr_call *c = body->c;
    int64_t nround = 0, *start = make_rounds(pairs, npair, c->out[0]->n, &nround);
    if (!start)
        return tsr_fail_memory(c, "rounds of updates");
    tsr_tensor **rows = tsr_xmalloc(3 * n * sizeof *rows);
    bool ok = true;
    for (int64_t r = 0; ok && r < nround; r++)
        for (int64_t at = start[r], k; ok && at < start[r + 1]; at += k) {
            k = start[r + 1] - at < ROW ? start[r + 1] - at : ROW;
            ok = run_pairs(body, updates, n, pairs + at, k, rows);
        }
    tsr_free(rows);
    tsr_free(start);
    return ok;
}
