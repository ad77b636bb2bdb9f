/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of interpreter.run_parallel: its programs are functions that together take its inputs and return its
 * results. */
#include "dialect/hooks.h"

/* The type of the function that a symbol names in the nearest module; NULL after an error. */
static const tsr_type *program_type(const tsr_op *op, const tsr_attr *symbol)
{
    const tsr_op *module = tsr_block_parent(op->block);
    while (module && !tsr_op_is(module, TSR_OP_BUILTIN_MODULE))
        module = tsr_block_parent(module->block);
    const tsr_op *func = module ? tsr_symbol_find(module, symbol->s) : NULL;
    const tsr_attr *type =
        func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->attrs[FUNC_FUNC_function_type] : NULL;
    if (tsr_attr_is(type, TSR_ATTR_TYPE) && type->type->kind == TSR_TYPE_FUNCTION)
        return type->type;
    tsr_error(op->module->ctx, op->loc, "Function \"%.*s\" not found", TSR_STR_ARG(symbol->s));
    return NULL;
}

static bool check_infeed(const tsr_op *op, const tsr_attr *infeed)
{
    tsr_ctx *ctx = op->module->ctx;
    if (!infeed->n)
        return tsr_error(ctx, op->loc, "infeed attribute is optional or should not be empty");
    for (uint32_t i = 0; i < infeed->n; i++) {
        tsr_str name = infeed->attrs[i]->s;
        const tsr_type *type = program_type(op, infeed->attrs[i]);
        if (!type)
            return false;
        if (type->nout != 1)
            return tsr_error(ctx, op->loc,
                             "Function \"%.*s\" should return 1 tensor but returns %u",
                             TSR_STR_ARG(name), type->nout);
        const tsr_type *out = type->types[type->n];
        if (tsr_type_is_shaped(out))
            continue;
        tsr_str text = tsr_type_print(out);
        tsr_error(ctx, op->loc,
                  "Function \"%.*s\" should return a tensor type, but instead returns '%.*s'",
                  TSR_STR_ARG(name), TSR_STR_ARG(text));
        tsr_free((void *)text.data);
        return false;
    }
    return true;
}

bool verify_interpreter_run_parallel(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *programs = op->attrs[INTERPRETER_RUN_PARALLEL_programs];
    const tsr_attr *infeed = op->attrs[INTERPRETER_RUN_PARALLEL_infeed];
    uint64_t nin = 0, nout = 0;
    if (!programs->n || !programs->attrs[0]->n)
        return tsr_error(ctx, op->loc, "`programs` attribute cannot be empty");
    for (uint32_t r = 0; r < programs->n; r++) {
        const tsr_attr *replica = programs->attrs[r];
        if (replica->n != programs->attrs[0]->n)
            return tsr_error(
                ctx, op->loc,
                "Sizes of second dimension of `programs` should all match %u but got %u",
                programs->attrs[0]->n, replica->n);
        for (uint32_t p = 0; p < replica->n; p++) {
            const tsr_type *type = program_type(op, replica->attrs[p]);
            if (!type)
                return false;
            nin += type->n;
            nout += type->nout;
        }
    }
    if (op->nin != nin)
        return tsr_error(ctx, op->loc,
                         "Number of inputs (%u) should match the sum of the number of inputs of "
                         "all programs (%llu)",
                         op->nin, (unsigned long long)nin);
    if (op->nout != nout)
        return tsr_error(ctx, op->loc,
                         "Number of results (%u) should match the sum of the number of results of "
                         "all programs (%llu)",
                         op->nout, (unsigned long long)nout);
    return !infeed || check_infeed(op, infeed);
}
