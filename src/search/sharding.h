/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.h - states a function on a mesh as a problem of choices (problem.h), and converts the solution to layouts.
 *
 * Each op is a node: its choices say which axes cut which factor of its rule. Arguments and values carried by loops and
 * branches are nodes as well: their choices are layouts. An edge is a value between its definition and a reader: its
 * cost is that of the reshard. */
#ifndef TSR_SEARCH_SHARDING_H
#define TSR_SEARCH_SHARDING_H

#include "search/layout.h"
#include "search/problem.h"

typedef struct {
    tsr_op *func; /* in a module whose ids are in program order */
    const tsr_search_mesh *mesh;
    const tsr_device_file *device;
    tsr_moves *moves;        /* of that mesh and device: what several searches share */
    double limit;            /* bytes of memory per device; INFINITY: none */
    const tsr_layout *given; /* by argument: layouts fixed beforehand */
    const bool *is_given;    /* by argument: whether given applies; NULL: to none */
    const uint32_t *tie;     /* by result: 1 + argument that it becomes in the next step; 0: none */
    /* For a folded function (fold.h), the number of layers that an op or argument represents; NULL: not folded. By id,
     * by argument, by id. */
    const double *op_times, *arg_times;
    const uint32_t *until;
    /* share of communication that computation hides where nothing waits for it: for arguments, results, and sums that
     * no product reads */
    double hidden;
    uint64_t seed;
    tsr_pool *pool; /* for the solver's memory; NULL: from the system */
    double seconds; /* of wall-clock time; 0: as long as it improves */
} tsr_sharding_request;

typedef struct {
    tsr_layout *args;    /* by argument */
    tsr_layout *results; /* by result of the function */
    /* In program order: pins for results of products, which usually determine the rest; and pins for all results, with
     * operands that are read in a layout other than their own. */
    tsr_layout_pin *products, *all;
    uint32_t nproduct, nall;
    uint32_t nnode, nedge;
    double cost, bound, memory;
    bool feasible;
    double seconds; /* processor time of the solver */
    double least;   /* peak memory with the choices of least memory */
    double cells;   /* of the tables of all edges: the size of the problem */
} tsr_sharding_answer;

/* False: nothing in the function can be cut. Results are allocated in the arena. */
bool tsr_sharding_search(tsr_arena *arena, const tsr_sharding_request *request,
                         tsr_sharding_answer *out);

#endif
