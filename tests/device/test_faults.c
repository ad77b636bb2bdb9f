/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults.c - faults of a caller and of kernel text that the mock finds. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fiber.h"
#include "mock.h"
#include "suite.h"

enum { N = 1024 };

static test_device begin(tsr_mock_options o)
{
    char error[256];
    return test_begin(tsr_mock_open(0, &o, error, sizeof error));
}

/* Launches a kernel, waits, and expects an error with these words in it. */
static void expect(const char *kernel, uint32_t threads, uint64_t second, uint32_t nwords,
                   const char *words)
{
    for (int reversed = 0; reversed < 2; reversed++) {
        test_device t = begin((tsr_mock_options){.reversed = reversed});
        tsr_device *d = t.d;
        void *x = d->allocate(d, 128);
        uint64_t given[2] = {WORD(x), second};
        bool ok = test_launch(&t, kernel, 1, threads, 0, nwords, given) && d->synchronize(d);
        if (ok) { /* bytes between blocks are looked at when a block is released */
            d->release(d, x);
            ok = d->synchronize(d);
        }
        CHECK(!ok && strstr(d->error, words), "%s: %s", kernel, ok ? "no error" : d->error);
        CHECK(!d->synchronize(d) && !d->allocate(d, 1), "%s: the device goes on", kernel);
        test_end(&t);
    }
}

/* Whether some order of work, or of warps, gives other numbers than another. */
static bool differs(bool (*run)(tsr_mock_options o, uint32_t *out))
{
    uint32_t first[N], x[N];
    bool other = false;
    run((tsr_mock_options){.when = TSR_MOCK_EAGER}, first);
    other |= run((tsr_mock_options){.when = TSR_MOCK_EAGER, .reversed = true}, x) &&
             memcmp(first, x, sizeof x) != 0;
    for (uint32_t seed = 0; seed < 8; seed++)
        other |=
            run((tsr_mock_options){.when = seed ? TSR_MOCK_RANDOM : TSR_MOCK_LATE, .seed = seed},
                x) &&
            memcmp(first, x, sizeof x) != 0;
    return other;
}

/* Lane 1 reads what lane 0 writes. */
static bool run_lanes(tsr_mock_options o, uint32_t *out, bool waits)
{
    test_device t = begin(o);
    tsr_device *d = t.d;
    tsr_mark m;
    void *a = d->allocate(d, 4 * N), *b = d->allocate(d, 4 * N);
    bool ok = d->fill(d, a, 0, 4 * N) && LAUNCH(&t, "add_number", N / 64, 64, 0, WORD(a), N, 7) &&
              d->mark(d, 0, &m) && (!waits || d->wait(d, 1, d, m)) &&
              LAUNCH(&t, "copy_words", 4, 64, 1, WORD(b), WORD(a), N) && d->mark(d, 1, &m) &&
              d->wait(d, 0, d, m) && d->copy_out(d, out, b, 4 * N);
    CHECK(ok, "%s", d->error);
    test_end(&t);
    return ok;
}

static bool run_with_wait(tsr_mock_options o, uint32_t *out)
{
    return run_lanes(o, out, true);
}

static bool run_without_wait(tsr_mock_options o, uint32_t *out)
{
    return run_lanes(o, out, false);
}

static bool run_block(tsr_mock_options o, uint32_t *out, const char *kernel)
{
    test_device t = begin(o);
    tsr_device *d = t.d;
    void *a = d->allocate(d, 4 * N);
    bool ok = d->fill(d, a, 0, 4 * N) && LAUNCH(&t, kernel, 1, 256, 0, WORD(a)) &&
              d->copy_out(d, out, a, 4 * N);
    CHECK(ok, "%s", d->error);
    test_end(&t);
    return ok;
}

static bool run_race(tsr_mock_options o, uint32_t *out)
{
    return run_block(o, out, "race");
}

static bool run_right(tsr_mock_options o, uint32_t *out)
{
    return run_block(o, out, "turn_blocks");
}

