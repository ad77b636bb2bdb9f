/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h - simulates the program of one device on a device file: the time of a step, what waits for what, and memory
 * use.
 *
 * A program is a list of tasks. Ops that a compiler would fuse are one task. Collectives run beside computation, one at
 * a time on each kind of link, and tasks that need their results wait. A loop is simulated once and its time multiplied
 * by the number of iterations. Which values are stored follows from the tasks, so memory is found here, too, for all
 * reports (memory.c). */
#ifndef TSR_SIM_SIM_H
#define TSR_SIM_SIM_H

#include "shard/spmd/plan.h"
#include "sim/device.h"

enum { TSR_SIM_COMPUTE = 0 }; /* the resource that runs kernels; those of links follow */

/* How long a value is in memory: from one task to another, of a block. */
typedef struct {
    const tsr_value *value; /* NULL: what values leave free between them */
    double bytes;
    uint32_t first, last;
} tsr_sim_span;

/* The tasks of a block inside a task, kept for reports that show them: of a loop, a branch, or a called function. */
typedef struct tsr_sim_nest {
    struct tsr_sim_nest *next; /* another block of the same task */
    const struct tsr_sim_task *tasks;
    const double *live; /* by task: bytes of the block's own values that are live while it runs */
    const tsr_sim_span *spans;
    uint32_t ntask, nspan;
    double turns, seconds; /* seconds of one turn */
} tsr_sim_nest;

typedef struct tsr_sim_task {
    const tsr_op *op;  /* NULL in programs that come from a formula */
    const char *label; /* where op is NULL */
    uint32_t resource;
    double seconds, start;
    double flops;       /* of products */
    double moved;       /* bytes that the device receives */
    double inside;      /* time of collectives inside a loop or call that nothing hides */
    double later;       /* of it, that of turns after the first */
    double talking;     /* time of all collectives inside it */
    double ncollective; /* their number */
    double multiplying; /* time of products, also of those inside it */
    double held;        /* bytes of values inside it that are live at one time */
    tsr_sim_nest *nest, *last_nest; /* what is inside; NULL: nothing, or it was not kept */
    const tsr_plan_alive *inner;    /* these values */
    uint32_t ninner;
    uint32_t need, nneed; /* tasks that must finish first: range in needs */
    bool collective;
} tsr_sim_task;

typedef struct {
    TSR_VEC(tsr_sim_task) tasks;
    TSR_VEC(uint32_t) needs;
    tsr_arena *keep; /* where the insides of tasks, and spans, are kept; NULL: they are not */
    const struct tsr_sim_engine
        *engine; /* tasks and spans are in the order of its steps; NULL: in program order */
    TSR_VEC(tsr_sim_span) spans;
    TSR_VEC(double) live;
    double seconds;     /* of a step */
    double computing;   /* seconds in which kernels run */
    double multiplying; /* of them, those of products */
    double talking;     /* seconds of all collectives */
    double exposed;     /* seconds in which kernels wait for collectives */
    double later;       /* of them, in turns of loops after the first */
    double flops;       /* of products, per device */
    double moved;       /* bytes that each device receives */
    uint32_t ncollective;
    double peak;                   /* bytes of the values that tasks write, live at one time */
    TSR_VEC(tsr_plan_alive) alive; /* these values, of a nested block */
    bool unknown;                  /* some value has an unknown size */
    const tsr_op
        *heaviest; /* the product that takes the most operations, with all turns of loops */
    double heaviest_flops;
} tsr_sim;

/* Which tasks of a block read a value; by value id. */
typedef struct {
    uint32_t *last; /* 1 + the last task that reads it; 0: none */
    uint32_t *bent; /* 1 + the last task that reads it in another order than it writes its result */
    bool *
        within; /* it is computed where it belongs in a larger value: it has no memory of its own */
    struct tsr_sim_buffer *buffers; /* of memory.c */
} tsr_sim_reads;

