/* SPDX-License-Identifier: Apache-2.0 */
/* insert_explicit_reshards.c - makes every op's shardings compatible, with reshards and all-reduces before and after
 * it. Needs nothing; keeps the shardings that users of results see; breaks ids.
 *
 * The full version handles all ops with a rule. The other one leaves most ops to a later partitioner and handles only
 * matrix products whose result is cheaper to move than their operands, calls, and concatenations. Both resolve
 * unreduced axes, and separate ops on a single device (single_device.c). */
#include "shard/reshard/explicit_reshards.h"
#include "shard/core/flow.h"
#include "shard/passes.h"

/* ---- Uses that must have a given sharding ---- */

static bool meet_target(tsr_resharder *s, tsr_place at, tsr_use *use, tsr_attr *target, bool full)
{
    const tsr_sharding *to = tsr_sharding_decode(&s->table, target), *now;
    const tsr_sharding *from = tsr_value_sharding(s, use->value);
    TSR_TRY(tsr_reduce_use(s, at, use, &from, to));
    TSR_TRY(tsr_unreduce_use(s, at, use, to, &now));
    if (now)
        from = now;
    if (!full || tsr_sharding_equivalent(from, to))
        return true;
    tsr_value *v = tsr_insert_reshard(s, at, use->value, to ? to : tsr_closed_like(s, from));
    tsr_op_set_operand(use->user, (size_t)(use - use->user->in), v);
    return true;
}

static bool process_returns(tsr_resharder *s, tsr_op *func, bool full)
{
    tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    tsr_op *last = body ? body->last : NULL;
    if (!last || !tsr_op_is(last, TSR_OP_FUNC_RETURN))
        return true;
    for (uint32_t i = 0; i < last->nin; i++)
        TSR_TRY(meet_target(s, tsr_place_before(last), &last->in[i],
                            tsr_sdy_result_sharding(func, i), full));
    return true;
}

static bool process_edge(tsr_resharder *s, tsr_value *owner, tsr_attr *sharding, bool full)
{
    if (sharding)
        sharding = tsr_flow_to_sources(owner, sharding);
    tsr_use *use;
    for (uint32_t k = 0; (use = tsr_flow_source(owner, k)); k++)
        TSR_TRY(meet_target(s, tsr_place_behind_value(use->value), use, sharding, full));
    return true;
}

static bool process_flow(tsr_resharder *s, tsr_op *op, bool full)
{
    const tsr_attr *out = tsr_sdy_shardings_of(op), *manual = tsr_sdy_manual_axes(op);
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(process_edge(s, &op->out[i], out && i < out->n ? out->attrs[i] : NULL, full));
    for (uint32_t i = 0; i < tsr_flow_nargs(op); i++) {
        tsr_attr *in = tsr_sdy_list_sharding(op, true, i);
        if (in && manual)
            in = tsr_sdy_without_axes(s->ctx, in, manual);
        TSR_TRY(process_edge(s, tsr_flow_arg(op, i), in, full));
    }
    return true;
}

static bool is_on_many(tsr_resharder *s, tsr_attr *sharding)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->table, sharding);
    return a && !a->mesh->maximal;
}

/* The mesh of the first of n shardings that is not on a single device; NULL: none. */
static tsr_attr *first_mesh(tsr_resharder *s, const tsr_op *call, const tsr_op *func)
{
    for (uint32_t i = 0; i < call->nin; i++) {
        tsr_attr *a = func ? tsr_sdy_arg_sharding(func, i) : tsr_sdy_sharding_of(call->in[i].value);
        if (is_on_many(s, a))
            return a->attrs[SDY_SHARDING_mesh];
    }
    return NULL;
}

