/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c - random numbers: rng_bit_generator, bit for bit as in XLA, and rng.
 *
 * Both generators of rng_bit_generator map a counter and a key to a block of bits, so element i depends only on the
 * state and i. DEFAULT is PHILOX, as on XLA's CPU.
 *
 * rng has no state of its own: the run has one (tsr_rng), which each rng advances, so that no two draws of a run are
 * the same, in whatever loop they are. Its numbers are those of PHILOX; the key comes from the seed of the run, the
 * upper half of the counter is the number of the process. The processes of a grid draw different numbers, each its own
 * sequence, independent of the others; a grid gets a key of its own, derived from the state of the run that starts it.
 * So the same program gives the same numbers for the same seed, on every machine. */
#include <math.h>

#include "dialect/stablehlo/cases.h"
#include "base/scope.h"
#include "eval/eval.h"

eval_fn eval_rng_bit_generator, eval_rng;

#define RNG_SEED UINT64_C(0x7465737365726131)

/* ---- Blocks of bits ---- */

static uint32_t rotate(uint32_t v, unsigned by)
{
    return v << by | v >> (32 - by);
}

/* Threefry-2x32 of 20 rounds. */
static void threefry(uint64_t key, uint64_t counter, uint32_t out[2])
{
    static const uint8_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    uint32_t k[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
    k[2] = UINT32_C(0x1BD11BDA) ^ k[0] ^ k[1];
    uint32_t x = (uint32_t)counter + k[0], y = (uint32_t)(counter >> 32) + k[1];
    for (uint32_t group = 0; group < 5; group++) {
        for (int i = 0; i < 4; i++) {
            x += y;
            y = rotate(y, rotations[group % 2][i]) ^ x;
        }
        x += k[(group + 1) % 3];
        y += k[(group + 2) % 3] + group + 1;
    }
    out[0] = x;
    out[1] = y;
}

/* Philox-4x32 of 10 rounds; the counter has 128 bits. */
static void philox(uint64_t key, uint64_t low, uint64_t high, uint32_t out[4])
{
    uint32_t x[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
    uint32_t a = (uint32_t)key, b = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)x[0] * UINT32_C(0xD2511F53),
                 q = (uint64_t)x[2] * UINT32_C(0xCD9E8D57);
        uint32_t next[4] = {(uint32_t)(q >> 32) ^ x[1] ^ a, (uint32_t)q,
                            (uint32_t)(p >> 32) ^ x[3] ^ b, (uint32_t)p};
        memcpy(x, next, sizeof x);
        a += UINT32_C(0x9E3779B9);
        b += UINT32_C(0xBB67AE85);
    }
    memcpy(out, x, sizeof x);
}

/* ---- rng_bit_generator ---- */

/* The low bits of a word as an element: the value of an integer, or the bit pattern of a float. */
static void put_bits(tsr_tensor *t, int64_t i, uint64_t bits)
{
    tsr_dtype d = (tsr_dtype)t->dtype;
    if (tsr_dtype_is_int(d)) {
        tsr_set_int(t, i, (int64_t)bits);
        return;
    }
    uint32_t size = tsr_dtype_bytes(d), width = tsr_dtype_bits(d);
    uint8_t *to = (uint8_t *)t->data + (size_t)i * size;
    bits &= width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    for (uint32_t k = 0; k < size; k++)
        to[k] = (uint8_t)(bits >> 8 * k);
}

/* Elements of up to 32 bits take one word each. A block has two words, which become neighbours in the first
 * dimension of even size or, if all are odd, in the largest one, whose last block then gives one. Returns the number
 * of blocks. */
