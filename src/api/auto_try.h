/* auto_try.h - candidates of the search for shardings: on which modules they are tried, and which is the best. */
#ifndef TSR_API_AUTO_TRY_H
#define TSR_API_AUTO_TRY_H

#include "api/auto.h"
#include "search/fold.h"

/* A module that plans are tried on: the whole, or one with fewer layers. */
typedef struct {
    tsr_module *module; /* without shardings, with the mesh at hand */
    tsr_op *func;
    uint32_t layers;     /* that it has of those that repeat */
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
    tsr_module *copy;    /* of it, with the mesh at hand; NULL: none is open */
    tsr_auto_crew *crew; /* NULL: none, or this is a helper's */
    tsr_auto_stage whole;
    tsr_auto_stage small[TSR_AUTO_SMALL]; /* where layers repeat: with few, and with one more */
    uint32_t nsmall, nlayer;
    bool folds; /* it was tried whether there are some */
    tsr_auto_plan
        least; /* what the best plan that fits takes with few layers; works: there is one */
    const tsr_search_mesh *mesh;
    const tsr_classes *classes;
    tsr_map spelt;             /* shardings by type and layout, on the mesh at hand */
    tsr_attr **given;          /* by argument: the user's; NULL: none */
    tsr_layout *given_layouts; /* by argument: the same, as far as they are layouts */
    uint32_t at;               /* number of the mesh */
    bool own;                  /* the mesh is the module's, and stays */
    bool fixed;                /* shardings are as they are: computations are manual */
    int64_t budget;            /* candidates that may still be tried */
    double until;              /* on the clock; 0: no end */
    tsr_status *status;
} tsr_chooser;

/* ---- auto_stage.c ---- */

/* Takes the program and prepares for helpers; gives all stages and helpers back. */
void tsr_auto_begin(tsr_chooser *c, tsr_module *m);
void tsr_auto_end(tsr_chooser *c);
/* Opens the stages of a mesh, where they are not open; fold: those with few layers as well. */
bool tsr_auto_open(tsr_chooser *c, uint32_t at, bool fold);
/* Opens the whole on this module itself, which gets the mesh and stays the caller's. */
bool tsr_auto_open_on(tsr_chooser *c, tsr_module *m, uint32_t at);
int64_t tsr_auto_ops_of_a_try(const tsr_chooser *c);

/* False: nothing was done, since stages could not be opened. */
typedef bool tsr_auto_body(tsr_chooser *c, int64_t i, void *user);
/* Calls body for each number below n, on several threads where there are helpers, each time with a chooser that is no other thread's. Bodies write
 * nothing but what belongs to their number. */
void tsr_auto_each(tsr_chooser *c, int64_t n, tsr_auto_body *body, void *user);

/* ---- auto_try.c ---- */

/* So many seconds from now on; 0: no end. */
void tsr_auto_set_end(tsr_chooser *c, double seconds);
bool tsr_auto_time_is_left(const tsr_chooser *c);

/* Writes the shardings of a plan into a function that is as the stage's. */
bool tsr_auto_apply(tsr_chooser *c, const tsr_auto_stage *stage, tsr_op *func,
                    const tsr_auto_plan *p);
/* Partitions a copy of the stage's module by the plan, simulates it, and notes what that says. The copy is the caller's. */
tsr_module *tsr_auto_try(tsr_chooser *c, const tsr_auto_stage *stage, tsr_arena *arena,
                         tsr_auto_plan *p, tsr_simulated *s);
/* Tries those of some candidates that were not tried yet, all at once: the number of the best of them, or UINT32_MAX. */
uint32_t tsr_auto_consider(tsr_chooser *c, const tsr_auto_plan *plans, size_t n);
/* Tries plans on the whole, all at once. */
void tsr_auto_settle(tsr_chooser *c, const uint32_t *plans, uint32_t n);
bool tsr_auto_fits(const tsr_auto_result *r, const tsr_auto_plan *p);
/* Whether a is better than b: it fits, takes less time, moves less, takes less memory. */
bool tsr_auto_is_better(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b);
/* The best plan of some origins, a bit each; UINT32_MAX: there is none. */
uint32_t tsr_auto_best(const tsr_auto_result *r, uint32_t origins);

/* ---- auto_find.c: candidates of the mesh at hand ---- */

/* Shardings that the user gave to arguments of a stage, as far as they are layouts: open dimensions stay as they are, too. By argument: whether
 * there is one. */
bool *tsr_auto_given(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_layout **out);
void tsr_auto_try_search(tsr_chooser *c);
void tsr_auto_try_experts(tsr_chooser *c);
void tsr_auto_try_changes(tsr_chooser *c);

#endif
