/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.c - TTIR: types that kernels compute in, results, attributes, views (ttir/ttir.h). */
#include "eval/kernel/ttir/ttir.h"

#include "dialect/ttir/shape.h"
#include "eval/math/strided.h"

/* ---- Element types ---- */

tsr_type *tsr_tt_elem(tsr_dtype d)
{
    static const tsr_type parts[] = {{.kind = TSR_TYPE_FLOAT, .sub = TSR_F32, .width = 32},
                                     {.kind = TSR_TYPE_FLOAT, .sub = TSR_F64, .width = 64}};
    static const tsr_type types[TSR_D__COUNT] = {
#define INT_TYPE(bits, sign) {.kind = TSR_TYPE_INTEGER, .sub = sign, .width = bits}
#define FLOAT_TYPE(id, bits) [TSR_D_##id] = {.kind = TSR_TYPE_FLOAT, .sub = TSR_##id, .width = bits}
        [TSR_D_I1] = INT_TYPE(1, TSR_SIGNLESS),
        [TSR_D_I2] = INT_TYPE(2, TSR_SIGNLESS),
        [TSR_D_I4] = INT_TYPE(4, TSR_SIGNLESS),
        [TSR_D_I8] = INT_TYPE(8, TSR_SIGNLESS),
        [TSR_D_I16] = INT_TYPE(16, TSR_SIGNLESS),
        [TSR_D_I32] = INT_TYPE(32, TSR_SIGNLESS),
        [TSR_D_I64] = INT_TYPE(64, TSR_SIGNLESS),
        [TSR_D_U2] = INT_TYPE(2, TSR_UNSIGNED),
        [TSR_D_U4] = INT_TYPE(4, TSR_UNSIGNED),
        [TSR_D_U8] = INT_TYPE(8, TSR_UNSIGNED),
        [TSR_D_U16] = INT_TYPE(16, TSR_UNSIGNED),
        [TSR_D_U32] = INT_TYPE(32, TSR_UNSIGNED),
        [TSR_D_U64] = INT_TYPE(64, TSR_UNSIGNED),
        FLOAT_TYPE(F4E2M1FN, 4),
        FLOAT_TYPE(F6E2M3FN, 6),
        FLOAT_TYPE(F6E3M2FN, 6),
        FLOAT_TYPE(F8E3M4, 8),
        FLOAT_TYPE(F8E4M3, 8),
        FLOAT_TYPE(F8E4M3FN, 8),
        FLOAT_TYPE(F8E4M3FNUZ, 8),
        FLOAT_TYPE(F8E4M3B11FNUZ, 8),
        FLOAT_TYPE(F8E5M2, 8),
        FLOAT_TYPE(F8E5M2FNUZ, 8),
        FLOAT_TYPE(F8E8M0FNU, 8),
        FLOAT_TYPE(F16, 16),
        FLOAT_TYPE(BF16, 16),
        FLOAT_TYPE(F32, 32),
        FLOAT_TYPE(F64, 64),
        [TSR_D_C64] = {.kind = TSR_TYPE_COMPLEX, .elem = (tsr_type *)&parts[0]},
        [TSR_D_C128] = {.kind = TSR_TYPE_COMPLEX, .elem = (tsr_type *)&parts[1]},
#undef INT_TYPE
#undef FLOAT_TYPE
    };
    return (tsr_type *)&types[d]; /* types are never written to */
}

static tsr_dtype wider_int(tsr_dtype a, tsr_dtype b)
{
    uint32_t m = tsr_dtype_bits(a), n = tsr_dtype_bits(b);
    if (m != n)
        return m > n ? a : b;
    return m >= 32 ? TSR_D_I64 : TSR_D_I32; /* signed and unsigned */
}

tsr_dtype tsr_tt_promote(tsr_dtype a, tsr_dtype b)
{
    if (a == b)
        return a;
    if (tsr_dtype_is_complex(a) || tsr_dtype_is_complex(b))
        return a == TSR_D_C128 || b == TSR_D_C128 || a == TSR_D_F64 || b == TSR_D_F64 ? TSR_D_C128
                                                                                      : TSR_D_C64;
    bool fa = tsr_dtype_is_float(a), fb = tsr_dtype_is_float(b);
    if (fa != fb)
        return fa ? a : b;
    if (!fa)
        return wider_int(a, b);
    uint32_t m = tsr_dtype_bits(a), n = tsr_dtype_bits(b);
    return m > n ? a : m < n ? b : TSR_D_F32;
}

tsr_dtype tsr_tt_float(const tsr_call *c, tsr_dtype d)
{
    tsr_dtype to = tsr_dtype_of(c->op->out[0].type->elem);
    if (!tsr_dtype_is_int(d))
        return d;
    return tsr_dtype_is_int(to) || to == TSR_D_NONE ? TSR_D_F32 : to;
}

tsr_dtype tsr_tt_sum(tsr_dtype d)
{
    if (tsr_dtype_is_int(d))
        return d == TSR_D_U64 ? d : TSR_D_I64;
    return tsr_dtype_is_float(d) && tsr_dtype_bits(d) < 32 ? TSR_D_F32 : d;
}

