/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - ops that work on shards as on global tensors, provided that certain dimensions are not sharded, or that
 * sums are all-reduced after them. */
#include "dialect/params.h"
#include "shard/local/local.h"

#include "dialect/reducer.h"

/* ---- Slice ---- */

/* Whether cutting off the end leaves each device with the same elements as in the operand, because only padding is cut
 * off. */
static bool cuts_padding(const tsr_slice *p, uint32_t d, int64_t parts, int64_t from, int64_t to)
{
    if (parts <= 1)
        return true;
    if (tsr_ints_at(p->start, d) || tsr_ints_at(p->strides, d) != 1 || from < 0 || to < 0)
        return false;
    return from / parts + (from % parts != 0) == to / parts + (to % parts != 0);
}

bool local_slice(tsr_local *s, tsr_op *op)
{
    tsr_value *v = op->in[0].value, *result = &op->out[0];
    const tsr_sharding *in = tsr_local_sharding(s, v), *out = tsr_local_sharding(s, result);
    if (tsr_local_replicated(in) && tsr_local_replicated(out))
        return true;
    const tsr_type *from = tsr_local_global(s, v), *to = tsr_local_global(s, result);
    uint32_t rank = v->type->n;
    tsr_slice p;
    tsr_slice_of(op, &p);
    int64_t *starts = tsr_ints_array(s->arena, p.start, 0),
            *limits = tsr_ints_array(s->arena, p.limit, 0);
    for (uint32_t d = 0; d < rank; d++) {
        const tsr_axes *axes = tsr_local_axes(s, in, d);
        if (axes != tsr_local_axes(s, out, d))
            return tsr_local_mismatch(s, op, d, in, out);
        if (!axes->n)
            continue;
        bool whole = limits[d] == from->dims[d];
        if (starts[d] || (!whole && !cuts_padding(&p, d, axes->size, from->dims[d], to->dims[d])))
            return tsr_op_error(op,
                                "dimension %u is sharded but the slice is not a full slice and "
                                "requires device communication.",
                                d);
        limits[d] = whole ? v->type->dims[d] : result->type->dims[d];
    }
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(s->ctx, starts, rank);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(s->ctx, limits, rank);
    op->extra = NULL;
    return true;
}

/* ---- Concatenate ---- */

bool local_concatenate(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *out = tsr_local_sharding(s, &op->out[0]);
    int64_t dim = op->attrs[STABLEHLO_CONCATENATE_dimension]->i;
    if (tsr_local_axes(s, out, dim)->n)
        return tsr_op_error(op,
                            "dimension %lld is sharded but the concatenation is on this dimension.",
                            (long long)dim);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_sharding *in = tsr_local_sharding(s, op->in[i].value);
        if (tsr_local_replicated(in))
            continue;
        if (tsr_local_axes(s, in, dim)->n)
            return tsr_op_error(op,
                                "operand %u is sharded on concatenation dimension %lld. This is "
                                "not supported.",
                                i, (long long)dim);
        for (uint32_t d = 0; d < in->rank; d++)
            if (d != dim && tsr_local_axes(s, in, d) != tsr_local_axes(s, out, d))
                return tsr_local_mismatch(s, op, d, in, out);
    }
    return true;
}

/* ---- Products ---- */

/* Checks the sum along dims of the left operand, whose sharding is a. */
static bool sums(tsr_local *s, const tsr_op *op, const tsr_sharding *a, const int64_t *dims,
                 size_t n)
{
    tsr_axis_vec axes = {0};
    for (size_t i = 0; i < n; i++) {
        const tsr_axes *more = tsr_local_axes(s, a, dims[i]);
        tsr_axis_vec_add_all(&axes, more->data, more->n);
    }
    bool ok = !axes.n || tsr_local_reduced(s, op, a->mesh, &axes);
    tsr_vec_free(&axes);
    return ok;
}

