/* contract.c - runs a product, alone or with the loop over its blocks. */
#include "exec/contract.h"

#include "exec/kernel/direct.h"
#include "exec/kernel/gemm.h"
#include "exec/run.h"

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *g;
    int64_t m, n; /* of one of the batch */
} blocks;

static void run_block(void *ctx, const tsr_gemm_block *b)
{
    const blocks *x = ctx;
    tsr_run_loop_block(x->run, x->g,
                       &(tsr_loop_block){.worker = b->worker,
                                         .start = (b->batch * x->m + b->row) * x->n + b->col,
                                         .line = x->n,
                                         .rows = b->rows,
                                         .cols = b->cols,
                                         .product = b->at,
                                         .stride = b->stride});
}

bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *group)
{
    bool alone = group->product == TSR_XNONE;
    const tsr_node *n = &r->p->nodes.data[alone ? group->nodes.data[0] : group->product];
    const tsr_contract *c = n->contract;
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    tsr_dtype type = (tsr_dtype)c->type;
    int64_t bytes = tsr_dtype_bytes(type);
    blocks x = {r, group, a->rest, b->rest};
    tsr_gemm g = {.type = type,
                  .out_type = (tsr_dtype)c->to,
                  .m = a->rest,
                  .n = b->rest,
                  .k = a->contract,
                  .batch = a->batch,
                  .a = r->at[tsr_storage_of(r->p, n->in[0])] + a->offset * bytes,
                  .b = r->at[tsr_storage_of(r->p, n->in[1])] + b->offset * bytes,
                  .c = alone ? r->at[n->out[0]] : NULL,
                  .a_m = a->rest_stride,
                  .a_k = a->contract_stride,
                  .b_k = b->contract_stride,
                  .b_n = b->rest_stride,
                  .a_grid = a->grid,
                  .b_grid = b->grid,
                  .a_batch = a->batch_stride,
                  .b_batch = b->batch_stride,
                  .c_batch = a->rest * b->rest,
                  .c_m = b->rest,
                  .rows = !alone && group->mode == TSR_LOOP_ROWS,
                  .epilogue = alone ? NULL : run_block,
                  .ctx = &x};
    return c->direct ? tsr_direct_run(&g) : tsr_gemm_run(&g);
}
