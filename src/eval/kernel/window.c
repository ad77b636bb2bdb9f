/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - reduce_window and select_and_scatter.
 *
 * Both iterate over the offsets inside a window and process, for one offset, all windows at once: the elements at that
 * offset are a strided box of the input. A simple reducer folds the box into the results; any other body runs on it as
 * a row. Windows that grow from one end over a whole dimension, as in cumulative sums, are computed as scans instead:
 * linear, not quadratic. */
#include <stdlib.h>

#include "base/round.h"
#include "base/scope.h"
#include "dialect/params.h"
#include "eval/body.h"
#include "eval/math/fold.h"
#include "eval/kernel/rounds.h"
#include "eval/kernel/kernels.h"

/* ---- Windows ---- */

#define MOST ((int64_t)1 << 40) /* limit of any number in an attribute */

typedef struct {
    size_t rank;
    int64_t size[TSR_MAX_RANK], stride[TSR_MAX_RANK], base[TSR_MAX_RANK], dilation[TSR_MAX_RANK];
    int64_t low[TSR_MAX_RANK], high[TSR_MAX_RANK];
    int64_t padded[TSR_MAX_RANK]; /* sizes of the dilated and padded input */
    int64_t out[TSR_MAX_RANK];    /* number of windows */
} windows;

/* A number of at least 1 for each dimension; all 1 if the attribute is absent. */
static bool read_list(tsr_call *c, tsr_ints a, int64_t *out, size_t rank)
{
    for (size_t d = 0; d < rank; d++)
        out[d] = 1;
    if (!a.attr)
        return true;
    if (tsr_ints_copy(a, out, TSR_MAX_RANK) != rank)
        return tsr_fail(c, "has not one window size, stride or dilation for each dimension");
    for (size_t d = 0; d < rank; d++)
        if (out[d] < 1 || out[d] > MOST)
            return tsr_fail(c, "has a window size, stride or dilation of %lld", (long long)out[d]);
    return true;
}

static bool read_padding(tsr_call *c, const tsr_window *p, windows *w)
{
    if (p->low.attr && p->low.n != w->rank)
        return tsr_fail(c, "has not two paddings for each dimension");
    for (size_t d = 0; d < w->rank; d++) {
        w->low[d] = tsr_window_low(p, d);
        w->high[d] = tsr_window_high(p, d);
        if (w->low[d] < -MOST || w->low[d] > MOST || w->high[d] < -MOST || w->high[d] > MOST)
            return tsr_fail(c, "has a padding of %lld and %lld", (long long)w->low[d],
                            (long long)w->high[d]);
    }
    return true;
}

/* Sizes computed from the input's. */
static bool size_windows(tsr_call *c, windows *w, const int64_t *dims)
{
    for (size_t d = 0; d < w->rank; d++) {
        if ((dims[d] && w->base[d] > (MOST << 6) / dims[d]) ||
            w->dilation[d] > (MOST << 6) / w->size[d])
            return tsr_fail(c, "dilates dimension %zu beyond all bounds", d);
        int64_t n = (dims[d] ? (dims[d] - 1) * w->base[d] + 1 : 0) + w->low[d] + w->high[d];
        int64_t reach = (w->size[d] - 1) * w->dilation[d] + 1;
        w->padded[d] = n < 0 ? 0 : n; /* padding may cut off more than there is: no window fits */
        w->out[d] = reach > n ? 0 : (n - reach) / w->stride[d] + 1;
    }
    return true;
}

/* Windows over an input that is already padded and dilated. */
static windows of_padded(const windows *w)
{
    windows p = *w;
    for (size_t d = 0; d < w->rank; d++) {
        p.low[d] = p.high[d] = 0;
        p.base[d] = 1;
    }
    return p;
}

/* For one offset in the windows: the windows in which it hits an element of the input. By dimension, window first + k *
 * every sees element from + k * step, for n values of k. */
typedef struct {
    int64_t first[TSR_MAX_RANK], every[TSR_MAX_RANK], from[TSR_MAX_RANK], step[TSR_MAX_RANK],
        n[TSR_MAX_RANK];
} box;

