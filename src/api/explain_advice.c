/* SPDX-License-Identifier: Apache-2.0 */
/* explain_advice.c - which sharding to change. What the user wrote is changed in turn: a sharding of an argument, a result
 * or a constraint is opened, so that propagation decides, and what it decides is then written there; if that saves
 * nothing, one axis on one dimension is tried. For the dearest collectives the value that they are for is tried in the
 * same way. Each trial partitions and simulates a copy, and only what makes a step shorter and communicates less is
 * kept. */
#include "api/explain.h"

#include "api/eval.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "text/text.h"

enum {
    MOST_TRIALS = 160,
    DEAREST = 4, /* collectives whose values get a sharding */
    MOST_OPS =
        400000, /* ops that are partitioned in all trials together: large programs get fewer */
    FEWEST_TRIALS = 12,
};
/* A saving must be of so many parts of a step. */
static const double least_saving = 0.005;

#define MARK TSR_STR("tessera.explain")

typedef TSR_VEC(tsr_advice) sites;

/* ---- Sites ---- */

/* The op of this number in program order. */
static tsr_op *op_at(tsr_module *m, uint32_t at)
{
    uint32_t n = 0;
    TSR_OPS (m->op, op)
        if (n++ == at)
            return op;
    return NULL;
}

/* The place that calls the function that the location is in; empty: it is not known. */
static tsr_str caller_of(const tsr_explain *x, tsr_loc loc)
{
    const tsr_attr *a = tsr_loc_attr(x->m->ctx, loc);
    tsr_buf text = {0};
    while (tsr_attr_is(a, TSR_ATTR_LOC) && a->sub == TSR_LOC_KIND_NAME)
        a = a->attrs[0];
    if (tsr_attr_is(a, TSR_ATTR_LOC) && a->sub == TSR_LOC_KIND_CALLSITE)
        tsr_loc_place(&text, x->m->ctx, tsr_loc_of_attr(a->attrs[1]), true);
    return tsr_explain_keep(x->arena, &text);
}

/* Whether the op is the constraint of this site: one line of code makes several ops, for the gradient, or in copies. */
static bool is_at(const tsr_explain *x, const tsr_advice *a, const tsr_op *op)
{
    tsr_buf place = {0};
    if (!tsr_has_role(op, TSR_ROLE_CONSTRAINT) || op->nout != 1 || op->out[0].type != a->type ||
        tsr_sdy_own_sharding(op) != a->before)
        return false;
    bool same = tsr_loc_place(&place, x->m->ctx, op->loc, true) &&
                tsr_str_eq(tsr_buf_text(&place), a->place) &&
                tsr_str_eq(caller_of(x, op->loc), a->from);
    tsr_buf_free(&place);
    return same;
}

static tsr_attr *sharding_at(tsr_module *m, const tsr_explain *x, const tsr_advice *a)
{
    tsr_op *func = (tsr_op *)tsr_entry_find(m, x->request->function, NULL);
    if (a->kind == TSR_ADVISE_ARG)
        return tsr_sdy_arg_sharding(func, a->at);
    if (a->kind == TSR_ADVISE_RESULT)
        return tsr_sdy_result_sharding(func, a->at);
    const tsr_op *op = op_at(m, a->at);
    return op && op->nout ? tsr_sdy_sharding_of(&op->out[0]) : NULL;
}

