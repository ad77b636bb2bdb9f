/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - structural verification, in MLIR's order and words.
 *
 * An op is checked on entry, then its blocks and the ops in them, then the rules that depend on those. Ops that are
 * isolated from above are postponed until their parent's other ops are done; dominance is checked once per isolated op,
 * at its end. Verification stops at the first bad op. */
#include "ir/verify.h"

bool tsr_verifier_goes_on(tsr_verifier *v, const tsr_op *op)
{
    if (!v->all)
        return false;
    if (!tsr_bitset_has(&v->bad, op->id)) {
        tsr_bitset_add(&v->bad, op->id);
        v->nbad++;
    }
    for (; op && !tsr_bitset_has(&v->tainted, op->id); op = tsr_block_parent(op->block))
        tsr_bitset_add(&v->tainted, op->id);
    return true;
}

/* check(thing), or continue after it; op is the one to blame. */
#define CHECK(v, op, check) TSR_TRY((check) || tsr_verifier_goes_on((v), (op)))

/* ---- Blocks ---- */

static bool may_lack_terminator(const tsr_block *b)
{
    const tsr_op *op = tsr_block_parent(b);
    if (b->prev || b->next)
        return false;
    return !op || op->def->opcode == TSR_UNREGISTERED || tsr_op_has(op, TSR_TRAIT(NO_TERMINATOR));
}

static bool enter_block(const tsr_block *b)
{
    tsr_ctx *ctx = b->region->op->module->ctx;
    if (!b->first)
        return may_lack_terminator(b) ||
               tsr_error(ctx, b->region->op->loc, "empty block: expect at least a terminator");
    TSR_BLOCK_OPS (b, op)
        if (op->nsucc && op->next)
            return tsr_error(ctx, op->loc,
                             "operation with block successors must terminate its parent block");
    return true;
}

static bool exit_block(const tsr_block *b)
{
    const tsr_op *last = b->last;
    if (!last)
        return true;
    for (uint16_t i = 0; i < last->nsucc; i++)
        if (!last->succ[i] || last->succ[i]->region != b->region)
            return tsr_op_error(last, "branching to block of a different region");
    if (tsr_op_has(last, TSR_TRAIT(TERMINATOR)) || last->def->opcode == TSR_UNREGISTERED ||
        may_lack_terminator(b))
        return true;
    tsr_ctx *ctx = last->module->ctx;
    tsr_buf text = {0};
    if (ctx->print_op)
        ctx->print_op(&text, last);
    else
        tsr_buf_str(&text, last->def->name);
    tsr_error(ctx, last->loc, "block with no terminator, has %.*s", (int)text.len, text.data);
    tsr_buf_free(&text);
    return false;
}

/* ---- Ops ---- */

/* Discardable attributes are checked before everything else, on unknown ops too. */
static bool check_extra(tsr_op *op)
{
    const tsr_ctx *ctx = op->module->ctx;
    if (!ctx->verify_attr || !op->extra)
        return true;
    for (uint32_t i = 0; i < op->extra->n; i++)
        TSR_TRY(ctx->verify_attr(op, TSR_SITE_OP, 0, &op->extra->named[i]));
    return true;
}

static bool enter_op(const tsr_verifier *v, tsr_op *op)
{
    TSR_TRY(check_extra(op));
    bool known = op->def->opcode != TSR_UNREGISTERED;
    if (known)
        TSR_TRY(tsr_verify_entry(v, op));
    for (uint16_t r = 0; r < op->nregion; r++) {
        const tsr_region *region = &op->regions[r];
        if (known && tsr_op_has(op, TSR_TRAIT(GRAPH_REGION)) && region->first != region->last)
            return tsr_op_error(op, "expects graph region #%u to have 0 or 1 blocks", r);
        TSR_REGION_BLOCKS (region, b)
            for (uint16_t s = 0; b->last && s < b->last->nsucc; s++)
                if (b->last->succ[s] == region->first)
                    return tsr_error(op->module->ctx, op->loc,
                                     "entry block of region may not have predecessors");
    }
    return true;
}

static bool may_be_unknown(const tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    if (ctx->allow_unregistered || tsr_dialect_open(ctx, tsr_opdef_dialect(op->def)))
        return true;
    const char *dot = memchr(op->def->name.data, '.', op->def->name.len);
    tsr_str dialect = tsr_str_of(op->def->name.data, dot ? (size_t)(dot - op->def->name.data) : 0);
    if (dot && tsr_dialect_known(ctx, dialect))
        return tsr_error(ctx, op->loc,
                         "unregistered operation '%.*s' found in dialect ('%.*s') that does not "
                         "allow unknown operations",
                         TSR_STR_ARG(op->def->name), TSR_STR_ARG(dialect));
    return tsr_op_error(op, "created with unregistered dialect. If this is intended, please call "
                            "allowUnregisteredDialects() on the MLIRContext, or use "
                            "-allow-unregistered-dialect with the "
                            "MLIR opt tool used");
}

static bool is_apart(const tsr_op *op)
{
    return op->nregion && tsr_op_has(op, TSR_TRAIT(ISOLATED));
}

static bool verify_isolated(tsr_verifier *v, tsr_op *op);

