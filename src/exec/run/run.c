/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - runs a program, group by group. */
#include "exec/run/run.h"

#include "base/device_block.h"
#include "base/scope.h"
#include "eval/groups.h"
#include "eval/kernel/collective.h"
#include "eval/kernel/quant.h"
#include "eval/kernel/ttir/cache.h"
#include "eval/plan.h"
#include "exec/run/mesh.h"

/* ---- Values ---- */

/* Puts a new tensor into a box; consumes the reference. */
static void put_box(tsr_run *r, tsr_xid v, tsr_tensor *t)
{
    tsr_tensor_unref(r->box[v]);
    r->box[v] = t;
    r->at[v] = t && t->kind == TSR_TENSOR && (!r->device || t->where) ? t->data : NULL;
}

/* Whether a result is computed in the buffer of this argument in this run. */
static bool is_donated(const tsr_run *r, const tsr_xvalue *x)
{
    return x->donates && tsr_donated(r, x->argument - 1);
}

/* Whether the memory of v may be reused by another value later, or freed with the program. */
static bool may_change(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    return x->place != TSR_PLACE_TENSOR && (x->place != TSR_PLACE_ARGUMENT || is_donated(r, x));
}

/* If the memory may change, the tensor borrows it, and whoever keeps the tensor must copy it. */
tsr_tensor *tsr_run_tensor(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    bool box = tsr_has_tensor(x);
    if (box && r->box[v] && !r->box[v]->where && (r->device || !is_donated(r, x)))
        return tsr_tensor_ref(r->box[v]);
    if (box && !r->at[v])
        return NULL;
    if (r->device)
        return tsr_run_fetched(r, v);
    return tsr_tensor_over(x->type->elem, x->dims, x->rank, tsr_run_at(r, v));
}

/* A new tensor with a copy of the value's elements. */
static tsr_tensor *copy_tensor(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (tsr_run_is_away(r, v))
        return tsr_run_fetched(r, v);
    if (!may_change(r, v))
        return tsr_tensor_ref(r->box[v]);
    tsr_tensor *t = tsr_tensor_new(x->type->elem, x->dims, x->rank);
    if (t && x->n)
        memcpy(t->data, tsr_run_at(r, v), tsr_tensor_bytes(t));
    return t;
}

/* Copies a value to the memory of another one. */
static bool assign(tsr_run *r, tsr_xid to, tsr_xid from)
{
    const tsr_xvalue *x = &r->p->values.data[to];
    uint64_t element;
    tsr_run_learn(r, to, tsr_run_known(r, from, &element) ? &element : NULL);
    if (tsr_has_tensor(x)) {
        tsr_tensor *t = tsr_run_is_away(r, from) ? tsr_run_copied(r, from) : copy_tensor(r, from);
        put_box(r, to, t);
        return t != NULL;
    }
    if (r->device)
        return tsr_run_move_to(r, r->at[to], from);
    char *src = tsr_run_at(r, from);
    if (src != r->at[to] && x->n)
        memcpy(r->at[to], src, (size_t)x->n * tsr_dtype_bytes((tsr_dtype)x->dtype));
    return true;
}

/* ---- Groups ---- */

/* How many results of n its kernel computes; one more is an operand that it changes. */
static uint32_t given_by(const tsr_node *n)
{
    return n->manual ? n->nout : n->op->nout;
}

/* Counts integer divisors that are 0 before the op runs. */
static bool run_kernel(tsr_call *c, const tsr_node *n)
{
    eval_fn *kernel = tsr_kernel_of(c->op);
    if (n->manual)
        return n->manual == TSR_MANUAL_TAKE ? tsr_manual_take(c, c->out) : tsr_manual_give(c);
    if (!kernel)
        return tsr_fail(c, "cannot be evaluated");
    if (!tsr_check_divisors(c))
        return false;
    return c->e->plan->quantized[c->op->id] ? tsr_eval_quantized(c, kernel) : kernel(c);
}

