/* SPDX-License-Identifier: Apache-2.0 */
/* verify_window.c - windows that move over a base: their attributes and how many positions they have; reduce_window and
 * select_and_scatter. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

/* ---- Windows ---- */

bool tsr_hlo_verify_padding(const tsr_op *op, const tsr_attr *padding)
{
    const tsr_type *t = padding ? padding->type : NULL;
    if (!t || (t->n == 2 && t->dims[1] == 2))
        return true;
    return tsr_hlo_error(op, "expects the shape of padding-attribute to be {N, 2}, but got {%s}.",
                         tsr_hlo_show_dims(op->module->ctx, t->dims, t->n));
}

static bool check_count(const tsr_op *op, const tsr_window *w, size_t n, const char *name)
{
    if (n == 0 || n == w->sizes.n)
        return true;
    return tsr_hlo_error(
        op,
        "expects %s to have same dimension-size as size of window dimensions (%zu), but got: %zu.",
        name, (size_t)w->sizes.n, n);
}

bool tsr_hlo_verify_window(const tsr_op *op, const tsr_window *w)
{
    const struct {
        const char *name, *of;
        tsr_ints values;
    } factors[] = {{"window-strides", "stride", w->strides},
                   {"base-dilation factors", "base dilation factor", w->base_dilations},
                   {"window-dilation factors", "window dilation factor", w->window_dilations}};
    for (size_t f = 0; f < TSR_COUNT(factors); f++)
        TSR_TRY(check_count(op, w, factors[f].values.n, factors[f].name));
    TSR_TRY(check_count(op, w, w->low.n, "padding-entries"));
    TSR_TRY(check_count(op, w, w->reversal.n, "window-reversal"));
    for (size_t i = 0; i < w->sizes.n; i++) {
        int64_t size = tsr_ints_at(w->sizes, i);
        if (size != TSR_DYNAMIC && size <= 0)
            return tsr_hlo_error(
                op,
                "expects window to have positive value for %zu-th window dimension, but got %lld.",
                i, (long long)size);
        for (size_t f = 0; f < TSR_COUNT(factors); f++)
            if (tsr_ints_or(factors[f].values, i, 1) <= 0)
                return tsr_hlo_error(
                    op,
                    "expects window to have positive %s for %zu-th window dimension, but got %lld.",
                    factors[f].of, i, (long long)tsr_ints_or(factors[f].values, i, 1));
    }
    return true;
}

/* Numbers this large are meaningless as sizes: anything that reaches them is treated as unknown. */
static const int64_t size_limit = (int64_t)1 << 61;

/* The size with dilation - 1 holes between neighbours; -1 if it is too large. */
static int64_t dilated(int64_t size, int64_t dilation)
{
    if (size <= 0)
        return 0;
    return size - 1 > (size_limit - 1) / dilation ? -1 : (size - 1) * dilation + 1;
}

int64_t tsr_hlo_window_places(const tsr_window *w, size_t i, int64_t base)
{
    int64_t size = tsr_ints_at(w->sizes, i);
    if (base == TSR_DYNAMIC || size == TSR_DYNAMIC)
        return TSR_DYNAMIC;
    int64_t room = dilated(base, tsr_window_base_dilation(w, i));
    size = dilated(size, tsr_window_dilation(w, i));
    int64_t low = tsr_window_low(w, i), high = tsr_window_high(w, i);
    if (room < 0 || size < 0 || low > size_limit || low < -size_limit || high > size_limit ||
        high < -size_limit)
        return TSR_DYNAMIC;
    room += low + high;
    return room <= 0 || size > room ? 0 : (room - size) / tsr_window_stride(w, i) + 1;
}

/* ---- stablehlo.reduce_window ---- */

static bool reduce_window_of(const tsr_op *op, tsr_type *const *inputs, size_t n, tsr_window *w)
{
    tsr_window_of(op, w);
    if (!n)
        return tsr_hlo_error(op, "requires at least 1 input value");
    TSR_TRY(tsr_hlo_verify_inputs(op, inputs, n));
    TSR_TRY(tsr_hlo_verify_padding(op, w->low.attr));
    for (size_t i = 0; i < n; i++)
        if (inputs[i]->n != w->sizes.n)
            return tsr_hlo_error(op,
                                 "expects window-dimensions size == input rank, but got "
                                 "window-dimensions size: %zu and "
                                 "input: %s with rank = %u.",
                                 (size_t)w->sizes.n, tsr_hlo_show_type(inputs[i]), inputs[i]->n);
    return tsr_hlo_verify_window(op, w);
}

