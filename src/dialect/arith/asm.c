/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly and names of the arith dialect where a row's format is not enough. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

static const char *const overflow_words[] = {"nsw", "nuw", NULL};
static const char *const fastmath_words[] = {"reassoc", "nnan",     "ninf", "nsz",
                                             "arcp",    "contract", "afn",  NULL};
static const char *const cmpi_words[] = {"eq",  "ne",  "slt", "sle", "sgt", "sge",
                                         "ult", "ule", "ugt", "uge", NULL};
static const char *const cmpf_words[] = {"false", "oeq", "ogt", "oge",  "olt", "ole",
                                         "one",   "ord", "ueq", "ugt",  "uge", "ult",
                                         "ule",   "une", "uno", "true", NULL};
static const char *const rounding_words[] = {"to_nearest_even", "downward",        "upward",
                                             "toward_zero",     "to_nearest_away", NULL};

bool attr_ARITH_FASTMATH(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_flags(a, fastmath_words, ",", "fast", &params[0]);
}

bool attr_ARITH_OVERFLOW(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_flags(a, overflow_words, ", ", NULL, &params[0]);
}

/* keyword<flags>, written only if some flag is set; reading: no flags if it is absent. */
static bool maybe_flags(tsr_asm *a, const char *keyword, int slot)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    bool set = *place && (*place)->kind == TSR_ATTR_STRUCT && (*place)->attrs[0]->i != 0;
    tsr_asm_done(a, slot);
    if (tsr_asm_maybe(a, keyword, set))
        return tsr_asm_slot(a, slot);
    if (!tsr_asm_writing(a)) {
        tsr_attr *none = tsr_attr_i64(a->ctx, 0);
        *place = tsr_attr_struct(a->ctx, a->st->def->slots[slot].constraint->def, &none);
    }
    return true;
}

static bool binary_operands(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
           tsr_asm_operand(a, 1);
}

bool asm_arith_overflow(tsr_asm *a)
{
    return binary_operands(a) && maybe_flags(a, " overflow", ARITH_ADDI_overflowFlags) &&
           tsr_asm_dict(a) && tsr_asm_colon_one_type(a);
}

/* One operand or two. */
bool asm_arith_fastmath(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, tsr_asm_writing(a) ? a->op->nin : 0) &&
           maybe_flags(a, " fastmath", ARITH_ADDF_fastmath) && tsr_asm_dict(a) &&
           tsr_asm_colon_one_type(a);
}

bool asm_arith_constant(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, ARITH_CONSTANT_value);
    tsr_asm_done(a, ARITH_CONSTANT_value);
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, value));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *type = (*value)->type;
    if (!type || !tsr_is_TypedAttr.attr_ok(*value))
        return tsr_asm_error_at(a, loc, "expected a typed attribute");
    tsr_asm_push_result_type(a, type);
    return true;
}

/* i1 or a shape of i1 like the operands'. */
static tsr_type *i1_like(tsr_ctx *ctx, const tsr_type *t)
{
    switch (t->kind) {
    case TSR_TYPE_TENSOR: return tsr_type_tensor(ctx, t->dims, t->n, ctx->i1, t->attr);
    case TSR_TYPE_UNRANKED_TENSOR: return tsr_type_unranked_tensor(ctx, ctx->i1);
    case TSR_TYPE_VECTOR: return tsr_type_vector(ctx, t->dims, t->n, ctx->i1, t->attr);
    default: return ctx->i1;
    }
}

/* ' : ' type of both operands */
static bool compared_type(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *type = a->st->operand_types.data[0];
    tsr_asm_spread_operand_type(a, type);
    tsr_asm_push_result_type(a, i1_like(a->ctx, type));
    return true;
}

static bool predicate(tsr_asm *a, int slot, const char *const *words)
{
    tsr_asm_done(a, slot);
    return tsr_asm_lit(a, " ") &&
           tsr_asm_word(a, words, a->ctx->i64, "predicate", tsr_asm_slot_place(a, slot)) &&
           tsr_asm_lit(a, ",") && binary_operands(a);
}

bool asm_arith_cmpi(tsr_asm *a)
{
    return predicate(a, ARITH_CMPI_predicate, cmpi_words) && tsr_asm_dict(a) && compared_type(a);
}

bool asm_arith_cmpf(tsr_asm *a)
{
    return predicate(a, ARITH_CMPF_predicate, cmpf_words) &&
           maybe_flags(a, " fastmath", ARITH_CMPF_fastmath) && tsr_asm_dict(a) && compared_type(a);
}

