/* SPDX-License-Identifier: Apache-2.0 */
/* lapack_factor.c - derivatives of LAPACK's factorisations (Cholesky, LU, QR), and of solving with factors. */
#include "pass/grad/lapack.h"

static bool is_square(const tsr_lapack_job *j)
{
    const tsr_value *a = tsr_lapack_matrix(j);
    return a->type->n >= 2 && tsr_mat_rows(a) == tsr_mat_cols(a);
}

static bool misfit(const tsr_op *op)
{
    return tsr_grad_none(op, "its operands do not fit its target");
}

/* ---- Cholesky ---- */

/* The other triangle of the result is the operand's. */
bool tsr_lapack_potrf(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    bool lower;
    TSR_TRY(is_square(j) || misfit(j->op));
    TSR_TRY(tsr_lapack_lower(j->op, &j->name, 0, &lower));
    tsr_value *factor = tsr_mat_triangle(b, &j->op->out[0], lower, 1), *t = j->t[0];
    tsr_value *l = lower ? factor : tsr_mat_adjoint(b, factor);
    tsr_value *dl = tsr_grad_cholesky_tangent(b, l, lower ? t : tsr_mat_adjoint(b, t));
    dl = lower ? dl : tsr_mat_adjoint(b, dl);
    j->out[0] = tsr_mat_join(b, lower ? dl : t, dl, lower ? t : dl);
    return true;
}

/* ---- LU: p a = l u ---- */

/* One step of a loop over (i, rows, pivots): swaps rows i and pivots[i] - 1. */
static void swap_step(tsr_build *b, tsr_value *const *v, tsr_value **out)
{
    tsr_value *i = v[0], *rows = v[1], *pivots = v[2];
    int64_t last = rows->type->n - 1;
    tsr_i64_vec lead = {0};
    for (int64_t d = 0; d < last; d++)
        tsr_vec_push(&lead, d);
    tsr_value *place = tsr_build_iota(b, rows, b->ctx->i32, last);
    tsr_value *at = tsr_build_iota(b, pivots, b->ctx->i32, last),
              *here = tsr_grad_fill(b, i, pivots);
    /* Selects one element as a sum in which all others are zero. */
    tsr_value *j = tsr_grad_sum(
        b, f_select(b, f_eq(b, at, here), f_subc(b, pivots, 1), f_const(b, pivots, 0)), &last, 1);
    tsr_value *is_i = f_eq(b, place, tsr_grad_fill(b, i, rows));
    tsr_value *is_j = f_eq(b, place, tsr_build_spread(b, j, lead.data, rows));
    tsr_value *zero = f_const(b, rows, 0);
    tsr_value *x = tsr_grad_sum(b, f_select(b, is_i, rows, zero), &last, 1);
    tsr_value *y = tsr_grad_sum(b, f_select(b, is_j, rows, zero), &last, 1);
    tsr_value *swapped = f_select(b, is_j, tsr_build_spread(b, x, lead.data, rows), rows);
    out[0] = f_addc(b, i, 1);
    out[1] = f_select(b, is_i, tsr_build_spread(b, y, lead.data, rows), swapped);
    out[2] = pivots;
    tsr_vec_free(&lead);
}

/* By row of p a, for m rows: the row of a that it is. */
static tsr_value *permutation(tsr_build *b, tsr_value *pivots, int64_t m)
{
    tsr_type *i32 = b->ctx->i32;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < pivots->type->n; i++)
        tsr_vec_push(&dims, i + 1 < pivots->type->n ? pivots->type->dims[i] : m);
    tsr_value *zero = tsr_build_broadcast(b, tsr_build_int(b, i32, 0), NULL,
                                          tsr_static_type(b->ctx, dims.data, dims.n, i32));
    tsr_vec_free(&dims);
    tsr_value *in[] = {tsr_build_int(b, i32, 0), tsr_build_iota(b, zero, i32, zero->type->n - 1),
                       pivots},
              *out[3];
    tsr_type *types[] = {in[0]->type, in[1]->type, in[2]->type};
    tsr_op *loop = tsr_build_open(b, TSR_OP_STABLEHLO_WHILE, in, 3, 3, 2);
    tsr_build cond = tsr_build_in(b, &loop->regions[0], types, 3);
    tsr_value *more = f_lt(&cond, cond.block->args[0],
                           tsr_build_int(&cond, i32, pivots->type->dims[pivots->type->n - 1]));
    tsr_build_return(&cond, &more, 1);
    tsr_build_free(&cond);
    tsr_build body = tsr_build_in(b, &loop->regions[1], types, 3);
    swap_step(&body, body.block->args, out);
    tsr_build_return(&body, out, 3);
    tsr_build_free(&body);
    return &tsr_build_close_as(b, loop, types)->out[1];
}

