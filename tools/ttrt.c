/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt.c - `ttrt`: shows, checks and runs binaries of tt-mlir's runtime, and writes system descriptions. Without a
 * card, programs run on our engine. */
#include "ttrt.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "api/saved.h"
#include "base/decimal.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(GROUP_FILES, NULL, GROUP, NULL, "FILES") \
    FLAG(RESULT_FILE, "result-file", VALUE, "<file>", "Write the outcome of each file as JSON, and beside it ttrt_report.xml (run and perf: run_results.json, perf_results.json by default)") \
    FLAG(LOG_FILE, "log-file", VALUE, "<file>", "Write what is printed to a file, too") \
    FLAG(ARTIFACT_DIR, "artifact-dir", VALUE, "<dir>", "Folder of artifacts (default: ttrt-artifacts)") \
    FLAG(CLEAN_ARTIFACTS, "clean-artifacts", SWITCH, NULL, "Remove the folder of artifacts first") \
    FLAG(SAVE_ARTIFACTS, "save-artifacts", SWITCH, NULL, "Write the binary, its system, its inputs and its outputs to the folder of artifacts") \
    FLAG(IGNORE_VERSION, "ignore-version", SWITCH, NULL, "Do not warn of binaries of other revisions of the schema") \
    FLAG(GROUP_READ, NULL, GROUP, NULL, "READ") \
    FLAG(SECTION, "section", VALUE, "<name>", "all, version, system_desc, mlir, inputs, outputs, op_stats, debug_info or dylibs (default: all)") \
    FLAG(READ_FILE, "read-file", VALUE, "<file>", "Write the sections of all files to one file, as a list, too") \
    FLAG(GROUP_SYSTEM, NULL, GROUP, NULL, "QUERY AND CHECK") \
    FLAG(SYSTEM_DESC, "system-desc", VALUE, "<file>", "check: the system that binaries must be for; query: the file to write (default: system_desc.ttsys in the folder of artifacts)") \
    FLAG(ARCH, "arch", VALUE, "<name>", "query: wormhole_b0 (default) or blackhole") \
    FLAG(CHIPS, "chips", VALUE, "<n>", "query: how many chips the system has (default: 1)") \
    FLAG(QUIET, "quiet", SWITCH, NULL, "query: do not print the system") \
    FLAG(GROUP_RUN, NULL, GROUP, NULL, "RUN AND PERF") \
    FLAG(MESH_SHAPE, "mesh-shape", VALUE, "<1,2>", "Run on a mesh of this shape (default: that of the program); a program for one device runs on each of its devices") \
    FLAG(PROGRAM_INDEX, "program-index", VALUE, "<n>", "The program to run (default: all public ones)") \
    FLAG(LOOPS, "loops", COUNT, "<n>", "Run each program so often (default: 1)") \
    FLAG(BENCHMARK, "benchmark", SWITCH, NULL, "Run each program once before the runs that are timed") \
    FLAG(INIT, "init", VALUE, "<how>", "Inputs: randn or random, ones, zeros or arange; goldens of the binary are not compared then (default: inputs of the binary, else random)") \
    FLAG(ONES_DENSITY, "ones-density", COUNT, "<n>", "Of --init=ones: one element of n is 1, by chance, others are 0 (default: 1)") \
    FLAG(INPUT, "input", LIST, "<x.npy>", "The next input, from a file") \
    FLAG(SEED, "seed", COUNT, "<n>", "Of random inputs (default: 0)") \
    FLAG(DIRTY, "dirty-tensor-schedule", VALUE, "<i:n,...>", "Input i has other random numbers from run n on, counted from 0") \
    FLAG(GROUP_COMPARE, NULL, GROUP, NULL, "COMPARISON") \
    FLAG(ENABLE_GOLDEN, "enable-golden", SWITCH, NULL, "Compare each op with the evaluator, from the same inputs, and the goldens of the binary") \
    FLAG(DISABLE_GOLDEN, "disable-golden", SWITCH, NULL, "Compare nothing") \
    FLAG(DISABLE_CALLBACKS, "disable-ttrt-callbacks", SWITCH, NULL, "The same: nothing is done after an op") \
    FLAG(PCC, "pcc", VALUE, "<p>", "Correlation that values of bf16 and of block formats must have (default: 0.99)") \
    FLAG(ATOL, "atol", VALUE, "<a>", "Absolute tolerance of f32 (default: 1e-5)") \
    FLAG(RTOL, "rtol", VALUE, "<r>", "Relative tolerance of f32 (default: 1e-4)") \
    FLAG(TOP, "golden-diff-topk", COUNT, "<n>", "Print so many elements of an output that is off, those that differ most first (default: 10)") \
    FLAG(SAVE_GOLDENS, "save-golden-tensors", SWITCH, NULL, "Write values that were compared with goldens of the binary, and those, to the folder of artifacts") \
    FLAG(PRINT, "print-input-output-tensors", SWITCH, NULL, "Print inputs and outputs") \
    FLAG(IDENTITY, "identity", SWITCH, NULL, "Outputs must be the inputs") \
    FLAG(NON_ZERO, "non-zero", SWITCH, NULL, "An output must have an element that is not 0") \
    FLAG(GROUP_PERF, NULL, GROUP, NULL, "MEMORY AND TIME") \
    FLAG(MEMORY, "memory", SWITCH, NULL, "Print what memory of a device the program takes; with --save-artifacts memory_results.json") \
    FLAG(LEAKS, "check-memory-leak", SWITCH, NULL, "With --memory: tensors that nobody gives back are errors") \
    FLAG(FILTER, "filter", VALUE, "<kinds>", "perf: ops that one more file of timings leaves out, of const_eval and input_layout_conversion (default: both)") \
    FLAG(HOST_ONLY, "host-only", SWITCH, NULL, "perf: time ops on the host alone, which is what there is") \
    NOT_HERE(FLAG)

