/* shard.h - sharding a module from outside: what is given, the pipeline, and the plan that comes out. */
#ifndef TSR_API_SHARD_H
#define TSR_API_SHARD_H

#include "api/api.h"
#include "base/status.h"
#include "shard/spmd/plan.h"

typedef struct {
    tsr_str mesh; /* empty: the module's own */
    const tsr_shard_given *given;
    size_t ngiven;
    tsr_str function; /* empty: main, or the only one */
    tsr_str why;      /* a value, as printing names it: "%12"; empty: none */
} tsr_shard_request;

/* What the options of a public call ask for. options may be NULL. */
tsr_shard_request tsr_shard_request_of(const tsr_shard_options *options, tsr_str why);

/* Sets the mesh and the shardings that are given. False after diagnostics, or with a status. */
bool tsr_shard_give(tsr_module *m, const tsr_shard_request *request, tsr_status *status);
/* Propagates, and remarks what a person should know of the result (shard/spmd/advice.h). */
bool tsr_shard_propagate(tsr_module *m, tsr_str function, tsr_status *status);
/* The rest of tsr_shard_module: makes the program of each device of a module that was propagated, and its plan. */
bool tsr_shard_partition(tsr_arena *arena, tsr_module *m, tsr_str function, tsr_shard_plan *plan,
                         tsr_status *status);

/* Sets what is given, propagates with our own rules where Shardy has none, and makes collectives. The plan's memory is the
 * arena's; tsr_shard_plan_free frees its vectors. reason: the steps that sharded the value that was asked about. False after
 * diagnostics, or with a status. */
bool tsr_shard_module(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                      tsr_shard_plan *plan, tsr_buf *reason, tsr_status *status);

/* Which steps sharded the value of this name in func, as text. Propagates m, which is good for nothing else afterwards. */
bool tsr_shard_why(tsr_arena *arena, tsr_module *m, tsr_op *func, tsr_str name, tsr_buf *out,
                   tsr_status *status);
/* The same of several values; out: a text each, empty for one that is taken apart before propagation. */
bool tsr_shard_whys(tsr_arena *arena, tsr_module *m, const tsr_op *func, tsr_value *const *values,
                    size_t n, tsr_buf *out);

#endif
