/* backend.c - this processor runs programs. */
#include "exec/cpu/cpu.h"

#include "exec/fft.h"
#include "exec/kernel/fft.h"

static bool run_product(tsr_run *r, const tsr_xgroup *g, tsr_xid node)
{
    return tsr_run_contract(r, g, NULL) ||
           tsr_run_no_memory(r, r->p->nodes.data[node].op, "a product");
}

static bool run(tsr_run *r, const tsr_xgroup *g)
{
    const tsr_node *n = &r->p->nodes.data[g->nodes.data[0]];
    switch ((tsr_node_kind)g->kind) {
    case TSR_NODE_CONTRACT:
        return run_product(r, g, g->product == TSR_XNONE ? g->nodes.data[0] : g->product);
    case TSR_NODE_MOVE: return tsr_run_move(r, n) || tsr_run_no_memory(r, n->op, "what it moves");
    case TSR_NODE_ZEROS:
    case TSR_NODE_CHECK: return tsr_run_check(r, n);
    default:
        if (g->product != TSR_XNONE)
            return run_product(r, g, g->product);
        tsr_run_loop(r, g);
        return true;
    }
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

const tsr_backend tsr_backend_cpu = {
    .target = &tsr_target_cpu,
    .prepare = tsr_cpu_prepare,
    .discard = tsr_cpu_discard,
    .print = print,
    .scratch = scratch,
    .run = run,
    .loop = tsr_run_short,
    .several = tsr_run_section,
};
