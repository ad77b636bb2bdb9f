/* SPDX-License-Identifier: Apache-2.0 */
/* python.c - emitpy as Python, one statement for each op: ttnn_add_0 = ttnn.add(a, b)
 *
 * Literals, globals and expressions with one use are written inline at their uses. A value is named by emitpy.name,
 * made an identifier; names that are taken get a number. Names of functions, classes and variables from a file never
 * become code. */
#include "dialect/emitpy/emitpy.h"
#include "lower/emit/emit.h"
#include "target/emit/emit.h"

typedef struct {
    tsr_buf *out;
    tsr_buf *names;  /* by value id: a name, or the inline expression */
    tsr_map taken;   /* names of this function, by hash */
    tsr_map symbols; /* names of the module's functions, classes and globals */
    tsr_arena arena;
    unsigned depth;
} writer;

static void indent(const writer *w)
{
    tsr_emit_indent(w->out, w->depth);
}

/* ---- Names ---- */

static bool has(const tsr_map *m, tsr_str name)
{
    TSR_MAP_EACH (m, tsr_hash_str(name), found) {
        if (tsr_str_eq(*(const tsr_str *)found, name))
            return true;
    }
    return false;
}

static void take(writer *w, tsr_map *m, tsr_str name)
{
    tsr_str *kept = tsr_arena_alloc(&w->arena, sizeof *kept);
    *kept = (tsr_str){tsr_arena_copy(&w->arena, name.data, name.len), name.len};
    tsr_map_put(m, tsr_hash_str(name), kept);
}

static void identifier(tsr_buf *out, tsr_str name)
{
    const char *why = NULL;
    if (!name.len || (name.data[0] >= '0' && name.data[0] <= '9'))
        tsr_buf_char(out, '_');
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool fine =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        tsr_buf_char(out, fine ? c : '_');
    }
    if (!tsr_python_identifier(tsr_buf_text(out), &why))
        tsr_buf_char(out, '_');
}

/* Gives v a name that is not used here. */
static void give_name(writer *w, const tsr_value *v, tsr_str wish)
{
    tsr_buf *name = &w->names[v->id];
    name->len = 0;
    identifier(name, wish);
    size_t len = name->len;
    for (unsigned n = 0; has(&w->taken, tsr_buf_text(name)) || has(&w->symbols, tsr_buf_text(name));
         n++) {
        name->len = len;
        tsr_buf_printf(name, "_%u", n);
    }
    take(w, &w->taken, tsr_buf_text(name));
}

static void give_text(writer *w, const tsr_value *v, tsr_str text)
{
    tsr_buf copy = {0};
    tsr_buf_str(&copy, text);
    tsr_buf_free(&w->names[v->id]);
    w->names[v->id] = copy;
}

static tsr_str text_of(const writer *w, const tsr_value *v)
{
    return tsr_buf_text(&w->names[v->id]);
}

static tsr_str hint(const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, TSR_STR("emitpy.name"));
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){0};
}

/* ---- Expressions ---- */

static bool put_attr(tsr_buf *out, const tsr_op *op, const tsr_attr *a)
{
    if (tsr_attr_is_struct(a, &tsr_def_EMITPY_OPAQUE))
        tsr_buf_str(out, a->attrs[0]->s);
    else if (a->kind == TSR_ATTR_INT && a->type->kind == TSR_TYPE_INTEGER && a->type->width == 1)
        tsr_buf_cstr(out, a->i ? "True" : "False");
    else if (a->kind == TSR_ATTR_INT)
        tsr_buf_int(out, a->i);
    else if (a->kind == TSR_ATTR_FLOAT)
        tsr_buf_float(out, (tsr_float_kind)a->type->sub, (uint64_t)a->i);
    else if (a->kind == TSR_ATTR_STRING)
        tsr_emit_string(out, a->s);
    else
        return tsr_op_error(op, "has an attribute that Python has not");
    return true;
}

static void put_operands(const writer *w, tsr_buf *out, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_str(out, text_of(w, op->in[i].value));
    }
}

