/* ttrt_run.c - `ttrt run` and `ttrt perf`: programs of a binary on the engine here.
 *
 * Each value that a program makes is compared with the one that the reference evaluator makes, and with the golden that the binary
 * has for its location: integers must be equal, f32 within a tolerance, bf16 and block formats correlate. */
#include "ttrt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "api/eval.h"
#include "base/decimal.h"
#include "check/ops.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "eval/eval.h"
#include "eval/file/npy.h"
#include "eval/random.h"
#include "lower/ttnn/device.h"

typedef TSR_VEC(tsr_tensor *) tensor_vec;

/* A program while it runs. */
typedef struct {
    ttrt *r;
    binary *b;
    tsr_module *m;
    const tsr_fb_table *program;
    size_t index;
    tsr_op *func;
    const tsr_type *type;
    tensor_vec in, out;
    double seconds; /* the fastest run */
    size_t compared, off,
        stored;    /* values; those that are off; goldens of the binary that were compared */
    tsr_buf first; /* the first value that is off */
    tsr_buf csv;   /* perf: a line an op */
    double last;   /* perf: when the last op ended */
    size_t nop;
    tsr_status status;
} job;

static void free_tensors(tensor_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_tensor_unref(v->data[i]);
    tsr_vec_free(v);
}

static tsr_op *find_func(tsr_module *m, tsr_str name)
{
    return tsr_symbol_find(tsr_ttcore_device_module(m->op), name);
}

/* ---- Inputs ---- */

static bool filled(const char *init, tsr_tensor *t)
{
    tsr_dtype d = (tsr_dtype)t->dtype;
    uint32_t bytes = tsr_dtype_bytes(d);
    for (int64_t i = 0; i < t->n; i++) {
        double v = init[0] == 'o' ? 1 : init[0] == 'z' ? 0 : (double)i;
        uint64_t bits =
            tsr_dtype_is_float(d) ? tsr_float_from_double(tsr_dtype_float_kind(d), v) : (uint64_t)v;
        for (uint32_t k = 0; k < bytes; k++)
            ((uint8_t *)t->data)[(size_t)i * bytes + k] = (uint8_t)(bits >> (8 * k));
    }
    return true;
}

static tsr_tensor *input(job *j, uint32_t i)
{
    const tsr_type *t = j->type->types[i];
    const char *init = j->r->init;
    if (i < j->r->inputs.n)
        return tsr_npy_load(j->b->ctx, j->r->inputs.data[i], t->elem, TSR_NPY_EXACT, &j->status);
    if (strcmp(init, "random") == 0)
        return tsr_random_input(j->m, j->func, i, j->r->seed, &j->status);
    tsr_tensor *made = tsr_tensor_new(t->elem, t->dims, t->n);
    if (!made)
        tsr_status_set(&j->status, TSR_ENVIRONMENT, "there is no memory for input %u", i);
    else
        filled(init, made);
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

/* ---- Comparison ---- */

/* By element type. f32 has the tolerances that were given, or its own; narrow floats and blocks only correlate, and where there
 * is no correlation their tolerance decides. */
static bool agree(const job *j, const tsr_tensor *actual, const tsr_tensor *expected, bool block,
                  tsr_comparison *c)
{
    tsr_tolerance own = tsr_default_tolerance(actual->elem), exact = {0, 0};
    const tsr_tolerance *tolerance = NULL;
    bool narrow = block || actual->dtype == TSR_D_BF16 || actual->dtype == TSR_D_F16;
    if (tsr_dtype_is_int((tsr_dtype)actual->dtype))
        tolerance = &exact;
    else if (!narrow && (j->r->atol >= 0 || j->r->rtol >= 0)) {
        own.atol = j->r->atol >= 0 ? j->r->atol : own.atol;
        own.rtol = j->r->rtol >= 0 ? j->r->rtol : own.rtol;
        tolerance = &own;
    }
    bool pass = tsr_tensor_compare(actual, expected, tolerance, c);
    double least = j->r->pcc >= 0 ? j->r->pcc : 0.99;
    if (!narrow || !c->same_shape || !c->same_type || isnan(c->pcc))
        return pass;
    return c->pcc >= least || c->exact;
}

static void compare(job *j, const tsr_origin *from, const char *with, const tsr_tensor *actual,
                    const tsr_tensor *expected)
{
    tsr_comparison c;
    bool block = from->value->type->elem->def == &tsr_def_TTCORE_TILE;
    j->compared++;
    if (agree(j, actual, expected, block, &c))
        return;
    if (!j->off++)
        tsr_buf_printf(&j->first, "result %u of %.*s differs from %s: %s", from->index,
                       TSR_STR_ARG(from->name), with,
                       !c.same_shape  ? "another shape"
                       : !c.same_type ? "another type"
                                      : "values are off");
}

/* The tensor of a golden; NULL: it is of no type that tensors have here, or its bytes are not as many. */
static tsr_tensor *golden_tensor(tsr_ctx *ctx, const tsr_fb_table *g)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = tsr_fb_nints(g, "shape");
    tsr_type *elem = tsr_fb_data_element(ctx, tsr_fb_int(g, "dtype"), NULL);
    tsr_str data = tsr_fb_text(g, "data");
    if (!elem || rank > TSR_COUNT(dims))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        if ((dims[i] = tsr_fb_int_at(g, "shape", i)) < 0)
            return NULL;
    int64_t n = tsr_type_num_elements(tsr_type_tensor(ctx, dims, rank, elem, NULL));
    if (n < 0 || (uint64_t)n * tsr_dtype_bytes(tsr_dtype_of(elem)) != data.len)
        return NULL;
    tsr_tensor *t = tsr_tensor_new(elem, dims, rank);
    if (t && data.len)
        memcpy(t->data, data.data, data.len);
    return t;
}

