/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_norm.c - ttir-fusing: rms_norm from a mean or a sum of squares. */
#include <math.h>

#include "pass/ttir/commute.h"

/* A cast, a reshape, a broadcast or a repeat: the numbers are those of its operand. */
static bool is_layout(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTIR_TYPECAST) || tsr_op_is(op, TSR_OP_TTIR_RESHAPE) ||
           tsr_op_is(op, TSR_OP_TTIR_BROADCAST) || tsr_op_is(op, TSR_OP_TTIR_REPEAT_INTERLEAVE);
}

static tsr_value *behind_layout(tsr_value *v)
{
    while (!v->is_arg && is_layout(v->op))
        v = tsr_rw_in(v->op, 0);
    return v;
}

/* Whether the op keeps the last dimension, apart from ones added or removed after it, with `last` elements after the
 * op. */
static bool keeps_last(const tsr_op *op, int64_t last)
{
    const tsr_type *in = tsr_rw_in(op, 0)->type, *out = op->out[0].type;
    size_t d;
    switch (op->def->opcode) {
    case TSR_OP_TTIR_TYPECAST: return true;
    case TSR_OP_TTIR_BROADCAST:
        return in->n &&
               (in->dims[in->n - 1] == out->dims[out->n - 1] || out->dims[out->n - 1] == last);
    case TSR_OP_TTIR_REPEAT_INTERLEAVE:
        return tt_dim(op->attrs[TTIR_REPEAT_INTERLEAVE_dim]->i, in->n, &d) && d + 1 != in->n;
    case TSR_OP_TTIR_RESHAPE: {
        if (in->n == 0)
            return true;
        int64_t at = tsr_ttr_matching_dim(in, out, in->n - 1);
        for (size_t i = (size_t)(at + 1); at >= 0 && i < out->n; i++)
            if (out->dims[i] != 1)
                return false;
        return at >= 0;
    }
    default: return false;
    }
}

static tsr_value *behind_safe(tsr_value *v, int64_t last)
{
    while (!v->is_arg && is_layout(v->op) && keeps_last(v->op, last))
        v = tsr_rw_in(v->op, 0);
    return v;
}

/* The operand, through casts, that is an op of this kind; other: the other operand. */
static tsr_op *operand_of(const tsr_op *op, uint16_t opcode, tsr_value **other)
{
    for (size_t i = 0; i < 2; i++) {
        tsr_value *v = tsr_rw_in(op, i);
        while (tsr_ttr_def(v, TSR_OP_TTIR_TYPECAST))
            v = tsr_rw_in(v->op, 0);
        *other = tsr_rw_in(op, 1 - i);
        if (tsr_ttr_def(v, opcode))
            return v->op;
    }
    return NULL;
}

static tsr_value *fit(tsr_rewriter *r, tsr_op *at, tsr_value *v, const tsr_type *type)
{
    if (!tt_same_shape(v->type, type))
        v = tsr_ttr_reshape(r, at, v, type->dims, type->n);
    return tsr_ttr_typecast(r, at, v, type->elem);
}

static tsr_value *rms_norm(tsr_rewriter *r, tsr_op *at, tsr_value *x, tsr_value *weight, int64_t n,
                           double epsilon)
{
    tsr_value *in[] = {x, weight};
    int64_t sizes[] = {1, weight ? 1 : 0, 0};
    tsr_op *op = tsr_ttr_op(r, at, TSR_OP_TTIR_RMS_NORM, in, weight ? 2 : 1, x->type);
    op->attrs[TTIR_RMS_NORM_normalized_shape] = tsr_attr_i64_array(r->ctx, &n, 1);
    op->attrs[TTIR_RMS_NORM_epsilon] = tsr_ttir_f32(r->ctx, epsilon);
    op->attrs[TTIR_RMS_NORM_operandSegmentSizes] = tsr_ttir_i32_array(r->ctx, sizes, 3);
    return &op->out[0];
}

/* The base of x * x, or of x ** 2; NULL: it is neither. */
static tsr_value *square_of(const tsr_value *v)
{
    tsr_op *mul = tsr_ttr_def(v, TSR_OP_TTIR_MULTIPLY), *pow_op = tsr_ttr_def(v, TSR_OP_TTIR_POW);
    double power;
    if (mul)
        return tsr_rw_in(mul, 0) == tsr_rw_in(mul, 1) ? tsr_rw_in(mul, 0) : NULL;
    return pow_op && tsr_ttr_number_through(tsr_rw_in(pow_op, 1), &power) && fabs(power - 2) < 1e-3
               ? tsr_rw_in(pow_op, 0)
               : NULL;
}

