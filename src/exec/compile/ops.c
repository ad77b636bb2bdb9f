/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c - EXEC hooks of elementwise ops, views, movements and reductions. */
#include <math.h>

#include "dialect/stablehlo/cases.h"
#include "dialect/params.h"
#include "dialect/reducer.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* ---- Elementwise with a choice ---- */

static bool in_total_order(const tsr_op *op)
{
    const tsr_attr *type = tsr_attr_of(op, STABLEHLO_COMPARE_compare_type);
    return type && type->i == TSR_COMPARE_TYPE_TOTALORDER;
}

/* The kernel of the comparison's direction, whatever its order; TSR_TILE__COUNT: none. */
static uint8_t direction_of(const tsr_op *op)
{
    static const uint8_t tiles[] = {TSR_TILE_compare_eq, TSR_TILE_compare_ne, TSR_TILE_compare_ge,
                                    TSR_TILE_compare_gt, TSR_TILE_compare_le, TSR_TILE_compare_lt};
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction);
    return (size_t)how->i >= TSR_COUNT(tiles) ? TSR_TILE__COUNT : tiles[how->i];
}

uint8_t tsr_x_comparison(const tsr_op *op)
{
    return in_total_order(op) ? TSR_TILE__COUNT : direction_of(op);
}

bool exec_compare(tsr_xbuilder *b, tsr_op *op)
{
    uint8_t tile = direction_of(op);
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    if (tile != TSR_TILE__COUNT && in_total_order(op))
        return tsr_x_total_order(b, op, tile);
    return tile != TSR_TILE__COUNT &&
           tsr_x_tile(b, op, tile, tsr_xvalue_at(b, in[0])->dtype, in, 2);
}

bool exec_select(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in[3] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1), tsr_x_in(b, op, 2)}, of[2];
    uint8_t floor = tsr_x_floor(b, in, of);
    if (floor && tsr_x_tile(b, op, floor, tsr_xdtype_of(b, in[2]), of, 2))
        return true;
    if (tsr_x_from_end(b, in, of))
        return tsr_x_tile(b, op, TSR_TILE_from_end, tsr_xdtype_of(b, in[2]), of, 2);
    return tsr_x_tile(b, op, TSR_TILE_select, tsr_xvalue_at(b, in[1])->dtype, in, 3);
}

bool exec_convert(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid in = tsr_x_in(b, op, 0);
    tsr_dtype to = tsr_dtype_of(op->out[0].type->elem), from = tsr_xvalue_at(b, in)->dtype;
    if (tsr_dtype_is_complex(from) && !tsr_dtype_is_complex(to))
        return tsr_x_give(b, op, 0, tsr_x_part(b, op, in, 0));
    if (!tsr_dtype_is_complex(to) && tsr_xvalue_at(b, in)->n > 0 &&
        (from == to || tsr_xvalue_at(b, in)->place == TSR_PLACE_SPLAT))
        return tsr_x_give(b, op, 0, tsr_x_as(b, op, in, to));
    return tsr_x_tile(b, op, TSR_TILE_CONVERT, from, &in, 1);
}

tsr_xid tsr_x_bits(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_type *type)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_dtype from = (tsr_dtype)x->dtype, to = tsr_dtype_of(type->elem);
    bool real = !tsr_dtype_is_complex(from) && !tsr_dtype_is_complex(to);
    if (!b->p->target->bits_in_loops || !real || tsr_register_type(from) != from ||
        tsr_register_type(to) != to)
        return tsr_x_move(b, op, TSR_MOVE_COPY, &v, 1, NULL, 0, type);
    if (x->place == TSR_PLACE_SPLAT) {
        uint64_t bits = x->bits[0];
        tsr_xid made = tsr_x_value(b, type, op);
        tsr_xvalue_at(b, made)->place = TSR_PLACE_SPLAT;
        tsr_xvalue_at(b, made)->bits[0] = bits;
        return made;
    }
    v = tsr_x_lines(b, v);
    tsr_node *n = tsr_x_node(b, TSR_NODE_TILE, op, &v, 1, &type, 1);
    n->tile = TSR_TILE_BITS;
    n->of = (uint8_t)from;
    tsr_xid made = n->out[0];
    tsr_x_done(b, n);
    return made;
}

