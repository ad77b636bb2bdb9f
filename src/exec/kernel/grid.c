/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c - packs windows. See grid.h. */
#include "exec/kernel/grid.h"

#include "base/round.h"
#include "exec/kernel/isa/isa.h"

int64_t tsr_grid_place(const tsr_xview *v, int64_t i, int64_t *run)
{
    int last = v->space.rank - 1;
    int64_t place = 0;
    *run = last < 0 ? 1 : v->space.dims[last] - i % v->space.dims[last];
    for (int d = last; d >= 0; d--) {
        place += i % v->space.dims[d] * v->strides[d];
        i /= v->space.dims[d];
    }
    return place;
}

/* Calls do for each rectangle of the part that has a single stride in each direction. */
typedef struct {
    const char *src;
    int64_t line, step; /* strides in bytes */
    int64_t at_line, at_step, lines, depth;
} rectangle;

static void each_rectangle(const tsr_grid_part *p, void (*do_one)(void *ctx, const rectangle *r),
                           void *ctx)
{
    const tsr_grid *g = p->grid;
    rectangle r = {.line = tsr_grid_stride(&g->lines) * p->elem,
                   .step = tsr_grid_stride(&g->steps) * p->elem};
    for (r.at_line = 0; r.at_line < p->lines; r.at_line += r.lines) {
        int64_t line = tsr_grid_place(&g->lines, p->line + r.at_line, &r.lines);
        r.lines = tsr_min(r.lines, p->lines - r.at_line);
        for (r.at_step = 0; r.at_step < p->depth; r.at_step += r.depth) {
            int64_t step = tsr_grid_place(&g->steps, p->step + r.at_step, &r.depth);
            r.depth = tsr_min(r.depth, p->depth - r.at_step);
            r.src = p->src + (line + step - p->origin) * p->elem;
            do_one(ctx, &r);
        }
    }
}

typedef struct {
    const tsr_grid_part *p;
    const tsr_isa *isa;
    int64_t width;
    char *out;
} target;

static void pack_one(void *ctx, const rectangle *r)
{
    const target *t = ctx;
    int64_t elem = t->p->elem;
    t->isa->pack(&(tsr_pack){.src = r->src,
                             .out = t->out + (r->at_step * t->width + r->at_line) * elem,
                             .line = r->line,
                             .step = r->step,
                             .lines = r->lines,
                             .depth = r->depth,
                             .width = (int)t->width,
                             .pair = 1,
                             .elem = t->p->elem,
                             .part = true});
}

/* Offsets of n elements from i on, in bytes. */
static void find_places(const tsr_xview *v, int64_t i, int64_t n, int64_t elem, int64_t *out)
{
    int64_t at[TSR_VIEW_RANK], place = 0;
    int last = v->space.rank - 1;
    for (int d = last; d >= 0; d--) {
        at[d] = i % v->space.dims[d];
        place += at[d] * v->strides[d];
        i /= v->space.dims[d];
    }
    for (int64_t k = 0; k < n; k++) {
        out[k] = place * elem;
        for (int d = last; d >= 0; d--) {
            place += v->strides[d];
            if (++at[d] < v->space.dims[d])
                break;
            place -= at[d] * v->strides[d];
            at[d] = 0;
        }
    }
}

/* Copies some steps of lines that are adjacent in memory to a panel. at: offsets of the steps. */
static void copy_beside(const tsr_grid_part *p, const tsr_isa *isa, const int64_t *at, int64_t line,
                        int64_t lines, int64_t steps, int64_t width, char *out)
{
    int64_t elem = p->elem, run;
    for (int64_t i = 0; i < lines; i += run) {
        int64_t place = tsr_grid_place(&p->grid->lines, line + i, &run) - p->origin;
        run = tsr_min(run, lines - i);
        isa->pack(&(tsr_pack){.src = p->src + place * elem,
                              .out = out + i * elem,
                              .line = elem,
                              .at = at,
                              .lines = run,
                              .depth = steps,
                              .width = (int)width,
                              .pair = 1,
                              .elem = p->elem,
                              .part = true});
    }
}

