/* SPDX-License-Identifier: Apache-2.0 */
/* reshards.c - see reshards.h: shardings of values, and the ops that change them. */
#include "shard/reshard/reshards.h"

#include "shard/core/flow.h"

void tsr_resharder_init(tsr_resharder *s, tsr_op *root, tsr_arena *arena, tsr_arena *scratch)
{
    *s = (tsr_resharder){.ctx = root->module->ctx, .module = root->module, .arena = arena};
    if (tsr_op_is(root, TSR_OP_BUILTIN_MODULE))
        tsr_shardings_init(&s->table, scratch, root);
    else
        tsr_shardings_init_lazy(&s->table, scratch, tsr_block_parent(root->block));
}

void tsr_resharder_free(tsr_resharder *s)
{
    tsr_shardings_free(&s->table);
    tsr_map_free(&s->callees);
}

/* A call that was resolved. */
typedef struct {
    const tsr_attr *name;
    tsr_op *func;
} resolved;

tsr_op *tsr_callee(tsr_resharder *s, const tsr_op *call)
{
    const tsr_attr *name = call->attrs[FUNC_CALL_callee];
    uint64_t hash = tsr_hash_ptr(name);
    TSR_MAP_EACH (&s->callees, hash, found) {
        const resolved *r = found;
        if (r->name == name)
            return r->func;
    }
    const tsr_meshes *meshes = &s->table.meshes;
    resolved *r = TSR_NEW(s->table.arena, resolved);
    r->name = name;
    if (tsr_attr_is(name, TSR_ATTR_SYMBOL))
        r->func = meshes->symbols.op ? tsr_symtab_find(&meshes->symbols, name->s)
                                     : tsr_symbol_find(meshes->module, name->s);
    if (r->func && !tsr_op_has(r->func, TSR_TRAIT(FUNCTION)))
        r->func = NULL;
    tsr_map_put(&s->callees, hash, r);
    return r->func;
}

/* ---- Shardings ---- */

static bool has_no_axes(const tsr_sharding *a)
{
    return !a || (tsr_sharding_is_replicated(a) && !a->unreduced->n);
}

bool tsr_sharding_equivalent(const tsr_sharding *a, const tsr_sharding *b)
{
    if (a == b)
        return true;
    if (!a)
        return tsr_sharding_is_replicated(b);
    if (has_no_axes(a) || has_no_axes(b))
        return has_no_axes(a) && has_no_axes(b);
    if (a->mesh != b->mesh || a->unreduced != b->unreduced || a->rank != b->rank)
        return false;
    for (uint32_t d = 0; d < a->rank; d++)
        if (a->dims[d].axes != b->dims[d].axes)
            return false;
    return true;
}

const tsr_sharding *tsr_value_sharding(tsr_resharder *s, const tsr_value *v)
{
    return tsr_sharding_decode(&s->table, tsr_sdy_sharding_of(v));
}

const tsr_sharding *tsr_value_sharding_behind_barriers(tsr_resharder *s, const tsr_value *v)
{
    while (!v->is_arg && tsr_op_is(v->op, TSR_OP_SDY_PROPAGATION_BARRIER))
        v = v->op->in[0].value;
    return tsr_value_sharding(s, v);
}

const tsr_sharding *tsr_value_sharding_or_closed(tsr_resharder *s, const tsr_value *v,
                                                 const tsr_mesh *mesh)
{
    const tsr_sharding *a = tsr_value_sharding(s, v);
    return a ? a : tsr_sharding_empty(&s->table, mesh, tsr_value_rank(v), true);
}

const tsr_sharding *tsr_closed_like(tsr_resharder *s, const tsr_sharding *a)
{
    return tsr_sharding_empty(&s->table, a->mesh, a->rank, true);
}

/* ---- Ops ---- */

static tsr_op *insert_op(tsr_resharder *s, tsr_place at, enum tsr_opcode opcode, tsr_value *v)
{
    tsr_op *op = tsr_op_new(s->module, tsr_opdef_of(s->ctx, opcode), tsr_value_loc(v), &v, 1,
                            &v->type, 1, 0, 0);
    tsr_op_insert(op, at.block, at.before);
    return op;
}

