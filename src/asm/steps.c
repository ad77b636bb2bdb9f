/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c - the steps of two-way assembly for tokens, types and attributes. */
#include <stdlib.h>

#include "base/char.h"
#include "asm/reader.h"
#include "asm/writer.h"
#include "base/float.h"

/* ---- Literals ---- */

/* The next token of a literal's text: its kind as in the lexer, and its text. False at the end. */
static bool next_literal(const char **text, int *kind, tsr_str *out)
{
    const char *p = *text;
    while (*p == ' ' || *p == '\n')
        p++;
    if (!*p)
        return false;
    const char *start = p++;
    if (tsr_is_alpha(*start) || *start == '_') {
        while (tsr_is_alnum(*p) || *p == '_' || *p == '$' || *p == '.')
            p++;
        *kind = TOK_WORD;
    } else if (start[0] == '-' && *p == '>') {
        p++;
        *kind = TOK_ARROW;
    } else if (start[0] == ':' && *p == ':') {
        p++;
        *kind = TOK_COLONS;
    } else {
        *kind = *start;
    }
    *out = (tsr_str){start, (size_t)(p - start)};
    *text = p;
    return true;
}

static bool at_literal(tsr_reader *r, int kind, tsr_str s)
{
    return tsr_read_is(r, kind) && tsr_str_eq(tsr_tok_text(r), s);
}

/* MLIR's message names the op if a word is missing, but not if punctuation is. */
bool tsr_asm_missing(tsr_asm *a, bool word, tsr_str what)
{
    return word ? tsr_asm_error(a, "expected '%.*s'", TSR_STR_ARG(what))
                : tsr_read_wrong(a->in, "expected '%.*s'", TSR_STR_ARG(what));
}

bool tsr_asm_lit(tsr_asm *a, const char *text)
{
    int kind;
    tsr_str s;
    if (a->out) {
        tsr_buf_cstr(a->out->out, text);
        return true;
    }
    if (*text == ' ')
        text++;
    /* One punctuation character and perhaps a space after it: most literals. */
    if (tsr_is_punct(*text) && *text != '_' && (!text[1] || (text[1] == ' ' && !text[2]))) {
        if (!tsr_read_is(a->in, *text))
            return tsr_asm_missing(a, false, tsr_str_of(text, 1));
        tsr_read_next(a->in);
        return true;
    }
    while (next_literal(&text, &kind, &s)) {
        if (!at_literal(a->in, kind, s))
            return tsr_asm_missing(a, kind == TOK_WORD, s);
        tsr_read_next(a->in);
    }
    return true;
}

bool tsr_asm_maybe(tsr_asm *a, const char *text, bool present)
{
    int kind;
    tsr_str s;
    if (a->out) {
        if (present)
            tsr_buf_cstr(a->out->out, text);
        return present;
    }
    tsr_read_mark mark = tsr_read_save(a->in);
    while (next_literal(&text, &kind, &s)) {
        if (!at_literal(a->in, kind, s)) {
            tsr_read_restore(a->in, mark);
            return false;
        }
        tsr_read_next(a->in);
    }
    return true;
}

bool tsr_asm_peek(tsr_asm *a, const char *text)
{
    int kind;
    tsr_str s;
    return a->in && next_literal(&text, &kind, &s) && at_literal(a->in, kind, s);
}

bool tsr_asm_newline(tsr_asm *a)
{
    if (a->out) {
        tsr_buf_char(a->out->out, '\n');
        for (int i = 0; i < a->out->indent; i++)
            tsr_buf_char(a->out->out, ' ');
    }
    return true;
}

/* Errors in the custom form of an op begin with the op's name. */
static void custom_error(tsr_asm *a, tsr_loc loc, const char *fmt, va_list args)
{
    tsr_buf b = {0};
    if (a->st)
        tsr_buf_printf(&b, "custom op '%.*s' ", TSR_STR_ARG(a->st->def->name));
    tsr_buf_vprintf(&b, fmt, args);
    tsr_error(a->ctx, loc, "%.*s", (int)b.len, b.data);
    tsr_buf_free(&b);
}

bool tsr_asm_error(tsr_asm *a, const char *fmt, ...)
{
    if (a->in->tok.kind == TOK_ERROR)
        return false;
    va_list args;
    va_start(args, fmt);
    custom_error(a, tsr_read_loc(a->in), fmt, args);
    va_end(args);
    return false;
}