bool local_dot(tsr_local *s, tsr_op *op)
{
    const tsr_value *lhs = op->in[0].value;
    const tsr_sharding *a = tsr_local_sharding(s, lhs);
    if (tsr_local_replicated(a))
        return true;
    int64_t last = (int64_t)a->rank - 1;
    return sums(s, op, a, &last, 1);
}

bool local_dot_general(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *a = tsr_local_sharding(s, op->in[0].value);
    if (tsr_local_replicated(a))
        return true;
    tsr_dot d;
    tsr_dot_of(op, &d);
    return sums(s, op, a, tsr_ints_array(s->arena, d.contract[0], 0), d.contract[0].n);
}

/* ---- Reductions ---- */

bool tsr_local_join(tsr_local *s, tsr_op *op, tsr_reduce_kind by)
{
    tsr_sdy_reduction kind;
    bool known = tsr_reduce_to_sdy(by, op->nout ? op->out[0].type->elem : NULL, &kind);
    for (uint32_t i = 0; i < op->nout; i++)
        for (const tsr_use *use = op->out[i].uses; use; use = use->next) {
            if (!tsr_op_is(use->user, TSR_OP_SDY_ALL_REDUCE))
                continue;
            if (!known)
                return tsr_op_error(op, "has a body that no all-reduce can join the parts of a "
                                        "sharded dimension by");
            tsr_attr **slot = &use->user->attrs[SDY_ALL_REDUCE_reduction_op];
            if ((*slot ? (*slot)->i : TSR_SDY_SUM) != (int64_t)kind)
                *slot = kind == TSR_SDY_SUM ? NULL : tsr_attr_i32(s->ctx, (int32_t)kind);
        }
    return true;
}

/* Whether a value is known to be the identity of this reduction. */
static bool is_identity(const tsr_value *v, tsr_reduce_kind by)
{
    if (by == TSR_REDUCE_SUM && tsr_is_zero(v))
        return true;
    if (v->is_arg ||
        (!tsr_op_is(v->op, TSR_OP_STABLEHLO_CONSTANT) && !tsr_op_is(v->op, TSR_OP_SDY_CONSTANT)))
        return false;
    for (int how = TSR_IDENTITY_GREATEST; how <= TSR_IDENTITY_FINITE; how++)
        if (v->op->attrs[0] ==
            tsr_reduce_identity_attr(v->op->module, by, v->type->elem, (tsr_identity)how))
            return true;
    return false;
}

/* Every device begins with the initial value, which must count only once: it is applied to the combined result
 * instead. */
static bool begin_once(tsr_local *s, tsr_op *op, tsr_reduce_kind by)
{
    const tsr_use *use = op->out[0].uses;
    tsr_value *init = op->in[1].value;
    if (is_identity(init, by) || !use || use->next || !tsr_op_is(use->user, TSR_OP_SDY_ALL_REDUCE))
        return true;
    tsr_attr *identity =
        tsr_reduce_identity_attr(op->module, by, init->type->elem, TSR_IDENTITY_GREATEST);
    if (!identity)
        return true;
    tsr_build b = tsr_build_before(op);
    tsr_value *whole = &use->user->out[0];
    tsr_op_set_operand(op, 1, tsr_make_constant(&b, identity));
    b.at = use->user->next;
    tsr_value *all = tsr_make_broadcast(&b, init, NULL, whole->type);
    tsr_value *joined = tsr_make_binary(&b, tsr_reduce_opcode(by), all, whole);
    tsr_value_replace(whole, joined);
    tsr_op_set_operand(joined->op, 1, whole);
    tsr_local_note(s, joined, whole);
    return true;
}

