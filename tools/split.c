/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - splits a file into chunks: the marker ends one wherever it is, unless more dashes follow. */
#include "tools.h"

static uint32_t lines_in(const char *p, const char *end)
{
    uint32_t n = 0;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        n++;
        p++;
    }
    return n;
}

bool split_next(tsr_str text, const char *marker, size_t *at, uint32_t *line, tsr_str *chunk,
                uint32_t *chunk_line)
{
    size_t len = strlen(marker);
    const char *start = TSR_FROM(text.data, *at), *end = TSR_FROM(text.data, text.len);
    if (*at > text.len)
        return false;
    *chunk_line = *line;
    for (const char *p = start; len && (size_t)(end - p) >= len; p++) {
        p = memchr(p, marker[0], (size_t)(end - p) - len + 1);
        if (!p)
            break;
        if (memcmp(p, marker, len) != 0 || (p + len < end && p[len] == '-'))
            continue;
        *chunk = (tsr_str){start, (size_t)(p - start)};
        *at = (size_t)(p + len - text.data);
        *line += lines_in(start, p);
        return true;
    }
    *chunk = (tsr_str){start, (size_t)(end - start)};
    *at = text.len + 1;
    return true;
}
