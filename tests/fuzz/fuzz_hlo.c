/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_hlo.c - HLO text under a fuzzer: what is accepted must print to a text that parses and prints to itself, and can be explained. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "HloModule ";
    if (size < sizeof head - 1 ||
        memcmp(data, head, sizeof head - 1)) /* other texts have targets of their own */
        return 0;
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m =
        tsr_module_parse(w.ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.hlo"));
    fuzz_must(m || w.error, "refused without an error");
    if (m) {
        fuzz_round_trip(
            &w, m, &(tsr_print_options){.generic = true, .debug_info = true, .elide_larger = -1});
        tsr_explain_options options = {.json = true};
        tsr_str said = tsr_module_explain(m, &options, NULL);
        tsr_free((void *)(uintptr_t)said.data);
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