/* The same on a device, for a tensor of the host. Values of dynamic sizes and tokens stay there. */
static bool send_result(tsr_run *r, const tsr_op *op, tsr_xid v, tsr_tensor *t)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    bool ok = true;
    tsr_run_learn(r, v, t->data);
    if (x->n < 0) {
        put_box(r, v, t);
        return true;
    }
    if (tsr_has_tensor(x)) {
        tsr_tensor *there = tsr_run_send(r, op, t);
        put_box(r, v, there);
        ok = there != NULL;
    } else if (t->n) {
        ok = r->device->copy_in(r->device, r->at[v], t->data, tsr_tensor_bytes(t)) ||
             tsr_run_lost(r, op);
    }
    tsr_tensor_unref(t);
    return ok;
}

/* Copies a kernel's result to its planned memory or to the caller's. A tensor that the kernel passes on may be in
 * memory that is planned for other values, on this device or another. Consumes the reference. */
static bool put_result(tsr_run *r, tsr_call *c, tsr_xid v, tsr_tensor *t)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    bool planned = x->place == TSR_PLACE_ARENA;
    tsr_tensor *to = x->given && r->into ? r->into[x->given - 1] : NULL;
    void *at = planned ? r->at[v] : to ? to->data : NULL;
    bool sized = planned || (r->device && x->n >= 0);
    size_t room = sized ? (size_t)tsr_xvalue_bytes(x) : to ? tsr_tensor_bytes(to) : 0;
    bool plain = t->kind == TSR_TENSOR;
    if (sized && !(plain && tsr_tensor_bytes(t) == room)) {
        tsr_tensor_unref(t);
        return tsr_fail(c, "gave a value of another size than the type of its result says");
    }
    if (r->device)
        return send_result(r, c->op, v, t);
    if (planned || (to && plain && tsr_tensor_bytes(t) == room)) {
        if (room && t->data != at)
            memcpy(at, t->data, room);
        tsr_tensor_unref(t);
        if (!planned)
            put_box(r, v, tsr_tensor_ref(to));
        return true;
    }
    /* Memory of others, such as a constant of the module, may go before the result. */
    const tsr_tensor *owner = t->owner ? t->owner : t;
    if (plain && owner->owner == owner) {
        tsr_tensor *copy = tsr_tensor_like(t, t->elem);
        if (copy)
            memcpy(copy->data, t->data, tsr_tensor_bytes(t));
        tsr_tensor_unref(t);
        t = copy;
    }
    put_box(r, v, t);
    return t || tsr_fail_memory(c, "a result");
}

/* Runs the kernel and stores its results and the operand that it changed. */
static bool run_and_put(tsr_run *r, const tsr_node *n, tsr_call *c, tsr_tensor **changed)
{
    uint32_t nout = given_by(n);
    bool ok = run_kernel(c, n);
    if (changed && ok && r->device)
        ok = send_result(r, c->op, n->out[nout], tsr_tensor_ref(*changed));
    else if (changed && ok)
        put_box(r, n->out[nout], tsr_tensor_ref(*changed));
    for (uint32_t i = 0; i < nout; i++) {
        if (ok && !c->out[i])
            ok = tsr_fail(c, "gave no value for result %u", i);
        if (ok)
            ok = put_result(r, c, n->out[i], c->out[i]);
        else
            tsr_tensor_unref(c->out[i]);
    }
    return ok;
}

/* A collective between its operands and its results in planned memory. One in two parts has met already. */
static tsr_joined join(tsr_run *r, const tsr_node *n, tsr_call *c)
{
    bool can = n->comm && !n->started && !r->device;
    for (uint32_t i = 0; can && i < n->nout; i++)
        can = r->p->values.data[n->out[i]].place == TSR_PLACE_ARENA;
    return can ? tsr_collective_join(c) : TSR_JOIN_NOT;
}

