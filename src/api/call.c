/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - one call of emitted code, in the public API: its op runs on the devices of its mesh. */
#include <tessera/code.h>

#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "eval/parts.h"
#include "eval/tt_mesh.h"
#include "target/emit/call.h"

enum { SMALL = 1 << 15 }; /* elements up to which the evaluator is faster than compiling */

typedef struct {
    tsr_emit_call call;
    const tsr_op *func;
    tsr_tensor **tensors;   /* n on each device */
    size_t n, devices, all; /* all: results of the function */
    tsr_tensor **results;   /* all on each device */
    bool meshed;            /* devices run together */
    tsr_status *status;
} run;

/* ---- Types ---- */

static tsr_type *type_of(tsr_ctx *ctx, const tsr_tensor *t)
{
    tsr_tt_data_type type =
        t && t->kind == TSR_TENSOR ? tsr_tt_data_type_of(t->elem) : TSR_TT_NO_DATA_TYPE;
    if (type == TSR_TT_NO_DATA_TYPE || t->elem != tsr_tt_element(ctx, type))
        return NULL;
    return tsr_type_tensor(ctx, t->dims, t->rank, t->elem, NULL);
}

/* Shards on different devices must have one shape. */
static bool types_of(tsr_ctx *ctx, const run *r, tsr_type **types)
{
    for (size_t i = 0; i < r->n * r->devices; i++) {
        tsr_type *t = type_of(ctx, r->tensors[i]);
        if (!t)
            return tsr_error(ctx, TSR_LOC_UNKNOWN, "tensor %zu of a call is none of ttnn's types",
                             i % r->n);
        if (i >= r->n && t != types[i % r->n])
            return tsr_error(ctx, TSR_LOC_UNKNOWN,
                             "tensor %zu of a call is not of one type on all devices", i % r->n);
        types[i % r->n] = t;
    }
    return true;
}

/* ---- Running ---- */

static tsr_eval_engine engine_for(const run *r)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < r->call.op->nout; i++) {
        const tsr_type *t = r->call.op->out[i].type;
        int64_t n = t->kind == TSR_TYPE_TENSOR ? tsr_type_num_elements(t) : 0;
        most = n > most ? n : most;
    }
    for (size_t i = 0; i < r->n; i++)
        most = r->tensors[i]->n > most ? r->tensors[i]->n : most;
    return r->call.changes || most <= SMALL ? TSR_ENGINE_REFERENCE : TSR_ENGINE_COMPILED;
}

static bool same_on(const run *r, size_t a, size_t b)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->tensors[a * r->n + i] != r->tensors[b * r->n + i])
            return false;
    return true;
}

/* Runs each device separately; a device with the same tensors as an earlier one reuses its results. */
static bool run_each(run *r)
{
    for (size_t d = 0; d < r->devices; d++) {
        tsr_tensor **out = r->results + d * r->all;
        tsr_entry_options options = {
            .run = {.engine = engine_for(r), .zero_division = TSR_ZERO_IGNORE}};
        if (d && same_on(r, 0, d)) {
            for (size_t i = 0; i < r->all; i++)
                out[i] = tsr_tensor_ref(r->results[i]);
            continue;
        }
        TSR_TRY(tsr_entry_run(r->call.m, r->func, r->tensors + d * r->n, r->n, out, r->all,
                              &options, r->status));
    }
    return true;
}

static bool run_together(run *r)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run parts = {.replicas = 1,
                           .partitions = (uint32_t)r->devices,
                           .in = TSR_NEW_ARRAY(&arena, tsr_part_of, r->n + 1),
                           .out = TSR_NEW_ARRAY(&arena, tsr_part_of, r->all + 1),
                           .local = true};
    tsr_entry_options options = {
        .run = {.engine = TSR_ENGINE_REFERENCE, .zero_division = TSR_ZERO_IGNORE}, .parts = &parts};
    bool ok = tsr_entry_run(r->call.m, r->func, r->tensors, r->n, r->results, r->all, &options,
                            r->status);
    tsr_arena_free(&arena);
    return ok;
}

