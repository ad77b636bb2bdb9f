/* SPDX-License-Identifier: Apache-2.0 */
/* look_text.c - the first look for a terminal: bars of block characters, no line longer than the terminal. */
#include "explore/look.h"

#include <math.h>

#include "shard/core/mesh.h"
#include "text/text.h"

enum { ROWS_MOST = 5 };

typedef struct {
    tsr_buf *out;
    uint32_t columns;
    bool colour;
} pen;

typedef struct {
    const char *name, *block, *colour;
    double value;
} part;

static void paint(pen *p, const char *colour)
{
    if (p->colour)
        tsr_buf_printf(p->out, "\033[%sm", colour);
}

/* One line: each part is as many blocks as its share of the whole, and what is left is dots. */
static void bar(pen *p, const part *parts, size_t n, double whole)
{
    uint32_t width = p->columns > 4 ? p->columns - 4 : 1, at = 0;
    double sum = 0;
    tsr_buf_cstr(p->out, "  ");
    for (size_t i = 0; i < n && whole > 0; i++) {
        sum += parts[i].value;
        uint32_t end = (uint32_t)fmin(width, floor(width * sum / whole + 0.5));
        paint(p, parts[i].colour);
        for (; at < end; at++)
            tsr_buf_cstr(p->out, parts[i].block);
        paint(p, "0");
    }
    for (; at < width; at++)
        tsr_buf_cstr(p->out, "\u00b7");
    tsr_buf_char(p->out, '\n');
}

static void legend(pen *p, const part *parts, size_t n, double whole, const char *unit)
{
    for (size_t i = 0; i < n; i++) {
        tsr_buf figure = {0};
        if (parts[i].value <= whole * 1e-6)
            continue;
        tsr_buf_cstr(p->out, "  ");
        paint(p, parts[i].colour);
        tsr_buf_cstr(p->out, parts[i].block);
        paint(p, "0");
        if (unit)
            tsr_buf_quantity(&figure, parts[i].value, unit);
        else
            tsr_buf_seconds(&figure, parts[i].value);
        tsr_buf_char(&figure, 0);
        tsr_buf_printf(p->out, " %-22s %10s", parts[i].name, figure.data);
        tsr_buf_report(p->out, "  %.1f %%\n", whole > 0 ? 100 * parts[i].value / whole : 0);
        tsr_buf_free(&figure);
    }
}

static void heading(pen *p, const char *title)
{
    paint(p, "1");
    tsr_buf_cstr(p->out, title);
    paint(p, "0");
}

static void step(pen *p, const tsr_look *look)
{
    part parts[] = {{"matrix products", "\u2588", "34", look->products},
                    {"other kernels", "\u2593", "36", look->kernels},
                    {"exposed communication", "\u2592", "31", look->exposed},
                    {"hidden communication", "\u2591", "35", look->hidden}};
    if (look->step <= 0)
        return;
    heading(p, "step");
    tsr_buf_cstr(p->out, "  ");
    tsr_buf_seconds(p->out, look->step);
    tsr_buf_report(p->out, " on %lld x ", (long long)look->devices);
    tsr_buf_str(p->out, look->device->name);
    tsr_buf_report(p->out, "%s, MFU %.1f %%\n", look->assumed ? " (assumed)" : "", 100 * look->mfu);
    if (look->step_once > 0) {
        tsr_buf_cstr(p->out, "  ");
        tsr_buf_seconds(p->out, look->step_once);
        tsr_buf_cstr(p->out, " with one turn of each loop\n");
    }
    bar(p, parts, 3, look->step);
    legend(p, parts, 4, look->step, NULL);
    tsr_buf_char(p->out, '\n');
}

