/* SPDX-License-Identifier: Apache-2.0 */
/* str.h - borrowed strings, a growing text buffer, and the one hash. */
#ifndef TSR_BASE_STR_H
#define TSR_BASE_STR_H

#include <stdarg.h>

#include "base/compiler.h"

#define TSR_STR(literal) ((tsr_str){(literal), sizeof(literal) - 1})
#define TSR_STR_ARG(s) (int)(s).len, (s).data /* for "%.*s" */

static inline tsr_str tsr_str_of(const char *data, size_t len)
{
    return (tsr_str){data, len};
}

static inline bool tsr_str_eq(tsr_str a, tsr_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool tsr_str_is(tsr_str a, const char *b)
{
    size_t n = strlen(b);
    return a.len == n && memcmp(a.data, b, n) == 0;
}

/* Order by bytes, prefixes first: the order of MLIR's dictionaries. */
static inline int tsr_str_cmp(tsr_str a, tsr_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

static inline bool tsr_str_starts(tsr_str a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.len >= n && memcmp(a.data, prefix, n) == 0;
}

/* Drawn once per process, so that no file can be crafted whose names collide. Maps keep the order of insertion and
 * nothing else may depend on a hash: output does not depend on the seed. */
extern uint64_t tsr_hash_seed[2];

static inline uint64_t tsr_hash_mix(uint64_t h, uint64_t x)
{
    return tsr_mul_fold(h ^ tsr_hash_seed[0], x ^ tsr_hash_seed[1]);
}

static inline uint64_t tsr_hash_bytes(const void *data, size_t len)
{
    const char *p = data;
    uint64_t h = len * 0xA0761D6478BD642Fu + 1, x;
    for (; len >= 8; p += 8, len -= 8) {
        memcpy(&x, p, 8);
        h = tsr_hash_mix(h, x);
    }
    x = 0;
    if (len) {
        memcpy(&x, p, len);
        h = tsr_hash_mix(h, x);
    }
    return h ^ (h >> 29);
}

static inline uint64_t tsr_hash_str(tsr_str s)
{
    return tsr_hash_bytes(s.data, s.len);
}

/* A growing text buffer; data is NULL until the first byte. */
typedef struct {
    char *data;
    size_t len, cap;
} tsr_buf;

void tsr_buf_grow(tsr_buf *b, size_t more);
void tsr_buf_printf(tsr_buf *b, const char *fmt, ...) TSR_PRINTF(2, 3);
void tsr_buf_vprintf(tsr_buf *b, const char *fmt, va_list args);
void tsr_buf_int(tsr_buf *b, int64_t v);
void tsr_buf_uint(tsr_buf *b, uint64_t v);
/* A quantity for people to read, with three digits and a prefix: 512 B, 1.15 KB, 24.3 GFLOP. Prefixes are powers of
 * 1000; negative: ?. */
void tsr_buf_quantity(tsr_buf *b, double n, const char *unit);
/* An MLIR string literal: quotes, and \XX for characters that are not printable. */
void tsr_buf_quoted(tsr_buf *b, tsr_str s);
/* A JSON string, of valid UTF-8: a byte that is none is written \\xFF (visible.c). */
void tsr_buf_json(tsr_buf *b, tsr_str s);
/* Text in which anything that could mislead a reader is escaped (control characters, changes of direction, broken
 * UTF-8), as is anything that has a meaning where the text goes. */
typedef enum {
    TSR_VISIBLE_JSON, /* JSON inside a script, strings already quoted */
    TSR_VISIBLE_XML,
    TSR_VISIBLE_DOT,  /* inside quotes */
    TSR_VISIBLE_TEXT, /* a terminal */
} tsr_visible;
void tsr_text_visible(tsr_buf *out, tsr_str s, tsr_visible where);
void tsr_buf_free(tsr_buf *b);

static inline void tsr_buf_reserve(tsr_buf *b, size_t more)
{
    if (TSR_UNLIKELY(b->cap - b->len < more))
        tsr_buf_grow(b, more);
}

static inline void tsr_buf_char(tsr_buf *b, char c)
{
    tsr_buf_reserve(b, 1);
    b->data[b->len++] = c;
}

static inline void tsr_buf_str(tsr_buf *b, tsr_str s)
{
    if (!s.len)
        return;
    tsr_buf_reserve(b, s.len);
    memcpy(b->data + b->len, s.data, s.len);
    b->len += s.len;
}

static inline void tsr_buf_cstr(tsr_buf *b, const char *s)
{
    tsr_buf_str(b, (tsr_str){s, strlen(s)});
}

static inline tsr_str tsr_buf_text(const tsr_buf *b)
{
    return (tsr_str){b->data ? b->data : "", b->len};
}

#endif
