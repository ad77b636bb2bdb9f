/* SPDX-License-Identifier: Apache-2.0 */
/* apply.c - rewrites a function according to its plan.
 *
 * Ops keep their kind and attributes: operands become parts, attributes that contain sizes are adapted, and result
 * types are inferred again, in program order. An inserted value has the id of the value that it replaces, so that the
 * plan's tables still apply to it. */
#include "shard/dp/dp.h"

/* Other forms of a value that exist already. */
typedef struct form {
    tsr_dp_part part;
    bool outside; /* whole, outside of the devices */
    tsr_value *value;
    struct form *next;
} form;

typedef struct {
    tsr_dp *dp;
    const tsr_dp_plan *p;
    tsr_op *func;
    tsr_block *body;
    form **forms; /* of values, by id - value0 */
    bool entry;
} rewriter;

/* ---- Making ops ---- */

static tsr_type *with_size(const tsr_type *t, int32_t dim, int64_t size)
{
    int64_t dims[TSR_DP_RANK];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[dim] = size;
    return tsr_type_tensor(t->ctx, dims, t->n, t->elem, t->attr);
}

static tsr_op *add(rewriter *w, enum tsr_opcode opcode, tsr_value *in, tsr_type *type, tsr_loc loc,
                   tsr_op *before)
{
    tsr_op *op =
        tsr_op_new(w->dp->module, tsr_opdef_of(w->dp->ctx, opcode), loc, &in, 1, &type, 1, 0, 0);
    tsr_op_insert(op, w->body, before);
    return op;
}

/* The elements of each device; sizes are padded so that all have equally many. */
static int64_t share_of(const rewriter *w, int64_t size)
{
    tsr_assert(size % w->dp->devices == 0, "%lld elements for %lld devices", (long long)size,
               (long long)w->dp->devices);
    return size / w->dp->devices;
}

static tsr_attr *i32(rewriter *w, int64_t n, tsr_signedness sign)
{
    return tsr_attr_int(w->dp->ctx, tsr_type_integer(w->dp->ctx, 32, sign), n);
}

/* Converts between a whole value outside and one part (or copy) per device. */
static tsr_value *mesh_shard(rewriter *w, tsr_value *v, tsr_dp_part part, bool in, tsr_op *before,
                             tsr_loc loc)
{
    tsr_ctx *ctx = w->dp->ctx;
    bool cut = part.dim != TSR_WHOLE;
    int64_t shape[TSR_DP_RANK], dims[TSR_DP_AXES], size = in ? share_of(w, part.size) : part.size;
    tsr_type *type = cut ? with_size(v->type, part.dim, size) : v->type;
    tsr_op *op = add(w, TSR_OP_TTIR_MESH_SHARD, v, type, loc, before);
    for (uint32_t d = 0; cut && d < v->type->n; d++)
        shape[d] = (int32_t)d == part.dim ? w->dp->devices : 1;
    for (uint32_t a = 0; a < w->dp->naxis; a++)
        dims[a] = cut && a == w->dp->axis ? part.dim : -1;
    if (!cut)
        shape[0] = 1;
    op->attrs[TTIR_MESH_SHARD_shard_type] =
        tsr_attr_enum(ctx, &tsr_def_TTCORE_SHARD_TYPE, cut ? TSR_TT_DEVICES : TSR_TT_REPLICATE);
    op->attrs[TTIR_MESH_SHARD_shard_direction] = tsr_attr_enum(
        ctx, &tsr_def_TTCORE_SHARD_DIRECTION, in ? TSR_TT_FULL_TO_SHARD : TSR_TT_SHARD_TO_FULL);
    op->attrs[TTIR_MESH_SHARD_shard_shape] = tsr_attr_i64_array(ctx, shape, cut ? v->type->n : 1);
    op->attrs[TTIR_MESH_SHARD_shard_dims] = tsr_attr_i64_array(ctx, dims, cut ? w->dp->naxis : 1);
    return &op->out[0];
}

/* Pads the dimension to its size with zeros. */
static tsr_value *fill_up(rewriter *w, tsr_value *v, tsr_dp_part part, tsr_op *before, tsr_loc loc)
{
    int32_t by[2 * TSR_DP_RANK] = {0};
    tsr_ctx *ctx = w->dp->ctx;
    if (part.size == part.real)
        return v;
    tsr_op *op = add(w, TSR_OP_TTIR_PAD, v, with_size(v->type, part.dim, part.size), loc, before);
    by[2 * part.dim + 1] = (int32_t)(part.size - part.real);
    op->attrs[TTIR_PAD_padding] = tsr_attr_dense_array(ctx, ctx->i32, by, 2 * (size_t)v->type->n);
    op->attrs[TTIR_PAD_value] = tsr_attr_float(ctx, tsr_type_float(ctx, TSR_F32), 0);
    return &op->out[0];
}

