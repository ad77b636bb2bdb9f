/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.c - see fuzz.h. */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void fuzz_must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* ---- Contexts ---- */

static const tsr_budget budget = {.max_steps = 20000,
                                  .max_seconds = 3,
                                  .max_bytes = 256 << 20,
                                  .max_devices = 16,
                                  .max_ops = 200000};

static void on_diag(void *user, const tsr_diag *d)
{
    ((fuzz_world *)user)->error |= d->severity == TSR_ERROR && d->message.len > 0;
}

void fuzz_open(fuzz_world *w)
{
    *w = (fuzz_world){.ctx = tsr_ctx_new()};
    fuzz_must(w->ctx != NULL, "no context");
    tsr_ctx_on_diag(w->ctx, on_diag, w);
    tsr_ctx_allow_unregistered(w->ctx, true);
    tsr_ctx_set_budget(w->ctx, &budget);
}

void fuzz_close(fuzz_world *w)
{
    tsr_ctx_free(w->ctx);
}

bool fuzz_was_stopped(const fuzz_world *w)
{
    return tsr_ctx_last_error(w->ctx)->code == TSR_ENVIRONMENT;
}

static void drop(tsr_str str)
{
    tsr_free((void *)(uintptr_t)str.data);
}

void fuzz_round_trip(fuzz_world *w, tsr_module *m, const tsr_print_options *how)
{
    tsr_str first = tsr_module_print(m, how);
    if (!first.data) {
        fuzz_must(fuzz_was_stopped(w), "printing fails");
        return;
    }
    tsr_module *again = tsr_module_parse(w->ctx, first, tsr_cstr("printed"));
    fuzz_must(again || fuzz_was_stopped(w), "what was printed does not parse");
    tsr_str second = again ? tsr_module_print(again, how) : first;
    fuzz_must(!second.data ||
                  (first.len == second.len && !memcmp(first.data, second.data, first.len)),
              "printing is no fixpoint");
    if (again)
        drop(second);
    drop(first);
    tsr_module_free(again);
}

tsr_str fuzz_first_line(tsr_str str)
{
    if (str.len < 3 || memcmp(str.data, "// ", 3))
        return (tsr_str){"", 0};
    const char *end = memchr(str.data, '\n', str.len);
    return (tsr_str){str.data + 3, (end ? (size_t)(end - str.data) : str.len) - 3};
}

/* ---- Files and tools ---- */

static char folder[64];

static void empty(int at)
{
    DIR *dir = fdopendir(at);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        int inner = openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (inner >= 0)
            empty(inner);
        unlinkat(dirfd(dir), e->d_name, inner >= 0 ? AT_REMOVEDIR : 0);
    }
    if (dir)
        closedir(dir);
}

static void leave(void)
{
    empty(open(folder, O_RDONLY | O_DIRECTORY));
    fuzz_must(chdir("/") == 0 && rmdir(folder) == 0, "the scratch folder cannot be removed");
}

bool fuzz_folder(bool anew)
{
    static unsigned calls;
    enum { EACH = 64 };
    if (calls++ % EACH && !anew)
        return false;
    if (calls == 1) {
        const char *tmp = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/tessera-fuzz-XXXXXX",
                 tmp && strlen(tmp) < 32 ? tmp : "/tmp");
        fuzz_must(mkdtemp(folder) && chdir(folder) == 0, "no scratch folder");
        fuzz_must(freopen("/dev/null", "r", stdin) != NULL, "no /dev/null");
        atexit(leave);
    }
    empty(open(".", O_RDONLY | O_DIRECTORY));
    return true;
}

void fuzz_write(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return;
    fwrite(data, 1, size, f);
    fclose(f);
}

/* No word names a file outside: no slash, no two dots. */
static void stay_inside(char *word)
{
    for (char *p = word; *p; p++)
        if (*p == '/' || (p[0] == '.' && p[1] == '.'))
            *p = '_';
}

void fuzz_tool(const char *const *words, size_t n)
{
    enum { MOST = 64, LIMITS = 5 };
    static const char *const limits[LIMITS] = {"--max-seconds=3", "--max-bytes=256M",
                                               "--max-steps=20000", "--max-devices=16",
                                               "--max-ops=200000"};
    char *argv[MOST + 2 * LIMITS + 1];
    int argc = 0;
    bool limited = false;
    for (size_t i = 0; i <= n && i <= MOST; i++) {
        /* The last one counts, and behind a -- there are no flags; a flag that lacks its value may take one. */
        bool here =
            i == 2 || (!limited && i > 2 && (i == n || i == MOST || !strcmp(words[i], "--")));
        for (int k = 0; here && k < LIMITS; k++)
            argv[argc++] = strdup(limits[k]);
        limited |= here && i > 2;
        if (i == n || i == MOST)
            break;
        argv[argc] = strdup(words[i]);
        fuzz_must(argv[argc] != NULL, "no memory");
        stay_inside(argv[argc++]);
    }
    argv[argc] = NULL;
    int code = tool_main(argc, argv);
    fflush(stdout);
    fuzz_must(code >= 0 && code <= 3, "an exit code that is not documented");
    for (int i = 0; i < argc; i++)
        free(argv[i]);
}

/* ---- Mutators ---- */

size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t most, uint64_t *rng)
{
    if (!size || below(rng, 4) == 0)
        return LLVMFuzzerMutate(data, size, most);
    text t = {malloc(size + 1), size}, same = {malloc(size + 1), size};
    fuzz_must(t.data && same.data, "no memory");
    memcpy(t.data, data, size);
    memcpy(same.data, data, size);
    t.data[size] = same.data[size] = 0;
    mutate_text(&t, &same, rng);
    if (t.len && t.len <= most)
        memcpy(data, t.data, size = t.len);
    free(t.data);
    free(same.data);
    return size;
}

size_t fuzz_set_first_line(uint8_t *data, size_t size, size_t most, const char *line)
{
    tsr_str old = fuzz_first_line((tsr_str){(const char *)data, size});
    size_t cut = old.len ? old.len + 3 : 0, len = strlen(line) + 3 + (cut == 0);
    if (size - cut + len > most)
        return size;
    memmove(data + len, data + cut, size - cut);
    memcpy(data, "// ", 3);
    memcpy(data + 3, line, strlen(line));
    if (!cut)
        data[len - 1] = '\n';
    return size - cut + len;
}

/* ---- Without libFuzzer ---- */

#ifndef TSR_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    (void)data;
    (void)most;
    return size;
}

static void run_stream(FILE *f)
{
    uint8_t *data = NULL;
    size_t len = 0, room = 0, n;
    do {
        if (len == room && !(data = realloc(data, room = room ? room * 2 : 65536)))
            abort();
        n = fread(data + len, 1, room - len, f);
        len += n;
    } while (n);
    uint8_t *exact =
        malloc(len ? len : 1); /* so that a read behind the end is one behind the block */
    if (!exact)
        abort();
    memcpy(exact, data, len);
    free(data);
    LLVMFuzzerTestOneInput(exact, len);
    free(exact);
}

/* Runs the files it is given, or standard input. */
int main(int argc, char **argv)
{
    int here = open(".", O_RDONLY | O_DIRECTORY); /* targets may go elsewhere */
    if (argc < 2)
        run_stream(stdin);
    for (int i = 1; i < argc; i++) {
        int fd = openat(here, argv[i], O_RDONLY);
        FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;
        if (!f) {
            perror(argv[i]);
            return 3;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last one is what it ended at */
        run_stream(f);
        fclose(f);
    }
    close(here);
    return 0;
}
#endif
