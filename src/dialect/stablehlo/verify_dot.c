/* SPDX-License-Identifier: Apache-2.0 */
/* verify_dot.c - dot and dot_general: shapes of products, their algorithms and quantization. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"
#include "dialect/stablehlo/stablehlo.h"

enum { LHS, RHS };

/* ---- Products ---- */

bool tsr_hlo_verify_precision(const tsr_op *op, const tsr_attr *config)
{
    if (!config || config->n <= 2)
        return true;
    return tsr_hlo_error(op, "expects precision config to be empty or have <= 2 elements, got %u",
                         config->n);
}

bool tsr_hlo_any_quantized(const tsr_op *op)
{
    return tsr_hlo_is_quantized(tsr_hlo_in(op, LHS)) || tsr_hlo_is_quantized(tsr_hlo_in(op, RHS)) ||
           tsr_hlo_is_quantized(op->out[0].type);
}

bool tsr_hlo_verify_product_quantization(const tsr_op *op, const tsr_type *lhs, const tsr_type *rhs,
                                         const tsr_type *result)
{
    if (!tsr_hlo_is_quantized(rhs) || tsr_hlo_is_quantized(lhs) != tsr_hlo_is_quantized(result))
        return tsr_hlo_error(op, "rhs should be quantized for quantized operations and "
                                 "is_quantized(lhs)=is_quantized(result) should hold");
    const tsr_type *expressed = tsr_hlo_expressed(rhs);
    if (!tsr_hlo_is_quantized(lhs)) {
        if (tsr_hlo_element(lhs) != expressed || tsr_hlo_element(result) != expressed)
            return tsr_hlo_error(
                op, "mismatched rhs quantization expressed type and lhs and result element type");
        return true;
    }
    if (tsr_hlo_storage(lhs) != tsr_hlo_storage(rhs))
        return tsr_hlo_error(op, "mismatched lhs and rhs quantization storage types");
    if (tsr_hlo_expressed(lhs) != expressed || tsr_hlo_expressed(result) != expressed)
        return tsr_hlo_error(op, "mismatched lhs, rhs and result quantization expressed types");
    if (tsr_hlo_is_per_tensor(rhs) && !tsr_hlo_is_per_tensor(result))
        return tsr_hlo_error(op, "mismatched rhs and result quantization granularity");
    return true;
}

tsr_type *tsr_hlo_result_element(const tsr_op *op)
{
    return tsr_hlo_element(op->nout ? op->out[0].type : tsr_hlo_in(op, LHS));
}

bool tsr_hlo_verify_inferred_shape(const tsr_op *op, const tsr_type *inferred)
{
    const tsr_type *result = op->out[0].type;
    if (tsr_hlo_compatible_shape(inferred, result))
        return true;
    tsr_buf dims = {0};
    for (uint32_t i = 0; i < inferred->n; i++)
        tsr_buf_printf(&dims, "%s%s", i ? ", " : "",
                       tsr_hlo_show_dim(op->module->ctx, inferred->dims[i]));
    tsr_hlo_error(op, "inferred shape '[%.*s]' is incompatible with return type of operation %s",
                  (int)dims.len, dims.len ? dims.data : "", tsr_hlo_show_type(result));
    tsr_buf_free(&dims);
    return false;
}

/* ---- Results ---- */

typedef TSR_VEC(tsr_hlo_dim) dim_vec;

/* A tensor type with these dimensions, with bounds if an operand has an encoding. */
static tsr_type *product_type(const tsr_op *op, const dim_vec *dims)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *like =
        tsr_hlo_in(op, LHS)->attr ? tsr_hlo_in(op, LHS)->attr : tsr_hlo_in(op, RHS)->attr;
    tsr_i64_vec sizes = {0}, bounds = {0};
    for (size_t i = 0; i < dims->n; i++) {
        tsr_vec_push(&sizes, dims->data[i].size);
        tsr_vec_push(&bounds, dims->data[i].bound);
    }
    tsr_attr *encoding =
        dims->n && like ? tsr_hlo_encoding(ctx, like, bounds.data, bounds.n) : NULL;
    tsr_type *t = tsr_type_tensor(ctx, sizes.data, sizes.n, tsr_hlo_result_element(op), encoding);
    tsr_vec_free(&sizes);
    tsr_vec_free(&bounds);
    return t;
}

bool infer_stablehlo_dot(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *lhs = tsr_hlo_in(op, LHS), *rhs = tsr_hlo_in(op, RHS);
    bool ranks = lhs->n >= 1 && lhs->n <= 2 && rhs->n >= 1 && rhs->n <= 2;
    if (!ranks || !tsr_hlo_dims_compatible(lhs->dims[lhs->n - 1], rhs->dims[0]))
        return tsr_hlo_error(op, "expected both lhs/rhs ranks to be either 1 or 2");
    dim_vec dims = {0};
    if (lhs->n == 2)
        tsr_vec_push(&dims, tsr_hlo_dim_of(lhs, 0));
    if (rhs->n == 2)
        tsr_vec_push(&dims, tsr_hlo_dim_of(rhs, 1));
    tsr_vec_push(out, product_type(op, &dims));
    tsr_vec_free(&dims);
    return true;
}

bool verify_stablehlo_dot(tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = tsr_hlo_verify_precision(op, tsr_attr_of(op, STABLEHLO_DOT_precision_config)) &&
              infer_stablehlo_dot(op, &types) && tsr_hlo_verify_inferred_shape(op, types.data[0]);
    tsr_vec_free(&types);
    return ok;
}

/* ---- stablehlo.dot_general ---- */

