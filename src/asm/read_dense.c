/* SPDX-License-Identifier: Apache-2.0 */
/* read_dense.c - dense<...>, array<...> and sparse<...>.
 *
 * The type comes after the elements, so the end of the literal is found first, then the type is read, and then the
 * elements are converted from their characters directly into the data, without tokens in between. */
#include <math.h>
#include <stdlib.h>

#include "base/char.h"
#include "asm/reader.h"
#include "base/float.h"

enum { MAX_RANK = 64 };

typedef struct {
    tsr_reader *r;
    const char *start;     /* of the attribute, for messages about all of it */
    const char *p;         /* next character */
    tsr_type *type, *elem; /* elem: of complex: its part */
    bool complex, array;   /* array: of array<...>, whose messages differ */
    uint32_t bytes;        /* of one part */
    int64_t want;          /* elements of the type */
    int64_t n;             /* read so far */
    uint8_t *data;         /* room for want elements, at least one */
    tsr_attr_vec strings;  /* elements of string literals */
    bool is_string;
    int64_t dims[MAX_RANK]; /* the literal's shape; -1: not known yet */
    int rank;               /* of the literal: depth of its first element */
} dense;

static bool fail(dense *d, const char *at, const char *fmt, ...) TSR_PRINTF(3, 4);
static bool fail(dense *d, const char *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_vemit(d->r->ctx, TSR_ERROR, tsr_read_loc_at(d->r, at), fmt, args);
    va_end(args);
    return false;
}

static void skip_space(dense *d)
{
    for (;;) {
        while (*d->p == ' ' || *d->p == '\n' || *d->p == '\t' || *d->p == '\r')
            d->p++;
        if (d->p[0] != '/' || d->p[1] != '/')
            return;
        while (*d->p && *d->p != '\n')
            d->p++;
    }
}

/* The '>' that ends a literal beginning at p: only strings can contain another one. NULL, with an error where it is
 * missing, if a character comes first that no literal has. */
static const char *literal_end(tsr_reader *r, const char *p)
{
    for (; p < r->end; p++) {
        switch (*p) {
        case '>': return p;
        case '/':
            if (p[1] != '/')
                goto missing;
            while (p < r->end && *p != '\n')
                p++;
            break;
        case '"':
            for (p++; p < r->end && *p != '"'; p++)
                if (*p == '\\')
                    p++;
            break;
        case '{':
        case '}':
        case ':':
        case '=': goto missing;
        }
    }
    p = r->end;
missing:
    tsr_read_jump(r, p);
    tsr_read_wrong(r, "expected '>'");
    return NULL;
}

static void store(uint8_t *out, uint64_t v, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++, v >>= 8)
        out[i] = (uint8_t)v;
}

/* ---- One element ---- */

static bool out_of_range(dense *d, const char *at)
{
    return fail(d, at,
                d->array ? "integer constant out of range"
                         : "integer constant out of range for type");
}

static bool put_int(dense *d, const char *at, bool negative, tsr_str s, uint8_t *out)
{
    uint32_t width = d->elem->kind == TSR_TYPE_INDEX ? 64 : d->elem->width;
    uint64_t v;
    if (width <= 63 && s.len < 18 && !(s.len > 2 && s.data[1] == 'x')) {
        v = 0;
        for (size_t i = 0; i < s.len; i++)
            v = v * 10 + (uint64_t)(s.data[i] - '0');
        uint64_t limit = (uint64_t)1 << width, half = limit >> 1;
        bool ok = negative ? v && v <= half : d->elem->sub == TSR_SIGNED ? v < half : v < limit;
        if (!ok && v)
            return out_of_range(d, at);
        store(out, (negative ? 0 - v : v) & (limit - 1), d->bytes);
        return true;
    }
    tsr_attr *a = tsr_int_from_spelling(d->r->ctx, d->elem, negative, s);
    if (!a)
        return out_of_range(d, at);
    if (width > 64)
        memcpy(out, a->s.data, d->bytes);
    else
        store(out, width == 64 ? (uint64_t)a->i : (uint64_t)a->i & (((uint64_t)1 << width) - 1),
              d->bytes);
    return true;
}

