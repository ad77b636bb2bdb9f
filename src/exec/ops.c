/* ops.c - EXEC hooks of elementwise ops, views, movements and reductions. */
#include "dialect/stablehlo/cases.h"
#include "dialect/params.h"
#include "dialect/reducer.h"
#include "exec/build.h"

/* ---- Elementwise with a choice ---- */

bool exec_compare(tsr_xbuilder *b, tsr_op *op)
{
    static const uint8_t tiles[] = {TSR_TILE_compare_eq, TSR_TILE_compare_ne, TSR_TILE_compare_ge,
                                    TSR_TILE_compare_gt, TSR_TILE_compare_le, TSR_TILE_compare_lt};
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction);
    const tsr_attr *type = tsr_attr_of(op, STABLEHLO_COMPARE_compare_type);
    if ((type && type->i == TSR_COMPARE_TYPE_TOTALORDER) || (size_t)how->i >= TSR_COUNT(tiles))
        return false;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    return tsr_x_tile(b, op, tiles[how->i], tsr_xvalue_at(b, in[0])->dtype, in, 2);
}

bool exec_select(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in[3] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1), tsr_x_in(b, op, 2)};
    return tsr_x_tile(b, op, TSR_TILE_select, tsr_xvalue_at(b, in[1])->dtype, in, 3);
}

bool exec_convert(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in = tsr_x_in(b, op, 0);
    tsr_dtype to = tsr_dtype_of(op->out[0].type->elem), from = tsr_xvalue_at(b, in)->dtype;
    if (tsr_dtype_is_complex(to) || tsr_dtype_is_complex(from))
        return false;
    return tsr_x_tile(b, op, TSR_TILE_CONVERT, from, &in, 1);
}

/* ---- Views ---- */

/* Makes result 0 a view. */
static bool give_view(tsr_xbuilder *b, tsr_op *op, const tsr_xshape *v)
{
    if (tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    tsr_x_set(b, op, 0, tsr_x_view(b, tsr_x_in(b, op, 0), v, op->out[0].type, op));
    return true;
}

bool exec_iota(tsr_xbuilder *b, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    int64_t d = tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension)->i;
    tsr_dtype dtype = tsr_dtype_of(type->elem);
    if (tsr_dtype_is_complex(dtype) || tsr_dtype_bytes(dtype) < 1 || type->n > TSR_VIEW_RANK ||
        tsr_type_num_elements(type) <= 0 || d >= type->n ||
        (tsr_dtype_is_float(dtype) && tsr_dtype_bytes(dtype) < 4) || tsr_dtype_bits(dtype) < 8)
        return false;
    tsr_type *line = tsr_type_tensor(b->p->module->ctx, &type->dims[d], 1, type->elem, NULL);
    tsr_xid v = tsr_x_value(b, line, op);
    tsr_xvalue_at(b, v)->place = TSR_PLACE_IOTA;
    tsr_xshape view = {.rank = (uint8_t)type->n};
    memcpy(view.dims, type->dims, type->n * sizeof *view.dims);
    view.strides[d] = 1;
    tsr_x_set(b, op, 0, tsr_x_view(b, v, &view, type, op));
    return true;
}

bool exec_broadcast_in_dim(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *to = op->out[0].type;
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    tsr_xshape from, view = {.rank = (uint8_t)to->n};
    if (to->n > TSR_VIEW_RANK || !tsr_x_shape(b, tsr_x_in(b, op, 0), &from))
        return false;
    memcpy(view.dims, to->dims, to->n * sizeof *view.dims);
    view.offset = from.offset;
    for (uint8_t i = 0; i < from.rank; i++)
        if (from.dims[i] != 1)
            view.strides[tsr_attr_int_at(dims, i)] = from.strides[i];
    return give_view(b, op, &view);
}

bool exec_reshape(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *to = op->out[0].type;
    tsr_xshape from, view;
    if (to->n > TSR_VIEW_RANK || tsr_type_num_elements(to) <= 0)
        return false;
    tsr_xid v = tsr_x_in(b, op, 0);
    if (!tsr_x_shape(b, v, &from))
        return false;
    if (!tsr_xshape_reshape(&view, &from, to->dims, to->n)) {
        v = tsr_x_whole(b, v);
        if (!tsr_xshape_whole(&view, to->dims, to->n))
            return false;
    }
    tsr_x_set(b, op, 0, tsr_x_view(b, v, &view, op->out[0].type, op));
    return true;
}

