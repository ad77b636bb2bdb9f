/* SPDX-License-Identifier: Apache-2.0 */
/* bytecode.c - the steps of encodings: numbers, lists, integers of any width, references of a known kind, dense data.
 *
 * Each works in both directions (bytecode.h). Counts are checked against the remaining bytes of the encoding before
 * memory is allocated for them, so that no file makes us allocate more than a small multiple of its size. */
#include "text/bytecode/bytecode.h"

#include <stdio.h>

bool tsr_bc_error(tsr_bc *b, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    b->host->error(b, text);
    return false;
}

bool tsr_bc_short(tsr_bc *b)
{
    return tsr_bc_error(b, "ends too early");
}

/* ---- Numbers ---- */

/* The number of trailing zero bits of the first byte says how many bytes follow it; eight if the byte is 0. */
bool tsr_bc_read_long(tsr_bc *b, uint64_t *v)
{
    uint8_t first = *b->p;
    unsigned more = 0;
    while (more < 8 && !(first >> more & 1))
        more++;
    if ((size_t)(b->end - b->p) <= more)
        return tsr_bc_short(b);
    uint64_t rest = 0;
    for (unsigned i = 0; i < more; i++)
        rest |= (uint64_t)b->p[1 + i] << (8 * i);
    b->p += 1 + more;
    *v = more == 8 ? rest : more == 7 ? rest : rest << (7 - more) | first >> (more + 1);
    return true;
}

void tsr_bc_put_long(tsr_buf *out, uint64_t v)
{
    unsigned more = 0;
    while (more < 8 && v >> (7 * (more + 1)))
        more++;
    uint8_t bytes[9] = {0};
    if (more < 8)
        v = v << (more + 1) | (uint64_t)1 << more;
    for (unsigned i = 0; i < (more == 8 ? 8 : more + 1); i++)
        bytes[i + (more == 8)] = (uint8_t)(v >> (8 * i));
    tsr_buf_str(out, (tsr_str){(const char *)bytes, more + 1});
}

bool tsr_bc_bool(tsr_bc *b, bool *v)
{
    uint8_t byte = tsr_bc_reading(b) ? 0 : *v;
    if (!tsr_bc_byte(b, &byte))
        return false;
    *v = byte != 0;
    return true;
}

bool tsr_bc_count(tsr_bc *b, size_t *n)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : *n;
    if (!tsr_bc_varint(b, &v))
        return false;
    if (tsr_bc_reading(b) && v > (size_t)(b->end - b->p))
        return tsr_bc_error(b, "has a list of %llu elements in %zu bytes", (unsigned long long)v,
                            (size_t)(b->end - b->p));
    *n = (size_t)v;
    return true;
}

bool tsr_bc_enum(tsr_bc *b, uint64_t *v, uint64_t limit)
{
    if (!tsr_bc_varint(b, v))
        return false;
    if (tsr_bc_reading(b) && *v >= limit)
        return tsr_bc_error(b, "has the number %llu where there are %llu", (unsigned long long)*v,
                            (unsigned long long)limit);
    return true;
}

bool tsr_bc_u32(tsr_bc *b, uint32_t *v)
{
    uint64_t wide = tsr_bc_reading(b) ? 0 : *v;
    if (!tsr_bc_varint(b, &wide))
        return false;
    if (wide > UINT32_MAX)
        return tsr_bc_error(b, "has a number that is too large: %llu", (unsigned long long)wide);
    *v = (uint32_t)wide;
    return true;
}

bool tsr_bc_blob(tsr_bc *b, tsr_str *data)
{
    uint64_t n = tsr_bc_reading(b) ? 0 : data->len;
    if (!tsr_bc_varint(b, &n))
        return false;
    if (b->mode == TSR_BC_WRITE) {
        tsr_buf_str(b->out, *data);
    } else if (tsr_bc_reading(b)) {
        if (n > (size_t)(b->end - b->p))
            return tsr_bc_error(b, "has %llu bytes of data where %zu are left",
                                (unsigned long long)n, (size_t)(b->end - b->p));
        *data = (tsr_str){(const char *)b->p, (size_t)n};
        b->p += n;
    }
    return true;
}

bool tsr_bc_string(tsr_bc *b, tsr_str *s)
{
    return b->host->string(b, s);
}

