/* run.c - `tessera run`: evaluates a function of a module on given or random inputs; writes, prints or judges its results. */
#include "device.h"
#include "given.h"
#include "ranks.h"
#include "steps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/ops.h"
#include "api/saved.h"
#include "api/spmd.h"
#include "api/tsrx.h"
#include "base/decimal.h"
#include "base/threads.h"
#include "check/compare.h"
#include "eval/file/literal.h"
#include "eval/file/npy.h"
#include "eval/file/print.h"
#include "eval/random.h"
#include "check/ttnn.h"
#include "exec/kernel/provider.h"
#include "exec/machine.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(GROUP_INPUTS, NULL, GROUP, NULL, "FUNCTION AND INPUTS") \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to run (default: main, or the module's only function)") \
    FLAG(INPUT, "input", LIST, "<input>", "The next input: x.npy, x.npz (all its arrays), x.npz:name, 2x3xf32=1,2,3,4,5,6, random, or 5x16xf32=random for an argument of unknown sizes; as the last one, random fills all that are missing") \
    FLAG(SEED, "seed", COUNT, "<n>", "Seed of random inputs and of stablehlo.rng (default: 0)") \
    FLAG(ZERO_DIVISION, "division-by-zero", VALUE, "warn|error|ignore", "What an integer that is divided by zero does to a run (default: warn); without an error the quotient is all ones, the remainder the dividend") \
    FLAG(GROUP_ENGINE, NULL, GROUP, NULL, "ENGINE") \
    FLAG(ENGINE, "engine", VALUE, "reference|compiled", "What runs the program: the evaluator, one op at a time, or a compiled program on all cores (default)") \
    FLAG(THREADS, "threads", COUNT, "<n>", "How many threads of a compiled program work (default: one for each core)") \
    FLAG(GEMM, "gemm", VALUE, "own|openblas", "What multiplies matrices of a compiled program: our kernels (default), or a library that is opened then") \
    FLAG(REPEAT, "repeat", COUNT, "<n>", "Run a compiled program so often; --timing shows the fastest") \
    FLAG(DUMP_PROGRAM, "dump-program", SWITCH, NULL, "Print the compiled program on stderr") \
    FLAG(STRICT, "strict-rounding", SWITCH, NULL, "Round bf16, f16 and narrower floats after each op of a compiled program, as the evaluator does") \
    FLAG(MEMORY, "memory", SWITCH, NULL, "Print the memory that a compiled program takes on stderr: its peak, the lower bound, and what is alive then") \
    FLAG(DEVICE_MEMORY, "device-memory", SWITCH, NULL, "Print on stderr what the tensors of a TTNN program take of its device's DRAM and L1; one that is never given back is an error") \
    FLAG(GROUP_RESULTS, NULL, GROUP, NULL, "RESULTS") \
    FLAG(OUTPUT, "output", VALUE, "<dir>", "Write results to out0.npy, out1.npy, ... in this directory, or to one file when it ends in .npz") \
    FLAG(EXPECT, "expect", LIST, "<value>", "Compare the next result with this: a file or a value, as for --input") \
    FLAG(RTOL, "rtol", VALUE, "<r>", "Relative tolerance (default: by element type)") \
    FLAG(ATOL, "atol", VALUE, "<a>", "Absolute tolerance (default: by element type)") \
    FLAG(GROUP_MESH, NULL, GROUP, NULL, "ON A MESH") \
    FLAG(SPMD, "spmd", SWITCH, NULL, "Partition by the module's meshes and shardings, or those of --mesh and --arg, and run it on as many virtual devices; inputs and results are whole") \
    GIVEN_FLAGS(FLAG) \
    AUTO_FLAGS_AS(FLAG, AUTO_MEMORY, "auto-memory") \
    FLAG(MESH_SHAPE, "mesh-shape", VALUE, "<1,8>", "With --spmd: the mesh that the batch of a TTIR program is divided on (default: the module's own)") \
    FLAG(TRANSPORT, "transport", VALUE, "threads|mpi", "With --spmd: what devices reach each other by: memory of this process (default), or MPI, whose ranks run some of the devices each (mpirun -n 2 tessera run ...)") \
    FLAG(COLLECTIVES, "collectives", VALUE, "own|native", "With --transport=mpi: reductions in the order of the devices (default), or MPI's own where it has the type, whose last bits may be others") \
    FLAG(TIMEOUT, "timeout", VALUE, "<60s>", "With --transport=mpi: end the job when a device waits so long for others, and say for whom (default: never)") \
    FLAG(SHARDS, "output-shards", SWITCH, NULL, "With --spmd: write the part of each result that a device has, as out0.d3.npy of device 3, and no whole results; devices that have the same part as one before them write none") \
    FLAG(GROUP_STEPS, NULL, GROUP, NULL, "SEVERAL STEPS") \
    FLAG(LOOP, "loop", COUNT, "<n>", "Run so many steps, each with results of the one before as inputs (--feed)") \
    FLAG(FEED, "feed", VALUE, "<out0:in0,...>", "With --loop: results that become inputs of the next step") \
    FLAG(CHECKPOINT, "checkpoint", VALUE, "<dir>", "With --loop: write what is fed to this directory at the end, whole or not at all") \
    FLAG(CHECKPOINT_EVERY, "checkpoint-every", COUNT, "<n>", "With --checkpoint: and after each n steps; the last two are kept") \
    FLAG(RESUME, "resume", SWITCH, NULL, "With --checkpoint: go on with the newest state in the directory, if there is one") \
    FLAG(GROUP_CHECKS, NULL, GROUP, NULL, "CHECKS") \
    FLAG(CHECK, "check", OPTIONAL, "ops", "Run the program undivided on the reference evaluator, too, and compare all results; on a mesh, name the first op that differs. With =ops: compare each op, from the same inputs and in the whole program") \
    FLAG(AGAINST, "against", VALUE, "<file>", "Run this module on the same inputs, too, and compare all results, and ops that have the same location") \
    FLAG(FILES, "files", VALUE, "<dir>", "Directory that debug.dump and debug.memory_snapshot write below (default: the current one)") \
    FLAG(GROUP_REPORTS, NULL, GROUP, NULL, "REPORTS") \
    FLAG(PRINT, "print", SWITCH, NULL, "Print results; without --output, --expect and --timing this is the default") \
    FLAG(FULL, "full", SWITCH, NULL, "Print all elements of large results, which are summarised otherwise") \
    FLAG(TIMING, "timing", SWITCH, NULL, "Print a table of times on stderr; of a compiled program, of each group, too") \
    FLAG(PROFILE, "profile", VALUE, "<trace.json>", "Write what ran when, on which device and thread, as a trace that chrome://tracing and Perfetto open, with bytes, flops and the efficiency of each group") \
    FLAG(MACHINE, "machine", VALUE, "<machine.json>", "With --profile: the peaks that efficiency is measured by, as `tessera calibrate` writes them (default: measured now, in a moment)") \
    FLAG(JSON, "json", SWITCH, NULL, "Print what --dump-program, --memory and --timing tell as JSON on stdout")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef TSR_VEC(const char *) text_vec;
typedef TSR_VEC(tsr_tensor *) tensor_vec;

typedef struct {
    const tool *t;
    const char *file, *function, *named, *output, *files, *mesh;
    tsr_shard_request request; /* --mesh, --arg, --result */
    given_vec given;
    auto_flags search; /* --auto */
    text_vec inputs, expects;
    text_vec given_names,
        in_names; /* what each input of the user, and each argument, was read from */
    uint64_t seed;
    tsr_zero_division zero_division;
    double rtol, atol;
    bool device_memory, has_rtol, has_atol, print, print_given, full, timing, spmd, check;
    tsr_eval_engine engine;
    uint64_t threads, repeat;
    bool dump_program, memory, json, strict, check_ops, gemm;
    const char *profile, *machine; /* --profile, --machine */
    tsr_machine peaks;
    tsr_buf trace_text;
    const char *against;                           /* --against */
    tsr_buf program_text, memory_text, times_text; /* reports on the compiled program */
    double shown; /* when the line of progress was written last; 0: never */
    bool whole;   /* --spmd=false */
    double start, parse, verify, load, partition, compile, eval, judge;
    bool is_compiled; /* file is a saved program: */
    tsr_tsrx compiled;
    bool is_saved; /* file is a folder: */
    tsr_saved saved;
    TSR_VEC(uint32_t) wanted; /* for each input the argument that it is for */
    tsr_type_vec types;       /* of the inputs */
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_module *local; /* the program of each device, when it is not m */
    const tsr_op *func;
    const tsr_type *type;
    tensor_vec in, out, expected;
    ranks *ranks; /* NULL: one process runs all devices */
    const char *transport;
    bool native, native_given, shards, every_given;
    double timeout;
    steps steps;
    tsr_here here; /* with ranks, steps of a mesh, or --output-shards: devices have their parts */
    tensor_vec parts_in, parts_out;
} config;

