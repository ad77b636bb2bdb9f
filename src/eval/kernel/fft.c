/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - fft of any length and up to three dimensions, in double, rounded once.
 *
 * A length with small prime factors is transformed by mixed radix, with roots of unity from a table; any other as a
 * convolution with a chirp (Bluestein), whose length is a power of two. A plan holds what depends on the length
 * alone. */
#include <math.h>
#include <stdlib.h>

#include "dialect/stablehlo/cases.h"
#include "base/scope.h"
#include "eval/eval.h"

eval_fn eval_fft;

enum { LARGEST_RADIX = 31, MAX_FACTORS = 64, MAX_AXES = 3 };

typedef tsr_complex cx;

static cx add(cx a, cx b)
{
    return (cx){a.re + b.re, a.im + b.im};
}

static cx sub(cx a, cx b)
{
    return (cx){a.re - b.re, a.im - b.im};
}

static cx mul(cx a, cx b)
{
    return (cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static cx conjugate(cx a)
{
    return (cx){a.re, -a.im};
}

typedef struct plan {
    int64_t n;
    int64_t factors[MAX_FACTORS];
    int nfactor;
    cx *roots; /* exp(-2 pi i k / n) */
    /* Bluestein; n then has no factors here */
    struct plan *inner; /* of the convolution's length */
    cx *chirp;          /* exp(-pi i k^2 / n) */
    cx *kernel;         /* transform of the conjugate chirp, wrapped around */
    cx *work;           /* two rows of the convolution's length */
} plan;

/* exp(-2 pi i k / n), exact at the axes, and symmetric between octants. */
static cx root(int64_t k, int64_t n)
{
    int64_t eighth = 8 * k / n; /* k < n */
    int64_t rest = 8 * k - eighth * n;
    if (eighth & 1)
        rest = n - rest;
    long double t = acosl(-1) / 4 * (long double)rest / (long double)n;
    double c = (double)cosl(t), s = (double)sinl(t);
    if (((eighth + 1) >> 1) & 1) {
        double swap = c;
        c = s;
        s = swap;
    }
    if (eighth >= 2 && eighth < 6)
        c = -c;
    if (eighth >= 4)
        s = -s;
    return (cx){c, -s};
}

/* ---- Mixed radix ---- */

static void butterfly2(cx *x, int64_t q, const plan *p, int64_t step)
{
    for (int64_t k = 0; k < q; k++) {
        cx a = x[k], b = mul(x[k + q], p->roots[k * step]);
        x[k] = add(a, b);
        x[k + q] = sub(a, b);
    }
}

static void butterfly4(cx *x, int64_t q, const plan *p, int64_t step)
{
    for (int64_t k = 0; k < q; k++) {
        cx a = x[k], b = mul(x[k + q], p->roots[k * step]);
        cx c = mul(x[k + 2 * q], p->roots[2 * k * step]),
           d = mul(x[k + 3 * q], p->roots[3 * k * step]);
        cx even = add(a, c), odd = add(b, d), low = sub(a, c), high = sub(b, d);
        high = (cx){high.im, -high.re};
        x[k] = add(even, odd);
        x[k + q] = add(low, high);
        x[k + 2 * q] = sub(even, odd);
        x[k + 3 * q] = sub(low, high);
    }
}

static void butterfly(cx *x, int64_t r, int64_t q, const plan *p, int64_t step)
{
    cx in[LARGEST_RADIX];
    int64_t between = p->n / r; /* distance in the table between consecutive r-th roots */
    for (int64_t k = 0; k < q; k++) {
        for (int64_t j = 0; j < r; j++)
            in[j] = mul(x[k + j * q], p->roots[j * k * step]);
        for (int64_t s = 0; s < r; s++) {
            cx sum = in[0];
            for (int64_t j = 1; j < r; j++)
                sum = add(sum, mul(in[j], p->roots[j * s % r * between]));
            x[k + s * q] = sum;
        }
    }
}

/* out: the transform of the n elements at in, in + stride, ...; factors from level on multiply to n. */
static void radix(const plan *p, int level, int64_t n, const cx *in, int64_t stride, cx *out)
{
    if (n == 1) {
        *out = *in;
        return;
    }
    int64_t r = p->factors[level], q = n / r, step = p->n / n;
    if (q == 1)
        for (int64_t j = 0; j < r; j++)
            out[j] = in[j * stride];
    else
        for (int64_t j = 0; j < r; j++)
            radix(p, level + 1, q, in + j * stride, stride * r, out + j * q);
    if (r == 2)
        butterfly2(out, q, p, step);
    else if (r == 4)
        butterfly4(out, q, p, step);
    else
        butterfly(out, r, q, p, step);
}

/* ---- Plans ---- */

static void plan_free(plan *p)
{
    if (!p)
        return;
    plan_free(p->inner);
    tsr_free(p->roots);
    tsr_free(p->chirp);
    tsr_free(p->kernel);
    tsr_free(p->work);
    tsr_free(p);
}

static bool factorize(plan *p)
{
    int64_t rest = p->n;
    while (rest % 4 == 0) {
        p->factors[p->nfactor++] = 4;
        rest /= 4;
    }
    for (int64_t r = 2; r <= LARGEST_RADIX; r++)
        while (rest % r == 0) {
            p->factors[p->nfactor++] = r;
            rest /= r;
        }
    return rest == 1;
}

static void transform(const plan *p, const cx *in, cx *out);
static plan *plan_new(int64_t n);

static bool plan_chirp(plan *p)
{
    int64_t n = p->n, m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    p->inner = plan_new(m);
    p->chirp = tsr_malloc((size_t)n * sizeof(cx));
    p->kernel = tsr_malloc((size_t)m * sizeof(cx));
    p->work = tsr_calloc((size_t)(2 * m), sizeof(cx));
    if (!p->inner || !p->chirp || !p->kernel || !p->work)
        return false;
    int64_t square = 0; /* k^2 modulo 2 n */
    for (int64_t k = 0; k < n; k++) {
        p->chirp[k] = root(square, 2 * n);
        p->work[k] = p->work[k ? m - k : 0] = conjugate(p->chirp[k]);
        square = (square + 2 * k + 1) % (2 * n);
    }
    transform(p->inner, p->work, p->kernel);
    return true;
}

/* NULL: no memory. */
static plan *plan_new(int64_t n)
{
    plan *p = tsr_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    bool ok;
    if (factorize(p)) {
        p->roots = tsr_malloc((size_t)n * sizeof(cx));
        ok = p->roots != NULL;
        for (int64_t k = 0; ok && k < n; k++)
            p->roots[k] = root(k, n);
    } else {
        ok = plan_chirp(p);
    }
    if (ok)
        return p;
    plan_free(p);
    return NULL;
}

static void transform(const plan *p, const cx *in, cx *out)
{
    if (!p->inner) {
        radix(p, 0, p->n, in, 1, out);
        return;
    }
    /* The inverse transform that ends the convolution is a forward one between conjugations. */
    int64_t n = p->n, m = p->inner->n;
    cx *a = p->work, *b = p->work + m;
    for (int64_t k = 0; k < n; k++)
        a[k] = mul(in[k], p->chirp[k]);
    for (int64_t k = n; k < m; k++)
        a[k] = (cx){0, 0};
    transform(p->inner, a, b);
    for (int64_t k = 0; k < m; k++)
        b[k] = conjugate(mul(b[k], p->kernel[k]));
    transform(p->inner, b, a);
    for (int64_t k = 0; k < n; k++)
        out[k] = mul((cx){a[k].re / (double)m, -a[k].im / (double)m}, p->chirp[k]);
}

/* One row: forward, or inverse and divided by its length. */
static void transform_row(const plan *p, bool inverse, cx *row, cx *out)
{
    if (!inverse) {
        transform(p, row, out);
        return;
    }
    for (int64_t k = 0; k < p->n; k++)
        row[k] = conjugate(row[k]);
    transform(p, row, out);
    for (int64_t k = 0; k < p->n; k++)
        out[k] = (cx){out[k].re / (double)p->n, -out[k].im / (double)p->n};
}

/* ---- Tensors ---- */

typedef struct {
    int64_t type;
    int64_t lengths[MAX_AXES];
    size_t naxis;
    plan *plans[MAX_AXES];
    cx *row, *done; /* of the greatest length */
} fft;

/* Transforms along a dimension of data with inner elements after it. */
static void along(fft *f, size_t axis, cx *data, int64_t n, int64_t inner)
{
    const plan *p = f->plans[axis];
    bool inverse = f->type == TSR_FFT_IFFT || f->type == TSR_FFT_IRFFT;
    for (int64_t first = 0; first < n; first += p->n * inner)
        for (int64_t k = 0; k < inner; k++) {
            tsr_tick();
            cx *at = data + first + k;
            for (int64_t i = 0; i < p->n; i++)
                f->row[i] = at[i * inner];
            transform_row(p, inverse, f->row, f->done);
            for (int64_t i = 0; i < p->n; i++)
                at[i * inner] = f->done[i];
        }
}

/* The last dimension, if one side is real: only the first n / 2 + 1 elements of the other are kept. */
static void rows_from_real(fft *f, const tsr_tensor *in, cx *out, int64_t rows)
{
    const plan *p = f->plans[f->naxis - 1];
    int64_t half = p->n / 2 + 1;
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < p->n; i++)
            f->row[i] = (cx){tsr_get_double(in, r * p->n + i), 0};
        transform(p, f->row, f->done);
        memcpy(out + r * half, f->done, (size_t)half * sizeof(cx));
    }
}

