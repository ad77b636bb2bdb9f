/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels.c - what kernel text means: every word of src/gpu/text/kernel.txt, against plain C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void check_turns(test_device *t)
{
    enum { BLOCKS = 5, THREADS = 160 };
    static uint32_t x[BLOCKS * THREADS];
    tsr_device *d = t->d;
    void *a = d->allocate(d, sizeof x);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        x[i] = i;
    bool ok = d->copy_in(d, a, x, sizeof x);
    ok &= LAUNCH(t, "turn_blocks", BLOCKS, THREADS, 0, WORD(a));
    ok &= d->copy_out(d, x, a, sizeof x);
    bool right = ok;
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        right &= x[i] == i / THREADS * THREADS + THREADS - 1 - i % THREADS;
    CHECK(right, "shared memory and a barrier: %s", d->error);
    tsr_device_launch l = {.blocks = {BLOCKS, 1, 1},
                           .threads = THREADS,
                           .shared = THREADS * 4,
                           .words = (uint64_t[]){WORD(a)},
                           .nwords = 1};
    ok = d->find(d, t->code, "turn_more", &l.kernel) && d->launch(d, &l) &&
         d->copy_out(d, x, a, sizeof x);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        ok &= x[i] == i;
    CHECK(ok, "shared memory of a launch: %s", d->error);
    d->release(d, a);
}

static uint32_t wanted_lane(int k, uint32_t w, uint32_t l)
{
    uint32_t x = 100 * w, next = l < 31 ? l + 1 : l, last = l ? l - 1 : l;
    switch (k) {
    case 0: return x + (l ^ 5);
    case 1: return x + (l ^ 16);
    case 2: return x + (l + 3 > 31 ? l : l + 3);
    case 3: return x + (l ? l : 31);
    case 4: return x + last;
    case 5: return x + (l < 8 ? l : l - 8);
    case 6: return x + 31 - l;
    case 7: return x + 7;
    case 8: return 0x49249249;
    case 9: return 2 * (x + (l ^ 1)) + 1;
    case 10: return 4 * (x + (l + 2 > 31 ? l : l + 2)) + 1;
    case 11: return 496;
    case 12: return 31;
    case 13: return 1;
    case 14: return 1;
    }
    return 4 * x + 1 + 2 * (x + last) + 1 + 2 * (x + 1) + 1 + 4 * (x + last) + 1 + 2 * (x + next) +
           1 + 4 * (x + (l ^ 2)) + 1;
}

static void check_lanes_of_warps(test_device *t)
{
    enum { THREADS = 96 };
    static uint32_t x[16 * THREADS];
    tsr_device *d = t->d;
    void *a = d->allocate(d, sizeof x);
    bool ok = LAUNCH(t, "lanes", 1, THREADS, 0, WORD(a)) && d->copy_out(d, x, a, sizeof x);
    CHECK(ok, "%s", d->error);
    for (uint32_t i = 0; ok && i < 16 * THREADS; i++) {
        uint32_t wanted = wanted_lane((int)(i % 16), i / 16 / 32, i / 16 % 32);
        CHECK(x[i] == wanted, "thread %u, number %u: %u, not %u", i / 16, i % 16, x[i], wanted);
    }
    d->release(d, a);
}

static void check_vectors(test_device *t)
{
    enum { VECTORS = 1000 };
    static uint32_t x[4 * VECTORS], y[4 * VECTORS];
    tsr_device *d = t->d;
    uint64_t seed = 5;
    void *a = d->allocate(d, sizeof x), *b = d->allocate(d, sizeof x);
    for (int i = 0; i < 4 * VECTORS; i++)
        x[i] = test_random(&seed);
    bool ok = d->copy_in(d, a, x, sizeof x) &&
              LAUNCH(t, "copy_vectors", 8, 128, 0, WORD(b), WORD(a), VECTORS) &&
              d->copy_out(d, y, b, sizeof y);
    for (int i = 0; i < 4 * VECTORS; i++)
        ok &= y[i] == x[i] + (i % 4 == 3 && i / 4 % 3 == 1);
    CHECK(ok, "vectors of 8 and 16 bytes: %s", d->error);
    d->release(d, a);
    d->release(d, b);
}

