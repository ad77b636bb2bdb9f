/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - a reduced problem: variables, each of which decides the choices of one or more nodes. */
#ifndef TSR_SEARCH_MODEL_H
#define TSR_SEARCH_MODEL_H

#include "search/problem.h"

/* Memory that one node of a variable takes at times from <= t < to. */
typedef struct {
    uint32_t from, to;
    double *bytes; /* by choice of the variable */
} tsr_search_use;

typedef struct {
    uint32_t edge, other;
    bool rows; /* the variable is the edge's first end: its choice selects the row of the table */
} tsr_search_link;

typedef struct {
    uint32_t n;
    double *cost;                    /* by choice: current cost, including prices of memory */
    double *own;                     /* by choice: its own cost */
    uint32_t use, nuse, link, nlink; /* ranges in uses and links */
} tsr_search_var;

/* Variables and tables of costs between them. */
typedef struct {
    tsr_search_var *vars;
    tsr_search_edge *edges;
    tsr_search_link *links;
    uint32_t nvar, nedge;
    uint32_t most; /* largest number of choices of a variable */
} tsr_search_graph;

typedef struct {
    tsr_arena arena;
    const tsr_search_problem *problem;
    tsr_search_graph graph;
    tsr_search_use *uses;
    uint32_t nuse, ntime;
    double *base;     /* by time: memory that does not depend on choices */
    double limit;     /* on memory */
    double never;     /* the cost of a forbidden pair, in tables */
    double constant;  /* cost that does not depend on choices */
    uint32_t *var_of; /* by node; UINT32_MAX: its choice is fixed */
    uint16_t **map;   /* by node: its choice, by choice of its variable */
    bool hopeless;    /* some node has no choice left */
} tsr_search_model;

void tsr_search_model_init(tsr_search_model *m, const tsr_search_problem *p, tsr_pool *pool);
void tsr_search_model_free(tsr_search_model *m);
/* Computes choices of nodes from those of variables. */
void tsr_search_expand(const tsr_search_model *m, const uint32_t *x, uint32_t *choice);

/* Fills in links and most, from vars and edges. */
void tsr_search_link_up(tsr_search_graph *g, tsr_arena *arena);
/* out[j] = min over i of h[i] + table(i, j); rows: h is indexed by row of the table; n is the size of the other
 * dimension. */
void tsr_search_min_plus(const double *h, uint32_t nh, const double *table, bool rows, uint32_t n,
                         double *out);
/* sum[i] += table(i, j) for a fixed j of the other end. */
void tsr_search_add_fixed(double *sum, uint32_t n, const double *table, bool rows, uint32_t other_n,
                          uint32_t j);
static inline double tsr_search_at(const double *table, bool rows, uint32_t n, uint32_t other_n,
                                   uint32_t i, uint32_t j)
{
    return rows ? table[(size_t)i * other_n + j] : table[(size_t)j * n + i];
}

#endif
