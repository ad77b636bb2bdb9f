/* ask.c - what TTIR's rules ask about values, constants, dimensions and permutations. */
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
    const tsr_attr *arg = op->attrs[TTIR_SUM_dim_arg];
    bool in[TSR_TTIR_RANK] = {false};
    if (rank >= TSR_TTIR_RANK)
        return false;
    for (size_t i = 0; arg && i < tt_count(arg); i++) {
        size_t d;
        if (!tt_dim(tt_int_at(arg, i), rank, &d))
            return false;
        in[d] = true;
    }
    for (size_t i = 0; i < rank; i++)
        if (!arg || in[i])
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

int64_t tsr_ttr_at(const tsr_attr *a, size_t i)
{
    return tsr_attr_is(a, TSR_ATTR_INT) ? a->i : tt_int_at(a, i);
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

void tsr_ttr_inverse(const int64_t *perm, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[perm[i]] = (int64_t)i;
}

size_t tsr_ttr_permutation(const tsr_op *permute, int64_t *out)
{
    const tsr_attr *a = permute->attrs[TTIR_PERMUTE_permutation];
    size_t n = tt_count(a);
    for (size_t i = 0; i < n; i++)
        out[i] = tt_int_at(a, i);
    return n;
}

int64_t tsr_ttr_volume(const int64_t *dims, size_t n)
{
    int64_t v = 1;
    for (size_t i = 0; i < n; i++)
        v *= dims[i];
    return v;
}
