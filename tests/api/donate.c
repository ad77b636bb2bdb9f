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
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
