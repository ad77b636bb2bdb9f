/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - reports on programs: bytes, flops, values live at the peak, and times of groups. As text and as JSON. */
#include "exec/report.h"

#include <math.h>

#include <stdlib.h>

#include "base/decimal.h"
#include "exec/backend.h"
#include "exec/fft.h"
#include "text/text.h"

/* ---- Text ---- */

void tsr_report_type(tsr_buf *out, const tsr_xvalue *x)
{
    for (uint8_t i = 0; i < x->rank; i++)
        tsr_buf_printf(out, "%lldx", (long long)x->dims[i]);
    tsr_buf_cstr(out, x->n >= 0 ? tsr_dtype_name((tsr_dtype)x->dtype) : "?");
}

void tsr_report_place(const tsr_program *p, tsr_loc loc, tsr_buf *out)
{
    if (!tsr_loc_place(out, p->module->ctx, loc, true) && !tsr_loc_name(out, loc))
        tsr_buf_cstr(out, "an unknown place");
}

static void json_place(const tsr_program *p, tsr_loc loc, tsr_buf *out)
{
    tsr_buf place = {0};
    tsr_report_place(p, loc, &place);
    tsr_buf_json(out, tsr_buf_text(&place));
    tsr_buf_free(&place);
}

/* ---- Groups ---- */

void tsr_group_values(const tsr_program *p, const tsr_xgroup *g, bool writes, tsr_xid_vec *out)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < (writes ? n->nout : n->nin); k++) {
            tsr_xid v = tsr_storage_of(p, writes ? n->out[k] : n->in[k]);
            const tsr_xvalue *x = &p->values.data[v];
            bool again = x->place < TSR_PLACE_ARENA;
            if (!writes && x->node != TSR_XNONE && p->nodes.data[x->node].group != TSR_XNONE)
                again |= tsr_xgroup_find(p, p->nodes.data[x->node].group) == g->into;
            for (size_t s = 0; s < out->n; s++)
                again |= out->data[s] == v;
            if (!again)
                tsr_vec_push(out, v);
        }
    }
}

/* The usual count, 5 n log2 n; real transforms count half. */
static uint64_t fft_flops(const tsr_fft_step *s, double elements)
{
    double all = 0;
    for (; s; s = s->next)
        all += elements * log2((double)s->n) * (s->halves ? 2.5 : 5);
    return (uint64_t)all;
}

static uint64_t flops_of(const tsr_program *p, const tsr_node *n)
{
    const tsr_contract *c = n->contract;
    if (n->kind == TSR_NODE_CONTRACT)
        return 2 * (uint64_t)c->side[0].batch * (uint64_t)c->side[0].rest *
               (uint64_t)c->side[1].rest * (uint64_t)c->side[0].contract;
    if (n->kind == TSR_NODE_MOVE && n->fft)
        return fft_flops(n->fft, (double)p->values.data[n->in[0]].n);
    bool windows = n->kind == TSR_NODE_MOVE && n->move == TSR_MOVE_WINDOW;
    if (n->kind != TSR_NODE_TILE && n->kind != TSR_NODE_REDUCE && !windows)
        return 0;
    const tsr_xvalue *x = &p->values.data[n->kind == TSR_NODE_REDUCE ? n->in[0] : n->out[0]];
    uint64_t each = 1;
    for (uint8_t i = 0; windows && i < x->rank; i++)
        each *= (uint64_t)n->numbers[1 + i];
    return x->n > 0 ? (uint64_t)x->n * each : 0;
}

tsr_group_cost tsr_group_cost_of(const tsr_program *p, const tsr_xgroup *g)
{
    tsr_group_cost c = {0};
    tsr_xid_vec values = {0};
    const tsr_node *first = &p->nodes.data[g->nodes.data[0]];
    if (first->kind == TSR_NODE_MOVE && p->values.data[first->out[0]].slice_of)
        return c; /* nothing is copied */
    for (int writes = 0; writes < 2; writes++) {
        values.n = 0;
        tsr_group_values(p, g, writes, &values);
        for (size_t i = 0; i < values.n; i++)
            *(writes ? &c.written : &c.read) += tsr_xvalue_bytes(&p->values.data[values.data[i]]);
    }
    for (size_t i = 0; i < g->nodes.n; i++)
        c.flops += flops_of(p, &p->nodes.data[g->nodes.data[i]]);
    tsr_vec_free(&values);
    return c;
}