bool infer_stablehlo_reduce_window(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    size_t n = op->nin / 2;
    tsr_type_vec inputs = {0};
    tsr_i64_vec dims = {0};
    tsr_window w;
    tsr_hlo_operand_types(op, 0, n, &inputs);
    bool ok = reduce_window_of(op, inputs.data, n, &w);
    for (size_t i = 0; ok && i < n; i++) {
        const tsr_type *t = inputs.data[i];
        const int64_t *bounds = tsr_hlo_bounds(t);
        dims.n = 0;
        for (uint32_t d = 0; d < t->n; d++)
            tsr_vec_push(&dims, tsr_hlo_window_places(&w, d, t->dims[d]));
        for (uint32_t d = 0; bounds && d < t->n; d++)
            tsr_vec_push(&dims, tsr_hlo_window_places(&w, d, bounds[d]));
        tsr_attr *encoding = bounds ? tsr_hlo_encoding(ctx, t->attr, dims.data + t->n, t->n) : NULL;
        tsr_vec_push(out, tsr_type_tensor(ctx, dims.data, t->n,
                                          tsr_hlo_accumulator(&op->regions[0], i, t), encoding));
    }
    tsr_vec_free(&inputs);
    tsr_vec_free(&dims);
    return ok;
}

bool verify_stablehlo_reduce_window(tsr_op *op)
{
    size_t n = op->nin / 2;
    tsr_type_vec types = {0};
    tsr_window w;
    tsr_hlo_operand_types(op, 0, op->nin, &types);
    bool ok = reduce_window_of(op, types.data, n, &w);
    if (ok) {
        tsr_hlo_reduction r = {types.data, TSR_FROM(types.data, n), n, w.sizes};
        ok = tsr_hlo_verify_reducer(op, &op->regions[0], &r);
    }
    tsr_vec_free(&types);
    return ok;
}

/* ---- stablehlo.select_and_scatter ---- */

enum { OPERAND, SOURCE, INIT };
enum { SELECT, SCATTER };

bool infer_stablehlo_select_and_scatter(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *t = tsr_hlo_in(op, OPERAND);
    tsr_vec_push(out, tsr_hlo_with_element(t, tsr_hlo_accumulator(&op->regions[SCATTER], 0, t)));
    return true;
}

/* (T, T) -> i1 of the operand's elements. */
static bool check_select(const tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_region *select = &op->regions[SELECT];
    uint32_t nargs = select->first ? select->first->nargs : 0;
    if (nargs != 2)
        return tsr_hlo_error(op, "expects the select-region to take 2 parameters, but takes %u",
                             nargs);
    tsr_type *want = tsr_type_tensor(ctx, NULL, 0, tsr_hlo_element(tsr_hlo_in(op, OPERAND)), NULL);
    for (uint32_t i = 0; i < nargs; i++) {
        tsr_type *arg = select->first->args[i]->type;
        if (!tsr_type_is_shaped(arg) || !tsr_hlo_same_shape_and_element(want, arg, true))
            return tsr_hlo_error(
                op,
                "expects the type of select-region's parameter at index %u to be %s, but got %s", i,
                tsr_hlo_show_type(want), tsr_hlo_show_type(arg));
    }
    const tsr_op *end = tsr_hlo_terminator(select);
    if (!end)
        return true; /* its block is rejected later */
    if (end->nin != 1)
        return tsr_hlo_error(op, "expects select-region to return single value, but got: %u",
                             end->nin);
    const tsr_type *result = tsr_hlo_in(end, 0);
    if (!tsr_hlo_is_ranked(result) || result->n || !tsr_type_is_integer(result->elem, 1))
        return tsr_hlo_error(
            op, "expects the return-type of select-region to be tensor<i1>, but got: %s",
            tsr_hlo_show_type(result));
    return true;
}

static bool check_scatter(const tsr_op *op)
{
    tsr_type *init = tsr_hlo_in(op, INIT);
    tsr_type *input =
        tsr_type_tensor(op->module->ctx, NULL, 0, tsr_hlo_element(tsr_hlo_in(op, SOURCE)), NULL);
    tsr_hlo_reduction r = {.inputs = &input, .inits = &init, .n = 1};
    return tsr_hlo_verify_reducer(op, &op->regions[SCATTER], &r);
}

static bool check_source(const tsr_op *op, const tsr_window *w)
{
    const tsr_type *operand = tsr_hlo_in(op, OPERAND), *source = tsr_hlo_in(op, SOURCE);
    tsr_i64_vec dims = {0};
    for (uint32_t d = 0; d < operand->n; d++)
        tsr_vec_push(&dims, tsr_hlo_window_places(w, d, operand->dims[d]));
    tsr_type *want = tsr_type_tensor(op->module->ctx, dims.data, dims.n, operand->elem, NULL);
    tsr_vec_free(&dims);
    return tsr_hlo_same_shape_and_element(want, source, true) ||
           tsr_hlo_error(op, "expects source-type to be %s, but got%s", tsr_hlo_show_type(want),
                         tsr_hlo_show_type(source));
}

bool verify_stablehlo_select_and_scatter(tsr_op *op)
{
    const tsr_type *operand = tsr_hlo_in(op, OPERAND);
    tsr_window w;
    TSR_TRY(check_select(op));
    TSR_TRY(check_scatter(op));
    tsr_window_of(op, &w);
    if (operand->n != w.sizes.n)
        return tsr_hlo_error(op,
                             "expects window-dimensions size == operand rank, but got "
                             "window-dimensions size: %u and "
                             "operand-type: %s with rank = %u.",
                             w.sizes.n, tsr_hlo_show_type(operand), operand->n);
    return tsr_hlo_verify_padding(op, w.low.attr) && tsr_hlo_verify_window(op, &w) &&
           check_source(op, &w);
}
