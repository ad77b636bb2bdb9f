/* SPDX-License-Identifier: Apache-2.0 */
/* attention.c - softmax(Q K^T * scale + mask) V in all its forms: whole tensors, one token against a cache, paged
 * caches, chunks of a prompt, latent keys; and the forward and backward ops for training.
 *
 * All forms become one: rows of queries by batch and head, keys and values by batch, head and index. Scores, weights
 * and sums are double; the result is rounded once. A sink is a score without a value: it takes its share of the
 * weights. A row that sees no key at all is 0. */
#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "dialect/ttcore/ttcore.h"
#include "eval/kernel/ttir/cache.h"
#include "eval/kernel/kernels.h"

/* Strides of a tensor, in elements by batch, head and row; the last dimension is contiguous. */
typedef struct {
    const tsr_tensor *t;
    int64_t batch, head, row;
} view;

typedef struct {
    tsr_call *c;
    int64_t batch, heads, kv_heads, rows, cols, d, dv;
    view q, k, v;
    view out;               /* out.t is result 0's tensor */
    view mask;              /* t NULL: none */
    const tsr_tensor *sink; /* scores: sinks of them for each head, sink_step apart */
    int64_t sinks, sink_step;
    const tsr_tensor *pages; /* page table of the cache in k and v; NULL: contiguous */
    int64_t page_rows;
    double scale;
    bool causal;             /* row i sees columns up to start + i */
    const tsr_tensor *start; /* by batch if it has that many elements; NULL: 0 */
    int64_t
        window; /* 0: none. Causal: so many columns up to the row's own; else half of it to both sides */
    view lse; /* 32 elements per row, all the logarithm of its sum; t NULL: not wanted */
} attention;

typedef struct {
    double *q, *k, *v; /* rows x d, d x cols, cols x dv */
    double *score;     /* cols + sinks */
    double *sum;       /* dv */
} space;

static void free_space(space *s)
{
    tsr_free(s->q);
    tsr_free(s->k);
    tsr_free(s->v);
    tsr_free(s->score);
    tsr_free(s->sum);
}

static bool make_space(const attention *a, space *s)
{
    size_t d = (size_t)a->d + 1, cols = (size_t)a->cols + 1, dv = (size_t)a->dv + 1;
    *s = (space){tsr_malloc(((size_t)a->rows + 1) * d * sizeof(double)),
                 tsr_malloc(d * cols * sizeof(double)), tsr_malloc(cols * dv * sizeof(double)),
                 tsr_malloc((cols + (size_t)a->sinks) * sizeof(double)),
                 tsr_malloc(dv * sizeof(double))};
    if (s->q && s->k && s->v && s->score && s->sum)
        return true;
    free_space(s);
    return tsr_fail_memory(a->c, "keys and values");
}

static void read_row(const view *w, int64_t at, double *out, int64_t n)
{
    tsr_to_doubles((tsr_dtype)w->t->dtype,
                   (const char *)w->t->data + (size_t)at * tsr_elem_size(w->t), out, n);
}

/* Keys (transposed, so that scores are sums of rows) and values of one head. Missing pages are 0. */
static bool read_keys(const attention *a, space *s, int64_t b, int64_t h, double *row)
{
    for (int64_t j = 0; j < a->cols; j++) {
        int64_t block = b, place = j;
        if (a->pages) {
            TSR_TRY(tsr_tt_page(a->c, a->pages, b, j / a->page_rows, a->k.t->dims[0], &block));
            place = j % a->page_rows;
        }
        if (block < 0) {
            memset(row, 0, (size_t)a->d * sizeof *row);
            memset(s->v + j * a->dv, 0, (size_t)a->dv * sizeof *row);
        } else {
            read_row(&a->k, block * a->k.batch + h * a->k.head + place * a->k.row, row, a->d);
            read_row(&a->v, block * a->v.batch + h * a->v.head + place * a->v.row, s->v + j * a->dv,
                     a->dv);
        }
        for (int64_t d = 0; d < a->d; d++)
            s->k[d * a->cols + j] = row[d];
    }
    return true;
}

