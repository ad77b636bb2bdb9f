/* SPDX-License-Identifier: Apache-2.0 */
/* shape_legalize.c - lowers computations of shapes in the dialects shape, tensor and arith to StableHLO.
 *
 * These use index, StableHLO i32: casts (builtin.unrealized_conversion_cast) are inserted in between, and cancel out
 * when everything around them has been converted. Sizes of 2^31 and more do not fit. Needs nothing; keeps everything
 * else; breaks ids. */
#include "dialect/stablehlo/types.h"
#include "pass/pass.h"

/* ---- Making ops ---- */

static tsr_value *make(tsr_op *at, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                       tsr_type *type)
{
    tsr_op *op = tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), at->loc, in, n,
                            &type, 1, 0, 0);
    tsr_op_insert(op, at->block, at);
    return &op->out[0];
}

static tsr_value *cast(tsr_op *at, tsr_value *v, tsr_type *type)
{
    return v->type == type ? v : make(at, TSR_OP_BUILTIN_UNREALIZED_CONVERSION_CAST, &v, 1, type);
}

static tsr_type *i32s(tsr_ctx *ctx, const int64_t *dims, size_t n)
{
    return tsr_type_tensor(ctx, dims, n, ctx->i32, NULL);
}

static tsr_type *line(tsr_ctx *ctx, int64_t n)
{
    return i32s(ctx, &n, 1);
}

/* A constant of n numbers: a vector of n elements, or a scalar if n is negative. */
static tsr_value *constant(tsr_op *at, const int32_t *numbers, int64_t n)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_type *type = n < 0 ? i32s(ctx, NULL, 0) : line(ctx, n);
    size_t count = n < 0 ? 1 : (size_t)n;
    bool splat = count > 0;
    for (size_t i = 1; i < count; i++)
        splat &= numbers[i] == numbers[0];
    tsr_value *v = make(at, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, type);
    v->op->attrs[STABLEHLO_CONSTANT_value] =
        tsr_attr_dense(ctx, at->module, type, count ? (const void *)numbers : "",
                       (splat ? 1 : count) * sizeof *numbers, splat);
    return v;
}

static tsr_value *slice(tsr_op *at, tsr_value *v, const int64_t *start, size_t n)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_i64_vec ones = {0}, limit = {0};
    for (size_t i = 0; i < n; i++) {
        tsr_vec_push(&ones, 1);
        tsr_vec_push(&limit, start[i] + 1);
    }
    tsr_value *out = make(at, TSR_OP_STABLEHLO_SLICE, &v, 1, i32s(ctx, ones.data, n));
    out->op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(ctx, start, n);
    out->op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(ctx, limit.data, n);
    out->op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(ctx, ones.data, n);
    tsr_vec_free(&ones);
    tsr_vec_free(&limit);
    return out;
}

static tsr_value *reshape(tsr_op *at, tsr_value *v, tsr_type *type)
{
    return make(at, TSR_OP_STABLEHLO_RESHAPE, &v, 1, type);
}

static tsr_value *concatenate(tsr_op *at, tsr_value *const *in, size_t n, int64_t total)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_value *v = make(at, TSR_OP_STABLEHLO_CONCATENATE, in, n, line(ctx, total));
    v->op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(ctx, 0);
    return v;
}

static tsr_value *size_of(tsr_op *at, tsr_value *v, int64_t dim)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_value *size = make(at, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, &v, 1, i32s(ctx, NULL, 0));
    size->op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(ctx, dim);
    return size;
}

/* ---- index and i32 ---- */

static bool is_index(const tsr_type *t)
{
    return t->kind == TSR_TYPE_INDEX || (tsr_type_is_shaped(t) && t->elem->kind == TSR_TYPE_INDEX);
}

