/* SPDX-License-Identifier: Apache-2.0 */
/* donate.c - inputs that the caller gives up: results are computed in their memory where the function donates them, and are right
 * in any case. */
#include "tessera/tessera.h"

#include <string.h>

#include "check.h"

#define T "tensor<4x4xf32>"
#define A "tf.aliasing_output = 0 : i32"

static const char text[] =
    /* An optimizer: element by element, in place. */
    "func.func @step(%p: " T " {" A "}, %g: " T ") -> " T " {\n"
    "  %h = stablehlo.constant dense<0.5> : " T "\n"
    "  %0 = stablehlo.multiply %g, %h : " T "\n"
    "  %1 = stablehlo.subtract %p, %0 : " T "\n"
    "  return %1 : " T "\n"
    "}\n"
    /* Any result of its type. */
    "func.func @any(%p: " T " {jax.buffer_donor = true}, %g: " T ") -> (tensor<f32>, " T ") {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %s = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [0, 1] : (" T
    ", tensor<f32>) -> tensor<f32>\n"
    "  %1 = stablehlo.subtract %p, %g : " T "\n"
    "  return %s, %1 : tensor<f32>, " T "\n"
    "}\n"
    /* The argument is read when the result is there. */
    "func.func @late(%p: " T " {" A "}, %g: " T ") -> (" T ", " T ") {\n"
    "  %0 = stablehlo.dot_general %g, %g, contracting_dims = [1] x [0] : (" T ", " T ") -> " T "\n"
    "  %1 = stablehlo.dot_general %p, %0, contracting_dims = [1] x [0] : (" T ", " T ") -> " T "\n"
    "  return %0, %1 : " T ", " T "\n"
    "}\n"
    /* It is read in another order than the result is written. */
    "func.func @turned(%p: " T " {" A "}, %g: " T ") -> " T " {\n"
    "  %0 = stablehlo.reverse %p, dims = [0, 1] : " T "\n"
    "  %1 = stablehlo.add %0, %p : " T "\n"
    "  return %1 : " T "\n"
    "}\n"
    /* It is handed on by the evaluator's kernel. */
    "func.func @handed(%p: " T " {" A "}, %g: " T ") -> (" T ", " T ") {\n"
    "  %t = stablehlo.tuple %p : tuple<" T ">\n"
    "  %1 = stablehlo.subtract %p, %g : " T "\n"
    "  %2 = stablehlo.get_tuple_element %t[0] : (tuple<" T ">) -> " T "\n"
    "  return %1, %2 : " T ", " T "\n"
    "}\n"
    /* A loop begins with it. */
    "func.func @loop(%p: " T " {" A "}, %g: " T ") -> " T " {\n"
    "  %i = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%x = %p, %k = %i) : " T ", tensor<i32>\n"
    "   cond {\n"
    "    %n = stablehlo.constant dense<3> : tensor<i32>\n"
    "    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %k1 = stablehlo.add %k, %one : tensor<i32>\n"
    "    %x1 = stablehlo.subtract %x, %g : " T "\n"
    "    stablehlo.return %x1, %k1 : " T ", tensor<i32>\n"
    "  }\n"
    "  return %r#0 : " T "\n"
    "}\n"
    /* A cache is updated. */
    "func.func @cache(%p: " T " {" A "}, %g: " T ") -> " T " {\n"
    "  %i = stablehlo.constant dense<2> : tensor<i32>\n"
    "  %0 = stablehlo.slice %g [0:1, 0:4] : (" T ") -> tensor<1x4xf32>\n"
    "  %1 = stablehlo.dynamic_update_slice %p, %0, %i, %i : (" T
    ", tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> " T "\n"
    "  return %1 : " T "\n"
    "}\n";

/* Of two devices: what each brings to the others is there for them when it is overwritten; @swap hands its arguments through. */
static const char parts[] =
    "module attributes {mhlo.num_partitions = 2 : i32} {\n"
    "func.func @main(%p: " T " {" A "}, %g: " T ") -> (" T ", tensor<8x4xf32>) {\n"
    "  %0 = \"stablehlo.all_gather\"(%p) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, "
    "1]]> : "
    "tensor<1x2xi64>} : (" T ") -> tensor<8x4xf32>\n"
    "  %1 = stablehlo.subtract %p, %g : " T "\n"
    "  return %1, %0 : " T ", tensor<8x4xf32>\n"
    "}}\n",
                  swap[] =
                      "func.func @main(%p: " T " {" A "}, %g: " T " {" A "}) -> (" T ", " T ") {\n"
                      "  return %g, %p : " T ", " T "\n"
                      "}\n";