/* The columns that a row sees: from first up to last. */
static void seen(const attention *a, int64_t b, int64_t i, int64_t *first, int64_t *last)
{
    const int64_t far = (int64_t)1 << 60;
    int64_t at = i;
    if (a->start)
        at += tsr_clamp(tsr_get_index(a->start, a->start->n == a->batch ? b : 0), -far, far);
    *first = 0;
    *last = a->causal ? at : a->cols - 1;
    if (a->window && a->causal) {
        *first = at - a->window + 1;
    } else if (a->window) {
        *first = at - a->window / 2;
        *last = at + a->window / 2;
    }
    *first = *first < 0 ? 0 : *first;
    *last = *last >= a->cols ? a->cols - 1 : *last;
}

/* Scores of one row for the visible columns: s->score[first .. last]. */
static void score_row(const attention *a, const space *s, const double *q, int64_t b, int64_t h,
                      int64_t i, int64_t first, int64_t last, double *mask)
{
    int64_t n = last - first + 1;
    double *score = s->score + first;
    memset(score, 0, (size_t)n * sizeof *score);
    for (int64_t d = 0; d < a->d; d++) {
        const double *k = s->k + d * a->cols + first;
        double x = q[d] * a->scale;
        for (int64_t j = 0; j < n; j++)
            score[j] += x * k[j];
    }
    if (!a->mask.t)
        return;
    read_row(&a->mask, b * a->mask.batch + h * a->mask.head + i * a->mask.row + first, mask, n);
    for (int64_t j = 0; j < n; j++)
        score[j] += mask[j];
}

/* Converts scores to weights; returns their sum, and the largest score. */
static double soften(const attention *a, double *score, int64_t n, const double *sinks,
                     double *most)
{
    double top = -INFINITY, sum = 0;
    for (int64_t j = 0; j < n; j++)
        top = score[j] > top || isnan(score[j]) ? score[j] : top;
    for (int64_t j = 0; j < a->sinks; j++)
        top = sinks[j] > top ? sinks[j] : top;
    for (int64_t j = 0; j < n; j++)
        sum += score[j] = exp(score[j] - top);
    for (int64_t j = 0; j < a->sinks; j++)
        sum += exp(sinks[j] - top);
    *most = top;
    return sum;
}

static void write_row(const view *w, int64_t at, const double *x, int64_t n)
{
    tsr_tensor *t = (tsr_tensor *)w->t;
    tsr_from_doubles((tsr_dtype)t->dtype, x, (char *)t->data + (size_t)at * tsr_elem_size(t), n);
}

static void attend_row(const attention *a, const space *s, int64_t b, int64_t h, int64_t i,
                       const double *sinks, double *mask)
{
    int64_t first, last;
    double most = 0, *o = s->sum, total = 0;
    seen(a, b, i, &first, &last);
    memset(o, 0, (size_t)a->dv * sizeof *o);
    if (last >= first) {
        score_row(a, s, s->q + i * a->d, b, h, i, first, last, mask);
        total = soften(a, s->score + first, last - first + 1, sinks, &most);
        for (int64_t j = first; j <= last; j++) {
            double w = s->score[j] / total;
            const double *v = s->v + j * a->dv;
            for (int64_t e = 0; e < a->dv; e++)
                o[e] += w * v[e];
        }
    }
    write_row(&a->out, b * a->out.batch + h * a->out.head + i * a->out.row, o, a->dv);
    if (!a->lse.t)
        return;
    double lse[32];
    for (size_t k = 0; k < TSR_COUNT(lse); k++)
        lse[k] = last >= first ? most + log(total) : -INFINITY;
    write_row(&a->lse, b * a->lse.batch + h * a->lse.head + i * a->lse.row, lse, TSR_COUNT(lse));
}

static bool attend(const attention *a)
{
    space s;
    int64_t longest = a->d > a->dv ? a->d : a->dv;
    if (a->kv_heads < 1 || a->heads % a->kv_heads)
        return tsr_fail(a->c, "has %lld heads of queries for %lld of keys", (long long)a->heads,
                        (long long)a->kv_heads);
    TSR_TRY(make_space(a, &s));
    double *row = tsr_xmalloc((size_t)(longest + a->cols + a->sinks + 2) * sizeof *row),
           *mask = row + longest + 1;
    double *sinks = mask + a->cols + 1;
    bool ok = true;
    int64_t group = a->heads / a->kv_heads;
    for (int64_t b = 0; ok && b < a->batch; b++)
        for (int64_t h = 0; ok && h < a->heads; h++) {
            if (h % group == 0)
                ok = read_keys(a, &s, b, h / group, row);
            for (int64_t j = 0; j < a->sinks; j++)
                sinks[j] = tsr_get_double(a->sink, h * a->sink_step + j);
            for (int64_t i = 0; ok && i < a->rows; i++)
                read_row(&a->q, b * a->q.batch + h * a->q.head + i * a->q.row, s.q + i * a->d,
                         a->d);
            for (int64_t i = 0; ok && i < a->rows; i++) {
                tsr_tick();
                attend_row(a, &s, b, h, i, sinks, mask);
            }
        }
    tsr_free(row);
    free_space(&s);
    return ok;
}

