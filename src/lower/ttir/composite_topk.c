/* SPDX-License-Identifier: Apache-2.0 */
/* composite_topk.c - lowers top k and argmax to ops of TTIR.
 *
 * For a tensor that was gathered along the dimension in question, each device first finds the best of its part; only
 * those are gathered, with their global indices, and the best of them are the result. */
#include "base/round.h"
#include "lower/ttir/composite.h"

/* Devices compute with rows of TILE elements: fewer candidates cost the same. For large k, or many parts, too much
 * would be gathered. */
enum { TILE = 32, MOST_K = 1024, MOST_PARTS = 4096 };

/* A tensor divided along a dimension over the devices of one axis. */
typedef struct {
    tsr_value *part;
    int64_t dim, parts;
    uint32_t axis;
} spread;

/* The value that v gathers along dim, in the order of devices. */
static bool is_gathered(const tsr_value *v, int64_t dim, spread *out)
{
    const tsr_op *op = v->is_arg ? NULL : v->op;
    uint32_t axes[TSR_TTIR_AXES], n;
    if (!op || !tsr_op_is(op, TSR_OP_STABLEHLO_ALL_GATHER) || op->nin != 1 || v->type->n != 2 ||
        tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i != dim ||
        !tsr_ttir_axes_of(op, tsr_attr_of(op, STABLEHLO_ALL_GATHER_replica_groups), axes, &n) ||
        n != 1)
        return false;
    tsr_value *part = op->in[0].value;
    *out = (spread){part, dim, v->type->dims[dim] / part->type->dims[dim], axes[0]};
    return out->parts > 1 && out->parts <= MOST_PARTS && v->type->dims[dim] <= INT32_MAX;
}

static tsr_type *resized(const tsr_value *v, int64_t dim, int64_t size, tsr_type *elem)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = i == dim ? size : v->type->dims[i];
    return tsr_type_tensor(v->type->ctx, dims, v->type->n, elem, NULL);
}

static void build_topk(tsr_build *b, tsr_value *x, int64_t dim, int64_t k, tsr_attr *largest,
                       tsr_attr *sorted, tsr_type *const *types, tsr_value **out)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_TOPK, &x, 1, 2);
    op->attrs[TTIR_TOPK_k] = tsr_attr_i32(b->ctx, (int32_t)k);
    op->attrs[TTIR_TOPK_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    if (largest)
        op->attrs[TTIR_TOPK_largest] = largest;
    if (sorted)
        op->attrs[TTIR_TOPK_sorted] = sorted;
    tsr_build_close_as(b, op, types);
    out[0] = &op->out[0];
    out[1] = &op->out[1];
}

/* Global indices of candidates: indices in a part, plus the sizes of the parts before it. candidates: per part. */
static tsr_value *in_whole(tsr_build *b, const spread *s, tsr_value *places, int64_t candidates)
{
    tsr_value *all = tsr_ttir_all_gather(b, places, s->dim, s->axis, s->parts);
    int64_t width = s->part->type->dims[s->dim], total = candidates * s->parts, dims[] = {1, 1};
    tsr_i64_vec starts = {0};
    for (int64_t i = 0; i < total; i++)
        tsr_vec_push(&starts, i / candidates * width);
    dims[s->dim] = total; /* the same for all rows */
    tsr_value *offset = tsr_ttir_ints(b, b->ctx->i32, starts.data, dims, 2);
    tsr_vec_free(&starts);
    return tsr_ttir_binary(b, TSR_OP_TTIR_ADD, all, offset, all->type);
}

static tsr_value *pick(tsr_build *b, tsr_value *x, tsr_value *places, int64_t dim)
{
    tsr_value *in[] = {x, tsr_ttir_typecast(b, places, tsr_type_integer(b->ctx, 32, TSR_UNSIGNED))};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_GATHER, in, 2, 1);
    op->attrs[TTIR_GATHER_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    return tsr_ttir_close(b, op, tsr_hlo_with_element(places->type, x->type->elem));
}

