/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt_run.c - `ttrt run` and `ttrt perf`: runs programs of a binary on our engine. */
#include <stdlib.h>

#include "api/spmd.h"
#include "base/decimal.h"
#include "check/ttnn.h"
#include "eval/file/npy.h"
#include "eval/random.h"
#include "eval/tt_mesh.h"
#include "lower/ttnn/device.h"
#include "ttrt.h"

void free_tensors(ttrt_tensors *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_tensor_unref(v->data[i]);
    tsr_vec_free(v);
}

tsr_op *find_func(tsr_module *m, tsr_str name)
{
    return tsr_symbol_find(tsr_ttcore_device_module(m->op), name);
}

/* ---- Inputs ---- */

/* Random ones, a fixed fraction: depends only on the seed and the element number. */
static bool is_one(const ttrt *r, uint32_t input, int64_t i)
{
    uint64_t x = r->seed * 0x9e3779b97f4a7c15u + ((uint64_t)input << 40) + (uint64_t)i;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % r->density == 0;
}

static void fill(const ttrt *r, uint32_t input, tsr_tensor *t)
{
    tsr_dtype d = (tsr_dtype)t->dtype;
    uint32_t bytes = tsr_dtype_bytes(d);
    for (int64_t i = 0; i < t->n; i++) {
        double v = r->init[0] == 'o' ? is_one(r, input, i) : r->init[0] == 'z' ? 0 : (double)i;
        uint64_t bits =
            tsr_dtype_is_float(d) ? tsr_float_from_double(tsr_dtype_float_kind(d), v) : (uint64_t)v;
        for (uint32_t k = 0; k < bytes; k++)
            ((uint8_t *)t->data)[(size_t)i * bytes + k] = (uint8_t)(bits >> (8 * k));
    }
}

/* The input that the binary's goldens were computed from; NULL if it has none. */
static tsr_tensor *stored_input(job *j, uint32_t i, const tsr_type *t)
{
    char key[40];
    snprintf(key, sizeof key, "input_%u", i);
    tsr_tensor *golden = j->r->golden && !j->r->init ? golden_of(j, tsr_cstr(key), 0) : NULL;
    if (!golden || (tsr_dtype)golden->dtype == tsr_dtype_of(t->elem))
        return golden;
    tsr_tensor *made = tsr_tensor_like(golden, t->elem);
    if (made)
        tsr_convert((tsr_dtype)made->dtype, made->data, (tsr_dtype)golden->dtype, golden->data,
                    golden->n);
    tsr_tensor_unref(golden);
    return made;
}

static tsr_tensor *input(job *j, uint32_t i)
{
    const tsr_type *t = j->type->types[i];
    if (i < j->r->inputs.n)
        return tsr_npy_load(j->b->ctx, j->r->inputs.data[i], t->elem, TSR_NPY_EXACT, &j->status);
    tsr_tensor *made = stored_input(j, i, t);
    if (made)
        return made;
    if (!j->r->init || strcmp(j->r->init, "random") == 0)
        return tsr_random_input(j->m, j->func, i, j->r->seed, &j->status);
    made = tsr_tensor_new(t->elem, t->dims, t->n);
    if (!made)
        tsr_status_set(&j->status, TSR_ENVIRONMENT, "there is no memory for input %u", i);
    else
        fill(j->r, i, made);
    return made;
}

static bool inputs(job *j)
{
    if (j->r->inputs.n > j->type->n)
        return tsr_status_set(&j->status, TSR_BAD_INPUT,
                              "%zu inputs are given, and the program takes %u", j->r->inputs.n,
                              j->type->n);
    for (uint32_t i = 0; i < j->type->n; i++) {
        if (!tsr_type_is(j->type->types[i], TSR_TYPE_TENSOR))
            return tsr_status_set(&j->status, TSR_BAD_INPUT, "input %u is no tensor", i);
        tsr_tensor *t = input(j, i);
        TSR_TRY(t != NULL);
        tsr_vec_push(&j->in, t);
    }
    return true;
}

