/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_bytecode.c - the bytecode reader, and what it reads, under a fuzzer. Mutations know sections (tests/mutate_bytes.c), half of
 * the time. What is accepted must print to a text that parses and prints to itself. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || memcmp(data, "ML\xEFR", 4)) /* text has a target of its own */
        return 0;
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m =
        tsr_module_parse(w.ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.mlirbc"));
    fuzz_must(m || w.error, "refused without an error");
    if (m)
        fuzz_round_trip(
            &w, m, &(tsr_print_options){.generic = true, .debug_info = true, .elide_larger = -1});
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    if (size < 8 || next_random(&rng) & 1)
        return LLVMFuzzerMutate(data, size, most);
    text t = {malloc(size + 1), size}, same = {malloc(size + 1), size};
    fuzz_must(t.data && same.data, "no memory");
    memcpy(t.data, data, size);
    memcpy(same.data, data, size);
    mutate_bytes(&t, &same, &rng);
    if (t.len <= most)
        memcpy(data, t.data, size = t.len);
    free(t.data);
    free(same.data);
    return size;
}
