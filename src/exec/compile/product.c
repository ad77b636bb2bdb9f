/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - products of matrices: EXEC hooks of dot_general, matmul and linear. */
#include "base/round.h"
#include "dialect/params.h"
#include "dialect/tessera/tessera.h"
#include "eval/kernel/ttir/ttir.h"
#include "exec/batch.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* Dimensions of one side that have the same role, as one dimension with one stride. */
typedef struct {
    int64_t size, stride;
} role;

/* The dimensions which[0..n) of v, merged where their strides allow it. */
static tsr_xview merged(const tsr_xshape *v, const int64_t *which, size_t n)
{
    tsr_xview run = {0};
    for (size_t i = 0; i < n; i++) {
        if (v->dims[which[i]] == 1)
            continue;
        run.space.dims[run.space.rank] = v->dims[which[i]];
        run.strides[run.space.rank++] = v->strides[which[i]];
    }
    return tsr_xview_join(&run);
}

/* Merges the dimensions which[0..n) of v into one; false: their strides do not allow it. */
static bool as_one(const tsr_xshape *v, const int64_t *which, size_t n, role *out)
{
    tsr_xview one = merged(v, which, n);
    if (one.space.rank > 1)
        return false;
    out->size = one.space.rank ? one.space.dims[0] : 1;
    out->stride = one.space.rank ? one.strides[0] : 0;
    return true;
}

/* Dimensions of a side: batch, contracted, and the others. */
static tsr_x_side read_side(tsr_ints batch, tsr_ints contract, uint8_t rank)
{
    tsr_x_side s = {.nbatch = batch.n, .ncontract = contract.n};
    bool used[TSR_VIEW_RANK] = {0};
    for (size_t i = 0; i < s.nbatch; i++)
        used[s.batch[i] = tsr_ints_at(batch, i)] = true;
    for (size_t i = 0; i < s.ncontract; i++)
        used[s.contract[i] = tsr_ints_at(contract, i)] = true;
    for (uint8_t i = 0; i < rank; i++)
        if (!used[i])
            s.rest[s.nrest++] = i;
    return s;
}

static bool roles_of(const tsr_x_side *s, const tsr_xshape *v, tsr_contract_side *out)
{
    role batch, contract, rest;
    if (!as_one(v, s->batch, s->nbatch, &batch) ||
        !as_one(v, s->contract, s->ncontract, &contract) || !as_one(v, s->rest, s->nrest, &rest))
        return false;
    *out = (tsr_contract_side){.batch = batch.size,
                               .contract = contract.size,
                               .rest = rest.size,
                               .batch_stride = batch.stride,
                               .contract_stride = contract.stride,
                               .rest_stride = rest.stride,
                               .offset = v->offset};
    return true;
}

/* A copy of v with dimensions in the order batch, rest, contracted: they become the roles of s. */
static tsr_xid in_order(tsr_xbuilder *b, tsr_x_side *s, tsr_xid v)
{
    tsr_xshape from, view;
    tsr_x_shape(b, v, &from);
    view = from;
    uint8_t k = 0;
    const int64_t *lists[3] = {s->batch, s->rest, s->contract};
    size_t counts[3] = {s->nbatch, s->nrest, s->ncontract};
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < counts[l]; i++, k++) {
            view.dims[k] = from.dims[lists[l][i]];
            view.strides[k] = from.strides[lists[l][i]];
        }
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, view.dims, view.rank, x->type->elem, NULL);
    v = tsr_x_whole(b, tsr_x_view(b, v, &view, type, x->op));
    for (k = 0; k < view.rank; k++) {
        if (k < s->nbatch)
            s->batch[k] = k;
        else if (k < s->nbatch + s->nrest)
            s->rest[k - s->nbatch] = k;
        else
            s->contract[k - s->nbatch - s->nrest] = k;
    }
    return v;
}

/* v as one side of a product: v itself, or a copy in order. */
tsr_xid tsr_x_factor(tsr_xbuilder *b, const tsr_x_side *s, tsr_xid v, tsr_contract_side *out)
{
    tsr_place place = tsr_xvalue_at(b, tsr_storage_of(b->p, v))->place;
    if (place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA)
        v = tsr_x_whole(b, v);
    tsr_xshape shape;
    if (!tsr_x_shape(b, v, &shape))
        return TSR_XNONE;
    if (roles_of(s, &shape, out))
        return v;
    tsr_x_side ordered = *s;
    v = in_order(b, &ordered, v);
    return tsr_x_shape(b, v, &shape) && roles_of(&ordered, &shape, out) ? v : TSR_XNONE;
}

/* ---- Batches ---- */

/* What the remaining dimensions of a side are: its lines, and a batch of matrices if they have two strides. */
typedef struct {
    role batch, lines, contract;
    int64_t offset;
} parts;

/* The parts of a side. two: whether the remaining dimensions may have two strides, as the weights of several experts:
 * the whole other side is multiplied by each matrix. False: strides do not allow it. */
