/* SPDX-License-Identifier: Apache-2.0 */
/* backend.c - this processor runs programs. */
#include "exec/cpu/cpu.h"

#include "exec/fft.h"
#include "exec/kernel/fft.h"

static bool run(tsr_run *r, const tsr_xgroup *g)
{
    bool joined = g->product != TSR_XNONE;
    const tsr_node *n = &r->p->nodes.data[joined ? g->product : g->nodes.data[0]];
    if (joined || g->kind == TSR_NODE_CONTRACT)
        return tsr_run_contract(r, g, NULL) || tsr_run_no_memory(r, n->op, "a product");
    if (g->kind == TSR_NODE_MOVE)
        return tsr_run_move(r, n) || tsr_run_no_memory(r, n->op, "what it moves");
    if (g->kind == TSR_NODE_ZEROS || g->kind == TSR_NODE_CHECK)
        return tsr_run_check(r, n);
    tsr_run_loop(r, g);
    return true;
}

static void print(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out)
{
    const tsr_cpu_code *cpu = tsr_cpu_code_of(p, g);
    tsr_buf_printf(out, " registers=%u block=%lld", cpu->nregister, (long long)cpu->block);
    if (cpu->together)
        tsr_buf_printf(out, " together=%u lane=%u", cpu->together, cpu->lane);
}

static size_t scratch(const tsr_program *p)
{
    size_t most = 64;
    for (size_t i = 0; i < p->nodes.n; i++)
        for (const tsr_fft_step *f = p->nodes.data[i].fft; f; f = f->next) {
            size_t bytes = tsr_fft_scratch(f->plan);
            most = bytes > most ? bytes : most;
        }
    for (size_t i = 0; i < p->groups.n; i++)
        if (p->groups.data[i].code) {
            size_t bytes =
                tsr_loop_scratch(&p->groups.data[i], tsr_cpu_code_of(p, &p->groups.data[i]));
            most = bytes > most ? bytes : most;
        }
    return (most + 4095) & ~(size_t)4095;
}

/* Tables of a run, scratch of threads, and the most that is allocated for one group. Kernels tell it before they work:
 * addresses are counted with, and not read. */
static size_t workspace(const tsr_program *p)
{
    int64_t most = 0;
    char **at = tsr_xmalloc((p->values.n + 1) * sizeof *at);
    for (tsr_xid v = 0; v < p->values.n; v++)
        at[v] = (char *)at;
    tsr_run r = {.p = p, .code = p->code, .at = at, .room = &most};
    for (size_t i = 0; i < p->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[i];
        if (g->into != i || !g->mark)
            continue;
        const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
        if (g->kind == TSR_NODE_WHILE)
            (void)tsr_run_short(&r, n, NULL);
        else if (g->kind == TSR_NODE_CONTRACT || g->product != TSR_XNONE)
            (void)tsr_run_contract(&r, g, NULL);
        else if (n->move == TSR_MOVE_SORT || n->move == TSR_MOVE_MATRICES)
            (void)tsr_run_move(&r, n);
        else if (g->mode == TSR_LOOP_LONG || g->mode == TSR_LOOP_COLUMNS)
            tsr_run_loop(&r, g);
    }
    tsr_free(at);
    return (size_t)most + scratch(p) * (size_t)tsr_pool_size() + 2 * p->values.n * sizeof *at;
}

const tsr_backend tsr_backend_cpu = {
    .target = &tsr_target_cpu,
    .prepare = tsr_cpu_prepare,
    .discard = tsr_cpu_discard,
    .print = print,
    .scratch = scratch,
    .workspace = workspace,
    .run = run,
    .loop = tsr_run_short,
    .several = tsr_run_section,
};
