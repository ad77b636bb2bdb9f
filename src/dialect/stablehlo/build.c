/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - builds StableHLO ops one after the other. */
#include "dialect/stablehlo/build.h"

tsr_build tsr_build_before(tsr_op *op)
{
    return (tsr_build){
        .ctx = op->module->ctx, .module = op->module, .block = op->block, .at = op, .loc = op->loc};
}

tsr_build tsr_build_in(const tsr_build *outer, tsr_region *region, tsr_type *const *args, size_t n)
{
    tsr_build b = {.ctx = outer->ctx, .module = outer->module, .loc = outer->loc};
    b.block = tsr_block_new(b.module);
    tsr_block_insert(b.block, region, NULL);
    for (size_t i = 0; i < n; i++)
        tsr_block_add_arg(b.module, b.block, args[i], b.loc);
    return b;
}

void tsr_build_free(tsr_build *b)
{
    tsr_vec_free(&b->made);
    tsr_map_free(&b->made.index);
}

/* ---- Cache of constants: a few are compared one by one, many are hashed ---- */

enum { MADE_FEW = 16 };

static uint64_t made_hash(const tsr_attr *value, const tsr_value *like)
{
    return tsr_hash_ptr(value) ^ (tsr_hash_ptr(like) << 1);
}

static tsr_value *made_find(const tsr_build *b, const tsr_attr *value, const tsr_value *like)
{
    if (b->made.n <= MADE_FEW) {
        for (size_t i = 0; i < b->made.n; i++)
            if (b->made.data[i].value == value && b->made.data[i].like == like)
                return b->made.data[i].made;
        return NULL;
    }
    TSR_MAP_EACH (&b->made.index, made_hash(value, like), v) {
        const tsr_made *m = &b->made.data[(uintptr_t)v - 1];
        if (m->value == value && m->like == like)
            return m->made;
    }
    return NULL;
}

static void made_put(tsr_build *b, tsr_type *type, tsr_attr *value, tsr_value *like,
                     tsr_value *made)
{
    tsr_vec_push(&b->made, (tsr_made){type, value, like, made});
    if (b->made.n <= MADE_FEW)
        return;
    for (size_t i = b->made.index.n; i < b->made.n; i++)
        tsr_map_put(&b->made.index, made_hash(b->made.data[i].value, b->made.data[i].like),
                    (void *)(uintptr_t)(i + 1));
}

/* ---- Ops ---- */

tsr_op *tsr_build_open(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t nin,
                       size_t nout, size_t nregion)
{
    tsr_type_vec types = {0};
    for (size_t i = 0; i < nout; i++)
        tsr_vec_push(&types, b->ctx->none);
    tsr_op *op = tsr_op_new(b->module, tsr_opdef_of(b->ctx, opcode), b->loc, in, nin, types.data,
                            nout, nregion, 0);
    tsr_vec_free(&types);
    return op;
}

tsr_op *tsr_build_close_as(tsr_build *b, tsr_op *op, tsr_type *const *types)
{
    for (uint32_t i = 0; i < op->nout; i++)
        op->out[i].type = types[i];
    tsr_op_insert(op, b->block, b->at);
    return op;
}

tsr_op *tsr_build_close(tsr_build *b, tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = op->def->infer && op->def->infer(op, &types) && types.n == op->nout;
    b->failed |= !ok;
    for (uint32_t i = 0; !ok && i < op->nout; i++)
        tsr_vec_push(&types, op->nin ? op->in[0].value->type : b->ctx->none);
    tsr_build_close_as(b, op, types.data);
    tsr_vec_free(&types);
    return op;
}

tsr_value *tsr_build_op(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                        tsr_type *type)
{
    tsr_op *op = tsr_build_open(b, opcode, in, n, 1, 0);
    return type ? &tsr_build_close_as(b, op, &type)->out[0] : &tsr_build_close(b, op)->out[0];
}

void tsr_build_return(tsr_build *b, tsr_value *const *values, size_t n)
{
    tsr_build_close_as(b, tsr_build_open(b, TSR_OP_STABLEHLO_RETURN, values, n, 0, 0), NULL);
}

/* ---- Types ---- */

tsr_type *tsr_scalar_type(tsr_type *elem)
{
    return tsr_type_tensor(elem->ctx, NULL, 0, elem, NULL);
}

tsr_type *tsr_static_type(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem)
{
    return tsr_type_tensor(ctx, dims, n, elem, NULL);
}

/* ---- Constants ---- */

