/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c - matrix products: matmul, linear, dot_general, sparse_matmul. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

/* ---- matmul and linear ---- */

/* One factor as a matrix, perhaps with leading dimensions: a vector is a row on the left and a column on the right. */
static bool factor(const tsr_op *op, const tsr_type *t, bool transpose, bool left, tt_shape *out)
{
    if (t->n < 1)
        return tsr_op_error(op, "Input %c must be at least a 1D tensor", left ? 'A' : 'B');
    TSR_TRY(tt_shape_of(op, t, out));
    if (t->n == 1) {
        TSR_TRY(tt_shape_add(op, out, 1));
        if (left) {
            out->d[1] = out->d[0];
            out->d[0] = 1;
        }
    } else if (transpose) {
        int64_t d = out->d[out->n - 1];
        out->d[out->n - 1] = out->d[out->n - 2];
        out->d[out->n - 2] = d;
    }
    return true;
}

static bool fits(int64_t a, int64_t b)
{
    return a == b || a == TSR_DYNAMIC || b == TSR_DYNAMIC;
}

/* The shape of a product, with rank 0 for a scalar; bias may be NULL. */
static bool product(const tsr_op *op, bool ta, bool tb, const tsr_type *bias, tt_shape *out)
{
    tt_shape a, b, s;
    TSR_TRY(factor(op, IN(op, 0), ta, true, &a) && factor(op, IN(op, 1), tb, false, &b));
    int64_t inner = a.d[a.n - 1], rows = a.d[a.n - 2], columns = b.d[b.n - 1];
    if (!fits(inner, b.d[b.n - 2]))
        return tsr_op_error(op,
                            "Input A[-1](%lld) and B[-2](%lld) must have matching inner dimensions",
                            (long long)inner, (long long)b.d[b.n - 2]);
    a.n -= 2;
    b.n -= 2;
    if (!tt_broadcast(&a, &b, out))
        return tsr_op_error(
            op, "Batch dimensions of input A(%s) and B(%s) are not broadcast compatible",
            tt_join(op, a.d, a.n, ","), tt_join(op, b.d, b.n, ","));
    if (IN(op, 0)->n > 1)
        TSR_TRY(tt_shape_add(op, out, rows));
    if (IN(op, 1)->n > 1)
        TSR_TRY(tt_shape_add(op, out, columns));
    if (!bias)
        return true;
    if (bias->n < 1)
        return tsr_op_error(op, "Bias must be at least a 1D tensor");
    TSR_TRY(tt_shape_of(op, bias, &s));
    return tt_broadcast(out, &s, out) ||
           tsr_op_error(
               op, "Bias shape(%s) is not broadcast compatible with the matmul output shape(%s)",
               tt_join(op, s.d, s.n, ","), tt_join(op, out->d, out->n, ","));
}

static bool check_product(const tsr_op *op, const tt_shape *s)
{
    const tsr_type *out = OUT(op);
    if (s->n == 0) {
        if (out->n < 1)
            return tsr_op_error(
                op, "Scalar output is not supported, output must be at least a 1D tensor");
        return (out->n == 1 && out->dims[0] == 1) ||
               tsr_op_error(op, "Scalar output must be a 1D tensor of size 1");
    }
    if (out->n != s->n)
        return tsr_op_error(op,
                            "Output shape rank(%u) must match the expected output shape rank(%zu)",
                            out->n, s->n);
    for (size_t i = 0; i < s->n; i++)
        if (out->dims[i] != s->d[i])
            return tsr_op_error(
                op,
                "Output shape dimension[%zu](%lld) doesn't match the expected output shape "
                "dimension[%zu](%lld)",
                i, (long long)out->dims[i], i, (long long)s->d[i]);
    return true;
}

/* A scalar product has one dimension of size 1. */
static bool product_result(const tsr_op *op, tsr_type_vec *out, tt_shape *s)
{
    if (s->n == 0)
        TSR_TRY(tt_shape_add(op, s, 1));
    return tt_result(op, out, s);
}

static bool matmul_shape(const tsr_op *op, tt_shape *s)
{
    tsr_matmul m;
    tsr_matmul_of(op, &m);
    return product(op, m.transpose[0], m.transpose[1], NULL, s);
}

static bool linear_shape(const tsr_op *op, tt_shape *s)
{
    tsr_matmul m;
    tsr_matmul_of(op, &m);
    return product(op, m.transpose[0], m.transpose[1], tt_in(op, 2), s);
}

bool infer_ttir_matmul(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return matmul_shape(op, &s) && product_result(op, out, &s);
}

bool verify_ttir_matmul(tsr_op *op)
{
    tt_shape s;
    return matmul_shape(op, &s) && check_product(op, &s);
}

bool infer_ttir_linear(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return linear_shape(op, &s) && product_result(op, out, &s);
}

bool verify_ttir_linear(tsr_op *op)
{
    tt_shape s;
    return linear_shape(op, &s) && check_product(op, &s);
}

/* ---- dot_general ---- */

typedef struct {
    const tsr_type *type;
    bool taken[TT_MAX_RANK];
} side;

