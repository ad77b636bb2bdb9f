/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of emitpy's ops. */
#include "dialect/emitpy/emitpy.h"

#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"

/* ---- Names ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool tsr_python_identifier(tsr_str name, const char **why)
{
    static const char *const words[] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    if (!name.len) {
        *why = "variable name must not be empty";
        return false;
    }
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (tsr_str_is(name, words[i])) {
            *why = "variable name must not be a keyword";
            return false;
        }
    if (!is_letter(name.data[0])) {
        *why = "variable name must start with a letter or '_'";
        return false;
    }
    for (size_t i = 0; i < name.len; i++)
        if (!is_letter(name.data[i]) && !(name.data[i] >= '0' && name.data[i] <= '9')) {
            *why = "variable name may only contain alphanumeric characters and '_'";
            return false;
        }
    return true;
}

static bool named(tsr_op *op, tsr_str name)
{
    const char *why = NULL;
    return tsr_python_identifier(name, &why) || tsr_op_error(op, "%s", why);
}

bool verify_emitpy_get_attr(tsr_op *op)
{
    return named(op, op->attrs[EMITPY_GET_ATTR_attr_name]->s);
}

bool verify_emitpy_set_attr(tsr_op *op)
{
    return named(op, op->attrs[EMITPY_SET_ATTR_attr_name]->s);
}

bool verify_emitpy_global(tsr_op *op)
{
    return named(op, op->attrs[EMITPY_GLOBAL_sym_name]->s);
}

bool verify_emitpy_global_statement(tsr_op *op)
{
    return named(op, op->attrs[EMITPY_GLOBAL_STATEMENT_name]->s);
}

bool verify_emitpy_assign_global(tsr_op *op)
{
    return named(op, op->attrs[EMITPY_ASSIGN_GLOBAL_name]->s);
}

/* ---- Calls, imports, literals ---- */

bool verify_emitpy_call_opaque(tsr_op *op)
{
    const tsr_attr *args = op->attrs[EMITPY_CALL_OPAQUE_args],
                   *keys = op->attrs[EMITPY_CALL_OPAQUE_keyword_args];
    if (!op->attrs[EMITPY_CALL_OPAQUE_callee]->s.len)
        return tsr_op_error(op, "callee must not be empty");
    if (!args != !keys)
        return tsr_op_error(op, "args and keyword_args must be specified together");
    if (args && args->n != keys->n)
        return tsr_op_error(op,
                            "args and keyword_args must have the same size (empty strings are "
                            "allowed), but got args size = %u and keyword_args size = %u",
                            args->n, keys->n);
    for (uint32_t i = 0; args && i < args->n; i++)
        if (args->attrs[i]->kind == TSR_ATTR_INT &&
            tsr_type_is(args->attrs[i]->type, TSR_TYPE_INDEX) &&
            (args->attrs[i]->i < 0 || args->attrs[i]->i >= (int64_t)op->nin))
            return tsr_op_error(op, "args index argument is out of range");
    return true;
}

static bool check_members(tsr_op *op, const tsr_attr *names, const tsr_attr *aliases)
{
    if (!names->n)
        return tsr_op_error(op, "members to import must not be empty array");
    for (uint32_t i = 0; i < names->n; i++)
        if (!names->attrs[i]->s.len)
            return tsr_op_error(op, "imported member name must be a non-empty string");
    if (aliases && !aliases->n)
        return tsr_op_error(op, "member aliases must not be empty array");
    return !aliases || aliases->n == names->n ||
           tsr_op_error(op, "the number of members' aliases must be equal to the number of members "
                            "to import; empty string is considered valid member alias");
}

