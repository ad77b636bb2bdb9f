/* SPDX-License-Identifier: Apache-2.0 */
/* opt.c - `tessera opt`, and the opt tools of other projects: read, verify, run passes, print; chunk by chunk if
 * requested. */
#include "opt.h"

#include <stdlib.h>

// clang-format off
/* After FILE_FLAGS: FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(OUTPUT_MARKER, "output-split-marker", VALUE, "<marker>", "What is printed between the chunks (default: '// -----')") \
    FLAG(GROUP_VERIFY, NULL, GROUP, NULL, "VERIFYING") \
    FLAG(VERIFY_ALL, "verify-all", SWITCH, NULL, "Report every bad operation of the input, not only the first") \
    FLAG(VERIFY_EACH, "verify-each", SWITCH, NULL, "Verify after each pass and each named pipeline (default: true)") \
    FLAG(VERIFY_INSIDE, "verify-inside", SWITCH, NULL, "Verify after each pass of a named pipeline, too") \
    FLAG(ROUNDTRIP, "verify-roundtrip", SWITCH, NULL, "Verify that the input is the same after it was printed and read again, as text and as bytecode") \
    FLAG(OP_ON_DIAGNOSTIC, "mlir-print-op-on-diagnostic", SWITCH, NULL, "Show the op with each error about one (default: false)") \
    FLAG(NO_VERIFY_PARSED, "mlir-very-unsafe-disable-verifier-on-parsing", SWITCH, NULL, "Do not verify what was parsed") \
    FLAG(GROUP_PASSES, NULL, GROUP, NULL, "RUNNING PASSES") \
    FLAG(PIPELINE, "pass-pipeline", VALUE, "<pipeline>", "Passes to run, e.g. 'builtin.module(func.func(canonicalize),cse)'") \
    FLAG(DUMP_PIPELINE, "dump-pass-pipeline", SWITCH, NULL, "Print the pipeline that will be run on stderr") \
    FLAG(DUMP_CLUSTERS, "dump-clusters", SWITCH, NULL, "Have passes that fuse report what was fused, and of the rest why not") \
    FLAG(REPRODUCER, "mlir-pass-pipeline-crash-reproducer", VALUE, "<file>", "When a pass fails, write the module before the pipeline and the pipeline to this file") \
    FLAG(RUN_REPRODUCER, "run-reproducer", SWITCH, NULL, "Run the pipeline that the file brings: one that --mlir-pass-pipeline-crash-reproducer wrote") \
    FLAG(GROUP_INPUT, NULL, GROUP, NULL, "READING") \
    FLAG(NO_IMPLICIT_MODULE, "no-implicit-module", SWITCH, NULL, "The input is one operation; do not put a module around it") \
    FLAG(GROUP_PRINT, NULL, GROUP, NULL, "PRINTING") \
    FLAG(GENERIC, "mlir-print-op-generic", SWITCH, NULL, "Print operations in generic form") \
    FLAG(DEBUGINFO, "mlir-print-debuginfo", SWITCH, NULL, "Print locations (default: in a file of -o, where the module has some of the user's program)") \
    FLAG(LOCAL_SCOPE, "mlir-print-local-scope", SWITCH, NULL, "Print without aliases") \
    FLAG(ELIDE, "mlir-elide-elementsattrs-if-larger", COUNT, "<n>", "Print elements attributes with more than n elements as ...") \
    FLAG(UNIQUE_IDS, "mlir-print-unique-ssa-ids", SWITCH, NULL, "Number values over the whole module, not in each region") \
    FLAG(NAME_LOCATIONS, "mlir-use-nameloc-as-prefix", SWITCH, NULL, "Name values after their name locations, loc(\"name\")") \
    FLAG(GROUP_DUMP, NULL, GROUP, NULL, "WATCHING PASSES") \
    FLAG(BEFORE, "mlir-print-ir-before", LIST, "<pass>", "Print IR on stderr before these passes (parted by commas)") \
    FLAG(AFTER, "mlir-print-ir-after", LIST, "<pass>", "Print IR on stderr after these passes (parted by commas)") \
    FLAG(BEFORE_ALL, "mlir-print-ir-before-all", SWITCH, NULL, "Print IR before each pass") \
    FLAG(AFTER_ALL, "mlir-print-ir-after-all", SWITCH, NULL, "Print IR after each pass") \
    FLAG(AFTER_CHANGE, "mlir-print-ir-after-change", SWITCH, NULL, "Of the IR after passes, print only what changed") \
    FLAG(AFTER_FAILURE, "mlir-print-ir-after-failure", SWITCH, NULL, "Print IR after a pass that failed") \
    FLAG(MODULE_SCOPE, "mlir-print-ir-module-scope", SWITCH, NULL, "Print the whole module before and after passes") \
    FLAG(TREE_DIR, "mlir-print-ir-tree-dir", VALUE, "<dir>", "Write the IR before and after passes to files below this directory, not to stderr") \
    FLAG(BEFORE2, "print-ir-before", LIST, "<pass>", "The same as --mlir-print-ir-before") \
    FLAG(AFTER2, "print-ir-after", LIST, "<pass>", "The same as --mlir-print-ir-after") \
    FLAG(BEFORE_ALL2, "print-ir-before-all", SWITCH, NULL, "The same as --mlir-print-ir-before-all") \
    FLAG(AFTER_ALL2, "print-ir-after-all", SWITCH, NULL, "The same as --mlir-print-ir-after-all") \
    FLAG(TIMING, "mlir-timing", SWITCH, NULL, "Print a table of times on stderr") \
    FLAG(TIMING2, "timing", SWITCH, NULL, "The same as --mlir-timing") \
    FLAG(TIMING_DISPLAY, "mlir-timing-display", VALUE, "list|tree", "One row a pass, the longest first; or in the order of the pipeline (default: tree)") \
    FLAG(STATISTICS, "mlir-pass-statistics", SWITCH, NULL, "Print a table on stderr: how often each pass ran and changed something, ops before and after") \
    FLAG(STATISTICS_DISPLAY, "mlir-pass-statistics-display", VALUE, "list|pipeline", "By name, or in the order of the pipeline (default: pipeline)") \
    FLAG(NO_THREADS, "mlir-disable-threading", SWITCH, NULL, "Use one thread; passes never use more") \
    FLAG(GROUP_LISTS, NULL, GROUP, NULL, "LISTS") \
    FLAG(LIST_PASSES, "list-passes", SWITCH, NULL, "List the passes and exit") \
    FLAG(LIST_OPS, "list-ops", OPTIONAL, "full", "List the registered operations and exit; full: with all that their rows say") \
    FLAG(SHOW_DIALECTS, "show-dialects", SWITCH, NULL, "List the registered dialects and exit") \
    FLAG(GROUP_BYTECODE, NULL, GROUP, NULL, "BYTECODE") \
    FLAG(BYTECODE, "emit-bytecode", OPTIONAL, "<version>", "Write MLIR bytecode instead of text, of this version of the format (default: the newest)") \
    FLAG(BYTECODE_VERSION, "emit-bytecode-version", COUNT, "<version>", "The version that --emit-bytecode writes")
/* Flags of mlir-opt that are not supported: rejected by name. */
#define ABSENT(FLAG) \
    FLAG(ELIDE_RESOURCE_DATA_FROM_BYTECODE, "elide-resource-data-from-bytecode", ABSENT, NULL, NULL) \
    FLAG(IRDL_FILE, "irdl-file", ABSENT, NULL, NULL) \
    FLAG(LOAD_DIALECT_PLUGIN, "load-dialect-plugin", ABSENT, NULL, NULL) \
    FLAG(LOAD_PASS_PLUGIN, "load-pass-plugin", ABSENT, NULL, NULL) \
    FLAG(LOG_ACTIONS_TO, "log-actions-to", ABSENT, NULL, NULL) \
    FLAG(LOG_MLIR_ACTIONS_FILTER, "log-mlir-actions-filter", ABSENT, NULL, NULL) \
    FLAG(MLIR_DEBUG_COUNTER, "mlir-debug-counter", ABSENT, NULL, NULL) \
    FLAG(MLIR_DIAGNOSTIC_VERBOSITY_LEVEL, "mlir-diagnostic-verbosity-level", ABSENT, NULL, NULL) \
    FLAG(MLIR_ELIDE_RESOURCE_STRINGS_IF_LARGER, "mlir-elide-resource-strings-if-larger", ABSENT, NULL, NULL) \
    FLAG(MLIR_ENABLE_DEBUGGER_HOOK, "mlir-enable-debugger-hook", ABSENT, NULL, NULL) \
    FLAG(MLIR_GENERATE_REPRODUCER_BEFORE_EXECUTION, "mlir-generate-reproducer-before-execution", ABSENT, NULL, NULL) \
    FLAG(MLIR_OUTPUT_FORMAT, "mlir-output-format", ABSENT, NULL, NULL) \
    FLAG(MLIR_PASS_PIPELINE_LOCAL_REPRODUCER, "mlir-pass-pipeline-local-reproducer", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRETTY_DEBUGINFO, "mlir-pretty-debuginfo", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_ASSUME_VERIFIED, "mlir-print-assume-verified", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_DEBUG_COUNTER, "mlir-print-debug-counter", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_ELEMENTSATTRS_WITH_HEX_IF_LARGER, "mlir-print-elementsattrs-with-hex-if-larger", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_SKIP_REGIONS, "mlir-print-skip-regions", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_STACKTRACE_ON_DIAGNOSTIC, "mlir-print-stacktrace-on-diagnostic", ABSENT, NULL, NULL) \
    FLAG(MLIR_PRINT_VALUE_USERS, "mlir-print-value-users", ABSENT, NULL, NULL) \
    FLAG(PROFILE_ACTIONS_TO, "profile-actions-to", ABSENT, NULL, NULL)