/* Cuts the padding off the dimension. */
static tsr_value *trim(rewriter *w, tsr_value *v, tsr_dp_part part, tsr_op *before, tsr_loc loc)
{
    tsr_attr *begins[TSR_DP_RANK], *ends[TSR_DP_RANK], *steps[TSR_DP_RANK];
    uint32_t n = v->type->n;
    if (part.size == part.real)
        return v;
    tsr_op *op =
        add(w, TSR_OP_TTIR_SLICE_STATIC, v, with_size(v->type, part.dim, part.real), loc, before);
    for (uint32_t d = 0; d < n; d++) {
        begins[d] = tsr_attr_i32(w->dp->ctx, 0);
        ends[d] = tsr_attr_i32(w->dp->ctx, (int32_t)op->out[0].type->dims[d]);
        steps[d] = tsr_attr_i32(w->dp->ctx, 1);
    }
    op->attrs[TTIR_SLICE_STATIC_begins] = tsr_attr_array(w->dp->ctx, begins, n);
    op->attrs[TTIR_SLICE_STATIC_ends] = tsr_attr_array(w->dp->ctx, ends, n);
    op->attrs[TTIR_SLICE_STATIC_step] = tsr_attr_array(w->dp->ctx, steps, n);
    return &op->out[0];
}

static tsr_value *gather(rewriter *w, tsr_value *v, tsr_dp_part part, tsr_op *before, tsr_loc loc)
{
    tsr_op *op =
        add(w, TSR_OP_TTIR_ALL_GATHER, v, with_size(v->type, part.dim, part.size), loc, before);
    op->attrs[TTIR_ALL_GATHER_all_gather_dim] = i32(w, part.dim, TSR_SIGNED);
    op->attrs[TTIR_ALL_GATHER_cluster_axis] = i32(w, w->dp->axis, TSR_UNSIGNED);
    return trim(w, &op->out[0], part, before, loc);
}

static tsr_value *partition(rewriter *w, tsr_value *v, tsr_dp_part part, tsr_op *before,
                            tsr_loc loc)
{
    v = fill_up(w, v, part, before, loc);
    tsr_type *type = with_size(v->type, part.dim, share_of(w, part.size));
    tsr_op *op = add(w, TSR_OP_TTIR_MESH_PARTITION, v, type, loc, before);
    op->attrs[TTIR_MESH_PARTITION_dim] = i32(w, part.dim, TSR_SIGNED);
    op->attrs[TTIR_MESH_PARTITION_cluster_axis] = i32(w, w->dp->axis, TSR_UNSIGNED);
    return &op->out[0];
}

/* ---- Forms of values ---- */

static tsr_loc loc_of(const tsr_value *v)
{
    return v->is_arg ? v->block->arg_locs[v->index] : v->op->loc;
}

/* A form that was created before. A value that is written to may have changed since. */
static tsr_value *made_before(const rewriter *w, uint32_t i, tsr_dp_part part, bool outside)
{
    for (const form *f = w->forms[i]; f && !w->p->written[i]; f = f->next)
        if (tsr_dp_same(f->part, part) && f->outside == outside)
            return f->value;
    return NULL;
}

static tsr_value *remember(rewriter *w, uint32_t i, tsr_dp_part part, bool outside, tsr_value *v)
{
    form *f = TSR_NEW(w->dp->arena, form);
    *f = (form){part, outside, v, w->forms[i]};
    w->forms[i] = f;
    return v;
}

/* v as this part, for use by op before. */
static tsr_value *as_part(rewriter *w, tsr_value *v, tsr_dp_part want, tsr_op *before)
{
    uint32_t i = v->id - w->p->value0;
    tsr_dp_part have = w->p->parts[i];
    tsr_value *made;
    if (tsr_dp_fits(w->dp, have, want))
        return v;
    if ((made = made_before(w, i, want, false)))
        return made;
    if (have.dim == TSR_WHOLE)
        made = v;
    else if (!(made = made_before(w, i, tsr_dp_whole(), false)))
        made = remember(w, i, tsr_dp_whole(), false, gather(w, v, have, before, loc_of(v)));
    if (want.dim == TSR_WHOLE)
        return made;
    return remember(w, i, want, false, partition(w, made, want, before, loc_of(v)));
}

/* v in the form in which it is returned to the host. */
static tsr_value *as_result(rewriter *w, tsr_value *v, tsr_op *before)
{
    uint32_t i = v->id - w->p->value0;
    tsr_dp_part have = w->p->parts[i];
    tsr_value *made = have.dim == TSR_WHOLE ? v : made_before(w, i, tsr_dp_whole(), true);
    if (made)
        return made;
    made = mesh_shard(w, v, have, false, before, loc_of(v));
    return remember(w, i, tsr_dp_whole(), true, trim(w, made, have, before, loc_of(v)));
}

/* Replaces all uses of v except by this op with made, which represents it from now on. */
static void stand_for(tsr_value *v, tsr_value *made, tsr_op *but)
{
    tsr_value_replace(v, made);
    tsr_op_set_operand(but, 0, v);
    made->id = v->id;
}

/* ---- Ops ---- */

/* Results get their inferred types, which must agree with the plan. */
static bool infer(const tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = !op->def->infer || op->def->infer(op, &types);
    for (uint32_t i = 0; ok && i < op->nout && i < types.n; i++)
        if (types.data[i] != op->out[i].type)
            ok = tsr_op_error(op, "has another shape in parts than its rule says");
    tsr_vec_free(&types);
    return ok;
}

