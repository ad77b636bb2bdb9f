/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_reduce.c - reduce: sums are linear, largest and smallest elements get the cotangent of the result (equal ones
 * share it), and any other body becomes a tree of elementwise ops, which have their own rules. */
#include "pass/grad/grad.h"

static uint32_t pairs(const tsr_op *op)
{
    return op->nin / 2;
}

static tsr_reduce_kind body_kind(const tsr_op *op, uint32_t i)
{
    tsr_reducer r;
    tsr_reducer_of(&op->regions[0], pairs(op), i, &r);
    return r.kind;
}

/* The positions of the result's dimensions in the input. */
static void kept_dims(const tsr_op *op, tsr_i64_vec *out)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    for (int64_t d = 0; d < tsr_hlo_in(op, 0)->n; d++) {
        bool gone = false;
        for (size_t i = 0; i < tsr_hlo_len(dims); i++)
            gone |= tsr_hlo_at(dims, i) == d;
        if (!gone)
            tsr_vec_push(out, d);
    }
}

/* Broadcasts a value of the result's shape to the elements that were reduced to it. */
static tsr_value *spread(tsr_build *b, tsr_op *op, tsr_value *v, tsr_value *x)
{
    tsr_i64_vec dims = {0};
    kept_dims(op, &dims);
    tsr_value *out = tsr_build_spread(b, v, dims.data, x);
    tsr_vec_free(&dims);
    return out;
}

static tsr_value *sum(tsr_build *b, tsr_op *op, tsr_value *v)
{
    const tsr_attr *list = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    tsr_i64_vec dims = {0};
    for (size_t i = 0; i < tsr_hlo_len(list); i++)
        tsr_vec_push(&dims, tsr_hlo_at(list, i));
    tsr_value *out = tsr_grad_sum(b, v, dims.data, dims.n);
    tsr_vec_free(&dims);
    return out;
}

/* 1 where x is the extreme value, else 0; and how many there are. */
static tsr_value *found(tsr_build *b, tsr_op *op, tsr_value **count)
{
    tsr_value *x = tsr_grad_in(op, 0), *z = &op->out[0];
    tsr_value *is = f_eq(b, tsr_build_convert(b, x, tsr_elem(z)), spread(b, op, z, x));
    tsr_value *mask = tsr_build_convert(b, is, tsr_elem(z));
    *count = sum(b, op, mask);
    return mask;
}

bool vjp_reduce(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    uint32_t n = pairs(op);
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *x = tsr_grad_in(op, i), *init = tsr_grad_in(op, n + i), *c = ct[i];
        if (!c)
            continue;
        if (tsr_grad_varied(g, init))
            tsr_grad_add(g, init, tsr_grad_sum_all(&g->b, c));
        if (!tsr_grad_varied(g, x))
            continue;
        tsr_value *d;
        if (tsr_reduce_is_extremal(body_kind(op, i))) {
            tsr_value *count, *mask = found(&g->b, op, &count);
            d = f_mul(&g->b, mask, spread(&g->b, op, f_div(&g->b, c, count), x));
            d = tsr_build_convert(&g->b, d, tsr_elem(x));
        } else {
            d = spread(&g->b, op, tsr_build_convert(&g->b, c, tsr_elem(x)), x);
        }
        tsr_grad_add(g, x, d);
    }
    return true;
}

bool jvp_reduce(tsr_grad *g, tsr_op *op)
{
    if (!tsr_reduce_is_extremal(body_kind(op, 0)))
        return jvp_linear(g, op);
    tsr_build *b = &g->b;
    tsr_value *count, *mask = found(b, op, &count), *t = tsr_grad_of(g, tsr_grad_in(op, 0));
    t = f_mul(b, mask, tsr_build_convert(b, t, tsr_elem(mask)));
    tsr_grad_set(g, &op->out[0], f_div(b, sum(b, op, t), count));
    return true;
}

/* ---- Other bodies ---- */

/* Whether each result is the sum of its own arguments, independent of other results: nothing to unfold. */
static bool all_sums(const tsr_op *op)
{
    for (uint32_t i = 0; i < pairs(op); i++)
        if (body_kind(op, i) != TSR_REDUCE_SUM)
            return false;
    return true;
}

