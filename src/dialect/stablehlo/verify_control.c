/* SPDX-License-Identifier: Apache-2.0 */
/* verify_control.c - ops that run regions: if, case, while, map, sort, async_start and async_done. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

static bool is_scalar(const tsr_type *t)
{
    return tsr_hlo_is_ranked(t) && t->n == 0;
}

/* The types that the region returns. */
static void returned_types(const tsr_region *region, tsr_type_vec *out)
{
    const tsr_op *end = tsr_hlo_terminator(region);
    if (end)
        tsr_hlo_operand_types(end, 0, end->nin, out);
}

/* ---- if, case ---- */

static bool check_branch(const tsr_op *op, uint32_t i, const tsr_type_vec *first)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_region *branch = &op->regions[i];
    tsr_type_vec types = {0};
    if (branch->first->nargs)
        return tsr_hlo_error(op, "branch %u must have 0 arguments, but found %u", i,
                             branch->first->nargs);
    returned_types(branch, &types);
    bool ok = tsr_hlo_compatible_all(first->data, first->n, types.data, types.n) ||
              tsr_hlo_error(op, "branch 0 and branch %u have mismatched return types: %s vs %s", i,
                            tsr_hlo_show_types(ctx, first->data, first->n),
                            tsr_hlo_show_types(ctx, types.data, types.n));
    tsr_vec_free(&types);
    return ok;
}

/* What is known of result i whichever branch runs. */
static bool merge_result(const tsr_op *op, size_t i, tsr_type_vec *out)
{
    tsr_type_vec types = {0};
    tsr_type *merged = NULL;
    for (uint32_t r = 0; r < op->nregion; r++)
        tsr_vec_push(&types, tsr_hlo_in(tsr_hlo_terminator(&op->regions[r]), i));
    bool ok = tsr_hlo_least_specific(op, types.data, types.n, &merged);
    if (ok)
        tsr_vec_push(out, merged);
    tsr_vec_free(&types);
    return ok;
}

static bool infer_branches(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *selector = tsr_hlo_in(op, 0);
    if (selector->n != 0)
        return tsr_hlo_error(op, "operand should be rank 0 tensor but got rank %u", selector->n);
    if (!op->nregion)
        return tsr_hlo_error(op, "expect at least one branch");
    for (uint32_t r = 0; r < op->nregion; r++)
        if (!op->regions[r].first)
            return tsr_hlo_error(op, "expect non-empty region");
    tsr_type_vec first = {0};
    returned_types(&op->regions[0], &first);
    bool ok = true;
    for (uint32_t r = 0; ok && r < op->nregion; r++)
        ok = check_branch(op, r, &first);
    for (size_t i = 0; ok && i < first.n; i++)
        ok = merge_result(op, i, out);
    tsr_vec_free(&first);
    return ok;
}

bool infer_stablehlo_if(const tsr_op *op, tsr_type_vec *out)
{
    return infer_branches(op, out);
}

bool infer_stablehlo_case(const tsr_op *op, tsr_type_vec *out)
{
    return infer_branches(op, out);
}

/* ---- while ---- */

enum { COND, BODY };

bool infer_stablehlo_while(const tsr_op *op, tsr_type_vec *out)
{
    tsr_hlo_operand_types(op, 0, op->nin, out);
    return true;
}

static bool check_loop_types(const tsr_op *op, const tsr_type_vec *operands, tsr_type_vec *types,
                             const char *what)
{
    tsr_ctx *ctx = op->module->ctx;
    bool ok = tsr_hlo_compatible_all(operands->data, operands->n, types->data, types->n) ||
              tsr_hlo_error(op, "expect operands to be compatible with %s but got %s vs %s", what,
                            tsr_hlo_show_types(ctx, operands->data, operands->n),
                            tsr_hlo_show_types(ctx, types->data, types->n));
    tsr_vec_free(types);
    return ok;
}

static bool check_condition(const tsr_op *op)
{
    const tsr_op *end = op->regions[COND].first->last;
    uint32_t n = end ? end->nin : 0;
    if (n != 1)
        return tsr_hlo_error(op, "expect condition body returns a single value but got %u", n);
    const tsr_type *t = tsr_hlo_in(end, 0);
    if (!is_scalar(t) || !tsr_type_is_integer(t->elem, 1))
        return tsr_hlo_error(op,
                             "expect condition block return a zero-ranked tensor of i1 but got %s",
                             tsr_hlo_show_type(t));
    return true;
}

