/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c - matrices, stacked in the dimensions before the last two. */
#include "pass/grad/matrix.h"

tsr_value *tsr_mat_product(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_i64_vec batch = {0};
    int64_t rank = x->type->n, last = rank - 1, first = rank - 2;
    for (int64_t i = 0; i < rank - 2; i++)
        tsr_vec_push(&batch, i);
    tsr_ints batches = tsr_ints_over(batch.data, batch.n);
    tsr_dot d = {.batch = {batches, batches},
                 .contract = {tsr_ints_over(&last, 1), tsr_ints_over(&first, 1)}};
    tsr_value *in[] = {x, y};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(b->ctx, &d);
    tsr_vec_free(&batch);
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < rank; i++)
        tsr_vec_push(&dims, i == last ? y->type->dims[i] : x->type->dims[i]);
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(x), NULL);
    tsr_vec_free(&dims);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_mat_adjoint(tsr_build *b, tsr_value *x)
{
    return tsr_grad_conj(b, tsr_grad_swap(b, x));
}

tsr_value *tsr_mat_join(tsr_build *b, tsr_value *lower, tsr_value *diagonal, tsr_value *upper)
{
    tsr_value *like = lower ? lower : diagonal ? diagonal : upper, *zero = f_const(b, like, 0);
    int64_t n = like->type->n;
    tsr_value *row = tsr_build_iota(b, like, b->ctx->i32, n - 2),
              *col = tsr_build_iota(b, like, b->ctx->i32, n - 1);
    lower = lower ? lower : zero;
    upper = upper ? upper : zero;
    tsr_value *beside = lower == upper ? lower : f_select(b, f_gt(b, row, col), lower, upper);
    return f_select(b, f_eq(b, row, col), diagonal ? diagonal : zero, beside);
}

tsr_value *tsr_mat_triangle(tsr_build *b, tsr_value *x, bool lower, double diagonal)
{
    tsr_value *middle = diagonal == 1 ? x : diagonal == 0 ? NULL : f_mulc(b, x, diagonal);
    return tsr_mat_join(b, lower ? x : NULL, middle, lower ? NULL : x);
}

tsr_value *tsr_mat_solve(tsr_build *b, tsr_value *a, tsr_value *v, tsr_mat_how how)
{
    if (how.transpose == TSR_SOLVE_ADJOINT) {
        a = tsr_grad_conj(b, a);
        how.transpose = TSR_SOLVE_TRANSPOSE;
    }
    tsr_value *in[] = {a, v};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_TRIANGULAR_SOLVE, in, 2, 1, 0);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_left_side] = tsr_attr_bool(b->ctx, how.left);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_lower] = tsr_attr_bool(b->ctx, how.lower);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal] = tsr_attr_bool(b->ctx, how.unit);
    op->attrs[STABLEHLO_TRIANGULAR_SOLVE_transpose_a] =
        tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_TRANSPOSE, how.transpose);
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

tsr_value *tsr_mat_hermitian(tsr_build *b, tsr_value *x, bool lower)
{
    tsr_value *half = tsr_mat_triangle(b, x, lower, 0.5);
    return f_add(b, half, tsr_mat_adjoint(b, half)); /* this makes the diagonal real */
}

/* ---- Creating and slicing ---- */

static tsr_type *type_like(tsr_build *b, const tsr_value *like, int64_t rows, int64_t cols)
{
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i + 2 < like->type->n; i++)
        tsr_vec_push(&dims, like->type->dims[i]);
    tsr_vec_push(&dims, rows);
    tsr_vec_push(&dims, cols);
    tsr_type *type = tsr_static_type(b->ctx, dims.data, dims.n, tsr_elem(like));
    tsr_vec_free(&dims);
    return type;
}

tsr_value *tsr_mat_eye(tsr_build *b, tsr_value *like, int64_t rows, int64_t cols)
{
    tsr_value *one = tsr_grad_scalar(b, tsr_elem(like), 1);
    one = tsr_build_broadcast(b, one, NULL, type_like(b, like, rows, cols));
    return tsr_mat_join(b, NULL, one, NULL);
}

tsr_value *tsr_mat_part(tsr_build *b, tsr_value *x, int64_t row, int64_t row_end, int64_t col,
                        int64_t col_end)
{
    int64_t rank = x->type->n;
    if (row != 0 || row_end != tsr_mat_rows(x))
        x = tsr_build_slice(b, x, rank - 2, row, row_end);
    if (col != 0 || col_end != tsr_mat_cols(x))
        x = tsr_build_slice(b, x, rank - 1, col, col_end);
    return x;
}

tsr_value *tsr_mat_pad(tsr_build *b, tsr_value *x, int64_t rows, int64_t cols)
{
    if (rows == tsr_mat_rows(x) && cols == tsr_mat_cols(x))
        return x;
    tsr_i64_vec low = {0}, high = {0};
    for (uint32_t i = 0; i < x->type->n; i++) {
        tsr_vec_push(&low, 0);
        tsr_vec_push(&high, 0);
    }
    high.data[high.n - 2] = rows - tsr_mat_rows(x);
    high.data[high.n - 1] = cols - tsr_mat_cols(x);
    x = tsr_grad_pad(b, x, tsr_grad_scalar(b, tsr_elem(x), 0), low.data, high.data, low.data);
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    return x;
}

tsr_value *tsr_mat_beside(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    return tsr_grad_concat(b, in, 2, x->type->n - 1);
}

tsr_value *tsr_mat_above(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    return tsr_grad_concat(b, in, 2, x->type->n - 2);
}

/* ---- Vectors ---- */

tsr_value *tsr_mat_diagonal(tsr_build *b, tsr_value *x)
{
    int64_t rows = x->type->n - 2;
    return tsr_grad_sum(b, tsr_mat_join(b, NULL, x, NULL), &rows, 1);
}

/* skip: the dimension of m that a vector does not have. */
static tsr_value *repeated(tsr_build *b, tsr_value *v, tsr_value *m, int64_t skip)
{
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < m->type->n; i++)
        if (i != skip)
            tsr_vec_push(&dims, i);
    v = tsr_build_spread(b, v, dims.data, m);
    tsr_vec_free(&dims);
    return v;
}

tsr_value *tsr_mat_as_rows(tsr_build *b, tsr_value *v, tsr_value *m)
{
    return repeated(b, v, m, m->type->n - 2);
}

tsr_value *tsr_mat_as_cols(tsr_build *b, tsr_value *v, tsr_value *m)
{
    return repeated(b, v, m, m->type->n - 1);
}

tsr_value *tsr_mat_as(tsr_build *b, tsr_value *x, tsr_type *elem)
{
    if (tsr_elem(x) == elem || elem->kind != TSR_TYPE_COMPLEX)
        return x;
    return f_complex(b, x, f_const(b, x, 0));
}
