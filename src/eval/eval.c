/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c - runs blocks, regions and functions; the functions that kernels call. */
#include <stdlib.h>

#include "base/scope.h"
#include "eval/host.h"
#include "eval/kernel/pointwise.h"
#include "eval/kernel/quant.h"
#include "eval/kernel/kernels.h"
#include "eval/plan.h"

/* Kernels: the EVAL column. A row without it is NULL. */
static const struct {
    eval_fn *kernel;
} kernels[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define EVAL(fn) .kernel = eval_##fn,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

eval_fn *tsr_kernel_of(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? NULL : kernels[op->def->opcode].kernel;
}

/* ---- Failure ---- */

static bool fail(tsr_eval *e, tsr_loc loc, bool environment, const char *fmt, va_list args)
{
    if (e->failure.failed)
        return false; /* the first failure is kept */
    e->failure.failed = true;
    e->failure.environment = environment;
    e->failure.loc = loc;
    tsr_buf_vprintf(&e->failure.message, fmt, args);
    return false;
}

bool tsr_fail(tsr_call *c, const char *fmt, ...)
{
    if (!c->e->failure.failed)
        tsr_buf_printf(&c->e->failure.message, "'%.*s' op ", TSR_STR_ARG(c->op->def->name));
    va_list args;
    va_start(args, fmt);
    fail(c->e, c->op->loc, false, fmt, args);
    va_end(args);
    return false;
}

bool tsr_fail_memory(tsr_call *c, const char *what)
{
    tsr_fail(c, "no memory for %s%s", what, tsr_memory_reason().text);
    c->e->failure.environment = true;
    return false;
}

/* ---- Results ---- */

static void no_memory(tsr_call *c, const tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_buf what = {0};
    tsr_buf_cstr(&what, "its result of ");
    for (size_t i = 0; i < rank; i++)
        tsr_buf_printf(&what, "%lldx", (long long)dims[i]);
    tsr_buf_cstr(&what, tsr_dtype_name(tsr_dtype_of(elem)));
    tsr_buf_char(&what, 0);
    if (rank > TSR_MAX_RANK)
        tsr_fail(c, "has a result of %zu dimensions; at most %d can be computed with", rank,
                 TSR_MAX_RANK);
    else
        tsr_fail_memory(c, what.data);
    tsr_buf_free(&what);
}

tsr_tensor *tsr_call_tensor(tsr_call *c, tsr_type *elem, const int64_t *dims, size_t rank)
{
    if (tsr_dtype_of(elem) == TSR_D_NONE) {
        tsr_fail(c, "has a result of elements that have no values");
        return NULL;
    }
    tsr_tensor *t = tsr_tensor_new(elem, dims, rank);
    if (!t)
        no_memory(c, elem, dims, rank);
    return t;
}

/* The caller's memory for result i, given out once; NULL if there is none of that type. */
static tsr_tensor *take_place(tsr_call *c, size_t i, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = c->into && c->out == c->into_outs ? c->into[i] : NULL;
    if (!t || t->elem != c->op->out[i].type->elem || t->rank != rank ||
        (rank && memcmp(t->dims, dims, rank * sizeof *dims)))
        return NULL;
    c->into[i] = NULL;
    return t;
}

tsr_tensor *tsr_call_new(tsr_call *c, size_t i, const int64_t *dims, size_t rank)
{
    c->out[i] = take_place(c, i, dims, rank);
    if (!c->out[i])
        c->out[i] = tsr_call_tensor(c, c->op->out[i].type->elem, dims, rank);
    return c->out[i];
}

tsr_tensor *tsr_call_static(tsr_call *c, size_t i)
{
    tsr_type *type = c->op->out[i].type;
    if (type->kind != TSR_TYPE_TENSOR || !tsr_type_has_static_shape(type)) {
        tsr_fail(c, "has a result whose shape is not known");
        return NULL;
    }
    return tsr_call_new(c, i, type->dims, type->n);
}

tsr_tensor *tsr_call_take(tsr_call *c, size_t i)
{
    tsr_tensor *t = c->in[i];
    if (!c->last || !c->last[i])
        return tsr_tensor_ref(t);
    /* The frame's reference becomes the caller's. */
    tsr_tensor **slot = tsr_frame_at(c->frame, c->e->plan, c->op->in[i].value);
    c->in[i] = NULL;
    *slot = NULL;
    return t;
}

size_t tsr_ints_of(const tsr_attr *a, int64_t *out, size_t max)
{
    int64_t n = a ? tsr_attr_count(a) : 0;
    for (int64_t i = 0; i < n && (size_t)i < max; i++)
        out[i] = tsr_attr_int_at(a, (size_t)i);
    return n < 0 ? 0 : (size_t)n < max ? (size_t)n : max;
}

tsr_tensor *tsr_call_pointwise(tsr_call *c, size_t i)
{
    if (c->batch)
        return tsr_call_new(c, i, &c->batch, 1);
    const tsr_tensor *shape = c->in[0];
    for (uint32_t k = 1; k < c->op->nin; k++)
        if (c->in[k]->rank > shape->rank)
            shape = c->in[k];
    return tsr_call_new(c, i, shape->dims, shape->rank);
}

/* ---- Blocks ---- */

static void set(tsr_tensor **slot, tsr_tensor *t)
{
    tsr_tensor_unref(*slot);
    *slot = t;
}

#define COUNT_ZEROS(T)                 \
    for (int64_t i = 0; i < t->n; i++) \
        n += ((const T *)t->data)[i] == 0;

static int64_t count_zeros(const tsr_tensor *t)
{
    int64_t n = 0;
    switch (tsr_dtype_bytes((tsr_dtype)t->dtype)) {
    case 1: COUNT_ZEROS(uint8_t) break;
    case 2: COUNT_ZEROS(uint16_t) break;
    case 4: COUNT_ZEROS(uint32_t) break;
    default: COUNT_ZEROS(uint64_t) break;
    }
    return n;
}

static void add_zeros(tsr_eval *e, const tsr_op *op, int64_t n)
{
    if (!e->zero_at) {
        e->zero_at = tsr_xmalloc((e->module->nop + 1) * sizeof *e->zero_at);
        memset(e->zero_at, 0, (e->module->nop + 1) * sizeof *e->zero_at);
    }
    if (!e->zero_at[op->id]) {
        tsr_vec_push(&e->zeros, ((tsr_zero_count){op, 0}));
        e->zero_at[op->id] = (uint32_t)e->zeros.n;
    }
    e->zeros.data[e->zero_at[op->id] - 1].n += n;
}

bool tsr_divides_by_zero(tsr_call *c, int64_t n, int64_t m)
{
    if (!n || c->e->zero_division == TSR_ZERO_IGNORE)
        return true;
    add_zeros(c->e, c->op, n);
    return c->e->zero_division == TSR_ZERO_WARN ||
           tsr_fail(c, "divides integers by zero (%lld of %lld divisors)", (long long)n,
                    (long long)m);
}

bool tsr_check_divisors(tsr_call *c)
{
    if (!tsr_op_has(c->op, TSR_TRAIT(DIVIDES)) || c->op->nin < 2)
        return true;
    const tsr_tensor *by = c->in[1];
    if (c->e->zero_division == TSR_ZERO_IGNORE || by->kind != TSR_TENSOR ||
        !tsr_dtype_is_int((tsr_dtype)by->dtype) || tsr_is_quantized(by->elem) ||
        (c->in[0]->kind == TSR_TENSOR && !c->in[0]->n))
        return true;
    return tsr_divides_by_zero(c, count_zeros(by), by->n);
}

/* Checks that every operand is available, unless the program deallocated it. */
static bool operands_live(tsr_call *c)
{
    for (uint32_t i = 0; i < c->op->nin; i++)
        if (!c->in[i])
            return tsr_fail(c, "uses a tensor that was deallocated: operand #%u", i);
    return true;
}

static bool watched(tsr_call *c)
{
    const struct tsr_eval_host *host = c->e->host;
    return !host || !host->watch || host->watch(host->watch_user, c);
}

static bool entered(tsr_eval *e, tsr_frame *f, const tsr_block *b)
{
    const struct tsr_eval_host *host = e->host;
    tsr_call c = {.e = e, .op = tsr_block_parent(b), .frame = f};
    return !host || !host->enter || host->enter(host->watch_user, &c, b);
}

static bool run_op(tsr_eval *e, tsr_frame *f, const tsr_op *op)
{
    enum { FEW = 16 };
    tsr_tensor *few_in[FEW], *few_out[FEW];
    tsr_tensor **in = op->nin <= FEW ? few_in : tsr_xmalloc(op->nin * sizeof *in);
    tsr_tensor **out = op->nout <= FEW ? few_out : tsr_xmalloc(op->nout * sizeof *out);
    const bool *last = e->plan->last[op->id];
    tsr_call c = {
        .e = e, .op = op, .in = in, .out = out, .last = last, .frame = f, .batch = e->batch};
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = *tsr_frame_at(f, e->plan, op->in[i].value);
    memset(out, 0, op->nout * sizeof *out);
    eval_fn *kernel = tsr_kernel_of(op);
    bool ok;
    tsr_count_step(op->loc);
    if (!kernel)
        ok = tsr_fail(&c, "cannot be evaluated");
    else if (!operands_live(&c))
        ok = false;
    else if (!tsr_check_divisors(&c))
        ok = false;
    else
        ok = (e->plan->quantized[op->id] ? tsr_eval_quantized(&c, kernel) : kernel(&c)) &&
             watched(&c);
    for (uint32_t i = 0; last && i < op->nin; i++)
        if (last[i])
            set(tsr_frame_at(f, e->plan, op->in[i].value), NULL);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_tensor **slot = tsr_frame_at(f, e->plan, &op->out[i]);
        set(slot, out[i]); /* instead of that of an earlier iteration of a loop */
        if (ok && !out[i])
            ok = tsr_fail(&c, "gave no value for result %u", i);
        if (!op->out[i].uses)
            set(slot, NULL);
    }
    if (in != few_in)
        tsr_free(in);
    if (out != few_out)
        tsr_free(out);
    return ok;
}

