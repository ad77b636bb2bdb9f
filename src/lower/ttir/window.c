/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - lowers stablehlo.reduce_window to TTIR: cumulative sums and products, and 2-d pools; and
 * stablehlo.select_and_scatter: a pool that returns the positions of its maxima, and a scatter to these positions. */
#include <math.h>

#include "lower/ttir/ttir.h"

typedef struct {
    size_t rank;
    int64_t size[TSR_TTIR_RANK], stride[TSR_TTIR_RANK], apart[TSR_TTIR_RANK],
        pad[2 * TSR_TTIR_RANK];
} window;

/* False: dilation or negative padding cannot be expressed. */
static bool window_of(const tsr_op *op, window *w)
{
    tsr_window p;
    tsr_window_of(op, &p);
    w->rank = op->in[0].value->type->n;
    for (size_t i = 0; i < w->rank; i++) {
        w->size[i] = tsr_ints_or(p.sizes, i, 1);
        w->stride[i] = tsr_window_stride(&p, i);
        w->apart[i] = tsr_window_dilation(&p, i);
        w->pad[2 * i] = tsr_window_low(&p, i);
        w->pad[2 * i + 1] = tsr_window_high(&p, i);
        if (tsr_window_base_dilation(&p, i) != 1 || w->pad[2 * i] < 0 || w->pad[2 * i + 1] < 0)
            return false;
    }
    return true;
}

/* Whether dimension i is unaffected. */
static bool idle(const window *w, size_t i)
{
    return w->size[i] == 1 && w->stride[i] == 1 && !w->pad[2 * i] && !w->pad[2 * i + 1];
}

/* ---- Cumulative sums and products ---- */

/* The dimension along which the window contains all preceding elements; -1: none. */
static int64_t running(const window *w, const tsr_type *x)
{
    int64_t along = -1;
    for (size_t i = 0; i < w->rank; i++) {
        if (idle(w, i))
            continue;
        bool all = w->size[i] == x->dims[i] && w->stride[i] == 1 && w->apart[i] == 1 &&
                   w->pad[2 * i] == x->dims[i] - 1 && !w->pad[2 * i + 1];
        if (!all || along >= 0)
            return -1;
        along = (int64_t)i;
    }
    for (size_t i = 0; along < 0 && i < w->rank; i++)
        if (x->dims[i] == 1)
            return (int64_t)i;
    return along;
}

static tsr_value *cumulative(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, int64_t dim)
{
    tsr_op *op = tsr_ttir_open(b, opcode, &x, 1, 1);
    op->attrs[TTIR_CUMSUM_dim] = tsr_attr_i64(b->ctx, dim); /* ttir.cumprod has the same slot */
    return tsr_ttir_close(b, op, x->type);
}

/* ---- Pools ---- */

typedef struct {
    enum tsr_opcode opcode;
    int64_t kernel[2], stride[2], apart[2], pad[4]; /* pad: top, left, bottom, right */
} pool;

/* The slots of all pools have the same numbers. */
static void set_pool(tsr_build *b, tsr_op *op, const pool *p)
{
    op->attrs[TTIR_MAX_POOL2D_kernel] = tsr_ttir_i32_array(b->ctx, p->kernel, 2);
    op->attrs[TTIR_MAX_POOL2D_stride] = tsr_ttir_i32_array(b->ctx, p->stride, 2);
    op->attrs[TTIR_MAX_POOL2D_dilation] = tsr_ttir_i32_array(b->ctx, p->apart, 2);
    op->attrs[TTIR_MAX_POOL2D_padding] = tsr_ttir_i32_array(b->ctx, p->pad, 4);
    op->attrs[TTIR_MAX_POOL2D_ceil_mode] = tsr_attr_bool(b->ctx, false);
}

static tsr_value *pool2d(tsr_build *b, const pool *p, tsr_value *x, const int64_t *dims)
{
    tsr_op *op = tsr_ttir_open(b, p->opcode, &x, 1, 1);
    set_pool(b, op, p);
    return tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, dims, 4, x->type->elem, x->type->attr));
}

static pool pool_of(const window *w, enum tsr_opcode opcode, size_t h, size_t v)
{
    return (pool){opcode,
                  {w->size[h], w->size[v]},
                  {w->stride[h], w->stride[v]},
                  {w->apart[h], w->apart[v]},
                  {w->pad[2 * h], w->pad[2 * v], w->pad[2 * h + 1], w->pad[2 * v + 1]}};
}

static void inverse(const int64_t *permutation, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[permutation[i]] = (int64_t)i;
}

