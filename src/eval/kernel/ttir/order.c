/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - TTIR: sort, topk and sampling; and layouts, which do not affect values.
 *
 * Elements become unsigned numbers with the same order (eval/math/sort_keys.h); the sort is stable. sort has the order
 * of JAX's comparators: zeros are equal, and NaN is larger than all numbers. topk has that of chlo.top_k: the total
 * order of bit patterns. */
#include <math.h>
#include <stdlib.h>

#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/sort_keys.h"
#include "eval/math/strided.h"

typedef struct {
    uint64_t key;
    int64_t index;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Elements as numbers with the same order; total: that of bit patterns. */
static bool number_all(tsr_call *c, tsr_tensor *x, bool total, bool descending, uint64_t *keys)
{
    tsr_sort_key how = {.one_zero = true, .one_nan = true, .descending = descending, .total = true};
    tsr_dtype d = (tsr_dtype)x->dtype, wide = tsr_dtype_is_int(d) ? d : TSR_D_F64;
    for (int64_t i = 0; total && i < x->n; i++) {
        keys[i] = (uint64_t)tsr_total_key(x, i) ^ (uint64_t)1 << 63;
        keys[i] = descending ? ~keys[i] : keys[i];
    }
    if (total)
        return true;
    tsr_tensor *numbers = tsr_tt_as(c, x, wide);
    bool ok = numbers && (tsr_sort_numbers(&how, wide, numbers->data, x->n, keys) ||
                          tsr_fail(c, "orders elements that have no order"));
    tsr_tensor_unref(numbers);
    return ok;
}

/* The first k elements along a dimension, in order, and their indices. */
static bool order(tsr_call *c, int64_t at, int64_t k, bool total, bool descending)
{
    size_t dim;
    tsr_dtype d = tsr_call_dtype(c, 0);
    TSR_TRY(tsr_tt_dim(c, at, c->in[0]->rank, &dim));
    if (tsr_dtype_is_complex(d))
        return tsr_fail(c, "is not defined for complex numbers");
    const tsr_tensor *x = c->in[0];
    tsr_tt_axis a = tsr_tt_around(x, dim);
    int64_t dims[TSR_MAX_RANK];
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[dim] = k = k < 0 || k > a.n ? a.n : k;
    tsr_tensor *values = tsr_tt_new(c, d, dims, x->rank);
    tsr_tensor *places = values ? tsr_tt_new(c, TSR_D_I64, dims, x->rank) : NULL;
    entry *e = tsr_malloc((size_t)(a.n + 1) * sizeof *e);
    uint64_t *keys = tsr_malloc((size_t)(x->n + 1) * sizeof *keys);
    bool ok = places && ((e && keys) || tsr_fail_memory(c, "keys"));
    ok = ok && number_all(c, c->in[0], total, descending, keys);
    for (int64_t line = 0; ok && x->n && line < a.outer * a.inner; line++) {
        int64_t o = line / a.inner, i = line % a.inner;
        for (int64_t j = 0; j < a.n; j++)
            e[j] = (entry){keys[(o * a.n + j) * a.inner + i], j};
        qsort(e, (size_t)a.n, sizeof *e, compare);
        for (int64_t j = 0; j < k; j++) {
            int64_t to = (o * k + j) * a.inner + i;
            tsr_copy_element(values, to, x, (o * a.n + e[j].index) * a.inner + i);
            ((int64_t *)places->data)[to] = e[j].index;
        }
    }
    tsr_free(e);
    tsr_free(keys);
    if (!ok) {
        tsr_tensor_unref(values);
        tsr_tensor_unref(places);
        return false;
    }
    ok = tsr_tt_give(c, 0, values);
    return tsr_tt_give(c, 1, places) && ok;
}

bool eval_ttir_sort(tsr_call *c)
{
    return order(c, tsr_tt_int(c, TTIR_SORT_dim, -1), -1, false,
                 tsr_tt_int(c, TTIR_SORT_descending, 0) != 0);
}

/* Sorted, whether that is requested or not. */
bool eval_ttir_topk(tsr_call *c)
{
    return order(c, tsr_tt_int(c, TTIR_TOPK_dim, -1), tsr_tt_int(c, TTIR_TOPK_k, 1), true,
                 tsr_tt_int(c, TTIR_TOPK_largest, 1) != 0);
}

/* ---- sampling ---- */

/* Draws a candidate by the weights of a row sorted by size, of which the first ones that make up p count; u in [0,
 * 1). */
static int64_t draw(const entry *e, const double *weight, int64_t n, double p, double u)
{
    double all = 0, some = 0;
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        all += weight[e[i].index];
    for (; k < n && (k == 0 || some < p * all); k++)
        some += weight[e[k].index];
    double left = u * some;
    for (int64_t i = 0; i + 1 < k; i++) {
        left -= weight[e[i].index];
        if (left < 0)
            return e[i].index;
    }
    return e[k ? k - 1 : 0].index;
}

/* Selects one of each row's candidates (the last dimension) at random: values divided by the temperature are logits,
 * the k largest count (0: all), and of these as many as make up the probability p. The same seed gives the same
 * choice. */
bool eval_ttir_sampling(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *index = c->in[1];
    if (x->rank < 2 || index->n != x->n || !x->n)
        return tsr_fail(c, "needs candidates");
    int64_t n = x->dims[x->rank - 1], rows = x->n / n, dims[] = {rows};
    for (size_t i = 2; i < 5; i++)
        if (c->in[i]->n != rows)
            return tsr_fail(c, "has not one parameter for each row");
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)index->dtype, dims, 1);
    tsr_tensor *bits = t ? tsr_tt_new(c, TSR_D_U32, dims, 1) : NULL;
    entry *e = tsr_malloc((size_t)n * sizeof *e);
    double *weight = tsr_malloc((size_t)n * sizeof *weight);
    bool ok = bits && ((e && weight) || tsr_fail_memory(c, "candidates"));
    if (ok)
        tsr_philox(bits, (uint64_t)tsr_tt_int(c, TTIR_SAMPLING_seed, 0), 0);
    tsr_sort_key how = {.one_zero = true, .one_nan = true, .descending = true, .total = true};
    for (int64_t r = 0; ok && r < rows; r++) {
        double temp = tsr_get_double(c->in[4], r), p = tsr_get_double(c->in[3], r),
               most = -INFINITY;
        double k = tsr_get_double(c->in[2], r);
        temp = temp > 1e-6 ? temp : 1e-6;
        for (int64_t i = 0; i < n; i++) {
            weight[i] = tsr_get_double(x, r * n + i) / temp;
            most = weight[i] > most ? weight[i] : most;
            tsr_sort_numbers(&how, TSR_D_F64, &weight[i], 1, &e[i].key);
            e[i].index = i;
        }
        qsort(e, (size_t)n, sizeof *e, compare);
        for (int64_t i = 0; i < n; i++)
            weight[i] = exp(weight[i] - most);
        int64_t count = k >= 1 && k < (double)n ? (int64_t)k : n;
        double u = (double)(((uint32_t *)bits->data)[r] >> 8) * 0x1p-24;
        tsr_copy_element(t, r, index, r * n + draw(e, weight, count, p > 0 && p < 1 ? p : 1, u));
    }
    tsr_free(e);
    tsr_free(weight);
    tsr_tensor_unref(bits);
    const tsr_type *type = c->op->out[0].type;
    bool fits = tsr_type_has_static_shape(type) && tsr_type_num_elements(type) == rows;
    if (ok)
        return fits ? tsr_tt_give_as(c, 0, t, type->dims, type->n) : tsr_tt_give(c, 0, t);
    tsr_tensor_unref(t);
    return false;
}

/* ---- Layouts ---- */

/* A layout that keeps the shape keeps the values. Grids, tiles and memory are details of the hardware. */
bool eval_ttir_to_layout(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    const tsr_type *type = c->op->nout ? c->op->out[0].type : NULL;
    bool same = type && type->kind == TSR_TYPE_TENSOR && tsr_dtype_of(type->elem) != TSR_D_NONE &&
                type->n == x->rank;
    for (size_t i = 0; same && i < x->rank; i++)
        same = type->dims[i] == x->dims[i] || type->dims[i] == TSR_DYNAMIC;
    if (!same)
        return tsr_fail(c, "lays elements out as only hardware has them");
    return tsr_tt_give(c, 0, tsr_call_take(c, 0));
}
