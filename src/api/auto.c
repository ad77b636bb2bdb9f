/* auto.c - see auto.h. */
#include "api/auto.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "shard/core/given.h"

enum { MOST_MESHES = 40, OPS_TO_TRY = 150000 };
#define BYTES_COUNT 0.1 /* twice the bytes are as bad as 7 % more time */

typedef struct {
    const tsr_auto_request *request;
    tsr_auto_result *out;
    tsr_arena *arena;
    tsr_module *base; /* without shardings; with the mesh at hand */
    tsr_op *func;
    const tsr_search_mesh *mesh;
    const tsr_classes *classes;
    tsr_attr **given; /* by argument: the user's; NULL: none */
    const uint32_t *tie;
    uint32_t at;    /* number of the mesh */
    bool own;       /* the mesh is the module's, and stays */
    bool fixed;     /* shardings are as they are: computations are manual */
    int64_t budget; /* candidates that may still be tried */
    double until;   /* on the clock; 0: no end */
    tsr_status *status;
} chooser;

static double clock_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static bool time_is_left(const chooser *c)
{
    return c->until == 0 || clock_now() < c->until;
}

/* ---- Plans on modules ---- */

static tsr_attr *sharding_of(const chooser *c, tsr_module *m, const tsr_type *type, tsr_layout l)
{
    tsr_buf text = {0};
    tsr_layout_text(&text, c->mesh, type, l);
    tsr_attr *a = tsr_given_sharding(m, type, tsr_buf_text(&text), c->status);
    tsr_buf_free(&text);
    return a;
}

/* Writes the shardings of a plan into a module that is as the base is. */
static bool apply_plan(const chooser *c, tsr_module *m, tsr_op *func, const tsr_auto_plan *p)
{
    const tsr_type *type = tsr_entry_type(func);
    if (c->fixed)
        return true;
    tsr_attr **args = TSR_NEW_ARRAY(c->arena, tsr_attr *, type->n + 1);
    for (uint32_t i = 0; i < type->n; i++) {
        bool tensor = tsr_type_is(type->types[i], TSR_TYPE_TENSOR);
        args[i] = c->given[i] ? c->given[i]
                  : tensor    ? sharding_of(c, m, type->types[i], p->args[i])
                              : NULL;
        TSR_TRY(args[i] || !tensor);
    }
    tsr_sdy_set_arg_shardings(func, args);
    for (uint32_t i = 0; i < type->nout; i++)
        if (c->tie[i] && !tsr_sdy_result_sharding(func, i) && args[c->tie[i] - 1])
            tsr_sdy_set_result_sharding(func, i, args[c->tie[i] - 1]);
    uint32_t next = 0;
    TSR_OPS (func, op) {
        while (next < p->npin && p->pins[next].op < op->id)
            next++;
        if (next < p->npin && p->pins[next].op == op->id && op->nout == 1)
            tsr_sdy_set_sharding(&op->out[0],
                                 sharding_of(c, m, op->out[0].type, p->pins[next].layout));
    }
    return true;
}

/* Partitions a copy by the plan and simulates it. */
static tsr_module *try_plan(const chooser *c, tsr_arena *arena, tsr_auto_plan *p, tsr_simulated *s)
{
    tsr_ctx *ctx = c->base->ctx;
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    tsr_module *copy = tsr_module_copy_borrowed(c->base);
    tsr_module_renumber(copy);
    ctx->quiet = true; /* a candidate that does not work is no error */
    tsr_op *func = (tsr_op *)tsr_entry_find(copy, c->request->shard.function, NULL);
    p->works = func && apply_plan(c, copy, func, p) &&
               TSR_RUN_PASS(copy, "tessera-partition", TSR_ARG_BOOL("remarks", false),
                            TSR_ARG_BOOL("notes", true));
    func = p->works ? (tsr_op *)tsr_entry_find(copy, c->request->shard.function, NULL) : NULL;
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    if (func) {
        tsr_simulate_local(arena, copy, func, c->request->device, c->out->work, s);
        p->seconds = s->sim.seconds;
        p->peak = s->report.bytes;
        p->moved = s->sim.moved;
        p->exposed = s->sim.exposed;
        p->computing = s->sim.computing;
        p->ncollective = s->sim.ncollective;
        p->starting = (double)s->sim.tasks.n * c->request->device->launch;
    }
    p->works = func != NULL;
    return copy;
}

