/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. */
#include "shard/core/cost.h"

#include "dialect/sdy/axes.h"
#include "shard/core/relayout.h"

/* ---- Parts of tensors ---- */

static int64_t part_of(int64_t dim, int64_t parts)
{
    if (dim < 0 || parts <= 1)
        return dim;
    return dim / parts + (dim % parts != 0);
}

void tsr_local_dims(const tsr_type *type, const tsr_sharding *s, int64_t *dims)
{
    for (uint32_t d = 0; d < type->n; d++)
        dims[d] = part_of(type->dims[d], s && d < s->rank ? s->dims[d].axes->size : 1);
}

static bool is_ranked_tensor(const tsr_type *type)
{
    return tsr_type_is(type, TSR_TYPE_TENSOR);
}

tsr_type *tsr_local_type(tsr_ctx *ctx, tsr_type *type, const tsr_sharding *s)
{
    if (!is_ranked_tensor(type) || !type->n || !s)
        return type;
    int64_t few[16], *dims = type->n <= TSR_COUNT(few) ? few : tsr_xmalloc(type->n * sizeof *dims);
    tsr_local_dims(type, s, dims);
    tsr_type *local = tsr_type_tensor(ctx, dims, type->n, type->elem, type->attr);
    if (dims != few)
        tsr_free(dims);
    return local;
}

/* Bytes of a tensor whose dimension d is divided into parts(d) parts; NULL: into one. */
static int64_t bytes_of(const tsr_type *type, int64_t (*parts)(const void *user, uint32_t d),
                        const void *user)
{
    if (!is_ranked_tensor(type))
        return tsr_type_is_shaped(type) ? -1 : 0;
    uint32_t bits = tsr_type_storage_bits(type->elem);
    if (!bits)
        return -1;
    int64_t n = (bits + 7) / 8;
    for (uint32_t d = 0; d < type->n; d++) {
        if (type->dims[d] < 0)
            return -1;
        n = tsr_sdy_mul(n, parts ? part_of(type->dims[d], parts(user, d)) : type->dims[d]);
    }
    return n;
}

bool tsr_arg_is_donated(const tsr_op *func, uint32_t i)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *own = tsr_attr_is(all, TSR_ATTR_ARRAY) && i < all->n ? all->attrs[i] : NULL;
    return tsr_dict_get(own, TSR_STR("tf.aliasing_output")) ||
           tsr_dict_get(own, TSR_STR("jax.buffer_donor"));
}

static int64_t parts_of_sharding(const void *user, uint32_t d)
{
    const tsr_sharding *s = user;
    return s && d < s->rank ? s->dims[d].axes->size : 1;
}

int64_t tsr_local_bytes(const tsr_type *type, const tsr_sharding *s)
{
    if (!s)
        return bytes_of(type, NULL, NULL);
    return bytes_of(type, parts_of_sharding, s);
}

static int64_t parts_of_step(const void *user, uint32_t d)
{
    return tsr_axis_list_size(&((const tsr_axis_list *)user)[d]);
}

/* ---- Collectives ---- */

static int64_t all_but_own(int64_t bytes, int64_t n)
{
    return n > 1 ? bytes - bytes / n : 0;
}

static int64_t gathered(int64_t bytes, int64_t n)
{
    return n > 1 ? tsr_sdy_mul(bytes, n - 1) : 0;
}

int64_t tsr_collective_bytes(tsr_collective kind, int64_t bytes, int64_t n)
{
    switch (kind) {
    case TSR_COLLECTIVE_GATHER: return gathered(bytes, n);
    case TSR_COLLECTIVE_EXCHANGE:
    case TSR_COLLECTIVE_SCATTER: return all_but_own(bytes, n);
    case TSR_COLLECTIVE_REDUCE: return tsr_sdy_mul(2, all_but_own(bytes, n));
    case TSR_COLLECTIVE_PERMUTE:
    case TSR_COLLECTIVE_BROADCAST: return bytes;
    default: return 0;
    }
}

static int64_t sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* The axes in field number field of each element of a list, concatenated. */
static const tsr_axes *axes_of_lists(tsr_shardings *table, const tsr_mesh *mesh,
                                     const tsr_attr *lists, size_t field)
{
    const tsr_axes *all = table->lists.none;
    const tsr_attr *array = lists ? lists->attrs[0] : NULL;
    for (uint32_t i = 0; array && i < array->n; i++) {
        const tsr_axes *more = tsr_axes_decode(table, mesh, array->attrs[i]->attrs[field]);
        if (more)
            all = tsr_axes_join(&table->lists, all, more);
    }
    return all;
}

/* The axes of an axis_ref_list. */
static const tsr_axes *axes_of_list(tsr_shardings *table, const tsr_mesh *mesh,
                                    const tsr_attr *list)
{
    const tsr_axes *axes = list ? tsr_axes_decode(table, mesh, list->attrs[0]) : NULL;
    return axes ? axes : table->lists.none;
}

