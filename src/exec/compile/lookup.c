/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c - gathers of single elements, or of windows of a few, as ops of a loop.
 *
 * The indices of such a gather are operands like those of an elementwise op: what computes them and what reads the
 * elements run in one loop with it, and neither indices nor elements need to be in memory. Only the table is. */
#include "exec/compile/lookup.h"

#include "dialect/params.h"
#include "exec/compile/value.h"
#include "exec/target.h"

enum {
    LEAST = 257, /* elements: smaller loops are lists of calls (short.c), which have no lookups */
    WORD = 4     /* bytes */
};

/* The concatenation along a dimension, in this block, that v is a result of; NULL: none. */
static const tsr_node *joined_along(const tsr_xbuilder *b, tsr_xid v, int64_t dim)
{
    const tsr_program *p = b->p;
    tsr_xid node = tsr_xvalue_at(b, v)->node;
    if (tsr_xvalue_at(b, v)->place == TSR_PLACE_VIEW || node == TSR_XNONE)
        return NULL;
    const tsr_node *n = &p->nodes.data[node];
    bool joins = n->kind == TSR_NODE_MOVE && n->move == TSR_MOVE_CONCATENATE &&
                 n->numbers[0] == dim && n->group != TSR_XNONE;
    return joins && p->groups.data[tsr_xgroup_find(p, n->group)].home == b->block ? n : NULL;
}

/* The count, or the number, that v is a copy of, made for a concatenation; v itself: it is none. */
static tsr_xid copied_from(const tsr_xbuilder *b, tsr_xid v)
{
    tsr_xid node = tsr_xvalue_at(b, v)->node;
    const tsr_node *n = node == TSR_XNONE ? NULL : &b->p->nodes.data[node];
    if (!n || n->kind != TSR_NODE_TILE || n->tile != TSR_TILE_CONVERT ||
        tsr_xdtype_of(b, n->in[0]) != tsr_xdtype_of(b, v))
        return v;
    const tsr_xvalue *s = tsr_xvalue_at(b, tsr_storage_of(b->p, n->in[0]));
    bool made_up = s->place == TSR_PLACE_IOTA || s->place == TSR_PLACE_SPLAT;
    return made_up && tsr_xvalue_at(b, n->in[0])->fence == TSR_XNONE ? n->in[0] : v;
}

tsr_xid tsr_x_component(tsr_xbuilder *b, const tsr_op *op, tsr_xid index, int64_t vector, int64_t k)
{
    index = copied_from(b, index);
    const tsr_node *n = joined_along(b, index, vector);
    for (uint32_t i = 0; n && i < n->nin; i++) {
        int64_t size = tsr_xvalue_at(b, n->in[i])->dims[vector];
        if (k < size)
            return tsr_x_component(b, op, n->in[i], vector, k);
        k -= size;
    }
    int64_t begin[TSR_VIEW_RANK] = {0}, step[TSR_VIEW_RANK], dims[TSR_VIEW_RANK];
    uint8_t rank = tsr_xvalue_at(b, index)->rank, kept = 0;
    if (rank > TSR_VIEW_RANK)
        return TSR_XNONE;
    memcpy(dims, tsr_xvalue_at(b, index)->dims, rank * sizeof *dims);
    for (uint8_t i = 0; i < rank; i++)
        step[i] = 1;
    if (vector < rank) {
        begin[vector] = k;
        dims[vector] = 1;
        index = tsr_x_sliced(b, op, index, begin, step, dims);
    }
    for (uint8_t i = 0; i < rank; i++)
        if (i != vector)
            dims[kept++] = dims[i];
    return index == TSR_XNONE ? index : tsr_x_reshaped(b, op, index, dims, kept);
}

bool tsr_places_known(const tsr_xbuilder *b, tsr_places_plan *p, tsr_xid v, uint8_t k)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v), *s = tsr_xvalue_at(b, tsr_storage_of(b->p, v));
    int64_t least, most;
    tsr_xshape at = {.rank = p->nloop};
    if (x->place == TSR_PLACE_SPLAT) {
        tsr_convert(TSR_D_I64, &at.offset, (tsr_dtype)x->dtype, x->bits, 1);
    } else if (s->place != TSR_PLACE_IOTA || x->rank != p->nloop || !tsr_x_shape(b, v, &at)) {
        return false;
    }
    least = most = at.offset;
    for (uint8_t i = 0; i < p->nloop; i++)
        *(at.strides[i] < 0 ? &least : &most) += (p->loop[i] - 1) * at.strides[i];
    if (least < 0 || most > p->room[k])
        return false;
    p->first += at.offset * p->stride[k];
    for (uint8_t i = 0; i < p->nloop; i++)
        p->whole_step[i] += at.strides[i] * p->stride[k];
    return true;
}

