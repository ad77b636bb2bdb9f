/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - rng_bit_generator: a stream of random bits from a state, bit for bit that of the evaluator.
 *
 * Block b of the stream depends on the state and b alone: threads compute chunks of blocks, one counter in each lane of
 * their vectors (isa/random.c). */
#include "base/scope.h"
#include "exec/kernel/isa/isa.h"
#include "exec/cpu/move.h"

enum { SOME = 256, CHUNK = 4096 }; /* blocks that are computed at a time, and of a chunk */

typedef struct {
    tsr_random random;
    const int64_t *numbers;
    char *out;
    uint32_t bytes; /* of an element */
    int64_t n, blocks;
} bits;

/* Stores n words as elements from element `at` on: their low bits; two words of an element of 64 bits. */
static void store(const bits *w, int64_t at, const uint32_t *words, int64_t n)
{
    char *to = w->out + at * w->bytes;
    if (w->bytes >= 4)
        memcpy(to, words, (size_t)n * sizeof *words);
    else if (w->bytes == 2)
        for (int64_t i = 0; i < n; i++)
            ((uint16_t *)to)[i] = (uint16_t)words[i];
    else
        for (int64_t i = 0; i < n; i++)
            ((uint8_t *)to)[i] = (uint8_t)words[i];
}

/* Blocks as words in order; the last block may have some too many. */
static void store_stream(const bits *w, int64_t block, const uint32_t *words, int64_t n, int each)
{
    int64_t first = block * each, all = w->bytes == 8 ? 2 * w->n : w->n;
    n = first + n * each < all ? n * each : all - first;
    store(w, w->bytes == 8 ? first / 2 : first, words, n);
}

static void run_philox(const bits *w, int64_t block, int64_t n)
{
    uint32_t words[4 * SOME];
    bool whole = w->bytes >= 4 && (block + n) * 4 <= (w->bytes == 8 ? 2 * w->n : w->n);
    if (whole) {
        tsr_isa_now()->philox(&w->random, block, n, (uint32_t *)w->out + 4 * block);
        return;
    }
    tsr_isa_now()->philox(&w->random, block, n, words);
    store_stream(w, block, words, n, 4);
}

/* Blocks that lie apart: one word each in rows 2 h and 2 h + 1 of the dimension that is split. */
static void run_rows(const bits *w, int64_t block, int64_t n)
{
    const int64_t inner = w->numbers[TSR_RANDOM_INNER], size = w->numbers[TSR_RANDOM_SIZE],
                  half = (size + 1) / 2;
    uint32_t one[SOME], other[SOME];
    for (int64_t done = 0, some; done < n; done += some) {
        int64_t row = (block + done) / inner, at = (block + done) % inner, h = row % half;
        int64_t to = (row / half * size + 2 * h) * inner + at;
        some = n - done < inner - at ? n - done : inner - at;
        tsr_isa_now()->threefry(&w->random, block + done, some, one, other);
        store(w, to, one, some);
        if (2 * h + 1 < size)
            store(w, to + inner, other, some);
    }
}

static void run_threefry(const bits *w, int64_t block, int64_t n)
{
    const int64_t *numbers = w->numbers;
    uint32_t one[SOME], other[SOME], words[2 * SOME];
    bool odd = numbers[TSR_RANDOM_SIZE] % 2 &&
               numbers[TSR_RANDOM_OUTER] > 1; /* some blocks give one word only */
    if (numbers[TSR_RANDOM_SIZE] && (numbers[TSR_RANDOM_INNER] > 1 || odd)) {
        run_rows(w, block, n);
        return;
    }
    tsr_isa_now()->threefry(&w->random, block, n, one, other);
    for (int64_t i = 0; i < n; i++) {
        words[2 * i] = one[i];
        words[2 * i + 1] = other[i];
    }
    store_stream(w, block, words, n, 2);
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const bits *w = ctx;
    int64_t end = (number + 1) * CHUNK < w->blocks ? (number + 1) * CHUNK : w->blocks;
    (void)worker;
    for (int64_t b = number * CHUNK; b < end; b += SOME) {
        int64_t n = end - b < SOME ? end - b : SOME;
        if (w->numbers[TSR_RANDOM_FRY])
            run_threefry(w, b, n);
        else
            run_philox(w, b, n);
        tsr_poll();
    }
}

static int64_t blocks_of(const bits *w)
{
    const int64_t *numbers = w->numbers;
    if (!numbers[TSR_RANDOM_FRY])
        return w->bytes == 8 ? (w->n + 1) / 2 : (w->n + 3) / 4;
    return numbers[TSR_RANDOM_SIZE]
               ? numbers[TSR_RANDOM_OUTER] * ((numbers[TSR_RANDOM_SIZE] + 1) / 2) *
                     numbers[TSR_RANDOM_INNER]
               : w->n;
}

void tsr_run_random(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->out[1]];
    int64_t words = r->p->values.data[n->in[0]].n;
    uint64_t old[3] = {0}, *now = (uint64_t *)r->at[n->out[0]];
    memcpy(old, tsr_run_at(r, n->in[0]), (size_t)words * sizeof *old);
    bits w = {.random = {old[0], old[1], words == 3 ? old[2] : old[0]},
              .numbers = n->numbers,
              .out = r->at[n->out[1]],
              .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype),
              .n = x->n};
    w.blocks = blocks_of(&w);
    now[0] = old[0];
    now[1] = old[1] + (uint64_t)w.blocks;
    if (words == 3)
        now[2] = old[2] + (now[1] < old[1]);
    tsr_pool_for((w.blocks + CHUNK - 1) / CHUNK, chunk, &w);
}
