/* SPDX-License-Identifier: Apache-2.0 */
/* ask.c - queries of TTIR's rules on values, constants, dimensions and permutations. */
#include <math.h>

#include "pass/ttir/tt.h"

bool tsr_ttr_number(const tsr_value *v, double *out)
{
    return tsr_ttir_splat_number(tsr_const_of(v), out);
}

bool tsr_ttr_number_through(const tsr_value *v, double *out)
{
    enum { MOST = 16 };
    for (int i = 0; i < MOST && !v->is_arg; i++) {
        if (tsr_ttr_number(v, out))
            return true;
        switch (v->op->def->opcode) {
        case TSR_OP_TTIR_RESHAPE:
        case TSR_OP_TTIR_BROADCAST:
        case TSR_OP_TTIR_REPEAT:
        case TSR_OP_TTIR_PERMUTE:
        case TSR_OP_TTIR_TYPECAST: v = v->op->in[0].value; break;
        default: return false;
        }
    }
    return false;
}

double tsr_ttr_rounding(const tsr_value *v)
{
    const tsr_type *elem = tsr_type_is(v->type, TSR_TYPE_TENSOR) ? v->type->elem : NULL;
    return tt_is_float(elem) ? ldexp(1, 2 - (int)tsr_float_formats[elem->sub].mbits) : 0;
}

bool tsr_ttr_boolean(const tsr_value *v)
{
    double d;
    if (tsr_type_is(v->type, TSR_TYPE_TENSOR) && tsr_type_is_integer(v->type->elem, 1))
        return true;
    if (tsr_ttr_number(v, &d))
        return d == 0 || d == 1;
    return !v->is_arg && tsr_op_has(v->op, TSR_TRAIT(TT_PREDICATE));
}

tsr_op *tsr_ttr_def(const tsr_value *v, uint16_t opcode)
{
    return tsr_rw_def_is(v, opcode);
}

tsr_op *tsr_ttr_single(const tsr_value *v, uint16_t opcode)
{
    tsr_op *op = tsr_rw_def_is(v, opcode);
    return op && tsr_rw_one_use(v) ? op : NULL;
}

tsr_op *tsr_ttr_user(const tsr_value *v)
{
    return tsr_rw_one_use(v) ? v->uses->user : NULL;
}

bool tsr_ttr_reduced(const tsr_op *op, int64_t *dims, size_t *n)
{
    size_t rank = op->in[0].value->type->n, count = 0;
    tsr_reduce_dims r;
    bool in[TSR_TTIR_RANK] = {false};
    tsr_reduce_dims_of(op, &r);
    if (rank >= TSR_TTIR_RANK)
        return false;
    for (size_t i = 0; i < r.dims.n; i++) {
        size_t d;
        if (!tt_dim(tsr_ints_at(r.dims, i), rank, &d))
            return false;
        in[d] = true;
    }
    for (size_t i = 0; i < rank; i++)
        if (r.all || in[i])
            dims[count++] = (int64_t)i;
    *n = count;
    return true;
}

double tsr_ttr_float_attr(const tsr_attr *a)
{
    if (tsr_attr_is(a, TSR_ATTR_FLOAT))
        return tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i);
    return tsr_attr_is(a, TSR_ATTR_INT) ? (double)a->i : 0;
}

bool tsr_ttr_ones(const tsr_attr *numbers, size_t but)
{
    for (size_t i = 0; i + but < tt_count(numbers); i++)
        if (tt_int_at(numbers, i) != 1)
            return false;
    return true;
}

bool tsr_ttr_implicit(const tsr_op *broadcast)
{
    enum { LAST = 6 };
    return tsr_ttr_ones(broadcast->attrs[TTIR_BROADCAST_broadcast_dimensions], LAST);
}

tsr_ttr_range tsr_ttr_slice_range(const tsr_op *slice, size_t i)
{
    tsr_slice s;
    int64_t size = slice->in[0].value->type->dims[i];
    tsr_slice_of(slice, &s);
    return (tsr_ttr_range){tsr_ttir_bound(tsr_ints_at(s.start, i), size),
                           tsr_ttir_bound(tsr_ints_at(s.limit, i), size),
                           tsr_ints_at(s.strides, i)};
}

bool tsr_ttr_keeps_dims(const tsr_op *reduction)
{
    tsr_reduce_dims r;
    return tsr_reduce_dims_of(reduction, &r) && r.keep;
}

void tsr_ttr_inverse(const int64_t *perm, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[perm[i]] = (int64_t)i;
}

size_t tsr_ttr_permutation(const tsr_op *permute, int64_t *out)
{
    tsr_order order;
    tsr_order_of(permute, &order);
    return tsr_ints_copy(order.dims, out, order.dims.n);
}

int64_t tsr_ttr_volume(const int64_t *dims, size_t n)
{
    int64_t v = 1;
    for (size_t i = 0; i < n; i++)
        v *= dims[i];
    return v;
}