/* Values that several nodes read count once for each: this takes linear time, and an estimate need not be finer. */
static double node_work(const tsr_program *p, const tsr_node *n)
{
    double work = (double)flops_of(p, n);
    for (uint32_t k = 0; k < n->nin + n->nout; k++) {
        tsr_xid v = tsr_storage_of(p, k < n->nin ? n->in[k] : n->out[k - n->nin]);
        if (p->values.data[v].place >= TSR_PLACE_ARENA)
            work += (double)tsr_xvalue_bytes(&p->values.data[v]);
    }
    return work;
}

double tsr_program_work(const tsr_program *p)
{
    double work = 0;
    for (size_t i = 0; i < p->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[i];
        if (g->into != i || !g->nodes.n)
            continue; /* part of another group */
        if (tsr_is_kernel(g->kind) || g->kind == TSR_NODE_WHILE)
            return -1;
        for (size_t k = 0; k < g->nodes.n; k++)
            work += node_work(p, &p->nodes.data[g->nodes.data[k]]);
    }
    return work;
}

/* ---- Memory ---- */

void tsr_program_memory(const tsr_program *p, tsr_memory_use *out)
{
    *out = (tsr_memory_use){.arena = p->arena_bytes, .unplanned = p->unplanned_bytes};
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (tsr_has_tensor(x) && (x->place != TSR_PLACE_TENSOR || x->given))
            *(x->place == TSR_PLACE_ARGUMENT   ? &out->arguments
              : x->place == TSR_PLACE_CONSTANT ? &out->constants
                                               : &out->results) += tsr_xvalue_bytes(x);
        else if (x->place == TSR_PLACE_ARENA && x->is_result)
            out->results += tsr_xvalue_bytes(x);
    }
    /* Results that are not computed in their own tensors are copied. */
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        const tsr_xvalue *x = &p->values.data[p->main.results[i]];
        if (!p->main.owned[i] && !tsr_has_tensor(x))
            out->results += tsr_xvalue_bytes(x);
    }
    for (uint32_t i = 0; i < p->main.nargs; i++) {
        const tsr_xvalue *x = &p->values.data[p->main.args[i]];
        out->donated += x->donates ? tsr_xvalue_bytes(x) : 0;
    }
    uint64_t others = out->arguments + out->results + out->unplanned;
    out->peak = others + out->arena;
    out->peak_least = others + p->least_bytes;
}

uint64_t tsr_program_workspace(const tsr_program *p)
{
    return p->code && p->backend->workspace ? p->backend->workspace(p) : 0;
}

void tsr_program_live(const tsr_program *p, uint64_t *out)
{
    memset(out, 0, (p->nsteps + 1) * sizeof *out);
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (!tsr_xvalue_is_planned(x))
            continue;
        out[x->first] += tsr_xvalue_bytes(x);
        if (x->last < p->nsteps)
            out[x->last + 1] -= tsr_xvalue_bytes(x); /* sums of differences: wrapping is no harm */
    }
    for (uint32_t s = 1; s <= p->nsteps; s++)
        out[s] += out[s - 1];
}

static const char *const roles[] = {"argument", "result", "kernel result", "value"};

static int largest_first(const void *a, const void *b)
{
    const tsr_alive *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

void tsr_program_alive(const tsr_program *p, tsr_alive_vec *out)
{
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        bool box = tsr_has_tensor(x) && x->place != TSR_PLACE_CONSTANT,
             arena = x->place == TSR_PLACE_ARENA;
        bool planned = tsr_xvalue_is_planned(x);
        bool unplanned = box && x->first <= p->unplanned_step && p->unplanned_step <= x->last;
        bool alive = (box && (x->argument || x->given)) || unplanned || (arena && x->is_result) ||
                     (planned && x->first <= p->peak_step && p->peak_step <= x->last);
        if (!alive || !tsr_xvalue_bytes(x))
            continue;
        tsr_vec_push(out, ((tsr_alive){.value = v,
                                       .bytes = tsr_xvalue_bytes(x),
                                       .role = x->argument             ? roles[0]
                                               : x->given              ? roles[1]
                                               : arena && x->is_result ? roles[1]
                                               : box                   ? roles[2]
                                                                       : roles[3],
                                       .op = x->op}));
    }
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, largest_first);
}

