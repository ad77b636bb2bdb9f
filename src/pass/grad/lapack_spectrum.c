/* SPDX-License-Identifier: Apache-2.0 */
/* lapack_spectrum.c - derivatives of LAPACK's eigenvalues and singular values, and of their vectors, as far as those
 * are well defined: values are assumed to be distinct. Vectors of Hermitian matrices, and singular vectors, change
 * orthogonally to themselves. */
#include "pass/grad/lapack.h"

/* 1 / x off the diagonal, 0 on it, where x is 0. */
static tsr_value *inverse_beside(tsr_build *b, tsr_value *x)
{
    tsr_value *one = f_const(b, x, 1);
    return f_sub(b, f_div(b, one, tsr_mat_join(b, x, one, x)), tsr_mat_join(b, NULL, one, NULL));
}

/* w[j] - w[i] in a matrix like m. */
static tsr_value *gaps(tsr_build *b, tsr_value *w, tsr_value *m)
{
    return f_sub(b, tsr_mat_as_rows(b, w, m), tsr_mat_as_cols(b, w, m));
}

static tsr_value *real_part(tsr_build *b, tsr_value *x)
{
    return tsr_mat_is_complex(x) ? f_real(b, x) : x;
}

/* ---- Hermitian matrices: a v = v w ---- */

bool tsr_lapack_syevd(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    bool lower;
    int64_t mode = 'V';
    TSR_TRY(tsr_lapack_lower(j->op, &j->name, 0, &lower));
    if (j->name.ffi)
        TSR_TRY(tsr_lapack_ask(j->op, &j->name, "mode", 0, &mode));
    tsr_value *v = &j->op->out[0], *w = &j->op->out[1], *a = tsr_lapack_matrix(j);
    if (mode != 'V') {
        if (j->want[0])
            return tsr_grad_none(j->op, "without vectors its first result is no function");
        const char *options[] = {"mode", "V", "uplo", lower ? "L" : "U", NULL};
        tsr_type *types[] = {v->type, w->type, j->op->out[2].type};
        tsr_op *full = tsr_lapack_call(j, j->name.name, &a, 1, types, 3, options);
        v = &full->out[0];
    }
    tsr_value *s = tsr_mat_hermitian(b, j->t[0], lower);
    tsr_value *p = tsr_mat_product(b, tsr_mat_product(b, tsr_mat_adjoint(b, v), s), v);
    if (j->want[1])
        j->out[1] = tsr_mat_diagonal(b, real_part(b, p));
    if (j->want[0]) {
        tsr_value *f = tsr_mat_as(b, inverse_beside(b, gaps(b, w, p)), tsr_elem(p));
        j->out[0] = tsr_mat_product(b, v, f_mul(b, f, p));
    }
    return true;
}

/* ---- Singular values: a = u s v^H ---- */

typedef struct {
    tsr_value *u, *vh, *s; /* of the reduced kind: min(m, n) vectors each */
} svd;

/* The vectors of the op, or of another call if it has none. */
static svd vectors_of(tsr_lapack_job *j, int64_t mode, int64_t m, int64_t n, int64_t k)
{
    tsr_build *b = j->b;
    tsr_value *a = tsr_lapack_matrix(j), *u = &j->op->out[2], *vh = &j->op->out[3];
    if (mode == 'N') {
        const char *options[] = {"mode", "S", NULL};
        tsr_value *left = tsr_mat_eye(b, a, m, k), *right = tsr_mat_eye(b, a, k, n);
        tsr_type *types[] = {a->type, j->op->out[1].type, left->type, right->type,
                             j->op->out[4].type};
        tsr_op *full = tsr_lapack_call(j, "gesdd", &a, 1, types, 5, options);
        u = &full->out[2];
        vh = &full->out[3];
    }
    return (svd){tsr_mat_part(b, u, 0, m, 0, k), tsr_mat_part(b, vh, 0, k, 0, n), &j->op->out[1]};
}

/* The change of v outside of the space that it spans: (a' u - v v^H a' u) / s, with a' given as au = a'^H u. */
static tsr_value *outside(tsr_build *b, tsr_value *v, tsr_value *au, tsr_value *s)
{
    tsr_value *inside = tsr_mat_product(b, v, tsr_mat_product(b, tsr_mat_adjoint(b, v), au));
    return f_div(b, f_sub(b, au, inside), tsr_mat_as_rows(b, tsr_mat_as(b, s, tsr_elem(v)), au));
}

