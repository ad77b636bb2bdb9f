/* ttir.h - StableHLO said in TTIR: the TTIR column of op rows, and what its hooks share.
 *
 * A row says TTIR_AS(TTIR_ADD) when its op is ttir.add of the same operands and results;
 * TTIR(hook) when ttir_<hook> builds it; TTIR_INSIDE when the op stays and the ops in its
 * regions are converted. An op that has no such column, or whose hook says no, stays as it is,
 * with its regions.
 *
 * TTIR_AS and TTIR are asked only about ranked tensors of at most TSR_TTIR_RANK dimensions whose
 * elements are neither complex nor quantized; TTIR_ANY(hook) is asked about all. */
#ifndef TSR_LOWER_TTIR_H
#define TSR_LOWER_TTIR_H

#include "dialect/stablehlo/stablehlo.h"
#include "dialect/ttir/ttir.h"
#include "lower/lower.h"

enum { TSR_TTIR_RANK = 64 }; /* no tensor here has more dimensions */

/* Builds what op computes and gives a value for each of its results; NULL for one that nobody
 * uses. What it builds may be StableHLO's, which is converted in its turn. False when op has no
 * such form, without a diagnostic: what was built is erased, and the op stays. */
typedef bool tsr_ttir_fn(tsr_build *b, tsr_op *op, tsr_value **out);
#define TTIR(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_ANY(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_FIRST(hook) tsr_ttir_fn ttir_##hook;
#include "dialect/ops.def"

/* Custom calls by target: ttir_calls.def. */
#define CALL(target, hook) tsr_ttir_fn ttir_call_##hook;
#include "lower/ttir_calls.def"

/* ---- ttir_build.c: ops of TTIR ---- */

/* An op that stands nowhere yet, with the defaults that its row fills in; tsr_build_close_as
 * puts it in place. */
tsr_op *tsr_ttir_open(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t nin, size_t nout);
/* An op of one result, without attributes but the filled ones. */
tsr_value *tsr_ttir_op(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n, tsr_type *type);
/* Puts op in place with one result of this type. */
tsr_value *tsr_ttir_close(tsr_build *b, tsr_op *op, tsr_type *type);
/* Elementwise: results are of type, or of x's when it is NULL. */
tsr_value *tsr_ttir_unary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_type *type);
tsr_value *tsr_ttir_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y, tsr_type *type);
tsr_value *tsr_ttir_where(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y);
tsr_value *tsr_ttir_typecast(tsr_build *b, tsr_value *x, tsr_type *elem); /* x itself when it has this element type */

/* Shapes; the value itself when nothing changes, but for the forms with _op. */
tsr_value *tsr_ttir_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_ttir_permute(tsr_build *b, tsr_value *v, const int64_t *permutation);
tsr_value *tsr_ttir_reshape_op(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_ttir_permute_op(tsr_build *b, tsr_value *v, const int64_t *permutation);
tsr_value *tsr_ttir_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims); /* of the same rank */
tsr_value *tsr_ttir_everywhere(tsr_build *b, tsr_value *scalar, const tsr_type *like); /* in all places of a shape */
tsr_value *tsr_ttir_repeat(tsr_build *b, tsr_value *v, const int64_t *times);
tsr_value *tsr_ttir_concat(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim);
/* step: NULL for ones. */
tsr_value *tsr_ttir_slice(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end, const int64_t *step);
tsr_value *tsr_ttir_slice_dim(tsr_build *b, tsr_value *v, int64_t dim, int64_t begin, int64_t end);
/* padding: low, high of each dimension. */
tsr_value *tsr_ttir_pad(tsr_build *b, tsr_value *v, const int64_t *padding, double value);
tsr_value *tsr_ttir_reverse(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
/* A reduction: opcode is TTIR_SUM and the like; elem: NULL for v's. */
tsr_value *tsr_ttir_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims, size_t n, bool keep,
                           tsr_type *elem);

