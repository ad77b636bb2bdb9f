/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c - TTIR: matrix products. Narrow floats are widened once and summed in f32. */
#include <stdlib.h>

#include "dialect/params.h"
#include "eval/kernel/dot.h"
#include "eval/math/gemm.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"

/* ---- Matrices with batches ---- */

/* A factor: its matrices are at offsets given by the leading dimensions. */
typedef struct {
    const tsr_tensor *t;
    size_t nbatch;
    int64_t strides[TSR_MAX_RANK]; /* of the leading dimensions */
    int64_t rows, cols, row_step, col_step;
} factor;

static factor factor_of(const tsr_tensor *t, bool transpose, bool left)
{
    factor f = {.t = t};
    int64_t s[TSR_MAX_RANK];
    tsr_strides(t->dims, t->rank, s);
    if (t->rank == 1) { /* a row on the left, a column on the right */
        f.rows = left ? 1 : t->dims[0];
        f.cols = left ? t->dims[0] : 1;
        f.row_step = left ? 0 : 1;
        f.col_step = left ? 1 : 0;
        return f;
    }
    f.nbatch = t->rank - 2u;
    memcpy(f.strides, s, f.nbatch * sizeof *s);
    size_t r = f.nbatch + (transpose ? 1 : 0), k = f.nbatch + (transpose ? 0 : 1);
    f.rows = t->dims[r];
    f.cols = t->dims[k];
    f.row_step = s[r];
    f.col_step = s[k];
    return f;
}

/* The offset of a batch's matrix. index: of the broadcast batch, n dimensions. */
static int64_t batch_at(const factor *f, const int64_t *index, size_t n)
{
    int64_t at = 0;
    for (size_t i = 0; i < f->nbatch; i++)
        if (f->t->dims[i] != 1)
            at += index[n - f->nbatch + i] * f->strides[i];
    return at;
}

static bool batch_shape(tsr_call *c, const factor *a, const factor *b, int64_t *dims, size_t *n)
{
    *n = a->nbatch > b->nbatch ? a->nbatch : b->nbatch;
    for (size_t i = 0; i < *n; i++) {
        int64_t x = i + a->nbatch >= *n ? a->t->dims[i + a->nbatch - *n] : 1;
        int64_t y = i + b->nbatch >= *n ? b->t->dims[i + b->nbatch - *n] : 1;
        if (x != y && x != 1 && y != 1)
            return tsr_fail(c, "has batches that do not broadcast: %lld against %lld", (long long)x,
                            (long long)y);
        dims[i] = x == 1 ? y : x;
    }
    return true;
}

/* All batches. If the right factor has none, those of the left one become more rows of one product. */
static bool multiply(tsr_call *c, const factor *a, const factor *b, tsr_tensor *out,
                     const int64_t *dims, size_t n)
{
    int64_t m = a->rows, k = a->cols, cols = b->cols, batches = 1, index[TSR_MAX_RANK] = {0};
    bool one = true;
    for (size_t i = 0; i < n; i++)
        batches *= dims[i];
    for (size_t i = 0; i < b->nbatch; i++)
        one &= b->t->dims[i] == 1;
    int64_t rows = one ? batches * m : m, products = one ? 1 : batches;
    int64_t *lists[] = {tsr_ramp(rows, 0),           tsr_ramp(k, a->col_step), tsr_ramp(k, 0),
                        tsr_ramp(cols, b->col_step), tsr_ramp(rows, cols),     tsr_ramp(cols, 1)};
    bool ok = true;
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        ok &= lists[i] != NULL;
    if (!ok)
        tsr_fail_memory(c, "offsets");
    for (int64_t t = 0; ok && t < products; t++) {
        for (int64_t r = 0; r < rows; r += m) {
            int64_t at = batch_at(a, index, n);
            for (int64_t i = 0; i < m; i++)
                lists[0][r + i] = at + i * a->row_step;
            if (one)
                tsr_next_index(index, dims, n);
        }
        int64_t at = one ? 0 : batch_at(b, index, n);
        for (int64_t i = 0; i < k; i++)
            lists[2][i] = at + i * b->row_step;
        tsr_tensor part = *out;
        part.data =
            (char *)out->data + (size_t)(t * m * cols) * tsr_dtype_bytes((tsr_dtype)out->dtype);
        tsr_matrix ma = {.t = a->t, .row = lists[0], .col = lists[1], .nrow = rows, .ncol = k};
        tsr_matrix mb = {.t = b->t, .row = lists[2], .col = lists[3], .nrow = k, .ncol = cols};
        ok = tsr_gemm(c, &ma, &mb, &(tsr_target){&part, lists[4], lists[5]});
        if (!one)
            tsr_next_index(index, dims, n);
    }
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        tsr_free(lists[i]);
    return ok;
}

