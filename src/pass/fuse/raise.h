/* SPDX-License-Identifier: Apache-2.0 */
/* raise.h - finds layers written out in ops of StableHLO, CHLO or Graph IR and replaces each with one op of Graph IR.
 *
 * A pattern is matched from its last op, the root, upwards. Values are seen through a view: a value, and the positions
 * of its dimensions in a frame (the shape in which the pattern is written), so that broadcasts, reshapes, transposes
 * and conversions need no patterns of their own. Ops that the new op replaces are taken; a pattern matches only if
 * taken ops have no other users, since they would be computed twice. */
#ifndef TSR_PASS_FUSE_RAISE_H
#define TSR_PASS_FUSE_RAISE_H

#include <math.h>

#include "dialect/tessera/tessera.h"
#include "pass/pass.h"

typedef enum {
    ROLE_NONE,
    ROLE_ADD,
    ROLE_SUB,
    ROLE_MUL,
    ROLE_DIV,
    ROLE_MAX,
    ROLE_MIN,
    ROLE_POW,
    ROLE_NEG,
    ROLE_EXP,
    ROLE_SQRT,
    ROLE_RSQRT,
    ROLE_TANH,
    ROLE_SIGMOID,
    ROLE_ERF,
    ROLE_ERFC,
    ROLE_SQUARE,
    ROLE_CONVERT,
    ROLE_CONSTANT,
    ROLE_BROADCAST,
    ROLE_RESHAPE,
    ROLE_TRANSPOSE,
    ROLE_REDUCE,
    ROLE_PRODUCT,
    ROLE_SELECT,
    ROLE_COMPARE,
    ROLE_IOTA,
    ROLE_COMPLEX,
    ROLE_REAL,
    ROLE_IMAG,
    ROLE_AND,
    ROLE_NOT,
    ROLE_OR,
    ROLE_SLICE,
    ROLE_CONCATENATE,
    ROLE_BATCH_NORM,
    ROLE_SOFTMAX,
    ROLE_LAYER_NORM,
    ROLE_RMS_NORM,
    ROLE_GELU,
    ROLE_SILU,
    ROLE_ROTARY,
    ROLE_RELU,
} tsr_role;

enum { TSR_RAISE_RANK = 10, TSR_RAISE_TAKEN = 96, TSR_RAISE_STEPS = 12 };

/* A value; its dimension i is dimension at[i] of the frame, or has size 1 and is repeated (-1). */
typedef struct {
    tsr_value *v;
    int8_t at[TSR_RAISE_RANK];
} tsr_view;

/* The result of the last query for a causal mask in a constant, as layers share masks. */
typedef struct {
    const tsr_attr *data;
    int64_t step[2];
    bool fits;
    int64_t shift;
    double values[2];
} tsr_mask_memo;

/* A pattern while it is matched. */
typedef struct {
    tsr_pass *pass;
    tsr_op *root;
    /* the layer that was found, "attention": from then on reasons for refusing it are reported */
    const char *what;
    size_t n;
    tsr_op *taken[TSR_RAISE_TAKEN];
    tsr_buf *dump; /* NULL: not requested */
    tsr_mask_memo memo;
} tsr_match;

/* ---- Queries (match.c) ---- */

tsr_role tsr_role_of(const tsr_op *op);
/* The op that defines v; NULL: v is an argument. */
static inline tsr_op *tsr_maker(const tsr_value *v)
{
    return v->is_arg ? NULL : v->op;
}
static inline tsr_role tsr_role_made(const tsr_value *v)
{
    return v->is_arg ? ROLE_NONE : tsr_role_of(v->op);
}
/* Whether patterns can refer to v: a tensor of static shape and limited rank. */
bool tsr_view_fits(const tsr_value *v);
/* v with its own shape as the frame. */
tsr_view tsr_view_of(tsr_value *v);
/* Operand i of the elementwise op that defines w.v. */
tsr_view tsr_view_in(const tsr_view *w, uint32_t i);
/* Goes up through one op that only moves, repeats or converts, or selects by a constant; false: there is none. m: takes
 * the op; may be NULL. */
