/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - the innermost parts of factorizations (exec/kernel/linalg.c): blocks of up to TSR_LEAF rows and columns,
 * and panels of a few columns. All of them work on contiguous rows or columns, so that their loops are vectorized. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "exec/kernel/isa/fused.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

enum { LANES = 32 };

/* Plain products of real and imaginary parts, without a check for infinities. */
#define COMPLEX(name, type, part)                                   \
    static inline type name##_of(part re, part im)                  \
    {                                                               \
        part parts[2] = {re, im};                                   \
        type z;                                                     \
        memcpy(&z, parts, sizeof z);                                \
        return z;                                                   \
    }                                                               \
    static inline part name##_real(type x)                          \
    {                                                               \
        part parts[2];                                              \
        memcpy(parts, &x, sizeof x);                                \
        return parts[0];                                            \
    }                                                               \
    static inline part name##_imag(type x)                          \
    {                                                               \
        part parts[2];                                              \
        memcpy(parts, &x, sizeof x);                                \
        return parts[1];                                            \
    }                                                               \
    static inline type name##_mul(type x, type y)                   \
    {                                                               \
        part a = name##_real(x), b = name##_imag(x);                \
        part c = name##_real(y), d = name##_imag(y);                \
        return name##_of(a * c - b * d, a * d + b * c);             \
    }                                                               \
    static inline type name##_conj(type x)                          \
    {                                                               \
        return name##_of(name##_real(x), -name##_imag(x));          \
    }                                                               \
    static inline type name##_scale(type x, part by)                \
    {                                                               \
        return name##_of(name##_real(x) * by, name##_imag(x) * by); \
    }
COMPLEX(c64, float complex, float)
COMPLEX(c128, double complex, double)

#define T float
#define R float
#define IS_COMPLEX 0
#define N(name) f32_##name
#define FMA F32_fma
#define FUSED FUSED_f32
#define ADDS(x, y, z) F32_fma(y, z, x)
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) ((void)(x), 0.0f)
#define ABS1(x) fabsf(x)
#define MUL(x, y) ((x) * (y))
#define SCALE(x, by) ((x) * (by))
#define DIV(x, y) ((x) / (y))
#define SQRT(x) sqrtf(x)
#define LEAST_SQUARE 0x1p-60f
#define MOST_SQUARE 0x1p120f
#define RAISE 0x1p80f
#include "exec/kernel/isa/linalg.def"

#define T double
#define R double
#define IS_COMPLEX 0
#define N(name) f64_##name
#define FMA F64_fma
#define FUSED FUSED_f64
#define ADDS(x, y, z) F64_fma(y, z, x)
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) ((void)(x), 0.0)
#define ABS1(x) fabs(x)
#define MUL(x, y) ((x) * (y))
#define SCALE(x, by) ((x) * (by))
#define DIV(x, y) ((x) / (y))
#define SQRT(x) sqrt(x)
#define LEAST_SQUARE 0x1p-800
#define MOST_SQUARE 0x1p1000
#define RAISE 0x1p800
#include "exec/kernel/isa/linalg.def"

#define T float complex
#define R float
#define IS_COMPLEX 1
#define N(name) c64_##name
#define ADDS(x, y, z) ((x) + c64_mul(y, z))
#define CONJ(x) c64_conj(x)
#define REAL(x) c64_real(x)
#define IMAG(x) c64_imag(x)
#define ABS1(x) (fabsf(c64_real(x)) + fabsf(c64_imag(x)))
#define MUL(x, y) c64_mul(x, y)
#define SCALE(x, by) c64_scale(x, by)
#define DIV(x, y) ((x) / (y))
#define SQRT(x) sqrtf(x)
#define LEAST_SQUARE 0x1p-60f
#define MOST_SQUARE 0x1p120f
#define RAISE 0x1p80f
#include "exec/kernel/isa/linalg.def"

#define T double complex
#define R double
#define IS_COMPLEX 1
#define N(name) c128_##name
#define ADDS(x, y, z) ((x) + c128_mul(y, z))
#define CONJ(x) c128_conj(x)
#define REAL(x) c128_real(x)
#define IMAG(x) c128_imag(x)
#define ABS1(x) (fabs(c128_real(x)) + fabs(c128_imag(x)))
#define MUL(x, y) c128_mul(x, y)
#define SCALE(x, by) c128_scale(x, by)
#define DIV(x, y) ((x) / (y))
#define SQRT(x) sqrt(x)
#define LEAST_SQUARE 0x1p-800
#define MOST_SQUARE 0x1p1000
#define RAISE 0x1p800
#include "exec/kernel/isa/linalg.def"

// clang-format off
#define LEAVES(name) name##_add, name##_potrf, name##_solve, name##_getrf, name##_geqrf, name##_block
#define SPECTRA(name) name##_sytrd, name##_gebrd, name##_rotate
// clang-format on
const tsr_leaves ISA(tsr_leaves_of)[4] = {{LEAVES(f32), SPECTRA(f32)},
                                          {LEAVES(f64), SPECTRA(f64)},
                                          {LEAVES(c64), NULL, NULL, NULL},
                                          {LEAVES(c128), NULL, NULL, NULL}};
