/* SPDX-License-Identifier: Apache-2.0 */
/* auto_plan.c - from the result of a search to a plan: which candidates it has, and what they say in terms of the
 * program. */
#include "api/auto_try.h"

#include "api/eval.h"
#include "shard/core/sharding.h"
#include "text/text.h"

tsr_mesh_plan *tsr_mesh_plan_new(void)
{
    tsr_mesh_plan *p = tsr_xmalloc(sizeof *p);
    *p = (tsr_mesh_plan){.device = {"", 0}};
    tsr_arena_init(&p->arena);
    return p;
}

/* ---- Which candidates ---- */

/* Whether a plan comes before another in the list: it fits, and takes less time. */
static bool comes_first(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    bool fits[] = {tsr_auto_fits(r, a), tsr_auto_fits(r, b)};
    return fits[0] != fits[1] ? fits[0] : fits[0] ? a->seconds < b->seconds : a->peak < b->peak;
}

/* The best plan, and those that come next; changes of others only if they are the best. alone: those without pins. */
static void choose_shown(tsr_auto_result *r, bool alone)
{
    r->shown[0] = r->best;
    r->nshown = 1;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        uint32_t at = r->nshown;
        bool same = i == r->best || !p->works || p->origin == TSR_AUTO_FLIP || (alone && p->npin);
        for (uint32_t k = 0; k < r->nshown && !same; k++) {
            const tsr_auto_plan *other = &r->plans.data[r->shown[k]];
            same = other->mesh == p->mesh && other->seconds == p->seconds && other->peak == p->peak;
        }
        if (same)
            continue;
        while (at > 1 && comes_first(r, p, &r->plans.data[r->shown[at - 1]]))
            at--;
        if (at == TSR_MESH_PLAN_CANDIDATES)
            continue;
        uint32_t last = r->nshown < TSR_MESH_PLAN_CANDIDATES ? r->nshown++ : r->nshown - 1;
        memmove(&r->shown[at + 1], &r->shown[at], (last - at) * sizeof *r->shown);
        r->shown[at] = i;
    }
}

bool tsr_auto_refine(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    const tsr_plan_request *q = c->request->plan;
    if (!q)
        return true;
    if (c->fixed)
        return !q->required || tsr_status_set(c->status, TSR_BAD_INPUT,
                                              "computations are manual: there is nothing to plan");
    bool alone = q->pins == TSR_PINS_NONE;
    uint32_t before = r->plans.data[r->best].npin;
    TSR_TRY(!alone || tsr_auto_arguments_alone(c));
    choose_shown(r, alone);
    if (q->candidate >= r->nshown)
        return tsr_status_set(c->status, TSR_BAD_INPUT,
                              "candidate: there is no candidate %zu: there are %u, from 0 on",
                              q->candidate, r->nshown);
    r->chosen = (uint32_t)q->candidate;
    if (r->best != r->shown[r->chosen]) {
        r->best = r->shown[r->chosen];
        r->settled = UINT32_MAX;
        tsr_auto_settle(c, &r->best, 1);
    }
    r->pins =
        (tsr_auto_pins){.before = alone ? before : r->plans.data[r->best].npin, .minimised = alone};
    TSR_TRY(q->pins != TSR_PINS_FEW || tsr_auto_fewer_pins(c, &r->pins));
    r->shown[r->chosen] = r->best;
    return true;
}

/* ---- What they say ---- */

static tsr_str kept(tsr_arena *arena, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(arena, text->data ? text->data : "", text->len), text->len};
    text->len = 0;
    return s;
}

static tsr_str kept_str(tsr_arena *arena, tsr_str s)
{
    return (tsr_str){tsr_arena_copy(arena, s.data ? s.data : "", s.len), s.len};
}

static tsr_str kept_type(tsr_arena *arena, const tsr_type *type)
{
    tsr_str text = tsr_type_print(type), s = kept_str(arena, text);
    tsr_free((void *)text.data);
    return s;
}

typedef struct {
    tsr_chooser *c;
    tsr_mesh_plan *plan;
    const tsr_op *func;
    tsr_shardings table;
    const tsr_op **ops; /* by number */
    tsr_status status;
} maker;

static void dim_text(tsr_buf *out, const tsr_mesh *mesh, const tsr_dim_sharding *dim)
{
    for (uint32_t i = 0; i < dim->axes->n; i++) {
        tsr_axis a = dim->axes->data[i];
        tsr_buf_cstr(out, i ? "+" : "");
        tsr_buf_str(out, tsr_mesh_axis_name(mesh, a.axis)->s);
        if (a.pre != 1 || a.size != mesh->sizes[a.axis])
            tsr_buf_printf(out, ":(%lld)%lld", (long long)a.pre, (long long)a.size);
    }
    tsr_buf_cstr(out, dim->axes->n ? "" : dim->closed ? "_" : "");
    tsr_buf_cstr(out, dim->closed ? "" : "?");
}

