/* SPDX-License-Identifier: Apache-2.0 */
/* layers.c - Graph IR: products, softmax, norms, attention, embedding. Floats are computed in double and rounded once;
 * products are summed as those of StableHLO (eval/math/gemm.h). */
#include <math.h>
#include <stdlib.h>

#include "dialect/tessera/tessera.h"
#include "eval/math/gemm.h"
#include "eval/kernel/tessera/tessera.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

/* ---- matmul ---- */

/* The offset of a batch in t, for an index of the result's leading dims. */
static int64_t batch_offset(const tsr_tensor *t, size_t inner, const int64_t *index,
                            const int64_t *strides, size_t n)
{
    size_t own = t->rank - inner;
    int64_t at = 0;
    for (size_t i = 0; i < own; i++)
        if (t->dims[i] != 1)
            at += index[n - own + i] * strides[i];
    return at;
}

/* All batches; row and column offsets of lhs, rhs and result are for batch 0 and move with the data. */
static bool multiply(tsr_call *c, const tsr_tensor *a, const tsr_tensor *b, bool transposed,
                     tsr_tensor *out, size_t nbatch)
{
    int64_t m = a->dims[a->rank - 2], k = a->dims[a->rank - 1],
            n = b->dims[b->rank - (transposed ? 2 : 1)];
    int64_t sa[TSR_MAX_RANK], sb[TSR_MAX_RANK], index[TSR_MAX_RANK] = {0};
    tsr_strides(a->dims, a->rank, sa);
    tsr_strides(b->dims, b->rank, sb);
    int64_t *lists[] = {tsr_ramp(m, k),
                        tsr_ramp(k, 1),
                        tsr_ramp(k, transposed ? 1 : n),
                        tsr_ramp(n, transposed ? k : 1),
                        tsr_ramp(m, n),
                        tsr_ramp(n, 1)};
    bool ok = true;
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        ok &= lists[i] != NULL;
    if (!ok)
        tsr_fail_memory(c, "offsets");
    size_t size = tsr_elem_size(out);
    char *to = out->data;
    do {
        tsr_tensor va = *a, vb = *b, vo = *out;
        va.data = (char *)a->data + (size_t)batch_offset(a, 2, index, sa, nbatch) * size;
        vb.data = (char *)b->data + (size_t)batch_offset(b, 2, index, sb, nbatch) * size;
        vo.data = to;
        ok = ok &&
             tsr_gemm(
                 c, &(tsr_matrix){.t = &va, .row = lists[0], .col = lists[1], .nrow = m, .ncol = k},
                 &(tsr_matrix){.t = &vb, .row = lists[2], .col = lists[3], .nrow = k, .ncol = n},
                 &(tsr_target){&vo, lists[4], lists[5]});
        to += (size_t)(m * n) * size;
    } while (ok && tsr_next_index(index, out->dims, nbatch));
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        tsr_free(lists[i]);
    return ok;
}

bool eval_tessera_matmul(tsr_call *c)
{
    bool transposed = tsr_tessera_flag(c->op, TESSERA_MATMUL_rhs_transpose);
    const tsr_tensor *a = c->in[0], *b = c->in[1];
    int64_t dims[TSR_MAX_RANK];
    size_t n;
    if (a->rank < 2 || b->rank < 2)
        return tsr_fail(c, "multiplies matrices");
    if (a->dims[a->rank - 1] != b->dims[b->rank - (transposed ? 1 : 2)])
        return tsr_fail(c, "contracts dimensions of sizes %lld and %lld",
                        (long long)a->dims[a->rank - 1],
                        (long long)b->dims[b->rank - (transposed ? 1 : 2)]);
    TSR_TRY(tsr_spread_shape(c, a, a->rank - 2u, b, b->rank - 2u, dims, &n));
    dims[n] = a->dims[a->rank - 2];
    dims[n + 1] = b->dims[b->rank - (transposed ? 2 : 1)];
    tsr_tensor *out = tsr_call_new(c, 0, dims, n + 2);
    TSR_TRY(out != NULL);
    tsr_tensor *l = tsr_converted(c, c->in[0], out->elem),
               *r = l ? tsr_converted(c, c->in[1], out->elem) : NULL;
    bool ok = r && (!out->n || multiply(c, l, r, transposed, out, n));
    tsr_tensor_unref(l);
    tsr_tensor_unref(r);
    return ok;
}

/* ---- softmax ---- */

