/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.c - convolutions with 3x3 windows, with fewer multiplications. See winograd.h.
 *
 * Tiles of 4x4 pixels, which overlap by two, are transformed into 16 numbers per channel, and so are the weights. Then
 * there are 16 products of matrices: tiles by channels, channels by results. Their sums are transformed into 2x2 pixels
 * each. A chunk is some rows of tiles of an image, so that tiles and sums stay in the caches; it writes whole rows of the
 * result. */
#include "exec/kernel/winograd.h"

#include "base/round.h"
#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scratch.h"

#include <math.h>

enum {
    WINDOW = 3,
    PARTS = 16, /* numbers of a transformed tile */
    LEAST_CHANNELS = 32,
    COLS = 32,        /* columns are a multiple of this */
    LEAST_TILES = 32, /* for which transforming the weights pays */
    TILES = 64,       /* of a chunk, approximately */
    MOST_WIDE = 128,  /* tiles in a row of tiles */
    SUMS = 8192,      /* numbers of one part: tiles by columns */
    ENOUGH = 16,      /* chunks: more are not divided by columns */
    SKEW = 16,        /* between parts, so that they are in different sets of the nearest cache */
    ROWS_EACH = 32,   /* of an image, per chunk of the survey */
    MOST_ROWS = TSR_MICRO_MOST_ROWS + MOST_WIDE,
};
/* How many times as large as the mean magnitude of an image a number may be; the largest number of all, so that no sum
 * overflows that would not do so otherwise. */
static const double MOST_RATIO = 256, LARGEST = 1e15;

typedef struct {
    float most[TSR_WINOGRAD_LANES], sum[TSR_WINOGRAD_LANES];
} found;

typedef struct {
    const tsr_gemm *g;
    const tsr_isa *isa;
    const tsr_winograd_fns *fns;
    const tsr_micro *micro;
    /* Pixels have their channels one after the other, or each channel has its pixels: windows are the right factor. */
    bool planes;
    const tsr_grid *grid;
    const float *image;
    int64_t images, high, wide;                /* of the result, in pixels */
    int64_t channels, n;                       /* of a pixel of the image; of one of the result */
    int64_t image_stride, row_stride, channel; /* of the image with its padding */
    bool channels_first;                       /* in the depth */
    int64_t tiles_high, tiles_wide;            /* of a chunk */
    int64_t groups;                            /* of rows of tiles, in an image */
    int64_t tiles, lines;      /* of a chunk; rounded up to whole tiles of the product */
    int64_t cols, cols_each;   /* of a block; of a chunk */
    int64_t part_in, part_out; /* elements of a part of tiles, of sums */
    float *weights;            /* [part][panel][channel][column] */
    int64_t part_weights;
    found *found;  /* by panel of the weights, then by chunk of the survey */
    int64_t nrows; /* of all images in memory */
    float *own;    /* scratch of the workers: an image, tiles, sums, results */
    int64_t own_size, own_tiles, own_sums, own_out, own_planes;
} plan;

/* ---- Which convolutions ---- */

/* Windows of pixels: a step moves along channels, then along a row. */
static bool find_pixels(const tsr_gemm *g, plan *p)
{
    const tsr_xview *lines = &p->grid->lines, *steps = &p->grid->steps;
    int last = lines->space.rank - 1;
    if ((last != 1 && last != 2) || steps->space.rank != 2 || steps->space.dims[0] != WINDOW ||
        steps->space.dims[1] % WINDOW || steps->strides[1] != 1 || g->batch != 1)
        return false;
    p->channels = steps->space.dims[1] / WINDOW;
    p->channel = 1;
    p->images = last == 2 ? lines->space.dims[0] : 1;
    p->image_stride = last == 2 ? lines->strides[0] : 0;
    p->row_stride = steps->strides[0];
    p->n = g->n;
    p->image = g->a;
    return lines->strides[last] == p->channels && lines->strides[last - 1] == p->row_stride;
}

