/* SPDX-License-Identifier: Apache-2.0 */
/* emit.c - `ttmlir-translate --mlir-to-cpp` and `--mlir-to-python`. */
#include "target/emit/emit.h"
#include "translate.h"

typedef bool emit_fn(const tsr_module *m, tsr_str file, tsr_buf *out);

static bool emit(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                 uint32_t line, tsr_buf *out, emit_fn *fn)
{
    tsr_module *m = tsr_load(ctx, chunk, src->file, line);
    bool ok = m && tsr_verify(m->op) && fn(m, tsr_cstr(o->file_id ? o->file_id : ""), out);
    if (m)
        tsr_module_free(m);
    return ok;
}

bool to_cpp_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                  uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    return emit(o, ctx, src, chunk, line, out, tsr_emit_cpp);
}

bool to_python_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                     uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    return emit(o, ctx, src, chunk, line, out, tsr_emit_python);
}
