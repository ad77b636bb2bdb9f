/* SPDX-License-Identifier: Apache-2.0 */
/* plug_in.c - see plug_in.h. */
#define _GNU_SOURCE /* dladdr */
#include "base/plug_in.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* Leaves the folder of a path, with a slash; empty: it has none. */
static void keep_folder(char *path)
{
    char *slash = strrchr(path, '/');
    path[slash ? slash - path + 1 : 0] = 0;
}

static void folder_of_program(char *out)
{
    ssize_t n = readlink("/proc/self/exe", out, LONGEST - 1);
    out[n > 0 ? n : 0] = 0;
    keep_folder(out);
}

/* Of the shared library that this function is in; the program's, if it is in that. */
static void folder_of_library(char *out)
{
    static const char here;
    Dl_info info;
    bool found = dladdr(&here, &info) && info.dli_fname && strchr(info.dli_fname, '/');
    snprintf(out, LONGEST, "%s", found ? info.dli_fname : "");
    keep_folder(out);
}

/* Opens the file if it is there. False: it is not. */
static bool open_file(const char *folder, const char *place, const char *name, int flags,
                      void **out, tsr_buf *why)
{
    char path[2 * LONGEST];
    snprintf(path, sizeof path, "%s%stessera_%s.so", folder, place, name);
    if (!*folder || access(path, R_OK) != 0)
        return false;
    *out = dlopen(path, flags);
    if (!*out)
        tsr_buf_printf(why, "%s", dlerror());
    return true;
}

static bool open_given(const char *name, int flags, void **out, tsr_buf *why)
{
    char folder[LONGEST];
    const char *all = getenv("TESSERA_PLUGINS");
    for (size_t n; all && *all; all += n + (all[n] == ':')) {
        n = strcspn(all, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)n, all);
        if (open_file(folder, "/", name, flags, out, why))
            return true;
    }
    return false;
}

/* In a build and in an installation the plug-in is in one of these places, from the program or the library. */
static bool open_beside(const char *folder, const char *name, int flags, void **out, tsr_buf *why)
{
    static const char *const places[] = {"", "tessera/", "../", "../lib/tessera/", NULL};
    for (const char *const *p = places; *p; p++)
        if (open_file(folder, *p, name, flags, out, why))
            return true;
    return false;
}

void *tsr_plug_in_open(const char *name, int flags, tsr_buf *why)
{
    char program[LONGEST], library[LONGEST], file[LONGEST];
    void *found = NULL;
    folder_of_program(program);
    folder_of_library(library);
    if (open_given(name, flags, &found, why) || open_beside(library, name, flags, &found, why) ||
        open_beside(program, name, flags, &found, why))
        return found;
    snprintf(file, sizeof file, "tessera_%s.so", name);
    return dlopen(file, flags);
}

bool tsr_plug_in_find(void *library, const char *symbol, void *fn)
{
    void *at = library ? dlsym(library, symbol) : NULL;
    memcpy(fn, &at, sizeof at);
    return at != NULL;
}