/* The exit code of a status, after its message. */
static int report(const config *c, const tsr_status *s)
{
    fprintf(stderr, "%s: error: %s\n", c->t->name, s->message);
    return s->code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

/* ---- Inputs and expectations ---- */

/* Where .npz ends and ":name" begins; NULL when the text is no such file. */
static const char *npz_end(const char *text)
{
    size_t n = strlen(text);
    if (n > 4 && strcmp(text + n - 4, ".npz") == 0)
        return text + n;
    const char *at = strstr(text, ".npz:");
    return at ? at + 4 : NULL;
}

/* The type that value number i is to have; NULL when the function has none there, or no tensor. */
static tsr_type *element_at(tsr_type *const *types, size_t n, size_t i)
{
    return i < n && tsr_type_is_shaped(types[i]) ? types[i]->elem : NULL;
}

static void free_tensors(tensor_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_tensor_unref(v->data[i]);
    tsr_vec_free(v);
}

static bool push(tensor_vec *v, tsr_tensor *t)
{
    if (t)
        tsr_vec_push(v, t);
    return t != NULL;
}

/* All arrays of an archive, or the one that is named. */
static bool load_npz(config *c, const char *text, const char *end, tsr_type *const *types, size_t n,
                     tsr_npy_mode mode, tensor_vec *out, tsr_status *s)
{
    tsr_npz z;
    tsr_buf path = {0};
    tsr_buf_str(&path, tsr_str_of(text, (size_t)(end - text)));
    tsr_buf_char(&path, 0);
    bool ok = tsr_npz_open(&z, path.data, s);
    if (ok) {
        int64_t one = *end ? tsr_npz_find(&z, tsr_cstr(end + 1)) : 0;
        if (one < 0)
            ok = tsr_status_set(s, TSR_BAD_INPUT, "%s: has no array '%s'", path.data, end + 1);
        else if (!z.entries.n)
            ok = tsr_status_set(s, TSR_BAD_INPUT, "%s: has no arrays", path.data);
        size_t first = *end ? (size_t)one : 0, count = *end ? 1 : z.entries.n;
        for (size_t i = 0; ok && i < count; i++)
            ok = push(out,
                      tsr_npz_read(c->ctx, &z, first + i, element_at(types, n, out->n), mode, s));
        tsr_npz_close(&z);
    }
    tsr_buf_free(&path);
    return ok;
}

/* "5x16xf32" as a type of tensors; NULL: it is none. */
static const tsr_type *type_of_text(const config *c, tsr_str size)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "tensor<%.*s>", TSR_STR_ARG(size));
    bool quiet = c->ctx->quiet;
    c->ctx->quiet = true;
    const tsr_type *type = tsr_type_parse(c->ctx, tsr_buf_text(&text));
    c->ctx->quiet = quiet;
    tsr_buf_free(&text);
    return type;
}

static bool load(config *c, const char *text, tsr_type *const *types, size_t n, tsr_npy_mode mode,
                 tensor_vec *out, tsr_status *s)
{
    const char *end = npz_end(text);
    if (tsr_literal_is(tsr_cstr(text)))
        return push(out, tsr_literal_read(c->ctx, tsr_cstr(text), s));
    if (end)
        return load_npz(c, text, end, types, n, mode, out, s);
    if (access(text, F_OK) != 0 && type_of_text(c, tsr_cstr(text)))
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "'%s' has a type and no values: %s=random or %s=1 gives them", text,
                              text, text);
    tsr_type *want = element_at(types, n, out->n);
    return push(out, c->ranks ? tsr_npy_map(c->ctx, text, want, mode, s)
                              : tsr_npy_load(c->ctx, text, want, mode, s));
}

/* Arguments that are tokens take no input. */
static bool takes_input(const config *c, uint32_t i)
{
    return tsr_type_is_shaped(c->type->types[i]) || tsr_type_is(c->type->types[i], TSR_TYPE_TUPLE);
}

/* The inputs that are wanted, in order, with the argument that each is for. A saved model says which that is, and holds the other
 * arguments itself; an input that none of its arguments is has no type. */
static bool list_wanted(config *c, tsr_status *s)
{
    const tsr_saved *saved = c->is_saved ? &c->saved : NULL;
    for (uint32_t i = 0; !saved && i < c->type->n; i++)
        if (takes_input(c, i))
            tsr_vec_push(&c->wanted, i);
    if (saved && saved->nargs != c->type->n)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "'%s' says what %zu arguments are, and the function has %u",
                              saved->meta, saved->nargs, c->type->n);
    for (size_t p = 0; saved && p < saved->ninput; p++) {
        uint32_t i = 0;
        while (i < c->type->n && saved->args[i].input != (int64_t)p)
            i++;
        tsr_vec_push(&c->wanted, i);
    }
    for (size_t p = 0; p < c->wanted.n; p++)
        tsr_vec_push(&c->types, c->wanted.data[p] < c->type->n ? c->type->types[c->wanted.data[p]]
                                                               : c->ctx->none);
    return true;
}

/* Input p. The function's type is that of whole values, whatever its parts are. type: NULL for the function's. */
static tsr_tensor *random_input(config *c, size_t p, const tsr_type *type, tsr_status *s)
{
    uint32_t i = c->wanted.data[p];
    if (i >= c->type->n)
        return tsr_token_new();
    return tsr_random_input_as(c->m, c->func, i, type ? type : c->type->types[i], c->seed, s);
}

/* "5x16xf32=random": an argument of unknown sizes gets these. */
static bool is_sized_random(const char *text, tsr_str *size)
{
    size_t n = strlen(text), tail = strlen("=random");
    *size = (tsr_str){text, n > tail ? n - tail : 0};
    return size->len && strcmp(text + size->len, "=random") == 0;
}

static tsr_tensor *random_of_size(config *c, size_t p, tsr_str size, tsr_status *s)
{
    const tsr_type *type = type_of_text(c, size);
    if (type && tsr_type_is(type, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(type))
        return random_input(c, p, type, s);
    tsr_status_set(s, TSR_BAD_INPUT,
                   "'%.*s=random': sizes and an element type are wanted, such as 5x16xf32",
                   TSR_STR_ARG(size));
    return NULL;
}

/* All that the user gives. */
static bool load_given(config *c, tensor_vec *given, tsr_status *s)
{
    bool random = false;
    size_t n = c->wanted.n;
    for (size_t i = 0; i < c->inputs.n; i++) {
        const char *text = c->inputs.data[i];
        random = strcmp(text, "random") == 0;
        if (given->n >= n)
            return tsr_status_set(
                s, TSR_BAD_INPUT,
                "too many inputs: '%s' is one more than the %zu that the function takes", text, n);
        tsr_str size;
        bool ok = random ? push(given, random_input(c, given->n, NULL, s))
                  : is_sized_random(text, &size)
                      ? push(given, random_of_size(c, given->n, size, s))
                      : load(c, text, c->types.data, n, TSR_NPY_EXACT, given, s);
        if (!ok)
            return false;
        while (c->given_names.n < given->n)
            tsr_vec_push(&c->given_names, text);
    }
    while (random && given->n < n)
        TSR_TRY(push(given, random_input(c, given->n, NULL, s)));
    while (c->given_names.n < given->n)
        tsr_vec_push(&c->given_names, "random");
    if (given->n < n)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "the function takes %zu inputs, and %zu are given; --input=random "
                              "fills what is missing",
                              n, given->n);
    if (given->n > n)
        return tsr_status_set(s, TSR_BAD_INPUT, "the function takes %zu inputs, and %zu are given",
                              n, given->n);
    return true;
}

