/* SPDX-License-Identifier: Apache-2.0 */
/* auto_pins.c - fewer pins: those of a plan are dropped as long as the step takes hardly longer without them, halves of
 * them first, then one group after the other. A group is what a person would write as one line: the pins of a source
 * line with one sharding, in all layers that repeat. What is tried does not depend on the number of threads. */
#include "api/auto_try.h"

#include <math.h>

#define SLOWER 1.01 /* times the step of the plan with all pins */
#define LARGER 1.05 /* the same for memory */

enum {
    OPS_TO_PRUNE = 400000, /* of all tries together */
    LEAST_TRIES = 24,
    MOST_TRIES = 400,
    FEW = 2, /* tried at once while they succeed; else */
    MANY = 8
};

typedef struct {
    tsr_chooser *c;
    const tsr_auto_plan *full;
    uint32_t *group; /* by pin */
    uint32_t ngroup;
    bool *kept;     /* by group */
    uint32_t *left; /* the kept groups, in program order */
    uint32_t nleft;
    double most_seconds, least_seconds, most_peak;
    int64_t tries;  /* that are left */
    uint32_t drops; /* that succeeded */
    /* Of each group: a step without it, and how many drops had succeeded then; negative: not tried. */
    double *seconds, *peak;
    int64_t *at;
} pruning;

/* ---- Groups ---- */

typedef struct {
    const tsr_op *op;
    const tsr_value *value;
    const tsr_layout_pin *pin;
    uint32_t like; /* the op that represents it in a function with few layers; 0: none */
    uint32_t index;
} grouped;

static bool one_line(const grouped *a, const grouped *b)
{
    tsr_ctx *ctx = a->op->module->ctx;
    tsr_str files[2];
    uint32_t lines[2], cols[2];
    return a->value->type == b->value->type && tsr_layout_eq(a->pin->layout, b->pin->layout) &&
           tsr_loc_position(ctx, a->op->loc, &files[0], &lines[0], &cols[0]) &&
           tsr_loc_position(ctx, b->op->loc, &files[1], &lines[1], &cols[1]) &&
           lines[0] == lines[1] && tsr_str_eq(files[0], files[1]);
}

static uint64_t line_hash(const grouped *g)
{
    tsr_str file;
    uint32_t line = 0, col;
    tsr_loc_position(g->op->module->ctx, g->op->loc, &file, &line, &col);
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(g->value->type), line);
    return tsr_hash_mix(h, tsr_hash_bytes(&g->pin->layout, sizeof g->pin->layout));
}

static bool one_layer_op(const grouped *a, const grouped *b)
{
    return a->like && a->like == b->like && a->pin->operand == b->pin->operand;
}

/* Joins a pin with the first one of its kind in the layers, and with the first one of its line. */
static void join_alike(tsr_map *met, uint32_t *parent, grouped *g, bool lines)
{
    const uint64_t hashes[] = {tsr_hash_mix(g->like + 1, g->pin->operand), line_hash(g)};
    for (int way = 0; way < (lines ? 2 : 1); way++) {
        bool found = false;
        TSR_MAP_EACH (met, hashes[way], x) {
            const grouped *other = x;
            if (!found && (way ? one_line(other, g) : one_layer_op(other, g))) {
                tsr_auto_join(parent, other->index, g->index);
                found = true;
            }
        }
        if (!found)
            tsr_map_put(met, hashes[way], g);
    }
}

