/* SPDX-License-Identifier: Apache-2.0 */
/* shard.c - sharding propagation in one process, parse and print excluded, processor time, best of N, one line a file:
 *
 *     tessera FILE pipeline_ms verified_ms ops peak_kB
 *
 * pipeline_ms: sdy-propagation-pipeline as sdy_opt runs it, without verification between passes; verified_ms: with it.
 * peak_kB is what the module and the context hold when it is done. bench/shard.py gives Shardy's times beside these. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/api.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void show(void *user, const tsr_diag *d)
{
    (void)user;
    fprintf(stderr, "%.*s:%u:%u: %.*s\n", (int)d->file.len, d->file.data, d->line, d->col,
            (int)d->message.len, d->message.data);
}

static bool run(tsr_module *m, bool verify_each)
{
    tsr_pipelines ps;
    tsr_run_options options = {.verify_each = verify_each};
    tsr_pipelines_init(&ps, m->ctx, tsr_all_passes());
    tsr_pipeline *pl = tsr_pipeline_parse(&ps, tsr_cstr("sdy-propagation-pipeline"), false);
    bool ok = pl && tsr_pipeline_run(&ps, pl, m->op, &options, NULL);
    tsr_pipelines_free(&ps);
    return ok;
}

static int bench(const char *path, int repeat)
{
    double best[2] = {1e300, 1e300};
    size_t held = 0;
    uint32_t nop = 0;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, show, NULL);
    tsr_module *given = tsr_module_parse_file(ctx, path);
    if (!given)
        return fprintf(stderr, "bench: cannot read %s\n", path), 1;
    nop = given->nop;
    for (int i = 0; i < 2 * repeat; i++) {
        tsr_module *m = tsr_module_clone(given);
        double t0 = now_ms();
        bool ok = run(m, i % 2);
        double t = now_ms() - t0;
        if (!ok)
            return fprintf(stderr, "bench: the pipeline refuses %s\n", path), 1;
        best[i % 2] = t < best[i % 2] ? t : best[i % 2];
        held = tsr_arena_size(&m->arena) + tsr_arena_size(&ctx->arena);
        tsr_module_free(m);
    }
    printf("tessera %s %.3f %.3f %u %zu\n", path, best[0], best[1], nop, held / 1024);
    tsr_module_free(given);
    tsr_ctx_free(ctx);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= bench(argv[i], 7);
    return failed;
}
