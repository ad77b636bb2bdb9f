/* SPDX-License-Identifier: Apache-2.0 */
/* cpp.c - emitc as C++, one statement for each op: T v3 = f(v1, v2);
 *
 * Literals, elements and globals have no statement of their own: they are written inline at their uses. Values are
 * named v1, v2, ... in each function. A name of a function or global that is not an identifier is rejected: names from
 * a file never become code. */
#include "dialect/emitc/emitc.h"
#include "target/emit/emit.h"

typedef struct {
    tsr_buf *out;
    tsr_buf *names; /* by id of a value; empty: none yet */
    unsigned last;  /* number of the last name */
    unsigned depth;
} writer;

static void indent(const writer *w)
{
    tsr_emit_indent(w->out, w->depth);
}

/* ---- Names ---- */

static bool is_identifier(tsr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i && c >= '0' && c <= '9'))
            return false;
    }
    return s.len > 0;
}

static bool symbol(const writer *w, const tsr_op *op, tsr_str name)
{
    if (!is_identifier(name))
        return tsr_op_error(op, "has a name that is no identifier of C++");
    tsr_buf_str(w->out, name);
    return true;
}

static tsr_str name_of(writer *w, const tsr_value *v)
{
    tsr_buf *n = &w->names[v->id];
    if (!n->len)
        tsr_buf_printf(n, "v%u", ++w->last);
    return tsr_buf_text(n);
}

static void put_value(writer *w, const tsr_value *v)
{
    tsr_buf_str(w->out, name_of(w, v));
}

/* ---- Types and attributes ---- */

static bool put_type(writer *w, const tsr_op *op, const tsr_type *t);

static bool put_integer(writer *w, const tsr_op *op, const tsr_type *t)
{
    if (t->width == 1) {
        tsr_buf_cstr(w->out, "bool");
        return true;
    }
    if (t->width != 8 && t->width != 16 && t->width != 32 && t->width != 64)
        return tsr_op_error(op, "has an integer type that C++ has not");
    tsr_buf_printf(w->out, "%sint%u_t", t->sub == TSR_UNSIGNED ? "u" : "", t->width);
    return true;
}

static bool put_dialect_type(writer *w, const tsr_op *op, const tsr_type *t)
{
    static const struct {
        const tsr_attrdef *def;
        const char *name;
    } plain[] = {{&tsr_def_EMITC_SIZE_T, "size_t"},
                 {&tsr_def_EMITC_SSIZE_T, "ssize_t"},
                 {&tsr_def_EMITC_PTRDIFF_T, "ptrdiff_t"}};
    if (t->def == &tsr_def_EMITC_OPAQUE_TYPE) {
        tsr_buf_str(w->out, t->params[0]->s);
        return true;
    }
    for (size_t i = 0; i < TSR_COUNT(plain); i++)
        if (plain[i].def == t->def) {
            tsr_buf_cstr(w->out, plain[i].name);
            return true;
        }
    const tsr_type *to = tsr_emitc_inner(t, &tsr_def_EMITC_PTR);
    if (to) {
        TSR_TRY(put_type(w, op, to));
        tsr_buf_char(w->out, '*');
        return true;
    }
    to = tsr_emitc_inner(t, &tsr_def_EMITC_LVALUE);
    return to ? put_type(w, op, to) : tsr_op_error(op, "has a type that C++ has not");
}

static bool put_type(writer *w, const tsr_op *op, const tsr_type *t)
{
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER: return put_integer(w, op, t);
    case TSR_TYPE_INDEX: tsr_buf_cstr(w->out, "size_t"); return true;
    case TSR_TYPE_FLOAT:
        if (t->sub != TSR_F32 && t->sub != TSR_F64)
            return tsr_op_error(op, "has a float type that C++ has not");
        tsr_buf_cstr(w->out, t->sub == TSR_F32 ? "float" : "double");
        return true;
    case TSR_TYPE_TUPLE:
        tsr_buf_cstr(w->out, "std::tuple<");
        for (uint32_t i = 0; i < t->n; i++) {
            tsr_buf_cstr(w->out, i ? ", " : "");
            TSR_TRY(put_type(w, op, t->types[i]));
        }
        tsr_buf_char(w->out, '>');
        return true;
    case TSR_TYPE_DIALECT: return put_dialect_type(w, op, t);
    default: return tsr_op_error(op, "has a type that C++ has not");
    }
}

