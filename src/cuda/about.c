/* SPDX-License-Identifier: Apache-2.0 */
/* about.c - what the plug-in says without a device: the libraries there are, and whether texts compile. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "cuda/cuda.h"

static void put(tsr_device_part *out, const char *name, const tsr_cuda_library *f,
                const char *version)
{
    snprintf(out->name, sizeof out->name, "%s", name);
    out->found = f->handle != NULL;
    if (out->found)
        snprintf(out->text, sizeof out->text, "%s, %s", version, f->from);
    else
        snprintf(out->text, sizeof out->text, "%s", f->why);
}

__attribute__((visibility("default"))) tsr_device_parts_fn tessera_device_parts;
size_t tessera_device_parts(unsigned version, tsr_device_part *out, size_t most)
{
    tsr_cuda_libraries l;
    char why[sizeof out->text] = "", text[64];
    tsr_device_part parts[3] = {{.name = ""}};
    if (version != TSR_DEVICE_VERSION)
        return 0;
    bool driver = tsr_cuda_load(&l, why, sizeof why);
    if (!driver)
        tsr_cuda_load_all(&l);
    snprintf(text, sizeof text, "CUDA %d.%d", l.version / 1000, l.version / 10 % 100);
    put(&parts[0], "driver", &l.driver_file, text);
    if (!driver)
        snprintf(parts[0].text, sizeof parts[0].text, "%s", why);
    tsr_cuda_wait_rtc(&l);
    tsr_cuda_wait_lt(&l);
    snprintf(text, sizeof text, "%d.%d", l.rtc_major, l.rtc_minor);
    put(&parts[1], "NVRTC", &l.rtc_file, text);
    size_t lt = l.lt_file.handle ? l.lt.cublasLtGetVersion() : 0;
    snprintf(text, sizeof text, "%zu.%zu", lt / 10000, lt / 100 % 100);
    put(&parts[2], "cuBLASLt", &l.lt_file, text);
    for (size_t i = 0; i < 3 && i < most; i++)
        out[i] = parts[i];
    tsr_cuda_unload(&l);
    return 3;
}

__attribute__((visibility("default"))) tsr_device_compile_fn tessera_device_compile;
bool tessera_device_compile(unsigned version, uint32_t architecture, const tsr_device_text *texts,
                            size_t n, char *logs, size_t each, char *error, size_t size)
{
    tsr_cuda_libraries l;
    if (version != TSR_DEVICE_VERSION) {
        snprintf(error, size, "the plug-in is of another version of devices");
        return false;
    }
    if (!tsr_cuda_load_rtc(&l)) {
        snprintf(error, size, "%s", l.rtc_file.why);
        return false;
    }
    tsr_cuda_image *images = tsr_calloc(n + 1, sizeof *images);
    bool ok =
        images && tsr_cuda_compile(&l, architecture, texts, n, logs != NULL, images, error, size);
    for (size_t i = 0; i < n && ok; i++) {
        if (logs)
            snprintf(logs + i * each, each, "%s", images[i].log ? images[i].log : "");
        tsr_cuda_image_free(&images[i]);
    }
    tsr_free(images);
    tsr_cuda_unload(&l);
    return ok;
}