/* The user's name of it; false: it has none. */
static bool alive_name(const tsr_program *p, const tsr_alive *a, tsr_buf *out)
{
    uint32_t argument = p->values.data[a->value].argument;
    if (argument)
        return tsr_value_given_name(out, p->function->regions[0].first->args[argument - 1]);
    return a->op && tsr_loc_name(out, a->op->loc);
}

void tsr_report_memory(const tsr_program *p, tsr_buf *out)
{
    enum { MOST = 20 };
    tsr_memory_use use;
    tsr_program_memory(p, &use);
    use.workspace = tsr_program_workspace(p);
    const struct {
        const char *name;
        uint64_t bytes;
    } rows[] = {{"peak memory", use.peak},    {"lower bound", use.peak_least},
                {"arguments", use.arguments}, {"results", use.results},
                {"arena", use.arena},         {"results of kernels", use.unplanned},
                {"constants", use.constants}, {"donated", use.donated},
                {"workspace", use.workspace}};
    tsr_buf_printf(out, "memory of @%.*s\n", TSR_STR_ARG(tsr_op_symbol(p->function)));
    for (size_t i = 0; i < TSR_COUNT(rows); i++) {
        tsr_buf_printf(out, "  %16llu  %-18s  ", (unsigned long long)rows[i].bytes, rows[i].name);
        tsr_buf_quantity(out, (double)rows[i].bytes, "B");
        tsr_buf_char(out, '\n');
    }
    tsr_alive_vec alive = {0};
    tsr_buf name = {0};
    tsr_program_alive(p, &alive);
    tsr_buf_printf(out, "alive at the peak, in step %u: %zu values\n", p->peak_step, alive.n);
    for (size_t i = 0; i < alive.n && i < MOST; i++) {
        const tsr_alive *a = &alive.data[i];
        const tsr_xvalue *x = &p->values.data[a->value];
        tsr_buf_printf(out, "  %16llu  ", (unsigned long long)a->bytes);
        tsr_report_type(out, x);
        tsr_buf_printf(out, "  %s", a->role);
        name.len = 0;
        if (alive_name(p, a, &name)) {
            tsr_buf_char(out, ' ');
            tsr_text_visible(out, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
        } else if (x->argument) {
            tsr_buf_printf(out, " %u", x->argument - 1);
        }
        if (a->op) {
            tsr_buf_printf(out, "  %.*s  ", TSR_STR_ARG(a->op->def->name));
            tsr_report_place(p, a->op->loc, out);
        }
        tsr_buf_char(out, '\n');
    }
    tsr_buf_free(&name);
    if (alive.n > MOST)
        tsr_buf_printf(out, "  and %zu smaller ones\n", alive.n - MOST);
    tsr_vec_free(&alive);
}

void tsr_report_memory_json(const tsr_program *p, tsr_buf *out)
{
    tsr_memory_use u;
    tsr_program_memory(p, &u);
    tsr_buf_printf(out,
                   "{\"peak\": %llu, \"lower_bound\": %llu, \"arguments\": %llu, \"results\": "
                   "%llu, \"arena\": %llu, \"kernel_results\": %llu, \"constants\": %llu, "
                   "\"donated\": %llu, \"workspace\": %llu, \"step\": %u, \"alive\": [",
                   (unsigned long long)u.peak, (unsigned long long)u.peak_least,
                   (unsigned long long)u.arguments, (unsigned long long)u.results,
                   (unsigned long long)u.arena, (unsigned long long)u.unplanned,
                   (unsigned long long)u.constants, (unsigned long long)u.donated,
                   (unsigned long long)tsr_program_workspace(p), p->peak_step);
    tsr_alive_vec alive = {0};
    tsr_buf name = {0};
    tsr_program_alive(p, &alive);
    for (size_t i = 0; i < alive.n; i++) {
        const tsr_alive *a = &alive.data[i];
        tsr_buf_printf(out, "%s\n  {\"bytes\": %llu, \"type\": \"", i ? "," : "",
                       (unsigned long long)a->bytes);
        tsr_report_type(out, &p->values.data[a->value]);
        tsr_buf_printf(out, "\", \"role\": \"%s\"", a->role);
        if (p->values.data[a->value].argument)
            tsr_buf_printf(out, ", \"argument\": %u", p->values.data[a->value].argument - 1);
        name.len = 0;
        if (alive_name(p, a, &name)) {
            tsr_buf_cstr(out, ", \"name\": ");
            tsr_buf_json(out, tsr_buf_text(&name));
        }
        if (a->op) {
            tsr_buf_cstr(out, ", \"op\": ");
            tsr_buf_json(out, a->op->def->name);
            tsr_buf_cstr(out, ", \"at\": ");
            json_place(p, a->op->loc, out);
        }
        tsr_buf_char(out, '}');
    }
    tsr_vec_free(&alive);
    tsr_buf_free(&name);
    tsr_buf_cstr(out, "]}");
}

/* ---- The program as JSON ---- */

static void json_values(const tsr_program *p, const tsr_xgroup *g, bool writes, tsr_buf *out)
{
    tsr_xid_vec values = {0};
    tsr_group_values(p, g, writes, &values);
    for (size_t i = 0; i < values.n; i++) {
        tsr_buf_printf(out, "%s{\"value\": %u, \"type\": \"", i ? ", " : "", values.data[i]);
        tsr_report_type(out, &p->values.data[values.data[i]]);
        tsr_buf_cstr(out, "\"}");
    }
    tsr_vec_free(&values);
}

/* The first members of a group's element, the same in all lists of groups. */
static void json_group(const tsr_program *p, const tsr_xgroup *g, bool first, tsr_buf *out)
{
    tsr_buf name = {0};
    tsr_group_name(p, g, &name);
    tsr_buf_printf(out, "%s\n  {\"step\": %u, \"kind\": \"%s\", \"name\": ", first ? "" : ",",
                   g->step, tsr_group_kind(g));
    tsr_buf_json(out, tsr_buf_text(&name));
    tsr_buf_free(&name);
}

static void json_block(const tsr_program *p, const tsr_block_program *b, tsr_buf *out)
{
    tsr_buf_char(out, '[');
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        tsr_group_cost c = tsr_group_cost_of(p, g);
        json_group(p, g, i == 0, out);
        tsr_buf_printf(out, ", \"bytes_read\": %llu, \"bytes_written\": %llu, \"flops\": %llu",
                       (unsigned long long)c.read, (unsigned long long)c.written,
                       (unsigned long long)c.flops);
        tsr_buf_cstr(out, ", \"reads\": [");
        json_values(p, g, false, out);
        tsr_buf_cstr(out, "], \"writes\": [");
        json_values(p, g, true, out);
        tsr_buf_cstr(out, "], \"ops\": [");
        for (size_t k = 0; k < g->nodes.n; k++) {
            const tsr_op *op = p->nodes.data[g->nodes.data[k]].op;
            tsr_buf_cstr(out, k ? ", {\"op\": " : "{\"op\": ");
            tsr_buf_json(out, op ? op->def->name : TSR_STR("copy"));
            tsr_buf_cstr(out, ", \"at\": ");
            json_place(p, op ? op->loc : TSR_LOC_UNKNOWN, out);
            tsr_buf_char(out, '}');
        }
        tsr_buf_char(out, ']');
        const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
        for (uint32_t k = 0; k < n->nblock; k++) {
            tsr_buf_cstr(out, k ? ", " : ", \"regions\": [");
            json_block(p, n->blocks[k], out);
        }
        tsr_buf_cstr(out, n->nblock ? "]}" : "}");
    }
    tsr_buf_char(out, ']');
}