static bool exit_op(tsr_verifier *v, tsr_op *op)
{
    /* Functions and the like are independent: each reports its first error, as in MLIR, which verifies them in
     * parallel. */
    bool ok = true;
    for (uint16_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, in)
                if (is_apart(in))
                    ok = verify_isolated(v, in) && ok;
    if (!ok)
        return false;
    if (v->all && tsr_bitset_has(&v->bad, op->id))
        return true;
    return op->def->opcode == TSR_UNREGISTERED ? may_be_unknown(op) : tsr_verify_exit(v, op);
}

/* The first block of op's regions from number r on. */
static tsr_block *block_from(const tsr_op *op, uint32_t r)
{
    for (; r < op->nregion; r++)
        if (op->regions[r].first)
            return op->regions[r].first;
    return NULL;
}

static tsr_block *block_after(const tsr_block *b)
{
    const tsr_op *op = b->region->op;
    return b->next ? b->next : block_from(op, (uint32_t)(b->region - op->regions) + 1);
}

static tsr_op *not_apart(tsr_op *op)
{
    while (op && is_apart(op))
        op = op->next;
    return op;
}

/* root and everything inside except isolated ops, which are visited at the exit of their parents. */
static bool verify_nest(tsr_verifier *v, tsr_op *root)
{
    tsr_op *op = root;
    CHECK(v, op, enter_op(v, op));
    for (tsr_block *b = block_from(op, 0);;) {
        tsr_op *next;
        if (b) {
            CHECK(v, op, enter_block(b));
            next = not_apart(b->first);
        } else {
            CHECK(v, op, exit_op(v, op));
            if (op == root)
                return true;
            b = op->block;
            next = not_apart(op->next);
        }
        if (next) {
            op = next;
            CHECK(v, op, enter_op(v, op));
            b = block_from(op, 0);
        } else {
            CHECK(v, b->region->op, exit_block(b));
            op = b->region->op;
            b = block_after(b);
        }
    }
}

/* ---- Dominance ---- */

static bool region_holds(const tsr_region *outer, const tsr_region *inner) /* properly */
{
    while (inner) {
        const tsr_block *b = inner->op ? inner->op->block : NULL;
        inner = b ? b->region : NULL;
        if (inner == outer)
            return inner != NULL;
    }
    return false;
}

static bool bad_dominance(const tsr_op *op, uint32_t i)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_value *v = op->in[i].value;
    const tsr_block *def = v->is_arg ? v->block : v->op->block;
    tsr_error(ctx, op->loc, "operand #%u does not dominate this use", i);
    const tsr_region *here = op->block->region, *there = def ? def->region : NULL;
    if (!there) {
        tsr_note(ctx, v->is_arg ? TSR_LOC_UNKNOWN : v->op->loc,
                 v->is_arg ? " (block without parent)" : "operand defined here");
        return false;
    }
    const char *how = here == there               ? "in the same region"
                      : region_holds(there, here) ? "in a parent region"
                      : region_holds(here, there) ? "in a child region"
                                                  : NULL;
    if (v->is_arg) {
        uint32_t index = 0;
        for (const tsr_block *b = def->prev; b; b = b->prev)
            index++;
        tsr_note(ctx, there->op->loc, "operand defined as a block argument (block #%u %s)", index,
                 how ? how : "neither in a parent nor in a child region");
    } else if (def == op->block) {
        tsr_note(ctx, v->op->loc, "operand defined here (op in the same block)");
    } else {
        tsr_note(ctx, v->op->loc, "operand defined here (op %s)",
                 how ? how : "is neither in a parent nor in a child region");
    }
    return false;
}

static bool operands_dominate(const tsr_verifier *v, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_dominates(v->dom, op->in[i].value, op))
            return bad_dominance(op, i);
    return true;
}

static bool verify_dominance(tsr_verifier *v, tsr_op *root)
{
    for (tsr_op *op = tsr_walk_nest(root, root); op; op = tsr_walk_nest(root, op))
        CHECK(v, op, operands_dominate(v, op));
    return true;
}

static bool verify_isolated(tsr_verifier *v, tsr_op *op)
{
    return verify_nest(v, op) && verify_dominance(v, op);
}

static bool run(tsr_verifier *v, tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_symcache symbols;
    tsr_arena_init_pooled(&v->scratch, &ctx->pool);
    v->dom = tsr_dominance_new(&v->scratch, op);
    if (v->all) {
        v->bad = tsr_bitset_new(&v->scratch, op->module->nop);
        v->tainted = tsr_bitset_new(&v->scratch, op->module->nop);
    }
    tsr_symcache_start(op->module, &symbols);
    memset(ctx->symcache->fine, 0, sizeof ctx->symcache->fine);
    ctx->symcache->verifying = true;
    bool ok = verify_isolated(v, op);
    ctx->symcache->verifying = false;
    tsr_symcache_stop(&symbols);
    tsr_vec_free(&v->inferred);
    tsr_arena_free(&v->scratch);
    return ok;
}

bool tsr_verify(tsr_op *op)
{
    tsr_verifier v = {0};
    bool ok = run(&v, op);
    if (op == op->module->op)
        op->module->verified = ok;
    return ok;
}

uint32_t tsr_verify_all(tsr_op *op)
{
    tsr_verifier v = {.all = true};
    (void)run(&v, op);
    return v.nbad;
}
