/* SPDX-License-Identifier: Apache-2.0 */
/* diag.c - diagnostics as LLVM's SourceMgr prints them: position, message, the line with tabs as spaces, a caret.
 *
 * Any file must be safe to show on a terminal: only a window around the caret of a long line is shown, control
 * characters and bytes that are not UTF-8 are shown as \xNN, and colours are only used on a terminal that did not
 * disable them (NO_COLOR). */
#include "tools.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/scope.h"

enum {
    TAB = 8,
    WIDEST = 200, /* lines up to this many bytes are shown whole */
    AROUND = 80,  /* bytes of a longer line on each side of the caret */
};

tsr_str source_line(const source *src, uint32_t line)
{
    const char *p = src->text.data, *end = TSR_FROM(p, src->text.len);
    uint32_t at = 1;
    if (src->last && src->last->p && src->last->line <= line) {
        p = src->last->p;
        at = src->last->line;
    }
    for (; at < line && p < end; at++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        p = nl ? nl + 1 : end;
    }
    if (src->last)
        *src->last = (source_mark){at, p};
    if (line == 0 || p >= end)
        return (tsr_str){"", 0};
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    size_t len = (size_t)((nl ? nl : end) - p);
    if (len && p[len - 1] == '\r')
        len--;
    return (tsr_str){p, len};
}

/* ---- Colours ---- */

static const char *const colours[] = {[TSR_ERROR] = "\033[1;31m",
                                      [TSR_WARNING] = "\033[1;35m",
                                      [TSR_NOTE] = "\033[1;36m",
                                      [TSR_REMARK] = "\033[1;34m"};
#define BOLD "\033[1m"
#define CARET "\033[1;32m"
#define PLAIN "\033[0m"