#define CARD "is for a card, and there is none here"
#define KERNELS "is about kernels of a card, and there are none here"
/* Flags of the original tool without an equivalent here. */
#define NOT_HERE(FLAG) \
    FLAG(RTOL_ALLCLOSE, "rtol-allclose", ABSENT, NULL, "is --rtol here") \
    FLAG(ATOL_ALLCLOSE, "atol-allclose", ABSENT, NULL, "is --atol here") \
    FLAG(DUMP_KERNELS, "dump-kernels", ABSENT, NULL, KERNELS) \
    FLAG(LOAD_KERNELS, "load-kernels", ABSENT, NULL, KERNELS) \
    FLAG(LOC_FOR_KERNEL, "use-loc-for-kernel-name", ABSENT, NULL, KERNELS) \
    FLAG(KERNEL_SOURCE_DIR, "kernel-source-dir", ABSENT, NULL, KERNELS) \
    FLAG(NO_ADDRESSES, "disable-device-address-validation", ABSENT, NULL, CARD) \
    FLAG(BLOCKING_CQ, "blocking-cq", ABSENT, NULL, CARD) \
    FLAG(NO_SWAP, "disable-swap-binary-operands", ABSENT, NULL, CARD) \
    FLAG(NO_UPDATE_INDEX, "disable-read-update-index-for-kv-cache", ABSENT, NULL, CARD) \
    FLAG(NO_BLACKHOLE, "disable-blackhole-workarounds", ABSENT, NULL, CARD) \
    FLAG(NO_ETH, "disable-eth-dispatch", ABSENT, NULL, CARD) \
    FLAG(PROGRAM_CACHE, "enable-program-cache", ABSENT, NULL, CARD) \
    FLAG(TRACE_REGION, "trace-region-size", ABSENT, NULL, CARD) \
    FLAG(DUMP_RATE, "dump-device-rate", ABSENT, NULL, CARD) \
    FLAG(PERF_TRACE, "enable-perf-trace", ABSENT, NULL, CARD) \
    FLAG(FABRIC, "fabric-config", ABSENT, NULL, CARD) \
    FLAG(MEMORY_LOG, "memory-log-level", ABSENT, NULL, CARD) \
    FLAG(PORT, "port", ABSENT, NULL, "is for a profiler's server, and there is none here") \
    FLAG(EMITC, "emitc", ABSENT, NULL, "is for emitted code, which is not run here") \
    FLAG(DEBUGGER, "debugger", ABSENT, NULL, "wants Python; ttnn.breakpoint and tessera run --pause stop a program here")
// clang-format on

enum { FLAGS(FLAG_ID) FLAG_COUNT_OF };
static const flag table[] = {FLAGS(FLAG_ROW)};

