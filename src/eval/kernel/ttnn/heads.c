/* SPDX-License-Identifier: Apache-2.0 */
/* heads.c - TTNN's attention ops that TTIR does not have: merging and splitting heads, rotations, latent keys,
 * scores. */
#include <math.h>

#include "eval/kernel/ttnn/ttnn.h"

/* ---- Heads ---- */

/* [B, H, S, D] to [B, 1, S, H * D] */
bool eval_ttnn_concat_heads(tsr_call *c)
{
    static const int64_t order[] = {0, 2, 1, 3};
    if (c->in[0]->rank != 4)
        return tsr_fail(c, "takes heads of four dimensions");
    return tsr_ttnn_give(c, 0, tsr_tt_permuted(c, c->in[0], order));
}

/* [S, B, H, D], of which the first num_heads are used, to [S, 1, B, num_heads * D]; the type may have more rows than
 * there are users. */
bool eval_ttnn_concat_heads_decode(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    const tsr_type *type = c->op->out[0].type;
    int64_t heads = tsr_ttnn_int(c, "num_heads", 1);
    if (x->rank != 4 || type->n != 4 || heads > x->dims[2])
        return tsr_fail(c, "takes heads of four dimensions");
    int64_t row = heads * x->dims[3],
            users = type->dims[2] < x->dims[1] ? type->dims[2] : x->dims[1];
    tsr_tensor *t = tsr_tensor_zeros(tsr_tt_elem(tsr_call_dtype(c, 0)), type->dims, 4);
    size_t size = tsr_elem_size(x);
    for (int64_t s = 0; t && s < x->dims[0] && s < type->dims[0]; s++)
        for (int64_t b = 0; b < users; b++)
            memcpy((char *)t->data + (size_t)((s * type->dims[2] + b) * row) * size,
                   (const char *)x->data +
                       (size_t)((s * x->dims[1] + b) * x->dims[2] * x->dims[3]) * size,
                   (size_t)row * size);
    return t ? tsr_ttnn_give(c, 0, t) : tsr_fail_memory(c, "its result");
}

/* Result i: heads [S, B, n, D] starting at column "first" of [S, 1, B, row]; the type may have more heads than n, which
 * are 0. */
static bool take_heads(tsr_call *c, size_t i, int64_t first, int64_t n, int64_t d)
{
    const tsr_tensor *x = c->in[0];
    const tsr_type *type = c->op->out[i].type;
    int64_t row = x->dims[3], heads = type->n == 4 ? type->dims[2] : 0, users = x->dims[2];
    if (type->n != 4 || heads < n || type->dims[1] > users || type->dims[3] != d ||
        type->dims[0] != x->dims[0])
        return tsr_fail(c, "has heads whose shape is not that of its type");
    tsr_tensor *t = tsr_tensor_zeros(tsr_tt_elem(tsr_call_dtype(c, 0)), type->dims, 4);
    size_t size = tsr_elem_size(x);
    for (int64_t s = 0; t && s < type->dims[0]; s++)
        for (int64_t b = 0; b < type->dims[1]; b++)
            memcpy((char *)t->data + (size_t)((s * type->dims[1] + b) * heads * d) * size,
                   (const char *)x->data + (size_t)((s * users + b) * row + first) * size,
                   (size_t)(n * d) * size);
    return t ? tsr_ttnn_give(c, i, t) : tsr_fail_memory(c, "heads");
}

/* Columns are all queries, then all keys, then all values. */
bool eval_ttnn_create_heads_decode(tsr_call *c)
{
    int64_t heads = tsr_ttnn_int(c, "num_heads", 1), kv = tsr_ttnn_int(c, "num_kv_heads", heads);
    const tsr_tensor *x = c->in[0];
    if (x->rank != 4 || heads < 1 || kv < 1 || x->dims[3] % (heads + 2 * kv))
        return tsr_fail(c, "cannot divide its columns into heads");
    if (tsr_tt_at(c, 1) >= 0)
        return tsr_fail(c, "cannot be evaluated with an offset of users");
    int64_t d = x->dims[3] / (heads + 2 * kv);
    return take_heads(c, 0, 0, heads, d) && take_heads(c, 1, heads * d, kv, d) &&
           take_heads(c, 2, (heads + kv) * d, kv, d);
}

