/* SPDX-License-Identifier: Apache-2.0 */
/* reshard_to_collectives.c - turns each reshard into the collectives that implement it (relayout.c plans them). Needs
 * nothing; keeps the shardings of all other values; breaks ids.
 *
 * A reshard stays if there is no such plan: from or to a single device, between meshes with different axes, or if axes
 * become or cease to be unreduced, which insert-explicit-reshards handles. */
#include "shard/passes.h"
#include "shard/core/relayout.h"
#include "shard/reshard/reshards.h"

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *arena;
    tsr_shardings table;
    bool keep_redundant;
    bool exact; /* the last slice produces the reshard's own sharding, including axes of size one */
} state;

static tsr_value *behind_barriers(tsr_value *v)
{
    while (!v->is_arg && tsr_op_is(v->op, TSR_OP_SDY_PROPAGATION_BARRIER))
        v = v->op->in[0].value;
    return v;
}

/* ---- Steps as ops ---- */

static tsr_attr *axis_refs(state *s, const tsr_mesh *mesh, const tsr_axis_list *list)
{
    return tsr_axes_encode(&s->table, mesh, tsr_axes_get(&s->table.lists, list->data, list->n));
}

static tsr_attr *per_dim(state *s, const tsr_mesh *mesh, const tsr_axis_list *lists, uint32_t rank)
{
    tsr_attr **all = TSR_NEW_ARRAY(s->arena, tsr_attr *, rank);
    for (uint32_t d = 0; d < rank; d++) {
        tsr_attr *refs = axis_refs(s, mesh, &lists[d]);
        all[d] = tsr_attr_struct(s->ctx, &tsr_def_SDY_AXIS_REF_LIST, &refs);
    }
    tsr_attr *array = tsr_attr_array(s->ctx, all, rank);
    return tsr_attr_struct(s->ctx, &tsr_def_SDY_LIST_OF_AXIS_REF_LISTS, &array);
}

static tsr_attr *exchange_params(state *s, const tsr_mesh *mesh, const tsr_relayout_step *step)
{
    tsr_attr *params[] = {axis_refs(s, mesh, step->axes), tsr_attr_i64(s->ctx, step->src),
                          tsr_attr_i64(s->ctx, step->tgt)};
    tsr_attr *param = tsr_attr_struct(s->ctx, &tsr_def_SDY_ALL_TO_ALL_PARAM, params);
    tsr_attr *array = tsr_attr_array(s->ctx, &param, 1);
    return tsr_attr_struct(s->ctx, &tsr_def_SDY_ALL_TO_ALL_PARAM_LIST, &array);
}

static tsr_value *insert_op(state *s, tsr_op *at, enum tsr_opcode opcode, tsr_value *in,
                            int axes_slot, tsr_attr *axes, int out_slot, tsr_attr *out)
{
    tsr_op *op =
        tsr_op_new(at->module, tsr_opdef_of(s->ctx, opcode), at->loc, &in, 1, &in->type, 1, 0, 0);
    if (axes)
        op->attrs[axes_slot] = axes;
    op->attrs[out_slot] = out;
    tsr_op_insert(op, at->block, at);
    return &op->out[0];
}

static tsr_value *insert_step(state *s, tsr_op *at, tsr_value *in, const tsr_relayout_step *step,
                              const tsr_sharding *from, const tsr_sharding *to)
{
    /* A different name for the same devices is not used: nothing moves there. */
    bool other = step->target_mesh && !tsr_mesh_same(from->mesh, to->mesh);
    const tsr_mesh *mesh = other ? to->mesh : from->mesh;
    tsr_dim_sharding *dims = TSR_NEW_ARRAY(s->arena, tsr_dim_sharding, to->rank);
    for (uint32_t d = 0; d < to->rank; d++) {
        const tsr_axis_list *l = &step->sharding[d];
        dims[d] = (tsr_dim_sharding){tsr_axes_get(&s->table.lists, l->data, l->n), -1, true};
    }
    tsr_attr *out = tsr_sharding_encode(&s->table, tsr_sharding_get(&s->table, mesh, dims, to->rank,
                                                                    s->table.lists.none,
                                                                    to->unreduced, to->reduction));
    switch (step->kind) {
    case TSR_STEP_SLICE:
        return insert_op(s, at, TSR_OP_SDY_ALL_SLICE, in, SDY_ALL_SLICE_slicing_axes,
                         per_dim(s, mesh, step->axes, to->rank), SDY_ALL_SLICE_out_sharding, out);
    case TSR_STEP_PERMUTE:
        return insert_op(s, at, TSR_OP_SDY_COLLECTIVE_PERMUTE, in, 0, NULL,
                         SDY_COLLECTIVE_PERMUTE_out_sharding, out);
    case TSR_STEP_ALL_TO_ALL:
        return insert_op(s, at, TSR_OP_SDY_ALL_TO_ALL, in, SDY_ALL_TO_ALL_params,
                         exchange_params(s, mesh, step), SDY_ALL_TO_ALL_out_sharding, out);
    case TSR_STEP_GATHER:
        return insert_op(s, at, TSR_OP_SDY_ALL_GATHER, in, SDY_ALL_GATHER_gathering_axes,
                         per_dim(s, mesh, step->axes, to->rank), SDY_ALL_GATHER_out_sharding, out);
    }
    return in;
}

