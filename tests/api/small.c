/* SPDX-License-Identifier: Apache-2.0 */
/* small.c - memory of the caller with elements of fewer than eight bits, which may have anything above their bits: every
 * call that takes it computes with the elements alone. And folders of torch_xla: what their arguments are. */
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

enum { N = 256 };

typedef struct {
    const char *name;
    unsigned bits;
    bool is_signed;
} kind;

static const kind kinds[] = {
    {"i1", 1, false},       {"i2", 2, true},        {"ui2", 2, false},      {"i4", 4, true},
    {"ui4", 4, false},      {"f4E2M1FN", 4, false}, {"f6E2M3FN", 6, false}, {"f6E3M2FN", 6, false},
    {"f8E4M3FN", 8, false}, {"i8", 8, true},
};

static unsigned char tidy(const kind *k, unsigned byte)
{
    unsigned mask = (1u << k->bits) - 1;
    if (k->bits == 1)
        return byte != 0;
    byte &= mask;
    return (unsigned char)(k->is_signed && byte >> (k->bits - 1) ? byte | ~mask : byte);
}

/* A byte of each value, in one of two orders. */
static void fill(const kind *k, unsigned char *in, unsigned char *wanted, bool backwards)
{
    for (unsigned i = 0; i < N; i++) {
        in[i] = (unsigned char)(backwards ? N - 1 - i : i);
        wanted[i] = tidy(k, in[i]);
    }
}

static bool is(const tsr_tensor *t, const unsigned char *wanted)
{
    return t && tsr_tensor_size(t) == N && memcmp(tsr_tensor_data(t), wanted, N) == 0;
}

static void test_tensors(tsr_ctx *ctx, const kind *k)
{
    unsigned char in[N], same[N], wanted[N];
    const int64_t dims[] = {N};
    tsr_status s = {0};
    fill(k, in, wanted, false);
    memcpy(same, in, N);
    tsr_tensor *made = tsr_tensor_create(ctx, tsr_cstr(k->name), dims, 1, in, &s);
    tsr_tensor *view = tsr_tensor_view(ctx, tsr_cstr(k->name), dims, 1, in, &s);
    tsr_tensor *clean = tsr_tensor_view(ctx, tsr_cstr(k->name), dims, 1, wanted, &s);
    CHECK(is(made, wanted) && is(view, wanted) && memcmp(in, same, N) == 0);
    CHECK(clean && tsr_tensor_data(clean) == wanted); /* not copied where that is not needed */
    tsr_tensor_free(made);
    tsr_tensor_free(view);
    tsr_tensor_free(clean);
    /* Few elements, so that the end of a scan by words is reached in each way. */
    for (int64_t n = 0; n < 20; n++) {
        unsigned char few[20];
        memset(few, 0, sizeof few);
        if (n)
            few[n - 1] = k->bits < 8 ? 0x40 : 0;
        view = tsr_tensor_view(ctx, tsr_cstr(k->name), &n, 1, few, &s);
        CHECK(view && (!n || *((const unsigned char *)tsr_tensor_data(view) + n - 1) ==
                                 tidy(k, few[n - 1])));
        tsr_tensor_free(view);
    }
}

/* Gives bytes that no element has. */
static bool give_bytes(void *user, const tsr_custom_call *call, tsr_status *status)
{
    (void)status;
    memcpy(call->out_data[0], user, N);
    return true;
}

static tsr_module *parse(tsr_ctx *ctx, const char *format, const char *name)
{
    char text[1024];
    size_t at = 0;
    for (const char *p = format; *p; p++) {
        size_t n = *p == '$' ? strlen(name) : 1;
        memcpy(text + at, *p == '$' ? name : p, n);
        at += n;
    }
    return tsr_module_parse(ctx, (tsr_str){text, at}, tsr_cstr("small.mlir"));
}

