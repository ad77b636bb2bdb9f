/* why.h - a record of propagation: which step put an axis on which value, through which op, and where it came from.
 *
 * Ask for it with tsr_propagate_options.why. It holds values and ops by address, so it is good until they are erased. */
#ifndef TSR_SHARD_PROPAGATE_WHY_H
#define TSR_SHARD_PROPAGATE_WHY_H

#include "shard/propagate/propagate.h"

/* A value, or a result of a function (then value is what the function returns there). */
typedef struct {
    tsr_value *value;
    tsr_op *func; /* NULL: the value itself */
    uint32_t result;
} tsr_why_place;

/* An axis came to a place. */
typedef struct {
    int64_t step;   /* counts visits that changed something */
    tsr_op *op;     /* what it came through; a function: between what it returns and its results */
    tsr_attr *axis; /* axis_ref */
    tsr_why_place from, to;
    uint32_t source, target; /* numbers of the op's tensors: operands, then results */
    uint32_t noperand;
    unsigned round; /* of op priorities; see spread.h */
} tsr_why_edge;

typedef struct tsr_why_step tsr_why_step;
typedef TSR_VEC(tsr_why_edge) tsr_why_edges;

typedef struct tsr_why {
    tsr_why_edges edges; /* in the order of steps */
    int64_t step;        /* the next one's number */
} tsr_why;

/* Whoever asks for a record frees it. */
void tsr_why_free(tsr_why *why);

/* The edge that brought axis (or a part of it, or an axis that has it) to v before step; NULL: it was there at first. */
const tsr_why_edge *tsr_why_of(const tsr_why *why, const tsr_value *v, const tsr_attr *axis,
                               int64_t before);
/* From v back to where the axis was at first, one edge after the other. Appends to out. */
void tsr_why_chain(const tsr_why *why, const tsr_value *v, const tsr_attr *axis,
                   tsr_why_edges *out);

/* ---- For the engine: a visit of a site, before and after ---- */

tsr_why_step *tsr_why_before(tsr_why *why, tsr_engine *e, tsr_op *op, const tsr_site *site,
                             const tsr_projection *p, const tsr_mesh *mesh);
void tsr_why_after(tsr_why *why, tsr_why_step *step, const tsr_projection *p, bool any);

/* ---- As attributes, under Shardy's names (origins.c) ---- */

/* Where each axis of each value was at first. Made before propagation, since it names what users wrote. */
typedef struct tsr_origins tsr_origins;
tsr_origins *tsr_origins_start(tsr_arena *arena, tsr_op *module);
/* Writes sdy.sharding_origins on values and function results; edges of the record say how axes went on. */
void tsr_origins_write(tsr_origins *origins, const tsr_why *why);
/* The number of the first step: edges that earlier passes left count. */
int64_t tsr_why_first_step(tsr_op *module);
/* Writes sdy.propagation_edges on ops and function results. */
void tsr_why_write_edges(tsr_arena *arena, tsr_op *module, const tsr_why *why);

#endif