/* ---- Forms ---- */

/* [B, H, S, D] */
static view dense(const tsr_tensor *t)
{
    return (view){t, t->dims[1] * t->dims[2] * t->dims[3], t->dims[2] * t->dims[3], t->dims[3]};
}

/* [S, B, H, D]: S is 1 where one token is decoded. */
static view token(const tsr_tensor *t)
{
    return (view){t, t->dims[2] * t->dims[3], t->dims[3], t->dims[1] * t->dims[2] * t->dims[3]};
}

/* A mask whose dimensions of size 1 are broadcast; dims: which of its dimensions are batch, head and row. */
static bool set_mask(attention *a, const tsr_tensor *t, size_t batch, size_t head, size_t row)
{
    if (!t)
        return true;
    if (t->rank != 4 || t->dims[3] != a->cols ||
        (t->dims[batch] != 1 && t->dims[batch] != a->batch) ||
        (t->dims[head] != 1 && t->dims[head] != a->heads) ||
        (t->dims[row] != 1 && t->dims[row] != a->rows))
        return tsr_fail(a->c, "has a mask that does not fit its queries and keys");
    int64_t steps[4] = {t->dims[1] * t->dims[2] * t->dims[3], t->dims[2] * t->dims[3], t->dims[3],
                        1};
    a->mask = (view){t, t->dims[batch] == 1 ? 0 : steps[batch],
                     t->dims[head] == 1 ? 0 : steps[head], t->dims[row] == 1 ? 0 : steps[row]};
    return true;
}

/* [1, H, 1, n]: n scores for each head; [H, 32], a tile: only the first column. */
static bool set_sink(attention *a, const tsr_tensor *t)
{
    if (!t)
        return true;
    bool tile = t->rank == 2;
    int64_t heads = tile ? t->dims[0] : t->rank == 4 ? t->dims[1] : t->rank == 1 ? t->n : 0;
    if (heads != a->heads || (t->rank == 4 && t->dims[1] * t->dims[3] != t->n))
        return tsr_fail(a->c, "has a sink that is not one of each head");
    a->sink = t;
    a->sink_step = t->rank == 1 ? 1 : t->dims[t->rank - 1];
    a->sinks = tile ? 1 : a->sink_step;
    return true;
}

static bool ranks_are_4(tsr_call *c, const tsr_tensor *q, const tsr_tensor *k, const tsr_tensor *v)
{
    return (q->rank == 4 && k->rank == 4 && v->rank == 4 && q->dims[3] == k->dims[3]) ||
           tsr_fail(c, "has queries, keys and values whose shapes do not fit");
}

static double scale_of(const tsr_call *c, int slot, int64_t d)
{
    return tt_float(c->op, slot, 1 / sqrt((double)d));
}

/* Queries [B, H, S, D], unchanged. */
static attention attention_of(tsr_call *c, const tsr_tensor *q, const tsr_tensor *k,
                              const tsr_tensor *v)
{
    return (attention){.c = c,
                       .batch = q->dims[0],
                       .heads = q->dims[1],
                       .rows = q->dims[2],
                       .d = q->dims[3],
                       .dv = v->dims[3],
                       .q = dense(q),
                       .k = dense(k),
                       .v = dense(v)};
}

bool eval_ttir_attention(tsr_call *c)
{
    const tsr_tensor *q = c->in[0], *k = c->in[1], *v = c->in[2];
    TSR_TRY(ranks_are_4(c, q, k, v));
    attention a = attention_of(c, q, k, v);
    a.kv_heads = k->dims[1];
    a.cols = k->dims[2];
    a.scale = scale_of(c, TTIR_SCALED_DOT_PRODUCT_ATTENTION_scale, a.d);
    a.causal = tt_int(c->op, TTIR_SCALED_DOT_PRODUCT_ATTENTION_is_causal, 1) != 0;
    a.window = tt_int(c->op, TTIR_SCALED_DOT_PRODUCT_ATTENTION_sliding_window_size, 0);
    TSR_TRY(set_mask(&a, tsr_tt_operand(c, 3), 0, 1, 2) && set_sink(&a, tsr_tt_operand(c, 4)));
    tsr_tensor *t = tsr_call_new(c, 0, q->dims, 4);
    if (!t)
        return false;
    a.out = dense(t);
    return attend(&a);
}

