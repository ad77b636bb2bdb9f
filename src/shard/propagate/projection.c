/* SPDX-License-Identifier: Apache-2.0 */
/* projection.c - see projection.h. */
#include "shard/propagate/projection.h"

void tsr_projection_init(tsr_projection *p, tsr_arena *arena, tsr_shardings *table,
                         const tsr_rule *rule)
{
    uint32_t n = tsr_projection_parts(rule), ntensor = tsr_rule_tensors(rule);
    const tsr_axes *none = table->lists.none;
    *p = (tsr_projection){rule, table, tsr_arena_alloc(arena, n * sizeof *p->parts),
                          tsr_arena_alloc(arena, ntensor * sizeof *p->tensors)};
    for (uint32_t i = 0; i < n; i++)
        p->parts[i] = (tsr_factor_sharding){.axes = none, .overflow = none};
    for (uint32_t i = 0; i < ntensor; i++)
        p->tensors[i] = (tsr_tensor_axes){none, none, TSR_SDY_SUM};
}

/* ---- From dimensions to factors ---- */

/* The remaining axes of a dimension while they are distributed: the rest of axis i, then those after it. */
typedef struct {
    const tsr_axes *axes;
    uint32_t i;
    tsr_axis rest;
} supply;

static bool next_axis(supply *s)
{
    if (++s->i >= s->axes->n)
        return false;
    s->rest = s->axes->data[s->i];
    return true;
}

static void open_supply(supply *s, const tsr_axes *axes)
{
    *s = (supply){.axes = axes};
    if (axes->n)
        s->rest = axes->data[0];
}

/* All remaining axes, appended to those of v. */
static const tsr_axes *all_of(tsr_axis_lists *lists, tsr_axis_vec *v, const supply *s)
{
    if (s->i >= s->axes->n)
        return lists->none;
    if (!s->i && tsr_axis_eq(s->rest, s->axes->data[0]))
        return s->axes;
    v->n = 0;
    tsr_axis_vec_add(v, s->rest);
    for (uint32_t i = s->i + 1; i < s->axes->n; i++)
        tsr_axis_vec_add(v, s->axes->data[i]);
    return tsr_axes_get(lists, v->data, v->n);
}

/* Fills a factor that others follow. Returns the part of its size that no axis takes. */
static int64_t fill(supply *s, int64_t size, tsr_axis_vec *v)
{
    v->n = 0;
    while (s->i < s->axes->n) {
        int64_t take = s->rest.size == 1 ? 1 : tsr_gcd(size, s->rest.size);
        if (take == 1 && s->rest.size != 1)
            break;
        size /= take;
        if (s->rest.size > take) {
            tsr_vec_push(v, tsr_axis_split(s->rest, take, &s->rest));
        } else {
            tsr_vec_push(v, s->rest);
            next_axis(s);
        }
    }
    return size;
}

static void build_dim(tsr_projection *p, uint32_t first, uint32_t n, const tsr_axes *axes,
                      bool closed)
{
    tsr_axis_lists *lists = &p->table->lists;
    tsr_factor_sharding *parts = p->parts + first;
    if (n == 1) {
        parts[0] = (tsr_factor_sharding){axes, lists->none, closed, true, false};
        return;
    }
    supply left;
    open_supply(&left, axes);
    tsr_axis_vec v = {0};
    for (uint32_t i = 0; i < n; i++) {
        parts[i] = (tsr_factor_sharding){lists->none, lists->none, closed, i + 1 == n, false};
        if (i + 1 == n) {
            parts[i].axes = all_of(lists, &v, &left);
            break;
        }
        if (left.i >= axes->n)
            continue;
        int64_t rest = fill(&left, p->rule->sizes[p->rule->factors[first + i]], &v);
        parts[i].axes = tsr_axes_get(lists, v.data, v.n);
        if (rest > 1 && left.i < axes->n) {
            parts[i].overflow = all_of(lists, &v, &left);
            /* The factors after it must stay without axes. */
            for (uint32_t k = i + 1; k < n; k++)
                parts[k] =
                    (tsr_factor_sharding){lists->none, lists->none, true, k + 1 == n, k > i + 1};
            break;
        }
    }
    tsr_vec_free(&v);
}

