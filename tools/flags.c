/* SPDX-License-Identifier: Apache-2.0 */
/* flags.c - command lines from tables: one dash or two, '=' or the next word, passes as flags. */
#include "tools.h"

#include <errno.h>

#include "base/suggest.h"

static const flag *find(const command *c, tsr_str name)
{
    const flag *f;
    for (size_t i = 0; (f = command_flag(c, i)) != NULL; i++)
        if (f->kind != FLAG_GROUP && tsr_str_is(name, f->name))
            return f;
    return NULL;
}

bool flag_is_listed(const flag *f)
{
    return f->kind != FLAG_GROUP && f->kind != FLAG_ABSENT && f->kind != FLAG_REFUSED;
}

const char *flag_dashes(const char *name)
{
    return strlen(name) == 1 ? "-" : "--";
}

bool flag_takes_value(const flag *f)
{
    return f->kind == FLAG_VALUE || f->kind == FLAG_LIST || f->kind == FLAG_COUNT;
}

/* Whether it was given before; one of two values would be ignored. */
static bool is_again(const tool *t, const flag *f, flags *out)
{
    size_t limit = (size_t)(f - limit_flags);
    if (f >= limit_flags && f < limit_flags + nlimit_flag) {
        bool again = out->limits >> limit & 1;
        out->limits |= 1u << limit;
        return again;
    }
    for (size_t i = 0; f->kind != FLAG_LIST && i < out->given.n; i++)
        if (out->given.data[i].id == (int)(f - t->command->flags))
            return true;
    return false;
}

/* Passes of tt-mlir that make device kernels. */
static bool makes_kernels(tsr_str name)
{
    static const char *const parts[] = {"d2m", "ttkernel", "to-ttmetal"};
    for (size_t i = 0; i < TSR_COUNT(parts); i++)
        for (size_t k = 0, n = strlen(parts[i]); k + n <= name.len; k++)
            if (memcmp(name.data + k, parts[i], n) == 0)
                return true;
    return false;
}

static int unknown(const tool *t, const char *arg, tsr_str name)
{
    const command *c = t->command;
    if (c->takes_passes && makes_kernels(name)) {
        fprintf(stderr,
                "%s: --%.*s is for kernels of a device, which are not made here; "
                "--ttir-to-ttmetal-host-pipeline lets the host run the program\n",
                t->name, TSR_STR_ARG(name));
        return usage_exit(t);
    }
    fprintf(stderr, "%s: Unknown command line argument '%s'.  Try: '%s --help'\n", t->name, arg,
            t->name);
    tsr_suggestion s = tsr_suggest_for(name);
    const flag *f;
    for (size_t i = 0; (f = command_flag(c, i)) != NULL; i++)
        if (flag_is_listed(f))
            tsr_suggest(&s, f->name);
    if (c->takes_passes)
        tsr_suggest_pass(tsr_all_passes(), &s);
    if (s.found)
        fprintf(stderr, "%s: Did you mean '%s%s'?\n", t->name, flag_dashes(s.found), s.found);
    return usage_exit(t);
}

/* An invalid value. */
static int wrong(const tool *t, const flag *f, const char *value, const char *message)
{
    fprintf(stderr, "%s: for the %s%s option: ", t->name, flag_dashes(f->name), f->name);
    if (value)
        fprintf(stderr, "'%s' ", value);
    fprintf(stderr, "%s\n", message);
    return usage_exit(t);
}

static bool read_switch(const char *v, bool *on)
{
    static const char *const yes[] = {"", "true", "TRUE", "True", "1"}, *const no[] = {
                                                                            "false", "FALSE",
                                                                            "False", "0"};
    for (size_t i = 0; i < TSR_COUNT(yes); i++)
        if (strcmp(v, yes[i]) == 0)
            return *on = true;
    *on = false;
    for (size_t i = 0; i < TSR_COUNT(no); i++)
        if (strcmp(v, no[i]) == 0)
            return true;
    return false;
}

