/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - reduce: simple reducers as a fold over the input, any other body on rows.
 *
 * A fold visits the input in row-major order, so that each result equals that of the reference schedule, rounded to the
 * result's type at each step. For a body the input becomes rows x kept elements. A long reduction to few elements would
 * run it on short rows, so it is cut into pieces that are reduced in parallel, then the pieces in order, which is
 * another schedule that the op allows. */
#include <stdlib.h>

#include "eval/body.h"
#include "eval/math/fold.h"
#include "eval/kernel/kernels.h"

enum { ROW = 16384, SHORT = 4096, PIECE = 64 };

/* The dimensions of an input: which are reduced, and the order of elements. */
typedef struct {
    bool gone[TSR_MAX_RANK];
    int64_t kept[TSR_MAX_RANK]; /* sizes of the kept dimensions */
    size_t nkept;
    int64_t rows, width; /* products of the reduced and of the kept sizes */
} layout;

static bool find_layout(tsr_call *c, layout *l)
{
    const tsr_tensor *x = c->in[0];
    int64_t axes[TSR_MAX_RANK];
    size_t n = tsr_ints_of(tsr_call_attr(c, STABLEHLO_REDUCE_dimensions), axes, TSR_MAX_RANK);
    if (!tsr_distinct_below(axes, n, x->rank))
        return tsr_fail(c, "reduces dimensions that its inputs do not have");
    *l = (layout){.rows = 1, .width = 1};
    for (size_t i = 0; i < n; i++)
        l->gone[axes[i]] = true;
    for (size_t d = 0; d < x->rank; d++) {
        if (!l->gone[d])
            l->kept[l->nkept++] = x->dims[d];
        if (x->n)
            *(l->gone[d] ? &l->rows : &l->width) *= x->dims[d];
    }
    return true;
}

static bool same_shape(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* Initializes the results with the init values. */
static bool start_results(tsr_call *c, const layout *l, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!same_shape(c->in[i], c->in[0]) || c->in[n + i]->n != 1)
            return tsr_fail(c,
                            "has inputs of different shapes, or init values that are no scalars");
        tsr_tensor *t = tsr_call_new(c, i, l->kept, l->nkept);
        tsr_tensor *init = t ? tsr_converted(c, c->in[n + i], t->elem) : NULL;
        if (!init)
            return false;
        tsr_fill(t->data, init->data, tsr_elem_size(t), t->n);
        tsr_tensor_unref(init);
    }
    return true;
}

static bool reduce_fold(tsr_call *c, const layout *l, const tsr_fold *f)
{
    tsr_tensor *x = tsr_converted(c, c->in[0], c->op->out[0].type->elem);
    if (!x)
        return false;
    int64_t from[TSR_MAX_RANK], kept[TSR_MAX_RANK], to[TSR_MAX_RANK];
    tsr_byte_strides(x->dims, x->rank, f->size, from);
    tsr_byte_strides(l->kept, l->nkept, f->size, kept);
    for (size_t d = 0, k = 0; d < x->rank; d++)
        to[d] = l->gone[d] ? 0 : kept[k++];
    tsr_fold_loops loops;
    tsr_fold_init(&loops, f, x->dims, to, from, x->rank);
    tsr_fold_run(&loops, f, c->out[0]->data, x->data);
    tsr_tensor_unref(x);
    return true;
}

/* ---- Any body ---- */

