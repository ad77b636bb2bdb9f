/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - branches: a block with the values that become its arguments. */
#include "dialect/hooks.h"

/* dest ::= ^block ('(' operands ':' types ')')? from..to are its operands when writing; *n is how many there are. */
static bool dest(tsr_asm *a, size_t i, size_t from, size_t to, size_t *n)
{
    TSR_TRY(tsr_asm_successor(a, i));
    *n = to - from;
    if (!tsr_asm_maybe(a, "(", to > from))
        return true;
    size_t before = tsr_asm_writing(a) ? 0 : a->st->operands.n;
    TSR_TRY(tsr_asm_operands(a, from, to) && tsr_asm_lit(a, " : ") &&
            tsr_asm_operand_types(a, from, to) && tsr_asm_lit(a, ")"));
    if (!tsr_asm_writing(a))
        *n = a->st->operands.n - before;
    return true;
}

bool asm_cf_br(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nin : 0;
    return tsr_asm_lit(a, " ") && dest(a, 0, 0, n, &n) && tsr_asm_dict(a);
}

bool asm_cf_cond_br(tsr_asm *a)
{
    size_t yes = 0, no = 0;
    tsr_attr **sizes = tsr_asm_slot_place(a, CF_COND_BR_operandSegmentSizes);
    tsr_attr **weights = tsr_asm_slot_place(a, CF_COND_BR_branch_weights);
    if (tsr_asm_writing(a)) {
        yes = (size_t)tsr_attr_int_at(*sizes, 1);
        no = (size_t)tsr_attr_int_at(*sizes, 2);
    } else {
        tsr_vec_push(&a->st->operand_types, a->ctx->i1);
    }
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0));
    if (tsr_asm_maybe(a, " weights(", *weights != NULL))
        TSR_TRY(tsr_asm_slot(a, CF_COND_BR_branch_weights) && tsr_asm_lit(a, ")"));
    TSR_TRY(tsr_asm_lit(a, ", ") && dest(a, 0, 1, 1 + yes, &yes) && tsr_asm_lit(a, ", ") &&
            dest(a, 1, 1 + yes, 1 + yes + no, &no));
    if (!tsr_asm_writing(a)) {
        int32_t n[] = {1, (int32_t)yes, (int32_t)no};
        *sizes = tsr_attr_dense_array(a->ctx, a->ctx->i32, n, 3);
    }
    tsr_asm_done(a, CF_COND_BR_operandSegmentSizes);
    return tsr_asm_dict(a);
}

/* The operands of a branch have the types of its block's arguments. The operand groups of the successors, in order, are
 * the last groups of the op. */
bool verify_cf_branch(tsr_op *op)
{
    for (uint32_t s = 0; s < op->nsucc; s++) {
        uint32_t start, n;
        const tsr_block *to = op->succ[s];
        if (!tsr_op_operand_group(op, op->def->narg - op->def->nsucc + s, &start, &n))
            return true;
        if (n != to->nargs)
            return tsr_op_error(op,
                                "branch has %u operands for successor #%u, but target block has %u",
                                n, s, to->nargs);
        for (uint32_t i = 0; i < n; i++)
            if (op->in[start + i].value->type != to->args[i]->type)
                return tsr_op_error(op, "type mismatch for bb argument #%u of successor #%u", i, s);
    }
    return true;
}
