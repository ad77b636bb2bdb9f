/* SPDX-License-Identifier: Apache-2.0 */
/* spectrum.c - eigenvalues of symmetric matrices and singular values, for real numbers. See linalg.h.
 *
 * Reflectors (isa/linalg.c) reduce the matrix to tridiagonal or bidiagonal form; matrix products compute their product.
 * The result is diagonalized by implicit QR steps with shifts, in double. The rotations of a step are applied to all
 * vectors at once: vectors are stored as rows, and each thread processes some of the columns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "base/threads.h"
#include "eval/math/linalg.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/linalg.h"

static const tsr_leaves *leaves_of(tsr_dtype d)
{
    return &tsr_isa_now()->leaves[d == TSR_D_F64];
}

/* Relative size of a negligible number: d and e were computed in this type. */
static double epsilon_of(tsr_dtype d)
{
    return d == TSR_D_F32 ? 0x1p-27 : 0x1p-53;
}

/* ---- Rotations ---- */

/* Vectors as rows, ld apart, and the rotations of a step, applied to rows first, first + 1, ... */
typedef struct {
    tsr_dtype type;
    char *rows; /* NULL: none */
    int64_t ld;
    double *c, *s;
    int64_t first, count;
} vectors;

enum { SOME = 256 };

static void rotate_chunk(void *ctx, int64_t chunk, int worker)
{
    const vectors *x = ctx;
    int64_t col = chunk * SOME, size = tsr_dtype_bytes(x->type);
    leaves_of(x->type)->rotate(x->rows + (x->first * x->ld + col) * size, x->ld, x->count,
                               x->c + x->first, x->s + x->first,
                               x->ld - col < SOME ? x->ld - col : SOME);
    (void)worker;
}

static void rotate(vectors *x, int64_t first, int64_t count)
{
    x->first = first;
    x->count = count;
    if (x->rows)
        tsr_pool_for((x->ld + SOME - 1) / SOME, rotate_chunk, x);
    tsr_poll();
}

/* Computes c and s such that c f + s g = r and c g - s f = 0; returns r. */
static inline double rotation(double f, double g, double *c, double *s)
{
    double square = f * f + g * g;
    /* Steps wait for this result: one division only. */
    bool plain = square > 0x1p-960 && square < 0x1p960;
    double r = plain ? sqrt(square) : hypot(f, g), by = 1 / r;
    *c = plain ? f * by : r == 0 ? 1 : f / r;
    *s = plain ? g * by : r == 0 ? 0 : g / r;
    return r;
}

/* ---- Tridiagonal matrices ---- */

static void tridiagonal_step(double *d, double *e, int64_t first, int64_t last, vectors *z)
{
    double half = (d[last - 1] - d[last]) / 2, beside = e[last - 1];
    double shift = d[last] - beside * (beside / (half + copysign(hypot(half, beside), half)));
    double x = d[first] - shift, below = e[first];
    for (int64_t i = first; i < last; i++) {
        double c, s, r = rotation(x, below, &c, &s), a = d[i], b = d[i + 1], off = e[i];
        if (i > first)
            e[i - 1] = r;
        /* Amount that moves from one diagonal element to the other. */
        double p = s * (2 * c * off + s * (b - a));
        d[i] = a + p;
        d[i + 1] = b - p;
        e[i] = c * s * (b - a) + (c - s) * (c + s) * off;
        x = e[i];
        if (i + 1 < last) {
            below = s * e[i + 1];
            e[i + 1] *= c;
        }
        z->c[i] = c;
        z->s[i] = s;
    }
    rotate(z, first, last - first);
}

/* Whether e is not negligible beside its two neighbours in d. Squares are compared, unless they overflow or
 * underflow. */
static bool counts(double e, double a, double b, double eps)
{
    double product = fabs(a * b);
    bool more = product > 0x1p-800 ? e * e > eps * eps * product
                                   : fabs(e) > eps * sqrt(fabs(a)) * sqrt(fabs(b));
    return more && fabs(e) > DBL_MIN;
}

/* d becomes the eigenvalues, in any order. Returns the number of e that are not negligible. */
static int64_t tridiagonal_eigen(double *d, double *e, int64_t n, vectors *z)
{
    const double eps = epsilon_of(z->type);
    int64_t iterations = 30 * n;
    for (int64_t last = n - 1; last > 0;) {
        int64_t first = last;
        while (first > 0 && counts(e[first - 1], d[first - 1], d[first], eps))
            first--;
        if (first > 0)
            e[first - 1] = 0;
        if (first == last) {
            last--;
            continue;
        }
        if (iterations-- <= 0)
            return last + 1;
        tridiagonal_step(d, e, first, last, z);
    }
    return 0;
}

