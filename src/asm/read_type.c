/* SPDX-License-Identifier: Apache-2.0 */
/* read_type.c - types from text. Dimension lists are read from characters: 4x0x?xf32 cannot be split into tokens. */
#include <stdlib.h>

#include "asm/reader.h"

static const struct {
    const char *name;
    tsr_float_kind kind;
} floats[] = {
#define FLOAT(id, name, ...) {name, TSR_##id},
#include "base/float.def"
};

enum { MAX_WIDTH = (1 << 24) - 1 };

/* i32, si8, ui4: NULL if word is not an integer type. */
static tsr_type *integer_type(tsr_reader *r, tsr_str word)
{
    tsr_signedness sign = TSR_SIGNLESS;
    size_t at = 1;
    if (word.data[0] == 's' || word.data[0] == 'u') {
        sign = word.data[0] == 's' ? TSR_SIGNED : TSR_UNSIGNED;
        at = 2;
        if (word.len < 2 || word.data[1] != 'i')
            return NULL;
    } else if (word.data[0] != 'i') {
        return NULL;
    }
    if (word.len == at)
        return NULL;
    uint64_t width = 0;
    for (size_t i = at; i < word.len; i++) {
        if (word.data[i] < '0' || word.data[i] > '9')
            return NULL;
        if (width <= UINT32_MAX)
            width = width * 10 + (uint64_t)(word.data[i] - '0');
    }
    if (width > MAX_WIDTH) {
        if (width > UINT32_MAX)
            tsr_read_error(r, "invalid integer width");
        else
            tsr_read_error(r, "integer bitwidth is limited to %d bits", MAX_WIDTH);
        return NULL;
    }
    return tsr_type_integer(r->ctx, (uint32_t)width, sign);
}

/* Skips white space and comments. */
static const char *skip_blank(const char *p)
{
    for (;;) {
        while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
            p++;
        if (p[0] != '/' || p[1] != '/')
            return p;
        while (*p && *p != '\n')
            p++;
    }
}

typedef struct {
    int64_t dims[TSR_READ_MAX_RANK];
    bool scalable[TSR_READ_MAX_RANK];
    size_t n;
    bool any_scalable;
} shape;

static bool bad_dim(tsr_reader *r, const char *at)
{
    tsr_read_jump(r, at);
    return tsr_read_error(r, "invalid dimension");
}

/* dimension ::= decimal | '?' | '[' decimal ']'. none: there is no dimension here. */
static bool read_dim(tsr_reader *r, const char **at, bool dynamic, bool bracket, int64_t *d,
                     bool *none)
{
    const char *dim = *at, *p = bracket ? skip_blank(dim + 1) : dim;
    *none = false;
    if (*p == '?' && dynamic) {
        *d = TSR_DYNAMIC;
        p++;
    } else if (*p >= '0' && *p <= '9') {
        *d = 0;
        for (; *p >= '0' && *p <= '9'; p++) {
            if (*d > (INT64_MAX - (*p - '0')) / 10)
                return bad_dim(r, dim);
            *d = *d * 10 + (*p - '0');
        }
    } else if (bracket) {
        return bad_dim(r, p);
    } else {
        *none = true;
        return true;
    }
    p = skip_blank(p);
    if (bracket && *p != ']') {
        tsr_read_jump(r, p);
        return tsr_read_wrong(r, "missing ']' closing scalable dimension");
    }
    *at = bracket ? skip_blank(p + 1) : p;
    return true;
}

/* dimension-list ::= ((decimal | '?' | '[' decimal ']') 'x')*; the current token is its first one. Leaves the element
 * type's first token as the current one. */
