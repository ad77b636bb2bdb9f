/* pass.h - passes, their options, pipelines of them, and the manager that runs a pipeline.
 *
 * A layer has one table of passes (pass/pass.def, later shard/, lower/); api/ hands the list of all tables to the
 * manager. A pass changes what is inside its root op and nothing else. It neither prints nor times nor verifies: the
 * manager does, through tsr_run_options. */
#ifndef TSR_PASS_PASS_H
#define TSR_PASS_PASS_H

#include "base/suggest.h"
#include "ir/ir.h"

/* ---- Tables ---- */

typedef enum {
    TSR_OPTION_BOOL, /* true, false, 1, 0; the name alone means true */
    TSR_OPTION_INT,
    TSR_OPTION_STRING,
    TSR_OPTION_LIST,   /* values separated by commas; given more than once, they add up */
    TSR_OPTION_CHOICE, /* one of the words in choices */
} tsr_option_type;

typedef struct {
    const char *pass; /* id of its pass */
    const char *name;
    tsr_option_type type;
    const char *value;   /* default */
    const char *choices; /* TSR_OPTION_CHOICE: words separated by spaces */
    const char *doc;
} tsr_option;

typedef enum {
    TSR_ANY,        /* runs on every op that is isolated from above */
    TSR_PER_MODULE, /* runs on builtin.module */
    TSR_PER_FUNC,   /* runs on func.func */
} tsr_anchor;

/* What a pass needs before and what it leaves behind broken. */
enum {
    TSR_NEEDS_NONE = 0,
    TSR_NEEDS_IDS =
        1, /* ids of ops, values and blocks in program order, without holes; for passes on modules */
    TSR_BREAKS_NONE = 0,
    TSR_BREAKS_IDS = 1, /* makes, moves or erases ops */
};

typedef struct tsr_pass tsr_pass;

typedef struct {
    const char *id, *name;
    const char *summary;
    tsr_anchor anchor;
    unsigned needs, breaks;
    bool (*run)(tsr_pass *p, tsr_op *root); /* false after a diagnostic */
    /* A named pipeline instead of a pass: its text, or what writes it from the options. */
    const char *pipeline;
    void (*expand)(const tsr_pass *p, tsr_buf *out);
} tsr_pass_info;

typedef struct {
    const tsr_pass_info *passes;
    size_t npass;
    const tsr_option *options;
    size_t noption;
} tsr_pass_table;

typedef struct {
    const tsr_pass_table *const *tables;
    size_t n;
} tsr_pass_list;

extern const tsr_pass_table tsr_generic_passes; /* pass/pass.def */

const tsr_pass_info *tsr_pass_find(const tsr_pass_list *list, tsr_str name);
/* Offers the names of all passes for a misspelt one. */
void tsr_suggest_pass(const tsr_pass_list *list, tsr_suggestion *s);
/* Option i of a pass; NULL after the last one. */
const tsr_option *tsr_pass_option(const tsr_pass_list *list, const tsr_pass_info *info, size_t i);

/* ---- Pipelines ---- */

typedef struct tsr_pipeline tsr_pipeline;

/* An option that was given: "name=value"; value is "true" for a boolean's bare name. */
typedef struct {
    const tsr_option *option;
    tsr_str value;
} tsr_option_value;

/* A step: a pass with its options, or a nested pipeline. */
typedef struct {
    const tsr_pass_info *info; /* NULL: nested */
    tsr_pipeline *nested;
    tsr_option_value *values;
    size_t nvalue;
    double seconds; /* spent here so far, verification excluded */
    bool inside;    /* of a named pipeline, which is verified as a whole when it ends */
    bool ends;      /* a named pipeline, or several */
} tsr_step;

struct tsr_pipeline {
    tsr_str anchor; /* name of the ops it runs on; "any" */
    TSR_VEC(tsr_step) steps;
    tsr_pipeline *next_owned; /* all pipelines of one arena, so that their vectors can be freed */
};

/* Pipelines while they are read and run. */
typedef struct {
    tsr_ctx *ctx;
    const tsr_pass_list *list;
    tsr_arena arena;
    tsr_pipeline *owned;
} tsr_pipelines;

void tsr_pipelines_init(tsr_pipelines *ps, tsr_ctx *ctx, const tsr_pass_list *list);
void tsr_pipelines_free(tsr_pipelines *ps);
tsr_pipeline *tsr_pipeline_new(tsr_pipelines *ps, tsr_str anchor);
/* A value of an option as text that is read as this one value, whatever is in it: as it is, or as
 * @"..." with escapes. Names of functions and files must be written by it. */
void tsr_option_quote(tsr_buf *out, tsr_str value);
/* The value that a text of that form stands for; other text as it is. */
tsr_str tsr_option_unquote(tsr_arena *arena, tsr_str s);
/* Where @"..." that begins at this place of s ends; the place itself when there is none. */
size_t tsr_option_quoted_end(tsr_str s, size_t at);
/* Reads "op.name(pass{a=1 b=2},op.name(pass))"; strict: the outermost op must be there, else builtin.module is taken
 * for a list of passes. NULL after a diagnostic that shows the place in the text. */
