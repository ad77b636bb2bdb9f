/* SPDX-License-Identifier: Apache-2.0 */
/* verify_rule.c - rules of sharding rules and of propagation records, on the op that has them. */
#include "dialect/hooks.h"
#include "dialect/sdy/verify.h"

/* ---- Sharding rules ---- */

static int64_t nfactor(const tsr_attr *rule)
{
    return tsr_attr_count(rule->attrs[SDY_OP_SHARDING_RULE_sizes]);
}

/* Factors of one dimension: known ones, each at most once in its value (seen[f] is the value's mark), none of size 1
 * next to others. */
static bool check_dim_mapping(const sdy_at *at, const tsr_attr *rule, const tsr_attr *factors,
                              uint32_t mark, uint32_t *seen)
{
    int64_t n = tsr_attr_count(factors), total = nfactor(rule);
    if (!n)
        return sdy_error(at, "dim mapping must have at least one factor");
    for (int64_t i = 0; i < n; i++) {
        int64_t f = tsr_attr_int_at(factors, (size_t)i);
        if (f < 0 || f >= total)
            return sdy_error(
                at,
                "expecting factor indices to be within 0<=...<num_factors; received: %lld, "
                "num_factors: %lld",
                (long long)f, (long long)total);
        if (seen[f] == mark)
            return sdy_error(at, "cannot reuse factors for the same tensor value");
        if (n > 1 && tsr_attr_int_at(rule->attrs[SDY_OP_SHARDING_RULE_sizes], (size_t)f) == 1)
            return sdy_error(
                at, "dim mapping can't have a factor of size 1 if there are multiple factors");
        seen[f] = mark;
    }
    return true;
}

/* Mappings of all operands or all results. seen[f]: number + 1 of the last value that uses factor f. */
static bool check_mappings(tsr_op *op, const char *what, const tsr_attr *rule,
                           const tsr_attr *mappings, uint32_t n,
                           const tsr_type *(*type)(const tsr_op *op, uint32_t i), uint32_t *seen)
{
    if (mappings->n != n)
        return tsr_op_error(op, "number of %ss and mappings must match: %u != %u", what, n,
                            mappings->n);
    if (!n)
        return tsr_op_error(
            op,
            "number of %ss mappings cannot be 0. Op sharding rules can only be defined on "
            "operations with at least one operand and result.",
            what);
    for (uint32_t i = 0; i < n; i++) {
        sdy_at at = sdy_at_value(op, what, n, i);
        const tsr_type *t = type(op, i);
        const tsr_attr *dims = mappings->attrs[i]->attrs[0];
        uint32_t rank;
        bool fixed;
        if (!sdy_rank_of(t, &rank, &fixed) || !fixed) {
            tsr_str text = tsr_type_print(t);
            sdy_error(&at, "expected a ranked tensor with a static shape. type: '%.*s'",
                      TSR_STR_ARG(text));
            tsr_free((void *)text.data);
            return false;
        }
        if (dims->n != rank)
            return sdy_error(&at, "mapping rank must match: %u != %u", dims->n, rank);
        for (uint32_t d = 0; d < dims->n; d++)
            TSR_TRY(check_dim_mapping(&at, rule, dims->attrs[d]->attrs[0], i + 1, seen));
    }
    return true;
}

/* Factors in ascending order, without duplicates. */
static bool check_indices(tsr_op *op, const tsr_attr *indices, int64_t total)
{
    int64_t n = tsr_attr_count(indices);
    bool twice = false;
    for (int64_t i = 1; i < n; i++) {
        int64_t before = tsr_attr_int_at(indices, (size_t)i - 1),
                here = tsr_attr_int_at(indices, (size_t)i);
        if (before > here)
            return tsr_op_error(op, "indices of special factors must be sorted");
        twice |= before == here;
    }
    if (twice)
        return tsr_op_error(op, "indices of special factors must be unique");
    if (n && tsr_attr_int_at(indices, 0) < 0)
        return tsr_op_error(op, "index must be non-negative");
    if (n && tsr_attr_int_at(indices, (size_t)n - 1) >= total)
        return tsr_op_error(op, "index must be less than %lld, got: %lld", (long long)total,
                            (long long)tsr_attr_int_at(indices, (size_t)n - 1));
    return true;
}

