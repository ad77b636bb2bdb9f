/* gemm.c - blocked: panels of both matrices are gathered into contiguous doubles (or int64), so that the inner loop runs
 * over memory in order whatever the layout of the tensors is. */
#include "eval/gemm.h"

#include <stdlib.h>

enum { ROWS = 64, COLS = 256, DEPTH = 256 };

typedef struct {
    double *a, *b, *sum;    /* floats; complex: pairs, re then im planes */
    int64_t *ia, *ib, *isum;
} panels;

/* ---- Floats ---- */

static void gather_doubles(const tsr_matrix *m, int64_t r0, int64_t nr, int64_t c0, int64_t nc, double *out, int part)
{
    const tsr_tensor *t = m->t;
    for (int64_t i = 0; i < nr; i++) {
        int64_t row = m->row[r0 + i];
        double *o = out + i * nc;
        if (row < 0) {
            memset(o, 0, (size_t)nc * sizeof *o);
            continue;
        }
        const int64_t *col = m->col + c0;
        if (t->dtype == TSR_D_F32) {
            const float *p = (const float *)t->data + row;
            for (int64_t j = 0; j < nc; j++)
                o[j] = col[j] < 0 ? 0 : p[col[j]];
        } else if (t->dtype == TSR_D_F64) {
            const double *p = (const double *)t->data + row;
            for (int64_t j = 0; j < nc; j++)
                o[j] = col[j] < 0 ? 0 : p[col[j]];
        } else if (t->dtype == TSR_D_BF16) {
            const uint16_t *p = (const uint16_t *)t->data + row;
            for (int64_t j = 0; j < nc; j++) {
                uint32_t bits = col[j] < 0 ? 0 : (uint32_t)p[col[j]] << 16;
                float f;
                memcpy(&f, &bits, sizeof f);
                o[j] = f;
            }
        } else if (tsr_dtype_is_complex((tsr_dtype)t->dtype)) {
            for (int64_t j = 0; j < nc; j++) {
                tsr_complex v = col[j] < 0 ? (tsr_complex){0, 0} : tsr_get_complex(t, row + col[j]);
                o[j] = part ? v.im : v.re;
            }
        } else {
            for (int64_t j = 0; j < nc; j++)
                o[j] = col[j] < 0 ? 0 : tsr_get_double(t, row + col[j]);
        }
    }
}

/* sum[i][j] += a[i][k] * b[k][j] */
static void multiply(const double *restrict a, const double *restrict b, double *restrict sum, int64_t m, int64_t n, int64_t k)
{
    for (int64_t i = 0; i < m; i++) {
        double *restrict s = sum + i * n;
        for (int64_t p = 0; p < k; p++) {
            double x = a[i * k + p];
            const double *restrict row = b + p * n;
            for (int64_t j = 0; j < n; j++)
                s[j] += x * row[j];
        }
    }
}

/* Complex numbers: the product first, then the sum. single: rounded to f32 at each step. */
static void multiply_complex(const double *a, const double *a_im, const double *b, const double *b_im, double *sum, double *sum_im,
                             int64_t m, int64_t n, int64_t k, bool single)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < n; j++) {
                double ar = a[i * k + p], ai = a_im[i * k + p], br = b[p * n + j], bi = b_im[p * n + j];
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

static void gather_ints(const tsr_matrix *m, int64_t r0, int64_t nr, int64_t c0, int64_t nc, int64_t *out)
{
    for (int64_t i = 0; i < nr; i++)
        for (int64_t j = 0; j < nc; j++) {
            int64_t row = m->row[r0 + i], col = m->col[c0 + j];
            out[i * nc + j] = row < 0 || col < 0 ? 0 : tsr_get_int(m->t, row + col) - m->zero_point;
        }
}

static void multiply_ints(const int64_t *restrict a, const int64_t *restrict b, int64_t *restrict sum, int64_t m, int64_t n, int64_t k)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++) {
            uint64_t x = (uint64_t)a[i * k + p];
            for (int64_t j = 0; j < n; j++)
                sum[i * n + j] = (int64_t)((uint64_t)sum[i * n + j] + x * (uint64_t)b[p * n + j]);
        }
}