static void set_at(tsr_module *m, const tsr_explain *x, const tsr_advice *a, tsr_attr *sharding)
{
    tsr_op *func = (tsr_op *)tsr_entry_find(m, x->request->function, NULL);
    tsr_op *op = a->kind >= TSR_ADVISE_CONSTRAINT ? op_at(m, a->at) : NULL;
    m->verified = false;
    if (a->kind == TSR_ADVISE_ARG)
        tsr_sdy_set_sharding(func->regions[0].first->args[a->at], sharding);
    else if (a->kind == TSR_ADVISE_RESULT)
        tsr_sdy_set_result_sharding(func, a->at, sharding);
    else if (a->kind == TSR_ADVISE_CONSTRAINT)
        TSR_OPS (m->op, each)
            if (each == op || is_at(x, a, each)) {
                tsr_sdy_set_sharding(&each->out[0], sharding);
                tsr_op_set_attr(each, MARK, tsr_attr_unit(m->ctx));
            }
    if (!op || a->kind == TSR_ADVISE_CONSTRAINT)
        return;
    /* A constraint of its own behind the op. */
    tsr_value *in = &op->out[0];
    tsr_op *made = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_SDY_SHARDING_CONSTRAINT), op->loc, &in,
                              1, &in->type, 1, 0, 0);
    tsr_op_insert(made, op->block, op->next);
    tsr_value_replace(in, &made->out[0]);
    tsr_op_set_operand(made, 0, in);
    made->attrs[SDY_SHARDING_CONSTRAINT_sharding] = sharding;
    tsr_op_set_attr(made, MARK, tsr_attr_unit(m->ctx));
}

void tsr_explain_apply(tsr_module *m, const tsr_explain *x, const tsr_advice *a)
{
    set_at(m, x, a, a->after);
    TSR_OPS (m->op, op)
        if (op->extra && tsr_dict_get(op->extra, MARK))
            tsr_op_set_attr(op, MARK, NULL);
}

static void add_site(const tsr_explain *x, sites *out, tsr_advice_kind kind, uint32_t at,
                     tsr_type *type, tsr_loc loc, tsr_str name)
{
    tsr_advice a = {.kind = kind, .at = at, .type = type, .name = name};
    tsr_buf text = {0};
    if (!tsr_type_has_static_shape(type) || !type->n)
        return;
    if (tsr_loc_place(&text, x->m->ctx, loc, true))
        a.place = tsr_explain_keep(x->arena, &text);
    if (kind == TSR_ADVISE_CONSTRAINT)
        a.caller = a.from = caller_of(x, loc);
    a.before = sharding_at(x->m, x, &a);
    tsr_vec_push(out, a);
}

/* What the user wrote: constraints first, since a line of code says where they are. */
static void add_written(const tsr_explain *x, tsr_op *func, sites *out)
{
    uint32_t at = 0;
    TSR_OPS (x->m->op, op) {
        bool known = false;
        for (size_t i = 0; i < out->n && !known; i++)
            known = out->data[i].place.len && is_at(x, &out->data[i], op);
        if (tsr_has_role(op, TSR_ROLE_CONSTRAINT) && op->nout == 1 && !known) {
            tsr_buf text = {0};
            tsr_loc_name(&text, op->loc);
            add_site(x, out, TSR_ADVISE_CONSTRAINT, at, op->out[0].type, op->loc,
                     tsr_explain_keep(x->arena, &text));
        }
        at++;
    }
    const tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++)
        add_site(x, out, TSR_ADVISE_ARG, i, body->args[i]->type, body->arg_locs[i],
                 tsr_value_known_as(x->arena, body->args[i]));
    const tsr_type *type = tsr_entry_type(func);
    for (uint32_t i = 0; i < type->nout; i++)
        if (tsr_sdy_result_sharding(func, i))
            add_site(x, out, TSR_ADVISE_RESULT, i, type->types[type->n + i], TSR_LOC_UNKNOWN,
                     tsr_result_known_as(x->arena, func, i));
}

/* Callers are told only of sites that have one place. */
static void drop_callers(sites *all)
{
    for (size_t i = 0; i < all->n; i++) {
        bool alone = true;
        for (size_t k = 0; k < all->n && alone; k++)
            alone = k == i || !tsr_str_eq(all->data[k].place, all->data[i].place);
        if (alone)
            all->data[i].caller.len = 0;
    }
}

