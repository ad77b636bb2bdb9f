/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - documentation generated from the flag tables: --help, --version, man pages, completion for shells. */
#include "tools.h"

#include <stdlib.h>
#include <unistd.h>

#include "eval/math/linalg.h"

/* ---- Flags and passes as text ---- */

/* "--split-input-file[=<marker>]" */
static void flag_text(tsr_buf *out, const flag *f)
{
    bool optional = f->kind == FLAG_OPTIONAL;
    tsr_buf_printf(out, "%s%s", flag_dashes(f->name), f->name);
    if (f->arg)
        tsr_buf_printf(out, "%s%s%s", optional ? "[=" : "=", f->arg, optional ? "]" : "");
}

static const char *option_arg(const tsr_option *o)
{
    static const char *const args[] = {[TSR_OPTION_BOOL] = "",
                                       [TSR_OPTION_INT] = "=<int>",
                                       [TSR_OPTION_STRING] = "=<string>",
                                       [TSR_OPTION_LIST] = "=<a,b,...>",
                                       [TSR_OPTION_CHOICE] = "=<word>"};
    return args[o->type];
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const tsr_pass_info *const *)a)->name,
                  (*(const tsr_pass_info *const *)b)->name);
}

typedef TSR_VEC(const tsr_pass_info *) info_vec;

static void sorted_passes(bool pipelines, info_vec *out)
{
    const tsr_pass_list *passes = tsr_all_passes();
    for (size_t k = 0; k < passes->n; k++)
        for (size_t i = 0; i < passes->tables[k]->npass; i++)
            if (!passes->tables[k]->passes[i].run == pipelines)
                tsr_vec_push(out, &passes->tables[k]->passes[i]);
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_name);
}

/* Passes whose names share the part before the first '-' are a family, if there are enough of them. */
static tsr_str prefix_of(const tsr_pass_info *info)
{
    return (tsr_str){info->name, strcspn(info->name, "-")};
}

static bool is_family(const info_vec *infos, tsr_str prefix)
{
    enum { ENOUGH = 4 };
    size_t n = 0;
    for (size_t i = 0; i < infos->n; i++)
        n += tsr_str_eq(prefix_of(infos->data[i]), prefix);
    return n >= ENOUGH;
}

/* The next family; an empty prefix represents the passes without one, which come first. */
static tsr_str next_family(const info_vec *infos, tsr_str last)
{
    for (size_t i = 0; i < infos->n; i++) {
        tsr_str p = prefix_of(infos->data[i]);
        if (tsr_str_cmp(p, last) > 0 && is_family(infos, p))
            return p;
    }
    return (tsr_str){0};
}

typedef void tell_pass(tsr_buf *out, const tsr_pass_info *info);

/* Families of passes and of pipelines, each with its title. */
static void tell_passes(tsr_buf *out, void (*title)(tsr_buf *out, bool pipelines, tsr_str family),
                        tell_pass *tell)
{
    for (int pipelines = 0; pipelines < 2; pipelines++) {
        info_vec infos = {0};
        sorted_passes(pipelines, &infos);
        tsr_str family = {0};
        do {
            bool any = false;
            for (size_t i = 0; i < infos.n; i++) {
                tsr_str p = prefix_of(infos.data[i]);
                if (!tsr_str_eq(is_family(&infos, p) ? p : (tsr_str){0}, family))
                    continue;
                if (!any)
                    title(out, pipelines, family);
                any = true;
                tell(out, infos.data[i]);
            }
            family = next_family(&infos, family);
        } while (family.len);
        tsr_vec_free(&infos);
    }
}

/* ---- --help ---- */

enum { HELP_COLUMN = 46 };