/* ---- Tensors ---- */

tsr_tensor *tsr_tt_new(tsr_call *c, tsr_dtype d, const int64_t *dims, size_t rank)
{
    return tsr_call_tensor(c, tsr_tt_elem(d), dims, rank);
}

tsr_tensor *tsr_tt_as(tsr_call *c, tsr_tensor *t, tsr_dtype d)
{
    return tsr_converted(c, t, tsr_tt_elem(d));
}

tsr_tensor *tsr_tt_take(tsr_call *c, size_t i, tsr_dtype d)
{
    return tsr_call_dtype(c, i) == d ? tsr_call_take(c, i) : tsr_tt_as(c, c->in[i], d);
}

bool tsr_tt_give_as(tsr_call *c, size_t i, tsr_tensor *t, const int64_t *dims, size_t rank)
{
    if (!t)
        return false;
    tsr_type *elem = c->op->out[i].type->elem;
    if (tsr_dtype_of(elem) != (tsr_dtype)t->dtype) {
        tsr_tensor *to = tsr_converted(c, t, elem);
        tsr_tensor_unref(t);
        t = to;
        TSR_TRY(t != NULL);
    }
    bool same = t->rank == rank && (!rank || !memcmp(t->dims, dims, rank * sizeof *dims));
    if (same && tsr_tensor_unique(t))
        t->elem = elem;
    if (same && t->elem == elem)
        c->out[i] = t;
    else
        c->out[i] = tsr_tensor_reshape(t, elem, dims, rank);
    return c->out[i] || tsr_fail_memory(c, "its result");
}

bool tsr_tt_give(tsr_call *c, size_t i, tsr_tensor *t)
{
    int64_t dims[TSR_MAX_RANK];
    if (!t)
        return false;
    memcpy(dims, t->dims, t->rank * sizeof *dims);
    return tsr_tt_give_as(c, i, t, dims, t->rank);
}

tsr_tensor *tsr_tt_view(tsr_call *c, const tsr_tensor *x, const char *first, const int64_t *dims,
                        const int64_t *from, size_t rank)
{
    int64_t to[TSR_MAX_RANK];
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)x->dtype, dims, rank);
    if (!t || !t->n)
        return t;
    tsr_byte_strides(dims, rank, tsr_elem_size(x), to);
    tsr_move_once(t->data, to, first, from, dims, rank, tsr_elem_size(x));
    return t;
}

tsr_tensor *tsr_tt_permuted(tsr_call *c, const tsr_tensor *x, const int64_t *order)
{
    int64_t own[TSR_MAX_RANK], dims[TSR_MAX_RANK], from[TSR_MAX_RANK];
    tsr_byte_strides(x->dims, x->rank, tsr_elem_size(x), own);
    for (size_t i = 0; i < x->rank; i++) {
        dims[i] = x->dims[order[i]];
        from[i] = own[order[i]];
    }
    return tsr_tt_view(c, x, x->data, dims, from, x->rank);
}

tsr_tt_axis tsr_tt_around(const tsr_tensor *t, size_t dim)
{
    tsr_tt_axis a = {1, dim < t->rank ? t->dims[dim] : 1, 1};
    for (size_t i = 0; i < t->rank; i++) {
        a.outer *= i < dim ? t->dims[i] : 1;
        a.inner *= i > dim ? t->dims[i] : 1;
    }
    return a;
}

/* ---- Operands and attributes ---- */

int tsr_tt_at(const tsr_call *c, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(c->op, group, &start, &n) && n ? (int)start : -1;
}

tsr_tensor *tsr_tt_in(const tsr_call *c, size_t group)
{
    int at = tsr_tt_at(c, group);
    return at < 0 ? NULL : c->in[at];
}

int64_t tsr_tt_int(const tsr_call *c, int slot, int64_t otherwise)
{
    return c->op->attrs[slot] ? c->op->attrs[slot]->i : otherwise;
}

double tsr_tt_double(const tsr_call *c, int slot, double otherwise)
{
    return tt_float(c->op, slot, otherwise);
}

size_t tsr_tt_ints(const tsr_attr *a, int64_t *out, size_t max)
{
    if (!a)
        return 0;
    if (a->kind == TSR_ATTR_INT) {
        out[0] = a->i;
        return 1;
    }
    int64_t n = tsr_attr_count(a);
    for (int64_t i = 0; i < n && (size_t)i < max; i++)
        out[i] = a->kind == TSR_ATTR_ARRAY ? a->attrs[i]->i : tsr_attr_int_at(a, (size_t)i);
    return n < 0 ? 0 : (size_t)n < max ? (size_t)n : max;
}

bool tsr_tt_dim(tsr_call *c, int64_t dim, size_t rank, size_t *out)
{
    int64_t d = dim < 0 ? dim + (int64_t)rank : dim;
    *out = (size_t)d;
    return (d >= 0 && d < (int64_t)rank) ||
           tsr_fail(c, "names dimension %lld of a tensor of rank %zu", (long long)dim, rank);
}
