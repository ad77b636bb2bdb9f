/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c - evaluation through the C API: runs a module's main on random inputs, or on .npy files, and prints the results.
 *
 *     cc eval.c -ltessera && ./a.out model.mlir [in0.npy in1.npy ...] */
#include <stdio.h>
#include <stdlib.h>

#include <tessera/tessera.h>

static void print_diag(void *user, const tsr_diag *d)
{
    (void)user;
    fprintf(stderr, "%.*s:%u:%u: %.*s\n", (int)d->file.len, d->file.data, d->line, d->col,
            (int)d->message.len, d->message.data);
}

/* Input i from a file, or random; the caller owns it. */
static tsr_tensor *input(tsr_ctx *ctx, tsr_module *m, size_t i, const char *path,
                         tsr_status *status)
{
    if (!path)
        return tsr_module_random_input(m, tsr_cstr("main"), i, 0, status);
    return tsr_tensor_load(ctx, path,
                           tsr_type_element(tsr_module_input_type(m, tsr_cstr("main"), i)), status);
}

static bool run(tsr_ctx *ctx, tsr_module *m, char **files, size_t nfile)
{
    tsr_status status = {0};
    size_t nin, nout, i;
    if (!tsr_module_signature(m, tsr_cstr("main"), &nin, &nout)) {
        fprintf(stderr, "there is no main\n");
        return false;
    }
    tsr_tensor **in = calloc(nin + 1, sizeof *in), **out = calloc(nout + 1, sizeof *out);
    bool ok = in && out;
    for (i = 0; ok && i < nin; i++)
        ok = (in[i] = input(ctx, m, i, i < nfile ? files[i] : NULL, &status)) != NULL;
    ok = ok && tsr_module_eval(m, tsr_cstr("main"), in, nin, out, nout, &status);
    if (!ok)
        fprintf(stderr, "error: %s\n", status.message);
    for (i = 0; ok && i < nout; i++) {
        tsr_str text = tsr_tensor_text(out[i]);
        printf("%s\n", text.data);
        tsr_free((void *)text.data);
    }
    for (i = 0; out && i < nout; i++)
        tsr_tensor_free(out[i]);
    for (i = 0; in && i < nin; i++)
        tsr_tensor_free(in[i]);
    free(in);
    free(out);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s file.mlir [in0.npy ...]\n", argv[0]);
        return 2;
    }
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, print_diag, NULL);
    tsr_module *m = tsr_module_parse_file(ctx, argv[1]);
    bool ok = m && run(ctx, m, argv + 2, (size_t)argc - 2);
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
    return ok ? 0 : 1;
}
