/* SPDX-License-Identifier: Apache-2.0 */
/* auto_try.c - see auto_try.h. If layers repeat, a plan is tried with few of them and with one more, and the time of
 * all of them is extrapolated. */
#include "api/auto_try.h"

#include <float.h>
#include <math.h>
#include <time.h>

#include "api/eval.h"
#include "shard/core/given.h"

static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

void tsr_auto_set_end(tsr_chooser *c, double seconds)
{
    c->until = seconds > 0 ? now() + seconds : 0;
}

bool tsr_auto_time_is_left(const tsr_chooser *c)
{
    return !c->told_to_stop && (c->until == 0 || now() < c->until);
}

void tsr_auto_tell(tsr_chooser *c)
{
    const tsr_auto_request *q = c->request;
    const tsr_auto_result *r = c->out;
    if (!q->progress || c->told_to_stop || !c->mesh)
        return;
    tsr_buf mesh = {0};
    tsr_search_mesh_text(&mesh, c->mesh, ",");
    const tsr_auto_plan *best = r->plans.n ? &r->plans.data[r->best] : NULL;
    tsr_search_progress p = {.meshes = c->searched,
                             .all_meshes = r->meshes.n,
                             .candidates = r->plans.n,
                             .mesh = tsr_buf_text(&mesh),
                             .best_seconds = best && tsr_auto_fits(r, best) ? best->seconds : -1};
    c->told_to_stop = !q->progress(q->user, &p);
    tsr_buf_free(&mesh);
}

/* ---- Plans on modules ---- */

typedef struct {
    const tsr_type *type;
    tsr_layout layout;
    tsr_attr *sharding;
} spelt;

static tsr_attr *sharding_of(tsr_chooser *c, tsr_module *m, const tsr_type *type, tsr_layout l)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(type), tsr_hash_bytes(&l, sizeof l));
    TSR_MAP_EACH (&c->spelt, hash, x)
        if (((spelt *)x)->type == type && tsr_layout_eq(((spelt *)x)->layout, l))
            return ((spelt *)x)->sharding;
    tsr_buf text = {0};
    tsr_layout_text(&text, c->mesh, type, l);
    spelt *made = TSR_NEW(c->arena, spelt);
    *made = (spelt){type, l, tsr_given_sharding(m, type, tsr_buf_text(&text), c->status)};
    tsr_map_put(&c->spelt, hash, made);
    tsr_buf_free(&text);
    return made->sharding;
}

void tsr_auto_bring(tsr_op *op, uint32_t operand, tsr_attr *sharding, tsr_op **last)
{
    tsr_value *v = op->in[operand].value;
    tsr_op *made = last[v->id];
    if (!made || made->block != op->block ||
        made->attrs[SDY_SHARDING_CONSTRAINT_sharding] != sharding) {
        made = tsr_op_new(op->module, tsr_opdef_of(op->module->ctx, TSR_OP_SDY_SHARDING_CONSTRAINT),
                          op->loc, &v, 1, &v->type, 1, 0, 0);
        made->attrs[SDY_SHARDING_CONSTRAINT_sharding] = sharding;
        tsr_op_insert(made, op->block, op);
        last[v->id] = made;
    }
    tsr_op_set_operand(op, operand, &made->out[0]);
}

/* The plan and the ops are both in program order. */
static void apply_pins(tsr_chooser *c, const tsr_auto_stage *stage, tsr_op *func,
                       const tsr_auto_plan *p)
{
    uint32_t next = 0;
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_op **last = TSR_NEW_ARRAY(&arena, tsr_op *, func->module->nvalue + 1);
    TSR_OPS (func, op) {
        uint32_t id = stage->folded.func ? stage->folded.op_from[op->id] : op->id;
        while (next < p->npin && p->pins[next].op < id)
            next++;
        for (; next < p->npin && p->pins[next].op == id && op->nout == 1; next++) {
            const tsr_layout_pin *pin = &p->pins[next];
            tsr_value *v = pin->operand ? op->in[pin->operand - 1].value : &op->out[0];
            tsr_attr *sharding = sharding_of(c, func->module, v->type, pin->layout);
            if (pin->operand)
                tsr_auto_bring(op, pin->operand - 1, sharding, last);
            else
                tsr_sdy_set_sharding(v, sharding);
        }
    }
    tsr_arena_free(&arena);
}

