/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo.c - versions, and the columns of VHLO's tables as objects. Rows of VHLO are adjacent, and so are the versions of
 * one op: neighbours have consecutive opcodes. */
#include "dialect/vhlo/vhlo.h"

/* ---- Versions ---- */

int tsr_vhlo_version_compare(tsr_vhlo_version a, tsr_vhlo_version b)
{
    if (a.major != b.major)
        return a.major < b.major ? -1 : 1;
    if (a.minor != b.minor)
        return a.minor < b.minor ? -1 : 1;
    return a.patch == b.patch ? 0 : a.patch < b.patch ? -1 : 1;
}

bool tsr_vhlo_version_parse(tsr_str text, tsr_vhlo_version *out)
{
    uint64_t part[3] = {0};
    size_t at = 0;
    if (tsr_str_is(text, "current") || tsr_str_is(text, "minimum")) {
        *out = tsr_str_is(text, "current") ? TSR_VHLO_CURRENT : TSR_VHLO_MINIMUM;
        return true;
    }
    for (int i = 0; i < 3; i++) {
        size_t start = at;
        for (; at < text.len && text.data[at] >= '0' && text.data[at] <= '9'; at++)
            if (part[i] <= UINT32_MAX)
                part[i] = part[i] * 10 + (uint64_t)(text.data[at] - '0');
        if (at == start || part[i] > UINT32_MAX ||
            (i < 2 && (at == text.len || text.data[at++] != '.')))
            return false;
    }
    *out = (tsr_vhlo_version){(uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]};
    return at == text.len;
}

bool tsr_vhlo_check_target(tsr_ctx *ctx, tsr_loc loc, tsr_str text, tsr_vhlo_version *out)
{
    static const char form[] = "Target version must be of the form `#.#.#`.";
    tsr_vhlo_version low = TSR_VHLO_MINIMUM, high = TSR_VHLO_CURRENT;
    if (!text.len)
        return tsr_error(ctx, loc, "No target version specified.\n%s", form);
    if (!tsr_vhlo_version_parse(text, out))
        return tsr_error(ctx, loc, "Invalid target version argument '%.*s'\n%s", TSR_STR_ARG(text),
                         form);
    if (tsr_vhlo_version_compare(*out, low) < 0)
        return tsr_error(ctx, loc,
                         "target version %u.%u.%u is less than minimum supported %u.%u.%u",
                         out->major, out->minor, out->patch, low.major, low.minor, low.patch);
    if (tsr_vhlo_version_compare(high, *out) < 0)
        return tsr_error(ctx, loc,
                         "target version %u.%u.%u is greater than current version %u.%u.%u",
                         out->major, out->minor, out->patch, high.major, high.minor, high.patch);
    return true;
}

int tsr_vhlo_bytecode_version(tsr_vhlo_version v)
{
    static const struct {
        tsr_vhlo_version below;
        int bytecode;
    } steps[] = {
        {{0, 9, 0}, -1}, {{0, 10, 0}, 0}, {{0, 12, 0}, 1}, {{0, 14, 0}, 3}, {{0, 15, 0}, 4}};
    for (size_t i = 0; i < TSR_COUNT(steps); i++)
        if (tsr_vhlo_version_compare(v, steps[i].below) < 0)
            return steps[i].bytecode;
    return tsr_vhlo_version_compare(v, TSR_VHLO_CURRENT) <= 0 ? 6 : -1;
}

/* ---- Columns ---- */

typedef struct {
    uint16_t opcode, major, minor;
} op_since;

static const op_since ops[] = {
#define SINCE(id, major, minor) {TSR_OP_##id, major, minor},
#include "dialect/ops.def"
};

static const struct {
    uint16_t opcode, slot;
    const char *value;
} absents[] = {
#define ABSENT(id, name, value) {TSR_OP_##id, id##_##name, value},
#include "dialect/ops.def"
};

static const struct {
    const tsr_attrdef *def;
    uint16_t major, minor;
} defs[] = {
#define SINCE(id, major, minor) {&tsr_def_##id, major, minor},
#include "dialect/attrs.def"
};

bool tsr_opdef_is_vhlo(const tsr_opdef *def)
{
    return def->opcode >= ops[0].opcode && def->opcode <= ops[TSR_COUNT(ops) - 1].opcode;
}

static bool def_is_vhlo(const tsr_attrdef *def)
{
    return strncmp(def->name, "vhlo.", 5) == 0;
}

bool tsr_attr_is_vhlo(const tsr_attr *a)
{
    return a && (a->kind == TSR_ATTR_STRUCT || a->kind == TSR_ATTR_ENUM) && def_is_vhlo(a->def);
}

bool tsr_type_is_vhlo(const tsr_type *t)
{
    return t && t->kind == TSR_TYPE_DIALECT && def_is_vhlo(t->def);
}

tsr_vhlo_version tsr_vhlo_op_since(const tsr_opdef *def)
{
    const op_since *o = &ops[def->opcode - ops[0].opcode];
    tsr_assert(o->opcode == def->opcode, "%.*s is no row of VHLO", TSR_STR_ARG(def->name));
    return (tsr_vhlo_version){o->major, o->minor, 0};
}

tsr_vhlo_version tsr_vhlo_def_since(const tsr_attrdef *def)
{
    for (size_t i = 0; i < TSR_COUNT(defs); i++)
        if (defs[i].def == def)
            return (tsr_vhlo_version){defs[i].major, defs[i].minor, 0};
    return TSR_VHLO_MINIMUM;
}

tsr_str tsr_vhlo_base_name(const tsr_opdef *def)
{
    tsr_str s = {def->name.data + 5, def->name.len - 5};
    while (s.len && s.data[s.len - 1] != '_')
        s.len--;
    s.len -= s.len > 0;
    return s;
}

const tsr_opdef *tsr_vhlo_neighbour(const tsr_ctx *ctx, const tsr_opdef *def, int step)
{
    int opcode = def->opcode + step;
    if (opcode < ops[0].opcode || opcode > ops[TSR_COUNT(ops) - 1].opcode)
        return NULL;
    const tsr_opdef *other = &ctx->rows[opcode];
    return tsr_str_eq(tsr_vhlo_base_name(other), tsr_vhlo_base_name(def)) ? other : NULL;
}

const char *tsr_vhlo_absent(const tsr_opdef *def, size_t slot)
{
    /* Sorted by opcode, as the table is. */
    size_t low = 0, high = TSR_COUNT(absents);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (absents[mid].opcode < def->opcode)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < TSR_COUNT(absents) && absents[low].opcode == def->opcode; low++)
        if (absents[low].slot == slot)
            return absents[low].value;
    return NULL;
}

const tsr_opdef *tsr_vhlo_newest(tsr_ctx *ctx, tsr_str base)
{
    tsr_buf name = {0};
    tsr_buf_printf(&name, "vhlo.%.*s_v1", TSR_STR_ARG(base));
    const tsr_opdef *def = tsr_opdef_find(ctx, tsr_buf_text(&name)), *next = def;
    tsr_buf_free(&name);
    while (next) {
        def = next;
        next = tsr_vhlo_neighbour(ctx, def, 1);
    }
    return def;
}
