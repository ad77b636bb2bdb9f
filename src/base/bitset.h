/* SPDX-License-Identifier: Apache-2.0 */
/* bitset.h - a fixed set of small integers in an arena. */
#ifndef TSR_BASE_BITSET_H
#define TSR_BASE_BITSET_H

#include "base/arena.h"

typedef struct {
    uint64_t *words;
    size_t n; /* bits */
} tsr_bitset;

static inline tsr_bitset tsr_bitset_new(tsr_arena *a, size_t n)
{
    return (tsr_bitset){TSR_NEW_ARRAY(a, uint64_t, (n + 63) / 64), n};
}

static inline bool tsr_bitset_has(const tsr_bitset *s, size_t i)
{
    return i < s->n && (s->words[i / 64] >> (i % 64) & 1);
}

static inline void tsr_bitset_add(tsr_bitset *s, size_t i)
{
    tsr_assert(i < s->n, "bit %zu of %zu", i, s->n);
    s->words[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void tsr_bitset_remove(tsr_bitset *s, size_t i)
{
    tsr_assert(i < s->n, "bit %zu of %zu", i, s->n);
    s->words[i / 64] &= ~((uint64_t)1 << (i % 64));
}

#endif