static bool fits(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return p->works && p->peak <= r->limit; /* below 0: sizes are not known */
}

/* What plans are compared by: time; of small programs bytes that are moved count as well, since there the time is that of starting things. */
static double rank_of(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return p->seconds * pow(1 + p->moved, r->bytes_count);
}

/* Whether a is better than b: it fits, takes less time, moves less, takes less memory. */
static bool is_better(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    if (a->works != b->works || !a->works)
        return a->works && !b->works;
    if (fits(r, a) != fits(r, b))
        return fits(r, a);
    if (!fits(r, a) && a->peak != b->peak)
        return a->peak < b->peak;
    /* Where bytes count, single changes do not buy time with them. */
    if (r->bytes_count > 0 && a->origin == TSR_AUTO_FLIP && a->moved > b->moved)
        return false;
    double x = rank_of(r, a), y = rank_of(r, b);
    if (fabs(x - y) > fmax(x, y) * 1e-6)
        return x < y;
    return a->moved != b->moved ? a->moved < b->moved : a->peak < b->peak;
}

static bool same_plan(const chooser *c, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    const tsr_block *body = c->func->regions[0].first;
    bool same = a->mesh == b->mesh && a->npin == b->npin;
    for (uint32_t i = 0; same && i < body->nargs; i++)
        same = tsr_layout_eq(a->args[i], b->args[i]);
    for (uint32_t i = 0; same && i < a->npin; i++)
        same =
            a->pins[i].op == b->pins[i].op && tsr_layout_eq(a->pins[i].layout, b->pins[i].layout);
    return same;
}

/* Tries a candidate that was not tried yet: its number, or UINT32_MAX. */
static uint32_t consider(chooser *c, tsr_auto_plan plan)
{
    tsr_auto_result *r = c->out;
    plan.mesh = c->at;
    for (size_t i = 0; i < r->plans.n; i++)
        if (same_plan(c, &r->plans.data[i], &plan))
            return UINT32_MAX;
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_simulated s = {0};
    tsr_module_free(try_plan(c, &arena, &plan, &s));
    tsr_simulated_free(&s);
    tsr_arena_free(&arena);
    c->budget--;
    tsr_vec_push(&r->plans, plan);
    if (r->plans.n == 1 || is_better(r, &plan, &r->plans.data[r->best]))
        r->best = (uint32_t)r->plans.n - 1;
    return (uint32_t)r->plans.n - 1;
}