/* ---- Rotations ---- */

/* y = x * cos + turned(x) * sin. halves: turned is (-second half, first half); else pairs: (-x[i + 1], x[i]). cos and
 * sin: [.., S, D], broadcast over heads; position: the only row of them that is used, -1: each row its own. */
static void rotate(double *x, const tsr_tensor *t, const tsr_tensor *cos, const tsr_tensor *sin,
                   int64_t position, bool halves)
{
    int64_t d = t->dims[t->rank - 1], rows = t->dims[t->rank - 2], n = cos->n / d;
    for (int64_t r = 0; n && r < t->n / d; r++, x += d) {
        int64_t at = position >= 0 ? position : r % rows % n;
        const double *cs = (const double *)cos->data + at * d,
                     *sn = (const double *)sin->data + at * d;
        for (int64_t i = 0; i < d / 2; i++) {
            int64_t a = halves ? i : 2 * i, b = halves ? i + d / 2 : 2 * i + 1;
            double u = x[a], v = x[b];
            x[a] = u * cs[a] - v * sn[a];
            x[b] = v * cs[b] + u * sn[b];
        }
    }
}

static bool rotary(tsr_call *c, int64_t position, bool halves)
{
    tsr_tensor *x = tsr_ttnn_doubles(c, 0), *cs = x ? tsr_ttnn_doubles(c, 1) : NULL,
               *sn = cs ? tsr_ttnn_doubles(c, 2) : NULL;
    bool ok = sn != NULL;
    int64_t d = ok && x->rank ? x->dims[x->rank - 1] : 0;
    if (ok && (x->rank < 2 || !d || d % 2 || !cs->rank || cs->dims[cs->rank - 1] != d ||
               sn->n != cs->n || position >= cs->n / d))
        ok = tsr_fail(c, "has angles that are not those of its rows");
    if (ok)
        rotate(x->data, x, cs, sn, position, halves);
    tsr_tensor_unref(cs);
    tsr_tensor_unref(sn);
    if (ok)
        return tsr_ttnn_give(c, 0, x);
    tsr_tensor_unref(x);
    return false;
}

bool eval_ttnn_rotary(tsr_call *c)
{
    return rotary(c, tsr_ttnn_int(c, "token_index", -1), true);
}

/* Pairs are rotated by a matrix, one tile; it is assumed to be the rotation of pairs, whatever its elements are. */
bool eval_ttnn_rotary_llama(tsr_call *c)
{
    enum { TILE = 32 };
    const tsr_tensor *m = c->in[3];
    for (int64_t i = 0; i < m->n; i++) {
        int64_t r = i / TILE, k = i % TILE;
        double want = r % 2 == 0 && k == r + 1 ? 1 : r % 2 == 1 && k == r - 1 ? -1 : 0;
        if (m->n != TILE * TILE || tsr_get_double(m, i) != want)
            return tsr_fail(c, "cannot be evaluated with a matrix that does not turn pairs");
    }
    return rotary(c, -1, false);
}

/* ---- Latent keys and scores ---- */

typedef struct {
    const double *q, *k, *v, *mask;
    int64_t heads, kv_heads, rows, d, dv, v_row;
    int64_t mask_heads, mask_batch;
    double scale;
    bool causal;
} latent;

static void attend_row(const latent *l, const double *q, const double *k, const double *v,
                       const double *mask, int64_t r, double *score, double *out)
{
    int64_t cols = l->causal ? r + 1 : l->rows;
    double most = -INFINITY, sum = 0;
    for (int64_t j = 0; j < cols; j++) {
        score[j] = 0;
        for (int64_t i = 0; i < l->d; i++)
            score[j] += q[i] * k[j * l->d + i];
        score[j] = score[j] * l->scale + (mask ? mask[j] : 0);
        most = score[j] > most ? score[j] : most;
    }
    memset(out, 0, (size_t)l->dv * sizeof *out);
    for (int64_t j = 0; j < cols && most > -INFINITY; j++) {
        double w = exp(score[j] - most);
        sum += w;
        for (int64_t i = 0; i < l->dv; i++)
            out[i] += w * v[j * l->v_row + i];
    }
    for (int64_t i = 0; sum > 0 && i < l->dv; i++)
        out[i] /= sum;
}

