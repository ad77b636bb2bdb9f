/* SPDX-License-Identifier: Apache-2.0 */
/* verify_reduce.c - reducers: which arguments and results the body of a reduction may have; stablehlo.reduce itself. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

/* ---- Bodies ---- */

const tsr_op *tsr_hlo_terminator(const tsr_region *region)
{
    const tsr_op *last = region->first ? region->first->last : NULL;
    bool may =
        last && (last->def->opcode == TSR_UNREGISTERED || tsr_op_has(last, TSR_TRAIT(TERMINATOR)));
    return may ? last : NULL;
}

void tsr_hlo_operand_types(const tsr_op *op, size_t first, size_t n, tsr_type_vec *out)
{
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(out, tsr_hlo_in(op, first + i));
}

void tsr_hlo_arg_types(const tsr_region *region, tsr_type_vec *out)
{
    for (uint32_t i = 0; region->first && i < region->first->nargs; i++)
        tsr_vec_push(out, region->first->args[i]->type);
}

tsr_type *tsr_hlo_accumulator(const tsr_region *body, size_t i, const tsr_type *input)
{
    const tsr_op *end = tsr_hlo_terminator(body);
    return tsr_hlo_element(end && i < end->nin ? tsr_hlo_in(end, i) : input);
}

/* ---- Reducers ---- */

/* As many parameters as accumulators and inputs together, and one result for each accumulator. */
static bool check_signature(const tsr_op *op, const tsr_region *body, size_t n)
{
    size_t nargs = body->first ? body->first->nargs : 0;
    if (nargs != 2 * n)
        return tsr_hlo_error(
            op, "Reduction-region must take %zu parameters, but takes %zu parameter(s)", 2 * n,
            nargs);
    const tsr_op *end = tsr_hlo_terminator(body);
    if (!end)
        return tsr_hlo_error(op, "The reduction-region expected to have a terminator");
    if (!end->nin)
        return tsr_hlo_error(op, "The reduction-region expected to return some value(s)");
    if (end->nin != n)
        return tsr_hlo_error(
            op, "Reduction-region here must produce %zu tensors, but produces %u instead", n,
            end->nin);
    for (uint32_t i = 0; i < end->nin; i++)
        if (!tsr_type_is_shaped(tsr_hlo_in(end, i)))
            return tsr_hlo_error(op,
                                 "Reduction-region here must produce tensor-typed result(s), but "
                                 "produces %s instead",
                                 tsr_hlo_show_type(tsr_hlo_in(end, i)));
    return true;
}

/* A parameter that the body's result must be able to replace. */
static bool check_parameter(const tsr_op *op, size_t index, const tsr_type *arg,
                            const tsr_type *result, bool any_float)
{
    if (tsr_type_is_shaped(arg) && tsr_hlo_same_shape_and_element(result, arg, any_float))
        return true;
    return tsr_hlo_error(
        op,
        "The type of reduction-region's parameter at index %zu is different than the corresponding "
        "result type: %s vs %s",
        index, tsr_hlo_show_type(arg), tsr_hlo_show_type(result));
}

static bool check_start(const tsr_op *op, size_t i, const tsr_type *init, const tsr_type *result)
{
    if (!tsr_hlo_compatible_shape(init, result))
        return tsr_hlo_error(
            op,
            "The shape of reduction-region's result type at index %zu differs from the op's "
            "corresponding init-value type: %s vs %s",
            i, tsr_hlo_show_type(result), tsr_hlo_show_type(init));
    if (!tsr_hlo_promotable(init, result, true))
        return tsr_hlo_error(
            op,
            "The element-type of reduction-region's result type at index %zu is expected to be "
            "promotable from the op's corresponding init-value element-type: %s vs %s",
            i, tsr_hlo_show_type(result), tsr_hlo_show_type(init));
    return true;
}

/* The parameter for input i: its element type, and a shape made of some of the remaining dimensions. */
static bool check_input(const tsr_op *op, const tsr_hlo_reduction *r, size_t i, const tsr_type *arg)
{
    size_t index = r->n + i, found = 0;
    if (!tsr_hlo_promotable(r->inputs[i], arg, true))
        return tsr_hlo_error(
            op,
            "The element-type of reduction-region's argument at index %zu is expected to be "
            "promotable from %s, but got %s",
            index, tsr_hlo_show_type(tsr_hlo_element(r->inputs[i])),
            tsr_hlo_show_type(tsr_hlo_element(arg)));
    if (!tsr_hlo_is_ranked(arg))
        return tsr_hlo_error(
            op, "The reduction-region's argument at index %zu must be a ranked tensor, but got %s",
            index, tsr_hlo_show_type(arg));
    if (arg->n > r->dims.n)
        return tsr_hlo_error(
            op,
            "The rank of reduction-region's argument at index %zu is expected to be <= %zu, got %u",
            index, (size_t)r->dims.n, arg->n);
    for (size_t d = 0; d < r->dims.n && found < arg->n; d++)
        found += tsr_hlo_dims_compatible(tsr_ints_at(r->dims, d), arg->dims[found]);
    if (found != arg->n)
        return tsr_hlo_error(
            op,
            "The shape of reduction-region's argument at index %zu is not compatible with that of "
            "reduce-op's input-parameter at index %zu",
            index, i);
    return true;
}

