/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - scatter: combines windows of updates with the places that index vectors select.
 *
 * Elements that fall outside are skipped individually, so a window is cut to the box that is inside. A body that
 * returns the update is a strided copy, a simple reducer a fold, any other one runs in rounds
 * (eval/kernel/rounds.h). */
#include <stdlib.h>

#include "eval/body.h"
#include "eval/math/fold.h"
#include "eval/kernel/places.h"
#include "eval/kernel/rounds.h"
#include "eval/kernel/kernels.h"

/* The part of the window at a position that is inside; false if there is none. */
typedef struct {
    int64_t dims[TSR_MAX_RANK];
    int64_t part, whole; /* byte offsets of its first element */
    bool cut;            /* smaller than the window */
} box;

static bool find_box(const tsr_places *p, const tsr_tensor *whole, const tsr_place *at, box *b)
{
    int64_t start[TSR_MAX_RANK] = {0};
    for (size_t i = 0; i < p->nmap; i++)
        start[p->map[i]] = tsr_get_index(p->index, at->index + (int64_t)i * p->vector_stride);
    b->part = at->part;
    b->whole = at->whole;
    b->cut = false;
    for (size_t i = 0; i < p->nmissing; i++) {
        size_t d = (size_t)p->missing_dims[i];
        if (start[d] < 0 || start[d] >= whole->dims[d])
            return false;
        b->whole += start[d] * p->strides[d];
    }
    for (size_t i = 0; i < p->nwindow; i++) {
        size_t d = p->window_of[i];
        int64_t n = p->window[i], s = start[d], size = whole->dims[d];
        int64_t first = s < 0 ? (s <= -n ? n : -s) : 0, end = s >= size      ? 0
                                                              : s > size - n ? size - s
                                                                             : n;
        if (end <= first)
            return false;
        b->dims[i] = end - first;
        b->cut |= end - first != n;
        b->part += first * p->part_stride[i];
        b->whole += (s + first) * p->whole_stride[i];
    }
    return true;
}

static void scatter_moves(const tsr_places *p, tsr_tensor *out, const tsr_tensor *updates)
{
    tsr_move full;
    size_t size = tsr_elem_size(out);
    tsr_move_init(&full, p->window, p->whole_stride, p->part_stride, p->nwindow, size);
    tsr_place at = {.index = 0};
    box b;
    do {
        if (!find_box(p, out, &at, &b))
            continue;
        char *to = (char *)out->data + b.whole;
        const char *from = (const char *)updates->data + b.part;
        if (b.cut)
            tsr_move_once(to, p->whole_stride, from, p->part_stride, b.dims, p->nwindow, size);
        else
            tsr_move_run(&full, to, from);
    } while (tsr_place_next(p, &at));
}

static void scatter_folds(const tsr_places *p, const tsr_fold *f, tsr_tensor *out,
                          const tsr_tensor *updates)
{
    tsr_fold_loops full, cut;
    tsr_fold_init(&full, f, p->window, p->whole_stride, p->part_stride, p->nwindow);
    tsr_place at = {.index = 0};
    box b;
    do {
        if (!find_box(p, out, &at, &b))
            continue;
        if (b.cut)
            tsr_fold_init(&cut, f, b.dims, p->whole_stride, p->part_stride, p->nwindow);
        tsr_fold_run(b.cut ? &cut : &full, f, (char *)out->data + b.whole,
                     (const char *)updates->data + b.part);
    } while (tsr_place_next(p, &at));
}

/* ---- Any body ---- */

/* All updates that are inside, in order. Strides assume one byte per element. */
static int64_t list_pairs(const tsr_places *p, const tsr_tensor *whole, tsr_pair *out)
{
    tsr_place at = {.index = 0};
    box b;
    int64_t n = 0;
    do {
        if (!find_box(p, whole, &at, &b))
            continue;
        int64_t index[TSR_MAX_RANK] = {0}, to = b.whole, from = b.part;
        bool more;
        do {
            out[n++] = (tsr_pair){to, from};
            more = false;
            for (size_t d = p->nwindow; d-- > 0;) {
                to += p->whole_stride[d];
                from += p->part_stride[d];
                more = ++index[d] < b.dims[d];
                if (more)
                    break;
                to -= p->whole_stride[d] * b.dims[d];
                from -= p->part_stride[d] * b.dims[d];
                index[d] = 0;
            }
        } while (more);
    } while (tsr_place_next(p, &at));
    return n;
}

