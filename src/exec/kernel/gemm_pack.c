/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack.c - packs the operands of matrix products into panels. See gemm_plan.h.
 *
 * Any layout is read once, and elements are converted on the way. A factor that is computed before the product is
 * computed here, into a box of a few panels. */
#include "exec/kernel/gemm_plan.h"

typedef tsr_gemm_plan plan;

/* ---- One panel ---- */

/* Packs one panel of lines over the depth. raw: scratch for elements before they are converted. */
static void pack_panel(const plan *p, bool is_a, const char *src, int64_t line, int64_t step,
                       int64_t lines, int64_t depth, int64_t width, char *out, char *raw)
{
    tsr_pack s = {.src = src,
                  .out = p->widen ? raw : out,
                  .line = line * p->in_size,
                  .step = step * p->in_size,
                  .lines = lines,
                  .depth = depth,
                  .width = (int)width,
                  .pair = p->micro->pair,
                  .elem = (uint32_t)p->in_size,
                  .flips = is_a && p->micro->flips};
    int64_t packed = tsr_round_up(depth, s.pair), whole = tsr_round_up(depth, p->micro->pad);
    p->isa->pack(&s);
    if (whole > packed)
        memset((char *)s.out + packed * width * p->in_size, 0,
               (size_t)((whole - packed) * width * p->in_size));
    const void *in[1] = {raw};
    if (p->widen)
        p->widen(out, in, (size_t)(tsr_round_up(depth, s.pair) * width));
}

/* The same for kinds whose panels are [depth / pad][rows][pad]: rows and depth are transposed. */
static void pack_lines(const plan *p, const char *src, int64_t line, int64_t step, int64_t lines,
                       int64_t depth, int64_t width, char *out)
{
    int64_t pad = p->micro->pad, piece = width * pad * p->in_size;
    for (int64_t k = 0; k < depth; k += pad, out += piece) {
        tsr_pack s = {.src = src + k * step * p->in_size,
                      .out = out,
                      .line = step * p->in_size,
                      .step = line * p->in_size,
                      .lines = tsr_min(pad, depth - k),
                      .depth = lines,
                      .width = (int)pad,
                      .pair = 1,
                      .elem = (uint32_t)p->in_size};
        p->isa->pack(&s);
        memset(out + lines * pad * p->in_size, 0, (size_t)((width - lines) * pad * p->in_size));
    }
}

/* Packs a panel of lines starting at src, in the layout of the side's kind. */
static void pack_lines_of(const plan *p, bool is_a, const char *src, int64_t line, int64_t step,
                          int64_t lines, int64_t depth, int64_t width, char *out, char *own)
{
    if (is_a && p->micro->lines)
        pack_lines(p, src, line, step, lines, depth, width, out);
    else
        pack_panel(p, is_a, src, line, step, lines, depth, width, out, own);
}

/* Packs windows as panels of single elements; those that are converted one panel at a time. */
static void pack_windows(const plan *p, const tsr_grid_part *part, int64_t width, char *out,
                         char *raw)
{
    const void *in[1] = {raw};
    tsr_grid_pack(part, width, part->depth * width * p->packed_size, p->widen ? raw : out);
    if (p->widen)
        p->widen(out, in, (size_t)(part->depth * width));
}

tsr_pack_source tsr_pack_source_of(const plan *p, bool is_a, int64_t batch)
{
    const tsr_gemm *g = p->g;
    if (!is_a && p->picture)
        return (tsr_pack_source){p->picture, p->picture_origin};
    const char *at = is_a ? g->a : g->b; /* NULL: it is computed when it is packed */
    int64_t from = (is_a ? tsr_gemm_a_at(g, batch) : tsr_gemm_b_at(g, batch)) * p->in_size;
    return (tsr_pack_source){at ? at + from : NULL, 0};
}

/* Packs lines of A or B from first on, over the depth from k on; own: the worker's scratch. */
static void pack_side(const plan *p, bool is_a, tsr_pack_source from, int64_t first, int64_t lines,
                      int64_t k, int64_t depth, int64_t width, char *out, char *own)
{
    const tsr_gemm *g = p->g;
    int64_t line = is_a ? g->a_m : g->b_n, step = is_a ? g->a_k : g->b_k;
    const char *src = from.at;
    tsr_grid_part part = {.grid = is_a ? g->a_grid : g->b_grid,
                          .src = src,
                          .origin = from.origin,
                          .line = first,
                          .lines = lines,
                          .step = p->k0 + k,
                          .depth = depth,
                          .elem = (uint32_t)p->in_size};
    src += (first * line + k * step) * p->in_size;
    if (part.grid && p->micro->pair == 1 && p->micro->pad == 1) {
        pack_windows(p, &part, width, out, own);
        return;
    }
    if (part.grid) {
        tsr_grid_gather(&part, own + p->own_g);
        src = own + p->own_g;
        line = depth;
        step = 1;
    }
    pack_lines_of(p, is_a, src, line, step, lines, depth, width, out, own);
}

