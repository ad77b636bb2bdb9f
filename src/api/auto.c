/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c - see auto.h. */
#include "api/auto_try.h"

#include <math.h>

#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "shard/core/devices.h"
#include "shard/core/given.h"
#include "text/text.h"

enum {
    MOST_MESHES = 40,
    MOST_AXES = 3, /* of meshes that are made */
    MOST_SETTLED = 16,
    MOST_DIVIDED = 4, /* meshes with three axes, beyond those that the solver sees */
    OPS_TO_TRY = 150000,
    MOST_NODES = 2500 /* of a problem that is searched again, with sub-axes and padding */
};
#define CELLS 3.5e7     /* of the solver's tables for meshes with three axes: no more meshes then */
#define FAR 1.3         /* times the ideal: the undivided program's time / devices */
#define NEAR 1.02       /* the same: no other mesh can be much better */
#define CLOSE 0.99      /* times another plan's time: not worth a try with all layers */
#define BYTES_COUNT 0.1 /* twice the bytes weigh as much as 7 % more time */

/* ---- Meshes ---- */

static void add_mesh(tsr_auto_result *r, const tsr_str *names, const int64_t *sizes, uint32_t n)
{
    tsr_search_mesh mesh = {.n = n};
    for (uint32_t i = 0; i < n; i++) {
        mesh.sizes[i] = sizes[i];
        mesh.names[i] = names[i];
    }
    if (r->meshes.n < MOST_MESHES)
        tsr_vec_push(&r->meshes, mesh);
}

/* All factorizations of the devices into up to three axes; n: into so many, unless it is 0. */
static void all_meshes(tsr_auto_result *r, int64_t devices, const tsr_str *names, uint32_t n)
{
    int64_t sizes[MOST_AXES] = {devices, 0, 0};
    if (!n || n == 1)
        add_mesh(r, names, sizes, 1);
    for (int64_t x = 2; (!n || n == 2) && x < devices; x++) {
        if (devices % x)
            continue;
        sizes[0] = x;
        sizes[1] = devices / x;
        add_mesh(r, names, sizes, 2);
    }
    for (int64_t x = 2; (n == 3 || (!n && devices <= 64)) && x < devices; x++)
        for (int64_t y = 2; devices % x == 0 && y < devices / x; y++)
            if (devices / x % y == 0) {
                int64_t three[MOST_AXES] = {x, y, devices / x / y};
                add_mesh(r, names, three, 3);
            }
}

/* The names in a text such as "dp,tp"; false with a status if they cannot be names of axes. */
static bool read_axes(tsr_str text, tsr_str *names, uint32_t *n, tsr_status *status)
{
    *n = 0;
    for (size_t i = 0, len; i <= text.len; i += len + 1) {
        for (len = 0; i + len < text.len && text.data[i + len] != ',';)
            len++;
        tsr_str name = tsr_str_of(text.data + i, len);
        bool ok = len && *n < MOST_AXES && !tsr_str_is(name, "_");
        for (size_t k = 0; k < len; k++)
            ok &= strchr("=:?+()", text.data[i + k]) == NULL;
        for (uint32_t k = 0; ok && k < *n; k++)
            ok = !tsr_str_eq(names[k], name);
        if (!ok)
            return tsr_status_set(status, TSR_BAD_INPUT,
                                  "axes: '%.*s' value invalid: one to three names are wanted, each "
                                  "once, such as dp,tp",
                                  TSR_STR_ARG(text));
        names[(*n)++] = name;
    }
    return true;
}