/* False if there is none. */
static bool find_box(const windows *w, const int64_t *dims, const int64_t *at, box *b)
{
    for (size_t d = 0; d < w->rank; d++) {
        int64_t base = w->base[d], stride = w->stride[d], p = at[d] * w->dilation[d] - w->low[d];
        int64_t every = base / tsr_gcd(base, stride), o = p < 0 ? (-p + stride - 1) / stride : 0,
                end = o + every;
        while (o < end && o < w->out[d] && (o * stride + p) % base)
            o++;
        if (o >= end || o >= w->out[d])
            return false;
        int64_t from = (o * stride + p) / base, step = every * stride / base;
        if (from >= dims[d])
            return false;
        int64_t by_out = (w->out[d] - 1 - o) / every + 1, by_in = (dims[d] - 1 - from) / step + 1;
        b->first[d] = o;
        b->every[d] = every;
        b->from[d] = from;
        b->step[d] = step;
        b->n[d] = by_out < by_in ? by_out : by_in;
    }
    return true;
}

/* The start of a box, and its strides, in bytes for elements of this size. */
static int64_t box_strides(const windows *w, const box *b, const int64_t *dims, bool of_input,
                           size_t size, int64_t *out)
{
    int64_t own[TSR_MAX_RANK], first = 0;
    tsr_byte_strides(dims, w->rank, size, own);
    for (size_t d = 0; d < w->rank; d++) {
        first += (of_input ? b->from[d] : b->first[d]) * own[d];
        out[d] = b->n[d] > 1 ? (of_input ? b->step[d] : b->every[d]) * own[d] : 0;
    }
    return first;
}

/* The input with its holes and edges filled: a new tensor, or a new reference if there are none; NULL after a
 * failure. */
static tsr_tensor *pad_input(tsr_call *c, const windows *w, tsr_tensor *x, const tsr_tensor *init)
{
    bool same = true;
    for (size_t d = 0; d < w->rank; d++)
        same &= !w->low[d] && !w->high[d] && w->base[d] == 1;
    if (same)
        return tsr_tensor_ref(x);
    tsr_tensor *t = tsr_tensor_new(x->elem, w->padded, w->rank);
    if (t)
        tsr_pad_into(t, x, init->data, w->low, w->base);
    else
        tsr_fail_memory(c, "a padded input");
    return t;
}

/* ---- Scans ---- */

/* The only dimension with a window, which grows from one end; -1: not of this form. */
static int find_scan(const windows *w, const int64_t *dims, bool *reverse)
{
    int axis = -1;
    for (size_t d = 0; d < w->rank; d++) {
        int64_t n = dims[d];
        if (w->stride[d] != 1 || w->base[d] != 1 || (w->size[d] > 1 && w->dilation[d] != 1))
            return -1;
        if (w->size[d] == 1 && !w->low[d] && !w->high[d])
            continue;
        bool up = w->low[d] == n - 1 && w->high[d] == 0,
             down = w->low[d] == 0 && w->high[d] == n - 1;
        if (axis >= 0 || w->size[d] != n || (!up && !down))
            return -1;
        axis = (int)d;
        *reverse = down;
    }
    return axis;
}

/* A tensor as outer x n x inner around an axis. */
typedef struct {
    int64_t outer, n, inner;
    bool reverse;
} scan;

static scan scan_of(const tsr_tensor *x, int axis, bool reverse)
{
    scan s = {.outer = 1, .n = x->dims[axis], .inner = 1, .reverse = reverse};
    for (int d = 0; d < axis; d++)
        s.outer *= x->dims[d];
    for (int d = axis + 1; d < x->rank; d++)
        s.inner *= x->dims[d];
    return s;
}

static void scan_fold(const tsr_fold *f, const scan *s, tsr_tensor *out, const tsr_tensor *x)
{
    int64_t size = (int64_t)f->size, row = s->inner * size;
    for (int64_t o = 0; o < s->outer; o++)
        for (int64_t i = 0; i < s->n; i++) {
            tsr_tick();
            int64_t at = (o * s->n + (s->reverse ? s->n - 1 - i : i)) * row;
            char *to = (char *)out->data + at;
            if (i)
                memcpy(to, to + (s->reverse ? row : -row), (size_t)row);
            f->line(f, to, size, (const char *)x->data + at, size, s->inner);
        }
}

