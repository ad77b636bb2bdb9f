/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - lowers sdy's collectives to StableHLO's in the form that tt-mlir's backend expects: one op per axis of
 * the mesh, all on one channel; a slice of a replicated value is an all-to-all of which one part is kept.
 *
 * Axes of one dimension are gathered minor first and cut major first, so that parts are in the order of the sharding;
 * an exchange along several axes is one exchange. */
#include "dialect/reducer.h"
#include "dialect/sdy/sharding.h"
#include "shard/core/make.h"
#include "shard/tt/tt.h"

typedef struct {
    tsr_pass *p;
    tsr_ctx *ctx;
    tsr_op *root;
    tsr_shardings table;
    tsr_symbols symbols;
    tsr_attr *channel;
    uint32_t nslice; /* slices of replicated values so far */
} lowering;

/* ---- Groups ---- */

static tsr_attr *groups_of(lowering *l, const tsr_mesh *mesh, const tsr_axis *axes, size_t n)
{
    int64_t size;
    int64_t *ids = tsr_device_groups(l->p->scratch, mesh, axes, n, &size);
    return tsr_i64_elements(l->ctx, l->root->module, (int64_t[]){mesh->ndevice / size, size}, 2,
                            ids);
}

static const tsr_mesh *mesh_of(lowering *l, const tsr_op *op, tsr_attr *out)
{
    const tsr_sharding *s = tsr_sharding_decode(&l->table, out);
    if (!s) {
        tsr_op_error(op, "has a sharding whose mesh or axes there are not");
        return NULL;
    }
    if (!tsr_type_has_static_shape(op->in[0].value->type)) {
        tsr_op_error(op, "of a tensor whose sizes are not known");
        return NULL;
    }
    return tsr_devices_ok(op, s->mesh) ? s->mesh : NULL;
}

static const tsr_axes *axes_at(lowering *l, const tsr_mesh *mesh, const tsr_attr *lists, uint32_t i)
{
    const tsr_axes *none = l->table.lists.none;
    const tsr_axes *axes =
        i < lists->n ? tsr_axes_decode(&l->table, mesh, lists->attrs[i]->attrs[0]) : NULL;
    return axes ? axes : none;
}

static tsr_type *resized(lowering *l, tsr_type *type, int64_t dim, int64_t times, int64_t over)
{
    int64_t *dims = tsr_arena_copy(l->p->scratch, type->dims, type->n * sizeof *dims + 1);
    tsr_assert(dims[dim] * times % over == 0, "%lld elements are divided by %lld",
               (long long)(dims[dim] * times), (long long)over);
    dims[dim] = dims[dim] * times / over;
    return tsr_type_with_dims(type, dims, type->n);
}

static bool divides(const tsr_op *op, const tsr_type *type, int64_t dim, int64_t n)
{
    return type->dims[dim] % n == 0 ||
           tsr_op_error(op, "dimension %lld of size %lld does not divide into %lld parts",
                        (long long)dim, (long long)type->dims[dim], (long long)n);
}

static void done(tsr_op *op, tsr_value *v)
{
    op->out[0].type = v->type;
    tsr_value_replace(&op->out[0], v);
    tsr_op_erase(op);
}

/* ---- One op along one axis ---- */

static tsr_value *gather(lowering *l, tsr_build *b, tsr_value *v, uint32_t dim,
                         const tsr_mesh *mesh, const tsr_axis *axis)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_GATHER, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_GATHER_all_gather_dim] = tsr_attr_i64(l->ctx, dim);
    op->attrs[STABLEHLO_ALL_GATHER_replica_groups] = groups_of(l, mesh, axis, 1);
    op->attrs[STABLEHLO_ALL_GATHER_channel_handle] = l->channel;
    tsr_type *type = resized(l, v->type, dim, axis->size, 1);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *reduce(lowering *l, tsr_build *b, tsr_value *v, enum tsr_opcode how,
                         const tsr_mesh *mesh, const tsr_axis *axis)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_REDUCE, &v, 1, 1, 1);
    op->attrs[STABLEHLO_ALL_REDUCE_replica_groups] = groups_of(l, mesh, axis, 1);
    op->attrs[STABLEHLO_ALL_REDUCE_channel_handle] = l->channel;
    tsr_make_reducer(b, &op->regions[0], how, v->type->elem);
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

