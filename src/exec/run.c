/* run.c - walks a program. */
#include "exec/run.h"

#include "base/scope.h"
#include "eval/kernel/quant.h"
#include "eval/plan.h"
#include "exec/kernel/gemm.h"

static bool run_block(tsr_run *r, const tsr_block_program *b);

/* ---- Values ---- */

static tsr_xid root_of(const tsr_program *p, tsr_xid v)
{
    while (p->values.data[v].shares != TSR_XNONE)
        v = p->values.data[v].shares;
    return v;
}

/* A new tensor in a box; takes over the reference. */
static void put_box(tsr_run *r, tsr_xid v, tsr_tensor *t)
{
    tsr_tensor_unref(r->box[v]);
    r->box[v] = t;
    r->at[v] = t && t->kind == TSR_TENSOR ? t->data : NULL;
}

/* A value as a tensor: a reference. NULL: no memory. */
static tsr_tensor *tensor_of(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place == TSR_PLACE_BOX)
        return r->box[v] ? tsr_tensor_ref(r->box[v]) : NULL;
    return tsr_tensor_over(x->type->elem, x->dims, x->rank, tsr_run_at(r, v));
}

/* A tensor of its own with the value's elements. */
static tsr_tensor *copy_tensor(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place == TSR_PLACE_BOX)
        return tsr_tensor_ref(r->box[v]);
    tsr_tensor *t = tsr_tensor_new(x->type->elem, x->dims, x->rank);
    if (t && x->n)
        memcpy(t->data, tsr_run_at(r, v), tsr_tensor_bytes(t));
    return t;
}

/* Brings a value to where another one lies. */
static bool assign(tsr_run *r, tsr_xid to, tsr_xid from)
{
    const tsr_xvalue *x = &r->p->values.data[to];
    if (x->place == TSR_PLACE_BOX) {
        tsr_tensor *t = copy_tensor(r, from);
        put_box(r, to, t);
        return t != NULL;
    }
    char *src = tsr_run_at(r, from);
    if (src != r->at[to] && x->n)
        memcpy(r->at[to], src, (size_t)x->n * tsr_dtype_bytes((tsr_dtype)x->dtype));
    return true;
}

/* ---- Groups ---- */

bool tsr_run_contract(const tsr_run *r, const tsr_node *n)
{
    const tsr_contract *c = n->contract;
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    tsr_dtype type = (tsr_dtype)c->type;
    int64_t bytes = tsr_dtype_bytes(type);
    tsr_gemm g = {.type = type,
                  .out_type = (tsr_dtype)c->to,
                  .m = a->rest,
                  .n = b->rest,
                  .k = a->contract,
                  .batch = a->batch,
                  .a = r->at[tsr_storage_of(r->p, n->in[0])] + a->offset * bytes,
                  .b = r->at[tsr_storage_of(r->p, n->in[1])] + b->offset * bytes,
                  .c = r->at[n->out[0]],
                  .a_m = a->rest_stride,
                  .a_k = a->contract_stride,
                  .b_k = b->contract_stride,
                  .b_n = b->rest_stride,
                  .a_batch = a->batch_stride,
                  .b_batch = b->batch_stride,
                  .c_batch = a->rest * b->rest,
                  .c_m = b->rest};
    return tsr_gemm_run(&g);
}

/* Divisors of integers that are 0 are counted before the op runs. */
static bool run_kernel(tsr_call *c)
{
    eval_fn *kernel = tsr_kernel_of(c->op);
    if (!kernel)
        return tsr_fail(c, "cannot be evaluated");
    if (!tsr_check_divisors(c))
        return false;
    return c->e->plan->quantized[c->op->id] ? tsr_eval_quantized(c, kernel) : kernel(c);
}