/* The op that a collective serves, by place and name: its result gets a sharding. */
static void add_value(const tsr_explain *x, const tsr_explain_row *row, sites *out)
{
    uint32_t at = 0;
    TSR_OPS (x->m->op, op) {
        tsr_buf place = {0}, name = {0};
        bool same = op->nout == 1 && !tsr_has_role(op, TSR_ROLE_CONSTRAINT) && row->place.len &&
                    tsr_loc_place(&place, x->m->ctx, op->loc, true) &&
                    tsr_str_eq(tsr_buf_text(&place), row->place);
        if (same && row->name.len)
            same = tsr_loc_name(&name, op->loc) && tsr_str_eq(tsr_buf_text(&name), row->name);
        if (same) {
            add_site(x, out, TSR_ADVISE_VALUE, at, op->out[0].type, op->loc,
                     tsr_explain_keep(x->arena, &name));
        }
        tsr_buf_free(&place);
        tsr_buf_free(&name);
        at++;
    }
}

/* ---- Trials ---- */

/* What propagation decided where the mark is, or at the function's arguments and results; closed, without priorities. */
static tsr_attr *decided(tsr_module *m, const tsr_explain *x, const tsr_advice *a)
{
    tsr_attr *s = NULL;
    if (a->kind == TSR_ADVISE_ARG || a->kind == TSR_ADVISE_RESULT) {
        s = sharding_at(m, x, a);
    } else {
        TSR_OPS (m->op, op)
            if (op->extra && tsr_dict_get(op->extra, MARK) && op->nout)
                s = tsr_sdy_sharding_of(&op->out[0]);
    }
    if (!tsr_sdy_is_sharding(s))
        return NULL;
    tsr_ctx *ctx = m->ctx;
    const tsr_attr *dims = tsr_sdy_dims(s);
    tsr_attr **closed = TSR_NEW_ARRAY(x->arena, tsr_attr *, dims->n + 1);
    for (uint32_t d = 0; d < dims->n; d++)
        closed[d] =
            tsr_sdy_dim(ctx, (tsr_attr *)tsr_sdy_dim_axes(s, d), tsr_attr_bool(ctx, true), NULL);
    tsr_attr *none = tsr_attr_array(ctx, NULL, 0);
    return tsr_sdy_make(ctx, s->attrs[SDY_SHARDING_mesh], tsr_attr_array(ctx, closed, dims->n),
                        none, none, NULL);
}

/* Partitions and simulates a copy with this sharding. A trial that fails says nothing. */
static bool try_it(tsr_explain *x, tsr_advice *a, tsr_attr *sharding, tsr_explain_found *out)
{
    tsr_ctx *ctx = x->m->ctx;
    tsr_status status = {0};
    bool quiet = ctx->quiet;
    uint32_t errors = ctx->nerror;
    tsr_module *copy = tsr_module_copy_borrowed(x->m);
    ctx->quiet = true;
    x->tried++;
    set_at(copy, x, a, sharding);
    bool ok = tsr_explain_measure(x, copy, out, &status);
    tsr_module_free(copy);
    ctx->quiet = quiet;
    ctx->nerror = errors;
    return ok;
}

/* What propagation makes of the site when it may decide; NULL: nothing. */
static tsr_attr *propagated(tsr_explain *x, tsr_advice *a, tsr_attr *open)
{
    tsr_ctx *ctx = x->m->ctx;
    bool quiet = ctx->quiet;
    uint32_t errors = ctx->nerror;
    tsr_status status = {0};
    tsr_module *copy = tsr_module_copy_borrowed(x->m);
    ctx->quiet = true;
    set_at(copy, x, a, open);
    bool ok = tsr_shard_propagate(copy, x->request->function, &status);
    tsr_attr *s = ok ? decided(copy, x, a) : NULL;
    tsr_module_free(copy);
    ctx->quiet = quiet;
    ctx->nerror = errors;
    return s;
}

static bool saves(const tsr_explain_found *base, double step, double talking)
{
    return base->step - step > least_saving * base->step && talking < base->talking;
}

