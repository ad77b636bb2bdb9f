/* flatbuffer.c - `ttmlir-translate --ttnn-to-flatbuffer`, and back. */
#include "eval/file/npy.h"
#include "target/flatbuffer/program.h"
#include "translate.h"

typedef TSR_VEC(tsr_fb_golden) golden_vec;

/* --golden=KEY=FILE, into the list. */
static bool load_goldens(const translate_options *o, tsr_ctx *ctx, golden_vec *out)
{
    for (size_t i = 0; i < o->goldens.n; i++) {
        const char *text = o->goldens.data[i], *file = strrchr(text, '=');
        tsr_status status = {0};
        tsr_tensor *t = file ? tsr_npy_load(ctx, file + 1, NULL, TSR_NPY_AS_IS, &status) : NULL;
        if (!t)
            return tsr_error(ctx, TSR_LOC_UNKNOWN, "--golden=%s: %s", text,
                             file ? status.message
                                  : "a location and a file are wanted: loc(\"x\")=x.npy");
        tsr_vec_push(out, (tsr_fb_golden){{text, (size_t)(file - text)}, t});
    }
    return true;
}

bool to_flatbuffer_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                         uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    golden_vec goldens = {0};
    tsr_module *m = tsr_load(ctx, chunk, src->file, line);
    bool ok = m && tsr_verify(m->op) && load_goldens(o, ctx, &goldens) &&
              tsr_fb_write_module(m, goldens.data, goldens.n, out);
    for (size_t i = 0; i < goldens.n; i++)
        tsr_tensor_unref((tsr_tensor *)(uintptr_t)goldens.data[i].value);
    tsr_vec_free(&goldens);
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