/* Tensors from nothing. */
tsr_value *tsr_ttir_constant(tsr_build *b, tsr_attr *value);
tsr_value *tsr_ttir_splat(tsr_build *b, tsr_type *type, double number); /* a ttir.constant of one number */
tsr_value *tsr_ttir_full(tsr_build *b, tsr_type *type, double number);  /* a ttir.full */
tsr_value *tsr_ttir_ints(tsr_build *b, tsr_type *elem, const int64_t *numbers, const int64_t *dims, size_t rank);
tsr_value *tsr_ttir_arange(tsr_build *b, tsr_type *type, int64_t start, int64_t step, int64_t dim);

/* ---- ttir_build.c: attributes ---- */

tsr_attr *tsr_ttir_i32s(tsr_build *b, const int64_t *numbers, size_t n);       /* [1 : i32, 2 : i32] */
tsr_attr *tsr_ttir_i32_array(tsr_build *b, const int64_t *numbers, size_t n);  /* array<i32: 1, 2> */
tsr_attr *tsr_ttir_i64_array(tsr_build *b, const int64_t *numbers, size_t n);  /* array<i64: 1, 2> */
tsr_attr *tsr_ttir_si32(tsr_build *b, int64_t number);
tsr_attr *tsr_ttir_ui32(tsr_build *b, int64_t number);
tsr_attr *tsr_ttir_f32(tsr_build *b, double number);

/* ---- ttir_build.c: questions ---- */

/* The elements of a constant of StableHLO or TTIR behind v; NULL: it is none. through: reshapes,
 * broadcasts and conversions of a splat count, too. */
tsr_attr *tsr_ttir_constant_of(const tsr_value *v, bool through);
/* Element i of dense data as a number; 0 when it has none. */
double tsr_ttir_number(const tsr_attr *dense, size_t i);
int64_t tsr_ttir_integer(const tsr_attr *dense, size_t i);
/* Numbers that a reduction may start from without being changed by it. */
typedef enum { TSR_TTIR_LOWEST, TSR_TTIR_HIGHEST, TSR_TTIR_ZERO, TSR_TTIR_ONE, TSR_TTIR_ALL_BITS } tsr_ttir_start;
/* Whether v is a constant that is this number of its element type everywhere. */
bool tsr_ttir_starts(const tsr_value *v, tsr_ttir_start start);
/* Whether all types of op's operands and results are ranked tensors of known shape. */
bool tsr_ttir_static(const tsr_op *op);
/* Numbers of array<i64> or dense i64 data into out, n of them; fill when there is none. */
void tsr_ttir_numbers(const tsr_attr *a, int64_t fill, size_t n, int64_t *out);

/* ---- ttir_reduce.c ---- */

/* A body of 2n arguments that joins each pair of them by one op of its own: the opcode of pair
 * i, or TSR_UNREGISTERED. */
uint16_t tsr_ttir_joins(const tsr_region *body, size_t n, size_t i);
/* Whether v, of TTIR, counts 0, 1, 2, ... along dim, whatever the other places. */
bool tsr_ttir_counts(const tsr_value *v, int64_t dim);

/* ---- ttir_scatter.c ---- */

/* How a body of 2n arguments joins what is there with the update of pair i, as
 * #ttcore.reduce_type counts; invalid: the update takes its place. False: otherwise. */
bool tsr_ttir_joined_how(const tsr_region *body, size_t n, size_t i, const tsr_type *elem, int64_t *how);
tsr_value *tsr_ttir_scatter(tsr_build *b, tsr_value *x, tsr_value *index, tsr_value *updates, int64_t dim, int64_t how);

/* ---- ttir.c ---- */

/* The hook of op's row; NULL: it has none. */
tsr_ttir_fn *tsr_ttir_of(const tsr_op *op);
/* Whether the ops between before (NULL: the first) and op are right: StableHLO may say what
 * TTIR's ops do not take. The engine asks this of all that hooks built; a hook that changes
 * other ops asks before. */
bool tsr_ttir_fits(const tsr_op *before, tsr_op *op);
/* Asks the rows about every op inside root, in program order. refuse: an op that has a hook, and
 * stays, is an error. */
bool tsr_ttir_convert(tsr_op *root, bool refuse);

#endif
