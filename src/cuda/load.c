/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - finds and opens the driver, NVRTC and cuBLASLt. See cuda.h.
 *
 * A library is looked for in the folders of TESSERA_CUDA_PATH, where the system has libraries, in pip's packages of the
 * Python that is in use or first in PATH, and in /usr/local/cuda. A folder named - ends the search. */
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/cuda.h"

static void add(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(char *to, size_t size, const char *fmt, ...)
{
    size_t n = strlen(to);
    va_list args;
    va_start(args, fmt);
    vsnprintf(to + n, size - n, fmt, args);
    va_end(args);
}

/* Opens a file; what is wrong with one that is there is worth telling. */
static bool try_file(tsr_cuda_library *l, const char *path)
{
    if (strchr(path, '/') && access(path, R_OK) != 0)
        return false;
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle)
        snprintf(l->from, sizeof l->from, "%s", path);
    else if (strchr(path, '/'))
        add(l->why, sizeof l->why, "%s; ", dlerror());
    return l->handle != NULL;
}

static bool try_folders(tsr_cuda_library *l, const char *pattern, const char *name)
{
    char path[PATH_MAX];
    glob_t found = {0};
    snprintf(path, sizeof path, "%s/%s", pattern, name);
    if (glob(path, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !l->handle; i++)
            try_file(l, found.gl_pathv[i]);
    globfree(&found);
    return l->handle != NULL;
}

/* The folder above that of the first python3 in PATH, links followed. */
static bool python_home(char out[PATH_MAX])
{
    const char *p = getenv("PATH");
    char path[PATH_MAX];
    while (p && *p) {
        size_t n = strcspn(p, ":");
        snprintf(path, sizeof path, "%.*s/python3", (int)n, p);
        if (access(path, X_OK) == 0 && realpath(path, out)) {
            for (int up = 0; up < 2 && strrchr(out, '/'); up++)
                *strrchr(out, '/') = 0;
            return true;
        }
        p += n + (p[n] == ':');
    }
    return false;
}

static bool try_python(tsr_cuda_library *l, const char *home, const char *name)
{
    static const char *const sites[] = {"lib/python3*/site-packages", "lib/python3*/dist-packages",
                                        NULL};
    char pattern[PATH_MAX + 64];
    for (const char *const *s = sites; home && *home && *s; s++) {
        snprintf(pattern, sizeof pattern, "%s/%s/nvidia/*/lib", home, *s);
        if (try_folders(l, pattern, name))
            return true;
    }
    return false;
}

/* *only: nowhere else. */
static bool try_given(tsr_cuda_library *l, const char *name, bool *only)
{
    char folder[PATH_MAX];
    const char *p = getenv("TESSERA_CUDA_PATH");
    while (p && *p && !l->handle && !*only) {
        size_t n = strcspn(p, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)n, p);
        *only = strcmp(folder, "-") == 0;
        if (*folder && !*only)
            try_folders(l, folder, name);
        p += n + (p[n] == ':');
    }
    return l->handle != NULL;
}

static bool try_name(tsr_cuda_library *l, const char *name)
{
    static const char *const folders[] = {"/usr/local/cuda/lib64", "/usr/local/cuda-1*/lib64",
                                          "/usr/lib/wsl/lib", "/opt/cuda/lib64", NULL};
    char home[PATH_MAX];
    bool only = false;
    if (try_given(l, name, &only) || only)
        return l->handle != NULL;
    if (try_file(l, name) || try_python(l, getenv("VIRTUAL_ENV"), name) ||
        try_python(l, getenv("CONDA_PREFIX"), name))
        return true;
    if (python_home(home) && try_python(l, home, name))
        return true;
    if (try_python(l, "/usr", name))
        return true;
    for (const char *const *f = folders; *f; f++)
        if (try_folders(l, *f, name))
            return true;
    return false;
}

/* NAME.so.13, then NAME.so.12, from the newest that the driver can run. */
static bool find(tsr_cuda_library *l, const char *name, int newest, const char *package)
{
    char file[64];
    for (int major = newest; major >= 12; major--) {
        snprintf(file, sizeof file, "%s.so.%d", name, major);
        if (try_name(l, file))
            return true;
    }
    add(l->why, sizeof l->why,
        "%s.so.%d not found in TESSERA_CUDA_PATH, the system's libraries, Python's packages or "
        "/usr/local/cuda; "
        "pip install %s%s, or set TESSERA_CUDA_PATH to its folder",
        name, newest, package, newest == 12 ? "-cu12" : "");
    return false;
}