static bool read_dims(tsr_reader *r, shape *s, bool dynamic, bool scalable)
{
    const char *p = r->tok.start;
    s->n = 0;
    s->any_scalable = false;
    for (;;) {
        int64_t d = 0;
        const char *dim = p;
        bool bracket = scalable && *p == '[', none;
        TSR_TRY(read_dim(r, &p, dynamic, bracket, &d, &none));
        if (none)
            break;
        if (*p != 'x') {
            tsr_read_jump(r, p);
            return tsr_read_wrong(r, "expected 'x' in dimension list");
        }
        if (s->n == TSR_COUNT(s->dims)) {
            tsr_read_jump(r, dim);
            return tsr_read_error(r, "more than %zu dimensions", TSR_COUNT(s->dims));
        }
        s->scalable[s->n] = bracket;
        s->any_scalable |= bracket;
        s->dims[s->n++] = d;
        p = skip_blank(p + 1);
    }
    if (p != r->tok.start) {
        tsr_read_jump(r, p);
    }
    return true;
}

bool tsr_read_dims(tsr_reader *r, int64_t dims[TSR_READ_MAX_RANK], size_t *n)
{
    shape s;
    if (!read_dims(r, &s, true, false))
        return false;
    *n = s.n;
    memcpy(dims, s.dims, s.n * sizeof *dims);
    return true;
}

static tsr_type *bad_element(tsr_reader *r, const char *at, const char *message)
{
    tsr_error(r->ctx, tsr_read_loc_at(r, at), "%s", message);
    return NULL;
}

/* '*' 'x', the current token being '*'. */
static bool read_unranked(tsr_reader *r)
{
    const char *p = skip_blank(r->p);
    if (*p == 'x') {
        tsr_read_jump(r, p + 1);
        return true;
    }
    tsr_read_next(r);
    return tsr_read_wrong(r, "expected 'x' in dimension list");
}

/* '<' (dimension-list | '*x') type: returns the type, and where it begins. */
static tsr_type *read_shaped(tsr_reader *r, const char *expected, shape *s, bool *unranked,
                             const char **at)
{
    if (!tsr_read_expect(r, '<', expected))
        return NULL;
    *unranked = tsr_read_is(r, '*');
    if (*unranked ? !read_unranked(r) : !read_dims(r, s, true, false))
        return NULL;
    *at = r->tok.start;
    return tsr_read_type(r);
}

/* tensor ::= 'tensor' '<' (dimension-list | '*x') type (',' encoding)? '>' */
static tsr_type *read_tensor(tsr_reader *r, const char *start)
{
    shape s;
    bool unranked;
    const char *at;
    tsr_attr *encoding = NULL;
    tsr_type *elem = read_shaped(r, "expected '<' in tensor type", &s, &unranked, &at);
    if (!elem)
        return NULL;
    if (tsr_read_take(r, ',')) {
        encoding = tsr_read_attr(r, NULL);
        if (!encoding)
            return NULL;
    }
    if (!tsr_type_fits_tensor(elem))
        return bad_element(r, at, "invalid tensor element type");
    if (!tsr_read_expect(r, '>', "expected '>' in tensor type"))
        return NULL;
    if (unranked) {
        if (encoding)
            return bad_element(r, start, "cannot apply encoding to unranked tensor");
        return tsr_type_unranked_tensor(r->ctx, elem);
    }
    if (encoding && r->ctx->verify_encoding) {
        const tsr_type *plain = tsr_type_tensor(r->ctx, s.dims, s.n, elem, NULL);
        if (!r->ctx->verify_encoding(tsr_read_loc_at(r, start), plain, encoding))
            return NULL;
    }
    return tsr_type_tensor(r->ctx, s.dims, s.n, elem, encoding);
}

static tsr_type *bad_sizes(tsr_reader *r, const char *start, const shape *s)
{
    tsr_buf b = {0};
    for (size_t i = 0; i < s->n; i++)
        tsr_buf_printf(&b, "%s%lld", i ? ", " : "", (long long)s->dims[i]);
    tsr_error(r->ctx, tsr_read_loc_at(r, start),
              "vector types must have positive constant sizes but got %.*s", (int)b.len, b.data);
    tsr_buf_free(&b);
    return NULL;
}

