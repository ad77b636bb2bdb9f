/* SPDX-License-Identifier: Apache-2.0 */
/* places.h - windows at computed positions: gather and scatter of any form (places.c). */
#ifndef TSR_EXEC_PLACES_H
#define TSR_EXEC_PLACES_H

#include "exec/program.h"

/* Each position of the index selects a window of "whole", the operand of a gather or the input of a scatter, and one of
 * "part", the result or the updates. Strides are in elements. */
typedef struct tsr_places_plan {
    uint8_t nloop, nmap, nwindow, nouter;
    int64_t positions, first; /* first: lookup, elements: added to all places */
    int64_t loop[TSR_MAX_RANK], index_step[TSR_MAX_RANK], part_step[TSR_MAX_RANK],
        whole_step[TSR_MAX_RANK];
    /* By component of the index vector: the size of whole, the window's size, and the stride. */
    int64_t vector_step, size[TSR_MAX_RANK], room[TSR_MAX_RANK], stride[TSR_MAX_RANK];
    /* The window: its dimensions from nouter on are contiguous in both whole and part, run elements. of: the component
     * of the index vector; -1: none. */
    int64_t window[TSR_MAX_RANK], part_stride[TSR_MAX_RANK], whole_stride[TSR_MAX_RANK], run;
    int8_t of[TSR_MAX_RANK];
    /* Scatter: kernel `tile` combines the old element with the update; otherwise the update replaces it. */
    bool joins;
    uint8_t tile;
    bool pairs; /* lookup: of each two elements of four bytes, the second one follows the first */
} tsr_places_plan;

/* Whether columns of the runs never meet: windows that begin elsewhere have other rows, but the same columns. */
static inline bool tsr_columns_apart(const tsr_places_plan *p)
{
    for (uint8_t i = p->nouter; i < p->nwindow; i++)
        if (p->of[i] >= 0 && p->window[i] > 1)
            return false;
    return true;
}

#endif
