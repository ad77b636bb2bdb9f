/* SPDX-License-Identifier: Apache-2.0 */
/* norm.c - TTNN norms that TTIR lacks or has in another form: batch norms, statistics of devices, fused ones; and the
 * optimiser step. */
#include <math.h>

#include "eval/kernel/tessera/tessera.h"
#include "eval/kernel/ttnn/ttnn.h"

/* Results of the TTIR op that are written to operands here: as many values of these types as the kernel returns. */
enum { MOST = 4 };

/* Runs the view's kernel with results out[0..n) of the types of these operands, -1: c's own. */
static bool run_with_results(tsr_call *c, tsr_tensor **in, uint32_t nin, const int *types,
                             uint16_t n, tsr_tensor **out)
{
    const tsr_ttnn_view *v = tsr_ttnn_view_in(c);
    tsr_value values[MOST];
    tsr_op op;
    if (!v)
        return false;
    op = v->op;
    memset(values, 0, sizeof values);
    for (uint16_t i = 0; i < n; i++)
        values[i].type = types[i] < 0 ? c->op->out[0].type : c->op->in[types[i]].value->type;
    op.out = values;
    op.nout = n;
    op.nin = nin;
    tsr_call inner = *c;
    inner.op = &op;
    inner.in = in;
    inner.out = out;
    inner.last = NULL;
    memset(out, 0, n * sizeof *out);
    return tsr_kernel_of(&op)(&inner);
}

/* ---- Batch norms ---- */

/* One number for each channel: from an operand, or the same for all. */
static tsr_tensor *numbers(tsr_call *c, size_t group, int64_t channels, double otherwise)
{
    int at = tsr_tt_at(c, group);
    tsr_tensor *t =
        at >= 0 ? tsr_tt_as(c, c->in[at], TSR_D_F32) : tsr_tt_new(c, TSR_D_F32, &channels, 1);
    for (int64_t i = 0; at < 0 && t && i < channels; i++)
        ((float *)t->data)[i] = (float)otherwise;
    return t;
}

/* Operands are input, mean, variance, weight, bias; TTIR's are input, weight, bias, mean, variance. */
bool eval_ttnn_batch_norm(tsr_call *c)
{
    enum { INPUT, SCALE, OFFSET, MEAN, VARIANCE, N };
    bool training = tsr_op_is(c->op, TSR_OP_TTNN_BATCH_NORM_TRAINING);
    int64_t channels = c->in[0]->rank > 1 ? c->in[0]->dims[1] : 1;
    static const struct {
        uint8_t group;
        uint8_t otherwise;
    } from[N] = {[SCALE] = {3, 1}, [OFFSET] = {4, 0}, [MEAN] = {1, 0}, [VARIANCE] = {2, 1}};
    int mean = tsr_tt_at(c, 1), variance = tsr_tt_at(c, 2), types[] = {-1, mean, variance};
    tsr_tensor *in[N] = {c->in[0]}, *out[MOST] = {NULL};
    bool ok = true;
    for (int i = SCALE; i < N; i++)
        ok &= (in[i] = numbers(c, from[i].group, channels, from[i].otherwise)) != NULL;
    ok = ok && run_with_results(c, in, N, types, training ? 3 : 1, out);
    for (int i = SCALE; i < N; i++)
        tsr_tensor_unref(in[i]);
    c->out[0] = out[0];
    for (int i = 1; training && i < 3; i++) {
        const tsr_tensor *old = ok && types[i] >= 0 ? c->in[types[i]] : NULL;
        if (old)
            out[i] = tsr_tensor_reshape(out[i], old->elem, old->dims, old->rank);
        if (old)
            ok = tsr_ttnn_change(c, (uint32_t)types[i], out[i]);
        else
            tsr_tensor_unref(out[i]);
    }
    return ok;
}

bool eval_ttnn_adamw(tsr_call *c)
{
    static const int operands[] = {0, 2, 3, 4};
    uint16_t n = c->op->nin > 4 ? 4 : 3;
    tsr_tensor *out[MOST] = {NULL};
    bool ok = run_with_results(c, c->in, c->op->nin, operands, n, out);
    for (uint16_t i = 0; i < n; i++)
        if (ok)
            ok = tsr_ttnn_change(c, (uint32_t)operands[i], out[i]);
        else
            tsr_tensor_unref(out[i]);
    return ok;
}

/* ---- Statistics of devices ---- */

/* The operand plus the residual, in double. */
static tsr_tensor *with_residual(tsr_call *c, size_t group)
{
    bool ok = true;
    tsr_tensor *x = tsr_ttnn_doubles(c, 0), *r = tsr_ttnn_group(c, group, &ok);
    for (int64_t i = 0; x && r && r->n == x->n && i < x->n; i++)
        ((double *)x->data)[i] += ((double *)r->data)[i];
    tsr_tensor_unref(r);
    if (ok)
        return x;
    tsr_tensor_unref(x);
    return NULL;
}