/* --dirty-tensor-schedule: changes inputs from this run on. */
static bool dirty(job *j, uint64_t loop)
{
    const char *p = j->r->dirty ? j->r->dirty : "";
    while (*p) {
        char *end;
        unsigned long long i = strtoull(p, &end, 10), at = 0;
        bool good = end != p && *end == ':' && end[1] >= '0' && end[1] <= '9' && *p >= '0' &&
                    *p <= '9' && i < j->in.n;
        if (good)
            at = strtoull(end + 1, &end, 10);
        if (!good || (*end && *end != ','))
            return tsr_status_set(
                &j->status, TSR_BAD_INPUT,
                "--dirty-tensor-schedule=%s is no list of input:run of %zu inputs", j->r->dirty,
                j->in.n);
        if (at == loop) {
            tsr_tensor *t =
                tsr_random_input(j->m, j->func, (uint32_t)i, j->r->seed + loop + 1, &j->status);
            TSR_TRY(t != NULL);
            tsr_tensor_unref(j->in.data[i]);
            j->in.data[i] = t;
        }
        p = end + (*end == ',');
    }
    return true;
}

/* ---- Running ---- */

/* How many devices a mesh "1,2" has; 0: it is none. */
static size_t mesh_devices(const char *shape)
{
    enum { MOST = 65536 };
    size_t n = 1;
    for (const char *p = shape;;) {
        char *end = NULL;
        unsigned long size = *p >= '1' && *p <= '9' ? strtoul(p, &end, 10) : 0;
        if (!size || size > MOST / n || (*end && *end != ','))
            return 0;
        n *= size;
        if (!*end)
            return n;
        p = end + 1;
    }
}

/* --mesh-shape: the program is for as many devices, or for one. */
static bool place(job *j)
{
    size_t n = j->r->mesh ? mesh_devices(j->r->mesh) : 1;
    tsr_tt_mesh mesh;
    const char *bad;
    j->devices = 1;
    size_t own = tsr_tt_mesh_find(j->m, &mesh, &bad) ? mesh.devices : 1;
    if (!j->r->mesh || n == own)
        return true;
    j->devices = n;
    return (own == 1 && tsr_spmd_runs_alike(j->m, n)) ||
           tsr_status_set(&j->status, TSR_BAD_INPUT,
                          "the program is for %zu device%s, and the mesh %s has %zu", own,
                          own == 1 ? ", of which it says how they meet" : "s", j->r->mesh, n);
}

static void print_text(void *user, tsr_str text)
{
    say(user, text);
}

bool run_func(job *j, tsr_module *m, const tsr_op *func, size_t nout, size_t devices, bool compiled,
              const watcher *w, ttrt_tensors *out, double *seconds)
{
    tsr_arena arena;
    tsr_parts_run parts;
    ttrt_tensors in = {0};
    tsr_entry_options o = {.run = {.engine = compiled ? TSR_ENGINE_COMPILED : TSR_ENGINE_REFERENCE,
                                   .seed = j->r->seed,
                                   .zero_division = TSR_ZERO_IGNORE},
                           .user = j->r,
                           .print = j->live ? print_text : NULL,
                           .file_dir = j->live ? "." : NULL,
                           .pause = j->live ? user_at_terminal() : NULL,
                           .strict = true, /* each TTNN op writes a tensor of its type */
                           .parts = devices > 1 ? &parts : NULL,
                           .watch = w ? w->watch : NULL,
                           .enter = w ? w->enter : NULL,
                           .watch_user = w ? w->user : NULL,
                           .clock = wall_seconds};
    tsr_arena_init(&arena);
    bool ok = devices == 1 || (tsr_spmd_entry(&arena, m, func, &parts, &j->status) &&
                               tsr_spmd_on_devices(m, devices, &parts, &j->status));
    for (size_t i = 0; i < j->in.n * devices; i++)
        tsr_vec_push(&in, j->in.data[i % j->in.n]);
    tsr_vec_reserve(out, nout * devices + 1);
    ok = ok && tsr_entry_run(m, func, in.data, j->in.n, out->data, nout, &o, &j->status);
    tsr_vec_free(&in);
    tsr_arena_free(&arena);
    out->n = ok ? nout * devices : 0;
    *seconds = o.seconds;
    return ok;
}