void tsr_projection_set(tsr_projection *p, uint32_t tensor, const tsr_sharding *sharding,
                        bool closed_if_missing)
{
    const tsr_rule *r = p->rule;
    const tsr_axes *none = p->table->lists.none;
    tsr_assert(tensor < tsr_rule_tensors(r), "tensor %u of %u", tensor, tsr_rule_tensors(r));
    tsr_assert(!sharding || !sharding->sharded || sharding->rank == tsr_rule_rank(r, tensor),
               "a sharding of rank %u for tensor %u of rank %u", sharding->rank, tensor,
               tsr_rule_rank(r, tensor));
    for (uint32_t d = r->dims[tensor], k = 0; d < r->dims[tensor + 1]; d++, k++) {
        uint32_t first = r->first[d], n = r->first[d + 1] - first;
        bool known = sharding && k < sharding->rank;
        if (n)
            build_dim(p, first, n, known ? sharding->dims[k].axes : none,
                      known ? sharding->dims[k].closed : closed_if_missing);
    }
    p->tensors[tensor] =
        sharding ? (tsr_tensor_axes){sharding->replicated, sharding->unreduced, sharding->reduction}
                 : (tsr_tensor_axes){none, none, TSR_SDY_SUM};
}

void tsr_projection_build(tsr_projection *p, const tsr_sharding *const *shardings,
                          bool closed_if_missing)
{
    uint32_t n = tsr_rule_tensors(p->rule);
    for (uint32_t t = 0; t < n; t++)
        tsr_projection_set(p, t, shardings[t], closed_if_missing);
}

void tsr_projection_build_axes(tsr_projection *p, const tsr_axes *const *axes_per_factor)
{
    const tsr_rule *r = p->rule;
    const tsr_axes *none = p->table->lists.none;
    uint32_t n = tsr_rule_tensors(r);
    for (uint32_t d = 0; d < r->dims[n]; d++)
        for (uint32_t i = r->first[d]; i < r->first[d + 1]; i++)
            p->parts[i] = (tsr_factor_sharding){axes_per_factor[r->factors[i]], none, true,
                                                i + 1 == r->first[d + 1], false};
    for (uint32_t t = 0; t < n; t++)
        p->tensors[t] = (tsr_tensor_axes){none, none, TSR_SDY_SUM};
}

/* ---- Changing ---- */

tsr_factor_sharding *tsr_projection_part(const tsr_projection *p, uint32_t tensor, uint32_t factor)
{
    tsr_check(tensor < tsr_rule_tensors(p->rule) && factor < p->rule->nfactor,
              "factor %u of %u on tensor %u of %u", factor, p->rule->nfactor, tensor,
              tsr_rule_tensors(p->rule));
    uint32_t end = tsr_projection_first(p->rule, tensor + 1);
    for (uint32_t i = tsr_projection_first(p->rule, tensor); i < end; i++)
        if (p->rule->factors[i] == factor)
            return p->parts[i].absent ? NULL : &p->parts[i];
    return NULL;
}

bool tsr_projection_expand(tsr_projection *p, uint32_t tensor, uint32_t factor,
                           const tsr_axes *axes)
{
    tsr_factor_sharding *part = tsr_projection_part(p, tensor, factor);
    if (!part || !tsr_axes_strict_prefix(part->axes, axes))
        return false;
    part->axes = axes;
    return true;
}

bool tsr_projection_update(tsr_projection *p, uint32_t tensor, uint32_t factor,
                           const tsr_axes *axes, const tsr_axes *overflow)
{
    tsr_factor_sharding *part = tsr_projection_part(p, tensor, factor);
    if (!part || (part->axes == axes && part->overflow == overflow))
        return false;
    part->axes = axes;
    part->overflow = overflow;
    return true;
}

void tsr_projection_expand_all(tsr_projection *p, uint32_t factor, const tsr_axes *axes,
                               bool *changed)
{
    uint32_t n = tsr_rule_tensors(p->rule);
    for (uint32_t t = 0; t < n; t++)
        if (tsr_projection_expand(p, t, factor, axes))
            changed[t] = true;
}

void tsr_projection_update_all(tsr_projection *p, uint32_t factor, const tsr_axes *axes,
                               const tsr_axes *overflow, bool *changed)
{
    uint32_t n = tsr_rule_tensors(p->rule);
    for (uint32_t t = 0; t < n; t++)
        if (tsr_projection_update(p, t, factor, axes, overflow))
            changed[t] = true;
}

/* ---- From factors to dimensions ---- */

static tsr_dim_sharding join_dim(const tsr_projection *p, uint32_t first, uint32_t end)
{
    tsr_axis_lists *lists = &p->table->lists;
    tsr_dim_sharding d = {.axes = lists->none, .priority = -1};
    for (uint32_t i = first; i < end; i++) {
        const tsr_factor_sharding *part = &p->parts[i];
        d.closed |= part->closed;
        d.axes = tsr_axes_join(lists, d.axes, part->axes);
        if (part->overflow->n) {
            d.axes = tsr_axes_join(lists, d.axes, part->overflow);
            break;
        }
        if (part->axes->size < p->rule->sizes[p->rule->factors[i]])
            break;
    }
    return d;
}

