/* auto.c - see auto.h. */
#include "api/auto_try.h"

#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "shard/core/given.h"

enum {
    MOST_MESHES = 40,
    OPS_TO_TRY = 150000,
    MOST_NODES = 2500, /* of a problem that is searched once more, with parts of axes and padding */
    FEW_LAYERS = 3     /* and one more: what plans are tried with, where layers repeat */
};
#define FAR 1.3         /* from the time of the undivided program by the number of devices */
#define BYTES_COUNT 0.1 /* twice the bytes are as bad as 7 % more time */

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

/* Whether the best plan is far from dividing all of the work among all devices. */
static bool may_gain(const tsr_auto_result *r)
{
    const tsr_auto_plan *all = &r->plans.data[0], *best = &r->plans.data[r->best];
    double devices = 1;
    for (uint32_t a = 0; a < r->meshes.data[0].n; a++)
        devices *= (double)r->meshes.data[0].sizes[a];
    if (r->nnode > MOST_NODES) /* it would take seconds */
        return false;
    return !tsr_auto_fits(r, best) || !all->works || best->seconds > FAR * all->seconds / devices;
}

/* Where axes do not divide what products that matter run along, the mesh is tried with parts of them and with padding, too. */
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
static void find_given(tsr_chooser *c)
{
    uint32_t n = c->whole.func->regions[0].first->nargs;
    c->given = TSR_NEW_ARRAY(c->arena, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        c->given[i] = tsr_sdy_arg_sharding(c->whole.func, i);
}

/* Gives the mesh at hand to the module that plans are tried on. */
static bool open_whole(tsr_chooser *c, tsr_module *m, uint32_t at)
{
    tsr_buf text = {0};
    if (c->mesh != &c->out->meshes.data[at])
        tsr_map_free(&c->spelt);
    c->at = at;
    c->mesh = &c->out->meshes.data[at];
    c->whole = (tsr_auto_stage){.module = m};
    tsr_search_mesh_text(&text, c->mesh, ",");
    tsr_shard_request give = c->request->shard;
    give.mesh = c->own ? (tsr_str){0} : tsr_buf_text(&text);
    bool ok = tsr_shard_give(m, &give, c->status);
    tsr_buf_free(&text);
    tsr_module_renumber(m);
    c->whole.func = ok ? (tsr_op *)tsr_entry_find(m, c->request->shard.function, c->status) : NULL;
    if (!c->whole.func)
        return false;
    find_given(c);
    c->whole.tie = tsr_tied_results(c->arena, c->whole.func);
    return true;
}

/* The function with fewer layers; false: it cannot be had, or arguments that stand for each other are given differently. */
static bool open_small(tsr_chooser *c, const tsr_fold *fold, uint32_t keep, tsr_auto_stage *out)
{
    *out = (tsr_auto_stage){.module = tsr_module_copy_borrowed(c->whole.module), .layers = keep};
    tsr_module_renumber(out->module);
    out->func = (tsr_op *)tsr_entry_find(out->module, c->request->shard.function, NULL);
    bool ok = out->func && tsr_fold_apply(c->arena, fold, out->func, keep, &out->folded);
    for (uint32_t i = 0; ok && i < c->whole.func->regions[0].first->nargs; i++)
        ok = c->given[i] == c->given[out->folded.arg_from[out->folded.arg_to[i]]];
    if (ok)
        out->tie = tsr_tied_results(c->arena, out->func);
    return ok;
}

static void close_small(tsr_chooser *c)
{
    for (uint32_t i = 0; i < TSR_AUTO_SMALL; i++)
        if (c->small[i].module)
            tsr_module_free(c->small[i].module);
    memset(c->small, 0, sizeof c->small);
    c->nsmall = 0;
}

/* Where enough layers repeat, plans are tried with few of them. */
static void fold_layers(tsr_chooser *c)
{
    const tsr_fold *fold = c->fixed ? NULL : tsr_fold_of(c->arena, c->whole.func, FEW_LAYERS + 3);
    if (!fold)
        return;
    c->nlayer = tsr_fold_layers(fold);
    bool ok = true;
    for (uint32_t i = 0; i < TSR_AUTO_SMALL && ok; i++)
        ok = open_small(c, fold, FEW_LAYERS + i, &c->small[i]);
    c->out->nlayer = ok ? c->nlayer : 0;
    if (ok)
        c->nsmall = TSR_AUTO_SMALL;
    else
        close_small(c);
}

static int64_t count_ops(const tsr_op *func)
{
    int64_t n = 0;
    TSR_OPS ((tsr_op *)func, op)
        n += op->nout > 0;
    return n;
}

static int64_t ops_of_a_try(const tsr_chooser *c)
{
    int64_t n = c->nsmall ? 0 : count_ops(c->whole.func);
    for (uint32_t i = 0; i < c->nsmall; i++)
        n += count_ops(c->small[i].func);
    return n;
}

static bool is_refined(const tsr_search_mesh *mesh)
{
    bool split = mesh->pads;
    for (uint32_t a = 0; a < mesh->n; a++)
        split |= mesh->more[a];
    return split;
}

static void try_all(tsr_chooser *c)
{
    tsr_auto_plan whole = {.name = TSR_STR("everything everywhere"), .origin = TSR_AUTO_GIVEN};
    whole.args = TSR_NEW_ARRAY(c->arena, tsr_layout, c->whole.func->regions[0].first->nargs + 1);
    if (c->fixed)
        whole.name = TSR_STR("as it is: computations are manual");
    tsr_auto_consider(c, whole);
    const tsr_auto_plan *undivided = &c->out->plans.data[c->out->plans.n - 1];
    if (undivided->works && !c->out->bytes_count)
        c->out->bytes_count = undivided->starting > undivided->seconds / 2 ? BYTES_COUNT : 0;
    if (c->fixed)
        return;
    if (!c->request->no_search)
        tsr_auto_try_search(c);
    if (!c->request->no_experts && !is_refined(c->mesh)) /* experts take axes as they are */
        tsr_auto_try_experts(c);
    tsr_auto_try_changes(c);
}

/* share: among how many meshes the candidates that may be tried are shared. */
static bool search_mesh(tsr_chooser *c, const tsr_module *m, uint32_t at, size_t share)
{
    tsr_module *copy = tsr_module_copy_borrowed((tsr_module *)m);
    bool ok = open_whole(c, copy, at);
    if (ok) {
        c->least.works = false;
        fold_layers(c);
        c->classes = tsr_classes_of(c->arena, c->whole.func, c->whole.tie);
        tsr_auto_given(c, &c->whole, &c->given_layouts);
        c->budget = OPS_TO_TRY / (ops_of_a_try(c) * (int64_t)share + 1);
        c->budget = c->budget < 24 ? 24 : c->budget > 600 ? 600 : c->budget;
        try_all(c);
    }
    close_small(c);
    tsr_module_free(copy);
    return ok;
}

/* Estimates with few layers are within some percent of what all of them take: a plan that is slower by more cannot win. */
static bool may_win(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return !r->local || !tsr_auto_fits(r, &r->plans.data[r->settled]) ||
           p->seconds < 1.1 * r->plans.data[r->settled].seconds;
}

/* Tries the best plan of some origins with all layers, until the best was, or cannot win. */
static bool settle_best(tsr_chooser *c, const tsr_module *m, uint32_t origins, int tries)
{
    tsr_auto_result *r = c->out;
    for (bool ok = true; tries-- > 0;) {
        uint32_t next = tsr_auto_best(r, origins);
        if (next == UINT32_MAX || r->plans.data[next].settled || !may_win(r, &r->plans.data[next]))
            return true;
        tsr_module *copy = tsr_module_copy_borrowed((tsr_module *)m);
        ok = open_whole(c, copy, r->plans.data[next].mesh);
        if (ok)
            tsr_auto_settle(c, next);
        tsr_module_free(copy);
        TSR_TRY(ok);
    }
    return true;
}

/* What was found with few layers is tried with all of them; the experts', too: nothing that wins is worse than these. */
static bool settle(tsr_chooser *c, const tsr_module *m)
{
    tsr_auto_result *r = c->out;
    uint32_t search = 1u << TSR_AUTO_SEARCH | 1u << TSR_AUTO_GIVEN, experts = 1u << TSR_AUTO_EXPERT;
    TSR_TRY(settle_best(c, m, UINT32_MAX, 3) && settle_best(c, m, search, 2) &&
            settle_best(c, m, experts, 5));
    uint32_t best = UINT32_MAX;
    for (int tries = 0; tries < 8; tries++) { /* until something fits */
        for (uint32_t i = 0; i < r->plans.n; i++)
            if (r->plans.data[i].settled &&
                (best == UINT32_MAX ||
                 tsr_auto_is_better(r, &r->plans.data[i], &r->plans.data[best])))
                best = i;
        if (best != UINT32_MAX && tsr_auto_fits(r, &r->plans.data[best]))
            break;
        TSR_TRY(settle_best(c, m, UINT32_MAX, 1));
    }
    r->best = best == UINT32_MAX ? tsr_auto_best(r, UINT32_MAX) : best;
    return true;
}

/* Says what would be needed, and what fills it. */
static bool does_not_fit(const tsr_auto_result *r, tsr_status *status)
{
    const tsr_auto_plan *p = &r->plans.data[r->best];
    const tsr_plan_alive *most = NULL;
    for (size_t i = 0; i < r->simulated.sim.alive.n; i++)
        if (!most || r->simulated.sim.alive.data[i].bytes > most->bytes)
            most = &r->simulated.sim.alive.data[i];
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
static bool take_best(tsr_chooser *c, tsr_module *m)
{
    tsr_auto_result *r = c->out;
    tsr_auto_plan *best = &r->plans.data[r->best];
    if (!open_whole(c, m, best->mesh))
        return false;
    if (!r->local || r->settled != r->best)
        tsr_auto_settle(c, r->best);
    r->fits = tsr_auto_fits(r, best);
    tsr_device *limited = TSR_NEW(c->arena, tsr_device); /* the report tells what may be taken */
    *limited = *c->request->device;
    limited->memory = r->limit;
    r->simulated.report.device = limited;
    if (!best->works)
        return tsr_status_set(c->status, TSR_BAD_INPUT, "no candidate can be partitioned");
    TSR_TRY(tsr_verify(r->local->op)); /* candidates are not verified one by one */
    return (r->fits || does_not_fit(r, c->status)) &&
           tsr_auto_apply(c, &c->whole, c->whole.func, best);
}

/* What is kept and what is given must not contradict each other: a diagnostic at the argument or result. */
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
        if (wanted != own)
            return tsr_error(m->ctx, g->result ? func->loc : body->arg_locs[g->index],
                             "%s %zu has a sharding that is kept, and another one is given: '%.*s'",
                             g->result ? "result" : "argument", g->index, TSR_STR_ARG(g->text));
    }
    return true;
}