/* Argument i: what the user gave for it, what the model holds, or nothing for a token. */
static bool load_argument(config *c, uint32_t i, const tensor_vec *given, size_t *next,
                          tsr_status *s)
{
    const tsr_saved_argument *a = c->is_saved ? &c->saved.args[i] : NULL;
    int64_t from = a ? a->input : takes_input(c, i) ? (int64_t)(*next)++ : -1;
    tsr_vec_push(&c->in_names, from >= 0 ? c->given_names.data[from] : a ? a->path : NULL);
    if (from < 0 && !a) {
        tsr_vec_push(&c->in, NULL);
        return true;
    }
    if (from >= 0)
        return push(&c->in, tsr_tensor_ref(given->data[from]));
    return push(&c->in, tsr_npy_load(c->ctx, a->path, element_at(c->type->types, c->type->n, i),
                                     TSR_NPY_EXACT, s));
}

static bool load_inputs(config *c, tsr_status *s)
{
    tensor_vec given = {0};
    size_t next = 0;
    bool ok = list_wanted(c, s) && load_given(c, &given, s);
    for (uint32_t i = 0; ok && i < c->type->n; i++)
        ok = load_argument(c, i, &given, &next, s);
    free_tensors(&given);
    return ok;
}

static bool load_expected(config *c, tsr_status *s)
{
    for (size_t i = 0; i < c->expects.n; i++)
        TSR_TRY(load(c, c->expects.data[i], c->type->types + c->type->n, c->type->nout,
                     TSR_NPY_AS_IS, &c->expected, s));
    if (c->expected.n > c->type->nout)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "the function gives %u results, and %zu are expected", c->type->nout,
                              c->expected.n);
    return true;
}

/* ---- Results ---- */

static bool is_npz(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npz") == 0;
}

/* Tokens have no value to write; numbers of files are those of results. */
static bool save(config *c, tsr_status *s)
{
    text_vec names = {0};
    tensor_vec tensors = {0};
    bool archive = is_npz(c->output);
    for (size_t i = 0; i < c->out.n; i++) {
        if (c->out.data[i]->kind == TSR_TOKEN)
            continue;
        tsr_buf name = {0};
        if (!archive)
            tsr_buf_printf(&name, "%s/", c->output);
        tsr_buf_printf(&name, archive ? "out%zu" : "out%zu.npy", i);
        tsr_buf_char(&name, 0);
        tsr_vec_push(&names, name.data);
        tsr_vec_push(&tensors, c->out.data[i]);
    }
    bool ok = true;
    if (!archive && mkdir(c->output, 0777) != 0 && errno != EEXIST)
        ok = tsr_status_set(s, TSR_ENVIRONMENT, "cannot make directory '%s': %s", c->output,
                            strerror(errno));
    if (ok && archive)
        ok = tsr_npz_save(tensors.data, names.data, tensors.n, c->output, s);
    else if (ok)
        ok = tsr_npy_save_all(tensors.data, names.data, tensors.n, s);
    for (size_t i = 0; i < names.n; i++)
        tsr_free((void *)names.data[i]);
    tsr_vec_free(&names);
    tsr_vec_free(&tensors);
    return ok;
}

/* Parts of results of the devices here. */
static bool save_shards(config *c, tsr_status *s)
{
    size_t nout = c->type->nout;
    bool ok = mkdir(c->output, 0777) == 0 || errno == EEXIST ||
              tsr_status_set(s, TSR_ENVIRONMENT, "cannot make directory '%s': %s", c->output,
                             strerror(errno));
    for (size_t i = 0; ok && i < nout; i++) {
        uint32_t *holders = tsr_here_holders(&c->here, &c->here.run->out[i]);
        for (uint32_t d = c->here.first; ok && d < c->here.last; d++) {
            const tsr_tensor *t = c->parts_out.data[d * nout + i];
            if (t->kind == TSR_TOKEN || holders[d] != d)
                continue;
            tsr_buf name = {0};
            tsr_buf_printf(&name, "%s/out%zu.d%u.npy", c->output, i, d);
            tsr_buf_char(&name, 0);
            ok = tsr_npy_save(t, name.data, s);
            tsr_buf_free(&name);
        }
        tsr_free(holders);
    }
    return ok;
}

/* One row an output. False when some output is not what was expected. */
/* grown (may be NULL): by result, what it may be instead (check/ops.h), or NULL. */
static bool judge(config *c, const tensor_vec *expected, tsr_tensor *const *grown, tsr_buf *out)
{
    bool pass = true;
    tsr_compare_heading(out);
    for (size_t i = 0; i < c->out.n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        const tsr_tensor *actual = c->out.data[i];
        if (i >= expected->n) {
            tsr_buf_printf(out, "%-8s  nothing expected\n", name);
            continue;
        }
        if (actual->kind != TSR_TENSOR && expected->data[i]->kind != TSR_TENSOR)
            continue;
        tsr_tolerance given = {c->has_rtol ? c->rtol : 0, c->has_atol ? c->atol : 0};
        const tsr_tolerance *tolerance = c->has_rtol || c->has_atol ? &given : NULL;
        tsr_comparison result, from_own;
        bool same = tsr_tensor_compare(actual, expected->data[i], tolerance, &result);
        bool grew = !same && grown && grown[i] &&
                    tsr_tensor_compare(actual, grown[i], tolerance, &from_own);
        pass &= same || grew;
        tsr_compare_row(out, name, actual, expected->data[i], &result, grew);
    }
    return pass;
}

static void print_times(const config *c, tsr_buf *json)
{
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"parse", c->parse},
                {"verify", c->verify},
                {"load inputs", c->load},
                {"partition", c->partition},
                {"compile", c->compile},
                {"evaluate", c->eval},
                {"write and compare", c->judge},
                {"total", wall_seconds() - c->start}};
    if (!json)
        fputs("     wall (ms)  what\n", stderr);
    for (size_t i = 0; i < TSR_COUNT(rows); i++) {
        if (json)
            tsr_buf_printf(json, "%s\"%s\": %s", i ? ", " : "", rows[i].name,
                           tsr_spell('g', 0, 6, rows[i].seconds).text);
        else
            fprintf(stderr, "  %s  %s\n", tsr_spell('f', 12, 3, rows[i].seconds * 1e3).text,
                    rows[i].name);
    }
}

/* A report that was asked for, and is not there where no program was compiled. */
static void json_report(tsr_buf *out, const char *name, const tsr_buf *report)
{
    tsr_buf_printf(out, "%s\"%s\": ", out->len > 1 ? ",\n" : "", name);
    tsr_buf_str(out, report->len ? tsr_buf_text(report) : TSR_STR("null"));
}