bool verify_emitpy_import(tsr_op *op)
{
    const tsr_attr *alias = op->attrs[EMITPY_IMPORT_module_alias],
                   *names = op->attrs[EMITPY_IMPORT_members_to_import],
                   *aliases = op->attrs[EMITPY_IMPORT_member_aliases];
    bool all = op->attrs[EMITPY_IMPORT_import_all];
    const char *with = all ? "*" : "module alias";
    if (!op->attrs[EMITPY_IMPORT_module_name]->s.len)
        return tsr_op_error(op, "module name attribute must be non-empty");
    if (all && alias)
        return tsr_op_error(op, "cannot specify module alias with *");
    if ((all || alias) && names)
        return tsr_op_error(op, "cannot specify members to import with %s", with);
    if ((all || alias) && aliases)
        return tsr_op_error(op, "cannot specify members' aliases with %s", with);
    if (names)
        return check_members(op, names, aliases);
    return !aliases || tsr_op_error(op, "cannot specify member aliases without specifying members "
                                        "to import");
}

bool verify_emitpy_literal(tsr_op *op)
{
    return op->attrs[EMITPY_LITERAL_value]->s.len || tsr_op_error(op, "value must not be empty");
}

static bool is_text(const tsr_attr *a)
{
    return tsr_attr_is_struct(a, &tsr_def_EMITPY_OPAQUE);
}

bool verify_emitpy_constant(tsr_op *op)
{
    const tsr_attr *value = op->attrs[EMITPY_CONSTANT_value];
    if (is_text(value))
        return value->attrs[0]->s.len || tsr_op_error(op, "value must not be empty");
    return value->type == op->out[0].type ||
           tsr_op_error(op, "requires attribute to either be an #emitpy.opaque attribute or it's "
                            "type to match the op's result type");
}

/* ---- Containers ---- */

bool verify_emitpy_subscript(tsr_op *op)
{
    const tsr_type *of = op->in[0].value->type, *by = op->in[1].value->type;
    if (!tsr_emitpy_is(of, &tsr_def_EMITPY_OPAQUE_TYPE) && !tsr_emitpy_is(of, &tsr_def_EMITPY_DICT))
        return tsr_op_error(op, "operand #0 must be EmitPy opaque type or EmitPy dictionary type");
    if (tsr_emitpy_is(by, &tsr_def_EMITPY_STR))
        return tsr_emitpy_is(of, &tsr_def_EMITPY_DICT) ||
               tsr_op_error(op, "cannot use string index on non-dict type %s",
                            tt_show_type(op, of));
    return tsr_type_is(by, TSR_TYPE_INDEX) ||
           tsr_op_error(op, "operand #1 must be index or EmitPy string type.");
}

static bool check_items(tsr_op *op)
{
    if (!op->nin)
        return tsr_op_error(op, "cannot have both literal_expr and items empty; for an empty dict, "
                                "use literal_expr = \"{}\" instead");
    if (op->nin % 2)
        return tsr_op_error(op, "items must be alternating key-value pairs (even count required)");
    for (uint32_t i = 0; i < op->nin; i += 2) {
        const tsr_type *key = op->in[i].value->type;
        if (!tsr_type_is(key, TSR_TYPE_INDEX) && !tsr_emitpy_is(key, &tsr_def_EMITPY_STR))
            return tsr_op_error(
                op, "dictionary keys must be index or string type, but got %s at position %u",
                tt_show_type(op, key), i);
    }
    return true;
}

bool verify_emitpy_create_dict(tsr_op *op)
{
    const tsr_attr *text = op->attrs[EMITPY_CREATE_DICT_literal_expr];
    TSR_TRY(named(op, op->attrs[EMITPY_CREATE_DICT_dict_name]->s));
    if (!tsr_emitpy_is(op->out[0].type, &tsr_def_EMITPY_DICT))
        return tsr_op_error(op, "result #0 must be EmitPy dictionary type");
    if (!text)
        return check_items(op);
    if (!text->s.len)
        return tsr_op_error(op, "literal_expr must not be empty");
    return !op->nin ||
           tsr_op_error(op, "cannot have both literal_expr and items operands; use either "
                            "literal_expr for Python dict literals or items for key-value pairs");
}

bool verify_emitpy_assign(tsr_op *op)
{
    const tsr_type *to = op->in[0].value->type, *v = op->in[1].value->type;
    return to == v || tsr_op_error(op, "target type (%s) does not match value type (%s)",
                                   tt_show_type(op, to), tt_show_type(op, v));
}

