/* SPDX-License-Identifier: Apache-2.0 */
/* verify_unreduced.c - sdy-verify-unreduced-axes: unreduced axes may appear and disappear only where an op reduces them
 * or states it explicitly. The verifier of an op sees only its own sharding; this pass also sees those of its
 * neighbours. */
#include "dialect/reducer.h"
#include "dialect/sdy/verify.h"
#include "shard/core/each.h"
#include "shard/passes.h"

/* The source of a value through propagation barriers, which may form a cycle in a graph region. */
static tsr_value *behind_barriers(tsr_value *v)
{
    for (uint32_t steps = v->is_arg ? 0 : v->op->module->nop;
         steps && !v->is_arg && tsr_op_is(v->op, TSR_OP_SDY_PROPAGATION_BARRIER) && v->op->nin;
         steps--)
        v = v->op->in[0].value;
    return v;
}

static const tsr_attr *sharding_of(tsr_value *v)
{
    return tsr_sdy_sharding_of(behind_barriers(v));
}

static bool is_explicit(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_SDY_RESHARD) || tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT);
}

/* A reshard right before a use may reduce, so that use is not restricted. */
static bool from_explicit(tsr_value *v)
{
    v = behind_barriers(v);
    return !v->is_arg && is_explicit(v->op);
}

static const tsr_attr *unreduced(const tsr_attr *sharding)
{
    return sharding ? sharding->attrs[SDY_SHARDING_unreduced] : NULL;
}

static bool contains(const tsr_attr *list, const tsr_attr *axis)
{
    for (uint32_t i = 0; list && i < list->n; i++)
        if (list->attrs[i] == axis)
            return true;
    return false;
}

static void add_missing(const tsr_attr *from, const tsr_attr *in, tsr_sdy_axes *names)
{
    for (uint32_t i = 0; from && i < from->n; i++)
        if (!contains(in, from->attrs[i]))
            tsr_vec_push(names, from->attrs[i]->attrs[SDY_AXIS_REF_name]);
}

static int by_text(const void *a, const void *b)
{
    return tsr_str_cmp((*(tsr_attr *const *)a)->s, (*(tsr_attr *const *)b)->s);
}

/* Both sides have the same unreduced axes; the message names those of one side only. */
static bool check_equal(const tsr_op *op, const tsr_attr *from, const tsr_attr *to,
                        const char *where, uint32_t i, const char *end)
{
    tsr_sdy_axes names = {0};
    add_missing(from, to, &names);
    add_missing(to, from, &names);
    if (!names.n) {
        tsr_vec_free(&names);
        return true;
    }
    qsort(names.data, names.n, sizeof *names.data, by_text);
    tsr_buf text = {0};
    for (uint32_t k = 0; k < names.n; k++)
        if (!k || names.data[k] != names.data[k - 1])
            tsr_buf_printf(&text, "%s%.*s", k ? ", " : "", TSR_STR_ARG(names.data[k]->s));
    tsr_op_error(op, "has unreduced axes mismatch for '%.*s' at %s %u%s", (int)text.len, text.data,
                 where, i, end);
    tsr_buf_free(&text);
    tsr_vec_free(&names);
    return false;
}

static const tsr_attr *result_sharding(const tsr_op *func, uint32_t i)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("res_attrs"));
    if (!tsr_attr_is(all, TSR_ATTR_ARRAY) || i >= all->n ||
        !tsr_attr_is(all->attrs[i], TSR_ATTR_DICT))
        return NULL;
    const tsr_attr *s = tsr_dict_get(all->attrs[i], TSR_STR("sdy.sharding"));
    return tsr_sdy_is_sharding(s) ? s : NULL;
}

static bool check_call(tsr_op *op)
{
    const tsr_op *callee = tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")));
    if (!callee || !tsr_op_has(callee, TSR_TRAIT(FUNCTION)))
        return true;
    const tsr_block *body = callee->nregion ? callee->regions[0].first : NULL;
    for (uint32_t i = 0; body && i < op->nin && i < body->nargs; i++) {
        tsr_value *v = op->in[i].value;
        if (!from_explicit(v))
            TSR_TRY(check_equal(op, unreduced(sharding_of(v)),
                                unreduced(sharding_of(body->args[i])), "call argument", i, "."));
    }
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(check_equal(op, unreduced(result_sharding(callee, i)),
                            unreduced(sharding_of(&op->out[i])), "call result", i, "."));
    return true;
}

static bool check_return(tsr_op *op)
{
    tsr_op *parent = tsr_block_parent(op->block);
    bool function = tsr_op_has(parent, TSR_TRAIT(FUNCTION));
    for (uint32_t i = 0; i < op->nin; i++) {
        if (!function && i >= parent->nout)
            break;
        const tsr_attr *to = function ? result_sharding(parent, i) : sharding_of(&parent->out[i]);
        if (!function && to && tsr_op_is(parent, TSR_OP_SDY_MANUAL_COMPUTATION))
            to = tsr_sdy_without_axes(op->module->ctx, (tsr_attr *)to,
                                      parent->attrs[SDY_MANUAL_COMPUTATION_manual_axes]->attrs[0]);
        if (!to || from_explicit(op->in[i].value))
            continue;
        TSR_TRY(check_equal(
            op, unreduced(sharding_of(op->in[i].value)), unreduced(to), "return value", i,
            " without a blessed operation (e.g., sdy.reshard). This is an invalid transition from "
            "unreduced to reduced."));
    }
    return true;
}