static int take(const tool *t, const flag *f, const char *value, int *i, int argc, char **argv,
                flags *out)
{
    flag_given g = {.id = (int)(f - t->command->flags), .value = value};
    if (f->kind == FLAG_REFUSED) {
        fprintf(stderr, "%s: not available yet: %s%s (%s)\n", t->name, flag_dashes(f->name),
                f->name, f->doc);
        return EXIT_REJECTED;
    }
    if (f->kind == FLAG_ABSENT) {
        fprintf(stderr, "%s: --%s %s\n", t->name, f->name,
                f->doc ? f->doc : "of mlir-opt is not available here");
        return usage_exit(t);
    }
    if (f->kind == FLAG_SWITCH && !read_switch(value ? value : "", &g.on))
        return wrong(t, f, value, "is invalid value for boolean argument! Try 0 or 1");
    if (flag_takes_value(f)) {
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
    if (is_again(t, f, out))
        return wrong(t, f, NULL, "may only occur zero or one times!");
    if (f >= limit_flags && f < limit_flags + nlimit_flag)
        return set_limit(f->name, g.value) ? 0
                                           : wrong(t, f, g.value, "is no such number above zero");
    tsr_vec_push(&out->given, g);
    return 0;
}

/* "-oFILE": a flag of one letter with its value right after it. */
static const flag *find_short(const command *c, const char *arg)
{
    const flag *f = arg[1] != '-' && arg[2] ? find(c, tsr_str_of(arg + 1, 1)) : NULL;
    return f && flag_takes_value(f) ? f : NULL;
}

/* Parses one word that begins with a dash. 0, or the exit code after a message. */
static int parse_one(const tool *t, int *i, int argc, char **argv, flags *out)
{
    const command *c = t->command;
    const char *arg = argv[*i], *start = arg + (arg[1] == '-' ? 2 : 1), *eq = strchr(start, '=');
    tsr_str name = {start, eq ? (size_t)(eq - start) : strlen(start)};
    const char *value = eq ? eq + 1 : NULL;
    const flag *f = find(c, name);
    const tsr_pass_info *pass = c->takes_passes ? tsr_pass_find(tsr_all_passes(), name) : NULL;
    if (f)
        return take(t, f, value, i, argc, argv, out);
    if (pass)
        tsr_vec_push(&out->given, (flag_given){.id = -1, .pass = pass, .value = value});
    else if (!value && (tsr_str_is(name, "help") || tsr_str_is(name, "h")))
        out->help = true;
    else if (!value && tsr_str_is(name, "version"))
        out->version = true;
    else if ((f = find_short(c, arg)) != NULL)
        return take(t, f, arg + 2, i, argc, argv, out);
    else
        return unknown(t, arg, name);
    return 0;
}

int flags_parse(const tool *t, int argc, char **argv, flags *out)
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
        int code = parse_one(t, &i, argc, argv, out);
        if (code)
            return code;
    }
    return 0;
}

void flags_free(flags *f)
{
    tsr_vec_free(&f->given);
    tsr_vec_free(&f->files);
}

int flags_end(const tool *t, flags *f, int code)
{
    flags_free(f);
    return code < 0 ? write_output(t, "-", (tsr_str){"", 0}) : code;
}

int flag_choice(const tool *t, const flag_given *g, const char *a, const char *b, bool *first)
{
    *first = strcmp(g->value, a) == 0;
    if (*first || strcmp(g->value, b) == 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: %s or %s is wanted\n", t->name,
            t->command->flags[g->id].name, g->value, a, b);
    return usage_exit(t);
}

int flag_alone(const tool *t, const char *name, const char *why)
{
    fprintf(stderr, "%s: %s%s %s\n", t->name, flag_dashes(name), name, why);
    return usage_exit(t);
}

int flags_one_file(const tool *t, const flags *f)
{
    if (f->files.n == 1)
        return 0;
    fprintf(stderr, "%s: one file is needed; - is stdin.  Try: '%s --help'\n", t->name, t->name);
    return usage_exit(t);
}

int status_exit(const tool *t, const tsr_ctx *ctx, uint32_t nerror, const tsr_status *s)
{
    if (ctx->nerror == nerror)
        fprintf(stderr, "%s: error: %s\n", t->name, s->message);
    return s->code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
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
        fprintf(stderr, "%s: for the --verify-diagnostics option: Cannot find option named '%s'!\n",
                t->name, v);
        return usage_exit(t);
    }
    default: break;
    }
    return 0;
}

int file_input(const tool *t, const flags *f, file_options *out)
{
    if (f->files.n > 1) {
        fprintf(stderr,
                "%s: Too many positional arguments specified!\nCan specify at most 1 positional "
                "arguments\n",
                t->name);
        return usage_exit(t);
    }
    if (f->files.n)
        out->input = f->files.data[0];
    return 0;
}
