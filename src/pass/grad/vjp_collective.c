/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_collective.c - collectives. Each process has its own cotangents; the function that is differentiated is the sum
 * over all processes, so an all-gather is transposed to a reduce-scatter, and a sum to a sum. */
#include "pass/grad/grad.h"

static tsr_reduce_kind body_kind(const tsr_op *op)
{
    tsr_reducer r = {0};
    if (op->nregion)
        tsr_reducer_of(&op->regions[0], 1, 0, &r);
    return r.kind;
}

static bool is_extremal(const tsr_op *op)
{
    return tsr_reduce_is_extremal(body_kind(op));
}

static bool must_sum(const tsr_op *op)
{
    return body_kind(op) == TSR_REDUCE_SUM || tsr_grad_none(op, "it does not add");
}

/* ---- Gathering, and scattering sums ---- */

static tsr_value *sum_and_scatter(tsr_grad *g, tsr_op *op, tsr_value *ct, const tsr_type *like)
{
    tsr_op *r = tsr_build_open(&g->b, TSR_OP_STABLEHLO_REDUCE_SCATTER, &ct, 1, 1, 1);
    r->attrs[STABLEHLO_REDUCE_SCATTER_scatter_dimension] =
        tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim);
    r->attrs[STABLEHLO_REDUCE_SCATTER_replica_groups] =
        tsr_attr_of(op, STABLEHLO_ALL_GATHER_replica_groups);
    r->attrs[STABLEHLO_REDUCE_SCATTER_channel_handle] =
        tsr_attr_of(op, STABLEHLO_ALL_GATHER_channel_handle);
    r->attrs[STABLEHLO_REDUCE_SCATTER_use_global_device_ids] =
        tsr_attr_of(op, STABLEHLO_ALL_GATHER_use_global_device_ids);
    tsr_grad_body(g, &r->regions[0], TSR_OP_STABLEHLO_ADD, tsr_elem(ct));
    tsr_type *type = (tsr_type *)like;
    return &tsr_build_close_as(&g->b, r, &type)->out[0];
}

bool vjp_all_gather(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (ct[i] && tsr_grad_varied(g, tsr_grad_in(op, i)))
            tsr_grad_add(g, tsr_grad_in(op, i), sum_and_scatter(g, op, ct[i], tsr_hlo_in(op, i)));
    return true;
}

bool vjp_reduce_scatter(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    TSR_TRY(must_sum(op));
    tsr_op *r = tsr_build_open(&g->b, TSR_OP_STABLEHLO_ALL_GATHER, ct, 1, 1, 0);
    r->attrs[STABLEHLO_ALL_GATHER_all_gather_dim] =
        tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension);
    r->attrs[STABLEHLO_ALL_GATHER_replica_groups] =
        tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_replica_groups);
    r->attrs[STABLEHLO_ALL_GATHER_channel_handle] =
        tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_channel_handle);
    r->attrs[STABLEHLO_ALL_GATHER_use_global_device_ids] =
        tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_use_global_device_ids);
    tsr_type *type = tsr_hlo_in(op, 0);
    tsr_grad_add(g, tsr_grad_in(op, 0), &tsr_build_close_as(&g->b, r, &type)->out[0]);
    return true;
}

bool jvp_reduce_scatter(tsr_grad *g, tsr_op *op)
{
    return must_sum(op) && jvp_linear(g, op);
}

/* ---- Reducing ---- */

/* The sum over the processes of op's groups. */
static tsr_value *all_sum(tsr_grad *g, tsr_op *op, tsr_value *v)
{
    tsr_op *r = tsr_build_open(&g->b, TSR_OP_STABLEHLO_ALL_REDUCE, &v, 1, 1, 1);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        r->attrs[i] = op->attrs[i];
    tsr_grad_body(g, &r->regions[0], TSR_OP_STABLEHLO_ADD, tsr_elem(v));
    return &tsr_build_close_as(&g->b, r, &v->type)->out[0];
}

/* 1 where this process has the extreme value; and the number of processes that have it. */
static tsr_value *found(tsr_grad *g, tsr_op *op, uint32_t i, tsr_value **count)
{
    tsr_value *is = f_eq(&g->b, tsr_grad_in(op, i), &op->out[i]);
    tsr_value *mask = tsr_build_convert(&g->b, is, tsr_elem(&op->out[i]));
    *count = all_sum(g, op, mask);
    return mask;
}

bool vjp_all_reduce(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    if (!is_extremal(op))
        TSR_TRY(must_sum(op));
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *x = tsr_grad_in(op, i), *count;
        if (!ct[i] || !tsr_grad_varied(g, x))
            continue;
        tsr_value *sum = all_sum(g, op, ct[i]);
        if (is_extremal(op)) {
            tsr_value *mask = found(g, op, i, &count);
            sum = f_mul(b, mask, f_div(b, sum, count));
        }
        tsr_grad_add(g, x, sum);
    }
    return true;
}

bool jvp_all_reduce(tsr_grad *g, tsr_op *op)
{
    if (!is_extremal(op))
        return must_sum(op) && jvp_linear(g, op);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *t = tsr_grad_of(g, tsr_grad_in(op, i)), *count;
        if (!tsr_grad_wanted(g, &op->out[i]) || !t)
            continue;
        tsr_value *mask = found(g, op, i, &count);
        tsr_grad_set(g, &op->out[i], f_div(&g->b, all_sum(g, op, f_mul(&g->b, mask, t)), count));
    }
    return true;
}