static tsr_value *scatter(lowering *l, tsr_build *b, tsr_value *v, uint32_t dim,
                          enum tsr_opcode how, const tsr_mesh *mesh, const tsr_axis *axis)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE_SCATTER, &v, 1, 1, 1);
    op->attrs[STABLEHLO_REDUCE_SCATTER_scatter_dimension] = tsr_attr_i64(l->ctx, dim);
    op->attrs[STABLEHLO_REDUCE_SCATTER_replica_groups] = groups_of(l, mesh, axis, 1);
    op->attrs[STABLEHLO_REDUCE_SCATTER_channel_handle] = l->channel;
    tsr_make_reducer(b, &op->regions[0], how, v->type->elem);
    tsr_type *type = resized(l, v->type, dim, 1, axis->size);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *exchange(lowering *l, tsr_build *b, tsr_value *v, int64_t split, int64_t concat,
                           const tsr_mesh *mesh, const tsr_axes *axes)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_TO_ALL, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_dimension] = tsr_attr_i64(l->ctx, split);
    op->attrs[STABLEHLO_ALL_TO_ALL_concat_dimension] = tsr_attr_i64(l->ctx, concat);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_count] = tsr_attr_i64(l->ctx, axes->size);
    op->attrs[STABLEHLO_ALL_TO_ALL_replica_groups] = groups_of(l, mesh, axes->data, axes->n);
    op->attrs[STABLEHLO_ALL_TO_ALL_channel_handle] = l->channel;
    tsr_type *type = resized(l, resized(l, v->type, split, 1, axes->size), concat, axes->size, 1);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* ---- sdy's ops ---- */

static enum tsr_opcode reducer_of(const tsr_op *op, int slot)
{
    int64_t i = op->attrs[slot] ? op->attrs[slot]->i : TSR_SDY_SUM;
    return tsr_reduce_opcode(tsr_reduce_from_sdy(i));
}

static bool lower_all_gather(lowering *l, tsr_op *op, const tsr_mesh *mesh)
{
    const tsr_attr *lists = op->attrs[SDY_ALL_GATHER_gathering_axes]->attrs[0];
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    for (uint32_t d = 0; d < v->type->n; d++) {
        const tsr_axes *axes = axes_at(l, mesh, lists, d);
        for (uint32_t i = axes->n; i-- > 0;)
            v = gather(l, &b, v, d, mesh, &axes->data[i]);
    }
    done(op, v);
    return true;
}

static bool lower_all_reduce(lowering *l, tsr_op *op, const tsr_mesh *mesh)
{
    const tsr_axes *axes =
        tsr_axes_decode(&l->table, mesh, op->attrs[SDY_ALL_REDUCE_reduction_axes]->attrs[0]);
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    for (uint32_t i = 0; axes && i < axes->n; i++)
        v = reduce(l, &b, v, reducer_of(op, SDY_ALL_REDUCE_reduction_op), mesh, &axes->data[i]);
    done(op, v);
    return true;
}

static bool lower_reduce_scatter(lowering *l, tsr_op *op, const tsr_mesh *mesh)
{
    const tsr_attr *lists = op->attrs[SDY_REDUCE_SCATTER_reduce_scatter_axes]->attrs[0];
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    for (uint32_t d = 0; d < v->type->n; d++) {
        const tsr_axes *axes = axes_at(l, mesh, lists, d);
        if (!divides(op, v->type, d, axes->size))
            return false;
        for (uint32_t i = 0; i < axes->n; i++)
            v = scatter(l, &b, v, d, reducer_of(op, SDY_REDUCE_SCATTER_reduction_op), mesh,
                        &axes->data[i]);
    }
    done(op, v);
    return true;
}

