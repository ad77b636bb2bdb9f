/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.c - host tensors: creation, sharing, single elements. */
#include "eval/tensor.h"

#include "eval/block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/device_block.h"
#include "base/float.h"
#include "base/small.h"
#include "dialect/builtin/quant.h"
#include "dialect/dialect.h"

/* ---- Element types ---- */

/* Where DTYPE_FLOAT is defined, only rows of floats matter. */
#define DTYPE_BOOL(id)
#define DTYPE_SINT(id)
#define DTYPE_UINT(id)
#define DTYPE_COMPLEX(id)

static const struct {
    const char *name;
    uint8_t bytes, kind;
} dtypes[] = {
#define DTYPE(id, nm, by, kd) [TSR_D_##id] = {nm, by, TSR_K_##kd},
#include "eval/dtype.def"
};

static tsr_dtype int_dtype(uint32_t width, bool is_unsigned)
{
    switch (width) {
    case 1: return TSR_D_I1;
    case 2: return is_unsigned ? TSR_D_U2 : TSR_D_I2;
    case 4: return is_unsigned ? TSR_D_U4 : TSR_D_I4;
    case 8: return is_unsigned ? TSR_D_U8 : TSR_D_I8;
    case 16: return is_unsigned ? TSR_D_U16 : TSR_D_I16;
    case 32: return is_unsigned ? TSR_D_U32 : TSR_D_I32;
    case 64: return is_unsigned ? TSR_D_U64 : TSR_D_I64;
    default: return TSR_D_NONE;
    }
}

tsr_dtype tsr_dtype_of(const tsr_type *t)
{
    if (!t)
        return TSR_D_NONE;
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER: return int_dtype(t->width, t->sub == TSR_UNSIGNED);
    case TSR_TYPE_INDEX: return TSR_D_I64;
    case TSR_TYPE_FLOAT:
        switch ((tsr_float_kind)t->sub) {
#define DTYPE(id, name, bytes, kind) DTYPE_##kind(id)
#define DTYPE_FLOAT(id) \
    case TSR_##id:      \
        return TSR_D_##id;
#include "eval/dtype.def"
#undef DTYPE_FLOAT
        default: return TSR_D_NONE;
        }
    case TSR_TYPE_COMPLEX:
        return t->elem->sub == TSR_F32   ? TSR_D_C64
               : t->elem->sub == TSR_F64 ? TSR_D_C128
                                         : TSR_D_NONE;
    case TSR_TYPE_DIALECT:
        if (tsr_block_bits(t))
            return TSR_D_F32;
        return t->def == &tsr_def_QUANT_UNIFORM
                   ? int_dtype(t->params[QUANT_storage]->type->width, !t->params[QUANT_signed]->i)
                   : TSR_D_NONE;
    default: return TSR_D_NONE;
    }
}

tsr_type *tsr_dtype_type(tsr_ctx *ctx, tsr_dtype d)
{
    if (d == TSR_D_C64 || d == TSR_D_C128)
        return tsr_type_complex(ctx, tsr_type_float(ctx, d == TSR_D_C64 ? TSR_F32 : TSR_F64));
    if (tsr_dtype_is_float(d))
        return tsr_type_float(ctx, tsr_dtype_float_kind(d));
    return tsr_type_integer(ctx, tsr_dtype_bits(d),
                            tsr_dtype_kind(d) == TSR_K_UINT ? TSR_UNSIGNED : TSR_SIGNLESS);
}

uint32_t tsr_dtype_bytes(tsr_dtype d)
{
    return dtypes[d].bytes;
}

uint32_t tsr_dtype_bits(tsr_dtype d)
{
    switch (d) {
    case TSR_D_I1: return 1;
    case TSR_D_I2:
    case TSR_D_U2: return 2;
    case TSR_D_I4:
    case TSR_D_U4:
    case TSR_D_F4E2M1FN: return 4;
    case TSR_D_F6E2M3FN:
    case TSR_D_F6E3M2FN: return 6;
    default: return dtypes[d].bytes * 8u;
    }
}

tsr_dkind tsr_dtype_kind(tsr_dtype d)
{
    return (tsr_dkind)dtypes[d].kind;
}

