/* SPDX-License-Identifier: Apache-2.0 */
/* test_product.c - matrix products of each class of machines against sums in order: types, layouts, sizes with rests, batches, epilogues, factors that are
 * computed when they are packed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/provider.h"
#include "exec/kernel/thin.h"
#include "exec/kernel/tile.h"
#include "unit.h"

static uint64_t seed = 7;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static bool whole_range; /* of bytes, with many of the least and the greatest */

/* Small integers as elements: products and sums are exact in every type, so that results are equal to the bit. */
static void fill(tsr_dtype d, void *out, int64_t n)
{
    bool is_signed = tsr_dtype_kind(d) != TSR_K_UINT;
    for (int64_t i = 0; whole_range && i < n; i++) {
        uint64_t x = next_random(), few = x >> 8 & 7;
        ((uint8_t *)out)[i] = (uint8_t)(few > 3 ? x : few ? 0x80 : x & 1 ? 0x7f : 0xff);
    }
    if (whole_range)
        return;
    for (int64_t i = 0; i < n; i++) {
        int64_t v = (int64_t)(next_random() % 9) - (is_signed ? 4 : 0);
        tsr_convert(d, (char *)out + (size_t)i * tsr_dtype_bytes(d), TSR_D_I64, &v, 1);
    }
}

static int64_t element(tsr_dtype d, const void *data, int64_t i)
{
    double v;
    tsr_to_doubles(d, (const char *)data + (size_t)i * tsr_dtype_bytes(d), &v, 1);
    return (int64_t)v;
}

typedef struct {
    const tsr_gemm *g;
    char *c; /* where the block goes, too; NULL: it is C */
} adding;

/* Adds 3 to each element of a block. One that is not as it should be stays as it is. */
static void add_three(void *ctx, const tsr_gemm_block *b)
{
    const adding *x = ctx;
    const tsr_gemm *g = x->g;
    tsr_dtype sum = tsr_contract_sum(g->type, g->out_type);
    size_t size = tsr_dtype_bytes(g->out_type);
    if (b->row < 0 || b->col < 0 || b->row + b->rows > g->m || b->col + b->cols > g->n ||
        (g->rows && b->cols != g->n) || b->worker < 0 || b->worker >= tsr_pool_size())
        return;
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cols; c++) {
            char *at = (char *)b->at + (size_t)(r * b->stride + c) * tsr_dtype_bytes(sum);
            int64_t to = b->batch * g->c_batch + (b->row + r) * g->c_m + b->col + c;
            int64_t v = element(sum, at, 0) + 3;
            tsr_convert(sum, at, TSR_D_I64, &v, 1);
            if (x->c)
                tsr_convert(g->out_type, x->c + (size_t)to * size, sum, at, 1);
        }
}

typedef struct {
    const char *from;
    size_t size;
    int64_t batch, line, step; /* strides */
    int64_t lines, depth;      /* all that there are */
} filling;

/* A box of a factor, of elements in memory; what is behind its rows is no number. */
static void fill_box(void *ctx, const tsr_gemm_box *b)
{
    const filling *f = ctx;
    bool along = f->step == 1;
    int64_t rows = along ? b->lines : b->depth, cols = along ? b->depth : b->lines;
    if (b->line < 0 || b->step < 0 || b->line + b->lines > f->lines ||
        b->step + b->depth > f->depth || b->stride < cols || b->worker >= tsr_pool_size())
        return;
    memset(b->out, 0xff, (size_t)(rows * b->stride) * f->size);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            int64_t line = b->line + (along ? r : c), step = b->step + (along ? c : r);
            memcpy((char *)b->out + (size_t)(r * b->stride + c) * f->size,
                   f->from +
                       (size_t)(b->batch * f->batch + line * f->line + step * f->step) * f->size,
                   f->size);
        }
}

/* NO_RESULT: the epilogue alone sees the product. ROWS: in blocks of whole rows. Both with an epilogue. PANELS: B is packed before, where that helps.
 * FILL_A, FILL_B: the factor is not in memory; without SPREAD. */