static bool take_dims(const tsr_op *op, side *s, tsr_ints batch, tsr_ints contract,
                      const char *name)
{
    tsr_ints lists[] = {batch, contract};
    for (size_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l].n; i++) {
            int64_t d = tsr_ints_at(lists[l], i);
            if (d < 0 || d >= s->type->n || s->type->n > TT_MAX_RANK)
                return tsr_op_error(op, "dimension %lld is out of range for %s of rank %u",
                                    (long long)d, name, s->type->n);
            if (s->taken[d])
                return tsr_op_error(op, "names dimension %lld of %s twice", (long long)d, name);
            s->taken[d] = true;
        }
    return true;
}

bool infer_ttir_dot_general(const tsr_op *op, tsr_type_vec *out)
{
    side l = {IN(op, 0), {0}}, r = {IN(op, 1), {0}};
    tt_shape s = {0};
    tsr_dot d;
    tsr_dot_of(op, &d);
    TSR_TRY(take_dims(op, &l, d.batch[0], d.contract[0], "lhs") &&
            take_dims(op, &r, d.batch[1], d.contract[1], "rhs"));
    for (size_t p = 0; p < 2; p++) {
        const tsr_ints *pair = p ? d.contract : d.batch;
        if (pair[0].n != pair[1].n)
            return tsr_op_error(op, "has %u %s dimensions of lhs and %u of rhs", pair[0].n,
                                p ? "contracting" : "batch", pair[1].n);
        for (uint32_t i = 0; i < pair[0].n; i++) {
            int64_t a = l.type->dims[tsr_ints_at(pair[0], i)],
                    b = r.type->dims[tsr_ints_at(pair[1], i)];
            if (!fits(a, b))
                return tsr_op_error(op, "%s dimensions of lhs and rhs have sizes %lld and %lld",
                                    p ? "contracting" : "batch", (long long)a, (long long)b);
            if (p == 0)
                TSR_TRY(tt_shape_add(op, &s, a == TSR_DYNAMIC ? b : a));
        }
    }
    const side *sides[] = {&l, &r};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sides[k]->type->n; i++)
            if (!sides[k]->taken[i])
                TSR_TRY(tt_shape_add(op, &s, sides[k]->type->dims[i]));
    return tt_result(op, out, &s);
}

bool verify_ttir_dot_general(tsr_op *op)
{
    return tt_verify_inferred(op);
}

/* ---- sparse_matmul ---- */

typedef enum { DENSE_SPARSE, SPARSE_DENSE, SPARSE_SPARSE } sparsity;

static bool sparse_shape(const tsr_op *op, tt_shape *out, sparsity *mode)
{
    const tsr_type *a = IN(op, 0), *b = IN(op, 1), *which = IN(op, 2);
    bool a_sparse = tt_int(op, TTIR_SPARSE_MATMUL_is_input_a_sparse, 0);
    bool b_sparse = tt_int(op, TTIR_SPARSE_MATMUL_is_input_b_sparse, 1);
    if (tt_int(op, TTIR_SPARSE_MATMUL_nnz, 1) <= 0)
        return tsr_op_error(op, "nnz must be greater than 0 when set");
    if (a->n < 4)
        return tsr_op_error(op, "Input A must be at least a 4D tensor");
    if (b->n != 4)
        return tsr_op_error(op, "Input B must be a 4D tensor [1, E, K, N]");
    if (which->n != 4)
        return tsr_op_error(op, "Sparsity tensor must be a 4D tensor");
    if (!a_sparse && !b_sparse)
        return tsr_op_error(op,
                            "At least one of is_input_a_sparse or is_input_b_sparse must be true");
    if (b->dims[0] != 1)
        return tsr_op_error(op, "Input B first dimension must be 1");
    if (a->dims[a->n - 1] != b->dims[2])
        return tsr_op_error(op, "Input A inner dimension must match Input B K dimension");
    if (which->dims[3] != b->dims[1])
        return tsr_op_error(
            op, "Sparsity tensor last dimension must match number of experts in Input B");
    int64_t experts = b->dims[1], columns = b->dims[3], rows = a->dims[a->n - 2];
    *mode = a_sparse && b_sparse ? SPARSE_SPARSE : a_sparse ? SPARSE_DENSE : DENSE_SPARSE;
    if (*mode == DENSE_SPARSE)
        *out = (tt_shape){6, {a->dims[0], a->dims[1], 1, experts, rows, columns}};
    else
        *out = (tt_shape){4, {*mode == SPARSE_SPARSE ? 1 : a->dims[0], experts, rows, columns}};
    return true;
}

bool infer_ttir_sparse_matmul(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    sparsity mode;
    return sparse_shape(op, &s, &mode) && tt_result(op, out, &s);
}

bool verify_ttir_sparse_matmul(tsr_op *op)
{
    static const char *const names[] = {"dense-sparse", "sparse-dense", "sparse-sparse"};
    static const char *const shapes[] = {"[A, B, 1, E, M, N]", "[A, E, M, N]", "[1, E, M, N]"};
    tt_shape s;
    sparsity mode;
    TSR_TRY(sparse_shape(op, &s, &mode));
    if (OUT(op)->n != s.n)
        return tsr_op_error(op, "Output must be %zuD for %s mode", s.n, names[mode]);
    return tt_shape_is(&s, OUT(op)) ||
           tsr_op_error(op, "Output shape must be %s for %s mode", shapes[mode], names[mode]);
}