const tsr_sharding *tsr_projection_sharding(const tsr_projection *p, uint32_t tensor,
                                            const tsr_mesh *mesh)
{
    const tsr_rule *r = p->rule;
    uint32_t rank = tsr_rule_rank(r, tensor), first = r->dims[tensor];
    tsr_dim_sharding few[16], *dims = few;
    if (rank > TSR_COUNT(few))
        dims = tsr_arena_alloc(p->table->arena, rank * sizeof *dims);
    for (uint32_t d = 0; d < rank; d++)
        dims[d] = join_dim(p, r->first[first + d], r->first[first + d + 1]);
    const tsr_tensor_axes *t = &p->tensors[tensor];
    return tsr_sharding_get(p->table, mesh, dims, rank, t->replicated, t->unreduced, t->reduction);
}

/* ---- Queries ---- */

int64_t tsr_projection_size(const tsr_projection *p, uint32_t tensor)
{
    int64_t size = 1;
    uint32_t end = tsr_projection_first(p->rule, tensor + 1);
    for (uint32_t i = tsr_projection_first(p->rule, tensor); i < end; i++) {
        int64_t more[] = {p->parts[i].axes->size, p->parts[i].overflow->size};
        for (size_t k = 0; k < TSR_COUNT(more); k++)
            size = size > INT64_MAX / more[k] ? INT64_MAX : size * more[k];
    }
    return size;
}

void tsr_projection_common_prefix(const tsr_projection *p, const tsr_axes **axes_per_factor)
{
    const tsr_rule *r = p->rule;
    for (uint32_t f = 0; f < r->nfactor; f++)
        axes_per_factor[f] = NULL;
    for (uint32_t i = 0; i < tsr_projection_parts(r); i++) {
        const tsr_axes **axes = &axes_per_factor[r->factors[i]];
        if (p->parts[i].absent)
            continue;
        *axes = *axes ? tsr_axes_common_prefix(&p->table->lists, *axes, p->parts[i].axes)
                      : p->parts[i].axes;
    }
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (!axes_per_factor[f])
            axes_per_factor[f] = p->table->lists.none;
}

bool tsr_projection_overflows(const tsr_projection *p, uint32_t tensor)
{
    uint32_t end = tsr_projection_first(p->rule, tensor + 1);
    for (uint32_t i = tsr_projection_first(p->rule, tensor); i < end; i++)
        if (p->parts[i].overflow->n)
            return true;
    return false;
}

bool tsr_projection_same(const tsr_projection *a, const tsr_projection *b)
{
    for (uint32_t i = 0; i < tsr_projection_parts(a->rule); i++) {
        const tsr_factor_sharding *x = &a->parts[i], *y = &b->parts[i];
        if (x->axes != y->axes || x->overflow != y->overflow || x->closed != y->closed ||
            x->minor_most != y->minor_most || x->absent != y->absent)
            return false;
    }
    for (uint32_t t = 0; t < tsr_rule_tensors(a->rule); t++) {
        const tsr_tensor_axes *x = &a->tensors[t], *y = &b->tensors[t];
        if (x->replicated != y->replicated || x->unreduced != y->unreduced ||
            x->reduction != y->reduction)
            return false;
    }
    return true;
}

/* ---- Distribution ---- */

void tsr_distribute_axes(tsr_axis_lists *lists, const tsr_axes *axes, const int64_t *sizes,
                         tsr_factor_sharding *parts, uint32_t n)
{
    if (!n)
        return;
    supply s;
    open_supply(&s, axes);
    int64_t few[16], *left = n <= TSR_COUNT(few) ? few : tsr_xmalloc(n * sizeof *left);
    for (uint32_t i = 0; i < n; i++)
        left[i] = sizes[i];
    tsr_axis_vec v = {0};
    while (s.i < axes->n) {
        uint32_t at = s.i;
        bool used = false;
        for (uint32_t i = 0; i < n && s.i == at; i++) {
            int64_t take = left[i] <= 1 ? 0 : tsr_gcd(left[i], s.rest.size);
            if (!take || (take == 1 && s.rest.size != 1))
                continue;
            used = true;
            left[i] /= take;
            tsr_axis part = s.rest;
            if (s.rest.size > take)
                part = tsr_axis_split(s.rest, take, &s.rest);
            else
                next_axis(&s);
            const tsr_axes *one = tsr_axes_get(lists, &part, 1);
            parts[i].axes = tsr_axes_join(lists, parts[i].axes, one);
        }
        if (!used) {
            parts[n - 1].overflow =
                tsr_axes_join(lists, parts[n - 1].overflow, all_of(lists, &v, &s));
            break;
        }
    }
    tsr_vec_free(&v);
    if (left != few)
        tsr_free(left);
}
