/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c - packs a strip of a matrix as a panel: [depth][width], or [depth / 2][width][2] if the depth goes in pairs;
 * bytes also in fours. Missing lines and steps are zeros. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/pack.h"

#define EACH(type)                               \
    for (int64_t k = 0; k < p->depth; k++)       \
        for (int64_t i = 0; i < p->lines; i++)   \
            ((type *)p->out)[k * p->width + i] = \
                *(const type *)(p->src + i * p->line + k * p->step);

/* Copies elements one by one, in pairs or singly. */
#define ANY(type)                                                                              \
    if (p->pair == 1) {                                                                        \
        EACH (type)                                                                            \
            return;                                                                            \
    }                                                                                          \
    for (int64_t k = 0; k < p->depth; k++)                                                     \
        for (int64_t i = 0; i < p->lines; i++) {                                               \
            type *to =                                                                         \
                (type *)p->out + k / p->pair * p->pair * p->width + i * p->pair + k % p->pair; \
            *to = *(const type *)(p->src + i * p->line + k * p->step);                         \
        }

static void pack_any(const tsr_pack *p)
{
    switch (p->elem) {
    case 1: ANY(uint8_t) return;
    case 2: ANY(uint16_t) return;
    case 4: ANY(uint32_t) return;
    default: ANY(uint64_t)
    }
}

#define COPIES(n)                                                    \
    for (int64_t k = 0; k < p->depth; k++, out += width)             \
        memcpy(out, p->src + (p->at ? p->at[k] : k * p->step), (n)); \
    return

/* Lines are adjacent in memory: each step is a copy. */
static void pack_copies(const tsr_pack *p)
{
    size_t bytes = (size_t)p->lines * p->elem, width = (size_t)p->width * p->elem;
    char *out = p->out;
    /* Sizes of whole panels and of halves: with constant sizes the compiler emits plain moves. */
    switch (bytes) {
    case 16: COPIES(16);
    case 24: COPIES(24);
    case 32: COPIES(32);
    case 48: COPIES(48);
    case 64: COPIES(64);
    case 128: COPIES(128);
    default: COPIES(bytes);
    }
}

/* The same in groups: the steps of a group are interleaved. */
static void weave_halves(const tsr_pack *p)
{
    for (int64_t k = 0; k < p->depth; k += 2) {
        const uint16_t *even = (const uint16_t *)(p->src + k * p->step);
        const uint16_t *odd = (const uint16_t *)(p->src + (k + 1) * p->step);
        uint32_t *out = (uint32_t *)p->out + k / 2 * p->width;
        INDEPENDENT
        for (int64_t i = 0; i < p->lines; i++)
            out[i] = even[i] | (uint32_t)odd[i] << 16;
    }
}

static void weave_two(const tsr_pack *p)
{
    for (int64_t k = 0; k < p->depth; k += 2) {
        const uint8_t *even = (const uint8_t *)p->src + k * p->step, *odd = even + p->step;
        uint16_t *out = (uint16_t *)p->out + k / 2 * p->width;
        INDEPENDENT
        for (int64_t i = 0; i < p->lines; i++)
            out[i] = (uint16_t)(even[i] | odd[i] << 8);
    }
}

/* 16 columns of four rows at a time. */
static int64_t weave_sixteen(const uint8_t *a, int64_t step, int64_t n, uint32_t *out)
{
    int64_t i = 0;
    for (; i + 16 <= n; i += 16, a += 16, out += 16) {
        tsr_sixteen w = *(const tsr_sixteen *)a, x = *(const tsr_sixteen *)(a + step);
        tsr_sixteen y = *(const tsr_sixteen *)(a + 2 * step),
                    z = *(const tsr_sixteen *)(a + 3 * step);
        tsr_eight wx = (tsr_eight)TSR_LOW_sixteen(w, x), yz = (tsr_eight)TSR_LOW_sixteen(y, z);
        ((tsr_eight *)out)[0] = TSR_LOW_eight(wx, yz);
        ((tsr_eight *)out)[1] = TSR_HIGH_eight(wx, yz);
        wx = (tsr_eight)TSR_HIGH_sixteen(w, x);
        yz = (tsr_eight)TSR_HIGH_sixteen(y, z);
        ((tsr_eight *)out)[2] = TSR_LOW_eight(wx, yz);
        ((tsr_eight *)out)[3] = TSR_HIGH_eight(wx, yz);
    }
    return i;
}

