/* SPDX-License-Identifier: Apache-2.0 */
/* backend.h - how the groups of a program run on a machine.
 *
 * A backend has a target, which is asked while a program is compiled; it makes the program's code for a device, and runs
 * its groups. run/run.c does the rest for all of them: order, control flow, lifetimes, and ops on the evaluator's
 * kernels. A new backend begins as a copy of the one that has nothing (null/null.c). */
#ifndef TSR_EXEC_BACKEND_H
#define TSR_EXEC_BACKEND_H

#include "base/device.h"
#include "exec/target.h"

struct tsr_run;

typedef struct tsr_backend {
    const tsr_target *target;
    /* Code of a program for a device, which runs only read, several at a time. False: status says why. NULL: there is
     * none. */
    bool (*prepare)(const tsr_program *p, tsr_device *d, void **code, tsr_status *status);
    void (*discard)(void *code); /* after all runs */
    /* Adds to a dump of the program what its code does with a loop. NULL: nothing. */
    void (*print)(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out);
    /* Bytes of host memory, aligned to cache lines, for each thread that takes part in runs. NULL: none. */
    size_t (*scratch)(const tsr_program *p);
    /* Bytes of host memory that a run takes beside values, at most. NULL: few. */
    size_t (*workspace)(const tsr_program *p);
    /* Runs a group of elementwise ops, products or movements, or ZEROS or CHECK. False: r->e says why. It may return
     * before a device has done the work. */
    bool (*run)(struct tsr_run *r, const tsr_xgroup *g);
    /* A whole loop; ok: there was enough memory. False: it is no such loop, and nothing has run. NULL: never. */
    bool (*loop)(struct tsr_run *r, const tsr_node *n, bool *ok);
    /* How many groups of a block, from this one on, were run together; 0: none. NULL: never. */
    uint32_t (*several)(struct tsr_run *r, const tsr_xid *groups);
} tsr_backend;

extern const tsr_backend tsr_backend_cpu;  /* cpu/backend.c */
extern const tsr_backend tsr_backend_null; /* null/null.c: all but copies is the evaluator's */

#endif
