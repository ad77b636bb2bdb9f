/* SPDX-License-Identifier: Apache-2.0 */
/* lexer.c - characters to tokens, as MLIR's lexer cuts them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/char.h"
#include "base/decimal.h"
#include "asm/reader.h"

#include "base/scope.h"
enum { PADDING = 16 };

enum {
    C_SPACE = 1,
    C_DIGIT = 2,
    C_LETTER = 4 /* and _ */,
    C_WORD = 8 /* letters, digits, _ $ . */,
    C_SUFFIX = 16 /* and - */,
    C_ALONE = 32 /* a token of one character, whatever follows */
};

/* Which tokens each character may be part of. */
static const uint8_t classes[256] = {
    ['('] = C_ALONE,
    [')'] = C_ALONE,
    ['}'] = C_ALONE,
    ['['] = C_ALONE,
    [']'] = C_ALONE,
    ['<'] = C_ALONE,
    ['>'] = C_ALONE,
    [','] = C_ALONE,
    ['='] = C_ALONE,
    ['?'] = C_ALONE,
    ['*'] = C_ALONE,
    ['+'] = C_ALONE,
    ['/'] = C_ALONE,
    ['|'] = C_ALONE,
    [';'] = C_ALONE,
    [' '] = C_SPACE,
    ['\t'] = C_SPACE,
    ['\r'] = C_SPACE,
    ['\n'] = C_SPACE,
    ['$'] = C_WORD | C_SUFFIX,
    ['.'] = C_WORD | C_SUFFIX,
    ['-'] = C_SUFFIX,
    ['_'] = C_LETTER | C_WORD | C_SUFFIX,
#define DIGIT(c) [c] = C_DIGIT | C_WORD | C_SUFFIX
#define LETTER(c) [c] = C_LETTER | C_WORD | C_SUFFIX
    DIGIT('0'),
    DIGIT('1'),
    DIGIT('2'),
    DIGIT('3'),
    DIGIT('4'),
    DIGIT('5'),
    DIGIT('6'),
    DIGIT('7'),
    DIGIT('8'),
    DIGIT('9'),
    LETTER('a'),
    LETTER('b'),
    LETTER('c'),
    LETTER('d'),
    LETTER('e'),
    LETTER('f'),
    LETTER('g'),
    LETTER('h'),
    LETTER('i'),
    LETTER('j'),
    LETTER('k'),
    LETTER('l'),
    LETTER('m'),
    LETTER('n'),
    LETTER('o'),
    LETTER('p'),
    LETTER('q'),
    LETTER('r'),
    LETTER('s'),
    LETTER('t'),
    LETTER('u'),
    LETTER('v'),
    LETTER('w'),
    LETTER('x'),
    LETTER('y'),
    LETTER('z'),
    LETTER('A'),
    LETTER('B'),
    LETTER('C'),
    LETTER('D'),
    LETTER('E'),
    LETTER('F'),
    LETTER('G'),
    LETTER('H'),
    LETTER('I'),
    LETTER('J'),
    LETTER('K'),
    LETTER('L'),
    LETTER('M'),
    LETTER('N'),
    LETTER('O'),
    LETTER('P'),
    LETTER('Q'),
    LETTER('R'),
    LETTER('S'),
    LETTER('T'),
    LETTER('U'),
    LETTER('V'),
    LETTER('W'),
    LETTER('X'),
    LETTER('Y'),
    LETTER('Z'),
#undef DIGIT
#undef LETTER
};

static inline bool is(char c, int class)
{
    return classes[(unsigned char)c] & class;
}

void tsr_reader_init(tsr_reader *r, tsr_ctx *ctx, tsr_module *m, tsr_str text, tsr_str file,
                     uint32_t line)
{
    memset(r, 0, sizeof *r);
    r->ctx = ctx;
    r->module = m;
    tsr_arena_init_pooled(&r->scratch, &ctx->pool);
    r->text = tsr_arena_alloc(&r->scratch, text.len + PADDING);
    if (text.len)
        memcpy(r->text, text.data, text.len);
    memset(r->text + text.len, 0, PADDING);
    r->end = r->text + text.len;
    r->p = r->line_start = r->text;
    r->line = line;
    r->file = tsr_name_get(ctx, file);
    r->packed_file = tsr_loc_pack(ctx, r->file, 0, 0);
    r->outer_source = ctx->source;
    r->outer_file = ctx->source_file;
    r->outer_line = ctx->source_line;
    ctx->source_file = r->file;
    ctx->source = (tsr_str){r->text, text.len};
    ctx->source_line = line;
    tsr_read_next(r);
}