// clang-format on

enum { BEFORE_FLAGS = NFILE_FLAG - 1, FLAGS(FLAG_ID) };
static const flag table[] = {FILE_FLAGS(FLAG_ROW) FLAGS(FLAG_ROW) ABSENT(FLAG_ROW)};

/* ---- Work ---- */

/* Whether the module is implicit: its location is the start of the text, where no module was written. */
static bool is_implicit(tsr_ctx *ctx, const tsr_module *m, const source *src, tsr_str chunk,
                        uint32_t first)
{
    tsr_str file;
    uint32_t line = 0, col = 0;
    if (!tsr_loc_position(ctx, m->op->loc, &file, &line, &col) || !tsr_str_eq(file, src->file))
        return false;
    return line == 0 || (line == first && col == 1 && !tsr_str_starts(chunk, "module") &&
                         !tsr_str_starts(chunk, "builtin.module") &&
                         !tsr_str_starts(chunk, "\"builtin.module\""));
}

/* The op that passes run on: the module or, with --no-implicit-module, the only op in an implicit one. */
static tsr_op *root_of(const opt_config *c, tsr_ctx *ctx, tsr_module *m, const source *src,
                       tsr_str chunk, uint32_t first)
{
    uint32_t n = 0;
    if (c->implicit_module || !is_implicit(ctx, m, src, chunk, first))
        return m->op;
    tsr_block *body = m->op->nregion ? m->op->regions[0].first : NULL;
    if (body)
        TSR_BLOCK_OPS (body, op)
            n++;
    if (n == 1)
        return body->first;
    tsr_error(ctx, tsr_loc_file(ctx, tsr_name_get(ctx, src->file), 0, 0),
              "source must contain a single top-level operation, found: %u", n);
    return NULL;
}