/* ---- Factors computed when they are packed ---- */

/* Several panels are computed at a time if lines are adjacent in memory: loops over long rows cost less. FILLED_DEPTH
 * divides the steps of the depth. */
enum { FILLED_LINES = 256, FILLED_DEPTH = 32 };

int64_t tsr_pack_filled_panels(const plan *p, bool is_a)
{
    return tsr_div_up(FILLED_LINES, is_a ? p->rows : p->cols);
}

int64_t tsr_pack_box_elems(const plan *p)
{
    const tsr_gemm *g = p->g;
    bool gathers = (g->a_grid || g->b_grid) && (p->micro->pair > 1 || p->micro->pad > 1);
    bool fills = g->fill[0] || g->fill[1];
    int64_t widest = p->rows > p->cols ? p->rows : p->cols;
    int64_t box = p->depth * widest, lines = FILLED_DEPTH * (FILLED_LINES + 2 * widest);
    return !gathers && !fills ? 0 : fills && lines > box ? lines : box;
}

void tsr_pack_fill_box(const tsr_gemm *g, int side, int64_t n, int64_t line, tsr_gemm_box *box)
{
    enum { VECTOR = 16 };
    box->stride = n == line ? n : tsr_round_up(n, VECTOR);
    g->fill[side](g->fill_ctx[side], box);
}

bool tsr_pack_fills_lines(const plan *p, bool is_a)
{
    bool along = (is_a ? p->g->a_k : p->g->b_k) == 1;
    return p->g->fill[!is_a] && !along && p->micro->pad <= FILLED_DEPTH;
}

void tsr_pack_filled(const plan *p, const tsr_pack_fill *f, char *own)
{
    const tsr_gemm *g = p->g;
    bool along = (f->is_a ? g->a_k : g->b_k) == 1, some_lines = tsr_pack_fills_lines(p, f->is_a);
    int64_t apart = f->is_a ? (along ? g->a_m : g->a_k) : along ? g->b_n : g->b_k;
    int64_t wide = f->is_a ? p->rows : p->cols, all = f->is_a ? p->ms : p->ns;
    int64_t panels = some_lines ? tsr_pack_filled_panels(p, f->is_a) : 1;
    int64_t some = some_lines ? FILLED_DEPTH : p->depth;
    tsr_gemm_box box = {
        .batch = f->batch, .out = own + p->own_g, .worker = (int)((own - p->own) / p->own_size)};
    for (int64_t i = f->first; i < f->end; i += panels)
        for (int64_t k = 0; k < f->depth; k += some) {
            box.line = (f->is_a ? p->m0 : p->n0) + i * wide;
            box.lines = tsr_min(tsr_min(panels, f->end - i) * wide, all - i * wide);
            box.step = p->k0 + f->k + k;
            box.depth = tsr_min(some, f->depth - k);
            tsr_pack_fill_box(g, !f->is_a, along ? box.depth : box.lines, apart, &box);
            for (int64_t l = 0; l < box.lines; l += wide) {
                int64_t lines = tsr_min(wide, box.lines - l);
                int64_t width = f->is_a ? p->micro->rows[tsr_micro_tile(p->micro, lines)] : wide;
                int64_t at = ((i - f->first) * wide + l) * f->held + k * width;
                pack_lines_of(p, f->is_a,
                              (char *)box.out + l * (along ? box.stride : 1) * p->in_size,
                              along ? box.stride : 1, along ? 1 : box.stride, lines, box.depth,
                              width, f->to + at * p->packed_size, own);
            }
        }
}

/* ---- Zeros at the ends ---- */

static uint64_t two_of(const char *panel, int64_t i)
{
    uint64_t both;
    memcpy(&both, panel + i * (int64_t)sizeof(float), sizeof both);
    return both & UINT64_C(0x7fffffff7fffffff);
}

tsr_pack_span tsr_pack_span_of(const char *panel, int64_t depth, int64_t width)
{
    enum { WORTH = 16 };
    int64_t n = depth * width, i = 0, end = n;
    while (i + 2 <= n && !two_of(panel, i))
        i += 2;
    while (end - 2 >= i && !two_of(panel, end - 2))
        end -= 2;
    tsr_pack_span s = {(int32_t)(i / width), (int32_t)tsr_div_up(end, width)};
    return depth - s.end + s.first < WORTH ? (tsr_pack_span){0, (int32_t)depth} : s;
}