/* The subcommands that a flag is for. */
enum { READ = 1, QUERY = 2, CHECK = 4, RUN = 8, PERF = 16, ALL = 31, RUNS = RUN | PERF };
static const uint8_t takes[FLAG_COUNT_OF] = {
    [FLAG_ID_RESULT_FILE] = ALL,
    [FLAG_ID_LOG_FILE] = ALL,
    [FLAG_ID_ARTIFACT_DIR] = ALL,
    [FLAG_ID_CLEAN_ARTIFACTS] = ALL,
    [FLAG_ID_SAVE_ARTIFACTS] = ALL,
    [FLAG_ID_IGNORE_VERSION] = READ | CHECK | RUNS,
    [FLAG_ID_SECTION] = READ,
    [FLAG_ID_READ_FILE] = READ,
    [FLAG_ID_SYSTEM_DESC] = QUERY | CHECK,
    [FLAG_ID_ARCH] = QUERY,
    [FLAG_ID_CHIPS] = QUERY,
    [FLAG_ID_QUIET] = QUERY,
    [FLAG_ID_MESH_SHAPE] = RUNS,
    [FLAG_ID_PROGRAM_INDEX] = RUNS,
    [FLAG_ID_LOOPS] = RUNS,
    [FLAG_ID_BENCHMARK] = RUNS,
    [FLAG_ID_INIT] = RUNS,
    [FLAG_ID_ONES_DENSITY] = RUNS,
    [FLAG_ID_INPUT] = RUNS,
    [FLAG_ID_SEED] = RUNS,
    [FLAG_ID_DIRTY] = RUN,
    [FLAG_ID_ENABLE_GOLDEN] = RUNS,
    [FLAG_ID_DISABLE_GOLDEN] = RUNS,
    [FLAG_ID_DISABLE_CALLBACKS] = RUNS,
    [FLAG_ID_PCC] = RUNS,
    [FLAG_ID_ATOL] = RUNS,
    [FLAG_ID_RTOL] = RUNS,
    [FLAG_ID_TOP] = RUN,
    [FLAG_ID_SAVE_GOLDENS] = RUN,
    [FLAG_ID_PRINT] = RUN,
    [FLAG_ID_IDENTITY] = RUN,
    [FLAG_ID_NON_ZERO] = RUN,
    [FLAG_ID_MEMORY] = RUNS,
    [FLAG_ID_LEAKS] = RUN,
    [FLAG_ID_FILTER] = PERF,
    [FLAG_ID_HOST_ONLY] = PERF,
};

/* ---- Files ---- */

void say(ttrt *r, tsr_str text)
{
    working_hide();
    fwrite(text.data, 1, text.len, stdout);
    if (r->log)
        tsr_buf_str(&r->said, text);
}

/* Remarks are about engines, not about the file. */
static void errors_and_warnings(void *user, const tsr_diag *d)
{
    if (d->severity != TSR_REMARK)
        diag_to_stderr(user, d);
}

/* --ignore-version: warnings say that the schema differs. */
static void errors_alone(void *user, const tsr_diag *d)
{
    if (d->severity != TSR_WARNING)
        errors_and_warnings(user, d);
}

int binary_open(const ttrt *r, const char *path, binary *b)
{
    const char *error = NULL;
    *b = (binary){.path = path};
    if (!tsr_file_open(path, &b->file, &error))
        return cannot_open(r->t, path, error);
    tsr_arena_init(&b->arena);
    b->ctx = new_ctx();
    b->src = (source){tsr_cstr(path), (tsr_str){"", 0}, &b->last};
    tsr_ctx_on_diag(b->ctx, r->any_version ? errors_alone : errors_and_warnings, &b->src);
    b->kind = tsr_fb_file_of(b->file.data);
    tsr_loc loc = tsr_loc_file(b->ctx, tsr_name_get(b->ctx, b->src.file), 0, 0);
    if (!b->kind)
        tsr_error(b->ctx, loc, TSR_FB_NO_FILE);
    else
        b->root = tsr_fb_load_file(b->ctx, &b->arena, loc, b->kind, b->file.data, (tsr_str){"", 0});
    return b->root ? EXIT_OK : EXIT_REJECTED;
}

void binary_close(binary *b)
{
    if (!b->ctx)
        return;
    free_ctx(b->ctx);
    tsr_arena_free(&b->arena);
    tsr_file_close(&b->file);
}

