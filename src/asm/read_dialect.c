/* SPDX-License-Identifier: Apache-2.0 */
/* read_dialect.c - #dialect.name and !dialect.name: aliases, registered definitions, and the text of unknown ones; also
 * the two kinds of top-level entry that are not ops: alias definitions and {-# metadata #-}. */
#include <stdlib.h>

#include "asm/reader.h"

/* ---- Aliases ---- */

/* An alias, before or after its definition was read. Locations may be used before they are defined: at the first use of
 * an unknown alias, the rest of the text is scanned once for definitions. */
typedef struct {
    tsr_str name;   /* with '#' or '!' */
    const char *at; /* the definition's first character, until it is read */
    uint32_t line;
    tsr_attr *attr;
    tsr_type *type;
    bool reading;
    int levels;     /* nesting levels in its value */
    uint64_t nodes; /* attributes and types in its value, with nested aliases expanded */
} alias;

static alias *find_alias(tsr_reader *r, tsr_str name)
{
    TSR_MAP_EACH (&r->aliases, tsr_hash_str(name), v) {
        alias *a = v;
        if (tsr_str_eq(a->name, name))
            return a;
    }
    return NULL;
}

static alias *add_alias(tsr_reader *r, tsr_str name, const char *at, uint32_t line)
{
    alias *a = TSR_NEW(&r->scratch, alias);
    a->name = name;
    a->at = at;
    a->line = line;
    tsr_map_put(&r->aliases, tsr_hash_str(name), a);
    return a;
}

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '-';
}

/* Records where aliases are defined in the rest of the text: lines that begin with '#name =' or '!name ='. */
static void find_definitions(tsr_reader *r)
{
    uint32_t line = r->line;
    for (const char *p = r->tok.start; p < r->end; p++) {
        if (*p != '\n')
            continue;
        line++;
        const char *start = p + 1, *q = start + 1;
        if (*start != '#' && *start != '!')
            continue;
        while (name_char(*q))
            q++;
        tsr_str name = {start, (size_t)(q - start)};
        while (*q == ' ')
            q++;
        if (*q == '=' && name.len > 1 && !find_alias(r, name))
            add_alias(r, name, start, line);
    }
    r->looked_ahead = true;
}

/* The value after '='. */
static bool read_value(tsr_reader *r, alias *a)
{
    int deepest = r->deepest;
    uint64_t nodes = r->nodes;
    r->deepest = r->depth;
    r->nodes = 0;
    a->reading = true;
    if (a->name.data[0] == '#')
        a->attr = tsr_read_attr(r, NULL);
    else
        a->type = tsr_read_type(r);
    a->reading = false;
    a->levels = r->deepest - r->depth;
    a->nodes = r->nodes;
    r->nodes += nodes;
    if (r->deepest < deepest)
        r->deepest = deepest;
    if (!a->attr && !a->type)
        return false;
    bool opaque = a->attr ? a->attr->kind == TSR_ATTR_OPAQUE : a->type->kind == TSR_TYPE_OPAQUE;
    if (opaque && r->module) {
        const tsr_name *name = tsr_name_get(r->ctx, (tsr_str){a->name.data + 1, a->name.len - 1});
        tsr_vec_push(&r->module->aliases, (tsr_alias){name, a->attr, a->type});
    }
    return true;
}

/* A few lines of nested aliases can represent a value of any depth and size, so both are bounded as if it were written
 * in full. */
static bool count_use(tsr_reader *r, const alias *a)
{
    enum { MOST = 1 << 22, SHARE = 64 };
    if (r->depth + a->levels > TSR_MAX_NESTING)
        return tsr_read_error(r, "nested too deeply (more than %d levels)", TSR_MAX_NESTING);
    if (r->depth + a->levels > r->deepest)
        r->deepest = r->depth + a->levels;
    r->nodes += a->nodes;
    uint64_t most = MOST + SHARE * (uint64_t)(r->end - r->text);
    return r->nodes <= most || tsr_read_error(r, "aliases stand for too many attributes and types");
}

