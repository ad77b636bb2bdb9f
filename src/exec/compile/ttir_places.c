/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_places.c - EXEC hooks of TTIR's ops on caches, and of gathers.
 *
 * The result of an op that changes a cache replaces the operand from there on; it is computed in the operand's buffer
 * where that dies. */
#include "dialect/params.h"
#include "dialect/ttir/shape.h"
#include "exec/compile/value.h"
#include "exec/places.h"

static const tsr_xvalue *in_at(const tsr_xbuilder *b, const tsr_op *op, uint32_t i)
{
    return tsr_xvalue_at(b, tsr_x_in(b, op, i));
}

/* A gather or scatter with this plan; operands become row major. */
static tsr_xid placed(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *given,
                      uint32_t nin, const tsr_places_plan *plan, tsr_type *type)
{
    tsr_xid in[3];
    for (uint32_t i = 0; i < nin; i++)
        if ((in[i] = given[i]) == TSR_XNONE)
            return TSR_XNONE;
    for (uint32_t i = 0; i < nin; i++)
        in[i] = tsr_x_whole(b, in[i]);
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, in, nin, &type, 1);
    n->move = (uint8_t)kind;
    n->over = kind == TSR_MOVE_SCATTER;
    n->places = tsr_arena_copy(&b->p->arena, plan, sizeof *plan);
    tsr_xid made = n->out[0];
    tsr_x_done(b, n);
    return made;
}

/* ---- Caches ---- */

static bool replace_cache(tsr_xbuilder *b, const tsr_op *op, tsr_xid made)
{
    if (made == TSR_XNONE)
        return false;
    b->of[op->in[0].value->id] = made;
    return true;
}

/* Only where the input is known to fit; otherwise the reference reports the error. */
bool exec_ttir_fill_cache(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid old = tsr_x_in(b, op, 0);
    tsr_xvalue cache = *tsr_xvalue_at(b, old), x = *in_at(b, op, 1);
    int64_t at[4] = {tt_int(op, TTIR_FILL_CACHE_batch_offset, 0), 0, 0, 0};
    if (cache.rank != 4 || x.rank != 4 || x.n <= 0 || at[0] < 0 ||
        at[0] + x.dims[0] > cache.dims[0] || x.dims[1] != cache.dims[1] ||
        x.dims[2] > cache.dims[2] || x.dims[3] != cache.dims[3])
        return false;
    tsr_xid in[2] = {old, tsr_x_as(b, op, tsr_x_in(b, op, 1), (tsr_dtype)cache.dtype)};
    return replace_cache(b, op,
                         tsr_x_moved(b, op, TSR_MOVE_UPDATE_SLICE, in, 2, at, 4, cache.dims, 4));
}

/* All users at one position: the new rows are a box of the cache. */
static tsr_xid update_box(tsr_xbuilder *b, const tsr_op *op, tsr_xid old, tsr_xid x, tsr_xid where,
                          int64_t first)
{
    static const int64_t order[4] = {2, 1, 0, 3};
    tsr_xid in[6] = {old,
                     tsr_x_permuted(b, op, x, order),
                     tsr_x_integer(b, op, TSR_D_I64, first),
                     tsr_x_integer(b, op, TSR_D_I64, 0),
                     tsr_x_reshaped(b, op, where, NULL, 0),
                     tsr_x_integer(b, op, TSR_D_I64, 0)};
    return tsr_x_moved(b, op, TSR_MOVE_UPDATE_SLICE, in, 6, NULL, 0, tsr_xvalue_at(b, old)->dims,
                       4);
}

/* Each user at its own position. Positions are counted from the first user's rows on. */
static tsr_xid update_each(tsr_xbuilder *b, const tsr_op *op, tsr_xid old, tsr_xid x, tsr_xid where,
                           int64_t first)
{
    tsr_xvalue cache = *tsr_xvalue_at(b, old);
    int64_t heads = cache.dims[1], rows = cache.dims[2], row = cache.dims[3],
            users = tsr_xvalue_at(b, x)->dims[2];
    tsr_places_plan p = {.positions = users, .nloop = 1, .nmap = 1, .nwindow = 2, .nouter = 1};
    p.loop[0] = users;
    p.index_step[0] = 1;
    p.part_step[0] = row;
    p.whole_step[0] = heads * rows * row;
    p.size[0] = first * heads * rows + rows;
    p.room[0] = p.size[0] - 1;
    p.stride[0] = p.window[1] = p.run = row;
    p.window[0] = heads;
    p.part_stride[0] = users * row;
    p.whole_stride[0] = rows * row;
    p.part_stride[1] = p.whole_stride[1] = 1;
    p.of[0] = p.of[1] = -1;
    where = tsr_x_as(b, op, tsr_x_reshaped(b, op, where, &users, 1), TSR_D_I64);
    if (first)
        where = tsr_x_apply2(b, op, TSR_TILE_add, where,
                             tsr_x_integer(b, op, TSR_D_I64, first * heads * rows));
    tsr_xid in[3] = {old, where, x};
    return placed(b, op, TSR_MOVE_SCATTER, in, 3, &p, cache.type);
}

