/* SPDX-License-Identifier: Apache-2.0 */
/* test_linalg.c - factorizations in blocks, of each class of machines, against the evaluator's in double: types, sizes with rests, sides and triangles,
 * matrices that have no factor, and the bits on several numbers of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "eval/math/linalg.h"
#include "exec/kernel/linalg.h"
#include "exec/kernel/tile.h"
#include "unit.h"

static uint64_t seed = 11;

static double next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

/* A matrix twice: by rows in its type, and by columns in double, as the evaluator has it. */
typedef struct {
    tsr_dtype type;
    int64_t m, n;
    char *rows;
    tsr_z *columns;
} matrix;

static tsr_z *at(const matrix *a, int64_t i, int64_t j)
{
    return &a->columns[i + j * a->m];
}

static tsr_z element(const matrix *a, int64_t i, int64_t j)
{
    double v[2] = {0, 0};
    size_t size = tsr_dtype_bytes(a->type);
    tsr_convert(TSR_D_C128, v, a->type, a->rows + (size_t)(i * a->n + j) * size, 1);
    return tsr_z_of(v[0], v[1]);
}

/* The element in both forms, rounded to the type. */
static void put(const matrix *a, int64_t i, int64_t j, tsr_z v)
{
    double parts[2] = {creal(v), tsr_dtype_is_complex(a->type) ? cimag(v) : 0};
    size_t size = tsr_dtype_bytes(a->type);
    tsr_convert(a->type, a->rows + (size_t)(i * a->n + j) * size, TSR_D_C128, parts, 1);
    *at(a, i, j) = element(a, i, j);
}

static matrix make(tsr_dtype d, int64_t m, int64_t n)
{
    matrix a = {d, m, n, tsr_xmalloc((size_t)(m * n + 1) * 16),
                tsr_xmalloc((size_t)(m * n + 1) * sizeof(tsr_z))};
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            put(&a, i, j, tsr_z_of(next_random(), next_random()));
    return a;
}

static void drop(matrix *a)
{
    tsr_free(a->rows);
    tsr_free(a->columns);
}

/* The reference computes with complex numbers of any type: real ones stay real. */
static const tsr_linalg *plain = &tsr_linalg_complex;

static double eps_of(tsr_dtype d)
{
    return d == TSR_D_F32 || d == TSR_D_C64 ? 0x1p-23 : 0x1p-52;
}

/* The larger one; NaN is the worst. */
static double worse(double off, double d)
{
    return isnan(off) || d <= off ? off : d;
}

/* Whether all elements are as the reference's, but for so many units of its largest. part: 'L', 'U' a triangle, 'A' all. */
static bool agree(const matrix *a, double units, char part)
{
    double most = 1, off = 0;
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t j = 0; j < a->n; j++) {
            if ((part == 'L' && j > i) || (part == 'U' && j < i))
                continue;
            most = fmax(most, cabs(*at(a, i, j)));
            double d = cabs(*at(a, i, j) - element(a, i, j));
            off = worse(off, d);
        }
    return off <= units * eps_of(a->type) * most;
}

static tsr_matrix view(const matrix *a)
{
    return (tsr_matrix){a->rows, a->n, 1, false};
}

static tsr_matrix turned(tsr_matrix a)
{
    return (tsr_matrix){a.at, a.cs, a.rs, a.conj};
}

static tsr_factor factor_of(tsr_dtype d, int64_t m, int64_t n)
{
    return (tsr_factor){.type = d, .scratch = tsr_xmalloc((size_t)tsr_factor_scratch(d, m, n))};
}

/* ---- Cholesky ---- */

static void positive(matrix *a)
{
    matrix g = make(a->type, a->n, a->n);
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            tsr_z sum = i == j ? 2 : 0;
            for (int64_t k = 0; k < a->n; k++)
                sum += *at(&g, i, k) * conj(*at(&g, j, k)) / (double)a->n;
            put(a, i, j, i == j ? creal(sum) : sum);
            put(a, j, i, i == j ? creal(sum) : conj(sum));
        }
    drop(&g);
}