/* Rows of x permuted, as a product with a matrix of ones and zeros. */
static tsr_value *permuted_rows(tsr_build *b, tsr_value *rows, tsr_value *x)
{
    int64_t m = tsr_mat_rows(x);
    tsr_value *one = tsr_mat_eye(b, x, m, m),
              *col = tsr_build_iota(b, one, b->ctx->i32, one->type->n - 1);
    tsr_value *is = f_eq(b, tsr_mat_as_cols(b, rows, one), col);
    return tsr_mat_product(b, f_select(b, is, f_const(b, one, 1), f_const(b, one, 0)), x);
}

/* l^-1 l' + u' u^-1 = l^-1 a' u^-1: a lower and an upper triangle. The shorter side is padded with the identity. */
bool tsr_lapack_getrf(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    tsr_value *lu = &j->op->out[0], *t = j->t[0];
    int64_t m = tsr_mat_rows(lu), n = tsr_mat_cols(lu), k = m < n ? m : n;
    tsr_value *l = tsr_mat_pad(b, tsr_mat_part(b, lu, 0, m, 0, k), m, m);
    tsr_value *u = tsr_mat_pad(b, tsr_mat_part(b, lu, 0, k, 0, n), n, n);
    tsr_value *ones = n > k ? tsr_mat_eye(b, lu, n, n) : NULL;
    l = tsr_mat_join(b, l, tsr_mat_eye(b, lu, m, m), NULL);
    if (ones) {
        tsr_value *row = tsr_build_iota(b, u, b->ctx->i32, u->type->n - 2);
        u = f_select(b, f_gec(b, row, (double)k), ones, u);
    }
    u = tsr_mat_triangle(b, u, false, 1);
    t = permuted_rows(b, permutation(b, &j->op->out[1], m), t);
    t = tsr_mat_solve(
        b, l, t,
        (tsr_mat_how){
            .left = true, .lower = true, .unit = true, .transpose = TSR_SOLVE_NO_TRANSPOSE});
    t = tsr_mat_solve(b, u, t, (tsr_mat_how){.transpose = TSR_SOLVE_NO_TRANSPOSE});
    j->out[0] = f_add(b, tsr_mat_product(b, l, tsr_mat_triangle(b, t, true, 0)),
                      tsr_mat_product(b, tsr_mat_triangle(b, t, false, 1), u));
    return true;
}

/* ---- QR: reflections h = 1 - tau v v^H, whose product is 1 - v t v^H ---- */

typedef struct {
    tsr_value *v, *t; /* of all reflections: m x k, and an upper triangle */
} reflections;

/* The first k columns of a hold v below ones; t = (1 + d s)^-1 d, where d are the taus and s is v^H v above the
 * diagonal. */
static reflections reflections_of(tsr_build *b, tsr_value *a, tsr_value *taus)
{
    int64_t m = tsr_mat_rows(a), k = taus->type->dims[taus->type->n - 1];
    tsr_value *v = tsr_mat_join(b, tsr_mat_part(b, a, 0, m, 0, k), tsr_mat_eye(b, a, m, k), NULL);
    tsr_value *s = tsr_mat_product(b, tsr_mat_adjoint(b, v), v);
    tsr_value *ds = tsr_mat_triangle(b, f_mul(b, tsr_mat_as_cols(b, taus, s), s), false, 0);
    tsr_value *d = tsr_mat_join(b, NULL, tsr_mat_as_cols(b, taus, s), NULL);
    tsr_mat_how how = {.left = true, .unit = true, .transpose = TSR_SOLVE_NO_TRANSPOSE};
    return (reflections){v, tsr_mat_solve(b, ds, d, how)};
}

/* The first columns of the product. */
static tsr_value *columns_of(tsr_build *b, reflections h, int64_t cols)
{
    int64_t m = tsr_mat_rows(h.v), k = tsr_mat_cols(h.v);
    tsr_value *top = tsr_mat_adjoint(b, tsr_mat_part(b, h.v, 0, cols, 0, k));
    return f_sub(b, tsr_mat_eye(b, h.v, m, cols),
                 tsr_mat_product(b, tsr_mat_product(b, h.v, h.t), top));
}

