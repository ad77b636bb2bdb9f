/* SPDX-License-Identifier: Apache-2.0 */
/* interleave.c - finds rows that are interleaved. Programs have no op for this: JAX's associative scans pad two values
 * with zeros, one between the rows of the other, and add them. Here it is one movement, to which zeros are added, since
 * -0 + 0 is 0. */
#include "exec/compile/value.h"
#include "exec/target.h"

/* A pad with zeros between elements of one dimension: rows of inner elements, from low on. */
typedef struct {
    tsr_xid from, zero;
    int64_t rows, inner, low;
} sparse;

static bool is_zero(const tsr_xbuilder *b, tsr_xid v)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    return x->place == TSR_PLACE_SPLAT && !x->bits[0] && !x->bits[1];
}

/* Whether v is such a pad, with half of its rows from the operand. */
static bool is_sparse(const tsr_xbuilder *b, tsr_xid v, sparse *out)
{
    const tsr_xvalue *to = tsr_xvalue_at(b, v);
    if (to->node == TSR_XNONE || to->place == TSR_PLACE_VIEW || to->n <= 0)
        return false;
    const tsr_node *n = &b->p->nodes.data[to->node];
    if (n->kind != TSR_NODE_MOVE || n->move != TSR_MOVE_PAD || !is_zero(b, n->in[1]))
        return false;
    const tsr_xvalue *x = tsr_xvalue_at(b, n->in[0]);
    int d = to->rank - 1;
    *out = (sparse){.from = n->in[0], .zero = n->in[1], .inner = 1};
    for (; d >= 0 && x->dims[d] == to->dims[d]; d--)
        out->inner *= to->dims[d];
    if (d < 0 || 2 * x->dims[d] != to->dims[d] || n->numbers[to->rank + d] != 1)
        return false;
    out->low = n->numbers[d];
    out->rows = to->n / out->inner / 2;
    bool ok = out->low == 0 || out->low == 1;
    for (int i = 0; i < d; i++)
        ok &= x->dims[i] == to->dims[i];
    return ok;
}

/* Rows of both pads, as [rows, 2, inner]; TSR_XNONE: not possible. */
static tsr_xid rows_of(tsr_xbuilder *b, const tsr_op *op, const sparse *x, const sparse *y)
{
    const int64_t one[] = {x->rows, 1, x->inner}, both[] = {x->rows, 2, x->inner}, along = 1;
    tsr_xid from[2] = {x->low ? y->from : x->from, x->low ? x->from : y->from};
    for (int i = 0; i < 2; i++)
        from[i] = tsr_x_reshaped(b, op, from[i], one, 3);
    return tsr_x_moved(b, op, TSR_MOVE_CONCATENATE, from, 2, &along, 1, both, 3);
}

void tsr_x_interleave(tsr_xbuilder *b, const tsr_op *op, tsr_xid in[2])
{
    sparse x, y;
    if (!b->p->target->interleaves || tsr_dtype_is_complex(tsr_xdtype_of(b, in[0])) ||
        !is_sparse(b, in[0], &x) || !is_sparse(b, in[1], &y) || x.inner != y.inner ||
        x.low == y.low)
        return;
    tsr_xvalue of = *tsr_xvalue_at(b, in[0]);
    tsr_xid rows = tsr_x_reshaped(b, op, rows_of(b, op, &x, &y), of.dims, of.rank);
    tsr_xid zero = tsr_x_like(b, op, x.zero, rows);
    if (rows == TSR_XNONE || zero == TSR_XNONE)
        return;
    in[0] = rows;
    in[1] = zero;
}