/* In a grid, an op that waits for other devices is run again later. Results are in their final memory before other
 * devices continue. */
static bool run_in_grid(tsr_run *r, const tsr_node *n, tsr_call *c, tsr_tensor **changed)
{
    if (!tsr_mesh_in_lockstep(r->e))
        return run_and_put(r, n, c, changed);
    tsr_op_mark mark;
    tsr_op_log **log = n->started && r->started ? &r->started[n - r->p->nodes.data] : NULL;
    tsr_mesh_op_begin(r->e, c->op, &mark);
    if (log && *log)
        tsr_mesh_op_resume(r->e, *log);
    if (log)
        *log = NULL;
    tsr_joined joined = join(r, n, c);
    bool ok = joined == TSR_JOIN_NOT ? run_and_put(r, n, c, changed) : joined == TSR_JOINED;
    tsr_advance step = tsr_mesh_op_end(r->e, &mark, ok);
    r->again = step == TSR_STEP_WAITS;
    r->leaves = step == TSR_STEP_LEAVES;
    return ok && !r->again;
}

/* Creates tensors over planned or caller's memory of the host for the results of n. False: no memory for the tensors. */
static bool find_places(const tsr_run *r, const tsr_node *n, tsr_tensor **into)
{
    for (uint32_t i = 0; i < given_by(n) && !r->device; i++) {
        const tsr_xvalue *x = &r->p->values.data[n->out[i]];
        const tsr_tensor *to = x->given && r->into ? r->into[x->given - 1] : NULL;
        bool fits = to && to->kind == TSR_TENSOR && to->elem == x->type->elem &&
                    to->rank == x->rank && !memcmp(to->dims, x->dims, x->rank * sizeof *x->dims);
        void *at = x->place == TSR_PLACE_ARENA ? r->at[n->out[i]] : fits ? to->data : NULL;
        if (at && !(into[i] = tsr_tensor_over(x->type->elem, x->dims, x->rank, at)))
            return false;
    }
    return true;
}

static bool run_other(tsr_run *r, const tsr_node *n)
{
    const tsr_op *op = n->op;
    uint32_t nout = given_by(n);
    size_t all = n->nin + 2 * (size_t)nout;
    tsr_tensor **in = tsr_xmalloc((all + 1) * sizeof *in), **out = in + n->nin;
    memset(in, 0, (all + 1) * sizeof *in);
    tsr_frame frame = {0};
    tsr_call c = {.e = r->e, .op = op, .in = in, .out = out, .frame = &frame, .comm = n->comm};
    c.into = out + nout;
    c.into_outs = out;
    bool ok = find_places(r, n, c.into);
    /* An op with a side effect, or a tuple, may keep its operands; operands sent to other devices are copied there. */
    bool keeps = !n->manual && tsr_has_effect(op) && !tsr_op_meets(op);
    for (uint32_t i = 0; i < nout; i++)
        keeps |= !n->manual && op->out[i].type->kind == TSR_TYPE_TUPLE;
    for (uint32_t i = 0; i < n->nin; i++)
        ok &= (in[i] = keeps ? copy_tensor(r, n->in[i]) : tsr_run_tensor(r, n->in[i])) != NULL;
    int written = tsr_written_operand(op);
    if ((op->nregion && !n->manual) || written >= 0) {
        bool outside = n->ncaptured || written >= 0; /* it has values of the function too */
        ok = ok && tsr_frame_init(&frame, r->p->plan, outside ? n->function : op);
    }
    if (!ok)
        tsr_fail_memory(&c, "its operands");
    for (uint32_t i = 0; ok && i < n->ncaptured; i++)
        *tsr_frame_at(&frame, r->p->plan, n->captured_as[i]) =
            tsr_tensor_ref(in[n->nin - n->ncaptured + i]);
    tsr_tensor **changed =
        ok && written >= 0 ? tsr_frame_at(&frame, r->p->plan, op->in[written].value) : NULL;
    if (changed)
        *changed = in[written];
    struct tsr_stepper *engine = r->e->engine;
    if (n->device)
        r->e->engine = r->grids;
    ok = ok && run_in_grid(r, n, &c, changed);
    r->e->engine = engine;
    if (changed) /* the kernel's reference, or a tensor that replaces it */
        in[written] = NULL;
    for (uint32_t i = 0; i < nout; i++)
        tsr_tensor_unref(c.into[i]); /* unused */
    for (uint32_t i = 0; i < n->nin; i++)
        tsr_tensor_unref(in[i]);
    tsr_frame_free(&frame);
    tsr_free(in);
    return ok;
}

