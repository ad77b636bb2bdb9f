/* SPDX-License-Identifier: Apache-2.0 */
/* linalg_real.c - linear algebra of real matrices: linalg.def for double, and the real Schur form. */
#include "eval/math/linalg.h"

#include <math.h>

#include "base/scope.h"

#define T double
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) ((void)(x), 0.0)
#define ABS1(x) fabs(x)
#define SQUARE(x) ((x) * (x))
#include "eval/math/linalg.def"

enum { CHUNK = 256 };

static void load_matrix(const tsr_tensor *t, int64_t first, int64_t m, int64_t n, void *out)
{
    double *a = out, row[CHUNK];
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j += CHUNK) {
            int64_t count = n - j < CHUNK ? n - j : CHUNK;
            tsr_to_doubles((tsr_dtype)t->dtype,
                           (const char *)t->data + (size_t)(first + i * n + j) * size, row, count);
            for (int64_t k = 0; k < count; k++)
                a[i + (j + k) * m] = row[k];
        }
}

/* ---- Schur form: QR iteration with two shifts at once ---- */

/* A 2 x 2 block becomes triangular, or gets equal diagonal elements and off-diagonal elements of opposite signs. */
typedef struct {
    double a, b, c, d, cs, sn;
} block;

static double sign(double size, double of)
{
    return copysign(fabs(size), of);
}

static void split_real(block *k, double p, double most, double least, double span, double z)
{
    z = p + sign(sqrt(span) * sqrt(z), p);
    k->a = k->d + z;
    k->d -= most / z * least;
    double size = hypot(k->c, z);
    k->cs = z / size;
    k->sn = k->c / size;
    k->b -= k->c;
    k->c = 0;
}

/* For equal or nearly equal eigenvalues, or a conjugate pair: makes the diagonal elements equal; if the eigenvalues are
 * real after all, splits the block. */
static void level(block *k, double p)
{
    double sigma = k->b + k->c, size = hypot(sigma, 2 * p);
    double cs = sqrt((1 + fabs(sigma) / size) / 2), sn = -(p / (size * cs)) * sign(1, sigma);
    double aa = k->a * cs + k->b * sn, bb = -k->a * sn + k->b * cs;
    double cc = k->c * cs + k->d * sn, dd = -k->c * sn + k->d * cs;
    double mean = ((aa * cs + cc * sn) + (-bb * sn + dd * cs)) / 2;
    *k = (block){mean, bb * cs + dd * sn, -aa * sn + cc * cs, mean, cs, sn};
    if (k->c == 0)
        return;
    if (k->b == 0) {
        *k = (block){mean, -k->c, 0, mean, -sn, cs};
    } else if ((k->b < 0) == (k->c < 0)) {
        double sb = sqrt(fabs(k->b)), sc = sqrt(fabs(k->c)), tau = 1 / sqrt(fabs(k->b + k->c));
        double half = sign(sb * sc, k->c);
        double c1 = sb * tau, s1 = sc * tau;
        *k =
            (block){mean + half, k->b - k->c, 0, mean - half, cs * c1 - sn * s1, cs * s1 + sn * c1};
    }
}

static void standardize(block *k)
{
    double p = (k->a - k->d) / 2;
    k->cs = 1;
    k->sn = 0;
    if (k->c == 0)
        return;
    if (k->b == 0) {
        *k = (block){k->d, -k->c, 0, k->a, 0, 1};
        return;
    }
    if (p == 0 && (k->b < 0) != (k->c < 0))
        return;
    double most = fmax(fabs(k->b), fabs(k->c));
    double least = fmin(fabs(k->b), fabs(k->c)) * sign(1, k->b) * sign(1, k->c);
    double span = fmax(fabs(p), most), z = p / span * p + most / span * least;
    if (z >= 8 * EPSILON)
        split_real(k, p, most, least, span, z);
    else
        level(k, p);
}

