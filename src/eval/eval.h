/* SPDX-License-Identifier: Apache-2.0 */
/* eval.h - the reference evaluator: runs functions of a module on host tensors, one op at a time, exactly.
 *
 * A plan is made once per module (which value is in which slot of a frame, which values die after which op); running
 * only reads it, the module and the context, so that the processes of a mesh can run it on threads of their own. An
 * op's kernel is the EVAL column of its row: bool eval_x(tsr_call *c). */
#ifndef TSR_EVAL_EVAL_H
#define TSR_EVAL_EVAL_H

#include "dialect/dialect.h"
#include "eval/tensor.h"

typedef struct tsr_plan tsr_plan;
typedef struct tsr_process tsr_process; /* eval/mesh.h: one member of a grid; NULL outside of one */

/* The failure of a run: one message, with the op's location. */
typedef struct {
    bool failed;
    bool environment; /* no memory and the like, not an error in the program */
    tsr_loc loc;
    tsr_buf message;
} tsr_failure;

/* The state of a run's random numbers (kernel/rng.c). */
typedef struct {
    uint64_t key, lane; /* lane: which process of a grid */
    uint64_t count;     /* blocks drawn so far */
} tsr_rng;

/* An op that divided integers by zero, and how often in this run. */
typedef struct {
    const tsr_op *op;
    int64_t n;
} tsr_zero_count;

typedef struct tsr_eval {
    tsr_ctx *ctx;
    tsr_module *module;
    const tsr_plan *plan;
    tsr_failure failure;
    tsr_rng rng;
    tsr_zero_division zero_division;
    TSR_VEC(tsr_zero_count) zeros; /* in order of first occurrence */
    uint32_t *zero_at;             /* by op id: index in zeros + 1; NULL: none yet */
    tsr_process *process;
    tsr_tensor **states; /* values of tessera.state, by op id; NULL: none yet (tessera/effect.c) */
    struct tsr_tt_store
        *store;    /* values stored by ttcore.set_key_value; NULL: none yet (ttir/ttcore.c) */
    int64_t batch; /* > 0: a body is running on this many elements at once (eval/body.h) */
    struct tsr_stepper
        *engine; /* for grids that the run starts (eval/mesh.h); NULL: the evaluator */
    struct tsr_remote
        *remote; /* ranks that run processes of such grids (eval/remote.h); NULL: none */
    struct tsr_eval_host *host; /* callbacks of the tool: printing, probes, feeds; may be NULL */
} tsr_eval;

/* One op being run. */
typedef struct {
    tsr_eval *e;
    const tsr_op *op;
    tsr_tensor **
        in; /* op->nin; borrowed: a kernel that keeps one takes a reference. NULL after tsr_call_take */
    tsr_tensor **out; /* op->nout, to be set; the caller then owns them */
    const bool *last; /* by operand: it dies here and may be reused (tsr_call_take) */
    struct tsr_frame *frame;
    int64_t batch; /* e->batch */
    /* Memory of the caller for results, by result of the call with these outs: the first request for a result of the
     * tensor's type gets it (tsr_call_new); if a kernel makes another tensor instead, it is copied. The array or any
     * entry may be NULL: none. */
    tsr_tensor **into, **into_outs;
    const struct tsr_comm
        *comm; /* of a collective: its parameters (dialect/comm.h); NULL: not decoded yet */
} tsr_call;

typedef bool eval_fn(tsr_call *c);

/* Makes the plan of all functions; NULL after a diagnostic. An op without a kernel is NOT an error here: it fails when
 * it is reached. */
tsr_plan *tsr_plan_new(tsr_module *m);
void tsr_plan_free(tsr_plan *p);

void tsr_eval_init(tsr_eval *e, tsr_module *m, const tsr_plan *plan);
void tsr_eval_free(tsr_eval *e);
/* Initializes the run of process id in a grid that c starts; the other adds its counts to c when it has ended. */
void tsr_eval_init_process(tsr_eval *e, const tsr_call *c, tsr_process *process, uint32_t id);
void tsr_eval_join_process(tsr_call *c, const tsr_eval *e);
/* Random numbers of a seed from their start; those of process id in a grid that a run starts. tsr_rng_skip: the run's
 * next grid gets different numbers. */