/* The golden of device 0 under a key. */
static const tsr_fb_table *golden_of(const tsr_fb_table *program, tsr_str key)
{
    const tsr_fb_table *debug = tsr_fb_sub(program, "debug_info"),
                       *info = debug ? tsr_fb_sub(debug, "golden_info") : NULL;
    const tsr_fb_value *map = info ? tsr_fb_get(info, "golden_map") : NULL;
    for (size_t i = 0; map && map->set && i < map->n; i++) {
        const tsr_fb_value *list = tsr_fb_get(map->items[i].table, "value");
        if (tsr_str_eq(tsr_fb_text(map->items[i].table, "key"), key) && list->set && list->n)
            return tsr_fb_sub(list->items[0].table, "value");
    }
    return NULL;
}

static void compare_stored(job *j, const tsr_origin *from, const tsr_tensor *actual)
{
    tsr_buf key = {0};
    j->b->ctx->print_attr(j->b->ctx, &key, tsr_loc_attr(j->b->ctx, from->loc));
    const tsr_fb_table *g = from->index ? NULL : golden_of(j->program, tsr_buf_text(&key));
    tsr_tensor *t = g ? golden_tensor(j->b->ctx, g) : NULL;
    if (t) {
        j->stored++;
        compare(j, from, "the golden of the binary", actual, t);
    }
    tsr_tensor_unref(t);
    tsr_buf_free(&key);
}

/* ---- Running ---- */

static bool watch(void *user, tsr_call *c)
{
    job *j = user;
    double now = wall_seconds();
    if (!tsr_op_is(c->op, TSR_OP_FUNC_FUNC)) {
        tsr_buf loc = {0};
        j->b->ctx->print_attr(j->b->ctx, &loc, tsr_loc_attr(j->b->ctx, c->op->loc));
        for (size_t i = 0; i < loc.len; i++)
            if (loc.data[i] == '"')
                loc.data[i] = '\'';
        tsr_buf_printf(&j->csv, "%zu,%.*s,host,%.0f,\"%.*s\"\n", ++j->nop,
                       TSR_STR_ARG(c->op->def->name), (now - j->last) * 1e9, (int)loc.len,
                       loc.data);
        tsr_buf_free(&loc);
    }
    j->last = wall_seconds();
    return true;
}

static bool run(job *j, tsr_module *m, const tsr_op *func, size_t nout, tsr_eval_engine engine,
                bool watched, tensor_vec *out, double *seconds)
{
    tsr_entry_options o = {
        .run = {.engine = engine, .seed = j->r->seed, .zero_division = TSR_ZERO_IGNORE},
        .clock = wall_seconds};
    if (watched) {
        o.watch = watch;
        o.watch_user = j;
        j->last = wall_seconds();
    }
    tsr_vec_reserve(out, nout + 1);
    if (!tsr_entry_run(m, func, j->in.data, j->in.n, out->data, nout, &o, &j->status))
        return false;
    out->n = nout;
    *seconds = o.seconds;
    return true;
}

