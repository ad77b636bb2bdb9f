/* SPDX-License-Identifier: Apache-2.0 */
/* str.c - the text buffer's slow paths, and the seed of the hash. */
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t tsr_hash_seed[2] = {0x9E3779B97F4A7C15u, 0xA0761D6478BD642Fu};

/* Before anything is hashed. Without a source of randomness, the clock and the load address are used. */
TSR_AT_LOAD static void draw_seed(void)
{
    uint64_t drawn[2];
    if (getentropy(drawn, sizeof drawn) != 0) {
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        drawn[0] = tsr_mul_fold((uint64_t)now.tv_nsec ^ tsr_hash_seed[0],
                                (uint64_t)now.tv_sec ^ tsr_hash_seed[1]);
        drawn[1] =
            tsr_mul_fold((uintptr_t)&drawn ^ tsr_hash_seed[1], (uint64_t)getpid() ^ drawn[0]);
    }
    for (int i = 0; i < 2; i++)
        tsr_hash_seed[i] ^= drawn[i];
}

tsr_str tsr_cstr(const char *s)
{
    return s ? (tsr_str){s, strlen(s)} : (tsr_str){"", 0};
}

void tsr_buf_grow(tsr_buf *b, size_t more)
{
    enum { LARGE = 1 << 20 }; /* from here on by half: else text may take twice what it needs */
    size_t cap = b->cap >= LARGE ? b->cap + b->cap / 2 : b->cap ? b->cap * 2 : 64;
    size_t need = b->len + more;
    if (cap < need)
        cap = need + need / 8; /* so that appending after a large piece does not move it */
    b->data = tsr_xrealloc(b->data, cap);
    b->cap = cap;
}

void tsr_buf_free(tsr_buf *b)
{
    tsr_free(b->data);
    *b = (tsr_buf){0};
}

void tsr_buf_vprintf(tsr_buf *b, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    tsr_buf_reserve(b, (size_t)n + 1);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
    b->len += (size_t)n;
    va_end(again);
}

void tsr_buf_printf(tsr_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(b, fmt, args);
    va_end(args);
}

void tsr_buf_uint(tsr_buf *b, uint64_t v)
{
    char digits[20];
    int n = 0;
    if (v < 10) {
        tsr_buf_char(b, (char)('0' + v));
        return;
    }
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    tsr_buf_reserve(b, 20);
    while (n)
        b->data[b->len++] = digits[--n];
}

void tsr_buf_int(tsr_buf *b, int64_t v)
{
    if (v < 0)
        tsr_buf_char(b, '-');
    tsr_buf_uint(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void tsr_buf_quoted(tsr_buf *b, tsr_str s)
{
    static const char hex[] = "0123456789ABCDEF";
    tsr_buf_reserve(b, s.len + 2);
    tsr_buf_char(b, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '\\') {
            tsr_buf_str(b, TSR_STR("\\\\"));
        } else if (c >= 0x20 && c < 0x7f && c != '"') {
            tsr_buf_char(b, (char)c);
        } else {
            tsr_buf_char(b, '\\');
            tsr_buf_char(b, hex[c >> 4]);
            tsr_buf_char(b, hex[c & 15]);
        }
    }
    tsr_buf_char(b, '"');
}

void tsr_buf_quantity(tsr_buf *b, double n, const char *unit)
{
    static const char *const prefixes[] = {"", "K", "M", "G", "T", "P", "E"};
    size_t k = 0;
    /* Rounded to three digits, 999.5 is 1 of the next prefix. */
    for (; n >= 999.5 && k + 1 < TSR_COUNT(prefixes); k++)
        n /= 1000;
    if (n < 0) {
        tsr_buf_char(b, '?');
        return;
    }
    int digits = k == 0 || n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2;
    int64_t scale = digits == 0   ? 1
                    : digits == 1 ? 10
                                  : 100,
            whole = (int64_t)(n * (double)scale + 0.5);
    tsr_buf_int(b, whole / scale);
    if (digits)
        tsr_buf_printf(b, ".%0*d", digits, (int)(whole % scale));
    tsr_buf_printf(b, " %s%s", prefixes[k], unit);
}
