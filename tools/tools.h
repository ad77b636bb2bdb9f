/* SPDX-License-Identifier: Apache-2.0 */
/* tools.h - shared by the subcommands of the binary: flags, diagnostics on stderr, chunks of a file, output. */
#ifndef TSR_TOOLS_TOOLS_H
#define TSR_TOOLS_TOOLS_H

#include <stdio.h>

#include "api/api.h"
#include "api/artifact.h"

/* ---- Exit codes ---- */
enum {
    EXIT_OK = 0,
    EXIT_REJECTED = 1,    /* bad input, failed pass, failed comparison */
    EXIT_USAGE = 2,       /* 1 under another tool's name, as there: see usage_exit */
    EXIT_ENVIRONMENT = 3, /* a file cannot be opened or written, memory or a limit is exceeded */
};

/* The name a tool was called by. */
typedef struct command command;
typedef struct {
    const char *name; /* "tessera opt", "stablehlo-opt" */
    const command *command;
    bool peer; /* called under another project's tool name */
} tool;

static inline int usage_exit(const tool *t)
{
    return t->peer ? EXIT_REJECTED : EXIT_USAGE;
}

/* ---- flags.c: table-driven command lines ---- */

typedef enum {
    FLAG_SWITCH,   /* --x, --x=true, --x=0 */
    FLAG_VALUE,    /* --x=value or --x value */
    FLAG_LIST,     /* the same, and may be repeated: all values count */
    FLAG_OPTIONAL, /* --x or --x=value */
    FLAG_COUNT,    /* --x=12 or --x 12 */
    FLAG_REFUSED,  /* known, but not implemented yet; doc says what is missing */
    FLAG_ABSENT, /* only in the other project's tool; rejected by name, and in no list; doc: why, NULL: it is
                  * mlir-opt's */
    FLAG_GROUP, /* not a flag: doc is the title of those that follow */
} flag_kind;

typedef struct {
    const char *name; /* without dashes */
    flag_kind kind;
    const char *arg; /* what --help calls the value */
    const char *doc;
} flag;

/* A subcommand: help, man pages and completion are generated from it. */
struct command {
    const char *name, *doc, *usage;
    int (*run)(const tool *t, int argc, char **argv);
    const flag *flags;
    size_t nflag;
    bool takes_passes; /* pass names are flags too */
    const char *const *
        examples; /* what it does, the command line, ...; NULL at the end, or where there are none */
};

extern const command command_calibrate, command_check_plan, command_compare_plans, command_compile,
    command_completion, command_devices, command_explain, command_explore, command_grad,
    command_man, command_opt, command_run, command_shard, command_simulate, command_translate,
    command_ttrt;
extern const command *const all_commands[];    /* by name; NULL at the end */
const command *find_command(const char *name); /* NULL if there is none */
int unknown_command(const char *name);         /* the exit code after a message */

/* The width of the terminal behind a file descriptor, or what COLUMNS says; 0: neither is known (look.c). */
uint32_t terminal_columns(int fd);
/* Whether what is written there may have colours (diag.c). */
bool has_colours(FILE *out);

/* ---- progress.c: a line on stderr about what takes long ---- */

typedef struct {
    bool on;             /* stderr is a terminal */
    double start, shown; /* shown: when it was written last; 0: it is not there */
} progress_line;