/* All values of the program, on both engines. */
static bool against_golden(job *j)
{
    tsr_module *copy = tsr_module_copy_borrowed(j->m);
    tsr_op *func = find_func(copy, tsr_op_symbol(j->func));
    tsr_origin_vec from = {0};
    tensor_vec actual = {0}, expected = {0};
    double seconds;
    tsr_expose(func, &from);
    tsr_module_renumber(copy);
    bool ok = run(j, copy, func, from.n, TSR_ENGINE_COMPILED, false, &actual, &seconds) &&
              run(j, copy, func, from.n, TSR_ENGINE_REFERENCE, j->r->timed, &expected, &seconds);
    for (size_t i = 0; ok && i < from.n; i++) {
        if (actual.data[i]->kind != TSR_TENSOR)
            continue;
        compare(j, &from.data[i], "the reference", actual.data[i], expected.data[i]);
        compare_stored(j, &from.data[i], actual.data[i]);
    }
    free_tensors(&actual);
    free_tensors(&expected);
    tsr_vec_free(&from);
    tsr_module_free(copy);
    return ok;
}

/* ---- Artifacts: <folder>/<name of the binary>/program_<i>/ ---- */

static bool folder(job *j, tsr_buf *path, const char *name, size_t n)
{
    if (path->len)
        tsr_buf_char(path, '/');
    tsr_buf_str(path, (tsr_str){name, n});
    tsr_buf_char(path, 0);
    path->len--;
    return mkdir(path->data, 0777) == 0 || errno == EEXIST ||
           tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot make directory '%s': %s", path->data,
                          strerror(errno));
}

static bool save_list(job *j, const char *dir, const char *name, const tensor_vec *list)
{
    for (size_t i = 0; i < list->n; i++) {
        tsr_buf path = {0};
        tsr_buf_printf(&path, "%s/%s_%zu.npy", dir, name, i);
        tsr_buf_char(&path, 0);
        bool ok =
            list->data[i]->kind != TSR_TENSOR || tsr_npy_save(list->data[i], path.data, &j->status);
        tsr_buf_free(&path);
        TSR_TRY(ok);
    }
    return true;
}

static bool save_in(job *j, tsr_buf *path)
{
    const char *base = strrchr(j->b->path, '/');
    char program[40];
    base = base ? base + 1 : j->b->path;
    snprintf(program, sizeof program, "program_%zu", j->index);
    TSR_TRY(folder(j, path, j->r->artifacts, strlen(j->r->artifacts)) &&
            folder(j, path, base, strlen(base)));
    if (j->r->save) {
        tsr_buf copy = {0};
        tsr_buf_printf(&copy, "%s/%s", path->data, base);
        tsr_buf_char(&copy, 0);
        int code = write_output(j->r->t, copy.data, j->b->file.data);
        tsr_buf_free(&copy);
        if (code)
            return tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write artifacts");
    }
    TSR_TRY(folder(j, path, program, strlen(program)));
    if (j->r->save)
        TSR_TRY(save_list(j, path->data, "input", &j->in) &&
                save_list(j, path->data, "output", &j->out));
    if (!j->r->timed)
        return true;
    tsr_buf file = {0}, text = {0};
    tsr_buf_printf(&file, "%s/ops_perf_results.csv", path->data);
    tsr_buf_char(&file, 0);
    tsr_buf_printf(&text, "GLOBAL CALL COUNT,OP CODE,OP TYPE,HOST DURATION [ns],LOC\n%.*s",
                   (int)j->csv.len, j->csv.data ? j->csv.data : "");
    int code = write_output(j->r->t, file.data, tsr_buf_text(&text));
    tsr_buf_free(&file);
    tsr_buf_free(&text);
    return !code || tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write timings");
}

static bool save(job *j)
{
    tsr_buf path = {0};
    bool ok = (!j->r->save && !j->r->timed) || save_in(j, &path);
    tsr_buf_free(&path);
    return ok;
}

