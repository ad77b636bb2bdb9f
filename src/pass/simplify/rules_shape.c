/* SPDX-License-Identifier: Apache-2.0 */
/* rules_shape.c - rules of ops that move elements: broadcast, reshape, transpose, slices, concatenation, padding. */
#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

static tsr_type *with_dims(tsr_rewriter *r, const int64_t *dims, size_t n, const tsr_type *like)
{
    return tsr_type_tensor(r->ctx, dims, n, like->elem, NULL);
}

static tsr_op *instead(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *operand)
{
    return tsr_rw_instead(r, op, opcode, &operand, 1);
}

static bool same_count(const tsr_value *a, const tsr_value *b)
{
    return tsr_rw_static(a) && tsr_rw_static(b) &&
           tsr_type_num_elements(a->type) == tsr_type_num_elements(b->type);
}

/* dims[of[i]] for each i. */
static tsr_attr *composed(tsr_rewriter *r, const tsr_attr *dims, const tsr_attr *of)
{
    size_t n = tsr_hlo_len(of);
    int64_t *out = tsr_rw_ints(r, n);
    for (size_t i = 0; i < n; i++)
        out[i] = tsr_hlo_at(dims, (size_t)tsr_hlo_at(of, i));
    return tsr_rw_i64s(r, out, n);
}

/* f(f(x)) -> f(x) for ops of one kind. of: the inner op, if the rule applies; merge: applies it. Inner ops are merged
 * first, from the start of the chain: if they have other users, each of those would otherwise walk the whole chain. */
static bool of_its_kind(tsr_rewriter *r, tsr_op *op, tsr_op *(*of)(const tsr_op *op),
                        void (*merge)(tsr_rewriter *r, tsr_op *op, const tsr_op *inner))
{
    TSR_VEC(tsr_op *) chain = {0};
    for (tsr_op *at = op, *inner; (inner = of(at)) != NULL; at = inner)
        tsr_vec_push(&chain, at);
    bool any = chain.n > 0;
    while (chain.n) {
        tsr_op *at = chain.data[--chain.n], *inner = of(at);
        if (inner)
            merge(r, at, inner);
    }
    tsr_vec_free(&chain);
    return any;
}

/* ---- broadcast_in_dim ---- */

static tsr_attr *broadcast_dims(const tsr_op *op)
{
    return op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions];
}

/* broadcast(x) -> x */
bool rule_broadcast_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_ints_are_iota(broadcast_dims(op)) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

static tsr_op *broadcast_below(const tsr_op *op)
{
    tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    bool is_reshape = inner && tsr_ints_are_sorted(broadcast_dims(inner)) &&
                      same_count(tsr_rw_in(inner, 0), &inner->out[0]);
    return is_reshape ? NULL : inner;
}

static void merge_broadcast(tsr_rewriter *r, tsr_op *op, const tsr_op *inner)
{
    tsr_op *made = instead(r, op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, tsr_rw_in(inner, 0));
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        composed(r, broadcast_dims(op), broadcast_dims(inner));
    tsr_rw_done(r, op, made);
}

/* broadcast(broadcast(x)) -> broadcast(x), unless the inner one will become a reshape */
bool rule_broadcast_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    return of_its_kind(r, op, broadcast_below, merge_broadcast);
}

/* broadcast(x) -> reshape(x), if no element is repeated or moved */
bool rule_broadcast_is_reshape(tsr_rewriter *r, tsr_op *op)
{
    if (!same_count(tsr_rw_in(op, 0), &op->out[0]) || !tsr_ints_are_sorted(broadcast_dims(op)))
        return false;
    return tsr_rw_done(r, op, instead(r, op, TSR_OP_STABLEHLO_RESHAPE, tsr_rw_in(op, 0)));
}

/* broadcast(x) -> transpose(x), when no element is repeated */
bool rule_broadcast_is_transpose(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *x = tsr_rw_in(op, 0);
    if (!same_count(x, &op->out[0]) || x->type->n != op->out[0].type->n)
        return false;
    const tsr_attr *dims = broadcast_dims(op);
    size_t n = tsr_hlo_len(dims);
    /* A dimension of size 1 may only be permuted among others of size 1; the shapes must agree. */
    int64_t *inverse = tsr_rw_ints(r, n);
    for (size_t i = 0; i < n; i++) {
        inverse[tsr_hlo_at(dims, i)] = (int64_t)i;
        if (x->type->dims[i] != op->out[0].type->dims[tsr_hlo_at(dims, i)])
            return false;
    }
    tsr_op *made = instead(r, op, TSR_OP_STABLEHLO_TRANSPOSE, tsr_rw_in(op, 0));
    made->attrs[STABLEHLO_TRANSPOSE_permutation] = tsr_rw_i64s(r, inverse, n);
    return tsr_rw_done(r, op, made);
}

