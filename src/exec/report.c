/* report.c - how much memory a program takes, and for what. */
#include "exec/program.h"

static uint64_t bytes_of(const tsr_xvalue *x)
{
    return x->n > 0 ? (uint64_t)x->n * tsr_dtype_bytes((tsr_dtype)x->dtype) : 0;
}

void tsr_program_memory(const tsr_program *p, tsr_memory_use *out)
{
    *out = (tsr_memory_use){.arena = p->arena_bytes};
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (x->place == TSR_PLACE_BOX)
            *(x->argument ? &out->arguments
              : x->box    ? &out->constants
                          : &out->unplanned) += bytes_of(x);
        else if (x->place == TSR_PLACE_ARENA && x->is_result)
            out->results += bytes_of(x);
    }
    /* Results that are computed elsewhere are copied. */
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        const tsr_xvalue *x = &p->values.data[p->main.results[i]];
        if (!p->main.owned[i] && x->place != TSR_PLACE_BOX)
            out->results += bytes_of(x);
    }
    uint64_t others = out->arguments + out->results + out->unplanned;
    out->peak = others + out->arena;
    out->peak_least = others + p->least_bytes;
}