/* One token of each user: the query is [1, B, H, D], and sees positions up to the user's own. */
static bool decode(attention *a, const tsr_tensor *q, const tsr_tensor *mask, const tsr_tensor *pos,
                   const tsr_tensor *sink, int64_t dv)
{
    tsr_call *c = a->c;
    a->batch = q->dims[1];
    a->heads = q->dims[2];
    a->rows = q->dims[0];
    a->d = q->dims[3];
    a->dv = dv;
    a->q = token(q);
    if (pos && pos->n != a->batch)
        return tsr_fail(c, "has %lld places for %lld users", (long long)pos->n,
                        (long long)a->batch);
    a->causal = a->causal && pos;
    a->start = a->causal ? pos : NULL;
    TSR_TRY(set_mask(a, mask, 0, 2, 1) && set_sink(a, sink));
    int64_t dims[4] = {q->dims[0], q->dims[1], q->dims[2], dv};
    tsr_tensor *t = tsr_call_new(c, 0, dims, 4);
    if (!t)
        return false;
    a->out = token(t);
    return attend(a);
}

bool eval_ttir_attention_decode(tsr_call *c)
{
    const tsr_tensor *q = c->in[0], *k = c->in[1], *v = c->in[2];
    TSR_TRY(ranks_are_4(c, q, k, v));
    attention a = {
        .c = c, .kv_heads = k->dims[1], .cols = k->dims[2], .k = dense(k), .v = dense(v)};
    if (k->dims[0] != q->dims[1])
        return tsr_fail(c, "has keys of %lld users for queries of %lld", (long long)k->dims[0],
                        (long long)q->dims[1]);
    a.scale = scale_of(c, TTIR_SCALED_DOT_PRODUCT_ATTENTION_DECODE_scale, q->dims[3]);
    a.causal = tt_int(c->op, TTIR_SCALED_DOT_PRODUCT_ATTENTION_DECODE_is_causal, 1) != 0;
    return decode(&a, q, tsr_tt_operand(c, 3), tsr_tt_operand(c, 4), tsr_tt_operand(c, 5),
                  v->dims[3]);
}

static bool set_pages(attention *a, const tsr_tensor *pages, const tsr_tensor *k)
{
    a->pages = pages;
    a->page_rows = k->dims[2];
    a->kv_heads = k->dims[1];
    if (pages->rank != 2 || a->page_rows < 1 || pages->dims[1] > INT64_MAX / a->page_rows)
        return tsr_fail(a->c, "has a page table that does not fit its keys");
    a->cols = pages->dims[1] * a->page_rows;
    return true;
}

bool eval_ttir_attention_paged(tsr_call *c)
{
    const tsr_tensor *q = c->in[0], *k = c->in[1], *v = c->in[2];
    TSR_TRY(ranks_are_4(c, q, k, v));
    attention a = {.c = c, .k = dense(k), .v = dense(v)};
    a.scale = scale_of(c, TTIR_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE_scale, q->dims[3]);
    a.causal = tt_int(c->op, TTIR_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE_is_causal, 1) != 0;
    const tsr_tensor *pos = tsr_tt_operand(c, 6);
    a.window =
        a.causal && pos
            ? tt_int(c->op, TTIR_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE_sliding_window_size, 0)
            : 0;
    return set_pages(&a, c->in[3], k) &&
           decode(&a, q, tsr_tt_operand(c, 5), pos, tsr_tt_operand(c, 7), v->dims[3]);
}

/* Values are the first elements of the keys, unless they are given separately. */
bool eval_ttir_attention_latent(tsr_call *c)
{
    const tsr_tensor *q = c->in[0], *k = c->in[1], *v = tsr_tt_operand(c, 2);
    int64_t dv = tt_int(c->op, TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_head_dim_v, 0);
    TSR_TRY(ranks_are_4(c, q, k, v ? v : k));
    if (dv > (v ? v : k)->dims[3])
        return tsr_fail(c, "has values of %lld elements, of which it takes %lld",
                        (long long)(v ? v : k)->dims[3], (long long)dv);
    attention a = {.c = c, .k = dense(k), .v = dense(v ? v : k)};
    a.scale = scale_of(c, TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_scale, q->dims[3]);
    a.causal = tt_int(c->op, TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_is_causal, 1) != 0;
    return set_pages(&a, tsr_tt_operand(c, 3), k) &&
           decode(&a, q, tsr_tt_operand(c, 4), tsr_tt_operand(c, 5), tsr_tt_operand(c, 6), dv);
}

