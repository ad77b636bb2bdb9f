/* SPDX-License-Identifier: Apache-2.0 */
/* artifact.c - portable artifacts, written and read: conversion to VHLO or from it, and
 * bytecode. */
#include "api/artifact.h"

#include "api/api.h"
#include "api/guard.h"
#include "lower/vhlo/vhlo.h"
#include "text/bytecode/bytecode.h"

/* The prefix of the version in the producer string of an artifact. */
#define PRODUCER "StableHLO_v"

static void put_version(tsr_buf *out, tsr_vhlo_version v)
{
    tsr_buf_printf(out, "%u.%u.%u", v.major, v.minor, v.patch);
}

bool tsr_write_bytecode(tsr_buf *out, tsr_op *root, int64_t version)
{
    tsr_buf producer = {0};
    int mine = tsr_version();
    tsr_buf_printf(&producer, "Tessera%d.%d.%d", mine / 10000, mine / 100 % 100, mine % 100);
    uint32_t v = version < 0            ? TSR_BC_VERSION
                 : version > UINT32_MAX ? UINT32_MAX
                                        : (uint32_t)version;
    tsr_bytecode_options options = {.version = v, .producer = tsr_buf_text(&producer)};
    bool ok = tsr_bytecode_write(out, root, &options);
    tsr_buf_free(&producer);
    return ok;
}

bool tsr_artifact_write(tsr_buf *out, tsr_module *m, tsr_str target, bool allow_others)
{
    tsr_vhlo_version v;
    TSR_TRY(tsr_vhlo_check_target(m->ctx, m->op->loc, target, &v));
    TSR_TRY(tsr_module_to_vhlo(m, v, allow_others));
    tsr_buf producer = {0};
    tsr_buf_cstr(&producer, PRODUCER);
    put_version(&producer, v);
    tsr_bytecode_options options = {.version = (uint32_t)tsr_vhlo_bytecode_version(v),
                                    .producer = tsr_buf_text(&producer),
                                    .reader = {v.major, v.minor, v.patch}};
    bool ok = tsr_bytecode_write(out, m->op, &options);
    tsr_buf_free(&producer);
    return ok;
}

tsr_module *tsr_artifact_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line,
                              bool kept)
{
    tsr_module *m =
        kept ? tsr_load_kept(ctx, data, filename, line) : tsr_load(ctx, data, filename, line);
    if (!m || !tsr_verify(m->op)) {
        tsr_buf version = {0};
        put_version(&version, TSR_VHLO_CURRENT);
        tsr_error(ctx, TSR_LOC_UNKNOWN,
                  "failed to deserialize portable artifact using " PRODUCER "%.*s",
                  TSR_STR_ARG(tsr_buf_text(&version)));
        tsr_buf_free(&version);
    } else if (!tsr_module_has_vhlo(m) || (tsr_module_from_vhlo(m) && tsr_verify(m->op))) {
        return m;
    }
    if (m)
        tsr_module_free(m);
    return NULL;
}

/* ---- The public functions ---- */

static tsr_str give(tsr_buf *out, bool ok)
{
    if (ok)
        return (tsr_str){out->data, out->len};
    tsr_buf_free(out);
    return (tsr_str){NULL, 0};
}

tsr_str tsr_module_bytecode(tsr_module *m, int version)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_str data = give(&out, tsr_write_bytecode(&out, m->op, version));
    tsr_guard_close(&g);
    return data;
}

tsr_str tsr_module_serialize(tsr_module *m, tsr_str target, bool allow_others)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_module *copy = tsr_module_copy(m);
    bool ok = tsr_artifact_write(&out, copy, target, allow_others);
    tsr_module_free(copy);
    tsr_str data = give(&out, ok);
    tsr_guard_close(&g);
    return data;
}

tsr_module *tsr_module_deserialize(tsr_ctx *ctx, tsr_str data, tsr_str filename)
{
    TSR_GUARD_CTX(g, ctx, NULL, NULL)
    tsr_module *m = tsr_artifact_read(ctx, data, filename, 1, false);
    tsr_guard_close(&g);
    return m;
}

bool tsr_artifact_version(tsr_str data, tsr_vhlo_version *out)
{
    const char *end = tsr_is_bytecode(data) ? memchr(data.data, 0, data.len) : NULL;
    size_t n = strlen(PRODUCER);
    for (const char *p = data.data; end && p + n <= end; p++)
        if (memcmp(p, PRODUCER, n) == 0)
            return tsr_vhlo_version_parse(tsr_str_of(p + n, (size_t)(end - p) - n), out);
    return false;
}