/* ---- reshape ---- */

static tsr_op *reshape_below(const tsr_op *op)
{
    return tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_RESHAPE);
}

static void merge_reshape(tsr_rewriter *r, tsr_op *op, const tsr_op *inner)
{
    tsr_rw_done(r, op, instead(r, op, TSR_OP_STABLEHLO_RESHAPE, tsr_rw_in(inner, 0)));
}

/* reshape(reshape(x)) -> reshape(x) */
bool rule_reshape_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    return of_its_kind(r, op, reshape_below, merge_reshape);
}

/* reshape(x) -> x, when its type stays */
bool rule_reshape_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* ---- transpose ---- */

static tsr_attr *permutation(const tsr_op *op)
{
    return op->attrs[STABLEHLO_TRANSPOSE_permutation];
}

/* transpose(x) -> x, when nothing moves */
bool rule_transpose_nothing(tsr_rewriter *r, tsr_op *op)
{
    return tsr_ints_are_iota(permutation(op)) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

static tsr_op *transpose_below(const tsr_op *op)
{
    return tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_TRANSPOSE);
}

static void merge_transpose(tsr_rewriter *r, tsr_op *op, const tsr_op *inner)
{
    tsr_op *made = instead(r, op, TSR_OP_STABLEHLO_TRANSPOSE, tsr_rw_in(inner, 0));
    made->attrs[STABLEHLO_TRANSPOSE_permutation] = composed(r, permutation(inner), permutation(op));
    tsr_rw_done(r, op, made);
}

/* transpose(transpose(x)) -> transpose(x) */
bool rule_transpose_of_transpose(tsr_rewriter *r, tsr_op *op)
{
    return of_its_kind(r, op, transpose_below, merge_transpose);
}

/* transpose(x) -> reshape(x), when only dimensions of size 1 move */
bool rule_transpose_is_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *x = tsr_rw_in(op, 0);
    const tsr_attr *perm = permutation(op);
    int64_t before = -1;
    if (!tsr_rw_static(x) || !tsr_rw_static(&op->out[0]))
        return false;
    for (size_t i = 0; i < tsr_hlo_len(perm); i++) {
        int64_t d = tsr_hlo_at(perm, i);
        if (x->type->dims[d] == 1)
            continue;
        if (d < before)
            return false;
        before = d;
    }
    tsr_value *in = tsr_rw_in(op, 0);
    return tsr_rw_done(r, op, tsr_rw_one(r, op, TSR_OP_STABLEHLO_RESHAPE, &in, 1, op->out[0].type));
}

/* ---- reverse ---- */

/* reverse(x) -> x, when the dimensions have one element, or there are no elements */
bool rule_reverse_nothing(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    const tsr_attr *dims = op->attrs[STABLEHLO_REVERSE_dimensions];
    if (x->type != op->out[0].type)
        return false;
    bool moves =
        tsr_hlo_len(dims) > 0 && !(tsr_rw_static(x) && tsr_type_num_elements(x->type) == 0);
    bool ones = tsr_rw_static(x);
    for (size_t i = 0; ones && i < tsr_hlo_len(dims); i++)
        ones = x->type->dims[tsr_hlo_at(dims, i)] == 1;
    if (moves && !ones)
        return false;
    tsr_rw_replace_one(r, op, x);
    return true;
}