/* Operands of a call must have the shardings of the function's arguments. */
static bool process_call(tsr_resharder *s, tsr_op *call, bool full)
{
    const tsr_op *func = tsr_callee(s, call);
    if (!func)
        return true;
    tsr_attr *mesh = first_mesh(s, call, func);
    bool given = mesh != NULL;
    if (!mesh)
        mesh = first_mesh(s, call, NULL);
    if (!mesh)
        return true;
    for (uint32_t i = 0; i < call->nin; i++) {
        tsr_use *use = &call->in[i];
        uint32_t rank = tsr_value_rank(use->value);
        tsr_attr *to =
            given ? tsr_sdy_arg_sharding(func, i) : tsr_sdy_replicated(s->ctx, mesh, rank);
        if (!to)
            to = tsr_sdy_open(s->ctx, mesh, rank);
        TSR_TRY(meet_target(s, tsr_place_behind_value(use->value), use, to, full));
    }
    return true;
}

/* A reshard to unreduced axes is expanded here. */
static bool process_reshard(tsr_resharder *s, tsr_op *op, bool *gone)
{
    const tsr_sharding *to = tsr_sharding_decode(&s->table, op->attrs[SDY_RESHARD_sharding]), *now;
    *gone = false;
    TSR_TRY(tsr_unreduce_use(s, tsr_place_before(op), &op->in[0], to, &now));
    if (!now)
        return true;
    *gone = true;
    tsr_value_replace(&op->out[0], op->in[0].value);
    tsr_op_erase(op);
    return true;
}

/* ---- Ops with rules ---- */

/* All-reduces operands along unreduced axes that the results do not have. */
static bool reduce_operands(tsr_resharder *s, tsr_op *op, const tsr_sharding *const *out)
{
    const tsr_sharding *first = op->nout ? out[0] : NULL;
    for (uint32_t i = 1; i < op->nout; i++)
        if (tsr_unreduced_of(s, first) != tsr_unreduced_of(s, out[i]))
            return tsr_op_error(op, "has results with different unreduced axes");
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_sharding *in = tsr_value_sharding(s, op->in[i].value);
        if (!in || !in->unreduced->n)
            continue;
        if (!op->nout)
            return tsr_op_error(op, "has an operand with unreduced axes and no results");
        TSR_TRY(tsr_reduce_use(s, tsr_place_before(op), &op->in[i], &in, first));
    }
    return true;
}

static bool is_full(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_UNREGISTERED: return tsr_str_is(op->def->name, "mhlo.ragged_dot");
    case TSR_OP_FUNC_CALL: return true;
    case TSR_OP_STABLEHLO_CONCATENATE:
        for (uint32_t i = 0; i < op->nin; i++)
            if (tsr_sdy_sharding_of(op->in[i].value) != tsr_sdy_sharding_of(&op->out[0]))
                return true;
        return false;
    default: return false;
    }
}

/* The mesh of the op's shardings; if several differ in device order, that of the most tensors. NULL: none. */
static const tsr_mesh *choose_mesh(tsr_resharder *s, const tsr_sharding *const *all, uint32_t n)
{
    const tsr_mesh *mesh = tsr_common_mesh(all, n, true);
    if (!mesh || mesh->maximal)
        return NULL;
    const tsr_mesh *best = mesh;
    uint32_t most = 0, nmesh = 0;
    struct {
        const tsr_mesh *mesh;
        uint32_t n;
    } *seen = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!all[i] || tsr_sharding_is_replicated(all[i]))
            continue;
        if (!seen)
            seen = tsr_arena_alloc(s->arena, n * sizeof *seen);
        uint32_t k = 0;
        while (k < nmesh && seen[k].mesh != all[i]->mesh)
            k++;
        if (k == nmesh) {
            seen[nmesh].mesh = all[i]->mesh;
            seen[nmesh++].n = 0;
        }
        if (++seen[k].n > most) {
            most = seen[k].n;
            best = seen[k].mesh;
        }
    }
    return best;
}

/* All-reduces results along the axes of reduction factors, except those that are unreduced in the result. axes: for
 * each factor. */