const char *tsr_dtype_name(tsr_dtype d)
{
    return d < TSR_D__COUNT ? dtypes[d].name : "none";
}

tsr_float_kind tsr_dtype_float_kind(tsr_dtype d)
{
    switch (d) {
#define DTYPE(id, name, bytes, kind) DTYPE_##kind(id)
#define DTYPE_FLOAT(id) \
    case TSR_D_##id:    \
        return TSR_##id;
#include "eval/dtype.def"
#undef DTYPE_FLOAT
    default: return TSR_F64;
    }
}

tsr_dtype tsr_dtype_part(tsr_dtype d)
{
    return d == TSR_D_C64 ? TSR_D_F32 : d == TSR_D_C128 ? TSR_D_F64 : d;
}

/* ---- Creation ---- */

enum { ALIGN = 64 };

static tsr_tensor *new_header(tsr_tensor_kind kind, size_t rank)
{
    tsr_assert(rank <= TSR_MAX_RANK, "a tensor of rank %zu", rank);
    tsr_tensor *t = tsr_calloc(1, sizeof *t + rank * sizeof(int64_t));
    if (!t)
        return NULL;
    atomic_init(&t->refs, 1);
    t->kind = (uint8_t)kind;
    t->dtype = TSR_D_NONE;
    t->rank = (uint8_t)rank;
    return t;
}

/* The number of elements; false if it is too large. Loop counts and strides stay in bounds for empty tensors too. */
static bool count_elements(const int64_t *dims, size_t rank, int64_t *n)
{
    const int64_t most = (int64_t)1 << 46;
    bool empty = false;
    int64_t others = 1; /* of all sizes but 0 */
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0 || (dims[i] && others > most / dims[i]))
            return false;
        empty |= dims[i] == 0;
        others *= dims[i] ? dims[i] : 1;
    }
    *n = empty ? 0 : others;
    return true;
}

/* Without data. */
static tsr_tensor *new_tensor(tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = rank <= TSR_MAX_RANK ? new_header(TSR_TENSOR, rank) : NULL;
    tsr_dtype d = tsr_dtype_of(elem);
    if (!t || d == TSR_D_NONE) {
        tsr_free(t);
        return NULL;
    }
    t->dtype = (uint8_t)d;
    t->elem = elem;
    for (size_t i = 0; i < rank; i++)
        t->dims[i] = dims[i];
    if (!count_elements(dims, rank, &t->n)) {
        tsr_free(t);
        return NULL;
    }
    return t;
}

tsr_tensor *tsr_tensor_over(tsr_type *elem, const int64_t *dims, size_t rank, void *data)
{
    tsr_tensor *t = new_tensor(elem, dims, rank);
    if (t) {
        t->data = data;
        t->owner = t; /* so that nobody frees the data */
    }
    return t;
}

tsr_tensor *tsr_tensor_new(tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = new_tensor(elem, dims, rank);
    if (!t)
        return NULL;
    size_t bytes = (tsr_tensor_bytes(t) + ALIGN) & ~(size_t)(ALIGN - 1);
    t->data = tsr_malloc_aligned(bytes);
    if (!t->data) {
        tsr_free(t);
        return NULL;
    }
    return t;
}

tsr_tensor *tsr_tensor_on(tsr_device *d, tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = new_tensor(elem, dims, rank);
    if (t && (t->where = tsr_device_block_new(d, tsr_tensor_bytes(t)))) {
        t->data = t->where->at;
        return t;
    }
    tsr_free(t);
    return NULL;
}

const tsr_tensor *tsr_tensor_here(const tsr_tensor *t, tsr_tensor **copy)
{
    *copy = NULL;
    if (!t->where)
        return t;
    tsr_device *d = t->where->device;
    *copy = tsr_tensor_like(t, t->elem);
    if (!*copy || !t->n || d->copy_out(d, (*copy)->data, t->data, tsr_tensor_bytes(t)))
        return *copy;
    tsr_tensor_unref(*copy);
    return *copy = NULL;
}

tsr_tensor *tsr_tensor_like(const tsr_tensor *t, tsr_type *elem)
{
    return tsr_tensor_new(elem, t->dims, t->rank);
}

