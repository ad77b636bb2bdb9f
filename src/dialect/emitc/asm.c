/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of emitc: its types and attributes, and ops for which a row's format is not enough. */
#include "dialect/emitc/emitc.h"

#include "dialect/hooks.h"

/* ---- Attributes and types ---- */

bool attr_EMITC_OPAQUE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_string_attr(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool type_EMITC_OPAQUE_TYPE(tsr_asm *a, tsr_attr **params)
{
    return attr_EMITC_OPAQUE(a, params);
}

static bool inner(tsr_asm *a, tsr_type **type)
{
    return tsr_asm_lit(a, "<") && tsr_asm_type(a, type) && tsr_asm_lit(a, ">");
}

static bool of_type(tsr_asm *a, tsr_attr **params)
{
    tsr_type *type = params[0] ? params[0]->type : NULL;
    TSR_TRY(inner(a, &type));
    params[0] = tsr_attr_type(a->ctx, type);
    return true;
}

bool type_EMITC_PTR(tsr_asm *a, tsr_attr **params)
{
    return of_type(a, params);
}

bool type_EMITC_LVALUE(tsr_asm *a, tsr_attr **params)
{
    return of_type(a, params);
}

tsr_attr *tsr_emitc_text(tsr_ctx *ctx, tsr_str text)
{
    return tsr_attr_struct(ctx, &tsr_def_EMITC_OPAQUE, (tsr_attr *[]){tsr_attr_string(ctx, text)});
}

tsr_type *tsr_emitc_opaque(tsr_ctx *ctx, tsr_str text)
{
    return tsr_type_dialect(ctx, &tsr_def_EMITC_OPAQUE_TYPE,
                            (tsr_attr *[]){tsr_attr_string(ctx, text)});
}

tsr_type *tsr_emitc_ptr(tsr_type *to)
{
    return tsr_type_dialect(to->ctx, &tsr_def_EMITC_PTR,
                            (tsr_attr *[]){tsr_attr_type(to->ctx, to)});
}

tsr_type *tsr_emitc_lvalue(tsr_type *of)
{
    return tsr_type_dialect(of->ctx, &tsr_def_EMITC_LVALUE,
                            (tsr_attr *[]){tsr_attr_type(of->ctx, of)});
}

tsr_type *tsr_emitc_inner(const tsr_type *t, const tsr_attrdef *def)
{
    return tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == def ? t->params[0]->type : NULL;
}

/* ---- Ops ---- */

/* include ::= '<' "file" '>' | "file" */
bool asm_emitc_include(tsr_asm *a)
{
    tsr_attr **standard = tsr_asm_slot_place(a, EMITC_INCLUDE_is_standard_include);
    bool angle = tsr_asm_maybe(a, " <", *standard != NULL);
    if (tsr_asm_writing(a) && !angle)
        tsr_asm_lit(a, " ");
    TSR_TRY(tsr_asm_string_attr(a, tsr_asm_slot_place(a, EMITC_INCLUDE_include)));
    if (angle) {
        TSR_TRY(tsr_asm_lit(a, ">"));
        *standard = tsr_attr_unit(a->ctx);
    }
    tsr_asm_done(a, EMITC_INCLUDE_include);
    tsr_asm_done(a, EMITC_INCLUDE_is_standard_include);
    return tsr_asm_dict(a);
}

/* The type of an lvalue: '<' type '>', or in full when it is read. */
static bool place_type(tsr_asm *a, tsr_type **place)
{
    if (tsr_asm_writing(a)) {
        tsr_type *type = tsr_emitc_inner(*place, &tsr_def_EMITC_LVALUE);
        return type ? inner(a, &type) : tsr_asm_type(a, place);
    }
    if (!tsr_asm_peek(a, "<"))
        return tsr_asm_type(a, place);
    tsr_type *type = NULL;
    TSR_TRY(inner(a, &type));
    *place = tsr_emitc_lvalue(type);
    return true;
}

/* load ::= %place dict ':' place-type */
bool asm_emitc_load(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    tsr_type *place = tsr_asm_writing(a) ? a->op->in[0].value->type : NULL;
    TSR_TRY(place_type(a, &place));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *of = tsr_emitc_inner(place, &tsr_def_EMITC_LVALUE);
    if (!of)
        return tsr_asm_error_at(a, loc, "expected the type of a place: !emitc.lvalue<...>");
    tsr_vec_push(&a->st->operand_types, place);
    tsr_vec_push(&a->st->result_types, of);
    return true;
}

/* assign ::= %value ':' type 'to' %place ':' place-type dict; the lvalue is the first operand. */
bool asm_emitc_assign(tsr_asm *a)
{
    if (tsr_asm_writing(a)) {
        tsr_type *place = a->op->in[0].value->type;
        return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 1) && tsr_asm_lit(a, " : ") &&
               tsr_asm_operand_type(a, 1) && tsr_asm_lit(a, " to ") && tsr_asm_operand(a, 0) &&
               tsr_asm_lit(a, " : ") && place_type(a, &place) && tsr_asm_dict(a);
    }
    tsr_type *value = NULL, *place = NULL;
    TSR_TRY(tsr_asm_operand(a, 0) && tsr_asm_lit(a, ":") && tsr_asm_type(a, &value) &&
            tsr_asm_lit(a, "to") && tsr_asm_operand(a, 1) && tsr_asm_lit(a, ":") &&
            place_type(a, &place));
    tsr_operand_ref first = a->st->operands.data[0];
    a->st->operands.data[0] = a->st->operands.data[1];
    a->st->operands.data[1] = first;
    tsr_vec_push(&a->st->operand_types, place);
    tsr_vec_push(&a->st->operand_types, value);
    return tsr_asm_dict(a);
}

static void flag(tsr_asm *a, int slot, const char *word)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    if (tsr_asm_maybe(a, word, *place != NULL))
        *place = tsr_attr_unit(a->ctx);
    tsr_asm_done(a, slot);
}

/* global ::= 'extern'? 'static'? 'const'? @name ':' type ('=' value)? dict */
bool asm_emitc_global(tsr_asm *a)
{
    flag(a, EMITC_GLOBAL_extern_specifier, " extern");
    flag(a, EMITC_GLOBAL_static_specifier, " static");
    flag(a, EMITC_GLOBAL_const_specifier, " const");
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, EMITC_GLOBAL_sym_name) &&
            tsr_asm_lit(a, " : ") && tsr_asm_slot(a, EMITC_GLOBAL_type));
    tsr_attr **value = tsr_asm_slot_place(a, EMITC_GLOBAL_initial_value);
    tsr_attr *type = *tsr_asm_slot_place(a, EMITC_GLOBAL_type);
    if (tsr_asm_maybe(a, " = ", *value != NULL))
        TSR_TRY(tsr_asm_attr_typed(a, value, type->type));
    tsr_asm_done(a, EMITC_GLOBAL_initial_value);
    return tsr_asm_dict(a);
}
