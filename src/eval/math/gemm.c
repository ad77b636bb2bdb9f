/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.c - blocked matrix products: panels of both matrices are gathered into contiguous memory, so that the inner loop
 * reads them in order whatever the layout of the tensors is. Real floats use the tiles of gemm_real.c; this file has
 * complex numbers, integers, and the order of blocks. */
#include "eval/math/gemm_real.h"

#include <stdlib.h>

#include "base/round.h"
#include "base/scope.h"

enum { ROWS = 64, COLS = 256, DEPTH = 256 };

typedef struct {
    double *a, *b, *sum; /* complex: all real parts, then all imaginary parts */
    int64_t *ia, *ib, *isum;
} panels;

static void gather_complex(const tsr_matrix *m, int64_t r0, int64_t nr, int64_t c0, int64_t nc,
                           double *re, double *im)
{
    for (int64_t i = 0; i < nr; i++)
        for (int64_t j = 0; j < nc; j++) {
            int64_t row = m->row[r0 + i], col = m->col[c0 + j];
            tsr_complex v =
                row < 0 || col < 0 ? (tsr_complex){0, 0} : tsr_get_complex(m->t, row + col);
            re[i * nc + j] = v.re;
            im[i * nc + j] = v.im;
        }
}

/* Complex numbers: the product is rounded before the sum. single: rounded to f32 at each step. */
static void multiply_complex(const double *a, const double *a_im, const double *b,
                             const double *b_im, double *sum, double *sum_im, int64_t m, int64_t n,
                             int64_t k, bool single)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < n; j++) {
                double ar = a[i * k + p], ai = a_im[i * k + p], br = b[p * n + j],
                       bi = b_im[p * n + j];
                double *sr = &sum[i * n + j], *si = &sum_im[i * n + j];
                if (single) {
                    float re = (float)ar * (float)br, re2 = (float)ai * (float)bi;
                    float im = (float)ar * (float)bi, im2 = (float)ai * (float)br;
                    float pr = re - re2, pi = im + im2;
                    *sr = (float)*sr + pr;
                    *si = (float)*si + pi;
                } else {
                    *sr += ar * br - ai * bi;
                    *si += ar * bi + ai * br;
                }
            }
}

/* ---- Integers ---- */

static void gather_ints(const tsr_matrix *m, int64_t r0, int64_t nr, int64_t c0, int64_t nc,
                        int64_t *out)
{
    for (int64_t i = 0; i < nr; i++)
        for (int64_t j = 0; j < nc; j++) {
            int64_t row = m->row[r0 + i], col = m->col[c0 + j];
            out[i * nc + j] = row < 0 || col < 0 ? 0 : tsr_get_int(m->t, row + col) - m->zero_point;
        }
}

static void multiply_ints(const int64_t *restrict a, const int64_t *restrict b,
                          int64_t *restrict sum, int64_t m, int64_t n, int64_t k)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++) {
            uint64_t x = (uint64_t)a[i * k + p];
            for (int64_t j = 0; j < n; j++)
                sum[i * n + j] = (int64_t)((uint64_t)sum[i * n + j] + x * (uint64_t)b[p * n + j]);
        }
}

/* ---- Blocks ---- */

static void store(const tsr_target *out, const panels *p, int64_t r0, int64_t nr, int64_t c0,
                  int64_t nc)
{
    for (int64_t i = 0; i < nr; i++)
        for (int64_t j = 0; j < nc; j++) {
            int64_t at = out->row[r0 + i] + out->col[c0 + j], k = i * nc + j;
            if (p->isum)
                tsr_set_sum(out->t, at, p->isum[k]);
            else
                tsr_set_complex(out->t, at, (tsr_complex){p->sum[k], p->sum[ROWS * COLS + k]});
        }
}

static void add_block(const tsr_matrix *a, const tsr_matrix *b, panels *p, int64_t r0, int64_t nr,
                      int64_t c0, int64_t nc, int64_t k0, int64_t nk, bool single)
{
    if (p->isum) {
        gather_ints(a, r0, nr, k0, nk, p->ia);
        gather_ints(b, k0, nk, c0, nc, p->ib);
        multiply_ints(p->ia, p->ib, p->isum, nr, nc, nk);
        return;
    }
    double *a_im = p->a + ROWS * DEPTH, *b_im = p->b + DEPTH * COLS, *sum_im = p->sum + ROWS * COLS;
    gather_complex(a, r0, nr, k0, nk, p->a, a_im);
    gather_complex(b, k0, nk, c0, nc, p->b, b_im);
    multiply_complex(p->a, a_im, p->b, b_im, p->sum, sum_im, nr, nc, nk, single);
}

int64_t *tsr_ramp(int64_t n, int64_t step)
{
    int64_t *p = tsr_malloc((size_t)(n ? n : 1) * sizeof *p);
    for (int64_t i = 0; p && i < n; i++)
        p[i] = i * step;
    return p;
}

bool tsr_gemm(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out)
{
    bool ints =
        tsr_dtype_is_int((tsr_dtype)a->t->dtype) && tsr_dtype_is_int((tsr_dtype)b->t->dtype);
    bool complex = tsr_dtype_is_complex((tsr_dtype)a->t->dtype) ||
                   tsr_dtype_is_complex((tsr_dtype)b->t->dtype);
    if (!ints && !complex)
        return tsr_gemm_real(c, a, b, out);
    double *mem = tsr_malloc(2 * sizeof *mem * (size_t)(ROWS * DEPTH + DEPTH * COLS + ROWS * COLS));
    if (!mem)
        return tsr_fail_memory(c, "panels");
    panels p = {
        .a = mem, .b = mem + 2 * ROWS * DEPTH, .sum = mem + 2 * (ROWS * DEPTH + DEPTH * COLS)};
    if (ints) {
        p.ia = (int64_t *)p.a;
        p.ib = (int64_t *)p.b;
        p.isum = (int64_t *)p.sum;
    }
    for (int64_t c0 = 0; c0 < b->ncol; c0 += COLS)
        for (int64_t r0 = 0; r0 < a->nrow; r0 += ROWS) {
            int64_t nr = tsr_min(ROWS, a->nrow - r0), nc = tsr_min(COLS, b->ncol - c0);
            memset(p.sum, 0, 2 * sizeof *p.sum * ROWS * COLS);
            for (int64_t k0 = 0; k0 < a->ncol; k0 += DEPTH) {
                int64_t nk = tsr_min(DEPTH, a->ncol - k0);
                tsr_work(nr * nc * nk);
                add_block(a, b, &p, r0, nr, c0, nc, k0, nk, out->t->dtype == TSR_D_C64);
            }
            store(out, &p, r0, nr, c0, nc);
        }
    tsr_free(mem);
    return true;
}