/* As the value of an XML attribute. */
static void add_xml(tsr_buf *out, const char *name, const char *text)
{
    tsr_buf_printf(out, " %s=\"", name);
    for (; *text; text++)
        switch (*text) {
        case '&': tsr_buf_cstr(out, "&amp;"); break;
        case '<': tsr_buf_cstr(out, "&lt;"); break;
        case '"': tsr_buf_cstr(out, "&quot;"); break;
        default: tsr_buf_char(out, (unsigned char)*text < ' ' ? ' ' : *text); break;
        }
    tsr_buf_char(out, '"');
}

void add_result(ttrt *r, const char *path, const char *result, const char *why, const char *more)
{
    const struct {
        const char *name, *value;
    } fields[] = {{"file_path", path},
                  {"result", result},
                  {"exception", why},
                  {"log_file", r->log ? r->log : ""},
                  {"artifacts", r->artifacts}};
    tsr_buf_printf(&r->results, "%s\n  {", r->results.len ? "," : "");
    tsr_buf_cstr(&r->report, "<testcase");
    add_xml(&r->report, "name", path);
    for (size_t i = 0; i < TSR_COUNT(fields); i++) {
        tsr_buf_printf(&r->results, "%s\n    \"%s\": ", i ? "," : "", fields[i].name);
        tsr_buf_json(&r->results, tsr_cstr(fields[i].value));
        add_xml(&r->report, fields[i].name, fields[i].value);
    }
    tsr_buf_printf(&r->results, "%s\n  }", more);
    tsr_buf_cstr(&r->report, " />\n");
    r->nresult++;
    r->nfailed += strcmp(result, "pass") != 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

/* The binaries of a folder and its subfolders, by name. */
static int add_folder(ttrt *r, const char *path)
{
    DIR *d = opendir(path);
    path_vec names = {0};
    int code = EXIT_OK;
    if (!d)
        return cannot_open(r->t, path, strerror(errno));
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        tsr_buf name = {0};
        if (e->d_name[0] == '.')
            continue;
        tsr_buf_printf(&name, "%s/%s", path, e->d_name);
        tsr_buf_char(&name, 0);
        tsr_vec_push(&names, name.data);
        tsr_vec_push(&r->owned, name.data);
    }
    closedir(d);
    if (names.n)
        qsort(names.data, names.n, sizeof *names.data, by_name);
    for (size_t i = 0; i < names.n && !code; i++)
        if (tsr_is_folder(names.data[i]))
            code = add_folder(r, names.data[i]);
        else if (ends_in(names.data[i], ".ttnn") || ends_in(names.data[i], ".ttm"))
            tsr_vec_push(&r->files, names.data[i]);
    tsr_vec_free(&names);
    return code;
}

/* ---- The command ---- */

static int number(const tool *t, const flag_given *g, double *out)
{
    if (tsr_str_double(tsr_cstr(g->value), out) && *out >= 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' is no number that is not negative\n", t->name,
            table[g->id].name, g->value);
    return usage_exit(t);
}

static int apply_files(ttrt *r, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_RESULT_FILE: r->result = g->value; break;
    case FLAG_ID_LOG_FILE: r->log = g->value; break;
    case FLAG_ID_ARTIFACT_DIR: r->artifacts = g->value; break;
    case FLAG_ID_CLEAN_ARTIFACTS: r->clean = g->on; break;
    case FLAG_ID_SAVE_ARTIFACTS: r->save = g->on; break;
    case FLAG_ID_IGNORE_VERSION: r->any_version = g->on; break;
    case FLAG_ID_SECTION: r->section = g->value; break;
    case FLAG_ID_READ_FILE: r->read_file = g->value; break;
    case FLAG_ID_SYSTEM_DESC: r->system = g->value; break;
    case FLAG_ID_ARCH: r->arch = g->value; break;
    case FLAG_ID_CHIPS: r->chips = g->value; break;
    case FLAG_ID_QUIET: r->quiet = g->on; break;
    }
    return 0;
}

