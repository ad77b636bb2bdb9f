/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - reduce_window and select_and_scatter on shards: each device gets the stretch that its windows cover, which
 * is its own part and a halo. Cumulative windows pass one number from part to part instead. */
#include "shard/core/make.h"
#include "shard/spmd/stretch.h"

typedef struct {
    int64_t size, stride, base, dilation, low, high;
} window;

static window window_at(const tsr_op *op, uint32_t d)
{
    tsr_window w;
    tsr_window_of(op, &w);
    return (window){tsr_ints_or(w.sizes, d, 1),      tsr_window_stride(&w, d),
                    tsr_window_base_dilation(&w, d), tsr_window_dilation(&w, d),
                    tsr_window_low(&w, d),           tsr_window_high(&w, d)};
}

static bool is_element(const window *w)
{
    return w->size == 1 && w->stride == 1 && w->base == 1 && w->low == 0 && w->high == 0;
}

/* ---- Cumulative windows ---- */

/* The single dimension along which each result combines all elements up to it (back: from it on); -1: not of this
 * kind. */
static int64_t cumulative_dim(const tsr_spmd_op *o, bool *back)
{
    const tsr_type *in = tsr_spmd_global(o, 0);
    int64_t found = -1;
    for (uint32_t d = 0; d < in->n; d++) {
        window w = window_at(o->op, d);
        if (is_element(&w))
            continue;
        int64_t n = in->dims[d];
        bool all = w.size == n && w.stride == 1 && w.base == 1 && w.dilation == 1 &&
                   w.low + w.high == n - 1 && (!w.low || !w.high);
        if (!all || found >= 0)
            return -1;
        *back = w.low == 0;
        found = d;
    }
    return found;
}

/* v reduced along dim, which is removed. */
static tsr_value *reduced(tsr_spmd *s, tsr_value *v, tsr_value *init, uint32_t dim,
                          enum tsr_opcode join)
{
    int64_t along = dim, *dims = TSR_NEW_ARRAY(s->r.arena, int64_t, v->type->n);
    for (uint32_t d = 0, k = 0; d < v->type->n; d++)
        if (d != dim)
            dims[k++] = v->type->dims[d];
    tsr_value *in[] = {v, init};
    tsr_type *type = tsr_static_type(s->ctx, dims, v->type->n - 1, tsr_elem(v));
    tsr_type *scalar = tsr_scalar_type(tsr_elem(v)), *args[] = {scalar, scalar};
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(s->ctx, &along, 1);
    tsr_build b = tsr_build_in(&s->b, &op->regions[0], args, 2);
    tsr_value *joined = tsr_build_op(&b, join, b.block->args, 2, scalar);
    tsr_build_return(&b, &joined, 1);
    tsr_build_free(&b);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* Accumulates each part by itself; then adds the total of each part to those after it. */
static bool cumulate(tsr_spmd_op *o, uint32_t dim, bool back, enum tsr_opcode join,
                     tsr_value *identity)
{
    tsr_spmd *s = o->s;
    const tsr_type *global = tsr_spmd_global(o, 0);
    const tsr_sharding *a = tsr_spmd_by_axes(o, 0);
    const tsr_axes *axes = a->dims[dim].axes;
    tsr_value *in[] = {
        tsr_spmd_mask(s, tsr_spmd_in(o, 0, a), global, a, (uint64_t)1 << dim, identity), identity};
    uint32_t rank = global->n;
    int64_t chunk = in[0]->type->dims[dim];
    int64_t *sizes = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *padding = TSR_NEW_ARRAY(s->r.arena, int64_t, 2 * rank);
    for (uint32_t d = 0; d < rank; d++)
        sizes[d] = d == dim ? chunk : 1;
    padding[2 * dim + back] = chunk - 1;
    tsr_op *scan = tsr_spmd_same(o, in, &in[0]->type);
    scan->attrs[STABLEHLO_REDUCE_WINDOW_window_dimensions] =
        tsr_attr_i64_array(s->ctx, sizes, rank);
    scan->attrs[STABLEHLO_REDUCE_WINDOW_padding] = tsr_spmd_pairs(s, padding, rank);
    tsr_value *v = &scan->out[0];
    tsr_value *last = tsr_build_slice(&s->b, v, dim, back ? 0 : chunk - 1, back ? 1 : chunk);
    tsr_value *all = tsr_spmd_all_gather(s, last, dim, o->mesh, axes);
    tsr_value *at = tsr_spmd_positions(s, all, dim, tsr_spmd_i64(s, 0));
    tsr_value *here = tsr_build_broadcast(&s->b, tsr_spmd_index(s, o->mesh, axes), NULL, at->type);
    tsr_value *before = tsr_build_compare(&s->b,
                                          back         ? "GT"
                                          : TSR_BUG(8) ? "LE"
                                                       : "LT",
                                          "SIGNED", at, here);
    all = tsr_spmd_select(s, before, all, tsr_build_broadcast(&s->b, identity, NULL, all->type));
    tsr_value *carry = reduced(s, all, identity, dim, join);
    int64_t *dims = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t d = 0, k = 0; d < rank; d++)
        if (d != dim)
            dims[k++] = d;
    carry = tsr_build_broadcast(&s->b, carry, dims, v->type);
    tsr_spmd_out(o, 0,
                 back ? tsr_spmd_binary(s, join, v, carry) : tsr_spmd_binary(s, join, carry, v), a);
    return true;
}

