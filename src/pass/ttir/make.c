/* SPDX-License-Identifier: Apache-2.0 */
/* make.c - dialect/ttir's builders of ops for rules: they insert ops and notify the driver. */
#include <math.h>

#include "pass/ttir/tt.h"

bool tsr_ttr_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n < TSR_TTIR_RANK &&
           tsr_type_num_elements(v->type) >= 0;
}

/* ---- Ops ---- */

/* Makes the driver visit the new op. */
static tsr_value *told(tsr_rewriter *r, tsr_value *made)
{
    tsr_rw_touch(r, made->op);
    return made;
}

tsr_op *tsr_ttr_op(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_op(&b, opcode, in, nin, type))->op;
}

tsr_op *tsr_ttr_copy(tsr_rewriter *r, tsr_op *at, const tsr_op *op, tsr_value *const *in,
                     size_t nin, tsr_type *type)
{
    tsr_type *types[8];
    tsr_assert(op->nout <= TSR_COUNT(types) && !op->nregion, "a copy of %u results", op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = type && op->nout == 1 ? type : op->out[i].type;
    tsr_op *copy = tsr_rw_new(r, at, op->def->opcode, in, nin, types, op->nout, 0);
    memcpy(copy->attrs, op->attrs, op->def->nslot * sizeof *copy->attrs);
    copy->extra = op->extra;
    copy->loc = op->loc;
    return copy;
}

tsr_value *tsr_ttr_unary(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *a, tsr_type *type)
{
    return &tsr_ttr_op(r, at, opcode, &a, 1, type)->out[0];
}

tsr_value *tsr_ttr_binary(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *a, tsr_value *b,
                          tsr_type *type)
{
    return &tsr_ttr_op(r, at, opcode, (tsr_value *[]){a, b}, 2, type)->out[0];
}

tsr_value *tsr_ttr_reshape(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims, size_t n)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_reshape_op(&b, v, dims, n));
}

tsr_value *tsr_ttr_permute(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *perm)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_permute_op(&b, v, perm));
}

tsr_value *tsr_ttr_broadcast(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims)
{
    tsr_build b = tsr_build_before(at);
    tsr_value *made = tsr_ttir_broadcast(&b, v, dims);
    return made == v ? v : told(r, made);
}

tsr_value *tsr_ttr_stretch(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims, size_t n)
{
    int64_t wide[TSR_TTIR_RANK];
    if (v->type->n < n) {
        size_t more = n - v->type->n;
        for (size_t i = 0; i < n; i++)
            wide[i] = i < more ? 1 : v->type->dims[i - more];
        v = tsr_ttr_reshape(r, at, v, wide, n);
    }
    return tsr_ttr_broadcast(r, at, v, dims);
}

tsr_value *tsr_ttr_typecast(tsr_rewriter *r, tsr_op *at, tsr_value *v, tsr_type *elem)
{
    tsr_build b = tsr_build_before(at);
    tsr_value *made = tsr_ttir_typecast(&b, v, elem);
    return made == v ? v : told(r, made);
}

tsr_value *tsr_ttr_slice(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *begins,
                         const int64_t *ends, const int64_t *steps)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_slice_op(&b, v, begins, ends, steps));
}

tsr_value *tsr_ttr_matmul(tsr_rewriter *r, tsr_op *at, tsr_value *a, tsr_value *b, bool ta, bool tb,
                          tsr_type *type)
{
    tsr_op *op = tsr_ttr_op(r, at, TSR_OP_TTIR_MATMUL, (tsr_value *[]){a, b}, 2, type);
    op->attrs[TTIR_MATMUL_transpose_a] = tsr_attr_bool(r->ctx, ta);
    op->attrs[TTIR_MATMUL_transpose_b] = tsr_attr_bool(r->ctx, tb);
    return &op->out[0];
}

tsr_value *tsr_ttr_concat(tsr_rewriter *r, tsr_op *at, tsr_value *const *in, size_t n, size_t dim)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_concat_op(&b, in, n, (int64_t)dim));
}

tsr_value *tsr_ttr_reduce(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *v,
                          const int64_t *dims, size_t n, bool keep, tsr_type *type)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_reduce_as(&b, opcode, v, dims, n, keep, type));
}

/* ---- Constants ---- */

tsr_attr *tsr_ttr_fill(tsr_ctx *ctx, const tsr_attr *splat)
{
    double number;
    if (!tsr_ttir_splat_number(splat, &number) || splat->type->n >= TSR_TTIR_RANK)
        return NULL;
    const tsr_type *elem = splat->type->elem;
    if (elem->kind == TSR_TYPE_FLOAT)
        return isnan(number) || (double)(float)number == number ? tsr_ttir_f32(ctx, number) : NULL;
    /* full reads its number back as a signed 32-bit integer; unsigned types give a number from 0 on. */
    uint32_t unused = 64 - elem->width;
    uint64_t top = (uint64_t)tsr_ttir_integer(splat, 0) << unused;
    int32_t whole =
        (int32_t)(elem->sub == TSR_SIGNED ? (int64_t)top >> unused : (int64_t)(top >> unused));
    return (uint64_t)(int64_t)whole << unused == top ? tsr_attr_i32(ctx, whole) : NULL;
}

tsr_value *tsr_ttr_full_of(tsr_rewriter *r, tsr_op *at, tsr_type *type, tsr_attr *fill)
{
    tsr_build b = tsr_build_before(at);
    return told(r, tsr_ttir_full_of(&b, type, fill));
}

/* zeros, ones or full. */
static tsr_value *filled(tsr_rewriter *r, tsr_op *at, tsr_type *type, tsr_attr *fill)
{
    tsr_build b = tsr_build_before(at);
    double number = tsr_ttr_float_attr(fill);
    if (number == 0 && !signbit(number))
        return told(r, tsr_ttir_zeros(&b, type));
    return told(r, number == 1 ? tsr_ttir_ones(&b, type) : tsr_ttir_full_of(&b, type, fill));
}

tsr_value *tsr_ttr_full(tsr_rewriter *r, tsr_op *at, tsr_type *type, double number)
{
    return filled(r, at, type, tsr_ttir_number_attr(r->ctx, type->elem, number));
}

/* The position of constants in at's function. */
static tsr_op *front_of(tsr_op *at)
{
    tsr_region *region = at->block->region;
    while (region->op->block && !tsr_op_maybe_isolated(region->op))
        region = region->op->block->region;
    return region->first->first ? region->first->first : at;
}

tsr_value *tsr_ttr_constant(tsr_rewriter *r, tsr_op *at, tsr_attr *value, bool front)
{
    tsr_loc loc = at->loc;
    tsr_op *place = front ? front_of(at) : at;
    tsr_attr *fill = tsr_ttr_fill(r->ctx, value);
    tsr_value *v;
    if (fill) {
        v = filled(r, place, value->type, fill);
    } else {
        tsr_build b = tsr_build_before(place);
        v = told(r, tsr_ttir_constant(&b, value));
    }
    v->op->loc = loc;
    return v;
}