static void find_groups(pruning *p, bool lines)
{
    tsr_chooser *c = p->c;
    uint32_t n = p->full->npin, next = 0;
    uint32_t *parent = TSR_NEW_ARRAY(c->arena, uint32_t, n + 1);
    tsr_map met = {0};
    p->group = TSR_NEW_ARRAY(c->arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i;
    TSR_OPS (c->whole.func, op)
        for (; next < n && p->full->pins[next].op <= op->id; next++) {
            const tsr_layout_pin *pin = &p->full->pins[next];
            if (pin->op < op->id || (pin->operand ? pin->operand > op->nin : op->nout != 1))
                continue; /* there is no such op; or, as apply_pins has it, the pin says nothing */
            grouped *g = TSR_NEW(c->arena, grouped);
            *g = (grouped){.op = op, .pin = pin, .index = next};
            g->value = pin->operand ? op->in[pin->operand - 1].value : &op->out[0];
            g->like = c->nsmall ? c->small[0].folded.op_to[op->id] : 0;
            join_alike(&met, parent, g, lines);
        }
    uint32_t *numbers = TSR_NEW_ARRAY(c->arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = tsr_auto_root(parent, i);
        numbers[i] = root == i ? p->ngroup++ : numbers[root];
        p->group[i] = numbers[i];
    }
    tsr_map_free(&met);
}

/* ---- Trying ---- */

/* The plan with the pins of the groups that are kept, but for `drop` of the left ones from `first` on. */
static tsr_auto_plan plan_without(const pruning *p, tsr_arena *arena, uint32_t first, uint32_t drop)
{
    tsr_auto_plan plan = *p->full;
    bool *gone = TSR_NEW_ARRAY(arena, bool, p->ngroup + 1);
    for (uint32_t i = first; i < first + drop && i < p->nleft; i++)
        gone[p->left[i]] = true;
    plan.pins = TSR_NEW_ARRAY(arena, tsr_layout_pin, plan.npin + 1);
    plan.npin = 0;
    for (uint32_t i = 0; i < p->full->npin; i++)
        if (p->kept[p->group[i]] && !gone[p->group[i]])
            plan.pins[plan.npin++] = p->full->pins[i];
    plan.settled = false;
    return plan;
}

typedef struct {
    const pruning *p;
    uint32_t first, drop;
    bool works;
    double seconds, peak;
} attempt;

static bool try_without(tsr_chooser *c, int64_t i, void *user)
{
    attempt *a = (attempt *)user + i;
    tsr_arena arena;
    TSR_TRY(tsr_auto_open(c, a->p->full->mesh, true));
    tsr_arena_init(&arena);
    tsr_auto_plan plan = plan_without(a->p, &arena, a->first, a->drop);
    tsr_auto_estimate(c, &plan);
    a->works = plan.works;
    a->seconds = plan.seconds;
    a->peak = plan.peak;
    tsr_arena_free(&arena);
    return true;
}

static bool is_good(const pruning *p, const attempt *a)
{
    return a->works && a->seconds <= p->most_seconds && a->seconds >= p->least_seconds &&
           a->peak <= p->most_peak;
}

/* Takes groups out of those that are left. */
static void drop(pruning *p, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++)
        p->kept[p->left[i]] = false;
    memmove(p->left + first, p->left + first + n, (p->nleft - first - n) * sizeof *p->left);
    p->nleft -= n;
    p->drops++;
}

static void note_single(pruning *p, const attempt *a)
{
    uint32_t g = p->left[a->first];
    p->seconds[g] = a->works ? a->seconds : -1;
    p->peak[g] = a->peak;
    p->at[g] = a->works ? (int64_t)p->drops : -1;
}

/* Tries to drop parts of so many groups, from the first to the last. */
static void drop_parts(pruning *p, uint32_t size)
{
    uint32_t i = 0, wave = FEW;
    while (i < p->nleft && p->tries > 0 && tsr_auto_time_is_left(p->c)) {
        attempt all[MANY];
        uint32_t n = 0, good = 0;
        for (uint32_t at = i; n < wave && at < p->nleft; at += size) {
            uint32_t some = p->nleft - at < size ? p->nleft - at : size;
            all[n++] = (attempt){.p = p, .first = at, .drop = some};
        }
        tsr_auto_each(p->c, n, try_without, all);
        p->tries -= n;
        while (good < n && !is_good(p, &all[good])) {
            if (all[good].drop == 1)
                note_single(p, &all[good]);
            good++;
        }
        i = good < n ? all[good].first : all[n - 1].first + all[n - 1].drop;
        if (good < n)
            drop(p, all[good].first, all[good].drop);
        wave = good < n ? FEW : MANY;
    }
}

