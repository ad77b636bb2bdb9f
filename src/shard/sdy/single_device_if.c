/* SPDX-License-Identifier: Apache-2.0 */
/* single_device_if.c - sdy-resolve-single-device-sharding: an op on one device becomes a stablehlo.if that runs it
 * there and returns zeros elsewhere; an all-reduce then sends its results to all devices. Needs reshards around such
 * ops (single_device.c); breaks ids. */
#include "shard/reshard/explicit_reshards.h"
#include "shard/core/make.h"
#include "shard/passes.h"

/* Stores the device of op's results in *device; *some: whether there is one. False after a diagnostic. */
static bool device_of(tsr_resharder *s, const tsr_op *op, int64_t *device, bool *some)
{
    bool sharded = false;
    *some = false;
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!tsr_type_is(op->out[i].type, TSR_TYPE_TENSOR))
            continue;
        const tsr_sharding *a = tsr_value_sharding(s, &op->out[i]);
        if (!a)
            continue;
        if (!a->mesh->maximal) {
            sharded |= a->sharded;
            continue;
        }
        int64_t id = tsr_attr_int_at(a->mesh->attr->attrs[SDY_MESH_device_ids], 0);
        if (*some && id != *device)
            return tsr_op_error(op, "has results on different single devices");
        *device = id;
        *some = true;
    }
    return !*some || !sharded ||
           tsr_op_error(op, "has results on a single device, and others that are sharded");
}

static bool on_single_device(tsr_resharder *s, const tsr_op *reshard)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->table, reshard->attrs[SDY_RESHARD_sharding]);
    return a && a->mesh->maximal;
}

/* Operands are replicated, so the device can read them without a reshard. */
static void skip_reshards(tsr_resharder *s, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value;
        if (v->is_arg || !tsr_op_is(v->op, TSR_OP_SDY_RESHARD) || !on_single_device(s, v->op))
            continue;
        tsr_op_set_operand(op, i, v->op->in[0].value);
        if (!v->uses)
            tsr_op_erase(v->op);
    }
}

static bool return_zeros(tsr_build *b, const tsr_op *op)
{
    tsr_value_vec zeros = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < op->nout; i++) {
        tsr_type *type = op->out[i].type;
        tsr_attr *zero = NULL;
        if (tsr_type_is(type, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(type))
            zero = tsr_zero_elements(b->ctx, b->module, type);
        if (zero)
            tsr_vec_push(&zeros, tsr_make_constant(b, zero));
        else if (type->def == &tsr_def_STABLEHLO_TOKEN)
            tsr_vec_push(&zeros, tsr_build_op(b, TSR_OP_STABLEHLO_CREATE_TOKEN, NULL, 0, type));
        else
            ok = tsr_op_error(op, "is on a single device, and result %u has no zero for others", i);
    }
    if (ok)
        tsr_build_return(b, zeros.data, zeros.n);
    tsr_vec_free(&zeros);
    return ok;
}

/* Replaces all uses of v by to, and removes reshards to the sharding that to has. */
static void use_instead(tsr_resharder *s, tsr_value *v, tsr_value *to, const tsr_sharding *a)
{
    const tsr_attr *attr = tsr_sharding_encode(&s->table, a);
    for (tsr_use *use = v->uses, *next; use; use = next) {
        next = use->next;
        tsr_op *user = use->user;
        if (user == to->op)
            continue;
        if (tsr_op_is(user, TSR_OP_SDY_RESHARD) && user->attrs[SDY_RESHARD_sharding] == attr) {
            tsr_value_replace(&user->out[0], to);
            tsr_op_erase(user);
        } else {
            tsr_op_set_operand(user, (size_t)(use - user->in), to);
        }
    }
}

static bool guard(tsr_resharder *s, tsr_op *op, int64_t device, const tsr_mesh *mesh, bool replicas)
{
    tsr_build b = tsr_build_before(op);
    tsr_value *id = tsr_make_device_id(&b, replicas);
    tsr_value *here = tsr_build_compare(&b, "EQ", NULL, id, tsr_make_int(&b, s->ctx->i64, device));
    tsr_type_vec types = {0};
    tsr_value_vec results = {0};
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_vec_push(&types, op->out[i].type);
        tsr_vec_push(&results, &op->out[i]);
    }
    tsr_op *branch = tsr_build_open(&b, TSR_OP_STABLEHLO_IF, &here, 1, op->nout, 2);
    tsr_build_close_as(&b, branch, types.data);
    tsr_axis_vec axes = {0};
    for (uint32_t i = 0; i < mesh->naxis; i++)
        tsr_vec_push(&axes, (tsr_axis){i, 1, mesh->sizes[i]});
    const tsr_axes *all = tsr_axes_get(&s->table.lists, axes.data, axes.n);
    tsr_vec_free(&axes);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &branch->out[i];
        const tsr_sharding *a = NULL;
        if (tsr_type_is(v->type, TSR_TYPE_TENSOR)) {
            a = tsr_sharding_empty(&s->table, mesh, v->type->n, true);
            v = tsr_insert_all_reduce(s, tsr_place_before(op), v, mesh, all, TSR_SDY_SUM, a);
            use_instead(s, &op->out[i], v, a);
        } else {
            tsr_value_replace(&op->out[i], v);
        }
    }
    /* Shardings inside op refer to devices that do not run it. */
    TSR_OPS (op, x) {
        skip_reshards(s, x);
        tsr_op_set_attr(x, TSR_STR("sdy.sharding"), NULL);
    }
    tsr_build yes = tsr_build_in(&b, &branch->regions[0], NULL, 0);
    tsr_build no = tsr_build_in(&b, &branch->regions[1], NULL, 0);
    tsr_op_remove(op);
    tsr_op_insert(op, yes.block, NULL);
    tsr_build_return(&yes, results.data, results.n);
    bool ok = return_zeros(&no, op);
    tsr_vec_free(&types);
    tsr_vec_free(&results);
    tsr_build_free(&yes);
    tsr_build_free(&no);
    return ok;
}

/* The next op after op, skipping its regions. */
static tsr_op *next_behind(tsr_op *root, tsr_op *op)
{
    while (op != root && !op->next)
        op = tsr_block_parent(op->block);
    return op == root ? NULL : op->next;
}

bool pass_sdy_resolve_single_device_sharding(tsr_pass *p, tsr_op *root)
{
    tsr_resharder s;
    if (!tsr_block_parent(root->block))
        return true;
    tsr_resharder_init(&s, root, p->scratch, p->scratch);
    const tsr_mesh *mesh = tsr_global_mesh(&s);
    bool replicas = tsr_pass_int(p, "replica-count") > 1, ok = true;
    for (tsr_op *op = mesh ? tsr_walk_next(root, root) : NULL, *next; ok && op; op = next) {
        bool some = false;
        int64_t device = 0;
        if (!tsr_op_in(op, TSR_DIALECT_SDY))
            ok = device_of(&s, op, &device, &some);
        if (!some) {
            next = tsr_walk_next(root, op);
            continue;
        }
        next = next_behind(root, op);
        /* A reshard after op may be erased with it. */
        while (next && tsr_op_is(next, TSR_OP_SDY_RESHARD))
            next = next_behind(root, next);
        ok = ok && guard(&s, op, device, mesh, replicas);
        p->changed = true;
    }
    tsr_resharder_free(&s);
    return ok;
}