static bool parts_of(const tsr_x_side *s, const tsr_xshape *v, bool two, parts *out)
{
    tsr_xview rest = merged(v, s->rest, s->nrest);
    int last = rest.space.rank - 1;
    *out = (parts){.batch = {1, 0}, .lines = {1, 0}, .offset = v->offset};
    if (last > two || !as_one(v, s->contract, s->ncontract, &out->contract))
        return false;
    if (last >= 0)
        out->lines = (role){rest.space.dims[last], rest.strides[last]};
    if (last > 0)
        out->batch = (role){rest.space.dims[0], rest.strides[0]};
    return true;
}

/* The same of v, a side that may have to be copied; other: the number of lines of the other one. */
static bool find_parts(tsr_xbuilder *b, tsr_x_side *s, tsr_xid *v, int64_t other, bool two,
                       tsr_xshape *shape, parts *out)
{
    tsr_place place = tsr_xvalue_at(b, tsr_storage_of(b->p, *v))->place;
    if (place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA)
        *v = tsr_x_whole(b, *v);
    if (!tsr_x_shape(b, *v, shape))
        return false;
    if (parts_of(s, shape, two, out) &&
        (out->batch.size == 1 ||
         b->p->target->batch_pays(out->lines.size, other, out->contract.size)))
        return true;
    *v = in_order(b, s, *v);
    return tsr_x_shape(b, *v, shape) && parts_of(s, shape, false, out);
}

/* The dimensions of the batch of a product: those of both sides, and the matrices of one side. lines: of both. */
static int batch_of(const tsr_x_side *s, const tsr_xshape *shape, const parts *p,
                    const int64_t *lines, tsr_batch_dim *out)
{
    int n = (int)s->nbatch, end = n;
    int64_t size = lines[0] * lines[1];
    for (int i = n; i-- > 0; size *= out[i].size)
        out[i] = (tsr_batch_dim){
            shape[0].dims[s[0].batch[i]],
            {shape[0].strides[s[0].batch[i]], shape[1].strides[s[1].batch[i]], size}};
    for (int i = 0; i < 2; i++)
        if (p[i].batch.size > 1) {
            out[end] = (tsr_batch_dim){p[i].batch.size, {0}};
            out[end].stride[i] = p[i].batch.stride;
            /* The columns of all matrices are next to each other in each row of the result. */
            out[end++].stride[TSR_OF_C] = p[i].lines.size * (i ? 1 : lines[1]);
        }
    return end;
}

/* Sets both sides of a product, in place or as copies. Emitted C, whose bits are those of strict programs, has batches
 * with one stride only. */
static bool set_sides(tsr_xbuilder *b, const tsr_x_side *sides, tsr_xid *in, const int64_t *lines,
                      tsr_contract *c)
{
    tsr_x_side s[2] = {sides[0], sides[1]};
    tsr_xshape shape[2];
    parts p[2];
    tsr_batch_dim dims[TSR_VIEW_RANK + 2];
    bool any = b->p->target->any_strides && !b->p->strict, ok = any;
    for (int i = 0; i < 2 && ok; i++) {
        ok = find_parts(b, &s[i], &in[i], lines[!i], !(i && p[0].batch.size > 1), &shape[i], &p[i]);
        if (ok)
            c->side[i] = (tsr_contract_side){.contract = p[i].contract.size,
                                             .rest = p[i].lines.size,
                                             .contract_stride = p[i].contract.stride,
                                             .rest_stride = p[i].lines.stride,
                                             .offset = p[i].offset};
    }
    if (any && !ok)
        return false;
    c->to_row = lines[1];
    if (ok && tsr_batch_set(&b->p->arena, c, dims, batch_of(s, shape, p, lines, dims)))
        return true;
    for (int i = 0; i < 2; i++) {
        in[i] = tsr_x_factor(b, &s[i], in[i], &c->side[i]);
        if (in[i] == TSR_XNONE)
            return false;
    }
    c->to_batch = lines[0] * lines[1];
    return true;
}

/* Puts contracted dimensions, whose order is free, into the order of one side's strides if both sides have one stride
 * then. */
static void sort_contracted(const tsr_xbuilder *b, const tsr_xid *in, tsr_x_side *sides)
{
    tsr_xshape shape[2];
    role one;
    if (!tsr_x_shape(b, in[0], &shape[0]) || !tsr_x_shape(b, in[1], &shape[1]))
        return;
    for (int by = -1; by < 2; by++) {
        tsr_x_side s[2] = {sides[0], sides[1]};
        for (size_t i = 1; by >= 0 && i < s[0].ncontract; i++)
            for (size_t k = i; k > 0 && shape[by].strides[s[by].contract[k - 1]] <
                                            shape[by].strides[s[by].contract[k]];
                 k--)
                for (int side = 0; side < 2; side++) {
                    int64_t dim = s[side].contract[k];
                    s[side].contract[k] = s[side].contract[k - 1];
                    s[side].contract[k - 1] = dim;
                }
        if (as_one(&shape[0], s[0].contract, s[0].ncontract, &one) &&
            as_one(&shape[1], s[1].contract, s[1].ncontract, &one)) {
            sides[0] = s[0];
            sides[1] = s[1];
            return;
        }
    }
}

