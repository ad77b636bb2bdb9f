/* auto_find.c - candidates of the search for shardings: the solver's, the experts', and single changes of good ones. */
#include "api/auto_try.h"

#include <math.h>

static tsr_str keep_text(const tsr_chooser *c, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(c->arena, text->data ? text->data : "", text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* ---- Candidates ---- */

static void add_expert(tsr_chooser *c, const tsr_tactic *tactics)
{
    tsr_tactic_plan plan;
    tsr_buf name = {0};
    if (!tsr_tactics_plan(c->arena, c->classes, c->mesh, tactics, &plan))
        return;
    for (uint32_t a = 0; a < c->mesh->n; a++) {
        tsr_buf_cstr(&name, a ? ", " : "");
        tsr_search_axis_text(&name, c->mesh, a);
        tsr_buf_cstr(&name, ": ");
        tsr_buf_cstr(&name, tsr_tactic_name(tactics[a]));
    }
    tsr_auto_consider(c, (tsr_auto_plan){.name = keep_text(c, &name),
                                         .origin = TSR_AUTO_EXPERT,
                                         .args = plan.args,
                                         .pins = plan.pins,
                                         .npin = plan.npin});
}

/* A tactic on each axis; on the innermost ones those that talk the most. */
static void try_tactics(tsr_chooser *c, tsr_tactic *tactics, uint32_t axis)
{
    if (axis == c->mesh->n) {
        if (c->budget > 0 && tsr_auto_time_is_left(c))
            add_expert(c, tactics);
        return;
    }
    for (int t = TSR_TACTIC_NONE + 1; t < TSR_NTACTIC; t++) {
        tactics[axis] = (tsr_tactic)t;
        if (tsr_tactic_applies(c->classes, (tsr_tactic)t))
            try_tactics(c, tactics, axis + 1);
    }
}

void tsr_auto_try_experts(tsr_chooser *c)
{
    tsr_tactic tactics[TSR_SEARCH_AXES] = {0};
    try_tactics(c, tactics, 0);
}

bool *tsr_auto_given(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_layout **out)
{
    uint32_t n = stage->func->regions[0].first->nargs;
    bool *is_given = TSR_NEW_ARRAY(c->arena, bool, n + 1);
    tsr_shardings table;
    *out = TSR_NEW_ARRAY(c->arena, tsr_layout, n + 1);
    tsr_shardings_init(&table, c->arena, stage->module->op);
    for (uint32_t i = 0; i < n; i++) {
        tsr_attr *given = c->given[stage->folded.func ? stage->folded.arg_from[i] : i];
        const tsr_sharding *s = given ? tsr_sharding_decode(&table, given) : NULL;
        is_given[i] = s != NULL;
        for (uint32_t d = 0; s && d < s->rank; d++)
            for (uint32_t k = 0; k < s->dims[d].axes->n; k++)
                for (uint32_t a = 0; a < c->mesh->n; a++)
                    if (tsr_search_axis_in(c->mesh, a, s->dims[d].axes->data[k]))
                        (*out)[i].at[a] = (uint8_t)(d + 1);
    }
    tsr_shardings_free(&table);
    return is_given;
}

/* The pins of a function with few layers as those of the whole. */
static void unfold_pins(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_layout_pin **pins,
                        uint32_t *n)
{
    TSR_VEC(tsr_layout_pin) all = {0};
    uint32_t *first = TSR_NEW_ARRAY(c->arena, uint32_t, stage->func->module->nop + 1);
    for (uint32_t i = *n; i-- > 0;)
        first[(*pins)[i].op] = i + 1;
    TSR_OPS (c->whole.func, op) {
        uint32_t to = op == c->whole.func ? 0 : stage->folded.op_to[op->id], i = to ? first[to] : 0;
        for (; i && i <= *n && (*pins)[i - 1].op == to; i++) {
            tsr_layout_pin pin = (*pins)[i - 1];
            pin.op = op->id;
            tsr_vec_push(&all, pin);
        }
    }
    *pins = tsr_arena_copy(c->arena, all.data, all.n * sizeof *all.data);
    *n = (uint32_t)all.n;
    tsr_vec_free(&all);
}

/* An answer for few layers as one for all of them. */
static void unfold(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_sharding_answer *a)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    if (!stage->folded.func)
        return;
    tsr_layout *args = TSR_NEW_ARRAY(c->arena, tsr_layout, body->nargs + 1);
    for (uint32_t i = 0; i < body->nargs; i++)
        args[i] = a->args[stage->folded.arg_to[i]];
    a->args = args;
    unfold_pins(c, stage, &a->products, &a->nproduct);
    unfold_pins(c, stage, &a->all, &a->nall);
}

/* What the solver says: of arguments alone, with what it says of products, and all of it. */
static void consider_answer(tsr_chooser *c, const tsr_sharding_answer *answer, const char *name)
{
    const struct {
        const char *more;
        tsr_layout_pin *pins;
        uint32_t npin;
    } ways[] = {{"", NULL, 0},
                {", with products", answer->products, answer->nproduct},
                {", with all ops", answer->all, answer->nall}};
    for (size_t i = 0; i < TSR_COUNT(ways); i++) {
        tsr_buf text = {0};
        tsr_buf_cstr(&text, name);
        for (uint32_t a = 1; a < c->mesh->n; a++)
            if (c->mesh->more[a]) {
                tsr_buf_cstr(&text, ", with parts of ");
                tsr_buf_str(&text, c->mesh->names[a]);
            }
        tsr_buf_cstr(&text, c->mesh->pads ? ", with padding" : "");
        tsr_buf_cstr(&text, ways[i].more);
        tsr_auto_consider(c, (tsr_auto_plan){.origin = TSR_AUTO_SEARCH,
                                             .name = keep_text(c, &text),
                                             .args = answer->args,
                                             .pins = ways[i].pins,
                                             .npin = ways[i].npin});
    }
}

void tsr_auto_try_search(tsr_chooser *c)
{
    const tsr_auto_stage *stage = c->nsmall ? &c->small[0] : &c->whole;
    tsr_sharding_answer answer;
    tsr_layout *given;
    bool *is_given = tsr_auto_given(c, stage, &given);
    tsr_sharding_request r = {.func = stage->func,
                              .mesh = c->mesh,
                              .device = c->request->device,
                              .limit = c->out->limit,
                              .given = given,
                              .is_given = is_given,
                              .tie = stage->tie,
                              .op_times = stage->folded.op_times,
                              .arg_times = stage->folded.arg_times,
                              .until = stage->folded.until,
                              .seed = 1};
    /* Once as if computing hides little communication, once as if it hides most of it; without a limit where that finds nothing. */
    static const struct {
        double hidden;
        bool limited;
        const char *name;
    } ways[] = {{0.3, true, "search"},
                {0.9, true, "search, communication hidden"},
                {0.9, false, "search, communication hidden, without a limit"},
                {0.3, false, "search, without a limit"}};
    bool feasible = false;
    for (size_t i = 0; i < TSR_COUNT(ways) && tsr_auto_time_is_left(c); i++) {
        if (!ways[i].limited && feasible)
            return;
        r.limit = ways[i].limited ? c->out->limit : INFINITY;
        r.hidden = ways[i].hidden;
        if (!tsr_sharding_search(c->arena, &r, &answer))
            return;
        feasible |= answer.feasible;
        c->out->nnode = answer.nnode;
        c->out->nedge = answer.nedge;
        c->out->nsolve++;
        c->out->solver_seconds = fmax(c->out->solver_seconds, answer.seconds);
        if (!i && !c->at && answer.feasible && answer.bound > 0)
            c->out->bound_ratio = answer.cost / answer.bound;
        unfold(c, stage, &answer);
        consider_answer(c, &answer, ways[i].name);
    }
}

/* Arguments of one type that the same kind of op reads are changed together. */
static bool same_group(const tsr_value *a, const tsr_value *b)
{
    const tsr_use *ua = a->uses, *ub = b->uses;
    return a->type == b->type && !ua == !ub && (!ua || ua->user->def == ub->user->def);
}

/* Tries a plan with the layouts of some arguments changed. */
static uint32_t consider_change(tsr_chooser *c, const tsr_auto_plan *from, tsr_layout *args)
{
    tsr_auto_plan plan = *from;
    plan.args = args;
    plan.origin = TSR_AUTO_FLIP;
    if (from->origin != TSR_AUTO_FLIP) {
        tsr_buf name = {0};
        tsr_buf_str(&name, from->name);
        tsr_buf_cstr(&name, "; improved");
        plan.name = keep_text(c, &name);
    }
    return tsr_auto_consider(c, plan);
}

static tsr_layout *copy_args(const tsr_chooser *c, const tsr_auto_plan *from)
{
    return tsr_arena_copy(c->arena, from->args,
                          c->whole.func->regions[0].first->nargs * sizeof *from->args);
}

/* The plan with one change, where it is another: its number, or UINT32_MAX. */
static uint32_t flip_group(tsr_chooser *c, const tsr_auto_plan *from, uint32_t first, uint32_t axis,
                           uint32_t dim)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    const tsr_type *type = body->args[first]->type;
    tsr_layout l = from->args[first];
    if (l.at[axis] == dim)
        return UINT32_MAX;
    l.at[axis] = (uint8_t)dim;
    if (dim &&
        (!type->dims[dim - 1] || type->dims[dim - 1] % tsr_layout_parts_of(c->mesh, l, dim - 1)))
        return UINT32_MAX;
    tsr_layout *args = copy_args(c, from);
    for (uint32_t i = first; i < body->nargs; i++)
        if (same_group(body->args[i], body->args[first]) &&
            tsr_layout_eq(from->args[i], from->args[first]))
            args[i] = l;
    return consider_change(c, from, args);
}