/* The rows of the base that the trial lacks, or has for less. */
static void note_gone(tsr_explain *x, tsr_advice *a, const tsr_explain_found *f)
{
    a->rows.n = 0;
    for (size_t i = 0; i < x->base.rows.n; i++) {
        const tsr_explain_row *old = &x->base.rows.data[i];
        double left = 0;
        for (size_t k = 0; k < f->rows.n; k++)
            if (tsr_str_eq(f->rows.data[k].kind, old->kind) &&
                tsr_str_eq(f->rows.data[k].place, old->place) &&
                tsr_str_eq(f->rows.data[k].name, old->name))
                left += f->rows.data[k].seconds;
        if (left < 0.9 * old->seconds)
            tsr_vec_push(&a->rows, (uint32_t)i);
    }
}

/* Keeps the trial if it is the site's best. */
static void consider(tsr_explain *x, tsr_advice *a, tsr_attr *sharding)
{
    tsr_explain_found f;
    if (sharding == a->before || !try_it(x, a, sharding, &f))
        return;
    bool better = saves(&x->base, f.step, f.talking) && (!a->after || f.step < a->step);
    if (better) {
        a->after = sharding;
        a->step = f.step;
        a->talking = f.talking;
        a->moved = f.moved;
        a->peak = f.peak;
        a->ncollective = f.ncollective;
        note_gone(x, a, &f);
    }
    tsr_explain_found_free(&f);
}

/* ---- Shardings to try ---- */

/* One axis on one dimension that it divides; the others as they are without it. */
static void try_axes(tsr_explain *x, tsr_advice *a, const tsr_attr *mesh, tsr_attr *ref,
                     uint32_t most)
{
    tsr_ctx *ctx = x->m->ctx;
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    tsr_attr *none = tsr_attr_array(ctx, NULL, 0);
    tsr_attr *empty = tsr_sdy_dim(ctx, none, tsr_attr_bool(ctx, true), NULL);
    tsr_attr **dims = TSR_NEW_ARRAY(x->arena, tsr_attr *, a->type->n + 1);
    for (uint32_t k = 0; k < axes->n; k++) {
        tsr_attr *params[] = {axes->attrs[k]->attrs[0], NULL};
        tsr_attr *axis = tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF, params);
        tsr_attr *cut =
            tsr_sdy_dim(ctx, tsr_attr_array(ctx, &axis, 1), tsr_attr_bool(ctx, true), NULL);
        for (uint32_t d = 0; d < a->type->n && x->tried < most; d++) {
            if (a->type->dims[d] % axes->attrs[k]->attrs[1]->i)
                continue;
            for (uint32_t e = 0; e < a->type->n; e++)
                dims[e] = e == d ? cut : empty;
            consider(
                x, a,
                tsr_sdy_make(ctx, ref, tsr_attr_array(ctx, dims, a->type->n), none, none, NULL));
        }
    }
}

static bool has_axes(const tsr_attr *mesh)
{
    return mesh && !tsr_sdy_mesh_is_maximal(mesh) && !tsr_sdy_mesh_is_empty(mesh);
}

/* The mesh that shardings of the program refer to; NULL: none. */
static tsr_attr *mesh_ref(tsr_explain *x, const tsr_advice *a)
{
    if (a->before)
        return a->before->attrs[SDY_SHARDING_mesh];
    TSR_BLOCK_OPS (x->m->op->regions[0].first, op)
        if (tsr_has_role(op, TSR_ROLE_MESH))
            return tsr_attr_symbol(x->m->ctx, tsr_op_symbol(op), NULL, 0);
    return NULL;
}