/* ---- Bidiagonal matrices: diagonal d, superdiagonal e ---- */

/* The shift: the eigenvalue of the last 2 x 2 block of B^T B that is closer to its last element. */
static double bidiagonal_shift(const double *d, const double *e, int64_t first, int64_t last)
{
    double a = d[last - 1], b = d[last], x = e[last - 1], y = last - 1 > first ? e[last - 2] : 0;
    double tall = a * a + y * y, low = b * b + x * x, off = a * x, half = (tall - low) / 2;
    double size = half + copysign(hypot(half, off), half);
    return size == 0 ? low : low - off * (off / size);
}

static void bidiagonal_step(double *d, double *e, int64_t first, int64_t last, vectors *u,
                            vectors *v)
{
    double shift = bidiagonal_shift(d, e, first, last);
    double f = d[first] == 0 ? 0 : d[first] - shift / d[first], g = e[first];
    for (int64_t i = first; i < last; i++) {
        double c, s, r = rotation(f, g, &c, &s);
        if (i > first)
            e[i - 1] = r;
        f = c * d[i] + s * e[i];
        e[i] = c * e[i] - s * d[i];
        g = s * d[i + 1];
        d[i + 1] *= c;
        v->c[i] = c;
        v->s[i] = s;
        d[i] = rotation(f, g, &c, &s);
        f = c * e[i] + s * d[i + 1];
        d[i + 1] = c * d[i + 1] - s * e[i];
        if (i + 1 < last) {
            g = s * e[i + 1];
            e[i + 1] *= c;
        }
        u->c[i] = c;
        u->s[i] = s;
    }
    e[last - 1] = f;
    rotate(v, first, last - first);
    rotate(u, first, last - first);
}

/* d[at] is negligible: rotations with the rows after it, up to last, eliminate e[at]. */
static void drop_row(double *d, double *e, int64_t at, int64_t last, vectors *u)
{
    double g = e[at], c, s;
    e[at] = 0;
    for (int64_t i = at + 1; i <= last && g != 0; i++) {
        d[i] = rotation(d[i], g, &c, &s);
        g = i < last ? -s * e[i] : 0;
        e[i] *= i < last ? c : 1;
        if (u->rows)
            leaves_of(u->type)->rotate(u->rows + i * u->ld * (int64_t)tsr_dtype_bytes(u->type),
                                       (at - i) * u->ld, 1, &c, &s, u->ld);
    }
}

/* d becomes the singular values, with signs and in any order. False: no convergence. */
static bool bidiagonal_svd(double *d, double *e, int64_t n, vectors *u, vectors *v)
{
    const double eps = epsilon_of(u->type);
    double most = 0;
    int64_t iterations = 30 * n;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(d[i]) + (i + 1 < n ? fabs(e[i]) : 0));
    for (int64_t last = n - 1; last > 0;) {
        int64_t first = last;
        for (; first > 0 && fabs(e[first - 1]) > eps * (fabs(d[first - 1]) + fabs(d[first])) &&
               fabs(e[first - 1]) > DBL_MIN;
             first--)
            if (fabs(d[first - 1]) <= eps * most) {
                d[first - 1] = 0;
                drop_row(d, e, first - 1, last, u);
                break;
            }
        if (first > 0)
            e[first - 1] = 0;
        if (first == last) {
            last--;
            continue;
        }
        if (iterations-- <= 0)
            return false;
        bidiagonal_step(d, e, first, last, u, v);
    }
    return true;
}

/* ---- Whole matrices ---- */

/* The largest magnitude; infinite if a number is NaN. */
#define LARGEST(T, ABS)                                  \
    static double largest_##T(const T *x, int64_t n)     \
    {                                                    \
        T most = 0;                                      \
        int others = 0;                                  \
        for (int64_t i = 0; i < n; i++) {                \
            T size = ABS(x[i]);                          \
            most = size > most ? size : most;            \
            others |= !(size <= (T)INFINITY);            \
        }                                                \
        return others ? (double)INFINITY : (double)most; \
    }
LARGEST(float, fabsf)
LARGEST(double, fabs)

/* Scales the numbers by a power of two, so that the largest is near one. False: a number is not finite. */
static bool scale(tsr_dtype type, char *a, int64_t count, int *exponent)
{
    double most =
        type == TSR_D_F32 ? largest_float((float *)a, count) : largest_double((double *)a, count);
    if (isinf(most))
        return false;
    *exponent = 0;
    if (most == 0 || (most > 0x1p-8 && most < 0x1p8))
        return true;
    frexp(most, exponent);
    for (int64_t i = 0; i < count; i++)
        if (type == TSR_D_F32)
            ((float *)a)[i] = (float)ldexp((double)((float *)a)[i], -*exponent);
        else
            ((double *)a)[i] = ldexp(((double *)a)[i], -*exponent);
    return true;
}