static void check_potrf(unit *u, tsr_dtype d, int64_t n, bool lower)
{
    matrix a = make(d, n, n);
    tsr_factor f = {.type = d};
    positive(&a);
    CHECK(u, tsr_factor_potrf(&f, lower ? view(&a) : turned(view(&a)), n) == 0);
    CHECK(u, plain->potrf(a.columns, n, lower) == 0);
    CHECK(u, agree(&a, (double)n + 8, lower ? 'L' : 'U'));
    for (int64_t bad = 0; bad < n; bad += n / 3 + 1) {
        positive(&a);
        put(&a, bad, bad, -1);
        int64_t info = tsr_factor_potrf(&f, lower ? view(&a) : turned(view(&a)), n);
        CHECK(u, info == bad + 1);
    }
    drop(&a);
}

/* ---- Triangles ---- */

static void check_solve(unit *u, tsr_dtype d, int64_t n, int64_t others, int form)
{
    tsr_triangle how = {form & 1, form & 2, form & 4, "NTC"[form / 8]};
    matrix a = make(d, n, n), b = make(d, how.left ? n : others, how.left ? others : n);
    tsr_factor f = {.type = d};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            put(&a, i, j, i == j ? 2 + *at(&a, i, j) / 4 : *at(&a, i, j) / (double)n);
    bool turns = (how.trans != 'N') == how.left;
    tsr_matrix left = turns ? turned(view(&a)) : view(&a);
    left.conj = how.trans == 'C';
    tsr_factor_solve(&f, left, how.lower == turns, how.unit, n,
                     how.left ? view(&b) : turned(view(&b)), others);
    plain->trsm(&how, a.columns, b.columns, b.m, b.n);
    CHECK(u, agree(&b, (double)n + 8, 'A'));
    drop(&a);
    drop(&b);
}

/* ---- LU ---- */

static void check_getrf(unit *u, tsr_dtype d, int64_t m, int64_t n)
{
    matrix a = make(d, m, n);
    int64_t k = m < n ? m : n;
    int32_t *pivots = tsr_xmalloc((size_t)k * 2 * sizeof *pivots), *same = pivots + k;
    tsr_factor f = factor_of(d, m, n);
    CHECK(u, tsr_factor_getrf(&f, view(&a), m, n, pivots) == plain->getrf(a.columns, m, n, same));
    CHECK(u, memcmp(pivots, same, (size_t)k * sizeof *same) == 0);
    CHECK(u, agree(&a, 64 * (double)(k + 8), 'A'));
    /* Two columns without a number: the first counts. Small integers are exact as long as they are few. */
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            put(&a, i, j, j == k / 2 || j == k - 1 ? 0 : i == j);
    CHECK(u, tsr_factor_getrf(&f, view(&a), m, n, pivots) == k / 2 + 1);
    CHECK(u, plain->getrf(a.columns, m, n, same) == k / 2 + 1);
    CHECK(u, memcmp(pivots, same, (size_t)k * sizeof *same) == 0 && agree(&a, 0, 'A'));
    tsr_free(f.scratch);
    tsr_free(pivots);
    drop(&a);
}

/* ---- QR ---- */

static void check_geqrf(unit *u, tsr_dtype d, int64_t m, int64_t n)
{
    int64_t k = m < n ? m : n, cols = k < 5 ? 7 : 33;
    matrix a = make(d, m, n), tau = make(d, 1, k);
    tsr_factor f = factor_of(d, m > cols ? m : cols, n > cols ? n : cols);
    for (int64_t i = 0; i < k; i++)
        put(&a, i, i, 4 * sqrt((double)m) + *at(&a, i, i));
    tsr_factor_geqrf(&f, view(&a), m, n, tau.rows);
    plain->geqrf(a.columns, m, n, tau.columns);
    CHECK(u, agree(&a, 2 * (double)m + 32, 'A') && agree(&tau, 2 * (double)m + 32, 'A'));
    /* From here on both have the same reflectors. */
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            *at(&a, i, j) = element(&a, i, j);
    for (int64_t i = 0; i < k; i++)
        *at(&tau, 0, i) = element(&tau, 0, i);
    for (int form = 0; form < 4; form++) {
        bool left = form & 1, adjoint = form & 2;
        matrix c = left ? make(d, m, cols) : make(d, cols, m);
        tsr_factor_ormqr(&f, !left, adjoint, view(&a), m, k, tau.rows,
                         left ? view(&c) : turned(view(&c)), cols);
        plain->ormqr(left, adjoint, a.columns, k, tau.columns, c.columns, c.m, c.n);
        CHECK(u, agree(&c, 2 * (double)m + 32, 'A'));
        drop(&c);
    }
    if (m >= n) {
        matrix q = make(d, m, n);
        tsr_factor_orgqr(&f, view(&a), m, n, k, tau.rows, view(&q));
        memcpy(q.columns, a.columns, (size_t)(m * n) * sizeof *q.columns);
        plain->orgqr(q.columns, m, n, k, tau.columns);
        CHECK(u, agree(&q, 2 * (double)m + 32, 'A'));
        drop(&q);
    }
    tsr_free(f.scratch);
    drop(&tau);
    drop(&a);
}