/* The only dimension of a reduction; -1: it has none or several. */
static int64_t one_dim(const tsr_op *op)
{
    size_t d;
    tsr_reduce_dims r;
    tsr_reduce_dims_of(op, &r);
    return r.dims.n == 1 && tt_dim(tsr_ints_at(r.dims, 0), tsr_rw_in(op, 0)->type->n, &d)
               ? (int64_t)d
               : -1;
}

/* x before a cast, if it then has gamma's element type. */
static tsr_value *of_elements(tsr_rewriter *r, tsr_op *at, tsr_value *x, tsr_type *elem)
{
    if (x->type->elem == elem)
        return x;
    /* The ops that computed x did so from casts of such elements, or x is cast anyway: it is cast again. */
    if (x->is_arg)
        return NULL;
    for (uint32_t i = 0; i < x->op->nin; i++) {
        tsr_value *v = tsr_rw_in(x->op, i);
        while (tsr_ttr_def(v, TSR_OP_TTIR_RESHAPE) || tsr_ttr_def(v, TSR_OP_TTIR_PERMUTE))
            v = tsr_rw_in(v->op, 0);
        tsr_op *cast = tsr_ttr_def(v, TSR_OP_TTIR_TYPECAST);
        if (cast && tsr_rw_in(cast, 0)->type->elem == elem)
            return tsr_ttr_typecast(r, at, x, elem);
    }
    return NULL;
}

/* x * rsqrt(mean(x * x) + epsilon) * gamma -> rms_norm(x, gamma) */
bool rule_tt_fuse_rms_norm(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *out = op->out[0].type;
    tsr_value *raw, *x_raw = NULL, *eps = NULL;
    double epsilon;
    if (!tsr_ttr_tensor(&op->out[0]) || out->n == 0)
        return false;
    int64_t last = out->dims[out->n - 1];
    tsr_op *inner = operand_of(op, TSR_OP_TTIR_MULTIPLY, &raw), *rsqrt = NULL;
    for (size_t i = 0; inner && !rsqrt && i < 2; i++) {
        rsqrt = tsr_ttr_def(behind_safe(tsr_rw_in(inner, i), last), TSR_OP_TTIR_RSQRT);
        x_raw = tsr_rw_in(inner, 1 - i);
    }
    tsr_op *add =
               rsqrt ? tsr_ttr_def(behind_safe(tsr_rw_in(rsqrt, 0), last), TSR_OP_TTIR_ADD) : NULL,
           *mean = NULL;
    for (size_t i = 0; add && !mean && i < 2; i++) {
        mean = tsr_ttr_def(tsr_rw_in(add, i), TSR_OP_TTIR_MEAN);
        eps = tsr_rw_in(add, 1 - i);
    }
    if (!mean || one_dim(mean) != (int64_t)tsr_rw_in(mean, 0)->type->n - 1 ||
        !tsr_ttr_number(eps, &epsilon))
        return false;
    tsr_value *base = square_of(tsr_rw_in(mean, 0)), *x = behind_safe(x_raw, last);
    if (!base || behind_safe(base, last) != x || !tsr_ttr_tensor(x) || x->type->n == 0 ||
        x->type->dims[x->type->n - 1] != last ||
        tsr_ttr_elements(x) != tsr_ttr_elements(&op->out[0]))
        return false;
    tsr_value *gamma = behind_safe(raw, last);
    if (!tsr_ttr_tensor(gamma) || gamma->type->n == 0 || tsr_ttr_elements(gamma) != last ||
        gamma->type->dims[gamma->type->n - 1] != last)
        return false;
    x = of_elements(r, op, x, gamma->type->elem);
    if (!x)
        return false;
    if (gamma->type->n != 1)
        gamma = tsr_ttr_reshape(r, op, gamma, &last, 1);
    tsr_value *v = rms_norm(r, op, x, gamma, last, epsilon);
    tsr_rw_replace_one(r, op, fit(r, op, v, out));
    return true;
}

static bool in_composite(const tsr_op *op)
{
    for (const tsr_op *p = tsr_block_parent(op->block); p;
         p = p->block ? tsr_block_parent(p->block) : NULL)
        if (tsr_op_is(p, TSR_OP_FUNC_FUNC))
            return tsr_dict_get(p->extra, TSR_STR("tt.composite_decomposition")) != NULL;
    return false;
}

