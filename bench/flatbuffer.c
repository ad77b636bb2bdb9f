/* flatbuffer.c - a module of TTNN as a flatbuffer and back, in one process, CPU time of all threads, best of N, one line a file:
 *
 *     tessera FILE write_ms read_ms tree_ms bytes ops
 *
 * write_ms: a module in memory to bytes; read_ms: bytes to a module, not verified; tree_ms: bytes to the tree that `ttrt read` prints. */
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

static int bench(const char *path, int repeat)
{
    double write = 1e300, read = 1e300, tree = 1e300;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse_file(ctx, path);
    tsr_buf bytes = {0};
    if (!m)
        return fprintf(stderr, "bench: cannot read %s\n", path), 1;
    for (int i = 0; i < repeat; i++) {
        tsr_buf_free(&bytes);
        bytes = (tsr_buf){0};
        double t = cpu_ms();
        if (!tsr_fb_write_module(m, NULL, &bytes))
            return fprintf(stderr, "bench: %s is no binary\n", path), 1;
        write = least(write, cpu_ms() - t);
    }
    for (int i = 0; i < repeat; i++) {
        tsr_ctx *other = tsr_ctx_new();
        tsr_arena arena;
        tsr_fb_error error;
        double t = cpu_ms();
        tsr_module *back = tsr_fb_read_module(other, tsr_buf_text(&bytes), TSR_STR("bench"));
        if (!back)
            return fprintf(stderr, "bench: %s is not read back\n", path), 1;
        read = least(read, cpu_ms() - t);
        tsr_arena_init(&arena);
        t = cpu_ms();
        tsr_fb_read(&arena, &tsr_fb_files[0], tsr_buf_text(&bytes), &error);
        tree = least(tree, cpu_ms() - t);
        tsr_arena_free(&arena);
        tsr_module_free(back);
        tsr_ctx_free(other);
    }
    printf("tessera %s %.3f %.3f %.3f %zu %u\n", path, write, read, tree, bytes.len, m->nop);
    tsr_buf_free(&bytes);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return 0;
}

int main(int argc, char **argv)
{
    int repeat = getenv("REPEAT") ? atoi(getenv("REPEAT")) : 21, code = 0;
    for (int i = 1; i < argc; i++)
        code |= bench(argv[i], repeat > 0 ? repeat : 1);
    return code;
}