bool tsr_run_block(tsr_eval *e, tsr_frame *f, const tsr_block *block, tsr_tensor **out, size_t nout)
{
    TSR_TRY(entered(e, f, block));
    TSR_BLOCK_OPS (block, op) {
        if (e->failure.failed)
            return false;
        if (!tsr_op_has(op, TSR_TRAIT(RETURN_LIKE)) &&
            !(tsr_op_has(op, TSR_TRAIT(TERMINATOR)) && !op->next)) {
            TSR_TRY(run_op(e, f, op));
            continue;
        }
        tsr_call c = {.e = e, .op = op};
        if (op->nin != nout)
            return tsr_fail(&c, "gives %u values where %zu are wanted", op->nin, nout);
        for (uint32_t i = 0; i < op->nin; i++) {
            tsr_tensor *t = *tsr_frame_at(f, e->plan, op->in[i].value);
            if (!t) {
                for (uint32_t k = 0; k < i; k++)
                    tsr_tensor_unref(out[k]);
                memset(out, 0, nout * sizeof *out);
                return tsr_fail(&c, "uses a tensor that was deallocated: operand #%u", i);
            }
            out[i] = tsr_tensor_ref(t);
        }
        return true;
    }
    return nout == 0;
}

static void set_args(tsr_eval *e, tsr_frame *f, const tsr_block *b, tsr_tensor *const *args,
                     size_t n)
{
    for (size_t i = 0; i < n && i < b->nargs; i++)
        set(tsr_frame_at(f, e->plan, b->args[i]), tsr_tensor_ref(args[i]));
}

