/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - builds TTIR ops one after the other, and queries what is known of values. */
#include <math.h>

#include "dialect/ttir/build.h"

/* ---- Attributes ---- */

tsr_attr *tsr_ttir_i32s(tsr_ctx *ctx, const int64_t *numbers, size_t n)
{
    TSR_VEC(tsr_attr *) attrs = {0};
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&attrs, tsr_attr_i32(ctx, (int32_t)numbers[i]));
    tsr_attr *a = tsr_attr_array(ctx, attrs.data, attrs.n);
    tsr_vec_free(&attrs);
    return a;
}

tsr_attr *tsr_ttir_i32_array(tsr_ctx *ctx, const int64_t *numbers, size_t n)
{
    TSR_VEC(uint8_t) bytes = {0};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            tsr_vec_push(&bytes, (uint8_t)((uint64_t)numbers[i] >> 8 * k));
    tsr_attr *a = tsr_attr_dense_array(ctx, ctx->i32, bytes.data, n);
    tsr_vec_free(&bytes);
    return a;
}

tsr_attr *tsr_ttir_si32(tsr_ctx *ctx, int64_t number)
{
    return tsr_attr_int(ctx, tsr_type_integer(ctx, 32, TSR_SIGNED), number);
}

tsr_attr *tsr_ttir_ui32(tsr_ctx *ctx, int64_t number)
{
    return tsr_attr_int(ctx, tsr_type_integer(ctx, 32, TSR_UNSIGNED), number);
}

tsr_attr *tsr_ttir_f32(tsr_ctx *ctx, double number)
{
    return tsr_attr_float(ctx, tsr_type_float(ctx, TSR_F32), number);
}

/* ---- Ops ---- */

tsr_op *tsr_ttir_open(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t nin,
                      size_t nout)
{
    tsr_op *op = tsr_build_open(b, opcode, in, nin, nout, 0);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        if (op->def->slots[i].need == TSR_ATTR_FILLED)
            op->attrs[i] = tsr_slot_default(b->ctx, &op->def->slots[i]);
    return op;
}

tsr_value *tsr_ttir_close(tsr_build *b, tsr_op *op, tsr_type *type)
{
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_ttir_op(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                       tsr_type *type)
{
    return tsr_ttir_close(b, tsr_ttir_open(b, opcode, in, n, 1), type);
}

tsr_value *tsr_ttir_unary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_type *type)
{
    return tsr_ttir_op(b, opcode, &x, 1, type ? type : x->type);
}

tsr_value *tsr_ttir_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                           tsr_type *type)
{
    tsr_value *in[] = {x, y};
    return tsr_ttir_op(b, opcode, in, 2, type ? type : x->type);
}

tsr_value *tsr_ttir_where(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {p, x, y};
    return tsr_ttir_op(b, TSR_OP_TTIR_WHERE, in, 3, x->type);
}

tsr_value *tsr_ttir_typecast(tsr_build *b, tsr_value *x, tsr_type *elem)
{
    return elem == x->type->elem
               ? x
               : tsr_ttir_unary(b, TSR_OP_TTIR_TYPECAST, x, tsr_hlo_with_element(x->type, elem));
}

/* ---- Shapes ---- */

tsr_type *tsr_ttir_shaped(const tsr_type *like, const int64_t *dims, size_t n)
{
    return tsr_type_tensor(like->ctx, dims, n, like->elem, like->attr);
}

bool tsr_ttir_is_identity(const int64_t *permutation, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (permutation[i] != (int64_t)i)
            return false;
    return true;
}

tsr_value *tsr_ttir_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    return tsr_ttir_shape_is(v, dims, n) ? v : tsr_ttir_reshape_op(b, v, dims, n);
}

tsr_value *tsr_ttir_reshape_op(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_RESHAPE, &v, 1, 1);
    op->attrs[TTIR_RESHAPE_shape] = tsr_ttir_i32s(b->ctx, dims, n);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, n));
}

tsr_value *tsr_ttir_permute(tsr_build *b, tsr_value *v, const int64_t *permutation)
{
    return tsr_ttir_is_identity(permutation, v->type->n) ? v
                                                         : tsr_ttir_permute_op(b, v, permutation);
}