static bool check_loop(const tsr_op *op, const tsr_type_vec *operands)
{
    tsr_type_vec types = {0};
    tsr_hlo_arg_types(&op->regions[COND], &types);
    TSR_TRY(check_loop_types(op, operands, &types, "condition block arguments"));
    tsr_hlo_arg_types(&op->regions[BODY], &types);
    TSR_TRY(check_loop_types(op, operands, &types, "body block arguments"));
    if (!tsr_hlo_terminator(&op->regions[BODY]))
        return tsr_hlo_error(op, "The while body-region expected to have a terminator");
    returned_types(&op->regions[BODY], &types);
    return check_loop_types(op, operands, &types, "body block return types") && check_condition(op);
}

bool verify_stablehlo_while(tsr_op *op)
{
    tsr_type_vec operands = {0};
    tsr_hlo_operand_types(op, 0, op->nin, &operands);
    bool ok = check_loop(op, &operands);
    tsr_vec_free(&operands);
    return ok;
}

/* ---- map ---- */

static bool check_map_body(const tsr_op *op, const tsr_op *end)
{
    const tsr_block *body = op->regions[0].first;
    if (op->nin != body->nargs)
        return tsr_hlo_error(
            op,
            "expects number of operands to match the arity of map computation, but got: %u and %u",
            op->nin, body->nargs);
    for (uint32_t i = 0; i < body->nargs; i++) {
        const tsr_type *arg = body->args[i]->type, *elem = tsr_hlo_element(tsr_hlo_in(op, i));
        if (!is_scalar(arg))
            return tsr_hlo_error(
                op, "computation arguments must be 0-rank tensor, but got: arg #%u of type %s", i,
                tsr_hlo_show_type(arg));
        if (arg->elem != elem)
            return tsr_hlo_error(
                op,
                "element type of operands and computation arguments must match, but got: %s and %s",
                tsr_hlo_show_type(elem), tsr_hlo_show_type(arg->elem));
    }
    uint32_t n = end ? end->nin : 0;
    if (n != 1)
        return tsr_hlo_error(op, "computation must return single output, but got: %u", n);
    if (!is_scalar(tsr_hlo_in(end, 0)))
        return tsr_hlo_error(op, "computation must return 0-rank tensor, but got: %s",
                             tsr_hlo_show_type(tsr_hlo_in(end, 0)));
    return true;
}

bool infer_stablehlo_map(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    if (!op->regions[0].first)
        return tsr_hlo_error(op, "expect non-empty region");
    const tsr_op *end = tsr_hlo_terminator(&op->regions[0]);
    TSR_TRY(check_map_body(op, end));
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_MAP_dimensions);
    for (size_t i = 0; i < tsr_hlo_len(dims); i++)
        if (tsr_hlo_at(dims, i) != (int64_t)i)
            return tsr_hlo_error(op,
                                 "requires monotonically increasing dimension numbers, but got: %s",
                                 tsr_hlo_show_ints(ctx, dims));
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_hlo_in(op, i)->n != tsr_hlo_len(dims))
            return tsr_hlo_error(op,
                                 "applied to a subset of dimensions currently not supported: "
                                 "operand dimensions = %u, "
                                 "requested map dimensions size = %zu",
                                 tsr_hlo_in(op, i)->n, tsr_hlo_len(dims));
    const tsr_type *last = op->nin ? tsr_hlo_in(op, op->nin - 1) : NULL;
    tsr_vec_push(out, tsr_type_tensor(ctx, last ? last->dims : NULL, last ? last->n : 0,
                                      tsr_hlo_in(end, 0)->elem, NULL));
    return true;
}

/* ---- sort ---- */

bool infer_stablehlo_sort(const tsr_op *op, tsr_type_vec *out)
{
    tsr_hlo_operand_types(op, 0, op->nin, out);
    return true;
}

