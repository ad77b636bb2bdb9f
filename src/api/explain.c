/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - see explain.h, and the public calls. */
#include "api/explain.h"

#include "api/eval.h"
#include "api/guard.h"
#include "api/spmd.h"
#include "dialect/sdy/sharding.h"
#include "text/hlo/hlo.h"
#include "text/text.h"

tsr_str tsr_explain_keep(tsr_arena *arena, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(arena, tsr_buf_text(text).data, text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* ---- Collectives by place ---- */

static bool same_row(const tsr_explain_row *a, const tsr_explain_row *b)
{
    return tsr_str_eq(a->kind, b->kind) && tsr_str_eq(a->place, b->place) &&
           tsr_str_eq(a->cause, b->cause) && tsr_str_eq(a->maker, b->maker) &&
           tsr_str_eq(a->name, b->name) && a->devices == b->devices && a->sliced == b->sliced &&
           a->turns == b->turns && a->narrow == b->narrow;
}

static uint64_t row_hash(const tsr_explain_row *r)
{
    uint64_t h = tsr_hash_mix(tsr_hash_str(r->place), tsr_hash_str(r->cause));
    h = tsr_hash_mix(h, tsr_hash_mix(tsr_hash_str(r->maker), tsr_hash_str(r->name)));
    return tsr_hash_mix(h, tsr_hash_mix(tsr_hash_str(r->kind), (uint64_t)r->turns));
}

/* met: numbers of rows, counted from 1, by their hashes. */
static void add_row(tsr_map *met, tsr_explain_rows *rows, const tsr_explain_row *row)
{
    uint64_t hash = row_hash(row);
    TSR_MAP_EACH (met, hash, number) {
        tsr_explain_row *r = &rows->data[(uintptr_t)number - 1];
        if (same_row(r, row)) {
            if (tsr_type_num_elements(row->type) > tsr_type_num_elements(r->type))
                r->type = row->type;
            r->moved += row->moved;
            r->seconds += row->seconds;
            r->number += row->number;
            return;
        }
    }
    tsr_vec_push(rows, *row);
    tsr_map_put(met, hash, (void *)(uintptr_t)rows->n);
}

static int by_cost(const void *a, const void *b)
{
    const tsr_explain_row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->moved != y->moved ? (x->moved < y->moved ? 1 : -1) : tsr_str_cmp(x->place, y->place);
}

/* Row i of a collective. One that was combined of several has a row for each of its values, with their share of bytes. */
static tsr_explain_row row_of(const tsr_explain *x, const tsr_plan_step *s, uint32_t i, uint32_t n)
{
    double all = 0, own = 1;
    for (uint32_t k = 0; n > 1 && k < n; k++)
        all += (double)tsr_type_num_elements(s->op->out[k].type);
    if (n > 1)
        own = all > 0 ? (double)tsr_type_num_elements(s->op->out[i].type) / all : 1.0 / n;
    tsr_explain_row row = {.kind = s->kind,
                           .axes = s->axes,
                           .type = n > 1 ? s->op->out[i].type : s->type,
                           .devices = s->devices,
                           .turns = s->turns,
                           .moved = (int64_t)((double)tsr_plan_step_moved(s) * own + 0.5),
                           .number = 1,
                           .in_loop = s->in_loop,
                           .per_turn = s->per_turn};
    if (x->device)
        row.seconds = own * (double)s->turns * tsr_sim_collective_seconds(x->device, s->op);
    tsr_explain_cause(x->arena, s, i, &row);
    return row;
}

/* Takes a share of the row's bytes and seconds off the row, and off the totals. */
static void take_off(tsr_explain_row *row, tsr_explain_found *out, double share)
{
    int64_t bytes = (int64_t)((double)row->moved * share);
    double seconds = row->seconds * share;
    row->moved -= bytes;
    row->seconds -= seconds;
    out->moved -= out->moved >= bytes ? bytes : 0;
    out->talking -= seconds;
}

/* as_meant: a sum of which each device reads a part counts as the reduce_scatter that XLA makes of it, and values that
 * XLA widened count as what the program has. */
static void add_rows(const tsr_explain *x, const tsr_shard_plan *plan, bool as_meant,
                     tsr_explain_found *out)
{
    tsr_map met = {0};
    for (size_t k = 0; k < plan->steps.n; k++) {
        const tsr_plan_step *s = &plan->steps.data[k];
        uint32_t n = s->op->nout > 1 && s->op->nout == s->op->nin ? s->op->nout : 1;
        for (uint32_t i = 0; !s->other_branch && i < n; i++) {
            tsr_explain_row row = row_of(x, s, i, n);
            if (row.sliced &&
                as_meant) /* half of the bytes and of the steps: the other half is the gather */
                take_off(&row, out, 0.5);
            if (row.narrow && as_meant)
                take_off(&row, out,
                         1 - (double)tsr_type_storage_bits(row.narrow) /
                                 (double)tsr_type_storage_bits(row.type->elem));
            add_row(&met, &out->rows, &row);
        }
    }
    tsr_map_free(&met);
    if (out->rows.n)
        qsort(out->rows.data, out->rows.n, sizeof *out->rows.data, by_cost);
}

void tsr_explain_look(tsr_arena *arena, const tsr_device_file *device, const tsr_shard_plan *plan,
                      tsr_look *look)
{
    tsr_explain x = {.arena = arena, .device = device};
    tsr_explain_found found = {.step = 0};
    add_rows(&x, plan, false, &found);
    for (size_t i = 0; i < found.rows.n; i++) {
        const tsr_explain_row *r = &found.rows.data[i];
        tsr_look_row row = {.kind = r->kind,
                            .place = r->place,
                            .name = r->name,
                            .why = r->why,
                            .axes = r->axes,
                            .type = r->type,
                            .devices = r->devices,
                            .turns = r->turns,
                            .moved = r->moved,
                            .seconds = r->seconds,
                            .number = r->number,
                            .per_turn = r->per_turn};
        tsr_vec_push(&look->rows, row);
    }
    tsr_explain_found_free(&found);
}

/* ---- Memory by place ---- */

static int by_bytes(const void *a, const void *b)
{
    const tsr_explain_memory *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : tsr_str_cmp(x->what, y->what);
}

/* An argument by its name; another value by its place, or, without one, by what it is. */
static tsr_explain_memory memory_of(const tsr_explain *x, const tsr_plan_alive *a)
{
    tsr_explain_memory row = {.bytes = a->bytes, .number = 1};
    tsr_buf text = {0};
    const tsr_op *owner = a->value->is_arg ? tsr_block_parent(a->value->block) : NULL;
    if (owner && tsr_op_has(owner, TSR_TRAIT(FUNCTION))) {
        row.what = tsr_value_known_as(x->arena, a->value);
        return row;
    }
    if (tsr_loc_place(&text, x->m->ctx, tsr_value_loc(a->value), true))
        row.place = tsr_explain_keep(x->arena, &text);
    else
        tsr_value_describe(&text, a->value);
    row.what = tsr_explain_keep(x->arena, &text);
    return row;
}

static void add_to_memory(tsr_map *met, tsr_explain_found *out, const tsr_explain_memory *row)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_str(row->place), tsr_hash_str(row->what));
    TSR_MAP_EACH (met, hash, number) {
        tsr_explain_memory *r = &out->memory.data[(uintptr_t)number - 1];
        if (tsr_str_eq(r->place, row->place) && tsr_str_eq(r->what, row->what)) {
            r->bytes += row->bytes;
            r->number++;
            return;
        }
    }
    tsr_vec_push(&out->memory, *row);
    tsr_map_put(met, hash, (void *)(uintptr_t)out->memory.n);
}

