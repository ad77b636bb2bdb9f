/* SPDX-License-Identifier: Apache-2.0 */
/* path.c - see path.h. */
#include "base/path.h"

static bool separates(char c)
{
    return c == '/' || c == '.' || c == '[' || c == ']' || c == '\'' || c == '"';
}

void tsr_path_normal(tsr_buf *out, tsr_str name)
{
    bool first = true;
    for (size_t i = 0, n; i < name.len; i += n) {
        for (n = 0; i + n < name.len && !separates(name.data[i + n]);)
            n++;
        if (n && !first)
            tsr_buf_char(out, '/');
        tsr_buf_str(out, tsr_str_of(name.data + i, n));
        first &= !n;
        n += !n;
    }
}

/* The part of a path that begins at `at`; *at moves behind it and its slash. */
static tsr_str next_part(tsr_str path, size_t *at)
{
    size_t from = *at, n = 0;
    while (from + n < path.len && path.data[from + n] != '/')
        n++;
    *at = from + n + 1;
    return tsr_str_of(path.data + from, n);
}

static bool is_rest(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80; /* of a character of several bytes */
}

/* One part; after a mismatch the last * takes one character more. */
static bool part_fits(tsr_str pattern, tsr_str part)
{
    size_t p = 0, i = 0, star = SIZE_MAX, from = 0;
    while (i < part.len) {
        bool any = p < pattern.len && pattern.data[p] == '?';
        if (p < pattern.len && pattern.data[p] == '*') {
            star = p++;
            from = i;
        } else if (any || (p < pattern.len && pattern.data[p] == part.data[i])) {
            p++;
            for (i++; any && i < part.len && is_rest(part.data[i]);)
                i++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            i = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.data[p] == '*')
        p++;
    return p == pattern.len;
}

/* Parts of a path, by the same steps: ** is the star. */
bool tsr_path_reach(tsr_str pattern, tsr_str path, size_t *reach)
{
    size_t p = 0, i = 0, star = SIZE_MAX, from = 0;
    while (i < path.len) {
        size_t next_p = p, next_i = i;
        tsr_str want = p < pattern.len ? next_part(pattern, &next_p) : (tsr_str){"", 0};
        tsr_str part = next_part(path, &next_i);
        if (tsr_str_is(want, "**")) {
            star = p = next_p;
            from = i;
        } else if (want.len && part_fits(want, part)) {
            p = next_p;
            i = next_i;
        } else if (star != SIZE_MAX) {
            p = star;
            next_part(path, &from);
            i = from;
        } else {
            return false;
        }
        *reach = p > *reach ? p : *reach;
    }
    while (p < pattern.len) {
        size_t next_p = p;
        if (!tsr_str_is(next_part(pattern, &next_p), "**"))
            return false;
        p = next_p;
    }
    return true;
}

bool tsr_path_fits(tsr_str pattern, tsr_str path)
{
    size_t reach = 0;
    return tsr_path_reach(pattern, path, &reach);
}