tsr_loc tsr_asm_loc(tsr_asm *a)
{
    return a->in ? tsr_read_loc(a->in) : TSR_LOC_UNKNOWN;
}

bool tsr_asm_error_at(tsr_asm *a, tsr_loc loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    custom_error(a, loc, fmt, args);
    va_end(args);
    return false;
}

/* ---- Words and numbers ---- */

bool tsr_asm_keyword(tsr_asm *a, tsr_str *word)
{
    if (a->out) {
        tsr_buf_str(a->out->out, *word);
        return true;
    }
    if (!tsr_read_is(a->in, TOK_WORD))
        return tsr_asm_error(a, "expected valid keyword");
    *word = tsr_tok_text(a->in);
    tsr_read_next(a->in);
    return true;
}

bool tsr_asm_int(tsr_asm *a, int64_t *value)
{
    if (a->out) {
        tsr_buf_int(a->out->out, *value);
        return true;
    }
    tsr_reader *r = a->in;
    bool negative = tsr_read_take(r, '-');
    uint64_t v;
    if (!tsr_read_is(r, TOK_INT))
        return tsr_asm_error(a, "expected integer value");
    if (!tsr_tok_uint(tsr_tok_text(r), &v) || v > (uint64_t)INT64_MAX + negative) {
        tsr_asm_error(a, "integer value too large");
        tsr_read_next(r);
        return false;
    }
    *value = (int64_t)(negative ? 0 - v : v);
    tsr_read_next(r);
    return true;
}

bool tsr_asm_dim(tsr_asm *a, int64_t *value)
{
    if (tsr_asm_maybe(a, "?", a->out && *value == TSR_DYNAMIC)) {
        *value = TSR_DYNAMIC;
        return true;
    }
    return tsr_asm_int(a, value);
}

bool tsr_asm_string(tsr_asm *a, tsr_str *value)
{
    if (a->out) {
        tsr_buf_quoted(a->out->out, *value);
        return true;
    }
    if (!tsr_read_is(a->in, TOK_STRING))
        return tsr_asm_error(a, "expected string");
    TSR_TRY(tsr_read_unescape(a->in, value));
    *value = tsr_name_get(a->ctx, *value)->str;
    tsr_read_next(a->in);
    return true;
}

bool tsr_asm_symbol_name(tsr_asm *a, tsr_str *name)
{
    if (a->out) {
        tsr_write_symbol_name(a->out->out, *name);
        return true;
    }
    tsr_reader *r = a->in;
    if (!tsr_read_is(r, TOK_AT))
        return tsr_asm_error(a, "expected valid '@'-identifier for symbol name");
    if (r->tok.start[1] == '"')
        TSR_TRY(tsr_read_unescape(r, name));
    else
        *name = (tsr_str){r->tok.start + 1, r->tok.len - 1};
    *name = tsr_name_get(a->ctx, *name)->str;
    tsr_read_next(r);
    return true;
}

bool tsr_asm_list(tsr_asm *a, const char *open, const char *close, size_t *count,
                  bool (*each)(tsr_asm *a, void *user, size_t i), void *user)
{
    TSR_TRY(tsr_asm_lit(a, open));
    if (a->out) {
        for (size_t i = 0; i < *count; i++) {
            if (i)
                tsr_buf_str(a->out->out, TSR_STR(", "));
            TSR_TRY(each(a, user, i));
        }
        return tsr_asm_lit(a, close);
    }
    size_t n = 0;
    if (!*close || !tsr_asm_peek(a, close)) {
        do
            TSR_TRY(each(a, user, n++));
        while (tsr_read_take(a->in, ','));
    }
    *count = n;
    return tsr_asm_lit(a, close);
}

/* ---- Types and attributes ---- */

bool tsr_asm_type(tsr_asm *a, tsr_type **type)
{
    if (a->out) {
        tsr_write_type(a->out, *type);
        return true;
    }
    *type = tsr_read_type(a->in);
    return *type != NULL;
}

bool tsr_asm_attr(tsr_asm *a, tsr_attr **attr)
{
    if (a->out) {
        tsr_write_attr(a->out, *attr);
        return true;
    }
    *attr = tsr_read_attr(a->in, NULL);
    return *attr != NULL;
}

