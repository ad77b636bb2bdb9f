/* SPDX-License-Identifier: Apache-2.0 */
/* read_attr.c - attributes from text, except dense data (read_dense.c), affine maps and attributes of dialects. */
#include <stdlib.h>

#include "base/char.h"
#include "asm/reader.h"

/* ---- Numbers ---- */

enum { MAX_DIGITS = 8192 };

/* The magnitude of a spelling as little-endian bytes; false when it needs more than nbyte of them. */
static bool magnitude(tsr_str s, uint8_t *bytes, size_t nbyte)
{
    memset(bytes, 0, nbyte);
    bool hex = s.len > 2 && s.data[1] == 'x';
    for (size_t i = hex ? 2 : 0; i < s.len; i++) {
        unsigned c = (unsigned char)s.data[i];
        unsigned carry = tsr_is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
        for (size_t b = 0; b < nbyte; b++) {
            carry += bytes[b] * (hex ? 16u : 10u);
            bytes[b] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry)
            return false;
    }
    return true;
}

static tsr_attr *wide_int(tsr_ctx *ctx, tsr_type *type, bool negative, tsr_str s)
{
    size_t nbyte = (type->width + 7) / 8, spare = nbyte * 8 - type->width;
    if (s.len > MAX_DIGITS || nbyte > MAX_DIGITS)
        return NULL;
    uint8_t *bytes = tsr_xmalloc(nbyte);
    tsr_attr *result = NULL;
    if (magnitude(s, bytes, nbyte) && (!spare || bytes[nbyte - 1] >> (8 - spare) == 0)) {
        unsigned carry = 1;
        for (size_t b = 0; negative && b < nbyte; b++) {
            carry += (uint8_t)~bytes[b];
            bytes[b] = (uint8_t)carry;
            carry >>= 8;
        }
        if (spare)
            bytes[nbyte - 1] &= (uint8_t)(0xFF >> spare);
        bool sign = bytes[nbyte - 1] >> ((type->width - 1) % 8) & 1;
        if (negative ? sign : !(sign && type->sub == TSR_SIGNED))
            result = tsr_attr_wide_int(ctx, type, bytes);
    }
    tsr_free(bytes);
    return result;
}

tsr_attr *tsr_int_from_spelling(tsr_ctx *ctx, tsr_type *type, bool negative, tsr_str s)
{
    bool index = type->kind == TSR_TYPE_INDEX;
    uint32_t width = index ? 64 : type->width;
    if (width > 64)
        return wide_int(ctx, type, negative, s);
    uint64_t v;
    if (!tsr_tok_uint(s, &v) || (width < 64 && v >> width))
        return NULL;
    if (!width) /* no bits: only 0, and no sign */
        return negative ? NULL : tsr_attr_int(ctx, type, 0);
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (negative) {
        v = 0 - v;
        if (!(v & sign))
            return NULL;
    } else if ((index || type->sub == TSR_SIGNED) && (v & sign)) {
        return NULL;
    }
    return tsr_attr_int(ctx, type, (int64_t)v);
}

/* A float's bits from a hexadecimal integer; false after an error. */
static bool float_from_hex(tsr_reader *r, tsr_type *type, bool negative, uint64_t *bits)
{
    tsr_str s = tsr_tok_text(r);
    bool hex = s.len > 2 && s.data[1] == 'x';
    if (!hex) {
        tsr_loc loc = tsr_read_loc(r);
        tsr_error(r->ctx, loc, "unexpected decimal integer literal for a floating point value");
        tsr_note(r->ctx, loc, "add a trailing dot to make the literal a float");
        return false;
    }
    if (negative)
        return tsr_read_error(r, "hexadecimal float literal should not have a leading minus");
    if (!tsr_tok_uint(s, bits) || type->width > 64 || (type->width < 64 && *bits >> type->width))
        return tsr_read_error(r, "hexadecimal float constant out of range for type");
    return true;
}