bool tsr_bc_svarints(tsr_bc *b, const int64_t **v, size_t *n)
{
    if (!tsr_bc_count(b, n))
        return false;
    int64_t *read = tsr_bc_reading(b) ? tsr_arena_alloc(b->scratch, *n * sizeof *read) : NULL;
    for (size_t i = 0; i < *n; i++) {
        int64_t x = read ? 0 : (*v)[i];
        if (!tsr_bc_svarint(b, &x))
            return false;
        if (read)
            read[i] = x;
    }
    if (tsr_bc_reading(b))
        *v = read;
    return true;
}

/* ---- Integers of a known width ---- */

bool tsr_bc_bits(tsr_bc *b, uint32_t width, uint64_t *v)
{
    uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0;
    if (width <= 8) {
        uint8_t byte = tsr_bc_reading(b) ? 0 : (uint8_t)(*v & mask);
        if (!tsr_bc_byte(b, &byte))
            return false;
        *v = byte & mask;
        return true;
    }
    /* The pattern is written, not sign-extended from its width. */
    int64_t x = tsr_bc_reading(b) ? 0 : (int64_t)(*v & mask);
    if (!tsr_bc_svarint(b, &x))
        return false;
    *v = (uint64_t)x & mask;
    return true;
}

static uint64_t word_of(const uint8_t *bytes, size_t nbyte, size_t i)
{
    uint64_t v = 0;
    for (size_t k = 0; k < 8 && i * 8 + k < nbyte; k++)
        v |= (uint64_t)bytes[i * 8 + k] << (8 * k);
    return v;
}

bool tsr_bc_apint(tsr_bc *b, uint32_t width, uint8_t *bytes)
{
    size_t nbyte = ((size_t)width + 7) / 8, nword = (nbyte + 7) / 8;
    if (width <= 64) {
        uint64_t v = tsr_bc_reading(b) ? 0 : word_of(bytes, nbyte, 0);
        if (!tsr_bc_bits(b, width, &v))
            return false;
        for (size_t i = 0; i < nbyte; i++)
            bytes[i] = (uint8_t)(v >> (8 * i));
        return true;
    }
    uint64_t n = nword;
    while (!tsr_bc_reading(b) && n > 1 && !word_of(bytes, nbyte, n - 1))
        n--;
    if (!tsr_bc_varint(b, &n))
        return false;
    if (n > nword)
        return tsr_bc_error(b, "has an integer of %llu words where %zu fit", (unsigned long long)n,
                            nword);
    for (uint64_t w = 0; w < nword; w++) {
        int64_t x = tsr_bc_reading(b) ? 0 : (int64_t)word_of(bytes, nbyte, w);
        if (w < n && !tsr_bc_svarint(b, &x))
            return false;
        for (size_t k = 0; tsr_bc_reading(b) && k < 8 && w * 8 + k < nbyte; k++)
            bytes[w * 8 + k] = (uint8_t)((uint64_t)x >> (8 * k));
    }
    if (tsr_bc_reading(b) && width % 8)
        bytes[nbyte - 1] &= (uint8_t)((1u << width % 8) - 1);
    return true;
}

bool tsr_bc_int_attr(tsr_bc *b, tsr_type *type, tsr_attr **attr)
{
    enum { MOST_BITS = 1 << 16 };
    if (type->kind != TSR_TYPE_INTEGER && type->kind != TSR_TYPE_INDEX)
        return tsr_bc_error(b, "has an integer whose type is no integer type");
    uint32_t width = type->kind == TSR_TYPE_INDEX ? 64 : type->width;
    if (width > MOST_BITS)
        return tsr_bc_error(b, "has an integer of %u bits; at most %d are supported", width,
                            MOST_BITS);
    if (width <= 64) {
        uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*attr)->i;
        if (!tsr_bc_bits(b, width, &v))
            return false;
        if (tsr_bc_reading(b))
            *attr = tsr_attr_int(b->ctx, type, (int64_t)v);
        return true;
    }
    size_t nbyte = ((size_t)width + 7) / 8;
    uint8_t *bytes = tsr_xmalloc(nbyte);
    if (!tsr_bc_reading(b))
        memcpy(bytes, (*attr)->s.data, nbyte);
    bool ok = tsr_bc_apint(b, width, bytes);
    if (ok && tsr_bc_reading(b))
        *attr = tsr_attr_wide_int(b->ctx, type, bytes);
    tsr_free(bytes);
    return ok;
}