/* Sums of squares in the first column of a tile; if the result has two tiles, sums in the first column of the next; the
 * rest is 0. */
bool eval_ttnn_norm_pre(tsr_call *c)
{
    enum { TILE = 32 };
    const tsr_type *type = c->op->out[0].type;
    tsr_tensor *x = with_residual(c, 1),
               *t = x ? tsr_tt_new(c, TSR_D_F64, type->dims, type->n) : NULL;
    int64_t n = x && x->rank ? x->dims[x->rank - 1] : 1,
            width = type->n ? type->dims[type->n - 1] : 1;
    bool ok = t && n && width && x->n / n == t->n / width;
    if (t && !ok)
        tsr_fail(c, "has rows of statistics that are not those of its operand");
    if (ok)
        memset(t->data, 0, tsr_tensor_bytes(t));
    for (int64_t r = 0; ok && r < x->n / n; r++) {
        const double *v = (const double *)x->data + r * n;
        double *to = (double *)t->data + r * width;
        for (int64_t i = 0; i < n; i++) {
            to[0] += v[i] * v[i];
            if (width > TILE)
                to[TILE] += v[i];
        }
    }
    tsr_tensor_unref(x);
    if (ok)
        return tsr_ttnn_give(c, 0, t);
    tsr_tensor_unref(t);
    return false;
}

static double number(const tsr_tensor *t, int64_t i, double otherwise)
{
    return t && t->n ? ((const double *)t->data)[i % t->n] : otherwise;
}

/* x is the result, or is dropped. */
static bool finish(tsr_call *c, bool ok, tsr_tensor *x, tsr_tensor *weight, tsr_tensor *bias)
{
    tsr_tensor_unref(weight);
    tsr_tensor_unref(bias);
    if (ok)
        return tsr_ttnn_give(c, 0, x);
    tsr_tensor_unref(x);
    return false;
}

/* Rows by the statistics of all devices, which are side by side. */
bool eval_ttnn_norm_post(tsr_call *c)
{
    enum { TILE = 32, PAIR = 2 * TILE };
    bool ok = true;
    double epsilon = tsr_ttnn_double(c, "epsilon", 1e-12);
    tsr_tensor *x = tsr_ttnn_doubles(c, 0), *s = x ? tsr_ttnn_doubles(c, 1) : NULL;
    tsr_tensor *weight = tsr_ttnn_group(c, 2, &ok), *bias = tsr_ttnn_group(c, 3, &ok);
    int64_t n = x && x->rank ? x->dims[x->rank - 1] : 1,
            width = s && s->rank ? s->dims[s->rank - 1] : 0;
    ok = ok && s;
    if (ok && (!n || !width || width % PAIR || s->n / width != x->n / n))
        ok = tsr_fail(c, "has statistics that are not those of its operand's rows");
    for (int64_t r = 0; ok && r < x->n / n; r++) {
        double mean = 0, square = 0, *v = (double *)x->data + r * n;
        double count = (double)(width / PAIR * n);
        for (int64_t i = 0; i < width; i += PAIR) {
            square += ((double *)s->data)[r * width + i] / count;
            mean += ((double *)s->data)[r * width + i + TILE] / count;
        }
        double by = 1 / sqrt(square - mean * mean + epsilon);
        for (int64_t i = 0; i < n; i++)
            v[i] = (v[i] - mean) * by * number(weight, i, 1) + number(bias, i, 0);
    }
    tsr_tensor_unref(s);
    return finish(c, ok, x, weight, bias);
}

/* activation(rms_norm(x + residual) * weight + bias) */
bool eval_ttnn_dit_norm(tsr_call *c)
{
    bool ok = true;
    const tsr_attr *name = tsr_ttnn_attr(c, "activation");
    uint8_t activation = name ? tsr_ttnn_activation(name->s) : 0;
    double epsilon = tsr_ttnn_double(c, "epsilon", 1e-5);
    tsr_tensor *x = with_residual(c, 3), *weight = tsr_ttnn_group(c, 1, &ok),
               *bias = tsr_ttnn_group(c, 2, &ok);
    int64_t n = x && x->rank ? x->dims[x->rank - 1] : 1;
    ok = ok && x;
    for (int64_t r = 0; ok && n && r < x->n; r += n) {
        double *v = (double *)x->data + r;
        tsr_norm_line(v, n, epsilon, false);
        for (int64_t i = 0; i < n; i++)
            v[i] = v[i] * number(weight, i, 1) + number(bias, i, 0);
    }
    if (ok && name && !tsr_ttnn_activate(activation, x->data, x->n))
        ok = tsr_fail(c, "cannot be evaluated with this activation");
    return finish(c, ok, x, weight, bias);
}
