/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - ops whose local form depends on the device's position: constants, iota, pad. */
#include "shard/local/local.h"

#include "dialect/params.h"

#include "dialect/sdy/axes.h"

/* ---- Constants ---- */

bool local_constant(tsr_local *s, tsr_op *op)
{
    tsr_attr *value = op->attrs[SDY_CONSTANT_value];
    tsr_type *type = op->out[0].type, *global = tsr_local_global(s, &op->out[0]);
    tsr_build b = tsr_build_before(op);
    if (type == global) {
        tsr_local_replace(s, op, tsr_make_constant(&b, value));
        return true;
    }
    if (tsr_attr_is(value, TSR_ATTR_DENSE) && value->sub) {
        value = tsr_attr_dense(s->ctx, op->module, type, value->s.data, value->s.len, true);
        tsr_local_replace(s, op, tsr_make_constant(&b, value));
        return true;
    }
    const tsr_sharding *a = tsr_local_sharding(s, &op->out[0]);
    if (!tsr_devices_ok(op, a->mesh))
        return false;
    const tsr_axes **axes = TSR_NEW_ARRAY(s->arena, const tsr_axes *, a->rank + 1);
    for (uint32_t d = 0; d < a->rank; d++)
        axes[d] = a->dims[d].axes;
    tsr_value *whole = tsr_make_constant(&b, value);
    tsr_local_replace(s, op, tsr_local_part(s, &b, whole, a->mesh, axes, type));
    return true;
}

/* ---- Iota ---- */

bool local_iota(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *a = tsr_local_sharding(s, &op->out[0]);
    if (tsr_local_replicated(a))
        return true;
    if (!tsr_devices_ok(op, a->mesh))
        return false;
    int64_t dim = op->attrs[STABLEHLO_IOTA_iota_dimension]->i;
    tsr_type *type = op->out[0].type;
    const tsr_axes *axes = tsr_local_axes(s, a, dim);
    tsr_build b = tsr_build_before(op);
    tsr_value *v = tsr_make_iota(&b, type, dim);
    if (axes->n) {
        tsr_value *first = tsr_local_offset(s, &b, a->mesh, axes, type->dims[dim]);
        first = tsr_make_convert(&b, first, type->elem);
        first = tsr_make_broadcast(&b, first, NULL, type);
        v = tsr_make_binary(&b, TSR_OP_STABLEHLO_ADD, v, first);
    }
    tsr_local_replace(s, op, v);
    return true;
}

/* ---- Pad ---- */

/* One dimension of a pad: the position of the operand's part in the result's part. */
typedef struct {
    int64_t *starts;     /* by device */
    int64_t least, most; /* of starts */
    int64_t spread;      /* elements of the operand's part, including interior padding */
} shift;

static bool shift_of(tsr_local *s, const tsr_op *op, uint32_t d, const tsr_mesh *mesh,
                     const tsr_axes *axes, shift *out)
{
    tsr_pad p;
    tsr_pad_of(op, &p);
    int64_t interior = tsr_ints_at(p.interior, d), low = tsr_ints_at(p.low, d);
    int64_t from = op->in[0].value->type->dims[d], to = op->out[0].type->dims[d], step, last;
    *out = (shift){.starts = tsr_device_positions(s->arena, mesh, axes->data, axes->n)};
    if (__builtin_mul_overflow(from, interior + 1, &step) ||
        __builtin_sub_overflow(step, to, &step) ||
        __builtin_mul_overflow(step, axes->size, &last) || __builtin_add_overflow(last, low, &last))
        return tsr_op_error(op, "is larger than numbers here can say");
    for (int64_t i = 0; i < mesh->ndevice; i++) {
        int64_t at = out->starts[i] * step + low;
        out->starts[i] = at;
        out->least = !i || at < out->least ? at : out->least;
        out->most = !i || at > out->most ? at : out->most;
    }
    out->spread = (from - 1) * (interior + 1) + 1;
    return true;
}