tsr_value *tsr_ttir_permute_op(tsr_build *b, tsr_value *v, const int64_t *permutation)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = v->type->dims[permutation[i]];
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_PERMUTE, &v, 1, 1);
    op->attrs[TTIR_PERMUTE_permutation] = tsr_attr_i64_array(b->ctx, permutation, v->type->n);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, v->type->n));
}

tsr_value *tsr_ttir_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims)
{
    int64_t times[TSR_TTIR_RANK];
    if (tsr_ttir_shape_is(v, dims, v->type->n))
        return v;
    for (uint32_t i = 0; i < v->type->n; i++)
        times[i] = v->type->dims[i] == dims[i] ? 1 : dims[i];
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_BROADCAST, &v, 1, 1);
    op->attrs[TTIR_BROADCAST_broadcast_dimensions] = tsr_attr_i64_array(b->ctx, times, v->type->n);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, v->type->n));
}

tsr_value *tsr_ttir_everywhere(tsr_build *b, tsr_value *scalar, const tsr_type *like)
{
    int64_t ones[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < like->n; i++)
        ones[i] = 1;
    return tsr_ttir_broadcast(b, tsr_ttir_reshape(b, scalar, ones, like->n), like->dims);
}

tsr_value *tsr_ttir_repeat(tsr_build *b, tsr_value *v, const int64_t *times)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = v->type->dims[i] * times[i];
    if (tsr_ttir_shape_is(v, dims, v->type->n))
        return v;
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_REPEAT, &v, 1, 1);
    op->attrs[TTIR_REPEAT_repeat_dimensions] = tsr_attr_i64_array(b->ctx, times, v->type->n);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, v->type->n));
}

tsr_value *tsr_ttir_concat(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim)
{
    return n == 1 ? in[0] : tsr_ttir_concat_op(b, in, n, dim);
}

tsr_value *tsr_ttir_concat_op(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim)
{
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, in[0]->type->dims, in[0]->type->n * sizeof *dims);
    for (size_t i = 1; i < n; i++)
        dims[dim] += in[i]->type->dims[dim];
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONCAT, in, n, 1);
    op->attrs[TTIR_CONCAT_dim] = tsr_ttir_si32(b->ctx, dim);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(in[0]->type, dims, in[0]->type->n));
}

static int64_t slice_size(int64_t begin, int64_t end, int64_t step)
{
    return end > begin ? (end - begin - 1) / step + 1 : 0;
}

void tsr_ttir_slice_sizes(const int64_t *begin, const int64_t *end, const int64_t *step, size_t n,
                          int64_t *steps, int64_t *dims)
{
    for (size_t i = 0; i < n; i++) {
        steps[i] = step ? step[i] : 1;
        dims[i] = slice_size(begin[i], end[i], steps[i]);
    }
}

tsr_value *tsr_ttir_slice(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                          const int64_t *step)
{
    bool whole = true;
    for (uint32_t i = 0; i < v->type->n; i++)
        whole &= slice_size(begin[i], end[i], step ? step[i] : 1) == v->type->dims[i];
    return whole ? v : tsr_ttir_slice_op(b, v, begin, end, step);
}

void tsr_ttir_set_slice(tsr_op *slice, const int64_t *begin, const int64_t *end,
                        const int64_t *step, size_t n)
{
    tsr_ctx *ctx = slice->module->ctx;
    slice->attrs[TTIR_SLICE_STATIC_begins] = tsr_ttir_i32s(ctx, begin, n);
    slice->attrs[TTIR_SLICE_STATIC_ends] = tsr_ttir_i32s(ctx, end, n);
    slice->attrs[TTIR_SLICE_STATIC_step] = tsr_ttir_i32s(ctx, step, n);
}

tsr_value *tsr_ttir_slice_op(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                             const int64_t *step)
{
    int64_t dims[TSR_TTIR_RANK], ones[TSR_TTIR_RANK];
    size_t n = v->type->n;
    tsr_ttir_slice_sizes(begin, end, step, n, ones, dims);
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_SLICE_STATIC, &v, 1, 1);
    tsr_ttir_set_slice(op, begin, end, ones, n);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, n));
}