bool tsr_view_up(tsr_match *m, tsr_view *w);
/* The same, as far as possible. */
void tsr_view_top(tsr_match *m, tsr_view *w);
/* Whether w is a tensor with the frame's shape (t), dimension by dimension. */
bool tsr_view_whole(const tsr_view *w, const tsr_type *t);
/* The positions of the dimensions of a reshape's operand in its result, if they differ only by dimensions of size 1. */
bool tsr_unit_reshape(const tsr_type *from, const tsr_type *to, int8_t *at);

/* Whether two values are equal, up to duplicated conversions. */
bool tsr_same(tsr_value *a, tsr_value *b);
/* Whether op only widens floats, so that no value changes; v above such ops. */
bool tsr_widens(const tsr_op *op);
tsr_value *tsr_unwidened(tsr_value *v);
/* Whether the comparison op holds for a and b. */
bool tsr_compared(const tsr_op *op, double a, double b);
/* What an op of this role makes of numbers; a, for roles that change none. */
double tsr_role_value(tsr_role role, const tsr_op *op, double a, double b);
/* The number that all elements of v are. */
bool tsr_splat_number(const tsr_value *v, double *out);
/* The relative error that constants of this type may have: from rounding, or from six written digits. */
double tsr_precision(const tsr_type *elem);
/* A dense constant's element i. */
double tsr_dense_at(const tsr_attr *a, int64_t i);
/* Adds the op to the pattern; false if there are too many. */
bool tsr_take(tsr_match *m, tsr_op *op);
/* w is other times a number (or divided by one): takes the op, w becomes other. */
bool tsr_scaled(tsr_match *m, tsr_view *w, double *factor);
/* The kind of a reduce; TSR_TESSERA_NO_KIND: something else. */
tsr_tessera_kind tsr_reduction(const tsr_op *op);
/* The same for booleans: ROLE_AND or ROLE_OR with a neutral initial value. */
tsr_role tsr_truth_reduction(const tsr_op *op);
/* The operand of the reduce that defines w.v; the reduced dimension is at the free position of the frame. */
bool tsr_view_reduced(const tsr_view *w, tsr_view *of, int64_t *dim);
/* w is a reduction of *of (whole, with the frame's shape t) over one dimension, repeated along it. */
bool tsr_reduced(tsr_match *m, tsr_view w, const tsr_type *t, tsr_tessera_kind kind, tsr_view *of,
                 int64_t *dim, double *factor);
/* The factors of a product: numbers are multiplied, divisors are marked; ops without other users are expanded and
 * taken. False: there are more than TSR_RAISE_FACTORS. */
enum { TSR_RAISE_FACTORS = 4 };
typedef struct {
    double number;
    size_t n;
    tsr_view of[TSR_RAISE_FACTORS];
    bool divides[TSR_RAISE_FACTORS];
} tsr_factors;
bool tsr_factor(tsr_match *m, const tsr_view *w, tsr_factors *out);
/* Whether no taken op has other users; reports it if not. */
bool tsr_alone(const tsr_match *m);
/* Reports that m->what was raised. */
void tsr_tell_raised(const tsr_match *m);
/* Reports why m->what was not raised; always false. */
bool tsr_refuse(const tsr_match *m, const tsr_op *at, const char *why);

/* ---- Products (product.c) ---- */

enum { TSR_CONTRACTED = -2, TSR_UNIT = -1, TSR_FREE = 127 };

/* A product of two operands, in dimensions that may be finer than those of its values. */
typedef struct {
    tsr_value *in[2];
    uint32_t n[2];
    int64_t dims[2][TSR_RAISE_RANK];
    /* dimension of the result, or TSR_CONTRACTED, or TSR_UNIT: of size 1, repeated */
    int8_t map[2][TSR_RAISE_RANK];
    uint32_t rank; /* of the result */
    int64_t out[TSR_RAISE_RANK];
} tsr_product;

bool tsr_product_of(const tsr_op *op, tsr_product *p);
/* Whether fine is coarse with its first dimension split into *k. */
bool tsr_parted(const tsr_type *coarse, const tsr_type *fine, uint32_t *k);
/* Splits dimension r of the result, a batch dimension, into k of these sizes. */
bool tsr_product_part(tsr_product *p, int8_t r, const int64_t *sizes, uint32_t k);
/* The position of a label among n, or -1; the number of its occurrences. */
int tsr_label_find(const int8_t *map, uint32_t n, int label);
int tsr_label_count(const int8_t *map, uint32_t n, int label);

