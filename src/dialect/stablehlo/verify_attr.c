/* SPDX-License-Identifier: Apache-2.0 */
/* verify_attr.c - rules of StableHLO's attributes and types themselves, checked when they are read: an invalid
 * attribute is never created. */
#include "dialect/stablehlo/stablehlo.h"
#include "dialect/stablehlo/types.h"

/* ---- #stablehlo.dot_algorithm ---- */

enum { LHS_TYPE, RHS_TYPE, ACCUMULATION_TYPE, LHS_COUNT, RHS_COUNT, NUM_OPS, IMPRECISE };

/* Combinations that some hardware supports: types of the sides, type of the sum, number of products. */
static const struct {
    tsr_float_kind side, sum;
    uint8_t ops;
} algorithms[] = {
    {TSR_F16, TSR_F16, 1},  {TSR_F16, TSR_F32, 1},  {TSR_BF16, TSR_BF16, 1}, {TSR_BF16, TSR_F32, 1},
    {TSR_BF16, TSR_F32, 3}, {TSR_BF16, TSR_F32, 6}, {TSR_BF16, TSR_F32, 9},  {TSR_TF32, TSR_F32, 1},
    {TSR_TF32, TSR_F32, 3}, {TSR_F32, TSR_F32, 1},  {TSR_F64, TSR_F64, 1},
};

static bool is_float8(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_FLOAT) && t->width == 8 && t->sub != TSR_F8E8M0FNU;
}

static bool is_float(const tsr_type *t, tsr_float_kind kind)
{
    return tsr_type_is(t, TSR_TYPE_FLOAT) && t->sub == kind;
}

static bool is_known_algorithm(tsr_attr *const *p)
{
    const tsr_type *lhs = p[LHS_TYPE]->type, *rhs = p[RHS_TYPE]->type,
                   *sum = p[ACCUMULATION_TYPE]->type;
    int64_t ops = p[NUM_OPS]->i;
    if (p[LHS_COUNT]->i != 1 || p[RHS_COUNT]->i != 1)
        return false;
    if (is_float8(lhs) && is_float8(rhs) && is_float(sum, TSR_F32) && ops == 1)
        return true;
    for (size_t i = 0; !p[IMPRECISE]->i && i < TSR_COUNT(algorithms); i++)
        if (is_float(lhs, algorithms[i].side) && is_float(rhs, algorithms[i].side) &&
            is_float(sum, algorithms[i].sum) && ops == algorithms[i].ops)
            return true;
    return false;
}

bool tsr_hlo_dot_algorithm_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *p)
{
    if (p[LHS_COUNT]->i < 1)
        return tsr_error(ctx, loc, "lhs component count must be positive");
    if (p[RHS_COUNT]->i < 1)
        return tsr_error(ctx, loc, "rhs component count must be positive");
    if (p[NUM_OPS]->i < 1)
        return tsr_error(ctx, loc, "num primitive operations must be positive");
    if (is_known_algorithm(p))
        return true;
    return tsr_error(
        ctx, loc,
        "dot algorithm not known to be supported on any hardware: {lhs:%s, rhs:%s, accum:%s, "
        "lhs_components:%lld, rhs_components:%lld, primitive_ops:%lld, imprecise:%d}",
        tsr_hlo_show_type(p[LHS_TYPE]->type), tsr_hlo_show_type(p[RHS_TYPE]->type),
        tsr_hlo_show_type(p[ACCUMULATION_TYPE]->type), (long long)p[LHS_COUNT]->i,
        (long long)p[RHS_COUNT]->i, (long long)p[NUM_OPS]->i, p[IMPRECISE]->i != 0);
}

/* ---- #stablehlo.result_accuracy ---- */

enum { ATOL, RTOL, ULPS, MODE };

static bool is_negative(const tsr_attr *f64)
{
    return f64->i < 0; /* the sign bit, also of a zero */
}

static bool is_zero(const tsr_attr *f64)
{
    return (uint64_t)f64->i << 1 == 0;
}

bool tsr_hlo_accuracy_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *p)
{
    if (is_negative(p[ATOL]) || is_negative(p[RTOL]) || p[ULPS]->i < 0)
        return tsr_error(ctx, loc, "Negative tolerance");
    const char *mode = tsr_def_STABLEHLO_RESULT_ACCURACY_MODE.cases[p[MODE]->i];
    bool plain = strcmp(mode, "DEFAULT") == 0 || strcmp(mode, "HIGHEST") == 0;
    if (plain && (!is_zero(p[ATOL]) || !is_zero(p[RTOL]) || p[ULPS]->i))
        return tsr_error(
            ctx, loc, "Invalid tolerances for ResultAccuracyAttr with mode %s, must be all zero.",
            mode);
    return true;
}

/* ---- !stablehlo.future ---- */

bool tsr_hlo_future_ok(tsr_ctx *ctx, tsr_loc loc, const tsr_attr *types)
{
    for (uint32_t i = 0; i < types->n; i++)
        if (!tsr_hlo_is_ranked(types->attrs[i]->type))
            return tsr_error(ctx, loc, "future element type must be a ranked tensor, but got %s",
                             tsr_hlo_show_type(types->attrs[i]->type));
    return true;
}