void tsr_reader_free(tsr_reader *r)
{
    r->ctx->source = r->outer_source;
    r->ctx->source_file = r->outer_file;
    r->ctx->source_line = r->outer_line;
    tsr_map_free(&r->aliases);
    tsr_vec_free(&r->distincts);
    tsr_arena_free(&r->scratch);
}

/* ---- Positions and errors ---- */

static tsr_loc loc_of(const tsr_reader *r, const char *p, uint32_t line, const char *line_start)
{
    uint32_t col = (uint32_t)(p - line_start) + 1;
    return TSR_LIKELY(tsr_loc_packs(r->packed_file, line, col))
               ? tsr_loc_at(r->packed_file, line, col)
               : tsr_loc_file(r->ctx, r->file, line, col);
}

tsr_loc tsr_read_loc(const tsr_reader *r)
{
    return loc_of(r, r->tok.start, r->line, r->line_start);
}

tsr_loc tsr_read_loc_at(const tsr_reader *r, const char *p)
{
    uint32_t line = r->line;
    const char *start = r->line_start;
    while (p < start) {
        line--;
        for (start--; start > r->text && start[-1] != '\n'; start--)
            ;
    }
    return loc_of(r, p, line, start);
}

bool tsr_read_error(tsr_reader *r, const char *fmt, ...)
{
    if (r->tok.kind == TOK_ERROR)
        return false; /* the lexer has reported the error */
    va_list args;
    va_start(args, fmt);
    tsr_vemit(r->ctx, TSR_ERROR, tsr_read_loc(r), fmt, args);
    va_end(args);
    return false;
}

/* Where a missing token is reported: after the last text before it, comments and blank lines skipped. */
static const char *missed_at(const tsr_reader *r)
{
    const char *original = r->tok.start;
    if (r->tok.kind == TOK_EOF && original > r->text)
        original--;
    const char *p = original;
    for (;;) {
        while (p > r->text && (p[-1] == ' ' || p[-1] == '\t'))
            p--;
        if (p == r->text)
            return original;
        if (p[-1] != '\n' && p[-1] != '\r')
            return p;
        p--;
        const char *line = p;
        while (line > r->text && line[-1] != '\n' && line[-1] != '\r')
            line--;
        for (const char *c = line; c + 1 < p; c++)
            if (c[0] == '/' && c[1] == '/') {
                p = c;
                break;
            }
    }
}

bool tsr_read_wrong(tsr_reader *r, const char *fmt, ...)
{
    if (r->tok.kind == TOK_ERROR)
        return false;
    va_list args;
    va_start(args, fmt);
    tsr_vemit(r->ctx, TSR_ERROR, tsr_read_loc_at(r, missed_at(r)), fmt, args);
    va_end(args);
    return false;
}

bool tsr_read_enter(tsr_reader *r)
{
    tsr_check_stack();
    r->nodes++;
    if (++r->depth > r->deepest)
        r->deepest = r->depth;
    if (r->depth <= TSR_MAX_NESTING)
        return true;
    if (r->depth == TSR_MAX_NESTING + 1)
        tsr_read_error(r, "nested too deeply (more than %d levels)", TSR_MAX_NESTING);
    return false;
}

/* ---- Tokens ---- */

static void bad(tsr_reader *r, const char *at, const char *what)
{
    tsr_error(r->ctx, tsr_read_loc_at(r, at), "%s", what);
    r->tok = (tsr_token){TOK_ERROR, at, 1};
    r->p = r->end; /* nothing that follows can be trusted */
}

static void set(tsr_reader *r, int kind, const char *start, const char *end)
{
    r->tok = (tsr_token){kind, start, (size_t)(end - start)};
    r->p = end;
}

