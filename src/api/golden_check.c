/* SPDX-License-Identifier: Apache-2.0 */
/* golden_check.c - runs of programs that have goldens: on the evaluator, which computes them, and on an engine, to be
 * compared. */
#include "api/golden.h"

#include "eval/file/print.h"
#include "eval/groups.h"
#include "eval/random.h"
#include "exec/program.h"

void *tsr_golden_zeros(size_t n, size_t size)
{
    void *p = tsr_xmalloc((n + 1) * size);
    memset(p, 0, (n + 1) * size);
    return p;
}

/* ---- Inputs ---- */

static bool describe(const tsr_goldens *g, const tsr_module *m, const tsr_op *func,
                     tsr_arena *arena, tsr_parts_run *run, tsr_status *status)
{
    *run = (tsr_parts_run){.replicas = 1, .partitions = 1};
    return !g->parts || tsr_spmd_entry(arena, m, func, run, status);
}

const tsr_type *tsr_golden_input_type(const tsr_goldens *g, tsr_arena *arena, size_t i,
                                      tsr_status *status)
{
    tsr_parts_run run;
    if (!describe(g, g->flat.m, g->flat.func, arena, &run, status))
        return NULL;
    return g->parts && run.in[i].global ? run.in[i].global : tsr_entry_type(g->flat.func)->types[i];
}

/* Whether each device was given its local value of every input for which any was given. */
static bool has_own_inputs(const tsr_goldens *g)
{
    bool any = false;
    for (size_t i = 0; i < g->nin; i++)
        for (size_t d = 0; d < g->flat.devices; d++)
            any |= g->custom[tsr_golden_place(&g->flat, i, d)] != NULL;
    return any;
}

/* Input i of device d: its given value, else the global one. The caller owns a reference; NULL with a status. */
static tsr_tensor *input_of(const tsr_goldens *g, size_t i, size_t d, bool own, tsr_status *status)
{
    tsr_tensor *given = own ? g->custom[tsr_golden_place(&g->flat, i, d)] : NULL;
    given = given ? given : g->inputs[i];
    tsr_arena arena;
    tsr_arena_init(&arena);
    const tsr_type *type = own && g->parts ? tsr_entry_type(g->flat.func)->types[i]
                                           : tsr_golden_input_type(g, &arena, i, status);
    tsr_tensor *t =
        given   ? tsr_tensor_borrow(given)
        : !type ? NULL
        : !tsr_type_is_shaped(type)
            ? tsr_token_new()
            : tsr_random_input_as(g->flat.m, g->flat.func, i, type, g->options.seed + i, status);
    tsr_arena_free(&arena);
    if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for an input%s",
                       tsr_memory_reason().text);
    return t;
}

static void drop(tsr_tensor **all, size_t n)
{
    for (size_t i = 0; all && i < n; i++)
        tsr_tensor_unref(all[i]);
    tsr_free(all);
}

/* ---- Goldens ---- */

static bool evaluate(tsr_goldens *g, tsr_store *store, tsr_status *status)
{
    bool own = has_own_inputs(g), local = own && g->parts;
    size_t devices = local ? g->flat.devices : 1, n = g->nin * devices;
    size_t nout = tsr_entry_type(g->flat.func)->nout;
    tsr_tensor **in = tsr_golden_zeros(n, sizeof *in),
               **out = tsr_golden_zeros(nout * devices, sizeof *out);
    tsr_golden_watch watch = {.flat = &g->flat,
                              .store = store,
                              .custom = g->custom,
                              .progress = g->options.progress,
                              .user = g->options.user};
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    tsr_entry_options how = {
        .run = {.engine = TSR_ENGINE_REFERENCE, .zero_division = TSR_ZERO_IGNORE},
        .watch = tsr_golden_see,
        .enter = tsr_golden_enter,
        .watch_user = &watch,
        .parts = g->parts ? &run : NULL};
    bool ok = describe(g, g->flat.m, g->flat.func, &arena, &run, status);
    run.local = local;
    for (size_t i = 0; ok && i < n; i++)
        ok = (in[i] = input_of(g, i % g->nin, i / g->nin, own, status)) != NULL;
    ok = ok && tsr_entry_run(g->flat.m, g->flat.func, in, g->nin, out, nout, &how, status);
    if (ok)
        tsr_store_own(store);
    tsr_arena_free(&arena);
    drop(in, n);
    drop(out, nout * devices);
    return ok;
}

