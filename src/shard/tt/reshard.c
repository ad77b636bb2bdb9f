/* SPDX-License-Identifier: Apache-2.0 */
/* reshard.c - inserts reshards around values that cannot be cut: values that differ between devices but are defined
 * once, and reshapes and ops without a rule that propagation did not pass through. Then runs Shardy's own explicit
 * reshards. Needs nothing; keeps everything else; breaks ids. All of these passes leave solved modules unchanged. */
#include "dialect/params.h"
#include "shard/passes.h"
#include "shard/rule/rule.h"
#include "shard/tt/tt.h"

/* The only mesh of a module that is not solved. *skip: there is nothing to do. */
static tsr_op *unsolved_mesh(tsr_op *root, bool *skip)
{
    tsr_op *mesh;
    *skip = tsr_tt_is_solved(root) || !tsr_tt_count_meshes(root, &mesh);
    return *skip ? NULL : tsr_tt_one_mesh(root);
}

static tsr_attr *mesh_ref(const tsr_op *mesh)
{
    return tsr_attr_symbol(mesh->module->ctx, tsr_op_symbol(mesh), NULL, 0);
}

static void replicate(tsr_op *op, const tsr_op *mesh)
{
    tsr_attr *s = tsr_sdy_replicated(op->module->ctx, mesh_ref(mesh), op->out[0].type->n);
    tsr_sdy_set_shardings(op, &s, 1);
}

/* ---- Periodic constants ---- */

/* Copies the part at the front of all dimensions. */
static void copy_part(uint8_t *to, const uint8_t *from, const tsr_type *whole, const tsr_type *part,
                      size_t size)
{
    int64_t n = tsr_type_num_elements(part), rank = part->n;
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i, at = 0, stride = 1;
        for (int64_t d = rank; d-- > 0;) {
            at += rest % part->dims[d] * stride;
            rest /= part->dims[d];
            stride *= whole->dims[d];
        }
        memcpy(to + (size_t)i * size, from + (size_t)at * size, size);
    }
}

/* Whether data repeats n times along dimension d. */
static bool repeats(const uint8_t *data, const tsr_type *type, uint32_t d, int64_t n, size_t size)
{
    size_t inner = size, outer = 1;
    for (uint32_t i = d + 1; i < type->n; i++)
        inner *= (size_t)type->dims[i];
    for (uint32_t i = 0; i < d; i++)
        outer *= (size_t)type->dims[i];
    size_t row = inner * (size_t)type->dims[d], step = row / (size_t)n;
    for (size_t o = 0; o < outer; o++)
        if (memcmp(data + o * row, data + o * row + step, row - step))
            return false;
    return true;
}

tsr_attr *tsr_tt_periodic(tsr_shardings *table, tsr_module *m, tsr_attr *value, tsr_type *local,
                          tsr_attr *sharding)
{
    const tsr_sharding *s = tsr_sharding_decode(table, sharding);
    const tsr_type *type = value->type;
    size_t size = tsr_type_storage_bits(type->elem) / 8;
    int64_t n = tsr_type_num_elements(type), part = tsr_type_num_elements(local);
    if (!s || !tsr_attr_is(value, TSR_ATTR_DENSE) || value->sub || !size || s->rank != type->n ||
        n < 0 || part <= 0 || value->s.len != (size_t)n * size)
        return NULL;
    bool some = false;
    for (uint32_t d = 0; d < s->rank; d++) {
        const tsr_axes *axes = s->dims[d].axes;
        if (axes->n > 1)
            return NULL;
        if (axes->size == 1)
            continue;
        if (type->dims[d] % axes->size ||
            !repeats((const uint8_t *)value->s.data, type, d, axes->size, size))
            return NULL;
        some = true;
    }
    if (!some)
        return NULL;
    uint8_t *data = tsr_xmalloc((size_t)part * size);
    copy_part(data, (const uint8_t *)value->s.data, type, local, size);
    tsr_attr *made = tsr_attr_dense(type->ctx, m, local, data, (size_t)part * size, false);
    tsr_free(data);
    return made;
}

