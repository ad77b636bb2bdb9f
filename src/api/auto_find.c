/* SPDX-License-Identifier: Apache-2.0 */
/* auto_find.c - candidates of the search for shardings: those of the solver, those of the experts, and single changes
 * of good ones. */
#include "api/auto_try.h"

#include <math.h>

static tsr_str keep_text(const tsr_chooser *c, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(c->arena, text->data ? text->data : "", text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* ---- Names of axes ---- */

tsr_search_mesh tsr_auto_mesh_of(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    tsr_search_mesh mesh = r->meshes.data[p->mesh];
    if (p->axes[0].len)
        memcpy(mesh.names, p->axes, sizeof mesh.names);
    return mesh;
}

/* The second axis of a name gets a number. */
static tsr_str unlike(const tsr_chooser *c, const tsr_str *names, uint32_t n, const char *name)
{
    uint32_t times = 1;
    for (uint32_t a = 0; a < n; a++)
        times += !c->mesh->more[a] && tsr_str_starts(names[a], name);
    tsr_buf text = {0};
    tsr_buf_cstr(&text, name);
    if (times > 1)
        tsr_buf_uint(&text, times);
    return keep_text(c, &text);
}

void tsr_auto_name_axes(const tsr_chooser *c, const tsr_layout *args, tsr_str *names)
{
    for (uint32_t a = 0; a < c->mesh->n; a++) {
        const char *name = c->out->unnamed ? tsr_classes_axis_name(c->classes, a, args) : NULL;
        names[a] = c->mesh->more[a] ? names[a - 1]
                   : name           ? unlike(c, names, a, name)
                                    : c->mesh->names[a];
    }
}

/* ---- Candidates ---- */

enum { WAVE = 16, CHANGES = 4, SELECTED = 8 }; /* tried at once, with any number of threads */

typedef struct {
    tsr_tactic tactics[TSR_SEARCH_AXES];
    double promise; /* seconds */
} choice;

typedef struct {
    tsr_chooser *c;
    tsr_tactic tactics[TSR_SEARCH_AXES];
    tsr_auto_plan plans[WAVE];
    uint32_t n;
    bool selects; /* collects the most promising ones, instead of trying all */
    choice selected[SELECTED];
    double pairs[TSR_NTACTIC][TSR_NTACTIC];
} experts;

static void try_wave(experts *e)
{
    tsr_auto_consider(e->c, e->plans, e->n);
    e->n = 0;
}

static void add_expert(experts *e)
{
    tsr_chooser *c = e->c;
    const tsr_tactic *tactics = e->tactics;
    tsr_tactic_plan plan;
    tsr_buf name = {0};
    if (!tsr_tactics_plan(c->arena, c->classes, c->mesh, tactics, &plan))
        return;
    tsr_auto_plan made = {.origin = TSR_AUTO_EXPERT,
                          .mesh = c->at,
                          .named_by_axes = true,
                          .args = plan.args,
                          .pins = plan.pins,
                          .npin = plan.npin};
    memcpy(made.tactics, tactics, sizeof made.tactics);
    tsr_auto_name_axes(c, plan.args, made.axes);
    tsr_search_mesh mesh = tsr_auto_mesh_of(c->out, &made);
    for (uint32_t a = 0; a < mesh.n; a++) {
        tsr_buf_cstr(&name, a ? ", " : "");
        tsr_search_axis_text(&name, &mesh, a);
        tsr_buf_cstr(&name, ": ");
        tsr_buf_cstr(&name, tsr_tactic_name(tactics[a]));
    }
    made.name = keep_text(c, &name);
    e->plans[e->n++] = made;
    if (e->n == WAVE || e->n >= c->budget)
        try_wave(e);
}

/* The least time of two tactics on two axes, over all meshes; INFINITY: unknown. */
static double pair_seconds(const tsr_auto_result *r, tsr_tactic a, tsr_tactic b)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        uint32_t n = r->meshes.data[p->mesh].n;
        bool same = n == 1 ? a == b && p->tactics[0] == a
                           : n == 2 && p->tactics[0] == a && p->tactics[1] == b;
        if (p->origin == TSR_AUTO_EXPERT && same && tsr_auto_fits(r, p))
            least = fmin(least, p->seconds);
    }
    return least;
}

/* What three tactics promise: none of their pairs was slower, on two axes. */
static double promise(const experts *e)
{
    const tsr_tactic *t = e->tactics;
    return fmax(e->pairs[t[0]][t[1]], fmax(e->pairs[t[1]][t[2]], e->pairs[t[0]][t[2]]));
}

