/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - streams of random bits: Philox-4x32 of 10 rounds and Threefry-2x32 of 20, the bits of the CPU (cpu/random.c).
 * A thread computes one block from the state and the block's number. */
#include "gpu/move.h"

typedef struct {
    const int64_t *numbers;
    int64_t bytes, n, blocks; /* of an element; elements; blocks of bits */
    bool upper;               /* the state has the upper half of Philox' counter */
} bits;

static int64_t blocks_of(const bits *b)
{
    const int64_t *numbers = b->numbers;
    if (!numbers[TSR_RANDOM_FRY])
        return b->bytes == 8 ? (b->n + 1) / 2 : (b->n + 3) / 4;
    return numbers[TSR_RANDOM_SIZE]
               ? numbers[TSR_RANDOM_OUTER] * ((numbers[TSR_RANDOM_SIZE] + 1) / 2) *
                     numbers[TSR_RANDOM_INNER]
               : b->n;
}

static const char *const philox[] = {
    "    const uint64_t at = counter + block;",
    "    const uint64_t up = upper + (at < counter);",
    "    uint32_t k = (uint32_t)key, l = (uint32_t)(key >> 32);",
    "    x[0] = (uint32_t)at, x[1] = (uint32_t)(at >> 32);",
    "    x[2] = (uint32_t)up, x[3] = (uint32_t)(up >> 32);",
    "    TSR_UNROLL",
    "    for (int round = 0; round < 10; round++) {",
    "        const uint32_t a = 0xD2511F53u, b = 0xCD9E8D57u;",
    "        const uint32_t p = tsr_u32_high(x[0], a), q = tsr_u32_high(x[2], b);",
    "        const uint32_t low_p = x[0] * a, low_q = x[2] * b;",
    "        x[0] = q ^ x[1] ^ k;",
    "        x[2] = p ^ x[3] ^ l;",
    "        x[1] = low_q;",
    "        x[3] = low_p;",
    "        k += 0x9E3779B9u;",
    "        l += 0xBB67AE85u;",
    "    }",
};

static void write_philox(tsr_gpu_writer *w)
{
    tsr_gpu_line(w, "TSR_FN void random_block(uint64_t key, uint64_t counter, uint64_t upper, "
                    "uint64_t block, uint32_t *x)");
    tsr_gpu_line(w, "{");
    for (size_t i = 0; i < TSR_COUNT(philox); i++)
        tsr_gpu_line(w, "%s", philox[i]);
    tsr_gpu_line(w, "}");
}

static void write_threefry(tsr_gpu_writer *w)
{
    static const uint8_t turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    tsr_gpu_line(w, "TSR_FN void random_block(uint64_t key, uint64_t counter, uint64_t upper, "
                    "uint64_t block, uint32_t *x)");
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const uint64_t at = counter + block;");
    tsr_gpu_line(w, "const uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32), k2 = "
                    "0x1BD11BDAu ^ k0 ^ k1;");
    tsr_gpu_line(w, "uint32_t a = (uint32_t)at + k0, b = (uint32_t)(at >> 32) + k1;");
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++)
            tsr_gpu_line(w, "a += b, b = (b << %d | b >> %d) ^ a;", turns[i % 2][k],
                         32 - turns[i % 2][k]);
        tsr_gpu_line(w, "a += k%d, b += k%d + %du;", (i + 1) % 3, (i + 2) % 3, i + 1);
    }
    tsr_gpu_line(w, "(void)upper;");
    tsr_gpu_line(w, "x[0] = a, x[1] = b;");
    w->depth--;
    tsr_gpu_line(w, "}");
}

/* The words of a block as consecutive elements; beyond the last element there are none. */
static void write_stream(tsr_gpu_writer *w, const bits *b, int words)
{
    bool wide = b->bytes == 8;
    const char *type = tsr_gpu_bits_type(wide ? 4 : b->bytes);
    long long all = (long long)(wide ? 2 * b->n : b->n);
    tsr_gpu_line(w, "%s *to = TSR_POINTER(%s, 1) + block * %d;", type, type, words);
    if (words == 4 && b->bytes >= 4) {
        tsr_gpu_line(w, "if (block * 4 + 4 <= %lldu) {", all);
        tsr_gpu_line(w, "    tsr_v16 v;");
        tsr_gpu_line(w, "    v.at[0] = x[0], v.at[1] = x[1], v.at[2] = x[2], v.at[3] = x[3];");
        tsr_gpu_line(w, "    tsr_store16(to, v);");
        tsr_gpu_line(w, "    return;");
        tsr_gpu_line(w, "}");
    }
    tsr_gpu_line(w, "for (uint32_t k = 0; k < %d; k++)", words);
    tsr_gpu_line(w, "    if (block * %d + k < %lldu)", words, all);
    tsr_gpu_line(w, "        to[k] = (%s)x[k];", type);
}

