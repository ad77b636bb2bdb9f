/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of emitpy: its types and attributes, and ops for which a row's format is not enough. */
#include "dialect/emitpy/emitpy.h"

#include "asm/reader.h"
#include "dialect/hooks.h"

/* ---- Attributes and types ---- */

bool attr_EMITPY_OPAQUE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_string_attr(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool type_EMITPY_OPAQUE_TYPE(tsr_asm *a, tsr_attr **params)
{
    return attr_EMITPY_OPAQUE(a, params);
}

bool type_EMITPY_CLASS(tsr_asm *a, tsr_attr **params)
{
    return attr_EMITPY_OPAQUE(a, params);
}

static bool type_param(tsr_asm *a, tsr_attr **param)
{
    tsr_type *type = *param ? (*param)->type : NULL;
    TSR_TRY(tsr_asm_type(a, &type));
    *param = tsr_attr_type(a->ctx, type);
    return true;
}

/* dict ::= '!emitpy.dict' ('<' type ',' type '>')? */
bool type_EMITPY_DICT(tsr_asm *a, tsr_attr **params)
{
    if (!tsr_asm_maybe(a, "<", params[0] != NULL))
        return true;
    return type_param(a, &params[0]) && tsr_asm_lit(a, ", ") && type_param(a, &params[1]) &&
           tsr_asm_lit(a, ">");
}

tsr_attr *tsr_emitpy_text(tsr_ctx *ctx, tsr_str text)
{
    return tsr_attr_struct(ctx, &tsr_def_EMITPY_OPAQUE, (tsr_attr *[]){tsr_attr_string(ctx, text)});
}

tsr_type *tsr_emitpy_opaque(tsr_ctx *ctx, tsr_str text)
{
    return tsr_type_dialect(ctx, &tsr_def_EMITPY_OPAQUE_TYPE,
                            (tsr_attr *[]){tsr_attr_string(ctx, text)});
}

tsr_type *tsr_emitpy_dict(tsr_ctx *ctx)
{
    return tsr_type_dialect(ctx, &tsr_def_EMITPY_DICT, (tsr_attr *[]){NULL, NULL});
}

tsr_type *tsr_emitpy_str(tsr_ctx *ctx)
{
    return tsr_type_dialect(ctx, &tsr_def_EMITPY_STR, NULL);
}

/* ---- import ---- */

static bool word_then_string(tsr_asm *a, const char *word, bool there, tsr_attr **attr)
{
    return !tsr_asm_maybe(a, word, there) || tsr_asm_string_attr(a, attr);
}

typedef struct {
    tsr_attr_vec members, aliases;
} members;

static bool member(tsr_asm *a, void *user, size_t i)
{
    members *m = user;
    bool writing = tsr_asm_writing(a);
    tsr_attr *name = writing ? m->members.data[i] : NULL;
    tsr_attr *alias = writing && i < m->aliases.n ? m->aliases.data[i] : NULL;
    TSR_TRY(tsr_asm_string_attr(a, &name) &&
            word_then_string(a, " as ", alias && alias->s.len, &alias));
    if (writing)
        return true;
    tsr_vec_push(&m->members, name);
    tsr_vec_push(&m->aliases, alias ? alias : tsr_attr_string(a->ctx, TSR_STR("")));
    return true;
}

static bool from_import(tsr_asm *a)
{
    tsr_attr **all = tsr_asm_slot_place(a, EMITPY_IMPORT_import_all),
             **names = tsr_asm_slot_place(a, EMITPY_IMPORT_members_to_import),
             **aliases = tsr_asm_slot_place(a, EMITPY_IMPORT_member_aliases);
    members m = {.members = {0}};
    TSR_TRY(tsr_asm_string_attr(a, tsr_asm_slot_place(a, EMITPY_IMPORT_module_name)) &&
            tsr_asm_lit(a, " import "));
    if (tsr_asm_maybe(a, "*", *all != NULL)) {
        *all = tsr_attr_unit(a->ctx);
        return true;
    }
    for (uint32_t i = 0; *names && i < (*names)->n; i++)
        tsr_vec_push(&m.members, (*names)->attrs[i]);
    for (uint32_t i = 0; *aliases && i < (*aliases)->n; i++)
        tsr_vec_push(&m.aliases, (*aliases)->attrs[i]);
    size_t n = m.members.n;
    bool ok = tsr_asm_list(a, "", "", &n, member, &m);
    if (ok && !tsr_asm_writing(a)) {
        *names = tsr_attr_array(a->ctx, m.members.data, m.members.n);
        *aliases = tsr_attr_array(a->ctx, m.aliases.data, m.aliases.n);
    }
    tsr_vec_free(&m.members);
    tsr_vec_free(&m.aliases);
    return ok;
}

/* import ::= 'import' "m" ('as' "a")? | 'from' "m" 'import' ('*' | ("x" ('as' "y")?),+) */
bool asm_emitpy_import(tsr_asm *a)
{
    const tsr_attr *names = *tsr_asm_slot_place(a, EMITPY_IMPORT_members_to_import);
    tsr_attr **alias = tsr_asm_slot_place(a, EMITPY_IMPORT_module_alias);
    bool from = *tsr_asm_slot_place(a, EMITPY_IMPORT_import_all) || (names && names->n);
    for (int i = EMITPY_IMPORT_module_name; i <= EMITPY_IMPORT_import_all; i++)
        tsr_asm_done(a, i);
    if (tsr_asm_maybe(a, " from ", from))
        return from_import(a);
    return tsr_asm_lit(a, " import ") &&
           tsr_asm_string_attr(a, tsr_asm_slot_place(a, EMITPY_IMPORT_module_name)) &&
           word_then_string(a, " as ", *alias && (*alias)->s.len, alias);
}

/* ---- class, if, expression ---- */

/* class ::= @name ('(' attribute,* ')')? ('attributes' dict)? region */
static bool base(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *list = user;
    tsr_attr *attr = tsr_asm_writing(a) ? list->data[i] : NULL;
    TSR_TRY(tsr_asm_attr(a, &attr));
    if (!tsr_asm_writing(a))
        tsr_vec_push(list, attr);
    return true;
}

bool asm_emitpy_class(tsr_asm *a)
{
    tsr_attr **bases = tsr_asm_slot_place(a, EMITPY_CLASS_base_classes);
    tsr_attr_vec list = {0};
    bool ok = tsr_asm_lit(a, " ") && tsr_asm_slot(a, EMITPY_CLASS_sym_name);
    if (ok && (tsr_asm_writing(a) ? *bases && (*bases)->n : tsr_asm_peek(a, "("))) {
        for (uint32_t i = 0; *bases && i < (*bases)->n; i++)
            tsr_vec_push(&list, (*bases)->attrs[i]);
        size_t n = list.n;
        ok = tsr_asm_list(a, "(", ")", &n, base, &list);
        if (ok && !tsr_asm_writing(a) && list.n)
            *bases = tsr_attr_array(a->ctx, list.data, list.n);
    }
    tsr_vec_free(&list);
    tsr_asm_done(a, EMITPY_CLASS_base_classes);
    TSR_TRY(ok && tsr_asm_dict_keyword(a, NULL) && tsr_asm_lit(a, " ") &&
            tsr_asm_region(a, 0, NULL, 0));
    if (!tsr_asm_writing(a) && !a->st->regions[0].first)
        tsr_block_insert(tsr_block_new(a->module), &a->st->regions[0], NULL);
    return true;
}

/* if ::= "condition" ('args' operands ':' '(' types ')')? region ('else' region)? dict */
bool asm_emitpy_if(tsr_asm *a)
{
    bool writing = tsr_asm_writing(a);
    size_t n = writing ? a->op->nin : 0;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, EMITPY_IF_condition));
    if (tsr_asm_maybe(a, " args ", n > 0))
        TSR_TRY(tsr_asm_operands(a, 0, n) && tsr_asm_lit(a, " : (") &&
                tsr_asm_operand_types(a, 0, n) && tsr_asm_lit(a, ")"));
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_region(a, 0, NULL, TSR_REGION_TERMINATORS));
    if (tsr_asm_maybe(a, " else ", writing && a->op->regions[1].first))
        TSR_TRY(tsr_asm_region(a, 1, NULL, TSR_REGION_TERMINATORS));
    return tsr_asm_dict(a);
}