tsr_xid tsr_x_contracted(tsr_xbuilder *b, const tsr_op *op, tsr_contract *c, const tsr_xid *in,
                         const int64_t *dims, size_t rank)
{
    tsr_ctx *ctx = b->p->module->ctx;
    tsr_type *result =
        tsr_type_tensor(ctx, dims, rank, tsr_dtype_type(ctx, (tsr_dtype)c->to), NULL);
    tsr_node *n = tsr_x_node(b, TSR_NODE_CONTRACT, op, in, 2, &result, 1);
    if (!c->to_row) {
        c->to_row = c->side[1].rest;
        c->to_batch = c->side[0].rest * c->to_row;
    }
    n->contract = c;
    tsr_xid made = n->out[0];
    tsr_xvalue_at(b, made)->part = true;
    tsr_x_done(b, n);
    return made;
}

/* The value that v is converted from, in the same view; TSR_XNONE: v is not converted. */
static tsr_xid before_convert(tsr_xbuilder *b, tsr_xid v)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    const tsr_xvalue *base = tsr_xvalue_at(b, tsr_storage_of(b->p, v));
    if (x->fence != TSR_XNONE || base->fence != TSR_XNONE || base->node == TSR_XNONE)
        return TSR_XNONE;
    const tsr_node *n = &b->p->nodes.data[base->node];
    if (n->kind != TSR_NODE_TILE || n->tile != TSR_TILE_CONVERT)
        return TSR_XNONE;
    tsr_xid from = n->in[0];
    if (x == base)
        return from;
    if (!tsr_is_whole(b->p, from, NULL) || tsr_xvalue_at(b, from)->fence != TSR_XNONE)
        return TSR_XNONE;
    tsr_type *elem = tsr_dtype_type(b->p->module->ctx, tsr_xdtype_of(b, from));
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, x->dims, x->rank, elem, NULL);
    return tsr_x_view(b, from, x->view, type, x->op);
}

/* Factors that are converted from a narrower type to the type of the sums are read before the conversion: products are
 * the same numbers, and elements are converted during packing. */
static void read_before_converts(tsr_xbuilder *b, tsr_xid *in, tsr_dtype to)
{
    tsr_dtype wide = tsr_xdtype_of(b, in[0]);
    tsr_xid from[2] = {before_convert(b, in[0]), before_convert(b, in[1])};
    if (from[0] == TSR_XNONE || from[1] == TSR_XNONE)
        return;
    tsr_dtype type = tsr_xdtype_of(b, from[0]);
    bool narrower = wide == TSR_D_F32 ? type == TSR_D_BF16 || type == TSR_D_F16
                                      : wide == TSR_D_I32 && (type == TSR_D_I8 || type == TSR_D_U8);
    if (!narrower || tsr_xdtype_of(b, from[1]) != type || tsr_contract_sum(type, to) != wide)
        return;
    in[0] = from[0];
    in[1] = from[1];
}

/* The value that v is the negative of, in the same view; TSR_XNONE: v is no negative. */
static tsr_xid before_negate(tsr_xbuilder *b, tsr_xid v)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    const tsr_xvalue *base = tsr_xvalue_at(b, tsr_storage_of(b->p, v));
    if (x->fence != TSR_XNONE || base->fence != TSR_XNONE || base->node == TSR_XNONE)
        return TSR_XNONE;
    const tsr_node *n = &b->p->nodes.data[base->node];
    tsr_xid from = n->in[0];
    if (n->kind != TSR_NODE_TILE || n->tile != TSR_TILE_negate || !tsr_is_whole(b->p, from, NULL) ||
        tsr_xvalue_at(b, from)->fence != TSR_XNONE)
        return TSR_XNONE;
    return x == base ? from : tsr_x_view(b, from, x->view, x->type, x->op);
}

/* The smaller factor is negated instead of the larger one: products of floats are the same numbers. */
static void negate_smaller(tsr_xbuilder *b, const tsr_op *op, tsr_xid *in)
{
    for (int i = 0; i < 2 && tsr_dtype_is_float(tsr_xdtype_of(b, in[0])); i++) {
        tsr_xid from = tsr_xvalue_at(b, in[i])->n > 2 * tsr_xvalue_at(b, in[!i])->n
                           ? before_negate(b, in[i])
                           : TSR_XNONE;
        if (from == TSR_XNONE)
            continue;
        in[i] = from;
        in[!i] = tsr_x_apply1(b, op, TSR_TILE_negate, in[!i]);
    }
}