/* Words of a text from this column on; columns 0: one line. */
static void wrapped(tsr_buf *out, const char *doc, uint32_t at, uint32_t indent, uint32_t columns)
{
    uint32_t first = at;
    for (const char *p = doc; *p;) {
        size_t n = strcspn(p, " ");
        if (columns && (at > indent || p == doc) && at + 1 + n > columns) {
            tsr_buf_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (p != doc && at > indent && at != first) {
            tsr_buf_char(out, ' ');
            at++;
        }
        tsr_buf_str(out, (tsr_str){p, n});
        at += (uint32_t)n;
        p += n + (p[n] == ' ');
    }
    tsr_buf_char(out, '\n');
}

/* At a narrow terminal what a flag does is below it. */
static void help_line(tsr_buf *out, tsr_str left, const char *doc)
{
    uint32_t columns = terminal_columns(STDOUT_FILENO);
    bool below = columns && columns < HELP_COLUMN + 40;
    if (below)
        tsr_buf_printf(out, "  %.*s\n        ", TSR_STR_ARG(left));
    else
        tsr_buf_printf(out, "  %-*.*s - ", HELP_COLUMN, TSR_STR_ARG(left));
    uint32_t wide = left.len > HELP_COLUMN ? (uint32_t)left.len : HELP_COLUMN;
    wrapped(out, doc, below ? 8 : wide + 5, below ? 8 : HELP_COLUMN + 5, columns);
}

static void help_title(tsr_buf *out, bool pipelines, tsr_str family)
{
    tsr_buf_printf(out, "\n%s", pipelines ? "PIPELINES" : "PASSES");
    if (family.len)
        tsr_buf_printf(out, ": %.*s", TSR_STR_ARG(family));
    tsr_buf_char(out, '\n');
}

static void help_pass(tsr_buf *out, const tsr_pass_info *info)
{
    char left[128];
    const tsr_option *o;
    snprintf(left, sizeof left, "--%s", info->name);
    help_line(out, tsr_cstr(left), info->summary);
    for (size_t i = 0; (o = tsr_pass_option(tsr_all_passes(), info, i)) != NULL; i++) {
        snprintf(left, sizeof left, "    %s%s", o->name, option_arg(o));
        tsr_buf doc = {0};
        tsr_buf_cstr(&doc, o->doc);
        if (o->choices)
            tsr_buf_printf(&doc, " [one of: %s]", o->choices);
        tsr_buf_printf(&doc, " (default: %s)", *o->value ? o->value : "none");
        tsr_buf_char(&doc, 0);
        help_line(out, tsr_cstr(left), doc.data);
        tsr_buf_free(&doc);
    }
}

static void help(tsr_buf *out, const tool *t)
{
    const command *c = t->command;
    tsr_buf_printf(out, "USAGE: %s %s\n", t->name, c->usage);
    if (!c->nflag || c->flags[0].kind != FLAG_GROUP)
        tsr_buf_cstr(out, "\nOPTIONS\n");
    const flag *f;
    for (size_t i = 0; (f = command_flag(c, i)) != NULL; i++) {
        if (f->kind == FLAG_GROUP)
            tsr_buf_printf(out, "\n%s\n", f->doc);
        if (!flag_is_listed(f) && f->kind != FLAG_REFUSED)
            continue;
        tsr_buf left = {0}, doc = {0};
        flag_text(&left, f);
        tsr_buf_printf(&doc, "%s%s", f->kind == FLAG_REFUSED ? "Not available yet: " : "", f->doc);
        tsr_buf_char(&doc, 0);
        help_line(out, tsr_buf_text(&left), doc.data);
        tsr_buf_free(&left);
        tsr_buf_free(&doc);
    }
    help_line(out, TSR_STR("--help"), "Print this text");
    help_line(out, TSR_STR("--version"), "Print the version");
    if (c->takes_passes)
        tell_passes(out, help_title, help_pass);
    if (c->examples)
        tsr_buf_cstr(out, "\nEXAMPLES\n");
    for (size_t i = 0; c->examples && c->examples[i]; i += 2)
        tsr_buf_printf(out, "  %s:\n    %s\n", c->examples[i], c->examples[i + 1]);
}

void flags_list_passes(void)
{
    for (int pipelines = 0; pipelines < 2; pipelines++) {
        info_vec infos = {0};
        sorted_passes(pipelines, &infos);
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

bool flags_about(const tool *t, const flags *f)
{
    if (f->help) {
        tsr_buf text = {0};
        help(&text, t);
        fwrite(text.data, 1, text.len, stdout);
        tsr_buf_free(&text);
    } else if (f->version) {
        print_version(t);
    }
    return f->help || f->version;
}

/* ---- Man pages ---- */

/* Text for roff: a dash is '\-', and no line begins with a dot or a quote. */
static void roff(tsr_buf *out, tsr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] == '\\')
            tsr_buf_cstr(out, "\\e");
        else if (s.data[i] == '-')
            tsr_buf_cstr(out, "\\-");
        else if ((s.data[i] == '.' || s.data[i] == '\'') && (i == 0 || s.data[i - 1] == '\n'))
            tsr_buf_printf(out, "\\&%c", s.data[i]);
        else
            tsr_buf_char(out, s.data[i]);
    }
}

