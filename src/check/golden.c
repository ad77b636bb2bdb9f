/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c - see golden.h: rows, values from the evaluator, and copies of a function that return all their values. */
#include "check/golden.h"

#include "base/scope.h"
#include "dialect/opcode.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "eval/mesh.h"
#include "eval/plan.h"

/* The largest number of devices of a mesh (eval/kernel/manual.c). */
enum { TSR_GOLDEN_DEVICES = 65536 };

/* ---- Rows ---- */

static void *zeros(size_t n, size_t size)
{
    void *p = tsr_xmalloc((n + 1) * size);
    memset(p, 0, (n + 1) * size);
    return p;
}

static void give_slot(tsr_flat_ops *f, tsr_value *v, size_t devices)
{
    f->slot_of[v->id] = (uint32_t)f->nslot + 1;
    f->value_of[f->nslot++] = v;
    f->place_of[f->nslot] = f->place_of[f->nslot - 1] + (uint32_t)devices;
}

static void give_row(tsr_flat_ops *f, tsr_op *op, tsr_str function, uint32_t order, size_t devices)
{
    f->rows[f->nall] = (tsr_golden_row){op, function, (uint32_t)f->nslot, order};
    f->row_of[op->id] = (uint32_t)++f->nall;
    for (uint32_t i = 0; i < op->nout; i++)
        give_slot(f, &op->out[i], devices);
}

/* The number of devices that run an op in a region: those of the enclosing manual computation, which has its own
 * mesh. */
static size_t devices_around(const tsr_flat_ops *f, const tsr_op *op)
{
    int64_t n = 1;
    while (f->devices == 1 && op != f->func && !tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
        op = tsr_block_parent(op->block);
    if (f->devices > 1 || op == f->func)
        return f->devices;
    const tsr_attr *sharding = tsr_sdy_list_sharding(op, op->nin > 0, 0);
    const tsr_attr *mesh = sharding ? tsr_sdy_mesh_of(op, sharding) : NULL;
    for (uint32_t i = 0; mesh && i < mesh->attrs[SDY_MESH_axes]->n; i++)
        n = tsr_sdy_mul(n, mesh->attrs[SDY_MESH_axes]->attrs[i]->attrs[SDY_MESH_AXIS_size]->i);
    return n >= 1 && n <= TSR_GOLDEN_DEVICES ? (size_t)n : 1;
}

static void add_regions(tsr_flat_ops *f, const tsr_block *body, const tsr_str *function_of)
{
    uint32_t order = 0;
    TSR_OPS (f->func, op) {
        order++;
        if (op == f->func)
            continue;
        if (op->block == body) {
            if (f->row_of[op->id])
                f->rows[f->row_of[op->id] - 1].order = order;
            continue;
        }
        size_t devices = devices_around(f, op);
        for (uint32_t i = 0; op == op->block->first && i < op->block->nargs; i++)
            give_slot(f, op->block->args[i], devices);
        if (!tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            give_row(f, op, function_of[op->id], order, devices);
    }
}

static void count_values(const tsr_flat_ops *f, size_t *nop, size_t *nvalue)
{
    *nop = *nvalue = 0;
    TSR_OPS (f->func, op) {
        ++*nop;
        *nvalue += op->nout;
        if (op != f->func && op == op->block->first)
            *nvalue += op->block->nargs;
    }
    if (!f->func->regions[0].first->first)
        *nvalue += f->func->regions[0].first->nargs;
}

void tsr_flat_init(tsr_flat_ops *f, tsr_module *m, tsr_op *func, size_t devices,
                   const tsr_str *function_of)
{
    tsr_block *body = func->regions[0].first;
    size_t nop, nvalue;
    *f = (tsr_flat_ops){.m = m, .func = func, .devices = devices};
    count_values(f, &nop, &nvalue);
    f->row_of = zeros(m->nop, sizeof *f->row_of);
    f->slot_of = zeros(m->nvalue, sizeof *f->slot_of);
    f->value_of = zeros(nvalue, sizeof(tsr_value *));
    f->place_of = zeros(nvalue, sizeof *f->place_of);
    f->rows = zeros(nop, sizeof *f->rows);
    for (uint32_t i = 0; i < body->nargs; i++)
        give_slot(f, body->args[i], devices);
    TSR_BLOCK_OPS (body, op)
        if (op != body->last)
            give_row(f, op, function_of[op->id], 0, devices);
    f->nrow = f->nall;
    add_regions(f, body, function_of);
}

void tsr_flat_free(tsr_flat_ops *f)
{
    tsr_free(f->rows);
    tsr_free(f->row_of);
    tsr_free(f->slot_of);
    tsr_free(f->value_of);
    tsr_free(f->place_of);
}

/* ---- Values from the evaluator ---- */

static size_t place_in(const tsr_golden_watch *w, const tsr_call *c, const tsr_value *v)
{
    size_t slot = w->flat->slot_of[v->id] - 1;
    return tsr_golden_place(w->flat, slot,
                            tsr_process_id(c->e) % tsr_golden_devices(w->flat, slot));
}

/* once: keeps a value from an earlier iteration of a loop. */
static bool keep(const tsr_golden_watch *w, tsr_call *c, const tsr_value *v, tsr_tensor *t,
                 bool once)
{
    tsr_status status = {TSR_OK, ""};
    if (!t || t->kind != TSR_TENSOR || tsr_store_put(w->store, place_in(w, c, v), t, once, &status))
        return true;
    tsr_fail(c, "%s", status.message);
    c->e->failure.environment = true;
    return false;
}

/* Replaces result i by the caller's own golden. */
static bool take_custom(const tsr_golden_watch *w, tsr_call *c, uint32_t i)
{
    tsr_tensor *t = w->custom[place_in(w, c, &c->op->out[i])];
    if (!t)
        return true;
    tsr_tensor_unref(c->out[i]);
    c->out[i] = tsr_tensor_borrow(t);
    return c->out[i] || tsr_fail_memory(c, "a value that was given");
}

static bool tell_progress(tsr_golden_watch *w, tsr_call *c)
{
    if (!w->progress || tsr_process_id(c->e))
        return true;
    tsr_scope *scope = tsr_scope_suspend();
    bool ok = w->progress(w->user, ++w->done, w->flat->nrow);
    tsr_scope_resume(scope);
    return ok || tsr_fail(c, "is the last that was wanted: the run was ended");
}

bool tsr_golden_enter(void *watch, tsr_call *c, const tsr_block *block)
{
    const tsr_golden_watch *w = watch;
    for (uint32_t i = 0; !c->e->batch && i < block->nargs; i++)
        if (w->flat->slot_of[block->args[i]->id])
            TSR_TRY(keep(w, c, block->args[i], *tsr_frame_at(c->frame, c->e->plan, block->args[i]),
                         true));
    return true;
}

bool tsr_golden_see(void *watch, tsr_call *c)
{
    tsr_golden_watch *w = watch;
    const tsr_flat_ops *f = w->flat;
    uint32_t row = f->row_of[c->op->id];
    bool inner = row > f->nrow;
    if (!row || c->e->batch) /* a batch of elements is not a value of the program */
        return true;
    for (uint32_t i = 0; i < c->op->nout; i++)
        TSR_TRY(take_custom(w, c, i) && keep(w, c, &c->op->out[i], c->out[i], inner));
    int written = tsr_written_operand(c->op);
    if (written >= 0) { /* the value changes here */
        const tsr_value *v = c->op->in[written].value;
        if (f->slot_of[v->id])
            TSR_TRY(keep(w, c, v, *tsr_frame_at(c->frame, c->e->plan, v), false));
    }
    return inner || tell_progress(w, c);
}

/* ---- Copies that return all values ---- */

/* Pairs the ops of two identical modules. */
static void pair_ops(const tsr_flat_ops *f, tsr_module *copy, tsr_op **copies, tsr_op **func)
{
    tsr_op *b = copy->op;
    TSR_OPS (f->m->op, a) {
        if (a == f->func)
            *func = b;
        if (f->row_of[a->id])
            copies[f->row_of[a->id] - 1] = b;
        b = tsr_walk_next(copy->op, b);
    }
}

/* Replaces all uses of the value by a new argument. */
static void bypass_value(tsr_golden_copy *c, tsr_value *v, uint32_t slot)
{
    tsr_value *arg = tsr_block_add_arg(c->m, c->func->regions[0].first, v->type, c->func->loc);
    tsr_value_replace(v, arg);
    c->bypassed[c->nbypassed++] = slot;
}

/* Updates the function's type and argument attributes to its current arguments. */
static void fix_inputs(tsr_golden_copy *c)
{
    tsr_ctx *ctx = c->m->ctx;
    const tsr_block *body = c->func->regions[0].first;
    const tsr_type *type = tsr_op_attr(c->func, TSR_STR("function_type"))->type;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&types, body->args[i]->type);
    tsr_type *now = tsr_type_function(ctx, types.data, types.n, type->types + type->n, type->nout);
    c->func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(ctx, now);
    tsr_vec_free(&types);
    const tsr_attr *old = c->func->attrs[FUNC_FUNC_arg_attrs];
    if (!old)
        return;
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&dicts, i < old->n ? old->attrs[i] : tsr_attr_dict(ctx, NULL, 0));
    c->func->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
}

