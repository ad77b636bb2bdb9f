/* ttrt.c - `ttrt`: shows, checks and runs binaries of tt-mlir's runtime, and writes described systems. Without a card, programs
 * run on the engine here. */
#include "ttrt.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "api/saved.h"
#include "base/decimal.h"
#include "lower/ttnn/device.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(GROUP_FILES, NULL, GROUP, NULL, "FILES") \
    FLAG(RESULT_FILE, "result-file", VALUE, "<file>", "Write the outcome of each file as JSON (run and perf: run_results.json by default)") \
    FLAG(ARTIFACT_DIR, "artifact-dir", VALUE, "<dir>", "Folder of artifacts (default: ttrt-artifacts)") \
    FLAG(SAVE_ARTIFACTS, "save-artifacts", SWITCH, NULL, "Write the binary, its inputs and its outputs to the folder of artifacts") \
    FLAG(GROUP_READ, NULL, GROUP, NULL, "READ") \
    FLAG(SECTION, "section", VALUE, "<name>", "all, version, system_desc, mlir, inputs, outputs or op_stats (default: all)") \
    FLAG(GROUP_SYSTEM, NULL, GROUP, NULL, "QUERY AND CHECK") \
    FLAG(SYSTEM_DESC, "system-desc", VALUE, "<file>", "check: the system that binaries must be for; query: the file to write (default: system_desc.ttsys in the folder of artifacts)") \
    FLAG(ARCH, "arch", VALUE, "<name>", "query: wormhole_b0 (default) or blackhole") \
    FLAG(CHIPS, "chips", VALUE, "<n>", "query: how many chips the system has (default: 1)") \
    FLAG(GROUP_RUN, NULL, GROUP, NULL, "RUN AND PERF") \
    FLAG(PROGRAM_INDEX, "program-index", VALUE, "<n>", "The program to run (default: all public ones)") \
    FLAG(LOOPS, "loops", COUNT, "<n>", "Run each program so often (default: 1)") \
    FLAG(INIT, "init", VALUE, "<how>", "Inputs: random (default), ones, zeros or arange") \
    FLAG(INPUT, "input", LIST, "<x.npy>", "The next input, from a file") \
    FLAG(SEED, "seed", COUNT, "<n>", "Of random inputs (default: 0)") \
    FLAG(DISABLE_GOLDEN, "disable-golden", SWITCH, NULL, "Compare nothing") \
    FLAG(PCC, "pcc", VALUE, "<p>", "Correlation that values of bf16 and of block formats must have (default: 0.99)") \
    FLAG(ATOL, "atol", VALUE, "<a>", "Absolute tolerance of f32 (default: 1e-5)") \
    FLAG(RTOL, "rtol", VALUE, "<r>", "Relative tolerance of f32 (default: 1e-4)")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

/* ---- Files ---- */

