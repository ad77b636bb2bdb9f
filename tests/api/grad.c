/* SPDX-License-Identifier: Apache-2.0 */
/* grad.c - differentiation through the public API. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

static const char text[] =
    "func.func @f(%a: tensor<2xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {\n"
    "  %0 = stablehlo.sine %a : tensor<2xf64>\n"
    "  %1 = stablehlo.multiply %0, %b : tensor<2xf64>\n"
    "  return %1 : tensor<2xf64>\n"
    "}\n"
    "func.func @hard(%a: tensor<2xf64>) -> tensor<2xf64> {\n"
    "  %0 = stablehlo.custom_call @nobody(%a) : (tensor<2xf64>) -> tensor<2xf64>\n"
    "  return %0 : tensor<2xf64>\n"
    "}\n";

static void keep(void *user, const tsr_diag *d)
{
    char *message = user;
    snprintf(message, 256, "%.*s", (int)d->message.len, d->message.data);
}

int main(void)
{
    char message[256] = "";
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, keep, message);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("f.mlir"));
    tsr_str f = tsr_cstr("f");
    size_t second = 1, nin, nout;
    CHECK(m != NULL);
    CHECK(tsr_module_differentiate(
        m, f, &(tsr_grad_options){.wrt = &second, .nwrt = 1, .with_results = true}));
    CHECK(tsr_module_signature(m, tsr_cstr("f_grad"), &nin, &nout) && nin == 3 && nout == 2);
    CHECK(tsr_module_differentiate(m, f, &(tsr_grad_options){.forward = true}));
    CHECK(tsr_module_signature(m, tsr_cstr("f_jvp"), &nin, &nout) && nin == 4 && nout == 2);

    int64_t dims[] = {2};
    double a[] = {0.5, 1}, b[] = {2, 3}, c[] = {1, 10};
    tsr_tensor *in[] = {tsr_tensor_create(ctx, tsr_cstr("f64"), dims, 1, a, NULL),
                        tsr_tensor_create(ctx, tsr_cstr("f64"), dims, 1, b, NULL),
                        tsr_tensor_create(ctx, tsr_cstr("f64"), dims, 1, c, NULL)};
    tsr_tensor *out[2] = {NULL, NULL};
    CHECK(tsr_module_eval(m, tsr_cstr("f_grad"), in, 3, out, 2, NULL));
    CHECK(out[0] && fabs(tsr_tensor_get(out[0], 1) - 3 * sin(1)) < 1e-12);
    CHECK(out[1] && fabs(tsr_tensor_get(out[1], 1) - 10 * sin(1)) < 1e-12);
    CHECK(tsr_module_simplify(m) && tsr_module_fuse(m));
    tsr_str printed = tsr_module_print(m, NULL);
    CHECK(printed.data && strstr(printed.data, "tessera.fused \"elementwise\"") != NULL);
    tsr_free((void *)printed.data);
    for (int i = 0; i < 3; i++)
        tsr_tensor_free(in[i]);
    tsr_tensor_free(out[0]);
    tsr_tensor_free(out[1]);

    /* What goes wrong. */
    CHECK(!tsr_module_differentiate(m, f, NULL) &&
          strstr(message, "there is a symbol 'f_grad' already"));
    CHECK(!tsr_module_differentiate(m, tsr_cstr("hard"), NULL) &&
          strstr(message, "target 'nobody' has no rule"));
    CHECK(!tsr_module_differentiate(m, tsr_cstr("none"), NULL) &&
          strstr(message, "no function 'none'"));
    second = 9;
    CHECK(!tsr_module_differentiate(m, tsr_cstr("hard"),
                                    &(tsr_grad_options){.wrt = &second, .nwrt = 1}) &&
          strstr(message, "there is no argument '9'"));
    CHECK(tsr_module_verify(m));
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
