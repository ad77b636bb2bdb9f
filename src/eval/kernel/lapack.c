/* SPDX-License-Identifier: Apache-2.0 */
/* lapack.c - custom_call targets of LAPACK (eval/math/linalg.h computes them).
 *
 * A target has two forms. "lapack_dgetrf_ffi" takes matrices as operands and options as attributes of its
 * configuration. The older "lapack_dgetrf" takes options and sizes as leading operands, and returns its work memory as
 * further results, which are zero here; "blas_dtrsm" is of this kind. All dimensions before the last two are batch
 * dimensions. Layouts in the call only concern memory: matrices are defined by their indices. Matrices that LAPACK
 * leaves in an unspecified state are returned unchanged. Results that do not converge, or are not finite, are NaN, with
 * nonzero info. */
#include "eval/kernel/lapack.h"

#include <math.h>
#include <stdlib.h>

#include "eval/math/linalg.h"

enum { MAX_BLOCKS = 12 };

typedef struct {
    tsr_call *c;
    const tsr_linalg *lib;
    bool ffi;                   /* the newer form */
    bool z;                     /* complex numbers */
    tsr_tensor **in;            /* operands after the options */
    const tsr_tensor *a;        /* determines the dimensions: the first, except for gtsv */
    int64_t count, m, n, least; /* number and size of its matrices; least: min(m, n) */
    void *blocks[MAX_BLOCKS];   /* memory, freed at the end */
    size_t nblock;
} job;

/* ---- Operands, options and results ---- */

int64_t tsr_lapack_option(const tsr_op *op, const char *name)
{
    const tsr_attr *config = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_backend_config);
    if (!tsr_attr_is(config, TSR_ATTR_DICT))
        config = op->extra ? tsr_dict_get(op->extra, TSR_STR("mhlo.backend_config")) : NULL;
    const tsr_attr *a =
        tsr_attr_is(config, TSR_ATTR_DICT) ? tsr_dict_get(config, tsr_cstr(name)) : NULL;
    return tsr_attr_is(a, TSR_ATTR_INT) ? a->i : 0;
}

/* An option: an attribute's value, or in the older form the operand at position old. */
static int64_t option(job *j, const char *name, size_t old)
{
    return j->ffi ? tsr_lapack_option(j->c->op, name) : tsr_get_int(j->c->in[old], 0);
}

static bool is_lower(job *j, size_t old)
{
    int64_t v = option(j, "uplo", old);
    return j->ffi ? v == 'L' : v != 0;
}

/* Result i: with the batch dimensions and up to two more (negative: none), with elements of type d. */
static tsr_tensor *result(job *j, size_t i, tsr_dtype d, int64_t rows, int64_t cols)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = (size_t)j->a->rank - 2;
    memcpy(dims, j->a->dims, rank * sizeof *dims);
    if (rows >= 0)
        dims[rank++] = rows;
    if (cols >= 0)
        dims[rank++] = cols;
    const tsr_type *type = i < j->c->op->nout ? j->c->op->out[i].type : NULL;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || tsr_dtype_of(type->elem) != d) {
        tsr_fail(j->c, "has results that its target does not give");
        return NULL;
    }
    tsr_tensor *t = tsr_call_new(j->c, i, dims, rank);
    if (t)
        memset(t->data, 0, tsr_tensor_bytes(t));
    return t;
}

static tsr_tensor *info_result(job *j, size_t i)
{
    return result(j, i, TSR_D_I32, -1, -1);
}

/* A result of the first operand's type. */
static tsr_tensor *own_result(job *j, size_t i, int64_t rows, int64_t cols)
{
    return result(j, i, (tsr_dtype)j->a->dtype, rows, cols);
}

static tsr_tensor *real_result(job *j, size_t i, int64_t rows)
{
    return result(j, i, tsr_dtype_part((tsr_dtype)j->a->dtype), rows, -1);
}

static tsr_tensor *complex_result(job *j, size_t i, int64_t rows, int64_t cols)
{
    tsr_dtype part = tsr_dtype_part((tsr_dtype)j->a->dtype);
    return result(j, i, part == TSR_D_F32 ? TSR_D_C64 : TSR_D_C128, rows, cols);
}

