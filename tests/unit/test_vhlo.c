/* SPDX-License-Identifier: Apache-2.0 */
/* test_vhlo.c - what must hold of every row of VHLO: versions ascend, StableHLO's slots are all
 * there, values that stand for missing attributes can be read, and attributes and types have a
 * code in bytecode. */
#include "unit.h"

#include "dialect/vhlo/vhlo.h"
#include "lower/vhlo/convert.h"
#include "text/bytecode/bytecode.h"

static void versions(unit *u)
{
    tsr_vhlo_version v;
    CHECK(u, tsr_vhlo_version_parse(TSR_STR("1.20.3"), &v) && v.major == 1 && v.minor == 20 &&
                 v.patch == 3);
    CHECK(u, tsr_vhlo_version_parse(TSR_STR("current"), &v) &&
                 tsr_vhlo_version_compare(v, TSR_VHLO_CURRENT) == 0);
    CHECK(u, tsr_vhlo_version_parse(TSR_STR("minimum"), &v) &&
                 tsr_vhlo_version_compare(v, TSR_VHLO_CURRENT) < 0);
    CHECK(u, !tsr_vhlo_version_parse(TSR_STR("1.2"), &v) &&
                 !tsr_vhlo_version_parse(TSR_STR("1.2.3 "), &v));
    CHECK(u,
          !tsr_vhlo_version_parse(TSR_STR(""), &v) && !tsr_vhlo_version_parse(TSR_STR("1..3"), &v));
    CHECK(u, !tsr_vhlo_version_parse(TSR_STR("1.2.4294967296"), &v));
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 8, 9}) == -1);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 9, 1}) == 0);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 11, 0}) == 1);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 13, 9}) == 3);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 14, 0}) == 4);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){0, 15, 0}) == 6);
    CHECK(u, tsr_vhlo_bytecode_version(TSR_VHLO_CURRENT) == 6);
    CHECK(u, tsr_vhlo_bytecode_version((tsr_vhlo_version){2, 0, 0}) == -1);
}

/* The newest row of a StableHLO op has all that it has; slots of the two belong together one to one. An op without a
 * row has no portable form: conversion rejects it. */
static void pairs(unit *u, tsr_module *m, tsr_vhlo_conv *c)
{
    for (int i = 0; i < TSR_OP__COUNT; i++) {
        const tsr_opdef *def = tsr_opdef_of(m->ctx, (enum tsr_opcode)i);
        if (!tsr_str_starts(def->name, "stablehlo."))
            continue;
        const tsr_vhlo_row *row = tsr_vhlo_row_of(c, &(tsr_op){.def = def});
        if (!row)
            continue;
        bool all = true;
        uint64_t seen = 0;
        for (size_t s = 0; all && s < def->nslot; s++) {
            all = row->parts[s].how != TSR_VHLO_EXTRA;
            for (size_t k = 0; all && k < row->parts[s].n; k++)
                if (row->parts[s].slots[k] >= 0)
                    seen |= (uint64_t)1 << row->parts[s].slots[k];
        }
        CHECK(u, all && seen == ((uint64_t)1 << row->vhlo->nslot) - 1);
        if (!all)
            fprintf(stderr, "%.*s\n", TSR_STR_ARG(def->name));
    }
}

/* What may be missing in StableHLO's op has something that stands for it, which is taken for
 * missing on the way back. */
static void absent(unit *u, tsr_vhlo_conv *c, const tsr_opdef *def)
{
    const tsr_vhlo_row *row = tsr_vhlo_row_plain(c, def);
    for (size_t i = 0; i < def->nslot; i++) {
        tsr_attr *attrs[64] = {0};
        if (row->missing[i].kind != TSR_VHLO_VALUE)
            continue;
        for (size_t k = 0; k < def->nslot; k++)
            attrs[k] = row->missing[k].value;
        CHECK(u, attrs[i] && tsr_vhlo_is_missing(row, attrs, i));
    }
}

static void rows(unit *u, tsr_module *m, tsr_vhlo_conv *c)
{
    int n = 0, named = 0;
    for (int i = 0; i < TSR_OP__COUNT; i++) {
        const tsr_opdef *def = tsr_opdef_of(m->ctx, (enum tsr_opcode)i), *next;
        named += tsr_str_starts(def->name, "vhlo.");
        if (!tsr_opdef_is_vhlo(def))
            continue;
        n++;
        next = tsr_vhlo_neighbour(m->ctx, def, 1);
        CHECK(u, tsr_vhlo_version_compare(tsr_vhlo_op_since(def), TSR_VHLO_CURRENT) <= 0);
        CHECK(u, !next ||
                     tsr_vhlo_version_compare(tsr_vhlo_op_since(def), tsr_vhlo_op_since(next)) < 0);
        CHECK(u, !next ||
                     def->name.data[def->name.len - 1] + 1 == next->name.data[next->name.len - 1]);
        CHECK(u, next || tsr_vhlo_newest(m->ctx, tsr_vhlo_base_name(def)) == def);
        absent(u, c, def);
    }
    CHECK(u, n > 0 && n == named);
}

static void codes(unit *u, tsr_ctx *ctx)
{
    tsr_bc b = {.ctx = ctx, .mode = TSR_BC_WRITE};
    static const tsr_attrdef *const attrs[] = {
#define STRUCT(id, name, nparam, flags) &tsr_def_##id,
#define ENUM(id, name, flags, ...) &tsr_def_##id,
#include "dialect/attrs.def"
    };
    static const tsr_attrdef *const types[] = {
#define TYPE(id, name, nparam) &tsr_def_##id,
#define PLAIN_TYPE(id, name) &tsr_def_##id,
#include "dialect/attrs.def"
    };
    tsr_attr *none[8] = {0};
    for (size_t i = 0; i < TSR_COUNT(attrs); i++)
        if (strncmp(attrs[i]->name, "vhlo.", 5) == 0)
            CHECK(u, tsr_bc_vhlo.attr_code(
                         &b, &(tsr_attr){.kind = TSR_ATTR_STRUCT, .def = attrs[i]}) > 0);
    for (size_t i = 0; i < TSR_COUNT(types); i++)
        if (strncmp(types[i]->name, "vhlo.", 5) == 0)
            CHECK(u, tsr_bc_vhlo.type_code(&b, &(tsr_type){.kind = TSR_TYPE_DIALECT,
                                                           .def = types[i],
                                                           .params = none}) >= 0);
}

void test_vhlo(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    tsr_register_all_dialects(ctx);
    tsr_module *m = tsr_module_new(ctx);
    tsr_vhlo_conv to, from;
    versions(u);
    tsr_vhlo_conv_init(&to, m, true, false);
    tsr_vhlo_conv_init(&from, m, false, false);
    pairs(u, m, &to);
    rows(u, m, &from);
    codes(u, ctx);
    tsr_vhlo_conv_free(&to);
    tsr_vhlo_conv_free(&from);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}