/* The alias of the current token, read now if its definition comes later; NULL after an error. */
static alias *use_alias(tsr_reader *r)
{
    tsr_str name = tsr_tok_text(r);
    alias *a = find_alias(r, name);
    if (!a && r->forward && !r->looked_ahead) {
        find_definitions(r);
        a = find_alias(r, name);
    }
    bool known = a && (a->attr || a->type);
    if (!a || a->reading || (!known && !r->forward)) {
        if (r->forward && !a)
            tsr_read_error(r, "operation location alias was never defined");
        else
            tsr_read_error(r, "undefined symbol alias id '%.*s'", (int)name.len - 1, name.data + 1);
        return NULL;
    }
    if (!known) {
        tsr_read_mark here = tsr_read_save(r);
        uint64_t nodes = r->nodes;
        r->p = a->at;
        r->line = a->line;
        r->line_start = a->at;
        tsr_read_next(r); /* the name */
        tsr_read_next(r); /* '=' */
        tsr_read_next(r);
        if (!read_value(r, a))
            return NULL;
        tsr_read_restore(r, here);
        r->nodes = nodes; /* count_use adds it; adding it twice would double it at each level */
    }
    if (!count_use(r, a))
        return NULL;
    tsr_read_next(r);
    return a;
}

/* alias-definition ::= ('#' | '!') name '=' (attribute | type) */
bool tsr_read_alias_definition(tsr_reader *r)
{
    tsr_str name = tsr_tok_text(r);
    const char *kind = name.data[0] == '#' ? "attribute" : "type";
    alias *a = find_alias(r, name);
    if (a && a->at != name.data)
        return tsr_read_error(r, "redefinition of %s alias id '%.*s'", kind, (int)name.len - 1,
                              name.data + 1);
    if (memchr(name.data, '.', name.len))
        return tsr_read_error(r, "%s names with a '.' are reserved for dialect-defined names",
                              kind);
    bool known = a && (a->attr || a->type);
    tsr_read_next(r);
    TSR_TRY(tsr_read_expect(r, '=',
                            name.data[0] == '#' ? "expected '=' in attribute alias definition"
                                                : "expected '=' in type alias definition"));
    if (known) { /* read before, at a use */
        if (name.data[0] == '#')
            return tsr_read_attr(r, NULL) != NULL;
        return tsr_read_type(r) != NULL;
    }
    if (!a)
        a = add_alias(r, name, name.data, 0);
    return read_value(r, a);
}

/* ---- Unknown dialects: their text ---- */

static char opener(char close)
{
    return close == ')' ? '(' : (char)(close - 2);
}

/* The second quote of a string that begins at p; NULL after an error. */
static const char *string_end(tsr_reader *r, const char *p)
{
    for (p++; *p != '"'; p++) {
        if (*p == '\\' && p + 1 < r->end)
            p++;
        if (p >= r->end || *p == '\n') {
            tsr_read_jump(r, p);
            return tsr_error(r->ctx, tsr_read_loc_at(r, p), "expected '\"' in string literal"),
                   NULL;
        }
    }
    return p;
}

/* The end of <...> that begins at p, strings and nested brackets matched; NULL after an error. */
static const char *body_end(tsr_reader *r, const char *p)
{
    char open[TSR_MAX_NESTING];
    int depth = 0;
    const char *start = p;
    for (;; p++) {
        switch (*p) {
        case '<':
        case '(':
        case '[':
        case '{':
            if (depth == TSR_MAX_NESTING)
                return tsr_error(r->ctx, tsr_read_loc(r), "nested too deeply (more than %d levels)",
                                 TSR_MAX_NESTING),
                       NULL;
            open[depth++] = *p == '(' ? ')' : (char)(*p + 2);
            break;
        case '>':
        case ')':
        case ']':
        case '}':
            if (open[depth - 1] != *p)
                return tsr_error(r->ctx, tsr_read_loc_at(r, start),
                                 "unbalanced '%c' character in pretty dialect name",
                                 opener(open[depth - 1])),
                       NULL;
            if (--depth == 0)
                return p + 1;
            break;
        case '-':
            if (p[1] == '>')
                p++;
            break;
        case '"':
            p = string_end(r, p);
            if (!p)
                return NULL;
            break;
        case 0: /* the end, or a byte that may be in strings only */
            return tsr_error(r->ctx, tsr_read_loc_at(r, start),
                             "unbalanced '%c' character in pretty dialect name",
                             opener(open[depth - 1])),
                   NULL;
        }
    }
}