/* The remaining results: work memory of the older form. */
static bool work_results(job *j)
{
    for (uint32_t i = 0; i < j->c->op->nout; i++) {
        const tsr_type *type = j->c->op->out[i].type;
        if (j->c->out[i])
            continue;
        if (!tsr_type_is(type, TSR_TYPE_TENSOR))
            return tsr_fail(j->c, "has results that its target does not give");
        int64_t dims[TSR_MAX_RANK];
        for (uint32_t d = 0; d < type->n && d < TSR_MAX_RANK; d++)
            dims[d] = type->dims[d] < 0 ? 0 : type->dims[d];
        tsr_tensor *t = tsr_call_new(j->c, i, dims, type->n);
        TSR_TRY(t != NULL);
        memset(t->data, 0, tsr_tensor_bytes(t));
    }
    return true;
}

/* Memory for count numbers; NULL after a failure. */
static void *numbers(job *j, int64_t count)
{
    void *p = tsr_calloc((size_t)count + 1, j->lib->size);
    if (!p)
        tsr_fail_memory(j->c, "a matrix");
    tsr_assert(j->nblock < MAX_BLOCKS, "a target takes more memory than it may");
    j->blocks[j->nblock++] = p;
    return p;
}

static void *complex_numbers(job *j, int64_t count)
{
    return numbers(j, count * (int64_t)(sizeof(tsr_z) / j->lib->size));
}

static void spoil(void *a, int64_t count, size_t size)
{
    double *p = a;
    for (int64_t i = 0; i < count * (int64_t)(size / sizeof *p); i++)
        p[i] = NAN;
}

/* So that the size of work memory does not overflow: an empty matrix may have very many rows. */
static bool small(int64_t m, int64_t n)
{
    return m <= 1 << 30 && n <= 1 << 30;
}

static bool square(job *j)
{
    return j->m == j->n || tsr_fail(j->c, "needs square matrices");
}

/* Whether operand i has as many matrices (rows x cols), or vectors if cols is negative, as j->a, of type d. */
static bool holds(job *j, size_t i, tsr_dtype d, int64_t rows, int64_t cols)
{
    const tsr_tensor *t = j->in[i];
    int batch = j->a->rank - 2;
    return t->kind == TSR_TENSOR && t->dtype == d && t->rank == batch + (cols < 0 ? 1 : 2) &&
           memcmp(t->dims, j->a->dims, (size_t)batch * sizeof *t->dims) == 0 &&
           t->dims[batch] == rows && (cols < 0 || t->dims[batch + 1] == cols);
}

static bool fits(job *j, size_t i, int64_t rows, int64_t cols)
{
    return holds(j, i, (tsr_dtype)j->a->dtype, rows, cols);
}

/* How many matrices must be computed for a result: none if it has no elements, even with a very large batch. */
static int64_t matrices(const job *j, const tsr_tensor *result_)
{
    return result_->n ? j->count : 0;
}

/* ---- Factors ---- */

static bool run_potrf(job *j)
{
    int64_t n = j->n;
    bool lower = is_lower(j, 0);
    tsr_tensor *out = square(j) ? own_result(j, 0, n, n) : NULL,
               *info = out ? info_result(j, 1) : NULL;
    void *a = info ? numbers(j, n * n) : NULL;
    for (int64_t b = 0; a && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * n * n, n, n, a);
        int64_t minor = j->lib->potrf(a, n, lower);
        tsr_set_int(info, b, minor);
        if (minor)
            j->lib->load(j->a, b * n * n, n, n, a);
        j->lib->store(out, b * n * n, n, n, a);
    }
    return a != NULL;
}

static bool run_getrf(job *j)
{
    int64_t m = j->m, n = j->n, k = j->least;
    tsr_tensor *out = own_result(j, 0, m, n), *pivots = out ? result(j, 1, TSR_D_I32, k, -1) : NULL;
    tsr_tensor *info = pivots ? info_result(j, 2) : NULL;
    void *a = info ? numbers(j, m * n) : NULL;
    for (int64_t b = 0; a && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * m * n, m, n, a);
        tsr_set_int(info, b, j->lib->getrf(a, m, n, (int32_t *)pivots->data + b * k));
        j->lib->store(out, b * m * n, m, n, a);
    }
    return a != NULL;
}

static bool run_geqrf(job *j)
{
    int64_t m = j->m, n = j->n, k = j->least;
    tsr_tensor *out = own_result(j, 0, m, n), *taus = out ? own_result(j, 1, k, -1) : NULL;
    void *a = taus ? numbers(j, m * n) : NULL, *tau = a ? numbers(j, k) : NULL;
    for (int64_t b = 0; tau && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * m * n, m, n, a);
        j->lib->geqrf(a, m, n, tau);
        j->lib->store(out, b * m * n, m, n, a);
        j->lib->store(taus, b * k, 1, k, tau);
    }
    return tau != NULL;
}