static void vector_tangents(tsr_lapack_job *j, svd f, tsr_value *ds, tsr_value *t)
{
    tsr_build *b = j->b;
    int64_t m = tsr_mat_rows(t), n = tsr_mat_cols(t);
    tsr_type *elem = tsr_elem(ds);
    tsr_value *v = tsr_mat_adjoint(b, f.vh);
    tsr_value *across = tsr_mat_as_rows(b, f.s, ds), *down = tsr_mat_as_cols(b, f.s, ds);
    tsr_value *gap = f_mul(b, f_add(b, across, down), f_sub(b, across, down));
    tsr_value *by = tsr_mat_as(b, inverse_beside(b, gap), elem);
    tsr_value *right = f_mul(b, tsr_mat_as(b, across, elem), ds),
              *left = f_mul(b, tsr_mat_as(b, down, elem), ds);
    tsr_value *du = f_mul(b, by, f_add(b, right, tsr_mat_adjoint(b, right)));
    tsr_value *dv = f_mul(b, by, f_add(b, left, tsr_mat_adjoint(b, left)));
    if (elem->kind == TSR_TYPE_COMPLEX) {
        /* The common phase of both is assigned to u. */
        tsr_value *zero = f_const(b, f.s, 0), *one = f_const(b, f.s, 1), *none = f_eq(b, f.s, zero);
        tsr_value *inverse = f_select(b, none, zero, f_div(b, one, f_select(b, none, one, f.s)));
        tsr_value *skew = f_mulc(b, f_sub(b, ds, tsr_mat_adjoint(b, ds)), 0.5);
        skew = f_mul(b, skew, tsr_mat_as(b, tsr_mat_as_rows(b, inverse, ds), elem));
        du = f_add(b, du, tsr_mat_join(b, NULL, skew, NULL));
    }
    du = tsr_mat_product(b, f.u, du);
    dv = tsr_mat_product(b, v, dv);
    if (m > n)
        du = f_add(b, du, outside(b, f.u, tsr_mat_product(b, t, v), f.s));
    if (n > m)
        dv = f_add(b, dv, outside(b, v, tsr_mat_product(b, tsr_mat_adjoint(b, t), f.u), f.s));
    j->out[2] = du;
    j->out[3] = tsr_mat_adjoint(b, dv);
}

bool tsr_lapack_gesdd(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    tsr_value *a = tsr_lapack_matrix(j), *t = j->t[0];
    int64_t m = tsr_mat_rows(a), n = tsr_mat_cols(a), k = m < n ? m : n, mode;
    if (j->name.ffi) {
        TSR_TRY(tsr_lapack_ask(j->op, &j->name, "mode", 0, &mode));
    } else { /* operands say whether all vectors are requested, and whether any are */
        int64_t full, vectors;
        TSR_TRY(tsr_lapack_ask(j->op, &j->name, "", 0, &full) &&
                tsr_lapack_ask(j->op, &j->name, "", 1, &vectors));
        mode = !vectors ? 'N' : full ? 'A' : 'S';
    }
    bool vectors = j->want[2] || j->want[3];
    if (j->want[0] || (vectors && mode == 'N'))
        return tsr_grad_none(
            j->op, "only singular values, and vectors that were asked for, have derivatives");
    if (vectors && mode == 'A' && m != n)
        return tsr_grad_none(j->op, "vectors of the null space are not determined by the matrix");
    svd f = vectors_of(j, mode, m, n, k);
    tsr_value *ds = tsr_mat_product(b, tsr_mat_product(b, tsr_mat_adjoint(b, f.u), t),
                                    tsr_mat_adjoint(b, f.vh));
    if (j->want[1])
        j->out[1] = tsr_mat_diagonal(b, real_part(b, ds));
    if (vectors)
        vector_tangents(j, f, ds, t);
    return true;
}

/* ---- Any matrices: a v = v w, l^H a = w l^H ---- */

/* The tangent of vectors v with p = v^-1 a' v: u + c v, where c preserves their length, and keeps their largest element
 * real. */