/* ---- Programs ---- */

static bool work(job *j)
{
    TSR_TRY(inputs(j));
    for (uint64_t i = 0; i < j->r->loops; i++) {
        double seconds = 0;
        free_tensors(&j->out);
        j->out = (tensor_vec){0};
        TSR_TRY(
            run(j, j->m, j->func, j->type->nout, TSR_ENGINE_COMPILED, false, &j->out, &seconds));
        j->seconds = i && j->seconds < seconds ? j->seconds : seconds;
    }
    return (!j->r->golden && !j->r->timed) || against_golden(j);
}

static int finish(job *j, bool ok, uint32_t nerror)
{
    const char *name = tsr_fb_text(j->program, "name").data;
    tsr_buf more = {0}, why = {0};
    bool pass = ok && (!j->off || !j->r->golden);
    if (!ok && j->b->ctx->nerror == nerror)
        fprintf(stderr, "%s: error: %s: program %zu: %s\n", j->r->t->name, j->b->path, j->index,
                j->status.message);
    tsr_buf_str(&why, ok ? tsr_buf_text(&j->first) : tsr_cstr(j->status.message));
    tsr_buf_char(&why, 0);
    tsr_buf_printf(&more,
                   ",\n    \"program_index\": %zu,\n    \"loops\": %llu,\n    \"compared\": %zu,\n"
                   "    \"off\": %zu,\n    \"goldens\": %zu,\n    \"seconds\": %s",
                   j->index, (unsigned long long)j->r->loops, j->compared, j->off, j->stored,
                   tsr_spell('e', 0, 6, j->seconds).text);
    tsr_buf_char(&more, 0);
    if (ok)
        printf("%s: program %zu '%s': %s, %zu values compared, %zu off%s%s\n", j->b->path, j->index,
               name, pass ? "PASS" : "FAIL", j->compared, j->off, j->off ? "; " : "", why.data);
    add_result(j->r, j->b->path, pass ? "pass" : ok ? "test_error" : "error", why.data, more.data);
    tsr_buf_free(&more);
    tsr_buf_free(&why);
    return pass ? EXIT_OK : j->status.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
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
    tsr_buf_free(&j.csv);
    return code;
}

/* The index that was asked for; -1: all, -2: it is none, after a message. */
static long asked(const ttrt *r, size_t n)
{
    char *end = NULL;
    long i = strcmp(r->program, "all") == 0 ? -1 : strtol(r->program, &end, 10);
    if (i == -1 || (end && end != r->program && !*end && i >= 0 && (size_t)i < n))
        return i;
    fprintf(stderr, "%s: error: there is no program '%s' among %zu\n", r->t->name, r->program, n);
    return -2;
}

int ttrt_run(ttrt *r, binary *b)
{
    static const char *const ways[] = {"random", "ones", "zeros", "arange"};
    bool known = false;
    for (size_t i = 0; i < TSR_COUNT(ways); i++)
        known |= strcmp(r->init, ways[i]) == 0;
    if (!known || b->kind != &tsr_fb_files[0]) {
        fprintf(stderr,
                known ? "%s: error: '%s' is no binary with programs\n"
                      : "%s: error: --init=%s is none of random, ones, zeros and arange\n",
                r->t->name, known ? b->path : r->init);
        return EXIT_REJECTED;
    }
    const tsr_fb_value *programs = tsr_fb_get(b->root, "programs");
    size_t n = programs->set ? programs->n : 0;
    long want = asked(r, n);
    tsr_module *m = want == -2 ? NULL : tsr_fb_module_of(b->ctx, b->root, b->src.file);
    int worst = m && tsr_verify(m->op) && tsr_make_runnable(m, false) ? EXIT_OK : EXIT_REJECTED;
    if (worst)
        add_result(r, b->path, "error", "the binary is no program", "");
    for (size_t i = 0; !worst && i < n; i++) {
        const tsr_fb_table *p = programs->items[i].table;
        if (want >= 0 ? (size_t)want != i : tsr_fb_int(p, "private") != 0)
            continue;
        int code = run_program(r, b, m, p, i);
        worst = code > worst ? code : worst;
    }
    if (m)
        tsr_module_free(m);
    return worst;
}
