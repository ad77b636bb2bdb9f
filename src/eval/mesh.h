/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.h - a grid of processes, replicas times partitions, and their communication: one thread each, or in lockstep.
 *
 * A process waits only here, and the grid counts the running ones: when none runs and some have not ended, the grid is
 * quiet. Then either something that several processes could take is given to the first that waits for it (infeeds,
 * messages without an address), or nobody can ever continue: every waiting process is woken and the run fails,
 * reporting which one waits for which. No clock is involved, and the order in which threads happen to run decides
 * nothing. A process that fails counts as ended; the others continue until they end or wait. */
#ifndef TSR_EVAL_MESH_H
#define TSR_EVAL_MESH_H

#include "eval/host.h"
#include "eval/share.h"

typedef struct tsr_mesh tsr_mesh;

/* The position of a process. */
struct tsr_process {
    tsr_mesh *mesh;
    uint32_t id; /* replica * partitions + partition */
    uint32_t replica, partition;
};

/* Queries of kernels; outside of a grid there is one process, (0, 0). */
uint32_t tsr_mesh_replicas(const tsr_eval *e);
uint32_t tsr_mesh_partitions(const tsr_eval *e);
static inline uint32_t tsr_process_id(const tsr_eval *e)
{
    return e->process ? e->process->id : 0;
}

/* Processes of one grid that act together, by id, in the order of the group. */
typedef struct {
    uint32_t *ids;
    size_t n;
    bool shared;  /* ids belong to the grid (tsr_mesh_share), and place is known */
    size_t place; /* of the process that requested the group */
} tsr_group;

void tsr_group_free(tsr_group *g);
/* The place of the process in its group; g->n if it is not in it. */
size_t tsr_group_place(const tsr_call *c, const tsr_group *g);

/* What one process runs: a function on arguments that the job owns, with nout results. */
typedef struct {
    const tsr_op *func;
    tsr_tensor **in, **out;
    size_t nin, nout;
    /* For engines, as in tsr_run_hooks (exec/program.h); NULL: none. By argument, a tensor that the caller donates, or
     * NULL; by result, the tensor to compute it in, or NULL. */
    tsr_tensor *const *donated, *const *into;
} tsr_job;
void tsr_job_end(tsr_job *job);

/* What the processes of a grid run. */
typedef struct tsr_jobs {
    void *user;
    /* The function of process id; and its job, when it begins: e is the process's own. False: e has failed. Both or
     * none. */
    const tsr_op *(*function)(void *user, uint32_t id);
    bool (*begin)(void *user, tsr_eval *e, tsr_job *job);
    /* Or anything else, on the evaluator. */
    bool (*run)(void *user, tsr_eval *e);
} tsr_jobs;

/* An engine that runs functions on the processes of a grid step by step (exec/run/mesh.c): one thread, or those of the
 * pool, advance all of them. A run that must wait for others is suspended, and resumed later. */
/* LEAVES, of an op: it is done, or has failed, and the process waits until others have read what it brought. */
typedef enum { TSR_STEP_DONE, TSR_STEP_FAILED, TSR_STEP_WAITS, TSR_STEP_LEAVES } tsr_advance;
typedef struct tsr_stepper {
    /* For n processes: compiles what they run, and checks for memory. NULL: c has failed. */
    void *(*open)(struct tsr_stepper *g, tsr_call *c, const tsr_jobs *jobs, uint32_t n);
    void (*close)(void *state);
    void *(*start)(void *state, tsr_eval *e, const tsr_job *job); /* NULL: e has failed */
    tsr_advance (*advance)(void *run, int worker);                /* DONE: results are set */
    void (*end)(void *run);
} tsr_stepper;

/* Runs jobs on the processes of a new grid and waits for all: in lockstep if c's run has an engine, else on a thread
 * for each. infeed: symbols of functions that compute the items of stablehlo.infeed; NULL: the host's. False: c has
 * failed. */
bool tsr_mesh_run(tsr_call *c, uint32_t replicas, uint32_t partitions, const tsr_attr *infeed,
                  const tsr_jobs *jobs);

/* For engines: an op begins; its kernel has returned ok. If it waits for others, its effects are undone, and it must
 * run again from its beginning; values it has received from others it gets again. */
typedef struct {
    tsr_rng rng;
    size_t neffect, nzero;
    tsr_zero_count *zeros;
    tsr_tensor **states;
} tsr_op_mark;
void tsr_mesh_op_begin(tsr_eval *e, const tsr_op *op, tsr_op_mark *mark);
tsr_advance tsr_mesh_op_end(tsr_eval *e, tsr_op_mark *mark, bool ok);
/* The same for an op that begins now and ends later: its kernel joins meetings with copies of its values, and waits for
 * nobody. Park: its effects are undone except for these meetings, which the log owns; NULL: it met nobody. Resume,
 * after begin: the earlier meetings count. Takes ownership of the log. */
typedef struct tsr_op_log tsr_op_log;
void tsr_mesh_op_start(tsr_eval *e, const tsr_op *op, tsr_op_mark *mark);
tsr_op_log *tsr_mesh_op_park(tsr_eval *e, tsr_op_mark *mark);
void tsr_mesh_op_resume(tsr_eval *e, tsr_op_log *log);
void tsr_op_log_free(tsr_op_log *log); /* of a run that ends before */