/* Contributes copies of a collective's operands, without waiting. If all devices have arrived already, or if it fails,
 * the done node gets the results or the failure. */
static bool run_start(tsr_run *r, const tsr_node *n)
{
    const tsr_op *op = n->op;
    if (!tsr_mesh_in_lockstep(r->e) || !r->started)
        return true;
    size_t all = n->nin + (size_t)op->nout;
    tsr_tensor **in = tsr_xmalloc((all + 1) * sizeof *in), **out = in + n->nin;
    memset(in, 0, (all + 1) * sizeof *in);
    tsr_frame frame = {0};
    tsr_call c = {.e = r->e, .op = op, .in = in, .out = out, .frame = &frame, .comm = n->comm};
    bool ok = true;
    for (uint32_t i = 0; i < n->nin; i++)
        ok &= (in[i] = tsr_run_tensor(r, n->in[i])) != NULL;
    if (op->nregion)
        ok = ok && tsr_frame_init(&frame, r->p->plan, op);
    tsr_op_mark mark;
    tsr_mesh_op_start(r->e, op, &mark);
    if (ok)
        run_kernel(&c, n);
    r->started[n->done] = tsr_mesh_op_park(r->e, &mark);
    for (size_t i = 0; i < all; i++)
        tsr_tensor_unref(in[i]);
    tsr_frame_free(&frame);
    tsr_free(in);
    return true;
}

/* The value's only element. False: its device has failed. */
static bool integer_at(const tsr_run *r, tsr_xid v, int64_t *out)
{
    uint64_t element[2] = {0};
    bool away = tsr_run_is_away(r, v);
    if (away && !tsr_run_fetch(r, v, element))
        return false;
    tsr_convert(TSR_D_I64, out, (tsr_dtype)r->p->values.data[v].dtype,
                away ? (char *)element : tsr_run_at(r, v), 1);
    return true;
}

static bool run_zeros(tsr_run *r, const tsr_node *n)
{
    if (r->e->zero_division == TSR_ZERO_IGNORE)
        return true;
    tsr_tensor *in[2] = {NULL};
    tsr_call c = {.e = r->e, .op = n->op, .in = in};
    int64_t one;
    if (r->p->values.data[n->in[0]].n == 1 && *n->numbers > 1)
        return integer_at(r, n->in[0], &one) &&
               (one || tsr_divides_by_zero(&c, *n->numbers, *n->numbers));
    tsr_tensor *by = in[0] = in[1] = tsr_run_tensor(r, n->in[0]);
    bool ok = by ? tsr_check_divisors(&c) : tsr_fail_memory(&c, "its divisors");
    tsr_tensor_unref(by);
    return ok;
}

static bool check(tsr_run *r, const tsr_node *n)
{
    tsr_call c = {.e = r->e, .op = n->op};
    if (n->check == TSR_CHECK_MESH)
        return tsr_tt_mesh_of(&c) != NULL;
    tsr_tensor *at = tsr_run_tensor(r, n->in[0]);
    bool ok = at || tsr_fail_memory(&c, "its positions");
    for (int64_t i = 0; ok && i < at->n; i++)
        ok = tsr_tt_in_cache(&c, tsr_get_index(at, i), *n->numbers);
    tsr_tensor_unref(at);
    return ok;
}