static bool run_other(tsr_run *r, const tsr_node *n)
{
    const tsr_op *op = n->op;
    tsr_tensor **in = tsr_xmalloc((n->nin + op->nout + 1) * sizeof *in), **out = in + n->nin;
    memset(in, 0, (n->nin + op->nout + 1) * sizeof *in);
    tsr_frame frame = {0};
    tsr_call c = {.e = r->e, .op = op, .in = in, .out = out, .frame = &frame};
    bool ok = true;
    /* An op with an effect, or a tuple, may keep its operands. */
    bool keeps = tsr_has_effect(op);
    for (uint32_t i = 0; i < op->nout; i++)
        keeps |= op->out[i].type->kind == TSR_TYPE_TUPLE;
    for (uint32_t i = 0; i < n->nin; i++)
        ok &= (in[i] = keeps ? copy_tensor(r, n->in[i]) : tensor_of(r, n->in[i])) != NULL;
    if (op->nregion)
        ok = ok && tsr_frame_init(&frame, r->p->plan, n->function);
    if (!ok)
        tsr_fail_memory(&c, "its operands");
    for (uint32_t i = 0; ok && i < n->ncaptured; i++)
        *tsr_frame_at(&frame, r->p->plan, n->captured_as[i]) =
            tsr_tensor_ref(in[n->nin - n->ncaptured + i]);
    ok = ok && run_kernel(&c);
    for (uint32_t i = 0; i < op->nout; i++) {
        if (ok && !out[i])
            ok = tsr_fail(&c, "gave no value for result %u", i);
        /* What a kernel hands on may lie in memory that is planned for others. */
        if (ok && out[i]->kind == TSR_TENSOR)
            for (uint32_t k = 0; k < n->nin; k++)
                if (out[i] == in[k] && r->p->values.data[n->in[k]].place != TSR_PLACE_BOX) {
                    tsr_tensor_unref(out[i]);
                    out[i] = copy_tensor(r, n->in[k]);
                    ok = out[i] || tsr_fail_memory(&c, "a result");
                    break;
                }
        put_box(r, n->out[i], out[i]);
    }
    for (uint32_t i = 0; i < n->nin; i++)
        tsr_tensor_unref(in[i]);
    tsr_frame_free(&frame);
    tsr_free(in);
    return ok;
}

static int64_t integer_at(const tsr_run *r, tsr_xid v)
{
    int64_t i = 0;
    tsr_convert(TSR_D_I64, &i, (tsr_dtype)r->p->values.data[v].dtype, tsr_run_at(r, v), 1);
    return i;
}

static bool fail_memory(tsr_run *r, const tsr_op *op, const char *what)
{
    tsr_call c = {.e = r->e, .op = op};
    return tsr_fail_memory(&c, what);
}

static bool run_while(tsr_run *r, const tsr_node *n)
{
    const tsr_block_program *condition = n->blocks[0], *body = n->blocks[1];
    for (uint32_t i = 0; i < n->ncarried; i++)
        if (!assign(r, n->out[i], n->in[i]))
            return fail_memory(r, n->op, "a value of the loop");
    for (;;) {
        tsr_count_step(n->op->loc);
        TSR_TRY(run_block(r, condition));
        if (!integer_at(r, condition->results[0]))
            return true;
        TSR_TRY(run_block(r, body));
        for (uint32_t i = 0; i < n->ncarried; i++)
            if (body->results[i] != n->out[i] && !assign(r, n->out[i], body->results[i]))
                return fail_memory(r, n->op, "a value of the loop");
    }
}

static bool run_case(tsr_run *r, const tsr_node *n)
{
    int64_t i = integer_at(r, n->in[0]);
    if (r->p->values.data[n->in[0]].dtype == TSR_D_I1)
        i = i ? 0 : 1; /* a truth value: the first region is for true */
    if (i < 0 || i >= n->nblock)
        i = n->nblock - 1;
    const tsr_block_program *b = n->blocks[i];
    TSR_TRY(run_block(r, b));
    for (uint32_t k = 0; k < n->nout; k++)
        if (!assign(r, n->out[k], b->results[k]))
            return fail_memory(r, n->op, "a result");
    return true;
}

