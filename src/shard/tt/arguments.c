/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - the roles of arguments, and whether arguments and results are already sharded.
 *
 * tt-populate-argument-types writes ttcore.argument_type on arguments, apply-argument-shard-status ttcore.shard_status
 * on arguments and results. Needs nothing; keeps everything else. */
#include "shard/passes.h"
#include "shard/tt/tt.h"

/* ---- Types ---- */

static tsr_str cut(tsr_str *rest, char at)
{
    const char *end = memchr(rest->data, at, rest->len);
    tsr_str head = {rest->data, end ? (size_t)(end - rest->data) : rest->len};
    size_t used = head.len + (end != NULL);
    *rest = (tsr_str){rest->data + used, rest->len - used};
    return head;
}

static tsr_attr *argument_type(tsr_ctx *ctx, tsr_str word)
{
    static const char *const words[] = {"input", "parameter", "constant", "default"};
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (tsr_str_is(word, words[i]))
            return tsr_attr_enum(ctx, &tsr_def_TTCORE_ARGUMENT_TYPE, (int64_t)i);
    return NULL;
}

/* "input,parameter" for the arguments of func. */
static bool populate_func(tsr_pass *p, tsr_op *func, tsr_str words)
{
    uint32_t n = tsr_func_count(func, true), got = 0;
    tsr_attr **types = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    while (words.len) {
        tsr_str word = cut(&words, ',');
        tsr_attr *type = argument_type(p->ctx, word);
        if (!type)
            return tsr_op_error(func,
                                "has an argument of unknown type '%.*s': input, parameter, "
                                "constant and default are known",
                                TSR_STR_ARG(word));
        if (got < n)
            types[got] = type;
        got++;
    }
    if (got != n)
        return tsr_error(p->ctx, func->loc,
                         "Did not provide the correct number of argument types for function: "
                         "\"%.*s\". Expected: %u arguments, got: %u arguments",
                         TSR_STR_ARG(tsr_op_symbol(func)), n, got);
    tsr_sdy_set_func_attr(func, true, TSR_TT_ARGUMENT_TYPE, types);
    p->changed = true;
    return true;
}

bool pass_tt_populate_argument_types(tsr_pass *p, tsr_op *root)
{
    tsr_str rest = tsr_pass_str(p, "argument-types");
    tsr_symtab symbols;
    tsr_symtab_init(&symbols, root);
    bool ok = true;
    while (ok && rest.len) {
        tsr_str words = cut(&rest, ';'), name = cut(&words, '=');
        tsr_op *func = tsr_symtab_find(&symbols, name);
        if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
            ok = tsr_error(p->ctx, root->loc,
                           "Function: \"%.*s\" was provided in the argument types map, however "
                           "it was not found in module!",
                           TSR_STR_ARG(name));
        else
            ok = populate_func(p, func, words);
    }
    tsr_symtab_free(&symbols);
    return ok;
}

bool pass_tt_apply_tt_argument_annotations(tsr_pass *p, tsr_op *root)
{
    return pass_tt_populate_argument_types(p, root);
}

/* ---- Status ---- */

static tsr_attr *status(tsr_ctx *ctx, bool presharded)
{
    return tsr_attr_enum(ctx, &tsr_def_TTCORE_SHARD_STATUS,
                         presharded ? TSR_TT_PRESHARDED : TSR_TT_UNSHARDED);
}

/* GSPMD's custom calls give the sharding of a value; they also show whether it is already sharded. */
static void mark_sharding_users(const tsr_value *arg, tsr_attr *value)
{
    for (const tsr_use *use = arg->uses; use; use = use->next) {
        if (!tsr_str_is(tsr_tt_target(use->user), "Sharding"))
            return;
        tsr_op_set_attr(use->user, TSR_TT_SHARD_STATUS, value);
    }
}

static void mark_arguments(tsr_pass *p, tsr_op *func, bool shardy)
{
    uint32_t n = tsr_func_count(func, true);
    tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    tsr_block *body = tsr_tt_body(func);
    for (uint32_t i = 0; i < n; i++) {
        bool sharded = shardy ? tsr_tt_attr(func, true, i, TSR_TT_SHARDING) != NULL
                              : tsr_tt_attr(func, true, i, TSR_TT_XLA_SHARDING) != NULL;
        all[i] = status(p->ctx, sharded);
        if (!shardy && body && i < body->nargs)
            mark_sharding_users(body->args[i], all[i]);
    }
    tsr_sdy_set_func_attr(func, true, TSR_TT_SHARD_STATUS, all);
}

static bool mark_results(tsr_pass *p, tsr_op *func, bool shardy, const bool *presharded,
                         uint32_t given)
{
    uint32_t n = tsr_func_count(func, false);
    if (given && given != n)
        return tsr_op_error(func,
                            "has %u results, but result-presharded says it of %u: the size of "
                            "the result shard status does not match the number of results",
                            n, given);
    tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    const tsr_op *end = tsr_tt_body(func) ? tsr_tt_body(func)->last : NULL;
    for (uint32_t i = 0; i < n; i++) {
        all[i] = status(p->ctx, given && presharded[i]);
        if (shardy || !end || i >= end->nin || end->in[i].value->is_arg)
            continue;
        const tsr_op *call = end->in[i].value->op;
        tsr_str target = tsr_tt_target(call);
        if ((tsr_str_is(target, "SPMDShardToFullShape") ||
             tsr_str_is(target, "SPMDFullToShardShape")) &&
            call->nin && !call->in[0].value->is_arg &&
            tsr_op_is(call->in[0].value->op, TSR_OP_STABLEHLO_CUSTOM_CALL))
            tsr_op_set_attr(call->in[0].value->op, TSR_TT_SHARD_STATUS, all[i]);
    }
    tsr_sdy_set_func_attr(func, false, TSR_TT_SHARD_STATUS, all);
    return true;
}

bool pass_tt_apply_argument_shard_status(tsr_pass *p, tsr_op *root)
{
    bool shardy = tsr_tt_has_shardy(root);
    TSR_VEC(bool) presharded = {0};
    tsr_str word;
    for (size_t i = 0; tsr_pass_item(p, "result-presharded", i, &word); i++)
        tsr_vec_push(&presharded, !tsr_str_is(word, "0") && !tsr_str_is(word, "false"));
    bool ok = true;
    TSR_OPS (root, func)
        if (tsr_op_is(func, TSR_OP_FUNC_FUNC)) {
            mark_arguments(p, func, shardy);
            if (tsr_tt_is_public(func))
                ok = ok && mark_results(p, func, shardy, presharded.data, (uint32_t)presharded.n);
        }
    tsr_vec_free(&presharded);
    p->changed = true;
    return ok;
}
