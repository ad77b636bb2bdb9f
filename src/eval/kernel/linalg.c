/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - cholesky and triangular_solve, matrix by matrix, in double (eval/math/linalg.h), rounded once. */
#include <math.h>
#include <stdlib.h>

#include "dialect/stablehlo/cases.h"
#include "eval/eval.h"
#include "eval/math/linalg.h"

eval_fn eval_cholesky, eval_triangular_solve;

/* How many matrices a tensor holds, and their size; false if it holds none. */
static bool matrices(const tsr_tensor *t, int64_t *count, int64_t *m, int64_t *n)
{
    if (t->kind != TSR_TENSOR || t->rank < 2)
        return false;
    *m = t->dims[t->rank - 2];
    *n = t->dims[t->rank - 1];
    *count = 1;
    for (int d = 0; d < t->rank - 2; d++)
        *count *= t->dims[d];
    return tsr_dtype_is_float((tsr_dtype)t->dtype) || tsr_dtype_is_complex((tsr_dtype)t->dtype);
}

/* Sets the other triangle of a factor to zero; all of it to NaN if the factorization failed. */
static void finish_factor(const tsr_linalg *lib, void *a, int64_t n, bool lower, bool failed)
{
    char *bytes = a;
    size_t parts = lib->size / sizeof(double);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double *at = (double *)(bytes + (size_t)(i + j * n) * lib->size);
            if (failed || (i != j && (i < j) == lower))
                for (size_t k = 0; k < parts; k++)
                    at[k] = failed && k == 0 ? NAN : 0;
        }
}

bool eval_cholesky(tsr_call *c)
{
    const tsr_attr *attr = tsr_call_attr(c, STABLEHLO_CHOLESKY_lower);
    const tsr_tensor *in = c->in[0];
    bool lower = attr && attr->i != 0;
    int64_t count, m, n;
    if (!matrices(in, &count, &m, &n) || m != n)
        return tsr_fail(c, "needs square matrices of floats or complex numbers");
    tsr_tensor *out = tsr_call_new(c, 0, in->dims, in->rank);
    TSR_TRY(out != NULL);
    if (out->dtype != in->dtype)
        return tsr_fail(c, "has a result of another type than its operand");
    const tsr_linalg *lib = tsr_linalg_of((tsr_dtype)in->dtype);
    void *a = tsr_malloc((size_t)(n * n + 1) * lib->size);
    if (!a)
        return tsr_fail_memory(c, "a matrix");
    for (int64_t b = 0; out->n && b < count; b++) { /* there may be very many empty matrices */
        lib->load(in, b * n * n, n, n, a);
        finish_factor(lib, a, n, lower, lib->potrf(a, n, lower) != 0);
        lib->store(out, b * n * n, n, n, a);
    }
    tsr_free(a);
    return true;
}

bool eval_triangular_solve(tsr_call *c)
{
    const tsr_tensor *a = c->in[0], *b = c->in[1];
    static const char letters[] = {'N', 'N', 'T', 'C'};
    int64_t trans = tsr_call_attr(c, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i;
    tsr_triangle how = {.left = tsr_call_attr(c, STABLEHLO_TRIANGULAR_SOLVE_left_side)->i != 0,
                        .lower = tsr_call_attr(c, STABLEHLO_TRIANGULAR_SOLVE_lower)->i != 0,
                        .unit = tsr_call_attr(c, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal)->i != 0};
    int64_t count, rows, k, others, m, n;
    if (trans < TSR_SOLVE_NO_TRANSPOSE || trans > TSR_SOLVE_ADJOINT)
        return tsr_fail(c, "has a transpose_a that is none");
    how.trans = letters[trans];
    if (!matrices(a, &count, &rows, &k) || !matrices(b, &others, &m, &n) || rows != k ||
        count != others || k != (how.left ? m : n) || a->dtype != b->dtype)
        return tsr_fail(c, "has operands that do not fit each other");
    tsr_tensor *out = tsr_call_new(c, 0, b->dims, b->rank);
    TSR_TRY(out != NULL);
    if (out->dtype != b->dtype)
        return tsr_fail(c, "has a result of another type than its operands");
    const tsr_linalg *lib = tsr_linalg_of((tsr_dtype)a->dtype);
    char *left = tsr_malloc((size_t)(k * k + m * n + 1) * lib->size);
    if (!left)
        return tsr_fail_memory(c, "a matrix");
    char *right = left + (size_t)(k * k) * lib->size;
    for (int64_t i = 0; out->n && i < count; i++) {
        lib->load(a, i * k * k, k, k, left);
        lib->load(b, i * m * n, m, n, right);
        lib->trsm(&how, left, right, m, n);
        lib->store(out, i * m * n, m, n, right);
    }
    tsr_free(left);
    return true;
}
