/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - slices, pads, reversals, concatenations and updates of slices on shards.
 *
 * If positions are constant, each device gets the stretch from which its part of the result is computed
 * (spmd/stretch.h). If not, each device determines at run time which elements it has, and masks the others. */
#include "shard/spmd/stretch.h"

static tsr_spmd_dim dim_of(const tsr_spmd_op *o, uint32_t dim, int64_t size, const tsr_axes *axes)
{
    return (tsr_spmd_dim){dim, size, o->mesh, axes, false};
}

/* ---- Slice ---- */

bool spmd_slice(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o) || !tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0), *out = tsr_spmd_global(o, 1);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 1);
    tsr_value *v = tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0));
    uint32_t rank = in->n;
    tsr_slice p;
    tsr_slice_of(o->op, &p);
    int64_t *start = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *limit = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    int64_t *stride = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    /* Whole dimensions first: then less is sent. */
    for (uint32_t d = 0; d < rank; d++) {
        bool whole = to->dims[d].axes->size <= 1;
        start[d] = whole ? tsr_ints_at(p.start, d) : 0;
        limit[d] = whole ? tsr_ints_at(p.limit, d) : v->type->dims[d];
        stride[d] = whole ? tsr_ints_at(p.strides, d) : 1;
    }
    v = tsr_spmd_slice(s, v, start, limit, stride);
    for (uint32_t d = 0; d < rank; d++) {
        const tsr_axes *axes = to->dims[d].axes;
        int64_t step = tsr_ints_at(p.strides, d), chunk = tsr_spmd_chunk(out->dims[d], axes);
        start[d] = 0;
        stride[d] = 1;
        limit[d] = v->type->dims[d];
        if (axes->size <= 1 || in->dims[d] == out->dims[d])
            continue;
        tsr_spmd_dim part = dim_of(o, d, in->dims[d], axes);
        limit[d] = (chunk - 1) * step + 1;
        stride[d] = step;
        v = tsr_spmd_stretch(
            s, v, &part,
            tsr_spmd_steps(s, axes, tsr_ints_at(p.start, d), TSR_BUG(2) ? chunk : chunk * step),
            limit[d], NULL);
    }
    tsr_spmd_out(o, 0, tsr_spmd_slice(s, v, start, limit, stride), to);
    return true;
}

/* ---- Pad ---- */

bool spmd_pad(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o) || !tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0), *out = tsr_spmd_global(o, 2);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 2);
    tsr_value *v = tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0)),
              *fill = tsr_spmd_in(o, 1, tsr_spmd_replicated(s, 0));
    tsr_pad p;
    tsr_pad_of(o->op, &p);
    for (int whole = 0; whole < 2; whole++) /* sharded dimensions first: then less is sent */
        for (uint32_t d = 0; d < in->n; d++) {
            const tsr_axes *axes = to->dims[d].axes;
            int64_t low = tsr_ints_at(p.low, d), dilation = tsr_ints_at(p.interior, d) + 1;
            int64_t chunk = tsr_spmd_chunk(out->dims[d], axes);
            if ((axes->size <= 1) != whole ||
                (low == 0 && dilation == 1 && in->dims[d] == out->dims[d]))
                continue;
            tsr_spmd_dim part = dim_of(o, d, in->dims[d], axes);
            v = tsr_spmd_dilated_stretch(s, v, &part, tsr_spmd_steps(s, axes, -low, chunk), chunk,
                                         dilation, fill);
        }
    tsr_spmd_out(o, 0, v, to);
    return true;
}

/* ---- Broadcast ---- */

/* The form that gives its new dimensions by size. */
bool spmd_broadcast_sizes(tsr_spmd_op *o)
{
    tsr_spmd_settle(o, false);
    if (!o->axes)
        return tsr_spmd_whole(o);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 1);
    tsr_value *v = tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0));
    tsr_type *type = tsr_spmd_type(o->s, o->op->out[0].type, to);
    tsr_op *made = tsr_spmd_same(o, &v, &type);
    made->attrs[STABLEHLO_BROADCAST_broadcast_sizes] =
        tsr_attr_i64_array(o->s->ctx, type->dims, type->n - v->type->n);
    tsr_spmd_out(o, 0, &made->out[0], to);
    return true;
}

/* ---- Reshape ---- */