static tsr_str keep_text(const chooser *c, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(c->arena, text->data ? text->data : "", text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* ---- Candidates ---- */

static void add_expert(chooser *c, const tsr_tactic *tactics)
{
    tsr_tactic_plan plan;
    tsr_buf name = {0};
    if (!tsr_tactics_plan(c->arena, c->classes, c->mesh, tactics, &plan))
        return;
    for (uint32_t a = 0; a < c->mesh->n; a++) {
        tsr_buf_cstr(&name, a ? ", " : "");
        tsr_buf_str(&name, c->mesh->names[a]);
        tsr_buf_cstr(&name, ": ");
        tsr_buf_cstr(&name, tsr_tactic_name(tactics[a]));
    }
    consider(c, (tsr_auto_plan){.name = keep_text(c, &name),
                                .origin = TSR_AUTO_EXPERT,
                                .args = plan.args,
                                .pins = plan.pins,
                                .npin = plan.npin});
}

/* A tactic on each axis; on the innermost ones those that talk the most. */
static void try_experts(chooser *c, tsr_tactic *tactics, uint32_t axis)
{
    if (axis == c->mesh->n) {
        if (c->budget > 0 && time_is_left(c))
            add_expert(c, tactics);
        return;
    }
    for (int t = TSR_TACTIC_NONE + 1; t < TSR_NTACTIC; t++) {
        tactics[axis] = (tsr_tactic)t;
        if (tsr_tactic_applies(c->classes, (tsr_tactic)t))
            try_experts(c, tactics, axis + 1);
    }
}

/* Shardings that the user gave to arguments, as far as they are layouts: open dimensions stay as they are, too. */
static bool *given_layouts(const chooser *c, tsr_layout **out)
{
    uint32_t n = c->func->regions[0].first->nargs;
    bool *is_given = TSR_NEW_ARRAY(c->arena, bool, n + 1);
    tsr_shardings table;
    *out = TSR_NEW_ARRAY(c->arena, tsr_layout, n + 1);
    tsr_shardings_init(&table, c->arena, c->base->op);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_sharding *s = c->given[i] ? tsr_sharding_decode(&table, c->given[i]) : NULL;
        is_given[i] = s != NULL;
        for (uint32_t d = 0; s && d < s->rank; d++)
            for (uint32_t k = 0; k < s->dims[d].axes->n; k++)
                if (s->dims[d].axes->data[k].axis < TSR_SEARCH_AXES)
                    (*out)[i].at[s->dims[d].axes->data[k].axis] = (uint8_t)(d + 1);
    }
    tsr_shardings_free(&table);
    return is_given;
}

/* What the solver says: with what it says of products, and of arguments alone. */
static void try_search(chooser *c)
{
    tsr_sharding_answer answer;
    tsr_layout *given;
    bool *is_given = given_layouts(c, &given);
    tsr_sharding_request r = {.func = c->func,
                              .mesh = c->mesh,
                              .device = c->request->device,
                              .limit = c->out->limit,
                              .given = given,
                              .is_given = is_given,
                              .tie = c->tie,
                              .seed = 1};
    for (int with_limit = 1; with_limit >= 0; with_limit--) {
        r.limit = with_limit ? c->out->limit : INFINITY;
        if (!tsr_sharding_search(c->arena, &r, &answer))
            return;
        c->out->nnode = answer.nnode;
        c->out->nedge = answer.nedge;
        if (with_limit && answer.feasible && answer.bound > 0)
            c->out->bound_ratio = answer.cost / answer.bound;
        tsr_auto_plan plan = {.origin = TSR_AUTO_SEARCH,
                              .name = with_limit ? TSR_STR("search")
                                                 : TSR_STR("search, without a limit"),
                              .args = answer.args};
        consider(c, plan);
        plan.pins = answer.pins;
        plan.npin = answer.npin;
        plan.name = with_limit ? TSR_STR("search, with products")
                               : TSR_STR("search, with products, without a limit");
        consider(c, plan);
        if (!time_is_left(c))
            return;
    }
}

/* Arguments of one type that the same kind of op reads are changed together. */
static bool same_group(const tsr_value *a, const tsr_value *b)
{
    const tsr_use *ua = a->uses, *ub = b->uses;
    return a->type == b->type && !ua == !ub && (!ua || ua->user->def == ub->user->def);
}

/* The plan with one change, where it is another: its number, or UINT32_MAX. */
static uint32_t flip_group(chooser *c, const tsr_auto_plan *from, uint32_t first, uint32_t axis,
                           uint32_t dim)
{
    const tsr_block *body = c->func->regions[0].first;
    tsr_auto_plan plan = *from;
    const tsr_type *type = body->args[first]->type;
    tsr_layout l = from->args[first];
    if (l.at[axis] == dim)
        return UINT32_MAX;
    l.at[axis] = (uint8_t)dim;
    if (dim &&
        (!type->dims[dim - 1] || type->dims[dim - 1] % tsr_layout_parts_of(c->mesh, l, dim - 1)))
        return UINT32_MAX;
    plan.args = TSR_NEW_ARRAY(c->arena, tsr_layout, body->nargs + 1);
    memcpy(plan.args, from->args, body->nargs * sizeof *plan.args);
    for (uint32_t i = first; i < body->nargs; i++)
        if (same_group(body->args[i], body->args[first]) &&
            tsr_layout_eq(from->args[i], from->args[first]))
            plan.args[i] = l;
    plan.origin = TSR_AUTO_FLIP;
    if (from->origin != TSR_AUTO_FLIP) {
        tsr_buf name = {0};
        tsr_buf_str(&name, from->name);
        tsr_buf_cstr(&name, "; improved");
        plan.name = keep_text(c, &name);
    }
    return consider(c, plan);
}

/* One change at a time, from a plan on, as long as one helps. */
static void try_flips(chooser *c, uint32_t from)
{
    const tsr_block *body = c->func->regions[0].first;
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
                    if (c->budget <= 0 || !time_is_left(c))
                        return;
                    tsr_auto_plan now = c->out->plans.data[from];
                    uint32_t got = flip_group(c, &now, i, a, d);
                    if (got != UINT32_MAX && is_better(c->out, &c->out->plans.data[got], &now)) {
                        from = got;
                        again = true;
                    }
                }
        }
    }
}

