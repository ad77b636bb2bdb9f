/* SPDX-License-Identifier: Apache-2.0 */
/* ffi_attrs.c - attributes of a custom call as FFI handlers see them: scalars, arrays, strings, and dictionaries of
 * these. */
#include <string.h>

#include "ir/ir.h"
#include "pjrt/ffi_call.h"

static const char no_memory[] = "no memory for the attributes of an FFI call";
static const char bad_kind[] =
    "an attribute of the FFI call is no number, text, array or dictionary";

void *pj_ffi_new(pj_ffi_block **memory, size_t n, size_t size)
{
    enum { HEAD = 64 };
    if (size && n > (SIZE_MAX / 2) / size)
        return NULL;
    char *p = tsr_malloc_aligned(HEAD + n * size);
    if (!p)
        return NULL;
    memset(p, 0, HEAD + n * size);
    pj_ffi_block *b = (pj_ffi_block *)p;
    b->next = *memory;
    *memory = b;
    return p + HEAD;
}

void pj_ffi_free(pj_ffi_block *memory)
{
    while (memory) {
        pj_ffi_block *next = memory->next;
        tsr_free(memory);
        memory = next;
    }
}

static const char *scalar(pj_ffi_block **memory, const tsr_attr *a, void **out)
{
    pj_buffer_type t = pj_type_of(a->type);
    ffi_scalar *s = pj_ffi_new(memory, 1, sizeof *s);
    int64_t *value = pj_ffi_new(memory, 1, sizeof *value);
    if (!s || !value || t == PJ_UNKNOWN_TYPE)
        return no_memory;
    if (!pj_type_ffi(t) || pj_type_bytes(t) > sizeof *value)
        return "an attribute of the FFI call has a type that handlers do not have";
    *value = a->kind == TSR_ATTR_INT && t == PJ_PRED
                 ? a->i & 1
                 : a->i; /* little endian: the low bytes come first */
    *s = (ffi_scalar){pj_type_ffi(t), value};
    *out = s;
    return NULL;
}

/* Elements of one size, one after the other; a splat is repeated. */
static const char *array(pj_ffi_block **memory, const tsr_attr *a, void **out)
{
    bool dense = a->kind == TSR_ATTR_DENSE;
    const tsr_type *elem = dense ? a->type->elem : a->type;
    pj_buffer_type t = pj_type_of(elem);
    size_t size = pj_type_bytes(t), n = dense ? 1 : a->s.len / size;
    for (uint32_t d = 0; dense && d < a->type->n; d++)
        n *= (size_t)a->type->dims[d];
    bool splat = dense && a->sub;
    if (t == PJ_UNKNOWN_TYPE)
        return no_memory;
    if (!pj_type_ffi(t) || pj_type_bits(t) % 8 || (splat ? size : n * size) != a->s.len)
        return "an array of the FFI call has a type that handlers do not have";
    ffi_array *s = pj_ffi_new(memory, 1, sizeof *s);
    char *data = pj_ffi_new(memory, n + 1, size);
    if (!s || !data)
        return no_memory;
    for (size_t i = 0; i < n; i++)
        memcpy(data + i * size, a->s.data + (splat ? 0 : i * size), size);
    *s = (ffi_array){pj_type_ffi(t), n, data};
    *out = s;
    return NULL;
}

static const char *text(pj_ffi_block **memory, const tsr_attr *a, void **out)
{
    ffi_span *s = pj_ffi_new(memory, 1, sizeof *s);
    if (!s)
        return no_memory;
    *s = (ffi_span){a->s.data, a->s.len};
    *out = s;
    return NULL;
}

static const char *dictionary(pj_ffi_block **memory, const tsr_attr *a, void **out)
{
    ffi_attrs *s = pj_ffi_new(memory, 1, sizeof *s);
    *out = s;
    return s ? pj_ffi_attrs(memory, a, s) : no_memory;
}

static const char *convert(pj_ffi_block **memory, const tsr_attr *a, ffi_attr_type *type,
                           void **out)
{
    static const struct {
        tsr_attr_kind kind;
        ffi_attr_type type;
        const char *(*fn)(pj_ffi_block **memory, const tsr_attr *a, void **out);
    } kinds[] = {
        {TSR_ATTR_INT, FFI_SCALAR, scalar},       {TSR_ATTR_FLOAT, FFI_SCALAR, scalar},
        {TSR_ATTR_STRING, FFI_STRING, text},      {TSR_ATTR_DENSE, FFI_ARRAY, array},
        {TSR_ATTR_DENSE_ARRAY, FFI_ARRAY, array}, {TSR_ATTR_DICT, FFI_DICTIONARY, dictionary},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (a->kind == kinds[i].kind) {
            *type = kinds[i].type;
            return kinds[i].fn(memory, a, out);
        }
    return bad_kind;
}

const char *pj_ffi_attrs(pj_ffi_block **memory, const tsr_attr *dict, ffi_attrs *out)
{
    size_t n = dict && dict->kind == TSR_ATTR_DICT ? dict->n : 0;
    *out = (ffi_attrs){.struct_size = sizeof *out,
                       .size = (int64_t)n,
                       .types = pj_ffi_new(memory, n + 1, sizeof *out->types),
                       .names = pj_ffi_new(memory, n + 1, sizeof *out->names),
                       .values = pj_ffi_new(memory, n + 1, sizeof *out->values)};
    ffi_span *names = pj_ffi_new(memory, n + 1, sizeof *names);
    if (!out->types || !out->names || !out->values || !names)
        return no_memory;
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < n; i++) {
        tsr_str name = dict->named[i].name->str;
        names[i] = (ffi_span){name.data, name.len};
        out->names[i] = &names[i];
        wrong = convert(memory, dict->named[i].value, &out->types[i], &out->values[i]);
    }
    return wrong;
}
