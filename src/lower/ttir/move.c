/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - lowers StableHLO's constants, and ops that move elements, to TTIR. */
#include <float.h>
#include <math.h>

#include "dialect/ttcore/ttcore.h"
#include "lower/ttir/ttir.h"

/* ---- Tensors without operands ---- */

bool ttir_constant(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_attr *value = tsr_attr_of(op, STABLEHLO_CONSTANT_value);
    const tsr_type *elem = op->out[0].type->elem;
    bool held = tsr_attr_is(value, TSR_ATTR_DENSE) || tsr_attr_is(value, TSR_ATTR_DENSE_RESOURCE);
    if (!held || value->type != op->out[0].type ||
        (elem->kind != TSR_TYPE_INTEGER && elem->kind != TSR_TYPE_FLOAT))
        return false;
    out[0] = tsr_ttir_constant(b, value);
    return true;
}

bool ttir_tensor_empty(tsr_build *b, tsr_op *op, tsr_value **out)
{
    if (!tsr_type_has_static_shape(op->out[0].type))
        return false;
    out[0] = tsr_ttir_op(b, TSR_OP_TTIR_EMPTY, NULL, 0, op->out[0].type);
    return true;
}

static bool arange(tsr_build *b, tsr_op *op, tsr_attr *dim, tsr_value **out)
{
    tsr_type *type = op->out[0].type;
    if (!tsr_type_has_static_shape(type) || dim->i >= type->n)
        return false;
    out[0] = tsr_ttir_arange(b, type, 0, 1, dim->i);
    return true;
}

bool ttir_iota(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return arange(b, op, tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension), out);
}

bool ttir_dynamic_iota(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return arange(b, op, tsr_attr_of(op, STABLEHLO_DYNAMIC_IOTA_iota_dimension), out);
}

bool ttir_get_dimension_size(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_GET_DIMENSION_SIZE, out);
    made->attrs[TTIR_GET_DIMENSION_SIZE_dimension] =
        tsr_attr_i32(b->ctx, (int32_t)tsr_attr_of(op, STABLEHLO_GET_DIMENSION_SIZE_dimension)->i);
    return true;
}

/* ---- Shapes ---- */

bool ttir_reshape(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_type *type = op->out[0].type;
    if (!tsr_ttir_static(op))
        return false;
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_RESHAPE, out);
    made->attrs[TTIR_RESHAPE_shape] = tsr_ttir_i32s(b->ctx, type->dims, type->n);
    return true;
}

/* A reshape that puts dimensions in their positions in the result, with others of size 1, and a broadcast. */
bool ttir_broadcast_in_dim(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    tsr_type *type = op->out[0].type;
    const tsr_attr *to = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    int64_t dims[TSR_TTIR_RANK], times[TSR_TTIR_RANK], order[TSR_TTIR_RANK], where[TSR_TTIR_RANK];
    size_t n = x->type->n, taken = 0;
    if (!tsr_ttir_static(op))
        return false;
    tsr_ttir_numbers(to, 0, n, where);
    for (uint32_t i = 0; i < type->n; i++) {
        dims[i] = 1;
        for (size_t k = 0; k < n; k++)
            if (where[k] == i) {
                order[taken++] = (int64_t)k;
                dims[i] = x->type->dims[k];
            }
        times[i] = dims[i] == type->dims[i] ? 1 : type->dims[i];
    }
    x = tsr_ttir_reshape(b, tsr_ttir_permute(b, x, order), dims, type->n);
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_BROADCAST, &x, 1, 1);
    made->attrs[TTIR_BROADCAST_broadcast_dimensions] = tsr_attr_i64_array(b->ctx, times, type->n);
    out[0] = tsr_ttir_close(b, made, type);
    return true;
}

bool ttir_transpose(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_PERMUTE, out);
    made->attrs[TTIR_PERMUTE_permutation] = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    return true;
}

bool ttir_reverse(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_REVERSE, out);
    made->attrs[TTIR_REVERSE_dimensions] = tsr_attr_of(op, STABLEHLO_REVERSE_dimensions);
    return true;
}

bool ttir_concatenate(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_CONCAT, out);
    made->attrs[TTIR_CONCAT_dim] =
        tsr_ttir_si32(b->ctx, tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i);
    return true;
}

