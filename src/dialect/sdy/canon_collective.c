/* SPDX-License-Identifier: Apache-2.0 */
/* canon_collective.c - canonicalization of sdy's collectives and manual computations: removes those that do nothing and
 * pairs that cancel, and merges pairs. */
#include "dialect/hooks.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"

static bool replace(tsr_op *op, tsr_value *with)
{
    tsr_value_replace(&op->out[0], with);
    tsr_op_erase(op);
    return true;
}

/* Lists of axes, one per dimension (list_of_axis_ref_lists): how many, and number d. */
static uint32_t nlist(const tsr_attr *lists)
{
    return lists->attrs[0]->n;
}

static const tsr_attr *list_at(const tsr_attr *lists, uint32_t d)
{
    return lists->attrs[0]->attrs[d]->attrs[0];
}

static tsr_attr *axis_list(tsr_ctx *ctx, tsr_attr *const *axes, uint32_t n)
{
    tsr_attr *array = tsr_attr_array(ctx, axes, n);
    return tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF_LIST, &array);
}

static tsr_attr *axis_lists(tsr_ctx *ctx, const tsr_sdy_axes *lists)
{
    tsr_attr *array = tsr_attr_array(ctx, lists->data, lists->n);
    return tsr_attr_struct(ctx, &tsr_def_SDY_LIST_OF_AXIS_REF_LISTS, &array);
}

static bool empty(const tsr_attr *lists)
{
    for (uint32_t d = 0; d < nlist(lists); d++)
        if (list_at(lists, d)->n)
            return false;
    return true;
}

/* The op that defines operand 0, if it is of this kind. */
static tsr_op *made_by(const tsr_op *op, enum tsr_opcode kind)
{
    const tsr_value *v = op->in[0].value;
    return !v->is_arg && tsr_op_is(v->op, (uint16_t)kind) ? v->op : NULL;
}

bool canon_sdy_all_gather(tsr_op *op, const tsr_patterns *on)
{
    return tsr_pattern_on(on, "sdy-collective") &&
           empty(op->attrs[SDY_ALL_GATHER_gathering_axes]) && replace(op, op->in[0].value);
}

bool canon_sdy_reduce_scatter(tsr_op *op, const tsr_patterns *on)
{
    return tsr_pattern_on(on, "sdy-collective") &&
           empty(op->attrs[SDY_REDUCE_SCATTER_reduce_scatter_axes]) && replace(op, op->in[0].value);
}

/* ---- sdy.all_reduce ---- */

/* An all-reduce of a sharded_to_unreduced value is an all-gather. */
static bool gather_instead(tsr_op *op, const tsr_op *sharded)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *lists = sharded->attrs[SDY_SHARDED_TO_UNREDUCED_axes];
    const tsr_attr *mesh =
        tsr_sdy_mesh_of(op, sharded->attrs[SDY_SHARDED_TO_UNREDUCED_out_sharding]);
    if (!mesh)
        return false;
    tsr_sdy_mesh_axes axes;
    tsr_sdy_axes all = {0};
    tsr_sdy_mesh_axes_init(&axes, ctx, mesh);
    for (uint32_t d = 0; d < nlist(lists); d++)
        for (uint32_t i = 0; i < list_at(lists, d)->n; i++)
            tsr_vec_push(&all, list_at(lists, d)->attrs[i]);
    tsr_sdy_axes_sort_and_merge(&axes, &all);
    bool same = axis_list(ctx, all.data, all.n) == op->attrs[SDY_ALL_REDUCE_reduction_axes];
    tsr_vec_free(&all);
    tsr_sdy_mesh_axes_free(&axes);
    if (!same)
        return false;
    tsr_value *in = sharded->in[0].value;
    tsr_op *gather = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_SDY_ALL_GATHER), op->loc, &in,
                                1, &op->out[0].type, 1, 0, 0);
    gather->attrs[SDY_ALL_GATHER_gathering_axes] = lists;
    gather->attrs[SDY_ALL_GATHER_out_sharding] = op->attrs[SDY_ALL_REDUCE_out_sharding];
    tsr_op_insert(gather, op->block, op);
    return replace(op, &gather->out[0]);
}

bool canon_sdy_all_reduce(tsr_op *op, const tsr_patterns *on)
{
    if (!tsr_pattern_on(on, "sdy-collective"))
        return false;
    if (!op->attrs[SDY_ALL_REDUCE_reduction_axes]->attrs[0]->n)
        return replace(op, op->in[0].value);
    const tsr_op *in = made_by(op, TSR_OP_SDY_REPLICATED_TO_UNREDUCED);
    if (in &&
        in->attrs[SDY_REPLICATED_TO_UNREDUCED_axes] == op->attrs[SDY_ALL_REDUCE_reduction_axes])
        return replace(op, in->in[0].value);
    in = made_by(op, TSR_OP_SDY_SHARDED_TO_UNREDUCED);
    return in && gather_instead(op, in);
}

