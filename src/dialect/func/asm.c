/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of functions.
 *
 *   func      ::= visibility? @name '(' arguments ')' ('->' results)? ('attributes' dict)? region?
 *   arguments ::= (%name ':' type dict? loc?),*  or, of a declaration, (type dict?),*
 *   results   ::= type | '(' (type dict?),* ')'                                                        */
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

/* ---- Reading ---- */

typedef struct {
    tsr_region_args args;
    tsr_type_vec in, out;
    tsr_attr_vec in_attrs, out_attrs; /* one dictionary each, even if empty */
    bool named;                       /* arguments have names */
} signature;

/* {...} if present, else the empty dictionary. */
static bool read_optional_dict(tsr_asm *a, tsr_attr **out)
{
    if (tsr_read_is(a->in, '{'))
        return tsr_asm_attr(a, out);
    *out = tsr_attr_dict(a->ctx, NULL, 0);
    return true;
}

static bool read_argument(tsr_asm *a, void *user, size_t i)
{
    signature *s = user;
    tsr_region_arg arg = {.loc = tsr_asm_loc(a)};
    bool named = tsr_read_is(a->in, TOK_PERCENT);
    if (i && named != s->named)
        return tsr_asm_error(a, named ? "expected type instead of SSA identifier"
                                      : "expected SSA identifier");
    s->named = named;
    if (named) {
        arg.name = (tsr_str){a->in->tok.start + 1, a->in->tok.len - 1};
        tsr_read_next(a->in);
        TSR_TRY(tsr_asm_lit(a, ":"));
    }
    TSR_TRY(tsr_asm_type(a, &arg.type) && read_optional_dict(a, &arg.attrs) &&
            tsr_read_optional_loc(a->in, &arg.loc));
    tsr_vec_push(&s->args, arg);
    tsr_vec_push(&s->in, arg.type);
    tsr_vec_push(&s->in_attrs, arg.attrs);
    return true;
}

static bool read_result(tsr_asm *a, void *user, size_t i)
{
    (void)i;
    signature *s = user;
    tsr_type *type;
    tsr_attr *attrs;
    TSR_TRY(tsr_asm_type(a, &type) && read_optional_dict(a, &attrs));
    tsr_vec_push(&s->out, type);
    tsr_vec_push(&s->out_attrs, attrs);
    return true;
}

/* A result without parentheses has no attributes: a following brace may start the body. */
static bool read_bare_result(tsr_asm *a, signature *s)
{
    tsr_type *type;
    TSR_TRY(tsr_asm_type(a, &type));
    tsr_vec_push(&s->out, type);
    tsr_vec_push(&s->out_attrs, tsr_attr_dict(a->ctx, NULL, 0));
    return true;
}

/* The dictionaries as an array; NULL if all are empty. */
static tsr_attr *dict_array(tsr_ctx *ctx, const tsr_attr_vec *dicts)
{
    for (size_t i = 0; i < dicts->n; i++)
        if (dicts->data[i]->n)
            return tsr_attr_array(ctx, dicts->data, dicts->n);
    return NULL;
}

static bool read_signature(tsr_asm *a, signature *s)
{
    size_t n;
    TSR_TRY(tsr_asm_list(a, "(", ")", &n, read_argument, s));
    if (tsr_asm_maybe(a, "->", false))
        TSR_TRY(tsr_asm_peek(a, "(") ? tsr_asm_list(a, "(", ")", &n, read_result, s)
                                     : read_bare_result(a, s));
    tsr_attr **slots = a->st->attrs;
    slots[FUNC_FUNC_function_type] = tsr_attr_type(
        a->ctx, tsr_type_function(a->ctx, s->in.data, s->in.n, s->out.data, s->out.n));
    slots[FUNC_FUNC_arg_attrs] = dict_array(a->ctx, &s->in_attrs);
    slots[FUNC_FUNC_res_attrs] = dict_array(a->ctx, &s->out_attrs);
    return true;
}

static bool read_func(tsr_asm *a, signature *s)
{
    static const char *const visibility[] = {"public", "private", "nested", NULL};
    int64_t word;
    bool has_body;
    TSR_TRY(tsr_asm_maybe_word(a, visibility, &word));
    if (word >= 0)
        a->st->attrs[FUNC_FUNC_sym_visibility] =
            tsr_attr_string(a->ctx, tsr_cstr(visibility[word]));
    TSR_TRY(tsr_asm_slot(a, FUNC_FUNC_sym_name) && read_signature(a, s));
    tsr_loc loc = tsr_asm_loc(a);
    if (tsr_asm_peek(a, "attributes")) {
        static const int implied[] = {FUNC_FUNC_sym_name, FUNC_FUNC_function_type,
                                      FUNC_FUNC_sym_visibility};
        tsr_attr *kept[TSR_COUNT(implied)];
        for (size_t i = 0; i < TSR_COUNT(implied); i++) {
            kept[i] = a->st->attrs[implied[i]];
            a->st->attrs[implied[i]] = NULL;
        }
        TSR_TRY(tsr_asm_dict_keyword(a, NULL));
        for (size_t i = 0; i < TSR_COUNT(implied); i++) {
            /* Visibility may be here instead; the others have their own position in the form. */
            if (a->st->attrs[implied[i]] && (kept[i] || implied[i] != FUNC_FUNC_sym_visibility))
                return tsr_asm_error_at(
                    a, loc,
                    "'%s' is an inferred attribute and should not be specified in the explicit "
                    "attribute dictionary",
                    a->st->def->slots[implied[i]].name);
            if (kept[i])
                a->st->attrs[implied[i]] = kept[i];
        }
    }
    if (tsr_read_is(a->in, '{') && s->args.n && !s->named)
        return tsr_asm_error(a, "expected the arguments of a function with a body to have names");
    return tsr_asm_optional_region(a, 0, s->args.n ? &s->args : NULL, 0, &has_body) &&
           (!has_body || a->st->regions[0].first ||
            tsr_asm_error_at(a, loc, "expected non-empty function body"));
}