void tsr_rng_start(tsr_rng *r, uint64_t seed);
tsr_rng tsr_rng_of_process(const tsr_rng *r, uint32_t id);
void tsr_rng_skip(tsr_rng *r);
/* Fills a tensor with the output of rng_bit_generator for PHILOX and this state; returns how many blocks it took. */
uint64_t tsr_philox(tsr_tensor *bits, uint64_t key, uint64_t counter);
/* Runs a function. in: borrowed. out: one per result; the caller owns them. False: see e->failure. */
bool tsr_eval_function(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out);
/* The same; changed[i]: the final value of argument i if an op has changed it in place, else NULL. The caller owns
 * them. */
bool tsr_eval_changing(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out, tsr_tensor **changed);
/* The function that a declaration refers to: host modules (ttcore.cpu_module) have it under the same name, or without
 * the suffix "_decl". NULL if there is none. */
const tsr_op *tsr_host_function(const tsr_op *module, tsr_str name);
/* Runs the function of this symbol on c's operands, for c's results. A function that is only declared here may have its
 * body in a ttcore.cpu_module. */
bool tsr_call_symbol(tsr_call *c, const tsr_attr *symbol);
void tsr_tt_store_free(struct tsr_tt_store *store);
/* Runs a region of c->op once: args are borrowed, results owned by the caller. */
bool tsr_eval_region(tsr_call *c, const tsr_region *region, tsr_tensor *const *args, size_t nargs,
                     tsr_tensor **out, size_t nout);

/* The same with arguments that the region owns, so that its ops may overwrite those that die there. */
bool tsr_eval_region_own(tsr_call *c, const tsr_region *region, tsr_tensor **args, size_t nargs,
                         tsr_tensor **out, size_t nout);
/* Drops the arguments of a region. */
void tsr_eval_region_clear(tsr_call *c, const tsr_region *region);

/* For kernels. */
/* n of m integer divisors are 0: acts by the options of the run. False is a failure. */
bool tsr_divides_by_zero(tsr_call *c, int64_t n, int64_t m);
/* For an op that divides: counts zeros among its integer divisors. False: there is one, and that is a failure. */
bool tsr_check_divisors(tsr_call *c);
bool tsr_fail(tsr_call *c, const char *fmt, ...) TSR_PRINTF(2, 3); /* always false */
bool tsr_fail_memory(tsr_call *c, const char *what);
/* A new tensor for a result or an intermediate value; NULL after a failure. */
tsr_tensor *tsr_call_tensor(tsr_call *c, tsr_type *elem, const int64_t *dims, size_t rank);
/* A new tensor for result i with these dims and the element type of the result's type. Sets c->out[i]; NULL after a
 * failure. */
tsr_tensor *tsr_call_new(tsr_call *c, size_t i, const int64_t *dims, size_t rank);
/* The same with the static dims of the result's type. */
tsr_tensor *tsr_call_static(tsr_call *c, size_t i);
/* A new tensor for result i of a pointwise op: with the shape of its operands or, in a body that runs on many elements
 * at once, with that many elements. Operands then have as many elements, or one, which applies to all: step by
 * tsr_row_step. */
tsr_tensor *tsr_call_pointwise(tsr_call *c, size_t i);
static inline int64_t tsr_row_step(const tsr_tensor *t, int64_t n)
{
    return t->n == n ? 1 : 0;
}
/* Operand i, owned by the caller: moved if it dies here, else a new reference. */
tsr_tensor *tsr_call_take(tsr_call *c, size_t i);
static inline tsr_dtype tsr_call_dtype(const tsr_call *c, size_t i)
{
    return (tsr_dtype)c->in[i]->dtype;
}
/* Inherent attributes. */
static inline const tsr_attr *tsr_call_attr(const tsr_call *c, int slot)
{
    return tsr_attr_of(c->op, slot);
}
/* Writes the i64 elements of an array<i64> or dense attribute to out (at most max); returns how many there are; 0 if a
 * is NULL. */
size_t tsr_ints_of(const tsr_attr *a, int64_t *out, size_t max);

#endif