int binary_open(const ttrt *r, const char *path, binary *b)
{
    const char *error = NULL;
    *b = (binary){.path = path};
    if (!tsr_file_open(path, &b->file, &error))
        return cannot_open(r->t, path, error);
    tsr_arena_init(&b->arena);
    b->ctx = new_ctx();
    b->src = (source){tsr_cstr(path), (tsr_str){"", 0}, &b->last};
    tsr_ctx_on_diag(b->ctx, diag_to_stderr, &b->src);
    b->kind = tsr_fb_file_of(b->file.data);
    tsr_loc loc = tsr_loc_file(b->ctx, tsr_name_get(b->ctx, b->src.file), 0, 0);
    if (!b->kind)
        tsr_error(b->ctx, loc,
                  "this is neither a binary (.ttnn) nor a system description (.ttsys)");
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

void add_result(ttrt *r, const char *path, const char *result, const char *why, const char *more)
{
    tsr_buf_printf(&r->results, "%s\n  {\n    \"file_path\": ", r->results.len ? "," : "");
    tsr_buf_json(&r->results, tsr_cstr(path));
    tsr_buf_printf(&r->results, ",\n    \"result\": \"%s\",\n    \"exception\": ", result);
    tsr_buf_json(&r->results, tsr_cstr(why));
    tsr_buf_printf(&r->results, ",\n    \"artifact_dir\": ");
    tsr_buf_json(&r->results, tsr_cstr(r->artifacts));
    tsr_buf_printf(&r->results, "%s\n  }", more);
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

/* The binaries of a folder and of those in it, by name. */
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
        else if (ends_in(names.data[i], ".ttnn"))
            tsr_vec_push(&r->files, names.data[i]);
    tsr_vec_free(&names);
    return code;
}

/* ---- read ---- */

static void count_ops(const tsr_fb_table *root, tsr_buf *out)
{
    size_t counts[256] = {0};
    const tsr_fb_value *programs = tsr_fb_get(root, "programs");
    bool any = false;
    for (size_t i = 0; programs->set && i < programs->n; i++) {
        const tsr_fb_value *ops = tsr_fb_get(programs->items[i].table, "operations");
        for (size_t k = 0; ops->set && k < ops->n; k++)
            counts[tsr_fb_get(ops->items[k].table, "type")->tag]++;
    }
    tsr_buf_char(out, '{');
    for (size_t i = 1; i < TSR_COUNT(counts); i++)
        if (counts[i]) {
            tsr_buf_printf(out, "%s\n  \"%s\": %zu", any ? "," : "",
                           tsr_fb_OpType.fields[i - 1].name, counts[i]);
            any = true;
        }
    tsr_buf_cstr(out, "\n}\n");
}

/* A field of each program. */
static void of_programs(const tsr_fb_table *root, const char *name, tsr_buf *out)
{
    const tsr_fb_value *programs = tsr_fb_get(root, "programs");
    tsr_buf_char(out, '[');
    for (size_t i = 0; programs->set && i < programs->n; i++) {
        const tsr_fb_table *p = programs->items[i].table;
        const tsr_fb_value *v = tsr_fb_get(p, name);
        tsr_buf_printf(out, "%s\n  {\n    \"program\": ", i ? "," : "");
        tsr_buf_json(out, tsr_fb_text(p, "name"));
        tsr_buf_printf(out, ",\n    \"%s\": ", name);
        if (v->set)
            tsr_fb_json_value(out, &p->type->fields[v - p->fields], v, 4);
        else
            tsr_buf_cstr(out, "[]");
        tsr_buf_cstr(out, "\n  }");
    }
    tsr_buf_cstr(out, "\n]\n");
}

static bool show_field(const tsr_fb_table *root, const char *name, tsr_buf *out)
{
    int i = tsr_fb_find(root->type, tsr_cstr(name));
    if (i < 0)
        return false;
    if (root->fields[i].set)
        tsr_fb_json_value(out, &root->type->fields[i], &root->fields[i], 0);
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_char(out, '\n');
    return true;
}

static int show_version(const tsr_fb_table *root, tsr_buf *out)
{
    tsr_buf_cstr(out, "{\n  \"version\": ");
    tsr_fb_json_value(out, &root->type->fields[0], &root->fields[0], 2);
    tsr_buf_cstr(out, ",\n  \"ttmlir_git_hash\": ");
    tsr_buf_json(out, tsr_fb_text(root, "ttmlir_git_hash"));
    tsr_buf_cstr(out, ",\n  \"schema_hash\": ");
    tsr_buf_json(out, tsr_fb_text(root, "schema_hash"));
    tsr_buf_cstr(out, "\n}\n");
    return EXIT_OK;
}

int ttrt_read(ttrt *r, binary *b)
{
    const char *s = r->section;
    bool ttnn = b->kind == &tsr_fb_files[0], known = true;
    tsr_buf out = {0};
    if (strcmp(s, "all") == 0) {
        tsr_fb_json(&out, b->root, 0);
        tsr_buf_char(&out, '\n');
    } else if (strcmp(s, "version") == 0 && b->root->fields[0].set)
        show_version(b->root, &out);
    else if (ttnn && strcmp(s, "op_stats") == 0)
        count_ops(b->root, &out);
    else if (ttnn && (strcmp(s, "inputs") == 0 || strcmp(s, "outputs") == 0))
        of_programs(b->root, s, &out);
    else if (strcmp(s, "system_desc") == 0 || strcmp(s, "mlir") == 0)
        known = show_field(b->root, s, &out);
    else
        known = false;
    if (!known)
        fprintf(stderr, "%s: error: '%s' has no section '%s'\n", r->t->name, b->path, s);
    int code = known ? write_output(r->t, "-", tsr_buf_text(&out)) : EXIT_REJECTED;
    tsr_buf_free(&out);
    return code;
}

/* ---- check ---- */

int ttrt_check(ttrt *r, binary *b)
{
    binary other = {0};
    tsr_module *m =
        b->kind == &tsr_fb_files[0] ? tsr_fb_module_of(b->ctx, b->root, b->src.file) : NULL;
    bool ok = b->kind != &tsr_fb_files[0] || (m && tsr_verify(m->op));
    if (m)
        tsr_module_free(m);
    if (!ok || !r->system)
        return ok ? EXIT_OK : EXIT_REJECTED;
    int code = binary_open(r, r->system, &other);
    if (!code) {
        tsr_buf want = {0}, has = {0};
        show_field(other.root, "system_desc", &want);
        show_field(b->root, "system_desc", &has);
        if (!tsr_str_eq(tsr_buf_text(&want), tsr_buf_text(&has))) {
            fprintf(stderr, "%s: error: '%s' is for another system than '%s'\n", r->t->name,
                    b->path, r->system);
            code = EXIT_REJECTED;
        }
        tsr_buf_free(&want);
        tsr_buf_free(&has);
    }
    binary_close(&other);
    return code;
}

/* ---- query ---- */

static int make_folder(const ttrt *r, const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return EXIT_OK;
    fprintf(stderr, "%s: error: cannot make directory '%s': %s\n", r->t->name, path,
            strerror(errno));
    return EXIT_ENVIRONMENT;
}

int ttrt_query(ttrt *r)
{
    char *end = NULL;
    long n = strtol(r->mesh, &end, 10);
    tsr_ctx *ctx = new_ctx();
    tsr_attr *system = n > 0 && n <= 4096 && !*end
                           ? tsr_ttcore_describe(ctx, tsr_cstr(r->arch), (int64_t)n)
                           : NULL;
    tsr_buf out = {0}, path = {0};
    int code = EXIT_REJECTED;
    if (!system)
        fprintf(stderr, "%s: error: no system of %s chips of '%s' is described\n", r->t->name,
                r->mesh, r->arch);
    else if (tsr_fb_write_system(ctx, &out, system)) {
        code = r->system ? EXIT_OK : make_folder(r, r->artifacts);
        tsr_buf_printf(&path, r->system ? "%s" : "%s/system_desc.ttsys",
                       r->system ? r->system : r->artifacts);
        tsr_buf_char(&path, 0);
        if (!code)
            code = write_output(r->t, path.data, tsr_buf_text(&out));
    }
    tsr_buf_free(&out);
    tsr_buf_free(&path);
    free_ctx(ctx);
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

static int apply(ttrt *r, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_RESULT_FILE: r->result = g->value; break;
    case FLAG_ID_ARTIFACT_DIR: r->artifacts = g->value; break;
    case FLAG_ID_SAVE_ARTIFACTS: r->save = g->on; break;
    case FLAG_ID_SECTION: r->section = g->value; break;
    case FLAG_ID_SYSTEM_DESC: r->system = g->value; break;
    case FLAG_ID_ARCH: r->arch = g->value; break;
    case FLAG_ID_CHIPS: r->mesh = g->value; break;
    case FLAG_ID_PROGRAM_INDEX: r->program = g->value; break;
    case FLAG_ID_LOOPS: r->loops = g->count > 0 ? (uint64_t)g->count : 1; break;
    case FLAG_ID_INIT: r->init = g->value; break;
    case FLAG_ID_INPUT: tsr_vec_push(&r->inputs, g->value); break;
    case FLAG_ID_SEED: r->seed = (uint64_t)g->count; break;
    case FLAG_ID_DISABLE_GOLDEN: r->golden = !g->on; break;
    case FLAG_ID_PCC: return number(r->t, g, &r->pcc);
    case FLAG_ID_ATOL: return number(r->t, g, &r->atol);
    case FLAG_ID_RTOL: return number(r->t, g, &r->rtol);
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
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int write_results(ttrt *r)
{
    tsr_buf out = {0};
    if (!r->result || !*r->result)
        return EXIT_OK;
    tsr_buf_printf(&out, "[%.*s\n]\n", (int)r->results.len, r->results.data ? r->results.data : "");
    int code = write_output(r->t, r->result, tsr_buf_text(&out));
    tsr_buf_free(&out);
    return code;
}

static int dispatch(ttrt *r, const char *what)
{
    if (strcmp(what, "query") == 0) {
        if (!r->files.n)
            return ttrt_query(r);
        fprintf(stderr, "%s: error: query takes no files\n", r->t->name);
        return usage_exit(r->t);
    }
    bool runs = strcmp(what, "run") == 0, perf = strcmp(what, "perf") == 0;
    int (*work)(ttrt * r, binary * b) = strcmp(what, "read") == 0    ? ttrt_read
                                        : strcmp(what, "check") == 0 ? ttrt_check
                                        : runs || perf               ? ttrt_run
                                                                     : NULL;
    if (!work || !r->files.n) {
        fprintf(stderr,
                work ? "%s: error: %s wants files or folders\n"
                     : "%s: error: '%s' is none of read, run, query, check and perf\n",
                r->t->name, what);
        return usage_exit(r->t);
    }
    r->timed = perf;
    if (!r->result && (runs || perf))
        r->result = perf ? "perf_results.json" : "run_results.json";
    int code = each_file(r, work, runs || perf), written = write_results(r);
    return code ? code : written;
}

static int run_ttrt(const tool *t, int argc, char **argv)
{
    flags f = {0};
    ttrt r = {.t = t,
              .section = "all",
              .arch = "wormhole_b0",
              .mesh = "1",
              .artifacts = "ttrt-artifacts",
              .program = "all",
              .init = "random",
              .golden = true,
              .pcc = -1,
              .atol = -1,
              .rtol = -1,
              .loops = 1};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&r, &f.given.data[i]);
    for (size_t i = 1; !code && i < f.files.n; i++)
        if (tsr_is_folder(f.files.data[i]))
            code = add_folder(&r, f.files.data[i]);
        else
            tsr_vec_push(&r.files, f.files.data[i]);
    if (!code && !f.files.n) {
        fprintf(stderr, "%s: what to do was not said: read, run, query, check or perf\n", t->name);
        code = usage_exit(t);
    }
    if (!code)
        code = dispatch(&r, f.files.data[0]);
    for (size_t i = 0; i < r.owned.n; i++)
        tsr_free((void *)r.owned.data[i]);
    tsr_vec_free(&r.owned);
    tsr_vec_free(&r.files);
    tsr_vec_free(&r.inputs);
    tsr_buf_free(&r.results);
    return flags_end(t, &f, code);
}

const command command_ttrt = {
    .name = "ttrt",
    .doc = "show, check and run binaries of tt-mlir's runtime",
    .usage = "read|run|query|check|perf [options] [files or folders]",
    .run = run_ttrt,
    .flags = table,
    .nflag = TSR_COUNT(table),
};