/* All processes of the group call this, each with nin values (borrowed), and get all of them: out has group->n * nin
 * elements, in the order of the group; the caller owns what it gets. They meet if op, channel, group and round are
 * equal; round distinguishes several meetings of one op. */
bool tsr_mesh_meet(tsr_call *c, const tsr_group *group, int64_t channel, uint32_t round,
                   tsr_tensor *const *in, size_t nin, tsr_tensor **out);

/* The same if a process does not need all: the values of the one before it in the group, or its own part of each
 * process's value along a dimension. Others may be NULL, or have undefined elements elsewhere. */
typedef enum { TSR_WANTS_ALL, TSR_WANTS_PART, TSR_WANTS_BEFORE } tsr_wants_kind;
/* How the result is computed from all values, if that is known: all of them reduced, the process's part of the
 * reduction, concatenated along the axis, or the process's parts concatenated. If processes are on several ranks,
 * values may be combined on arrival. */
typedef enum {
    TSR_JOIN_NONE,
    TSR_JOIN_REDUCE,
    TSR_JOIN_SCATTER,
    TSR_JOIN_GATHER,
    TSR_JOIN_EXCHANGE
} tsr_join_kind;
typedef struct {
    tsr_wants_kind kind;
    int64_t axis; /* PART: group->n parts along it */
    tsr_join_kind joins;
    int reduces; /* how: a tsr_reduce_kind on the element type of the values */
} tsr_wants;
/* made: the result itself, if it was combined on arrival, and out is empty then; else NULL. */
bool tsr_mesh_meet_for(tsr_call *c, const tsr_group *group, int64_t channel, uint32_t round,
                       tsr_wants need, tsr_tensor *const *in, size_t nin, tsr_tensor **out,
                       tsr_tensor **made);

/* The same if all get equal results, nin of them: the last to arrive computes them for all, from what n processes
 * brought (all, in the order of the group), and each owns a reference. With group->n processes this costs one
 * computation instead of one for each. */
typedef bool tsr_together_fn(tsr_call *c, tsr_tensor *const *all, size_t n, tsr_tensor **out);
bool tsr_mesh_together(tsr_call *c, const tsr_group *group, int64_t channel, tsr_wants need,
                       tsr_tensor *const *in, size_t nin, tsr_together_fn *fn, tsr_tensor **out);

/* For an engine in lockstep: each process brings nin tensors that it gives, and nout that it wants filled, in memory that
 * stays until the op is done; the last to arrive calls fn once with those of all, in the order of the group, and all go
 * on. No value passes through the meeting. */
typedef bool tsr_join_fn(tsr_call *c, void *user, tsr_tensor *const *in, tsr_tensor *const *into,
                         size_t n);
typedef enum {
    TSR_JOINED,     /* what it wants is filled */
    TSR_JOIN_LATER, /* it waits: the op must run again */
    TSR_JOIN_FAILED,
    /* Some process wants something else, is elsewhere, or does not come with this op: its kernel must run, and finds
     * the meeting as if it had begun it. */
    TSR_JOIN_NOT,
} tsr_joined;
typedef struct {
    tsr_tensor *const *in, *const *into; /* references; the meeting takes its own */
    size_t nin, nout;
    tsr_join_fn *fn;
    void *user;
} tsr_join_parts;
tsr_joined tsr_mesh_join(tsr_call *c, const tsr_group *group, int64_t channel,
                         const tsr_join_parts *parts);

/* Messages. peer: the process at the other end; TSR_ANYONE: any process that receives, or sends, without an address
 * too. Sending does not wait; a message that nobody receives fails the grid at the end. */
enum { TSR_ANYONE = -1 };
bool tsr_mesh_send(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor *const *in, size_t n);
/* out: n elements; a message with another number of values fails. */
bool tsr_mesh_recv(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor **out, size_t n);

/* The next item of the infeed: either a function to be run, or a tensor that the caller owns. */
bool tsr_mesh_infeed(tsr_call *c, const tsr_attr **function, tsr_tensor **item);

/* The grid has no thread for each process: computing once for all costs less than exchanging shares. */
bool tsr_mesh_in_lockstep(const tsr_eval *e);
/* Data shared by all processes of the grid; NULL outside of a grid. */
tsr_share *tsr_mesh_share(const tsr_eval *e);
/* Effects queued by the process; NULL outside of a grid. */
tsr_effects *tsr_mesh_effects(const tsr_eval *e);
/* Printing through the context changes it: one thread at a time. Does nothing outside of a grid. */
void tsr_mesh_lock_context(const tsr_eval *e);
void tsr_mesh_unlock_context(const tsr_eval *e);
/* A breakpoint waits for the user: one process of the run at a time. False: at another breakpoint the run was ended.
 * After true, the other call must follow. */
bool tsr_mesh_stop_begin(const tsr_eval *e);
void tsr_mesh_stop_end(const tsr_eval *e, bool on);

/* A nested manual computation, in two steps, for an engine that runs its body itself. The shards of this device, one
 * for each operand, whose references the caller owns; and results of the call from the shards that it has as operands:
 * those of the devices along the manual axes are assembled. */
bool tsr_manual_take(tsr_call *c, tsr_tensor **out);
bool tsr_manual_give(tsr_call *c);

#endif
