/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - plans of Fourier transforms, and their execution on all threads (fft.h). Work is divided by shapes alone. */
#include "exec/kernel/fft.h"

#include <math.h>

#include "base/threads.h"
#include "exec/kernel/isa/isa.h"

enum {
    LONG = 4096, /* up to this length the rows of all lanes fit in the second-level cache */
    SHORT = 64,  /* up to this length two steps do not pay */
    APART = 4,   /* with at least this many rows, each runs on one thread */
};
static const int64_t most_elements = (int64_t)1 << 26;

static size_t part_bytes(const tsr_fft_plan *p)
{
    return p->wide ? sizeof(double) : sizeof(float);
}

static int lanes_of(const tsr_fft_plan *p)
{
    return TSR_FFT_LINE / (int)part_bytes(p);
}

/* ---- Plans ---- */

/* exp(-2 pi i k / n), exact on the axes, and symmetric between octants. */
static void root(int64_t k, int64_t n, long double *out)
{
    k %= n;
    int64_t eighth = 8 * k / n, rest = 8 * k - eighth * n;
    if (eighth & 1)
        rest = n - rest;
    long double t = acosl(-1) / 4 * (long double)rest / (long double)n, c = cosl(t), s = sinl(t);
    bool swapped = ((eighth + 1) >> 1) & 1;
    out[0] = swapped ? s : c;
    out[1] = swapped ? -c : -s;
    if (eighth >= 2 && eighth < 6)
        out[0] = -out[0];
    if (eighth >= 4)
        out[1] = -out[1];
}

/* A table of n numbers of the plan's type. */
static void *table(tsr_arena *a, const tsr_fft_plan *p, int64_t n)
{
    return tsr_arena_zalloc(a, (size_t)n * part_bytes(p));
}

static void put(const tsr_fft_plan *p, void *at, int64_t i, long double v)
{
    if (p->wide)
        ((double *)at)[i] = (double)v;
    else
        ((float *)at)[i] = (float)v;
}

/* All roots of unity of order n, each as a product of two from small tables; the size of one is a power of two. */
typedef struct {
    int64_t n, few;
    int shift;
    long double (*low)[2], (*high)[2];
} circle;

static void times_root(const long double *a, const long double *b, long double *out)
{
    out[0] = a[0] * b[0] - a[1] * b[1];
    out[1] = a[0] * b[1] + a[1] * b[0];
}

/* The first count powers of exp(-2 pi i step / n), which are in turn products of two from small tables. */
static void powers(long double (*out)[2], int64_t count, int64_t step, int64_t n)
{
    enum { BITS = 5, SOME = 1 << BITS };
    long double small[SOME][2], large[2];
    for (int64_t i = 0; i < SOME && i < count; i++)
        root(i * step, n, small[i]);
    for (int64_t i = 0; i < count; i++) {
        if (i % SOME == 0)
            root(i * step, n, large);
        times_root(large, small[i % SOME], out[i]);
    }
}

static circle circle_new(int64_t n)
{
    circle c = {.n = n, .few = 1};
    while (c.few * c.few < n)
        c.few *= 2, c.shift++;
    c.low = tsr_xmalloc((size_t)c.few * 2 * sizeof *c.low);
    c.high = c.low + c.few;
    powers(c.low, c.few, 1, n);
    powers(c.high, c.few, c.few, n);
    return c;
}

/* Stores exp(-2 pi i k / n). */
static void put_root(const tsr_fft_plan *p, const circle *c, void *at, int64_t re, int64_t im,
                     int64_t k)
{
    long double w[2];
    k = k < c->n ? k : k % c->n;
    times_root(c->low[k & (c->few - 1)], c->high[k >> c->shift], w);
    put(p, at, re, w[0]);
    put(p, at, im, w[1]);
}

/* Factorizes n into radices; false: it has a prime factor that is too large. */
static bool factorize(tsr_fft_core *c, int64_t n)
{
    c->n = n;
    for (int r = 3; r <= TSR_FFT_LARGEST; r += 2)
        for (; n % r == 0; n /= r)
            c->factors[c->nfactor++] = (uint8_t)r;
    int twos = 0;
    for (; n % 2 == 0; n /= 2)
        twos++;
    if (twos % 2)
        c->factors[c->nfactor++] = 2;
    for (; twos > 1; twos -= 2)
        c->factors[c->nfactor++] = 4;
    return n == 1;
}