bool vjp_cross_replica_sum(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

/* ---- Moving ---- */

bool vjp_all_to_all(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *x = tsr_grad_in(op, i), *c = ct[i];
        if (!c || !tsr_grad_varied(g, x))
            continue;
        tsr_op *back = tsr_build_open(&g->b, TSR_OP_STABLEHLO_ALL_TO_ALL, &c, 1, 1, 0);
        for (uint16_t k = 0; k < op->def->nslot; k++)
            back->attrs[k] = op->attrs[k];
        back->attrs[STABLEHLO_ALL_TO_ALL_split_dimension] =
            tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_concat_dimension);
        back->attrs[STABLEHLO_ALL_TO_ALL_concat_dimension] =
            tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_dimension);
        tsr_grad_add(g, x, &tsr_build_close_as(&g->b, back, &x->type)->out[0]);
    }
    return true;
}

/* The pairs reversed. */
static tsr_attr *turned(tsr_build *b, const tsr_attr *pairs)
{
    tsr_i64_vec values = {0};
    size_t n = tsr_hlo_len(pairs);
    for (size_t i = 0; i + 1 < n; i += 2) {
        tsr_vec_push(&values, tsr_hlo_at(pairs, i + 1));
        tsr_vec_push(&values, tsr_hlo_at(pairs, i));
    }
    tsr_attr *a = pairs->sub ? (tsr_attr *)pairs
                             : tsr_attr_dense(b->ctx, b->module, pairs->type, values.data,
                                              n * sizeof(int64_t), false);
    tsr_vec_free(&values);
    return a;
}

bool vjp_collective_permute(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    again->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] =
        turned(&g->b, tsr_attr_of(op, STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs));
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

/* ---- From and to one process of each group ---- */

static bool across_partitions(const tsr_attr *channel)
{
    return channel && channel->attrs[0] && channel->attrs[0]->i > 0;
}

/* The operands with cotangents in their positions; those without, and the roots at the end. */
static void with_cotangents(tsr_grad *g, tsr_op *op, tsr_value *const *ct, tsr_value_vec *in)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = tsr_grad_in(op, i);
        tsr_vec_push(in, i >= op->nout ? x : ct[i] ? ct[i] : tsr_grad_zero(g, x));
    }
}

static void add_all(tsr_grad *g, tsr_op *op, tsr_op *back)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_grad_add(g, tsr_grad_in(op, i), &back->out[i]);
}

static bool all_smooth(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_grad_is_smooth(op->out[i].type) || tsr_elem(&op->out[i]) != tsr_elem(&op->out[0]))
            return tsr_grad_none(op, "its operands have different types");
    return true;
}

/* Inserts back, whose results are cotangents of op's operands. */
static void close_back(tsr_grad *g, tsr_op *op, tsr_op *back)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, tsr_hlo_in(op, i));
    tsr_build_close_as(&g->b, back, types.data);
    add_all(g, op, back);
    tsr_vec_free(&types);
}

bool vjp_collective_broadcast(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_attr *channel = tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_channel_handle);
    tsr_value_vec in = {0};
    TSR_TRY(all_smooth(op));
    with_cotangents(g, op, ct, &in);
    tsr_op *back =
        tsr_build_open(&g->b, TSR_OP_STABLEHLO_COLLECTIVE_REDUCE, in.data, in.n, op->nout, 1);
    back->attrs[STABLEHLO_COLLECTIVE_REDUCE_replica_groups] =
        tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_replica_groups);
    back->attrs[STABLEHLO_COLLECTIVE_REDUCE_channel_handle] = channel;
    back->attrs[STABLEHLO_COLLECTIVE_REDUCE_has_dynamic_root] =
        tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root);
    /* Groups of partitions: they are processes if there is one replica. */
    if (across_partitions(channel))
        back->attrs[STABLEHLO_COLLECTIVE_REDUCE_use_global_device_ids] = tsr_attr_unit(g->b.ctx);
    tsr_grad_body(g, &back->regions[0], TSR_OP_STABLEHLO_ADD, tsr_elem(&op->out[0]));
    close_back(g, op, back);
    tsr_vec_free(&in);
    return true;
}

bool vjp_collective_reduce(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_attr *channel = tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_channel_handle);
    tsr_value_vec in = {0};
    TSR_TRY(must_sum(op) && all_smooth(op));
    if (across_partitions(channel) &&
        !tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_use_global_device_ids))
        return tsr_grad_none(op, "its groups join replicas and partitions");
    with_cotangents(g, op, ct, &in);
    tsr_op *back =
        tsr_build_open(&g->b, TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST, in.data, in.n, op->nout, 0);
    back->attrs[STABLEHLO_COLLECTIVE_BROADCAST_replica_groups] =
        tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_replica_groups);
    back->attrs[STABLEHLO_COLLECTIVE_BROADCAST_channel_handle] = channel;
    back->attrs[STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root] =
        tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_has_dynamic_root);
    close_back(g, op, back);
    tsr_vec_free(&in);
    return true;
}

bool jvp_collective_reduce(tsr_grad *g, tsr_op *op)
{
    return must_sum(op) && jvp_linear(g, op);
}
