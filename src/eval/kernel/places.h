/* SPDX-License-Identifier: Apache-2.0 */
/* places.h - shared by gather and scatter: how a tensor of indices selects places of another tensor.
 *
 * Each position of the index tensor (without its vector dimension) selects one place of "whole", the operand of a
 * gather or the input of a scatter, and one window of "part", the result of a gather or the updates of a scatter. */
#ifndef TSR_EVAL_KERNEL_PLACES_H
#define TSR_EVAL_KERNEL_PLACES_H

#include "base/scope.h"
#include "dialect/params.h"
#include "eval/math/strided.h"

typedef struct {
    const tsr_tensor *index;
    /* Dimensions of the attribute. */
    int64_t window_dims[TSR_MAX_RANK];  /* of part: offset_dims, update_window_dims */
    int64_t missing_dims[TSR_MAX_RANK]; /* of whole: collapsed_slice_dims, inserted_window_dims */
    int64_t batch_dims[TSR_MAX_RANK];   /* of whole */
    int64_t index_batch_dims[TSR_MAX_RANK];
    int64_t map[TSR_MAX_RANK]; /* of whole, by element of an index vector */
    size_t nwindow, nmissing, nbatch, nmap;
    int64_t vector_dim;
    int64_t vector_stride; /* between elements of an index vector */
    /* Loops over positions: sizes, and strides in elements of index, in bytes of part and of whole. */
    size_t nloop;
    int64_t loop[TSR_MAX_RANK], index_step[TSR_MAX_RANK], part_step[TSR_MAX_RANK],
        whole_step[TSR_MAX_RANK];
    /* Window: sizes and byte strides; the corresponding dimension of whole. */
    size_t rank; /* of whole */
    int64_t window[TSR_MAX_RANK], part_stride[TSR_MAX_RANK], whole_stride[TSR_MAX_RANK];
    size_t window_of[TSR_MAX_RANK];
    int64_t strides[TSR_MAX_RANK]; /* of whole, in bytes */
} tsr_places;

/* Checks the parameters of a gather or scatter against the two tensors' ranks. */
bool tsr_places_init(tsr_places *p, tsr_call *c, const tsr_gather *g, const tsr_tensor *whole,
                     const tsr_tensor *index);
/* The shape of part: the window's sizes and the index's dimensions at their positions; and its rank. False after a
 * failure. */
bool tsr_places_part(tsr_places *p, tsr_call *c, const int64_t *window, int64_t *dims,
                     size_t *rank);
/* Sets the loops once the shape of part is known. */
void tsr_places_loops(tsr_places *p, const int64_t *part_dims, size_t part_rank,
                      const int64_t *whole_dims, size_t size);

/* Iterates over positions, in row-major order. */
typedef struct {
    int64_t at[TSR_MAX_RANK];
    int64_t index, part, whole; /* offsets */
} tsr_place;

static inline bool tsr_place_next(const tsr_places *p, tsr_place *at)
{
    tsr_work(1);
    for (size_t d = p->nloop; d-- > 0;) {
        at->index += p->index_step[d];
        at->part += p->part_step[d];
        at->whole += p->whole_step[d];
        if (++at->at[d] < p->loop[d])
            return true;
        at->index -= p->index_step[d] * p->loop[d];
        at->part -= p->part_step[d] * p->loop[d];
        at->whole -= p->whole_step[d] * p->loop[d];
        at->at[d] = 0;
    }
    return false;
}

#endif
