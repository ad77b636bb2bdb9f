/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - products of two operands, whose dimensions may be split finer than those of their values. */
#include "pass/fuse/raise.h"

static void batch_and_free(const tsr_op *op, tsr_product *p)
{
    tsr_dot d;
    tsr_dot_of(op, &d);
    int8_t next = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < p->n[s]; i++)
            p->map[s][i] = TSR_FREE;
    for (uint32_t k = 0; k < d.batch[0].n; k++, next++)
        for (int s = 0; s < 2; s++)
            p->map[s][tsr_ints_at(d.batch[s], k)] = next;
    for (int s = 0; s < 2; s++) {
        for (uint32_t k = 0; k < d.contract[s].n; k++)
            p->map[s][tsr_ints_at(d.contract[s], k)] = TSR_CONTRACTED;
        for (uint32_t i = 0; i < p->n[s]; i++)
            if (p->map[s][i] == TSR_FREE)
                p->map[s][i] = next++;
    }
}

bool tsr_product_of(const tsr_op *op, tsr_product *p)
{
    if (!tsr_view_fits(&op->out[0]))
        return false;
    p->rank = op->out[0].type->n;
    for (uint32_t i = 0; i < p->rank; i++)
        p->out[i] = op->out[0].type->dims[i];
    for (int s = 0; s < 2; s++) {
        tsr_value *v = p->in[s] = op->in[s].value;
        if (!tsr_view_fits(v) || v->type->elem->kind != TSR_TYPE_FLOAT)
            return false;
        p->n[s] = v->type->n;
        for (uint32_t i = 0; i < p->n[s]; i++)
            p->dims[s][i] = v->type->dims[i];
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_DOT_GENERAL)) {
        batch_and_free(op, p);
        return true;
    }
    bool transposed = tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose);
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < p->n[s]; i++) {
            uint32_t d = p->rank - p->n[s] + i, last = p->n[s] - 1,
                     inner = !s || transposed ? last : last - 1;
            p->map[s][i] = i == inner      ? TSR_CONTRACTED
                           : i + 1 >= last ? (int8_t)(p->rank - 2 + (uint32_t)s)
                           : p->dims[s][i] == 1 && p->out[d] != 1 ? TSR_UNIT
                                                                  : (int8_t)d;
        }
    return true;
}

int tsr_label_find(const int8_t *map, uint32_t n, int label)
{
    for (uint32_t i = 0; i < n; i++)
        if (map[i] == label)
            return (int)i;
    return -1;
}

int tsr_label_count(const int8_t *map, uint32_t n, int label)
{
    int k = 0;
    for (uint32_t i = 0; i < n; i++)
        k += map[i] == label;
    return k;
}

/* Whether fine is coarse with its first dimension split into *k. */
bool tsr_parted(const tsr_type *coarse, const tsr_type *fine, uint32_t *k)
{
    if (!coarse->n || fine->n < coarse->n)
        return false;
    *k = fine->n - coarse->n + 1;
    int64_t size = 1;
    for (uint32_t i = 0; i < *k; i++)
        size *= fine->dims[i];
    for (uint32_t i = 1; i < coarse->n; i++)
        if (fine->dims[*k - 1 + i] != coarse->dims[i])
            return false;
    return size == coarse->dims[0];
}

static void insert(int64_t *dims, uint32_t n, uint32_t at, const int64_t *sizes, uint32_t k)
{
    memmove(dims + at + k, dims + at + 1, (n - at - 1) * sizeof *dims);
    memcpy(dims + at, sizes, k * sizeof *sizes);
}

/* Splits dimension r of the result, a batch dimension, into k of these sizes. */
bool tsr_product_part(tsr_product *p, int8_t r, const int64_t *sizes, uint32_t k)
{
    if (p->rank + k - 1 > TSR_RAISE_RANK)
        return false;
    for (int s = 0; s < 2; s++) {
        int at = tsr_label_find(p->map[s], p->n[s], r);
        if (at < 0 || p->n[s] + k - 1 > TSR_RAISE_RANK)
            return false;
        insert(p->dims[s], p->n[s], (uint32_t)at, sizes, k);
        memmove(p->map[s] + at + k, p->map[s] + at + 1,
                (p->n[s] - (uint32_t)at - 1) * sizeof p->map[s][0]);
        p->n[s] += k - 1;
        for (uint32_t i = 0; i < p->n[s]; i++)
            if (i >= (uint32_t)at && i < (uint32_t)at + k)
                p->map[s][i] = (int8_t)(r + (int8_t)(i - (uint32_t)at));
            else if (p->map[s][i] > r)
                p->map[s][i] = (int8_t)(p->map[s][i] + (int8_t)k - 1);
    }
    insert(p->out, p->rank, (uint32_t)r, sizes, k);
    p->rank += k - 1;
    return true;
}
