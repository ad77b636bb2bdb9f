/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - TTIR: pooling and upsampling of images, batch x height x width x channels. Averages are computed in double
 * and rounded once. */
#include <math.h>

#include "dialect/dialect.h"
#include "dialect/params.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

typedef struct {
    int64_t n, h, w, c;                                /* of the input */
    int64_t oh, ow;                                    /* of the result */
    int64_t kernel[2], stride[2], dilation[2], pad[4]; /* top, left, bottom, right */
    bool include_pad, flat;
} pool;

static bool pair(tsr_call *c, tsr_ints v, int64_t least, int64_t *out)
{
    bool ok = v.n == 2;
    for (size_t i = 0; ok && i < 2; i++) {
        out[i] = tsr_ints_at(v, i);
        ok = out[i] >= least && out[i] < INT32_MAX;
    }
    return ok || tsr_fail(c, "has a window that cannot be");
}

/* How many windows there are; with ceil, a window that begins inside counts even if it ends outside. */
static int64_t count(int64_t size, int64_t before, int64_t after, int64_t reach, int64_t stride,
                     bool ceil_mode)
{
    int64_t room = size + before + after - reach;
    if (room < 0)
        return 0;
    int64_t n = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    return ceil_mode && (n - 1) * stride >= size + before ? n - 1 : n;
}

static bool read_pool(tsr_call *c, pool *p)
{
    const tsr_tensor *x = c->in[0];
    tsr_pooling d;
    tsr_pooling_of(c->op, &d);
    *p = (pool){.flat = d.flat.given, .include_pad = d.counts_pad};
    if (x->rank != 4)
        return tsr_fail(c, "needs an operand of rank 4");
    p->n = p->flat ? d.flat.batch : x->dims[0];
    p->h = p->flat ? d.flat.height : x->dims[1];
    p->w = p->flat ? d.flat.width : x->dims[2];
    p->c = x->dims[3];
    if (p->flat && p->n * p->h * p->w * p->c != x->n)
        return tsr_fail(c, "has a flattened picture of another size than it says");
    TSR_TRY(pair(c, d.window.sizes, 1, p->kernel) && pair(c, d.window.strides, 1, p->stride) &&
            pair(c, d.window.window_dilations, 1, p->dilation));
    for (size_t i = 0; i < 2; i++) {
        p->pad[i] = tsr_window_low(&d.window, i);
        p->pad[2 + i] = tsr_window_high(&d.window, i);
    }
    p->oh = count(p->h, p->pad[0], p->pad[2], p->dilation[0] * (p->kernel[0] - 1) + 1, p->stride[0],
                  d.ceil);
    p->ow = count(p->w, p->pad[1], p->pad[3], p->dilation[1] * (p->kernel[1] - 1) + 1, p->stride[1],
                  d.ceil);
    return true;
}

/* Which offsets of a window at position o are inside the input: those k in [first, end). */
static void inside(int64_t start, int64_t dilation, int64_t kernel, int64_t size, int64_t *first,
                   int64_t *end)
{
    *first = start < 0 ? (-start + dilation - 1) / dilation : 0;
    *end = start >= size ? 0 : (size - 1 - start) / dilation + 1;
    *end = *end < kernel ? *end : kernel;
}

/* The divisor of an average: the number of window positions, never counting those beyond the padding. */
static double divisor(const pool *p, const int64_t *start, const int64_t *first, const int64_t *end)
{
    double n = 1;
    for (int d = 0; d < 2; d++) {
        int64_t most = d ? p->w + p->pad[3] : p->h + p->pad[2], k = p->kernel[d];
        int64_t within = start[d] >= most ? 0 : (most - 1 - start[d]) / p->dilation[d] + 1;
        n *= (double)(p->include_pad ? (within < k ? within : k) : end[d] - first[d]);
    }
    return n;
}

/* values: n x oh x ow x c. places (may be NULL): index of the largest in the plane of a channel. */
static void pool_all(const pool *p, const double *x, double *values, int64_t *places, bool average)
{
    for (int64_t b = 0; b < p->n; b++)
        for (int64_t oy = 0; oy < p->oh; oy++)
            for (int64_t ox = 0; ox < p->ow; ox++, values += p->c) {
                int64_t start[2] = {oy * p->stride[0] - p->pad[0], ox * p->stride[1] - p->pad[1]},
                        first[2], end[2];
                inside(start[0], p->dilation[0], p->kernel[0], p->h, &first[0], &end[0]);
                inside(start[1], p->dilation[1], p->kernel[1], p->w, &first[1], &end[1]);
                for (int64_t ch = 0; ch < p->c; ch++) {
                    values[ch] = average ? 0 : -INFINITY;
                    if (places)
                        places[ch] = 0;
                }
                bool some = false;
                for (int64_t ky = first[0]; ky < end[0]; ky++)
                    for (int64_t kx = first[1]; kx < end[1]; kx++) {
                        int64_t at = (start[0] + ky * p->dilation[0]) * p->w + start[1] +
                                     kx * p->dilation[1];
                        const double *v = x + (b * p->h * p->w + at) * p->c;
                        for (int64_t ch = 0; ch < p->c; ch++) {
                            if (average) {
                                values[ch] += v[ch];
                            } else if (!some || v[ch] > values[ch] ||
                                       (v[ch] != v[ch] && values[ch] == values[ch])) {
                                values[ch] = v[ch];
                                if (places)
                                    places[ch] = at;
                            }
                        }
                        some = true;
                    }
                double by = average ? divisor(p, start, first, end) : 1;
                for (int64_t ch = 0; average && ch < p->c; ch++)
                    values[ch] /= by;
                if (places)
                    places += p->c;
            }
}

