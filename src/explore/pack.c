/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c - text made small for a page, which unpacks it (page/base.js): its size, and deflate (RFC 1951) with the fixed
 * codes, in base64. Repeats are found by a table of the last place of each four bytes. */
#include "base/scope.h"
#include "explore/graph.h"

enum { WINDOW = 32768, HASH_BITS = 15, LEAST = 4, MOST = 258, TRIES = 8, END = 256 };

typedef struct {
    tsr_buf bytes;
    uint64_t bits; /* not yet a byte */
    unsigned nbit;
} packer;

static void put(packer *p, unsigned bits, unsigned n)
{
    p->bits |= (uint64_t)bits << p->nbit;
    for (p->nbit += n; p->nbit >= 8; p->nbit -= 8, p->bits >>= 8)
        tsr_buf_char(&p->bytes, (char)(p->bits & 255));
}

/* Codes begin with their highest bit, other numbers with their lowest. */
static void put_code(packer *p, unsigned code, unsigned n)
{
    unsigned turned = 0;
    for (unsigned i = 0; i < n; i++)
        turned |= (code >> i & 1) << (n - 1 - i);
    put(p, turned, n);
}

static void put_symbol(packer *p, unsigned s)
{
    if (s < 144)
        put_code(p, 0x30 + s, 8);
    else if (s < 256)
        put_code(p, 0x190 + s - 144, 9);
    else if (s < 280)
        put_code(p, s - 256, 7);
    else
        put_code(p, 0xC0 + s - 280, 8);
}

static unsigned log2_of(unsigned n)
{
    unsigned k = 0;
    while (n >>= 1)
        k++;
    return k;
}

/* Bytes that are again what stands `back` before them. */
static void put_repeat(packer *p, unsigned len, unsigned back)
{
    unsigned l = len - 3, d = back - 1;
    if (len == MOST) {
        put_symbol(p, 285);
    } else {
        unsigned extra = l < 8 ? 0 : log2_of(l) - 2;
        put_symbol(p, 257 + 4 * extra + (l >> extra));
        put(p, l & ((1U << extra) - 1), extra);
    }
    unsigned more = d < 4 ? 0 : log2_of(d) - 1;
    put_code(p, 2 * more + (d >> more), 5);
    put(p, d & ((1U << more) - 1), more);
}

/* Where four bytes stood before: the last place, and for each place the one before it. Places count from 1. */
typedef struct {
    const unsigned char *data;
    size_t len;
    uint32_t last[1 << HASH_BITS], before[WINDOW];
} places;

static uint32_t hash_at(const places *s, size_t at)
{
    uint32_t word;
    memcpy(&word, s->data + at, sizeof word);
    return word * 2654435761U >> (32 - HASH_BITS);
}

static void enter(places *s, size_t at)
{
    uint32_t h = hash_at(s, at);
    s->before[at % WINDOW] = s->last[h];
    s->last[h] = (uint32_t)at + 1;
}

/* The longest repeat at a place; 0 if none is long enough. */
static unsigned longest_at(const places *s, size_t at, unsigned *back)
{
    unsigned best = 0, most = s->len - at < MOST ? (unsigned)(s->len - at) : MOST;
    uint32_t place = s->last[hash_at(s, at)];
    for (int i = 0; place && at - (place - 1) <= WINDOW - 1 && i < TRIES; i++) {
        const unsigned char *a = s->data + place - 1, *b = s->data + at;
        unsigned n = 0;
        while (n < most && a[n] == b[n])
            n++;
        if (n > best) {
            best = n;
            *back = (unsigned)(at - (place - 1));
        }
        if (best == most)
            break;
        place = s->before[(place - 1) % WINDOW];
    }
    return best >= LEAST ? best : 0;
}

static void put_base64(tsr_buf *out, tsr_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        uint32_t n = 0;
        size_t k = bytes.len - i < 3 ? bytes.len - i : 3;
        for (size_t j = 0; j < 3; j++)
            n = n << 8 | (j < k ? (unsigned char)bytes.data[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            tsr_buf_char(out, j <= k ? digits[n >> (18 - 6 * j) & 63] : '=');
    }
}

void tsr_page_pack(tsr_buf *out, tsr_str text)
{
    packer p = {0};
    tsr_arena arena;
    tsr_arena_init(&arena);
    places *s = tsr_arena_zalloc(&arena, sizeof *s);
    s->data = (const unsigned char *)text.data;
    s->len = text.len;
    put(&p, 1, 1); /* the only block, */
    put(&p, 1, 2); /* with fixed codes */
    for (size_t at = 0; at < text.len;) {
        unsigned back = 0, n = at + LEAST <= text.len ? longest_at(s, at, &back) : 0;
        if (n)
            put_repeat(&p, n, back);
        else
            put_symbol(&p, s->data[at]);
        for (size_t end = at + (n ? n : 1); at < end; at++)
            if (at + LEAST <= text.len)
                enter(s, at);
        tsr_tick();
    }
    put_symbol(&p, END);
    put(&p, 0, 7);
    tsr_buf_printf(out, "%zu ", text.len);
    put_base64(out, tsr_buf_text(&p.bytes));
    tsr_buf_free(&p.bytes);
    tsr_arena_free(&arena);
}
