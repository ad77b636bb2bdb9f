/* SPDX-License-Identifier: Apache-2.0 */
/* explicit_reshards.c - see explicit_reshards.h: ops whose tensors disagree. */
#include "shard/reshard/explicit_reshards.h"

/* Whether a tensor must move because its mesh has a different device order. */
static bool on_other_devices(const tsr_reshard_op *r, const tsr_sharding *a)
{
    return a && !tsr_sharding_is_replicated(a) &&
           a->mesh->attr->attrs[SDY_MESH_device_ids] != r->mesh->attr->attrs[SDY_MESH_device_ids];
}

void tsr_reshard_changed(tsr_reshard_op *r, const tsr_sharding *const *in, const bool *changed)
{
    tsr_op *op = r->op;
    for (uint32_t i = 0; i < op->nin; i++) {
        if (!changed[i] && !on_other_devices(r, in[i]))
            continue;
        const tsr_sharding *to = tsr_projection_sharding(&r->p, i, r->mesh);
        tsr_op_set_operand(op, i,
                           tsr_insert_reshard(r->s, tsr_place_before(op), op->in[i].value, to));
    }
    tsr_place behind = tsr_place_behind(op);
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!changed[op->nin + i] && !on_other_devices(r, r->out[i]))
            continue;
        tsr_value *v = &op->out[i];
        const tsr_sharding *from = tsr_projection_sharding(&r->p, op->nin + i, r->mesh);
        const tsr_sharding *to = tsr_value_sharding_or_closed(r->s, v, r->mesh);
        tsr_replace_behind(v, tsr_insert_reshard(r->s, behind, v, to));
        tsr_sdy_set_sharding(v, tsr_sharding_encode(&r->s->table, from));
    }
}

/* ---- Reshapes whose axes do not divide a factor ---- */

/* All axes of a tensor, factor by factor. */
static const tsr_axes *all_axes(tsr_reshard_op *r, uint32_t tensor)
{
    tsr_axis_vec v = {0};
    for (uint32_t f = 0; f < r->rule->nfactor; f++) {
        const tsr_factor_sharding *part = tsr_projection_part(&r->p, tensor, f);
        if (!part)
            continue;
        tsr_axis_vec_add_all(&v, part->axes->data, part->axes->n);
        tsr_axis_vec_add_all(&v, part->overflow->data, part->overflow->n);
    }
    const tsr_axes *axes = tsr_axes_get(&r->s->table.lists, v.data, v.n);
    tsr_vec_free(&v);
    return axes;
}

/* Redistributes axes over all factors of a tensor. */
static void redistribute(tsr_reshard_op *r, uint32_t tensor, const tsr_axes *axes)
{
    const tsr_rule *rule = r->rule;
    const tsr_axes *none = r->s->table.lists.none;
    uint32_t first = tsr_projection_first(rule, tensor),
             end = tsr_projection_first(rule, tensor + 1), n = 0;
    tsr_factor_sharding *parts = tsr_arena_alloc(r->s->arena, (end - first) * sizeof *parts);
    int64_t *sizes = tsr_arena_alloc(r->s->arena, (end - first) * sizeof *sizes);
    for (uint32_t i = first; i < end; i++) {
        if (r->p.parts[i].absent)
            continue;
        parts[n] = r->p.parts[i];
        parts[n].axes = parts[n].overflow = none;
        sizes[n++] = rule->sizes[rule->factors[i]];
    }
    tsr_distribute_axes(&r->s->table.lists, axes, sizes, parts, n);
    n = 0;
    for (uint32_t i = first; i < end; i++)
        if (!r->p.parts[i].absent)
            r->p.parts[i] = parts[n++];
}

static const tsr_axes **reshape_with_overflow(tsr_reshard_op *r)
{
    tsr_resharder *s = r->s;
    uint32_t best = tsr_projection_size(&r->p, 0) >= tsr_projection_size(&r->p, 1) ? 0 : 1;
    const tsr_axes *axes = all_axes(r, best);
    redistribute(r, 0, axes);
    redistribute(r, 1, axes);

    /* The sharding that both sides can have. */
    const tsr_sharding *both[] = {tsr_projection_sharding(&r->p, 0, r->mesh),
                                  tsr_projection_sharding(&r->p, 1, r->mesh)};
    tsr_projection legal;
    tsr_projection_init(&legal, s->arena, &s->table, r->rule);
    tsr_projection_build(&legal, both, false);
    const tsr_axes **common = TSR_NEW_ARRAY(s->arena, const tsr_axes *, r->rule->nfactor);
    tsr_projection_common_prefix(&legal, common);
    bool changed[2] = {false, false};
    for (uint32_t f = 0; f < r->rule->nfactor; f++)
        tsr_projection_update_all(&r->p, f, common[f], s->table.lists.none, changed);

    const tsr_sharding *in = tsr_value_sharding(s, r->op->in[0].value);
    changed[0] = !tsr_sharding_equivalent(in, tsr_projection_sharding(&r->p, 0, r->mesh));
    changed[1] = !tsr_sharding_equivalent(r->out[0], tsr_projection_sharding(&r->p, 1, r->mesh));
    tsr_reshard_changed(r, &in, changed);
    return common;
}