/* Whether all bytes of one type are those of another, of another size. */
static bool is_same_bytes(const tsr_xvalue *x, const tsr_type *type)
{
    tsr_dtype from = (tsr_dtype)x->dtype, to = tsr_dtype_of(type->elem);
    return tsr_dtype_bytes(from) != tsr_dtype_bytes(to) &&
           x->n * tsr_dtype_bytes(from) == tsr_type_num_elements(type) * tsr_dtype_bytes(to);
}

/* The same bytes as elements of another type. */
bool exec_bitcast_convert(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid v = tsr_x_in(b, op, 0);
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_type *type = op->out[0].type;
    tsr_dtype from = (tsr_dtype)x->dtype, to = tsr_dtype_of(type->elem);
    if (from == to && x->rank == type->n) {
        tsr_x_set(b, op, 0, v);
        return true;
    }
    if (x->n <= 0 || x->rank > TSR_VIEW_RANK || tsr_dtype_bits(from) < 8 || tsr_dtype_bits(to) < 8)
        return false;
    if (b->p->target->move(TSR_MOVE_BYTES, to) && is_same_bytes(x, type)) {
        v = tsr_x_whole(b, v);
        tsr_x_set(b, op, 0, tsr_x_move(b, op, TSR_MOVE_BYTES, &v, 1, NULL, 0, type));
        return true;
    }
    if (x->rank != type->n || tsr_dtype_bytes(from) != tsr_dtype_bytes(to))
        return false;
    tsr_x_set(b, op, 0, tsr_x_bits(b, op, v, type));
    return true;
}

/* Computed in f32 at least. If mean and variance are not operands, they are computed from the batch, and are
 * results. */
static bool batch_norm(tsr_xbuilder *b, tsr_op *op, int epsilon_slot, int feature_slot)
{
    enum { COUNT = 4 };
    tsr_xid x = tsr_x_in(b, op, 0), p[COUNT];
    tsr_dtype d = tsr_x_working((tsr_dtype)tsr_xvalue_at(b, x)->dtype);
    int64_t dims[TSR_VIEW_RANK], f = tsr_attr_of(op, feature_slot)->i;
    const tsr_attr *epsilon = tsr_attr_of(op, epsilon_slot);
    size_t rank = tsr_xvalue_at(b, x)->rank;
    bool gone[TSR_MAX_RANK] = {false}, given = op->nin == 1 + COUNT;
    if (rank > TSR_VIEW_RANK || f >= (int64_t)rank || b->p->strict || tsr_xvalue_at(b, x)->n <= 0)
        return false;
    double count = (double)tsr_xvalue_at(b, x)->n / (double)tsr_xvalue_at(b, x)->dims[f];
    for (size_t i = 0; i < rank; i++) {
        gone[i] = (int64_t)i != f;
        dims[i] = gone[i] ? 1 : tsr_xvalue_at(b, x)->dims[i];
    }
    for (uint32_t i = 0; i + 1 < op->nin; i++) {
        p[i] = tsr_x_in(b, op, 1 + i);
        if (tsr_xvalue_at(b, p[i])->n != dims[f])
            return false;
        p[i] = tsr_x_as(b, op, tsr_x_reshaped(b, op, p[i], dims, rank), d);
    }
    x = tsr_x_as(b, op, x, d);
    if (!given) {
        tsr_xid sum = tsr_x_folded(b, op, x, gone, true, TSR_FOLD_SUM, d);
        p[2] = tsr_x_with(b, op, TSR_TILE_divide, sum, count);
        tsr_xid off = tsr_x_apply2(b, op, TSR_TILE_subtract, x, p[2]);
        tsr_xid square = tsr_x_apply2(b, op, TSR_TILE_multiply, off, off);
        sum = tsr_x_folded(b, op, square, gone, true, TSR_FOLD_SUM, d);
        p[3] = tsr_x_with(b, op, TSR_TILE_divide, sum, count);
    }
    double e = tsr_float_to_double((tsr_float_kind)epsilon->type->sub, (uint64_t)epsilon->i);
    return tsr_x_give(b, op, 0, tsr_x_scaled(b, op, x, p, e)) &&
           (given || (tsr_x_give(b, op, 1, p[2]) && tsr_x_give(b, op, 2, p[3])));
}