/* ---- replicate-non-splittable-values ---- */

static bool constant_splits(tsr_shardings *table, const tsr_op *op, tsr_attr *sharding)
{
    tsr_attr *value = op->attrs[STABLEHLO_CONSTANT_value];
    tsr_type *local = tsr_tt_local_type(table, op->out[0].type, sharding);
    if (!local || local == op->out[0].type || (tsr_attr_is(value, TSR_ATTR_DENSE) && value->sub))
        return true;
    return tsr_tt_periodic(table, op->module, value, local, sharding) != NULL;
}

/* An iota differs between devices only along its dimension. */
static bool iota_splits(const tsr_sharding *s, const tsr_op *op)
{
    int64_t dim = op->attrs[STABLEHLO_IOTA_iota_dimension]->i;
    return dim < 0 || dim >= s->rank || !s->dims[dim].axes->n;
}

/* Along a sharded dimension a slice must take all, or every other element, of each device's part. */
static bool slice_splits(const tsr_sharding *s, const tsr_op *op)
{
    const tsr_type *in = op->in[0].value->type;
    tsr_slice p;
    tsr_slice_of(op, &p);
    for (uint32_t d = 0; d < s->rank && d < in->n; d++) {
        const tsr_axes *axes = s->dims[d].axes;
        int64_t start = tsr_ints_at(p.start, d), limit = tsr_ints_at(p.limit, d);
        int64_t stride = tsr_ints_at(p.strides, d);
        bool all = start == 0 && stride == 1;
        bool every = stride > 1 && start < stride && in->dims[d] % axes->size == 0 &&
                     in->dims[d] / axes->size % stride == 0;
        if (axes->n && (limit != in->dims[d] || (!all && !every)))
            return false;
    }
    return true;
}

bool pass_tt_replicate_non_splittable_values(tsr_pass *p, tsr_op *root)
{
    bool skip;
    tsr_op *mesh = unsolved_mesh(root, &skip);
    if (!mesh)
        return skip;
    tsr_shardings table;
    tsr_shardings_init(&table, p->scratch, root);
    TSR_OPS (root, op) {
        bool constant = tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT);
        bool iota = tsr_op_is(op, TSR_OP_STABLEHLO_IOTA);
        if (!constant && !iota && !tsr_op_is(op, TSR_OP_STABLEHLO_SLICE))
            continue;
        tsr_attr *sharding = tsr_sdy_sharding_of(&op->out[0]);
        const tsr_sharding *s = tsr_sharding_decode(&table, sharding);
        if (!s || tsr_tt_replicated(&table, sharding))
            continue;
        if (constant ? constant_splits(&table, op, sharding)
            : iota   ? iota_splits(s, op)
                     : slice_splits(s, op))
            continue;
        replicate(op, mesh);
        p->changed = true;
    }
    tsr_shardings_free(&table);
    return true;
}

/* ---- insert-reshards-for-unpropagated-ops ---- */

static bool in_manual_computation(const tsr_op *op)
{
    for (op = tsr_block_parent(op->block); op; op = tsr_block_parent(op->block))
        if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            return true;
    return false;
}

/* Whether op computes whole tensors: it is unknown which part of the result depends on which parts of the operands. */
static bool wants_whole(tsr_arena *arena, tsr_op *op)
{
    if (in_manual_computation(op))
        return false;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE))
        return !tsr_sdy_shardings_of(op);
    if (!op->nout || tsr_op_has(op, TSR_TRAIT(TERMINATOR)) || tsr_sdy_is_data_flow(op) ||
        tsr_op_is(op, TSR_OP_FUNC_CALL) || tsr_op_in(op, TSR_DIALECT_SDY))
        return false;
    return !tsr_rule_of(arena, op, (tsr_rule_options){.conservative = true});
}

