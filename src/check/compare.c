/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - compares one tensor with another. */
#include "check/compare.h"
#include "base/decimal.h"

#include <math.h>

#include "eval/file/print.h"

/* ---- Tolerances ---- */

static tsr_tolerance tolerance_of(tsr_dtype d)
{
    d = tsr_dtype_part(d);
    if (!tsr_dtype_is_float(d))
        return (tsr_tolerance){0, 0};
    switch (d) {
    case TSR_D_F64: return (tsr_tolerance){1e-9, 1e-12};
    case TSR_D_F32: return (tsr_tolerance){1e-4, 1e-5};
    case TSR_D_F16: return (tsr_tolerance){5e-3, 1e-3};
    case TSR_D_BF16: return (tsr_tolerance){2e-2, 1e-2};
    default: {
        const tsr_float_format *f = &tsr_float_formats[tsr_dtype_float_kind(d)];
        return (tsr_tolerance){ldexp(1, 1 - f->mbits), ldexp(1, 1 - f->bias - f->mbits)};
    }
    }
}

tsr_tolerance tsr_default_tolerance(const tsr_type *element)
{
    tsr_dtype d = tsr_dtype_of(element);
    return d == TSR_D_NONE ? (tsr_tolerance){0, 0} : tolerance_of(d);
}

/* ---- Units in the last place ---- */

/* Distance in units in the last place of the format: the gap between neighbours at the larger of two finite numbers. */
static double ulps(const tsr_float_format *f, double a, double b)
{
    if (a == b)
        return 0;
    int exponent;
    double larger = fmax(fabs(a), fabs(b));
    frexp(larger, &exponent); /* larger = 0.5..1 * 2^exponent */
    int least = 1 - f->bias;
    int e = exponent - 1 < least ? least : exponent - 1;
    /* Scaled before the subtraction, so that neither the difference nor the unit underflows or overflows. */
    return fabs(ldexp(a, f->mbits - e) - ldexp(b, f->mbits - e));
}

/* ---- Sums for the correlation ---- */

/* Welford's: stable in one pass. */
typedef struct {
    double n, mean_a, mean_b, aa, bb, ab;
    bool broken; /* some element is not finite */
    double first_a, first_b;
    bool varies_a, varies_b;
} moments;

static void add_pair(moments *m, double a, double b)
{
    if (!isfinite(a) || !isfinite(b)) {
        m->broken = true;
        return;
    }
    if (m->n == 0) {
        m->first_a = a;
        m->first_b = b;
    }
    m->varies_a |= a != m->first_a;
    m->varies_b |= b != m->first_b;
    m->n++;
    double da = a - m->mean_a, db = b - m->mean_b;
    m->mean_a += da / m->n;
    m->mean_b += db / m->n;
    m->aa += da * (a - m->mean_a);
    m->bb += db * (b - m->mean_b);
    m->ab += da * (b - m->mean_b);
}

static double correlation(const moments *m)
{
    if (m->broken || m->n < 2 || !m->varies_a || !m->varies_b)
        return NAN;
    double r = m->ab / sqrt(m->aa) / sqrt(m->bb);
    return r > 1 ? 1 : r < -1 ? -1 : r;
}

/* ---- Comparison ---- */

typedef struct {
    tsr_comparison *c;
    tsr_tolerance tol;
    const tsr_float_format *format; /* of the actual tensor; NULL: integers */
    /* with the default tolerance, the tensor whose magnitude scales atol; NULL: atol is not scaled */
    const tsr_tensor *scaled;
    double scale; /* of that tensor, computed on first use; 0 before */
    moments m;
} state;

/* The factor by which atol is multiplied, at least 1: the root mean square of the finite elements. A small element may
 * be the sum of large terms, and its error is that of the terms. The terms are not available here, but the magnitude of
 * neighbouring elements tells how large they are. Errors of f32 grow with the square root of the number of terms, and
 * the greatest of millions of them is five times the usual one: sums of 65,536 products in another order stay within
 * four times that size. */