/* Meshes of so many devices. Without names for axes, and if no sharding is given that names some, plans name them. */
static bool meshes_of_devices(tsr_auto_result *r, const tsr_auto_request *q, tsr_status *status)
{
    tsr_str names[MOST_AXES] = {{"x", 1}, {"y", 1}, {"z", 1}};
    uint32_t n = 0;
    if (q->axes.len)
        TSR_TRY(read_axes(q->axes, names, &n, status));
    r->unnamed = !n && !q->shard.ngiven;
    all_meshes(r, q->devices, names, n);
    if (!r->meshes.n)
        return tsr_status_set(status, TSR_BAD_INPUT, "%lld devices have no mesh of %u axes",
                              (long long)q->devices, n);
    return true;
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
    else if (most->ndevice > TSR_MAX_DEVICES)
        ok = tsr_status_set(status, TSR_BAD_INPUT, TSR_TOO_MANY_DEVICES, TSR_MAX_DEVICES);
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

/* Whether a plan does not fit, or takes more than so many times as long as evenly divided work. */
static bool takes_more(const tsr_auto_result *r, uint32_t plan, double times)
{
    const tsr_auto_plan *all = &r->plans.data[0], *p = &r->plans.data[plan];
    double devices = 1;
    for (uint32_t a = 0; a < r->meshes.data[0].n; a++)
        devices *= (double)r->meshes.data[0].sizes[a];
    return !tsr_auto_fits(r, p) || !all->works || p->seconds > times * all->seconds / devices;
}

/* For large programs it would take seconds. */
static bool may_gain(const tsr_auto_result *r)
{
    return r->nnode <= MOST_NODES && takes_more(r, r->best, FAR);
}

/* If axes do not divide the dimensions of important products, the mesh is also tried with sub-axes and with padding. */
static void refine_mesh(tsr_auto_result *r, tsr_op *func)
{
    tsr_search_mesh refined;
    tsr_arena arena;
    tsr_arena_init(&arena);
    if (tsr_classes_refine(&arena, func, &r->meshes.data[0], &refined))
        tsr_vec_push(&r->meshes, refined);
    tsr_arena_free(&arena);
}

/* ---- The search ---- */

bool tsr_auto_is_manual(const tsr_module *m)
{
    TSR_OPS (m->op, op)
        if (tsr_flow_of(op) == TSR_FLOW_MANUAL)
            return true;
    return false;
}

bool tsr_auto_drop_shardings(tsr_module *m)
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

bool tsr_auto_inline(tsr_module *m)
{
    return TSR_RUN_PASS(m, "inline", TSR_ARG_STR("default-pipeline", TSR_STR("")),
                        TSR_ARG_BOOL("callers-first", true));
}

static bool is_refined(const tsr_search_mesh *mesh)
{
    bool split = mesh->pads;
    for (uint32_t a = 0; a < mesh->n; a++)
        split |= mesh->more[a];
    return split;
}

/* Tries the undivided program, once: it is the same on every mesh. */
static void try_undivided(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    tsr_auto_plan whole = {.name = TSR_STR("everything everywhere"), .origin = TSR_AUTO_GIVEN};
    whole.args = TSR_NEW_ARRAY(c->arena, tsr_layout, c->whole.func->regions[0].first->nargs + 1);
    if (c->fixed)
        whole.name = TSR_STR("as it is: computations are manual");
    tsr_auto_consider(c, &whole, 1);
    const tsr_auto_plan *undivided = &r->plans.data[0];
    if (undivided->works)
        r->bytes_count = undivided->starting > undivided->seconds / 2 ? BYTES_COUNT : 0;
}

bool tsr_auto_look_at(tsr_chooser *c, uint32_t at, size_t share)
{
    TSR_TRY(tsr_auto_open(c, at, true));
    c->out->nlayer = c->nsmall ? c->nlayer : 0;
    if (share == 1) /* else few layers of one mesh compare with those of another */
        c->least.works = false;
    tsr_symcache symbols;
    tsr_symcache_start(c->whole.func->module, &symbols);
    c->classes = tsr_classes_of(c->arena, c->whole.func, c->whole.tie);
    tsr_symcache_stop(&symbols);
    tsr_auto_given(c, &c->whole, &c->given_layouts);
    tsr_auto_find_pinnable(c);
    c->budget = OPS_TO_TRY / (tsr_auto_ops_of_a_try(c) * (int64_t)share + 1);
    c->budget = c->budget < 24 ? 24 : c->budget > 600 ? 600 : c->budget;
    return true;
}

/* Where candidates come from. */
enum { SOLVER = 1, EXPERTS = 2, CHANGES = 4, ALL = SOLVER | EXPERTS | CHANGES };

/* share: how many meshes share the remaining candidates. */
static bool search_mesh(tsr_chooser *c, uint32_t at, size_t share, unsigned from)
{
    TSR_TRY(tsr_auto_look_at(c, at, share));
    if (!c->out->plans.n)
        try_undivided(c);
    if (c->fixed)
        return true;
    if (!c->request->no_search && from & SOLVER)
        tsr_auto_try_search(c);
    if (!c->request->no_experts && from & EXPERTS && !is_refined(c->mesh)) /* of whole axes */
        tsr_auto_try_experts(c);
    if (from & CHANGES)
        tsr_auto_try_changes(c);
    c->searched += c->searched < c->out->meshes.n;
    return true;
}

/* Estimates from few layers are within some percent of the time with all of them: a plan that is slower by more cannot
 * win. */
static bool may_win(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return r->settled == UINT32_MAX || !tsr_auto_fits(r, &r->plans.data[r->settled]) ||
           p->seconds < 1.1 * r->plans.data[r->settled].seconds;
}

/* Tries plans found with few layers with all of them: the best plan of each kind, and the next one if that is no longer
 * the best. The experts' plans too, so that the winner is never worse than these. */
static void settle(tsr_chooser *c)
{
    static const struct {
        uint32_t origins;
        int rounds;
    } groups[] = {{UINT32_MAX, 3},
                  {1u << TSR_AUTO_SEARCH | 1u << TSR_AUTO_GIVEN, 2},
                  {1u << TSR_AUTO_EXPERT, 5}};
    tsr_auto_result *r = c->out;
    for (int round = 0; round < 8; round++) { /* the last rounds: until something fits */
        uint32_t which[TSR_COUNT(groups)], n = 0;
        bool fits = r->settled != UINT32_MAX && tsr_auto_fits(r, &r->plans.data[r->settled]);
        for (size_t g = 0; g < TSR_COUNT(groups); g++) {
            uint32_t next = round < groups[g].rounds || (!g && !fits)
                                ? tsr_auto_best(r, groups[g].origins)
                                : UINT32_MAX;
            bool taken = next == UINT32_MAX || r->plans.data[next].settled ||
                         !may_win(r, &r->plans.data[next]);
            for (uint32_t i = 0; i < n; i++)
                taken |= which[i] == next;
            if (!taken)
                which[n++] = next;
        }
        if (!n)
            break;
        tsr_auto_settle(c, which, n);
    }
    r->best = r->settled == UINT32_MAX ? tsr_auto_best(r, UINT32_MAX) : r->settled;
}

/* Reports how much memory would be needed, and what uses it. */
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
        tsr_buf_cstr(&text, ", ");
        tsr_value_describe(&text, most->value);
        tsr_free((void *)type.data);
    }
    tsr_status_set(status, TSR_BAD_INPUT, "%.*s", (int)text.len, text.data);
    tsr_buf_free(&text);
    return false;
}

