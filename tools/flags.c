/* flags.c - command lines from tables: one dash or two, '=' or the next word, passes as flags, --help. */
#include "tools.h"

#include <errno.h>

#include "eval/linalg.h"

static const flag *find(const flag *table, size_t n, tsr_str name)
{
    for (size_t i = 0; i < n; i++)
        if (tsr_str_is(name, table[i].name))
            return &table[i];
    return NULL;
}

/* Levenshtein distance, given up above the limit: names are short. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    enum { LONGEST = 64 };
    size_t row[LONGEST + 1];
    if (na > LONGEST || nb > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[nb];
}

static void nearest(tsr_str name, const char *candidate, size_t *best, const char **found)
{
    size_t d = distance(name.data, name.len, candidate, strlen(candidate));
    if (d < *best) {
        *best = d;
        *found = candidate;
    }
}

static int unknown(const tool *t, const flag *table, size_t n, const tsr_pass_list *passes, const char *arg,
                   tsr_str name)
{
    fprintf(stderr, "%s: Unknown command line argument '%s'.  Try: '%s --help'\n", t->name, arg, t->name);
    size_t best = name.len / 2 + 1;
    const char *found = NULL;
    for (size_t i = 0; i < n; i++)
        nearest(name, table[i].name, &best, &found);
    for (size_t k = 0; passes && k < passes->n; k++)
        for (size_t i = 0; i < passes->tables[k]->npass; i++)
            nearest(name, passes->tables[k]->passes[i].name, &best, &found);
    if (found)
        fprintf(stderr, "%s: Did you mean '%s%s'?\n", t->name, strlen(found) == 1 ? "-" : "--", found);
    return usage_exit(t);
}

/* A value that does not do. */
static int wrong(const tool *t, const flag *f, const char *value, const char *message)
{
    fprintf(stderr, "%s: for the %s%s option: ", t->name, strlen(f->name) == 1 ? "-" : "--", f->name);
    if (value)
        fprintf(stderr, "'%s' ", value);
    fprintf(stderr, "%s\n", message);
    return usage_exit(t);
}

static bool read_switch(const char *v, bool *on)
{
    static const char *const yes[] = {"", "true", "TRUE", "True", "1"}, *const no[] = {"false", "FALSE", "False",
                                                                                       "0"};
    for (size_t i = 0; i < TSR_COUNT(yes); i++)
        if (strcmp(v, yes[i]) == 0)
            return *on = true;
    *on = false;
    for (size_t i = 0; i < TSR_COUNT(no); i++)
        if (strcmp(v, no[i]) == 0)
            return true;
    return false;
}

static int take(const tool *t, const flag *table, const flag *f, const char *value, int *i, int argc, char **argv,
                flags *out)
{
    flag_given g = {.id = (int)(f - table), .value = value};
    if (f->kind == FLAG_REFUSED) {
        fprintf(stderr, "%s: not available yet: %s%s (%s)\n", t->name, strlen(f->name) == 1 ? "-" : "--", f->name,
                f->doc);
        return EXIT_REJECTED;
    }
    if (f->kind == FLAG_SWITCH && !read_switch(value ? value : "", &g.on))
        return wrong(t, f, value, "is invalid value for boolean argument! Try 0 or 1");
    if (f->kind == FLAG_VALUE || f->kind == FLAG_COUNT) {
        if (!g.value && *i + 1 < argc)
            g.value = argv[++*i];
        if (!g.value)
            return wrong(t, f, NULL, "requires a value!");
    }
    if (f->kind == FLAG_COUNT) {
        char *end;
        errno = 0;
        g.count = strtoll(g.value, &end, 0);
        if (end == g.value || *end || errno)
            return wrong(t, f, g.value, "value invalid for integer argument!");
    }
    tsr_vec_push(&out->given, g);
    return 0;
}

int flags_parse(const tool *t, const flag *table, size_t n, const tsr_pass_list *passes, int argc, char **argv,
                flags *out)
{
    bool only_files = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (only_files || arg[0] != '-' || arg[1] == 0) {
            tsr_vec_push(&out->files, arg);
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_files = true;
            continue;
        }
        const char *start = arg + (arg[1] == '-' ? 2 : 1), *eq = strchr(start, '=');
        tsr_str name = {start, eq ? (size_t)(eq - start) : strlen(start)};
        const char *value = eq ? eq + 1 : NULL;
        const flag *f = find(table, n, name);
        const tsr_pass_info *pass = passes ? tsr_pass_find(passes, name) : NULL;
        if (f) {
            int code = take(t, table, f, value, &i, argc, argv, out);
            if (code)
                return code;
        } else if (pass) {
            tsr_vec_push(&out->given, (flag_given){.id = -1, .pass = pass, .value = value});
        } else if (!value && (tsr_str_is(name, "help") || tsr_str_is(name, "h"))) {
            out->help = true;
        } else if (!value && tsr_str_is(name, "version")) {
            out->version = true;
        } else {
            return unknown(t, table, n, passes, arg, name);
        }
    }
    return 0;
}

void flags_free(flags *f)
{
    tsr_vec_free(&f->given);
    tsr_vec_free(&f->files);
}

/* ---- Help ---- */

enum { HELP_COLUMN = 46 };

static void help_line(const char *left, const char *doc)
{
    printf("  %-*s - %s\n", HELP_COLUMN, left, doc);
}