bool has_colours(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

/* ---- Text that is safe to show ---- */

/* How many bytes the character at s has; 0: not UTF-8, or a control character, including those that change the
 * direction of text and thus what a reader sees. */
static size_t printable(const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t len = p[0] < 0x80                   ? 1
                 : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
                 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
                 : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                               : 0;
    if (!len || len > n || p[0] < 0x20 || p[0] == 0x7F)
        return 0;
    uint32_t code = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool directs = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                   (code >= 0x2066 && code <= 0x2069);
    bool control = code >= 0x80 && code < 0xA0;
    return code < smallest[len] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ||
                   directs || control
               ? 0
               : len;
}

/* Appends the character at s; returns how many of its bytes that were. */
static size_t put_char(tsr_buf *out, const char *s, size_t n)
{
    size_t len = printable(s, n);
    if (len)
        tsr_buf_str(out, (tsr_str){s, len});
    else
        tsr_buf_printf(out, "\\x%02X", (unsigned char)*s);
    return len ? len : 1;
}

static void put_message(tsr_buf *out, tsr_str s)
{
    for (size_t i = 0; i < s.len;) {
        if (s.data[i] == '\n' || s.data[i] == '\t')
            tsr_buf_char(out, s.data[i++]);
        else
            i += put_char(out, s.data + i, s.len - i);
    }
}

/* ---- The line and its caret ---- */

/* The part of a long line that is shown; it begins and ends between characters. */
static void find_window(tsr_str line, size_t caret, size_t *first, size_t *end)
{
    *first = 0;
    *end = line.len;
    if (line.len <= WIDEST)
        return;
    *first = caret > AROUND ? caret - AROUND : 0;
    *end = caret + AROUND < line.len ? caret + AROUND : line.len;
    while (*first && *first < line.len && ((unsigned char)line.data[*first] & 0xC0) == 0x80)
        --*first;
    while (*end < line.len && ((unsigned char)line.data[*end] & 0xC0) == 0x80)
        ++*end;
}

/* The line and under it the caret; tabs reach to the next multiple of 8 in both. */
static void print_line(FILE *out, tsr_str line, uint32_t col, size_t underline, bool coloured)
{
    tsr_buf text = {0}, marks = {0};
    bool ascii = true;
    size_t caret = col - 1, last = caret + (underline ? underline : 1), first, end;
    find_window(line, caret, &first, &end);
    if (first) {
        tsr_buf_cstr(&text, "... ");
        tsr_buf_cstr(&marks, "    ");
    }
    for (size_t i = first; i < end || i <= caret;) {
        char mark = i == caret ? '^' : i > caret && i < last ? '~' : ' ';
        char fill = mark == ' ' ? ' ' : '~';
        size_t before = marks.len, shown = text.len, taken = 1;
        tsr_buf_char(&marks, mark);
        if (i >= end) {
            i++;
            continue;
        }
        ascii &= (unsigned char)line.data[i] < 0x80;
        if (line.data[i] == '\t')
            do
                tsr_buf_char(&text, ' ');
            while (text.len % TAB != 0);
        else
            taken = put_char(&text, line.data + i, end - i);
        /* Under an escape or a tab the marks are as wide as what is shown. */
        bool tab = line.data[i] == '\t';
        while (taken == 1 && marks.len - before < text.len - shown)
            tsr_buf_char(&marks, tab && mark == '^' ? ' ' : fill);
        i += taken;
    }
    if (end < line.len)
        tsr_buf_cstr(&text, " ...");
    while (marks.len && marks.data[marks.len - 1] == ' ')
        marks.len--;
    fprintf(out, "%.*s\n", TSR_STR_ARG(tsr_buf_text(&text)));
    /* Columns of a line that is not plain ASCII are unknown. */
    if (ascii)
        fprintf(out, "%s%.*s%s\n", coloured ? CARET : "", TSR_STR_ARG(tsr_buf_text(&marks)),
                coloured ? PLAIN : "");
    tsr_buf_free(&text);
    tsr_buf_free(&marks);
}

void diag_print(FILE *out, const source *src, const tsr_diag *d, size_t underline)
{
    static const char *const kinds[] = {[TSR_ERROR] = "error",
                                        [TSR_WARNING] = "warning",
                                        [TSR_NOTE] = "note",
                                        [TSR_REMARK] = "remark"};
    bool coloured = has_colours(out);
    tsr_buf text = {0};
    tsr_buf_cstr(&text, coloured ? BOLD : "");
    if (d->file.len) {
        put_message(&text, d->file);
        tsr_buf_printf(&text, ":%u:%u: ", d->line, d->col);
    } else {
        tsr_buf_cstr(&text, "<unknown>:0: ");
    }
    tsr_buf_printf(&text, "%s%s: %s", coloured ? colours[d->severity] : "", kinds[d->severity],
                   coloured ? PLAIN BOLD : "");
    if (!d->file.len && d->location.len && !tsr_str_is(d->location, "unknown")) {
        tsr_buf_cstr(&text, "loc(");
        put_message(&text, d->location);
        tsr_buf_cstr(&text, "): ");
    }
    put_message(&text, d->message);
    fprintf(out, "%.*s%s\n", TSR_STR_ARG(tsr_buf_text(&text)), coloured ? PLAIN : "");
    tsr_buf_free(&text);
    if (!d->file.len)
        return;
    bool ours = src && tsr_str_eq(d->file, src->file);
    tsr_str line = d->source;
    if (!line.len && ours)
        line = source_line(src, d->line);
    if (d->line && d->col && (line.len || ours) && d->col <= line.len + 1)
        print_line(out, line, d->col, underline, coloured);
}

/* Without memory for more: what happened, and where. */
static void diag_short(const tsr_diag *d)
{
    fprintf(stderr, "%.*s:%u:%u: error: %.*s\n", TSR_STR_ARG(d->file), d->line, d->col,
            TSR_STR_ARG(d->message));
}

void diag_to_stderr(void *user, const tsr_diag *d)
{
    tsr_scope s;
    working_hide();
    if (!tsr_scope_open(&s, NULL, NULL)) {
        diag_print(stderr, user, d, 1);
        return;
    }
    if (setjmp(s.out) != 0) {
        tsr_scope_sweep(&s);
        diag_short(d);
        return;
    }
    diag_print(stderr, user, d, 1);
    tsr_scope_close(&s);
}