static tsr_tensor *numbers(tsr_ctx *ctx, int from)
{
    char buf[200] = "4x4xf32=";
    for (int i = 0; i < 16; i++)
        snprintf(buf + strlen(buf), sizeof buf - strlen(buf), "%s%d", i ? "," : "", from + i * i);
    return tsr_tensor_parse(ctx, tsr_cstr(buf), NULL);
}

static bool equal(const tsr_tensor *a, const tsr_tensor *b)
{
    return tsr_tensor_size(a) == tsr_tensor_size(b) &&
           !memcmp(tsr_tensor_data(a), tsr_tensor_data(b), tsr_tensor_size(a));
}

/* Runs a function with its first input given up, and not; taken: which result is to be the input, -1: none. */
static void test(tsr_ctx *ctx, tsr_module *m, const char *name, size_t nout, int taken, bool twice)
{
    tsr_tensor *in[2] = {numbers(ctx, 1), twice ? NULL : numbers(ctx, 3)};
    tsr_tensor *again[2] = {numbers(ctx, 1), numbers(ctx, twice ? 1 : 3)};
    tsr_tensor *kept[2] = {NULL}, *out[2] = {NULL}, *reference[2] = {NULL};
    const bool given[2] = {true, false};
    tsr_status s = {0};
    tsr_eval_options options = {.engine = TSR_ENGINE_COMPILED};
    if (twice)
        in[1] = in[0];
    CHECK(tsr_module_eval(m, tsr_cstr(name), again, 2, reference, nout, &s));
    CHECK(tsr_module_eval_with(m, tsr_cstr(name), again, 2, kept, nout, &options, &s));
    CHECK(kept[0] != again[0] && equal(kept[0], reference[0]));
    options.given_up = given;
    CHECK(tsr_module_eval_with(m, tsr_cstr(name), in, 2, out, nout, &options, &s));
    for (size_t i = 0; i < nout; i++) {
        if ((out[i] == in[0]) != ((int)i == taken))
            printf("@%s, result %zu\n", name, i);
        CHECK((out[i] == in[0]) == ((int)i == taken));
        tsr_comparison c;
        CHECK(tsr_tensor_compare(out[i], reference[i], NULL, &c));
    }
    for (size_t i = 0; i < nout; i++) {
        tsr_tensor_free(kept[i]);
        tsr_tensor_free(out[i]);
        tsr_tensor_free(reference[i]);
    }
    tsr_tensor_free(again[0]);
    tsr_tensor_free(again[1]);
    tsr_tensor_free(in[0]);
    if (!twice)
        tsr_tensor_free(in[1]);
}

/* ---- Executables ---- */

static tsr_executable *compile(tsr_module *m, const char *name)
{
    tsr_status s = {0};
    tsr_executable *x = m ? tsr_module_compile(m, tsr_cstr(name), NULL, &s) : NULL;
    CHECK(x != NULL);
    return x;
}

/* Tensors, views of the caller's memory, and buffers, where an output is an input. */
static void test_executable(tsr_ctx *ctx, tsr_module *m)
{
    static const int64_t dims[] = {4, 4};
    tsr_executable *x = compile(m, "step");
    tsr_status s = {0};
    tsr_tensor *p = numbers(ctx, 1), *g = numbers(ctx, 3), *want = NULL, *out = NULL;
    const bool given[2] = {true, false};
    tsr_execute_options options = {.given_up = given};
    size_t result = 9;
    CHECK(tsr_executable_alias(x, 0, &result) && result == 0);
    CHECK(!tsr_executable_alias(x, 1, &result) && !tsr_executable_alias(x, 2, &result));
    float a[16], b[16], w[16];
    memcpy(a, tsr_tensor_data(p), sizeof a);
    memcpy(b, tsr_tensor_data(g), sizeof b);
    tsr_tensor *in[2] = {p, g};
    CHECK(tsr_executable_run(x, in, 2, &want, 1, NULL, &s) && want != p);
    memcpy(w, tsr_tensor_data(want), sizeof w);
    CHECK(tsr_executable_run(x, in, 2, &out, 1, &options, &s) && out == p && equal(out, want));
    tsr_tensor_free(out);
    in[0] = tsr_tensor_view(ctx, tsr_cstr("f32"), dims, 2, a, &s);
    CHECK(tsr_executable_run(x, in, 2, &out, 1, &options, &s) && out == in[0]);
    CHECK(!memcmp(a, w, sizeof a));
    tsr_tensor_free(in[0]);
    tsr_tensor_free(out);
    for (int i = 0; i < 16; i++)
        a[i] = (float)(1 + i * i);
    tsr_input_buffer from[2] = {{a, sizeof a}, {b, sizeof b}};
    tsr_output_buffer to = {a, sizeof a};
    CHECK(!tsr_executable_run_buffers(x, from, 2, &to, 1, NULL, &s) &&
          strstr(s.message, "output 0 overlaps input 0"));
    CHECK((memset(&s, 0, sizeof s), tsr_executable_run_buffers(x, from, 2, &to, 1, &options, &s)));
    CHECK(!memcmp(a, w, sizeof a));
    from[1].data = a; /* another input, which is not given up, is the same memory */
    CHECK(!tsr_executable_run_buffers(x, from, 2, &to, 1, &options, &s));
    const bool both[2] = {true, true};
    options.given_up = both;
    memcpy(a, b, sizeof a);
    CHECK((memset(&s, 0, sizeof s), tsr_executable_run_buffers(x, from, 2, &to, 1, &options, &s)));
    for (int i = 0; i < 16; i++)
        CHECK(a[i] == b[i] - 0.5f * b[i]);
    tsr_tensor_free(want);
    tsr_tensor_free(p);
    tsr_tensor_free(g);
    tsr_executable_free(x);
}

