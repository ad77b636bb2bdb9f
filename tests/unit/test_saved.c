/* SPDX-License-Identifier: Apache-2.0 */
/* test_saved.c - saved programs: every cut and every flipped bit is refused; what is changed and has a right checksum is refused with
 * a reason, or runs. */
#include <stdlib.h>

#include "api/tsrx.h"
#include "tessera/tessera.h"
#include "unit.h"

/* A loop, a product, a kernel of the evaluator's, and a constant. */
static const char program[] =
    "func.func @main(%a: tensor<4x4xf32>, %n: tensor<i32>) -> (tensor<4x4xf32>, tensor<4xf32>) {\n"
    "  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.5, 1.5, 2.5, 3.5], [4.0, 3.0, 2.0, "
    "1.0], [0.0, 1.0, 0.0, 1.0]]> : tensor<4x4xf32>\n"
    "  %0 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<4x4xf32>, "
    "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %few = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %w:2 = stablehlo.while(%i = %z, %x = %0) : tensor<i32>, tensor<4x4xf32> cond {\n"
    "    %t = stablehlo.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %t : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %y = stablehlo.tanh %x : tensor<4x4xf32>\n"
    "    stablehlo.return %j, %y : tensor<i32>, tensor<4x4xf32>\n"
    "  }\n"
    "  %f = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %s = stablehlo.reduce(%w#1 init: %f) applies stablehlo.add across dimensions = [1] : "
    "(tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "  %g = chlo.lgamma %s : tensor<4xf32> -> tensor<4xf32>\n"
    "  return %w#1, %g : tensor<4x4xf32>, tensor<4xf32>\n"
    "}\n";

typedef struct {
    tsr_ctx *ctx;
    diag_log log;
    char *bytes;
    size_t n;
} world;

