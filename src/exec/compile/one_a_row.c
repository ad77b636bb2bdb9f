/* SPDX-License-Identifier: Apache-2.0 */
/* one_a_row.c - gathers and scatters of one element of each row, as ops of a loop: each element's place in its row is compared
 * with the row's index. This pays where the row is computed, or filled, anyway: it need not be in memory. */
#include "exec/compile/lookup.h"

#include <math.h>

#include "dialect/params.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* The dimension of whole that the only unknown component of the index selects from, if all other dimensions are, in order,
 * those of the loop; -1: others. index: receives that component. */
static int selected(tsr_xbuilder *b, const tsr_op *op, tsr_xid whole, tsr_xid all, int64_t vector,
                    const tsr_places_plan *given, tsr_xid *index)
{
    tsr_places_plan p = *given;
    const tsr_xvalue *x = tsr_xvalue_at(b, whole);
    int64_t stride = 0, size = 0, step = 1;
    int dim = -1, i = p.nloop - 1, known = 0;
    if (p.run != 1 || p.nouter || x->rank > TSR_VIEW_RANK || p.nloop > TSR_VIEW_RANK)
        return -1;
    for (uint8_t k = 0; k < p.nmap; k++) {
        tsr_xid v = tsr_x_component(b, op, all, vector, k);
        if (v == TSR_XNONE)
            return -1;
        if (tsr_places_known(b, &p, v, k)) {
            known++;
            continue;
        }
        *index = v;
        stride = p.stride[k];
        size = p.size[k];
    }
    if (known + 1 != p.nmap || p.first)
        return -1;
    for (int d = x->rank - 1; d >= 0; step *= x->dims[d--]) {
        if (dim < 0 && step == stride && x->dims[d] == size) {
            dim = d;
            continue;
        }
        while (i >= 0 && p.loop[i] == 1)
            i--;
        if (x->dims[d] == 1)
            continue;
        if (i < 0 || p.loop[i] != x->dims[d] || p.whole_step[i] != step)
            return -1;
        i--;
    }
    while (i >= 0 && p.loop[i] == 1)
        i--;
    return i < 0 ? dim : -1;
}

/* A value with an element for each row, in all elements of the rows. */
static tsr_xid over_rows(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims,
                         uint8_t rank, int dim)
{
    int64_t one[TSR_VIEW_RANK];
    memcpy(one, dims, rank * sizeof *dims);
    one[dim] = 1;
    return tsr_x_spread(b, op, tsr_x_reshaped(b, op, v, one, rank), dims, rank);
}

/* Whether the element of a row has the row's index. */
static tsr_xid is_selected(tsr_xbuilder *b, const tsr_op *op, tsr_xid index, const int64_t *dims,
                           uint8_t rank, int dim)
{
    tsr_dtype from = tsr_xdtype_of(b, index);
    bool is_signed = tsr_dtype_kind(from) == TSR_K_SINT;
    bool fits = tsr_dtype_bits(from) + !is_signed <= tsr_dtype_bits(TSR_D_I32);
    tsr_dtype of = fits && dims[dim] <= INT32_MAX ? TSR_D_I32 : TSR_D_I64;
    tsr_xid place = tsr_x_as(b, op, tsr_x_count(b, op, dims, rank, (size_t)dim), of);
    tsr_xid wanted = over_rows(b, op, tsr_x_as(b, op, index, of), dims, rank, dim);
    return tsr_x_compare(b, op, TSR_TILE_compare_eq, place, wanted);
}

bool tsr_x_scatter_one(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                       const tsr_places_plan *p)
{
    int64_t dims[TSR_VIEW_RANK];
    tsr_xid index = TSR_XNONE;
    if (!b->p->target->compares_places ||
        tsr_xvalue_at(b, tsr_storage_of(b->p, in[0]))->place != TSR_PLACE_SPLAT)
        return false;
    int dim = selected(b, op, in[0], in[1], vector, p, &index);
    if (dim < 0)
        return false;
    uint8_t rank = tsr_xvalue_at(b, in[0])->rank;
    memcpy(dims, tsr_xvalue_at(b, in[0])->dims, rank * sizeof *dims);
    tsr_xid is = is_selected(b, op, index, dims, rank, dim);
    tsr_xid update = over_rows(b, op, in[2], dims, rank, dim);
    if (p->joins)
        update = tsr_x_apply2(b, op, p->tile, in[0], update);
    return tsr_x_give(b, op, 0, tsr_x_select(b, op, is, update, in[0]));
}

bool tsr_x_gather_one(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                      const tsr_places_plan *p)
{
    int64_t dims[TSR_VIEW_RANK];
    bool gone[TSR_VIEW_RANK] = {false};
    tsr_xid index = TSR_XNONE;
    const tsr_xvalue *x = tsr_xvalue_at(b, in[0]);
    tsr_dtype d = (tsr_dtype)x->dtype;
    bool computed = x->place == TSR_PLACE_NOWHERE && x->node != TSR_XNONE &&
                    b->p->nodes.data[x->node].kind == TSR_NODE_TILE;
    if (!b->p->target->compares_places || !computed || !tsr_dtype_is_float(d) ||
        tsr_x_in(b, op, 0) != in[0])
        return false;
    int dim = selected(b, op, in[0], in[1], vector, p, &index);
    if (dim < 0 || dim + 1 != x->rank || x->dims[dim] > b->p->target->staged_row)
        return false;
    uint8_t rank = x->rank;
    memcpy(dims, x->dims, rank * sizeof *dims);
    gone[dim] = true;
    tsr_dtype of = tsr_xdtype_of(b, index);
    index = tsr_x_apply2(b, op, TSR_TILE_minimum, index, tsr_x_integer(b, op, of, dims[dim] - 1));
    if (tsr_dtype_kind(of) == TSR_K_SINT)
        index = tsr_x_apply2(b, op, TSR_TILE_maximum, index, tsr_x_integer(b, op, of, 0));
    tsr_xid is = is_selected(b, op, index, dims, rank, dim);
    tsr_xid others = tsr_x_like(b, op, tsr_x_number(b, op, d, -INFINITY), in[0]);
    tsr_xid row = tsr_x_select(b, op, is, in[0], others);
    return tsr_x_give(b, op, 0, tsr_x_folded(b, op, row, gone, false, TSR_FOLD_MAX, d));
}