/* Every second of the first n elements along a dimension, beginning at start. */
static tsr_value *every_second(tsr_build *b, tsr_value *v, int64_t dim, int64_t start, int64_t n)
{
    tsr_i64_vec starts = {0}, limits = {0}, strides = {0};
    for (uint32_t i = 0; i < v->type->n; i++) {
        tsr_vec_push(&starts, i == dim ? start : 0);
        tsr_vec_push(&limits, i == dim ? n : v->type->dims[i]);
        tsr_vec_push(&strides, i == dim ? 2 : 1);
    }
    tsr_value *out = tsr_grad_slice(b, v, starts.data, limits.data, strides.data);
    tsr_vec_free(&starts);
    tsr_vec_free(&limits);
    tsr_vec_free(&strides);
    return out;
}

/* Halves a dimension until one element is left: neighbours are combined, so the order is kept. */
static bool fold_dim(tsr_build *b, tsr_region *body, tsr_value **v, uint32_t n, int64_t dim)
{
    tsr_value_vec in = {0}, out = {0};
    bool ok = true;
    for (int64_t size = v[0]->type->dims[dim]; ok && size > 1; size = v[0]->type->dims[dim]) {
        int64_t even = size / 2 * 2;
        in.n = out.n = 0;
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t i = 0; i < n; i++)
                tsr_vec_push(&in, every_second(b, v[i], dim, k, even));
        ok = tsr_grad_apply(b, body, in.data, in.n, &out);
        for (uint32_t i = 0; ok && i < n; i++) {
            tsr_value *rest[] = {out.data[i],
                                 even < size ? tsr_build_slice(b, v[i], dim, even, size) : NULL};
            v[i] = tsr_grad_concat(b, rest, even < size ? 2 : 1, dim);
        }
    }
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return ok;
}

/* All inputs folded along the dimensions, and their initial values. */
static bool fold_all(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    uint32_t n = pairs(op);
    tsr_value_vec v = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&v, tsr_build_convert(b, tsr_grad_in(op, i), tsr_elem(&op->out[i])));
    for (size_t k = 0; ok && k < tsr_hlo_len(dims); k++)
        ok = fold_dim(b, &op->regions[0], v.data, n, tsr_hlo_at(dims, k));
    for (uint32_t i = 0; ok && i < n; i++)
        v.data[i] = tsr_build_reshape(b, v.data[i], op->out[i].type);
    ok = ok && tsr_grad_add_init(b, op, v.data, n, out);
    tsr_vec_free(&v);
    return ok;
}

tsr_unfolded unfold_reduce(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    uint32_t n = pairs(op);
    if (all_sums(op))
        return TSR_UNFOLD_KEEP;
    if (n == 1 && tsr_reduce_is_extremal(body_kind(op, 0)) &&
        !tsr_grad_varied(g, tsr_grad_in(op, 1)))
        return TSR_UNFOLD_KEEP;
    const tsr_type *t = tsr_hlo_in(op, 0);
    if (!tsr_type_has_static_shape(t) || !tsr_type_num_elements(t)) {
        /* nothing is reduced: the result is the initial values */
        if (tsr_type_has_static_shape(t)) {
            for (uint32_t i = 0; i < n; i++)
                out[i] = tsr_grad_fill(b, tsr_grad_in(op, n + i), &op->out[i]);
            return TSR_UNFOLD_DONE;
        }
        tsr_grad_none(op, "its body is not a sum, a maximum or a minimum, and sizes are not known");
        return TSR_UNFOLD_FAILED;
    }
    if (fold_all(b, op, out))
        return TSR_UNFOLD_DONE;
    tsr_grad_none(op, "its body is not elementwise");
    return TSR_UNFOLD_FAILED;
}

/* ---- Map: the body applied to whole tensors ---- */

tsr_unfolded unfold_map(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_value_vec in = {0}, results = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, tsr_grad_in(op, i));
    bool ok = tsr_grad_apply(b, &op->regions[0], in.data, in.n, &results) && results.n == 1;
    if (ok)
        out[0] = results.data[0];
    else
        tsr_grad_none(op, "its body is not elementwise");
    tsr_vec_free(&in);
    tsr_vec_free(&results);
    return ok ? TSR_UNFOLD_DONE : TSR_UNFOLD_FAILED;
}
