/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c - partitions ops that pass values on: loops, branches, calls, reshards, and ops with effects, which must run
 * once and not once per device. */
#include "shard/spmd/spmd.h"

/* ---- Regions ---- */

/* Starts building a region of the new program, and returns from it. */
static tsr_build enter(tsr_spmd *s, tsr_region *region, tsr_type *const *types,
                       const tsr_block *old)
{
    tsr_build here = s->b;
    tsr_block *block = tsr_block_new(s->module);
    tsr_block_insert(block, region, NULL);
    for (uint32_t i = 0; i < old->nargs; i++)
        tsr_block_add_arg(s->module, block, types[i], old->arg_locs[i]);
    s->b = (tsr_build){.ctx = s->ctx, .module = s->module, .block = block, .loc = here.loc};
    return here;
}

static void leave(tsr_spmd *s, tsr_build here)
{
    tsr_build_free(&s->b);
    s->b = here;
}

/* Partitions the ops of a block and its terminator, which returns values in these layouts (NULL: whole). */
static bool run_region(tsr_spmd *s, tsr_region *region, tsr_block *old, tsr_type *const *types,
                       const tsr_sharding *const *args, const tsr_sharding *const *returned)
{
    tsr_build here = enter(s, region, types, old);
    for (uint32_t i = 0; i < old->nargs; i++)
        tsr_spmd_set(s, old->args[i], s->b.block->args[i], args[i]);
    bool ok = tsr_spmd_block(s, old);
    tsr_op *last = old->last;
    if (ok && last) {
        tsr_value **out = tsr_arena_alloc(s->r.arena, (last->nin + 1) * sizeof *out);
        for (uint32_t i = 0; i < last->nin; i++) {
            const tsr_value *v = last->in[i].value;
            out[i] = tsr_spmd_value(
                s, v, returned ? returned[i] : tsr_spmd_replicated(s, tsr_value_rank(v)));
        }
        tsr_op *op = tsr_op_new(s->module, last->def, last->loc, out, last->nin, NULL, 0, 0, 0);
        tsr_op_insert(op, s->b.block, NULL);
    }
    leave(s, here);
    return ok;
}

/* The op itself, at the current position, with empty regions. */
static tsr_op *new_op(tsr_spmd_op *o, tsr_value *const *in, tsr_type *const *types)
{
    tsr_spmd *s = o->s;
    tsr_op *old = o->op;
    tsr_op *op =
        tsr_op_new(s->module, old->def, old->loc, in, old->nin, types, old->nout, old->nregion, 0);
    memcpy(op->attrs, old->attrs, old->def->nslot * sizeof *op->attrs);
    op->extra = old->extra;
    tsr_op_insert(op, s->b.block, s->b.at);
    return op;
}

static tsr_type **wanted_types(tsr_spmd_op *o)
{
    tsr_type **types = tsr_arena_alloc(o->s->r.arena, (o->op->nout + 1) * sizeof *types);
    for (uint32_t i = 0; i < o->op->nout; i++)
        types[i] = tsr_spmd_type(o->s, o->op->out[i].type, o->want[i]);
    return types;
}

static bool as_wanted(tsr_spmd_op *o, tsr_op *made)
{
    for (uint32_t i = 0; i < o->op->nout; i++)
        tsr_spmd_out(o, i, &made->out[i], o->want[i]);
    return true;
}

bool spmd_while(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_spmd_in(o, i, o->want[i]);
    tsr_type **types = wanted_types(o);
    tsr_op *made = new_op(o, in, types);
    for (uint32_t r = 0; r < 2; r++)
        TSR_TRY(run_region(s, &made->regions[r], op->regions[r].first, types, o->want,
                           r ? o->want : NULL));
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_sharding *raw =
            tsr_spmd_unreduced(s, tsr_sdy_sharding_of(&op->out[i]), op->out[i].type, o->want[i]);
        tsr_value *v = &made->out[i];
        if (raw && tsr_spmd_carry(s, made, i, raw))
            v = tsr_spmd_reduced(s, v, raw->mesh, raw->unreduced, raw->reduction);
        tsr_spmd_out(o, i, v, o->want[i]);
    }
    return true;
}