/* ---- Any body ---- */

typedef struct {
    tsr_call *c;
    tsr_body *body;
    uint32_t n;
    tsr_tensor **x;    /* inputs in the results' types */
    tsr_tensor **init; /* and init values */
    tsr_tensor **args; /* 2n rows for the body */
    tsr_tensor **out;  /* n rows that it gave */
} state;

/* Runs the body on s->args, which it frees; s->out has the rows on success. */
static bool run_body(state *s, int64_t n)
{
    bool ok = tsr_body_run(s->body, s->args, 2 * s->n, n, s->out, s->n);
    for (uint32_t i = 0; ok && i < s->n; i++)
        if (s->out[i]->dtype != s->x[i]->dtype)
            ok = tsr_fail(s->c, "has a body that gives another element type");
    tsr_tensors_drop(s->args, 2 * s->n);
    if (!ok)
        tsr_tensors_drop(s->out, s->n);
    return ok;
}

/* A row of the elements of a strided box. */
static tsr_tensor *row_of(tsr_call *c, const tsr_tensor *x, const char *from,
                          const int64_t *strides, const int64_t *dims, size_t rank)
{
    int64_t n = 1, to[TSR_MAX_RANK];
    for (size_t d = 0; d < rank; d++)
        n *= dims[d];
    tsr_tensor *t = tsr_tensor_new(x->elem, &n, 1);
    if (!t) {
        tsr_fail_memory(c, "a row");
        return NULL;
    }
    tsr_byte_strides(dims, rank, tsr_elem_size(x), to);
    tsr_move_once(t->data, to, from, strides, dims, rank, tsr_elem_size(x));
    return t;
}

/* Whether the body maps two init values to the init value: then a scan may skip the padding. */
static bool keeps_init(state *s, bool *keeps)
{
    int64_t one = 1;
    *keeps = true;
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        s->args[i] = tsr_tensor_new(s->x[i % s->n]->elem, &one, 1);
        if (!s->args[i]) {
            tsr_tensors_drop(s->args, i);
            return tsr_fail_memory(s->c, "a row");
        }
        tsr_copy_element(s->args[i], 0, s->init[i % s->n], 0);
    }
    TSR_TRY(run_body(s, 1));
    for (uint32_t i = 0; i < s->n; i++)
        *keeps &= !memcmp(s->out[i]->data, s->init[i]->data, tsr_elem_size(s->out[i]));
    tsr_tensors_drop(s->out, s->n);
    return true;
}

static bool scan_body(state *s, const scan *sc)
{
    bool ok = true;
    int64_t dims[2] = {sc->outer, sc->inner};
    for (int64_t k = 0; ok && k < sc->n; k++) {
        int64_t at = sc->reverse ? sc->n - 1 - k : k, before = sc->reverse ? at + 1 : at - 1;
        for (uint32_t i = 0; ok && i < s->n; i++) {
            int64_t size = (int64_t)tsr_elem_size(s->x[i]),
                    strides[2] = {sc->n * sc->inner * size, size};
            const tsr_tensor *r = s->c->out[i];
            /* The first one is combined with the init value, which the results still hold. */
            const char *acc = (char *)r->data + (k ? before : at) * sc->inner * size;
            const char *now = (char *)s->x[i]->data + at * sc->inner * size;
            s->args[i] = row_of(s->c, r, sc->reverse ? now : acc, strides, dims, 2);
            s->args[s->n + i] = row_of(s->c, r, sc->reverse ? acc : now, strides, dims, 2);
            ok = s->args[i] && s->args[s->n + i];
        }
        if (!ok)
            tsr_tensors_drop(s->args, 2 * s->n);
        ok = ok && run_body(s, sc->outer * sc->inner);
        for (uint32_t i = 0; ok && i < s->n; i++) {
            int64_t size = (int64_t)tsr_elem_size(s->x[i]);
            int64_t strides[2] = {sc->n * sc->inner * size, size},
                    row[2] = {sc->inner * size, size};
            tsr_move_once((char *)s->c->out[i]->data + at * sc->inner * size, strides,
                          s->out[i]->data, row, dims, 2, (size_t)size);
        }
        tsr_tensors_drop(s->out, s->n);
    }
    return ok;
}