/* ---- Atoms (atoms.c) ---- */

/* A value whose elements, in row-major order, are indexed by these dimensions. */
typedef struct {
    tsr_value *v;
    uint32_t n;
    int8_t label[TSR_RAISE_RANK];
    int64_t size[TSR_RAISE_RANK];
} tsr_atoms;

/* Goes up through one op that only moves, widens or repeats; repeated dimensions must have labels in may (NULL:
 * any). */
bool tsr_atoms_up(tsr_atoms *a, const int8_t *may, uint32_t nmay);
/* Goes down to a transpose of the value, or a reshape of whole atoms; false: op is neither. */
bool tsr_atoms_down(tsr_atoms *a, tsr_op *op);
/* Whether each dimension of the value consists of whole atoms. */
bool tsr_atoms_aligned(const tsr_atoms *a);
/* The first atom that would have to be split for dimensions of t to consist of whole atoms. */
bool tsr_atoms_split(const tsr_atoms *a, const tsr_type *t, uint32_t *which, int64_t sizes[2]);
/* Like tsr_raise_arrange. */
tsr_value *tsr_atoms_arrange(const tsr_match *m, const tsr_atoms *a, const int8_t *order, size_t n,
                             bool trim);

/* ---- Making (make.c) ---- */

/* Creates an op of Graph IR before the root; type NULL: that of the root. */
tsr_op *tsr_raise_new(const tsr_match *m, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                      tsr_type *type);
/* A layer on in[0], in the root's element type if in[0] was converted from it, else in a wider one. */
tsr_op *tsr_raise_layer(const tsr_match *m, enum tsr_opcode opcode, tsr_value **in, size_t n);
tsr_value *tsr_raise_cast(const tsr_match *m, tsr_value *v, tsr_type *elem);
tsr_value *tsr_raise_reshape(const tsr_match *m, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_raise_transpose(const tsr_match *m, tsr_value *v, const int64_t *perm);
/* w with the dimensions of the frame in this order, of size 1 where it has none. trim: without leading ones. */
tsr_value *tsr_raise_arrange(const tsr_match *m, const tsr_view *w, const int8_t *order, size_t n,
                             bool trim);
tsr_attr *tsr_raise_f64(const tsr_match *m, double x);
/* Replaces the root by v. */
bool tsr_raise_put(tsr_match *m, tsr_value *v);

/* ---- Patterns: true if the root was replaced ---- */

bool tsr_raise_softmax(tsr_match *m);    /* raise_point.c; root: DIV or MUL */
bool tsr_raise_gelu(tsr_match *m);       /* MUL or DIV */
bool tsr_raise_silu(tsr_match *m);       /* MUL or DIV */
bool tsr_raise_norm(tsr_match *m);       /* raise_norm.c; MUL, DIV or ADD */
bool tsr_raise_batch_norm(tsr_match *m); /* BATCH_NORM */
bool tsr_raise_affine(tsr_match *m);     /* ADD or MUL below a norm */
bool tsr_raise_narrow(tsr_match *m);     /* CONVERT below a layer of a converted value */
bool tsr_raise_attention(tsr_match *m);  /* raise_attention.c; PRODUCT */
bool tsr_raise_rotary(tsr_match *m);     /* raise_rotary.c; ADD, CONCATENATE or RESHAPE */

/* ---- Masks (mask.c) ---- */

/* Whether w tells for each row of x (in the frame's shape), along dimension k, whether all of it is -inf. */
bool tsr_mask_all_hidden(tsr_match *m, tsr_view w, const tsr_value *x, const tsr_type *frame,
                         int64_t k);
/* Whether visible (i1, or floats that are added: 0 and low) hides key j from query i exactly if j > i + shift, for
 * dimensions q and k of the frame; *low: the value of hidden scores, for floats. invert: true hides. */
bool tsr_mask_causal(tsr_match *m, const tsr_view *visible, bool invert, const tsr_type *frame,
                     int8_t q, int8_t k, int64_t *shift, double *low);

#endif