/* The two dimensions that the window moves along. If fewer are determined, channels-first order is assumed. False: more
 * than two. */
static bool spatial_dims(const window *w, size_t *h, size_t *v)
{
    size_t at[2] = {0}, n = 0;
    for (size_t i = 0; i < w->rank; i++)
        if (!idle(w, i) && n++ < 2)
            at[n - 1] = i;
    if (n > 2)
        return false;
    *h = w->rank == 4 ? 2 : w->rank - 2;
    *v = *h + 1;
    bool among = n < 2;
    for (size_t i = 0; i < n; i++)
        among &= at[i] == *h || at[i] == *v;
    if (!among) {
        *h = n == 2 ? at[0] : at[0] ? at[0] - 1 : 0;
        *v = *h + 1;
    }
    if (n == 2) {
        *h = at[0];
        *v = at[1];
    }
    return true;
}

/* x with height and width in the middle, pooled, and permuted back. */
static tsr_value *pool_plane(tsr_build *b, const window *w, enum tsr_opcode opcode, tsr_value *x,
                             tsr_type *to,
                             tsr_value *(*then)(tsr_build *, const pool *, tsr_value *))
{
    int64_t order[TSR_TTIR_RANK], back[TSR_TTIR_RANK], dims[4], made[TSR_TTIR_RANK];
    size_t h, v, n = w->rank;
    if (n < 2 || !spatial_dims(w, &h, &v))
        return NULL;
    pool p = pool_of(w, opcode, h, v);
    if (n == 2) {
        int64_t in[] = {1, x->type->dims[0], x->type->dims[1], 1},
                out[] = {1, to->dims[0], to->dims[1], 1};
        x = pool2d(b, &p, tsr_ttir_reshape(b, x, in, 4), out);
        return tsr_ttir_reshape(b, then ? then(b, &p, x) : x, to->dims, 2);
    }
    /* For rank four the first remaining dimension stays in front and the other one goes last; for any other rank all
     * become one batch. */
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (i != h && i != v && (n != 4 || !k))
            order[k++] = (int64_t)i;
    order[k++] = (int64_t)h;
    order[k++] = (int64_t)v;
    for (size_t i = n; k < n && i-- > 0;)
        if (i != h && i != v)
            order[k++] = (int64_t)i;
    inverse(order, n, back);
    x = tsr_ttir_permute(b, x, order);
    if (n == 4) {
        for (size_t i = 0; i < 4; i++)
            dims[i] = to->dims[order[i]];
        x = pool2d(b, &p, x, dims);
        return tsr_ttir_permute(b, then ? then(b, &p, x) : x, back);
    }
    dims[0] = dims[3] = 1;
    for (size_t i = 0; i + 2 < n; i++)
        dims[0] *= x->type->dims[i];
    dims[1] = x->type->dims[n - 2];
    dims[2] = x->type->dims[n - 1];
    x = tsr_ttir_reshape(b, x, dims, 4);
    for (size_t i = 0; i < n; i++)
        made[i] = to->dims[order[i]];
    dims[1] = made[n - 2];
    dims[2] = made[n - 1];
    x = pool2d(b, &p, x, dims);
    return tsr_ttir_permute(b, tsr_ttir_reshape(b, then ? then(b, &p, x) : x, made, n), back);
}

/* Three dimensions, for maxima: two of them, then the third. */
static tsr_value *pool_space(tsr_build *b, const window *w, tsr_value *x, tsr_type *to)
{
    int64_t s[3], o[2], order[5], back[5], dims[5];
    size_t ns = 0, no = 0;
    for (size_t i = 0; i < 5; i++)
        if (idle(w, i) && no < 2 && (5 - i > 3 - ns))
            o[no++] = (int64_t)i;
        else if (ns < 3)
            s[ns++] = (int64_t)i;
    for (size_t i = 0; i < no; i++)
        if (!idle(w, (size_t)o[i]))
            return NULL;
    if (ns != 3 || no != 2)
        return NULL;
    /* batch, depth, height, width, channels */
    int64_t layout[] = {o[0], s[0], s[1], s[2], o[1]};
    memcpy(order, layout, sizeof order);
    x = tsr_ttir_permute(b, x, order);
    const int64_t *d = x->type->dims;
    int64_t batch = d[0], depth = d[1], channels = d[4];
    int64_t planes[] = {batch * depth, d[2], d[3], channels};
    int64_t pooled[] = {batch * depth, to->dims[s[1]], to->dims[s[2]], channels};
    pool p = pool_of(w, TSR_OP_TTIR_MAX_POOL2D, (size_t)s[1], (size_t)s[2]);
    x = pool2d(b, &p, tsr_ttir_reshape(b, x, planes, 4), pooled);
    int64_t flat[] = {batch, depth, pooled[1] * pooled[2], channels};
    int64_t deep[] = {batch, to->dims[s[0]], pooled[1] * pooled[2], channels};
    pool q = {TSR_OP_TTIR_MAX_POOL2D,
              {w->size[s[0]], 1},
              {w->stride[s[0]], 1},
              {w->apart[s[0]], 1},
              {w->pad[2 * s[0]], 0, w->pad[2 * s[0] + 1], 0}};
    x = pool2d(b, &q, tsr_ttir_reshape(b, x, flat, 4), deep);
    /* channels before space, then back to where they were */
    int64_t forward[] = {0, 3, 1, 2}, inner[] = {o[0], o[1], s[0], s[1], s[2]};
    x = tsr_ttir_permute(b, x, forward);
    for (size_t i = 0; i < 5; i++)
        dims[i] = to->dims[inner[i]];
    inverse(inner, 5, back);
    return tsr_ttir_permute(b, tsr_ttir_reshape(b, x, dims, 5), back);
}

