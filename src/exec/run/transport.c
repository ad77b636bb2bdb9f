/* transport.c - see transport.h. */
#include "exec/run/transport.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

/* The directory of the program, with a slash; empty: unknown. */
static void own_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    out[n > 0 ? n : 0] = 0;
    char *slash = strrchr(out, '/');
    out[slash ? slash - out + 1 : 0] = 0;
}

/* Symbols are global: MPI's own plug-ins need those of its library. */
static void *find(const char *name, tsr_buf *tried)
{
    static const char *const places[] = {"", "../", "../lib/tessera/", NULL};
    char folder[4096], path[4200];
    const char *given = getenv("TESSERA_MPI");
    if (given && *given) {
        void *found = dlopen(given, RTLD_NOW | RTLD_GLOBAL);
        if (!found)
            tsr_buf_printf(tried, "%s", dlerror());
        return found;
    }
    own_folder(folder, sizeof folder);
    for (const char *const *p = places; *p && *folder; p++) {
        snprintf(path, sizeof path, "%s%stessera_%s.so", folder, *p, name);
        if (access(path, R_OK) != 0)
            continue;
        void *found = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!found)
            tsr_buf_printf(tried, "%s", dlerror());
        return found;
    }
    snprintf(path, sizeof path, "tessera_%s.so", name);
    void *found = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!found)
        tsr_buf_printf(tried,
                       "%s is not there; make MPI=1 builds it where mpicc is, and "
                       "TESSERA_MPI=file names one",
                       path);
    return found;
}

tsr_transport *tsr_transport_open(const char *name, tsr_status *status)
{
    tsr_buf tried = {0};
    char error[256] = "";
    tsr_transport *t = NULL;
    void *library = find(name, &tried);
    void *symbol = library ? dlsym(library, TSR_TRANSPORT_OPEN) : NULL;
    tsr_transport_open_fn *open = NULL;
    if (symbol)
        memcpy(&open, &symbol, sizeof open);
    if (open)
        t = open(TSR_TRANSPORT_VERSION, error, sizeof error);
    if (!library)
        tsr_status_set(status, TSR_ENVIRONMENT, "--transport=%s: %.*s", name,
                       TSR_STR_ARG(tsr_buf_text(&tried)));
    else if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "--transport=%s: %s", name,
                       symbol ? error : "the plug-in is none of transports");
    tsr_buf_free(&tried);
    return t;
}