static bool lower_all_to_all(lowering *l, tsr_op *op, const tsr_mesh *mesh)
{
    const tsr_attr *params = op->attrs[SDY_ALL_TO_ALL_params]->attrs[0];
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    for (uint32_t i = 0; i < params->n; i++) {
        tsr_attr *const *p = params->attrs[i]->attrs;
        const tsr_axes *axes = tsr_axes_decode(&l->table, mesh, p[SDY_ALL_TO_ALL_PARAM_axes]);
        int64_t from = p[SDY_ALL_TO_ALL_PARAM_src]->i, to = p[SDY_ALL_TO_ALL_PARAM_tgt]->i;
        if (!axes || from < 0 || to < 0 || from >= v->type->n || to >= v->type->n)
            return tsr_op_error(op, "exchanges along axes or dimensions that there are not");
        if (!divides(op, v->type, to, axes->size))
            return false;
        if (axes->n)
            v = exchange(l, &b, v, to, from, mesh, axes);
    }
    done(op, v);
    return true;
}

/* By device: the index of its part of the tensor; parts are numbered dimension by dimension. */
static int64_t *parts_of(lowering *l, const tsr_sharding *s)
{
    tsr_axis_vec axes = {0};
    for (uint32_t d = 0; d < s->rank; d++)
        tsr_axis_vec_add_all(&axes, s->dims[d].axes->data, s->dims[d].axes->n);
    int64_t *parts = tsr_device_positions(l->p->scratch, s->mesh, axes.data, axes.n);
    tsr_vec_free(&axes);
    return parts;
}

/* Finds a source for the part that each device needs: itself if possible, and no source twice. */
static void match(lowering *l, const int64_t *has, const int64_t *wants, int64_t n, int64_t *source)
{
    bool *gives = TSR_NEW_ARRAY(l->p->scratch, bool, n + 1);
    int64_t *first = TSR_NEW_ARRAY(l->p->scratch, int64_t, n + 1),
            *next = TSR_NEW_ARRAY(l->p->scratch, int64_t, n + 1);
    for (int64_t i = 0; i < n; i++) {
        first[i] = -1;
        gives[i] = has[i] == wants[i];
    }
    for (int64_t i = n; i-- > 0;)
        if (!gives[i]) {
            next[i] = first[has[i]];
            first[has[i]] = i;
        }
    for (int64_t i = 0; i < n; i++) {
        source[i] = gives[i] ? i : first[wants[i]];
        if (!gives[i] && source[i] >= 0)
            first[wants[i]] = next[source[i]];
    }
}

/* in: the operand's sharding. Moves the same parts to other devices. */
static bool lower_permute(lowering *l, tsr_op *op, const tsr_sharding *in, const tsr_sharding *out)
{
    int64_t n = out->mesh->ndevice;
    if (!in || in->mesh->ndevice != n || !tsr_devices_ok(op, in->mesh))
        return tsr_op_error(op, "has no form in StableHLO: its operand has no sharding");
    int64_t *source = TSR_NEW_ARRAY(l->p->scratch, int64_t, n + 1), npair = 0;
    int64_t *pairs = TSR_NEW_ARRAY(l->p->scratch, int64_t, 2 * n + 1);
    match(l, parts_of(l, in), parts_of(l, out), n, source);
    for (int64_t i = 0; i < n; i++) {
        if (source[i] < 0)
            return tsr_op_error(op, "has no form in StableHLO: its shardings have other parts");
        pairs[2 * npair] = source[i];
        pairs[2 * npair++ + 1] = i;
    }
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    tsr_op *made = tsr_build_open(&b, TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, &v, 1, 1, 0);
    made->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] =
        tsr_i64_elements(l->ctx, l->root->module, (int64_t[]){npair, 2}, 2, pairs);
    made->attrs[STABLEHLO_COLLECTIVE_PERMUTE_channel_handle] = l->channel;
    done(op, &tsr_build_close_as(&b, made, &v->type)->out[0]);
    return true;
}