static bool put_call(const writer *w, tsr_buf *out, const tsr_op *op)
{
    const tsr_attr *args = op->attrs[EMITPY_CALL_OPAQUE_args],
                   *keys = op->attrs[EMITPY_CALL_OPAQUE_keyword_args];
    tsr_str callee = op->attrs[EMITPY_CALL_OPAQUE_callee]->s;
    bool list = tsr_str_is(callee, "util_create_list");
    if (!list)
        tsr_buf_str(out, callee);
    tsr_buf_char(out, list ? '[' : '(');
    if (!args)
        put_operands(w, out, op);
    for (uint32_t i = 0; args && i < args->n; i++) {
        const tsr_attr *a = args->attrs[i];
        tsr_str key = keys->attrs[i]->s;
        tsr_buf_cstr(out, i ? ", " : "");
        if (key.len)
            tsr_buf_printf(out, "%.*s=", TSR_STR_ARG(key));
        if (a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INDEX))
            tsr_buf_str(out, text_of(w, op->in[a->i].value));
        else
            TSR_TRY(put_attr(out, op, a));
    }
    tsr_buf_char(out, list ? ']' : ')');
    return true;
}

/* Ops that are expressions. */
static bool put_expression(const writer *w, tsr_buf *out, const tsr_op *op)
{
    tsr_str text;
    switch (op->def->opcode) {
    case TSR_OP_EMITPY_CALL_OPAQUE: return put_call(w, out, op);
    case TSR_OP_EMITPY_LITERAL: tsr_buf_str(out, op->attrs[EMITPY_LITERAL_value]->s); return true;
    case TSR_OP_EMITPY_CONSTANT: return put_attr(out, op, op->attrs[EMITPY_CONSTANT_value]);
    case TSR_OP_EMITPY_SUBSCRIPT:
        text = text_of(w, op->in[0].value);
        tsr_buf_printf(out, "%.*s[", TSR_STR_ARG(text));
        tsr_buf_str(out, text_of(w, op->in[1].value));
        tsr_buf_char(out, ']');
        return true;
    case TSR_OP_EMITPY_GET_ATTR:
        text = text_of(w, op->in[0].value);
        tsr_buf_printf(out, "%.*s.%.*s", TSR_STR_ARG(text),
                       TSR_STR_ARG(op->attrs[EMITPY_GET_ATTR_attr_name]->s));
        return true;
    default: return tsr_op_error(op, "is no expression of Python");
    }
}

/* The expression of an emitpy.expression: its ops, nested. */
static bool put_body(writer *w, tsr_buf *out, const tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; i < body->nargs && i < op->nin; i++)
        give_text(w, body->args[i], text_of(w, op->in[i].value));
    TSR_BLOCK_OPS (body, o) {
        tsr_buf text = {0};
        if (tsr_op_is(o, TSR_OP_EMITPY_YIELD)) {
            tsr_buf_str(out, text_of(w, o->in[0].value));
            return true;
        }
        bool ok = put_expression(w, &text, o);
        give_text(w, &o->out[0], tsr_buf_text(&text));
        tsr_buf_free(&text);
        TSR_TRY(ok);
    }
    return true;
}

/* ---- Statements ---- */

/* The left-hand side: empty, x = or x, y = . */
static void put_targets(writer *w, const tsr_op *op, tsr_str wish)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_buf one = {0};
        tsr_buf_str(&one, wish);
        if (op->nout > 1)
            tsr_buf_printf(&one, "_%u", i);
        give_name(w, &op->out[i], tsr_buf_text(&one));
        tsr_buf_free(&one);
        tsr_buf_cstr(w->out, i ? ", " : "");
        tsr_buf_str(w->out, text_of(w, &op->out[i]));
    }
    tsr_buf_cstr(w->out, op->nout ? " = " : "");
}

static tsr_str wish_of(const tsr_op *op)
{
    tsr_str wish = hint(op);
    return wish.len ? wish : TSR_STR("var_0");
}