/* ---- Ops in general ---- */

const tsr_axes **tsr_reshard_to_common(tsr_reshard_op *r)
{
    uint32_t n = tsr_rule_tensors(r->rule);
    bool *changed = TSR_NEW_ARRAY(r->s->arena, bool, n), overflows = false;
    for (uint32_t t = 0; t < n; t++)
        overflows |= changed[t] = tsr_projection_overflows(&r->p, t);
    if (overflows && tsr_op_is(r->op, TSR_OP_STABLEHLO_RESHAPE))
        return reshape_with_overflow(r);
    const tsr_axes **axes =
        tsr_common_axes(r->s, &r->p, tsr_tensor_sizes(r->s->arena, r->op), r->mesh);
    for (uint32_t f = 0; f < r->rule->nfactor; f++)
        tsr_projection_update_all(&r->p, f, axes[f], r->s->table.lists.none, changed);
    tsr_reshard_changed(r, r->in, changed);
    return axes;
}

/* ---- Matrix products ---- */

static const tsr_axes *axes_on(const tsr_projection *p, uint32_t tensor, uint32_t factor)
{
    const tsr_factor_sharding *part = tsr_projection_part(p, tensor, factor);
    return part ? part->axes : NULL;
}

static bool overlap_any(const tsr_axis_vec *seen, tsr_axis a)
{
    for (size_t i = 0; i < seen->n; i++)
        if (tsr_axis_overlaps(seen->data[i], a))
            return true;
    return false;
}

/* The only factor on which the result disagrees with operands that agree; false: none, or several. summed: the axes
 * along which the product sums. */
static bool conflicting_factor(const tsr_reshard_op *r, uint32_t *factor, tsr_axis_vec *summed,
                               tsr_axis_vec *seen)
{
    const tsr_projection *p = &r->p;
    const int64_t *sizes = tsr_tensor_sizes(r->s->arena, r->op);
    bool found = false;
    for (uint32_t f = 0; f < r->rule->nfactor; f++) {
        const tsr_axes *lhs = axes_on(p, 0, f), *rhs = axes_on(p, 1, f), *out = axes_on(p, 2, f);
        const tsr_axes *axes = lhs ? lhs : rhs;
        if (!axes || (lhs && rhs && lhs != rhs))
            return false;
        int64_t size = lhs && (!rhs || sizes[0] > sizes[1]) ? sizes[0] : sizes[1];
        if (lhs && rhs && r->rule->kinds[f] == TSR_FACTOR_REDUCTION) {
            tsr_axis_vec_add_all(summed, axes->data, axes->n);
            continue;
        }
        for (uint32_t i = 0; i < axes->n && !(lhs && rhs); i++) {
            if (overlap_any(seen, axes->data[i]))
                return false;
            tsr_vec_push(seen, axes->data[i]);
        }
        if (out == axes)
            continue;
        if (!out || !axes->n || found || sizes[2] > size)
            return false;
        *factor = f;
        found = true;
    }
    return found;
}

void tsr_reshard_dot_result(tsr_reshard_op *r)
{
    tsr_resharder *s = r->s;
    tsr_axis_vec summed = {0}, seen = {0};
    uint32_t f = 0;
    bool found = conflicting_factor(r, &f, &summed, &seen);
    const tsr_axes *reduction = tsr_axes_get(&s->table.lists, summed.data, summed.n);
    tsr_vec_free(&summed);
    tsr_vec_free(&seen);
    tsr_factor_sharding *out = found ? tsr_projection_part(&r->p, 2, f) : NULL;
    if (!out || !out->axes->n || out->axes != reduction || !r->out[0])
        return;
    const tsr_axes *lhs = axes_on(&r->p, 0, f);
    out->axes = lhs ? lhs : axes_on(&r->p, 1, f);
    tsr_value *v = &r->op->out[0];
    tsr_sdy_set_sharding(
        v, tsr_sharding_encode(&s->table, tsr_projection_sharding(&r->p, 2, r->mesh)));
    tsr_replace_behind(v, tsr_insert_reshard(s, tsr_place_behind(r->op), v, r->out[0]));
}