/* Packs lines that are adjacent in memory: each run of lines is copied step by step, at any stride between steps. Some
 * steps of all panels are packed at a time: they stay in the nearest cache, which has little room for lines that are a
 * power of two apart. */
static void pack_beside(const tsr_grid_part *p, int64_t width, int64_t apart, char *out)
{
    enum { SOME = 32 };
    const tsr_isa *isa = tsr_isa_now();
    int64_t at[SOME], elem = p->elem;
    for (int64_t k = 0; k < p->depth; k += SOME) {
        int64_t n = tsr_min(SOME, p->depth - k);
        find_places(&p->grid->steps, p->step + k, n, elem, at);
        for (int64_t i = 0; i < p->lines; i += width)
            copy_beside(p, isa, at, p->line + i, tsr_min(width, p->lines - i), n, width,
                        out + i / width * apart + k * width * elem);
    }
}

void tsr_grid_pack(const tsr_grid_part *p, int64_t width, int64_t apart, void *out)
{
    tsr_grid_part panel = *p;
    int64_t last = p->lines / width;
    if (p->lines % width)
        memset((char *)out + last * apart, 0, (size_t)(p->depth * width) * p->elem);
    if (tsr_grid_stride(&p->grid->lines) == 1) {
        pack_beside(p, width, apart, out);
        return;
    }
    for (int64_t i = 0; i < p->lines; i += width) {
        panel.line = p->line + i;
        panel.lines = tsr_min(width, p->lines - i);
        each_rectangle(&panel, pack_one,
                       &(target){&panel, tsr_isa_now(), width, (char *)out + i / width * apart});
    }
}

static void copy_one(void *ctx, const rectangle *r)
{
    const target *t = ctx;
    int64_t elem = t->p->elem;
    for (int64_t i = 0; i < r->lines; i++) {
        const char *from = r->src + i * r->line;
        char *to = t->out + ((r->at_line + i) * t->p->depth + r->at_step) * elem;
        if (r->step == elem)
            memcpy(to, from, (size_t)(r->depth * elem));
        else
            for (int64_t k = 0; k < r->depth; k++)
                memcpy(to + k * elem, from + k * r->step, (size_t)elem);
    }
}

void tsr_grid_gather(const tsr_grid_part *p, void *out)
{
    each_rectangle(p, copy_one, &(target){.p = p, .out = out});
}

int64_t tsr_grid_rows(const tsr_grid *g, int64_t line, int64_t lines, int64_t offset,
                      int64_t *first)
{
    int64_t run, end = offset + tsr_grid_place(&g->lines, line + lines - 1, &run);
    *first = (offset + tsr_grid_place(&g->lines, line, &run)) / g->pad->row;
    for (int i = 0; i < g->steps.space.rank; i++)
        end += (g->steps.space.dims[i] - 1) * g->steps.strides[i];
    return end / g->pad->row + 1 - *first;
}

void tsr_grid_fill(const tsr_grid_pad *p, uint32_t elem, const char *src, int64_t first,
                   int64_t rows, char *out)
{
    size_t bytes = (size_t)p->row * elem, before = (size_t)p->before * elem,
           count = (size_t)p->count * elem;
    for (int64_t r = first; r < first + rows; r++, out += bytes) {
        int64_t left = r, place = p->skip;
        bool there = count > 0;
        for (int d = p->rank - 1; d >= 0; d--) {
            int64_t i = left % p->dims[d] - p->low[d];
            left /= p->dims[d];
            there &= i >= 0 && i < p->sizes[d];
            place += i * p->strides[d];
        }
        if (!there) {
            memset(out, 0, bytes);
            continue;
        }
        memset(out, 0, before);
        memcpy(out + before, src + place * elem, count);
        memset(out + before + count, 0, bytes - before - count);
    }
}
