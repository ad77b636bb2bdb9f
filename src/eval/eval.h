/* eval.h - the reference evaluator: runs functions of a module on host tensors, one op at a time, exactly.
 *
 * A plan is made once per module (which value is in which slot of a frame, which values die after which op); running
 * only reads it, the module and the context, so that the processes of a mesh run it on threads of their own. An op's kernel
 * is the EVAL column of its row: bool eval_x(tsr_call *c). */
#ifndef TSR_EVAL_EVAL_H
#define TSR_EVAL_EVAL_H

#include "dialect/dialect.h"
#include "eval/tensor.h"

typedef struct tsr_plan tsr_plan;
typedef struct tsr_process tsr_process; /* eval/mesh.h: one member of a grid; NULL outside of one */

/* Where a run tells what went wrong: one message, with the op's location. */
typedef struct {
    bool failed;
    bool environment; /* no memory and the like, not the program's fault */
    tsr_loc loc;
    tsr_buf message;
} tsr_failure;

/* Where a run is in its random numbers (kernel/rng.c). */
typedef struct {
    uint64_t key, lane; /* lane: which process of a grid */
    uint64_t count;     /* blocks that were drawn */
} tsr_rng;

/* An op that divided integers by zero, and how many in this run. */
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
    TSR_VEC(tsr_zero_count) zeros; /* in the order in which they came */
    uint32_t *zero_at;             /* by op id: place in zeros + 1; NULL: none yet */
    tsr_process *process;
    tsr_tensor **
        states; /* values of tessera.state, by op id; NULL: none was asked for (tessera/effect.c) */
    struct tsr_tt_store
        *store;    /* what ttcore.set_key_value keeps; NULL: nothing yet (ttir/ttcore.c) */
    int64_t batch; /* > 0: a body is being run on this many elements at once (eval/body.h) */
    struct tsr_stepper
        *engine; /* of grids that the run starts (eval/mesh.h); NULL: the evaluator */
    struct tsr_remote
        *remote; /* ranks that run processes of such grids (eval/remote.h); NULL: none */
    struct tsr_eval_host *host; /* what the tool gives: printing, probes, feeds; may be NULL */
} tsr_eval;

/* One op being run. */
typedef struct {
    tsr_eval *e;
    const tsr_op *op;
    tsr_tensor **
        in; /* op->nin; borrowed: a kernel that keeps one takes a reference. NULL after tsr_call_take */
    tsr_tensor **out; /* op->nout, to be set; the caller owns them then */
    const bool *
        last; /* by operand: the value dies here, so that a kernel may take it over (tsr_call_take) */
    struct tsr_frame *frame;
    int64_t batch; /* e->batch */
    /* Memory that the caller has for results, by result of the call with these outs: the first who asks for a result of the tensor's
     * type gets it (tsr_call_new), and who made another tensor instead has it copied. NULL, or one that is: none. */
    tsr_tensor **into, **into_outs;
} tsr_call;

typedef bool eval_fn(tsr_call *c);

/* Makes the plan of all functions; NULL after a diagnostic when some op has no kernel is NOT an error here: it fails when it
 * is reached. */
tsr_plan *tsr_plan_new(tsr_module *m);
void tsr_plan_free(tsr_plan *p);

void tsr_eval_init(tsr_eval *e, tsr_module *m, const tsr_plan *plan);
void tsr_eval_free(tsr_eval *e);
/* A run of process id in a grid that c starts; and what it counted, when it has ended. */
void tsr_eval_init_process(tsr_eval *e, const tsr_call *c, tsr_process *process, uint32_t id);
void tsr_eval_join_process(tsr_call *c, const tsr_eval *e);
/* Random numbers of a seed from their start; those of process id in a grid that a run starts. tsr_rng_skip: the run's
 * next grid is to have others. */
