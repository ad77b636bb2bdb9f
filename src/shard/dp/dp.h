/* SPDX-License-Identifier: Apache-2.0 */
/* dp.h - data parallelism on TTIR: a batch divided over the devices of one axis of a mesh.
 *
 * A value is whole on every device, or cut along one dimension into equal parts; if the batch does not divide, it is
 * padded at its end, and the padding never reaches a result. How an op works on parts is data: the column SPLIT of its
 * row has a sharding rule (rule/ttir.c), how partial results are combined, and a hook for attributes that contain sizes
 * (dp/local.c). The engine knows no op:
 *
 *     dp/split.c  which factor of an op's rule is cut, given the layout of its operands
 *     dp/plan.c   the layout of every value of a function, given its arguments; changes nothing
 *     dp/batch.c  which dimensions of arguments are the batch: plans of candidates are compared
 *     dp/apply.c  rewrites a function according to its plan; dp.c is the pass
 *
 * The operands of an op without a rule, or whose rule does not fit, are gathered first. */
#ifndef TSR_SHARD_DP_DP_H
#define TSR_SHARD_DP_DP_H

#include "dialect/ttcore/ttcore.h"
#include "pass/pass.h"
#include "shard/rule/rule.h"

enum { TSR_WHOLE = -1 };
/* Maximum rank of a value that is cut; maximum number of axes of a mesh. */
enum { TSR_DP_RANK = 64, TSR_DP_AXES = 2 };

/* How a value is distributed over the devices. */
typedef struct {
    int32_t dim;  /* dimension that is cut; TSR_WHOLE: none */
    int64_t real; /* its size without padding */
    int64_t size; /* its size with padding; a multiple of the devices */
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
    bool joins;     /* results are partial and must be combined */
    int64_t size;   /* of the factor over all devices */
} tsr_dp_choice;

typedef struct tsr_dp tsr_dp;
typedef struct tsr_dp_plan tsr_dp_plan;

/* A function with its arguments divided in this way. */
struct tsr_dp_plan {
    tsr_op *func;
    /* of arguments, as determined: those that are written to may have to be whole */
    tsr_dp_part *args;
    tsr_dp_part *results; /* of returned values */
    bool *writes;         /* arguments that it changes */
    uint32_t op0, nop;    /* range of the ids of its ops and values, which are dense */
    uint32_t value0, nvalue;
    tsr_dp_part *parts;     /* of values */
    tsr_dp_choice *choices; /* of ops */
    /* for ops that run in parts, and calls: required parts of operands; NULL: whole */
    tsr_dp_part **wants;
    int64_t *reals;              /* for ops that run in parts: the size of their factor */
    const tsr_dp_plan **callees; /* for calls; NULL: called unchanged, on whole values */
    bool *written;               /* values that some op changes */
    uint32_t passes, joins,
        gathers;       /* ops that run in parts; those with combined results; gathered values */
    bool cuts;         /* something is in parts */
    tsr_dp_part *key;  /* the requested parts of arguments */
    tsr_dp_plan *next; /* other plans of the function */
    tsr_op *copy;      /* dp.c: the function created from it */
};

struct tsr_dp {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena *arena;
    int64_t devices;
    uint32_t axis, naxis; /* of the mesh */
    const int64_t *mesh;
    bool pad;
    const tsr_rule **rules; /* by op id; NULL: not yet looked up */
    tsr_dp_plan **plans;    /* by id of the function's op */
    uint8_t *busy;          /* by id of the function's op: being planned */
    uint8_t *writers; /* by id of the function's op: whether it writes to arguments (dp/plan.c) */
    uint32_t depth;   /* of calls */
    void *classes;    /* dp/batch.c */
};

/* ---- dp/split.c ---- */

/* The rule of op; NULL: it has none. */
const tsr_rule *tsr_dp_rule(tsr_dp *dp, tsr_op *op);
/* How to combine partial results of op. False: not possible. */
bool tsr_dp_join(const tsr_op *op, tsr_tt_reduce_type *how);
/* The operand that op writes to; -1: none. */
int64_t tsr_dp_written(const tsr_op *op);
/* The part that the choice requires of tensor t of op (operands, then results). */
tsr_dp_part tsr_dp_want(const tsr_rule *r, const tsr_op *op, tsr_dp_choice c, uint32_t t);
/* The best way to run op with its operands divided in this way. */
tsr_dp_choice tsr_dp_choose(tsr_dp *dp, tsr_op *op, const tsr_dp_part *in);
/* A way to run op that divides its only result in this way; no operand is cut differently. */
tsr_dp_choice tsr_dp_choose_result(tsr_dp *dp, tsr_op *op, tsr_dp_part out);
/* The first factor of dimension d of tensor t, ignoring sizes of 1, and the product of those after it. False: the
 * dimension is not the product of its factors. */
bool tsr_dp_major(const tsr_rule *r, const tsr_op *op, uint32_t t, uint32_t d, uint32_t *factor,
                  int64_t *rest);
static inline const tsr_type *tsr_dp_type(const tsr_op *op, uint32_t t)
{
    return t < op->nin ? op->in[t].value->type : op->out[t - op->nin].type;
}
/* Whether a value of this type may be cut: sizes are static, and small enough for the arithmetic. */
bool tsr_dp_may_cut(const tsr_type *t);
/* The part of a dimension: padded to a multiple of the devices. */
tsr_dp_part tsr_dp_cut(const tsr_dp *dp, const tsr_type *type, uint32_t dim);
/* Whether have can be used as want: equal, or a whole value where the first device's part is all of it. */
static inline bool tsr_dp_fits(const tsr_dp *dp, tsr_dp_part have, tsr_dp_part want)
{
    return tsr_dp_same(have, want) ||
           (have.dim == TSR_WHOLE && want.dim != TSR_WHOLE && want.size == want.real * dp->devices);
}

/* ---- dp/plan.c ---- */

/* A function that can be planned: with a body of one block. */
bool tsr_dp_can_plan(const tsr_op *func);
tsr_dp_plan *tsr_dp_plan_func(tsr_dp *dp, tsr_op *func, const tsr_dp_part *args);
/* The required part of operand i of an op in the function's block. */
tsr_dp_part tsr_dp_operand(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *op, uint32_t i);

/* ---- dp/batch.c ---- */

/* Chooses parts for the arguments of a function that is not called: its batch is cut, the rest whole; all whole if
 * there is no batch. False after a diagnostic: the batch does not divide. */
bool tsr_dp_find_batch(tsr_dp *dp, tsr_op *func, tsr_dp_part *args);
/* The user's annotation of an argument: a tsr_tt_argument_type; -1: none. */
int tsr_dp_annotation(const tsr_op *func, uint32_t arg);

/* ---- dp/apply.c ---- */

/* Rewrites the function according to the plan. entry: arguments and results are whole outside. False after a
 * diagnostic. */
bool tsr_dp_apply(tsr_dp *dp, const tsr_dp_plan *p, tsr_op *func, bool entry);

/* ---- dp/local.c: hooks of SPLIT ---- */

/* Adapts attributes of op, whose results have their new types. */
typedef void tsr_dp_local_fn(tsr_op *op, int64_t real, int64_t local);
/* The same for an op that runs on whole values, when devices are more than one. */
void tsr_dp_local_whole(tsr_op *op);
tsr_dp_local_fn *tsr_dp_local(const tsr_op *op); /* NULL: nothing to do */

#endif