/* Windows of planes: channels are the first or the last dimension of the depth. */
static bool find_planes(const tsr_gemm *g, plan *p)
{
    const tsr_xview *lines = &p->grid->lines, *steps = &p->grid->steps;
    if (lines->space.rank != 2 || steps->space.rank != 3 || g->a_batch)
        return false;
    p->channels_first = steps->strides[2] == 1;
    int rows = p->channels_first, channels = p->channels_first ? 0 : 2;
    p->channels = steps->space.dims[channels];
    p->channel = steps->strides[channels];
    p->images = g->batch;
    p->image_stride = g->b_batch;
    p->row_stride = steps->strides[rows];
    p->n = g->m;
    p->image = g->b;
    return steps->space.dims[rows] == WINDOW && steps->space.dims[rows + 1] == WINDOW &&
           steps->strides[rows + 1] == 1 && lines->strides[1] == 1 &&
           lines->strides[0] == p->row_stride;
}

/* Sets sizes; false: windows are not 3x3, or do not move by one pixel. */
static bool find_sizes(const tsr_gemm *g, plan *p)
{
    p->planes = !g->a_grid;
    p->grid = p->planes ? g->b_grid : g->a_grid;
    if (!p->grid || (g->a_grid && g->b_grid) ||
        !(p->planes ? find_planes(g, p) : find_pixels(g, p)))
        return false;
    int last = p->grid->lines.space.rank - 1;
    p->wide = p->grid->lines.space.dims[last];
    p->high = p->grid->lines.space.dims[last - 1];
    const tsr_grid_pad *pad = p->grid->pad;
    return !pad || (pad->row == p->row_stride &&
                    pad->row == (p->wide + 2) * (p->planes ? 1 : p->channels) &&
                    pad->rank == (p->planes ? 3 : 2));
}

bool tsr_winograd_fits(const tsr_gemm *g)
{
    plan p = {0};
    if (g->fill[0] || g->fill[1] || g->rows || g->plain || g->outer || g->type != TSR_D_F32 ||
        g->out_type != TSR_D_F32 || !find_sizes(g, &p))
        return false;
    int64_t across = tsr_div_up(p.wide, 2), tiles = p.images * tsr_div_up(p.high, 2) * across;
    return p.channels >= LEAST_CHANNELS && p.channels % TSR_WINOGRAD_LANES == 0 && p.n >= COLS &&
           p.n % COLS == 0 && across <= MOST_WIDE && tiles >= LEAST_TILES &&
           tsr_isa_now()->micros[TSR_MICRO_F32].windows[0];
}

/* ---- Before: the range of the image, and the weights ---- */

/* Row number i of the images as they are in memory, and how many numbers it has. */
static const float *row_of(const plan *p, int64_t i, int64_t *n)
{
    const tsr_grid_pad *pad = p->grid->pad;
    const float *at = p->image;
    int64_t high = p->high + WINDOW - 1, planes = p->planes ? p->channels : 1;
    *n = (p->wide + WINDOW - 1) * (p->planes ? 1 : p->channels);
    if (!pad)
        return at + i / high / planes * p->image_stride + i / high % planes * p->channel +
               i % high * p->row_stride;
    *n = pad->count;
    at += pad->skip;
    for (int d = pad->rank - 1; d >= 0; d--) {
        at += i % pad->sizes[d] * pad->strides[d];
        i /= pad->sizes[d];
    }
    return at;
}

static void survey_chunk(const plan *p, int64_t chunk, found *f)
{
    for (int64_t i = chunk * ROWS_EACH; i < (chunk + 1) * ROWS_EACH && i < p->nrows; i++) {
        int64_t n;
        const float *row = row_of(p, i, &n);
        p->fns->survey(row, n, f->most, f->sum);
    }
}