static void swap_rows(const vectors *x, int64_t i, int64_t k)
{
    if (!x->rows)
        return;
    int64_t bytes = x->ld * (int64_t)tsr_dtype_bytes(x->type);
    char some[256], *a = x->rows + i * bytes, *b = x->rows + k * bytes;
    for (int64_t at = 0; at < bytes; at += (int64_t)sizeof some) {
        size_t now =
            (size_t)(bytes - at < (int64_t)sizeof some ? bytes - at : (int64_t)sizeof some);
        memcpy(some, a + at, now);
        memcpy(a + at, b + at, now);
        memcpy(b + at, some, now);
    }
}

/* Sorts d, and the vectors with it. v may be NULL. */
static void sort(double *d, int64_t n, bool descending, const vectors *u, const vectors *v)
{
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t best = i;
        for (int64_t k = i + 1; k < n; k++)
            best = (descending ? d[k] > d[best] : d[k] < d[best]) ? k : best;
        if (best == i)
            continue;
        double swap = d[i];
        d[i] = d[best];
        d[best] = swap;
        swap_rows(u, i, best);
        if (v)
            swap_rows(v, i, best);
    }
}

static void flip(const vectors *x, int64_t row)
{
    for (int64_t i = row * x->ld; x->rows && i < (row + 1) * x->ld; i++)
        if (x->type == TSR_D_F32)
            ((float *)x->rows)[i] = -((float *)x->rows)[i];
        else
            ((double *)x->rows)[i] = -((double *)x->rows)[i];
}

static bool is_flipped(const vectors *x, int64_t row)
{
    return x->rows &&
           tsr_vector_is_flipped(x->type, x->rows + row * x->ld * (int64_t)tsr_dtype_bytes(x->type),
                                 x->ld, 1);
}

static void transpose(tsr_dtype type, const char *in, int64_t rows, int64_t cols, char *out)
{
    enum { BLOCK = 64 };
    int64_t size = tsr_dtype_bytes(type);
    for (int64_t i = 0; i < rows; i += BLOCK)
        for (int64_t j = 0; j < cols; j += BLOCK)
            tsr_isa_now()->transpose((uint32_t)size, in + (i * cols + j) * size, cols * size,
                                     out + (j * rows + i) * size, rows * size,
                                     rows - i < BLOCK ? rows - i : BLOCK,
                                     cols - j < BLOCK ? cols - j : BLOCK);
}

/* Completes a matrix of which one triangle is given; other: memory for its transpose. */
static void both_triangles(tsr_dtype type, const char *in, int64_t n, bool lower, char *other,
                           char *out)
{
    int64_t size = tsr_dtype_bytes(type);
    transpose(type, in, n, n, other);
    for (int64_t i = 0; i < n; i++) {
        int64_t left = (i + 1) * size, row = i * n * size;
        memcpy(out + row, (lower ? in : other) + row, (size_t)left);
        memcpy(out + row + left, (lower ? other : in) + row + left, (size_t)(n * size - left));
    }
}

static char *take(char **from, int64_t bytes)
{
    char *at = *from;
    *from += (bytes + 63) / 64 * 64;
    return at;
}

/* Room for the three kinds of matrices that tsr_factor_svd needs, for vectors of numbers and of doubles. */
int64_t tsr_spectrum_scratch(tsr_dtype type, int64_t m, int64_t n, int64_t nvector)
{
    int64_t most = m > n ? m : n, least = m > n ? n : m, size = tsr_dtype_bytes(type);
    return tsr_factor_scratch(type, most, nvector > least ? nvector : least) +
           (most * least + most * nvector + least * least + 6 * most) * size + 5 * least * 8 + 1024;
}