tsr_value *tsr_ttir_slice_dim(tsr_build *b, tsr_value *v, int64_t dim, int64_t begin, int64_t end)
{
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK];
    memcpy(ends, v->type->dims, v->type->n * sizeof *ends);
    begins[dim] = begin;
    ends[dim] = end;
    return tsr_ttir_slice(b, v, begins, ends, NULL);
}

tsr_value *tsr_ttir_pad(tsr_build *b, tsr_value *v, const int64_t *padding, double value)
{
    int64_t dims[TSR_TTIR_RANK];
    size_t n = v->type->n;
    for (size_t i = 0; i < n; i++)
        dims[i] = v->type->dims[i] + padding[2 * i] + padding[2 * i + 1];
    if (tsr_ttir_shape_is(v, dims, n))
        return v;
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_PAD, &v, 1, 1);
    op->attrs[TTIR_PAD_padding] = tsr_ttir_i32_array(b->ctx, padding, 2 * n);
    op->attrs[TTIR_PAD_value] = tsr_ttir_f32(b->ctx, value);
    return tsr_ttir_close(b, op, tsr_ttir_shaped(v->type, dims, n));
}

tsr_value *tsr_ttir_reverse(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    if (!n)
        return v;
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_REVERSE, &v, 1, 1);
    op->attrs[TTIR_REVERSE_dimensions] = tsr_attr_i64_array(b->ctx, dims, n);
    return tsr_ttir_close(b, op, v->type);
}

tsr_value *tsr_ttir_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims,
                           size_t n, bool keep, tsr_type *elem)
{
    int64_t sizes[TSR_TTIR_RANK];
    size_t rank = 0;
    bool goes[TSR_TTIR_RANK] = {false};
    for (size_t i = 0; i < n; i++)
        goes[dims[i]] = true;
    for (uint32_t i = 0; i < v->type->n; i++)
        if (!goes[i] || keep)
            sizes[rank++] = goes[i] ? 1 : v->type->dims[i];
    tsr_type *type = tsr_ttir_shaped(v->type, sizes, rank);
    return tsr_ttir_reduce_as(b, opcode, v, dims, n, keep,
                              elem ? tsr_hlo_with_element(type, elem) : type);
}

/* Every reduction has the same slots: TTIR_REDUCTION defines its row. */
tsr_value *tsr_ttir_reduce_as(tsr_build *b, enum tsr_opcode opcode, tsr_value *v,
                              const int64_t *dims, size_t n, bool keep, tsr_type *type)
{
    tsr_op *op = tsr_ttir_open(b, opcode, &v, 1, 1);
    op->attrs[TTIR_SUM_keep_dim] = tsr_attr_bool(b->ctx, keep);
    op->attrs[TTIR_SUM_dim_arg] = tsr_ttir_i32s(b->ctx, dims, n);
    return tsr_ttir_close(b, op, type);
}

/* ---- Tensors without operands ---- */

tsr_value *tsr_ttir_constant(tsr_build *b, tsr_attr *value)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONSTANT, NULL, 0, 1);
    op->attrs[TTIR_CONSTANT_value] = value;
    return tsr_ttir_close(b, op, value->type);
}

static size_t put(uint8_t *bytes, tsr_type *elem, double number)
{
    uint64_t bits = elem->kind == TSR_TYPE_FLOAT
                        ? tsr_float_from_double((tsr_float_kind)elem->sub, number)
                        : (uint64_t)(int64_t)number;
    size_t n = tsr_type_storage_bits(elem) / 8;
    if (elem->kind != TSR_TYPE_FLOAT && elem->width < 64)
        bits &= ((uint64_t)1 << elem->width) - 1;
    for (size_t i = 0; i < n; i++)
        bytes[i] = i < 8 ? (uint8_t)(bits >> 8 * i) : 0;
    return n;
}

tsr_value *tsr_ttir_splat(tsr_build *b, tsr_type *type, double number)
{
    uint8_t bytes[32];
    size_t n = put(bytes, type->elem, number);
    return tsr_ttir_constant(b, tsr_attr_dense(b->ctx, b->module, type, bytes, n, true));
}

