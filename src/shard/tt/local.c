/* SPDX-License-Identifier: Apache-2.0 */
/* local.c - update-global-to-local-shapes: gives every value in a manual computation its local type; adapts attributes
 * that contain sizes; makes all axes of the mesh manual; lowers sdy's collectives to StableHLO's; removes shardings.
 * Needs a module whose shardings agree from op to op (explicit reshards are already collectives); breaks ids. Solved
 * modules already have local types: only their collectives change. */
#include "dialect/stablehlo/types.h"
#include "shard/passes.h"
#include "shard/rule/rule.h"
#include "shard/tt/tt.h"

typedef struct {
    tsr_pass *p;
    tsr_ctx *ctx;
    tsr_shardings table;
    tsr_arena rules; /* for the current op */
} cutter;

/* Axes of each dimension of a value; NULL: it is not cut. */
static const tsr_sharding *sharding_of(cutter *c, const tsr_value *v)
{
    return tsr_sharding_decode(&c->table, tsr_tt_sharding(v));
}

static int64_t cut_into(const tsr_sharding *s, int64_t dim)
{
    return s && dim >= 0 && dim < s->rank ? s->dims[dim].axes->size : 1;
}

static bool cut_type(cutter *c, const tsr_op *at, tsr_value *v, tsr_attr *sharding)
{
    tsr_type *local = tsr_tt_local_type(&c->table, v->type, sharding);
    if (!local)
        return tsr_op_error(at, "Could not apply propagated tensor shardings to tensor dimensions: "
                                "a dimension does not divide evenly");
    v->type = local;
    return true;
}

/* ---- Attributes ---- */

static bool cut_constant(cutter *c, tsr_op *op)
{
    tsr_attr *value = op->attrs[STABLEHLO_CONSTANT_value];
    tsr_type *local = op->out[0].type;
    tsr_attr *cut = NULL;
    if (value->type == local)
        return true;
    if (tsr_attr_is(value, TSR_ATTR_DENSE) && value->sub)
        cut = tsr_attr_dense(c->ctx, op->module, local, value->s.data, value->s.len, true);
    else if (tsr_attr_is(value, TSR_ATTR_DENSE))
        cut = tsr_tt_periodic(&c->table, op->module, value, local, tsr_tt_sharding(&op->out[0]));
    if (!cut)
        return tsr_op_error(op, "is sharded, and devices would have different parts of it; "
                                "replicate-non-splittable-values makes it replicated");
    op->attrs[STABLEHLO_CONSTANT_value] = cut;
    return true;
}

static bool cut_slice(cutter *c, tsr_op *op)
{
    const tsr_sharding *in = sharding_of(c, op->in[0].value);
    tsr_slice s;
    tsr_slice_of(op, &s);
    uint32_t n = s.strides.n;
    int64_t *starts = tsr_ints_array(c->p->scratch, s.start, 1);
    int64_t *limits = tsr_ints_array(c->p->scratch, s.limit, 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t size = cut_into(in, i), stride = tsr_ints_at(s.strides, i);
        bool phase = stride > 1 && starts[i] < stride; /* the same on every device */
        if (limits[i] % size || (!phase && starts[i] % size))
            return tsr_op_error(op,
                                "Could not apply propagated tensor shardings to indices of "
                                "dimension %u",
                                i);
        limits[i] /= size;
        starts[i] = phase ? starts[i] : starts[i] / size;
    }
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(c->ctx, starts, n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(c->ctx, limits, n);
    return true;
}

/* Adapts whole slices along dimensions that are not indexed, and single elements of batches. */
static bool cut_gather(cutter *c, tsr_op *op)
{
    const tsr_sharding *in = sharding_of(c, op->in[0].value);
    tsr_gather g;
    tsr_gather_of(op, &g);
    uint32_t n = g.sizes.n;
    int64_t *sizes = tsr_ints_array(c->p->scratch, g.sizes, 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t size = cut_into(in, i);
        if (!tsr_gather_keeps(&g, i) || tsr_ints_has(g.map, i))
            continue;
        if (sizes[i] % size)
            return tsr_op_error(op, "Could not apply propagated tensor shardings to slice sizes");
        sizes[i] /= size;
    }
    op->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_attr_i64_array(c->ctx, sizes, n);
    return true;
}

/* The sizes are the result's dimensions. */
static bool cut_dynamic_slice(cutter *c, tsr_op *op)
{
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] =
        tsr_attr_i64_array(c->ctx, op->out[0].type->dims, op->out[0].type->n);
    return true;
}

/* Channels of a group stay together, so the number of groups shrinks. */
static bool cut_convolution(tsr_op *op)
{
    tsr_conv c;
    tsr_conv_of(op, &c);
    if (c.feature_groups <= 1)
        return true;
    int64_t in = op->in[0].value->type->dims[c.in_feature];
    int64_t each = op->in[1].value->type->dims[c.kernel_in];
    if (each <= 0 || in % each)
        return tsr_op_error(op,
                            "cannot rescale feature_group_count: local input feature dim (%lld) "
                            "not divisible by kernel input feature dim (%lld)",
                            (long long)in, (long long)each);
    op->attrs[STABLEHLO_CONVOLUTION_feature_group_count] = tsr_attr_i64(op->module->ctx, in / each);
    return true;
}

/* ---- Ops that need their neighbours' parts ---- */

