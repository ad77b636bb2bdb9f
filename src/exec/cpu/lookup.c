/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c - gathers of single elements, as ops of a loop: how they run (compile/lookup.c). */
#include "exec/places.h"

#include "exec/kernel/isa/isa.h"
#include "exec/cpu/cpu.h"

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

void tsr_load_lookup(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n,
                     const void *const *in, char *to)
{
    enum { SOME = 512 };
    const tsr_node *node = &r->p->nodes.data[o->node];
    const tsr_places_plan *p = node->places;
    const char *table = tsr_run_at(r, node->in[node->nin - 1]);
    tsr_lookup l = {.dims = p->nmap,
                    .bytes = tsr_dtype_bytes((tsr_dtype)o->dtype),
                    .wide = o->from == TSR_D_I64,
                    .pairs = p->pairs && start % 2 == 0 && n % 2 == 0};
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