/* ---- Slices ---- */

typedef TSR_VEC(tsr_op *) op_vec;

/* The dimension becomes [parts, part]; device i receives part i from all devices, and keeps the first. */
static tsr_value *slice_one(lowering *l, tsr_build *b, tsr_value *v, uint32_t dim,
                            const tsr_mesh *mesh, const tsr_axis *axis, op_vec *made)
{
    uint32_t rank = v->type->n;
    int64_t *dims = TSR_NEW_ARRAY(l->p->scratch, int64_t, rank + 2);
    int64_t *starts = TSR_NEW_ARRAY(l->p->scratch, int64_t, rank + 2);
    int64_t *strides = TSR_NEW_ARRAY(l->p->scratch, int64_t, rank + 2);
    for (uint32_t i = 0, k = 0; i < rank; i++) {
        if (i == dim)
            dims[k++] = axis->size;
        dims[k++] = i == dim ? v->type->dims[i] / axis->size : v->type->dims[i];
    }
    for (uint32_t i = 0; i <= rank; i++)
        strides[i] = 1;
    tsr_type *type = resized(l, v->type, dim, 1, axis->size);
    tsr_axes *one = tsr_arena_alloc(l->p->scratch, sizeof *one + sizeof *axis);
    *one = (tsr_axes){.n = 1, .size = axis->size};
    one->data[0] = *axis;
    v = tsr_make_reshape(b, v, dims, rank + 1);
    tsr_vec_push(made, v->op);
    v = exchange(l, b, v, dim, dim, mesh, one);
    tsr_vec_push(made, v->op);
    dims[dim] = 1;
    v = tsr_make_slice(b, v, starts, dims, strides);
    tsr_vec_push(made, v->op);
    v = tsr_make_reshape(b, v, type->dims, rank);
    tsr_vec_push(made, v->op);
    return v;
}

/* A slice of a replicated value is one composite, which a backend may implement more directly. */
static tsr_value *as_composite(lowering *l, tsr_op *op, tsr_value *v, const op_vec *made)
{
    tsr_buf name = {0};
    uint32_t *count = l->ctx->as_peer ? &l->ctx->nslice : &l->nslice;
    do {
        name.len = 0;
        tsr_buf_printf(&name, "sdy.all_slice%u", ++*count);
    } while (tsr_symbols_find(&l->symbols, tsr_buf_text(&name)));
    tsr_value *in = op->in[0].value;
    tsr_op *callee =
        tsr_tt_outline(&l->symbols, tsr_buf_text(&name), &in, 1, &v, 1, made->data, made->n);
    tsr_named out = {tsr_name_get(l->ctx, TSR_STR("out_sharding")),
                     op->attrs[SDY_ALL_SLICE_out_sharding]};
    tsr_op *call = tsr_tt_composite(callee, op, TSR_STR("sdy.all_slice"),
                                    tsr_attr_dict(l->ctx, &out, 1), &in, 1);
    for (size_t i = made->n; i-- > 0;)
        tsr_op_erase(made->data[i]);
    tsr_buf_free(&name);
    return &call->out[0];
}