enum {
    TRANSPOSE_A = 1,
    TRANSPOSE_B = 2,
    EPILOGUE = 4,
    SPREAD = 8,
    SHARE_B = 16,
    NO_RESULT = 32,
    ROWS = 64,
    PANELS = 128,
    FILL_A = 256,
    FILL_B = 512,
    ALL = 1024,
};

/* A row of the product of a row of A and B, and more. */
static void sum_row(const tsr_gemm *g, const int64_t *a, const int64_t *b, int64_t more,
                    int64_t *sums)
{
    for (int64_t col = 0; col < g->n; col++)
        sums[col] = more;
    for (int64_t j = 0; j < g->k; j++, a += g->a_k, b += g->b_k) {
        const int64_t factor = *a, *at = b;
        for (int64_t col = 0; factor && col < g->n; col++, at += g->b_n)
            sums[col] += factor * *at;
    }
}

static bool is_right(tsr_dtype type, tsr_dtype out_type, int64_t m, int64_t n, int64_t k,
                     int64_t batch, int how)
{
    size_t in_size = tsr_dtype_bytes(type), out_size = tsr_dtype_bytes(out_type);
    int64_t step = how & SPREAD ? 2 : 1, c_m = n + (how & SPREAD ? 5 : 0);
    int64_t na = m * k * step, nb = k * n * step, nc = m * c_m;
    void *a = malloc((size_t)(na * batch) * in_size + 1),
         *b = malloc((size_t)(nb * batch) * in_size + 1);
    char *c = malloc((size_t)(nc * batch) * out_size + 1);
    fill(type, a, na * batch);
    fill(type, b, nb * batch);
    memset(c, 0x77, (size_t)(nc * batch) * out_size);
    tsr_gemm g = {.type = type,
                  .out_type = out_type,
                  .m = m,
                  .n = n,
                  .k = k,
                  .batch = batch,
                  .a = a,
                  .b = b,
                  .c = c,
                  .a_m = how & TRANSPOSE_A ? step : k * step,
                  .a_k = how & TRANSPOSE_A ? m * step : step,
                  .b_k = how & TRANSPOSE_B ? step : n * step,
                  .b_n = how & TRANSPOSE_B ? k * step : step,
                  .a_batch = na,
                  .b_batch = how & SHARE_B ? 0 : nb,
                  .c_batch = nc,
                  .c_m = c_m};
    how &= how & EPILOGUE ? ~0 : ~(NO_RESULT | ROWS);
    adding adds = {&g, how & NO_RESULT ? c : NULL};
    if (how & EPILOGUE) {
        g.epilogue = add_three;
        g.ctx = &adds;
        g.c = how & NO_RESULT ? NULL : c;
        g.rows = how & ROWS && tsr_gemm_gives_rows(m, n, k);
    }
    filling fillings[2] = {{a, in_size, g.a_batch, g.a_m, g.a_k, m, k},
                           {b, in_size, g.b_batch, g.b_n, g.b_k, n, k}};
    for (int side = 0; side < 2 && !(how & SPREAD); side++)
        if (how & (side ? FILL_B : FILL_A)) {
            *(side ? &g.b : &g.a) = NULL;
            g.fill[side] = fill_box;
            g.fill_ctx[side] = &fillings[side];
        }
    int64_t *x = malloc((size_t)(na * batch + 1) * 8), *y = malloc((size_t)(nb * batch + 1) * 8);
    tsr_convert(TSR_D_I64, x, type, a, na * batch);
    tsr_convert(TSR_D_I64, y, type, b, nb * batch);
    void *panels = how & PANELS && m && n && batch ? tsr_thin_pack(&g) : NULL;
    g.panels = panels;
    bool ok = tsr_gemm_run(&g);
    int64_t *sums = malloc((size_t)(n + 1) * sizeof *sums);
    for (int64_t i = 0; ok && i < batch * m * n; i++) {
        int64_t at = i / (m * n), row = i / n % m, col = i % n;
        if (!col)
            sum_row(&g, x + at * g.a_batch + row * g.a_m, y + at * g.b_batch,
                    how & EPILOGUE ? 3 : 0, sums);
        int64_t sum = sums[col];
        char want[8];
        if (tsr_dtype_is_float(type)) {
            double v = (double)sum;
            tsr_from_doubles(out_type, &v, want, 1);
        } else
            tsr_convert(out_type, want, TSR_D_I64, &sum, 1);
        ok = memcmp(want, c + (size_t)(at * g.c_batch + row * c_m + col) * out_size, out_size) == 0;
        if (!ok)
            fprintf(stderr,
                    "%s x %s: %lld x %lld x %lld, batch %lld, how %d: element %lld %lld %lld is "
                    "wrong (class %s)\n",
                    tsr_dtype_name(type), tsr_dtype_name(out_type), (long long)m, (long long)n,
                    (long long)k, (long long)batch, how, (long long)at, (long long)row,
                    (long long)col, tsr_isa_name());
    }
    if (how & SPREAD) /* nothing is written between rows */
        for (int64_t i = 0; ok && i < batch * m; i++)
            for (size_t j = 0; j < 5 * out_size; j++)
                ok &= c[(size_t)(i * c_m + n) * out_size + j] == 0x77;
    tsr_free(panels);
    free(sums);
    free(x);
    free(y);
    free(a);
    free(b);
    free(c);
    return ok;
}

