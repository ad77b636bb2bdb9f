/* sharding.h - a function on a mesh as a problem of choices (problem.h), and the solver's answer as layouts.
 *
 * Each op is a node: its choices say which axes cut which factor of its rule. Arguments and values that loops and branches carry are nodes,
 * too: their choices are layouts. An edge is a value from who makes it to who reads it: the cost of a reshard. */
#ifndef TSR_SEARCH_SHARDING_H
#define TSR_SEARCH_SHARDING_H

#include "search/layout.h"
#include "search/problem.h"

typedef struct {
    tsr_op *func; /* of a module whose ids are in program order */
    const tsr_search_mesh *mesh;
    const tsr_device *device;
    double limit;            /* bytes of memory a device; INFINITY: none */
    const tsr_layout *given; /* by argument: what is fixed beforehand */
    const bool *is_given;    /* by argument; NULL: nothing is */
    const uint32_t *tie;     /* by result: 1 + argument that it becomes in the next step; 0: none */
    /* Of a function that stands for one with more layers (fold.h); NULL: it does not. By id, by argument, by id. */
    const double *op_times, *arg_times;
    const uint32_t *until;
    double
        hidden; /* share of talk that computing hides where nothing waits for it: of what arguments and results need, and sums that no product reads */
    uint64_t seed;
    double seconds; /* of the clock; 0: as long as it finds something */
} tsr_sharding_request;

typedef struct {
    tsr_layout *args;    /* by argument */
    tsr_layout *results; /* by result of the function */
    /* In program order: of results of products, whose layout is mostly all that is worth saying; and of all results, with operands that are brought to
     * another layout than the one that they have. */
    tsr_layout_pin *products, *all;
    uint32_t nproduct, nall;
    uint32_t nnode, nedge;
    double cost, bound, memory;
    bool feasible;
    double seconds; /* of processor time that the solver took */
    double least;   /* memory that the choices of least memory take at the worst point */
} tsr_sharding_answer;

/* False: the function has nothing that can be cut. Memory is the arena's. */
bool tsr_sharding_search(tsr_arena *arena, const tsr_sharding_request *request,
                         tsr_sharding_answer *out);

#endif
