/* SPDX-License-Identifier: Apache-2.0 */
/* builtin_type.c - the encodings of builtin types, by their codes.
 *
 * What the text reader rejects is rejected here too (a tensor of functions, a negative size), because the layers above
 * rely on it. Floats of fewer than 16 bits have no code and are written as text. */
#include "text/bytecode/bytecode.h"

enum { MOST_RANK = 64, MOST_WIDTH = (1 << 24) - 1 };

static bool bc_integer(tsr_bc *b, tsr_type **type)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*type)->width << 2 | (*type)->sub;
    if (!tsr_bc_varint(b, &v))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if ((v & 3) > TSR_UNSIGNED || v >> 2 > MOST_WIDTH)
        return tsr_bc_error(b, "has an integer type of %llu bits", (unsigned long long)(v >> 2));
    *type = tsr_type_integer(b->ctx, (uint32_t)(v >> 2), (tsr_signedness)(v & 3));
    return true;
}

static bool bc_index(tsr_bc *b, tsr_type **type)
{
    if (tsr_bc_reading(b))
        *type = b->ctx->index;
    return true;
}

static bool bc_none(tsr_bc *b, tsr_type **type)
{
    if (tsr_bc_reading(b))
        *type = b->ctx->none;
    return true;
}

#define FLOAT_CODEC(name, kind)                       \
    static bool bc_##name(tsr_bc *b, tsr_type **type) \
    {                                                 \
        if (tsr_bc_reading(b))                        \
            *type = tsr_type_float(b->ctx, kind);     \
        return true;                                  \
    }
FLOAT_CODEC(bf16, TSR_BF16)
FLOAT_CODEC(f16, TSR_F16)
FLOAT_CODEC(f32, TSR_F32)
FLOAT_CODEC(f64, TSR_F64)
FLOAT_CODEC(f80, TSR_F80)
FLOAT_CODEC(f128, TSR_F128)
FLOAT_CODEC(tf32, TSR_TF32)
FLOAT_CODEC(f8E5M2, TSR_F8E5M2)
FLOAT_CODEC(f8E4M3, TSR_F8E4M3)
FLOAT_CODEC(f8E4M3FN, TSR_F8E4M3FN)
FLOAT_CODEC(f8E5M2FNUZ, TSR_F8E5M2FNUZ)
FLOAT_CODEC(f8E4M3FNUZ, TSR_F8E4M3FNUZ)
FLOAT_CODEC(f8E4M3B11FNUZ, TSR_F8E4M3B11FNUZ)
FLOAT_CODEC(f8E3M4, TSR_F8E3M4)
FLOAT_CODEC(f4E2M1FN, TSR_F4E2M1FN)
FLOAT_CODEC(f6E2M3FN, TSR_F6E2M3FN)
FLOAT_CODEC(f6E3M2FN, TSR_F6E3M2FN)
FLOAT_CODEC(f8E8M0FNU, TSR_F8E8M0FNU)
#undef FLOAT_CODEC

static bool bc_function(tsr_bc *b, tsr_type **type)
{
    tsr_type *const *in = NULL, *const *out = NULL;
    size_t nin = 0, nout = 0;
    if (!tsr_bc_reading(b)) {
        in = (*type)->types;
        nin = (*type)->n;
        out = in + nin;
        nout = (*type)->nout;
    }
    if (!tsr_bc_types(b, &in, &nin) || !tsr_bc_types(b, &out, &nout))
        return false;
    if (tsr_bc_reading(b))
        *type = tsr_type_function(b->ctx, in, nin, out, nout);
    return true;
}

static bool bc_tuple(tsr_bc *b, tsr_type **type)
{
    tsr_type *const *types = tsr_bc_reading(b) ? NULL : (*type)->types;
    size_t n = tsr_bc_reading(b) ? 0 : (*type)->n;
    if (!tsr_bc_types(b, &types, &n))
        return false;
    if (tsr_bc_reading(b))
        *type = tsr_type_tuple(b->ctx, types, n);
    return true;
}

static bool bc_complex(tsr_bc *b, tsr_type **type)
{
    tsr_type *elem = tsr_bc_reading(b) ? NULL : (*type)->elem;
    if (!tsr_bc_type(b, &elem))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (elem->kind != TSR_TYPE_FLOAT && elem->kind != TSR_TYPE_INTEGER)
        return tsr_bc_error(b, "has a complex type of what is no number");
    *type = tsr_type_complex(b->ctx, elem);
    return true;
}