/* Nine rows of weights, for a channel and a panel of columns; own: for those that are not contiguous. */
enum { NINE = WINDOW * WINDOW };
static void find_weights(const plan *p, int64_t c, int64_t col, float own[][TSR_MICRO_MOST_COLS],
                         const float **out)
{
    enum {
        AHEAD = 8
    }; /* channels: their rows are so far apart that the hardware prefetches none */
    const tsr_gemm *g = p->g;
    const float *from = p->planes ? g->a : g->b;
    int64_t step = p->planes ? g->a_k : g->b_k, stride = p->planes ? g->a_m : g->b_n;
    for (int i = 0; i < NINE; i++) {
        int64_t k = p->channels_first ? c * NINE + i : i * p->channels + c;
        out[i] = from + k * step + col * stride;
        if (stride == 1) {
            const float *next = out[i] + (p->channels_first ? NINE : 1) * AHEAD * step;
            for (int64_t j = 0; j < p->micro->cols; j += TSR_WINOGRAD_LANES)
                __builtin_prefetch(next + j);
            continue;
        }
        for (int64_t j = 0; j < p->micro->cols; j++)
            own[i][j] = out[i][j * stride];
        out[i] = own[i];
    }
}

/* Transforms the weights of one panel of columns. */
static void weights_chunk(const plan *p, int64_t panel, found *f)
{
    int64_t cols = p->micro->cols, col = panel * cols;
    for (int64_t c = 0; c < p->channels; c++) {
        const float *rows[NINE];
        float own[NINE][TSR_MICRO_MOST_COLS];
        find_weights(p, c, col, own, rows);
        p->fns->weights(rows, cols, p->weights + col * p->channels + c * cols, p->part_weights,
                        f->most, f->sum);
    }
}

static void first_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t panels = p->n / p->micro->cols;
    p->found[chunk] = (found){0};
    if (chunk < panels)
        weights_chunk(p, chunk, &p->found[chunk]);
    else
        survey_chunk(p, chunk - panels, &p->found[chunk]);
    tsr_poll();
    (void)worker;
}

/* Adds up what was found from first up to end. */
static void join(const plan *p, int64_t first, int64_t end, double *most, double *sum)
{
    *most = *sum = 0;
    for (int64_t i = first; i < end; i++)
        for (int k = 0; k < TSR_WINOGRAD_LANES; k++) {
            *most = p->found[i].most[k] > *most ? p->found[i].most[k] : *most;
            *sum += p->found[i].sum[k];
        }
}

/* Whether rounding errors are small, and nothing overflows. A NaN is in the sums, and compares as false. */
static bool is_even(const plan *p, int64_t panels, int64_t surveys)
{
    double weight, weights, most, sum;
    int64_t width;
    join(p, 0, panels, &weight, &weights);
    join(p, panels, panels + surveys, &most, &sum);
    row_of(p, 0, &width);
    return weight <= LARGEST && isfinite(weights) && most <= LARGEST &&
           most * (double)p->nrows * (double)width <= MOST_RATIO * sum;
}

/* ---- Tiles ---- */

/* Some rows of an image whose channels are planes, with its padding: pixels with their channels. */
static void copy_planes(const plan *p, int64_t image, int64_t first, int64_t rows, float *out)
{
    const tsr_grid_pad *pad = p->grid->pad;
    int64_t n = (p->wide + WINDOW - 1) * p->channels, high = p->high + WINDOW - 1, low = 0;
    int64_t before = 0, count = p->wide + WINDOW - 1, row = p->row_stride, channel = p->channel;
    const float *at =
        p->image + (pad ? image * pad->strides[0] + pad->skip : image * p->image_stride);
    memset(out, 0, (size_t)(rows * n) * sizeof *out);
    if (pad) {
        low = pad->low[2];
        high = pad->sizes[2];
        before = pad->before;
        count = pad->count;
        row = pad->strides[2];
        channel = pad->strides[1];
    }
    for (int64_t r = 0; r < rows; r++) {
        int64_t y = first + r - low;
        if (y >= 0 && y < high && count > 0)
            p->isa->transpose(sizeof *out, (const char *)(at + y * row),
                              channel * (int64_t)sizeof *out,
                              (char *)(out + r * n + before * p->channels),
                              p->channels * (int64_t)sizeof *out, p->channels, count);
    }
}