/* A sharding that is given or kept, as a text; false: a plan has no words for it. */
static bool sharding_text(maker *k, tsr_attr *given, tsr_buf *out)
{
    const tsr_sharding *s = tsr_sharding_decode(&k->table, given);
    bool ok = s && !s->replicated->n && !s->unreduced->n;
    for (uint32_t d = 0; ok && d < s->rank; d++) {
        tsr_buf_cstr(out, d ? "," : "");
        ok = s->dims[d].priority < 0;
        dim_text(out, s->mesh, &s->dims[d]);
    }
    return ok;
}

/* Whether JAX can say a sharding: whole axes that divide their dimensions. */
static bool is_expressible(const maker *k, const tsr_type *type, tsr_attr *given)
{
    const tsr_sharding *s = tsr_sharding_decode((tsr_shardings *)&k->table, given);
    for (uint32_t d = 0; s && d < s->rank; d++) {
        int64_t size = type->dims[d];
        for (uint32_t i = 0; i < s->dims[d].axes->n; i++) {
            tsr_axis a = s->dims[d].axes->data[i];
            if (a.size != s->mesh->sizes[a.axis])
                return false;
        }
        if (size >= 0 && size % s->dims[d].axes->size)
            return false;
    }
    return true;
}

static void open_text(tsr_buf *out, const tsr_type *type)
{
    for (uint32_t d = 0; tsr_type_is(type, TSR_TYPE_TENSOR) && d < type->n; d++)
        tsr_buf_cstr(out, d ? ",?" : "?");
}

/* The sharding of an argument or a result, as tsr_auto_apply writes it. */
static bool port_sharding(maker *k, const tsr_auto_plan *p, const tsr_search_mesh *mesh,
                          bool result, uint32_t i, tsr_buf *out)
{
    const tsr_type *type = tsr_entry_type(k->func), *own = type->types[result ? type->n + i : i];
    const tsr_chooser *c = k->c;
    tsr_attr *given = result ? tsr_sdy_result_sharding(k->func, i) : c->given[i];
    uint32_t tie = result ? c->whole.tie[i] : i + 1;
    if (!given && tie)
        given = c->given[tie - 1];
    if (!tsr_type_is(own, TSR_TYPE_TENSOR))
        return true;
    tsr_buf what = {0};
    bool spelt = !given || sharding_text(k, given, out);
    bool ok = spelt && !(given && k->plan->expressible && !is_expressible(k, own, given));
    if (!ok) {
        tsr_port_describe(&what, k->func, result, i);
        tsr_status_set(&k->status, TSR_BAD_INPUT,
                       spelt ? "%.*s has a sharding that is not expressible: it has a part of an "
                               "axis, or padding"
                             : "%.*s has a sharding with priorities, or with axes that are "
                               "replicated or unreduced: a plan has no words for it",
                       TSR_STR_ARG(tsr_buf_text(&what)));
    } else if (!given && tie) {
        tsr_layout_text(out, mesh, own, p->args[tie - 1]);
    } else if (!given) {
        open_text(out, own);
    }
    tsr_buf_free(&what);
    return ok;
}

static bool make_ports(maker *k, const tsr_auto_plan *p, tsr_mesh_plan_candidate *out)
{
    const tsr_type *type = tsr_entry_type(k->func);
    const tsr_mesh_plan_candidate *first = &k->plan->candidates[0];
    tsr_arena *arena = &k->plan->arena;
    tsr_buf text = {0};
    bool ok = true;
    out->narg = type->n;
    out->nresult = type->nout;
    out->args = TSR_NEW_ARRAY(arena, tsr_mesh_plan_port, type->n + 1);
    out->results = TSR_NEW_ARRAY(arena, tsr_mesh_plan_port, type->nout + 1);
    for (uint32_t i = 0; ok && i < type->n + type->nout; i++) {
        bool result = i >= type->n;
        uint32_t at = result ? i - type->n : i;
        tsr_mesh_plan_port *to = result ? &out->results[at] : &out->args[at];
        *to = out == first ? tsr_mesh_plan_port_of(arena, k->func, result, at)
              : result     ? first->results[at]
                           : first->args[at];
        ok = port_sharding(k, p, &out->mesh, result, at, &text);
        to->sharding = kept(arena, &text);
    }
    tsr_buf_free(&text);
    return ok;
}

static void make_pin(maker *k, const tsr_auto_plan *p, uint32_t i, const tsr_search_mesh *mesh,
                     tsr_mesh_plan_pin *out)
{
    const tsr_layout_pin *pin = &p->pins[i];
    tsr_arena *arena = &k->plan->arena;
    tsr_ctx *ctx = k->func->module->ctx;
    tsr_buf text = {0};
    *out =
        (tsr_mesh_plan_pin){.number = pin->op - k->func->id, .operand = pin->operand, .group = i};
    const tsr_op *op = k->ops[out->number];
    const tsr_value *v = pin->operand ? op->in[pin->operand - 1].value : &op->out[0];
    out->op = kept_str(arena, op->def->name);
    out->type = kept_type(arena, v->type);
    tsr_value_given_name(&text, v);
    out->name = kept(arena, &text);
    if (ctx->print_attr)
        ctx->print_attr(ctx, &text, tsr_loc_attr(ctx, op->loc));
    out->location = kept(arena, &text);
    if (!tsr_loc_place(&text, ctx, op->loc, true))
        text.len = 0;
    out->source = kept(arena, &text);
    tsr_layout_text(&text, mesh, v->type, pin->layout);
    out->sharding = kept(arena, &text);
    out->without_seconds = out->without_peak = -1;
    tsr_buf_free(&text);
}

