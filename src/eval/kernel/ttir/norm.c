/* SPDX-License-Identifier: Apache-2.0 */
/* norm.c - TTIR: softmax, normalization, dropout and the optimiser step, in double, rounded once. */
#include <math.h>
#include <stdlib.h>

#include "eval/kernel/tessera/tessera.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/mesh.h"

/* Operand i as writable doubles, owned by the caller; NULL after a failure. */
static tsr_tensor *doubles(tsr_call *c, size_t i)
{
    if (tsr_dtype_is_complex(tsr_call_dtype(c, i))) {
        tsr_fail(c, "is not defined for complex numbers");
        return NULL;
    }
    tsr_tensor *t = tsr_tt_take(c, i, TSR_D_F64);
    t = t ? tsr_tensor_reuse(t) : NULL;
    if (!t)
        tsr_fail_memory(c, "its operand in double");
    return t;
}

/* The operand of a group as n doubles, or NULL if it is absent. *ok: false after a failure. */
static tsr_tensor *parameter(tsr_call *c, size_t group, int64_t n, bool *ok)
{
    int at = tsr_tt_at(c, group);
    if (at < 0 || !*ok)
        return NULL;
    tsr_tensor *t = doubles(c, (size_t)at);
    *ok = t && t->n == n;
    if (t && t->n != n)
        tsr_fail(c, "has a parameter of %lld numbers for %lld", (long long)t->n, (long long)n);
    return t;
}

static double at(const tsr_tensor *t, int64_t i, double otherwise)
{
    return t ? ((const double *)t->data)[i] : otherwise;
}

/* Sets result i to t if ok, else frees t. */
static bool finish(tsr_call *c, size_t i, tsr_tensor *t, bool ok)
{
    if (ok)
        return tsr_tt_give(c, i, t);
    tsr_tensor_unref(t);
    return false;
}

/* ---- softmax ---- */

static void softmax_line(double *v, int64_t n, int64_t step)
{
    double most = -INFINITY, sum = 0;
    for (int64_t i = 0; i < n; i++)
        most = most > v[i * step] || most != most ? most : v[i * step];
    for (int64_t i = 0; i < n; i++)
        sum += v[i * step] = exp(v[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        v[i * step] /= sum;
}

bool eval_ttir_softmax(tsr_call *c)
{
    size_t dim;
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_SOFTMAX_dimension, 0), c->in[0]->rank, &dim));
    tsr_tensor *t = doubles(c, 0);
    TSR_TRY(t != NULL);
    tsr_tt_axis a = tsr_tt_around(t, dim);
    double *v = t->data;
    for (int64_t o = 0; t->n && o < a.outer; o++)
        for (int64_t i = 0; i < a.inner; i++)
            softmax_line(v + o * a.n * a.inner + i, a.n, a.inner);
    return tsr_tt_give(c, 0, t);
}

/* ---- Over the last dimensions ---- */

/* layer_norm, and rms_norm, which does not subtract the mean. Both have their attributes in the same slots. */
bool eval_ttir_layer_norm(tsr_call *c)
{
    int64_t shape[TSR_MAX_RANK], n = 1;
    const tsr_tensor *x = c->in[0];
    size_t rank =
        tsr_tt_ints(tsr_call_attr(c, TTIR_LAYER_NORM_normalized_shape), shape, TSR_MAX_RANK);
    bool centred = tsr_op_is(c->op, TSR_OP_TTIR_LAYER_NORM), ok = rank <= x->rank;
    for (size_t i = 0; ok && i < rank; i++) {
        ok = x->dims[x->rank - rank + i] == shape[i];
        n *= shape[i];
    }
    if (!ok)
        return tsr_fail(c, "normalizes a shape that its operand does not end in");
    double epsilon = tsr_tt_double(c, TTIR_LAYER_NORM_epsilon, 1e-5);
    tsr_tensor *t = doubles(c, 0), *weight, *bias;
    ok = t != NULL;
    weight = parameter(c, 1, n, &ok);
    bias = parameter(c, 2, n, &ok);
    for (int64_t i = 0; ok && n && i < t->n; i += n) {
        double *v = (double *)t->data + i;
        tsr_norm_line(v, n, epsilon, centred);
        for (int64_t k = 0; k < n; k++)
            v[k] = v[k] * at(weight, k, 1) + at(bias, k, 0);
    }
    tsr_tensor_unref(weight);
    tsr_tensor_unref(bias);
    return finish(c, 0, t, ok);
}