/* The fastest plan that nearly fits: a change or two may make it fit. */
static uint32_t nearly(const chooser *c)
{
    const tsr_auto_result *r = c->out;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        if (p->mesh == c->at && p->works && !fits(r, p) && p->peak < 1.3 * r->limit &&
            p->seconds < r->plans.data[r->best].seconds &&
            (best == UINT32_MAX || p->peak < r->plans.data[best].peak))
            best = i;
    }
    return best;
}

/* ---- Meshes ---- */

static bool add_mesh(tsr_auto_result *r, const int64_t *sizes, uint32_t n)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    tsr_search_mesh mesh = {.n = n};
    for (uint32_t i = 0; i < n; i++) {
        mesh.sizes[i] = sizes[i];
        mesh.names[i] = tsr_cstr(names[i]);
    }
    if (r->meshes.n < MOST_MESHES)
        tsr_vec_push(&r->meshes, mesh);
    return true;
}

/* All ways to write the devices as a product of up to three axes. */
static void all_meshes(tsr_auto_result *r, int64_t devices)
{
    int64_t sizes[3] = {devices, 0, 0};
    add_mesh(r, sizes, 1);
    for (int64_t x = 2; x < devices; x++) {
        if (devices % x)
            continue;
        sizes[0] = x;
        sizes[1] = devices / x;
        add_mesh(r, sizes, 2);
    }
    for (int64_t x = 2; x < devices && devices <= 64; x++)
        for (int64_t y = 2; devices % x == 0 && y < devices / x; y++)
            if (devices / x % y == 0) {
                int64_t three[3] = {x, y, devices / x / y};
                add_mesh(r, three, 3);
            }
}

static bool read_mesh(tsr_arena *arena, tsr_module *m, tsr_auto_result *r, tsr_status *status)
{
    tsr_shard_plan plan = {0};
    tsr_search_mesh mesh = {0};
    tsr_shard_plan_meshes(arena, m, &plan);
    const tsr_mesh *most = NULL;
    for (size_t i = 0; i < plan.meshes.n; i++)
        if (!most || plan.meshes.data[i]->ndevice > most->ndevice)
            most = plan.meshes.data[i];
    bool ok = most && most->ndevice > 1;
    if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "the module has no mesh of several devices: --mesh or --devices is needed");
    else if (most->naxis > TSR_SEARCH_AXES)
        ok = tsr_status_set(status, TSR_BAD_INPUT, "a mesh of at most %d axes can be searched",
                            TSR_SEARCH_AXES);
    for (uint32_t a = 0; ok && a < most->naxis; a++) {
        tsr_str name = tsr_mesh_axis_name(most, a)->s;
        mesh.names[a] = (tsr_str){tsr_arena_copy(arena, name.data, name.len), name.len};
        mesh.sizes[a] = most->sizes[a];
    }
    mesh.n = ok ? most->naxis : 0;
    if (ok)
        tsr_vec_push(&r->meshes, mesh);
    tsr_shard_plan_free(&plan);
    return ok;
}