static uint64_t threefry_words(tsr_tensor *t, uint64_t key, uint64_t counter)
{
    size_t split = 0;
    bool even = false;
    for (size_t d = 0; d < t->rank && !even; d++) {
        even = t->dims[d] % 2 == 0;
        if (even || t->dims[d] > t->dims[split])
            split = d;
    }
    int64_t outer = 1, inner = 1, size = t->rank ? t->dims[split] : 1, half = (size + 1) / 2;
    for (size_t d = 0; d < t->rank; d++) {
        outer *= d < split ? t->dims[d] : 1;
        inner *= d > split ? t->dims[d] : 1;
    }
    uint64_t count = 0;
    for (int64_t o = 0; o < outer; o++)
        for (int64_t h = 0; h < half; h++)
            for (int64_t k = 0; k < inner; k++) {
                tsr_work(1);
                uint32_t words[2];
                threefry(key, counter + count++, words);
                int64_t at = (o * size + 2 * h) * inner + k;
                put_bits(t, at, words[0]);
                if (2 * h + 1 < size)
                    put_bits(t, at + inner, words[1]);
            }
    return count;
}

static uint64_t threefry_pairs(tsr_tensor *t, uint64_t key, uint64_t counter)
{
    for (int64_t i = 0; i < t->n; i++) {
        tsr_work(1);
        uint32_t words[2];
        threefry(key, counter + (uint64_t)i, words);
        put_bits(t, i, words[0] | (uint64_t)words[1] << 32);
    }
    return (uint64_t)t->n;
}

/* A block has four words: four elements of up to 32 bits, or two of 64. Returns the number of blocks. */
static uint64_t philox_words(tsr_tensor *t, uint64_t key, uint64_t low, uint64_t high, bool wide)
{
    int64_t each = wide ? 2 : 4, blocks = (t->n + each - 1) / each;
    for (int64_t b = 0; b < blocks; b++) {
        tsr_work(each);
        uint32_t words[4];
        uint64_t at = low + (uint64_t)b;
        philox(key, at, high + (at < low), words);
        for (int64_t k = 0; k < each && b * each + k < t->n; k++)
            put_bits(t, b * each + k,
                     wide ? words[2 * k] | (uint64_t)words[2 * k + 1] << 32 : words[k]);
    }
    return (uint64_t)blocks;
}

uint64_t tsr_philox(tsr_tensor *bits, uint64_t key, uint64_t counter)
{
    return philox_words(bits, key, counter, key, tsr_dtype_bits((tsr_dtype)bits->dtype) == 64);
}

bool eval_rng_bit_generator(tsr_call *c)
{
    const tsr_tensor *in = c->in[0];
    int64_t algorithm = tsr_call_attr(c, STABLEHLO_RNG_BIT_GENERATOR_rng_algorithm)->i;
    bool fry = algorithm == TSR_RNG_THREE_FRY;
    if (in->kind != TSR_TENSOR || in->rank != 1 ||
        (in->dtype != TSR_D_U64 && in->dtype != TSR_D_I64) || !(in->n == 2 || (in->n == 3 && !fry)))
        return tsr_fail(c, "needs a state of %s elements of 64 bits", fry ? "2" : "2 or 3");
    tsr_tensor *state = tsr_call_new(c, 0, in->dims, in->rank),
               *out = state ? tsr_call_static(c, 1) : NULL;
    TSR_TRY(out != NULL);
    if (state->dtype != in->dtype)
        return tsr_fail(c, "has states of different types");
    bool wide = tsr_dtype_bits((tsr_dtype)out->dtype) == 64;
    if (tsr_dtype_is_complex((tsr_dtype)out->dtype))
        return tsr_fail(c, "is not defined for elements of type %s",
                        tsr_dtype_name((tsr_dtype)out->dtype));
    uint64_t old[3] = {0};
    memcpy(old, in->data, tsr_tensor_bytes(in));
    uint64_t *now = state->data;
    now[0] = old[0];
    if (fry && !out->n) { /* an empty tensor may have very many rows */
        now[1] = old[1];
        return true;
    }
    if (fry) {
        now[1] = old[1] +
                 (wide ? threefry_pairs(out, old[0], old[1]) : threefry_words(out, old[0], old[1]));
        return true;
    }
    /* A state of two elements is a counter and a key; the key also serves as the counter's upper half. */
    uint64_t blocks = philox_words(out, old[0], old[1], in->n == 3 ? old[2] : old[0], wide);
    now[1] = old[1] + blocks;
    if (in->n == 3)
        now[2] = old[2] + (now[1] < old[1]);
    return true;
}

/* ---- rng ---- */

void tsr_rng_start(tsr_rng *r, uint64_t seed)
{
    *r = (tsr_rng){.key = RNG_SEED ^ seed};
}