/* vector ::= 'vector' '<' dimension-list type '>' */
static tsr_type *read_vector(tsr_reader *r, const char *start)
{
    shape s;
    if (!tsr_read_expect(r, '<', "expected '<' in vector type") || !read_dims(r, &s, false, true))
        return NULL;
    tsr_type *elem = tsr_read_type(r);
    if (!elem || !tsr_read_expect(r, '>', "expected '>' in vector type"))
        return NULL;
    for (size_t i = 0; i < s.n; i++)
        if (s.dims[i] == 0)
            return bad_sizes(r, start, &s);
    if (elem->kind != TSR_TYPE_INTEGER && elem->kind != TSR_TYPE_FLOAT &&
        elem->kind != TSR_TYPE_INDEX && elem->kind != TSR_TYPE_DIALECT &&
        elem->kind != TSR_TYPE_OPAQUE)
        return bad_element(r, start,
                           "failed to verify 'elementType': VectorElementTypeInterface instance");
    tsr_attr *scalable = NULL;
    if (s.any_scalable) {
        uint8_t bits[64];
        for (size_t i = 0; i < s.n; i++)
            bits[i] = s.scalable[i];
        scalable = tsr_attr_dense_array(r->ctx, r->ctx->i1, bits, s.n);
    }
    return tsr_type_vector(r->ctx, s.dims, s.n, elem, scalable);
}

/* Builtin attributes that may be a memory space; attributes of dialects always may. */
static bool memory_space_ok(const tsr_attr *a)
{
    switch (a ? (tsr_attr_kind)a->kind : TSR_ATTR_INT) {
    case TSR_ATTR_INT:
    case TSR_ATTR_STRING:
    case TSR_ATTR_DICT:
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_ENUM:
    case TSR_ATTR_OPAQUE: return true;
    default: return false;
    }
}

static bool layout_fits(tsr_reader *r, const char *at, const tsr_attr *layout, size_t rank)
{
    if (layout->kind == TSR_ATTR_STRIDED)
        return layout->n - 1 == rank ||
               tsr_error(r->ctx, tsr_read_loc_at(r, at),
                         "expected the number of strides to match the rank");
    if (layout->kind == TSR_ATTR_STRUCT) /* a dialect's */
        return true;
    size_t dims = (size_t)(layout->i >> 32);
    return dims == rank ||
           tsr_error(r->ctx, tsr_read_loc_at(r, at),
                     "memref layout mismatch between rank and affine map: %zu != %zu", rank, dims);
}

/* memref ::= 'memref' '<' (dimension-list | '*x') type (',' layout)? (',' memory-space)? '>' */
static tsr_type *read_memref(tsr_reader *r, const char *start)
{
    shape s;
    bool unranked;
    const char *at;
    tsr_attr *layout = NULL, *space = NULL;
    tsr_type *elem = read_shaped(r, "expected '<' in memref type", &s, &unranked, &at);
    if (!elem)
        return NULL;
    if (elem->kind == TSR_TYPE_FUNCTION || elem->kind == TSR_TYPE_NONE ||
        elem->kind == TSR_TYPE_TENSOR || elem->kind == TSR_TYPE_UNRANKED_TENSOR ||
        elem->kind == TSR_TYPE_TUPLE)
        return bad_element(r, at, "invalid memref element type");
    while (tsr_read_take(r, ',')) {
        tsr_attr *a = tsr_read_attr(r, NULL);
        if (!a)
            return NULL;
        bool is_layout = a->kind == TSR_ATTR_AFFINE_MAP || a->kind == TSR_ATTR_STRIDED ||
                         (a->kind == TSR_ATTR_STRUCT && (a->def->flags & TSR_DEF_LAYOUT));
        if (is_layout && (unranked || layout || space)) {
            tsr_read_error(r, unranked ? "cannot have affine map for unranked memref type"
                              : space  ? "expected memory space to be last in memref type"
                                       : "multiple layouts specified in memref type");
            return NULL;
        }
        if (space) {
            tsr_read_error(r, "multiple memory spaces specified in memref type");
            return NULL;
        }
        if (is_layout)
            layout = a;
        else
            space = a;
    }
    if (!tsr_read_expect(r, '>', "expected ',' or '>' in memref type"))
        return NULL;
    if (!memory_space_ok(space))
        return bad_element(r, start, "unsupported memory space Attribute");
    /* Memory space 0 is the default and is not written. */
    if (tsr_attr_is(space, TSR_ATTR_INT) && space->i == 0 && !space->s.len)
        space = NULL;
    if (!unranked && layout && !layout_fits(r, start, layout, s.n))
        return NULL;
    if (unranked)
        return tsr_type_unranked_memref(r->ctx, elem, space);
    if (tsr_affine_map_is_identity(layout, s.n))
        layout = NULL;
    return tsr_type_memref(r->ctx, s.dims, s.n, elem, layout, space);
}