bool ttir_slice(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t begins[TSR_TTIR_RANK], ends[TSR_TTIR_RANK], steps[TSR_TTIR_RANK];
    size_t n = op->in[0].value->type->n;
    if (!tsr_ttir_static(op))
        return false;
    tsr_slice s;
    tsr_slice_of(op, &s);
    tsr_ints_copy(s.start, begins, n);
    tsr_ints_copy(s.limit, ends, n);
    tsr_ints_copy(s.strides, steps, n);
    out[0] = tsr_ttir_slice_op(b, op->in[0].value, begins, ends, steps);
    out[0]->type = op->out[0].type;
    return true;
}

/* Starts are clamped, as StableHLO requires, unless they are known to be in bounds. */
bool ttir_dynamic_slice(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value, *starts[TSR_TTIR_RANK], *in[3];
    int64_t sizes[TSR_TTIR_RANK], last[TSR_TTIR_RANK], one[] = {1};
    size_t n = x->type->n;
    bool inside = true;
    if (!n || op->nin != n + 1 || !tsr_ttir_static(op))
        return false;
    tsr_type *elem = op->in[1].value->type->elem,
             *type = tsr_static_type(b->ctx, (int64_t[]){(int64_t)n}, 1, elem);
    if (elem->kind != TSR_TYPE_INTEGER || elem->width < 32)
        return false; /* sizes might not fit */
    tsr_ttir_numbers(tsr_attr_of(op, STABLEHLO_DYNAMIC_SLICE_slice_sizes), 0, n, sizes);
    for (size_t i = 0; i < n; i++) {
        const tsr_attr *known = tsr_ttir_constant_of(op->in[i + 1].value, false);
        last[i] = x->type->dims[i] - sizes[i];
        inside &= known && tsr_ttir_integer(known, 0) >= 0 && tsr_ttir_integer(known, 0) <= last[i];
        starts[i] = tsr_ttir_reshape(b, op->in[i + 1].value, one, 1);
    }
    in[0] = tsr_ttir_concat(b, starts, n, 0);
    if (!inside) {
        in[1] = tsr_ttir_splat(b, type, 0);
        in[2] = tsr_ttir_ints(b, elem, last, type->dims, 1);
        in[0] = tsr_ttir_op(b, TSR_OP_TTIR_CLAMP_TENSOR, in, 3, type);
    }
    in[1] = in[0];
    in[2] = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, in[0], tsr_ttir_ints(b, elem, sizes, type->dims, 1),
                            type);
    in[0] = x;
    out[0] = tsr_ttir_op(b, TSR_OP_TTIR_SLICE_DYNAMIC, in, 3, op->out[0].type);
    return true;
}

/* ---- Padding ---- */

typedef struct {
    size_t n;
    int64_t low[TSR_TTIR_RANK], high[TSR_TTIR_RANK], interior[TSR_TTIR_RANK];
} padding;

/* Interior padding: a dimension of size 1 after the padded one is padded, then merged with it. */
static tsr_value *spread_out(tsr_build *b, tsr_value *v, size_t dim, int64_t between, double value)
{
    int64_t dims[TSR_TTIR_RANK + 1], pads[2 * TSR_TTIR_RANK + 2] = {0};
    size_t n = v->type->n;
    int64_t size = v->type->dims[dim];
    for (size_t i = 0, k = 0; i < n; i++) {
        dims[k++] = v->type->dims[i];
        if (i == dim)
            dims[k++] = 1;
    }
    v = tsr_ttir_reshape(b, v, dims, n + 1);
    pads[2 * dim + 3] = between;
    v = tsr_ttir_pad(b, v, pads, value);
    dims[dim] = size * (between + 1);
    memmove(dims + dim + 1, dims + dim + 2, (n - dim - 1) * sizeof *dims);
    return tsr_ttir_slice_dim(b, tsr_ttir_reshape(b, v, dims, n), (int64_t)dim, 0,
                              dims[dim] - between);
}