static bool is_factor(const tsr_value *a, const tsr_value *taus)
{
    return a->type->n >= 2 && taus->type->n + 1 == a->type->n &&
           taus->type->dims[taus->type->n - 1] <= tsr_mat_cols(a) &&
           taus->type->dims[taus->type->n - 1] <= tsr_mat_rows(a);
}

bool tsr_lapack_orgqr(tsr_op *op, const tsr_lapack_form *name, tsr_build *b, tsr_value **out)
{
    tsr_value *a = tsr_lapack_in(op, name, 0), *taus = tsr_lapack_in(op, name, 1);
    TSR_TRY((is_factor(a, taus) && tsr_mat_cols(a) <= tsr_mat_rows(a)) || misfit(op));
    out[0] = columns_of(b, reflections_of(b, a, taus), tsr_mat_cols(a));
    return true;
}

bool tsr_lapack_ormqr(tsr_op *op, const tsr_lapack_form *name, tsr_build *b, tsr_value **out)
{
    tsr_value *a = tsr_lapack_in(op, name, 0), *taus = tsr_lapack_in(op, name, 1),
              *c = tsr_lapack_in(op, name, 2);
    int64_t left, adjoint;
    TSR_TRY(tsr_lapack_ask(op, name, "left", 0, &left) &&
            tsr_lapack_ask(op, name, "transpose", 0, &adjoint));
    TSR_TRY((is_factor(a, taus) && c->type->n == a->type->n) || misfit(op));
    reflections h = reflections_of(b, a, taus);
    tsr_value *t = adjoint ? tsr_mat_adjoint(b, h.t) : h.t, *vh = tsr_mat_adjoint(b, h.v);
    tsr_value *moved =
        left ? tsr_mat_product(b, h.v, tsr_mat_product(b, t, tsr_mat_product(b, vh, c)))
             : tsr_mat_product(b, tsr_mat_product(b, tsr_mat_product(b, c, h.v), t), vh);
    out[0] = f_sub(b, c, moved);
    return true;
}

/* q^H q' for a tangent with c = q^H a' r^-1: skew, and such that r' is an upper triangle with a real diagonal. */
static tsr_value *rotation(tsr_build *b, tsr_value *c)
{
    tsr_value *low = tsr_mat_triangle(b, c, true, 0);
    tsr_value *skew = f_sub(b, low, tsr_mat_adjoint(b, low));
    if (!tsr_mat_is_complex(c))
        return skew;
    tsr_value *im = f_imag(b, c), *turned = f_complex(b, f_const(b, im, 0), im);
    return f_add(b, skew, tsr_mat_join(b, NULL, turned, NULL));
}

/* The tangents of the factors of square or tall matrices. */
typedef struct {
    tsr_value *dr, *dv, *dtau; /* r' and v' as matrices; on the diagonal only r' is used */
} factor_tangents;

/* The columns of q - 1 = v u with u = -t v1^H, an upper triangle with -tau on its diagonal, so v and u are the LU
 * factors of a matrix whose tangent is known. u may end with a zero (a column of one element needs no reflection), but
 * nothing is divided by it: no element of v is below it. */
static void reflection_tangents(tsr_build *b, reflections h, tsr_value *dq, factor_tangents *out)
{
    int64_t m = tsr_mat_rows(h.v), k = tsr_mat_cols(h.v);
    tsr_value *v1 = tsr_mat_part(b, h.v, 0, k, 0, k), *dq1 = tsr_mat_part(b, dq, 0, k, 0, k);
    tsr_value *u = f_neg(b, tsr_mat_product(b, h.t, tsr_mat_adjoint(b, v1)));
    tsr_value *safe =
        f_select(b, tsr_build_compare(b, "EQ", NULL, u, f_const(b, u, 0)), f_const(b, u, 1), u);
    safe = tsr_mat_join(b, NULL, safe, u);
    tsr_mat_how right = {.transpose = TSR_SOLVE_NO_TRANSPOSE};
    tsr_value *x = tsr_mat_solve(
        b, v1, dq1,
        (tsr_mat_how){
            .left = true, .lower = true, .unit = true, .transpose = TSR_SOLVE_NO_TRANSPOSE});
    tsr_value *low = tsr_mat_triangle(b, tsr_mat_solve(b, safe, x, right), true, 0);
    tsr_value *du = tsr_mat_triangle(b, f_sub(b, x, tsr_mat_product(b, low, u)), false, 1);
    out->dv = tsr_mat_product(b, v1, low);
    if (m > k) {
        tsr_value *v2 = tsr_mat_part(b, h.v, k, m, 0, k), *dq2 = tsr_mat_part(b, dq, k, m, 0, k);
        tsr_value *rest = f_sub(b, dq2, tsr_mat_product(b, v2, du));
        out->dv = tsr_mat_above(b, out->dv, tsr_mat_solve(b, safe, rest, right));
    }
    out->dtau = f_neg(b, tsr_mat_diagonal(b, du));
}