static void rows_to_real(fft *f, const cx *in, tsr_tensor *out, int64_t rows)
{
    const plan *p = f->plans[f->naxis - 1];
    int64_t n = p->n, half = n / 2 + 1;
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < half; i++)
            f->row[i] = in[r * half + i];
        for (int64_t i = half; i < n; i++)
            f->row[i] = conjugate(in[r * half + n - i]);
        f->row[0].im = 0; /* elements that are their own mirror image are real */
        if (n % 2 == 0)
            f->row[n / 2].im = 0;
        transform_row(p, true, f->row, f->done);
        for (int64_t i = 0; i < n; i++)
            tsr_set_double(out, r * n + i, f->done[i].re);
    }
}

static void run(fft *f, const tsr_tensor *in, tsr_tensor *out, cx *data, const tsr_tensor *shape)
{
    size_t n = f->naxis, whole = n;
    if (f->type == TSR_FFT_RFFT)
        rows_from_real(f, in, data, in->n / f->lengths[n - 1]);
    else
        for (int64_t i = 0; i < in->n; i++)
            data[i] = tsr_get_complex(in, i);
    if (f->type == TSR_FFT_RFFT || f->type == TSR_FFT_IRFFT)
        whole--;
    int64_t inner = whole < n ? shape->dims[shape->rank - 1] : 1;
    for (size_t axis = whole; axis-- > 0;) {
        along(f, axis, data, shape->n, inner);
        inner *= f->lengths[axis];
    }
    if (f->type == TSR_FFT_IRFFT)
        rows_to_real(f, data, out, out->n / f->lengths[n - 1]);
    else
        for (int64_t i = 0; i < out->n; i++)
            tsr_set_complex(out, i, data[i]);
}

