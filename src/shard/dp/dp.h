/* dp.h - data parallelism on TTIR: a batch in parts on the devices of one axis of a mesh.
 *
 * A value is whole on every device, or cut along one dimension, as many elements on each; where the batch does
 * not divide, it is filled up at its end, and what lies there never reaches a result. How an op works on parts is data:
 * the column SPLIT of its row has a sharding rule (rule/ttir.c), how partial results are joined, and a hook for
 * attributes that contain sizes (dp/local.c). The engine knows no op:
 *
 *     dp/split.c  which factor of an op's rule is cut, given how its operands are
 *     dp/plan.c   how every value of a function is, given its arguments; changes nothing
 *     dp/batch.c  which dimensions of arguments are the batch: plans of candidates are compared
 *     dp/apply.c  makes a function what its plan says; dp.c is the pass
 *
 * An op without a rule, or whose rule does not fit, has its operands put together first. */
#ifndef TSR_SHARD_DP_DP_H
#define TSR_SHARD_DP_DP_H

#include "dialect/ttcore/ttcore.h"
#include "pass/pass.h"
#include "shard/rule/rule.h"

enum { TSR_WHOLE = -1 };
/* What is cut has at most so many dimensions; a mesh has at most so many axes. */
enum { TSR_DP_RANK = 64, TSR_DP_AXES = 2 };

/* How a value lies on the devices. */
typedef struct {
    int32_t dim;  /* that is cut; TSR_WHOLE: none */
    int64_t real; /* its size */
    int64_t size; /* with what it is filled up with; a multiple of the devices */
} tsr_dp_part;

static inline tsr_dp_part tsr_dp_whole(void)
{
    return (tsr_dp_part){TSR_WHOLE, 0, 0};
}
static inline bool tsr_dp_same(tsr_dp_part a, tsr_dp_part b)
{
    return a.dim == b.dim && a.size == b.size;
}

/* How an op runs: along a factor of its rule that is cut; none: on whole values. */
typedef struct {
    int32_t factor; /* TSR_WHOLE: none */
    bool joins;     /* results are partial and joined */
    int64_t size;   /* of the factor over all devices */
} tsr_dp_choice;

typedef struct tsr_dp tsr_dp;
typedef struct tsr_dp_plan tsr_dp_plan;

/* A function with its arguments in these parts. */
struct tsr_dp_plan {
    tsr_op *func;
    tsr_dp_part *args; /* of arguments, as it turned out: what is written to may have to be whole */
    tsr_dp_part *results; /* of what it returns */
    bool *writes;         /* arguments that it changes */
    uint32_t op0, nop;    /* ids of its ops and values, which are dense */
    uint32_t value0, nvalue;
    tsr_dp_part *parts;     /* of values */
    tsr_dp_choice *choices; /* of ops */
    tsr_dp_part *
        *wants; /* of ops that run in parts, and calls: what operands must be like; NULL: whole */
    int64_t *reals;              /* of ops that run in parts: the size of their factor */
    const tsr_dp_plan **callees; /* of calls; NULL: called as it is, on whole values */
    bool *written;               /* values that some op changes */
    uint32_t passes, joins,
        gathers;       /* ops that run in parts; of them with joined results; values put together */
    bool cuts;         /* something is in parts */
    tsr_dp_part *key;  /* the arguments that were asked for */
    tsr_dp_plan *next; /* other plans of the function */
    tsr_op *copy;      /* dp.c: the function that was made of it */
};

struct tsr_dp {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena *arena;
    int64_t devices;
    uint32_t axis, naxis; /* of the mesh */
    const int64_t *mesh;
    bool pad;
    const tsr_rule **rules; /* by op id; NULL: not asked yet */
    tsr_dp_plan **plans;    /* by id of the function's op */
    uint8_t *busy;          /* by id of the function's op: being planned */
    uint8_t *writers; /* by id of the function's op: whether it writes to arguments (dp/plan.c) */
    uint32_t depth;   /* of calls */
    void *classes;    /* dp/batch.c */
};

/* ---- dp/split.c ---- */

/* The rule of op; NULL: it has none. */
const tsr_rule *tsr_dp_rule(tsr_dp *dp, tsr_op *op);
/* How to join partial results of op. False: there is no way. */
bool tsr_dp_join(const tsr_op *op, tsr_tt_reduce_type *how);
/* The operand that op changes; -1: none. */
int64_t tsr_dp_written(const tsr_op *op);
/* What the choice asks of tensor t of op (operands, then results). */
tsr_dp_part tsr_dp_want(const tsr_rule *r, const tsr_op *op, tsr_dp_choice c, uint32_t t);
/* The best way to run op with its operands like this. */
tsr_dp_choice tsr_dp_choose(tsr_dp *dp, tsr_op *op, const tsr_dp_part *in);
/* A way to run op so that its one result is like this; no operand is cut otherwise. */
tsr_dp_choice tsr_dp_choose_result(tsr_dp *dp, tsr_op *op, tsr_dp_part out);
/* The factor that is first in dimension d of tensor t, sizes of 1 apart, and the product of those after it. False: the
 * dimension is not made of its factors. */
bool tsr_dp_major(const tsr_rule *r, const tsr_op *op, uint32_t t, uint32_t d, uint32_t *factor,
                  int64_t *rest);
static inline const tsr_type *tsr_dp_type(const tsr_op *op, uint32_t t)
{
    return t < op->nin ? op->in[t].value->type : op->out[t - op->nin].type;
}
/* Whether a value of this type may be cut: sizes are known, and small enough to count with. */
bool tsr_dp_may_cut(const tsr_type *t);
/* The part of a dimension: filled up to a multiple of the devices. */
tsr_dp_part tsr_dp_cut(const tsr_dp *dp, const tsr_type *type, uint32_t dim);
/* A value that is whole serves as one in this part: the first device has all of it. */
static inline bool tsr_dp_fits(const tsr_dp *dp, tsr_dp_part have, tsr_dp_part want)
{
    return tsr_dp_same(have, want) ||
           (have.dim == TSR_WHOLE && want.dim != TSR_WHOLE && want.size == want.real * dp->devices);
}

/* ---- dp/plan.c ---- */

/* A function that can be planned: with a body of one block. */
bool tsr_dp_can_plan(const tsr_op *func);
tsr_dp_plan *tsr_dp_plan_func(tsr_dp *dp, tsr_op *func, const tsr_dp_part *args);
/* What operand i of an op in the function's block must be like. */
tsr_dp_part tsr_dp_operand(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *op, uint32_t i);

/* ---- dp/batch.c ---- */

/* Parts for the arguments of a function that nobody calls: its batch; whole ones for the rest, for all when there is
 * none. False after a diagnostic: the batch does not divide. */
bool tsr_dp_find_batch(tsr_dp *dp, tsr_op *func, tsr_dp_part *args);
/* What the user says about an argument: a tsr_tt_argument_type; -1: nothing. */
int tsr_dp_annotation(const tsr_op *func, uint32_t arg);

/* ---- dp/apply.c ---- */

/* Makes the function what the plan says. entry: arguments and results are whole outside. False after a diagnostic. */
bool tsr_dp_apply(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *func, bool entry);

/* ---- dp/local.c: hooks of SPLIT ---- */

/* Adapts attributes of op, whose results have their new types. */
typedef void tsr_dp_local_fn(tsr_op *op, int64_t real, int64_t local);
/* The same for an op that runs on whole values, when devices are more than one. */
void tsr_dp_local_whole(tsr_op *op);
tsr_dp_local_fn *tsr_dp_local(const tsr_op *op); /* NULL: nothing to do */

#endif