/* ---- Globals ---- */

static bool global(tsr_op *op, const tsr_attr *name, const tsr_type *type, const char *what)
{
    const tsr_op *g = tsr_symbol_resolve(op, name);
    if (!g || !tsr_op_is(g, TSR_OP_EMITPY_GLOBAL))
        return tsr_op_error(op, "'%.*s' does not reference a valid emitpy.global",
                            TSR_STR_ARG(name->s));
    const tsr_attr *value = g->attrs[EMITPY_GLOBAL_initial_value];
    return is_text(value) || !value->type || value->type == type ||
           tsr_op_error(op, "%s type (%s) does not match global's type (%s)", what,
                        tt_show_type(op, type), tt_show_type(op, value->type));
}

bool uses_emitpy_global_statement(tsr_op *op)
{
    return global(op, op->attrs[EMITPY_GLOBAL_STATEMENT_name], op->out[0].type, "result");
}

bool uses_emitpy_assign_global(tsr_op *op)
{
    return global(op, op->attrs[EMITPY_ASSIGN_GLOBAL_name], op->in[0].value->type, "value");
}

/* ---- Texts with placeholders ---- */

/* Each {} is replaced by an operand, {{ is a brace; without operands the text is literal. */
static bool places(tsr_op *op, tsr_str text, const char *in)
{
    uint32_t n = 0;
    for (size_t i = 0; op->nin && i < text.len; i++) {
        if (text.data[i] != '{')
            continue;
        if (i + 1 == text.len)
            return tsr_op_error(op, "expected '}' after unescaped '{' at end of string");
        i++;
        if (text.data[i] == '}')
            n++;
        else if (text.data[i] != '{')
            return tsr_op_error(op, "expected '}' after unescaped '{'");
    }
    return n == op->nin ||
           tsr_op_error(op, "requires operands for each placeholder in the %s string", in);
}

bool verify_emitpy_verbatim(tsr_op *op)
{
    return places(op, op->attrs[EMITPY_VERBATIM_value]->s, "format");
}

bool verify_emitpy_if(tsr_op *op)
{
    const tsr_block *then = op->regions[0].first, *otherwise = op->regions[1].first;
    if (!op->attrs[EMITPY_IF_condition]->s.len)
        return tsr_op_error(op, "condition string must not be empty");
    if (!then || !then->first)
        return tsr_op_error(op, "then block must contain at least one operation");
    if (otherwise && otherwise->next)
        return tsr_op_error(op, "else region must have exactly one block");
    if (otherwise && !otherwise->first)
        return tsr_op_error(op, "else block must contain at least one operation if present");
    return places(op, op->attrs[EMITPY_IF_condition]->s, "condition");
}

/* ---- Classes ---- */

static bool check_receiver(tsr_op *class, tsr_op *f, bool of_class)
{
    const tsr_block *body = f->regions[0].first;
    const tsr_attr *dicts = f->attrs[FUNC_FUNC_arg_attrs];
    const tsr_type *type = f->attrs[FUNC_FUNC_function_type]->type;
    const char *want = of_class ? "cls" : "self";
    if (!type->n || !body)
        return tsr_op_error(f, "instance and class methods must take a receiver argument");
    const tsr_attr *name =
        dicts && dicts->n ? tsr_dict_get(dicts->attrs[0], TSR_STR("emitpy.name")) : NULL;
    if (tsr_attr_is(name, TSR_ATTR_STRING) && !tsr_str_is(name->s, want))
        return tsr_op_error(f, "first argument must be named '%s' via emitpy.name", want);
    if (of_class)
        return true;
    if (!tsr_emitpy_is(type->types[0], &tsr_def_EMITPY_CLASS))
        return tsr_op_error(f, "self argument must have !emitpy.class type");
    tsr_str own = class->attrs[EMITPY_CLASS_sym_name]->s;
    return tsr_str_eq(type->types[0]->params[0]->s, own) ||
           tsr_op_error(f, "self type must match class name '%.*s'", TSR_STR_ARG(own));
}

