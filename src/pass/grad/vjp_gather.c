/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_gather.c - gather and scatter are each other's transposes.
 *
 * They differ for indices out of bounds: gather clamps them, scatter skips the update. So indices are clamped before a
 * gather is transposed to a scatter, and updates that a scatter skipped get no cotangent. */
#include "pass/grad/grad.h"

/* ---- Indices ---- */

/* Numbers, one per component of an index vector, in the shape of the indices. */
static tsr_value *per_component(tsr_build *b, tsr_value *index, const tsr_gather *numbers,
                                const tsr_i64_vec *values)
{
    int64_t dim = numbers->vector;
    bool same = true;
    for (size_t i = 1; i < values->n; i++)
        same &= values->data[i] == values->data[0];
    if (same || dim >= index->type->n)
        return tsr_build_like_int(b, index, tsr_elem(index), values->n ? values->data[0] : 0);
    tsr_value *list =
        tsr_build_convert(b, tsr_build_ints(b, values->data, values->n), tsr_elem(index));
    return tsr_build_spread(b, list, &dim, index);
}

/* The largest index that keeps the window in bounds, plus more. */
static tsr_value *limits(tsr_build *b, tsr_value *index, const tsr_gather *numbers,
                         const tsr_type *whole, const tsr_type *part, int64_t more)
{
    tsr_i64_vec values = {0};
    for (uint32_t i = 0; i < numbers->map.n; i++) {
        int64_t d = tsr_ints_at(numbers->map, i), w = tsr_gather_window(numbers, part, d);
        tsr_vec_push(&values, whole->dims[d] - w + more * (w - 1));
    }
    tsr_value *out = per_component(b, index, numbers, &values);
    tsr_vec_free(&values);
    return out;
}

static bool is_unsigned(const tsr_type *elem)
{
    return elem->kind == TSR_TYPE_INTEGER && elem->sub == TSR_UNSIGNED;
}

static tsr_value *clamp_index(tsr_build *b, tsr_value *index, const tsr_gather *numbers,
                              const tsr_type *whole, const tsr_type *part)
{
    tsr_value *high = limits(b, index, numbers, whole, part, 0);
    return f_max(b, f_min(b, index, high), tsr_build_like_int(b, index, tsr_elem(index), 0));
}

/* ---- The ops ---- */

static tsr_value *scatter(tsr_grad *g, tsr_value *whole, tsr_value *index, tsr_value *part,
                          const tsr_gather *numbers, enum tsr_opcode body, tsr_attr *sorted,
                          tsr_attr *unique)
{
    tsr_build *b = &g->b;
    tsr_value *in[] = {whole, index, part};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_SCATTER, in, 3, 1, 1);
    op->attrs[STABLEHLO_SCATTER_scatter_dimension_numbers] = tsr_scatter_attr(b->ctx, numbers);
    op->attrs[STABLEHLO_SCATTER_indices_are_sorted] = sorted;
    op->attrs[STABLEHLO_SCATTER_unique_indices] = unique;
    if (body == TSR_OP_STABLEHLO_RETURN) { /* the update unchanged */
        tsr_type *scalar = tsr_scalar_type(tsr_elem(whole)), *args[] = {scalar, scalar};
        tsr_build inner = tsr_build_in(b, &op->regions[0], args, 2);
        tsr_build_return(&inner, &inner.block->args[1], 1);
        tsr_build_free(&inner);
    } else {
        tsr_grad_body(g, &op->regions[0], body, tsr_elem(whole));
    }
    return &tsr_build_close_as(b, op, &whole->type)->out[0];
}

