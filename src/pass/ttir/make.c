/* make.c - makers of TTIR's ops for rules and passes. */
#include <math.h>

#include "pass/ttir/tt.h"

/* ---- Types and attributes ---- */

tsr_type *tsr_ttr_type(const tsr_type *like, const int64_t *dims, size_t n)
{
    return tsr_type_tensor(like->ctx, dims, n, like->elem, like->attr);
}

tsr_type *tsr_ttr_elem(const tsr_type *like, tsr_type *elem)
{
    return tsr_type_tensor(like->ctx, like->dims, like->n, elem, like->attr);
}

tsr_attr *tsr_ttr_i32_list(tsr_ctx *ctx, const int64_t *v, size_t n)
{
    tsr_attr *few[TSR_TTR_RANK];
    tsr_assert(n <= TSR_TTR_RANK, "a list of %zu numbers", n);
    for (size_t i = 0; i < n; i++)
        few[i] = tsr_attr_i32(ctx, (int32_t)v[i]);
    return tsr_attr_array(ctx, few, n);
}

tsr_attr *tsr_ttr_i32_array(tsr_ctx *ctx, const int64_t *v, size_t n)
{
    int32_t few[2 * TSR_TTR_RANK];
    tsr_assert(n <= TSR_COUNT(few), "a list of %zu numbers", n);
    for (size_t i = 0; i < n; i++)
        few[i] = (int32_t)v[i];
    return tsr_attr_dense_array(ctx, ctx->i32, few, n);
}

tsr_attr *tsr_ttr_si32(tsr_ctx *ctx, int64_t v)
{
    return tsr_attr_int(ctx, tsr_type_integer(ctx, 32, TSR_SIGNED), v);
}

tsr_attr *tsr_ttr_f32(tsr_ctx *ctx, double v)
{
    return tsr_attr_float(ctx, tsr_type_float(ctx, TSR_F32), v);
}

bool tsr_ttr_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n < TSR_TTR_RANK &&
           tsr_type_num_elements(v->type) >= 0;
}

/* ---- Ops ---- */

static void fill_defaults(tsr_ctx *ctx, tsr_op *op)
{
    for (uint32_t i = 0; i < op->def->nslot; i++)
        if (!op->attrs[i] && op->def->slots[i].need == TSR_ATTR_FILLED)
            op->attrs[i] = tsr_slot_default(ctx, &op->def->slots[i]);
}

tsr_op *tsr_ttr_op(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type)
{
    tsr_op *op = tsr_rw_one(r, at, opcode, in, nin, type);
    fill_defaults(r->ctx, op);
    return op;
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
    tsr_op *op = tsr_ttr_op(r, at, TSR_OP_TTIR_RESHAPE, &v, 1, tsr_ttr_type(v->type, dims, n));
    op->attrs[TTIR_RESHAPE_shape] = tsr_ttr_i32_list(r->ctx, dims, n);
    return &op->out[0];
}

tsr_value *tsr_ttr_permute(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *perm)
{
    int64_t dims[TSR_TTR_RANK];
    for (size_t i = 0; i < v->type->n; i++)
        dims[i] = v->type->dims[perm[i]];
    tsr_op *op =
        tsr_ttr_op(r, at, TSR_OP_TTIR_PERMUTE, &v, 1, tsr_ttr_type(v->type, dims, v->type->n));
    op->attrs[TTIR_PERMUTE_permutation] = tsr_attr_i64_array(r->ctx, perm, v->type->n);
    return &op->out[0];
}

tsr_value *tsr_ttr_broadcast(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims)
{
    int64_t times[TSR_TTR_RANK];
    if (tsr_ttr_shape_is(v, dims, v->type->n))
        return v;
    for (size_t i = 0; i < v->type->n; i++)
        times[i] = v->type->dims[i] == dims[i] ? 1 : dims[i];
    tsr_op *op =
        tsr_ttr_op(r, at, TSR_OP_TTIR_BROADCAST, &v, 1, tsr_ttr_type(v->type, dims, v->type->n));
    op->attrs[TTIR_BROADCAST_broadcast_dimensions] = tsr_attr_i64_array(r->ctx, times, v->type->n);
    return &op->out[0];
}

tsr_value *tsr_ttr_stretch(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims, size_t n)
{
    int64_t wide[TSR_TTR_RANK];
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
    if (v->type->elem == elem)
        return v;
    return tsr_ttr_unary(r, at, TSR_OP_TTIR_TYPECAST, v, tsr_ttr_elem(v->type, elem));
}

