/* SPDX-License-Identifier: Apache-2.0 */
/* spmd.c - see spmd.h, and the public calls of partitioning. */
#include "api/spmd.h"

#include "api/api.h"
#include "api/guard.h"
#include "api/shard.h"
#include "dialect/sdy/sharding.h"
#include "dialect/ttcore/ttcore.h"
#include "eval/tt_mesh.h"

#define GLOBAL TSR_STR("tessera.global")
#define SHARDED TSR_STR("tessera.sharding")
#define REPLICAS TSR_STR("mhlo.num_replicas")
#define PARTITIONS TSR_STR("mhlo.num_partitions")

/* ---- Partitioned modules ---- */

static int64_t count_of(const tsr_module *m, tsr_str name)
{
    const tsr_attr *a = tsr_dict_get(m->op->extra, name);
    return tsr_attr_is(a, TSR_ATTR_INT) ? a->i : 1;
}

bool tsr_spmd_has_ttir(const tsr_module *m)
{
    TSR_OPS (m->op, op)
        if (tsr_op_in(op, TSR_DIALECT_TTIR))
            return true;
    return false;
}

/* A TTIR program for several devices that does not say how it is divided: its batch is divided. */
static bool has_batch(const tsr_module *m, tsr_tt_mesh *mesh)
{
    const char *bad;
    if (!tsr_tt_mesh_find(m, mesh, &bad) || mesh->devices <= 1 || mesh->used)
        return false;
    return tsr_spmd_has_ttir(m);
}

/* Along the axis with the most devices. */
static bool divide_batch(tsr_module *m, const tsr_tt_mesh *mesh)
{
    uint32_t axis = 0;
    for (uint32_t a = 1; a < mesh->naxis; a++)
        if (mesh->sizes[a] >= mesh->sizes[axis])
            axis = a;
    return TSR_RUN_PASS(m, "ttir-automatic-data-parallelization", TSR_ARG_BOOL("pad-batch", true),
                        TSR_ARG_INT("batch-axis", axis));
}

bool tsr_spmd_set_mesh(tsr_module *m, tsr_str shape)
{
    int64_t sizes[TSR_TT_AXES], number = 0;
    size_t n = 0;
    for (size_t i = 0; i <= shape.len; i++) {
        char c = i < shape.len ? shape.data[i] : ',';
        if (c >= '0' && c <= '9' && number <= TSR_TT_DEVICES_MAX) {
            number = 10 * number + (c - '0');
        } else if (c == ',' && number > 0 && number <= TSR_TT_DEVICES_MAX && n < TSR_TT_AXES) {
            sizes[n++] = number;
            number = 0;
        } else {
            return false;
        }
    }
    tsr_attr *params[] = {tsr_attr_string(m->ctx, TSR_STR("mesh")),
                          tsr_attr_i64_array(m->ctx, sizes, n)};
    tsr_attr *mesh = tsr_attr_struct(m->ctx, &tsr_def_TTCORE_MESH, params);
    tsr_attr *list = tsr_attr_array(m->ctx, &mesh, 1);
    mesh = tsr_attr_struct(m->ctx, &tsr_def_TTCORE_MESHES, &list);
    TSR_OPS (m->op, op)
        if (op == m->op || (op->extra && tsr_dict_get(op->extra, TSR_STR("ttcore.meshes"))))
            tsr_op_set_attr(op, TSR_STR("ttcore.meshes"), mesh);
    return true;
}

bool tsr_spmd_needed(const tsr_module *m)
{
    tsr_tt_mesh mesh;
    if (tsr_dict_get(m->op->extra, TSR_STR("tessera.partitioned")))
        return false;
    if (has_batch(m, &mesh))
        return true;
    TSR_OPS (m->op, op) {
        if (tsr_op_is(op, TSR_OP_SDY_MESH))
            return true;
        if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION) ||
            (op->extra && tsr_dict_get(op->extra, TSR_STR("sdy.sharding"))))
            return true;
        const tsr_attr *args =
            tsr_op_is(op, TSR_OP_FUNC_FUNC) ? op->attrs[FUNC_FUNC_arg_attrs] : NULL;
        for (uint32_t i = 0; args && i < args->n; i++)
            if (tsr_dict_get(args->attrs[i], TSR_STR("sdy.sharding")))
                return true;
    }
    return false;
}