void tsr_report_program_json(const tsr_program *p, tsr_buf *out)
{
    tsr_buf_cstr(out, "{\"function\": ");
    tsr_buf_json(out, tsr_op_symbol(p->function));
    tsr_buf_printf(out,
                   ", \"steps\": %u, \"arena\": %zu, \"arena_lower_bound\": %zu, "
                   "\"by_evaluator\": %u, \"groups\": ",
                   p->nsteps, p->arena_bytes, p->least_bytes, tsr_program_others(p));
    json_block(p, &p->main, out);
    tsr_buf_char(out, '}');
}

/* ---- Times ---- */

typedef struct {
    tsr_xid group;
    double seconds; /* of one run */
    tsr_group_cost cost;
    uint64_t runs;
} row;
typedef TSR_VEC(row) row_vec;

static int slowest_first(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->group > y->group) - (x->group < y->group);
}

static void collect(const tsr_program *p, const tsr_group_time *times, uint32_t repeat,
                    row_vec *out)
{
    for (tsr_xid g = 0; g < p->groups.n; g++) {
        if (!times[g].runs)
            continue;
        row r = {g, times[g].seconds / repeat, tsr_group_cost_of(p, &p->groups.data[g]),
                 times[g].runs / repeat};
        tsr_vec_push(out, r);
    }
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, slowest_first);
}

