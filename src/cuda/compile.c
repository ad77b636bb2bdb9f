/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - kernel texts to machine code by NVRTC, on threads, through the cache. See cuda.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "cuda/cuda.h"

extern const char *const tsr_kernel_text_lines[];

enum { MOST_THREADS = 12 };

typedef struct {
    tsr_cuda_libraries *l;
    const tsr_device_text *texts;
    tsr_cuda_image *images;
    size_t n;
    char *words; /* of kernel text: what stands before each of them */
    size_t nwords;
    char architecture[48], compiler[16];
    bool with_log, caches;
    char folder[4096];
    atomic_size_t next;
    atomic_bool failed;
    pthread_mutex_t lock; /* of error */
    char *error;
    size_t size;
} job;

/* ---- The text ---- */

static const char *const *part_of(const char *name)
{
    const char *const *line = tsr_kernel_text_lines;
    while (strcmp(*line, name) != 0) {
        while (*line)
            line++;
        line++;
    }
    return line + 1;
}

/* All words of kernel text, and where the lines of kernels begin. */
static bool read_words(job *j)
{
    static const char *const names[] = {"cuda", "kernel"};
    static const char end[] = "#line 1 \"kernel\"\n";
    for (int pass = 0; pass < 2; pass++) {
        size_t n = 0;
        for (int k = 0; k < 2; k++)
            for (const char *const *line = part_of(names[k]); *line; n += strlen(*line++))
                if (pass)
                    memcpy(j->words + n, *line, strlen(*line));
        if (pass)
            memcpy(j->words + n, end, sizeof end);
        else if (!(j->words = tsr_malloc(n + sizeof end)))
            return false;
        j->nwords = n + sizeof end - 1;
    }
    return true;
}

static const char *const fixed_options[] = {"--std=c++17", "--fmad=false", "-default-device"};
enum { FIXED = sizeof fixed_options / sizeof *fixed_options };

/* ---- One text ---- */

static bool fail(job *j, const char *text)
{
    pthread_mutex_lock(&j->lock);
    if (!j->failed)
        snprintf(j->error, j->size, "%s", text);
    j->failed = true;
    pthread_mutex_unlock(&j->lock);
    return false;
}

/* The line of a log with the first error. */
static bool fail_by_log(job *j, nvrtcProgram p, nvrtcResult result)
{
    size_t n = 0;
    const tsr_cuda_rtc *rtc = &j->l->rtc;
    rtc->nvrtcGetProgramLogSize(p, &n);
    char *log = tsr_calloc(n + 1, 1);
    if (log && n)
        rtc->nvrtcGetProgramLog(p, log);
    char *at = log ? strstr(log, "error") : NULL;
    while (at && at > log && at[-1] != '\n')
        at--;
    if (at)
        at[strcspn(at, "\n")] = 0;
    fail(j, at ? at : rtc->nvrtcGetErrorString(result));
    tsr_free(log);
    return false;
}

static bool take_image(job *j, nvrtcProgram p, tsr_cuda_image *out)
{
    const tsr_cuda_rtc *rtc = &j->l->rtc;
    size_t n = 0;
    if (rtc->nvrtcGetCUBINSize(p, &out->bytes) != NVRTC_SUCCESS || out->bytes == 0)
        return fail(j, "NVRTC gave no machine code");
    out->image = tsr_malloc(out->bytes);
    if (!out->image)
        return fail(j, "no memory for machine code");
    rtc->nvrtcGetCUBIN(p, out->image);
    if (!j->with_log)
        return true;
    rtc->nvrtcGetProgramLogSize(p, &n);
    out->log = tsr_calloc(n + 1, 1);
    if (out->log && n)
        rtc->nvrtcGetProgramLog(p, out->log);
    return true;
}

static bool compile_text(job *j, const char *text, tsr_cuda_image *out)
{
    const tsr_cuda_rtc *rtc = &j->l->rtc;
    const char *options[FIXED + 2] = {j->architecture};
    nvrtcProgram p;
    for (int k = 0; k < FIXED; k++)
        options[1 + k] = fixed_options[k];
    options[1 + FIXED] = "--ptxas-options=-v"; /* registers and spills */
    nvrtcResult made = rtc->nvrtcCreateProgram(&p, text, "kernel", 0, NULL, NULL);
    if (made != NVRTC_SUCCESS)
        return fail(j, rtc->nvrtcGetErrorString(made));
    made = rtc->nvrtcCompileProgram(p, 1 + FIXED + j->with_log, options);
    bool ok = made == NVRTC_SUCCESS ? take_image(j, p, out) : fail_by_log(j, p, made);
    rtc->nvrtcDestroyProgram(&p);
    return ok;
}