/* Applies the winner's mesh and shardings to the module, and simulates it once more for the report. */
static bool take_best(tsr_chooser *c, tsr_module *m)
{
    tsr_auto_result *r = c->out;
    tsr_auto_plan *best = &r->plans.data[r->best];
    const tsr_search_mesh named = tsr_auto_mesh_of(r, best);
    tsr_map_free(&c->spelt); /* with other names of axes */
    r->meshes.data[best->mesh] = named;
    TSR_TRY(tsr_auto_open_on(c, m, best->mesh));
    if (!r->local || r->settled != r->best || r->unnamed)
        tsr_auto_settle(c, &r->best, 1);
    if (best->works && !best->compiled)
        tsr_auto_plan_memory(&r->simulated, best);
    r->fits = tsr_auto_fits(r, best);
    tsr_device_file *limited = TSR_NEW(c->arena, tsr_device_file); /* the report shows the limit */
    *limited = *c->request->device;
    limited->memory = r->limit;
    r->simulated.report.device = limited;
    if (!best->works)
        return tsr_status_set(c->status, TSR_BAD_INPUT, "no candidate can be partitioned");
    TSR_TRY(tsr_verify(r->local->op)); /* candidates are not verified individually */
    return (r->fits || does_not_fit(r, c->status)) && tsr_auto_make_plan(c) &&
           tsr_auto_apply(c, &c->whole, c->whole.func, best);
}

