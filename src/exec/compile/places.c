/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - gather and scatter: their EXEC hooks. */
#include "exec/places.h"

#include "dialect/params.h"
#include "dialect/reducer.h"
#include "exec/compile/lookup.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* Row-major strides of a shape. */
static void set_strides(const tsr_xvalue *x, int64_t *out)
{
    int64_t n = 1;
    for (int i = x->rank; i-- > 0; n *= x->dims[i])
        out[i] = n;
}

static void set_window(tsr_places_plan *p, const tsr_gather *g, const tsr_xvalue *whole,
                       const tsr_xvalue *part, const int64_t *whole_at, const int64_t *part_at)
{
    for (int64_t d = 0, i = 0; d < whole->rank; d++) {
        bool kept = tsr_gather_keeps(g, d);
        int64_t in = kept ? tsr_ints_at(g->window, (size_t)i++) : 0, n = kept ? part->dims[in] : 1;
        int8_t of = -1;
        for (size_t k = 0; k < g->map.n; k++)
            if (tsr_ints_at(g->map, k) == d) {
                of = (int8_t)k;
                p->size[k] = whole->dims[d];
                p->room[k] = whole->dims[d] - n;
                p->stride[k] = whole_at[d];
            }
        if (!kept)
            continue;
        p->window[p->nwindow] = n;
        p->part_stride[p->nwindow] = part_at[in];
        p->whole_stride[p->nwindow] = whole_at[d];
        p->of[p->nwindow++] = of;
    }
    p->run = 1;
    p->nouter = p->nwindow;
    while (p->nouter &&
           (p->window[p->nouter - 1] == 1 ||
            (p->part_stride[p->nouter - 1] == p->run && p->whole_stride[p->nouter - 1] == p->run)))
        p->run *= p->window[--p->nouter];
}

/* Makes the plan of a gather or scatter; false: it is empty, or has too many dimensions. */
static bool make_plan(tsr_places_plan *p, const tsr_gather *g, const tsr_xvalue *whole,
                      const tsr_xvalue *index, const tsr_xvalue *part)
{
    int64_t whole_at[TSR_MAX_RANK], index_at[TSR_MAX_RANK], part_at[TSR_MAX_RANK];
    if (whole->n <= 0 || index->n <= 0 || part->n <= 0 ||
        !tsr_dtype_is_int((tsr_dtype)index->dtype))
        return false;
    *p = (tsr_places_plan){.positions = 1, .nmap = (uint8_t)g->map.n};
    set_strides(whole, whole_at);
    set_strides(index, index_at);
    set_strides(part, part_at);
    p->vector_step = g->vector < index->rank ? index_at[g->vector] : 0;
    int64_t at = 0; /* dimensions of part outside the window are, in order, those of the index */
    for (int64_t d = 0; d < index->rank; d++) {
        if (d == g->vector)
            continue;
        while (tsr_ints_has(g->window, at))
            at++;
        uint8_t i = p->nloop++;
        p->loop[i] = index->dims[d];
        p->positions *= index->dims[d];
        p->index_step[i] = index_at[d];
        p->part_step[i] = part_at[at++];
        for (size_t k = 0; k < g->index_batch.n; k++)
            if (tsr_ints_at(g->index_batch, k) == d)
                p->whole_step[i] = whole_at[tsr_ints_at(g->batch, k)];
    }
    set_window(p, g, whole, part, whole_at, part_at);
    for (uint8_t k = 0; k < p->nmap; k++)
        if (p->room[k] < 0)
            return false;
    return true;
}

static bool make_node(tsr_xbuilder *b, tsr_op *op, tsr_move_kind kind, const tsr_xid *given,
                      uint32_t nin, const tsr_places_plan *plan)
{
    tsr_xid in[3];
    for (uint32_t i = 0; i < nin; i++)
        in[i] = tsr_x_whole(b, given[i]);
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, in, nin, &op->out[0].type, 1);
    n->move = (uint8_t)kind;
    n->over = kind == TSR_MOVE_SCATTER;
    n->places = tsr_arena_copy(&b->p->arena, plan, sizeof *plan);
    tsr_x_set(b, op, 0, n->out[0]);
    tsr_x_done(b, n);
    return true;
}

