/* SPDX-License-Identifier: Apache-2.0 */
/* test_winograd.c - convolutions with 3x3 windows that are computed with fewer multiplications (kernel/winograd.h), in each class of machines: whole
 * numbers exactly, others within a bound; layouts, odd sizes, padding, epilogues; images whose numbers differ too much, or are not finite, have the bits
 * of plain products. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/winograd.h"
#include "unit.h"

static uint64_t seed = 11;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* The result is high x wide pixels; the image has two more in each direction, of which pad on each side are not in memory. */
typedef struct {
    int64_t images, high, wide, channels, n;
    int64_t pad;
    bool
        by_columns; /* weights of a result are contiguous; if channels are planes, a window's are, too */
    bool planes; /* channels are the second dimension of images and results, not the last */
} shape;

typedef struct {
    shape s;
    tsr_grid_pad pad;
    tsr_grid grid;
    float *image, *weights, *result;
    int64_t nimage, nweights, nresult;
    tsr_gemm g;
} conv;

static int64_t in_high(const shape *s)
{
    return s->high + 2 - 2 * s->pad;
}

static int64_t in_wide(const shape *s)
{
    return s->wide + 2 - 2 * s->pad;
}

static void set_pixels(conv *c)
{
    const shape *s = &c->s;
    int64_t row = (s->wide + 2) * s->channels, image = (s->high + 2) * row;
    tsr_xview lines = {.space = {3, {s->images, s->high, s->wide}},
                       .strides = {image, row, s->channels}};
    tsr_xview one = {.space = {2, {s->high, s->wide}}, .strides = {row, s->channels}};
    tsr_xview steps = {.space = {2, {3, 3 * s->channels}}, .strides = {row, 1}};
    c->pad =
        (tsr_grid_pad){.rank = 2,
                       .dims = {s->images, s->high + 2},
                       .low = {0, s->pad},
                       .sizes = {s->images, in_high(s)},
                       .strides = {in_high(s) * in_wide(s) * s->channels, in_wide(s) * s->channels},
                       .row = row,
                       .before = s->pad * s->channels,
                       .count = in_wide(s) * s->channels};
    c->grid = (tsr_grid){
        .lines = s->images > 1 ? lines : one, .steps = steps, .pad = s->pad ? &c->pad : NULL};
}

static void set_planes(conv *c)
{
    const shape *s = &c->s;
    int64_t row = s->wide + 2, plane = (s->high + 2) * row, size = in_high(s) * in_wide(s);
    tsr_xview lines = {.space = {2, {s->high, s->wide}}, .strides = {row, 1}};
    tsr_xview first = {.space = {3, {s->channels, 3, 3}}, .strides = {plane, row, 1}};
    tsr_xview last = {.space = {3, {3, 3, s->channels}}, .strides = {row, 1, plane}};
    c->pad = (tsr_grid_pad){.rank = 3,
                            .dims = {s->images, s->channels, s->high + 2},
                            .low = {0, 0, s->pad},
                            .sizes = {s->images, s->channels, in_high(s)},
                            .strides = {s->channels * size, size, in_wide(s)},
                            .row = row,
                            .before = s->pad,
                            .count = in_wide(s)};
    c->grid = (tsr_grid){
        .lines = lines, .steps = s->by_columns ? first : last, .pad = s->pad ? &c->pad : NULL};
}

static void set_grid(conv *c)
{
    if (c->s.planes)
        set_planes(c);
    else
        set_pixels(c);
}

static conv conv_of(shape s)
{
    conv c = {.s = s,
              .nimage = s.images * in_high(&s) * in_wide(&s) * s.channels,
              .nweights = 9 * s.channels * s.n,
              .nresult = s.images * s.high * s.wide * s.n};
    c.image = malloc((size_t)c.nimage * sizeof(float));
    c.weights = malloc((size_t)c.nweights * sizeof(float));
    c.result = malloc((size_t)c.nresult * sizeof(float));
    for (int64_t i = 0; i < c.nimage; i++)
        c.image[i] = (float)((int64_t)(next_random() % 9) - 4);
    for (int64_t i = 0; i < c.nweights; i++)
        c.weights[i] = (float)((int64_t)(next_random() % 9) - 4);
    return c;
}

static void free_conv(conv *c)
{
    free(c->image);
    free(c->weights);
    free(c->result);
}

