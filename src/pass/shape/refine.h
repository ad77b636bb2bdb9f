/* SPDX-License-Identifier: Apache-2.0 */
/* refine.h - makes types more precise: shared by the rules of refinement and the passes around them.
 *
 * A value's type is refined in place, to the type implied by both its old and its new type. Its users are visited
 * again, and the type of a function that returns it is updated. */
#ifndef TSR_PASS_REFINE_H
#define TSR_PASS_REFINE_H

#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

/* ---- Values (refine.c) ---- */

/* Infers the result types of an op without diagnostics; false if it cannot. op may be a shell: a copy without results,
 * or with the row of another op. */
bool tsr_infer_quietly(const tsr_op *op, tsr_type_vec *out);
/* The types that op's row infers for its results, in addition to their current ones. Element types that the row leaves
 * open stay. */
bool tsr_refine_inferred_types(const tsr_op *op, tsr_type_vec *out);
/* The type implied by both; NULL if they contradict each other. */
tsr_type *tsr_type_both(const tsr_op *at, tsr_type *a, tsr_type *b);
/* Refines values with types; returns whether any type changed. Does nothing if some type contradicts. */
bool tsr_refine_values(tsr_rewriter *r, const tsr_op *at, tsr_value *const *values,
                       tsr_type *const *types, size_t n);
bool tsr_refine_results(tsr_rewriter *r, tsr_op *op, tsr_type *const *types, size_t n);
/* For an op with one result: refines it to these dimensions, TSR_DYNAMIC where unknown. */
bool tsr_refine_shape(tsr_rewriter *r, tsr_op *op, const int64_t *dims, size_t n);

/* ---- Functions (refine_arguments.c) ---- */

/* The function that is refined: the only one, or main. NULL after a diagnostic (refused is set), or if there is
 * none. */
tsr_op *tsr_refine_target(tsr_op *module, bool *refused);
/* Gives the arguments these types. Each changed argument goes through a custom call that keeps the old type for its
 * users, until their own types are refined. False after a diagnostic. */
bool tsr_refine_arguments(tsr_op *func, tsr_type *const *types, size_t n);
/* Updates the function type to the block's current arguments and results. */
void tsr_func_update_type(tsr_op *func);
/* Removes n unused arguments, starting at first, with their attributes. */
void tsr_func_drop_args(tsr_op *func, uint32_t first, uint32_t n);
/* The attribute list without those of its entries that are marked; NULL stays NULL, and nothing left is NULL. */
tsr_attr *tsr_list_unmarked(tsr_ctx *ctx, tsr_attr *list, const bool *gone);
/* The attribute list without n of its entries; NULL stays NULL. */
tsr_attr *tsr_list_without(tsr_ctx *ctx, tsr_attr *list, uint32_t first, uint32_t n);

#define TSR_OPERAND_WRAPPER "stablehlo.shape_refinement_operand_wrapper"

/* ---- Custom calls with operands that give the shapes of results (custom_call.c) ---- */

/* The shapes, one vector per result (tuples flattened); the caller frees them. False if there are none or they are
 * unknown; loud: reports errors in them. */
typedef TSR_VEC(tsr_i64_vec) tsr_shapes;
bool tsr_custom_call_shapes(const tsr_op *op, tsr_shapes *out, bool loud);
void tsr_shapes_free(tsr_shapes *s);
/* Members of a tuple in order, including those of nested tuples; any other type is its own member. */
void tsr_flatten_type(tsr_type *t, tsr_type_vec *out);
/* Reports errors in all such calls inside root; false if there are any. */
bool tsr_check_custom_call_shapes(tsr_op *root);

/* ---- Custom calls whose results alias operands (alias.c) ---- */

/* Makes the types of aliased operands and results agree: refines operands with types, one per result, where possible,
 * and types with those of operands. */
void tsr_alias_agree(tsr_rewriter *r, tsr_op *op, tsr_type **types);
/* Results of the user that have the type of this operand, by its number, from *at on; NULL: no more. */
const tsr_value *tsr_alias_next(const tsr_use *use, uint32_t *at);

/* ---- Calls (refine_shapes.c) ---- */

/* The state of a pass while it refines a function and its callees; tsr_simplify_options.user of rule_refine_call. */
typedef struct tsr_refine_calls tsr_refine_calls;

/* Operand i as array<i64: ...>, if it is a constant; else NULL. */
tsr_attr *tsr_refine_known(tsr_rewriter *r, const tsr_op *op, size_t i);

#endif