/* Whether it loads; a refusal has an error. */
static bool loads(unit *u, world *w, char *data, size_t n)
{
    tsr_status s = {0};
    tsr_executable *x = tsr_executable_load(w->ctx, (tsr_str){data, n}, TSR_STR("p.tsrx"), &s);
    if (!x && (!w->log.text.len || !s.message[0]))
        CHECK(u, !"refused without a reason");
    w->log.text.len = 0;
    if (x) {
        tsr_module *m = tsr_executable_module(x);
        tsr_tensor *in[2] = {tsr_module_random_input(m, TSR_STR("main"), 0, 1, NULL),
                             tsr_module_random_input(m, TSR_STR("main"), 1, 1, NULL)};
        tsr_tensor *out[2] = {0};
        if (in[0] && in[1] && tsr_executable_num_inputs(x) == 2 &&
            tsr_executable_num_outputs(x) == 2)
            tsr_executable_run(x, in, 2, out, 2, NULL, NULL);
        for (int i = 0; i < 2; i++) {
            tsr_tensor_free(in[i]);
            tsr_tensor_free(out[i]);
        }
        tsr_module_free(m);
    }
    w->log.text.len = 0;
    tsr_executable_free(x);
    return x != NULL;
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void check_cuts_and_flips(unit *u, world *w)
{
    size_t loaded = 0, step = w->n / 200 + 1;
    for (size_t i = 0; i < w->n; i += i < 300 ? 1 : step) {
        char *cut = tsr_xmalloc(i + 1);
        memcpy(cut, w->bytes, i);
        loaded += loads(u, w, cut, i);
        tsr_free(cut);
        for (int bit = 0; bit < 8; bit += 3) {
            w->bytes[i] ^= (char)(1 << bit);
            loaded += loads(u, w, w->bytes, w->n);
            w->bytes[i] ^= (char)(1 << bit);
        }
    }
    CHECK(u, loaded == 0);
}

/* With a right checksum the tables and the module have to be refused for themselves. */
static void check_sealed(unit *u, world *w)
{
    enum { COUNT = 10000, HEAD = 8 + 22 * 8 };
    char *t = tsr_xmalloc(w->n + 16);
    uint64_t rng = 88172645463325252u;
    size_t loaded = 0;
    for (int k = 0; k < COUNT; k++) {
        size_t n = w->n, changes = 1 + next(&rng) % 3;
        memcpy(t, w->bytes, n);
        for (size_t i = 0; i < changes; i++) {
            size_t at = next(&rng) % (next(&rng) % 3 ? n : HEAD);
            t[at] = next(&rng) % 2 ? (char)next(&rng) : (char)(t[at] ^ 1 << next(&rng) % 8);
        }
        if (next(&rng) % 4 == 0) { /* shorter or longer, and the head says so */
            n = next(&rng) % 2 ? n - next(&rng) % 64 : n + next(&rng) % 16;
            for (size_t i = w->n; i < n; i++)
                t[i] = 0;
            for (int i = 0; i < 8; i++)
                t[8 + 2 * 8 + i] = (char)(n >> 8 * i);
        }
        tsr_tsrx_seal(t, n);
        loaded += loads(u, w, t, n);
    }
    /* Some are harmless: names of locations, numbers of constants. */
    CHECK(u, loaded > 0 && loaded < COUNT / 2);
    tsr_free(t);
}

/* A head that says something else, with a right checksum. */
static void check_head(unit *u, world *w)
{
    static const struct {
        int word;
        uint64_t value;
        const char *why;
    } cases[] = {
        {0, 1, "version 1 of the format, and this is version 3"},
        {1, 0x0102030405060708u, "not little endian"},
        {2, 12, "it is to have 12 bytes"},
        {4, 1 << 20, "flags that there are not"},
        {5, 8, "'producer' begins at a place"},
        {6, (uint64_t)1 << 60, "'producer' has more bytes than are left"},
        {11, UINT64_MAX - 63, "'module' begins at a place"},
        {12, 1, "there is more behind its last section"},
        {13, 1, "compiled it to another program"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *t = tsr_xmalloc(w->n), *at = t + 8 + 8 * cases[i].word;
        tsr_status s = {0};
        memcpy(t, w->bytes, w->n);
        for (int k = 0; k < 8; k++)
            at[k] = (char)(cases[i].value >> 8 * k);
        tsr_tsrx_seal(t, w->n);
        CHECK(u, !tsr_executable_load(w->ctx, (tsr_str){t, w->n}, TSR_STR("p.tsrx"), &s));
        CHECK(u, strstr(s.message, cases[i].why) != NULL);
        w->log.text.len = 0;
        tsr_free(t);
    }
}

void test_saved(unit *u)
{
    world w = {.ctx = tsr_ctx_new()};
    tsr_ctx_on_diag(w.ctx, unit_log, &w.log);
    tsr_ctx_set_budget(w.ctx, &(tsr_budget){.max_steps = 20000, .max_bytes = 64 << 20});
    tsr_module *m = tsr_module_parse(w.ctx, TSR_STR(program), TSR_STR("m.mlir"));
    tsr_executable *x = tsr_module_compile(m, TSR_STR("main"), NULL, NULL);
    tsr_str saved = tsr_executable_save(x, NULL);
    CHECK(u, saved.len > 0);
    w.bytes = (char *)saved.data;
    w.n = saved.len;
    CHECK(u, loads(u, &w, w.bytes, w.n));
    tsr_executable *y = tsr_executable_load(w.ctx, saved, TSR_STR("p.tsrx"), NULL);
    tsr_str again = tsr_executable_save(y, NULL);
    CHECK(u, tsr_str_eq(again, saved));
    tsr_free((void *)again.data);
    tsr_executable_free(y);
    check_cuts_and_flips(u, &w);
    check_head(u, &w);
    check_sealed(u, &w);
    tsr_free((void *)saved.data);
    tsr_executable_free(x);
    tsr_module_free(m);
    tsr_buf_free(&w.log.text);
    tsr_ctx_free(w.ctx);
}