/* case and if: operands select, branches take no arguments. */
bool spmd_branches(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_value *in = tsr_spmd_in(o, 0, tsr_spmd_replicated(s, tsr_value_rank(op->in[0].value)));
    tsr_op *made = new_op(o, &in, wanted_types(o));
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_TRY(run_region(s, &made->regions[r], op->regions[r].first, NULL, NULL, o->want));
    return as_wanted(o, made);
}

/* Operand i becomes result i, through the op. */
bool spmd_barrier(tsr_spmd_op *o)
{
    tsr_value **in = tsr_arena_alloc(o->s->r.arena, (o->op->nin + 1) * sizeof *in);
    for (uint32_t i = 0; i < o->op->nin; i++)
        in[i] = tsr_spmd_in(o, i, o->want[i]);
    return as_wanted(o, new_op(o, in, wanted_types(o)));
}

/* The same without the op: reshards, constraints, edges. */
bool spmd_identity(tsr_spmd_op *o)
{
    for (uint32_t i = 0; i < o->op->nout; i++)
        tsr_spmd_out(o, i, tsr_spmd_in(o, i, o->in[i]), o->in[i]);
    return true;
}

bool spmd_nothing(tsr_spmd_op *o)
{
    (void)o;
    return true;
}

/* ---- Calls ---- */

static tsr_value **arguments(tsr_spmd_op *o, const tsr_spmd_signature *g)
{
    tsr_spmd *s = o->s;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (g->nin + 1) * sizeof *in);
    for (uint32_t i = 0; i < g->nin; i++) {
        const tsr_sharding *raw = g->raw[i];
        in[i] = tsr_spmd_in(o, i, g->in[i]);
        if (raw)
            in[i] = tsr_spmd_partial(s, in[i], raw->mesh, raw->unreduced, raw->reduction);
    }
    return in;
}

static bool results(tsr_spmd_op *o, const tsr_spmd_signature *g, tsr_op *call)
{
    tsr_spmd *s = o->s;
    for (uint32_t i = 0; i < g->nout; i++) {
        const tsr_sharding *raw = g->raw[g->nin + i];
        tsr_value *v = &call->out[i];
        if (raw)
            v = tsr_spmd_reduced(s, v, raw->mesh, raw->unreduced, raw->reduction);
        tsr_spmd_out(o, i, v, g->out[i]);
    }
    return true;
}

bool spmd_call(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op, *func = tsr_callee(&s->r, op);
    const tsr_spmd_signature *g = func ? tsr_spmd_signature_of(s, func) : NULL;
    if (!g || g->nin != op->nin || g->nout != op->nout)
        return tsr_spmd_whole(o);
    tsr_value **in = arguments(o, g);
    return results(o, g, new_op(o, in, g->local + g->nin));
}

/* Only calls of recursive functions are left: those work on whole values. */
bool spmd_composite(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op,
           *func = tsr_symbol_resolve(op, op->attrs[STABLEHLO_COMPOSITE_decomposition]);
    const tsr_spmd_signature *g = func ? tsr_spmd_signature_of(s, func) : NULL;
    if (!g || g->nin != op->nin || g->nout != op->nout)
        return tsr_spmd_whole(o);
    tsr_value **in = arguments(o, g);
    tsr_op *call = tsr_build_open(&s->b, TSR_OP_FUNC_CALL, in, op->nin, op->nout, 0);
    call->attrs[FUNC_CALL_callee] = op->attrs[STABLEHLO_COMPOSITE_decomposition];
    return results(o, g, tsr_build_close_as(&s->b, call, g->local + g->nin));
}

/* ---- Computations ---- */

bool tsr_spmd_body(tsr_spmd_op *o, const tsr_sharding *const *returned, tsr_value **out)
{
    tsr_spmd *s = o->s;
    tsr_block *body = o->op->regions[0].first;
    TSR_TRY(tsr_spmd_block(s, body));
    s->b.loc = o->op->loc;
    tsr_assert(body->last && body->last->nin >= o->op->nout, "a body returns what its op gives");
    for (uint32_t i = 0; i < o->op->nout; i++)
        out[i] = tsr_spmd_value(s, body->last->in[i].value, returned[i]);
    return true;
}

