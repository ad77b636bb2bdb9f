/* SPDX-License-Identifier: Apache-2.0 */
/* visible.c - prints names that others chose, so that hidden characters show and nothing is interpreted. */
#include "base/str.h"

/* Decodes the character at the start of s; *n: its bytes, 0 if it is not UTF-8. */
static uint32_t decode(tsr_str s, size_t *n)
{
    const unsigned char *p = (const unsigned char *)s.data;
    size_t want = p[0] < 0x80   ? 1
                  : p[0] < 0xC2 ? 0
                  : p[0] < 0xE0 ? 2
                  : p[0] < 0xF0 ? 3
                  : p[0] < 0xF5 ? 4
                                : 0;
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = p[0] & masks[want];
    *n = 0;
    if (!want || want > s.len)
        return 0;
    for (size_t i = 1; i < want; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3F);
    }
    if (c < least[want] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    *n = want;
    return c;
}

/* Control characters, marks and changes of direction, line separators, and characters not allowed in XML. */
static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE ||
           (c >= 0xE0000 && c < 0xE1000);
}

/* The escape for a character that has a meaning there; NULL: none needed. */
static const char *instead(uint32_t c, tsr_visible where)
{
    if (where == TSR_VISIBLE_TEXT)
        return NULL;
    if (where == TSR_VISIBLE_DOT)
        return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
    bool json = where == TSR_VISIBLE_JSON;
    switch (c) {
    case '<': return json ? "\\u003c" : "&lt;";
    case '>': return json ? "\\u003e" : "&gt;";
    case '&': return json ? "\\u0026" : "&amp;";
    case '"': return json ? NULL : "&quot;";
    default: return NULL;
    }
}

/* The number of bytes at the start of s that need no escape anywhere. */
static size_t plain_run(tsr_str s)
{
    size_t n = 0;
    while (n < s.len && s.data[n] >= 0x20 && s.data[n] < 0x7F && s.data[n] != '<' &&
           s.data[n] != '>' && s.data[n] != '&' && s.data[n] != '"' && s.data[n] != '\\')
        n++;
    return n;
}

void tsr_text_visible(tsr_buf *out, tsr_str s, tsr_visible where)
{
    bool quoted = where == TSR_VISIBLE_JSON || where == TSR_VISIBLE_DOT;
    const char *slash = quoted ? "\\\\" : "\\";
    for (size_t i = 0, n; i < s.len; i += n ? n : 1) {
        n = plain_run((tsr_str){s.data + i, s.len - i});
        if (n) {
            tsr_buf_str(out, (tsr_str){s.data + i, n});
            continue;
        }
        uint32_t c = decode((tsr_str){s.data + i, s.len - i}, &n);
        const char *other = n ? instead(c, where) : NULL;
        if (!n)
            tsr_buf_printf(out, "%sx%02X", slash, (unsigned char)s.data[i]);
        else if (other)
            tsr_buf_cstr(out, other);
        else if (is_hidden(c) && !(c == '\n' && where == TSR_VISIBLE_JSON))
            tsr_buf_printf(out, "%su%04X", slash, c);
        else
            tsr_buf_str(out, (tsr_str){s.data + i, n});
    }
}

void tsr_buf_json(tsr_buf *b, tsr_str s)
{
    tsr_buf_char(b, '"');
    for (size_t i = 0, n; i < s.len; i += n ? n : 1) {
        unsigned char c = (unsigned char)s.data[i];
        n = plain_run((tsr_str){s.data + i, s.len - i});
        if (!n)
            decode((tsr_str){s.data + i, s.len - i}, &n);
        if (!n)
            tsr_buf_printf(b, "\\\\x%02X", c);
        else if (c < 0x20)
            tsr_buf_printf(b, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\')
                tsr_buf_char(b, '\\');
            tsr_buf_str(b, (tsr_str){s.data + i, n});
        }
    }
    tsr_buf_char(b, '"');
}