static void use_expert(experts *e)
{
    if (!e->selects) {
        add_expert(e);
        return;
    }
    /* The best ones so far, in order. */
    choice own = {.promise = promise(e)};
    memcpy(own.tactics, e->tactics, sizeof own.tactics);
    for (uint32_t i = 0; i < SELECTED; i++)
        if (own.promise < e->selected[i].promise) {
            choice other = e->selected[i];
            e->selected[i] = own;
            own = other;
        }
}

/* Tries each tactic on each axis; tactics that communicate most go on the innermost axes. */
static void try_tactics(experts *e, uint32_t axis)
{
    const tsr_chooser *c = e->c;
    if (axis == c->mesh->n) {
        if (c->budget > 0 && tsr_auto_time_is_left(c))
            use_expert(e);
        return;
    }
    for (int t = TSR_TACTIC_NONE + 1; t < TSR_NTACTIC; t++) {
        /* Adjacent axes with the same tactic equal a single axis of another mesh, which is tried too. */
        if (c->request->devices && axis && e->tactics[axis - 1] == (tsr_tactic)t)
            continue;
        e->tactics[axis] = (tsr_tactic)t;
        if (tsr_tactic_applies(c->classes, (tsr_tactic)t))
            try_tactics(e, axis + 1);
    }
}

/* Three axes have too many combinations: those are tried that are best in pairs, on the meshes with two axes. */
static void try_selected(experts *e)
{
    for (uint32_t i = 0; i < SELECTED; i++)
        e->selected[i].promise = INFINITY;
    for (int a = 0; a < TSR_NTACTIC; a++)
        for (int b = 0; b < TSR_NTACTIC; b++)
            e->pairs[a][b] = pair_seconds(e->c->out, (tsr_tactic)a, (tsr_tactic)b);
    e->selects = true;
    try_tactics(e, 0);
    e->selects = false;
    for (uint32_t i = 0; i < SELECTED && e->selected[i].promise < INFINITY; i++) {
        memcpy(e->tactics, e->selected[i].tactics, sizeof e->tactics);
        add_expert(e);
    }
}

