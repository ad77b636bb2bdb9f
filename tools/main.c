/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - one binary: subcommands, and the tools of other projects when called by their names. */
#include "base/suggest.h"
#include "tools.h"

/* clang-format off */
const command *const all_commands[] = {
    &command_calibrate,
    &command_check_plan,
    &command_compare_plans,
    &command_compile,
    &command_completion,
    &command_devices,
    &command_explain,
    &command_explore,
    &command_grad,
    &command_man,
    &command_opt,
    &command_run,
    &command_shard,
    &command_simulate,
    &command_translate,
#ifndef TSR_MINIMAL
    &command_ttrt,
#endif
    NULL,
};
/* clang-format on */

/* Names of other projects' tools that this binary implements. */
static const struct {
    const char *name;
    const command *is;
} peers[] = {
    {"stablehlo-opt", &command_opt}, {"sdy_opt", &command_opt},
    {"mlir-opt", &command_opt},      {"stablehlo-translate", &command_translate},
#ifndef TSR_MINIMAL
    {"ttmlir-opt", &command_opt},    {"ttmlir-translate", &command_translate},
    {"ttrt", &command_ttrt},
#endif
};

static void usage(FILE *out)
{
    fputs("USAGE: tessera <command> [options]\n\nCOMMANDS:\n", out);
    for (size_t i = 0; all_commands[i]; i++)
        fprintf(out, "  %-13s %s\n", all_commands[i]->name, all_commands[i]->doc);
    fputs("\n'tessera help <command>' lists the options of a command.\n", out);
}

const command *find_command(const char *name)
{
    for (size_t i = 0; all_commands[i]; i++)
        if (strcmp(name, all_commands[i]->name) == 0)
            return all_commands[i];
    return NULL;
}

int unknown_command(const char *name)
{
    tsr_suggestion s = tsr_suggest_for(tsr_cstr(name));
    for (size_t i = 0; all_commands[i]; i++)
        tsr_suggest(&s, all_commands[i]->name);
    fprintf(stderr, "tessera: Unknown command '%s'.  Try: 'tessera --help'\n", name);
    if (s.found)
        fprintf(stderr, "tessera: Did you mean '%s'?\n", s.found);
    else if (strchr(name, '.') || strchr(name, '/'))
        fprintf(stderr, "tessera: A command comes before the file: 'tessera run %s'\n", name);
    return EXIT_USAGE;
}

static bool is_flag(const char *arg, const char *name)
{
    if (*arg != '-')
        return false;
    arg += arg[1] == '-' ? 2 : 1;
    return strcmp(arg, name) == 0;
}

static int run_command(const command *c, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "tessera %s", c->name);
    return run_tool(c, &(tool){.name = name, .command = c}, argc, argv);
}

/* tessera help [command] */
static int run_help(int argc, char **argv)
{
    static char *const ask[] = {"--help"};
    const command *c = argc ? find_command(argv[0]) : NULL;
    if (argc > 1) {
        fprintf(stderr, "tessera: help is about one command: '%s' is one more\n", argv[1]);
        return EXIT_USAGE;
    }
    if (argc && !c)
        return unknown_command(argv[0]);
    if (c)
        return run_command(c, 1, (char **)ask);
    usage(stdout);
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash ? slash + 1 : argc > 0 ? argv[0] : "tessera";
    for (size_t i = 0; i < TSR_COUNT(peers); i++)
        if (strcmp(self, peers[i].name) == 0)
            return run_tool(peers[i].is,
                            &(tool){.name = peers[i].name, .command = peers[i].is, .peer = true},
                            argc - 1, argv + 1);

    tool t = {.name = "tessera"};
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (is_flag(argv[1], "help") || is_flag(argv[1], "h"))
        return run_help(argc - 2, argv + 2);
    if (strcmp(argv[1], "help") == 0)
        return run_help(argc - 2, argv + 2);
    if (is_flag(argv[1], "version") && argc > 2) {
        fprintf(stderr, "tessera: --version takes nothing else: '%s' is one more\n", argv[2]);
        return EXIT_USAGE;
    }
    if (is_flag(argv[1], "version")) {
        print_version(&t);
        return EXIT_OK;
    }
    const command *c = find_command(argv[1]);
    return c ? run_command(c, argc - 2, argv + 2) : unknown_command(argv[1]);
}
