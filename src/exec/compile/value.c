/* SPDX-License-Identifier: Apache-2.0 */
/* value.c - computes values from others (value.h). */
#include "exec/compile/value.h"
#include "exec/target.h"

tsr_type *tsr_x_type(const tsr_xbuilder *b, const int64_t *dims, size_t rank, tsr_dtype d)
{
    tsr_ctx *ctx = b->p->module->ctx;
    return tsr_type_tensor(ctx, dims, rank, tsr_dtype_type(ctx, d), NULL);
}

/* Marks v as an intermediate value of op, not one of its results. */
static tsr_xid part(tsr_xbuilder *b, tsr_xid v)
{
    if (v != TSR_XNONE)
        tsr_xvalue_at(b, v)->part = true;
    return v;
}

bool tsr_x_give(tsr_xbuilder *b, tsr_op *op, uint32_t i, tsr_xid v)
{
    const tsr_type *type = op->out[i].type;
    v = tsr_x_as(b, op, v, tsr_dtype_of(type->elem));
    if (v == TSR_XNONE || tsr_xvalue_at(b, v)->n != tsr_type_num_elements(type))
        return false;
    v = tsr_x_reshaped(b, op, v, type->dims, type->n);
    if (v == TSR_XNONE)
        return false;
    /* Only a new value, not an operand that is passed on. */
    tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->op == op)
        x->part = false;
    tsr_x_set(b, op, i, v);
    return true;
}

/* ---- Numbers ---- */

static tsr_xid splat(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, const void *bits)
{
    tsr_xid v = part(b, tsr_x_value(b, tsr_x_type(b, NULL, 0, d), op));
    tsr_xvalue *x = tsr_xvalue_at(b, v);
    x->place = TSR_PLACE_SPLAT;
    memcpy(x->bits, bits, tsr_dtype_bytes(d));
    return v;
}

tsr_xid tsr_x_number(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, double number)
{
    uint64_t bits[2] = {0};
    tsr_convert(d, bits, TSR_D_F64, &number, 1);
    return splat(b, op, d, bits);
}

tsr_xid tsr_x_integer(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, int64_t number)
{
    uint64_t bits[2] = {0};
    tsr_convert(d, bits, TSR_D_I64, &number, 1);
    return splat(b, op, d, bits);
}

tsr_xid tsr_x_numbers(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, const double *numbers,
                      const int64_t *dims, size_t rank)
{
    tsr_type *type = tsr_x_type(b, dims, rank, d);
    tsr_tensor *t = tsr_tensor_new(type->elem, dims, rank);
    if (!t) {
        b->p->starved = true;
        return TSR_XNONE;
    }
    tsr_convert(d, t->data, TSR_D_F64, numbers, t->n);
    tsr_xid v = part(b, tsr_x_value(b, type, op));
    tsr_xvalue_at(b, v)->place = TSR_PLACE_CONSTANT;
    tsr_xvalue_at(b, v)->box = t;
    return v;
}

tsr_xid tsr_x_count(tsr_xbuilder *b, const tsr_op *op, const int64_t *dims, size_t rank, size_t dim)
{
    tsr_xshape view;
    if (!tsr_xshape_whole(&view, dims, rank) || dim >= rank)
        return TSR_XNONE;
    tsr_xid v = tsr_x_value(b, tsr_x_type(b, &dims[dim], 1, TSR_D_I64), op);
    tsr_xvalue_at(b, v)->place = TSR_PLACE_IOTA;
    for (size_t i = 0; i < rank; i++)
        view.strides[i] = i == dim;
    return part(b, tsr_x_view(b, v, &view, tsr_x_type(b, dims, rank, TSR_D_I64), op));
}

/* ---- What is known of values ---- */

const tsr_xid *tsr_x_made_by(const tsr_xbuilder *b, tsr_xid v, tsr_tile_op tile)
{
    const tsr_program *p = b->p;
    tsr_xid node = tsr_xvalue_at(b, v)->node;
    const tsr_node *n = node == TSR_XNONE ? NULL : &p->nodes.data[node];
    if (!n || n->kind != TSR_NODE_TILE || n->tile != tile || n->group == TSR_XNONE)
        return NULL;
    return p->groups.data[tsr_xgroup_find(p, n->group)].home == b->block ? n->in : NULL;
}

bool tsr_x_is_splat(const tsr_xbuilder *b, tsr_xid v, int64_t *number)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->place != TSR_PLACE_SPLAT)
        return false;
    tsr_convert(TSR_D_I64, number, (tsr_dtype)x->dtype, x->bits, 1);
    return true;
}