/* A shape and the element type after it. */
typedef struct {
    const int64_t *dims;
    size_t n;
    tsr_type *elem;
} shape;

static bool bc_shape(tsr_bc *b, tsr_type *const *type, shape *s)
{
    *s = (shape){0};
    if (!tsr_bc_reading(b))
        *s = (shape){(*type)->dims, (*type)->n, (*type)->elem};
    if (!tsr_bc_svarints(b, &s->dims, &s->n) || !tsr_bc_type(b, &s->elem))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (s->n > MOST_RANK)
        return tsr_bc_error(b, "has a shape of %zu dimensions; at most %d are supported", s->n,
                            MOST_RANK);
    for (size_t i = 0; i < s->n; i++)
        if (s->dims[i] < 0 && s->dims[i] != TSR_DYNAMIC)
            return tsr_bc_error(b, "has a dimension of size %lld", (long long)s->dims[i]);
    return true;
}

static bool tensor_element_ok(const tsr_type *t)
{
    return t->kind <= TSR_TYPE_INDEX || t->kind == TSR_TYPE_COMPLEX || t->kind == TSR_TYPE_VECTOR ||
           t->kind >= TSR_TYPE_DIALECT;
}

static bool tensor(tsr_bc *b, tsr_type **type, bool encoded)
{
    shape s;
    tsr_attr *encoding = tsr_bc_reading(b) ? NULL : (*type)->attr;
    if ((encoded && !tsr_bc_attr(b, &encoding)) || !bc_shape(b, type, &s))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (!tensor_element_ok(s.elem))
        return tsr_bc_error(b, "has a tensor of elements that none can have");
    if (encoding && b->ctx->verify_encoding) {
        const tsr_type *plain = tsr_type_tensor(b->ctx, s.dims, s.n, s.elem, NULL);
        if (!b->ctx->verify_encoding(TSR_LOC_UNKNOWN, plain, encoding))
            return tsr_bc_error(b, "has a tensor whose encoding does not fit");
    }
    *type = tsr_type_tensor(b->ctx, s.dims, s.n, s.elem, encoding);
    return true;
}

static bool bc_tensor(tsr_bc *b, tsr_type **type)
{
    return tensor(b, type, false);
}

static bool bc_encoded_tensor(tsr_bc *b, tsr_type **type)
{
    return tensor(b, type, true);
}

static bool bc_unranked_tensor(tsr_bc *b, tsr_type **type)
{
    tsr_type *elem = tsr_bc_reading(b) ? NULL : (*type)->elem;
    if (!tsr_bc_type(b, &elem))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (!tensor_element_ok(elem))
        return tsr_bc_error(b, "has a tensor of elements that none can have");
    *type = tsr_type_unranked_tensor(b->ctx, elem);
    return true;
}

/* Memory space 0 is the default and is dropped; so are identity layouts. */
static tsr_attr *identity(tsr_bc *b, size_t rank)
{
    const tsr_affine *dims[MOST_RANK];
    for (size_t i = 0; i < rank; i++)
        dims[i] = tsr_affine_get(b->ctx, TSR_AFFINE_DIM, (int64_t)i, NULL, NULL);
    return tsr_attr_affine_map(b->ctx, (uint32_t)rank, 0, dims, rank);
}

static bool space_ok(tsr_bc *b, const tsr_attr *a)
{
    return a->kind == TSR_ATTR_INT || a->kind == TSR_ATTR_STRING || a->kind == TSR_ATTR_DICT ||
           a->kind == TSR_ATTR_STRUCT || a->kind == TSR_ATTR_ENUM || a->kind == TSR_ATTR_OPAQUE ||
           tsr_bc_error(b, "has a memory space of another kind");
}

static bool memref_element_ok(tsr_bc *b, const tsr_type *t)
{
    bool bad = t->kind == TSR_TYPE_FUNCTION || t->kind == TSR_TYPE_NONE ||
               t->kind == TSR_TYPE_TENSOR || t->kind == TSR_TYPE_UNRANKED_TENSOR ||
               t->kind == TSR_TYPE_TUPLE;
    return !bad || tsr_bc_error(b, "has a memref of elements that none can have");
}

static tsr_attr *space_of(tsr_attr *a)
{
    return a && a->kind == TSR_ATTR_INT && !a->i && !a->s.len ? NULL : a;
}

