/* SPDX-License-Identifier: Apache-2.0 */
/* merge_constants.c - sdy-constant-or-scalar-merger: merges equal constants, and equal broadcasts of one scalar, within
 * a region. Shardings are attributes, so differently sharded ops stay separate. Undoes the splitting that the import
 * did for propagation. Linear. */
#include "shard/core/each.h"
#include "shard/passes.h"

static bool is_scalar_broadcast(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) && op->nin == 1 &&
           tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR) && op->in[0].value->type->n == 0;
}

static bool is_constant(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_SDY_CONSTANT) || tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE));
}

/* Constants with one value may have different types if the value itself has no type, so types are compared, too. */
static bool equal(const tsr_op *a, const tsr_op *b)
{
    if (a->def != b->def || a->block->region != b->block->region || a->extra != b->extra ||
        a->nin != b->nin || a->nout != b->nout)
        return false;
    for (uint32_t i = 0; i < a->nin; i++)
        if (a->in[i].value != b->in[i].value)
            return false;
    for (uint32_t i = 0; i < a->nout; i++)
        if (a->out[i].type != b->out[i].type)
            return false;
    return !memcmp(a->attrs, b->attrs, a->def->nslot * sizeof *a->attrs);
}

static uint64_t hash_of(const tsr_op *op)
{
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(op->def), tsr_hash_ptr(op->block->region));
    h = tsr_hash_mix(h, tsr_hash_ptr(op->extra));
    for (uint32_t i = 0; i < op->def->nslot; i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->attrs[i]));
    return op->nin ? tsr_hash_mix(h, tsr_hash_ptr(op->in[0].value)) : h;
}

bool pass_sdy_constant_or_scalar_merger(tsr_pass *p, tsr_op *root)
{
    tsr_map seen = {0};
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (op->nregion || op->nsucc || (!is_constant(op) && !is_scalar_broadcast(op)))
            continue;
        uint64_t hash = hash_of(op);
        tsr_op *first = NULL;
        TSR_MAP_EACH (&seen, hash, other)
            if (!first && equal(other, op))
                first = other;
        if (!first) {
            tsr_map_put(&seen, hash, op);
            continue;
        }
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], &first->out[i]);
        tsr_op_erase(op);
        p->changed = true;
    }
    tsr_map_free(&seen);
    return true;
}
