/* SPDX-License-Identifier: Apache-2.0 */
/* test_work.c - memory, copies, the order of work, marks, several devices. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { N = 5000 };

static void check_sizes(tsr_device *d)
{
    static const size_t sizes[] = {1, 3, 255, 256, 257, 4096, 100003};
    char *to[7], *bytes = malloc(100003), *back = malloc(100003);
    uint64_t seed = 7;
    for (int k = 0; k < 100003; k++)
        bytes[k] = (char)test_random(&seed);
    for (int i = 0; i < 7; i++) {
        to[i] = d->allocate(d, sizes[i]);
        CHECK(to[i] && (uintptr_t)to[i] % d->align == 0, "%zu bytes: %s", sizes[i], d->error);
        CHECK(d->copy_in(d, to[i], bytes + i, sizes[i] - (i == 6 ? 6 : 0)), "%s", d->error);
    }
    for (int i = 0; i < 7; i++) {
        size_t n = sizes[i] - (i == 6 ? 6 : 0);
        memset(back, 0x55, n);
        CHECK(d->copy_out(d, back, to[i], n), "%s", d->error);
        CHECK(memcmp(back, bytes + i, n) == 0, "%zu bytes came back otherwise", n);
        d->release(d, to[i]);
    }
    free(bytes);
    free(back);
}

static void check_fills(tsr_device *d)
{
    char back[300], *at = d->allocate(d, 300);
    CHECK(d->fill(d, at, 0x11, 300) && d->fill(d, at + 7, 0xEE, 100) &&
              d->copy(d, at + 200, d, at + 3, 50),
          "%s", d->error);
    CHECK(d->copy_out(d, back, at, 300), "%s", d->error);
    bool right = true;
    for (int i = 0; i < 300; i++) {
        int j = i >= 200 && i < 250 ? i - 197 : i;
        right &= (uint8_t)back[i] == (j >= 7 && j < 107 ? 0xEE : 0x11);
    }
    CHECK(right, "fills and copies");
    d->release(d, at);
}

static void check_left(tsr_device *d)
{
    int64_t before = d->left(d), most = (int64_t)d->bytes;
    void *at = d->allocate(d, 8 << 20);
    if (before >= 0) {
        CHECK(before <= most, "%lld of %lld", (long long)before, (long long)most);
        CHECK(d->left(d) <= before - (8 << 20) + (2 << 20), "left: %lld, then %lld",
              (long long)before, (long long)d->left(d));
    }
    d->release(d, at);
    d->synchronize(d);
    if (before >= 0) {
        CHECK(d->left(d) >= before - (2 << 20), "left: %lld", (long long)d->left(d));
        CHECK(!d->allocate(d, (size_t)most + (1 << 20)), "more than all memory");
        CHECK(d->error[0], "it does not say why");
    }
    CHECK(d->synchronize(d), "a device without memory goes on: %s", d->error);
}

enum { THREADS = 4, TURNS = 100 };

typedef struct {
    tsr_device *d;
    uint8_t byte;
    bool right;
} sharer;

/* Blocks of its own, in a device that other threads use, too. */
static void *use_device(void *ctx)
{
    sharer *s = ctx;
    tsr_device *d = s->d;
    uint8_t back[64];
    s->right = true;
    for (int i = 0; i < TURNS; i++) {
        void *at[5];
        tsr_mark m;
        for (int k = 0; k < 5; k++)
            s->right &= (at[k] = d->allocate(d, sizeof back)) &&
                        d->fill(d, at[k], (uint8_t)(s->byte + k), sizeof back);
        s->right &= d->mark(d, TSR_LANE_KERNELS, &m);
        for (int k = 0; k < 5; k++) {
            s->right &= d->copy_out(d, back, at[k], sizeof back);
            s->right &= back[0] == s->byte + k && back[63] == s->byte + k;
            d->release(d, at[k]);
        }
    }
    return NULL;
}

