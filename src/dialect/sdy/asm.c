/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of the sdy ops with an irregular form: those with a body, and those with a word for a number. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"
#include "dialect/sdy/sdy.h"

static const char *const direction_words[] = {"NONE", "FORWARD", "BACKWARD", "BOTH", NULL};
static const char *const reduction_words[] = {"sum", "max", "min", NULL};

bool attr_ok_sdy_direction(const tsr_attr *a)
{
    return a->i >= TSR_SDY_NONE && a->i <= TSR_SDY_BOTH;
}

bool attr_ok_sdy_reduction(const tsr_attr *a)
{
    return a->i >= TSR_SDY_SUM && a->i <= TSR_SDY_MIN;
}

/* constant ::= dict elements (':' type)?; the type is written if it is not that of the elements. */
bool asm_sdy_constant(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, SDY_CONSTANT_value);
    tsr_asm_done(a, SDY_CONSTANT_value);
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, value));
    if (!tsr_asm_writing(a) && !tsr_attr_fits(&tsr_is_ElementsAttr, *value))
        return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
    if (tsr_asm_maybe(a, " : ", tsr_asm_writing(a) && a->op->out[0].type != (*value)->type))
        return tsr_asm_result_type(a, 0);
    if (!tsr_asm_writing(a))
        tsr_asm_push_result_type(a, (*value)->type);
    return true;
}

bool asm_sdy_propagation_barrier(tsr_asm *a)
{
    int slot = SDY_PROPAGATION_BARRIER_allowed_direction;
    tsr_asm_done(a, slot);
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " allowed_direction=") &&
           tsr_asm_word(a, direction_words, a->ctx->i32, "allowed_direction",
                        tsr_asm_slot_place(a, slot)) &&
           tsr_asm_dict(a) && tsr_asm_colon_one_type(a);
}

/* all_reduce, reduce_scatter ::= ('sum' | 'max' | 'min')? axes %x 'out_sharding' '=' sharding dict ':' type.
 * Both rows have the same slots. */
bool asm_sdy_reduce(tsr_asm *a)
{
    tsr_attr **op = tsr_asm_slot_place(a, SDY_ALL_REDUCE_reduction_op);
    int64_t word = *op && (*op)->i != TSR_SDY_SUM ? (*op)->i : -1;
    tsr_asm_done(a, SDY_ALL_REDUCE_reduction_op);
    TSR_TRY(tsr_asm_maybe_word(a, reduction_words, &word));
    if (!tsr_asm_writing(a))
        *op = tsr_attr_i32(a->ctx, word < 0 ? TSR_SDY_SUM : (int32_t)word);
    return tsr_asm_lit(a, " ") && tsr_asm_slot(a, SDY_ALL_REDUCE_reduction_axes) &&
           tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " out_sharding=") &&
           tsr_asm_slot(a, SDY_ALL_REDUCE_out_sharding) && tsr_asm_dict(a) &&
           tsr_asm_colon_one_type(a);
}

static bool body_arg(tsr_asm *a, void *user, size_t i)
{
    return tsr_asm_region_arg(a, 0, i, user);
}

/* ' (' arguments ') ' region dict ' : ' function type */
static bool body_and_type(tsr_asm *a)
{
    tsr_region_args args = {0};
    const tsr_block *entry = tsr_asm_writing(a) ? a->op->regions[0].first : NULL;
    size_t n = entry ? entry->nargs : 0;
    bool ok = tsr_asm_lit(a, " ") && tsr_asm_list(a, "(", ")", &n, body_arg, &args) &&
              tsr_asm_lit(a, " ") && tsr_asm_region(a, 0, &args, TSR_REGION_TERMINATORS) &&
              tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
    tsr_vec_free(&args);
    return ok;
}

static bool operands_in_parens(tsr_asm *a)
{
    return tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, tsr_asm_writing(a) ? a->op->nin : 0) &&
           tsr_asm_lit(a, ")");
}

/* keyword=[shardings]; may be absent if optional. */
static bool shardings(tsr_asm *a, const char *keyword, int slot, bool optional)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    tsr_asm_done(a, slot);
    if (optional)
        return !tsr_asm_maybe(a, keyword, *place != NULL) || tsr_asm_sdy_shardings(a, place);
    return tsr_asm_lit(a, keyword) && tsr_asm_sdy_shardings(a, place);
}

bool asm_sdy_manual_computation(tsr_asm *a)
{
    return operands_in_parens(a) &&
           shardings(a, " in_shardings=", SDY_MANUAL_COMPUTATION_in_shardings, false) &&
           shardings(a, " out_shardings=", SDY_MANUAL_COMPUTATION_out_shardings, false) &&
           tsr_asm_lit(a, " manual_axes=") && tsr_asm_slot(a, SDY_MANUAL_COMPUTATION_manual_axes) &&
           body_and_type(a);
}

bool asm_sdy_named_computation(tsr_asm *a)
{
    return tsr_asm_lit(a, "<") && tsr_asm_slot(a, SDY_NAMED_COMPUTATION_name) &&
           tsr_asm_lit(a, ">") && operands_in_parens(a) &&
           shardings(a, " in_shardings=", SDY_NAMED_COMPUTATION_in_shardings, true) &&
           shardings(a, " out_shardings=", SDY_NAMED_COMPUTATION_out_shardings, true) &&
           body_and_type(a);
}