/* Softmax of n values in place; 0 if all are -inf. */
static void softmax(double *v, int64_t n, bool guarded)
{
    double most = -INFINITY, sum = 0;
    for (int64_t i = 0; i < n; i++)
        most = v[i] > most || v[i] != v[i] ? v[i] : most;
    if (guarded && most == -INFINITY) {
        memset(v, 0, (size_t)n * sizeof *v);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        sum += v[i] = exp(v[i] - most);
    for (int64_t i = 0; i < n; i++)
        v[i] /= sum;
}

bool eval_tessera_softmax(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t axis = tsr_tessera_axis(tsr_tessera_int(c->op, TESSERA_SOFTMAX_axis, -1), x->rank);
    if (axis < 0)
        return tsr_fail(c, "has an axis that the operand does not have");
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, x->rank);
    TSR_TRY(t != NULL);
    int64_t n = x->dims[axis], inner = 1;
    for (size_t i = (size_t)axis + 1; i < x->rank; i++)
        inner *= x->dims[i];
    double *row = tsr_malloc((size_t)(n ? n : 1) * sizeof *row);
    if (!row)
        return tsr_fail_memory(c, "a row");
    for (int64_t first = 0; n && first < x->n; first += n * inner)
        for (int64_t k = 0; k < inner; k++) {
            for (int64_t i = 0; i < n; i++)
                row[i] = tsr_get_double(x, first + k + i * inner);
            softmax(row, n, false);
            for (int64_t i = 0; i < n; i++)
                tsr_set_double(t, first + k + i * inner, row[i]);
        }
    tsr_free(row);
    return true;
}

/* ---- Norms ---- */

void tsr_norm_line(double *v, int64_t n, double epsilon, bool centred)
{
    double mean = 0, square = 0;
    for (int64_t i = 0; centred && i < n; i++)
        mean += v[i];
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++) {
        v[i] -= mean;
        square += v[i] * v[i];
    }
    double by = 1 / sqrt(square / (double)n + epsilon);
    for (int64_t i = 0; i < n; i++)
        v[i] *= by;
}

static bool norm(tsr_call *c, bool centred)
{
    tsr_tensor *x = c->in[0], *by[2] = {NULL, NULL};
    if (!x->rank)
        return tsr_fail(c, "normalizes the last dimension; the operand has none");
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, x->rank);
    TSR_TRY(t != NULL);
    int64_t n = x->dims[x->rank - 1];
    double eps = tsr_tessera_eps(c->op), *row = tsr_malloc((size_t)(n ? n : 1) * sizeof *row);
    bool ok = row || tsr_fail_memory(c, "a row");
    for (uint32_t i = 1; ok && i < c->op->nin && i < 3; i++)
        ok = (by[i - 1] = tsr_spread_right(c, c->in[i], x->dims, x->rank)) != NULL;
    for (int64_t first = 0; ok && n && first < x->n; first += n) {
        tsr_to_doubles((tsr_dtype)x->dtype, (char *)x->data + (size_t)first * tsr_elem_size(x), row,
                       n);
        tsr_norm_line(row, n, eps, centred);
        for (int64_t i = 0; i < n; i++) {
            double v = by[0] ? row[i] * tsr_get_double(by[0], first + i) : row[i];
            tsr_set_double(t, first + i, by[1] ? v + tsr_get_double(by[1], first + i) : v);
        }
    }
    tsr_free(row);
    tsr_tensor_unref(by[0]);
    tsr_tensor_unref(by[1]);
    return ok;
}

bool eval_tessera_layer_norm(tsr_call *c)
{
    return norm(c, true);
}

bool eval_tessera_rms_norm(tsr_call *c)
{
    return norm(c, false);
}

/* ---- Attention ---- */

enum { MOST_MASKS = 8 };

typedef struct {
    const tsr_tensor *q, *k, *v;
    tsr_tensor *masks[MOST_MASKS]; /* broadcast to the shape of the scores */
    uint32_t nmask;
    int64_t nq, nk, d, dv;
    double scale, fill;
    bool causal, safe;
    bool
        wide; /* scores are f64, else f32: values that a mask of large numbers makes equal are equal */
    double *dk, *dv_rows, *dq, *scores,
        *sum; /* keys and values of a batch, a query, its scores and result */
} attention;

/* The score s of query i and key j after masks, whose element is at. */
static double masked(const attention *a, double s, int64_t i, int64_t j, int64_t at)
{
    for (uint32_t k = 0; k < a->nmask; k++) {
        if (a->masks[k]->dtype == TSR_D_I1)
            s = tsr_get_int(a->masks[k], at) ? s : a->fill;
        else
            s += tsr_get_double(a->masks[k], at);
        s = a->wide ? s : (double)(float)s;
    }
    return a->causal && j > i + a->nk - a->nq ? a->fill : s;
}