/* Shards common to both sides are reshaped in place. */
bool spmd_reshape(tsr_spmd_op *o)
{
    uint32_t out = o->op->nin;
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    const tsr_rule *r = o->rule;
    for (uint32_t f = 0; f < r->nfactor; f++) {
        bool in_both[2] = {false, false};
        for (int side = 0; side < 2; side++)
            for (uint32_t i = r->first[r->dims[side ? out : 0]];
                 i < r->first[r->dims[side ? out + 1 : 1]]; i++)
                in_both[side] |= r->factors[i] == f;
        if (!in_both[0] || !in_both[1])
            tsr_spmd_forget(o, f);
    }
    tsr_spmd_settle(o, false);
    return tsr_spmd_any_axes(o) ? tsr_spmd_parts(o) : tsr_spmd_whole(o);
}

/* ---- Reverse ---- */

bool spmd_reverse(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o) || !tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0);
    const tsr_sharding *to = tsr_spmd_by_axes(o, 1);
    tsr_value *v = tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0));
    const tsr_attr *dims = tsr_attr_of(o->op, STABLEHLO_REVERSE_dimensions);
    for (int64_t i = 0; i < tsr_attr_count(dims); i++) {
        uint32_t d = (uint32_t)tsr_attr_int_at(dims, (size_t)i);
        const tsr_axes *axes = to->dims[d].axes;
        int64_t chunk = tsr_spmd_chunk(in->dims[d], axes);
        tsr_spmd_dim part = dim_of(o, d, in->dims[d], axes);
        if (axes->size > 1 && !TSR_BUG(3))
            v = tsr_spmd_stretch(s, v, &part, tsr_spmd_steps(s, axes, in->dims[d] - chunk, -chunk),
                                 chunk, NULL);
    }
    tsr_type *type = v->type;
    tsr_spmd_out(o, 0, &tsr_spmd_same(o, &v, &type)->out[0], to);
    return true;
}

/* ---- Concatenate ---- */

/* Axes for the concatenated dimension, if it can have any: those of the desired result, or of an operand. */
static const tsr_axes *concat_axes(tsr_spmd_op *o, uint32_t dim)
{
    const tsr_axes *none = o->s->r.table.lists.none;
    uint32_t f = tsr_spmd_factor(o, o->op->nin, dim);
    if (f == UINT32_MAX)
        return none;
    const tsr_axes *chosen = o->axes[f];
    tsr_spmd_forget(o, f);
    for (uint32_t i = 0; !chosen->n && i <= o->op->nin; i++) {
        const tsr_sharding *a = i ? o->in[i - 1] : o->want[0];
        if (a->sharded && a->mesh == o->mesh && tsr_spmd_unused(o, a->dims[dim].axes))
            chosen = a->dims[dim].axes;
    }
    return chosen;
}

bool spmd_concatenate(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    uint32_t dim = (uint32_t)tsr_attr_of(o->op, STABLEHLO_CONCATENATE_dimension)->i, n = o->op->nin;
    tsr_spmd_forget_moved(o);
    const tsr_axes *axes = concat_axes(o, dim), *none = s->r.table.lists.none;
    if (axes->size <= 1)
        return tsr_spmd_any_axes(o) ? spmd_local(o) : tsr_spmd_whole(o);
    const tsr_sharding *to = tsr_spmd_with_dim(s, tsr_spmd_by_axes(o, n), dim, axes);
    int64_t chunk = tsr_spmd_chunk(tsr_spmd_global(o, n)->dims[dim], axes), at = 0;
    tsr_value *out = NULL, *places = NULL;
    for (uint32_t i = 0; i < n; i++) {
        int64_t size = tsr_spmd_global(o, i)->dims[dim];
        bool whole = !o->in[i]->sharded || !o->in[i]->dims[dim].axes->n;
        const tsr_sharding *from =
            tsr_spmd_with_dim(s, tsr_spmd_by_axes(o, i), dim, whole ? none : axes);
        tsr_spmd_dim part = {dim, size, o->mesh, axes, whole};
        tsr_value *v = tsr_spmd_stretch(s, tsr_spmd_in(o, i, from), &part,
                                        tsr_spmd_steps(s, axes, -at, chunk), chunk, NULL);
        if (!out) {
            out = v;
        } else {
            if (!places)
                places = tsr_spmd_positions(s, v, dim, tsr_spmd_start(s, o->mesh, axes, chunk));
            tsr_value *behind = tsr_build_compare(
                &s->b, TSR_BUG(4) ? "GT" : "GE", "SIGNED", places,
                tsr_build_broadcast(&s->b, tsr_spmd_i64(s, at), NULL, places->type));
            out = tsr_spmd_select(s, behind, v, out);
        }
        at += size;
    }
    tsr_spmd_out(o, 0, out, to);
    return true;
}

/* ---- Slices at dynamic positions ---- */

