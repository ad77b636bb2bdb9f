/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of structured control flow: the types that regions yield match those of their destination, in MLIR's
 * words. */
#include "dialect/hooks.h"
#include "dialect/scf/edges.h"
#include "dialect/stablehlo/types.h"

/* Values that flow along an edge: operands of a terminator starting at first, to n types. to: the destination's
 * name. */
static bool edge(const tsr_op *op, int from, const tsr_op *end, uint32_t first, const char *to,
                 tsr_type *const *types, uint32_t n)
{
    uint32_t have = end->nin < first ? 0 : end->nin - first;
    if (have != n)
        return tsr_op_error(op,
                            " region control flow edge from Region #%d to %s: source has %u "
                            "operands, but target successor "
                            "needs %u",
                            from, to, have, n);
    for (uint32_t i = 0; i < n; i++)
        if (end->in[first + i].value->type != types[i])
            return tsr_op_error(op,
                                " along control flow edge from Region #%d to %s: source type #%u "
                                "%s should match input "
                                "type #%u %s",
                                from, to, i, tsr_hlo_show_type(end->in[first + i].value->type), i,
                                tsr_hlo_show_type(types[i]));
    return true;
}

/* The same to the op's results, to its operands, or to the arguments of a block. */
bool tsr_verify_edge_to_results(const tsr_op *op, int from, const tsr_op *end, uint32_t first)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    bool ok = edge(op, from, end, first, "parent results", types.data, op->nout);
    tsr_vec_free(&types);
    return ok;
}

static bool to_block(const tsr_op *op, int from, const tsr_op *end, uint32_t first,
                     const tsr_block *b, uint32_t skip, const char *name)
{
    tsr_type_vec types = {0};
    for (uint32_t i = skip; i < b->nargs; i++)
        tsr_vec_push(&types, b->args[i]->type);
    bool ok = edge(op, from, end, first, name, types.data, (uint32_t)types.n);
    tsr_vec_free(&types);
    return ok;
}

/* Blocks without ops, or without the terminator that a row implies, are reported elsewhere. */
static bool is_odd(const tsr_op *op)
{
    for (uint32_t r = 0; r < op->nregion; r++) {
        const tsr_block *b = op->regions[r].first;
        if (b && (!b->last || (op->def->implicit && !tsr_op_is(b->last, TSR_OP_SCF_YIELD))))
            return true;
    }
    return false;
}

/* The terminator of region r if it is an op of this kind; NULL after a diagnostic. */
static const tsr_op *ends_with(const tsr_op *op, int r, uint16_t opcode, const char *region,
                               const char *name)
{
    const tsr_block *b = op->regions[r].first;
    if (b && b->last && tsr_op_is(b->last, opcode))
        return b->last;
    tsr_op_error(op, "expects the '%s' region to terminate with '%s'", region, name);
    return NULL;
}

bool verify_scf_for(tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    if (op->nin < 3 || op->nin - 3 != op->nout)
        return tsr_op_error(op, "mismatch in number of loop-carried values and defined values");
    if (!body || body->nargs != op->nout + 1)
        return tsr_op_error(op, "mismatch in number of basic block args and defined values");
    if (body->args[0]->type != op->in[0].value->type)
        return tsr_op_error(op, "expected induction variable to be same type as bounds and step");
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->in[i + 3].value->type != op->out[i].type)
            return tsr_op_error(op, "types mismatch between %uth iter operand and defined value",
                                i);
    if (is_odd(op))
        return true;
    const tsr_op *end = body->last;
    for (uint32_t i = 0; i < end->nin && end->nin == op->nout; i++)
        if (end->in[i].value->type != body->args[i + 1]->type)
            return tsr_op_error(
                op, "%u-th region iter_arg and %u-th yielded value have different type: %s != %s",
                i, i, tsr_hlo_show_type(body->args[i + 1]->type),
                tsr_hlo_show_type(end->in[i].value->type));
    return to_block(op, 0, end, 0, body, 1, "Region #0");
}

bool verify_scf_if(tsr_op *op)
{
    if (op->nout && !op->regions[1].first)
        return tsr_op_error(op, "must have an else block if defining values");
    for (int r = 0; r < 2 && !is_odd(op); r++) {
        if (!op->regions[r].first)
            continue;
        TSR_TRY(tsr_verify_edge_to_results(op, r, op->regions[r].first->last, 0));
    }
    return true;
}

bool verify_scf_while(tsr_op *op)
{
    const tsr_block *before = op->regions[0].first, *after = op->regions[1].first;
    if (is_odd(op))
        return true;
    const tsr_op *ask = ends_with(op, 0, TSR_OP_SCF_CONDITION, "before", "scf.condition");
    const tsr_op *end = ask ? ends_with(op, 1, TSR_OP_SCF_YIELD, "after", "scf.yield") : NULL;
    TSR_TRY(end != NULL);
    if (before->nargs != op->nin)
        return tsr_op_error(op,
                            " region control flow edge from parent operands to Region #0: source "
                            "has %u operands, but "
                            "target successor needs %u",
                            op->nin, before->nargs);
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type != before->args[i]->type)
            return tsr_op_error(op,
                                " along control flow edge from parent operands to Region #0: "
                                "source type #%u %s should "
                                "match input type #%u %s",
                                i, tsr_hlo_show_type(op->in[i].value->type), i,
                                tsr_hlo_show_type(before->args[i]->type));
    return tsr_verify_edge_to_results(op, 0, ask, 1) &&
           to_block(op, 0, ask, 1, after, 0, "Region #1") &&
           to_block(op, 1, end, 0, before, 0, "Region #0");
}