/* A cumulative window along a sharded dimension, whose initial value is the identity. */
static bool try_cumulate(tsr_spmd_op *o, bool *done)
{
    bool back = false;
    int64_t dim = o->op->nout == 1 ? cumulative_dim(o, &back) : -1;
    int join = tsr_spmd_joiner(&o->op->regions[0]);
    *done = false;
    if (dim < 0 || join < 0 || tsr_spmd_by_axes(o, 0)->dims[dim].axes->size <= 1 ||
        tsr_spmd_global(o, 0)->elem != tsr_spmd_global(o, 2)->elem)
        return true;
    tsr_value *init = tsr_spmd_in(o, 1, tsr_spmd_replicated(o->s, 0));
    tsr_value *identity = tsr_spmd_identity_like(o->s, (enum tsr_opcode)join, init);
    if (!identity || !tsr_same_constant(identity, init))
        return true;
    *done = true;
    return cumulate(o, (uint32_t)dim, back, (enum tsr_opcode)join, identity);
}

/* ---- Windows ---- */

/* Whether the n initial values have the element types of the n inputs. */
static bool same_elements(const tsr_spmd_op *o, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (tsr_spmd_global(o, i)->elem != tsr_spmd_global(o, n + i)->elem)
            return false;
    return true;
}

bool spmd_reduce_window(tsr_spmd_op *o)
{
    tsr_op *op = o->op;
    uint32_t n = op->nout;
    bool done = false;
    if (!tsr_spmd_usual(o) || !tsr_spmd_any_axes(o) || op->nin != 2 * n)
        return tsr_spmd_whole(o);
    if (!same_elements(o, n))
        return tsr_spmd_whole(o);
    TSR_TRY(try_cumulate(o, &done));
    if (done)
        return true;
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0), *out = op->out[0].type;
    const tsr_sharding *to = tsr_spmd_by_axes(o, op->nin);
    uint32_t rank = in->n;
    tsr_value **v = TSR_NEW_ARRAY(s->r.arena, tsr_value *, op->nin);
    tsr_type **types = TSR_NEW_ARRAY(s->r.arena, tsr_type *, n);
    int64_t *padding = TSR_NEW_ARRAY(s->r.arena, int64_t, 2 * rank),
            *base = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t i = 0; i < n; i++) {
        v[i] = tsr_spmd_in(o, i, tsr_spmd_by_axes(o, i));
        v[n + i] = tsr_spmd_in(o, n + i, tsr_spmd_replicated(s, 0));
        types[i] = tsr_spmd_type(s, op->out[i].type, to);
    }
    for (uint32_t d = 0; d < rank; d++) {
        window w = window_at(op, d);
        const tsr_axes *axes = to->dims[d].axes;
        padding[2 * d] = w.low;
        padding[2 * d + 1] = w.high;
        base[d] = w.base;
        if (axes->size <= 1 || is_element(&w))
            continue;
        int64_t chunk = tsr_spmd_chunk(out->dims[d], axes),
                len = (chunk - 1) * w.stride + (w.size - 1) * w.dilation + 1;
        tsr_spmd_dim part = {d, in->dims[d], o->mesh, axes, false};
        for (uint32_t i = 0; i < n; i++)
            v[i] = tsr_spmd_dilated_stretch(s, v[i], &part,
                                            tsr_spmd_steps(s, axes, -w.low, chunk * w.stride), len,
                                            w.base, v[n + i]);
        padding[2 * d] = padding[2 * d + 1] = 0;
        base[d] = 1;
    }
    tsr_op *made = tsr_spmd_same(o, v, types);
    made->attrs[STABLEHLO_REDUCE_WINDOW_padding] = tsr_spmd_pairs(s, padding, rank);
    made->attrs[STABLEHLO_REDUCE_WINDOW_base_dilations] = tsr_attr_i64_array(s->ctx, base, rank);
    for (uint32_t i = 0; i < n; i++)
        tsr_spmd_out(o, i, &made->out[i], to);
    return true;
}