static bool run_orgqr(job *j)
{
    const tsr_tensor *taus = j->in[1];
    int64_t m = j->m, n = j->n, k = taus->rank ? taus->dims[taus->rank - 1] : 0;
    if (!fits(j, 1, k, -1) || k > n || n > m)
        return tsr_fail(j->c, "has operands that do not fit each other");
    tsr_tensor *out = own_result(j, 0, m, n);
    void *a = out ? numbers(j, m * n) : NULL, *tau = a ? numbers(j, k) : NULL;
    for (int64_t b = 0; tau && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * m * n, m, n, a);
        j->lib->load(taus, b * k, 1, k, tau);
        j->lib->orgqr(a, m, n, k, tau);
        j->lib->store(out, b * m * n, m, n, a);
    }
    return tau != NULL;
}

static bool run_geqp3(job *j)
{
    int64_t m = j->m, n = j->n, k = j->least;
    if (!holds(j, 1, TSR_D_I32, n, -1))
        return tsr_fail(j->c, "has operands that do not fit each other");
    tsr_tensor *out = own_result(j, 0, m, n),
               *columns = out ? result(j, 1, TSR_D_I32, n, -1) : NULL;
    tsr_tensor *taus = columns ? own_result(j, 2, k, -1) : NULL;
    void *a = taus ? numbers(j, m * n) : NULL, *tau = a ? numbers(j, k) : NULL;
    if (tau)
        memcpy(columns->data, j->in[1]->data, tsr_tensor_bytes(columns));
    for (int64_t b = 0; tau && b < matrices(j, columns); b++) {
        j->lib->load(j->a, b * m * n, m, n, a);
        j->lib->geqp3(a, m, n, (int32_t *)columns->data + b * n, tau);
        j->lib->store(out, b * m * n, m, n, a);
        j->lib->store(taus, b * k, 1, k, tau);
    }
    return tau != NULL;
}

static bool run_ormqr(job *j)
{
    const tsr_tensor *taus = j->in[1], *c = j->in[2];
    bool left = option(j, "left", 0) != 0, adjoint = option(j, "transpose", 0) != 0;
    int64_t k = taus->rank ? taus->dims[taus->rank - 1] : 0, m = 0, n = 0;
    if (c->rank >= 2) {
        m = c->dims[c->rank - 2];
        n = c->dims[c->rank - 1];
    }
    if (!fits(j, 1, k, -1) || !fits(j, 2, m, n) || k > j->n || k > j->m || j->m != (left ? m : n) ||
        !small(m, n))
        return tsr_fail(j->c, "has operands that do not fit each other");
    tsr_tensor *out = own_result(j, 0, m, n);
    void *a = out ? numbers(j, j->m * j->n) : NULL, *tau = a ? numbers(j, k) : NULL;
    void *x = tau ? numbers(j, m * n) : NULL;
    for (int64_t b = 0; x && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * j->m * j->n, j->m, j->n, a);
        j->lib->load(taus, b * k, 1, k, tau);
        j->lib->load(c, b * m * n, m, n, x);
        j->lib->ormqr(left, adjoint, a, k, tau, x, m, n);
        j->lib->store(out, b * m * n, m, n, x);
    }
    return x != NULL;
}

/* The solutions, and the remaining factors of the matrices in results of their own (NULL: not returned). */
static bool solve_tridiagonal(job *j, tsr_tensor *const *factors, tsr_tensor *x, tsr_tensor *info,
                              double eps)
{
    int64_t n = j->m, count = j->n, size = (int64_t)j->lib->size;
    char *diagonals = numbers(j, 3 * n), *b = diagonals ? numbers(j, n * count) : NULL;
    for (int64_t at = 0; b && at < matrices(j, x); at++) {
        for (int64_t i = 0; i < 3; i++)
            j->lib->load(j->in[i], at * n, 1, n, diagonals + i * n * size);
        j->lib->load(j->a, at * n * count, n, count, b);
        char *below = diagonals + size, *diagonal = diagonals + n * size,
             *above = diagonal + n * size;
        int64_t zero = j->lib->gtsv(n, count, below, diagonal, above, b, eps);
        if (info)
            tsr_set_int(info, at, zero);
        for (int64_t i = 0; factors && i < 3; i++)
            j->lib->store(factors[i], at * n, 1, n, diagonals + i * n * size);
        j->lib->store(x, at * n * count, n, count, b);
    }
    return b != NULL;
}

