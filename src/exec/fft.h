/* SPDX-License-Identifier: Apache-2.0 */
/* fft.h - a discrete Fourier transform along one dimension. */
#ifndef TSR_EXEC_FFT_H
#define TSR_EXEC_FFT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tsr_fft_step {
    int64_t length, axis;
    bool wide; /* f64 */
    bool inverse, real;
    /* Set by the target: its plan, whether dimensions other than the last are transformed where they are, and the
     * length of the complex transforms, of which real ones take half the work. */
    const struct tsr_fft_plan *plan;
    bool columns, halves;
    int64_t n;
    struct tsr_fft_step *next; /* runs after this one */
} tsr_fft_step;

#endif