bool tsr_run_check(tsr_run *r, const tsr_node *n)
{
    return n->kind == TSR_NODE_ZEROS ? run_zeros(r, n) : check(r, n);
}

bool tsr_run_no_memory(tsr_run *r, const tsr_op *op, const char *what)
{
    tsr_call c = {.e = r->e, .op = op};
    return tsr_fail_memory(&c, what);
}

/* ---- Blocks ---- */

/* Frees results of kernels that are dead after the step. */
static void let_go(tsr_run *r, uint32_t step)
{
    const tsr_program *p = r->p;
    for (uint32_t i = p->dying_at[step]; i < p->dying_at[step + 1]; i++)
        put_box(r, p->dying[i], NULL);
}

/* Ends a group of control flow. */
static bool end_group(tsr_run *r, const tsr_node *n)
{
    if (r->hooks && !tsr_run_told(r, n->group))
        return false;
    let_go(r, r->p->groups.data[tsr_xgroup_find(r->p, n->group)].end);
    return true;
}

static void enter(tsr_run *r, const tsr_node *n, const tsr_block_program *b)
{
    tsr_vec_push(&r->frames, ((tsr_run_frame){b, n, 0}));
}

static void iterate(tsr_run *r, const tsr_node *n)
{
    tsr_count_step(n->op->loc);
    enter(r, n, n->blocks[0]);
}

static bool begin_while(tsr_run *r, const tsr_node *n)
{
    for (uint32_t i = 0; i < n->ncarried; i++)
        if (!assign(r, n->out[i], n->in[i]))
            return tsr_run_no_memory(r, n->op, "a value of the loop");
    bool ok = true;
    if (!r->hooks && r->backend->loop && r->backend->loop(r, n, &ok))
        return ok ? end_group(r, n) : tsr_run_no_memory(r, n->op, "a step of the loop");
    iterate(r, n);
    return true;
}

static bool begin_case(tsr_run *r, const tsr_node *n)
{
    int64_t i;
    TSR_TRY(integer_at(r, n->in[0], &i));
    if (r->p->values.data[n->in[0]].dtype == TSR_D_I1)
        i = i ? 0 : 1; /* a truth value: the first region is for true */
    if (i < 0 || i >= n->nblock)
        i = n->nblock - 1;
    enter(r, n, n->blocks[i]);
    return true;
}

/* Leaves the innermost block at its end: a condition, a body, a branch, or the function. */
static bool leave_block(tsr_run *r)
{
    tsr_run_frame f = r->frames.data[--r->frames.n];
    const tsr_node *n = f.node;
    if (!n)
        return true;
    if (n->kind == TSR_NODE_WHILE && f.block == n->blocks[0]) {
        int64_t goes_on;
        TSR_TRY(integer_at(r, f.block->results[0], &goes_on));
        let_go(r, f.block->last);
        if (!goes_on)
            return end_group(r, n);
        enter(r, n, n->blocks[1]);
        return true;
    }
    bool loop = n->kind == TSR_NODE_WHILE;
    for (uint32_t i = 0; i < (loop ? n->ncarried : n->nout); i++)
        if ((!loop || f.block->results[i] != n->out[i]) &&
            !assign(r, n->out[i], f.block->results[i]))
            return tsr_run_no_memory(r, n->op, loop ? "a value of the loop" : "a result");
    let_go(r, f.block->last);
    if (loop)
        iterate(r, n);
    return loop || end_group(r, n);
}