bool tsr_x_is_number(const tsr_xbuilder *b, tsr_xid v, int64_t number)
{
    int64_t is = 0;
    return tsr_x_is_splat(b, v, &is) && is == number;
}

/* ---- Elementwise ---- */

/* The shape that all operands broadcast to; false: there is none. */
static bool common_shape(const tsr_xbuilder *b, const tsr_xid *in, uint32_t nin, int64_t *dims,
                         size_t *rank)
{
    *rank = 0;
    for (uint32_t k = 0; k < nin; k++) {
        if (in[k] == TSR_XNONE || tsr_xvalue_at(b, in[k])->n < 0)
            return false;
        size_t own = tsr_xvalue_at(b, in[k])->rank;
        *rank = own > *rank ? own : *rank;
    }
    if (*rank > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < *rank; i++) {
        dims[i] = 1;
        for (uint32_t k = 0; k < nin; k++) {
            const tsr_xvalue *x = tsr_xvalue_at(b, in[k]);
            int64_t n = i + x->rank >= *rank ? x->dims[i + x->rank - *rank] : 1;
            if (n != dims[i] && n != 1 && dims[i] != 1)
                return false;
            dims[i] = n == 1 ? dims[i] : n;
        }
    }
    return true;
}

tsr_xid tsr_x_apply(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_dtype to,
                    const tsr_xid *in, uint32_t nin)
{
    int64_t dims[TSR_VIEW_RANK];
    size_t rank;
    tsr_xid all[3];
    if (nin > 3 || !common_shape(b, in, nin, dims, &rank))
        return TSR_XNONE;
    for (uint32_t i = 0; i < nin; i++)
        all[i] = tsr_x_spread(b, op, in[i], dims, rank);
    return part(b, tsr_x_kernel(b, op, tsr_x_type(b, dims, rank, to), tile,
                                tsr_xdtype_of(b, in[nin - 1]), all, nin));
}

tsr_xid tsr_x_apply1(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x)
{
    return x == TSR_XNONE ? x : tsr_x_apply(b, op, tile, tsr_xdtype_of(b, x), &x, 1);
}

tsr_xid tsr_x_apply2(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, tsr_xid y)
{
    tsr_xid in[2] = {x, y};
    return x == TSR_XNONE ? x : tsr_x_apply(b, op, tile, tsr_xdtype_of(b, x), in, 2);
}

tsr_xid tsr_x_with(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, double number)
{
    return x == TSR_XNONE
               ? x
               : tsr_x_apply2(b, op, tile, x, tsr_x_number(b, op, tsr_xdtype_of(b, x), number));
}

tsr_xid tsr_x_compare(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, tsr_xid y)
{
    tsr_xid in[2] = {x, y};
    return tsr_x_apply(b, op, tile, TSR_D_I1, in, 2);
}

tsr_xid tsr_x_select(tsr_xbuilder *b, const tsr_op *op, tsr_xid p, tsr_xid x, tsr_xid y)
{
    tsr_xid in[3] = {p, x, y};
    return x == TSR_XNONE ? x : tsr_x_apply(b, op, TSR_TILE_select, tsr_xdtype_of(b, x), in, 3);
}

tsr_xid tsr_x_as(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_dtype to)
{
    if (v == TSR_XNONE || tsr_xdtype_of(b, v) == to)
        return v;
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    if (tsr_dtype_is_complex(to) || tsr_dtype_is_complex((tsr_dtype)x.dtype))
        return TSR_XNONE;
    tsr_type *type = tsr_x_type(b, x.dims, x.rank, to);
    if (x.place != TSR_PLACE_SPLAT)
        return part(b, tsr_x_kernel(b, op, type, TSR_TILE_CONVERT, (tsr_dtype)x.dtype, &v, 1));
    uint64_t bits[2] = {0};
    tsr_convert(to, bits, (tsr_dtype)x.dtype, x.bits, 1);
    tsr_xid one = splat(b, op, to, bits);
    return tsr_x_spread(b, op, one, x.dims, x.rank);
}

/* ---- Views ---- */

static bool same_dims(const tsr_xvalue *x, const int64_t *dims, size_t rank)
{
    return x->rank == rank && (!rank || !memcmp(x->dims, dims, rank * sizeof *dims));
}

/* The view of v over its memory; false: it has none, or no elements. */
static bool shape_of(const tsr_xbuilder *b, tsr_xid v, tsr_xshape *out)
{
    return v != TSR_XNONE && tsr_xvalue_at(b, v)->n > 0 && tsr_x_shape(b, v, out);
}