/* Sets the places of elements first, first + stride, ..., which the levels from this one on transform. */
static void places(const tsr_fft_core *c, int32_t *place, int level, int64_t n, int64_t first,
                   int64_t stride, int32_t at)
{
    if (level == c->nfactor) {
        place[first] = at;
        return;
    }
    int64_t r = c->factors[level], q = n / r;
    for (int64_t j = 0; j < r; j++)
        places(c, place, level + 1, q, first + j * stride, stride * r, at + (int32_t)(j * q));
}

static void core_tables(tsr_arena *a, const tsr_fft_plan *p, tsr_fft_core *c)
{
    int32_t *place = TSR_NEW_ARRAY(a, int32_t, (size_t)c->n);
    places(c, place, 0, c->n, 0, 1, 0);
    c->place = place;
    int64_t q = c->n;
    circle all = circle_new(c->n);
    for (int level = 0; level < c->nfactor; level++) {
        int64_t r = c->factors[level], stride = c->n / q, at = 0;
        q /= r;
        void *w = table(a, p, 2 * (r - 1) * q), *roots = table(a, p, 2 * r);
        for (int64_t k = 0; k < q; k++)
            for (int64_t j = 1; j < r; j++, at += 2)
                put_root(p, &all, w, at, at + 1, j * k * stride);
        for (int64_t j = 0; j < r; j++)
            put_root(p, &all, roots, 2 * j, 2 * j + 1, j * (c->n / r));
        c->twiddles[level] = w;
        c->roots[level] = roots;
    }
    tsr_free(all.low);
}

/* The largest divisor of n up to its square root. */
static int64_t near_root(int64_t n)
{
    int64_t a = (int64_t)sqrt((double)n);
    while (a > 1 && n % a)
        a--;
    return a;
}

/* Keeps the roots from which each run makes its tables, where full tables would be as long as the transform. */
static void keep_circle(tsr_arena *a, tsr_fft_plan *p, const circle *c)
{
    double *all = TSR_NEW_ARRAY(a, double, (size_t)c->few * 4);
    for (int64_t i = 0; i < c->few; i++)
        for (int part = 0; part < 2; part++) {
            all[2 * i + part] = (double)c->low[i][part];
            all[2 * (c->few + i) + part] = (double)c->high[i][part];
        }
    p->circle = (tsr_fft_circle){.n = c->n, .shift = c->shift, .low = all};
    p->circle.high = all + 2 * c->few;
}

/* Stores powers 0 to count - 1 of exp(-2 pi i step / n), where n is the circle's. apart: from the real to the imaginary
 * part; stride: from number to number. */
static void put_powers(const tsr_fft_plan *p, void *at, int64_t apart, int64_t stride, int64_t from,
                       int64_t count, int64_t step)
{
    const tsr_fft_circle *c = &p->circle;
    int64_t mask = ((int64_t)1 << c->shift) - 1;
    for (int64_t i = 0, k = from * step % c->n; i < count * stride; i += stride) {
        const double *a = c->low + 2 * (k & mask), *b = c->high + 2 * (k >> c->shift);
        double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
        if (p->wide)
            ((double *)at)[i] = re, ((double *)at)[i + apart] = im;
        else
            ((float *)at)[i] = (float)re, ((float *)at)[i + apart] = (float)im;
        k += step;
        k -= k < c->n ? 0 : c->n;
    }
}

static void plan_steps(tsr_arena *a, tsr_fft_plan *p, int64_t first)
{
    int64_t lanes = lanes_of(p), second = p->n / first, left = second % lanes;
    factorize(&p->core[0], first);
    factorize(&p->core[1], second);
    core_tables(a, p, &p->core[0]);
    core_tables(a, p, &p->core[1]);
    for (int last = 0; last < (left ? 2 : 1); last++) {
        char *w = table(a, p, first * 2 * lanes);
        for (int64_t l = 0; l < lanes; l++)
            put_powers(p, w + (size_t)l * part_bytes(p), lanes, 2 * lanes, 0, first,
                       last && l >= left ? 0 : l * (p->circle.n / p->n));
        p->twist[last] = w;
    }
}

