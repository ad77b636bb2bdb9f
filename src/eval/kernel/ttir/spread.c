/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - norms whose rows are divided among several devices, and quantization by operands. */
#include <math.h>
#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "eval/kernel/collective.h"
#include "eval/kernel/pointwise.h"
#include "eval/kernel/ttir/cache.h"
#include "eval/kernel/kernels.h"
#include "eval/tt_mesh.h"

static void *at(const tsr_tensor *t, int64_t i)
{
    return (char *)t->data + (size_t)i * tsr_elem_size(t);
}

/* ---- Norms on several devices ---- */

/* Each device has a part of each row, and itself computes what it needs from the others' parts. */
typedef struct {
    tsr_gathering g;
    int64_t rows, n; /* of one device */
    int residual;    /* operand that is added first; -1: none */
    double *row;
} spread_rows;

static void add_row(const spread_rows *s, size_t member, int64_t r, double *out, double *room)
{
    const tsr_tensor *x = tsr_brought(&s->g, member, 0);
    tsr_to_doubles((tsr_dtype)x->dtype, at(x, r * s->n), out, s->n);
    if (s->residual < 0)
        return;
    const tsr_tensor *y = tsr_brought(&s->g, member, (size_t)s->residual);
    tsr_to_doubles((tsr_dtype)y->dtype, at(y, r * s->n), room, s->n);
    for (int64_t i = 0; i < s->n; i++)
        out[i] += room[i];
}

static double row_sum(const spread_rows *s, int64_t r, double mean, bool squares)
{
    double sum = 0, *x = s->row, *room = x + s->n;
    for (size_t m = 0; m < s->g.group.n; m++) {
        add_row(s, m, r, x, room);
        for (int64_t i = 0; i < s->n; i++)
            sum += squares ? (x[i] - mean) * (x[i] - mean) : x[i];
    }
    return sum;
}

static int operand_at(const tsr_call *c, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(c->op, group, &start, &n) && n ? (int)start : -1;
}

static bool fits_row(tsr_call *c, const tsr_tensor *t, int64_t n)
{
    return !t || t->n == n ||
           tsr_fail(c, "has a weight or bias of %lld elements for rows of %lld", (long long)t->n,
                    (long long)n);
}

static bool norm(tsr_call *c, int64_t axis, double epsilon, bool centered, const tsr_tensor *weight,
                 const tsr_tensor *bias, int residual)
{
    const tsr_tensor *x = c->in[0];
    spread_rows s = {.residual = residual, .n = x->rank ? x->dims[x->rank - 1] : 1};
    if (residual >= 0 && c->in[residual]->n != x->n)
        return tsr_fail(c, "has a residual of another size");
    TSR_TRY(fits_row(c, weight, s.n) && fits_row(c, bias, s.n));
    s.rows = s.n ? x->n / s.n : 0;
    s.row = tsr_malloc((size_t)(4 * s.n + 1) * sizeof *s.row);
    bool ok = s.row ? tsr_tt_group(c, axis, &s.g.group) && tsr_gather_parts(c, &s.g, c->op->nin)
                    : tsr_fail_memory(c, "a row");
    tsr_tensor *t = ok ? tsr_call_new(c, 0, x->dims, x->rank) : NULL;
    double total = ok ? (double)s.n * (double)s.g.group.n : 1, *y = s.row, *w = y + 2 * s.n,
           *b = w + s.n;
    if (t && weight)
        tsr_to_doubles((tsr_dtype)weight->dtype, weight->data, w, s.n);
    if (t && bias)
        tsr_to_doubles((tsr_dtype)bias->dtype, bias->data, b, s.n);
    for (int64_t r = 0; t && r < s.rows; r++) {
        double mean = centered ? row_sum(&s, r, 0, false) / total : 0;
        double by = 1 / sqrt(row_sum(&s, r, mean, true) / total + epsilon);
        add_row(&s, s.g.me, r, y, y + s.n);
        for (int64_t i = 0; i < s.n; i++)
            y[i] = (y[i] - mean) * by * (weight ? w[i] : 1) + (bias ? b[i] : 0);
        tsr_from_doubles((tsr_dtype)t->dtype, y, at(t, r * s.n), s.n);
    }
    tsr_free(s.row);
    tsr_gather_end(&s.g);
    return t != NULL;
}

