/* SPDX-License-Identifier: Apache-2.0 */
/* flatbuffer.c - `ttmlir-translate --ttnn-to-flatbuffer` and `--ttmetal-to-flatbuffer`, and back. */
#include "goldens.h"
#include "translate.h"

typedef TSR_VEC(tsr_fb_stage) stage_vec;
typedef TSR_VEC(tsr_file) file_vec;

/* --stage=NAME=FILE: the text of the module at a stage of its lowering. */
static bool load_stages(const translate_options *o, tsr_ctx *ctx, stage_vec *out, file_vec *files)
{
    for (size_t i = 0; i < o->stages.n; i++) {
        const char *text = o->stages.data[i], *path = strchr(text, '='), *error = NULL;
        tsr_file f;
        if (!path)
            return tsr_error(ctx, TSR_LOC_UNKNOWN,
                             "--stage=%s: a name and a file are wanted: ttir=model.mlir", text);
        if (!tsr_file_open(path + 1, &f, &error))
            return tsr_error(ctx, TSR_LOC_UNKNOWN, "--stage=%s: %s", text, error);
        tsr_vec_push(files, f);
        tsr_vec_push(out, (tsr_fb_stage){{text, (size_t)(path - text)}, f.data});
    }
    return true;
}

static bool load_goldens(const translate_options *o, tsr_ctx *ctx, goldens *out, bool *environment)
{
    for (size_t i = 0; i < o->goldens.n; i++)
        TSR_TRY(goldens_load(ctx, o->goldens.data[i], out));
    return !o->goldens_from || goldens_of_program(ctx, o->goldens_from, o->seed, out, environment);
}

static bool to_binary(int kind, const translate_options *o, tsr_ctx *ctx, const source *src,
                      tsr_str chunk, uint32_t line, tsr_buf *out, bool *environment)
{
    goldens all = {.list = {0}};
    stage_vec stages = {0};
    file_vec files = {0};
    tsr_module *m = tsr_load(ctx, chunk, src->file, line);
    bool ok = m && tsr_verify(m->op) && load_goldens(o, ctx, &all, environment) &&
              load_stages(o, ctx, &stages, &files);
    if (ok) {
        tsr_fb_extra extra = {all.list.data, all.list.n, stages.data, stages.n, o->local_scope};
        ok = tsr_fb_write_module(m, &tsr_fb_files[kind], &extra, out);
    }
    goldens_free(&all);
    for (size_t i = 0; i < files.n; i++)
        tsr_file_close(&files.data[i]);
    tsr_vec_free(&files);
    tsr_vec_free(&stages);
    if (m)
        tsr_module_free(m);
    return ok;
}

static bool from_binary(int kind, const translate_options *o, tsr_ctx *ctx, const source *src,
                        tsr_str chunk, tsr_buf *out)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_loc loc = tsr_loc_file(ctx, tsr_name_get(ctx, src->file), 0, 0);
    tsr_fb_table *root =
        tsr_fb_load_file(ctx, &arena, loc, &tsr_fb_files[kind], chunk, (tsr_str){"", 0});
    tsr_module *m = root ? tsr_fb_module_of(ctx, root, src->file) : NULL;
    tsr_arena_free(&arena);
    bool ok = m && tsr_verify(m->op);
    if (ok) {
        tsr_print_options print = {
            .elide_larger = -1, .debug_info = o->debug_info, .local_scope = o->local_scope};
        tsr_print_module(out, m, &print);
    }
    if (m)
        tsr_module_free(m);
    return ok;
}

bool to_flatbuffer_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                         uint32_t line, tsr_buf *out, bool *environment)
{
    return to_binary(TSR_FB_TTNN, o, ctx, src, chunk, line, out, environment);
}

bool to_ttmetal_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                      uint32_t line, tsr_buf *out, bool *environment)
{
    return to_binary(TSR_FB_TTM, o, ctx, src, chunk, line, out, environment);
}

bool from_flatbuffer_chunk(const translate_options *o, tsr_ctx *ctx, const source *src,
                           tsr_str chunk, uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    (void)line;
    return from_binary(TSR_FB_TTNN, o, ctx, src, chunk, out);
}

bool from_ttmetal_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                        uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    (void)line;
    return from_binary(TSR_FB_TTM, o, ctx, src, chunk, out);
}