/* The op's users may have given it shardings, but it still computes whole results. */
static bool replicate_results(tsr_pass *p, tsr_shardings *table, tsr_op *op, const tsr_op *mesh)
{
    const tsr_attr *old = tsr_sdy_shardings_of(op);
    bool whole = true;
    for (uint32_t i = 0; old && i < old->n; i++)
        whole &= tsr_tt_replicated(table, old->attrs[i]);
    if (whole)
        return false;
    tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, op->nout + 1);
    for (uint32_t i = 0; i < op->nout; i++)
        all[i] = tsr_sdy_replicated(p->ctx, mesh_ref(mesh), tsr_sdy_rank(op->out[i].type));
    tsr_sdy_set_shardings(op, all, op->nout);
    return true;
}

/* After propagation, a barrier is where the sharding changes, if it does. */
static void resolve_barriers(tsr_pass *p, tsr_op *root, const tsr_op *mesh)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_SDY_PROPAGATION_BARRIER))
            continue;
        tsr_attr *to = tsr_sdy_sharding_of(&op->out[0]);
        tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(p->ctx, TSR_OP_SDY_RESHARD), op->loc,
                                  &op->in[0].value, 1, &op->out[0].type, 1, 0, 0);
        made->attrs[SDY_RESHARD_sharding] =
            to ? to : tsr_sdy_replicated(p->ctx, mesh_ref(mesh), tsr_sdy_rank(op->out[0].type));
        tsr_op_insert(made, op->block, op);
        tsr_value_replace(&op->out[0], &made->out[0]);
        tsr_op_erase(op);
        p->changed = true;
    }
}

bool pass_tt_insert_reshards_for_unpropagated_ops(tsr_pass *p, tsr_op *root)
{
    bool skip;
    tsr_op *mesh = unsolved_mesh(root, &skip);
    if (!mesh)
        return skip;
    resolve_barriers(p, root, mesh);
    tsr_shardings table;
    tsr_shardings_init(&table, p->scratch, root);
    const tsr_opdef *def = tsr_opdef_of(p->ctx, TSR_OP_SDY_RESHARD);
    TSR_OPS (root, op) {
        if (op->nin && tsr_sdy_shardings_of(op) && wants_whole(p->scratch, op))
            p->changed |= replicate_results(p, &table, op, mesh);
        for (uint32_t i = 0; i < op->nin; i++) {
            tsr_value *v = op->in[i].value;
            if (tsr_tt_replicated(&table, tsr_sdy_sharding_of(v)) || !wants_whole(p->scratch, op))
                continue;
            tsr_op *made = tsr_op_new(op->module, def, op->loc, &v, 1, &v->type, 1, 0, 0);
            made->attrs[SDY_RESHARD_sharding] =
                tsr_sdy_replicated(p->ctx, mesh_ref(mesh), tsr_sdy_rank(v->type));
            tsr_op_insert(made, op->block, op);
            tsr_op_set_operand(op, i, &made->out[0]);
            p->changed = true;
        }
    }
    tsr_shardings_free(&table);
    return true;
}

/* ---- Shardy's passes, for modules that are not solved ---- */

static bool unless_solved(tsr_pass *p, tsr_op *root, tsr_str passes)
{
    if (tsr_tt_is_solved(root))
        return true;
    tsr_pipeline *pl = tsr_pipeline_parse_list(p->pipelines, root->def->name, passes);
    tsr_run_options options = {0};
    bool changed = false;
    bool ok = pl && tsr_pipeline_run(p->pipelines, pl, root, &options, &changed);
    p->changed |= changed;
    return ok;
}

bool pass_tt_apply_sharding_constraints(tsr_pass *p, tsr_op *root)
{
    return unless_solved(p, root, TSR_STR("sdy-apply-sharding-constraints"));
}

bool pass_tt_aggressive_propagation(tsr_pass *p, tsr_op *root)
{
    return unless_solved(p, root, TSR_STR("sdy-aggressive-propagate{all-functions=true}"));
}

bool pass_tt_insert_explicit_reshards(tsr_pass *p, tsr_op *root)
{
    return unless_solved(p, root,
                         TSR_STR("func.func(sdy-insert-explicit-reshards{enable-full-version=true "
                                 "local-rules=true})"));
}