static void roff_item(tsr_buf *out, tsr_str left, const char *doc)
{
    tsr_buf_cstr(out, ".TP\n.B ");
    roff(out, left);
    tsr_buf_char(out, '\n');
    roff(out, tsr_cstr(doc));
    tsr_buf_char(out, '\n');
}

static void roff_title(tsr_buf *out, bool pipelines, tsr_str family)
{
    tsr_buf_printf(out, ".SH %s %.*s\n", pipelines ? "PIPELINES" : "PASSES", TSR_STR_ARG(family));
}

static void roff_pass(tsr_buf *out, const tsr_pass_info *info)
{
    tsr_buf left = {0};
    const tsr_option *o;
    tsr_buf_printf(&left, "--%s", info->name);
    roff_item(out, tsr_buf_text(&left), info->summary);
    tsr_buf_free(&left);
    for (size_t i = 0; (o = tsr_pass_option(tsr_all_passes(), info, i)) != NULL; i++) {
        tsr_buf_cstr(out, ".br\n.I ");
        roff(out, tsr_cstr(o->name));
        roff(out, tsr_cstr(option_arg(o)));
        tsr_buf_char(out, '\n');
        roff(out, tsr_cstr(o->doc));
        tsr_buf_char(out, '\n');
    }
}

static void roff_heading(tsr_buf *out, const char *page)
{
    int v = tsr_version();
    tsr_buf_printf(out, ".TH %s 1 \"\" \"Tessera %d.%d.%d\"\n.SH NAME\n", page, v / 10000,
                   v / 100 % 100, v % 100);
}

static void roff_exit(tsr_buf *out)
{
    tsr_buf_cstr(out, ".SH EXIT STATUS\n"
                      ".TP\n.B 0\nAll went well.\n"
                      ".TP\n.B 1\nThe input was rejected, or a comparison failed.\n"
                      ".TP\n.B 2\nThe command line is wrong.\n"
                      ".TP\n.B 3\nThe environment failed: a file, memory, a limit.\n");
}

static void man_command(tsr_buf *out, const command *c)
{
    char page[64];
    snprintf(page, sizeof page, "TESSERA-%s", c->name);
    roff_heading(out, page);
    tsr_buf_printf(out, "tessera\\-%s \\- ", c->name);
    roff(out, tsr_cstr(c->doc));
    tsr_buf_printf(out, "\n.SH SYNOPSIS\n.B tessera %s\n", c->name);
    roff(out, tsr_cstr(c->usage));
    tsr_buf_char(out, '\n');
    if (!c->nflag || c->flags[0].kind != FLAG_GROUP)
        tsr_buf_cstr(out, ".SH OPTIONS\n");
    const flag *f;
    for (size_t i = 0; (f = command_flag(c, i)) != NULL; i++) {
        if (f->kind == FLAG_GROUP)
            tsr_buf_printf(out, ".SH %s\n", f->doc);
        if (!flag_is_listed(f))
            continue;
        tsr_buf left = {0};
        flag_text(&left, f);
        roff_item(out, tsr_buf_text(&left), f->doc);
        tsr_buf_free(&left);
    }
    if (c->takes_passes)
        tell_passes(out, roff_title, roff_pass);
    if (c->examples)
        tsr_buf_cstr(out, ".SH EXAMPLES\n");
    for (size_t i = 0; c->examples && c->examples[i]; i++) {
        tsr_buf_cstr(out, i % 2 ? ".nf\n" : ".PP\n");
        roff(out, tsr_cstr(c->examples[i]));
        tsr_buf_cstr(out, i % 2 ? "\n.fi\n" : ":\n");
    }
    roff_exit(out);
    tsr_buf_cstr(out, ".SH SEE ALSO\n.BR tessera (1)\n");
}