/* values and indices of the best k of all parts. */
static void spread_topk(tsr_build *b, const spread *s, int64_t k, tsr_attr *largest,
                        tsr_value **out)
{
    tsr_type *elem = s->part->type->elem, *i32 = b->ctx->i32;
    int64_t width = s->part->type->dims[s->dim];
    int64_t kept = (k + TILE - 1) / TILE * TILE; /* at the end, before k of them are taken */
    int64_t candidates =
        tsr_min(tsr_min(kept, width), width); /* per part: any part may hold all of the best */
    kept = tsr_min(kept, candidates * s->parts);
    tsr_attr *no = tsr_attr_bool(b->ctx, false), *yes = tsr_attr_bool(b->ctx, true);
    tsr_value *own[2], *best[2];
    tsr_type *own_types[] = {resized(s->part, s->dim, candidates, elem),
                             resized(s->part, s->dim, candidates, i32)};
    build_topk(b, s->part, s->dim, candidates, largest, no, own_types, own);
    tsr_value *values = tsr_ttir_all_gather(b, own[0], s->dim, s->axis, s->parts);
    tsr_value *places = in_whole(b, s, own[1], candidates);
    tsr_type *types[] = {resized(s->part, s->dim, kept, elem), resized(s->part, s->dim, kept, i32)};
    build_topk(b, values, s->dim, kept, largest, yes, types, best);
    out[0] = best[0];
    out[1] = pick(b, places, best[1], s->dim);
    if (kept != k)
        for (int i = 0; i < 2; i++)
            out[i] = tsr_ttir_slice_dim(b, out[i], s->dim, 0, k);
}

/* values, indices: their result numbers in op; -1: absent. */
static bool topk(tsr_build *b, tsr_op *op, const tsr_attr *attrs, int values, int indices,
                 tsr_value **out)
{
    int64_t k = 1, dim = -1;
    if (op->nin != 1 || op->nout != (uint32_t)((values >= 0) + (indices >= 0)) || !attrs)
        return false;
    tsr_given_int(attrs, "k", &k);
    tsr_given_int(attrs, "dim", &dim);
    tsr_value *x = op->in[0].value, *made[2];
    int64_t rank = x->type->n, at = dim < 0 ? dim + rank : dim;
    if (at < 0 || at >= rank || k < 1 || k > INT32_MAX - TILE || k > x->type->dims[at])
        return false;
    tsr_attr *largest = tsr_given_bool(attrs, "largest");
    spread s;
    if (k <= MOST_K && is_gathered(x, at, &s)) {
        spread_topk(b, &s, k, largest, made);
        if (indices >= 0)
            made[1] = tsr_ttir_typecast(b, made[1], op->out[indices].type->elem);
    } else {
        tsr_type *types[] = {
            values >= 0 ? op->out[values].type
                        : tsr_hlo_with_element(op->out[indices].type, x->type->elem),
            indices >= 0 ? op->out[indices].type
                         : tsr_hlo_with_element(op->out[values].type, b->ctx->i32)};
        build_topk(b, x, dim, k, largest, tsr_given_bool(attrs, "sorted"), types, made);
    }
    if (values >= 0)
        out[values] = made[0];
    if (indices >= 0)
        out[indices] = made[1];
    return true;
}

bool tsr_composite_topk(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    return topk(b, op, attrs, 0, 1, out);
}

bool tsr_composite_topk_values(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    return topk(b, op, attrs, 0, -1, out);
}

bool tsr_composite_topk_indices(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    return topk(b, op, attrs, -1, 0, out);
}

bool tsr_composite_argmax(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    int64_t dim = -1;
    if (op->nin != 1 || op->nout != 1)
        return false;
    tsr_given_int(attrs, "dim", &dim);
    const tsr_attr *keep = tsr_given_bool(attrs, "keepdim");
    tsr_value *x = op->in[0].value;
    int64_t rank = x->type->n, at = dim < 0 ? dim + rank : dim;
    if (at < 0 || at >= rank)
        return false;
    spread s;
    if (!is_gathered(x, at, &s)) {
        tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_ARGMAX, &x, 1, 1);
        made->attrs[TTIR_ARGMAX_keep_dim] = tsr_attr_bool(b->ctx, keep && keep->i);
        made->attrs[TTIR_ARGMAX_dim_arg] = tsr_ttir_i32s(b->ctx, &dim, 1);
        tsr_composite_close(b, made, op, out);
        return true;
    }
    tsr_value *best = tsr_ttir_reduce(b, TSR_OP_TTIR_MAX, s.part, &at, 1, true, NULL);
    tsr_value *place = tsr_ttir_reduce(b, TSR_OP_TTIR_ARGMAX, s.part, &at, 1, true, b->ctx->i32);
    tsr_value *values = tsr_ttir_all_gather(b, best, at, s.axis, s.parts);
    tsr_value *places = in_whole(b, &s, place, 1);
    tsr_value *winner = tsr_ttir_reduce(b, TSR_OP_TTIR_ARGMAX, values, &at, 1, true, b->ctx->i32);
    tsr_value *v =
        tsr_ttir_reshape(b, pick(b, places, winner, at), op->out[0].type->dims, op->out[0].type->n);
    out[0] = tsr_ttir_typecast(b, v, op->out[0].type->elem);
    return true;
}
