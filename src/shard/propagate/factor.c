/* SPDX-License-Identifier: Apache-2.0 */
/* factor.c - see factor.h.
 *
 * First the axes to spread along each factor are found, considering that factor alone on all tensors. Then, per
 * strategy, they are cut at the first axis that a tensor cannot take: the tensor uses the axis elsewhere, replicated or
 * unreduced, or the factor is closed there, overflows, or is not divisible by it. */
#include "shard/propagate/factor.h"

#include <stdlib.h>

/* ---- Agreement on one factor ---- */

const tsr_axes *tsr_axes_agree(tsr_axis_lists *lists, const tsr_axes *old, const tsr_axes *new,
                               bool *expand)
{
    if (old == new || !new->n)
        return old;
    if (!old->n)
        return *expand ? new : old;
    uint32_t n = old->n < new->n ? old->n : new->n, i = 0;
    while (i < n && tsr_axis_eq(old->data[i], new->data[i]))
        i++;
    if (i == n) /* one is a prefix of the other */
        return new->n > n &&*expand ? new : old;
    bool last_old = i + 1 == old->n, last_new = i + 1 == new->n;
    if (tsr_axis_prefix_of(new->data[i], old->data[i])) {
        if (last_new)
            return old;
        *expand = false;
        return tsr_axes_cut(lists, new, i + 1, NULL);
    }
    if (tsr_axis_prefix_of(old->data[i], new->data[i])) {
        if (last_old && *expand)
            return new;
        *expand = false;
        return tsr_axes_cut(lists, old, i + 1, NULL);
    }
    *expand = false;
    return tsr_axes_cut(lists, old, i, NULL);
}

/* Axes to spread along each factor. */
typedef struct {
    const tsr_axes *axes;
    bool expand; /* whether more may be added */
} agreement;

/* Considers parts first .. end - 1, of the tensors with first (or second) priority, for factors with these
 * directions. */
static void agree_on(const tsr_factor_step *step, const tsr_projection *p, uint32_t first,
                     uint32_t end, unsigned directions, bool second, agreement *out)
{
    const tsr_rule *r = p->rule;
    for (uint32_t i = first; i < end; i++) {
        uint32_t f = r->factors[i];
        if (!(directions >> step->directions[f] & 1) || p->parts[i].absent)
            continue;
        if (second && step->directions[f] != TSR_SDY_BOTH)
            out[f].expand = false;
        out[f].axes =
            tsr_axes_agree(&p->table->lists, out[f].axes, p->parts[i].axes, &out[f].expand);
    }
}

/* Operands come first, or results where axes go backward; with a single direction, the others add nothing. Returns
 * whether there is anything to spread. */
static bool agree(const tsr_factor_step *step, const tsr_projection *p, agreement *out)
{
    enum { FORTH = 1 << TSR_SDY_FORWARD | 1 << TSR_SDY_BOTH, BACK = 1 << TSR_SDY_BACKWARD };
    const tsr_rule *r = p->rule;
    uint32_t end = tsr_projection_parts(r), results = tsr_projection_first(r, r->noperand);
    for (uint32_t f = 0; f < r->nfactor; f++)
        out[f] = (agreement){p->table->lists.none, true};
    agree_on(step, p, 0, results, FORTH, false, out);
    agree_on(step, p, results, end, FORTH, true, out);
    agree_on(step, p, results, end, BACK, false, out);
    agree_on(step, p, 0, results, BACK, true, out);
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (out[f].axes->n)
            return true;
    return false;
}

/* ---- Conflicts ---- */

/* Checks against other factors of the tensor that have (part of) the axis. */
static bool clear_of_others(const tsr_projection *p, uint32_t tensor, uint32_t factor, tsr_axis *a)
{
    uint32_t end = tsr_projection_first(p->rule, tensor + 1);
    for (uint32_t i = tsr_projection_first(p->rule, tensor); i < end; i++)
        if (p->rule->factors[i] != factor && !p->parts[i].absent &&
            !(tsr_axis_before_all(a, p->parts[i].overflow) &&
              tsr_axis_before_all(a, p->parts[i].axes)))
            return false;
    return true;
}

