/* golden.h - goldens of the public API, from within. */
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
    tsr_golden_options options; /* with a folder of its own */
    const tsr_module *of;       /* the first module: to know its values again, and nothing else */
    uint32_t nop, function;     /* ids of its ops when it was copied; that of the function */
    uint32_t *row_by_op;        /* by these ids: row + 1 */
    size_t nin;
    tsr_tensor **inputs; /* whole; NULL: random */
    tsr_tensor **custom; /* by place: given, or NULL */
    bool *bypass;        /* by slot */
    bool parts;          /* it is the program of each of several devices */
    bool writes;         /* some op changes an operand in place: none can be run alone */
    tsr_store *store;    /* NULL: nothing was computed yet */
};

/* Memory of zeros for n things and one more. */
void *tsr_golden_zeros(size_t n, size_t size);
/* The type of the whole of an input. NULL: a status. */
const tsr_type *tsr_golden_input_type(const tsr_goldens *g, tsr_arena *arena, size_t i,
                                      tsr_status *status);
/* Fills the store, unless it is there: a public call of its own, so that a stop of what follows leaves the store alone. */
bool tsr_golden_ready(tsr_goldens *g, tsr_status *status);

#endif