/* Replaces x and y, n numbers each with a stride of step, by c x + s y and c y - s x. */
static void rotate_lines(double *x, double *y, int64_t step, int64_t n, double c, double s)
{
    tsr_work(n);
    for (int64_t i = 0; i < n; i++, x += step, y += step) {
        double v = *x;
        *x = c * v + s * *y;
        *y = c * *y - s * v;
    }
}

typedef struct {
    double r1, i1, r2, i2;
} shifts;

static shifts choose_shifts(const double *h, int64_t n, int64_t first, int64_t last, int iterations)
{
    double a = H(last - 1, last - 1), b = H(last - 1, last), c = H(last, last - 1),
           d = H(last, last);
    if (iterations % 10 == 0 && iterations) { /* no convergence: try other shifts */
        bool top = iterations % 20 == 0;
        double s = top ? fabs(H(first + 1, first)) + fabs(H(first + 2, first + 1))
                       : fabs(H(last, last - 1)) + fabs(H(last - 1, last - 2));
        a = d = 0.75 * s + (top ? H(first, first) : H(last, last));
        b = -0.4375 * s;
        c = s;
    }
    double s = fabs(a) + fabs(b) + fabs(c) + fabs(d);
    if (s == 0)
        return (shifts){0, 0, 0, 0};
    a /= s;
    b /= s;
    c /= s;
    d /= s;
    double tr = (a + d) / 2, det = (a - tr) * (d - tr) - b * c, root = sqrt(fabs(det));
    if (det >= 0)
        return (shifts){tr * s, root * s, tr * s, -root * s};
    double one = tr + root, two = tr - root, best = fabs(one - d) <= fabs(two - d) ? one : two;
    return (shifts){best * s, 0, best * s, 0};
}

/* First row of the sweep, and its first vector. */
static int64_t sweep_start(const double *h, int64_t n, int64_t first, int64_t last, const shifts *t,
                           double *v)
{
    for (int64_t m = last - 2;; m--) {
        double s = fabs(H(m, m) - t->r2) + fabs(t->i2) + fabs(H(m + 1, m)), below = H(m + 1, m) / s;
        v[0] =
            below * H(m, m + 1) + (H(m, m) - t->r1) * ((H(m, m) - t->r2) / s) - t->i1 * (t->i2 / s);
        v[1] = below * (H(m, m) + H(m + 1, m + 1) - t->r1 - t->r2);
        v[2] = below * H(m + 2, m + 1);
        s = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
        for (int i = 0; i < 3 && s != 0; i++)
            v[i] /= s;
        if (m == first)
            return m;
        double around = fabs(H(m - 1, m - 1)) + fabs(H(m, m)) + fabs(H(m + 1, m + 1));
        if (fabs(H(m, m - 1)) * (fabs(v[1]) + fabs(v[2])) <= 2 * EPSILON * fabs(v[0]) * around)
            return m;
    }
}

/* Applies (1 - tau v v^T) from the right to columns from k on. */
static void reflect_right(double *a, int64_t n, int64_t rows, int64_t k, int64_t size,
                          const double *v, double tau)
{
    for (int64_t i = 0; i < rows; i++) {
        double sum = a[i + k * n];
        for (int64_t j = 1; j < size; j++)
            sum += v[j] * a[i + (k + j) * n];
        sum *= tau;
        a[i + k * n] -= sum;
        for (int64_t j = 1; j < size; j++)
            a[i + (k + j) * n] -= sum * v[j];
    }
}

