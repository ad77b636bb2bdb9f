/* gemm.c - matrix products over packed panels. See gemm.h.
 *
 * Both operands are packed into panels as wide as the tiles of the inner loop (isa/gemm.c): any layout is read once,
 * and elements are converted on the way. Then blocks of C are computed, each by one thread: along the depth in steps of
 * DEPTH, so that a panel of B stays in the first-level cache while panels of A pass by. Products with few rows do not
 * pack B ahead: each thread packs the panels it needs, or reads B in place. Rows of A that are contiguous along the
 * depth, in particular windows of images, are read in place. A factor that is computed before the product is computed
 * when it is packed. Small products of a batch are packed and computed by one thread each. Work is divided by shapes
 * alone. */
#include "exec/kernel/gemm.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/provider.h"
#include "exec/kernel/tall.h"
#include "exec/kernel/thin.h"

enum {
    DEPTH = TSR_GEMM_DEPTH,
    LONG_DEPTH = 1024, /* for bytes and for AMX tiles: the work between two steps costs them more */
    FEW_ROWS = 48,
    BLOCK_ROWS = 144, /* approximately: a multiple of the tile's rows */
    BLOCK_COLS = 256,
    WINDOW_COLS = 512, /* if each block packs its own rows: windows */
    /* Up to this many columns a block has whole rows; a part of C is no narrower. */
    LONG_ROW = 4 * BLOCK_COLS,
    /* Up to this depth B stays in the cache while blocks of long rows read it again. */
    SHALLOW = 256,
    WIDE = 128,       /* least columns of a block with an epilogue, */
    WIDER = 256,      /* and if there are several blocks anyway */
    MANY_PANELS = 16, /* of B: enough to occupy the threads */
    /* Of A, for one step of the depth: they stay in the second-level cache. */
    NEAR_BYTES = 768 << 10,
    LEAST_RUN = 8,    /* shortest run of the depth that is read in place */
    FILLED_ROWS = 64, /* least rows of a block that computes its rows */
};
static const int64_t SMALL_WORK = 2 << 20; /* products of a matrix that one thread computes */
static const int64_t BLOCK_WORK = 1 << 20; /* products of a block, at least */
static const int64_t MOST_PACKED = (int64_t)48 << 20; /* bytes */

/* ---- Types ---- */

static bool is_plain_int(tsr_dtype d)
{
    return tsr_dtype_is_int(d) && tsr_dtype_bits(d) >= 8;
}

static bool is_plain_float(tsr_dtype d)
{
    return d == TSR_D_F32 || d == TSR_D_F64 || d == TSR_D_BF16 || d == TSR_D_F16;
}

bool tsr_gemm_has(tsr_dtype type, tsr_dtype out_type)
{
    if (is_plain_int(type))
        return is_plain_int(out_type);
    return is_plain_float(type) && is_plain_float(out_type) &&
           (type != TSR_D_F64 || out_type == TSR_D_F64);
}

tsr_dtype tsr_gemm_sum_type(tsr_dtype type, tsr_dtype out_type)
{
    if (tsr_dtype_is_int(type))
        return tsr_dtype_bytes(out_type) > 4 ? TSR_D_I64 : TSR_D_I32;
    return type == TSR_D_F64 || out_type == TSR_D_F64 ? TSR_D_F64 : TSR_D_F32;
}

/* ---- The plan ---- */

typedef struct {
    const tsr_gemm *g;
    const tsr_isa *isa;
    const tsr_micro *micro;
    tsr_tile_fn *widen, *narrow; /* NULL: types are the same */
    tsr_dtype sum;
    int64_t in_size, packed_size, sum_size, out_size;
    int64_t rows, cols;     /* of the largest tile */
    int64_t depth;          /* of a step */
    int64_t m0, ms, n0, ns; /* the part of C that is being computed */
    int64_t k0;             /* the step of the grids at which the depth starts */
    bool adds;              /* add to the numbers in C */
    int64_t block_m, block_n, blocks_m, blocks_n; /* blocks of that part */
    bool packs_b;                                 /* ahead, for all blocks */
    bool late_a;                                  /* each block packs its own rows, step by step, */
    bool in_place;                                /* or reads them in place */
    bool apart;                                   /* sums of a block are in scratch memory */
    int64_t panels_a, panels_b;                   /* number of panels that are packed ahead now */
    int64_t per_chunk; /* matrices of the batch per chunk, if they are small */
    int64_t batch;     /* number of the current matrix */
    char *a, *b;       /* packed */
    char *picture;     /* of B, with its zero padding; NULL: none */
    int64_t picture_first, picture_rows, picture_origin;
    char *own; /* scratch of the workers */
    /* Bytes of each worker's scratch, and offsets of its parts. */
    int64_t own_size, own_b, own_c, own_a, own_g, own_p;
} plan;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t round_up(int64_t a, int64_t b)
{
    return divide_up(a, b) * b;
}

static tsr_micro_kind kind_of_bytes(bool is_u8)
{
    switch (tsr_isa_bytes()) {
    case TSR_BYTES_AMX: return is_u8 ? TSR_MICRO_AMX_U8 : TSR_MICRO_AMX_I8;
    case TSR_BYTES_DOT: return is_u8 ? TSR_MICRO_DOT_U8 : TSR_MICRO_DOT_I8;
    default: return tsr_isa_now()->micros[TSR_MICRO_I16].fn[0] ? TSR_MICRO_I16 : TSR_MICRO_I32;
    }
}

static tsr_micro_kind kind_of(tsr_dtype type, tsr_dtype sum, bool plain)
{
    bool pairs = type == TSR_D_BF16 && sum == TSR_D_F32 && !plain;
    if (pairs && tsr_isa_has_amx())
        return TSR_MICRO_AMX;
    if (pairs && tsr_isa_has_bf16())
        return TSR_MICRO_BF16;
    if ((type == TSR_D_I8 || type == TSR_D_U8) && sum == TSR_D_I32)
        return kind_of_bytes(type == TSR_D_U8);
    switch (sum) {
    case TSR_D_F32: return TSR_MICRO_F32;
    case TSR_D_F64: return TSR_MICRO_F64;
    case TSR_D_I32: return TSR_MICRO_I32;
    default: return TSR_MICRO_I64;
    }
}