bool tsr_asm_attr_typed(tsr_asm *a, tsr_attr **attr, tsr_type *type)
{
    if (a->out) {
        tsr_write_attr_notype(a->out, *attr);
        return true;
    }
    *attr = tsr_read_attr(a->in, type);
    return *attr != NULL;
}

bool tsr_asm_i64(tsr_asm *a, tsr_attr **attr)
{
    int64_t v = a->out ? (*attr)->i : 0;
    TSR_TRY(tsr_asm_int(a, &v));
    if (a->in)
        *attr = tsr_attr_i64(a->ctx, v);
    return true;
}

/* [0, 1, 2] in its usual form: a few small numbers on one line, read from their characters. False: nothing was
 * consumed, and the tokens decide. */
static bool quick_ints(tsr_reader *r, int64_t *out, size_t max, size_t *n)
{
    if (!tsr_read_is(r, '['))
        return false;
    const char *p = r->p;
    *n = 0;
    if (*p == ']')
        p++;
    else
        for (;;) {
            int64_t v = 0;
            const char *start = p;
            while (*p >= '0' && *p <= '9' && p - start <= 17)
                v = v * 10 + (*p++ - '0');
            if (p == start || p - start > 17 || *n == max || *p == 'x')
                return false;
            out[(*n)++] = v;
            if (*p == ']') {
                p++;
                break;
            }
            if (p[0] != ',' || p[1] != ' ')
                return false;
            p += 2;
        }
    r->p = p;
    tsr_read_next(r);
    return true;
}

/* [1, 2] of array<iN: ...>. */
static bool int_array(tsr_asm *a, tsr_attr **attr, tsr_type *elem)
{
    if (a->out) {
        tsr_buf_char(a->out->out, '[');
        tsr_write_int_elements(a->out, *attr);
        tsr_buf_char(a->out->out, ']');
        return true;
    }
    int64_t few[16];
    size_t count;
    if (elem->width == 64 && quick_ints(a->in, few, TSR_COUNT(few), &count)) {
        *attr = tsr_attr_dense_array(a->ctx, elem, few, count);
        return true;
    }
    TSR_VEC(int64_t) v = {0};
    bool opened = tsr_read_expect(a->in, '[', "expected '['"), ok = opened;
    int64_t x;
    if (ok && !tsr_read_is(a->in, ']')) {
        do {
            if (elem->width == 1 &&
                (tsr_read_word_is(a->in, "true") || tsr_read_word_is(a->in, "false"))) {
                x = tsr_read_word_is(a->in, "true");
                tsr_read_next(a->in);
            } else {
                ok = tsr_asm_int(a, &x);
                if (ok &&
                    (elem->width == 1 ? x != 0 && x != 1 : elem->width == 32 && x != (int32_t)x))
                    ok = tsr_read_error(a->in, "integer value too large");
            }
            if (ok)
                tsr_vec_push(&v, x);
        } while (ok && tsr_read_take(a->in, ','));
    }
    /* After a bad element, a missing closing bracket is a separate error. */
    if (opened)
        ok = tsr_read_expect(a->in, ']', "expected ']'") && ok;
    if (ok && elem->width == 64) {
        *attr = tsr_attr_dense_array(a->ctx, elem, v.data, v.n);
    } else if (ok) {
        size_t bytes = elem->width == 1 ? 1 : 4;
        uint8_t *small = tsr_xmalloc(v.n * bytes);
        for (size_t i = 0; i < v.n; i++)
            for (size_t b = 0; b < bytes; b++)
                small[i * bytes + b] = (uint8_t)(v.data[i] >> (8 * b));
        *attr = tsr_attr_dense_array(a->ctx, elem, small, v.n);
        tsr_free(small);
    }
    tsr_vec_free(&v);
    return ok;
}

bool tsr_asm_i64s(tsr_asm *a, tsr_attr **attr)
{
    return int_array(a, attr, a->ctx->i64);
}

bool tsr_asm_i1s(tsr_asm *a, tsr_attr **attr)
{
    return int_array(a, attr, a->ctx->i1);
}

/* What MLIR calls an enum in messages: for "stablehlo.fft_type" the C++ type ::mlir::stablehlo::FftType, and the
 * definition StableHLO_FftTypeAttr. */