static void reduce_results(tsr_reshard_op *r, const tsr_axes *const *axes)
{
    tsr_resharder *s = r->s;
    tsr_axis_lists *lists = &s->table.lists;
    if (!r->op->nout)
        return;
    tsr_axis_vec v = {0};
    for (uint32_t f = 0; f < r->rule->nfactor; f++)
        if (r->rule->kinds[f] == TSR_FACTOR_REDUCTION)
            tsr_axis_vec_add_all(&v, axes[f]->data, axes[f]->n);
    const tsr_axes *all = tsr_axes_get(lists, v.data, v.n);
    tsr_vec_free(&v);
    if (!all->n)
        return;
    const tsr_sharding *first = tsr_value_sharding(s, &r->op->out[0]);
    all = tsr_axes_minus(lists, all, tsr_unreduced_of(s, first));
    if (!all->n)
        return;
    all = tsr_axes_sorted(lists, all);
    tsr_place at = tsr_place_behind(r->op);
    for (uint32_t i = 0; i < r->op->nout; i++) {
        tsr_value *v0 = &r->op->out[i];
        const tsr_sharding *to = tsr_value_sharding_or_closed(s, v0, r->mesh);
        tsr_sdy_reduction how = to->reduction;
        if (s->local)
            tsr_reduction_of(r->op, &how);
        tsr_replace_behind(v0, tsr_insert_all_reduce(s, at, v0, r->mesh, all, how, to));
    }
}

/* Outside of the full version: only if the result's sharding has unreduced axes. */
static bool reduce_results_partly(tsr_reshard_op *r)
{
    const tsr_sharding *first = r->op->nout ? tsr_value_sharding(r->s, &r->op->out[0]) : NULL;
    if (!first || !first->unreduced->n)
        return true;
    const tsr_axes **axes = TSR_NEW_ARRAY(r->s->arena, const tsr_axes *, r->rule->nfactor);
    for (uint32_t f = 0; f < r->rule->nfactor; f++) {
        axes[f] = r->s->table.lists.none;
        if (r->rule->kinds[f] != TSR_FACTOR_REDUCTION)
            continue;
        axes[f] = tsr_agreed_axes(&r->p, f);
        if (!axes[f])
            return tsr_op_error(
                r->op, "has a result with unreduced axes and operands that are not sharded "
                       "alike along a reduction");
    }
    reduce_results(r, axes);
    return true;
}

/* Shardings of the results; whether some are on a single device, or have unreduced axes. */
static void result_shardings(tsr_resharder *s, const tsr_op *op, bool skip_barriers,
                             const tsr_sharding **out, bool *single, bool *unreduced)
{
    *single = *unreduced = false;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_sharding *a = skip_barriers ? tsr_value_sharding_behind_barriers(s, &op->out[i])
                                              : tsr_value_sharding(s, &op->out[i]);
        out[i] = a;
        *unreduced |= a && a->unreduced->n;
        *single |= a && a->mesh->maximal;
    }
}

