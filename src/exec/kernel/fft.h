/* fft.h - discrete Fourier transforms of f32 and f64, of any length.
 *
 * A plan holds what depends on the length alone: roots of unity, and the order in which elements are loaded. Several transforms run side by side, as lanes of
 * vectors (isa/fft.def). A length whose prime factors are at most TSR_FFT_LARGEST is transformed by mixed radix; where it is long, or there are few transforms, as
 * two steps of lengths near its root. Any other length is a convolution with a chirp. A real transform of even length is a complex one of half of it. */
#ifndef TSR_EXEC_KERNEL_FFT_H
#define TSR_EXEC_KERNEL_FFT_H

#include "base/arena.h"

enum {
    TSR_FFT_LARGEST = 113,
    TSR_FFT_FACTORS = 32,
    TSR_FFT_LINE = 64,                                 /* bytes of the lanes of a part */
    TSR_FFT_LANES = TSR_FFT_LINE / (int)sizeof(float), /* of f32; of f64 half as many */
};

/* A length by mixed radix. */
typedef struct {
    int64_t n;
    int nfactor;
    uint8_t factors[TSR_FFT_FACTORS];      /* the last is done first */
    const void *twiddles[TSR_FFT_FACTORS]; /* exp(-2 pi i j k / (r q)), by k < q, 0 < j < r */
    const void *
        roots[TSR_FFT_FACTORS]; /* of radices without a function of their own: exp(-2 pi i j / r) */
    const int32_t *place;       /* by element: the row in which it is loaded */
} tsr_fft_core;

typedef enum {
    TSR_FFT_WHOLE, /* complex to complex */
    TSR_FFT_FROM_REAL, /* the imaginary parts of the operand are 0 and not there; the first half is stored */
    TSR_FFT_TO_REAL, /* the second half mirrors the first and is not there; real parts are stored */
    TSR_FFT_FROM_PAIRS, /* pairs of real numbers as complex ones: transforms of both are taken apart, and joined */
    TSR_FFT_TO_PAIRS, /* the opposite */
} tsr_fft_form;

/* Transforms side by side. Offsets and steps are in elements of their side: real or complex numbers. Lanes that are not there are the same as the first. */
typedef struct {
    const tsr_fft_core *core;
    void *rows; /* scratch: core->n + 1 rows of two lines */
    const void *in;
    void *out;
    int64_t in_at[TSR_FFT_LANES], out_at[TSR_FFT_LANES], in_step, out_step;
    const void *twist; /* by row: two lines by which the results are multiplied; NULL: none */
    const void *turn;  /* by row: a number by which that is multiplied */
    const void *mix;   /* PAIRS: exp(-2 pi i k / 2n), k <= n / 2 */
    double scale;
    bool swap_in, swap_out; /* exchange the parts: both for an inverse transform */
    uint8_t form;
} tsr_fft_block;
typedef void tsr_fft_fn(const tsr_fft_block *b);

/* All roots of n: low by the last bits of their number, times high by the others. */
typedef struct {
    int64_t n;
    int shift;
    const double *low, *high;
} tsr_fft_circle;

typedef struct tsr_fft_plan {
    int64_t n;    /* of the complex transforms */
    int64_t axis; /* for the caller's use, as the next */
    struct tsr_fft_plan *next;
    bool wide; /* f64 */
    bool inverse;
    uint8_t form;
    tsr_fft_core core[2]; /* core[1].n: 0: all in one step */
    const void *twist
        [2]; /* between the steps, of all blocks but the last, and of one that is not full: by row, two lines */
    const void *mix;            /* of lanes */
    tsr_fft_circle circle;      /* of the operand's length, where the row is long */
    struct tsr_fft_plan *inner; /* of the convolution; NULL: none */
    const void *chirp,
        *kernel; /* exp(-pi i k^2 / n); the transform of its conjugate, over its length */
} tsr_fft_plan;

/* For this many transforms of a length. NULL: it is too long. */
tsr_fft_plan *tsr_fft_plan_new(tsr_arena *a, int64_t length, int64_t rows, bool wide, bool inverse,
                               bool real);
/* Whether rows may be columns: elements that lie side by side, inner > 1 in tsr_fft_run. */
static inline bool tsr_fft_takes_columns(const tsr_fft_plan *p)
{
    return !p->core[1].n && !p->inner;
}
/* As it is usual: 5 n log2 n, of so many elements; real ones count half. */
uint64_t tsr_fft_flops(const tsr_fft_plan *p, uint64_t elements);
/* Bytes that a thread needs. */
size_t tsr_fft_scratch(const tsr_fft_plan *p);
/* outer times inner transforms along a dimension that has inner elements after it. in may be out where both are complex. scratch: scratch_bytes for each
 * thread of the pool. */
void tsr_fft_run(const tsr_fft_plan *p, const void *in, void *out, int64_t outer, int64_t inner,
                 char *scratch, size_t scratch_bytes);

#endif
