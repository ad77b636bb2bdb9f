/* SPDX-License-Identifier: Apache-2.0 */
/* contest.c - the solver of src/search on a problem file: contest FILE SECONDS [SEED]. Seconds are the processor's.
 *
 * Prints 'name nodes read_s solve_s feasible cost bound memory limit' on one line, and with PROGRESS=1 in the environment each
 * better plan on stderr as it is found. bench/contest.py runs it on the problems of the ASPLOS 2025 contest. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/scope.h"
#include "search/problem.h"

static void show(void *user, double seconds, double cost, double bound)
{
    fprintf(user, "%8.2f s  cost %.0f  bound %.0f\n", seconds, cost, bound);
}

/* Of the processor: one thread computes, and others may need the machine as well. */
static double processor_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* A whole file; exits when it cannot be read. */
static tsr_str slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    long n = -1;
    if (f && !fseek(f, 0, SEEK_END))
        n = ftell(f);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!text || fseek(f, 0, SEEK_SET) || fread(text, 1, (size_t)n, f) != (size_t)n) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(f);
    return (tsr_str){text, (size_t)n};
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: contest FILE SECONDS [SEED]\n");
        return 2;
    }
    tsr_search_problem p;
    const char *error = NULL;
    size_t at = 0;
    tsr_str text = slurp(argv[1]);
    double start = processor_seconds();
    if (!tsr_search_read(&p, text, &error, &at)) {
        fprintf(stderr, "%s: at byte %zu: %s\n", argv[1], at, error);
        return 1;
    }
    double read = processor_seconds();
    tsr_search_options o = {.seconds = atof(argv[2]),
                            .clock = processor_seconds,
                            .seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                            .progress = getenv("PROGRESS") ? show : NULL,
                            .user = stderr};
    uint32_t *choice = calloc(p.nnode, sizeof *choice);
    tsr_search_result r = tsr_search_solve(&p, &o, choice);
    printf("%.*s %u %.2f %.2f %d %.0f %.0f %.0f %.0f\n", TSR_STR_ARG(p.name), p.nnode, read - start,
           processor_seconds() - read, r.feasible, r.cost, r.bound, r.memory, p.limit);
    free(choice);
    free((void *)text.data);
    tsr_search_free(&p);
    return !r.feasible;
}
