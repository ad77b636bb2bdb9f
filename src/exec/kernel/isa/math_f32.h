/* math_f32.h - functions of f32 for tile kernels. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_F32_H
#define TSR_EXEC_KERNEL_ISA_MATH_F32_H

#include <float.h>
#include <math.h>

#include "eval/math/scalar.h"

#define F32_most FLT_MAX
#define F32_fmod fmodf
#define F32_pow powf
#define F32_atan2 atan2f
#define F32_abs fabsf
#define F32_sqrt __builtin_sqrtf
#define F32_cbrt cbrtf
#define F32_exp expf
#define F32_expm1 expm1f
#define F32_log logf
#define F32_log1p log1pf
#define F32_tanh tanhf
#define F32_sin sinf
#define F32_cos cosf
#define F32_tan tanf
#define F32_erf erff
#define F32_erfc erfcf
#define F32_erf_inv tsr_s_erf_inv
#define F32_floor __builtin_floorf
#define F32_ceil __builtin_ceilf
#define F32_rint __builtin_rintf
#define F32_round roundf

static inline uint32_t f32_bits(float x)
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline float f32_of(uint32_t b)
{
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* NaN wins on either side. Equal numbers have equal bits, but for zeros: "and" and "or" keep the sign. */
static inline float F32_max(float x, float y)
{
    float t = ((x > y) | (x != x)) ? x : y;
    return x == y ? f32_of(f32_bits(x) & f32_bits(y)) : t;
}

static inline float F32_min(float x, float y)
{
    float t = ((x < y) | (x != x)) ? x : y;
    return x == y ? f32_of(f32_bits(x) | f32_bits(y)) : t;
}

static inline float F32_sign(float x) /* zeros and NaN stay */
{
    float t = x > 0 ? 1 : x;
    return x < 0 ? -1 : t;
}

static inline float F32_fma(float x, float y, float z)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(x, y, z);
#else
    return x * y + z;
#endif
}

static inline float F32_logistic(float x)
{
    float e = expf(-fabsf(x));
    return (x < 0 ? e : 1) / (1 + e);
}

#endif