/* reverse(splat) -> splat */
bool rule_reverse_splat(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_const_splat(tsr_rw_in(op, 0)) || tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* ---- concatenate ---- */

static size_t concat_dim(const tsr_op *op)
{
    return (size_t)op->attrs[STABLEHLO_CONCATENATE_dimension]->i;
}

/* concatenate(x) -> x */
bool rule_concatenate_one(tsr_rewriter *r, tsr_op *op)
{
    if (op->nin != 1 || tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* concatenate(x, []) -> concatenate(x) */
bool rule_concatenate_empty(tsr_rewriter *r, tsr_op *op)
{
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    size_t n = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_rw_in(op, i)->type->dims[concat_dim(op)] != 0)
            in[n++] = tsr_rw_in(op, i);
    if (!n || n == op->nin)
        return false;
    tsr_rw_set_operands(r, op, in, n);
    return true;
}

static const tsr_op *flat(const tsr_op *op, const tsr_value *v)
{
    const tsr_op *inner = tsr_rw_def_is(v, TSR_OP_STABLEHLO_CONCATENATE);
    return inner && concat_dim(inner) == concat_dim(op) && tsr_rw_one_use(v) ? inner : NULL;
}

/* concatenate(concatenate(x, y), z) -> concatenate(x, y, z), if the inner one has no other users */
bool rule_concatenate_of_concatenate(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 4096 }; /* operands: a longer chain would be copied repeatedly */
    size_t n = 0;
    bool any = false;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_op *inner = flat(op, tsr_rw_in(op, i));
        n += inner ? inner->nin : 1;
        any |= inner != NULL;
    }
    if (!any || n > MOST)
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, n);
    size_t k = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_op *inner = flat(op, tsr_rw_in(op, i));
        for (uint32_t j = 0; inner && j < inner->nin; j++)
            in[k++] = tsr_rw_in(inner, j);
        if (!inner)
            in[k++] = tsr_rw_in(op, i);
    }
    tsr_rw_set_operands(r, op, in, n);
    return true;
}

/* ---- slices ---- */

static tsr_op *make_slice(tsr_rewriter *r, tsr_op *at, tsr_value *x, const int64_t *start,
                          const int64_t *limit, tsr_attr *strides, tsr_type *type)
{
    size_t n = x->type->n;
    if (!strides) {
        int64_t *ones = tsr_rw_ints(r, n);
        for (size_t i = 0; i < n; i++)
            ones[i] = 1;
        strides = tsr_rw_i64s(r, ones, n);
    }
    tsr_op *op = tsr_rw_one(r, at, TSR_OP_STABLEHLO_SLICE, &x, 1, type);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_rw_i64s(r, start, n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_rw_i64s(r, limit, n);
    op->attrs[STABLEHLO_SLICE_strides] = strides;
    return op;
}

/* slice(x) -> x, when it takes everything */
bool rule_slice_everything(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_static(tsr_rw_in(op, 0)) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* slice(concatenate(x, y, z)) -> slice(concatenate(y)), without operands that the slice does not touch */
/* The start of each operand of a concatenation, and its end; NULL if some size is unknown. Cached for the last
 * concatenation: one with many operands often has as many slices. */
static const int64_t *parts_of(tsr_rewriter *r, const tsr_op *cat, size_t d)
{
    if (r->parts_of != cat || (r->parts.n && r->parts.n != cat->nin + 1)) {
        int64_t at = 0;
        r->parts_of = cat;
        r->parts.n = 0;
        for (uint32_t i = 0; i < cat->nin && at != TSR_DYNAMIC; i++) {
            int64_t n = tsr_rw_in(cat, i)->type->dims[d];
            tsr_vec_push(&r->parts, at);
            at = n == TSR_DYNAMIC ? n : at + n;
        }
        tsr_vec_push(&r->parts, at);
        r->parts.n = at == TSR_DYNAMIC ? 0 : r->parts.n;
    }
    return r->parts.n ? r->parts.data : NULL;
}

/* The first of n + 1 ascending numbers that is above x, or n + 1. */
static uint32_t first_above(const int64_t *list, uint32_t n, int64_t x)
{
    uint32_t low = 0, high = n + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool rule_slice_of_concatenate(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *cat = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_CONCATENATE);
    if (!cat || !tsr_rw_static(&op->out[0]))
        return false;
    size_t d = concat_dim(cat), rank = cat->out[0].type->n;
    tsr_slice s;
    tsr_slice_of(op, &s);
    int64_t start = tsr_ints_at(s.start, d), limit = tsr_ints_at(s.limit, d), size = 0;
    const int64_t *parts = parts_of(r, cat, d);
    if (!parts)
        return false;
    /* The first operand that ends after start, and the first that does not start before limit. */
    uint32_t first = first_above(parts + 1, cat->nin - 1, start),
             end = first_above(parts, cat->nin - 1, limit - 1);
    int64_t front = first < cat->nin ? parts[first] : 0;
    uint32_t n = end > first ? end - first : 0;
    if (!n || n == cat->nin || (n > 1 && !tsr_rw_one_use(&cat->out[0])))
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, n);
    for (uint32_t i = 0; i < n; i++) {
        in[i] = tsr_rw_in(cat, first + i);
        size += in[i]->type->dims[d];
    }
    int64_t *dims = tsr_rw_ints(r, rank), *starts = tsr_rw_ints(r, rank),
            *limits = tsr_rw_ints(r, rank);
    for (size_t i = 0; i < rank; i++) {
        dims[i] = i == d ? size : cat->out[0].type->dims[i];
        starts[i] = tsr_ints_at(s.start, i) - (i == d ? front : 0);
        limits[i] = tsr_ints_at(s.limit, i) - (i == d ? front : 0);
    }
    tsr_op *less = tsr_rw_one(r, op, TSR_OP_STABLEHLO_CONCATENATE, in, n,
                              with_dims(r, dims, rank, cat->out[0].type));
    less->loc = cat->loc;
    less->attrs[STABLEHLO_CONCATENATE_dimension] = cat->attrs[STABLEHLO_CONCATENATE_dimension];
    return tsr_rw_done(r, op,
                       make_slice(r, op, &less->out[0], starts, limits,
                                  tsr_ints_attr(r->ctx, s.strides), op->out[0].type));
}

static int64_t clamped(int64_t v, int64_t high)
{
    return v < 0 ? 0 : v > high ? high : v;
}

/* dynamic_slice(x, c...) -> slice(x) */
bool rule_dynamic_slice_is_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    const tsr_attr *sizes = op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes];
    size_t rank = x->type->n, one;
    if (!tsr_rw_static(x) || op->nin != rank + 1 || !tsr_rw_static(&op->out[0]))
        return false;
    int64_t *start = tsr_rw_ints(r, rank), *limit = tsr_rw_ints(r, rank);
    for (size_t i = 0; i < rank; i++) {
        const int64_t *at = tsr_const_ints(r, tsr_rw_in(op, i + 1), &one);
        if (!at || one != 1)
            return false;
        start[i] = clamped(at[0], x->type->dims[i] - tsr_hlo_at(sizes, i));
        limit[i] = start[i] + tsr_hlo_at(sizes, i);
    }
    tsr_op *made = make_slice(r, op, x, start, limit, NULL, op->out[0].type);
    tsr_rw_merge_attrs(r, op, made);
    return tsr_rw_done(r, op, made);
}