static bool is_signed(const tsr_tensor *t)
{
    return tsr_dtype_kind((tsr_dtype)t->dtype) == TSR_K_SINT;
}

bool tsr_tensor_is_tidy(const tsr_tensor *t)
{
    uint32_t bits = tsr_dtype_bits((tsr_dtype)t->dtype);
    return tsr_small_is_tidy(t->data, (size_t)t->n, bits, is_signed(t));
}

void tsr_tensor_tidy(tsr_tensor *t)
{
    tsr_small_tidy(t->data, (size_t)t->n, tsr_dtype_bits((tsr_dtype)t->dtype), is_signed(t));
}

tsr_tensor *tsr_tensor_tidied(tsr_tensor *t)
{
    if (tsr_tensor_is_tidy(t))
        return t;
    tsr_tensor *out = tsr_tensor_like(t, t->elem);
    if (out) {
        memcpy(out->data, t->data, tsr_tensor_bytes(t));
        tsr_tensor_tidy(out);
    }
    tsr_tensor_unref(t);
    return out;
}

tsr_tensor *tsr_tensor_zeros(tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = tsr_tensor_new(elem, dims, rank);
    if (t)
        memset(t->data, 0, tsr_tensor_bytes(t));
    return t;
}

tsr_tensor *tsr_tensor_nothing(tsr_type *elem, const int64_t *dims, size_t rank)
{
    tsr_tensor *t = tsr_tensor_zeros(elem, dims, rank);
    tsr_dtype part = t ? tsr_dtype_part((tsr_dtype)t->dtype) : TSR_D_I8;
    size_t bytes = tsr_dtype_bytes(part);
    if (tsr_dtype_is_float(part) && bytes > 1)
        for (size_t end = bytes, all = tsr_tensor_bytes(t); end <= all; end += bytes)
            ((uint8_t *)t->data)[end - 1] = 0x80;
    return t;
}

tsr_tensor *tsr_token_new(void)
{
    return new_header(TSR_TOKEN, 0);
}

tsr_tensor *tsr_tuple_new(tsr_tensor *const *items, size_t n)
{
    tsr_tensor *t = new_header(TSR_TUPLE, 0);
    if (!t)
        return NULL;
    t->items = tsr_malloc((n ? n : 1) * sizeof *t->items);
    if (!t->items) {
        tsr_free(t);
        return NULL;
    }
    t->n = (int64_t)n;
    for (size_t i = 0; i < n; i++)
        t->items[i] = tsr_tensor_ref(items[i]);
    return t;
}

void tsr_tensor_unref(tsr_tensor *t)
{
    int refs = t ? atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) : 0;
    tsr_assert(!t || refs > 0, "a tensor is released more often than it is referenced");
    if (refs != 1)
        return;
    for (int64_t i = 0; t->kind == TSR_TUPLE && i < t->n; i++)
        tsr_tensor_unref(t->items[i]);
    tsr_free(t->items);
    if (!t->owner)
        tsr_free(t->where ? (void *)t->where : t->data);
    tsr_free(t);
}

tsr_tensor *tsr_tensor_borrow(tsr_tensor *t)
{
    tsr_tensor *b = new_header((tsr_tensor_kind)t->kind, t->rank);
    if (!b)
        return NULL;
    b->dtype = t->dtype;
    b->elem = t->elem;
    b->data = t->data;
    b->where = t->where;
    b->owner = t;
    for (uint8_t i = 0; i < t->rank; i++)
        b->dims[i] = t->dims[i];
    if (t->kind != TSR_TUPLE) {
        b->n = t->n;
        return b;
    }
    b->items = tsr_malloc((size_t)(t->n + 1) * sizeof *b->items);
    for (; b->items && b->n < t->n; b->n++)
        if (!(b->items[b->n] = tsr_tensor_borrow(t->items[b->n])))
            break;
    if (b->items && b->n == t->n)
        return b;
    tsr_tensor_unref(b);
    return NULL;
}

tsr_tensor *tsr_tensor_owned(tsr_tensor *t)
{
    if (t->owner) {
        tsr_tensor *owner = tsr_tensor_ref(t->owner);
        tsr_tensor_unref(t);
        return owner;
    }
    for (int64_t i = 0; t->kind == TSR_TUPLE && i < t->n; i++)
        t->items[i] = tsr_tensor_owned(t->items[i]);
    return t;
}