/* All reports as one object. */
static int print_json(const config *c)
{
    tsr_buf out = {0};
    tsr_buf_char(&out, '{');
    if (c->dump_program)
        json_report(&out, "program", &c->program_text);
    if (c->memory)
        json_report(&out, "memory", &c->memory_text);
    if (c->timing) {
        tsr_buf phases = {0};
        tsr_buf_char(&phases, '{');
        print_times(c, &phases);
        tsr_buf_char(&phases, '}');
        json_report(&out, "groups", &c->times_text);
        json_report(&out, "seconds", &phases);
        tsr_buf_free(&phases);
    }
    tsr_buf_cstr(&out, "}\n");
    int code = write_output(c->t, "-", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return code;
}

static int print_reports(const config *c, int code)
{
    if (c->json) {
        int wrote = print_json(c);
        return code ? code : wrote;
    }
    const tsr_buf *all[] = {&c->program_text, &c->memory_text, &c->times_text};
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        fwrite(all[i]->data ? all[i]->data : "", 1, all[i]->len, stderr);
    if (c->timing)
        print_times(c, NULL);
    return code;
}

/* One line, written over and over, when a run takes long and somebody looks. */
static void show_progress(void *user, size_t done, size_t all)
{
    config *c = user;
    const double after = 2, each = 0.2;
    double now = wall_seconds();
    if (now - c->start < after || now - c->shown < each)
        return;
    c->shown = now;
    fprintf(stderr, "\r%zu of %zu steps, %.0f s ", done, all, now - c->start);
}

/* ---- The run ---- */

static void print_text(void *user, tsr_str text)
{
    (void)user;
    fwrite(text.data, 1, text.len, stdout);
}

/* At debug.breakpoint, when somebody is at the terminal. */
static bool wait_for_user(void *user, const tsr_breakpoint *at)
{
    (void)user;
    fwrite(at->text.data, 1, at->text.len, stderr);
    fputs("press Enter to go on\n", stderr);
    for (int ch = getchar(); ch != '\n' && ch != EOF;)
        ch = getchar();
    return true;
}

/* A run failed: by a diagnostic, or by the status. */
static int failed(const config *c, uint32_t nerror, const tsr_entry_options *options,
                  const tsr_status *s)
{
    if (c->ctx->nerror == nerror)
        return report(c, s);
    if (options && options->zero_divisors && c->zero_division == TSR_ZERO_ERROR)
        fprintf(stderr,
                "%s: where a program drops such values later, --division-by-zero=warn (the "
                "default) or =ignore runs it\n",
                c->t->name);
    return s->code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

/* Inputs and results are whole: the function's type as those see it. */
static const tsr_type *whole_type(config *c, const tsr_parts_run *parts)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < c->type->n + c->type->nout; i++) {
        const tsr_part_of *of = i < c->type->n ? &parts->in[i] : &parts->out[i - c->type->n];
        tsr_vec_push(&types, of->global ? (tsr_type *)of->global : c->type->types[i]);
    }
    const tsr_type *t =
        tsr_type_function(c->ctx, types.data, c->type->n, types.data + c->type->n, c->type->nout);
    tsr_vec_free(&types);
    return t;
}

/* What the command line says of the mesh, for a module that is to be divided. */
static bool give(const config *c, tsr_module *m, tsr_status *s)
{
    if (!c->search.on)
        return give_shardings(m, &c->request, &c->given, c->function, s);
    tsr_shard_request request = c->request;
    request.given = c->given.data;
    request.ngiven = c->given.n;
    request.function = tsr_cstr(c->function);
    tsr_arena arena;
    tsr_auto_result found = {0};
    tsr_arena_init(&arena);
    bool ok = auto_give(&c->search, &arena, m, &request, &found, s);
    tsr_auto_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

/* The program of each device: the module itself, when it is one already. */
static bool prepare_spmd(config *c, tsr_arena *arena, tsr_parts_run *parts, tsr_status *s)
{
    double t0 = wall_seconds();
    if (c->search.on || tsr_spmd_needed(c->m) || c->request.mesh.len || c->given.n) {
        c->local = tsr_module_copy_borrowed(c->m);
        TSR_TRY(give(c, c->local, s) && tsr_spmd_partition(c->local, tsr_cstr(c->function), s));
    }
    tsr_module *m = c->local ? c->local : c->m;
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), s);
    if (!func || !tsr_spmd_entry(arena, m, func, parts, s))
        return false;
    if (!c->local)
        c->type = whole_type(c, parts);
    if (!c->local && parts->replicas * parts->partitions <= 1)
        tell_no_mesh(c->ctx, func);
    c->partition = wall_seconds() - t0;
    return true;
}

static const tsr_tolerance *tolerance_of(const config *c, tsr_tolerance *out)
{
    *out = (tsr_tolerance){c->has_rtol ? c->rtol : 0, c->has_atol ? c->atol : 0};
    return c->has_rtol || c->has_atol ? out : NULL;
}

/* The first op that is off, at its place, and how. */
static void tell_verdict(const config *c, const tsr_ops_verdict *v, const char *how, tsr_buf *text,
                         bool *pass)
{
    *pass &= !v->found;
    if (!v->found)
        return;
    tsr_emit(c->ctx, TSR_ERROR, v->loc, "'%.*s' op is the first whose value differs %s",
             TSR_STR_ARG(tsr_buf_text(&v->text)), how);
    tsr_buf_str(text, tsr_buf_text(&v->table));
}

/* Values of all ops on the mesh beside those of the undivided program. */
static int find_on_mesh(config *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_status s = {0};
    tsr_ops_verdict v = {0};
    tsr_tolerance given;
    tsr_module *m = tsr_module_copy_borrowed(c->m);
    if (give(c, m, &s) && tsr_spmd_find_culprit(m, tsr_cstr(c->function), c->in.data, c->in.n,
                                                tolerance_of(c, &given), options, &v, &s)) {
        tell_verdict(c, &v, "on the mesh", text, pass);
        if (c->check_ops)
            tsr_buf_printf(text, "ops on the mesh: %zu values compared\n", v.compared);
    }
    tsr_ops_verdict_free(&v);
    tsr_module_free(m);
    return EXIT_OK;
}

/* --check=ops: results, and each op, on both engines. The evaluator runs once. */
static int check_each(config *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_status s = {0};
    tensor_vec whole = {0}, grown = {0};
    tsr_ops_verdict isolated = {0}, accumulated = {0};
    tsr_tolerance given;
    uint32_t nerror = c->ctx->nerror;
    tsr_module *m = tsr_module_copy_borrowed(c->m);
    for (uint32_t i = 0; i < c->type->nout; i++) {
        tsr_vec_push(&whole, NULL);
        tsr_vec_push(&grown, NULL);
    }
    bool ok = tsr_ops_check(m, tsr_cstr(c->function), c->in.data, c->in.n, tolerance_of(c, &given),
                            options, whole.data, grown.data, &isolated, &accumulated, &s);
    if (ok) {
        *pass &= judge(c, &whole, grown.data, text);
        if (accumulated.grown)
            tsr_emit(c->ctx, TSR_REMARK, accumulated.grown_loc,
                     "'%.*s' op is the first of %zu values that differ beyond the tolerance in the "
                     "whole program, but not from the inputs that they have there",
                     TSR_STR_ARG(accumulated.grown_name), accumulated.grown);
        tell_verdict(c, &isolated, "from the same inputs", text, pass);
        tell_verdict(c, &accumulated, "in the whole program", text, pass);
        tsr_buf_printf(text,
                       "ops: %zu values compared from the same inputs (%zu cannot be), %zu in the "
                       "whole program\n",
                       isolated.compared, isolated.skipped, accumulated.compared);
    }
    tsr_ops_verdict_free(&isolated);
    tsr_ops_verdict_free(&accumulated);
    tsr_module_free(m);
    free_tensors(&whole);
    free_tensors(&grown);
    return ok ? EXIT_OK : failed(c, nerror, options, &s);
}

/* ---- Another module ---- */

/* The inputs in the element types that the other module's function has: a lowering may have changed them. */
static bool inputs_for(const config *c, const tsr_op *func, tensor_vec *out, tsr_status *s)
{
    const tsr_type *type = tsr_entry_type(func);
    for (size_t i = 0; i < c->in.n; i++) {
        tsr_tensor *t = c->in.data[i];
        t = t && i < type->n ? tsr_same_numbers(t, type->types[i]) : t ? tsr_tensor_ref(t) : NULL;
        if (c->in.data[i] && !t)
            return tsr_status_set(s, TSR_BAD_INPUT,
                                  "input %zu has numbers that are not there in the element type "
                                  "that '%s' has for it",
                                  i, c->against);
        tsr_vec_push(out, t);
    }
    return true;
}

/* Integers beside floats, or signed ones beside unsigned ones of as many bits. */
static bool changes_kind(const tsr_tensor *a, const tsr_tensor *b)
{
    tsr_dtype x = (tsr_dtype)a->dtype, y = (tsr_dtype)b->dtype;
    if (tsr_dtype_is_int(x) != tsr_dtype_is_int(y))
        return true;
    return tsr_dtype_is_int(x) && tsr_dtype_kind(x) != tsr_dtype_kind(y) &&
           tsr_dtype_bits(x) == tsr_dtype_bits(y);
}

/* Results as numbers of the types that the first module gives, where those are of another kind: truth values as floats, bits of
 * integers under another sign. */
static void results_as(const config *c, tensor_vec *results)
{
    for (size_t i = 0; i < results->n && i < c->out.n; i++) {
        const tsr_tensor *mine = c->out.data[i];
        tsr_tensor *t = results->data[i];
        if (mine->kind != TSR_TENSOR || t->kind != TSR_TENSOR || !changes_kind(mine, t))
            continue;
        tsr_type *elem = mine->elem;
        tsr_tensor *same = tsr_same_numbers(t, tsr_type_tensor(c->ctx, NULL, 0, elem, NULL));
        if (same) {
            tsr_tensor_unref(t);
            results->data[i] = same;
        }
    }
}

