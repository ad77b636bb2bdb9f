/* SPDX-License-Identifier: Apache-2.0 */
/* why.h - a record of propagation: which step put an axis on which value, through which op, and where it came from.
 *
 * Request it with tsr_propagate_options.why. It refers to values and ops by address, so it is valid until they are
 * erased. */
#ifndef TSR_SHARD_PROPAGATE_WHY_H
#define TSR_SHARD_PROPAGATE_WHY_H

#include "shard/propagate/propagate.h"

/* A value, or a result of a function (then value is the returned value). */
typedef struct {
    tsr_value *value;
    tsr_op *func; /* NULL: the value itself */
    uint32_t result;
} tsr_why_place;

/* A step by which an axis reached a place. */
typedef struct {
    int64_t step; /* counts visits that changed something */
    /* the op it came through; for a function: between its returned values and its results */
    tsr_op *op;
    tsr_attr *axis; /* axis_ref */
    tsr_why_place from, to;
    uint32_t source, target; /* numbers of the op's tensors: operands, then results */
    uint32_t noperand;
    unsigned round; /* of op priorities; see spread.h */
} tsr_why_edge;

typedef struct tsr_why_step tsr_why_step;
typedef TSR_VEC(tsr_why_edge) tsr_why_edges;

typedef struct tsr_why {
    tsr_why_edges edges; /* in step order */
    int64_t step;        /* number of the next step */
    tsr_map by_value;    /* 1 + index of each edge to a value, in step order; made by queries */
    size_t nindexed;     /* edges that it has */
} tsr_why;

/* The caller that requests a record frees it. */
void tsr_why_free(tsr_why *why);

/* From v back to where the axis (or a part of it, or an axis that contains it) came from, edge by edge; v itself may
 * have had it from the start. Appends to out. */
void tsr_why_chain(tsr_why *why, const tsr_value *v, const tsr_attr *axis, tsr_why_edges *out);

/* ---- For the engine: called before and after a visit of a site ---- */

tsr_why_step *tsr_why_before(tsr_why *why, tsr_engine *e, tsr_op *op, const tsr_site *site,
                             const tsr_projection *p, const tsr_mesh *mesh);
void tsr_why_after(tsr_why *why, tsr_why_step *step, const tsr_projection *p, bool any);

/* ---- As attributes, under Shardy's names (origins.c) ---- */

/* The origin of each axis of each value. Built before propagation, since it refers to user-written shardings. */
typedef struct tsr_origins tsr_origins;
tsr_origins *tsr_origins_start(tsr_arena *arena, tsr_op *module);
/* Writes sdy.sharding_origins on values and function results, following the edges of the record. */
void tsr_origins_write(tsr_origins *origins, const tsr_why *why);
/* The number of the first step: continues from the edges that earlier passes left. */
int64_t tsr_why_first_step(tsr_op *module);
/* Writes sdy.propagation_edges on ops and function results. */
void tsr_why_write_edges(tsr_arena *arena, tsr_op *module, const tsr_why *why);

#endif