static const struct {
    tsr_dtype type, out;
} pairs[] = {{TSR_D_F32, TSR_D_F32},  {TSR_D_F64, TSR_D_F64}, {TSR_D_BF16, TSR_D_BF16},
             {TSR_D_BF16, TSR_D_F32}, {TSR_D_F16, TSR_D_F16}, {TSR_D_F16, TSR_D_F32},
             {TSR_D_I8, TSR_D_I32},   {TSR_D_I8, TSR_D_I8},   {TSR_D_U8, TSR_D_U32},
             {TSR_D_I16, TSR_D_I32},  {TSR_D_I32, TSR_D_I32}, {TSR_D_I64, TSR_D_I64},
             {TSR_D_U32, TSR_D_U64},  {TSR_D_F32, TSR_D_F64}, {TSR_D_F32, TSR_D_BF16}};

static void test_sizes(unit *u)
{
    static const int64_t sizes[][3] = {
        {1, 1, 1}, {2, 3, 4}, {1, 100, 37}, {100, 1, 37}, {5, 70, 3},   {13, 33, 65}, {0, 5, 5},
        {5, 0, 5}, {5, 5, 0}, {31, 31, 31}, {64, 48, 20}, {3, 129, 40}, {70, 7, 128}};
    for (size_t p = 0; p < TSR_COUNT(pairs); p++) {
        CHECK(u, tsr_gemm_has(pairs[p].type, pairs[p].out));
        bool ok = true;
        for (size_t s = 0; s < TSR_COUNT(sizes); s++)
            for (int how = 0; how < ALL; how += 1 + (int)(next_random() % 48))
                ok &= is_right(pairs[p].type, pairs[p].out, sizes[s][0], sizes[s][1], sizes[s][2],
                               how & SHARE_B ? 2 : 1, how);
        for (int i = 0; i < 6; i++)
            ok &= is_right(pairs[p].type, pairs[p].out, (int64_t)(next_random() % 50),
                           (int64_t)(next_random() % 90), (int64_t)(next_random() % 70),
                           (int64_t)(next_random() % 4), (int)(next_random() % ALL));
        CHECK(u, ok);
    }
    CHECK(u, !tsr_gemm_has(TSR_D_C64, TSR_D_C64) && !tsr_gemm_has(TSR_D_I1, TSR_D_I1) &&
                 !tsr_gemm_has(TSR_D_F32, TSR_D_I32));
}