/* Memory of tensors on a device; with --check-memory-leak, all of it must be freed. */
static bool memory(job *j)
{
    tsr_device_memory d = {0};
    tsr_buf text = {0}, json = {0};
    bool ok = tsr_ttnn_check(j->m, j->func, j->r->leaks, &d);
    if (ok) {
        tsr_device_memory_print(&d, &text);
        say(j->r, tsr_buf_text(&text));
        tsr_buf_printf(&json,
                       "{\n  \"dram\": {\"total_bytes\": %llu, \"peak_bytes_allocated\": %llu},\n"
                       "  \"l1\": {\"total_bytes\": %llu, \"peak_bytes_allocated\": %llu},\n"
                       "  \"tensors_not_deallocated\": %u\n}\n",
                       (unsigned long long)d.dram_size, (unsigned long long)d.dram_peak,
                       (unsigned long long)d.l1_size, (unsigned long long)d.l1_peak, d.leaks);
        char path[80];
        snprintf(path, sizeof path, "run/program_%zu/memory_results.json", j->index);
        if (j->r->save && write_artifact(j->r, j->b, path, tsr_buf_text(&json)))
            ok = tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write artifacts");
    } else {
        tsr_status_set(&j->status, TSR_BAD_INPUT,
                       "the program does not do with its device's memory");
    }
    tsr_buf_free(&text);
    tsr_buf_free(&json);
    return ok;
}

/* each: how many a device has. */
static void print_list(job *j, const char *name, const ttrt_tensors *list, size_t each)
{
    enum { MOST = 100 };
    for (size_t i = 0; i < list->n; i++) {
        tsr_buf text = {0};
        const tsr_tensor *t = list->data[i];
        tsr_buf_printf(&text, "%s %zu", name, i % each);
        if (i >= each)
            tsr_buf_printf(&text, " on device %zu", i / each);
        tsr_buf_char(&text, ':');
        for (int64_t k = 0; t->kind == TSR_TENSOR && k < t->n && k < MOST; k++)
            tsr_buf_printf(&text, " %s", tsr_spell('g', 0, 6, tsr_get_double(t, k)).text);
        tsr_buf_cstr(&text, t->kind == TSR_TENSOR && t->n > MOST ? " ...\n" : "\n");
        say(j->r, tsr_buf_text(&text));
        tsr_buf_free(&text);
    }
}

/* ---- Artifacts: <folder>/<name of the binary>/ ---- */

/* Device 1 inserts ".1", as in files of debug ops. */
static int save_list(job *j, const char *name, const ttrt_tensors *list, size_t each)
{
    int code = EXIT_OK;
    for (size_t i = 0; !code && i < list->n; i++) {
        char path[80], device[24] = "";
        if (i >= each)
            snprintf(device, sizeof device, ".%zu", i / each);
        snprintf(path, sizeof path, "run/program_%zu/%s_%zu%s.npy", j->index, name, i % each,
                 device);
        code = save_tensor(j->r, j->b, path, list->data[i]);
    }
    return code;
}

static int save_report(job *j)
{
    char path[80];
    tsr_buf text = {0};
    snprintf(path, sizeof path, "run/program_%zu/golden_results.json", j->index);
    tsr_buf_printf(&text, "{%.*s\n}\n", (int)j->report.len, j->report.data ? j->report.data : "");
    int code = j->stored ? write_artifact(j->r, j->b, path, tsr_buf_text(&text)) : EXIT_OK;
    tsr_buf_free(&text);
    return code;
}

static int save_times(job *j)
{
    const char *filter = j->r->filter ? j->r->filter : "const_eval,input_layout_conversion";
    bool constants = strstr(filter, "const_eval"),
         inputs = strstr(filter, "input_layout_conversion");
    const char *const names[4] = {
        "", "_minus_const_eval", "_minus_input_layout_conversions",
        constants && inputs ? "_minus_const_eval_and_input_layout_conversions" : NULL};
    int code = EXIT_OK;
    for (size_t i = 0; !code && i < 4; i++) {
        tsr_buf text = {0}, path = {0};
        if (!names[i])
            continue;
        tsr_buf_printf(&path, "perf/program_%zu/ops_perf_results%s.csv", j->index, names[i]);
        tsr_buf_char(&path, 0);
        tsr_buf_printf(&text,
                       "GLOBAL CALL COUNT,OP CODE,OP TYPE,DEVICE ID,HOST START TS,HOST END TS,HOST "
                       "DURATION [ns],LOC,CONST_EVAL_OP,INPUT_LAYOUT_CONVERSION_OP,"
                       "PROGRAM_METADATA\n%.*s",
                       (int)j->csv[i].len, j->csv[i].data ? j->csv[i].data : "");
        code = write_artifact(j->r, j->b, path.data, tsr_buf_text(&text));
        tsr_buf_free(&text);
        tsr_buf_free(&path);
    }
    return code;
}