static bool scatter_body(tsr_body *body, tsr_places *p, tsr_tensor *const *updates, uint32_t nin)
{
    tsr_places_loops(p, updates[0]->dims, updates[0]->rank, body->c->out[0]->dims, 1);
    tsr_pair *pairs = tsr_malloc(((size_t)updates[0]->n + 1) * sizeof *pairs);
    if (!pairs)
        return tsr_fail_memory(body->c, "a list of updates");
    int64_t n = list_pairs(p, body->c->out[0], pairs);
    bool ok = tsr_rounds_run(body, pairs, n, updates, nin);
    tsr_free(pairs);
    return ok;
}

/* ---- The op ---- */

/* Whether the body only returns the updates. */
static bool returns_updates(const tsr_block *b, uint32_t n)
{
    const tsr_op *ret = b->first;
    if (!ret || ret->next || ret->nin != n || b->nargs != 2 * n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (ret->in[i].value != b->args[n + i])
            return false;
    return true;
}

/* Initializes the results with the inputs, in the results' element types; updates are converted to these too. */
static bool start_results(tsr_call *c, uint32_t n, tsr_tensor **updates)
{
    for (uint32_t i = 0; i < n; i++) {
        tsr_type *elem = c->op->out[i].type->elem;
        updates[i] = tsr_converted(c, c->in[n + 1 + i], elem);
        if (!updates[i])
            return false;
        if (tsr_dtype_of(elem) == tsr_call_dtype(c, i))
            c->out[i] = tsr_tensor_reuse(tsr_call_take(c, i));
        else
            c->out[i] = tsr_converted(c, c->in[i], elem);
        if (!c->out[i])
            return tsr_fail_memory(c, "its result");
    }
    return true;
}

static bool check_shapes(tsr_call *c, tsr_places *p, uint32_t n)
{
    const tsr_tensor *x = c->in[0], *u = c->in[n + 1];
    int64_t dims[TSR_MAX_RANK], window[TSR_MAX_RANK];
    size_t rank;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_tensor *xi = c->in[i], *ui = c->in[n + 1 + i];
        if (xi->rank != x->rank || memcmp(xi->dims, x->dims, x->rank * sizeof *x->dims) ||
            ui->rank != u->rank || memcmp(ui->dims, u->dims, u->rank * sizeof *u->dims))
            return tsr_fail(c, "has inputs or updates of different shapes");
    }
    memcpy(window, x->dims, x->rank * sizeof *window);
    TSR_TRY(tsr_places_part(p, c, window, dims, &rank));
    bool fits = rank == u->rank;
    for (size_t d = 0; fits && d < rank; d++) {
        bool is_window = false;
        for (size_t i = 0; i < p->nwindow; i++)
            is_window |= p->window_dims[i] == (int64_t)d;
        fits = is_window ? u->dims[d] <= dims[d] : u->dims[d] == dims[d];
    }
    return fits || tsr_fail(c, "has updates whose shape does not fit its indices");
}

bool eval_scatter(tsr_call *c)
{
    uint32_t n = c->op->nout;
    if (!n || c->op->nin != 2 * n + 1)
        return tsr_fail(c, "has not one update for each input");
    tsr_places p;
    tsr_body body;
    tsr_gather g;
    tsr_gather_of(c->op, &g);
    TSR_TRY(tsr_places_init(&p, c, &g, c->in[0], c->in[n]));
    TSR_TRY(check_shapes(c, &p, n));
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    tsr_tensor **updates = tsr_xmalloc(n * sizeof *updates);
    memset(updates, 0, n * sizeof *updates);
    bool ok = start_results(c, n, updates);
    if (ok && updates[0]->n && c->out[0]->n) {
        tsr_fold f;
        if (returns_updates(c->op->regions[0].first, n)) {
            for (uint32_t i = 0; i < n; i++) {
                tsr_places_loops(&p, updates[i]->dims, updates[i]->rank, c->out[i]->dims,
                                 tsr_elem_size(c->out[i]));
                scatter_moves(&p, c->out[i], updates[i]);
            }
        } else if (n == 1 && tsr_fold_find(&f, body.reducer, c->op->out[0].type->elem)) {
            tsr_places_loops(&p, updates[0]->dims, updates[0]->rank, c->out[0]->dims, f.size);
            scatter_folds(&p, &f, c->out[0], updates[0]);
        } else {
            ok = scatter_body(&body, &p, updates, n);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        tsr_tensor_unref(updates[i]);
    tsr_free(updates);
    return ok;
}