static int compare_modules(config *c, tsr_module *other, tsr_entry_options *options, tsr_buf *text,
                           bool *pass)
{
    tsr_status s = {0};
    tensor_vec results = {0}, in = {0};
    tsr_ops_verdict v = {0};
    tsr_tolerance given;
    size_t unmatched[2] = {0};
    uint32_t nerror = c->ctx->nerror;
    const tsr_op *func = tsr_entry_find(other, tsr_cstr(c->function), &s);
    tsr_vec_reserve(&results, c->type->nout + 1);
    options->program = options->memory = options->times = options->trace = NULL;
    options->progress = NULL;
    if (!func || !inputs_for(c, func, &in, &s) ||
        !tsr_entry_run(other, func, in.data, in.n, results.data, c->type->nout, options, &s)) {
        free_tensors(&results);
        free_tensors(&in);
        return failed(c, nerror, options, &s);
    }
    results.n = c->type->nout;
    results_as(c, &results);
    *pass &= judge(c, &results, NULL, text);
    free_tensors(&results);
    tsr_module *a = tsr_module_copy_borrowed(c->m), *b = tsr_module_copy_borrowed(other);
    if (tsr_ops_against(a, tsr_cstr(c->file), b, tsr_cstr(c->against), tsr_cstr(c->function),
                        c->in.data, in.data, in.n, tolerance_of(c, &given), options, &v, unmatched,
                        &s)) {
        if (v.found) /* results alone decide: an op may compute another thing on the way */
            tsr_emit(c->ctx, TSR_REMARK, v.loc,
                     "'%.*s' op is the first whose value differs from that at its location in '%s'",
                     TSR_STR_ARG(tsr_buf_text(&v.text)), c->against);
        tsr_buf_str(text, tsr_buf_text(&v.table));
        tsr_buf_printf(text,
                       "ops: %zu values have the same location in both; %zu are in the first "
                       "module alone, %zu in the other\n",
                       v.compared, unmatched[0], unmatched[1]);
    } else {
        tsr_buf_printf(text, "ops: not compared: %s\n", s.message);
    }
    tsr_ops_verdict_free(&v);
    free_tensors(&in);
    tsr_module_free(a);
    tsr_module_free(b);
    return EXIT_OK;
}

static int compare_against(config *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(c->against, &in, &error))
        return cannot_open(c->t, c->against, error);
    source_mark last = {0};
    source src = {tsr_cstr(c->against), in.data, &last};
    tsr_diag_fn *fn = c->ctx->on_diag;
    void *user = c->ctx->diag_user;
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    tsr_module *m = tsr_load_program(c->ctx, src.text, src.file, 1, true);
    bool ok = m && make_ready(m, c->spmd, c->mesh);
    if (ok && tsr_spmd_is_local(m))
        ok = tsr_error(c->ctx, m->op->loc,
                       "the program of one device of several cannot be compared with another");
    tsr_ctx_on_diag(c->ctx, fn, user);
    int code = ok ? compare_modules(c, m, options, text, pass) : EXIT_REJECTED;
    if (m)
        tsr_module_free(m);
    tsr_file_close(&in);
    return code;
}

/* The program undivided on the evaluator, beside what was computed. */
static int check_whole(config *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    if (c->check_ops && !c->spmd)
        return check_each(c, options, text, pass);
    tsr_status s = {0};
    tensor_vec whole = {0};
    uint32_t nerror = c->ctx->nerror;
    tsr_vec_reserve(&whole, c->type->nout + 1);
    /* Replicas are the program's own business: as many as there are run whole. */
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run one = {.replicas = 1, .partitions = 1, .differs = -1};
    if (options->parts)
        one = *options->parts;
    one.partitions = c->local ? 1 : one.partitions;
    if (c->local) {
        one.in = TSR_NEW_ARRAY(&arena, tsr_part_of, c->type->n + 1);
        one.out = TSR_NEW_ARRAY(&arena, tsr_part_of, c->type->nout + 1);
    }
    one.local = false;
    options->parts = c->spmd && (one.replicas > 1 || !c->local) ? &one : NULL;
    options->print = NULL;
    options->remote = NULL;
    c->steps.local = NULL;
    c->steps.quiet = true;
    options->repeat = 0;
    options->progress = NULL;
    options->program = options->memory = options->times = options->trace = NULL; /* told before */
    options->run.engine = TSR_ENGINE_REFERENCE;                                  /* which judges */
    if (options->run.zero_division == TSR_ZERO_WARN)
        options->run.zero_division = TSR_ZERO_IGNORE; /* it was said before */
    if (!tsr_entry_run(c->m, c->func, c->in.data, c->in.n, whole.data, c->type->nout, options, &s))
        return tsr_arena_free(&arena), free_tensors(&whole), failed(c, nerror, options, &s);
    tsr_arena_free(&arena);
    whole.n = c->type->nout;
    bool same = judge(c, &whole, NULL, text);
    *pass &= same;
    free_tensors(&whole);
    options->run.engine = c->engine;
    if (same && !c->check_ops)
        return EXIT_OK;
    return c->spmd && c->local ? find_on_mesh(c, options, text, pass) : EXIT_OK;
}

/* Results, and what there is to say about them. */
static int finish(config *c, tsr_entry_options *options)
{
    tsr_status s = {0};
    double t1 = wall_seconds();
    if (c->output && !c->shards && !save(c, &s))
        return report(c, &s);
    if (c->profile && c->trace_text.len) {
        int wrote = write_output(c->t, c->profile, tsr_buf_text(&c->trace_text));
        if (wrote)
            return wrote;
    }
    tsr_buf text = {0};
    for (size_t i = 0; c->print && i < c->out.n; i++) {
        tsr_tensor_print_summary(&text, c->out.data[i], c->full);
        tsr_buf_char(&text, '\n');
    }
    bool pass = !c->expects.n || judge(c, &c->expected, NULL, &text);
    int code = c->against ? compare_against(c, options, &text, &pass) : EXIT_OK;
    code = c->check && !code ? check_whole(c, options, &text, &pass) : code;
    c->judge = wall_seconds() - t1;
    int wrote = EXIT_OK;
    if (c->json) /* stdout is the reports' */
        fwrite(text.data ? text.data : "", 1, text.len, stderr);
    else
        wrote = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_buf_free(&text);
    return code ? code : wrote ? wrote : pass ? EXIT_OK : EXIT_REJECTED;
}

/* A program of TTNN fits its device. */
static bool check_device(config *c)
{
    tsr_device_memory memory;
    TSR_TRY(tsr_ttnn_check(c->m, c->func, c->device_memory, &memory));
    if (!c->device_memory)
        return true;
    tsr_buf text = {0};
    tsr_device_memory_print(&memory, &text);
    fwrite(text.data, 1, text.len, stderr);
    tsr_buf_free(&text);
    return true;
}

/* What efficiency is measured by. */
static bool find_peaks(config *c, tsr_status *s)
{
    const double moment = 0.1;
    tsr_file in;
    const char *error = NULL;
    if (!c->profile)
        return true;
    if (!c->machine)
        return tsr_machine_measure(&c->peaks, moment) ||
               tsr_status_set(s, TSR_ENVIRONMENT, "no memory to measure the machine's peaks with%s",
                              tsr_memory_reason().text);
    if (!tsr_file_open(c->machine, &in, &error))
        return tsr_status_set(s, TSR_ENVIRONMENT, "cannot open input file '%s': %s", c->machine,
                              error);
    tsr_status why = {0};
    bool ok = tsr_machine_read(&c->peaks, in.data, &why) ||
              tsr_status_set(s, TSR_BAD_INPUT, "'%s', %s", c->machine, why.message);
    tsr_file_close(&in);
    return ok;
}

/* ---- Devices that have parts ---- */

static bool next_step(void *user, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *s)
{
    return steps_next(&((config *)user)->steps, step, in, out, s);
}