/* The type of several values together. */
static bool put_types(writer *w, const tsr_op *op, tsr_type *const *types, size_t n)
{
    if (n == 0)
        tsr_buf_cstr(w->out, "void");
    if (n == 1)
        return put_type(w, op, types[0]);
    if (n > 1)
        tsr_buf_cstr(w->out, "std::tuple<");
    for (size_t i = 0; n > 1 && i < n; i++) {
        tsr_buf_cstr(w->out, i ? ", " : "");
        TSR_TRY(put_type(w, op, types[i]));
    }
    if (n > 1)
        tsr_buf_char(w->out, '>');
    return true;
}

static bool put_attr(writer *w, const tsr_op *op, const tsr_attr *a)
{
    if (tsr_attr_is_struct(a, &tsr_def_EMITC_OPAQUE))
        tsr_buf_str(w->out, a->attrs[0]->s);
    else if (a->kind == TSR_ATTR_INT && a->type->kind == TSR_TYPE_INTEGER && a->type->width == 1)
        tsr_buf_cstr(w->out, a->i ? "true" : "false");
    else if (a->kind == TSR_ATTR_INT)
        tsr_buf_int(w->out, a->i);
    else if (a->kind == TSR_ATTR_FLOAT) {
        tsr_buf_cstr(w->out, a->type->sub == TSR_F32 ? "(float)" : "(double)");
        tsr_buf_float(w->out, (tsr_float_kind)a->type->sub, (uint64_t)a->i);
    } else if (a->kind == TSR_ATTR_TYPE)
        return put_type(w, op, a->type);
    else
        return tsr_op_error(op, "has an attribute that C++ has not");
    return true;
}

/* ---- Statements ---- */

/* The left-hand side: empty, T v = , or T v; std::tie(..) = for several results. */
static bool put_results(writer *w, const tsr_op *op)
{
    if (op->nout == 1) {
        TSR_TRY(put_type(w, op, op->out[0].type));
        tsr_buf_char(w->out, ' ');
        put_value(w, &op->out[0]);
        tsr_buf_cstr(w->out, " = ");
    }
    for (uint32_t i = 0; op->nout > 1 && i < op->nout; i++) {
        TSR_TRY(put_type(w, op, op->out[i].type));
        tsr_buf_char(w->out, ' ');
        put_value(w, &op->out[i]);
        tsr_buf_cstr(w->out, ";\n");
        indent(w);
    }
    for (uint32_t i = 0; op->nout > 1 && i < op->nout; i++) {
        tsr_buf_cstr(w->out, i ? ", " : "std::tie(");
        put_value(w, &op->out[i]);
    }
    tsr_buf_cstr(w->out, op->nout > 1 ? ") = " : "");
    return true;
}

static void put_operands(writer *w, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_buf_cstr(w->out, i ? ", " : "");
        put_value(w, op->in[i].value);
    }
}

static bool put_arguments(writer *w, const tsr_op *op, const tsr_attr *args)
{
    if (!args) {
        put_operands(w, op);
        return true;
    }
    for (uint32_t i = 0; i < args->n; i++) {
        const tsr_attr *a = args->attrs[i];
        tsr_buf_cstr(w->out, i ? ", " : "");
        if (a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INDEX))
            put_value(w, op->in[a->i].value);
        else
            TSR_TRY(put_attr(w, op, a));
    }
    return true;
}

