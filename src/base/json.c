/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - see json.h. */
#include "base/json.h"

#include "base/map.h"
#include "base/vec.h"

enum { DEEPEST = 64 };

typedef struct {
    tsr_arena *arena;
    tsr_str text;
    size_t p;
    int depth;
    tsr_json_error *error;
} reader;

static bool fail(reader *r, const char *reason, size_t at)
{
    if (!r->error->reason)
        *r->error = (tsr_json_error){reason, at};
    return false;
}

static int peek(const reader *r)
{
    return r->p < r->text.len ? (unsigned char)r->text.data[r->p] : -1;
}

static void skip_space(reader *r)
{
    for (int c = peek(r); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(r))
        r->p++;
}

static bool take(reader *r, int c)
{
    skip_space(r);
    if (peek(r) != c)
        return false;
    r->p++;
    return true;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* ---- Strings ---- */

static bool hex4(reader *r, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, r->p++) {
        int c = peek(r), low = c | 0x20;
        if (!is_digit(c) && (low < 'a' || low > 'f'))
            return fail(r, "four hexadecimal digits are wanted", r->p);
        *out = *out * 16 + (uint32_t)(is_digit(c) ? c - '0' : low - 'a' + 10);
    }
    return true;
}

static void put_utf8(tsr_buf *out, uint32_t c)
{
    if (c < 0x80) {
        tsr_buf_char(out, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    tsr_buf_char(out, (char)((0xFF00 >> (more + 1) & 0xFF) | c >> (6 * more)));
    while (more-- > 0)
        tsr_buf_char(out, (char)(0x80 | (c >> (6 * more) & 0x3F)));
}

/* After a backslash. */
static bool escape(reader *r, tsr_buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    size_t at = r->p++;
    const char *found = c > 0 ? strchr(from, c) : NULL;
    if (found) {
        tsr_buf_char(out, to[found - from]);
        return true;
    }
    uint32_t code, low;
    if (c != 'u')
        return fail(r, "this escape is none", at);
    TSR_TRY(hex4(r, &code));
    if (code >= 0xD800 && code < 0xDC00 && peek(r) == '\\') {
        r->p++;
        if (peek(r) != 'u')
            return fail(r, "the second half of a character is wanted", r->p);
        r->p++;
        TSR_TRY(hex4(r, &low));
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(r, "the second half of a character is wanted", at);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000)
        return fail(r, "half of a character", at);
    put_utf8(out, code);
    return true;
}

static bool read_string(reader *r, tsr_str *out)
{
    size_t at = r->p++; /* the quote */
    tsr_buf text = {0};
    bool ok = true;
    for (int c = peek(r); ok && c != '"'; c = peek(r)) {
        r->p++;
        if (c < 0)
            ok = fail(r, "a string has no end", at);
        else if (c < 0x20)
            ok = fail(r, "a control character in a string", r->p - 1);
        else if (c == '\\')
            ok = escape(r, &text);
        else
            tsr_buf_char(&text, (char)c);
    }
    r->p++;
    if (ok)
        *out = (tsr_str){tsr_arena_copy(r->arena, text.len ? text.data : "", text.len + !text.len),
                         text.len};
    tsr_buf_free(&text);
    return ok;
}

/* ---- Numbers ---- */

static bool digits(reader *r)
{
    if (!is_digit(peek(r)))
        return fail(r, "a digit is wanted", r->p);
    while (is_digit(peek(r)))
        r->p++;
    return true;
}

static bool read_number(reader *r, tsr_json *out)
{
    size_t at = r->p;
    bool negative = take(r, '-'), whole = true;
    size_t first = r->p;
    TSR_TRY(digits(r));
    if (r->text.data[first] == '0' && r->p > first + 1)
        return fail(r, "a number that begins with 0", at);
    for (size_t i = first; i < r->p; i++) {
        int64_t d = r->text.data[i] - '0';
        whole &= out->i <= (INT64_MAX - d) / 10;
        out->i = whole ? out->i * 10 + d : 0;
    }
    if (peek(r) == '.') {
        whole = false;
        r->p++;
        TSR_TRY(digits(r));
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        whole = false;
        r->p++;
        if (peek(r) == '+' || peek(r) == '-')
            r->p++;
        TSR_TRY(digits(r));
    }
    out->kind = whole ? TSR_JSON_INT : TSR_JSON_NUMBER;
    out->i = negative ? -out->i : out->i;
    out->s = tsr_str_of(r->text.data + at, r->p - at);
    return true;
}

/* ---- Values ---- */

static tsr_json *read_value(reader *r);

/* seen: keys of the object so far. */
static bool read_key(reader *r, tsr_map *seen, tsr_str *out)
{
    skip_space(r);
    size_t at = r->p;
    if (peek(r) != '"')
        return fail(r, "a key is wanted", at);
    TSR_TRY(read_string(r, out));
    TSR_MAP_EACH (seen, tsr_hash_str(*out), v)
        if (tsr_str_eq(*(tsr_str *)v, *out))
            return fail(r, "a key that the object has already", at);
    tsr_map_put(seen, tsr_hash_str(*out), tsr_arena_copy(r->arena, out, sizeof *out));
    return take(r, ':') || fail(r, "':' is wanted", r->p);
}

/* The contents of brackets, after the opening one. */
static bool read_items(reader *r, tsr_json *out, char end)
{
    TSR_VEC(tsr_json *) items = {0};
    TSR_VEC(tsr_str) keys = {0};
    tsr_map seen = {0};
    bool ok = ++r->depth <= DEEPEST || fail(r, "values are too deep", r->p),
         more = ok && !take(r, end);
    while (ok && more) {
        tsr_str key = {0};
        ok = end == ']' || read_key(r, &seen, &key);
        tsr_json *v = ok ? read_value(r) : NULL;
        ok = v != NULL;
        tsr_vec_push(&items, v);
        tsr_vec_push(&keys, key);
        more = ok && take(r, ',');
        if (ok && !more && !take(r, end))
            ok = fail(r, end == ']' ? "',' or ']' is wanted" : "',' or '}' is wanted", r->p);
    }
    r->depth--;
    out->n = items.n;
    out->kind = end == ']' ? TSR_JSON_ARRAY : TSR_JSON_OBJECT;
    if (items.n) {
        out->items = tsr_arena_copy(r->arena, items.data, items.n * sizeof *items.data);
        out->keys = tsr_arena_copy(r->arena, keys.data, keys.n * sizeof *keys.data);
    }
    tsr_vec_free(&items);
    tsr_vec_free(&keys);
    tsr_map_free(&seen);
    return ok;
}

static bool read_word(reader *r, tsr_json *out)
{
    static const struct {
        const char *word;
        tsr_json_kind kind;
        bool truth;
    } words[] = {{"true", TSR_JSON_BOOL, true},
                 {"false", TSR_JSON_BOOL, false},
                 {"null", TSR_JSON_NULL, false}};
    for (size_t i = 0; i < TSR_COUNT(words); i++) {
        size_t n = strlen(words[i].word);
        if (r->text.len - r->p < n || memcmp(r->text.data + r->p, words[i].word, n) != 0)
            continue;
        r->p += n;
        out->kind = words[i].kind;
        out->i = words[i].truth;
        return true;
    }
    return fail(r, "a value is wanted", r->p);
}

static tsr_json *read_value(reader *r)
{
    skip_space(r);
    tsr_json *v = tsr_arena_zalloc(r->arena, sizeof *v);
    int c = peek(r);
    v->at = r->p;
    bool ok;
    if (c == '"') {
        v->kind = TSR_JSON_STRING;
        ok = read_string(r, &v->s);
    } else if (c == '[' || c == '{') {
        r->p++;
        ok = read_items(r, v, c == '[' ? ']' : '}');
    } else if (c == '-' || is_digit(c)) {
        ok = read_number(r, v);
    } else {
        ok = read_word(r, v);
    }
    return ok ? v : NULL;
}

const tsr_json *tsr_json_read(tsr_arena *arena, tsr_str text, tsr_json_error *error)
{
    *error = (tsr_json_error){0};
    reader r = {.arena = arena, .text = text, .error = error};
    tsr_json *v = read_value(&r);
    skip_space(&r);
    if (v && r.p < text.len)
        fail(&r, "something stands behind the value", r.p);
    return error->reason ? NULL : v;
}

const tsr_json *tsr_json_get(const tsr_json *object, const char *key, tsr_json_kind kind)
{
    for (size_t i = 0; object && object->kind == TSR_JSON_OBJECT && i < object->n; i++)
        if (tsr_str_is(object->keys[i], key))
            return object->items[i]->kind == kind ? object->items[i] : NULL;
    return NULL;
}