/* If all bits of an exponent are set, adding one to it carries into the sign. */
bool tsr_is_finite(const float *x, int64_t n)
{
    enum { SOME = TSR_FINITE_STEP / 2 };
    uint64_t others[SOME] = {0}, any = 0;
    for (int64_t i = 0; i < n; i += TSR_FINITE_STEP)
        for (int k = 0; k < SOME; k++)
            others[k] |= two_of((const char *)x, i + 2 * k) + UINT64_C(0x0080000000800000);
    for (int k = 0; k < SOME; k++)
        any |= others[k];
    return !(any & UINT64_C(0x8000000080000000));
}

/* ---- Panels of A ---- */

void tsr_pack_a_step(const plan *p, tsr_pack_source from, int64_t row, int64_t lines, int64_t k,
                     char *out, char *own)
{
    pack_side(p, true, from, p->m0 + row, lines, k, tsr_min(p->depth, p->g->k - k),
              p->micro->rows[tsr_micro_tile(p->micro, lines)], out, own);
}

/* A panel of A has the whole depth, in steps of DEPTH. */
static char *a_panel(const plan *p, char *a, int64_t panel)
{
    return a + panel * p->rows * tsr_pack_depth(p, p->g->k) * p->packed_size;
}

static void pack_a(const plan *p, int64_t batch, int64_t panel, char *to, char *own)
{
    int64_t row = panel * p->rows, lines = tsr_min(p->rows, p->ms - row);
    int64_t width = p->micro->rows[tsr_micro_tile(p->micro, lines)];
    char *out = a_panel(p, to, panel);
    tsr_pack_span *spans = tsr_pack_spans(p, to, panel);
    for (int64_t k = 0; k < p->g->k; k += p->depth) {
        if (!p->g->fill[0])
            tsr_pack_a_step(p, tsr_pack_source_of(p, true, batch), row, lines, k, out, own);
        if (spans)
            spans[k / p->depth] = tsr_pack_span_of(out, tsr_min(p->depth, p->g->k - k), width);
        out += tsr_pack_depth(p, tsr_min(p->depth, p->g->k - k)) * width * p->packed_size;
    }
}

void tsr_pack_a_panels(const plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                       char *own)
{
    int64_t held = tsr_pack_depth(p, p->g->k);
    tsr_pack_fill f = {true, batch, first, end, 0, p->g->k, held, a_panel(p, to, first)};
    if (p->g->fill[0])
        tsr_pack_filled(p, &f, own);
    for (int64_t i = first; i < end; i++)
        pack_a(p, batch, i, to, own);
}

/* ---- Panels of B ---- */

static void pack_b_part(const plan *p, int64_t batch, int64_t panel, int64_t k, int64_t depth,
                        char *out, char *own)
{
    int64_t col = panel * p->cols;
    pack_side(p, false, tsr_pack_source_of(p, false, batch), p->n0 + col,
              tsr_min(p->cols, p->ns - col), k, depth, p->cols, out, own);
}

void tsr_pack_b_step(const plan *p, int64_t batch, int64_t panel, int64_t k, char *out, char *raw)
{
    int64_t depth = tsr_min(p->depth, p->g->k - k);
    tsr_pack_fill f = {false, batch, panel, panel + 1, k, depth, tsr_pack_depth(p, depth), out};
    if (p->g->fill[1])
        tsr_pack_filled(p, &f, raw);
    else
        pack_b_part(p, batch, panel, k, depth, out, raw);
}

void tsr_pack_b(const plan *p, int64_t batch, int64_t panel, char *to, char *raw)
{
    for (int64_t k = 0; k < p->g->k; k += p->depth)
        tsr_pack_b_step(p, batch, panel, k, tsr_pack_b_panel(p, to, panel, k), raw);
}

void tsr_pack_b_panels(const plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                       char *raw)
{
    enum {
        SOME = 32,
        MORE = 64
    }; /* they divide the steps of the depth; no kind pads the depth further */
    const tsr_gemm *g = p->g;
    tsr_pack_fill f = {false,
                       batch,
                       first,
                       end,
                       0,
                       g->k,
                       tsr_pack_depth(p, g->k),
                       tsr_pack_b_panel(p, to, first, 0)};
    if (g->fill[1]) {
        tsr_pack_filled(p, &f, raw);
        return;
    }
    int64_t some = p->micro->pad > SOME ? MORE : SOME;
    if (g->b_n != 1) {
        for (int64_t i = first; i < end; i++)
            tsr_pack_b(p, batch, i, to, raw);
        return;
    }
    for (int64_t k = 0; k < g->k; k += some)
        for (int64_t i = first; i < end; i++)
            pack_b_part(p, batch, i, k, tsr_min(some, g->k - k), tsr_pack_b_panel(p, to, i, k),
                        raw);
}