/* ---- Sums ---- */

/* Turns a mean of this many elements into their sum. */
static tsr_value *times_kernel(tsr_build *b, const pool *p, tsr_value *x)
{
    tsr_value *size = tsr_ttir_splat(b, x->type, (double)(p->kernel[0] * p->kernel[1]));
    return tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, x, size, NULL);
}

/* The only user of v, if it divides v by n, perhaps broadcast to its own shape; NULL: none. */
static tsr_op *division_by(const tsr_value *v, double n)
{
    if (!v->uses || v->uses->next)
        return NULL;
    tsr_op *op = v->uses->user;
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_DIVIDE) || op->in[0].value != v ||
        op->out[0].type != v->type)
        return NULL;
    const tsr_attr *by = tsr_ttir_constant_of(op->in[1].value, true);
    return by && (by->sub || tsr_type_num_elements(by->type) == 1) && tsr_ttir_number(by, 0) == n
               ? op
               : NULL;
}

/* ---- Padding before the window ---- */

/* x before it was padded along the dimensions of the window, and the amounts; else x. */
static tsr_value *unpadded(tsr_value *x, const window *w, int64_t *more, double *value)
{
    if (x->is_arg || !tsr_op_is(x->op, TSR_OP_TTIR_PAD))
        return x;
    tsr_pad by;
    tsr_pad_of(x->op, &by);
    *value = tsr_float_to_double(TSR_F32, (uint64_t)tsr_attr_of(x->op, TTIR_PAD_value)->i);
    for (size_t i = 0; i < 2 * w->rank; i++) {
        more[i] = tsr_ints_at(i % 2 ? by.high : by.low, i / 2);
        if (more[i] < 0 || (more[i] && idle(w, i / 2)))
            return x;
    }
    return x->op->in[0].value;
}

static void widen(window *w, const int64_t *more)
{
    for (size_t i = 0; i < 2 * w->rank; i++)
        w->pad[i] += more[i];
}

/* A pad with the window's own padding value can be merged into the window. */
static tsr_value *take_padding(tsr_value *x, window *w, tsr_value *init)
{
    const tsr_attr *start = tsr_ttir_constant_of(init, true);
    int64_t more[2 * TSR_TTIR_RANK];
    double value = 0;
    tsr_value *inner = unpadded(x, w, more, &value);
    if (inner == x || !start || tsr_ttir_number(start, 0) != value)
        return x;
    widen(w, more);
    return inner;
}

enum { INSIDE = 1, BORDER = 2, PLACES = 1 << 16 };

/* Whether the window at position o along dimension d covers elements of the padded operand, and of its padding. */
static int reaches(const window *w, size_t d, int64_t o, int64_t size, const int64_t *more)
{
    int64_t low = more[2 * d], high = more[2 * d + 1], at = o * w->stride[d] - w->pad[2 * d];
    int found = 0;
    for (int64_t k = 0; k < w->size[d]; k++, at += w->apart[d])
        if (at >= 0 && at < low + size + high)
            found |= at < low || at >= low + size ? INSIDE | BORDER : INSIDE;
    return found;
}

/* A maximum over an operand that was padded with another number than the lowest is the maximum of the pool of the
 * operand itself and a constant: that number where the window covers padding, and the lowest number elsewhere. NULL: it
 * was not padded, or the constant would be large. */
