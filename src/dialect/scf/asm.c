/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of structured control flow: arguments of regions are in the op's header, and an empty yield is not
 * written. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

/* -> (T, T); nothing without results. A single type may have no parentheses when read. */
static bool arrow_list(tsr_asm *a)
{
    if (!tsr_asm_writing(a))
        return !tsr_asm_peek(a, "->") || tsr_asm_arrow_types(a);
    return !a->op->nout ||
           (tsr_asm_lit(a, " -> (") && tsr_asm_result_types(a) && tsr_asm_lit(a, ")"));
}

/* A branch; {} is a block too. */
static bool branch(tsr_asm *a, size_t i)
{
    TSR_TRY(
        tsr_asm_region(a, i, NULL, tsr_asm_writing(a) && a->op->nout ? TSR_REGION_TERMINATORS : 0));
    if (!tsr_asm_writing(a) && !a->st->regions[i].first)
        tsr_block_insert(tsr_block_new(a->module), &a->st->regions[i], NULL);
    return true;
}

/* if ::= 'scf.if' %c arrow-list? region ('else' region)? dict */
bool asm_scf_if(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && arrow_list(a) && tsr_asm_lit(a, " "));
    if (!tsr_asm_writing(a))
        tsr_asm_spread_operand_type(a, a->ctx->i1);
    TSR_TRY(branch(a, 0));
    if (tsr_asm_maybe(a, " else ", tsr_asm_writing(a) && a->op->regions[1].first))
        TSR_TRY(branch(a, 1));
    return tsr_asm_dict(a);
}

typedef struct {
    tsr_region_args *args;
} pairs;

/* %arg = %operand: argument i + 1 of the body is initialized with operand i + 3. */
static bool for_pair(tsr_asm *a, void *user, size_t i)
{
    pairs *p = user;
    return tsr_asm_region_arg_name(a, 0, i + 1, p->args) && tsr_asm_lit(a, " = ") &&
           tsr_asm_operand(a, i + 3);
}

/* Sets the types of the bounds and the arguments. */
static bool for_types(tsr_asm *a, tsr_type *type, tsr_region_args *args)
{
    for (int i = 0; i < 3; i++)
        tsr_vec_push(&a->st->operand_types, type);
    if (args->n - 1 != a->st->result_types.n)
        return tsr_asm_error(a, "mismatch in number of loop-carried values and defined values");
    args->data[0].type = type;
    for (size_t i = 1; i < args->n; i++) {
        args->data[i].type = a->st->result_types.data[i - 1];
        tsr_vec_push(&a->st->operand_types, args->data[i].type);
    }
    return true;
}

/* for ::= 'unsigned'? %iv '=' %lo 'to' %hi 'step' %st ('iter_args' '(' pairs ')' arrow-list)?
 *         (':' type)? region dict */
static bool scf_for(tsr_asm *a, tsr_region_args *args)
{
    pairs p = {args};
    size_t n = tsr_asm_writing(a) ? a->op->nin - 3 : 0;
    tsr_attr **unsigned_cmp = tsr_asm_slot_place(a, SCF_FOR_unsignedCmp);
    if (tsr_asm_maybe(a, " unsigned", *unsigned_cmp != NULL))
        *unsigned_cmp = tsr_attr_unit(a->ctx);
    tsr_asm_done(a, SCF_FOR_unsignedCmp);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_region_arg_name(a, 0, 0, args) &&
            tsr_asm_lit(a, " = ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " to ") &&
            tsr_asm_operand(a, 1) && tsr_asm_lit(a, " step ") && tsr_asm_operand(a, 2));
    bool carried = tsr_asm_maybe(a, " iter_args", n > 0);
    if (carried)
        TSR_TRY(tsr_asm_list(a, "(", ")", &n, for_pair, &p) && arrow_list(a));
    if (tsr_asm_writing(a)) {
        if (carried)
            tsr_asm_lit(a, " ");
        if (a->op->in[0].value->type != a->ctx->index)
            TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) && tsr_asm_lit(a, " "));
        else if (!carried)
            tsr_asm_lit(a, " ");
    } else {
        tsr_type *type = a->ctx->index;
        if (tsr_asm_maybe(a, ":", false))
            TSR_TRY(tsr_asm_type(a, &type));
        TSR_TRY(for_types(a, type, args));
    }
    return tsr_asm_region(a, 0, args,
                          tsr_asm_writing(a) && a->op->nout ? TSR_REGION_TERMINATORS : 0) &&
           tsr_asm_dict(a);
}

bool asm_scf_for(tsr_asm *a)
{
    tsr_region_args args = {0};
    bool ok = scf_for(a, &args);
    tsr_vec_free(&args);
    return ok;
}

/* while ::= pairs? ':' function-type region 'do' region ('attributes' dict)? */
static bool scf_while(tsr_asm *a, tsr_region_args *args)
{
    if (tsr_asm_writing(a) ? a->op->nin > 0 : tsr_asm_peek(a, "("))
        TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_assignments(a, 0, args));
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a) && tsr_asm_lit(a, " "));
    if (!tsr_asm_writing(a)) {
        if (a->st->operand_types.n != args->n)
            return tsr_asm_error(a, "expected %zu operand types, got %zu", args->n,
                                 a->st->operand_types.n);
        for (size_t i = 0; i < args->n; i++)
            args->data[i].type = a->st->operand_types.data[i];
    }
    return tsr_asm_region(a, 0, args, TSR_REGION_TERMINATORS) && tsr_asm_lit(a, " do ") &&
           tsr_asm_region(a, 1, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS) &&
           tsr_asm_dict_keyword(a, NULL);
}

bool asm_scf_while(tsr_asm *a)
{
    tsr_region_args args = {0};
    bool ok = scf_while(a, &args);
    tsr_vec_free(&args);
    return ok;
}

/* condition ::= '(' %c ')' dict (values ':' types)? */
bool asm_scf_condition(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ")") && tsr_asm_dict(a));
    if (tsr_asm_writing(a))
        return a->op->nin == 1 ||
               (tsr_asm_lit(a, " ") && tsr_asm_operands(a, 1, a->op->nin) &&
                tsr_asm_lit(a, " : ") && tsr_asm_operand_types(a, 1, a->op->nin));
    tsr_vec_push(&a->st->operand_types, a->ctx->i1);
    TSR_TRY(tsr_asm_operands(a, 1, 0));
    return a->st->operands.n == 1 ||
           (tsr_asm_lit(a, ":") && tsr_asm_operand_types(a, 1, a->st->operands.n));
}
