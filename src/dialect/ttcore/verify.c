/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - types of ttcore's tuples, and rules of its ops that refer to functions. */
#include "dialect/hooks.h"

bool infer_ttcore_tuple(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&types, op->in[i].value->type);
    tsr_vec_push(out, tsr_type_tuple(op->module->ctx, types.data, types.n));
    tsr_vec_free(&types);
    return true;
}

bool infer_ttcore_get_tuple_element(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *tuple = op->in[0].value->type;
    int64_t i = tsr_attr_of(op, TTCORE_GET_TUPLE_ELEMENT_index)->i;
    if (i >= tuple->n)
        return tsr_error(op->module->ctx, op->loc,
                         "index %lld is out of bounds of operand with size %u", (long long)i,
                         tuple->n);
    tsr_vec_push(out, tuple->types[i]);
    return true;
}

/* It contains exactly one module. */
bool verify_ttcore_module(tsr_op *op)
{
    const tsr_block *b = op->regions[0].first;
    if (!b) /* reported by the rule about symbol tables */
        return true;
    if (!b->first || b->first->next)
        return tsr_op_error(op, "Expected exactly one block");
    return tsr_op_is(b->first, TSR_OP_BUILTIN_MODULE) ||
           tsr_op_error(op, "Expected exactly one ModuleOp but found 0");
}

bool verify_ttcore_set_key_value(tsr_op *op)
{
    return op->nin > 1 || tsr_op_error(op, "requires at least one value");
}

bool verify_ttcore_get_key_value(tsr_op *op)
{
    return op->nout > 0 || tsr_op_error(op, "requires at least one result");
}

/* The function that a symbol refers to, with its type; NULL if there is none. */
static const tsr_type *function_type(const tsr_op *from, const tsr_attr *symbol, bool *found)
{
    const tsr_op *f = tsr_symbol_resolve(from, symbol);
    *found = f != NULL;
    if (!f || !tsr_op_is(f, TSR_OP_FUNC_FUNC))
        return NULL;
    return f->attrs[FUNC_FUNC_function_type]->type;
}

/* Types of a function's arguments or results; the members of a single tuple count as its own. */
static bool same_types(const tsr_op *op, bool inputs, tsr_type *const *types, uint32_t n)
{
    uint32_t have = inputs ? op->nin : op->nout;
    if (n == 1 && types[0]->kind == TSR_TYPE_TUPLE) {
        n = types[0]->n;
        types = types[0]->types;
    }
    if (have != n)
        return tsr_op_error(op, "Incorrect number of %s for callee -- expected %u but got: %u",
                            inputs ? "operands" : "results", n, have);
    for (uint32_t i = 0; i < n; i++)
        if ((inputs ? op->in[i].value->type : op->out[i].type) != types[i])
            return tsr_op_error(op, "%s type mismatch at index %u", inputs ? "Operand" : "Result",
                                i);
    return true;
}

bool uses_ttcore_load_cached(tsr_op *op)
{
    bool found;
    const tsr_attr *callee = tsr_attr_of(op, TTCORE_LOAD_CACHED_callee);
    const tsr_type *type = function_type(op, callee, &found);
    if (!type)
        return tsr_op_error(op, "'%.*s' does not reference a function", TSR_STR_ARG(callee->s));
    return same_types(op, true, type->types, type->n) &&
           same_types(op, false, type->types + type->n, type->nout);
}

static bool mismatch(const tsr_op *op, uint32_t i, bool input, const tsr_type *have,
                     const tsr_type *want)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf a = {0}, b = {0};
    if (ctx->print_type) {
        ctx->print_type(&a, have);
        ctx->print_type(&b, want);
    }
    tsr_op_error(op, "%s type mismatch at index %u: composite %s %.*s, decomposition %s %.*s",
                 input ? "input" : "result", i, input ? "has" : "produces",
                 TSR_STR_ARG(tsr_buf_text(&a)), input ? "expects" : "returns",
                 TSR_STR_ARG(tsr_buf_text(&b)));
    tsr_buf_free(&a);
    tsr_buf_free(&b);
    return false;
}

bool uses_ttcore_composite(tsr_op *op)
{
    bool found;
    const tsr_attr *name = tsr_attr_of(op, TTCORE_COMPOSITE_decomposition);
    const tsr_type *type = function_type(op, name, &found);
    if (!found)
        return tsr_op_error(op, "decomposition function '%.*s' not found in parent module",
                            TSR_STR_ARG(name->s));
    if (!type)
        return tsr_op_error(op, "decomposition symbol '%.*s' is not a func.func",
                            TSR_STR_ARG(name->s));
    if (type->n != op->nin)
        return tsr_op_error(
            op, "decomposition function expects %u arguments, but composite has %u inputs", type->n,
            op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type != type->types[i])
            return mismatch(op, i, true, op->in[i].value->type, type->types[i]);
    if (type->nout != op->nout)
        return tsr_op_error(
            op, "decomposition function returns %u results, but composite produces %u results",
            type->nout, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].type != type->types[type->n + i])
            return mismatch(op, i, false, op->out[i].type, type->types[type->n + i]);
    return true;
}