static bool put_float(dense *d, const char *at, bool negative, tsr_str s, bool is_float,
                      uint8_t *out)
{
    uint64_t bits;
    if (d->elem->width > 64)
        return fail(d, at, "elements of this type are not supported");
    if (is_float) {
        double v = tsr_tok_double(s.data, s.len);
        bits = tsr_float_from_double((tsr_float_kind)d->elem->sub, negative ? -v : v);
    } else {
        if (s.len < 3 || s.data[1] != 'x') {
            fail(d, at, "unexpected decimal integer literal for a floating point value");
            tsr_note(d->r->ctx, tsr_read_loc_at(d->r, at),
                     "add a trailing dot to make the literal a float");
            return false;
        }
        if (negative)
            return fail(d, at, "hexadecimal float literal should not have a leading minus");
        if (!tsr_tok_uint(s, &bits) || (d->elem->width < 64 && bits >> d->elem->width))
            return fail(d, at, "hexadecimal float constant out of range for type");
    }
    store(out, bits, d->bytes);
    return true;
}

/* Goes behind digits, 0x and hex digits, or a float; the first one is a digit. Whether it is a float. */
static bool skip_number(dense *d)
{
    const char *p = d->p;
    bool is_float = false;
    if (p[0] == '0' && p[1] == 'x') {
        for (p += 2; tsr_is_hex(*p); p++)
            ;
        d->p = p;
        return false;
    }
    while (tsr_is_digit(*p))
        p++;
    if (*p == '.') {
        is_float = true;
        for (p++; tsr_is_digit(*p); p++)
            ;
        if ((*p == 'e' || *p == 'E') &&
            (tsr_is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && tsr_is_digit(p[2]))))
            for (p += 2; tsr_is_digit(*p); p++)
                ;
    }
    d->p = p;
    return is_float;
}

/* number ::= '-'? (digits | 0x hex | float) | true | false */
static bool read_part(dense *d, uint8_t *out)
{
    skip_space(d);
    const char *at = d->p;
    bool is_bool = tsr_type_is_integer(d->elem, 1);
    if (strncmp(d->p, "true", 4) == 0 || strncmp(d->p, "false", 5) == 0) {
        bool truth = *d->p == 't';
        d->p += truth ? 4 : 5;
        if (!is_bool)
            return fail(d, at,
                        d->elem->kind == TSR_TYPE_FLOAT
                            ? "expected integer or floating point literal"
                            : "expected i1 type for 'true' or 'false' values");
        store(out, truth, 1);
        return true;
    }
    bool negative = *d->p == '-';
    d->p += negative;
    const char *start = d->p;
    if (!tsr_is_digit(*start))
        return fail(d, at,
                    !d->array                         ? "expected element literal of primitive type"
                    : d->elem->kind == TSR_TYPE_FLOAT ? "expected integer or floating point literal"
                                                      : "expected integer literal");
    at = start;
    bool is_float = skip_number(d);
    tsr_str s = {start, (size_t)(d->p - start)};
    if (d->elem->kind == TSR_TYPE_FLOAT)
        return put_float(d, at, negative, s, is_float, out);
    if (is_float)
        return fail(d, at,
                    d->array ? "expected integer literal"
                             : "expected integer elements, but parsed floating-point");
    if (is_bool && d->array)
        return fail(d, at, "expected 'true' or 'false' values for i1 type");
    if (negative && !d->array && d->elem->sub == TSR_UNSIGNED && d->elem->kind == TSR_TYPE_INTEGER)
        return fail(d, at, "expected unsigned integer elements, but parsed negative value");
    return put_int(d, at, negative, s, out);
}

