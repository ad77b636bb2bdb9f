/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - gather: one window of the operand for each index vector, moved inside if it would be out of bounds. */
#include "eval/kernel/places.h"
#include "eval/kernel/kernels.h"

static void gather(const tsr_places *p, const tsr_tensor *x, const int64_t *sizes, tsr_tensor *out)
{
    tsr_move window;
    tsr_move_init(&window, p->window, p->part_stride, p->whole_stride, p->nwindow,
                  tsr_elem_size(x));
    int64_t most[TSR_MAX_RANK], stride[TSR_MAX_RANK];
    for (size_t i = 0; i < p->nmap; i++) {
        int64_t size = sizes[p->map[i]];
        most[i] = x->dims[p->map[i]] -
                  (size ? size : 1); /* the size of a dropped dimension may be 0 and counts as 1 */
        stride[i] = p->strides[p->map[i]];
    }
    tsr_place at = {.index = 0};
    do {
        int64_t from = at.whole;
        for (size_t i = 0; i < p->nmap; i++) {
            int64_t start = tsr_get_index(p->index, at.index + (int64_t)i * p->vector_stride);
            from += tsr_clamp(start, 0, most[i]) * stride[i];
        }
        tsr_move_run(&window, (char *)out->data + at.part, (const char *)x->data + from);
    } while (tsr_place_next(p, &at));
}

/* stablehlo.gather, stablehlo.dynamic_gather */
bool eval_gather(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    tsr_gather g;
    tsr_gather_of(c->op, &g);
    int64_t sizes[TSR_MAX_RANK], dims[TSR_MAX_RANK];
    size_t rank, n = c->op->nin > 2 ? tsr_index_list(c->in[2], sizes, TSR_MAX_RANK)
                                    : tsr_ints_copy(g.sizes, sizes, TSR_MAX_RANK);
    tsr_places p;
    TSR_TRY(tsr_places_init(&p, c, &g, x, c->in[1]));
    if (n != x->rank)
        return tsr_fail(c, "has not one slice size for each dimension");
    for (size_t d = 0; d < n; d++)
        if (sizes[d] < 0 || sizes[d] > x->dims[d])
            return tsr_fail(c, "has a slice of size %lld in dimension %zu of size %lld",
                            (long long)sizes[d], d, (long long)x->dims[d]);
    for (size_t i = 0; i < p.nmissing + p.nbatch; i++)
        if (sizes[i < p.nmissing ? p.missing_dims[i] : p.batch_dims[i - p.nmissing]] > 1)
            return tsr_fail(c, "drops a dimension whose slice size is more than 1");
    TSR_TRY(tsr_places_part(&p, c, sizes, dims, &rank));
    tsr_tensor *out = tsr_call_new(c, 0, dims, rank);
    if (!out)
        return false;
    tsr_places_loops(&p, dims, rank, x->dims, tsr_elem_size(x));
    if (out->n && x->n)
        gather(&p, x, sizes, out);
    else if (out->n)
        return tsr_fail(c, "gathers from an operand without elements");
    return true;
}
