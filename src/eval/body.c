/* SPDX-License-Identifier: Apache-2.0 */
/* body.c - running a region's body on rows of elements. */
#include "eval/body.h"

#include <stdlib.h>

static bool is_pointwise(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)) ||
           tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) || tsr_op_has(op, TSR_TRAIT(TERMINATOR));
}

static bool is_scalar(const tsr_value *v)
{
    return v->type->kind == TSR_TYPE_TENSOR && v->type->n == 0;
}

bool tsr_body_init(tsr_body *b, tsr_call *c, const tsr_region *region)
{
    *b = (tsr_body){.c = c, .region = region, .liftable = true};
    const tsr_block *block = region->first;
    if (!block || block->next)
        return tsr_fail(c, "has a region that is not one block");
    TSR_BLOCK_OPS (block, op) {
        b->liftable &= is_pointwise(op) && !op->nregion;
        for (uint32_t i = 0; i < op->nout; i++)
            b->liftable &= is_scalar(&op->out[i]);
        for (uint32_t i = 0; i < op->nin; i++)
            b->liftable &= is_scalar(op->in[i].value);
    }
    b->reducer = tsr_reducer_kind(region);
    return true;
}

/* A row of n copies, for a result that does not depend on the arguments. */
static tsr_tensor *widen(tsr_tensor *t, int64_t n)
{
    if (t->n == n && t->rank == 1)
        return t;
    tsr_tensor *row = tsr_tensor_new(t->elem, &n, 1);
    for (int64_t i = 0; row && i < n; i++)
        tsr_copy_element(row, i, t, 0);
    tsr_tensor_unref(t);
    return row;
}

static bool run_lifted(tsr_body *b, tsr_tensor *const *args, size_t nargs, int64_t n,
                       tsr_tensor **out, size_t nout)
{
    tsr_eval *e = b->c->e;
    int64_t outer = e->batch;
    e->batch = n;
    bool ok = tsr_eval_region(b->c, b->region, args, nargs, out, nout);
    e->batch = outer;
    for (size_t i = 0; ok && i < nout; i++) {
        out[i] = widen(out[i], n);
        ok = out[i] || tsr_fail_memory(b->c, "a row");
    }
    return ok;
}

bool tsr_body_run(tsr_body *b, tsr_tensor *const *args, size_t nargs, int64_t n, tsr_tensor **out,
                  size_t nout)
{
    for (size_t i = 0; i < nout; i++)
        out[i] = NULL;
    if (b->liftable)
        return run_lifted(b, args, nargs, n, out, nout);
    tsr_eval *e = b->c->e;
    int64_t outer = e->batch;
    tsr_tensor **one = tsr_xmalloc((nargs + nout + 1) * sizeof *one), **res = one + nargs;
    bool ok = true;
    e->batch = 0;
    for (int64_t k = 0; ok && k < n; k++) {
        memset(one, 0, (nargs + nout) * sizeof *one);
        for (size_t i = 0; ok && i < nargs; i++) {
            one[i] = tsr_tensor_new(args[i]->elem, NULL, 0);
            ok = one[i] || tsr_fail_memory(b->c, "a scalar");
            if (ok)
                tsr_copy_element(one[i], 0, args[i], k);
        }
        ok = ok && tsr_eval_region(b->c, b->region, one, nargs, res, nout);
        for (size_t i = 0; ok && i < nout; i++) {
            if (!out[i])
                out[i] = tsr_tensor_new(res[i]->elem, &n, 1);
            ok = out[i] || tsr_fail_memory(b->c, "a row");
            if (ok)
                tsr_copy_element(out[i], k, res[i], 0);
        }
        for (size_t i = 0; i < nargs; i++)
            tsr_tensor_unref(one[i]);
        for (size_t i = 0; i < nout; i++)
            tsr_tensor_unref(res[i]);
    }
    e->batch = outer;
    tsr_free(one);
    return ok;
}