/* ---- sdy.all_slice ---- */

/* For each dimension, the leading slicing axes that are also reduced are scattered; the rest is sliced as before. */
typedef struct {
    tsr_attr *scatter, *rest;
    bool any_rest;
} split;

static bool split_axes(tsr_ctx *ctx, const tsr_attr *reduced, const tsr_attr *slicing, split *s)
{
    tsr_sdy_axes left = {0}, scatter = {0}, rest = {0};
    for (uint32_t i = 0; i < reduced->n; i++)
        tsr_vec_push(&left, reduced->attrs[i]);
    for (uint32_t d = 0; d < nlist(slicing); d++) {
        const tsr_attr *axes = list_at(slicing, d);
        uint32_t n = 0;
        for (bool found = true; found && n < axes->n; n += found) {
            found = false;
            for (uint32_t i = 0; i < left.n && !found; i++)
                if (left.data[i] == axes->attrs[n]) {
                    left.data[i] = left.data[--left.n];
                    found = true;
                }
        }
        tsr_vec_push(&scatter, axis_list(ctx, axes->attrs, n));
        tsr_vec_push(&rest, axis_list(ctx, n < axes->n ? axes->attrs + n : NULL, axes->n - n));
        s->any_rest |= n < axes->n;
    }
    s->scatter = axis_lists(ctx, &scatter);
    s->rest = axis_lists(ctx, &rest);
    bool all = !left.n;
    tsr_vec_free(&left);
    tsr_vec_free(&scatter);
    tsr_vec_free(&rest);
    return all;
}

static tsr_attr *scattered_sharding(tsr_op *reduce, const tsr_op *slice, const tsr_attr *scatter)
{
    tsr_ctx *ctx = reduce->module->ctx;
    tsr_attr *out = reduce->attrs[SDY_ALL_REDUCE_out_sharding];
    const tsr_attr *after = slice->attrs[SDY_ALL_SLICE_out_sharding];
    const tsr_attr *mesh = tsr_sdy_mesh_of(reduce, out),
                   *in = tsr_sdy_sharding_of(reduce->in[0].value);
    if (!mesh || (in && tsr_sdy_dims(in)->n != nlist(scatter)))
        return NULL;
    tsr_sdy_mesh_axes m;
    tsr_sdy_mesh_axes_init(&m, ctx, mesh);
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t d = 0; d < nlist(scatter); d++) {
        tsr_sdy_axes axes = {0};
        for (uint32_t i = 0; in && i < tsr_sdy_dim_axes(in, d)->n; i++)
            tsr_vec_push(&axes, tsr_sdy_dim_axes(in, d)->attrs[i]);
        for (uint32_t i = 0; i < list_at(scatter, d)->n; i++)
            tsr_sdy_axes_add(&m, &axes, list_at(scatter, d)->attrs[i]);
        tsr_attr *params[] = {tsr_attr_array(ctx, axes.data, axes.n), tsr_attr_bool(ctx, true),
                              NULL};
        tsr_vec_push(&dims, tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params));
        tsr_vec_free(&axes);
    }
    tsr_attr *params[] = {out->attrs[SDY_SHARDING_mesh], tsr_attr_array(ctx, dims.data, dims.n),
                          after->attrs[SDY_SHARDING_replicated],
                          after->attrs[SDY_SHARDING_unreduced],
                          after->attrs[SDY_SHARDING_reduction]};
    tsr_vec_free(&dims);
    tsr_sdy_mesh_axes_free(&m);
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
}

/* Whether slice is the first user, and all users are slices of the same kind. */
static bool only_such_slices(const tsr_op *reduce, const tsr_op *slice)
{
    for (const tsr_use *u = reduce->out[0].uses; u; u = u->next) {
        if (!tsr_op_is(u->user, TSR_OP_SDY_ALL_SLICE) ||
            u->user->attrs[SDY_ALL_SLICE_slicing_axes] !=
                slice->attrs[SDY_ALL_SLICE_slicing_axes] ||
            (u->user != slice && (u->user->block != slice->block || tsr_op_before(u->user, slice))))
            return false;
    }
    return true;
}