/* Below and above the diagonal n numbers are given, the first, or the last, of which is ignored. */
static bool fits_tridiagonal(job *j)
{
    for (size_t i = 0; i < 3; i++)
        if (!fits(j, i, j->m, -1))
            return tsr_fail(j->c, "has operands that do not fit each other");
    return true;
}

static bool run_gtsv(job *j)
{
    tsr_tensor *factors[3];
    TSR_TRY(fits_tridiagonal(j));
    for (size_t i = 0; i < 3; i++)
        TSR_TRY((factors[i] = own_result(j, i, j->m, -1)) != NULL);
    tsr_tensor *x = own_result(j, 3, j->m, j->n), *info = x ? info_result(j, 4) : NULL;
    return info && solve_tridiagonal(j, factors, x, info, 0);
}

/* A singular matrix is replaced by a nearby one that is not. */
static bool run_perturbed(job *j)
{
    double eps = tsr_dtype_part((tsr_dtype)j->a->dtype) == TSR_D_F32 ? 0x1p-23 : 0x1p-52;
    TSR_TRY(fits_tridiagonal(j));
    tsr_tensor *x = own_result(j, 0, j->m, j->n);
    return x && solve_tridiagonal(j, NULL, x, NULL, eps);
}

static bool trsm_options(job *j, tsr_triangle *how)
{
    static const char letters[] = {'N', 'T', 'C'};
    int64_t trans = option(j, "trans_x", 2);
    *how = (tsr_triangle){.left = option(j, "side", 0) == (j->ffi ? 'L' : 1),
                          .lower = is_lower(j, 1),
                          .unit = option(j, "diag", 3) == (j->ffi ? 'U' : 1)};
    if (!j->ffi)
        trans = trans >= 0 && trans < 3 ? letters[trans] : 0;
    how->trans = (char)trans;
    return trans == 'N' || trans == 'T' || trans == 'C' ||
           tsr_fail(j->c, "has a transposition that is none");
}

static bool run_trsm(job *j)
{
    tsr_triangle how;
    const tsr_tensor *right = j->in[1];
    TSR_TRY(trsm_options(j, &how));
    int64_t k = j->n, m = 0, n = 0;
    if (right->rank >= 2) {
        m = right->dims[right->rank - 2];
        n = right->dims[right->rank - 1];
    }
    if (!square(j) || !fits(j, 1, m, n) || k != (how.left ? m : n) || !small(m, n))
        return tsr_fail(j->c, "has operands that do not fit each other");
    tsr_tensor *out = own_result(j, 0, m, n);
    /* A factor of the right-hand side: the operand before the matrices or, in an earlier version of the newer form,
     * after them. */
    const tsr_tensor *alpha = !j->ffi ? j->c->in[7] : j->c->op->nin > 2 ? j->in[2] : NULL;
    void *a = out ? numbers(j, k * k) : NULL, *b = a ? numbers(j, m * n) : NULL;
    for (int64_t i = 0; b && i < matrices(j, out); i++) {
        j->lib->load(j->a, i * k * k, k, k, a);
        j->lib->load(right, i * m * n, m, n, b);
        tsr_z by = alpha && alpha->n
                       ? tsr_z_of(tsr_get_complex(alpha, 0).re, tsr_get_complex(alpha, 0).im)
                       : 1;
        for (int64_t e = 0; by != 1 && e < m * n; e++) {
            if (j->z)
                ((tsr_z *)b)[e] *= by;
            else
                ((double *)b)[e] *= creal(by);
        }
        j->lib->trsm(&how, a, b, m, n);
        j->lib->store(out, i * m * n, m, n, b);
    }
    return b != NULL;
}

/* ---- Symmetric eigenvalues, singular values ---- */

/* Gives vector i of both (right may be NULL), if real, a deterministic sign. left: columns of n numbers; right: rows,
 * step apart. */
static void orient(const job *j, int64_t i, double *left, int64_t n, double *right, int64_t count,
                   int64_t step)
{
    if (j->z || !tsr_vector_is_flipped(TSR_D_F64, left + i * n, n, 1))
        return;
    for (int64_t k = 0; k < n; k++)
        left[i * n + k] *= -1;
    for (int64_t k = 0; right && k < count; k++)
        right[i + k * step] *= -1;
}