/* Some rows of an image with its padding. */
static void copy_pixels(const plan *p, int64_t image, int64_t first, int64_t rows, float *out)
{
    const tsr_grid_pad *pad = p->grid->pad;
    int64_t n = (p->wide + WINDOW - 1) * p->channels;
    int64_t there = tsr_min(rows, p->high + WINDOW - 1 - first);
    int64_t at = image * p->image_stride + first * p->row_stride;
    if (pad)
        tsr_grid_fill(pad, sizeof *out, (const char *)p->image, at / pad->row, there, (char *)out);
    for (int64_t i = 0; !pad && i < there; i++)
        memcpy(out + i * n, p->image + at + i * p->row_stride, (size_t)n * sizeof *out);
    memset(out + there * n, 0, (size_t)((rows - there) * n) * sizeof *out);
}

/* The 16 products of a chunk, for the columns of a block. */
static void multiply(const plan *p, const float *tiles, int64_t col, int64_t cols, float *sums)
{
    const tsr_micro *m = p->micro;
    tsr_micro_run run = {0, p->channels};
    const float *rows[MOST_ROWS];
    int64_t most = m->rows[TSR_MICRO_SIZES - 1];
    for (int part = 0; part < PARTS; part++) {
        for (int64_t t = 0; t < p->lines; t++)
            rows[t] = tiles + part * p->part_in + tsr_min(t, p->tiles - 1) * p->channels;
        const float *b = p->weights + part * p->part_weights + col * p->channels;
        for (int64_t j = 0; j < cols; j += m->cols, b += p->channels * m->cols)
            for (int64_t t = 0; t < p->tiles; t += most)
                m->windows[tsr_micro_tile(m, p->tiles - t)](
                    rows + t, &run, 1, b, sums + part * p->part_out + t * p->cols + j, p->cols,
                    false, false);
    }
}

/* Writes the sums of a block as rows of the result. high: rows that there are. */
static void write_rows(const plan *p, const float *sums, int64_t high, int64_t cols, float *out,
                       int64_t stride)
{
    for (int64_t t = 0; t < p->tiles; t++) {
        int64_t y = t / p->tiles_wide * 2, x = t % p->tiles_wide * 2;
        float *to[4];
        for (int i = 0; i < 4; i++) {
            bool inside = y + i / 2 < high && x + i % 2 < p->wide;
            to[i] = inside ? out + ((y + i / 2) * p->wide + x + i % 2) * stride : NULL;
        }
        p->fns->result(sums + t * p->cols, p->part_out, cols, to);
    }
}

/* Rows of the result from first on, as far as the image goes. */
typedef struct {
    int64_t image, first, high;
    int worker;
} place;

static void run_block(const plan *p, float *own, const place *at, int64_t col)
{
    const tsr_gemm *g = p->g;
    int64_t cols = tsr_min(p->cols, p->n - col), pixels = at->high * p->wide;
    int64_t line = ((p->planes ? 0 : at->image * p->high) + at->first) * p->wide;
    tsr_gemm_block b = {
        .row = line, .rows = pixels, .col = col, .cols = cols, .worker = at->worker};
    if (p->planes)
        b = (tsr_gemm_block){.batch = at->image,
                             .row = col,
                             .rows = cols,
                             .col = line,
                             .cols = pixels,
                             .worker = at->worker};
    float *out = g->c ? (float *)g->c + b.batch * g->c_batch + b.row * g->c_m + b.col
                      : own + (p->planes ? p->own_planes : p->own_out);
    b.at = out;
    b.stride = g->c ? g->c_m : b.cols;
    multiply(p, own + p->own_tiles, col, cols, own + p->own_sums);
    write_rows(p, own + p->own_sums, at->high, cols, p->planes ? own + p->own_out : out,
               p->planes ? cols : b.stride);
    if (p->planes)
        p->isa->transpose(sizeof *out, (const char *)(own + p->own_out),
                          cols * (int64_t)sizeof *out, (char *)out, b.stride * (int64_t)sizeof *out,
                          pixels, cols);
    if (g->epilogue)
        g->epilogue(g->ctx, &b);
}

