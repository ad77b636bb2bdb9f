/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_linalg.c - cholesky and triangular_solve.
 *
 * Both read one triangle of their matrix, so the other one gets no cotangent. Cotangents pair without conjugation:
 * where formulas for real matrices have a transpose, this is a plain transpose, and conjugates come only from the op
 * itself. */
#include "pass/grad/matrix.h"

/* ---- Cholesky: a = l l^H ---- */

/* The upper factor of a is the adjoint of the lower one of a's adjoint, which reads the same triangle. */
tsr_unfolded unfold_cholesky(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    const tsr_attr *lower = tsr_attr_of(op, STABLEHLO_CHOLESKY_lower);
    if (lower && lower->i)
        return TSR_UNFOLD_KEEP;
    tsr_value *a = tsr_mat_adjoint(b, tsr_grad_in(op, 0));
    tsr_op *again = tsr_grad_again(b, op, &a, NULL);
    again->attrs[STABLEHLO_CHOLESKY_lower] = tsr_attr_bool(b->ctx, true);
    tsr_op_insert(again, b->block, b->at);
    out[0] = tsr_mat_adjoint(b, &again->out[0]);
    return TSR_UNFOLD_DONE;
}

/* With s the Hermitian matrix whose lower triangle is t's: dl = l phi(l^-1 s l^-H), phi: the lower triangle with half
 * of the diagonal. */
tsr_value *tsr_grad_cholesky_tangent(tsr_build *b, tsr_value *l, tsr_value *t)
{
    tsr_value *s = tsr_mat_hermitian(b, t, true);
    tsr_value *y = tsr_mat_solve(
        b, l, s, (tsr_mat_how){.left = true, .lower = true, .transpose = TSR_SOLVE_NO_TRANSPOSE});
    y = tsr_mat_solve(b, l, y, (tsr_mat_how){.lower = true, .transpose = TSR_SOLVE_ADJOINT});
    return tsr_mat_product(b, l, tsr_mat_triangle(b, y, true, 0.5));
}

bool jvp_cholesky(tsr_grad *g, tsr_op *op)
{
    tsr_value *l = &op->out[0], *t = tsr_grad_of(g, tsr_grad_in(op, 0));
    tsr_grad_set(g, l, tsr_grad_cholesky_tangent(&g->b, l, t));
    return true;
}

/* The transposes of these steps, last first. */
bool vjp_cholesky(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    tsr_value *l = &op->out[0];
    tsr_value *y = tsr_mat_triangle(b, tsr_mat_product(b, tsr_grad_swap(b, l), ct[0]), true, 0.5);
    tsr_value *s = tsr_mat_solve(
        b, l, y, (tsr_mat_how){.left = true, .lower = true, .transpose = TSR_SOLVE_TRANSPOSE});
    s = tsr_mat_solve(b, tsr_grad_conj(b, l), s,
                      (tsr_mat_how){.lower = true, .transpose = TSR_SOLVE_NO_TRANSPOSE});
    s = f_add(b, s, tsr_mat_adjoint(b, s));
    tsr_grad_add(g, tsr_grad_in(op, 0), tsr_mat_triangle(b, s, true, 0.5));
    return true;
}

/* ---- Triangular solve ---- */

static bool flag(const tsr_op *op, int slot)
{
    return tsr_attr_of(op, slot)->i != 0;
}

/* The adjoint of a matrix is the transpose of its conjugate. */
tsr_unfolded unfold_triangular_solve(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    if (tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i != TSR_SOLVE_ADJOINT)
        return TSR_UNFOLD_KEEP;
    tsr_value *in[] = {tsr_grad_conj(b, tsr_grad_in(op, 0)), tsr_grad_in(op, 1)};
    tsr_op *again = tsr_grad_again(b, op, in, NULL);
    again->attrs[STABLEHLO_TRIANGULAR_SOLVE_transpose_a] =
        tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_TRANSPOSE, TSR_SOLVE_TRANSPOSE);
    tsr_op_insert(again, b->block, b->at);
    out[0] = &again->out[0];
    return TSR_UNFOLD_DONE;
}

/* The part of a matrix that the op reads. */
static tsr_value *read_part(tsr_build *b, const tsr_op *op, tsr_value *a)
{
    return tsr_mat_triangle(b, a, flag(op, STABLEHLO_TRIANGULAR_SOLVE_lower),
                            flag(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal) ? 0 : 1);
}

bool vjp_triangular_solve(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    tsr_value *a = tsr_grad_in(op, 0), *v = tsr_grad_in(op, 1), *x = &op->out[0];
    bool left = flag(op, STABLEHLO_TRIANGULAR_SOLVE_left_side),
         lower = flag(op, STABLEHLO_TRIANGULAR_SOLVE_lower);
    bool unit = flag(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal);
    bool turned = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i == TSR_SOLVE_TRANSPOSE;
    tsr_mat_how how = {.left = left,
                       .lower = lower,
                       .unit = unit,
                       .transpose = turned ? TSR_SOLVE_NO_TRANSPOSE : TSR_SOLVE_TRANSPOSE};
    tsr_value *d = tsr_mat_solve(b, a, ct[0], how);
    tsr_grad_add(g, v, d);
    if (!tsr_grad_varied(g, a))
        return true;
    /* Cotangent of op(a): -d x^T on the left, -x^T d on the right. */
    tsr_value *m = left ? tsr_mat_product(b, d, tsr_grad_swap(b, x))
                        : tsr_mat_product(b, tsr_grad_swap(b, x), d);
    m = turned ? tsr_grad_swap(b, m) : m;
    tsr_grad_add(g, a, f_neg(b, read_part(b, op, m)));
    return true;
}

bool jvp_triangular_solve(tsr_grad *g, tsr_op *op)
{
    tsr_build *b = &g->b;
    tsr_value *a = tsr_grad_in(op, 0), *x = &op->out[0];
    tsr_value *da = tsr_grad_of(g, a), *t = tsr_grad_of(g, tsr_grad_in(op, 1));
    bool left = flag(op, STABLEHLO_TRIANGULAR_SOLVE_left_side);
    bool turned = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i == TSR_SOLVE_TRANSPOSE;
    if (da) {
        tsr_value *m = read_part(b, op, da);
        m = turned ? tsr_grad_swap(b, m) : m;
        m = left ? tsr_mat_product(b, m, x) : tsr_mat_product(b, x, m);
        t = t ? f_sub(b, t, m) : f_neg(b, m);
    }
    tsr_value *in[] = {a, t};
    tsr_op *again = tsr_grad_again(b, op, in, NULL);
    tsr_op_insert(again, b->block, b->at);
    tsr_grad_set(g, x, &again->out[0]);
    return true;
}