/* Large enough for several blocks in each direction. */
static void test_blocks(unit *u)
{
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 150, 300, 500, 1, EPILOGUE));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 300, 150, 450, 1, TRANSPOSE_A | TRANSPOSE_B));
    CHECK(u, is_right(TSR_D_BF16, TSR_D_BF16, 150, 300, 60, 1, EPILOGUE));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 1, 700, 600, 2, EPILOGUE));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 1, 700, 600, 2, EPILOGUE | NO_RESULT));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 150, 300, 500, 1, EPILOGUE | NO_RESULT));
    CHECK(u, is_right(TSR_D_BF16, TSR_D_F32, 150, 700, 60, 1, EPILOGUE | NO_RESULT | ROWS));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 70, 1024, 200, 2, EPILOGUE | ROWS));
    CHECK(u, !tsr_gemm_gives_rows(4, 513, 9) && !tsr_gemm_gives_rows(100, 1025, 9));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 1, 700, 600, 2, TRANSPOSE_B));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 700, 1, 600, 1, 0));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 70, 560, 400, 1, 0)); /* B is not packed ahead */
    CHECK(u, is_right(TSR_D_F16, TSR_D_F16, 60, 530, 90, 2, TRANSPOSE_B | EPILOGUE));
    CHECK(u, is_right(TSR_D_BF16, TSR_D_F32, 60, 530, 90, 1, EPILOGUE | NO_RESULT));
    CHECK(u, is_right(TSR_D_F64, TSR_D_F64, 130, 130, 400, 1, SPREAD));
}

/* One product of matrices that lie by rows. */
static tsr_gemm by_rows(tsr_dtype type, tsr_dtype out_type, int64_t m, int64_t n, int64_t k,
                        const void *a, const void *b, void *c)
{
    return (tsr_gemm){.type = type,
                      .out_type = out_type,
                      .m = m,
                      .n = n,
                      .k = k,
                      .batch = 1,
                      .a = a,
                      .b = b,
                      .c = c,
                      .a_m = k,
                      .a_k = 1,
                      .b_k = n,
                      .b_n = 1,
                      .c_m = n};
}

/* Factors that are computed when they are packed: ahead, by each block, by steps of a deep product, in several parts. */
static void test_fills(unit *u)
{
    static const int64_t sizes[][3] = {{150, 120, 150}, {130, 300, 64}, {70, 560, 60},
                                       {700, 40, 90},   {40, 30, 3500}, {150, 700, 25},
                                       {30, 300, 300},  {9, 600, 450}};
    for (size_t s = 0; s < TSR_COUNT(sizes); s++)
        for (int i = 0; i < 8; i++) {
            size_t p = i < 4 ? 0 : next_random() % TSR_COUNT(pairs);
            int how = (i & 3) | (int)(next_random() % ALL & (EPILOGUE | NO_RESULT | ROWS));
            int fills = i % 3 == 0 ? FILL_A : i % 3 == 1 ? FILL_B : FILL_A | FILL_B;
            CHECK(u, is_right(pairs[p].type, pairs[p].out, sizes[s][0], sizes[s][1], sizes[s][2],
                              1 + i % 4 / 3, how | fills));
        }
    tsr_gemm g = by_rows(TSR_D_F32, TSR_D_F32, 200, 200, 200, NULL, NULL, NULL);
    CHECK(u, tsr_gemm_fills(&g, 0) == 1 && tsr_gemm_fills(&g, 1) == 1);
    g.m = 40; /* B is read where it lies */
    CHECK(u, tsr_gemm_fills(&g, 0) == 0 && tsr_gemm_fills(&g, 1) == 0);
    g.n = 2000;
    CHECK(u, tsr_gemm_fills(&g, 0) == 1 && tsr_gemm_fills(&g, 1) == 0);
    g.m = 8; /* few rows */
    CHECK(u, tsr_gemm_fills(&g, 0) == 0 && tsr_gemm_fills(&g, 1) == 0);
    g.m = g.n = g.k = 10000; /* in parts */
    CHECK(u, tsr_gemm_fills(&g, 0) > 1 && tsr_gemm_fills(&g, 1) > 1);
}

/* Few rows by a matrix of more than a megabyte, whose rows some machines read in order. */
static void test_large_thin(unit *u)
{
    static const int64_t sizes[][3] = {
        {2, 1030, 300}, {3, 600, 501}, {4, 2500, 130}, {7, 530, 510}, {8, 1024, 260}};
    for (size_t s = 0; s < TSR_COUNT(sizes); s++)
        for (int i = 0; i < 4; i++)
            CHECK(u, is_right(i & 1 ? TSR_D_F64 : TSR_D_F32, i & 1 ? TSR_D_F64 : TSR_D_F32,
                              sizes[s][0], sizes[s][1], sizes[s][2], 1, i & 2 ? EPILOGUE : 0));
}

