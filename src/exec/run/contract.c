/* contract.c - runs a product, alone or with the loop over its blocks. */
#include "exec/run/contract.h"

#include "exec/kernel/chain.h"
#include "exec/kernel/direct.h"
#include "exec/kernel/thin.h"
#include "exec/run/run.h"

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *g;
    int64_t m, n;  /* of one of the batch */
    int64_t bytes; /* of a sum */
} blocks;

static void run_rows(void *ctx, const tsr_gemm_block *b, int64_t reach)
{
    const blocks *x = ctx;
    tsr_run_loop_block(x->run, x->g,
                       &(tsr_loop_block){.worker = b->worker,
                                         .start = (b->batch * x->m + b->row) * x->n + b->col,
                                         .line = x->n,
                                         .rows = b->rows,
                                         .cols = b->cols,
                                         .product = b->at,
                                         .stride = b->stride,
                                         .bytes = x->bytes,
                                         .reach = reach});
}

static void run_block(void *ctx, const tsr_gemm_block *b)
{
    run_rows(ctx, b, ((const blocks *)ctx)->n);
}

static int64_t reach_of(void *ctx, int64_t row, int64_t rows)
{
    const blocks *x = ctx;
    return tsr_loop_reach(x->run, x->g, row, rows);
}

/* Two products, with a loop over rows between them. */
static bool run_chain(const tsr_run *r, const tsr_xgroup *group)
{
    const tsr_program *p = r->p;
    const tsr_node *first = &p->nodes.data[group->product], *then = &p->nodes.data[group->then];
    const tsr_contract_side *a = &first->contract->side[0], *b = &first->contract->side[1];
    tsr_xid rows = tsr_storage_of(p, then->in[0]);
    bool turned = p->values.data[rows].node == TSR_XNONE ||
                  tsr_xgroup_find(p, p->nodes.data[p->values.data[rows].node].group) != group->into;
    const tsr_contract_side *v = &then->contract->side[!turned];
    blocks x = {r, group, a->rest, b->rest, sizeof(float)};
    const tsr_chain c = {.batch = a->batch,
                         .m = a->rest,
                         .n = b->rest,
                         .k = a->contract,
                         .d = v->rest,
                         .a = (const float *)r->at[tsr_storage_of(p, first->in[0])] + a->offset,
                         .b = (const float *)r->at[tsr_storage_of(p, first->in[1])] + b->offset,
                         .v =
                             (const float *)r->at[tsr_storage_of(p, then->in[!turned])] + v->offset,
                         .c = (float *)r->at[then->out[0]],
                         .a_batch = a->batch_stride,
                         .a_m = a->rest_stride,
                         .a_k = a->contract_stride,
                         .b_batch = b->batch_stride,
                         .b_k = b->contract_stride,
                         .b_n = b->rest_stride,
                         .v_batch = v->batch_stride,
                         .v_n = v->contract_stride,
                         .v_d = v->rest_stride,
                         .c_batch = a->rest * v->rest,
                         .c_m = turned ? 1 : v->rest,
                         .c_d = turned ? a->rest : 1,
                         .reach = group->mask ? reach_of : NULL,
                         .rows = run_rows,
                         .ctx = &x};
    return tsr_chain_run(&c);
}

static const tsr_node *product_of(const tsr_run *r, const tsr_xgroup *g)
{
    return &r->p->nodes.data[g->product == TSR_XNONE ? g->nodes.data[0] : g->product];
}

/* A factor that a loop computes when it is packed. */
typedef struct {
    const tsr_run *run;
    const tsr_xgroup *loop;
    const tsr_contract_side *side;
    int64_t bytes; /* of an element */
} factor;

static void fill_box(void *ctx, const tsr_gemm_box *b)
{
    const factor *f = ctx;
    const tsr_contract_side *s = f->side;
    bool along = s->contract_stride == 1;
    int64_t start = s->offset + b->batch * s->batch_stride + b->line * s->rest_stride +
                    b->step * s->contract_stride;
    tsr_run_loop_block(f->run, f->loop,
                       &(tsr_loop_block){.worker = b->worker,
                                         .start = start,
                                         .line = f->loop->inner,
                                         .rows = along ? b->lines : b->depth,
                                         .cols = along ? b->depth : b->lines,
                                         .product = b->out,
                                         .stride = b->stride,
                                         .bytes = f->bytes});
}

/* What a kernel calls for a group. */
typedef struct {
    blocks after;
    factor before[2];
} calls;

/* A side of the product: in memory, or as a loop gives it. */
static const void *side_of(const tsr_run *r, const tsr_xgroup *group, int side, tsr_gemm *g,
                           calls *x)
{
    const tsr_node *n = product_of(r, group);
    const tsr_contract_side *s = &n->contract->side[side];
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)n->contract->type);
    if (!group->before[side])
        return r->at[tsr_storage_of(r->p, n->in[side])] + s->offset * bytes;
    x->before[side] = (factor){r, &r->p->groups.data[group->before[side] - 1], s, bytes};
    g->fill[side] = fill_box;
    g->fill_ctx[side] = &x->before[side];
    return NULL;
}

/* The product of a group, alone or with loops before and after it, which x is for. */
static tsr_gemm gemm_of(const tsr_run *r, const tsr_xgroup *group, calls *x)
{
    bool alone = group->kind == TSR_NODE_CONTRACT;
    const tsr_node *n = product_of(r, group);
    const tsr_contract *c = n->contract;
    tsr_gemm g = tsr_contract_gemm(c);
    x->after = (blocks){r, group, g.m, g.n, tsr_dtype_bytes(tsr_gemm_sum_type(g.type, g.out_type))};
    g.a = side_of(r, group, 0, &g, x);
    g.b = side_of(r, group, 1, &g, x);
    g.c = alone ? r->at[n->out[0]] : NULL;
    g.rows = !alone && group->mode == TSR_LOOP_ROWS;
    g.plain = r->p->strict;
    g.epilogue = alone ? NULL : run_block;
    g.ctx = &x->after;
    return g;
}

bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *group, const void *panels)
{
    if (group->then != TSR_XNONE)
        return run_chain(r, group);
    calls x;
    tsr_gemm g = gemm_of(r, group, &x);
    g.panels = panels;
    return product_of(r, group)->contract->direct ? tsr_direct_run(&g) : tsr_gemm_run(&g);
}

void *tsr_pack_contract(const tsr_run *r, const tsr_xgroup *group)
{
    calls x;
    tsr_gemm g = gemm_of(r, group, &x);
    return group->then == TSR_XNONE ? tsr_thin_pack(&g) : NULL;
}
