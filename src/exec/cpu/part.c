/* SPDX-License-Identifier: Apache-2.0 */
/* part.c - reads the elements of a movement that is part of a loop (plan/through.c) from their source, block by
 * block. */
#include "base/round.h"
#include "exec/cpu/move.h"

/* Elements of a movement: their number, the first one, and the destination. */
typedef struct {
    const tsr_run *r;
    const tsr_cpu_instr *o;
    const tsr_node *n;
    const tsr_xvalue *of;
    int64_t start, left, bytes;
    char *to;
    const char *at; /* where the first piece is: in place, or copied */
} part;

static void go_on(part *x, int64_t n)
{
    x->start += n;
    x->left -= n;
    x->to += n * x->bytes;
}

/* Takes n contiguous elements: the only piece is read in place. */
static void give(part *x, const char *from, int64_t n)
{
    if (n == x->left && x->at == x->to)
        x->at = from;
    else
        memcpy(x->to, from, (size_t)(n * x->bytes));
    go_on(x, n);
}

/* Takes n elements of operand k from position place on, in the operand's order. */
static void take(part *x, uint32_t k, int64_t place, int64_t n)
{
    const tsr_xid s = tsr_storage_of(x->r->p, x->n->in[k]);
    const char *from = x->r->at[s];
    int64_t first;
    if (from && tsr_is_contiguous(&x->o->view[k], place, n, &first)) {
        give(x, from + first * x->bytes, n);
        return;
    }
    tsr_load_view(&x->o->view[k], (tsr_dtype)x->o->dtype, from, place, n, x->to);
    go_on(x, n);
}

static void fill(part *x, int64_t n)
{
    tsr_tile_splat((tsr_dtype)x->o->dtype, x->to, tsr_run_at(x->r, x->n->in[1]), (size_t)n);
    go_on(x, n);
}

static void concatenate(part *x)
{
    int64_t d = x->n->numbers[0], inner = 1;
    for (int64_t i = d + 1; i < x->of->rank; i++)
        inner *= x->of->dims[i];
    int64_t row = x->of->dims[d] * inner;
    while (x->left) {
        int64_t outer = x->start / row, at = x->start % row, each = 0;
        uint32_t k = 0;
        for (;; k++, at -= each) {
            each = x->r->p->values.data[x->n->in[k]].dims[d] * inner;
            if (at < each)
                break;
        }
        take(x, k, outer * each + at, tsr_min(each - at, x->left));
    }
}

/* Whether a row of the dimensions before d is one of the operand; number: its index there. */
static bool is_inside(const part *x, const tsr_xvalue *from, int d, int64_t row, int64_t *number)
{
    const int64_t *low = x->n->numbers, *interior = low + x->of->rank;
    int64_t step = 1;
    *number = 0;
    for (int i = d - 1; i >= 0; i--) {
        int64_t at = (i ? row % x->of->dims[i] : row) - low[i];
        row = i ? row / x->of->dims[i] : 0;
        if (interior[i] && at % (interior[i] + 1))
            return false;
        at = interior[i] ? at / (interior[i] + 1) : at;
        if (at < 0 || at >= from->dims[i])
            return false;
        *number += at * step;
        step *= from->dims[i];
    }
    return true;
}

/* Rows of the result, with all dimensions behind them, have each elements of the operand from low on. */
static void pad(part *x)
{
    const tsr_xvalue *from = &x->r->p->values.data[x->n->in[0]];
    int d = x->of->rank - 1;
    int64_t inner = 1;
    for (; d > 0 && from->dims[d] == x->of->dims[d]; d--)
        inner *= from->dims[d];
    int64_t row = inner, low = 0, each = inner;
    if (x->n->numbers[x->of->rank + d]) { /* its elements are apart */
        d++;
    } else {
        row *= x->of->dims[d];
        low = x->n->numbers[d] * inner;
        each *= from->dims[d];
    }
    while (x->left) {
        int64_t at = x->start % row, number;
        if (!is_inside(x, from, d, x->start / row, &number))
            fill(x, tsr_min(row - at, x->left));
        else if (at < low)
            fill(x, tsr_min(low - at, x->left));
        else if (at < low + each)
            take(x, 0, number * each + at - low, tsr_min(low + each - at, x->left));
        else
            fill(x, tsr_min(row - at, x->left));
    }
}

static void take_rows(part *x)
{
    const tsr_xvalue *table = &x->r->p->values.data[x->n->in[0]],
                     *places = &x->r->p->values.data[x->n->in[1]];
    const char *from = tsr_run_at(x->r, x->n->in[0]), *at = tsr_run_at(x->r, x->n->in[1]);
    int64_t row = table->n / table->dims[0];
    while (x->left) {
        int64_t first = x->start % row, n = tsr_min(row - first, x->left);
        int64_t place = tsr_row_at((tsr_dtype)places->dtype, at, x->start / row, table->dims[0]);
        give(x, from + (place * row + first) * x->bytes, n);
    }
}

const char *tsr_part_at(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n,
                        char *to)
{
    const tsr_node *node = &r->p->nodes.data[o->node];
    part x = {r, o, node, &r->p->values.data[node->out[0]], start, n, 0, to, to};
    x.bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    if (node->move == TSR_MOVE_CONCATENATE)
        concatenate(&x);
    else if (node->move == TSR_MOVE_PAD)
        pad(&x);
    else
        take_rows(&x);
    return x.at;
}

void tsr_load_part(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n, char *to)
{
    const char *at = tsr_part_at(r, o, start, n, to);
    if (at != to)
        memcpy(to, at, (size_t)n * tsr_dtype_bytes((tsr_dtype)o->dtype));
}
