/* SPDX-License-Identifier: Apache-2.0 */
/* rules_dynamic.c - rules of ops whose shapes are operands: if those are known, the static op replaces them. */
#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

/* The integers of a constant operand as array<i64>; NULL when it is none. */
static tsr_attr *ints_of(tsr_rewriter *r, const tsr_value *v)
{
    size_t n;
    const int64_t *ints = tsr_const_ints(r, v, &n);
    return ints ? tsr_rw_i64s(r, ints, n) : NULL;
}

/* ---- Reified shapes ---- */

/* Computes the shapes of op's results before it; false if it cannot. */
static bool reify(tsr_rewriter *r, tsr_op *op, tsr_value_vec *out)
{
    tsr_op *before = op->prev;
    bool ok = op->def->reify && op->def->reify(op, op, out) && out->n == op->nout;
    for (tsr_op *made = before ? before->next : op->block->first; made != op; made = made->next)
        tsr_rw_touch(r, made);
    return ok;
}

bool tsr_rw_fill(tsr_rewriter *r, tsr_op *op, tsr_value *const *scalars)
{
    tsr_value_vec shapes = {0};
    tsr_attr *none = tsr_rw_i64s(r, NULL, 0);
    bool known = true;
    for (uint32_t i = 0; i < op->nout; i++)
        known &= tsr_rw_static(&op->out[i]);
    if (!known && !reify(r, op, &shapes)) {
        tsr_vec_free(&shapes);
        return false;
    }
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *in[] = {scalars[i], known ? NULL : shapes.data[i]};
        uint16_t opcode =
            known ? TSR_OP_STABLEHLO_BROADCAST_IN_DIM : TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM;
        tsr_op *made = tsr_rw_one(r, op, opcode, in, known ? 1 : 2, op->out[i].type);
        made->attrs[known ? (int)STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions
                          : (int)STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] = none;
        values[i] = &made->out[0];
    }
    tsr_rw_replace(r, op, values);
    tsr_vec_free(&shapes);
    return true;
}

/* ---- dynamic_broadcast_in_dim ---- */

static tsr_attr *broadcast_dims(const tsr_op *op)
{
    return op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions];
}

/* dynamic_broadcast(dynamic_broadcast(x, _), shape) -> dynamic_broadcast(x, shape) */
bool rule_dynamic_broadcast_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner =
        tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM);
    if (!inner)
        return false;
    const tsr_attr *outer_dims = broadcast_dims(op), *inner_dims = broadcast_dims(inner);
    size_t n = tsr_hlo_len(inner_dims);
    int64_t *dims = tsr_rw_ints(r, n);
    for (size_t i = 0; i < n; i++)
        dims[i] = tsr_hlo_at(outer_dims, (size_t)tsr_hlo_at(inner_dims, i));
    tsr_value *in[] = {tsr_rw_in(inner, 0), tsr_rw_in(op, 1)};
    tsr_op *made = tsr_rw_instead(r, op, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2);
    made->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] = tsr_rw_i64s(r, dims, n);
    /* Neither step alone determines which dimensions expand. */
    made->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_expanding_dimensions] =
        tsr_rw_i64s(r, NULL, 0);
    made->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_nonexpanding_dimensions] =
        tsr_rw_i64s(r, NULL, 0);
    return tsr_rw_done(r, op, made);
}

/* dynamic_broadcast(x) -> convert(x), if no dimension expands: the type stays as dynamic as it was */
bool rule_dynamic_broadcast_is_convert(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *known =
        op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_nonexpanding_dimensions];
    tsr_value *x = tsr_rw_in(op, 0);
    if (!known || tsr_hlo_len(known) != op->out[0].type->n ||
        !tsr_ints_are_iota(broadcast_dims(op)) || x->type->n != op->out[0].type->n)
        return false;
    return tsr_rw_done(r, op, tsr_rw_instead(r, op, TSR_OP_STABLEHLO_CONVERT, &x, 1));
}

/* dynamic_broadcast(dynamic_reshape(x, shape), shape) -> dynamic_reshape(x, shape) */
bool rule_dynamic_broadcast_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_DYNAMIC_RESHAPE);
    if (!inner || tsr_rw_in(inner, 1) != tsr_rw_in(op, 1) || !tsr_ints_are_iota(broadcast_dims(op)))
        return false;
    tsr_value *in[] = {tsr_rw_in(inner, 0), tsr_rw_in(op, 1)};
    return tsr_rw_done(r, op, tsr_rw_instead(r, op, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2));
}

/* dynamic_broadcast(x, shape_of(x)) -> x */
bool rule_dynamic_broadcast_same(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *shape = tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_SHAPE_SHAPE_OF);
    if (!shape || tsr_rw_in(shape, 0) != tsr_rw_in(op, 0) || !tsr_ints_are_iota(broadcast_dims(op)))
        return false;
    return tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* Whether some user of v is of another dialect than v's op: it may require v's type. */