static bool run_group(tsr_run *r, const tsr_xgroup *g)
{
    const tsr_node *n = &r->p->nodes.data[g->nodes.data[0]];
    if (n->op)
        tsr_count_step(n->op->loc);
    switch ((tsr_node_kind)g->kind) {
    case TSR_NODE_TILE:
    case TSR_NODE_REDUCE: tsr_run_loop(r, g); return true;
    case TSR_NODE_CONTRACT: return tsr_run_contract(r, n) || fail_memory(r, n->op, "a product");
    case TSR_NODE_MOVE: tsr_run_move(r, n); return true;
    case TSR_NODE_OTHER: return run_other(r, n);
    case TSR_NODE_WHILE: return run_while(r, n);
    case TSR_NODE_CASE: return run_case(r, n);
    }
    return true;
}

static bool run_block(tsr_run *r, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++)
        TSR_TRY(run_group(r, &r->p->groups.data[b->groups.data[i]]));
    return true;
}

/* ---- The whole ---- */

static size_t scratch_bytes(const tsr_program *p)
{
    size_t most = 64;
    for (size_t i = 0; i < p->groups.n; i++)
        if (p->groups.data[i].code) {
            size_t bytes = tsr_loop_scratch(&p->groups.data[i]);
            most = bytes > most ? bytes : most;
        }
    return (most + 4095) & ~(size_t)4095;
}

static bool prepare(tsr_run *r, tsr_tensor *const *in)
{
    const tsr_program *p = r->p;
    r->threads = tsr_pool_size();
    r->scratch_bytes = scratch_bytes(p);
    r->scratch = tsr_malloc_aligned(r->scratch_bytes * (size_t)r->threads);
    r->arena = tsr_malloc_aligned(p->arena_bytes + 64);
    r->at = tsr_calloc(p->values.n + 1, sizeof *r->at);
    r->box = tsr_calloc(p->values.n + 1, sizeof *r->box);
    if (!r->scratch || !r->arena || !r->at || !r->box)
        return false;
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (x->place == TSR_PLACE_BOX && (x->argument || x->box))
            put_box(r, v, tsr_tensor_ref(x->argument ? in[x->argument - 1] : x->box));
        if (x->place == TSR_PLACE_ARENA && x->is_result) {
            tsr_tensor *t = tsr_tensor_new(x->type->elem, x->dims, x->rank);
            if (!t)
                return false;
            put_box(r, v, t);
        } else if (x->place == TSR_PLACE_ARENA && x->shares == TSR_XNONE) {
            r->at[v] = r->arena + x->offset;
        }
    }
    for (tsr_xid v = 0; v < p->values.n; v++)
        if (p->values.data[v].place == TSR_PLACE_ARENA && p->values.data[v].shares != TSR_XNONE)
            r->at[v] = r->at[root_of(p, v)];
    return true;
}

static bool give(tsr_run *r, tsr_tensor **out, size_t nout)
{
    const tsr_program *p = r->p;
    for (size_t i = 0; i < nout; i++) {
        tsr_xid v = p->main.results[i];
        const tsr_xvalue *x = &p->values.data[v];
        bool own = x->place == TSR_PLACE_ARENA && x->is_result;
        for (size_t k = 0; k < i; k++)
            own &= p->main.results[k] != v;
        out[i] = own ? tsr_tensor_ref(r->box[v]) : copy_tensor(r, v);
        if (!out[i])
            return fail_memory(r, p->function, "a result");
    }
    return true;
}

bool tsr_program_run(const tsr_program *p, tsr_eval *e, tsr_tensor *const *in, size_t nin,
                     tsr_tensor **out, size_t nout)
{
    tsr_run r = {.p = p, .e = e};
    tsr_call c = {.e = e, .op = p->function};
    if (nin != p->main.nargs || nout != p->main.nresults)
        return tsr_fail(&c, "takes %u arguments and gives %u results; %zu and %zu are given",
                        p->main.nargs, p->main.nresults, nin, nout);
    for (size_t i = 0; i < nout; i++)
        out[i] = NULL;
    bool ok = prepare(&r, in) || fail_memory(&r, p->function, "its values");
    ok = ok && run_block(&r, &p->main) && give(&r, out, nout);
    for (tsr_xid v = 0; r.box && v < p->values.n; v++)
        tsr_tensor_unref(r.box[v]);
    tsr_free(r.box);
    tsr_free(r.at);
    tsr_free(r.arena);
    tsr_free(r.scratch);
    return ok;
}
