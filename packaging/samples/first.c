/* SPDX-License-Identifier: Apache-2.0 */
/* first.c - reads a program, compiles it, runs it on the caller's memory. */
#include <stdio.h>
#include <tessera/tessera.h>

static const char text[] = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                           "  %0 = stablehlo.add %x, %x : tensor<3xf32>\n"
                           "  return %0 : tensor<3xf32>\n"
                           "}\n";

int main(void)
{
    tsr_status status = {TSR_OK, ""};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("first.mlir"));
    tsr_executable *program = tsr_module_compile(m, tsr_cstr("main"), NULL, &status);
    float in[] = {1, 2, 3}, out[3] = {0};
    tsr_input_buffer x = {in, sizeof in};
    tsr_output_buffer y = {out, sizeof out};
    bool ok = tsr_executable_run_buffers(program, &x, 1, &y, 1, NULL, &status);
    if (ok)
        printf("%g %g %g\n", out[0], out[1], out[2]);
    else
        fprintf(stderr, "%s\n", status.message);
    tsr_executable_free(program);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return !ok;
}