bool tsr_auto_apply(tsr_chooser *c, const tsr_auto_stage *stage, tsr_op *func,
                    const tsr_auto_plan *p)
{
    const tsr_type *type = tsr_entry_type(func);
    if (c->fixed)
        return true;
    tsr_attr **args = TSR_NEW_ARRAY(c->arena, tsr_attr *, type->n + 1);
    for (uint32_t i = 0; i < type->n; i++) {
        uint32_t from = stage->folded.func ? stage->folded.arg_from[i] : i;
        bool tensor = tsr_type_is(type->types[i], TSR_TYPE_TENSOR);
        args[i] = c->given[from] ? c->given[from]
                  : tensor       ? sharding_of(c, func->module, type->types[i], p->args[from])
                                 : NULL;
        TSR_TRY(args[i] || !tensor);
    }
    tsr_sdy_set_arg_shardings(func, args);
    tsr_attr **results = TSR_NEW_ARRAY(c->arena, tsr_attr *, type->nout + 1);
    for (uint32_t i = 0; i < type->nout; i++) {
        results[i] = tsr_sdy_result_sharding(func, i);
        if (!results[i] && stage->tie[i])
            results[i] = args[stage->tie[i] - 1];
    }
    tsr_sdy_set_result_shardings(func, results);
    apply_pins(c, stage, func, p);
    return true;
}

static void note(const tsr_chooser *c, const tsr_simulated *s, tsr_auto_plan *p)
{
    p->seconds = s->sim.seconds;
    p->peak = s->report.bytes;
    p->moved = s->sim.moved;
    p->exposed = s->sim.exposed;
    p->computing = s->sim.computing;
    p->ncollective = s->sim.ncollective;
    p->starting = (double)s->sim.tasks.n * c->request->device->launch;
}

tsr_module *tsr_auto_try(tsr_chooser *c, const tsr_auto_stage *stage, tsr_arena *arena,
                         tsr_auto_plan *p, tsr_simulated *s)
{
    static const tsr_pass_arg args[] = {TSR_ARG_BOOL("remarks", false),
                                        TSR_ARG_BOOL("notes", true)};
    tsr_ctx *ctx = stage->module->ctx;
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    tsr_module *copy = tsr_module_copy_borrowed(stage->module);
    tsr_module_renumber(copy);
    ctx->quiet = true; /* a candidate that does not work is not an error */
    tsr_op *func = (tsr_op *)tsr_entry_find(copy, c->request->shard.function, NULL);
    p->works = func && tsr_auto_apply(c, stage, func, p) &&
               tsr_try_pass(copy, "tessera-partition", args, TSR_COUNT(args));
    func = p->works ? (tsr_op *)tsr_entry_find(copy, c->request->shard.function, NULL) : NULL;
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    if (func) {
        tsr_simulate_local(arena, copy, func, c->request->device, c->out->work, s);
        note(c, s, p);
    }
    p->works = func != NULL;
    p->compiled = false;
    return copy;
}

/* A candidate's program, until its memory is known. */
typedef struct {
    tsr_arena arena;
    tsr_simulated simulated;
    tsr_module *local;
} trying;

static void begin_try(tsr_chooser *c, const tsr_auto_stage *stage, tsr_auto_plan *p, trying *t)
{
    *t = (trying){0};
    tsr_arena_init(&t->arena);
    t->local = tsr_auto_try(c, stage, &t->arena, p, &t->simulated);
}