static void enum_names(const tsr_attrdef *def, tsr_buf *type, tsr_buf *attr)
{
    const char *dot = strchr(def->name, '.');
    int n = (int)(dot - def->name);
    tsr_buf camel = {0};
    for (const char *p = dot + 1; *p; p++)
        if (*p != '_')
            tsr_buf_char(&camel, p[-1] == '.' || p[-1] == '_' ? tsr_upper(*p) : *p);
    bool tt = strncmp(def->name, "ttcore.", 7) == 0 ||
              strncmp(def->name, "ttir.", 5) == 0; /* ::mlir::tt::ttcore */
    tsr_buf_printf(type, "::mlir::%s%.*s::%.*s", tt ? "tt::" : "", n, def->name, (int)camel.len,
                   camel.data);
    bool chlo = tsr_str_is(tsr_str_of(def->name, (size_t)n), "chlo");
    bool hlo = tsr_str_is(tsr_str_of(def->name, (size_t)n), "stablehlo");
    if (chlo || hlo)
        tsr_buf_printf(attr, "%s_%.*sAttr", chlo ? "CHLO" : "StableHLO", (int)camel.len,
                       camel.data);
    else
        tsr_buf_printf(attr, "%.*s_%.*s", n, def->name, (int)camel.len, camel.data);
    tsr_buf_free(&camel);
}

/* The case of this spelling; -1 when there is none. */
static int find_case(const tsr_attrdef *def, tsr_str word)
{
    int n = 0;
    for (; def->cases[n]; n++)
        if (tsr_str_is(word, def->cases[n]))
            return n;
    if (!(def->flags & TSR_DEF_OLDER))
        return -1;
    for (int i = n + 1; def->cases[i]; i += 2)
        if (tsr_str_is(word, def->cases[i]))
            return find_case(def, tsr_str_of(def->cases[i + 1], strlen(def->cases[i + 1])));
    return -1;
}

bool tsr_asm_enum(tsr_asm *a, const tsr_attrdef *def, tsr_attr **attr)
{
    if (a->out) {
        tsr_buf_cstr(a->out->out, def->cases[(*attr)->i]);
        return true;
    }
    tsr_str word;
    tsr_loc loc = tsr_asm_loc(a);
    bool ok = tsr_read_is(a->in, TOK_STRING) ? tsr_asm_string(a, &word)
              : tsr_read_is(a->in, TOK_WORD) ? tsr_asm_keyword(a, &word)
                                             : tsr_asm_error(a, "expected valid keyword or string");
    int value = ok ? find_case(def, word) : -1;
    if (value >= 0) {
        *attr = tsr_attr_enum(a->ctx, def, value);
        return true;
    }
    tsr_buf cases = {0}, type = {0}, name = {0};
    enum_names(def, &type, &name);
    for (int i = 0; def->cases[i]; i++)
        tsr_buf_printf(&cases, "%s%s", i ? ", " : "", def->cases[i]);
    if (ok)
        tsr_asm_error_at(a, loc, "expected %.*s to be one of: %.*s", (int)type.len, type.data,
                         (int)cases.len, cases.data);
    tsr_asm_error_at(a, loc, "failed to parse %.*s parameter 'value' which is to be a `%.*s`",
                     (int)name.len, name.data, (int)type.len, type.data);
    tsr_buf_free(&cases);
    tsr_buf_free(&type);
    tsr_buf_free(&name);
    return false;
}

enum { MAX_PARAMS = 24 };

bool tsr_asm_struct(tsr_asm *a, const tsr_attrdef *def, tsr_attr **attr)
{
    tsr_asm inner = {.ctx = a->ctx, .module = a->module, .in = a->in, .out = a->out, .st = a->st};
    if (a->out && (*attr)->aliased && tsr_write_alias(a->out, *attr, false))
        return true;
    if (a->out)
        return def->assembly(&inner, (*attr)->attrs);
    if (tsr_read_is(a->in, TOK_HASH)) { /* in full, or an alias */
        tsr_loc loc = tsr_asm_loc(a);
        *attr = tsr_read_attr(a->in, NULL);
        if (*attr && (*attr)->def != def)
            return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
        return *attr != NULL;
    }
    tsr_attr *params[MAX_PARAMS] = {0};
    TSR_TRY(tsr_read_enter(a->in));
    bool ok = def->assembly(&inner, params);
    tsr_read_leave(a->in);
    if (ok)
        *attr = tsr_attr_struct(a->ctx, def, params);
    return ok;
}

