/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - the characters of HLO text: white space, names, balanced pieces, numbers inside attributes. The text ends
 * with zeros, so that looking one character ahead needs no check. */
#include "text/hlo/reader.h"

#include "asm/reader.h"
#include "base/char.h"
#include "base/scope.h"

bool xla_error(xla_reader *r, const char *at, const char *fmt, ...)
{
    uint32_t line = 1;
    const char *start = r->text;
    if (r->wrong) /* one is enough: what follows is a consequence */
        return false;
    r->wrong = true;
    for (const char *p = r->text; p < at && p < r->end; p++)
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    va_list args;
    va_start(args, fmt);
    tsr_vemit(
        r->ctx, TSR_ERROR,
        tsr_loc_file(r->ctx, r->file, r->ctx->source_line + line - 1, (uint32_t)(at - start) + 1),
        fmt, args);
    va_end(args);
    return false;
}

tsr_loc xla_loc(xla_reader *r, const char *p)
{
    for (const char *q = r->line_start; q < p; q++)
        if (*q == '\n') {
            r->line++;
            r->line_start = q + 1;
        }
    return tsr_loc_file(r->ctx, r->file, r->line, (uint32_t)(p - r->line_start) + 1);
}

const char *xla_after_comment(const char *p, const char *end)
{
    if (end - p < 2 || p[0] != '/' || (p[1] != '*' && p[1] != '/'))
        return p;
    bool line = p[1] == '/';
    for (p += 2; p < end; p++)
        if (line ? *p == '\n' : p[0] == '*' && end - p > 1 && p[1] == '/')
            return line ? p : p + 2;
    return end;
}

