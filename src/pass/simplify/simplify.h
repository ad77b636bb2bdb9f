/* SPDX-License-Identifier: Apache-2.0 */
/* simplify.h - local rewrites as rules in a table, and the driver that applies them.
 *
 * rules.def lists StableHLO's rules: the op they apply to, the sets they belong to, and how eager they are. Other
 * dialects have their own tables; a pass gives its table to the driver. A rule is one function that examines one op: it
 * either changes nothing and returns false, or changes the IR through the functions below and returns true. These tell
 * the driver which ops to visit again, so that no rule ever walks the module. Every rule makes the program simpler by
 * some measure, so that the rounds end. */
#ifndef TSR_PASS_SIMPLIFY_H
#define TSR_PASS_SIMPLIFY_H

#include "dialect/dialect.h"
#include "eval/eval.h"
#include "pass/pass.h"

/* ---- Sets of rules ---- */

enum {
    TSR_RULES_SHAPE = 1,    /* constant folding that computations of shapes need */
    TSR_RULES_FOLD = 2,     /* other constant folding; with SHAPE: stablehlo-aggressive-folder */
    TSR_RULES_SIMPLIFY = 4, /* stablehlo-aggressive-simplification */
    TSR_RULES_EXTRA = 8,    /* additional rules of tessera-simplify */
    TSR_RULES_FAST = 16,    /* additional rules if floats need not be exact */
    TSR_RULES_REFINE = 32,  /* refinement of result types (pass/shape) */
    TSR_RULES_STATIC = 64,  /* stablehlo-canonicalize-dynamism */
};

typedef struct tsr_rewriter tsr_rewriter;
typedef bool tsr_rule_fn(tsr_rewriter *r, tsr_op *op);

/* A row of a table of rules: it applies to ops of an opcode, or to every op of a dialect. */
typedef struct {
    uint8_t dialect; /* 0: opcode applies */
    uint16_t opcode;
    uint8_t eager;
    uint32_t sets;
    tsr_rule_fn *fn;
} tsr_rewrite;

typedef struct {
    const tsr_rewrite *rules;
    size_t n;
} tsr_rewrites;

extern const tsr_rewrites tsr_hlo_rewrites; /* rules.def; its sets are those above */

/* Rules in use by opcode: those of opcode c are rules[first[c]] up to rules[first[c + 1]]. Eager ones come first, then
 * in the table's order. */
typedef struct {
    tsr_rule_fn **rules;
    uint16_t *first;
    const tsr_rewrite **wide; /* for all ops of a dialect */
    size_t nwide;
} tsr_rewrites_by_opcode;

tsr_rewrites_by_opcode tsr_rewrites_list(const tsr_rewrites *table, unsigned sets,
                                         tsr_arena *arena);

typedef struct {
    const tsr_rewrites *rules; /* NULL: none */
    unsigned sets;             /* of the table, which defines them */
    int64_t element_limit;     /* maximum elements of a result that takes more room than before */
    bool limit_all;            /* and of every other one, except splats */
    bool optimize_float;       /* also fold floats */
    bool assume_no_effects;    /* assume that ops that declare no effects have none */
    bool exact;                /* preserve NaN, infinities and -0 */
    bool strict;               /* assume nothing, such as neutral initial values */
    bool top_down;             /* first op first, rather than last first */
    bool plain;        /* only rules: nothing is folded, dead ops stay, constants are not moved */
    bool keep_regions; /* do not change blocks */
    int64_t max_rounds;
    bool refine_all; /* refine types regardless of their users, which the pass fixes */
    bool loud;       /* contradictory types are an error, which sets failed */
    void *user;      /* for rules that belong to a pass */
} tsr_simplify_options;

/* Applies the rules to everything inside root until none applies; makes constants unique and moves them to the front,
 * removes dead ops and blocks. Returns whether anything changed. For passes of this layer and those above. */
bool tsr_simplify(tsr_pass *p, tsr_op *root, const tsr_simplify_options *options);

