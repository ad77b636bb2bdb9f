/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - result types and rules of elementwise ops, of constants and of ops that create tokens and tuples.
 *
 * An infer hook is called with an op whose operands and attributes match its row. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/types.h"

/* ---- Without operands, tokens, tuples ---- */

bool infer_stablehlo_constant(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_attr_of(op, STABLEHLO_CONSTANT_value)->type);
    return true;
}

bool verify_stablehlo_iota(tsr_op *op)
{
    const tsr_type *t = op->out[0].type;
    if (t->n == 0)
        return tsr_hlo_error(op, "does not support scalars.");
    if (tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension)->i >= t->n)
        return tsr_hlo_error(op, "iota dimension cannot go beyond the output rank.");
    return true;
}

static bool one_token(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_hlo_token(op->module->ctx));
    return true;
}

bool infer_stablehlo_create_token(const tsr_op *op, tsr_type_vec *out)
{
    return one_token(op, out);
}

bool infer_stablehlo_after_all(const tsr_op *op, tsr_type_vec *out)
{
    return one_token(op, out);
}

/* A process id: tensor<ui32>. */
static bool one_id(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_vec_push(out, tsr_type_tensor(ctx, NULL, 0, tsr_type_integer(ctx, 32, TSR_UNSIGNED), NULL));
    return true;
}

bool infer_stablehlo_replica_id(const tsr_op *op, tsr_type_vec *out)
{
    return one_id(op, out);
}

bool infer_stablehlo_partition_id(const tsr_op *op, tsr_type_vec *out)
{
    return one_id(op, out);
}

bool infer_stablehlo_tuple(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&types, tsr_hlo_in(op, i));
    tsr_vec_push(out, tsr_type_tuple(op->module->ctx, types.data, types.n));
    tsr_vec_free(&types);
    return true;
}

bool infer_stablehlo_get_tuple_element(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *tuple = tsr_hlo_in(op, 0);
    int64_t index = tsr_attr_of(op, STABLEHLO_GET_TUPLE_ELEMENT_index)->i;
    if (index < 0 || index >= tuple->n)
        return tsr_hlo_error(op, "index %lld is out of bounds of operand with size %u",
                             (long long)index, tuple->n);
    tsr_vec_push(out, tuple->types[index]);
    return true;
}

bool infer_stablehlo_optimization_barrier(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(out, tsr_hlo_in(op, i));
    return true;
}

/* ---- Compatible operands ---- */

/* The shape implied by all operands together. */
bool infer_hlo_compatible(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *types[8], *type = op->nin ? tsr_hlo_in(op, 0) : NULL;
    if (!op->nin)
        return tsr_hlo_error(op,
                             "Expected non-empty operands for [CompatibleOperandsAndResultType]");
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        if (n == TSR_COUNT(types)) {
            TSR_TRY(tsr_hlo_most_specific(op, types, n, &types[0]));
            n = 1;
        }
        types[n++] = tsr_hlo_in(op, i);
    }
    if (n > 1 || type->kind == TSR_TYPE_TUPLE)
        TSR_TRY(tsr_hlo_most_specific(op, types, n, &type));
    tsr_vec_push(out, type);
    return true;
}

bool infer_stablehlo_add(const tsr_op *op, tsr_type_vec *out)
{
    return infer_hlo_compatible(op, out);
}