tsr_value *tsr_ttr_slice(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *begins,
                         const int64_t *ends, const int64_t *steps)
{
    int64_t dims[TSR_TTR_RANK], ones[TSR_TTR_RANK];
    size_t n = v->type->n;
    for (size_t i = 0; i < n; i++) {
        ones[i] = steps ? steps[i] : 1;
        dims[i] = (ends[i] - begins[i] + ones[i] - 1) / ones[i];
    }
    tsr_op *op = tsr_ttr_op(r, at, TSR_OP_TTIR_SLICE_STATIC, &v, 1, tsr_ttr_type(v->type, dims, n));
    op->attrs[TTIR_SLICE_STATIC_begins] = tsr_ttr_i32_list(r->ctx, begins, n);
    op->attrs[TTIR_SLICE_STATIC_ends] = tsr_ttr_i32_list(r->ctx, ends, n);
    op->attrs[TTIR_SLICE_STATIC_step] = tsr_ttr_i32_list(r->ctx, ones, n);
    return &op->out[0];
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
    int64_t dims[TSR_TTR_RANK];
    memcpy(dims, in[0]->type->dims, in[0]->type->n * sizeof *dims);
    for (size_t i = 1; i < n; i++)
        dims[dim] += in[i]->type->dims[dim];
    tsr_op *op = tsr_ttr_op(r, at, TSR_OP_TTIR_CONCAT, in, n,
                            tsr_ttr_type(in[0]->type, dims, in[0]->type->n));
    op->attrs[TTIR_CONCAT_dim] = tsr_ttr_si32(r->ctx, (int64_t)dim);
    return &op->out[0];
}

/* Every reduction has the same slots at the same places: TTIR_REDUCTION writes its row. */
tsr_op *tsr_ttr_reduce(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *v,
                       const int64_t *dims, size_t n, bool keep, tsr_type *type)
{
    tsr_op *op = tsr_ttr_op(r, at, opcode, &v, 1, type);
    op->attrs[TTIR_SUM_keep_dim] = tsr_attr_bool(r->ctx, keep);
    op->attrs[TTIR_SUM_dim_arg] = tsr_ttr_i32_list(r->ctx, dims, n);
    return op;
}

/* ---- Constants ---- */

/* The first element of dense data, as a number; false when it is none. whole: of integers, the
 * number itself. */
static bool first_number(const tsr_attr *dense, double *number, int64_t *whole, bool *is_int)
{
    const tsr_type *elem = dense->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    if (!size || size > 8 || dense->s.len < size)
        return false;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)(uint8_t)dense->s.data[i] << 8 * i;
    *is_int = elem->kind == TSR_TYPE_INTEGER;
    if (elem->kind == TSR_TYPE_FLOAT) {
        *number = tsr_float_to_double((tsr_float_kind)elem->sub, bits);
        return true;
    }
    if (!*is_int || elem->width == 0 || elem->width > 64)
        return false;
    uint32_t unused = 64 - elem->width;
    *whole = elem->sub == TSR_SIGNED ? (int64_t)(bits << unused) >> unused
                                     : (int64_t)(bits << unused >> unused);
    *number = elem->sub == TSR_SIGNED ? (double)*whole : (double)(uint64_t)*whole;
    return true;
}

tsr_attr *tsr_ttr_fill(tsr_ctx *ctx, const tsr_attr *splat)
{
    double number = 0;
    int64_t whole = 0;
    bool is_int = false;
    if (!splat || !splat->sub || splat->type->n >= TSR_TTR_RANK ||
        !first_number(splat, &number, &whole, &is_int))
        return NULL;
    if (!is_int)
        return isnan(number) || (double)(float)number == number ? tsr_ttr_f32(ctx, number) : NULL;
    /* full reads its number back from 32 bits with a sign. */
    uint32_t width = splat->type->elem->width, unused = width < 64 ? 64 - width : 0;
    int64_t back = (int32_t)whole;
    return (uint64_t)back << unused == (uint64_t)whole << unused ? tsr_attr_i32(ctx, (int32_t)whole)
                                                                 : NULL;
}

static tsr_value *creation(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_type *type, int slot)
{
    tsr_op *op = tsr_ttr_op(r, at, opcode, NULL, 0, type);
    op->attrs[slot] = tsr_ttr_i32_array(r->ctx, type->dims, type->n);
    return &op->out[0];
}

static tsr_value *full_of(tsr_rewriter *r, tsr_op *at, tsr_type *type, tsr_attr *fill)
{
    double number = tsr_ttr_float_attr(fill);
    if (number == 0 && !signbit(number))
        return creation(r, at, TSR_OP_TTIR_ZEROS, type, TTIR_ZEROS_shape);
    if (number == 1)
        return creation(r, at, TSR_OP_TTIR_ONES, type, TTIR_ONES_shape);
    tsr_value *v = creation(r, at, TSR_OP_TTIR_FULL, type, TTIR_FULL_shape);
    v->op->attrs[TTIR_FULL_fill_value] = fill;
    return v;
}

tsr_value *tsr_ttr_full(tsr_rewriter *r, tsr_op *at, tsr_type *type, double number)
{
    tsr_attr *fill = type->elem->kind == TSR_TYPE_INTEGER ? tsr_attr_i32(r->ctx, (int32_t)number)
                                                          : tsr_ttr_f32(r->ctx, number);
    return full_of(r, at, type, fill);
}

/* Where constants of at's function stand. */
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
        v = full_of(r, place, value->type, fill);
    } else {
        v = &tsr_ttr_op(r, place, TSR_OP_TTIR_CONSTANT, NULL, 0, value->type)->out[0];
        v->op->attrs[TTIR_CONSTANT_value] = value;
    }
    v->op->loc = loc;
    return v;
}