/* Sums of bytes that leave the range of 32 bits wrap. */
static bool wraps(tsr_dtype type)
{
    enum { M = 3, N = 5, K = 140000 };
    uint8_t *a = malloc(M * K), *b = malloc(K * N);
    int32_t c[M * N];
    memset(a, type == TSR_D_I8 ? 0x80 : 0xff, M * K);
    memset(b, type == TSR_D_I8 ? 0x80 : 0xff, K * N);
    tsr_gemm g = by_rows(type, TSR_D_I32, M, N, K, a, b, c);
    bool ok = tsr_gemm_run(&g);
    uint32_t want = (uint32_t)K * (type == TSR_D_I8 ? 128 * 128 : 255 * 255);
    for (int i = 0; i < M * N; i++)
        ok &= (uint32_t)c[i] == want;
    free(a);
    free(b);
    return ok;
}

/* Bytes by each way that the class has for them on this machine: all values, layouts and sizes with rests of tiles and of groups. */
static void test_bytes(unit *u)
{
    static const char *const names[] = {"pairs of 16 bits", "four at a time (VNNI)",
                                        "tiles (AMX-INT8)"};
    static const tsr_micro_kind kinds[] = {TSR_MICRO_I32, TSR_MICRO_DOT_I8, TSR_MICRO_AMX_I8};
    static const tsr_dtype outs[] = {TSR_D_I32, TSR_D_U32, TSR_D_I8,
                                     TSR_D_U8,  TSR_D_I16, TSR_D_I64};
    static const int64_t sizes[][3] = {{1, 1, 1},      {2, 3, 4},     {1, 100, 37}, {100, 1, 63},
                                       {5, 70, 3},     {13, 33, 65},  {5, 5, 0},    {31, 31, 6},
                                       {33, 49, 64},   {70, 97, 131}, {50, 64, 66}, {150, 300, 70},
                                       {60, 530, 1090}};
    whole_range = true;
    for (int way = TSR_BYTES_WIDE; way <= TSR_BYTES_AMX; way++) {
        tsr_isa_limit_bytes((tsr_bytes)way);
        if (!tsr_isa_now()->micros[kinds[way]].fn[0])
            continue; /* the class has no such kernels */
        if (tsr_isa_bytes() != (tsr_bytes)way) {
            printf("skipped: products of bytes, %s: this machine lacks them (class %s)\n",
                   names[way], tsr_isa_name());
            continue;
        }
        bool ok = true;
        for (size_t s = 0; s < TSR_COUNT(sizes); s++)
            for (int how = 0; how < PANELS; how += 1 + (int)(next_random() % 40)) {
                tsr_dtype type = next_random() & 1 ? TSR_D_I8 : TSR_D_U8;
                ok &=
                    is_right(type, outs[next_random() % (next_random() & 1 ? 1 : TSR_COUNT(outs))],
                             sizes[s][0], sizes[s][1], sizes[s][2], how & SHARE_B ? 2 : 1, how);
            }
        for (int i = 0; i < 60; i++)
            ok &=
                is_right(i & 1 ? TSR_D_I8 : TSR_D_U8, TSR_D_I32, 1 + (int64_t)(next_random() % 70),
                         1 + (int64_t)(next_random() % 90), (int64_t)(next_random() % 200),
                         1 + (int64_t)(next_random() % 3), (int)(next_random() % PANELS));
        CHECK(u, ok);
        CHECK(u, is_right(TSR_D_I8, TSR_D_I32, 60, 150, 1090, 1,
                          EPILOGUE)); /* several steps and blocks */
        CHECK(u, is_right(TSR_D_U8, TSR_D_I32, 150, 60, 1090, 1, TRANSPOSE_A | TRANSPOSE_B));
        CHECK(u, wraps(TSR_D_I8) && wraps(TSR_D_U8));
    }
    tsr_isa_limit_bytes(TSR_BYTES_AMX);
    whole_range = false;
}