static void complex_run(const tsr_fft_plan *p, const char *in, char *out, char *scratch,
                        size_t bytes, int worker);

static bool plan_chirp(tsr_arena *a, tsr_fft_plan *p)
{
    int64_t n = p->n, m = 1, square = 0; /* k^2 modulo 2 n */
    while (m < 2 * n - 1)
        m *= 2;
    p->inner = tsr_fft_plan_new(a, m, 1, p->wide, false, false);
    if (!p->inner)
        return false;
    void *chirp = table(a, p, 2 * n), *wrapped = table(a, p, 2 * m), *kernel = table(a, p, 2 * m);
    circle all = circle_new(2 * n);
    for (int64_t k = 0; k < n; k++) {
        put_root(p, &all, chirp, 2 * k, 2 * k + 1, square);
        put_root(p, &all, wrapped, 2 * k, 2 * k + 1, 2 * n - square);
        put_root(p, &all, wrapped, 2 * (k ? m - k : 0), 2 * (k ? m - k : 0) + 1, 2 * n - square);
        square = (square + 2 * k + 1) % (2 * n);
    }
    tsr_free(all.low);
    size_t bytes = tsr_fft_scratch(p->inner);
    char *scratch = tsr_arena_alloc(a, bytes + TSR_FFT_LINE);
    complex_run(p->inner, wrapped, kernel, scratch, bytes, 0);
    p->chirp = chirp;
    p->kernel = kernel;
    return true;
}

tsr_fft_plan *tsr_fft_plan_new(tsr_arena *a, int64_t length, int64_t rows, bool wide, bool inverse,
                               bool real)
{
    tsr_fft_core probe = {0};
    bool half = real && length % 2 == 0;
    if (length < 1 || length > most_elements)
        return NULL;
    tsr_fft_plan *p = TSR_NEW(a, tsr_fft_plan);
    *p = (tsr_fft_plan){.n = half ? length / 2 : length, .wide = wide, .inverse = inverse};
    p->form = !real  ? TSR_FFT_WHOLE
              : half ? (inverse ? TSR_FFT_TO_PAIRS : TSR_FFT_FROM_PAIRS)
                     : (inverse ? TSR_FFT_TO_REAL : TSR_FFT_FROM_REAL);
    int64_t first = near_root(p->n);
    bool smooth = factorize(&probe, p->n);
    bool steps = smooth && first >= 4 && (p->n > LONG || (p->n >= SHORT && rows < lanes_of(p)));
    if (!smooth && !plan_chirp(a, p))
        return NULL;
    circle all = circle_new(length);
    if (!smooth || steps)
        keep_circle(a, p, &all);
    if (steps) {
        plan_steps(a, p, first);
    } else if (smooth) {
        p->core[0] = probe;
        core_tables(a, p, &p->core[0]);
    }
    if (half && tsr_fft_takes_columns(p)) {
        void *w = table(a, p, p->n + 2);
        for (int64_t k = 0; 2 * k <= p->n; k++)
            put_root(p, &all, w, 2 * k, 2 * k + 1, k);
        p->mix = w;
    }
    tsr_free(all.low);
    return p;
}

/* ---- Scratch: rows of lanes; then complex numbers of a row ---- */

static size_t lines_bytes(const tsr_fft_plan *p)
{
    int64_t n = p->core[0].n > p->core[1].n ? p->core[0].n : p->core[1].n;
    return (size_t)(n + 1) * 2 * TSR_FFT_LINE;
}

static size_t complex_bytes(const tsr_fft_plan *p, int64_t n)
{
    return ((size_t)n * 2 * part_bytes(p) + TSR_FFT_LINE - 1) / TSR_FFT_LINE * TSR_FFT_LINE;
}