static bool symbol(tsr_cuda_library *l, void *out, const char *name, bool need)
{
    void *at = dlsym(l->handle, name);
    memcpy(out, &at, sizeof at);
    if (!at && need)
        add(l->why, sizeof l->why, "%s has no %s: it is too old", l->from, name);
    return at || !need;
}

/* The library stays open: what it keeps for its threads and for the process is lost when it is unloaded. */
static void close_library(tsr_cuda_library *l)
{
    l->handle = NULL;
}

static bool load_driver(tsr_cuda_libraries *l, char *why, size_t size)
{
    tsr_cuda_library *f = &l->driver_file;
    bool all = true;
    if (!try_name(f, "libcuda.so.1")) {
        snprintf(why, size, "%slibcuda.so.1 not found: there is no NVIDIA driver here", f->why);
        return false;
    }
    f->why[0] = 0;
#define DRIVER(type, name, text, ...) all = all && symbol(f, &l->driver.name, text, true);
#define MAY_DRIVER(type, name, text, ...) all = all && symbol(f, &l->driver.name, text, false);
#include "cuda/symbols.def"
    if (all && l->driver.cuDriverGetVersion(&l->version) != CUDA_SUCCESS)
        l->version = 0;
    if (all && l->version >= TSR_CUDA_OLDEST)
        return true;
    if (all)
        snprintf(why, size, "the driver supports CUDA %d.%d; 12.4 or later is needed",
                 l->version / 1000, l->version / 10 % 100);
    else
        snprintf(why, size, "%s", f->why);
    close_library(f);
    return false;
}

static int newest_of(const tsr_cuda_libraries *l)
{
    return l->version && l->version < 13000 ? 12 : 13;
}

static void *load_rtc(void *given)
{
    tsr_cuda_libraries *l = given;
    tsr_cuda_library *f = &l->rtc_file;
    bool all = find(f, "libnvrtc", newest_of(l), "nvidia-cuda-nvrtc");
    if (!all)
        return NULL;
    f->why[0] = 0;
#define RTC(type, name, text, ...) all = all && symbol(f, &l->rtc.name, text, true);
#include "cuda/symbols.def"
    if (all)
        l->rtc.nvrtcVersion(&l->rtc_major, &l->rtc_minor);
    else
        close_library(f);
    return NULL;
}

static void *load_lt(void *given)
{
    tsr_cuda_libraries *l = given;
    tsr_cuda_library *f = &l->lt_file;
    bool all = find(f, "libcublasLt", newest_of(l), "nvidia-cublas");
    if (!all)
        return NULL;
    f->why[0] = 0;
#define LT(type, name, text, ...) all = all && symbol(f, &l->lt.name, text, true);
#include "cuda/symbols.def"
    if (!all)
        close_library(f);
    return NULL;
}

static void begin(tsr_cuda_libraries *l, int which, void *(*load)(void *))
{
    l->opening[which] = pthread_create(&l->threads[which], NULL, load, l) == 0;
    if (!l->opening[which])
        load(l);
}

/* Devices share libraries, and each may be used by another thread. */
static void finish(tsr_cuda_libraries *l, int which)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (l->opening[which])
        pthread_join(l->threads[which], NULL);
    l->opening[which] = false;
    pthread_mutex_unlock(&lock);
}

bool tsr_cuda_load(tsr_cuda_libraries *l, char *why, size_t size)
{
    memset(l, 0, sizeof *l);
    if (!load_driver(l, why, size))
        return false;
    begin(l, 0, load_rtc);
    begin(l, 1, load_lt);
    return true;
}

void tsr_cuda_load_all(tsr_cuda_libraries *l)
{
    memset(l, 0, sizeof *l);
    begin(l, 0, load_rtc);
    begin(l, 1, load_lt);
}

bool tsr_cuda_load_rtc(tsr_cuda_libraries *l)
{
    memset(l, 0, sizeof *l);
    load_rtc(l);
    return l->rtc_file.handle != NULL;
}

bool tsr_cuda_wait_rtc(tsr_cuda_libraries *l)
{
    finish(l, 0);
    return l->rtc_file.handle != NULL;
}

bool tsr_cuda_wait_lt(tsr_cuda_libraries *l)
{
    finish(l, 1);
    return l->lt_file.handle != NULL;
}

void tsr_cuda_unload(tsr_cuda_libraries *l)
{
    finish(l, 0);
    finish(l, 1);
    close_library(&l->rtc_file);
    close_library(&l->lt_file);
    close_library(&l->driver_file);
}
