/* translate.c - `tessera translate`, and the peers' translate tools: running modules. The other conversions come with later
 * work; until then their flags are known and refused. */
#include "interpret.h"

// clang-format off
/* After FILE_FLAGS: FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
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

enum { BEFORE_FLAGS = NFILE_FLAG - 1, FLAGS(FLAG_ID) };
static const flag table[] = {FILE_FLAGS(FLAG_ROW) FLAGS(FLAG_ROW)};

typedef struct {
    interpret_options run;
    bool interpret;
} config;

static int apply(const tool *t, config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_INTERPRET: c->interpret = g->on; break;
    case FLAG_ID_ARGS: c->run.args = g->value; break;
    case FLAG_ID_PROBE_DIR: c->run.probe_dir = g->value; break;
    case FLAG_ID_DENSE: c->run.dense = g->on; break;
    default: return file_flag(t, g, &c->run.file);
    }
    return 0;
}

int main_translate(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.run.file = {.input = "-", .output = "-"}};
    int code = flags_parse(t, table, TSR_COUNT(table), NULL, argc, argv, &f);
    if (!code && flags_about(t, &f, "[options] [file]", table, TSR_COUNT(table), NULL))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(t, &c, &f.given.data[i]);
    if (!code && !c.interpret) {
        fprintf(stderr, "%s: no conversion was asked for.  Try: '%s --help'\n", t->name, t->name);
        code = usage_exit(t);
    }
    if (!code)
        code = file_input(t, &f, &c.run.file);
    if (!code)
        code = interpret_file(t, &c.run);
    else if (code < 0)
        code = write_output(t, "-", (tsr_str){"", 0});
    flags_free(&f);
    return code;
}