/* Converts index and tensors of it to i32; NULL for other types. */
static tsr_value *to_i32(tsr_op *at, tsr_value *v)
{
    const tsr_type *t = v->type;
    if (t->kind == TSR_TYPE_INDEX)
        return cast(at, v, i32s(t->ctx, NULL, 0));
    if (t->kind != TSR_TYPE_TENSOR || !tsr_type_has_static_shape(t))
        return NULL;
    if (tsr_type_is_integer(t->elem, 32))
        return v;
    return t->elem->kind == TSR_TYPE_INDEX ? cast(at, v, i32s(t->ctx, t->dims, t->n)) : NULL;
}

/* The inverse; scalars are not tensors there. */
static tsr_value *to_index(tsr_op *at, tsr_value *v)
{
    const tsr_type *t = v->type;
    if (t->kind == TSR_TYPE_INDEX)
        return v;
    if (t->kind != TSR_TYPE_TENSOR || !tsr_type_has_static_shape(t))
        return NULL;
    if (tsr_type_is_integer(t->elem, 32))
        return cast(at, v,
                    t->n ? tsr_type_tensor(t->ctx, t->dims, t->n, t->ctx->index, NULL)
                         : t->ctx->index);
    return t->elem->kind == TSR_TYPE_INDEX ? v : NULL;
}

/* v as index, if that is the type of op's result. */
static tsr_value *result(tsr_op *op, tsr_value *v)
{
    v = v ? to_index(op, v) : NULL;
    return v && v->type == op->out[0].type ? v : NULL;
}

/* Whether v is a constant of type index. */
static bool const_index(const tsr_value *v, int64_t *out)
{
    if (v->is_arg || !tsr_op_is(v->op, TSR_OP_ARITH_CONSTANT) || v->type->kind != TSR_TYPE_INDEX ||
        !tsr_attr_is(v->op->attrs[ARITH_CONSTANT_value], TSR_ATTR_INT))
        return false;
    *out = v->op->attrs[ARITH_CONSTANT_value]->i;
    return true;
}

/* ---- Ops: each returns the replacement of the result, or NULL ---- */

static tsr_value *num_elements(tsr_op *op)
{
    tsr_value *shape = to_i32(op, op->in[0].value);
    if (!shape || shape->type->n != 1 || op->out[0].type->kind != TSR_TYPE_INDEX)
        return NULL;
    tsr_type *scalar = i32s(op->module->ctx, NULL, 0);
    tsr_value *product = constant(op, &(int32_t){1}, -1);
    for (int64_t i = 0; i < shape->type->dims[0]; i++) {
        tsr_value *in[] = {product, reshape(op, slice(op, shape, &i, 1), scalar)};
        product = make(op, TSR_OP_STABLEHLO_MULTIPLY, in, 2, scalar);
    }
    return result(op, product);
}

static tsr_value *shape_of(tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_ctx *ctx = op->module->ctx;
    if (x->type->kind != TSR_TYPE_TENSOR)
        return NULL;
    if (!x->type->n)
        return result(op, constant(op, NULL, 0));
    tsr_value_vec sizes = {0};
    for (uint32_t i = 0; i < x->type->n; i++)
        tsr_vec_push(&sizes, reshape(op, size_of(op, x, i), line(ctx, 1)));
    tsr_value *v = concatenate(op, sizes.data, sizes.n, (int64_t)sizes.n);
    tsr_vec_free(&sizes);
    return result(op, v);
}

static tsr_value *const_shape(tsr_op *op)
{
    const tsr_attr *a = op->attrs[SHAPE_CONST_SHAPE_shape];
    const tsr_type *t = op->out[0].type;
    if (t->kind != TSR_TYPE_TENSOR || t->n != 1 || !tsr_attr_is(a, TSR_ATTR_DENSE))
        return NULL;
    int64_t n = tsr_attr_count(a);
    TSR_VEC(int32_t) numbers = {0};
    for (int64_t i = 0; i < n; i++)
        tsr_vec_push(&numbers, (int32_t)tsr_attr_int_at(a, (size_t)i));
    tsr_value *v = constant(op, numbers.data, n);
    tsr_vec_free(&numbers);
    return result(op, v);
}