/* select ::= %c, %t, %f ':' (condition type ',')? type; a plain i1 condition is not written. */
bool asm_arith_select(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, 3) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    if (tsr_asm_writing(a)) {
        if (a->op->in[0].value->type != a->ctx->i1)
            TSR_TRY(tsr_asm_operand_type(a, 0) && tsr_asm_lit(a, ", "));
        return tsr_asm_result_type(a, 0);
    }
    if (a->st->operands.n != 3)
        return tsr_asm_error(a, "expected 3 operands");
    tsr_type *condition = a->ctx->i1, *type;
    TSR_TRY(tsr_asm_type(a, &type));
    if (tsr_asm_maybe(a, ",", false)) {
        condition = type;
        TSR_TRY(tsr_asm_type(a, &type));
    }
    tsr_vec_push(&a->st->operand_types, condition);
    tsr_asm_spread_operand_type(a, type);
    tsr_asm_push_result_type(a, type);
    return true;
}

static bool cast_types(tsr_asm *a)
{
    return tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) &&
           tsr_asm_lit(a, " to ") && tsr_asm_result_type(a, 0);
}

bool asm_arith_trunci(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) &&
           maybe_flags(a, " overflow", ARITH_TRUNCI_overflowFlags) && cast_types(a);
}

/* Here the flags are optional, without a default: they are written if they were read. */
static bool optional_fastmath(tsr_asm *a, int slot)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    return !tsr_asm_maybe(a, " fastmath", *place != NULL) || tsr_asm_slot(a, slot);
}

bool asm_arith_extf(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) &&
           optional_fastmath(a, ARITH_EXTF_fastmath) && cast_types(a);
}

bool asm_arith_truncf(tsr_asm *a)
{
    tsr_attr **mode = tsr_asm_slot_place(a, ARITH_TRUNCF_roundingmode);
    int64_t word = *mode ? (*mode)->i : -1;
    tsr_asm_done(a, ARITH_TRUNCF_roundingmode);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) &&
            tsr_asm_maybe_word(a, rounding_words, &word));
    if (!tsr_asm_writing(a) && word >= 0)
        *mode = tsr_attr_i32(a->ctx, (int32_t)word);
    return optional_fastmath(a, ARITH_TRUNCF_fastmath) && cast_types(a);
}

/* true, false, c5, c5_i32, cst: as MLIR names constants. */
void names_arith_constant(tsr_namer *n, tsr_op *op)
{
    const tsr_attr *value = op->attrs[ARITH_CONSTANT_value];
    if (!tsr_attr_is(value, TSR_ATTR_INT)) {
        tsr_namer_result(n, op, 0, TSR_STR("cst"));
        return;
    }
    const tsr_type *type = op->out[0].type;
    if (tsr_type_is_integer(type, 1)) {
        tsr_namer_result(n, op, 0, value->i ? TSR_STR("true") : TSR_STR("false"));
        return;
    }
    tsr_buf name = {0};
    tsr_buf_printf(&name, "c%lld", (long long)value->i);
    if (type->kind == TSR_TYPE_INTEGER)
        tsr_buf_printf(&name, "_%si%u",
                       type->sub == TSR_SIGNED     ? "s"
                       : type->sub == TSR_UNSIGNED ? "u"
                                                   : "",
                       type->width);
    tsr_namer_result(n, op, 0, tsr_name_get(op->module->ctx, tsr_buf_text(&name))->str);
    tsr_buf_free(&name);
}

/* addui_extended writes the types of both results, the others one type for all. */
bool asm_arith_extended(tsr_asm *a)
{
    const tsr_opdef *def = tsr_asm_writing(a) ? a->op->def : a->st->def;
    TSR_TRY(binary_operands(a) && tsr_asm_dict(a) && tsr_asm_colon_one_type(a));
    if (def->opcode == TSR_OP_ARITH_ADDUI_EXTENDED)
        return tsr_asm_lit(a, ", ") && tsr_asm_result_type(a, 1);
    if (!tsr_asm_writing(a))
        tsr_asm_push_result_type(a, a->st->result_types.data[0]);
    return true;
}

bool verify_arith_constant(tsr_op *op)
{
    const tsr_attr *value = op->attrs[ARITH_CONSTANT_value];
    tsr_type *type = op->out[0].type;
    if (value->type && value->type != type)
        return tsr_op_error(op, "failed to verify that all of {value, result} have same type");
    if (type->kind == TSR_TYPE_INTEGER && type->sub != TSR_SIGNLESS)
        return tsr_op_error(op, "integer return type must be signless");
    return true;
}
