/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c - select_and_scatter: its EXEC hook. */
#include "dialect/params.h"
#include "dialect/reducer.h"
#include "dialect/stablehlo/cases.h"
#include "exec/compile/value.h"

/* The comparison kernel of a body that compares its arguments, in order; TSR_TILE__COUNT: it does something else. */
static uint8_t comparison(const tsr_region *region)
{
    const tsr_block *body = region->first;
    const tsr_op *op = body ? body->first : NULL;
    if (!op || body->next || body->nargs != 2 || !tsr_op_is(op, TSR_OP_STABLEHLO_COMPARE) ||
        !op->next || op->next->nin != 1 || op->next->in[0].value != &op->out[0] ||
        op->in[0].value != body->args[0] || op->in[1].value != body->args[1])
        return TSR_TILE__COUNT;
    uint8_t tile = tsr_x_comparison(op);
    bool orders = tile == TSR_TILE_compare_ge || tile == TSR_TILE_compare_gt ||
                  tile == TSR_TILE_compare_le || tile == TSR_TILE_compare_lt;
    return orders ? tile : TSR_TILE__COUNT;
}

/* The type in which elements are compared and summed: integers in 64 bits, whose low bits are those of any width. */
static tsr_dtype working_type(tsr_dtype d)
{
    tsr_dtype wide = tsr_register_type(d);
    if (wide == TSR_D_F32 || wide == TSR_D_F64)
        return wide;
    return tsr_dtype_kind(d) == TSR_K_SINT   ? TSR_D_I64
           : tsr_dtype_kind(d) == TSR_K_UINT ? TSR_D_U64
                                             : TSR_D_NONE;
}

bool exec_select_and_scatter(tsr_xbuilder *b, tsr_op *op)
{
    tsr_window given;
    int64_t numbers[1 + 3 * TSR_VIEW_RANK];
    tsr_xid in[3] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1), tsr_x_in(b, op, 2)};
    const tsr_xvalue x = *tsr_xvalue_at(b, in[0]), from = *tsr_xvalue_at(b, in[1]);
    tsr_dtype wide = working_type((tsr_dtype)x.dtype);
    bool narrow = tsr_dtype_is_float(wide) && wide != (tsr_dtype)x.dtype;
    numbers[0] = comparison(&op->regions[0]);
    if (numbers[0] == TSR_TILE__COUNT || tsr_reducer_kind(&op->regions[1]) != TSR_REDUCE_SUM ||
        x.n <= 0 || from.n <= 0 || x.rank > TSR_VIEW_RANK || x.rank != from.rank ||
        x.type->elem != from.type->elem || op->out[0].type->elem != x.type->elem ||
        op->regions[0].first->args[0]->type->elem != x.type->elem || wide == TSR_D_NONE ||
        (narrow && b->p->strict) || !tsr_window_of(op, &given))
        return false;
    for (uint8_t i = 0; i < x.rank; i++) {
        const int64_t most = (int64_t)1 << 30;
        int64_t size = tsr_ints_or(given.sizes, i, 1), stride = tsr_window_stride(&given, i);
        int64_t low = tsr_window_low(&given, i), high = tsr_window_high(&given, i);
        if (size < 1 || size > most || stride < 1 || stride > most || low < -most || low > most ||
            high < -most || high > most || x.dims[i] > most ||
            (x.dims[i] + low + high - size) / stride + 1 != from.dims[i])
            return false;
        numbers[1 + i] = size;
        numbers[1 + x.rank + i] = stride;
        numbers[1 + 2 * x.rank + i] = low;
    }
    for (int i = 0; i < 3; i++)
        in[i] = tsr_x_whole(b, tsr_x_as(b, op, in[i], wide));
    return tsr_x_give(
        b, op, 0,
        tsr_x_moved(b, op, TSR_MOVE_PICK, in, 3, numbers, 1 + 3u * x.rank, x.dims, x.rank));
}