/* f80 and f128 values keep 64 bits of their pattern, as in text. */
bool tsr_bc_float_attr(tsr_bc *b, tsr_type *type, tsr_attr **attr)
{
    if (type->kind != TSR_TYPE_FLOAT)
        return tsr_bc_error(b, "has a float whose type is no float type");
    uint8_t bytes[16] = {0};
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*attr)->i;
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(v >> (8 * i));
    if (!tsr_bc_apint(b, type->width, bytes))
        return false;
    if (tsr_bc_reading(b)) {
        if (type->width > 64)
            return tsr_bc_error(b, "has a float of %u bits; at most 64 are supported", type->width);
        *attr = tsr_attr_float_bits(b->ctx, type, word_of(bytes, 8, 0));
    }
    return true;
}

/* ---- References ---- */

bool tsr_bc_attr_kind(tsr_bc *b, tsr_attr_kind kind, tsr_attr **attr)
{
    static const char *const kinds[] = {
        [TSR_ATTR_STRING] = "a string",   [TSR_ATTR_SYMBOL] = "a symbol",
        [TSR_ATTR_LOC] = "a location",    [TSR_ATTR_DENSE] = "dense elements",
        [TSR_ATTR_DICT] = "a dictionary", [TSR_ATTR_DENSE_ARRAY] = "an array of numbers",
        [TSR_ATTR_INT] = "an integer",    [TSR_ATTR_ARRAY] = "an array",
        [TSR_ATTR_TYPE] = "a type",       [TSR_ATTR_DISTINCT] = NULL,
    };
    if (!tsr_bc_attr(b, attr))
        return false;
    if (tsr_bc_reading(b) && (*attr)->kind != kind)
        return tsr_bc_error(b, "has another attribute where %s belongs",
                            kinds[kind] ? kinds[kind] : "one of another kind");
    return true;
}

bool tsr_bc_attr_def(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    if (!tsr_bc_attr(b, attr))
        return false;
    if (tsr_bc_reading(b) && !tsr_attr_is_struct(*attr, def))
        return tsr_bc_error(b, "has another attribute where #%s belongs", def->name);
    return true;
}

bool tsr_bc_attrs(tsr_bc *b, tsr_attr *const **attrs, size_t *n)
{
    if (!tsr_bc_count(b, n))
        return false;
    tsr_attr **read = tsr_bc_reading(b) ? tsr_arena_alloc(b->scratch, *n * sizeof *read) : NULL;
    for (size_t i = 0; i < *n; i++) {
        tsr_attr *a = read ? NULL : (*attrs)[i];
        if (!tsr_bc_attr(b, &a))
            return false;
        if (read)
            read[i] = a;
    }
    if (tsr_bc_reading(b))
        *attrs = read;
    return true;
}

bool tsr_bc_types(tsr_bc *b, tsr_type *const **types, size_t *n)
{
    if (!tsr_bc_count(b, n))
        return false;
    tsr_type **read = tsr_bc_reading(b) ? tsr_arena_alloc(b->scratch, *n * sizeof *read) : NULL;
    for (size_t i = 0; i < *n; i++) {
        tsr_type *t = read ? NULL : (*types)[i];
        if (!tsr_bc_type(b, &t))
            return false;
        if (read)
            read[i] = t;
    }
    if (tsr_bc_reading(b))
        *types = read;
    return true;
}

bool tsr_bc_i64s(tsr_bc *b, tsr_attr **attr)
{
    const int64_t *v = NULL;
    size_t n = 0;
    int64_t *copy = NULL;
    if (!tsr_bc_reading(b)) {
        n = (size_t)tsr_attr_count(*attr);
        copy = tsr_xmalloc((n + 1) * sizeof *copy);
        for (size_t i = 0; i < n; i++)
            copy[i] = tsr_attr_int_at(*attr, i);
        v = copy;
    }
    bool ok = tsr_bc_svarints(b, &v, &n);
    if (ok && tsr_bc_reading(b))
        *attr = tsr_attr_i64_array(b->ctx, v, n);
    tsr_free(copy);
    return ok;
}

bool tsr_bc_string_attr(tsr_bc *b, tsr_attr **attr)
{
    tsr_str s = tsr_bc_reading(b) ? (tsr_str){0} : (*attr)->s;
    if (!tsr_bc_string(b, &s))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_string(b->ctx, s);
    return true;
}

/* ---- Dense data ---- */

