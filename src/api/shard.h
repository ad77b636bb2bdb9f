/* SPDX-License-Identifier: Apache-2.0 */
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
    tsr_buf
        *program; /* the partitioned module as text, which a plan may change; NULL: not wanted */
    const tsr_print_options *print; /* how; NULL: as usual */
} tsr_shard_request;

/* The request for the options of a public call. options may be NULL. */
tsr_shard_request tsr_shard_request_of(const tsr_shard_options *options, tsr_str why);

/* Numbers of arguments or results. */
typedef TSR_VEC(uint32_t) tsr_given_numbers;
/* Replaces what is given by name with what is given by number (given.c), in the arena. False after a diagnostic: a
 * pattern fits none. */
bool tsr_given_resolve(tsr_arena *arena, tsr_op *func, tsr_shard_request *request);
/* Adds those that a name or pattern fits. */
void tsr_given_find(tsr_arena *arena, tsr_op *func, bool result, tsr_str name,
                    tsr_given_numbers *out);

/* Sets the mesh and the shardings that are given. False after diagnostics, or with a status. */
bool tsr_shard_give(tsr_module *m, const tsr_shard_request *request, tsr_status *status);
/* Propagates, and emits remarks about the result (shard/spmd/advice.h). It is verified when it is partitioned. */
bool tsr_shard_propagate(tsr_module *m, tsr_str function, tsr_status *status);
/* The plan of a function of a partitioned module, which must outlive it, but for its memory. Calls are looked through: if
 * it has any, they are inlined, with keep in a copy that belongs to the plan. */
void tsr_shard_plan_of(tsr_arena *arena, tsr_op *func, bool keep, tsr_shard_plan *plan);
/* Fills in the plan's memory; simulation on a device does so, too. */
void tsr_shard_plan_memory(tsr_shard_plan *plan);
/* The second half of tsr_shard_module: makes the program of each device from a propagated module, and its plan, but for
 * its memory. */
bool tsr_shard_partition(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                         tsr_shard_plan *plan, tsr_status *status);

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
