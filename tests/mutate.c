/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c - feeds mutated copies of real modules to the library.
 *
 *   mutate [--count N] [--seed S] [--only I] [--timeout SECONDS] [--save FOLDER] [--jobs N] FILE|FOLDER...
 *
 * Files are texts (.mlir), bytecode (.mlirbc, .bc) and flatbuffers (.ttnn, .ttm). Mutant i of a seed is always the same text, whatever ran before it. A refused mutant must have given an error with a
 * place; an accepted one must print to a text that parses and prints to itself. Mutants run in batches, each in a process
 * of its own that notes in shared memory what it is at, so that a crash or a hang has a name; those mutants are saved. */
#include "tessera/tessera.h"

#include "mutate.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 50, MAX_FILE = 256 << 10 };

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef struct {
    char *name;
    text text;
} file;

enum state { WAITING, RUNNING, REFUSED, ACCEPTED, FAILED };

typedef struct {
    int state;
    char why[156];
} slot;

typedef struct {
    file *files;
    size_t nfile;
    uint64_t seed;
    long count, only;
    unsigned timeout;
    const char *save;
    long njob;
    slot *slots; /* shared with the children */
} run;

/* ---- Mutants ---- */

static text make_mutant(const run *r, long index, const char **from)
{
    uint64_t rng = r->seed * 0x100000001b3u + (uint64_t)index;
    next_random(&rng);
    const file *f = &r->files[below(&rng, r->nfile)], *other = &r->files[below(&rng, r->nfile)];
    text t = {NULL, 0};
    *from = f->name;
    t.data = malloc(f->text.len + 1);
    if (!t.data)
        abort();
    memcpy(t.data, f->text.data, f->text.len + 1);
    t.len = f->text.len;
    bool bytes = is_bytecode(&t), flat = is_flatbuffer(&t);
    for (size_t n = 1 + below(&rng, 4); n > 0; n--)
        if (flat)
            mutate_flatbuffer(&t, &rng);
        else if (bytes)
            mutate_bytes(&t, &other->text, &rng);
        else
            mutate_text(&t, &other->text, &rng);
    return t;
}

/* ---- what the library must do with it ---- */

typedef struct {
    int errors, placed;
} diags;

static void on_diag(void *user, const tsr_diag *d)
{
    diags *n = user;
    if (d->severity != TSR_ERROR)
        return;
    n->errors++;
    n->placed += (d->line > 0 || d->location.len > 0) && d->message.len > 0;
}

static const char *check_print(tsr_ctx *ctx, tsr_module *m, const tsr_print_options *how)
{
    tsr_str first = tsr_module_print(m, how);
    const char *why = NULL;
    tsr_module *again = tsr_module_parse(ctx, first, tsr_cstr("printed"));
    if (!again) {
        why = "what was printed does not parse";
    } else {
        tsr_str second = tsr_module_print(again, how);
        if (first.len != second.len || memcmp(first.data, second.data, first.len))
            why = "what was printed does not print as itself";
        tsr_free((void *)(uintptr_t)second.data);
        tsr_module_free(again);
    }
    tsr_free((void *)(uintptr_t)first.data);
    return why;
}

static bool names_locations(tsr_str s)
{
    for (size_t i = 0; i + 4 <= s.len; i++)
        if (!memcmp(s.data + i, "loc(", 4))
            return true;
    return false;
}

/* NULL when all is well. */
static const char *try_mutant(tsr_str source, bool unregistered, int *state)
{
    static const tsr_print_options ways[] = {
        {.elide_larger = -1},
        {.generic = true, .elide_larger = -1},
        {.debug_info = true, .elide_larger = -1},
        {.generic = true, .debug_info = true, .local_scope = true, .elide_larger = -1}};
    diags n = {0};
    const char *why = NULL;
    const text bytes = {(char *)(uintptr_t)source.data, source.len};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, on_diag, &n);
    tsr_ctx_allow_unregistered(ctx, unregistered);
    tsr_module *m = tsr_module_parse(ctx, source, tsr_cstr("mutant.mlir"));
    if (!m) {
        *state = REFUSED;
        if (!n.errors)
            why = "refused without an error";
        else if (!n.placed && !names_locations(source) && !is_bytecode(&bytes) &&
                 !is_flatbuffer(&bytes)) /* else the op may be at loc(unknown), as the text says */
            why = "refused without a place";
    } else {
        *state = ACCEPTED;
        if (n.errors)
            why = "accepted after an error";
        else if (!tsr_module_verify(m))
            why = "parsed, but does not verify";
        for (size_t i = 0; i < sizeof ways / sizeof *ways && !why; i++)
            why = check_print(ctx, m, &ways[i]);
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
    return why;
}

