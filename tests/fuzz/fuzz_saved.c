/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_saved.c - saved programs under a fuzzer. Each input is taken as it is, and with a right checksum: then its tables and its
 * module have to be refused for themselves. What loads is run, saves as a program that loads, and that saves as the same bytes. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "api/tsrx.h"

static void run(const tsr_executable *x)
{
    enum { MOST = 16 };
    size_t nin = tsr_executable_num_inputs(x), nout = tsr_executable_num_outputs(x);
    tsr_tensor *in[MOST] = {0}, *out[MOST] = {0};
    tsr_module *m = tsr_executable_module(x);
    if (!m || nin > MOST || nout > MOST || tsr_executable_num_devices(x) > 1) {
        tsr_module_free(m);
        return;
    }
    for (size_t i = 0; i < nin; i++)
        in[i] = tsr_module_random_input(m, tsr_cstr("main"), i, 1, NULL);
    tsr_executable_run(x, in, nin, out, nout, NULL, NULL);
    for (size_t i = 0; i < MOST; i++) {
        tsr_tensor_free(in[i]);
        tsr_tensor_free(out[i]);
    }
    tsr_module_free(m);
}

static tsr_executable *load(fuzz_world *w, tsr_str data)
{
    w->error = false;
    tsr_executable *x = tsr_executable_load(w->ctx, data, tsr_cstr("fuzz.tsrx"), NULL);
    fuzz_must(x || w->error || fuzz_was_stopped(w), "refused without an error");
    return x;
}

static void try(tsr_str data)
{
    fuzz_world w;
    fuzz_open(&w);
    tsr_executable *x = load(&w, data);
    if (x)
        run(x);
    tsr_str first = x ? tsr_executable_save(x, NULL) : (tsr_str){NULL, 0};
    tsr_executable *y = first.data ? load(&w, first) : NULL;
    tsr_str second = y ? tsr_executable_save(y, NULL) : (tsr_str){NULL, 0};
    fuzz_must(!second.data ||
                  (first.len == second.len && !memcmp(first.data, second.data, first.len)),
              "saved again, it is another");
    tsr_free((void *)(uintptr_t)first.data);
    tsr_free((void *)(uintptr_t)second.data);
    tsr_executable_free(x);
    tsr_executable_free(y);
    fuzz_close(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try((tsr_str){(const char *)data, size});
    char *sealed = malloc(size + 1);
    fuzz_must(sealed != NULL, "no memory");
    memcpy(sealed, data, size);
    tsr_tsrx_seal(sealed, size);
    try((tsr_str){sealed, size});
    free(sealed);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    (void)seed;
    return LLVMFuzzerMutate(data, size, most);
}
