/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - ops that rearrange elements: broadcasts, reshapes, transpositions, concatenation, iota, sizes.
 *
 * They move bytes of any element type; each is one strided copy (eval/math/strided.h), or none. */
#include <math.h>

#include "dialect/builtin/quant.h"
#include "eval/math/strided.h"
#include "eval/kernel/kernels.h"

/* The shape of the result: from the shape operand if there is one, else from the type. */
static bool result_dims(tsr_call *c, int shape, int64_t *dims, size_t *rank)
{
    const tsr_type *type = c->op->out[0].type;
    if (type->kind != TSR_TYPE_TENSOR || type->n > TSR_MAX_RANK)
        return tsr_fail(c, "has a result that is no tensor of at most %d dimensions", TSR_MAX_RANK);
    *rank = type->n;
    if (shape >= 0) {
        const tsr_tensor *t = c->in[shape];
        if (tsr_index_list(t, dims, TSR_MAX_RANK) != type->n)
            return tsr_fail(c, "computes a shape of %lld dimensions for a result of %u",
                            (long long)t->n, type->n);
        for (size_t d = 0; d < *rank; d++)
            if (dims[d] < 0 || (type->dims[d] != TSR_DYNAMIC && type->dims[d] != dims[d]))
                return tsr_fail(
                    c, "computes size %lld for dimension %zu, which its type does not allow",
                    (long long)dims[d], d);
        return true;
    }
    if (!tsr_type_has_static_shape(type))
        return tsr_fail(c, "has a result whose shape is not known");
    memcpy(dims, type->dims, *rank * sizeof *dims);
    return true;
}

/* Operand 0 with another shape of the same number of elements. */
static bool as_shape(tsr_call *c, const int64_t *dims, size_t rank)
{
    int64_t n = 1;
    bool empty = false;
    for (size_t d = 0; d < rank; d++)
        empty |= dims[d] == 0;
    for (size_t d = 0; !empty && d < rank; d++)
        if (dims[d] < 0 || dims[d] > (c->in[0]->n / n) || (n *= dims[d], false))
            return tsr_fail(c, "gives %lld elements a shape of another number",
                            (long long)c->in[0]->n);
    if ((empty ? 0 : n) != c->in[0]->n)
        return tsr_fail(c, "gives %lld elements a shape of another number", (long long)c->in[0]->n);
    tsr_type *elem = c->op->out[0].type->elem;
    if (tsr_dtype_of(elem) != tsr_call_dtype(c, 0))
        return tsr_fail(c, "changes the element type");
    c->out[0] = tsr_tensor_reshape(tsr_call_take(c, 0), elem, dims, rank);
    return c->out[0] || tsr_fail_memory(c, "its result");
}

/* The result: elements of the first operand, with these dims and the byte strides in from. */
static bool view_of(tsr_call *c, const int64_t *dims, const int64_t *from, size_t rank)
{
    const tsr_tensor *x = c->in[0];
    size_t size = tsr_elem_size(x);
    int64_t to[TSR_MAX_RANK];
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    if (!t)
        return false;
    tsr_byte_strides(dims, rank, size, to);
    tsr_move_once(t->data, to, x->data, from, dims, rank, size);
    return true;
}

/* stablehlo.reshape, stablehlo.dynamic_reshape */
bool eval_reshape(tsr_call *c)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank;
    return result_dims(c, c->op->nin > 1 ? 1 : -1, dims, &rank) && as_shape(c, dims, rank);
}

/* ---- Broadcasts ---- */

/* map[d]: the result dimension that dimension d of the operand maps to. */
static bool broadcast(tsr_call *c, const int64_t *dims, size_t rank, const int64_t *map)
{
    const tsr_tensor *x = c->in[0];
    size_t size = tsr_elem_size(x);
    bool same = rank == x->rank;
    int64_t from[TSR_MAX_RANK] = {0}, own[TSR_MAX_RANK];
    if (!tsr_distinct_below(map, x->rank, rank))
        return tsr_fail(c, "has broadcast dimensions that the result does not have");
    tsr_byte_strides(x->dims, x->rank, size, own);
    for (size_t d = 0; d < x->rank; d++) {
        int64_t at = map[d];
        if (x->dims[d] != 1 && x->dims[d] != dims[at])
            return tsr_fail(c, "broadcasts dimension %zu of size %lld to size %lld", d,
                            (long long)x->dims[d], (long long)dims[at]);
        from[at] = x->dims[d] == 1 ? 0 : own[d];
        same &= at == (int64_t)d && x->dims[d] == dims[d];
    }
    if (same)
        return as_shape(c, dims, rank);
    return view_of(c, dims, from, rank);
}

bool eval_broadcast(tsr_call *c)
{
    int64_t dims[TSR_MAX_RANK], map[TSR_MAX_RANK];
    const tsr_tensor *x = c->in[0];
    size_t lead =
        tsr_ints_of(tsr_call_attr(c, STABLEHLO_BROADCAST_broadcast_sizes), dims, TSR_MAX_RANK);
    if (lead + x->rank > TSR_MAX_RANK)
        return tsr_fail(c, "has a result of more than %d dimensions", TSR_MAX_RANK);
    for (size_t d = 0; d < x->rank; d++) {
        dims[lead + d] = x->dims[d];
        map[d] = (int64_t)(lead + d);
    }
    return broadcast(c, dims, lead + x->rank, map);
}