static bool lower_all_slice(lowering *l, tsr_op *op, const tsr_mesh *mesh, bool whole)
{
    const tsr_attr *lists = op->attrs[SDY_ALL_SLICE_slicing_axes]->attrs[0];
    tsr_value *v = op->in[0].value;
    tsr_build b = tsr_build_before(op);
    op_vec made = {0};
    for (uint32_t d = 0; d < v->type->n; d++) {
        const tsr_axes *axes = axes_at(l, mesh, lists, d);
        if (!divides(op, v->type, d, axes->size)) {
            tsr_vec_free(&made);
            return false;
        }
        for (uint32_t i = 0; i < axes->n; i++)
            v = slice_one(l, &b, v, d, mesh, &axes->data[i], &made);
    }
    if (whole && made.n)
        v = as_composite(l, op, v, &made);
    tsr_vec_free(&made);
    done(op, v);
    return true;
}

/* ---- The pass ---- */

/* in: the operand's sharding; NULL: replicated. */
static bool lower(lowering *l, tsr_op *op, tsr_attr *in)
{
    bool whole = !in || tsr_sdy_is_replicated(in);
    tsr_attr *out = tsr_sdy_own_sharding(op);
    tsr_collective kind = tsr_sdy_collective_of(op);
    if (kind == TSR_COLLECTIVE_UNREDUCE)
        return tsr_op_error(op, "has no form in StableHLO in this pipeline");
    const tsr_mesh *mesh = mesh_of(l, op, out);
    if (!mesh)
        return false;
    switch (kind) {
    case TSR_COLLECTIVE_GATHER: return lower_all_gather(l, op, mesh);
    case TSR_COLLECTIVE_REDUCE: return lower_all_reduce(l, op, mesh);
    case TSR_COLLECTIVE_SCATTER: return lower_reduce_scatter(l, op, mesh);
    case TSR_COLLECTIVE_EXCHANGE: return lower_all_to_all(l, op, mesh);
    case TSR_COLLECTIVE_SLICE: return lower_all_slice(l, op, mesh, whole);
    case TSR_COLLECTIVE_PERMUTE:
        return lower_permute(l, op, tsr_sharding_decode(&l->table, in),
                             tsr_sharding_decode(&l->table, out));
    default: return true;
    }
}

static bool is_collective(const tsr_op *op)
{
    tsr_collective kind = tsr_sdy_collective_of(op);
    return kind != TSR_COLLECTIVE_NONE && kind != TSR_COLLECTIVE_RESHARD;
}

/* Constants of flattened composites belong to their group, so in such modules constants are not moved. */
static bool has_groups(tsr_op *module)
{
    TSR_OPS (module, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT) &&
            tsr_dict_get(op->extra, TSR_STR("reoutline.group")))
            return true;
    return false;
}

static bool nothing(void *user, tsr_op *op)
{
    (void)user, (void)op;
    return false;
}

bool tsr_tt_lower_collectives(tsr_pass *p, tsr_op *module)
{
    lowering l = {.p = p, .ctx = p->ctx, .root = module};
    l.channel = tsr_attr_struct(p->ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE,
                                (tsr_attr *[]){tsr_attr_i64(p->ctx, 1), tsr_attr_i64(p->ctx, 1)});
    tsr_shardings_init(&l.table, p->scratch, module);
    tsr_symbols_init(&l.symbols, module);
    /* Lowered ops no longer have shardings, so those of operands are looked up first. */
    op_vec todo = {0};
    tsr_attr_vec in = {0};
    TSR_OPS (module, op)
        if (is_collective(op)) {
            tsr_vec_push(&todo, op);
            tsr_vec_push(&in, tsr_tt_sharding(op->in[0].value));
        }
    bool ok = true;
    for (size_t i = todo.n; i-- > 0;)
        if (!tsr_op_used(todo.data[i]))
            tsr_op_erase(todo.data[i]);
    for (size_t i = 0; ok && i < todo.n; i++)
        ok = !todo.data[i]->block || lower(&l, todo.data[i], in.data[i]);
    tsr_vec_free(&todo);
    tsr_vec_free(&in);
    tsr_symbols_free(&l.symbols);
    tsr_shardings_free(&l.table);
    return ok && tsr_tt_greedy(p, module, !has_groups(module), nothing, NULL);
}
