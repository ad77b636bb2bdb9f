/* run.h - a program that runs: pointers of its values, and scratch memory of the threads. */
#ifndef TSR_EXEC_RUN_H
#define TSR_EXEC_RUN_H

#include "base/threads.h"
#include "exec/contract.h"
#include "exec/program.h"

typedef struct {
    const tsr_program *p;
    tsr_eval *e;
    char *arena;
    char **at;        /* by value: where its elements are */
    tsr_tensor **box; /* by value: BOX */
    char *scratch;
    size_t scratch_bytes; /* of each thread */
    int threads;
} tsr_run;

/* Where the element with index 0 in all dimensions of an operand lies, through views. */
static inline char *tsr_run_at(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place != TSR_PLACE_VIEW)
        return r->at[v];
    return r->at[x->base] + x->view.offset * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype);
}

/* Runs a LOOP; the bytes that one thread needs for it. */
void tsr_run_loop(const tsr_run *r, const tsr_xgroup *g);
size_t tsr_loop_scratch(const tsr_xgroup *g);
void tsr_run_move(const tsr_run *r, const tsr_node *n);
bool tsr_run_contract(const tsr_run *r, const tsr_node *n);

#endif