/* The ops of a body, where the op is: arguments are operands, what is returned becomes the results. */
static bool inline_body(tsr_spmd_op *o, const tsr_sharding *const *in,
                        const tsr_sharding *const *args, const tsr_sharding *const *returned,
                        tsr_value **out)
{
    const tsr_block *body = o->op->regions[0].first;
    for (uint32_t i = 0; i < o->op->nin; i++)
        tsr_spmd_set(o->s, body->args[i], tsr_spmd_in(o, i, in[i]), args[i]);
    return tsr_spmd_body(o, returned, out);
}

bool spmd_named_computation(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    const tsr_sharding **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    tsr_value **out = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *out);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_spmd_decode(s, tsr_sdy_list_sharding(op, true, i), op->in[i].value->type);
    TSR_TRY(inline_body(o, in, in, o->want, out));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_spmd_out(o, i, out[i], o->want[i]);
    return true;
}

enum tsr_opcode tsr_spmd_join(tsr_sdy_reduction how)
{
    return tsr_reduce_opcode(tsr_reduce_from_sdy(TSR_BUG(17) ? TSR_SDY_SUM : how));
}

/* Whether v is the combination of partial values that the function was given. */
static bool was_given(const tsr_spmd *s, const tsr_value *v)
{
    if (v->is_arg || !tsr_op_is(v->op, TSR_OP_STABLEHLO_ALL_REDUCE))
        return false;
    const tsr_value *part = v->op->in[0].value;
    return part->is_arg && part->block == s->entry;
}

/* The first device along axes has the value, the others have the identity. For maximum and minimum all may have it.
 * Partial values given to the function stay as they are; the caller has chosen them. */
tsr_value *tsr_spmd_partial(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how)
{
    tsr_value *given =
        was_given(s, v) ? tsr_spmd_unjoined(s, v, tsr_spmd_join(how), mesh, axes) : NULL;
    if (given)
        return given;
    bool sum = how == TSR_SDY_SUM || TSR_BUG(16);
    tsr_value *zero =
        sum && axes->size > 1 ? tsr_spmd_nothing(s, TSR_OP_STABLEHLO_ADD, v->type->elem) : NULL;
    if (!zero)
        return v;
    tsr_value *first =
        tsr_build_compare(&s->b, "EQ", "SIGNED", tsr_spmd_index(s, mesh, axes), tsr_spmd_i64(s, 0));
    tsr_value *in[] = {first, v, tsr_build_broadcast(&s->b, zero, NULL, v->type)};
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_SELECT, in, 3, v->type);
}

/* For results whose parts are not observed individually: each device has its value from before they were combined. */
tsr_value *tsr_spmd_partial_any(tsr_spmd *s, tsr_value *v, const tsr_sharding *raw)
{
    tsr_value *before =
        tsr_spmd_unjoined(s, v, tsr_spmd_join(raw->reduction), raw->mesh, raw->unreduced);
    return before ? before : tsr_spmd_partial(s, v, raw->mesh, raw->unreduced, raw->reduction);
}

tsr_value *tsr_spmd_reduced(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how)
{
    return tsr_spmd_all_reduce(s, v, tsr_spmd_join(how), mesh,
                               tsr_axes_sorted(&s->r.table.lists, axes));
}

/* ---- Effects ---- */

/* A placeholder for a result on other devices, until they receive it from the first. NULL: the type has no
 * placeholder. */
static tsr_value *stand_in(tsr_spmd *s, tsr_build *b, tsr_type *type)
{
    if (type->kind != TSR_TYPE_TENSOR)
        return tsr_type_is(type, TSR_TYPE_DIALECT)
                   ? tsr_build_op(b, TSR_OP_STABLEHLO_CREATE_TOKEN, NULL, 0, type)
                   : NULL;
    tsr_value *zero = tsr_type_has_static_shape(type) ? tsr_spmd_zero(s, type->elem) : NULL;
    return zero ? tsr_build_broadcast(b, zero, NULL, type) : NULL;
}

static bool can_stand_in(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *t = op->out[i].type;
        if (t->kind == TSR_TYPE_TENSOR ? !tsr_type_has_static_shape(t) || !tsr_is_number(t->elem)
                                       : t->kind != TSR_TYPE_DIALECT)
            return false;
    }
    return true;
}