tsr_tensor *tsr_tensor_reuse(tsr_tensor *t)
{
    if (!t || tsr_tensor_unique(t))
        return t;
    tsr_tensor *copy = tsr_tensor_like(t, t->elem);
    if (copy)
        memcpy(copy->data, t->data, tsr_tensor_bytes(t));
    tsr_tensor_unref(t);
    return copy;
}

tsr_tensor *tsr_tensor_reshape(tsr_tensor *t, tsr_type *elem, const int64_t *dims, size_t rank)
{
    if (!tsr_tensor_unique(t)) {
        tsr_tensor *copy = tsr_tensor_new(elem, dims, rank);
        tsr_assert(!copy || tsr_tensor_bytes(copy) == tsr_tensor_bytes(t),
                   "%lld elements are reshaped to %lld", (long long)t->n, (long long)copy->n);
        if (copy)
            memcpy(copy->data, t->data, tsr_tensor_bytes(t));
        tsr_tensor_unref(t);
        return copy;
    }
    int64_t n;
    bool fits = rank <= TSR_MAX_RANK && count_elements(dims, rank, &n) && n == t->n;
    tsr_tensor *r = fits ? new_header(TSR_TENSOR, rank) : NULL;
    if (r) {
        r->dtype = t->dtype;
        r->elem = elem;
        r->n = t->n;
        r->data = t->data;
        t->data = NULL;
        for (size_t i = 0; i < rank; i++)
            r->dims[i] = dims[i];
    }
    tsr_tensor_unref(t);
    return r;
}

/* ---- Attributes ---- */

tsr_tensor *tsr_tensor_of_attr(const tsr_attr *a, tsr_type *type)
{
    tsr_tensor *t = tsr_tensor_new(type->elem, type->dims, type->n);
    if (!t || !tsr_attr_is(a, TSR_ATTR_DENSE)) {
        tsr_tensor_unref(t);
        return NULL;
    }
    tsr_dtype d = (tsr_dtype)t->dtype;
    size_t size = tsr_dtype_bytes(d);
    if (a->sub) {
        char *out = t->data;
        for (int64_t i = 0; a->s.len >= size && i < t->n; i++)
            memcpy(out + (size_t)i * size, a->s.data, size);
    } else if (a->s.len == tsr_tensor_bytes(t)) {
        memcpy(t->data, a->s.data, a->s.len);
    } else {
        tsr_tensor_unref(t);
        return NULL;
    }
    /* Attributes hold small integers zero-extended; tensors hold them sign-extended. */
    if (d == TSR_D_I2 || d == TSR_D_I4)
        for (int64_t i = 0; i < t->n; i++)
            tsr_set_int(t, i, ((int8_t *)t->data)[i]);
    return t;
}

tsr_attr *tsr_tensor_to_attr(tsr_ctx *ctx, tsr_module *m, const tsr_tensor *t)
{
    tsr_dtype d = (tsr_dtype)t->dtype;
    tsr_type *type = tsr_type_tensor(ctx, t->dims, t->rank, tsr_dtype_type(ctx, d), NULL);
    if (d != TSR_D_I2 && d != TSR_D_I4)
        return tsr_attr_dense(ctx, m, type, t->data, tsr_tensor_bytes(t), false);
    uint8_t *bytes = tsr_xmalloc((size_t)t->n);
    for (int64_t i = 0; i < t->n; i++)
        bytes[i] = ((uint8_t *)t->data)[i] & (d == TSR_D_I2 ? 3 : 15);
    tsr_attr *a = tsr_attr_dense(ctx, m, type, bytes, (size_t)t->n, false);
    tsr_free(bytes);
    return a;
}

/* ---- Single elements ---- */