/* An index in the type that places have; numbers of other types that do not fit there are clamped first. */
static tsr_xid narrowed(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int64_t room, tsr_dtype to)
{
    tsr_dtype from = tsr_xdtype_of(b, v);
    bool is_signed = tsr_dtype_kind(from) == TSR_K_SINT;
    if (tsr_dtype_bits(from) + !is_signed <= tsr_dtype_bits(to))
        return tsr_x_as(b, op, v, to);
    v = tsr_x_apply2(b, op, TSR_TILE_minimum, v, tsr_x_integer(b, op, from, room));
    if (is_signed)
        v = tsr_x_apply2(b, op, TSR_TILE_maximum, v, tsr_x_integer(b, op, from, 0));
    return tsr_x_as(b, op, v, to);
}

/* The plan of a gather of windows of a few elements as one of single elements: dimensions of the window become dimensions
 * of the loop, in the order of the result. rest: the dimensions of the loop without those. False: it has other windows. */
static bool by_elements(const tsr_op *op, tsr_places_plan *p, int64_t *rest)
{
    enum { FEW = 8 };
    tsr_gather g;
    tsr_places_plan from = *p;
    int64_t elements = 1;
    for (uint8_t i = 0; i < p->nwindow; i++)
        elements *= p->window[i];
    if (elements > FEW || !tsr_gather_of(op, &g) || op->out[0].type->n > TSR_VIEW_RANK)
        return false;
    p->nloop = 0;
    p->positions *= elements;
    p->pairs = false;
    for (uint32_t d = 0, k = 0; d < op->out[0].type->n; d++) {
        uint8_t i = 0;
        while (i < from.nwindow && tsr_ints_at(g.window, i) != d)
            i++;
        bool in_window = i < from.nwindow;
        p->loop[d] = in_window ? from.window[i] : from.loop[k];
        p->whole_step[d] = in_window ? from.whole_stride[i] : from.whole_step[k];
        p->pairs = in_window && p->loop[d] % 2 == 0 && p->whole_step[d] == 1;
        rest[d] = in_window ? 1 : from.loop[k++];
        p->nloop++;
    }
    p->run = 1;
    p->nouter = p->nwindow = 0;
    return true;
}

/* An index for each element of the loop: the same for all elements of a window. */
static tsr_xid spread(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_places_plan *p,
                      const int64_t *rest)
{
    return tsr_x_spread(b, op, tsr_x_reshaped(b, op, v, rest, p->nloop), p->loop, p->nloop);
}

bool tsr_x_lookup(tsr_xbuilder *b, tsr_op *op, tsr_xid table, tsr_xid index, int64_t vector,
                  const tsr_places_plan *given)
{
    tsr_places_plan p = *given;
    int64_t rest[TSR_MAX_RANK];
    const tsr_xvalue *x = tsr_xvalue_at(b, table);
    tsr_dtype of = x->n <= INT32_MAX ? TSR_D_I32 : TSR_D_I64, type = (tsr_dtype)x->dtype;
    tsr_xid in[TSR_TILE_OPERANDS + 1];
    uint32_t nin = 0;
    if (!b->p->target->lookups_in_loops || !by_elements(op, &p, rest) || p.positions < LEAST ||
        p.nmap > TSR_TILE_OPERANDS || tsr_dtype_is_complex(type) ||
        (tsr_dtype_bits(type) < 8 && type != TSR_D_I1))
        return false;
    for (uint8_t k = 0; k < p.nmap; k++) {
        tsr_xid one = tsr_x_component(b, op, index, vector, k), v = spread(b, op, one, &p, rest);
        if (v == TSR_XNONE)
            return false;
        if (tsr_places_known(b, &p, v, k))
            continue;
        p.room[nin] = p.room[k];
        p.stride[nin] = p.stride[k];
        in[nin] = spread(b, op, narrowed(b, op, one, p.room[k], of), &p, rest);
        if (in[nin++] == TSR_XNONE)
            return false;
    }
    p.nmap = (uint8_t)nin;
    p.pairs &= tsr_dtype_bytes(type) == WORD;
    in[nin++] = tsr_x_whole(b, table);
    tsr_node *n = tsr_x_node(b, TSR_NODE_TILE, op, in, nin, &op->out[0].type, 1);
    n->tile = TSR_TILE_LOOKUP;
    n->of = (uint8_t)of;
    n->places = tsr_arena_copy(&b->p->arena, &p, sizeof p);
    tsr_x_set(b, op, 0, n->out[0]);
    tsr_x_done(b, n);
    return true;
}
