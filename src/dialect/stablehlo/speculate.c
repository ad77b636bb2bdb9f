/* SPDX-License-Identifier: Apache-2.0 */
/* speculate.c - StableHLO ops with their own conditions for speculation (SPECULATE); traits cover the regular ones.
 *
 * The question is always the same: is there a dimension that is dynamic here and could turn out wrong at run time? A
 * dynamic dimension of a result promises nothing, so it cannot be wrong. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/cases.h"
#include "dialect/stablehlo/types.h"

static tsr_speculation when(bool ok)
{
    return ok ? TSR_SPECULATE_YES : TSR_SPECULATE_NO;
}

/* Whether dimension i of a type may have any size; also if there is no such dimension. */
static bool open_dim(const tsr_type *t, int64_t i)
{
    return !tsr_hlo_is_ranked(t) || i < 0 || i >= t->n || t->dims[i] == TSR_DYNAMIC;
}

static bool any_open(const tsr_type *t, tsr_ints dims)
{
    for (size_t i = 0; i < dims.n; i++)
        if (open_dim(t, tsr_ints_at(dims, i)))
            return true;
    return false;
}

static bool fully_open(const tsr_type *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->dims[i] != TSR_DYNAMIC)
            return false;
    return true;
}

/* Whether dimension i of out promises a size that dimension j of in does not guarantee. */
static bool breaks(const tsr_type *out, int64_t i, const tsr_type *in, int64_t j)
{
    return !open_dim(out, i) && open_dim(in, j);
}

/* No dimension of out breaks against the same one of in, except a and b, which are skipped (-1: none). */
static bool dims_hold(const tsr_type *out, const tsr_type *in, int64_t a, int64_t b)
{
    for (uint32_t i = 0; i < out->n; i++)
        if (i != a && i != b && breaks(out, i, in, i))
            return false;
    return true;
}

static bool static_inputs(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_type_has_static_shape(tsr_hlo_in(op, i)))
            return false;
    return true;
}

/* Static inputs, the last n of which are constant. */
static tsr_speculation shapes_known(const tsr_op *op, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (i >= op->nin || !tsr_value_is_constant(op->in[op->nin - 1 - i].value))
            return TSR_SPECULATE_NO;
    return when(static_inputs(op));
}

static bool flag(const tsr_op *op, int slot)
{
    const tsr_attr *a = tsr_attr_of(op, slot);
    return a && a->i != 0;
}

tsr_speculation speculate_stablehlo_dynamic_iota(const tsr_op *op)
{
    return when(tsr_value_is_constant(op->in[0].value) || fully_open(op->out[0].type));
}

/* ---- Collectives: the number of processes is known only at run time ---- */

/* The sizes of dimensions a and b of each result depend on it. */
static tsr_speculation collective(const tsr_op *op, int64_t a, int64_t b)
{
    for (uint32_t i = 0; i < op->nin && i < op->nout; i++) {
        const tsr_type *out = op->out[i].type;
        if (!open_dim(out, a) || !open_dim(out, b) || !dims_hold(out, tsr_hlo_in(op, i), a, b))
            return TSR_SPECULATE_NO;
    }
    return TSR_SPECULATE_YES;
}

tsr_speculation speculate_stablehlo_all_gather(const tsr_op *op)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
    return collective(op, dim, dim);
}

tsr_speculation speculate_stablehlo_reduce_scatter(const tsr_op *op)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
    return collective(op, dim, dim);
}

tsr_speculation speculate_stablehlo_all_to_all(const tsr_op *op)
{
    return collective(op, tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_dimension)->i,
                      tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_concat_dimension)->i);
}

/* ---- Movement of data ---- */

/* The dimension that only one of the two has follows from the widths. */
tsr_speculation speculate_stablehlo_bitcast_convert(const tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    for (uint32_t i = 0; i < in->n && i < out->n; i++)
        if (breaks(out, i, in, i))
            return TSR_SPECULATE_NO;
    return TSR_SPECULATE_YES;
}

/* A single element can be broadcast to any shape that is not promised; otherwise the shape must be known. */
tsr_speculation speculate_stablehlo_dynamic_broadcast_in_dim(const tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0);
    if (!tsr_type_has_static_shape(in))
        return TSR_SPECULATE_NO;
    return when((tsr_type_num_elements(in) == 1 && fully_open(op->out[0].type)) ||
                tsr_value_is_constant(op->in[1].value));
}

/* All sizes must agree; along the concatenated dimension only if the result type gives their sum. */
tsr_speculation speculate_stablehlo_concatenate(const tsr_op *op)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i;
    bool any_sum = open_dim(op->out[0].type, dim);
    for (uint32_t i = 0; i < op->nin; i++)
        for (uint32_t d = 0; d < tsr_hlo_in(op, i)->n; d++)
            if (open_dim(tsr_hlo_in(op, i), d) && !(d == dim && any_sum))
                return TSR_SPECULATE_NO;
    return TSR_SPECULATE_YES;
}