/* The product; its addresses are those of c. */
static tsr_gemm gemm_of(conv *c)
{
    const shape *s = &c->s;
    tsr_gemm g = {
        .type = TSR_D_F32, .out_type = TSR_D_F32, .k = 9 * s->channels, .batch = 1, .c = c->result};
    int64_t step = s->by_columns ? 1 : s->n, result = s->by_columns ? 9 * s->channels : 1;
    set_grid(c);
    if (!s->planes) {
        g.m = s->images * s->high * s->wide;
        g.n = g.c_m = s->n;
        g.a = c->image;
        g.b = c->weights;
        g.a_grid = &c->grid;
        g.b_k = step;
        g.b_n = result;
        return g;
    }
    g.batch = s->images;
    g.m = s->n;
    g.n = g.c_m = s->high * s->wide;
    g.c_batch = g.m * g.n;
    g.a = c->weights;
    g.b = c->image;
    g.b_grid = &c->grid;
    g.b_batch = s->channels * (s->pad ? (s->high + 2) * (s->wide + 2) : in_high(s) * in_wide(s));
    g.a_k = step;
    g.a_m = result;
    return g;
}

/* Where a number of an image with these sizes is. */
static int64_t at(const shape *s, int64_t image, int64_t y, int64_t x, int64_t c, int64_t high,
                  int64_t wide, int64_t channels)
{
    return s->planes ? ((image * channels + c) * high + y) * wide + x
                     : ((image * high + y) * wide + x) * channels + c;
}

enum { MOST_RESULTS = 96 };

/* Pixel (x, y) of all results, and for each the sum of magnitudes. */
static void expect(const conv *c, int64_t image, int64_t y, int64_t x, double *sums, double *sizes)
{
    const shape *s = &c->s;
    memset(sums, 0, MOST_RESULTS * sizeof *sums);
    memset(sizes, 0, MOST_RESULTS * sizeof *sizes);
    for (int64_t k = 0; k < 9 * s->channels; k++) {
        bool first = s->planes && s->by_columns;
        int64_t i = first ? k % 9 : k / s->channels, channel = first ? k / 9 : k % s->channels;
        int64_t iy = y + i / 3 - s->pad, ix = x + i % 3 - s->pad;
        if (iy < 0 || ix < 0 || iy >= in_high(s) || ix >= in_wide(s))
            continue;
        double a = c->image[at(s, image, iy, ix, channel, in_high(s), in_wide(s), s->channels)];
        int64_t step = s->by_columns ? 9 * s->channels : 1;
        const float *weight = c->weights + (s->by_columns ? k : k * s->n);
        for (int64_t n = 0; n < s->n; n++, weight += step) {
            double p = a * *weight;
            sums[n] += p;
            sizes[n] += fabs(p);
        }
    }
}

static void add_three(void *ctx, const tsr_gemm_block *b)
{
    const conv *c = ctx;
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t k = 0; k < b->cols; k++)
            c->result[b->batch * c->g.c_batch + (b->row + r) * c->g.c_m + b->col + k] =
                ((const float *)b->at)[r * b->stride + k] + 3;
}

/* The greatest error, in units of the last place of the sum of magnitudes; more: added to each number. */
static double greatest_error(const conv *c, float more)
{
    const shape *s = &c->s;
    double most = 0, sums[MOST_RESULTS], sizes[MOST_RESULTS];
    for (int64_t i = 0; i < c->nresult / s->n; i++) {
        int64_t x = i % s->wide, y = i / s->wide % s->high, image = i / s->wide / s->high;
        expect(c, image, y, x, sums, sizes);
        for (int64_t n = 0; n < s->n; n++) {
            float found = c->result[at(s, image, y, x, n, s->high, s->wide, s->n)];
            double error = fabs(sums[n] + more - found) / ((sizes[n] + more + 1e-30) * 0x1p-24);
            most = error <= most ? most : error; /* a NaN is the greatest */
        }
    }
    return most;
}

static bool is_exact(const conv *c, float more)
{
    return greatest_error(c, more) == 0;
}

static void test_shape(unit *u, shape s)
{
    conv c = conv_of(s);
    tsr_gemm g = gemm_of(&c);
    CHECK(u, tsr_winograd_fits(&g) && tsr_winograd_run(&g) && is_exact(&c, 0));
    c.g = g;
    g.epilogue = add_three;
    g.ctx = &c;
    CHECK(u, tsr_winograd_run(&g) && is_exact(&c, 3));
    g.c = NULL;
    memset(c.result, 0, (size_t)c.nresult * sizeof(float));
    CHECK(u, tsr_gemm_run(&g) && is_exact(&c, 3));
    free_conv(&c);
}

