/* SPDX-License-Identifier: Apache-2.0 */
/* test_donated.c - programs whose arguments are given up have the bits of those whose are not, on one thread and on two: each kind of group, of sizes that take many blocks
 * and chunks. */
#include "base/threads.h"
#include "tessera/tessera.h"
#include "unit.h"

/* Given up: any result of its type may take it over. */
#define D " {jax.buffer_donor = true}"
#define M "tensor<70x771xf32>"
#define H "tensor<70x771xbf16>"
#define R "tensor<70xf32>"
#define C "tensor<771xf32>"
#define S "tensor<192x192xf32>"
#define ALONG_ROWS(out, in, init, op)                                           \
    "  " out " = stablehlo.reduce(" in " init: " init ") applies stablehlo." op \
    " across dimensions = [1] : (" M ", tensor<f32>) -> " R "\n"
#define BY_ROW(out, in) \
    "  " out " = stablehlo.broadcast_in_dim " in ", dims = [0] : (" R ") -> " M "\n"
#define BY_COLUMN(out, in) \
    "  " out " = stablehlo.broadcast_in_dim " in ", dims = [1] : (" C ") -> " M "\n"

static const struct {
    const char *name;
    size_t nin, nout, taken; /* taken: arguments whose memory becomes a result's, at least */
    const char *body;        /* arguments, results and ops of a function */
} programs[] = {
    {"one kernel", 1, 1, 1,
     "(%a: " M D ") -> " M " {\n"
     "  %0 = stablehlo.exponential %a : " M "\n"
     "  return %0 : " M "\n"},
    {"one kernel of numbers without a form", 1, 1, 1,
     "(%a: " M D ") -> " M " {\n"
     "  %k = stablehlo.constant dense<0.5> : " M "\n"
     "  %l = stablehlo.constant dense<2.5> : " M "\n"
     "  %0 = stablehlo.clamp %a, %k, %l : " M "\n"
     "  return %0 : " M "\n"},
    {"a number in each element", 1, 2, 1,
     "(%a: " M D ") -> (" M ", " M ") {\n"
     "  %k = stablehlo.constant dense<0.5> : " M "\n"
     "  %0 = stablehlo.add %a, %k : " M "\n"
     "  return %k, %0 : " M ", " M "\n"},
    {"bias and relu", 2, 1, 1,
     "(%a: " M D ", %b: " C D ") -> " M " {\n"
     "  %z = stablehlo.constant dense<0.0> : " M
     "\n" BY_COLUMN("%0", "%b") "  %1 = stablehlo.add %a, %0 : " M "\n"
                                "  %2 = stablehlo.maximum %1, %z : " M "\n"
                                "  return %2 : " M "\n"},
    {"several kernels", 1, 1, 1,
     "(%a: " M D ") -> " M " {\n"
     "  %k = stablehlo.constant dense<0.044715> : " M "\n"
     "  %0 = stablehlo.multiply %a, %a : " M "\n"
     "  %1 = stablehlo.multiply %0, %a : " M "\n"
     "  %2 = stablehlo.multiply %1, %k : " M "\n"
     "  %3 = stablehlo.add %a, %2 : " M "\n"
     "  %4 = stablehlo.tanh %3 : " M "\n"
     "  %5 = stablehlo.multiply %a, %4 : " M "\n"
     "  return %5 : " M "\n"},
    {"several results", 4, 3, 3,
     "(%p: " M D ", %m: " M D ", %v: " M D ", %g: " M ") -> (" M ", " M ", " M ") {\n"
     "  %k = stablehlo.constant dense<0.9> : " M "\n"
     "  %0 = stablehlo.multiply %m, %k : " M "\n"
     "  %1 = stablehlo.add %0, %g : " M "\n"
     "  %2 = stablehlo.multiply %g, %g : " M "\n"
     "  %3 = stablehlo.multiply %v, %k : " M "\n"
     "  %4 = stablehlo.add %3, %2 : " M "\n"
     "  %5 = stablehlo.abs %4 : " M "\n"
     "  %6 = stablehlo.sqrt %5 : " M "\n"
     "  %7 = stablehlo.add %6, %k : " M "\n"
     "  %8 = stablehlo.divide %1, %7 : " M "\n"
     "  %9 = stablehlo.subtract %p, %8 : " M "\n"
     "  return %9, %1, %4 : " M ", " M ", " M "\n"},
    {"read again when its place has a result", 2, 2, 1,
     "(%a: " M D ", %b: " M D ") -> (" M ", " M ") {\n"
     "  %0 = stablehlo.add %a, %b : " M "\n"
     "  %1 = stablehlo.exponential %0 : " M "\n"
     "  %2 = stablehlo.multiply %1, %b : " M "\n"
     "  return %0, %2 : " M ", " M "\n"},
    {"in another order", 1, 1, 0,
     "(%a: " M D ") -> " M " {\n"
     "  %0 = stablehlo.reverse %a, dims = [1] : " M "\n"
     "  %1 = stablehlo.add %a, %0 : " M "\n"
     "  return %1 : " M "\n"},
    {"a narrow float", 1, 1, 1,
     "(%a: " H D ") -> " H " {\n"
     "  %k = stablehlo.constant dense<1.5> : " H "\n"
     "  %0 = stablehlo.multiply %a, %k : " H "\n"
     "  %1 = stablehlo.add %0, %a : " H "\n"
     "  return %1 : " H "\n"},
    {"rows", 1, 1, 1,
     "(%a: " M D ") -> " M " {\n"
     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
     "  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>\n" ALONG_ROWS("%0", "%a", "%l",
                                                                              "maximum")
         BY_ROW("%1", "%0") "  %2 = stablehlo.subtract %a, %1 : " M "\n"
                            "  %3 = stablehlo.exponential %2 : " M
                            "\n" ALONG_ROWS("%4", "%3", "%z", "add")
                                BY_ROW("%5", "%4") "  %6 = stablehlo.divide %3, %5 : " M "\n"
                                                   "  return %6 : " M "\n"},
    {"long rows", 1, 2, 1,
     "(%a: tensor<3x40007xf32>" D ") -> (tensor<3xf32>, tensor<3x40007xf32>) {\n"
     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
     "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : "
     "(tensor<3x40007xf32>, tensor<f32>) -> tensor<3xf32>\n"
     "  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x40007xf32>\n"
     "  %2 = stablehlo.subtract %a, %1 : tensor<3x40007xf32>\n"
     "  return %0, %2 : tensor<3xf32>, tensor<3x40007xf32>\n"},
    {"columns", 2, 2, 1,
     "(%a: " M D ", %b: " C D ") -> (" C ", " M ") {\n"
     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
     "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (" M
     ", tensor<f32>) -> " C "\n"
     "  %1 = stablehlo.add %0, %b : " C
     "\n" BY_COLUMN("%2", "%1") "  %3 = stablehlo.multiply %a, %2 : " M "\n"
                                "  return %1, %3 : " C ", " M "\n"},
    {"a product and a loop on its blocks", 3, 1, 1,
     "(%a: " S ", %b: " S ", %c: " S D ") -> " S " {\n"
     "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (" S ", " S ") -> " S "\n"
     "  %1 = stablehlo.add %0, %c : " S "\n"
     "  %2 = stablehlo.tanh %1 : " S "\n"
     "  return %2 : " S "\n"},
    {"factors", 2, 2, 0,
     "(%a: " S D ", %b: " S D ") -> (" S ", " S ") {\n"
     "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (" S ", " S ") -> " S "\n"
     "  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : (" S ", " S ") -> " S "\n"
     "  return %0, %1 : " S ", " S "\n"},
    {"a loop", 2, 1, 1,
     "(%a: " M D ", %b: " M ") -> " M " {\n"
     "  %i = stablehlo.constant dense<0> : tensor<i32>\n"
     "  %r:2 = stablehlo.while(%x = %a, %k = %i) : " M ", tensor<i32>\n"
     "   cond {\n"
     "    %n = stablehlo.constant dense<3> : tensor<i32>\n"
     "    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
     "    stablehlo.return %c : tensor<i1>\n"
     "  } do {\n"
     "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
     "    %k1 = stablehlo.add %k, %one : tensor<i32>\n"
     "    %x1 = stablehlo.tanh %x : " M "\n"
     "    %x2 = stablehlo.subtract %x1, %b : " M "\n"
     "    stablehlo.return %x2, %k1 : " M ", tensor<i32>\n"
     "  }\n"
     "  return %r#0 : " M "\n"},
    {"a movement", 2, 1, 1,
     "(%a: " M D ", %b: tensor<5x771xf32>) -> " M " {\n"
     "  %i = stablehlo.constant dense<7> : tensor<i32>\n"
     "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
     "  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %z : (" M
     ", tensor<5x771xf32>, tensor<i32>, tensor<i32>) -> " M "\n"
     "  return %0 : " M "\n"},
};