/* ---- Over groups of channels ---- */

/* Elements are batch x before x channels x after; a group consists of consecutive channels of one batch entry.
 * input_mask tells the hardware where tiles of a group begin: it does not affect values. */
bool eval_ttir_group_norm(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    size_t dim;
    int64_t groups = tsr_tt_int(c, TTIR_GROUP_NORM_num_groups, 1);
    double epsilon = tsr_tt_double(c, TTIR_GROUP_NORM_epsilon, 1e-12);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_GROUP_NORM_channel_dim, 3), x->rank, &dim));
    tsr_tt_axis a = tsr_tt_around(x, dim);
    int64_t batch = dim ? x->dims[0] : 1, before = batch ? a.outer / batch : 0, channels = a.n;
    if (groups < 1 || channels % groups)
        return tsr_fail(c, "has %lld channels for %lld groups", (long long)channels,
                        (long long)groups);
    tsr_tensor *t = doubles(c, 0), *weight, *bias;
    bool ok = t != NULL;
    weight = parameter(c, 2, channels, &ok);
    bias = parameter(c, 3, channels, &ok);
    int64_t each = channels / groups, run = each * a.inner, count = before * run;
    for (int64_t g = 0; ok && count && g < batch * groups; g++) {
        int64_t b = g / groups, first = g % groups * each;
        double *v = (double *)t->data + b * before * channels * a.inner + first * a.inner;
        double mean = 0, square = 0;
        for (int64_t p = 0; p < before; p++)
            for (int64_t i = 0; i < run; i++)
                mean += v[p * channels * a.inner + i];
        mean /= (double)count;
        for (int64_t p = 0; p < before; p++)
            for (int64_t i = 0; i < run; i++) {
                double *e = &v[p * channels * a.inner + i];
                *e -= mean;
                square += *e * *e;
            }
        double by = 1 / sqrt(square / (double)count + epsilon);
        for (int64_t p = 0; p < before; p++)
            for (int64_t i = 0; i < run; i++) {
                int64_t ch = first + i / a.inner;
                double *e = &v[p * channels * a.inner + i];
                *e = *e * by * at(weight, ch, 1) + at(bias, ch, 0);
            }
    }
    tsr_tensor_unref(weight);
    tsr_tensor_unref(bias);
    return finish(c, 0, t, ok);
}

/* ---- Over a batch ---- */

enum { SCALE, OFFSET, MEAN, VARIANCE, NPARAM };

/* x = (x - mean) / sqrt(variance + epsilon) * scale + offset, by channel. */
static void normalize(double *x, const tsr_tt_axis *a, double *const *p, double epsilon)
{
    for (int64_t o = 0; o < a->outer; o++)
        for (int64_t f = 0; f < a->n; f++) {
            double by = p[SCALE][f] / sqrt(p[VARIANCE][f] + epsilon);
            for (int64_t i = 0; i < a->inner; i++, x++)
                *x = (*x - p[MEAN][f]) * by + p[OFFSET][f];
        }
}

