/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - lowers custom calls that return a cache with something written into it to ops of TTIR, which write into the
 * cache itself.
 *
 * A cache whose old value is used later cannot be overwritten; such a call stays. */
#include "lower/ttir/frontend.h"
#include "shard/tt/tt.h"

bool tsr_ttir_may_overwrite(const tsr_value *cache, const tsr_op *op)
{
    enum { MOST = 64 }; /* limit of users examined */
    uint32_t n = 0;
    for (const tsr_use *use = cache->uses; use; use = use->next) {
        const tsr_op *user = use->user;
        if (++n > MOST)
            return false;
        while (user && user->block != op->block)
            user = user->block ? tsr_block_parent(user->block) : NULL;
        if (user != op && (!user || !tsr_op_before(user, op)))
            return false;
    }
    /* A constant is shared by all uses. An argument belongs to the caller, which may need it: only outside callers of a
     * public function are told that it writes. */
    const tsr_op *func = cache->is_arg ? tsr_block_parent(cache->block) : NULL;
    return func ? tsr_op_is(func, TSR_OP_FUNC_FUNC) && tsr_tt_is_public(func)
                : !tsr_value_is_constant(cache);
}

/* An op without results on op's operands; the first of them is the cache. */
static tsr_op *write_cache(tsr_build *b, tsr_op *op, enum tsr_opcode opcode, uint32_t least,
                           uint32_t most, tsr_value **out)
{
    if (op->nin < least || op->nin > most || op->nout != 1 || !tsr_ttir_static(op) ||
        op->in[0].value->type != op->out[0].type || !tsr_ttir_may_overwrite(op->in[0].value, op))
        return NULL;
    tsr_value *in[4];
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = op->in[i].value;
    out[0] = in[0];
    return tsr_ttir_open(b, opcode, in, op->nin, 0);
}

static bool put(tsr_build *b, tsr_op *made)
{
    tsr_build_close_as(b, made, NULL);
    return true;
}

/* A write that names the first sequence of the batch that it belongs to. */
static bool write_at_offset(tsr_build *b, tsr_op *op, enum tsr_opcode opcode, uint32_t nin,
                            int slot, tsr_value **out)
{
    int64_t offset = 0;
    TSR_TRY(tsr_frontend(op, "batch_offset").len && tsr_frontend_int(op, "batch_offset", &offset) &&
            offset >= 0 && offset <= INT32_MAX);
    tsr_op *made = write_cache(b, op, opcode, nin, nin, out);
    TSR_TRY(made);
    made->attrs[slot] = tsr_attr_i32(b->ctx, (int32_t)offset);
    return put(b, made);
}

bool ttir_call_fill_cache(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return write_at_offset(b, op, TSR_OP_TTIR_FILL_CACHE, 2, TTIR_FILL_CACHE_batch_offset, out);
}

bool ttir_call_update_cache(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return write_at_offset(b, op, TSR_OP_TTIR_UPDATE_CACHE, 3, TTIR_UPDATE_CACHE_batch_offset, out);
}

bool ttir_call_paged_fill_cache(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = write_cache(b, op, TSR_OP_TTIR_PAGED_FILL_CACHE, 3, 4, out);
    return made && put(b, made);
}

bool ttir_call_paged_update_cache(tsr_build *b, tsr_op *op, tsr_value **out)
{
    bool shared = false;
    TSR_TRY(tsr_frontend_bool(op, "share_cache", &shared));
    tsr_op *made = write_cache(b, op, TSR_OP_TTIR_PAGED_UPDATE_CACHE, 4, 4, out);
    TSR_TRY(made);
    made->attrs[TTIR_PAGED_UPDATE_CACHE_share_cache] = tsr_attr_bool(b->ctx, shared);
    return put(b, made);
}
