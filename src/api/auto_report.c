/* SPDX-License-Identifier: Apache-2.0 */
/* auto_report.c - the result of a search, as text and as JSON. */
#include "api/auto.h"

#include <math.h>

static bool plan_fits(const tsr_auto_result *r, const tsr_auto_plan *p)
{
    return p->works && p->peak <= r->limit; /* negative: sizes are not known */
}

/* Why a plan is not the winner. */
static void why_text(tsr_buf *out, const tsr_auto_result *r, const tsr_auto_plan *p)
{
    const tsr_auto_plan *best = &r->plans.data[r->best];
    if (p == best) {
        tsr_buf_cstr(out, "chosen");
    } else if (!p->works) {
        tsr_buf_cstr(out, "cannot be partitioned");
    } else if (!plan_fits(r, p)) {
        tsr_buf_quantity(out, p->peak - r->limit, "B");
        tsr_buf_cstr(out, " of memory too much");
    } else if (p->seconds > best->seconds * 1.0005) {
        tsr_buf_report(out, "%.1f %% slower", 100 * (p->seconds / best->seconds - 1));
    } else {
        tsr_buf_cstr(out, p->moved > best->moved ? "receives more" : "takes as long");
    }
}

static void pad_to(tsr_buf *out, size_t from, size_t width)
{
    while (out->len - from < width)
        tsr_buf_char(out, ' ');
}

static void plan_line(tsr_buf *out, const tsr_auto_result *r, const tsr_auto_plan *p)
{
    size_t at = out->len;
    tsr_buf_cstr(out, p->settled ? "  " : " ~");
    tsr_buf_seconds(out, p->works ? p->seconds : -1);
    pad_to(out, at, 11);
    tsr_buf_quantity(out, p->works ? p->peak : -1, "B");
    pad_to(out, at, 21);
    tsr_buf_quantity(out, p->works ? p->moved : -1, "B");
    pad_to(out, at, 31);
    if (r->meshes.n > 1) {
        tsr_search_mesh mesh = tsr_auto_mesh_of(r, p);
        tsr_search_mesh_text(out, &mesh, ", ");
        tsr_buf_cstr(out, "; ");
    }
    tsr_buf_str(out, p->name);
    tsr_buf_cstr(out, ": ");
    why_text(out, r, p);
    tsr_buf_char(out, '\n');
}

/* Orders plans by time, those that do not fit last. */
static bool comes_first(const tsr_auto_result *r, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    if (plan_fits(r, a) != plan_fits(r, b))
        return plan_fits(r, a);
    return a->works != b->works ? a->works : a->seconds < b->seconds;
}

static void candidates_text(tsr_buf *out, const tsr_auto_result *r)
{
    TSR_VEC(uint32_t) order = {0};
    for (uint32_t i = 0; i < r->plans.n; i++) {
        if (r->plans.data[i].origin == TSR_AUTO_FLIP && i != r->best)
            continue;
        tsr_vec_push(&order, i);
        for (size_t k = order.n - 1;
             k && comes_first(r, &r->plans.data[order.data[k]], &r->plans.data[order.data[k - 1]]);
             k--) {
            uint32_t x = order.data[k];
            order.data[k] = order.data[k - 1];
            order.data[k - 1] = x;
        }
    }
    tsr_buf_report(out, "\n%u candidates", (unsigned)r->plans.n);
    if (r->nlayer)
        tsr_buf_report(out, "; ~: estimated from few of %u layers that repeat", r->nlayer);
    if (r->nsolve) {
        tsr_buf_report(out, "\nsolver: %u nodes, %u edges, ", r->nnode, r->nedge);
        tsr_buf_seconds(out, r->solver_seconds);
        if (r->nsolve > 1)
            tsr_buf_report(out, " at most in each of %u runs", r->nsolve);
    }
    tsr_buf_cstr(out, "\n  step     peak      received  plan\n");
    for (size_t i = 0; i < order.n; i++)
        plan_line(out, r, &r->plans.data[order.data[i]]);
    tsr_vec_free(&order);
}

/* How the arguments are divided, with equal ones on one line. */
static void arguments_text(tsr_buf *out, const tsr_auto_result *r)
{
    const tsr_shard_plan *plan = &r->simulated.plan;
    const tsr_auto_plan *best = &r->plans.data[r->best];
    const tsr_search_mesh named = tsr_auto_mesh_of(r, best), *mesh = &named;
    tsr_buf_cstr(out, "\narguments\n");
    for (size_t i = 0; i < plan->args.n; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = plan->args.data[k].type == plan->args.data[i].type &&
                   plan->args.data[k].sharding == plan->args.data[i].sharding;
        if (seen)
            continue;
        uint32_t n = 0;
        for (size_t k = i; k < plan->args.n; k++)
            n += plan->args.data[k].type == plan->args.data[i].type &&
                 plan->args.data[k].sharding == plan->args.data[i].sharding;
        tsr_str type = tsr_type_print(plan->args.data[i].type);
        size_t at = out->len;
        tsr_buf_cstr(out, "  ");
        tsr_layout_text(out, mesh, plan->args.data[i].type, best->args[i]);
        pad_to(out, at, 16);
        tsr_buf_cstr(out, "  ");
        tsr_text_visible(out, plan->args.data[i].name, TSR_VISIBLE_TEXT);
        if (n > 1)
            tsr_buf_report(out, " and %u more", n - 1);
        tsr_buf_cstr(out, ": ");
        tsr_buf_str(out, type);
        tsr_buf_char(out, '\n');
        tsr_free((void *)type.data);
    }
}

