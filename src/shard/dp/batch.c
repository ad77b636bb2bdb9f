/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - finds the batch: the dimension of the inputs that passes through the graph without being mixed.
 *
 * Dimensions that factors of rules join are one class (union-find over all values, also through calls). The classes of
 * input dimensions that occur in the most values are tried: a plan gives the number of ops that run in parts and of
 * values that must be gathered. Candidates are arguments that the user marked as inputs, or unmarked ones if no
 * argument is an input; parameters, constants and defaults stay whole. The choice of class affects speed, never
 * results. */
#include "shard/dp/dp.h"

enum { MAX_TRIED = 4, SOME = 30, KEPT = 70 /* percent of the largest number of ops */ };

typedef struct {
    tsr_dp *dp;
    uint32_t *first; /* by value id: node of its first dimension */
    uint32_t *up;    /* by node */
    uint32_t *count; /* by class: number of values */
    uint32_t nvalue;
} classes;

int tsr_dp_annotation(const tsr_op *func, uint32_t arg)
{
    const tsr_attr *all = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_attr *dict = all && arg < all->n ? all->attrs[arg] : NULL;
    const tsr_attr *a = tsr_dict_get(dict, TSR_STR("ttcore.argument_type"));
    return tsr_attr_is_struct(a, &tsr_def_TTCORE_ARGUMENT_TYPE) ? (int)a->i : -1;
}

/* ---- Classes ---- */

static uint32_t find(classes *c, uint32_t n)
{
    while (c->up[n] != n) {
        c->up[n] = c->up[c->up[n]];
        n = c->up[n];
    }
    return n;
}

static void join(classes *c, uint32_t a, uint32_t b)
{
    a = find(c, a);
    b = find(c, b);
    /* the first one represents all, so that program order decides, not the order of joins */
    if (a < b)
        c->up[b] = a;
    else
        c->up[a] = b;
}

static uint32_t rank_of(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) ? v->type->n : 0;
}

static void join_values(classes *c, const tsr_value *a, const tsr_value *b)
{
    for (uint32_t d = 0; d < rank_of(a) && d < rank_of(b); d++)
        join(c, c->first[a->id] + d, c->first[b->id] + d);
}

/* Joins dimensions in which a factor comes first. */
static void join_op(classes *c, tsr_op *op, uint32_t **last, uint32_t *cap)
{
    const tsr_rule *r = tsr_dp_rule(c->dp, op);
    if (!r)
        return;
    if (r->nfactor > *cap) {
        *cap = 2 * r->nfactor;
        *last = TSR_NEW_ARRAY(c->dp->arena, uint32_t, *cap);
    }
    memset(*last, 0xff, r->nfactor * sizeof **last);
    for (uint32_t t = 0; t < op->nin + op->nout; t++) {
        const tsr_value *v = t < op->nin ? op->in[t].value : &op->out[t - op->nin];
        for (uint32_t d = 0; d < tsr_rule_rank(r, t); d++) {
            uint32_t f, node = c->first[v->id] + d;
            int64_t rest;
            if (!tsr_dp_major(r, op, t, d, &f, &rest))
                continue;
            if ((*last)[f] != UINT32_MAX)
                join(c, (*last)[f], node);
            (*last)[f] = node;
        }
    }
}

static void join_call(classes *c, tsr_op *op)
{
    tsr_op *func = tsr_symbol_resolve(op, op->attrs[FUNC_CALL_callee]);
    if (!func || !tsr_dp_can_plan(func))
        return;
    tsr_block *b = func->regions[0].first;
    for (uint32_t i = 0; i < op->nin && i < b->nargs; i++)
        join_values(c, op->in[i].value, b->args[i]);
    for (uint32_t i = 0; i < op->nout && i < b->last->nin; i++)
        join_values(c, &op->out[i], b->last->in[i].value);
}

/* Numbers the values of root and their nodes. */
static uint32_t number(classes *c, tsr_op *root)
{
    uint32_t n = 0;
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nout; i++) {
            c->first[op->out[i].id] = n;
            n += rank_of(&op->out[i]);
        }
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++) {
                    c->first[b->args[i]->id] = n;
                    n += rank_of(b->args[i]);
                }
    }
    return n;
}

