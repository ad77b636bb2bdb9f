/* SPDX-License-Identifier: Apache-2.0 */
/* attr.c - converts between rules and sdy.op_sharding_rule attributes. */
#include "shard/rule/rule.h"

/* ---- Reading ---- */

static uint32_t count(const tsr_attr *ints)
{
    int64_t n = ints ? tsr_attr_count(ints) : 0;
    return n > 0 ? (uint32_t)n : 0;
}

/* Counts the dimensions and factors of all tensors of mappings. */
static void measure(const tsr_attr *mappings, uint32_t *ndim, uint32_t *nplace)
{
    for (uint32_t t = 0; t < mappings->n; t++) {
        const tsr_attr *dims = mappings->attrs[t]->attrs[0];
        *ndim += dims->n;
        for (uint32_t d = 0; d < dims->n; d++)
            *nplace += count(dims->attrs[d]->attrs[0]);
    }
}

/* Progress while filling a rule. */
typedef struct {
    uint32_t *dims, *first, *factors;
    uint32_t nfactor, t, d, place;
} filler;

static bool fill(filler *f, const tsr_attr *mappings)
{
    for (uint32_t t = 0; t < mappings->n; t++) {
        const tsr_attr *dims = mappings->attrs[t]->attrs[0];
        f->dims[f->t++] = f->d;
        for (uint32_t d = 0; d < dims->n; d++) {
            const tsr_attr *ints = dims->attrs[d]->attrs[0];
            f->first[f->d++] = f->place;
            for (uint32_t i = 0; i < count(ints); i++) {
                int64_t factor = tsr_attr_int_at(ints, i);
                if (factor < 0 || factor >= f->nfactor)
                    return false;
                f->factors[f->place++] = (uint32_t)factor;
            }
        }
    }
    return true;
}

/* Sets marks[factor] for a list of factors. */
static bool mark(uint8_t *marks, uint32_t nfactor, const tsr_attr *list, uint8_t value)
{
    for (uint32_t i = 0; i < count(list); i++) {
        int64_t factor = tsr_attr_int_at(list, i);
        if (factor < 0 || factor >= nfactor)
            return false;
        marks[factor] = value;
    }
    return true;
}

const tsr_rule *tsr_rule_decode(tsr_arena *arena, const tsr_attr *attr)
{
    if (!tsr_attr_is_struct(attr, &tsr_def_SDY_OP_SHARDING_RULE))
        return NULL;
    const tsr_attr *sizes = attr->attrs[SDY_OP_SHARDING_RULE_sizes];
    const tsr_attr *in = attr->attrs[SDY_OP_SHARDING_RULE_operands];
    const tsr_attr *out = attr->attrs[SDY_OP_SHARDING_RULE_results];
    uint32_t n = count(sizes), ndim = 0, nplace = 0;
    measure(in, &ndim, &nplace);
    measure(out, &ndim, &nplace);

    filler f = {.nfactor = n};
    f.dims = tsr_arena_alloc(arena, (in->n + out->n + 1) * sizeof *f.dims);
    f.first = tsr_arena_alloc(arena, (ndim + 1) * sizeof *f.first);
    f.factors = tsr_arena_alloc(arena, nplace * sizeof *f.factors);
    if (!fill(&f, in) || !fill(&f, out))
        return NULL;
    f.dims[f.t] = f.d;
    f.first[f.d] = f.place;

    int64_t *size = tsr_arena_alloc(arena, n * sizeof *size);
    for (uint32_t i = 0; i < n; i++)
        size[i] = tsr_attr_int_at(sizes, i);
    uint8_t *kinds = TSR_NEW_ARRAY(arena, uint8_t, n), *blocked = TSR_NEW_ARRAY(arena, uint8_t, n);
    if (!mark(kinds, n, attr->attrs[SDY_OP_SHARDING_RULE_reduction], TSR_FACTOR_REDUCTION) ||
        !mark(kinds, n, attr->attrs[SDY_OP_SHARDING_RULE_need_replication],
              TSR_FACTOR_NEED_REPLICATION) ||
        !mark(kinds, n, attr->attrs[SDY_OP_SHARDING_RULE_permutation], TSR_FACTOR_PERMUTATION) ||
        !mark(blocked, n, attr->attrs[SDY_OP_SHARDING_RULE_blocked], 1))
        return NULL;

    tsr_rule *r = TSR_NEW(arena, tsr_rule);
    *r = (tsr_rule){.nfactor = n,
                    .noperand = in->n,
                    .nresult = out->n,
                    .custom = attr->attrs[SDY_OP_SHARDING_RULE_custom] != NULL,
                    .sizes = size,
                    .kinds = kinds,
                    .blocked = blocked,
                    .dims = f.dims,
                    .first = f.first,
                    .factors = f.factors};
    return r;
}

