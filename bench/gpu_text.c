/* gpu_text.c - how long one core takes to write the kernels of a program for a GPU: gpu_text FILE
 *
 * Prints a line of JSON: groups, texts, their bytes, the processor's seconds to compile the program, and to write its
 * kernels, the least of several runs. No device is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/eval.h"
#include "base/status.h"
#include "gpu/gpu.h"

enum { ROUNDS = 7 };

static double processor_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "gpu_text: %s: %s\n", what, why);
    return 1;
}

static int measure(const tsr_program *p, double compiled)
{
    double least = 1e9;
    size_t texts = 0, bytes = 0;
    for (int i = 0; i < ROUNDS; i++) {
        tsr_status s = {0};
        void *code = NULL;
        double start = processor_seconds();
        bool ok = tsr_backend_gpu.prepare(p, NULL, &code, &s);
        double t = processor_seconds() - start;
        const tsr_gpu_program *made = code;
        least = t < least ? t : least;
        texts = made->texts.n;
        bytes = 0;
        for (size_t k = 0; k < texts; k++)
            bytes += made->texts.data[k].len;
        tsr_backend_gpu.discard(code);
        if (!ok)
            return fail("kernels", s.message);
    }
    printf("{\"groups\": %zu, \"texts\": %zu, \"bytes\": %zu, \"compile_seconds\": %.6f, "
           "\"text_seconds\": %.6f}\n",
           p->groups.n, texts, bytes, compiled, least);
    return 0;
}

int main(int argc, char **argv)
{
    tsr_status s = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: gpu_text FILE\n");
        return 2;
    }
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse_file(ctx, argv[1]);
    const tsr_op *function = NULL;
    if (!m || !tsr_make_runnable(m, false) || !(function = tsr_entry_find(m, TSR_STR("main"), &s)))
        return fail(argv[1], s.message);
    double start = processor_seconds();
    tsr_program *p =
        tsr_program_new(m, function, &(tsr_program_options){.backend = &tsr_backend_gpu});
    double compiled = processor_seconds() - start;
    int code = p ? measure(p, compiled) : fail(argv[1], "no memory");
    tsr_program_free(p);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return code;
}