/* Hands changed tensors to the caller. */
static void take_changes(run *r)
{
    for (size_t d = 0; r->call.changes && d < r->devices; d++)
        for (size_t i = 0; i < r->n; i++) {
            tsr_tensor **from = &r->results[d * r->all + r->call.nresult + i];
            if (*from == r->tensors[d * r->n + i])
                tsr_tensor_unref(*from);
            else
                r->tensors[d * r->n + i] = *from;
            *from = NULL;
        }
}

/* Kernels may return signless integers: results get the element types of their types. */
static bool name_elements(run *r)
{
    const tsr_type *type = tsr_entry_type(r->func);
    for (size_t i = 0; i < r->all * r->devices; i++) {
        tsr_type *want = type->types[type->n + i % r->all];
        tsr_tensor *t = r->results[i];
        if (want->kind != TSR_TYPE_TENSOR || t->elem == want->elem)
            continue;
        r->results[i] = tsr_tensor_reshape(t, want->elem, want->dims, want->n);
        if (!r->results[i])
            return tsr_status_set(r->status, TSR_ENVIRONMENT, "no memory for a result");
    }
    return true;
}

static bool give(tsr_ctx *ctx, run *r, tsr_tensor **out, size_t max, size_t *nout)
{
    *nout = r->call.nresult;
    if (*nout > max)
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "the call has %zu results; there is room for %zu",
                         *nout, max);
    take_changes(r);
    for (size_t d = 0; d < r->devices; d++)
        for (size_t i = 0; i < *nout; i++) {
            out[d * *nout + i] = r->results[d * r->all + i];
            r->results[d * r->all + i] = NULL;
        }
    return true;
}

static bool find_devices(tsr_ctx *ctx, run *r)
{
    tsr_tt_mesh mesh;
    const char *bad;
    if (!tsr_tt_mesh_find(r->call.m, &mesh, &bad))
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "%s", bad);
    r->meshed = mesh.used && mesh.devices > 1;
    return mesh.devices == r->devices ||
           tsr_error(ctx, TSR_LOC_UNKNOWN, "the mesh of a call has %u devices, and %zu are given",
                     mesh.devices, r->devices);
}

static bool call(tsr_ctx *ctx, tsr_arena *arena, tsr_str text, run *r, tsr_tensor **out, size_t max,
                 size_t *nout)
{
    tsr_json_error wrong;
    const tsr_json *j = tsr_json_read(arena, text, &wrong);
    if (!j)
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "the call is no JSON: %s at %zu", wrong.reason,
                         wrong.at);
    tsr_type **types = TSR_NEW_ARRAY(arena, tsr_type *, r->n + 1);
    TSR_TRY(types_of(ctx, r, types) && tsr_emit_read_call(ctx, j, types, r->n, &r->call) &&
            find_devices(ctx, r));
    r->func = tsr_entry_find(r->call.m, TSR_STR("call"), r->status);
    r->all = r->call.nresult + (r->call.changes ? r->n : 0);
    r->results = TSR_NEW_ARRAY(arena, tsr_tensor *, r->all * r->devices + 1);
    memset(r->results, 0, (r->all * r->devices + 1) * sizeof *r->results);
    return r->func && (r->meshed ? run_together(r) : run_each(r)) && name_elements(r) &&
           give(ctx, r, out, max, nout);
}

bool tsr_call_emitted(tsr_ctx *ctx, tsr_str text, tsr_tensor **tensors, size_t n, size_t ndevices,
                      tsr_tensor **out, size_t max, size_t *nout, tsr_status *status)
{
    bool has = ctx && (tensors || !n) && (out || !max) && ndevices && nout;
    TSR_GUARD_IF(g, has, ctx, NULL, TSR_READS, status, false)
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_text_install(ctx);
    *nout = 0;
    tsr_status own = {0}; /* a diagnostic says more */
    uint32_t before = ctx->nerror;
    run r = {.tensors = tensors, .n = n, .devices = ndevices, .status = &own};
    bool ok = call(ctx, &arena, text, &r, out, max, nout);
    if (!ok && ctx->nerror == before)
        *g.status = own;
    for (size_t i = 0; r.results && i < r.all * r.devices; i++)
        tsr_tensor_unref(r.results[i]);
    if (r.call.m)
        tsr_module_free(r.call.m);
    tsr_arena_free(&arena);
    tsr_guard_finish(&g, ok);
    return ok;
}