void tsr_auto_plan_memory(tsr_simulated *s, tsr_auto_plan *p)
{
    tsr_simulate_memory(s);
    p->peak = s->report.bytes;
    p->compiled = true;
}

/* Whether it matters what the engine plans, which takes a third of the time of a try: the estimate is not that far off.
 * most: a plan that takes more seconds is not wanted. */
static bool may_be_tight(const tsr_chooser *c, double most, double seconds, double peak)
{
    return seconds <= most && (most == INFINITY || peak > c->out->limit / 2);
}

static void end_try(trying *t)
{
    tsr_module_free(t->local);
    tsr_simulated_free(&t->simulated);
    tsr_arena_free(&t->arena);
}

static void try_whole(tsr_chooser *c, double most, tsr_auto_plan *p)
{
    trying t;
    begin_try(c, &c->whole, p, &t);
    p->settled = true;
    if (p->works && may_be_tight(c, most, p->seconds, p->peak))
        tsr_auto_plan_memory(&t.simulated, p);
    end_try(&t);
}

/* Extrapolates to all layers: few take a, and more take b. */
static double with_all(const tsr_chooser *c, double a, double b)
{
    double more = c->small[1].layers - c->small[0].layers, all = c->nlayer - c->small[0].layers;
    return a < 0 || b < 0 ? -1 : fmax(a + (b - a) * all / more, b);
}

/* With few layers a plan can already be so slow that another try is pointless: it takes longer than one that fits. */
static bool is_hopeless(const tsr_auto_plan *least, const tsr_auto_plan *few)
{
    double most = few->origin == TSR_AUTO_FLIP ? 1.01 : 1.2;
    return least->works && few->seconds > most * least->seconds;
}

/* The figures of all layers from those of few, and, in p, of more. */
static void extrapolate(const tsr_chooser *c, double most, trying *less, tsr_auto_plan *few,
                        trying *more, tsr_auto_plan *p)
{
    p->seconds = with_all(c, few->seconds, p->seconds);
    if (may_be_tight(c, most, p->seconds, with_all(c, few->peak, p->peak))) {
        tsr_auto_plan_memory(&less->simulated, few);
        tsr_auto_plan_memory(&more->simulated, p);
    }
    p->peak = with_all(c, few->peak, p->peak);
    p->moved = with_all(c, few->moved, p->moved);
    p->exposed = with_all(c, few->exposed, p->exposed);
    p->computing = with_all(c, few->computing, p->computing);
    p->starting = with_all(c, few->starting, p->starting);
    p->ncollective = (uint32_t)with_all(c, few->ncollective, p->ncollective);
}

/* A plan that is hopeless has the figures of few layers, as often as there are layers; its memory is at least theirs. */
static void multiply(const tsr_chooser *c, const tsr_auto_plan *few, tsr_auto_plan *p)
{
    double times = (double)c->nlayer / c->small[0].layers;
    *p = *few;
    p->seconds *= times;
    p->moved *= times;
    p->exposed *= times;
    p->computing *= times;
    p->starting *= times;
    p->ncollective = (uint32_t)(few->ncollective * times);
}

/* few: its cost with few layers; least: that of the best plan that fits. */
static void try_small(tsr_chooser *c, const tsr_auto_plan *least, double most, tsr_auto_plan *p,
                      tsr_auto_plan *few)
{
    trying less, more;
    *few = *p;
    begin_try(c, &c->small[0], few, &less);
    p->works = few->works;
    if (few->works && is_hopeless(least, few)) {
        multiply(c, few, p);
    } else if (few->works) {
        begin_try(c, &c->small[1], p, &more);
        if (p->works)
            extrapolate(c, most, &less, few, &more, p);
        end_try(&more);
    }
    end_try(&less);
}

void tsr_auto_estimate(tsr_chooser *c, tsr_auto_plan *p)
{
    const tsr_auto_plan none = {0};
    tsr_auto_plan few;
    if (c->nsmall)
        try_small(c, &none, INFINITY, p, &few);
    else
        try_whole(c, INFINITY, p);
}

