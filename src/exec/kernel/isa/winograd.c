/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.c - the transforms of convolutions with 3x3 windows (kernel/winograd.h). Sums are rounded one by one, in the
 * same order in all classes: the bits are the same. */
#include "exec/kernel/isa/isa.h"

typedef float vector VECTOR(float);
enum { WIDTH = BYTES / 4, TILE = 4, WINDOW = 3, OUT = 2 };
static const float HALF = 0.5F;

static inline vector load(const float *at)
{
    return *(const vector *)at;
}

/* Four numbers of an image along one dimension. */
static inline void turn_image(const vector *d, vector *out)
{
    out[0] = d[0] - d[2];
    out[1] = d[1] + d[2];
    out[2] = d[2] - d[1];
    out[3] = d[1] - d[3];
}

static void image(const float *in, int64_t row, int64_t col, int64_t n, float *out, int64_t apart)
{
    for (int64_t k = 0; k < n; k += WIDTH) {
        vector along[TILE][TILE];
        UNROLL
        for (int i = 0; i < TILE; i++) {
            vector d[TILE];
            UNROLL
            for (int j = 0; j < TILE; j++)
                d[j] = load(in + i * row + j * col + k);
            turn_image(d, along[i]);
        }
        UNROLL
        for (int j = 0; j < TILE; j++) {
            vector d[TILE], down[TILE];
            UNROLL
            for (int i = 0; i < TILE; i++)
                d[i] = along[i][j];
            turn_image(d, down);
            UNROLL
            for (int i = 0; i < TILE; i++)
                *(vector *)(out + (i * TILE + j) * apart + k) = down[i];
        }
    }
}

/* Lanes are as many in all classes. Magnitudes are ordered as their bits are. */
typedef int32_t bits VECTOR(int32_t);
enum { LANES = TSR_WINOGRAD_LANES, VECTORS = LANES / WIDTH, NO_SIGN = 0x7fffffff };

static void survey(const float *in, int64_t n, float *most, float *sum)
{
    bits greatest[VECTORS];
    vector all[VECTORS];
    int64_t k = 0;
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
        greatest[v] = *(const bits *)(most + v * WIDTH);
        all[v] = load(sum + v * WIDTH);
    }
    for (; k + LANES <= n; k += LANES)
        UNROLL
    for (int v = 0; v < VECTORS; v++) {
        bits size = *(const bits *)(in + k + v * WIDTH) & NO_SIGN, more = size > greatest[v];
        greatest[v] = (size & more) | (greatest[v] & ~more);
        all[v] += (vector)size;
    }
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
        *(bits *)(most + v * WIDTH) = greatest[v];
        *(vector *)(sum + v * WIDTH) = all[v];
    }
    for (int i = 0; k < n; k++, i++) {
        float x = in[k], size = x < 0 ? -x : x;
        most[i] = size > most[i] ? size : most[i];
        sum[i] += size;
    }
}

/* Three weights along one dimension. */
static inline void turn_weights(const vector *g, vector *out)
{
    out[0] = g[0];
    out[1] = ((g[0] + g[2]) + g[1]) * HALF;
    out[2] = ((g[0] + g[2]) - g[1]) * HALF;
    out[3] = g[2];
}

static void weights(const float *const *in, int64_t n, float *out, int64_t apart, float *most,
                    float *sum)
{
    for (int i = 0; i < WINDOW * WINDOW; i++)
        survey(in[i], n, most, sum);
    for (int64_t k = 0; k < n; k += WIDTH) {
        vector along[WINDOW][TILE];
        UNROLL
        for (int i = 0; i < WINDOW; i++) {
            vector g[WINDOW];
            UNROLL
            for (int j = 0; j < WINDOW; j++)
                g[j] = load(in[i * WINDOW + j] + k);
            turn_weights(g, along[i]);
        }
        UNROLL
        for (int j = 0; j < TILE; j++) {
            vector g[WINDOW], down[TILE];
            UNROLL
            for (int i = 0; i < WINDOW; i++)
                g[i] = along[i][j];
            turn_weights(g, down);
            UNROLL
            for (int i = 0; i < TILE; i++)
                *(vector *)(out + (i * TILE + j) * apart + k) = down[i];
        }
    }
}

/* Four sums along one dimension, of which two numbers of the result are made. */
static inline void turn_sums(const vector *m, vector *out)
{
    out[0] = (m[0] + m[1]) + m[2];
    out[1] = (m[1] - m[2]) - m[3];
}

static void result(const float *in, int64_t apart, int64_t n, float *const *out)
{
    for (int64_t k = 0; k < n; k += WIDTH) {
        vector along[TILE][OUT];
        UNROLL
        for (int i = 0; i < TILE; i++) {
            vector m[TILE];
            UNROLL
            for (int j = 0; j < TILE; j++)
                m[j] = load(in + (i * TILE + j) * apart + k);
            turn_sums(m, along[i]);
        }
        UNROLL
        for (int j = 0; j < OUT; j++) {
            vector m[TILE], down[OUT];
            UNROLL
            for (int i = 0; i < TILE; i++)
                m[i] = along[i][j];
            turn_sums(m, down);
            UNROLL
            for (int i = 0; i < OUT; i++)
                if (out[i * OUT + j])
                    *(vector *)(out[i * OUT + j] + k) = down[i];
        }
    }
}

const tsr_winograd_fns ISA(tsr_winograds) = {image, weights, result, survey};