int64_t tsr_factor_eigen(tsr_factor *f, const void *matrix, int64_t n, bool lower, double *w,
                         void *z)
{
    const tsr_leaves *leaves = leaves_of(f->type);
    int64_t size = tsr_dtype_bytes(f->type);
    char *room = f->scratch + tsr_factor_scratch(f->type, n, n);
    double *e = (double *)take(&room, n * 8), *c = (double *)take(&room, n * 8),
           *s = (double *)take(&room, n * 8);
    char *a = take(&room, n * n * size), *q = take(&room, n * n * size);
    char *tau = take(&room, n * size), *work = take(&room, 2 * n * size);
    int exponent;
    both_triangles(f->type, matrix, n, lower, q, a);
    if (!scale(f->type, a, n * n, &exponent))
        return 1;
    leaves->sytrd(a, n, w, e, tau, work);
    vectors x = {.type = f->type, .rows = z ? q : NULL, .ld = n, .c = c, .s = s};
    if (z) {
        const double one = 1;
        memset(q, 0, (size_t)(n * n * size));
        tsr_convert(f->type, q, TSR_D_F64, &one, 1);
        tsr_matrix v = {a + size, 1, n, false}, out = {q + (n + 1) * size, 1, n, false};
        if (n > 1)
            tsr_factor_orgqr(f, v, n - 1, n - 1, n - 1, tau, out);
    }
    int64_t failed = tridiagonal_eigen(w, e, n, &x);
    sort(w, n, false, &x, NULL);
    for (int64_t i = 0; i < n; i++)
        if (is_flipped(&x, i))
            flip(&x, i);
    for (int64_t i = 0; i < n; i++)
        w[i] = ldexp(w[i], exponent);
    if (z)
        transpose(f->type, q, n, n, z);
    return failed;
}

/* Forms the orthogonal factors that gebrd left in a: nleft columns of the left one, all k of the right one. */
static void form_factors(tsr_factor *f, char *a, int64_t rows, int64_t k, int64_t nleft,
                         char *tau_q, char *tau_p, char *left, char *right)
{
    const double one = 1;
    int64_t size = tsr_dtype_bytes(f->type);
    tsr_factor_orgqr(f, (tsr_matrix){a, 1, rows, false}, rows, nleft, k, tau_q,
                     (tsr_matrix){left, 1, rows, false});
    memset(right, 0, (size_t)(k * k * size));
    tsr_convert(f->type, right, TSR_D_F64, &one, 1);
    if (k > 1)
        tsr_factor_orgqr(f, (tsr_matrix){a + rows * size, rows, 1, false}, k - 1, k - 1, k - 1,
                         tau_p, (tsr_matrix){right + (k + 1) * size, 1, k, false});
}

/* Makes singular values positive and descending, with the signs of their vectors; 2^exponent was divided out. */
static void settle(double *s, int64_t k, int exponent, bool tall, vectors *x, vectors *y)
{
    for (int64_t i = 0; i < k; i++)
        if (s[i] < 0 || (s[i] == 0 && signbit(s[i]))) {
            s[i] = -s[i];
            flip(y, i);
        }
    sort(s, k, true, x, y);
    for (int64_t i = 0; i < k; i++) {
        s[i] = ldexp(s[i], exponent);
        if (is_flipped(tall ? x : y, i)) {
            flip(x, i);
            flip(y, i);
        }
    }
}

int64_t tsr_factor_svd(tsr_factor *f, const void *matrix, int64_t m, int64_t n, double *s, void *u,
                       int64_t nu, void *vt, int64_t nv)
{
    const tsr_leaves *leaves = leaves_of(f->type);
    bool tall = m >= n; /* otherwise the transpose is decomposed */
    int64_t size = tsr_dtype_bytes(f->type), rows = tall ? m : n, k = tall ? n : m;
    int64_t nleft = u ? tall ? nu : nv : k;
    char *room = f->scratch + tsr_factor_scratch(f->type, rows, nleft > k ? nleft : k);
    double *e = (double *)take(&room, k * 8), *rotations[4];
    for (int i = 0; i < 4; i++)
        rotations[i] = (double *)take(&room, k * 8);
    char *a = take(&room, rows * k * size), *left = take(&room, rows * nleft * size);
    char *right = take(&room, k * k * size), *work = take(&room, 2 * rows * size);
    char *tau_q = take(&room, k * size), *tau_p = take(&room, k * size);
    int exponent;
    if (tall)
        transpose(f->type, matrix, m, n, a);
    else
        memcpy(a, matrix, (size_t)(m * n * size));
    if (!scale(f->type, a, m * n, &exponent))
        return -4;
    leaves->gebrd(a, rows, k, s, e, tau_q, tau_p, work);
    vectors x = {f->type, u ? left : NULL, rows, rotations[0], rotations[1], 0, 0};
    vectors y = {f->type, u ? right : NULL, k, rotations[2], rotations[3], 0, 0};
    if (u)
        form_factors(f, a, rows, k, nleft, tau_q, tau_p, left, right);
    bool ok = bidiagonal_svd(s, e, k, &x, &y);
    settle(s, k, exponent, tall, &x, &y);
    if (u && tall) {
        transpose(f->type, left, nu, m, u);
        memcpy(vt, right, (size_t)(n * nv * size));
    } else if (u) {
        transpose(f->type, right, m, m, u);
        memcpy(vt, left, (size_t)(nv * n * size));
    }
    return ok ? 0 : 1;
}