/* Only the first device runs the op, and sends its results to the others. */
bool spmd_once(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    if (s->manual_mesh || s->ndevice <= 1 || !can_stand_in(op))
        return tsr_spmd_whole(o);
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    tsr_value **out = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *out);
    tsr_type **types = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *types);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_spmd_in(o, i, tsr_spmd_replicated(s, tsr_value_rank(op->in[i].value)));
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_value *device = tsr_build_op(&s->b, TSR_OP_STABLEHLO_PARTITION_ID, NULL, 0,
                                     tsr_scalar_type(tsr_type_integer(s->ctx, 32, TSR_UNSIGNED)));
    tsr_value *first = tsr_build_compare(&s->b, "EQ", "UNSIGNED", device,
                                         tsr_build_int(&s->b, device->type->elem, 0));
    tsr_op *choice = tsr_build_open(&s->b, TSR_OP_STABLEHLO_IF, &first, 1, op->nout, 2);
    tsr_build_close_as(&s->b, choice, types);
    tsr_build here = s->b;
    for (uint32_t r = 0; r < 2; r++) {
        s->b = tsr_build_in(&here, &choice->regions[r], NULL, 0);
        tsr_op *made = r ? NULL : tsr_spmd_same(o, in, types);
        for (uint32_t i = 0; i < op->nout; i++)
            out[i] = made ? &made->out[i] : stand_in(s, &s->b, types[i]);
        tsr_build_return(&s->b, out, op->nout);
        tsr_build_free(&s->b);
    }
    s->b = here;
    for (uint32_t i = 0; i < op->nout; i++) {
        bool tensor = types[i]->kind == TSR_TYPE_TENSOR;
        tsr_spmd_out(o, i, tensor ? tsr_spmd_from_first(s, &choice->out[i]) : &choice->out[i],
                     tsr_spmd_replicated(s, tsr_value_rank(&op->out[i])));
    }
    return true;
}

/* Targets whose rule describes where values go, not how results depend on operands. */
static bool needs_whole(const tsr_op *op, tsr_str target)
{
    static const char *const names[] = {"Cholesky", "CompactWyHelper",
                                        "InvertDiagBlocksLowerTriangular",
                                        "InvertDiagBlocksUpperTriangular"};
    if (tsr_rule_given(op))
        return false;
    for (size_t i = 0; i < TSR_COUNT(names); i++)
        if (tsr_str_is(target, names[i]))
            return true;
    return tsr_str_starts(target, "_SPMDInternalOp_");
}

/* Whether operands and results that share a buffer are divided alike. */
static bool aliases_agree(tsr_spmd_op *o)
{
    const tsr_attr *all = o->op->attrs[STABLEHLO_CUSTOM_CALL_output_operand_aliases];
    for (uint32_t i = 0; tsr_attr_is(all, TSR_ATTR_ARRAY) && i < all->n; i++) {
        tsr_attr *const *alias = all->attrs[i]->attrs; /* output, operand, element of the operand */
        uint32_t out = o->op->nout > 1 ? (uint32_t)tsr_attr_int_at(alias[0], 0) : 0;
        if (tsr_spmd_by_axes(o, (uint32_t)alias[1]->i) != tsr_spmd_by_axes(o, o->op->nin + out))
            return false;
    }
    return true;
}

/* A target that is known to work on parts of its batch does so; all others get whole values. */
bool spmd_custom_call(tsr_spmd_op *o)
{
    const tsr_attr *effect = o->op->attrs[STABLEHLO_CUSTOM_CALL_has_side_effect];
    const tsr_attr *target = o->op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name];
    if (o->op->nin == 1 && o->op->nout == 1 && o->op->in[0].value->type == o->op->out[0].type &&
        tsr_str_is(target->s, "Sharding"))
        return spmd_identity(o);
    if (effect && effect->i)
        return spmd_once(o);
    bool sharded = false;
    for (uint32_t i = 0; i < o->op->nin; i++)
        sharded |= o->in[i]->sharded;
    for (uint32_t i = 0; i < o->op->nout; i++)
        sharded |= o->want[i]->sharded;
    if (sharded && !needs_whole(o->op, target->s))
        tsr_spmd_choose(o);
    if (!o->axes)
        return tsr_spmd_whole(o);
    tsr_spmd_only_of_operands(o);
    tsr_spmd_settle(o, false);
    return aliases_agree(o) ? tsr_spmd_parts(o) : tsr_spmd_whole(o);
}