/* A matrix product or a convolution. */
bool tsr_sim_is_product(const tsr_op *op);
/* Time of a product whose first operand and result have these local dimensions; also its FLOPs and bytes. */
double tsr_sim_product_seconds(const tsr_device_file *d, const tsr_op *op, const int64_t *lhs,
                               const int64_t *result, double flops, double bytes);
/* Whether the op is computed in the loops of its users, so that its result is never in memory. */
bool tsr_sim_is_fused(const tsr_op *op);
/* Whether each result of the op is the corresponding operand: the op takes no time and no memory. */
bool tsr_sim_is_barrier(const tsr_op *op);
/* Whether the loop passes carried value k on as it is. */
bool tsr_sim_keeps(const tsr_op *loop, uint32_t k);
/* Whether the op replaces part of its first operands, its results: it can work in their memory. */
bool tsr_sim_is_update(const tsr_op *op);
/* Time of a collective that runs alone; 0 for other ops. */
double tsr_sim_collective_seconds(const tsr_device_file *d, const tsr_op *op);
/* The number of iterations of a loop that counts from a constant to a constant; 1 if unknown. */
double tsr_sim_iterations(const tsr_op *op);
/* Builds and simulates the tasks of the plan's function, of a partitioned module, and fills in the plan's memory. d:
 * NULL: nothing but memory is found. */
void tsr_sim_function(tsr_sim *sim, const tsr_device_file *d, tsr_shard_plan *plan);
/* Fills in the plan's memory from the program that the engine compiles of its function. False: it compiles none, or knows
 * sizes only when it runs; the plan's memory is as it was. With an arena, *steps is what is kept of that program there. */
bool tsr_sim_compiled(tsr_shard_plan *plan, tsr_arena *keep, const struct tsr_sim_engine **steps);
/* Brings the tasks of a block, which were played, in the engine's order, with the memory that it plans. */
void tsr_sim_arrange(tsr_sim *sim, const tsr_block *block);
/* Computes memory use. plan: of the function whose body the block is; NULL for a nested block, whose arguments and
 * results belong to the enclosing op. copied: by task, the bytes that an update copies before it changes some. */
void tsr_sim_memory(tsr_sim *sim, const tsr_block *block, const tsr_sim_reads *reads,
                    tsr_shard_plan *plan, double *copied);
struct tsr_sim_buffer *tsr_sim_buffers(tsr_arena *arena, size_t n);
/* Schedules tasks in the order in which they become ready; of those ready at once, the first in the list goes first. */
void tsr_sim_play(tsr_sim *sim);
/* Operations of products, multiplied by the iterations of loops: for an undivided program, the work of a step. */
double tsr_sim_work(tsr_op *func);
void tsr_sim_free(tsr_sim *sim);

/* The input of a report. */
typedef struct {
    const tsr_device_file *device;
    const tsr_sim *sim;
    const tsr_shard_plan *plan; /* NULL for a formula */
    tsr_ctx *ctx;               /* of the ops' locations; NULL for a formula */
    int64_t devices;
    double work;             /* operations of products in the undivided program */
    double peak;             /* the device's rate for these products */
    double bytes;            /* memory in use at the peak; below 0: unknown */
    tsr_str mesh, plan_name; /* of a plan that was searched for; empty: none */
} tsr_sim_report;

double tsr_sim_mfu(const tsr_sim_report *r);
void tsr_sim_text(tsr_buf *out, const tsr_sim_report *r);
void tsr_sim_json(tsr_buf *out, const tsr_sim_report *r);
/* Like tsr_buf_printf, but with the same output in every locale: %.3f, %.*f, %.9g, %u, %lld, %s, %%. */
void tsr_buf_report(tsr_buf *out, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Prints seconds for people: 1.42 s, 10.3 ms, 85 us. */
void tsr_buf_seconds(tsr_buf *out, double seconds);
/* All tasks in the trace format of Chrome and Perfetto. */
void tsr_sim_trace(tsr_buf *out, const tsr_sim_report *r);

#endif