static void set_types(plan *p)
{
    const tsr_gemm *g = p->g;
    p->sum = tsr_gemm_sum_type(g->type, g->out_type);
    tsr_micro_kind kind = kind_of(g->type, p->sum, g->plain);
    p->isa = tsr_isa_now();
    p->micro = &p->isa->micros[kind];
    bool as_it_is = p->micro->pair > 1 && kind != TSR_MICRO_I16;
    tsr_dtype packed = as_it_is ? g->type : kind == TSR_MICRO_I16 ? TSR_D_I16 : p->sum;
    p->widen = packed == g->type ? NULL : tsr_tile_convert(packed, g->type);
    p->narrow = p->sum == g->out_type ? NULL : tsr_tile_convert(g->out_type, p->sum);
    p->apart = p->narrow || !g->c;
    p->in_size = tsr_dtype_bytes(g->type);
    p->packed_size = tsr_dtype_bytes(packed);
    p->sum_size = tsr_dtype_bytes(p->sum);
    p->out_size = tsr_dtype_bytes(g->out_type);
    p->depth = p->micro->lines || p->packed_size == 1 ? LONG_DEPTH : DEPTH;
    p->rows = p->micro->rows[TSR_MICRO_SIZES - 1];
    p->cols = p->micro->cols;
}

/* Whether rows of A can be read in place: their depth steps are contiguous. */
static bool lies_in_rows(const plan *p)
{
    const tsr_grid *grid = p->g->a_grid;
    if (p->widen || !p->micro->windows[0])
        return false;
    if (!grid)
        return p->g->a_k == 1;
    const tsr_xspace *steps = &grid->steps.space;
    return steps->rank && tsr_grid_stride(&grid->steps) == 1 &&
           steps->dims[steps->rank - 1] >= LEAST_RUN;
}

/* Whether reading rows in place pays: with more columns, packed rows are read often enough to be faster. */
static bool reads_rows(const plan *p)
{
    return lies_in_rows(p) && (p->g->a_grid || p->g->n <= WINDOW_COLS);
}

/* B is packed ahead if each panel is used by several blocks of rows, or if rows of A are not packed; otherwise a panel
 * is packed when it is needed, and stays in the cache. */
static bool packs_ahead(const plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t line = least(g->k, p->depth) * p->packed_size;
    bool one_block = line * g->m <= NEAR_BYTES && (g->b_grid || g->n >= MANY_PANELS * p->cols) &&
                     (g->a_grid || !reads_rows(p));
    return g->m > FEW_ROWS && (g->rows || !one_block);
}

static void start_blocks(plan *p)
{
    bool rows = p->g->rows && p->ns > BLOCK_COLS;
    int64_t block_m = rows ? BLOCK_ROWS * BLOCK_COLS / p->ns : p->packs_b ? BLOCK_ROWS : p->ms;
    p->block_m = least(round_up(block_m, p->rows), round_up(p->ms, p->rows));
    int64_t block_n = rows ? p->ns : p->late_a ? WINDOW_COLS : BLOCK_COLS;
    p->block_n = least(block_n, round_up(p->ns, p->cols));
}

/* Sets the blocks of C: large ones reuse panels more, but a large machine needs some for each thread. */
static void set_blocks(plan *p)
{
    const tsr_gemm *g = p->g;
    start_blocks(p);
    for (;;) {
        p->blocks_m = divide_up(p->ms, p->block_m);
        p->blocks_n = divide_up(p->ns, p->block_n);
        enum { ENOUGH = 32, SOME = 8 };
        bool some = p->blocks_m * p->blocks_n >= SOME;
        if (p->blocks_m * p->blocks_n >= ENOUGH || p->block_m * p->block_n * g->k / 2 < BLOCK_WORK)
            return;
        bool once = p->late_a && g->fill[0]; /* rows are computed by one block only */
        if (!g->rows && !once &&
            p->block_n >= 2 * (!g->epilogue ? p->cols
                               : some       ? WIDER
                                            : WIDE) &&
            (!p->packs_b || p->block_n * 2 > p->block_m))
            p->block_n = round_up(p->block_n / 2, p->cols);
        else if (p->packs_b && p->block_m >= 2 * (once ? FILLED_ROWS : p->rows))
            p->block_m = round_up(p->block_m / 2, p->rows);
        else
            return;
    }
}

/* ---- Packing ---- */

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
    int64_t packed = round_up(depth, s.pair), whole = round_up(depth, p->micro->pad);
    p->isa->pack(&s);
    if (whole > packed)
        memset((char *)s.out + packed * width * p->in_size, 0,
               (size_t)((whole - packed) * width * p->in_size));
    const void *in[1] = {raw};
    if (p->widen)
        p->widen(out, in, (size_t)(round_up(depth, s.pair) * width));
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
                      .lines = least(pad, depth - k),
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

/* Packs windows as a panel of single elements. */
static void pack_windows(const plan *p, const tsr_grid_part *part, int64_t width, char *out,
                         char *raw)
{
    const void *in[1] = {raw};
    tsr_grid_pack(part, width, p->widen ? raw : out);
    if (p->widen)
        p->widen(out, in, (size_t)(part->depth * width));
}

/* Where a matrix is read from: at points to the element at offset origin. */
typedef struct {
    const char *at;
    int64_t origin;
} source;

static source source_of(const plan *p, bool is_a, int64_t batch)
{
    const tsr_gemm *g = p->g;
    if (!is_a && p->picture)
        return (source){p->picture, p->picture_origin};
    return (source){(const char *)(is_a ? g->a : g->b) +
                        batch * (is_a ? g->a_batch : g->b_batch) * p->in_size,
                    0};
}