tsr_value *tsr_build_new_constant(tsr_build *b, tsr_attr *value)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_CONSTANT_value] = value;
    return &tsr_build_close_as(b, op, &value->type)->out[0];
}

/* A constant that was built before in this block, or a new one. */
static tsr_value *constant_once(tsr_build *b, tsr_attr *value)
{
    tsr_value *v = made_find(b, value, NULL);
    if (!v) {
        v = tsr_build_new_constant(b, value);
        made_put(b, value->type, value, NULL, v);
    }
    return v;
}

/* A scalar broadcast to the shape of v, whose sizes are not all static. */
static tsr_value *spread(tsr_build *b, tsr_value *v, tsr_attr *scalar)
{
    tsr_type *type = tsr_hlo_with_element(v->type, scalar->type->elem);
    if (b->anchor && b->anchor->type->n == v->type->n &&
        memcmp(b->anchor->type->dims, v->type->dims, v->type->n * sizeof *v->type->dims) == 0)
        v = b->anchor;
    tsr_value *known = made_find(b, scalar, v);
    if (known)
        return known;
    tsr_value *in[] = {constant_once(b, scalar), tsr_build_sizes(b, v)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, NULL, 0);
    tsr_value *made = &tsr_build_close_as(b, op, &type)->out[0];
    made_put(b, type, scalar, v, made);
    return made;
}

/* bytes: one element. */
static tsr_value *splat(tsr_build *b, tsr_value *v, tsr_type *elem, const void *bytes, size_t n)
{
    bool known = tsr_type_has_static_shape(v->type);
    tsr_type *type =
        known ? tsr_static_type(b->ctx, v->type->dims, v->type->n, elem) : tsr_scalar_type(elem);
    tsr_attr *value = tsr_attr_dense(b->ctx, b->module, type, bytes, n, true);
    return known ? constant_once(b, value) : spread(b, v, value);
}

static size_t put(uint8_t *bytes, uint64_t bits, uint32_t width)
{
    for (uint32_t i = 0; i < width / 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return width / 8;
}

tsr_value *tsr_build_like(tsr_build *b, tsr_value *v, tsr_type *elem, double number)
{
    uint8_t bytes[32] = {0};
    if (elem->kind == TSR_TYPE_INTEGER)
        return tsr_build_like_int(b, v, elem, (int64_t)number);
    tsr_type *part = elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem;
    put(bytes, tsr_float_from_double((tsr_float_kind)part->sub, number),
        tsr_type_storage_bits(part));
    return splat(b, v, elem, bytes, tsr_type_storage_bits(elem) / 8);
}

tsr_value *tsr_build_like_int(tsr_build *b, tsr_value *v, tsr_type *elem, int64_t number)
{
    uint8_t bytes[8] = {0};
    uint64_t bits = (uint64_t)number;
    if (elem->width < 64)
        bits &= ((uint64_t)1 << elem->width) - 1;
    return splat(b, v, elem, bytes, put(bytes, bits, tsr_type_storage_bits(elem)));
}

tsr_value *tsr_build_like_attr(tsr_build *b, tsr_value *v, tsr_type *elem, tsr_attr *value)
{
    uint8_t bytes[8] = {0};
    if (tsr_attr_is(value, TSR_ATTR_INT) && elem->kind == TSR_TYPE_INTEGER && elem->width <= 64)
        return tsr_build_like_int(b, v, elem, value->i);
    if (tsr_attr_is(value, TSR_ATTR_FLOAT) && elem->kind == TSR_TYPE_FLOAT)
        return splat(b, v, elem, bytes,
                     put(bytes, (uint64_t)value->i, tsr_type_storage_bits(elem)));
    if (tsr_attr_is(value, TSR_ATTR_DENSE) && value->s.len == tsr_type_storage_bits(elem) / 8)
        return splat(b, v, elem, value->s.data, value->s.len);
    return NULL;
}

tsr_value *tsr_build_int(tsr_build *b, tsr_type *elem, int64_t number)
{
    uint8_t bytes[8] = {0};
    uint64_t bits = (uint64_t)number;
    if (elem->width < 64)
        bits &= ((uint64_t)1 << elem->width) - 1;
    size_t n = put(bytes, bits, tsr_type_storage_bits(elem));
    return constant_once(b,
                         tsr_attr_dense(b->ctx, b->module, tsr_scalar_type(elem), bytes, n, true));
}

tsr_value *tsr_build_ints(tsr_build *b, const int64_t *numbers, size_t n)
{
    int64_t dims[] = {(int64_t)n};
    TSR_VEC(uint8_t) bytes = {0};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            tsr_vec_push(&bytes, (uint8_t)((uint64_t)numbers[i] >> 8 * k));
    tsr_type *type = tsr_static_type(b->ctx, dims, 1, b->ctx->i64);
    tsr_attr *value = tsr_attr_dense(b->ctx, b->module, type, bytes.data, bytes.n, n == 1);
    tsr_vec_free(&bytes);
    return constant_once(b, value);
}

/* ---- Shapes ---- */

static tsr_type *one_size(tsr_build *b)
{
    int64_t one[] = {1};
    return tsr_static_type(b->ctx, one, 1, b->ctx->i32);
}

tsr_value *tsr_build_size_const(tsr_build *b, int64_t size)
{
    uint8_t bytes[4];
    put(bytes, (uint64_t)size, 32);
    return constant_once(b, tsr_attr_dense(b->ctx, b->module, one_size(b), bytes, 4, true));
}

tsr_value *tsr_build_size(tsr_build *b, tsr_value *v, int64_t dim)
{
    if (v->type->dims[dim] != TSR_DYNAMIC)
        return tsr_build_size_const(b, v->type->dims[dim]);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(b->ctx, dim);
    return tsr_build_reshape(b, &tsr_build_close(b, op)->out[0], one_size(b));
}

tsr_value *tsr_build_join(tsr_build *b, tsr_value *const *sizes, size_t n)
{
    if (n == 1)
        return sizes[0];
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, sizes, n, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, 0);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_build_sizes(tsr_build *b, tsr_value *v)
{
    tsr_value *known = made_find(b, NULL, v);
    if (known)
        return known;
    tsr_value_vec sizes = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&sizes, tsr_build_size(b, v, i));
    tsr_value *made = tsr_build_join(b, sizes.data, sizes.n);
    tsr_vec_free(&sizes);
    made_put(b, made->type, NULL, v, made);
    return made;
}

