/* SPDX-License-Identifier: Apache-2.0 */
/* turn.c - computes products in the order in which they are read.
 *
 * A product that is only read through a copy, in another order, writes that copy itself. Its sides are swapped where it
 * is read transposed, as gradients of weights mostly are. Rows of the matrices of a batch, such as the heads of an
 * attention, may be written between each other's. If only a part of the rows or columns stays together in the copy, as
 * tokens of one sequence or one group of heads, the rest becomes a part of the batch. */
#include "exec/batch.h"
#include "exec/program.h"
#include "exec/target.h"

/* ---- Layouts ---- */

enum { BATCH, ROW, COL };
enum { MOST_DIMS = TSR_BATCH_RANK + 2, MOST_PIECES = 2 * MOST_DIMS };

/* A dimension of a product: of its batch, its rows or its columns. */
typedef struct {
    int role;
    tsr_batch_dim of; /* with the strides of the result that the product has now */
} dim;

/* A part of a dimension: every step-th index, size of them; to: its stride in the copy. */
typedef struct {
    int dim;
    int64_t step, size, to;
} piece;

typedef struct {
    dim dims[MOST_DIMS];
    piece pieces[MOST_PIECES];
    int ndim, npiece;
    /* The pieces that are rows and columns of the matrices; -1: one row, or one column. */
    int row, col;
} layout;

static void set_dims(layout *l, const tsr_contract *c)
{
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    tsr_batch_dim batch[TSR_BATCH_RANK];
    l->ndim = tsr_batch_dims(c, batch);
    for (int i = 0; i < l->ndim; i++)
        l->dims[i] = (dim){BATCH, batch[i]};
    l->dims[l->ndim++] = (dim){ROW, {a->rest, {a->rest_stride, 0, c->to_row}}};
    l->dims[l->ndim++] = (dim){COL, {b->rest, {0, b->rest_stride, 1}}};
}

/* Cuts a dimension of the copy into pieces of the product's dimensions. */
static bool cut(layout *l, int64_t left, int64_t stride, int64_t *to)
{
    while (left > 1) {
        int i = 0;
        while (i < l->ndim && (stride < l->dims[i].of.stride[TSR_OF_C] ||
                               stride >= l->dims[i].of.stride[TSR_OF_C] * l->dims[i].of.size))
            i++;
        if (i == l->ndim || l->npiece == MOST_PIECES)
            return false;
        const tsr_batch_dim *d = &l->dims[i].of;
        int64_t step = stride / d->stride[TSR_OF_C], most = d->size / step;
        int64_t size = left < most ? left : most;
        if (stride % d->stride[TSR_OF_C] || d->size % step || left % size || most % size)
            return false;
        l->pieces[l->npiece++] = (piece){i, step, size, *to};
        *to *= size;
        left /= size;
        stride *= size;
    }
    return true;
}

/* Whether the pieces make up each dimension. */
static bool is_whole(const layout *l)
{
    for (int i = 0; i < l->ndim; i++) {
        int64_t done = 1;
        for (int k = 0; k < l->npiece && done < l->dims[i].of.size; k++)
            if (l->pieces[k].dim == i && l->pieces[k].step == done) {
                done *= l->pieces[k].size;
                k = -1;
            }
        if (done != l->dims[i].of.size)
            return false;
    }
    return true;
}

/* Chooses rows and columns of the matrices: the contiguous piece, and the largest one of the other role. False: the
 * batch is contiguous, or the matrices would be too small. */
static bool choose(const tsr_program *p, layout *l, int64_t depth)
{
    int others = 0;
    l->row = l->col = -1;
    for (int i = 0; i < l->npiece; i++) {
        int role = l->dims[l->pieces[i].dim].role, *best = role == ROW ? &l->row : &l->col;
        if (role == BATCH && l->pieces[i].to == 1)
            return false;
        if (role == BATCH)
            continue;
        others += *best >= 0;
        if (*best < 0 || (l->pieces[*best].to != 1 && l->pieces[i].size > l->pieces[*best].size))
            *best = i;
    }
    return !others ||
           (l->row >= 0 && l->col >= 0 &&
            p->target->batch_pays(l->pieces[l->row].size, l->pieces[l->col].size, depth));
}

/* The layout of a copy of v, all elements of a product in another order; false: the product cannot be computed so. */
static bool find_layout(const tsr_program *p, const tsr_xvalue *v, const tsr_contract *c, layout *l)
{
    tsr_xview view = tsr_xview_of(v->view);
    view = tsr_xview_join(&view);
    int64_t to = 1;
    *l = (layout){0};
    set_dims(l, c);
    for (int i = view.space.rank; i-- > 0;)
        if (!cut(l, view.space.dims[i], view.strides[i], &to))
            return false;
    return !view.offset && is_whole(l) && choose(p, l, c->side[0].contract);
}

/* ---- Turning ---- */