/* Inputs become parts: of the devices that this rank runs. */
static bool spread(config *c, tsr_module *m, const tsr_op *func, tsr_parts_run *parts,
                   tsr_status *s)
{
    size_t n = tsr_parts_devices(parts), nin = c->in.n;
    int size = c->ranks ? ranks_size(c->ranks) : 1;
    tsr_here_init(&c->here, m, func, parts, c->ranks ? ranks_remote(c->ranks) : NULL);
    if ((size_t)size > n)
        return tsr_status_set(
            s, TSR_BAD_INPUT,
            "the program is for %zu devices, and there are %d ranks: each runs one "
            "at least",
            n, size);
    TSR_TRY(tsr_here_takes(&c->here, c->in.data, nin, c->in_names.data, s));
    tsr_vec_reserve(&c->parts_in, n * nin + 1);
    tsr_vec_reserve(&c->parts_out, n * c->type->nout + 1);
    memset(c->parts_in.data, 0, (n * nin + 1) * sizeof *c->parts_in.data);
    memset(c->parts_out.data, 0, (n * c->type->nout + 1) * sizeof *c->parts_out.data);
    c->parts_in.n = n * nin;
    for (size_t i = 0; i < nin; i++)
        TSR_TRY(tsr_here_cut(&c->here, &parts->in[i], c->in.data[i], c->parts_in.data + i, nin, s));
    parts->local = true;
    return true;
}

/* Parts of all ranks become results, on the first one. */
static bool collect(config *c, tsr_status *s)
{
    size_t nout = c->type->nout;
    bool lead = !c->ranks || ranks_rank(c->ranks) == 0;
    if (c->shards && !c->print && !c->expects.n && !c->check)
        return true;
    TSR_TRY(tsr_here_gather(&c->here, c->parts_out.data, nout, 0, s));
    TSR_TRY(!lead || tsr_here_join(&c->here, c->parts_out.data, nout, c->out.data, s));
    c->out.n = lead ? nout : 0;
    return true;
}

/* Runs the program as often as it is wanted to, on one rank or on several; results are in c->out, on the first. */
static int run_ranks(config *c, tsr_module *m, const tsr_op *func, tsr_entry_options *options,
                     uint32_t nerror)
{
    tsr_status s = {0};
    bool parted = c->spmd && (c->ranks || c->steps.loop || c->shards);
    bool ok = !c->steps.loop || steps_read(&c->steps, c->type, &s);
    ok = ok && (!parted || spread(c, m, func, options->parts, &s));
    int code = ranks_agree(c->ranks, ok ? EXIT_OK : failed(c, nerror, options, &s));
    if (code)
        return code;
    tensor_vec *in = parted ? &c->parts_in : &c->in, *out = parted ? &c->parts_out : &c->out;
    ok = !c->ranks || tsr_here_agree(&c->here, in->data, c->in.n, c->in_names.data, &s);
    if (c->steps.loop) {
        tsr_here whole = {.m = m, .run = &(tsr_parts_run){.replicas = 1, .partitions = 1}};
        c->steps.local = parted ? &c->here : NULL;
        c->steps.program = tsr_here_program(parted ? &c->here : &whole);
        ok = ok && steps_resume(&c->steps, c->ctx, in->data, &s);
        options->first_step = c->steps.first;
        options->again = next_step;
    }
    options->remote = parted ? c->here.remote : NULL;
    ok = ok && tsr_entry_run(m, func, in->data, c->in.n, out->data, c->type->nout, options, &s);
    out->n = ok ? c->type->nout * (parted ? tsr_parts_devices(options->parts) : 1) : 0;
    if (c->shown > 0)
        fputs("\r\033[K", stderr);
    code = ranks_agree(c->ranks, ok ? EXIT_OK : failed(c, nerror, options, &s));
    if (code || !parted)
        return code;
    ok = (!c->shards || save_shards(c, &s)) && collect(c, &s);
    return ranks_agree(c->ranks, ok ? EXIT_OK : failed(c, nerror, options, &s));
}

/* Files and the module are read before anything runs, and everything is computed before anything is written. */
static int run_function(config *c, tsr_arena *arena)
{
    tsr_status s = {0};
    tsr_parts_run parts = {.differs = -1};
    c->func = tsr_entry_find(c->m, tsr_cstr(c->function), &s);
    c->type = c->func ? tsr_entry_type(c->func) : NULL;
    uint32_t nerror = c->ctx->nerror;
    if (c->type && c->spmd && !prepare_spmd(c, arena, &parts, &s))
        return failed(c, nerror, NULL, &s);
    if (c->ranks && !c->spmd)
        return flag_alone(c->t, "transport", "is for the devices of a mesh: it needs --spmd");
    if (c->shards && !c->spmd)
        return flag_alone(c->t, "output-shards", "is for the devices of a mesh: it needs --spmd");
    if (c->type && !check_device(c))
        return EXIT_REJECTED;
    bool compiled = c->engine == TSR_ENGINE_COMPILED;
    if (c->type && compiled && !c->spmd && !tsr_entry_fits(c->m, c->func, &s))
        return failed(c, nerror, NULL, &s);
    double t0 = wall_seconds();
    if (!c->type || !load_inputs(c, &s) || !load_expected(c, &s))
        return report(c, &s);
    c->load = wall_seconds() - t0;
    tsr_vec_reserve(&c->out, c->type->nout + 1);
    tsr_entry_options options = {
        .run = {.zero_division = c->zero_division, .engine = c->engine, .seed = c->seed},
        .repeat = (uint32_t)c->repeat,
        .user = c,
        .program = c->dump_program ? &c->program_text : NULL,
        .memory = c->memory ? &c->memory_text : NULL,
        .times = c->timing ? &c->times_text : NULL,
        .json = c->json,
        .trace = c->profile ? &c->trace_text : NULL,
        .machine = &c->peaks,
        .strict = c->strict,
        .saved = c->is_compiled && c->compiled.flags & TSR_TSRX_COMPILED ? &c->compiled : NULL,
        .progress = compiled && isatty(2) ? show_progress : NULL,
        .clock = wall_seconds,
        .print = print_text,
        .file_dir = c->files ? c->files : ".",
        .pause = isatty(0) && isatty(2) ? wait_for_user : NULL,
        .in_names = c->in_names.data};
    if (c->spmd)
        options.parts = &parts;
    if (c->threads)
        tsr_pool_limit((int)(c->threads < TSR_MOST_THREADS ? c->threads : TSR_MOST_THREADS));
    if (!find_peaks(c, &s))
        return report(c, &s);
    tsr_module *m = c->local ? c->local : c->m;
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), &s);
    if (!func)
        return report(c, &s);
    int code = run_ranks(c, m, func, &options, nerror);
    if (code)
        return code;
    if (c->ranks && ranks_rank(c->ranks) > 0)
        return EXIT_OK;
    c->compile = options.compile_seconds;
    c->eval = options.seconds;
    if (parts.differs >= 0)
        fprintf(stderr,
                "%s: warning: result %lld is not the same on all devices; that of the first one is "
                "taken\n",
                c->t->name, (long long)parts.differs);
    return finish(c, &options);
}

/* Of a model that was saved in a folder: its program, and what the program's arguments are. */
static bool open_saved(config *c, tsr_arena *arena, int *code)
{
    tsr_status s = {0};
    tsr_file meta;
    const char *error = NULL;
    *code = EXIT_REJECTED;
    if (!tsr_saved_find(arena, c->file, tsr_cstr(c->named ? c->named : ""), &c->saved, &s))
        return *code = report(c, &s), false;
    if (!tsr_file_open(c->saved.meta, &meta, &error))
        return cannot_open(c->t, c->saved.meta, error), false;
    source src = {tsr_cstr(c->saved.meta), meta.data, NULL};
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    bool ok = tsr_saved_read(c->ctx, arena, c->file, src.text, &c->saved);
    tsr_file_close(&meta);
    c->file = c->saved.program;
    c->function = "main";
    return ok;
}

/* A flag that says how a program is compiled, and comes too late; NULL: none was given. */
static const char *late_flag(const config *c)
{
    return c->named              ? "function"
           : c->strict           ? "strict-rounding"
           : c->mesh             ? "mesh-shape"
           : c->given.n          ? "arg"
           : c->request.mesh.len ? "mesh"
           : c->whole || c->spmd ? "spmd"
                                 : NULL;
}