/* The windows at index, in the shape of part. */
static tsr_value *gather(tsr_build *b, tsr_value *whole, tsr_value *index, const tsr_type *part,
                         const tsr_gather *numbers)
{
    tsr_value *in[] = {whole, index};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_GATHER, in, 2, 1, 0);
    tsr_i64_vec sizes = {0};
    for (int64_t d = 0; d < whole->type->n; d++)
        tsr_vec_push(&sizes, tsr_gather_window(numbers, part, d));
    op->attrs[STABLEHLO_GATHER_dimension_numbers] = tsr_gather_attr(b->ctx, numbers);
    op->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_grad_list(b, sizes.data, sizes.n);
    tsr_vec_free(&sizes);
    tsr_type *type = tsr_hlo_with_element(part, tsr_elem(whole));
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* The same, with zeros where a window, or a part of it, is out of bounds. */
static tsr_value *gather_or_zero(tsr_build *b, tsr_value *whole, tsr_value *index,
                                 const tsr_type *part, const tsr_gather *numbers)
{
    const tsr_type *t = whole->type;
    tsr_i64_vec edge = {0}, shift = {0};
    for (uint32_t d = 0; d < t->n; d++)
        tsr_vec_push(&edge, 0);
    for (uint32_t i = 0; i < numbers->map.n; i++) {
        int64_t d = tsr_ints_at(numbers->map, i), w = tsr_gather_window(numbers, part, d);
        edge.data[d] = w - 1;
        tsr_vec_push(&shift, w - 1);
    }
    /* Windows that extend past the edges read zeros there. */
    tsr_value *zero = tsr_grad_scalar(b, tsr_elem(whole), 0);
    tsr_value *wide = tsr_grad_pad(b, whole, zero, edge.data, edge.data, NULL);
    tsr_value *by = per_component(b, index, numbers, &shift),
              *last = limits(b, index, numbers, t, part, 1);
    tsr_value *at = wide == whole ? index : f_add(b, index, by);
    tsr_value *inside = f_le(b, index, last);
    if (!is_unsigned(tsr_elem(index)))
        inside = f_and(b, inside, f_ge(b, index, f_neg(b, by)));
    /* All components must be in bounds. */
    int64_t dim = numbers->vector;
    if (dim < index->type->n)
        inside = tsr_grad_reduce(b, TSR_OP_STABLEHLO_AND, inside, tsr_build_int(b, b->ctx->i1, 1),
                                 &dim, 1);
    tsr_value *out = gather(b, wide, at, part, numbers);
    tsr_i64_vec dims = {0};
    for (int64_t d = 0; d < part->n; d++)
        if (!tsr_ints_has(numbers->window, d))
            tsr_vec_push(&dims, d);
    tsr_value *mask = tsr_build_spread(b, inside, dims.data, out);
    tsr_vec_free(&edge);
    tsr_vec_free(&shift);
    tsr_vec_free(&dims);
    return f_select(b, mask, out, f_const(b, out, 0));
}

/* ---- Gather ---- */

bool vjp_gather(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *index = tsr_grad_in(op, 1);
    tsr_gather numbers;
    tsr_gather_of(op, &numbers);
    if (!tsr_grad_varied(g, x))
        return true;
    if (!tsr_type_has_static_shape(x->type) || !tsr_type_has_static_shape(ct[0]->type))
        return tsr_grad_none(op, "sizes are not known");
    tsr_value *at = clamp_index(&g->b, index, &numbers, x->type, ct[0]->type),
              *sum = tsr_grad_of(g, x);
    /* An existing sum is added to in place. */
    sum = scatter(g, sum ? sum : tsr_grad_zero(g, x), at, ct[0], &numbers, TSR_OP_STABLEHLO_ADD,
                  tsr_attr_of(op, STABLEHLO_GATHER_indices_are_sorted), NULL);
    tsr_grad_set(g, x, sum);
    return true;
}

/* ---- Scatter ---- */