bool exec_batch_norm_inference(tsr_xbuilder *b, tsr_op *op)
{
    return batch_norm(b, op, STABLEHLO_BATCH_NORM_INFERENCE_epsilon,
                      STABLEHLO_BATCH_NORM_INFERENCE_feature_index);
}

bool exec_batch_norm_training(tsr_xbuilder *b, tsr_op *op)
{
    return batch_norm(b, op, STABLEHLO_BATCH_NORM_TRAINING_epsilon,
                      STABLEHLO_BATCH_NORM_TRAINING_feature_index);
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

/* Narrow floats and complex numbers are converted from integers, which floats of 32 bits hold. */
static bool convert_count(tsr_xbuilder *b, tsr_op *op, int64_t d, tsr_dtype to)
{
    const tsr_type *type = op->out[0].type;
    enum { MOST = 1 << 24 };
    tsr_xid v =
        type->dims[d] <= MOST ? tsr_x_count(b, op, type->dims, type->n, (size_t)d) : TSR_XNONE;
    if (v == TSR_XNONE)
        return false;
    return tsr_dtype_is_complex(to) ? tsr_x_tile(b, op, TSR_TILE_CONVERT, TSR_D_I64, &v, 1)
                                    : tsr_x_give(b, op, 0, tsr_x_as(b, op, v, to));
}

bool exec_iota(tsr_xbuilder *b, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    int64_t d = tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension)->i;
    tsr_dtype dtype = tsr_dtype_of(type->elem);
    if (tsr_dtype_bytes(dtype) < 1 || type->n > TSR_VIEW_RANK || d >= type->n ||
        tsr_type_num_elements(type) <= 0 || tsr_dtype_bits(dtype) < 8)
        return false;
    if (tsr_dtype_is_complex(dtype) || (tsr_dtype_is_float(dtype) && tsr_dtype_bytes(dtype) < 4))
        return convert_count(b, op, d, dtype);
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

bool tsr_x_repeats(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *to = op->out[0].type;
    tsr_xshape from, view = {.rank = (uint8_t)to->n};
    if (to->n > TSR_VIEW_RANK || tsr_type_num_elements(to) <= 0 ||
        !tsr_x_shape(b, tsr_x_in(b, op, 0), &from))
        return false;
    bool splat = tsr_xvalue_at(b, tsr_x_in(b, op, 0))->place == TSR_PLACE_SPLAT;
    for (uint8_t i = 0; i < from.rank && !splat; i++)
        if (from.dims[i] != 1 && from.strides[i])
            return false;
    memcpy(view.dims, to->dims, to->n * sizeof *view.dims);
    view.offset = from.offset;
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

tsr_xid tsr_x_move(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *in,
                   uint32_t nin, const int64_t *numbers, size_t nnumber, tsr_type *type)
{
    tsr_xid *all = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, nin + 1);
    for (uint32_t i = 0; i < nin; i++) {
        all[i] = in[i];
        /* Boxes are copied from any view; operands that are read element by element or updated in place must be row
         * major. */
        bool any = kind == TSR_MOVE_CONCATENATE || kind == TSR_MOVE_COPY ||
                   kind == TSR_MOVE_WEAVE || (kind == TSR_MOVE_PAD && i == 0) ||
                   (kind == TSR_MOVE_DYNAMIC_SLICE && i == 0) ||
                   (kind == TSR_MOVE_UPDATE_SLICE && i == 1);
        const tsr_xvalue *s = tsr_xvalue_at(b, tsr_storage_of(b->p, in[i]));
        /* One number: the start of a box, or a padding value. */
        bool number = ((kind == TSR_MOVE_PAD || kind == TSR_MOVE_WINDOW) && i == 1) ||
                      (kind == TSR_MOVE_DYNAMIC_SLICE && i > 0) ||
                      (kind == TSR_MOVE_UPDATE_SLICE && i > 1);
        if (number && s->place == TSR_PLACE_SPLAT)
            continue;
        if (!any || s->place == TSR_PLACE_SPLAT || s->place == TSR_PLACE_IOTA)
            all[i] = tsr_x_whole(b, in[i]);
    }
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, all, nin, &type, 1);
    n->move = (uint8_t)kind;
    n->over = kind == TSR_MOVE_UPDATE_SLICE;
    n->numbers = tsr_arena_copy(&b->p->arena, numbers, nnumber * sizeof *numbers);
    tsr_xid made = n->out[0];
    tsr_x_done(b, n);
    return made;
}