/* An input as rows x width elements of the body's type: reduced dimensions first. */
static tsr_tensor *as_rows(tsr_call *c, const layout *l, uint32_t i)
{
    const tsr_tensor *x = c->in[i];
    int64_t dims[TSR_MAX_RANK], from[TSR_MAX_RANK], own[TSR_MAX_RANK], to[TSR_MAX_RANK];
    size_t size = tsr_elem_size(x), k = 0;
    bool ordered = true;
    tsr_byte_strides(x->dims, x->rank, size, own);
    for (int pass = 0; pass < 2; pass++)
        for (size_t d = 0; d < x->rank; d++)
            if (l->gone[d] == (pass == 0)) {
                ordered &= d == k;
                dims[k] = x->dims[d];
                from[k++] = own[d];
            }
    tsr_type *elem = c->op->out[i].type->elem;
    if (ordered)
        return tsr_converted(c, c->in[i], elem);
    tsr_tensor *t = tsr_tensor_new(x->elem, dims, x->rank);
    if (!t) {
        tsr_fail_memory(c, "a reordered input");
        return NULL;
    }
    tsr_byte_strides(dims, x->rank, size, to);
    tsr_move_once(t->data, to, x->data, from, dims, x->rank, size);
    tsr_tensor *r = tsr_converted(c, t, elem);
    tsr_tensor_unref(t);
    return r;
}

typedef struct {
    tsr_body *body;
    uint32_t n;
    tsr_tensor **acc;  /* current rows */
    tsr_tensor **args; /* 2n: acc, then a row of the input */
    tsr_tensor **out;
} state;

/* A row of n elements made of runs that are stride elements apart. */
static tsr_tensor *row_of(const char *from, tsr_type *elem, int64_t runs, int64_t run,
                          int64_t stride)
{
    int64_t n = runs * run, size = (int64_t)tsr_dtype_bytes(tsr_dtype_of(elem));
    tsr_tensor *t = tsr_tensor_new(elem, &n, 1);
    if (t) {
        int64_t dims[2] = {runs, run}, to[2] = {run * size, size}, step[2] = {stride * size, size};
        tsr_move_once(t->data, to, from, step, dims, 2, (size_t)size);
    }
    return t;
}

/* acc = body(acc, rows of src[i] at from[i]). */
static bool step(state *s, const char *const *from, tsr_tensor *const *src, int64_t runs,
                 int64_t run, int64_t stride)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->n; i++) {
        s->args[i] = s->acc[i];
        s->args[s->n + i] = row_of(from[i], src[i]->elem, runs, run, stride);
        ok = s->args[s->n + i] || tsr_fail_memory(s->body->c, "a row");
    }
    ok = ok && tsr_body_run(s->body, s->args, 2 * s->n, runs * run, s->out, s->n);
    tsr_tensors_drop(s->args + s->n, s->n);
    if (!ok) {
        tsr_tensors_drop(s->out, s->n);
        return false;
    }
    tsr_tensors_drop(s->acc, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        s->acc[i] = s->out[i];
        s->out[i] = NULL;
        if (s->acc[i]->dtype != src[i]->dtype)
            ok = tsr_fail(s->body->c, "has a body that gives another element type");
    }
    return ok;
}

/* Folds rows one after the other into the results, which hold the values so far. */
static bool fold_rows(state *s, tsr_tensor *const *src, int64_t rows, int64_t width,
                      const char **from)
{
    tsr_call *c = s->body->c;
    bool ok = true;
    for (int64_t at = 0, k; ok && at < width; at += k) {
        k = width - at < ROW ? width - at : ROW;
        for (uint32_t i = 0; ok && i < s->n; i++) {
            size_t size = tsr_elem_size(src[i]);
            s->acc[i] = row_of((char *)c->out[i]->data + (size_t)at * size, src[i]->elem, 1, k, 0);
            ok = s->acc[i] || tsr_fail_memory(c, "a row");
        }
        for (int64_t r = 0; ok && r < rows; r++) {
            for (uint32_t i = 0; i < s->n; i++)
                from[i] = (char *)src[i]->data + (size_t)(r * width + at) * tsr_elem_size(src[i]);
            ok = step(s, from, src, 1, k, 0);
        }
        for (uint32_t i = 0; ok && i < s->n; i++)
            memcpy((char *)c->out[i]->data + (size_t)at * tsr_elem_size(src[i]), s->acc[i]->data,
                   (size_t)k * tsr_elem_size(src[i]));
        tsr_tensors_drop(s->acc, s->n);
    }
    return ok;
}

