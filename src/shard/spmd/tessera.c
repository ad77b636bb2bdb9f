/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.c - partitions Graph IR's ops where their rules are not enough.
 *
 * Their rules treat sums as reductions, and require whole dimensions for other kinds; but each device can take the
 * maximum, the product or the mean of its part, and devices combine those. */
#include "shard/spmd/spmd.h"

#include "dialect/stablehlo/ops.h"
#include "dialect/tessera/tessera.h"
#include "shard/spmd/stretch.h"

/* The binary op that combines the devices' values; a mean is the sum of each part's contribution to it. */
static int joiner(tsr_tessera_kind kind, const tsr_type *elem)
{
    if (kind == TSR_TESSERA_SUM || kind == TSR_TESSERA_NO_KIND ||
        (kind == TSR_TESSERA_MEAN && elem->kind != TSR_TYPE_FLOAT))
        return -1;
    return tsr_tessera_join(kind);
}

/* Scales the mean of a part to its contribution to the whole mean: times its size, divided by the total. */
static tsr_value *part_of_mean(tsr_spmd_op *o, tsr_value *v, int64_t part, int64_t all)
{
    tsr_spmd *s = o->s;
    tsr_type *elem = v->type->elem;
    uint64_t bits = tsr_float_from_double((tsr_float_kind)elem->sub, (double)part / (double)all);
    uint8_t bytes[8];
    size_t n = tsr_type_storage_bits(elem) / 8;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    tsr_type *scalar = tsr_scalar_type(elem);
    tsr_op *c = tsr_build_open(&s->b, TSR_OP_TESSERA_CONSTANT, NULL, 0, 1, 0);
    c->attrs[TESSERA_CONSTANT_value] = tsr_attr_dense(s->ctx, s->module, scalar, bytes, n, true);
    tsr_build_close_as(&s->b, c, &scalar);
    tsr_value *in[] = {v, &c->out[0]};
    return tsr_build_op(&s->b, TSR_OP_TESSERA_MUL, in, 2, v->type);
}

bool spmd_tessera_reduce(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    const tsr_type *in = tsr_spmd_global(o, 0);
    tsr_tessera_kind kind = tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind));
    int join = joiner(kind, in->elem);
    tsr_value *neutral = join < 0 ? NULL : tsr_spmd_identity(s, (enum tsr_opcode)join, in->elem);
    if (!neutral || !o->axes || in->n > 64)
        return spmd_sums(o);
    /* Reduced dimensions keep the operand's axes. */
    tsr_axis_vec all = {0};
    uint64_t dims = 0;
    tsr_spmd_settle(o, false);
    for (uint32_t d = 0; d < in->n && o->in[0]->sharded && o->in[0]->mesh == o->mesh; d++) {
        const tsr_axes *axes = o->in[0]->dims[d].axes;
        uint32_t f = tsr_spmd_factor(o, 0, d);
        if (!tsr_tessera_reduces(op, in->n, d) || f == UINT32_MAX || axes->size <= 1 ||
            !tsr_spmd_unused(o, axes))
            continue;
        o->axes[f] = axes;
        tsr_axis_vec_add_all(&all, axes->data, axes->n);
        dims |= (uint64_t)1 << d;
    }
    const tsr_axes *partial = tsr_axes_get(&s->r.table.lists, all.data, all.n);
    tsr_vec_free(&all);
    if (!partial->n)
        return tsr_spmd_parts(o);
    const tsr_sharding *a = tsr_spmd_by_axes(o, 0), *out = tsr_spmd_by_axes(o, 1);
    tsr_value *v = tsr_spmd_mask(s, tsr_spmd_in(o, 0, a), in, a, dims, neutral);
    tsr_type *type = tsr_spmd_type(s, op->out[0].type, out);
    int64_t part = 1, whole = 1;
    for (uint32_t d = 0; d < in->n; d++)
        if (tsr_tessera_reduces(op, in->n, d)) {
            part *= v->type->dims[d];
            whole *= in->dims[d];
        }
    v = &tsr_spmd_same(o, &v, &type)->out[0];
    if (kind == TSR_TESSERA_MEAN && whole)
        v = part_of_mean(o, v, part, whole);
    tsr_spmd_out_joined(o, 0, v, out, (enum tsr_opcode)join, partial);
    return true;
}