tsr_speculation speculate_stablehlo_set_dimension_size(const tsr_op *op)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_SET_DIMENSION_SIZE_dimension)->i;
    const tsr_type *out = op->out[0].type;
    if (!tsr_value_is_constant(op->in[1].value) && !open_dim(out, dim))
        return TSR_SPECULATE_NO;
    return when(dims_hold(out, tsr_hlo_in(op, 0), dim, dim));
}

tsr_speculation speculate_stablehlo_transpose(const tsr_op *op)
{
    const tsr_attr *perm = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    const tsr_type *out = op->out[0].type;
    for (uint32_t i = 0; i < out->n && i < tsr_hlo_len(perm); i++)
        if (breaks(out, i, tsr_hlo_in(op, 0), tsr_hlo_at(perm, i)))
            return TSR_SPECULATE_NO;
    return TSR_SPECULATE_YES;
}

tsr_speculation speculate_stablehlo_real_dynamic_slice(const tsr_op *op)
{
    return shapes_known(op, 3);
}

tsr_speculation speculate_stablehlo_dynamic_pad(const tsr_op *op)
{
    return shapes_known(op, 3);
}

/* If indices are declared sorted (or unique) and are not, the result is undefined. */
tsr_speculation speculate_stablehlo_gather(const tsr_op *op)
{
    return when(!flag(op, STABLEHLO_GATHER_indices_are_sorted) && static_inputs(op));
}

tsr_speculation speculate_stablehlo_scatter(const tsr_op *op)
{
    if (flag(op, STABLEHLO_SCATTER_unique_indices) ||
        flag(op, STABLEHLO_SCATTER_indices_are_sorted))
        return TSR_SPECULATE_NO;
    return static_inputs(op) ? TSR_SPECULATE_RECURSIVE : TSR_SPECULATE_NO;
}

/* ---- Products and transforms ---- */

/* Dimensions of one side that are neither batching nor contracting appear in the result, starting at dimension
 * *next. */
static bool free_dims_hold(const tsr_type *out, int64_t *next, const tsr_type *in, const tsr_dot *d,
                           int side)
{
    for (uint32_t i = 0; i < in->n; i++)
        if (tsr_dot_is_free(d, side, i) && breaks(out, (*next)++, in, i))
            return false;
    return true;
}

tsr_speculation speculate_stablehlo_dot_general(const tsr_op *op)
{
    tsr_dot d;
    const tsr_type *out = op->out[0].type;
    tsr_dot_of(op, &d);
    for (int side = 0; side < 2; side++)
        if (any_open(tsr_hlo_in(op, (size_t)side), d.batch[side]) ||
            any_open(tsr_hlo_in(op, (size_t)side), d.contract[side]))
            return TSR_SPECULATE_NO;
    int64_t next = d.batch[0].n;
    return when(free_dims_hold(out, &next, tsr_hlo_in(op, 0), &d, 0) &&
                free_dims_hold(out, &next, tsr_hlo_in(op, 1), &d, 1));
}

/* Features are contracted, so both sides must be static; batch and output features must be if they are divided into
 * groups. */
tsr_speculation speculate_stablehlo_convolution(const tsr_op *op)
{
    tsr_conv c;
    const tsr_type *in = tsr_hlo_in(op, 0), *kernel = tsr_hlo_in(op, 1), *out = op->out[0].type;
    tsr_conv_of(op, &c);
    if (open_dim(in, c.in_feature) || open_dim(kernel, c.kernel_in))
        return TSR_SPECULATE_NO;
    if (open_dim(in, c.in_batch) && (c.batch_groups > 1 || !open_dim(out, c.out_batch)))
        return TSR_SPECULATE_NO;
    if (open_dim(kernel, c.kernel_out) &&
        (c.batch_groups > 1 || c.feature_groups > 1 || !open_dim(out, c.out_feature)))
        return TSR_SPECULATE_NO;
    if (c.in_spatial.n != c.out_spatial.n || c.kernel_spatial.n != c.out_spatial.n)
        return TSR_SPECULATE_NO;
    for (uint32_t i = 0; i < c.out_spatial.n; i++) {
        int64_t to = tsr_ints_at(c.out_spatial, i);
        if (breaks(out, to, in, tsr_ints_at(c.in_spatial, i)) ||
            breaks(out, to, kernel, tsr_ints_at(c.kernel_spatial, i)))
            return TSR_SPECULATE_NO;
    }
    return TSR_SPECULATE_YES;
}

/* Transforms between real and complex change sizes, so their dimensions must be static. */
tsr_speculation speculate_stablehlo_fft(const tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    int64_t kind = tsr_attr_of(op, STABLEHLO_FFT_fft_type)->i, known = in->n;
    if (kind == TSR_FFT_RFFT || kind == TSR_FFT_IRFFT)
        known -= (int64_t)tsr_hlo_len(tsr_attr_of(op, STABLEHLO_FFT_fft_length));
    for (uint32_t i = 0; i < in->n; i++)
        if (open_dim(in, i) && (i >= known || !open_dim(out, i)))
            return TSR_SPECULATE_NO;
    return TSR_SPECULATE_YES;
}

/* If a diagonal is declared to be ones and is not, the result is undefined. */
tsr_speculation speculate_stablehlo_triangular_solve(const tsr_op *op)
{
    return when(!flag(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal) && static_inputs(op));
}