static bool write_call_opaque(writer *w, const tsr_op *op)
{
    const tsr_attr *templates = op->attrs[EMITC_CALL_OPAQUE_template_args];
    TSR_TRY(put_results(w, op));
    tsr_buf_str(w->out, op->attrs[EMITC_CALL_OPAQUE_callee]->s);
    for (uint32_t i = 0; templates && i < templates->n; i++) {
        tsr_buf_cstr(w->out, i ? ", " : "<");
        TSR_TRY(put_attr(w, op, templates->attrs[i]));
    }
    tsr_buf_cstr(w->out, templates && templates->n ? ">(" : "(");
    TSR_TRY(put_arguments(w, op, op->attrs[EMITC_CALL_OPAQUE_args]));
    tsr_buf_cstr(w->out, ");\n");
    return true;
}

static bool call_of(writer *w, const tsr_op *op, const tsr_attr *callee)
{
    TSR_TRY(put_results(w, op) && symbol(w, op, callee->s));
    tsr_buf_char(w->out, '(');
    put_operands(w, op);
    tsr_buf_cstr(w->out, ");\n");
    return true;
}

static bool write_call(writer *w, const tsr_op *op)
{
    return call_of(w, op, op->attrs[EMITC_CALL_callee]);
}

static bool write_func_call(writer *w, const tsr_op *op)
{
    return call_of(w, op, op->attrs[FUNC_CALL_callee]);
}