/* An all-reduce followed by a slice becomes a reduce-scatter. */
static bool scatter_instead(tsr_op *slice, tsr_op *reduce)
{
    tsr_ctx *ctx = slice->module->ctx;
    split s = {0};
    if (!only_such_slices(reduce, slice) ||
        !split_axes(ctx, reduce->attrs[SDY_ALL_REDUCE_reduction_axes]->attrs[0],
                    slice->attrs[SDY_ALL_SLICE_slicing_axes], &s))
        return false;
    tsr_attr *out = scattered_sharding(reduce, slice, s.scatter);
    if (!out)
        return false;
    tsr_value *v = reduce->in[0].value;
    tsr_type *type = slice->out[0].type;
    tsr_op *scatter = tsr_op_new(slice->module, tsr_opdef_of(ctx, TSR_OP_SDY_REDUCE_SCATTER),
                                 reduce->loc, &v, 1, &type, 1, 0, 0);
    scatter->attrs[SDY_REDUCE_SCATTER_reduce_scatter_axes] = s.scatter;
    scatter->attrs[SDY_REDUCE_SCATTER_reduction_op] = reduce->attrs[SDY_ALL_REDUCE_reduction_op];
    scatter->attrs[SDY_REDUCE_SCATTER_out_sharding] = out;
    tsr_op_insert(scatter, slice->block, slice);
    v = &scatter->out[0];
    if (s.any_rest) {
        tsr_op *rest = tsr_op_new(slice->module, slice->def, slice->loc, &v, 1, &type, 1, 0, 0);
        rest->attrs[SDY_ALL_SLICE_slicing_axes] = s.rest;
        rest->attrs[SDY_ALL_SLICE_out_sharding] = slice->attrs[SDY_ALL_SLICE_out_sharding];
        tsr_op_insert(rest, slice->block, slice);
        v = &rest->out[0];
    }
    while (reduce->out[0].uses)
        replace(reduce->out[0].uses->user, v);
    tsr_op_erase(reduce);
    return true;
}

bool canon_sdy_all_slice(tsr_op *op, const tsr_patterns *on)
{
    if (!tsr_pattern_on(on, "sdy-collective"))
        return false;
    if (empty(op->attrs[SDY_ALL_SLICE_slicing_axes]))
        return replace(op, op->in[0].value);
    tsr_op *in = made_by(op, TSR_OP_SDY_ALL_GATHER);
    if (in && in->attrs[SDY_ALL_GATHER_gathering_axes] == op->attrs[SDY_ALL_SLICE_slicing_axes])
        return replace(op, in->in[0].value);
    in = made_by(op, TSR_OP_SDY_ALL_REDUCE);
    return in && scatter_instead(op, in);
}

/* ---- sdy.all_to_all ---- */

static int64_t param(const tsr_attr *p, int which)
{
    return p->attrs[which]->i;
}

/* Both lists by source dimension; NULL if some dimension is in them twice. */
static tsr_attr *combined(tsr_ctx *ctx, const tsr_attr *a, const tsr_attr *b)
{
    TSR_VEC(tsr_attr *) all = {0};
    tsr_ptr_set seen = {.n = 0}; /* numbers are interned too */
    bool twice = false;
    for (uint32_t i = 0; i < a->n + b->n && !twice; i++) {
        tsr_attr *p = i < a->n ? a->attrs[i] : b->attrs[i - a->n];
        for (int which = SDY_ALL_TO_ALL_PARAM_src; which <= SDY_ALL_TO_ALL_PARAM_tgt; which++)
            twice |= !tsr_ptr_set_add(&seen, p->attrs[which]);
        uint32_t at = all.n;
        tsr_vec_push(&all, p);
        for (; at > 0 && param(all.data[at - 1], SDY_ALL_TO_ALL_PARAM_src) >
                             param(p, SDY_ALL_TO_ALL_PARAM_src);
             at--)
            all.data[at] = all.data[at - 1];
        all.data[at] = p;
    }
    tsr_attr *list = twice ? NULL : tsr_attr_array(ctx, all.data, all.n);
    list = list ? tsr_attr_struct(ctx, &tsr_def_SDY_ALL_TO_ALL_PARAM_LIST, &list) : NULL;
    tsr_ptr_set_free(&seen);
    tsr_vec_free(&all);
    return list;
}