/* ---- Conversions ---- */

static double value_of(uint32_t bits, int exponent, int mantissa, int bias, bool infinite)
{
    uint32_t most = (1u << exponent) - 1, e = bits >> mantissa & most,
             f = bits & ((1u << mantissa) - 1);
    double sign = bits >> (exponent + mantissa) & 1 ? -1 : 1;
    if (infinite && e == most)
        return f ? NAN : sign * INFINITY;
    if (!infinite && e == most && f == (1u << mantissa) - 1)
        return NAN;
    return sign * (e ? ldexp(f + (1u << mantissa), (int)e - bias - mantissa)
                     : ldexp(f, 1 - bias - mantissa));
}

static bool same_f32(float x, double wanted)
{
    float w = (float)wanted;
    return isnan(w) ? isnan(x) : memcmp(&x, &w, 4) == 0;
}

static void check_halves(test_device *t)
{
    enum { ALL = 65536 };
    float *b = malloc(ALL * 4), *h = malloc(ALL * 4);
    uint32_t *back = malloc(ALL * 4);
    tsr_device *d = t->d;
    char *at = d->allocate(d, 3 * ALL * 4);
    bool ok =
        LAUNCH(t, "halves", ALL / 256, 256, 0, WORD(at), WORD(at + 4 * ALL), WORD(at + 8 * ALL)) &&
        d->copy_out(d, b, at, ALL * 4) && d->copy_out(d, h, at + 4 * ALL, ALL * 4) &&
        d->copy_out(d, back, at + 8 * ALL, ALL * 4);
    CHECK(ok, "%s", d->error);
    int wrong = 0;
    for (uint32_t i = 0; ok && i < ALL; i++) {
        wrong += !same_f32(b[i], value_of(i, 8, 7, 127, true)) ||
                 !same_f32(h[i], value_of(i, 5, 10, 15, true));
        wrong += !isnan(b[i]) && (back[i] & 0xffff) != i;
        wrong += !isnan(h[i]) && back[i] >> 16 != i;
        wrong += isnan(b[i]) && isfinite(value_of(back[i] & 0xffff, 8, 7, 127, true));
        wrong += isnan(h[i]) && isfinite(value_of(back[i] >> 16, 5, 10, 15, true));
    }
    CHECK(wrong == 0, "%d conversions of 16-bit floats", wrong);
    d->release(d, at);
    free(b);
    free(h);
    free(back);
}

/* The nearest number of a type by trying all; ties go to even bits. */
static uint32_t nearest(double x, int exponent, int mantissa, int bias, bool infinite)
{
    uint32_t sign = signbit(x) ? 1u << (exponent + mantissa) : 0,
             most = (1u << (exponent + mantissa)) - 1;
    uint32_t top = infinite ? most - ((1u << mantissa) - 1) : most; /* infinity; NaN */
    double size = fabs(x);
    if (isnan(x))
        return most;
    uint32_t low = 0, high = top; /* the last that is not above, by halves */
    while (high - low > 1) {
        uint32_t mid = (low + high) / 2;
        if (value_of(mid, exponent, mantissa, bias, infinite) <= size)
            low = mid;
        else
            high = mid;
    }
    double below = value_of(low, exponent, mantissa, bias, infinite);
    double step = low + 1 == top ? below - value_of(low - 1, exponent, mantissa, bias, infinite)
                                 : value_of(low + 1, exponent, mantissa, bias, infinite) - below;
    double rest = size - below;
    return sign | (low + (rest > step / 2 || (rest == step / 2 && low % 2 == 1)));
}

