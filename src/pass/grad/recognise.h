/* recognise.h - functions that were expanded into arithmetic and selects, found by what they compute.
 *
 * recognise.c knows which values of a block are functions of one other value, match.c which function one is. */
#ifndef TSR_PASS_GRAD_RECOGNISE_H
#define TSR_PASS_GRAD_RECOGNISE_H

#include "eval/plan.h"
#include "pass/grad/function.h"

enum { TSR_NO_NODE = -1 };

/* A value of a block, or from outside of it. */
typedef struct {
    tsr_value *v;
    tsr_op *op;    /* a pointwise op that computes it; NULL: it is taken as it is */
    int32_t idom;  /* the nearest value that it is a function of; TSR_NO_NODE: of several */
    uint32_t depth;
    bool uniform;  /* the same number everywhere, whatever the arguments */
    bool chosen;   /* a comparison or a quotient is a function of it */
    tsr_tensor *at; /* its values at the points of the moment */
} tsr_node;

typedef TSR_VEC(double) tsr_numbers;

/* Values of a known function at the points of tsr_match_points. */
typedef struct {
    enum tsr_opcode opcode;
    double number; /* the first operand of two */
    tsr_tensor *values;
} tsr_tried;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    TSR_VEC(tsr_node) nodes;
    TSR_VEC(int32_t) of_value; /* by value id: node + 1 */
    TSR_VEC(tsr_tried) tried;
    int64_t budget;            /* kernel calls that are left */
} tsr_cones;

static inline int32_t tsr_node_of(const tsr_cones *c, const tsr_value *v)
{
    return v->id < c->of_value.n ? c->of_value.data[v->id] - 1 : TSR_NO_NODE;
}

/* Whether node is a function of node from, or is it. */
bool tsr_node_depends(const tsr_cones *c, int32_t node, int32_t from);

/* Constants that it takes to compute one node from another: limits between pieces are among them. */
void tsr_cones_numbers(tsr_cones *c, int32_t from, int32_t to, tsr_numbers *out);

/* Values of all functions of a node up to last, at these points; they stay until tsr_cones_forget. */
bool tsr_cones_eval(tsr_cones *c, int32_t from, int32_t last, tsr_tensor *points);
void tsr_cones_forget(tsr_cones *c);

/* ---- match.c ---- */

/* The op that computes node "to" from node "from", which is made before it; NULL: none does. The values at the first points
 * of tsr_match_points stand in the nodes. */
tsr_op *tsr_match(tsr_cones *c, int32_t from, int32_t to);
/* Points that tell functions apart, of the type of a node. */
tsr_tensor *tsr_match_points(tsr_cones *c, int32_t from);

#endif
