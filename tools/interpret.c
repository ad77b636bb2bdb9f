/* SPDX-License-Identifier: Apache-2.0 */
/* interpret.c - `stablehlo-translate --interpret`: runs each chunk's entry function and prints its results. */
#include "translate.h"

#include <stdlib.h>

#include "api/eval.h"
#include "eval/file/literal.h"
#include "eval/file/print.h"

typedef TSR_VEC(tsr_tensor *) tensor_vec;

/* The program's prints go to stdout; if results go there too, through the same buffer, to keep their order. */
static void print_text(void *user, tsr_str text)
{
    if (user) {
        tsr_buf_str(user, text);
    } else {
        working_hide();
        fwrite(text.data, 1, text.len, stdout);
    }
}

/* --args=[dense<1> : tensor<2xi32>, ...] */
static bool read_args(tsr_ctx *ctx, const char *text, tensor_vec *in)
{
    static const char usage[] = "i.e. --args=[dense<1> : tensor<2xi32>, ...]";
    if (!text || !*text)
        return true;
    const tsr_attr *list = tsr_attr_parse(ctx, tsr_cstr(text));
    if (!tsr_attr_is(list, TSR_ATTR_ARRAY)) /* the original's spelling, which its test expects */
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "expectected array attribute string for args, %s",
                         usage);
    for (uint32_t i = 0; i < list->n; i++) {
        const tsr_attr *a = list->attrs[i];
        tsr_tensor *t = tsr_attr_is(a, TSR_ATTR_DENSE) && tsr_type_is(a->type, TSR_TYPE_TENSOR)
                            ? tsr_tensor_of_attr(a, a->type)
                            : NULL;
        if (!t)
            return tsr_error(ctx, TSR_LOC_UNKNOWN,
                             "expected dense elements attribute for args elements, %s", usage);
        tsr_vec_push(in, t);
    }
    return true;
}

static bool has_function(const tsr_module *m)
{
    const tsr_block *body = m->op->nregion ? m->op->regions[0].first : NULL;
    if (body)
        TSR_BLOCK_OPS (body, op)
            if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
                return true;
    return false;
}

static bool run_module(const translate_options *o, tsr_module *m, const tensor_vec *in,
                       tsr_buf *text, bool *environment)
{
    tsr_status s = {0};
    if (!has_function(m))
        return true; /* nothing to run is not an error */
    const tsr_op *func = tsr_entry_find(m, TSR_STR("main"), &s);
    const tsr_type *type = func ? tsr_entry_type(func) : NULL;
    if (!type)
        return tsr_error(m->ctx, m->op->loc, "module must have entry func with name main");
    tsr_tensor **out = tsr_xmalloc((type->nout + 1) * sizeof *out);
    tsr_entry_options options = {.run = {.zero_division = TSR_ZERO_IGNORE,
                                         .engine = TSR_ENGINE_REFERENCE}, /* as in the original */
                                 .user = strcmp(o->file.output, "-") == 0 ? text : NULL,
                                 .print = print_text,
                                 .probe_dir = o->probe_dir};
    uint32_t nerror = m->ctx->nerror;
    bool ok = tsr_entry_run(m, func, in->data, in->n, out, type->nout, &options, &s);
    if (!ok && m->ctx->nerror == nerror)
        tsr_error(m->ctx, func->loc, "%s", s.message);
    *environment |= s.code == TSR_ENVIRONMENT;
    for (uint32_t i = 0; ok && i < type->nout; i++) {
        if (o->dense)
            tsr_tensor_dense_text(m->ctx, text, out[i]);
        else
            tsr_tensor_print(text, out[i]);
        tsr_buf_char(text, '\n');
        tsr_tensor_unref(out[i]);
    }
    tsr_free(out);
    return ok;
}

bool interpret_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                     uint32_t line, tsr_buf *text, bool *environment)
{
    tensor_vec in = {0};
    tsr_module *m = tsr_load_program(ctx, chunk, src->file, line, true);
    bool ok = m && tsr_verify(m->op) && read_args(ctx, o->args, &in) &&
              run_module(o, m, &in, text, environment);
    for (size_t i = 0; i < in.n; i++)
        tsr_tensor_unref(in.data[i]);
    tsr_vec_free(&in);
    if (m)
        tsr_module_free(m);
    return ok;
}
