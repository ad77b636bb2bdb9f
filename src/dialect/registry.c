/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - turns the tables (ops.def, attrs.def, constraints.def) into objects and registers them.
 *
 * Groups of a row (operands, attributes, ...) are in one array for all ops; an enum with one name per group gives each
 * op's first index, and the next op's first index ends it. */
#include "dialect/hooks.h"

#include "asm/writer.h"
#include "dialect/verify_attr.h"
#include "dialect/classes.h"
#include "dialect/stablehlo/stablehlo.h"
#include "dialect/stablehlo/types.h"
#include "dialect/tessera/tessera.h"

/* Each trait has a bit of its own: then the sum of all is their union. */
#define TRAIT(id, bit, doc) +((tsr_traits)1 << (bit))
_Static_assert((0
#include "ir/traits.def"
                ) ==
#define TRAIT(id, bit, doc) | ((tsr_traits)1 << (bit))
                   (0
#include "ir/traits.def"
                    ),
               "two traits have one bit");

/* Definitions of attributes and types. */
#define STRUCT(id, nm, np, fl) \
    const tsr_attrdef tsr_def_##id = {.name = nm, .nparam = np, .flags = fl, .assembly = attr_##id};
#define ENUM(id, nm, fl, ...)                                    \
    static const char *const cases_##id[] = {__VA_ARGS__, NULL}; \
    const tsr_attrdef tsr_def_##id = {.name = nm, .cases = cases_##id, .flags = fl};
#define TYPE(id, nm, np)               \
    const tsr_attrdef tsr_def_##id = { \
        .name = nm, .nparam = np, .flags = TSR_DEF_TYPE, .assembly = type_##id};
#define PLAIN_TYPE(id, nm) \
    const tsr_attrdef tsr_def_##id = {.name = nm, .flags = TSR_DEF_TYPE, .assembly = type_plain};
#include "dialect/attrs.def"

/* Constraints. "any" checks nothing. */
#define attr_ok_any NULL
#define none NULL
#define TYPE_IS(nm, text, one, holders, of)                       \
    const tsr_constraint tsr_is_##nm = {.id = #nm,                \
                                        .summary = text,          \
                                        .type_ok = type_ok_row,   \
                                        .alone = (uint32_t)(one), \
                                        .shapes = (holders),      \
                                        .elems = (uint32_t)(of)};
#define ATTR_IS(nm, text, fm, df, test)  \
    const tsr_constraint tsr_is_##nm = { \
        .id = #nm, .summary = text, .form = TSR_FORM_##fm, .def = df, .attr_ok = attr_ok_##test};
#define REGION_IS(nm, text) const tsr_constraint tsr_is_##nm = {.id = #nm, .summary = text};
#include "dialect/constraints.def"
#undef none

/* Groups. */
#define ONE TSR_ONE
#define OPT TSR_OPTIONAL
#define VAR TSR_VARIADIC
static const tsr_argdef all_args[] = {
#define ARG(id, nm, cons, ar) {#nm, &tsr_is_##cons, ar},
#include "dialect/ops.def"
    {0}};
static const tsr_argdef all_results[] = {
#define RES(id, nm, cons, ar) {#nm, &tsr_is_##cons, ar},
#include "dialect/ops.def"
    {0}};
static const tsr_argdef all_regions[] = {
#define REGION(id, nm, cons, ar) {#nm, &tsr_is_##cons, ar},
#include "dialect/ops.def"
    {0}};
static const tsr_argdef all_succs[] = {
#define SUCC(id, nm, ar) {#nm, NULL, ar},
#include "dialect/ops.def"
    {0}};
#undef ONE
#undef OPT
#undef VAR
#define REQ TSR_ATTR_REQUIRED, NULL
#define OPT TSR_ATTR_OPTIONAL, NULL
#define DEF(text) TSR_ATTR_DEFAULT, text
#define FILL(text) TSR_ATTR_FILLED, text
static const tsr_slotdef all_slots[] = {
#define ATTR(id, nm, cons, need) {#nm, &tsr_is_##cons, need},
#include "dialect/ops.def"
    {0}};
#undef REQ
#undef OPT
#undef DEF
#undef FILL

/* First index of each op's groups. */
enum {
#define OP(id, name, traits) ARG_OF_##id, ARG_BEFORE_##id = ARG_OF_##id - 1,
#define ARG(id, name, constraint, arity) ARG_##id##_##name,
#include "dialect/ops.def"
    ARG_OF__END
};
enum {
#define OP(id, name, traits) RES_OF_##id, RES_BEFORE_##id = RES_OF_##id - 1,
#define RES(id, name, constraint, arity) RES_##id##_##name,
#include "dialect/ops.def"
    RES_OF__END
};
enum {
#define OP(id, name, traits) REGION_OF_##id, REGION_BEFORE_##id = REGION_OF_##id - 1,
#define REGION(id, name, constraint, arity) REGION_##id##_##name,
#include "dialect/ops.def"
    REGION_OF__END
};
enum {
#define OP(id, name, traits) SUCC_OF_##id, SUCC_BEFORE_##id = SUCC_OF_##id - 1,
#define SUCC(id, name, arity) SUCC_##id##_##name,
#include "dialect/ops.def"
    SUCC_OF__END
};
enum {
#define OP(id, name, traits) SLOT_OF_##id, SLOT_BEFORE_##id = SLOT_OF_##id - 1,
#define ATTR(id, name, constraint, need) SLOT_##id##_##name,
#include "dialect/ops.def"
    SLOT_OF__END
};
typedef struct {
    uint16_t arg, res, region, succ, slot;
} group_start;
static const group_start starts[TSR_OP__COUNT + 1] = {
#define OP(id, name, traits) {ARG_OF_##id, RES_OF_##id, REGION_OF_##id, SUCC_OF_##id, SLOT_OF_##id},
#include "dialect/ops.def"
    {ARG_OF__END, RES_OF__END, REGION_OF__END, SUCC_OF__END, SLOT_OF__END}};