/* Scratch bytes of complex_run. */
static size_t row_bytes(const tsr_fft_plan *p)
{
    if (p->inner)
        return row_bytes(p->inner) + 2 * complex_bytes(p, p->inner->n);
    return lines_bytes(p) +
           (p->core[1].n ? complex_bytes(p, p->core[0].n) + complex_bytes(p, p->n) : 0);
}

size_t tsr_fft_scratch(const tsr_fft_plan *p)
{
    return row_bytes(p) + (tsr_fft_takes_columns(p) ? 0 : 2 * complex_bytes(p, p->n + 1));
}

/* ---- Runs ---- */

/* One of the two steps of a long transform, or a set of row transforms. */
typedef struct {
    const tsr_fft_plan *p;
    const char *in;
    char *out, *scratch, *between;
    size_t scratch_bytes;
    int64_t rows, inner;
    int worker; /* whose scratch is used; -1: that of the worker that runs the chunk */
} job;

static char *scratch_of(const job *j, int worker)
{
    return j->scratch + (size_t)(j->worker < 0 ? worker : j->worker) * j->scratch_bytes;
}

static void each_chunk(job *j, int64_t chunks, void (*body)(void *ctx, int64_t chunk, int worker))
{
    if (j->worker < 0)
        tsr_pool_for(chunks, body, j);
    else
        for (int64_t i = 0; i < chunks; i++)
            body(j, i, j->worker);
}

static void run_block(const tsr_fft_plan *p, tsr_fft_block *b)
{
    tsr_isa_now()->ffts->run[p->wide](b);
}

/* First step: columns of the row, viewed as a matrix. */
static void first_chunk(void *ctx, int64_t chunk, int worker)
{
    const job *j = ctx;
    const tsr_fft_plan *p = j->p;
    int lanes = lanes_of(p);
    int64_t first = p->core[0].n, second = p->core[1].n;
    tsr_fft_block b = {.core = &p->core[0], .rows = scratch_of(j, worker), .in = j->in};
    b.out = j->between;
    b.in_step = b.out_step = second;
    b.swap_in = p->inverse;
    b.scale = 1;
    /* The root for a column and row is that of the chunk's first column times that of the lane. */
    char *root = scratch_of(j, worker) + lines_bytes(p);
    put_powers(p, root, 1, 2, 0, first, chunk * lanes * (p->circle.n / p->n));
    b.row_root = root;
    b.twist = p->twist[chunk * lanes + lanes > second];
    for (int l = 0; l < lanes; l++) {
        int64_t at = chunk * lanes + l;
        b.in_at[l] = b.out_at[l] = at < second ? at : chunk * lanes;
    }
    run_block(p, &b);
}

/* Second step: rows of the matrix, whose results are stored as columns. */
static void second_chunk(void *ctx, int64_t chunk, int worker)
{
    const job *j = ctx;
    const tsr_fft_plan *p = j->p;
    int lanes = lanes_of(p);
    int64_t first = p->core[0].n, second = p->core[1].n;
    tsr_fft_block b = {.core = &p->core[1], .rows = scratch_of(j, worker), .in = j->between};
    b.out = j->out;
    b.in_step = 1;
    b.out_step = first;
    b.swap_out = p->inverse;
    b.scale = p->inverse ? 1 / (double)p->n : 1;
    for (int l = 0; l < lanes; l++) {
        int64_t at = chunk * lanes + l;
        at = at < first ? at : chunk * lanes;
        b.in_at[l] = at * second;
        b.out_at[l] = at;
    }
    run_block(p, &b);
}