void tsr_auto_try_experts(tsr_chooser *c)
{
    experts e = {.c = c};
    const tsr_auto_result *r = c->out;
    if (c->mesh->n == 3 && r->meshes.data[0].n < 3)
        try_selected(&e);
    else
        try_tactics(&e, 0);
    try_wave(&e);
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

/* Maps the pins of a function with few layers to the whole function. */
static void unfold_pins(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_layout_pin **pins,
                        uint32_t *n)
{
    if (!stage->folded.func) {
        *pins = tsr_arena_copy(c->arena, *pins, *n * sizeof **pins);
        return;
    }
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

/* Extends an answer to all layers, in memory that is kept. */
static void unfold(const tsr_chooser *c, const tsr_auto_stage *stage, tsr_sharding_answer *a)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    tsr_layout *args = TSR_NEW_ARRAY(c->arena, tsr_layout, body->nargs + 1);
    for (uint32_t i = 0; i < body->nargs; i++)
        args[i] = a->args[stage->folded.func ? stage->folded.arg_to[i] : i];
    a->args = args;
    unfold_pins(c, stage, &a->products, &a->nproduct);
    unfold_pins(c, stage, &a->all, &a->nall);
}

enum { WAYS = 3 };

/* Plans from the solver's answer: for arguments alone, with products, and all of it. */
static void answer_plans(const tsr_chooser *c, const tsr_sharding_answer *answer, const char *name,
                         tsr_auto_plan *out)
{
    const struct {
        const char *more;
        tsr_layout_pin *pins;
        uint32_t npin;
    } ways[WAYS] = {{"", NULL, 0},
                    {", with products", answer->products, answer->nproduct},
                    {", with all ops", answer->all, answer->nall}};
    for (size_t i = 0; i < WAYS; i++) {
        tsr_buf text = {0};
        tsr_str axes[TSR_SEARCH_AXES];
        bool parts = false;
        tsr_auto_name_axes(c, answer->args, axes);
        tsr_buf_cstr(&text, name);
        for (uint32_t a = 1; a < c->mesh->n; a++)
            if (c->mesh->more[a]) {
                tsr_buf_cstr(&text, ", with parts of ");
                tsr_buf_str(&text, axes[a]);
                parts = true;
            }
        tsr_buf_cstr(&text, c->mesh->pads ? ", with padding" : "");
        tsr_buf_cstr(&text, ways[i].more);
        out[i] = (tsr_auto_plan){.origin = TSR_AUTO_SEARCH,
                                 .name = keep_text(c, &text),
                                 .named_by_axes = parts,
                                 .args = answer->args,
                                 .pins = ways[i].pins,
                                 .npin = ways[i].npin};
        if (parts)
            memcpy(out[i].axes, axes, sizeof axes);
    }
}

/* A problem for the solver, and its answer. */
typedef struct {
    uint32_t mesh;
    double hidden;
    bool limited;
    const char *name;
    bool found;
    tsr_arena arena; /* holds the answer */
    tsr_sharding_answer answer;
} question;

static bool ask(tsr_chooser *c, int64_t i, void *user)
{
    question *q = (question *)user + i;
    tsr_arena_init_pooled(&q->arena, &c->base->ctx->pool);
    TSR_TRY(tsr_auto_open(c, q->mesh, true));
    const tsr_auto_stage *stage = c->nsmall ? &c->small[0] : &c->whole;
    tsr_layout *given;
    bool *is_given = tsr_auto_given(c, stage, &given);
    if (!c->moves.mesh)
        tsr_moves_init(&c->moves, c->mesh, c->request->device);
    c->moves.mesh = c->mesh; /* the list of meshes may have moved */
    tsr_sharding_request r = {.func = stage->func,
                              .mesh = c->mesh,
                              .device = c->request->device,
                              .moves = &c->moves,
                              .limit = q->limited ? c->out->limit : INFINITY,
                              .given = given,
                              .is_given = is_given,
                              .tie = stage->tie,
                              .op_times = stage->folded.op_times,
                              .arg_times = stage->folded.arg_times,
                              .until = stage->folded.until,
                              .hidden = q->hidden,
                              .seed = 1,
                              .pool = &c->base->ctx->pool};
    tsr_symcache symbols; /* rules of composites ask for their decompositions */
    tsr_symcache_start(stage->func->module, &symbols);
    q->found = tsr_sharding_search(&q->arena, &r, &q->answer);
    tsr_symcache_stop(&symbols);
    return true;
}

/* Solves both problems at once; returns whether one has an answer within the limit. */
static bool ask_solver(tsr_chooser *c, question *q)
{
    enum { N = 2 };
    tsr_auto_result *r = c->out;
    const tsr_auto_stage *stage = c->nsmall ? &c->small[0] : &c->whole;
    tsr_auto_plan plans[N * WAYS];
    bool feasible = false, found = true;
    uint32_t n = 0;
    tsr_auto_each(c, N, ask, q);
    for (uint32_t i = 0; i < N; i++) {
        tsr_sharding_answer *a = &q[i].answer;
        found &= q[i].found;
        if (q[i].found) {
            feasible |= a->feasible;
            r->nnode = a->nnode;
            r->nedge = a->nedge;
            c->cells += a->cells;
            r->nsolve++;
            r->solver_seconds = fmax(r->solver_seconds, a->seconds);
            if (!i && !c->at && q[i].limited && a->feasible && a->bound > 0)
                r->bound_ratio = a->cost / a->bound;
            unfold(c, stage, a);
            answer_plans(c, a, q[i].name, plans + n);
            n += WAYS;
        }
        tsr_arena_free(&q[i].arena);
    }
    tsr_auto_consider(c, plans, n);
    return feasible || !found;
}

/* Solves as if computation hides little communication, and as if it hides most of it; without a limit if that finds
 * nothing. */
void tsr_auto_try_search(tsr_chooser *c)
{
    question within[] = {
        {.mesh = c->at, .hidden = 0.3, .limited = true, .name = "search"},
        {.mesh = c->at, .hidden = 0.9, .limited = true, .name = "search, communication hidden"}};
    question without[] = {
        {.mesh = c->at, .hidden = 0.9, .name = "search, communication hidden, without a limit"},
        {.mesh = c->at, .hidden = 0.3, .name = "search, without a limit"}};
    if (tsr_auto_time_is_left(c) && !ask_solver(c, within) && tsr_auto_time_is_left(c))
        ask_solver(c, without);
}

/* Arguments of one type that are read by the same kind of op are changed together. */
static bool same_group(const tsr_value *a, const tsr_value *b)
{
    const tsr_use *ua = a->uses, *ub = b->uses;
    return a->type == b->type && !ua == !ub && (!ua || ua->user->def == ub->user->def);
}

/* A plan with the layouts of some arguments changed. */
static tsr_auto_plan changed(const tsr_chooser *c, const tsr_auto_plan *from, tsr_layout *args)
{
    tsr_auto_plan plan = *from;
    plan.args = args;
    plan.origin = TSR_AUTO_FLIP;
    if (!plan.named_by_axes)
        memset(plan.axes, 0, sizeof plan.axes); /* what they do may have changed */
    if (from->origin != TSR_AUTO_FLIP) {
        tsr_buf name = {0};
        tsr_buf_str(&name, from->name);
        tsr_buf_cstr(&name, "; improved");
        plan.name = keep_text(c, &name);
    }
    return plan;
}

static tsr_layout *copy_args(const tsr_chooser *c, const tsr_auto_plan *from)
{
    return tsr_arena_copy(c->arena, from->args,
                          c->whole.func->regions[0].first->nargs * sizeof *from->args);
}

/* Changes of a plan; several are tried at once, and the best of them is the next starting point, if it is better. */
typedef struct {
    tsr_chooser *c;
    uint32_t from;
    tsr_auto_plan plans[CHANGES];
    uint32_t n;
    bool better;
} changes;

static void try_collected(changes *x)
{
    const tsr_auto_result *r = x->c->out;
    uint32_t got = tsr_auto_consider(x->c, x->plans, x->n);
    x->n = 0;
    if (got != UINT32_MAX && tsr_auto_is_better(r, &r->plans.data[got], &r->plans.data[x->from])) {
        x->from = got;
        x->better = true;
    }
}

/* The plan with one change, if it differs. */
static void flip_group(changes *x, uint32_t first, uint32_t axis, uint32_t dim)
{
    const tsr_chooser *c = x->c;
    const tsr_auto_plan from = c->out->plans.data[x->from];
    const tsr_block *body = c->whole.func->regions[0].first;
    const tsr_type *type = body->args[first]->type;
    tsr_layout l = from.args[first];
    if (l.at[axis] == dim)
        return;
    l.at[axis] = (uint8_t)dim;
    if (dim &&
        (!type->dims[dim - 1] || type->dims[dim - 1] % tsr_layout_parts_of(c->mesh, l, dim - 1)))
        return;
    tsr_layout *args = copy_args(c, &from);
    for (uint32_t i = first; i < body->nargs; i++)
        if (same_group(body->args[i], body->args[first]) &&
            tsr_layout_eq(from.args[i], from.args[first]))
            args[i] = l;
    x->plans[x->n++] = changed(c, &from, args);
    if (x->n == CHANGES)
        try_collected(x);
}

/* Divides the state of a training step along one more axis: that of the optimiser, or all of it. */
static void try_state(changes *x)
{
    tsr_chooser *c = x->c;
    for (uint32_t a = c->mesh->n; a-- > 0;) {
        for (int all = 0; all < 2; all++) {
            const tsr_auto_plan now = c->out->plans.data[x->from];
            tsr_layout *args = copy_args(c, &now);
            tsr_classes_cut_state(c->classes, c->mesh, a, all, args);
            x->plans[x->n++] = changed(c, &now, args);
        }
        try_collected(x);
    }
}

/* Finds which arguments are the first of their group in the plan, and may be changed. */
static void find_firsts(const tsr_chooser *c, const tsr_auto_plan *p, bool *first)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    tsr_map met = {0};
    for (uint32_t i = 0; i < body->nargs; i++) {
        const tsr_value *v = body->args[i];
        uint64_t hash =
            tsr_hash_mix(tsr_hash_ptr(v->type), tsr_hash_bytes(&p->args[i], sizeof *p->args));
        hash = tsr_hash_mix(hash, tsr_hash_ptr(v->uses ? v->uses->user->def : NULL));
        bool met_before = false;
        TSR_MAP_EACH (&met, hash, x) {
            uint32_t k = (uint32_t)((uintptr_t)x - 1);
            met_before |= same_group(body->args[k], v) && tsr_layout_eq(p->args[k], p->args[i]);
        }
        if (!met_before)
            tsr_map_put(&met, hash, (void *)(uintptr_t)(i + 1));
        first[i] = !met_before && tsr_type_is(v->type, TSR_TYPE_TENSOR) && !c->given[i] &&
                   tsr_type_has_static_shape(v->type);
    }
    tsr_map_free(&met);
}

/* Tries small changes, starting from a plan, as long as one helps. */
static void try_flips(tsr_chooser *c, uint32_t from)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    changes x = {.c = c, .from = from, .better = true};
    bool *first = TSR_NEW_ARRAY(c->arena, bool, body->nargs + 1);
    uint32_t found = UINT32_MAX; /* the plan of first */
    try_state(&x);
    while (x.better) {
        x.better = false;
        for (uint32_t i = 0; i < body->nargs; i++)
            for (uint32_t a = 0; a < c->mesh->n; a++) {
                if (found != x.from)
                    find_firsts(c, &c->out->plans.data[x.from], first);
                found = x.from;
                for (uint32_t d = 0; first[i] && d <= body->args[i]->type->n; d++) {
                    if (c->budget - x.n <= 0)
                        try_collected(&x);
                    if (c->budget <= 0 || !tsr_auto_time_is_left(c))
                        return;
                    flip_group(&x, i, a, d);
                }
            }
        try_collected(&x);
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
