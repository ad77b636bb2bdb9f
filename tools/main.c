/* main.c - one binary: subcommands, and the peers' tool names when it is called by one. */
#include "tools.h"

typedef struct {
    const char *name;
    int (*run)(const tool *t, int argc, char **argv);
    const char *doc;
} command;

static const command commands[] = {
    {"grad", main_grad, "differentiate a function of a module: its gradient or its tangent map is added"},
    {"opt", main_opt, "read a module, run passes, print it"},
    {"run", main_run, "evaluate a function of a module on given or random inputs"},
    {"shard", main_shard, "shard a module over a mesh and print what each device holds and moves"},
    {"translate", main_translate, "convert a module to other formats, or run it"},
};

/* Names of peers' tools that this binary answers to. */
static const command peers[] = {
    {"stablehlo-opt", main_opt, ""},
    {"sdy_opt", main_opt, ""},
    {"ttmlir-opt", main_opt, ""},
    {"mlir-opt", main_opt, ""},
    {"stablehlo-translate", main_translate, ""},
    {"ttmlir-translate", main_translate, ""},
};

static void usage(FILE *out)
{
    fputs("USAGE: tessera <command> [options]\n\nCOMMANDS:\n", out);
    for (size_t i = 0; i < TSR_COUNT(commands); i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].doc);
    fputs("\n'tessera <command> --help' lists the options of a command.\n", out);
}

static bool is_flag(const char *arg, const char *name)
{
    if (*arg != '-')
        return false;
    arg += arg[1] == '-' ? 2 : 1;
    return strcmp(arg, name) == 0;
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash ? slash + 1 : argc > 0 ? argv[0] : "tessera";
    for (size_t i = 0; i < TSR_COUNT(peers); i++)
        if (strcmp(self, peers[i].name) == 0)
            return peers[i].run(&(tool){.name = peers[i].name, .peer = true}, argc - 1, argv + 1);

    tool t = {.name = "tessera"};
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (is_flag(argv[1], "help") || is_flag(argv[1], "h") || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_OK;
    }
    if (is_flag(argv[1], "version")) {
        print_version(&t);
        return EXIT_OK;
    }
    for (size_t i = 0; i < TSR_COUNT(commands); i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "tessera %s", commands[i].name);
        return commands[i].run(&(tool){.name = name}, argc - 2, argv + 2);
    }
    fprintf(stderr, "tessera: Unknown command '%s'.  Try: 'tessera --help'\n", argv[1]);
    return EXIT_USAGE;
}