static bool used_elsewhere(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (!tsr_same_dialect(u->user->def, v->op->def))
            return true;
    return false;
}

/* dynamic_broadcast(x, c) -> broadcast(x), if the shape is now known */
bool rule_dynamic_broadcast_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    tsr_type *type = op->out[0].type;
    if (!tsr_rw_static(x))
        return false;
    if (!tsr_type_has_static_shape(type)) {
        size_t n;
        const int64_t *shape = tsr_const_ints(r, tsr_rw_in(op, 1), &n);
        if (!shape || n != type->n)
            return false;
        for (size_t i = 0; i < n; i++)
            if (shape[i] < 0 || !tsr_hlo_dims_compatible(shape[i], type->dims[i]))
                return false;
        type = tsr_type_tensor(r->ctx, shape, n, type->elem, NULL);
    }
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &x, 1, type);
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] = broadcast_dims(op);
    tsr_value *v = &made->out[0];
    if (type != op->out[0].type && used_elsewhere(&op->out[0]))
        v = &tsr_rw_one(r, op, TSR_OP_STABLEHLO_CONVERT, &v, 1, op->out[0].type)->out[0];
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- dynamic_reshape ---- */

/* dynamic_reshape(dynamic_reshape(x, _), shape) -> dynamic_reshape(x, shape) */
bool rule_dynamic_reshape_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_DYNAMIC_RESHAPE);
    if (!inner)
        return false;
    tsr_value *in[] = {tsr_rw_in(inner, 0), tsr_rw_in(op, 1)};
    return tsr_rw_done(r, op, tsr_rw_instead(r, op, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2));
}

/* dynamic_reshape(f(dynamic_reshape(x, shape)), shape) -> f(dynamic_reshape(x, shape)), when f
 * keeps the shape */
bool rule_dynamic_reshape_again(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *f = tsr_rw_def(tsr_rw_in(op, 0));
    if (!f || !tsr_op_has(f, TSR_TRAIT(SAME_SHAPE)) || !f->nin || f->out[0].type != op->out[0].type)
        return false;
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(f, 0), TSR_OP_STABLEHLO_DYNAMIC_RESHAPE);
    if (!inner || tsr_rw_in(inner, 1) != tsr_rw_in(op, 1))
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* dynamic_reshape(x, _) -> reshape(x), if the result's type is static */
bool rule_dynamic_reshape_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    if (!tsr_rw_static(&op->out[0]))
        return false;
    return tsr_rw_done(r, op, tsr_rw_one(r, op, TSR_OP_STABLEHLO_RESHAPE, &x, 1, op->out[0].type));
}

/* shape_of(dynamic_reshape(x, shape)) -> shape */
bool rule_shape_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_DYNAMIC_RESHAPE);
    return inner && tsr_rw_becomes(r, op, tsr_rw_in(inner, 1));
}

/* ---- dynamic_iota ---- */

/* dynamic_iota(_) -> iota, if the result's type is static */
bool rule_dynamic_iota_is_static(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_rw_static(&op->out[0]))
        return false;
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_IOTA, NULL, 0, op->out[0].type);
    made->attrs[STABLEHLO_IOTA_iota_dimension] = op->attrs[STABLEHLO_DYNAMIC_IOTA_iota_dimension];
    return tsr_rw_done(r, op, made);
}

/* dynamic_iota(shape) of many dimensions -> dynamic_broadcast(dynamic_iota(slice(shape)), shape) */
bool rule_dynamic_iota_is_broadcast(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_value *shape = tsr_rw_in(op, 0), *sizes = shape;
    int64_t d = op->attrs[STABLEHLO_DYNAMIC_IOTA_iota_dimension]->i, end = d + 1, one = 1;
    if (type->n < 2)
        return false;
    tsr_type *wide = tsr_type_tensor(r->ctx, shape->type->dims, shape->type->n, r->ctx->i64, NULL);
    bool index = shape->type->elem->kind == TSR_TYPE_INDEX;
    sizes = &tsr_rw_one(r, op, index ? TSR_OP_ARITH_INDEX_CAST : TSR_OP_STABLEHLO_CONVERT, &sizes,
                        1, wide)
                 ->out[0];
    tsr_op *slice = tsr_rw_one(r, op, TSR_OP_STABLEHLO_SLICE, &sizes, 1,
                               tsr_type_tensor(r->ctx, &one, 1, r->ctx->i64, NULL));
    slice->attrs[STABLEHLO_SLICE_start_indices] = tsr_rw_i64s(r, &d, 1);
    slice->attrs[STABLEHLO_SLICE_limit_indices] = tsr_rw_i64s(r, &end, 1);
    slice->attrs[STABLEHLO_SLICE_strides] = tsr_rw_i64s(r, &one, 1);
    tsr_value *size = &slice->out[0];
    tsr_op *line = tsr_rw_one(r, op, TSR_OP_STABLEHLO_DYNAMIC_IOTA, &size, 1,
                              tsr_type_tensor(r->ctx, &type->dims[d], 1, type->elem, NULL));
    line->attrs[STABLEHLO_DYNAMIC_IOTA_iota_dimension] = tsr_attr_i64(r->ctx, 0);
    tsr_value *in[] = {&line->out[0], shape};
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, type);
    made->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] = tsr_rw_i64s(r, &d, 1);
    return tsr_rw_done(r, op, made);
}