/* gather(x, c) -> slice(x), and a reshape if it drops dimensions: if it gathers one slice */
bool rule_gather_is_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *indices = tsr_rw_in(op, 1);
    tsr_gather g;
    tsr_gather_of(op, &g);
    size_t rank = x->type->n, n;
    if (!tsr_const_of(indices) || indices->type->n > 1 || g.vector != 0 || g.batch.n ||
        !tsr_rw_static(x))
        return false;
    const int64_t *index = tsr_const_ints(r, indices, &n);
    if (!index || n != g.map.n)
        return false;
    int64_t *start = tsr_rw_ints(r, rank), *limit = tsr_rw_ints(r, rank),
            *dims = tsr_rw_ints(r, rank);
    for (size_t i = 0; i < n; i++) {
        size_t d = (size_t)tsr_ints_at(g.map, i);
        start[d] = clamped(index[i], x->type->dims[d] - tsr_ints_at(g.sizes, d));
    }
    for (size_t i = 0; i < rank; i++) {
        dims[i] = tsr_ints_at(g.sizes, i);
        limit[i] = start[i] + dims[i];
    }
    tsr_op *made =
        make_slice(r, op, x, start, limit, NULL, with_dims(r, dims, rank, op->out[0].type));
    tsr_value *v = &made->out[0];
    if (g.dropped.n)
        v = &tsr_rw_one(r, op, TSR_OP_STABLEHLO_RESHAPE, &v, 1, op->out[0].type)->out[0];
    else
        v->type = op->out[0].type;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* dynamic_update_slice(x, [], ...) -> x */