/* Shardings that are kept and that are given must not contradict each other: a diagnostic at the argument or result. */
static bool check_given(tsr_module *m, const tsr_shard_request *request, tsr_status *status)
{
    tsr_op *func = (tsr_op *)tsr_entry_find(m, request->function, status);
    TSR_TRY(func != NULL);
    const tsr_block *body = func->regions[0].first;
    for (size_t i = 0; i < request->ngiven; i++) {
        const tsr_shard_given *g = &request->given[i];
        size_t n = g->result ? tsr_entry_type(func)->nout : tsr_entry_type(func)->n;
        tsr_attr *own = g->index >= n || !body ? NULL
                        : g->result            ? tsr_sdy_result_sharding(func, (uint32_t)g->index)
                                               : tsr_sdy_arg_sharding(func, (uint32_t)g->index);
        if (!own)
            continue;
        const tsr_type *type = tsr_entry_type(func);
        const tsr_attr *wanted = tsr_given_sharding(
            m, type->types[g->result ? type->n + g->index : g->index], g->text, status);
        TSR_TRY(wanted != NULL);
        if (wanted != own) {
            tsr_buf what = {0};
            tsr_port_describe(&what, func, g->result, (uint32_t)g->index);
            tsr_error(m->ctx, g->result ? func->loc : body->arg_locs[g->index],
                      "%.*s has a sharding that is kept, and another one is given: '%.*s'",
                      TSR_STR_ARG(tsr_buf_text(&what)), TSR_STR_ARG(g->text));
            tsr_buf_free(&what);
            return false;
        }
    }
    return true;
}

/* Whether two shardings cannot both be kept: they differ, and neither is open. */
static bool contradict(tsr_shardings *table, tsr_attr *a, tsr_attr *b)
{
    const tsr_sharding *both[] = {a ? tsr_sharding_decode(table, a) : NULL,
                                  b ? tsr_sharding_decode(table, b) : NULL};
    bool differ = a != b;
    for (int i = 0; i < 2; i++)
        for (uint32_t d = 0; differ && d < (both[i] ? both[i]->rank : 1); d++)
            differ = both[i] && both[i]->dims[d].closed;
    return differ;
}

/* The number of the result that aliases an argument; -1: none. */
static int64_t aliased_result(const tsr_op *func, uint32_t arg)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *own = tsr_attr_is(all, TSR_ATTR_ARRAY) && arg < all->n ? all->attrs[arg] : NULL;
    const tsr_attr *to = own ? tsr_dict_get(own, TSR_STR("tf.aliasing_output")) : NULL;
    return tsr_attr_is(to, TSR_ATTR_INT) ? to->i : -1;
}

/* Shardings that are kept must not contradict each other: those of a result and of the argument that it aliases, and
 * those of a group. A diagnostic at the second one. */