static void add_memory(const tsr_explain *x, const tsr_shard_plan *plan, tsr_explain_found *out)
{
    tsr_map met = {0};
    for (size_t i = 0; i < plan->alive.n; i++) {
        tsr_explain_memory row = memory_of(x, &plan->alive.data[i]);
        add_to_memory(&met, out, &row);
    }
    tsr_map_free(&met);
    if (out->memory.n)
        qsort(out->memory.data, out->memory.n, sizeof *out->memory.data, by_bytes);
}

/* ---- Measuring ---- */

static bool is_closed(const tsr_attr *s)
{
    const tsr_attr *dims = tsr_sdy_is_sharding(s) ? tsr_sdy_dims(s) : NULL;
    for (uint32_t d = 0; dims && d < dims->n; d++)
        if (!tsr_attr_is(dims->attrs[d]->attrs[SDY_DIMENSION_SHARDING_is_closed], TSR_ATTR_INT) ||
            !dims->attrs[d]->attrs[SDY_DIMENSION_SHARDING_is_closed]->i)
            return false;
    return dims != NULL;
}

/* XLA makes the value that a constraint asks for even where only a part of it is read afterwards, which our partitioner
 * sees and leaves out. A barrier behind each constraint makes it do as XLA does. */
static void take_literally(tsr_module *m)
{
    for (tsr_op *op = m->op, *next; op; op = next) {
        next = tsr_walk_next(m->op, op);
        tsr_attr *s = tsr_has_role(op, TSR_ROLE_CONSTRAINT) && op->nout == 1
                          ? tsr_sdy_own_sharding(op)
                          : NULL;
        if (!s || !is_closed(s))
            continue;
        tsr_value *in = &op->out[0];
        tsr_op *made = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER),
                                  op->loc, &in, 1, &in->type, 1, 0, 0);
        tsr_op_insert(made, op->block, op->next);
        tsr_value_replace(in, &made->out[0]);
        tsr_op_set_operand(made, 0, in);
        tsr_sdy_set_sharding(&made->out[0], s);
        m->verified = false;
    }
}