/* ---- Spectra ---- */

/* The largest difference of x^T x from one, x's columns being n vectors. */
static double skew(const matrix *x)
{
    double off = 0;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t j = 0; j < x->n; j++) {
            double sum = i == j ? -1 : 0;
            for (int64_t k = 0; k < x->m; k++)
                sum += creal(element(x, k, i)) * creal(element(x, k, j));
            off = worse(off, fabs(sum));
        }
    return off;
}

/* Matrices of all kinds: any, of a rank that is smaller, zero, the unit matrix, and one whose numbers have very different sizes. */
typedef enum { ANY, FLAT, ZERO, ONE, GRADED, KINDS } kind;

static void shape(const matrix *a, kind k, bool symmetric)
{
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t j = 0; j < a->n; j++) {
            tsr_z v = *at(a, i, j);
            int64_t low = i < j ? i : j, high = i < j ? j : i;
            put(a, i, j,
                symmetric && j < i ? *at(a, j, i)
                : k == ZERO        ? 0
                : k == ONE         ? i == j
                : k == FLAT        ? (double)((i % 3 + 1) * (j % 3 + 1) + (i % 2) * (j % 2))
                : k == GRADED      ? creal(v) * exp(-(double)(low + high) / 8)
                                   : v);
        }
}

static void check_eigen(unit *u, tsr_dtype d, int64_t n, kind k, bool lower)
{
    matrix a = make(d, n, n), z = make(d, n, n);
    double *w = tsr_xmalloc((size_t)n * 2 * sizeof *w), *same = w + n, off = 0, most = 1;
    double *plain_a = tsr_xmalloc((size_t)(2 * n * n + 8 * n + 8) * sizeof *plain_a);
    tsr_factor f = {.type = d, .scratch = tsr_xmalloc((size_t)tsr_spectrum_scratch(d, n, n, n))};
    shape(&a, k, true);
    for (int64_t i = 0; i < n * n; i++)
        plain_a[i] = creal(a.columns[i]);
    CHECK(u, tsr_linalg_real.syevd(plain_a, n, true, same, plain_a + n * n) == 0);
    for (int64_t i = 0; i < n; i++) /* what is not read may be anything */
        for (int64_t j = 0; j < i; j++)
            put(&a, lower ? j : i, lower ? i : j, NAN);
    CHECK(u, tsr_factor_eigen(&f, a.rows, n, lower, w, z.rows) == 0);
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(same[i]));
        off = worse(off, fabs(w[i] - same[i]));
    }
    double bound = 4 * ((double)n + 8) * eps_of(d);
    CHECK(u, off <= bound * most);
    CHECK(u, skew(&z) <= bound);
    off = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) { /* a z = z w */
            double sum = -creal(element(&z, i, j)) * w[j];
            for (int64_t c = 0; c < n; c++)
                sum += creal(lower == (c < i) ? element(&a, i, c)
                             : c == i         ? element(&a, i, i)
                                              : element(&a, c, i)) *
                       creal(element(&z, c, j));
            off = worse(off, fabs(sum));
        }
    CHECK(u, off <= bound * most);
    CHECK(u, tsr_factor_eigen(&f, a.rows, n, lower, same, NULL) == 0 &&
                 memcmp(w, same, (size_t)n * sizeof *w) == 0);
    put(&a, n / 2, n / 2, INFINITY);
    CHECK(u, tsr_factor_eigen(&f, a.rows, n, lower, w, z.rows) == 1);
    tsr_free(f.scratch);
    tsr_free(plain_a);
    tsr_free(w);
    drop(&a);
    drop(&z);
}

