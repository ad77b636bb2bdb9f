/* shard.h - sharding a module by request: given shardings, the pipeline, and the resulting plan. */
#ifndef TSR_API_SHARD_H
#define TSR_API_SHARD_H

#include "api/api.h"
#include "base/status.h"
#include "shard/spmd/plan.h"

typedef struct {
    tsr_str mesh; /* empty: the module's own */
    const tsr_shard_given *given;
    size_t ngiven;
    tsr_str function; /* empty: main, or the only function */
    tsr_str why;      /* a value, named as in the printed module: "%12"; empty: none */
} tsr_shard_request;

/* The request for the options of a public call. options may be NULL. */
tsr_shard_request tsr_shard_request_of(const tsr_shard_options *options, tsr_str why);

/* Sets the mesh and the shardings that are given. False after diagnostics, or with a status. */
bool tsr_shard_give(tsr_module *m, const tsr_shard_request *request, tsr_status *status);
/* Propagates, and emits remarks about the result (shard/spmd/advice.h). */
bool tsr_shard_propagate(tsr_module *m, tsr_str function, tsr_status *status);
/* The second half of tsr_shard_module: makes the program of each device from a propagated module, and its plan. */
bool tsr_shard_partition(tsr_arena *arena, tsr_module *m, tsr_str function, tsr_shard_plan *plan,
                         tsr_status *status);

/* Applies the given shardings, propagates with our own rules where Shardy has none, and inserts collectives. The plan's
 * memory comes from the arena; tsr_shard_plan_free frees its vectors. reason: the steps that sharded the requested
 * value. False after diagnostics, or with a status. */
bool tsr_shard_module(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                      tsr_shard_plan *plan, tsr_buf *reason, tsr_status *status);

/* Which steps sharded the value of this name in func, as text. Propagates in m, which cannot be used for anything else
 * afterwards. */
bool tsr_shard_why(tsr_arena *arena, tsr_module *m, tsr_op *func, tsr_str name, tsr_buf *out,
                   tsr_status *status);
/* The same for several values; out: one text each, empty for a value that is decomposed before propagation. */
bool tsr_shard_whys(tsr_arena *arena, tsr_module *m, const tsr_op *func, tsr_value *const *values,
                    size_t n, tsr_buf *out);

#endif