static bool same_bits(uint32_t got, uint32_t wanted, int exponent, int mantissa, int bias,
                      bool infinite)
{
    if (isnan(value_of(wanted, exponent, mantissa, bias, infinite)))
        return isnan(value_of(got, exponent, mantissa, bias, infinite));
    return got == wanted;
}

static float odd_number(uint64_t *seed, int i)
{
    uint32_t b = test_random(seed);
    float x;
    if (i % 4 == 1) /* halfway between numbers of 16 bits, or nearly so */
        b = (b & 0xffffe000) | (i & 8 ? 0x1000 : 0x0fff);
    if (i % 4 == 2) /* of 8 bits, in their ranges */
        b = (b & 0x80f00000) | ((100 + b % 40) << 23 & 0x7f800000) | (i & 8 ? 0x80000 : 0x100000);
    if (i % 4 == 3)
        b = (b & 0xffff0000) | 0x8000;
    memcpy(&x, &b, 4);
    return x;
}

static bool right_narrow(float x, const uint32_t *y)
{
    uint32_t b = nearest(x, 8, 7, 127, true), h = nearest(x, 5, 10, 15, true);
    return same_bits(y[0] & 0xffff, b, 8, 7, 127, true) &&
           same_bits(y[0] >> 16, h, 5, 10, 15, true) &&
           same_bits(y[1] & 0xffff, b, 8, 7, 127, true) && y[1] >> 16 == 0x3f80 &&
           same_bits(y[2] & 0xffff, h, 5, 10, 15, true) && y[2] >> 16 == 0x3c00 &&
           same_bits(y[3] & 0xff, nearest(x, 4, 3, 7, false), 4, 3, 7, false) &&
           same_bits(y[3] >> 8 & 0xff, nearest(x, 5, 2, 15, true), 5, 2, 15, true);
}

static void check_narrow(test_device *t)
{
    enum { SOME = 1 << 14 };
    float *x = malloc(SOME * 4), small[512];
    uint32_t *y = malloc(SOME * 16);
    tsr_device *d = t->d;
    uint64_t seed = 11;
    int wrong = 0, first = -1;
    char *from = d->allocate(d, SOME * 4), *to = d->allocate(d, SOME * 16),
         *bytes = d->allocate(d, 2048);
    for (int i = 0; i < SOME; i++)
        x[i] = odd_number(&seed, i);
    bool ok = d->copy_in(d, from, x, SOME * 4) &&
              LAUNCH(t, "narrow", SOME / 128, 128, 0, WORD(from), WORD(to), WORD(bytes)) &&
              d->copy_out(d, y, to, SOME * 16) && d->copy_out(d, small, bytes, 2048);
    CHECK(ok, "%s", d->error);
    for (int i = 0; ok && i < SOME; i++)
        if (!right_narrow(x[i], y + 4 * i)) {
            wrong++;
            first = first < 0 ? i : first;
        }
    CHECK(wrong == 0, "%d of f32 to narrow types; the first is %a: %08x %08x %08x %08x", wrong,
          x[first < 0 ? 0 : first], y[4 * (first < 0 ? 0 : first)],
          y[4 * (first < 0 ? 0 : first) + 1], y[4 * (first < 0 ? 0 : first) + 2],
          y[4 * (first < 0 ? 0 : first) + 3]);
    for (uint32_t i = 0; ok && i < 256; i++)
        CHECK(same_f32(small[i], value_of(i, 4, 3, 7, false)) &&
                  same_f32(small[256 + i], value_of(i, 5, 2, 15, true)),
              "8-bit float %02x: %a and %a", i, small[i], small[256 + i]);
    d->release(d, from);
    d->release(d, to);
    d->release(d, bytes);
    free(x);
    free(y);
}

/* ---- Atomics, grids, numbers ---- */