/* Goes through a lower bound of a norm, which must be small. */
static bool take_guard(tsr_value **norm, double *guard)
{
    enum { GUARD = 1000 }; /* at most 1 / GUARD */
    tsr_op *clamp_t = tsr_ttr_def(*norm, TSR_OP_TTIR_CLAMP_TENSOR),
           *clamp_s = tsr_ttr_def(*norm, TSR_OP_TTIR_CLAMP_SCALAR);
    if (clamp_t && !tsr_ttr_number_through(tsr_rw_in(clamp_t, 1), guard))
        return false;
    if (clamp_s)
        *guard = tsr_ttr_float_attr(clamp_s->attrs[TTIR_CLAMP_SCALAR_min]);
    if (*guard < 0 || *guard > 1.0 / GUARD)
        return false;
    if (clamp_t || clamp_s)
        *norm = behind_layout(tsr_rw_in((*norm)->op, 0));
    return true;
}

/* rms_norm along any dimension, which is moved to the end for it. */
static tsr_value *rms_norm_along(tsr_rewriter *r, tsr_op *at, tsr_value *x, tsr_value *gamma,
                                 int64_t dim, double epsilon)
{
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    size_t k = 0, rank = x->type->n;
    for (size_t i = 0; i < rank; i++)
        if ((int64_t)i != dim)
            perm[k++] = (int64_t)i;
    perm[k] = dim;
    bool last = dim + 1 == (int64_t)rank;
    tsr_value *v = last ? x : tsr_ttr_permute(r, at, x, perm);
    v = rms_norm(r, at, v, gamma, x->type->dims[dim], epsilon);
    tsr_ttr_inverse(perm, rank, back);
    return last ? v : tsr_ttr_permute(r, at, v, back);
}

/* x / max(sqrt(sum(x * x)), epsilon) * sqrt(n), perhaps followed by a gamma -> rms_norm(x) */
bool rule_tt_fuse_normalize(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *scale;
    tsr_op *div = operand_of(op, TSR_OP_TTIR_DIV, &scale);
    double guard = 0, number;
    if (!div || in_composite(op) || !tsr_ttr_tensor(&op->out[0]))
        return false;
    tsr_value *x = behind_layout(tsr_rw_in(div, 0)), *norm = behind_layout(tsr_rw_in(div, 1));
    if (!take_guard(&norm, &guard))
        return false;
    tsr_op *root = tsr_ttr_def(norm, TSR_OP_TTIR_SQRT), *power = tsr_ttr_def(norm, TSR_OP_TTIR_POW);
    if (power &&
        (!tsr_ttr_number_through(tsr_rw_in(power, 1), &number) || fabs(number - 0.5) > 1e-3))
        return false;
    if (!root && !power)
        return false;
    tsr_op *sum = tsr_ttr_def(behind_layout(tsr_rw_in(root ? root : power, 0)), TSR_OP_TTIR_SUM);
    int64_t dim = sum ? one_dim(sum) : -1;
    tsr_value *base = dim >= 0 ? square_of(behind_layout(tsr_rw_in(sum, 0))) : NULL;
    if (!base)
        return false;
    base = behind_layout(base);
    if (tsr_ttr_def(base, TSR_OP_TTIR_ABS))
        base = behind_layout(tsr_rw_in(base->op, 0));
    if (base != x || !tsr_ttr_tensor(x) || dim >= (int64_t)x->type->n || x->type->dims[dim] <= 1)
        return false;
    int64_t n = x->type->dims[dim];
    if (!tsr_ttr_number_through(scale, &number) || fabs(number / sqrt((double)n) - 1) > 0.02 ||
        tsr_ttr_elements(x) != tsr_ttr_elements(&op->out[0]))
        return false;
    tsr_op *target = op, *user = tsr_ttr_user(&op->out[0]);
    tsr_value *gamma = NULL;
    if (user && tsr_op_is(user, TSR_OP_TTIR_MULTIPLY)) {
        tsr_value *other = behind_layout(tsr_ttr_other(user, &op->out[0]));
        if (other != &op->out[0] && tsr_ttr_tensor(other) && tsr_ttr_elements(other) == n &&
            tsr_ttr_elements(&user->out[0]) == tsr_ttr_elements(x)) {
            target = user;
            gamma = other;
        }
    }
    if (gamma && !tsr_ttir_shape_is(gamma, &n, 1))
        gamma = tsr_ttr_reshape(r, target, gamma, &n, 1);
    if (gamma)
        gamma = tsr_ttr_typecast(r, target, gamma, x->type->elem);
    tsr_value *v = rms_norm_along(r, target, x, gamma, dim, guard * guard / (double)n);
    tsr_rw_replace_one(r, target, fit(r, target, v, target->out[0].type));
    return true;
}
