/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - sort and top_k on shards. A sorted dimension must be whole: its axes move to another dimension for the
 * duration, so that devices do not repeat each other's work. A top_k selects in each part, then among the selected
 * elements of all parts. */
#include "shard/spmd/stretch.h"

/* Axes that a dimension has or should have, and that nothing else of the op needs. */
static const tsr_axes *free_axes(const tsr_spmd_op *o, uint32_t dim)
{
    for (uint32_t i = 0; i < o->op->nin + o->op->nout; i++) {
        const tsr_sharding *a = i < o->op->nin ? o->in[i] : o->want[i - o->op->nin];
        if (a->sharded && a->mesh == o->mesh && dim < a->rank && a->dims[dim].axes->size > 1 &&
            tsr_spmd_unused(o, a->dims[dim].axes))
            return a->dims[dim].axes;
    }
    return NULL;
}

/* ---- Sort ---- */

/* The dimension that can be divided further with the least padding; UINT32_MAX: none. */
static uint32_t other_dim(tsr_spmd_op *o, uint32_t sorted, int64_t parts)
{
    const tsr_type *type = tsr_spmd_global(o, 0);
    const tsr_sharding *now = tsr_spmd_by_axes(o, 0);
    uint32_t best = UINT32_MAX;
    int64_t most = 0;
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t chunk = tsr_spmd_chunk(type->dims[d], now->dims[d].axes);
        if (d == sorted || tsr_spmd_factor(o, 0, d) == UINT32_MAX || chunk < parts)
            continue;
        int64_t rank = chunk % parts == 0 ? INT64_MAX : chunk;
        if (rank > most) {
            most = rank;
            best = d;
        }
    }
    return best;
}

bool spmd_sort(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o) || !o->op->nin)
        return tsr_spmd_whole(o);
    const tsr_attr *a = tsr_attr_of(o->op, STABLEHLO_SORT_dimension);
    int64_t dim = a ? a->i : -1;
    uint32_t sorted = (uint32_t)(dim < 0 ? dim + tsr_spmd_global(o, 0)->n : dim);
    uint32_t f = tsr_spmd_factor(o, 0, sorted);
    if (f == UINT32_MAX)
        return tsr_spmd_whole(o);
    tsr_spmd_forget(o, f);
    const tsr_axes *axes = free_axes(o, sorted);
    uint32_t other = axes ? other_dim(o, sorted, axes->size) : UINT32_MAX;
    if (other != UINT32_MAX) {
        uint32_t to = tsr_spmd_factor(o, 0, other);
        o->axes[to] =
            o->axes[to]->n ? tsr_axes_join(&o->s->r.table.lists, o->axes[to], axes) : axes;
    }
    return tsr_spmd_any_axes(o) ? tsr_spmd_parts(o) : tsr_spmd_whole(o);
}

/* ---- Top k ---- */

/* A scalar that is lowest in the order of top_k. */
static tsr_value *lowest(tsr_spmd *s, tsr_type *elem)
{
    uint8_t bytes[8] = {0};
    uint64_t bits = elem->width == 64 ? UINT64_MAX : ((uint64_t)1 << elem->width) - 1;
    if (elem->kind == TSR_TYPE_INTEGER && elem->width <= 64)
        return tsr_spmd_identity(s, TSR_OP_STABLEHLO_MAXIMUM, elem);
    if (elem->kind != TSR_TYPE_FLOAT || elem->width % 8 || elem->width > 64)
        return NULL;
    /* The NaN with all bits set is below all others. */
    memcpy(bytes, &bits, sizeof bytes);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    tsr_type *type = tsr_scalar_type(elem);
    op->attrs[STABLEHLO_CONSTANT_value] =
        tsr_attr_dense(s->ctx, s->module, type, bytes, elem->width / 8, true);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

static tsr_op *top_k(tsr_spmd_op *o, tsr_value *v, int64_t k)
{
    tsr_spmd *s = o->s;
    uint32_t last = v->type->n - 1;
    int64_t *dims = tsr_arena_copy(s->r.arena, v->type->dims, v->type->n * sizeof *dims);
    dims[last] = k;
    tsr_type *types[] = {tsr_static_type(s->ctx, dims, last + 1, tsr_elem(v)),
                         tsr_static_type(s->ctx, dims, last + 1, o->op->out[1].type->elem)};
    tsr_op *op = tsr_spmd_same(o, &v, types);
    op->attrs[CHLO_TOP_K_k] = tsr_attr_i64(s->ctx, k);
    return op;
}

/* Looks up table at the positions in index along the last dimension, for each row. */
static tsr_value *look_up(tsr_spmd *s, tsr_value *table, tsr_value *index)
{
    uint32_t rank = table->type->n, last = rank - 1;
    int64_t *all = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *ones = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t d = 0; d < rank; d++) {
        all[d] = d;
        ones[d] = 1;
    }
    tsr_ints batch = tsr_ints_over(all, last), from = tsr_ints_over(all + last, 1);
    tsr_gather g = {
        .dropped = from, .batch = batch, .index_batch = batch, .map = from, .vector = rank};
    tsr_value *in[] = {table, index};
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_GATHER, in, 2, 1, 0);
    op->attrs[STABLEHLO_GATHER_dimension_numbers] = tsr_gather_attr(s->ctx, &g);
    op->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_attr_i64_array(s->ctx, ones, rank);
    op->attrs[STABLEHLO_GATHER_indices_are_sorted] = tsr_attr_bool(s->ctx, false);
    return &tsr_build_close_as(&s->b, op, &index->type)->out[0];
}

bool spmd_top_k(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0);
    int64_t k = tsr_attr_of(o->op, CHLO_TOP_K_k)->i;
    uint32_t last = in->n - 1, f = tsr_spmd_factor(o, 0, last);
    if (f != UINT32_MAX)
        tsr_spmd_forget(o, f);
    tsr_spmd_forget_moved(o);
    const tsr_sharding *a = o->in[0];
    const tsr_axes *axes =
        a->sharded && a->mesh == o->mesh ? a->dims[last].axes : s->r.table.lists.none;
    tsr_value *fill =
        axes->size > 1 && tsr_spmd_unused(o, axes) && k > 0 ? lowest(s, in->elem) : NULL;
    if (!fill)
        return tsr_spmd_any_axes(o) ? spmd_local(o) : tsr_spmd_whole(o);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 1),
                       *from = tsr_spmd_with_dim(s, tsr_spmd_by_axes(o, 0), last, axes);
    tsr_value *v = tsr_spmd_mask(s, tsr_spmd_in(o, 0, from), in, from, (uint64_t)1 << last, fill);
    int64_t chunk = v->type->dims[last];
    tsr_op *own = top_k(o, v, k < chunk ? k : chunk);
    tsr_value *index = &own->out[1], *start = tsr_spmd_start(s, o->mesh, axes, chunk);
    start = tsr_build_convert(&s->b, start, tsr_elem(index));
    if (!TSR_BUG(7))
        index = tsr_spmd_binary(s, TSR_OP_STABLEHLO_ADD, index,
                                tsr_build_broadcast(&s->b, start, NULL, index->type));
    tsr_value *values = tsr_spmd_all_gather(s, &own->out[0], last, o->mesh, axes);
    index = tsr_spmd_all_gather(s, index, last, o->mesh, axes);
    tsr_op *best = top_k(o, values, k);
    tsr_spmd_out(o, 0, &best->out[0], to);
    tsr_spmd_out(o, 1, look_up(s, index, &best->out[1]), to);
    return true;
}
