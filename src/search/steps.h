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

/* ---- eliminate.c: variables of at most two neighbours, exactly ---- */

typedef struct {
    uint32_t var, nlink;
    tsr_search_link link[2]; /* to what it is eliminated into */
    uint32_t made,
        before; /* edge between the two that it gives; the one that was there; UINT32_MAX: none */
} tsr_search_gone;

typedef struct {
    const tsr_search_graph *from;
    tsr_search_graph core;
    tsr_search_gone *gone; /* in order */
    uint32_t ngone;
    tsr_search_edge *edges; /* those of from, then the new ones */
    uint32_t nedge;
    double **cost;     /* by variable of from: with what was eliminated into it */
    uint32_t *of;      /* variable of from, by variable of the core */
    uint32_t *edge_of; /* edge, by edge of the core */
    double *scratch;
    double constant; /* cost of parts that are gone to the last variable */
    double work;     /* cells of tables looked at */
} tsr_search_core;

void tsr_search_core_init(tsr_search_core *c, const tsr_search_graph *g, tsr_arena *arena);
/* After the costs of from have changed. */
void tsr_search_core_refresh(tsr_search_core *c);
/* Choices of from, best for those of the core. */
void tsr_search_core_expand(const tsr_search_core *c, const uint32_t *core, uint32_t *x);

/* ---- messages.c: sequential tree-reweighted message passing ---- */

typedef struct {
    const tsr_search_graph *g;
    double **to[2]; /* by edge: message to its first, to its second end */
    double *scratch;
    double work;
} tsr_search_messages;

void tsr_search_messages_init(tsr_search_messages *t, const tsr_search_graph *g, tsr_arena *arena);
/* One sweep there and back; gives a lower bound of all choices. */
double tsr_search_messages_sweep(tsr_search_messages *t);
void tsr_search_messages_decode(const tsr_search_messages *t, uint32_t *x);

/* ---- forest.c: the best choices of some variables that form a forest, the others as they are ---- */

typedef struct {
    const tsr_search_graph *g;
    uint32_t *order, *parent, *mark, *root, *shuffle;
    tsr_search_link *up; /* by variable in order: to its parent */
    double **sum;        /* by position: costs of its choices with all below */
    double *sums, *message;
    uint32_t now; /* mark of the set at hand */
    double work;
} tsr_search_forest;

void tsr_search_forest_init(tsr_search_forest *f, const tsr_search_graph *g, tsr_arena *arena);
/* Chooses at random a set that covers as much as it can; improves x on it. */
void tsr_search_forest_cover(tsr_search_forest *f, tsr_search_random *r, uint32_t *x);
/* A tree of at most most variables around one; their new choices are in x, the old ones in old, by position in f->order. Returns how many. */
uint32_t tsr_search_forest_ball(tsr_search_forest *f, tsr_search_random *r, uint32_t center,
                                uint32_t most, uint32_t *x, uint32_t *old);

#endif