static tsr_xid viewed(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_xshape *view)
{
    tsr_type *type = tsr_x_type(b, view->dims, view->rank, tsr_xdtype_of(b, v));
    return tsr_type_num_elements(type) <= 0 ? TSR_XNONE : part(b, tsr_x_view(b, v, view, type, op));
}

tsr_xid tsr_x_spread(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims, size_t rank)
{
    tsr_xshape from, view;
    if (v == TSR_XNONE || same_dims(tsr_xvalue_at(b, v), dims, rank))
        return v;
    if (!shape_of(b, v, &from) || from.rank > rank || !tsr_xshape_whole(&view, dims, rank))
        return TSR_XNONE;
    view.offset = from.offset;
    for (size_t i = 0; i < rank; i++) {
        size_t lead = rank - from.rank;
        bool there = i >= lead && from.dims[i - lead] != 1;
        if (there && from.dims[i - lead] != dims[i])
            return TSR_XNONE;
        view.strides[i] = there ? from.strides[i - lead] : 0;
    }
    return viewed(b, op, v, &view);
}

tsr_xid tsr_x_reshaped(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims,
                       size_t rank)
{
    tsr_xshape from, view;
    if (v == TSR_XNONE || same_dims(tsr_xvalue_at(b, v), dims, rank))
        return v;
    if (rank > TSR_VIEW_RANK || !shape_of(b, v, &from))
        return TSR_XNONE;
    if (!tsr_xshape_reshape(&view, &from, dims, rank)) {
        v = tsr_x_whole(b, v);
        if (!tsr_xshape_whole(&view, dims, rank))
            return TSR_XNONE;
    }
    return viewed(b, op, v, &view);
}

tsr_xid tsr_x_permuted(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *order)
{
    tsr_xshape from, view;
    if (!shape_of(b, v, &from))
        return TSR_XNONE;
    view = from;
    for (uint8_t i = 0; i < from.rank; i++) {
        view.dims[i] = from.dims[order[i]];
        view.strides[i] = from.strides[order[i]];
    }
    return viewed(b, op, v, &view);
}

tsr_xid tsr_x_sliced(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *begin,
                     const int64_t *step, const int64_t *dims)
{
    tsr_xshape view;
    if (!shape_of(b, v, &view))
        return TSR_XNONE;
    for (uint8_t i = 0; i < view.rank; i++) {
        view.offset += begin[i] * view.strides[i];
        view.dims[i] = dims[i];
        if (dims[i] > 1) /* the step behind a last element may be any number */
            view.strides[i] *= step[i];
    }
    return viewed(b, op, v, &view);
}

tsr_xid tsr_x_like(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_xid like)
{
    if (like == TSR_XNONE)
        return like;
    tsr_xvalue x = *tsr_xvalue_at(b, like);
    return tsr_x_spread(b, op, tsr_x_as(b, op, v, (tsr_dtype)x.dtype), x.dims, x.rank);
}

/* ---- Reductions ---- */

uint8_t tsr_x_fold_tile(tsr_fold_op fold)
{
    static const uint8_t tiles[TSR_FOLD__COUNT] = {
        [TSR_FOLD_SUM] = TSR_TILE_add,     [TSR_FOLD_PRODUCT] = TSR_TILE_multiply,
        [TSR_FOLD_MAX] = TSR_TILE_maximum, [TSR_FOLD_MIN] = TSR_TILE_minimum,
        [TSR_FOLD_AND] = TSR_TILE_and,     [TSR_FOLD_OR] = TSR_TILE_or,
        [TSR_FOLD_XOR] = TSR_TILE_xor,
    };
    return tiles[fold];
}

/* The innermost range of dimensions that are reduced together: [first, end), followed by inner elements. False: none is
 * left. */
static bool innermost(const int64_t *dims, const bool *gone, size_t rank, size_t *first,
                      size_t *end, int64_t *reduced, int64_t *inner)
{
    size_t i = rank;
    *inner = *reduced = 1;
    for (; i > 0 && (!gone[i - 1] || dims[i - 1] == 1); i--)
        *inner *= dims[i - 1];
    *end = i;
    for (; i > 0 && (gone[i - 1] || dims[i - 1] == 1); i--)
        *reduced *= dims[i - 1];
    *first = i;
    return *reduced > 1;
}