static void sweep(double *h, double *q, int64_t n, int64_t first, int64_t last, const shifts *t)
{
    double v[3];
    int64_t m = sweep_start(h, n, first, last, t, v);
    for (int64_t k = m; k < last; k++) {
        int64_t size = last - k + 1 < 3 ? last - k + 1 : 3,
                end = k + 4 < last + 1 ? k + 4 : last + 1;
        if (k > m)
            memcpy(v, &H(k, k - 1), (size_t)size * sizeof *v);
        double tau = reflector(size, v, v + 1);
        if (k > m) {
            H(k, k - 1) = v[0];
            for (int64_t i = 1; i < size; i++)
                H(k + i, k - 1) = 0;
        } else if (m > first) {
            /* Not just a change of sign: the element below may have become zero. */
            H(k, k - 1) *= 1 - tau;
        }
        reflect_left(&H(k, k), n, size, n - k, v, tau);
        reflect_right(h, n, end, k, size, v, tau);
        reflect_right(q, n, n, k, size, v, tau);
    }
}

/* Finishes the 2 x 2 block at i - 1 and i. */
static void finish_pair(double *h, double *q, int64_t n, int64_t i, tsr_z *w)
{
    block k = {H(i - 1, i - 1), H(i - 1, i), H(i, i - 1), H(i, i), 1, 0};
    standardize(&k);
    H(i - 1, i - 1) = k.a;
    H(i - 1, i) = k.b;
    H(i, i - 1) = k.c;
    H(i, i) = k.d;
    double imag = k.c == 0 ? 0 : sqrt(fabs(k.b)) * sqrt(fabs(k.c));
    w[i - 1] = tsr_z_of(k.a, imag);
    w[i] = tsr_z_of(k.d, imag == 0 ? 0 : -imag);
    if (i + 1 < n)
        rotate_lines(&H(i - 1, i + 1), &H(i, i + 1), n, n - i - 1, k.cs, k.sn);
    rotate_lines(&H(0, i - 1), &H(0, i), 1, i - 1, k.cs, k.sn);
    rotate_lines(q + (i - 1) * n, q + i * n, 1, n, k.cs, k.sn);
}

static int64_t schur(void *matrix, void *vectors, int64_t n, tsr_z *w, void *work)
{
    double *h = matrix, *q = vectors;
    hessenberg(h, q, n, work);
    int64_t most = 30 * (n > 10 ? n : 10);
    for (int64_t last = n - 1; last >= 0;) {
        int64_t first = 0, iterations = 0;
        for (;; iterations++) {
            first = block_start(h, n, last);
            if (first > 0)
                H(first, first - 1) = 0;
            if (first >= last - 1)
                break;
            if (iterations > most)
                return last + 1;
            shifts t = choose_shifts(h, n, first, last, (int)iterations);
            sweep(h, q, n, first, last, &t);
        }
        if (first == last)
            w[last] = H(last, last);
        else
            finish_pair(h, q, n, last, w);
        last = first - 1;
    }
    return 0;
}

static tsr_z *widen(const double *from, int64_t count, tsr_z *out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = from[i];
    return out;
}

static int64_t geev(void *a, int64_t n, tsr_z *w, tsr_z *left, tsr_z *right, void *work)
{
    tsr_z *room = work, *vector = room + 3 * n * n;
    double *q = (double *)(room + 2 * n * n);
    int64_t failed = schur(a, q, n, w, vector);
    if (failed)
        return failed;
    const tsr_z *form = widen(a, n * n, room), *basis = widen(q, n * n, room + n * n);
    if (left)
        tsr_eigenvectors(form, basis, w, n, true, true, left, vector);
    if (right)
        tsr_eigenvectors(form, basis, w, n, false, true, right, vector);
    return 0;
}

bool tsr_vector_is_flipped(tsr_dtype d, const void *x, int64_t n, int64_t step)
{
    const float *narrow = x;
    const double *wide = x;
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double size = fabs(d == TSR_D_F32 ? (double)narrow[i * step] : wide[i * step]);
        most = size > most ? size : most;
    }
    for (int64_t i = 0; i < n; i++) {
        double v = d == TSR_D_F32 ? (double)narrow[i * step] : wide[i * step];
        if (fabs(v) > 0.3 * most)
            return v < 0;
    }
    return false;
}

const tsr_linalg tsr_linalg_real = {.size = sizeof(double),
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
