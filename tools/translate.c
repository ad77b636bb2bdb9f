/* SPDX-License-Identifier: Apache-2.0 */
/* translate.c - `tessera translate`, and the translate tools of other projects: running modules, portable artifacts,
 * and flatbuffers. Flags of conversions that are not implemented are known and rejected. */
#include "translate.h"

// clang-format off
/* After FILE_FLAGS: FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(GROUP_RUN, NULL, GROUP, NULL, "RUNNING") \
    FLAG(INTERPRET, "interpret", SWITCH, NULL, "Run the module's entry function and print its results") \
    FLAG(ARGS, "args", VALUE, "<list>", "Inputs of the entry function: [dense<1> : tensor<2xi32>, ...]") \
    FLAG(PROBE_DIR, "probe-output-dir", VALUE, "<dir>", "Where interpreter.probe writes values") \
    FLAG(DENSE, "interpreter-print-dense", SWITCH, NULL, "Print results as dense attributes") \
    FLAG(GROUP_ARTIFACTS, NULL, GROUP, NULL, "PORTABLE ARTIFACTS") \
    FLAG(SERIALIZE, "serialize", SWITCH, NULL, "Write a StableHLO module as a portable artifact of --target") \
    FLAG(DESERIALIZE, "deserialize", SWITCH, NULL, "Read a portable artifact and print it as StableHLO") \
    FLAG(TARGET, "target", VALUE, "<version>", "Of --serialize: X.Y.Z, current or minimum") \
    FLAG(STRIP_DEBUGINFO, "strip-debuginfo", SWITCH, NULL, "Of --serialize and --deserialize: drop all locations") \
    FLAG(DEBUGINFO, "mlir-print-debuginfo", SWITCH, NULL, "Of --deserialize, --flatbuffer-to-ttnn and --flatbuffer-to-ttmetal: print locations") \
    FLAG(ALLOW_OTHERS, "allow-other-dialects", SWITCH, NULL, "Of --serialize: leave ops of other dialects as they are") \
    FLAG(SHOW_VERSION, "print-stablehlo-version", SWITCH, NULL, "Of --deserialize: print the artifact's version first") \
    FLAG(GROUP_FLATBUFFERS, NULL, GROUP, NULL, "FLATBUFFERS") \
    FLAG(TTNN_TO_FLATBUFFER, "ttnn-to-flatbuffer", SWITCH, NULL, "Write the device's functions of a TTNN module as a binary of tt-mlir's runtime (.ttnn)") \
    FLAG(GOLDEN, "golden", LIST, "<loc=x.npy>", "Of --ttnn-to-flatbuffer and --ttmetal-to-flatbuffer: what the op at a location, such as loc(\"add\"), gives, on device 1: loc(\"add\")@1; `ttrt run` compares it") \
    FLAG(GOLDENS_FROM, "goldens-from", VALUE, "<file>", "Of --ttnn-to-flatbuffer and --ttmetal-to-flatbuffer: the program that was lowered; what the evaluator gives for its ops on random inputs are goldens") \
    FLAG(SEED, "seed", COUNT, "<n>", "Of the inputs of --goldens-from (default: 0)") \
    FLAG(STAGE, "stage", LIST, "<name=x.mlir>", "Of --ttnn-to-flatbuffer and --ttmetal-to-flatbuffer: the text of the module at a stage of its lowering, kept in the debug info") \
    FLAG(TTMETAL_TO_FLATBUFFER, "ttmetal-to-flatbuffer", SWITCH, NULL, "Write a module of --ttir-to-ttmetal-host-pipeline as a binary of tt-mlir's runtime (.ttm): commands of which the host runs one function, no kernels of a device") \
    FLAG(LOCAL_SCOPE, "mlir-print-local-scope", SWITCH, NULL, "Of all: the module's text has no aliases") \
    FLAG(FLATBUFFER_TO_TTNN, "flatbuffer-to-ttnn", SWITCH, NULL, "Read such a binary and print its programs as a TTNN module") \
    FLAG(FLATBUFFER_TO_TTMETAL, "flatbuffer-to-ttmetal", SWITCH, NULL, "Read a .ttm binary and print its commands for the host as a module") \
    FLAG(GROUP_EMIT, NULL, GROUP, NULL, "EMITTED CODE") \
    FLAG(MLIR_TO_CPP, "mlir-to-cpp", SWITCH, NULL, "Write a module of emitc as C++") \
    FLAG(MLIR_TO_PYTHON, "mlir-to-python", SWITCH, NULL, "Write a module of emitpy as Python") \
    FLAG(FILE_ID, "file-id", VALUE, "<name>", "Of --mlir-to-cpp: the emitc.file to write") \
    FLAG(EMITPY_FILE_ID, "emitpy-file-id", VALUE, "<name>", "Of --mlir-to-python: the emitpy.file to write") \
    FLAG(GROUP_LATER, NULL, GROUP, NULL, "TO COME") \
    FLAG(TTKERNEL_TO_CPP, "ttkernel-to-cpp", REFUSED, NULL, "emitting kernels of devices")
// clang-format on

enum { BEFORE_FLAGS = NFILE_FLAG - 1, FLAGS(FLAG_ID) };
static const flag table[] = {FILE_FLAGS(FLAG_ROW) FLAGS(FLAG_ROW)};

/* ---- Chunks ---- */