bool eval_ttir_distributed_rms_norm(tsr_call *c)
{
    return norm(c, tt_int(c->op, TTIR_DISTRIBUTED_RMS_NORM_cluster_axis, 0),
                tt_float(c->op, TTIR_DISTRIBUTED_RMS_NORM_epsilon, 0), false, tsr_tt_operand(c, 1),
                NULL, operand_at(c, 2));
}

bool eval_ttir_distributed_layer_norm(tsr_call *c)
{
    return norm(c, tt_int(c->op, TTIR_DISTRIBUTED_LAYER_NORM_cluster_axis, 0),
                tt_float(c->op, TTIR_DISTRIBUTED_LAYER_NORM_epsilon, 0), true, tsr_tt_operand(c, 1),
                tsr_tt_operand(c, 2), operand_at(c, 3));
}

/* ---- Quantization by operands ---- */

/* Scales and zero points, by operand: one for all, or one for each index of an axis. */
typedef struct {
    const tsr_tensor *scale, *zero;
    int64_t inner, count; /* element i has number i / inner % count */
} grid;

static bool grid_of(tsr_call *c, uint32_t first, const tsr_attr *axis, grid *g)
{
    const tsr_tensor *x = c->in[0];
    *g = (grid){c->in[first], c->in[first + 1], 1, 1};
    if (axis && axis->i >= 0 && axis->i < x->rank) {
        g->count = x->dims[axis->i];
        for (size_t d = (size_t)axis->i + 1; d < x->rank; d++)
            g->inner *= x->dims[d];
    }
    return ((g->scale->n == 1 || g->scale->n == g->count) &&
            (g->zero->n == 1 || g->zero->n == g->count)) ||
           tsr_fail(c, "has scales that are not one of each place of its axis");
}

static double scale_at(const grid *g, int64_t i)
{
    return tsr_get_double(g->scale, g->scale->n == 1 ? 0 : i / g->inner % g->count);
}

static double zero_at(const grid *g, int64_t i)
{
    return tsr_get_double(g->zero, g->zero->n == 1 ? 0 : i / g->inner % g->count);
}

/* from NULL: operand 0 has floats; to NULL: the result has. */
static bool convert(tsr_call *c, const grid *from, const grid *to)
{
    const tsr_tensor *x = c->in[0];
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, x->rank);
    if (!t)
        return false;
    double low = 0, high = 0;
    if (to && tsr_is_quantized(t->elem)) {
        low = (double)t->elem->params[QUANT_min]->i;
        high = (double)t->elem->params[QUANT_max]->i;
    }
    for (int64_t i = 0; i < x->n; i++) {
        double v = from ? ((double)tsr_get_int(x, i) - zero_at(from, i)) * scale_at(from, i)
                        : tsr_get_double(x, i);
        if (!to) {
            tsr_set_double(t, i, v);
            continue;
        }
        v = rint(v / scale_at(to, i)) + zero_at(to, i);
        v = v != v ? 0 : v < low ? low : v > high ? high : v;
        tsr_set_int(t, i, (int64_t)v);
    }
    return true;
}

bool eval_ttir_quantize_unrolled(tsr_call *c)
{
    grid to;
    return grid_of(c, 1, tsr_call_attr(c, TTIR_QUANTIZE_UNROLLED_axis), &to) &&
           convert(c, NULL, &to);
}

bool eval_ttir_dequantize_unrolled(tsr_call *c)
{
    grid from;
    return grid_of(c, 1, tsr_call_attr(c, TTIR_DEQUANTIZE_UNROLLED_axis), &from) &&
           convert(c, &from, NULL);
}

bool eval_ttir_requantize_unrolled(tsr_call *c)
{
    grid from, to;
    const tsr_attr *axis = tsr_call_attr(c, TTIR_REQUANTIZE_UNROLLED_axis);
    return grid_of(c, 1, axis, &from) && grid_of(c, 3, axis, &to) && convert(c, &from, &to);
}

/* With the scales of the types. */
bool eval_ttir_dequantize(tsr_call *c)
{
    tsr_tensor *x = tsr_dequantize(c->in[0]);
    if (!x)
        return tsr_fail(c, "has a quantization that does not fit the shape");
    c->out[0] = tsr_converted(c, x, c->op->out[0].type->elem);
    tsr_tensor_unref(x);
    return c->out[0] != NULL;
}