/* Rows. Each op's counts are filled in at registration, from the next op's starts. */
#define PURE (NO_EFFECT | SPECULATABLE)
#include "dialect/traits.h"
static const tsr_opdef rows[TSR_OP__COUNT] = {
#define OP(id, nm, tr)                                        \
    [TSR_OP_##id] = {.name = {nm, sizeof(nm) - 1},            \
                     .opcode = TSR_OP_##id,                   \
                     .traits = tr,                            \
                     .args = all_args + ARG_OF_##id,          \
                     .results = all_results + RES_OF_##id,    \
                     .regions = all_regions + REGION_OF_##id, \
                     .succs = all_succs + SUCC_OF_##id,       \
                     .slots = all_slots + SLOT_OF_##id,
#define FORMAT(text) .format = text,
#define ASM(hook) .assembly = asm_##hook,
#define NAMES(hook) .names = names_##hook,
#define PARENTS(list) .parents = list,
#define ALIKE(text) .alike = text,
#define IMPLICIT(name) .implicit = name,
#define INFER(hook) .infer = infer_##hook,
#define REIFY(hook) .reify = reify_##hook,
#define SPECULATE(hook) .speculate = speculate_##hook,
#define VERIFY(hook) .verify = verify_##hook,
#define USES(hook) .verify_uses = uses_##hook,
#define FOLD(hook) .fold = fold_##hook,
#define CANON(hook) .canon = canon_##hook,
#define CONSTANT(hook) .constant = constant_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static const tsr_attrdef *const all_attrdefs[] = {
#define STRUCT(id, name, nparam, flags) &tsr_def_##id,
#define ENUM(id, name, flags, ...) &tsr_def_##id,
#define TYPE(id, name, nparam) &tsr_def_##id,
#define PLAIN_TYPE(id, name) &tsr_def_##id,
#include "dialect/attrs.def"
};

static const struct {
    const char *name;
    bool open;
} dialects[] = {
#define DIALECT(id, nm, op) {nm, op},
#include "dialect/dialects.def"
};

/* What StableHLO's and CHLO's ops treat as compatible. A constant's value has the storage type of its quantized
 * elements. */
static bool hlo_agree(tsr_agreement how, const tsr_type *a, const tsr_type *b)
{
    if (how == TSR_AGREE_ELEMENT)
        return tsr_hlo_compatible_element(a, b);
    if (how == TSR_AGREE_TYPE)
        return tsr_hlo_compatible(a, b);
    tsr_type *stored = tsr_hlo_storage(b);
    return stored && tsr_type_is_shaped(b) && a == tsr_hlo_with_element(b, stored);
}

static bool all_single(const tsr_argdef *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (groups[i].arity != TSR_ONE)
            return false;
    return true;
}

void tsr_register_all_dialects(tsr_ctx *ctx)
{
    tsr_writer_install(ctx);
    ctx->verify_encoding = tsr_tessera_verify_encoding;
    ctx->verify_attr = tsr_verify_attr;
    for (size_t i = 0; i < TSR_COUNT(dialects); i++)
        tsr_ctx_register_dialect(ctx, dialects[i].name, dialects[i].open);
    tsr_opdef *defs = tsr_arena_copy(&ctx->arena, rows, sizeof rows);
    uint8_t dialect = TSR_DIALECT_UNKNOWN;
    for (int i = 0; i < TSR_OP__COUNT; i++) {
        defs[i].narg = starts[i + 1].arg - starts[i].arg;
        defs[i].nresult = starts[i + 1].res - starts[i].res;
        defs[i].nregion = starts[i + 1].region - starts[i].region;
        defs[i].nsucc = starts[i + 1].succ - starts[i].succ;
        defs[i].nslot = starts[i + 1].slot - starts[i].slot;
        /* Rows of a dialect are adjacent. */
        if (!i || !tsr_str_eq(tsr_opdef_dialect(&defs[i]), tsr_opdef_dialect(&defs[i - 1])))
            dialect = tsr_dialect_number(ctx, tsr_opdef_dialect(&defs[i]));
        defs[i].dialect = dialect;
        if (dialect == TSR_DIALECT_STABLEHLO || dialect == TSR_DIALECT_CHLO)
            defs[i].agree = hlo_agree;
        else if (dialect == TSR_DIALECT_TESSERA)
            defs[i].agree = tsr_tessera_agree;
        defs[i].single_args = all_single(defs[i].args, defs[i].narg);
        defs[i].single_results = all_single(defs[i].results, defs[i].nresult);
    }
    for (size_t i = 0; i < TSR_COUNT(all_attrdefs); i++)
        tsr_ctx_register_attrdef(ctx, all_attrdefs[i]);
    tsr_ctx_register_ops(ctx, defs, TSR_OP__COUNT);
}