static bool check_special(tsr_op *op, const tsr_attr *rule, const uint32_t *in_results,
                          bool *special)
{
    static const int sets[] = {SDY_OP_SHARDING_RULE_reduction,
                               SDY_OP_SHARDING_RULE_need_replication,
                               SDY_OP_SHARDING_RULE_permutation};
    int64_t total = nfactor(rule);
    for (size_t s = 0; s < TSR_COUNT(sets); s++)
        TSR_TRY(check_indices(op, rule->attrs[sets[s]], total));
    for (size_t s = 0; s < TSR_COUNT(sets); s++)
        for (int64_t i = 0; i < tsr_attr_count(rule->attrs[sets[s]]); i++) {
            bool *mark = &special[tsr_attr_int_at(rule->attrs[sets[s]], (size_t)i)];
            if (*mark)
                return tsr_op_error(
                    op, "a factor can only be in one of the reduction, need replication, or "
                        "permutation factor sets");
            *mark = true;
        }
    TSR_TRY(check_indices(op, rule->attrs[SDY_OP_SHARDING_RULE_blocked], total));
    const tsr_attr *reduction = rule->attrs[SDY_OP_SHARDING_RULE_reduction];
    for (int64_t i = 0; i < tsr_attr_count(reduction); i++)
        if (in_results[tsr_attr_int_at(reduction, (size_t)i)])
            return tsr_op_error(op, "reduction factor cannot be in result mappings");
    return true;
}

/* 0 is the size of an empty dimension. */
static bool check_sizes(tsr_op *op, const tsr_attr *rule)
{
    const tsr_attr *sizes = rule->attrs[SDY_OP_SHARDING_RULE_sizes];
    for (int64_t f = 0; f < nfactor(rule); f++) {
        int64_t size = tsr_attr_int_at(sizes, (size_t)f);
        if (size >= 0)
            continue;
        tsr_buf name = {0};
        tsr_sdy_factor(&name, f);
        tsr_op_error(op, "has factor %.*s=%lld, whose size is negative",
                     TSR_STR_ARG(tsr_buf_text(&name)), (long long)size);
        tsr_buf_free(&name);
        return false;
    }
    return true;
}

/* in: one element per factor for operands and for results. */
static bool check_rule(tsr_op *op, const tsr_attr *rule, uint32_t *in_operands,
                       uint32_t *in_results, bool *special)
{
    TSR_TRY(check_mappings(op, "operand", rule, rule->attrs[SDY_OP_SHARDING_RULE_operands], op->nin,
                           sdy_operand_type, in_operands));
    TSR_TRY(check_mappings(op, "result", rule, rule->attrs[SDY_OP_SHARDING_RULE_results], op->nout,
                           sdy_result_type, in_results));
    TSR_TRY(check_sizes(op, rule));
    for (int64_t f = 0; f < nfactor(rule); f++) {
        if (in_operands[f] || in_results[f])
            continue;
        tsr_buf name = {0};
        tsr_sdy_factor(&name, f);
        tsr_op_error(
            op, "has factor %.*s=%lld that isn't used in operand and result mappings",
            TSR_STR_ARG(tsr_buf_text(&name)),
            (long long)tsr_attr_int_at(rule->attrs[SDY_OP_SHARDING_RULE_sizes], (size_t)f));
        tsr_buf_free(&name);
        return false;
    }
    return check_special(op, rule, in_results, special);
}

bool sdy_check_rule(tsr_op *op, const tsr_attr *rule)
{
    tsr_arena scratch;
    size_t n = (size_t)nfactor(rule) + 1; /* never nothing */
    tsr_arena_init_pooled(&scratch, &op->module->ctx->pool);
    bool ok = check_rule(op, rule, TSR_NEW_ARRAY(&scratch, uint32_t, n),
                         TSR_NEW_ARRAY(&scratch, uint32_t, n), TSR_NEW_ARRAY(&scratch, bool, n));
    tsr_arena_free(&scratch);
    return ok;
}

/* ---- Propagation records ---- */