bool rule_update_nothing(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *update = tsr_rw_in(op, 1);
    return tsr_const_of(update) && tsr_type_num_elements(update->type) == 0 &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* dynamic_update_slice(x, y, 0...) -> y, when y has the shape of x */
bool rule_update_everything(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *y = tsr_rw_in(op, 1);
    if (!tsr_rw_static(x) || x->type != y->type)
        return false;
    for (uint32_t i = 2; i < op->nin; i++)
        if (!tsr_const_is(tsr_const_of(tsr_rw_in(op, i)), TSR_IS_ZERO))
            return false;
    return tsr_rw_becomes(r, op, y);
}

/* ---- pad, iota ---- */

/* pad(x) -> x, when it adds nothing */
bool rule_pad_nothing(tsr_rewriter *r, tsr_op *op)
{
    tsr_pad p;
    tsr_pad_of(op, &p);
    if (!tsr_ints_all(p.low, 0) || !tsr_ints_all(p.high, 0) || !tsr_ints_all(p.interior, 0) ||
        tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* pad([], y) -> broadcast(y) */
bool rule_pad_of_empty(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *x = tsr_rw_in(op, 0);
    tsr_value *fill = tsr_rw_in(op, 1);
    if (!tsr_rw_static(x) || tsr_type_num_elements(x->type) != 0)
        return false;
    return tsr_rw_fill(r, op, &fill);
}

/* iota -> 0, when its dimension has one element */
bool rule_iota_is_zero(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *zero = type->dims[op->attrs[STABLEHLO_IOTA_iota_dimension]->i] == 1
                         ? tsr_const_number(r, type, 0)
                         : NULL;
    if (!zero)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, zero));
    return true;
}

/* iota of many dimensions -> broadcast(iota of one) */
bool rule_iota_is_broadcast(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    int64_t d = op->attrs[STABLEHLO_IOTA_iota_dimension]->i;
    if (type->n < 2)
        return false;
    tsr_op *line =
        tsr_rw_one(r, op, TSR_OP_STABLEHLO_IOTA, NULL, 0, with_dims(r, &type->dims[d], 1, type));
    line->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(r->ctx, 0);
    tsr_value *v = &line->out[0];
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &v, 1, type);
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] = tsr_rw_i64s(r, &d, 1);
    return tsr_rw_done(r, op, made);
}

/* ---- tuples ---- */

/* get_tuple_element(tuple(x, y), i) -> its element */
bool rule_element_of_tuple(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *tuple = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_TUPLE);
    int64_t i = op->attrs[STABLEHLO_GET_TUPLE_ELEMENT_index]->i;
    if (!tuple || i < 0 || i >= (int64_t)tuple->nin ||
        tsr_rw_in(tuple, (size_t)i)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(tuple, (size_t)i));
    return true;
}

/* tuple(get_tuple_element(x, 0), get_tuple_element(x, 1), ...) -> x */
bool rule_tuple_again(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *whole = NULL;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_op *element = tsr_rw_def_is(tsr_rw_in(op, i), TSR_OP_STABLEHLO_GET_TUPLE_ELEMENT);
        if (!element || element->attrs[STABLEHLO_GET_TUPLE_ELEMENT_index]->i != i ||
            (whole && tsr_rw_in(element, 0) != whole))
            return false;
        whole = tsr_rw_in(element, 0);
    }
    if (!whole || whole->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, whole);
    return true;
}

/* ---- Tensors without elements ---- */

static bool is_empty(const tsr_value *v)
{
    if (v->type->kind != TSR_TYPE_TENSOR)
        return false;
    for (uint32_t i = 0; i < v->type->n; i++)
        if (v->type->dims[i] == 0)
            return tsr_type_has_static_shape(v->type);
    return false;
}

/* Values without elements become empty constants: as results, and as operands. */
bool rule_empty_tensors(tsr_rewriter *r, tsr_op *op)
{
    bool changed = false;
    if (tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) || tsr_op_says_effects(op))
        return false;
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!op->out[i].uses || !is_empty(&op->out[i]) ||
            !tsr_type_storage_bits(op->out[i].type->elem))
            continue;
        tsr_rw_forward(r, &op->out[i], tsr_rw_constant(r, op, tsr_const_empty(r, op->out[i].type)));
        tsr_rw_touch(r, op);
        changed = true;
    }
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = tsr_rw_in(op, i);
        if (!is_empty(v) || tsr_rw_def_is(v, TSR_OP_STABLEHLO_CONSTANT) ||
            !tsr_type_storage_bits(v->type->elem))
            continue;
        tsr_rw_set_operand(r, op, i, tsr_rw_constant(r, op, tsr_const_empty(r, v->type)));
        changed = true;
    }
    return changed;
}