static tsr_value *index_operand(tsr_spmd_op *o, uint32_t i, int64_t most)
{
    return tsr_spmd_clamped(o->s, tsr_spmd_in(o, i, tsr_spmd_replicated(o->s, 0)), most);
}

static tsr_value *both(tsr_spmd *s, tsr_value *a, tsr_value *b)
{
    return a ? tsr_spmd_binary(s, TSR_OP_STABLEHLO_AND, a, b) : b;
}

/* Axes along which the operand stays sharded although the slice may be anywhere: each device takes the elements it has.
 * Worthwhile for slices of less than half, since combining moves each element twice. */
static const tsr_axes *picked_axes(tsr_spmd_op *o, uint32_t d)
{
    const tsr_type *in = tsr_spmd_global(o, 0), *out = tsr_spmd_global(o, o->op->nin);
    const tsr_sharding *a = o->in[0];
    uint32_t f = tsr_spmd_factor(o, 0, d);
    bool can = a->sharded && a->mesh == o->mesh && a->dims[d].axes->size > 1 &&
               in->dims[d] != out->dims[d] && f != UINT32_MAX && out->dims[d] * 2 < in->dims[d] &&
               tsr_spmd_can_pick(in->elem) && tsr_spmd_unused(o, a->dims[d].axes);
    return can ? a->dims[d].axes : NULL;
}

/* Whether moving the operand's axes to other dimensions, and then gathering the result, moves less than gathering the
 * operand. */
static bool moving_pays(const tsr_spmd_op *o)
{
    const tsr_sharding *a = o->in[0];
    int64_t in = tsr_type_num_elements(tsr_spmd_global(o, 0)), parts = 1;
    for (uint32_t d = 0; a->sharded && d < a->rank; d++)
        parts *= a->dims[d].axes->size;
    return o->want[0]->sharded ||
           in / parts + tsr_type_num_elements(tsr_spmd_global(o, o->op->nin)) < in;
}

/* Drops axes of dimensions of operand t whose size changes. */
static void forget_changed(tsr_spmd_op *o, uint32_t t, const tsr_type *a, const tsr_type *b)
{
    for (uint32_t d = 0; d < a->n; d++) {
        uint32_t f = tsr_spmd_factor(o, t, d);
        if (a->dims[d] != b->dims[d] && f != UINT32_MAX)
            tsr_spmd_forget(o, f);
    }
}

/* Combines keep with a mask of the elements of v whose position along d, counted from start, is below n. */
static tsr_value *keep_between(tsr_spmd *s, tsr_value *keep, tsr_value *v, uint32_t d,
                               tsr_value *start, int64_t n)
{
    return both(s, keep,
                tsr_spmd_between(s, tsr_spmd_positions(s, v, d, start), tsr_spmd_i64(s, 0),
                                 tsr_spmd_i64(s, n)));
}

/* How the operand is divided when each device looks in its part, where it can (picked: by these axes, joined: all of them). */
static const tsr_sharding *divide_picked(tsr_spmd_op *o, const tsr_axes **picked,
                                         const tsr_axes **joined)
{
    tsr_spmd *s = o->s;
    const tsr_sharding *from = tsr_spmd_by_axes(o, 0);
    *joined = s->r.table.lists.none;
    for (uint32_t d = 0; d < tsr_spmd_global(o, 0)->n; d++)
        if ((picked[d] = picked_axes(o, d)) && !tsr_axes_overlap(*joined, picked[d])) {
            from = tsr_spmd_with_dim(s, from, d, picked[d]);
            *joined = tsr_axes_join(&s->r.table.lists, *joined, picked[d]);
        } else {
            picked[d] = NULL;
        }
    return from;
}

