/* SPDX-License-Identifier: Apache-2.0 */
/* test_fft.c - Fourier transforms (kernel/fft.h) in each class of machines, of both types and all forms, against sums in long double; the same bits on
 * any number of threads, and in place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "exec/kernel/fft.h"
#include "exec/kernel/tile.h"
#include "unit.h"

typedef struct {
    bool wide, inverse, real;
    int64_t n, outer, inner;
} transform;

static uint64_t seed = 42;

static double any(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(int64_t)seed * 0x1p-63;
}

static double at(const void *x, bool wide, int64_t i)
{
    return wide ? ((const double *)x)[i] : ((const float *)x)[i];
}

/* Real numbers of the operand and of the result, for one transform. */
static int64_t in_numbers(const transform *t)
{
    return t->real ? (t->inverse ? 2 * (t->n / 2 + 1) : t->n) : 2 * t->n;
}

static int64_t out_numbers(const transform *t)
{
    return t->real ? (t->inverse ? t->n : 2 * (t->n / 2 + 1)) : 2 * t->n;
}

static void run(const transform *t, const void *in, void *out)
{
    tsr_arena a;
    tsr_arena_init(&a);
    tsr_fft_plan *p = tsr_fft_plan_new(&a, t->n, t->outer * t->inner, t->wide, t->inverse, t->real);
    size_t bytes = (tsr_fft_scratch(p) + 63) / 64 * 64;
    char *scratch = aligned_alloc(64, bytes * (size_t)tsr_pool_size());
    memset(scratch, 0xff, bytes * (size_t)tsr_pool_size()); /* NaN */
    tsr_fft_run(p, in, out, t->outer, t->inner, scratch, bytes);
    free(scratch);
    tsr_arena_free(&a);
}

/* Element k of transform c of the result, as a sum; exact enough for both types. */
static void sum_of(const transform *t, const void *in, int64_t c, int64_t k, long double *out)
{
    int64_t half = t->n / 2 + 1, stride = t->inner, n = t->real && t->inverse ? half : t->n;
    int64_t first = c / stride * n * stride + c % stride;
    long double turn = 2 * acosl(-1) / (long double)t->n * (t->inverse ? 1 : -1);
    out[0] = out[1] = 0;
    for (int64_t j = 0; j < t->n; j++) {
        bool mirrored = t->real && t->inverse && j >= half;
        int64_t from = first + (mirrored ? t->n - j : j) * stride;
        bool no_im = t->real && (!t->inverse || j == 0 || 2 * j == t->n);
        long double re = t->real && !t->inverse ? at(in, t->wide, from) : at(in, t->wide, 2 * from);
        long double im = no_im ? 0 : at(in, t->wide, 2 * from + 1) * (mirrored ? -1 : 1);
        long double angle = turn * (long double)(j * k % t->n);
        out[0] += re * cosl(angle) - im * sinl(angle);
        out[1] += re * sinl(angle) + im * cosl(angle);
    }
    for (int i = 0; i < 2; i++)
        out[i] /= t->inverse ? (long double)t->n : 1;
}

/* The bound of KERNELS.md: errors over the root mean square of the numbers of the result. */
static double bound(const transform *t)
{
    return (t->wide ? 0x1p-53 : 0x1p-24) * (8 + 4 * log2((double)t->n));
}

/* Whether results, some of each transform, are within the bound. */
static bool is_right(const transform *t, const void *in, const void *out)
{
    int64_t all = t->outer * t->inner, n = t->real && !t->inverse ? t->n / 2 + 1 : t->n;
    int64_t numbers = all * out_numbers(t), step = n > 16 ? n / 8 : 1;
    bool real = t->real && t->inverse;
    long double square = 0;
    for (int64_t i = 0; i < numbers; i++)
        square += (long double)at(out, t->wide, i) * at(out, t->wide, i);
    double limit = bound(t) * (double)sqrtl(square / (long double)numbers);
    for (int64_t c = 0; c<all; c += all> 4 ? all - 1 : 1)
        for (int64_t k = 0; k < n; k += step) {
            long double want[2];
            sum_of(t, in, c, k, want);
            int64_t to = c / t->inner * n * t->inner + c % t->inner + k * t->inner;
            for (int i = 0; i < (real ? 1 : 2); i++) {
                double got = at(out, t->wide, real ? to : 2 * to + i);
                if (!(fabs(got - (double)want[i]) <= limit))
                    return false;
            }
        }
    return true;
}