static tsr_type *read_complex(tsr_reader *r, const char *start)
{
    (void)start;
    if (!tsr_read_expect(r, '<', "expected '<' in complex type"))
        return NULL;
    const char *at = r->tok.start;
    tsr_type *elem = tsr_read_type(r);
    if (!elem || !tsr_read_expect(r, '>', "expected '>' in complex type"))
        return NULL;
    if (elem->kind != TSR_TYPE_FLOAT && elem->kind != TSR_TYPE_INTEGER)
        return bad_element(r, at, "invalid element type for complex");
    return tsr_type_complex(r->ctx, elem);
}

static tsr_type *read_tuple(tsr_reader *r, const char *start)
{
    (void)start;
    tsr_type_vec types = {0};
    tsr_type *result = NULL;
    if (!tsr_read_expect(r, '<', "expected '<' in tuple type"))
        return NULL;
    if (!tsr_read_is(r, '>')) {
        do {
            tsr_type *t = tsr_read_type(r);
            if (!t)
                goto out;
            tsr_vec_push(&types, t);
        } while (tsr_read_take(r, ','));
    }
    if (tsr_read_expect(r, '>', "expected '>' in tuple type"))
        result = tsr_type_tuple(r->ctx, types.data, types.n);
out:
    tsr_vec_free(&types);
    return result;
}

static const struct {
    const char *word;
    tsr_type *(*read)(tsr_reader *r, const char *start);
} shaped[] = {{"tensor", read_tensor},
              {"vector", read_vector},
              {"memref", read_memref},
              {"complex", read_complex},
              {"tuple", read_tuple}};

bool tsr_read_at_type(const tsr_reader *r)
{
    tsr_str word = tsr_tok_text(r);
    if (r->tok.kind != TOK_WORD)
        return r->tok.kind == TOK_BANG || r->tok.kind == '(';
    for (size_t i = 0; i < TSR_COUNT(shaped); i++)
        if (tsr_str_is(word, shaped[i].word))
            return true;
    for (size_t i = 0; i < TSR_COUNT(floats); i++)
        if (tsr_str_is(word, floats[i].name))
            return true;
    size_t at = word.data[0] == 'i' ? 1 : word.data[0] == 's' || word.data[0] == 'u' ? 2 : word.len;
    bool digits = at < word.len && word.data[at - 1] == 'i';
    for (; digits && at < word.len; at++)
        digits = word.data[at] >= '0' && word.data[at] <= '9';
    return digits || tsr_str_is(word, "index") || tsr_str_is(word, "none");
}