/* cache[first + b, h, at, :] = input[0, h, b, :]; at: one position for all users, or one for each. */
bool exec_ttir_update_cache(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid old = tsr_x_in(b, op, 0), where = tsr_x_in(b, op, 2);
    tsr_xvalue cache = *tsr_xvalue_at(b, old), x = *in_at(b, op, 1), at = *tsr_xvalue_at(b, where);
    int64_t first = tt_int(op, TTIR_UPDATE_CACHE_batch_offset, 0);
    if (cache.rank != 4 || x.rank != 4 || cache.n <= 0 || x.n <= 0 || x.dims[0] != 1 || first < 0 ||
        first + x.dims[2] > cache.dims[0] || x.dims[1] != cache.dims[1] ||
        x.dims[3] != cache.dims[3] || !tsr_dtype_is_int((tsr_dtype)at.dtype) ||
        (at.n != 1 && at.n != x.dims[2]) || at.rank > TSR_VIEW_RANK)
        return false;
    tsr_xid rows = tsr_x_as(b, op, tsr_x_in(b, op, 1), (tsr_dtype)cache.dtype);
    if (rows == TSR_XNONE)
        return false;
    tsr_x_check(b, op, TSR_CHECK_CACHE, where, cache.dims[2]);
    return replace_cache(b, op,
                         at.n == 1 ? update_box(b, op, old, rows, where, first)
                                   : update_each(b, op, old, rows, where, first));
}

/* ---- Gathers ---- */

/* With StableHLO's dimension numbers, which the verifier has not checked: only rows of a table. */
static bool gather_rows(tsr_xbuilder *b, tsr_op *op)
{
    tsr_gather g;
    const tsr_type *x = op->in[0].value->type, *index = op->in[1].value->type,
                   *type = op->out[0].type;
    if (!tsr_gather_of(op, &g) || g.sizes.n != x->n || g.map.n != 1 || g.window.n + 1 != x->n ||
        tsr_ints_at(g.map, 0) < 0 || tsr_ints_at(g.map, 0) >= x->n || g.vector < 0 ||
        g.vector > index->n || type->n != g.window.n + index->n - (g.vector < index->n))
        return false;
    return tsr_x_gather_rows(b, op);
}

/* Each result element has its own position, except along dim, where it is the index. */
static tsr_xid gather_along(tsr_xbuilder *b, tsr_op *op, size_t dim)
{
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    tsr_xvalue x = *tsr_xvalue_at(b, in[0]), index = *tsr_xvalue_at(b, in[1]);
    tsr_xshape from, at;
    tsr_places_plan p = {.positions = index.n, .nloop = index.rank, .nmap = 1, .run = 1};
    if (!tsr_xshape_whole(&from, x.dims, x.rank) || !tsr_xshape_whole(&at, index.dims, index.rank))
        return TSR_XNONE;
    for (uint8_t i = 0; i < x.rank; i++) {
        if (i != dim && index.dims[i] > x.dims[i])
            return TSR_XNONE;
        p.loop[i] = index.dims[i];
        p.index_step[i] = p.part_step[i] = at.strides[i];
        p.whole_step[i] = i == dim ? 0 : from.strides[i];
    }
    p.size[0] = x.dims[dim];
    p.room[0] = x.dims[dim] - 1;
    p.stride[0] = from.strides[dim];
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, index.dims, index.rank, x.type->elem, NULL);
    return placed(b, op, TSR_MOVE_GATHER, in, 2, &p, type);
}

bool exec_ttir_gather(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_xvalue *x = in_at(b, op, 0), *index = in_at(b, op, 1);
    size_t dim;
    if (x->n <= 0 || index->n <= 0 || !tsr_dtype_is_int((tsr_dtype)index->dtype))
        return false;
    if (!op->attrs[TTIR_GATHER_dim])
        return gather_rows(b, op);
    return x->rank == index->rank && x->rank <= TSR_VIEW_RANK &&
           tt_dim(tt_int(op, TTIR_GATHER_dim, 0), x->rank, &dim) &&
           tsr_x_give(b, op, 0, gather_along(b, op, dim));
}