static bool memref(tsr_bc *b, tsr_type **type, bool spaced)
{
    shape s;
    tsr_attr *space = tsr_bc_reading(b) ? NULL : (*type)->space, *layout = NULL;
    if ((spaced && !tsr_bc_attr(b, &space)) || !bc_shape(b, type, &s))
        return false;
    if (!tsr_bc_reading(b))
        layout = (*type)->attr ? (*type)->attr : identity(b, s.n);
    if (!tsr_bc_attr(b, &layout))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    bool fits = layout->kind == TSR_ATTR_STRIDED ? layout->n - 1 == s.n
                : layout->kind == TSR_ATTR_AFFINE_MAP
                    ? (size_t)(layout->i >> 32) == s.n
                    : layout->kind == TSR_ATTR_STRUCT && (layout->def->flags & TSR_DEF_LAYOUT);
    if (!fits)
        return tsr_bc_error(b, "has a memref whose layout does not fit its rank");
    if (!memref_element_ok(b, s.elem) || (space && !space_ok(b, space)))
        return false;
    *type =
        tsr_type_memref(b->ctx, s.dims, s.n, s.elem,
                        tsr_affine_map_is_identity(layout, s.n) ? NULL : layout, space_of(space));
    return true;
}

static bool bc_memref(tsr_bc *b, tsr_type **type)
{
    return memref(b, type, false);
}

static bool bc_spaced_memref(tsr_bc *b, tsr_type **type)
{
    return memref(b, type, true);
}

static bool unranked_memref(tsr_bc *b, tsr_type **type, bool spaced)
{
    tsr_type *elem = tsr_bc_reading(b) ? NULL : (*type)->elem;
    tsr_attr *space = tsr_bc_reading(b) ? NULL : (*type)->space;
    if ((spaced && !tsr_bc_attr(b, &space)) || !tsr_bc_type(b, &elem))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (!memref_element_ok(b, elem) || (space && !space_ok(b, space)))
        return false;
    *type = tsr_type_unranked_memref(b->ctx, elem, space_of(space));
    return true;
}

static bool bc_unranked_memref(tsr_bc *b, tsr_type **type)
{
    return unranked_memref(b, type, false);
}

static bool bc_spaced_unranked_memref(tsr_bc *b, tsr_type **type)
{
    return unranked_memref(b, type, true);
}

static bool vector(tsr_bc *b, tsr_type **type, bool with_scalable)
{
    shape s;
    uint8_t scalable[MOST_RANK] = {0};
    size_t n = 0;
    bool any = false;
    if (!tsr_bc_reading(b) && with_scalable) {
        n = (*type)->n;
        memcpy(scalable, (*type)->attr->s.data, n);
    }
    if (with_scalable && !tsr_bc_count(b, &n))
        return false;
    if (n > MOST_RANK)
        return tsr_bc_error(b, "has a vector of %zu dimensions; at most %d are supported", n,
                            MOST_RANK);
    for (size_t i = 0; i < n; i++) {
        bool v = scalable[i];
        if (!tsr_bc_bool(b, &v))
            return false;
        scalable[i] = v;
        any = any || v;
    }
    if (!bc_shape(b, type, &s))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    for (size_t i = 0; i < s.n; i++)
        if (s.dims[i] <= 0)
            return tsr_bc_error(b, "has a vector with a dimension of size %lld",
                                (long long)s.dims[i]);
    if (s.elem->kind > TSR_TYPE_INDEX && s.elem->kind < TSR_TYPE_DIALECT)
        return tsr_bc_error(b, "has a vector of elements that none can have");
    if (with_scalable && n != s.n)
        return tsr_bc_error(b, "has a vector of %zu dimensions, scalable or not for %zu", s.n, n);
    *type = tsr_type_vector(b->ctx, s.dims, s.n, s.elem,
                            any ? tsr_attr_dense_array(b->ctx, b->ctx->i1, scalable, s.n) : NULL);
    return true;
}

static bool bc_vector(tsr_bc *b, tsr_type **type)
{
    return vector(b, type, false);
}

static bool bc_scalable_vector(tsr_bc *b, tsr_type **type)
{
    return vector(b, type, true);
}

enum {
    INTEGER,
    INDEX,
    FUNCTION,
    BF16,
    F16,
    F32,
    F64,
    F80,
    F128,
    COMPLEX,
    MEMREF,
    SPACED_MEMREF,
    NONE,
    TENSOR,
    ENCODED_TENSOR,
    TUPLE,
    UNRANKED_MEMREF,
    SPACED_UNRANKED_MEMREF,
    UNRANKED_TENSOR,
    VECTOR,
    SCALABLE_VECTOR,
    TF32,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E8M0FNU,
    NTYPE
};