static bool move(tsr_xbuilder *b, tsr_op *op, tsr_move_kind kind, const int64_t *numbers,
                 size_t nnumber)
{
    enum { MOST = 64 };
    tsr_xid in[MOST];
    if (op->nin > MOST || op->out[0].type->n > TSR_VIEW_RANK ||
        tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = tsr_x_in(b, op, i);
        if (tsr_xvalue_at(b, in[i])->rank > TSR_VIEW_RANK)
            return false;
    }
    tsr_x_set(b, op, 0, tsr_x_move(b, op, kind, in, op->nin, numbers, nnumber, op->out[0].type));
    return true;
}

bool exec_concatenate(tsr_xbuilder *b, tsr_op *op)
{
    return move(b, op, TSR_MOVE_CONCATENATE, &tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i,
                1);
}

bool exec_pad(tsr_xbuilder *b, tsr_op *op)
{
    /* Limit of the numbers that offsets are computed from; the evaluator's kernel takes any. */
    const int64_t most = (int64_t)1 << 40;
    tsr_pad by;
    int64_t numbers[2 * TSR_VIEW_RANK];
    uint32_t rank = op->out[0].type->n;
    if (!tsr_pad_of(op, &by) || rank > TSR_VIEW_RANK)
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        numbers[i] = tsr_ints_at(by.low, i);
        numbers[rank + i] = tsr_ints_at(by.interior, i);
        if (numbers[rank + i] > most || numbers[i] > most || numbers[i] < -most)
            return false;
    }
    return move(b, op, TSR_MOVE_PAD, numbers, 2 * rank);
}

bool exec_dynamic_slice(tsr_xbuilder *b, tsr_op *op)
{
    if (tsr_x_repeats(b, op))
        return true;
    return move(b, op, TSR_MOVE_DYNAMIC_SLICE, NULL, 0);
}

bool exec_dynamic_update_slice(tsr_xbuilder *b, tsr_op *op)
{
    return move(b, op, TSR_MOVE_UPDATE_SLICE, NULL, 0);
}

/* Rows of a table along one of its dimensions. If that is not the first, the table is transposed, unless it is much
 * larger than the result. */
bool tsr_x_gather_rows(tsr_xbuilder *b, tsr_op *op)
{
    enum { LARGER = 4 };
    tsr_gather g;
    tsr_xid table = tsr_x_in(b, op, 0), places = tsr_x_in(b, op, 1);
    tsr_xvalue x = *tsr_xvalue_at(b, table), at = *tsr_xvalue_at(b, places);
    const tsr_type *type = op->out[0].type;
    int64_t order[TSR_VIEW_RANK], dims[TSR_VIEW_RANK], d;
    if (!tsr_gather_of(op, &g) || g.batch.n || g.map.n != 1 || g.dropped.n != 1 || x.n <= 0 ||
        at.n <= 0 || x.rank > TSR_VIEW_RANK || at.rank > TSR_VIEW_RANK || type->n > TSR_VIEW_RANK)
        return false;
    d = tsr_ints_at(g.map, 0);
    if (tsr_ints_at(g.dropped, 0) != d || (g.vector < at.rank && at.dims[g.vector] != 1))
        return false;
    bool first = true; /* no dimension before d */
    size_t n = 0, k = 0;
    order[n++] = d;
    for (int64_t i = 0; i < x.rank; i++) {
        if (tsr_ints_at(g.sizes, (size_t)i) != (i == d ? 1 : x.dims[i]))
            return false;
        first &= i >= d || x.dims[i] == 1;
        if (i != d)
            order[n++] = i;
    }
    if (!first && x.n > LARGER * tsr_type_num_elements(type))
        return false;
    for (int64_t i = 0; i < at.rank; i++)
        if (i != g.vector)
            dims[k++] = at.dims[i];
    tsr_xid rows = tsr_x_rows(b, op, tsr_x_permuted(b, op, table, order),
                              tsr_x_reshaped(b, op, places, dims, k));
    /* Dimensions of indices and of rows, in the order of the result. */
    int64_t place = 0, row = (int64_t)k;
    for (uint32_t i = 0; i < type->n; i++)
        order[i] = tsr_ints_has(g.window, i) ? row++ : place++;
    return tsr_x_give(b, op, 0, tsr_x_permuted(b, op, rows, order));
}