static void mesh_text(tsr_buf *out, const tsr_search_mesh *mesh)
{
    for (uint32_t a = 0; a < mesh->n; a++) {
        tsr_buf_cstr(out, a ? "," : "");
        tsr_buf_str(out, mesh->names[a]);
        tsr_buf_printf(out, "=%lld", (long long)mesh->sizes[a]);
    }
}

/* ---- The search ---- */

static bool is_manual(const tsr_module *m)
{
    TSR_OPS (m->op, op)
        if (tsr_flow_of(op) == TSR_FLOW_MANUAL)
            return true;
    return false;
}

/* Ends a module's shardings, with the ops that say nothing else. */
static bool drop_shardings(tsr_module *m)
{
    for (tsr_op *op = m->op, *next; op; op = next) {
        next = tsr_walk_next(m->op, op);
        bool same = tsr_has_role(op, TSR_ROLE_CONSTRAINT) || tsr_has_role(op, TSR_ROLE_BARRIER) ||
                    tsr_sdy_collective_of(op) == TSR_COLLECTIVE_RESHARD;
        if (same && op->nin == 1 && op->nout == 1)
            tsr_value_replace(&op->out[0], op->in[0].value);
        if ((same && op->nin == 1 && op->nout == 1) || tsr_has_role(op, TSR_ROLE_GROUP))
            tsr_op_erase(op);
    }
    return tsr_run_pass(m, "sdy-drop-sharding-and-mesh", NULL, 0);
}