static void check_threads(tsr_device *d)
{
    pthread_t threads[THREADS];
    sharer s[THREADS];
    for (int i = 0; i < THREADS; i++) {
        s[i] = (sharer){.d = d, .byte = (uint8_t)(16 * i)};
        CHECK(!pthread_create(&threads[i], NULL, use_device, &s[i]), "no thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(s[i].right, "thread %d of a device that several use: %s", i, d->error);
    }
}

void test_memory(test_open *open)
{
    tsr_device *d = open(0);
    check_sizes(d);
    check_threads(d);
    check_fills(d);
    check_left(d);
    d->release(d, NULL);
    d->close(d);
}

static void fill_numbers(int32_t *x, int32_t first)
{
    for (int i = 0; i < N; i++)
        x[i] = first + i;
}

static bool are_numbers(const int32_t *x, int32_t first)
{
    for (int i = 0; i < N; i++)
        if (x[i] != first + i)
            return false;
    return true;
}

/* What copy_in was given may change; kernels and copies of a lane are in order. */
static void check_lane(test_device *t)
{
    tsr_device *d = t->d;
    static int32_t x[N], y[N];
    void *a = d->allocate(d, sizeof x), *b = d->allocate(d, sizeof x);
    fill_numbers(x, 10);
    bool ok = d->copy_in(d, a, x, sizeof x);
    memset(x, 0, sizeof x);
    for (int k = 0; k < 5; k++)
        ok &= LAUNCH(t, "add_number", (N + 127) / 128, 128, TSR_LANE_KERNELS, WORD(a), N, 3);
    ok &= d->copy(d, b, d, a, sizeof x);
    ok &= LAUNCH(t, "add_number", (N + 63) / 64, 64, TSR_LANE_KERNELS, WORD(a), N, 100);
    ok &= d->copy_out(d, x, a, sizeof x) && d->copy_out(d, y, b, sizeof y);
    CHECK(ok, "%s", d->error);
    CHECK(are_numbers(x, 125) && are_numbers(y, 25), "%d and %d", x[0], y[0]);
    d->release(d, a);
    d->release(d, b);
}

/* There and back between two lanes, by marks. */
static void check_lanes(test_device *t)
{
    tsr_device *d = t->d;
    static int32_t x[N];
    tsr_mark m;
    void *a = d->allocate(d, sizeof x), *b = d->allocate(d, sizeof x);
    fill_numbers(x, 0);
    bool ok = d->copy_in(d, a, x, sizeof x);
    for (int k = 0; k < 10; k++) {
        int from = k % 2 ? TSR_LANE_COLLECTIVES : TSR_LANE_KERNELS;
        int to = k % 2 ? TSR_LANE_KERNELS : TSR_LANE_COLLECTIVES;
        ok &= LAUNCH(t, "add_number", (N + 255) / 256, 256, from, WORD(k % 2 ? b : a), N, 1);
        ok &= LAUNCH(t, "copy_words", 8, 256, from, WORD(k % 2 ? a : b), WORD(k % 2 ? b : a), N);
        ok &= d->mark(d, from, &m) && d->wait(d, to, d, m);
    }
    memset(x, 0, sizeof x);
    ok &= d->copy_out(d, x, a, sizeof x);
    CHECK(ok, "%s", d->error);
    CHECK(are_numbers(x, 10), "%d, %d", x[0], x[N - 1]);
    d->release(d, a);
    d->release(d, b);
}

/* A block is released while work given before still reads it; the next one may be in its place. */
static void check_releases(test_device *t)
{
    tsr_device *d = t->d;
    static int32_t x[N];
    void *out = d->allocate(d, sizeof x);
    bool ok = d->fill(d, out, 0, sizeof x);
    for (int k = 0; k < 20; k++) {
        void *a = d->allocate(d, sizeof x);
        fill_numbers(x, 1000 * k);
        ok &= a && d->copy_in(d, a, x, sizeof x);
        ok &= LAUNCH(t, "add_number", (N + 255) / 256, 256, TSR_LANE_KERNELS, WORD(a), N, 5);
        ok &= LAUNCH(t, "copy_words", 4, 256, TSR_LANE_KERNELS, WORD(out), WORD(a), N);
        d->release(d, a);
    }
    ok &= d->copy_out(d, x, out, sizeof x);
    CHECK(ok, "%s", d->error);
    CHECK(are_numbers(x, 19005), "%d", x[0]);
    d->release(d, out);
}

static void check_marks(test_device *t)
{
    tsr_device *d = t->d;
    tsr_mark from, to;
    void *a = d->allocate(d, N * 4);
    int got = 0;
    bool ok = d->fill(d, a, 0, N * 4) && d->mark(d, TSR_LANE_KERNELS, &from);
    for (int k = 0; k < 5; k++)
        ok &= LAUNCH(t, "add_number", (N + 255) / 256, 256, TSR_LANE_KERNELS, WORD(a), N, 1);
    ok &= d->mark(d, TSR_LANE_KERNELS, &to);
    while (ok && got == 0)
        got = d->reached(d, to);
    CHECK(ok && got == 1 && d->reached(d, from) == 1, "%s", d->error);
    double seconds = d->between(d, from, to);
    CHECK(seconds > 0 && seconds < 60, "%g seconds", seconds);
    CHECK(d->synchronize(d), "%s", d->error);
    d->release(d, a);
}

void test_order(test_open *open)
{
    tsr_device *d = open(0);
    if (!d->compile) {
        d->close(d);
        return;
    }
    test_device t = test_begin(d);
    check_lane(&t);
    check_lanes(&t);
    check_releases(&t);
    check_marks(&t);
    test_end(&t);
}

/* ---- Several devices ---- */

enum { DEVICES = 4 };

/* A number goes around; each device adds its own. */
static void check_around(test_device *t, int n)
{
    static int32_t x[N];
    void *at[DEVICES] = {NULL};
    tsr_mark m;
    bool ok = true;
    for (int i = 0; i < n; i++)
        at[i] = t[i].d->allocate(t[i].d, sizeof x);
    fill_numbers(x, 0);
    ok &= t[0].d->copy_in(t[0].d, at[0], x, sizeof x);
    for (int k = 0; k < 3 * n; k++) {
        test_device *a = t + k % n, *b = t + (k + 1) % n;
        void *from = at[k % n], *to = at[(k + 1) % n];
        ok &=
            LAUNCH(a, "add_number", (N + 255) / 256, 256, 0, WORD(from), N, (uint64_t)(1 + k % n));
        ok &= a->d->mark(a->d, TSR_LANE_KERNELS, &m);
        ok &= b->d->wait(b->d, TSR_LANE_KERNELS, a->d, m);
        ok &= a == b || b->d->copy(b->d, to, a->d, from, sizeof x);
    }
    ok &= t[0].d->copy_out(t[0].d, x, at[0], sizeof x);
    CHECK(ok, "%s", t[0].d->error);
    CHECK(are_numbers(x, 3 * n * (n + 1) / 2), "%d", x[0]);
    for (int i = 0; i < n; i++)
        CHECK(t[i].d->synchronize(t[i].d), "%s", t[i].d->error);
    for (int i = 0; i < n; i++)
        t[i].d->release(t[i].d, at[i]);
}

static int32_t expected(tsr_native_kind kind, int n, int member, int e)
{
    int32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += 100 * i + e + (kind == TSR_NATIVE_SCATTER ? 6 * member : 0);
    if (kind == TSR_NATIVE_REDUCE || kind == TSR_NATIVE_SCATTER)
        return sum;
    if (kind == TSR_NATIVE_GATHER)
        return 100 * (e / 6) + e % 6;
    return 100 * (e / 6) + 6 * member + e % 6;
}

/* Operands come from kernels, results go to the host: marks both ways. */
static void check_collective(test_device *t, int n, tsr_native_kind kind)
{
    int nin = kind == TSR_NATIVE_SCATTER || kind == TSR_NATIVE_EXCHANGE ? 6 * n : 6;
    int nout = kind == TSR_NATIVE_GATHER || kind == TSR_NATIVE_EXCHANGE ? 6 * n : 6;
    tsr_device *d[DEVICES];
    tsr_native calls[DEVICES];
    int32_t x[6 * DEVICES];
    tsr_mark m;
    bool ok = true;
    for (int i = 0; i < n; i++) {
        d[i] = t[i].d;
        calls[i] = (tsr_native){.kind = kind, .type = TSR_NATIVE_I32, .n = 6};
        char *in = d[i]->allocate(d[i], sizeof x);
        calls[i].in = in;
        calls[i].out = d[i]->allocate(d[i], sizeof x);
        for (int e = 0; e < nin; e++)
            x[e] = 100 * i + e - 1;
        ok &= d[i]->copy_in(d[i], in, x, sizeof x);
        ok &= LAUNCH(t + i, "add_number", 1, 32, 0, WORD(in), (uint64_t)nin, 1);
        ok &= d[i]->mark(d[i], TSR_LANE_KERNELS, &m) &&
              d[i]->wait(d[i], TSR_LANE_COLLECTIVES, d[i], m);
    }
    ok &= d[0]->collective(d, calls, (size_t)n);
    for (int i = n; i-- > 0;) {
        ok &= d[i]->mark(d[i], TSR_LANE_COLLECTIVES, &m) &&
              d[i]->wait(d[i], TSR_LANE_KERNELS, d[i], m);
        ok &= d[i]->copy_out(d[i], x, calls[i].out, sizeof x);
        for (int e = 0; ok && e < nout; e++)
            CHECK(x[e] == expected(kind, n, i, e), "kind %d, member %d, element %d: %d", (int)kind,
                  i, e, x[e]);
        d[i]->release(d[i], (void *)(uintptr_t)calls[i].in);
        d[i]->release(d[i], calls[i].out);
    }
    CHECK(ok, "%s", d[0]->error);
}

void test_many(test_open *open)
{
    test_device t[DEVICES];
    int n = 0;
    for (tsr_device *d; n < DEVICES && (d = open(n)); n++)
        if (!d->compile) {
            d->close(d);
            break;
        } else {
            t[n] = test_begin(d);
        }
    if (n)
        check_around(t, n);
    for (int kind = 0; n && t[0].d->collective && kind <= TSR_NATIVE_EXCHANGE; kind++)
        check_collective(t, n, (tsr_native_kind)kind);
    while (n-- > 0)
        test_end(t + n);
}