static bool read_string_element(dense *d)
{
    tsr_read_mark here = tsr_read_save(d->r);
    tsr_str s;
    d->r->p = d->p;
    tsr_read_next(d->r);
    TSR_TRY(tsr_read_is(d->r, TOK_STRING) && tsr_read_unescape(d->r, &s));
    tsr_vec_push(&d->strings, tsr_attr_string(d->r->ctx, s));
    d->p = d->r->tok.start + d->r->tok.len;
    tsr_read_restore(d->r, here);
    return true;
}

static bool read_element(dense *d)
{
    skip_space(d);
    if (*d->p == '"') {
        if (!d->is_string)
            return fail(d, d->p, "expected element literal of primitive type");
        d->n++;
        return read_string_element(d);
    }
    if (d->is_string)
        return fail(d, d->p, "expected string element literal");
    /* A literal with more elements than its type is rejected at the end; surplus elements are skipped. */
    uint8_t spare[2048];
    uint32_t size = d->complex ? 2 * d->bytes : d->bytes;
    if (size > sizeof spare)
        return fail(d, d->p, "elements of this type are not supported");
    uint8_t *out = d->n < d->want || d->n == 0 ? d->data + (size_t)d->n * size : spare;
    d->n++;
    if (!d->complex)
        return read_part(d, out);
    if (*d->p != '(')
        return fail(d, d->p, "expected '(' between real and imaginary parts of a complex element");
    d->p++;
    TSR_TRY(read_part(d, out));
    skip_space(d);
    if (*d->p != ',')
        return fail(d, d->p, "expected ',' between complex elements");
    d->p++;
    TSR_TRY(read_part(d, out + d->bytes));
    skip_space(d);
    if (*d->p != ')')
        return fail(d, d->p, "expected ')' after complex elements");
    d->p++;
    return true;
}

/* Skips white space before the next character, to report where something is missing. */
static const char *before(const dense *d)
{
    const char *p = d->p;
    while (p[-1] == ' ' || p[-1] == '\t')
        p--;
    return p;
}

/* list ::= element | '[' (list (',' list)*)? ']'; checks that all lists of one depth have one length. */
static bool read_list(dense *d, int depth)
{
    skip_space(d);
    if (*d->p != '[') {
        if (d->rank < 0)
            d->rank = depth;
        if (depth != d->rank)
            return fail(d, d->p,
                        "tensor literal is invalid; ranks are not consistent between elements");
        return read_element(d);
    }
    if (depth == MAX_RANK)
        return fail(d, d->p, "nested too deeply (more than %d levels)", MAX_RANK);
    const char *at = d->p++;
    int64_t count = 0;
    skip_space(d);
    if (*d->p == ']') {
        if (d->rank < 0)
            d->rank = depth + 1;
        if (depth + 1 != d->rank)
            return fail(d, at,
                        "tensor literal is invalid; ranks are not consistent between elements");
    } else {
        for (;; d->p++) {
            TSR_TRY(read_list(d, depth + 1));
            count++;
            skip_space(d);
            if (*d->p != ',')
                break;
        }
    }
    if (*d->p != ']')
        return fail(d, before(d), "expected ']'");
    d->p++;
    if (d->dims[depth] < 0)
        d->dims[depth] = count;
    if (d->dims[depth] != count)
        return fail(d, at, "tensor literal is invalid; ranks are not consistent between elements");
    return true;
}

/* ---- Whole literals ---- */

static void print_shape(tsr_buf *b, const int64_t *dims, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            tsr_buf_cstr(b, ", ");
        tsr_buf_int(b, dims[i]);
    }
}

