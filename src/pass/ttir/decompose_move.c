/* SPDX-License-Identifier: Apache-2.0 */
/* decompose_move.c - decomposes moves into steps that devices have: ttir-decompose-complex-permute,
 * ttir-decompose-complex-reshape; and flattens images to one row of pixels for convolutions and pools:
 * ttir-flatten-sliding-window. */
#include "pass/ttir/tt.h"

/* ---- Permutes ---- */

static void swap_last(int64_t *v, size_t n)
{
    int64_t x = v[n - 1];
    v[n - 1] = v[n - 2];
    v[n - 2] = x;
}

static tsr_value *step(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *perm)
{
    if (tsr_ttir_is_identity(perm, v->type->n))
        return v;
    v = tsr_ttr_permute(r, at, v, perm);
    v->op->extra = tsr_dict_with(r->ctx, NULL, tsr_name_get(r->ctx, TSR_STR("decomposed")),
                                 tsr_attr_unit(r->ctx));
    return v;
}

/* A permute that moves the last dimension -> permutes that do not, and one that swaps the last two */
bool rule_tt_permute_steps(tsr_rewriter *r, tsr_op *op)
{
    int64_t perm[TSR_TTIR_RANK], first[TSR_TTIR_RANK], inner[TSR_TTIR_RANK], then[TSR_TTIR_RANK];
    tsr_value *v = tsr_rw_in(op, 0);
    if (!tsr_ttr_tensor(v) || v->type->n < 2 || tsr_dict_get(op->extra, TSR_STR("decomposed")))
        return false;
    size_t n = tsr_ttr_permutation(op, perm);
    int64_t last = (int64_t)n - 1, k = perm[n - 1];
    if (k == last)
        return false;
    for (size_t i = 0; i < n; i++)
        first[i] = inner[i] = then[i] = (int64_t)i;
    swap_last(inner, n);
    memcpy(then, perm, n * sizeof *then);
    swap_last(then, n);
    if (perm[n - 2] == last) {
        /* The last two are swapped at the end: all others first. */
        if (tsr_ttir_is_identity(then, n))
            return false;
        v = step(r, op, step(r, op, v, then), inner);
    } else {
        first[n - 2] = k;
        first[k] = last - 1;
        for (size_t i = 0; i + 1 < n; i++)
            then[i] = perm[i] == last - 1 ? k : perm[i] == last ? last - 1 : perm[i];
        then[n - 1] = last;
        v = step(r, op, step(r, op, step(r, op, v, first), inner), then);
    }
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Reshapes ---- */

static size_t without_ones(const tsr_type *t, int64_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->dims[i] != 1)
            out[n++] = t->dims[i];
    return n;
}

static tsr_value *transpose(tsr_rewriter *r, tsr_op *at, tsr_value *v)
{
    int64_t perm[TSR_TTIR_RANK];
    for (size_t i = 0; i < v->type->n; i++)
        perm[i] = (int64_t)i;
    swap_last(perm, v->type->n);
    return tsr_ttr_permute(r, at, v, perm);
}

static tsr_value *reshape_unless(tsr_rewriter *r, tsr_op *at, tsr_value *v, const int64_t *dims,
                                 size_t n)
{
    return tsr_ttir_shape_is(v, dims, n) ? v : tsr_ttr_reshape(r, at, v, dims, n);
}

/* Whether swapping the last two dimensions moves no element: exactly one of them is 1. */
static bool swaps_free(const tsr_type *t)
{
    return t->n > 1 && (t->dims[t->n - 1] == 1) != (t->dims[t->n - 2] == 1);
}

/* A reshape that adds or removes a last dimension of size 1 -> a transpose and a reshape that keeps the last
 * dimension */
bool rule_tt_reshape_steps(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    const tsr_type *in = v->type, *out = op->out[0].type;
    int64_t a[TSR_TTIR_RANK], b[TSR_TTIR_RANK], swapped[TSR_TTIR_RANK];
    if (!tsr_ttr_tensor(v) || !tsr_ttr_tensor(&op->out[0]) || in->n == 0 || out->n == 0)
        return false;
    size_t na = without_ones(in, a), nb = without_ones(out, b);
    bool same = na == nb && memcmp(a, b, na * sizeof *a) == 0, from = in->dims[in->n - 1] == 1,
         to = out->dims[out->n - 1] == 1;
    if (!same) {
        size_t before = 0, after = 0;
        while (before < in->n && in->dims[before] == 1)
            before++;
        while (after < out->n && out->dims[after] == 1)
            after++;
        if (after <= before || !from)
            return false;
        int64_t all = tsr_ttr_elements(v), column[] = {all, 1};
        v = transpose(r, op, reshape_unless(r, op, v, column, 2));
        tsr_rw_replace_one(r, op, reshape_unless(r, op, v, out->dims, out->n));
        return true;
    }
    if (from == to)
        return false;
    bool in_moves = swaps_free(in), out_moves = swaps_free(out);
    memcpy(swapped, out->dims, out->n * sizeof *swapped);
    if (out->n > 1)
        swap_last(swapped, out->n);
    if (to ? out_moves : !in_moves && out_moves) {
        v = transpose(r, op, reshape_unless(r, op, v, swapped, out->n));
    } else if (in_moves) {
        v = reshape_unless(r, op, transpose(r, op, v), out->dims, out->n);
    } else { /* through a shape that ends with a single 1, or has it before the last */
        size_t n = (to ? in : out)->n;
        memcpy(swapped, (to ? in : out)->dims, n * sizeof *swapped);
        swapped[n] = 1;
        if (to)
            swap_last(swapped, n + 1);
        v = transpose(r, op, reshape_unless(r, op, v, swapped, n + 1));
        v = reshape_unless(r, op, v, out->dims, out->n);
    }
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Windows ---- */

static tsr_type *flat(const tsr_type *t)
{
    const int64_t *d = t->dims;
    return tsr_ttir_shaped(t, (int64_t[]){1, 1, d[0] * d[1] * d[2], d[3]}, 4);
}

/* Convolutions and pools of [n, h, w, c] -> of [1, 1, n * h * w, c], with the original sizes as attributes */
bool rule_tt_flatten_window(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *in[8], *out[2];
    int slot = tsr_opdef_slot(op->def, TSR_STR("flattened_compat_info"));
    if (slot < 0 || op->attrs[slot] || !tsr_ttr_tensor(x) || x->type->n != 4 ||
        op->nin > TSR_COUNT(in) || op->nout > 2)
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_ttr_tensor(&op->out[i]) || op->out[i].type->n != 4)
            return false;
    tsr_conv c;
    if (tsr_conv_of(op, &c) && c.in_feature != 3)
        return false;
    const int64_t *d = x->type->dims;
    tsr_flat sizes = {true, d[0], d[1], d[2]};
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_rw_in(op, i);
    tsr_type *type = flat(x->type);
    in[0] = tsr_ttr_reshape(r, op, x, type->dims, 4);
    tsr_op *copy = tsr_ttr_copy(r, op, op, in, op->nin, NULL);
    copy->attrs[slot] = tsr_flat_attr(r->ctx, &sizes);
    for (uint32_t i = 0; i < op->nout; i++) {
        copy->out[i].type = flat(op->out[i].type);
        out[i] = tsr_ttr_reshape(r, op, &copy->out[i], op->out[i].type->dims, 4);
    }
    tsr_rw_replace(r, op, out);
    return true;
}
