/* SPDX-License-Identifier: Apache-2.0 */
/* serialize.c - `stablehlo-translate --serialize` and `--deserialize`: writes and reads portable artifacts. */
#include "api/artifact.h"
#include "translate.h"

static bool strip(tsr_module *m)
{
    return tsr_module_run(m, TSR_STR("builtin.module(strip-debuginfo)")) ||
           tsr_error(m->ctx, m->op->loc, "failed to strip debuginfo");
}

bool serialize_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                     uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    tsr_module *m = tsr_load(ctx, chunk, src->file, line);
    bool ok = m && tsr_verify(m->op) && (!o->strip || strip(m)) &&
              tsr_artifact_write(out, m, tsr_cstr(o->target), o->allow_others);
    if (m)
        tsr_module_free(m);
    return ok;
}

static void show_version(tsr_buf *out, tsr_str data)
{
    tsr_vhlo_version v;
    if (tsr_artifact_version(data, &v))
        tsr_buf_printf(out, "// Reading portable artifact with StableHLO version: %u.%u.%u\n",
                       v.major, v.minor, v.patch);
    else
        tsr_buf_cstr(out, "// Failed parsing StableHLO version from portable artifact\n");
}

bool deserialize_chunk(const translate_options *o, tsr_ctx *ctx, const source *src, tsr_str chunk,
                       uint32_t line, tsr_buf *out, bool *environment)
{
    (void)environment;
    if (o->show_version)
        show_version(out, chunk);
    tsr_module *m = tsr_artifact_read(ctx, chunk, src->file, line, true);
    bool ok = m && (!o->strip || strip(m));
    if (ok) {
        tsr_print_options print = {.elide_larger = -1, .debug_info = o->debug_info};
        tsr_print_module(out, m, &print);
    }
    if (m)
        tsr_module_free(m);
    return ok;
}
