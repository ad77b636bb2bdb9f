/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of returns and calls, in MLIR's words. The FUNCTION trait implies those of functions. */
#include "dialect/hooks.h"

/* A type as text, for a diagnostic; the caller frees. */
static tsr_str text_of(const tsr_type *t)
{
    return tsr_type_print(t);
}

/* The type of a func.func; NULL if op is not one, or is malformed. */
static const tsr_type *type_of(const tsr_op *op)
{
    const tsr_attr *type =
        op && tsr_op_is(op, TSR_OP_FUNC_FUNC) ? op->attrs[FUNC_FUNC_function_type] : NULL;
    return tsr_attr_is(type, TSR_ATTR_TYPE) && type->type->kind == TSR_TYPE_FUNCTION ? type->type
                                                                                     : NULL;
}

bool verify_func_return(tsr_op *op)
{
    const tsr_op *func = tsr_block_parent(op->block);
    const tsr_type *type = type_of(func);
    if (!type)
        return true;
    tsr_str name = tsr_op_symbol(func);
    if (op->nin != type->nout)
        return tsr_op_error(op, "has %u operands, but enclosing function (@%.*s) returns %u",
                            op->nin, TSR_STR_ARG(name), type->nout);
    for (uint32_t i = 0; i < op->nin; i++) {
        if (op->in[i].value->type == type->types[type->n + i])
            continue;
        tsr_str got = text_of(op->in[i].value->type), want = text_of(type->types[type->n + i]);
        tsr_error(op->module->ctx, op->loc,
                  "type of return operand %u ('%.*s') doesn't match function result type ('%.*s') "
                  "in function @%.*s",
                  i, TSR_STR_ARG(got), TSR_STR_ARG(want), TSR_STR_ARG(name));
        tsr_free((void *)got.data);
        tsr_free((void *)want.data);
        return false;
    }
    return true;
}

static const tsr_type *call_type(const tsr_op *op, const tsr_type *function, uint32_t i)
{
    (void)function;
    return op->out[i].type;
}

static const tsr_type *function_type(const tsr_op *op, const tsr_type *function, uint32_t i)
{
    (void)op;
    return function->types[function->n + i];
}

static void note_types(const tsr_op *op, const char *what, uint32_t n,
                       const tsr_type *(*at)(const tsr_op *, const tsr_type *, uint32_t),
                       const tsr_type *function)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf text = {0};
    for (uint32_t i = 0; i < n && ctx->print_type; i++) {
        tsr_buf_cstr(&text, i ? ", '" : "'");
        ctx->print_type(&text, at(op, function, i));
        tsr_buf_char(&text, '\'');
    }
    tsr_note(ctx, op->loc, "%s%.*s", what, TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
}

/* Checks results against those of a function type; worded as for a call. */
static bool results_match(tsr_op *op, const tsr_type *type)
{
    if (op->nout != type->nout)
        return tsr_op_error(op, "incorrect number of results for callee");
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].type != type->types[type->n + i]) {
            tsr_op_error(op, "result type mismatch at index %u", i);
            note_types(op, "      op result types: ", op->nout, call_type, NULL);
            note_types(op, "function result types: ", type->nout, function_type, type);
            return false;
        }
    return true;
}

bool uses_func_call(tsr_op *op)
{
    const tsr_attr *callee = op->attrs[FUNC_CALL_callee];
    const tsr_op *func = tsr_symbol_resolve(op, callee);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return tsr_op_error(op, "'%.*s' does not reference a valid function",
                            TSR_STR_ARG(callee->s));
    const tsr_type *type = type_of(func);
    if (!type)
        return true;
    if (op->nin != type->n)
        return tsr_op_error(op, "incorrect number of operands for callee");
    for (uint32_t i = 0; i < op->nin; i++) {
        if (op->in[i].value->type == type->types[i])
            continue;
        tsr_str got = text_of(op->in[i].value->type), want = text_of(type->types[i]);
        tsr_op_error(op,
                     "operand type mismatch: expected operand type '%.*s', but provided '%.*s' for "
                     "operand number %u",
                     TSR_STR_ARG(want), TSR_STR_ARG(got), i);
        tsr_free((void *)got.data);
        tsr_free((void *)want.data);
        return false;
    }
    return results_match(op, type);
}

bool verify_func_call_indirect(tsr_op *op)
{
    const tsr_type *type = op->in[0].value->type;
    bool fits = op->nin - 1 == type->n && op->nout == type->nout;
    for (uint32_t i = 0; fits && i < type->n; i++)
        fits = op->in[i + 1].value->type == type->types[i];
    for (uint32_t i = 0; fits && i < type->nout; i++)
        fits = op->out[i].type == type->types[type->n + i];
    return fits ||
           tsr_op_error(op, "failed to verify that callee input types match argument types");
}

bool uses_func_constant(tsr_op *op)
{
    const tsr_attr *value = op->attrs[FUNC_CONSTANT_value];
    const tsr_op *func = tsr_symbol_resolve(op, value);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return tsr_op_error(op, "reference to undefined function '%.*s'", TSR_STR_ARG(value->s));
    if (type_of(func) != op->out[0].type)
        return tsr_op_error(op, "reference to function with mismatched type");
    return true;
}