static void memory(pen *p, const tsr_look *look)
{
    static const char *const blocks[] = {"\u2588", "\u2593", "\u25a0",
                                         "\u2592", "\u25a4", "\u2591"};
    static const char *const colours[] = {"34", "36", "37", "33", "35", "32"};
    part parts[TSR_HELD__COUNT];
    double limit = look->device ? look->device->memory : 0;
    for (int i = 0; i < TSR_HELD__COUNT; i++)
        parts[i] = (part){tsr_held_name((tsr_held)i), blocks[i], colours[i], look->held[i]};
    heading(p, "memory");
    tsr_buf_cstr(p->out, "  ");
    tsr_buf_quantity(p->out, look->peak, "B");
    if (limit > 0) {
        tsr_buf_cstr(p->out, " of ");
        tsr_buf_quantity(p->out, limit, "B");
    }
    tsr_buf_cstr(p->out, " at the peak of a device");
    tsr_buf_cstr(p->out, limit > 0 && look->peak > limit ? ": it does not fit\n" : "\n");
    if (look->peak > 0)
        bar(p, parts, TSR_HELD__COUNT, fmax(limit, look->peak));
    legend(p, parts, TSR_HELD__COUNT, look->peak, "B");
    tsr_buf_char(p->out, '\n');
}

/* Words of a text, each line indented and at most as long as the terminal is wide. */
static void wrap(pen *p, tsr_str s, const char *first, const char *rest)
{
    size_t indent = strlen(first), column = indent;
    tsr_buf shown = {0};
    tsr_text_visible(&shown, s, TSR_VISIBLE_TEXT);
    tsr_str all = tsr_buf_text(&shown);
    tsr_buf_cstr(p->out, first);
    for (size_t at = 0; at < all.len;) {
        size_t end = at;
        while (end < all.len &&
               (all.data[end] != ' ' || (end + 1 < all.len && all.data[end + 1] == '%')))
            end++; /* a number and its unit stay together */
        if (column > indent && column + 1 + (end - at) > p->columns) {
            tsr_buf_char(p->out, '\n');
            tsr_buf_cstr(p->out, rest);
            column = indent;
        } else if (column > indent) {
            tsr_buf_char(p->out, ' ');
            column++;
        }
        tsr_buf_str(p->out, (tsr_str){all.data + at, end - at});
        column += end - at;
        at = end + 1;
    }
    tsr_buf_char(p->out, '\n');
    tsr_buf_free(&shown);
}

/* Without folders. */
static void put_base(tsr_buf *out, tsr_str place)
{
    size_t at = 0;
    for (size_t i = 0; i + 1 < place.len; i++)
        at = place.data[i] == '/' ? i + 1 : at;
    tsr_buf_str(out, (tsr_str){place.data + at, place.len - at});
}

static void collectives(pen *p, const tsr_look *look)
{
    if (!look->rows.n)
        return;
    heading(p, "costliest collectives\n");
    for (size_t i = 0; i < look->rows.n && i < ROWS_MOST; i++) {
        const tsr_look_row *r = &look->rows.data[i];
        tsr_buf line = {0}, bytes = {0}, head = {0};
        tsr_buf_quantity(&bytes, (double)r->moved, "B");
        tsr_buf_char(&bytes, 0);
        tsr_buf_printf(&head, "  %9s  ", bytes.data);
        tsr_buf_char(&head, 0);
        tsr_buf_printf(&line, "%.*s over %.*s", TSR_STR_ARG(r->kind), TSR_STR_ARG(r->axes));
        if (r->turns > 1)
            tsr_buf_printf(&line, " x%lld", (long long)r->turns);
        if (r->place.len) {
            tsr_buf_cstr(&line, " at ");
            put_base(&line, r->place);
        }
        tsr_buf_printf(&line, ": %.*s", TSR_STR_ARG(r->why));
        wrap(p, tsr_buf_text(&line), head.data, "             ");
        tsr_buf_free(&line);
        tsr_buf_free(&bytes);
        tsr_buf_free(&head);
    }
    tsr_buf_char(p->out, '\n');
}

void tsr_look_text(tsr_buf *out, const tsr_look *look, uint32_t columns, bool colour)
{
    pen p = {out, columns, colour};
    step(&p, look);
    memory(&p, look);
    collectives(&p, look);
    for (int i = 0; i < 3; i++)
        wrap(&p, look->advice[i], "- ", "  ");
    tsr_buf_char(out, '\n');
}
