/* SPDX-License-Identifier: Apache-2.0 */
/* shaper.c - builds ops that compute shapes, folding static sizes. Constants are built where they are needed;
 * canonicalize makes them unique. */
#include "dialect/stablehlo/reify.h"

tsr_shaper tsr_shaper_for(const tsr_op *op, tsr_op *at)
{
    return (tsr_shaper){op->module->ctx, op->module, at, op->loc};
}

tsr_value *tsr_shaper_op(const tsr_shaper *s, enum tsr_opcode opcode, tsr_value *const *in,
                         size_t n, tsr_type *type)
{
    tsr_op *op = tsr_op_new(s->module, tsr_opdef_of(s->ctx, opcode), s->loc, in, n, &type, 1, 0, 0);
    tsr_op_insert(op, s->at->block, s->at);
    return &op->out[0];
}

static tsr_type *extents(const tsr_shaper *s, int64_t n, tsr_type *elem)
{
    return tsr_type_tensor(s->ctx, &n, 1, elem, NULL);
}

tsr_value *tsr_shape_of(const tsr_shaper *s, tsr_value *v)
{
    int64_t rank = tsr_hlo_is_ranked(v->type) ? v->type->n : TSR_DYNAMIC;
    return tsr_shaper_op(s, TSR_OP_SHAPE_SHAPE_OF, &v, 1, extents(s, rank, s->ctx->index));
}

tsr_value *tsr_shape_as_index(const tsr_shaper *s, tsr_value *dims)
{
    tsr_type *type = extents(s, dims->type->n ? dims->type->dims[0] : TSR_DYNAMIC, s->ctx->index);
    return dims->type == type ? dims : tsr_shaper_op(s, TSR_OP_ARITH_INDEX_CAST, &dims, 1, type);
}

tsr_value *tsr_shape_from(const tsr_shaper *s, tsr_value *const *dims, size_t n, tsr_type *elem)
{
    return tsr_shaper_op(s, TSR_OP_TENSOR_FROM_ELEMENTS, dims, n, extents(s, (int64_t)n, elem));
}

/* ---- Single dimensions ---- */

tsr_value *tsr_dim_const(const tsr_shaper *s, tsr_type *type, int64_t n)
{
    tsr_value *v = tsr_shaper_op(s, TSR_OP_ARITH_CONSTANT, NULL, 0, type);
    v->op->attrs[ARITH_CONSTANT_value] = tsr_attr_int(s->ctx, type, n);
    return v;
}

static bool known(const tsr_value *v, int64_t *out)
{
    if (v->is_arg || !tsr_op_is(v->op, TSR_OP_ARITH_CONSTANT) ||
        !tsr_attr_is(v->op->attrs[ARITH_CONSTANT_value], TSR_ATTR_INT))
        return false;
    *out = v->op->attrs[ARITH_CONSTANT_value]->i;
    return true;
}

static tsr_value *cast(const tsr_shaper *s, tsr_value *v, tsr_type *type)
{
    return v->type == type ? v : tsr_shaper_op(s, TSR_OP_ARITH_INDEX_CAST, &v, 1, type);
}

tsr_value *tsr_dim_of(const tsr_shaper *s, tsr_value *v, int64_t dim, tsr_type *type)
{
    if (v->type->dims[dim] != TSR_DYNAMIC)
        return tsr_dim_const(s, type, v->type->dims[dim]);
    tsr_value *in[] = {v, tsr_dim_const(s, s->ctx->index, dim)};
    return cast(s, tsr_shaper_op(s, TSR_OP_TENSOR_DIM, in, 2, s->ctx->index), type);
}

tsr_value *tsr_dim_at(const tsr_shaper *s, tsr_value *dims, int64_t i, tsr_type *type)
{
    tsr_i64_vec ints = {0};
    bool constant = tsr_hlo_const_ints(dims, &ints) && i < (int64_t)ints.n;
    int64_t n = constant ? ints.data[i] : 0;
    tsr_vec_free(&ints);
    if (constant)
        return tsr_dim_const(s, type, n);
    tsr_value *in[] = {dims, tsr_dim_const(s, s->ctx->index, i)};
    return cast(s, tsr_shaper_op(s, TSR_OP_TENSOR_EXTRACT, in, 2, dims->type->elem), type);
}

static tsr_value *binary(const tsr_shaper *s, enum tsr_opcode opcode, tsr_value *a, tsr_value *b)
{
    tsr_value *in[] = {a, b};
    return tsr_shaper_op(s, opcode, in, 2, a->type);
}

/* Sizes wrap like the run-time arithmetic. */
static int64_t wrap(uint64_t n)
{
    return (int64_t)n;
}

tsr_value *tsr_dim_add(const tsr_shaper *s, tsr_value *a, tsr_value *b)
{
    int64_t x = 0, y = 0;
    bool kx = known(a, &x), ky = known(b, &y);
    if (kx && ky)
        return tsr_dim_const(s, a->type, wrap((uint64_t)x + (uint64_t)y));
    if (ky && y == 0)
        return a;
    return kx && x == 0 ? b : binary(s, TSR_OP_ARITH_ADDI, a, b);
}

tsr_value *tsr_dim_sub(const tsr_shaper *s, tsr_value *a, tsr_value *b)
{
    int64_t x = 0, y = 0;
    bool kx = known(a, &x), ky = known(b, &y);
    if (kx && ky)
        return tsr_dim_const(s, a->type, wrap((uint64_t)x - (uint64_t)y));
    return ky && y == 0 ? a : binary(s, TSR_OP_ARITH_SUBI, a, b);
}

tsr_value *tsr_dim_mul(const tsr_shaper *s, tsr_value *a, tsr_value *b)
{
    int64_t x = 0, y = 0;
    bool kx = known(a, &x), ky = known(b, &y);
    if (kx && ky)
        return tsr_dim_const(s, a->type, wrap((uint64_t)x * (uint64_t)y));
    if ((kx && x == 0) || (ky && y == 1))
        return a;
    return (ky && y == 0) || (kx && x == 1) ? b : binary(s, TSR_OP_ARITH_MULI, a, b);
}

tsr_value *tsr_dim_div(const tsr_shaper *s, tsr_value *a, tsr_value *b)
{
    int64_t x = 0, y = 0;
    bool kx = known(a, &x), ky = known(b, &y);
    if (kx && ky && y > 0)
        return tsr_dim_const(s, a->type, x / y);
    return ky && y == 1 ? a : binary(s, TSR_OP_ARITH_DIVSI, a, b);
}

tsr_value *tsr_dim_gaps(const tsr_shaper *s, tsr_value *a)
{
    enum { SLT = 2 }; /* of arith.cmpi */
    int64_t n;
    if (known(a, &n))
        return tsr_dim_const(s, a->type, n > 1 ? n - 1 : 0);
    tsr_value *one = tsr_dim_const(s, a->type, 1), *in[] = {a, one};
    tsr_value *less = tsr_shaper_op(s, TSR_OP_ARITH_CMPI, in, 2, s->ctx->i1);
    less->op->attrs[ARITH_CMPI_predicate] = tsr_attr_i64(s->ctx, SLT);
    tsr_value *rest = binary(s, TSR_OP_ARITH_SUBI, a, one);
    tsr_value *choice[] = {less, tsr_dim_const(s, a->type, 0), rest};
    return tsr_shaper_op(s, TSR_OP_ARITH_SELECT, choice, 3, a->type);
}
