/* SPDX-License-Identifier: Apache-2.0 */
/* local.c - sdy-convert-global-to-local: the program that each device runs, with local shapes;
 * sdy-drop-sharding-and-mesh: removes the shardings, which are no longer needed.
 *
 * Most ops work on shards as on global tensors; the others have a pattern in local_of. What Shardy's conversion cannot
 * do is an error here as well, though Shardy may abort where we report an error. */
#include "shard/local/local.h"

#include "dialect/sdy/axes.h"
#include "shard/core/each.h"
#include "shard/passes.h"

/* ---- Helpers that patterns share ---- */

void tsr_local_note(tsr_local *s, const tsr_value *v, const tsr_value *old)
{
    while (s->values.n <= v->id || s->values.n <= old->id)
        tsr_vec_push(&s->values, (tsr_local_value){0});
    s->values.data[v->id] = s->values.data[old->id];
}

void tsr_local_replace(tsr_local *s, tsr_op *op, tsr_value *v)
{
    tsr_local_note(s, v, &op->out[0]);
    tsr_value_replace(&op->out[0], v);
    tsr_op_erase(op);
}

tsr_value *tsr_local_offset(tsr_local *s, tsr_build *b, const tsr_mesh *mesh, const tsr_axes *axes,
                            int64_t size)
{
    int64_t *table = tsr_device_positions(s->arena, mesh, axes->data, axes->n);
    tsr_value *id = tsr_make_device_id(b, s->replicas);
    for (int64_t i = 0; i < mesh->ndevice; i++)
        table[i] = tsr_sdy_mul(table[i], size);
    return tsr_make_lookup(b, tsr_make_ints(b, table, mesh->ndevice), id);
}

tsr_value *tsr_local_part(tsr_local *s, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                          const tsr_axes *const *axes, tsr_type *type)
{
    tsr_value **starts = TSR_NEW_ARRAY(s->arena, tsr_value *, type->n + 1);
    tsr_assert(v->type->n == type->n, "a part of rank %u of a tensor of rank %u", type->n,
               v->type->n);
    for (uint32_t d = 0; d < type->n; d++)
        tsr_assert(type->dims[d] <= v->type->dims[d] / axes[d]->size,
                   "%lld parts of %lld elements in dimension %u of %lld", (long long)axes[d]->size,
                   (long long)type->dims[d], d, (long long)v->type->dims[d]);
    for (uint32_t d = 0; d < type->n; d++)
        starts[d] = axes[d]->n ? tsr_local_offset(s, b, mesh, axes[d], type->dims[d])
                               : tsr_make_int(b, s->ctx->i64, 0);
    return tsr_make_dynamic_slice(b, v, starts, type);
}

bool tsr_local_reduced(tsr_local *s, const tsr_op *op, const tsr_mesh *mesh,
                       const tsr_axis_vec *axes)
{
    const tsr_use *use = op->out[0].uses;
    if (!use || use->next || tsr_sdy_collective_of(use->user) != TSR_COLLECTIVE_REDUCE)
        return tsr_op_error(op,
                            "sums over sharded dimensions, and is not used by one sdy.all_reduce"
                            " alone");
    const tsr_attr *list = use->user->attrs[tsr_kinds_of(use->user).groups];
    const tsr_axes *want = tsr_axes_get(&s->table.lists, axes->data, axes->n);
    const tsr_axes *have = tsr_axes_decode(&s->table, mesh, list->attrs[0]);
    if (have && tsr_axes_sorted(&s->table.lists, have) == tsr_axes_sorted(&s->table.lists, want))
        return true;
    return tsr_op_error(op,
                        "sums over other sharded axes than those of the sdy.all_reduce behind it");
}

