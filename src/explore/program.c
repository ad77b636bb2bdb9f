/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - what a device does in a step, as JSON for the page: columns of numbers by task, tasks of a block one after
 * the other, blocks in the order in which they are met; and how long each value is in memory. */
#include "explore/look.h"

#include "explore/graph.h"
#include "text/text.h"

typedef struct {
    const tsr_sim_task *tasks;
    const double *live;
    const tsr_sim_span *spans;
    uint32_t ntask, nspan;
    int64_t parent; /* task; -1: the function */
    double turns, seconds;
} block;

typedef struct {
    tsr_buf *out;
    tsr_ctx *ctx;
    tsr_holds holds;
    tsr_arena arena;
    tsr_map map;
    TSR_VEC(tsr_str) texts;
    TSR_VEC(block) blocks;
} writer;

static uint32_t text_index(writer *w, tsr_buf *text)
{
    tsr_str s = tsr_buf_text(text);
    uint64_t hash = tsr_hash_str(s);
    uint32_t found = UINT32_MAX;
    TSR_MAP_EACH (&w->map, hash, at)
        if (found == UINT32_MAX && tsr_str_eq(w->texts.data[(uintptr_t)at - 1], s))
            found = (uint32_t)(uintptr_t)at - 1;
    if (found == UINT32_MAX) {
        tsr_str kept = {tsr_arena_copy(&w->arena, s.data, s.len), s.len};
        tsr_vec_push(&w->texts, kept);
        tsr_map_put(&w->map, hash, (void *)(uintptr_t)w->texts.n);
        found = (uint32_t)w->texts.n - 1;
    }
    tsr_buf_free(text);
    return found;
}

static uint32_t op_index(writer *w, const tsr_sim_task *t)
{
    tsr_buf text = {0};
    tsr_buf_str(&text, t->op ? t->op->def->name : tsr_cstr(t->label));
    return text_index(w, &text);
}

static uint32_t place_index(writer *w, tsr_loc loc)
{
    tsr_buf text = {0};
    tsr_loc_place(&text, w->ctx, loc, true);
    return text_index(w, &text);
}

static uint32_t name_index(writer *w, tsr_loc loc)
{
    tsr_buf text = {0};
    tsr_loc_name(&text, loc);
    return text_index(w, &text);
}

/* Blocks are met in order: those of the tasks of one before those inside of them. */
static void find_blocks(writer *w)
{
    int64_t first = 0; /* number of the block's first task */
    for (size_t b = 0; b < w->blocks.n; b++) {
        const tsr_sim_task *tasks = w->blocks.data[b].tasks;
        uint32_t n = w->blocks.data[b].ntask;
        for (uint32_t i = 0; i < n; i++)
            for (const tsr_sim_nest *nest = tasks[i].nest; nest; nest = nest->next) {
                block inner = {nest->tasks, nest->live, nest->spans, nest->ntask,
                               nest->nspan, first + i,  nest->turns, nest->seconds};
                tsr_vec_push(&w->blocks, inner);
            }
        first += n;
    }
}

static void put_blocks(writer *w)
{
    tsr_buf_cstr(w->out, "{\"blocks\":[");
    for (size_t b = 0; b < w->blocks.n; b++) {
        const block *k = &w->blocks.data[b];
        tsr_buf_report(w->out, "%s[%lld,%u,%.9g,%.9g]", b ? "," : "", (long long)k->parent,
                       k->ntask, k->turns, 1e6 * k->seconds);
    }
    tsr_buf_cstr(w->out, "]");
}

/* 0: a product, 1: another kernel, 2: a collective, 3: has tasks inside. */
static unsigned kind_of(const tsr_sim_task *t)
{
    return t->nest ? 3 : t->collective ? 2 : t->multiplying > 0 ? 0 : 1;
}

enum { COLUMN_OP, COLUMN_PLACE, COLUMN_NAME, COLUMN_KIND, COLUMN_TRACK, COLUMN__NUMBERS };
enum { COLUMN_START, COLUMN_LASTS, COLUMN_HELD, COLUMN_LIVE, COLUMN__TIMES };

static unsigned number_of(writer *w, const tsr_sim_task *t, int column)
{
    tsr_loc loc = t->op ? t->op->loc : TSR_LOC_UNKNOWN;
    switch (column) {
    case COLUMN_OP: return op_index(w, t);
    case COLUMN_PLACE: return place_index(w, loc);
    case COLUMN_NAME: return name_index(w, loc);
    case COLUMN_KIND: return kind_of(t);
    default: return t->resource;
    }
}

