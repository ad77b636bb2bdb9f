/* fuzz_parse.c - the parser, verifier and printer under a fuzzer.
 *
 * Built with -fsanitize=fuzzer it is a libFuzzer target; without (and with AFL++'s compiler) it has a main of its own that
 * runs the files it is given, or standard input. What is accepted must print to a text that parses and prints to itself. */
#include "tessera/tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_diag(void *user, const tsr_diag *d)
{
    *(bool *)user |= d->severity == TSR_ERROR && d->message.len > 0;
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz_parse: %s\n", what);
    abort();
}

static void round_trip(tsr_ctx *ctx, tsr_module *m, bool generic)
{
    tsr_print_options how = {.generic = generic, .elide_larger = -1};
    tsr_str first = tsr_module_print(m, &how);
    tsr_module *again = tsr_module_parse(ctx, first, tsr_cstr("printed"));
    must(again != NULL, "what was printed does not parse");
    tsr_str second = tsr_module_print(again, &how);
    must(first.len == second.len && !memcmp(first.data, second.data, first.len),
         "printing is no fixpoint");
    tsr_free((void *)(uintptr_t)first.data);
    tsr_free((void *)(uintptr_t)second.data);
    tsr_module_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool error = false;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, on_diag, &error);
    tsr_ctx_allow_unregistered(ctx, true);
    tsr_module *m =
        tsr_module_parse(ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.mlir"));
    must(m != NULL || error, "refused without an error");
    if (m) {
        round_trip(ctx, m, false);
        round_trip(ctx, m, true);
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
    return 0;
}

#ifndef TSR_LIBFUZZER
static void run_file(FILE *f)
{
    uint8_t *data = NULL;
    size_t len = 0, room = 0, n;
    do {
        if (len == room && !(data = realloc(data, room = room ? room * 2 : 65536)))
            abort();
        n = fread(data + len, 1, room - len, f);
        len += n;
    } while (n);
    LLVMFuzzerTestOneInput(data, len);
    free(data);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        run_file(stdin);
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            perror(argv[i]);
            return 3;
        }
        run_file(f);
        fclose(f);
    }
    return 0;
}
#endif