/* Reduces adjacent dimensions, which become 1. */
static tsr_xid fold_some(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims,
                         size_t rank, int64_t reduced, int64_t inner, tsr_fold_op fold,
                         tsr_dtype to)
{
    tsr_dtype d = tsr_register_type(tsr_xdtype_of(b, v));
    if (tsr_dtype_bytes(d) > 8 || tsr_register_type(to) != d || !b->p->target->fold(fold, d))
        return TSR_XNONE;
    tsr_type *type = tsr_x_type(b, dims, rank, to);
    v = tsr_x_lines(b, v);
    tsr_node *n = tsr_x_node(b, TSR_NODE_REDUCE, op, &v, 1, &type, 1);
    n->fold = (uint8_t)fold;
    n->tile = tsr_x_fold_tile(fold);
    n->inner = inner;
    n->reduced = reduced;
    tsr_xid out = n->out[0];
    tsr_x_done(b, n);
    return part(b, out);
}

tsr_xid tsr_x_folded(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const bool *gone, bool keep,
                     tsr_fold_op fold, tsr_dtype to)
{
    if (v == TSR_XNONE || tsr_xvalue_at(b, v)->n <= 0 || tsr_xvalue_at(b, v)->rank > TSR_VIEW_RANK)
        return TSR_XNONE;
    int64_t dims[TSR_VIEW_RANK], result[TSR_VIEW_RANK], reduced, inner;
    size_t rank = tsr_xvalue_at(b, v)->rank, first, end, kept = 0;
    memcpy(dims, tsr_xvalue_at(b, v)->dims, rank * sizeof *dims);
    for (size_t i = 0; i < rank; i++)
        if (!gone[i] || keep)
            result[kept++] = gone[i] ? 1 : dims[i];
    bool more = innermost(dims, gone, rank, &first, &end, &reduced, &inner);
    if (!more && fold == TSR_FOLD_SUM && tsr_dtype_is_float(tsr_xdtype_of(b, v)))
        v = tsr_x_with(b, op, TSR_TILE_add, v, 0); /* a sum of one element is not -0 */
    while (more && v != TSR_XNONE) {
        int64_t r = reduced, in = inner;
        for (size_t i = first; i < end; i++)
            dims[i] = 1;
        more = innermost(dims, gone, rank, &first, &end, &reduced, &inner);
        /* Values between two reductions are not rounded. */
        v = fold_some(b, op, v, more ? dims : result, more ? rank : kept, r, in, fold,
                      more ? tsr_register_type(tsr_xdtype_of(b, v)) : to);
    }
    return tsr_x_reshaped(b, op, tsr_x_as(b, op, v, to), result, kept);
}

tsr_xid tsr_x_picked(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_xid places, size_t dim,
                     tsr_fold_op fold, tsr_xid *best)
{
    bool gone[TSR_MAX_RANK] = {false};
    if (v == TSR_XNONE || places == TSR_XNONE || dim >= tsr_xvalue_at(b, v)->rank)
        return TSR_XNONE;
    tsr_dtype d = tsr_xdtype_of(b, v), at = tsr_xdtype_of(b, places);
    int64_t size = tsr_xvalue_at(b, v)->dims[dim];
    gone[dim] = true;
    *best = tsr_x_folded(b, op, v, gone, true, fold, d);
    /* One op for equal numbers and NaN: two ops might run in two loops. */
    tsr_xid is = tsr_x_compare(
        b, op, tsr_dtype_is_float(d) ? TSR_TILE_compare_picked : TSR_TILE_compare_eq, v, *best);
    tsr_xid none = tsr_x_integer(b, op, at, size);
    return tsr_x_folded(b, op, tsr_x_select(b, op, is, places, none), gone, false, TSR_FOLD_MIN,
                        at);
}

/* ---- Movements ---- */

tsr_xid tsr_x_moved(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *in,
                    uint32_t nin, const int64_t *numbers, size_t nnumber, const int64_t *dims,
                    size_t rank)
{
    tsr_type *type = NULL;
    for (uint32_t i = 0; i < nin; i++)
        if (in[i] == TSR_XNONE || tsr_xvalue_at(b, in[i])->rank > TSR_VIEW_RANK)
            return TSR_XNONE;
    if (nin)
        type = tsr_x_type(b, dims, rank, tsr_xdtype_of(b, in[0]));
    if (!nin || rank > TSR_VIEW_RANK || tsr_type_num_elements(type) <= 0)
        return TSR_XNONE;
    return part(b, tsr_x_move(b, op, kind, in, nin, numbers, nnumber, type));
}

