/* SPDX-License-Identifier: Apache-2.0 */
/* problem.h - a problem of choices: each node takes one of its choices, and pays for it and for each pair of choices
 * along an edge.
 *
 * The search knows no IR: its caller represents values and ops as nodes, their shardings as choices, and reshards as
 * edges. A node takes memory during a range of time; at no point may the total exceed the limit. Costs of
 * TSR_SEARCH_NEVER and more are forbidden. */
#ifndef TSR_SEARCH_PROBLEM_H
#define TSR_SEARCH_PROBLEM_H

#include "base/arena.h"
#include "base/str.h"

#define TSR_SEARCH_NEVER 1e17

typedef struct {
    uint32_t n;            /* choices */
    int64_t first, last;   /* takes memory at first <= t < last */
    double *cost, *memory; /* by choice */
} tsr_search_node;

typedef struct {
    uint32_t node[2];
    double *cost; /* by choice of node[0], then of node[1] */
} tsr_search_edge;

typedef struct {
    tsr_arena arena;
    tsr_str name;
    tsr_search_node *nodes;
    tsr_search_edge *edges;
    uint32_t nnode, nedge;
    double limit; /* INFINITY: none */
} tsr_search_problem;

/* Reads a problem from JSON in the format of the ASPLOS 2025 contest on intra-operator parallelism. On failure *error
 * is the message and *at the position. */
bool tsr_search_read(tsr_search_problem *p, tsr_str text, const char **error, size_t *at);
void tsr_search_free(tsr_search_problem *p);

/* The cost of choices, and their peak memory. */
typedef struct {
    double cost, memory;
} tsr_search_value;
tsr_search_value tsr_search_evaluate(const tsr_search_problem *p, const uint32_t *choice);

typedef struct {
    /* limit on table cells read, so that all machines find the same choices; 0: none */
    double work;
    /* limit on wall-clock time; 0: none. With neither limit, work is 1e9: about a second */
    double seconds;
    double (*clock)(void); /* returns the time in seconds; NULL: tsr_seconds */
    int patience;          /* stops after this many rounds without improvement; 0: never */
    uint64_t seed;
    tsr_pool *pool; /* where memory comes from and goes to; NULL: the system */
    /* Called when a better plan was found; may be NULL. */
    void (*progress)(void *user, double seconds, double cost, double bound);
    void *user;
} tsr_search_options;

typedef struct {
    bool feasible;
    double cost, memory;
    double bound; /* lower bound of all costs; -INFINITY: unknown */
} tsr_search_result;

/* Finds choices; choice has one element per node. */
tsr_search_result tsr_search_solve(const tsr_search_problem *p, const tsr_search_options *options,
                                   uint32_t *choice);

#endif