/* number ::= '-'? (integer | float) (':' type)?; the minus was consumed. */
static tsr_attr *read_number(tsr_reader *r, tsr_type *type, bool negative)
{
    tsr_attr *result = NULL;
    tsr_read_mark at = tsr_read_save(r);
    bool is_float = tsr_read_is(r, TOK_FLOAT);
    tsr_str s = tsr_tok_text(r);
    tsr_read_next(r);
    if (!type) {
        if (tsr_read_take(r, ':')) {
            type = tsr_read_type(r);
            if (!type)
                return NULL;
        } else {
            type = is_float ? tsr_type_float(r->ctx, TSR_F64) : r->ctx->i64;
        }
    }
    tsr_read_mark after = tsr_read_save(r);
    tsr_read_restore(r, at);
    if (is_float) {
        if (type->kind != TSR_TYPE_FLOAT) {
            tsr_read_error(r, "floating point value not valid for specified type");
            return NULL;
        }
        double v = tsr_tok_double(s.data, s.len);
        result = tsr_attr_float(r->ctx, type, negative ? -v : v);
    } else if (type->kind == TSR_TYPE_FLOAT) {
        uint64_t bits;
        if (!float_from_hex(r, type, negative, &bits))
            return NULL;
        result = tsr_attr_float_bits(r->ctx, type, bits);
    } else if (type->kind != TSR_TYPE_INTEGER && type->kind != TSR_TYPE_INDEX) {
        tsr_read_error(r, "integer literal not valid for specified type");
        return NULL;
    } else {
        if (negative && type->kind == TSR_TYPE_INTEGER && type->sub == TSR_UNSIGNED) {
            tsr_read_error(r, "negative integer literal not valid for unsigned integer type");
            return NULL;
        }
        result = tsr_int_from_spelling(r->ctx, type, negative, s);
        if (!result) {
            tsr_read_error(r, "integer constant out of range for attribute");
            return NULL;
        }
    }
    tsr_read_restore(r, after);
    return result;
}

/* ---- Strings, lists, dictionaries, symbols ---- */

static tsr_attr *read_string(tsr_reader *r, tsr_type *type)
{
    tsr_str s;
    if (!tsr_read_unescape(r, &s))
        return NULL;
    tsr_read_next(r);
    if (!type && tsr_read_take(r, ':')) {
        type = tsr_read_type(r);
        if (!type)
            return NULL;
    }
    return tsr_attr_typed_string(r->ctx, s, type == r->ctx->none ? NULL : type);
}

static tsr_attr *read_array(tsr_reader *r)
{
    tsr_attr_vec v = {0};
    tsr_attr *result = NULL;
    tsr_read_next(r);
    if (!tsr_read_is(r, ']')) {
        do {
            tsr_attr *a = tsr_read_attr(r, NULL);
            if (!a)
                goto out;
            tsr_vec_push(&v, a);
        } while (tsr_read_take(r, ','));
    }
    if (tsr_read_expect(r, ']', "expected ',' or ']'"))
        result = tsr_attr_array(r->ctx, v.data, v.n);
out:
    tsr_vec_free(&v);
    return result;
}