static void try_site(tsr_explain *x, tsr_advice *a, bool axes, uint32_t most)
{
    tsr_attr *ref = mesh_ref(x, a);
    if (!ref)
        return;
    tsr_attr *open = tsr_sdy_open(x->m->ctx, ref, a->type->n);
    const tsr_attr *mesh = tsr_sdy_mesh_of(x->m->op->regions[0].first->first, open);
    if (!has_axes(mesh))
        return;
    if (!axes) {
        x->tried += a->before != NULL; /* to propagate is half of a trial's work */
        tsr_attr *s = a->before ? propagated(x, a, open) : NULL;
        if (s)
            consider(x, a, s);
        return;
    }
    try_axes(x, a, mesh, ref, most);
}

/* ---- All of it ---- */

/* Whether the value only goes to the function's caller. */
static bool only_returned(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next) {
        const tsr_op *owner = tsr_block_parent(u->user->block);
        if (!tsr_op_has(u->user, TSR_TRAIT(RETURN_LIKE)) || !owner ||
            !tsr_op_has(owner, TSR_TRAIT(FUNCTION)))
            return false;
    }
    return v->uses != NULL;
}

static bool is_elsewhere(const tsr_explain *x, const tsr_advice *a)
{
    if (a->kind == TSR_ADVISE_RESULT || (double)a->peak > 1.001 * (double)x->base.peak)
        return true;
    const tsr_op *op = a->kind == TSR_ADVISE_ARG ? NULL : op_at(x->m, a->at);
    return op && only_returned(&op->out[0]);
}

/* What others pay for comes after the rest. */
static int by_saving(const void *p, const void *q)
{
    const tsr_advice *a = p, *b = q;
    if (a->elsewhere != b->elsewhere)
        return a->elsewhere ? 1 : -1;
    if (a->step != b->step)
        return a->step > b->step ? 1 : -1;
    return a->kind != b->kind ? (int)a->kind - (int)b->kind : (int)a->at - (int)b->at;
}

/* Whether the same was advised for the same place: for another op of the line. */
static bool is_known(const tsr_explain *x, const tsr_advice *a)
{
    for (size_t i = 0; i < x->advice.n; i++) {
        const tsr_advice *b = &x->advice.data[i];
        if (a->kind == TSR_ADVISE_VALUE && b->kind == a->kind && a->after == b->after &&
            tsr_str_eq(a->place, b->place))
            return true;
    }
    return false;
}

static uint32_t trials(const tsr_explain *x)
{
    uint32_t n = 1;
    TSR_OPS (x->m->op, op)
        n++;
    if (x->most_ops)
        return x->most_ops / n < MOST_TRIALS ? x->most_ops / n : MOST_TRIALS;
    uint32_t most = MOST_OPS / n;
    return most > MOST_TRIALS ? MOST_TRIALS : most < FEWEST_TRIALS ? FEWEST_TRIALS : most;
}

bool tsr_explain_advise(tsr_explain *x, tsr_status *status)
{
    sites all = {0};
    if (!x->base.rows.n)
        return true;
    tsr_op *func = (tsr_op *)tsr_entry_find(x->m, x->request->function, status);
    uint32_t most = trials(x);
    add_written(x, func, &all);
    drop_callers(&all);
    for (size_t i = 0; i < all.n && x->tried < most; i++)
        try_site(x, &all.data[i], false, most);
    bool found = false;
    for (size_t i = 0; i < all.n; i++)
        found |= all.data[i].after != NULL;
    size_t written = all.n;
    for (size_t i = 0; i < x->base.rows.n && i < DEAREST; i++)
        add_value(x, &x->base.rows.data[i], &all);
    for (size_t i = found ? written : 0; i < all.n && x->tried < most; i++)
        try_site(x, &all.data[i], true, most);
    for (size_t i = 0; i < all.n; i++)
        if (all.data[i].after && !is_known(x, &all.data[i])) {
            all.data[i].elsewhere = is_elsewhere(x, &all.data[i]);
            tsr_vec_push(&x->advice, all.data[i]);
        } else {
            tsr_vec_free(&all.data[i].rows);
        }
    tsr_vec_free(&all);
    if (x->advice.n)
        qsort(x->advice.data, x->advice.n, sizeof *x->advice.data, by_saving);
    return true;
}