static classes *classes_of(tsr_dp *dp)
{
    if (dp->classes)
        return dp->classes;
    classes *c = TSR_NEW(dp->arena, classes);
    dp->classes = c;
    c->dp = dp;
    c->nvalue = dp->module->nvalue;
    c->first = TSR_NEW_ARRAY(dp->arena, uint32_t, c->nvalue + 1);
    uint32_t n = number(c, dp->module->op), *last = NULL, cap = 0;
    c->up = tsr_arena_alloc(dp->arena, (n + 1) * sizeof *c->up);
    c->count = TSR_NEW_ARRAY(dp->arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        c->up[i] = i;
    TSR_OPS (dp->module->op, op) {
        if (tsr_op_is(op, TSR_OP_FUNC_CALL))
            join_call(c, op);
        else
            join_op(c, op, &last, &cap);
    }
    for (uint32_t i = 0; i < n; i++)
        c->count[find(c, i)]++;
    return c;
}

/* ---- Candidates ---- */

typedef struct {
    uint32_t root;     /* the class */
    uint32_t arg, dim; /* where it occurs first */
    uint32_t nargs;    /* number of arguments that have it */
    uint32_t nresults; /* returned values that have it */
    uint32_t nweights; /* parameters, constants and defaults that have it */
    int64_t size;
    const tsr_dp_plan *plan;
} candidate;

/* Whether argument i may be cut: an input, or an unmarked one (unless only inputs count). */
static bool counts(const tsr_op *func, uint32_t i, bool inputs)
{
    const tsr_value *arg = func->regions[0].first->args[i];
    int a = tsr_dp_annotation(func, i);
    return arg->uses && tsr_dp_may_cut(arg->type) && (a == TSR_TT_INPUT || (!inputs && a < 0));
}

/* Cuts the arguments of the class; those that do not divide are padded, or stay whole. True: some are cut. */
static bool parts_of(classes *c, const tsr_op *func, uint32_t root, bool pad, tsr_dp_part *args)
{
    tsr_block *b = func->regions[0].first;
    bool any = false;
    for (uint32_t i = 0; i < b->nargs; i++) {
        args[i] = tsr_dp_whole();
        for (uint32_t d = 0; counts(func, i, false) && d < b->args[i]->type->n; d++) {
            if (find(c, c->first[b->args[i]->id] + d) != root)
                continue;
            tsr_dp_part p = tsr_dp_cut(c->dp, b->args[i]->type, d);
            if (pad || p.size == p.real) {
                args[i] = p;
                any = true;
            }
            break;
        }
    }
    return any;
}

/* The classes of inputs that occur in the most values, at most MAX_TRIED. */
static uint32_t collect(classes *c, const tsr_op *func, candidate *out)
{
    tsr_block *b = func->regions[0].first;
    bool inputs = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->nargs; i++)
        inputs |= counts(func, i, true);
    for (uint32_t i = 0; i < b->nargs; i++)
        for (uint32_t d = 0; counts(func, i, inputs) && d < b->args[i]->type->n; d++) {
            candidate fresh = {.root = find(c, c->first[b->args[i]->id] + d),
                               .arg = i,
                               .dim = d,
                               .nargs = 1,
                               .size = b->args[i]->type->dims[d]};
            uint32_t k = 0;
            while (k < n && out[k].root != fresh.root)
                k++;
            if (k < n) {
                out[k].nargs++;
                continue;
            }
            for (k = n < MAX_TRIED ? n++ : n; k > 0; k--) { /* the most common one first */
                if (c->count[out[k - 1].root] >= c->count[fresh.root])
                    break;
                if (k < MAX_TRIED)
                    out[k] = out[k - 1];
            }
            if (k < MAX_TRIED)
                out[k] = fresh;
        }
    return n;
}

/* Compares two that run about as many ops in parts: prefers one that is not mixed, with several samples, in more
 * results, further out, in fewer arguments. */
