/* SPDX-License-Identifier: Apache-2.0 */
/* complex.c - ops on complex numbers as loops over their parts: EXEC hooks of real, imag and complex, elementwise ops,
 * products and sums.
 *
 * A part of a complex value is a view with stride 2. Results are interleaved from two parts. Divisions and functions
 * are in complex_math.c. */
#include "exec/compile/value.h"

static tsr_dtype part_type(tsr_dtype d)
{
    return d == TSR_D_C64 ? TSR_D_F32 : TSR_D_F64;
}

tsr_xid tsr_x_part(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int which)
{
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    tsr_dtype d = (tsr_dtype)x.dtype, to = part_type(d);
    tsr_xshape view;
    if (!tsr_dtype_is_complex(d))
        return which ? tsr_x_like(b, op, tsr_x_number(b, op, d, 0), v) : v;
    if (x.n <= 0 || !tsr_x_shape(b, v, &view))
        return TSR_XNONE;
    const tsr_node *n = x.node == TSR_XNONE ? NULL : &b->p->nodes.data[x.node];
    if (n && x.place != TSR_PLACE_VIEW && x.fence == TSR_XNONE && n->kind == TSR_NODE_MOVE &&
        n->move == TSR_MOVE_WEAVE)
        return n->in[which];
    tsr_type *elem = tsr_dtype_type(b->p->module->ctx, to);
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, x.dims, x.rank, elem, NULL);
    for (uint8_t i = 0; i < view.rank; i++)
        view.strides[i] *= 2;
    view.offset = 2 * view.offset + which;
    tsr_xid made = tsr_x_view(b, v, &view, type, op);
    tsr_xvalue *y = tsr_xvalue_at(b, made);
    if (y->place == TSR_PLACE_SPLAT) {
        uint32_t bytes = tsr_dtype_bytes(to);
        memset(y->bits, 0, sizeof y->bits);
        memcpy(y->bits, (const char *)x.bits + (uint32_t)which * bytes, bytes);
    }
    y->part = true;
    return made;
}

bool tsr_x_give_woven(tsr_xbuilder *b, tsr_op *op, tsr_xid re, tsr_xid im)
{
    tsr_type *type = op->out[0].type;
    tsr_dtype d = part_type(tsr_dtype_of(type->elem));
    tsr_xid in[2] = {tsr_x_as(b, op, re, d), tsr_x_as(b, op, im, d)};
    for (int i = 0; i < 2; i++) {
        if (in[i] == TSR_XNONE || type->n > TSR_VIEW_RANK)
            return false;
        in[i] = tsr_x_spread(b, op, in[i], type->dims, type->n);
        if (in[i] == TSR_XNONE)
            return false;
    }
    tsr_x_set(b, op, 0, tsr_x_move(b, op, TSR_MOVE_WEAVE, in, 2, NULL, 0, type));
    return true;
}

static bool give_part(tsr_xbuilder *b, tsr_op *op, int which)
{
    return tsr_x_give(b, op, 0, tsr_x_part(b, op, tsr_x_in(b, op, 0), which));
}

bool exec_real(tsr_xbuilder *b, tsr_op *op)
{
    return give_part(b, op, 0);
}

bool exec_imag(tsr_xbuilder *b, tsr_op *op)
{
    return give_part(b, op, 1);
}

bool exec_complex(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_type_num_elements(op->out[0].type) > 0 &&
           tsr_x_give_woven(b, op, tsr_x_in(b, op, 0), tsr_x_in(b, op, 1));
}

/* (a + bi) (c + di), with products in f64, as in the evaluator. */
static bool multiply(tsr_xbuilder *b, tsr_op *op, tsr_xid (*p)[2])
{
    tsr_xid product[2][2], x[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            x[i][k] = tsr_x_as(b, op, p[i][k], TSR_D_F64);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            product[i][k] = tsr_x_apply2(b, op, TSR_TILE_multiply, x[0][i], x[1][k]);
    return tsr_x_give_woven(b, op,
                            tsr_x_apply2(b, op, TSR_TILE_subtract, product[0][0], product[1][1]),
                            tsr_x_apply2(b, op, TSR_TILE_add, product[0][1], product[1][0]));
}

bool tsr_x_complex_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, const tsr_xid *in, uint32_t nin)
{
    tsr_xid p[3][2], made[2];
    bool chooses = tile == TSR_TILE_select;
    if (tsr_type_num_elements(op->out[0].type) <= 0 || nin > 3)
        return false;
    for (uint32_t i = 0; i < nin; i++)
        for (int k = 0; k < 2; k++)
            p[i][k] = chooses && !i ? in[0] : tsr_x_part(b, op, in[i], k);
    switch (tile) {
    case TSR_TILE_multiply: return multiply(b, op, p);
    case TSR_TILE_compare_eq:
    case TSR_TILE_compare_ne:
        for (int k = 0; k < 2; k++)
            made[k] = tsr_x_compare(b, op, tile, p[0][k], p[1][k]);
        return tsr_x_give(b, op, 0,
                          tsr_x_apply2(b, op,
                                       tile == TSR_TILE_compare_eq ? TSR_TILE_and : TSR_TILE_or,
                                       made[0], made[1]));
    case TSR_TILE_add:
    case TSR_TILE_subtract:
    case TSR_TILE_negate:
    case TSR_TILE_select:
        for (int k = 0; k < 2; k++)
            made[k] = chooses    ? tsr_x_select(b, op, p[0][k], p[1][k], p[2][k])
                      : nin == 1 ? tsr_x_apply1(b, op, tile, p[0][k])
                                 : tsr_x_apply2(b, op, tile, p[0][k], p[1][k]);
        return tsr_x_give_woven(b, op, made[0], made[1]);
    case TSR_TILE_CONVERT: return tsr_x_give_woven(b, op, p[0][0], p[0][1]);
    default: break;
    }
    made[1] = TSR_XNONE;
    if (!tsr_x_complex_function(b, op, tile, p, nin, made))
        return false;
    if (tsr_dtype_is_complex(tsr_dtype_of(op->out[0].type->elem)))
        return tsr_x_give_woven(b, op, made[0], made[1]);
    return tsr_x_give(b, op, 0, made[0]);
}

bool tsr_x_complex_product(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, const tsr_x_side *sides)
{
    tsr_dtype d = part_type(tsr_dtype_of(op->out[0].type->elem));
    tsr_xid p[2][2];
    if (tsr_type_num_elements(op->out[0].type) <= 0 ||
        tsr_xdtype_of(b, in[0]) != tsr_xdtype_of(b, in[1]))
        return false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            tsr_xid factors[2] = {tsr_x_part(b, op, in[0], i), tsr_x_part(b, op, in[1], k)};
            p[i][k] = tsr_x_product(b, op, factors, sides, d);
        }
    return tsr_x_give_woven(b, op, tsr_x_apply2(b, op, TSR_TILE_subtract, p[0][0], p[1][1]),
                            tsr_x_apply2(b, op, TSR_TILE_add, p[0][1], p[1][0]));
}

bool tsr_x_complex_sum(tsr_xbuilder *b, tsr_op *op, tsr_xid v, tsr_xid init, const bool *gone)
{
    tsr_xid sum[2];
    if (tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    for (int k = 0; k < 2; k++) {
        tsr_xid start = tsr_x_part(b, op, init, k);
        if (start == TSR_XNONE)
            return false;
        sum[k] =
            tsr_x_folded_from(b, op, start, tsr_x_part(b, op, v, k), gone, false, TSR_FOLD_SUM);
    }
    return tsr_x_give_woven(b, op, sum[0], sum[1]);
}
