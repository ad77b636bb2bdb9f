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
            off = d > off || d != d ? d : off;
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

/* ---- All ---- */

static const tsr_dtype types[] = {TSR_D_F32, TSR_D_F64, TSR_D_C64, TSR_D_C128};

static void check_type(unit *u, tsr_dtype d)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 32, 33, 64, 65, 100, 131};
    static const int64_t pairs[][2] = {{1, 1},  {1, 5},   {5, 1},   {5, 3},     {3, 5},    {33, 32},
                                       {32, 33}, {70, 33}, {33, 70}, {100, 100}, {129, 66}, {66, 129}};
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
    }
    tsr_isa_use(before, NULL);
    for (size_t i = 0; i < TSR_COUNT(types); i++) {
        bool wide = eps_of(types[i]) < 0x1p-40;
        check_far(u, types[i], wide ? 0x1p700 : 0x1p90);
        check_far(u, types[i], wide ? 0x1p-700 : 0x1p-90);
        check_threads(u, types[i]);
    }
}