static bool better(const candidate *a, const candidate *b)
{
    bool mixed = a->plan->gathers + a->plan->joins > 0;
    if (mixed != (b->plan->gathers + b->plan->joins > 0))
        return !mixed;
    if ((a->size > 1) != (b->size > 1))
        return a->size > 1;
    if (a->nresults != b->nresults)
        return a->nresults > b->nresults;
    if (a->dim != b->dim)
        return a->dim < b->dim;
    if (a->nargs != b->nargs)
        return a->nargs < b->nargs;
    return a->plan->passes > b->plan->passes;
}

/* One sample: the dimensions before the mixed one have one element each. */
static bool is_one_sample(const candidate *c, const tsr_type *type)
{
    for (uint32_t d = 0; d < c->dim; d++)
        if (type->dims[d] != 1)
            return false;
    return c->dim > 0 && c->plan->gathers > 0;
}

static bool has_class(classes *c, const tsr_value *v, uint32_t root)
{
    for (uint32_t d = 0; d < rank_of(v); d++)
        if (find(c, c->first[v->id] + d) == root)
            return true;
    return false;
}

/* Counts other arguments and results of the class. */
static void count_others(classes *c, const tsr_op *func, candidate *of)
{
    const tsr_block *b = func->regions[0].first;
    const tsr_op *end = b->last;
    for (uint32_t i = 0; i < b->nargs; i++)
        of->nweights +=
            tsr_dp_annotation(func, i) > TSR_TT_INPUT && has_class(c, b->args[i], of->root);
    for (uint32_t i = 0; i < end->nin; i++)
        of->nresults += has_class(c, end->in[i].value, of->root);
}

/* Whether a runs at least this percentage of n ops in parts. */
static bool runs(const candidate *a, uint32_t percent, uint32_t n)
{
    return (uint64_t)a->plan->passes * 100 >= (uint64_t)n * percent;
}

static const candidate *choose(classes *c, tsr_op *func, candidate *tried, uint32_t n,
                               tsr_dp_part *args)
{
    uint32_t most = 0, least = UINT32_MAX, most_of_least = 0;
    const candidate *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        parts_of(c, func, tried[i].root, true, args);
        count_others(c, func, &tried[i]);
        tried[i].plan = tsr_dp_plan_func(c->dp, func, args);
        most = tried[i].plan->passes > most ? tried[i].plan->passes : most;
    }
    for (uint32_t i = 0; i < n; i++) /* a batch does not occur in weights */
        if (runs(&tried[i], SOME, most) && tried[i].nweights < least)
            least = tried[i].nweights;
    for (uint32_t i = 0; i < n; i++)
        if (tried[i].nweights == least && tried[i].plan->passes > most_of_least)
            most_of_least = tried[i].plan->passes;
    for (uint32_t i = 0; i < n; i++)
        if (tried[i].nweights == least && runs(&tried[i], KEPT, most_of_least) &&
            (!best || better(&tried[i], best)))
            best = &tried[i];
    return best;
}

bool tsr_dp_find_batch(tsr_dp *dp, tsr_op *func, tsr_dp_part *args)
{
    classes *c = classes_of(dp);
    tsr_block *b = func->regions[0].first;
    candidate tried[MAX_TRIED];
    uint32_t n = collect(c, func, tried);
    const candidate *best = choose(c, func, tried, n, args);
    for (uint32_t i = 0; i < b->nargs; i++)
        args[i] = tsr_dp_whole();
    if (!best || dp->devices == 1)
        return true;
    candidate one = *best;
    if (is_one_sample(best, b->args[best->arg]->type)) {
        one.dim = 0;
        one.size = 1;
        one.root = find(c, c->first[b->args[one.arg]->id]);
    }
    if (parts_of(c, func, one.root, dp->pad, args))
        return true;
    tsr_emit(dp->ctx, TSR_ERROR, b->arg_locs[one.arg] ? b->arg_locs[one.arg] : func->loc,
             "batch dimension %u of size %lld of argument %u cannot be divided by %lld devices",
             one.dim, (long long)one.size, one.arg, (long long)dp->devices);
    tsr_note(dp->ctx, func->loc, "with the option pad-batch it is filled up to a multiple");
    return false;
}