tsr_value *tsr_build_convert(tsr_build *b, tsr_value *v, tsr_type *elem)
{
    if (elem == tsr_elem(v))
        return v;
    return tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, &v, 1, tsr_hlo_with_element(v->type, elem));
}

tsr_value *tsr_build_bitcast(tsr_build *b, tsr_value *v, tsr_type *elem)
{
    return tsr_build_op(b, TSR_OP_STABLEHLO_BITCAST_CONVERT, &v, 1,
                        tsr_hlo_with_element(v->type, elem));
}

tsr_value *tsr_build_reshape(tsr_build *b, tsr_value *v, tsr_type *type)
{
    return v->type == type ? v : tsr_build_op(b, TSR_OP_STABLEHLO_RESHAPE, &v, 1, type);
}

static tsr_value *slice_static(tsr_build *b, tsr_value *v, int64_t dim, int64_t start,
                               int64_t limit)
{
    tsr_i64_vec starts = {0}, limits = {0}, ones = {0};
    for (uint32_t i = 0; i < v->type->n; i++) {
        tsr_vec_push(&starts, i == dim ? start : 0);
        tsr_vec_push(&limits, i == dim ? limit : v->type->dims[i]);
        tsr_vec_push(&ones, 1);
    }
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_SLICE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(b->ctx, starts.data, starts.n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(b->ctx, limits.data, limits.n);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(b->ctx, ones.data, ones.n);
    tsr_vec_free(&starts);
    tsr_vec_free(&limits);
    tsr_vec_free(&ones);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_build_slice(tsr_build *b, tsr_value *v, int64_t dim, int64_t start, int64_t limit)
{
    if (tsr_type_has_static_shape(v->type))
        return slice_static(b, v, dim, start, limit);
    tsr_value_vec starts = {0}, limits = {0};
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < v->type->n; i++) {
        tsr_vec_push(&starts, tsr_build_size_const(b, i == dim ? start : 0));
        tsr_vec_push(&limits, i == dim ? tsr_build_size_const(b, limit) : tsr_build_size(b, v, i));
        tsr_vec_push(&dims, i == dim ? limit - start : v->type->dims[i]);
    }
    tsr_value *low = tsr_build_join(b, starts.data, starts.n),
              *high = tsr_build_join(b, limits.data, limits.n);
    tsr_value *in[] = {v, low, high, tsr_build_like_int(b, low, b->ctx->i32, 1)};
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(v), NULL);
    tsr_vec_free(&starts);
    tsr_vec_free(&limits);
    tsr_vec_free(&dims);
    return tsr_build_op(b, TSR_OP_STABLEHLO_REAL_DYNAMIC_SLICE, in, 4, type);
}