static void man_all(tsr_buf *out)
{
    roff_heading(out, "TESSERA");
    tsr_buf_cstr(out, "tessera \\- tensor\\-graph compiler and runtime for device meshes\n"
                      ".SH SYNOPSIS\n.B tessera\n.I command\n[options]\n.SH COMMANDS\n");
    for (size_t i = 0; all_commands[i]; i++)
        roff_item(out, tsr_cstr(all_commands[i]->name), all_commands[i]->doc);
    roff_exit(out);
    tsr_buf_cstr(out, ".SH SEE ALSO\n");
    for (size_t i = 0; all_commands[i]; i++)
        tsr_buf_printf(out, ".BR tessera\\-%s (1)\n", all_commands[i]->name);
}

/* ---- Completion ---- */

/* All words that begin with a dash, separated by spaces. */
static void flag_words(tsr_buf *out, const command *c)
{
    const flag *f;
    for (size_t i = 0; (f = command_flag(c, i)) != NULL; i++) {
        if (!flag_is_listed(f))
            continue;
        tsr_buf_printf(out, "%s%s%s ", flag_dashes(f->name), f->name,
                       flag_takes_value(f) && strlen(f->name) > 1 ? "=" : "");
    }
    tsr_buf_cstr(out, "--help --version");
    for (int pipelines = 0; c->takes_passes && pipelines < 2; pipelines++) {
        info_vec infos = {0};
        sorted_passes(pipelines, &infos);
        for (size_t i = 0; i < infos.n; i++)
            tsr_buf_printf(out, " --%s", infos.data[i]->name);
        tsr_vec_free(&infos);
    }
}

static void command_words(tsr_buf *out)
{
    for (size_t i = 0; all_commands[i]; i++)
        tsr_buf_printf(out, "%s%s", i ? " " : "", all_commands[i]->name);
}