/* ---- Rows of a table ---- */

/* Converts row numbers of the global table to those of this device's part, as i64. */
static tsr_value *places_here(tsr_spmd *s, tsr_value *at, int64_t rows, const tsr_value *start)
{
    tsr_type *elem = at->type->elem;
    bool is_signed = elem->sub != TSR_UNSIGNED && elem->width > 1;
    if (is_signed)
        at = f_max(&s->b, at, tsr_build_like_int(&s->b, at, elem, 0));
    /* Narrow types may not hold the last row's number; then no index is beyond it. */
    if (elem->width >= 64 || (rows - 1) >> (elem->width - is_signed) == 0)
        at = f_min(&s->b, at, tsr_build_like_int(&s->b, at, elem, rows - 1));
    at = tsr_build_convert(&s->b, at, s->ctx->i64);
    return f_sub(&s->b, at, tsr_build_broadcast(&s->b, (tsr_value *)start, NULL, at->type));
}

/* A table whose rows are on several devices: each returns the rows that it has, and 0 for others. */
bool spmd_tessera_embedding(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    const tsr_type *table = tsr_spmd_global(o, 0);
    tsr_value *zero = tsr_spmd_nothing(s, TSR_OP_STABLEHLO_ADD, table->elem);
    if (!o->axes || !zero || tsr_type_is_integer(table->elem, 1))
        return spmd_local(o);
    tsr_spmd_settle(o, false);
    const tsr_axes *axes = o->in[0]->sharded && o->in[0]->mesh == o->mesh ? o->in[0]->dims[0].axes
                                                                          : s->r.table.lists.none;
    uint32_t f = tsr_spmd_factor(o, 0, 0);
    if (axes->size <= 1 || f == UINT32_MAX || table->dims[0] < 1 || !tsr_spmd_unused(o, axes))
        return tsr_spmd_parts(o);
    o->axes[f] = axes;
    const tsr_sharding *out = tsr_spmd_by_axes(o, 2);
    tsr_type *type = tsr_spmd_type(s, o->op->out[0].type, out);
    tsr_value *part = tsr_spmd_in(o, 0, tsr_spmd_by_axes(o, 0)),
              *at = tsr_spmd_in(o, 1, tsr_spmd_by_axes(o, 1));
    int64_t rows = part->type->dims[0];
    at = places_here(s, at, table->dims[0], tsr_spmd_start(s, o->mesh, axes, rows));
    tsr_value *here = f_and(
        &s->b,
        tsr_build_compare(&s->b, "GE", "SIGNED", at, tsr_build_like_int(&s->b, at, s->ctx->i64, 0)),
        tsr_build_compare(&s->b, "LT", "SIGNED", at,
                          tsr_build_like_int(&s->b, at, s->ctx->i64, rows)));
    tsr_value *in[] = {part, at};
    tsr_value *v = &tsr_spmd_same(o, in, &type)->out[0];
    int64_t *dims = tsr_arena_alloc(s->r.arena, (at->type->n + 1) * sizeof *dims);
    for (uint32_t i = 0; i < at->type->n; i++)
        dims[i] = i;
    tsr_type *bits = tsr_static_type(s->ctx, type->dims, type->n, here->type->elem);
    v = f_select(&s->b, tsr_build_broadcast(&s->b, here, dims, bits), v,
                 tsr_build_broadcast(&s->b, zero, NULL, type));
    tsr_spmd_out_joined(o, 0, v, out, TSR_OP_STABLEHLO_ADD, axes);
    return true;
}