static tsr_value *padded(tsr_build *b, tsr_value *v, const padding *p, double value)
{
    int64_t begins[TSR_TTIR_RANK], ends[TSR_TTIR_RANK], pads[2 * TSR_TTIR_RANK];
    for (size_t i = 0; i < p->n; i++)
        if (p->interior[i] && v->type->dims[i] > 1)
            v = spread_out(b, v, i, p->interior[i], value);
    for (size_t i = 0; i < p->n; i++) {
        begins[i] = p->low[i] < 0 ? -p->low[i] : 0;
        ends[i] = v->type->dims[i] + (p->high[i] < 0 ? p->high[i] : 0);
        pads[2 * i] = p->low[i] > 0 ? p->low[i] : 0;
        pads[2 * i + 1] = p->high[i] > 0 ? p->high[i] : 0;
    }
    return tsr_ttir_pad(b, tsr_ttir_slice(b, v, begins, ends, NULL), pads, value);
}

/* If there are few elements to be separated, each is placed individually in a tensor of padding. */
enum { FEW = 512 };

static bool few_apart(const tsr_value *v, const padding *p)
{
    bool apart = false;
    for (size_t i = 0; i < p->n; i++) {
        if (p->low[i] < 0 || p->high[i] < 0)
            return false;
        apart |= p->interior[i] > 0;
    }
    return apart && tsr_type_num_elements(v->type) <= FEW && v->type->elem->kind == TSR_TYPE_FLOAT;
}

static tsr_value *put_apart(tsr_build *b, tsr_value *v, const padding *p, double value,
                            tsr_type *type)
{
    int64_t at[TSR_TTIR_RANK] = {0}, places[FEW], n = tsr_type_num_elements(v->type),
            all = tsr_type_num_elements(type);
    for (int64_t k = 0; k < n; k++) {
        places[k] = 0;
        for (size_t i = 0; i < p->n; i++)
            places[k] = places[k] * type->dims[i] + p->low[i] + at[i] * (p->interior[i] + 1);
        for (size_t i = p->n; i-- > 0 && ++at[i] == v->type->dims[i];)
            at[i] = 0;
    }
    tsr_value *full = tsr_ttir_full(b, type, value);
    tsr_value *index = tsr_ttir_ints(b, b->ctx->i64, places, &n, 1);
    full = tsr_ttir_reshape(b, full, &all, 1);
    full = tsr_ttir_scatter(b, full, index, tsr_ttir_reshape(b, v, &n, 1), 0, TSR_TT_INVALID);
    return tsr_ttir_reshape(b, full, type->dims, type->n);
}

/* Whether value is representable in f32. wide: it may be a rounded integer. */
static bool is_f32(double value, bool wide)
{
    if (isnan(value) || isinf(value))
        return true;
    return fabs(value) <= (wide ? 0x1p24 : FLT_MAX) && value == (double)(float)value;
}

/* The padding: a number if it is constant and representable in f32, else a value that is selected where no element of
 * the operand is. */
bool ttir_pad(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    padding p = {.n = x->type->n};
    if (!tsr_ttir_static(op) || p.n >= TSR_TTIR_RANK || tsr_type_num_elements(x->type) <= 0 ||
        tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    tsr_pad pads;
    tsr_pad_of(op, &pads);
    tsr_ints_copy(pads.low, p.low, p.n);
    tsr_ints_copy(pads.high, p.high, p.n);
    tsr_ints_copy(pads.interior, p.interior, p.n);
    for (size_t i = 0; i < p.n;
         i++) { /* the operand may vanish completely: too rare to handle here */
        int64_t spread = (x->type->dims[i] - 1) * (p.interior[i] + 1) + 1;
        if ((p.low[i] < 0 ? -p.low[i] : 0) + (p.high[i] < 0 ? -p.high[i] : 0) >= spread)
            return false;
    }
    const tsr_attr *known = tsr_ttir_constant_of(op->in[1].value, true);
    double value = known ? tsr_ttir_number(known, 0) : 0;
    bool wide =
        known && known->type->elem->kind == TSR_TYPE_INTEGER && known->type->elem->width > 32;
    if (known && is_f32(value, wide)) {
        out[0] = few_apart(x, &p) ? put_apart(b, x, &p, value, op->out[0].type)
                                  : padded(b, x, &p, value);
    } else {
        tsr_value *full = padded(b, x, &p, 0);
        tsr_value *mask =
            padded(b, tsr_ttir_splat(b, tsr_hlo_with_element(x->type, b->ctx->i1), 1), &p, 0);
        out[0] = tsr_ttir_where(b, mask, full, tsr_ttir_everywhere(b, op->in[1].value, full->type));
    }
    return out[0]->type == op->out[0].type;
}
