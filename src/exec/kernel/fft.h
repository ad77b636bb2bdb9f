/* SPDX-License-Identifier: Apache-2.0 */
/* fft.h - discrete Fourier transforms of f32 and f64, of any length.
 *
 * A plan has the data that depend on the length alone: roots of unity, and the order in which elements are loaded.
 * Several transforms run in parallel, one in each lane of a vector (isa/fft.def). A length whose prime factors are at
 * most TSR_FFT_LARGEST is transformed by mixed radix; if it is long, or there are few transforms, in two steps whose
 * lengths are near its square root. Any other length is computed as a convolution with a chirp (Bluestein). A real
 * transform of even length is a complex one of half the length. */
#ifndef TSR_EXEC_KERNEL_FFT_H
#define TSR_EXEC_KERNEL_FFT_H

#include "base/arena.h"

enum {
    TSR_FFT_LARGEST = 113,
    TSR_FFT_FACTORS = 32,
    TSR_FFT_LINE = 64, /* bytes of the real or imaginary parts of one row, all lanes */
    TSR_FFT_LANES = TSR_FFT_LINE / (int)sizeof(float), /* for f32; f64 has half as many */
};

/* One length, transformed by mixed radix. */
typedef struct {
    int64_t n;
    int nfactor;
    uint8_t factors[TSR_FFT_FACTORS];      /* applied last to first */
    const void *twiddles[TSR_FFT_FACTORS]; /* exp(-2 pi i j k / (r q)), by k < q, 0 < j < r */
    /* Of radices that have no function of their own: exp(-2 pi i j / r). */
    const void *roots[TSR_FFT_FACTORS];
    const int32_t *place; /* by element: the row that it is loaded into */
} tsr_fft_core;

typedef enum {
    TSR_FFT_WHOLE,     /* complex to complex */
    TSR_FFT_FROM_REAL, /* the operand has real parts only; the first half of the result is stored */
    /* The operand has the first half only, which the second mirrors; real parts are stored. */
    TSR_FFT_TO_REAL,
    /* Pairs of reals are transformed as complex numbers; both results are separated and joined. */
    TSR_FFT_FROM_PAIRS,
    TSR_FFT_TO_PAIRS, /* the inverse of FROM_PAIRS */
} tsr_fft_form;

/* Transforms that run in parallel, one per lane. Offsets and steps are in elements of their side: real or complex
 * numbers. Unused lanes repeat the first one. */
typedef struct {
    const tsr_fft_core *core;
    void *rows; /* scratch: core->n + 1 rows of two lines */
    const void *in;
    void *out;
    int64_t in_at[TSR_FFT_LANES], out_at[TSR_FFT_LANES], in_step, out_step;
    const void *twist;    /* by row: two lines that the results are multiplied by; NULL: none */
    const void *row_root; /* by row: a number that the twist is multiplied by */
    const void *mix;      /* PAIRS: exp(-2 pi i k / 2n), k <= n / 2 */
    double scale;
    /* Exchange real and imaginary parts: both are set for an inverse transform. */
    bool swap_in, swap_out;
    uint8_t form;
} tsr_fft_block;
typedef void tsr_fft_fn(const tsr_fft_block *b);

/* All roots of unity of order n, each as a product: low, indexed by the low bits of its number, times high, indexed by
 * the other bits. */
typedef struct {
    int64_t n;
    int shift;
    const double *low, *high;
} tsr_fft_circle;

typedef struct tsr_fft_plan {
    int64_t n; /* length of the complex transforms */
    bool wide; /* f64 */
    bool inverse;
    uint8_t form;
    tsr_fft_core core[2]; /* core[1].n == 0: a single step */
    /* Between the steps, by row, two lines: for all blocks but the last, and for a partial last block. */
    const void *twist[2];
    const void *mix;            /* for transforms in lanes */
    tsr_fft_circle circle;      /* of the operand's length, for long rows */
    struct tsr_fft_plan *inner; /* the plan that the convolution uses; NULL: none */
    /* exp(-pi i k^2 / n); the transform of its conjugate, divided by its length */
    const void *chirp, *kernel;
} tsr_fft_plan;

/* A plan for this many transforms of a length. NULL: it is too long. */
tsr_fft_plan *tsr_fft_plan_new(tsr_arena *a, int64_t length, int64_t rows, bool wide, bool inverse,
                               bool real);
/* Whether transforms may run along columns, whose elements are interleaved: inner > 1 in tsr_fft_run. */
static inline bool tsr_fft_takes_columns(const tsr_fft_plan *p)
{
    return !p->core[1].n && !p->inner;
}
/* Scratch bytes for each thread. */
size_t tsr_fft_scratch(const tsr_fft_plan *p);
/* outer times inner transforms along a dimension that is followed by inner elements. in may equal out if both are
 * complex. scratch: scratch_bytes for each thread of the pool. */
void tsr_fft_run(const tsr_fft_plan *p, const void *in, void *out, int64_t outer, int64_t inner,
                 char *scratch, size_t scratch_bytes);

#endif
