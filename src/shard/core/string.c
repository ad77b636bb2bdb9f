/* SPDX-License-Identifier: Apache-2.0 */
/* string.c - see string.h. */
#include "shard/core/string.h"

#include "asm/reader.h"

tsr_attr *tsr_attr_of_string(tsr_op *at, tsr_str text)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_buf copy = {0};
    for (size_t i = 0; i < text.len; i++) /* jax.export writes \" for " */
        if (text.data[i] != '\\' || i + 1 == text.len || text.data[i + 1] != '"')
            tsr_buf_char(&copy, text.data[i]);
    size_t n = copy.len;
    tsr_buf_char(&copy, 0);
    bool quiet = ctx->quiet;
    uint32_t errors = ctx->nerror;
    const tsr_name *file = ctx->source_file;
    tsr_str source = ctx->source;
    uint32_t line = ctx->source_line;
    ctx->quiet = true;
    tsr_reader r;
    tsr_reader_init(&r, ctx, NULL, tsr_str_of(copy.data, n), TSR_STR("attribute"), 1);
    tsr_attr *attr = tsr_read_attr(&r, NULL);
    if (attr && !tsr_read_is(&r, TOK_EOF))
        attr = NULL;
    tsr_reader_free(&r);
    ctx->quiet = quiet;
    ctx->nerror = errors;
    ctx->source_file = file;
    ctx->source = source;
    ctx->source_line = line;
    tsr_buf_free(&copy);
    return attr;
}