/* ---- Reductions ---- */

bool tsr_x_body_fold(const tsr_op *reduce, tsr_fold_op *fold)
{
    static const uint8_t folds[TSR_REDUCE__COUNT] = {
        [TSR_REDUCE_SUM] = TSR_FOLD_SUM, [TSR_REDUCE_PRODUCT] = TSR_FOLD_PRODUCT,
        [TSR_REDUCE_MIN] = TSR_FOLD_MIN, [TSR_REDUCE_MAX] = TSR_FOLD_MAX,
        [TSR_REDUCE_AND] = TSR_FOLD_AND, [TSR_REDUCE_OR] = TSR_FOLD_OR,
        [TSR_REDUCE_XOR] = TSR_FOLD_XOR,
    };
    tsr_reduce_kind kind = tsr_reducer_kind(&reduce->regions[0]);
    *fold = (tsr_fold_op)folds[kind];
    return kind != TSR_REDUCE_OTHER;
}

bool tsr_x_is_neutral(const tsr_xbuilder *b, const tsr_xvalue *init, uint8_t fold)
{
    uint64_t neutral = 0;
    if (init->place != TSR_PLACE_SPLAT)
        return false;
    tsr_dtype d = tsr_register_type((tsr_dtype)init->dtype);
    if (!b->p->target->fold((tsr_fold_op)fold, d))
        return false;
    uint64_t bits = 0;
    tsr_convert(d, &bits, (tsr_dtype)init->dtype, init->bits, 1);
    tsr_fold_neutral((tsr_fold_op)fold, d, &neutral);
    return bits == neutral || (fold == TSR_FOLD_SUM && tsr_x_is_negative_zero(init));
}

bool tsr_x_is_negative_zero(const tsr_xvalue *init)
{
    double x = 1;
    if (init->place == TSR_PLACE_SPLAT && tsr_dtype_is_float((tsr_dtype)init->dtype))
        tsr_convert(TSR_D_F64, &x, (tsr_dtype)init->dtype, init->bits, 1);
    return x == 0 && signbit(x);
}

/* A sum that begins with -0 differs from one that begins with 0 only when all its elements are -0: then the largest one
 * is. */
static tsr_xid sum_from_negative_zero(tsr_xbuilder *b, const tsr_op *op, tsr_xid v,
                                      const bool *gone, bool keep, tsr_dtype wide)
{
    tsr_xid sum = tsr_x_folded(b, op, v, gone, keep, TSR_FOLD_SUM, wide),
            most = tsr_x_folded(b, op, v, gone, keep, TSR_FOLD_MAX, wide);
    tsr_xid is_zero = tsr_x_compare(b, op, TSR_TILE_compare_eq, sum, tsr_x_number(b, op, wide, 0));
    return tsr_x_select(b, op, is_zero, tsr_x_apply2(b, op, TSR_TILE_minimum, sum, most), sum);
}

tsr_xid tsr_x_folded_from(tsr_xbuilder *b, const tsr_op *op, tsr_xid init, tsr_xid v,
                          const bool *gone, bool keep, tsr_fold_op fold)
{
    tsr_dtype d = tsr_xdtype_of(b, v), wide = tsr_register_type(d);
    bool signs = fold == TSR_FOLD_SUM && tsr_dtype_is_float(d),
         known = tsr_xvalue_at(b, init)->place == TSR_PLACE_SPLAT;
    if (signs && tsr_x_is_negative_zero(tsr_xvalue_at(b, init)))
        return tsr_x_as(b, op, sum_from_negative_zero(b, op, v, gone, keep, wide), d);
    if (tsr_x_is_neutral(b, tsr_xvalue_at(b, init), (uint8_t)fold))
        return tsr_x_folded(b, op, v, gone, keep, fold, d);
    v = signs && !known ? sum_from_negative_zero(b, op, v, gone, keep, wide)
                        : tsr_x_folded(b, op, v, gone, keep, fold, wide);
    v = tsr_x_apply2(b, op, tsr_x_fold_tile(fold), tsr_x_as(b, op, init, wide), v);
    return tsr_x_as(b, op, v, d);
}

