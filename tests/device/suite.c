/* SPDX-License-Identifier: Apache-2.0 */
/* suite.c - the conformance suite of devices: every implementation of base/device.h passes it.
 *
 *   device             the host and the mock, the mock in every order
 *   device PLUG-IN [TEST...]   what the plug-in opens */
#include "suite.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/device_host.h"
#include "mock.h"

int tests_passed, tests_failed;
const char *test_name;

char *test_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    for (*n = 0; f && *n == room;) {
        text = realloc(text, room += 1 << 16);
        *n += fread(text + *n, 1, room - *n, f);
    }
    if (f)
        fclose(f);
    return text;
}

uint32_t test_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

test_device test_begin(tsr_device *d)
{
    size_t n;
    char *text = test_read("tests/device/kernels.txt", &n);
    test_device t = {.d = d};
    if (!text) {
        printf("tests/device/kernels.txt is not there\n");
        exit(1);
    }
    if (d->compile)
        CHECK(d->compile(d, &(tsr_device_text){text, n}, 1, &t.code), "%s", d->error);
    free(text);
    return t;
}

void test_end(test_device *t)
{
    if (t->code.word)
        t->d->drop(t->d, t->code);
    t->d->close(t->d);
}

bool test_launch(test_device *t, const char *kernel, uint32_t blocks, uint32_t threads, int lane,
                 uint32_t nwords, const uint64_t *words)
{
    tsr_device_launch l = {.blocks = {blocks, 1, 1},
                           .threads = threads,
                           .words = words,
                           .nwords = nwords,
                           .lane = lane};
    return t->d->find(t->d, t->code, kernel, &l.kernel) && t->d->launch(t->d, &l);
}

/* ---- Kinds of devices ---- */

static tsr_mock_options mock_options;

static tsr_device *open_mock(int number)
{
    char error[256];
    return number < 8 ? tsr_mock_open(number, &mock_options, error, sizeof error) : NULL;
}

static tsr_device *open_host(int number)
{
    return tsr_device_host(number);
}

static tsr_device_open_fn *plug_in_open;

static tsr_device *open_plug_in(int number)
{
    char error[512] = "";
    tsr_device *d = plug_in_open(TSR_DEVICE_VERSION, number, error, sizeof error);
    if (!d && number == 0)
        printf("%s\n", error);
    return d;
}

/* only: NULL, or the names of tests. */
static void run_all(const char *name, test_open *open, char *const *only)
{
    static const struct {
        const char *name;
        void (*run)(test_open *open);
    } tests[] = {{"memory", test_memory},     {"order", test_order},   {"kernels", test_kernels},
                 {"products", test_products}, {"errors", test_errors}, {"many devices", test_many}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        char both[80];
        bool wanted = !only || !*only;
        for (char *const *o = only; o && *o; o++)
            wanted |= strcmp(*o, tests[i].name) == 0;
        if (!wanted)
            continue;
        snprintf(both, sizeof both, "%s, %s", name, tests[i].name);
        test_name = both;
        tests[i].run(open);
    }
}

static int run_plug_in(const char *path, char *const *only)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, TSR_DEVICE_OPEN) : NULL;
    if (!symbol) {
        printf("%s\n", dlerror());
        return 1;
    }
    memcpy(&plug_in_open, &symbol, sizeof plug_in_open);
    tsr_device *d = open_plug_in(0);
    if (!d)
        return 1;
    printf("%s\n", d->name);
    d->close(d);
    run_all("plug-in", open_plug_in, only);
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_plug_in(argv[1], argv + 2);
    test_name = "host, memory"; /* it has no kernels, and other tests need them */
    test_memory(open_host);
    run_all("mock, late", open_mock, NULL);
    mock_options = (tsr_mock_options){.when = TSR_MOCK_EAGER, .reversed = true};
    run_all("mock, reversed", open_mock, NULL);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        mock_options = (tsr_mock_options){.when = TSR_MOCK_RANDOM, .seed = seed};
        test_name = "mock, random";
        test_memory(open_mock);
        test_order(open_mock);
        test_many(open_mock);
    }
    test_faults();
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}
