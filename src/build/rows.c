/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - the op tables as JSON, for front ends that generate their methods from them. */
#include "build/build.h"

#include "dialect/opcode.h"

/* Columns: arguments of regions, and whether the evaluator has a kernel. */
enum { ELEMENTS = 1, PAIRS, FOLDS, SAME };
static const struct {
    uint8_t body;
    const char *of; /* the operand whose values they follow */
    bool runs;
} columns[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define BLOCK_ARGS(how, operand) .body = how, .of = #operand,
#define EVAL(fn) .runs = true,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static void text(tsr_buf *out, const char *key, const char *value)
{
    tsr_buf_printf(out, "\"%s\": ", key);
    tsr_buf_json(out, tsr_cstr(value));
}

static const char *form_name(const tsr_constraint *c)
{
    static const char *const names[] = {
        [TSR_FORM_ANY] = "any",
        [TSR_FORM_UNIT] = "unit",
        [TSR_FORM_BOOL] = "bool",
        [TSR_FORM_I32] = "i32",
        [TSR_FORM_I64] = "i64",
        [TSR_FORM_INT] = "int",
        [TSR_FORM_F32] = "f32",
        [TSR_FORM_F64] = "f64",
        [TSR_FORM_FLOAT] = "float",
        [TSR_FORM_STRING] = "string",
        [TSR_FORM_SYMBOL] = "symbol",
        [TSR_FORM_SYMREF] = "symbol",
        [TSR_FORM_SYMNAME] = "string",
        [TSR_FORM_TYPE] = "type",
        [TSR_FORM_FUNCTION_TYPE] = "type",
        [TSR_FORM_ARRAY] = "array",
        [TSR_FORM_DICT] = "dict",
        [TSR_FORM_ELEMENTS] = "elements",
        [TSR_FORM_I1S] = "i1s",
        [TSR_FORM_I32S] = "i32s",
        [TSR_FORM_I64S] = "i64s",
        [TSR_FORM_ENUM] = "enum",
        [TSR_FORM_STRUCT] = "struct",
        [TSR_FORM_AFFINE_MAP] = "affine_map",
    };
    return c && (size_t)c->form < TSR_COUNT(names) ? names[c->form] : "any";
}

/* Operands, results, regions. */
static void parts(tsr_buf *out, const char *key, const tsr_argdef *defs, size_t n)
{
    static const char *const arity[] = {
        [TSR_ONE] = "one", [TSR_OPTIONAL] = "optional", [TSR_VARIADIC] = "variadic"};
    tsr_buf_printf(out, ", \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(out, i ? ", {" : "{");
        text(out, "name", defs[i].name);
        tsr_buf_cstr(out, ", ");
        text(out, "arity", arity[defs[i].arity]);
        if (defs[i].constraint) {
            tsr_buf_cstr(out, ", ");
            text(out, "type", defs[i].constraint->summary);
        }
        tsr_buf_char(out, '}');
    }
    tsr_buf_char(out, ']');
}

static void cases(tsr_buf *out, const tsr_attrdef *def)
{
    if (!def)
        return;
    tsr_buf_cstr(out, ", ");
    text(out, "attr", def->name);
    for (size_t i = 0; def->cases && def->cases[i]; i++) {
        tsr_buf_cstr(out, i ? ", " : ", \"cases\": [");
        tsr_buf_json(out, tsr_cstr(def->cases[i]));
    }
    if (def->cases)
        tsr_buf_char(out, ']');
}

static void slots(tsr_buf *out, const tsr_opdef *def)
{
    static const char *const need[] = {[TSR_ATTR_REQUIRED] = "required",
                                       [TSR_ATTR_OPTIONAL] = "optional",
                                       [TSR_ATTR_DEFAULT] = "default",
                                       [TSR_ATTR_FILLED] = "default"};
    tsr_buf_cstr(out, ", \"attributes\": [");
    for (uint16_t i = 0; i < def->nslot; i++) {
        const tsr_slotdef *s = &def->slots[i];
        tsr_buf_cstr(out, i ? ", {" : "{");
        text(out, "name", s->name);
        tsr_buf_cstr(out, ", ");
        text(out, "need", need[s->need]);
        tsr_buf_cstr(out, ", ");
        text(out, "form", form_name(s->constraint));
        if (s->constraint) {
            tsr_buf_cstr(out, ", ");
            text(out, "type", s->constraint->summary);
            cases(out, s->constraint->def);
        }
        if (s->value) {
            tsr_buf_cstr(out, ", ");
            text(out, "default", s->value);
        }
        tsr_buf_char(out, '}');
    }
    tsr_buf_char(out, ']');
}

static void flag(tsr_buf *out, const char *key, bool value)
{
    tsr_buf_printf(out, ", \"%s\": %s", key, value ? "true" : "false");
}

static void body(tsr_buf *out, const tsr_opdef *def)
{
    static const char *const how[] = {
        [ELEMENTS] = "elements", [PAIRS] = "pairs", [FOLDS] = "folds", [SAME] = "same"};
    if (!columns[def->opcode].body)
        return;
    tsr_buf_cstr(out, ", \"body\": {");
    text(out, "how", how[columns[def->opcode].body]);
    tsr_buf_cstr(out, ", ");
    text(out, "of", columns[def->opcode].of);
    tsr_buf_char(out, '}');
}

void tsr_rows_json(tsr_ctx *ctx, const tsr_opdef *rows, size_t n, tsr_str prefix, tsr_buf *out)
{
    const char *separator = "\n";
    tsr_buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        const tsr_opdef *def = &rows[i];
        if (def->name.len < prefix.len || memcmp(def->name.data, prefix.data, prefix.len) != 0 ||
            !tsr_opdef_find(ctx, def->name))
            continue;
        tsr_buf_printf(out, "%s{\"name\": ", separator);
        separator = ",\n";
        tsr_buf_json(out, def->name);
        parts(out, "operands", def->args, def->narg);
        parts(out, "results", def->results, def->nresult);
        parts(out, "regions", def->regions, def->nregion);
        slots(out, def);
        body(out, def);
        flag(out, "runs", columns[def->opcode].runs);
        flag(out, "infers", def->infer || !def->nresult);
        flag(out, "terminator", (def->traits & TSR_TRAIT(TERMINATOR)) != 0);
        flag(out, "segmented", (def->traits & TSR_TRAIT(SEGMENTED_OPERANDS)) != 0);
        tsr_buf_char(out, '}');
    }
    tsr_buf_cstr(out, "\n]\n");
}