static double scale_of(const tsr_tensor *t)
{
    double spread = tsr_dtype_part((tsr_dtype)t->dtype) == TSR_D_F32 ? 4 : 1;
    double sum = 0, n = 0, largest = 0;
    bool complex = tsr_dtype_part((tsr_dtype)t->dtype) != (tsr_dtype)t->dtype;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < t->n; i++) {
            tsr_complex z =
                complex ? tsr_get_complex(t, i) : (tsr_complex){tsr_get_double(t, i), 0};
            double size = hypot(z.re, z.im);
            if (!isfinite(size))
                continue;
            if (pass == 0) {
                largest = fmax(largest, size);
            } else {
                sum += size / largest * (size / largest);
                n++;
            }
        }
        if (spread * largest <= 1)
            return 1;
    }
    return fmax(1, spread * largest * sqrt(sum / n));
}

static bool within(state *s, double diff, double size)
{
    double relative = s->tol.rtol * size;
    if (diff <= s->tol.atol + relative)
        return true;
    if (!s->scaled)
        return false;
    if (s->scale == 0)
        s->scale = scale_of(s->scaled);
    return diff <= s->tol.atol * s->scale + relative;
}

static void at_least(double *max, double v)
{
    if (v > *max)
        *max = v;
}

/* Adds one pair of numbers; returns whether it is within the tolerance. */
static bool pair(state *s, double a, double e)
{
    tsr_comparison *c = s->c;
    add_pair(&s->m, a, e);
    if (isnan(a) || isnan(e) || isinf(a) || isinf(e)) {
        bool same = (isnan(a) && isnan(e)) || a == e;
        if (!same) {
            c->exact = false;
            c->max_ulp = INFINITY;
        }
        return same;
    }
    if (a == e)
        return true;
    double diff = fabs(a - e);
    c->exact = false;
    at_least(&c->max_abs, diff);
    if (e != 0)
        at_least(&c->max_rel, diff / fabs(e));
    at_least(&c->max_ulp, s->format ? ulps(s->format, a, e) : diff);
    return within(s, diff, fabs(e));
}

/* 64-bit integers do not fit in doubles, so they are compared and subtracted as integers. */
static bool int_pair(state *s, const tsr_tensor *a, const tsr_tensor *e, int64_t i)
{
    int64_t x = tsr_get_int(a, i), y = tsr_get_int(e, i);
    bool ua = a->dtype == TSR_D_U64, ue = e->dtype == TSR_D_U64;
    double dx = ua ? (double)(uint64_t)x : (double)x, dy = ue ? (double)(uint64_t)y : (double)y;
    bool same = x == y && (ua == ue || x >= 0);
    add_pair(&s->m, dx, dy);
    if (same)
        return true;
    double diff = fabs(dx - dy);
    if (ua == ue) { /* exact: differences of one type fit in an unsigned 64-bit integer */
        bool less = ua ? (uint64_t)x < (uint64_t)y : x < y;
        diff = (double)(less ? (uint64_t)y - (uint64_t)x : (uint64_t)x - (uint64_t)y);
    }
    s->c->exact = false;
    at_least(&s->c->max_abs, diff);
    at_least(&s->c->max_ulp, diff);
    if (dy != 0)
        at_least(&s->c->max_rel, diff / fabs(dy));
    return within(s, diff, fabs(dy));
}

/* Whether values of the two types can be compared at all: floats with floats, integers with integers of the same
 * signedness. */
static bool kinds_agree(tsr_dtype a, tsr_dtype e)
{
    return tsr_dtype_kind(a) == tsr_dtype_kind(e);
}

/* Of tensors on the host. */
static bool compare(const tsr_tensor *actual, const tsr_tensor *expected,
                    const tsr_tolerance *tolerance, tsr_comparison *out)
{
    tsr_dtype a = (tsr_dtype)actual->dtype, e = (tsr_dtype)expected->dtype;
    out->same_type = kinds_agree(a, e);
    out->same_shape = actual->rank == expected->rank;
    for (size_t i = 0; out->same_shape && i < actual->rank; i++)
        out->same_shape = actual->dims[i] == expected->dims[i];
    if (!out->same_shape || !out->same_type)
        return false;
    tsr_dtype part = tsr_dtype_part(a);
    state s = {.c = out, .tol = tolerance ? *tolerance : tolerance_of(a)};
    if (tsr_dtype_is_float(part))
        s.format = &tsr_float_formats[tsr_dtype_float_kind(part)];
    if (!tolerance && s.format)
        s.scaled = expected;
    out->exact = true;
    for (int64_t i = 0; i < actual->n; i++) {
        bool ok;
        if (tsr_dtype_is_int(a)) {
            ok = int_pair(&s, actual, expected, i);
        } else if (part != a) {
            tsr_complex x = tsr_get_complex(actual, i), y = tsr_get_complex(expected, i);
            bool re = pair(&s, x.re, y.re), im = pair(&s, x.im, y.im);
            /* One part may be small beside the other: where both are finite, the distance in the complex plane is
             * judged. */
            double diff = hypot(x.re - y.re, x.im - y.im), size = hypot(y.re, y.im);
            ok = (re && im) || (isfinite(diff) && isfinite(size) && within(&s, diff, size));
        } else {
            ok = pair(&s, tsr_get_double(actual, i), tsr_get_double(expected, i));
        }
        if (ok)
            continue;
        out->first_bad = out->bad++ ? out->first_bad : i;
    }
    out->pcc = correlation(&s.m);
    out->pass = out->bad == 0;
    return out->pass;
}