static void statistics(const double *x, const tsr_tt_axis *a, double *mean, double *variance)
{
    double count = (double)(a->outer * a->inner);
    for (int pass = 0; pass < 2; pass++) {
        const double *v = x;
        double *sum = pass ? variance : mean;
        memset(sum, 0, (size_t)a->n * sizeof *sum);
        for (int64_t o = 0; o < a->outer; o++)
            for (int64_t f = 0; f < a->n; f++)
                for (int64_t i = 0; i < a->inner; i++, v++)
                    sum[f] += pass ? (*v - mean[f]) * (*v - mean[f]) : *v;
        for (int64_t f = 0; f < a->n; f++)
            sum[f] /= count;
    }
}

/* The operand and the four parameters, with one number per channel, in double. */
static bool batch_operands(tsr_call *c, int dimension, tsr_tensor **t, tsr_tt_axis *a)
{
    size_t dim;
    bool ok = true;
    memset(t, 0, (NPARAM + 1) * sizeof *t);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, dimension, 1), c->in[0]->rank, &dim));
    *a = tsr_tt_around(c->in[0], dim);
    t[NPARAM] = doubles(c, 0);
    ok = t[NPARAM] != NULL;
    for (size_t i = 0; i < NPARAM; i++)
        t[i] = parameter(c, 1 + i, a->n, &ok);
    return ok;
}

static void drop(tsr_tensor **t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_tensor_unref(t[i]);
}

bool eval_ttir_batch_norm_inference(tsr_call *c)
{
    tsr_tensor *t[NPARAM + 1];
    tsr_tt_axis a;
    bool ok = batch_operands(c, TTIR_BATCH_NORM_INFERENCE_dimension, t, &a);
    if (ok) {
        double *p[] = {t[0]->data, t[1]->data, t[2]->data, t[3]->data};
        normalize(t[NPARAM]->data, &a, p, tsr_tt_double(c, TTIR_BATCH_NORM_INFERENCE_epsilon, 0));
    }
    drop(t, NPARAM);
    return finish(c, 0, t[NPARAM], ok);
}

/* Normalizes by the batch's own mean and variance, and moves the running ones towards them. */
bool eval_ttir_batch_norm_training(tsr_call *c)
{
    tsr_tensor *t[NPARAM + 1];
    tsr_tt_axis a;
    bool ok = batch_operands(c, TTIR_BATCH_NORM_TRAINING_dimension, t, &a);
    double *own = ok ? tsr_malloc((size_t)(2 * a.n + 1) * sizeof *own) : NULL;
    if (ok && !own)
        ok = tsr_fail_memory(c, "its means");
    if (ok) {
        double *p[] = {t[0]->data, t[1]->data, own, own + a.n};
        double *running[] = {t[MEAN]->data, t[VARIANCE]->data};
        double momentum = tsr_tt_double(c, TTIR_BATCH_NORM_TRAINING_momentum, 0);
        statistics(t[NPARAM]->data, &a, own, own + a.n);
        normalize(t[NPARAM]->data, &a, p, tsr_tt_double(c, TTIR_BATCH_NORM_TRAINING_epsilon, 0));
        for (int64_t f = 0; f < a.n; f++)
            for (int k = 0; k < 2; k++)
                running[k][f] = momentum * own[k * a.n + f] + (1 - momentum) * running[k][f];
    }
    tsr_free(own);
    drop(t, MEAN);
    bool all = finish(c, 0, t[NPARAM], ok);
    all &= finish(c, 1, t[MEAN], all);
    return finish(c, 2, t[VARIANCE], all) && all;
}

/* ---- Training ---- */

/* Random numbers in [0, 1) of a seed: the k-th depends only on the seed and k. */
static tsr_tensor *uniform(tsr_call *c, uint64_t seed, const int64_t *dims, size_t rank)
{
    tsr_tensor *bits = tsr_tt_new(c, TSR_D_U32, dims, rank);
    tsr_tensor *t = bits ? tsr_tt_new(c, TSR_D_F64, dims, rank) : NULL;
    if (t) {
        tsr_philox(bits, seed, 0);
        for (int64_t i = 0; i < t->n; i++)
            ((double *)t->data)[i] = (double)(((uint32_t *)bits->data)[i] >> 8) * 0x1p-24;
    }
    tsr_tensor_unref(bits);
    return t;
}