static bool check_range(const tsr_op *op, tsr_ints dims, const tsr_type *t, const char *name)
{
    for (uint32_t i = 0; i < dims.n; i++) {
        int64_t d = tsr_ints_at(dims, i);
        if (d < 0 || d >= t->n)
            return tsr_hlo_error(op, "%s value: %lld is out of range: [0, %u)", name, (long long)d,
                                 t->n);
    }
    return true;
}

static bool check_sizes(const tsr_op *op, const tsr_ints *of, const char *what)
{
    const tsr_type *lhs = tsr_hlo_in(op, LHS), *rhs = tsr_hlo_in(op, RHS);
    for (uint32_t i = 0; i < of[LHS].n; i++)
        if (!tsr_hlo_dims_compatible(lhs->dims[tsr_ints_at(of[LHS], i)],
                                     rhs->dims[tsr_ints_at(of[RHS], i)]))
            return tsr_hlo_error(op, "%s dimension sizes must match for lhs/rhs", what);
    return true;
}

bool tsr_hlo_verify_dot_dims(const tsr_op *op, const tsr_dot *d)
{
    static const char *const batching[] = {"lhs_batching_dimensions", "rhs_batching_dimensions"};
    static const char *const contracting[] = {"lhs_contracting_dimensions",
                                              "rhs_contracting_dimensions"};
    if (d->batch[LHS].n != d->batch[RHS].n)
        return tsr_hlo_error(op, "lhs and rhs should have the same number of batching dimensions");
    if (d->contract[LHS].n != d->contract[RHS].n)
        return tsr_hlo_error(op,
                             "lhs and rhs should have the same number of contracting dimensions");
    for (int side = LHS; side <= RHS; side++)
        TSR_TRY(tsr_hlo_check_distinct(op, d->batch[side].attr, d->contract[side].attr,
                                       batching[side], contracting[side]));
    for (int side = LHS; side <= RHS; side++)
        TSR_TRY(check_range(op, d->batch[side], tsr_hlo_in(op, side), batching[side]) &&
                check_range(op, d->contract[side], tsr_hlo_in(op, side), contracting[side]));
    return check_sizes(op, d->batch, "batching") && check_sizes(op, d->contract, "contracting");
}

bool infer_stablehlo_dot_general(const tsr_op *op, tsr_type_vec *out)
{
    tsr_dot d;
    const tsr_type *lhs = tsr_hlo_in(op, LHS), *rhs = tsr_hlo_in(op, RHS);
    tsr_dot_of(op, &d);
    TSR_TRY(tsr_hlo_verify_dot_dims(op, &d));
    dim_vec dims = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < d.batch[LHS].n; i++) {
        tsr_hlo_dim a = tsr_hlo_dim_of(lhs, (size_t)tsr_ints_at(d.batch[LHS], i));
        tsr_hlo_dim b = tsr_hlo_dim_of(rhs, (size_t)tsr_ints_at(d.batch[RHS], i)), both;
        ok = tsr_hlo_dim_most(op, (int64_t)i, a, b, &both);
        if (ok)
            tsr_vec_push(&dims, both);
    }
    for (int side = LHS; ok && side <= RHS; side++)
        for (uint32_t i = 0; i < tsr_hlo_in(op, side)->n; i++)
            if (tsr_dot_is_free(&d, side, i))
                tsr_vec_push(&dims, tsr_hlo_dim_of(tsr_hlo_in(op, side), i));
    if (ok)
        tsr_vec_push(out, product_type(op, &dims));
    tsr_vec_free(&dims);
    return ok;
}

static bool has_default_precision(const tsr_attr *config)
{
    for (uint32_t i = 0; config && i < config->n; i++)
        if (config->attrs[i]->i != 0)
            return false;
    return true;
}

static bool check_dot_quantization(const tsr_op *op)
{
    tsr_dot d;
    const tsr_type *lhs = tsr_hlo_in(op, LHS), *rhs = tsr_hlo_in(op, RHS);
    bool per_axis = tsr_hlo_is_per_axis(rhs);
    for (size_t i = 0; (per_axis || tsr_hlo_is_per_tensor(rhs)) && i < tsr_hlo_num_scales(rhs); i++)
        if (tsr_hlo_zero_point(rhs, i) != 0)
            return tsr_hlo_error(op, "Zero point%s of rhs should be 0", per_axis ? "s" : "");
    tsr_dot_of(op, &d);
    if (per_axis && tsr_ints_has(d.contract[RHS], tsr_hlo_quantized_dim(rhs)))
        return tsr_hlo_error(
            op, "Quantization dimension of rhs should not be in the contracting dimension of rhs");
    return tsr_hlo_verify_product_quantization(op, lhs, rhs, op->out[0].type);
}

static bool check_dot_shape(const tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok =
        infer_stablehlo_dot_general(op, &types) && tsr_hlo_verify_inferred_shape(op, types.data[0]);
    tsr_vec_free(&types);
    return ok;
}

bool verify_stablehlo_dot_general(tsr_op *op)
{
    const tsr_attr *precision = tsr_attr_of(op, STABLEHLO_DOT_GENERAL_precision_config);
    const tsr_attr *algorithm = tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm);
    if (algorithm)
        TSR_TRY(tsr_hlo_dot_algorithm_ok(op->module->ctx, op->loc, algorithm->attrs));
    TSR_TRY(tsr_hlo_verify_precision(op, precision));
    TSR_TRY(check_dot_shape(op));
    if (algorithm && !has_default_precision(precision))
        return tsr_hlo_error(op, "must specify DEFAULT precision config when algorithm is set.");
    return !tsr_hlo_any_quantized(op) || check_dot_quantization(op);
}
