/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of emitc's ops. */
#include "dialect/emitc/emitc.h"

#include "dialect/hooks.h"

/* Numbers of type index in a list of arguments refer to operands; the rest is text, types or numbers. */
static bool arguments(tsr_op *op, const tsr_attr *args, const char *what)
{
    for (uint32_t i = 0; args && i < args->n; i++) {
        const tsr_attr *a = args->attrs[i];
        if (a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INDEX) &&
            (a->i < 0 || a->i >= (int64_t)op->nin))
            return tsr_op_error(op, "%s index argument is out of range", what);
        if (a->kind == TSR_ATTR_ARRAY)
            return tsr_op_error(op, "%s array argument has no type", what);
    }
    return true;
}

bool verify_emitc_call_opaque(tsr_op *op)
{
    if (!op->attrs[EMITC_CALL_OPAQUE_callee]->s.len)
        return tsr_op_error(op, "callee must not be empty");
    return arguments(op, op->attrs[EMITC_CALL_OPAQUE_args], "args");
}

bool verify_emitc_literal(tsr_op *op)
{
    return op->attrs[EMITC_LITERAL_value]->s.len || tsr_op_error(op, "value must not be empty");
}

bool verify_emitc_load(tsr_op *op)
{
    const tsr_type *of = tsr_emitc_inner(op->in[0].value->type, &tsr_def_EMITC_LVALUE);
    return of == op->out[0].type ||
           tsr_op_error(op, "failed to verify that result type matches value type of 'operand'");
}

bool verify_emitc_assign(tsr_op *op)
{
    const tsr_type *of = tsr_emitc_inner(op->in[0].value->type, &tsr_def_EMITC_LVALUE);
    return of == op->in[1].value->type ||
           tsr_op_error(op, "requires value's type to match variable's type");
}

bool verify_emitc_apply(tsr_op *op)
{
    tsr_str sign = op->attrs[EMITC_APPLY_applicableOperator]->s;
    if (!sign.len)
        return tsr_op_error(op, "applicable operator must not be empty");
    return tsr_str_is(sign, "&") || tsr_str_is(sign, "*") ||
           tsr_op_error(op, "applicable operator is illegal");
}

bool verify_emitc_subscript(tsr_op *op)
{
    return tsr_emitc_inner(op->out[0].type, &tsr_def_EMITC_LVALUE) ||
           tsr_op_error(op, "result must be a place: !emitc.lvalue<...>");
}

/* Each {} of the text is replaced by an operand; {{ is a brace. */
bool verify_emitc_verbatim(tsr_op *op)
{
    tsr_str text = op->attrs[EMITC_VERBATIM_value]->s;
    uint32_t n = 0;
    for (size_t i = 0; op->nin && i < text.len; i++) {
        if (text.data[i] != '{')
            continue;
        if (i + 1 < text.len && text.data[i + 1] == '{')
            i++;
        else if (i + 1 < text.len && text.data[i + 1] == '}')
            n++;
        else
            return tsr_op_error(op, "expected '}' after unescaped '{'");
    }
    return n == op->nin ||
           tsr_op_error(op, "requires operands for each placeholder in the format string");
}

bool uses_emitc_get_global(tsr_op *op)
{
    const tsr_attr *name = op->attrs[EMITC_GET_GLOBAL_name];
    const tsr_op *global = tsr_symbol_resolve(op, name);
    return (global && tsr_op_is(global, TSR_OP_EMITC_GLOBAL)) ||
           tsr_op_error(op, "'%.*s' does not reference a valid emitc.global", TSR_STR_ARG(name->s));
}
