/* SPDX-License-Identifier: Apache-2.0 */
/* small.c - see small.h. */
#include "base/small.h"

#include <string.h>

enum { BYTE = 8 };

/* Signed: each bit above the element's equals the bit below it. Others: it is 0. Eight elements at a time: a shift by
 * one bit moves only the lowest bit of a byte out of it, which is never tested. */
bool tsr_small_is_tidy(const void *data, size_t n, uint32_t bits, bool is_signed)
{
    const uint64_t each = UINT64_MAX / UINT8_MAX;
    const uint8_t *p = data;
    uint64_t bad = 0, word;
    size_t i = 0;
    if (bits >= BYTE)
        return true;
    uint64_t above = each * ((UINT8_MAX << bits) & UINT8_MAX);
    for (; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        bad |= (is_signed ? word ^ word << 1 : word) & above;
    }
    word = 0;
    if (i < n)
        memcpy(&word, p + i, n - i);
    bad |= (is_signed ? word ^ word << 1 : word) & above;
    return bad == 0;
}

void tsr_small_tidy(void *data, size_t n, uint32_t bits, bool is_signed)
{
    uint8_t *p = data;
    if (bits >= BYTE)
        return;
    unsigned mask = (1u << bits) - 1, half = is_signed ? 1u << (bits - 1) : 0;
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(bits == 1 ? p[i] != 0 : ((p[i] + half) & mask) - half);
}