bool eval_ttir_rand(tsr_call *c)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = tsr_tt_ints(tsr_call_attr(c, TTIR_RAND_size), dims, TSR_MAX_RANK);
    double low = tsr_tt_double(c, TTIR_RAND_low, 0), high = tsr_tt_double(c, TTIR_RAND_high, 1);
    tsr_tensor *t = uniform(c, (uint64_t)tsr_tt_int(c, TTIR_RAND_seed, 0), dims, rank);
    for (int64_t i = 0; t && i < t->n; i++)
        ((double *)t->data)[i] = low + (high - low) * ((double *)t->data)[i];
    return tsr_tt_give(c, 0, t);
}

/* Each device of a mesh drops different elements, unless they share the seed. */
bool eval_ttir_dropout(tsr_call *c)
{
    double prob = tsr_tt_double(c, TTIR_DROPOUT_prob, 0),
           scale = tsr_tt_double(c, TTIR_DROPOUT_scale, 1);
    uint64_t seed = (uint64_t)tsr_tt_int(c, TTIR_DROPOUT_seed, 0);
    if (tsr_tt_int(c, TTIR_DROPOUT_use_per_device_seed, 1))
        seed ^= (uint64_t)tsr_process_id(c->e) << 32;
    tsr_tensor *t = doubles(c, 0), *u = t ? uniform(c, seed, t->dims, t->rank) : NULL;
    for (int64_t i = 0; u && i < t->n; i++)
        ((double *)t->data)[i] *= ((double *)u->data)[i] < prob ? 0 : scale;
    bool ok = u != NULL;
    tsr_tensor_unref(u);
    return finish(c, 0, t, ok);
}

/* One step of AdamW. The moments move towards gradient and square; the last operand, if present, holds the largest
 * second moment so far, which is then used in its place. */
bool eval_ttir_adamw(tsr_call *c)
{
    tsr_tensor *t[5] = {NULL};
    bool ok = true;
    int64_t n = c->in[0]->n;
    for (size_t i = 0; i < 5; i++)
        t[i] = parameter(c, i, n, &ok);
    double lr = tsr_tt_double(c, TTIR_ADAMW_lr, 0), b1 = tsr_tt_double(c, TTIR_ADAMW_beta1, 0),
           b2 = tsr_tt_double(c, TTIR_ADAMW_beta2, 0),
           eps = tsr_tt_double(c, TTIR_ADAMW_epsilon, 0);
    double correct1 = 1 - tsr_tt_double(c, TTIR_ADAMW_beta1_pow, 0),
           correct2 = 1 - tsr_tt_double(c, TTIR_ADAMW_beta2_pow, 0),
           decay = tsr_tt_double(c, TTIR_ADAMW_weight_decay, 0);
    for (int64_t i = 0; ok && i < n; i++) {
        double *p = (double *)t[0]->data + i, g = at(t[1], i, 0), *m = (double *)t[2]->data + i,
               *v = (double *)t[3]->data + i, second;
        *m = b1 * *m + (1 - b1) * g;
        second = *v = b2 * *v + (1 - b2) * g * g;
        if (t[4]) {
            double *most = (double *)t[4]->data + i;
            second = *most = *most > second ? *most : second;
        }
        *p -= lr * (*m / correct1) / (sqrt(second / correct2) + eps) + lr * decay * *p;
    }
    tsr_tensor_unref(t[1]);
    if (!t[4] || c->op->nout < 4)
        tsr_tensor_unref(t[4]);
    bool all = finish(c, 0, t[0], ok);
    all = finish(c, 1, t[2], all) && all;
    all = finish(c, 2, t[3], all) && all;
    return t[4] && c->op->nout > 3 ? finish(c, 3, t[4], all) && all : all;
}