/* ---- Writing ---- */

static void write_dict(tsr_asm *a, const tsr_attr *dicts, uint32_t i)
{
    if (dicts && i < dicts->n && dicts->attrs[i]->n) {
        tsr_asm_lit(a, " ");
        tsr_asm_attr(a, &dicts->attrs[i]);
    }
}

static void write_arguments(tsr_asm *a, const tsr_type *type)
{
    const tsr_block *entry = a->op->regions[0].first;
    const tsr_attr *dicts = a->op->attrs[FUNC_FUNC_arg_attrs];
    tsr_asm_lit(a, "(");
    for (uint32_t i = 0; i < type->n; i++) {
        if (i)
            tsr_asm_lit(a, ", ");
        if (!entry || i >= entry->nargs) {
            tsr_write_type(a->out, type->types[i]);
            write_dict(a, dicts, i);
            continue;
        }
        tsr_asm_region_arg_name(a, 0, i, NULL);
        tsr_asm_lit(a, ": ");
        tsr_write_type(a->out, type->types[i]);
        write_dict(a, dicts, i);
        if (a->out->opt.debug_info) {
            tsr_asm_lit(a, " ");
            tsr_write_arg_loc(a->out, entry->arg_locs[i]);
        }
    }
    tsr_asm_lit(a, ")");
}

static void write_results(tsr_asm *a, const tsr_type *type)
{
    const tsr_attr *dicts = a->op->attrs[FUNC_FUNC_res_attrs];
    if (!type->nout)
        return;
    bool bare = type->nout == 1 && type->types[type->n]->kind != TSR_TYPE_FUNCTION &&
                !(dicts && dicts->n && dicts->attrs[0]->n);
    tsr_asm_lit(a, bare ? " -> " : " -> (");
    for (uint32_t i = 0; i < type->nout; i++) {
        if (i)
            tsr_asm_lit(a, ", ");
        tsr_write_type(a->out, type->types[type->n + i]);
        write_dict(a, dicts, i);
    }
    if (!bare)
        tsr_asm_lit(a, ")");
}

static bool write_func(tsr_asm *a)
{
    static const char *const elided[] = {"sym_name",  "function_type", "sym_visibility",
                                         "arg_attrs", "res_attrs",     NULL};
    const tsr_attr *visibility = a->op->attrs[FUNC_FUNC_sym_visibility];
    const tsr_type *type = a->op->attrs[FUNC_FUNC_function_type]->type;
    bool has_body;
    tsr_asm_lit(a, " ");
    if (visibility) {
        tsr_str word = visibility->s;
        tsr_asm_keyword(a, &word);
        tsr_asm_lit(a, " ");
    }
    tsr_asm_slot(a, FUNC_FUNC_sym_name);
    write_arguments(a, type);
    write_results(a, type);
    tsr_asm_dict_keyword(a, elided);
    if (a->op->regions[0].first)
        tsr_asm_lit(a, " ");
    return tsr_asm_optional_region(a, 0, NULL, TSR_REGION_TERMINATORS, &has_body);
}

bool asm_func(tsr_asm *a)
{
    if (tsr_asm_writing(a))
        return write_func(a);
    signature s = {0};
    bool ok = read_func(a, &s);
    tsr_vec_free(&s.args);
    tsr_vec_free(&s.in);
    tsr_vec_free(&s.out);
    tsr_vec_free(&s.in_attrs);
    tsr_vec_free(&s.out_attrs);
    return ok;
}

/* call_indirect ::= %f '(' operands ')' dict ':' function-type */
bool asm_func_call_indirect(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, "(") &&
            tsr_asm_operands(a, 1, tsr_asm_writing(a) ? a->op->nin : 0) && tsr_asm_lit(a, ")") &&
            tsr_asm_dict(a) && tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_operand_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    const tsr_type *type = a->st->operand_types.data[0];
    if (type->kind != TSR_TYPE_FUNCTION)
        return tsr_asm_error_at(a, loc, "invalid kind of type specified");
    for (uint32_t i = 0; i < type->n; i++)
        tsr_vec_push(&a->st->operand_types, type->types[i]);
    for (uint32_t i = 0; i < type->nout; i++)
        tsr_asm_push_result_type(a, type->types[type->n + i]);
    return true;
}

void names_func_constant(tsr_namer *n, tsr_op *op)
{
    tsr_namer_result(n, op, 0, TSR_STR("f"));
}