typedef TSR_VEC(tsr_part) part_vec;

/* Whether the text of a symbol, whose brackets are known to match, can follow a dot: a name, or a name and <...>. */
static bool is_plain(tsr_reader *r, const char *p, const char *end)
{
    if (p == end || !((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
        return false;
    while (p < end && (name_char(*p) || *p == '.') && *p != '$' && *p != '-')
        p++;
    return p == end || (*p == '<' && body_end(r, p) == end);
}

static void add_text(tsr_reader *r, part_vec *parts, const char *from, const char *to)
{
    if (!to)
        to = from + strlen(from);
    if (to > from)
        tsr_vec_push(
            parts,
            (tsr_part){.text = tsr_name_get(r->ctx, (tsr_str){from, (size_t)(to - from)})->str});
}

/* Adjacent text parts are merged, so that equal symbols have equal parts. */
static void merge_text(tsr_reader *r, part_vec *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < parts->n; i++) {
        tsr_part part = parts->data[i], *last = n ? &parts->data[n - 1] : NULL;
        if (last && last->text.data && part.text.data) {
            tsr_buf b = {0};
            tsr_buf_str(&b, last->text);
            tsr_buf_str(&b, part.text);
            last->text = tsr_name_get(r->ctx, tsr_buf_text(&b))->str;
            tsr_buf_free(&b);
        } else {
            parts->data[n++] = part;
        }
    }
    parts->n = n;
}

/* Splits text into parts: an alias becomes its value. */
static bool cut_parts(tsr_reader *r, const char *from, const char *to, part_vec *parts)
{
    const char *text = from;
    for (const char *p = from; p < to; p++) {
        if (*p == '"') {
            for (p++; *p != '"'; p++)
                if (*p == '\\')
                    p++;
            continue;
        }
        if (*p != '#' && *p != '!')
            continue;
        const char *q = p + 1;
        while (name_char(*q) || *q == '.')
            q++;
        tsr_str name = {p, (size_t)(q - p)};
        if (name.len < 2 || *q == '<' || memchr(p, '.', name.len)) {
            p = q - 1;
            continue;
        }
        alias *a = find_alias(r, name);
        if (!a || (!a->attr && !a->type)) {
            p = q - 1;
            continue;
        }
        add_text(r, parts, text, p);
        tsr_read_mark here = tsr_read_save(r);
        r->p = p;
        tsr_read_next(r);
        a = use_alias(r);
        tsr_read_restore(r, here);
        if (!a)
            return false;
        tsr_vec_push(parts, (tsr_part){.attr = a->attr, .type = a->type});
        text = q;
        p = q - 1;
    }
    add_text(r, parts, text, to);
    return true;
}

static bool is_namespace(const char *p, size_t n)
{
    bool ok = n && !(*p >= '0' && *p <= '9') && *p != '$';
    for (size_t i = 0; ok && i < n; i++)
        ok = name_char(p[i]) && p[i] != '-';
    return ok;
}

/* The symbol of an unknown dialect: dialect and parts, starting at the current token. */
static bool read_opaque(tsr_reader *r, const tsr_name **dialect, part_vec *parts)
{
    tsr_str name = {r->tok.start + 1, r->tok.len - 1};
    const char *dot = memchr(name.data, '.', name.len);
    size_t n = dot ? (size_t)(dot - name.data) : name.len;
    if (!is_namespace(name.data, n))
        return tsr_read_error(r, "invalid dialect namespace '\"%.*s\"'", (int)n, name.data);
    *dialect = tsr_name_get(r->ctx, (tsr_str){name.data, n});
    if (tsr_str_is((*dialect)->str, "builtin") || tsr_str_is((*dialect)->str, "func"))
        return tsr_read_error(r, "dialect '%.*s' provides no %s parsing hook", (int)n, name.data,
                              *r->tok.start == '!' ? "type" : "attribute");
    const char *from = name.data + n, *to = name.data + name.len;
    if (*to == '<') {
        to = body_end(r, to);
        if (!to)
            return false;
    }
    /* Normalises: !a<b> becomes !a.b if b is a name, or a name and <...>; otherwise !a.b becomes !a<b>. */
    bool angle = from < to && *from == '<';
    const char *text = from + (from < to), *end = angle ? to - 1 : to;
    bool plain = is_plain(r, text, end) ||
                 (!angle && end > text && end[-1] == '-'); /* "->" does not close <...> */
    if (plain == !angle) {
        TSR_TRY(cut_parts(r, from, to, parts));
    } else {
        add_text(r, parts, plain ? "." : "<", NULL);
        TSR_TRY(cut_parts(r, text, end, parts));
        if (!plain)
            add_text(r, parts, ">", NULL);
        merge_text(r, parts);
    }
    tsr_read_jump(r, to);
    return true;
}

/* ---- Registered dialects ---- */

enum { MAX_PARAMS = 24 };

/* Whether a dialect defines attributes or types; those of others pass through as text. */
static bool has_defs(tsr_ctx *ctx, tsr_str dialect)
{
    for (uint32_t i = 0; i < ctx->attrdefs.n; i++) {
        const tsr_attrdef *def = ctx->attrdefs.entries[i].value;
        if (strncmp(def->name, dialect.data, dialect.len) == 0 && def->name[dialect.len] == '.')
            return true;
    }
    return false;
}

/* StableHLO has its own wording for this. */
static void unknown(tsr_reader *r, tsr_str dialect, tsr_str mnemonic, bool is_type)
{
    if (!tsr_str_is(dialect, "stablehlo"))
        tsr_read_error(r, "unknown %s `%.*s` in dialect `%.*s`", is_type ? "type" : "attribute",
                       TSR_STR_ARG(mnemonic), TSR_STR_ARG(dialect));
    else if (is_type)
        tsr_read_error(r, "unknown stablehlo type: %.*s", TSR_STR_ARG(mnemonic));
    else
        tsr_read_error(r, "unknown StableHLO attribute");
}

/* The definition of #dialect.name or #dialect<name ...>; consumes the tokens before those its assembly reads. angle:
 * whether the second form has to be closed by '>'. NULL with *known set if the dialect is registered and has no such
 * name. */
static const tsr_attrdef *read_def(tsr_reader *r, bool is_type, bool *known, bool *angle)
{
    tsr_str name = {r->tok.start + 1, r->tok.len - 1};
    const char *dot = memchr(name.data, '.', name.len);
    tsr_str dialect = {name.data, dot ? (size_t)(dot - name.data) : name.len};
    *angle = false;
    const tsr_attrdef *def = dot ? tsr_attrdef_find(r->ctx, name, is_type) : NULL;
    bool open = tsr_dialect_open(r->ctx, dialect); /* names without a row pass through as text */
    *known = def || (!open && has_defs(r->ctx, dialect));
    if (!*known && (dot || !open || !has_defs(r->ctx, dialect)))
        return NULL;
    tsr_str mnemonic;
    if (dot) {
        mnemonic = (tsr_str){dot + 1, name.len - dialect.len - 1};
        if (def)
            tsr_read_next(r);
    } else {
        tsr_read_mark at = tsr_read_save(r);
        tsr_read_next(r);
        if (!tsr_read_take(r, '<') || !tsr_read_is(r, TOK_WORD)) {
            if (open) {
                tsr_read_restore(r, at);
                return NULL;
            }
            tsr_read_wrong(r, "expected '<' and a name in dialect %s",
                           is_type ? "type" : "attribute");
            return NULL;
        }
        /* A name ends where the lexer would end it after a dot: #d.a-b and #d<a-b> are the same. */
        mnemonic = tsr_tok_text(r);
        while (name_char(mnemonic.data[mnemonic.len]) || mnemonic.data[mnemonic.len] == '.')
            mnemonic.len++;
        tsr_buf full = {0};
        tsr_buf_str(&full, dialect);
        tsr_buf_char(&full, '.');
        tsr_buf_str(&full, mnemonic);
        def = tsr_attrdef_find(r->ctx, tsr_buf_text(&full), is_type);
        tsr_buf_free(&full);
        *angle = true;
        if (def)
            tsr_read_next(r);
        else
            tsr_read_restore(r, at);
        *known |= def != NULL;
    }
    if (!def && *known)
        unknown(r, dialect, mnemonic, is_type);
    return def;
}

static bool read_params(tsr_reader *r, const tsr_attrdef *def, bool angle, tsr_attr **params)
{
    tsr_asm a = {.ctx = r->ctx, .module = r->module, .in = r};
    tsr_assert(def->nparam <= MAX_PARAMS, "%s has %d parameters", def->name, def->nparam);
    TSR_TRY(def->assembly(&a, params));
    return !angle || tsr_read_expect(r, '>', "expected '>'");
}

/* '<' WORD '>' or, inside #dialect<name WORD>, the word. */
static tsr_attr *read_enum(tsr_reader *r, const tsr_attrdef *def, bool angle)
{
    tsr_asm a = {.ctx = r->ctx, .module = r->module, .in = r};
    tsr_attr *value = NULL;
    if ((def->flags & TSR_DEF_ANGLE) && !angle) /* #dialect.name WORD: no brackets of its own */
        return tsr_asm_enum(&a, def, &value) ? value : NULL;
    if (!angle && !tsr_read_expect(r, '<', "expected '<'"))
        return NULL;
    if (!tsr_asm_enum(&a, def, &value) || !tsr_read_expect(r, '>', "expected '>'"))
        return NULL;
    return value;
}

static bool is_alias(const tsr_reader *r)
{
    return *r->p != '<' && !memchr(r->tok.start, '.', r->tok.len);
}

/* (':' type)? after an attribute of an unknown dialect: part of it like the rest. */
static bool read_opaque_type(tsr_reader *r, part_vec *parts)
{
    if (!tsr_read_take(r, ':'))
        return true;
    tsr_type *type = tsr_read_type(r);
    TSR_TRY(type != NULL);
    if (type == r->ctx->none)
        return true;
    add_text(r, parts, " : ", NULL);
    merge_text(r, parts);
    tsr_vec_push(parts, (tsr_part){.type = type});
    return true;
}

tsr_attr *tsr_read_dialect_attr(tsr_reader *r)
{
    bool known, angle;
    tsr_attr *params[MAX_PARAMS] = {0};
    if (is_alias(r)) {
        alias *a = use_alias(r);
        return a ? a->attr : NULL;
    }
    const tsr_attrdef *def = read_def(r, false, &known, &angle);
    if (def && def->cases)
        return read_enum(r, def, angle);
    if (def && !read_params(r, def, angle, params))
        return NULL;
    r->older |= def && (def->flags & TSR_DEF_GONE);
    if (def)
        return def->flags & TSR_DEF_SPELLING ? params[0] : tsr_attr_struct(r->ctx, def, params);
    if (known)
        return NULL;
    const tsr_name *dialect;
    part_vec parts = {0};
    tsr_attr *result = NULL;
    if (read_opaque(r, &dialect, &parts) && read_opaque_type(r, &parts))
        result = tsr_attr_opaque(r->ctx, dialect, parts.data, parts.n);
    tsr_vec_free(&parts);
    return result;
}

tsr_type *tsr_read_dialect_type(tsr_reader *r)
{
    bool known, angle;
    tsr_attr *params[MAX_PARAMS] = {0};
    if (is_alias(r)) {
        alias *a = use_alias(r);
        return a ? a->type : NULL;
    }
    const tsr_attrdef *def = read_def(r, true, &known, &angle);
    if (def)
        return read_params(r, def, angle, params) ? tsr_type_dialect(r->ctx, def, params) : NULL;
    if (known)
        return NULL;
    const tsr_name *dialect;
    part_vec parts = {0};
    tsr_type *result = NULL;
    if (read_opaque(r, &dialect, &parts))
        result = tsr_type_opaque(r->ctx, dialect, parts.data, parts.n);
    tsr_vec_free(&parts);
    return result;
}

/* ---- {-# dialect_resources: {...}, external_resources: {...} #-} ---- */

static bool read_key(tsr_reader *r, const char *expected, const tsr_name **out)
{
    tsr_str s;
    if (tsr_read_is(r, TOK_STRING))
        TSR_TRY(tsr_read_unescape(r, &s));
    else if (tsr_read_is(r, TOK_WORD))
        s = tsr_tok_text(r);
    else
        return tsr_read_wrong(r, "%s", expected);
    *out = tsr_name_get(r->ctx, s);
    tsr_read_next(r);
    return tsr_read_expect(r, ':', "expected ':'");
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "0x" + hex of a little-endian u32 alignment + hex of the data. */
static bool read_blob(tsr_reader *r, tsr_resource *res)
{
    tsr_str s;
    TSR_TRY(tsr_read_unescape(r, &s));
    if (s.len < 2 || s.data[0] != '0' || s.data[1] != 'x' || s.len % 2)
        return tsr_read_error(r, "expected hex string blob for key '%.*s'",
                              TSR_STR_ARG(res->key->str));
    size_t n = s.len / 2 - 1;
    if (n < 4)
        return tsr_read_error(
            r, "expected hex string blob for key '%.*s' to encode alignment in first 4 bytes",
            TSR_STR_ARG(res->key->str));
    uint8_t *data = tsr_arena_alloc(&r->module->arena, n);
    for (size_t i = 0; i < n; i++) {
        int hi = hex_value(s.data[2 + 2 * i]), lo = hex_value(s.data[3 + 2 * i]);
        if (hi < 0 || lo < 0)
            return tsr_read_error(r, "expected hex string blob for key '%.*s'",
                                  TSR_STR_ARG(res->key->str));
        data[i] = (uint8_t)(hi << 4 | lo);
    }
    res->align = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                 (uint32_t)data[3] << 24;
    if (res->align && (res->align & (res->align - 1)))
        return tsr_read_error(
            r,
            "expected hex string blob for key '%.*s' to encode alignment in first 4 bytes, but got "
            "non-power-of-2 value: %u",
            TSR_STR_ARG(res->key->str), res->align);
    res->data = (tsr_str){(char *)data + 4, n - 4};
    return true;
}

static bool read_resource(tsr_reader *r, const tsr_name *group, bool external)
{
    tsr_resource res = {.dialect = group, .external = external};
    TSR_TRY(read_key(r, "expected identifier key for 'resource' entry", &res.key));
    if (external) {
        res.value = tsr_read_attr(r, NULL);
        TSR_TRY(res.value != NULL);
    } else {
        if (!tsr_read_is(r, TOK_STRING))
            return tsr_read_wrong(r, "expected hex string blob for key '%.*s'",
                                  TSR_STR_ARG(res.key->str));
        TSR_TRY(read_blob(r, &res));
        tsr_read_next(r);
    }
    tsr_vec_push(&r->module->resources, res);
    return true;
}

/* One dictionary level: '{' (key ':' ...)* '}'. */
static bool read_groups(tsr_reader *r, bool external)
{
    TSR_TRY(tsr_read_expect(r, '{', "expected '{'"));
    if (tsr_read_take(r, '}'))
        return true;
    do {
        const tsr_name *group;
        TSR_TRY(read_key(r, "expected identifier key for 'resource' entry", &group));
        TSR_TRY(tsr_read_expect(r, '{', "expected '{'"));
        if (tsr_read_take(r, '}'))
            continue;
        do
            TSR_TRY(read_resource(r, group, external));
        while (tsr_read_take(r, ','));
        TSR_TRY(tsr_read_expect(r, '}', "expected ',' or '}'"));
    } while (tsr_read_take(r, ','));
    return tsr_read_expect(r, '}', "expected ',' or '}'");
}

bool tsr_read_metadata(tsr_reader *r)
{
    tsr_read_next(r);
    if (!tsr_read_is(r, TOK_META_END)) {
        do {
            const tsr_name *section;
            tsr_loc loc = tsr_read_loc(r);
            TSR_TRY(read_key(r, "expected identifier key in file metadata dictionary", &section));
            bool external = tsr_str_is(section->str, "external_resources");
            if (!external && !tsr_str_is(section->str, "dialect_resources"))
                return tsr_error(r->ctx, loc, "unknown key '%.*s' in file metadata dictionary",
                                 TSR_STR_ARG(section->str));
            TSR_TRY(read_groups(r, external));
        } while (tsr_read_take(r, ','));
    }
    return tsr_read_expect(r, TOK_META_END, "expected ',' or '#-}'");
}