/* ---- Others ---- */

/* dynamic_gather(x, i, c) -> gather(x, i) */
bool rule_dynamic_gather_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *sizes = ints_of(r, tsr_rw_in(op, 2));
    if (!sizes)
        return false;
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1)};
    tsr_op *made = tsr_rw_instead(r, op, TSR_OP_STABLEHLO_GATHER, in, 2);
    made->attrs[STABLEHLO_GATHER_dimension_numbers] =
        op->attrs[STABLEHLO_DYNAMIC_GATHER_dimension_numbers];
    made->attrs[STABLEHLO_GATHER_slice_sizes] = sizes;
    made->attrs[STABLEHLO_GATHER_indices_are_sorted] =
        op->attrs[STABLEHLO_DYNAMIC_GATHER_indices_are_sorted];
    return tsr_rw_done(r, op, made);
}

/* dynamic_pad(x, y, c, d, e) -> pad(x, y) */
bool rule_dynamic_pad_is_static(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *low = ints_of(r, tsr_rw_in(op, 2)), *high = ints_of(r, tsr_rw_in(op, 3));
    tsr_attr *interior = ints_of(r, tsr_rw_in(op, 4));
    if (!low || !high || !interior)
        return false;
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1)};
    tsr_op *made = tsr_rw_instead(r, op, TSR_OP_STABLEHLO_PAD, in, 2);
    made->attrs[STABLEHLO_PAD_edge_padding_low] = low;
    made->attrs[STABLEHLO_PAD_edge_padding_high] = high;
    made->attrs[STABLEHLO_PAD_interior_padding] = interior;
    return tsr_rw_done(r, op, made);
}

/* real_dynamic_slice(x, c, d, e) -> slice(x) */
bool rule_real_dynamic_slice_is_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *start = ints_of(r, tsr_rw_in(op, 1)), *limit = ints_of(r, tsr_rw_in(op, 2));
    tsr_attr *strides = ints_of(r, tsr_rw_in(op, 3));
    if (!start || !limit || !strides)
        return false;
    tsr_value *x = tsr_rw_in(op, 0);
    tsr_op *made = tsr_rw_instead(r, op, TSR_OP_STABLEHLO_SLICE, &x, 1);
    made->attrs[STABLEHLO_SLICE_start_indices] = start;
    made->attrs[STABLEHLO_SLICE_limit_indices] = limit;
    made->attrs[STABLEHLO_SLICE_strides] = strides;
    return tsr_rw_done(r, op, made);
}

/* real_dynamic_slice(x, start, start + c, 1) -> dynamic_slice(x, start), of sizes c */
bool rule_real_dynamic_slice_is_dynamic_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *start = tsr_rw_in(op, 1);
    const tsr_attr *strides = ints_of(r, tsr_rw_in(op, 3));
    const tsr_op *sum = tsr_rw_def_is(tsr_rw_in(op, 2), TSR_OP_STABLEHLO_ADD);
    if (!strides || !tsr_ints_are_all(strides, 1) || !sum)
        return false;
    size_t by = tsr_rw_in(sum, 0) == start ? 1 : 0;
    tsr_attr *sizes = tsr_rw_in(sum, 1 - by) == start ? ints_of(r, tsr_rw_in(sum, by)) : NULL;
    if (!sizes)
        return false;
    size_t n = tsr_hlo_len(sizes);
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, n + 1);
    int64_t one = 1;
    tsr_type *elem = start->type->elem, *scalar = tsr_type_tensor(r->ctx, NULL, 0, elem, NULL);
    in[0] = tsr_rw_in(op, 0);
    for (size_t i = 0; i < n; i++) {
        int64_t at = (int64_t)i, end = at + 1;
        tsr_op *slice = tsr_rw_one(r, op, TSR_OP_STABLEHLO_SLICE, &start, 1,
                                   tsr_type_tensor(r->ctx, &one, 1, elem, NULL));
        slice->attrs[STABLEHLO_SLICE_start_indices] = tsr_rw_i64s(r, &at, 1);
        slice->attrs[STABLEHLO_SLICE_limit_indices] = tsr_rw_i64s(r, &end, 1);
        slice->attrs[STABLEHLO_SLICE_strides] = tsr_rw_i64s(r, &one, 1);
        tsr_value *v = &slice->out[0];
        in[i + 1] = &tsr_rw_one(r, op, TSR_OP_STABLEHLO_RESHAPE, &v, 1, scalar)->out[0];
    }
    tsr_op *made = tsr_rw_instead(r, op, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in, n + 1);
    made->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] = sizes;
    return tsr_rw_done(r, op, made);
}