/* ---- Comparing plans ---- */

bool tsr_auto_fits(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return p->works && p->peak <= r->limit; /* negative: sizes are not known */
}

/* The measure that plans are compared by: time; for small programs also the bytes moved, since their time is mostly
 * that of starting kernels. */
static double rank_of(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return p->seconds * pow(1 + p->moved, r->bytes_count);
}

bool tsr_auto_is_better(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    if (a->works != b->works || !a->works)
        return a->works && !b->works;
    if (tsr_auto_fits(r, a) != tsr_auto_fits(r, b))
        return tsr_auto_fits(r, a);
    if (!tsr_auto_fits(r, a) && a->peak != b->peak)
        return a->peak < b->peak;
    /* Where bytes count, single changes must not trade bytes for time. */
    if (r->bytes_count > 0 && a->origin == TSR_AUTO_FLIP && a->moved > b->moved)
        return false;
    double x = rank_of(r, a), y = rank_of(r, b);
    if (fabs(x - y) > fmax(x, y) * 1e-6)
        return x < y;
    return a->moved != b->moved ? a->moved < b->moved : a->peak < b->peak;
}

uint32_t tsr_auto_best(const tsr_auto_result *r, uint32_t origins)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        if ((origins >> p->origin & 1) &&
            (best == UINT32_MAX || tsr_auto_is_better(r, p, &r->plans.data[best])))
            best = i;
    }
    return best;
}

static bool same_plan(const tsr_chooser *c, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    const tsr_block *body = c->whole.func->regions[0].first;
    bool same = a->mesh == b->mesh && a->npin == b->npin;
    for (uint32_t i = 0; same && i < body->nargs; i++)
        same = tsr_layout_eq(a->args[i], b->args[i]);
    for (uint32_t i = 0; same && i < a->npin; i++)
        same = a->pins[i].op == b->pins[i].op && a->pins[i].operand == b->pins[i].operand &&
               tsr_layout_eq(a->pins[i].layout, b->pins[i].layout);
    return same;
}

/* A candidate while it is tried. */
typedef struct {
    tsr_auto_plan plan, few;
    bool late; /* no time was left */
} trial;

typedef struct {
    trial *trials;
    size_t n;
    uint32_t mesh;
    tsr_auto_plan least; /* as it was when they started */
    double most;         /* seconds: plans that take longer cannot be the best one */
} trials;

static bool try_one(tsr_chooser *c, int64_t i, void *user)
{
    const trials *all = user;
    trial *t = &all->trials[i];
    t->late = (t->plan.origin == TSR_AUTO_EXPERT || t->plan.origin == TSR_AUTO_FLIP) &&
              !tsr_auto_time_is_left(c);
    TSR_TRY(tsr_auto_open(c, all->mesh, true));
    if (t->late)
        return true;
    if (c->nsmall)
        try_small(c, &all->least, all->most, &t->plan, &t->few);
    else
        try_whole(c, all->most, &t->plan);
    return true;
}

/* Adds the plans that are new, with the user's shardings. */
static void add_new(const tsr_chooser *c, const tsr_auto_plan *plans, size_t n, trials *out)
{
    const tsr_auto_result *r = c->out;
    for (size_t k = 0; k < n; k++) {
        tsr_auto_plan plan = plans[k];
        plan.mesh = c->at;
        tsr_auto_leave_pinnable(c, &plan);
        for (uint32_t i = 0; i < c->whole.func->regions[0].first->nargs; i++)
            if (c->given[i])
                plan.args[i] = c->given_layouts[i];
        if (!plan.axes[0].len)
            tsr_auto_name_axes(c, plan.args, plan.axes);
        bool is_new = true;
        for (size_t i = 0; i < r->plans.n && is_new; i++)
            is_new = !same_plan(c, &r->plans.data[i], &plan);
        for (size_t i = 0; i < out->n && is_new; i++)
            is_new = !same_plan(c, &out->trials[i].plan, &plan);
        if (is_new)
            out->trials[out->n++].plan = plan;
    }
}