tsr_xid tsr_x_rows(tsr_xbuilder *b, const tsr_op *op, tsr_xid table, tsr_xid places)
{
    int64_t dims[TSR_VIEW_RANK];
    if (table == TSR_XNONE || places == TSR_XNONE)
        return TSR_XNONE;
    tsr_xvalue x = *tsr_xvalue_at(b, table), at = *tsr_xvalue_at(b, places);
    if (!x.rank || x.n <= 0 || at.n <= 0 || at.rank + x.rank - 1 > TSR_VIEW_RANK ||
        tsr_dtype_is_complex((tsr_dtype)at.dtype))
        return TSR_XNONE;
    memcpy(dims, at.dims, at.rank * sizeof *dims);
    memcpy(dims + at.rank, x.dims + 1, (x.rank - 1u) * sizeof *dims);
    tsr_xid in[2] = {table, places};
    return tsr_x_moved(b, op, TSR_MOVE_ROWS, in, 2, NULL, 0, dims, at.rank + x.rank - 1u);
}

/* ---- Layers ---- */

tsr_xid tsr_x_softmax(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const bool *gone)
{
    if (x == TSR_XNONE)
        return x;
    tsr_dtype d = tsr_xdtype_of(b, x);
    tsr_xid most = tsr_x_folded(b, op, x, gone, true, TSR_FOLD_MAX, d);
    tsr_xid e =
        tsr_x_apply1(b, op, TSR_TILE_exponential, tsr_x_apply2(b, op, TSR_TILE_subtract, x, most));
    tsr_xid sum = tsr_x_folded(b, op, e, gone, true, TSR_FOLD_SUM, d);
    return tsr_x_apply2(b, op, TSR_TILE_divide, e, sum);
}

tsr_xid tsr_x_normalized(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const bool *gone,
                         double epsilon, bool centred)
{
    if (x == TSR_XNONE)
        return x;
    tsr_dtype d = tsr_xdtype_of(b, x);
    double count = 1;
    for (uint8_t i = 0; i < tsr_xvalue_at(b, x)->rank; i++)
        count *= gone[i] ? (double)tsr_xvalue_at(b, x)->dims[i] : 1;
    if (centred) {
        tsr_xid sum = tsr_x_folded(b, op, x, gone, true, TSR_FOLD_SUM, d);
        x = tsr_x_apply2(b, op, TSR_TILE_subtract, x,
                         tsr_x_with(b, op, TSR_TILE_divide, sum, count));
    }
    tsr_xid squares = tsr_x_folded(b, op, tsr_x_apply2(b, op, TSR_TILE_multiply, x, x), gone, true,
                                   TSR_FOLD_SUM, d);
    tsr_xid mean = tsr_x_with(b, op, TSR_TILE_divide, squares, count);
    tsr_xid by =
        tsr_x_apply1(b, op, TSR_TILE_rsqrt, tsr_x_with(b, op, TSR_TILE_add, mean, epsilon));
    return tsr_x_apply2(b, op, TSR_TILE_multiply, x, by);
}

tsr_xid tsr_x_scaled(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const tsr_xid *p, double epsilon)
{
    enum { SCALE, OFFSET, MEAN, VARIANCE };
    tsr_xid root =
        tsr_x_apply1(b, op, TSR_TILE_sqrt, tsr_x_with(b, op, TSR_TILE_add, p[VARIANCE], epsilon));
    tsr_xid by = tsr_x_apply2(b, op, TSR_TILE_divide, p[SCALE], root);
    x = tsr_x_apply2(b, op, TSR_TILE_multiply, tsr_x_apply2(b, op, TSR_TILE_subtract, x, p[MEAN]),
                     by);
    return tsr_x_apply2(b, op, TSR_TILE_add, x, p[OFFSET]);
}

tsr_xid tsr_x_gelu(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, bool by_tanh)
{
    /* 1 + erf(y) is erfc(-y), and 1 + tanh(y) is twice the logistic function of 2 y: the sums would lose small
     * numbers. */
    if (!by_tanh) {
        tsr_xid half = tsr_x_with(b, op, TSR_TILE_multiply, x, 0.5);
        tsr_xid at = tsr_x_with(b, op, TSR_TILE_multiply, x, -0.7071067811865476);
        return tsr_x_apply2(b, op, TSR_TILE_multiply, half, tsr_x_apply1(b, op, TSR_TILE_erfc, at));
    }
    tsr_xid square = tsr_x_apply2(b, op, TSR_TILE_multiply, x, x);
    tsr_xid cube = tsr_x_apply2(b, op, TSR_TILE_multiply, square, x);
    tsr_xid sum =
        tsr_x_apply2(b, op, TSR_TILE_add, x, tsr_x_with(b, op, TSR_TILE_multiply, cube, 0.044715));
    tsr_xid t = tsr_x_apply1(b, op, TSR_TILE_logistic,
                             tsr_x_with(b, op, TSR_TILE_multiply, sum, 1.5957691216057308));
    return tsr_x_apply2(b, op, TSR_TILE_multiply, x, t);
}