/* All windows at once, one offset after the other. */
static bool windows_body(state *s, const windows *w)
{
    bool ok = true;
    tsr_call *c = s->c;
    windows p = of_padded(w);
    for (uint32_t i = 0; ok && i < s->n; i++) {
        tsr_tensor *x = pad_input(c, w, s->x[i], s->init[i]);
        ok = x != NULL;
        if (ok) {
            tsr_tensor_unref(s->x[i]);
            s->x[i] = x;
        }
    }
    int64_t at[TSR_MAX_RANK] = {0}, strides[TSR_MAX_RANK];
    bool first = true;
    do {
        box b;
        if (!ok || !find_box(&p, w->padded, at, &b))
            break;
        for (uint32_t i = 0; ok && i < s->n; i++) {
            const tsr_tensor *x = s->x[i], *r = c->out[i];
            int64_t from = box_strides(&p, &b, x->dims, true, tsr_elem_size(x), strides);
            s->args[s->n + i] = row_of(c, r, (char *)x->data + from, strides, w->out, w->rank);
            s->args[i] = first ? tsr_tensor_new(r->elem, &r->n, 1) : s->out[i];
            s->out[i] = NULL;
            ok = s->args[s->n + i] && (s->args[i] || tsr_fail_memory(c, "a row"));
            if (ok && first)
                memcpy(s->args[i]->data, r->data, tsr_tensor_bytes(r));
        }
        first = false;
        if (ok)
            ok = run_body(s, c->out[0]->n);
        else
            tsr_tensors_drop(s->args, 2 * s->n);
    } while (tsr_next_index(at, w->size, w->rank));
    for (uint32_t i = 0; ok && !first && i < s->n; i++)
        memcpy(c->out[i]->data, s->out[i]->data, tsr_tensor_bytes(c->out[i]));
    tsr_tensors_drop(s->out, s->n);
    return ok;
}

/* ---- reduce_window ---- */

static bool windows_fold(tsr_call *c, const windows *w, const tsr_fold *f, tsr_tensor *input,
                         const tsr_tensor *init)
{
    /* Padding can be skipped if the init value is neutral; else it is combined like any other data. */
    bool neutral = tsr_fold_is_neutral(f, init->data);
    tsr_tensor *x = neutral ? tsr_tensor_ref(input) : pad_input(c, w, input, init), *r = c->out[0];
    if (!x)
        return false;
    windows p = neutral ? *w : of_padded(w);
    int64_t at[TSR_MAX_RANK] = {0}, to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    do {
        box b;
        if (!find_box(&p, x->dims, at, &b))
            continue;
        char *first_to = (char *)r->data + box_strides(&p, &b, w->out, false, f->size, to);
        const char *first_from =
            (char *)x->data + box_strides(&p, &b, x->dims, true, f->size, from);
        /* Strides of loops with one iteration do not matter; elsewhere 0 would mean that they reduce. */
        tsr_fold_loops loops;
        tsr_fold_init(&loops, f, b.n, to, from, w->rank);
        tsr_fold_run(&loops, f, first_to, first_from);
    } while (tsr_next_index(at, w->size, w->rank));
    tsr_tensor_unref(x);
    return true;
}

static bool reduce_windows(state *s, const windows *w)
{
    tsr_call *c = s->c;
    tsr_fold f;
    bool reverse = false, keeps = false;
    int axis = find_scan(w, s->x[0]->dims, &reverse);
    if (s->n == 1 && tsr_fold_find(&f, s->body->reducer, s->x[0]->elem)) {
        keeps = tsr_fold_is_neutral(&f, s->init[0]->data) || f.op == TSR_REDUCE_MIN ||
                f.op == TSR_REDUCE_MAX || f.op == TSR_REDUCE_AND || f.op == TSR_REDUCE_OR;
        if (axis < 0 || !keeps)
            return windows_fold(c, w, &f, s->x[0], s->init[0]);
        scan sc = scan_of(s->x[0], axis, reverse);
        scan_fold(&f, &sc, c->out[0], s->x[0]);
        return true;
    }
    if (axis >= 0)
        TSR_TRY(keeps_init(s, &keeps));
    if (!keeps)
        return windows_body(s, w);
    scan sc = scan_of(s->x[0], axis, reverse);
    return scan_body(s, &sc);
}

