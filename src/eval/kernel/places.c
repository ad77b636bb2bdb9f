/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - the parameters of gather and scatter as loops and strides. */
#include "eval/kernel/places.h"

static bool contains(const int64_t *list, size_t n, size_t v)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == (int64_t)v)
            return true;
    return false;
}

bool tsr_places_init(tsr_places *p, tsr_call *c, const tsr_gather *g, const tsr_tensor *whole,
                     const tsr_tensor *index)
{
    p->index = index;
    p->rank = whole->rank;
    p->nwindow = tsr_ints_copy(g->window, p->window_dims, TSR_MAX_RANK);
    p->nmissing = tsr_ints_copy(g->dropped, p->missing_dims, TSR_MAX_RANK);
    p->nbatch = tsr_ints_copy(g->batch, p->batch_dims, TSR_MAX_RANK);
    size_t nindex = tsr_ints_copy(g->index_batch, p->index_batch_dims, TSR_MAX_RANK);
    p->nmap = tsr_ints_copy(g->map, p->map, TSR_MAX_RANK);
    p->vector_dim = g->vector;
    int64_t vector =
        p->vector_dim >= 0 && p->vector_dim < index->rank ? index->dims[p->vector_dim] : 1;
    bool fits = p->vector_dim >= 0 && p->vector_dim <= index->rank && (size_t)vector == p->nmap &&
                nindex == p->nbatch && p->nwindow + p->nmissing + p->nbatch == p->rank &&
                tsr_distinct_below(p->missing_dims, p->nmissing, p->rank) &&
                tsr_distinct_below(p->batch_dims, p->nbatch, p->rank) &&
                tsr_distinct_below(p->map, p->nmap, p->rank) &&
                tsr_distinct_below(p->index_batch_dims, nindex, index->rank) &&
                !contains(p->index_batch_dims, nindex, (size_t)p->vector_dim);
    for (size_t i = 0; fits && i < p->nbatch; i++)
        fits = !contains(p->missing_dims, p->nmissing, (size_t)p->batch_dims[i]) &&
               !contains(p->map, p->nmap, (size_t)p->batch_dims[i]) &&
               whole->dims[p->batch_dims[i]] == index->dims[p->index_batch_dims[i]];
    if (!fits)
        return tsr_fail(c, "has dimension numbers that do not fit its operands");
    size_t k = 0;
    for (size_t d = 0; d < p->rank; d++)
        if (!contains(p->missing_dims, p->nmissing, d) && !contains(p->batch_dims, p->nbatch, d))
            p->window_of[k++] = d;
    return true;
}

bool tsr_places_part(tsr_places *p, tsr_call *c, const int64_t *window, int64_t *dims, size_t *rank)
{
    const tsr_tensor *index = p->index;
    size_t positions = (size_t)index->rank - (p->vector_dim < index->rank), w = 0, k = 0;
    *rank = positions + p->nwindow;
    if (*rank > TSR_MAX_RANK || !tsr_distinct_below(p->window_dims, p->nwindow, *rank))
        return tsr_fail(c, "has window dimensions that do not fit its operands");
    for (size_t d = 0; d < *rank; d++) {
        if (contains(p->window_dims, p->nwindow, d)) {
            dims[d] = window[p->window_of[w++]];
            continue;
        }
        k += (int64_t)k == p->vector_dim;
        dims[d] = index->dims[k++];
    }
    return true;
}

void tsr_places_loops(tsr_places *p, const int64_t *part_dims, size_t part_rank,
                      const int64_t *whole_dims, size_t size)
{
    int64_t part[TSR_MAX_RANK], step[TSR_MAX_RANK];
    size_t w = 0, k = 0;
    tsr_byte_strides(part_dims, part_rank, size, part);
    tsr_byte_strides(whole_dims, p->rank, size, p->strides);
    tsr_byte_strides(p->index->dims, p->index->rank, 1, step);
    p->vector_stride = p->vector_dim < p->index->rank ? step[p->vector_dim] : 0;
    p->nloop = 0;
    for (size_t d = 0; d < part_rank; d++) {
        if (contains(p->window_dims, p->nwindow, d)) {
            p->window[w] = part_dims[d];
            p->part_stride[w] = part[d];
            p->whole_stride[w] = p->strides[p->window_of[w]];
            w++;
            continue;
        }
        k += (int64_t)k == p->vector_dim;
        size_t n = p->nloop++;
        p->loop[n] = part_dims[d];
        p->part_step[n] = part[d];
        p->index_step[n] = step[k];
        p->whole_step[n] = 0;
        for (size_t i = 0; i < p->nbatch; i++)
            if (p->index_batch_dims[i] == (int64_t)k)
                p->whole_step[n] = p->strides[p->batch_dims[i]];
        k++;
    }
}