/* One byte for each boolean, from bits or from bytes with any value. */
static tsr_attr *read_bools(tsr_bc *b, tsr_type *type, tsr_str data, int64_t n)
{
    int64_t packed = n / 8 + (n % 8 != 0);
    uint8_t one = 1;
    if (data.len == 1 && (uint8_t)data.data[0] == 0xFF)
        return tsr_attr_dense(b->ctx, b->module, type, &one, 1, true);
    if ((int64_t)data.len == packed && (int64_t)data.len != n) {
        /* Nine elements and more; a splat of false is one byte and is recognised by its length. */
        uint8_t *bytes = tsr_xmalloc((size_t)n + 1);
        for (int64_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)data.data[i / 8] >> (i % 8) & 1;
        tsr_attr *a = tsr_attr_dense(b->ctx, b->module, type, bytes, (size_t)n, false);
        tsr_free(bytes);
        return a;
    }
    if (data.len != 1 && (int64_t)data.len != n) {
        tsr_bc_error(b, "has %zu bytes for %lld booleans", data.len, (long long)n);
        return NULL;
    }
    uint8_t *bytes = tsr_xmalloc(data.len + 1);
    for (size_t i = 0; i < data.len; i++)
        bytes[i] = data.data[i] != 0;
    tsr_attr *a = tsr_attr_dense(b->ctx, b->module, type, bytes, data.len, data.len == 1);
    tsr_free(bytes);
    return a;
}

/* Elements that do not fill their bytes: bits above the element, such as sign bits, are ignored. */
static tsr_attr *read_odd(tsr_bc *b, tsr_type *type, tsr_str data, size_t part, uint32_t width,
                          bool splat)
{
    uint8_t *bytes = tsr_xmalloc(data.len + 1);
    memcpy(bytes, data.data, data.len);
    for (size_t i = part - 1; i < data.len; i += part)
        bytes[i] &= (uint8_t)((1u << width % 8) - 1);
    tsr_attr *a = tsr_attr_dense(b->ctx, b->module, type, bytes, data.len, splat);
    tsr_free(bytes);
    return a;
}

tsr_attr *tsr_bc_read_dense(tsr_bc *b, tsr_type *type, tsr_str data)
{
    const tsr_type *elem = type->elem;
    int64_t n = tsr_type_num_elements(type);
    if ((type->kind != TSR_TYPE_TENSOR && type->kind != TSR_TYPE_VECTOR &&
         type->kind != TSR_TYPE_MEMREF) ||
        n < 0) {
        tsr_bc_error(b, "has elements whose type has no static shape");
        return NULL;
    }
    size_t size = tsr_type_storage_bits(elem) / 8;
    const tsr_type *part = elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem;
    if (!size || (elem->kind != TSR_TYPE_INTEGER && part->width > 64)) {
        tsr_bc_error(b, "has dense elements of a type that has none");
        return NULL;
    }
    if (tsr_type_is_integer(elem, 1))
        return read_bools(b, type, data, n);
    bool splat = data.len == size;
    if (!splat && (data.len % size || (int64_t)(data.len / size) != n)) {
        tsr_bc_error(b, "has %zu bytes for %lld elements of %zu bytes", data.len, (long long)n,
                     size);
        return NULL;
    }
    size_t align = elem->kind == TSR_TYPE_COMPLEX ? size / 2 : size;
    if (part->width % 8 && data.len)
        return read_odd(b, type, data, align, part->width, splat);
    if (b->borrow && (uintptr_t)data.data % align == 0)
        return tsr_attr_dense_borrowed(b->ctx, b->module, type, data.data, data.len, splat);
    return tsr_attr_dense(b->ctx, b->module, type, data.data, data.len, splat);
}

void tsr_bc_write_dense(tsr_bc *b, const tsr_attr *a)
{
    tsr_str data = a->s;
    if (!tsr_type_is_integer(a->type->elem, 1)) {
        tsr_bc_blob(b, &data);
        return;
    }
    if (a->sub) {
        char one = a->s.len && a->s.data[0] ? '\xFF' : 0;
        data = (tsr_str){&one, 1};
        tsr_bc_blob(b, &data);
        return;
    }
    size_t n = a->s.len;
    char *bits = tsr_xmalloc(n / 8 + 1);
    memset(bits, 0, n / 8 + 1);
    for (size_t i = 0; i < n; i++)
        bits[i / 8] = (char)(bits[i / 8] | (a->s.data[i] != 0) << (i % 8));
    data = (tsr_str){bits, n / 8 + (n % 8 != 0)};
    tsr_bc_blob(b, &data);
    tsr_free(bits);
}