int64_t tsr_get_int(const tsr_tensor *t, int64_t i)
{
    tsr_check(i >= 0 && i < t->n, "element %lld of %lld", (long long)i, (long long)t->n);
    switch ((tsr_dtype)t->dtype) {
    case TSR_D_I1: return ((uint8_t *)t->data)[i] & 1;
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8: return ((int8_t *)t->data)[i];
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8: return ((uint8_t *)t->data)[i];
    case TSR_D_I16: return ((int16_t *)t->data)[i];
    case TSR_D_U16: return ((uint16_t *)t->data)[i];
    case TSR_D_I32: return ((int32_t *)t->data)[i];
    case TSR_D_U32: return ((uint32_t *)t->data)[i];
    case TSR_D_I64:
    case TSR_D_U64: return ((int64_t *)t->data)[i];
    default: return (int64_t)tsr_get_double(t, i);
    }
}

void tsr_set_int(tsr_tensor *t, int64_t i, int64_t v)
{
    tsr_check(i >= 0 && i < t->n, "element %lld of %lld", (long long)i, (long long)t->n);
    switch ((tsr_dtype)t->dtype) {
    case TSR_D_I1: ((uint8_t *)t->data)[i] = v & 1; break;
    case TSR_D_I2: ((int8_t *)t->data)[i] = (int8_t)((int8_t)((uint8_t)v << 6) >> 6); break;
    case TSR_D_I4: ((int8_t *)t->data)[i] = (int8_t)((int8_t)((uint8_t)v << 4) >> 4); break;
    case TSR_D_U2: ((uint8_t *)t->data)[i] = v & 3; break;
    case TSR_D_U4: ((uint8_t *)t->data)[i] = v & 15; break;
    case TSR_D_I8:
    case TSR_D_U8: ((uint8_t *)t->data)[i] = (uint8_t)v; break;
    case TSR_D_I16:
    case TSR_D_U16: ((uint16_t *)t->data)[i] = (uint16_t)v; break;
    case TSR_D_I32:
    case TSR_D_U32: ((uint32_t *)t->data)[i] = (uint32_t)v; break;
    case TSR_D_I64:
    case TSR_D_U64: ((int64_t *)t->data)[i] = v; break;
    default: tsr_set_double(t, i, (double)v);
    }
}

void tsr_set_sum(tsr_tensor *t, int64_t i, int64_t v)
{
    tsr_set_int(t, i, t->dtype == TSR_D_I1 ? v != 0 : v);
}

double tsr_get_double(const tsr_tensor *t, int64_t i)
{
    double v;
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    tsr_check(i >= 0 && i < t->n, "element %lld of %lld", (long long)i, (long long)t->n);
    tsr_to_doubles((tsr_dtype)t->dtype, (char *)t->data + (size_t)i * size, &v, 1);
    return v;
}

void tsr_set_double(tsr_tensor *t, int64_t i, double v)
{
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    tsr_from_doubles((tsr_dtype)t->dtype, &v, (char *)t->data + (size_t)i * size, 1);
}

tsr_complex tsr_get_complex(const tsr_tensor *t, int64_t i)
{
    if (t->dtype == TSR_D_C64)
        return (tsr_complex){((float *)t->data)[2 * i], ((float *)t->data)[2 * i + 1]};
    if (t->dtype == TSR_D_C128)
        return (tsr_complex){((double *)t->data)[2 * i], ((double *)t->data)[2 * i + 1]};
    return (tsr_complex){tsr_get_double(t, i), 0};
}

void tsr_set_complex(tsr_tensor *t, int64_t i, tsr_complex v)
{
    if (t->dtype == TSR_D_C64) {
        ((float *)t->data)[2 * i] = (float)v.re;
        ((float *)t->data)[2 * i + 1] = (float)v.im;
    } else if (t->dtype == TSR_D_C128) {
        ((double *)t->data)[2 * i] = v.re;
        ((double *)t->data)[2 * i + 1] = v.im;
    } else {
        tsr_set_double(t, i, v.re);
    }
}

void tsr_copy_element(tsr_tensor *to, int64_t i, const tsr_tensor *from, int64_t k)
{
    size_t size = tsr_dtype_bytes((tsr_dtype)to->dtype);
    memcpy((char *)to->data + (size_t)i * size, (const char *)from->data + (size_t)k * size, size);
}

void tsr_strides(const int64_t *dims, size_t rank, int64_t *strides)
{
    int64_t s = 1;
    for (size_t d = rank; d-- > 0;) {
        strides[d] = s;
        s *= dims[d];
    }
}