tsr_pipeline *tsr_pipeline_parse(tsr_pipelines *ps, tsr_str text, bool strict);
/* Reads a list of passes for ops of this name. */
tsr_pipeline *tsr_pipeline_parse_list(tsr_pipelines *ps, tsr_str anchor, tsr_str text);
/* Adds a pass by name, as a flag gives it: "a=1 b=true" in options; a pass that runs on other ops is nested. */
bool tsr_pipeline_add(tsr_pipelines *ps, tsr_pipeline *pl, tsr_str name, tsr_str options);
/* An option that code gives: a value of its type, whatever characters are in it. Items of a list are given one by one. */
typedef struct {
    const char *name;
    tsr_option_type type;
    int64_t i; /* BOOL, INT */
    tsr_str s; /* STRING, CHOICE */
} tsr_pass_arg;
#define TSR_ARG_BOOL(nm, on) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_BOOL, .i = (on)})
#define TSR_ARG_INT(nm, n) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_INT, .i = (n)})
#define TSR_ARG_STR(nm, text) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_STRING, .s = (text)})
/* Adds a pass by name, as code gives it. Its name and those of its options must be in the tables. */
void tsr_pipeline_add_pass(tsr_pipelines *ps, tsr_pipeline *pl, const char *name,
                           const tsr_pass_arg *args, size_t n);
/* Joins neighbouring nested pipelines of one anchor, so that they run op by op. */
void tsr_pipeline_finish(tsr_pipeline *pl);
/* The pipeline as text, all options as given. */
void tsr_pipeline_print(tsr_buf *out, const tsr_pipeline *pl);

/* ---- Running ---- */

typedef struct {
    bool verify_each;   /* after each pass and each named pipeline that changed something */
    bool verify_inside; /* after each pass of a named pipeline, too */
    void *user;
    /* May be NULL. */
    void (*before)(void *user, const tsr_pass_info *info, tsr_op *op);
    void (*after)(void *user, const tsr_pass_info *info, tsr_op *op, bool ok, bool changed);
    void (*report)(void *user, tsr_str text); /* what a pass such as print-op-stats has to say */
    double (*clock)(void);                    /* seconds; NULL: nothing is timed */
    double verify_seconds;                    /* spent so far */
} tsr_run_options;

struct tsr_pass {
    tsr_ctx *ctx;
    tsr_module *module;
    const tsr_pass_info *info;
    const tsr_option_value *values;
    size_t nvalue;
    tsr_arena *scratch; /* rewound when the pass ends */
    bool changed;
    /* For passes that run others inside. */
    tsr_pipelines *pipelines;
    tsr_run_options *options;
};

/* Runs a pipeline on op, whose name must be the pipeline's anchor. False after a diagnostic. changed may be NULL. */
bool tsr_pipeline_run(tsr_pipelines *ps, tsr_pipeline *pl, tsr_op *op, tsr_run_options *options,
                      bool *changed);

/* Options of the running pass. The name must be in the table. */
bool tsr_pass_bool(const tsr_pass *p, const char *name);
int64_t tsr_pass_int(const tsr_pass *p, const char *name);
tsr_str tsr_pass_str(const tsr_pass *p, const char *name); /* the last value */
/* Value i of a list option; false after the last one. */
bool tsr_pass_item(const tsr_pass *p, const char *name, size_t i, tsr_str *out);

/* ---- Effects (effects.c) ---- */

/* Whether op, with what is inside it, neither reads nor writes anything. */
bool tsr_op_effect_free(const tsr_op *op);
/* Whether op itself says that it reads or writes something, rather than nothing at all. */
bool tsr_op_says_effects(const tsr_op *op);
/* Whether op could go if nobody used its results: effect free, no terminator, no symbol. */
bool tsr_op_removable(const tsr_op *op);
/* The same for a pass that asks at each level of a nest: what was found stays in known, so that no level is walked
 * again. While the map lives no op with regions goes, and none becomes free of effects or loses that. */
bool tsr_op_effect_free_known(tsr_map *known, const tsr_op *op);
bool tsr_op_removable_known(tsr_map *known, const tsr_op *op);
/* Unregistered ops may be isolated, too: nothing moves into or out of their regions. */
static inline bool tsr_op_maybe_isolated(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED || tsr_op_has(op, TSR_TRAIT(ISOLATED));
}

/* Whether passes may swap operands. StableHLO's ops commute, but its dialect asks for them to be left as they are. */
static inline bool tsr_op_may_swap(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(COMMUTATIVE)) && !tsr_op_has(op, TSR_TRAIT(KEEPS_ORDER));
}

/* ---- Parts that several passes share ---- */

/* Whether two ops compute the same: name, attributes, types, operands (in any order when commutative), regions. */
bool tsr_op_equivalent(const tsr_op *a, const tsr_op *b);
uint64_t tsr_op_equivalence_hash(const tsr_op *op);
/* The same of two blocks of one region; what they define may differ in name only. */
bool tsr_block_equivalent(const tsr_block *a, const tsr_block *b);
uint64_t tsr_block_equivalence_hash(const tsr_block *b);
/* Constants of equal value become one, at the front of the nearest isolated region. */
void tsr_unique_constants(tsr_pass *p, tsr_op *root);
/* What the op's row and traits fold, for ops with results that are no constants: true when each result is a value that
 * exists already, in out; touched when the op itself was changed instead. */
bool tsr_op_fold(tsr_arena *scratch, tsr_op *op, tsr_value **out, bool *touched);
/* Erases ops inside root that are removable and unused, chains of them too. */
bool tsr_erase_dead_ops(tsr_op *root);
/* Region simplification: unreachable blocks, dead ops and unused block arguments; with merge, equal blocks become one.
 * Returns whether anything changed. */
bool tsr_simplify_regions(tsr_pass *p, tsr_op *root, bool merge);

/* ---- The passes of pass.def ---- */

#define PASS(id, name, anchor, needs, breaks, summary) bool pass_##id(tsr_pass *p, tsr_op *root);
#define EXPAND(id, name, summary) void expand_##id(const tsr_pass *p, tsr_buf *out);
#include "pass/pass.def"

#endif