static bool verify_all(const tsr_ctx *ctx, tsr_op *root)
{
    uint32_t before = ctx->nerror, bad = tsr_verify_all(root), n = ctx->nerror - before;
    working_hide();
    if (bad)
        fprintf(stderr, "%u error%s in %u op%s\n", n, n == 1 ? "" : "s", bad, bad == 1 ? "" : "s");
    return !bad;
}

/* Processes one chunk and appends its text to out. False after diagnostics. */
static bool process(opt_config *c, tsr_ctx *ctx, tsr_pipelines *ps, tsr_pipeline *pl,
                    tsr_run_options *run, const source *src, tsr_str chunk, uint32_t line,
                    tsr_buf *out)
{
    double t0 = wall_seconds();
    /* StableHLO's own tool shows the contents of a file; the others need the program. */
    bool as_is = strcmp(c->t->name, "stablehlo-opt") == 0;
    tsr_module *m = as_is ? tsr_load_kept(ctx, chunk, src->file, line)
                          : tsr_load_program(ctx, chunk, src->file, line, true);
    c->module = m;
    double t1 = wall_seconds();
    c->parse += t1 - t0;
    tsr_op *root = m ? root_of(c, ctx, m, src, chunk, line) : NULL;
    bool ok =
        root && (!c->verify_parsed || (c->verify_all ? verify_all(ctx, root) : tsr_verify(root)));
    c->verify += wall_seconds() - t1;
    ps->ctx = ctx;
    tsr_buf reproducer = {0};
    if (ok && c->roundtrip)
        ok = verify_roundtrip(c, m);
    if (ok && c->run_reproducer)
        ok = (pl = reproducer_read(ps, m, run)) != NULL;
    if (ok && c->reproducer)
        reproducer_write(c, m, pl, &reproducer);
    bool ran = !ok || pl->steps.n == 0 || tsr_pipeline_run(ps, pl, root, run, NULL);
    if (!ran && c->reproducer)
        c->failed |= write_output(c->t, c->reproducer, tsr_buf_text(&reproducer)) != EXIT_OK;
    tsr_buf_free(&reproducer);
    ok = ok && ran;
    if (ok) {
        double t2 = wall_seconds();
        if (c->bytecode) {
            ok = tsr_write_bytecode(out, root, c->bytecode_version);
        } else {
            tsr_print_options print = c->print;
            if (!c->debug_info_given)
                print.debug_info = print_for(c->t, c->file.output, m).debug_info;
            print_root(out, m, root, &print);
            tsr_buf_char(out, '\n');
        }
        c->printing += wall_seconds() - t2;
    }
    if (m)
        tsr_module_free(m);
    return ok;
}

