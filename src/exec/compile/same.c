/* SPDX-License-Identifier: Apache-2.0 */
/* same.c - ops that compute the same as an earlier op of their block: common subexpressions.
 *
 * Two ops compute the same values if they have the same row, attributes, result types and operands. Attributes and
 * types are interned, so pointers are compared. Results of an optimization_barrier are values of their own, so that ops
 * meant to be recomputed are not merged. */
#include "exec/compile/build.h"
#include "exec/compile/value.h"

typedef struct {
    const tsr_op *op;
    const tsr_block_program *block;
    tsr_xid *in, *out;
} known;

/* Whether op may be dropped if an earlier one is the same. */
static bool may_be_same(const tsr_xbuilder *b, const tsr_op *op)
{
    tsr_fold_op fold;
    bool counts = tsr_op_has(op, TSR_TRAIT(DIVIDES)) && op->nin == 2 &&
                  tsr_dtype_is_int(tsr_xdtype_of(b, tsr_x_in(b, op, 1)));
    if (tsr_has_effect(op) || op->nout != 1 || counts || op->nsucc || !tsr_x_plain(op->out[0].type))
        return false;
    return !op->nregion || (op->nregion == 1 && tsr_x_is_reduce(op) && tsr_x_body_fold(op, &fold));
}

static uint64_t hash_of(const tsr_xbuilder *b, const tsr_op *op)
{
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(op->def), tsr_hash_ptr(op->out[0].type));
    for (uint32_t i = 0; i < op->def->nslot; i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->attrs[i]));
    for (uint32_t i = 0; i < op->nin; i++)
        h = tsr_hash_mix(h, tsr_x_in(b, op, i));
    return h;
}

static bool is_same(const tsr_xbuilder *b, const known *k, const tsr_op *op)
{
    tsr_fold_op one = TSR_FOLD_SUM, other = TSR_FOLD_SUM;
    if (k->block != b->block || k->op->def != op->def || k->op->nin != op->nin ||
        k->op->nregion != op->nregion || k->op->out[0].type != op->out[0].type)
        return false;
    for (uint32_t i = 0; i < op->def->nslot; i++)
        if (k->op->attrs[i] != op->attrs[i])
            return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (k->in[i] != tsr_x_in(b, op, i))
            return false;
    return !op->nregion ||
           (tsr_x_body_fold(k->op, &one) && tsr_x_body_fold(op, &other) && one == other);
}

bool tsr_x_find_same(tsr_xbuilder *b, const tsr_op *op, uint64_t *hash)
{
    *hash = 0;
    if (!may_be_same(b, op))
        return false;
    *hash = hash_of(b, op) | 1;
    TSR_MAP_EACH (&b->same, *hash, v) {
        const known *k = v;
        if (is_same(b, k, op)) {
            tsr_x_set(b, op, 0, k->out[0]);
            return true;
        }
    }
    return false;
}

void tsr_x_note_same(tsr_xbuilder *b, const tsr_op *op, uint64_t hash)
{
    tsr_xid made = hash ? b->of[op->out[0].id] : TSR_XNONE;
    if (made == TSR_XNONE || tsr_xvalue_at(b, made)->fence != TSR_XNONE)
        return;
    known *k = TSR_NEW(&b->p->arena, known);
    k->op = op;
    k->block = b->block;
    k->in = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1u);
    k->out = k->in + op->nin;
    for (uint32_t i = 0; i < op->nin; i++)
        k->in[i] = tsr_x_in(b, op, i);
    k->out[0] = made;
    tsr_map_put(&b->same, hash, k);
}
