/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_emit.c - modules of emitc and emitpy, and what they are as C++ and Python, under a fuzzer. A module that is read prints to itself; one
 * that verifies becomes a text, the same each time, or is refused with an error. */
#include "fuzz.h"

#include <string.h>

#include "tessera/code.h"

static void as_code(fuzz_world *w, tsr_module *m, const char *language)
{
    w->error = false;
    tsr_str first = tsr_module_code(m, tsr_cstr(language));
    fuzz_must(first.data || w->error || fuzz_was_stopped(w), "refused without an error");
    tsr_str second = first.data ? tsr_module_code(m, tsr_cstr(language)) : (tsr_str){.data = NULL};
    fuzz_must(!second.data ||
                  (first.len == second.len && !memcmp(first.data, second.data, first.len)),
              "the second text is another");
    tsr_free((void *)first.data);
    tsr_free((void *)second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m =
        tsr_module_parse(w.ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.mlir"));
    fuzz_must(m || w.error, "refused without an error");
    if (m) {
        fuzz_round_trip(&w, m, &(tsr_print_options){.elide_larger = -1});
        if (tsr_module_verify(m)) {
            as_code(&w, m, "cpp");
            as_code(&w, m, "python");
        }
    }
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    return fuzz_mutate_text(data, size, most, &rng);
}