tsr_value *tsr_insert_reshard(tsr_resharder *s, tsr_place at, tsr_value *v, const tsr_sharding *to)
{
    tsr_op *op = insert_op(s, at, TSR_OP_SDY_RESHARD, v);
    op->attrs[SDY_RESHARD_sharding] = tsr_sharding_encode(&s->table, to);
    return &op->out[0];
}

static tsr_attr *axis_ref_list(tsr_resharder *s, const tsr_mesh *mesh, const tsr_axes *axes)
{
    tsr_attr *refs = tsr_axes_encode(&s->table, mesh, axes);
    return tsr_attr_struct(s->ctx, &tsr_def_SDY_AXIS_REF_LIST, &refs);
}

tsr_value *tsr_insert_all_reduce(tsr_resharder *s, tsr_place at, tsr_value *v, const tsr_mesh *mesh,
                                 const tsr_axes *axes, tsr_sdy_reduction how,
                                 const tsr_sharding *to)
{
    tsr_op *op = insert_op(s, at, TSR_OP_SDY_ALL_REDUCE, v);
    op->attrs[SDY_ALL_REDUCE_reduction_axes] = axis_ref_list(s, mesh, axes);
    op->attrs[SDY_ALL_REDUCE_reduction_op] =
        how == TSR_SDY_SUM ? NULL : tsr_attr_i32(s->ctx, (int32_t)how);
    op->attrs[SDY_ALL_REDUCE_out_sharding] = tsr_sharding_encode(&s->table, to);
    return &op->out[0];
}

void tsr_replace_behind(tsr_value *from, tsr_value *to)
{
    tsr_flow_move_uses(from, to, to->op);
}

static void set_use(tsr_use *use, tsr_value *v)
{
    tsr_op_set_operand(use->user, (size_t)(use - use->user->in), v);
}

/* ---- Unreduced axes ---- */

static const tsr_sharding *with_unreduced(tsr_resharder *s, const tsr_sharding *a,
                                          const tsr_axes *unreduced)
{
    return tsr_sharding_get(&s->table, a->mesh, a->dims, a->rank, a->replicated, unreduced,
                            a->reduction);
}

bool tsr_reduce_use(tsr_resharder *s, tsr_place at, tsr_use *use, const tsr_sharding **from,
                    const tsr_sharding *to)
{
    const tsr_sharding *in = *from;
    if (!in || !in->unreduced->n)
        return true;
    tsr_axis_lists *lists = &s->table.lists;
    if (to && !tsr_mesh_same(in->mesh, to->mesh))
        return tsr_error(s->ctx, use->user->loc,
                         "source and user shardings have different meshes for unreduced axes");
    const tsr_axes *axes = tsr_axes_minus(lists, in->unreduced, tsr_unreduced_of(s, to));
    if (!axes->n)
        return true;
    /* Axes that are reduced elsewhere must also be in mesh order, as verification requires. */
    *from = with_unreduced(s, in, tsr_axes_minus(lists, in->unreduced, axes));
    set_use(use, tsr_insert_all_reduce(s, at, use->value, in->mesh, axes, in->reduction, *from));
    return true;
}

/* The axes of inner after those of outer, which inner continues. */
static const tsr_axes *continuation(tsr_resharder *s, const tsr_axes *outer, const tsr_axes *inner)
{
    tsr_axis_vec v = {0};
    uint32_t n = outer->n;
    tsr_axis rest;
    if (n && !tsr_axis_eq(outer->data[n - 1], inner->data[n - 1]) &&
        tsr_axis_behind(inner->data[n - 1], outer->data[n - 1], &rest))
        tsr_vec_push(&v, rest);
    tsr_axis_vec_add_all(&v, inner->data + n, inner->n - n);
    const tsr_axes *axes = tsr_axes_get(&s->table.lists, v.data, v.n);
    tsr_vec_free(&v);
    return axes;
}

static tsr_attr *per_dim(tsr_resharder *s, const tsr_mesh *mesh, const tsr_axes *const *axes,
                         uint32_t rank)
{
    tsr_attr **all = TSR_NEW_ARRAY(s->arena, tsr_attr *, rank);
    for (uint32_t d = 0; d < rank; d++)
        all[d] = axis_ref_list(s, mesh, axes[d]);
    tsr_attr *array = tsr_attr_array(s->ctx, all, rank);
    return tsr_attr_struct(s->ctx, &tsr_def_SDY_LIST_OF_AXIS_REF_LISTS, &array);
}