/* ---- Reshards ---- */

static const tsr_axes **axes_of(state *s, const tsr_sharding *sharding)
{
    const tsr_axes **axes = TSR_NEW_ARRAY(s->arena, const tsr_axes *, sharding->rank);
    for (uint32_t d = 0; d < sharding->rank; d++)
        axes[d] = sharding->dims[d].axes;
    return axes;
}

static bool has_axis(const tsr_axis_list *list, tsr_axis a)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (tsr_axis_eq(list->data[i], a))
            return true;
    return false;
}

/* Axes of size one divide nothing, so plans omit them: the last slice adds those that the target has. */
static void add_unit_axes(state *s, tsr_relayout_step *last, const tsr_sharding *to)
{
    for (uint32_t d = 0; d < to->rank; d++) {
        const tsr_axes *axes = to->dims[d].axes;
        tsr_axis_list slicing = {0}, all = {0};
        for (uint32_t i = 0; i < axes->n; i++) {
            tsr_axis a = axes->data[i];
            bool missing = a.size == 1 && !has_axis(&last->sharding[d], a);
            if (missing || has_axis(&last->sharding[d], a))
                tsr_axis_list_push(s->arena, &all, a);
            if (missing || has_axis(&last->axes[d], a))
                tsr_axis_list_push(s->arena, &slicing, a);
        }
        last->axes[d] = slicing;
        last->sharding[d] = all;
    }
}

/* Returns the replacement of the reshard's result; NULL: the reshard stays. */
static tsr_value *convert(state *s, tsr_op *op)
{
    tsr_value *in = behind_barriers(op->in[0].value);
    const tsr_sharding *to = tsr_sharding_decode(&s->table, op->attrs[SDY_RESHARD_sharding]);
    tsr_attr *in_attr = tsr_sdy_sharding_of(in);
    const tsr_sharding *from = tsr_sharding_decode(&s->table, in_attr);
    if (!to || (in_attr && !from))
        return NULL;
    if (s->keep_redundant && tsr_sharding_equivalent(from, to))
        return NULL;
    if (!from)
        from = tsr_sharding_empty(&s->table, to->mesh, to->rank, false);
    if (from->mesh->maximal || to->mesh->maximal || from->rank != to->rank ||
        from->unreduced != to->unreduced)
        return NULL;
    if (tsr_sharding_is_replicated(to)) {
        if (tsr_sharding_is_replicated(from))
            return op->in[0].value;
        to = tsr_sharding_get(&s->table, from->mesh, to->dims, to->rank, to->replicated,
                              to->unreduced, to->reduction);
    }
    const tsr_type *type = op->out[0].type;
    bool shaped = tsr_type_is_shaped(type) && type->n == to->rank;
    if (!tsr_mesh_same_axes(from->mesh, to->mesh) || (to->rank && !shaped))
        return NULL;
    tsr_relayout r = {.rank = to->rank,
                      .dims = type->dims,
                      .from = axes_of(s, from),
                      .to = axes_of(s, to),
                      .same_mesh = tsr_mesh_same(from->mesh, to->mesh)};
    tsr_relayout_step *step = tsr_relayout_plan(s->arena, &r);
    for (tsr_relayout_step *last = step; s->exact && last; last = last->next)
        if (!last->next && last->kind == TSR_STEP_SLICE)
            add_unit_axes(s, last, to);
    for (; step; step = step->next)
        in = insert_step(s, op, in, step, from, to);
    return in;
}

bool pass_sdy_reshard_to_collectives(tsr_pass *p, tsr_op *root)
{
    tsr_op *module = tsr_block_parent(root->block);
    if (!module)
        return true;
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    state s = {.ctx = p->ctx,
               .arena = &arena,
               .keep_redundant = tsr_pass_bool(p, "keep-redundant-reshards"),
               .exact = tsr_pass_bool(p, "exact-shardings")};
    bool ready = false;
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_SDY_RESHARD))
            continue;
        if (!ready)
            tsr_shardings_init_lazy(&s.table, p->scratch, module);
        ready = true;
        tsr_arena_mark mark = tsr_arena_save(&arena);
        tsr_value *v = convert(&s, op);
        tsr_arena_rewind(&arena, mark);
        if (!v)
            continue;
        tsr_value_replace(&op->out[0], v);
        tsr_op_erase(op);
        p->changed = true;
    }
    if (ready)
        tsr_shardings_free(&s.table);
    tsr_arena_free(&arena);
    return true;
}