bool eval_ttir_attention_chunked(tsr_call *c)
{
    const tsr_tensor *q = c->in[0], *k = c->in[1], *v = c->in[2];
    TSR_TRY(ranks_are_4(c, q, k, v));
    attention a = attention_of(c, q, k, v);
    a.causal = true;
    a.start = c->in[4];
    a.scale = scale_of(c, TTIR_CHUNKED_SCALED_DOT_PRODUCT_ATTENTION_scale, a.d);
    TSR_TRY(set_pages(&a, c->in[3], k));
    tsr_tensor *t = a.start->n < 1 ? NULL : tsr_call_new(c, 0, q->dims, 4);
    if (!t)
        return tsr_fail(c, "does not say where its chunk starts");
    a.out = dense(t);
    return attend(&a);
}

/* ---- Training ---- */

/* A tensor of rank 2 to 4, or more, as [B, H, S, D]: dimensions between batch and the last two count as heads. */
static view as_view(const tsr_tensor *t, int64_t dims[4])
{
    size_t r = t->rank;
    dims[3] = t->dims[r - 1];
    dims[2] = t->dims[r - 2];
    dims[0] = r > 3 ? t->dims[0] : 1;
    dims[1] = 1;
    for (size_t i = r > 3 ? 1 : 0; i + 2 < r; i++)
        dims[1] *= t->dims[i];
    return (view){t, dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]};
}

static bool no_dropout(tsr_call *c, int slot)
{
    return tt_float(c->op, slot, 0) == 0 ||
           tsr_fail(c, "drops elements by random numbers that it does not say");
}

/* Queries, keys and values of a training op, starting at operand first. */
static bool train(attention *a, size_t first, const tsr_tensor *mask, int64_t mask_type)
{
    tsr_call *c = a->c;
    int64_t q[4], k[4], v[4];
    if (c->in[first]->rank < 2 || c->in[first + 1]->rank < 2 || c->in[first + 2]->rank < 2)
        return tsr_fail(c, "has queries, keys and values whose shapes do not fit");
    a->q = as_view(c->in[first], q);
    a->k = as_view(c->in[first + 1], k);
    a->v = as_view(c->in[first + 2], v);
    a->batch = q[0];
    a->heads = q[1];
    a->rows = q[2];
    a->d = q[3];
    a->kv_heads = k[1];
    a->cols = k[2];
    a->dv = v[3];
    a->scale = 1 / sqrt((double)a->d);
    a->causal = mask_type == TSR_TT_MASK_CAUSAL;
    if (!mask || mask_type != TSR_TT_MASK_ARBITRARY)
        return true;
    int64_t m[4];
    a->mask = as_view(mask, m);
    a->mask.batch = a->mask.head = 0;
    return (m[2] == a->rows && m[3] == a->cols) ||
           tsr_fail(c, "has a mask that does not fit its queries and keys");
}

bool eval_ttir_sdpa_fw(tsr_call *c)
{
    attention a = {.c = c};
    int64_t dims[TSR_MAX_RANK], as4[4];
    TSR_TRY(no_dropout(c, TTIR_SDPA_FW_dropout_probability) &&
            train(&a, 0, tsr_tt_operand(c, 3),
                  tt_int(c->op, TTIR_SDPA_FW_mask_type, TSR_TT_MASK_CAUSAL)));
    const tsr_tensor *q = c->in[0];
    memcpy(dims, q->dims, q->rank * sizeof *dims);
    dims[q->rank - 1] = a.dv;
    tsr_tensor *t = tsr_call_new(c, 0, dims, q->rank), *lse = NULL;
    if (!t)
        return false;
    a.out = as_view(t, as4);
    if (c->op->nout > 1) {
        dims[q->rank - 1] = 32;
        lse = tsr_call_new(c, 1, dims, q->rank);
        if (!lse)
            return false;
        a.lse = as_view(lse, as4);
    }
    return attend(&a);
}

/* Gradients of one head, added to those of its keys and values. P is recomputed from the stored logarithms: dV = P^T
 * dO; dS = P * (dO V^T - rowsum(dO * O)); dQ = dS K, dK = dS^T Q. */