static int translate_file(const tool *t, const translate_options *o)
{
    tsr_file file = {0};
    tsr_buf out = {0};
    const char *error = NULL;
    if (!tsr_file_open(o->file.input, &file, &error))
        return cannot_open(t, o->file.input, error);
    source_mark last = {0};
    source src = {tsr_cstr(strcmp(o->file.input, "-") == 0 ? "<stdin>" : o->file.input), file.data,
                  &last};
    bool ok = true, environment = false;
    size_t at = 0;
    uint32_t line = 1, chunk_line;
    tsr_str chunk;
    for (bool first = true;
         split_next(src.text, o->file.split ? o->file.split : "", &at, &line, &chunk, &chunk_line);
         first = false) {
        tsr_ctx *ctx = new_ctx();
        expectations *e = o->file.verify_diagnostics
                              ? expect_new(&src, chunk, chunk_line, o->file.only_expected)
                              : NULL;
        tsr_ctx_allow_unregistered(ctx, o->file.allow_unregistered);
        tsr_ctx_on_diag(ctx, e ? expect_diag : diag_to_stderr, e ? (void *)e : (void *)&src);
        if (!first)
            tsr_buf_char(&out, '\n');
        bool ran = o->work(o, ctx, &src, chunk, chunk_line, &out, &environment);
        ok &= e ? expect_finish(e) : ran;
        free_ctx(ctx);
    }
    int code = ok ? EXIT_OK : environment && !t->peer ? EXIT_ENVIRONMENT : EXIT_REJECTED;
    if (ok || strcmp(o->file.output, "-") == 0) {
        int written = write_output(t, o->file.output, tsr_buf_text(&out));
        code = written ? written : code;
    }
    tsr_file_close(&file);
    tsr_buf_free(&out);
    return code;
}

/* ---- Flags ---- */

/* Only one conversion at a time. */
static int choose(const tool *t, translate_options *o, translate_work *work, const flag_given *g)
{
    bool on = g->on;
    if (on && o->work && o->work != work)
        return flag_alone(t, table[g->id].name,
                          "is one more: more than one conversion was asked for");
    o->work = on ? work : o->work == work ? NULL : o->work;
    return 0;
}

static int apply(const tool *t, translate_options *o, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_INTERPRET: return choose(t, o, interpret_chunk, g);
    case FLAG_ID_SERIALIZE: return choose(t, o, serialize_chunk, g);
    case FLAG_ID_DESERIALIZE: return choose(t, o, deserialize_chunk, g);
    case FLAG_ID_TTNN_TO_FLATBUFFER: return choose(t, o, to_flatbuffer_chunk, g);
    case FLAG_ID_FLATBUFFER_TO_TTNN: return choose(t, o, from_flatbuffer_chunk, g);
    case FLAG_ID_TTMETAL_TO_FLATBUFFER: return choose(t, o, to_ttmetal_chunk, g);
    case FLAG_ID_FLATBUFFER_TO_TTMETAL: return choose(t, o, from_ttmetal_chunk, g);
    case FLAG_ID_MLIR_TO_CPP: return choose(t, o, to_cpp_chunk, g);
    case FLAG_ID_MLIR_TO_PYTHON: return choose(t, o, to_python_chunk, g);
    case FLAG_ID_FILE_ID:
    case FLAG_ID_EMITPY_FILE_ID:
        o->file_id = g->value;
        o->python_file = g->id == FLAG_ID_EMITPY_FILE_ID;
        break;
    case FLAG_ID_GOLDEN: tsr_vec_push(&o->goldens, g->value); break;
    case FLAG_ID_LOCAL_SCOPE: o->local_scope = g->on; break;
    case FLAG_ID_GOLDENS_FROM: o->goldens_from = g->value; break;
    case FLAG_ID_STAGE: tsr_vec_push(&o->stages, g->value); break;
    case FLAG_ID_SEED: o->seed = (uint64_t)g->count; break;
    case FLAG_ID_TARGET: o->target = g->value; break;
    case FLAG_ID_STRIP_DEBUGINFO: o->strip = g->on; break;
    case FLAG_ID_DEBUGINFO: o->debug_info = g->on; break;
    case FLAG_ID_ALLOW_OTHERS: o->allow_others = g->on; break;
    case FLAG_ID_SHOW_VERSION: o->show_version = g->on; break;
    case FLAG_ID_ARGS: o->args = g->value; break;
    case FLAG_ID_PROBE_DIR: o->probe_dir = g->value; break;
    case FLAG_ID_DENSE: o->dense = g->on; break;
    default: return file_flag(t, g, &o->file);
    }
    return 0;
}

