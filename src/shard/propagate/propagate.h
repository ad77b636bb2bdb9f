/* propagate.h - the propagation engine: shardings of some values of a module spread to the others.
 *
 * Shardings live in an array by value id while the engine runs, and are written back once. What an op has to do with
 * propagation (its rule, which values it compares) is found once and kept over all rounds: a site. A round visits every
 * op, and again each op that something happened to, in the order of MLIR's greedy rewriter, since the answer depends on
 * it. Its worklist is a stack, first filled with the program; on it come the ops of a changed value unless they wait there
 * already. Here the program is not put on the stack: what comes after the cursor waits. */
#ifndef TSR_SHARD_PROPAGATE_PROPAGATE_H
#define TSR_SHARD_PROPAGATE_PROPAGATE_H

#include "shard/propagate/factor.h"
#include "shard/rule/spread.h"

/* ---- For passes and tools (propagate.c) ---- */

typedef struct {
    bool basic, aggressive; /* strategies, in this order */
    bool op_priorities;     /* five rounds, by how early shardings go through each op; else one */
    bool user_priorities;   /* rounds for each priority that dimension shardings have */
    bool conservative;      /* no parts of axes, and no axes that do not divide a dimension */
    bool extra_rules;       /* rules of our own where Shardy has none */
    bool
        all_functions; /* results of all functions are sharded as what they return, not only those of the entry */
    bool keep_rules; /* leave each op's rule on it */
    tsr_str entry;   /* the function that is not called; the only one may have any name */
    /* Called after each user priority but the last; shardings are written back before. May be NULL. */
    void (*after_priority)(void *user, tsr_op *module, int64_t priority);
    void *user;
    struct tsr_why *why; /* keeps what happened; may be NULL */
} tsr_propagate_options;

/* Propagates in a module whose ids are dense and in program order. False after a diagnostic; then nothing was written back. */
bool tsr_propagate(tsr_arena *scratch, tsr_op *module, const tsr_propagate_options *options);

/* ---- Inside the engine ---- */

enum { TSR_NO_PLACE = UINT32_MAX };

typedef enum {
    TSR_SITE_UNKNOWN,
    TSR_SITE_NONE,      /* nothing goes through the op */
    TSR_SITE_RULE,      /* operands and results, by the op's rule */
    TSR_SITE_EDGE,      /* sources of a data flow edge and the edge */
    TSR_SITE_FUNC_EDGE, /* what callers pass, or what a callee returns, and the edge */
    TSR_SITE_BARRIER,   /* as a rule, in the directions that the barrier allows */
    TSR_SITE_FUNC,      /* what a function returns, and its results' shardings */
} tsr_site_kind;

typedef struct {
    const tsr_rule *rule; /* equal rules are the same one */
    union {
        uint32_t few
            [4]; /* places of up to four tensors, else of more; TSR_NO_PLACE: cannot be sharded */
        uint32_t *many;
    };
    uint32_t ntensor;
    uint32_t visited; /* the time of the last visit */
    uint32_t
        quiet; /* the manners of visits that changed nothing then; see settled in propagate/step.c */
    uint8_t kind;    /* tsr_site_kind */
    uint8_t spread;  /* tsr_spread */
    uint8_t barrier; /* TSR_SITE_BARRIER: tsr_sdy_direction */
    bool manual; /* edge of a manual computation, which sees less axes than its sources, or more */
    bool passes,
        others; /* whether the rule has pass-through factors, and others, that are not blocked */
} tsr_site;

static inline const uint32_t *tsr_site_places(const tsr_site *s)
{
    return s->ntensor <= TSR_COUNT(s->few) ? s->few : s->many;
}

typedef struct {
    tsr_op *func;
    uint32_t first;  /* place of its first result */
    tsr_site *sites; /* one per result; NULL: shardings do not spread there */
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

    /* By value id, which is also the value's place when it holds its own sharding. Results of functions come after. */
    uint32_t nvalue, nplace;
    tsr_value **values;
    uint32_t *place;             /* where the value's sharding is */
    const tsr_sharding **now;    /* by place */
    const tsr_sharding **before; /* as the module has it */
    uint32_t *changed;           /* by place: when */
    uint32_t time;

    /* By op id. */
    uint32_t nop;
    tsr_site *sites;
    tsr_op **program;  /* all ops, in program order; NULL: erased, or the module */
    uint32_t *waiting; /* index on the stack + 1; 0: not there */
    tsr_op **stack;
    size_t nstack, stack_cap;
    uint32_t cursor; /* ops of larger ids wait */
    tsr_op *current;
    bool first; /* the first round: unused ops are still there */
    bool given; /* some ops had rules on them */
    bool has_calls, has_groups;

    tsr_map rule_map;                 /* rules by content */
    const tsr_rule *(*rules_seen)[2]; /* some that were looked up there, and what was found */
    tsr_map memo;                     /* what visits did, by rule, shardings and manner */

    /* Calls: of a function the first, of a call the next one of the same function; NULL when there are none. By op id. */
    tsr_op **calls;
    tsr_op **callees; /* by id of the call */
    uint32_t nfunc;

    tsr_func_results *funcs; /* of all functions */

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
/* Sets the sharding at a place; other results of its op that have none get open ones. */
void tsr_engine_set(tsr_engine *e, uint32_t place, const tsr_sharding *sharding);
void tsr_engine_write_back(tsr_engine *e);

/* propagate/site.c */
const tsr_rule *tsr_engine_rule(tsr_engine *e, const tsr_rule *rule); /* the one of this content */
tsr_site *tsr_engine_site(tsr_engine *e, tsr_op *op);
void tsr_engine_func_sites(tsr_engine *e, tsr_func_results *f);

/* propagate/step.c: one visit of a site. Whether something changed. */
bool tsr_engine_step(tsr_engine *e, tsr_op *op, tsr_site *site);
/* propagate.c: everything that a change of the value may concern goes on the stack. */
void tsr_engine_notify(tsr_engine *e, const tsr_value *v);

/* priority.c: dimension shardings of later priorities are hidden, and come back when it is their turn. */
typedef struct tsr_priorities tsr_priorities;
tsr_priorities *tsr_priorities_start(tsr_engine *e);
bool tsr_priorities_more(const tsr_priorities *p);
/* Shows those of the next priority, and says which it is. */
int64_t tsr_priorities_next(tsr_engine *e, tsr_priorities *p);

#endif