/* Whether two shardings cannot both be kept: they differ, and nothing in them is open. */
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

/* The number of the result that takes the place of an argument; -1: none. */
static int64_t aliased_result(const tsr_op *func, uint32_t arg)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *own = tsr_attr_is(all, TSR_ATTR_ARRAY) && arg < all->n ? all->attrs[arg] : NULL;
    const tsr_attr *to = own ? tsr_dict_get(own, TSR_STR("tf.aliasing_output")) : NULL;
    return tsr_attr_is(to, TSR_ATTR_INT) ? to->i : -1;
}

/* Shardings that are kept must not contradict each other: those of a result and of the argument in whose place it is written, and those
 * of a group. A diagnostic at the second one. */
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
                       tsr_sdy_result_sharding(func, (uint32_t)to)))
            ok = tsr_error(m->ctx, body->arg_locs[i],
                           "argument %u and result %lld, which takes its place, have shardings "
                           "that contradict each other",
                           i, (long long)to);
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

bool tsr_auto_shard(tsr_arena *arena, tsr_module *m, const tsr_auto_request *request,
                    tsr_auto_result *out, tsr_status *status)
{
    tsr_chooser c = {.request = request, .out = out, .arena = arena, .status = status};
    TSR_TRY(tsr_make_runnable(m, true));
    const tsr_op *entry = tsr_entry_keep(m, request->shard.function, status);
    TSR_TRY(entry != NULL);
    if (tsr_spmd_is_local(m))
        return tsr_status_set(
            status, TSR_BAD_INPUT,
            "the program is that of one device already: there is nothing to shard");
    out->limit = request->memory > 0 ? request->memory : request->device->memory;
    tsr_auto_set_end(&c, request->seconds);
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
    else
        TSR_TRY(check_given(m, &request->shard, status) && check_kept(arena, m, entry));
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
    for (uint32_t i = 0; i < out->meshes.n; i++) {
        TSR_TRY((i && !tsr_auto_time_is_left(&c)) ||
                search_mesh(&c, m, i, request->devices ? out->meshes.n : 1));
        if (out->meshes.n == 1 && !c.fixed && may_gain(out))
            refine_mesh(out, (tsr_op *)func);
    }
    if (request->devices && out->meshes.n > 1 &&
        tsr_auto_time_is_left(&c)) /* more of the best one */
        TSR_TRY(search_mesh(&c, m, out->plans.data[out->best].mesh, 1));
    bool ok = settle(&c, m) && take_best(&c, m);
    tsr_map_free(&c.spelt);
    return ok;
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
    tsr_auto_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_auto_shard(tsr_module *m, const tsr_auto_options *options, bool json,
                              tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = auto_text(m, options, json, &out, g.status);
    return tsr_guard_finish_text(&g, ok, &out);
}