/* Whether operand and types match the lengths; dims: of the result. */
static bool check(tsr_call *c, fft *f, int64_t *dims)
{
    const tsr_tensor *in = c->in[0];
    f->type = tsr_call_attr(c, STABLEHLO_FFT_fft_type)->i;
    const tsr_attr *lengths = tsr_call_attr(c, STABLEHLO_FFT_fft_length);
    f->naxis = tsr_ints_of(lengths, f->lengths, MAX_AXES);
    if (!f->naxis || tsr_attr_count(lengths) > MAX_AXES || f->naxis > in->rank)
        return tsr_fail(c, "has a fft_length that does not fit its operand");
    tsr_dtype d = (tsr_dtype)in->dtype;
    if (f->type == TSR_FFT_RFFT ? !tsr_dtype_is_float(d) : !tsr_dtype_is_complex(d))
        return tsr_fail(c, "is not defined for elements of type %s", tsr_dtype_name(d));
    memcpy(dims, in->dims, in->rank * sizeof *dims);
    for (size_t i = 0; i < f->naxis; i++) {
        size_t at = in->rank - f->naxis + i;
        bool last = i + 1 == f->naxis;
        int64_t half = f->lengths[i] / 2 + 1,
                want = last && f->type == TSR_FFT_IRFFT ? half : f->lengths[i];
        /* An empty tensor stays empty, whatever the length of the last dimension. */
        if (f->lengths[i] < 0 ||
            (in->dims[at] != want && !(last && f->lengths[i] == 0 && in->dims[at] == 0)))
            return tsr_fail(c, "has a fft_length that does not fit its operand");
        if (last && f->type == TSR_FFT_RFFT)
            dims[at] = f->lengths[i] ? half : 0;
        if (last && f->type == TSR_FFT_IRFFT)
            dims[at] = f->lengths[i];
    }
    return true;
}

bool eval_fft(tsr_call *c)
{
    fft f = {0};
    int64_t dims[TSR_MAX_RANK], longest = 1;
    TSR_TRY(check(c, &f, dims));
    tsr_tensor *in = c->in[0], *out = tsr_call_new(c, 0, dims, in->rank);
    TSR_TRY(out != NULL);
    if (f.type == TSR_FFT_IRFFT ? !tsr_dtype_is_float((tsr_dtype)out->dtype)
                                : !tsr_dtype_is_complex((tsr_dtype)out->dtype))
        return tsr_fail(c, "has a result of the wrong type");
    if (!in->n || !out->n) {
        memset(out->data, 0, tsr_tensor_bytes(out));
        return true;
    }
    const tsr_tensor *shape = f.type == TSR_FFT_RFFT ? out : in; /* the complex side */
    bool ok = true;
    for (size_t i = 0; ok && i < f.naxis; i++) {
        f.plans[i] = plan_new(f.lengths[i]);
        ok = f.plans[i] != NULL;
        longest = f.lengths[i] > longest ? f.lengths[i] : longest;
    }
    f.row = tsr_malloc((size_t)longest * sizeof(cx));
    f.done = tsr_malloc((size_t)longest * sizeof(cx));
    cx *data = tsr_malloc((size_t)shape->n * sizeof(cx));
    ok = ok && f.row && f.done && data;
    if (ok)
        run(&f, in, out, data, shape);
    else
        tsr_fail_memory(c, "its rows");
    for (size_t i = 0; i < f.naxis; i++)
        plan_free(f.plans[i]);
    tsr_free(f.row);
    tsr_free(f.done);
    tsr_free(data);
    return ok;
}