/* (T0, T0, T1, T1, ...) -> i1 of the operands' elements. */
static bool check_comparator(const tsr_op *op)
{
    const tsr_block *block = op->regions[0].first;
    if (block->nargs != 2 * (uint64_t)op->nin)
        return tsr_hlo_error(op, "comparator block should have %llu arguments",
                             2 * (unsigned long long)op->nin);
    for (uint32_t i = 0; i < block->nargs; i++) {
        const tsr_type *want =
            tsr_type_tensor(op->module->ctx, NULL, 0, tsr_hlo_element(tsr_hlo_in(op, i / 2)), NULL);
        if (block->args[i]->type != want)
            return tsr_hlo_error(op,
                                 "comparator block argument #%u should be of type %s but got %s", i,
                                 tsr_hlo_show_type(want), tsr_hlo_show_type(block->args[i]->type));
    }
    const tsr_op *end = tsr_hlo_terminator(&op->regions[0]);
    if (!end)
        return true; /* its block is rejected later */
    if (end->nin != 1)
        return tsr_hlo_error(op, "comparator must return single output but got %u", end->nin);
    const tsr_type *t = tsr_hlo_in(end, 0);
    if (!is_scalar(t) || !tsr_type_is_integer(t->elem, 1))
        return tsr_hlo_error(op, "comparator must return tensor<i1> but got %s",
                             tsr_hlo_show_type(t));
    return true;
}

bool verify_stablehlo_sort(tsr_op *op)
{
    const tsr_attr *attr = tsr_attr_of(op, STABLEHLO_SORT_dimension);
    int64_t dim = attr ? attr->i : -1;
    int64_t rank = op->nin ? tsr_hlo_in(op, 0)->n : 0;
    if (op->nin && (dim < -rank || dim >= rank))
        return tsr_hlo_error(
            op, "dimension attribute value must be in range [-%lld, %lld), but found %lld",
            (long long)rank, (long long)rank, (long long)dim);
    return check_comparator(op);
}

/* ---- async_start, async_done ---- */

static bool may_be_async(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_ALL_GATHER:
    case TSR_OP_STABLEHLO_ALL_REDUCE:
    case TSR_OP_STABLEHLO_ALL_TO_ALL:
    case TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST:
    case TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE:
    case TSR_OP_STABLEHLO_COLLECTIVE_REDUCE:
    case TSR_OP_STABLEHLO_DYNAMIC_SLICE:
    case TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE:
    case TSR_OP_STABLEHLO_REDUCE_SCATTER:
    case TSR_OP_STABLEHLO_SLICE: return true;
    default: return false;
    }
}

static bool check_async_body(const tsr_op *op, const tsr_block *body)
{
    if (!body->first || !body->first->next || body->first->next->next)
        return tsr_op_error(op, "region must contain exactly one operation and a return");
    if (!may_be_async(body->first))
        return tsr_op_error(op, "region must contain a collective or slice operation");
    if (op->nin != body->nargs)
        return tsr_op_error(op,
                            "number of operands (%u) must match number of region arguments (%u)",
                            op->nin, body->nargs);
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_hlo_in(op, i) != body->args[i]->type)
            return tsr_op_error(
                op, "operand type %s at index %u must match region argument type %s",
                tsr_hlo_show_type(tsr_hlo_in(op, i)), i, tsr_hlo_show_type(body->args[i]->type));
    return true;
}

bool infer_stablehlo_async_start(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    if (!op->nregion)
        return tsr_op_error(op, "expected at least one region");
    if (!op->regions[0].first)
        return tsr_op_error(op, "region must not be empty");
    TSR_TRY(check_async_body(op, op->regions[0].first));
    const tsr_op *end = tsr_hlo_terminator(&op->regions[0]);
    if (!end)
        return tsr_op_error(op, "region must have a terminator");
    if (end->nin != 1)
        return tsr_op_error(op, "region must return exactly one value, but got %u", end->nin);
    tsr_attr *member = tsr_attr_type(ctx, tsr_hlo_in(end, 0)),
             *members = tsr_attr_array(ctx, &member, 1);
    tsr_vec_push(out, tsr_type_dialect(ctx, &tsr_def_STABLEHLO_FUTURE, &members));
    return true;
}

bool infer_stablehlo_async_done(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    if (!tsr_type_is(t, TSR_TYPE_DIALECT) || t->def != &tsr_def_STABLEHLO_FUTURE)
        return tsr_op_error(op, "operand must be a future type");
    const tsr_attr *members = t->params[0];
    if (members->n != 1)
        return tsr_op_error(op, "future must have exactly one type parameter, but got %u",
                            members->n);
    tsr_vec_push(out, members->attrs[0]->type);
    return true;
}