/* v with batch dimensions, then the contracted ones merged into one. */
static tsr_xid as_rows(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_x_side *s)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    int64_t order[TSR_VIEW_RANK], dims[2] = {1, 1};
    size_t n = 0;
    for (size_t i = 0; i < s->nbatch; i++, n++)
        dims[0] *= x->dims[order[n] = s->batch[i]];
    for (size_t i = 0; i < s->nrest; i++, n++)
        order[n] = s->rest[i];
    for (size_t i = 0; i < s->ncontract; i++, n++)
        dims[1] *= x->dims[order[n] = s->contract[i]];
    return tsr_x_reshaped(b, op, tsr_x_permuted(b, op, v, order), dims, 2);
}

/* Dot products, one row by one column per batch element: sums of rows, which need no packing. */
static tsr_xid row_products(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in,
                            const tsr_x_side *sides, tsr_dtype to, const int64_t *dims, size_t rank)
{
    static const bool gone[2] = {false, true};
    tsr_dtype sum = tsr_contract_sum(tsr_xdtype_of(b, in[0]), to);
    tsr_xid rows[2];
    for (int i = 0; i < 2; i++)
        rows[i] = tsr_x_as(b, op, as_rows(b, op, in[i], &sides[i]), sum);
    tsr_xid all = tsr_x_apply2(b, op, TSR_TILE_multiply, rows[0], rows[1]);
    all = tsr_x_as(b, op, tsr_x_folded(b, op, all, gone, false, TSR_FOLD_SUM, sum), to);
    return tsr_x_reshaped(b, op, all, dims, rank);
}

/* ---- Sums of few scaled rows ---- */

/* A dimension of a loop over the larger side, s, of a product. */
typedef struct {
    int64_t size, stride, other; /* strides: of the side, and of the other one */
    size_t result;               /* number of the result's dimension */
    bool gone, shared;           /* contracted; a dimension of both sides */
} loop_dim;

/* The dimensions of the loop, in the order of the side in memory, or in the order of the result. */
static size_t loop_dims(const tsr_x_side *s, const tsr_x_side *other, const tsr_xshape *v,
                        const tsr_xshape *o, bool in_order, loop_dim *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ncontract; i++)
        out[n++] = (loop_dim){v->dims[s->contract[i]],
                              v->strides[s->contract[i]],
                              o->strides[other->contract[i]],
                              0,
                              true,
                              true};
    for (size_t i = 0; i < s->nbatch; i++)
        out[n++] = (loop_dim){v->dims[s->batch[i]],
                              v->strides[s->batch[i]],
                              o->strides[other->batch[i]],
                              i,
                              false,
                              true};
    for (size_t i = 0; i < s->nrest; i++)
        out[n++] =
            (loop_dim){v->dims[s->rest[i]], v->strides[s->rest[i]], 0, s->nbatch + i, false, false};
    for (size_t i = 1; i < n && !in_order; i++)
        for (size_t k = i; k > 0 && out[k - 1].stride < out[k].stride; k--) {
            loop_dim d = out[k];
            out[k] = out[k - 1];
            out[k - 1] = d;
        }
    return n;
}

/* v in the dimensions of the loop. other: it is the smaller side, which has no remaining dimensions. */
static tsr_xid in_loop(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_xshape *shape,
                       const loop_dim *d, size_t n, bool other)
{
    tsr_xshape view = {.offset = shape->offset}, wide = {.rank = (uint8_t)n};
    for (size_t i = 0; i < n; i++) {
        wide.dims[i] = d[i].size;
        if (!other || d[i].shared) {
            view.dims[view.rank] = d[i].size;
            view.strides[view.rank++] = other ? d[i].other : d[i].stride;
        }
    }
    tsr_dtype type = tsr_xdtype_of(b, v);
    v = tsr_x_view(b, v, &view, tsr_x_type(b, view.dims, view.rank, type), op);
    if (!other)
        return v;
    /* If it must be copied, then before it is repeated. */
    v = tsr_x_lines(b, v);
    if (!tsr_x_shape(b, v, &view))
        return TSR_XNONE;
    wide.offset = view.offset;
    for (size_t i = 0, k = 0; i < n; i++)
        wide.strides[i] = d[i].shared ? view.strides[k++] : 0;
    return tsr_x_view(b, v, &wide, tsr_x_type(b, wide.dims, n, type), op);
}

/* Whether a side is a product whose rows lie along the remaining dimensions: it will be computed transposed, so that
 * the loop reads these dimensions contiguously. */
static bool is_turned(const tsr_xbuilder *b, const tsr_x_side *s, tsr_xid v,
                      const tsr_xshape *shape)
{
    tsr_xid node = tsr_xvalue_at(b, tsr_storage_of(b->p, v))->node;
    role rest;
    return node != TSR_XNONE && b->p->nodes.data[node].kind == TSR_NODE_CONTRACT &&
           as_one(shape, s->rest, s->nrest, &rest) &&
           rest.stride == b->p->nodes.data[node].contract->to_row;
}

/* One row by a matrix for each batch element, such as the weights of some experts by their results for each token: a
 * loop that adds scaled rows reads the matrices at the speed of memory. i: the side of the matrices. */