static void key_of(const job *j, const tsr_device_text *t, char key[33])
{
    const char *parts[FIXED + 4] = {j->words, t->text, j->architecture, j->compiler};
    size_t lengths[FIXED + 4] = {j->nwords, t->n, strlen(j->architecture), strlen(j->compiler)};
    for (int k = 0; k < FIXED; k++) {
        parts[4 + k] = fixed_options[k];
        lengths[4 + k] = strlen(fixed_options[k]);
    }
    tsr_cuda_cache_key(parts, lengths, FIXED + 4, key);
}

static bool make(job *j, size_t i)
{
    const tsr_device_text *t = &j->texts[i];
    tsr_cuda_image *out = &j->images[i];
    key_of(j, t, out->key);
    if (j->caches && (out->image = tsr_cuda_cache_read(j->folder, out->key, &out->bytes))) {
        out->from_cache = true;
        return true;
    }
    char *text = tsr_malloc(j->nwords + t->n + 1);
    if (!text)
        return fail(j, "no memory for the text of a kernel");
    memcpy(text, j->words, j->nwords);
    memcpy(text + j->nwords, t->text, t->n);
    text[j->nwords + t->n] = 0;
    bool ok = compile_text(j, text, out);
    tsr_free(text);
    if (ok && j->caches)
        tsr_cuda_cache_write(j->folder, out->key, out->image, out->bytes);
    return ok;
}

static void *work(void *given)
{
    job *j = given;
    for (size_t i; !j->failed && (i = j->next++) < j->n;)
        make(j, i);
    return NULL;
}

/* ---- All texts ---- */

/* The machine code of a card runs on later ones of its generation. */
static bool choose_architecture(job *j, uint32_t architecture)
{
    int n = 0, known[64], best = 0;
    char text[160];
    const tsr_cuda_rtc *rtc = &j->l->rtc;
    if (rtc->nvrtcGetNumSupportedArchs(&n) != NVRTC_SUCCESS || n > 64 ||
        rtc->nvrtcGetSupportedArchs(known) != NVRTC_SUCCESS)
        n = 0;
    for (int i = 0; i < n; i++)
        if (known[i] / 10 == (int)architecture / 10 && known[i] <= (int)architecture &&
            known[i] > best)
            best = known[i];
    snprintf(j->architecture, sizeof j->architecture, "--gpu-architecture=sm_%d", best);
    snprintf(j->compiler, sizeof j->compiler, "%d.%d", j->l->rtc_major, j->l->rtc_minor);
    if (best)
        return true;
    snprintf(text, sizeof text, "NVRTC %s does not know cards of compute capability %u.%u",
             j->compiler, architecture / 10, architecture % 10);
    return fail(j, text);
}

static void run_threads(job *j)
{
    pthread_t threads[MOST_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores > 1 ? (size_t)cores : 1, n = 0;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    while (n + 1 < most && n + 1 < j->n && pthread_create(&threads[n], NULL, work, j) == 0)
        n++;
    work(j);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

bool tsr_cuda_compile(tsr_cuda_libraries *l, uint32_t architecture, const tsr_device_text *texts,
                      size_t n, bool with_log, tsr_cuda_image *images, char *error, size_t size)
{
    job j = {.l = l,
             .texts = texts,
             .images = images,
             .n = n,
             .with_log = with_log,
             .error = error,
             .size = size};
    memset(images, 0, n * sizeof *images);
    if (n == 0)
        return true;
    if (!tsr_cuda_wait_rtc(l)) {
        snprintf(error, size, "%s", l->rtc_file.why);
        return false;
    }
    pthread_mutex_init(&j.lock, NULL);
    if (!read_words(&j))
        fail(&j, "no memory for the text of a kernel");
    else if (choose_architecture(&j, architecture)) {
        j.caches = !with_log && tsr_cuda_cache_folder(j.folder, sizeof j.folder);
        run_threads(&j);
    }
    tsr_free(j.words);
    pthread_mutex_destroy(&j.lock);
    for (size_t i = 0; i < n && j.failed; i++)
        tsr_cuda_image_free(&images[i]);
    return !j.failed;
}

void tsr_cuda_image_free(tsr_cuda_image *i)
{
    tsr_free(i->image);
    tsr_free(i->log);
    *i = (tsr_cuda_image){0};
}
