/* SPDX-License-Identifier: Apache-2.0 */
/* transport.c - see transport.h. */
#include "exec/run/transport.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/plug_in.h"
#include "base/str.h"

/* Symbols are global: MPI's own plug-ins need those of its library. */
static void *find(const char *name, tsr_buf *why)
{
    const char *given = getenv("TESSERA_MPI");
    bool named = given && *given;
    void *found = named ? dlopen(given, RTLD_NOW | RTLD_GLOBAL)
                        : tsr_plug_in_open(name, RTLD_NOW | RTLD_GLOBAL, why);
    if (!found && named)
        tsr_buf_printf(why, "%s", dlerror());
    else if (!found && !why->len)
        tsr_buf_printf(why,
                       "tessera_%s.so is not there; make MPI=1 builds it where mpicc is, and "
                       "TESSERA_MPI=file names one",
                       name);
    return found;
}

tsr_transport *tsr_transport_open(const char *name, tsr_status *status)
{
    tsr_buf why = {0};
    char error[256] = "";
    tsr_transport *t = NULL;
    void *library = find(name, &why);
    tsr_transport_open_fn *open = NULL;
    if (tsr_plug_in_find(library, TSR_TRANSPORT_OPEN, &open))
        t = open(TSR_TRANSPORT_VERSION, error, sizeof error);
    if (!library)
        tsr_status_set(status, TSR_ENVIRONMENT, "--transport=%s: %.*s", name,
                       TSR_STR_ARG(tsr_buf_text(&why)));
    else if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "--transport=%s: %s", name,
                       open ? error : "the plug-in is none of transports");
    tsr_buf_free(&why);
    return t;
}