static void check_atomics(test_device *t)
{
    enum { THREADS = 128, BLOCKS = 6, ALL = THREADS * BLOCKS };
    uint64_t c[12] = {0, 7, ~0ull, 0, 1000, 0, 0, (uint64_t)-1, ~0ull, 0, 0, 1};
    tsr_device *d = t->d;
    void *at = d->allocate(d, sizeof c);
    bool ok = d->copy_in(d, at, c, sizeof c) &&
              LAUNCH(t, "atomics", BLOCKS, THREADS, 0, WORD(at)) && d->copy_out(d, c, at, sizeof c);
    const uint64_t wanted[12] = {ALL,
                                 7 + ((uint64_t)ALL << 32),
                                 ~8ull,
                                 0xffffffff,
                                 7,
                                 ALL - 1,
                                 (uint32_t) - (ALL - 1),
                                 0xffffffff00000000u | (ALL - 4),
                                 (uint64_t)5 << 32,
                                 (uint64_t)(ALL - 1) << 32,
                                 0,
                                 1 + 3 * ALL};
    CHECK(ok, "%s", d->error);
    for (int i = 0; i < 12; i++)
        CHECK(i == 10 ? c[i] >= 1 && c[i] <= ALL : c[i] == wanted[i], "counter %d: %llx", i,
              (unsigned long long)c[i]);
    d->release(d, at);
}

static void check_grid(test_device *t)
{
    enum { X = 3, Y = 4, Z = 2, THREADS = 64, ALL = X * Y * Z * THREADS };
    static uint32_t x[ALL];
    tsr_device *d = t->d;
    void *at = d->allocate(d, sizeof x);
    tsr_device_launch l = {
        .blocks = {X, Y, Z}, .threads = THREADS, .words = (uint64_t[]){WORD(at)}, .nwords = 1};
    bool ok = d->find(d, t->code, "grid", &l.kernel) && d->launch(d, &l) &&
              d->copy_out(d, x, at, sizeof x);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t b = i / THREADS;
        ok &= x[i] == (i ^ b % X << 8 ^ b / X % Y << 16 ^ b / X / Y << 24);
    }
    CHECK(ok, "a grid in three dimensions: %s", d->error);
    d->release(d, at);
}

static bool near(float x, double wanted, double relative)
{
    return fabs(x - wanted) <= relative * fabs(wanted) + 1e-30;
}

static uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, 8);
    return b;
}

static void check_number(float x, uint32_t i, const float *f, const uint64_t *w)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    uint64_t v = u * 0x9E3779B97F4A7C15u;
    uint32_t su = u >> i % 32;
    uint64_t sv = v >> i % 64;
    CHECK(near(f[0], exp2(x), 4e-7) && fabs(f[1] - log2(x)) <= 3e-6 &&
              near(f[2], 1 / sqrt(x), 4e-7) && near(f[3], 1 / (double)x, 4e-7) &&
              near(f[4], tanh(x), 1e-3),
          "approximations of %g: %g %g %g %g %g", x, f[0], f[1], f[2], f[3], f[4]);
    float square = x * x, less = square - 1.0f;
    CHECK(f[5] == fmaf(x, x, -1.0f) && f[6] == less && f[7] == sqrtf(x), "rounding of %g: %a %a %a",
          x, f[5], f[6], f[7]);
    CHECK(w[0] == (uint64_t)(su ? __builtin_clz(su) : 32) &&
              w[1] == (uint64_t)(sv ? __builtin_clzll(sv) : 64) &&
              w[2] == (uint64_t)__builtin_popcount(u) && w[3] == (uint64_t)__builtin_popcountll(v),
          "bits of %x", u);
    CHECK(w[4] == (uint64_t)u * 0x9E3779B9u >> 32 &&
              w[5] == (uint64_t)((unsigned __int128)v * 0x9E3779B97F4A7C15u >> 64),
          "upper halves of %x", u);
    CHECK(w[6] == bits_of(fma(x, x, 1.0)) && w[7] == bits_of((double)x / 3), "doubles of %g", x);
}

