/* fuzz_bytecode.c - the bytecode reader, and what it reads, under a fuzzer.
 *
 * A libFuzzer target whose mutations know sections (tests/mutate_bytes.c), half of the time; built without
 * libFuzzer it runs the files it is given. What is accepted must print to a text that parses and prints to itself.
 * */
#include "tessera/tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_diag(void *user, const tsr_diag *d)
{
    *(bool *)user |= d->severity == TSR_ERROR && d->message.len > 0;
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz_bytecode: %s\n", what);
    abort();
}

static void round_trip(tsr_ctx *ctx, tsr_module *m)
{
    tsr_print_options how = {.generic = true, .debug_info = true, .elide_larger = -1};
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
    if (size < 4 || memcmp(data, "ML\xEFR", 4)) /* text has a target of its own */
        return 0;
    bool error = false;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, on_diag, &error);
    tsr_ctx_allow_unregistered(ctx, true);
    tsr_module *m =
        tsr_module_parse(ctx, (tsr_str){(const char *)data, size}, tsr_cstr("fuzz.mlirbc"));
    must(m != NULL || error, "refused without an error");
    if (m) {
        round_trip(ctx, m);
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
    return 0;
}

/* ---- What mutations need ---- */

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t below(uint64_t *rng, size_t n)
{
    return n ? (size_t)(next_random(rng) % n) : 0;
}

void splice(text *t, size_t at, size_t cut, const char *with, size_t len)
{
    char *data = malloc(t->len - cut + len + 1);
    if (!data)
        abort();
    memcpy(data, t->data, at);
    if (len)
        memcpy(data + at, with, len);
    memcpy(data + at + len, t->data + at + cut, t->len - at - cut);
    free(t->data);
    t->data = data;
    t->len += len - cut;
}

#ifdef TSR_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    text t = {malloc(size + 1), size};
    if (!t.data)
        abort();
    if (size < 8 || next_random(&rng) & 1) {
        free(t.data);
        return LLVMFuzzerMutate(data, size, most);
    }
    memcpy(t.data, data, size);
    text same = {malloc(size + 1), size};
    if (!same.data)
        abort();
    memcpy(same.data, data, size);
    mutate_bytes(&t, &same, &rng);
    if (t.len <= most) {
        memcpy(data, t.data, t.len);
        size = t.len;
    }
    free(t.data);
    free(same.data);
    return size;
}
#else
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        static uint8_t data[1 << 20];
        if (!f)
            return 3;
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, f));
        fclose(f);
    }
    return 0;
}
#endif
