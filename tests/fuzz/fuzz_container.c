/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_container.c - files around programs under a fuzzer: artifacts, files of jax.export, folders that torch_xla saves a model in,
 * and files that are no program. A folder is written as one input:
 *
 *     ==== functions/forward.mlir
 *     module { ... }
 *     ==== functions/forward.meta
 *     {"input_locations": [...]}
 *     ==== data/weight
 *     (the bytes of a NumPy file)
 *
 * What is loaded must verify or be refused with an error; folders are run on random inputs. */
#include "fuzz.h"

#include <string.h>
#include <sys/stat.h>

#include "api/api.h"
#include "api/guard.h"

static const char mark[] = "==== ";

static const uint8_t *find(const uint8_t *from, const uint8_t *end, const char *what)
{
    for (size_t n = strlen(what); (size_t)(end - from) >= n; from++)
        if (!memcmp(from, what, n))
            return from;
    return NULL;
}

/* Letters, digits, dots in between, and one folder. */
static bool is_path(const char *s)
{
    size_t slashes = 0;
    for (const char *p = s; *p; p++) {
        bool edge = p == s || p[-1] == '/';
        slashes += *p == '/';
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./", *p) ||
            (edge && strchr("./", *p)))
            return false;
    }
    return *s && slashes <= 1;
}

static void write_part(const uint8_t *name, size_t nname, const uint8_t *data, size_t size)
{
    char path[96] = "saved/";
    if (nname >= sizeof path - 8)
        return;
    memcpy(path + 6, name, nname);
    path[6 + nname] = 0;
    if (is_path(path + 6))
        fuzz_write(path, data, size);
}

static void run_folder(const uint8_t *data, size_t size)
{
    static const char *const folders[] = {"saved", "saved/functions", "saved/data",
                                          "saved/constants"};
    const uint8_t *end = data + size;
    fuzz_folder(true);
    for (size_t i = 0; i < TSR_COUNT(folders); i++)
        mkdir(folders[i], 0777);
    for (const uint8_t *p = data; p;) {
        const uint8_t *name = p + strlen(mark), *body = memchr(name, '\n', (size_t)(end - name)),
                      *next;
        if (!body)
            break;
        next = find(body, end, "\n==== ");
        write_part(name, (size_t)(body - name), body + 1,
                   next ? (size_t)(next - body) - (next > body) : (size_t)(end - body - 1));
        p = next ? next + 1 : NULL;
    }
    fuzz_tool((const char *const[]){"tessera", "run", "saved", "--input=random"}, 4);
}

static tsr_module *load(fuzz_world *w, tsr_str body)
{
    const tsr_str name = TSR_STR("fuzz");
    TSR_GUARD_CTX(g, w->ctx, NULL, NULL)
    tsr_module *m = tsr_load_program(w->ctx, body, name, 1, true);
    tsr_guard_close(&g);
    return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > strlen(mark) && !memcmp(data, mark, strlen(mark))) {
        run_folder(data, size);
        return 0;
    }
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m = load(&w, (tsr_str){(const char *)data, size});
    fuzz_must(m || w.error, "refused without an error");
    if (m && tsr_module_verify(m))
        fuzz_round_trip(&w, m, &(tsr_print_options){.elide_larger = -1});
    else if (m)
        fuzz_must(w.error, "does not verify, without an error");
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}
