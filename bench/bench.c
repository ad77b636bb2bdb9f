/* SPDX-License-Identifier: Apache-2.0 */
/* bench.c - parse, verify and print in one process, best of N, one line a file, which is text or bytecode (and then written
 * as bytecode):
 *
 *     tessera FILE parse_ms print_ms verify_ms bytes peak_kB
 *
 * parse_ms does not include verification, which stands by itself; peak_kB is what the module and the context hold after
 * parsing, so that memory can be compared with the text's size. bench/run.sh puts the peers' figures beside these. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/api.h"
#include "api/artifact.h"
#include "text/text.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void keep_least(double *best, double v)
{
    if (v < *best)
        *best = v;
}

static void show(void *user, const tsr_diag *d)
{
    (void)user;
    fprintf(stderr, "%.*s:%u:%u: %.*s\n", (int)d->file.len, d->file.data, d->line, d->col,
            (int)d->message.len, d->message.data);
}

static char *read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *data = NULL;
    size_t n = 0, cap = 0, got;
    do {
        if (cap - n < 1 << 16)
            data = realloc(data, cap = cap ? cap * 2 : 1 << 20);
        got = data ? fread(data + n, 1, cap - n, f) : 0;
        n += got;
    } while (got);
    fclose(f);
    *len = n;
    return data;
}

static int bench(const char *path, int repeat)
{
    size_t len;
    char *text = read_all(path, &len);
    if (!text)
        return fprintf(stderr, "bench: cannot read %s\n", path), 1;
    double parse = 1e300, verify = 1e300, print = 1e300;
    size_t held = 0;
    tsr_ctx *ctx = tsr_ctx_new(); /* one for all, as for the peers */
    tsr_ctx_on_diag(ctx, show, NULL);
    for (int i = 0; i < repeat; i++) {
        double t0 = now_ms();
        tsr_module *m = tsr_load_kept(ctx, tsr_str_of(text, len), tsr_cstr(path), 1);
        double t1 = now_ms();
        bool ok = m && tsr_verify(m->op);
        double t2 = now_ms();
        if (!ok)
            return fprintf(stderr, "bench: %s is refused\n", path), 1;
        tsr_buf out = {0};
        if (tsr_str_starts(tsr_str_of(text, len), "ML\xEFR"))
            ok = tsr_write_bytecode(&out, m->op, -1);
        else
            tsr_print_module(&out, m, NULL);
        double t3 = now_ms();
        keep_least(&parse, t1 - t0);
        keep_least(&verify, t2 - t1);
        keep_least(&print, t3 - t2);
        held = tsr_arena_size(&m->arena) + tsr_arena_size(&ctx->arena);
        tsr_buf_free(&out);
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
    printf("tessera %s %.3f %.3f %.3f %zu %zu\n", path, parse, print, verify, len, held / 1024);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= bench(argv[i], 20);
    return failed;
}