bool tsr_eval_region(tsr_call *c, const tsr_region *region, tsr_tensor *const *args, size_t nargs,
                     tsr_tensor **out, size_t nout)
{
    const tsr_block *b = region->first;
    if (!b || b != region->last)
        return tsr_fail(c, "has a region that is not one block");
    if (b->nargs != nargs)
        return tsr_fail(c, "has a region with %u arguments where %zu are given", b->nargs, nargs);
    tsr_check_stack();
    set_args(c->e, c->frame, b, args, nargs);
    bool ok = tsr_run_block(c->e, c->frame, b, out, nout);
    return ok;
}

void tsr_eval_region_clear(tsr_call *c, const tsr_region *region)
{
    const tsr_block *b = region->first;
    for (uint32_t i = 0; b && i < b->nargs; i++)
        set(tsr_frame_at(c->frame, c->e->plan, b->args[i]), NULL);
}

bool tsr_eval_region_own(tsr_call *c, const tsr_region *region, tsr_tensor **args, size_t nargs,
                         tsr_tensor **out, size_t nout)
{
    const tsr_block *b = region->first;
    if (!b || b != region->last || b->nargs != nargs) {
        for (size_t i = 0; i < nargs; i++)
            tsr_tensor_unref(args[i]);
        return tsr_fail(c, "has a region that does not take its values");
    }
    for (size_t i = 0; i < nargs; i++)
        set(tsr_frame_at(c->frame, c->e->plan, b->args[i]), args[i]);
    tsr_check_stack();
    bool ok = tsr_run_block(c->e, c->frame, b, out, nout);
    return ok;
}

