/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_npy.c - .npy files and .npz archives under a fuzzer. A file is read as it is and for several element types; each array of
 * an archive is read. What was read must be the same after it was written and read again. */
#include "fuzz.h"

#include <string.h>

#include "api/guard.h"
#include "eval/file/npy.h"

static const char *const wanted[] = {
    "f32", "bf16", "f8E4M3FN", "i4", "i1", "complex<f32>", "!quant.uniform<i8:f32, 0.5>"};

static void check_again(fuzz_world *w, tsr_tensor *t)
{
    tsr_status status = {0};
    if (!tsr_tensor_save(t, "again.npy", &status)) {
        fuzz_must(status.message[0], "refused to write without a reason");
        return;
    }
    tsr_tensor *back = tsr_tensor_load(w->ctx, "again.npy", tsr_tensor_element(t), &status);
    fuzz_must(back != NULL || status.code == TSR_ENVIRONMENT, "what was written cannot be read");
    if (back) {
        size_t size = tsr_tensor_size(t);
        fuzz_must(size == tsr_tensor_size(back), "what was written has another size");
        fuzz_must(!size || !memcmp(tsr_tensor_data(t), tsr_tensor_data(back), size),
                  "what was written reads as something else");
    }
    tsr_tensor_free(back);
}

static void load(fuzz_world *w, const char *path, const char *element)
{
    tsr_status status = {0};
    tsr_type *type = element ? tsr_type_parse(w->ctx, tsr_cstr(element)) : NULL;
    tsr_tensor *t = tsr_tensor_load(w->ctx, path, type, &status);
    fuzz_must(t || status.message[0], "refused without a reason");
    if (t)
        check_again(w, t);
    tsr_tensor_free(t);
}

/* All arrays of an archive; tsr_tensor_load reads the first one. */
static void load_archive(fuzz_world *w, const char *path, tsr_status *status)
{
    TSR_GUARD_CTX(g, w->ctx, status, )
    tsr_npz z;
    if (tsr_npz_open(&z, path, g.status)) {
        for (size_t i = 0; i < z.entries.n; i++) {
            tsr_status own = {0};
            tsr_tensor *t = tsr_npz_read(w->ctx, &z, i, NULL, TSR_NPY_AS_IS, &own);
            fuzz_must(t || own.message[0], "an entry is refused without a reason");
            tsr_tensor_free(t);
        }
        tsr_npz_close(&z);
    }
    tsr_guard_close(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world w;
    fuzz_folder(false);
    bool archive = size > 2 && !memcmp(data, "PK", 2);
    const char *path = archive ? "x.npz" : "x.npy";
    fuzz_write(path, data, size);
    fuzz_open(&w);
    load(&w, path, NULL);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        load(&w, path, wanted[i]);
    tsr_status status = {0};
    if (archive)
        load_archive(&w, path, &status);
    fuzz_close(&w);
    return 0;
}