/* stablehlo.broadcast_in_dim, stablehlo.dynamic_broadcast_in_dim */
bool eval_broadcast_in_dim(tsr_call *c)
{
    bool dynamic = tsr_op_is(c->op, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM);
    int slot = dynamic ? (int)STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions
                       : (int)STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions;
    int64_t dims[TSR_MAX_RANK], map[TSR_MAX_RANK];
    size_t rank;
    TSR_TRY(result_dims(c, dynamic ? 1 : -1, dims, &rank));
    if (tsr_ints_of(tsr_call_attr(c, slot), map, TSR_MAX_RANK) != c->in[0]->rank)
        return tsr_fail(c, "has not one broadcast dimension for each of the operand's");
    return broadcast(c, dims, rank, map);
}

/* ---- Permutations ---- */

bool eval_transpose(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    size_t rank = x->rank, size = tsr_elem_size(x);
    int64_t perm[TSR_MAX_RANK], dims[TSR_MAX_RANK], own[TSR_MAX_RANK], from[TSR_MAX_RANK];
    size_t n = tsr_ints_of(tsr_call_attr(c, STABLEHLO_TRANSPOSE_permutation), perm, TSR_MAX_RANK);
    if (n != rank || !tsr_distinct_below(perm, n, rank))
        return tsr_fail(c, "has no permutation of the operand's dimensions");
    tsr_byte_strides(x->dims, rank, size, own);
    int64_t next = -1;
    bool ordered = true; /* ignoring dimensions of size 1 */
    for (size_t d = 0; d < rank; d++) {
        dims[d] = x->dims[perm[d]];
        from[d] = own[perm[d]];
        if (dims[d] != 1) {
            ordered &= perm[d] > next;
            next = perm[d];
        }
    }
    if (ordered)
        return as_shape(c, dims, rank);
    return view_of(c, dims, from, rank);
}

bool eval_reverse(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    size_t rank = x->rank, size = tsr_elem_size(x);
    int64_t axes[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    size_t n = tsr_ints_of(tsr_call_attr(c, STABLEHLO_REVERSE_dimensions), axes, TSR_MAX_RANK);
    if (!tsr_distinct_below(axes, n, rank))
        return tsr_fail(c, "reverses dimensions that the operand does not have");
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, rank);
    if (!t)
        return false;
    if (!x->n)
        return true;
    tsr_byte_strides(x->dims, rank, size, to);
    memcpy(from, to, rank * sizeof *to);
    const char *first = x->data;
    for (size_t i = 0; i < n; i++) {
        size_t d = (size_t)axes[i];
        first += from[d] * (x->dims[d] - 1);
        from[d] = -from[d];
    }
    tsr_move_once(t->data, to, first, from, x->dims, rank, size);
    return true;
}

bool eval_concatenate(tsr_call *c)
{
    int64_t axis = tsr_call_attr(c, STABLEHLO_CONCATENATE_dimension)->i;
    if (!c->op->nin || axis < 0 || axis >= c->in[0]->rank)
        return tsr_fail(c, "concatenates along a dimension that its operands do not have");
    const tsr_tensor *x = c->in[0];
    size_t rank = x->rank, size = tsr_elem_size(x);
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    memcpy(dims, x->dims, rank * sizeof *dims);
    dims[axis] = 0;
    for (uint32_t i = 0; i < c->op->nin; i++) {
        const tsr_tensor *t = c->in[i];
        bool fits = t->rank == rank && t->dtype == x->dtype;
        for (size_t d = 0; fits && d < rank; d++)
            fits = (int64_t)d == axis || t->dims[d] == dims[d];
        if (!fits || t->dims[axis] > INT64_MAX - dims[axis])
            return tsr_fail(c, "has operands whose shapes do not fit together");
        dims[axis] += t->dims[axis];
    }
    if (c->op->nin == 1)
        return as_shape(c, dims, rank);
    tsr_tensor *r = tsr_call_new(c, 0, dims, rank);
    if (!r)
        return false;
    if (!r->n)
        return true;
    tsr_byte_strides(dims, rank, size, to);
    char *at = r->data;
    for (uint32_t i = 0; i < c->op->nin; i++) {
        const tsr_tensor *t = c->in[i];
        tsr_byte_strides(t->dims, rank, size, from);
        tsr_move_once(at, to, t->data, from, t->dims, rank, size);
        at += t->dims[axis] * to[axis];
    }
    return true;
}

/* ---- iota ---- */