static bool run_group(tsr_run *r, const tsr_xgroup *g)
{
    const tsr_node *n = &r->p->nodes.data[g->nodes.data[0]];
    if (n->op && !r->again)
        tsr_count_step(n->op->loc);
    r->again = false;
    switch ((tsr_node_kind)g->kind) {
    case TSR_NODE_TILE:
    case TSR_NODE_REDUCE:
    case TSR_NODE_CONTRACT:
    case TSR_NODE_MOVE:
    case TSR_NODE_ZEROS:
    case TSR_NODE_CHECK: tsr_run_follow(r, g); return r->backend->run(r, g);
    case TSR_NODE_BARRIER: return true;
    case TSR_NODE_OTHER:
    case TSR_NODE_COLLECTIVE: return run_other(r, n);
    case TSR_NODE_WHILE: return begin_while(r, n);
    case TSR_NODE_CASE: return begin_case(r, n);
    case TSR_NODE_START: return run_start(r, n);
    }
    return true;
}

/* Runs groups from the next one on together, where the backend does. */
static bool run_several(tsr_run *r, tsr_run_frame *f)
{
    const tsr_xid *groups = &f->block->groups.data[f->at];
    uint32_t n = r->hooks || !r->backend->several ? 0 : r->backend->several(r, groups);
    for (uint32_t i = 0; i < n; i++)
        let_go(r, r->p->groups.data[groups[i]].step);
    f->at += n;
    return n > 0;
}

tsr_advance tsr_run_advance(tsr_run *r)
{
    if (r->failed)
        return TSR_STEP_FAILED;
    while (r->frames.n) {
        tsr_run_frame *f = &r->frames.data[r->frames.n - 1];
        if (f->at == f->block->groups.n) {
            if (!leave_block(r))
                return TSR_STEP_FAILED;
            continue;
        }
        tsr_xid g = f->block->groups.data[f->at];
        const tsr_xgroup *group = &r->p->groups.data[g];
        if (run_several(r, f))
            continue;
        f->at++;
        if (r->hooks ? tsr_run_watched(r, g, run_group) : run_group(r, group)) {
            if (group->kind != TSR_NODE_WHILE && group->kind != TSR_NODE_CASE)
                let_go(r, group->step);
            if (!r->leaves)
                continue;
            r->leaves = false;
            return TSR_STEP_WAITS;
        }
        if (r->leaves) { /* other devices still read its memory: it fails after that */
            r->leaves = false;
            r->failed = true;
            return TSR_STEP_WAITS;
        }
        if (!r->again)
            return TSR_STEP_FAILED;
        r->frames.data[r->frames.n - 1].at--;
        return TSR_STEP_WAITS;
    }
    return TSR_STEP_DONE;
}

/* ---- Whole runs ---- */

size_t tsr_program_scratch(const tsr_program *p)
{
    return p->backend->scratch ? p->backend->scratch(p) : 64;
}

/* Sets up results that are computed in the caller's memory. */
static void take_results(tsr_run *r)
{
    const tsr_program *p = r->p;
    for (uint32_t i = 0; r->into && i < p->main.nresults; i++)
        if (p->main.owned[i] && r->into[i] && (!r->device || r->into[i]->where))
            put_box(r, tsr_storage_of(p, p->main.results[i]), tsr_tensor_ref(r->into[i]));
}

/* Constants belong to the program, and a run may be stopped at any point: they are borrowed. Arguments of the host are
 * brought to the device. */
static bool put_given(tsr_run *r, tsr_xid v, tsr_tensor *const *in)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    tsr_tensor *given = x->argument ? in[x->argument - 1] : x->box;
    if (r->device && x->argument && x->n >= 0 && !given->where) {
        put_box(r, v, tsr_run_send(r, NULL, given));
        tsr_run_learn(r, v, given->data);
    } else
        put_box(r, v, x->argument ? tsr_tensor_ref(given) : tsr_tensor_borrow(given));
    if (r->device && x->box && x->box->kind == TSR_TENSOR && x->box->n)
        r->at[v] = r->p->lasting->at + r->p->lasting_at[v];
    return r->box[v] != NULL;
}

/* A new tensor for a result of the function, or the argument in whose memory it is computed: one that the caller
 * donates, or on a device, the run's own copy. */