tsr_rng tsr_rng_of_process(const tsr_rng *r, uint32_t id)
{
    uint32_t words[4];
    philox(r->key, r->count, r->lane, words);
    return (tsr_rng){.key = words[0] | (uint64_t)words[1] << 32, .lane = id};
}

void tsr_rng_skip(tsr_rng *r)
{
    r->count++;
}

/* The draws of one op; it starts with a new block. */
typedef struct {
    tsr_rng *from;
    uint32_t words[4];
    int left; /* words of the block that are left, in pairs */
} stream;

static uint64_t next_bits(stream *s)
{
    if (!s->left) {
        philox(s->from->key, s->from->count++, s->from->lane, s->words);
        s->left = 2;
    }
    s->left--;
    return s->words[2 * s->left] | (uint64_t)s->words[2 * s->left + 1] << 32;
}

static double next_unit(stream *s) /* [0, 1) */
{
    return (double)(next_bits(s) >> 11) * 0x1p-53;
}

static void uniform_ints(stream *s, tsr_tensor *t, int64_t low, int64_t high)
{
    bool is_bool = t->dtype == TSR_D_I1; /* both values, though [false, true) has only one */
    uint64_t range = is_bool ? 2 : (uint64_t)high - (uint64_t)low;
    uint64_t from = is_bool ? 0 : (uint64_t)low;
    for (int64_t i = 0; i < t->n; i++) {
        tsr_work(1);
        uint64_t bits = next_bits(s);
        tsr_set_int(t, i, (int64_t)(from + (range ? bits % range : 0)));
    }
}

/* Rounding to the type may give the upper bound, which is not in the interval. */
static void uniform_floats(stream *s, tsr_tensor *t, double low, double high)
{
    for (int64_t i = 0; i < t->n; i++) {
        tsr_work(1);
        tsr_set_double(t, i, low + (high - low) * next_unit(s));
        if (low < high && !(tsr_get_double(t, i) < high))
            tsr_set_double(t, i, low);
    }
}

static void normal_floats(stream *s, tsr_tensor *t, double mean, double deviation)
{
    for (int64_t i = 0; i < t->n; i += 2) {
        tsr_work(2);
        double r = sqrt(-2 * log(1 - next_unit(s))), angle = 2 * acos(-1) * next_unit(s);
        tsr_set_double(t, i, mean + deviation * r * cos(angle));
        if (i + 1 < t->n)
            tsr_set_double(t, i + 1, mean + deviation * r * sin(angle));
    }
}

bool eval_rng(tsr_call *c)
{
    const tsr_tensor *a = c->in[0], *b = c->in[1], *shape = c->in[2];
    int64_t dims[TSR_MAX_RANK];
    if (shape->n > TSR_MAX_RANK)
        return tsr_fail(c, "has a result of too many dimensions");
    for (int64_t i = 0; i < shape->n; i++) {
        dims[i] = tsr_get_int(shape, i);
        if (dims[i] < 0)
            return tsr_fail(c, "has a negative dimension");
    }
    tsr_tensor *out = tsr_call_new(c, 0, dims, (size_t)shape->n);
    TSR_TRY(out != NULL);
    tsr_dtype d = (tsr_dtype)out->dtype;
    if (a->dtype != d || b->dtype != d || !a->n || !b->n)
        return tsr_fail(c, "has bounds of another type than its result");
    bool normal = tsr_call_attr(c, STABLEHLO_RNG_rng_distribution)->i == TSR_RNG_NORMAL;
    stream s = {.from = &c->e->rng};
    if (tsr_dtype_is_float(d) && normal)
        normal_floats(&s, out, tsr_get_double(a, 0), tsr_get_double(b, 0));
    else if (tsr_dtype_is_float(d))
        uniform_floats(&s, out, tsr_get_double(a, 0), tsr_get_double(b, 0));
    else if (tsr_dtype_is_int(d) && !normal)
        uniform_ints(&s, out, tsr_get_int(a, 0), tsr_get_int(b, 0));
    else
        return tsr_fail(c, "is not defined for elements of type %s", tsr_dtype_name(d));
    return true;
}