static bool verify_add_per_axis(const tsr_op *op, const tsr_type *lhs, const tsr_type *rhs,
                                const tsr_type *result)
{
    const struct {
        const char *name;
        const tsr_type *type;
    } sides[] = {{"lhs", lhs}, {"rhs", rhs}};
    bool any = tsr_hlo_is_per_axis(lhs) || tsr_hlo_is_per_axis(rhs);
    if (!any && tsr_hlo_is_per_axis(result))
        return tsr_hlo_error(
            op, "result per_axis quantized but none from rhs and lhs are per_axis quantized");
    if (any && !tsr_hlo_is_per_axis(result))
        return tsr_hlo_error(op, "result is not per_axis quantized but lhs or rhs are");
    for (size_t i = 0; i < TSR_COUNT(sides); i++)
        if (tsr_hlo_is_per_axis(sides[i].type) &&
            tsr_hlo_quantized_dim(sides[i].type) != tsr_hlo_quantized_dim(result))
            return tsr_hlo_error(
                op, "quantization_dimension of %s and result are not same %s vs %s", sides[i].name,
                tsr_hlo_show_type(sides[i].type), tsr_hlo_show_type(result));
    return true;
}

bool verify_stablehlo_add(tsr_op *op)
{
    const tsr_type *lhs = tsr_hlo_element(tsr_hlo_in(op, 0)),
                   *rhs = tsr_hlo_element(tsr_hlo_in(op, 1));
    const tsr_type *result = tsr_hlo_element(op->out[0].type);
    int nquant =
        tsr_hlo_is_quantized(lhs) + tsr_hlo_is_quantized(rhs) + tsr_hlo_is_quantized(result);
    if (!nquant && (lhs != rhs || lhs != result))
        return tsr_hlo_error(op, "op requires the same element type for all operands and results");
    if (!nquant)
        return true;
    if (nquant != 3)
        return tsr_hlo_error(
            op, "expects  all operands and results to be either quantized or non-quantized");
    const tsr_type *storage = tsr_hlo_storage(lhs), *expressed = tsr_hlo_expressed(lhs);
    if (storage != tsr_hlo_storage(rhs) || storage != tsr_hlo_storage(result))
        return tsr_hlo_error(op, "mismatched operands and result quantization storage types");
    if (expressed != tsr_hlo_expressed(rhs) || expressed != tsr_hlo_expressed(result))
        return tsr_hlo_error(op, "mismatched operands and result quantization expressed types");
    return verify_add_per_axis(op, lhs, rhs, result);
}

/* ---- Other elements, same shape ---- */

static bool same_shape(const tsr_op *op, tsr_type *elem, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_hlo_with_element(tsr_hlo_in(op, 0), elem));
    return true;
}

/* Real parts of complex elements; others are unchanged. */
static bool real_elements(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *elem = tsr_hlo_element(tsr_hlo_in(op, 0));
    return same_shape(op, elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem, out);
}

bool infer_stablehlo_abs(const tsr_op *op, tsr_type_vec *out)
{
    return real_elements(op, out);
}

bool infer_stablehlo_real(const tsr_op *op, tsr_type_vec *out)
{
    return real_elements(op, out);
}

bool infer_stablehlo_imag(const tsr_op *op, tsr_type_vec *out)
{
    return real_elements(op, out);
}

bool infer_stablehlo_is_finite(const tsr_op *op, tsr_type_vec *out)
{
    return same_shape(op, op->module->ctx->i1, out);
}

bool infer_stablehlo_compare(const tsr_op *op, tsr_type_vec *out)
{
    return same_shape(op, op->module->ctx->i1, out);
}

bool infer_stablehlo_complex(const tsr_op *op, tsr_type_vec *out)
{
    return same_shape(op, tsr_type_complex(op->module->ctx, tsr_hlo_element(tsr_hlo_in(op, 0))),
                      out);
}

/* The element type of a conversion is free: before there is a result, it is the operand's. */
static bool chosen_element(const tsr_op *op, tsr_type_vec *out)
{
    return same_shape(op, tsr_hlo_element(op->nout ? op->out[0].type : tsr_hlo_in(op, 0)), out);
}

bool infer_stablehlo_convert(const tsr_op *op, tsr_type_vec *out)
{
    return chosen_element(op, out);
}

bool infer_stablehlo_uniform_quantize(const tsr_op *op, tsr_type_vec *out)
{
    return chosen_element(op, out);
}