/* Few columns: rests of lanes, of the depth, of columns. */
static void test_few_columns(unit *u)
{
    static const int64_t depths[] = {16, 17, 40, 384, 390, 800};
    static const tsr_dtype outs[] = {TSR_D_F32, TSR_D_F64, TSR_D_BF16};
    for (int64_t n = 1; n <= 33; n += n < 17 ? 1 : 5)
        for (int i = 0; i < 6; i++) {
            tsr_dtype out = outs[next_random() % 3],
                      type = out == TSR_D_F64 ? TSR_D_F64 : TSR_D_F32;
            int how = (int)(next_random() % PANELS) & ~(TRANSPOSE_A | SPREAD);
            CHECK(u, is_right(type, out, 16 + (int64_t)(next_random() % 80), n, depths[i],
                              1 + (int64_t)(next_random() % 3), how));
        }
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 1000, 3, 700, 1, EPILOGUE | NO_RESULT));
}

/* Batches of tiny matrices with any strides: sums in order, and nothing else is written. fused: the class rounds once. */
static bool tiny_agrees(bool fused)
{
    enum { MOST = 17, BATCH = 6, SIZE = BATCH * MOST * MOST };
    static float a[SIZE], b[SIZE], c[SIZE], want[SIZE];
    int64_t m = 1 + (int64_t)(next_random() % MOST), n = 1 + (int64_t)(next_random() % MOST),
            k = 1 + (int64_t)(next_random() % MOST), batch = 1 + (int64_t)(next_random() % BATCH);
    bool turn_a = next_random() & 1, turn_b = next_random() & 1, between = next_random() & 1;
    for (int i = 0; i < SIZE; i++) {
        a[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
        b[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
        c[i] = want[i] = 5;
    }
    tsr_gemm g = {.type = TSR_D_F32, .out_type = TSR_D_F32, .m = m, .n = n, .k = k, .batch = batch};
    g.a = a, g.b = b, g.c = c;
    g.a_m = turn_a ? 1 : k, g.a_k = turn_a ? m : 1, g.a_batch = next_random() & 1 ? m * k : 0;
    g.b_k = turn_b ? 1 : n, g.b_n = turn_b ? k : 1, g.b_batch = n * k;
    g.c_m = between ? batch * n : n, g.c_batch = between ? n : m * n;
    for (int64_t i = 0; i < batch * m * n; i++) {
        int64_t p = i / (m * n), row = i / n % m, col = i % n;
        float sum = 0;
        for (int64_t j = 0; j < k; j++) {
            float x = a[p * g.a_batch + row * g.a_m + j * g.a_k],
                  y = b[p * g.b_batch + j * g.b_k + col * g.b_n];
            volatile float product = x * y;
            sum = fused ? fmaf(x, y, sum) : sum + product;
        }
        want[p * g.c_batch + row * g.c_m + col] = sum;
    }
    return tsr_gemm_run(&g) && memcmp(c, want, sizeof c) == 0;
}

/* Sums go along the depth in steps of 384, with products fused where the class can: the same bits whatever loop a shape takes. */
#define ORDER(name, T, TYPE, FMA)                                                 \
    static void test_order_##name(unit *u)                                        \
    {                                                                             \
        enum { M = 70, N = 20, K = 901 };                                         \
        static T a[M * K], b[K * N], c[M * N];                                    \
        for (int i = 0; i < M * K; i++)                                           \
            a[i] = (T)((double)(int64_t)next_random() * 0x1p-63);                 \
        for (int i = 0; i < K * N; i++)                                           \
            b[i] = (T)((double)(int64_t)next_random() * 0x1p-63);                 \
        for (int n = 1; n <= N; n++) {                                            \
            tsr_gemm g = by_rows(TYPE, TYPE, M, n, K, a, b, c);                   \
            g.b_k = N;                                                            \
            bool ok = tsr_gemm_run(&g);                                           \
            for (int i = 0; ok && i < M * n; i++) {                               \
                T sum = 0, part = 0;                                              \
                for (int k = 0; k < K; k++) {                                     \
                    part = FMA(a[i / n * K + k], b[k * N + i % n], part);         \
                    if (k % TSR_GEMM_DEPTH == TSR_GEMM_DEPTH - 1 || k == K - 1) { \
                        sum += part;                                              \
                        part = 0;                                                 \
                    }                                                             \
                }                                                                 \
                ok = sum == c[i];                                                 \
            }                                                                     \
            CHECK(u, ok);                                                         \
        }                                                                         \
    }
ORDER(f32, float, TSR_D_F32, fmaf)
ORDER(f64, double, TSR_D_F64, fma)

/* Few rows by B that is packed before: the bits are the same. */
static void test_panels(unit *u)
{
    enum { M = 7, N = 531, K = 70 };
    static float a[M * K], b[K * N], c[2][M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
    for (int m = 1; m <= M; m++) {
        void *panels = NULL;
        for (int t = 0; t < 2; t++) {
            tsr_gemm g = by_rows(TSR_D_F32, TSR_D_F32, m, N, K, a, b, c[t]);
            g.panels = panels = t ? tsr_thin_pack(&g) : NULL;
            CHECK(u, tsr_gemm_run(&g) && !!panels == (t && m > 1));
        }
        CHECK(u, memcmp(c[0], c[1], (size_t)(m * N) * sizeof **c) == 0);
        tsr_free(panels);
    }
    for (size_t i = 0; i < 6; i++)
        CHECK(u, is_right(pairs[i].type, pairs[i].out, 8 - (int64_t)i, 530, 90, 2,
                          PANELS | (i & 1 ? EPILOGUE : 0)));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 5, 530, 90, 3, PANELS | EPILOGUE | NO_RESULT));
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 8, 1024, 90, 2, PANELS | SHARE_B | TRANSPOSE_A));
}

