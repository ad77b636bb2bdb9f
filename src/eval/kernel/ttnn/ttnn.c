/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.c - TTNN ops. Those that TTIR has too run on TTIR's kernels, with a view of the op (dialect/ttnn/view.h); the
 * others say where a tensor is stored, which does not affect values, in which data type, which does, and when its
 * memory is freed. */
#include "eval/kernel/ttnn/ttnn.h"

#include <math.h>

#include "eval/block.h"
#include "eval/host.h"

/* ---- Shared helpers ---- */

const tsr_ttnn_view *tsr_ttnn_view_in(tsr_call *c)
{
    const tsr_plan *p = c->e->plan;
    const tsr_op *view = p->views ? p->views[c->op->id] : NULL;
    if (!view || !tsr_kernel_of(view))
        tsr_fail(c, "cannot be evaluated with these attributes");
    return view && tsr_kernel_of(view) ? (const tsr_ttnn_view *)(const void *)view : NULL;
}

/* Rounds results in block formats to that format. */
static bool round_results(tsr_call *c)
{
    for (uint32_t i = 0; i < c->op->nout; i++) {
        const tsr_type *type = c->op->out[i].type;
        if (!c->out[i] || type->kind != TSR_TYPE_TENSOR || !tsr_block_bits(type->elem))
            continue;
        c->out[i] = tsr_tensor_reuse(c->out[i]);
        if (!c->out[i])
            return tsr_fail_memory(c, "a result");
        tsr_block_round(c->out[i], type->elem);
    }
    return true;
}

bool tsr_ttnn_run(tsr_call *c, const tsr_op *view, tsr_tensor **in)
{
    tsr_call inner = *c;
    inner.op = view;
    inner.in = in;
    inner.last = NULL;
    return tsr_check_divisors(&inner) && tsr_kernel_of(view)(&inner);
}

bool tsr_ttnn_change(tsr_call *c, uint32_t i, tsr_tensor *t)
{
    if (!t)
        return false;
    tsr_tensor **slot = tsr_frame_at(c->frame, c->e->plan, c->op->in[i].value);
    tsr_tensor_unref(*slot);
    *slot = c->in[i] = t;
    return true;
}

bool tsr_ttnn_give(tsr_call *c, size_t i, tsr_tensor *t)
{
    const tsr_type *type = c->op->out[i].type;
    if (t && t->n != tsr_type_num_elements(type)) {
        tsr_fail(c, "has a result of %lld elements where its type has %lld", (long long)t->n,
                 (long long)tsr_type_num_elements(type));
        tsr_tensor_unref(t);
        return false;
    }
    return tsr_tt_give_as(c, i, t, type->dims, type->n) && round_results(c);
}

tsr_tensor *tsr_ttnn_doubles(tsr_call *c, uint32_t i)
{
    tsr_tensor *t = tsr_tt_as(c, c->in[i], TSR_D_F64);
    t = t ? tsr_tensor_reuse(t) : NULL;
    if (!t)
        tsr_fail_memory(c, "its operand in double");
    return t;
}

tsr_tensor *tsr_ttnn_group(tsr_call *c, size_t group, bool *ok)
{
    int at = tsr_tt_at(c, group);
    tsr_tensor *t = at >= 0 && *ok ? tsr_ttnn_doubles(c, (uint32_t)at) : NULL;
    *ok = *ok && (at < 0 || t);
    return t;
}

const tsr_attr *tsr_ttnn_attr(const tsr_call *c, const char *name)
{
    return tsr_op_attr(c->op, (tsr_str){name, strlen(name)});
}

int64_t tsr_ttnn_int(const tsr_call *c, const char *name, int64_t otherwise)
{
    const tsr_attr *a = tsr_ttnn_attr(c, name);
    return a ? a->i : otherwise;
}

double tsr_ttnn_double(const tsr_call *c, const char *name, double otherwise)
{
    int slot = tsr_opdef_slot(c->op->def, (tsr_str){name, strlen(name)});
    return slot >= 0 ? tsr_tt_double(c, slot, otherwise) : otherwise;
}

/* ---- On TTIR's kernels ---- */

static bool activate(tsr_call *c, uint8_t activation)
{
    tsr_tensor *t = activation ? tsr_tt_as(c, c->out[0], TSR_D_F64) : NULL;
    t = t ? tsr_tensor_reuse(t) : NULL;
    if (!activation)
        return true;
    if (!t)
        return tsr_fail_memory(c, "its result");
    if (!tsr_ttnn_activate(activation, t->data, t->n)) {
        tsr_tensor_unref(t);
        return tsr_fail(c, "cannot be evaluated with this activation");
    }
    tsr_tensor_unref(c->out[0]);
    c->out[0] = NULL;
    return tsr_tt_give(c, 0, t);
}

