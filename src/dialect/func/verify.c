/* verify.c - rules of functions, returns and calls, in MLIR's words. */
#include "dialect/hooks.h"

/* A type as text, for a diagnostic; the caller frees. */
static tsr_str text_of(const tsr_type *t)
{
    return tsr_type_print(t);
}

static bool only_dialect_attrs(tsr_op *op, const tsr_attr *dicts, uint32_t n, const char *what)
{
    if (!dicts)
        return true;
    if (dicts->n != n)
        return tsr_op_error(op,
                            "expects %s attribute array to have the same number of elements as the "
                            "number of function %ss, "
                            "got %u, but expected %u",
                            what[0] == 'a' ? "argument" : "result",
                            what[0] == 'a' ? "argument" : "result", dicts->n, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < dicts->attrs[i]->n; k++) {
            tsr_str name = dicts->attrs[i]->named[k].name->str;
            if (!memchr(name.data, '.', name.len))
                return tsr_op_error(op, "%s may only have dialect attributes", what);
        }
    return true;
}

bool verify_func(tsr_op *op)
{
    const tsr_type *type = op->attrs[FUNC_FUNC_function_type]->type;
    const tsr_block *entry = op->regions[0].first;
    TSR_TRY(only_dialect_attrs(op, op->attrs[FUNC_FUNC_arg_attrs], type->n, "arguments"));
    TSR_TRY(only_dialect_attrs(op, op->attrs[FUNC_FUNC_res_attrs], type->nout, "results"));
    if (!entry)
        return true;
    if (entry->nargs != type->n)
        return tsr_op_error(op, "entry block must have %u arguments to match function signature",
                            type->n);
    for (uint32_t i = 0; i < type->n; i++) {
        if (entry->args[i]->type == type->types[i])
            continue;
        tsr_str got = text_of(entry->args[i]->type), want = text_of(type->types[i]);
        tsr_op_error(op,
                     "type of entry block argument #%u(%.*s) must match the type of the "
                     "corresponding argument in "
                     "function signature(%.*s)",
                     i, TSR_STR_ARG(got), TSR_STR_ARG(want));
        tsr_free((void *)got.data);
        tsr_free((void *)want.data);
        return false;
    }
    return true;
}

bool verify_func_return(tsr_op *op)
{
    const tsr_op *func = tsr_block_parent(op->block);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return true;
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
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

/* Results against those of a function type; words as for a call. */
static bool results_match(tsr_op *op, const tsr_type *type)
{
    if (op->nout != type->nout)
        return tsr_op_error(op, "incorrect number of results for callee");
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].type != type->types[type->n + i]) {
            tsr_op_error(op, "result type mismatch at index %u", i);
            tsr_note(op->module->ctx, op->loc, "      op result types: ");
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
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
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
    if (func->attrs[FUNC_FUNC_function_type]->type != op->out[0].type)
        return tsr_op_error(op, "reference to function with mismatched type");
    return true;
}