static void attend(const attention *a, int64_t q_at, int64_t mask_at, int64_t i, tsr_tensor *out,
                   int64_t out_at)
{
    tsr_to_doubles((tsr_dtype)a->q->dtype, (char *)a->q->data + (size_t)q_at * tsr_elem_size(a->q),
                   a->dq, a->d);
    for (int64_t j = 0; j < a->nk; j++) {
        double s = 0;
        for (int64_t p = 0; p < a->d; p++)
            s += a->dq[p] * a->dk[j * a->d + p];
        a->scores[j] = masked(a, s * a->scale, i, j, mask_at + j);
    }
    softmax(a->scores, a->nk, a->safe);
    memset(a->sum, 0, (size_t)a->dv * sizeof *a->sum);
    for (int64_t j = 0; j < a->nk; j++)
        for (int64_t p = 0; a->scores[j] != 0 && p < a->dv; p++)
            a->sum[p] += a->scores[j] * a->dv_rows[j * a->dv + p];
    for (int64_t p = 0; p < a->dv; p++)
        tsr_set_double(out, out_at + p, a->sum[p]);
}

static void attend_all(attention *a, tsr_tensor *out, size_t nbatch)
{
    int64_t index[TSR_MAX_RANK] = {0}, sq[TSR_MAX_RANK], sk[TSR_MAX_RANK], sv[TSR_MAX_RANK], at = 0;
    tsr_strides(a->q->dims, a->q->rank, sq);
    tsr_strides(a->k->dims, a->k->rank, sk);
    tsr_strides(a->v->dims, a->v->rank, sv);
    do {
        int64_t q = batch_offset(a->q, 2, index, sq, nbatch),
                k = batch_offset(a->k, 2, index, sk, nbatch);
        int64_t v = batch_offset(a->v, 2, index, sv, nbatch);
        tsr_to_doubles((tsr_dtype)a->k->dtype, (char *)a->k->data + (size_t)k * tsr_elem_size(a->k),
                       a->dk, a->nk * a->d);
        tsr_to_doubles((tsr_dtype)a->v->dtype, (char *)a->v->data + (size_t)v * tsr_elem_size(a->v),
                       a->dv_rows, a->nk * a->dv);
        for (int64_t i = 0; i < a->nq; i++)
            attend(a, q + i * a->d, (at * a->nq + i) * a->nk, i, out, (at * a->nq + i) * a->dv);
        at++;
    } while (tsr_next_index(index, out->dims, nbatch));
}

static double *doubles(int64_t n, int64_t m)
{
    return n && m > INT64_MAX / 8 / n ? NULL : tsr_malloc((size_t)(n * m + 1) * sizeof(double));
}

/* Operands, sizes and attributes. */
static bool open_attention(tsr_call *c, attention *a)
{
    *a = (attention){.q = c->in[0], .k = c->in[1], .v = c->in[2]};
    size_t rank = a->q->rank;
    if (rank < 2 || a->k->rank != rank || a->v->rank != rank ||
        a->q->dims[rank - 1] != a->k->dims[rank - 1] ||
        a->k->dims[rank - 2] != a->v->dims[rank - 2])
        return tsr_fail(c, "has queries, keys and values that do not fit each other");
    a->nq = a->q->dims[rank - 2];
    a->d = a->q->dims[rank - 1];
    a->nk = a->k->dims[rank - 2];
    a->dv = a->v->dims[rank - 1];
    a->causal = tsr_tessera_flag(c->op, TESSERA_FLASH_ATTENTION_causal);
    a->safe = tsr_tessera_safe(c->op);
    for (uint32_t i = 0; i < 3; i++)
        a->wide |= c->in[i]->elem->width > 32;
    a->fill = tsr_tessera_number(tsr_call_attr(c, TESSERA_FLASH_ATTENTION_fill), -INFINITY);
    a->scale = tsr_tessera_number(tsr_call_attr(c, TESSERA_FLASH_ATTENTION_scale),
                                  a->d ? 1 / sqrt((double)a->d) : 1);
    return true;
}

