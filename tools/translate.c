/* translate.c - `tessera translate`, and the peers' translate tools. The conversions come with later work; until then
 * their flags are known and refused. */
#include "tools.h"

// clang-format off
static const flag table[] = {
    {"o",                          FLAG_VALUE,   "<file>", "Output file; - is stdout"},
    {"allow-unregistered-dialect", FLAG_SWITCH,  NULL,     "Accept operations of unknown dialects"},
    {"split-input-file",           FLAG_OPTIONAL, "<marker>", "Process the chunks between lines with the marker one by one"},
    {"verify-diagnostics",         FLAG_OPTIONAL, "all|only-expected", "Compare diagnostics with the expected-* comments of the input"},
    {"interpret",                  FLAG_REFUSED, NULL,     "running a module"},
    {"serialize",                  FLAG_REFUSED, NULL,     "writing portable artifacts"},
    {"deserialize",                FLAG_REFUSED, NULL,     "reading portable artifacts"},
    {"target",                     FLAG_REFUSED, NULL,     "writing portable artifacts"},
    {"strip-debuginfo",            FLAG_REFUSED, NULL,     "writing portable artifacts"},
    {"args",                       FLAG_REFUSED, NULL,     "running a module"},
    {"probe-output-dir",           FLAG_REFUSED, NULL,     "running a module"},
    {"ttnn-to-flatbuffer",         FLAG_REFUSED, NULL,     "writing flatbuffers"},
    {"ttmetal-to-flatbuffer",      FLAG_REFUSED, NULL,     "writing flatbuffers"},
    {"ttkernel-to-cpp",            FLAG_REFUSED, NULL,     "emitting C++"},
    {"mlir-to-cpp",                FLAG_REFUSED, NULL,     "emitting C++"},
    {"mlir-to-python",             FLAG_REFUSED, NULL,     "emitting Python"},
};
// clang-format on

int main_translate(const tool *t, int argc, char **argv)
{
    flags f = {0};
    int code = flags_parse(t, table, TSR_COUNT(table), NULL, argc, argv, &f);
    if (!code && f.help) {
        flags_help(t, "[options] [file]", table, TSR_COUNT(table), NULL);
        code = write_output(t, "-", (tsr_str){"", 0});
    } else if (!code && f.version) {
        print_version(t);
        code = write_output(t, "-", (tsr_str){"", 0});
    } else if (!code) {
        fprintf(stderr, "%s: no conversion was asked for.  Try: '%s --help'\n", t->name, t->name);
        code = usage_exit(t);
    }
    flags_free(&f);
    return code;
}