/* Packs lines of A or B from first on, over the depth from k on; own: the worker's scratch. */
static void pack_side(const plan *p, bool is_a, source from, int64_t first, int64_t lines,
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

/* The smallest tile that has enough rows. */
static int tile_for(const plan *p, int64_t rows)
{
    int i = 0;
    while (i < TSR_MICRO_SIZES - 1 && p->micro->rows[i] < rows)
        i++;
    return i;
}

static int64_t even_depth(const plan *p, int64_t k)
{
    return round_up(k, p->micro->pad);
}

/* Panels of a side that is computed when it is packed, from first to end, over the depth from k on. to: the first
 * panel; each panel has held steps. */
typedef struct {
    bool is_a;
    int64_t batch, first, end, k, depth, held;
    char *to;
} filling;

/* Several panels are computed at a time if lines are adjacent in memory: loops over long rows cost less. FILLED_DEPTH
 * divides the steps of the depth. */
enum { FILLED_LINES = 256, FILLED_DEPTH = 32 };

static int64_t filled_panels(const plan *p, bool is_a)
{
    return divide_up(FILLED_LINES, is_a ? p->rows : p->cols);
}

/* Calls the function that computes a box of a side of g. Rows of the box have n elements each, line elements apart, and
 * room for whole vectors: partial vectors at the ends take longer. */
static void fill_box(const tsr_gemm *g, int side, int64_t n, int64_t line, tsr_gemm_box *box)
{
    enum { VECTOR = 16 };
    box->stride = n == line ? n : round_up(n, VECTOR);
    g->fill[side](g->fill_ctx[side], box);
}

static bool fills_lines(const plan *p, bool is_a)
{
    bool along = (is_a ? p->g->a_k : p->g->b_k) == 1;
    return p->g->fill[!is_a] && !along && p->micro->pad <= FILLED_DEPTH;
}

static void fill_panels(const plan *p, const filling *f, char *own)
{
    const tsr_gemm *g = p->g;
    bool along = (f->is_a ? g->a_k : g->b_k) == 1, some_lines = fills_lines(p, f->is_a);
    int64_t apart = f->is_a ? (along ? g->a_m : g->a_k) : along ? g->b_n : g->b_k;
    int64_t wide = f->is_a ? p->rows : p->cols, all = f->is_a ? p->ms : p->ns;
    int64_t panels = some_lines ? filled_panels(p, f->is_a) : 1;
    int64_t some = some_lines ? FILLED_DEPTH : p->depth;
    tsr_gemm_box box = {
        .batch = f->batch, .out = own + p->own_g, .worker = (int)((own - p->own) / p->own_size)};
    for (int64_t i = f->first; i < f->end; i += panels)
        for (int64_t k = 0; k < f->depth; k += some) {
            box.line = (f->is_a ? p->m0 : p->n0) + i * wide;
            box.lines = least(least(panels, f->end - i) * wide, all - i * wide);
            box.step = p->k0 + f->k + k;
            box.depth = least(some, f->depth - k);
            fill_box(g, !f->is_a, along ? box.depth : box.lines, apart, &box);
            for (int64_t l = 0; l < box.lines; l += wide) {
                int64_t lines = least(wide, box.lines - l);
                int64_t width = f->is_a ? p->micro->rows[tile_for(p, lines)] : wide;
                int64_t at = ((i - f->first) * wide + l) * f->held + k * width;
                pack_lines_of(p, f->is_a,
                              (char *)box.out + l * (along ? box.stride : 1) * p->in_size,
                              along ? box.stride : 1, along ? 1 : box.stride, lines, box.depth,
                              width, f->to + at * p->packed_size, own);
            }
        }
}

/* Packs one step of the depth of some rows of A. The last panel is as narrow as the tile sizes allow. */
static void pack_a_step(const plan *p, source from, int64_t row, int64_t lines, int64_t k,
                        char *out, char *own)
{
    pack_side(p, true, from, p->m0 + row, lines, k, least(p->depth, p->g->k - k),
              p->micro->rows[tile_for(p, lines)], out, own);
}

/* ---- Zeros at the ends ---- */

/* The range of a step of the depth outside which a panel of A is zero, as a causal mask leaves it in the factors of
 * gradients. Stored after the panels, by panel and step. If B is finite only this range is multiplied; the bits are the
 * same. */
typedef struct {
    int32_t first, end;
} span;

static int64_t panel_bytes(const plan *p)
{
    return round_up(round_up(p->ms, p->rows) * even_depth(p, p->g->k) * p->packed_size, 64);
}

static int64_t packed_a_bytes(const plan *p)
{
    if (p->late_a)
        return 0;
    int64_t spans = divide_up(p->ms, p->rows) * divide_up(p->g->k, p->depth);
    return panel_bytes(p) + round_up(spans * (int64_t)sizeof(span), 64);
}

/* The spans of a panel; NULL: its kind has none. */
static span *spans_of(const plan *p, const char *a, int64_t panel)
{
    bool has = p->micro == &p->isa->micros[TSR_MICRO_F32] && !p->late_a;
    return has ? (span *)(a + panel_bytes(p)) + panel * divide_up(p->g->k, p->depth) : NULL;
}

static uint64_t two_of(const char *panel, int64_t i)
{
    uint64_t both;
    memcpy(&both, panel + i * (int64_t)sizeof(float), sizeof both);
    return both & UINT64_C(0x7fffffff7fffffff);
}

static span span_of(const char *panel, int64_t depth, int64_t width)
{
    enum { WORTH = 16 };
    int64_t n = depth * width, i = 0, end = n;
    while (i + 2 <= n && !two_of(panel, i))
        i += 2;
    while (end - 2 >= i && !two_of(panel, end - 2))
        end -= 2;
    span s = {(int32_t)(i / width), (int32_t)divide_up(end, width)};
    return depth - s.end + s.first < WORTH ? (span){0, (int32_t)depth} : s;
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

/* A panel of A has the whole depth, in steps of DEPTH. */
static char *a_panel(const plan *p, char *a, int64_t panel)
{
    return a + panel * p->rows * even_depth(p, p->g->k) * p->packed_size;
}

static void pack_a(const plan *p, int64_t batch, int64_t panel, char *to, char *own)
{
    int64_t row = panel * p->rows, lines = least(p->rows, p->ms - row);
    int64_t width = p->micro->rows[tile_for(p, lines)];
    char *out = a_panel(p, to, panel);
    span *spans = spans_of(p, to, panel);
    for (int64_t k = 0; k < p->g->k; k += p->depth) {
        if (!p->g->fill[0])
            pack_a_step(p, source_of(p, true, batch), row, lines, k, out, own);
        if (spans)
            spans[k / p->depth] = span_of(out, least(p->depth, p->g->k - k), width);
        out += even_depth(p, least(p->depth, p->g->k - k)) * width * p->packed_size;
    }
}

static void pack_a_panels(const plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                          char *own)
{
    int64_t held = even_depth(p, p->g->k);
    filling f = {true, batch, first, end, 0, p->g->k, held, a_panel(p, to, first)};
    if (p->g->fill[0])
        fill_panels(p, &f, own);
    for (int64_t i = first; i < end; i++)
        pack_a(p, batch, i, to, own);
}

static void pack_b_part(const plan *p, int64_t batch, int64_t panel, int64_t k, int64_t depth,
                        char *out, char *own)
{
    int64_t col = panel * p->cols;
    pack_side(p, false, source_of(p, false, batch), p->n0 + col, least(p->cols, p->ns - col), k,
              depth, p->cols, out, own);
}

static void pack_b_step(const plan *p, int64_t batch, int64_t panel, int64_t k, char *out,
                        char *raw)
{
    int64_t depth = least(p->depth, p->g->k - k);
    filling f = {false, batch, panel, panel + 1, k, depth, even_depth(p, depth), out};
    if (p->g->fill[1])
        fill_panels(p, &f, raw);
    else
        pack_b_part(p, batch, panel, k, depth, out, raw);
}

static char *b_panel(const plan *p, char *b, int64_t panel, int64_t k)
{
    return b + (panel * even_depth(p, p->g->k) + k) * p->cols * p->packed_size;
}

static void pack_b(const plan *p, int64_t batch, int64_t panel, char *to, char *raw)
{
    for (int64_t k = 0; k < p->g->k; k += p->depth)
        pack_b_step(p, batch, panel, k, b_panel(p, to, panel, k), raw);
}

/* Packs adjacent panels together, some rows of all of them at a time: a row is read contiguously, with few TLB
 * misses. */
static void pack_b_panels(const plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                          char *raw)
{
    enum {
        SOME = 32,
        MORE = 64
    }; /* they divide the steps of the depth; no kind pads the depth further */
    const tsr_gemm *g = p->g;
    filling f = {false, batch, first, end, 0, g->k, even_depth(p, g->k), b_panel(p, to, first, 0)};
    if (g->fill[1]) {
        fill_panels(p, &f, raw);
        return;
    }
    int64_t some = p->micro->pad > SOME ? MORE : SOME;
    if (g->b_n != 1) {
        for (int64_t i = first; i < end; i++)
            pack_b(p, batch, i, to, raw);
        return;
    }
    for (int64_t k = 0; k < g->k; k += some)
        for (int64_t i = first; i < end; i++)
            pack_b_part(p, batch, i, k, least(some, g->k - k), b_panel(p, to, i, k), raw);
}

static char *raw_of(const plan *p, int worker)
{
    return p->own + worker * p->own_size;
}

/* ---- Blocks of C ---- */

typedef struct {
    int64_t batch, row, rows, col, cols; /* within the part of C */
    char *c;                             /* sums */
    int64_t stride;
    const char *a;
    source from; /* with late_a: the image */
    char *b;
    int worker;
} block;

/* Operands of a tile: panels, or rows of A in place. */
typedef struct {
    int size;
    const char *a, *b;
    int64_t ldb, depth;
    const float *const *rows; /* NULL: a is a panel */
    const tsr_micro_run *runs;
    int64_t nruns;
    bool add, chain;
} tile;

static void run_whole(const plan *p, const tile *x, char *c, int64_t stride)
{
    if (x->rows)
        p->micro->windows[x->size](x->rows, x->runs, x->nruns, x->b, c, stride, x->add, x->chain);
    else
        p->micro->fn[x->size](x->a, x->b, x->ldb, c, stride, x->depth, x->add);
}

/* A tile at the edge of C goes through scratch memory. */
static void run_tile(const plan *p, const tile *x, char *c, int64_t stride, int64_t rows,
                     int64_t cols)
{
    _Alignas(64) char sums[TSR_MICRO_MOST_ROWS * TSR_MICRO_MOST_COLS * 8];
    int64_t line = p->cols * p->sum_size, bytes = cols * p->sum_size;
    if (rows == p->micro->rows[x->size] && cols == p->cols) {
        run_whole(p, x, c, stride);
        return;
    }
    for (int64_t r = 0; x->add && r < rows; r++)
        memcpy(sums + r * line, c + r * stride * p->sum_size, (size_t)bytes);
    for (int64_t r = rows; x->add && r < p->micro->rows[x->size]; r++)
        memset(sums + r * line, 0, (size_t)line);
    for (int64_t r = 0; x->add && r < rows; r++)
        memset(sums + r * line + bytes, 0, (size_t)(line - bytes));
    run_whole(p, x, sums, p->cols);
    for (int64_t r = 0; r < rows; r++)
        memcpy(c + r * stride * p->sum_size, sums + r * line, (size_t)bytes);
}

/* Memory that is packed next: lines of bytes. */
typedef struct {
    const char *at;
    int64_t line, lines, bytes;
} ahead;

/* The panel of B after the one at col and k, in a block that packs its own; empty after the last. */
static ahead next_panel(const plan *p, const block *t, int64_t col, int64_t k)
{
    const tsr_gemm *g = p->g;
    col += p->cols;
    if (col >= t->col + t->cols) {
        col = t->col;
        k += p->depth;
    }
    if (t->b || g->fill[1] || k >= g->k || (g->b_n != 1 && g->b_k != 1))
        return (ahead){0};
    int64_t depth = least(p->depth, g->k - k), cols = least(p->cols, t->col + t->cols - col);
    int64_t first = t->batch * g->b_batch + k * g->b_k + (p->n0 + col) * g->b_n;
    bool by_rows = g->b_n == 1;
    return (ahead){.at = (const char *)g->b + first * p->in_size,
                   .line = (by_rows ? g->b_k : g->b_n) * p->in_size,
                   .lines = by_rows ? depth : cols,
                   .bytes = (by_rows ? cols : depth) * p->in_size};
}

/* Prefetches lines from up to end, which arrive while tiles are multiplied. Always inline: compilers regard the
 * function as free of side effects, and drop its calls. */
static inline __attribute__((always_inline)) void ask_for(const ahead *n, int64_t from, int64_t end)
{
    enum { LINE = 64, NEAR = 2 };
    for (int64_t i = from; i < end; i++)
        for (int64_t b = 0; b < n->bytes; b += LINE)
            __builtin_prefetch(n->at + i * n->line + b, 0, NEAR);
}

/* Restricts a tile, whose rows are a panel, to the nonzero range. finite: whether B is finite; negative: not checked
 * yet. */
static void leave_out(const plan *p, tile *x, const span *s, int *finite)
{
    if (s->end - s->first == x->depth || x->ldb != p->cols)
        return;
    if (*finite < 0)
        *finite = tsr_is_finite((const float *)x->b, x->depth * p->cols);
    if (!*finite)
        return;
    x->a += s->first * p->micro->rows[x->size] * p->packed_size;
    x->b += s->first * x->ldb * p->packed_size;
    x->depth = s->end - s->first;
}

/* Multiplies one panel of B by all panels of A of the block, over one step of the depth. */
static void run_panel(const plan *p, const block *t, int64_t col, const char *b, int64_t ldb,
                      int64_t k, int64_t depth)
{
    int64_t cols = least(p->cols, t->col + t->cols - col);
    int64_t held = even_depth(p, p->late_a ? depth : p->g->k), first = p->late_a ? t->row : 0;
    ahead next = next_panel(p, t, col, k);
    int64_t tiles = divide_up(t->rows, p->rows), each = divide_up(next.lines, tiles), asked = 0;
    int finite = -1;
    for (int64_t row = t->row; row < t->row + t->rows; row += p->rows) {
        ask_for(&next, asked, least(asked + each, next.lines));
        asked = least(asked + each, next.lines);
        int64_t rows = least(p->rows, p->ms - row);
        int size = tile_for(p, rows);
        tile x = {.size = size, .b = b, .ldb = ldb, .depth = depth, .add = p->adds || k > 0};
        x.a = t->a +
              ((row - first) * held + (p->late_a ? 0 : k) * p->micro->rows[size]) * p->packed_size;
        const span *s = spans_of(p, t->a, row / p->rows);
        if (s)
            leave_out(p, &x, s + k / p->depth, &finite);
        run_tile(p, &x, t->c + ((row - t->row) * t->stride + col - t->col) * p->sum_size, t->stride,
                 rows, cols);
    }
}

/* Whether a panel of B can be read in place. */
static bool reads_b(const plan *p, int64_t cols)
{
    return p->g->m <= FEW_ROWS && !p->g->fill[1] && !p->widen && p->micro->pair == 1 &&
           p->g->b_n == 1 && cols == p->cols;
}

/* Packs the rows of a block over one step of the depth. */
static void pack_late(const plan *p, const block *t, int64_t k, char *own)
{
    int64_t depth = least(p->depth, p->g->k - k), held = even_depth(p, depth);
    int64_t first = t->row / p->rows, end = first + divide_up(t->rows, p->rows);
    filling f = {true, t->batch, first, end, k, depth, held, own + p->own_a};
    if (p->g->fill[0])
        fill_panels(p, &f, own);
    for (int64_t i = 0; !p->g->fill[0] && i < t->rows; i += p->rows)
        pack_a_step(p, t->from, t->row + i, least(p->rows, t->rows - i), k,
                    own + p->own_a + i * held * p->packed_size, own);
}

/* Whether windows are summed along the whole depth in one chain, for products with few columns. The class of machine
 * must not decide this: it changes the bits. */
static bool is_chain(const plan *p)
{
    enum { FEW_COLS = 64 };
    const tsr_gemm *g = p->g;
    if (!g->a_grid || p->ns > FEW_COLS || p->ns % TSR_MICRO_MOST_COLS ||
        !g->a_grid->lines.space.rank)
        return false;
    const tsr_xspace *lines = &g->a_grid->lines.space;
    return lines->dims[lines->rank - 1] >= LEAST_RUN;
}

/* Addresses of the rows of a block; the last one is repeated for missing rows of a tile. */
static void find_rows(const plan *p, const block *t, const float **out)
{
    const tsr_gemm *g = p->g;
    int64_t run, row = 0;
    for (; row < t->rows; row += run) {
        int64_t line = p->m0 + t->row + row, step = g->a_m;
        run = t->rows - row;
        if (g->a_grid) {
            line = tsr_grid_place(&g->a_grid->lines, line, &run) - t->from.origin;
            step = tsr_grid_stride(&g->a_grid->lines);
            run = least(run, t->rows - row);
        } else
            line *= step;
        for (int64_t i = 0; i < run; i++)
            out[row + i] = (const float *)t->from.at + line + i * step;
    }
    for (; row % p->rows; row++)
        out[row] = out[t->rows - 1];
}

/* The same for rows that are computed: one step of the depth, from k on. */
static void fill_rows(const plan *p, const block *t, int64_t k, int64_t depth, char *own,
                      const float **out)
{
    tsr_gemm_box box = {.batch = t->batch,
                        .line = p->m0 + t->row,
                        .lines = t->rows,
                        .step = p->k0 + k,
                        .depth = depth,
                        .out = own + p->own_a,
                        .worker = t->worker};
    fill_box(p->g, 0, depth, p->g->a_m, &box);
    for (int64_t row = 0; row < round_up(t->rows, p->rows); row++)
        out[row] = (const float *)box.out + least(row, t->rows - 1) * box.stride;
}

/* Finds the runs of the depth from k on. */
enum { MOST_RUNS = DEPTH / LEAST_RUN + 2 };
static int64_t find_runs(const plan *p, int64_t k, int64_t depth, tsr_micro_run *out)
{
    const tsr_gemm *g = p->g;
    int64_t n = 0, run = depth;
    for (int64_t i = 0; i < depth; i += run, n++) {
        int64_t at = g->a_grid    ? tsr_grid_place(&g->a_grid->steps, p->k0 + k + i, &run)
                     : g->fill[0] ? i
                                  : k + i;
        run = least(run, depth - i);
        out[n] = (tsr_micro_run){at, run};
    }
    return n;
}

/* One step of the depth for a block whose rows are read in place. */
static void run_rows(const plan *p, const block *t, const float *const *rows, int64_t k,
                     int64_t depth, bool chain)
{
    tsr_micro_run runs[MOST_RUNS];
    tile x = {.runs = runs,
              .nruns = find_runs(p, k, depth, runs),
              .add = p->adds || k > 0,
              .chain = chain};
    for (int64_t col = 0; col < t->cols; col += p->cols) {
        x.b = b_panel(p, t->b, (t->col + col) / p->cols, k);
        for (int64_t row = 0; row < t->rows; row += p->rows) {
            int64_t some = least(p->rows, t->rows - row);
            x.size = tile_for(p, some);
            x.rows = rows + row;
            run_tile(p, &x, t->c + (row * t->stride + col) * p->sum_size, t->stride, some,
                     least(p->cols, t->cols - col));
        }
    }
}

/* The panel of B at col, over one step of the depth: packed ahead, in place, or packed now. */
static const char *panel_of_b(const plan *p, const block *t, int64_t col, int64_t k, char *own,
                              int64_t *ldb)
{
    const tsr_gemm *g = p->g;
    *ldb = p->cols;
    if (t->b)
        return b_panel(p, t->b, col / p->cols, k);
    if (reads_b(p, least(p->cols, p->ns - col))) {
        *ldb = g->b_k;
        return (const char *)g->b + (t->batch * g->b_batch + k * g->b_k + p->n0 + col) * p->in_size;
    }
    int64_t depth = least(p->depth, g->k - k), held = even_depth(p, depth);
    char *out = own + p->own_b;
    if (!fills_lines(p, false)) {
        pack_b_step(p, t->batch, col / p->cols, k, out, own);
        return out;
    }
    int64_t first = t->col / p->cols;
    filling f = {false, t->batch, first, divide_up(t->col + t->cols, p->cols), k, depth, held, out};
    if (col == t->col) /* all of the block */
        fill_panels(p, &f, own);
    return out + (col - t->col) * held * p->packed_size;
}

static void run_sums(const plan *p, const block *t)
{
    const tsr_gemm *g = p->g;
    const float *rows[BLOCK_ROWS + TSR_MICRO_MOST_ROWS];
    bool chain = p->in_place && is_chain(p);
    char *own = raw_of(p, t->worker);
    if (p->in_place && !g->fill[0])
        find_rows(p, t, rows);
    if (p->micro->begin)
        p->micro->begin();
    for (int64_t k = 0; k < g->k; k += p->depth) {
        int64_t depth = least(p->depth, g->k - k);
        if (p->in_place && g->fill[0])
            fill_rows(p, t, k, depth, own, rows);
        if (p->in_place) {
            run_rows(p, t, rows, k, depth, chain);
            continue;
        }
        if (p->late_a)
            pack_late(p, t, k, own);
        for (int64_t col = t->col; col < t->col + t->cols; col += p->cols) {
            int64_t ldb;
            const char *b = panel_of_b(p, t, col, k, own, &ldb);
            run_panel(p, t, col, b, ldb, k, depth);
        }
    }
    if (p->micro->end)
        p->micro->end();
    for (int64_t r = 0; g->k <= 0 && !p->adds && r < t->rows; r++)
        memset(t->c + r * t->stride * p->sum_size, 0, (size_t)(t->cols * p->sum_size));
}

static void run_block(const plan *p, block *t)
{
    const tsr_gemm *g = p->g;
    int64_t row = p->m0 + t->row, col = p->n0 + t->col;
    int64_t first = (t->batch * g->c_batch + row * g->c_m + col) * p->out_size;
    char *c = g->c ? (char *)g->c + first : NULL;
    t->c = p->apart ? raw_of(p, t->worker) + p->own_c : c;
    t->stride = p->apart ? t->cols : g->c_m;
    run_sums(p, t);
    if (g->epilogue)
        g->epilogue(g->ctx, &(tsr_gemm_block){.batch = t->batch,
                                              .row = row,
                                              .rows = t->rows,
                                              .col = col,
                                              .cols = t->cols,
                                              .at = t->c,
                                              .stride = t->stride,
                                              .worker = t->worker});
    for (int64_t r = 0; c && p->narrow && r < t->rows; r++) {
        const void *in[1] = {t->c + r * t->stride * p->sum_size};
        p->narrow(c + r * g->c_m * p->out_size, in, (size_t)t->cols);
    }
}

/* ---- Chunks ---- */

/* Panels packed by one chunk. */
static int64_t panels_each(const plan *p, bool is_a)
{
    enum { PANELS = 4 };
    return fills_lines(p, is_a) ? filled_panels(p, is_a) : PANELS;
}

static void pack_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t na = p->panels_a, nb = p->panels_b, chunks_a = divide_up(na, panels_each(p, true));
    bool is_a = chunk < chunks_a;
    int64_t each = panels_each(p, is_a), first = (is_a ? chunk : chunk - chunks_a) * each,
            end = least(first + each, is_a ? na : nb);
    if (is_a)
        pack_a_panels(p, p->batch, first, end, p->a, raw_of(p, worker));
    else
        pack_b_panels(p, p->batch, first, end, p->b, raw_of(p, worker));
    tsr_poll();
}

/* The image rows that the rows of a block read, with zero padding. */
static source picture_of(const plan *p, const block *t)
{
    const tsr_gemm *g = p->g;
    const tsr_grid_pad *pad = g->a_grid ? g->a_grid->pad : NULL;
    int64_t first, offset = t->batch * g->a_batch;
    if (!pad)
        return source_of(p, true, t->batch);
    char *picture = raw_of(p, t->worker) + p->own_p;
    int64_t rows = tsr_grid_rows(g->a_grid, p->m0 + t->row, t->rows, offset, &first);
    tsr_grid_fill(pad, (uint32_t)p->in_size, g->a, first, rows, picture);
    return (source){picture, first * pad->row - offset};
}

static void block_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t row = chunk % p->blocks_m * p->block_m, col = chunk / p->blocks_m * p->block_n;
    block t = {.batch = p->batch,
               .row = row,
               .rows = least(p->block_m, p->ms - row),
               .col = col,
               .cols = least(p->block_n, p->ns - col),
               .a = p->late_a ? raw_of(p, worker) + p->own_a : p->a,
               .b = p->packs_b ? p->b : NULL,
               .worker = worker};
    if (p->late_a && !p->g->fill[0])
        t.from = picture_of(p, &t);
    run_block(p, &t);
    tsr_poll();
}

