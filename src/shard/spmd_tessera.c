/* spmd_tessera.c - the partitioner on Graph IR's ops, as far as they need more than their rules say.
 *
 * Their rules call sums reductions, and other kinds something that needs whole dimensions; but each
 * device can take the maximum, the product or the mean of its part, and devices join those. */
#include "shard/spmd.h"

#include "dialect/tessera/tessera.h"
#include "shard/spmd_stretch.h"

/* The op of two operands that joins what devices have; means are sums of parts of the mean. */
static int joiner(tsr_tessera_kind kind, const tsr_type *elem)
{
    switch (kind) {
    case TSR_TESSERA_MAX: return TSR_OP_STABLEHLO_MAXIMUM;
    case TSR_TESSERA_MIN: return TSR_OP_STABLEHLO_MINIMUM;
    case TSR_TESSERA_PROD: return TSR_OP_STABLEHLO_MULTIPLY;
    case TSR_TESSERA_MEAN: return elem->kind == TSR_TYPE_FLOAT ? TSR_OP_STABLEHLO_ADD : -1;
    default: return -1;
    }
}

/* The mean of a part, made that part of the mean of all: times how many it has, by how many there are. */
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
    /* Reduced dimensions keep the axes that the operand has. */
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