static tsr_xid scaled_rows(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in,
                           const tsr_x_side *sides, int i, tsr_dtype to, const int64_t *dims,
                           size_t rank)
{
    tsr_xshape shape[2];
    for (int k = 0; k < 2; k++) {
        tsr_place place = tsr_xvalue_at(b, tsr_storage_of(b->p, in[k]))->place;
        if (place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA ||
            !tsr_x_shape(b, in[k], &shape[k]))
            return TSR_XNONE;
    }
    loop_dim d[TSR_VIEW_RANK];
    size_t n = loop_dims(&sides[i], &sides[!i], &shape[i], &shape[!i],
                         is_turned(b, &sides[i], in[i], &shape[i]), d);
    tsr_dtype sum = tsr_contract_sum(tsr_xdtype_of(b, in[0]), to);
    bool gone[TSR_VIEW_RANK];
    int64_t order[TSR_VIEW_RANK];
    for (size_t k = 0, kept = 0; k < n; k++) {
        gone[k] = d[k].gone;
        if (!gone[k])
            order[d[k].result] = (int64_t)kept++;
    }
    tsr_xid x[2];
    for (int k = 0; k < 2; k++)
        x[k] = tsr_x_as(b, op, in_loop(b, op, in[k], &shape[k], d, n, k != i), sum);
    tsr_xid all = tsr_x_apply2(b, op, TSR_TILE_multiply, x[0], x[1]);
    all = tsr_x_as(b, op, tsr_x_folded(b, op, all, gone, false, TSR_FOLD_SUM, sum), to);
    return tsr_x_reshaped(b, op, tsr_x_permuted(b, op, all, order), dims, rank);
}

/* Products of single elements: a map over batch and remaining dimensions. */
static tsr_xid one_product(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in,
                           const tsr_x_side *sides, tsr_dtype sum, const int64_t *dims, size_t rank,
                           const int64_t *loop)
{
    tsr_xid x[2];
    for (int i = 0; i < 2; i++) {
        const tsr_x_side *s = &sides[i];
        int64_t order[TSR_VIEW_RANK], wide[TSR_VIEW_RANK];
        size_t n = 0;
        for (size_t k = 0; k < s->nbatch; k++)
            order[n++] = s->batch[k];
        for (size_t k = 0; k < s->nrest; k++)
            order[n++] = s->rest[k];
        for (size_t k = 0; k < s->ncontract; k++)
            order[n++] = s->contract[k];
        size_t first = i ? rank - s->nrest : s->nbatch;
        for (size_t k = 0; k < rank; k++)
            wide[k] = k < s->nbatch || (k >= first && k < first + s->nrest) ? dims[k] : 1;
        x[i] = tsr_x_reshaped(b, op, tsr_x_permuted(b, op, in[i], order), wide, rank);
        x[i] = tsr_x_as(b, op, tsr_x_permuted(b, op, x[i], loop), sum);
    }
    return tsr_x_apply2(b, op, TSR_TILE_multiply, x[0], x[1]);
}

/* One step of the single contracted dimension of a side. */
static tsr_xid step_of(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_x_side *s,
                       int64_t step)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    int64_t begin[TSR_VIEW_RANK] = {0}, by[TSR_VIEW_RANK], dims[TSR_VIEW_RANK];
    for (uint8_t i = 0; i < x->rank; i++) {
        by[i] = 1;
        dims[i] = x->dims[i];
    }
    begin[s->contract[0]] = step;
    dims[s->contract[0]] = 1;
    return tsr_x_sliced(b, op, v, begin, by, dims);
}

/* The dimensions of the result in the order in which side i, the larger one, lies in memory. Those that it does not have
 * are first or last, as in the result. */
static void order_in_memory(tsr_xbuilder *b, tsr_xid v, const tsr_x_side *s, int i, size_t rank,
                            int64_t *order)
{
    int64_t strides[TSR_VIEW_RANK];
    tsr_xshape shape;
    bool known = tsr_x_shape(b, v, &shape);
    size_t first = i ? rank - s->nrest : s->nbatch;
    for (size_t k = 0; k < rank; k++) {
        bool is_rest = k >= first && k < first + s->nrest;
        int64_t dim = k < s->nbatch ? s->batch[k] : is_rest ? s->rest[k - first] : -1;
        strides[k] = dim >= 0 && known ? shape.strides[dim] : i ? INT64_MAX : 0;
        size_t at = k;
        for (; at > 0 && strides[order[at - 1]] < strides[k]; at--)
            order[at] = order[at - 1];
        order[at] = (int64_t)k;
    }
}

/* Sums of up to FEW_STEPS products, without a loop over the depth: a map, into which its readers fuse. A sum of one
 * product is more than the product: its zeros have no sign. */