/* Axes that shard a dimension on one side, and none or another dimension on the other. */
static const tsr_axes *changed_axes(tsr_shardings *table, const tsr_sharding *from,
                                    const tsr_sharding *to)
{
    tsr_axis_lists *lists = &table->lists;
    const tsr_axes *all = lists->none;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t d = 0; d < to->rank; d++) {
            const tsr_axes *a = k ? to->dims[d].axes : from->dims[d].axes;
            const tsr_axes *b = k ? from->dims[d].axes : to->dims[d].axes;
            uint32_t same = 0;
            while (same < a->n && same < b->n && tsr_axis_eq(a->data[same], b->data[same]))
                same++;
            const tsr_axes *rest = tsr_axes_get(lists, a->data + same, a->n - same);
            all = tsr_axes_join(lists, all, tsr_axes_minus(lists, rest, all));
        }
    return tsr_axes_sorted(lists, all);
}

static bool reshard_cost(tsr_shardings *table, const tsr_op *op, const tsr_sharding *from,
                         const tsr_sharding *to, tsr_move_cost *c)
{
    const tsr_type *type = op->out[0].type;
    bool replicated = tsr_sharding_is_replicated(to);
    if (from->mesh->maximal || to->mesh->maximal || (to->rank && type->n != to->rank) ||
        (!replicated && !tsr_mesh_same_axes(from->mesh, to->mesh)))
        return false;
    c->mesh = replicated ? from->mesh : to->mesh;
    c->axes = changed_axes(table, from, to);
    c->ndevice = c->axes->size;
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &table->ctx->pool);
    const tsr_axes **axes = tsr_arena_alloc(&arena, 2 * (size_t)to->rank * sizeof *axes);
    for (uint32_t d = 0; d < to->rank; d++) {
        axes[d] = from->dims[d].axes;
        axes[to->rank + d] = to->dims[d].axes;
    }
    /* If the target has no axes, no devices have to swap places. */
    tsr_relayout r = {.rank = to->rank,
                      .dims = type->dims,
                      .from = axes,
                      .to = axes + to->rank,
                      .same_mesh = replicated || tsr_mesh_same(from->mesh, to->mesh)};
    int64_t now = c->before;
    for (const tsr_relayout_step *s = tsr_relayout_plan(&arena, &r); s; s = s->next) {
        int64_t n = 1, moved = 0;
        for (uint32_t d = 0; s->axes && d < (s->kind == TSR_STEP_ALL_TO_ALL ? 1 : to->rank); d++)
            n = tsr_sdy_mul(n, tsr_axis_list_size(&s->axes[d]));
        switch (s->kind) {
        case TSR_STEP_SLICE: break;
        case TSR_STEP_PERMUTE: moved = now; break;
        case TSR_STEP_ALL_TO_ALL: moved = all_but_own(now, n); break;
        case TSR_STEP_GATHER: moved = gathered(now, n); break;
        }
        c->nstep += s->kind != TSR_STEP_SLICE;
        c->moved = sum(c->moved, moved);
        now = bytes_of(type, parts_of_step, s->sharding);
    }
    tsr_arena_free(&arena);
    return true;
}

/* The axes of a collective: as lists by dimension, as one list, or in the parameters of an all-to-all. */
static const tsr_axes *own_axes(tsr_shardings *table, const tsr_mesh *mesh, const tsr_op *op)
{
    const tsr_attr *a = op->attrs[tsr_kinds_of(op).groups];
    if (tsr_attr_is_struct(a, &tsr_def_SDY_AXIS_REF_LIST))
        return axes_of_list(table, mesh, a);
    return axes_of_lists(
        table, mesh, a,
        tsr_attr_is_struct(a, &tsr_def_SDY_ALL_TO_ALL_PARAM_LIST) ? SDY_ALL_TO_ALL_PARAM_axes : 0);
}

bool tsr_move_cost_of(tsr_shardings *table, const tsr_op *op, tsr_move_cost *out)
{
    if (op->nin != 1 || op->nout != 1)
        return false;
    const tsr_sharding *to = tsr_sharding_decode(table, tsr_sdy_sharding_of(&op->out[0]));
    const tsr_sharding *from = tsr_sharding_decode(table, tsr_sdy_sharding_of(op->in[0].value));
    if (!to)
        return false;
    if (!from)
        from = tsr_sharding_empty(table, to->mesh, to->rank, true);
    if (from->rank != to->rank)
        return false;
    *out = (tsr_move_cost){.mesh = to->mesh, .axes = table->lists.none, .ndevice = 1};
    out->before = tsr_local_bytes(op->in[0].value->type, from);
    out->after = tsr_local_bytes(op->out[0].type, to);
    if (out->before < 0 || out->after < 0)
        return false;
    const tsr_mesh *mesh = to->mesh;
    tsr_collective kind = tsr_sdy_collective_of(op);
    if (kind == TSR_COLLECTIVE_NONE)
        return false;
    if (kind == TSR_COLLECTIVE_RESHARD)
        return reshard_cost(table, op, from, to, out);
    out->axes =
        kind == TSR_COLLECTIVE_PERMUTE ? changed_axes(table, from, to) : own_axes(table, mesh, op);
    if (kind != TSR_COLLECTIVE_PERMUTE)
        out->moved = tsr_collective_bytes(kind, out->before, out->axes->size);
    else if (out->axes->n || !tsr_mesh_same(from->mesh, mesh))
        out->moved = out->before;
    out->ndevice = out->axes->size;
    out->nstep = out->moved > 0;
    return true;
}