static void run_mutant(const run *r, long index)
{
    const char *from;
    slot *s = &r->slots[index];
    text t = make_mutant(r, index, &from);
    int state = REFUSED;
    s->state = RUNNING;
    alarm(r->timeout);
    const char *why = try_mutant((tsr_str){t.data, t.len}, index % 4 != 0, &state);
    alarm(0);
    if (why)
        snprintf(s->why, sizeof s->why, "%s", why);
    s->state = why ? FAILED : state;
    free(t.data);
}

/* ---- batches ---- */

typedef struct {
    pid_t pid;
    long from, to;
} batch;

static pid_t start_batch(const run *r, long from, long to)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid)
        return pid;
    struct rlimit core = {0, 0}, memory = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    setrlimit(RLIMIT_CORE, &core);
    if (!SANITIZED)
        setrlimit(RLIMIT_AS, &memory);
    for (long i = from; i < to; i++)
        run_mutant(r, i);
    for (size_t i = 0; i < r->nfile;
         i++) /* so that what is left at the exit is a leak of the library */
        free(r->files[i].text.data), free(r->files[i].name);
    free(r->files);
    exit(0);
}

static void save_mutant(const run *r, long index)
{
    const char *from;
    char path[4096];
    text t = make_mutant(r, index, &from);
    mkdir(r->save, 0755);
    snprintf(path, sizeof path, "%s/seed%llu_%ld.mlir", r->save, (unsigned long long)r->seed,
             index);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(t.data, 1, t.len, f);
        fclose(f);
    }
    printf("FAIL seed %llu mutant %ld (%s): %s; saved as %s\n", (unsigned long long)r->seed, index,
           from, r->slots[index].why, path);
    free(t.data);
}

/* What to do next with a batch whose process ended: on from the mutant after the one that ended it, or, when it ended
 * badly only after its last one (a leak), one by one. */
static void end_batch(const run *r, batch *b, int status)
{
    long at = b->from;
    while (at < b->to && r->slots[at].state != RUNNING && r->slots[at].state != WAITING)
        at++;
    bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    b->pid = 0;
    if (clean && at == b->to) {
        b->from = b->to;
    } else if (at == b->to && b->to - b->from > 1) {
        b->pid = -1; /* look for the leak */
    } else {
        if (at == b->to)
            at--;
        slot *s = &r->slots[at];
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            snprintf(s->why, sizeof s->why, "no end in %u s", r->timeout);
        else if (WIFSIGNALED(status))
            snprintf(s->why, sizeof s->why, "crash: %s", strsignal(WTERMSIG(status)));
        else
            snprintf(s->why, sizeof s->why, "leak or exit code %d", WEXITSTATUS(status));
        s->state = FAILED;
        b->from = at + 1;
    }
}

static void wait_for(const run *r, batch *b)
{
    int status;
    while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
        ;
    end_batch(r, b, status);
    if (b->pid == -1) {
        for (long i = b->from; i < b->to; i++) {
            batch one = {0, i, i + 1};
            one.pid = start_batch(r, i, i + 1);
            wait_for(r, &one);
        }
        b->pid = 0;
        b->from = b->to;
    }
}

static void run_batches(const run *r, long from, long to)
{
    batch *jobs = calloc((size_t)r->njob, sizeof *jobs);
    bool busy = true;
    if (!jobs)
        abort();
    while (busy) {
        busy = false;
        for (long j = 0; j < r->njob; j++) {
            batch *b = &jobs[j];
            if (b->pid)
                wait_for(r, b);
            if (b->from >= b->to && from < to) {
                *b = (batch){0, from, from + BATCH < to ? from + BATCH : to};
                from = b->to;
            }
            if (b->from < b->to)
                b->pid = start_batch(r, b->from, b->to);
            busy |= b->pid != 0;
        }
    }
    free(jobs);
}