/* The part of the axis that the factor can take after axes of size before. */
static bool fits_within(const tsr_tensor_axes *tensor, const tsr_factor_sharding *part,
                        int64_t before, int64_t factor_size, tsr_axis *a)
{
    if (!tsr_axis_before_all(a, tensor->replicated) || !tsr_axis_before_all(a, tensor->unreduced))
        return false;
    for (uint32_t i = 0; i < part->axes->n; i++)
        if (tsr_axis_contains(part->axes->data[i], *a))
            return true;
    if (!part->closed && !part->overflow->n) {
        if (part->minor_most)
            return true;
        if (factor_size % before == 0) {
            int64_t gcd = tsr_gcd(factor_size / before, a->size);
            bool whole = gcd == a->size;
            if (gcd != 1)
                a->size = gcd;
            if (whole || gcd != 1)
                return true;
        }
    }
    /* The factor may already have a prefix of it. */
    if (!part->axes->n || !tsr_axis_prefix_of(part->axes->data[part->axes->n - 1], *a))
        return false;
    *a = part->axes->data[part->axes->n - 1];
    return true;
}

/* The context of the query for each axis of a list. */
typedef struct {
    const tsr_factor_step *step;
    const tsr_projection *p;
    uint32_t tensor, factor;
    const tsr_factor_sharding *part;
} question;
typedef bool answer_fn(const question *q, int64_t before, tsr_axis *a);

static bool everywhere(const question *q, int64_t before, tsr_axis *a)
{
    const tsr_rule *r = q->p->rule;
    uint32_t n = tsr_rule_tensors(r);
    for (uint32_t t = 0; t < n; t++) {
        if (!clear_of_others(q->p, t, q->factor, a))
            return false;
        const tsr_factor_sharding *part = tsr_projection_part(q->p, t, q->factor);
        if (part && !fits_within(&q->p->tensors[t], part, before, r->sizes[q->factor], a))
            return false;
    }
    return true;
}

static bool within(const question *q, int64_t before, tsr_axis *a)
{
    return fits_within(&q->p->tensors[q->tensor], q->part, before, q->p->rule->sizes[q->factor], a);
}

static bool across(const question *q, int64_t before, tsr_axis *a)
{
    (void)before;
    return clear_of_others(q->p, q->tensor, q->factor, a);
}

/* The axes up to the first that is refused; an axis taken in part is the last. */
static const tsr_axes *truncate_axes(const question *q, const tsr_axes *axes, answer_fn *ask)
{
    const tsr_mesh *mesh = q->step->mesh;
    tsr_axis_lists *lists = &q->p->table->lists;
    int64_t before = 1;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        if (!ask(q, before, &a) ||
            (q->step->conservative && (a.pre != 1 || a.size != mesh->sizes[a.axis])))
            return tsr_axes_cut(lists, axes, i, NULL);
        if (!tsr_axis_eq(a, axes->data[i]))
            return tsr_axes_cut(lists, axes, i, &a);
        before *= a.size;
    }
    return axes;
}

/* ---- Basic ---- */

static bool basic(const tsr_factor_step *step, tsr_projection *p, const agreement *found,
                  bool *changed)
{
    bool any = false;
    uint32_t n = tsr_rule_tensors(p->rule);
    for (uint32_t f = 0; f < p->rule->nfactor; f++) {
        if (!found[f].axes->n)
            continue;
        question q = {.step = step, .p = p, .factor = f};
        const tsr_axes *axes = truncate_axes(&q, found[f].axes, everywhere);
        for (uint32_t t = 0; axes->n && t < n; t++)
            if (tsr_projection_expand(p, t, f, axes))
                any = changed[t] = true;
    }
    return any;
}

/* ---- Aggressive ---- */

/* A factor and its sort keys. */
typedef struct {
    int64_t source_size; /* size of the largest tensor that already has all its axes; -1: none */
    int64_t sharded;     /* for elementwise ops: size of all its axes */
    int64_t source_index;
    uint32_t factor;
} candidate;

