/* SPDX-License-Identifier: Apache-2.0 */
/* tiny.c - see tiny.h. Threads share the batch; factors are read in place. */
#include "exec/kernel/tiny.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"

enum {
    FEW = 4,   /* matrices, at least */
    SOME = 256 /* of a chunk */
};

bool tsr_tiny_sizes(int64_t m, int64_t n, int64_t k)
{
    return m <= TSR_TINY && n <= TSR_TINY && k >= 1 && k <= TSR_TINY;
}

bool tsr_tiny_fits(const tsr_gemm *g)
{
    return g->type == TSR_D_F32 && g->out_type == TSR_D_F32 && g->batch >= FEW &&
           tsr_tiny_sizes(g->m, g->n, g->k) && g->c && !g->epilogue && !g->a_grid && !g->b_grid &&
           !g->fill[0] && !g->fill[1];
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const tsr_gemm *g = ctx;
    int64_t end = (number + 1) * SOME < g->batch ? (number + 1) * SOME : g->batch;
    tsr_tiny t = {.m = g->m,
                  .n = g->n,
                  .k = g->k,
                  .a_m = g->a_m,
                  .a_k = g->a_k,
                  .b_k = g->b_k,
                  .b_n = g->n == 1 ? 1 : g->b_n,
                  .c_m = g->c_m};
    (void)worker;
    for (int64_t i = number * SOME; i < end; i++) {
        t.a = (const float *)g->a + tsr_gemm_a_at(g, i);
        t.b = (const float *)g->b + tsr_gemm_b_at(g, i);
        t.c = (float *)g->c + tsr_gemm_c_at(g, i);
        tsr_isa_now()->tiny(&t);
    }
    tsr_poll();
}

void tsr_tiny_run(const tsr_gemm *g)
{
    tsr_gemm all = *g;
    tsr_pool_for((g->batch + SOME - 1) / SOME, chunk, &all);
}