static bool check_kept(tsr_arena *arena, tsr_module *m, const tsr_op *func)
{
    tsr_shardings table;
    tsr_shardings_init(&table, arena, m->op);
    const tsr_block *body = func->regions[0].first;
    const tsr_type *type = tsr_entry_type(func);
    bool ok = true;
    for (uint32_t i = 0; ok && i < body->nargs; i++) {
        int64_t to = aliased_result(func, i);
        if (to >= 0 && to < (int64_t)type->nout &&
            contradict(&table, tsr_sdy_arg_sharding(func, i),
                       tsr_sdy_result_sharding(func, (uint32_t)to))) {
            tsr_buf what = {0};
            tsr_port_describe(&what, func, false, i);
            tsr_buf_cstr(&what, " and ");
            tsr_port_describe(&what, func, true, (uint32_t)to);
            ok = tsr_error(m->ctx, body->arg_locs[i],
                           "%.*s, which takes its place, have shardings that contradict each "
                           "other",
                           TSR_STR_ARG(tsr_buf_text(&what)));
            tsr_buf_free(&what);
        }
    }
    TSR_VEC(const tsr_op *) seen = {0}; /* the first of each group that has a sharding */
    TSR_OPS ((tsr_op *)func, op) {
        tsr_attr *own = tsr_has_role(op, TSR_ROLE_GROUP) && op->nin == 1
                            ? tsr_sdy_sharding_of(op->in[0].value)
                            : NULL;
        const tsr_op *first = NULL;
        for (size_t i = 0; own && i < seen.n; i++)
            if (seen.data[i]->attrs[SDY_SHARDING_GROUP_group_id] ==
                op->attrs[SDY_SHARDING_GROUP_group_id])
                first = seen.data[i];
        if (own && !first)
            tsr_vec_push(&seen, op);
        if (ok && first && contradict(&table, own, tsr_sdy_sharding_of(first->in[0].value))) {
            ok = tsr_op_error(op, "has a value whose sharding contradicts that of another one of "
                                  "its group");
            tsr_note(m->ctx, first->loc, "the other one is here");
        }
    }
    tsr_vec_free(&seen);
    tsr_shardings_free(&table);
    return ok;
}

/* Whether a plan was found, with all layers, that no other mesh can beat by much. */
static bool is_done(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    uint32_t best = r->best;
    if (takes_more(r, best, NEAR))
        return false;
    if (!r->plans.data[best].settled) {
        tsr_auto_settle(c, &best, 1);
        r->best = tsr_auto_best(r, UINT32_MAX);
    }
    return !takes_more(r, r->settled == UINT32_MAX ? best : r->settled, NEAR);
}

/* The best plan on a mesh; NULL if there is none. */
static const tsr_auto_plan *best_on(const tsr_auto_result *r, uint32_t mesh)
{
    const tsr_auto_plan *best = NULL;
    for (uint32_t i = 0; i < r->plans.n; i++)
        if (r->plans.data[i].mesh == mesh &&
            (!best || tsr_auto_is_better(r, &r->plans.data[i], best)))
            best = &r->plans.data[i];
    return best;
}

/* The best plans of the meshes in which two neighbouring axes of this one are a single axis, the better one first. */
static void best_below(const tsr_auto_result *r, uint32_t mesh, const tsr_auto_plan *best[2])
{
    const tsr_search_mesh *m = &r->meshes.data[mesh];
    for (uint32_t k = 0; k < r->meshes.n; k++) {
        const tsr_search_mesh *x = &r->meshes.data[k];
        for (uint32_t a = 0; a + 1 < m->n && x->n + 1 == m->n; a++) {
            bool is = true;
            for (uint32_t i = 0; i < x->n; i++)
                is &=
                    x->sizes[i] == (i == a ? m->sizes[i] * m->sizes[i + 1] : m->sizes[i + (i > a)]);
            const tsr_auto_plan *p = is ? best_on(r, k) : NULL;
            bool first = p && (!best[0] || tsr_auto_is_better(r, p, best[0]));
            if (first)
                best[1] = best[0];
            if (p && (first || !best[1] || tsr_auto_is_better(r, p, best[1])))
                best[first ? 0 : 1] = p;
        }
    }
}

/* Whether mesh a promises more than b: an axis of a better mesh is divided, or another one of a better mesh as well. */
static bool promises_more(const tsr_auto_result *r, uint32_t a, uint32_t b)
{
    const tsr_auto_plan *x[2] = {NULL, NULL}, *y[2] = {NULL, NULL};
    best_below(r, a, x);
    best_below(r, b, y);
    for (int i = 0; i < 2; i++)
        if (x[i] != y[i])
            return x[i] && (!y[i] || tsr_auto_is_better(r, x[i], y[i]));
    return false;
}

/* The mesh for the solver among those that it has not seen; UINT32_MAX: none. */
static uint32_t most_promising(const tsr_auto_result *r, const bool *seen)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->meshes.n; i++)
        if (!seen[i] && (best == UINT32_MAX || promises_more(r, i, best)))
            best = i;
    return best;
}