/* Some matrices of a batch, each as a whole. */
static void matrix_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_gemm *g = p->g;
    char *raw = raw_of(p, worker), *a = raw + p->own_a;
    char *b = a + packed_a_bytes(p);
    int64_t end = least((chunk + 1) * p->per_chunk, g->batch);
    for (int64_t i = chunk * p->per_chunk; i < end; i++) {
        pack_a_panels(p, i, 0, divide_up(p->ms, p->rows), a, raw);
        for (int64_t panel = 0; p->packs_b && panel * p->cols < p->ns; panel++)
            pack_b(p, i, panel, b, raw);
        for (int64_t row = 0; row < p->ms; row += p->block_m)
            for (int64_t col = 0; col < p->ns; col += p->block_n) {
                block t = {.batch = i,
                           .row = row,
                           .rows = least(p->block_m, p->ms - row),
                           .col = col,
                           .cols = least(p->block_n, p->ns - col),
                           .a = a,
                           .b = p->packs_b ? b : NULL,
                           .worker = worker};
                run_block(p, &t);
            }
    }
    tsr_poll();
}

/* ---- Memory ---- */

/* One buffer is kept between products: page faults on fresh memory cost more than small products. */
typedef struct {
    int64_t size;
    char pad[56];
} kept;
static _Atomic(kept *) cache;

