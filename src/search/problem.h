/* problem.h - a problem of choices: each node takes one of its choices, and pays for it and for each pair of choices along an edge.
 *
 * The search knows no IR: who shards a program makes nodes of its values and ops, choices of their shardings, and edges of
 * reshards. A node takes memory at some points of time; at no point may all together take more than the limit. Costs of
 * TSR_SEARCH_NEVER and more are never paid. */
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

/* Reads a problem from JSON, as the ASPLOS 2025 contest on intra-operator parallelism writes them. False: *error says why, *at where. */
bool tsr_search_read(tsr_search_problem *p, tsr_str text, const char **error, size_t *at);
void tsr_search_free(tsr_search_problem *p);

/* What choices cost; the greatest memory at a point of time. */
typedef struct {
    double cost, memory;
} tsr_search_value;
tsr_search_value tsr_search_evaluate(const tsr_search_problem *p, const uint32_t *choice);

typedef struct {
    double
        work; /* as many cells of tables are looked at: the same choices on every machine; 0: no end */
    double seconds;        /* of the clock; 0: no end. Neither: work is 1e9, about a second */
    double (*clock)(void); /* that says the seconds; NULL: tsr_seconds */
    int patience;          /* ends after as many rounds that found nothing; 0: never */
    uint64_t seed;
    /* A better plan was found; may be NULL. */
    void (*progress)(void *user, double seconds, double cost, double bound);
    void *user;
} tsr_search_options;

typedef struct {
    bool feasible;
    double cost, memory;
    double bound; /* no choices cost less; -INFINITY: not known */
} tsr_search_result;

/* Finds choices; choice has one element a node. */
tsr_search_result tsr_search_solve(const tsr_search_problem *p, const tsr_search_options *options,
                                   uint32_t *choice);

#endif