static bool check_shape(dense *d, const char *at)
{
    if (d->rank == 0)
        return true; /* a splat */
    bool same = (uint32_t)d->rank == d->type->n;
    for (int i = 0; same && i < d->rank; i++)
        same = d->dims[i] == d->type->dims[i];
    if (same)
        return true;
    tsr_buf b = {0};
    tsr_buf_cstr(&b, "inferred shape of elements literal ([");
    print_shape(&b, d->dims, (size_t)d->rank);
    tsr_buf_cstr(&b, "]) does not match type ([");
    print_shape(&b, d->type->dims, d->type->n);
    tsr_buf_cstr(&b, "])");
    fail(d, at, "%.*s", (int)b.len, b.data);
    tsr_buf_free(&b);
    return false;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* Elements of fewer than eight bits have zeros above their bits. */
static void mask_elements(dense *d, size_t n)
{
    if (d->elem->width >= 8 || d->elem->kind == TSR_TYPE_INDEX)
        return;
    for (size_t i = 0; i < n; i++)
        d->data[i] &= (uint8_t)((1u << d->elem->width) - 1);
}

/* "0x...": raw little-endian data of all elements, or of one for a splat. Older files pack i1, eight to the byte. */
static bool read_hex(dense *d, bool *splat)
{
    const char *at = d->p;
    const char *start = at + 3, *end = start;
    if (at[1] != '0' || at[2] != 'x')
        return fail(d, at, "expected string containing hex digits starting with `0x`");
    for (; hex(*end) >= 0; end++)
        ;
    size_t n = (size_t)(end - start) / 2;
    if (*end != '"' || (end - start) % 2)
        return fail(d, at, "expected string containing hex digits starting with `0x`");
    d->p = end + 1;
    size_t size = (size_t)d->bytes * (d->complex ? 2 : 1), all = (size_t)d->want * size;
    bool packed = tsr_type_is_integer(d->elem, 1);
    size_t packed_bytes = ((size_t)d->want + 7) / 8;
    *splat = false;
    if (packed && n == packed_bytes && n > size && n != all) {
        for (size_t i = 0; i < (size_t)d->want; i++) {
            size_t byte = i / 8;
            int v = hex(start[2 * byte]) << 4 | hex(start[2 * byte + 1]);
            d->data[i] = v >> (i % 8) & 1;
        }
        return true;
    }
    if (n != all && n != size) {
        tsr_buf b = {0};
        d->r->ctx->print_type(&b, d->type);
        fail(d, d->start, "elements hex data size is invalid for provided type: '%.*s'", (int)b.len,
             b.data);
        tsr_buf_free(&b);
        return false;
    }
    *splat = n == size && n != all;
    for (size_t i = 0; i < n; i++)
        d->data[i] = (uint8_t)(hex(start[2 * i]) << 4 | hex(start[2 * i + 1]));
    for (size_t i = 0; packed && i < n; i++)
        d->data[i] = d->data[i] != 0;
    mask_elements(d, n);
    return true;
}

static bool start_dense(dense *d, tsr_reader *r, tsr_type *type, const char *literal,
                        const char *start)
{
    tsr_loc loc = tsr_read_loc_at(r, start);
    *d = (dense){.r = r, .p = literal, .type = type, .rank = -1, .start = start};
    if (!tsr_type_is_shaped(type))
        return tsr_error(r->ctx, loc, "elements literal must be a shaped type");
    if (!tsr_type_has_static_shape(type))
        return tsr_error(r->ctx, loc, "elements literal type must have static shape");
    d->want = tsr_type_num_elements(type);
    d->elem = type->elem;
    d->complex = d->elem->kind == TSR_TYPE_COMPLEX;
    if (d->complex)
        d->elem = d->elem->elem;
    d->bytes = tsr_type_storage_bits(d->elem) / 8;
    d->is_string = d->elem->kind != TSR_TYPE_INTEGER && d->elem->kind != TSR_TYPE_FLOAT &&
                   d->elem->kind != TSR_TYPE_INDEX;
    if (!d->is_string && !d->bytes)
        return tsr_error(r->ctx, loc, "elements of this type are not supported");
    for (int i = 0; i < MAX_RANK; i++)
        d->dims[i] = -1;
    return true;
}

/* Allocates the data. A splat needs one element; other literals have at least two characters per element, so the text
 * bounds the allocation. */
static bool make_room(dense *d, const char *literal, const char *end)
{
    size_t size = (size_t)d->bytes * (d->complex ? 2 : 1), chars = (size_t)(end - literal);
    int64_t most = (int64_t)chars * 8 + 1;
    if (d->want < 0)
        return fail(d, literal, "elements literal type has too many elements");
    if (d->want > most)
        d->want = -1; /* the text is too short for all elements: only a splat fits */
    size_t room = d->want > 1 ? (size_t)d->want : 1;
    d->data = tsr_xmalloc(room * (size ? size : 1));
    return true;
}

static bool no_elements(dense *d)
{
    tsr_buf b = {0};
    d->r->ctx->print_type(&b, d->type);
    fail(d, d->start, "parsed zero elements, but type ('%.*s') expected at least 1", (int)b.len,
         b.data);
    tsr_buf_free(&b);
    return false;
}

/* (list | hex-string)? as far as end; splat: one element stands for all. */
static bool read_literal(dense *d, const char *end, bool *splat)
{
    skip_space(d);
    if (d->p == end) {
        d->rank = -1;
        d->n = 0;
        TSR_TRY(tsr_type_num_elements(d->type) == 0 || no_elements(d));
    } else if (*d->p == '"' && !d->is_string) {
        TSR_TRY(read_hex(d, splat));
        d->rank = *splat ? 0 : 1;
    } else {
        TSR_TRY(read_list(d, 0) && check_shape(d, d->start));
        *splat = d->rank == 0;
    }
    skip_space(d);
    return d->p == end || fail(d, before(d), "expected '>'");
}

/* dense ::= 'dense' '<' (list | hex-string)? '>' ':' type; the word was taken. */
tsr_attr *tsr_read_dense(tsr_reader *r, tsr_type *type, const char *start)
{
    if (!tsr_read_is(r, '<')) {
        tsr_read_wrong(r, "expected '<' after 'dense'");
        return NULL;
    }
    const char *literal = r->p, *end = literal_end(r, literal);
    if (!end)
        return NULL;
    tsr_read_jump(r, end + 1);
    if (!type && (!tsr_read_expect(r, ':', "expected ':'") || !(type = tsr_read_type(r))))
        return NULL;
    tsr_read_mark after = tsr_read_save(r);
    dense d;
    tsr_attr *result = NULL;
    if (!start_dense(&d, r, type, literal, start) || !make_room(&d, literal, end))
        return NULL;
    int64_t want = tsr_type_num_elements(type);
    bool splat = false, ok = read_literal(&d, end, &splat);
    if (ok && d.is_string)
        result = tsr_attr_dense_string(r->ctx, type, d.strings.data, d.strings.n);
    else if (ok) {
        size_t size = (size_t)d.bytes * (d.complex ? 2 : 1);
        bool one = splat || want == 1;
        result =
            tsr_attr_dense(r->ctx, r->module, type, d.data,
                           d.p == end && d.rank < 0 ? 0 : (one ? size : (size_t)want * size), one);
    }
    tsr_free(d.data);
    tsr_vec_free(&d.strings);
    if (ok)
        tsr_read_restore(r, after);
    return result;
}

static bool array_element_ok(tsr_reader *r, tsr_type *elem, tsr_loc loc)
{
    if (elem->kind != TSR_TYPE_INTEGER && elem->kind != TSR_TYPE_FLOAT) {
        tsr_buf b = {0};
        r->ctx->print_type(&b, elem);
        tsr_error(r->ctx, loc, "expected integer or float type, got: '%.*s'", (int)b.len, b.data);
        tsr_buf_free(&b);
        return false;
    }
    if (elem->width != 1 && (elem->width % 8 || !elem->width))
        return tsr_error(r->ctx, loc, "element type bitwidth must be a multiple of 8");
    return elem->width <= 64 ||
           tsr_error(r->ctx, loc, "element types of more than 64 bits are not supported in arrays");
}

/* array ::= 'array' '<' type (':' element (',' element)*)? '>'; the word was consumed. */
tsr_attr *tsr_read_dense_array(tsr_reader *r)
{
    if (!tsr_read_expect(r, '<', "expected '<' after 'array'"))
        return NULL;
    tsr_loc loc = tsr_read_loc(r);
    tsr_type *elem = tsr_read_type(r);
    if (!elem)
        return NULL;
    if (!array_element_ok(r, elem, loc))
        return NULL;
    tsr_buf data = {0};
    tsr_attr *result = NULL;
    size_t n = 0;
    dense d = {.r = r, .elem = elem, .array = true, .bytes = tsr_type_storage_bits(elem) / 8};
    if (tsr_read_is(r, ':')) {
        d.p = r->p;
        for (;; n++, d.p++) {
            tsr_buf_reserve(&data, 8);
            if (!read_part(&d, (uint8_t *)data.data + data.len))
                goto out;
            data.len += d.bytes;
            skip_space(&d);
            if (*d.p != ',') {
                n++;
                break;
            }
        }
        tsr_read_jump(r, d.p);
    } else if (!tsr_read_is(r, '>')) {
        tsr_read_wrong(r, "expected ':' after dense array type");
        goto out;
    }
    if (tsr_read_expect(r, '>', "expected '>' to close an array attribute"))
        result = tsr_attr_dense_array(r->ctx, elem, data.data, n);
out:
    tsr_buf_free(&data);
    return result;
}

/* sparse ::= 'sparse' '<' (dense-literal ',' dense-literal)? '>' ':' type; the word was consumed. The types of the two
 * literals follow from the third: indices tensor<n x rank x i64>, values tensor<n x elem>. */
static bool count_literal(dense *d, tsr_reader *r, tsr_type *elem, tsr_type **type)
{
    tsr_ctx *ctx = r->ctx;
    int64_t dims[MAX_RANK];
    int rank = d->rank < 0 ? 0 : d->rank;
    for (int i = 0; i < rank; i++)
        dims[i] = d->dims[i];
    *type = tsr_type_tensor(ctx, dims, (size_t)rank, elem, NULL);
    return true;
}

/* count: number of values, if they may be written as a hex blob; 0: they may not. */
static tsr_attr *read_sparse_part(tsr_reader *r, const char **p, tsr_type *elem, size_t room,
                                  int64_t count)
{
    tsr_type *type = NULL;
    dense d = {.r = r, .p = *p, .elem = elem, .rank = -1, .want = (int64_t)room};
    d.complex = elem->kind == TSR_TYPE_COMPLEX;
    if (d.complex)
        d.elem = elem->elem;
    d.bytes = tsr_type_storage_bits(d.elem) / 8;
    tsr_attr *result = NULL;
    if (!d.bytes)
        return fail(&d, d.p, "expected integer or float elements"), NULL;
    size_t size = (size_t)d.bytes * (d.complex ? 2 : 1);
    for (int i = 0; i < MAX_RANK; i++)
        d.dims[i] = -1;
    d.data = tsr_xmalloc((room + 1) * size);
    skip_space(&d);
    if (*d.p == '"' && count) {
        bool splat;
        d.type = type = tsr_type_tensor(r->ctx, &count, 1, elem, NULL);
        d.start = d.p;
        d.want = count;
        if ((size_t)count <= room && read_hex(&d, &splat))
            result = tsr_attr_dense(r->ctx, r->module, type, d.data,
                                    (splat ? 1 : (size_t)count) * size, splat);
    } else if (read_list(&d, 0) && count_literal(&d, r, elem, &type)) {
        result = tsr_attr_dense(r->ctx, r->module, type, d.data, (size_t)d.n * size, d.rank == 0);
    }
    tsr_free(d.data);
    skip_space(&d);
    *p = d.p;
    return result;
}

/* The indices are one coordinate list per value, each inside the type's shape. A single number applies to all
 * coordinates. */
static bool sparse_fits(tsr_reader *r, const char *at, tsr_type *type, const tsr_attr *indices,
                        const tsr_attr *values)
{
    const tsr_type *it = indices->type, *vt = values->type;
    bool list = it->n == 2;
    int64_t n = it->n ? it->dims[0] : 1, rank = list ? it->dims[1] : 1;
    bool ok = (it->n == 0 || (list && rank == type->n) ||
               (it->n == 1 && (n == 0 || (type->n == 1 && n == 1)))) &&
              (vt->n == 0 || (vt->n == 1 && vt->dims[0] == n));
    tsr_buf b = {0};
    if (!ok) {
        tsr_buf_cstr(&b, "expected shape ([");
        print_shape(&b, type->dims, type->n);
        tsr_buf_cstr(&b, "]); inferred shape of indices literal ([");
        int64_t one[2] = {1, type->n};
        print_shape(&b, it->n ? it->dims : one, it->n ? it->n : 2);
        tsr_buf_cstr(&b, "]); inferred shape of values literal ([");
        print_shape(&b, vt->dims, vt->n);
        tsr_buf_cstr(&b, "])");
    }
    for (int64_t i = 0; ok && i < n; i++) {
        for (uint32_t k = 0; k < type->n; k++) {
            int64_t at_k = tsr_attr_int_at(indices, it->n ? (size_t)(i * rank + k) : 0);
            ok = ok && at_k >= 0 && at_k < type->dims[k];
        }
        if (ok)
            continue;
        tsr_buf_printf(&b,
                       "sparse index #%lld is not contained within the value shape, with index=[",
                       (long long)i);
        for (uint32_t k = 0; k < type->n; k++)
            tsr_buf_printf(
                &b, "%s%llu", k ? ", " : "",
                (unsigned long long)tsr_attr_int_at(indices, it->n ? (size_t)(i * rank + k) : 0));
        tsr_buf_cstr(&b, "], and type='");
        r->ctx->print_type(&b, type);
        tsr_buf_cstr(&b, "'");
    }
    if (!ok)
        tsr_error(r->ctx, tsr_read_loc_at(r, at), "%.*s", (int)b.len, b.data);
    tsr_buf_free(&b);
    return ok;
}

tsr_attr *tsr_read_sparse(tsr_reader *r, tsr_type *type, const char *start)
{
    if (!tsr_read_is(r, '<')) {
        tsr_read_wrong(r, "Expected '<' after 'sparse'");
        return NULL;
    }
    const char *p = r->p, *end = literal_end(r, p);
    if (!end)
        return NULL;
    tsr_read_jump(r, end + 1);
    if (!type && (!tsr_read_expect(r, ':', "expected ':'") || !(type = tsr_read_type(r))))
        return NULL;
    if (!tsr_type_is_shaped(type) || !tsr_type_has_static_shape(type)) {
        tsr_error(r->ctx, tsr_read_loc_at(r, start),
                  tsr_type_is_shaped(type) ? "elements literal type must have static shape"
                                           : "elements literal must be a shaped type");
        return NULL;
    }
    dense at = {.r = r, .p = p};
    skip_space(&at);
    p = at.p;
    if (p == end) {
        int64_t none[2] = {0, type->n};
        tsr_type *it = tsr_type_tensor(r->ctx, none, 2, r->ctx->i64, NULL);
        tsr_type *vt = tsr_type_tensor(r->ctx, none, 1, type->elem, NULL);
        return tsr_attr_sparse(r->ctx, type, tsr_attr_dense(r->ctx, NULL, it, NULL, 0, false),
                               tsr_attr_dense(r->ctx, NULL, vt, NULL, 0, false));
    }
    size_t room = (size_t)(end - p);
    tsr_attr *indices = read_sparse_part(r, &p, r->ctx->i64, room, 0);
    if (!indices)
        return NULL;
    at.p = p;
    if (*p != ',')
        return fail(&at, p, "expected ','"), NULL;
    p++;
    tsr_attr *values =
        read_sparse_part(r, &p, type->elem, room, indices->type->n ? indices->type->dims[0] : 1);
    at.p = p;
    if (values && p != end)
        return fail(&at, p, "expected '>'"), NULL;
    return values && sparse_fits(r, start, type, indices, values)
               ? tsr_attr_sparse(r->ctx, type, indices, values)
               : NULL;
}