bool verify_stablehlo_uniform_quantize(tsr_op *op)
{
    const tsr_type *elem = tsr_hlo_element(tsr_hlo_in(op, 0)),
                   *got = tsr_hlo_expressed(op->out[0].type);
    const tsr_type *want = elem->kind == TSR_TYPE_FLOAT ? elem : tsr_hlo_expressed(elem);
    if (got == want || !got || !want)
        return true;
    return tsr_hlo_error(op, "Expressed type of result expected to be %s, but got %s",
                         tsr_hlo_show_type(want), tsr_hlo_show_type(got));
}

bool infer_stablehlo_uniform_dequantize(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    tsr_type *elem = tsr_hlo_expressed(t);
    if (!elem)
        return tsr_hlo_error(op, "expects a quantized operand, but got %s", tsr_hlo_show_type(t));
    /* Bounds are not kept. */
    tsr_vec_push(out, tsr_type_tensor(t->ctx, t->dims, t->n, elem, NULL));
    return true;
}

/* ---- Three operands ---- */

bool infer_stablehlo_select(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *pred = tsr_hlo_in(op, 0), *sides[] = {tsr_hlo_in(op, 1), tsr_hlo_in(op, 2)}, *type;
    if (!tsr_hlo_same_shape_and_element(sides[0], sides[1], false))
        return tsr_hlo_error(op, "requires compatible types for non-predicate operands");
    if (pred->n && !tsr_hlo_compatible_shape(pred, sides[0]))
        return tsr_hlo_error(op, "requires the same shape for all operands");
    TSR_TRY(tsr_hlo_most_specific(op, sides, 2, &type));
    tsr_vec_push(out, type);
    return true;
}

static bool check_limit(const tsr_op *op, const char *name, const tsr_type *limit,
                        const tsr_type *operand)
{
    if (limit->n == 0 || tsr_hlo_compatible_shape(limit, operand))
        return true;
    return tsr_hlo_error(op,
                         "%s shape [%s] is not scalar and is not compatible to operand shape [%s]",
                         name, tsr_hlo_show_dims(limit->ctx, limit->dims, limit->n),
                         tsr_hlo_show_dims(operand->ctx, operand->dims, operand->n));
}

bool infer_stablehlo_clamp(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *operand = tsr_hlo_in(op, 1);
    TSR_TRY(check_limit(op, "min", tsr_hlo_in(op, 0), operand));
    TSR_TRY(check_limit(op, "max", tsr_hlo_in(op, 2), operand));
    /* The components of a shaped type do not include its encoding. */
    tsr_vec_push(out,
                 tsr_type_tensor(operand->ctx, operand->dims, operand->n, operand->elem, NULL));
    return true;
}

/* ---- Precision ---- */

/* The only attribute of each row with this rule. */
bool verify_hlo_accuracy(tsr_op *op)
{
    const tsr_attr *a = op->def->nslot ? tsr_attr_of(op, 0) : NULL;
    if (!a || !tsr_attr_is_struct(a, &tsr_def_STABLEHLO_RESULT_ACCURACY))
        return true;
    double atol = tsr_float_to_double(TSR_F64, (uint64_t)a->attrs[0]->i);
    double rtol = tsr_float_to_double(TSR_F64, (uint64_t)a->attrs[1]->i);
    int64_t ulps = a->attrs[2]->i, mode = a->attrs[3]->i;
    const char *word = tsr_def_STABLEHLO_RESULT_ACCURACY_MODE.cases[mode];
    if (a->attrs[0]->i < 0 || a->attrs[1]->i < 0 || ulps < 0) /* the sign bits */
        return tsr_hlo_error(op, "Negative tolerance");
    if (strcmp(word, "TOLERANCE") != 0 && (atol != 0 || rtol != 0 || ulps != 0))
        return tsr_hlo_error(
            op, "Invalid tolerances for ResultAccuracyAttr with mode %s, must be all zero.", word);
    return true;
}