/* A program that `tessera compile` saved: its module, and how it runs. */
static bool open_compiled(config *c, tsr_arena *arena, const source *src)
{
    c->m = tsr_tsrx_read(c->ctx, src->text, src->file, true, &c->compiled);
    if (!c->m)
        return false;
    tsr_str name = c->compiled.function;
    tsr_buf text = {0};
    tsr_buf_str(&text, name);
    tsr_buf_char(&text, 0);
    c->function = tsr_arena_copy(arena, text.data, text.len);
    tsr_buf_free(&text);
    c->strict = c->compiled.flags & TSR_TSRX_STRICT;
    c->spmd = c->compiled.flags & TSR_TSRX_SPMD;
    return true;
}

static int run_program(config *c, tsr_arena *arena)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(c->file, &in, &error))
        return cannot_open(c->t, c->file, error);
    source_mark last = {0};
    source src = {tsr_cstr(strcmp(c->file, "-") == 0 ? "<stdin>" : c->file), in.data, &last};
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    double t0 = wall_seconds();
    c->is_compiled = tsr_tsrx_is(src.text);
    const char *late = c->is_compiled ? late_flag(c) : NULL;
    if (late) {
        tsr_file_close(&in);
        return flag_alone(c->t, late, "says how a program is compiled, and this one is already");
    }
    if (c->is_compiled)
        open_compiled(c, arena, &src);
    else
        c->m = tsr_load_program(c->ctx, src.text, src.file, 1, true);
    double t1 = wall_seconds();
    c->spmd |= c->m && tsr_spmd_is_local(c->m); /* one device alone cannot run it */
    bool ok = c->m && (c->is_compiled || make_ready(c->m, c->spmd, c->mesh));
    c->parse = t1 - t0;
    c->verify = wall_seconds() - t1;
    int code = ok ? run_function(c, arena) : EXIT_REJECTED;
    code = print_reports(c, code);
    if (c->local)
        tsr_module_free(c->local);
    if (c->m)
        tsr_module_free(c->m);
    tsr_file_close(&in);
    return code;
}

static int run_file(config *c)
{
    int code = EXIT_OK;
    tsr_arena arena;
    tsr_arena_init(&arena);
    c->ctx = new_ctx();
    c->is_saved = tsr_is_folder(c->file);
    if (!c->is_saved || open_saved(c, &arena, &code))
        code = run_program(c, &arena);
    free_tensors(&c->in);
    free_tensors(&c->out);
    free_tensors(&c->expected);
    free_tensors(&c->parts_in);
    free_tensors(&c->parts_out);
    steps_free(&c->steps);
    tsr_vec_free(&c->wanted);
    tsr_vec_free(&c->types);
    free_ctx(c->ctx);
    tsr_arena_free(&arena);
    return code;
}

/* ---- Flags ---- */

