/* output.c - what a tool writes, with every way it can fail noticed, and the clock. */
#include "tools.h"

#include <errno.h>
#include <time.h>

int write_output(const tool *t, const char *path, tsr_str text)
{
    bool to_stdout = strcmp(path, "-") == 0;
    FILE *f = to_stdout ? stdout : fopen(path, "wb");
    if (!f) {
        fprintf(stderr, "%s: error: cannot open output file '%s': %s\n", t->name, path, strerror(errno));
        return EXIT_ENVIRONMENT;
    }
    bool ok = (!text.len || fwrite(text.data, 1, text.len, f) == text.len) && fflush(f) == 0 && !ferror(f);
    int why = errno;
    if (!to_stdout && fclose(f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok)
        return EXIT_OK;
    fprintf(stderr, "%s: error: cannot write output file '%s': %s\n", t->name, to_stdout ? "<stdout>" : path,
            strerror(why));
    return EXIT_ENVIRONMENT;
}

double wall_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}