static tsr_tensor *result_room(const tsr_run *r, const tsr_xvalue *x, tsr_tensor *const *in)
{
    const tsr_type *type = x->given_as;
    tsr_tensor *taken = x->donor ? tsr_donated(r, x->donor - 1) : NULL;
    if (r->device && x->donor && !(taken && taken->where)) {
        tsr_tensor *own = r->box[r->p->main.args[x->donor - 1]];
        taken = own == in[x->donor - 1] ? NULL : own;
    }
    if (taken)
        return tsr_tensor_ref(taken);
    return r->device ? tsr_run_room(r, x->op, type->elem, type->dims, type->n)
                     : tsr_tensor_new(type->elem, type->dims, type->n);
}

/* The memory of all values that have no tensor. */
static bool open_arena(tsr_run *r)
{
    size_t bytes = r->p->arena_bytes + 64;
    if (!r->device)
        return (r->arena = tsr_malloc_aligned(bytes)) != NULL;
    r->memory = tsr_device_block_new(r->device, bytes);
    if (!r->memory)
        return tsr_run_lost(r, NULL);
    r->memory->busy = true;
    r->arena = r->memory->at;
    return true;
}

static bool prepare(tsr_run *r, tsr_tensor *const *in)
{
    const tsr_program *p = r->p;
    bool arena = open_arena(r);
    r->at = tsr_calloc(p->values.n + 1, sizeof *r->at);
    r->box = tsr_calloc(p->values.n + 1, sizeof *r->box);
    bool starts = p->nstart && r->overlaps;
    r->started = starts ? tsr_calloc(p->nodes.n, sizeof *r->started) : NULL;
    r->known = r->device ? tsr_calloc(p->values.n + 1, sizeof *r->known) : NULL;
    if (!arena || !r->at || !r->box || (starts && !r->started) || (r->device && !r->known))
        return false;
    take_results(r);
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (x->place == TSR_PLACE_SPLAT)
            r->at[v] = r->device ? p->lasting->at + p->lasting_at[v]
                                 : (char *)x->bits; /* one element, for movements */
        if ((x->place == TSR_PLACE_ARGUMENT || x->box) && !put_given(r, v, in))
            return false;
        if (x->place == TSR_PLACE_ARENA && x->is_result && r->box[v])
            continue;
        if (x->place == TSR_PLACE_ARENA && x->is_result) {
            tsr_tensor *t = result_room(r, x, in);
            if (!t)
                return false;
            put_box(r, v, t);
        } else if (x->place == TSR_PLACE_ARENA && x->shares == TSR_XNONE && !x->host) {
            r->at[v] = r->arena + x->offset;
        }
    }
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[tsr_buffer_of(p, v)];
        if (p->values.data[v].place != TSR_PLACE_ARENA)
            continue;
        if (x->host)
            r->at[v] = r->at[x->host - 1] + x->offset;
        else if (p->values.data[v].shares != TSR_XNONE)
            r->at[v] = r->at[tsr_buffer_of(p, v)];
    }
    return true;
}

/* Copies result i to the caller's memory, which may be too small for a result with a dynamic size. */
static bool copy_into(tsr_run *r, size_t i, tsr_xid v, tsr_tensor *to)
{
    const tsr_tensor *box = tsr_has_tensor(&r->p->values.data[v]) ? r->box[v] : NULL;
    tsr_call c = {.e = r->e, .op = r->p->function};
    if (box == to)
        return true; /* it is there already */
    if (box && (box->kind != TSR_TENSOR || tsr_tensor_bytes(box) != tsr_tensor_bytes(to)))
        return tsr_fail(&c, "gives result %zu of %zu bytes; there is room for %zu", i,
                        box->kind == TSR_TENSOR ? tsr_tensor_bytes(box) : 0, tsr_tensor_bytes(to));
    if (to->n)
        memcpy(to->data, box ? box->data : tsr_run_at(r, v), tsr_tensor_bytes(to));
    return true;
}