bool tsr_explain_measure(const tsr_explain *x, tsr_module *m, tsr_explain_found *out,
                         tsr_status *status)
{
    tsr_simulated s = {0};
    *out = (tsr_explain_found){.step = 0};
    if (!x->local)
        take_literally(m);
    bool ok = tsr_simulate(x->arena, m, x->request, x->device, &s, status);
    if (ok) {
        out->step = s.sim.seconds;
        out->talking = s.sim.talking;
        out->exposed = s.sim.exposed;
        out->moved = s.plan.moved;
        out->peak = s.plan.peak;
        out->ncollective = s.plan.ncollective;
        out->devices = s.report.devices;
        add_rows(x, &s.plan, true, out);
        add_memory(x, &s.plan, out);
    }
    tsr_simulated_free(&s);
    return ok;
}

void tsr_explain_found_free(tsr_explain_found *f)
{
    tsr_vec_free(&f->rows);
    tsr_vec_free(&f->memory);
}

/* ---- Ops without a counterpart ---- */

static void add_missing(tsr_explain *x)
{
    TSR_OPS (x->m->op, op) {
        const tsr_attr *target = tsr_op_attr(op, TSR_STR("call_target_name"));
        if (!tsr_attr_is(target, TSR_ATTR_STRING) || !tsr_str_starts(target->s, TSR_HLO_OPAQUE))
            continue;
        size_t n = sizeof TSR_HLO_OPAQUE - 1;
        tsr_str name = {target->s.data + n, target->s.len - n};
        size_t k = 0;
        while (k < x->missing.n && !tsr_str_eq(x->missing.data[k], name))
            k++;
        if (k == x->missing.n) {
            tsr_vec_push(&x->missing, name);
            tsr_vec_push(&x->nmissing, 0);
        }
        x->nmissing.data[k]++;
    }
}