/* A statement that gives an expression to the names of the op's results. */
static void write_assignment(writer *w, const tsr_op *op, const tsr_buf *expression)
{
    indent(w);
    put_targets(w, op, wish_of(op));
    tsr_buf_str(w->out, tsr_buf_text(expression));
    tsr_buf_char(w->out, '\n');
}

static bool write_expression_op(writer *w, const tsr_op *op)
{
    tsr_buf text = {0};
    bool ok = put_expression(w, &text, op);
    write_assignment(w, op, &text);
    tsr_buf_free(&text);
    return ok;
}

static bool name_literal(writer *w, const tsr_op *op)
{
    give_text(w, &op->out[0], op->attrs[EMITPY_LITERAL_value]->s);
    return true;
}

/* Used once, or the target of an assignment. */
static bool is_inline(const tsr_op *op)
{
    if (op->attrs[EMITPY_EXPRESSION_do_not_inline])
        return false;
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (op->out[0].uses->next &&
            !(tsr_op_is(u->user, TSR_OP_EMITPY_ASSIGN) && u == &u->user->in[0]))
            return false;
    return op->out[0].uses != NULL;
}

static bool write_expression(writer *w, const tsr_op *op)
{
    tsr_buf text = {0};
    bool ok = put_body(w, &text, op);
    if (ok && is_inline(op))
        give_text(w, &op->out[0], tsr_buf_text(&text));
    else
        write_assignment(w, op, &text);
    tsr_buf_free(&text);
    return ok;
}

static bool write_func_call(writer *w, const tsr_op *op)
{
    tsr_str callee = op->attrs[FUNC_CALL_callee]->s, name = hint(op);
    const char *why = NULL;
    if (!tsr_python_identifier(callee, &why))
        return tsr_op_error(op, "has a name that is no identifier of Python");
    indent(w);
    if (op->nout == 1 && name.len && has(&w->taken, name)) { /* a global that this function sets */
        give_text(w, &op->out[0], name);
        tsr_buf_printf(w->out, "%.*s = ", TSR_STR_ARG(name));
    } else {
        put_targets(w, op, name.len ? name : callee);
    }
    tsr_buf_printf(w->out, "%.*s(", TSR_STR_ARG(callee));
    put_operands(w, w->out, op);
    tsr_buf_cstr(w->out, ")\n");
    return true;
}