/* string ::= '"' [^"\n\f\v\r]* '"' with escapes; p at the quote. Returns the end, or NULL after an error. */
static const char *scan_string(tsr_reader *r, const char *p)
{
    for (p++;; p++) {
        switch (*p) {
        case '"': return p + 1;
        case '\\':
            if (p[1] == '"' || p[1] == '\\' || p[1] == 'n' || p[1] == 't') {
                p++;
            } else if (tsr_is_hex(p[1]) && tsr_is_hex(p[2])) {
                p += 2;
            } else {
                bad(r, p, "unknown escape in string literal");
                return NULL;
            }
            break;
        case 0:
            if (p < r->end)
                break; /* a NUL inside a string is part of it */
            /* fall through */
        case '\n':
        case '\v':
        case '\f': bad(r, p, "expected '\"' in string literal"); return NULL;
        }
    }
}

/* number ::= [0-9]+ | 0x[0-9a-fA-F]+ | [0-9]+ '.' [0-9]* ([eE] [-+]? [0-9]+)? */
static void scan_number(tsr_reader *r, const char *start)
{
    const char *p = start + 1;
    if (*start == '0' && *p == 'x' && tsr_is_hex(p[1])) {
        for (p++; tsr_is_hex(*p); p++)
            ;
        set(r, TOK_INT, start, p);
        return;
    }
    while (is(*p, C_DIGIT))
        p++;
    if (*p != '.') {
        set(r, TOK_INT, start, p);
        return;
    }
    for (p++; is(*p, C_DIGIT); p++)
        ;
    if (*p == 'e' || *p == 'E') {
        const char *e = p + 1;
        if (*e == '+' || *e == '-')
            e++;
        if (is(*e, C_DIGIT)) {
            while (is(*e, C_DIGIT))
                e++;
            p = e;
        }
    }
    set(r, TOK_FLOAT, start, p);
}

/* '%', '^', '#' or '!' and digits, or a name with - $ . in it. */
static void scan_prefixed(tsr_reader *r, const char *start, int kind, const char *what)
{
    const char *p = start + 1;
    if (is(*p, C_DIGIT)) {
        while (is(*p, C_DIGIT))
            p++;
    } else if (is(*p, C_LETTER) || *p == '$' || *p == '.' || *p == '-') {
        while (is(*p, C_SUFFIX))
            p++;
    } else {
        bad(r, start, what);
        return;
    }
    set(r, kind, start, p);
}

/* Skips white space and comments. */
static const char *skip_space(tsr_reader *r, const char *p)
{
    for (;;) {
        while (is(*p, C_SPACE)) {
            if (*p++ == '\n') {
                r->line++;
                r->line_start = p;
            }
        }
        if (p[0] != '/' || p[1] != '/')
            return p;
        while (p < r->end && *p != '\n')
            p++;
    }
}

static void scan_word(tsr_reader *r, int kind, const char *start, const char *p)
{
    while (is(*p, C_WORD))
        p++;
    set(r, kind, start, p);
}

/* '@' and a word or a string. */
static void scan_symbol(tsr_reader *r, const char *start)
{
    const char *p = start + 1;
    if (*p == '"') {
        p = scan_string(r, p);
        if (p)
            set(r, TOK_AT, start, p);
    } else if (is(*p, C_LETTER)) {
        scan_word(r, TOK_AT, start, p);
    } else {
        bad(r, p, "@ identifier expected to start with letter or '_'");
    }
}

/* The token of several characters if rest follows the first, else the first alone. */
static void scan_longer(tsr_reader *r, const char *start, const char *rest, int kind)
{
    size_t n = strlen(rest);
    if (strncmp(start + 1, rest, n) == 0)
        set(r, kind, start, start + 1 + n);
    else
        set(r, *start, start, start + 1);
}