static tsr_value *border(tsr_build *b, window *w, tsr_value **x, const tsr_type *to)
{
    int64_t more[2 * TSR_TTIR_RANK], dims[TSR_TTIR_RANK], at[TSR_TTIR_RANK] = {0}, count = 1;
    double value = 0;
    tsr_value *inner = unpadded(*x, w, more, &value);
    tsr_type *elem = (*x)->type->elem;
    if (inner == *x || elem->kind != TSR_TYPE_FLOAT)
        return NULL;
    for (size_t d = 0; d < w->rank; d++) {
        dims[d] = idle(w, d) ? 1 : to->dims[d];
        if (dims[d] > PLACES || w->size[d] > PLACES || (count *= dims[d]) > PLACES)
            return NULL;
    }
    TSR_VEC(uint8_t) bytes = {0};
    for (int64_t i = 0; i < count; i++) {
        size_t outside = 0, touched = 0;
        for (size_t d = 0; d < w->rank; d++) {
            int found = idle(w, d) ? INSIDE : reaches(w, d, at[d], inner->type->dims[d], more);
            outside += !(found & INSIDE);
            touched += (found & BORDER) != 0;
        }
        uint64_t bits = tsr_float_from_double((tsr_float_kind)elem->sub,
                                              !outside && touched ? value : -INFINITY);
        for (uint32_t k = 0; k < elem->width / 8; k++)
            tsr_vec_push(&bytes, (uint8_t)(bits >> 8 * k));
        for (size_t d = w->rank; d-- > 0 && ++at[d] == dims[d];)
            at[d] = 0;
    }
    tsr_type *type = tsr_static_type(b->ctx, dims, w->rank, elem);
    tsr_value *c = tsr_ttir_constant(
        b, tsr_attr_dense(b->ctx, b->module, type, bytes.data, bytes.n, count == 1));
    tsr_vec_free(&bytes);
    widen(w, more);
    *x = inner;
    return c;
}

/* ---- The op ---- */

/* A sum is a mean times the size of the window; where it is divided by that anyway, the division goes. before: what stood before the op
 * when its lowering began. */
static tsr_value *sum_window(tsr_build *b, tsr_op *op, size_t i, window *w, tsr_value *x,
                             const tsr_op *before)
{
    double size = 1;
    for (size_t d = 0; d < w->rank; d++)
        size *= (double)w->size[d];
    tsr_op *mean = op->nout == 1 ? division_by(&op->out[i], size) : NULL;
    tsr_value *v =
        pool_plane(b, w, TSR_OP_TTIR_AVG_POOL2D, x, op->out[i].type, mean ? NULL : times_kernel);
    if (!mean)
        return v;
    if (!v || !tsr_ttir_fits(before, op))
        return NULL;
    tsr_value_replace(&mean->out[0], &op->out[i]); /* this op takes its place, and goes */
    tsr_op_erase(mean);
    return v;
}

static bool one_window(tsr_build *b, tsr_op *op, size_t i, window w, tsr_value **out)
{
    size_t k = op->nout;
    const tsr_op *before = op->prev;
    tsr_value *x = op->in[i].value, *init = op->in[k + i].value;
    tsr_type *to = op->out[i].type;
    tsr_reduce_kind body = tsr_ttir_joins(&op->regions[0], k, i);
    bool truth = tsr_type_is_integer(x->type->elem, 1);
    if (body == TSR_REDUCE_OTHER || init->type->elem != x->type->elem ||
        to->elem != x->type->elem || truth)
        return false;
    bool sum = body == TSR_REDUCE_SUM && tsr_ttir_starts(init, TSR_TTIR_ZERO);
    bool product = body == TSR_REDUCE_PRODUCT && tsr_ttir_starts(init, TSR_TTIR_ONE);
    bool most = body == TSR_REDUCE_MAX;
    int64_t along = k == 1 ? running(&w, x->type) : -1;
    if ((sum || product) && along >= 0) {
        out[i] = cumulative(b, sum ? TSR_OP_TTIR_CUMSUM : TSR_OP_TTIR_CUMPROD, x, along);
        return true;
    }
    tsr_value *least = NULL;
    if (most || sum)
        x = take_padding(x, &w, init);
    if (most)
        least = border(b, &w, &x, to);
    size_t busy = 0;
    for (size_t d = 0; d < w.rank; d++)
        busy += !idle(&w, d);
    if (most && w.rank == 5 && busy == 3) {
        out[i] = pool_space(b, &w, x, to);
    } else if (most) {
        out[i] = pool_plane(b, &w, TSR_OP_TTIR_MAX_POOL2D, x, to, NULL);
    } else if (sum && x->type->elem->kind == TSR_TYPE_FLOAT) {
        out[i] = sum_window(b, op, i, &w, x, before);
    }
    if (out[i] && least)
        out[i] = tsr_ttir_binary(b, TSR_OP_TTIR_MAXIMUM, out[i], least, NULL);
    /* The window starts from init, which is also its padding. */
    if (out[i] && most && !tsr_ttir_starts(init, TSR_TTIR_LOWEST))
        out[i] = tsr_ttir_binary(b, TSR_OP_TTIR_MAXIMUM, out[i],
                                 tsr_ttir_everywhere(b, init, out[i]->type), NULL);
    return out[i] && out[i]->type == to;
}

