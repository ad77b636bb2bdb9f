/* spmd_pass.c - the partitioner as passes: what goes before it, the engine, and the pipeline of them all.
 * needs ids; keeps what the program computes; breaks ids, drops shardings and meshes. */
#include "shard/passes.h"
#include "shard/spmd.h"

/* A composite is what its decomposition computes: as a call, shardings go through it and it is partitioned with the rest. */
static tsr_op *as_call(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_value **in = tsr_xmalloc((op->nin + 1) * sizeof *in);
    tsr_type **types = tsr_xmalloc((op->nout + 1) * sizeof *types);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = op->in[i].value;
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_op *call =
        tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_FUNC_CALL), op->loc, in, op->nin, types, op->nout, 0, 0);
    call->attrs[FUNC_CALL_callee] = op->attrs[STABLEHLO_COMPOSITE_decomposition];
    call->extra = op->extra;
    tsr_op_insert(call, op->block, op);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &call->out[i]);
    tsr_op_erase(op);
    free(in);
    free(types);
    return call;
}

bool pass_tessera_spmd_prepare(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE))
            continue;
        tsr_op *call = as_call(op);
        next = tsr_walk_next(root, call);
        p->changed = true;
    }
    return true;
}

bool pass_tessera_spmd_partition(tsr_pass *p, tsr_op *root)
{
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_spmd s = {.ctx = p->ctx,
                  .module = p->module,
                  .scratch = p->scratch,
                  .remarks = tsr_pass_bool(p, "remarks")};
    tsr_resharder_init(&s.r, root, &arena, p->scratch);
    tsr_rules_init(&s.rules, p->scratch, p->module, (tsr_rule_options){.extra = true});
    bool ok = tsr_spmd_module(&s, root);
    tsr_resharder_free(&s.r);
    tsr_arena_free(&arena);
    p->changed = true;
    return ok;
}

void expand_tessera_partition(const tsr_pass *p, tsr_buf *out)
{
    bool only = tsr_pass_bool(p, "only-propagate");
    if (tsr_pass_bool(p, "propagate") || only)
        tsr_buf_printf(out,
                       "tessera-spmd-prepare,sdy-propagation-pipeline{extra-rules=true "
                       "update-non-divisible-input-output-shardings=false "
                       "avoid-export-for-partitioning=true}%s",
                       only ? "" : ",");
    if (only)
        return;
    tsr_buf_printf(out, "tessera-spmd-partition{remarks=%s}", tsr_pass_bool(p, "remarks") ? "true" : "false");
    if (tsr_pass_bool(p, "combine"))
        tsr_buf_cstr(out, ",tessera-combine-collectives");
}
