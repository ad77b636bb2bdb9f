/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_search.c - problem files of the search under a fuzzer. What is read is solved for a moment; what is found must fit, cost what
 * it is said to cost, and not be below the bound. */
#include "fuzz.h"

#include <math.h>

#include "api/guard.h"
#include "search/problem.h"

static void solve(tsr_search_problem *p)
{
    uint32_t *choice = TSR_NEW_ARRAY(&p->arena, uint32_t, p->nnode);
    tsr_search_options o = {.work = 20000, .seed = 1};
    tsr_search_result r = tsr_search_solve(p, &o, choice);
    if (!r.feasible)
        return;
    tsr_search_value v = tsr_search_evaluate(p, choice);
    fuzz_must(v.cost == r.cost && v.memory == r.memory, "the plan costs something else");
    fuzz_must(v.memory <= p->limit, "the plan does not fit");
    fuzz_must(r.bound <= r.cost + 1e-6 * fabs(r.cost), "the plan costs less than the bound");
}

static void read_and_solve(fuzz_world *w, tsr_str problem, tsr_status *status)
{
    TSR_GUARD_CTX(g, w->ctx, status, )
    tsr_search_problem p;
    const char *error = NULL;
    size_t at = 0;
    if (tsr_search_read(&p, problem, &error, &at)) {
        solve(&p);
        tsr_search_free(&p);
    } else {
        fuzz_must(error && at <= problem.len, "refused without a reason or a place");
    }
    tsr_guard_close(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world w;
    tsr_status status = {0};
    fuzz_open(&w);
    read_and_solve(&w, (tsr_str){(const char *)data, size}, &status);
    fuzz_close(&w);
    return 0;
}
