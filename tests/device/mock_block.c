/* SPDX-License-Identifier: Apache-2.0 */
/* mock_block.c - kernel text as a library of the C compiler, and blocks of its threads as fibers.
 *
 * A thread runs until it has to wait: at a barrier for its block, at an exchange for its warp. The fiber of a thread that
 * ended runs the next one, so that a kernel without barriers needs one fiber. One block runs at a time in the whole
 * process. */
#include "mock_inner.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fiber.h"

extern const char *const tsr_kernel_text_lines[];

/* ---- Text to library ---- */

static void put_part(FILE *f, const char *name)
{
    const char *const *line = tsr_kernel_text_lines;
    while (*line && strcmp(*line, name) != 0) {
        while (*line)
            line++;
        line++;
    }
    for (line += *line != NULL; *line; line++)
        fputs(*line, f);
}

static bool write_text(const char *path, const tsr_device_text *text)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    put_part(f, "mock");
    put_part(f, "kernel");
    fputs("#line 1 \"kernel\"\n", f);
    fwrite(text->text, 1, text->n, f);
    return fclose(f) == 0;
}

/* The first message that is an error, else the first line. */
static void first_message(const char *log, char *error, size_t size)
{
    char line[512];
    FILE *f = fopen(log, "r");
    snprintf(error, size, "the compiler of kernels failed and says nothing");
    for (bool first = true; f && fgets(line, sizeof line, f); first = false) {
        line[strcspn(line, "\n")] = 0;
        if (first || strstr(line, "error"))
            snprintf(error, size, "%s", line);
        if (strstr(line, "error"))
            break;
    }
    if (f)
        fclose(f);
}

static const char *sanitizers(void)
{
#if TSR_FIBER_ADDRESSES
    return "-fsanitize=address,undefined -fno-sanitize-recover=all -g1";
#else
    return "";
#endif
}

/* All texts of a folder, two at a time. */
static bool run_compiler(const char *folder, const char *flags)
{
    const char *cc = getenv("CC");
    char command[4096];
    snprintf(command, sizeof command,
             "cd '%s' && printf '%%s\\n' *.c | xargs -P 2 -n 1 sh -c '%s -std=gnu11 -O1 "
             "-ffp-contract=off -fno-math-errno -fPIC -shared -fvisibility=hidden -Wall -Wextra "
             "-Wc++-compat -Wno-unused -Wno-unused-parameter -Werror %s %s -o \"$0.so\" \"$0\" -lm "
             ">\"$0.log\" 2>&1'",
             folder, cc && *cc ? cc : "cc", sanitizers(), flags ? flags : "");
    return system(command) == 0;
}

/* Libraries of this process, by text: they stay open. */
typedef struct known known;
static struct known {
    char *text;
    size_t n;
    const char *flags;
    void *library;
    known *next;
} * libraries;

static void *library_of(const tsr_device_text *text, const char *flags)
{
    for (const known *k = libraries; k; k = k->next)
        if (k->n == text->n && k->flags == flags && memcmp(k->text, text->text, k->n) == 0)
            return k->library;
    return NULL;
}

static bool open_library(const char *path, const tsr_device_text *text, const char *flags,
                         char *error, size_t size)
{
    known *k = calloc(1, sizeof *k);
    char *copy = malloc(text->n + 1);
    void *library = k && copy ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        snprintf(error, size, "%s", k && copy ? dlerror() : "no memory for a text");
        free(k);
        free(copy);
        return false;
    }
    memcpy(copy, text->text, text->n);
    *k = (known){copy, text->n, flags, library, libraries};
    libraries = k;
    return true;
}

static tsr_mock_code *new_code(void *library)
{
    tsr_mock_code *c = calloc(1, sizeof *c);
    if (c) {
        c->library = library;
        c->here = dlsym(library, "tsr_mock_here");
    }
    return c;
}

void tsr_mock_discard(tsr_mock_code *code)
{
    for (tsr_mock_kernel *k = code->kernels, *next; k; k = next) {
        next = k->next;
        free(k);
    }
    free(code);
}

static void remove_files(const char *folder, size_t n)
{
    static const char *const ends[] = {"c", "c.so", "c.log", NULL};
    char path[600];
    for (size_t i = 0; i < n; i++)
        for (const char *const *e = ends; *e; e++) {
            snprintf(path, sizeof path, "%s/%zu.%s", folder, i, *e);
            unlink(path);
        }
    rmdir(folder);
}

