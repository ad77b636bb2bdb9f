/* translate.c - `tessera translate`, and the peers' translate tools: running modules. The other conversions come with later
 * work; until then their flags are known and refused. */
#include "interpret.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(OUTPUT, "o", VALUE, "<file>", "Output file; - is stdout") \
    FLAG(ALLOW_UNREGISTERED, "allow-unregistered-dialect", SWITCH, NULL, "Accept operations of unknown dialects") \
    FLAG(SPLIT, "split-input-file", OPTIONAL, "<marker>", "Process the chunks between lines with the marker one by one") \
    FLAG(VERIFY_DIAGNOSTICS, "verify-diagnostics", OPTIONAL, "all|only-expected", "Compare diagnostics with the expected-* comments of the input") \
    FLAG(INTERPRET, "interpret", SWITCH, NULL, "Run the module's entry function and print its results") \
    FLAG(ARGS, "args", VALUE, "<list>", "Inputs of the entry function: [dense<1> : tensor<2xi32>, ...]") \
    FLAG(PROBE_DIR, "probe-output-dir", VALUE, "<dir>", "Where interpreter.probe writes values") \
    FLAG(DENSE, "interpreter-print-dense", SWITCH, NULL, "Print results as dense attributes") \
    FLAG(SERIALIZE, "serialize", REFUSED, NULL, "writing portable artifacts") \
    FLAG(DESERIALIZE, "deserialize", REFUSED, NULL, "reading portable artifacts") \
    FLAG(TARGET, "target", REFUSED, NULL, "writing portable artifacts") \
    FLAG(STRIP_DEBUGINFO, "strip-debuginfo", REFUSED, NULL, "writing portable artifacts") \
    FLAG(TTNN_TO_FLATBUFFER, "ttnn-to-flatbuffer", REFUSED, NULL, "writing flatbuffers") \
    FLAG(TTMETAL_TO_FLATBUFFER, "ttmetal-to-flatbuffer", REFUSED, NULL, "writing flatbuffers") \
    FLAG(TTKERNEL_TO_CPP, "ttkernel-to-cpp", REFUSED, NULL, "emitting C++") \
    FLAG(MLIR_TO_CPP, "mlir-to-cpp", REFUSED, NULL, "emitting C++") \
    FLAG(MLIR_TO_PYTHON, "mlir-to-python", REFUSED, NULL, "emitting Python")
// clang-format on

enum {
#define FLAG(id, ...) FLAG_ID_##id,
    FLAGS(FLAG)
#undef FLAG
};
static const flag table[] = {
#define FLAG(id, name, kind, arg, doc) {name, FLAG_##kind, arg, doc},
    FLAGS(FLAG)
#undef FLAG
};

typedef struct {
    interpret_options run;
    bool interpret;
} config;

static int apply(const tool *t, config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_OUTPUT: c->run.output = g->value; break;
    case FLAG_ID_ALLOW_UNREGISTERED: c->run.allow_unregistered = g->on; break;
    case FLAG_ID_SPLIT: c->run.split = g->value && *g->value ? g->value : "// -----"; break;
    case FLAG_ID_VERIFY_DIAGNOSTICS: {
        const char *v = g->value ? g->value : "all";
        c->run.only_expected = strcmp(v, "only-expected") == 0;
        c->run.verify_diagnostics = strcmp(v, "false") != 0 && strcmp(v, "0") != 0;
        if (c->run.verify_diagnostics && !c->run.only_expected && *v && strcmp(v, "all") != 0 && strcmp(v, "true") != 0 &&
            strcmp(v, "1") != 0) {
            fprintf(stderr, "%s: for the --verify-diagnostics option: Cannot find option named '%s'!\n", t->name, v);
            return usage_exit(t);
        }
        break;
    }
    case FLAG_ID_INTERPRET: c->interpret = g->on; break;
    case FLAG_ID_ARGS: c->run.args = g->value; break;
    case FLAG_ID_PROBE_DIR: c->run.probe_dir = g->value; break;
    case FLAG_ID_DENSE: c->run.dense = g->on; break;
    default: break;
    }
    return 0;
}

int main_translate(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.run = {.input = "-", .output = "-"}};
    int code = flags_parse(t, table, TSR_COUNT(table), NULL, argc, argv, &f);
    if (!code && f.help) {
        flags_help(t, "[options] [file]", table, TSR_COUNT(table), NULL);
        code = -1;
    } else if (!code && f.version) {
        print_version(t);
        code = -1;
    }
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(t, &c, &f.given.data[i]);
    if (!code && !c.interpret) {
        fprintf(stderr, "%s: no conversion was asked for.  Try: '%s --help'\n", t->name, t->name);
        code = usage_exit(t);
    }
    if (!code && f.files.n > 1) {
        fprintf(stderr, "%s: Too many positional arguments specified!\nCan specify at most 1 positional arguments\n", t->name);
        code = usage_exit(t);
    }
    if (!code && f.files.n)
        c.run.input = f.files.data[0];
    if (!code)
        code = interpret_file(t, &c.run);
    else if (code < 0)
        code = write_output(t, "-", (tsr_str){"", 0});
    flags_free(&f);
    return code;
}