/* The reduction of a body: every result is the sum, or maximum, or minimum. -1: anything else. */
static int body_reduction(const tsr_op *op)
{
    const tsr_block *body = op->nregion ? op->regions[0].first : NULL;
    const tsr_op *end = body ? body->last : NULL;
    int all = -1;
    if (!end || !tsr_op_is(end, TSR_OP_STABLEHLO_RETURN))
        return -1;
    for (uint32_t i = 0; i < end->nin; i++) {
        const tsr_value *v = end->in[i].value;
        tsr_reduce_kind kind =
            v->is_arg ? TSR_REDUCE_OTHER : tsr_reduce_kind_of(v->op->def->opcode);
        tsr_sdy_reduction sdy;
        bool known = kind == TSR_REDUCE_SUM || tsr_reduce_is_extremal(kind);
        int one = known && tsr_reduce_to_sdy(kind, NULL, &sdy) ? (int)sdy : -1;
        if (one < 0 || (all >= 0 && one != all))
            return -1;
        all = one;
    }
    return all;
}

/* For the first n operands. */
static bool check_change(tsr_op *op, uint32_t n, bool free_reshards, int add, int drop,
                         tsr_arena *scratch)
{
    tsr_arena_mark mark = tsr_arena_save(scratch);
    const tsr_attr **all = TSR_NEW_ARRAY(scratch, const tsr_attr *, n + op->nout + 1);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *v = op->in[i].value;
        all[i] = free_reshards && from_explicit(v) ? NULL : sharding_of(v);
        any |= all[i] && unreduced(all[i])->n;
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        all[n + i] = sharding_of(&op->out[i]);
        any |= all[n + i] && unreduced(all[n + i])->n;
    }
    bool ok = !any || sdy_check_unreduced_all(op, all, n, all + n, op->nout, add, drop);
    tsr_arena_rewind(scratch, mark);
    return ok;
}

static bool check_op(tsr_op *op, tsr_arena *scratch)
{
    switch (op->def->opcode) {
    case TSR_OP_SDY_RESHARD:
    case TSR_OP_SDY_SHARDING_CONSTRAINT: return tsr_verify(op);
    case TSR_OP_SDY_ALL_REDUCE:
    case TSR_OP_SDY_REDUCE_SCATTER:
        if (!sharding_of(op->in[0].value))
            return tsr_op_error(op, "operand must be sharded.");
        return tsr_verify(op);
    case TSR_OP_STABLEHLO_REDUCE:
        return check_change(op, op->nin / 2, true, body_reduction(op), -1, scratch);
    case TSR_OP_STABLEHLO_ALL_REDUCE:
    case TSR_OP_STABLEHLO_REDUCE_SCATTER:
        return !op->nin || check_change(op, 1, false, -1, body_reduction(op), scratch);
    default: break;
    }
    if (tsr_op_has(op, TSR_TRAIT(CALL)))
        return check_call(op);
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return !tsr_op_has(op, TSR_TRAIT(RETURN_LIKE)) || check_return(op);
    return check_change(op, op->nin, true, TSR_SDY_SUM, -1, scratch);
}

/* Children before parents, in program order. */
static bool check_inside(tsr_op *op, tsr_arena *scratch)
{
    for (uint32_t i = 0; i < op->nregion; i++)
        TSR_REGION_BLOCKS (&op->regions[i], b)
            TSR_BLOCK_OPS (b, inner)
                TSR_TRY(check_inside(inner, scratch) && check_op(inner, scratch));
    return true;
}

/* Most programs have no unreduced axes; then only ops that refer to axes themselves are examined. */
static tsr_attr *look_for_axes(void *user, tsr_op *op, tsr_attr *sharding)
{
    bool *found = user;
    (void)op;
    *found |= unreduced(sharding)->n > 0;
    return sharding;
}

static bool speaks_of_axes(const tsr_op *op)
{
    return is_explicit(op) || tsr_op_is(op, TSR_OP_SDY_ALL_REDUCE) ||
           tsr_op_is(op, TSR_OP_SDY_REDUCE_SCATTER);
}

bool pass_sdy_verify_unreduced_axes(tsr_pass *p, tsr_op *root)
{
    bool found = false;
    TSR_OPS (root, op) {
        tsr_op_each_sharding(op, look_for_axes, &found);
        tsr_op *callee = tsr_op_has(op, TSR_TRAIT(CALL))
                             ? tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")))
                             : NULL;
        if (callee && tsr_op_has(callee, TSR_TRAIT(FUNCTION)))
            tsr_func_each_sharding(callee, look_for_axes, &found);
        if (found)
            return check_inside(root, p->scratch);
    }
    TSR_OPS (root, op)
        if (speaks_of_axes(op))
            TSR_TRY(check_op(op, p->scratch));
    return true;
}