/* What the user says of arguments, by argument. */
static void find_given(chooser *c)
{
    uint32_t n = c->func->regions[0].first->nargs;
    c->given = TSR_NEW_ARRAY(c->arena, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        c->given[i] = tsr_sdy_arg_sharding(c->func, i);
}

static bool search_mesh(chooser *c, const tsr_module *m, uint32_t at, int64_t nop)
{
    const tsr_auto_request *request = c->request;
    tsr_buf text = {0};
    c->at = at;
    c->mesh = &c->out->meshes.data[at];
    c->base = tsr_module_copy_borrowed((tsr_module *)m);
    mesh_text(&text, c->mesh);
    tsr_shard_request give = request->shard;
    give.mesh = c->own ? (tsr_str){0} : tsr_buf_text(&text);
    bool ok = tsr_shard_give(c->base, &give, c->status);
    tsr_buf_free(&text);
    tsr_module_renumber(c->base);
    c->func = ok ? (tsr_op *)tsr_entry_find(c->base, request->shard.function, c->status) : NULL;
    if (c->func) {
        find_given(c);
        c->tie = tsr_tied_results(c->arena, c->func);
        c->classes = tsr_classes_of(c->arena, c->func, c->tie);
        c->budget = OPS_TO_TRY / (nop + 1);
        c->budget = c->budget < 24 ? 24 : c->budget > 600 ? 600 : c->budget;
        tsr_auto_plan whole = {.name = TSR_STR("everything everywhere"), .origin = TSR_AUTO_GIVEN};
        whole.args = TSR_NEW_ARRAY(c->arena, tsr_layout, c->func->regions[0].first->nargs + 1);
        if (c->fixed)
            whole.name = TSR_STR("as it is: computations are manual");
        consider(c, whole);
        const tsr_auto_plan *undivided = &c->out->plans.data[c->out->plans.n - 1];
        if (undivided->works && !c->out->bytes_count)
            c->out->bytes_count = undivided->starting > undivided->seconds / 2 ? BYTES_COUNT : 0;
        tsr_tactic tactics[TSR_SEARCH_AXES] = {0};
        if (!request->no_search && !c->fixed)
            try_search(c);
        if (!request->no_experts && !c->fixed)
            try_experts(c, tactics, 0);
        int64_t left = c->budget < 24 ? 24 : c->budget;
        uint32_t close = nearly(c);
        c->budget = left;
        if (close != UINT32_MAX && !c->fixed)
            try_flips(c, close);
        c->budget = left;
        if (c->out->plans.data[c->out->best].mesh == at && !c->fixed)
            try_flips(c, c->out->best);
    }
    tsr_module_free(c->base);
    c->base = NULL;
    return c->func != NULL;
}

/* Says what would be needed, and what fills it. */
static bool does_not_fit(const tsr_auto_result *r, tsr_status *status)
{
    const tsr_auto_plan *p = &r->plans.data[r->best];
    const tsr_plan_alive *most = NULL;
    for (size_t i = 0; i < r->simulated.plan.alive.n; i++)
        if (!most || r->simulated.plan.alive.data[i].bytes > most->bytes)
            most = &r->simulated.plan.alive.data[i];
    tsr_buf text = {0};
    tsr_buf_cstr(&text, "the program does not fit into ");
    tsr_buf_quantity(&text, r->limit, "B");
    tsr_buf_cstr(&text, " a device: the plan of least memory takes ");
    tsr_buf_quantity(&text, p->peak, "B");
    tsr_buf_cstr(&text, " (");
    tsr_buf_str(&text, p->name);
    tsr_buf_cstr(&text, ")");
    if (most) {
        tsr_str type = tsr_type_print(most->value->type);
        tsr_buf_cstr(&text, ", of which arguments take ");
        tsr_buf_quantity(&text, (double)r->simulated.plan.arg_bytes, "B");
        tsr_buf_cstr(&text, ", and the largest value ");
        tsr_buf_quantity(&text, (double)most->bytes, "B");
        tsr_buf_cstr(&text, ": ");
        tsr_buf_str(&text, type);
        tsr_free((void *)type.data);
    }
    tsr_status_set(status, TSR_BAD_INPUT, "%.*s", (int)text.len, text.data);
    tsr_buf_free(&text);
    return false;
}

/* Gives the winner's mesh and shardings to the module, and simulates it once more for the report. */
static bool take_best(chooser *c, tsr_module *m)
{
    tsr_auto_result *r = c->out;
    tsr_auto_plan best = r->plans.data[r->best];
    tsr_buf text = {0};
    c->mesh = &r->meshes.data[best.mesh];
    mesh_text(&text, c->mesh);
    tsr_shard_request give = c->request->shard;
    give.mesh = c->own ? (tsr_str){0} : tsr_buf_text(&text);
    bool ok = tsr_shard_give(m, &give, c->status);
    tsr_buf_free(&text);
    tsr_module_renumber(m);
    tsr_op *func = ok ? (tsr_op *)tsr_entry_find(m, c->request->shard.function, c->status) : NULL;
    if (!func)
        return false;
    c->base = m;
    c->func = func;
    find_given(c);
    c->tie = tsr_tied_results(c->arena, func);
    r->local = try_plan(c, c->arena, &best, &r->simulated);
    r->fits = fits(r, &best);
    tsr_device *limited = TSR_NEW(c->arena, tsr_device); /* the report tells what may be taken */
    *limited = *c->request->device;
    limited->memory = r->limit;
    r->simulated.report.device = limited;
    if (!best.works)
        return tsr_status_set(c->status, TSR_BAD_INPUT, "no candidate can be partitioned");
    return (r->fits || does_not_fit(r, c->status)) && apply_plan(c, m, func, &best);
}

bool tsr_auto_shard(tsr_arena *arena, tsr_module *m, const tsr_auto_request *request,
                    tsr_auto_result *out, tsr_status *status)
{
    chooser c = {.request = request, .out = out, .arena = arena, .status = status};
    TSR_TRY(tsr_make_runnable(m, true));
    TSR_TRY(tsr_entry_keep(m, request->shard.function, status) != NULL);
    if (tsr_spmd_is_local(m))
        return tsr_status_set(
            status, TSR_BAD_INPUT,
            "the program is that of one device already: there is nothing to shard");
    out->limit = request->memory > 0 ? request->memory : request->device->memory;
    c.until = request->seconds > 0 ? clock_now() + request->seconds : 0;
    c.fixed = is_manual(m);
    c.own = (request->keep || c.fixed) && !request->shard.mesh.len && !request->devices;
    if (c.fixed && !c.own)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "computations are manual, on the module's own mesh: --mesh and "
                              "--devices cannot give another");
    if (request->devices)
        all_meshes(out, request->devices);
    else if (!request->shard.mesh.len)
        TSR_TRY(read_mesh(arena, m, out, status));
    if (!request->keep && !c.fixed)
        TSR_TRY(drop_shardings(m));
    if (!request->devices && request->shard.mesh.len) {
        TSR_TRY(tsr_given_mesh(m, request->shard.mesh, status));
        TSR_TRY(read_mesh(arena, m, out, status));
    }
    if (!c.fixed)
        TSR_TRY(TSR_RUN_PASS(m, "inline", TSR_ARG_STR("default-pipeline", TSR_STR(""))));
    tsr_module_renumber(m);
    const tsr_op *func = tsr_entry_find(m, request->shard.function, status);
    if (!func || !func->regions[0].first || !func->regions[0].first->last)
        return false;
    out->work = tsr_sim_work((tsr_op *)func);
    int64_t nop = 0;
    TSR_OPS ((tsr_op *)func, op)
        nop += op->nout > 0;
    for (uint32_t i = 0; i < out->meshes.n; i++)
        TSR_TRY((i && !time_is_left(&c)) || search_mesh(&c, m, i, nop * (int64_t)out->meshes.n));
    return take_best(&c, m);
}