static bool run_syevd(job *j)
{
    int64_t n = j->n;
    bool lower = is_lower(j, 0), vectors = !j->ffi || option(j, "mode", 0) == 'V';
    tsr_tensor *out = square(j) ? own_result(j, 0, n, n) : NULL,
               *values = out ? real_result(j, 1, n) : NULL;
    tsr_tensor *info = values ? info_result(j, 2) : NULL;
    void *a = info ? numbers(j, n * n) : NULL, *work = a ? numbers(j, n * n + 3 * n) : NULL;
    double *w = work ? numbers(j, n) : NULL;
    for (int64_t b = 0; w && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * n * n, n, n, a);
        int64_t failed = j->lib->syevd(a, n, lower, w, work);
        if (failed) {
            spoil(a, n * n, j->lib->size);
            spoil(w, n, sizeof *w);
        }
        for (int64_t i = 0; i < n; i++)
            orient(j, i, a, n, NULL, 0, 0);
        if (!vectors)
            j->lib->load(j->a, b * n * n, n, n, a);
        tsr_set_int(info, b, failed);
        j->lib->store(out, b * n * n, n, n, a);
        tsr_linalg_real.store(values, b * n, 1, n, w);
    }
    return w != NULL;
}

static bool run_sytrd(job *j)
{
    int64_t n = j->n, k = n ? n - 1 : 0;
    bool lower = is_lower(j, 1);
    tsr_tensor *out = square(j) ? own_result(j, 0, n, n) : NULL,
               *diagonal = out ? real_result(j, 1, n) : NULL;
    tsr_tensor *beside = diagonal ? real_result(j, 2, k) : NULL,
               *taus = beside ? own_result(j, 3, k, -1) : NULL;
    tsr_tensor *info = taus ? info_result(j, 4) : NULL;
    void *a = info ? numbers(j, n * n) : NULL, *tau = a ? numbers(j, n) : NULL,
         *work = tau ? numbers(j, n) : NULL;
    double *d = work ? numbers(j, n) : NULL, *e = d ? numbers(j, n) : NULL;
    for (int64_t b = 0; e && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * n * n, n, n, a);
        j->lib->sytrd(a, n, lower, d, e, tau, work);
        j->lib->store(out, b * n * n, n, n, a);
        tsr_linalg_real.store(diagonal, b * n, 1, n, d);
        tsr_linalg_real.store(beside, b * k, 1, k, e);
        j->lib->store(taus, b * k, 1, k, tau);
    }
    return e != NULL;
}

static bool run_gesdd(job *j)
{
    int64_t m = j->m, n = j->n, k = j->least, most = m > n ? m : n;
    int64_t mode = j->ffi              ? option(j, "mode", 0)
                   : !option(j, "", 1) ? 'N'
                   : option(j, "", 0)  ? 'A'
                                       : 'S';
    const tsr_type *type = j->c->op->nout > 2 ? j->c->op->out[2].type : NULL;
    /* Without vectors, their results still exist, with either size. */
    bool wide = tsr_type_is(type, TSR_TYPE_TENSOR) && type->n && type->dims[type->n - 1] == m;
    bool full = mode == 'A' || (mode == 'N' && wide);
    int64_t nu = full ? m : k, nv = full ? n : k;
    tsr_tensor *same = own_result(j, 0, m, n), *values = same ? real_result(j, 1, k) : NULL;
    tsr_tensor *left = values ? own_result(j, 2, m, nu) : NULL,
               *right = left ? own_result(j, 3, nv, n) : NULL;
    tsr_tensor *info = right ? info_result(j, 4) : NULL;
    void *a = info ? numbers(j, m * n) : NULL, *u = a ? numbers(j, m * nu) : NULL,
         *vt = u ? numbers(j, nv * n) : NULL;
    void *work = vt ? numbers(j, 2 * most * most) : NULL;
    double *s = work ? numbers(j, k) : NULL;
    if (s)
        memcpy(same->data, j->a->data, tsr_tensor_bytes(same));
    for (int64_t b = 0; s && b < matrices(j, left->n ? left : right); b++) {
        j->lib->load(j->a, b * m * n, m, n, a);
        bool finite = j->lib->finite(a, m * n);
        bool ok = finite && j->lib->svd(a, m, n, s, u, nu, vt, nv, work);
        if (!ok) {
            spoil(s, k, sizeof *s);
            spoil(u, m * nu, j->lib->size);
            spoil(vt, nv * n, j->lib->size);
        }
        for (int64_t i = 0; i < k; i++)
            orient(j, i, u, m, vt, n, nv);
        tsr_set_int(info, b, ok ? 0 : finite ? 1 : -4);
        tsr_linalg_real.store(values, b * k, 1, k, s);
        if (mode == 'N')
            continue;
        j->lib->store(left, b * m * nu, m, nu, u);
        j->lib->store(right, b * nv * n, nv, n, vt);
    }
    return s != NULL;
}