/* Estimates from few layers may be far too low: tries the best plans with all layers, until none promises to be much
 * faster than one that was tried so. */
static void settle_best(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    for (int i = 0; i < MOST_SETTLED && !r->plans.data[r->best].settled; i++) {
        uint32_t best = r->best, known = r->settled;
        if (!tsr_auto_fits(r, &r->plans.data[best])) /* the end looks for one that does */
            return;
        if (known != UINT32_MAX && tsr_auto_fits(r, &r->plans.data[known]) &&
            r->plans.data[best].seconds > CLOSE * r->plans.data[known].seconds)
            return;
        tsr_auto_settle(c, &best, 1);
        r->best = tsr_auto_best(r, UINT32_MAX);
    }
}

/* Tries candidates on several meshes, until nothing more can be gained. With three axes the solver's problem is by far
 * the largest: those meshes come last, first the ones that divide an axis of the best mesh with two, and the solver sees
 * them as long as its problems are small. */
static bool search_meshes(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    uint32_t n = (uint32_t)r->meshes.n, ndivided = 0;
    bool *seen = TSR_NEW_ARRAY(c->arena, bool, n);
    for (uint32_t i = 0; i < n; i++) {
        if (r->meshes.data[i].n == MOST_AXES && r->meshes.data[0].n < MOST_AXES)
            continue;
        if (i && (!tsr_auto_time_is_left(c) || is_done(c)))
            return true;
        seen[i] = true;
        TSR_TRY(search_mesh(c, i, n, ALL));
    }
    c->cells = 0;
    settle_best(c);
    for (uint32_t next; (next = most_promising(r, seen)) != UINT32_MAX; ndivided++) {
        if (!tsr_auto_time_is_left(c) || is_done(c))
            return true;
        if (c->cells >= CELLS && ndivided >= MOST_DIVIDED)
            break;
        seen[next] = true;
        TSR_TRY(search_mesh(c, next, n, c->cells < CELLS ? ALL : EXPERTS | CHANGES));
    }
    settle_best(c);
    /* Tries more changes on the best mesh; the experts' plans that are left are the least likely ones. */
    return !tsr_auto_time_is_left(c) || search_mesh(c, r->plans.data[r->best].mesh, 1, CHANGES);
}

/* Tries candidates on the mesh, or on all of them. */
static bool search(tsr_chooser *c, tsr_op *func)
{
    tsr_auto_result *r = c->out;
    if (r->meshes.n > 1)
        return search_meshes(c);
    for (uint32_t i = 0; i < r->meshes.n; i++) {
        if (i && !tsr_auto_time_is_left(c))
            return true;
        TSR_TRY(search_mesh(c, i, 1, ALL));
        bool whole = c->request->plan && c->request->plan->expressible;
        if (r->meshes.n == 1 && !c->fixed && !whole && may_gain(r))
            refine_mesh(r, func);
    }
    return true;
}

/* What the flags of the tools are checked for as well. */
static bool check_request(const tsr_auto_request *r, tsr_status *status)
{
    if (r->devices && (r->devices < TSR_AUTO_LEAST_DEVICES || r->devices > TSR_AUTO_MOST_DEVICES))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "devices: %lld value invalid: " TSR_AUTO_DEVICES " is wanted",
                              (long long)r->devices);
    if (r->axes.len && !r->devices)
        return tsr_status_set(status, TSR_BAD_INPUT, "axes names those of devices, and needs it");
    if (r->devices && r->shard.mesh.len)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "devices cannot be used with mesh, which has them");
    if (r->devices && r->keep)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "keep keeps shardings of one mesh: it cannot be used with devices");
    if (!(r->memory >= 0 && isfinite(r->memory)))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "memory: value invalid: a number of bytes is wanted");
    if (!(r->seconds >= 0 && isfinite(r->seconds)))
        return tsr_status_set(status, TSR_BAD_INPUT, "seconds: value invalid: a time is wanted");
    return true;
}