void tsr_auto_free(tsr_auto_result *r)
{
    tsr_simulated_free(&r->simulated);
    if (r->local)
        tsr_module_free(r->local);
    tsr_vec_free(&r->meshes);
    tsr_vec_free(&r->plans);
}

/* ---- The public call ---- */

static bool auto_text(tsr_module *m, const tsr_auto_options *o, bool json, tsr_buf *out,
                      tsr_status *status)
{
    tsr_arena arena;
    tsr_device device;
    tsr_auto_result found = {0};
    tsr_auto_request r = {.device = &device};
    if (o) {
        tsr_shard_options shard = {o->mesh, o->given, o->ngiven, o->function};
        r.shard = tsr_shard_request_of(&shard, (tsr_str){0});
        r.devices = o->devices > 1 ? o->devices : 0;
        r.memory = o->memory;
        r.seconds = o->seconds;
        r.keep = o->keep;
    }
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    bool ok = tsr_device_load(&arena, o ? o->device : (tsr_str){0}, &device, NULL, status) &&
              tsr_auto_shard(&arena, m, &r, &found, status);
    if (ok && json)
        tsr_auto_json(out, &found);
    else if (ok)
        tsr_auto_text(out, &found, true);
    tsr_buf_char(out, 0);
    tsr_auto_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_auto_shard(tsr_module *m, const tsr_auto_options *options, bool json,
                              tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_str text = TSR_NO_TEXT;
    bool ok = auto_text(m, options, json, &out, g.status);
    if (ok)
        text = (tsr_str){out.data, out.len - 1};
    else
        tsr_buf_free(&out);
    tsr_guard_finish(&g, ok);
    return text;
}