/* What the plan is worse by without the group of a pin. */
static void worth_text(tsr_buf *out, const tsr_mesh_plan_candidate *c, const tsr_mesh_plan_pin *p)
{
    if (p->without_seconds < 0)
        return;
    double slower = 100 * (p->without_seconds / c->seconds - 1);
    double larger = c->peak > 0 ? 100 * (p->without_peak / c->peak - 1) : 0;
    bool memory = larger > 5 || slower < 1;
    tsr_buf_report(out, ": without it %s%.1f %%", slower < 0 ? "-" : "+", fabs(slower));
    if (memory)
        tsr_buf_report(out, ", memory %s%.1f %%", larger < 0 ? "-" : "+", fabs(larger));
}

/* The pins of the plan, those of a group on one line. */
static void pins_text(tsr_buf *out, const tsr_mesh_plan *plan)
{
    const tsr_mesh_plan_candidate *c = plan ? tsr_mesh_plan_chosen(plan) : NULL;
    if (!c || !c->pins_before)
        return;
    tsr_buf_report(out, "\npins, %u of %u%s\n", c->npin, c->pins_before,
                   plan->pins == TSR_PINS_NONE ? ": arguments alone"
                   : c->npin || !c->minimised  ? ""
                                               : ": it is no slower without them");
    for (uint32_t i = 0; i < c->npin; i++) {
        const tsr_mesh_plan_pin *p = &c->pins[i];
        uint32_t n = 0;
        bool seen = false;
        for (uint32_t k = 0; k < c->npin; k++) {
            seen |= k < i && c->pins[k].group == p->group;
            n += k > i && c->pins[k].group == p->group;
        }
        if (seen)
            continue;
        size_t at = out->len;
        tsr_buf_cstr(out, "  ");
        tsr_text_visible(out, p->sharding, TSR_VISIBLE_TEXT);
        pad_to(out, at, 16);
        tsr_buf_report(out, "  %s", p->operand ? "operand of " : "");
        tsr_buf_str(out, p->op);
        if (p->source.len) {
            tsr_str place = p->source;
            for (size_t k = place.len; k-- > 0;)
                if (place.data[k] == '/') {
                    place = tsr_str_of(place.data + k + 1, place.len - k - 1);
                    break;
                }
            tsr_buf_cstr(out, " at ");
            tsr_text_visible(out, place, TSR_VISIBLE_TEXT);
        }
        if (n)
            tsr_buf_report(out, " and %u more", n);
        tsr_buf_cstr(out, ": ");
        tsr_buf_str(out, p->type);
        worth_text(out, c, p);
        tsr_buf_char(out, '\n');
    }
}

/* The collectives that move the most bytes, with their causes. */
static void collectives_text(tsr_buf *out, const tsr_auto_result *r)
{
    const tsr_shard_plan *plan = &r->simulated.plan;
    bool *shown = tsr_xmalloc(plan->steps.n + 1);
    memset(shown, 0, plan->steps.n + 1);
    for (int i = 0; i < 5; i++) {
        size_t best = plan->steps.n;
        for (size_t k = 0; k < plan->steps.n; k++)
            if (!shown[k] && !plan->steps.data[k].other_branch && plan->steps.data[k].moved > 0 &&
                (best == plan->steps.n || tsr_plan_step_moved(&plan->steps.data[k]) >
                                              tsr_plan_step_moved(&plan->steps.data[best])))
                best = k;
        if (best == plan->steps.n)
            break;
        const tsr_plan_step *s = &plan->steps.data[best];
        shown[best] = true;
        tsr_buf_cstr(out, i ? "  " : "\ncostliest collectives\n  ");
        tsr_buf_quantity(out, (double)tsr_plan_step_moved(s), "B");
        tsr_buf_cstr(out, "  ");
        tsr_buf_str(out, s->kind);
        if (s->turns != 1)
            tsr_buf_report(out, " x%lld", (long long)s->turns);
        tsr_buf_cstr(out, s->per_turn ? " per turn over " : " over ");
        tsr_buf_str(out, s->axes);
        tsr_buf_cstr(out, ", for ");
        tsr_plan_cause_text(out, s);
        /* A reduction is not needed if the summed dimension is not divided, a gather if its operand is not. */
        tsr_buf_cstr(out, ": it goes if ");
        tsr_buf_str(out, s->axes);
        tsr_buf_cstr(out, " cuts something else there\n");
    }
    tsr_free(shown);
}

