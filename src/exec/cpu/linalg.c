/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - runs cholesky, triangular_solve and factorizations of LAPACK.
 *
 * Each is a movement of whole operands, matrix by matrix. Threads share a batch; a single matrix, or a few large ones,
 * run on all threads (kernel/linalg.h). Results agree with the evaluator's except for rounding: it computes in
 * double. */
#include <math.h>

#include "base/scope.h"
#include "exec/kernel/linalg.h"
#include "exec/kernel/scratch.h"
#include "exec/linalg.h"
#include "exec/cpu/move.h"

/* One matrix of the batch. */
typedef struct {
    const tsr_linalg_plan *p;
    tsr_factor *f;
    char *in[TSR_LINALG_OPERANDS], *out[TSR_LINALG_RESULTS];
    /* Scratch: values of a spectrum, in double; the original matrix of an in-place cholesky. */
    char *own;
} matrix_run;

/* ---- One matrix ---- */

static int64_t size_of(const matrix_run *t)
{
    return tsr_dtype_bytes(t->p->type);
}

static tsr_matrix by_rows(char *at, int64_t cols)
{
    return (tsr_matrix){at, cols, 1, false};
}

static tsr_matrix transposed(tsr_matrix a, bool yes)
{
    return yes ? (tsr_matrix){a.at, a.cs, a.rs, a.conj} : a;
}

/* from and to may be the same buffer. */
static void copy_all(char *to, const char *from, int64_t count, const matrix_run *t)
{
    if (to != from)
        memcpy(to, from, (size_t)(count * size_of(t)));
}

static void spoil(char *to, int64_t count, tsr_dtype d)
{
    const double nan[2] = {NAN, 0};
    for (int64_t i = 0; i < count; i++)
        tsr_convert(d, to + i * (int64_t)tsr_dtype_bytes(d), TSR_D_C128, nan, 1);
}

/* Sets the triangle that was not read: to its original contents, or to zero. */
static void restore(const matrix_run *t)
{
    int64_t n = t->p->n, size = size_of(t);
    for (int64_t i = 0; i < n; i++) {
        int64_t first = t->p->how.lower ? i + 1 : 0, count = t->p->how.lower ? n - 1 - i : i;
        char *row = t->out[0] + (i * n + first) * size;
        if (t->p->factor)
            memset(row, 0, (size_t)(count * size));
        else
            copy_all(row, t->in[0] + (i * n + first) * size, count, t);
    }
}

static void run_potrf(matrix_run *t)
{
    int64_t n = t->p->n;
    copy_all(t->out[0], t->in[0], n * n, t);
    if (t->in[0] == t->out[0] && !t->p->factor) {
        copy_all(t->own, t->in[0], n * n, t);
        t->in[0] = t->own;
    }
    int64_t info = tsr_factor_potrf(t->f, transposed(by_rows(t->out[0], n), !t->p->how.lower), n);
    if (!t->p->factor)
        *(int32_t *)t->out[1] = (int32_t)info;
    if (info && t->p->factor)
        spoil(t->out[0], n * n, t->p->type);
    else if (info)
        copy_all(t->out[0], t->in[0], n * n, t);
    else
        restore(t);
}

static void run_solve(matrix_run *t)
{
    const tsr_linalg_plan *p = t->p;
    tsr_matrix a = by_rows(t->in[0], p->n), b = by_rows(t->out[0], p->cols);
    bool transposes = (p->how.trans != 'N') == p->how.left; /* x a = b is a^T x^T = b^T */
    a = transposed(a, transposes);
    a.conj = p->how.trans == 'C';
    copy_all(t->out[0], t->in[1], p->rows * p->cols, t);
    tsr_factor_solve(t->f, a, p->how.lower == transposes, p->how.unit, p->n,
                     transposed(b, !p->how.left), p->how.left ? p->cols : p->rows);
}

static void run_getrf(matrix_run *t)
{
    int64_t m = t->p->m, n = t->p->n;
    copy_all(t->out[0], t->in[0], m * n, t);
    *(int32_t *)t->out[2] =
        (int32_t)tsr_factor_getrf(t->f, by_rows(t->out[0], n), m, n, (int32_t *)t->out[1]);
}

static void run_geqrf(matrix_run *t)
{
    int64_t m = t->p->m, n = t->p->n;
    copy_all(t->out[0], t->in[0], m * n, t);
    tsr_factor_geqrf(t->f, by_rows(t->out[0], n), m, n, t->out[1]);
}

static void run_orgqr(matrix_run *t)
{
    const tsr_linalg_plan *p = t->p;
    tsr_factor_orgqr(t->f, by_rows(t->in[0], p->n), p->m, p->n, p->k, t->in[1],
                     by_rows(t->out[0], p->n));
}

static void run_ormqr(matrix_run *t)
{
    const tsr_linalg_plan *p = t->p;
    bool left = p->how.left;
    copy_all(t->out[0], t->in[2], p->rows * p->cols, t);
    tsr_factor_ormqr(t->f, !left, p->adjoint, by_rows(t->in[0], p->n), p->m, p->k, t->in[1],
                     transposed(by_rows(t->out[0], p->cols), !left), left ? p->cols : p->rows);
}

/* Converts count doubles to the type and stores them. */
static void put_doubles(const matrix_run *t, char *to, const double *from, int64_t count)
{
    tsr_convert(t->p->type, to, TSR_D_F64, from, count);
}