void xla_space(xla_reader *r)
{
    for (;;) {
        while (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r')
            r->p++;
        const char *next = xla_after_comment(r->p, r->end);
        if (next == r->p)
            return;
        r->p = next;
    }
}

bool xla_take(xla_reader *r, char c)
{
    xla_space(r);
    if (r->p >= r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

bool xla_expect(xla_reader *r, char c, const char *where)
{
    if (xla_take(r, c))
        return true;
    if (r->p >= r->end)
        return xla_error(r, r->p, "expected '%c' %s: the text ends here", c, where);
    return xla_error(r, r->p, "expected '%c' %s", c, where);
}

static bool in_name(char c)
{
    return tsr_is_alpha((unsigned char)c) || tsr_is_digit((unsigned char)c) || c == '_' ||
           c == '.' || c == '-';
}

tsr_str xla_name(xla_reader *r)
{
    xla_space(r);
    if (*r->p == '%')
        r->p++;
    const char *start = r->p;
    while (r->p < r->end && in_name(*r->p))
        r->p++;
    /* "->" after a name is no part of it */
    if (r->p > start && r->p[-1] == '-' && *r->p == '>')
        r->p--;
    return (tsr_str){start, (size_t)(r->p - start)};
}

bool xla_word(xla_reader *r, const char *word)
{
    const char *before = r->p;
    if (tsr_str_is(xla_name(r), word))
        return true;
    r->p = before;
    return false;
}

bool xla_enter(xla_reader *r)
{
    tsr_check_stack();
    return ++r->depth <= TSR_MAX_NESTING ||
           xla_error(r, r->p, "nested too deeply (more than %d levels)", TSR_MAX_NESTING);
}

/* After a string that begins here; NULL: it does not end on its line. */
static const char *after_string(const char *p, const char *end)
{
    char quote = *p;
    for (p++; p < end && *p != quote; p++)
        if (*p == '\\' && p + 1 < end)
            p++;
    return p < end ? p + 1 : NULL;
}

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* The first character from p on that is one of stops, outside brackets, strings and comments; *bad: where a bracket or a
 * string has no end. A bracket that closes none of these ends it, too. */
static const char *balanced(const char *p, const char *end, const char *stops, const char **bad)
{
    const char *opened = p;
    uint32_t depth = 0;
    *bad = NULL;
    while (p < end) {
        char c = *p;
        const char *next = xla_after_comment(p, end);
        if (next != p) {
            p = next;
            continue;
        }
        if (!depth && c && strchr(stops, c))
            return p;
        if (c == '"' || (c == '\'' && depth)) {
            next = after_string(p, end);
            if (!next)
                return *bad = p;
            p = next;
            continue;
        }
        if (opens(c) && !depth++)
            opened = p;
        if (closes(c) && !depth--)
            return p;
        p++;
    }
    *bad = depth ? opened : NULL;
    return end;
}

bool xla_skip(xla_reader *r, const char *stops)
{
    const char *bad;
    r->p = balanced(r->p, r->end, stops, &bad);
    if (!bad)
        return true;
    return xla_error(r, bad,
                     *bad == '"' || *bad == '\'' ? "this string does not end"
                                                 : "this bracket is not closed");
}

/* ---- Inside attributes ---- */

static void skip_space(xla_text *t)
{
    for (;;) {
        while (t->p < t->end && (*t->p == ' ' || *t->p == '\n' || *t->p == '\t' || *t->p == '\r'))
            t->p++;
        const char *next = t->p < t->end ? xla_after_comment(t->p, t->end) : t->p;
        if (next == t->p)
            return;
        t->p = next;
    }
}

bool xla_text_take(xla_text *t, char c)
{
    skip_space(t);
    if (t->p >= t->end || *t->p != c)
        return false;
    t->p++;
    return true;
}

bool xla_text_int(xla_text *t, int64_t *out)
{
    skip_space(t);
    const char *p = t->p;
    bool negative = p < t->end && *p == '-';
    p += negative;
    uint64_t v = 0;
    const char *start = p;
    for (; p < t->end && tsr_is_digit((unsigned char)*p); p++)
        v = v > UINT64_MAX / 16 ? v : 10 * v + (uint64_t)(*p - '0');
    if (p == start)
        return false;
    t->p = p;
    *out = (int64_t)(negative ? 0 - v : v);
    return true;
}

bool xla_next_int(xla_text *t, int64_t *out)
{
    while (t->p < t->end) {
        if (xla_text_int(t, out))
            return true;
        if (t->p < t->end)
            t->p++;
    }
    return false;
}

tsr_str xla_text_word(xla_text *t)
{
    skip_space(t);
    const char *start = t->p;
    while (t->p < t->end && in_name(*t->p))
        t->p++;
    return (tsr_str){start, (size_t)(t->p - start)};
}

bool xla_text_inside(xla_text *t, tsr_str *out)
{
    const char *bad;
    skip_space(t);
    if (t->p >= t->end || !opens(*t->p))
        return false;
    const char *start = ++t->p;
    const char *stop = balanced(start, t->end, "", &bad);
    if (bad || stop >= t->end)
        return false;
    *out = (tsr_str){start, (size_t)(stop - start)};
    t->p = stop + 1;
    return true;
}

bool xla_text_item(xla_text *t, tsr_str *out)
{
    const char *bad;
    skip_space(t);
    if (t->p >= t->end)
        return false;
    const char *start = t->p;
    const char *stop = balanced(start, t->end, ",", &bad);
    t->p = stop < t->end ? stop + 1 : t->end;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\n'))
        stop--;
    *out = (tsr_str){start, (size_t)(stop - start)};
    return true;
}

tsr_str xla_unquote(xla_reader *r, tsr_str s)
{
    if (s.len < 2 || s.data[0] != '"')
        return s;
    char *text = tsr_arena_alloc(&r->arena, s.len);
    size_t n = 0;
    for (size_t i = 1; i + 1 < s.len; i++) {
        char c = s.data[i];
        if (c == '\\' && i + 2 < s.len) {
            c = s.data[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        text[n++] = c;
    }
    return (tsr_str){text, n};
}
