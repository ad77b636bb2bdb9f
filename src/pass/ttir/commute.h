/* SPDX-License-Identifier: Apache-2.0 */
/* commute.h - reshapes and permutes that move past other ops (ttir-erase-inverse-ops).
 *
 * A move goes up past an op if all users of the op are the same move; it goes down if it is an operand, and the moves
 * that the other operands then need are free: they are the same move, or derive from constants and parameters alone.
 * The rules of an op describe its form on the other side; their shared helpers are here. */
#ifndef TSR_PASS_TTIR_COMMUTE_H
#define TSR_PASS_TTIR_COMMUTE_H

#include "pass/ttir/tt.h"

/* The origin of a value, by value id. */
typedef enum {
    TSR_FROM_UNKNOWN,
    TSR_FROM_NOTHING,
    TSR_FROM_CONSTANTS,
    TSR_FROM_INPUTS
} tsr_ttr_origin;
typedef struct {
    uint8_t *of;
    uint32_t n;
} tsr_ttr_origins;
/* Whether a value depends only on constant arguments and parameters. */
bool tsr_ttr_constant_args(tsr_rewriter *r, const tsr_value *v);
/* Whether a value depends on no other arguments. */
bool tsr_ttr_no_inputs(tsr_rewriter *r, const tsr_value *v);
bool tsr_ttr_constant_args_of(tsr_ttr_origins *o, const tsr_value *v);

/* A reshape or a permute; moves are compared by their effect. */
static inline bool tsr_ttr_is_move(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTIR_RESHAPE) || tsr_op_is(op, TSR_OP_TTIR_PERMUTE);
}
bool tsr_ttr_same_move(const tsr_op *a, const tsr_op *b);
/* The move of this kind that all users of op's only result are; NULL: they are not. */
tsr_op *tsr_ttr_move_below(const tsr_op *op, uint16_t opcode);
/* The operand of op that is a move of this kind that may go down; -1: none. */
int tsr_ttr_move_above(tsr_rewriter *r, const tsr_op *op, uint16_t opcode);
/* The move applied to another value, and its inverse; before at. */
tsr_value *tsr_ttr_apply(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v);
tsr_value *tsr_ttr_undo(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v);
/* Replaces all users of op's result by v. */
void tsr_ttr_replace_users(tsr_rewriter *r, tsr_op *op, tsr_value *v);
/* The dimension of to that corresponds to dimension dim of from in a reshape between them; -1: none. */
int64_t tsr_ttr_matching_dim(const tsr_type *from, const tsr_type *to, size_t dim);

#endif
