/* gemm_single.c - matrix products in single precision, by tiles that stay in registers.
 *
 * Panels of both matrices are gathered into strips of floats: TILE_ROWS rows, TILE_COLS columns
 * side by side for each step along the sum. Each product and each sum is rounded, in the order of
 * the sum, whatever the width of the registers: vectors go across columns. So results are those of
 * three plain loops, to the bit. */
#include "eval/gemm.h"

#include <stdlib.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

enum { TILE_ROWS = 4, TILE_COLS = 16, ROWS = 512, COLS = 256, DEPTH = 256 };

/* ---- Gathering ---- */

static float bf16_at(const uint16_t *p)
{
    uint32_t bits = (uint32_t)*p << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* n elements in a row from one place on. */
static void read_line(const tsr_tensor *t, int64_t at, int64_t n, float *out)
{
    if (t->dtype == TSR_D_F32) {
        memcpy(out, (const float *)t->data + at, (size_t)n * sizeof *out);
    } else if (t->dtype == TSR_D_BF16) {
        const uint16_t *p = (const uint16_t *)t->data + at;
        for (int64_t i = 0; i < n; i++)
            out[i] = bf16_at(p + i);
    } else {
        double wide[DEPTH];
        tsr_to_doubles((tsr_dtype)t->dtype,
                       (const char *)t->data + (size_t)at * tsr_dtype_bytes((tsr_dtype)t->dtype),
                       wide, n);
        for (int64_t i = 0; i < n; i++)
            out[i] = (float)wide[i];
    }
}

static float read_one(const tsr_tensor *t, int64_t at)
{
    return t->dtype == TSR_D_F32    ? ((const float *)t->data)[at]
           : t->dtype == TSR_D_BF16 ? bf16_at((const uint16_t *)t->data + at)
                                    : (float)tsr_get_double(t, at);
}

/* Whether n offsets are one after the other, and of elements that are there. */
static bool in_line(const int64_t *offsets, int64_t n)
{
    if (offsets[0] < 0)
        return false;
    for (int64_t i = 1; i < n; i++)
        if (offsets[i] != offsets[0] + i)
            return false;
    return true;
}

/* Elements (outer[i], inner[j]), i below no and j below ni, to out[i / width][j][i % width]; what
 * is not there is 0. */
static void pack(const tsr_tensor *t, const int64_t *outer, int64_t no, const int64_t *inner,
                 int64_t ni, int64_t width, float *out)
{
    float line[DEPTH];
    bool along = in_line(inner, ni), across = in_line(outer, no);
    int64_t last = (no + width - 1) / width * width;
    if (last > no)
        memset(out + (last - width) * ni, 0, (size_t)(width * ni) * sizeof *out);
    if (across && !along) {
        for (int64_t j = 0; j < ni; j++) {
            float *o = out + j * width;
            if (inner[j] < 0)
                memset(line, 0, (size_t)no * sizeof *line);
            else
                read_line(t, outer[0] + inner[j], no, line);
            for (int64_t i = 0; i < no; i += width, o += width * ni)
                memcpy(o, line + i, (size_t)(no - i < width ? no - i : width) * sizeof *o);
        }
        return;
    }
    for (int64_t i = 0; i < no; i++) {
        float *o = out + i / width * width * ni + i % width;
        if (outer[i] < 0) {
            for (int64_t j = 0; j < ni; j++)
                o[j * width] = 0;
        } else if (along) {
            read_line(t, outer[i] + inner[0], ni, line);
            for (int64_t j = 0; j < ni; j++)
                o[j * width] = line[j];
        } else {
            for (int64_t j = 0; j < ni; j++)
                o[j * width] = inner[j] < 0 ? 0 : read_one(t, outer[i] + inner[j]);
        }
    }
}

/* ---- Tiles ---- */

#ifdef TSR_VECTOR
typedef float lanes TSR_VECTOR(32);

TSR_ALWAYS_INLINE void load(lanes *v, const float *p)
{
    memcpy(v, p, sizeof *v);
}

/* sum[i][j] += a[p][i] * b[p][j] for all p, in order. */
TSR_ALWAYS_INLINE void tile(const float *a, const float *b, float *sum, int64_t k)
{
    lanes r0, r1, r2, r3, r4, r5, r6, r7, left, right;
    load(&r0, sum), load(&r1, sum + 8);
    load(&r2, sum + COLS), load(&r3, sum + COLS + 8);
    load(&r4, sum + 2 * COLS), load(&r5, sum + 2 * COLS + 8);
    load(&r6, sum + 3 * COLS), load(&r7, sum + 3 * COLS + 8);
    for (int64_t p = 0; p < k; p++, a += TILE_ROWS, b += TILE_COLS) {
        load(&left, b);
        load(&right, b + 8);
        r0 += a[0] * left;
        r1 += a[0] * right;
        r2 += a[1] * left;
        r3 += a[1] * right;
        r4 += a[2] * left;
        r5 += a[2] * right;
        r6 += a[3] * left;
        r7 += a[3] * right;
    }
    memcpy(sum, &r0, sizeof r0), memcpy(sum + 8, &r1, sizeof r1);
    memcpy(sum + COLS, &r2, sizeof r2), memcpy(sum + COLS + 8, &r3, sizeof r3);
    memcpy(sum + 2 * COLS, &r4, sizeof r4), memcpy(sum + 2 * COLS + 8, &r5, sizeof r5);
    memcpy(sum + 3 * COLS, &r6, sizeof r6), memcpy(sum + 3 * COLS + 8, &r7, sizeof r7);
}
#else
TSR_ALWAYS_INLINE void tile(const float *a, const float *b, float *sum, int64_t k)
{
    for (int64_t p = 0; p < k; p++, a += TILE_ROWS, b += TILE_COLS)
        for (int i = 0; i < TILE_ROWS; i++)
            for (int j = 0; j < TILE_COLS; j++) {
                float x = a[i] * b[j];
                sum[i * COLS + j] += x;
            }
}
#endif

TSR_ALWAYS_INLINE void all_tiles(const float *a, const float *b, float *sum, int64_t m, int64_t n,
                                 int64_t k)
{
    for (int64_t j = 0; j < n; j += TILE_COLS)
        for (int64_t i = 0; i < m; i += TILE_ROWS)
            tile(a + i * k, b + j * k, sum + i * COLS + j, k);
}

static void multiply(const float *a, const float *b, float *sum, int64_t m, int64_t n, int64_t k)
{
    all_tiles(a, b, sum, m, n, k);
}

#ifdef TSR_AVX2
TSR_AVX2 static void multiply_wide(const float *a, const float *b, float *sum, int64_t m, int64_t n,
                                   int64_t k)
{
    all_tiles(a, b, sum, m, n, k);
}
#else
#define multiply_wide multiply
#endif

/* ---- Blocks ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t rounded(int64_t n, int64_t by)
{
    return (n + by - 1) / by * by;
}

static void store(const tsr_target *out, const float *sum, int64_t r0, int64_t nr, int64_t c0,
                  int64_t nc)
{
    bool line = in_line(out->col + c0, nc);
    for (int64_t i = 0; i < nr; i++) {
        float *to = (float *)out->t->data + out->row[r0 + i];
        if (line)
            memcpy(to + out->col[c0], sum + i * COLS, (size_t)nc * sizeof *to);
        for (int64_t j = 0; !line && j < nc; j++)
            to[out->col[c0 + j]] = sum[i * COLS + j];
    }
}

bool tsr_gemm_single(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out)
{
    int64_t m = rounded(least(a->nrow, ROWS), TILE_ROWS), depth = least(a->ncol, DEPTH);
    int64_t cols = rounded(least(b->ncol, COLS), TILE_COLS);
    float *mem = malloc((size_t)(m * depth + depth * cols + m * COLS + 1) * sizeof *mem);
    if (!mem)
        return tsr_fail_memory(c, "panels");
    float *pa = mem, *pb = pa + m * depth, *sum = pb + depth * cols;
    bool wide = tsr_has_avx2();
    for (int64_t r0 = 0; r0 < a->nrow; r0 += ROWS)
        for (int64_t c0 = 0; c0 < b->ncol; c0 += COLS) {
            int64_t nr = least(ROWS, a->nrow - r0), nc = least(COLS, b->ncol - c0);
            memset(sum, 0, (size_t)(rounded(nr, TILE_ROWS) * COLS) * sizeof *sum);
            for (int64_t k0 = 0; k0 < a->ncol; k0 += DEPTH) {
                int64_t nk = least(DEPTH, a->ncol - k0);
                /* One panel of a serves all columns when it is all of the sum. */
                if (a->ncol > DEPTH || !c0)
                    for (int64_t i = 0; i < nr; i += DEPTH)
                        pack(a->t, a->row + r0 + i, least(DEPTH, nr - i), a->col + k0, nk,
                             TILE_ROWS, pa + i * nk);
                pack(b->t, b->col + c0, nc, b->row + k0, nk, TILE_COLS, pb);
                (wide ? multiply_wide : multiply)(pa, pb, sum, rounded(nr, TILE_ROWS),
                                                  rounded(nc, TILE_COLS), nk);
            }
            store(out, sum, r0, nr, c0, nc);
        }
    free(mem);
    return true;
}