static bool check_method(tsr_op *class, tsr_op *f, int *inits)
{
    const tsr_attr *kind = tsr_dict_get(f->extra, TSR_STR("emitpy.method_kind"));
    tsr_str word = tsr_attr_is(kind, TSR_ATTR_STRING) ? kind->s : TSR_STR("instance");
    bool instance = tsr_str_is(word, "instance"), of_class = tsr_str_is(word, "classmethod");
    if (!instance && !of_class && !tsr_str_is(word, "staticmethod"))
        return tsr_op_error(f, "emitpy.method_kind must be one of 'instance', 'staticmethod', or "
                               "'classmethod'");
    if (tsr_str_is(tsr_op_symbol(f), "__init__")) {
        ++*inits;
        if (f->attrs[FUNC_FUNC_function_type]->type->nout)
            return tsr_op_error(f, "__init__ must not return a value");
        if (!instance)
            return tsr_op_error(f, "__init__ must be an instance method");
    }
    return (!instance && !of_class) || check_receiver(class, f, of_class);
}

bool verify_emitpy_class(tsr_op *op)
{
    const tsr_attr *bases = op->attrs[EMITPY_CLASS_base_classes];
    int inits = 0;
    TSR_TRY(named(op, op->attrs[EMITPY_CLASS_sym_name]->s));
    for (uint32_t i = 0; bases && i < bases->n; i++)
        if (bases->attrs[i]->kind != TSR_ATTR_SYMBOL && !is_text(bases->attrs[i]))
            return tsr_op_error(op, "base_classes must be symbol refs or #emitpy.opaque");
    TSR_BLOCK_OPS (op->regions[0].first, o) {
        if (tsr_op_is(o, TSR_OP_FUNC_FUNC))
            TSR_TRY(check_method(op, o, &inits));
        else if (!tsr_op_in(o, TSR_DIALECT_EMITPY))
            return tsr_op_error(o, "only emitpy or func operations are allowed in a class body");
    }
    return inits <= 1 || tsr_op_error(op, "class body must have at most one __init__");
}

/* ---- Expressions ---- */

/* Ops that are expressions; of these only calls may have effects. */
static bool is_expression(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_EMITPY_CALL_OPAQUE:
    case TSR_OP_EMITPY_LITERAL:
    case TSR_OP_EMITPY_SUBSCRIPT:
    case TSR_OP_EMITPY_GET_ATTR:
    case TSR_OP_EMITPY_CONSTANT: return true;
    default: return false;
    }
}

static bool is_used_twice(const tsr_op *op)
{
    return op->out[0].uses && op->out[0].uses->next;
}

bool verify_emitpy_expression(tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    const tsr_op *yield = body ? body->last : NULL;
    if (!yield || !tsr_op_is(yield, TSR_OP_EMITPY_YIELD) || yield->nin != 1)
        return tsr_op_error(op, "must yield a value at termination");
    const tsr_value *v = yield->in[0].value;
    if (v->is_arg)
        return tsr_op_error(op, "yielded value has no defining op");
    if (v->op->block != body)
        return tsr_op_error(op, "yielded value not defined within expression");
    if (v->type != op->out[0].type)
        return tsr_op_error(op, "requires yielded type to match return type");
    TSR_BLOCK_OPS (body, o) {
        if (o == yield)
            break;
        if (!is_expression(o))
            return tsr_op_error(op, "contains an unsupported operation");
        if (o->nout != 1)
            return tsr_op_error(op, "requires exactly one result for each operation");
        if (!o->out[0].uses)
            return tsr_op_error(op, "contains an unused operation");
    }
    TSR_BLOCK_OPS (body, o)
        if (tsr_op_is(o, TSR_OP_EMITPY_CALL_OPAQUE) && is_used_twice(o))
            return tsr_op_error(op, "requires exactly one use for operations with side effects");
    return true;
}