bool tsr_local_mismatch(tsr_local *s, const tsr_op *op, int64_t dim, const tsr_sharding *a,
                        const tsr_sharding *b)
{
    tsr_buf buf = {0};
    const tsr_sharding *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        const tsr_axes *axes = tsr_local_axes(s, both[i], dim);
        tsr_attr *list = both[i] ? tsr_axes_encode(&s->table, both[i]->mesh, axes)
                                 : tsr_attr_array(s->ctx, NULL, 0);
        tsr_buf_cstr(&buf, i ? " vs " : "");
        tsr_sdy_axes_print(&buf, list->attrs, list->n);
    }
    tsr_op_error(
        op,
        "dimension %lld has mismatched sharding axes (%.*s). This requires a reshard which "
        "should have been handled by previous passes.",
        (long long)dim, (int)buf.len, buf.data);
    tsr_buf_free(&buf);
    return false;
}

/* ---- Types ---- */

/* The local type; NULL: the axes of dimension *bad do not divide it. */
static tsr_type *part_type(tsr_type *type, const tsr_sharding *a, uint32_t *bad)
{
    return tsr_type_is(type, TSR_TYPE_TENSOR) && !tsr_local_replicated(a)
               ? tsr_sharding_local_type(a, type, TSR_UNEVEN_FAILS, bad)
               : type;
}

static bool not_divisible(tsr_ctx *ctx, tsr_loc loc, const tsr_type *type, const tsr_sharding *a,
                          uint32_t d)
{
    return tsr_error(ctx, loc,
                     "dimension %u of size %lld is sharded %lld ways, which does not divide it; "
                     "sdy-pad-for-divisibility pads it",
                     d, (long long)type->dims[d], (long long)a->dims[d].axes->size);
}

/* Gives v its local type and records its global one. */
static bool localize(tsr_local *s, tsr_value *v)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->table, tsr_sdy_sharding_of(v));
    uint32_t bad = 0;
    tsr_type *part = part_type(v->type, a, &bad);
    if (!part)
        return not_divisible(s->ctx, tsr_value_loc(v), v->type, a, bad);
    s->values.data[v->id] = (tsr_local_value){a, v->type};
    v->type = part;
    return true;
}

static bool localize_signature(tsr_local *s, tsr_op *func)
{
    tsr_attr *attr = tsr_op_attr(func, TSR_STR("function_type"));
    if (!tsr_attr_is(attr, TSR_ATTR_TYPE) || !tsr_type_is(attr->type, TSR_TYPE_FUNCTION))
        return true;
    const tsr_type *old = attr->type;
    tsr_type_vec types = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < old->n + old->nout; i++) {
        tsr_attr *sharding =
            i < old->n ? tsr_sdy_arg_sharding(func, i) : tsr_sdy_result_sharding(func, i - old->n);
        const tsr_sharding *a = tsr_sharding_decode(&s->table, sharding);
        uint32_t bad = 0;
        tsr_type *part = part_type(old->types[i], a, &bad);
        ok = part || not_divisible(s->ctx, func->loc, old->types[i], a, bad);
        tsr_vec_push(&types, part);
    }
    if (ok)
        tsr_op_set_attr(
            func, TSR_STR("function_type"),
            tsr_attr_type(s->ctx, tsr_type_function(s->ctx, types.data, old->n,
                                                    TSR_FROM(types.data, old->n), old->nout)));
    tsr_vec_free(&types);
    return ok;
}

/* All values first: shardings of block arguments are found through ops that patterns change. */
static bool localize_all(tsr_local *s, tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nout; i++)
            TSR_TRY(localize(s, &op->out[i]));
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    TSR_TRY(localize(s, b->args[i]));
    }
    TSR_OPS (root, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            TSR_TRY(localize_signature(s, op));
    return true;
}

/* ---- Patterns ---- */

static bool local_named_computation(tsr_local *s, tsr_op *op)
{
    (void)s;
    op->extra = NULL;
    return true;
}

/* No local form: Shardy's conversion has no pattern for them. */
static bool local_none(tsr_local *s, tsr_op *op)
{
    (void)s;
    (void)op;
    return false;
}