bool canon_sdy_all_to_all(tsr_op *op, const tsr_patterns *on)
{
    if (!tsr_pattern_on(on, "sdy-collective"))
        return false;
    if (!op->out[0].uses) {
        tsr_op_erase(op);
        return true;
    }
    tsr_op *in = made_by(op, TSR_OP_SDY_ALL_TO_ALL);
    tsr_attr *params = in && !in->out[0].uses->next
                           ? combined(op->module->ctx, in->attrs[SDY_ALL_TO_ALL_params]->attrs[0],
                                      op->attrs[SDY_ALL_TO_ALL_params]->attrs[0])
                           : NULL;
    if (!params)
        return false;
    op->attrs[SDY_ALL_TO_ALL_params] = params;
    tsr_op_set_operand(op, 0, in->in[0].value);
    tsr_op_erase(in);
    return true;
}

/* ---- sdy.collective_permute ---- */

/* Nothing moves: the same mesh, and the same axes everywhere, whether dimensions are open or closed. */
static bool equivalent(const tsr_attr *a, const tsr_attr *b)
{
    const tsr_attr *ua = a->attrs[SDY_SHARDING_unreduced], *ub = b->attrs[SDY_SHARDING_unreduced];
    if (tsr_sdy_is_replicated(a) && !ua->n)
        return tsr_sdy_is_replicated(b) && !ub->n;
    return ua == ub && tsr_sdy_same_axes(a, b);
}

bool canon_sdy_collective_permute(tsr_op *op, const tsr_patterns *on)
{
    const tsr_attr *in =
        tsr_pattern_on(on, "sdy-collective") ? tsr_sdy_sharding_of(op->in[0].value) : NULL;
    return in && equivalent(in, op->attrs[SDY_COLLECTIVE_PERMUTE_out_sharding]) &&
           replace(op, op->in[0].value);
}

/* ---- sdy.manual_computation ---- */

static bool drop_unused_inputs(tsr_op *op, tsr_block *body)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr **in = &op->attrs[SDY_MANUAL_COMPUTATION_in_shardings];
    const tsr_attr *old = (*in)->attrs[0];
    TSR_VEC(tsr_attr *) kept = {0};
    TSR_VEC(tsr_value *) operands = {0};
    if (old->n != op->nin || body->nargs != op->nin)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (body->args[i]->uses) {
            tsr_vec_push(&kept, old->attrs[i]);
            tsr_vec_push(&operands, op->in[i].value);
        }
    bool changed = kept.n < op->nin;
    if (changed) {
        bool *gone = tsr_xmalloc(op->nin * sizeof *gone);
        for (uint32_t i = 0; i < op->nin; i++)
            gone[i] = !body->args[i]->uses;
        tsr_block_erase_args(body, gone);
        tsr_free(gone);
        tsr_op_set_operands(op, operands.data, operands.n);
        tsr_attr *list = tsr_attr_array(ctx, kept.data, kept.n);
        *in = tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING_PER_VALUE, &list);
    }
    tsr_vec_free(&kept);
    tsr_vec_free(&operands);
    return changed;
}

/* How many devices the manual axes cover; 0 if unknown. */
static int64_t manual_size(const tsr_op *op)
{
    const tsr_attr *lists[] = {op->attrs[SDY_MANUAL_COMPUTATION_in_shardings]->attrs[0],
                               op->attrs[SDY_MANUAL_COMPUTATION_out_shardings]->attrs[0]};
    if (!lists[0]->n && !lists[1]->n)
        return 1;
    const tsr_attr *mesh = tsr_sdy_common_mesh(op, lists, 2),
                   *names = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes]->attrs[0];
    if (!mesh)
        return 0;
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, op->module->ctx, mesh);
    int64_t size = 1;
    for (uint32_t i = 0; i < names->n; i++)
        size = tsr_sdy_mul(size, tsr_sdy_axis_full_size(&axes, names->attrs[i]));
    tsr_sdy_mesh_axes_free(&axes);
    return size;
}

/* Whether to keep a computation on one device, for passes that look for manual computations on any mesh. */
static bool keeps_single(const tsr_patterns *on)
{
    for (size_t i = 0; i < on->off.n; i++)
        if (tsr_str_is(on->off.data[i], "sdy-manual-computation-of-one-device"))
            return true;
    return false;
}

bool canon_sdy_manual_computation(tsr_op *op, const tsr_patterns *on)
{
    tsr_block *body = op->regions[0].first;
    if (!tsr_pattern_on(on, "sdy-manual-computation") || !body || !body->last || body->next)
        return false;
    if (drop_unused_inputs(op, body))
        return true;
    if (keeps_single(on) || manual_size(op) != 1 || body->last->nin != op->nout)
        return false;
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_value_replace(body->args[i], op->in[i].value);
    tsr_op *end = body->last;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], end->in[i].value);
    tsr_op_erase(end);
    tsr_block_splice(op->block, op, body);
    tsr_op_erase(op);
    return true;
}
