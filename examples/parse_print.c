/* SPDX-License-Identifier: Apache-2.0 */
/* parse_print.c - the C API in one page: reads a module, counts its ops, runs a pipeline, prints the result.
 *
 *     cc parse_print.c -ltessera && ./a.out model.mlir 'builtin.module(canonicalize,cse)' */
#include <stdio.h>

#include <tessera/tessera.h>

/* Diagnostics come here; the library itself prints nothing. */
static void print_diag(void *user, const tsr_diag *d)
{
    static const char *const kinds[] = {"error", "warning", "note", "remark"};
    (void)user;
    fprintf(stderr, "%.*s:%u:%u: %s: %.*s\n", (int)d->file.len, d->file.data, d->line, d->col,
            kinds[d->severity], (int)d->message.len, d->message.data);
    if (d->source.len)
        fprintf(stderr, "%.*s\n%*s^\n", (int)d->source.len, d->source.data, (int)d->col - 1, "");
}

static bool count_op(void *user, tsr_op *op)
{
    (void)op;
    ++*(size_t *)user;
    return true; /* go on */
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s file.mlir [pipeline]\n", argv[0]);
        return 2;
    }
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, print_diag, NULL);
    tsr_ctx_allow_unregistered(ctx, true);

    tsr_module *m = tsr_module_parse_file(ctx, argv[1]);
    bool ok = m != NULL;
    if (ok && argc > 2)
        ok = tsr_module_run(m, tsr_cstr(argv[2]));
    if (ok) {
        size_t n = 0;
        tsr_op_walk(tsr_module_op(m), count_op, &n);
        tsr_op *entry = tsr_module_lookup(m, tsr_cstr("main"));
        fprintf(stderr, "%zu ops; main is %s\n", n, entry ? "there" : "not there");

        tsr_str text = tsr_module_print(m, NULL);
        fwrite(text.data, 1, text.len, stdout);
        tsr_free((void *)text.data);
    }
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
    return ok ? 0 : 1;
}
