/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_device.c - device files under a fuzzer: behind a first line with the figures of a transformer. What is read times that transformer, and shards a small
 * program; what is refused has a reason and a place. */
#include "fuzz.h"

#include <math.h>

#include "api/auto.h"
#include "api/guard.h"

static const char program[] =
    "func.func @main(%x: tensor<8x16xf32>, %a: tensor<16x32xf32>) -> tensor<8x32xf32> {\n"
    "  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0]\n"
    "      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<8x32xf32>\n"
    "  return %1 : tensor<8x32xf32>\n}\n";

static void time_transformer(tsr_str figures, const tsr_device_file *d)
{
    tsr_transformer t;
    const char *error = NULL;
    size_t at = 0;
    if (!tsr_transformer_read(figures, &t, &error, &at)) {
        fuzz_must(error && at <= figures.len, "figures refused without a reason or a place");
        return;
    }
    tsr_transformer_step step;
    tsr_buf out = {0};
    tsr_transformer_step_of(&t, d, &step);
    fuzz_must(!(step.seconds < 0), "a step takes less than no time");
    tsr_transformer_json(&out, &t, d, &step);
    tsr_transformer_text(&out, &t, d, &step);
    tsr_buf_free(&out);
}

static void shard(fuzz_world *w, tsr_arena *arena, const tsr_device_file *d, tsr_status *status)
{
    tsr_module *m = tsr_module_parse(w->ctx, tsr_cstr(program), tsr_cstr("m.mlir"));
    tsr_auto_request r = {.device = d, .shard = {.mesh = TSR_STR("x=2,y=2")}};
    tsr_auto_result found = {0};
    if (m && tsr_auto_shard(arena, m, &r, &found, status)) {
        tsr_buf out = {0};
        fuzz_must(!(found.plans.data[found.best].seconds < 0), "a plan takes less than no time");
        tsr_auto_text(&out, &found, true);
        tsr_auto_json(&out, &found);
        tsr_buf_free(&out);
    }
    tsr_auto_free(&found);
    tsr_module_free(m);
}

static void read_device(fuzz_world *w, tsr_str figures, tsr_str file, tsr_status *status)
{
    TSR_GUARD_CTX(g, w->ctx, status, )
    tsr_arena arena;
    tsr_device_file d;
    tsr_device_file_error error = {{0}, 0};
    tsr_arena_init(&arena);
    if (tsr_device_file_read(&arena, file, &d, &error)) {
        time_transformer(figures, &d);
        shard(w, &arena, &d, g.status);
    } else {
        fuzz_must(error.reason[0] && error.at <= file.len, "refused without a reason or a place");
    }
    tsr_arena_free(&arena);
    tsr_guard_close(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world w;
    tsr_status status = {0};
    tsr_str all = {(const char *)data, size}, figures = fuzz_first_line(all);
    size_t end = 0;
    while (end < size && data[end] != '\n')
        end++;
    end = figures.data && figures.len && end < size ? end + 1 : 0;
    fuzz_open(&w);
    read_device(&w, figures, (tsr_str){all.data + end, size - end}, &status);
    fuzz_close(&w);
    return 0;
}