static int apply(ttrt *r, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH_SHAPE: r->mesh = g->value; break;
    case FLAG_ID_PROGRAM_INDEX: r->program = g->value; break;
    case FLAG_ID_LOOPS: r->loops = g->count > 0 ? (uint64_t)g->count : 1; break;
    case FLAG_ID_BENCHMARK: r->benchmark = g->on; break;
    case FLAG_ID_INIT: r->init = strcmp(g->value, "randn") == 0 ? "random" : g->value; break;
    case FLAG_ID_ONES_DENSITY: r->density = g->count > 0 ? (uint64_t)g->count : 1; break;
    case FLAG_ID_INPUT: tsr_vec_push(&r->inputs, g->value); break;
    case FLAG_ID_SEED: r->seed = (uint64_t)g->count; break;
    case FLAG_ID_DIRTY: r->dirty = g->value; break;
    case FLAG_ID_ENABLE_GOLDEN: r->reference = g->on; break;
    case FLAG_ID_DISABLE_GOLDEN:
    case FLAG_ID_DISABLE_CALLBACKS: r->golden = !g->on; break;
    case FLAG_ID_PCC: return number(r->t, g, &r->pcc);
    case FLAG_ID_ATOL: return number(r->t, g, &r->atol);
    case FLAG_ID_RTOL: return number(r->t, g, &r->rtol);
    case FLAG_ID_TOP: r->top = (uint64_t)g->count; break;
    case FLAG_ID_SAVE_GOLDENS: r->save_goldens = g->on; break;
    case FLAG_ID_PRINT: r->print_values = g->on; break;
    case FLAG_ID_IDENTITY: r->identity = g->on; break;
    case FLAG_ID_NON_ZERO: r->non_zero = g->on; break;
    case FLAG_ID_MEMORY: r->memory = g->on; break;
    case FLAG_ID_LEAKS: r->leaks = g->on; break;
    case FLAG_ID_FILTER: r->filter = g->value; break;
    default: return apply_files(r, g);
    }
    return 0;
}

static int each_file(ttrt *r, int (*work)(ttrt *r, binary *b), bool adds)
{
    int worst = EXIT_OK;
    for (size_t i = 0; i < r->files.n; i++) {
        binary b;
        int code = binary_open(r, r->files.data[i], &b);
        bool opened = code == EXIT_OK;
        if (opened)
            code = work(r, &b);
        if (!opened || !adds)
            add_result(r, r->files.data[i], code ? "error" : "pass", opened ? "" : "cannot be read",
                       "");
        binary_close(&b);
        /* errors in a file or the environment take precedence over wrong values */
        if (code &&
            (!worst || worst == EXIT_VALUES_OFF || (code != EXIT_VALUES_OFF && code > worst)))
            worst = code;
    }
    return worst;
}

/* Written next to the results file, for tools that read JUnit reports. */
static int write_report(const ttrt *r)
{
    tsr_buf path = {0}, out = {0};
    const char *slash = strrchr(r->result, '/');
    if (slash)
        tsr_buf_str(&path, (tsr_str){r->result, (size_t)(slash - r->result) + 1});
    tsr_buf_cstr(&path, "ttrt_report.xml");
    tsr_buf_char(&path, 0);
    tsr_buf_printf(&out,
                   "<?xml version='1.0' encoding='utf-8'?>\n"
                   "<testsuites name=\"TTRT\" tests=\"%zu\" failures=\"%zu\" skipped=\"0\">\n"
                   "<testsuite name=\"TTRT\" tests=\"%zu\" failures=\"%zu\" skipped=\"0\">\n"
                   "%.*s</testsuite>\n</testsuites>\n",
                   r->nresult, r->nfailed, r->nresult, r->nfailed, (int)r->report.len,
                   r->report.data ? r->report.data : "");
    int code = write_output(r->t, path.data, tsr_buf_text(&out));
    tsr_buf_free(&path);
    tsr_buf_free(&out);
    return code;
}

static int write_list(const ttrt *r, const char *path, const tsr_buf *items)
{
    tsr_buf out = {0};
    tsr_buf_printf(&out, "[%.*s\n]\n", (int)items->len, items->data ? items->data : "");
    int code = write_output(r->t, path, tsr_buf_text(&out));
    tsr_buf_free(&out);
    return code;
}

static int write_results(const ttrt *r)
{
    int code = EXIT_OK;
    if (r->result && *r->result)
        code = write_list(r, r->result, &r->results);
    if (!code && r->result && *r->result)
        code = write_report(r);
    if (!code && r->read_file)
        code = write_list(r, r->read_file, &r->sections);
    if (!code && r->log && *r->log)
        code = write_output(r->t, r->log, tsr_buf_text(&r->said));
    return code;
}