static void scan_rest(tsr_reader *r, const char *start)
{
    const char *p = start + 1;
    switch (*start) {
    case '%': scan_prefixed(r, start, TOK_PERCENT, "invalid SSA name"); return;
    case '^': scan_prefixed(r, start, TOK_CARET, "invalid block name"); return;
    case '!': scan_prefixed(r, start, TOK_BANG, "invalid type identifier"); return;
    case '#':
        if (p[0] == '-' && p[1] == '}')
            set(r, TOK_META_END, start, p + 2);
        else
            scan_prefixed(r, start, TOK_HASH, "invalid attribute name");
        return;
    case '@': scan_symbol(r, start); return;
    case '"':
        p = scan_string(r, start);
        if (p)
            set(r, TOK_STRING, start, p);
        return;
    case '-': scan_longer(r, start, ">", TOK_ARROW); return;
    case ':': scan_longer(r, start, ":", TOK_COLONS); return;
    case '{': scan_longer(r, start, "-#", TOK_META_BEGIN); return;
    case '.':
        if (p[0] == '.' && p[1] == '.')
            set(r, TOK_ELLIPSIS, start, p + 2);
        else
            bad(r, p, "expected three consecutive dots for an ellipsis");
        return;
    default:
        if (is(*start, C_DIGIT))
            scan_number(r, start);
        else if (*start == 0 && start == r->end)
            set(r, TOK_EOF, start, start);
        else
            bad(r, start, "unexpected character");
    }
}

void tsr_read_next(tsr_reader *r)
{
    const char *start = skip_space(r, r->p);
    if (is(*start, C_LETTER))
        scan_word(r, TOK_WORD, start, start + 1);
    else if (is(*start, C_ALONE))
        set(r, *start, start, start + 1);
    else
        scan_rest(r, start);
}

tsr_read_mark tsr_read_save(const tsr_reader *r)
{
    return (tsr_read_mark){r->p, r->line_start, r->line, r->tok};
}

void tsr_read_restore(tsr_reader *r, tsr_read_mark mark)
{
    r->p = mark.p;
    r->line_start = mark.line_start;
    r->line = mark.line;
    r->tok = mark.tok;
}

void tsr_read_jump(tsr_reader *r, const char *here)
{
    for (const char *p = r->tok.start; p < here; p++)
        if (*p == '\n') {
            r->line++;
            r->line_start = p + 1;
        }
    r->p = here;
    tsr_read_next(r);
}

bool tsr_read_take_word(tsr_reader *r, const char *word)
{
    if (!tsr_read_word_is(r, word))
        return false;
    tsr_read_next(r);
    return true;
}

bool tsr_read_expect(tsr_reader *r, int kind, const char *message)
{
    if (tsr_read_take(r, kind))
        return true;
    return tsr_read_wrong(r, "%s", message);
}

/* ---- Values of tokens ---- */

static int hex_digit(char c)
{
    return is(c, C_DIGIT) ? c - '0' : (c | 32) - 'a' + 10;
}

bool tsr_read_unescape(tsr_reader *r, tsr_str *out)
{
    const char *p = r->tok.start, *end = p + r->tok.len - 1;
    if (*p == '@')
        p++;
    p++;
    size_t plain = (size_t)(end - p);
    if (!memchr(p, '\\', plain)) {
        *out = (tsr_str){p, plain};
        return true;
    }
    char *buf = tsr_arena_alloc(&r->scratch, plain);
    size_t n = 0;
    while (p < end) {
        char c = *p++;
        if (c == '\\') {
            c = *p++;
            if (c == 'n') {
                c = '\n';
            } else if (c == 't') {
                c = '\t';
            } else if (c != '"' && c != '\\') {
                c = (char)(hex_digit(c) << 4 | hex_digit(*p));
                p++;
            }
        }
        buf[n++] = c;
    }
    *out = (tsr_str){buf, n};
    return true;
}

bool tsr_tok_uint(tsr_str s, uint64_t *out)
{
    uint64_t v = 0;
    if (s.len > 2 && s.data[1] == 'x') {
        for (size_t i = 2; i < s.len; i++) {
            if (v >> 60)
                return false;
            v = v << 4 | (uint64_t)hex_digit(s.data[i]);
        }
    } else {
        for (size_t i = 0; i < s.len; i++) {
            uint64_t d = (uint64_t)(s.data[i] - '0');
            if (v > (UINT64_MAX - d) / 10)
                return false;
            v = v * 10 + d;
        }
    }
    *out = v;
    return true;
}

double tsr_tok_double(const char *start, size_t len)
{
    size_t used;
    return tsr_read_double(tsr_str_of(start, len), &used);
}