/* v with the given dimensions, each of which is one of v's (from[i]) or 1 (-1). */
static tsr_value *regroup(tsr_build *b, tsr_value *v, const tsr_i64_vec *from)
{
    tsr_i64_vec dims = {0};
    tsr_value_vec sizes = {0};
    for (size_t i = 0; i < from->n; i++)
        tsr_vec_push(&dims, from->data[i] < 0 ? 1 : v->type->dims[from->data[i]]);
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(v), NULL);
    tsr_value *out;
    if (tsr_type_has_static_shape(type)) {
        out = tsr_build_reshape(b, v, type);
    } else {
        for (size_t i = 0; i < from->n; i++)
            tsr_vec_push(&sizes, from->data[i] < 0 ? tsr_build_size_const(b, 1)
                                                   : tsr_build_size(b, v, from->data[i]));
        tsr_value *in[] = {v, tsr_build_join(b, sizes.data, sizes.n)};
        out = tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2, type);
    }
    tsr_vec_free(&dims);
    tsr_vec_free(&sizes);
    return out;
}

tsr_value *tsr_build_drop_dim(tsr_build *b, tsr_value *v, int64_t dim)
{
    tsr_i64_vec from = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        if (i != dim)
            tsr_vec_push(&from, i);
    tsr_value *out = regroup(b, v, &from);
    tsr_vec_free(&from);
    return out;
}

tsr_value *tsr_build_add_dim(tsr_build *b, tsr_value *v, int64_t dim)
{
    tsr_i64_vec from = {0};
    for (int64_t i = 0; i <= v->type->n; i++)
        tsr_vec_push(&from, i == dim ? -1 : i - (i > dim));
    tsr_value *out = regroup(b, v, &from);
    tsr_vec_free(&from);
    return out;
}

tsr_value *tsr_build_iota(tsr_build *b, tsr_value *v, tsr_type *elem, int64_t dim)
{
    tsr_type *type = tsr_hlo_with_element(v->type, elem);
    if (tsr_type_has_static_shape(v->type)) {
        tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
        op->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(b->ctx, dim);
        return &tsr_build_close_as(b, op, &type)->out[0];
    }
    tsr_value *sizes = tsr_build_sizes(b, v);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_IOTA, &sizes, 1, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_IOTA_iota_dimension] = tsr_attr_i64(b->ctx, dim);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_build_spread(tsr_build *b, tsr_value *x, const int64_t *dims, tsr_value *v)
{
    tsr_type *type = tsr_hlo_with_element(v->type, tsr_elem(x));
    if (tsr_type_has_static_shape(v->type))
        return tsr_build_broadcast(b, x, dims, type);
    tsr_value *in[] = {x, tsr_build_sizes(b, v)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, dims, x->type->n);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_attr *enum_of(tsr_ctx *ctx, const tsr_attrdef *def, const char *word)
{
    int64_t i = 0;
    while (strcmp(def->cases[i], word) != 0)
        i++;
    return tsr_attr_enum(ctx, def, i);
}

tsr_value *tsr_build_compare(tsr_build *b, const char *direction, const char *type, tsr_value *x,
                             tsr_value *y)
{
    tsr_value *in[] = {x, y};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_COMPARE, in, 2, 1, 0);
    op->attrs[STABLEHLO_COMPARE_comparison_direction] =
        enum_of(b->ctx, &tsr_def_STABLEHLO_COMPARISON_DIRECTION, direction);
    if (type)
        op->attrs[STABLEHLO_COMPARE_compare_type] =
            enum_of(b->ctx, &tsr_def_STABLEHLO_COMPARISON_TYPE, type);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_build_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims, tsr_type *type)
{
    if (v->type == type)
        return v;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &v, 1, 1, 0);
    op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, dims, v->type->n);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

void tsr_build_replace(tsr_op *op, tsr_value *const *values)
{
    tsr_build b = tsr_build_before(op);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = values[i];
        tsr_type *type = op->out[i].type;
        /* Users of the result were verified with its type. A new op accepts every compatible type; an older value is
         * converted, which changes only the type. */
        if (v->type != type && !v->is_arg && !v->uses)
            v->type = type;
        else if (v->type != type)
            v = tsr_build_op(&b, TSR_OP_STABLEHLO_CONVERT, &v, 1, type);
        tsr_value_replace(&op->out[i], v);
    }
    tsr_op_erase(op);
}
