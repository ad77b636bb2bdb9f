/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_parse.c - the parser, verifier and printer under a fuzzer. What is accepted must print to a text that parses and prints to
 * itself. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m =
        tsr_module_parse(w.ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.mlir"));
    fuzz_must(m || w.error, "refused without an error");
    if (m) {
        fuzz_round_trip(&w, m, &(tsr_print_options){.elide_larger = -1});
        fuzz_round_trip(&w, m, &(tsr_print_options){.generic = true, .elide_larger = -1});
    }
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}