void tsr_golden_expose(const tsr_flat_ops *f, const bool *bypass, bool graph_only,
                       tsr_golden_copy *out)
{
    tsr_op **copies = zeros(f->nall, sizeof(tsr_op *));
    *out = (tsr_golden_copy){.m = tsr_module_copy_borrowed(f->m)};
    pair_ops(f, out->m, copies, &out->func);
    uint32_t *slot_of = zeros(out->m->nvalue, sizeof *slot_of);
    out->bypassed = zeros(f->nslot, sizeof *out->bypassed);
    for (size_t r = 0; r < f->nrow; r++)
        for (uint32_t i = 0; i < copies[r]->nout; i++) {
            uint32_t slot = f->rows[r].first + i;
            slot_of[copies[r]->out[i].id] = slot + 1;
            if (bypass[slot])
                bypass_value(out, &copies[r]->out[i], slot);
        }
    if (out->nbypassed)
        fix_inputs(out);
    out->nown = tsr_op_attr(out->func, TSR_STR("function_type"))->type->nout;
    if (!graph_only)
        tsr_expose(out->func, &out->from);
    size_t n = graph_only ? out->nown : out->from.n;
    out->slots = zeros(n, sizeof *out->slots);
    for (size_t i = 0; i < n; i++)
        out->slots[i] = i + out->nown < n ? slot_of[out->from.data[i].value->id] - 1 : UINT32_MAX;
    tsr_free(slot_of);
    tsr_free(copies);
}

void tsr_golden_copy_free(tsr_golden_copy *c)
{
    tsr_vec_free(&c->from);
    tsr_free(c->slots);
    tsr_free(c->bypassed);
    if (c->m)
        tsr_module_free(c->m);
}
