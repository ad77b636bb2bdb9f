/* flatbuffer.c - `ttmlir-translate --ttnn-to-flatbuffer`, and back. */
#include "target/flatbuffer/program.h"
#include "translate.h"

bool to_flatbuffer_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                         uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    (void)o;
    tsr_module *m = tsr_load(ctx, chunk, src->file, line);
    bool ok = m && tsr_verify(m->op) && tsr_fb_write_module(m, out);
    if (m)
        tsr_module_free(m);
    return ok;
}

bool from_flatbuffer_chunk(const translate_options *o, tsr_ctx *ctx, const source *src,
                           tsr_str chunk, uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    (void)line;
    tsr_module *m = tsr_fb_read_module(ctx, chunk, src->file);
    bool ok = m && tsr_verify(m->op);
    if (ok) {
        tsr_print_options print = {.elide_larger = -1, .debug_info = o->debug_info};
        tsr_print_module(out, m, &print);
    }
    if (m)
        tsr_module_free(m);
    return ok;
}