/* Ops without the column LOCAL stay as they are. A manual computation is converted last, after its body. */
static const struct {
    tsr_local_fn *fn;
} local_of[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define LOCAL(hook) .fn = local_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static bool convert(tsr_local *s, tsr_op *op)
{
    tsr_local_fn *fn = op->def->opcode < TSR_OP__COUNT ? local_of[op->def->opcode].fn : NULL;
    if (!fn)
        return true;
    tsr_loc loc = op->loc;
    tsr_str name = op->def->name;
    return fn(s, op) || tsr_error(s->ctx, loc,
                                  "failed to legalize operation '%.*s' that was explicitly marked "
                                  "illegal",
                                  (int)name.len, name.data);
}

/* Replaces a manual computation by its body: bound axes are now bound everywhere. */
static bool inline_manual(tsr_op *op)
{
    tsr_block *body = op->regions[0].first;
    tsr_op *ret = body ? body->last : NULL;
    if (!ret || !tsr_op_has(ret, TSR_TRAIT(RETURN_LIKE)) || ret->nin != op->nout ||
        body->nargs != op->nin)
        return tsr_op_error(op, "has a body that does not fit it");
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type != body->args[i]->type)
            return tsr_op_error(op, "operand %u is sharded otherwise than its in_sharding", i);
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].type != ret->in[i].value->type)
            return tsr_op_error(op, "returned value %u is sharded otherwise than its out_sharding",
                                i);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_value_replace(body->args[i], op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], ret->in[i].value);
    tsr_op_erase(ret);
    tsr_block_splice(op->block, op, body);
    tsr_op_erase(op);
    return true;
}

static bool convert_all(tsr_local *s, tsr_op *root)
{
    TSR_VEC(tsr_op *) manual = {0};
    bool ok = localize_all(s, root);
    for (tsr_op *op = root, *next; ok && op; op = next) {
        next = tsr_walk_next(root, op); /* patterns erase nothing else */
        if (tsr_flow_of(op) == TSR_FLOW_MANUAL)
            tsr_vec_push(&manual, op);
        tsr_arena_mark mark = tsr_arena_save(s->arena);
        ok = convert(s, op);
        tsr_arena_rewind(s->arena, mark);
    }
    while (ok && manual.n)
        ok = inline_manual(manual.data[--manual.n]);
    tsr_vec_free(&manual);
    return ok;
}

bool pass_sdy_convert_global_to_local(tsr_pass *p, tsr_op *root)
{
    int64_t replicas = tsr_pass_int(p, "replica-count");
    if (replicas > 1 && tsr_pass_int(p, "partition-count") > 1)
        return tsr_error(p->ctx, root->loc,
                         "Shardy partitioner convert_global_to_local does not support both "
                         "replica_count > 1 and partition_count > 1 yet.");
    tsr_arena arena = {0};
    tsr_local s = {.ctx = p->ctx,
                   .arena = &arena,
                   .gather_per_dim = tsr_pass_bool(p, "per-dim-all-gather"),
                   .scatter_combined = tsr_pass_bool(p, "combine-multi-dimension-reduce-scatter"),
                   .mesh_axes_groups = tsr_pass_bool(p, "enable-rgv3"),
                   .replicas = replicas > 1,
                   .channel = tsr_last_channel(root) + 1};
    tsr_shardings_init(&s.table, p->scratch, root);
    tsr_vec_reserve(&s.values, p->module->nvalue + 1);
    memset(s.values.data, 0, (p->module->nvalue + 1) * sizeof *s.values.data);
    s.values.n = p->module->nvalue;
    bool ok = convert_all(&s, root);
    p->changed = true;
    p->module->verified = false;
    tsr_vec_free(&s.values);
    tsr_shardings_free(&s.table);
    tsr_arena_free(&arena);
    return ok;
}

/* ---- sdy-drop-sharding-and-mesh ---- */

bool pass_sdy_drop_sharding_and_mesh(tsr_pass *p, tsr_op *root)
{
    const tsr_str names[] = {TSR_STR("sdy.sharding")};
    p->changed = tsr_drop_attrs(root, names, TSR_COUNT(names));
    TSR_OPS_REVERSE (root, op) {
        if (!tsr_has_role(op, TSR_ROLE_MESH))
            continue;
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