/* ---- files and flags ---- */

static void add_file(run *r, const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st) || st.st_size > MAX_FILE) {
        if (f)
            fclose(f);
        return;
    }
    text t = {malloc((size_t)st.st_size + 1), 0};
    r->files = realloc(r->files, (r->nfile + 1) * sizeof *r->files);
    if (!t.data || !r->files)
        abort();
    t.len = fread(t.data, 1, (size_t)st.st_size, f);
    t.data[t.len] = 0;
    fclose(f);
    r->files[r->nfile++] = (file){strdup(path), t};
}

static void add_path(run *r, const char *path)
{
    struct stat st;
    size_t n = strlen(path);
    if (stat(path, &st))
        return;
    if (!S_ISDIR(st.st_mode)) {
        if ((n > 5 && !strcmp(path + n - 5, ".mlir")) || (n > 2 && !strcmp(path + n - 2, "bc")) ||
            (n > 5 && !strcmp(path + n - 5, ".ttnn")) || (n > 4 && !strcmp(path + n - 4, ".ttm")))
            add_file(r, path);
        return;
    }
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (names[i]->d_name[0] != '.') {
            char *inner = malloc(n + strlen(names[i]->d_name) + 2);
            if (!inner)
                abort();
            sprintf(inner, "%s/%s", path, names[i]->d_name);
            add_path(r, inner);
            free(inner);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

static bool read_flags(run *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            add_path(r, argv[i]);
            continue;
        }
        if (i + 1 == argc)
            return false;
        const char *name = argv[i], *v = argv[++i];
        if (!strcmp(name, "--count"))
            r->count = atol(v);
        else if (!strcmp(name, "--seed"))
            r->seed = strtoull(v, NULL, 10);
        else if (!strcmp(name, "--only"))
            r->only = atol(v);
        else if (!strcmp(name, "--timeout"))
            r->timeout = (unsigned)atol(v);
        else if (!strcmp(name, "--save"))
            r->save = v;
        else if (!strcmp(name, "--jobs"))
            r->njob = atol(v);
        else
            return false;
    }
    return r->nfile && r->count > 0 && r->njob > 0;
}

int main(int argc, char **argv)
{
    run r = {.seed = 1, .count = 500, .only = -1, .timeout = 10, .save = "build/mutants"};
    r.njob = sysconf(_SC_NPROCESSORS_ONLN);
    if (!read_flags(&r, argc, argv)) {
        fprintf(stderr, "usage: mutate [--count N] [--seed S] [--only I] [--timeout SECONDS] "
                        "[--save FOLDER] [--jobs N] "
                        "FILE|FOLDER...\n");
        return 2;
    }
    if (r.only >= r.count)
        r.count = r.only + 1;
    size_t bytes = (size_t)r.count * sizeof *r.slots;
    r.slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.slots == MAP_FAILED) {
        perror("mutate");
        return 3;
    }
    long from = r.only >= 0 ? r.only : 0, to = r.only >= 0 ? r.only + 1 : r.count;
    long refused = 0, accepted = 0, failed = 0;
    run_batches(&r, from, to);
    for (long i = from; i < to; i++) {
        refused += r.slots[i].state == REFUSED;
        accepted += r.slots[i].state == ACCEPTED;
        if (r.slots[i].state == REFUSED || r.slots[i].state == ACCEPTED)
            continue;
        failed++;
        save_mutant(&r, i);
    }
    printf("%zu files, %ld mutants refused, %ld accepted\n", r.nfile, refused, accepted);
    munmap(r.slots, bytes);
    for (size_t i = 0; i < r.nfile; i++)
        free(r.files[i].text.data), free(r.files[i].name);
    free(r.files);
    printf("%ld passed, %ld failed\n", refused + accepted, failed);
    return failed != 0;
}