/* The storage of number k of a quantized iota. */
static int64_t quantized_count(const tsr_type *q, int64_t k)
{
    double scale;
    int64_t zero = tsr_attr_int_at(q->params[QUANT_zero_points], 0);
    memcpy(&scale, q->params[QUANT_scales]->s.data, sizeof scale);
    double v = nearbyint((double)k / scale) + (double)zero;
    double low = (double)q->params[QUANT_min]->i, high = (double)q->params[QUANT_max]->i;
    return (int64_t)(v < low ? low : v > high ? high : v);
}

/* Values 0 to n - 1 in an element type. */
static void count(tsr_tensor *t, char *out, int64_t n)
{
    enum { CHUNK = 256 };
    tsr_dtype d = (tsr_dtype)t->dtype;
    bool quantized = t->elem->kind == TSR_TYPE_DIALECT;
    int64_t v[CHUNK];
    for (int64_t at = 0; at < n; at += CHUNK) {
        int64_t k = n - at < CHUNK ? n - at : CHUNK;
        for (int64_t i = 0; i < k; i++)
            v[i] = quantized ? quantized_count(t->elem, at + i) : at + i;
        if (tsr_dtype_is_complex(d)) {
            double w[CHUNK];
            tsr_to_doubles(TSR_D_I64, v, w, k);
            tsr_convert(d, out + (size_t)at * tsr_dtype_bytes(d), TSR_D_F64, w, k);
        } else {
            tsr_convert(d, out + (size_t)at * tsr_dtype_bytes(d), TSR_D_I64, v, k);
        }
    }
}

/* stablehlo.iota, stablehlo.dynamic_iota */
bool eval_iota(tsr_call *c)
{
    bool dynamic = tsr_op_is(c->op, TSR_OP_STABLEHLO_DYNAMIC_IOTA);
    int slot =
        dynamic ? (int)STABLEHLO_DYNAMIC_IOTA_iota_dimension : (int)STABLEHLO_IOTA_iota_dimension;
    int64_t dims[TSR_MAX_RANK], axis = tsr_call_attr(c, slot)->i, inner = 1;
    size_t rank;
    TSR_TRY(result_dims(c, dynamic ? 0 : -1, dims, &rank));
    if (axis < 0 || axis >= (int64_t)rank)
        return tsr_fail(c, "counts along a dimension that the result does not have");
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    if (!t)
        return false;
    if (!t->n)
        return true;
    for (size_t d = (size_t)axis + 1; d < rank; d++)
        inner *= dims[d];
    size_t size = tsr_elem_size(t);
    /* The numbers are written to the end of the first block, then each is spread over its run: a run never overwrites a
     * number that is still needed. */
    char *out = t->data, *numbers = out + (size_t)(dims[axis] * (inner - 1)) * size;
    count(t, numbers, dims[axis]);
    for (int64_t i = 0; inner > 1 && i < dims[axis]; i++) {
        char v[16];
        memcpy(v, numbers + (size_t)i * size, size);
        tsr_fill(out + (size_t)(i * inner) * size, v, size, inner);
    }
    size_t block = (size_t)(dims[axis] * inner) * size, all = tsr_tensor_bytes(t);
    for (size_t at = block; at < all; at += block)
        memcpy(out + at, out, block);
    return true;
}

/* ---- Sizes ---- */

bool eval_get_dimension_size(tsr_call *c)
{
    int64_t d = tsr_call_attr(c, STABLEHLO_GET_DIMENSION_SIZE_dimension)->i;
    if (d < 0 || d >= c->in[0]->rank)
        return tsr_fail(c, "asks for a dimension that its operand does not have");
    tsr_tensor *t = tsr_call_new(c, 0, NULL, 0);
    if (t)
        tsr_set_int(t, 0, c->in[0]->dims[d]);
    return t != NULL;
}

/* Sets how many of the first elements along the dimension are valid: existing ones, then zeros. */
bool eval_set_dimension_size(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    const tsr_type *type = c->op->out[0].type;
    int64_t axis = tsr_call_attr(c, STABLEHLO_SET_DIMENSION_SIZE_dimension)->i,
            n = tsr_get_index(c->in[1], 0);
    if (axis < 0 || axis >= x->rank || n < 0)
        return tsr_fail(c, "sets dimension %lld to size %lld", (long long)axis, (long long)n);
    if (type->kind == TSR_TYPE_TENSOR && axis < type->n && type->dims[axis] != TSR_DYNAMIC &&
        type->dims[axis] != n)
        return tsr_fail(c, "sets dimension %lld to size %lld, which its type does not allow",
                        (long long)axis, (long long)n);
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    size_t rank = x->rank, size = tsr_elem_size(x);
    memcpy(dims, x->dims, rank * sizeof *dims);
    dims[axis] = n;
    if (n == x->dims[axis])
        return as_shape(c, dims, rank);
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    if (!t)
        return false;
    if (n > x->dims[axis])
        memset(t->data, 0, tsr_tensor_bytes(t));
    tsr_byte_strides(dims, rank, size, to);
    tsr_byte_strides(x->dims, rank, size, from);
    if (n > x->dims[axis])
        dims[axis] = x->dims[axis];
    tsr_move_once(t->data, to, x->data, from, dims, rank, size);
    return true;
}
