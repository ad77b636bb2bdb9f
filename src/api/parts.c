/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c - running partitioned programs on shards, in the public API: which devices there are, what each has, and
 * runs. */
#include "api/guard.h"
#include "api/spmd.h"

/* Describes the module's function, in memory of the arena; NULL if there is none. */
static const tsr_op *describe(tsr_arena *arena, tsr_module *m, tsr_str function, tsr_parts_run *run,
                              tsr_status *status)
{
    const tsr_op *func = tsr_entry_find(m, function, status);
    return func && tsr_spmd_entry(arena, m, func, run, status) ? func : NULL;
}

/* The module's main or only function, else the first of several, which share a mesh. */
static tsr_str any_function(tsr_module *m)
{
    tsr_status status = {TSR_OK, ""};
    if (tsr_entry_find(m, TSR_STR(""), &status))
        return TSR_STR("");
    TSR_OPS (m->op, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)) && op->nregion && op->regions[0].first)
            return tsr_op_symbol(op);
    return TSR_STR("");
}

bool tsr_module_devices(tsr_module *m, size_t *replicas, size_t *partitions, tsr_status *status)
{
    TSR_GUARD_IF(g, m && replicas && partitions, m ? m->ctx : NULL, m, TSR_READS, status, false)
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    bool ok = describe(&arena, m, any_function(m), &run, g.status) != NULL;
    if (ok) {
        *replicas = run.replicas;
        *partitions = run.partitions;
    }
    tsr_arena_free(&arena);
    tsr_guard_close(&g);
    return ok;
}

static bool placement(tsr_module *m, tsr_str function, bool result, size_t i, tsr_placement *out)
{
    TSR_GUARD_IF(g, m && out, m ? m->ctx : NULL, m, TSR_READS, NULL, false)
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    const tsr_op *func = describe(&arena, m, function, &run, g.status);
    const tsr_type *type = func ? tsr_entry_type(func) : NULL;
    bool ok = type && i < (result ? type->nout : type->n);
    if (ok) {
        const tsr_part_of *of = result ? &run.out[i] : &run.in[i];
        tsr_type *own = type->types[result ? type->n + i : i];
        *out = (tsr_placement){of->global ? (tsr_type *)of->global : own, (tsr_attr *)of->sharding};
    }
    tsr_arena_free(&arena);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_module_input_placement(tsr_module *m, tsr_str function, size_t i, tsr_placement *out)
{
    return placement(m, function, false, i, out);
}

bool tsr_module_output_placement(tsr_module *m, tsr_str function, size_t i, tsr_placement *out)
{
    return placement(m, function, true, i, out);
}

bool tsr_placement_part(const tsr_placement *p, size_t partition, int64_t *part, int64_t *parts)
{
    if (!p || !p->whole || !part || !parts)
        return false;
    if (p->sharding)
        return partition <= UINT32_MAX && tsr_part_locate(&(tsr_part_of){p->whole, p->sharding},
                                                          (uint32_t)partition, part, parts);
    for (int64_t d = 0; d < tsr_type_rank(p->whole); d++) {
        part[d] = 0;
        parts[d] = 1;
    }
    return true;
}

bool tsr_placement_partial(const tsr_placement *p, size_t partition, int64_t *part, int64_t *parts)
{
    if (!p || !p->whole || !part || !parts)
        return false;
    *part = 0;
    *parts = 1;
    return !p->sharding ||
           (partition <= UINT32_MAX && tsr_part_partial(&(tsr_part_of){p->whole, p->sharding},
                                                        (uint32_t)partition, part, parts));
}

static bool eval_shards(tsr_module *m, tsr_str function, tsr_tensor *const *const *in,
                        size_t ndevices, size_t nin, tsr_tensor **const *out, size_t nout,
                        const tsr_eval_options *options, tsr_status *status)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    tsr_entry_options all = tsr_entry_with(options, &run);
    const tsr_op *func = describe(&arena, m, function, &run, status);
    bool ok = func && tsr_spmd_on_devices(m, ndevices, &run, status);
    if (ok) {
        tsr_tensor **args = TSR_NEW_ARRAY(&arena, tsr_tensor *, nin * ndevices + 1),
                   **results = TSR_NEW_ARRAY(&arena, tsr_tensor *, nout * ndevices + 1);
        for (size_t k = 0; k < nin * ndevices; k++)
            args[k] = in[k / nin][k % nin];
        ok = tsr_entry_run(m, func, args, nin, results, nout, &all, status);
        for (size_t k = 0; ok && k < nout * ndevices; k++)
            out[k / nout][k % nout] = results[k];
    }
    tsr_arena_free(&arena);
    return ok;
}

static bool no_results(tsr_tensor **const *out, size_t ndevices, size_t nout)
{
    for (size_t d = 0; out && d < ndevices; d++)
        tsr_no_results(out[d], nout);
    return false;
}

bool tsr_module_eval_shards(tsr_module *m, tsr_str function, tsr_tensor *const *const *in,
                            size_t ndevices, size_t nin, tsr_tensor **const *out, size_t nout,
                            const tsr_eval_options *options, tsr_status *status)
{
    no_results(out, ndevices, nout);
    bool has = m && (in || !nin) && (out || !nout);
    for (size_t d = 0; has && d < ndevices; d++)
        has = (!nin || in[d]) && (!nout || out[d]);
    TSR_GUARD_IF(g, has, m ? m->ctx : NULL, m, TSR_READS, status, no_results(out, ndevices, nout))
    bool ok = eval_shards(m, function, in, ndevices, nin, out, nout, options, g.status);
    tsr_guard_close(&g);
    return ok;
}