static kept *get_memory(int64_t bytes)
{
    kept *k = atomic_exchange(&cache, NULL);
    if (k && k->size >= bytes) {
        tsr_adopt(k);
        return k;
    }
    tsr_free(k);
    k = bytes < PTRDIFF_MAX / 2 ? tsr_malloc_aligned((size_t)bytes + sizeof *k) : NULL;
    if (k)
        k->size = bytes;
    return k;
}

static void put_memory(kept *k)
{
    tsr_keep(k);
    kept *none = NULL;
    if (!atomic_compare_exchange_strong(&cache, &none, k))
        tsr_free(k);
}

/* Bytes of the padded image rows that a block reads, at most. */
static int64_t picture_bytes(const plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t most = 0, first;
    if (!g->a_grid || !g->a_grid->pad)
        return 0;
    for (int64_t b = 0; b < g->batch; b++)
        for (int64_t row = 0; row < p->ms; row += p->block_m) {
            int64_t n = tsr_grid_rows(g->a_grid, p->m0 + row, least(p->block_m, p->ms - row),
                                      b * g->a_batch, &first);
            most = n > most ? n : most;
        }
    return most * g->a_grid->pad->row * p->in_size;
}

/* Lays out each worker's scratch: elements of a panel before conversion; a panel of B, or the computed panels of a
 * block; windows before they are paired, or computed elements; panels of A; an image; sums of a block. */