static void complete_bash(tsr_buf *out)
{
    tsr_buf_cstr(out, "# Completion of tessera for bash; made by `tessera completion bash`.\n"
                      "_tessera() {\n"
                      "    local word=${COMP_WORDS[COMP_CWORD]} flags=\n"
                      "    COMPREPLY=()\n"
                      "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                      "        COMPREPLY=($(compgen -W '");
    command_words(out);
    tsr_buf_cstr(out, " help' -- \"$word\"))\n"
                      "        return\n"
                      "    fi\n"
                      "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; all_commands[i]; i++) {
        tsr_buf_printf(out, "    %s) flags='", all_commands[i]->name);
        flag_words(out, all_commands[i]);
        tsr_buf_cstr(out, "' ;;\n");
    }
    tsr_buf_cstr(out, "    help) flags='");
    command_words(out);
    tsr_buf_cstr(out, "' ;;\n"
                      "    esac\n"
                      "    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then\n"
                      "        COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
                      "        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
                      "    else\n"
                      "        compopt -o default\n"
                      "    fi\n"
                      "}\n"
                      "complete -F _tessera tessera\n");
}

/* A word in single quotes; quotes inside are written as zsh and fish both read them. */
static void quoted(tsr_buf *out, const char *s, bool colons)
{
    for (; *s; s++) {
        if (*s == '\'')
            tsr_buf_cstr(out, "'\\''");
        else if (colons && (*s == ':' || *s == '[' || *s == ']'))
            tsr_buf_printf(out, "\\%c", *s);
        else
            tsr_buf_char(out, *s);
    }
}

static void complete_zsh(tsr_buf *out)
{
    tsr_buf_cstr(out, "#compdef tessera\n"
                      "# Completion of tessera for zsh; made by `tessera completion zsh`.\n"
                      "_tessera() {\n"
                      "    local -a commands flags\n"
                      "    commands=(\n");
    for (size_t i = 0; all_commands[i]; i++) {
        tsr_buf_printf(out, "        '%s:", all_commands[i]->name);
        quoted(out, all_commands[i]->doc, true);
        tsr_buf_cstr(out, "'\n");
    }
    tsr_buf_cstr(out, "    )\n"
                      "    if (( CURRENT == 2 )); then\n"
                      "        _describe command commands\n"
                      "        return\n"
                      "    fi\n"
                      "    case ${words[2]} in\n");
    for (size_t i = 0; all_commands[i]; i++) {
        tsr_buf_printf(out, "    %s) flags=(", all_commands[i]->name);
        flag_words(out, all_commands[i]);
        tsr_buf_cstr(out, ") ;;\n");
    }
    tsr_buf_cstr(out, "    esac\n"
                      "    if [[ ${words[CURRENT]} == -* ]]; then\n"
                      "        compadd -S '' -- $flags\n"
                      "    else\n"
                      "        _files\n"
                      "    fi\n"
                      "}\n"
                      "_tessera \"$@\"\n");
}

static void fish_line(tsr_buf *out, const char *name, const char *word, const char *doc, bool value)
{
    tsr_buf_printf(out, "complete -c tessera -n '__fish_seen_subcommand_from %s' %s %s%s -d '",
                   name, strlen(word) == 1 ? "-s" : "-l", word, value ? " -r" : "");
    quoted(out, doc, false);
    tsr_buf_cstr(out, "'\n");
}

static void complete_fish(tsr_buf *out)
{
    tsr_buf_cstr(out, "# Completion of tessera for fish; made by `tessera completion fish`.\n");
    for (size_t i = 0; all_commands[i]; i++) {
        const command *c = all_commands[i];
        tsr_buf_printf(out, "complete -c tessera -n __fish_use_subcommand -a %s -d '", c->name);
        quoted(out, c->doc, false);
        tsr_buf_cstr(out, "'\n");
        const flag *f;
        for (size_t k = 0; (f = command_flag(c, k)) != NULL; k++)
            if (flag_is_listed(f))
                fish_line(out, c->name, f->name, f->doc, flag_takes_value(f));
        for (int pipelines = 0; c->takes_passes && pipelines < 2; pipelines++) {
            info_vec infos = {0};
            sorted_passes(pipelines, &infos);
            for (size_t k = 0; k < infos.n; k++)
                fish_line(out, c->name, infos.data[k]->name, infos.data[k]->summary, false);
            tsr_vec_free(&infos);
        }
    }
}

/* ---- The commands ---- */

static int write_text(const tool *t, tsr_buf *text)
{
    int code = write_output(t, "-", tsr_buf_text(text));
    tsr_buf_free(text);
    return code;
}

/* The only argument of these commands; NULL and *code after a message or if everything is done. */
static const char *one_word(const tool *t, int argc, char **argv, const char *what, int *code)
{
    flags f = {0};
    const char *word = NULL;
    *code = flags_parse(t, argc, argv, &f);
    if (!*code && flags_about(t, &f)) {
        *code = write_output(t, "-", (tsr_str){"", 0});
    } else if (!*code && f.files.n > 1) {
        fprintf(stderr, "%s: at most one word is taken: %s\n", t->name, what);
        *code = usage_exit(t);
    } else if (!*code) {
        word = f.files.n ? f.files.data[0] : "";
    }
    flags_free(&f);
    return word;
}

static int run_completion(const tool *t, int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(tsr_buf *out);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    int code;
    const char *word = one_word(t, argc, argv, "bash, zsh or fish", &code);
    if (!word)
        return code;
    for (size_t i = 0; i < TSR_COUNT(shells); i++) {
        tsr_buf text = {0};
        if (strcmp(word, shells[i].name) != 0)
            continue;
        shells[i].write(&text);
        return write_text(t, &text);
    }
    fprintf(stderr, "%s: for which shell? bash, zsh or fish\n", t->name);
    return usage_exit(t);
}

static int run_man(const tool *t, int argc, char **argv)
{
    int code;
    tsr_buf text = {0};
    const char *word = one_word(t, argc, argv, "a command", &code);
    if (!word)
        return code;
    const command *c = *word ? find_command(word) : NULL;
    if (*word && !c)
        return unknown_command(word);
    if (c)
        man_command(&text, c);
    else
        man_all(&text);
    return write_text(t, &text);
}

const command command_completion = {"completion", "print the completion script of a shell",
                                    "bash|zsh|fish", .run = run_completion};
const command command_man = {"man", "print a man page: of a command, or of tessera itself",
                             "[command]", .run = run_man};
