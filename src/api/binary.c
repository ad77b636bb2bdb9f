/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - tt-mlir's binaries and system descriptions, in the public API. */
#include "api/api.h"
#include "api/guard.h"
#include "lower/ttnn/device.h"
#include "target/flatbuffer/program.h"

static tsr_str give(tsr_buf *out, bool ok)
{
    if (ok)
        return (tsr_str){out->data, out->len};
    tsr_buf_free(out);
    return TSR_NO_TEXT;
}

static const tsr_fb_file *kind_of(tsr_str target)
{
    return tsr_str_is(target, "ttnn")      ? &tsr_fb_files[TSR_FB_TTNN]
           : tsr_str_is(target, "ttmetal") ? &tsr_fb_files[TSR_FB_TTM]
                                           : NULL;
}

tsr_str tsr_module_binary_for(tsr_module *m, tsr_str target)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    const tsr_fb_file *kind = kind_of(target);
    if (!kind)
        TSR_REFUSE(&g, "there is no binary for '%.*s': ttnn, ttmetal", TSR_STR_ARG(target));
    tsr_str data = give(&out, kind && tsr_fb_write_module(m, kind, NULL, &out));
    tsr_guard_close(&g);
    return data;
}

tsr_str tsr_module_binary(tsr_module *m)
{
    return tsr_module_binary_for(m, TSR_STR("ttnn"));
}

tsr_module *tsr_module_of_binary(tsr_ctx *ctx, tsr_str data, tsr_str filename)
{
    TSR_GUARD_CTX(g, ctx, NULL, NULL)
    tsr_module *m = tsr_fb_read_module(ctx, data, filename);
    if (m && !tsr_verify(m->op)) {
        tsr_module_free(m);
        m = NULL;
    }
    tsr_guard_close(&g);
    return m;
}

static tsr_str json_of(tsr_ctx *ctx, tsr_str data, tsr_str filename)
{
    tsr_arena arena;
    tsr_buf out = {0};
    tsr_loc loc = tsr_loc_file(ctx, tsr_name_get(ctx, filename), 0, 0);
    const tsr_fb_file *kind = tsr_fb_file_of(data);
    tsr_fb_table *root = NULL;
    tsr_arena_init(&arena);
    if (kind)
        root = tsr_fb_load_file(ctx, &arena, loc, kind, data, filename);
    else
        tsr_error(ctx, loc, TSR_FB_NO_FILE);
    if (root)
        tsr_fb_json(&out, root, 0);
    tsr_str text = give(&out, root != NULL);
    tsr_arena_free(&arena);
    return text;
}

tsr_str tsr_binary_json(tsr_ctx *ctx, tsr_str data, tsr_str filename)
{
    TSR_GUARD_CTX(g, ctx, NULL, TSR_NO_TEXT)
    tsr_str text = json_of(ctx, data, filename);
    tsr_guard_close(&g);
    return text;
}

tsr_str tsr_describe_system(tsr_ctx *ctx, tsr_str arch, size_t chips)
{
    TSR_GUARD_CTX(g, ctx, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_attr *system =
        chips && chips <= 4096 ? tsr_ttcore_describe(ctx, arch, (int64_t)chips) : NULL;
    if (!system)
        TSR_REFUSE(&g, "no system of %zu chips of '%.*s' is described", chips, TSR_STR_ARG(arch));
    tsr_str data = give(&out, system && tsr_fb_write_system(ctx, &out, system));
    tsr_guard_close(&g);
    return data;
}