/* expression ::= ('(' operands ')')? ('{' 'do_not_inline' '}')? ':' ('(' types ')')? '->' type region */
bool asm_emitpy_expression(tsr_asm *a)
{
    bool writing = tsr_asm_writing(a);
    size_t n = writing ? a->op->nin : 0;
    tsr_attr **whole = tsr_asm_slot_place(a, EMITPY_EXPRESSION_do_not_inline);
    tsr_asm_lit(a, " ");
    bool takes = tsr_asm_maybe(a, "(", n > 0);
    if (takes)
        TSR_TRY(tsr_asm_operands(a, 0, n) && tsr_asm_lit(a, ") "));
    if (tsr_asm_maybe(a, "{do_not_inline} ", *whole != NULL))
        *whole = tsr_attr_unit(a->ctx);
    tsr_asm_done(a, EMITPY_EXPRESSION_do_not_inline);
    TSR_TRY(tsr_asm_lit(a, ": "));
    if (takes)
        TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operand_types(a, 0, n) && tsr_asm_lit(a, ") "));
    return tsr_asm_lit(a, "-> ") && tsr_asm_result_type(a, 0) && tsr_asm_lit(a, " ") &&
           tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS);
}

/* global ::= @name '=' attribute (':' type)? dict; the type is redundant. */
bool asm_emitpy_global(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, EMITPY_GLOBAL_initial_value);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, EMITPY_GLOBAL_sym_name));
    if (!tsr_asm_maybe(a, " = ", true))
        return tsr_asm_error(a, "expected '=' after symbol name");
    if (!tsr_asm_writing(a) && (tsr_asm_peek(a, "}") || tsr_read_is(a->in, TOK_EOF)))
        return tsr_asm_error(a, "expected initial value for global variable");
    TSR_TRY(tsr_asm_attr(a, value));
    tsr_asm_done(a, EMITPY_GLOBAL_initial_value);
    tsr_type *type = NULL;
    if (!tsr_asm_writing(a) && tsr_asm_maybe(a, ":", false))
        TSR_TRY(tsr_asm_type(a, &type));
    return tsr_asm_dict(a);
}