/* Processes a chunk in its own context, with diagnostics on stderr or compared with expected ones. */
static bool process_chunk(opt_config *c, tsr_pipelines *ps, tsr_pipeline *pl, tsr_run_options *run,
                          const source *src, tsr_str chunk, uint32_t line, tsr_buf *out)
{
    tsr_ctx *ctx = new_ctx();
    ctx->said = c->said;
    ctx->nslice = c->nslice;
    tsr_ctx_allow_unregistered(ctx, c->file.allow_unregistered);
    if (strcmp(c->t->name, "sdy_opt") == 0) { /* which does not have these */
        tsr_ctx_forget_dialect(ctx, "check");
        tsr_ctx_forget_dialect(ctx, "interpreter");
    }
    if (strcmp(c->t->name, "stablehlo-opt") == 0 &&
        c->file.allow_unregistered) /* accepts meshes of any form */
        tsr_ctx_forget_dialect(ctx, "sdy");
    ctx->as_peer = c->t->peer;
    ctx->shows_ops = c->op_on_diagnostic;
    bool ok;
    if (c->file.verify_diagnostics) {
        expectations *e = expect_new(src, chunk, line, c->file.only_expected);
        tsr_ctx_on_diag(ctx, expect_diag, e);
        (void)process(c, ctx, ps, pl, run, src, chunk, line, out);
        ok = expect_finish(e);
    } else {
        tsr_ctx_on_diag(ctx, diag_to_stderr, (void *)src);
        ok = process(c, ctx, ps, pl, run, src, chunk, line, out);
    }
    c->said = ctx->said;
    c->nslice = ctx->nslice;
    free_ctx(ctx);
    return ok;
}