/* State of a training step is cut along one more axis, at once: what it leads to. */
static uint32_t try_state(tsr_chooser *c, uint32_t from)
{
    for (uint32_t a = c->mesh->n; a-- > 0;)
        for (int all = 0; all < 2 && tsr_auto_time_is_left(c); all++) {
            tsr_auto_plan now = c->out->plans.data[from];
            tsr_layout *args = copy_args(c, &now);
            tsr_classes_cut_state(c->classes, c->mesh, a, all, args);
            uint32_t got = consider_change(c, &now, args);
            if (got != UINT32_MAX && tsr_auto_is_better(c->out, &c->out->plans.data[got], &now))
                from = got;
        }
    return from;
}

/* One change at a time, from a plan on, as long as one helps. */
static void try_flips(tsr_chooser *c, uint32_t from)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    from = try_state(c, from);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < body->nargs; i++) {
            bool first = tsr_type_is(body->args[i]->type, TSR_TYPE_TENSOR) && !c->given[i] &&
                         tsr_type_has_static_shape(body->args[i]->type);
            for (uint32_t k = 0; k < i && first; k++)
                first = !same_group(body->args[k], body->args[i]) ||
                        !tsr_layout_eq(c->out->plans.data[from].args[k],
                                       c->out->plans.data[from].args[i]);
            for (uint32_t a = 0; first && a < c->mesh->n; a++)
                for (uint32_t d = 0; d <= body->args[i]->type->n; d++) {
                    if (c->budget <= 0 || !tsr_auto_time_is_left(c))
                        return;
                    tsr_auto_plan now = c->out->plans.data[from];
                    uint32_t got = flip_group(c, &now, i, a, d);
                    if (got != UINT32_MAX &&
                        tsr_auto_is_better(c->out, &c->out->plans.data[got], &now)) {
                        from = got;
                        again = true;
                    }
                }
        }
    }
}

/* The fastest plan that nearly fits: a change or two may make it fit. */
static uint32_t nearly(const tsr_chooser *c)
{
    const tsr_auto_result *r = c->out;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        if (p->mesh == c->at && p->works && !tsr_auto_fits(r, p) && p->peak < 1.3 * r->limit &&
            p->seconds < r->plans.data[r->best].seconds &&
            (best == UINT32_MAX || p->peak < r->plans.data[best].peak))
            best = i;
    }
    return best;
}

void tsr_auto_try_changes(tsr_chooser *c)
{
    int64_t left = c->budget < 16 ? 16 : c->budget;
    uint32_t close = nearly(c);
    c->budget = left;
    if (close != UINT32_MAX)
        try_flips(c, close);
    c->budget = left;
    if (c->out->plans.data[c->out->best].mesh == c->at)
        try_flips(c, c->out->best);
}
