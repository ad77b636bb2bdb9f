/* commute.h - reshapes and permutes that move past other ops (ttir-erase-inverse-ops).
 *
 * A move goes up past an op when all users of the op are the same move; it goes down when it is an
 * operand, and what the other operands then need costs nothing: they are the same move, or come
 * from constants and parameters alone. The rules of an op say how it looks on the other side; what
 * they share is here. */
#ifndef TSR_PASS_TTIR_COMMUTE_H
#define TSR_PASS_TTIR_COMMUTE_H

#include "pass/ttir/tt.h"

/* What a value comes from, by value id. */
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
/* Whether a value depends on constant arguments and parameters, and on nothing else. */
bool tsr_ttr_constant_args(tsr_rewriter *r, const tsr_value *v);
/* Whether a value depends on no argument but those. */
bool tsr_ttr_no_inputs(tsr_rewriter *r, const tsr_value *v);
bool tsr_ttr_constant_args_of(tsr_ttr_origins *o, const tsr_value *v);

/* A reshape or a permute; single moves are compared by what they do. */
static inline bool tsr_ttr_is_move(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTIR_RESHAPE) || tsr_op_is(op, TSR_OP_TTIR_PERMUTE);
}
bool tsr_ttr_same_move(const tsr_op *a, const tsr_op *b);
/* The move that all users of op's one result are, of this kind; NULL: they are not. */
tsr_op *tsr_ttr_move_below(const tsr_op *op, uint16_t opcode);
/* The operand of op that is a move of this kind which may go down; -1: none. */
int tsr_ttr_move_above(tsr_rewriter *r, const tsr_op *op, uint16_t opcode);
/* The move applied to another value, and its inverse; before at. */
tsr_value *tsr_ttr_apply(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v);
tsr_value *tsr_ttr_undo(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v);
/* All users of op's result become v. */
void tsr_ttr_replace_users(tsr_rewriter *r, tsr_op *op, tsr_value *v);
/* The dimension of to that is dimension dim of from in a reshape between them; -1: none. */
int64_t tsr_ttr_matching_dim(const tsr_type *from, const tsr_type *to, size_t dim);

#endif