/* One complex transform; worker is as in job. in may equal out. */
static void complex_run(const tsr_fft_plan *p, const char *in, char *out, char *scratch,
                        size_t bytes, int worker)
{
    int own = worker < 0 ? 0 : worker, lanes = lanes_of(p);
    job j = {.p = p, .in = in, .out = out, .worker = worker};
    j.scratch = scratch;
    j.scratch_bytes = bytes;
    if (p->inner) {
        const tsr_fft_plan *q = p->inner;
        void (*times)(void *, const void *, const void *, int64_t, double, bool, bool) =
            tsr_isa_now()->ffts->times[p->wide];
        char *a = scratch + (size_t)own * bytes + row_bytes(q), *b = a + complex_bytes(p, q->n);
        size_t used = (size_t)p->n * 2 * part_bytes(p);
        times(a, in, p->chirp, p->n, 1, p->inverse, false);
        memset(a + used, 0, complex_bytes(p, q->n) - used);
        complex_run(q, a, b, scratch, bytes, worker);
        /* The inverse transform at the end of the convolution is a forward one with real and imaginary parts
         * exchanged. */
        times(a, b, p->kernel, q->n, 1 / (double)q->n, false, true);
        complex_run(q, a, b, scratch, bytes, worker);
        times(out, b, p->chirp, p->n, p->inverse ? 1 / (double)p->n : 1, true, p->inverse);
    } else if (p->core[1].n) {
        j.between = scratch + (size_t)own * bytes + lines_bytes(p) + complex_bytes(p, p->core[0].n);
        each_chunk(&j, (p->core[1].n + lanes - 1) / lanes, first_chunk);
        each_chunk(&j, (p->core[0].n + lanes - 1) / lanes, second_chunk);
    } else {
        tsr_fft_block b = {.core = &p->core[0], .rows = scratch_of(&j, own), .in = in, .out = out};
        b.in_step = b.out_step = 1;
        b.swap_in = b.swap_out = p->inverse;
        b.scale = p->inverse ? 1 / (double)p->n : 1;
        run_block(p, &b);
    }
}

/* Lanes are rows, or adjacent columns. */
static void lanes_chunk(void *ctx, int64_t chunk, int worker)
{
    const job *j = ctx;
    const tsr_fft_plan *p = j->p;
    int lanes = lanes_of(p);
    int64_t n = p->n, in = n, out = n;
    if (p->form == TSR_FFT_FROM_PAIRS || p->form == TSR_FFT_FROM_REAL)
        out = p->form == TSR_FFT_FROM_PAIRS ? n + 1 : n / 2 + 1;
    if (p->form == TSR_FFT_TO_PAIRS || p->form == TSR_FFT_TO_REAL)
        in = p->form == TSR_FFT_TO_PAIRS ? n + 1 : n / 2 + 1;
    tsr_fft_block b = {.core = &p->core[0], .rows = scratch_of(j, worker), .in = j->in};
    b.out = j->out;
    b.in_step = b.out_step = j->inner;
    b.swap_in = b.swap_out = p->inverse;
    b.scale = p->inverse ? 1 / (double)n : 1;
    b.form = p->form;
    b.mix = p->mix;
    for (int l = 0; l < lanes; l++) {
        int64_t at = chunk * lanes + l;
        at = at < j->rows ? at : chunk * lanes;
        b.in_at[l] = at / j->inner * in * j->inner + at % j->inner;
        b.out_at[l] = at / j->inner * out * j->inner + at % j->inner;
    }
    run_block(p, &b);
}

static void from_real(const tsr_fft_plan *p, char *out, const char *in, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (p->wide)
            ((double *)out)[2 * i] = ((const double *)in)[i], ((double *)out)[2 * i + 1] = 0;
        else
            ((float *)out)[2 * i] = ((const float *)in)[i], ((float *)out)[2 * i + 1] = 0;
}

static void to_real(const tsr_fft_plan *p, char *out, const char *in, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (p->wide)
            ((double *)out)[i] = ((const double *)in)[2 * i];
        else
            ((float *)out)[i] = ((const float *)in)[2 * i];
}

/* Sets the second half of a row, which mirrors the first. */
static void mirror(const tsr_fft_plan *p, char *x, int64_t n)
{
    double *d = (double *)(void *)x;
    float *f = (float *)(void *)x;
    for (int64_t i = 0; i <= n / 2; i++) {
        int64_t to = i ? n - i : 0;
        if (p->wide)
            d[2 * to] = d[2 * i], d[2 * to + 1] = i ? -d[2 * i + 1] : 0;
        else
            f[2 * to] = f[2 * i], f[2 * to + 1] = i ? -f[2 * i + 1] : 0;
    }
}