static tsr_tensor *product(tsr_call *c, const tsr_tensor *a, const tsr_tensor *b, bool ta, bool tb)
{
    int64_t dims[TSR_MAX_RANK + 2];
    size_t n, rank;
    if (!a->rank || !b->rank) {
        tsr_fail(c, "needs operands of at least one dimension");
        return NULL;
    }
    factor fa = factor_of(a, ta, true), fb = factor_of(b, tb, false);
    if (fa.cols != fb.rows) {
        tsr_fail(c, "multiplies %lld columns by %lld rows", (long long)fa.cols, (long long)fb.rows);
        return NULL;
    }
    if (!batch_shape(c, &fa, &fb, dims, &n))
        return NULL;
    rank = n;
    if (a->rank > 1)
        dims[rank++] = fa.rows;
    if (b->rank > 1)
        dims[rank++] = fb.cols;
    tsr_tensor *out = tsr_tt_new(c, (tsr_dtype)a->dtype, dims, rank);
    if (out && out->n && !multiply(c, &fa, &fb, out, dims, n)) {
        tsr_tensor_unref(out);
        return NULL;
    }
    return out;
}

tsr_tensor *tsr_tt_matmul(tsr_call *c, tsr_tensor *a, tsr_tensor *b, bool transpose_a,
                          bool transpose_b)
{
    tsr_dtype d = tsr_tt_sum(tsr_tt_promote((tsr_dtype)a->dtype, (tsr_dtype)b->dtype));
    tsr_tensor *x = tsr_tt_as(c, a, d), *y = x ? tsr_tt_as(c, b, d) : NULL;
    tsr_tensor *out = y ? product(c, x, y, transpose_a, transpose_b) : NULL;
    tsr_tensor_unref(x);
    tsr_tensor_unref(y);
    return out;
}

bool eval_ttir_matmul(tsr_call *c)
{
    tsr_matmul m;
    tsr_matmul_of(c->op, &m);
    return tsr_tt_give(c, 0, tsr_tt_matmul(c, c->in[0], c->in[1], m.transpose[0], m.transpose[1]));
}

/* The bias is added before the sum is rounded. */
bool eval_ttir_linear(tsr_call *c)
{
    tsr_matmul m;
    tsr_matmul_of(c->op, &m);
    tsr_tensor *bias = tsr_tt_in(c, 2);
    tsr_tensor *in[2] = {tsr_tt_matmul(c, c->in[0], c->in[1], m.transpose[0], m.transpose[1]),
                         NULL};
    if (!in[0] || !bias)
        return tsr_tt_give(c, 0, in[0]);
    in[1] = tsr_tt_as(c, bias, (tsr_dtype)in[0]->dtype);
    return tsr_tt_give(c, 0,
                       tsr_tt_combine(c, TSR_OP_STABLEHLO_ADD, (tsr_dtype)in[0]->dtype, in, 2));
}

bool eval_ttir_dot_general(tsr_call *c)
{
    tsr_dtype d = tsr_tt_sum(tsr_tt_promote(tsr_call_dtype(c, 0), tsr_call_dtype(c, 1)));
    tsr_tensor *l = tsr_tt_as(c, c->in[0], d), *r = l ? tsr_tt_as(c, c->in[1], d) : NULL;
    tsr_dot_side side[2];
    tsr_dot_sides(c->op, l, r, side);
    tsr_tensor *out = r ? tsr_dot_tensors(c, &side[0], &side[1], tsr_tt_elem(d)) : NULL;
    tsr_tensor_unref(l);
    tsr_tensor_unref(r);
    return tsr_tt_give(c, 0, out);
}

/* Experts whose sparsity is 0 are skipped: their products are zero. Dense a: [A, B, M, K] with all experts of b, [1, E,
 * K, N], to [A, B, 1, E, M, N]; sparse a has its own matrix for each expert. */
bool eval_ttir_sparse_matmul(tsr_call *c)
{
    const tsr_tensor *a = c->in[0], *b = c->in[1], *mask = c->in[2];
    bool dense = !tsr_tt_int(c, TTIR_SPARSE_MATMUL_is_input_a_sparse, 0);
    if (a->rank < 4 || b->rank != 4 || mask->rank != 4)
        return tsr_fail(c, "needs operands of rank 4");
    tsr_tensor *x = tsr_tensor_ref(c->in[0]);
    if (dense) { /* [A, B, 1, 1, M, K] */
        int64_t dims[] = {a->dims[0],           a->dims[1], 1, 1, a->dims[a->rank - 2u],
                          a->dims[a->rank - 1u]};
        x = tsr_tensor_reshape(x, a->elem, dims, 6);
        if (!x)
            return tsr_fail_memory(c, "an operand");
    }
    tsr_tensor *out = tsr_tt_matmul(c, x, c->in[1], false, false);
    tsr_tensor_unref(x);
    TSR_TRY(out != NULL);
    int64_t experts = b->dims[1],
            each = out->n && experts ? out->dims[out->rank - 2u] * out->dims[out->rank - 1u] : 0;
    size_t size = tsr_dtype_bytes((tsr_dtype)out->dtype);
    for (int64_t i = 0, n = each ? out->n / each : 0; i < n; i++) {
        /* One row of the mask for each batch, or one for all. */
        int64_t row = mask->n > experts ? i / experts : 0, at = row * experts + i % experts;
        if (at < mask->n && tsr_get_double(mask, at) == 0)
            memset((char *)out->data + (size_t)(i * each) * size, 0, (size_t)each * size);
    }
    return tsr_tt_give(c, 0, out);
}
