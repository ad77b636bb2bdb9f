/* SPDX-License-Identifier: Apache-2.0 */
/* propagate.h - the propagation engine: spreads shardings of some values of a module to the others.
 *
 * Shardings are in an array indexed by value id while the engine runs, and are written back once. The role of an op in
 * propagation (its rule, the values it relates) is found once and kept for all rounds: a site. A round visits every op,
 * and again each op affected by a change, in the order of MLIR's greedy rewriter, since the result depends on it.
 * MLIR's worklist is a stack that first holds the whole program; ops of a changed value are pushed unless they are
 * already on it. Here the program is not put on the stack: ops after the cursor count as waiting. */
#ifndef TSR_SHARD_PROPAGATE_PROPAGATE_H
#define TSR_SHARD_PROPAGATE_PROPAGATE_H

#include "shard/propagate/factor.h"
#include "shard/rule/spread.h"

/* ---- For passes and tools (propagate.c) ---- */

typedef struct {
    bool basic, aggressive; /* strategies, in this order */
    /* five rounds, by how early shardings propagate through each op; else one */
    bool op_priorities;
    bool user_priorities; /* rounds for each priority that dimension shardings have */
    bool conservative;    /* no sub-axes, and no axes that do not divide a dimension */
    bool extra_rules;     /* our own rules where Shardy has none */
    /* results of all functions are sharded like the values they return, not only those of the entry */
    bool all_functions;
    bool keep_rules; /* leave each op's rule on it */
    /* the function that is not called; if it is the only one, it may have any name */
    tsr_str entry;
    /* Called after each user priority but the last; shardings are written back before. May be NULL. */
    void (*after_priority)(void *user, tsr_op *module, int64_t priority);
    void *user;
    struct tsr_why *why; /* records what happened; may be NULL */
} tsr_propagate_options;

/* Propagates in a module whose ids are dense and in program order. False after a diagnostic; then nothing was written
 * back. */
bool tsr_propagate(tsr_arena *scratch, tsr_op *module, const tsr_propagate_options *options);

/* ---- Inside the engine ---- */

enum { TSR_NO_PLACE = UINT32_MAX };

typedef enum {
    TSR_SITE_UNKNOWN,
    TSR_SITE_NONE,      /* nothing propagates through the op */
    TSR_SITE_RULE,      /* operands and results, by the op's rule */
    TSR_SITE_EDGE,      /* sources of a data flow edge and the edge */
    TSR_SITE_FUNC_EDGE, /* values passed by callers, or returned by a callee, and the edge */
    TSR_SITE_BARRIER,   /* like a rule, in the directions that the barrier allows */
    TSR_SITE_FUNC,      /* a function's returned values, and its results' shardings */
} tsr_site_kind;

typedef struct {
    const tsr_rule *rule; /* equal rules are the same object */
    union {
        /* places of up to four tensors, else in many; TSR_NO_PLACE: cannot be sharded */
        uint32_t few[4];
        uint32_t *many;
    };
    uint32_t ntensor;
    uint32_t visited; /* the time of the last visit */
    uint32_t quiet; /* kinds of visits that changed nothing then; see settled in propagate/step.c */
    uint8_t kind;   /* tsr_site_kind */
    uint8_t spread; /* tsr_spread */
    uint8_t barrier; /* TSR_SITE_BARRIER: tsr_sdy_direction */
    bool manual;     /* edge of a manual computation, whose sources see more or fewer axes */
    /* whether the rule has pass-through factors, and others, that are not blocked */
    bool passes, others;
} tsr_site;

static inline const uint32_t *tsr_site_places(const tsr_site *s)
{
    return s->ntensor <= TSR_COUNT(s->few) ? s->few : s->many;
}

typedef struct {
    tsr_op *func;
    uint32_t first;  /* place of its first result */
    tsr_site *sites; /* one per result; NULL: shardings do not propagate there */
} tsr_func_results;

typedef struct {
    uint32_t *members; /* value ids */
    uint32_t n;
} tsr_value_group;

typedef struct tsr_engine {
    const tsr_propagate_options *options;
    tsr_ctx *ctx;
    tsr_op *module;
    tsr_arena *arena;
    tsr_arena step; /* scratch of one visit */
    tsr_shardings table;
    tsr_rules rules;

    /* By value id, which is also the value's place if it holds its own sharding. Results of functions come after. */
    uint32_t nvalue, nplace;
    tsr_value **values;
    uint32_t *place;             /* where the value's sharding is stored */
    const tsr_sharding **now;    /* by place: current sharding */
    const tsr_sharding **before; /* as in the module */
    uint32_t *changed;           /* by place: time of the last change */
    uint32_t time;

    /* By op id. */
    uint32_t nop;
    tsr_site *sites;
    tsr_op **program;  /* all ops, in program order; NULL: erased, or the module */
    uint32_t *waiting; /* index on the stack + 1; 0: not there */
    tsr_op **
        above; /* the nearest op around it that may need visits, as far as is known; NULL: its parent */
    tsr_op **stack;
    size_t nstack, stack_cap;
    uint32_t cursor; /* ops with larger ids are waiting */
    tsr_op *current;
    bool first; /* the first round: unused ops have not been removed yet */
    bool given; /* some ops already had rules */
    bool has_calls, has_groups;

    tsr_map rule_map;                 /* rules by content */
    const tsr_rule *(*rules_seen)[2]; /* recent lookups and their results */
    tsr_map memo;                     /* results of visits, by rule, shardings and kind */

    /* Calls: for a function its first call, for a call the next one of the same function; NULL if there are none. By op
     * id. */
    tsr_op **calls;
    tsr_op **callees; /* by id of the call */
    /* By value id: whose users matter, where a chain of calls only hands the value on; NULL: not known yet. */
    const tsr_value **handed_to;
    uint32_t nfunc;

    tsr_func_results *funcs; /* for all functions */

    tsr_value_group *groups;
    uint32_t ngroup;
    uint32_t *group_of; /* by value id: index + 1; NULL when there are no groups */

    tsr_strategy strategy;
    unsigned round; /* see spread.h */
} tsr_engine;

/* propagate/state.c: values, places, groups, functions. */
bool tsr_engine_init(tsr_engine *e, tsr_arena *scratch, tsr_op *module,
                     const tsr_propagate_options *options);
void tsr_engine_free(tsr_engine *e);
/* Sets the sharding at a place; other results of its op without a sharding get open ones. */
void tsr_engine_set(tsr_engine *e, uint32_t place, const tsr_sharding *sharding);
void tsr_engine_write_back(tsr_engine *e);

/* propagate/site.c */
/* the interned rule with this content */
const tsr_rule *tsr_engine_rule(tsr_engine *e, const tsr_rule *rule);
tsr_site *tsr_engine_site(tsr_engine *e, tsr_op *op);
void tsr_engine_func_sites(tsr_engine *e, tsr_func_results *f);

/* propagate/step.c: visits a site. Returns whether something changed. */
bool tsr_engine_step(tsr_engine *e, tsr_op *op, tsr_site *site);
/* propagate.c: pushes everything that a change of the value may affect. */
void tsr_engine_notify(tsr_engine *e, const tsr_value *v);

/* priority.c: hides dimension shardings of later priorities, and restores them at their priority. */
typedef struct tsr_priorities tsr_priorities;
tsr_priorities *tsr_priorities_start(tsr_engine *e);
bool tsr_priorities_more(const tsr_priorities *p);
/* Restores those of the next priority, and returns it. */
int64_t tsr_priorities_next(tsr_engine *e, tsr_priorities *p);

#endif