static int process_file(opt_config *c, tsr_pipelines *ps, tsr_pipeline *pl)
{
    tsr_file in;
    tsr_buf out = {0};
    const char *error = NULL;
    tsr_run_options run = {.verify_each = c->verify_each, .verify_inside = c->verify_inside};
    watch_start(c, &run);
    double t0 = wall_seconds();
    if (!tsr_file_open(c->file.input, &in, &error))
        return cannot_open(c->t, c->file.input, error);
    c->read = wall_seconds() - t0;
    source_mark last = {0};
    source src = {tsr_cstr(strcmp(c->file.input, "-") == 0 ? "<stdin>" : c->file.input), in.data,
                  &last};
    bool ok = true;
    size_t at = 0;
    uint32_t line = 1, chunk_line;
    tsr_str chunk;
    for (bool first = true;
         split_next(src.text, c->file.split ? c->file.split : "", &at, &line, &chunk, &chunk_line);
         first = false) {
        if (!first)
            tsr_buf_printf(&out, "%s\n", c->output_marker);
        ok &= process_chunk(c, ps, pl, &run, &src, chunk, chunk_line, &out);
    }
    int code = ok ? EXIT_OK : EXIT_REJECTED;
    working_end();
    bool to_stdout = strcmp(c->file.output, "-") == 0;
    if (ok || (to_stdout && out.len)) {
        int written = write_output(c->t, c->file.output, tsr_buf_text(&out));
        code = written ? written : code;
    }
    if (c->failed)
        code = EXIT_ENVIRONMENT;
    if ((c->before.n || c->after.n) && !c->named_ran && ok && !c->t->peer)
        fprintf(stderr,
                "%s: remark: none of the passes ran that --mlir-print-ir-before or -after names\n",
                c->t->name);
    if (c->timing)
        print_times(c, pl, &run);
    if (c->statistics)
        print_statistics(c);
    tsr_file_close(&in);
    tsr_buf_free(&out);
    return code;
}

/* ---- Lists ---- */

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(*(const tsr_str *)a, *(const tsr_str *)b);
}

/* Dialects with ops, and those with only attributes or types, by name. */
static void show_dialects(void)
{
    static const char *const defs[] = {
#define STRUCT(id, name, nparam, flags) name,
#define ENUM(id, name, flags, ...) name,
#define TYPE(id, name, nparam) name,
#define PLAIN_TYPE(id, name) name,
#include "dialect/attrs.def"
    };
    tsr_ctx *ctx = new_ctx();
    TSR_VEC(tsr_str) names = {0};
    for (size_t i = 0; i < ctx->dialects.n; i++)
        tsr_vec_push(&names, ctx->dialects.data[i]);
    for (size_t i = 0; i < TSR_COUNT(defs); i++)
        tsr_vec_push(&names, ((tsr_str){defs[i], strcspn(defs[i], ".")}));
    qsort(names.data, names.n, sizeof *names.data, by_name);
    printf("Available Dialects: ");
    for (size_t i = 0; i < names.n; i++)
        if (!i || !tsr_str_eq(names.data[i], names.data[i - 1]))
            printf("%s%.*s", i ? "," : "", TSR_STR_ARG(names.data[i]));
    printf("\n");
    tsr_vec_free(&names);
    free_ctx(ctx);
}

/* ---- Flags ---- */

/* Rejects a name in --print-ir-before=a,b that is not a pass. */
static bool known_passes(const tool *t, const char *flag_name, const char *names)
{
    for (const char *p = names; *p;) {
        size_t len = strcspn(p, ",");
        if (!tsr_pass_find(tsr_all_passes(), tsr_str_of(p, len))) {
            fprintf(stderr, "%s: for the --%s option: Cannot find option named '%.*s'!\n", t->name,
                    flag_name, (int)len, p);
            return false;
        }
        p += len + (p[len] == ',');
    }
    return true;
}