static void set_reals(conv *c)
{
    for (int64_t i = 0; i < c->nimage; i++)
        c->image[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
    for (int64_t i = 0; i < c->nweights; i++)
        c->weights[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
}

/* The bits do not depend on threads, and errors are near those of plain products. */
static void test_reals(unit *u, bool planes)
{
    static const int threads[] = {2, 3, 7, 0};
    conv c = conv_of((shape){2, 13, 18, 48, 96, 1, planes, planes});
    tsr_gemm g = gemm_of(&c);
    set_reals(&c);
    float *first = malloc((size_t)c.nresult * sizeof(float));
    tsr_pool_limit(1);
    CHECK(u, tsr_winograd_run(&g));
    memcpy(first, c.result, (size_t)c.nresult * sizeof(float));
    double error = greatest_error(&c, 0);
    for (int t = 0; t < 4; t++) {
        tsr_pool_limit(threads[t]);
        memset(c.result, 0, (size_t)c.nresult * sizeof(float));
        CHECK(u, tsr_winograd_run(&g) &&
                     memcmp(first, c.result, (size_t)c.nresult * sizeof(float)) == 0);
    }
    g.plain = true;
    CHECK(u, !tsr_winograd_fits(&g) && tsr_gemm_run(&g) &&
                 memcmp(first, c.result, (size_t)c.nresult * sizeof(float)) != 0);
    CHECK(u, error < 4 && greatest_error(&c, 0) < 4); /* of 432 products */
    free(first);
    free_conv(&c);
}

/* One number that makes sums of neighbours worthless: the product is a plain one. */
static void test_uneven(unit *u, bool planes)
{
    static const float worst[] = {INFINITY, -INFINITY, NAN, 1e30F, -3e38F, 1e5F};
    conv c = conv_of((shape){1, 16, 16, 32, 32, 1, planes, planes});
    float *plain = malloc((size_t)c.nresult * sizeof(float));
    set_reals(&c);
    for (int i = 0; i < 12; i++) {
        tsr_gemm g = gemm_of(&c);
        float *at = i % 2 ? &c.weights[77] : &c.image[c.nimage / 2 + 5], before = *at;
        *at = worst[i / 2];
        bool declines = i % 2 == 0 || !(fabsf(*at) < 1e15F);
        CHECK(u, tsr_winograd_fits(&g) && tsr_winograd_run(&g) == !declines);
        CHECK(u, tsr_gemm_run(&g));
        memcpy(plain, c.result, (size_t)c.nresult * sizeof(float));
        g.plain = true;
        CHECK(u, tsr_gemm_run(&g) && (!declines || memcmp(plain, c.result,
                                                          (size_t)c.nresult * sizeof(float)) == 0));
        *at = before;
    }
    memset(c.image, 0, (size_t)c.nimage * sizeof(float));
    tsr_gemm g = gemm_of(&c);
    CHECK(u, tsr_winograd_run(&g) && is_exact(&c, 0));
    free(plain);
    free_conv(&c);
}

/* Others than 3x3 windows that move by one pixel of many channels. */
static void test_others(unit *u)
{
    conv c = conv_of((shape){1, 16, 16, 32, 32, 1, false, false});
    tsr_gemm g = gemm_of(&c);
    CHECK(u, tsr_winograd_fits(&g));
    c.grid.lines.strides[1] *= 2; /* every other pixel */
    CHECK(u, !tsr_winograd_fits(&g));
    set_grid(&c);
    c.grid.steps.strides[0] *= 2; /* pixels between those of a window */
    CHECK(u, !tsr_winograd_fits(&g));
    set_grid(&c);
    c.grid.steps.space.dims[0] = 5;
    CHECK(u, !tsr_winograd_fits(&g));
    set_grid(&c);
    g.rows = true;
    CHECK(u, !tsr_winograd_fits(&g));
    g = gemm_of(&c);
    g.out_type = TSR_D_BF16;
    CHECK(u, !tsr_winograd_fits(&g));
    g = gemm_of(&c);
    g.n = 24;
    CHECK(u, !tsr_winograd_fits(&g));
    free_conv(&c);
}

void test_winograd(unit *u)
{
    static const shape shapes[] = {
        {1, 16, 16, 32, 32, 1, false, false}, {2, 7, 9, 32, 64, 1, false, false},
        {1, 14, 14, 48, 96, 1, true, false},  {4, 5, 6, 32, 32, 0, false, false},
        {1, 3, 141, 32, 32, 1, false, false}, {5, 6, 5, 32, 96, 1, true, false},
        {1, 33, 8, 32, 32, 0, true, false},   {17, 4, 4, 32, 32, 1, false, false},
        {1, 34, 32, 32, 32, 1, false, false}};
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int planes = 0; planes < 2; planes++) {
                shape s = shapes[i];
                s.planes = planes;
                test_shape(u, s);
            }
        for (int planes = 0; planes < 2; planes++) {
            test_reals(u, planes);
            test_uneven(u, planes);
        }
        test_others(u);
    }
    tsr_isa_use(before, NULL);
}