/* How axes become unreduced: from sharded (removed from the end of a dimension), the others from replicated. */
typedef struct {
    const tsr_axes *both, *sharded, *replicated;
    const tsr_axes **lost;  /* sharded ones, by dimension */
    tsr_dim_sharding *dims; /* before the sharded ones are removed */
    bool reshard;           /* dims differ from the input's */
} unreduction;

static void plan_unreduction(tsr_resharder *s, const tsr_sharding *in, const tsr_sharding *to,
                             unreduction *u)
{
    tsr_axis_lists *lists = &s->table.lists;
    tsr_axis_vec sharded = {0};
    u->lost = TSR_NEW_ARRAY(s->arena, const tsr_axes *, to->rank);
    u->dims = tsr_arena_copy(s->arena, to->dims, to->rank * sizeof *to->dims);
    for (uint32_t d = 0; d < to->rank; d++) {
        const tsr_axes *from = in->dims[d].axes, *axes = to->dims[d].axes;
        u->lost[d] = lists->none;
        tsr_prefix prefix = tsr_axes_prefix(axes, from);
        u->reshard |= prefix == TSR_NOT_PREFIX;
        if (prefix != TSR_STRICT_PREFIX)
            continue;
        const tsr_axes *rest = continuation(s, axes, from);
        if (tsr_axes_minus(lists, rest, u->both)->n) {
            u->reshard = true;
            continue;
        }
        u->lost[d] = rest;
        tsr_axis_vec_add_all(&sharded, rest->data, rest->n);
        u->dims[d] = in->dims[d];
    }
    u->sharded = tsr_axes_get(lists, sharded.data, sharded.n);
    u->replicated = tsr_axes_minus(lists, u->both, u->sharded);
    tsr_vec_free(&sharded);
}

bool tsr_unreduce_use(tsr_resharder *s, tsr_place at, tsr_use *use, const tsr_sharding *to,
                      const tsr_sharding **to_now)
{
    *to_now = NULL;
    const tsr_sharding *in = to && to->unreduced->n ? tsr_value_sharding(s, use->value) : NULL;
    if (!in)
        return true;
    tsr_axis_lists *lists = &s->table.lists;
    unreduction u = {.both = lists->none};
    if (!tsr_mesh_same(in->mesh, to->mesh))
        return tsr_error(
            s->ctx, use->user->loc,
            "input and output shardings have different meshes, and the output has unreduced axes");
    u.both = tsr_axes_minus(lists, to->unreduced, in->unreduced);
    if (!u.both->n || in->rank != to->rank)
        return true;
    if (tsr_axes_minus(lists, in->unreduced, to->unreduced)->n)
        return tsr_error(s->ctx, use->user->loc,
                         "both input and output have unreduced axes that the other does not have");
    plan_unreduction(s, in, to, &u);

    tsr_value *v = use->value;
    const tsr_mesh *mesh = in->mesh;
    if (u.reshard)
        v = tsr_insert_reshard(s, at, v, tsr_sharding_with(&s->table, in, u.dims));
    if (u.replicated->n) {
        const tsr_axes *all =
            tsr_axes_sorted(lists, tsr_axes_join(lists, in->unreduced, u.replicated));
        *to_now =
            tsr_sharding_get(&s->table, mesh, u.dims, to->rank, to->replicated, all, to->reduction);
        tsr_op *op = insert_op(s, at, TSR_OP_SDY_REPLICATED_TO_UNREDUCED, v);
        op->attrs[SDY_REPLICATED_TO_UNREDUCED_axes] = axis_ref_list(s, mesh, u.replicated);
        op->attrs[SDY_REPLICATED_TO_UNREDUCED_out_sharding] =
            tsr_sharding_encode(&s->table, *to_now);
        v = &op->out[0];
    }
    if (u.sharded->n) {
        tsr_op *op = insert_op(s, at, TSR_OP_SDY_SHARDED_TO_UNREDUCED, v);
        op->attrs[SDY_SHARDED_TO_UNREDUCED_axes] = per_dim(s, mesh, u.lost, to->rank);
        op->attrs[SDY_SHARDED_TO_UNREDUCED_out_sharding] = tsr_sharding_encode(&s->table, to);
        *to_now = to;
        v = &op->out[0];
    }
    set_use(use, v);
    return true;
}