static void weave_four(const tsr_pack *p)
{
    for (int64_t k = 0; k < p->depth; k += 4) {
        const uint8_t *a = (const uint8_t *)p->src + k * p->step, *b = a + p->step;
        const uint8_t *c = b + p->step, *d = c + p->step;
        uint32_t *out = (uint32_t *)p->out + k / 4 * p->width;
        for (int64_t i = weave_sixteen(a, p->step, p->lines, out); i < p->lines; i++)
            out[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 | (uint32_t)d[i] << 24;
    }
}

static void pack_woven(const tsr_pack *p)
{
    (p->elem == 2 ? weave_halves : p->pair == 2 ? weave_two : weave_four)(p);
}

/* Steps are contiguous: blocks of four lines and four steps, then of two lines, in 32-bit words. */
static void pack_transposed(const tsr_pack *p)
{
    int64_t fours = p->lines / 4 * 4, pairs = p->lines / 2 * 2, depth = p->depth / 4 * 4;
    int64_t to = p->width * 4;
    for (int64_t k = 0; k < depth; k += 4) {
        const char *from = p->src + k * 4;
        char *out = (char *)p->out + k * to;
        int64_t i = 0;
        for (; i < fours; i += 4)
            tsr_transpose_quad(from + i * p->line, p->line, out + i * 4, to);
        if (i < pairs)
            tsr_transpose_pair(from + i * p->line, p->line, out + i * 4, to);
    }
    for (int64_t i = 0; i < p->lines; i++)
        for (int64_t k = i < pairs ? depth : 0; k < p->depth; k++)
            memcpy((char *)p->out + k * to + i * 4, p->src + i * p->line + k * 4, 4);
}

static void transpose(const tsr_pack *p)
{
    ISA(tsr_transpose_block)
    (p->elem, p->src, p->line, p->out, p->width * (int64_t)p->elem, p->lines, p->depth);
}

/* A group whose steps are contiguous is one element of the group's size. */
static void pack_groups(const tsr_pack *p)
{
    tsr_pack groups = *p;
    groups.elem *= (uint32_t)p->pair;
    groups.pair = 1;
    groups.depth /= p->pair;
    groups.step = groups.elem;
    if (groups.elem == 4)
        pack_transposed(&groups);
    else
        transpose(&groups);
}

/* Whole groups, then the remainder of the depth. */
static void pack_grouped(const tsr_pack *p)
{
    tsr_pack whole = *p, rest = *p;
    whole.depth = p->depth / p->pair * p->pair;
    rest.depth -= whole.depth;
    rest.src += whole.depth * p->step;
    rest.out = (char *)p->out + whole.depth * p->width * p->elem;
    (p->line == p->elem ? pack_woven : pack_groups)(&whole);
    if (rest.depth)
        pack_any(&rest);
}

static void pack(const tsr_pack *p)
{
    int64_t depth = (p->depth + p->pair - 1) / p->pair * p->pair, elem = p->elem;
    if (!p->part && (p->lines < p->width || depth != p->depth))
        memset(p->out, 0, (size_t)(depth * p->width * elem));
    if (p->pair == 1 && p->line == elem)
        pack_copies(p);
    else if (p->pair == 1 && elem == 4 && p->step == 4)
        pack_transposed(p);
    else if (p->pair == 1 && elem < 4 && p->step == elem)
        transpose(p);
    else if (p->pair * elem <= 4 && p->pair > 1 && (p->line == elem || p->step == elem))
        pack_grouped(p);
    else
        pack_any(p);
}

static void flip(uint8_t *bytes, int64_t n)
{
    INDEPENDENT
    for (int64_t i = 0; i < n; i++)
        bytes[i] ^= 0x80;
}

void ISA(tsr_pack_panel)(const tsr_pack *p)
{
    pack(p);
    if (p->flips)
        flip(p->out, (p->depth + p->pair - 1) / p->pair * p->pair * p->width);
}
