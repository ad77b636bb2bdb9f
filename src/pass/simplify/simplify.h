/* simplify.h - local rewrites as rules in a table, and the driver that applies them.
 *
 * rules.def lists StableHLO's rules: which op they look at, which sets they belong to, and how eager they
 * are. Other dialects have tables of their own; a pass hands its table to the driver. A rule is one function that looks at one op: it either leaves everything alone and returns
 * false, or changes the IR through the functions below and returns true. They tell the driver which
 * ops to look at again, so that no rule ever walks the module. Every rule makes the program simpler
 * by some measure, so that the rounds end. */
#ifndef TSR_PASS_SIMPLIFY_H
#define TSR_PASS_SIMPLIFY_H

#include "dialect/dialect.h"
#include "pass/pass.h"

/* ---- Sets of rules ---- */

enum {
    TSR_RULES_SHAPE = 1, /* folding of constants as computations of shapes need it */
    TSR_RULES_FOLD = 2,  /* other folding of constants; with SHAPE: stablehlo-aggressive-folder */
    TSR_RULES_SIMPLIFY = 4, /* stablehlo-aggressive-simplification */
    TSR_RULES_EXTRA = 8,    /* tessera-simplify has these, too */
    TSR_RULES_FAST = 16,    /* and these, when floats need not be exact */
    TSR_RULES_REFINE = 32,  /* types of results become more precise (pass/shape) */
    TSR_RULES_STATIC = 64,  /* stablehlo-canonicalize-dynamism */
};

typedef struct tsr_rewriter tsr_rewriter;
typedef bool tsr_rule_fn(tsr_rewriter *r, tsr_op *op);