/* The first dimension of tensor t that is cut along a factor that a device needs whole; -1: none. */
static int64_t needed_dim(const tsr_rule *rule, uint32_t t, const tsr_sharding *s)
{
    for (uint32_t d = 0; s && d < s->rank && d < tsr_rule_rank(rule, t); d++) {
        uint32_t dim = rule->dims[t] + d;
        for (uint32_t i = rule->first[dim]; i < rule->first[dim + 1]; i++)
            if (cut_into(s, d) > 1 && rule->kinds[rule->factors[i]] == TSR_FACTOR_NEED_REPLICATION)
                return d;
    }
    return -1;
}

/* A dimension along which elements move, windows overlap or indices point cannot be computed part by part. In the
 * pipeline, reshards have replicated such dimensions before. */
static bool stays_local(cutter *c, tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_STABLEHLO_SLICE) || !tsr_sdy_shardings_of(op) ||
        tsr_sdy_is_data_flow(op))
        return true;
    tsr_arena_mark mark = tsr_arena_save(&c->rules);
    const tsr_rule *rule = tsr_rule_of(&c->rules, op, (tsr_rule_options){.conservative = false});
    if (rule)
        rule = tsr_rule_local(&c->rules, rule, op);
    int64_t dim = -1;
    uint32_t t = 0;
    for (; rule && t < tsr_rule_tensors(rule) && t < op->nin + op->nout; t++) {
        const tsr_value *v = t < op->nin ? op->in[t].value : &op->out[t - op->nin];
        dim = needed_dim(rule, t, sharding_of(c, v));
        if (dim >= 0)
            break;
    }
    tsr_arena_rewind(&c->rules, mark);
    bool operand = t < op->nin;
    return dim < 0 ||
           tsr_op_error(op,
                        "needs parts of other devices along dimension %lld of %s %u, "
                        "which is sharded",
                        (long long)dim, operand ? "operand" : "result", operand ? t : t - op->nin);
}

/* ---- Cutting ---- */

static bool cut_attributes(cutter *c, tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_CONSTANT: return cut_constant(c, op);
    case TSR_OP_STABLEHLO_SLICE: return cut_slice(c, op);
    case TSR_OP_STABLEHLO_GATHER: return cut_gather(c, op);
    case TSR_OP_STABLEHLO_DYNAMIC_SLICE: return cut_dynamic_slice(c, op);
    default: return true;
    }
}

static bool cut_results(cutter *c, tsr_op *op)
{
    const tsr_attr *all = tsr_sdy_shardings_of(op);
    if (!all)
        return true;
    if (all->n != op->nout)
        return tsr_op_error(op, "has %u shardings for %u results", all->n, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        if (!cut_type(c, op, &op->out[i], all->attrs[i]))
            return false;
    /* Loop-carried values have the types of the loop's results. */
    if (tsr_sdy_flow_of(op) == TSR_FLOW_LOOP)
        for (uint32_t r = 0; r < op->nregion; r++)
            for (uint32_t i = 0; op->regions[r].first && i < op->regions[r].first->nargs; i++)
                if (i < op->nout)
                    op->regions[r].first->args[i]->type = op->out[i].type;
    return cut_attributes(c, op);
}

static bool cut_arguments(cutter *c, tsr_op *op)
{
    tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; body && i < body->nargs; i++) {
        tsr_attr *sharding = tsr_sdy_list_sharding(op, true, i);
        if (sharding && !cut_type(c, op, body->args[i], sharding))
            return false;
    }
    return true;
}

static tsr_attr *all_axes(tsr_ctx *ctx, const tsr_op *mesh)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_axes];
    tsr_attr_vec names = {0};
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_vec_push(&names, axes->attrs[i]->attrs[SDY_MESH_AXIS_name]);
    tsr_attr *list = tsr_attr_array(ctx, names.data, names.n);
    tsr_vec_free(&names);
    return tsr_attr_struct(ctx, &tsr_def_SDY_MANUAL_AXES, &list);
}

static bool cut_module(cutter *c, tsr_op *root)
{
    TSR_OPS (root, op)
        if (!stays_local(c, op))
            return false;
    TSR_OPS (root, op)
        if (!(tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION) ? cut_arguments(c, op)
                                                           : cut_results(c, op)))
            return false;
    return true;
}

bool pass_tt_update_global_to_local_shapes(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    if (!tsr_tt_is_solved(root)) {
        if (tsr_tt_has_gspmd(root)) {
            tsr_emit(p->ctx, TSR_WARNING, root->loc,
                     "a module with GSPMD's shardings has local shapes already");
            return true;
        }
        tsr_op *mesh = tsr_tt_one_mesh(root);
        if (!mesh)
            return false;
        cutter c = {.p = p, .ctx = p->ctx};
        tsr_shardings_init(&c.table, p->scratch, root);
        tsr_arena_init_pooled(&c.rules, &p->ctx->pool);
        bool ok = cut_module(&c, root);
        tsr_arena_free(&c.rules);
        tsr_shardings_free(&c.table);
        if (!ok)
            return false;
        tsr_attr *manual = all_axes(p->ctx, mesh);
        TSR_OPS (root, op)
            if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
                op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] = manual;
    }
    if (!tsr_tt_lower_collectives(p, root))
        return false;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_CONVOLUTION) && !cut_convolution(op))
            return false;
    tsr_tt_strip(root);
    root->module->verified = false;
    return true;
}
