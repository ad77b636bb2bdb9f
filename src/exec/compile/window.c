/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - windowed reductions: EXEC hooks of reduce_window and of TTIR's pools.
 *
 * A small window is reduced in one step (pool.c), a larger one along one dimension after the other. A window that
 * covers a whole dimension is a reduction of it; one of all elements before each element, or after it, is a scan
 * (scan.c). */
#include <math.h>

#include "dialect/params.h"
#include "exec/compile/value.h"
#include "exec/target.h"

enum { MOST_AT_ONCE = 16 }; /* elements of a window that one step reduces */

typedef tsr_x_window window;

typedef struct {
    tsr_xbuilder *b;
    const tsr_op *op;
    tsr_fold_op fold;
    tsr_xid init; /* padding, and the initial value unless it is neutral */
    bool neutral;
} reduction;

/* Sets the sizes of the result; false: a number is too large, or the result is empty. */
static bool set_sizes(window *w, const int64_t *dims)
{
    const int64_t most = (int64_t)1 << 30;
    for (uint8_t i = 0; i < w->rank; i++) {
        if (dims[i] < 1 || dims[i] > most || w->size[i] < 1 || w->size[i] > most ||
            w->stride[i] < 1 || w->stride[i] > most || w->base[i] < 1 || w->base[i] > most ||
            w->dilation[i] < 1 || w->dilation[i] > most || w->low[i] < -most || w->low[i] > most ||
            w->high[i] < -most || w->high[i] > most)
            return false;
        int64_t room = w->low[i] + (dims[i] - 1) * w->base[i] + 1 + w->high[i] -
                       ((w->size[i] - 1) * w->dilation[i] + 1);
        if (room < 0)
            return false;
        w->out[i] = room / w->stride[i] + 1;
    }
    return true;
}

/* x with only the padding that cannot be skipped: zeros between its elements, or a value that affects results. */
static tsr_xid padded(const reduction *r, window *w, tsr_xid x)
{
    int64_t dims[TSR_VIEW_RANK], numbers[2 * TSR_VIEW_RANK] = {0};
    bool pads = false;
    memcpy(dims, tsr_xvalue_at(r->b, x)->dims, w->rank * sizeof *dims);
    for (uint8_t i = 0; i < w->rank; i++) {
        int64_t reach = (w->out[i] - 1) * w->stride[i] + (w->size[i] - 1) * w->dilation[i] + 1;
        if (w->base[i] == 1 && (r->neutral || (!w->low[i] && reach <= dims[i])))
            continue;
        pads = true;
        dims[i] = reach;
        numbers[i] = w->low[i];
        numbers[w->rank + i] = w->base[i] - 1;
        w->low[i] = 0;
    }
    tsr_xid in[2] = {x, r->init};
    return pads
               ? tsr_x_moved(r->b, r->op, TSR_MOVE_PAD, in, 2, numbers, 2u * w->rank, dims, w->rank)
               : x;
}

/* One step that reduces windows; d: along this dimension only, or -1. */
static tsr_xid reduced(const reduction *r, const window *w, tsr_xid x, int d)
{
    int64_t numbers[1 + 4 * TSR_VIEW_RANK] = {tsr_x_fold_tile(r->fold)}, out[TSR_VIEW_RANK];
    int64_t *at = numbers + 1;
    for (uint8_t i = 0; i < w->rank; i++, at++) {
        bool here = d < 0 || d == i;
        at[0] = here ? w->size[i] : 1;
        at[w->rank] = here ? w->stride[i] : 1;
        at[2 * w->rank] = here ? w->dilation[i] : 1;
        at[3 * w->rank] = here ? w->low[i] : 0;
        out[i] = here ? w->out[i] : tsr_xvalue_at(r->b, x)->dims[i];
    }
    tsr_xid in[2] = {x, r->init};
    return tsr_x_moved(r->b, r->op, TSR_MOVE_WINDOW, in, 2, numbers, 1 + 4u * w->rank, out,
                       w->rank);
}

/* Whether each window has one element along dimension i, at the result's own position. */
static bool is_untouched(const window *w, uint8_t i, int64_t dim)
{
    return w->size[i] == 1 && !w->low[i] && w->out[i] == dim && w->base[i] == 1 &&
           w->stride[i] == 1;
}