static const struct {
    const char *name;
    uint8_t bit;
    int (*work)(ttrt *r, binary *b); /* NULL: it takes no files */
    bool adds;                       /* it adds results itself */
    const char *result;              /* default of --result-file; NULL: none is written */
} commands[] = {
    {"read", READ, ttrt_read, false, NULL},
    {"query", QUERY, NULL, true, NULL},
    {"check", CHECK, ttrt_check, true, NULL},
    {"run", RUN, ttrt_run, true, "run_results.json"},
    {"perf", PERF, ttrt_run, true, "perf_results.json"},
};

static int misused(const ttrt *r, const char *message)
{
    working_hide();
    fprintf(stderr, "%s: error: %s %s\n", r->t->name, r->what, message);
    return usage_exit(r->t);
}

static int unknown(const ttrt *r)
{
    bool emitted = strcmp(r->what, "emitc") == 0 || strcmp(r->what, "emitpy") == 0;
    fprintf(stderr,
            emitted ? "%s: error: '%s' runs emitted code, which is not run here\n"
                    : "%s: error: '%s' is none of read, run, query, check and perf\n",
            r->t->name, r->what);
    return usage_exit(r->t);
}

static int dispatch(ttrt *r, const flags *f)
{
    size_t k = 0;
    while (k < TSR_COUNT(commands) && strcmp(r->what, commands[k].name) != 0)
        k++;
    if (k == TSR_COUNT(commands))
        return unknown(r);
    for (size_t i = 0; i < f->given.n; i++)
        if (!(takes[f->given.data[i].id] & commands[k].bit)) {
            fprintf(stderr, "%s: --%s is not for %s\n", r->t->name, table[f->given.data[i].id].name,
                    r->what);
            return usage_exit(r->t);
        }
    if (!commands[k].work != !r->files.n)
        return misused(r, commands[k].work ? "wants files or folders" : "takes no files");
    r->timed = commands[k].bit == PERF;
    if (!r->result)
        r->result = commands[k].result;
    int code = r->clean ? remove_folder(r, r->artifacts) : EXIT_OK;
    if (!code)
        code = commands[k].work ? each_file(r, commands[k].work, commands[k].adds) : ttrt_query(r);
    int written = write_results(r);
    return code ? code : written;
}

/* Folders are accepted by commands that read files. */
static int add_files(ttrt *r, const flags *f)
{
    int code = EXIT_OK;
    for (size_t i = 1; !code && i < f->files.n; i++)
        if (tsr_is_folder(f->files.data[i]))
            code = add_folder(r, f->files.data[i]);
        else
            tsr_vec_push(&r->files, f->files.data[i]);
    return code;
}

static int run_ttrt(const tool *t, int argc, char **argv)
{
    flags f = {0};
    ttrt r = {.t = t,
              .section = "all",
              .arch = "wormhole_b0",
              .chips = "1",
              .artifacts = "ttrt-artifacts",
              .program = "all",
              .golden = true,
              .pcc = -1,
              .atol = -1,
              .rtol = -1,
              .loops = 1,
              .density = 1,
              .top = 10,
              .began = wall_seconds()};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&r, &f.given.data[i]);
    if (!code && !f.files.n) {
        fprintf(stderr, "%s: what to do was not said: read, run, query, check or perf\n", t->name);
        code = usage_exit(t);
    }
    if (!code) {
        r.what = f.files.data[0];
        code = add_files(&r, &f);
    }
    if (!code) {
        working_on(t, r.files.n ? r.files.data[0] : "");
        code = dispatch(&r, &f);
        working_end();
    }
    for (size_t i = 0; i < r.owned.n; i++)
        tsr_free((void *)r.owned.data[i]);
    tsr_vec_free(&r.owned);
    tsr_vec_free(&r.files);
    tsr_vec_free(&r.inputs);
    tsr_buf_free(&r.results);
    tsr_buf_free(&r.report);
    tsr_buf_free(&r.said);
    tsr_buf_free(&r.sections);
    return flags_end(t, &f, code ? code : -1);
}

static const char *const examples[] = {"Every program of a binary, compared with its goldens",
                                       "tessera ttrt run model.ttnn", "What a binary holds",
                                       "tessera ttrt read model.ttnn --section=mlir", NULL};

const command command_ttrt = {
    .name = "ttrt",
    .doc = "show, check and run binaries of tt-mlir's runtime",
    .usage = "read|run|query|check|perf [options] [files or folders]",
    .run = run_ttrt,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