/* --emit-bytecode, --emit-bytecode=true as in mlir-opt, and --emit-bytecode=6. */
static int set_bytecode(opt_config *c, const char *value)
{
    c->bytecode = !value || (strcmp(value, "false") != 0);
    if (!value || !*value || strcmp(value, "true") == 0 || !c->bytecode)
        return 0;
    char *end;
    long v = strtol(value, &end, 10);
    if (*end || v < 0) {
        fprintf(stderr,
                "%s: for the --emit-bytecode option: '%s' value invalid for version argument!\n",
                c->t->name, value);
        return usage_exit(c->t);
    }
    c->bytecode_version = v;
    return 0;
}

/* 0, an exit code, or -1 if the flag has done everything. */
static int apply(opt_config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_OUTPUT_MARKER:
        c->output_marker = g->value;
        c->marker_given = true;
        break;
    case FLAG_ID_PIPELINE: c->pipeline = g->value; break;
    case FLAG_ID_DUMP_PIPELINE: c->dump_pipeline = g->on; break;
    case FLAG_ID_DUMP_CLUSTERS: c->dump_clusters = g->on; break;
    case FLAG_ID_VERIFY_ALL: c->verify_all = g->on; break;
    case FLAG_ID_VERIFY_EACH: c->verify_each = g->on; break;
    case FLAG_ID_VERIFY_INSIDE: c->verify_inside = g->on; break;
    case FLAG_ID_NO_VERIFY_PARSED: c->verify_parsed = !g->on; break;
    case FLAG_ID_NO_IMPLICIT_MODULE: c->implicit_module = !g->on; break;
    case FLAG_ID_GENERIC: c->print.generic = g->on; break;
    case FLAG_ID_DEBUGINFO:
        c->print.debug_info = g->on;
        c->debug_info_given = true;
        break;
    case FLAG_ID_LOCAL_SCOPE: c->print.local_scope = g->on; break;
    case FLAG_ID_ELIDE: c->print.elide_larger = g->count; break;
    case FLAG_ID_BEFORE:
    case FLAG_ID_BEFORE2:
        tsr_vec_push(&c->before, g->value);
        return known_passes(c->t, table[g->id].name, g->value) ? 0 : usage_exit(c->t);
    case FLAG_ID_AFTER:
    case FLAG_ID_AFTER2:
        tsr_vec_push(&c->after, g->value);
        return known_passes(c->t, table[g->id].name, g->value) ? 0 : usage_exit(c->t);
    case FLAG_ID_BEFORE_ALL:
    case FLAG_ID_BEFORE_ALL2: c->before_all = g->on; break;
    case FLAG_ID_AFTER_ALL:
    case FLAG_ID_AFTER_ALL2: c->after_all = g->on; break;
    case FLAG_ID_AFTER_CHANGE: c->after_change = g->on; break;
    case FLAG_ID_AFTER_FAILURE: c->after_failure = g->on; break;
    case FLAG_ID_MODULE_SCOPE: c->module_scope = g->on; break;
    case FLAG_ID_TREE_DIR: c->tree_dir = g->value; break;
    case FLAG_ID_UNIQUE_IDS: c->print.unique_ids = g->on; break;
    case FLAG_ID_NAME_LOCATIONS: c->print.name_locations = g->on; break;
    case FLAG_ID_ROUNDTRIP: c->roundtrip = g->on; break;
    case FLAG_ID_OP_ON_DIAGNOSTIC: c->op_on_diagnostic = g->on; break;
    case FLAG_ID_REPRODUCER: c->reproducer = g->value; break;
    case FLAG_ID_RUN_REPRODUCER: c->run_reproducer = g->on; break;
    case FLAG_ID_STATISTICS: c->statistics = g->on; break;
    case FLAG_ID_STATISTICS_DISPLAY:
        c->statistics = true;
        return flag_choice(c->t, g, "list", "pipeline", &c->statistics_list);
    case FLAG_ID_TIMING_DISPLAY:
        c->timing_display = true;
        return flag_choice(c->t, g, "list", "tree", &c->timing_list);
    case FLAG_ID_TIMING:
    case FLAG_ID_TIMING2: c->timing = g->on; break;
    case FLAG_ID_LIST_PASSES: flags_list_passes(); return -1;
    case FLAG_ID_LIST_OPS:
        if (g->value && strcmp(g->value, "full") != 0) {
            fprintf(stderr, "%s: for the --list-ops option: Cannot find option named '%s'!\n",
                    c->t->name, g->value);
            return usage_exit(c->t);
        }
        list_ops(g->value != NULL);
        return -1;
    case FLAG_ID_SHOW_DIALECTS: show_dialects(); return -1;
    case FLAG_ID_BYTECODE: return set_bytecode(c, g->value);
    case FLAG_ID_BYTECODE_VERSION: c->bytecode_version = g->count; break;
    default:
        return file_flag(c->t, g,
                         &c->file); /* or passes; --mlir-disable-threading, which is always so */
    }
    return 0;
}