static bool write_return(writer *w, const tsr_op *op)
{
    indent(w);
    tsr_buf_cstr(w->out, op->nin ? "return " : "return");
    put_operands(w, w->out, op);
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_import(writer *w, const tsr_op *op)
{
    const tsr_attr *alias = op->attrs[EMITPY_IMPORT_module_alias],
                   *names = op->attrs[EMITPY_IMPORT_members_to_import],
                   *aliases = op->attrs[EMITPY_IMPORT_member_aliases];
    tsr_str module = op->attrs[EMITPY_IMPORT_module_name]->s;
    bool all = op->attrs[EMITPY_IMPORT_import_all], from = all || names;
    indent(w);
    tsr_buf_printf(w->out, from ? "from %.*s import " : "import %.*s", TSR_STR_ARG(module));
    if (all)
        tsr_buf_char(w->out, '*');
    if (alias && alias->s.len)
        tsr_buf_printf(w->out, " as %.*s", TSR_STR_ARG(alias->s));
    for (uint32_t i = 0; names && i < names->n; i++) {
        tsr_buf_printf(w->out, "%s%.*s", i ? ", " : "", TSR_STR_ARG(names->attrs[i]->s));
        if (aliases && aliases->attrs[i]->s.len)
            tsr_buf_printf(w->out, " as %.*s", TSR_STR_ARG(aliases->attrs[i]->s));
    }
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_global(writer *w, const tsr_op *op)
{
    indent(w);
    tsr_buf_printf(w->out, "%.*s = ", TSR_STR_ARG(tsr_op_symbol(op)));
    TSR_TRY(put_attr(w->out, op, op->attrs[EMITPY_GLOBAL_initial_value]));
    tsr_buf_char(w->out, '\n');
    return true;
}

/* global x, once per function. */
static bool write_global_statement(writer *w, const tsr_op *op)
{
    tsr_str name = op->attrs[EMITPY_GLOBAL_STATEMENT_name]->s;
    give_text(w, &op->out[0], name);
    if (has(&w->taken, name))
        return true;
    take(w, &w->taken, name);
    indent(w);
    tsr_buf_printf(w->out, "global %.*s\n", TSR_STR_ARG(name));
    return true;
}

static bool write_assign_global(writer *w, const tsr_op *op)
{
    indent(w);
    tsr_buf_printf(w->out, "%.*s = ", TSR_STR_ARG(op->attrs[EMITPY_ASSIGN_GLOBAL_name]->s));
    tsr_buf_str(w->out, text_of(w, op->in[0].value));
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_assign(writer *w, const tsr_op *op)
{
    indent(w);
    tsr_buf_str(w->out, text_of(w, op->in[0].value));
    tsr_buf_cstr(w->out, " = ");
    tsr_buf_str(w->out, text_of(w, op->in[1].value));
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_set_attr(writer *w, const tsr_op *op)
{
    indent(w);
    tsr_buf_str(w->out, text_of(w, op->in[0].value));
    tsr_buf_printf(w->out, ".%.*s = ", TSR_STR_ARG(op->attrs[EMITPY_SET_ATTR_attr_name]->s));
    tsr_buf_str(w->out, text_of(w, op->in[1].value));
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_create_dict(writer *w, const tsr_op *op)
{
    const tsr_attr *text = op->attrs[EMITPY_CREATE_DICT_literal_expr];
    tsr_str name = op->attrs[EMITPY_CREATE_DICT_dict_name]->s;
    give_text(w, &op->out[0], name);
    take(w, &w->taken, name);
    indent(w);
    tsr_buf_printf(w->out, "%.*s = ", TSR_STR_ARG(name));
    if (text)
        tsr_buf_str(w->out, text->s);
    for (uint32_t i = 0; !text && i < op->nin; i += 2) {
        tsr_buf_cstr(w->out, i ? ", " : "{");
        tsr_buf_str(w->out, text_of(w, op->in[i].value));
        tsr_buf_cstr(w->out, ": ");
        tsr_buf_str(w->out, text_of(w, op->in[i + 1].value));
    }
    tsr_buf_cstr(w->out, text ? "\n" : "}\n");
    return true;
}

/* {} is replaced by an operand, {{ is a brace. */
static void put_format(const writer *w, tsr_buf *out, const tsr_op *op, tsr_str text)
{
    uint32_t at = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool brace = op->nin && text.data[i] == '{' && i + 1 < text.len;
        if (brace && text.data[i + 1] == '}')
            tsr_buf_str(out, text_of(w, op->in[at++].value));
        else
            tsr_buf_char(out, text.data[i]);
        i += brace;
    }
}

static bool write_verbatim(writer *w, const tsr_op *op)
{
    indent(w);
    put_format(w, w->out, op, op->attrs[EMITPY_VERBATIM_value]->s);
    tsr_buf_char(w->out, '\n');
    return true;
}

/* ---- Blocks ---- */

static bool write_ops(writer *w, const tsr_block *b);

/* The block after a colon: at least pass. */
static bool write_inside(writer *w, const tsr_block *b)
{
    w->depth++;
    if (!b || !b->first) {
        indent(w);
        tsr_buf_cstr(w->out, "pass\n");
    }
    TSR_TRY(!b || write_ops(w, b));
    w->depth--;
    return true;
}

static bool write_branch(writer *w, const tsr_op *op, const char *word)
{
    const tsr_block *otherwise = op->regions[1].first;
    indent(w);
    tsr_buf_cstr(w->out, word);
    put_format(w, w->out, op, op->attrs[EMITPY_IF_condition]->s);
    tsr_buf_cstr(w->out, ":\n");
    TSR_TRY(write_inside(w, op->regions[0].first));
    if (!otherwise)
        return true;
    const tsr_op *only = otherwise->first;
    if (only == otherwise->last && tsr_op_is(only, TSR_OP_EMITPY_IF) && !only->regions[1].first)
        return write_branch(w, only, "elif ");
    indent(w);
    tsr_buf_cstr(w->out, "else:\n");
    return write_inside(w, otherwise);
}

static bool write_if(writer *w, const tsr_op *op)
{
    return write_branch(w, op, "if ");
}

static tsr_str argument_name(const tsr_op *op, const tsr_attr *dicts, uint32_t i)
{
    const tsr_attr *a =
        dicts && i < dicts->n ? tsr_dict_get(dicts->attrs[i], TSR_STR("emitpy.name")) : NULL;
    if (tsr_attr_is(a, TSR_ATTR_STRING))
        return a->s;
    const tsr_op *parent = tsr_block_parent(op->block);
    return !i && parent && tsr_op_is(parent, TSR_OP_EMITPY_CLASS) ? TSR_STR("self")
                                                                  : TSR_STR("inputs");
}

/* def name(a, b): and the block. */
static bool write_def(writer *w, const tsr_op *op, tsr_str name, const tsr_attr *dicts)
{
    const tsr_block *body = op->regions[0].first;
    const char *why = NULL;
    if (!tsr_python_identifier(name, &why))
        return tsr_op_error(op, "has a name that is no identifier of Python");
    if (body->next)
        return tsr_op_error(op, "has several blocks, which Python has not");
    indent(w);
    tsr_buf_printf(w->out, "def %.*s(", TSR_STR_ARG(name));
    for (uint32_t i = 0; i < body->nargs; i++) {
        give_name(w, body->args[i], argument_name(op, dicts, i));
        tsr_buf_cstr(w->out, i ? ", " : "");
        tsr_buf_str(w->out, text_of(w, body->args[i]));
    }
    tsr_buf_cstr(w->out, "):\n");
    return write_inside(w, body);
}

static bool write_func(writer *w, const tsr_op *op)
{
    const tsr_attr *kind = tsr_dict_get(op->extra, TSR_STR("emitpy.method_kind"));
    tsr_str name = tsr_op_symbol(op);
    tsr_map outer = w->taken;
    if (!op->regions[0].first)
        return true; /* a declaration has no text */
    w->taken = (tsr_map){0};
    if (tsr_attr_is(kind, TSR_ATTR_STRING) && !tsr_str_is(kind->s, "instance")) {
        indent(w);
        tsr_buf_printf(w->out, "@%.*s\n", TSR_STR_ARG(kind->s));
    }
    bool ok = write_def(w, op, name, op->attrs[FUNC_FUNC_arg_attrs]);
    tsr_map_free(&w->taken);
    w->taken = outer;
    tsr_buf_char(w->out, '\n');
    if (ok && !w->depth && tsr_str_is(name, "main"))
        tsr_buf_cstr(w->out, "if __name__ == '__main__':\n  main()\n\n");
    return ok;
}

static bool write_nested_func(writer *w, const tsr_op *op)
{
    return write_def(w, op, op->attrs[EMITPY_NESTED_FUNC_sym_name]->s, NULL);
}

static bool write_class(writer *w, const tsr_op *op)
{
    const tsr_attr *bases = op->attrs[EMITPY_CLASS_base_classes];
    indent(w);
    tsr_buf_printf(w->out, "class %.*s", TSR_STR_ARG(tsr_op_symbol(op)));
    for (uint32_t i = 0; bases && i < bases->n; i++) {
        const tsr_attr *b = bases->attrs[i];
        tsr_buf_cstr(w->out, i ? ", " : "(");
        tsr_buf_str(w->out, b->kind == TSR_ATTR_SYMBOL ? b->s : b->attrs[0]->s);
    }
    tsr_buf_cstr(w->out, bases && bases->n ? "):\n" : ":\n");
    return write_inside(w, op->regions[0].first);
}

static bool write_file(writer *w, const tsr_op *op)
{
    tsr_str id = op->attrs[EMITPY_FILE_id]->s;
    tsr_buf_cstr(w->out, "# File: ");
    tsr_emit_string(w->out, id);
    tsr_buf_char(w->out, '\n');
    return !op->regions[0].first || write_ops(w, op->regions[0].first);
}

static bool write_module(writer *w, const tsr_op *op)
{
    return !op->regions[0].first || write_ops(w, op->regions[0].first);
}

typedef bool write_fn(writer *w, const tsr_op *op);
static const struct {
    uint16_t opcode;
    write_fn *write;
} rows[] = {
    {TSR_OP_BUILTIN_MODULE, write_module},
    {TSR_OP_EMITPY_FILE, write_file},
    {TSR_OP_EMITPY_IMPORT, write_import},
    {TSR_OP_EMITPY_GLOBAL, write_global},
    {TSR_OP_EMITPY_CLASS, write_class},
    {TSR_OP_FUNC_FUNC, write_func},
    {TSR_OP_FUNC_CALL, write_func_call},
    {TSR_OP_FUNC_RETURN, write_return},
    {TSR_OP_EMITPY_NESTED_FUNC, write_nested_func},
    {TSR_OP_EMITPY_NESTED_FUNC_RETURN, write_return},
    {TSR_OP_EMITPY_CALL_OPAQUE, write_expression_op},
    {TSR_OP_EMITPY_LITERAL, name_literal},
    {TSR_OP_EMITPY_CONSTANT, write_expression_op},
    {TSR_OP_EMITPY_SUBSCRIPT, write_expression_op},
    {TSR_OP_EMITPY_GET_ATTR, write_expression_op},
    {TSR_OP_EMITPY_SET_ATTR, write_set_attr},
    {TSR_OP_EMITPY_EXPRESSION, write_expression},
    {TSR_OP_EMITPY_GLOBAL_STATEMENT, write_global_statement},
    {TSR_OP_EMITPY_ASSIGN_GLOBAL, write_assign_global},
    {TSR_OP_EMITPY_ASSIGN, write_assign},
    {TSR_OP_EMITPY_CREATE_DICT, write_create_dict},
    {TSR_OP_EMITPY_IF, write_if},
    {TSR_OP_EMITPY_VERBATIM, write_verbatim},
};

static bool write_op(writer *w, const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (tsr_op_is(op, rows[i].opcode))
            return rows[i].write(w, op);
    return tsr_op_error(op, "unable to find printer for op");
}

static bool write_ops(writer *w, const tsr_block *b)
{
    TSR_BLOCK_OPS (b, op)
        TSR_TRY(write_op(w, op));
    return true;
}

/* One of several files, without its heading. */
static bool write_one_file(writer *w, const tsr_op *root, tsr_str file)
{
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_EMITPY_FILE) && tsr_str_eq(op->attrs[EMITPY_FILE_id]->s, file) &&
            op->regions[0].first)
            TSR_TRY(write_ops(w, op->regions[0].first));
    return true;
}

bool tsr_emit_python(const tsr_module *m, tsr_str file, tsr_buf *out)
{
    writer w = {.out = out, .names = tsr_xmalloc((m->nvalue + 1) * sizeof(tsr_buf))};
    memset(w.names, 0, (m->nvalue + 1) * sizeof(tsr_buf));
    tsr_arena_init(&w.arena);
    TSR_OPS (m->op, op)
        if (tsr_op_symbol(op).len)
            take(&w, &w.symbols, tsr_op_symbol(op));
    bool ok = file.len ? write_one_file(&w, m->op, file) : write_module(&w, m->op);
    for (uint32_t i = 0; i <= m->nvalue; i++)
        tsr_buf_free(&w.names[i]);
    tsr_free(w.names);
    tsr_map_free(&w.symbols);
    tsr_map_free(&w.taken);
    tsr_arena_free(&w.arena);
    return ok;
}