/* 1 where the value in the result is this update's: for equal indices the last update written wins. */
static tsr_value *winners(tsr_grad *g, tsr_op *op, const tsr_gather *numbers, tsr_value *x,
                          tsr_value *index, tsr_value *update)
{
    tsr_build *b = &g->b;
    int64_t flat[] = {tsr_type_num_elements(update->type)};
    tsr_type *line = tsr_static_type(b->ctx, flat, 1, b->ctx->i32);
    tsr_op *iota = tsr_build_open(b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
    iota->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(b->ctx, 0);
    tsr_value *ids = tsr_build_reshape(b, &tsr_build_close_as(b, iota, &line)->out[0],
                                       tsr_hlo_with_element(update->type, b->ctx->i32));
    tsr_value *none = tsr_build_like_int(b, x, b->ctx->i32, -1);
    tsr_value *all = scatter(g, none, index, ids, numbers, TSR_OP_STABLEHLO_RETURN,
                             tsr_attr_of(op, STABLEHLO_SCATTER_indices_are_sorted), NULL);
    return f_eq(b, gather_or_zero(b, all, index, update->type, numbers), ids);
}

enum { REPLACED = TSR_REDUCE__COUNT }; /* the update replaces the element */

/* The operands and results of one pair. */
typedef struct {
    tsr_op *op;
    tsr_value *x, *index, *update, *out;
    tsr_gather numbers;
    tsr_attr *sorted, *unique;
    int kind; /* tsr_reduce_kind, or REPLACED */
} scattering;

/* Maximum or minimum: 1 where an operand or an update is the result, and how many share it. */
static void shares(tsr_grad *g, const scattering *s, tsr_value **mine, tsr_value **theirs,
                   tsr_value **count)
{
    tsr_build *b = &g->b;
    tsr_type *elem = tsr_elem(s->x);
    *mine = tsr_build_convert(b, f_eq(b, s->x, s->out), elem);
    tsr_value *found = gather_or_zero(b, s->out, s->index, s->update->type, &s->numbers);
    *theirs = tsr_build_convert(b, f_eq(b, s->update, found), elem);
    *count = scatter(g, *mine, s->index, *theirs, &s->numbers, TSR_OP_STABLEHLO_ADD, s->sorted,
                     s->unique);
}

/* For updates that replace the element: the last one gets the cotangent. */
static tsr_value *replacing(tsr_grad *g, const scattering *s, tsr_value *ct)
{
    tsr_build *b = &g->b;
    tsr_value *d = gather_or_zero(b, ct, s->index, s->update->type, &s->numbers);
    return s->numbers.unique
               ? d
               : f_select(b, winners(g, s->op, &s->numbers, s->x, s->index, s->update), d,
                          f_const(b, d, 0));
}

static bool scatter_vjp(tsr_grad *g, const scattering *s, tsr_value *ct)
{
    tsr_build *b = &g->b;
    bool x = tsr_grad_varied(g, s->x), u = tsr_grad_varied(g, s->update);
    tsr_value *mine, *theirs, *count;
    switch (s->kind) {
    case TSR_REDUCE_SUM:
        tsr_grad_add(g, s->x, ct);
        if (u)
            tsr_grad_add(g, s->update,
                         gather_or_zero(b, ct, s->index, s->update->type, &s->numbers));
        return true;
    case REPLACED:
        if (x)
            tsr_grad_add(g, s->x,
                         scatter(g, ct, s->index, f_const(b, s->update, 0), &s->numbers,
                                 TSR_OP_STABLEHLO_RETURN, s->sorted, s->unique));
        if (u)
            tsr_grad_add(g, s->update, replacing(g, s, ct));
        return true;
    case TSR_REDUCE_PRODUCT:
        if (!s->numbers.unique)
            return tsr_grad_none(s->op, "it multiplies places that may be the same");
        if (x)
            tsr_grad_add(g, s->x,
                         scatter(g, ct, s->index, s->update, &s->numbers, TSR_OP_STABLEHLO_MULTIPLY,
                                 s->sorted, s->unique));
        if (u)
            tsr_grad_add(
                g, s->update,
                gather_or_zero(b, f_mul(b, ct, s->x), s->index, s->update->type, &s->numbers));
        return true;
    case TSR_REDUCE_MAX:
    case TSR_REDUCE_MIN:
        shares(g, s, &mine, &theirs, &count);
        ct = f_div(b, ct, f_maxc(b, count, 1));
        if (x)
            tsr_grad_add(g, s->x, f_mul(b, ct, mine));
        if (u)
            tsr_grad_add(
                g, s->update,
                f_mul(b, theirs, gather_or_zero(b, ct, s->index, s->update->type, &s->numbers)));
        return true;
    default:
        return tsr_grad_none(s->op,
                             "its body is not a sum, product, maximum, minimum or the update");
    }
}

static tsr_value *scatter_jvp(tsr_grad *g, const scattering *s)
{
    tsr_build *b = &g->b;
    tsr_value *x = tsr_grad_of_or_zero(g, s->x), *u = tsr_grad_of_or_zero(g, s->update), *mine,
              *theirs, *count, *old;
    switch (s->kind) {
    case TSR_REDUCE_SUM:
    case REPLACED:
        return scatter(g, x, s->index, u, &s->numbers,
                       s->kind == REPLACED ? TSR_OP_STABLEHLO_RETURN : TSR_OP_STABLEHLO_ADD,
                       s->sorted, s->unique);
    case TSR_REDUCE_PRODUCT:
        if (!s->numbers.unique) {
            b->failed = !tsr_grad_none(s->op, "it multiplies places that may be the same");
            return x;
        }
        x = scatter(g, x, s->index, s->update, &s->numbers, TSR_OP_STABLEHLO_MULTIPLY, s->sorted,
                    s->unique);
        old = gather_or_zero(b, s->x, s->index, s->update->type, &s->numbers);
        return scatter(g, x, s->index, f_mul(b, old, u), &s->numbers, TSR_OP_STABLEHLO_ADD,
                       s->sorted, s->unique);
    case TSR_REDUCE_MAX:
    case TSR_REDUCE_MIN:
        shares(g, s, &mine, &theirs, &count);
        x = scatter(g, f_mul(b, x, mine), s->index, f_mul(b, u, theirs), &s->numbers,
                    TSR_OP_STABLEHLO_ADD, s->sorted, s->unique);
        return f_div(b, x, f_maxc(b, count, 1));
    default:
        b->failed =
            !tsr_grad_none(s->op, "its body is not a sum, product, maximum, minimum or the update");
        return x;
    }
}

static bool read_scatter(tsr_op *op, uint32_t i, scattering *s)
{
    uint32_t n = op->nin / 2;
    *s = (scattering){
        .op = op, .x = tsr_grad_in(op, i), .index = tsr_grad_in(op, n), .out = &op->out[i]};
    s->update = tsr_grad_in(op, n + 1 + i);
    tsr_gather_of(op, &s->numbers);
    s->sorted = tsr_attr_of(op, STABLEHLO_SCATTER_indices_are_sorted);
    s->unique = tsr_attr_of(op, STABLEHLO_SCATTER_unique_indices);
    tsr_reducer r;
    tsr_reducer_of(&op->regions[0], n, i, &r);
    s->kind = r.second ? REPLACED : (int)r.kind;
    if (!tsr_type_has_static_shape(s->x->type) || !tsr_type_has_static_shape(s->update->type))
        return tsr_grad_none(op, "sizes are not known");
    return true;
}

bool vjp_scatter(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    scattering s;
    for (uint32_t i = 0; i < op->nout; i++)
        if (ct[i])
            TSR_TRY(read_scatter(op, i, &s) && scatter_vjp(g, &s, ct[i]));
    return true;
}

bool jvp_scatter(tsr_grad *g, tsr_op *op)
{
    scattering s;
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_grad_wanted(g, &op->out[i])) {
            TSR_TRY(read_scatter(op, i, &s));
            tsr_grad_set(g, &op->out[i], scatter_jvp(g, &s));
        }
    return !g->b.failed;
}