enum { FEW_STEPS = 4 };
static tsr_xid single_products(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in,
                               const tsr_x_side *sides, tsr_dtype to, const int64_t *dims,
                               size_t rank, int64_t depth)
{
    tsr_dtype sum = tsr_contract_sum(tsr_xdtype_of(b, in[0]), to);
    tsr_xid all = TSR_XNONE;
    int64_t loop[TSR_VIEW_RANK], back[TSR_VIEW_RANK];
    int i_most = tsr_xvalue_at(b, in[1])->n > tsr_xvalue_at(b, in[0])->n;
    for (size_t k = 0; k < rank; k++)
        loop[k] = (int64_t)k;
    if (depth > 1)
        order_in_memory(b, in[i_most], &sides[i_most], i_most, rank, loop);
    for (size_t k = 0; k < rank; k++)
        back[loop[k]] = (int64_t)k;
    for (int64_t k = 0; k < depth; k++) {
        tsr_xid x[2] = {in[0], in[1]};
        for (int i = 0; i < 2 && depth > 1; i++)
            x[i] = step_of(b, op, in[i], &sides[i], k);
        tsr_xid one = one_product(b, op, x, sides, sum, dims, rank, loop);
        all = k                         ? tsr_x_apply2(b, op, TSR_TILE_add, all, one)
              : tsr_dtype_is_float(sum) ? tsr_x_with(b, op, TSR_TILE_add, one, 0)
                                        : one;
    }
    return tsr_x_permuted(b, op, tsr_x_as(b, op, all, to), back);
}

/* Whether neither the contracted nor the remaining dimensions of a side are contiguous: no kernel of products reads it
 * well. */
static bool is_scattered(const tsr_xbuilder *b, const tsr_x_side *s, tsr_xid v)
{
    tsr_xshape shape;
    bool any = tsr_x_shape(b, v, &shape);
    for (size_t i = 0; any && i < s->ncontract; i++)
        any = shape.strides[s->contract[i]] != 1 || shape.dims[s->contract[i]] == 1;
    for (size_t i = 0; any && i < s->nrest; i++)
        any = shape.strides[s->rest[i]] != 1 || shape.dims[s->rest[i]] == 1;
    return any;
}

/* A product that runs faster as a loop; TSR_XNONE: none. */
static tsr_xid as_loop(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in,
                       const tsr_x_side *sides, tsr_dtype to, const int64_t *lines, int64_t depth,
                       const int64_t *dims, size_t rank)
{
    enum { FEW = 16, MANY = 512 };
    int64_t n = lines[0] * lines[1];
    /* Tiles of products would be mostly empty. Conversions would be steps of their own. Many rows by one matrix are read
     * well (kernel/tall.h). */
    tsr_dtype type = tsr_xdtype_of(b, in[0]);
    int64_t size[2] = {tsr_xvalue_at(b, in[0])->n, tsr_xvalue_at(b, in[1])->n};
    bool tiny = depth <= FEW_STEPS && tsr_min(lines[0], lines[1]) <= FEW_STEPS &&
                sides[0].ncontract == 1 && tsr_contract_sum(type, to) == type &&
                size[0] + size[1] >= MANY && (sides[0].nbatch || size[1] > size[0]);
    if (depth == 1 || tiny)
        return single_products(b, op, in, sides, to, dims, rank, depth);
    if (n == 1)
        return row_products(b, op, in, sides, to, dims, rank);
    int i = lines[0] == 1;
    bool one = (i || lines[1] == 1) && tsr_xvalue_at(b, in[!i])->n > depth;
    return one && (depth <= FEW || is_scattered(b, &sides[i], in[i]))
               ? scaled_rows(b, op, in, sides, i, to, dims, rank)
               : TSR_XNONE;
}

tsr_xid tsr_x_product(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *given,
                      const tsr_x_side *roles, tsr_dtype to)
{
    tsr_xid in[2] = {given[0], given[1]};
    tsr_x_side sides[2] = {roles[0], roles[1]};
    if (in[0] == TSR_XNONE || in[1] == TSR_XNONE)
        return TSR_XNONE;
    if (tsr_xdtype_of(b, in[1]) != tsr_xdtype_of(b, in[0]))
        return TSR_XNONE;
    negate_smaller(b, op, in);
    read_before_converts(b, in, to);
    tsr_dtype type = tsr_xdtype_of(b, in[0]);
    int64_t dims[2 * TSR_VIEW_RANK], lines[2] = {1, 1}, depth = 1;
    size_t rank = 0;
    if (!b->p->target->product(type, to))
        return TSR_XNONE;
    for (int i = 0; i < 2; i++) {
        const tsr_xvalue *x = tsr_xvalue_at(b, in[i]);
        if (x->rank > TSR_VIEW_RANK || x->n <= 0)
            return TSR_XNONE;
        for (size_t k = 0; !i && k < sides[i].nbatch; k++)
            dims[rank++] = x->dims[sides[i].batch[k]];
        for (size_t k = 0; k < sides[i].nrest; k++)
            lines[i] *= dims[rank++] = x->dims[sides[i].rest[k]];
        for (size_t k = 0; !i && k < sides[i].ncontract; k++)
            depth *= x->dims[sides[i].contract[k]];
    }
    if (rank > TSR_VIEW_RANK)
        return TSR_XNONE;
    sort_contracted(b, in, sides);
    tsr_xid sums = as_loop(b, op, in, sides, to, lines, depth, dims, rank);
    if (sums != TSR_XNONE)
        return sums;
    tsr_contract *c = TSR_NEW(&b->p->arena, tsr_contract);
    if (!set_sides(b, sides, in, lines, c))
        return TSR_XNONE;
    c->type = (uint8_t)type;
    c->to = (uint8_t)to;
    return tsr_x_contracted(b, op, c, in, dims, rank);
}