static bool backward_head(const attention *a, const space *s, const view *dout, const view *out,
                          const view *lse, int64_t b, int64_t h, double *dk, double *dv,
                          double *buf, const view *dq)
{
    double *go = buf, *o = go + a->dv, *mask = o + a->dv, *gq = mask + a->cols, kept;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t first, last;
        double u = 0;
        seen(a, b, i, &first, &last);
        read_row(dout, b * dout->batch + h * dout->head + i * dout->row, go, a->dv);
        read_row(out, b * out->batch + h * out->head + i * out->row, o, a->dv);
        read_row(lse, b * lse->batch + h * lse->head + i * lse->row, &kept, 1);
        for (int64_t e = 0; e < a->dv; e++)
            u += go[e] * o[e];
        memset(gq, 0, (size_t)a->d * sizeof *gq);
        if (last >= first)
            score_row(a, s, s->q + i * a->d, b, h, i, first, last, mask);
        for (int64_t j = first; j <= last; j++) {
            double p = exp(s->score[j] - kept), dp = 0;
            for (int64_t e = 0; e < a->dv; e++) {
                dp += go[e] * s->v[j * a->dv + e];
                dv[j * a->dv + e] += p * go[e];
            }
            double ds = p * (dp - u) * a->scale;
            for (int64_t d = 0; d < a->d; d++) {
                gq[d] += ds * s->k[d * a->cols + j];
                dk[j * a->d + d] += ds * s->q[i * a->d + d];
            }
        }
        write_row(dq, b * dq->batch + h * dq->head + i * dq->row, gq, a->d);
    }
    return true;
}

bool eval_ttir_sdpa_bw(tsr_call *c)
{
    attention a = {.c = c};
    int64_t d4[4];
    TSR_TRY(no_dropout(c, TTIR_SDPA_BW_dropout_probability) &&
            train(&a, 2, tsr_tt_operand(c, 6),
                  tt_int(c->op, TTIR_SDPA_BW_mask_type, TSR_TT_MASK_ARBITRARY)));
    if (a.kv_heads < 1 || a.heads % a.kv_heads || c->in[0]->rank < 2 || c->in[1]->rank < 2 ||
        c->in[5]->rank < 2 || c->in[5]->dims[c->in[5]->rank - 1] < 1)
        return tsr_fail(c, "has operands whose shapes do not fit");
    view dout = as_view(c->in[0], d4), out = as_view(c->in[1], d4), lse = as_view(c->in[5], d4),
         grad[3];
    for (size_t i = 0; i < 3; i++) {
        tsr_tensor *t = tsr_call_new(c, i, c->in[2 + i]->dims, c->in[2 + i]->rank);
        if (!t)
            return false;
        grad[i] = as_view(t, d4);
    }
    space s;
    TSR_TRY(make_space(&a, &s));
    size_t nk = (size_t)(a.cols * a.d), nv = (size_t)(a.cols * a.dv);
    double *dk = tsr_calloc(nk + nv + 1, sizeof *dk), *dv = dk + nk;
    double *buf = tsr_malloc(((size_t)(2 * a.dv + a.cols + 2 * a.d) + 4) * sizeof *buf);
    bool ok = dk && buf ? true : tsr_fail_memory(c, "gradients");
    int64_t group = a.heads / a.kv_heads;
    for (int64_t b = 0; ok && b < a.batch; b++)
        for (int64_t h = 0; ok && h < a.heads; h++) {
            if (h % group == 0) {
                ok = read_keys(&a, &s, b, h / group, buf);
                memset(dk, 0, (nk + nv) * sizeof *dk);
            }
            for (int64_t i = 0; ok && i < a.rows; i++)
                read_row(&a.q, b * a.q.batch + h * a.q.head + i * a.q.row, s.q + i * a.d, a.d);
            ok = ok && backward_head(&a, &s, &dout, &out, &lse, b, h, dk, dv, buf, &grad[0]);
            for (int64_t j = 0; ok && h % group == group - 1 && j < a.cols; j++) {
                write_row(&grad[1], b * grad[1].batch + h / group * grad[1].head + j * grad[1].row,
                          dk + j * a.d, a.d);
                write_row(&grad[2], b * grad[2].batch + h / group * grad[2].head + j * grad[2].row,
                          dv + j * a.dv, a.dv);
            }
        }
    tsr_free(dk);
    tsr_free(buf);
    free_space(&s);
    return ok;
}