/* ---- The largest k of the last dimension ---- */

/* Dimension numbers of a gather along the last dimension: index vectors of one component are in an additional last
 * dimension. */
static tsr_gather along_last(uint32_t rank)
{
    tsr_ints batch = tsr_ints_from(0, rank - 1), last = tsr_ints_from(rank - 1, 1);
    return (tsr_gather){
        .dropped = last, .batch = batch, .index_batch = batch, .map = last, .vector = rank};
}

static tsr_value *chosen(tsr_build *b, tsr_op *op)
{
    tsr_value *index = &op->out[1];
    return tsr_build_add_dim(b, index, index->type->n);
}

bool vjp_top_k(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_gather numbers = along_last(x->type->n);
    if (!tsr_type_has_static_shape(x->type))
        return tsr_grad_none(op, "sizes are not known");
    tsr_grad_add(g, x,
                 scatter(g, tsr_grad_zero(g, x), chosen(&g->b, op), ct[0], &numbers,
                         TSR_OP_STABLEHLO_ADD, NULL, tsr_attr_bool(g->b.ctx, true)));
    return true;
}

bool jvp_top_k(tsr_grad *g, tsr_op *op)
{
    tsr_value *t = tsr_grad_of(g, tsr_grad_in(op, 0));
    if (!tsr_type_has_static_shape(t->type))
        return tsr_grad_none(op, "sizes are not known");
    tsr_gather numbers = along_last(t->type->n);
    tsr_grad_set(g, &op->out[0], gather(&g->b, t, chosen(&g->b, op), op->out[0].type, &numbers));
    return true;
}