/* The tangents of a QR factor and its taus, given the tangent t of the factored matrix. */
static bool qr_tangents(tsr_lapack_job *j, tsr_value *factor, tsr_value *taus, tsr_value *t,
                        tsr_value **dfactor, tsr_value **dtaus)
{
    tsr_build *b = j->b;
    int64_t m = tsr_mat_rows(factor), n = tsr_mat_cols(factor), k = m < n ? m : n;
    TSR_TRY(is_factor(factor, taus) || misfit(j->op));
    reflections h = reflections_of(b, factor, taus);
    tsr_value *q = columns_of(b, h, k), *qh = tsr_mat_adjoint(b, q);
    tsr_value *r = tsr_mat_triangle(b, tsr_mat_part(b, factor, 0, k, 0, k), false, 1);
    tsr_value *ar = tsr_mat_solve(b, r, tsr_mat_part(b, t, 0, m, 0, k),
                                  (tsr_mat_how){.transpose = TSR_SOLVE_NO_TRANSPOSE});
    tsr_value *c = tsr_mat_product(b, qh, ar), *turn = rotation(b, c);
    factor_tangents d = {.dr = tsr_mat_product(b, f_sub(b, c, turn), r)};
    tsr_value *dq = f_add(b, tsr_mat_product(b, q, f_sub(b, turn, c)), ar);
    reflection_tangents(b, h, dq, &d);
    tsr_value *dr = tsr_mat_pad(b, tsr_mat_triangle(b, d.dr, false, 1), m, k);
    *dfactor = tsr_mat_join(b, d.dv, dr, dr);
    *dtaus = d.dtau;
    if (n > k) { /* r2 = q^H a2 */
        tsr_value *r2 = tsr_mat_part(b, factor, 0, m, k, n), *t2 = tsr_mat_part(b, t, 0, m, k, n);
        tsr_value *dr2 = f_sub(b, tsr_mat_product(b, qh, t2), tsr_mat_product(b, turn, r2));
        *dfactor = tsr_mat_beside(b, *dfactor, dr2);
    }
    return true;
}

bool tsr_lapack_geqrf(tsr_lapack_job *j)
{
    return qr_tangents(j, &j->op->out[0], &j->op->out[1], j->t[0], &j->out[0], &j->out[1]);
}

/* With the columns in the pivoted order, which is piecewise constant. */
bool tsr_lapack_geqp3(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    tsr_value *columns = f_subc(b, &j->op->out[1], 1);
    tsr_value *t = tsr_grad_swap(b, permuted_rows(b, columns, tsr_grad_swap(b, j->t[0])));
    return qr_tangents(j, &j->op->out[0], &j->op->out[2], t, &j->out[0], &j->out[2]);
}

/* ---- Triangular systems ---- */

bool tsr_lapack_trsm(tsr_op *op, const tsr_lapack_form *name, tsr_build *b, tsr_value **out)
{
    int64_t side, trans, unit;
    bool lower;
    TSR_TRY(tsr_lapack_ask(op, name, "side", 0, &side) && tsr_lapack_lower(op, name, 1, &lower) &&
            tsr_lapack_ask(op, name, "trans_x", 2, &trans) &&
            tsr_lapack_ask(op, name, "diag", 3, &unit));
    tsr_value *a = tsr_lapack_in(op, name, 0), *v = tsr_lapack_in(op, name, 1);
    /* A factor of the right side, before the matrices or, in an earlier version of the newer form, after them. */
    tsr_value *alpha = !name->ffi ? tsr_grad_in(op, 7) : op->nin > 2 ? tsr_grad_in(op, 2) : NULL;
    if (a->type->n < 2 || a->type->n != v->type->n ||
        (alpha && (alpha->type->n || tsr_elem(alpha) != tsr_elem(v))))
        return misfit(op);
    if (alpha)
        v = f_mul(b, tsr_grad_fill(b, alpha, v), v);
    tsr_mat_how how = {.left = side == (name->ffi ? 'L' : 1),
                       .lower = lower,
                       .unit = unit == (name->ffi ? 'U' : 1)};
    how.transpose = name->ffi ? (trans == 'N'   ? TSR_SOLVE_NO_TRANSPOSE
                                 : trans == 'T' ? TSR_SOLVE_TRANSPOSE
                                                : TSR_SOLVE_ADJOINT)
                              : trans + TSR_SOLVE_NO_TRANSPOSE;
    out[0] = tsr_mat_solve(b, a, v, how);
    return true;
}

