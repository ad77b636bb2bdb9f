/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - gather and scatter on shards. Along an indexed dimension that is sharded, indices become relative to the
 * start of this device's part. A gather masks elements that are elsewhere, and devices combine the elements they have;
 * a scatter skips updates out of bounds by itself. */
#include "shard/spmd/stretch.h"

/* ---- Indices ---- */

/* Broadcasts a number for each component of the index vectors to the shape of the indices. */
static tsr_value *spread(tsr_spmd *s, tsr_value *numbers, const tsr_value *indices,
                         int64_t vector_dim)
{
    tsr_type *type = tsr_static_type(s->ctx, indices->type->dims, indices->type->n, s->ctx->i64);
    if (vector_dim < indices->type->n)
        return tsr_build_broadcast(&s->b, numbers, &vector_dim, type);
    numbers = tsr_build_reshape(&s->b, numbers, tsr_scalar_type(s->ctx->i64));
    return tsr_build_broadcast(&s->b, numbers, NULL, type);
}

static tsr_value *constants(tsr_spmd *s, const int64_t *numbers, int64_t n)
{
    return tsr_build_ints(&s->b, numbers, (size_t)n);
}

/* The start of this device's part along each indexed dimension; 0 along whole dimensions: tensor<nxi64>. */
static tsr_value *part_starts(tsr_spmd_op *o, tsr_ints map, const tsr_sharding *a,
                              const tsr_type *type)
{
    tsr_spmd *s = o->s;
    int64_t n = map.n, one = 1;
    tsr_type *single = tsr_static_type(s->ctx, &one, 1, s->ctx->i64);
    tsr_value **in = TSR_NEW_ARRAY(s->r.arena, tsr_value *, n);
    for (int64_t i = 0; i < n; i++) {
        uint32_t d = (uint32_t)tsr_ints_at(map, (size_t)i);
        const tsr_axes *axes = a->dims[d].axes;
        in[i] = tsr_spmd_start(s, o->mesh, axes, tsr_spmd_chunk(type->dims[d], axes));
        in[i] = tsr_build_broadcast(&s->b, in[i], NULL, single);
    }
    if (n == 1)
        return in[0];
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_CONCATENATE, in, (size_t)n, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(s->ctx, 0);
    tsr_type *all = tsr_static_type(s->ctx, &n, 1, s->ctx->i64);
    return &tsr_build_close_as(&s->b, op, &all)->out[0];
}

/* Axes of all indexed dimensions that are sharded, except those that a slice covers completely. */
static const tsr_axes *indexed_axes(tsr_spmd_op *o, tsr_ints map, const tsr_sharding *a,
                                    const int64_t *sizes)
{
    tsr_axis_lists *lists = &o->s->r.table.lists;
    const tsr_axes *all = lists->none;
    for (uint32_t i = 0; i < map.n; i++) {
        int64_t d = tsr_ints_at(map, (size_t)i);
        if (a->dims[d].axes->n && (!sizes || sizes[d] != tsr_spmd_global(o, 0)->dims[d]))
            all = all->n ? tsr_axes_join(lists, all, a->dims[d].axes) : a->dims[d].axes;
    }
    return all;
}