static void tiles_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    float *own = p->own + worker * p->own_size, *tiles = own + p->own_tiles;
    int64_t parts = tsr_div_up(p->n, p->cols_each), col = chunk % parts * p->cols_each;
    place at = {.image = chunk / parts / p->groups,
                .first = chunk / parts % p->groups * p->tiles_high * 2,
                .worker = worker};
    int64_t row = (p->wide + WINDOW - 1) * p->channels, rows = p->tiles_high * 2 + WINDOW - 1;
    at.high = tsr_min(p->tiles_high * 2, p->high - at.first);
    (p->planes ? copy_planes : copy_pixels)(p, at.image, at.first, rows, own);
    /* Tiles of a row with an odd number of pixels extend beyond its end. */
    memset(own + rows * row, 0, (size_t)p->channels * sizeof *own);
    for (int64_t t = 0; t < p->tiles; t++)
        p->fns->image(own + (t / p->tiles_wide * row + t % p->tiles_wide * p->channels) * 2, row,
                      p->channels, p->channels, tiles + t * p->channels, p->part_in);
    for (int64_t end = tsr_min(col + p->cols_each, p->n); col < end; col += p->cols)
        run_block(p, own, &at, col);
    tsr_poll();
}

/* ---- Running ---- */

static void set_blocks(plan *p)
{
    int64_t all = tsr_div_up(p->high, 2);
    p->tiles_wide = tsr_div_up(p->wide, 2);
    p->tiles_high = tsr_min(all, TILES > p->tiles_wide ? TILES / p->tiles_wide : 1);
    p->groups = tsr_div_up(all, p->tiles_high);
    p->tiles = p->tiles_high * p->tiles_wide;
    p->lines = tsr_round_up(p->tiles, p->micro->rows[TSR_MICRO_SIZES - 1]);
    p->cols = tsr_min(p->n, SUMS / p->lines > COLS ? SUMS / p->lines / COLS * COLS : COLS);
    p->cols_each = p->images * p->groups >= ENOUGH ? p->n : p->cols;
    p->part_in = p->tiles * p->channels + SKEW;
    p->part_out = p->lines * p->cols + SKEW;
    p->part_weights = p->n * p->channels + SKEW;
    p->nrows = p->images * (p->high + WINDOW - 1) * (p->planes ? p->channels : 1);
    const tsr_grid_pad *pad = p->grid->pad;
    for (int d = 0; pad && d < pad->rank; d++)
        p->nrows = (d ? p->nrows : 1) * pad->sizes[d];
}

/* Lays out each worker's scratch. */
static void set_own(plan *p)
{
    int64_t rows = p->tiles_high * 2 + WINDOW - 1, out = p->tiles * 4 * p->cols;
    p->own_tiles = (rows * (p->wide + WINDOW - 1) + 1) * p->channels;
    p->own_sums = p->own_tiles + PARTS * p->part_in;
    p->own_out = p->own_sums + PARTS * p->part_out;
    p->own_planes = p->own_out + (p->planes || !p->g->c ? out : 0);
    p->own_size = p->own_planes + (p->planes && !p->g->c ? out : 0);
    p->own_size = tsr_round_up(p->own_size, 16);
}

bool tsr_winograd_run(const tsr_gemm *g)
{
    const tsr_isa *isa = tsr_isa_now();
    plan p = {.g = g, .isa = isa, .fns = isa->winograds, .micro = &isa->micros[TSR_MICRO_F32]};
    find_sizes(g, &p);
    set_blocks(&p);
    set_own(&p);
    int64_t panels = p.n / p.micro->cols, surveys = tsr_div_up(p.nrows, ROWS_EACH);
    int64_t weights = tsr_round_up(PARTS * p.part_weights, 16);
    int64_t floats = weights + p.own_size * tsr_pool_size();
    char *memory = tsr_scratch_get(g->room, floats * (int64_t)sizeof(float) +
                                                (panels + surveys) * (int64_t)sizeof(found));
    if (!memory)
        return false;
    p.weights = (float *)memory;
    p.own = p.weights + weights;
    p.found = (found *)(p.weights + floats);
    tsr_pool_for(panels + surveys, first_chunk, &p);
    bool even = is_even(&p, panels, surveys);
    if (even)
        tsr_pool_for(p.images * p.groups * tsr_div_up(p.n, p.cols_each), tiles_chunk, &p);
    tsr_scratch_put(memory);
    return even;
}