void tsr_auto_text(tsr_buf *out, const tsr_auto_result *r, bool explain)
{
    const tsr_auto_plan *best = &r->plans.data[r->best];
    const tsr_search_mesh mesh = tsr_auto_mesh_of(r, best);
    tsr_buf_cstr(out, "mesh ");
    tsr_search_mesh_text(out, &mesh, ", ");
    tsr_buf_cstr(out, "\nplan ");
    tsr_buf_str(out, best->name);
    tsr_buf_char(out, '\n');
    arguments_text(out, r);
    pins_text(out, r->plan);
    tsr_buf_char(out, '\n');
    tsr_sim_text(out, &r->simulated.report);
    if (!explain)
        return;
    collectives_text(out, r);
    candidates_text(out, r);
}

static void plan_json(tsr_buf *out, const tsr_auto_result *r, const tsr_auto_plan *p)
{
    static const char *const origins[] = {"expert", "search", "flip", "given"};
    const tsr_search_mesh mesh = tsr_auto_mesh_of(r, p);
    tsr_buf why = {0};
    tsr_buf_cstr(out, "{\"name\": ");
    tsr_buf_json(out, p->name);
    tsr_buf_report(out, ", \"origin\": \"%s\", \"mesh\": \"", origins[p->origin]);
    tsr_search_mesh_text(out, &mesh, ", ");
    tsr_buf_report(out, "\", \"works\": %s, \"fits\": %s", p->works ? "true" : "false",
                   plan_fits(r, p) ? "true" : "false");
    if (p->works)
        tsr_buf_report(out,
                       ", \"step_seconds\": %.9g, \"peak_bytes\": %.0f, \"received_bytes\": %.0f, "
                       "\"exposed_seconds\": %.9g, \"collectives\": %u",
                       p->seconds, p->peak, p->moved, p->exposed, p->ncollective);
    why_text(&why, r, p);
    tsr_buf_cstr(out, ", \"verdict\": ");
    tsr_buf_json(out, tsr_buf_text(&why));
    tsr_buf_char(out, '}');
    tsr_buf_free(&why);
}

void tsr_auto_json(tsr_buf *out, const tsr_auto_result *r)
{
    const tsr_auto_plan *best = &r->plans.data[r->best];
    const tsr_shard_plan *plan = &r->simulated.plan;
    const tsr_search_mesh named = tsr_auto_mesh_of(r, best), *mesh = &named;
    tsr_buf_cstr(out, "{\n  \"mesh\": \"");
    tsr_search_mesh_text(out, mesh, ", ");
    tsr_buf_report(out, "\",\n  \"memory_bytes\": %.0f,\n  \"layers\": %u,\n", r->limit, r->nlayer);
    tsr_buf_report(out, "  \"nodes\": %u,\n  \"edges\": %u,\n", r->nnode, r->nedge);
    tsr_buf_report(out, "  \"solver_runs\": %u,\n  \"solver_seconds\": %.6g,\n", r->nsolve,
                   r->solver_seconds);
    tsr_buf_report(out,
                   "  \"solver_over_bound\": %.6g,\n  \"mfu\": %.6g,\n  \"plan\": ", r->bound_ratio,
                   tsr_sim_mfu(&r->simulated.report));
    plan_json(out, r, best);
    if (r->plan)
        tsr_buf_report(out, ",\n  \"pins\": %u,\n  \"pins_before\": %u",
                       tsr_mesh_plan_chosen(r->plan)->npin,
                       tsr_mesh_plan_chosen(r->plan)->pins_before);
    tsr_buf_cstr(out, ",\n  \"arguments\": [");
    for (size_t i = 0; i < plan->args.n; i++) {
        tsr_buf text = {0};
        tsr_layout_text(&text, mesh, plan->args.data[i].type, best->args[i]);
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_json(out, tsr_buf_text(&text));
        tsr_buf_free(&text);
    }
    tsr_buf_cstr(out, "],\n  \"argument_names\": [");
    for (size_t i = 0; i < plan->args.n; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_json(out, plan->args.data[i].name);
    }
    tsr_buf_cstr(out, "],\n  \"candidates\": [\n");
    bool first = true;
    for (size_t i = 0; i < r->plans.n; i++) {
        if (r->plans.data[i].origin == TSR_AUTO_FLIP && i != r->best)
            continue;
        tsr_buf_cstr(out, first ? "    " : ",\n    ");
        plan_json(out, r, &r->plans.data[i]);
        first = false;
    }
    tsr_buf_cstr(out, "\n  ]\n}\n");
}
