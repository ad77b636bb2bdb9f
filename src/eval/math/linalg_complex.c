/* SPDX-License-Identifier: Apache-2.0 */
/* linalg_complex.c - linear algebra of complex matrices: linalg.def for double complex, the Schur form, and
 * eigenvectors computed from it, for real and complex matrices. */
#include "eval/math/linalg.h"

#include <math.h>

#include "base/scope.h"

#define T tsr_z
#define CONJ(x) conj(x)
#define REAL(x) creal(x)
#define IMAG(x) cimag(x)
#define ABS1(x) size1(x)
#define SQUARE(x) square(x)

static double size1(tsr_z x)
{
    return fabs(creal(x)) + fabs(cimag(x));
}

static double square(tsr_z x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

#include "eval/math/linalg.def"

static void load_matrix(const tsr_tensor *t, int64_t first, int64_t m, int64_t n, void *out)
{
    tsr_z *a = out;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            tsr_complex v = tsr_get_complex(t, first + i * n + j);
            a[i + j * m] = tsr_z_of(v.re, v.im);
        }
}

/* ---- Schur form: QR iteration with one shift ---- */

/* The eigenvalue of the last 2 x 2 block that is closer to its last element. */
static tsr_z choose_shift(const tsr_z *h, int64_t n, int64_t first, int64_t last,
                          int64_t iterations)
{
    if (iterations && iterations % 20 == 0)
        return 0.75 * ABS1(H(first + 1, first)) + H(first, first);
    if (iterations && iterations % 10 == 0)
        return 0.75 * ABS1(H(last, last - 1)) + H(last, last);
    tsr_z t = H(last, last), u = csqrt(H(last - 1, last)) * csqrt(H(last, last - 1));
    if (ABS1(u) == 0)
        return t;
    tsr_z x = (H(last - 1, last - 1) - t) / 2;
    double s = fmax(ABS1(x), ABS1(u));
    tsr_z y = s * csqrt((x / s) * (x / s) + (u / s) * (u / s));
    if (creal(x) * creal(y) + cimag(x) * cimag(y) < 0)
        y = -y;
    return t - u * (u / (x + y));
}

/* Applies h from the right to columns k and k + 1. */
static void reflect_right(tsr_z *a, int64_t n, int64_t rows, int64_t k, tsr_z v, tsr_z tau)
{
    for (int64_t i = 0; i < rows; i++) {
        tsr_z sum = tau * (a[i + k * n] + v * a[i + (k + 1) * n]);
        a[i + k * n] -= sum;
        a[i + (k + 1) * n] -= sum * conj(v);
    }
}

static void sweep(tsr_z *h, tsr_z *q, int64_t n, int64_t first, int64_t last, tsr_z shift)
{
    for (int64_t k = first; k < last; k++) {
        tsr_z v[2] = {H(k, k) - shift, H(k + 1, k)};
        if (k > first)
            memcpy(v, &H(k, k - 1), sizeof v);
        tsr_z tau = reflector(2, v, v + 1);
        if (k > first) {
            H(k, k - 1) = v[0];
            H(k + 1, k - 1) = 0;
        }
        reflect_left(&H(k, k), n, 2, n - k, v, conj(tau));
        reflect_right(h, n, k + 3 < last + 1 ? k + 3 : last + 1, k, v[1], tau);
        reflect_right(q, n, n, k, v[1], tau);
    }
}

static int64_t schur(void *matrix, void *vectors, int64_t n, tsr_z *w, void *work)
{
    tsr_z *h = matrix, *q = vectors;
    hessenberg(h, q, n, work);
    int64_t most = 30 * (n > 10 ? n : 10);
    for (int64_t last = n - 1; last >= 0; last--) {
        for (int64_t iterations = 0;; iterations++) {
            int64_t first = block_start(h, n, last);
            if (first > 0)
                H(first, first - 1) = 0;
            if (first == last)
                break;
            if (iterations > most)
                return last + 1;
            sweep(h, q, n, first, last, choose_shift(h, n, first, last, iterations));
        }
        w[last] = H(last, last);
    }
    return 0;
}

/* ---- Eigenvectors ---- */

typedef struct {
    const tsr_z *t;
    int64_t n;
    tsr_z w;
    double least; /* replaces smaller divisors */
} triangle;

static tsr_z divisor(const triangle *a, tsr_z d)
{
    return ABS1(d) < a->least ? a->least : d;
}

/* Solves a x + b y = p, c x + d y = q. */
static void solve_pair(const triangle *k, tsr_z a, tsr_z b, tsr_z c, tsr_z d, tsr_z *p, tsr_z *q)
{
    double size = fmax(fmax(ABS1(a), ABS1(b)), fmax(ABS1(c), ABS1(d)));
    if (size < k->least)
        size = k->least;
    tsr_z det = a / size * d - b / size * c, x = (*p * (d / size) - b / size * *q),
          y = (a / size * *q - c / size * *p);
    if (ABS1(det) < k->least)
        det = k->least;
    *p = x / det;
    *q = y / det;
}

/* Vectors of nearly defective matrices grow without bound: long ones are scaled down. */
static void tame(tsr_z *x, int64_t n, tsr_z v)
{
    double size = ABS1(v);
    if (size > 0x1p300)
        scale(x, 1 / size, n);
}

static void unit_vector(tsr_z *x, int64_t n, int64_t k)
{
    memset(x, 0, (size_t)n * sizeof *x);
    x[k] = 1;
}