static const tsr_value *value_at(const tsr_op *op, const tsr_attr *ref)
{
    int64_t i = ref->attrs[SDY_EDGE_VALUE_REF_index]->i;
    if (i < 0)
        return NULL;
    if (ref->attrs[SDY_EDGE_VALUE_REF_node]->i == TSR_SDY_RESULT)
        return i < op->nout ? &op->out[i] : NULL;
    return i < op->nin ? op->in[i].value : NULL;
}

static bool check_ref(const tsr_op *op, const tsr_attr *ref)
{
    bool result = ref->attrs[SDY_EDGE_VALUE_REF_node]->i == TSR_SDY_RESULT;
    if (tsr_op_is(op, TSR_OP_SDY_FUNC_DATA_FLOW_EDGE) || value_at(op, ref))
        return true;
    return tsr_op_error(op, "expected a value ref to have %s index in range [0, %u), got: %lld",
                        result ? "a result" : "an operand", result ? op->nout : op->nin,
                        (long long)ref->attrs[SDY_EDGE_VALUE_REF_index]->i);
}

/* Compares the mesh of the value's sharding with that of the other edges. *count: shardings so far. */
static void join_mesh(const tsr_op *op, const tsr_attr *ref, uint32_t *count, bool *differ,
                      const tsr_attr **mesh)
{
    const tsr_value *v = value_at(op, ref);
    const tsr_attr *s = v ? tsr_sdy_sharding_of(v) : NULL;
    if (!s)
        return;
    const tsr_attr *other = tsr_sdy_mesh_of(op, s);
    ++*count;
    if (!*mesh || tsr_sdy_mesh_is_empty(*mesh))
        *mesh = other;
    else if (other && !tsr_sdy_mesh_is_empty(other) && other != *mesh)
        *differ = true;
}

/* Iterates over the axis entries of all steps: fn(details). */
#define EACH_DETAIL(edges, d)                                                           \
    for (uint32_t d##_s = 0; d##_s < (edges)->attrs[0]->n; d##_s++)                     \
        for (const tsr_attr *d##_l =                                                    \
                 (edges)->attrs[0]->attrs[d##_s]->attrs[SDY_PROPAGATION_ONE_STEP_axes]; \
             d##_l; d##_l = NULL)                                                       \
            for (uint32_t d##_i = 0; d##_i < d##_l->n; d##_i++)                         \
                for (tsr_attr *const *d = d##_l->attrs[d##_i]->attrs; d; d = NULL)

static bool check_details(const tsr_op *op, const tsr_sdy_mesh_axes *mesh, tsr_attr *const *d)
{
    const tsr_attr *targets = d[SDY_AXIS_TO_PROPAGATION_DETAILS_targets];
    const tsr_attr *name = tsr_sdy_axis_name(d[SDY_AXIS_TO_PROPAGATION_DETAILS_axis]);
    if (tsr_sdy_axis_index(mesh, name) == mesh->mesh->attrs[SDY_MESH_axes]->n)
        return tsr_op_error(op, "expected axis ref to be in one of the meshes");
    TSR_TRY(check_ref(op, d[SDY_AXIS_TO_PROPAGATION_DETAILS_source]));
    for (uint32_t t = 0; t < targets->n; t++)
        TSR_TRY(check_ref(op, targets->attrs[t]));
    return true;
}

bool sdy_check_edges(tsr_op *op, const tsr_attr *edges)
{
    const tsr_attr *mesh = NULL;
    uint32_t count = 0;
    bool differ = false, ok = true;
    EACH_DETAIL (edges, d) {
        const tsr_attr *targets = d[SDY_AXIS_TO_PROPAGATION_DETAILS_targets];
        join_mesh(op, d[SDY_AXIS_TO_PROPAGATION_DETAILS_source], &count, &differ, &mesh);
        for (uint32_t t = 0; t < targets->n; t++)
            join_mesh(op, targets->attrs[t], &count, &differ, &mesh);
    }
    if (!count)
        return tsr_op_error(op, "expected propagation edges attr to reference a sharding.");
    if (!mesh || differ)
        return tsr_op_error(op, "expected a common mesh for propagation edges attr.");
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, op->module->ctx, mesh);
    EACH_DETAIL (edges, d)
        ok = ok && check_details(op, &axes, d);
    tsr_sdy_mesh_axes_free(&axes);
    return ok;
}