/* Reduces with and along dim, which is removed. */
static tsr_value *all_of(tsr_spmd *s, tsr_value *v, int64_t dim)
{
    if (dim >= v->type->n)
        return v;
    int64_t *dims = TSR_NEW_ARRAY(s->r.arena, int64_t, v->type->n);
    for (uint32_t d = 0, k = 0; d < v->type->n; d++)
        if (d != dim)
            dims[k++] = v->type->dims[d];
    tsr_type *elem = tsr_elem(v), *scalar = tsr_scalar_type(elem), *args[] = {scalar, scalar};
    tsr_value *in[] = {v, tsr_build_int(&s->b, elem, 1)};
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(s->ctx, &dim, 1);
    tsr_build b = tsr_build_in(&s->b, &op->regions[0], args, 2);
    tsr_value *joined = tsr_build_op(&b, TSR_OP_STABLEHLO_AND, b.block->args, 2, scalar);
    tsr_build_return(&b, &joined, 1);
    tsr_build_free(&b);
    tsr_type *type = tsr_static_type(s->ctx, dims, v->type->n - 1, elem);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* ---- Gather ---- */

typedef struct {
    tsr_spmd_op *o;
    tsr_gather p;
    int64_t *sizes; /* of slices of the global operand */
} gather;

/* Drops axes that a gather cannot work with. */
static void settle_gather(const gather *g)
{
    tsr_spmd_op *o = g->o;
    const tsr_type *in = tsr_spmd_global(o, 0);
    for (uint32_t d = 0; d < in->n; d++) {
        uint32_t f = tsr_spmd_factor(o, 0, d);
        if (f == UINT32_MAX || tsr_ints_has(g->p.batch, d) || g->sizes[d] == in->dims[d])
            continue;
        if (g->sizes[d] != 1 || !tsr_ints_has(g->p.map, d) || !tsr_spmd_can_pick(in->elem))
            tsr_spmd_forget(o, f);
    }
    /* A dimension of one element that is dropped. */
    for (uint32_t d = 0; d < in->n; d++) {
        uint32_t f = tsr_spmd_factor(o, 0, d);
        if (f != UINT32_MAX && in->dims[d] == 1)
            tsr_spmd_forget(o, f);
    }
}

/* Indices relative to this part of the operand; *keep: which index vectors point into it. */
static tsr_value *move_indices(const gather *g, tsr_value *indices, const tsr_sharding *a,
                               tsr_value **keep)
{
    tsr_spmd *s = g->o->s;
    const tsr_type *in = tsr_spmd_global(g->o, 0);
    tsr_ints map = g->p.map;
    int64_t n = map.n, dim = g->p.vector;
    int64_t *most = TSR_NEW_ARRAY(s->r.arena, int64_t, n),
            *chunk = TSR_NEW_ARRAY(s->r.arena, int64_t, n);
    for (int64_t i = 0; i < n; i++) {
        int64_t d = tsr_ints_at(map, (size_t)i);
        most[i] = in->dims[d] - g->sizes[d];
        chunk[i] = most[i] ? tsr_spmd_chunk(in->dims[d], a->dims[d].axes) : INT64_MAX;
    }
    tsr_type *elem = tsr_elem(indices);
    if (elem->sub == TSR_UNSIGNED && elem->width == 64) /* the largest would become negative */
        indices = tsr_spmd_binary(s, TSR_OP_STABLEHLO_MINIMUM, indices,
                                  tsr_build_like_int(&s->b, indices, elem, INT64_MAX));
    if (elem != s->ctx->i64)
        indices = tsr_build_convert(&s->b, indices, s->ctx->i64);
    tsr_value *zero = tsr_build_like_int(&s->b, indices, s->ctx->i64, 0);
    tsr_value *in_range[] = {zero, indices, spread(s, constants(s, most, n), indices, dim)};
    if (!TSR_BUG(5))
        indices = tsr_build_op(&s->b, TSR_OP_STABLEHLO_CLAMP, in_range, 3, indices->type);
    indices = tsr_spmd_binary(s, TSR_OP_STABLEHLO_SUBTRACT, indices,
                              spread(s, part_starts(g->o, map, a, in), indices, dim));
    /* Dimensions that slices cover completely start at 0 wherever the part is. */
    bool some_whole = false;
    for (int64_t i = 0; i < n; i++)
        some_whole |= !most[i];
    if (some_whole) {
        int64_t *whole = TSR_NEW_ARRAY(s->r.arena, int64_t, n);
        for (int64_t i = 0; i < n; i++)
            whole[i] = most[i] ? INT64_MIN : 0;
        indices = tsr_spmd_binary(s, TSR_OP_STABLEHLO_MAXIMUM, indices,
                                  spread(s, constants(s, whole, n), indices, dim));
    }
    tsr_value *low = tsr_build_compare(&s->b, "GE", "SIGNED", indices, zero);
    tsr_value *high = tsr_build_compare(&s->b, "LT", "SIGNED", indices,
                                        spread(s, constants(s, chunk, n), indices, dim));
    *keep = all_of(s, tsr_spmd_binary(s, TSR_OP_STABLEHLO_AND, low, high), dim);
    return indices;
}

/* Broadcasts a flag per index vector to the shape of the result. */
static tsr_value *for_result(const gather *g, tsr_value *keep, const tsr_type *result)
{
    tsr_spmd *s = g->o->s;
    int64_t *dims = TSR_NEW_ARRAY(s->r.arena, int64_t, result->n);
    for (uint32_t d = 0, k = 0; d < result->n; d++)
        if (!tsr_ints_has(g->p.window, d))
            dims[k++] = d;
    tsr_type *type = tsr_static_type(s->ctx, result->dims, result->n, tsr_elem(keep));
    return tsr_build_broadcast(&s->b, keep, dims, type);
}

bool spmd_gather(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0);
    gather g = {.o = o};
    tsr_gather_of(o->op, &g.p);
    g.sizes = tsr_ints_array(s->r.arena, g.p.sizes, 0);
    settle_gather(&g);
    if (!tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    const tsr_sharding *from = tsr_spmd_by_axes(o, 0), *to = tsr_spmd_by_axes(o, 2);
    const tsr_axes *found = indexed_axes(o, g.p.map, from, g.sizes);
    tsr_value *v[] = {tsr_spmd_in(o, 0, from), tsr_spmd_in(o, 1, tsr_spmd_by_axes(o, 1))},
              *keep = NULL;
    int64_t *sizes = tsr_arena_copy(s->r.arena, g.sizes, in->n * sizeof *sizes);
    for (uint32_t d = 0; d < in->n; d++)
        if (g.sizes[d] == in->dims[d] && !tsr_ints_has(g.p.batch, d))
            sizes[d] = v[0]->type->dims[d];
    if (found->n)
        v[1] = move_indices(&g, v[1], from, &keep);
    tsr_type *type = tsr_spmd_type(s, o->op->out[0].type, to);
    tsr_op *made = tsr_spmd_same(o, v, &type);
    made->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_attr_i64_array(s->ctx, sizes, in->n);
    if (found->n)
        made->attrs[STABLEHLO_GATHER_indices_are_sorted] = tsr_attr_bool(s->ctx, false);
    tsr_value *out = &made->out[0];
    if (found->n)
        out = tsr_spmd_pick(s, out, for_result(&g, keep, type), o->mesh, found);
    tsr_spmd_out(o, 0, out, to);
    return true;
}

/* ---- Scatter ---- */

typedef struct {
    tsr_spmd_op *o;
    tsr_gather p;
    uint32_t n;      /* inputs */
    int64_t *window; /* size of the update window along each dimension of the input; -1: none */
} scatter;

static void find_windows(const scatter *g)
{
    const tsr_type *in = tsr_spmd_global(g->o, 0), *updates = tsr_spmd_global(g->o, g->n + 1);
    int64_t k = 0;
    for (uint32_t d = 0; d < in->n; d++) {
        g->window[d] = -1;
        if (tsr_gather_keeps(&g->p, d) && k < g->p.window.n)
            g->window[d] = updates->dims[tsr_ints_at(g->p.window, (size_t)k++)];
    }
}

/* Axes that the input may keep along an indexed dimension with a window that is inside one part or across two. */
static const tsr_axes *kept_axes(const scatter *g, uint32_t d)
{
    tsr_spmd_op *o = g->o;
    for (uint32_t i = 0; i < 2; i++) {
        const tsr_sharding *a = i ? o->in[0] : o->want[0];
        if (a->sharded && a->mesh == o->mesh && a->dims[d].axes->size > 1 &&
            tsr_spmd_unused(o, a->dims[d].axes) &&
            tsr_spmd_chunk(tsr_spmd_global(o, 0)->dims[d], a->dims[d].axes) >= g->window[d])
            return a->dims[d].axes;
    }
    return o->s->r.table.lists.none;
}

static void settle_scatter(const scatter *g, int join)
{
    tsr_spmd_op *o = g->o;
    const tsr_rule *r = o->rule;
    const tsr_type *in = tsr_spmd_global(o, 0);
    for (uint32_t d = 0; d < in->n; d++) {
        uint32_t f = tsr_spmd_factor(o, 0, d);
        bool indexed = tsr_ints_has(g->p.map, d), full = g->window[d] == in->dims[d];
        if (f == UINT32_MAX || tsr_ints_has(g->p.batch, d) || (full && !indexed))
            continue;
        /* the window is at 0, or its elements belong to other parts than their own */
        if (!indexed || full)
            tsr_spmd_forget(o, f);
        else if (g->window[d] >= 0)
            o->axes[f] = kept_axes(g, d);
    }
    /* Partial results of divided updates are combined, if updates in the padding can be skipped. */
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (r->kinds[f] == TSR_FACTOR_REDUCTION && (join < 0 || !g->p.map.n))
            tsr_spmd_forget(o, f);
}

/* Indices relative to this part of the input, out of bounds for padding. */
static tsr_value *scatter_indices(const scatter *g, const tsr_sharding *a, bool padded)
{
    tsr_spmd *s = g->o->s;
    const tsr_sharding *at = tsr_spmd_by_axes(g->o, g->n);
    tsr_ints map = g->p.map;
    tsr_value *v = tsr_spmd_in(g->o, g->n, at);
    bool moved = indexed_axes(g->o, map, a, NULL)->n != 0;
    if (!moved && !padded)
        return v;
    tsr_type *elem = tsr_elem(v);
    if (elem->sub == TSR_UNSIGNED && elem->width == 64)
        v = tsr_spmd_binary(s, TSR_OP_STABLEHLO_MINIMUM, v,
                            tsr_build_like_int(&s->b, v, elem, INT64_MAX));
    if (elem != s->ctx->i64)
        v = tsr_build_convert(&s->b, v, s->ctx->i64);
    if (moved) { /* limits: indices far outside stay outside */
        int64_t far = (int64_t)1 << 60;
        tsr_value *in[] = {tsr_build_like_int(&s->b, v, s->ctx->i64, -far), v,
                           tsr_build_like_int(&s->b, v, s->ctx->i64, far)};
        v = tsr_build_op(&s->b, TSR_OP_STABLEHLO_CLAMP, in, 3, v->type);
        v = tsr_spmd_binary(
            s, TSR_OP_STABLEHLO_SUBTRACT, v,
            spread(s, part_starts(g->o, map, a, tsr_spmd_global(g->o, 0)), v, g->p.vector));
    }
    return padded ? tsr_spmd_mask(s, v, tsr_spmd_global(g->o, g->n), at, UINT64_MAX,
                                  tsr_spmd_i64(s, -((int64_t)1 << 60)))
                  : v;
}

bool spmd_scatter(tsr_spmd_op *o)
{
    tsr_op *op = o->op;
    uint32_t n = op->nout;
    if (!tsr_spmd_usual(o) || op->nin != 2 * n + 1)
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    tsr_reduce_kind kind = tsr_scatter_reduction(op);
    int join = kind == TSR_REDUCE_OTHER ? -1 : (int)tsr_reduce_opcode(kind);
    for (uint32_t i = 0; i < n && join >= 0; i++)
        if (tsr_spmd_global(o, i)->elem != op->out[i].type->elem ||
            !tsr_spmd_identity(s, (enum tsr_opcode)join, op->out[i].type->elem))
            join = -1;
    scatter g = {.o = o, .n = n};
    tsr_gather_of(op, &g.p);
    g.window = TSR_NEW_ARRAY(s->r.arena, int64_t, tsr_spmd_global(o, 0)->n);
    find_windows(&g);
    settle_scatter(&g, join);
    if (!tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    const tsr_axes *partial = tsr_spmd_summed_axes(o);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 0);
    tsr_value **v = TSR_NEW_ARRAY(s->r.arena, tsr_value *, op->nin);
    tsr_type **types = TSR_NEW_ARRAY(s->r.arena, tsr_type *, n);
    v[n] = scatter_indices(&g, to, partial->n != 0);
    for (uint32_t i = 0; i < n; i++) {
        types[i] = tsr_spmd_type(s, op->out[i].type, to);
        v[n + 1 + i] = tsr_spmd_in(o, n + 1 + i, tsr_spmd_by_axes(o, n + 1 + i));
        v[i] = tsr_spmd_in(o, i, to);
        if (!partial->n || TSR_BUG(6))
            continue;
        /* The input must count once: on the first of the combined devices. */
        tsr_value *first = tsr_build_compare(
            &s->b, "EQ", "SIGNED", tsr_spmd_index(s, o->mesh, partial), tsr_spmd_i64(s, 0));
        tsr_value *none = tsr_spmd_nothing(s, (enum tsr_opcode)join, tsr_elem(v[i]));
        v[i] = tsr_spmd_select(s, first, v[i], tsr_build_broadcast(&s->b, none, NULL, v[i]->type));
    }
    tsr_op *made = tsr_spmd_same(o, v, types);
    if (v[n]->type->elem != tsr_spmd_global(o, n)->elem || partial->n)
        made->attrs[STABLEHLO_SCATTER_indices_are_sorted] = tsr_attr_bool(s->ctx, false);
    for (uint32_t i = 0; i < n; i++)
        if (partial->n)
            tsr_spmd_out_joined(o, i, &made->out[i], to, (enum tsr_opcode)join, partial);
        else
            tsr_spmd_out(o, i, &made->out[i], to);
    return true;
}