/* A row of a table of rules: it looks at ops of an opcode, or at every op of a dialect. */
typedef struct {
    uint8_t dialect; /* 0: opcode counts */
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
 * the table's order counts. */
typedef struct {
    tsr_rule_fn **rules;
    uint16_t *first;
    const tsr_rewrite **wide; /* of all ops of a dialect */
    size_t nwide;
} tsr_rewrites_by_opcode;

tsr_rewrites_by_opcode tsr_rewrites_list(const tsr_rewrites *table, unsigned sets,
                                         tsr_arena *arena);

typedef struct {
    const tsr_rewrites *rules; /* NULL: none */
    unsigned sets;             /* of the table's; the table says what they are */
    int64_t element_limit;     /* most elements of a result that takes more room than before */
    bool limit_all;            /* and of every other one, splats apart */
    bool optimize_float;       /* floats are folded, too */
    bool assume_no_effects;    /* what does not say that it has effects has none */
    bool exact;                /* NaN, infinities and -0 stay what they are */
    bool strict;               /* nothing is taken for granted, such as neutral initial values */
    bool top_down;             /* first op first, rather than last first */
    bool plain; /* rules alone: nothing is folded, dead ops stay, constants stay where they are */
    bool keep_regions; /* blocks stay as they are */
    int64_t max_rounds;
    bool refine_all; /* types are refined whoever uses them; the pass mends those users */
    bool loud;       /* types that contradict each other are an error, which sets failed */
    void *user;      /* of rules that belong to a pass */
} tsr_simplify_options;

/* Applies the rules to everything inside root until none applies; constants become unique and are
 * in front, dead ops and blocks go. Whether anything changed. For passes of this layer and those above. */
bool tsr_simplify(tsr_pass *p, tsr_op *root, const tsr_simplify_options *options);

/* ---- For rules ---- */

/* Where an op is on the driver's lists. */
typedef struct {
    const tsr_op *op;
    uint32_t at; /* 1 + place in list; with TSR_RW_LATER: in later; 0: in none */
} tsr_rw_place;

struct tsr_rewriter {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_pass *p;
    const tsr_simplify_options *o;
    bool failed;
    tsr_attr **known; /* by value id: values that are known, though no constants; NULL: none are */
    uint32_t nknown;
    /* The driver's own. */
    TSR_VEC(tsr_op *) list; /* a stack; NULL: taken off */
    TSR_VEC(tsr_op *)
    later;                /* ops of many operands, which are not looked at again for each of them */
    tsr_rw_place *places; /* by op, hashed: a function costs its own size, not the module's */
    uint32_t nplace, cap_place;
    /* Of rules: where the operands of the concatenation that was last asked about start; its end, too. */
    const tsr_op *parts_of;
    TSR_VEC(int64_t) parts; /* empty: some size is not known */
};

#define RULE(id, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#define RULE_OF_ALL(dialect, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#include "pass/simplify/rules.def"

/* A while without some of the values that it carries, whose arguments have no uses; their results are the initial values.
 * left: how many stay. */
void tsr_shrink_while(tsr_rewriter *r, tsr_op *op, const bool *gone, uint32_t left);

/* For drivers that take ops off the list themselves: op is off; the next of those of many operands, or NULL; the end. */
void tsr_rw_taken(tsr_rewriter *r, const tsr_op *op);
tsr_op *tsr_rw_next_later(tsr_rewriter *r);
void tsr_rw_free(tsr_rewriter *r);

/* A new op before at, with its place; the driver will look at it. Its attributes are set by the
 * caller. */
tsr_op *tsr_rw_new(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *const *types, size_t nout, size_t nregion);
/* The same for one result. */
tsr_op *tsr_rw_one(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type);
/* A constant of StableHLO's before at. */
tsr_value *tsr_rw_constant(tsr_rewriter *r, tsr_op *at, tsr_attr *value);
/* All uses of op's results become uses of the values (of which those for unused results may be
 * NULL); op is erased. */
void tsr_rw_replace(tsr_rewriter *r, tsr_op *op, tsr_value *const *values);
void tsr_rw_replace_one(tsr_rewriter *r, tsr_op *op,
                        tsr_value *value); /* an op of one result; always true in effect */
/* Uses move, the op stays: it may have effects. */
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
static inline tsr_op *tsr_rw_def(const tsr_value *v) /* NULL of an argument */
{
    return v->is_arg ? NULL : v->op;
}
/* The op that defines v, if it is one of these. */
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

/* The dense value of a constant; NULL when v is none. hlo: of a constant of StableHLO's (or of our
 * own dialect's). */
tsr_attr *tsr_const_of(const tsr_value *v);
tsr_attr *tsr_const_hlo(const tsr_value *v);
/* The value of a constant, or of what is known to be one. */
tsr_attr *tsr_known_of(const tsr_rewriter *r, const tsr_value *v);
/* The same of a constant, when all elements are equal. */
tsr_attr *tsr_const_splat(const tsr_value *v);
/* One element of every kind of number; of splats only. */
typedef enum {
    TSR_IS_ZERO,
    TSR_IS_PLUS_ZERO,
    TSR_IS_MINUS_ZERO,
    TSR_IS_ONE,
    TSR_IS_ALL_ONES
} tsr_number;
bool tsr_const_is(const tsr_attr *dense, tsr_number n);
bool tsr_elem_is_int(const tsr_type *elem); /* integers, i1 too */
bool tsr_elem_is_float(const tsr_type *elem);
/* Whether every value of from is one of to: more bits of the same kind. */
bool tsr_elem_widens(const tsr_type *from, const tsr_type *to);
/* Whether no element of v can be -0, as far as a few ops before it tell. */
bool tsr_never_minus_zero(const tsr_value *v);
/* The integers of a known value into a new array in scratch memory; NULL when it has other elements. */
int64_t *tsr_const_ints(tsr_rewriter *r, const tsr_value *v, size_t *n);
/* What a kernel computed as a constant of this type; splat: it computed one element for all. */
tsr_attr *tsr_const_of_tensor(tsr_rewriter *r, const tsr_tensor *t, tsr_type *type, bool splat);
/* A splat of an existing splat's element in another shape; of a small integer. NULL when the type
 * has no such numbers. */
tsr_attr *tsr_const_resized(tsr_rewriter *r, const tsr_attr *splat, tsr_type *type);
tsr_attr *tsr_const_number(tsr_rewriter *r, tsr_type *type, int64_t number);
tsr_attr *tsr_const_empty(tsr_rewriter *r, tsr_type *type); /* of a shape without elements */

/* All results of op become broadcasts of scalars, one each, whether their shapes are known or not
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
static inline bool tsr_rw_static(const tsr_value *v) /* a tensor of known shape */
{
    return v->type->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(v->type);
}

/* ---- Folding (fold.c) ---- */

/* Computes op on its constant operands by its kernel: pointwise ops on splats give a splat. NULL
 * when some operand is no constant, the op has no kernel, or it fails. */
tsr_attr *tsr_fold_by_kernel(tsr_rewriter *r, tsr_op *op);

#endif
