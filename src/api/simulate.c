/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.c - see simulate.h, and the public calls of simulation. */
#include "api/simulate.h"

#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "base/input.h"

#define REPLICAS TSR_STR("mhlo.num_replicas")
#define PARTITIONS TSR_STR("mhlo.num_partitions")

/* ---- Device files ---- */

void tsr_text_position(tsr_str text, size_t at, tsr_diag *out)
{
    out->line = 1;
    size_t begin = 0, end;
    for (size_t i = 0; i < at && i < text.len; i++)
        if (text.data[i] == '\n') {
            out->line++;
            begin = i + 1;
        }
    for (end = begin; end < text.len && text.data[end] != '\n';)
        end++;
    out->col = (uint32_t)(at - begin) + 1;
    out->source = (tsr_str){text.data + begin, end - begin};
}

/* The text of a device file, in the arena; false with a status. */
static bool device_text(tsr_arena *arena, tsr_str name, tsr_str *text, tsr_status *status)
{
    tsr_str known = tsr_device_file_text(name);
    bool is_path = !known.len;
    tsr_file in;
    const char *error = NULL;
    if (!is_path) {
        *text = (tsr_str){tsr_arena_copy(arena, known.data, known.len), known.len};
        tsr_free((void *)known.data);
        return true;
    }
    char *path = tsr_arena_zalloc(arena, name.len + 1);
    memcpy(path, name.data, name.len);
    if (memchr(name.data, '/', name.len) == NULL && memchr(name.data, '.', name.len) == NULL) {
        tsr_buf names = {0};
        tsr_device_file_names(&names);
        tsr_status_set(status, TSR_BAD_INPUT,
                       "there is no device '%.100s': known are %.*s; any other is the path of a "
                       "device file",
                       path, (int)names.len, names.data);
        tsr_buf_free(&names);
        return false;
    }
    if (!tsr_file_open(path, &in, &error))
        return tsr_status_set(status, TSR_ENVIRONMENT, "cannot open device file '%.200s': %s", path,
                              error);
    *text = (tsr_str){tsr_arena_copy(arena, in.data.data, in.data.len), in.data.len};
    tsr_file_close(&in);
    return true;
}

bool tsr_device_file_load(tsr_arena *arena, tsr_str name, tsr_device_file *out, tsr_diag *bad,
                          tsr_status *status)
{
    tsr_device_file_error error = {0};
    tsr_diag diag = {.severity = TSR_ERROR};
    tsr_str text;
    if (bad)
        *bad = diag;
    name = name.len ? name : TSR_STR("h100");
    if (!device_text(arena, name, &text, status))
        return false;
    if (tsr_device_file_read(arena, text, out, &error))
        return true;
    tsr_text_position(text, error.at, &diag);
    diag.file = name;
    diag.message =
        (tsr_str){tsr_arena_copy(arena, error.reason, strlen(error.reason)), strlen(error.reason)};
    if (bad)
        *bad = diag;
    return tsr_status_set(status, TSR_BAD_INPUT, "%.*s:%u:%u: %s",
                          (int)(name.len > 200 ? 200 : name.len), name.data, diag.line, diag.col,
                          error.reason);
}

/* ---- Modules ---- */

static int64_t count_of(const tsr_module *m, tsr_str name)
{
    const tsr_attr *a = tsr_dict_get(m->op->extra, name);
    return tsr_attr_is(a, TSR_ATTR_INT) && a->i > 0 ? a->i : 1;
}

/* The type whose products take the most operations determines the peak. */
static double peak_of(const tsr_device_file *d, const tsr_op *product)
{
    if (!product || !product->nin || !product->in[0].value->type->elem)
        return tsr_device_file_peak(d, TSR_STR("f32"));
    tsr_str name = tsr_type_print(product->in[0].value->type->elem);
    double peak = tsr_device_file_peak(d, name);
    tsr_free((void *)name.data);
    return peak;
}

void tsr_simulate_local(tsr_arena *arena, tsr_module *m, tsr_op *func, const tsr_device_file *d,
                        double work, tsr_simulated *out)
{
    tsr_shard_plan *plan = &out->plan;
    if (!plan->func)
        tsr_shard_plan_of(arena, func, false, plan);
    if (out->sim.keep)
        tsr_sim_compiled(plan, out->sim.keep, &out->sim.engine);
    tsr_sim_function(&out->sim, d, plan);
    int64_t devices = count_of(m, REPLICAS) * count_of(m, PARTITIONS);
    out->sim.moved =
        (double)plan->moved; /* bytes and their number are counted once, for all reports */
    out->sim.ncollective =
        (uint32_t)(plan->ncollective < UINT32_MAX ? plan->ncollective : UINT32_MAX);
    out->report = (tsr_sim_report){.device = d,
                                   .sim = &out->sim,
                                   .plan = plan,
                                   .ctx = m->ctx,
                                   .devices = devices,
                                   .work = work > 0 ? work : out->sim.flops * (double)devices,
                                   .peak = peak_of(d, out->sim.heaviest),
                                   .bytes = (double)plan->peak};
}

void tsr_simulate_memory(tsr_simulated *s)
{
    if (s->plan.compiled || tsr_sim_compiled(&s->plan, NULL, NULL))
        s->report.bytes = (double)s->plan.peak;
}

bool tsr_simulate(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                  const tsr_device_file *d, tsr_simulated *out, tsr_status *status)
{
    double work = 0;
    if (!tsr_spmd_is_local(m)) {
        TSR_TRY(tsr_make_runnable(m, true));
        TSR_TRY(tsr_shard_give(m, request, status));
        tsr_op *func = (tsr_op *)tsr_entry_find(m, request->function, status);
        if (!func)
            return false;
        work = tsr_sim_work(func);
        TSR_TRY(tsr_shard_propagate(m, request->function, status));
        TSR_TRY(tsr_shard_partition(arena, m, request, &out->plan, status));
    }
    tsr_op *func = (tsr_op *)tsr_entry_find(m, request->function, status);
    if (!func)
        return false;
    tsr_simulate_local(arena, m, func, d, work, out);
    tsr_simulate_memory(out);
    return true;
}

void tsr_simulated_free(tsr_simulated *s)
{
    tsr_sim_free(&s->sim);
    tsr_shard_plan_free(&s->plan);
}

/* ---- The public calls ---- */

static bool simulate_text(tsr_module *m, const tsr_shard_options *options, tsr_str device,
                          bool json, tsr_buf *out, tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file d;
    tsr_simulated s = {0};
    tsr_shard_request request = tsr_shard_request_of(options, (tsr_str){0});
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_module *copy = tsr_module_copy_borrowed(m);
    bool ok = tsr_device_file_load(&arena, device, &d, NULL, status) &&
              tsr_simulate(&arena, copy, &request, &d, &s, status);
    if (ok)
        (json ? tsr_sim_json : tsr_sim_text)(out, &s.report);
    tsr_simulated_free(&s);
    tsr_module_free(copy);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_simulate(tsr_module *m, const tsr_shard_options *options, tsr_str device,
                            bool json, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = simulate_text(m, options, device, json, &out, g.status);
    return tsr_guard_finish_text(&g, ok, &out);
}