static void check_svd(unit *u, tsr_dtype d, int64_t m, int64_t n, kind k, bool full)
{
    int64_t c = m < n ? m : n, most = m < n ? n : m, nu = full ? m : c, nv = full ? n : c;
    matrix a = make(d, m, n), left = make(d, m, nu), right = make(d, nv, n),
           turned_right = make(d, n, nv);
    double *s = tsr_xmalloc((size_t)(2 * c) * sizeof *s), *same = s + c, off = 0, size = 1;
    double *plain_a = tsr_xmalloc((size_t)(5 * most * most + 8) * sizeof *plain_a);
    tsr_factor f = {.type = d,
                    .scratch = tsr_xmalloc((size_t)tsr_spectrum_scratch(d, m, n, full ? most : c))};
    shape(&a, k, false);
    for (int64_t i = 0; i < m * n; i++)
        plain_a[i] = creal(a.columns[i]);
    CHECK(u, tsr_linalg_real.svd(plain_a, m, n, same, plain_a + most * most, c,
                                 plain_a + 2 * most * most, c, plain_a + 3 * most * most));
    CHECK(u, tsr_factor_svd(&f, a.rows, m, n, s, left.rows, nu, right.rows, nv) == 0);
    for (int64_t i = 0; i < c; i++) {
        size = fmax(size, same[i]);
        off = worse(off, fabs(s[i] - same[i]));
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < nv; j++)
            put(&turned_right, i, j, element(&right, j, i));
    double bound = 4 * ((double)most + 8) * eps_of(d);
    CHECK(u, off <= bound * size);
    CHECK(u, skew(&left) <= bound && skew(&turned_right) <= bound);
    off = 0;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = -creal(element(&a, i, j));
            for (int64_t t = 0; t < c; t++)
                sum += creal(element(&left, i, t)) * s[t] * creal(element(&right, t, j));
            off = worse(off, fabs(sum));
        }
    CHECK(u, off <= bound * size);
    CHECK(u, tsr_factor_svd(&f, a.rows, m, n, same, NULL, nu, NULL, nv) == 0 &&
                 memcmp(s, same, (size_t)c * sizeof *s) == 0);
    put(&a, m / 2, n / 2, NAN);
    CHECK(u, tsr_factor_svd(&f, a.rows, m, n, s, left.rows, nu, right.rows, nv) == -4);
    tsr_free(f.scratch);
    tsr_free(plain_a);
    tsr_free(s);
    drop(&a);
    drop(&left);
    drop(&right);
    drop(&turned_right);
}

static void check_spectra(unit *u, tsr_dtype d)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 33, 70};
    static const int64_t pairs[][2] = {{1, 1}, {1, 4},   {4, 1},   {2, 2}, {5, 3},
                                       {3, 5}, {40, 33}, {33, 40}, {60, 7}};
    for (int k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < TSR_COUNT(sizes); i++)
            check_eigen(u, d, sizes[i], (kind)k, (k + (int)i) % 2);
        for (size_t i = 0; i < TSR_COUNT(pairs); i++)
            check_svd(u, d, pairs[i][0], pairs[i][1], (kind)k, (k + (int)i) % 2);
    }
}

/* ---- All ---- */

static const tsr_dtype types[] = {TSR_D_F32, TSR_D_F64, TSR_D_C64, TSR_D_C128};

static void check_type(unit *u, tsr_dtype d)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 33, 64, 65, 131};
    static const int64_t pairs[][2] = {{1, 1},   {1, 5},     {5, 1},    {5, 3},
                                       {3, 5},   {33, 32},   {32, 33},  {70, 33},
                                       {33, 70}, {100, 100}, {129, 66}, {66, 129}};
    for (size_t i = 0; i < TSR_COUNT(sizes); i++)
        for (int lower = 0; lower < 2; lower++)
            check_potrf(u, d, sizes[i], lower);
    for (int form = 0; form < 24; form++) {
        check_solve(u, d, 3, 2, form);
        check_solve(u, d, 65, 70, form);
        check_solve(u, d, 130, 9, form);
    }
    for (size_t i = 0; i < TSR_COUNT(pairs); i++) {
        check_getrf(u, d, pairs[i][0], pairs[i][1]);
        check_geqrf(u, d, pairs[i][0], pairs[i][1]);
    }
}

