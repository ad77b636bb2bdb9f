/* SPDX-License-Identifier: Apache-2.0 */
/* here.h - shards of global values, on one rank or on several (eval/remote.h), for the tools. Tensors of devices: nin
 * or nout of each, device by device; those of devices on other ranks are NULL. */
#ifndef TSR_API_HERE_H
#define TSR_API_HERE_H

#include "api/eval.h"
#include "eval/parts.h"
#include "eval/remote.h"

/* Which devices run on which rank. */
typedef struct {
    tsr_module *m;
    const tsr_op *func;
    tsr_parts_run *run;
    tsr_remote *remote; /* NULL: one rank has all devices */
    uint32_t first, last;
    size_t first_out; /* index of the result of func that gather starts with */
} tsr_here;
void tsr_here_init(tsr_here *l, tsr_module *m, const tsr_op *func, tsr_parts_run *run,
                   tsr_remote *remote);

/* The devices' shards of a global argument, written to every step-th element of in. A wrong type is rejected earlier,
 * by tsr_here_takes. */
bool tsr_here_cut(const tsr_here *l, const tsr_part_of *of, tsr_tensor *whole, tsr_tensor **in,
                  size_t step, tsr_status *status);
bool tsr_here_takes(const tsr_here *l, tsr_tensor *const *whole, size_t nin,
                    const char *const *names, tsr_status *status);
/* Sends results of devices on other ranks to rank to, or to all (-1). The rest stays NULL. */
bool tsr_here_gather(const tsr_here *l, tsr_tensor **parts, size_t nout, int to,
                     tsr_status *status);
/* Assembles global results, if all shards are here. */
bool tsr_here_join(const tsr_here *l, tsr_tensor **parts, size_t nout, tsr_tensor **out,
                   tsr_status *status);

/* Whether all ranks have the same program, and the same values if several have the same part of an argument. names:
 * where each was read from; the array or any entry may be NULL. False with a status that names both ranks. Must be
 * called by all ranks. */
bool tsr_here_agree(const tsr_here *l, tsr_tensor *const *in, size_t nin, const char *const *names,
                    tsr_status *status);
uint64_t
tsr_here_program(const tsr_here *l); /* a digest of the program that is equal in all processes */
/* By device: the first one that has the same part of a value. The caller frees it. */
uint32_t *tsr_here_holders(const tsr_here *l, const tsr_part_of *of);

#endif