void tsr_explain_tries(tsr_arena *arena, tsr_module *m, tsr_str function,
                       const tsr_device_file *device, uint32_t most_ops, tsr_look *look)
{
    tsr_shard_request request = {.function = function};
    tsr_explain x = {
        .arena = arena, .m = m, .request = &request, .device = device, .most_ops = most_ops};
    tsr_status none = {0};
    enum { FEW = 2500, FEWEST = 12 }; /* each place that could change is looked at, too */
    tsr_module_renumber(m);
    if (m->nop > FEW && most_ops / m->nop < FEWEST)
        return;
    bool quiet = m->ctx->quiet;
    uint32_t errors = m->ctx->nerror;
    m->ctx->quiet = true;
    tsr_module *copy = tsr_module_copy_borrowed(m);
    if (tsr_explain_measure(&x, copy, &x.base, &none))
        tsr_explain_advise(&x, &none);
    tsr_module_free(copy);
    for (size_t i = 0; i < x.advice.n; i++) {
        const tsr_advice *a = &x.advice.data[i];
        tsr_buf text = {0};
        tsr_explain_change(&text, a);
        tsr_look_try one = {.saved_seconds = 1 - a->step / x.base.step,
                            .saved_bytes =
                                x.base.moved > 0 ? 1 - (double)a->moved / (double)x.base.moved : 0,
                            .elsewhere = a->elsewhere};
        one.text = tsr_explain_keep(arena, &text);
        if (look->ntry < TSR_COUNT(look->tries))
            look->tries[look->ntry++] = one;
        tsr_vec_free(&x.advice.data[i].rows);
    }
    m->ctx->quiet = quiet;
    m->ctx->nerror = errors;
    tsr_vec_free(&x.advice);
    tsr_explain_found_free(&x.base);
}

/* ---- The public calls ---- */

/* What is analysed is a copy, with shardings of Shardy instead of GSPMD's, and with those that are given. */
static bool prepare(tsr_explain *x, tsr_status *status)
{
    tsr_shard_request *rest = TSR_NEW(x->arena, tsr_shard_request);
    x->m = tsr_module_copy_borrowed(x->m);
    if (x->local)
        return true;
    if (!tsr_try_pass(x->m, "tessera-import-gspmd", NULL, 0) ||
        !tsr_shard_give(x->m, x->request, status))
        return false;
    rest->function = x->request->function;
    x->request = rest;
    return true;
}

static void print(tsr_buf *out, const tsr_explain *x, const tsr_explain_options *o)
{
    (o->json ? tsr_explain_json : tsr_explain_text)(out, x);
}

/* The module with advice number o->apply, as text. */
static bool print_applied(tsr_buf *out, const tsr_explain *x, const tsr_explain_options *o,
                          tsr_status *status)
{
    if (o->apply > x->advice.n)
        return tsr_status_set(status, TSR_BAD_INPUT, "there is no advice %zu: there are %zu",
                              o->apply, x->advice.n);
    tsr_module *copy = tsr_module_copy_borrowed(x->m);
    tsr_print_options how = {.debug_info = true, .elide_larger = -1};
    tsr_explain_apply(copy, x, &x->advice.data[o->apply - 1]);
    tsr_print_module(out, copy, &how);
    tsr_module_free(copy);
    return true;
}

static bool explain(tsr_module *m, const tsr_explain_options *o, tsr_buf *out, tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file d;
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_shard_request request = tsr_shard_request_of(o->shard, (tsr_str){0});
    tsr_explain x = {.arena = &arena, .m = m, .request = &request, .device = &d};
    x.most = o->most ? (uint32_t)o->most : 10;
    x.local = tsr_spmd_is_local(m) || tsr_dict_get(m->op->extra, TSR_HLO_PARTITIONED);
    add_missing(&x);
    bool ok = tsr_device_file_load(&arena, o->device, &d, NULL, status) && prepare(&x, status);
    if (ok) {
        tsr_module *copy = tsr_module_copy_borrowed(x.m);
        ok = tsr_explain_measure(&x, copy, &x.base, status);
        tsr_module_free(copy);
    }
    ok = ok && (x.local || !o->verify || tsr_explain_advise(&x, status));
    if (ok && o->apply)
        ok = print_applied(out, &x, o, status);
    else if (ok)
        print(out, &x, o);
    for (size_t i = 0; i < x.advice.n; i++)
        tsr_vec_free(&x.advice.data[i].rows);
    tsr_vec_free(&x.advice);
    tsr_vec_free(&x.missing);
    tsr_vec_free(&x.nmissing);
    tsr_explain_found_free(&x.base);
    if (x.m != m)
        tsr_module_free(x.m);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_explain(tsr_module *m, const tsr_explain_options *options, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_explain_options none = {.verify = true};
    bool ok = explain(m, options ? options : &none, &out, g.status);
    return tsr_guard_finish_text(&g, ok, &out);
}