static double rate(uint64_t each, const row *r)
{
    return r->seconds > 0 ? (double)each * (double)r->runs / r->seconds * 1e-9 : 0;
}

void tsr_report_times(const tsr_program *p, const tsr_group_time *times, uint32_t repeat,
                      tsr_buf *out)
{
    row_vec rows = {0};
    collect(p, times, repeat, &rows);
    tsr_buf_cstr(out, "     wall (ms)      runs      GB/s   GFLOP/s  group\n");
    for (size_t i = 0; i < rows.n; i++) {
        const row *r = &rows.data[i];
        const tsr_xgroup *g = &p->groups.data[r->group];
        tsr_buf_printf(out, "  %s  %8llu  ", tsr_spell('f', 12, 3, r->seconds * 1e3).text,
                       (unsigned long long)r->runs);
        tsr_buf_printf(out, "%s  ",
                       tsr_spell('f', 8, 2, rate(r->cost.read + r->cost.written, r)).text);
        tsr_buf_printf(out, "%s  %u %s ", tsr_spell('f', 8, 2, rate(r->cost.flops, r)).text,
                       g->step, tsr_group_kind(g));
        tsr_group_name(p, g, out);
        tsr_buf_cstr(out, " at ");
        tsr_report_place(p, tsr_group_loc(p, g), out);
        tsr_buf_char(out, '\n');
    }
    tsr_vec_free(&rows);
}

/* Seconds and rates with a decimal point, in any locale. */
static void json_number(tsr_buf *out, const char *name, double n)
{
    tsr_buf_printf(out, ", \"%s\": %s", name, tsr_spell('g', 0, 6, n).text);
}

void tsr_report_times_json(const tsr_program *p, const tsr_group_time *times, uint32_t repeat,
                           tsr_buf *out)
{
    row_vec rows = {0};
    collect(p, times, repeat, &rows);
    tsr_buf_char(out, '[');
    for (size_t i = 0; i < rows.n; i++) {
        const row *r = &rows.data[i];
        const tsr_xgroup *g = &p->groups.data[r->group];
        json_group(p, g, i == 0, out);
        tsr_buf_printf(out, ", \"runs\": %llu", (unsigned long long)r->runs);
        json_number(out, "seconds", r->seconds);
        json_number(out, "gb_per_second", rate(r->cost.read + r->cost.written, r));
        json_number(out, "gflop_per_second", rate(r->cost.flops, r));
        tsr_buf_cstr(out, ", \"at\": ");
        json_place(p, tsr_group_loc(p, g), out);
        tsr_buf_char(out, '}');
    }
    tsr_buf_char(out, ']');
    tsr_vec_free(&rows);
}
