/* SPDX-License-Identifier: Apache-2.0 */
/* norm.c - batch normalization: inference, training and its gradient, in double, rounded once.
 *
 * The operand is viewed as outer x features x inner; per-feature values are arrays. */
#include <math.h>
#include <stdlib.h>

#include "eval/eval.h"

eval_fn eval_batch_norm_inference, eval_batch_norm_training, eval_batch_norm_grad;

typedef struct {
    int64_t outer, features, inner;
    double epsilon;
    double *mem;  /* all arrays, as one block */
    double *x;    /* the operand */
    double *next; /* the part of mem that is free */
} norm;

/* Room for the operand, for big more arrays of its size, and for small arrays with one number per feature. */
static bool prepare(tsr_call *c, norm *n, int epsilon, int feature_index, size_t big, size_t small)
{
    const tsr_tensor *x = c->in[0];
    int64_t axis = tsr_call_attr(c, feature_index)->i;
    *n = (norm){.outer = 1, .inner = 1};
    if (axis < 0 || axis >= x->rank)
        return tsr_fail(c, "has a feature_index that is no dimension of its operand");
    n->features = x->dims[axis];
    for (int64_t d = 0; d < x->rank; d++) {
        n->outer *= d < axis ? x->dims[d] : 1;
        n->inner *= d > axis ? x->dims[d] : 1;
    }
    for (uint32_t i = 0; i < c->op->nin; i++) {
        const tsr_tensor *t = c->in[i];
        int64_t size = i == 0 || (big && i == 4) ? x->n : n->features; /* of the gradient too */
        if (!tsr_dtype_is_float((tsr_dtype)t->dtype) || t->n != size)
            return tsr_fail(c, "has operands whose sizes or types do not fit");
    }
    n->epsilon = tsr_float_to_double(TSR_F32, (uint64_t)tsr_call_attr(c, epsilon)->i);
    size_t count = (big + 1) * (size_t)x->n + small * (size_t)n->features;
    n->mem = tsr_calloc(count ? count : 1, sizeof *n->mem);
    if (!n->mem)
        return tsr_fail_memory(c, "its sums");
    n->x = n->mem;
    n->next = n->mem + x->n;
    tsr_to_doubles((tsr_dtype)x->dtype, x->data, n->x, x->n);
    return true;
}

static double *take(norm *n, int64_t count)
{
    double *p = n->next;
    n->next += count;
    return p;
}

/* An operand as doubles. */
static double *load(norm *n, const tsr_tensor *t)
{
    double *p = take(n, t->n);
    tsr_to_doubles((tsr_dtype)t->dtype, t->data, p, t->n);
    return p;
}

/* A result from doubles: with the operand's shape, or one number per feature. */
static bool store(tsr_call *c, norm *n, size_t i, const double *values, bool per_feature)
{
    const tsr_tensor *x = c->in[0];
    tsr_tensor *out =
        per_feature ? tsr_call_new(c, i, &n->features, 1) : tsr_call_new(c, i, x->dims, x->rank);
    TSR_TRY(out != NULL);
    if (!tsr_dtype_is_float((tsr_dtype)out->dtype))
        return tsr_fail(c, "is not defined for elements of type %s",
                        tsr_dtype_name((tsr_dtype)out->dtype));
    tsr_from_doubles((tsr_dtype)out->dtype, values, out->data, out->n);
    return true;
}

/* For loops over the operand: element i belongs to feature f. */
#define EACH(n, i, f)                                                                             \
    for (int64_t i = 0, o_ = 0, m_ = (n)->features && (n)->inner ? (n)->outer : 0; o_ < m_; o_++) \
        for (int64_t f = 0; f < (n)->features; f++)                                               \
            for (int64_t k_ = 0; k_ < (n)->inner; k_++, i++)

/* Replaces x by its normalized form. */
static void normalize(norm *n, const double *mean, const double *variance, const double *scale,
                      const double *offset)
{
    EACH (n, i, f)
        n->x[i] = (n->x[i] - mean[f]) / sqrt(variance[f] + n->epsilon) * scale[f] + offset[f];
}

bool eval_batch_norm_inference(tsr_call *c)
{
    norm n;
    TSR_TRY(prepare(c, &n, STABLEHLO_BATCH_NORM_INFERENCE_epsilon,
                    STABLEHLO_BATCH_NORM_INFERENCE_feature_index, 0, 4));
    double *scale = load(&n, c->in[1]), *offset = load(&n, c->in[2]);
    double *mean = load(&n, c->in[3]), *variance = load(&n, c->in[4]);
    normalize(&n, mean, variance, scale, offset);
    bool ok = store(c, &n, 0, n.x, false);
    tsr_free(n.mem);
    return ok;
}

bool eval_batch_norm_training(tsr_call *c)
{
    norm n;
    TSR_TRY(prepare(c, &n, STABLEHLO_BATCH_NORM_TRAINING_epsilon,
                    STABLEHLO_BATCH_NORM_TRAINING_feature_index, 0, 4));
    double *scale = load(&n, c->in[1]), *offset = load(&n, c->in[2]);
    double *mean = take(&n, n.features), *variance = take(&n, n.features);
    double count = (double)(n.outer * n.inner);
    EACH (&n, i, f)
        mean[f] += n.x[i];
    for (int64_t f = 0; f < n.features; f++)
        mean[f] /= count;
    EACH (&n, i, f)
        variance[f] += (n.x[i] - mean[f]) * (n.x[i] - mean[f]);
    for (int64_t f = 0; f < n.features; f++)
        variance[f] /= count;
    normalize(&n, mean, variance, scale, offset);
    bool ok = store(c, &n, 0, n.x, false) && store(c, &n, 1, mean, true) &&
              store(c, &n, 2, variance, true);
    tsr_free(n.mem);
    return ok;
}

/* With z = (x - mean) / sqrt(variance + epsilon) over N elements per feature, and g the gradient of the result:
 *   d offset = sum g
 *   d scale = sum g z
 *   d x = scale / sqrt(variance + epsilon) (g - (d offset + z d scale) / N) */
bool eval_batch_norm_grad(tsr_call *c)
{
    norm n;
    TSR_TRY(prepare(c, &n, STABLEHLO_BATCH_NORM_GRAD_epsilon,
                    STABLEHLO_BATCH_NORM_GRAD_feature_index, 1, 5));
    double *scale = load(&n, c->in[1]), *mean = load(&n, c->in[2]), *variance = load(&n, c->in[3]);
    double *grad = load(&n, c->in[4]), *grad_scale = take(&n, n.features),
           *grad_offset = take(&n, n.features);
    double count = (double)(n.outer * n.inner);
    for (int64_t f = 0; f < n.features; f++)
        variance[f] = sqrt(variance[f] + n.epsilon); /* from here on: the deviation */
    EACH (&n, i, f) {
        n.x[i] = (n.x[i] - mean[f]) / variance[f];
        grad_scale[f] += grad[i] * n.x[i];
        grad_offset[f] += grad[i];
    }
    EACH (&n, i, f)
        n.x[i] =
            scale[f] / variance[f] * (grad[i] - (grad_offset[f] + n.x[i] * grad_scale[f]) / count);
    bool ok = store(c, &n, 0, n.x, false) && store(c, &n, 1, grad_scale, true) &&
              store(c, &n, 2, grad_offset, true);
    tsr_free(n.mem);
    return ok;
}
