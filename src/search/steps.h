/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h - the steps of the solver: exact elimination, messages, forests. */
#ifndef TSR_SEARCH_STEPS_H
#define TSR_SEARCH_STEPS_H

#include "search/model.h"

typedef struct {
    uint64_t state;
} tsr_search_random;
uint64_t tsr_search_next(tsr_search_random *r);
static inline uint32_t tsr_search_below(tsr_search_random *r, uint32_t n)
{
    return (uint32_t)((tsr_search_next(r) >> 32) * n >> 32);
}

/* ---- eliminate.c: eliminates variables with at most two neighbours, exactly ---- */

typedef struct {
    uint32_t var, nlink;
    tsr_search_link link[2]; /* to the neighbours that absorb it */
    /* edge created between the two; edge that existed before; UINT32_MAX: none */
    uint32_t made, before;
} tsr_search_gone;

typedef struct {
    const tsr_search_graph *from;
    tsr_search_graph core;
    tsr_search_gone *gone; /* in order */
    uint32_t ngone;
    tsr_search_edge *edges; /* those of from, then the new ones */
    uint32_t nedge;
    double **cost;     /* by variable of from: including what was eliminated into it */
    uint32_t *of;      /* by variable of the core: variable of from */
    uint32_t *edge_of; /* by edge of the core: edge */
    double *scratch;
    double constant; /* cost of components that were eliminated completely */
    double work;     /* table cells read */
} tsr_search_core;

void tsr_search_core_init(tsr_search_core *c, const tsr_search_graph *g, tsr_arena *arena);
/* Call after the costs of from have changed. */
void tsr_search_core_refresh(tsr_search_core *c);
/* The best choices of from, given those of the core. */
void tsr_search_core_expand(const tsr_search_core *c, const uint32_t *core, uint32_t *x);

/* ---- messages.c: sequential tree-reweighted message passing ---- */

typedef struct {
    const tsr_search_graph *g;
    double **to[2]; /* by edge: message to its first, to its second end */
    double *scratch;
    double work;
} tsr_search_messages;

void tsr_search_messages_init(tsr_search_messages *t, const tsr_search_graph *g, tsr_arena *arena);
/* One sweep in each direction; returns a lower bound of all choices. */
double tsr_search_messages_sweep(tsr_search_messages *t);
void tsr_search_messages_decode(const tsr_search_messages *t, uint32_t *x);

/* ---- forest.c: the best choices of variables that form a forest, the others being fixed ---- */

typedef struct {
    const tsr_search_graph *g;
    uint32_t *order, *parent, *mark, *root, *shuffle;
    tsr_search_link *up; /* by position in order: link to the parent */
    double **sum;        /* by position: costs of its choices, including all descendants */
    double *sums, *message;
    uint32_t now; /* mark of the current set */
    double work;
} tsr_search_forest;

void tsr_search_forest_init(tsr_search_forest *f, const tsr_search_graph *g, tsr_arena *arena);
/* Chooses a random forest that covers as much as it can; improves x on it. */
void tsr_search_forest_cover(tsr_search_forest *f, tsr_search_random *r, uint32_t *x);
/* Re-solves a tree of up to most variables around one; new choices are in x, old ones in old, by position in f->order.
 * Returns the number of variables. */
uint32_t tsr_search_forest_ball(tsr_search_forest *f, tsr_search_random *r, uint32_t center,
                                uint32_t most, uint32_t *x, uint32_t *old);

#endif
