/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - arithmetic of two operands. Integers wrap; division by zero gives all ones, and the dividend as
 * remainder. */
#include <complex.h>
#include <math.h>

#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"

#define EACH(T, expr)                                          \
    do {                                                       \
        const T *a_ = r->in[0], *b_ = r->in[1];                \
        T *out_ = r->out;                                      \
        int64_t n_ = r->n, sa_ = r->step[0], sb_ = r->step[1]; \
        if (sa_ == 1 && sb_ == 1) {                            \
            for (int64_t i = 0; i < n_; i++) {                 \
                T x = a_[i], y = b_[i];                        \
                out_[i] = (T)(expr);                           \
            }                                                  \
        } else {                                               \
            for (int64_t i = 0; i < n_; i++) {                 \
                T x = a_[i * sa_], y = b_[i * sb_];            \
                out_[i] = (T)(expr);                           \
            }                                                  \
        }                                                      \
    } while (0)

/* ---- Integers ---- */

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t v = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            v *= base;
    return v;
}

/* With a negative exponent, only one and minus one have an integer power. */
static int64_t signed_power(int64_t base, int64_t exponent)
{
    if (exponent >= 0)
        return (int64_t)power((uint64_t)base, (uint64_t)exponent);
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
}

/* U: unsigned and wide enough that promotion to int cannot overflow. */
#define INT_ROW(T, U, divide, remainder, pow_) \
    static bool row_##T(const tsr_row *r)      \
    {                                          \
        switch (r->opcode) {                   \
        case TSR_OP_STABLEHLO_ADD:             \
            EACH (T, (U)x + (U)y)              \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_SUBTRACT:        \
            EACH (T, (U)x - (U)y)              \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_MULTIPLY:        \
            EACH (T, (U)x * (U)y)              \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_DIVIDE:          \
            EACH (T, divide)                   \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_REMAINDER:       \
            EACH (T, remainder)                \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_MAXIMUM:         \
            EACH (T, x > y ? x : y)            \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_MINIMUM:         \
            EACH (T, x < y ? x : y)            \
                ;                              \
            return true;                       \
        case TSR_OP_STABLEHLO_POWER:           \
            EACH (T, pow_(x, y))               \
                ;                              \
            return true;                       \
        default: return false;                 \
        }                                      \
    }
/* The least number divided by -1 overflows: it wraps to itself, as in two's complement. */
#define SIGNED_ROW(T, U)              \
    INT_ROW(T, U,                     \
            y == 0    ? (T)-1         \
            : y == -1 ? (T)(0 - (U)x) \
                      : x / y,        \
            y == 0    ? x             \
            : y == -1 ? 0             \
                      : x % y,        \
            signed_power)
#define UNSIGNED_ROW(T, U) INT_ROW(T, U, y == 0 ? (T)-1 : x / y, y == 0 ? x : x % y, power)
SIGNED_ROW(int8_t, uint32_t)
SIGNED_ROW(int16_t, uint32_t)
SIGNED_ROW(int32_t, uint32_t)
SIGNED_ROW(int64_t, uint64_t)
UNSIGNED_ROW(uint8_t, uint32_t)
UNSIGNED_ROW(uint16_t, uint32_t)
UNSIGNED_ROW(uint32_t, uint32_t)
UNSIGNED_ROW(uint64_t, uint64_t)

static bool row_bool(const tsr_row *r)
{
    switch (r->opcode) {
    case TSR_OP_STABLEHLO_ADD:
    case TSR_OP_STABLEHLO_MAXIMUM:
        EACH (uint8_t, (x | y) & 1)
            ;
        return true;
    case TSR_OP_STABLEHLO_MULTIPLY:
    case TSR_OP_STABLEHLO_MINIMUM:
        EACH (uint8_t, x & y & 1)
            ;
        return true;
    case TSR_OP_STABLEHLO_SUBTRACT: /* modulo two */
        EACH (uint8_t, (x ^ y) & 1)
            ;
        return true;
    default: return false;
    }
}

/* ---- Floats ---- */

/* Without branches: NaN on either side wins; equal numbers have equal bits, except zeros, where "and" or "or" selects
 * the sign bit. */