static void set_own(plan *p)
{
    int64_t widest = p->rows > p->cols ? p->rows : p->cols;
    p->own_b = round_up(p->widen ? p->depth * widest * p->in_size : 0, 64);
    int64_t cols = fills_lines(p, false) && !p->packs_b ? round_up(p->block_n, p->cols) : p->cols;
    p->own_g = round_up(p->own_b + p->depth * cols * p->packed_size, 64);
    bool gathers = (p->g->a_grid || p->g->b_grid) && (p->micro->pair > 1 || p->micro->pad > 1);
    bool fills = p->g->fill[0] || p->g->fill[1];
    int64_t box = p->depth * widest, lines = FILLED_DEPTH * (FILLED_LINES + 2 * widest);
    box = !gathers && !fills ? 0 : fills && lines > box ? lines : box;
    p->own_a = round_up(p->own_g + box * p->in_size, 64);
    p->own_size = p->own_a;
    bool lies = p->in_place && !p->g->fill[0];
    if (p->late_a)
        p->own_p = p->own_a + (lies ? 0 : round_up(p->block_m * p->depth * p->packed_size, 64));
    if (p->late_a)
        p->own_size = p->own_p + round_up(picture_bytes(p), 64);
}

static int64_t packed_b_bytes(const plan *p)
{
    return p->packs_b
               ? round_up(round_up(p->ns, p->cols) * even_depth(p, p->g->k) * p->packed_size, 64)
               : 0;
}