/* Parts of a sharded dimension are combined as the body does; Shardy's reshards always sum them. */
bool local_reduce(tsr_local *s, tsr_op *op)
{
    const tsr_attr *dims = op->attrs[STABLEHLO_REDUCE_dimensions];
    bool sharded = false;
    for (uint32_t i = 0; i < op->nin / 2; i++)
        for (int64_t k = 0, n = tsr_attr_count(dims); k < n; k++)
            sharded |= tsr_local_axes(s, tsr_local_sharding(s, op->in[i].value),
                                      tsr_attr_int_at(dims, (size_t)k))
                           ->n != 0;
    tsr_reducer r = {0};
    if (op->nin == 2)
        tsr_reducer_of(&op->regions[0], 1, 0, &r);
    return !sharded || (tsr_local_join(s, op, r.kind) && (!r.op || begin_once(s, op, r.kind)));
}

/* ---- Convolution ---- */

/* The number of groups on a device. */
static bool local_groups(const tsr_op *op, int64_t n, const tsr_axes *axes, int64_t *out)
{
    int64_t by = axes->size < n ? axes->size : n;
    *out = n <= 1 || !axes->n ? n : n / by;
    return *out == n || n % by == 0 ||
           tsr_op_error(op, "has %lld groups, which %lld devices cannot share evenly", (long long)n,
                        (long long)by);
}

bool local_convolution(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *lhs = tsr_local_sharding(s, op->in[0].value);
    const tsr_sharding *rhs = tsr_local_sharding(s, op->in[1].value);
    const tsr_sharding *out = tsr_local_sharding(s, &op->out[0]);
    if (tsr_local_replicated(lhs) && tsr_local_replicated(rhs) && tsr_local_replicated(out))
        return true;
    tsr_conv c;
    tsr_conv_of(op, &c);
    tsr_axis_vec sum = {0};
    const tsr_axes *more = tsr_local_axes(s, rhs, c.kernel_in);
    tsr_axis_vec_add_all(&sum, more->data, more->n);
    for (uint32_t i = 0; i < c.kernel_spatial.n; i++) {
        more = tsr_local_axes(s, rhs, tsr_ints_at(c.kernel_spatial, i));
        tsr_axis_vec_add_all(&sum, more->data, more->n);
    }
    tsr_axis_vec_sort(&sum);
    bool ok = !sum.n || tsr_local_reduced(s, op, rhs->mesh, &sum);
    tsr_vec_free(&sum);
    int64_t features = 1, batches = 1;
    ok = ok &&
         local_groups(op, c.feature_groups, tsr_local_axes(s, rhs, c.kernel_out), &features) &&
         local_groups(op, c.batch_groups, tsr_local_axes(s, lhs, c.in_batch), &batches);
    if (!ok)
        return false;
    op->attrs[STABLEHLO_CONVOLUTION_feature_group_count] = tsr_attr_i64(s->ctx, features);
    op->attrs[STABLEHLO_CONVOLUTION_batch_group_count] = tsr_attr_i64(s->ctx, batches);
    op->extra = NULL;
    return true;
}

/* ---- Windows ---- */

/* Whether each window along dimension d is within the part of one device, and parts begin where windows do. size: of a
 * part. */
static bool windows_apart(const tsr_window *w, uint32_t d, int64_t part)
{
    int64_t size = tsr_ints_or(w->sizes, d, 1), stride = tsr_window_stride(w, d);
    return tsr_window_base_dilation(w, d) == 1 && tsr_window_dilation(w, d) == 1 &&
           !tsr_window_low(w, d) && !tsr_window_high(w, d) &&
           ((size == 1 && stride == 1) ||
            (w->sizes.attr && w->strides.attr && stride >= size && part % stride == 0));
}

bool local_window(tsr_local *s, tsr_op *op)
{
    const tsr_value *v = op->in[0].value;
    const tsr_sharding *a = tsr_local_sharding(s, v);
    tsr_window w;
    tsr_window_of(op, &w);
    for (uint32_t d = 0; a && d < a->rank; d++)
        if (a->dims[d].axes->size > 1 && !windows_apart(&w, d, v->type->dims[d]))
            return tsr_op_error(op, "dimension %u is sharded but is not a pass-through dimension.",
                                d);
    return true;
}