static int compare_named(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

/* A key occurs twice in the dictionary that begins here. Its position is only searched for now, for the error. */
static bool duplicate_key(tsr_reader *r, tsr_read_mark begin, tsr_str key)
{
    tsr_str name = {0};
    tsr_read_restore(r, begin);
    for (int depth = 0, seen = 0; seen < 2 && !tsr_read_is(r, TOK_EOF);) {
        int before = r->tok.kind;
        tsr_read_next(r);
        depth += before == '{' || before == '[' || before == '(' || before == '<';
        depth -= before == '}' || before == ']' || before == ')' || before == '>';
        if (depth != 1 || (before != '{' && before != ','))
            continue;
        name = tsr_tok_text(r);
        if (tsr_read_is(r, TOK_STRING))
            TSR_TRY(tsr_read_unescape(r, &name));
        seen += tsr_str_eq(name, key);
    }
    return tsr_read_error(r, "duplicate key '%.*s' in dictionary attribute", TSR_STR_ARG(key));
}

/* dict ::= '{' (name ('=' attribute)? (',' ...)*)? '}' */
bool tsr_read_dict(tsr_reader *r, tsr_named_vec *out)
{
    size_t first = out->n;
    tsr_read_mark begin = tsr_read_save(r);
    TSR_TRY(tsr_read_expect(r, '{', "expected '{' in attribute dictionary"));
    if (!tsr_read_is(r, '}')) {
        do {
            tsr_str name;
            if (tsr_read_is(r, TOK_STRING))
                TSR_TRY(tsr_read_unescape(r, &name));
            else if (tsr_read_is(r, TOK_WORD))
                name = tsr_tok_text(r);
            else
                return tsr_read_wrong(r, "expected attribute name");
            if (!name.len)
                return tsr_read_error(r, "expected valid attribute name");
            const tsr_name *key = tsr_name_get(r->ctx, name);
            tsr_read_next(r);
            tsr_attr *value;
            if (tsr_read_take(r, '='))
                value = tsr_read_attr(r, NULL);
            else
                value = tsr_attr_unit(r->ctx);
            if (!value)
                return false;
            tsr_vec_push(out, (tsr_named){key, value});
        } while (tsr_read_take(r, ','));
    }
    TSR_TRY(tsr_read_expect(r, '}', "expected '}' in attribute dictionary"));
    if (out->n - first > 1)
        qsort(out->data + first, out->n - first, sizeof(tsr_named), compare_named);
    for (size_t i = first + 1; i < out->n; i++)
        if (out->data[i].name == out->data[i - 1].name)
            return duplicate_key(r, begin, out->data[i].name->str);
    return true;
}

static tsr_attr *read_dict_attr(tsr_reader *r)
{
    tsr_named_vec v = {0};
    tsr_attr *result = NULL;
    if (tsr_read_dict(r, &v))
        result = tsr_attr_dict(r->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return result;
}

/* The name of an '@' token. */
static bool at_name(tsr_reader *r, tsr_str *out)
{
    if (r->tok.start[1] == '"')
        return tsr_read_unescape(r, out);
    *out = (tsr_str){r->tok.start + 1, r->tok.len - 1};
    return true;
}

/* symbol ::= '@' name ('::' '@' name)* */
tsr_attr *tsr_read_symbol(tsr_reader *r)
{
    tsr_str root, name;
    tsr_attr_vec nested = {0};
    tsr_attr *result = NULL;
    if (!tsr_read_is(r, TOK_AT)) {
        tsr_read_wrong(r, "expected attribute value");
        return NULL;
    }
    if (!at_name(r, &root))
        return NULL;
    tsr_read_next(r);
    while (tsr_read_take(r, TOK_COLONS)) {
        if (!tsr_read_is(r, TOK_AT)) {
            tsr_read_wrong(r, "expected nested symbol reference identifier");
            goto out;
        }
        if (!at_name(r, &name))
            goto out;
        tsr_vec_push(&nested, tsr_attr_symbol(r->ctx, name, NULL, 0));
        tsr_read_next(r);
    }
    result = tsr_attr_symbol(r->ctx, root, nested.data, nested.n);
out:
    tsr_vec_free(&nested);
    return result;
}

/* stride ::= '?' | '-'? integer */
static bool read_stride(tsr_asm *a, int64_t *out)
{
    tsr_reader *r = a->in;
    uint64_t v;
    bool minus = tsr_read_is(r, '-') && r->p[0] >= '0' && r->p[0] <= '9';
    if (minus)
        tsr_read_next(r);
    if (tsr_read_is(r, '?') && !minus)
        *out = TSR_DYNAMIC;
    else if (tsr_read_is(r, TOK_INT) && tsr_tok_uint(tsr_tok_text(r), &v) && v <= INT64_MAX)
        *out = minus ? -(int64_t)v : (int64_t)v;
    else
        return tsr_read_error(r, "expected a 64-bit signed integer or '?'");
    tsr_read_next(r);
    return true;
}

/* strided ::= 'strided' '<' '[' dims ']' (',' 'offset' ':' dim)? '>' */
static tsr_attr *read_strided(tsr_reader *r)
{
    tsr_asm a = {.ctx = r->ctx, .module = r->module, .in = r};
    TSR_VEC(int64_t) strides = {0};
    int64_t offset = 0, d;
    tsr_attr *result = NULL;
    if (!tsr_read_expect(r, '<', "expected '<' after 'strided'") ||
        !tsr_read_expect(r, '[', "expected '['"))
        return NULL;
    if (!tsr_read_is(r, ']')) {
        do {
            if (!read_stride(&a, &d))
                goto out;
            tsr_vec_push(&strides, d);
        } while (tsr_read_take(r, ','));
    }
    if (!tsr_read_expect(r, ']', "expected ',' or ']'"))
        goto out;
    if (!tsr_read_is(r, '>')) {
        if (!tsr_read_expect(r, ',', "expected ','"))
            goto out;
        if (!tsr_read_take_word(r, "offset")) {
            tsr_read_wrong(r, "expected 'offset' after comma");
            goto out;
        }
        if (!tsr_read_expect(r, ':', "expected ':' after 'offset'") || !read_stride(&a, &offset))
            goto out;
    }
    if (tsr_read_expect(r, '>', "expected '>'"))
        result = tsr_attr_strided(r->ctx, strides.data, strides.n, offset);
out:
    tsr_vec_free(&strides);
    return result;
}

/* dense_resource ::= 'dense_resource' '<' key '>' ':' type */
static tsr_attr *read_dense_resource(tsr_reader *r, tsr_type *type)
{
    if (!tsr_read_expect(r, '<', "expected '<' after 'dense_resource'"))
        return NULL;
    tsr_str key;
    if (tsr_read_is(r, TOK_STRING)) {
        if (!tsr_read_unescape(r, &key))
            return NULL;
    } else if (tsr_read_is(r, TOK_WORD)) {
        key = tsr_tok_text(r);
    } else {
        tsr_read_wrong(r, "expected identifier key for 'resource' entry");
        return NULL;
    }
    const tsr_name *name = tsr_name_get(r->ctx, key);
    tsr_read_next(r);
    if (!tsr_read_expect(r, '>', "expected '>'"))
        return NULL;
    if (!type && (!tsr_read_expect(r, ':', "expected ':'") || !(type = tsr_read_type(r))))
        return NULL;
    if (!tsr_type_is_shaped(type)) {
        tsr_read_error(r, "`dense_resource` expected a shaped type");
        return NULL;
    }
    return tsr_attr_dense_resource(r->ctx, type, name->str);
}

/* distinct ::= 'distinct' '[' integer ']' '<' attribute? '>' */
static tsr_attr *read_distinct(tsr_reader *r, tsr_loc at)
{
    uint64_t id;
    if (!tsr_read_expect(r, '[', "expected '[' after 'distinct'"))
        return NULL;
    if (!tsr_read_is(r, TOK_INT)) {
        tsr_read_wrong(r, "expected distinct ID");
        return NULL;
    }
    if (!tsr_tok_uint(tsr_tok_text(r), &id)) {
        tsr_read_error(r, "expected an unsigned 64-bit integer");
        return NULL;
    }
    tsr_read_next(r);
    if (!tsr_read_expect(r, ']', "expected ']' to close distinct ID") ||
        !tsr_read_expect(r, '<', "expected '<' after distinct ID"))
        return NULL;
    tsr_attr *value = tsr_read_is(r, '>') ? tsr_attr_unit(r->ctx) : tsr_read_attr(r, NULL);
    if (!value || !tsr_read_expect(r, '>', "expected '>' to close distinct attribute"))
        return NULL;
    for (size_t i = 0; i < r->distincts.n; i++) {
        if ((uint64_t)r->distincts.data[i]->i != id)
            continue;
        if (r->distincts.data[i]->attrs[0] == value)
            return r->distincts.data[i];
        tsr_buf b = {0};
        r->ctx->print_attr(r->ctx, &b, r->distincts.data[i]->attrs[0]);
        tsr_error(r->ctx, at, "referenced attribute does not match previous definition: %.*s",
                  (int)b.len, b.data);
        tsr_buf_free(&b);
        return NULL;
    }
    tsr_attr *result = tsr_attr_distinct(r->ctx, (int64_t)id, value);
    tsr_vec_push(&r->distincts, result);
    return result;
}

static tsr_attr *read_location_body(tsr_reader *r);

/* ---- Any attribute ---- */

static tsr_attr *read_word_attr(tsr_reader *r, tsr_type *type)
{
    tsr_str w = tsr_tok_text(r);
    bool truth = tsr_str_is(w, "true");
    if (truth || tsr_str_is(w, "false")) {
        tsr_read_next(r);
        return tsr_attr_bool(r->ctx, truth);
    }
    if (tsr_str_is(w, "unit"))
        return tsr_read_next(r), tsr_attr_unit(r->ctx);
    if (tsr_str_is(w, "loc")) {
        tsr_read_next(r);
        tsr_attr *l = tsr_read_expect(r, '(', "expected '(' in inline location")
                          ? read_location_body(r)
                          : NULL;
        if (!l || !tsr_read_expect(r, ')', "expected ')' in inline location"))
            return NULL;
        r->ctx->has_aliased = true; /* as an attribute it prints as #loc without being requested */
        return l;
    }
    if (tsr_str_is(w, "dense"))
        return tsr_read_next(r), tsr_read_dense(r, type, w.data);
    if (tsr_str_is(w, "array"))
        return tsr_read_next(r), tsr_read_dense_array(r);
    if (tsr_str_is(w, "dense_resource"))
        return tsr_read_next(r), read_dense_resource(r, type);
    if (tsr_str_is(w, "sparse"))
        return tsr_read_next(r), tsr_read_sparse(r, type, w.data);
    if (tsr_str_is(w, "affine_map") || tsr_str_is(w, "affine_set")) {
        bool set = w.data[7] == 's';
        return tsr_read_next(r), tsr_read_affine(r, set);
    }
    if (tsr_str_is(w, "strided"))
        return tsr_read_next(r), read_strided(r);
    if (tsr_str_is(w, "distinct")) {
        tsr_loc at = tsr_read_loc(r);
        return tsr_read_next(r), read_distinct(r, at);
    }
    if (!tsr_read_at_type(r)) {
        tsr_read_wrong(r, "expected attribute value");
        return NULL;
    }
    tsr_type *t = tsr_read_type(r);
    return t ? tsr_attr_type(r->ctx, t) : NULL;
}

tsr_attr *tsr_read_attr(tsr_reader *r, tsr_type *type)
{
    if (!tsr_read_enter(r))
        return NULL;
    tsr_attr *a = NULL;
    tsr_type *t;
    switch (r->tok.kind) {
    case TOK_INT:
    case TOK_FLOAT: a = read_number(r, type, false); break;
    case '-':
        tsr_read_next(r);
        if (tsr_read_is(r, TOK_INT) || tsr_read_is(r, TOK_FLOAT))
            a = read_number(r, type, true);
        else
            tsr_read_wrong(r, "expected constant integer or floating point value");
        break;
    case TOK_STRING: a = read_string(r, type); break;
    case '[': a = read_array(r); break;
    case '{': a = read_dict_attr(r); break;
    case TOK_AT: a = tsr_read_symbol(r); break;
    case TOK_HASH: a = tsr_read_dialect_attr(r); break;
    case TOK_WORD: a = read_word_attr(r, type); break;
    case TOK_BANG:
    case '(':
        t = tsr_read_type(r);
        a = t ? tsr_attr_type(r->ctx, t) : NULL;
        break;
    default: tsr_read_wrong(r, "expected attribute value");
    }
    tsr_read_leave(r);
    return a;
}

/* ---- Locations ---- */

static bool read_uint(tsr_reader *r, const char *message, int64_t *out)
{
    uint64_t v;
    if (!tsr_read_is(r, TOK_INT) || !tsr_tok_uint(tsr_tok_text(r), &v) || v > UINT32_MAX)
        return tsr_read_wrong(r, "%s", message);
    tsr_read_next(r);
    *out = (int64_t)v;
    return true;
}

/* "file":line (':' col ('to' line? ':' col)?)? | "name" ('(' location ')')? */
static tsr_attr *read_name_or_file(tsr_reader *r)
{
    tsr_str s;
    int64_t at[4];
    if (!tsr_read_unescape(r, &s))
        return NULL;
    const tsr_name *name = tsr_name_get(r->ctx, s);
    tsr_read_next(r);
    if (tsr_read_take(r, ':')) {
        size_t n = 2;
        if (!read_uint(r, "expected integer line number in FileLineColRange", &at[0]))
            return NULL;
        at[1] = 0;
        bool col = tsr_read_take(r, ':');
        if (col && !read_uint(r, "expected integer column number in FileLineColRange", &at[1]))
            return NULL;
        if (col && tsr_read_take_word(r, "to")) {
            n = tsr_read_is(r, TOK_INT) ? 4 : 3;
            if (n == 4 && !read_uint(r, "expected integer line number in FileLineColRange", &at[2]))
                return NULL;
            if (!tsr_read_expect(r, ':',
                                 "expected either integer or `:` post `to` in FileLineColRange") ||
                !read_uint(r, "expected integer column number in FileLineColRange", &at[n - 1]))
                return NULL;
            /* The line is written only if it differs; no range is written if it ends where it begins. */
            if (n == 4 && at[2] == at[0]) {
                at[2] = at[3];
                n = 3;
            }
            if (n == 3 && at[2] == at[1])
                n = 2;
        }
        return tsr_attr_loc_file(r->ctx, name->str, at, n);
    }
    tsr_attr *child = NULL;
    if (tsr_read_take(r, '(')) {
        child = tsr_read_location_instance(r);
        if (!child || !tsr_read_expect(r, ')', "expected ')' after child location of NameLoc"))
            return NULL;
        if (child->sub == TSR_LOC_KIND_UNKNOWN)
            child = NULL; /* equal, and not written */
    }
    return tsr_attr_loc_name(r->ctx, name->str, child);
}

static tsr_attr *read_callsite(tsr_reader *r)
{
    if (!tsr_read_expect(r, '(', "expected '(' in callsite location"))
        return NULL;
    tsr_attr *callee = tsr_read_location_instance(r);
    if (!callee)
        return NULL;
    if (!tsr_read_take_word(r, "at")) {
        tsr_read_wrong(r, "expected 'at' in callsite location");
        return NULL;
    }
    tsr_attr *caller = tsr_read_location_instance(r);
    if (!caller || !tsr_read_expect(r, ')', "expected ')' in callsite location"))
        return NULL;
    return tsr_attr_loc_callsite(r->ctx, callee, caller);
}

/* Locations without repetitions; long lists are searched by address. */
typedef struct {
    tsr_attr_vec list;
    tsr_map seen;
} loc_set;

static void add_once(loc_set *s, tsr_attr *a)
{
    enum { FEW = 16 };
    if (s->list.n <= FEW) {
        for (size_t i = 0; i < s->list.n; i++)
            if (s->list.data[i] == a)
                return;
    } else {
        for (size_t i = s->seen.n; i < s->list.n; i++)
            tsr_map_put(&s->seen, tsr_hash_ptr(s->list.data[i]), s->list.data[i]);
        TSR_MAP_EACH (&s->seen, tsr_hash_ptr(a), v)
            if (v == a)
                return;
    }
    tsr_vec_push(&s->list, a);
}

/* Fuses locations as MLIR does: drops unknown ones and repetitions, and flattens inner fused locations with the same
 * metadata; a single remaining one without metadata is not fused. */
tsr_attr *tsr_loc_fuse(tsr_ctx *ctx, tsr_attr *const *locs, size_t n, tsr_attr *meta)
{
    loc_set s = {0};
    for (size_t i = 0; i < n; i++) {
        tsr_attr *a = locs[i];
        if (a->sub == TSR_LOC_KIND_FUSED && a->attrs[a->n] == meta)
            for (uint32_t k = 0; k < a->n; k++)
                add_once(&s, a->attrs[k]);
        else if (a->sub != TSR_LOC_KIND_UNKNOWN)
            add_once(&s, a);
    }
    if (!s.list.n)
        tsr_vec_push(&s.list, tsr_attr_loc_unknown(ctx));
    tsr_attr *result = s.list.n == 1 && !meta
                           ? s.list.data[0]
                           : tsr_attr_loc_fused(ctx, s.list.data, s.list.n, meta);
    tsr_map_free(&s.seen);
    tsr_vec_free(&s.list);
    return result;
}

static tsr_attr *read_fused(tsr_reader *r)
{
    tsr_attr_vec locs = {0};
    tsr_attr *meta = NULL, *result = NULL;
    if (tsr_read_take(r, '<')) {
        meta = tsr_read_attr(r, NULL);
        if (!meta || !tsr_read_expect(r, '>', "expected '>' after fused location metadata"))
            return NULL;
    }
    if (!tsr_read_expect(r, '[', "expected '[' in fused location"))
        return NULL;
    if (!tsr_read_is(r, ']')) {
        do {
            tsr_attr *l = tsr_read_location_instance(r);
            if (!l)
                goto out;
            tsr_vec_push(&locs, l);
        } while (tsr_read_take(r, ','));
    }
    if (tsr_read_expect(r, ']', "expected ']' in fused location"))
        result = tsr_loc_fuse(r->ctx, locs.data, locs.n, meta);
out:
    tsr_vec_free(&locs);
    return result;
}

static tsr_attr *read_location_body(tsr_reader *r)
{
    tsr_attr *loc = NULL;
    if (tsr_read_is(r, TOK_HASH)) {
        loc = tsr_read_dialect_attr(r);
        if (loc && loc->kind != TSR_ATTR_LOC) {
            tsr_buf b = {0};
            r->ctx->print_attr(r->ctx, &b, loc);
            tsr_read_error(r, "expected location attribute, but got%.*s", (int)b.len, b.data);
            tsr_buf_free(&b);
            loc = NULL;
        }
    } else if (tsr_read_is(r, TOK_STRING)) {
        loc = read_name_or_file(r);
    } else if (tsr_read_take_word(r, "callsite")) {
        loc = read_callsite(r);
    } else if (tsr_read_take_word(r, "fused")) {
        loc = read_fused(r);
    } else if (tsr_read_take_word(r, "unknown")) {
        loc = tsr_attr_loc_unknown(r->ctx);
    } else {
        tsr_read_wrong(r, "expected location instance");
    }
    return loc;
}

/* An alias counts all levels of its value: a call stack of aliases, as JAX writes it, has one level for each frame. */
tsr_attr *tsr_read_location_instance(tsr_reader *r)
{
    if (tsr_read_is(r, TOK_HASH))
        return read_location_body(r);
    if (!tsr_read_enter(r))
        return NULL;
    tsr_attr *loc = read_location_body(r);
    tsr_read_leave(r);
    return loc;
}

tsr_attr *tsr_read_location(tsr_reader *r)
{
    tsr_attr *loc = read_location_body(r);
    return loc && tsr_read_expect(r, ')', "expected ')' in location") ? loc : NULL;
}

bool tsr_read_optional_loc(tsr_reader *r, tsr_loc *loc)
{
    if (!tsr_read_take_word(r, "loc"))
        return true;
    TSR_TRY(tsr_read_expect(r, '(', "expected '(' in location"));
    tsr_loc at = tsr_read_loc(r);
    tsr_attr *a;
    r->forward = true;
    if (tsr_read_is(r, TOK_HASH)) {
        a = tsr_read_dialect_attr(r);
        if (a && a->kind != TSR_ATTR_LOC) {
            tsr_buf b = {0};
            r->ctx->print_attr(r->ctx, &b, a);
            tsr_error(r->ctx, at, "expected location, but found '%.*s'", (int)b.len, b.data);
            tsr_buf_free(&b);
            a = NULL;
        }
        a = a && tsr_read_expect(r, ')', "expected ')' in location") ? a : NULL;
    } else {
        a = tsr_read_location(r);
    }
    r->forward = false;
    if (a)
        *loc = tsr_loc_of_attr(a);
    return a != NULL;
}
