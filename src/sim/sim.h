/* sim.h - plays the program of one device on a device file: how long a step takes, what waits for what, how much memory.
 *
 * A program is a list of tasks. Ops that a compiler would fuse are one task; collectives run beside computing, one at a time on each
 * kind of link, and whoever needs their results waits. A loop is played once and counts for all its turns. */
#ifndef TSR_SIM_SIM_H
#define TSR_SIM_SIM_H

#include "shard/spmd/plan.h"
#include "sim/device.h"

enum { TSR_SIM_COMPUTE = 0 }; /* the resource of kernels; those of links follow */

typedef struct {
    const tsr_op *op;  /* NULL in programs of a formula */
    const char *label; /* where op is NULL */
    uint32_t resource;
    double seconds, start;
    double flops;         /* of products */
    double moved;         /* bytes that the device receives */
    double inside;        /* collectives within it that nothing hides: of loops and calls */
    double held;          /* bytes of values within it, at one time */
    uint32_t need, nneed; /* tasks that must have ended, from where in needs */
    bool collective;
} tsr_sim_task;

typedef struct {
    TSR_VEC(tsr_sim_task) tasks;
    TSR_VEC(uint32_t) needs;
    double seconds;   /* of a step */
    double computing; /* seconds in which kernels run */
    double talking;   /* seconds of all collectives */
    double exposed;   /* seconds in which kernels wait for them */
    double flops;     /* of products, on each device */
    double moved;     /* bytes that each device receives */
    uint32_t ncollective;
    double
        peak; /* bytes at the fullest moment, with arguments; of values that are in memory: what is fused into its readers is not */
    TSR_VEC(tsr_plan_alive) alive; /* then */
} tsr_sim;

/* A matrix product or a convolution. */
bool tsr_sim_is_product(const tsr_op *op);
/* Seconds of one whose first operand and result have these dimensions on a device; flops and bytes of that part, too. */
double tsr_sim_product_seconds(const tsr_device *d, const tsr_op *op, const int64_t *lhs,
                               const int64_t *result, double flops, double bytes);
/* Whether the op is computed in the loops of its users: nobody needs its result in memory. */
bool tsr_sim_is_fused(const tsr_op *op);
/* Whether the op's results are its operands, each in its place: it takes no time and no memory. */
bool tsr_sim_is_barrier(const tsr_op *op);
/* Turns of a loop that counts from a constant to a constant; 1: not known. */
double tsr_sim_turns(const tsr_op *op);
/* Makes and plays the tasks of a function of a partitioned module. */
void tsr_sim_function(tsr_sim *sim, const tsr_device *d, tsr_op *func);
/* How full memory gets. last: by value id, 1 + the task that reads it last; 0: none. func: whose block it is; NULL: it is inside another, and arguments
 * belong to who gives them. */
void tsr_sim_memory(tsr_sim *sim, const tsr_block *block, const uint32_t *last, const tsr_op *func);
/* Plays tasks in the order in which they become ready, the first in the list first. */
void tsr_sim_play(tsr_sim *sim);
/* Operations of products, with the turns of loops: of a program that is not divided this is the work of a step. */
double tsr_sim_work(tsr_op *func);
void tsr_sim_free(tsr_sim *sim);

/* What a simulation says. */
typedef struct {
    const tsr_device *device;
    const tsr_sim *sim;
    const tsr_shard_plan *plan; /* NULL: of a formula */
    tsr_ctx *ctx;               /* of the ops' locations; NULL: of a formula */
    int64_t devices;
    double work;  /* operations of products of the undivided program */
    double peak;  /* rate of the device for its products */
    double bytes; /* of memory at the peak; below 0: not known */
} tsr_sim_report;

double tsr_sim_mfu(const tsr_sim_report *r);
void tsr_sim_text(tsr_buf *out, const tsr_sim_report *r);
void tsr_sim_json(tsr_buf *out, const tsr_sim_report *r);
/* As tsr_buf_printf, and the same in every locale: %.3f, %.*f, %.9g, %u, %lld, %s, %%. */
void tsr_buf_report(tsr_buf *out, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Seconds for people: 1.42 s, 10.3 ms, 85 us. */
void tsr_buf_seconds(tsr_buf *out, double seconds);
/* All tasks in the format of Chrome's tracing, and of Perfetto. */
void tsr_sim_trace(tsr_buf *out, const tsr_sim_report *r);

#endif