/* Compiles the texts that are not known yet. */
static bool make_libraries(const char *folder, const tsr_device_text *texts, size_t n,
                           const char *flags, char *error, size_t size)
{
    char path[600];
    size_t written = 0;
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%zu.c", folder, i);
        if (library_of(texts + i, flags))
            continue;
        if (!write_text(path, texts + i)) {
            snprintf(error, size, "cannot write %s", path);
            return false;
        }
        written++;
    }
    if (written)
        run_compiler(folder, flags);
    for (size_t i = 0; i < n; i++) {
        if (library_of(texts + i, flags))
            continue;
        snprintf(path, sizeof path, "%s/%zu.c.so", folder, i);
        if (access(path, R_OK) != 0) {
            snprintf(path, sizeof path, "%s/%zu.c.log", folder, i);
            first_message(path, error, size);
            return false;
        }
        if (!open_library(path, texts + i, flags, error, size))
            return false;
    }
    return true;
}

bool tsr_mock_compile(const tsr_device_text *texts, size_t n, const char *flags,
                      tsr_mock_code **out, char *error, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    char folder[512];
    snprintf(folder, sizeof folder, "%s/tessera-mock-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        snprintf(error, size, "cannot make the folder %s for texts of kernels", folder);
        return false;
    }
    bool ok = make_libraries(folder, texts, n, flags, error, size);
    remove_files(folder, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = (out[i] = new_code(library_of(texts + i, flags))) != NULL;
    return ok;
}

tsr_mock_kernel *tsr_mock_find(tsr_mock_code *code, const char *name)
{
    char limits[200];
    snprintf(limits, sizeof limits, "%s_limits", name);
    void *run = dlsym(code->library, name);
    const uint32_t *limit = dlsym(code->library, limits);
    tsr_mock_kernel *k = run && limit ? calloc(1, sizeof *k) : NULL;
    if (!k)
        return NULL;
    *k = (tsr_mock_kernel){
        .code = code, .nwords = limit[0], .most = limit[1], .next = code->kernels};
    memcpy(&k->run, &run, sizeof run);
    snprintf(k->name, sizeof k->name, "%s", name);
    code->kernels = k;
    return k;
}

/* ---- Threads of a block ---- */

enum { MOST_THREADS = 1024, LANES = 32, MOST_SHARED = 64, GUARD = 256, POISON = 0xFB };

typedef enum { FRESH, READY, AT_EXCHANGE, AT_BARRIER, ENDED } state;

typedef struct {
    state state;
    int line;
    tsr_fiber *fiber;
    uint64_t mine[2];
    int parity;
} thread;

typedef struct {
    const void *key;
    char *at; /* behind a guard, and before one */
    size_t bytes;
} shared;

static struct {
    tsr_mock_block block;
    const tsr_mock_kernel *kernel;
    const uint64_t *words;
    thread threads[MOST_THREADS];
    uint32_t waiting[MOST_THREADS / LANES]; /* lanes of each warp at an exchange */
    uint32_t at_barrier, ended;
    tsr_fiber *idle[MOST_THREADS];
    uint32_t nidle;
    shared shared[MOST_SHARED];
    uint32_t nshared;
    void (*describe)(const void *at, char *out, size_t size);
    char *error;
    size_t size;
    bool failed;
} now;

static uint32_t own(void)
{
    return now.block.thread;
}

/* Ends the block: nothing of it runs any more. */
static void fail(int line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(int line, const char *fmt, ...)
{
    char why[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    const tsr_mock_block *b = &now.block;
    char where[32] = "";
    if (line > 0)
        snprintf(where, sizeof where, "line %d, ", line);
    snprintf(now.error, now.size, "kernel %s, %sblock %u,%u,%u, thread %u: %s", now.kernel->name,
             where, b->block[0], b->block[1], b->block[2], b->thread, why);
    now.failed = true;
}

static void leave(state s, int line)
{
    thread *t = &now.threads[own()];
    t->state = s;
    t->line = line;
    tsr_fiber_leave();
}

static void fail_here(int line, const char *why)
{
    fail(line, "%s", why);
    leave(ENDED, line);
}

static void each_thread(void)
{
    for (;;) {
        now.kernel->run(now.words);
        now.ended++;
        thread *t = &now.threads[own()];
        now.idle[now.nidle++] = t->fiber;
        t->fiber = NULL;
        leave(ENDED, 0);
    }
}

static void block_barrier(int line)
{
    now.at_barrier++;
    leave(AT_BARRIER, line);
}

/* Puts a value in place, and waits for the other lanes; a lane that is ahead writes the other of two places. */
static const thread *meet(uint64_t mine, int line, int *place)
{
    uint32_t me = own(), warp = me / LANES;
    thread *lanes = now.threads + warp * LANES, *t = now.threads + me;
    t->parity ^= 1;
    *place = t->parity;
    t->mine[t->parity] = mine;
    if (++now.waiting[warp] < LANES) {
        leave(AT_EXCHANGE, line);
        return lanes;
    }
    now.waiting[warp] = 0;
    for (int i = 0; i < LANES; i++) {
        if (lanes + i != t && lanes[i].line != line) {
            fail(line, "lane %d is at line %d", i, lanes[i].line);
            leave(ENDED, line);
        }
        lanes[i].state = READY;
    }
    return lanes;
}

static uint64_t exchange(uint64_t mine, uint32_t lane, int line)
{
    int place;
    return meet(mine, line, &place)[lane & 31].mine[place];
}

static uint32_t ballot(int yes, int line)
{
    int place;
    const thread *lanes = meet((uint64_t)yes, line, &place);
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)lanes[i].mine[place] << i;
    return bits;
}

static void warp_barrier(int line)
{
    int place;
    meet(0, line, &place);
}

/* where: 0 anywhere, 1 in the device's memory, 2 in shared memory. */
static void check_address(const void *at, size_t bytes, int where, int line)
{
    bool shares = false;
    for (uint32_t i = 0; i < now.nshared; i++)
        shares |= (const char *)at >= now.shared[i].at &&
                  (const char *)at < now.shared[i].at + now.shared[i].bytes;
    if (where && shares != (where == 2))
        fail_here(line, shares ? "a store to the device's memory is to shared memory"
                               : "a store to shared memory is to the device's");
    if ((uintptr_t)at % bytes != 0)
        fail_here(line, "the address of a vector is not a multiple of its size");
}

/* ---- Shared memory ---- */

static void *guarded(const void *key, size_t bytes)
{
    char *at =
        mmap(NULL, bytes + 2 * GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || now.nshared == MOST_SHARED)
        return NULL;
    memset(at, POISON, bytes + 2 * GUARD);
#if TSR_FIBER_ADDRESSES
    tsr_fiber_poison(at, GUARD);
    tsr_fiber_poison(at + GUARD + bytes, GUARD);
#endif
    now.shared[now.nshared++] = (shared){key, at + GUARD, bytes};
    return at + GUARD;
}

static void *shared_of(const void *key, size_t bytes)
{
    for (uint32_t i = 0; i < now.nshared; i++)
        if (now.shared[i].key == key)
            return now.shared[i].at;
    return guarded(key, bytes);
}

static bool is_whole(const char *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((uint8_t)at[i] != POISON)
            return false;
    return true;
}

/* After a block: its guards must be as they were; the next block gets what a block before it never wrote. */
static void end_shared(void)
{
    for (uint32_t i = 0; i < now.nshared; i++) {
        const shared *s = now.shared + i;
#if TSR_FIBER_ADDRESSES
        tsr_fiber_unpoison(s->at - GUARD, s->bytes + 2 * GUARD);
#endif
        if (!now.failed && (!is_whole(s->at - GUARD, GUARD) || !is_whole(s->at + s->bytes, GUARD)))
            fail(0, "shared memory of %zu bytes is written out of bounds", s->bytes);
        munmap(s->at - GUARD, s->bytes + 2 * GUARD);
    }
    now.nshared = 0;
}

/* ---- The order of threads ---- */

static bool resume(uint32_t i)
{
    thread *t = &now.threads[i];
    if (t->state == FRESH)
        t->fiber = now.nidle ? now.idle[--now.nidle] : tsr_fiber_new(each_thread);
    if (!t->fiber) {
        fail(0, "no memory for its stack");
        return false;
    }
    t->state = READY;
    now.block.thread = i;
    tsr_fiber_enter(t->fiber);
    return !now.failed;
}

/* Runs each thread of a warp that can run, until none can; false: none could, or the block failed. */
static bool run_warp(uint32_t warp, bool reversed)
{
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < LANES; k++) {
            uint32_t i = warp * LANES + (reversed ? LANES - 1 - k : k);
            if (now.threads[i].state != FRESH && now.threads[i].state != READY)
                continue;
            if (!resume(i))
                return false;
            any = more = true;
        }
    }
    return any;
}