/* A result that is computed nowhere but handed through, each to where the other was. */
static void test_swap(tsr_ctx *ctx)
{
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(swap), tsr_cstr("swap.mlir"));
    tsr_executable *x = compile(m, "main");
    const bool given[2] = {true, true};
    tsr_execute_options options = {.given_up = given};
    float a[16], b[16];
    for (int i = 0; i < 16; i++) {
        a[i] = (float)i;
        b[i] = (float)-i;
    }
    tsr_input_buffer in[2] = {{a, sizeof a}, {b, sizeof b}};
    tsr_output_buffer out[2] = {{a, sizeof a}, {b, sizeof b}};
    CHECK(tsr_executable_run_buffers(x, in, 2, out, 2, &options, NULL));
    for (int i = 0; i < 16; i++)
        CHECK(a[i] == (float)-i && b[i] == (float)i);
    tsr_executable_free(x);
    tsr_module_free(m);
}

static void test_mesh(tsr_ctx *ctx)
{
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(parts), tsr_cstr("parts.mlir"));
    tsr_executable *x = compile(m, "main");
    const bool given[4] = {true, false, true, false};
    tsr_execute_options options = {.given_up = given};
    tsr_eval_options shards = {.given_up = given};
    tsr_status s = {0};
    for (int how = 0; how < 3; how++) {
        tsr_tensor *in[4], *kept[4], *out[4] = {NULL};
        for (int i = 0; i < 4; i++) {
            in[i] = numbers(ctx, i + 1);
            kept[i] = numbers(ctx, i + 1);
        }
        tsr_tensor *const *rows[] = {in, in + 2};
        tsr_tensor **const results[] = {out, out + 2};
        if (how == 2) {
            tsr_tensor_free(in[2]); /* one tensor for both devices: it is nobody's to change */
            in[2] = in[0];
        }
        CHECK(how == 1
                  ? tsr_module_eval_shards(m, tsr_cstr("main"), rows, 2, 2, results, 2, &shards, &s)
                  : tsr_executable_run(x, in, 4, out, 4, &options, &s));
        for (int d = 0; d < 2; d++) {
            const float *old = tsr_tensor_data(kept[how == 2 ? 0 : 2 * d]),
                        *less = tsr_tensor_data(kept[2 * d + 1]);
            const float *got = tsr_tensor_data(out[2 * d]), *all = tsr_tensor_data(out[2 * d + 1]);
            CHECK((out[2 * d] == in[2 * d]) == (how < 2));
            for (int i = 0; i < 16; i++)
                CHECK(got[i] == old[i] - less[i] && all[16 * d + i] == old[i]);
        }
        for (int i = 0; i < 4; i++) {
            tsr_tensor_free(out[i]);
            tsr_tensor_free(kept[i]);
            if (how < 2 || i != 2)
                tsr_tensor_free(in[i]);
        }
    }
    tsr_executable_free(x);
    tsr_module_free(m);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("donate.mlir"));
    CHECK(m != NULL);
    if (m) {
        test(ctx, m, "step", 1, 0, false);
        test(ctx, m, "step", 1, -1, true);
        test(ctx, m, "any", 2, 1, false);
        test(ctx, m, "late", 2, -1, false);
        test(ctx, m, "turned", 1, -1, false);
        test(ctx, m, "handed", 2, 0, false);
        test(ctx, m, "loop", 1, 0, false);
        test(ctx, m, "cache", 1, 0, false);
        test_executable(ctx, m);
        tsr_module_free(m);
    }
    test_swap(ctx);
    test_mesh(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
