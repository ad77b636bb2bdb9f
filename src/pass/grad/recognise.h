/* SPDX-License-Identifier: Apache-2.0 */
/* recognise.h - finds functions that were expanded into arithmetic and selects, by what they compute.
 *
 * recognise.c knows which values of a block are functions of one other value, match.c which function one is. */
#ifndef TSR_PASS_GRAD_RECOGNISE_H
#define TSR_PASS_GRAD_RECOGNISE_H

#include "eval/plan.h"
#include "pass/grad/function.h"

enum { TSR_NO_NODE = -1 };

/* Sets of points at which values are computed. */
enum { TSR_AT_FEW, TSR_AT_MANY, TSR_AT__COUNT };

/* A value of a block, or from outside of it. */
typedef struct {
    tsr_value *v;
    tsr_op *op;   /* a pointwise op that computes it; NULL: it is opaque */
    int32_t idom; /* the nearest value that it is a function of; TSR_NO_NODE: of several */
    /* the last value whose idom this is; the previous one with the same idom */
    int32_t child, other;
    uint32_t depth;
    uint32_t mark; /* of the last walk that visited it */
    bool uniform;  /* the same number everywhere, independent of arguments */
    bool hazard;   /* there is a comparison or a quotient on the way from idom */
    tsr_tensor *at[TSR_AT__COUNT];
} tsr_node;

typedef TSR_VEC(double) tsr_numbers;

enum { TSR_FEW = 8 };

/* A known function at the few points. */
typedef struct {
    enum tsr_opcode opcode;
    bool has_number;
    double number; /* the first operand of two */
    double values[TSR_FEW];
} tsr_known;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    TSR_VEC(tsr_node) nodes;
    tsr_map of_value;          /* by value: node + 1; valid while the node has that value */
    TSR_VEC(int32_t) slice;    /* of tsr_cones_slice: operands before their users */
    TSR_VEC(int32_t) computed; /* nodes with values at the few points, besides uniform ones */
    TSR_VEC(int32_t) ends;     /* nodes that may be functions of the current node */
    tsr_eval eval;
    tsr_tensor *few[2]; /* the few points, in f32 and in f64 */
    TSR_VEC(tsr_known) known[2];
    uint32_t marks, visited;
    int64_t budget; /* remaining kernel calls */
} tsr_cones;

static inline int32_t tsr_node_of(const tsr_cones *c, const tsr_value *v)
{
    TSR_MAP_EACH (&c->of_value, tsr_hash_ptr(v), at)
        if (c->nodes.data[(intptr_t)at - 1].v == v)
            return (int32_t)((intptr_t)at - 1);
    return TSR_NO_NODE;
}

/* Collects in c->slice the nodes needed to compute "to" from "from", including both, that have no values at these
 * points yet. False: too many, or it is not a function of it. */
bool tsr_cones_slice(tsr_cones *c, int32_t from, int32_t to, int at);
/* Constants in the slice, among them the limits between pieces. They have values at the few points. */
void tsr_cones_numbers(const tsr_cones *c, tsr_numbers *out);
/* Computes values of the slice's nodes at these points. Values at many points must be discarded before others are
 * requested. */
bool tsr_cones_eval(tsr_cones *c, int32_t from, int at, tsr_tensor *points);
void tsr_cones_forget_many(tsr_cones *c);
/* Runs an op's kernel. NULL: it failed. */
tsr_tensor *tsr_cones_run(tsr_cones *c, const tsr_op *op, tsr_tensor **in);

/* ---- match.c ---- */

/* Creates the op that computes node "to" from node "from", before it; NULL: there is none. It has its values at the few
 * points. */
tsr_op *tsr_grad_match(tsr_cones *c, int32_t from, int32_t to);
/* Points that tell functions apart, of the type of a node. */
tsr_tensor *tsr_match_points(tsr_cones *c, int32_t from);

#endif