/* ---- Select and scatter ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* One sharded dimension: all windows that reach into this device's part, and the range that they cover. Windows that do
 * not exist scatter the identity. */
typedef struct {
    int64_t *first, *covered; /* the first window; its start */
    int64_t *skip;            /* offset of this device's part from that start */
    int64_t windows, len;
} reach;

static reach reach_of(tsr_spmd *s, const window *w, int64_t size, const tsr_axes *axes)
{
    int64_t n = axes->size, chunk = tsr_spmd_chunk(size, axes);
    reach r = {TSR_NEW_ARRAY(s->r.arena, int64_t, n), TSR_NEW_ARRAY(s->r.arena, int64_t, n),
               TSR_NEW_ARRAY(s->r.arena, int64_t, n), 1, 0};
    for (int64_t i = 0; i < n; i++) {
        /* The first window that ends at or after the part's start, or one before it if there are gaps between
         * windows. */
        r.first[i] = floor_div(i * chunk - w->size + w->stride, w->stride);
        if (r.first[i] * w->stride > i * chunk)
            r.first[i]--;
        int64_t last = floor_div((i + 1) * chunk - 1, w->stride);
        r.windows = last - r.first[i] + 1 > r.windows ? last - r.first[i] + 1 : r.windows;
    }
    r.len = (r.windows - 1) * w->stride + w->size;
    for (int64_t i = 0; i < n; i++) {
        r.covered[i] = r.first[i] * w->stride;
        r.skip[i] = i * chunk - r.covered[i];
    }
    return r;
}

/* Padding is never selected: no element could represent it. joins: overlaps can be combined. */
static void settle_selection(tsr_spmd_op *o, bool joins)
{
    for (uint32_t d = 0; d < tsr_spmd_global(o, 0)->n; d++) {
        window w = window_at(o->op, d);
        for (uint32_t t = 0; t < 4; t += t == 1 ? 2 : 1) {
            uint32_t f = tsr_spmd_factor(o, t, d);
            if (f != UINT32_MAX && !is_element(&w) && (t == 1 || w.low || w.high || !joins))
                tsr_spmd_forget(o, f);
        }
    }
}

bool spmd_select_and_scatter(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    int join = tsr_spmd_joiner(&op->regions[1]);
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    const tsr_type *in = tsr_spmd_global(o, 0), *windows = tsr_spmd_global(o, 1);
    tsr_value *identity = join < 0 || tsr_spmd_global(o, 3)->elem != windows->elem
                              ? NULL
                              : tsr_spmd_nothing(s, (enum tsr_opcode)join, windows->elem);
    uint32_t rank = in->n;
    settle_selection(o, identity != NULL);
    if (!tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 3);
    tsr_value *v[] = {tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0)),
                      tsr_spmd_in(o, 1, tsr_spmd_by_axes(o, 1)),
                      tsr_spmd_in(o, 2, tsr_spmd_replicated(s, 0))};
    reach *reaches = TSR_NEW_ARRAY(s->r.arena, reach, rank);
    for (uint32_t d = 0; d < rank; d++) {
        window w = window_at(op, d);
        const tsr_axes *axes = to->dims[d].axes;
        if (axes->size <= 1 || is_element(&w))
            continue;
        reach *r = &reaches[d];
        *r = reach_of(s, &w, in->dims[d], axes);
        tsr_spmd_dim part = {d, in->dims[d], o->mesh, axes, false},
                     whole = {d, windows->dims[d], o->mesh, axes, true};
        v[0] = tsr_spmd_stretch(s, v[0], &part, r->covered, r->len, NULL);
        v[1] = tsr_spmd_stretch(s, v[1], &whole, r->first, r->windows, identity);
    }
    tsr_type *type = tsr_type_tensor(s->ctx, v[0]->type->dims, rank, op->out[0].type->elem, NULL);
    tsr_value *out = &tsr_spmd_same(o, v, &type)->out[0];
    for (uint32_t d = 0; d < rank; d++) {
        reach *r = &reaches[d];
        if (!r->windows)
            continue;
        const tsr_axes *axes = to->dims[d].axes;
        tsr_spmd_dim whole = {d, r->len, o->mesh, axes, true};
        out = tsr_spmd_stretch(s, out, &whole, r->skip, tsr_spmd_chunk(in->dims[d], axes), v[2]);
    }
    tsr_spmd_out(o, 0, out, to);
    return true;
}
