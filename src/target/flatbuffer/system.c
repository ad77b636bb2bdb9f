/* SPDX-License-Identifier: Apache-2.0 */
/* system.c - #ttcore.system_desc to and from description files. */
#include "target/flatbuffer/system.h"

#include "dialect/ttcore/ttcore.h"

tsr_fb_table *tsr_fb_load_file(tsr_ctx *ctx, tsr_arena *arena, tsr_loc loc, const tsr_fb_file *file,
                               tsr_str data, tsr_str name)
{
    tsr_fb_error error = {.at = 0};
    tsr_fb_table *root = tsr_fb_read(arena, file, data, &error);
    if (!root) {
        tsr_error(ctx, loc, "%.*s%sbyte %zu: %s", TSR_STR_ARG(name), name.len ? ": " : "", error.at,
                  error.what);
        return NULL;
    }
    tsr_str hash = tsr_fb_text(root, "schema_hash");
    if (!tsr_str_is(hash, file->hash))
        tsr_emit(ctx, TSR_WARNING, loc, "%.*s%swritten with another revision of the schema (%.*s)",
                 TSR_STR_ARG(name), name.len ? ": " : "", (int)(hash.len < 12 ? hash.len : 12),
                 hash.data);
    return root;
}

bool tsr_fb_write_system(tsr_ctx *ctx, tsr_buf *out, tsr_attr *system)
{
    const tsr_fb_file *file = &tsr_fb_files[TSR_FB_TTSY];
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_fb_conv c = {.ctx = ctx, .arena = &arena};
    tsr_fb_table *root = tsr_fb_table_new(&arena, file->root), *desc = NULL;
    bool ok = tsr_fb_of_struct(&c, system, &desc);
    if (ok) {
        tsr_fb_stamp(file, root);
        tsr_fb_set_text(root, "product_identifier", TSR_STR("tessera"));
        tsr_fb_set_sub(root, "system_desc", desc);
        ok = tsr_fb_write(out, file, root, 0); /* a system is small */
    }
    tsr_arena_free(&arena);
    return ok;
}

tsr_attr *tsr_fb_system_attr(tsr_fb_conv *c, const tsr_fb_table *t)
{
    tsr_attr *params[TTCORE_SYSTEM_DESC_channels + 1];
    tsr_attr *a = tsr_fb_struct_attr(c, &tsr_def_TTCORE_SYSTEM_DESC, t);
    if (!a)
        return NULL;
    memcpy(params, a->attrs, sizeof params);
    for (size_t i = 0; i < TTCORE_SYSTEM_DESC_channels; i++)
        if (!params[i])
            params[i] = i == TTCORE_SYSTEM_DESC_indices ? tsr_attr_i64_array(c->ctx, NULL, 0)
                                                        : tsr_attr_array(c->ctx, NULL, 0);
    if (params[TTCORE_SYSTEM_DESC_channels] && !params[TTCORE_SYSTEM_DESC_channels]->n)
        params[TTCORE_SYSTEM_DESC_channels] = NULL;
    for (uint32_t i = 0; i < params[TTCORE_SYSTEM_DESC_chips]->n; i++)
        for (uint32_t k = 0; k < TTCORE_CHIP_DESC_dram_grid; k++)
            if (!params[TTCORE_SYSTEM_DESC_chips]->attrs[i]->attrs[k]) {
                tsr_error(c->ctx, c->loc, "chip %u of the system description is not complete", i);
                return NULL;
            }
    for (uint32_t i = 0; i < params[TTCORE_SYSTEM_DESC_cpus]->n; i++)
        if (!params[TTCORE_SYSTEM_DESC_cpus]->attrs[i]->attrs[1]) {
            tsr_error(c->ctx, c->loc, "host %u of the system description has no target_triple", i);
            return NULL;
        }
    a = tsr_attr_struct(c->ctx, &tsr_def_TTCORE_SYSTEM_DESC, params);
    return tsr_fb_sound(c, a) ? a : NULL;
}

tsr_attr *tsr_fb_read_system(tsr_ctx *ctx, tsr_loc loc, tsr_str data, tsr_str name)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_fb_conv c = {.ctx = ctx, .arena = &arena, .loc = loc};
    tsr_fb_table *root = tsr_fb_load_file(ctx, &arena, loc, &tsr_fb_files[TSR_FB_TTSY], data, name);
    tsr_fb_table *desc = root ? tsr_fb_sub(root, "system_desc") : NULL;
    tsr_attr *a = desc ? tsr_fb_system_attr(&c, desc) : NULL;
    if (root && !desc)
        tsr_error(ctx, loc, "%.*s describes no system", TSR_STR_ARG(name));
    tsr_map_free(&c.sound);
    tsr_arena_free(&arena);
    return a;
}