/* Rejects a flag that would have no effect. */
static int check_flags(const tool *t, const translate_options *o)
{
    bool runs = o->work == interpret_chunk, writes = o->work == serialize_chunk,
         reads = o->work == deserialize_chunk,
         packs = o->work == to_flatbuffer_chunk || o->work == to_ttmetal_chunk,
         unpacks = o->work == from_flatbuffer_chunk || o->work == from_ttmetal_chunk;
    static const char binary[] = "needs --ttnn-to-flatbuffer or --ttmetal-to-flatbuffer";
    const struct {
        const char *name;
        bool given, used;
        const char *why;
    } rows[] = {
        {"args", o->args != NULL, runs, "needs --interpret"},
        {"probe-output-dir", o->probe_dir != NULL, runs, "needs --interpret"},
        {"interpreter-print-dense", o->dense, runs, "needs --interpret"},
        {"target", o->target[0] != 0, writes, "needs --serialize"},
        {"golden", o->goldens.n > 0, packs, binary},
        {"goldens-from", o->goldens_from != NULL, packs, binary},
        {"stage", o->stages.n > 0, packs, binary},
        {"mlir-print-local-scope", o->local_scope, packs || unpacks,
         "needs --ttnn-to-flatbuffer, --flatbuffer-to-ttnn, or those of ttmetal"},
        {"seed", o->seed != 0, o->goldens_from != NULL, "needs --goldens-from"},
        {"allow-other-dialects", o->allow_others, writes, "needs --serialize"},
        {"strip-debuginfo", o->strip, writes || reads, "needs --serialize or --deserialize"},
        {"mlir-print-debuginfo", o->debug_info, reads || unpacks,
         "needs --deserialize, --flatbuffer-to-ttnn or --flatbuffer-to-ttmetal"},
        {"file-id", o->file_id && !o->python_file, o->work == to_cpp_chunk, "needs --mlir-to-cpp"},
        {"emitpy-file-id", o->file_id && o->python_file, o->work == to_python_chunk,
         "needs --mlir-to-python"},
        {"print-stablehlo-version", o->show_version, reads, "needs --deserialize"},
    };
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (rows[i].given && !rows[i].used)
            return flag_alone(t, rows[i].name, rows[i].why);
    return 0;
}

static int run_translate(const tool *t, int argc, char **argv)
{
    flags f = {0};
    translate_options c = {.file = {.input = "-", .output = "-"}, .target = ""};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(t, &c, &f.given.data[i]);
    if (!code && !c.work) {
        fprintf(stderr, "%s: no conversion was asked for.  Try: '%s --help'\n", t->name, t->name);
        code = usage_exit(t);
    }
    if (!code)
        code = file_input(t, &f, &c.file);
    if (!code)
        code = check_flags(t, &c);
    if (!code) {
        working_on(t, c.file.input);
        code = translate_file(t, &c);
        working_end();
    }
    tsr_vec_free(&c.goldens);
    tsr_vec_free(&c.stages);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"Bytecode as text",
                                       "tessera translate --deserialize model.mlirbc", NULL};

const command command_translate = {
    .name = "translate",
    .doc = "convert a module to other formats, or run it",
    .usage = "[options] [file]",
    .run = run_translate,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
