/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - the plugin as a framework loads it: plugin build/pjrt_plugin_tessera.so. Its parts stand in the files beside this one. */
#include <dlfcn.h>

#include "plugin.h"

/* gcc's leak checker crashes on thread-local variables of a library that was opened at run time while threads of it live: it
 * asks here. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "use_tls=0";
}

void *library;

int main(int argc, char **argv)
{
    library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const pj_api *(*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "GetPjrtApi");
    CHECK(entry != NULL);
    if (!entry) {
        printf("%s\n0 passed, 1 failed\n", argc == 2 ? dlerror() : "usage: plugin library");
        return 1;
    }
    api = entry();
    CHECK(api->struct_size == sizeof *api && api->version.major_version == PJ_MAJOR &&
          api->version.minor_version == PJ_MINOR);
    CHECK(!dlsym(library, "tsr_module_parse")); /* the library inside is not seen */
    for (int i = 0; i < 2; i++)
        (void)dlerror(); /* the first call takes the message, the second frees it */
    test_buffers();
    test_transfers();
    test_programs();
    test_donation();
    test_refusals();
    test_sizes();
    test_topologies();
    test_limits();
    test_ffi();
    test_facts();
    test_host();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
