/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_run.c - partitioning and running under a fuzzer. An input is a module; the comment in its first line may give a mesh and
 * shardings, as flags of `tessera run` do:
 *
 *     // x=2,y=2 0:x,_ 1:_,y r0:x
 *     func.func @main(...) ...
 *
 * The module runs on random inputs undivided, and on its mesh; then as an executable that is given its inputs up. A failure must have a reason. Values are not compared here: random
 * programs that are made for it do that (tests/differential/spmd). */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/guard.h"
#include "api/shard.h"

/* ---- What the first line gives ---- */

static bool next_word(tsr_str *line, tsr_str *word)
{
    while (line->len && *line->data == ' ')
        *line = (tsr_str){line->data + 1, line->len - 1};
    const char *end = line->len ? memchr(line->data, ' ', line->len) : NULL;
    *word = (tsr_str){line->data, end ? (size_t)(end - line->data) : line->len};
    *line = (tsr_str){line->data + word->len, line->len - word->len};
    return word->len > 0;
}

static bool read_given(tsr_str word, tsr_shard_given *out)
{
    *out = (tsr_shard_given){.result = word.data[0] == 'r'};
    size_t at = out->result;
    for (; at < word.len && word.data[at] >= '0' && word.data[at] <= '9' && at < 8; at++)
        out->index = out->index * 10 + (size_t)(word.data[at] - '0');
    if (at >= word.len || word.data[at] != ':')
        return false;
    out->text = (tsr_str){word.data + at + 1, word.len - at - 1};
    return true;
}

static bool give(tsr_module *m, tsr_str line, tsr_status *status)
{
    enum { MOST = 16 };
    tsr_shard_given given[MOST];
    tsr_shard_request request = {.given = given};
    tsr_str word;
    while (next_word(&line, &word) && request.ngiven < MOST) {
        if (read_given(word, &given[request.ngiven]))
            request.ngiven++;
        else
            request.mesh = word;
    }
    if (!request.mesh.len)
        return true;
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, status, false)
    bool ok = tsr_shard_give(m, &request, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Running ---- */

enum { MOST_VALUES = 64 };
static const tsr_str entry = {"main", 4};

static void run(fuzz_world *w, tsr_module *m, tsr_tensor *const *in, size_t nin, size_t nout,
                bool spmd)
{
    tsr_tensor *out[MOST_VALUES] = {0};
    tsr_status status = {0};
    bool ok = spmd ? tsr_module_eval_spmd(m, entry, in, nin, out, nout, NULL, &status)
                   : tsr_module_eval(m, entry, in, nin, out, nout, &status);
    fuzz_must(ok || w->error || status.message[0], "a run failed without a reason");
    for (size_t i = 0; i < nout; i++) {
        fuzz_must((out[i] != NULL) == ok,
                  "results of a run that failed, or none of one that did not");
        tsr_str printed = ok ? tsr_tensor_text(out[i]) : (tsr_str){NULL, 0};
        tsr_free((void *)(uintptr_t)printed.data);
        tsr_tensor_free(out[i]);
    }
}

/* The inputs have any elements then. */
static void run_executable(fuzz_world *w, tsr_module *m, tsr_tensor *const *in, size_t nin,
                           size_t nout)
{
    tsr_tensor *out[MOST_VALUES] = {0};
    bool given_up[MOST_VALUES];
    tsr_status status = {0};
    memset(given_up, true, sizeof given_up);
    tsr_executable *x = tsr_module_compile(m, entry, NULL, &status);
    fuzz_must(x || w->error || status.message[0], "compiling failed without a reason");
    if (x && tsr_executable_num_devices(x) == 1) {
        status = (tsr_status){0};
        bool ok = tsr_executable_run(x, in, nin, out, nout,
                                     &(tsr_execute_options){.given_up = given_up}, &status);
        fuzz_must(ok || status.message[0], "an executable failed without a reason");
        for (size_t i = 0; i < nout; i++) {
            fuzz_must((out[i] != NULL) == ok, "results of an executable that failed, or none");
            tsr_tensor_free(out[i]);
        }
    }
    tsr_executable_free(x);
}

static void run_module(fuzz_world *w, tsr_module *m, tsr_str line)
{
    tsr_tensor *in[MOST_VALUES] = {0};
    size_t nin = 0, nout = 0, made = 0;
    if (!tsr_module_signature(m, entry, &nin, &nout) || nin > MOST_VALUES || nout > MOST_VALUES)
        return;
    for (; made < nin; made++)
        if (!(in[made] = tsr_module_random_input(m, entry, made, 1, NULL)))
            break;
    tsr_module *local = tsr_module_clone(m);
    if (made == nin) {
        tsr_status status = {0};
        run(w, m, in, nin, nout, false);
        w->error = false;
        if (local && give(local, line, &status) && tsr_module_partition(local))
            run(w, local, in, nin, nout, true);
        else
            fuzz_must(w->error || status.message[0] || fuzz_was_stopped(w),
                      "partitioning failed without a reason");
        w->error = false;
        run_executable(w, m, in, nin, nout);
    }
    tsr_module_free(local);
    for (size_t i = 0; i < made; i++)
        tsr_tensor_free(in[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_str input = {(const char *)data, size};
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m = tsr_module_parse(w.ctx, input, tsr_cstr("fuzz.mlir"));
    w.error = false;
    if (m)
        run_module(&w, m, fuzz_first_line(input));
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}

/* ---- Mutations ---- */

static void add_sharding(char *line, size_t room, uint64_t *rng)
{
    static const char *const dims[] = {"x", "y", "_", "x+y", "?", "y+x", "z", "x?"};
    size_t len = strlen(line);
    len += (size_t)snprintf(line + len, room - len, " %s%zu:", below(rng, 4) ? "" : "r",
                            below(rng, 4));
    for (size_t n = 1 + below(rng, 3); n && len + 8 < room; n--)
        len += (size_t)snprintf(line + len, room - len, "%s%s", dims[below(rng, TSR_COUNT(dims))],
                                n > 1 ? "," : "");
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    static const char *const meshes[] = {"x=2",     "x=2,y=2",     "x=3,y=2", "x=4",
                                         "y=2,x=1", "x=2,y=2,z=2", "x=5"};
    if (below(&rng, 6))
        return fuzz_mutate_text(data, size, most, &rng);
    char line[160];
    snprintf(line, sizeof line, "%s", meshes[below(&rng, TSR_COUNT(meshes))]);
    for (size_t n = 1 + below(&rng, 3); n; n--)
        add_sharding(line, sizeof line, &rng);
    return fuzz_set_first_line(data, size, most, line);
}