static void join_results(rewriter *w, tsr_op *op)
{
    tsr_tt_reduce_type how = TSR_TT_SUM;
    tsr_dp_join(op, &how);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        tsr_op *all = add(w, TSR_OP_TTIR_ALL_REDUCE, v, v->type, op->loc, op->next);
        all->attrs[TTIR_ALL_REDUCE_reduce_type] =
            tsr_attr_enum(w->dp->ctx, &tsr_def_TTCORE_REDUCE_TYPE, how);
        all->attrs[TTIR_ALL_REDUCE_cluster_axis] = i32(w, w->dp->axis, TSR_UNSIGNED);
        stand_for(v, &all->out[0], all);
    }
}

/* Values that ops inside regions use are whole there. */
static void set_nested(rewriter *w, tsr_op *op)
{
    for (tsr_op *in = tsr_walk_next(op, op); in; in = tsr_walk_next(op, in)) {
        tsr_dp_local_whole(in);
        for (uint32_t i = 0; i < in->nin; i++) {
            tsr_value *v = in->in[i].value, *made = as_part(w, v, tsr_dp_whole(), op);
            if (made != v)
                tsr_op_set_operand(in, i, made);
        }
    }
}

static void cut_results(rewriter *w, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_dp_part part = w->p->parts[op->out[i].id - w->p->value0];
        if (part.dim != TSR_WHOLE)
            op->out[i].type = with_size(op->out[i].type, part.dim, share_of(w, part.size));
    }
}

static bool rewrite(rewriter *w, tsr_op *op)
{
    const tsr_dp_plan *p = w->p;
    uint32_t at = op->id - p->op0;
    const tsr_dp_part *wants = p->wants[at];
    bool back = tsr_op_is(op, TSR_OP_FUNC_RETURN);
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value;
        if (back && !w->entry)
            continue;
        tsr_value *made =
            back ? as_result(w, v, op) : as_part(w, v, wants ? wants[i] : tsr_dp_whole(), op);
        if (made != v)
            tsr_op_set_operand(op, i, made);
    }
    if (op->nregion)
        set_nested(w, op);
    cut_results(w, op);
    tsr_dp_choice c = p->choices[at];
    if (c.factor == TSR_WHOLE) {
        tsr_dp_local_whole(op);
        return true;
    }
    tsr_dp_local(op)(op, p->reals[at], share_of(w, c.size));
    if (!infer(op))
        return false;
    if (c.joins)
        join_results(w, op);
    return true;
}

/* ---- Functions ---- */

/* Arguments are whole, and are distributed to the devices at the start of the function. */
static void shard_arguments(rewriter *w)
{
    tsr_op *first = w->body->first;
    for (uint32_t i = 0; i < w->body->nargs; i++) {
        tsr_value *arg = w->body->args[i];
        if (!arg->uses || !tsr_type_is(arg->type, TSR_TYPE_TENSOR))
            continue;
        tsr_loc loc = w->body->arg_locs[i];
        tsr_dp_part part = w->p->args[i];
        tsr_op *before = first->prev;
        tsr_value *v = part.dim == TSR_WHOLE ? arg : fill_up(w, arg, part, first, loc);
        tsr_value *shard = mesh_shard(w, v, part, true, first, loc);
        tsr_op *user = before ? before->next : w->body->first; /* the first new op */
        stand_for(arg, shard, user);
    }
}

/* Updates the signature to the arguments and returned values. */
static void set_signature(rewriter *w)
{
    const tsr_op *end = w->body->last;
    tsr_type **types = TSR_NEW_ARRAY(w->dp->arena, tsr_type *, w->body->nargs + end->nin + 1);
    for (uint32_t i = 0; i < w->body->nargs; i++) {
        tsr_dp_part part = w->p->args[i];
        tsr_value *v = w->body->args[i];
        if (part.dim != TSR_WHOLE)
            v->type = with_size(v->type, part.dim, share_of(w, part.size));
        types[i] = v->type;
    }
    for (uint32_t i = 0; i < end->nin; i++) {
        tsr_dp_part part = w->p->results[i];
        tsr_type *t = w->func->attrs[FUNC_FUNC_function_type]->type->types[w->body->nargs + i];
        types[w->body->nargs + i] =
            part.dim == TSR_WHOLE ? t : with_size(t, part.dim, share_of(w, part.size));
    }
    w->func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(w->dp->ctx, tsr_type_function(w->dp->ctx, types, w->body->nargs,
                                                    types + w->body->nargs, end->nin));
}

bool tsr_dp_apply(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *func, bool entry)
{
    rewriter w = {.dp = dp, .p = p, .func = func, .body = func->regions[0].first, .entry = entry};
    w.forms = TSR_NEW_ARRAY(dp->arena, form *, p->nvalue + 1);
    tsr_op *op = w.body->first, *next;
    if (entry)
        shard_arguments(&w);
    else
        set_signature(&w);
    for (; op; op = next) {
        next = op->next; /* ops inserted after op are done already */
        TSR_TRY(rewrite(&w, op));
    }
    return true;
}