bool eval_tessera_attention(tsr_call *c)
{
    attention a;
    TSR_TRY(open_attention(c, &a));
    size_t rank = a.q->rank, n;
    int64_t dims[TSR_MAX_RANK], keys[TSR_MAX_RANK];
    TSR_TRY(tsr_spread_shape(c, a.k, rank - 2, a.v, rank - 2, keys, &n));
    for (size_t i = 0; i < n; i++) {
        int64_t q = a.q->dims[i];
        if (q != keys[i] && q != 1 && keys[i] != 1)
            return tsr_fail(c, "has operands that do not broadcast: %lld against %lld",
                            (long long)q, (long long)keys[i]);
        dims[i] = q == 1 ? keys[i] : q;
    }
    dims[n] = a.nq;
    dims[n + 1] = a.nk;
    if (c->op->nin > 3 + MOST_MASKS)
        return tsr_fail(c, "has more than %d masks", (int)MOST_MASKS);
    bool ok = true;
    for (uint32_t i = 3; ok && i < c->op->nin; i++, a.nmask += ok)
        ok = (a.masks[a.nmask] = tsr_spread_right(c, c->in[i], dims, rank)) != NULL;
    dims[n + 1] = a.dv;
    tsr_tensor *out = ok ? tsr_call_new(c, 0, dims, rank) : NULL;
    a.dk = doubles(a.nk, a.d);
    a.dv_rows = doubles(a.nk, a.dv);
    a.dq = doubles(a.d, 1);
    a.scores = doubles(a.nk, 1);
    a.sum = doubles(a.dv, 1);
    ok = out && a.dk && a.dv_rows && a.dq && a.scores && a.sum;
    if (out && !ok)
        tsr_fail_memory(c, "a batch");
    if (ok && out->n)
        attend_all(&a, out, n);
    tsr_free(a.dk);
    tsr_free(a.dv_rows);
    tsr_free(a.dq);
    tsr_free(a.scores);
    tsr_free(a.sum);
    for (uint32_t i = 0; i < a.nmask; i++)
        tsr_tensor_unref(a.masks[i]);
    return ok;
}

/* ---- Rotary embedding ---- */

bool eval_tessera_rotary(tsr_call *c)
{
    tsr_tensor *x = c->in[0], *angle[2] = {NULL, NULL};
    bool interleaved = tsr_tessera_flag(c->op, TESSERA_ROTARY_interleaved), ok = true,
         whole[2] = {false, false};
    int64_t n = x->rank ? x->dims[x->rank - 1] : 1, h = n / 2, dims[TSR_MAX_RANK];
    if (n % 2)
        return tsr_fail(c, "turns pairs of the last dimension, which is odd");
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, x->rank);
    TSR_TRY(t != NULL);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (int k = 0; ok && k < 2; k++) {
        const tsr_tensor *a = c->in[k + 1];
        whole[k] = a->rank && a->dims[a->rank - 1] == n;
        dims[x->rank - 1] = whole[k] ? n : h;
        ok = (angle[k] = tsr_spread_right(c, c->in[k + 1], dims, x->rank)) != NULL;
    }
    for (int64_t row = 0; ok && h && row < x->n / n; row++)
        for (int64_t i = 0; i < h; i++) {
            int64_t one = interleaved ? 2 * i : i, two = interleaved ? one + 1 : h + i;
            double a = tsr_get_double(x, row * n + one), b = tsr_get_double(x, row * n + two),
                   rotation[2][2];
            for (int k = 0; k < 2; k++)
                for (int p = 0; p < 2; p++)
                    rotation[k][p] = tsr_get_double(angle[k], whole[k] ? row * n + (p ? two : one)
                                                                       : row * h + i);
            tsr_set_double(t, row * n + one, a * rotation[0][0] - b * rotation[1][0]);
            tsr_set_double(t, row * n + two, b * rotation[0][1] + a * rotation[1][1]);
        }
    tsr_tensor_unref(angle[0]);
    tsr_tensor_unref(angle[1]);
    return ok;
}

/* ---- Embedding ---- */

/* Row numbers out of range are clamped. */
bool eval_tessera_embedding(tsr_call *c)
{
    const tsr_tensor *table = c->in[0], *at = c->in[1];
    int64_t dims[TSR_MAX_RANK];
    size_t rank = at->rank;
    if (!table->rank || rank + table->rank - 1u > TSR_MAX_RANK)
        return tsr_fail(c, "takes rows of a table");
    memcpy(dims, at->dims, rank * sizeof *dims);
    for (size_t i = 1; i < table->rank; i++)
        dims[rank++] = table->dims[i];
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    TSR_TRY(t != NULL);
    if (!t->n)
        return true;
    if (!table->dims[0])
        return tsr_fail(c, "takes rows of a table that has none");
    size_t row = (size_t)(table->n / table->dims[0]) * tsr_elem_size(table);
    for (int64_t i = 0; i < at->n; i++) {
        int64_t k = tsr_clamp(tsr_get_index(at, i), 0, table->dims[0] - 1);
        memcpy((char *)t->data + (size_t)i * row, (const char *)table->data + (size_t)k * row, row);
    }
    return true;
}