/* Reduces pieces of PIECE rows to one row each, followed by the remaining rows: replaces src. */
static bool shrink(state *s, tsr_tensor **src, int64_t *rows, int64_t width, const char **from)
{
    tsr_call *c = s->body->c;
    int64_t pieces = *rows / PIECE, rest = *rows % PIECE, left = pieces + rest,
            most = ROW / width ? ROW / width : 1;
    int64_t dims[2] = {left, width};
    tsr_tensor **to = tsr_xmalloc(s->n * sizeof *to);
    bool ok = true;
    memset(to, 0, s->n * sizeof *to);
    for (uint32_t i = 0; ok && i < s->n; i++) {
        to[i] = tsr_tensor_new(src[i]->elem, dims, 2);
        ok = to[i] || tsr_fail_memory(c, "rows");
    }
    for (int64_t at = 0, k; ok && at < pieces; at += k) {
        k = pieces - at < most ? pieces - at : most;
        for (int64_t r = 0; ok && r < PIECE; r++) {
            for (uint32_t i = 0; i < s->n; i++)
                from[i] = (char *)src[i]->data +
                          (size_t)((at * PIECE + r) * width) * tsr_elem_size(src[i]);
            for (uint32_t i = 0; ok && r == 0 && i < s->n; i++) {
                s->acc[i] = row_of(from[i], src[i]->elem, k, width, PIECE * width);
                ok = s->acc[i] || tsr_fail_memory(c, "a row");
            }
            if (ok && r > 0)
                ok = step(s, from, src, k, width, PIECE * width);
        }
        for (uint32_t i = 0; ok && i < s->n; i++)
            memcpy((char *)to[i]->data + (size_t)(at * width) * tsr_elem_size(src[i]),
                   s->acc[i]->data, (size_t)(k * width) * tsr_elem_size(src[i]));
        tsr_tensors_drop(s->acc, s->n);
    }
    for (uint32_t i = 0; ok && i < s->n; i++) {
        size_t size = tsr_elem_size(src[i]) * (size_t)width;
        memcpy((char *)to[i]->data + (size_t)pieces * size,
               (char *)src[i]->data + (size_t)(pieces * PIECE) * size, (size_t)rest * size);
        tsr_tensor_unref(src[i]);
        src[i] = to[i];
        to[i] = NULL;
    }
    tsr_tensors_drop(to, s->n);
    tsr_free(to);
    *rows = left;
    return ok;
}

static bool reduce_body(tsr_body *body, const layout *l, uint32_t n)
{
    tsr_call *c = body->c;
    tsr_tensor **all = tsr_xmalloc(5 * n * sizeof *all), **src = all + 4 * n;
    const char **from = tsr_xmalloc(n * sizeof *from);
    memset(all, 0, 5 * n * sizeof *all);
    state s = {.body = body, .n = n, .acc = all, .args = all + n, .out = all + 3 * n};
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        src[i] = as_rows(c, l, i);
        ok = src[i] != NULL;
    }
    int64_t rows = l->rows;
    while (ok && body->liftable && l->width < SHORT && rows >= 2 * PIECE)
        ok = shrink(&s, src, &rows, l->width, from);
    ok = ok && fold_rows(&s, src, rows, l->width, from);
    tsr_tensors_drop(s.acc, n);
    tsr_tensors_drop(src, n);
    tsr_free(all);
    tsr_free(from);
    return ok;
}

bool eval_reduce(tsr_call *c)
{
    uint32_t n = c->op->nout;
    layout l;
    tsr_body body;
    tsr_fold f;
    if (!n || c->op->nin != 2 * n)
        return tsr_fail(c, "has not one init value for each input");
    TSR_TRY(find_layout(c, &l));
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    TSR_TRY(start_results(c, &l, n));
    if (!c->in[0]->n)
        return true;
    if (n == 1 && tsr_fold_find(&f, body.reducer, c->op->out[0].type->elem))
        return reduce_fold(c, &l, &f);
    return reduce_body(&body, &l, n);
}
