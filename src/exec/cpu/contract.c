/* SPDX-License-Identifier: Apache-2.0 */
/* contract.c - runs a product, alone or with the loop over its blocks. */
#include "exec/contract.h"

#include "exec/kernel/chain.h"
#include "exec/kernel/direct.h"
#include "exec/kernel/thin.h"
#include "exec/cpu/cpu.h"

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *g;
    const tsr_contract *c;
    int64_t bytes; /* of a sum */
} blocks;

static void run_rows(void *ctx, const tsr_gemm_block *b, int64_t apart, int64_t reach)
{
    const blocks *x = ctx;
    const tsr_contract *c = x->c;
    int64_t start = tsr_batch_at(c->outer, TSR_OF_C, c->to_batch, b->batch);
    tsr_run_loop_block(x->run, x->g,
                       &(tsr_loop_block){.worker = b->worker,
                                         .start = start + b->row * c->to_row + b->col,
                                         .line = c->to_row,
                                         .rows = b->rows,
                                         .cols = b->cols,
                                         .product = b->at,
                                         .stride = b->stride,
                                         .bytes = x->bytes,
                                         .apart = apart,
                                         .reach = reach});
}

static void run_block(void *ctx, const tsr_gemm_block *b)
{
    run_rows(ctx, b, 0, ((const blocks *)ctx)->c->side[1].rest);
}

static int64_t reach_of(void *ctx, int64_t row, int64_t rows)
{
    const blocks *x = ctx;
    return tsr_loop_reach(x->run, x->g, row, rows);
}

/* ---- Chains ---- */

/* The address of the first element of a side of a product. */
static const float *side_at(const tsr_run *r, tsr_xid v, const tsr_contract_side *s)
{
    return (const float *)r->at[tsr_storage_of(r->p, v)] + s->offset;
}

/* The number of the block of rows in which the loop leaves v; -1: v is in memory. */
static int block_of(const tsr_program *p, const tsr_xgroup *g, tsr_xid v)
{
    for (uint8_t i = 0; i < g->ngiven; i++)
        if (g->given[i] == tsr_storage_of(p, v))
            return i;
    return -1;
}

static tsr_chain_first first_of(const tsr_run *r, tsr_xid node)
{
    const tsr_node *n = &r->p->nodes.data[node];
    const tsr_contract_side *a = &n->contract->side[0], *b = &n->contract->side[1];
    return (tsr_chain_first){.k = a->contract,
                             .a = side_at(r, n->in[0], a),
                             .b = side_at(r, n->in[1], b),
                             .a_batch = a->batch_stride,
                             .a_m = a->rest_stride,
                             .a_k = a->contract_stride,
                             .b_batch = b->batch_stride,
                             .b_k = b->contract_stride,
                             .b_n = b->rest_stride,
                             .outer = n->contract->outer};
}

static tsr_chain_tail tail_of(const tsr_run *r, const tsr_xgroup *g, const tsr_tail *t)
{
    const tsr_node *n = &r->p->nodes.data[t->node];
    const tsr_contract_side *y = &n->contract->side[!t->right];
    int block = block_of(r->p, g, n->in[t->right]);
    return (tsr_chain_tail){
        .d = y->rest,
        .block = block,
        .x = block < 0 ? side_at(r, n->in[t->right], &n->contract->side[t->right]) : NULL,
        .y = side_at(r, n->in[!t->right], y),
        .y_batch = y->batch_stride,
        .y_m = y->contract_stride,
        .y_d = y->rest_stride,
        .outer = n->contract->outer,
        .y_of = t->right ? TSR_OF_A : TSR_OF_B,
        .c = (float *)r->at[n->out[0]],
        .c_batch = n->contract->to_batch,
        .c_line = n->contract->to_row,
        .transposed = t->right};
}

/* Sets up the product that multiplies the rows. */
static void set_then(const tsr_run *r, const tsr_xgroup *g, tsr_chain *c)
{
    const tsr_node *then = &r->p->nodes.data[g->then];
    bool transposed = block_of(r->p, g, then->in[0]) < 0;
    const tsr_contract_side *v = &then->contract->side[!transposed];
    c->d = v->rest;
    c->v = side_at(r, then->in[!transposed], v);
    c->c = (float *)r->at[then->out[0]];
    c->v_batch = v->batch_stride;
    c->v_n = v->contract_stride;
    c->v_d = v->rest_stride;
    c->outer = then->contract->outer;
    c->v_of = transposed ? TSR_OF_A : TSR_OF_B;
    c->c_batch = then->contract->to_batch;
    c->c_m = transposed ? 1 : then->contract->to_row;
    c->c_d = transposed ? then->contract->to_row : 1;
}