/* The dimension along which each window has all elements up to the result's position, or from it on; -1: none. */
static int scanned(const window *w, const int64_t *dims, bool *backwards)
{
    int found = -1;
    for (uint8_t i = 0; i < w->rank; i++) {
        bool plain = w->stride[i] == 1 && w->base[i] == 1;
        if (plain && w->size[i] == 1 && !w->low[i] && !w->high[i])
            continue;
        bool before = !w->high[i] && w->low[i] == w->size[i] - 1;
        bool behind = !w->low[i] && w->high[i] == w->size[i] - 1;
        if (found >= 0 || !plain || w->dilation[i] != 1 || w->size[i] < dims[i] ||
            (!before && !behind))
            return -1;
        found = i;
        *backwards = behind;
    }
    return found;
}

static tsr_xid scan(const reduction *r, tsr_xid x, int64_t dim, bool backwards)
{
    bool from_zero = r->fold == TSR_FOLD_SUM && tsr_dtype_is_float(tsr_xdtype_of(r->b, x)) &&
                     !tsr_x_is_negative_zero(tsr_xvalue_at(r->b, r->init));
    int64_t numbers[] = {dim, backwards, tsr_x_fold_tile(r->fold), from_zero};
    const tsr_xvalue *v = tsr_xvalue_at(r->b, x);
    return tsr_x_moved(r->b, r->op, TSR_MOVE_SCAN, &x, 1, numbers, 4, v->dims, v->rank);
}

static tsr_xid windowed(const reduction *r, window *w, tsr_xid x)
{
    const int64_t *dims = tsr_xvalue_at(r->b, x)->dims;
    tsr_dtype d = tsr_xdtype_of(r->b, x), wide = tsr_register_type(d);
    uint8_t tile = tsr_x_fold_tile(r->fold);
    bool gone[TSR_MAX_RANK] = {false}, backwards = false, whole = true;
    if (!tsr_target_joins(r->b->p->target, tile, d))
        return TSR_XNONE;
    int64_t most = 1;
    for (uint8_t i = 0; i < w->rank; i++) {
        bool whole_dim = w->size[i] == dims[i] && !w->low[i] && w->out[i] == 1 && w->base[i] == 1 &&
                         (w->dilation[i] == 1 || w->size[i] == 1);
        gone[i] = whole_dim && !is_untouched(w, i, dims[i]);
        whole &= whole_dim || is_untouched(w, i, dims[i]);
        most = most > MOST_AT_ONCE ? most : most * w->size[i];
    }
    bool free = !r->b->p->strict || wide == d; /* sums may be in any order */
    if (whole && free)
        return tsr_x_folded_from(r->b, r->op, r->init, x, gone, true, r->fold);
    int dim = r->neutral ? scanned(w, dims, &backwards) : -1;
    if (dim >= 0)
        return scan(r, x, dim, backwards);
    x = padded(r, w, x);
    if (x == TSR_XNONE || most <= MOST_AT_ONCE || !free || !r->neutral)
        return x == TSR_XNONE ? x : reduced(r, w, x, -1);
    for (uint8_t i = 0; i < w->rank && x != TSR_XNONE; i++)
        if (!is_untouched(w, i, tsr_xvalue_at(r->b, x)->dims[i]))
            x = reduced(r, w, x, i);
    return x;
}

/* False: there is no result, or a number is too large. */
static bool read_window(const tsr_xbuilder *b, const tsr_op *op, window *w)
{
    tsr_window given;
    const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, op, 0));
    *w = (window){.rank = (uint8_t)op->out[0].type->n};
    if (op->out[0].type->n > TSR_VIEW_RANK || x->n <= 0 || !tsr_window_of(op, &given))
        return false;
    for (uint8_t i = 0; i < w->rank; i++) {
        w->size[i] = tsr_ints_at(given.sizes, i);
        w->stride[i] = tsr_window_stride(&given, i);
        w->base[i] = tsr_window_base_dilation(&given, i);
        w->dilation[i] = tsr_window_dilation(&given, i);
        w->low[i] = tsr_window_low(&given, i);
        w->high[i] = tsr_window_high(&given, i);
    }
    return set_sizes(w, x->dims);
}

static bool by_body(tsr_xbuilder *b, tsr_op *op, const window *w)
{
    const int64_t *dims = tsr_xvalue_at(b, tsr_x_in(b, op, 0))->dims;
    bool backwards = false;
    int axis = scanned(w, dims, &backwards);
    /* A longer window has padding at every position. */
    if (axis >= 0 && w->size[axis] != dims[axis])
        axis = -1;
    return tsr_x_window_by_body(b, op, w, axis, backwards);
}

