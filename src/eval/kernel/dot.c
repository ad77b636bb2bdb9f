/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - dot_general and dot, as matrix products over offsets (eval/math/gemm.h). */
#include <stdlib.h>

#include "eval/kernel/dot.h"
#include "dialect/params.h"
#include "eval/math/gemm.h"
#include "eval/kernel/kernels.h"

/* Offsets of all indices of some dimensions, in row-major order; the caller frees them. NULL: no memory. */
static int64_t *offsets(const tsr_tensor *t, const int64_t *which, size_t n, int64_t *count)
{
    int64_t strides[TSR_MAX_RANK], dims[TSR_MAX_RANK], index[TSR_MAX_RANK] = {0}, total = 1;
    tsr_strides(t->dims, t->rank, strides);
    for (size_t i = 0; i < n; i++)
        total *= dims[i] = t->dims[which[i]];
    *count = total;
    int64_t *out = tsr_malloc((size_t)(total > 0 ? total : 1) * sizeof *out);
    for (int64_t k = 0; out && k < total; k++) {
        out[k] = 0;
        for (size_t i = 0; i < n; i++)
            out[k] += index[i] * strides[which[i]];
        tsr_next_index(index, dims, n);
    }
    return out;
}

static void fill_free(tsr_dot_side *s)
{
    bool used[TSR_MAX_RANK] = {0};
    for (size_t i = 0; i < s->nbatch; i++)
        used[s->batch[i]] = true;
    for (size_t i = 0; i < s->ncontract; i++)
        used[s->contract[i]] = true;
    for (uint8_t d = 0; d < s->t->rank; d++)
        if (!used[d])
            s->free_dims[s->nfree++] = d;
}

static bool in_range(const tsr_dot_side *s)
{
    for (size_t i = 0; i < s->nbatch; i++)
        if (s->batch[i] < 0 || s->batch[i] >= s->t->rank)
            return false;
    for (size_t i = 0; i < s->ncontract; i++)
        if (s->contract[i] < 0 || s->contract[i] >= s->t->rank)
            return false;
    return true;
}

static bool same_sizes(const tsr_dot_side *l, const int64_t *ld, const tsr_dot_side *r,
                       const int64_t *rd, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (l->t->dims[ld[i]] != r->t->dims[rd[i]])
            return false;
    return true;
}

static bool check(tsr_call *c, const tsr_dot_side *l, const tsr_dot_side *r)
{
    if (!in_range(l) || !in_range(r) || l->nbatch != r->nbatch || l->ncontract != r->ncontract)
        return tsr_fail(c, "has dimension numbers that do not fit its operands");
    return (same_sizes(l, l->batch, r, r->batch, l->nbatch) &&
            same_sizes(l, l->contract, r, r->contract, l->ncontract)) ||
           tsr_fail(c, "has operands whose batch or contracted dimensions differ");
}

/* Batch dimensions, those of the left side, those of the right side. */
static tsr_tensor *new_result(tsr_call *c, const tsr_dot_side *l, const tsr_dot_side *r,
                              tsr_type *elem)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = 0;
    if (l->nbatch + l->nfree + r->nfree > TSR_MAX_RANK) {
        tsr_fail(c, "has a result of too many dimensions");
        return NULL;
    }
    for (size_t i = 0; i < l->nbatch; i++)
        dims[rank++] = l->t->dims[l->batch[i]];
    for (size_t i = 0; i < l->nfree; i++)
        dims[rank++] = l->t->dims[l->free_dims[i]];
    for (size_t i = 0; i < r->nfree; i++)
        dims[rank++] = r->t->dims[r->free_dims[i]];
    return tsr_call_tensor(c, elem, dims, rank);
}

tsr_tensor *tsr_dot_tensors(tsr_call *c, tsr_dot_side *l, tsr_dot_side *r, tsr_type *elem)
{
    if (!check(c, l, r))
        return NULL;
    fill_free(l);
    fill_free(r);
    int64_t counts[6], nb2, nk2;
    tsr_tensor *out = new_result(c, l, r, elem);
    if (!out || !out->n) /* of nothing there may be very many */
        return out;
    int64_t *lb = offsets(l->t, l->batch, l->nbatch, &counts[0]),
            *lm = offsets(l->t, l->free_dims, l->nfree, &counts[1]);
    int64_t *lk = offsets(l->t, l->contract, l->ncontract, &counts[2]),
            *rb = offsets(r->t, r->batch, r->nbatch, &nb2);
    int64_t *rk = offsets(r->t, r->contract, r->ncontract, &nk2),
            *rn = offsets(r->t, r->free_dims, r->nfree, &counts[3]);
    int64_t nm = counts[1], nn = counts[3];
    int64_t *om = tsr_malloc((size_t)(nm ? nm : 1) * 8),
            *on = tsr_malloc((size_t)(nn ? nn : 1) * 8),
            *row = tsr_malloc((size_t)(nm ? nm : 1) * 8);
    int64_t *rrow = tsr_malloc((size_t)(nk2 ? nk2 : 1) * 8);
    bool ok = lb && lm && lk && rb && rk && rn && om && on && row && rrow;
    if (!ok)
        tsr_fail_memory(c, "offsets");
    for (int64_t b = 0; ok && b < counts[0]; b++) {
        for (int64_t i = 0; i < nm; i++) {
            row[i] = lb[b] + lm[i];
            om[i] = b * nm * nn + i * nn;
        }
        for (int64_t j = 0; j < nn; j++)
            on[j] = j;
        for (int64_t k = 0; k < nk2; k++)
            rrow[k] = rb[b] + rk[k];
        tsr_matrix ma = {.t = l->t, .row = row, .col = lk, .nrow = nm, .ncol = counts[2]};
        tsr_matrix mb = {.t = r->t, .row = rrow, .col = rn, .nrow = nk2, .ncol = nn};
        ok = tsr_gemm(c, &ma, &mb, &(tsr_target){out, om, on});
    }
    int64_t *all[] = {lb, lm, lk, rb, rk, rn, om, on, row, rrow};
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        tsr_free(all[i]);
    if (ok)
        return out;
    tsr_tensor_unref(out);
    return NULL;
}

void tsr_dot_sides(const tsr_op *op, const tsr_tensor *lhs, const tsr_tensor *rhs,
                   tsr_dot_side side[2])
{
    tsr_dot d;
    tsr_dot_of(op, &d);
    for (int i = 0; i < 2; i++) {
        side[i] = (tsr_dot_side){.t = i ? rhs : lhs};
        side[i].nbatch = tsr_ints_copy(d.batch[i], side[i].batch, TSR_MAX_RANK);
        side[i].ncontract = tsr_ints_copy(d.contract[i], side[i].contract, TSR_MAX_RANK);
    }
}

bool eval_dot_general(tsr_call *c)
{
    tsr_dot_side side[2];
    tsr_dot_sides(c->op, c->in[0], c->in[1], side);
    c->out[0] = tsr_dot_tensors(c, &side[0], &side[1], c->op->out[0].type->elem);
    return c->out[0] != NULL;
}

bool eval_dot(tsr_call *c)
{
    if (!c->in[0]->rank || !c->in[1]->rank)
        return tsr_fail(c, "needs operands of at least one dimension");
    return eval_dot_general(c);
}