bool tsr_spmd_is_local(const tsr_module *m)
{
    if (count_of(m, REPLICAS) <= 1 && count_of(m, PARTITIONS) <= 1)
        return false;
    if (tsr_dict_get(m->op->extra, TSR_STR("tessera.partitioned")))
        return true;
    if (tsr_spmd_needed(m))
        return false;
    TSR_OPS (m->op, op)
        if (tsr_op_meets(op))
            return true;
    return false;
}

bool tsr_spmd_runs_alike(const tsr_module *m, size_t n)
{
    tsr_tt_mesh mesh;
    const char *bad;
    if (!tsr_tt_mesh_find(m, &mesh, &bad) || mesh.used || tsr_spmd_needed(m) ||
        (mesh.devices != 1 && mesh.devices != n))
        return false;
    TSR_OPS (m->op, op)
        if (tsr_op_meets(op))
            return false;
    return true;
}

bool tsr_spmd_on_devices(const tsr_module *m, size_t n, tsr_parts_run *run, tsr_status *status)
{
    size_t own = tsr_parts_devices(run);
    run->local = true;
    if (own == n)
        return true;
    run->alike = own == 1 && n >= 1 && n <= UINT32_MAX && tsr_spmd_runs_alike(m, n);
    if (run->alike) {
        run->replicas = (uint32_t)n;
        return true;
    }
    if (own != 1)
        return tsr_status_set(status, TSR_BAD_INPUT, "the program is for %zu devices, not for %zu",
                              own, n);
    return tsr_status_set(status, TSR_BAD_INPUT,
                          "the program says how it is divided among devices: %zu of them cannot "
                          "run it as it is written",
                          n);
}

static void read_notes(const tsr_attr *dicts, tsr_part_of *out, size_t n)
{
    for (size_t i = 0; dicts && i < n && i < dicts->n; i++) {
        const tsr_attr *type = tsr_dict_get(dicts->attrs[i], GLOBAL),
                       *how = tsr_dict_get(dicts->attrs[i], SHARDED);
        if (tsr_attr_is(type, TSR_ATTR_TYPE) && tsr_type_has_static_shape(type->type) &&
            tsr_sdy_is_sharding(how))
            out[i] = (tsr_part_of){type->type, how};
    }
}

bool tsr_spmd_entry(tsr_arena *arena, const tsr_module *m, const tsr_op *func, tsr_parts_run *out,
                    tsr_status *status)
{
    enum { MOST = 65536 };
    const tsr_type *type = tsr_entry_type(func);
    int64_t replicas = count_of(m, REPLICAS), partitions = count_of(m, PARTITIONS);
    const char *bad = NULL;
    tsr_tt_mesh mesh;
    if (!tsr_tt_mesh_find(m, &mesh, &bad) && mesh.used)
        return tsr_status_set(status, TSR_BAD_INPUT, "%s", bad);
    if (!bad && mesh.used && partitions == 1)
        partitions = mesh.devices;
    if (replicas < 1 || partitions < 1 || replicas > MOST || partitions > MOST / replicas)
        return tsr_status_set(status,
                              replicas < 1 || partitions < 1 ? TSR_BAD_INPUT : TSR_ENVIRONMENT,
                              "the module is for %lld times %lld devices; at most %d can be had",
                              (long long)replicas, (long long)partitions, MOST);
    tsr_part_of *in = TSR_NEW_ARRAY(arena, tsr_part_of, type->n + 1),
                *res = TSR_NEW_ARRAY(arena, tsr_part_of, type->nout + 1);
    read_notes(tsr_op_attr(func, TSR_STR("arg_attrs")), in, type->n);
    read_notes(tsr_op_attr(func, TSR_STR("res_attrs")), res, type->nout);
    *out = (tsr_parts_run){
        .replicas = (uint32_t)replicas, .partitions = (uint32_t)partitions, .in = in, .out = res};
    return true;
}

