/* vjp_linalg.c - cholesky and triangular_solve.
 *
 * Both read one triangle of their matrix, so the other one gets no cotangent. Cotangents pair without conjugation: where a
 * text about real matrices has a transpose, here is a plain transpose, and conjugates come only from the op itself. */
#include "pass/grad/grad.h"

enum { NO_TRANSPOSE = 1, TRANSPOSE, ADJOINT }; /* #stablehlo<transpose> */

/* ---- Matrices, stacked in the dimensions before the last two ---- */

static tsr_value *product(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_i64_vec batch = {0};
    int64_t rank = x->type->n, last = rank - 1, first = rank - 2;
    for (int64_t i = 0; i < rank - 2; i++)
        tsr_vec_push(&batch, i);
    tsr_attr *p[] = {tsr_grad_list(b, batch.data, batch.n), tsr_grad_list(b, batch.data, batch.n),
                     tsr_grad_list(b, &last, 1), tsr_grad_list(b, &first, 1)};
    tsr_vec_free(&batch);
    tsr_value *in[] = {x, y};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_attr_struct(b->ctx, &tsr_def_STABLEHLO_DOT, p);
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < rank; i++)
        tsr_vec_push(&dims, i == last ? y->type->dims[i] : x->type->dims[i]);
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(x), NULL);
    tsr_vec_free(&dims);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *adjoint(tsr_build *b, tsr_value *x)
{
    return tsr_grad_conj(b, tsr_grad_swap(b, x));
}

/* Elements of one triangle, with the diagonal times a number; zeros elsewhere. */
static tsr_value *triangle(tsr_build *b, tsr_value *x, bool lower, double diagonal)
{
    int64_t n = x->type->n;
    tsr_value *row = tsr_build_iota(b, x, b->ctx->i32, n - 2), *col = tsr_build_iota(b, x, b->ctx->i32, n - 1);
    tsr_value *inside = lower ? f_gt(b, row, col) : f_lt(b, row, col);
    tsr_value *middle = diagonal == 1 ? x : diagonal == 0 ? f_const(b, x, 0) : f_mulc(b, x, diagonal);
    return f_select(b, f_eq(b, row, col), middle, f_select(b, inside, x, f_const(b, x, 0)));
}

/* op(a)^-1 v, or v op(a)^-1 when the matrix stands on the right. */
static tsr_value *solve(tsr_build *b, tsr_value *a, tsr_value *v, bool left, bool lower, bool unit, int64_t transpose)
{
    tsr_value *in[] = {a, v};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_TRIANGULAR_SOLVE, in, 2, 1, 0);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_left_side] = tsr_attr_bool(b->ctx, left);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_lower] = tsr_attr_bool(b->ctx, lower);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal] = tsr_attr_bool(b->ctx, unit);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_transpose_a] =
        tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_TRANSPOSE, transpose);
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

/* ---- Cholesky: a = l l^H ---- */

/* The upper factor of a is the adjoint of the lower one of a's adjoint, which reads the same triangle. */
tsr_unfolded unfold_cholesky(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    const tsr_attr *lower = tsr_attr_of(op, STABLEHLO_CHOLESKY_lower);
    if (lower && lower->i)
        return TSR_UNFOLD_KEEP;
    tsr_value *a = adjoint(b, tsr_grad_in(op, 0));
    tsr_op *again = tsr_grad_again(b, op, &a, NULL);
    again->attrs[STABLEHLO_CHOLESKY_lower] = tsr_attr_bool(b->ctx, true);
    tsr_op_insert(again, b->block, b->at);
    out[0] = adjoint(b, &again->out[0]);
    return TSR_UNFOLD_DONE;
}

/* With s the Hermitian matrix whose lower triangle is t's: dl = l phi(l^-1 s l^-H), phi: the lower triangle with half
 * of the diagonal. */
bool jvp_cholesky(tsr_grad *g, tsr_op *op)
{
    tsr_build *b = &g->b;
    tsr_value *l = &op->out[0], *t = tsr_grad_of(g, tsr_grad_in(op, 0));
    tsr_value *half = triangle(b, t, true, 0.5);
    tsr_value *s = f_add(b, half, adjoint(b, half)); /* the diagonal is real by this */
    tsr_value *y = solve(b, l, s, true, true, false, NO_TRANSPOSE);
    y = solve(b, l, y, false, true, false, ADJOINT);
    tsr_grad_set(g, l, product(b, l, triangle(b, y, true, 0.5)));
    return true;
}

/* The transposes of these steps, last first. */
bool vjp_cholesky(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    tsr_value *l = &op->out[0];
    tsr_value *y = triangle(b, product(b, tsr_grad_swap(b, l), ct[0]), true, 0.5);
    tsr_value *s = solve(b, l, y, true, true, false, TRANSPOSE);
    s = solve(b, tsr_grad_conj(b, l), s, false, true, false, NO_TRANSPOSE);
    s = f_add(b, s, adjoint(b, s));
    tsr_grad_add(g, tsr_grad_in(op, 0), triangle(b, s, true, 0.5));
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
    if (tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i != ADJOINT)
        return TSR_UNFOLD_KEEP;
    tsr_value *in[] = {tsr_grad_conj(b, tsr_grad_in(op, 0)), tsr_grad_in(op, 1)};
    tsr_op *again = tsr_grad_again(b, op, in, NULL);
    again->attrs[STABLEHLO_TRIANGULAR_SOLVE_transpose_a] =
        tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_TRANSPOSE, TRANSPOSE);
    tsr_op_insert(again, b->block, b->at);
    out[0] = &again->out[0];
    return TSR_UNFOLD_DONE;
}

/* The part of a matrix that the op reads. */
static tsr_value *read_part(tsr_build *b, const tsr_op *op, tsr_value *a)
{
    return triangle(b, a, flag(op, STABLEHLO_TRIANGULAR_SOLVE_lower),
                    flag(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal) ? 0 : 1);
}

bool vjp_triangular_solve(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    tsr_value *a = tsr_grad_in(op, 0), *v = tsr_grad_in(op, 1), *x = &op->out[0];
    bool left = flag(op, STABLEHLO_TRIANGULAR_SOLVE_left_side), lower = flag(op, STABLEHLO_TRIANGULAR_SOLVE_lower);
    bool unit = flag(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal);
    bool turned = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i == TRANSPOSE;
    tsr_value *d = solve(b, a, ct[0], left, lower, unit, turned ? NO_TRANSPOSE : TRANSPOSE);
    tsr_grad_add(g, v, d);
    if (!tsr_grad_varied(g, a))
        return true;
    /* Of op(a): -d x^T on the left, -x^T d on the right. */
    tsr_value *m = left ? product(b, d, tsr_grad_swap(b, x)) : product(b, tsr_grad_swap(b, x), d);
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
    bool turned = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i == TRANSPOSE;
    if (da) {
        tsr_value *m = read_part(b, op, da);
        m = turned ? tsr_grad_swap(b, m) : m;
        m = left ? product(b, m, x) : product(b, x, m);
        t = t ? f_sub(b, t, m) : f_neg(b, m);
    }
    tsr_value *in[] = {a, t};
    tsr_op *again = tsr_grad_again(b, op, in, NULL);
    tsr_op_insert(again, b->block, b->at);
    tsr_grad_set(g, x, &again->out[0]);
    return true;
}