static void check(unit *u, const transform *t)
{
    size_t part = t->wide ? sizeof(double) : sizeof(float), all = (size_t)(t->outer * t->inner);
    size_t in_bytes = all * (size_t)in_numbers(t) * part,
           out_bytes = all * (size_t)out_numbers(t) * part;
    char *in = malloc(in_bytes), *out = malloc(out_bytes), *again = malloc(out_bytes);
    for (size_t i = 0; i < in_bytes / part; i++)
        if (t->wide)
            ((double *)(void *)in)[i] = any();
        else
            ((float *)(void *)in)[i] = (float)any();
    tsr_pool_limit(1);
    run(t, in, out);
    bool right = is_right(t, in, out);
    CHECK(u, right);
    if (!right)
        fprintf(stderr, "%s: length %lld, %lld x %lld,%s%s%s\n", tsr_isa_name(), (long long)t->n,
                (long long)t->outer, (long long)t->inner, t->wide ? " f64" : " f32",
                t->inverse ? " inverse" : "", t->real ? " real" : "");
    static const int threads[] = {2, 3, 7};
    for (size_t i = 0; i < TSR_COUNT(threads); i++) {
        tsr_pool_limit(threads[i]);
        run(t, in, again);
        CHECK(u, memcmp(out, again, out_bytes) == 0);
    }
    if (!t->real) {
        run(t, in, in);
        CHECK(u, memcmp(out, in, out_bytes) == 0);
    }
    tsr_pool_limit(0);
    free(in);
    free(out);
    free(again);
}

static void test_class(unit *u)
{
    /* All radices and their products, primes that are radices, primes that are not, long ones. */
    static const int64_t lengths[] = {1,   2,   3,   4,   5,   6,    7,    8,   9,
                                      12,  15,  16,  30,  37,  49,   64,   77,  100,
                                      113, 121, 127, 128, 254, 1000, 1024, 2039};
    for (int form = 0; form < 8; form++) {
        transform t = {.wide = form & 1, .inverse = form & 2, .real = form & 4, .inner = 1};
        for (size_t i = 0; i < TSR_COUNT(lengths); i++)
            for (t.outer = 1; t.outer < 30; t.outer += 16) {
                t.n = lengths[i];
                check(u, &t);
            }
        t.outer = 1;
        for (t.n = 8191; t.n <= 8193; t.n++) /* prime, two to a power, odd */
            check(u, &t);
        t.outer = 3;
        t.n = 12;
        for (t.inner = 2; !t.real && t.inner < 40; t.inner = 2 * t.inner + 3)
            check(u, &t);
    }
}

/* The same bits in all classes that fuse. */
static void test_classes(unit *u)
{
    static const int64_t lengths[] = {6, 37, 100, 113, 1024, 1125, 8191, 8192};
    static _Alignas(64) float in[2 * 17 * 8192], one[2 * 17 * 8192], other[2 * 17 * 8192];
    const char *before = tsr_isa_name();
    for (size_t i = 0; i < TSR_COUNT(in); i++)
        in[i] = (float)any();
    for (size_t i = 0; i < TSR_COUNT(lengths); i++)
        for (int form = 0; form < 8; form++) {
            transform t = {.wide = form & 1, .inverse = form & 2, .real = form & 4, .inner = 1};
            t.n = lengths[i];
            t.outer = t.wide ? 8 : 17;
            bool first = true;
            for (const char *const *name = tsr_isa_names(); *name; name++)
                if (strcmp(*name, "baseline") != 0 && tsr_isa_use(*name, NULL)) {
                    float *out = first ? one : other;
                    memset(out, 0, sizeof one);
                    run(&t, in, out);
                    CHECK(u, first || memcmp(one, other, sizeof one) == 0);
                    first = false;
                }
        }
    tsr_isa_use(before, NULL);
}

void test_fft(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++)
        if (tsr_isa_use(*name, NULL))
            test_class(u);
    tsr_isa_use(before, NULL);
    test_classes(u);
    tsr_arena a;
    tsr_arena_init(&a);
    CHECK(u, !tsr_fft_plan_new(&a, 0, 1, false, false, false));
    CHECK(u, !tsr_fft_plan_new(&a, INT64_MAX, 1, false, false, true));
    /* A long transform's roots are made as it runs. */
    CHECK(u, tsr_fft_plan_new(&a, 1 << 24, 1, true, false, true));
    CHECK(u, tsr_arena_size(&a) < (size_t)4 << 20);
    tsr_arena_free(&a);
}