/* Lane 1 still reads a block that lane 0 releases: its work was not waited for. */
static void check_early_release(void)
{
    test_device t = begin((tsr_mock_options){0});
    tsr_device *d = t.d;
    void *a = d->allocate(d, 4 * N), *b = d->allocate(d, 4 * N);
    bool ok = d->fill(d, a, 0, 4 * N) && d->synchronize(d) &&
              LAUNCH(&t, "copy_words", 4, 64, 1, WORD(b), WORD(a), N);
    d->release(d, a);
    ok &= d->fill(d, b, 0, 4) &&
          d->copy_out(d, &(int){0}, b, 4); /* lane 0 is done, lane 1 comes late */
    ok &= d->synchronize(d);
    CHECK(!ok && strstr(d->error, "released") && strstr(d->error, "copy_words"), "%s",
          ok ? "no error" : d->error);
    test_end(&t);
}

static void check_calls(void)
{
    char x[64];
    test_device t = begin((tsr_mock_options){0});
    void *a = t.d->allocate(t.d, 64);
    t.d->release(t.d, a);
    CHECK(!(t.d->copy_in(t.d, a, x, 64) && t.d->synchronize(t.d)) && strstr(t.d->error, "released"),
          "%s", t.d->error);
    test_end(&t);
    t = begin((tsr_mock_options){0});
    t.d->release(t.d, t.d->allocate(t.d, 64));
    a = t.d->allocate(t.d, 64);
    t.d->release(t.d, a);
    t.d->release(t.d, a);
    CHECK(!t.d->synchronize(t.d) && strstr(t.d->error, "release"), "released twice: %s",
          t.d->error);
    test_end(&t);
    t = begin((tsr_mock_options){0});
    a = t.d->allocate(t.d, 64);
    CHECK(!(t.d->fill(t.d, a, 1, 65) && t.d->synchronize(t.d)), "a fill that is too long");
    test_end(&t);
    t = begin((tsr_mock_options){0});
    a = t.d->allocate(t.d, 4 * N);
    CHECK(LAUNCH(&t, "add_number", 1, 32, 0, WORD(a), 32, 1), "%s", t.d->error);
    t.d->drop(t.d, t.code);
    CHECK(!t.d->synchronize(t.d) && strstr(t.d->error, "dropped"), "%s", t.d->error);
    test_end(&t);
    t = begin((tsr_mock_options){.bytes = 1000, .failing = 2});
    CHECK(t.d->allocate(t.d, 10) && !t.d->allocate(t.d, 10) && t.d->allocate(t.d, 900) &&
              !t.d->allocate(t.d, 100),
          "limits of memory");
    tsr_mock_live live = tsr_mock_count(t.d);
    CHECK(live.blocks == 2 && live.bytes == 910 && live.codes == 1, "%d blocks, %d codes",
          live.blocks, live.codes);
    test_end(&t);
}

/* A process that reads device memory by itself ends. */
static void check_host(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        tsr_mock_options o = {0};
        char error[64];
        tsr_device *d = tsr_mock_open(0, &o, error, sizeof error);
        volatile char *a = d->allocate(d, 64);
        d->fill(d, (void *)(uintptr_t)a, 0, 64);
        d->synchronize(d);
        close(2); /* a sanitizer's report */
        _exit(a[3] == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) > 1, "the host read device memory");
}

void test_faults(void)
{
    test_name = "faults";
    if (!TSR_FIBER_THREADS) { /* it keeps signals to itself */
        expect("too_far", 32, 1024, 2, "touches byte");
        expect("too_far", 32, 1, 2, "block of 128 bytes");
        expect("too_far", 32, (uint64_t)-1, 2, "block of 128 bytes");
        check_early_release();
        check_host();
    }
    if (!TSR_FIBER_ADDRESSES) /* it ends the process there */
        expect("too_far_shared", 32, 1, 2, "shared memory");
    expect("some_at_barrier", 64, 0, 1, "barrier");
    expect("two_barriers", 64, 0, 1, "barrier");
    expect("some_lanes", 32, 0, 1, "lanes");
    expect("odd_vector", 32, 0, 1, "vector");
    CHECK(differs(run_without_wait), "a missing wait");
    CHECK(!differs(run_with_wait), "a wait");
    CHECK(differs(run_race), "a missing barrier");
    CHECK(!differs(run_right), "a barrier");
    check_calls();
}
