/* SPDX-License-Identifier: Apache-2.0 */
/* unreduced.c - how unreduced axes may change from an op's operands to its results. */
#include "dialect/sdy/verify.h"

static const char *const reduction_words[] = {"sum", "max", "min"};

static int reduction_of(const tsr_attr *sharding)
{
    return (int)sharding->attrs[SDY_SHARDING_reduction]->i;
}

static const tsr_attr *unreduced_of(const tsr_attr *sharding)
{
    return sharding->attrs[SDY_SHARDING_unreduced];
}

/* One side: the shardings of an op's operands, or of its results. NULL: that value has none. */
typedef struct {
    const tsr_attr *const *shardings;
    uint32_t n;
    tsr_sdy_axes axes; /* all unreduced axes, sorted, without duplicates */
} side;

static void gather(const tsr_sdy_mesh_axes *m, side *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const tsr_attr *list = s->shardings[i] ? unreduced_of(s->shardings[i]) : NULL;
        for (uint32_t k = 0; list && k < list->n; k++)
            tsr_vec_push(&s->axes, list->attrs[k]);
    }
    tsr_sdy_axes_sort(m, &s->axes);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->axes.n; i++)
        if (!n || s->axes.data[n - 1] != s->axes.data[i])
            s->axes.data[n++] = s->axes.data[i];
    s->axes.n = n;
}

/* The first sharding of a side with an axis of diff must have the wanted reduction. */
static bool check_reduction(const tsr_op *op, const tsr_sdy_mesh_axes *m, const side *s,
                            const tsr_sdy_axes *diff, int wanted, const char *verb)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const tsr_attr *list = s->shardings[i] ? unreduced_of(s->shardings[i]) : NULL;
        bool differs = false;
        for (uint32_t k = 0; list && k < list->n; k++)
            differs |= tsr_sdy_axes_overlapping(m, diff, list->attrs[k]) != NULL;
        if (differs && reduction_of(s->shardings[i]) != wanted)
            return tsr_op_error(op, "cannot %s '%s' unreduced axes. Expected '%s'.", verb,
                                reduction_words[reduction_of(s->shardings[i])],
                                reduction_words[wanted]);
    }
    return true;
}

static bool overlap(const tsr_attr *a, const tsr_attr *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (tsr_sdy_axis_overlaps(a->attrs[i], b->attrs[k]))
                return true;
    return false;
}

/* Axes that stay unreduced keep their reduction. */
static bool check_kept(const tsr_op *op, const side *from, const side *to)
{
    for (uint32_t i = 0; i < to->n; i++)
        for (uint32_t k = 0; to->shardings[i] && k < from->n; k++) {
            const tsr_attr *a = from->shardings[k], *b = to->shardings[i];
            if (a && reduction_of(a) != reduction_of(b) &&
                overlap(unreduced_of(a), unreduced_of(b)))
                return tsr_op_error(
                    op,
                    "cannot change the reduction operator of kept unreduced axes from %s to %s.",
                    reduction_words[reduction_of(a)], reduction_words[reduction_of(b)]);
        }
    return true;
}

static bool check_sides(const tsr_op *op, const tsr_sdy_mesh_axes *m, side *from, side *to, int add,
                        int drop)
{
    tsr_sdy_axes gained = {0}, lost = {0};
    gather(m, from);
    gather(m, to);
    tsr_attr *olds = tsr_attr_array(op->module->ctx, from->axes.data, from->axes.n);
    tsr_attr *news = tsr_attr_array(op->module->ctx, to->axes.data, to->axes.n);
    tsr_sdy_axes_minus(m, news, &from->axes, &gained);
    tsr_sdy_axes_minus(m, olds, &to->axes, &lost);
    bool ok = true;
    if (gained.n && add < 0)
        ok = tsr_op_error(op, "cannot add new unreduced axis '%.*s'.",
                          TSR_STR_ARG(tsr_sdy_axis_name(gained.data[0])->s));
    else if (gained.n)
        ok = check_reduction(op, m, to, &gained, add, "introduce");
    if (ok && lost.n && drop < 0)
        ok = tsr_op_error(
            op,
            "dropped unreduced axis '%.*s' without a blessed operation (e.g., sdy.reshard). "
            "This is an invalid transition from unreduced to reduced.",
            TSR_STR_ARG(tsr_sdy_axis_name(lost.data[0])->s));
    else if (ok && lost.n)
        ok = check_reduction(op, m, from, &lost, drop, "reduce");
    ok = ok && check_kept(op, from, to);
    tsr_vec_free(&gained);
    tsr_vec_free(&lost);
    return ok;
}

bool sdy_check_unreduced_all(const tsr_op *op, const tsr_attr *const *from, uint32_t nfrom,
                             const tsr_attr *const *to, uint32_t nto, int add, int drop)
{
    side sides[2] = {{from, nfrom, {0}}, {to, nto, {0}}};
    const tsr_attr *mesh = NULL;
    bool any = false;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < sides[k].n; i++) {
            const tsr_attr *s = sides[k].shardings[i];
            any |= s && unreduced_of(s)->n;
        }
    if (!any)
        return true;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < sides[k].n; i++) {
            const tsr_attr *s = sides[k].shardings[i], *other = s ? tsr_sdy_mesh_of(op, s) : NULL;
            if (mesh && other && mesh != other)
                return true; /* axes of different meshes cannot be compared */
            mesh = mesh ? mesh : other;
        }
    if (!mesh)
        return true;
    tsr_sdy_mesh_axes m;
    tsr_sdy_mesh_axes_init(&m, op->module->ctx, mesh);
    bool ok = check_sides(op, &m, &sides[0], &sides[1], add, drop);
    tsr_vec_free(&sides[0].axes);
    tsr_vec_free(&sides[1].axes);
    tsr_sdy_mesh_axes_free(&m);
    return ok;
}

bool sdy_check_unreduced(const tsr_op *op, const tsr_attr *from, const tsr_attr *to, int add,
                         int drop)
{
    return sdy_check_unreduced_all(op, &from, 1, &to, 1, add, drop);
}
