/* SPDX-License-Identifier: Apache-2.0 */
/* big.c - natural numbers of many limbs. */
#include "base/big.h"

#include <string.h>

static void trim(tsr_big *b)
{
    while (b->n && !b->limb[b->n - 1])
        b->n--;
}

void tsr_big_mul(tsr_big *b, uint32_t x, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * x;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->n++] = (uint32_t)carry;
}

void tsr_big_div(tsr_big *b, uint32_t x)
{
    uint64_t rest = 0;
    for (int i = b->n; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / x);
        rest %= x;
    }
    trim(b);
}

void tsr_big_set(tsr_big *b, uint64_t v, int five, int two)
{
    b->limb[0] = (uint32_t)v;
    b->limb[1] = (uint32_t)(v >> 32);
    b->n = 2;
    trim(b);
    tsr_big_shift(b, two);
    for (; five >= 13; five -= 13)
        tsr_big_mul(b, 1220703125, 0);
    for (; five > 0; five--)
        tsr_big_mul(b, 5, 0);
}

void tsr_big_shift(tsr_big *b, int left)
{
    int limbs = left / 32;
    if (!b->n)
        return;
    memmove(b->limb + limbs, b->limb, (size_t)b->n * sizeof b->limb[0]);
    memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
    b->n += limbs;
    tsr_big_mul(b, (uint32_t)1 << left % 32, 0);
}

void tsr_big_halve(tsr_big *b)
{
    for (int i = 0; i < b->n; i++)
        b->limb[i] = b->limb[i] >> 1 | (i + 1 < b->n ? b->limb[i + 1] << 31 : 0);
    trim(b);
}

int tsr_big_compare(const tsr_big *a, const tsr_big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

void tsr_big_subtract(tsr_big *a, const tsr_big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t x = (uint64_t)a->limb[i] - (i < b->n ? b->limb[i] : 0) - borrow;
        a->limb[i] = (uint32_t)x;
        borrow = x >> 63;
    }
    trim(a);
}

int tsr_big_bits(const tsr_big *b)
{
    int n = 32 * b->n;
    for (uint32_t top = b->n ? b->limb[b->n - 1] : 0; b->n && !(top >> 31); top <<= 1)
        n--;
    return n;
}