bool tsr_asm_fields(tsr_asm *a, const tsr_asm_field *fields, size_t n, const char *close,
                    tsr_attr **params)
{
    if (a->out) {
        bool first = true;
        for (size_t i = 0; i < n; i++) {
            if (!params[i])
                continue;
            if (!first)
                tsr_buf_str(a->out->out, TSR_STR(", "));
            first = false;
            tsr_buf_printf(a->out->out, "%s = ", fields[i].key);
            TSR_TRY(fields[i].value(a, &params[i]));
        }
        return true;
    }
    bool all = true; /* at most as many commas as there are fields */
    for (size_t i = 0; i < n; i++)
        all = all && fields[i].required;
    for (size_t seen = 0; seen < n && (all || !tsr_asm_peek(a, close)); seen++) {
        if (seen && all && !tsr_read_expect(a->in, ',', "expected ','"))
            return false;
        if (seen && !all && !tsr_read_take(a->in, ','))
            break;
        size_t i = 0;
        tsr_str key;
        tsr_loc loc = tsr_asm_loc(a);
        if (!tsr_read_is(a->in, TOK_WORD))
            return tsr_asm_error(a, "expected a parameter name in struct");
        TSR_TRY(tsr_asm_keyword(a, &key));
        while (i < n && (params[i] || !tsr_str_is(key, fields[i].key)))
            i++;
        if (i == n)
            return tsr_asm_error_at(a, loc, "duplicate or unknown struct parameter name: %.*s",
                                    TSR_STR_ARG(key));
        TSR_TRY(tsr_read_expect(a->in, '=', "expected '='") && fields[i].value(a, &params[i]));
    }
    for (size_t i = 0; i < n; i++)
        if (fields[i].required && !params[i])
            return tsr_asm_error(a, "struct is missing required parameter: %s", fields[i].key);
    return true;
}

static bool asm_bool(tsr_asm *a, tsr_attr **attr)
{
    if (a->out)
        return tsr_asm_lit(a, (*attr)->i ? "true" : "false");
    bool truth = tsr_read_word_is(a->in, "true");
    if (!truth && !tsr_read_word_is(a->in, "false"))
        return tsr_read_wrong(a->in, "expected 'true' or 'false'");
    tsr_read_next(a->in);
    *attr = tsr_attr_bool(a->ctx, truth);
    return true;
}

static bool asm_symbol_string(tsr_asm *a, tsr_attr **attr, bool as_symbol)
{
    tsr_str s = a->out ? (*attr)->s : (tsr_str){0};
    TSR_TRY(tsr_asm_symbol_name(a, &s));
    if (a->in)
        *attr = as_symbol ? tsr_attr_symbol(a->ctx, s, NULL, 0) : tsr_attr_string(a->ctx, s);
    return true;
}

/* An error for something that is not an attribute of the required kind. */
static bool wrong_kind(tsr_asm *a)
{
    tsr_loc loc = tsr_asm_loc(a);
    return tsr_read_attr(a->in, NULL) &&
           tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
}

static bool asm_int_form(tsr_asm *a, bool narrow, tsr_attr **attr)
{
    if (a->in && !tsr_read_is(a->in, TOK_INT) && !tsr_read_is(a->in, '-'))
        return wrong_kind(a);
    int64_t v = a->out ? (*attr)->i : 0;
    TSR_TRY(tsr_asm_int(a, &v));
    if (!a->in)
        return true;
    if (narrow && v != (int32_t)v)
        return tsr_read_error(a->in, "integer value too large");
    *attr = narrow ? tsr_attr_i32(a->ctx, (int32_t)v) : tsr_attr_i64(a->ctx, v);
    return true;
}

static bool asm_string_form(tsr_asm *a, tsr_attr **attr)
{
    if (a->in && !tsr_read_is(a->in, TOK_STRING))
        return wrong_kind(a);
    tsr_str s = a->out ? (*attr)->s : (tsr_str){0};
    TSR_TRY(tsr_asm_string(a, &s));
    if (a->in)
        *attr = tsr_attr_string(a->ctx, s);
    return true;
}

/* An attribute as attributes are written, which must fit. */
static bool asm_any_form(tsr_asm *a, const tsr_constraint *c, tsr_attr **attr)
{
    if (a->out)
        return tsr_asm_attr(a, attr);
    tsr_loc loc = tsr_asm_loc(a);
    *attr = tsr_read_attr(a->in, NULL);
    if (*attr && !tsr_attr_fits(c, *attr))
        return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
    return *attr != NULL;
}

