/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_dist.c - lowers Graph IR to StableHLO: collectives, shardings, fused regions, random numbers. */
#include "dialect/sdy/sharding.h"
#include "dialect/tessera/hlo.h"

/* ---- Shardings: Shardy's constraints ---- */

static tsr_value *constrain(tsr_build *b, enum tsr_opcode opcode, int slot, tsr_value *x,
                            tsr_attr *sharding)
{
    tsr_op *c = tsr_build_open(b, opcode, &x, 1, 1, 0);
    c->attrs[slot] = sharding;
    return &tsr_build_close(b, c)->out[0];
}

bool hlo_shard(tsr_build *b, tsr_op *op, tsr_value **out)
{
    out[0] = constrain(b, TSR_OP_SDY_SHARDING_CONSTRAINT, SDY_SHARDING_CONSTRAINT_sharding,
                       tsr_hlo_operand(op, 0), tsr_attr_of(op, TESSERA_SHARD_sharding));
    return true;
}

bool hlo_replicate(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    if (!tsr_hlo_is_ranked(x->type))
        return tsr_hlo_cannot(op, "a rank is not known");
    tsr_attr *sharding =
        tsr_sdy_replicated(b->ctx, tsr_attr_of(op, TESSERA_REPLICATE_mesh), x->type->n);
    out[0] =
        constrain(b, TSR_OP_SDY_SHARDING_CONSTRAINT, SDY_SHARDING_CONSTRAINT_sharding, x, sharding);
    return true;
}

tsr_op *tsr_tessera_mesh_to_sdy(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *made =
        tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_SDY_MESH), op->loc, NULL, 0, NULL, 0, 0, 0);
    tsr_op_set_attr(made, TSR_STR("sym_name"), tsr_attr_of(op, TESSERA_MESH_sym_name));
    made->attrs[SDY_MESH_mesh] = tsr_attr_of(op, TESSERA_MESH_mesh);
    if (tsr_attr_of(op, TESSERA_MESH_groups))
        tsr_op_set_attr(made, TSR_STR("tessera.groups"), tsr_attr_of(op, TESSERA_MESH_groups));
    tsr_op_insert(made, op->block, op);
    tsr_op_erase(op);
    return made;
}

/* ---- Collectives ---- */

/* One channel for all: devices are partitions of one replica, and lists of them are global. */
static tsr_attr *channel(tsr_build *b)
{
    tsr_attr *params[] = {tsr_attr_i64(b->ctx, 1), tsr_attr_i64(b->ctx, 1)};
    return tsr_attr_struct(b->ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE, params);
}

static void reducer(tsr_build *b, tsr_op *op, tsr_tessera_kind kind, tsr_type *elem)
{
    tsr_type *scalar = tsr_scalar_type(elem), *args[] = {scalar, scalar};
    tsr_build body = tsr_build_in(b, &op->regions[0], args, 2);
    tsr_value *joined =
        tsr_build_op(&body, (enum tsr_opcode)tsr_tessera_join(kind), body.block->args, 2, scalar);
    tsr_build_return(&body, &joined, 1);
    tsr_build_free(&body);
}

/* The StableHLO op with its attributes, not inserted. */
static tsr_op *open_collective(tsr_build *b, const tsr_coll *c, tsr_value *x, tsr_attr *groups,
                               size_t size)
{
    tsr_attr *unit = tsr_attr_unit(b->ctx);
    tsr_op *op;
    switch (c->kind) {
    case TSR_COLL_ALL_REDUCE:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_REDUCE, &x, 1, 1, 1);
        op->attrs[STABLEHLO_ALL_REDUCE_replica_groups] = groups;
        op->attrs[STABLEHLO_ALL_REDUCE_channel_handle] = channel(b);
        op->attrs[STABLEHLO_ALL_REDUCE_use_global_device_ids] = unit;
        reducer(b, op, c->reduction, tsr_elem(x));
        return op;
    case TSR_COLL_ALL_GATHER:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_GATHER, &x, 1, 1, 0);
        op->attrs[STABLEHLO_ALL_GATHER_all_gather_dim] = tsr_attr_i64(b->ctx, c->dim);
        op->attrs[STABLEHLO_ALL_GATHER_replica_groups] = groups;
        op->attrs[STABLEHLO_ALL_GATHER_channel_handle] = channel(b);
        op->attrs[STABLEHLO_ALL_GATHER_use_global_device_ids] = unit;
        return op;
    case TSR_COLL_REDUCE_SCATTER:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE_SCATTER, &x, 1, 1, 1);
        op->attrs[STABLEHLO_REDUCE_SCATTER_scatter_dimension] = tsr_attr_i64(b->ctx, c->dim);
        op->attrs[STABLEHLO_REDUCE_SCATTER_replica_groups] = groups;
        op->attrs[STABLEHLO_REDUCE_SCATTER_channel_handle] = channel(b);
        op->attrs[STABLEHLO_REDUCE_SCATTER_use_global_device_ids] = unit;
        reducer(b, op, c->reduction, tsr_elem(x));
        return op;
    case TSR_COLL_ALL_TO_ALL:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_TO_ALL, &x, 1, 1, 0);
        op->attrs[STABLEHLO_ALL_TO_ALL_split_dimension] = tsr_attr_i64(b->ctx, c->dim);
        op->attrs[STABLEHLO_ALL_TO_ALL_concat_dimension] = tsr_attr_i64(b->ctx, c->to_dim);
        op->attrs[STABLEHLO_ALL_TO_ALL_split_count] = tsr_attr_i64(b->ctx, (int64_t)size);
        op->attrs[STABLEHLO_ALL_TO_ALL_replica_groups] = groups;
        op->attrs[STABLEHLO_ALL_TO_ALL_channel_handle] = channel(b);
        return op;
    case TSR_COLL_BROADCAST:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST, &x, 1, 1, 0);
        op->attrs[STABLEHLO_COLLECTIVE_BROADCAST_replica_groups] = groups;
        op->attrs[STABLEHLO_COLLECTIVE_BROADCAST_channel_handle] = channel(b);
        return op;
    case TSR_COLL_PERMUTE:
        op = tsr_build_open(b, TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, &x, 1, 1, 0);
        op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] = groups;
        op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_channel_handle] = channel(b);
        return op;
    case TSR_COLL_NONE: break;
    }
    return NULL;
}

