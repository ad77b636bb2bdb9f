/* SPDX-License-Identifier: Apache-2.0 */
/* flatbuffer.c - a module of TTIR down to TTNN, as a flatbuffer and back, in one process, CPU time of all threads, best of N, one line a
 * file:
 *
 *     tessera FILE lower_ms write_ms read_ms tree_ms bytes ops
 *
 * lower_ms: --ttir-to-ttnn-backend-pipeline on a module in memory; write_ms: that in memory to bytes; read_ms: bytes to a module, not
 * verified; tree_ms: bytes to the tree that `ttrt read` prints; ops: of TTNN. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/api.h"
#include "target/flatbuffer/program.h"

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

typedef struct {
    double lower, write, read, tree;
} times;

/* A copy of m, lowered. NULL after a diagnostic. */
static tsr_module *lowered(tsr_module *m, times *t)
{
    tsr_module *copy = tsr_module_clone(m);
    double from = cpu_ms();
    bool ok =
        copy && tsr_module_run(copy, TSR_STR("builtin.module(ttir-to-ttnn-backend-pipeline)"));
    t->lower = least(t->lower, cpu_ms() - from);
    if (ok)
        return copy;
    tsr_module_free(copy);
    return NULL;
}

static bool back(tsr_str bytes, times *t)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_arena arena;
    tsr_fb_error error;
    double from = cpu_ms();
    tsr_module *m = tsr_fb_read_module(ctx, bytes, TSR_STR("bench"));
    t->read = least(t->read, cpu_ms() - from);
    tsr_arena_init(&arena);
    from = cpu_ms();
    bool ok = tsr_fb_read(&arena, &tsr_fb_files[TSR_FB_TTNN], bytes, &error) && m;
    t->tree = least(t->tree, cpu_ms() - from);
    tsr_arena_free(&arena);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return ok;
}

static int bench(const char *path, int repeat)
{
    times t = {1e300, 1e300, 1e300, 1e300};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse_file(ctx, path), *ttnn = NULL;
    tsr_buf bytes = {0};
    bool ok = m != NULL;
    for (int i = 0; ok && i < repeat; i++) {
        tsr_module_free(ttnn);
        ttnn = lowered(m, &t);
        ok = ttnn != NULL;
    }
    for (int i = 0; ok && i < repeat; i++) {
        tsr_buf_free(&bytes);
        bytes = (tsr_buf){0};
        double from = cpu_ms();
        ok = tsr_fb_write_module(ttnn, &tsr_fb_files[TSR_FB_TTNN], NULL, &bytes);
        t.write = least(t.write, cpu_ms() - from);
    }
    for (int i = 0; ok && i < repeat; i++)
        ok = back(tsr_buf_text(&bytes), &t);
    if (ok)
        printf("tessera %s %.3f %.3f %.3f %.3f %zu %u\n", path, t.lower, t.write, t.read, t.tree,
               bytes.len, ttnn->nop);
    else
        fprintf(stderr, "bench: %s: %s\n", path, tsr_ctx_last_error(ctx)->message);
    tsr_buf_free(&bytes);
    tsr_module_free(ttnn);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return !ok;
}

int main(int argc, char **argv)
{
    int repeat = getenv("REPEAT") ? atoi(getenv("REPEAT")) : 21, code = 0;
    for (int i = 1; i < argc; i++)
        code |= bench(argv[i], repeat > 0 ? repeat : 1);
    return code;
}