/* A piece as a dimension of the batch. */
static tsr_batch_dim as_batch(const layout *l, int i)
{
    const piece *x = &l->pieces[i];
    tsr_batch_dim out = {x->size, {0, 0, x->to}};
    for (int side = 0; side < 2; side++)
        out.stride[side] = l->dims[x->dim].of.stride[side] * x->step;
    return out;
}

/* The piece of a dimension with the longest steps that are shorter than a limit; -1: none. */
static int longest(const layout *l, int dim, int64_t limit)
{
    int best = -1;
    for (int i = 0; i < l->npiece; i++)
        if (l->pieces[i].dim == dim && l->pieces[i].step < limit &&
            (best < 0 || l->pieces[i].step > l->pieces[best].step))
            best = i;
    return best;
}

/* The dimensions of the batch: in the order of the product's, so that another product finds its rows in the same order;
 * then parts of rows and columns. */
static int batch_of(const layout *l, tsr_batch_dim *out)
{
    int n = 0;
    for (int i = 0; i < l->ndim; i++)
        for (int k = longest(l, i, INT64_MAX); k >= 0; k = longest(l, i, l->pieces[k].step))
            if (k != l->row && k != l->col)
                out[n++] = as_batch(l, k);
    return n;
}

/* The product as it is computed in a layout. False: its batch would have too many dimensions. */
static bool turned(tsr_program *p, const tsr_contract *c, const layout *l, tsr_contract *out)
{
    tsr_batch_dim batch[MOST_PIECES];
    bool swap = l->col >= 0 && l->pieces[l->col].to != 1;
    *out = *c;
    const int lines[2] = {l->row, l->col};
    for (int i = 0; i < 2; i++) {
        out->side[i].rest = lines[i] < 0 ? 1 : l->pieces[lines[i]].size;
        if (lines[i] >= 0)
            out->side[i].rest_stride *= l->pieces[lines[i]].step;
    }
    int apart = swap ? l->col : l->row, n = batch_of(l, batch);
    out->to_row = apart < 0 ? out->side[!swap].rest : l->pieces[apart].to;
    if (swap) {
        tsr_contract_side side = out->side[0];
        out->side[0] = out->side[1];
        out->side[1] = side;
    }
    for (int i = 0; i < n && swap; i++) {
        int64_t stride = batch[i].stride[TSR_OF_A];
        batch[i].stride[TSR_OF_A] = batch[i].stride[TSR_OF_B];
        batch[i].stride[TSR_OF_B] = stride;
    }
    return tsr_batch_set(&p->arena, out, batch, n) && (!swap || l->row >= 0);
}

/* Whether windows stay as they are: their lines have several strides, so that no part of them can become a batch. */
static bool keeps_windows(const tsr_contract *from, const tsr_contract *to)
{
    bool windows = from->side[0].grid || from->side[1].grid;
    return !windows || (!to->outer && to->side[0].batch == from->side[0].batch);
}

/* Makes the product write the result of the copy, if it can. Emitted C, whose bits are those of strict programs, writes
 * matrices one after the other only. */
static void turn(tsr_program *p, tsr_xid product, tsr_node *copy)
{
    tsr_node *n = &p->nodes.data[product];
    const tsr_xvalue *x = &p->values.data[copy->in[0]];
    tsr_contract to;
    layout l;
    if (n->contract->direct || x->place != TSR_PLACE_VIEW || x->fence != TSR_XNONE ||
        x->n != p->values.data[x->base].n || !find_layout(p, x, n->contract, &l) ||
        !turned(p, n->contract, &l, &to) || !keeps_windows(n->contract, &to))
        return;
    if ((!p->target->any_strides || p->strict) && (to.outer || !tsr_contract_in_order(&to)))
        return;
    if (l.col >= 0 && l.pieces[l.col].to != 1) {
        tsr_xid in = n->in[0];
        n->in[0] = n->in[1];
        n->in[1] = in;
    }
    *n->contract = to;
    tsr_xid old = n->out[0];
    n->out[0] = copy->out[0];
    p->values.data[n->out[0]].node = product;
    p->values.data[old].node = TSR_XNONE;
    p->values.data[old].place = TSR_PLACE_NOWHERE;
    copy->dead = true;
    p->groups.data[copy->group].nodes.n = 0;
}

void tsr_products_turn(tsr_program *p)
{
    tsr_values_mark_reads(p);
    for (size_t i = 0; i < p->nodes.n; i++) {
        tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->kind != TSR_NODE_MOVE || n->move != TSR_MOVE_COPY)
            continue;
        tsr_xid v = tsr_storage_of(p, n->in[0]), product = p->values.data[v].node;
        if (p->values.data[v].mark == 1 && product != TSR_XNONE &&
            p->nodes.data[product].kind == TSR_NODE_CONTRACT && !p->nodes.data[product].dead &&
            p->groups.data[p->nodes.data[product].group].home == p->groups.data[n->group].home)
            turn(p, product, n);
    }
    tsr_values_unmark(p);
}