void tsr_rng_start(tsr_rng *r, uint64_t seed);
tsr_rng tsr_rng_of_process(const tsr_rng *r, uint32_t id);
void tsr_rng_skip(tsr_rng *r);
/* Fills a tensor with what rng_bit_generator gives for PHILOX and a state of these two; how many blocks it took. */
uint64_t tsr_philox(tsr_tensor *bits, uint64_t key, uint64_t counter);
/* Runs a function. in: borrowed. out: as many as the function has results; the caller owns them. False: e->failure. */
bool tsr_eval_function(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out);
/* The same; changed[i]: what argument i is in the end, when an op has changed it in place, else NULL. The caller owns them. */
bool tsr_eval_changing(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out, tsr_tensor **changed);
/* The function that a declaration is for: modules for the host (ttcore.cpu_module) have it under the same name, or without the end
 * "_decl". NULL: there is none. */
const tsr_op *tsr_host_function(const tsr_op *module, tsr_str name);
/* Runs the function of this symbol on c's operands, for c's results. A function that is only declared here may have its body in a
 * ttcore.cpu_module. */
bool tsr_call_symbol(tsr_call *c, const tsr_attr *symbol);
void tsr_tt_store_free(struct tsr_tt_store *store);
/* Runs a region of c->op once: args are borrowed, results owned by the caller. */
bool tsr_eval_region(tsr_call *c, const tsr_region *region, tsr_tensor *const *args, size_t nargs,
                     tsr_tensor **out, size_t nout);

/* The same with arguments that become the region's own, so that its ops may write into those that die there. */
bool tsr_eval_region_own(tsr_call *c, const tsr_region *region, tsr_tensor **args, size_t nargs,
                         tsr_tensor **out, size_t nout);
/* Forgets what a region's arguments were. */
void tsr_eval_region_clear(tsr_call *c, const tsr_region *region);

/* For kernels. */
/* n of m integer divisors are 0, as the run is to take it: false is a failure. */
bool tsr_divides_by_zero(tsr_call *c, int64_t n, int64_t m);
/* Of an op that divides: zeros among its integer divisors are counted. False: one is there, and that is a failure. */
bool tsr_check_divisors(tsr_call *c);
bool tsr_fail(tsr_call *c, const char *fmt, ...) TSR_PRINTF(2, 3); /* always false */
bool tsr_fail_memory(tsr_call *c, const char *what);
/* A new tensor that becomes a result, or is on the way to one; NULL after a failure. */
tsr_tensor *tsr_call_tensor(tsr_call *c, tsr_type *elem, const int64_t *dims, size_t rank);
/* A new tensor for result i with these dims; element type of the result's type. Sets c->out[i]; NULL after a failure. */
tsr_tensor *tsr_call_new(tsr_call *c, size_t i, const int64_t *dims, size_t rank);
/* The same with the static dims of the result's type. */
tsr_tensor *tsr_call_static(tsr_call *c, size_t i);
/* A new tensor for result i of a pointwise op: shaped as its operands; in a body that runs on many elements at once, that
 * many. Operands then have as many elements, or one, which counts for all: step by tsr_row_step. */
tsr_tensor *tsr_call_pointwise(tsr_call *c, size_t i);
static inline int64_t tsr_row_step(const tsr_tensor *t, int64_t n)
{
    return t->n == n ? 1 : 0;
}
/* Operand i as the caller's own: moved when it dies here, else a new reference. */
tsr_tensor *tsr_call_take(tsr_call *c, size_t i);
static inline tsr_dtype tsr_call_dtype(const tsr_call *c, size_t i)
{
    return (tsr_dtype)c->in[i]->dtype;
}
/* Inherent attributes. */
static inline const tsr_attr *tsr_call_attr(const tsr_call *c, int slot)
{
    return c->op->attrs[slot];
}
/* The i64 elements of an array<i64> or dense attribute into out (at most max); how many there are; 0 when a is NULL. */
size_t tsr_ints_of(const tsr_attr *a, int64_t *out, size_t max);

#endif