static tsr_store *compute(tsr_goldens *g, tsr_status *status)
{
    tsr_store *store = tsr_golden_zeros(1, sizeof *store);
    tsr_store_init(store, tsr_golden_places(&g->flat), g->options.max_bytes, g->options.folder);
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, tsr_store_close, store);
    bool ok = evaluate(g, store, status);
    tsr_cleanup_pop(&cleanup);
    if (ok)
        return store;
    tsr_store_free(store);
    tsr_free(store);
    return NULL;
}

bool tsr_golden_ready(tsr_goldens *g, tsr_status *status)
{
    if (!g || g->store)
        return true;
    TSR_GUARD_MODULE(guard, g->flat.m, TSR_READS, status, false)
    g->store = compute(g, guard.status);
    tsr_guard_finish(&guard, g->store != NULL);
    return g->store != NULL;
}

/* ---- Accumulated ---- */

/* The run of a copy that returns all its values. */
typedef struct {
    tsr_goldens *g;
    const tsr_golden_check_options *options;
    tsr_golden_copy copy;
    tsr_golden_result *result;
    bool whole; /* inputs and values are global: the program was partitioned for this run */
    tsr_tensor **values;
    size_t nvalue, devices;
} engine_run;

static tsr_tensor *golden_at(const tsr_goldens *g, size_t slot, size_t d, tsr_status *status)
{
    tsr_tensor *t = tsr_store_get(g->store, tsr_golden_place(&g->flat, slot, d), status);
    if (!t)
        tsr_status_set(status, TSR_BAD_INPUT, "an input is no tensor, and cannot be given");
    return t;
}

static bool run_copy(engine_run *r, tsr_status *status)
{
    tsr_goldens *g = r->g;
    tsr_golden_copy *c = &r->copy;
    size_t nin = g->nin + c->nbypassed, n = nin * r->devices;
    r->nvalue = tsr_entry_type(c->func)->nout;
    r->values = tsr_golden_zeros(r->nvalue * r->devices, sizeof(tsr_tensor *));
    tsr_tensor **in = tsr_golden_zeros(n, sizeof *in);
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    bool parts = g->parts || r->whole;
    tsr_entry_options how = {
        .run = {.engine = r->options->engine, .zero_division = TSR_ZERO_IGNORE},
        .strict = r->options->strict_rounding,
        .parts = parts ? &run : NULL};
    bool ok = !parts || tsr_spmd_entry(&arena, c->m, c->func, &run, status);
    if (parts)
        run.local = !r->whole;
    for (size_t i = 0; ok && i < n; i++) {
        size_t k = i % nin, slot = k < g->nin ? k : c->bypassed[k - g->nin];
        if (tsr_entry_type(c->func)->types[k]->kind == TSR_TYPE_TENSOR)
            ok = (in[i] = golden_at(g, slot, i / nin, status)) != NULL;
    }
    ok = ok && tsr_entry_run(c->m, c->func, in, nin, r->values, r->nvalue, &how, status);
    tsr_arena_free(&arena);
    drop(in, n);
    return ok;
}

/* The slot of a result of the function itself. */
static size_t own_slot(const tsr_goldens *g, size_t i)
{
    const tsr_op *last = g->flat.func->regions[0].first->last;
    return g->flat.slot_of[last->in[i].value->id] - 1;
}

static const tsr_golden_row *row_of_slot(const tsr_goldens *g, size_t slot)
{
    const tsr_value *v = g->flat.value_of[slot];
    return v->is_arg ? NULL : &g->flat.rows[g->flat.row_of[v->op->id] - 1];
}