/* ---- Eigenvalues of general matrices ---- */

static bool run_gehrd(job *j)
{
    int64_t n = j->n, k = n ? n - 1 : 0;
    if (option(j, "low", 1) != 1 || option(j, "high", 2) != n)
        return tsr_fail(j->c, "reduces a part of a matrix only, which is not done here");
    tsr_tensor *out = square(j) ? own_result(j, 0, n, n) : NULL,
               *taus = out ? own_result(j, 1, k, -1) : NULL;
    tsr_tensor *info = taus ? info_result(j, 2) : NULL;
    void *a = info ? numbers(j, n * n) : NULL, *tau = a ? numbers(j, n) : NULL,
         *work = tau ? numbers(j, n) : NULL;
    for (int64_t b = 0; work && b < matrices(j, out); b++) {
        j->lib->load(j->a, b * n * n, n, n, a);
        j->lib->gehrd(a, n, tau, work);
        j->lib->store(out, b * n * n, n, n, a);
        j->lib->store(taus, b * k, 1, k, tau);
    }
    return work != NULL;
}

/* Scales numbers that are far from one, so that no product of two overflows in double; returns the power of two. */
static int tame(double *a, int64_t count)
{
    double most = 0;
    int exponent = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    if (most == 0 || (most > 0x1p-300 && most < 0x1p300))
        return 0;
    frexp(most, &exponent);
    for (int64_t i = 0; i < count; i++)
        a[i] = ldexp(a[i], -exponent);
    return exponent;
}

static void untame(double *a, int64_t count, int exponent)
{
    for (int64_t i = 0; exponent && i < count; i++)
        a[i] = ldexp(a[i], exponent);
}

/* Copies matrix b to a, if it is finite, scaled to a size that can be computed with: it, and its eigenvalues, must be
 * multiplied by a power of two. */
static bool load_tame(job *j, int64_t b, void *a, int *exponent)
{
    int64_t n = j->n;
    j->lib->load(j->a, b * n * n, n, n, a);
    *exponent = 0;
    if (!j->lib->finite(a, n * n))
        return false;
    *exponent = tame(a, n * n * (int64_t)(j->lib->size / sizeof(double)));
    return true;
}

/* Eigenvalues into one complex result, or into two real ones. */
static bool value_results(job *j, size_t i, tsr_tensor **re, tsr_tensor **im)
{
    *re = own_result(j, i, j->n, -1);
    *im = j->z || !*re ? NULL : own_result(j, i + 1, j->n, -1);
    return *re && (j->z || *im);
}

static void store_values(job *j, int64_t b, tsr_tensor *re, tsr_tensor *im, tsr_z *w, int exponent)
{
    untame((double *)w, 2 * j->n, exponent);
    for (int64_t i = 0; i < j->n; i++) {
        tsr_set_complex(re, b * j->n + i, (tsr_complex){creal(w[i]), cimag(w[i])});
        if (im)
            tsr_set_double(im, b * j->n + i, cimag(w[i]));
    }
}

static bool run_gees(job *j)
{
    int64_t n = j->n;
    size_t extra = j->z ? 0 : 1;
    if (option(j, "sort", 3) == 'S')
        return tsr_fail(j->c, "sorts eigenvalues, which is not done here");
    bool vectors = option(j, "mode", 2) == 'V';
    tsr_tensor *re, *im, *form = square(j) ? own_result(j, 0, n, n) : NULL;
    /* The newer form has vectors before the values, the older one after them; and one work array for complex types. */
    size_t at = j->ffi ? 2 : j->z ? 2 : 1;
    tsr_tensor *basis = form ? own_result(j, j->ffi ? 1 : 3, n, n) : NULL;
    if (!basis || !value_results(j, at, &re, &im))
        return false;
    size_t after = j->ffi ? 3 + extra : 4;
    tsr_tensor *sorted = info_result(j, after), *info = sorted ? info_result(j, after + 1) : NULL;
    void *t = info ? numbers(j, n * n) : NULL, *q = t ? numbers(j, n * n) : NULL,
         *work = q ? numbers(j, 2 * n) : NULL;
    tsr_z *w = work ? complex_numbers(j, n) : NULL;
    for (int64_t b = 0; w && b < matrices(j, form); b++) {
        int exponent;
        int64_t failed = load_tame(j, b, t, &exponent) ? j->lib->schur(t, q, n, w, work) : -4;
        if (failed) {
            spoil(t, n * n, j->lib->size);
            spoil(q, n * n, j->lib->size);
            spoil(w, n, sizeof *w);
        }
        tsr_set_int(info, b, failed);
        untame(t, n * n * (int64_t)(j->lib->size / sizeof(double)), exponent);
        j->lib->store(form, b * n * n, n, n, t);
        if (vectors)
            j->lib->store(basis, b * n * n, n, n, q);
        store_values(j, b, re, im, w, exponent);
    }
    return w != NULL;
}

