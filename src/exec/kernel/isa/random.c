/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - blocks of random bits from a key and counters: Philox-4x32 of 10 rounds, Threefry-2x32 of 20. One counter
 * in each lane. */
#include "exec/kernel/isa/isa.h"

enum { LANES = 16 };

/* Words of one round or block, by lane. */
typedef uint32_t lanes[LANES];

#define EACH    \
    INDEPENDENT \
    for (int i = 0; i < LANES; i++)

static inline void count(uint64_t first, lanes low, lanes high)
{
    EACH {
        uint64_t at = first + (uint64_t)i;
        low[i] = (uint32_t)at;
        high[i] = (uint32_t)(at >> 32);
    }
}

/* The counters of some blocks: b blocks after low, with a carry to the upper half. */
static void philox(const tsr_random *r, int64_t b, lanes x[4])
{
    uint64_t first = r->counter + (uint64_t)b;
    uint32_t k = (uint32_t)r->key, l = (uint32_t)(r->key >> 32);
    count(first, x[0], x[1]);
    EACH {
        uint64_t at = first + (uint64_t)i, upper = r->upper + (at < r->counter);
        x[2][i] = (uint32_t)upper;
        x[3][i] = (uint32_t)(upper >> 32);
    }
    for (int round = 0; round < 10; round++) {
        EACH {
            uint64_t p = (uint64_t)x[0][i] * UINT32_C(0xD2511F53),
                     q = (uint64_t)x[2][i] * UINT32_C(0xCD9E8D57);
            x[0][i] = (uint32_t)(q >> 32) ^ x[1][i] ^ k;
            x[2][i] = (uint32_t)(p >> 32) ^ x[3][i] ^ l;
            x[1][i] = (uint32_t)q;
            x[3][i] = (uint32_t)p;
        }
        k += UINT32_C(0x9E3779B9);
        l += UINT32_C(0xBB67AE85);
    }
}

void ISA(tsr_philox_blocks)(const tsr_random *r, int64_t first, int64_t n, uint32_t *out)
{
    lanes x[4];
    for (int64_t b = 0; b < n; b += LANES) {
        philox(r, first + b, x);
        int64_t some = n - b < LANES ? n - b : LANES;
        if (some == LANES)
            EACH
                for (int k = 0; k < 4; k++)
                    out[4 * (b + i) + k] = x[k][i];
        for (int64_t i = 0; some < LANES && i < some; i++)
            for (int k = 0; k < 4; k++)
                out[4 * (b + i) + k] = x[k][i];
    }
}

#define TURN(by)                                            \
    EACH {                                                  \
        x[i] += y[i];                                       \
        y[i] = (y[i] << (by) | y[i] >> (32 - (by))) ^ x[i]; \
    }
#define TURNS(a, b, c, d) TURN(a) TURN(b) TURN(c) TURN(d)
#define ADD_KEYS(one, other, number)         \
    EACH {                                   \
        x[i] += k[one];                      \
        y[i] += k[other] + (uint32_t)number; \
    }

static void threefry(const tsr_random *r, int64_t b, lanes x, lanes y)
{
    uint32_t k[3] = {(uint32_t)r->key, (uint32_t)(r->key >> 32), 0};
    k[2] = UINT32_C(0x1BD11BDA) ^ k[0] ^ k[1];
    count(r->counter + (uint64_t)b, x, y);
    ADD_KEYS(0, 1, 0)
    TURNS(13, 15, 26, 6)
    ADD_KEYS(1, 2, 1)
    TURNS(17, 29, 16, 24)
    ADD_KEYS(2, 0, 2)
    TURNS(13, 15, 26, 6)
    ADD_KEYS(0, 1, 3)
    TURNS(17, 29, 16, 24)
    ADD_KEYS(1, 2, 4)
    TURNS(13, 15, 26, 6)
    ADD_KEYS(2, 0, 5)
}

void ISA(tsr_threefry_blocks)(const tsr_random *r, int64_t first, int64_t n, uint32_t *one,
                              uint32_t *other)
{
    lanes x, y;
    for (int64_t b = 0; b < n; b += LANES) {
        size_t some = (size_t)(n - b < LANES ? n - b : LANES) * sizeof *one;
        threefry(r, first + b, x, y);
        memcpy(one + b, x, some);
        memcpy(other + b, y, some);
    }
}