/* The operands of a dot_general and the roles of their dimensions; false: not supported. */
static bool read_dot(tsr_xbuilder *b, const tsr_op *op, tsr_xid *in, tsr_x_side *sides)
{
    tsr_dot dims;
    if (!tsr_dot_of(op, &dims))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        in[i] = tsr_x_in(b, op, i);
        if (tsr_xvalue_at(b, in[i])->rank > TSR_VIEW_RANK)
            return false;
        sides[i] = read_side(dims.batch[i], dims.contract[i], tsr_xvalue_at(b, in[i])->rank);
    }
    return true;
}

/* The types in which op multiplies and gives its result before it is rounded to its type. Floats of up to eight bits are
 * multiplied as bf16, which has all their numbers, or f32, as the target converts them, unless it multiplies them as they
 * are; the smallest ones of f8E8M0FNU are denormal in bf16, and read as zero by some machines. */
static void product_types(const tsr_xbuilder *b, const tsr_op *op, tsr_dtype *type, tsr_dtype *to)
{
    tsr_dtype of[2] = {tsr_dtype_of(op->in[0].value->type->elem),
                       tsr_dtype_of(op->in[1].value->type->elem)};
    bool narrow[2];
    for (int i = 0; i < 2; i++)
        narrow[i] = tsr_dtype_is_float(of[i]) && tsr_dtype_bits(of[i]) <= 8;
    bool wide = of[0] == TSR_D_F8E8M0FNU || of[1] == TSR_D_F8E8M0FNU;
    for (int i = 0; i < 2; i++)
        wide |= narrow[i] && !b->p->target->convert(TSR_D_BF16, of[i]);
    *type = !narrow[0] || !narrow[1] ? of[0] : wide ? TSR_D_F32 : TSR_D_BF16;
    *to = tsr_dtype_of(op->out[0].type->elem);
    if (tsr_dtype_is_float(*to) && tsr_dtype_bits(*to) <= 8)
        *to = TSR_D_F32;
    if (narrow[0] && of[0] == of[1] && b->p->target->product(of[0], *to))
        *type = of[0];
}

/* Whether the products of op have the precision that its algorithm asks for: factors are not rounded, and sums are as
 * wide as the accumulation type, or wider. */
static bool is_precise(const tsr_xbuilder *b, const tsr_op *op, tsr_dtype type, tsr_dtype to)
{
    enum { ACCUMULATION = 2 };
    const tsr_attr *algorithm = tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm);
    return !algorithm || (b->p->target->product(type, to) &&
                          tsr_dtype_bits(tsr_dtype_of(algorithm->attrs[ACCUMULATION]->type)) <=
                              tsr_dtype_bits(tsr_contract_sum(type, to)));
}

bool exec_dot_general(tsr_xbuilder *b, tsr_op *op)
{
    tsr_x_side sides[2];
    tsr_xid in[2];
    tsr_dtype type, to;
    product_types(b, op, &type, &to);
    if (!is_precise(b, op, type, to) || !read_dot(b, op, in, sides))
        return false;
    if (tsr_dtype_is_complex(to))
        return tsr_x_complex_product(b, op, in, sides);
    if (type != tsr_xdtype_of(b, in[0]))
        for (int i = 0; i < 2; i++)
            in[i] = tsr_x_as(b, op, in[i], type);
    return tsr_x_give(
        b, op, 0,
        tsr_x_as(b, op, tsr_x_product(b, op, in, sides, to), tsr_dtype_of(op->out[0].type->elem)));
}

tsr_dtype tsr_x_product_type(tsr_xbuilder *b, const tsr_op *op, tsr_xid *in, tsr_dtype to)
{
    tsr_dtype d = tsr_tt_promote((tsr_dtype)tsr_xvalue_at(b, in[0])->dtype,
                                 (tsr_dtype)tsr_xvalue_at(b, in[1])->dtype);
    tsr_dtype sum = tsr_tt_sum(d);
    for (int i = 0; i < 2; i++)
        in[i] = tsr_x_as(b, op, in[i], d);
    return b->p->target->product(d, to) && (to == d || to == sum) ? to : sum;
}

bool exec_ttir_dot_general(tsr_xbuilder *b, tsr_op *op)
{
    tsr_x_side sides[2];
    tsr_xid in[2];
    if (!read_dot(b, op, in, sides))
        return false;
    tsr_dtype to = tsr_x_product_type(b, op, in, tsr_dtype_of(op->out[0].type->elem));
    return tsr_x_give(b, op, 0, tsr_x_product(b, op, in, sides, to));
}