static bool read_windows(tsr_call *c, windows *w)
{
    tsr_window p;
    tsr_window_of(c->op, &p);
    w->rank = c->in[0]->rank;
    return read_list(c, p.sizes, w->size, w->rank) && read_list(c, p.strides, w->stride, w->rank) &&
           read_list(c, p.base_dilations, w->base, w->rank) &&
           read_list(c, p.window_dilations, w->dilation, w->rank) && read_padding(c, &p, w) &&
           size_windows(c, w, c->in[0]->dims);
}

bool eval_reduce_window(tsr_call *c)
{
    uint32_t n = c->op->nout;
    windows w;
    tsr_body body;
    if (!n || c->op->nin != 2 * n)
        return tsr_fail(c, "has not one init value for each input");
    TSR_TRY(read_windows(c, &w));
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    tsr_tensor **all = tsr_xmalloc(5 * n * sizeof *all);
    memset(all, 0, 5 * n * sizeof *all);
    state s = {.c = c,
               .body = &body,
               .n = n,
               .x = all,
               .init = all + n,
               .args = all + 2 * n,
               .out = all + 4 * n};
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        const tsr_tensor *x = c->in[i];
        tsr_type *elem = c->op->out[i].type->elem;
        if (x->rank != w.rank || memcmp(x->dims, c->in[0]->dims, w.rank * sizeof *x->dims) ||
            c->in[n + i]->n != 1) {
            ok = tsr_fail(c, "has inputs of different shapes, or init values that are no scalars");
            break;
        }
        s.x[i] = tsr_converted(c, c->in[i], elem);
        s.init[i] = tsr_converted(c, c->in[n + i], elem);
        tsr_tensor *t = tsr_call_new(c, i, w.out, w.rank);
        ok = s.x[i] && s.init[i] && t;
        if (ok)
            tsr_fill(t->data, s.init[i]->data, tsr_elem_size(t), t->n);
    }
    ok = ok && (!c->out[0]->n || reduce_windows(&s, &w));
    tsr_tensors_drop(s.x, n);
    tsr_tensors_drop(s.init, n);
    tsr_free(all);
    return ok;
}

/* ---- select_and_scatter ---- */

/* The current selection of each window: a value, and the index of that element in the operand (-1: none yet). */
typedef struct {
    tsr_tensor *value;
    int64_t *index;
} choice;

/* Replaces selections by elements of a box where the body did not keep its choice. */
static void take_chosen(const windows *w, const box *b, const tsr_tensor *x, const uint8_t *held,
                        choice *ch)
{
    int64_t at[TSR_MAX_RANK] = {0}, to[TSR_MAX_RANK], from[TSR_MAX_RANK], k = 0;
    int64_t first_to = box_strides(w, b, w->out, false, 1, to),
            first_from = box_strides(w, b, x->dims, true, 1, from);
    do {
        int64_t o = first_to, i = first_from;
        for (size_t d = 0; d < w->rank; d++) {
            o += at[d] * to[d];
            i += at[d] * from[d];
        }
        if (ch->index[o] < 0 || !held[k]) {
            ch->index[o] = i;
            tsr_copy_element(ch->value, o, x, i);
        }
        k++;
    } while (tsr_next_index(at, b->n, w->rank));
}