/* ---- Writing ---- */

typedef TSR_VEC(tsr_attr *) attr_vec;
typedef TSR_VEC(int64_t) int_vec;

static tsr_attr *array_of_ints(tsr_ctx *ctx, int_vec *ints)
{
    return tsr_attr_i64_array(ctx, ints->data, ints->n);
}

static tsr_attr *tensor_mapping(tsr_ctx *ctx, const tsr_rule *r, uint32_t t, int_vec *ints)
{
    attr_vec dims = {0};
    for (uint32_t d = r->dims[t]; d < r->dims[t + 1]; d++) {
        ints->n = 0;
        for (uint32_t i = r->first[d]; i < r->first[d + 1]; i++)
            tsr_vec_push(ints, (int64_t)r->factors[i]);
        tsr_attr *list = array_of_ints(ctx, ints);
        tsr_vec_push(&dims, tsr_attr_struct(ctx, &tsr_def_SDY_DIM_MAPPING, &list));
    }
    tsr_attr *array = tsr_attr_array(ctx, dims.data, dims.n);
    tsr_vec_free(&dims);
    return tsr_attr_struct(ctx, &tsr_def_SDY_TENSOR_MAPPING, &array);
}

static tsr_attr *mappings(tsr_ctx *ctx, const tsr_rule *r, uint32_t from, uint32_t to,
                          int_vec *ints)
{
    attr_vec tensors = {0};
    for (uint32_t t = from; t < to; t++)
        tsr_vec_push(&tensors, tensor_mapping(ctx, r, t, ints));
    tsr_attr *array = tsr_attr_array(ctx, tensors.data, tensors.n);
    tsr_vec_free(&tensors);
    return array;
}

/* The factors whose mark is value. */
static tsr_attr *marked(tsr_ctx *ctx, const tsr_rule *r, const uint8_t *marks, uint8_t value,
                        int_vec *ints)
{
    ints->n = 0;
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (marks[f] == value)
            tsr_vec_push(ints, (int64_t)f);
    return array_of_ints(ctx, ints);
}

tsr_attr *tsr_rule_encode(tsr_ctx *ctx, const tsr_rule *r)
{
    tsr_attr *p[SDY_OP_SHARDING_RULE_custom + 1];
    int_vec ints = {0};
    p[SDY_OP_SHARDING_RULE_sizes] = tsr_attr_i64_array(ctx, r->sizes, r->nfactor);
    p[SDY_OP_SHARDING_RULE_operands] = mappings(ctx, r, 0, r->noperand, &ints);
    p[SDY_OP_SHARDING_RULE_results] = mappings(ctx, r, r->noperand, tsr_rule_tensors(r), &ints);
    p[SDY_OP_SHARDING_RULE_reduction] = marked(ctx, r, r->kinds, TSR_FACTOR_REDUCTION, &ints);
    p[SDY_OP_SHARDING_RULE_need_replication] =
        marked(ctx, r, r->kinds, TSR_FACTOR_NEED_REPLICATION, &ints);
    p[SDY_OP_SHARDING_RULE_permutation] = marked(ctx, r, r->kinds, TSR_FACTOR_PERMUTATION, &ints);
    p[SDY_OP_SHARDING_RULE_blocked] = marked(ctx, r, r->blocked, 1, &ints);
    p[SDY_OP_SHARDING_RULE_custom] = r->custom ? tsr_attr_unit(ctx) : NULL;
    tsr_vec_free(&ints);
    return tsr_attr_struct(ctx, &tsr_def_SDY_OP_SHARDING_RULE, p);
}