/* The leading dimensions of two factors, broadcast; false: they do not broadcast. */
static bool batch_shape(const tsr_xvalue *x, const tsr_xvalue *y, int64_t *dims, size_t *n)
{
    size_t a = x->rank - 2u, c = y->rank - 2u;
    *n = a > c ? a : c;
    for (size_t i = 0; i < *n; i++) {
        int64_t p = i + a >= *n ? x->dims[i + a - *n] : 1,
                q = i + c >= *n ? y->dims[i + c - *n] : 1;
        if (p != q && p != 1 && q != 1)
            return false;
        dims[i] = p == 1 ? q : p;
    }
    return *n + 2 <= TSR_VIEW_RANK;
}

/* A factor [..., rows, columns] broadcast to other leading dimensions. */
static tsr_xid factor(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *batch, size_t n)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    int64_t dims[TSR_VIEW_RANK];
    memcpy(dims, batch, n * sizeof *dims);
    memcpy(dims + n, x->dims + x->rank - 2, 2 * sizeof *dims);
    return tsr_x_spread(b, op, v, dims, n + 2);
}

tsr_xid tsr_x_matmul(tsr_xbuilder *b, const tsr_op *op, tsr_xid a, tsr_xid c, bool transpose_a,
                     bool transpose_c, tsr_dtype to)
{
    if (a == TSR_XNONE || c == TSR_XNONE)
        return TSR_XNONE;
    const tsr_xvalue *x = tsr_xvalue_at(b, a), *y = tsr_xvalue_at(b, c);
    int64_t batch[TSR_VIEW_RANK], matrix[2];
    size_t n;
    bool transposed[2] = {transpose_a, transpose_c}, one = true;
    if (x->rank < 2 || y->rank < 2 || x->rank > TSR_VIEW_RANK || y->rank > TSR_VIEW_RANK ||
        !batch_shape(x, y, batch, &n))
        return TSR_XNONE;
    for (uint8_t i = 0; i + 2 < y->rank; i++)
        one &= y->dims[i] == 1;
    memcpy(matrix, y->dims + y->rank - 2, sizeof matrix);
    /* One matrix on the right: all matrices on the left become rows of one product. */
    tsr_xid in[2] = {one ? a : factor(b, op, a, batch, n),
                     one ? tsr_x_reshaped(b, op, c, matrix, 2) : factor(b, op, c, batch, n)};
    tsr_x_side sides[2] = {{.nbatch = 0}, {.nbatch = 0}};
    for (int i = 0; i < 2; i++) {
        tsr_x_side *s = &sides[i];
        if (in[i] == TSR_XNONE)
            return TSR_XNONE;
        int64_t lead = tsr_xvalue_at(b, in[i])->rank - 2;
        for (int64_t k = 0; k < lead; k++)
            *(one ? &s->rest[s->nrest++] : &s->batch[s->nbatch++]) = k;
        /* The last two dimensions are rows and columns, or the other way round. */
        s->contract[s->ncontract++] = lead + ((i == 0) != transposed[i]);
        s->rest[s->nrest++] = lead + ((i == 0) == transposed[i]);
    }
    return tsr_x_product(b, op, in, sides, to);
}

bool exec_ttir_matmul(tsr_xbuilder *b, tsr_op *op)
{
    tsr_matmul how;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    if (!tsr_matmul_of(op, &how))
        return false;
    tsr_dtype to = tsr_x_product_type(b, op, in, tsr_dtype_of(op->out[0].type->elem));
    return tsr_x_give(b, op, 0,
                      tsr_x_matmul(b, op, in[0], in[1], how.transpose[0], how.transpose[1], to));
}

/* The bias is added before the sum is rounded. */
bool exec_ttir_linear(tsr_xbuilder *b, tsr_op *op)
{
    tsr_matmul how;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    bool biased = op->nin > 2;
    if (!tsr_matmul_of(op, &how))
        return false;
    tsr_dtype to =
        tsr_x_product_type(b, op, in, biased ? TSR_D_NONE : tsr_dtype_of(op->out[0].type->elem));
    tsr_xid out = tsr_x_matmul(b, op, in[0], in[1], how.transpose[0], how.transpose[1], to);
    if (biased)
        out = tsr_x_apply2(b, op, TSR_TILE_add, out, tsr_x_like(b, op, tsr_x_in(b, op, 2), out));
    return tsr_x_give(b, op, 0, out);
}

bool exec_tessera_matmul(tsr_xbuilder *b, tsr_op *op)
{
    tsr_dtype d = tsr_dtype_of(op->out[0].type->elem);
    return tsr_x_give(b, op, 0,
                      tsr_x_matmul(b, op, tsr_x_as(b, op, tsr_x_in(b, op, 0), d),
                                   tsr_x_as(b, op, tsr_x_in(b, op, 1), d), false,
                                   tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose), d));
}