bool exec_reduce_window(tsr_xbuilder *b, tsr_op *op)
{
    reduction r = {.b = b, .op = op};
    window w;
    tsr_xid x = tsr_x_in(b, op, 0), made[2];
    if (!read_window(b, op, &w))
        return false;
    bool complex = tsr_dtype_is_complex(tsr_xdtype_of(b, x));
    if (op->nin != 2 || !tsr_x_body_fold(op, &r.fold) || (complex && r.fold != TSR_FOLD_SUM))
        return by_body(b, op, &w);
    tsr_xid init = tsr_x_in(b, op, 1);
    for (int i = 0; i < (complex ? 2 : 1); i++) {
        r.init = complex ? tsr_x_part(b, op, init, i) : init;
        tsr_xid part = complex ? tsr_x_part(b, op, x, i) : x;
        if (r.init == TSR_XNONE || part == TSR_XNONE)
            return false;
        r.neutral = tsr_x_is_neutral(b, tsr_xvalue_at(b, r.init), (uint8_t)r.fold);
        window own = w; /* padding that has been added is removed */
        made[i] = windowed(&r, &own, part);
    }
    return complex ? made[0] != TSR_XNONE && made[1] != TSR_XNONE &&
                         tsr_x_give_woven(b, op, made[0], made[1])
                   : tsr_x_give(b, op, 0, made[0]);
}

/* ---- TTIR ---- */

/* Images n x h x w x c. places: the number of positions in each window, to divide by; 0: windows differ. */
static bool read_pool(tsr_xbuilder *b, tsr_op *op, window *w, tsr_xid *x, double *places)
{
    tsr_pooling d;
    if (!tsr_pooling_of(op, &d) || d.window.sizes.n != 2 || d.window.low.n != 2 ||
        d.window.high.n != 2)
        return false;
    const tsr_xvalue *v = tsr_xvalue_at(b, *x);
    if (v->rank != 4 || !tsr_dtype_is_float((tsr_dtype)v->dtype))
        return false;
    int64_t dims[] = {d.flat.batch, d.flat.height, d.flat.width, v->dims[3]};
    if (d.flat.given && v->n != dims[0] * dims[1] * dims[2] * dims[3])
        return false;
    *x = tsr_x_as(b, op, d.flat.given ? tsr_x_reshaped(b, op, *x, dims, 4) : *x,
                  tsr_x_working((tsr_dtype)v->dtype));
    if (*x == TSR_XNONE)
        return false;
    *w = (window){.rank = 4};
    *places = 1;
    for (uint8_t i = 0; i < 4; i++)
        w->size[i] = w->stride[i] = w->base[i] = w->dilation[i] = 1;
    for (uint8_t i = 0; i < 2; i++) {
        w->size[i + 1] = tsr_ints_at(d.window.sizes, i);
        w->stride[i + 1] = tsr_window_stride(&d.window, i);
        w->dilation[i + 1] = tsr_window_dilation(&d.window, i);
        w->low[i + 1] = tsr_window_low(&d.window, i);
        w->high[i + 1] = tsr_window_high(&d.window, i);
        if (!d.counts_pad && (w->low[i + 1] || w->high[i + 1]))
            *places = 0;
        *places *= (double)w->size[i + 1];
    }
    if (!set_sizes(w, tsr_xvalue_at(b, *x)->dims))
        return false;
    for (uint8_t i = 1; i < 3 && d.ceil; i++) {
        int64_t size = tsr_xvalue_at(b, *x)->dims[i] + w->low[i];
        int64_t room = size + w->high[i] - ((w->size[i] - 1) * w->dilation[i] + 1);
        int64_t n = (room + w->stride[i] - 1) / w->stride[i] + 1;
        n -= (n - 1) * w->stride[i] >= size;
        *places = n == w->out[i] ? *places : 0;
        w->out[i] = n;
    }
    return true;
}

bool exec_ttir_max_pool2d(tsr_xbuilder *b, tsr_op *op)
{
    window w;
    double places;
    tsr_xid x = tsr_x_in(b, op, 0);
    if (!read_pool(b, op, &w, &x, &places))
        return false;
    reduction r = {.b = b, .op = op, .fold = TSR_FOLD_MAX, .neutral = true};
    r.init = tsr_x_number(b, op, tsr_xdtype_of(b, x), -INFINITY);
    return tsr_x_give(b, op, 0, windowed(&r, &w, x));
}

bool exec_ttir_avg_pool2d(tsr_xbuilder *b, tsr_op *op)
{
    window w;
    double places;
    tsr_xid x = tsr_x_in(b, op, 0);
    if (!read_pool(b, op, &w, &x, &places) || places == 0)
        return false;
    reduction r = {.b = b, .op = op, .fold = TSR_FOLD_SUM, .neutral = true};
    r.init = tsr_x_number(b, op, tsr_xdtype_of(b, x), 0);
    return tsr_x_give(b, op, 0, tsr_x_with(b, op, TSR_TILE_divide, windowed(&r, &w, x), places));
}