static void pass_help(const tsr_pass_list *passes, const tsr_pass_info *info)
{
    char left[128];
    const tsr_option *o;
    snprintf(left, sizeof left, "--%s", info->name);
    help_line(left, info->summary);
    for (size_t i = 0; (o = tsr_pass_option(passes, info, i)) != NULL; i++) {
        static const char *const args[] = {[TSR_OPTION_BOOL] = "",
                                           [TSR_OPTION_INT] = "=<int>",
                                           [TSR_OPTION_STRING] = "=<string>",
                                           [TSR_OPTION_LIST] = "=<a,b,...>",
                                           [TSR_OPTION_CHOICE] = "=<word>"};
        snprintf(left, sizeof left, "    %s%s", o->name, args[o->type]);
        printf("  %-*s - %s", HELP_COLUMN, left, o->doc);
        if (o->choices)
            printf(" [one of: %s]", o->choices);
        printf(" (default: %s)\n", *o->value ? o->value : "none");
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const tsr_pass_info *const *)a)->name, (*(const tsr_pass_info *const *)b)->name);
}

typedef TSR_VEC(const tsr_pass_info *) info_vec;

static void sorted_passes(const tsr_pass_list *passes, bool pipelines, info_vec *out)
{
    for (size_t k = 0; k < passes->n; k++)
        for (size_t i = 0; i < passes->tables[k]->npass; i++)
            if (!passes->tables[k]->passes[i].run == pipelines)
                tsr_vec_push(out, &passes->tables[k]->passes[i]);
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_name);
}

void flags_help(const tool *t, const char *usage, const flag *table, size_t n, const tsr_pass_list *passes)
{
    char left[128];
    printf("USAGE: %s %s\n\nOPTIONS:\n", t->name, usage);
    for (size_t i = 0; i < n; i++) {
        const flag *f = &table[i];
        const char *open = f->kind == FLAG_OPTIONAL ? "[=" : "=", *close = f->kind == FLAG_OPTIONAL ? "]" : "";
        snprintf(left, sizeof left, "%s%s%s%s%s", strlen(f->name) == 1 ? "-" : "--", f->name, f->arg ? open : "",
                 f->arg ? f->arg : "", f->arg ? close : "");
        printf("  %-*s - %s%s\n", HELP_COLUMN, left, f->kind == FLAG_REFUSED ? "Not available yet: " : "", f->doc);
    }
    help_line("--help", "Print this text");
    help_line("--version", "Print the version");
    for (int pipelines = 0; passes && pipelines < 2; pipelines++) {
        info_vec infos = {0};
        sorted_passes(passes, pipelines, &infos);
        if (infos.n)
            printf("\n%s:\n", pipelines ? "PIPELINES" : "PASSES");
        for (size_t i = 0; i < infos.n; i++)
            pass_help(passes, infos.data[i]);
        tsr_vec_free(&infos);
    }
}

void flags_list_passes(const tsr_pass_list *passes)
{
    for (int pipelines = 0; pipelines < 2; pipelines++) {
        info_vec infos = {0};
        sorted_passes(passes, pipelines, &infos);
        for (size_t i = 0; i < infos.n; i++)
            printf("%-32s %s\n", infos.data[i]->name, infos.data[i]->summary);
        tsr_vec_free(&infos);
    }
}

void print_version(const tool *t)
{
    int v = tsr_version();
    printf("%s (tessera) %d.%d.%d\n", t->name, v / 10000, v / 100 % 100, v % 100);
    printf("  LAPACK targets run on %s\n", tsr_lapack_name());
}

bool flags_about(const tool *t, const flags *f, const char *usage, const flag *table, size_t n,
                 const tsr_pass_list *passes)
{
    if (f->help)
        flags_help(t, usage, table, n, passes);
    else if (f->version)
        print_version(t);
    return f->help || f->version;
}

static bool is_one_of(const char *v, const char *a, const char *b, const char *c)
{
    return strcmp(v, a) == 0 || strcmp(v, b) == 0 || strcmp(v, c) == 0;
}

int file_flag(const tool *t, const flag_given *g, file_options *out)
{
    switch (g->id) {
    case FILE_FLAG_OUTPUT: out->output = g->value; break;
    case FILE_FLAG_SPLIT: out->split = g->value && *g->value ? g->value : "// -----"; break;
    case FILE_FLAG_ALLOW_UNREGISTERED: out->allow_unregistered = g->on; break;
    case FILE_FLAG_VERIFY_DIAGNOSTICS: {
        const char *v = g->value && *g->value ? g->value : "all";
        out->only_expected = strcmp(v, "only-expected") == 0;
        out->verify_diagnostics = strcmp(v, "false") != 0 && strcmp(v, "0") != 0;
        if (!out->verify_diagnostics || out->only_expected || is_one_of(v, "all", "true", "1"))
            break;
        fprintf(stderr, "%s: for the --verify-diagnostics option: Cannot find option named '%s'!\n", t->name, v);
        return usage_exit(t);
    }
    default: break;
    }
    return 0;
}

int file_input(const tool *t, const flags *f, file_options *out)
{
    if (f->files.n > 1) {
        fprintf(stderr, "%s: Too many positional arguments specified!\nCan specify at most 1 positional arguments\n", t->name);
        return usage_exit(t);
    }
    if (f->files.n)
        out->input = f->files.data[0];
    return 0;
}