/* Separates n + 1 numbers, or joins them, with roots that are computed piece by piece. */
static void mix(const tsr_fft_plan *p, char *x, bool joins)
{
    enum { SOME = 256 };
    double roots[2 * SOME];
    void (*apart)(void *, const void *, int64_t, int64_t, int64_t, bool) =
        tsr_isa_now()->ffts->apart[p->wide];
    for (int64_t from = 0, end = p->n / 2 + 1; from < end; from += SOME) {
        int64_t count = end - from < SOME ? end - from : SOME;
        put_powers(p, roots, 1, 2, from, count, 1);
        apart(x, roots, p->n, from, from + count, joins);
    }
}

/* One row, in any form, without lanes. */
static void row_run(const tsr_fft_plan *p, const char *in, char *out, char *scratch, size_t bytes,
                    int worker)
{
    size_t one = 2 * part_bytes(p);
    char *a = scratch + (size_t)(worker < 0 ? 0 : worker) * bytes + row_bytes(p),
         *b = a + complex_bytes(p, p->n + 1);
    switch ((tsr_fft_form)p->form) {
    case TSR_FFT_WHOLE: complex_run(p, in, out, scratch, bytes, worker); return;
    case TSR_FFT_FROM_PAIRS:
        complex_run(p, in, out, scratch, bytes, worker);
        mix(p, out, false);
        return;
    case TSR_FFT_TO_PAIRS:
        memcpy(a, in, (size_t)(p->n + 1) * one);
        mix(p, a, true);
        complex_run(p, a, out, scratch, bytes, worker);
        return;
    case TSR_FFT_FROM_REAL:
        from_real(p, a, in, p->n);
        complex_run(p, a, b, scratch, bytes, worker);
        memcpy(out, b, (size_t)(p->n / 2 + 1) * one);
        return;
    case TSR_FFT_TO_REAL:
        memcpy(a, in, (size_t)(p->n / 2 + 1) * one);
        mirror(p, a, p->n);
        complex_run(p, a, b, scratch, bytes, worker);
        to_real(p, out, b, p->n);
        return;
    }
}

/* Row stride in bytes of the operand or the result: complex (half or whole) or real. */
static size_t line_bytes(const tsr_fft_plan *p, bool operand)
{
    bool pairs = p->form == TSR_FFT_FROM_PAIRS || p->form == TSR_FFT_TO_PAIRS;
    bool real = operand ? p->form == TSR_FFT_FROM_REAL : p->form == TSR_FFT_TO_REAL;
    bool half = p->form != TSR_FFT_WHOLE && operand == p->inverse;
    if (pairs)
        return (size_t)(p->n + half) * 2 * part_bytes(p);
    return (size_t)(half ? p->n / 2 + 1 : p->n) * (real ? 1 : 2) * part_bytes(p);
}

static void row_chunk(void *ctx, int64_t chunk, int worker)
{
    const job *j = ctx;
    const tsr_fft_plan *p = j->p;
    row_run(p, j->in + (size_t)chunk * line_bytes(p, true),
            j->out + (size_t)chunk * line_bytes(p, false), j->scratch, j->scratch_bytes, worker);
}

void tsr_fft_run(const tsr_fft_plan *p, const void *in, void *out, int64_t outer, int64_t inner,
                 char *scratch, size_t scratch_bytes)
{
    job j = {.p = p, .in = in, .out = out, .scratch = scratch, .scratch_bytes = scratch_bytes};
    int lanes = lanes_of(p);
    j.rows = outer * inner;
    j.inner = inner;
    j.worker = -1;
    if (tsr_fft_takes_columns(p))
        tsr_pool_for((j.rows + lanes - 1) / lanes, lanes_chunk, &j);
    else if (j.rows >= APART)
        tsr_pool_for(j.rows, row_chunk, &j);
    else
        for (int64_t i = 0; i < j.rows; i++)
            row_run(p, j.in + (size_t)i * line_bytes(p, true),
                    j.out + (size_t)i * line_bytes(p, false), scratch, scratch_bytes, -1);
}