bool ttir_reduce_window(tsr_build *b, tsr_op *op, tsr_value **out)
{
    window w;
    size_t k = op->nout;
    if (!tsr_ttir_static(op) || !k || op->nin != 2 * k || !window_of(op, &w) ||
        tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    for (size_t i = 0; i < k; i++)
        if (!one_window(b, op, i, w, out))
            return false;
    return true;
}

/* ---- select_and_scatter ---- */

/* Whether the body keeps the first of two values unless the second is larger. */
static bool keeps_larger(const tsr_region *region)
{
    const tsr_block *body = region->first;
    const tsr_op *compare = body ? body->first : NULL;
    if (!compare || body->next || body->nargs != 2 ||
        !tsr_op_is(compare, TSR_OP_STABLEHLO_COMPARE) || !compare->next ||
        !tsr_op_is(compare->next, TSR_OP_STABLEHLO_RETURN) ||
        compare->next->in[0].value != &compare->out[0])
        return false;
    const tsr_attr *how = tsr_attr_of(compare, STABLEHLO_COMPARE_comparison_direction);
    return strcmp(how->def->cases[how->i], "GE") == 0 && compare->in[0].value == body->args[0] &&
           compare->in[1].value == body->args[1];
}

bool ttir_select_and_scatter(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value, *source = op->in[1].value, *init = op->in[2].value;
    window w = {.rank = x->type->n};
    size_t h, v;
    int64_t how, order[4], back[4];
    tsr_type *elem = x->type->elem;
    if (!tsr_ttir_static(op) || w.rank != 4 || !keeps_larger(&op->regions[0]) ||
        init->type->elem != elem || !tsr_ttir_joined_how(&op->regions[1], 1, 0, elem, &how))
        return false;
    if (!window_of(op, &w) || !spatial_dims(&w, &h, &v))
        return false;
    size_t k = 0;
    for (size_t i = 0; i < 4; i++) /* batch, height, width, channels */
        if (i != h && i != v) {
            order[k] = (int64_t)i;
            k = 3;
        }
    order[1] = (int64_t)h;
    order[2] = (int64_t)v;
    inverse(order, 4, back);
    const tsr_attr *known = tsr_ttir_constant_of(init, true);
    double start = known ? tsr_ttir_number(known, 0) : 0;
    bool full = known && elem->kind == TSR_TYPE_FLOAT && start == (double)(float)start;
    tsr_value *all =
        full ? tsr_ttir_full(b, x->type, start) : tsr_ttir_everywhere(b, init, x->type);
    x = tsr_ttir_permute(b, x, order);
    source = tsr_ttir_permute(b, source, order);
    all = tsr_ttir_permute(b, all, order);
    const int64_t *d = source->type->dims, *e = x->type->dims;
    int64_t from[] = {d[0], d[1] * d[2], 1, d[3]}, to[] = {e[0], e[1] * e[2], 1, e[3]};
    tsr_type *types[] = {source->type, tsr_static_type(b->ctx, d, 4, b->ctx->i32)};
    pool p = pool_of(&w, TSR_OP_TTIR_MAX_POOL2D_WITH_INDICES, h, v);
    tsr_op *made = tsr_ttir_open(b, p.opcode, &x, 1, 2);
    set_pool(b, made, &p);
    tsr_build_close_as(b, made, types);
    tsr_value *index = tsr_ttir_reshape(b, &made->out[1], from, 4);
    source = tsr_ttir_reshape(b, source, from, 4);
    all = tsr_ttir_scatter(b, tsr_ttir_reshape(b, all, to, 4), index, source, 1, how);
    out[0] = tsr_ttir_permute(b, tsr_ttir_reshape(b, all, e, 4), back);
    return out[0]->type == op->out[0].type;
}