static bool compare_value(engine_run *r, size_t i, size_t d, tsr_status *status)
{
    tsr_goldens *g = r->g;
    bool own = r->copy.slots[i] == UINT32_MAX;
    size_t k = own ? i + r->copy.nown - r->nvalue : 0;
    size_t slot = own ? own_slot(g, k) : r->copy.slots[i];
    const tsr_tensor *actual = r->values[d * r->nvalue + i];
    if (!tsr_store_has(g->store, tsr_golden_place(&g->flat, slot, d)) || !actual ||
        actual->kind != TSR_TENSOR)
        return true;
    tsr_tensor *expected = golden_at(g, slot, d, status);
    if (!expected)
        return false;
    tsr_golden_line l = {.row = own ? NULL : row_of_slot(g, slot),
                         .index = own ? (uint32_t)k : g->flat.value_of[slot]->index,
                         .device = (uint32_t)d,
                         .bypassed = !own && g->bypass[slot],
                         .was_accumulated = true};
    l.good_accumulated = tsr_golden_judge(r->result, actual, expected, &l.accumulated);
    tsr_tensor_print_type(&l.type, actual);
    tsr_vec_push(&r->result->lines, l);
    tsr_tensor_unref(expected);
    return true;
}

static bool partition(engine_run *r, tsr_status *status)
{
    tsr_golden_copy *c = &r->copy;
    tsr_buf name = {0};
    tsr_buf_str(&name, tsr_op_symbol(c->func));
    tsr_str function = tsr_buf_text(&name);
    bool ok = tsr_spmd_partition(c->m, function, 0, status);
    if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT, "the module cannot be partitioned");
    c->func = ok ? (tsr_op *)tsr_entry_find(c->m, function, status) : NULL;
    tsr_buf_free(&name);
    return c->func != NULL;
}

static bool accumulate(engine_run *r, tsr_status *status)
{
    tsr_golden_expose(&r->g->flat, r->g->bypass, r->options->graph_only, &r->copy);
    r->whole = r->options->partition && !r->g->parts;
    r->devices = r->whole ? 1 : r->g->flat.devices;
    bool ok = (!r->whole || partition(r, status)) && run_copy(r, status);
    for (size_t i = 0; ok && i < r->nvalue; i++)
        for (size_t d = 0; ok && d < r->devices; d++)
            ok = compare_value(r, i, d, status);
    drop(r->values, r->nvalue * r->devices);
    tsr_golden_copy_free(&r->copy);
    return ok;
}

/* ---- Isolated ---- */

typedef struct {
    tsr_goldens *g;
    size_t device;
    tsr_status *status;
} place;

static bool knows(void *user, const tsr_value *v)
{
    const place *p = user;
    size_t slot = p->g->flat.slot_of[v->id];
    return slot && tsr_store_has(p->g->store, tsr_golden_place(&p->g->flat, slot - 1, p->device));
}

static tsr_tensor *fetch(void *user, const tsr_value *v)
{
    const place *p = user;
    return golden_at(p->g, p->g->flat.slot_of[v->id] - 1, p->device, p->status);
}

static tsr_golden_line *find_line(tsr_golden_result *r, const tsr_golden_row *row, uint32_t index,
                                  size_t device, size_t *from)
{
    for (size_t i = *from; i < r->lines.n; i++) {
        tsr_golden_line *l = &r->lines.data[i];
        if (l->row == row && l->index == index && l->device == device)
            return *from = i, l;
        if (!l->row || l->row > row)
            break;
    }
    return NULL;
}

static bool all_known(const place *p, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (!knows((void *)p, &op->out[i]))
            return false;
    return op->nout > 0;
}

/* The result of an op without operands may depend on the device that runs it, which is lost when it runs alone. */
static bool can_be_alone(const tsr_goldens *g, const tsr_golden_row *row)
{
    const tsr_op *op = row->op;
    bool placed = op->nout && tsr_golden_devices(&g->flat, row->first) > 1 && !op->nin &&
                  !tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE));
    return !g->writes && !placed && !tsr_has_effect(op) && !tsr_op_meets(op);
}

/* A value in a region has no line yet: engines do not report it. */
static tsr_golden_line *add_line(engine_run *r, const tsr_golden_row *row, uint32_t index,
                                 size_t device, const tsr_tensor *t)
{
    tsr_golden_line l = {.row = row, .index = index, .device = (uint32_t)device};
    tsr_tensor_print_type(&l.type, t);
    tsr_vec_push(&r->result->lines, l);
    return &r->result->lines.data[r->result->lines.n - 1];
}