bool spmd_dynamic_slice(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0), *out = tsr_spmd_global(o, o->op->nin);
    uint32_t rank = in->n;
    const tsr_axes **picked = TSR_NEW_ARRAY(s->r.arena, const tsr_axes *, rank), *joined;
    forget_changed(o, 0, in, out);
    bool small = !moving_pays(o);
    for (uint32_t d = 0; d < rank; d++)
        small |= out->dims[d] * 2 < in->dims[d];
    if (small)
        tsr_spmd_forget_moved(o);
    const tsr_sharding *from = divide_picked(o, picked, &joined),
                       *to = tsr_spmd_by_axes(o, o->op->nin);
    if (!from->sharded)
        return tsr_spmd_whole(o);
    tsr_value *v = tsr_spmd_in(o, 0, from), *keep = NULL;
    tsr_value **starts = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank);
    tsr_value **inside = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank);
    int64_t *sizes = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = out->dims[d], chunk = v->type->dims[d];
        sizes[d] = size == in->dims[d] ? chunk : size;
        if (size == in->dims[d])
            continue;
        starts[d] = index_operand(o, d + 1, in->dims[d] - size);
        if (!picked[d])
            continue;
        /* Its position in this part, which may be outside: pads both sides by the size of the slice. */
        inside[d] = tsr_spmd_binary(s, TSR_OP_STABLEHLO_SUBTRACT, starts[d],
                                    tsr_spmd_start(s, o->mesh, picked[d], chunk));
        starts[d] = tsr_spmd_binary(s, TSR_OP_STABLEHLO_ADD, inside[d], tsr_spmd_i64(s, size));
        v = tsr_spmd_pad(s, v, d, size, size, 0, NULL);
    }
    tsr_value *slice = tsr_spmd_dynamic_slice(s, v, starts, sizes);
    for (uint32_t d = 0; d < rank; d++)
        if (picked[d])
            keep =
                keep_between(s, keep, slice, d, inside[d], tsr_spmd_chunk(in->dims[d], picked[d]));
    tsr_spmd_out(o, 0, keep ? tsr_spmd_pick(s, slice, keep, o->mesh, joined) : slice, to);
    return true;
}

/* v with update at these positions; NULL: 0. */
static tsr_value *updated(tsr_spmd *s, tsr_value *v, tsr_value *update, tsr_value *const *starts)
{
    uint32_t rank = v->type->n;
    tsr_value **all = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank + 2);
    all[0] = v;
    all[1] = update;
    for (uint32_t d = 0; d < rank; d++)
        all[d + 2] = starts[d] ? starts[d] : tsr_spmd_i64(s, 0);
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE, all, rank + 2, v->type);
}

/* What this part of the result has of the update: places keep says, and what v has elsewhere. all_of_it: nothing of the part lies before or
 * after the update. */
static tsr_value *own_update(tsr_spmd *s, tsr_value *v, tsr_value *update, tsr_value *keep,
                             tsr_value *const *starts, const int64_t *sizes, bool *all_of_it)
{
    *all_of_it = true;
    for (uint32_t d = 0; d < v->type->n; d++)
        *all_of_it &= !starts[d] && sizes[d] == v->type->dims[d];
    return tsr_spmd_select(s, keep, update,
                           *all_of_it ? v : tsr_spmd_dynamic_slice(s, v, starts, sizes));
}

bool spmd_dynamic_update_slice(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    const tsr_type *in = tsr_spmd_global(o, 0), *part = tsr_spmd_global(o, 1);
    uint32_t rank = in->n;
    forget_changed(o, 1, in, part); /* the update is whole in dimensions where it is smaller */
    const tsr_sharding *to = tsr_spmd_by_axes(o, 0);
    if (!to->sharded)
        return tsr_spmd_whole(o);
    tsr_value *v = tsr_spmd_in(o, 0, to), *update = tsr_spmd_in(o, 1, tsr_spmd_by_axes(o, 1)),
              *keep = NULL;
    tsr_value **starts = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank),
              **cut = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank);
    tsr_value **from = TSR_NEW_ARRAY(s->r.arena, tsr_value *, rank);
    int64_t *sizes = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    bool masked = false;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = part->dims[d], chunk = v->type->dims[d];
        sizes[d] = update->type->dims[d];
        if (size == in->dims[d])
            continue;
        starts[d] = index_operand(o, d + 2, in->dims[d] - (TSR_BUG(10) ? 0 : size));
        if (to->dims[d].axes->size <= 1)
            continue;
        /* The position of this part in the update, which is padded by a part on both sides. */
        from[d] = tsr_spmd_binary(s, TSR_OP_STABLEHLO_SUBTRACT,
                                  tsr_spmd_start(s, o->mesh, to->dims[d].axes, chunk), starts[d]);
        starts[d] = NULL;
        cut[d] = tsr_spmd_binary(s, TSR_OP_STABLEHLO_ADD, from[d], tsr_spmd_i64(s, chunk));
        update = tsr_spmd_pad(s, update, d, chunk, chunk, 0, NULL);
        sizes[d] = chunk;
        masked = true;
    }
    if (masked) {
        update = tsr_spmd_dynamic_slice(s, update, cut, sizes);
        for (uint32_t d = 0; d < rank; d++)
            if (from[d])
                keep = keep_between(s, keep, update, d, from[d], part->dims[d]);
        bool all_of_it;
        update = own_update(s, v, update, keep, starts, sizes, &all_of_it);
        if (all_of_it) {
            tsr_spmd_out(o, 0, update, to);
            return true;
        }
    }
    tsr_spmd_out(o, 0, updated(s, v, update, starts), to);
    return true;
}