static int read_tolerance(const config *c, const flag_given *g, double *out)
{
    if (tsr_str_double(tsr_cstr(g->value), out) && *out >= 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid for a tolerance!\n", c->t->name,
            table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int read_zero_division(config *c, const flag_given *g)
{
    static const char *const words[] = {
        [TSR_ZERO_ERROR] = "error", [TSR_ZERO_WARN] = "warn", [TSR_ZERO_IGNORE] = "ignore"};
    for (size_t i = 0; i < TSR_COUNT(words); i++) {
        if (strcmp(g->value, words[i]) != 0)
            continue;
        c->zero_division = (tsr_zero_division)i;
        return 0;
    }
    fprintf(stderr,
            "%s: for the --%s option: '%s' value invalid: warn, error or ignore is wanted\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int read_engine(config *c, const flag_given *g)
{
    bool compiled = strcmp(g->value, "compiled") == 0;
    if (!compiled && strcmp(g->value, "reference") != 0) {
        fprintf(stderr,
                "%s: for the --%s option: '%s' value invalid: reference or compiled is wanted\n",
                c->t->name, table[g->id].name, g->value);
        return usage_exit(c->t);
    }
    c->engine = compiled ? TSR_ENGINE_COMPILED : TSR_ENGINE_REFERENCE;
    return 0;
}

static int read_gemm(config *c, const flag_given *g)
{
    const char *reason = NULL;
    bool known = false;
    for (const char *const *name = tsr_gemm_names(); *name; name++)
        known |= strcmp(*name, g->value) == 0;
    c->gemm = true;
    if (tsr_gemm_use(g->value, &reason))
        return 0;
    fprintf(stderr, "%s: error: --%s=%s: %s\n", c->t->name, table[g->id].name, g->value, reason);
    return known ? EXIT_ENVIRONMENT : usage_exit(c->t);
}

static int read_check(config *c, const flag_given *g)
{
    c->check_ops = g->value && strcmp(g->value, "ops") == 0;
    bool off = g->value && (strcmp(g->value, "false") == 0 || strcmp(g->value, "0") == 0);
    bool on = !g->value || strcmp(g->value, "true") == 0 || strcmp(g->value, "1") == 0;
    c->check = on || c->check_ops;
    if (on || off || c->check_ops)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: ops is wanted, or nothing\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int one_of(const config *c, const flag_given *g, const char *first, const char *second,
                  bool *out)
{
    *out = strcmp(g->value, second) == 0;
    if (*out || strcmp(g->value, first) == 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: %s or %s is wanted\n", c->t->name,
            table[g->id].name, g->value, first, second);
    return usage_exit(c->t);
}

static int read_transport(config *c, const flag_given *g)
{
    bool mpi;
    int code = one_of(c, g, "threads", "mpi", &mpi);
    c->transport = mpi ? "mpi" : NULL;
    return code;
}

static int read_collectives(config *c, const flag_given *g)
{
    c->native_given = true;
    return one_of(c, g, "own", "native", &c->native);
}

/* Seconds, perhaps with a unit. */
static int read_timeout(config *c, const flag_given *g)
{
    size_t n = strlen(g->value);
    bool milli = n > 2 && strcmp(g->value + n - 2, "ms") == 0;
    char last = n ? g->value[n - 1] : 0;
    double scale = milli ? 1e-3 : last == 'm' ? 60 : 1;
    size_t unit = milli ? 2 : last == 's' || last == 'm';
    if (tsr_str_double(tsr_str_of(g->value, n - unit), &c->timeout) && c->timeout > 0) {
        c->timeout *= scale;
        return 0;
    }
    fprintf(stderr,
            "%s: for the --%s option: '%s' value invalid: a time is wanted, such as 60s, 500ms or "
            "2m\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_FUNCTION: c->function = c->named = g->value; break;
    case FLAG_ID_INPUT: tsr_vec_push(&c->inputs, g->value); break;
    case FLAG_ID_SEED: c->seed = (uint64_t)g->count; break;
    case FLAG_ID_ZERO_DIVISION: return read_zero_division(c, g);
    case FLAG_ID_ENGINE: return read_engine(c, g);
    case FLAG_ID_GEMM: return read_gemm(c, g);
    case FLAG_ID_THREADS: c->threads = (uint64_t)g->count; break;
    case FLAG_ID_REPEAT: c->repeat = (uint64_t)g->count; break;
    case FLAG_ID_DUMP_PROGRAM: c->dump_program = g->on; break;
    case FLAG_ID_OUTPUT: c->output = g->value; break;
    case FLAG_ID_FILES: c->files = g->value; break;
    case FLAG_ID_EXPECT: tsr_vec_push(&c->expects, g->value); break;
    case FLAG_ID_RTOL: c->has_rtol = true; return read_tolerance(c, g, &c->rtol);
    case FLAG_ID_ATOL: c->has_atol = true; return read_tolerance(c, g, &c->atol);
    case FLAG_ID_PRINT:
        c->print = g->on;
        c->print_given = true;
        break;
    case FLAG_ID_TIMING: c->timing = g->on; break;
    case FLAG_ID_PROFILE: c->profile = g->value; break;
    case FLAG_ID_MACHINE: c->machine = g->value; break;
    case FLAG_ID_FULL: c->full = g->on; break;
    case FLAG_ID_SPMD:
        c->spmd = g->on;
        c->whole = !g->on;
        break;
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG:
    case FLAG_ID_RESULT: return given_flag(c->t, g, g->id == FLAG_ID_RESULT, &c->given);
    case FLAG_ID_MESH_SHAPE: c->mesh = g->value; break;
    case FLAG_ID_CHECK: return read_check(c, g);
    case FLAG_ID_AGAINST: c->against = g->value; break;
    case FLAG_ID_STRICT: c->strict = g->on; break;
    case FLAG_ID_MEMORY: c->memory = g->on; break;
    case FLAG_ID_DEVICE_MEMORY: c->device_memory = g->on; break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_TRANSPORT: return read_transport(c, g);
    case FLAG_ID_COLLECTIVES: return read_collectives(c, g);
    case FLAG_ID_TIMEOUT: return read_timeout(c, g);
    case FLAG_ID_SHARDS: c->shards = g->on; break;
    case FLAG_ID_LOOP: c->steps.loop = (uint64_t)g->count; break;
    case FLAG_ID_FEED: c->steps.feed_text = g->value; break;
    case FLAG_ID_CHECKPOINT: c->steps.folder = g->value; break;
    case FLAG_ID_CHECKPOINT_EVERY: c->steps.every = (uint64_t)g->count; break;
    case FLAG_ID_RESUME: c->steps.resume = g->on; break;
    default: return auto_flag(c->t, g, FLAG_ID_AUTO, &c->search);
    }
    return 0;
}

/* --auto goes together with the rest, and its device is there. */
static int check_auto(const config *c)
{
    tsr_arena arena;
    tsr_device device;
    int code = auto_check(c->t, &c->search, c->request.mesh);
    if (!code && c->search.on && c->mesh)
        code = flag_alone(c->t, "mesh-shape", "divides a batch: it cannot be used with --auto");
    tsr_arena_init(&arena);
    if (!code && c->search.on)
        code = device_flag(c->t, &arena, c->search.device, &device);
    tsr_arena_free(&arena);
    return code;
}

/* Flags of ranks and of several steps. */
static int check_spread(const config *c)
{
    const steps *s = &c->steps;
    if (c->transport && c->engine != TSR_ENGINE_COMPILED)
        return flag_alone(c->t, "transport",
                          "runs compiled programs: it goes without --engine=reference");
    if (c->transport && c->against)
        return flag_alone(c->t, "against",
                          "compares undivided programs: it goes without --transport");
    if (!c->transport && (c->timeout > 0 || c->native_given))
        return flag_alone(c->t, c->timeout > 0 ? "timeout" : "collectives",
                          "is for ranks: it needs --transport=mpi");
    if (c->shards && (!c->output || is_npz(c->output)))
        return flag_alone(c->t, "output-shards", "needs a directory, --output");
    if (s->loop && !s->feed_text)
        return flag_alone(c->t, "loop", "needs --feed: steps that feed nothing are all the same");
    if (!s->loop && (s->feed_text || s->folder))
        return flag_alone(c->t, s->feed_text ? "feed" : "checkpoint", "needs --loop");
    if (!s->folder && (s->every || s->resume))
        return flag_alone(c->t, s->every ? "checkpoint-every" : "resume", "needs --checkpoint");
    if (s->loop && (c->repeat || c->against || c->check_ops))
        return flag_alone(c->t, "loop", "goes without --repeat, --against and --check=ops");
    if (s->resume && c->check)
        return flag_alone(c->t, "check", "begins with the inputs: it goes without --resume");
    return 0;
}

/* A flag that would do nothing is refused, and what the environment asks for in vain. */
static int check_flags(const config *c)
{
    const char *complaint =
        c->gemm || c->engine != TSR_ENGINE_COMPILED ? NULL : tsr_gemm_complaint();
    if (complaint) {
        fprintf(stderr, "%s: error: TESSERA_GEMM=%s: %s\n", c->t->name, getenv("TESSERA_GEMM"),
                complaint);
        return EXIT_ENVIRONMENT;
    }
    int code = check_auto(c);
    code = code ? code : check_spread(c);
    if (code)
        return code;
    if (c->whole && (c->request.mesh.len || c->given.n || c->search.on))
        return flag_alone(c->t, "spmd",
                          "is false, and --mesh, --arg, --result and --auto divide the program");
    if (c->check && !c->spmd && c->engine != TSR_ENGINE_COMPILED)
        return flag_alone(c->t, "check",
                          "compares with the undivided program on the evaluator: it needs "
                          "--engine=compiled, --spmd or --mesh");
    if (c->against && strcmp(c->against, "-") == 0)
        return flag_alone(c->t, "against", "wants a file: stdin is read once");
    if (c->against && c->spmd)
        return flag_alone(c->t, "against",
                          "compares undivided programs: it goes without --spmd and --mesh");
    if (c->mesh && !c->spmd)
        return flag_alone(c->t, "mesh-shape", "needs --spmd");
    if ((c->has_rtol || c->has_atol) && !c->expects.n && !c->check && !c->against)
        return flag_alone(c->t, c->has_rtol ? "rtol" : "atol",
                          "needs something to compare with: --expect or --check");
    if (c->engine != TSR_ENGINE_COMPILED && (c->threads || c->repeat || c->dump_program ||
                                             c->memory || c->strict || c->gemm || c->profile))
        return flag_alone(c->t,
                          c->threads        ? "threads"
                          : c->repeat       ? "repeat"
                          : c->dump_program ? "dump-program"
                          : c->memory       ? "memory"
                          : c->gemm         ? "gemm"
                          : c->profile      ? "profile"
                                            : "strict-rounding",
                          "is for compiled programs, and --engine=reference has none");
    if (c->machine && !c->profile)
        return flag_alone(c->t, "machine", "needs --profile");
    if (c->json && !c->dump_program && !c->memory && !c->timing)
        return flag_alone(c->t, "json",
                          "is for reports: it needs --dump-program, --memory or --timing");
    if (c->json && c->print)
        return flag_alone(c->t, "json", "prints on stdout, and so does --print");
    if (c->full && !c->print)
        return flag_alone(c->t, "full",
                          "prints results: it needs --print with --output, --expect, --check, "
                          "--against or --timing, and goes without --json");
    return 0;
}

/* Only the first rank tells of the run. */
static void be_quiet(config *c)
{
    c->timing = c->dump_program = c->memory = c->json = c->print = c->device_memory = false;
    c->profile = c->machine = NULL;
}

static int run_config(config *c)
{
    c->spmd |= !c->whole && (c->request.mesh.len || c->given.n || c->search.on);
    if (!c->print_given)
        c->print =
            !c->output && !c->expects.n && !c->timing && !c->check && !c->against && !c->json;
    int code = check_flags(c);
    if (code)
        return code;
    if (c->ranks) {
        tsr_remote_set_timeout(ranks_remote(c->ranks), c->timeout);
        tsr_remote_set_native(ranks_remote(c->ranks), c->native);
        if (ranks_rank(c->ranks) > 0)
            be_quiet(c);
    }
    return run_file(c);
}

/* The transport is opened before anything is printed. */
static bool asks_for_ranks(int argc, char **argv)
{
    bool asks = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        word += *word == '-' && word[1] == '-';
        if (strncmp(word, "-transport=", 11) == 0)
            asks = strcmp(word + 11, "mpi") == 0;
    }
    return asks;
}

static int run_run(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .function = "main", .start = wall_seconds()};
    int code = 0;
    if (asks_for_ranks(argc, argv) && !(c.ranks = ranks_open(t, "mpi", &code)))
        return code;
    code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code) {
        c.file = f.files.data[0];
        code = run_config(&c);
    }
    tsr_vec_free(&c.given);
    tsr_buf_free(&c.program_text);
    tsr_buf_free(&c.memory_text);
    tsr_buf_free(&c.times_text);
    tsr_buf_free(&c.trace_text);
    tsr_vec_free(&c.given_names);
    tsr_vec_free(&c.in_names);
    tsr_vec_free(&c.inputs);
    tsr_vec_free(&c.expects);
    return flags_end(t, &f, ranks_close(c.ranks, code));
}

const command command_run = {
    .name = "run",
    .doc = "evaluate a function of a module on given or random inputs",
    .usage = "FILE [options]",
    .run = run_run,
    .flags = table,
    .nflag = TSR_COUNT(table),
};