bool tsr_auto_shard(tsr_arena *arena, tsr_module *m, const tsr_auto_request *asked,
                    tsr_auto_result *out, tsr_status *status)
{
    tsr_auto_request by_number = *asked, *request = &by_number;
    tsr_chooser c = {.request = request, .out = out, .arena = arena, .status = status};
    TSR_TRY(check_request(request, status) && tsr_make_runnable(m, true));
    tsr_op *entry = tsr_entry_keep(m, request->shard.function, status);
    TSR_TRY(entry != NULL && tsr_given_resolve(arena, entry, &request->shard));
    if (tsr_spmd_is_local(m))
        return tsr_status_set(
            status, TSR_BAD_INPUT,
            "the program is that of one device already: there is nothing to shard");
    out->settled = UINT32_MAX;
    out->limit = request->memory > 0 ? request->memory : request->device->memory;
    tsr_auto_set_end(&c, request->seconds);
    c.fixed = tsr_auto_is_manual(m);
    c.own = (request->keep || c.fixed) && !request->shard.mesh.len && !request->devices;
    if (c.fixed && !c.own)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "computations are manual, on the module's own mesh: --mesh and "
                              "--devices cannot give another");
    if (request->devices)
        TSR_TRY(meshes_of_devices(out, request, status));
    else if (!request->shard.mesh.len)
        TSR_TRY(read_mesh(arena, m, out, status));
    if (!request->keep && !c.fixed)
        TSR_TRY(tsr_auto_drop_shardings(m));
    else
        TSR_TRY(check_given(m, &request->shard, status) && check_kept(arena, m, entry));
    if (!request->devices && request->shard.mesh.len) {
        TSR_TRY(tsr_given_mesh(m, request->shard.mesh, status));
        TSR_TRY(read_mesh(arena, m, out, status));
    }
    if (!c.fixed)
        TSR_TRY(tsr_auto_inline(m));
    tsr_module_renumber(m);
    const tsr_op *func = tsr_entry_find(m, request->shard.function, status);
    if (!func || !func->regions[0].first || !func->regions[0].first->last)
        return false;
    out->work = tsr_sim_work((tsr_op *)func);
    tsr_auto_begin(&c, m);
    bool ok = search(&c, (tsr_op *)func);
    if (ok)
        settle(&c);
    ok = ok && tsr_auto_refine(&c) && take_best(&c, m);
    tsr_auto_end(&c);
    return ok;
}

void tsr_auto_free(tsr_auto_result *r)
{
    tsr_simulated_free(&r->simulated);
    if (r->local)
        tsr_module_free(r->local);
    tsr_mesh_plan_free(r->plan);
    tsr_vec_free(&r->meshes);
    tsr_vec_free(&r->plans);
}

/* ---- The public call ---- */

tsr_auto_request tsr_auto_request_of(const tsr_auto_options *o, const tsr_device_file *device)
{
    tsr_auto_request r = {.device = device};
    if (o) {
        tsr_shard_options shard = {o->mesh, o->given, o->ngiven, o->function};
        r.shard = tsr_shard_request_of(&shard, (tsr_str){0});
        r.devices = o->devices;
        r.axes = o->axes;
        r.memory = o->memory;
        r.seconds = o->seconds;
        r.keep = o->keep;
        r.progress = o->progress;
        r.user = o->user;
    }
    return r;
}

static bool auto_text(tsr_module *m, const tsr_auto_options *o, bool json, tsr_buf *out,
                      tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file device = {0};
    tsr_auto_result found = {0};
    tsr_auto_request r = tsr_auto_request_of(o, &device);
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    bool ok = tsr_device_file_load(&arena, o ? o->device : (tsr_str){0}, &device, NULL, status) &&
              tsr_auto_shard(&arena, m, &r, &found, status);
    if (ok && json)
        tsr_auto_json(out, &found);
    else if (ok)
        tsr_auto_text(out, &found, true);
    tsr_auto_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_auto_shard(tsr_module *m, const tsr_auto_options *options, bool json,
                              tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_module *before = tsr_module_copy_borrowed(m);
    bool ok = auto_text(m, options, json, &out, g.status);
    if (!ok)
        tsr_module_restore(m, before);
    tsr_module_free(before);
    return tsr_guard_finish_text(&g, ok, &out);
}