static bool run_geev(job *j)
{
    int64_t n = j->n;
    bool want_left = option(j, "compute_left", 2) == 'V',
         want_right = option(j, "compute_right", 3) == 'V';
    size_t at = j->ffi ? 0 : j->z ? 2 : 3;
    tsr_tensor *re, *im;
    TSR_TRY(square(j) && value_results(j, at, &re, &im));
    at += j->z ? 1 : 2;
    tsr_tensor *left = complex_result(j, at, n, n),
               *right = left ? complex_result(j, at + 1, n, n) : NULL;
    tsr_tensor *info = right ? info_result(j, at + 2) : NULL;
    void *t = info ? numbers(j, n * n) : NULL,
         *work = t ? complex_numbers(j, 3 * n * n + 3 * n) : NULL;
    tsr_z *w = work ? complex_numbers(j, n) : NULL, *x = w ? complex_numbers(j, 2 * n * n) : NULL;
    tsr_z *vectors[2] = {want_left ? x : NULL, want_right && x ? x + n * n : NULL};
    for (int64_t b = 0; x && b < matrices(j, left); b++) {
        int exponent;
        int64_t failed = load_tame(j, b, t, &exponent)
                             ? j->lib->geev(t, n, w, vectors[0], vectors[1], work)
                             : -4;
        if (failed) {
            spoil(w, n, sizeof *w);
            spoil(x, 2 * n * n, sizeof *x);
        }
        tsr_set_int(info, b, failed);
        for (int side = 0; side < 2; side++)
            if (vectors[side])
                tsr_linalg_complex.store(side ? right : left, b * n * n, n, n, vectors[side]);
        store_values(j, b, re, im, w, exponent);
    }
    return x != NULL;
}

/* ---- Targets ---- */

typedef struct {
    const char *name;    /* after the letter of the type */
    const char *letters; /* types that have it: s, d, c, z; none: all, and the name is complete */
    bool (*run)(job *j);
    uint8_t skip;    /* leading operands of the older form */
    uint8_t nmatrix; /* operands after those */
    uint8_t lead;    /* which of them is the matrix whose dimensions the others follow */
    bool old, ffi;   /* forms that exist */
} target;

// clang-format off
static const target targets[] = {
    {"potrf", "sdcz", run_potrf, 3, 1, 0, true,  true},
    {"getrf", "sdcz", run_getrf, 3, 1, 0, true,  true},
    {"geqrf", "sdcz", run_geqrf, 4, 1, 0, true,  true},
    {"geqp3", "sdcz", run_geqp3, 0, 2, 0, false, true},
    {"orgqr", "sd",   run_orgqr, 5, 2, 0, true,  true},
    {"ungqr", "cz",   run_orgqr, 5, 2, 0, true,  true},
    {"ormqr", "sd",   run_ormqr, 0, 3, 0, false, true},
    {"unmqr", "cz",   run_ormqr, 0, 3, 0, false, true},
    {"gtsv",  "sdcz", run_gtsv,  0, 4, 3, false, true},
    {"syevd", "sd",   run_syevd, 3, 1, 0, true,  true},
    {"heevd", "cz",   run_syevd, 3, 1, 0, true,  true},
    {"gesdd", "sdcz", run_gesdd, 6, 1, 0, true,  true},
    {"gesvd", "sdcz", run_gesdd, 0, 1, 0, false, true},
    {"geev",  "sdcz", run_geev,  4, 1, 0, true,  true},
    {"gees",  "sdcz", run_gees,  4, 1, 0, true,  true},
    {"gehrd", "sdcz", run_gehrd, 6, 1, 0, true,  true},
    {"sytrd", "sd",   run_sytrd, 5, 1, 0, true,  true},
    {"hetrd", "cz",   run_sytrd, 5, 1, 0, true,  true},
    {"trsm",  "sdcz", run_trsm,  8, 2, 0, true,  true},
    {"tridiagonal_solve_perturbed_ffi", "", run_perturbed, 0, 4, 3, false, true},
};
// clang-format on