/* ---- Blocks ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void store(const tsr_target *out, const panels *p, int64_t r0, int64_t nr, int64_t c0, int64_t nc)
{
    tsr_tensor *t = out->t;
    bool complex = tsr_dtype_is_complex((tsr_dtype)t->dtype);
    for (int64_t i = 0; i < nr; i++)
        for (int64_t j = 0; j < nc; j++) {
            int64_t at = out->row[r0 + i] + out->col[c0 + j], k = i * nc + j;
            if (p->isum)
                tsr_set_int(t, at, p->isum[k]);
            else if (complex)
                tsr_set_complex(t, at, (tsr_complex){p->sum[k], p->sum[ROWS * COLS + k]});
            else if (t->dtype == TSR_D_F32)
                ((float *)t->data)[at] = (float)p->sum[k];
            else
                tsr_set_double(t, at, p->sum[k]);
        }
}

static void add_block(const tsr_matrix *a, const tsr_matrix *b, panels *p, int64_t r0, int64_t nr, int64_t c0, int64_t nc,
                      int64_t k0, int64_t nk, bool complex, bool single)
{
    if (p->isum) {
        gather_ints(a, r0, nr, k0, nk, p->ia);
        gather_ints(b, k0, nk, c0, nc, p->ib);
        multiply_ints(p->ia, p->ib, p->isum, nr, nc, nk);
        return;
    }
    double *a_im = p->a + ROWS * DEPTH, *b_im = p->b + DEPTH * COLS, *sum_im = p->sum + ROWS * COLS;
    gather_doubles(a, r0, nr, k0, nk, p->a, 0);
    gather_doubles(b, k0, nk, c0, nc, p->b, 0);
    if (!complex) {
        multiply(p->a, p->b, p->sum, nr, nc, nk);
    } else {
        gather_doubles(a, r0, nr, k0, nk, a_im, 1);
        gather_doubles(b, k0, nk, c0, nc, b_im, 1);
        multiply_complex(p->a, a_im, p->b, b_im, p->sum, sum_im, nr, nc, nk, single);
    }
}

bool tsr_gemm(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out)
{
    bool ints = tsr_dtype_is_int((tsr_dtype)a->t->dtype) && tsr_dtype_is_int((tsr_dtype)b->t->dtype);
    bool complex = tsr_dtype_is_complex((tsr_dtype)a->t->dtype) || tsr_dtype_is_complex((tsr_dtype)b->t->dtype);
    bool single = out->t->dtype == TSR_D_F32 || out->t->dtype == TSR_D_C64;
    if (!ints && !complex && single)
        return tsr_gemm_single(c, a, b, out);
    size_t planes = complex ? 2 : 1;
    double *mem = malloc(planes * 8 * (size_t)(ROWS * DEPTH + DEPTH * COLS + ROWS * COLS));
    if (!mem)
        return tsr_fail_memory(c, "panels");
    panels p = {.a = mem, .b = mem + planes * ROWS * DEPTH, .sum = mem + planes * (ROWS * DEPTH + DEPTH * COLS)};
    if (ints) {
        p.ia = (int64_t *)p.a;
        p.ib = (int64_t *)p.b;
        p.isum = (int64_t *)p.sum;
    }
    for (int64_t c0 = 0; c0 < b->ncol; c0 += COLS)
        for (int64_t r0 = 0; r0 < a->nrow; r0 += ROWS) {
            int64_t nr = least(ROWS, a->nrow - r0), nc = least(COLS, b->ncol - c0);
            memset(p.sum, 0, planes * 8 * ROWS * COLS);
            for (int64_t k0 = 0; k0 < a->ncol; k0 += DEPTH)
                add_block(a, b, &p, r0, nr, c0, nc, k0, least(DEPTH, a->ncol - k0), complex, single);
            store(out, &p, r0, nr, c0, nc);
        }
    free(mem);
    return true;
}
