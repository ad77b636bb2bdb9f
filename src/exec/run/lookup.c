/* lookup.c - gathers of single elements, as ops of a loop.
 *
 * The indices of such a gather are operands like those of an elementwise op: what computes them and what reads the
 * elements run in one loop with it, and neither indices nor elements need to be in memory. Only the table is. */
#include "exec/run/lookup.h"

#include "exec/compile/value.h"
#include "exec/kernel/isa/isa.h"
#include "exec/run/run.h"

/* ---- From ops to nodes ---- */

enum {
    LEAST = 257
}; /* elements: smaller loops are lists of calls (short.c), which have no lookups */

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

bool tsr_x_lookup(tsr_xbuilder *b, tsr_op *op, tsr_xid table, tsr_xid index, int64_t vector,
                  const tsr_places_plan *given)
{
    tsr_places_plan p = *given;
    const tsr_xvalue *x = tsr_xvalue_at(b, table);
    tsr_dtype of = x->n <= INT32_MAX ? TSR_D_I32 : TSR_D_I64, type = (tsr_dtype)x->dtype;
    tsr_xid in[TSR_TILE_OPERANDS + 1];
    uint32_t nin = 0;
    if (b->p->apart || p.positions < LEAST || p.run != 1 || p.nouter ||
        p.nmap > TSR_TILE_OPERANDS || op->out[0].type->n > TSR_VIEW_RANK ||
        tsr_dtype_is_complex(type) || (tsr_dtype_bits(type) < 8 && type != TSR_D_I1))
        return false;
    for (uint8_t k = 0; k < p.nmap; k++) {
        tsr_xid v = tsr_x_component(b, op, index, vector, k);
        if (v == TSR_XNONE)
            return false;
        if (tsr_places_known(b, &p, v, k))
            continue;
        p.room[nin] = p.room[k];
        p.stride[nin] = p.stride[k];
        in[nin] = narrowed(b, op, v, p.room[k], of);
        if (in[nin++] == TSR_XNONE)
            return false;
    }
    p.nmap = (uint8_t)nin;
    in[nin++] = tsr_x_whole(b, table);
    tsr_node *n = tsr_x_node(b, TSR_NODE_TILE, op, in, nin, &op->out[0].type, 1);
    n->tile = TSR_TILE_LOOKUP;
    n->of = (uint8_t)of;
    n->places = tsr_arena_copy(&b->p->arena, &p, sizeof p);
    tsr_x_set(b, op, 0, n->out[0]);
    tsr_x_done(b, n);
    return true;
}

/* ---- Runs ---- */

/* Where the places of elements are counted from, if that is the same for rows of them. */
typedef struct {
    int64_t row;      /* elements; 0: there are no rows */
    int64_t at, next; /* where places of the row, and of the next one, are counted from */
    int64_t left;     /* elements of the row */
} one_place;

static one_place place_of(const tsr_xview *v, int64_t start)
{
    enum { LONG = 64 };
    int last = v->space.rank - 1;
    int64_t dim = v->space.dims[last], number = start / dim;
    one_place p = {.row = dim, .at = v->offset, .next = v->offset, .left = dim - start % dim};
    if (v->strides[last] != 0 || dim < LONG)
        return (one_place){0};
    for (int k = 0; k < 2; k++) {
        int64_t *to = k ? &p.next : &p.at, rest = number + k;
        for (int i = last - 1; i >= 0; rest /= v->space.dims[i--])
            *to += rest % v->space.dims[i] * v->strides[i];
    }
    return p;
}

/* Lets the kernel prefetch as large a part of what the next row may read as n elements are of a row. If they read all
 * of it at random, the machine does not see what comes next. */
static void set_next(tsr_lookup *l, const one_place *p, const char *table, int64_t reach)
{
    enum { DENSE = 4, LINE = 64 };
    l->next = table;
    l->lines = 0;
    if (!p->row || reach > DENSE * p->row || p->next == p->at)
        return;
    int64_t done = p->row - p->left, from = done * reach / p->row,
            end = (done + l->n) * reach / p->row;
    l->next = table + (p->next + from) * l->bytes;
    l->lines = ((end - from) * l->bytes + LINE - 1) / LINE;
}

void tsr_load_lookup(const tsr_run *r, const tsr_instr *o, int64_t start, int64_t n,
                     const void *const *in, char *to)
{
    enum { SOME = 512 };
    const tsr_node *node = &r->p->nodes.data[o->node];
    const tsr_places_plan *p = node->places;
    const char *table = tsr_run_at(r, node->in[node->nin - 1]);
    tsr_lookup l = {.dims = p->nmap,
                    .bytes = tsr_dtype_bytes((tsr_dtype)o->dtype),
                    .wide = o->from == TSR_D_I64};
    int64_t base[SOME], each = tsr_dtype_bytes((tsr_dtype)o->from), reach = 1;
    memcpy(l.room, p->room, sizeof l.room);
    memcpy(l.stride, p->stride, sizeof l.stride);
    for (uint8_t k = 0; k < p->nmap; k++)
        reach += p->room[k] * p->stride[k];
    for (int64_t done = 0; done < n; done += l.n) {
        one_place row = place_of(o->view, start + done);
        int64_t most = row.row ? row.left : SOME;
        l.n = n - done < most ? n - done : most;
        l.first = row.at;
        l.base = row.row ? NULL : base;
        set_next(&l, &row, table, reach);
        if (!row.row)
            tsr_load_view(o->view, (tsr_dtype)o->from, NULL, start + done, l.n, (char *)base);
        for (uint8_t k = 0; k < p->nmap; k++)
            l.index[k] = (const char *)in[k] + done * each;
        tsr_isa_now()->look_up(&l, table, to + done * l.bytes);
    }
}
