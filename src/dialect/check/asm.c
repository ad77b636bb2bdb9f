/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of the check dialect. Tolerances are numbers whose type is not written. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

static bool pair(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
           tsr_asm_operand(a, 1);
}

/* (keyword number)?, with a known type; the default is not written. */
static bool maybe_number(tsr_asm *a, const char *keyword, int slot, tsr_type *type)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    tsr_asm_done(a, slot);
    bool set = tsr_asm_writing(a) && *place && !tsr_op_attr_is_default(a->op, (size_t)slot);
    return !tsr_asm_maybe(a, keyword, set) || tsr_asm_attr_typed(a, place, type);
}

static bool tolerance(tsr_asm *a, int slot)
{
    return maybe_number(a, ", tolerance = ", slot, tsr_type_float(a->ctx, TSR_F64));
}

/* ' : ' T of all operands */
static bool operands_type(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0));
    if (!tsr_asm_writing(a))
        tsr_asm_spread_operand_type(a, a->st->operand_types.data[0]);
    return true;
}

bool asm_check_pair(tsr_asm *a)
{
    const tsr_opdef *def = tsr_asm_writing(a) ? a->op->def : a->st->def;
    return pair(a) && (!def->nslot || tolerance(a, CHECK_EXPECT_ALMOST_EQ_tolerance)) &&
           tsr_asm_dict(a) && operands_type(a);
}

/* %x, elements: the operand has the type of the elements. */
bool asm_check_const(tsr_asm *a)
{
    const tsr_opdef *def = tsr_asm_writing(a) ? a->op->def : a->st->def;
    tsr_attr **value = tsr_asm_slot_place(a, CHECK_EXPECT_EQ_CONST_value);
    tsr_asm_done(a, CHECK_EXPECT_EQ_CONST_value);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, value));
    if (!tsr_asm_writing(a)) {
        if (!tsr_attr_fits(&tsr_is_ElementsAttr, *value))
            return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
        tsr_asm_spread_operand_type(a, (*value)->type);
    }
    return (def->nslot < 2 || tolerance(a, CHECK_EXPECT_ALMOST_EQ_CONST_tolerance)) &&
           tsr_asm_dict(a);
}

/* close ::= %a ', ' %b ', max_ulp_difference = ' n (', min_ulp_difference = ' n)? ' :' dict type ', ' type */
bool asm_check_close(tsr_asm *a)
{
    tsr_type *ui64 = tsr_type_integer(a->ctx, 64, TSR_UNSIGNED);
    tsr_attr *most = *tsr_asm_slot_place(a, CHECK_EXPECT_CLOSE_max_ulp_difference);
    if (!most) /* writing: absent, so it is the default */
        most = tsr_attr_int(a->ctx, ui64, 1);
    tsr_asm_done(a, CHECK_EXPECT_CLOSE_max_ulp_difference);
    TSR_TRY(pair(a) && tsr_asm_lit(a, ", max_ulp_difference = ") &&
            tsr_asm_attr_typed(a, &most, ui64));
    if (!tsr_asm_writing(a))
        *tsr_asm_slot_place(a, CHECK_EXPECT_CLOSE_max_ulp_difference) = most;
    TSR_TRY(
        maybe_number(a, ", min_ulp_difference = ", CHECK_EXPECT_CLOSE_min_ulp_difference, ui64));
    return tsr_asm_lit(a, " :") && tsr_asm_dict(a) && tsr_asm_lit(a, " ") &&
           tsr_asm_operand_type(a, 0) && tsr_asm_lit(a, ", ") && tsr_asm_operand_type(a, 1);
}

/* serialized ::= %x ', probe_id = ' string (', iter = ' n)? dict ' : ' type */
bool asm_check_serialized(tsr_asm *a)
{
    tsr_type *ui32 = tsr_type_integer(a->ctx, 32, TSR_UNSIGNED);
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", probe_id = ") &&
           tsr_asm_slot(a, CHECK_EXPECT_SERIALIZED_EQ_probe_id) &&
           maybe_number(a, ", iter = ", CHECK_EXPECT_SERIALIZED_EQ_iteration, ui32) &&
           tsr_asm_dict(a) && operands_type(a);
}

bool verify_check_const(tsr_op *op)
{
    if (op->in[0].value->type != op->attrs[CHECK_EXPECT_EQ_CONST_value]->type)
        return tsr_op_error(op, "failed to verify that all of {lhs, value} have same type");
    return true;
}

bool verify_check_close(tsr_op *op)
{
    return op->in[0].value->type == op->in[1].value->type ||
           tsr_op_error(op, "failed to verify that all of {actual, expected} have same type");
}