static void fail_at_barrier(uint32_t n)
{
    int first = 0;
    for (uint32_t i = 0; i < n && !now.failed; i++) {
        const thread *t = now.threads + i;
        now.block.thread = i;
        if (t->state == AT_EXCHANGE)
            fail(t->line, "waits for lanes of its warp that do not come");
        else if (t->state == AT_BARRIER && now.ended)
            fail(t->line, "waits at a barrier, and %u threads have ended", now.ended);
        else if (t->state == AT_BARRIER && first && t->line != first)
            fail(t->line, "waits at a barrier, and others at that of line %d", first);
        first = t->line;
    }
}

/* All wait at one barrier: on they go. */
static void pass_barrier(uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (now.threads[i].line != now.threads[0].line)
            fail_at_barrier(n);
    now.at_barrier = 0;
    for (uint32_t i = 0; i < n; i++)
        now.threads[i].state = READY;
}

static void run_block(bool reversed)
{
    uint32_t n = now.block.threads, nwarp = n / LANES;
    memset(now.threads, 0, n * sizeof *now.threads);
    memset(now.waiting, 0, sizeof now.waiting);
    now.at_barrier = now.ended = 0;
    while (!now.failed && now.ended < n) {
        bool any = false;
        for (uint32_t k = 0; k < nwarp && !now.failed; k++)
            any |= run_warp(reversed ? nwarp - 1 - k : k, reversed);
        if (!now.failed && now.at_barrier == n)
            pass_barrier(n);
        else if (!now.failed && !any)
            fail_at_barrier(n);
    }
    for (uint32_t i = 0; i < n && now.failed; i++)
        tsr_fiber_free(now.threads[i].fiber);
}

