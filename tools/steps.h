/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h - runs of several steps: results of one become inputs of the next; checkpoints are written now and then, and
 * resumed from. */
#ifndef TSR_TOOLS_STEPS_H
#define TSR_TOOLS_STEPS_H

#include "api/here.h"
#include "tools.h"

typedef struct {
    size_t out, in;
} feed;

typedef struct {
    uint64_t loop; /* --loop; 0: one run */
    const char *feed_text, *folder;
    uint64_t every; /* --checkpoint-every; 0: at the end */
    bool resume;
    TSR_VEC(feed) feeds;
    size_t nin, nout;
    uint64_t first;        /* the first step */
    uint64_t program;      /* its digest */
    const tsr_here *local; /* NULL: global values */
    bool quiet;            /* writes nothing */
} steps;

/* --feed=out0:in1,... for a function of this type: results must have the types of the arguments that they become. */
bool steps_read(steps *s, const tsr_type *type, tsr_status *status);
/* With --resume: inputs are replaced by those of the newest checkpoint in the folder; if that is the one after the last
 * step, results are read too, and nothing is left to run. type: of the function that runs; in, out: as for
 * tsr_entry_run. */
bool steps_resume(steps *s, tsr_ctx *ctx, const tsr_type *type, tsr_tensor **in, tsr_tensor **out,
                  tsr_status *status);
/* Whether all steps were done by an earlier run. */
bool steps_done(const steps *s);
/* Called after a step (tsr_entry_options.again). */
bool steps_next(steps *s, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *status);
void steps_free(steps *s);

#endif