static bool process_op(tsr_resharder *s, tsr_op *op, bool full)
{
    uint32_t n = op->nin + op->nout;
    bool unreduced, single;
    const tsr_sharding **all = tsr_arena_alloc(s->arena, n * sizeof *all), **out = all + op->nin;
    result_shardings(s, op, false, out, &single, &unreduced);
    TSR_TRY(reduce_operands(s, op, out));
    if (tsr_op_is(op, TSR_OP_SDY_PROPAGATION_BARRIER))
        result_shardings(s, op, true, out, &single, &unreduced);
    if (single)
        return tsr_reshard_single_device(s, op, out);
    bool dot = tsr_op_is(op, TSR_OP_STABLEHLO_DOT) || tsr_op_is(op, TSR_OP_STABLEHLO_DOT_GENERAL);
    if (!full && !dot && !unreduced)
        return true; /* nothing to do, whatever the rule is */
    for (uint32_t i = 0; i < op->nin; i++)
        all[i] = tsr_value_sharding_behind_barriers(s, op->in[i].value);
    tsr_reshard_op r = {.s = s, .op = op, .in = all, .out = out, .mesh = choose_mesh(s, all, n)};
    if (!r.mesh)
        return true;
    r.rule = tsr_rule_of(s->arena, op, (tsr_rule_options){.conservative = false});
    if (!r.rule || r.rule->custom)
        return true;
    if (s->local)
        r.rule = tsr_rule_local(s->arena, r.rule, op);
    tsr_projection_init(&r.p, s->arena, &s->table, r.rule);
    tsr_projection_build(&r.p, all, true);
    if (full) {
        reduce_results(&r, tsr_reshard_to_common(&r));
        return true;
    }
    if (dot)
        tsr_reshard_dot_result(&r);
    return reduce_results_partly(&r);
}

/* ---- All ---- */

static bool process(tsr_resharder *s, tsr_op *op, bool full)
{
    full = full || is_full(op);
    if (tsr_sdy_is_data_flow(op))
        return process_flow(s, op, full);
    if (tsr_op_is(op, TSR_OP_FUNC_CALL))
        return process_call(s, op, full);
    bool gone = false;
    if (tsr_op_is(op, TSR_OP_SDY_RESHARD))
        TSR_TRY(process_reshard(s, op, &gone));
    return gone || process_op(s, op, full);
}

static bool check_function(tsr_resharder *s, const tsr_op *func)
{
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t n = k ? (body && body->last ? body->last->nin : 0) : body ? body->nargs : 0;
        for (uint32_t i = 0; i < n; i++) {
            tsr_attr *a = k ? tsr_sdy_result_sharding(func, i) : tsr_sdy_arg_sharding(func, i);
            const tsr_sharding *sharding = tsr_sharding_decode(&s->table, a);
            if (sharding && sharding->mesh->maximal)
                return tsr_op_error(
                    func, "function %s %u cannot have a single-device (maximal) sharding attribute",
                    k ? "result" : "argument", (unsigned)i);
        }
    }
    return true;
}

/* Collects the ops inside root in post-order, in program order, into out, so that new ops are not visited. */
static uint32_t collect(tsr_op *root, tsr_op **out)
{
    uint32_t n = 0;
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        /* Ops that end before next begins. */
        const tsr_op *stop = next ? tsr_block_parent(next->block) : root;
        for (; op != stop; op = tsr_block_parent(op->block))
            out[n++] = op;
    }
    return n;
}

static bool run(tsr_resharder *s, tsr_op *root, tsr_op *const *ops, uint32_t n, bool full)
{
    TSR_TRY(check_function(s, root));
    for (uint32_t i = 0; i < n; i++) {
        if (tsr_op_has(ops[i], TSR_TRAIT(TERMINATOR)))
            continue;
        tsr_arena_mark mark = tsr_arena_save(s->arena);
        bool ok = process(s, ops[i], full);
        tsr_arena_rewind(s->arena, mark);
        TSR_TRY(ok);
    }
    return process_returns(s, root, full);
}

bool pass_sdy_insert_explicit_reshards(tsr_pass *p, tsr_op *root)
{
    if (!tsr_block_parent(root->block))
        return true;
    uint32_t n = 0;
    TSR_OPS (root, op)
        n++;
    tsr_op **ops = tsr_arena_alloc(p->scratch, n * sizeof *ops);
    n = collect(root, ops);
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_resharder s;
    tsr_resharder_init(&s, root, &arena, p->scratch);
    s.local = tsr_pass_bool(p, "local-rules");
    bool ok = run(&s, root, ops, n, tsr_pass_bool(p, "enable-full-version"));
    tsr_resharder_free(&s);
    tsr_arena_free(&arena);
    p->changed = true;
    return ok;
}
