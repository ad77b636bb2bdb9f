/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the result of a check against goldens, as a table and as JSON (golden.h). */
#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "check/golden.h"

bool tsr_golden_judge(const tsr_golden_result *r, const tsr_tensor *actual,
                      const tsr_tensor *expected, tsr_comparison *out)
{
    bool good = tsr_tensor_compare(actual, expected, r->tolerance, out);
    if (!(r->min_pcc > 0) || isnan(out->pcc) || out->exact)
        return good;
    return out->pcc >= r->min_pcc;
}

static bool is_off(const tsr_golden_line *l)
{
    return (l->was_accumulated && !l->good_accumulated) || (l->was_isolated && !l->good_isolated);
}

const tsr_golden_line *tsr_golden_first(const tsr_golden_result *r)
{
    for (size_t i = 0; i < r->lines.n; i++)
        if (is_off(&r->lines.data[i]) && !r->lines.data[i].bypassed)
            return &r->lines.data[i];
    return NULL;
}

static int compare_lines(const void *a, const void *b)
{
    const tsr_golden_line *x = a, *y = b;
    const int64_t keys[][2] = {
        {x->row ? x->row->order : INT64_MAX, y->row ? y->row->order : INT64_MAX},
        {x->index, y->index},
        {x->device, y->device}};
    for (size_t i = 0; i < TSR_COUNT(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

void tsr_golden_sort(tsr_golden_result *r)
{
    if (r->lines.n)
        qsort(r->lines.data, r->lines.n, sizeof *r->lines.data, compare_lines);
}

static const char *verdict_of(const tsr_golden_line *l)
{
    if (!l->was_accumulated && !l->was_isolated)
        return "not compared";
    if (is_off(l))
        return l->bypassed ? "FAIL, bypassed" : "FAIL";
    return l->bypassed ? "PASS, bypassed" : "PASS";
}

static tsr_str name_of(const tsr_golden_line *l)
{
    return l->row ? l->row->op->def->name : TSR_STR("result");
}

static tsr_str function_of(const tsr_golden_result *r, const tsr_golden_line *l)
{
    return l->row ? l->row->function : tsr_op_symbol(r->flat->func);
}

static bool place_of(const tsr_golden_result *r, const tsr_golden_line *l, tsr_buf *out)
{
    tsr_loc loc = l->row ? l->row->op->loc : r->flat->func->loc;
    return tsr_loc_place(out, r->flat->m->ctx, loc, true);
}

/* ---- The table ---- */

enum { NAME = 36, TYPE = 22 };

static void put_numbers(tsr_buf *out, bool was, const tsr_comparison *c)
{
    if (!was || !c->same_shape || !c->same_type) {
        tsr_buf_printf(out, "  %10s  %10s", "-", "-");
        return;
    }
    tsr_buf_printf(out, "  %s", tsr_spell('g', 10, 3, c->max_abs).text);
    if (isnan(c->pcc))
        tsr_buf_printf(out, "  %10s", "n/a");
    else
        tsr_buf_printf(out, "  %s", tsr_spell('f', 10, 7, c->pcc).text);
}

static void put_row(const tsr_golden_result *r, const tsr_golden_line *l, tsr_buf *out)
{
    tsr_buf name = {0}, place = {0};
    tsr_buf_str(&name, name_of(l));
    if (!l->row || l->row->op->nout > 1)
        tsr_buf_printf(&name, " #%u", l->index);
    if (r->flat->devices > 1 || (l->row && tsr_golden_devices(r->flat, l->row->first) > 1))
        tsr_buf_printf(&name, " @%u", l->device);
    tsr_buf_printf(out, "%-*.*s  %-*.*s", NAME, TSR_STR_ARG(tsr_buf_text(&name)), TYPE,
                   TSR_STR_ARG(tsr_buf_text(&l->type)));
    put_numbers(out, l->was_isolated, &l->isolated);
    put_numbers(out, l->was_accumulated, &l->accumulated);
    tsr_buf_printf(out, "  %s", verdict_of(l));
    if (is_off(l) && place_of(r, l, &place))
        tsr_buf_printf(out, "  %.*s", TSR_STR_ARG(tsr_buf_text(&place)));
    tsr_buf_char(out, '\n');
    tsr_buf_free(&name);
    tsr_buf_free(&place);
}

void tsr_golden_table(const tsr_golden_result *r, tsr_buf *out)
{
    tsr_str function = {NULL, 0};
    for (size_t i = 0; i < r->lines.n; i++) {
        const tsr_golden_line *l = &r->lines.data[i];
        if (!i || !tsr_str_eq(function, function_of(r, l))) {
            function = function_of(r, l);
            tsr_buf_printf(out, "%s@%.*s\n%-*s  %-*s  %10s  %10s  %10s  %10s  %s\n", i ? "\n" : "",
                           TSR_STR_ARG(function), NAME, "op", TYPE, "type", "alone: abs", "pcc",
                           "whole: abs", "pcc", "verdict");
        }
        put_row(r, l, out);
    }
    const tsr_golden_line *first = tsr_golden_first(r);
    tsr_buf place = {0};
    if (first && !place_of(r, first, &place))
        tsr_buf_cstr(&place, "an unknown place");
    if (first)
        tsr_buf_printf(out, "\nthe first that is off: %.*s at %.*s\n", TSR_STR_ARG(name_of(first)),
                       TSR_STR_ARG(tsr_buf_text(&place)));
    else
        tsr_buf_printf(out, "\nall values are good\n");
    tsr_buf_free(&place);
}

/* ---- JSON ---- */

static void put_number(tsr_buf *out, const char *key, double v)
{
    tsr_buf_printf(out, ", \"%s\": ", key);
    if (isfinite(v))
        tsr_buf_printf(out, "%s", tsr_spell('g', 0, 17, v).text);
    else
        tsr_buf_cstr(out, "null");
}

static void put_comparison(tsr_buf *out, const char *key, bool was, bool good,
                           const tsr_comparison *c)
{
    tsr_buf_printf(out, ", \"%s\": ", key);
    if (!was) {
        tsr_buf_cstr(out, "null");
        return;
    }
    tsr_buf_printf(out, "{\"passed\": %s, \"exact\": %s", good ? "true" : "false",
                   c->exact ? "true" : "false");
    put_number(out, "max_abs", c->max_abs);
    put_number(out, "max_rel", c->max_rel);
    put_number(out, "max_ulp", c->max_ulp);
    put_number(out, "pcc", c->pcc);
    tsr_buf_printf(out, ", \"bad\": %lld}", (long long)c->bad);
}

static void put_line(const tsr_golden_result *r, const tsr_golden_line *l, tsr_buf *out)
{
    tsr_buf place = {0};
    tsr_buf_cstr(out, "{\"function\": ");
    tsr_buf_json(out, function_of(r, l));
    tsr_buf_cstr(out, ", \"op\": ");
    tsr_buf_json(out, name_of(l));
    tsr_buf_printf(out, ", \"number\": %lld, \"result\": %u, \"device\": %u, \"type\": ",
                   l->row ? (long long)(l->row - r->flat->rows) : -1LL, l->index, l->device);
    tsr_buf_json(out, tsr_buf_text(&l->type));
    tsr_buf_cstr(out, ", \"location\": ");
    if (place_of(r, l, &place))
        tsr_buf_json(out, tsr_buf_text(&place));
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_printf(out, ", \"bypassed\": %s", l->bypassed ? "true" : "false");
    put_comparison(out, "isolated", l->was_isolated, l->good_isolated, &l->isolated);
    put_comparison(out, "accumulated", l->was_accumulated, l->good_accumulated, &l->accumulated);
    tsr_buf_char(out, '}');
    tsr_buf_free(&place);
}

void tsr_golden_json(const tsr_golden_result *r, tsr_buf *out)
{
    const tsr_golden_line *first = tsr_golden_first(r);
    tsr_buf_cstr(out, "{\"function\": ");
    tsr_buf_json(out, tsr_op_symbol(r->flat->func));
    tsr_buf_printf(out, ", \"passed\": %s, \"devices\": %zu, \"values\": %zu, \"skipped\": %zu",
                   first ? "false" : "true", r->flat->devices, r->lines.n, r->skipped);
    tsr_buf_cstr(out, ",\n \"first\": ");
    if (first)
        put_line(r, first, out);
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_cstr(out, ",\n \"ops\": [");
    for (size_t i = 0; i < r->lines.n; i++) {
        tsr_buf_cstr(out, i ? ",\n  " : "\n  ");
        put_line(r, &r->lines.data[i], out);
    }
    tsr_buf_cstr(out, "]}\n");
}

void tsr_golden_result_free(tsr_golden_result *r)
{
    for (size_t i = 0; i < r->lines.n; i++)
        tsr_buf_free(&r->lines.data[i].type);
    tsr_vec_free(&r->lines);
}