static bool is_i32s(const tsr_type *t)
{
    return tsr_type_is_shaped(t) && tsr_type_is_integer(t->elem, 32);
}

static tsr_value *index_cast(tsr_op *op)
{
    tsr_value *v = op->in[0].value;
    tsr_type *from = v->type, *to = op->out[0].type;
    tsr_ctx *ctx = op->module->ctx;
    if (from->kind == TSR_TYPE_INDEX) { /* to an integer: through a scalar tensor */
        v = to_i32(op, v);
        if (!tsr_type_is_integer(to, 32))
            v = make(op, TSR_OP_STABLEHLO_CONVERT, &v, 1, tsr_type_tensor(ctx, NULL, 0, to, NULL));
        return cast(op, v, to);
    }
    if (!tsr_type_is_shaped(from) && is_index(to))
        return cast(op, cast(op, v, tsr_type_tensor(ctx, NULL, 0, from, NULL)), to);
    if (is_index(from))
        v = to_i32(op, v);
    else if (!is_i32s(from))
        return NULL;
    if (!v || is_i32s(to))
        return v && v->type == to ? v : NULL;
    return is_index(to) ? result(op, v) : NULL;
}

static tsr_value *operand_i32(tsr_op *op, size_t i)
{
    int64_t n;
    if (const_index(op->in[i].value, &n))
        return constant(op, &(int32_t){(int32_t)n}, -1);
    return to_i32(op, op->in[i].value);
}

static tsr_value *muli(tsr_op *op)
{
    if (!is_index(op->out[0].type))
        return NULL;
    tsr_value *a = operand_i32(op, 0), *b = a ? operand_i32(op, 1) : NULL, *in[] = {a, b};
    return b ? result(op, make(op, TSR_OP_STABLEHLO_MULTIPLY, in, 2, a->type)) : NULL;
}

/* Prepends ones to the shorter shape. */
static tsr_value *padded(tsr_op *at, tsr_value *v, int64_t n)
{
    int64_t missing = n - v->type->dims[0];
    if (missing <= 0)
        return v;
    TSR_VEC(int32_t) ones = {0};
    for (int64_t i = 0; i < missing; i++)
        tsr_vec_push(&ones, 1);
    tsr_value *in[] = {constant(at, ones.data, missing), v};
    tsr_vec_free(&ones);
    return concatenate(at, in, 2, n);
}

/* Sizes are equal, or one of them is 1: the larger one is the result. */
static tsr_value *broadcast(tsr_op *op)
{
    enum { MAX_RANK = 1 << 16 };
    if (op->nin != 2)
        return NULL;
    tsr_value *a = to_i32(op, op->in[0].value), *b = a ? to_i32(op, op->in[1].value) : NULL;
    if (!b || a->type->n != 1 || b->type->n != 1 || a->type->dims[0] > MAX_RANK ||
        b->type->dims[0] > MAX_RANK)
        return NULL;
    int64_t n = a->type->dims[0] > b->type->dims[0] ? a->type->dims[0] : b->type->dims[0];
    a = padded(op, a, n);
    b = padded(op, b, n);
    tsr_value *in[] = {a, b};
    return result(op, make(op, TSR_OP_STABLEHLO_MAXIMUM, in, 2, a->type));
}

static tsr_value *dim(tsr_op *op)
{
    int64_t d;
    const tsr_type *t = op->in[0].value->type;
    if (!const_index(op->in[1].value, &d) || t->kind != TSR_TYPE_TENSOR || d < 0 || d >= t->n)
        return NULL;
    return result(op, size_of(op, op->in[0].value, d));
}

static tsr_value *extract(tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_i64_vec start = {0};
    bool ok = x->type->kind == TSR_TYPE_TENSOR && op->nin == x->type->n + 1;
    for (uint32_t i = 1; ok && i < op->nin; i++) {
        int64_t at;
        ok = const_index(op->in[i].value, &at) && at >= 0 && at < x->type->dims[i - 1];
        if (ok)
            tsr_vec_push(&start, at);
    }
    x = ok ? to_i32(op, x) : NULL;
    if (x)
        x = reshape(op, slice(op, x, start.data, start.n), i32s(op->module->ctx, NULL, 0));
    tsr_vec_free(&start);
    if (!x)
        return NULL;
    return op->out[0].type->kind == TSR_TYPE_INDEX ? result(op, x) : cast(op, x, op->out[0].type);
}