/* Above so many seconds a plan cannot become the best one, which fits. For small programs bytes count as well. */
static double most_seconds(const tsr_auto_result *r)
{
    const tsr_auto_plan *best = r->plans.n ? &r->plans.data[r->best] : NULL;
    return best && tsr_auto_fits(r, best) && r->bytes_count <= 0 ? 1.1 * best->seconds : DBL_MAX;
}

uint32_t tsr_auto_consider(tsr_chooser *c, const tsr_auto_plan *plans, size_t n)
{
    tsr_auto_result *r = c->out;
    trials all = {.mesh = c->at, .least = c->least, .most = most_seconds(r)};
    uint32_t best = UINT32_MAX;
    all.trials = TSR_NEW_ARRAY(c->arena, trial, n + 1);
    add_new(c, plans, n, &all);
    tsr_auto_each(c, (int64_t)all.n, try_one, &all);
    for (size_t i = 0; i < all.n; i++) {
        const trial *t = &all.trials[i];
        if (t->late)
            continue;
        bool better = !r->plans.n || tsr_auto_is_better(r, &t->plan, &r->plans.data[r->best]);
        if (c->nsmall && tsr_auto_fits(r, &t->plan) && (!c->least.works || better))
            c->least = t->few;
        tsr_vec_push(&r->plans, t->plan);
        c->budget--;
        uint32_t own = (uint32_t)r->plans.n - 1;
        r->best = better ? own : r->best;
        if (best == UINT32_MAX || tsr_auto_is_better(r, &t->plan, &r->plans.data[best]))
            best = own;
    }
    return best;
}

typedef struct {
    const tsr_chooser *own; /* the program that it partitions is kept */
    tsr_auto_plan plan;
    tsr_simulated simulated;
    tsr_module *local;
} settling;

static bool settle_one(tsr_chooser *c, int64_t i, void *user)
{
    settling *s = (settling *)user + i;
    TSR_TRY(tsr_auto_open(c, s->plan.mesh, false));
    s->local = tsr_auto_try(c, &c->whole, c->arena, &s->plan, &s->simulated);
    s->plan.settled = true;
    if (s->plan.works && may_be_tight(c, DBL_MAX, s->plan.seconds, s->plan.peak))
        tsr_auto_plan_memory(&s->simulated, &s->plan);
    if (c == s->own)
        return true;
    tsr_simulated_free(&s->simulated);
    tsr_module_free(s->local);
    s->simulated = (tsr_simulated){0};
    s->local = NULL;
    return true;
}

void tsr_auto_settle(tsr_chooser *c, const uint32_t *plans, uint32_t n)
{
    tsr_auto_result *r = c->out;
    settling *all = TSR_NEW_ARRAY(c->arena, settling, n);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (settling){.own = c, .plan = r->plans.data[plans[i]]};
    tsr_auto_each(c, n, settle_one, all);
    for (uint32_t i = 0; i < n; i++) {
        r->plans.data[plans[i]] = all[i].plan;
        bool best = r->settled == UINT32_MAX || r->settled == plans[i] ||
                    tsr_auto_is_better(r, &all[i].plan, &r->plans.data[r->settled]);
        tsr_simulated drop = best ? r->simulated : all[i].simulated;
        tsr_module *old = best ? r->local : all[i].local;
        if (best) {
            r->local = all[i].local;
            r->simulated = all[i].simulated;
            r->simulated.report.sim = &r->simulated.sim;
            r->simulated.report.plan = &r->simulated.plan;
            r->settled = plans[i];
        }
        tsr_simulated_free(&drop);
        tsr_module_free(old);
    }
}
