/* invariants.c - checks what must hold of the IR between any two passes. The structural verifier (verify.c) checks
 * programs and emits diagnostics; this file checks the compiler itself, and aborts. It runs after each pass in builds
 * with DEBUG=1 or sanitizers. */
#include "ir/ir.h"

#define HOLDS(op, cond, what) \
    tsr_assert(cond, "'%.*s' after a pass: %s", TSR_STR_ARG((op)->def->name), what)

/* Every use in the list is an operand of an op in some block, and the list is linked both ways. */
static size_t check_uses(const tsr_op *op, const tsr_value *v)
{
    size_t n = 0;
    for (const tsr_use *u = v->uses; u; u = u->next, n++) {
        HOLDS(op, u->value == v, "a use of another value is in its list");
        HOLDS(op, *u->prev == u, "a use list is broken");
        HOLDS(op, u >= u->user->in && u < u->user->in + u->user->nin, "a use is no operand");
    }
    return n;
}

static void check_operands(const tsr_op *op)
{
    HOLDS(op, op->nin <= op->cap_in, "more operands than room for them");
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_use *u = &op->in[i];
        HOLDS(op, u->value, "an operand is missing");
        HOLDS(op, u->user == op, "an operand has another user");
        HOLDS(op, *u->prev == u, "an operand is in no use list");
        HOLDS(op, u->value->type, "an operand has no type");
    }
    uint64_t of_blocks = 0;
    for (uint32_t i = 0; i < op->nsucc; i++) {
        HOLDS(op, op->succ[i], "a successor is missing");
        of_blocks += op->nsuccin[i];
    }
    HOLDS(op, of_blocks <= op->nin, "blocks take more operands than there are");
}

static size_t check_results(const tsr_op *op)
{
    size_t uses = 0;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_value *v = &op->out[i];
        HOLDS(op, !v->is_arg && v->op == op && v->index == i, "a result is another op's");
        HOLDS(op, v->type, "a result has no type");
        uses += check_uses(op, v);
    }
    return uses;
}

static size_t check_block(const tsr_op *op, const tsr_region *region, const tsr_block *b)
{
    size_t uses = 0;
    HOLDS(op, b->region == region, "a block is another region's");
    HOLDS(op, b->prev ? b->prev->next == b : region->first == b, "blocks are not linked");
    HOLDS(op, b->next ? b->next->prev == b : region->last == b, "blocks are not linked");
    HOLDS(op, b->nargs <= b->cap_args, "more arguments than room for them");
    for (uint32_t i = 0; i < b->nargs; i++) {
        const tsr_value *v = b->args[i];
        HOLDS(op, v->is_arg && v->block == b && v->index == i, "an argument is another block's");
        HOLDS(op, v->type, "an argument has no type");
        uses += check_uses(op, v);
    }
    for (const tsr_op *inner = b->first; inner; inner = inner->next) {
        HOLDS(inner, inner->block == b, "it is another block's");
        HOLDS(inner, inner->prev ? inner->prev->next == inner : b->first == inner,
              "ops are not linked");
        HOLDS(inner, inner->next ? inner->next->prev == inner : b->last == inner,
              "ops are not linked");
    }
    return uses;
}

void tsr_op_check_invariants(tsr_op *root)
{
    size_t operands = 0, uses = 0;
    TSR_OPS (root, op) {
        HOLDS(op, op->module == root->module, "it is another module's");
        HOLDS(op, op->def->opcode == TSR_UNREGISTERED || !op->nregion || op->regions,
              "regions are missing");
        check_operands(op);
        operands += op->nin;
        uses += check_results(op);
        for (uint32_t r = 0; r < op->nregion; r++) {
            HOLDS(op, op->regions[r].op == op, "a region is another op's");
            TSR_REGION_BLOCKS (&op->regions[r], b)
                uses += check_block(op, &op->regions[r], b);
        }
    }
    /* Values from outside of root may be used inside, but values inside must not be used outside. */
    HOLDS(root, uses <= operands, "more uses than operands");
    HOLDS(root, root != root->module->op || uses == operands, "operands that no value knows");
}