static void add_sums(plan *p)
{
    p->own_c = p->own_size;
    p->own_size += p->apart ? p->block_m * p->block_n * p->sum_size : 0;
    p->own_size = round_up(p->own_size, 64);
}

/* Copies the image of B, for one matrix of the batch, with its zero padding. */
enum { PICTURE_ROWS = 64 };

static void picture_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_grid_pad *pad = p->g->b_grid->pad;
    int64_t first = chunk * PICTURE_ROWS;
    tsr_grid_fill(pad, (uint32_t)p->in_size, p->g->b, p->picture_first + first,
                  least(PICTURE_ROWS, p->picture_rows - first),
                  p->picture + first * pad->row * p->in_size);
    (void)worker;
}

static bool pads_b(const plan *p)
{
    return p->g->b_grid && p->g->b_grid->pad;
}

static void find_picture(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t offset = p->batch * g->b_batch;
    if (!pads_b(p))
        return;
    p->picture_rows = tsr_grid_rows(g->b_grid, 0, g->n, offset, &p->picture_first);
    p->picture_origin = p->picture_first * g->b_grid->pad->row - offset;
}

/* ---- Running ---- */

static bool run_small(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t work = p->ms * p->ns * (g->k + 1);
    start_blocks(p);
    set_own(p);
    p->per_chunk = work >= BLOCK_WORK ? 1 : BLOCK_WORK / work;
    p->own_size += packed_a_bytes(p) + packed_b_bytes(p);
    add_sums(p);
    kept *memory = get_memory(p->own_size * tsr_pool_size());
    if (!memory)
        return false;
    p->own = (char *)(memory + 1);
    tsr_pool_for(divide_up(g->batch, p->per_chunk), matrix_chunk, p);
    put_memory(memory);
    return true;
}

static bool run_part(plan *p)
{
    set_blocks(p);
    set_own(p);
    add_sums(p);
    p->batch = 0;
    find_picture(p);
    int64_t a = packed_a_bytes(p), b = packed_b_bytes(p);
    int64_t picture =
        pads_b(p) ? round_up(p->picture_rows * p->g->b_grid->pad->row * p->in_size, 64) : 0;
    kept *memory = get_memory(a + b + picture + p->own_size * tsr_pool_size());
    if (!memory)
        return false;
    p->a = (char *)(memory + 1);
    p->b = p->a + a;
    p->picture = picture ? p->b + b : NULL;
    p->own = p->b + b + picture;
    for (; p->batch < p->g->batch; p->batch++) {
        find_picture(p);
        if (picture)
            tsr_pool_for(divide_up(p->picture_rows, PICTURE_ROWS), picture_chunk, p);
        bool again = p->batch > 0; /* an operand shared by the whole batch is packed once */
        p->panels_a = p->late_a || (again && !p->g->a_batch) ? 0 : divide_up(p->ms, p->rows);
        p->panels_b = !p->packs_b || (again && !p->g->b_batch) ? 0 : divide_up(p->ns, p->cols);
        tsr_pool_for(divide_up(p->panels_a, panels_each(p, true)) +
                         divide_up(p->panels_b, panels_each(p, false)),
                     pack_chunk, p);
        tsr_pool_for(p->blocks_m * p->blocks_n, block_chunk, p);
    }
    put_memory(memory);
    return true;
}

/* The most rows and columns whose panels fit in the memory limit. */
static void find_parts(const plan *p, int64_t *most_m, int64_t *most_n)
{
    const tsr_gemm *g = p->g;
    int64_t lines = MOST_PACKED / p->packed_size / (g->k > 0 ? g->k : 1),
            nb = p->packs_b ? g->n : 0;
    int64_t ms = g->m, ns = g->n;
    if (p->late_a) {
        ns = least(g->n, lines > 4 * BLOCK_COLS ? lines / BLOCK_COLS * BLOCK_COLS : 4 * BLOCK_COLS);
    } else if (g->m + nb > lines) {
        ms = lines / 2 > 4 * BLOCK_ROWS ? lines / 2 / BLOCK_ROWS * BLOCK_ROWS : 4 * BLOCK_ROWS;
        ms = least(g->m, ms);
        ns = lines - ms > 4 * BLOCK_COLS ? (lines - ms) / BLOCK_COLS * BLOCK_COLS : 4 * BLOCK_COLS;
    }
    *most_m = ms;
    *most_n = ns;
}