/* zeros, ones and full, which all have a shape attribute. */
static tsr_op *open_shape(tsr_build *b, enum tsr_opcode opcode, const tsr_type *type, int slot)
{
    tsr_op *op = tsr_ttir_open(b, opcode, NULL, 0, 1);
    op->attrs[slot] = tsr_ttir_i32_array(b->ctx, type->dims, type->n);
    return op;
}

tsr_value *tsr_ttir_zeros(tsr_build *b, tsr_type *type)
{
    return tsr_ttir_close(b, open_shape(b, TSR_OP_TTIR_ZEROS, type, TTIR_ZEROS_shape), type);
}

tsr_value *tsr_ttir_ones(tsr_build *b, tsr_type *type)
{
    return tsr_ttir_close(b, open_shape(b, TSR_OP_TTIR_ONES, type, TTIR_ONES_shape), type);
}

tsr_value *tsr_ttir_full_of(tsr_build *b, tsr_type *type, tsr_attr *fill)
{
    tsr_op *op = open_shape(b, TSR_OP_TTIR_FULL, type, TTIR_FULL_shape);
    op->attrs[TTIR_FULL_fill_value] = fill;
    return tsr_ttir_close(b, op, type);
}

tsr_attr *tsr_ttir_number_attr(tsr_ctx *ctx, const tsr_type *elem, double number)
{
    bool whole = elem->kind == TSR_TYPE_INTEGER && number >= INT32_MIN && number <= INT32_MAX;
    return whole ? tsr_attr_i32(ctx, (int32_t)number) : tsr_ttir_f32(ctx, number);
}

tsr_value *tsr_ttir_full(tsr_build *b, tsr_type *type, double number)
{
    return tsr_ttir_full_of(b, type, tsr_ttir_number_attr(b->ctx, type->elem, number));
}

tsr_value *tsr_ttir_ints(tsr_build *b, tsr_type *elem, const int64_t *numbers, const int64_t *dims,
                         size_t rank)
{
    tsr_type *type = tsr_static_type(b->ctx, dims, rank, elem);
    TSR_VEC(uint8_t) bytes = {0};
    int64_t count = tsr_type_num_elements(type);
    bool splat = count > 0;
    for (int64_t i = 0; i < count; i++) {
        uint8_t one[32];
        size_t n = put(one, elem, (double)numbers[i]);
        for (size_t k = 0; k < n; k++)
            tsr_vec_push(&bytes, one[k]);
        splat &= numbers[i] == numbers[0];
    }
    size_t size = splat ? bytes.n / (size_t)count : bytes.n;
    tsr_attr *value = tsr_attr_dense(b->ctx, b->module, type, bytes.data, size, splat);
    tsr_vec_free(&bytes);
    return tsr_ttir_constant(b, value);
}

tsr_value *tsr_ttir_arange(tsr_build *b, tsr_type *type, int64_t start, int64_t step, int64_t dim)
{
    tsr_type *si64 = tsr_type_integer(b->ctx, 64, TSR_SIGNED);
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_ARANGE, NULL, 0, 1);
    op->attrs[TTIR_ARANGE_start] = tsr_attr_int(b->ctx, si64, start);
    op->attrs[TTIR_ARANGE_end] = tsr_attr_int(b->ctx, si64, start + step * type->dims[dim]);
    op->attrs[TTIR_ARANGE_step] = tsr_attr_int(b->ctx, si64, step);
    op->attrs[TTIR_ARANGE_arange_dimension] = tsr_attr_i64(b->ctx, dim);
    return tsr_ttir_close(b, op, type);
}

/* ---- Queries ---- */

tsr_attr *tsr_ttir_constant_of(const tsr_value *v, bool through)
{
    bool moved = false;
    while (!v->is_arg) {
        const tsr_op *op = v->op;
        switch (op->def->opcode) {
        case TSR_OP_STABLEHLO_CONSTANT:
        case TSR_OP_TTIR_CONSTANT: {
            tsr_attr *a = op->attrs[0];
            return tsr_attr_is(a, TSR_ATTR_DENSE) && (!moved || a->sub) ? a : NULL;
        }
        case TSR_OP_TTIR_RESHAPE:
        case TSR_OP_TTIR_BROADCAST:
        case TSR_OP_TTIR_TYPECAST:
        case TSR_OP_STABLEHLO_RESHAPE:
        case TSR_OP_STABLEHLO_BROADCAST_IN_DIM:
        case TSR_OP_STABLEHLO_CONVERT:
            if (!through)
                return NULL;
            moved = true;
            v = op->in[0].value;
            break;
        default: return NULL;
        }
    }
    return NULL;
}