/* ---- The table ---- */

static void shape_text(tsr_buf *out, const tsr_tensor *t)
{
    if (t->kind != TSR_TENSOR) {
        tsr_buf_cstr(out, t->kind == TSR_TOKEN ? "token" : "tuple");
        return;
    }
    for (size_t i = 0; i < t->rank; i++)
        tsr_buf_printf(out, "%lldx", (long long)t->dims[i]);
    tsr_buf_cstr(out, tsr_dtype_name((tsr_dtype)t->dtype));
}

enum { NAME = 8, SHAPE = 20 };

void tsr_compare_heading(tsr_buf *out)
{
    tsr_buf_printf(out, "%-*s  %-*s  %10s  %10s  %10s  %10s  %s\n", NAME, "output", SHAPE, "type",
                   "max abs", "max rel", "max ulp", "pcc", "verdict");
}

void tsr_compare_row(tsr_buf *out, const char *name, const tsr_tensor *actual,
                     const tsr_tensor *expected, const tsr_comparison *c, bool grown)
{
    tsr_buf shape = {0};
    shape_text(&shape, actual);
    tsr_buf_printf(out, "%-*s  %-*.*s  ", NAME, name, SHAPE, TSR_STR_ARG(tsr_buf_text(&shape)));
    tsr_buf_free(&shape);
    if (!c->same_shape || !c->same_type) {
        tsr_buf_printf(out, "%10s  %10s  %10s  %10s  FAIL: expected ", "-", "-", "-", "-");
        shape_text(out, expected);
        tsr_buf_char(out, '\n');
        return;
    }
    tsr_buf_printf(out, "%s  %s  %s  ", tsr_spell('g', 10, 3, c->max_abs).text,
                   tsr_spell('g', 10, 3, c->max_rel).text, tsr_spell('g', 10, 3, c->max_ulp).text);
    if (isnan(c->pcc))
        tsr_buf_printf(out, "%10s  ", "n/a");
    else
        tsr_buf_printf(out, "%s  ", tsr_spell('f', 10, 7, c->pcc).text);
    if (c->pass) {
        tsr_buf_cstr(out, c->exact ? "PASS (exact)\n" : "PASS\n");
        return;
    }
    tsr_buf_printf(out, "%s: %lld of %lld beyond the tolerance%s; first at ",
                   grown ? "PASS, GROWN" : "FAIL", (long long)c->bad, (long long)actual->n,
                   grown ? ", but within it from the inputs that the op has: no op is wrong" : "");
    tsr_index_print(out, actual, c->first_bad);
    tsr_buf_cstr(out, ": ");
    tsr_element_print(out, actual, c->first_bad);
    tsr_buf_cstr(out, ", expected ");
    tsr_element_print(out, expected, c->first_bad);
    tsr_buf_char(out, '\n');
}

bool tsr_tensor_compare(const tsr_tensor *actual, const tsr_tensor *expected,
                        const tsr_tolerance *tolerance, tsr_comparison *out)
{
    if (out)
        *out = (tsr_comparison){.pcc = NAN, .first_bad = -1};
    if (!out || !actual || !expected || actual->kind != TSR_TENSOR || expected->kind != TSR_TENSOR)
        return false;
    tsr_tensor *copies[2];
    const tsr_tensor *a = tsr_tensor_here(actual, &copies[0]);
    const tsr_tensor *e = tsr_tensor_here(expected, &copies[1]);
    bool same = a && e && compare(a, e, tolerance, out);
    tsr_tensor_unref(copies[0]);
    tsr_tensor_unref(copies[1]);
    return same;
}