static tsr_value *eigenvector_tangent(tsr_build *b, tsr_value *w, tsr_value *v, tsr_value *p)
{
    int64_t rows = v->type->n - 2;
    tsr_value *u = tsr_mat_product(b, v, f_mul(b, inverse_beside(b, gaps(b, w, p)), p));
    tsr_value *size = f_abs(b, v), *row = tsr_build_iota(b, size, b->ctx->i32, rows);
    tsr_value *most = tsr_grad_reduce(b, TSR_OP_STABLEHLO_MAXIMUM, size,
                                      tsr_grad_scalar(b, tsr_elem(size), 0), &rows, 1);
    tsr_value *far = f_const(b, row, (double)tsr_mat_rows(v));
    tsr_value *places = f_select(b, f_eq(b, size, tsr_mat_as_rows(b, most, size)), row, far);
    tsr_value *end = tsr_build_int(b, b->ctx->i32, tsr_mat_rows(v));
    tsr_value *first = tsr_grad_reduce(b, TSR_OP_STABLEHLO_MINIMUM, places, end, &rows, 1);
    tsr_value *here = f_eq(b, row, tsr_mat_as_rows(b, first, row)), *zero = f_const(b, u, 0);
    tsr_value *re = f_real(b, tsr_grad_sum(b, f_mul(b, tsr_grad_conj(b, v), u), &rows, 1));
    tsr_value *im = f_imag(b, tsr_grad_sum(b, f_select(b, here, u, zero), &rows, 1));
    tsr_value *by = f_real(b, tsr_grad_sum(b, f_select(b, here, v, zero), &rows, 1));
    tsr_value *c = f_complex(b, f_neg(b, re), f_neg(b, f_div(b, im, by)));
    return f_add(b, u, f_mul(b, v, tsr_mat_as_rows(b, c, v)));
}

/* x^-1 for the vectors of one side, from those of the other: (y^H x)^-1 y^H, where y^H x is diagonal. */
static tsr_value *by_other_side(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *a)
{
    tsr_value *yh = tsr_mat_adjoint(b, y);
    tsr_value *scale = tsr_mat_diagonal(b, tsr_mat_product(b, yh, x));
    tsr_value *p = tsr_mat_product(b, tsr_mat_product(b, yh, a), x);
    return f_div(b, p, tsr_mat_as_cols(b, scale, p));
}

bool tsr_lapack_geev(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    tsr_op *op = j->op;
    tsr_value *a = tsr_lapack_matrix(j);
    bool z = tsr_mat_is_complex(a);
    int64_t left, right;
    TSR_TRY(tsr_lapack_ask(op, &j->name, "compute_left", 2, &left) &&
            tsr_lapack_ask(op, &j->name, "compute_right", 3, &right));
    uint32_t at = j->name.ffi ? 0 : z ? 2 : 3, nvalue = z ? 1 : 2, vl = at + nvalue, vr = vl + 1;
    if ((j->want[vl] && left != 'V') || (j->want[vr] && right != 'V'))
        return tsr_grad_none(op, "vectors that were not asked for have no derivative");
    for (uint32_t i = 0; i < at; i++)
        if (j->want[i])
            return tsr_grad_none(op, "work memory has no derivative");
    tsr_type_vec types = {0};
    for (uint32_t i = at; i < vr + 2; i++)
        tsr_vec_push(&types, op->out[i].type);
    const char *options[] = {"compute_left", "V", "compute_right", "V", NULL};
    tsr_op *full = tsr_lapack_call(j, "geev", &a, 1, types.data, types.n, options);
    tsr_vec_free(&types);
    tsr_value *l = &full->out[nvalue], *r = &full->out[nvalue + 1];
    tsr_value *w = z ? &full->out[0] : f_complex(b, &full->out[0], &full->out[1]);
    tsr_value *t = tsr_mat_as(b, j->t[0], tsr_elem(r)), *p = by_other_side(b, r, l, t);
    tsr_value *dw = tsr_mat_diagonal(b, p);
    if (j->want[at])
        j->out[at] = z ? dw : f_real(b, dw);
    if (!z && j->want[at + 1])
        j->out[at + 1] = f_imag(b, dw);
    if (j->want[vr])
        j->out[vr] = eigenvector_tangent(b, w, r, p);
    if (j->want[vl]) {
        tsr_value *pl = by_other_side(b, l, r, tsr_mat_adjoint(b, t));
        j->out[vl] = eigenvector_tangent(b, tsr_grad_conj(b, w), l, pl);
    }
    return true;
}