/* ---- Tridiagonal systems: a x = v, a given by its diagonals below, on and above the main one ---- */

/* Rows of x shifted one down (by = 1) or up (by = -1), filled with zeros; dim: that of the rows. */
static tsr_value *shifted(tsr_build *b, tsr_value *x, int64_t dim, int64_t by)
{
    tsr_i64_vec low = {0}, high = {0};
    for (int64_t i = 0; i < x->type->n; i++) {
        tsr_vec_push(&low, i == dim ? by : 0);
        tsr_vec_push(&high, i == dim ? -by : 0);
    }
    x = tsr_grad_pad(b, x, tsr_grad_scalar(b, tsr_elem(x), 0), low.data, high.data, NULL);
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    return x;
}

static tsr_value *solve_tridiagonal(tsr_lapack_job *j, tsr_value *const *diagonals, tsr_value *v)
{
    tsr_value *in[] = {diagonals[0], diagonals[1], diagonals[2], v};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < 5; i++)
        tsr_vec_push(&types, j->op->out[i].type);
    tsr_op *op = tsr_lapack_call(j, "gtsv", in, 4, types.data, 5, NULL);
    tsr_vec_free(&types);
    return &op->out[3];
}

/* Only the solution may have a tangent: LAPACK stores factors in place of the diagonals. */
static bool only_solution(const tsr_op *op, const bool *want)
{
    return !(want[0] || want[1] || want[2]) ||
           tsr_grad_none(op, "of its results only the solution has a derivative");
}

bool tsr_lapack_gtsv(tsr_lapack_job *j)
{
    tsr_build *b = j->b;
    tsr_value *x = &j->op->out[3], *v = j->t[3], *diagonals[3];
    TSR_TRY(only_solution(j->op, j->want));
    int64_t rows = x->type->n - 2;
    for (uint32_t i = 0; i < 3; i++) {
        diagonals[i] = tsr_lapack_in(j->op, &j->name, i);
        if (!j->t[i])
            continue;
        tsr_value *beside = i == 1 ? x : shifted(b, x, rows, i == 0 ? 1 : -1);
        tsr_value *moved = f_mul(b, tsr_mat_as_cols(b, j->t[i], x), beside);
        v = v ? f_sub(b, v, moved) : f_neg(b, moved);
    }
    j->out[3] = solve_tridiagonal(j, diagonals, v);
    return true;
}

/* y = a^-T c; cotangent of v: y, of a: -y x^T. */
bool tsr_lapack_gtsv_vjp(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    tsr_lapack_job j = {.b = b, .op = op};
    bool want[] = {ct[0] != NULL, ct[1] != NULL, ct[2] != NULL};
    if (!tsr_lapack_parse(tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s, &j.name))
        return misfit(op);
    TSR_TRY(only_solution(op, want));
    tsr_value *x = &op->out[3], *in[3];
    int64_t rows = x->type->n - 2, cols = rows + 1;
    for (uint32_t i = 0; i < 3; i++)
        in[i] = tsr_lapack_in(op, &j.name, i);
    tsr_value *turned[] = {shifted(b, in[2], rows, 1), in[1], shifted(b, in[0], rows, -1)};
    tsr_value *y = solve_tridiagonal(&j, turned, ct[3]);
    tsr_grad_add(g, tsr_lapack_in(op, &j.name, 3), y);
    for (uint32_t i = 0; i < 3; i++) {
        tsr_value *beside = i == 1 ? x : shifted(b, x, rows, i == 0 ? 1 : -1);
        if (tsr_grad_varied(g, in[i]))
            tsr_grad_add(g, in[i], f_neg(b, tsr_grad_sum(b, f_mul(b, y, beside), &cols, 1)));
    }
    return true;
}