/* Runs products with a loop over rows between them. */
static bool run_chain(const tsr_run *r, const tsr_xgroup *g)
{
    const tsr_contract *first = r->p->nodes.data[g->product].contract;
    blocks x = {r, g, first, sizeof(float)};
    bool two = g->also != TSR_XNONE;
    tsr_chain c = {.batch = first->side[0].batch,
                   .m = first->side[0].rest,
                   .n = first->side[1].rest,
                   .nfirst = 1 + two,
                   .ntail = g->ntail,
                   .blocks = g->ngiven > 1 + two ? g->ngiven : 1 + two,
                   .reach = tsr_cpu_code_of(r->p, g)->mask ? reach_of : NULL,
                   .rows = run_rows,
                   .ctx = &x,
                   .room = r->room};
    c.first[0] = first_of(r, g->product);
    if (two)
        c.first[1] = first_of(r, g->also);
    if (g->then != TSR_XNONE)
        set_then(r, g, &c);
    for (uint8_t i = 0; i < g->ntail; i++)
        c.tails[i] = tail_of(r, g, &g->tails[i]);
    return tsr_chain_run(&c);
}

/* ---- Products ---- */

static const tsr_node *product_of(const tsr_run *r, const tsr_xgroup *g)
{
    return &r->p->nodes.data[g->product == TSR_XNONE ? g->nodes.data[0] : g->product];
}

/* A factor that a loop computes during packing. */
typedef struct {
    const tsr_run *run;
    const tsr_xgroup *loop;
    const tsr_contract *c;
    int side;
    int64_t bytes; /* of an element */
} factor;

static void fill_box(void *ctx, const tsr_gemm_box *b)
{
    const factor *f = ctx;
    const tsr_contract_side *s = &f->c->side[f->side];
    bool along = s->contract_stride == 1;
    int64_t start = s->offset +
                    tsr_batch_at(f->c->outer, (tsr_gemm_of)f->side, s->batch_stride, b->batch) +
                    b->line * s->rest_stride + b->step * s->contract_stride;
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

/* Context of the functions that a kernel calls back for a group. */
typedef struct {
    blocks after;
    factor before[2];
} calls;

/* A side of the product: in memory, or computed by a loop. */
static const void *side_of(const tsr_run *r, const tsr_xgroup *group, int side, tsr_gemm *g,
                           calls *x)
{
    const tsr_node *n = product_of(r, group);
    const tsr_contract_side *s = &n->contract->side[side];
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)n->contract->type);
    if (!group->before[side])
        return r->at[tsr_storage_of(r->p, n->in[side])] + s->offset * bytes;
    x->before[side] =
        (factor){r, &r->p->groups.data[group->before[side] - 1], n->contract, side, bytes};
    g->fill[side] = fill_box;
    g->fill_ctx[side] = &x->before[side];
    return NULL;
}

/* The product of a group, alone or with loops before and after it, whose context is x. */
static tsr_gemm gemm_of(const tsr_run *r, const tsr_xgroup *group, calls *x)
{
    bool alone = group->kind == TSR_NODE_CONTRACT;
    const tsr_node *n = product_of(r, group);
    const tsr_contract *c = n->contract;
    tsr_gemm g = tsr_contract_gemm(c);
    int64_t bytes = tsr_dtype_bytes(tsr_contract_sum(g.type, g.out_type));
    x->after = (blocks){r, group, c, bytes};
    g.a = side_of(r, group, 0, &g, x);
    g.b = side_of(r, group, 1, &g, x);
    g.c = alone ? r->at[n->out[0]] : NULL;
    g.rows = !alone && group->mode == TSR_LOOP_ROWS;
    g.plain = r->p->strict;
    g.room = r->room;
    g.epilogue = alone ? NULL : run_block;
    g.ctx = &x->after;
    return g;
}

bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *group, const void *panels)
{
    if (tsr_is_chain(group))
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
    return tsr_is_chain(group) ? NULL : tsr_thin_pack(&g);
}