static void run_syevd(matrix_run *t)
{
    int64_t n = t->p->n;
    double *w = (double *)t->own;
    int64_t failed =
        tsr_factor_eigen(t->f, t->in[0], n, t->p->how.lower, w, t->p->vectors ? t->out[0] : NULL);
    *(int32_t *)t->out[2] = (int32_t)failed;
    put_doubles(t, t->out[1], w, n);
    if (failed)
        spoil(t->out[1], n, t->p->type);
    if (failed && t->p->vectors)
        spoil(t->out[0], n * n, t->p->type);
    if (!t->p->vectors)
        copy_all(t->out[0], t->in[0], n * n, t);
}

static void run_gesdd(matrix_run *t)
{
    const tsr_linalg_plan *p = t->p;
    double *s = (double *)t->own;
    int64_t k = p->m < p->n ? p->m : p->n;
    copy_all(t->out[0], t->in[0], p->m * p->n, t);
    if (!p->vectors) {
        memset(t->out[2], 0, (size_t)(p->m * p->rows * size_of(t)));
        memset(t->out[3], 0, (size_t)(p->cols * p->n * size_of(t)));
    }
    int64_t failed = tsr_factor_svd(t->f, t->in[0], p->m, p->n, s, p->vectors ? t->out[2] : NULL,
                                    p->rows, t->out[3], p->cols);
    *(int32_t *)t->out[4] = (int32_t)failed;
    put_doubles(t, t->out[1], s, k);
    if (failed)
        spoil(t->out[1], k, p->type);
    if (failed && p->vectors) {
        spoil(t->out[2], p->m * p->rows, p->type);
        spoil(t->out[3], p->cols * p->n, p->type);
    }
}

static void (*const runs[])(matrix_run *t) = {
    [TSR_LINALG_POTRF] = run_potrf, [TSR_LINALG_SOLVE] = run_solve, [TSR_LINALG_GETRF] = run_getrf,
    [TSR_LINALG_GEQRF] = run_geqrf, [TSR_LINALG_ORGQR] = run_orgqr, [TSR_LINALG_ORMQR] = run_ormqr,
    [TSR_LINALG_SYEVD] = run_syevd, [TSR_LINALG_GESDD] = run_gesdd,
};

/* ---- Batches ---- */

typedef struct {
    const tsr_run *r;
    const tsr_node *node;
    const tsr_linalg_plan *p;
    int64_t each; /* matrices of a chunk */
    char *scratch;
    int64_t scratch_bytes, own_bytes; /* per thread: in all, and for `own` */
    atomic_bool starved;
} batch;

static char *matrix_at(const batch *x, tsr_xid v, int64_t i)
{
    const tsr_xvalue *value = &x->r->p->values.data[v];
    return tsr_run_at(x->r, v) +
           value->n / x->p->count * i * (int64_t)tsr_dtype_bytes((tsr_dtype)value->dtype);
}

static void chunk(void *ctx, int64_t number, int worker)
{
    batch *x = ctx;
    tsr_factor f = {.type = x->p->type, .scratch = x->scratch + worker * x->scratch_bytes};
    matrix_run t = {.p = x->p, .f = &f, .own = f.scratch + x->scratch_bytes - x->own_bytes};
    for (int64_t i = number * x->each; i < (number + 1) * x->each && i < x->p->count; i++) {
        for (uint32_t k = 0; k < x->node->nin; k++)
            t.in[k] = matrix_at(x, x->node->in[k], i);
        for (uint32_t k = 0; k < x->node->nout; k++)
            t.out[k] = matrix_at(x, x->node->out[k], i);
        runs[x->p->kind](&t);
        tsr_poll();
    }
    if (f.starved)
        atomic_store(&x->starved, true);
}

bool tsr_run_matrices(const tsr_run *r, const tsr_node *n)
{
    enum { CHUNK = 1 << 14, LARGE = 1 << 16 }; /* elements */
    batch x = {.r = r, .node = n, .p = n->matrices};
    const tsr_linalg_plan *p = x.p;
    int64_t rows = p->m > p->rows ? p->m : p->rows, cols = p->n > p->cols ? p->n : p->cols;
    bool alone = p->count < tsr_pool_size() &&
                 rows * cols >= LARGE; /* run one after the other, each on all threads */
    int64_t least = p->m < p->n ? p->m : p->n;
    int64_t vectors = !p->vectors ? least : p->m < p->n ? p->cols : p->rows;
    bool keeps = p->kind == TSR_LINALG_POTRF && p->over && !p->factor;
    x.own_bytes = p->spectrum ? least * 8 : keeps ? p->m * p->n * tsr_dtype_bytes(p->type) : 0;
    x.own_bytes = (x.own_bytes + 63) / 64 * 64;
    x.scratch_bytes =
        p->spectrum ? tsr_spectrum_scratch(p->type, p->m, p->n, vectors > least ? vectors : least)
                    : tsr_factor_scratch(p->type, rows, cols);
    x.scratch_bytes = (x.scratch_bytes + 63) / 64 * 64 + x.own_bytes;
    x.scratch = tsr_scratch_new(r->room, x.scratch_bytes * tsr_pool_size());
    if (!x.scratch)
        return false;
    x.each = p->count == 1 || alone ? p->count : rows * cols < CHUNK ? CHUNK / (rows * cols) : 1;
    if (x.each >= p->count)
        chunk(&x, 0, 0);
    else
        tsr_pool_for((p->count + x.each - 1) / x.each, chunk, &x);
    tsr_free(x.scratch);
    return !atomic_load(&x.starved);
}
