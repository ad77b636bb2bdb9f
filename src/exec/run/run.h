/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - the state of a run: where it is, and the addresses of values. */
#ifndef TSR_EXEC_RUN_H
#define TSR_EXEC_RUN_H

#include "base/threads.h"
#include "eval/mesh.h"
#include "exec/backend.h"

/* A block that is running, for node (NULL: the function), and the index of its next group. */
typedef struct {
    const tsr_block_program *block;
    const tsr_node *node;
    size_t at;
} tsr_run_frame;

typedef struct {
    uint64_t bits;
    bool is; /* it is known */
} tsr_run_number;

/* Before and after the work of a group. */
typedef struct {
    tsr_xid group;
    tsr_mark from, to;
} tsr_run_mark;

typedef struct tsr_run {
    const tsr_program *p;
    const tsr_backend *backend;
    const void *code; /* the backend's */
    tsr_eval *e;
    /* A stack: a run can be suspended where it waits, and resumed. */
    TSR_VEC(tsr_run_frame) frames;
    bool again; /* the next group has waited, and runs again */
    /* The group is done, but others have not yet read its operands. */
    bool leaves;
    bool failed;   /* the run failed; it ends once others have read its operands */
    bool overlaps; /* all devices run this program: collectives are split */
    /* By node: the log of a collective that has started; NULL: the program starts none. */
    tsr_op_log **started;
    tsr_stepper *grids; /* runs programs of manual computations; NULL: there are none */
    tsr_device
        *device; /* where values are: only the backend may dereference at; NULL: on the host */
    struct tsr_device_block *memory; /* the arena of a device */
    char *arena;
    char **at; /* by value: the address of its elements; NULL: it has none that are known before */
    tsr_tensor **box;           /* by value: BOX */
    char *scratch;              /* as much as the backend asks for, by thread */
    size_t scratch_bytes;       /* of each thread */
    int64_t *room;              /* as in tsr_scratch_asked */
    const tsr_run_hooks *hooks; /* may be NULL, as may the next two */
    tsr_tensor *const *into;    /* as in hooks */
    tsr_tensor *const *donated; /* as in hooks */
    bool stay;                  /* as in hooks */
    tsr_run_number *known; /* with a device, by value: numbers that the host knows; may be NULL */
    TSR_VEC(tsr_run_mark) marks; /* with a device and times: of groups that have been given to it */
} tsr_run;

/* The address of the element with index 0 in all dimensions of an operand, through views. */
static inline char *tsr_run_at(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place != TSR_PLACE_VIEW)
        return r->at[v];
    return r->at[x->base] + x->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype);
}

/* The tensor that the caller donates for argument i; NULL: none. */
static inline tsr_tensor *tsr_donated(const tsr_run *r, uint32_t i)
{
    return r->donated ? r->donated[i] : NULL;
}

/* Begins a run of r->p; scratch: tsr_program_scratch bytes for each thread that works on it. False: see e's failure. */
bool tsr_run_open(tsr_run *r, tsr_tensor *const *in, char *scratch);
/* Runs until it ends, fails, or waits for other devices. */
tsr_advance tsr_run_advance(tsr_run *r);
/* After the end: the results, which become the caller's. */
bool tsr_run_give(tsr_run *r, tsr_tensor **out, size_t nout);
void tsr_run_close(tsr_run *r);
size_t tsr_program_scratch(const tsr_program *p);

/* watch.c: runs a group with run, and calls the hooks. */
bool tsr_run_watched(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g));
/* Adds the times of groups that a device has done, after waiting for it. False: it has failed. */
bool tsr_run_count(tsr_run *r);
/* The same for a group of control flow whose blocks have run. False: the caller ends the run. */
bool tsr_run_told(tsr_run *r, tsr_xid group);
/* A value as a tensor: a reference that is valid only during the run. NULL: no memory. */
tsr_tensor *tsr_run_tensor(const tsr_run *r, tsr_xid v);
/* For backends: counts divisors that are 0, or checks, as the evaluator's kernels do. */
bool tsr_run_check(tsr_run *r, const tsr_node *n);
/* ---- device.c: with a device ---- */

/* The op failed there; NULL: the function. Returns false. */
bool tsr_run_lost(const tsr_run *r, const tsr_op *op);
/* A new tensor there, and one with t's elements. NULL after a failure. */
tsr_tensor *tsr_run_room(const tsr_run *r, const tsr_op *op, tsr_type *elem, const int64_t *dims,
                         size_t rank);
tsr_tensor *tsr_run_send(const tsr_run *r, const tsr_op *op, const tsr_tensor *t);
/* Copies a value, whose elements are contiguous, to the host, or to another place there. */
bool tsr_run_fetch(const tsr_run *r, tsr_xid v, void *to);
tsr_tensor *tsr_run_fetched(const tsr_run *r, tsr_xid v);
bool tsr_run_move_to(const tsr_run *r, void *to, tsr_xid v);
tsr_tensor *tsr_run_copied(const tsr_run *r, tsr_xid v);
/* Result i, where the caller wants it. NULL: no memory, or a failure. */
tsr_tensor *tsr_run_result(tsr_run *r, size_t i);
/* The end of a run: all is done, unless results stay. */
bool tsr_run_settle(tsr_run *r);
/* Whether a value's elements are there; others, such as tokens and values of dynamic sizes, are tensors of the host. */
static inline bool tsr_run_is_away(const tsr_run *r, tsr_xid v)
{
    return r->device && (!tsr_has_tensor(&r->p->values.data[v]) || r->at[v]);
}

/* ---- known.c: with a device ---- */

/* A single integer that the host knows; out: its element, in the first bytes. */
bool tsr_run_known(const tsr_run *r, tsr_xid v, uint64_t *out);
/* The value is computed anew: element, or NULL: the host does not know it. */
void tsr_run_learn(tsr_run *r, tsr_xid v, const void *element);
/* The same for what a group computes. */
void tsr_run_follow(tsr_run *r, const tsr_xgroup *g);

/* The op has not enough memory for what. Returns false. */
bool tsr_run_no_memory(tsr_run *r, const tsr_op *op, const char *what);

#endif