/* One word of a block each in rows 2 h and 2 h + 1 of the dimension that is split. */
static void write_rows(tsr_gpu_writer *w, const bits *b)
{
    const char *type = tsr_gpu_bits_type(b->bytes);
    long long inner = (long long)b->numbers[TSR_RANDOM_INNER],
              size = (long long)b->numbers[TSR_RANDOM_SIZE], half = (size + 1) / 2;
    tsr_gpu_line(w, "const uint64_t row = block / %lldu, h = row %% %lldu;", inner, half);
    tsr_gpu_line(
        w, "%s *to = TSR_POINTER(%s, 1) + (row / %lldu * %lld + 2 * h) * %lld + block %% %lldu;",
        type, type, half, size, inner, inner);
    tsr_gpu_line(w, "to[0] = (%s)x[0];", type);
    tsr_gpu_line(w, "if (2 * h + 1 < %lldu)", size);
    tsr_gpu_line(w, "    to[%lld] = (%s)x[1];", inner, type);
}

static void write_kernel(tsr_gpu_writer *w, const bits *b)
{
    const int64_t *numbers = b->numbers;
    bool fry = numbers[TSR_RANDOM_FRY];
    bool rows = fry && numbers[TSR_RANDOM_SIZE] &&
                (numbers[TSR_RANDOM_INNER] > 1 ||
                 (numbers[TSR_RANDOM_SIZE] % 2 && numbers[TSR_RANDOM_OUTER] > 1));
    tsr_gpu_line(w, "TSR_KERNEL_OF(run, 2, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const uint64_t block = (uint64_t)TSR_BLOCK(0) * %d + TSR_THREAD;",
                 TSR_GPU_THREADS);
    tsr_gpu_line(w, "const uint64_t *state = TSR_POINTER(const uint64_t, 0);");
    tsr_gpu_line(w, "uint32_t x[4];");
    tsr_gpu_line(w, "if (block >= %lluu)", (unsigned long long)b->blocks);
    tsr_gpu_line(w, "    return;");
    tsr_gpu_line(w, "random_block(state[0], state[1], state[%d], block, x);", b->upper ? 2 : 0);
    if (rows)
        write_rows(w, b);
    else
        write_stream(w, b, fry ? 2 : 4);
    w->depth--;
    tsr_gpu_line(w, "}");
}

/* The next state, which may be in the place of the state: it is written when all blocks have read that. */
static void add_next(tsr_gpu_maker *m, const tsr_node *n, const bits *b)
{
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    tsr_gpu_line(&w, "TSR_KERNEL_OF(run, 2, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(&w, "{");
    w.depth++;
    tsr_gpu_line(&w, "const uint64_t *state = TSR_POINTER(const uint64_t, 0);");
    tsr_gpu_line(&w, "uint64_t *next = TSR_POINTER(uint64_t, 1), counter = state[1];");
    tsr_gpu_line(&w, "if (TSR_THREAD)");
    tsr_gpu_line(&w, "    return;");
    tsr_gpu_line(&w, "next[0] = state[0];");
    if (b->upper)
        tsr_gpu_line(&w, "next[2] = state[2] + (counter + %lluu < counter);",
                     (unsigned long long)b->blocks);
    tsr_gpu_line(&w, "next[1] = counter + %lluu;", (unsigned long long)b->blocks);
    w.depth--;
    tsr_gpu_line(&w, "}");
    const tsr_gpu_word words[] = {tsr_gpu_at(m, n->in[0], 0), tsr_gpu_at(m, n->out[0], 0)};
    tsr_gpu_run_kernel(m, &w, 1, words, 2);
}

bool tsr_gpu_random(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *x = &m->p->values.data[n->out[1]];
    bits b = {.numbers = n->numbers,
              .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype),
              .n = x->n,
              .upper = m->p->values.data[n->in[0]].n == 3};
    b.blocks = blocks_of(&b);
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    if (n->numbers[TSR_RANDOM_FRY])
        write_threefry(&w);
    else
        write_philox(&w);
    write_kernel(&w, &b);
    int64_t blocks = (b.blocks + TSR_GPU_THREADS - 1) / TSR_GPU_THREADS;
    if (blocks > INT32_MAX)
        return tsr_gpu_refuse(m, "it has too many elements");
    const tsr_gpu_word words[] = {tsr_gpu_at(m, n->in[0], 0), tsr_gpu_at(m, n->out[1], 0)};
    tsr_gpu_run_kernel(m, &w, blocks, words, 2);
    add_next(m, n, &b);
    return true;
}