bool tsr_hlo_verify_reducer(const tsr_op *op, const tsr_region *body, const tsr_hlo_reduction *r)
{
    TSR_TRY(check_signature(op, body, r->n));
    const tsr_op *end = tsr_hlo_terminator(body);
    tsr_value *const *args = body->first->args;
    for (size_t i = 0; i < r->n; i++) {
        const tsr_type *result = tsr_hlo_in(end, i);
        TSR_TRY(check_parameter(op, i, args[i]->type, result, false));
        TSR_TRY(check_parameter(op, r->n + i, args[r->n + i]->type, result, true));
        TSR_TRY(check_start(op, i, r->inits[i], result));
        TSR_TRY(check_input(op, r, i, args[r->n + i]->type));
    }
    return true;
}

bool tsr_hlo_verify_scalar_reducer(const tsr_op *op, const tsr_region *body, tsr_type *input)
{
    tsr_type *init = tsr_type_tensor(op->module->ctx, NULL, 0, tsr_hlo_element(input), NULL);
    tsr_hlo_reduction r = {.inputs = &input, .inits = &init, .n = 1};
    return tsr_hlo_verify_reducer(op, body, &r);
}

bool tsr_hlo_verify_inputs(const tsr_op *op, tsr_type *const *types, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!tsr_hlo_compatible_shape(types[0], types[i]))
            return tsr_hlo_error(
                op,
                "expects all inputs to have compatible shapes. Shape at input-index %zu is not "
                "compatible with shape at input-index 0",
                i);
    return true;
}

/* ---- stablehlo.reduce ---- */

/* The dimensions of the inputs that are not reduced, with their bounds. */
static bool kept_dims(const tsr_op *op, tsr_type *const *inputs, size_t n, tsr_i64_vec *dims,
                      tsr_i64_vec *bounds)
{
    if (!n)
        return tsr_hlo_error(op, "requires at least 1 input value");
    TSR_TRY(tsr_hlo_verify_inputs(op, inputs, n));
    const tsr_type *first = inputs[0];
    const tsr_attr *reduced = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    const int64_t *has_bounds = tsr_hlo_bounds(first);
    TSR_VEC(bool) gone = {0};
    bool ok = true;
    for (uint32_t d = 0; d < first->n; d++)
        tsr_vec_push(&gone, false);
    for (size_t i = 0; ok && i < tsr_hlo_len(reduced); i++) {
        int64_t d = tsr_hlo_at(reduced, i);
        if (d < 0 || d >= first->n)
            ok = tsr_hlo_error(op, "Out-of-bounds dimension %lld, expected to be in range [0, %u)",
                               (long long)d, first->n);
        else if (gone.data[d])
            ok = tsr_hlo_error(op, "Duplicate reduction dimension: %lld", (long long)d);
        else
            gone.data[d] = true;
    }
    for (uint32_t d = 0; ok && d < first->n; d++) {
        if (gone.data[d])
            continue;
        tsr_vec_push(dims, first->dims[d]);
        if (has_bounds)
            tsr_vec_push(bounds, has_bounds[d]);
    }
    tsr_vec_free(&gone);
    return ok;
}

bool infer_stablehlo_reduce(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    size_t n = op->nin / 2;
    tsr_type_vec inputs = {0};
    tsr_i64_vec dims = {0}, bounds = {0};
    tsr_hlo_operand_types(op, 0, n, &inputs);
    bool ok = kept_dims(op, inputs.data, n, &dims, &bounds);
    for (size_t i = 0; ok && i < n; i++) {
        tsr_type *elem = tsr_hlo_accumulator(&op->regions[0], i, inputs.data[i]);
        tsr_attr *encoding =
            bounds.n ? tsr_hlo_encoding(ctx, inputs.data[0]->attr, bounds.data, bounds.n) : NULL;
        tsr_vec_push(out, tsr_type_tensor(ctx, dims.data, dims.n, elem, encoding));
    }
    tsr_vec_free(&inputs);
    tsr_vec_free(&dims);
    tsr_vec_free(&bounds);
    return ok;
}

bool verify_stablehlo_reduce(tsr_op *op)
{
    size_t n = op->nin / 2;
    tsr_type_vec types = {0};
    tsr_i64_vec dims = {0}, bounds = {0};
    tsr_hlo_operand_types(op, 0, op->nin, &types);
    bool ok = kept_dims(op, types.data, n, &dims, &bounds);
    if (ok) {
        tsr_hlo_reduction r = {types.data, TSR_FROM(types.data, n), n,
                               tsr_ints_over(dims.data, dims.n)};
        ok = tsr_hlo_verify_reducer(op, &op->regions[0], &r);
    }
    tsr_vec_free(&types);
    tsr_vec_free(&dims);
    tsr_vec_free(&bounds);
    return ok;
}