bool exec_transpose(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *order = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    tsr_xshape from, view;
    if (!tsr_x_shape(b, tsr_x_in(b, op, 0), &from))
        return false;
    view = from;
    for (uint8_t i = 0; i < from.rank; i++) {
        int64_t d = tsr_attr_int_at(order, i);
        view.dims[i] = from.dims[d];
        view.strides[i] = from.strides[d];
    }
    return give_view(b, op, &view);
}

bool exec_slice(tsr_xbuilder *b, tsr_op *op)
{
    tsr_slice slice;
    tsr_xshape view;
    if (!tsr_slice_of(op, &slice) || !tsr_x_shape(b, tsr_x_in(b, op, 0), &view))
        return false;
    for (uint8_t i = 0; i < view.rank; i++) {
        view.offset += tsr_ints_at(slice.start, i) * view.strides[i];
        view.dims[i] = op->out[0].type->dims[i];
        if (view.dims[i] > 1) /* the step behind a last element may be any number */
            view.strides[i] *= tsr_ints_at(slice.strides, i);
    }
    return give_view(b, op, &view);
}

bool exec_reverse(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *which = tsr_attr_of(op, STABLEHLO_REVERSE_dimensions);
    tsr_xshape view;
    if (!tsr_x_shape(b, tsr_x_in(b, op, 0), &view))
        return false;
    for (int64_t i = 0; i < tsr_attr_count(which); i++) {
        int64_t d = tsr_attr_int_at(which, (size_t)i);
        view.offset += (view.dims[d] - 1) * view.strides[d];
        view.strides[d] = -view.strides[d];
    }
    return give_view(b, op, &view);
}

/* ---- Movements ---- */

static bool move(tsr_xbuilder *b, tsr_op *op, tsr_move_kind kind)
{
    enum { MOST = 64 };
    tsr_xid in[MOST];
    if (op->nin > MOST || op->out[0].type->n > TSR_VIEW_RANK ||
        tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_xvalue_at(b, tsr_x_in(b, op, i))->rank > TSR_VIEW_RANK)
            return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = tsr_x_in(b, op, i);
        /* Boxes are copied out of any view; what is read element by element, or taken over, lies in order. */
        bool any = kind == TSR_MOVE_CONCATENATE || (kind == TSR_MOVE_PAD && i == 0) ||
                   (kind == TSR_MOVE_DYNAMIC_SLICE && i == 0) ||
                   (kind == TSR_MOVE_UPDATE_SLICE && i == 1);
        const tsr_xvalue *s = tsr_xvalue_at(b, tsr_storage_of(b->p, in[i]));
        if (!any || s->place == TSR_PLACE_SPLAT || s->place == TSR_PLACE_IOTA)
            in[i] = tsr_x_whole(b, in[i]);
    }
    tsr_type *type = op->out[0].type;
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, in, op->nin, &type, 1);
    n->move = (uint8_t)kind;
    tsr_x_set(b, op, 0, n->out[0]);
    tsr_x_done(b, n);
    return true;
}

bool exec_concatenate(tsr_xbuilder *b, tsr_op *op)
{
    return move(b, op, TSR_MOVE_CONCATENATE);
}

bool exec_pad(tsr_xbuilder *b, tsr_op *op)
{
    /* Numbers from which places are computed; the evaluator's kernel takes any. */
    const int64_t most = (int64_t)1 << 40;
    tsr_pad by;
    if (!tsr_pad_of(op, &by))
        return false;
    for (uint32_t i = 0; i < op->out[0].type->n; i++)
        if (tsr_ints_at(by.interior, i) > most || tsr_ints_at(by.low, i) > most ||
            tsr_ints_at(by.low, i) < -most)
            return false;
    return move(b, op, TSR_MOVE_PAD);
}

bool exec_dynamic_slice(tsr_xbuilder *b, tsr_op *op)
{
    return move(b, op, TSR_MOVE_DYNAMIC_SLICE);
}

bool exec_dynamic_update_slice(tsr_xbuilder *b, tsr_op *op)
{
    return move(b, op, TSR_MOVE_UPDATE_SLICE);
}

/* ---- Reductions ---- */