/* What each group that is left is worth, where that was not found while trying to drop it. */
static void weigh(pruning *p)
{
    attempt *all = TSR_NEW_ARRAY(p->c->arena, attempt, p->nleft + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->nleft && n < LEAST_TRIES; i++)
        if (p->at[p->left[i]] != (int64_t)p->drops)
            all[n++] = (attempt){.p = p, .first = i, .drop = 1};
    tsr_auto_each(p->c, n, try_without, all);
    for (uint32_t i = 0; i < n; i++)
        note_single(p, &all[i]);
    for (uint32_t i = 0; i < p->nleft; i++)
        if (p->at[p->left[i]] != (int64_t)p->drops)
            p->seconds[p->left[i]] = -1; /* measured with other pins */
}

/* lines: pins of one source line go together; else only those of one op in all layers. */
static void begin(pruning *p, tsr_chooser *c, const tsr_auto_plan *full, bool lines)
{
    *p = (pruning){.c = c, .full = full};
    find_groups(p, lines);
    p->kept = TSR_NEW_ARRAY(c->arena, bool, p->ngroup + 1);
    p->left = TSR_NEW_ARRAY(c->arena, uint32_t, p->ngroup + 1);
    p->seconds = TSR_NEW_ARRAY(c->arena, double, p->ngroup + 1);
    p->peak = TSR_NEW_ARRAY(c->arena, double, p->ngroup + 1);
    p->at = TSR_NEW_ARRAY(c->arena, int64_t, p->ngroup + 1);
    for (uint32_t g = 0; g < p->ngroup; g++) {
        p->kept[g] = true;
        p->left[p->nleft++] = g;
        p->seconds[g] = p->peak[g] = -1;
        p->at[g] = -1;
    }
    p->tries = OPS_TO_PRUNE / (tsr_auto_ops_of_a_try(c) + 1);
    p->tries = p->tries < LEAST_TRIES ? LEAST_TRIES : p->tries > MOST_TRIES ? MOST_TRIES : p->tries;
}

/* Drops what can be dropped. */
static void prune(pruning *p)
{
    for (uint32_t size = p->nleft; p->nleft && p->tries > 0; size = (size + 1) / 2) {
        uint32_t before = p->drops;
        drop_parts(p, size);
        if (size <= 1 && p->drops == before) /* else others may not be needed any more */
            break;
    }
}

/* The numbers of pins' groups count from 0 in program order, with what they are worth. */
static void record(const pruning *p, uint32_t before, tsr_auto_plan *plan, tsr_auto_pins *out)
{
    uint32_t *number = TSR_NEW_ARRAY(p->c->arena, uint32_t, p->ngroup + 1), n = 0, ngroup = 0;
    *out = (tsr_auto_pins){.before = before, .minimised = true};
    out->groups = TSR_NEW_ARRAY(p->c->arena, tsr_auto_pin_group, p->full->npin + 1);
    for (uint32_t i = 0; i < p->full->npin; i++) {
        uint32_t g = p->group[i];
        if (!p->kept[g])
            continue;
        number[g] = number[g] ? number[g] : ++ngroup;
        out->groups[n++] = (tsr_auto_pin_group){number[g] - 1, p->seconds[g], p->peak[g]};
    }
    *plan = plan_without(p, p->c->arena, 0, 0);
}

/* The candidate with the fewest pins among those about as good as the best one: less is left to drop. */
static tsr_auto_plan leanest(const tsr_auto_result *r, const tsr_auto_plan *best)
{
    tsr_auto_plan lean = *best;
    for (uint32_t i = 0; i < r->plans.n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        if (p->mesh == best->mesh && p->npin < lean.npin && tsr_auto_fits(r, p) &&
            p->seconds <= best->seconds * (1 + (SLOWER - 1) / 2) &&
            p->peak <= best->peak * (1 + (LARGER - 1) / 2))
            lean = *p;
    }
    lean.settled = false;
    return lean;
}