static bool write_constant(writer *w, const tsr_op *op)
{
    TSR_TRY(put_results(w, op) && put_attr(w, op, op->attrs[0]));
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

static bool write_variable(writer *w, const tsr_op *op)
{
    const tsr_attr *value = op->attrs[EMITC_VARIABLE_value];
    TSR_TRY(put_type(w, op, op->out[0].type));
    tsr_buf_char(w->out, ' ');
    put_value(w, &op->out[0]);
    if (!tsr_attr_is_struct(value, &tsr_def_EMITC_OPAQUE) || value->attrs[0]->s.len) {
        tsr_buf_cstr(w->out, " = ");
        TSR_TRY(put_attr(w, op, value));
    }
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

static bool write_load(writer *w, const tsr_op *op)
{
    TSR_TRY(put_results(w, op));
    put_value(w, op->in[0].value);
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

static bool write_assign(writer *w, const tsr_op *op)
{
    put_value(w, op->in[0].value);
    tsr_buf_cstr(w->out, " = ");
    put_value(w, op->in[1].value);
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

static bool write_apply(writer *w, const tsr_op *op)
{
    TSR_TRY(put_results(w, op));
    tsr_buf_str(w->out, op->attrs[EMITC_APPLY_applicableOperator]->s);
    put_value(w, op->in[0].value);
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

/* {} is replaced by an operand, {{ is a brace. */
static bool write_verbatim(writer *w, const tsr_op *op)
{
    tsr_str text = op->attrs[EMITC_VERBATIM_value]->s;
    uint32_t at = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool brace = op->nin && text.data[i] == '{';
        if (brace && text.data[i + 1] == '}')
            put_value(w, op->in[at++].value);
        else
            tsr_buf_char(w->out, text.data[i]);
        i += brace;
    }
    tsr_buf_char(w->out, '\n');
    return true;
}

static bool write_return(writer *w, const tsr_op *op)
{
    tsr_buf_cstr(w->out, op->nin == 0   ? "return"
                         : op->nin == 1 ? "return "
                                        : "return std::make_tuple(");
    put_operands(w, op);
    tsr_buf_cstr(w->out, op->nin > 1 ? ");\n" : ";\n");
    return true;
}

static bool write_yield(writer *w, const tsr_op *op)
{
    (void)w;
    return !op->nin || tsr_op_error(op, "yields a value, which has no place in C++");
}

static bool write_include(writer *w, const tsr_op *op)
{
    tsr_str file = op->attrs[EMITC_INCLUDE_include]->s;
    bool angle = op->attrs[EMITC_INCLUDE_is_standard_include];
    for (size_t i = 0; i < file.len; i++)
        if (strchr("\n\r\"<>", file.data[i]) || !file.data[i])
            return tsr_op_error(op, "names a file that no include can name");
    tsr_buf_printf(w->out, angle ? "#include <%.*s>\n" : "#include \"%.*s\"\n", TSR_STR_ARG(file));
    return true;
}

static bool write_global(writer *w, const tsr_op *op)
{
    const tsr_attr *value = op->attrs[EMITC_GLOBAL_initial_value];
    tsr_buf_cstr(w->out, op->attrs[EMITC_GLOBAL_extern_specifier] ? "extern " : "");
    tsr_buf_cstr(w->out, op->attrs[EMITC_GLOBAL_static_specifier] ? "static " : "");
    tsr_buf_cstr(w->out, op->attrs[EMITC_GLOBAL_const_specifier] ? "const " : "");
    TSR_TRY(put_type(w, op, op->attrs[EMITC_GLOBAL_type]->type));
    tsr_buf_char(w->out, ' ');
    TSR_TRY(symbol(w, op, tsr_op_symbol(op)));
    if (value) {
        tsr_buf_cstr(w->out, " = ");
        TSR_TRY(put_attr(w, op, value));
    }
    tsr_buf_cstr(w->out, ";\n");
    return true;
}

/* ---- Inline expressions ---- */

static bool name_literal(writer *w, const tsr_op *op)
{
    tsr_buf_str(&w->names[op->out[0].id], op->attrs[EMITC_LITERAL_value]->s);
    return true;
}

static bool name_subscript(writer *w, const tsr_op *op)
{
    tsr_buf text = {0};
    tsr_buf_str(&text, name_of(w, op->in[0].value));
    for (uint32_t i = 1; i < op->nin; i++) {
        tsr_str index = name_of(w, op->in[i].value);
        tsr_buf_printf(&text, "[%.*s]", TSR_STR_ARG(index));
    }
    w->names[op->out[0].id] = text;
    return true;
}

static bool name_global(writer *w, const tsr_op *op)
{
    tsr_str name = op->attrs[EMITC_GET_GLOBAL_name]->s;
    if (!is_identifier(name))
        return tsr_op_error(op, "has a name that is no identifier of C++");
    tsr_buf_str(&w->names[op->out[0].id], name);
    return true;
}

/* ---- Blocks ---- */

static bool write_ops(writer *w, const tsr_block *b);

static bool braces(writer *w, const tsr_block *b)
{
    tsr_buf_cstr(w->out, "{\n");
    w->depth++;
    TSR_TRY(!b || write_ops(w, b));
    w->depth--;
    indent(w);
    tsr_buf_cstr(w->out, "}");
    return true;
}

static bool write_if(writer *w, const tsr_op *op)
{
    tsr_buf_cstr(w->out, "if (");
    put_value(w, op->in[0].value);
    tsr_buf_cstr(w->out, ") ");
    TSR_TRY(braces(w, op->regions[0].first));
    if (op->regions[1].first) {
        tsr_buf_cstr(w->out, " else ");
        TSR_TRY(braces(w, op->regions[1].first));
    }
    tsr_buf_char(w->out, '\n');
    return true;
}

/* Uses the slots of func.func, which emitc.func has at the same positions. */
static bool write_func(writer *w, const tsr_op *op)
{
    const tsr_type *type = op->attrs[FUNC_FUNC_function_type]->type;
    const tsr_block *body = op->regions[0].first;
    if (body && body->next)
        return tsr_op_error(op, "has several blocks, which C++ has not");
    w->last = 0;
    TSR_TRY(put_types(w, op, type->types + type->n, type->nout));
    tsr_buf_char(w->out, ' ');
    TSR_TRY(symbol(w, op, tsr_op_symbol(op)));
    tsr_buf_char(w->out, '(');
    for (uint32_t i = 0; i < type->n; i++) {
        tsr_buf_cstr(w->out, i ? ", " : "");
        TSR_TRY(put_type(w, op, type->types[i]));
        if (body) {
            tsr_buf_char(w->out, ' ');
            put_value(w, body->args[i]);
        }
    }
    if (!body) {
        tsr_buf_cstr(w->out, ");\n");
        return true;
    }
    tsr_buf_cstr(w->out, ") ");
    TSR_TRY(braces(w, body));
    tsr_buf_cstr(w->out, "\n\n");
    return true;
}

typedef bool write_fn(writer *w, const tsr_op *op);
/* inside: names a value and writes nothing. */
static const struct {
    uint16_t opcode;
    bool names;
    write_fn *write;
} rows[] = {
    {TSR_OP_EMITC_INCLUDE, false, write_include},
    {TSR_OP_EMITC_VERBATIM, false, write_verbatim},
    {TSR_OP_EMITC_CALL_OPAQUE, false, write_call_opaque},
    {TSR_OP_EMITC_LITERAL, true, name_literal},
    {TSR_OP_EMITC_CONSTANT, false, write_constant},
    {TSR_OP_ARITH_CONSTANT, false, write_constant},
    {TSR_OP_EMITC_VARIABLE, false, write_variable},
    {TSR_OP_EMITC_LOAD, false, write_load},
    {TSR_OP_EMITC_ASSIGN, false, write_assign},
    {TSR_OP_EMITC_APPLY, false, write_apply},
    {TSR_OP_EMITC_SUBSCRIPT, true, name_subscript},
    {TSR_OP_EMITC_GLOBAL, false, write_global},
    {TSR_OP_EMITC_GET_GLOBAL, true, name_global},
    {TSR_OP_EMITC_IF, false, write_if},
    {TSR_OP_EMITC_YIELD, true, write_yield},
    {TSR_OP_EMITC_FUNC, false, write_func},
    {TSR_OP_EMITC_RETURN, false, write_return},
    {TSR_OP_EMITC_CALL, false, write_call},
    {TSR_OP_FUNC_FUNC, false, write_func},
    {TSR_OP_FUNC_RETURN, false, write_return},
    {TSR_OP_FUNC_CALL, false, write_func_call},
};

static bool write_op(writer *w, const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rows); i++) {
        if (!tsr_op_is(op, rows[i].opcode))
            continue;
        if (!rows[i].names)
            indent(w);
        return rows[i].write(w, op);
    }
    return tsr_op_error(op, "unable to find printer for op");
}

static bool write_ops(writer *w, const tsr_block *b)
{
    TSR_BLOCK_OPS (b, op)
        TSR_TRY(write_op(w, op));
    return true;
}

static bool write_module(writer *w, const tsr_module *m, tsr_str file)
{
    TSR_BLOCK_OPS (m->op->regions[0].first, op) {
        if (!tsr_op_is(op, TSR_OP_EMITC_FILE)) {
            TSR_TRY(file.len || write_op(w, op));
            continue;
        }
        tsr_str id = op->attrs[EMITC_FILE_id]->s;
        if (file.len && tsr_str_eq(id, file) && op->regions[0].first)
            TSR_TRY(write_ops(w, op->regions[0].first));
    }
    return true;
}

bool tsr_emit_cpp(const tsr_module *m, tsr_str file, tsr_buf *out)
{
    writer w = {.out = out, .names = tsr_xmalloc((m->nvalue + 1) * sizeof(tsr_buf))};
    memset(w.names, 0, (m->nvalue + 1) * sizeof(tsr_buf));
    bool ok = write_module(&w, m, file);
    for (uint32_t i = 0; i <= m->nvalue; i++)
        tsr_buf_free(&w.names[i]);
    tsr_free(w.names);
    return ok;
}