static void test_runs(tsr_ctx *ctx, const kind *k)
{
    unsigned char in[N], same[N], wanted[N], out[2][N];
    tsr_status s = {0};
    fill(k, in, wanted, true);
    memcpy(same, in, N);
    tsr_module *m = parse(ctx,
                          "func.func @main(%a: tensor<256x$> {tf.aliasing_output = 0 : i32}) -> "
                          "(tensor<256x$>, tensor<256x$>) {\n"
                          "  %0 = stablehlo.reshape %a : (tensor<256x$>) -> tensor<16x16x$>\n"
                          "  %1 = stablehlo.reshape %0 : (tensor<16x16x$>) -> tensor<256x$>\n"
                          "  %2 = stablehlo.custom_call @outside(%a) : (tensor<256x$>) -> "
                          "tensor<256x$>\n"
                          "  return %1, %2 : tensor<256x$>, tensor<256x$>\n"
                          "}\n",
                          k->name);
    tsr_executable *x = tsr_module_compile(m, tsr_cstr("main"), NULL, &s);
    tsr_input_buffer a = {in, N};
    tsr_output_buffer b[2] = {{out[0], N}, {out[1], N}};
    tsr_execute_options options = {.custom_call = give_bytes, .user = same};
    CHECK(m && x && tsr_executable_run_buffers(x, &a, 1, b, 2, &options, &s));
    CHECK(memcmp(out[0], wanted, N) == 0 && memcmp(out[1], wanted, N) == 0);
    CHECK(memcmp(in, same, N) == 0); /* the caller's memory is only read */
    bool given_up = true;
    options.given_up = &given_up;
    b[0].data = in; /* unless it is given up to a result */
    CHECK(tsr_executable_run_buffers(x, &a, 1, b, 2, &options, &s));
    CHECK(memcmp(in, wanted, N) == 0 && memcmp(out[1], wanted, N) == 0);
    tsr_executable_free(x);
    tsr_module_free(m);
}

static const char *const folder = "tests/corpus/torch_xla_held/saved";

static void test_folder(tsr_ctx *ctx)
{
    tsr_status s = {0};
    tsr_saved *saved = tsr_saved_open(ctx, folder, tsr_cstr("forward"), &s);
    CHECK(saved && tsr_saved_num_arguments(saved) == 5 && tsr_saved_num_inputs(saved) == 3);
    tsr_module *m = tsr_module_parse_file(ctx, tsr_saved_program(saved));
    size_t nin = 0, nout = 0, stored = 0;
    CHECK(m && tsr_module_signature(m, tsr_cstr("main"), &nin, &nout) && nin == 5);
    for (size_t i = 0; i < nin; i++) {
        tsr_type *type = tsr_module_input_type(m, tsr_cstr("main"), i);
        tsr_tensor *t = tsr_saved_load(saved, i, ctx, tsr_type_element(type), &s);
        CHECK((t != NULL) == (tsr_saved_input(saved, i) < 0));
        CHECK(!t || tsr_tensor_rank(t) == (size_t)tsr_type_rank(type));
        stored += t != NULL;
        tsr_tensor_free(t);
    }
    CHECK(stored == 3 && !tsr_saved_load(saved, 5, ctx, NULL, &s));
    CHECK(tsr_saved_input(saved, 99) < 0);
    tsr_module_free(m);
    tsr_saved_free(saved);
    memset(&s, 0, sizeof s);
    CHECK(!tsr_saved_open(ctx, "tests/corpus", tsr_cstr(""), &s) &&
          strstr(s.message, "a folder without functions/"));
    memset(&s, 0, sizeof s);
    CHECK(!tsr_saved_open(ctx, folder, tsr_cstr("other"), &s) &&
          strstr(s.message, "has no function 'other'"));
    CHECK(strstr(tsr_ctx_last_error(ctx)->message, "has no function 'other'"));
    CHECK(!tsr_saved_open(NULL, folder, tsr_cstr(""), NULL) && !tsr_saved_program(NULL));
    CHECK(!tsr_saved_num_inputs(NULL) && !tsr_saved_num_arguments(NULL));
    tsr_saved_free(NULL);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        test_tensors(ctx, &kinds[i]);
        test_runs(ctx, &kinds[i]);
    }
    test_folder(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