/* Solves (t - w) x = 0 with x[k] = 1 and zeros after it, from there upwards. pair: k is the first of a 2 x 2 block. */
static void solve_up(const triangle *a, int64_t k, bool pair, tsr_z *x)
{
    const tsr_z *h = a->t;
    int64_t n = a->n;
    double imag = cimag(a->w);
    unit_vector(x, n, k);
    if (pair && fabs(creal(H(k, k + 1))) >= fabs(creal(H(k + 1, k)))) {
        x[k + 1] = tsr_z_of(0, imag / creal(H(k, k + 1)));
    } else if (pair) {
        x[k] = -imag / creal(H(k + 1, k));
        x[k + 1] = tsr_z_of(0, 1);
    }
    axpy(-x[k], &H(0, k), x, k);
    if (pair)
        axpy(-x[k + 1], &H(0, k + 1), x, k);
    for (int64_t i = k - 1; i >= 0; i--) {
        if (i > 0 && H(i, i - 1) != 0) {
            solve_pair(a, H(i - 1, i - 1) - a->w, H(i - 1, i), H(i, i - 1), H(i, i) - a->w,
                       &x[i - 1], &x[i]);
            axpy(-x[i], &H(0, i), x, i - 1);
            i--;
        } else {
            x[i] /= divisor(a, H(i, i) - a->w);
        }
        axpy(-x[i], &H(0, i), x, i);
        tame(x, n, x[i]);
    }
}

/* Solves x^H (t - w) = 0 with zeros before x[k], from there downwards. */
static void solve_down(const triangle *a, int64_t k, bool pair, tsr_z *x)
{
    const tsr_z *h = a->t;
    int64_t n = a->n;
    double imag = cimag(a->w);
    unit_vector(x, n, k);
    if (pair && fabs(creal(H(k, k + 1))) >= fabs(creal(H(k + 1, k)))) {
        x[k] = imag / creal(H(k, k + 1));
        x[k + 1] = tsr_z_of(0, 1);
    } else if (pair) {
        x[k + 1] = tsr_z_of(0, -imag / creal(H(k + 1, k)));
    }
    for (int64_t i = k + (pair ? 2 : 1); i < n; i++) {
        x[i] = -dot(&H(k, i), x + k, i - k);
        if (i + 1 < n && H(i + 1, i) != 0) {
            x[i + 1] = -dot(&H(k, i + 1), x + k, i - k);
            solve_pair(a, conj(H(i, i) - a->w), conj(H(i + 1, i)), conj(H(i, i + 1)),
                       conj(H(i + 1, i + 1) - a->w), &x[i], &x[i + 1]);
            i++;
        } else {
            x[i] /= divisor(a, conj(H(i, i) - a->w));
        }
        tame(x, n, x[i]);
    }
}

/* Scales to norm one; the largest element becomes real, and positive unless its sign comes from a real matrix. */
static void normalize(tsr_z *x, int64_t n, bool real, bool make_real)
{
    double size = norm(x, n);
    for (int64_t i = 0; i < n; i++)
        x[i] /= size;
    if (!make_real)
        return;
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (square(x[i]) > square(x[best]))
            best = i;
    double r = cabs(x[best]);
    if (real)
        r = copysign(r, creal(x[best]));
    scale(x, conj(x[best]) / r, n);
    x[best] = creal(x[best]);
}

void tsr_eigenvectors(const tsr_z *t, const tsr_z *q, const tsr_z *w, int64_t n, bool left,
                      bool real, tsr_z *out, tsr_z *work)
{
    for (int64_t k = 0; k < n; k++) {
        triangle a = {t, n, w[k], fmax(2 * EPSILON * ABS1(w[k]), 0x1p-1022 * (double)n / EPSILON)};
        bool pair = k + 1 < n && t[k + 1 + k * n] != 0;
        tsr_z *x = out + k * n;
        if (left)
            solve_down(&a, k, pair, work);
        else
            solve_up(&a, k, pair, work);
        memset(x, 0, (size_t)n * sizeof *x);
        for (int64_t j = 0; j < n; j++)
            if (work[j] != 0)
                axpy(work[j], q + j * n, x, n);
        normalize(x, n, real, !real || pair);
        for (int64_t i = 0; pair && i < n; i++)
            x[n + i] = conj(x[i]);
        k += pair;
    }
}

static int64_t geev(void *a, int64_t n, tsr_z *w, tsr_z *left, tsr_z *right, void *work)
{
    tsr_z *q = work, *vector = q + n * n;
    int64_t failed = schur(a, q, n, w, vector);
    if (!failed && left)
        tsr_eigenvectors(a, q, w, n, true, false, left, vector);
    if (!failed && right)
        tsr_eigenvectors(a, q, w, n, false, false, right, vector);
    return failed;
}

const tsr_linalg tsr_linalg_complex = {.size = sizeof(tsr_z),
                                       .load = load_matrix,
                                       .store = store_matrix,
                                       .finite = all_finite,
                                       .potrf = potrf,
                                       .trsm = trsm,
                                       .getrf = getrf,
                                       .geqrf = geqrf,
                                       .geqp3 = geqp3,
                                       .orgqr = orgqr,
                                       .ormqr = ormqr,
                                       .gtsv = gtsv,
                                       .sytrd = sytrd,
                                       .syevd = syevd,
                                       .svd = svd,
                                       .gehrd = gehrd,
                                       .schur = schur,
                                       .geev = geev};