/* Rows that have zeros at their ends, as below a causal mask, with finite numbers and without. */
static void test_zeros(unit *u, int N)
{
    enum { M = 150, K = 500, MOST = 410 };
    static float a[K * M], b[K * MOST], c[M * MOST];
    for (int inf = 0; inf < 2; inf++) {
        for (int i = 0; i < K * N; i++)
            b[i] = (float)(i % 7) - 3;
        for (int k = 0; k < K; k++)
            for (int i = 0; i < M; i++)
                a[k * M + i] =
                    k < 3 * i || k > 4 * i + 20 || i % 50 == 9 ? -0.0f : (float)(1 + k % 5);
        if (inf)
            b[2 * N + 40] = b[(K - 1) * N + 60] = INFINITY;
        tsr_gemm g = {.type = TSR_D_F32,
                      .out_type = TSR_D_F32,
                      .m = M,
                      .n = N,
                      .k = K,
                      .batch = 1,
                      .a = a,
                      .b = b,
                      .c = c,
                      .a_m = 1,
                      .a_k = M,
                      .b_k = N,
                      .b_n = 1,
                      .c_m = N};
        bool ok = tsr_gemm_run(&g);
        for (int i = 0; ok && i < M * N; i++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[k * M + i / N] * b[k * N + i % N];
            ok = isnan(sum) ? isnan(c[i]) : sum == c[i];
        }
        CHECK(u, ok);
    }
}

/* The same bits for any number of threads and any size of the second-level cache, which blocks depend on. */
static void test_bits(unit *u, int N)
{
    enum { M = 190, K = 800, MOST = 420, WAYS = 6 };
    static float a[M * K], b[K * MOST], c[WAYS][M * MOST];
    static const int threads[WAYS] = {1, 2, 3, 7, 16, 0};
    for (int i = 0; i < M * K; i++)
        a[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)((double)(int64_t)next_random() * 0x1p-63);
    for (int t = 0; t < 2 * WAYS; t++) {
        float *now = c[t % WAYS];
        tsr_isa_assume_near_bytes(t < WAYS ? 0 : 2 << 20);
        tsr_pool_limit(threads[t % WAYS]);
        tsr_gemm g = by_rows(TSR_D_F32, TSR_D_F32, M, N, K, a, b, now);
        CHECK(u, tsr_gemm_run(&g) && memcmp(now, c[0], (size_t)(M * N) * sizeof *now) == 0);
    }
    tsr_isa_assume_near_bytes(-1);
    double most = 0;
    for (int i = 0; i < M * N; i += 7) {
        double sum = 0, size = 0;
        for (int k = 0; k < K; k++) {
            double p = (double)a[i / N * K + k] * b[k * N + i % N];
            sum += p;
            size += fabs(p);
        }
        double error = fabs(sum - c[0][i]) / (size * 0x1p-24);
        most = error > most ? error : most;
    }
    CHECK(u, most < 64); /* the bound is K */
}