bool tsr_run_give(tsr_run *r, tsr_tensor **out, size_t nout)
{
    const tsr_program *p = r->p;
    for (size_t i = 0; i < nout; i++) {
        tsr_xid v = p->main.results[i];
        if (tsr_run_is_away(r, tsr_storage_of(p, v))) {
            if (!(out[i] = tsr_run_result(r, i)))
                return tsr_run_no_memory(r, p->function, "a result");
            continue;
        }
        if (!p->main.owned[i] && r->into && r->into[i]) {
            TSR_TRY(copy_into(r, i, v, r->into[i]));
            out[i] = tsr_tensor_ref(r->into[i]);
            continue;
        }
        out[i] =
            p->main.owned[i] ? tsr_tensor_ref(r->box[tsr_storage_of(p, v)]) : copy_tensor(r, v);
        if (!out[i])
            return tsr_run_no_memory(r, p->function, "a result");
    }
    return !r->device || tsr_run_settle(r);
}

bool tsr_run_open(tsr_run *r, tsr_tensor *const *in, char *scratch)
{
    tsr_call c = {.e = r->e, .op = r->p->function};
    r->backend = r->p->backend;
    r->code = r->p->code;
    r->device = r->p->device;
    if (r->p->unfit.code) {
        tsr_fail(&c, "%s", r->p->unfit.message);
        r->e->failure.environment = r->p->unfit.code == TSR_ENVIRONMENT;
        return false;
    }
    r->scratch_bytes = tsr_program_scratch(r->p);
    r->scratch = scratch;
    r->grids = r->p->inner ? tsr_compiled_over(r->p->inner) : NULL;
    if (!scratch || !prepare(r, in))
        return tsr_run_no_memory(r, r->p->function, "its values");
    enter(r, NULL, &r->p->main);
    return true;
}

void tsr_run_close(tsr_run *r)
{
    if (r->memory && r->memory->busy) /* it failed */
        (void)r->device->synchronize(r->device);
    for (tsr_xid v = 0; r->box && v < r->p->values.n; v++)
        tsr_tensor_unref(r->box[v]);
    tsr_free(r->box);
    tsr_free(r->known);
    tsr_free(r->at);
    tsr_free(r->device ? (void *)r->memory : r->arena);
    tsr_vec_free(&r->frames);
    tsr_vec_free(&r->marks);
    for (size_t i = 0; r->started && i < r->p->nodes.n; i++)
        tsr_op_log_free(r->started[i]);
    tsr_free(r->started);
    tsr_compiled_free(r->grids);
}

bool tsr_program_run(const tsr_program *p, tsr_eval *e, tsr_tensor *const *in, size_t nin,
                     tsr_tensor **out, size_t nout, const tsr_run_hooks *hooks)
{
    bool watched = hooks && (hooks->observe || hooks->progress || hooks->times || hooks->trace);
    tsr_run r = {.p = p,
                 .e = e,
                 .hooks = watched ? hooks : NULL,
                 .into = hooks ? hooks->into : NULL,
                 .donated = hooks ? hooks->donated : NULL,
                 .stay = hooks && hooks->stay};
    tsr_call c = {.e = e, .op = p->function};
    if (nin != p->main.nargs || nout != p->main.nresults)
        return tsr_fail(&c, "takes %u arguments and gives %u results; %zu and %zu are given",
                        p->main.nargs, p->main.nresults, nin, nout);
    for (size_t i = 0; i < nout; i++)
        out[i] = NULL;
    char *scratch = tsr_malloc_aligned(tsr_program_scratch(p) * (size_t)tsr_pool_size());
    bool ok = tsr_run_open(&r, in, scratch) && tsr_run_advance(&r) == TSR_STEP_DONE &&
              tsr_run_give(&r, out, nout);
    tsr_run_close(&r);
    tsr_free(scratch);
    return ok;
}