/* Pins as apply_pins takes them: those of ops with one result. */
static void make_pins(maker *k, const tsr_auto_plan *p, const tsr_search_mesh *layouts,
                      const tsr_auto_pins *pins, tsr_mesh_plan_candidate *out)
{
    out->pins = TSR_NEW_ARRAY(&k->plan->arena, tsr_mesh_plan_pin, p->npin + 1);
    for (uint32_t i = 0; i < p->npin; i++) {
        const tsr_op *op = k->ops[p->pins[i].op - k->func->id];
        if (op->nout != 1 || (i && p->pins[i].op == p->pins[i - 1].op &&
                              p->pins[i].operand == p->pins[i - 1].operand))
            continue;
        tsr_mesh_plan_pin *to = &out->pins[out->npin++];
        make_pin(k, p, i, layouts, to);
        if (pins && pins->groups) {
            to->group = pins->groups[i].group;
            to->without_seconds = pins->groups[i].seconds;
            to->without_peak = pins->groups[i].peak;
        }
    }
}

/* The mesh without parts of axes. */
static tsr_search_mesh whole_axes(maker *k, const tsr_search_mesh *mesh)
{
    tsr_search_mesh out = {0};
    for (uint32_t a = 0; a < mesh->n; a++) {
        if (mesh->more[a]) {
            out.sizes[out.n - 1] *= mesh->sizes[a];
            continue;
        }
        out.sizes[out.n] = mesh->sizes[a];
        out.names[out.n++] = kept_str(&k->plan->arena, mesh->names[a]);
    }
    return out;
}

static bool make_candidate(maker *k, uint32_t number, tsr_mesh_plan_candidate *out)
{
    const tsr_auto_result *r = k->c->out;
    const tsr_auto_plan *p = &r->plans.data[r->shown[number]];
    const tsr_auto_pins *pins = number == r->chosen ? &r->pins : NULL;
    tsr_search_mesh layouts = tsr_auto_mesh_of(r, p);
    *out = (tsr_mesh_plan_candidate){.name = kept_str(&k->plan->arena, p->name),
                                     .mesh = layouts,
                                     .seconds = p->seconds,
                                     .peak = p->peak < 0 ? 0 : p->peak,
                                     .moved = p->moved < 0 ? 0 : p->moved,
                                     .exposed = p->exposed,
                                     .ncollective = p->ncollective,
                                     .pins_before = pins ? pins->before : p->npin,
                                     .fits = tsr_auto_fits(r, p),
                                     .minimised = pins ? pins->minimised : !p->npin,
                                     .estimated = !p->settled};
    bool ok = make_ports(k, p, out);
    make_pins(k, p, &layouts, pins, out);
    out->mesh = whole_axes(k, &layouts);
    return ok;
}

bool tsr_auto_make_plan(tsr_chooser *c)
{
    const tsr_plan_request *q = c->request->plan;
    tsr_auto_result *r = c->out;
    if (!q || c->fixed)
        return true;
    maker k = {.c = c, .plan = tsr_mesh_plan_new(), .func = c->whole.func};
    tsr_mesh_plan *p = k.plan;
    tsr_shardings_init(&k.table, c->arena, c->whole.module->op);
    tsr_mesh_plan_program_of(k.func, &p->program);
    p->program.function = kept_str(&p->arena, p->program.function);
    p->device = kept_str(&p->arena, q->device.len ? q->device : TSR_STR("h100"));
    p->memory = r->limit;
    p->expressible = q->expressible;
    p->keep = c->request->keep;
    p->pins = q->pins;
    p->chosen = r->chosen;
    p->candidates = TSR_NEW_ARRAY(&p->arena, tsr_mesh_plan_candidate, r->nshown + 1);
    k.ops = TSR_NEW_ARRAY(c->arena, const tsr_op *, p->program.nop + 1);
    uint32_t number = 0;
    TSR_OPS ((tsr_op *)k.func, op)
        k.ops[number++] = op;
    bool ok = true;
    for (; ok && p->n < r->nshown; p->n++)
        ok = make_candidate(&k, p->n, &p->candidates[p->n]);
    tsr_shardings_free(&k.table);
    if (ok)
        r->plan = p;
    else
        tsr_mesh_plan_free(p);
    return ok || !q->required || tsr_status_set(c->status, k.status.code, "%s", k.status.message);
}
