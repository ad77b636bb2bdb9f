/* SPDX-License-Identifier: Apache-2.0 */
/* flops.c - see flops.h. Transcendental functions count as one operation, as in other tools; softmax and norms count
 * the passes over their input. */
#include "dialect/flops.h"

#include <math.h>

#include "dialect/opcode.h"
#include "dialect/params.h"

/* Elements of a value; -1 if its shape is not known. */
static double elements(const tsr_type *t)
{
    double n = 1;
    if (!tsr_type_is(t, TSR_TYPE_TENSOR))
        return tsr_type_is_shaped(t) ? -1 : 1;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->dims[i] < 0)
            return -1;
        n *= (double)t->dims[i];
    }
    return n;
}

static const tsr_type *operand(const tsr_op *op, uint32_t i)
{
    return op->in[i].value->type;
}

/* The size of a dimension, counted from the end if it is negative; 1 outside of the shape. */
static double dim(const tsr_type *t, int64_t i)
{
    i += i < 0 ? (int64_t)t->n : 0;
    return i >= 0 && i < (int64_t)t->n ? (double)t->dims[i] : 1;
}

static double flops_first(const tsr_op *op)
{
    return elements(operand(op, 0));
}

/* Maximum, difference, exponential, sum, quotient. */
static double flops_passes(const tsr_op *op)
{
    return 5 * elements(operand(op, 0));
}

static double flops_dot(const tsr_op *op)
{
    tsr_dot d;
    double n = 2 * elements(op->out[0].type);
    tsr_dot_of(op, &d);
    for (uint32_t i = 0; i < d.contract[0].n; i++)
        n *= dim(operand(op, 0), tsr_ints_at(d.contract[0], i));
    return n;
}

/* The last dimension of the left operand is contracted. */
static double flops_matmul(const tsr_op *op)
{
    return 2 * elements(op->out[0].type) * dim(operand(op, 0), -1);
}

static bool is_set(const tsr_attr *a)
{
    return a && a->i != 0;
}

static double flops_ttir_matmul(const tsr_op *op)
{
    bool transposed = is_set(tsr_op_attr(op, TSR_STR("transpose_a")));
    return 2 * elements(op->out[0].type) * dim(operand(op, 0), transposed ? -2 : -1);
}

/* "ab,bc->ac": each letter is a loop. */
static double flops_einsum(const tsr_op *op)
{
    tsr_str text = op->attrs[STABLEHLO_EINSUM_einsum_config]->s;
    double sizes[256] = {0}, n = 2;
    uint32_t at = 0, d = 0;
    for (size_t i = 0; i < text.len && text.data[i] != '-' && at < op->nin; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == ',') {
            at++;
            d = 0;
        } else if (c != ' ' && c != '.' && sizes[c] == 0) {
            sizes[c] = dim(operand(op, at), d++);
            n *= sizes[c];
        } else {
            d += c != ' ' && c != '.';
        }
    }
    return n;
}

/* Each element of the result takes one window: the kernel without its output features. */
static double flops_convolution(const tsr_op *op)
{
    tsr_conv c;
    tsr_conv_of(op, &c);
    double features = dim(operand(op, 1), c.kernel_out);
    return features ? 2 * elements(op->out[0].type) * elements(operand(op, 1)) / features : 0;
}

static double flops_ttir_conv(const tsr_op *op)
{
    double features = dim(operand(op, 1), 0);
    return features ? 2 * elements(op->out[0].type) * elements(operand(op, 1)) / features : 0;
}

/* Each element of the input contributes to one window of the kernel. */
static double flops_ttir_conv_transpose(const tsr_op *op)
{
    double features = dim(operand(op, 1), 0);
    return features ? 2 * elements(operand(op, 0)) * elements(operand(op, 1)) / features : 0;
}

/* Queries times keys, softmax of the scores, scores times values. */
static double flops_attention(const tsr_op *op)
{
    const tsr_type *q = operand(op, 0), *k = operand(op, 1), *v = operand(op, op->nin > 2 ? 2 : 1);
    double width = dim(q, -1), rows = width ? elements(q) / width : 0, keys = dim(k, -2);
    return rows * keys * (2 * width + 5 + 2 * dim(v, -1));
}

static double flops_reduce(const tsr_op *op)
{
    double n = 0;
    for (uint32_t i = 0; i < op->nin / 2; i++)
        n += elements(operand(op, i));
    return n;
}

static double flops_reduce_window(const tsr_op *op)
{
    tsr_window w;
    double n = elements(op->out[0].type) * op->nout;
    tsr_window_of(op, &w);
    for (uint32_t i = 0; i < w.sizes.n; i++)
        n *= (double)tsr_ints_at(w.sizes, i);
    return n;
}

/* 5 n log2(n) for complex numbers, half of it for real ones. */
static double flops_fft(const tsr_op *op)
{
    const tsr_attr *length = op->attrs[STABLEHLO_FFT_fft_length];
    double n = 1, real = tsr_type_is(operand(op, 0)->elem, TSR_TYPE_COMPLEX) &&
                                 tsr_type_is(op->out[0].type->elem, TSR_TYPE_COMPLEX)
                             ? 1
                             : 0.5;
    for (int64_t i = 0; length && i < tsr_attr_count(length); i++)
        n *= (double)tsr_attr_int_at(length, (size_t)i);
    double most = fmax(elements(operand(op, 0)), elements(op->out[0].type));
    return n > 1 ? real * 5 * most * log2(n) : 0;
}

static double flops_cholesky(const tsr_op *op)
{
    return elements(operand(op, 0)) * dim(operand(op, 0), -1) / 3;
}

static double flops_triangular_solve(const tsr_op *op)
{
    return elements(operand(op, 1)) * dim(operand(op, 0), -1);
}

typedef double flops_fn(const tsr_op *op);

#define TSR_ROWS_ALL /* hooks of TTIR are here, too */
static flops_fn *const column[] = {
#define OP(id, name, traits) [TSR_OP_##id] = 0
#define FLOPS(hook) +flops_##hook
#define END ,
#include "dialect/ops.def"
};
#undef TSR_ROWS_ALL

double tsr_op_flops(const tsr_op *op)
{
    double n = 0;
    flops_fn *hook = op->def->opcode < TSR_OP__COUNT ? column[op->def->opcode] : NULL;
    if (!hook) {
        bool pointwise =
            tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE));
        n = pointwise && op->nout ? elements(op->out[0].type) : 0;
    } else {
        for (uint32_t i = 0; i < op->nin && n >= 0; i++)
            n = elements(operand(op, i)) < 0 ? -1 : n;
        for (uint32_t i = 0; i < op->nout && n >= 0; i++)
            n = elements(op->out[i].type) < 0 ? -1 : n;
        n = n < 0 ? -1 : hook(op);
    }
    return n;
}