static tsr_type *read_named(tsr_reader *r)
{
    tsr_str word = tsr_tok_text(r);
    for (size_t i = 0; i < TSR_COUNT(shaped); i++)
        if (tsr_str_is(word, shaped[i].word)) {
            tsr_read_next(r);
            return shaped[i].read(r, word.data);
        }
    tsr_type *t = NULL;
    uint32_t errors = r->ctx->nerror;
    if (tsr_str_is(word, "index")) {
        t = r->ctx->index;
    } else if (tsr_str_is(word, "none")) {
        t = r->ctx->none;
    } else {
        t = integer_type(r, word);
        for (size_t i = 0; !t && i < TSR_COUNT(floats); i++)
            if (tsr_str_is(word, floats[i].name))
                t = tsr_type_float(r->ctx, floats[i].kind);
    }
    if (t)
        tsr_read_next(r);
    else if (r->ctx->nerror == errors)
        tsr_read_wrong(r, "expected non-function type");
    return t;
}

/* The end of a type that starts at p and contains no other '<', '#' or '!': "tensor<4x?xf32>"; NULL for others. */
static const char *simple_type_end(const char *p)
{
    const char *start = p;
    while (*p >= 'a' && *p <= 'z')
        p++;
    if (*p != '<')
        return NULL;
    for (p++; *p != '>'; p++)
        if (*p == 0 || *p == '<' || *p == '#' || *p == '!' || *p == '\n' || *p == ',' ||
            p - start > 64)
            return NULL;
    return p + 1;
}

static tsr_type *read_simple(tsr_reader *r, const char *end)
{
    const char *start = r->tok.start;
    uint32_t len = (uint32_t)(end - start),
             slot = (uint32_t)tsr_hash_bytes(start, len) % TYPE_CACHE;
    if (r->types[slot].len == len && memcmp(r->types[slot].text, start, len) == 0) {
        r->p = end;
        tsr_read_next(r);
        return r->types[slot].type;
    }
    tsr_type *t = read_named(r);
    if (t) {
        r->types[slot].text = start;
        r->types[slot].len = len;
        r->types[slot].type = t;
    }
    return t;
}

/* type ::= function-type | non-function-type */
tsr_type *tsr_read_type(tsr_reader *r)
{
    const char *end;
    if (r->tok.kind == TOK_WORD && (end = simple_type_end(r->tok.start)) != NULL)
        return read_simple(r, end);
    if (!tsr_read_enter(r))
        return NULL;
    tsr_type *t = NULL;
    if (r->tok.kind == TOK_WORD)
        t = read_named(r);
    else if (r->tok.kind == TOK_BANG)
        t = tsr_read_dialect_type(r);
    else if (r->tok.kind == '(')
        t = tsr_read_function_type(r);
    else
        tsr_read_wrong(r, "expected non-function type");
    tsr_read_leave(r);
    return t;
}

bool tsr_read_type_list_parens(tsr_reader *r, tsr_type_vec *out)
{
    if (!tsr_read_expect(r, '(', "expected '('"))
        return false;
    if (tsr_read_take(r, ')'))
        return true;
    do {
        tsr_type *t = tsr_read_type(r);
        if (!t)
            return false;
        tsr_vec_push(out, t);
    } while (tsr_read_take(r, ','));
    return tsr_read_expect(r, ')', "expected ')'");
}

bool tsr_read_type_list(tsr_reader *r, tsr_type_vec *out)
{
    if (tsr_read_is(r, '('))
        return tsr_read_type_list_parens(r, out);
    tsr_type *t = tsr_read_type(r);
    if (t)
        tsr_vec_push(out, t);
    return t != NULL;
}

/* function-type ::= '(' types ')' '->' (type | '(' types ')') */
tsr_type *tsr_read_function_type(tsr_reader *r)
{
    tsr_type_vec in = {0}, out = {0};
    tsr_type *t = NULL;
    if (tsr_read_type_list_parens(r, &in) &&
        tsr_read_expect(r, TOK_ARROW, "expected '->' in function type") &&
        tsr_read_type_list(r, &out))
        t = tsr_type_function(r->ctx, in.data, in.n, out.data, out.n);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return t;
}