bool tsr_module_partition(tsr_module *m)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    tsr_tt_mesh mesh;
    bool ok = has_batch(m, &mesh)
                  ? divide_batch(m, &mesh)
                  : TSR_RUN_PASS(m, "tessera-partition", TSR_ARG_BOOL("remarks", false));
    tsr_guard_close(&g);
    return ok;
}

bool tsr_spmd_partition(tsr_module *m, tsr_str function, int64_t combine_bytes, tsr_status *status)
{
    enum { MOST = 31457280 }; /* as in tessera-combine-collectives */
    tsr_tt_mesh mesh;
    if (has_batch(m, &mesh))
        return divide_batch(m, &mesh);
    return tsr_shard_propagate(m, function, status) &&
           TSR_RUN_PASS(m, "tessera-partition", TSR_ARG_BOOL("propagate", false),
                        TSR_ARG_BOOL("remarks", false),
                        TSR_ARG_INT("combine-bytes", combine_bytes ? combine_bytes : MOST));
}

static bool eval_spmd(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                      tsr_tensor **out, size_t nout, const tsr_eval_options *options,
                      tsr_status *status)
{
    const tsr_op *func = tsr_entry_find(m, function, status);
    if (!func)
        return false;
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    tsr_entry_options all = tsr_entry_with(options, &run);
    bool ok = tsr_spmd_entry(&arena, m, func, &run, status) &&
              tsr_entry_run(m, func, in, nin, out, nout, &all, status);
    tsr_arena_free(&arena);
    return ok;
}

bool tsr_module_eval_spmd(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                          tsr_tensor **out, size_t nout, const tsr_eval_options *options,
                          tsr_status *status)
{
    tsr_no_results(out, nout);
    TSR_GUARD_IF(g, m && (in || !nin) && (out || !nout), m ? m->ctx : NULL, m, TSR_READS, status,
                 (tsr_no_results(out, nout), false))
    bool ok = eval_spmd(m, function, in, nin, out, nout, options, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Finding the first wrong op ---- */

bool tsr_spmd_find_culprit(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                           const tsr_tolerance *tolerance, tsr_entry_options *options,
                           tsr_ops_verdict *out, tsr_status *status)
{
    *out = (tsr_ops_verdict){0};
    tsr_tt_mesh mesh;
    bool batch = has_batch(m, &mesh);
    TSR_TRY(tsr_entry_keep(m, function, status) != NULL);
    TSR_TRY(batch || TSR_RUN_PASS(m, "tessera-partition", TSR_ARG_BOOL("only-propagate", true)));
    tsr_op *func = (tsr_op *)tsr_entry_find(m, function, status);
    if (!func)
        return false;
    tsr_origin_vec from = {0};
    tsr_expose(func, &from);
    size_t n = from.n;
    tsr_tensor **whole = tsr_xmalloc((n + 1) * sizeof *whole),
               **parts = tsr_xmalloc((n + 1) * sizeof *parts);
    memset(whole, 0, (n + 1) * sizeof *whole);
    memset(parts, 0, (n + 1) * sizeof *parts);
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    tsr_eval_engine engine = options->run.engine;
    options->parts = NULL;
    options->run.engine = TSR_ENGINE_REFERENCE; /* the undivided program is the reference */
    bool ok = tsr_entry_run(m, func, in, nin, whole, n, options, status) &&
              (batch ? divide_batch(m, &mesh)
                     : TSR_RUN_PASS(m, "tessera-partition", TSR_ARG_BOOL("propagate", false),
                                    TSR_ARG_BOOL("remarks", false)));
    func = ok ? (tsr_op *)tsr_entry_find(m, function, status) : NULL;
    ok = func && tsr_spmd_entry(&arena, m, func, &run, status);
    options->parts = &run;
    options->run.engine = engine;
    ok = ok && tsr_entry_run(m, func, in, nin, parts, n, options, status);
    for (size_t i = 0; ok && i < n; i++)
        tsr_verdict_add(out, &from.data[i], parts[i], whole[i], tolerance);
    options->parts = NULL;
    tsr_arena_free(&arena);
    for (size_t i = 0; i < n; i++) {
        tsr_tensor_unref(whole[i]);
        tsr_tensor_unref(parts[i]);
    }
    tsr_free(whole);
    tsr_free(parts);
    tsr_vec_free(&from);
    return ok;
}