static bool has_option(const tsr_pass_info *pass, const char *name)
{
    const tsr_option *option;
    for (size_t i = 0; (option = tsr_pass_option(tsr_all_passes(), pass, i)) != NULL; i++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

/* The pipeline of the flags, in the order of the command line. NULL after a diagnostic. */
static tsr_pipeline *build_pipeline(const opt_config *c, const flags *f, tsr_pipelines *ps)
{
    bool any_pass = false, fuses = false;
    for (size_t i = 0; i < f->given.n; i++)
        any_pass |= f->given.data[i].pass != NULL;
    if (c->pipeline && any_pass) {
        tsr_error(ps->ctx, TSR_LOC_UNKNOWN,
                  "'-pass-pipeline' option can't be used with individual pass options");
        return NULL;
    }
    if (c->pipeline && c->dump_clusters) {
        tsr_error(
            ps->ctx, TSR_LOC_UNKNOWN,
            "'-dump-clusters' is the option dump-clusters=true of passes in '-pass-pipeline'");
        return NULL;
    }
    if (c->pipeline)
        return tsr_pipeline_parse(ps, tsr_cstr(c->pipeline), true);
    tsr_pipeline *pl = tsr_pipeline_new(ps, TSR_STR("builtin.module"));
    for (size_t i = 0; i < f->given.n; i++) {
        const flag_given *g = &f->given.data[i];
        if (!g->pass)
            continue;
        bool reports = c->dump_clusters && has_option(g->pass, "dump-clusters");
        tsr_buf options = {0};
        tsr_buf_printf(&options, "%s%s", g->value ? g->value : "",
                       reports ? " dump-clusters=true" : "");
        bool ok = tsr_pipeline_add(ps, pl, tsr_cstr(g->pass->name), tsr_buf_text(&options));
        tsr_buf_free(&options);
        if (!ok)
            return NULL;
        fuses |= reports;
    }
    if (c->dump_clusters && !fuses) {
        tsr_error(ps->ctx, TSR_LOC_UNKNOWN,
                  "'-dump-clusters' needs a pass that fuses, such as --tessera-fuse");
        return NULL;
    }
    tsr_pipeline_finish(pl);
    return pl;
}

static int run_flags(opt_config *c, const flags *f)
{
    tsr_ctx *ctx = new_ctx(); /* for the pipeline's own diagnostics */
    tsr_ctx_on_diag(ctx, diag_to_stderr, NULL);
    tsr_pipelines ps;
    tsr_pipelines_init(&ps, ctx, tsr_all_passes());
    tsr_pipeline *pl = build_pipeline(c, f, &ps);
    int code = usage_exit(c->t);
    if (pl && c->dump_pipeline) {
        tsr_buf text = {0};
        tsr_pipeline_print(&text, pl);
        fprintf(stderr, "Pass Manager with %zu passes:\n%.*s\n\n", pl->steps.n,
                TSR_STR_ARG(tsr_buf_text(&text)));
        tsr_buf_free(&text);
    }
    if (pl) {
        working_on(c->t, c->file.input);
        code = process_file(c, &ps, pl);
    }
    tsr_pipelines_free(&ps);
    free_ctx(ctx);
    return code;
}

/* The same for printing flags; under another tool's name they are accepted as there. */
static int check_print_flags(const opt_config *c, bool dumps)
{
    const struct {
        const char *name;
        bool given;
    } texts[] = {
        {"mlir-print-op-generic", c->print.generic},
        {"mlir-print-debuginfo", c->print.debug_info},
        {"mlir-print-local-scope", c->print.local_scope},
        {"mlir-elide-elementsattrs-if-larger", c->print.elide_larger >= 0},
        {"mlir-print-unique-ssa-ids", c->print.unique_ids},
        {"mlir-use-nameloc-as-prefix", c->print.name_locations},
    };
    for (size_t i = 0; c->bytecode && !dumps && i < TSR_COUNT(texts); i++)
        if (texts[i].given)
            return flag_alone(c->t, texts[i].name,
                              "is about text: it means nothing with --emit-bytecode");
    if (c->marker_given && !c->file.split)
        return flag_alone(c->t, "output-split-marker", "needs --split-input-file");
    if (c->module_scope && !dumps)
        return flag_alone(c->t, "mlir-print-ir-module-scope",
                          "needs one of the --mlir-print-ir-before and -after flags");
    if (c->verify_all && !c->verify_parsed)
        return flag_alone(c->t, "verify-all",
                          "verifies the input: it cannot be used with "
                          "--mlir-very-unsafe-disable-verifier-on-parsing");
    return 0;
}

/* Rejects a flag that would have no effect. */
static int check_flags(const opt_config *c, const flags *f)
{
    bool passes = c->pipeline != NULL,
         dumps = c->before_all || c->after_all || c->before.n || c->after.n;
    for (size_t i = 0; i < f->given.n; i++)
        passes |= f->given.data[i].pass != NULL;
    if (c->run_reproducer && passes)
        return flag_alone(c->t, "run-reproducer", "takes its passes from the file: give none");
    if (c->tree_dir && !dumps && !c->after_failure)
        return flag_alone(c->t, "mlir-print-ir-tree-dir",
                          "needs one of the --mlir-print-ir-before and -after flags");
    if (c->after_change && !c->after_all && !c->after.n)
        return flag_alone(c->t, "mlir-print-ir-after-change",
                          "needs --mlir-print-ir-after-all or --mlir-print-ir-after");
    if (c->reproducer && !passes && !c->run_reproducer)
        return flag_alone(c->t, "mlir-pass-pipeline-crash-reproducer", "needs passes");
    if (c->bytecode_version >= 0 && !c->bytecode)
        return flag_alone(c->t, "emit-bytecode-version", "needs --emit-bytecode");
    if (c->timing_display && !c->timing)
        return flag_alone(c->t, "mlir-timing-display", "needs --mlir-timing");
    return c->t->peer ? 0 : check_print_flags(c, dumps || c->after_failure);
}

static int run_opt(const tool *t, int argc, char **argv)
{
    flags f = {0};
    opt_config c = {.t = t,
                    .file = {.input = "-", .output = "-"},
                    .output_marker = "// -----",
                    .verify_each = true,
                    .verify_parsed = true,
                    .implicit_module = true,
                    .bytecode_version = -1,
                    .start = wall_seconds(),
                    .print = {.elide_larger = -1}};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = file_input(t, &f, &c.file);
    if (!code)
        code = check_flags(&c, &f);
    if (!code)
        code = run_flags(&c, &f);
    working_end();
    watch_free(&c);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"Passes, as mlir-opt takes them",
                                       "tessera opt model.mlir --canonicalize --cse", NULL};

const command command_opt = {
    .name = "opt",
    .doc = "read a module, run passes, print it",
    .usage = "[options] [file]",
    .run = run_opt,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .takes_passes = true,
    .examples = examples,
};