bool eval_ttnn(tsr_call *c)
{
    const tsr_ttnn_view *v = tsr_ttnn_view_in(c);
    if (!v)
        return false;
    tsr_call inner = *c;
    tsr_tensor *in[TSR_TTNN_VIEW_OPERANDS];
    inner.op = &v->op;
    for (uint32_t i = 0; v->ordered && i < v->op.nin; i++)
        in[i] = c->in[v->order[i]];
    if (v->ordered) {
        inner.in = in;
        inner.last = NULL;
    }
    return tsr_check_divisors(&inner) && tsr_kernel_of(&v->op)(&inner) &&
           activate(c, v->activation) && round_results(c);
}

/* ---- Location and data type of tensors ---- */

bool eval_ttnn_convert(tsr_call *c)
{
    const tsr_type *to = c->op->out[0].type;
    const tsr_tensor *x = c->in[0];
    bool fits = to->kind == TSR_TYPE_TENSOR && x->kind == TSR_TENSOR && to->n == x->rank;
    for (uint32_t i = 0; fits && i < to->n; i++)
        fits = to->dims[i] == x->dims[i];
    if (!fits)
        return tsr_fail(c, "gives its operand on as a result of another shape");
    if (x->elem == to->elem)
        c->out[0] = tsr_call_take(c, 0);
    else if (tsr_dtype_of(to->elem) == tsr_call_dtype(c, 0))
        c->out[0] = tsr_tensor_reshape(tsr_call_take(c, 0), to->elem, to->dims, to->n);
    else
        c->out[0] = tsr_converted(c, c->in[0], to->elem);
    return (c->out[0] || tsr_fail_memory(c, "its result")) && round_results(c);
}

/* Frees the value: a later use of it fails. */
bool eval_ttnn_deallocate(tsr_call *c)
{
    tsr_tensor **slot = tsr_frame_at(c->frame, c->e->plan, c->op->in[0].value);
    tsr_tensor_unref(*slot);
    *slot = NULL;
    return true;
}

/* Hardware ops that change no value. */
bool eval_ttnn_nothing(tsr_call *c)
{
    (void)c;
    return true;
}

bool eval_ttnn_hardware(tsr_call *c)
{
    return tsr_fail(c,
                    "cannot be evaluated: what it computes is hardware's, and not in the program");
}

/* ---- Memory ---- */

/* copy and write_tensor: copies the values of the first operand to the second, which keeps its type. */
bool eval_ttnn_copy(tsr_call *c)
{
    tsr_tensor *from = c->in[0], *to = c->in[1];
    bool same = from->rank == to->rank;
    for (size_t i = 0; same && i < from->rank; i++)
        same = from->dims[i] == to->dims[i];
    if (!same)
        return tsr_fail(c, "copies a tensor into one of another shape");
    tsr_tensor *t = tsr_dtype_of(to->elem) == (tsr_dtype)from->dtype
                        ? tsr_tensor_ref(from)
                        : tsr_converted(c, from, to->elem);
    if (t && tsr_block_bits(to->elem)) {
        t = tsr_tensor_reuse(t);
        if (t)
            tsr_block_round(t, to->elem);
    }
    return t ? tsr_ttnn_change(c, 1, t) : tsr_fail_memory(c, "a copy");
}

bool eval_ttnn_alloc(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    c->out[0] = tsr_tensor_zeros(type->elem, type->dims, type->n);
    return c->out[0] || tsr_fail_memory(c, "its result");
}

/* A file written by an earlier run or someone else; dump_tensor is debug.dump. */
bool eval_ttnn_load(tsr_call *c)
{
    tsr_tensor *t = tsr_host_read(c, tsr_ttnn_attr(c, "file_path")->s, c->op->out[0].type->elem);
    return t && tsr_ttnn_give(c, 0, t);
}

/* ---- Ops that only TTNN has ---- */

bool eval_ttnn_pow_scalar(tsr_call *c)
{
    double by = tsr_ttnn_double(c, "rhs", 1);
    tsr_tensor *t = tsr_ttnn_doubles(c, 0);
    for (int64_t i = 0; t && i < t->n; i++)
        ((double *)t->data)[i] = pow(((double *)t->data)[i], by);
    return t && tsr_ttnn_give(c, 0, t);
}