static tsr_value *from_elements(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_type *t = op->out[0].type;
    if (t->kind != TSR_TYPE_TENSOR)
        return NULL;
    if (t->n == 0)
        return cast(op, op->in[0].value, op->out[0].type);
    if (t->n != 1 || t->elem->kind != TSR_TYPE_INDEX || !op->nin)
        return NULL;
    tsr_value_vec parts = {0};
    for (uint32_t i = 0; i < op->nin; i++) {
        int64_t n;
        if (const_index(op->in[i].value, &n))
            tsr_vec_push(&parts, constant(op, &(int32_t){(int32_t)n}, 1));
        else
            tsr_vec_push(&parts, reshape(op, to_i32(op, op->in[i].value), line(ctx, 1)));
    }
    tsr_value *v = concatenate(op, parts.data, parts.n, (int64_t)parts.n);
    tsr_vec_free(&parts);
    return result(op, v);
}

/* ---- The pass ---- */

static const struct {
    uint16_t opcode;
    tsr_value *(*convert)(tsr_op *op);
} conversions[] = {
    {TSR_OP_SHAPE_NUM_ELEMENTS, num_elements},
    {TSR_OP_SHAPE_SHAPE_OF, shape_of},
    {TSR_OP_SHAPE_CONST_SHAPE, const_shape},
    {TSR_OP_ARITH_INDEX_CAST, index_cast},
    {TSR_OP_ARITH_MULI, muli},
    {TSR_OP_SHAPE_BROADCAST, broadcast},
    {TSR_OP_TENSOR_DIM, dim},
    {TSR_OP_TENSOR_EXTRACT, extract},
    {TSR_OP_TENSOR_FROM_ELEMENTS, from_elements},
};

/* Ops of StableHLO that take shapes: casts their operands. */
static bool cast_operands(tsr_op *op)
{
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM) &&
        !tsr_op_is(op, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE))
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value;
        if (is_index(v->type) && !(v = to_i32(op, v)))
            return false;
        tsr_op_set_operand(op, i, v);
    }
    return true;
}

static bool has_index(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (is_index(op->in[i].value->type))
            return true;
    return false;
}

static bool is_legal(const tsr_op *op)
{
    if (tsr_op_in(op, TSR_DIALECT_SHAPE))
        return false;
    if (tsr_op_in(op, TSR_DIALECT_TENSOR))
        return tsr_op_is(op, TSR_OP_TENSOR_CAST);
    if (tsr_op_is(op, TSR_OP_ARITH_INDEX_CAST) || tsr_op_is(op, TSR_OP_ARITH_MULI))
        return false;
    return !tsr_op_in(op, TSR_DIALECT_STABLEHLO) || !has_index(op);
}

static bool convert(tsr_op *op)
{
    if (cast_operands(op))
        return true;
    for (size_t i = 0; i < TSR_COUNT(conversions); i++) {
        if (op->def->opcode != conversions[i].opcode)
            continue;
        tsr_value *v = conversions[i].convert(op);
        if (!v)
            return false;
        tsr_value_replace(&op->out[0], v);
        tsr_op_erase(op);
        return true;
    }
    return false;
}

bool pass_shape_legalize_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = root; op; op = next) {
        next = tsr_walk_next(root, op);
        if (op == root || is_legal(op))
            continue;
        tsr_str name = op->def->name;
        tsr_loc loc = op->loc;
        if (!convert(op))
            return tsr_error(
                p->ctx, loc,
                "failed to legalize operation '%.*s' that was explicitly marked illegal",
                TSR_STR_ARG(name));
        p->changed = true;
    }
    return true;
}