/* ---- Faults ---- */

static bool running;

static void on_signal(int number, siginfo_t *info, void *context)
{
    char what[200];
    (void)context;
    if (!running) { /* the host's own fault: it happens again, without this handler */
        signal(number, SIG_DFL);
        return;
    }
    now.describe(info->si_addr, what, sizeof what);
    fail_here(0, what);
}

static void catch_signals(bool on, struct sigaction old[2])
{
    static char stack[64 << 10];
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack}, was;
    if (on && sigaltstack(NULL, &was) == 0 && (was.ss_flags & SS_DISABLE))
        sigaltstack(&s, NULL);
    sigaction(SIGSEGV, on ? &a : &old[0], on ? &old[0] : NULL);
    sigaction(SIGBUS, on ? &a : &old[1], on ? &old[1] : NULL);
    running = on;
}

static void run_blocks(const tsr_device_launch *l, bool reversed)
{
    uint64_t n = (uint64_t)l->blocks[0] * l->blocks[1] * l->blocks[2];
    for (uint64_t k = 0; k < n && !now.failed; k++) {
        uint64_t i = reversed ? n - 1 - k : k;
        now.block.block[0] = (uint32_t)(i % l->blocks[0]);
        now.block.block[1] = (uint32_t)(i / l->blocks[0] % l->blocks[1]);
        now.block.block[2] = (uint32_t)(i / l->blocks[0] / l->blocks[1]);
        now.block.more = l->shared ? guarded(&now, l->shared) : NULL;
        run_block(reversed);
        end_shared();
    }
}

bool tsr_mock_run(const tsr_mock_kernel *k, const tsr_device_launch *l, bool reversed,
                  void (*describe)(const void *at, char *out, size_t size), char *error,
                  size_t size)
{
    struct sigaction old[2];
    now.block = (tsr_mock_block){.threads = l->threads,
                                 .barrier = block_barrier,
                                 .warp_barrier = warp_barrier,
                                 .exchange = exchange,
                                 .ballot = ballot,
                                 .shared = shared_of,
                                 .check = check_address};
    memcpy(now.block.blocks, l->blocks, sizeof l->blocks);
    now.kernel = k;
    now.words = l->words;
    now.describe = describe;
    now.error = error;
    now.size = size;
    now.failed = false;
    *k->code->here = &now.block;
    catch_signals(true, old);
    run_blocks(l, reversed);
    catch_signals(false, old);
    while (now.nidle)
        tsr_fiber_free(now.idle[--now.nidle]);
    return !now.failed;
}