static void put_columns(writer *w)
{
    static const char *const names[] = {"op", "place", "name", "kind", "track"};
    static const char *const times[] = {"start", "lasts", "held", "live"};
    for (int c = 0; c < COLUMN__NUMBERS; c++) {
        const char *comma = "";
        tsr_buf_report(w->out, ",\n\"%s\":[", names[c]);
        for (size_t b = 0; b < w->blocks.n; b++)
            for (uint32_t i = 0; i < w->blocks.data[b].ntask; i++, comma = ",")
                tsr_buf_report(w->out, "%s%u", comma, number_of(w, &w->blocks.data[b].tasks[i], c));
        tsr_buf_char(w->out, ']');
    }
    for (int c = 0; c < COLUMN__TIMES; c++) {
        const char *comma = "";
        tsr_buf_report(w->out, ",\n\"%s\":[", times[c]);
        for (size_t b = 0; b < w->blocks.n; b++)
            for (uint32_t i = 0; i < w->blocks.data[b].ntask; i++, comma = ",") {
                const tsr_sim_task *t = &w->blocks.data[b].tasks[i];
                if (c < COLUMN_HELD)
                    tsr_buf_report(w->out, "%s%.9g", comma,
                                   1e6 * (c == COLUMN_START ? t->start : t->seconds));
                else
                    tsr_buf_report(w->out, "%s%.0f", comma,
                                   c == COLUMN_HELD ? t->held : w->blocks.data[b].live[i]);
            }
        tsr_buf_char(w->out, ']');
    }
}

/* Values by block: first and last task of it, bytes, name, place, and what they are for. */
static void put_spans(writer *w)
{
    const char *comma = "";
    tsr_buf_cstr(w->out, ",\n\"spans\":[");
    for (size_t b = 0; b < w->blocks.n; b++)
        for (uint32_t i = 0; i < w->blocks.data[b].nspan; i++, comma = ",") {
            const tsr_sim_span *s = &w->blocks.data[b].spans[i];
            tsr_buf name = {0};
            if (!s->value) {
                tsr_buf_cstr(&name, "between values");
                unsigned rest = text_index(w, &name);
                tsr_buf_report(w->out, "%s%u,%u,%u,%.0f,%u,%u,%u,%u", comma, (unsigned)b, s->first,
                               s->last, s->bytes, rest, rest, rest, (unsigned)TSR_HELD_TEMPORARY);
                continue;
            }
            if (!tsr_value_given_name(&name, s->value) && s->value->is_arg)
                tsr_buf_printf(&name, "%%arg%u", s->value->index);
            else if (!name.len)
                tsr_value_describe(&name, s->value);
            unsigned known_as = text_index(w, &name);
            tsr_str type = tsr_type_print(s->value->type);
            tsr_buf_str(&name, type);
            tsr_free((void *)type.data);
            tsr_buf_report(w->out, "%s%u,%u,%u,%.0f,%u,%u,%u,%u", comma, (unsigned)b, s->first,
                           s->last, s->bytes, known_as, place_index(w, tsr_value_loc(s->value)),
                           text_index(w, &name), (unsigned)tsr_held_of(&w->holds, s->value));
        }
    tsr_buf_cstr(w->out, "]");
}

static void put_texts(writer *w)
{
    tsr_buf_cstr(w->out, ",\n\"roles\":[");
    for (int i = 0; i < TSR_HELD__COUNT; i++)
        tsr_buf_report(w->out, "%s\"%s\"", i ? "," : "", tsr_held_name((tsr_held)i));
    tsr_buf_cstr(w->out, "],\n\"texts\":[");
    for (size_t i = 0; i < w->texts.n; i++) {
        tsr_buf_cstr(w->out, i ? "," : "");
        tsr_buf_json(w->out, w->texts.data[i]);
    }
    tsr_buf_cstr(w->out, "]}");
}

void tsr_page_program(tsr_buf *out, const tsr_sim *sim, const tsr_device_file *device,
                      const tsr_shard_plan *plan, tsr_ctx *ctx)
{
    writer w = {.out = out, .ctx = ctx};
    block root = {sim->tasks.data,
                  sim->live.data,
                  sim->spans.data,
                  (uint32_t)sim->tasks.n,
                  (uint32_t)sim->spans.n,
                  -1,
                  1,
                  sim->seconds};
    tsr_arena_init(&w.arena);
    tsr_holds_make(&w.arena, plan->func, &w.holds);
    tsr_vec_push(&w.blocks, root);
    find_blocks(&w);
    put_blocks(&w);
    tsr_buf_cstr(out, ",\"tracks\":[\"computing\"");
    for (uint32_t i = 0; device && i < device->nlink; i++) {
        tsr_buf_char(out, ',');
        tsr_buf_json(out, device->links[i].name);
    }
    tsr_buf_report(out, "],\"timed\":%s,\"limit\":%.0f", device ? "true" : "false",
                   device ? device->memory : 0.0);
    put_columns(&w);
    put_spans(&w);
    put_texts(&w);
    tsr_vec_free(&w.texts);
    tsr_vec_free(&w.blocks);
    tsr_map_free(&w.map);
    tsr_holds_free(&w.holds);
    tsr_arena_free(&w.arena);
}