static uint64_t bits_at(const tsr_attr *dense, size_t i)
{
    size_t n = tsr_type_storage_bits(dense->type->elem) / 8;
    size_t at = dense->sub ? 0 : i * n;
    uint64_t bits = 0;
    if (!n || n > 8 || at + n > dense->s.len)
        return 0;
    for (size_t k = 0; k < n; k++)
        bits |= (uint64_t)(uint8_t)dense->s.data[at + k] << 8 * k;
    return bits;
}

int64_t tsr_ttir_integer(const tsr_attr *dense, size_t i)
{
    const tsr_type *elem = dense->type->elem;
    uint64_t bits = bits_at(dense, i);
    if (elem->kind != TSR_TYPE_INTEGER || elem->width >= 64 || elem->width <= 1 ||
        elem->sub == TSR_UNSIGNED)
        return (int64_t)bits;
    uint64_t sign = (uint64_t)1 << (elem->width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

double tsr_ttir_number(const tsr_attr *dense, size_t i)
{
    const tsr_type *elem = dense->type->elem;
    if (elem->kind == TSR_TYPE_FLOAT)
        return tsr_float_to_double((tsr_float_kind)elem->sub, bits_at(dense, i));
    if (elem->kind == TSR_TYPE_INTEGER && elem->sub == TSR_UNSIGNED)
        return (double)(uint64_t)tsr_ttir_integer(dense, i);
    return (double)tsr_ttir_integer(dense, i);
}

bool tsr_ttir_splat_number(const tsr_attr *dense, double *out)
{
    if (!dense || !dense->sub || !tsr_type_is_shaped(dense->type))
        return false;
    const tsr_type *elem = dense->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    if (!size || size > 8 || dense->s.len < size ||
        !(elem->kind == TSR_TYPE_FLOAT ||
          (elem->kind == TSR_TYPE_INTEGER && elem->width > 0 && elem->width <= 64)))
        return false;
    *out = tsr_ttir_number(dense, 0);
    return true;
}

bool tsr_ttir_starts(const tsr_value *v, tsr_ttir_start start)
{
    const tsr_attr *a = tsr_ttir_constant_of(v, true);
    if (!a || !(a->sub || tsr_type_num_elements(a->type) == 1))
        return false;
    const tsr_type *elem = a->type->elem;
    double x = tsr_ttir_number(a, 0);
    if (start == TSR_TTIR_ZERO || start == TSR_TTIR_ONE)
        return x == (start == TSR_TTIR_ONE);
    if (elem->kind == TSR_TYPE_FLOAT)
        return start != TSR_TTIR_ALL_BITS && isinf(x) && (x < 0) == (start == TSR_TTIR_LOWEST);
    if (elem->kind != TSR_TYPE_INTEGER || elem->width > 64)
        return false;
    uint64_t bits = bits_at(a, 0), all = ~(uint64_t)0 >> (64 - elem->width),
             sign = (uint64_t)1 << (elem->width - 1);
    bool is_unsigned = elem->sub == TSR_UNSIGNED || elem->width == 1;
    switch (start) {
    case TSR_TTIR_ALL_BITS: return bits == all;
    case TSR_TTIR_LOWEST: return bits == (is_unsigned ? 0 : sign);
    default: return bits == (is_unsigned ? all : all ^ sign);
    }
}

bool tsr_ttir_static(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(tsr_type_is(op->in[i].value->type, TSR_TYPE_TENSOR) &&
                tsr_type_has_static_shape(op->in[i].value->type));
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(tsr_type_is(op->out[i].type, TSR_TYPE_TENSOR) &&
                tsr_type_has_static_shape(op->out[i].type));
    return true;
}

void tsr_ttir_numbers(const tsr_attr *a, int64_t fill, size_t n, int64_t *out)
{
    size_t have = a ? (size_t)tsr_attr_count(a) : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = i < have ? tsr_attr_int_at(a, i) : fill;
}