/* The fold of a body that is one op on its two arguments, and the kernel that joins two of its results; false: there is none. */
static bool body_fold(const tsr_op *reduce, uint8_t *fold, uint8_t *tile)
{
    static const struct {
        uint8_t fold, tile;
    } folds[TSR_REDUCE__COUNT] = {
        [TSR_REDUCE_SUM] = {TSR_FOLD_SUM, TSR_TILE_add},
        [TSR_REDUCE_PRODUCT] = {TSR_FOLD_PRODUCT, TSR_TILE_multiply},
        [TSR_REDUCE_MIN] = {TSR_FOLD_MIN, TSR_TILE_minimum},
        [TSR_REDUCE_MAX] = {TSR_FOLD_MAX, TSR_TILE_maximum},
        [TSR_REDUCE_AND] = {TSR_FOLD_AND, TSR_TILE_and},
        [TSR_REDUCE_OR] = {TSR_FOLD_OR, TSR_TILE_or},
        [TSR_REDUCE_XOR] = {TSR_FOLD_XOR, TSR_TILE_xor},
    };
    tsr_reduce_kind kind = tsr_reducer_kind(&reduce->regions[0]);
    *fold = folds[kind].fold;
    *tile = folds[kind].tile;
    return kind != TSR_REDUCE_OTHER;
}

/* Which dimensions are reduced as [outer, reduced, inner], sizes of 1 left out; false: they are not neighbours. */
static bool neighbours(const tsr_xvalue *x, const tsr_attr *dims, int64_t *reduced, int64_t *inner)
{
    bool is[TSR_MAX_RANK] = {0};
    for (int64_t i = 0; i < tsr_attr_count(dims); i++)
        is[tsr_attr_int_at(dims, (size_t)i)] = true;
    int state = 0; /* 0: inner, 1: reduced, 2: outer */
    *reduced = *inner = 1;
    for (int i = x->rank; i-- > 0;) {
        if (x->dims[i] == 1)
            continue;
        if (is[i]) {
            if (state == 2)
                return false;
            state = 1;
            *reduced *= x->dims[i];
        } else if (state == 0) {
            *inner *= x->dims[i];
        } else {
            state = 2;
        }
    }
    return true;
}

static bool is_neutral(const tsr_xvalue *init, uint8_t fold)
{
    tsr_fold f;
    uint64_t neutral = 0;
    if (init->place != TSR_PLACE_SPLAT)
        return false;
    tsr_dtype d = tsr_register_type((tsr_dtype)init->dtype);
    if (!tsr_fold_start(&f, fold, d))
        return false;
    uint64_t bits = 0;
    tsr_convert(d, &bits, (tsr_dtype)init->dtype, init->bits, 1);
    tsr_fold_end(&f, &neutral);
    /* A sum that begins with 0 differs from one that begins with -0 only when all its elements are -0. */
    return bits == neutral || (fold == TSR_FOLD_SUM && !bits);
}

bool exec_reduce(tsr_xbuilder *b, tsr_op *op)
{
    uint8_t fold, tile;
    tsr_fold probe;
    int64_t reduced, inner;
    if (op->nin != 2 || !body_fold(op, &fold, &tile))
        return false;
    tsr_xid in = tsr_x_in(b, op, 0), init = tsr_x_in(b, op, 1);
    tsr_xvalue x = *tsr_xvalue_at(b, in);
    tsr_dtype d = tsr_register_type((tsr_dtype)x.dtype);
    if (x.n <= 0 || x.rank > TSR_VIEW_RANK || !tsr_fold_start(&probe, fold, d) ||
        (b->p->strict && d != x.dtype) || tsr_dtype_bytes(d) > 8 ||
        !neighbours(&x, tsr_attr_of(op, STABLEHLO_REDUCE_dimensions), &reduced, &inner))
        return false;
    bool neutral = is_neutral(tsr_xvalue_at(b, init), fold);
    tsr_type *type = op->out[0].type;
    if (reduced == 1) {
        tsr_xshape from, view;
        if (!neutral || !tsr_x_shape(b, in, &from) ||
            !tsr_xshape_reshape(&view, &from, type->dims, type->n))
            return false;
        tsr_x_set(b, op, 0, tsr_x_view(b, in, &view, type, op));
        return true;
    }
    in = tsr_x_lines(b, in);
    tsr_node *n = tsr_x_node(b, TSR_NODE_REDUCE, op, &in, 1, &type, 1);
    n->fold = fold;
    n->tile = tile;
    n->inner = inner;
    n->reduced = reduced;
    tsr_xid out = n->out[0];
    tsr_x_done(b, n);
    tsr_x_set(b, op, 0, out);
    if (neutral)
        return true;
    tsr_xid both[2] = {init, out};
    return tsr_x_tile(b, op, tile, (tsr_dtype)x.dtype, both, 2);
}