/* ---- For rules ---- */

/* The position of an op on the driver's lists. */
typedef struct {
    const tsr_op *op;
    uint32_t at; /* 1 + index in list; with TSR_RW_LATER: in later; 0: in none */
} tsr_rw_place;

struct tsr_rewriter {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_pass *p;
    const tsr_simplify_options *o;
    bool failed;
    tsr_attr **known; /* by value id: values that are known, though not constants; NULL: none */
    uint32_t nknown;
    /* Private to the driver. */
    TSR_VEC(tsr_op *) list; /* a stack; NULL: removed */
    /* ops with many operands, which are not visited again for each of them */
    TSR_VEC(tsr_op *) later;
    /* by op, hashed: the cost depends on the function's size, not the module's */
    tsr_rw_place *places;
    uint32_t nplace, cap_place;
    /* For rules: the starts of the operands of the last concatenation examined, and its end. */
    const tsr_op *parts_of;
    TSR_VEC(int64_t) parts; /* empty: some size is unknown */
};

#define RULE(id, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#define RULE_OF_ALL(dialect, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#include "pass/simplify/rules.def"

/* Removes some of a while's carried values, whose arguments have no uses; their results become the initial values.
 * left: how many stay. */
void tsr_shrink_while(tsr_rewriter *r, tsr_op *op, const bool *gone, uint32_t left);

/* For drivers that take ops off the list themselves: records that op is off; returns the next op with many operands, or
 * NULL; ends. */
void tsr_rw_taken(tsr_rewriter *r, const tsr_op *op);
tsr_op *tsr_rw_next_later(tsr_rewriter *r);
void tsr_rw_free(tsr_rewriter *r);

/* Creates an op before at, with its location; the driver will visit it. The caller sets its attributes. */
tsr_op *tsr_rw_new(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *const *types, size_t nout, size_t nregion);
/* The same for one result. */
tsr_op *tsr_rw_one(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type);
/* A constant of StableHLO's before at. */
tsr_value *tsr_rw_constant(tsr_rewriter *r, tsr_op *at, tsr_attr *value);
/* Replaces all uses of op's results by the values (NULL is allowed for unused results), and erases op. A value that
 * nobody used before gets op's location: a location says which value an op computes. */
void tsr_rw_replace(tsr_rewriter *r, tsr_op *op, tsr_value *const *values);
void tsr_rw_replace_one(tsr_rewriter *r, tsr_op *op,
                        tsr_value *value); /* for an op with one result */
/* Moves the uses, but the op stays, as it may have effects. */
void tsr_rw_forward(tsr_rewriter *r, tsr_value *from, tsr_value *to);
void tsr_rw_erase(tsr_rewriter *r, tsr_op *op);
void tsr_rw_set_operands(tsr_rewriter *r, tsr_op *op, tsr_value *const *in, size_t n);
void tsr_rw_set_operand(tsr_rewriter *r, tsr_op *op, size_t i, tsr_value *v);
void tsr_rw_touch(tsr_rewriter *r, tsr_op *op); /* look at it again */
/* op -> another op with the same result, which inherits its attributes. The caller sets slots, and says that it is done. */
tsr_op *tsr_rw_instead(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *const *in,
                       size_t nin);
bool tsr_rw_done(tsr_rewriter *r, tsr_op *op, tsr_op *made); /* true */
void tsr_rw_move_before(tsr_rewriter *r, tsr_op *end,
                        tsr_op *op); /* the ops of end's block but end, before op */
/* Discardable attributes of from go to to, as far as they stand for the same thing; either may be
 * NULL. */
void tsr_rw_merge_attrs(tsr_rewriter *r, const tsr_op *from, tsr_op *to);
static inline tsr_op *tsr_rw_def(const tsr_value *v) /* NULL for an argument */
{
    return v->is_arg ? NULL : v->op;
}
/* The op that defines v, if it has this opcode. */
static inline tsr_op *tsr_rw_def_is(const tsr_value *v, uint16_t opcode)
{
    return !v->is_arg && v->op->def->opcode == opcode ? v->op : NULL;
}
static inline tsr_value *tsr_rw_in(const tsr_op *op, size_t i)
{
    return op->in[i].value;
}
static inline bool tsr_rw_one_use(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}
/* Replaces op by an existing value of its type, which inherits its attributes. */
bool tsr_rw_becomes(tsr_rewriter *r, tsr_op *op, tsr_value *v);

