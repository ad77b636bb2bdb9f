/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_flatbuffer.c - binaries and system descriptions under a fuzzer: what is read prints as JSON, is written again, and reads as
 * the same; a binary that is a module verifies or is refused with an error. */
#include "fuzz.h"

#include <string.h>

#include "api/api.h"
#include "api/guard.h"
#include "target/flatbuffer/program.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    text t = {(char *)data, size};
    if (size < 32 || size >= most || below(&rng, 8) == 0)
        return LLVMFuzzerMutate(data, size, most);
    for (size_t n = 1 + below(&rng, 3); n > 0; n--)
        mutate_flatbuffer(&t, &rng);
    return t.len;
}

/* Written again, it says the same. */
static void again(const tsr_fb_file *kind, tsr_fb_table *root)
{
    enum { MOST = 1 << 20 };
    tsr_arena arena;
    tsr_buf bytes = {0}, first = {0}, second = {0};
    tsr_fb_error error = {.at = 0};
    if (root->nodes > MOST)
        return;
    tsr_arena_init(&arena);
    tsr_fb_json(&first, root, 0);
    tsr_fb_write(&bytes, kind, root, 0);
    tsr_fb_table *back = tsr_fb_read(&arena, kind, tsr_buf_text(&bytes), &error);
    fuzz_must(back != NULL, "what was written is refused");
    if (back)
        tsr_fb_json(&second, back, 0);
    fuzz_must(tsr_str_eq(tsr_buf_text(&first), tsr_buf_text(&second)),
              "written again, it is another");
    tsr_buf_free(&bytes);
    tsr_buf_free(&first);
    tsr_buf_free(&second);
    tsr_arena_free(&arena);
}

static tsr_module *load(fuzz_world *w, tsr_str data)
{
    const tsr_str name = TSR_STR("fuzz");
    TSR_GUARD_CTX(g, w->ctx, NULL, NULL)
    tsr_module *m = tsr_fb_read_module(w->ctx, data, name);
    tsr_guard_close(&g);
    return m;
}

static void as_module(fuzz_world *w, tsr_str data)
{
    tsr_module *m = load(w, data);
    fuzz_must(m || w->error, "refused without an error");
    if (m && !tsr_module_verify(m))
        fuzz_must(w->error, "does not verify, without an error");
    tsr_module_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_str s = {(const char *)data, size};
    const tsr_fb_file *kind = tsr_fb_file_of(s);
    tsr_arena arena;
    tsr_fb_error error = {.at = 0};
    fuzz_world w;
    if (!kind)
        return 0;
    tsr_arena_init(&arena);
    tsr_fb_table *root = tsr_fb_read(&arena, kind, s, &error);
    fuzz_must(root || error.what[0], "refused without a reason");
    if (root)
        again(kind, root);
    tsr_arena_free(&arena);
    fuzz_open(&w);
    if (tsr_fb_has_programs(kind))
        as_module(&w, s);
    fuzz_close(&w);
    return 0;
}