enum { MOST = 4 };

static bool make(tsr_module *m, tsr_tensor **in, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok &= (in[i] = tsr_module_random_input(m, TSR_STR("main"), i, 7 + i, NULL)) != NULL;
    return ok;
}

static void release(tsr_tensor **t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_tensor_free(t[i]);
}

/* Runs it with all arguments given up, and compares. */
static bool is_same(tsr_module *m, tsr_executable *x, size_t k, tsr_tensor *const *want)
{
    tsr_tensor *in[MOST] = {0}, *out[MOST] = {0};
    const bool given[MOST] = {true, true, true, true};
    size_t n = programs[k].nin, nout = programs[k].nout, taken = 0;
    bool ok = make(m, in, n) && tsr_executable_run(x, in, n, out, nout,
                                                   &(tsr_execute_options){.given_up = given}, NULL);
    for (size_t i = 0; i < nout && ok; i++) {
        for (size_t j = 0; j < n; j++)
            taken += out[i] == in[j];
        ok =
            tsr_tensor_size(out[i]) == tsr_tensor_size(want[i]) &&
            memcmp(tsr_tensor_data(out[i]), tsr_tensor_data(want[i]), tsr_tensor_size(out[i])) == 0;
    }
    release(in, n);
    release(out, nout);
    return ok && taken >= programs[k].taken;
}