static void check_numbers(test_device *t)
{
    enum { SOME = 256 };
    static float x[SOME], f[8 * SOME];
    static uint64_t w[8 * SOME];
    tsr_device *d = t->d;
    uint64_t seed = 3;
    void *from = d->allocate(d, sizeof x), *a = d->allocate(d, sizeof f),
         *b = d->allocate(d, sizeof w);
    for (int i = 0; i < SOME; i++)
        x[i] = (float)(1 + test_random(&seed) % 100000) / 9000;
    bool ok = d->copy_in(d, from, x, sizeof x) &&
              LAUNCH(t, "numbers", SOME / 64, 64, 0, WORD(from), WORD(a), WORD(b)) &&
              d->copy_out(d, f, a, sizeof f) && d->copy_out(d, w, b, sizeof w);
    CHECK(ok, "%s", d->error);
    for (uint32_t i = 0; ok && i < SOME; i++)
        check_number(x[i], i, f + 8 * i, w + 8 * i);
    d->release(d, from);
    d->release(d, a);
    d->release(d, b);
}

void test_kernels(test_open *open)
{
    tsr_device *d = open(0);
    if (!d->compile) {
        d->close(d);
        return;
    }
    test_device t = test_begin(d);
    check_turns(&t);
    check_lanes_of_warps(&t);
    check_vectors(&t);
    check_halves(&t);
    check_narrow(&t);
    check_atomics(&t);
    check_grid(&t);
    check_numbers(&t);
    test_end(&t);
}

/* ---- Errors ---- */

static void check_compile(tsr_device *d, test_device *t)
{
    static const char good[] = "TSR_KERNEL(good, 1) { TSR_POINTER(int32_t, 0)[TSR_THREAD] = 1; }\n";
    static const char bad[] =
        "TSR_KERNEL(bad, 1)\n{\n    TSR_POINTER(int32_t, 0)[0] = nobody;\n}\n";
    tsr_device_text texts[] = {{good, sizeof good - 1}, {bad, sizeof bad - 1}};
    tsr_device_code out[2] = {{0}, {0}};
    tsr_device_kernel k;
    CHECK(!d->compile(d, texts, 2, out), "a text with an error compiles");
    CHECK(strstr(d->error, "nobody") && strstr(d->error, "3"), "it does not say where: %s",
          d->error);
    CHECK(d->compile(d, texts, 1, out), "after an error: %s", d->error);
    CHECK(d->find(d, out[0], "good", &k), "%s", d->error);
    CHECK(!d->find(d, out[0], "nobody", &k) && strstr(d->error, "nobody"), "%s", d->error);
    CHECK(d->compile(d, texts, 0, out + 1), "no text at all: %s", d->error);
    d->drop(d, out[0]);
    CHECK(LAUNCH(t, "grid", 1, 32, 0, WORD(d->allocate(d, 128))) && d->synchronize(d), "%s",
          d->error);
}

static void check_refused(test_open *open, uint32_t threads, uint32_t shared, uint32_t nwords,
                          const char *kernel)
{
    test_device t = test_begin(open(0));
    tsr_device *d = t.d;
    uint64_t words[4] = {WORD(d->allocate(d, 4096)), 0, 0, 0};
    tsr_device_launch l = {.blocks = {1, 1, 1},
                           .threads = threads,
                           .shared = shared,
                           .words = words,
                           .nwords = nwords};
    bool ok = d->find(d, t.code, kernel, &l.kernel) && d->launch(d, &l) && d->synchronize(d);
    CHECK(!ok && d->error[0], "%u threads, %u bytes, %u words", threads, shared, nwords);
    test_end(&t);
}

void test_errors(test_open *open)
{
    tsr_device *d = open(0);
    if (!d->compile) {
        d->close(d);
        return;
    }
    test_device t = test_begin(d);
    check_compile(d, &t);
    test_end(&t);
    check_refused(open, 48, 0, 1, "grid");
    check_refused(open, 2048, 0, 1, "grid");
    check_refused(open, 512, 0, 1, "turn_blocks");
    check_refused(open, 32, 1 << 20, 1, "turn_more");
    check_refused(open, 32, 0, 2, "grid");
}