static int by_priority(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->source_size != y->source_size)
        return x->source_size > y->source_size ? -1 : 1;
    if (x->sharded != y->sharded)
        return x->sharded > y->sharded ? -1 : 1;
    if (x->source_index != y->source_index)
        return x->source_index < y->source_index ? -1 : 1;
    return x->factor < y->factor ? -1 : x->factor > y->factor;
}

static void find_sources(const tsr_projection *p, const agreement *found, candidate *candidates)
{
    const tsr_rule *r = p->rule;
    uint32_t n = tsr_rule_tensors(r);
    for (uint32_t t = 0; t < n; t++) {
        uint32_t first = tsr_projection_first(r, t), end = tsr_projection_first(r, t + 1);
        int64_t size = 1;
        for (uint32_t i = first; i < end; i++)
            if (!p->parts[i].absent)
                size = (int64_t)((uint64_t)size * (uint64_t)r->sizes[r->factors[i]]);
        for (uint32_t i = first; i < end; i++) {
            uint32_t f = r->factors[i];
            if (!p->parts[i].absent && found[f].axes->n && size > candidates[f].source_size &&
                tsr_axes_prefix(found[f].axes, p->parts[i].axes) != TSR_NOT_PREFIX) {
                candidates[f].source_size = size;
                candidates[f].source_index = t;
            }
        }
    }
}

/* Sorts the factors that have axes to spread. */
static uint32_t order(const tsr_factor_step *step, const tsr_projection *p, const agreement *found,
                      candidate *candidates)
{
    uint32_t nfactor = p->rule->nfactor, n = 0;
    for (uint32_t f = 0; f < nfactor; f++)
        candidates[f] = (candidate){-1, step->elementwise ? found[f].axes->size : 0, -1, f};
    find_sources(p, found, candidates);
    for (uint32_t f = 0; f < nfactor; f++)
        if (found[f].axes->n)
            candidates[n++] = candidates[f];
    if (n > 1)
        qsort(candidates, n, sizeof *candidates, by_priority);
    return n;
}

static const tsr_axes *no_more_than_results(const tsr_projection *p, uint32_t factor,
                                            const tsr_axes *axes)
{
    for (uint32_t t = p->rule->noperand; t < tsr_rule_tensors(p->rule); t++) {
        const tsr_factor_sharding *part = tsr_projection_part(p, t, factor);
        if (part && tsr_axes_strict_prefix(part->axes, axes))
            axes = part->axes;
    }
    return axes;
}

static bool take(const tsr_factor_step *step, tsr_projection *p, uint32_t tensor, uint32_t factor,
                 const tsr_axes *axes)
{
    tsr_factor_sharding *part = tsr_projection_part(p, tensor, factor);
    if (!part || part->axes == axes)
        return false;
    question q = {step, p, tensor, factor, part};
    axes = truncate_axes(&q, axes, within);
    if (!tsr_axes_strict_prefix(part->axes, axes))
        return false;
    axes = truncate_axes(&q, axes, across);
    if (step->elementwise && tensor < p->rule->noperand)
        axes = no_more_than_results(p, factor, axes);
    if (!tsr_axes_strict_prefix(part->axes, axes))
        return false;
    part->axes = axes;
    return true;
}

static bool aggressive(const tsr_factor_step *step, tsr_projection *p, const agreement *found,
                       bool *changed)
{
    const tsr_rule *r = p->rule;
    candidate *candidates = tsr_arena_alloc(step->scratch, r->nfactor * sizeof *candidates);
    uint32_t ncandidate = order(step, p, found, candidates), n = tsr_rule_tensors(r);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = i < r->nresult ? r->noperand + i : i - r->nresult; /* results first */
        for (uint32_t k = 0; k < ncandidate; k++)
            if (take(step, p, t, candidates[k].factor, found[candidates[k].factor].axes))
                any = changed[t] = true;
    }
    return any;
}

bool tsr_factor_propagate(const tsr_factor_step *step, tsr_projection *p, bool *changed)
{
    agreement *found = tsr_arena_alloc(step->scratch, p->rule->nfactor * sizeof *found);
    if (!agree(step, p, found))
        return false;
    return step->strategy == TSR_BASIC ? basic(step, p, found, changed)
                                       : aggressive(step, p, found, changed);
}