static bool give_picture(tsr_call *c, size_t i, tsr_tensor *t, bool flat)
{
    if (!t || !flat)
        return tsr_tt_give(c, i, t);
    int64_t dims[] = {1, 1, t->dims[0] * t->dims[1] * t->dims[2], t->dims[3]};
    return tsr_tt_give_as(c, i, t, dims, 4);
}

static bool pool2d(tsr_call *c, bool average, bool indices)
{
    pool p;
    TSR_TRY(read_pool(c, &p));
    if (tsr_dtype_is_complex(tsr_call_dtype(c, 0)))
        return tsr_fail(c, "is not defined for complex numbers");
    int64_t dims[] = {p.n, p.oh, p.ow, p.c};
    tsr_tensor *x = tsr_tt_as(c, c->in[0], TSR_D_F64),
               *t = x ? tsr_tt_new(c, TSR_D_F64, dims, 4) : NULL;
    tsr_tensor *at = t && indices ? tsr_tt_new(c, TSR_D_I64, dims, 4) : NULL;
    bool ok = t && (at || !indices);
    if (ok && t->n)
        pool_all(&p, x->data, t->data, at ? at->data : NULL, average);
    tsr_tensor_unref(x);
    if (!ok) {
        tsr_tensor_unref(t);
        return false;
    }
    ok = give_picture(c, 0, t, p.flat);
    return indices ? give_picture(c, 1, at, p.flat) && ok : ok;
}

bool eval_ttir_max_pool2d(tsr_call *c)
{
    return pool2d(c, false, false);
}

bool eval_ttir_avg_pool2d(tsr_call *c)
{
    return pool2d(c, true, false);
}

bool eval_ttir_max_pool2d_with_indices(tsr_call *c)
{
    return pool2d(c, false, true);
}

/* The mean over the two dimensions before the last. */
bool eval_ttir_global_avg_pool2d(tsr_call *c)
{
    tsr_tensor *x = c->in[0];
    if (x->rank < 2 || tsr_dtype_is_complex((tsr_dtype)x->dtype))
        return tsr_fail(c, "needs a picture");
    int64_t dims[TSR_MAX_RANK], channels = x->dims[x->rank - 1u], n = 1;
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (size_t k = 2; k <= 3 && k <= x->rank; k++) {
        n *= dims[x->rank - k];
        dims[x->rank - k] = 1;
    }
    tsr_tensor *v = tsr_tt_as(c, x, TSR_D_F64),
               *t = v ? tsr_tt_new(c, TSR_D_F64, dims, x->rank) : NULL;
    for (int64_t i = 0; t && i < t->n; i++) {
        const double *p = (const double *)v->data + i / channels * n * channels + i % channels;
        double sum = 0;
        for (int64_t k = 0; k < n; k++)
            sum += p[k * channels];
        ((double *)t->data)[i] = sum / (double)n;
    }
    tsr_tensor_unref(v);
    return tsr_tt_give(c, 0, t);
}

/* ---- upsample2d ---- */

/* The position of a result row between two input rows: centres of pixels are aligned. */
static double between(int64_t o, int64_t scale, int64_t size, int64_t *low, int64_t *high)
{
    double at = ((double)o + 0.5) / (double)scale - 0.5;
    at = at < 0 ? 0 : at;
    *low = tsr_clamp((int64_t)at, 0, size - 1);
    *high = tsr_clamp(*low + 1, 0, size - 1);
    return at - (double)*low;
}

bool eval_ttir_upsample2d(tsr_call *c)
{
    tsr_tensor *x = c->in[0];
    int64_t by[2];
    const tsr_attr *mode = tsr_call_attr(c, TTIR_UPSAMPLE2D_mode);
    bool smooth = mode && tsr_str_is(mode->s, "bilinear");
    TSR_TRY(pair(c, tsr_attr_ints_each(tsr_call_attr(c, TTIR_UPSAMPLE2D_scale_factor), 2), 1, by));
    if (x->rank != 4 || (smooth && tsr_dtype_is_complex((tsr_dtype)x->dtype)))
        return tsr_fail(c, "needs a picture");
    int64_t h = x->dims[1], w = x->dims[2], ch = x->dims[3];
    int64_t dims[] = {x->dims[0], h * by[0], w * by[1], ch};
    tsr_dtype d = smooth ? TSR_D_F64 : (tsr_dtype)x->dtype;
    tsr_tensor *v = tsr_tt_as(c, x, d), *t = v ? tsr_tt_new(c, d, dims, 4) : NULL;
    size_t row = v ? (size_t)ch * tsr_elem_size(v) : 0;
    for (int64_t i = 0, n = t && t->n ? dims[0] * dims[1] * dims[2] : 0; i < n; i++) {
        int64_t ox = i % dims[2], oy = i / dims[2] % dims[1], b = i / dims[2] / dims[1], y0, y1, x0,
                x1;
        if (!smooth) {
            memcpy((char *)t->data + (size_t)i * row,
                   (char *)v->data + (size_t)((b * h + oy / by[0]) * w + ox / by[1]) * row, row);
            continue;
        }
        double fy = between(oy, by[0], h, &y0, &y1), fx = between(ox, by[1], w, &x0, &x1);
        const double *p = (const double *)v->data + b * h * w * ch;
        for (int64_t k = 0; k < ch; k++) {
            double top = p[(y0 * w + x0) * ch + k] * (1 - fx) + p[(y0 * w + x1) * ch + k] * fx;
            double bottom = p[(y1 * w + x0) * ch + k] * (1 - fx) + p[(y1 * w + x1) * ch + k] * fx;
            ((double *)t->data)[i * ch + k] = top * (1 - fy) + bottom * fy;
        }
    }
    tsr_tensor_unref(v);
    return tsr_tt_give(c, 0, t);
}