/* The final values of the arguments, where ops have changed them. */
static void give_back(tsr_eval *e, tsr_frame *f, const tsr_block *b, tsr_tensor *const *in,
                      tsr_tensor **changed)
{
    for (uint32_t i = 0; i < b->nargs; i++) {
        tsr_tensor *now = *tsr_frame_at(f, e->plan, b->args[i]);
        changed[i] = now && now != in[i] ? tsr_tensor_ref(now) : NULL;
    }
}

bool tsr_eval_function(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out)
{
    return tsr_eval_changing(e, func, in, nin, out, NULL);
}

bool tsr_eval_changing(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out, tsr_tensor **changed)
{
    const tsr_block *b = func->nregion ? func->regions[0].first : NULL;
    tsr_call c = {.e = e, .op = func};
    const tsr_attr *type = tsr_op_attr(func, TSR_STR("function_type"));
    if (!b || b->next)
        return tsr_fail(&c, "has no body of one block to run");
    if (b->nargs != nin)
        return tsr_fail(&c, "takes %u arguments; %zu are given", b->nargs, nin);
    tsr_check_stack();
    tsr_frame f;
    bool ok = tsr_frame_init(&f, e->plan, func) || tsr_fail_memory(&c, "a frame");
    if (ok) {
        set_args(e, &f, b, in, nin);
        size_t nout = type && type->type ? type->type->nout : 0;
        ok = tsr_run_block(e, &f, b, out, nout);
        if (ok && changed)
            give_back(e, &f, b, in, changed);
    }
    tsr_frame_free(&f);
    return ok;
}

void tsr_eval_init(tsr_eval *e, tsr_module *m, const tsr_plan *plan)
{
    *e = (tsr_eval){.ctx = m->ctx, .module = m, .plan = plan};
}

void tsr_eval_init_process(tsr_eval *e, const tsr_call *c, tsr_process *process, uint32_t id)
{
    tsr_eval_init(e, c->e->module, c->e->plan);
    e->process = process;
    e->host = c->e->host;
    e->zero_division = c->e->zero_division;
    e->rng = tsr_rng_of_process(&c->e->rng, id);
}

void tsr_eval_join_process(tsr_call *c, const tsr_eval *e)
{
    for (size_t i = 0; i < e->zeros.n; i++)
        add_zeros(c->e, e->zeros.data[i].op, e->zeros.data[i].n);
}

void tsr_eval_free(tsr_eval *e)
{
    tsr_buf_free(&e->failure.message);
    for (uint32_t i = 0; e->states && i <= e->module->nop; i++)
        tsr_tensor_unref(e->states[i]);
    tsr_free(e->states);
    tsr_free(e->zero_at);
    tsr_vec_free(&e->zeros);
    tsr_tt_store_free(e->store);
}
