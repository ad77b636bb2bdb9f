/* SPDX-License-Identifier: Apache-2.0 */
/* raise.c - --tessera-raise: replaces layers written out in StableHLO, CHLO or Graph IR with one op of Graph IR:
 * softmax, attention, layer_norm, rms_norm, gelu, silu, rotary embedding.
 *
 * Numbers (scale, epsilon, the count that makes a sum a mean) and masks are taken from the graph; nothing is assumed. A
 * pattern matches only if the ops in it have no other users. Blocks are visited a few times, from the end to the start,
 * so that a pattern is tried before its parts: layers first, then patterns built on them (a scaled norm, attention).
 * Needs uses; breaks ids. Each op is visited a bounded number of times. */
#include "pass/fuse/raise.h"

typedef bool pattern(tsr_match *m);

static const struct {
    tsr_role root;
    pattern *fits;
} first[] = {{ROLE_DIV, tsr_raise_softmax},   {ROLE_MUL, tsr_raise_gelu},
             {ROLE_DIV, tsr_raise_gelu},      {ROLE_MUL, tsr_raise_silu},
             {ROLE_DIV, tsr_raise_silu},      {ROLE_MUL, tsr_raise_norm},
             {ROLE_DIV, tsr_raise_norm},      {ROLE_BATCH_NORM, tsr_raise_batch_norm},
             {ROLE_ADD, tsr_raise_rotary},    {ROLE_CONCATENATE, tsr_raise_rotary},
             {ROLE_RESHAPE, tsr_raise_rotary}},
  second[] = {{ROLE_MUL, tsr_raise_affine},
              {ROLE_ADD, tsr_raise_affine},
              {ROLE_CONVERT, tsr_raise_narrow},
              {ROLE_PRODUCT, tsr_raise_attention}};

static bool fits(const tsr_op *op)
{
    return op->nout && op->nin && tsr_view_fits(&op->out[0]) &&
           op->out[0].type->elem->kind == TSR_TYPE_FLOAT;
}

/* Bodies of reduce and the like are skipped; regions of control flow are visited like any other. */
static bool is_body(const tsr_op *op)
{
    return op && !tsr_op_is(op, TSR_OP_STABLEHLO_IF) && !tsr_op_is(op, TSR_OP_STABLEHLO_CASE) &&
           !tsr_op_is(op, TSR_OP_STABLEHLO_WHILE) &&
           (tsr_op_is(op, TSR_OP_TESSERA_FUSED) || tsr_op_in(op, TSR_DIALECT_STABLEHLO));
}

static bool raise_op(tsr_match *m, bool layers)
{
    tsr_role role = tsr_role_of(m->root);
    for (size_t i = 0; role && i < (layers ? TSR_COUNT(first) : TSR_COUNT(second)); i++) {
        m->n = 0;
        m->what = NULL;
        if (role == (layers ? first[i].root : second[i].root) &&
            (layers ? first[i].fits(m) : second[i].fits(m)))
            return true;
    }
    return false;
}

/* Ops around layers are visited again as long as something was found: a norm is narrowed, then scaled, then shifted. */
enum { ROUNDS = 6 };

static void raise_inside(tsr_pass *p, tsr_op *root, tsr_buf *dump)
{
    tsr_match m = {.pass = p};
    bool found = true;
    for (int round = 0; round < ROUNDS && (found || round < 2); round++) {
        m.dump = round < 2 ? dump : NULL; /* report each reason once */
        found = false;
        TSR_OPS_REVERSE (root, op) {
            if (!tsr_op_used(op) && tsr_op_removable(op)) {
                tsr_op_erase(op); /* ops that a pattern left behind have no uses */
                p->changed = true;
                continue;
            }
            if (is_body(tsr_block_parent(op->block)) || !fits(op))
                continue;
            m.root = op;
            found |= raise_op(&m, round == 0);
        }
    }
}

bool pass_tessera_raise_layers(tsr_pass *p, tsr_op *root)
{
    tsr_buf dump = {0};
    bool asked = tsr_pass_bool(p, "dump-clusters");
    TSR_BLOCK_OPS (root->regions[0].first, func) {
        if (!tsr_op_has(func, TSR_TRAIT(FUNCTION)))
            continue;
        if (asked)
            tsr_buf_printf(&dump, "@%.*s\n", TSR_STR_ARG(tsr_op_symbol(func)));
        raise_inside(p, func, asked ? &dump : NULL);
    }
    if (p->changed)
        tsr_erase_dead_ops(root);
    if (asked && p->options->report)
        p->options->report(p->options->user, tsr_buf_text(&dump));
    tsr_buf_free(&dump);
    return true;
}

/* Helper functions of a frontend are inlined, as they are part of the patterns. */
void expand_tessera_raise(const tsr_pass *p, tsr_buf *out)
{
    tsr_buf_printf(out, "inline,tessera-raise-layers{dump-clusters=%s}",
                   tsr_pass_bool(p, "dump-clusters") ? "true" : "false");
}