/* Blocks for a large second-level cache: layouts, rests, epilogues, steps of the depth, a B whose rows displace each
 * other. */
static void test_large_cache(unit *u)
{
    static const int64_t sizes[][3] = {
        {50, 450, 390}, {61, 400, 90}, {330, 390, 20}, {50, 2048, 25}, {52, 385, 110}};
    static const int threads[] = {1, 7, 0};
    tsr_isa_assume_near_bytes(2 << 20);
    for (size_t s = 0; s < TSR_COUNT(sizes); s++)
        for (int i = 0; i < 4; i++) {
            tsr_dtype type = i == 2 ? TSR_D_F64 : TSR_D_F32, out = i == 3 ? TSR_D_BF16 : type;
            int how = (int)(next_random() % ALL) & ~(FILL_A | PANELS);
            tsr_pool_limit(threads[i % 3]);
            CHECK(u, is_right(type, out, sizes[s][0], sizes[s][1], sizes[s][2], 1 + i / 3, how));
        }
    tsr_pool_limit(7); /* several blocks of rows */
    test_zeros(u, 410);
    tsr_pool_limit(0);
    tsr_isa_assume_near_bytes(-1);
}

/* The same by a library, where there is one: sums of whole numbers are exact in any order. */
static void test_providers(unit *u)
{
    const char *reason = NULL, *before = tsr_gemm_name();
    if (!getenv("TESSERA_GEMM"))
        CHECK(u, strcmp(before, "own") == 0 && !tsr_gemm_complaint());
    CHECK(u, !tsr_gemm_use("abacus", &reason) && strstr(reason, "own and openblas"));
    CHECK(u, strcmp(tsr_gemm_name(), before) == 0);
    for (const char *const *name = tsr_gemm_names(); *name; name++)
        if (tsr_gemm_use(*name, &reason)) {
            CHECK(u, strcmp(tsr_gemm_name(), *name) == 0);
            test_sizes(u);
            test_blocks(u);
            test_panels(u);
            test_zeros(u, 70);
            CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 400, 600, 30, 2, EPILOGUE | NO_RESULT));
            CHECK(u, is_right(TSR_D_F64, TSR_D_F64, 400, 600, 30, 1, TRANSPOSE_A | TRANSPOSE_B));
            test_bits(u, 210);
        } else
            printf("skipped: products by %s: %s\n", *name, reason);
    tsr_gemm_use(before, NULL);
}

void test_product(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        test_sizes(u);
        test_blocks(u);
        test_fills(u);
        test_large_thin(u);
        test_panels(u);
        test_zeros(u, 70);
        test_bits(u, 210);
        test_bits(u, 420);
        test_large_cache(u);
        test_few_columns(u);
        for (int i = 0; i < 300; i++)
            CHECK(u, tiny_agrees(strcmp(*name, "baseline") != 0));
        if (strcmp(*name, "baseline") != 0) {
            test_order_f32(u);
            test_order_f64(u);
        }
        test_bytes(u);
        /* Few rows, and those of B far apart: the first tile copies them. */
        CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 40, 2100, 30, 1, EPILOGUE));
        /* Deep: a part of the depth after the other. */
        CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 50, 250, 4400, 1, EPILOGUE | TRANSPOSE_A));
    }
    tsr_isa_use(before, NULL);
    /* In two parts of the rows: B is packed for each. */
    CHECK(u, is_right(TSR_D_F32, TSR_D_F32, 600, 40, 20000, 1,
                      EPILOGUE | NO_RESULT | TRANSPOSE_B | FILL_A | FILL_B));
    test_providers(u);
}
