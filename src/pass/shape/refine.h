/* refine.h - types become more precise: what rules of refinement and the passes around them share.
 *
 * A value's type is refined in place, to what is known when its old and its new type both hold. Its
 * users are looked at again, and a function that returns it says so in its own type. */
#ifndef TSR_PASS_REFINE_H
#define TSR_PASS_REFINE_H

#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

/* ---- Values (refine.c) ---- */

/* Infers the result types of an op without a word about what is wrong; false when it cannot. op may
 * be a shell: a copy without results, or with the row of another op. */
bool tsr_infer_quietly(const tsr_op *op, tsr_type_vec *out);
/* The types that op's results have besides their present ones, as its row infers them. Where the row
 * leaves element types open, the present ones stay. */
bool tsr_refine_inferred_types(const tsr_op *op, tsr_type_vec *out);
/* What is known when both hold; NULL when they contradict each other. */
tsr_type *tsr_type_both(const tsr_op *at, tsr_type *a, tsr_type *b);
/* Refines values by types; whether any type changed. Nothing is done when some type contradicts. */
bool tsr_refine_values(tsr_rewriter *r, const tsr_op *at, tsr_value *const *values,
                       tsr_type *const *types, size_t n);
bool tsr_refine_results(tsr_rewriter *r, tsr_op *op, tsr_type *const *types, size_t n);
/* Of an op of one result: it has these dimensions, TSR_DYNAMIC where nothing is known. */
bool tsr_refine_shape(tsr_rewriter *r, tsr_op *op, const int64_t *dims, size_t n);

/* ---- Functions (refine_arguments.c) ---- */

/* The function that is refined: the only one, or main. NULL after a diagnostic (refused is set), or
 * when there is none. */
tsr_op *tsr_refine_target(tsr_op *module, bool *refused);
/* Gives the arguments these types. Each one that changes goes through a custom call that keeps the
 * old type for its users, until their own types are refined. False after a diagnostic. */
bool tsr_refine_arguments(tsr_op *func, tsr_type *const *types, size_t n);
/* The function type of what its block takes and returns now. */
void tsr_func_update_type(tsr_op *func);
/* Takes away n arguments from the first on, which nobody uses, with their attributes. */
void tsr_func_drop_args(tsr_op *func, uint32_t first, uint32_t n);
/* The attribute list without n of its entries; NULL stays NULL. */
tsr_attr *tsr_list_without(tsr_ctx *ctx, tsr_attr *list, uint32_t first, uint32_t n);

#define TSR_OPERAND_WRAPPER "stablehlo.shape_refinement_operand_wrapper"

/* ---- Custom calls with operands that say the shapes of results (custom_call.c) ---- */

/* The shapes, one vector for each result (tuples flattened); the caller frees them. False when it
 * has none or they are not known; loud: what is wrong with them is said. */
typedef TSR_VEC(tsr_i64_vec) tsr_shapes;
bool tsr_custom_call_shapes(const tsr_op *op, tsr_shapes *out, bool loud);
void tsr_shapes_free(tsr_shapes *s);
/* Members of a tuple, of its tuples too, in order; any other type is its own member. */
void tsr_flatten_type(tsr_type *t, tsr_type_vec *out);
/* Says what is wrong with all such calls inside root; false when something is. */
bool tsr_check_custom_call_shapes(tsr_op *root);

/* ---- Custom calls whose results are buffers of operands (alias.c) ---- */

/* Makes an operand and the result that is its buffer agree: operands become what types, one for each result, say of them,
 * where they can, and types what operands say. */
void tsr_alias_agree(tsr_rewriter *r, tsr_op *op, tsr_type **types);
/* Results of the user that have the type of this operand, by its number from *at on; NULL: no more. */
const tsr_value *tsr_alias_next(const tsr_use *use, uint32_t *at);

/* ---- Calls (refine_shapes.c) ---- */

/* What a pass keeps while it refines a function and those it calls; tsr_simplify_options.user of
 * rule_refine_call. */
typedef struct tsr_refine_calls tsr_refine_calls;

/* Operand i as array<i64: ...>, when it is a constant; else NULL. */
tsr_attr *tsr_refine_known(tsr_rewriter *r, const tsr_op *op, size_t i);

#endif