bool tsr_asm_form(tsr_asm *a, const tsr_constraint *c, tsr_attr **attr)
{
    switch (c->form) {
    case TSR_FORM_UNIT:
        if (a->in)
            *attr = tsr_attr_unit(a->ctx);
        return true;
    case TSR_FORM_BOOL: return asm_bool(a, attr);
    case TSR_FORM_I32: return asm_int_form(a, true, attr);
    case TSR_FORM_I64: return asm_int_form(a, false, attr);
    case TSR_FORM_F32:
    case TSR_FORM_F64:
        return tsr_asm_attr_typed(
            a, attr, tsr_type_float(a->ctx, c->form == TSR_FORM_F32 ? TSR_F32 : TSR_F64));
    case TSR_FORM_STRING: return asm_string_form(a, attr);
    case TSR_FORM_SYMBOL: return asm_symbol_string(a, attr, true);
    case TSR_FORM_SYMNAME: return asm_symbol_string(a, attr, false);
    case TSR_FORM_SYMREF:
        if (a->out)
            return tsr_asm_attr(a, attr);
        *attr = tsr_read_symbol(a->in);
        return *attr != NULL;
    case TSR_FORM_I1S: return int_array(a, attr, a->ctx->i1);
    case TSR_FORM_I32S: return int_array(a, attr, a->ctx->i32);
    case TSR_FORM_I64S: return int_array(a, attr, a->ctx->i64);
    case TSR_FORM_ENUM: return tsr_asm_enum(a, c->def, attr);
    case TSR_FORM_STRUCT: return tsr_asm_struct(a, c->def, attr);
    default: return asm_any_form(a, c, attr);
    }
}

bool tsr_asm_string_attr(tsr_asm *a, tsr_attr **attr)
{
    tsr_str s = *attr ? (*attr)->s : TSR_STR("");
    TSR_TRY(tsr_asm_string(a, &s));
    if (!tsr_asm_writing(a))
        *attr = tsr_attr_string(a->ctx, s);
    return true;
}

typedef TSR_VEC(int64_t) dim_vec;

static bool dim_element(tsr_asm *a, void *user, size_t i)
{
    dim_vec *v = user;
    if (tsr_asm_writing(a))
        return tsr_asm_dim(a, &v->data[i]);
    int64_t dim;
    TSR_TRY(tsr_asm_dim(a, &dim));
    tsr_vec_push(v, dim);
    return true;
}

typedef struct {
    tsr_attr_vec items;
    bool (*item)(tsr_asm *a, void *user, tsr_attr **attr);
    void *user;
} attr_list;

static bool list_item(tsr_asm *a, void *user, size_t i)
{
    attr_list *l = user;
    tsr_attr *attr = tsr_asm_writing(a) ? l->items.data[i] : NULL;
    TSR_TRY(l->item(a, l->user, &attr));
    if (!tsr_asm_writing(a))
        tsr_vec_push(&l->items, attr);
    return true;
}

bool tsr_asm_array(tsr_asm *a, bool (*item)(tsr_asm *a, void *user, tsr_attr **attr), void *user,
                   tsr_attr **attr)
{
    attr_list l = {.item = item, .user = user};
    for (uint32_t i = 0; *attr && i < (*attr)->n; i++)
        tsr_vec_push(&l.items, (*attr)->attrs[i]);
    size_t n = l.items.n;
    bool ok = tsr_asm_list(a, "[", "]", &n, list_item, &l);
    if (ok && !tsr_asm_writing(a))
        *attr = tsr_attr_array(a->ctx, l.items.data, l.items.n);
    tsr_vec_free(&l.items);
    return ok;
}

bool tsr_asm_dim_list(tsr_asm *a, const char *open, const char *close, tsr_attr **attr)
{
    dim_vec v = {0};
    size_t n = tsr_asm_writing(a) ? (size_t)tsr_attr_count(*attr) : 0;
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&v, tsr_attr_int_at(*attr, i));
    bool ok = tsr_asm_list(a, open, close, &n, dim_element, &v);
    if (ok && !tsr_asm_writing(a))
        *attr = tsr_attr_i64_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}
