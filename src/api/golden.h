/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - internals of the public API's goldens. */
#ifndef TSR_API_GOLDEN_H
#define TSR_API_GOLDEN_H

#include <tessera/golden.h>

#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "check/golden.h"

struct tsr_goldens {
    tsr_flat_ops flat;
    tsr_golden_options options; /* with its own copy of folder */
    const tsr_module *of;       /* the original module: only to recognise its values */
    tsr_map slots; /* by address of its values, which edits and passes leave: slot + 1 */
    size_t nin;
    tsr_tensor **inputs; /* global; NULL: random */
    tsr_tensor **custom; /* by place: given, or NULL */
    bool *bypass;        /* by slot */
    bool parts;          /* it is the program of each of several devices */
    bool writes;         /* some op changes an operand in place: no op can be run alone */
    tsr_store *store;    /* NULL: nothing was computed yet */
};

/* Zeroed memory for n + 1 elements. */
void *tsr_golden_zeros(size_t n, size_t size);
/* The global type of an input. NULL with a status. */
const tsr_type *tsr_golden_input_type(const tsr_goldens *g, tsr_arena *arena, size_t i,
                                      tsr_status *status);
/* Fills the store, unless it is filled: as a public call of its own, so that a later stop does not affect it. */
bool tsr_golden_ready(tsr_goldens *g, tsr_status *status);

#endif