static int64_t positive(int64_t x)
{
    return x > 0 ? x : 0;
}

/* All devices pad alike. */
static tsr_value *pad_alike(tsr_local *s, tsr_build *b, const tsr_op *op, const shift *shifts,
                            const int64_t *interior)
{
    tsr_type *type = op->out[0].type;
    int64_t *low = TSR_NEW_ARRAY(s->arena, int64_t, 2 * type->n + 1), *high = low + type->n;
    for (uint32_t d = 0; d < type->n; d++) {
        low[d] = shifts[d].least;
        high[d] = type->dims[d] - shifts[d].spread - low[d];
    }
    return tsr_make_pad(b, op->in[0].value, op->in[1].value, low, high, interior, type);
}

/* Each device pads by the maximum that any device needs, and slices out its part. */
static tsr_value *pad_and_slice(tsr_local *s, tsr_build *b, const tsr_op *op, const tsr_mesh *mesh,
                                const shift *shifts, const int64_t *interior)
{
    tsr_type *type = op->out[0].type;
    uint32_t rank = type->n;
    int64_t *low = TSR_NEW_ARRAY(s->arena, int64_t, 3 * rank + 1), *high = low + rank;
    int64_t *dims = high + rank;
    tsr_value **starts = TSR_NEW_ARRAY(s->arena, tsr_value *, rank + 1);
    for (uint32_t d = 0; d < rank; d++) {
        low[d] = positive(shifts[d].most);
        high[d] = positive(type->dims[d] - shifts[d].least - shifts[d].spread);
        dims[d] = low[d] + shifts[d].spread + high[d];
    }
    tsr_value *v = tsr_make_pad(b, op->in[0].value, op->in[1].value, low, high, interior,
                                tsr_type_with_dims(type, dims, rank));
    tsr_value *id = tsr_make_device_id(b, s->replicas);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t *table = shifts[d].starts;
        bool alike = shifts[d].least == shifts[d].most;
        for (int64_t i = 0; i < mesh->ndevice; i++)
            table[i] = low[d] - table[i];
        starts[d] = alike ? tsr_make_int(b, s->ctx->i64, table[0])
                          : tsr_make_lookup(b, tsr_make_ints(b, table, mesh->ndevice), id);
    }
    return tsr_make_dynamic_slice(b, v, starts, type);
}

bool local_pad(tsr_local *s, tsr_op *op)
{
    const tsr_sharding *in = tsr_local_sharding(s, op->in[0].value);
    const tsr_sharding *out = tsr_local_sharding(s, &op->out[0]);
    uint32_t rank = op->out[0].type->n;
    bool alike = true;
    for (uint32_t d = 0; d < rank; d++)
        if (tsr_local_axes(s, in, d) != tsr_local_axes(s, out, d))
            return tsr_local_mismatch(s, op, d, in, out);
    if (tsr_local_replicated(in))
        return true;
    if (!tsr_devices_ok(op, in->mesh))
        return false;
    if (!tsr_type_has_static_shape(op->in[0].value->type) ||
        !tsr_type_has_static_shape(op->out[0].type))
        return tsr_op_error(op, "dynamic shape not supported");
    shift *shifts = TSR_NEW_ARRAY(s->arena, shift, rank + 1);
    tsr_pad p;
    tsr_pad_of(op, &p);
    int64_t *interior = tsr_ints_array(s->arena, p.interior, 0);
    for (uint32_t d = 0; d < rank; d++) {
        TSR_TRY(shift_of(s, op, d, in->mesh, in->dims[d].axes, &shifts[d]));
        alike &= shifts[d].least == shifts[d].most;
    }
    tsr_build b = tsr_build_before(op);
    tsr_local_replace(s, op,
                      alike ? pad_alike(s, &b, op, shifts, interior)
                            : pad_and_slice(s, &b, op, in->mesh, shifts, interior));
    return true;
}
