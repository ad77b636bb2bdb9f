/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - broadcasts operands to their common shape.
 *
 * Shapes are aligned at their last dimensions, or by broadcast_dimensions. If all sizes are static this is
 * broadcast_in_dim; otherwise sizes are computed for dynamic_broadcast_in_dim. */
#include "dialect/stablehlo/ops.h"

typedef struct {
    tsr_build *b;
    tsr_value **in;
    size_t n;
    const tsr_attr *dims;
    tsr_type *result;
} broadcast;

/* The result dimension that dimension i of an operand maps to. */
static int64_t place(const broadcast *s, const tsr_value *v, uint32_t i)
{
    uint32_t rank = s->result->n;
    if (s->dims && v->type->n < rank && tsr_hlo_len(s->dims) == v->type->n)
        return tsr_hlo_at(s->dims, i);
    return (int64_t)rank - v->type->n + i;
}

/* Whether the dimensions in broadcast_dimensions exist; verification does not check that. */
static bool places_fit(const broadcast *s, const tsr_value *v)
{
    for (uint32_t i = 0; i < v->type->n; i++)
        if (place(s, v, i) < 0 || place(s, v, i) >= s->result->n)
            return false;
    return true;
}

/* The dimension of an operand that maps to dim of the result; -1 if there is none. */
static int64_t dim_at(const broadcast *s, const tsr_value *v, int64_t dim)
{
    for (uint32_t i = 0; i < v->type->n; i++)
        if (place(s, v, i) == dim)
            return i;
    return -1;
}

/* What is known of the size of a result dimension: the operands' static sizes other than 1. */
static int64_t known_size(const broadcast *s, int64_t dim)
{
    int64_t size = 1;
    for (size_t k = 0; k < s->n; k++) {
        int64_t i = dim_at(s, s->in[k], dim), n = i < 0 ? 1 : s->in[k]->type->dims[i];
        if (n != 1 && n != TSR_DYNAMIC)
            return n;
        if (n == TSR_DYNAMIC)
            size = n;
    }
    return size;
}

/* The size at run time, from operands whose sizes are dynamic or 1: the first that is not 1. */
static tsr_value *computed_size(const broadcast *s, int64_t dim)
{
    tsr_value *size = NULL;
    for (size_t k = 0; k < s->n; k++) {
        int64_t i = dim_at(s, s->in[k], dim);
        if (i < 0 || s->in[k]->type->dims[i] != TSR_DYNAMIC)
            continue;
        tsr_value *other = tsr_build_size(s->b, s->in[k], i);
        size = size ? f_select(s->b, f_eqc(s->b, size, 1), other, size) : other;
    }
    return size;
}

/* Whether an operand already has the common shape, whatever the sizes at run time: no other one can change it. */
static bool decides(const broadcast *s, const tsr_value *v)
{
    if (v->type->n != s->result->n)
        return false;
    for (uint32_t d = 0; d < v->type->n; d++) {
        if (place(s, v, d) != d)
            return false;
        for (size_t k = 0; k < s->n; k++) {
            int64_t i = dim_at(s, s->in[k], d), other = i < 0 ? 1 : s->in[k]->type->dims[i];
            bool fixed = v->type->dims[d] != TSR_DYNAMIC && v->type->dims[d] != 1;
            if (s->in[k] != v && other != 1 && !fixed)
                return false;
        }
    }
    return true;
}

static tsr_value *spread_dynamic(const broadcast *s, tsr_value *v, tsr_value *sizes,
                                 const tsr_i64_vec *known)
{
    tsr_build *b = s->b;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&dims, place(s, v, i));
    tsr_value *in[] = {v, sizes};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, dims.data, dims.n);
    tsr_vec_free(&dims);
    tsr_type *type = tsr_type_tensor(b->ctx, known->data, known->n, tsr_elem(v), s->result->attr);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *spread_static(const broadcast *s, tsr_value *v, const tsr_i64_vec *known)
{
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&dims, place(s, v, i));
    tsr_type *type = tsr_static_type(s->b->ctx, known->data, known->n, tsr_elem(v));
    tsr_value *wide = tsr_build_broadcast(s->b, v, dims.data, type);
    tsr_vec_free(&dims);
    return wide;
}

bool tsr_broadcast_operands(tsr_build *b, tsr_value **in, size_t n, const tsr_attr *dims,
                            tsr_type *result)
{
    broadcast s = {b, in, n, dims, result};
    for (size_t k = 0; k < n; k++)
        if (!tsr_hlo_is_ranked(in[k]->type) || in[k]->type->n > result->n || !places_fit(&s, in[k]))
            return false;
    tsr_i64_vec known = {0};
    bool all_known = true;
    for (uint32_t d = 0; d < result->n; d++) {
        int64_t size = known_size(&s, d);
        all_known &= size != TSR_DYNAMIC;
        tsr_vec_push(&known, size);
    }
    /* An operand may be dynamic where another one is static; it may be 1 there, so it must be broadcast. */
    for (size_t k = 0; k < n; k++)
        all_known &= tsr_type_has_static_shape(in[k]->type);
    tsr_value_vec sizes = {0};
    for (uint32_t d = 0; !all_known && d < result->n; d++) {
        tsr_value *size = known.data[d] == TSR_DYNAMIC ? computed_size(&s, d) : NULL;
        tsr_vec_push(&sizes, size ? size : tsr_build_size_const(b, known.data[d]));
    }
    tsr_value *shape = sizes.n ? tsr_build_join(b, sizes.data, sizes.n) : NULL;
    tsr_value *wide[3];
    for (size_t k = 0; k < n && k < TSR_COUNT(wide); k++) {
        if (decides(&s, in[k]))
            wide[k] = in[k];
        else
            wide[k] = all_known ? spread_static(&s, in[k], &known)
                                : spread_dynamic(&s, in[k], shape, &known);
    }
    for (size_t k = 0; k < n && k < TSR_COUNT(wide); k++)
        in[k] = wide[k];
    tsr_vec_free(&sizes);
    tsr_vec_free(&known);
    return true;
}