_Static_assert((int)NTYPE == (int)TSR_BC_NBUILTIN_TYPE, "bytecode.h says how many types there are");

tsr_bc_type_codec *const tsr_bc_builtin_types[] = {
    [INTEGER] = bc_integer,
    [INDEX] = bc_index,
    [FUNCTION] = bc_function,
    [BF16] = bc_bf16,
    [F16] = bc_f16,
    [F32] = bc_f32,
    [F64] = bc_f64,
    [F80] = bc_f80,
    [F128] = bc_f128,
    [COMPLEX] = bc_complex,
    [MEMREF] = bc_memref,
    [SPACED_MEMREF] = bc_spaced_memref,
    [NONE] = bc_none,
    [TENSOR] = bc_tensor,
    [ENCODED_TENSOR] = bc_encoded_tensor,
    [TUPLE] = bc_tuple,
    [UNRANKED_MEMREF] = bc_unranked_memref,
    [SPACED_UNRANKED_MEMREF] = bc_spaced_unranked_memref,
    [UNRANKED_TENSOR] = bc_unranked_tensor,
    [VECTOR] = bc_vector,
    [SCALABLE_VECTOR] = bc_scalable_vector,
    [TF32] = bc_tf32,
    [F8E5M2] = bc_f8E5M2,
    [F8E4M3] = bc_f8E4M3,
    [F8E4M3FN] = bc_f8E4M3FN,
    [F8E5M2FNUZ] = bc_f8E5M2FNUZ,
    [F8E4M3FNUZ] = bc_f8E4M3FNUZ,
    [F8E4M3B11FNUZ] = bc_f8E4M3B11FNUZ,
    [F8E3M4] = bc_f8E3M4,
    [F4E2M1FN] = bc_f4E2M1FN,
    [F6E2M3FN] = bc_f6E2M3FN,
    [F6E3M2FN] = bc_f6E3M2FN,
    [F8E8M0FNU] = bc_f8E8M0FNU,
};

static int float_code(const tsr_type *t)
{
    switch ((tsr_float_kind)t->sub) {
    case TSR_BF16: return BF16;
    case TSR_F16: return F16;
    case TSR_F32: return F32;
    case TSR_F64: return F64;
    case TSR_F80: return F80;
    case TSR_F128: return F128;
    case TSR_TF32: return TF32;
    case TSR_F8E5M2: return F8E5M2;
    case TSR_F8E4M3: return F8E4M3;
    case TSR_F8E4M3FN: return F8E4M3FN;
    case TSR_F8E5M2FNUZ: return F8E5M2FNUZ;
    case TSR_F8E4M3FNUZ: return F8E4M3FNUZ;
    case TSR_F8E4M3B11FNUZ: return F8E4M3B11FNUZ;
    case TSR_F8E3M4: return F8E3M4;
    case TSR_F4E2M1FN: return F4E2M1FN;
    case TSR_F6E2M3FN: return F6E2M3FN;
    case TSR_F6E3M2FN: return F6E3M2FN;
    case TSR_F8E8M0FNU: return F8E8M0FNU;
    default: return -1;
    }
}

int tsr_bc_builtin_type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER: return INTEGER;
    case TSR_TYPE_FLOAT: return float_code(t);
    case TSR_TYPE_INDEX: return INDEX;
    case TSR_TYPE_NONE: return NONE;
    case TSR_TYPE_COMPLEX: return COMPLEX;
    case TSR_TYPE_VECTOR: return t->attr ? SCALABLE_VECTOR : VECTOR;
    case TSR_TYPE_TENSOR: return t->attr ? ENCODED_TENSOR : TENSOR;
    case TSR_TYPE_UNRANKED_TENSOR: return UNRANKED_TENSOR;
    case TSR_TYPE_MEMREF: return t->space ? SPACED_MEMREF : MEMREF;
    case TSR_TYPE_UNRANKED_MEMREF: return t->space ? SPACED_UNRANKED_MEMREF : UNRANKED_MEMREF;
    case TSR_TYPE_TUPLE: return TUPLE;
    case TSR_TYPE_FUNCTION: return FUNCTION;
    default: return -1;
    }
}
