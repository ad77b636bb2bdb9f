/* SPDX-License-Identifier: Apache-2.0 */
/* fused.h - x * y + z of vectors, rounded once in all classes but the baseline, as F32_fma and F64_fma of single
 * numbers. No kernel leaves it to the compiler what is fused: that depends on its version, on the loop around it and on
 * the processor that it tunes for, and sums would have other bits.
 *
 * By builtins: the header of intrinsics takes longer to read than many a kernel to compile. */
#ifndef TSR_EXEC_KERNEL_ISA_FUSED_H
#define TSR_EXEC_KERNEL_ISA_FUSED_H

#include "exec/kernel/isa/isa.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float floats VECTOR(float);
typedef double doubles VECTOR(double);

#if defined(__AVX512F__) || defined(__FMA__) || defined(__aarch64__)
#define HAS_FMA 1
#endif
#if defined(__has_builtin) && defined(HAS_FMA)
#if __has_builtin(__builtin_elementwise_fma)
#define ANY_FMA 1
#endif
#endif

static inline __attribute__((always_inline)) floats FUSED_f32(floats x, floats y, floats z)
{
#if defined(ANY_FMA)
    return __builtin_elementwise_fma(x, y, z);
#elif defined(__AVX512F__)
    return __builtin_ia32_vfmaddps512_mask(x, y, z, (uint16_t)-1,
                                           4); /* all lanes; rounding as usual */
#elif defined(__FMA__)
    return __builtin_ia32_vfmaddps256(x, y, z);
#elif defined(__aarch64__)
    return vfmaq_f32(z, x, y);
#else
    return x * y + z;
#endif
}

static inline __attribute__((always_inline)) doubles FUSED_f64(doubles x, doubles y, doubles z)
{
#if defined(ANY_FMA)
    return __builtin_elementwise_fma(x, y, z);
#elif defined(__AVX512F__)
    return __builtin_ia32_vfmaddpd512_mask(x, y, z, (uint8_t)-1, 4);
#elif defined(__FMA__)
    return __builtin_ia32_vfmaddpd256(x, y, z);
#elif defined(__aarch64__)
    return vfmaq_f64(z, x, y);
#else
    return x * y + z;
#endif
}

/* A vector whose elements are all x; -0 stays. */
#define EACH_OF(vector, x) ((x) - (vector){0})

#endif