/* Squares of these leave the range of the type. */
static void check_far(unit *u, tsr_dtype d, double scale)
{
    matrix a = make(d, 5, 3), tau = make(d, 1, 3);
    tsr_factor f = factor_of(d, 5, 3);
    for (int64_t i = 0; i < 5; i++)
        for (int64_t j = 0; j < 3; j++)
            put(&a, i, j, scale * *at(&a, i, j));
    tsr_factor_geqrf(&f, view(&a), 5, 3, tau.rows);
    plain->geqrf(a.columns, 5, 3, tau.columns);
    for (int64_t i = 0; i < 3; i++)
        CHECK(u, cabs(element(&a, i, i) - *at(&a, i, i)) <= 32 * eps_of(d) * cabs(*at(&a, i, i)));
    tsr_free(f.scratch);
    drop(&tau);
    drop(&a);
}

/* All factors of one matrix, one behind the other. */
static void all_factors(tsr_dtype d, int64_t n, const matrix *a, char *out)
{
    int64_t bytes = n * n * (int64_t)tsr_dtype_bytes(d);
    tsr_factor f = factor_of(d, n, n);
    memset(out, 0, (size_t)(6 * bytes));
    for (int i = 0; i < 5; i++)
        memcpy(out + i * bytes, a->rows, (size_t)bytes);
    tsr_matrix m = {out, n, 1, false}, next = m;
    tsr_factor_potrf(&f, m, n);
    next.at += bytes;
    tsr_factor_solve(&f, m, false, false, n, next, n);
    next.at += bytes;
    tsr_factor_solve(&f, m, false, false, n, turned(next), n);
    next.at += bytes;
    tsr_factor_getrf(&f, next, n, n, (int32_t *)(out + 5 * bytes));
    next.at += bytes;
    tsr_factor_geqrf(&f, next, n, n, out + 5 * bytes + n * (int64_t)sizeof(int32_t));
    tsr_free(f.scratch);
}

/* The same bits in all classes that fuse. */
static void check_classes(unit *u, tsr_dtype d, int64_t n, const matrix *a, char *one, char *other)
{
    size_t bytes = (size_t)(6 * n * n) * tsr_dtype_bytes(d);
    const char *before = tsr_isa_name();
    bool first = true;
    for (const char *const *name = tsr_isa_names(); *name; name++)
        if (strcmp(*name, "baseline") != 0 && tsr_isa_use(*name, NULL)) {
            all_factors(d, n, a, first ? one : other);
            CHECK(u, first || memcmp(one, other, bytes) == 0);
            first = false;
        }
    tsr_isa_use(before, NULL);
}

static void check_threads(unit *u, tsr_dtype d)
{
    enum { SIZE = 260 };
    static const int threads[] = {2, 3, 7};
    size_t bytes = (size_t)6 * SIZE * SIZE * tsr_dtype_bytes(d);
    char *one = tsr_xmalloc(bytes), *many = tsr_xmalloc(bytes);
    matrix a = make(d, SIZE, SIZE);
    for (int64_t i = 0; i < SIZE; i++)
        put(&a, i, i, SIZE);
    tsr_pool_limit(1);
    all_factors(d, SIZE, &a, one);
    for (size_t i = 0; i < TSR_COUNT(threads); i++) {
        tsr_pool_limit(threads[i]);
        all_factors(d, SIZE, &a, many);
        CHECK(u, memcmp(one, many, bytes) == 0);
    }
    tsr_pool_limit(0);
    check_classes(u, d, SIZE, &a, one, many);
    tsr_free(one);
    tsr_free(many);
    drop(&a);
}

void test_linalg(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        for (size_t i = 0; i < TSR_COUNT(types); i++)
            check_type(u, types[i]);
        check_spectra(u, TSR_D_F32);
        check_spectra(u, TSR_D_F64);
    }
    tsr_isa_use(before, NULL);
    for (size_t i = 0; i < TSR_COUNT(types); i++) {
        bool wide = eps_of(types[i]) < 0x1p-40;
        check_far(u, types[i], wide ? 0x1p700 : 0x1p90);
        check_far(u, types[i], wide ? 0x1p-700 : 0x1p-90);
        check_threads(u, types[i]);
    }
}