/* Reduces pairs of a value and its index along the one reduced dimension: argmax and argmin. */
static bool reduce_pairs(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    tsr_reduce_kind kind = tsr_reducer_pick(&op->regions[0]);
    tsr_fold_op fold = kind == TSR_REDUCE_MAX ? TSR_FOLD_MAX : TSR_FOLD_MIN;
    tsr_xid x = tsr_x_in(b, op, 0), places = tsr_x_in(b, op, 1), best = TSR_XNONE;
    const tsr_xvalue *start = tsr_xvalue_at(b, tsr_x_in(b, op, 3));
    tsr_dtype at = (tsr_dtype)tsr_xvalue_at(b, places)->dtype;
    tsr_xshape view;
    if (kind == TSR_REDUCE_OTHER || tsr_attr_count(dims) != 1 || !tsr_dtype_is_int(at) ||
        tsr_dtype_bits(at) < 32 || start->place != TSR_PLACE_SPLAT || start->bits[0] ||
        !tsr_x_is_neutral(b, tsr_xvalue_at(b, tsr_x_in(b, op, 2)), (uint8_t)fold) ||
        tsr_xvalue_at(b, tsr_storage_of(b->p, places))->place != TSR_PLACE_IOTA ||
        !tsr_x_shape(b, places, &view) || view.offset)
        return false;
    size_t d = (size_t)tsr_attr_int_at(dims, 0);
    for (uint8_t i = 0; i < view.rank; i++)
        if (view.dims[i] != 1 && view.strides[i] != (i == d))
            return false;
    tsr_xid first = tsr_x_picked(b, op, x, places, d, fold, &best);
    return tsr_x_give(b, op, 0, best) && tsr_x_give(b, op, 1, first);
}

/* Reductions of no elements: results are the initial values, or have no elements either. */
static bool reduces_nothing(tsr_xbuilder *b, tsr_op *op)
{
    if (tsr_type_num_elements(op->in[0].value->type) != 0)
        return false;
    if (tsr_type_num_elements(op->out[0].type) == 0)
        return tsr_x_nothing(b, op);
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *type = op->out[i].type;
        tsr_xid v = tsr_x_in(b, op, op->nout + i);
        if (type->n > TSR_VIEW_RANK || tsr_xvalue_at(b, v)->type->elem != type->elem)
            return false;
        tsr_x_set(b, op, i, tsr_x_spread(b, op, v, type->dims, type->n));
    }
    return true;
}

bool exec_reduce(tsr_xbuilder *b, tsr_op *op)
{
    tsr_fold_op fold;
    if (reduces_nothing(b, op))
        return true;
    if (op->nin == 4 && reduce_pairs(b, op))
        return true;
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    bool gone[TSR_MAX_RANK] = {false};
    tsr_xid in = tsr_x_in(b, op, 0), init = tsr_x_in(b, op, 1);
    tsr_dtype d = (tsr_dtype)tsr_xvalue_at(b, in)->dtype;
    if (op->nin != 2 || !tsr_x_body_fold(op, &fold) ||
        (tsr_dtype_is_complex(d) && fold != TSR_FOLD_SUM))
        return tsr_x_reduce_by_body(b, op);
    if (b->p->strict && tsr_register_type(d) != d)
        return false;
    for (int64_t i = 0; i < tsr_attr_count(dims); i++)
        gone[tsr_attr_int_at(dims, (size_t)i)] = true;
    if (tsr_dtype_is_complex(d))
        return tsr_x_complex_sum(b, op, in, init, gone);
    return tsr_x_give(b, op, 0, tsr_x_folded_from(b, op, init, in, gone, false, fold));
}