/* If no values are given, they are the first head_dim_v numbers of the keys. */
bool eval_ttnn_mla_prefill(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    bool ok = true;
    tsr_tensor *q = tsr_ttnn_doubles(c, 0), *k = tsr_ttnn_doubles(c, 1),
               *v = tsr_ttnn_group(c, 2, &ok), *mask = tsr_ttnn_group(c, 3, &ok);
    tsr_tensor *t = q && k && ok ? tsr_tt_new(c, TSR_D_F64, type->dims, type->n) : NULL;
    double *score = t ? tsr_malloc((size_t)(q->dims[2] + 1) * sizeof *score) : NULL;
    ok = ok && score;
    if (ok) {
        latent l = {.heads = q->dims[1],
                    .kv_heads = k->dims[1],
                    .rows = q->dims[2],
                    .d = q->dims[3],
                    .dv = type->dims[3],
                    .v_row = v ? v->dims[3] : k->dims[3],
                    .scale = tsr_ttnn_double(c, "scale", 1 / sqrt((double)q->dims[3])),
                    .causal = tsr_ttnn_int(c, "is_causal", 1) != 0};
        for (int64_t i = 0; i < q->dims[0] * l.heads; i++) {
            int64_t b = i / l.heads, h = i % l.heads, g = b * l.kv_heads + h * l.kv_heads / l.heads;
            const double *ks = (const double *)k->data + g * l.rows * l.d,
                         *vs = v ? (const double *)v->data + g * l.rows * l.v_row : ks;
            int64_t mb = mask && mask->dims[0] > 1 ? b : 0, mh = mask && mask->dims[1] > 1 ? h : 0;
            const double *ms =
                mask ? (const double *)mask->data + (mb * mask->dims[1] + mh) * l.rows * l.rows
                     : NULL;
            for (int64_t r = 0; r < l.rows; r++)
                attend_row(&l, (const double *)q->data + (i * l.rows + r) * l.d, ks, vs,
                           ms ? ms + r * l.rows : NULL, r, score,
                           (double *)t->data + (i * l.rows + r) * l.dv);
        }
    }
    tsr_free(score);
    tsr_tensor_unref(q);
    tsr_tensor_unref(k);
    tsr_tensor_unref(v);
    tsr_tensor_unref(mask);
    if (ok)
        return tsr_ttnn_give(c, 0, t);
    tsr_tensor_unref(t);
    return c->e->failure.failed ? false : tsr_fail_memory(c, "its scores");
}

/* Sum over heads of weight * relu(q . k); positions after the row's own are -infinity. */
bool eval_ttnn_indexer_score(tsr_call *c)
{
    tsr_tensor *q = tsr_ttnn_doubles(c, 0), *k = q ? tsr_ttnn_doubles(c, 1) : NULL,
               *w = k ? tsr_ttnn_doubles(c, 2) : NULL;
    const tsr_type *type = c->op->out[0].type;
    tsr_tensor *t = w ? tsr_tt_new(c, TSR_D_F64, type->dims, type->n) : NULL;
    int64_t start = tsr_ttnn_int(c, "chunk_start_idx", 0);
    int64_t heads = t ? q->dims[1] : 0, rows = t ? q->dims[2] : 0, d = t ? q->dims[3] : 0,
            cols = t ? k->dims[2] : 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < cols; j++) {
            double sum = 0;
            for (int64_t h = 0; h < heads; h++) {
                const double *a = (const double *)q->data + (h * rows + r) * d,
                             *b = (const double *)k->data + j * d;
                double dot = 0;
                for (int64_t i = 0; i < d; i++)
                    dot += a[i] * b[i];
                sum += ((const double *)w->data)[h * rows + r] * (dot > 0 ? dot : 0);
            }
            ((double *)t->data)[r * cols + j] = j > start + r ? -INFINITY : sum;
        }
    tsr_tensor_unref(q);
    tsr_tensor_unref(k);
    tsr_tensor_unref(w);
    return t && tsr_ttnn_give(c, 0, t);
}
