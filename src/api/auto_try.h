/* SPDX-License-Identifier: Apache-2.0 */
/* auto_try.h - trying candidates of the search for shardings: the modules that they are tried on, and which is the
 * best. */
#ifndef TSR_API_AUTO_TRY_H
#define TSR_API_AUTO_TRY_H

#include "api/auto.h"
#include "search/fold.h"

/* A module that plans are tried on: the whole, or one with fewer layers. */
typedef struct {
    tsr_module *module; /* without shardings, with the current mesh */
    tsr_op *func;
    uint32_t layers;     /* number of repeated layers that it has */
    tsr_folded folded;   /* func NULL: it is the whole */
    const uint32_t *tie; /* by result: 1 + argument that it becomes in the next step; 0: none */
} tsr_auto_stage;

enum { TSR_AUTO_SMALL = 2 };

typedef struct tsr_auto_crew tsr_auto_crew; /* helpers, auto_stage.c */

typedef struct {
    const tsr_auto_request *request;
    tsr_auto_result *out; /* a helper only reads it */
    tsr_arena *arena;
    tsr_module *base;    /* the program */
    tsr_module *copy;    /* of base, with the current mesh; NULL: none is open */
    tsr_auto_crew *crew; /* NULL: none, or this is a helper */
    tsr_auto_stage whole;
    tsr_auto_stage small[TSR_AUTO_SMALL]; /* if layers repeat: with few, and with one more */
    uint32_t nsmall, nlayer;
    bool folds;          /* whether layers repeat has been determined */
    tsr_auto_plan least; /* cost of the best plan that fits, with few layers; works: there is one */
    const tsr_search_mesh *mesh;
    const tsr_classes *classes;
    tsr_moves moves;           /* of layouts on the current mesh, if it has been asked for them */
    tsr_map spelt;             /* shardings by type and layout, on the current mesh */
    tsr_attr **given;          /* by argument: the user's; NULL: none */
    tsr_layout *given_layouts; /* by argument: the same, where they are layouts */
    uint32_t at;               /* number of the mesh */
    bool own;                  /* the mesh is the module's, and is kept */
    bool fixed;                /* shardings cannot change: computations are manual */
    int64_t budget;            /* candidates that may still be tried */
    double cells;              /* of all problems that the solver was given */
    double until;              /* deadline on the clock; 0: none */
    uint32_t searched;         /* meshes */
    bool told_to_stop;
    tsr_status *status;
    const bool *pinnable;  /* by op id: which results plans may pin; NULL: all */
    const bool *bringable; /* the same for ops whose operands plans may pin */
} tsr_chooser;

/* ---- auto.c ---- */

/* Opens the stages of a mesh, and finds what candidates are made from. share: how many meshes share the number of
 * candidates that may be tried. */
bool tsr_auto_look_at(tsr_chooser *c, uint32_t at, size_t share);

/* ---- auto_stage.c ---- */

/* Takes the program and prepares for helpers; the other frees all stages and helpers. */
void tsr_auto_begin(tsr_chooser *c, tsr_module *m);
void tsr_auto_end(tsr_chooser *c);
/* Opens the stages of a mesh, unless they are open; fold: also those with few layers. */
bool tsr_auto_open(tsr_chooser *c, uint32_t at, bool fold);
/* Opens the whole on this module itself, which gets the mesh and remains the caller's. */
bool tsr_auto_open_on(tsr_chooser *c, tsr_module *m, uint32_t at);
int64_t tsr_auto_ops_of_a_try(const tsr_chooser *c);

/* False: nothing was done, because stages could not be opened. */
typedef bool tsr_auto_body(tsr_chooser *c, int64_t i, void *user);
/* Calls body for each number below n, on several threads if there are helpers, each call with a chooser that no other
 * thread uses. Bodies write only data that belongs to their number. */
void tsr_auto_each(tsr_chooser *c, int64_t n, tsr_auto_body *body, void *user);

/* ---- auto_try.c ---- */

/* Sets the deadline to so many seconds from now; 0: none. */
void tsr_auto_set_end(tsr_chooser *c, double seconds);
bool tsr_auto_time_is_left(const tsr_chooser *c);
/* Tells the caller what was done; not from helpers. */
void tsr_auto_tell(tsr_chooser *c);

/* Writes the shardings of a plan into a function like the stage's. */
bool tsr_auto_apply(tsr_chooser *c, const tsr_auto_stage *stage, tsr_op *func,
                    const tsr_auto_plan *p);
/* Partitions a copy of the stage's module by the plan, simulates it, and records the result in the plan. The caller
 * owns the copy. */
tsr_module *tsr_auto_try(tsr_chooser *c, const tsr_auto_stage *stage, tsr_arena *arena,
                         tsr_auto_plan *p, tsr_simulated *s);
/* The peak of a plan that was tried, as the engine plans memory. */
void tsr_auto_plan_memory(tsr_simulated *s, tsr_auto_plan *p);
/* Tries a plan with few layers where they repeat, and extrapolates; else on the whole. Its memory is the engine's. */
void tsr_auto_estimate(tsr_chooser *c, tsr_auto_plan *p);
/* Tries the candidates that were not tried yet, all at once; returns the number of the best of them, or UINT32_MAX. */
uint32_t tsr_auto_consider(tsr_chooser *c, const tsr_auto_plan *plans, size_t n);
/* Tries plans on the whole, all at once. */
void tsr_auto_settle(tsr_chooser *c, const uint32_t *plans, uint32_t n);
bool tsr_auto_fits(const tsr_auto_result *r, const tsr_auto_plan *p);
/* Whether a is better than b: it fits, takes less time, moves fewer bytes, takes less memory. */
bool tsr_auto_is_better(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b);
/* The best plan of some origins, a bit each; UINT32_MAX if there is none. */
uint32_t tsr_auto_best(const tsr_auto_result *r, uint32_t origins);

/* ---- auto_find.c: candidates for the current mesh ---- */

/* Shardings that the user gave to arguments of a stage, where they are layouts: open dimensions are fixed too. Returns,
 * by argument, whether there is one. */
bool *tsr_auto_given(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_layout **out);
/* Names for the axes of the current mesh, by axis, in a plan that cuts arguments so. */
void tsr_auto_name_axes(const tsr_chooser *c, const tsr_layout *args, tsr_str *names);
void tsr_auto_try_search(tsr_chooser *c);
void tsr_auto_try_experts(tsr_chooser *c);
void tsr_auto_try_changes(tsr_chooser *c);

/* ---- auto_pins.c, auto_args.c, auto_express.c, auto_plan.c: what a plan consists of ---- */

/* Groups by union-find: the number of a group is the least of its members. */
static inline uint32_t tsr_auto_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}
static inline void tsr_auto_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = tsr_auto_root(parent, a);
    b = tsr_auto_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Keeps those pins of the best plan that it is slower without, and chooses the plan that has these alone. */
bool tsr_auto_fewer_pins(tsr_chooser *c, tsr_auto_pins *out);
/* Finds the best plan without pins, starting from several, and chooses it. */
bool tsr_auto_arguments_alone(tsr_chooser *c);
/* Which values plans may pin, by the request; on the open mesh. */
void tsr_auto_find_pinnable(tsr_chooser *c);
/* Drops the pins that plans may not have. */
void tsr_auto_leave_pinnable(const tsr_chooser *c, tsr_auto_plan *p);
/* Chooses by the request, before the module is given the plan; and makes the plan, of the open whole. */
bool tsr_auto_refine(tsr_chooser *c);
bool tsr_auto_make_plan(tsr_chooser *c);

#endif