static bool run_large(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t ms, ns;
    find_parts(p, &ms, &ns);
    for (p->m0 = 0; p->m0 < g->m; p->m0 += ms)
        for (p->n0 = 0; p->n0 < g->n; p->n0 += ns) {
            p->ms = least(ms, g->m - p->m0);
            p->ns = least(ns, g->n - p->n0);
            TSR_TRY(run_part(p));
        }
    return true;
}

/* Depth of a part, for products so deep, as those for gradients of weights are, that the factors are large and C fits
 * in the cache: the panels of one part are used by all blocks before those of the next are packed. */
static int64_t part_of_depth(const plan *p)
{
    enum { NEAR_C = 1 << 20, NEAR_B = 512 << 10, LARGE_B = 4 << 20 };
    const tsr_gemm *g = p->g;
    int64_t line = g->n * p->packed_size;
    if (p->apart || !p->packs_b || g->batch > 1 || g->m * g->n * p->sum_size > NEAR_C ||
        g->k < 8 * p->depth || line * g->k < LARGE_B)
        return g->k;
    int64_t steps = NEAR_B / line / p->depth;
    return (steps < 2 ? 2 : steps) * p->depth;
}

static bool run_deep(plan *p, int64_t part)
{
    const tsr_gemm *g = p->g;
    for (int64_t k = 0; k < g->k; k += part) {
        tsr_gemm some = *g;
        plan now = *p;
        some.k = least(part, g->k - k);
        if (!g->a_grid && !g->fill[0])
            some.a = (const char *)g->a + k * g->a_k * p->in_size;
        if (!g->b_grid && !g->fill[1])
            some.b = (const char *)g->b + k * g->b_k * p->in_size;
        if (k + part < g->k)
            some.epilogue = NULL;
        now.g = &some;
        now.k0 = k;
        now.adds = k > 0;
        TSR_TRY(run_large(&now));
    }
    return true;
}

bool tsr_gemm_gives_rows(int64_t m, int64_t n, int64_t k)
{
    return n <= (m <= TSR_THIN_ROWS ? TSR_THIN_COLS : k <= SHALLOW ? LONG_ROW : BLOCK_COLS);
}

/* An image that every thread would need as a whole: copied once, with its zero padding. */
typedef struct {
    const tsr_gemm *g;
    char *out;
    int64_t rows;
} picture;

static void fill_chunk(void *ctx, int64_t chunk, int worker)
{
    const picture *x = ctx;
    const tsr_grid_pad *pad = x->g->a_grid->pad;
    uint32_t elem = tsr_dtype_bytes(x->g->type);
    int64_t first = chunk * PICTURE_ROWS;
    tsr_grid_fill(pad, elem, x->g->a, first, least(PICTURE_ROWS, x->rows - first),
                  x->out + first * pad->row * elem);
    (void)worker;
}

static bool run_padded(const tsr_gemm *g)
{
    picture x = {g, NULL, 1};
    tsr_gemm inner = *g;
    tsr_grid grid = *g->a_grid;
    for (int i = 0; i < grid.pad->rank; i++)
        x.rows *= grid.pad->dims[i];
    x.out = tsr_malloc_aligned((size_t)(x.rows * grid.pad->row) * tsr_dtype_bytes(g->type));
    if (!x.out)
        return false;
    tsr_pool_for(divide_up(x.rows, PICTURE_ROWS), fill_chunk, &x);
    grid.pad = NULL;
    inner.a = x.out;
    inner.a_grid = &grid;
    bool ok = tsr_gemm_run(&inner);
    tsr_free(x.out);
    return ok;
}

static void fill_nothing(void *ctx, const tsr_gemm_box *box)
{
    (void)ctx, (void)box;
}

/* Decides which operands are packed, and when. False: one thread computes each matrix. */
static bool decide(plan *p)
{
    const tsr_gemm *g = p->g;
    set_types(p);
    p->packs_b = packs_ahead(p);
    bool small =
        (double)g->m * (double)g->n * (double)(g->k + 1) <= (double)SMALL_WORK && !pads_b(p);
    bool in_place = reads_rows(p);
    bool once = g->fill[0] && g->n <= WINDOW_COLS;
    p->late_a = (g->a_grid || in_place || once) && p->packs_b && !small;
    p->in_place = p->late_a && in_place;
    return !small;
}

int64_t tsr_gemm_fills(const tsr_gemm *g, int side)
{
    tsr_gemm filled = *g;
    plan p = {.g = &filled, .ms = g->m, .ns = g->n};
    int64_t ms, ns;
    if (g->m <= 0 || g->n <= 0 || g->k <= 0 || g->batch <= 0 || tsr_gemm_provider_of(g) ||
        tsr_thin_fits(g) || tsr_tall_fits(g) || (side && g->m <= FEW_ROWS))
        return 0;
    filled.fill[side] = fill_nothing;
    if (!decide(&p))
        return 0;
    find_parts(&p, &ms, &ns);
    return side ? divide_up(g->m, ms) : p.late_a ? 1 : divide_up(g->n, ns);
}

bool tsr_gemm_reads_pieces(const tsr_gemm *g)
{
    return g->m <= FEW_ROWS && g->b_n == 1 && !tsr_thin_fits(g);
}

bool tsr_gemm_run(const tsr_gemm *g)
{
    if (g->m <= 0 || g->n <= 0 || g->batch <= 0)
        return true;
    const tsr_gemm_provider *other = tsr_gemm_provider_of(g);
    if (other)
        return tsr_gemm_run_with(other, g);
    if (tsr_thin_fits(g))
        return tsr_thin_run(g);
    if (tsr_tall_fits(g))
        return tsr_tall_run(g);
    plan p = {.g = g, .ms = g->m, .ns = g->n};
    bool small = !decide(&p);
    if (g->a_grid && g->a_grid->pad && !p.late_a)
        return run_padded(g);
    int64_t part = small ? g->k : part_of_depth(&p);
    return small ? run_small(&p) : part < g->k ? run_deep(&p, part) : run_large(&p);
}