static void test_program(unit *u, tsr_ctx *ctx, size_t k)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "func.func @main%s}\n", programs[k].body);
    tsr_module *m = tsr_module_parse(ctx, (tsr_str){text.data, text.len}, TSR_STR("donated.mlir"));
    tsr_executable *x = m ? tsr_module_compile(m, TSR_STR("main"), NULL, NULL) : NULL;
    tsr_tensor *in[MOST] = {0}, *want[MOST] = {0};
    tsr_pool_limit(1);
    bool ok = x && make(m, in, programs[k].nin) &&
              tsr_executable_run(x, in, programs[k].nin, want, programs[k].nout, NULL, NULL);
    for (int threads = 1; threads <= 2 && ok; threads++) {
        tsr_pool_limit(threads);
        ok = is_same(m, x, k, want);
    }
    tsr_pool_limit(0);
    if (!ok)
        fprintf(stderr, "donated: %s\n", programs[k].name);
    CHECK(u, ok);
    release(in, programs[k].nin);
    release(want, programs[k].nout);
    tsr_executable_free(x);
    tsr_module_free(m);
    tsr_buf_free(&text);
}

void test_donated(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    for (size_t k = 0; k < TSR_COUNT(programs); k++)
        test_program(u, ctx, k);
    tsr_ctx_free(ctx);
}