void progress_begin(progress_line *p);
/* Whether a second is over, and the line is some time old. */
bool progress_is_due(const progress_line *p);
void progress_show(progress_line *p, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Clears the line, if it is there: before anything else is written. */
void progress_end(progress_line *p);
/* A line that says how long a command has been at work, for commands that cannot say how far they are: between these
 * calls, at a terminal, after a second. */
void working_begin(const char *name);
void working_on(const tool *t, const char *path); /* the same, unless it is standard input */
void working_end(void);
void working_hide(void); /* until the next half second: something else is written */

/* ---- stop.c: limits, Ctrl-C ---- */

/* Flags of every command with flags: the limits. */
extern const flag limit_flags[];
extern const size_t nlimit_flag;
/* Flags of a command, its own and then these; NULL at the end. */
const flag *command_flag(const command *c, size_t i);
bool set_limit(const char *name, const char *value); /* false: the value is invalid */
/* Runs a command so that memory, limits and Ctrl-C end it with a message and EXIT_ENVIRONMENT. */
int run_tool(const command *c, const tool *t, int argc, char **argv);
bool was_interrupted(void);
/* The context that such a message uses to find its location. */
tsr_ctx *new_ctx(void);
void free_ctx(tsr_ctx *ctx);

/* Tables are lists of rows, FLAG(id, name, kind, arg, doc); these define ids and a table entry. */
#define FLAG_ID(id, ...) FLAG_ID_##id,
#define FLAG_ROW(id, name, kind, arg, doc) {name, FLAG_##kind, arg, doc},

// clang-format off
/* Rows of the tools that read a file in chunks and write another; they come first in their tables. */
#define FILE_FLAGS(FLAG) \
    FLAG(GROUP, NULL, GROUP, NULL, "FILES") \
    FLAG(OUTPUT, "o", VALUE, "<file>", "Output file; - is stdout. Written only when all went well") \
    FLAG(SPLIT, "split-input-file", OPTIONAL, "<marker>", "Process the chunks between lines with the marker (default: '// -----') one by one") \
    FLAG(VERIFY_DIAGNOSTICS, "verify-diagnostics", OPTIONAL, "all|only-expected", "Compare diagnostics with the expected-* comments of the input") \
    FLAG(ALLOW_UNREGISTERED, "allow-unregistered-dialect", SWITCH, NULL, "Accept operations of unknown dialects")
// clang-format on
enum {
#define FLAG(id, ...) FILE_FLAG_##id,
    FILE_FLAGS(FLAG)
#undef FLAG
        NFILE_FLAG
};

/* Their values. */
typedef struct {
    const char *input, *output; /* "-": stdin, stdout */
    const char *split;          /* marker between chunks; NULL: the file is one */
    bool allow_unregistered, verify_diagnostics, only_expected;
} file_options;

/* A given flag. id: index into the table, or -1 for a pass. */
typedef struct {
    int id;
    const tsr_pass_info *pass;
    const char *value; /* text, or NULL without one */
    bool on;           /* FLAG_SWITCH */
    int64_t count;     /* FLAG_COUNT */
} flag_given;

typedef struct {
    TSR_VEC(flag_given) given;   /* in the order of the command line */
    TSR_VEC(const char *) files; /* words that are not flags */
    uint32_t limits;             /* which of limit_flags */
    bool help, version;
} flags;

/* 0, or the exit code after a message on stderr. */
int flags_parse(const tool *t, int argc, char **argv, flags *out);
void flags_free(flags *f);
/* The exit code at the end of a command; frees f. code < 0: something was printed by other means, and a full disk is
 * detected here. */
int flags_end(const tool *t, flags *f, int code);
/* Whether it can be used, so that man pages and completion list it. */
bool flag_is_listed(const flag *f);
/* "-" for names of one letter, else "--". */
const char *flag_dashes(const char *name);
/* A value that is one of two words; first says which. 0, or the exit code after a message on stderr. */
int flag_choice(const tool *t, const flag_given *g, const char *a, const char *b, bool *first);
/* Whether it takes a value. */
bool flag_takes_value(const flag *f);
/* A flag that has no effect in this combination: the exit code after a message on stderr. */
int flag_alone(const tool *t, const char *name, const char *why);
/* Requires exactly one input file. 0, or the exit code after a message on stderr. */
int flags_one_file(const tool *t, const flags *f);
/* The exit code of a call that failed; prints its message, unless ctx has emitted a diagnostic since it had nerror. */
int status_exit(const tool *t, const tsr_ctx *ctx, uint32_t nerror, const tsr_status *s);
/* Stores one of FILE_FLAGS in the options. 0, or the exit code after a message on stderr. */
int file_flag(const tool *t, const flag_given *g, file_options *out);
/* The input file, at most one. 0, or the exit code after a message on stderr. */
int file_input(const tool *t, const flags *f, file_options *out);
/* ---- help.c ---- */

/* --help and --version: whether one was given, and was handled. */
bool flags_about(const tool *t, const flags *f);
/* --list-passes: names and summaries. */
void flags_list_passes(void);
void print_version(const tool *t);

/* ---- diag.c: diagnostics on stderr, as LLVM's SourceMgr prints them ---- */

/* The text that diagnostics refer to, to show its lines. */
typedef struct {
    uint32_t line;
    const char *p;
} source_mark;
typedef struct {
    tsr_str file, text;
    source_mark *
        last; /* the line that was last shown: the search for the next one starts there; may be NULL */
} source;

/* Line number line (from 1) of a text, without its newline; empty if there is none. */
tsr_str source_line(const source *src, uint32_t line);
/* "file:line:col: error: message", the line, a caret. underline: how many columns, including the caret. */
void diag_print(FILE *out, const source *src, const tsr_diag *d, size_t underline);
/* A tsr_diag_fn; user is a source. */
void diag_to_stderr(void *user, const tsr_diag *d);

/* ---- verify.c: --verify-diagnostics ---- */

typedef struct expectations expectations;

/* Reads the expected-error lines and the like of a chunk whose first line has this number. */
expectations *expect_new(const source *src, tsr_str chunk, uint32_t line, bool only_expected);
/* A tsr_diag_fn; user is an expectations. */
void expect_diag(void *user, const tsr_diag *d);
/* Reports unmet expectations. Returns whether all diagnostics and expectations agreed; frees e. */
bool expect_finish(expectations *e);

/* ---- split.c ---- */

/* The chunk of text that starts at *at, up to a line with the marker; moves *at and *line after it. False at the
 * end. */
bool split_next(tsr_str text, const char *marker, size_t *at, uint32_t *line, tsr_str *chunk,
                uint32_t *chunk_line);

/* ---- list.c ---- */

/* --list-ops: one line per op, or everything in the rows. */
void list_ops(bool full);

/* ---- pause.c ---- */

/* Waits for the user at a breakpoint; NULL: there is no terminal, and nobody to wait for. */
tsr_breakpoint_fn *user_at_terminal(void);

/* ---- output.c ---- */

/* Loads a program of any kind from a file ("-": stdin), verifies it and passes it to work; returns its exit code, or
 * that of an earlier failure, after a message. */
int with_program(const tool *t, const char *path, int (*work)(void *user, tsr_module *m),
                 void *user);
/* The file that such a program was read from. */
const source *program_source(const tsr_module *m);

/* How a module is printed into this file: locations that the user's program gave it are kept. stdout, and what a tool of
 * another project writes, is for people and tests: without them. */
tsr_print_options print_for(const tool *t, const char *path, const tsr_module *m);
/* Writes to a file, or to stdout for "-". 0, or EXIT_ENVIRONMENT after a message. */
int write_output(const tool *t, const char *path, tsr_str text);
/* The exit code, after a message that an input file cannot be opened. */
int cannot_open(const tool *t, const char *path, const char *why);
double wall_seconds(void);

#endif