bool hlo_collective(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_coll c;
    if (!tsr_coll_of(op, &c) || c.kind == TSR_COLL_NONE)
        return tsr_hlo_cannot(op, "its kind is not known");
    if (op->nin != 1 || op->nout != 1)
        return tsr_hlo_cannot(op, "it has tokens");
    tsr_value *x = tsr_hlo_operand(op, 0);
    if (c.sharding) { /* a global tensor: only its distribution changes */
        out[0] = constrain(b, TSR_OP_SDY_RESHARD, SDY_RESHARD_sharding, x, c.sharding);
        return true;
    }
    tsr_i64_vec devices = {0};
    size_t size = 1;
    tsr_type *type = tsr_tessera_plain(op->out[0].type);
    bool ok = tsr_coll_devices(op, &c, &devices, &size) && size;
    tsr_attr *groups = ok ? tsr_tessera_devices_attr(b->ctx, b->module, &devices, size) : NULL;
    tsr_vec_free(&devices);
    if (!ok)
        return tsr_hlo_cannot(op, "its devices are not known");
    tsr_op *made = open_collective(b, &c, x, groups, size);
    out[0] = &tsr_build_close_as(b, made, &type)->out[0];
    if (c.reduction == TSR_TESSERA_MEAN &&
        (c.kind == TSR_COLL_ALL_REDUCE || c.kind == TSR_COLL_REDUCE_SCATTER))
        out[0] = f_divc(b, out[0], (double)size);
    return true;
}

/* ---- Fused regions: their ops, inlined ---- */

bool hlo_fused(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_mapping map = {0};
    const tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_mapping_put(&map, body->args[i], op->in[i].value);
    TSR_BLOCK_OPS (body, inner) {
        if (inner == body->last)
            break;
        tsr_op_insert(tsr_op_clone(b->module, inner, &map), b->block, b->at);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        out[i] = tsr_mapping_get(&map, body->last->in[i].value);
    tsr_mapping_free(&map);
    return true;
}

/* ---- Random numbers ---- */

/* Bits as a float in [1, 2), less 1. */
static tsr_value *uniform(tsr_build *b, tsr_value *bits, tsr_type *work)
{
    bool wide = work->width == 64;
    tsr_type *u = tsr_elem(bits);
    bits = f_or(
        b, f_shr(b, bits, tsr_build_like_int(b, bits, u, wide ? 12 : 9)),
        tsr_build_like_int(b, bits, u, wide ? INT64_C(0x3FF0000000000000) : INT64_C(0x3F800000)));
    return f_subc(b, tsr_build_bitcast(b, bits, work), 1);
}

bool hlo_random(tsr_build *b, tsr_op *op, tsr_value **out)
{
    if (tsr_attr_of(op, TESSERA_RANDOM_state))
        return tsr_hlo_cannot(op, "it changes a state");
    if (op->nin != 1 || op->nout != 2)
        return tsr_hlo_cannot(op, "it has tokens");
    tsr_type *type = tsr_tessera_plain(op->out[0].type), *elem = type->elem,
             *work = tsr_hlo_working(elem);
    const tsr_attr *how = tsr_attr_of(op, TESSERA_RANDOM_distribution);
    if (!tsr_type_has_static_shape(type))
        return tsr_hlo_cannot(op, "a size of its result is not known");
    tsr_value *rng = tsr_hlo_operand(op, 0);
    tsr_op *g = tsr_build_open(b, TSR_OP_STABLEHLO_RNG_BIT_GENERATOR, &rng, 1, 2, 0);
    g->attrs[STABLEHLO_RNG_BIT_GENERATOR_rng_algorithm] =
        tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_RNG_ALGORITHM, 2);
    tsr_type *u = tsr_type_integer(b->ctx, work->width, TSR_UNSIGNED);
    tsr_type *types[] = {rng->type, tsr_hlo_with_element(type, u)};
    tsr_build_close_as(b, g, types);
    tsr_value *v = uniform(b, &g->out[1], work);
    if (how && tsr_str_is(how->s, "normal")) {
        /* Away from -1, where the inverse is infinite. */
        v = f_maxc(b, f_subc(b, f_mulc(b, v, 2), 1),
                   work->width == 64 ? -1 + 0x1p-53 : -1 + 0x1p-24);
        v = f_mulc(b, tsr_build_op(b, TSR_OP_CHLO_ERF_INV, &v, 1, v->type), 1.4142135623730951);
    }
    out[0] = tsr_build_convert(b, v, elem);
    out[1] = &g->out[0];
    return true;
}