/* A target whose name does not contain the type. */
static const target *find_whole(tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(targets); i++)
        if (!*targets[i].letters && tsr_str_is(name, targets[i].name))
            return &targets[i];
    return NULL;
}

static const target *find(tsr_str name, bool *ffi, char *letter)
{
    const target *whole = find_whole(name);
    if (whole) {
        *ffi = true;
        *letter = 0;
        return whole;
    }
    bool blas = tsr_str_starts(name, "blas_");
    size_t prefix = blas ? strlen("blas_") : strlen("lapack_"), suffix = strlen("_ffi");
    if ((!blas && !tsr_str_starts(name, "lapack_")) || name.len <= prefix + 1)
        return NULL;
    *letter = name.data[prefix];
    tsr_str rest = tsr_str_of(name.data + prefix + 1, name.len - prefix - 1);
    *ffi = rest.len > suffix && memcmp(rest.data + rest.len - suffix, "_ffi", suffix) == 0;
    if (*ffi)
        rest.len -= suffix;
    for (size_t i = 0; i < TSR_COUNT(targets); i++) {
        const target *t = &targets[i];
        bool is_blas = !*ffi && t->run == run_trsm;
        if (tsr_str_is(rest, t->name) && strchr(t->letters, *letter) && (*ffi ? t->ffi : t->old) &&
            blas == is_blas)
            return t;
    }
    return NULL;
}

/* 0: the operand's own type, if it is one of the four. */
static tsr_dtype type_of_letter(char letter, const tsr_tensor *a)
{
    tsr_dtype own = (tsr_dtype)a->dtype;
    if (!letter)
        return own == TSR_D_F64 || own == TSR_D_C64 || own == TSR_D_C128 ? own : TSR_D_F32;
    return letter == 's'   ? TSR_D_F32
           : letter == 'd' ? TSR_D_F64
           : letter == 'c' ? TSR_D_C64
                           : TSR_D_C128;
}

static bool call(tsr_call *c)
{
    job j = {.c = c};
    char letter = 0;
    const target *t =
        find(tsr_call_attr(c, STABLEHLO_CUSTOM_CALL_call_target_name)->s, &j.ffi, &letter);
    size_t skip = !t || j.ffi ? 0 : t->skip;
    if (!t || c->op->nin < skip + t->nmatrix)
        return tsr_fail(c, "has too few operands for its target");
    for (size_t i = 0; i < skip; i++)
        if (c->in[i]->kind != TSR_TENSOR || c->in[i]->n != 1)
            return tsr_fail(c, "has leading operands that are no scalars");
    j.in = c->in + skip;
    const tsr_tensor *a = j.a = j.in[t->lead];
    if (a->kind != TSR_TENSOR || a->dtype != type_of_letter(letter, a) || a->rank < 2)
        return tsr_fail(c, "needs matrices with elements of type %s",
                        tsr_dtype_name(type_of_letter(letter, a)));
    j.lib = tsr_lapack_of((tsr_dtype)a->dtype);
    j.z = tsr_dtype_is_complex((tsr_dtype)a->dtype);
    j.m = a->dims[a->rank - 2];
    j.n = a->dims[a->rank - 1];
    j.least = j.m < j.n ? j.m : j.n;
    if (!small(j.m, j.n))
        return tsr_fail(c, "has matrices that are too large");
    j.count = 1;
    for (int d = 0; d < a->rank - 2; d++)
        j.count *= a->dims[d];
    bool ok = t->run(&j) && work_results(&j);
    for (size_t i = 0; i < j.nblock; i++)
        tsr_free(j.blocks[i]);
    return ok;
}

bool tsr_lapack_parse(tsr_str name, tsr_lapack_form *out)
{
    const target *t = find(name, &out->ffi, &out->letter);
    if (!t)
        return false;
    out->name = t->name;
    out->skip = out->ffi ? 0 : t->skip;
    out->nmatrix = t->nmatrix;
    return true;
}

eval_fn *tsr_lapack_find(tsr_str name)
{
    bool ffi;
    char letter;
    return find(name, &ffi, &letter) ? call : NULL;
}