#define MAX_MIN(T, U)                       \
    static inline T max_##T(T x, T y)       \
    {                                       \
        T t = ((x > y) | (x != x)) ? x : y; \
        U a, b;                             \
        memcpy(&a, &x, sizeof a);           \
        memcpy(&b, &y, sizeof b);           \
        a &= b;                             \
        memcpy(&b, &t, sizeof b);           \
        b = x == y ? a : b;                 \
        memcpy(&t, &b, sizeof t);           \
        return t;                           \
    }                                       \
    static inline T min_##T(T x, T y)       \
    {                                       \
        T t = ((x < y) | (x != x)) ? x : y; \
        U a, b;                             \
        memcpy(&a, &x, sizeof a);           \
        memcpy(&b, &y, sizeof b);           \
        a |= b;                             \
        memcpy(&b, &t, sizeof b);           \
        b = x == y ? a : b;                 \
        memcpy(&t, &b, sizeof t);           \
        return t;                           \
    }
MAX_MIN(float, uint32_t)
MAX_MIN(double, uint64_t)

#define FLOAT_ROW(T, fmod_, pow_, atan2_) \
    static bool row_##T(const tsr_row *r) \
    {                                     \
        switch (r->opcode) {              \
        case TSR_OP_STABLEHLO_ADD:        \
            EACH (T, x + y)               \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_SUBTRACT:   \
            EACH (T, x - y)               \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_MULTIPLY:   \
            EACH (T, x * y)               \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_DIVIDE:     \
            EACH (T, x / y)               \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_REMAINDER:  \
            EACH (T, fmod_(x, y))         \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_MAXIMUM:    \
            EACH (T, max_##T(x, y))       \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_MINIMUM:    \
            EACH (T, min_##T(x, y))       \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_POWER:      \
            EACH (T, pow_(x, y))          \
                ;                         \
            return true;                  \
        case TSR_OP_STABLEHLO_ATAN2:      \
            EACH (T, atan2_(x, y))        \
                ;                         \
            return true;                  \
        default: return false;            \
        }                                 \
    }
FLOAT_ROW(float, fmodf, pow, atan2)
FLOAT_ROW(double, fmod, tsr_m_pow, tsr_m_atan2)

static double add(double x, double y)
{
    return x + y;
}

static double subtract(double x, double y)
{
    return x - y;
}

static double multiply(double x, double y)
{
    return x * y;
}

static double divide(double x, double y)
{
    return x / y;
}

static double maximum(double x, double y)
{
    return max_double(x, y);
}

static double minimum(double x, double y)
{
    return min_double(x, y);
}

/* bf16 is computed in f32, which has more than twice its bits plus two, so that the second rounding changes nothing.
 * Exceptions go through double: subnormal numbers, where both have fewer bits, and values that are not finite. */
#define BF16(expr, slow)                                                         \
    do {                                                                         \
        const uint16_t *a_ = r->in[0], *b_ = r->in[1];                           \
        uint16_t *out_ = r->out;                                                 \
        for (int64_t i = 0, sa_ = r->step[0], sb_ = r->step[1]; i < r->n; i++) { \
            float x = wide(a_[i * sa_]), y = wide(b_[i * sb_]), z = (expr);      \
            uint32_t bits, exponent;                                             \
            memcpy(&bits, &z, sizeof bits);                                      \
            exponent = bits & 0x7F800000;                                        \
            out_[i] = TSR_LIKELY(exponent && exponent != 0x7F800000)             \
                          ? (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16) \
                          : tsr_bf16_of(slow(x, y));                             \
        }                                                                        \
        return true;                                                             \
    } while (0)

static inline float wide(uint16_t v)
{
    uint32_t bits = (uint32_t)v << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool row_bf16(const tsr_row *r)
{
    switch (r->opcode) {
    case TSR_OP_STABLEHLO_ADD: BF16(x + y, add);
    case TSR_OP_STABLEHLO_SUBTRACT: BF16(x - y, subtract);
    case TSR_OP_STABLEHLO_MULTIPLY: BF16(x * y, multiply);
    case TSR_OP_STABLEHLO_DIVIDE: BF16(x / y, divide);
    default: return false;
    }
}

/* Small floats: double has more than twice their bits plus two, so that the second rounding changes nothing. */
static bool row_small_float(const tsr_row *r)
{
    double (*fn)(double, double);
    if (r->d == TSR_D_BF16 && r->to == TSR_D_BF16 && row_bf16(r))
        return true;
    switch (r->opcode) {
    case TSR_OP_STABLEHLO_ADD: fn = add; break;
    case TSR_OP_STABLEHLO_SUBTRACT: fn = subtract; break;
    case TSR_OP_STABLEHLO_MULTIPLY: fn = multiply; break;
    case TSR_OP_STABLEHLO_DIVIDE: fn = divide; break;
    case TSR_OP_STABLEHLO_REMAINDER: fn = fmod; break;
    case TSR_OP_STABLEHLO_MAXIMUM: fn = maximum; break;
    case TSR_OP_STABLEHLO_MINIMUM: fn = minimum; break;
    case TSR_OP_STABLEHLO_POWER: fn = pow; break;
    case TSR_OP_STABLEHLO_ATAN2: fn = atan2; break;
    default: return false;
    }
    tsr_row_doubles2(r, fn);
    return true;
}

/* ---- Complex ---- */

/* x: a + bi, y: c + di. Products of f32 are exact in double. */
#define COMPLEX(T, W, re_, im_)                             \
    do {                                                    \
        const T *p_ = r->in[0], *q_ = r->in[1];             \
        T *out_ = r->out;                                   \
        int64_t sa_ = 2 * r->step[0], sb_ = 2 * r->step[1]; \
        for (int64_t i = 0; i < r->n; i++) {                \
            W a = p_[i * sa_], b = p_[i * sa_ + 1];         \
            W c = q_[i * sb_], d = q_[i * sb_ + 1];         \
            (void)b, (void)d;                               \
            out_[2 * i] = (T)(re_);                         \
            out_[2 * i + 1] = (T)(im_);                     \
        }                                                   \
    } while (0)

/* Ordered by real part, then by imaginary part. */
static bool more(double a, double b, double c, double d)
{
    return a == c ? b > d : a > c;
}

static bool less(double a, double b, double c, double d)
{
    return a == c ? b < d : a < c;
}

#define COMPLEX_ROW(name, T, W)                                                                  \
    static bool name(const tsr_row *r)                                                           \
    {                                                                                            \
        switch (r->opcode) {                                                                     \
        case TSR_OP_STABLEHLO_ADD: COMPLEX(T, W, a + c, b + d); return true;                     \
        case TSR_OP_STABLEHLO_SUBTRACT: COMPLEX(T, W, a - c, b - d); return true;                \
        case TSR_OP_STABLEHLO_MULTIPLY: COMPLEX(T, W, a *c - b * d, a * d + b * c); return true; \
        case TSR_OP_STABLEHLO_MAXIMUM:                                                           \
            COMPLEX(T, W, more(a, b, c, d) ? a : c, more(a, b, c, d) ? b : d);                   \
            return true;                                                                         \
        case TSR_OP_STABLEHLO_MINIMUM:                                                           \
            COMPLEX(T, W, less(a, b, c, d) ? a : c, less(a, b, c, d) ? b : d);                   \
            return true;                                                                         \
        default: return false;                                                                   \
        }                                                                                        \
    }
COMPLEX_ROW(row_c64, float, double)
COMPLEX_ROW(row_c128, double, double)

static bool row_complex(const tsr_row *r)
{
    switch (r->opcode) {
    case TSR_OP_STABLEHLO_DIVIDE: tsr_row_wides2(r, tsr_c_div); return true;
    case TSR_OP_STABLEHLO_POWER: tsr_row_wides2(r, tsr_c_pow); return true;
    case TSR_OP_STABLEHLO_ATAN2: tsr_row_wides2(r, tsr_c_atan2); return true;
    default: return r->d == TSR_D_C64 ? row_c64(r) : row_c128(r);
    }
}

/* ---- All types ---- */

bool tsr_row_binary(const tsr_row *r)
{
    switch (r->d) {
    case TSR_D_I1: return row_bool(r);
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8:
        TSR_TRY(row_int8_t(r));
        tsr_row_wrap(r->d, r->out, r->n);
        return true;
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8:
        TSR_TRY(row_uint8_t(r));
        tsr_row_wrap(r->d, r->out, r->n);
        return true;
    case TSR_D_I16: return row_int16_t(r);
    case TSR_D_U16: return row_uint16_t(r);
    case TSR_D_I32: return row_int32_t(r);
    case TSR_D_U32: return row_uint32_t(r);
    case TSR_D_I64: return row_int64_t(r);
    case TSR_D_U64: return row_uint64_t(r);
    case TSR_D_F32: return row_float(r);
    case TSR_D_F64: return row_double(r);
    case TSR_D_C64:
    case TSR_D_C128: return row_complex(r);
    default: return tsr_dtype_is_float(r->d) && row_small_float(r);
    }
}

bool tsr_binary_run(int opcode, tsr_dtype d, int64_t n, const void *a, int64_t step_a,
                    const void *b, int64_t step_b, void *out)
{
    tsr_row r = {.opcode = opcode,
                 .d = d,
                 .to = d,
                 .n = n,
                 .in = {a, b},
                 .step = {step_a, step_b},
                 .out = out};
    return tsr_row_binary(&r) || tsr_row_bitwise(&r);
}

bool eval_binary(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, tsr_row_binary);
}