static bool choose(tsr_call *c, const windows *w, const tsr_tensor *x, choice *ch)
{
    tsr_body body;
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    size_t size = tsr_elem_size(x);
    int64_t at[TSR_MAX_RANK] = {0}, strides[TSR_MAX_RANK];
    bool ok = true;
    do {
        box b;
        if (!find_box(w, x->dims, at, &b))
            continue;
        tsr_tensor *rows[2], *held = NULL;
        int64_t first = box_strides(w, &b, w->out, false, size, strides);
        rows[0] = row_of(c, x, (char *)ch->value->data + first, strides, b.n, w->rank);
        first = box_strides(w, &b, x->dims, true, size, strides);
        rows[1] = row_of(c, x, (char *)x->data + first, strides, b.n, w->rank);
        ok = rows[0] && rows[1] && tsr_body_run(&body, rows, 2, rows[0]->n, &held, 1);
        if (ok && held->dtype != TSR_D_I1)
            ok = tsr_fail(c, "selects by something that is no truth value");
        if (ok)
            take_chosen(w, &b, x, held->data, ch);
        tsr_tensor_unref(held);
        tsr_tensor_unref(rows[0]);
        tsr_tensor_unref(rows[1]);
    } while (ok && tsr_next_index(at, w->size, w->rank));
    return ok;
}

static bool scatter_chosen(tsr_call *c, tsr_tensor *source, const int64_t *index)
{
    tsr_body body;
    tsr_fold f;
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[1]));
    if (tsr_fold_find(&f, body.reducer, source->elem)) {
        for (int64_t i = 0; i < source->n; i++)
            if (index[i] >= 0)
                f.line(&f, (char *)c->out[0]->data + (size_t)index[i] * f.size, 0,
                       (char *)source->data + (size_t)i * f.size, 0, 1);
        return true;
    }
    tsr_pair *pairs = tsr_malloc(((size_t)source->n + 1) * sizeof *pairs);
    if (!pairs)
        return tsr_fail_memory(c, "a list of updates");
    int64_t n = 0;
    for (int64_t i = 0; i < source->n; i++)
        if (index[i] >= 0)
            pairs[n++] = (tsr_pair){.to = index[i], .from = i};
    bool ok = tsr_rounds_run(&body, pairs, n, &source, 1);
    tsr_free(pairs);
    return ok;
}

/* Initializes the result with the init value; each element of source, in the result's type, goes where its window
 * selected. */
static bool scatter_result(tsr_call *c, const int64_t *index)
{
    tsr_tensor *t = tsr_call_new(c, 0, c->in[0]->dims, c->in[0]->rank);
    tsr_tensor *init = t ? tsr_converted(c, c->in[2], t->elem) : NULL;
    tsr_tensor *source = init ? tsr_converted(c, c->in[1], t->elem) : NULL;
    bool ok = source != NULL;
    if (ok) {
        tsr_fill(t->data, init->data, tsr_elem_size(t), t->n);
        ok = scatter_chosen(c, source, index);
    }
    tsr_tensor_unref(init);
    tsr_tensor_unref(source);
    return ok;
}

bool eval_select_and_scatter(tsr_call *c)
{
    windows w;
    const tsr_tensor *source = c->in[1];
    const tsr_block *select = c->op->regions[0].first;
    TSR_TRY(read_windows(c, &w));
    if (source->rank != w.rank || memcmp(source->dims, w.out, w.rank * sizeof *w.out) ||
        c->in[2]->n != 1)
        return tsr_fail(c, "has a source whose shape is not that of its windows");
    if (!select || !select->nargs || select->args[0]->type->kind != TSR_TYPE_TENSOR)
        return tsr_fail(c, "has a selection without arguments");
    tsr_tensor *x = tsr_converted(c, c->in[0], select->args[0]->type->elem);
    choice ch = {.value = x ? tsr_tensor_zeros(x->elem, w.out, w.rank) : NULL,
                 .index = tsr_malloc(((size_t)source->n + 1) * sizeof *ch.index)};
    bool ok = x && ((ch.value && ch.index) || tsr_fail_memory(c, "selected values"));
    for (int64_t i = 0; ok && i < source->n; i++)
        ch.index[i] = -1;
    ok = ok && (!source->n || choose(c, &w, x, &ch)) && scatter_result(c, ch.index);
    tsr_tensor_unref(x);
    tsr_tensor_unref(ch.value);
    tsr_free(ch.index);
    return ok;
}