bool exec_gather(tsr_xbuilder *b, tsr_op *op)
{
    tsr_gather g;
    tsr_places_plan p;
    if (tsr_x_repeats(b, op))
        return true;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    tsr_xvalue part = {.dims = op->out[0].type->dims,
                       .rank = (uint8_t)op->out[0].type->n,
                       .n = tsr_type_num_elements(op->out[0].type)};
    bool ok = tsr_gather_of(op, &g) &&
              make_plan(&p, &g, tsr_xvalue_at(b, in[0]), tsr_xvalue_at(b, in[1]), &part);
    if ((ok && (tsr_x_gather_one(b, op, in, g.vector, &p) ||
                tsr_x_lookup(b, op, in[0], in[1], g.vector, &p))) ||
        tsr_x_gather_rows(b, op))
        return true;
    return ok && make_node(b, op, TSR_MOVE_GATHER, in, 2, &p);
}

bool tsr_x_scatter_elements(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                            const tsr_places_plan *given)
{
    tsr_places_plan p = *given;
    tsr_xid all[TSR_MAX_RANK + 2];
    uint32_t n = 2;
    if (!b->p->target->move(TSR_MOVE_ELEMENTS, tsr_xdtype_of(b, in[0])) || p.run != 1 || p.nouter ||
        p.nloop > TSR_VIEW_RANK)
        return false;
    for (uint8_t k = 0; k < p.nmap; k++) {
        tsr_xid v = tsr_x_component(b, op, in[1], vector, k);
        if (v == TSR_XNONE)
            return false;
        if (tsr_places_known(b, &p, v, k))
            continue;
        p.room[n - 2] = p.room[k];
        p.stride[n - 2] = p.stride[k];
        bool seen = tsr_xvalue_at(b, v)->place == TSR_PLACE_VIEW;
        all[n++] = seen ? v : tsr_x_whole(b, v);
    }
    p.nmap = (uint8_t)(n - 2);
    all[0] = tsr_x_whole(b, in[0]);
    all[1] = tsr_xvalue_at(b, in[2])->place == TSR_PLACE_SPLAT ? in[2] : tsr_x_whole(b, in[2]);
    tsr_node *node = tsr_x_node(b, TSR_NODE_MOVE, op, all, n, &op->out[0].type, 1);
    node->move = TSR_MOVE_ELEMENTS;
    node->over = 1;
    node->places = tsr_arena_copy(&b->p->arena, &p, sizeof p);
    tsr_x_set(b, op, 0, node->out[0]);
    tsr_x_done(b, node);
    return true;
}

/* Whether a body subtracts its second argument from the first: as updates are combined in order, it need not be a
 * fold. */
static bool subtracts(const tsr_region *region)
{
    const tsr_block *body = region->first;
    const tsr_op *op = body ? body->first : NULL;
    return op && !body->next && body->nargs == 2 && op->nin == 2 && op->next &&
           op->next->nin == 1 && op->next->in[0].value == &op->out[0] &&
           op->in[0].value == body->args[0] && op->in[1].value == body->args[1] &&
           tsr_x_tile_of(op) == TSR_TILE_subtract + 1;
}

bool exec_scatter(tsr_xbuilder *b, tsr_op *op)
{
    tsr_gather g;
    tsr_places_plan p;
    tsr_reducer r;
    tsr_fold_op fold = TSR_FOLD_SUM;
    if (op->nin != 3 || op->nout != 1 || !tsr_gather_of(op, &g))
        return false;
    tsr_xid in[3] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1), tsr_x_in(b, op, 2)};
    tsr_dtype d = tsr_xdtype_of(b, in[0]);
    bool joins = tsr_x_body_fold(op, &fold), less = !joins && subtracts(&op->regions[0]);
    uint8_t tile = less ? TSR_TILE_subtract : tsr_x_fold_tile(fold);
    joins |= less;
    if (tsr_xdtype_of(b, in[2]) != d || tsr_dtype_of(op->out[0].type->elem) != d ||
        (!joins && (tsr_reducer_of(&op->regions[0], 1, 0, &r) || !r.second)) ||
        (joins && !tsr_target_joins(b->p->target, tile, d)) ||
        !make_plan(&p, &g, tsr_xvalue_at(b, in[0]), tsr_xvalue_at(b, in[1]),
                   tsr_xvalue_at(b, in[2])))
        return false;
    p.joins = joins;
    p.tile = tile;
    return tsr_x_scatter_one(b, op, in, g.vector, &p) ||
           tsr_x_scatter_elements(b, op, in, g.vector, &p) ||
           make_node(b, op, TSR_MOVE_SCATTER, in, 3, &p);
}