static bool isolate_op(engine_run *r, const tsr_golden_row *row, place *p, size_t *from)
{
    tsr_op *op = row->op;
    bool inner = row >= r->g->flat.rows + r->g->flat.nrow, there = all_known(p, op);
    tsr_tensor **out = tsr_golden_zeros(op->nout, sizeof *out);
    tsr_known known = {p, knows, fetch};
    bool alone = can_be_alone(r->g, row) && there &&
                 tsr_run_alone(op, &known,
                               &(tsr_program_options){.strict = r->options->strict_rounding}, out);
    bool ok = true;
    r->result->skipped += !alone && (there || !inner); /* in a region, it may not have run at all */
    for (uint32_t i = 0; alone && ok && i < op->nout; i++) {
        size_t at = *from;
        tsr_golden_line *l = inner ? add_line(r, row, i, p->device, out[i])
                                   : find_line(r->result, row, i, p->device, &at);
        tsr_tensor *expected = l ? fetch(p, &op->out[i]) : NULL;
        ok = !l || expected;
        if (l && expected) {
            l->was_isolated = true;
            l->good_isolated = tsr_golden_judge(r->result, out[i], expected, &l->isolated);
        }
        tsr_tensor_unref(expected);
    }
    drop(out, op->nout);
    return ok;
}

static bool isolate(engine_run *r, tsr_status *status)
{
    const tsr_flat_ops *f = &r->g->flat;
    size_t from = 0;
    for (size_t k = 0; k < f->nall; k++) {
        size_t devices = f->rows[k].op->nout ? tsr_golden_devices(f, f->rows[k].first) : f->devices;
        for (size_t d = 0; d < devices; d++) {
            place p = {r->g, d, status};
            TSR_TRY(isolate_op(r, &f->rows[k], &p, &from));
        }
        while (from < r->result->lines.n && r->result->lines.data[from].row == &f->rows[k])
            from++;
        if (!r->options->progress)
            continue;
        tsr_scope *scope = tsr_scope_suspend();
        bool on = r->options->progress(r->options->user, k + 1, f->nall);
        tsr_scope_resume(scope);
        if (!on)
            return tsr_status_set(status, TSR_BAD_INPUT, "the check was ended");
    }
    tsr_golden_sort(r->result);
    return true;
}

/* ---- The check ---- */

static tsr_str text_of(tsr_buf *b)
{
    tsr_buf_char(b, 0);
    return (tsr_str){b->data, b->len - 1};
}

static bool check(tsr_goldens *g, const tsr_golden_check_options *options, tsr_golden_report *out,
                  tsr_status *status)
{
    static const tsr_golden_check_options none;
    options = options ? options : &none;
    const tsr_tolerance *t = options->tolerance;
    TSR_TRY(tsr_entry_check(options->engine, TSR_ZERO_WARN, status));
    if (!(options->min_pcc <= 1) || (t && !(t->rtol >= 0 && t->atol >= 0)))
        return tsr_status_set(status, TSR_BAD_INPUT, "value invalid for a tolerance");
    tsr_golden_result result = {
        .flat = &g->flat, .tolerance = options->tolerance, .min_pcc = options->min_pcc};
    engine_run r = {.g = g, .options = options, .result = &result};
    bool ok = accumulate(&r, status) &&
              (options->graph_only || options->accumulated_only || isolate(&r, status));
    if (ok) {
        tsr_buf table = {0}, json = {0};
        tsr_golden_table(&result, &table);
        tsr_golden_json(&result, &json);
        *out = (tsr_golden_report){.pass = !tsr_golden_first(&result),
                                   .values = result.lines.n,
                                   .skipped = result.skipped,
                                   .table = text_of(&table),
                                   .json = text_of(&json)};
    }
    tsr_golden_result_free(&result);
    return ok;
}

bool tsr_goldens_check(tsr_goldens *g, const tsr_golden_check_options *options,
                       tsr_golden_report *out, tsr_status *status)
{
    if (out)
        *out = (tsr_golden_report){0};
    TSR_TRY(tsr_golden_ready(g, status));
    TSR_GUARD_IF(guard, g && out, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS,
                 status, (out ? *out = (tsr_golden_report){0} : (tsr_golden_report){0}, false))
    bool ok = check(g, options, out, guard.status);
    tsr_guard_finish(&guard, ok);
    return ok;
}