static bool save(job *j)
{
    int code = EXIT_OK;
    if (j->r->save) {
        code = save_binary(j->r, j->b);
        if (!code)
            code = save_list(j, "input", &j->in, j->type->n);
        if (!code)
            code = save_list(j, "device_output", &j->out, j->type->nout);
        if (!code)
            code = save_report(j);
    }
    if (!code && j->r->timed)
        code = save_times(j);
    return !code || tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write artifacts");
}

/* ---- Programs ---- */

static bool work(job *j)
{
    TSR_TRY(place(j) && inputs(j));
    bool stored = j->r->golden && !j->r->init && !j->r->dirty && has_goldens(j);
    for (uint64_t i = 0; i < j->r->loops + j->r->benchmark; i++) {
        double seconds = 0;
        bool warms = j->r->benchmark && i == 0;
        TSR_TRY(warms || dirty(j, i - j->r->benchmark));
        free_tensors(&j->out);
        j->out = (ttrt_tensors){0};
        j->live = !warms;
        TSR_TRY(
            run_func(j, j->m, j->func, j->type->nout, j->devices, true, NULL, &j->out, &seconds));
        j->live = false;
        bool first = i == j->r->benchmark;
        if (!warms)
            j->seconds = first || seconds < j->seconds ? seconds : j->seconds;
    }
    check_outputs(j);
    if (j->r->print_values) {
        print_list(j, "Input", &j->in, j->type->n);
        print_list(j, "Output", &j->out, j->type->nout);
    }
    return (!j->r->memory || memory(j)) && (!stored || compare_goldens(j)) &&
           ((!j->r->timed && !(j->r->reference && j->r->golden)) || compare_ops(j));
}

static int finish(job *j, bool ok, uint32_t nerror)
{
    const char *name = tsr_fb_text(j->program, "name").data;
    tsr_buf more = {0}, why = {0}, text = {0};
    bool pass = ok && !j->off;
    if (!ok && j->b->ctx->nerror == nerror)
        fprintf(stderr, "%s: error: %s: program %zu: %s\n", j->r->t->name, j->b->path, j->index,
                j->status.message);
    tsr_buf_str(&why, ok ? tsr_buf_text(&j->first) : tsr_cstr(j->status.message));
    tsr_buf_char(&why, 0);
    tsr_buf_printf(&more,
                   ",\n    \"program_index\": %zu,\n    \"loops\": %llu,\n    \"compared\": %zu,\n"
                   "    \"off\": %zu,\n    \"goldens\": %zu,\n    \"goldens_unmatched\": %zu,\n"
                   "    \"seconds\": %s",
                   j->index, (unsigned long long)j->r->loops, j->compared, j->off, j->stored,
                   j->unmet, tsr_spell('e', 0, 6, j->seconds).text);
    tsr_buf_char(&more, 0);
    if (ok) {
        tsr_buf_printf(&text, "%s: program %zu '%s': %s, %zu values compared, %zu off%s%s\n",
                       j->b->path, j->index, name, pass ? "PASS" : "FAIL", j->compared, j->off,
                       j->off ? "; " : "", why.data);
        if (j->unmet)
            tsr_buf_printf(&text,
                           "  %zu golden%s left out: the program has no value at %s location, "
                           "since the op was fused, folded or moved: %.*s\n",
                           j->unmet, j->unmet == 1 ? " is" : "s are",
                           j->unmet == 1 ? "its" : "their", TSR_STR_ARG(tsr_buf_text(&j->gone)));
        if (j->r->benchmark)
            tsr_buf_printf(&text, "e2e_duration_nanoseconds = %.0f\n", j->seconds * 1e9);
        say(j->r, tsr_buf_text(&text));
    }
    add_result(j->r, j->b->path, pass ? "pass" : ok ? "test_error" : "error", why.data, more.data);
    tsr_buf_free(&more);
    tsr_buf_free(&why);
    tsr_buf_free(&text);
    return pass                                ? EXIT_OK
           : ok                                ? EXIT_VALUES_OFF
           : j->status.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT
                                               : EXIT_REJECTED;
}

