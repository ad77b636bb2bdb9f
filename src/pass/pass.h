/* SPDX-License-Identifier: Apache-2.0 */
/* pass.h - passes, their options, pipelines of them, and the manager that runs a pipeline.
 *
 * A layer has one table of passes (pass/pass.def, later shard/, lower/); api/ passes the list of all tables to the
 * manager. A pass changes only what is inside its root op. It neither prints nor times nor verifies: the manager does,
 * through tsr_run_options. */
#ifndef TSR_PASS_PASS_H
#define TSR_PASS_PASS_H

#include "base/suggest.h"
#include "ir/ir.h"

/* ---- Tables ---- */

typedef enum {
    TSR_OPTION_BOOL, /* true, false, 1, 0; the bare name means true */
    TSR_OPTION_INT,
    TSR_OPTION_STRING,
    TSR_OPTION_LIST,   /* values separated by commas; repeated options append */
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

/* What a pass requires, and what it invalidates. */
enum {
    TSR_NEEDS_NONE = 0,
    TSR_NEEDS_IDS =
        1, /* ids of ops, values and blocks in program order, without gaps; for passes on modules */
    TSR_BREAKS_NONE = 0,
    TSR_BREAKS_IDS = 1, /* creates, moves or erases ops */
};

typedef struct tsr_pass tsr_pass;

typedef struct {
    const char *id, *name;
    const char *summary;
    tsr_anchor anchor;
    unsigned needs, breaks;
    bool (*run)(tsr_pass *p, tsr_op *root); /* false after a diagnostic */
    /* For a named pipeline instead of a pass: its text, or the function that writes it from the options. */
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
/* Suggests names of passes for a misspelt one. */
void tsr_suggest_pass(const tsr_pass_list *list, tsr_suggestion *s);
/* Option i of a pass; NULL after the last one. */
const tsr_option *tsr_pass_option(const tsr_pass_list *list, const tsr_pass_info *info, size_t i);

/* ---- Pipelines ---- */

typedef struct tsr_pipeline tsr_pipeline;

/* A given option: "name=value"; value is "true" for a boolean's bare name. */
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
    double seconds; /* time spent here so far, without verification */
    bool inside;    /* part of a named pipeline, which is verified as a whole when it ends */
    bool ends;      /* the last step of one or more named pipelines */
} tsr_step;

struct tsr_pipeline {
    tsr_str anchor; /* name of the ops it runs on; "any" */
    TSR_VEC(tsr_step) steps;
    /* all pipelines of one arena are linked, so that their vectors can be freed */
    tsr_pipeline *next_owned;
};

/* State for reading and running pipelines. */
typedef struct {
    tsr_ctx *ctx;
    const tsr_pass_list *list;
    tsr_arena arena;
    tsr_pipeline *owned;
} tsr_pipelines;

void tsr_pipelines_init(tsr_pipelines *ps, tsr_ctx *ctx, const tsr_pass_list *list);
void tsr_pipelines_free(tsr_pipelines *ps);
tsr_pipeline *tsr_pipeline_new(tsr_pipelines *ps, tsr_str anchor);
/* Writes an option value as text that is read back as this value, whatever characters it contains: unchanged, or as
 * @"..." with escapes. Use it for names of functions and files. */
void tsr_option_quote(tsr_buf *out, tsr_str value);
/* The value of a text in that form; other text unchanged. */
tsr_str tsr_option_unquote(tsr_arena *arena, tsr_str s);
/* The end of @"..." that begins at this position of s; the position itself if there is none. */
size_t tsr_option_quoted_end(tsr_str s, size_t at);
/* Reads "op.name(pass{a=1 b=2},op.name(pass))"; strict: the outermost op is required, otherwise a list of passes is
 * taken to be for builtin.module. NULL after a diagnostic that shows the position in the text. */
tsr_pipeline *tsr_pipeline_parse(tsr_pipelines *ps, tsr_str text, bool strict);
/* Reads a list of passes for ops of this name. */
tsr_pipeline *tsr_pipeline_parse_list(tsr_pipelines *ps, tsr_str anchor, tsr_str text);
/* Adds a pass by name, as from a flag: "a=1 b=true" in options; a pass that runs on other ops is nested. */
bool tsr_pipeline_add(tsr_pipelines *ps, tsr_pipeline *pl, tsr_str name, tsr_str options);
/* An option given by code: a value of its type, with any characters. Items of a list are given one by one. */
typedef struct {
    const char *name;
    tsr_option_type type;
    int64_t i; /* BOOL, INT */
    tsr_str s; /* STRING, CHOICE */
} tsr_pass_arg;
#define TSR_ARG_BOOL(nm, on) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_BOOL, .i = (on)})
#define TSR_ARG_INT(nm, n) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_INT, .i = (n)})
#define TSR_ARG_STR(nm, text) ((tsr_pass_arg){.name = nm, .type = TSR_OPTION_STRING, .s = (text)})
/* Adds a pass by name, from code. Its name and those of its options must be in the tables. */
void tsr_pipeline_add_pass(tsr_pipelines *ps, tsr_pipeline *pl, const char *name,
                           const tsr_pass_arg *args, size_t n);
/* Merges adjacent nested pipelines with the same anchor, so that they run op by op. */
void tsr_pipeline_finish(tsr_pipeline *pl);
/* Prints the pipeline, with all options as given. */
void tsr_pipeline_print(tsr_buf *out, const tsr_pipeline *pl);

/* ---- Running ---- */

typedef struct {
    bool verify_each;   /* after each pass and each named pipeline that changed something */
    bool verify_inside; /* after each pass of a named pipeline, too */
    void *user;
    /* May be NULL. */
    void (*before)(void *user, const tsr_pass_info *info, tsr_op *op);
    void (*after)(void *user, const tsr_pass_info *info, tsr_op *op, bool ok, bool changed);
    void (*report)(void *user, tsr_str text); /* output of a pass such as print-op-stats */
    double (*clock)(void);                    /* seconds; NULL: no timing */
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

/* Whether op, including the ops inside it, neither reads nor writes anything. */
bool tsr_op_effect_free(const tsr_op *op);
/* Whether op's row itself declares effects, read or write, rather than nothing at all. */
bool tsr_op_says_effects(const tsr_op *op);
/* Whether op could be erased if its results were unused: effect free, not a terminator, not a symbol. */
bool tsr_op_removable(const tsr_op *op);
/* The same for a pass that asks at each level of a nest: answers are cached in known, so that no level is walked again.
 * While the map lives, ops with regions must not be erased, or change whether they have effects. */
bool tsr_op_effect_free_known(tsr_map *known, const tsr_op *op);
bool tsr_op_removable_known(tsr_map *known, const tsr_op *op);
/* Unregistered ops may also be isolated: nothing moves into or out of their regions. */
static inline bool tsr_op_maybe_isolated(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED || tsr_op_has(op, TSR_TRAIT(ISOLATED));
}

/* Whether passes may swap operands. StableHLO's ops commute, but its dialect wants operands left in order. */
static inline bool tsr_op_may_swap(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(COMMUTATIVE)) && !tsr_op_has(op, TSR_TRAIT(KEEPS_ORDER));
}

/* ---- Helpers that several passes share ---- */

/* Replaces a call by the body of the function, whose types it has. */
void tsr_inline_call(tsr_op *call, tsr_op *callee);

/* Whether two ops compute the same: name, attributes, types, operands (in any order if commutative), regions. */
bool tsr_op_equivalent(const tsr_op *a, const tsr_op *b);
uint64_t tsr_op_equivalence_hash(const tsr_op *op);
/* The same for two blocks of one region; the values that they define may differ. */
bool tsr_block_equivalent(const tsr_block *a, const tsr_block *b);
uint64_t tsr_block_equivalence_hash(const tsr_block *b);
/* Merges constants of equal value, at the front of the nearest isolated region. */
void tsr_unique_constants(tsr_pass *p, tsr_op *root);
/* Folds an op that is not a constant by its row and traits: true if each result is an existing value, in out; touched
 * if the op itself was changed instead. */
bool tsr_op_fold(tsr_arena *scratch, tsr_op *op, tsr_value **out, bool *touched);
/* Erases ops inside root that are removable and unused, including chains of them. */
bool tsr_erase_dead_ops(tsr_op *root);
/* Region simplification: removes unreachable blocks, dead ops and unused block arguments; with merge, merges equal
 * blocks. Returns whether anything changed. */
bool tsr_simplify_regions(tsr_pass *p, tsr_op *root, bool merge);

/* ---- The passes of pass.def ---- */

#define PASS(id, name, anchor, needs, breaks, summary) bool pass_##id(tsr_pass *p, tsr_op *root);
#define EXPAND(id, name, summary) void expand_##id(const tsr_pass *p, tsr_buf *out);
#include "pass/pass.def"

#endif