/* Starts anew with another plan that is good enough; false: it is not. */
static bool start_with(pruning *p, const tsr_auto_plan *lean)
{
    pruning q;
    begin(&q, p->c, lean, true);
    q.most_seconds = p->most_seconds;
    q.least_seconds = p->least_seconds;
    q.most_peak = p->most_peak;
    attempt all = {.p = &q};
    tsr_auto_each(p->c, 1, try_without, &all);
    if (!is_good(&q, &all))
        return false;
    *p = q;
    return true;
}

/* Drops the pins of whole lines, and of those that are left single ones. slower, larger: shares of time and memory that
 * the plan may get worse by. False: nothing was dropped. */
static bool make_few(tsr_chooser *c, const tsr_auto_plan *full, double slower, double larger,
                     tsr_auto_plan *few, tsr_auto_pins *out)
{
    pruning p;
    begin(&p, c, full, true);
    attempt all = {.p = &p};
    tsr_auto_each(c, 1, try_without, &all); /* of all, as it is estimated now */
    if (!all.works)
        return false;
    p.most_seconds = all.seconds * slower;
    /* Where few layers promise much less time than before, they behave otherwise than all. */
    p.least_seconds = c->nsmall ? all.seconds / SLOWER : 0;
    p.most_peak = all.peak * larger;
    if (all.peak <= c->out->limit && p.most_peak > c->out->limit)
        p.most_peak = c->out->limit;
    const tsr_auto_plan lean = leanest(c->out, full);
    bool dropped = !c->request->plan->candidate && lean.npin < full->npin && start_with(&p, &lean);
    prune(&p);
    dropped |= p.drops > 0;
    pruning lines = p;
    const tsr_auto_plan left = plan_without(&p, c->arena, 0, 0);
    begin(&p, c, &left, false);
    p.most_seconds = lines.most_seconds;
    p.least_seconds = lines.least_seconds;
    p.most_peak = lines.most_peak;
    p.tries = lines.tries;
    prune(&p);
    weigh(&p);
    record(&p, full->npin, few, out);
    return dropped || p.drops;
}

/* Whether a plan that was tried with all layers is about as good as the one with all pins. */
static bool is_as_good(const tsr_auto_result *r, const tsr_auto_plan *few,
                       const tsr_auto_plan *full)
{
    return few->works && few->seconds <= full->seconds * SLOWER &&
           few->peak <= full->peak * LARGER && (tsr_auto_fits(r, few) || !tsr_auto_fits(r, full));
}

static void settle_anew(tsr_chooser *c, uint32_t plan)
{
    c->out->settled = UINT32_MAX; /* its program is the one to be kept */
    tsr_auto_settle(c, &plan, 1);
    c->out->best = plan;
}

bool tsr_auto_fewer_pins(tsr_chooser *c, tsr_auto_pins *out)
{
    tsr_auto_result *r = c->out;
    uint32_t from = r->best;
    const tsr_auto_plan full = r->plans.data[from];
    *out = (tsr_auto_pins){.before = full.npin, .minimised = true};
    if (!full.npin || !full.works)
        return true;
    TSR_TRY(tsr_auto_open(c, full.mesh, true));
    if (!full.settled)
        settle_anew(c, from);
    static const double shares[] = {
        1, 0.5, 0.2, 0}; /* of what it may lose: estimates from few layers may be off */
    for (size_t i = 0; i < TSR_COUNT(shares); i++) {
        tsr_auto_plan few;
        if (!make_few(c, &full, 1 + (SLOWER - 1) * shares[i], 1 + (LARGER - 1) * shares[i], &few,
                      out)) {
            if (!i)
                return true;
            break;
        }
        tsr_vec_push(&r->plans, few);
        settle_anew(c, (uint32_t)r->plans.n - 1);
        if (is_as_good(r, &r->plans.data[r->best], &r->plans.data[from]))
            return true;
    }
    *out = (tsr_auto_pins){.before = full.npin};
    if (r->best != from || r->settled != from)
        settle_anew(c, from);
    return true;
}