static int run_program(ttrt *r, binary *b, tsr_module *m, const tsr_fb_table *program, size_t index)
{
    job j = {.r = r, .b = b, .m = m, .program = program, .index = index};
    uint32_t nerror = b->ctx->nerror;
    j.func = find_func(m, tsr_fb_text(program, "name"));
    j.type = tsr_entry_type(j.func);
    bool ok = work(&j) && save(&j);
    int code = finish(&j, ok, nerror);
    free_tensors(&j.in);
    free_tensors(&j.out);
    tsr_buf_free(&j.first);
    tsr_buf_free(&j.gone);
    tsr_buf_free(&j.report);
    for (size_t i = 0; i < TSR_COUNT(j.csv); i++)
        tsr_buf_free(&j.csv[i]);
    return code;
}

/* The requested index; -1: all, -2: invalid, after a message. */
static long asked(const ttrt *r, size_t n)
{
    char *end = NULL;
    long i = strcmp(r->program, "all") == 0 ? -1 : strtol(r->program, &end, 10);
    if (i == -1 || (end && end != r->program && !*end && i >= 0 && (size_t)i < n))
        return i;
    fprintf(stderr, "%s: error: there is no program '%s' among %zu\n", r->t->name, r->program, n);
    return -2;
}

/* Whether all words between commas are known. */
static bool is_filter(const char *text)
{
    static const char *const known[] = {"const_eval", "input_layout_conversion"};
    for (const char *p = text; p && *p;) {
        size_t n = strcspn(p, ",");
        bool found = false;
        for (size_t i = 0; i < TSR_COUNT(known); i++)
            found |= strlen(known[i]) == n && strncmp(p, known[i], n) == 0;
        TSR_TRY(found);
        p += n + (p[n] == ',');
    }
    return true;
}

/* NULL, or what the flags request that is not possible. */
static const char *wrong_flags(const ttrt *r)
{
    static const char *const ways[] = {"random", "ones", "zeros", "arange"};
    bool known = !r->init;
    for (size_t i = 0; !known && i < TSR_COUNT(ways); i++)
        known = strcmp(r->init, ways[i]) == 0;
    return !known                  ? "--init is none of randn, random, ones, zeros and arange"
           : !is_filter(r->filter) ? "--filter has a kind that is none of const_eval and "
                                     "input_layout_conversion"
           : r->mesh && !mesh_devices(r->mesh) ? "--mesh-shape is no shape of a mesh, such as 1,2"
           : r->leaks && !r->memory            ? "--check-memory-leak needs --memory"
           : r->reference && !r->golden ? "--enable-golden and --disable-golden are both given"
           : r->density != 1 && (!r->init || r->init[0] != 'o') ? "--ones-density needs --init=ones"
                                                                : NULL;
}

int ttrt_run(ttrt *r, binary *b)
{
    const char *wrong = wrong_flags(r);
    if (wrong || !tsr_fb_has_programs(b->kind)) {
        if (wrong)
            fprintf(stderr, "%s: error: %s\n", r->t->name, wrong);
        else
            fprintf(stderr, "%s: error: '%s' is no binary with programs\n", r->t->name, b->path);
        add_result(r, b->path, "error", wrong ? wrong : "no binary with programs", "");
        return EXIT_REJECTED;
    }
    const tsr_fb_value *programs = tsr_fb_get(b->root, "programs");
    size_t n = programs->set ? programs->n : 0;
    long want = asked(r, n);
    tsr_module *m = want == -2 ? NULL : tsr_fb_module_of(b->ctx, b->root, b->src.file);
    bool good = m && tsr_verify(m->op);
    /* In TTMetal one command contains all ops: they are examined one by one, like those of TTNN. */
    if (good && b->kind == &tsr_fb_files[TSR_FB_TTM])
        tsr_fb_metal_join(m);
    int worst = good && tsr_make_runnable(m, false) ? EXIT_OK : EXIT_REJECTED;
    if (worst)
        add_result(r, b->path, "error", "the binary is no program", "");
    for (size_t i = 0; m && worst != EXIT_REJECTED && i < n; i++) {
        const tsr_fb_table *p = programs->items[i].table;
        if (want >= 0 ? (size_t)want != i : tsr_fb_int(p, "private") != 0)
            continue;
        int code = run_program(r, b, m, p, i);
        worst = code > worst || code == EXIT_REJECTED ? code : worst;
    }
    if (m)
        tsr_module_free(m);
    return worst;
}