/* ---- Constants (constants.c) ---- */

/* The dense value of a constant; NULL if v is not one. hlo: of a constant of StableHLO (or of our own dialect). */
tsr_attr *tsr_const_of(const tsr_value *v);
tsr_attr *tsr_const_hlo(const tsr_value *v);
/* The value of a constant, or of a value known to be constant. */
tsr_attr *tsr_known_of(const tsr_rewriter *r, const tsr_value *v);
/* The same for a constant with equal elements. */
tsr_attr *tsr_const_splat(const tsr_value *v);
/* An element of each numeric kind; for splats only. */
typedef enum {
    TSR_IS_ZERO,
    TSR_IS_PLUS_ZERO,
    TSR_IS_MINUS_ZERO,
    TSR_IS_ONE,
    TSR_IS_ALL_ONES
} tsr_number;
bool tsr_const_is(const tsr_attr *dense, tsr_number n);
bool tsr_elem_is_int(const tsr_type *elem); /* integers, including i1 */
bool tsr_elem_is_float(const tsr_type *elem);
/* Whether every value of from is one of to: more bits of the same kind. */
bool tsr_elem_widens(const tsr_type *from, const tsr_type *to);
/* Whether no element of v can be -0, as far as a few ops before it show. */
bool tsr_never_minus_zero(const tsr_value *v);
/* The integers of a known value in a new scratch array; NULL if it has other elements. */
int64_t *tsr_const_ints(tsr_rewriter *r, const tsr_value *v, size_t *n);
/* What a kernel computes for op from these operands, as a constant of this type; splat: one element for all. NULL if it
 * fails. */
tsr_attr *tsr_const_of_kernel(tsr_rewriter *r, eval_fn *kernel, tsr_op *op, tsr_tensor **in,
                              tsr_type *type, bool splat);
/* A splat of an existing splat's element in another shape; of a small integer. NULL if the type cannot represent it. */
tsr_attr *tsr_const_resized(tsr_rewriter *r, const tsr_attr *splat, tsr_type *type);
tsr_attr *tsr_const_number(tsr_rewriter *r, tsr_type *type, int64_t number);
tsr_attr *tsr_const_empty(tsr_rewriter *r, tsr_type *type); /* of a shape without elements */

/* Replaces all results of op by broadcasts of scalars, one each, whether their shapes are static or not
 * (rules_dynamic.c). */
bool tsr_rw_fill(tsr_rewriter *r, tsr_op *op, tsr_value *const *scalars);

/* ---- Attributes ---- */

static inline tsr_attr *tsr_rw_i64s(tsr_rewriter *r, const int64_t *v, size_t n)
{
    return tsr_attr_i64_array(r->ctx, v, n);
}
static inline int64_t *tsr_rw_ints(tsr_rewriter *r, size_t n) /* scratch */
{
    return TSR_NEW_ARRAY(r->p->scratch, int64_t, n ? n : 1);
}
bool tsr_ints_are_iota(const tsr_attr *a);
bool tsr_ints_are_sorted(const tsr_attr *a);
bool tsr_ints_are_all(const tsr_attr *a, int64_t v);
static inline bool tsr_rw_static(const tsr_value *v) /* a tensor of static shape */
{
    return v->type->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(v->type);
}

/* ---- Folding (fold.c) ---- */

/* Computes op on its constant operands with its kernel: pointwise ops on splats give a splat. NULL if some operand is
 * not a constant, the op has no kernel, or it fails. */
tsr_attr *tsr_fold_by_kernel(tsr_rewriter *r, tsr_op *op);

#endif
