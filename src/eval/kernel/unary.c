/* SPDX-License-Identifier: Apache-2.0 */
/* unary.c - pointwise ops of one operand: a table of element functions, and loops for those that are machine
 * instructions. */
#include <complex.h>
#include <math.h>

#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"

typedef struct {
    double (*narrow)(double);   /* for results that are rounded to f32 or less */
    double (*wide)(double);     /* f64 */
    tsr_wide (*cplx)(tsr_wide); /* NULL: not defined */
} function;

/* lgamma itself stores the sign in a variable that all threads share. */
static double real_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* clang-format off */
static const function functions[TSR_OP__COUNT] = {
    [TSR_OP_STABLEHLO_CBRT]                  = {cbrt,            tsr_m_cbrt,       tsr_c_cbrt},
    [TSR_OP_STABLEHLO_CEIL]                  = {ceil,            ceil,             NULL},
    [TSR_OP_STABLEHLO_COSINE]                = {cos,             cos,              tsr_c_cos},
    [TSR_OP_STABLEHLO_EXPONENTIAL]           = {exp,             exp,              tsr_c_exp},
    [TSR_OP_STABLEHLO_EXPONENTIAL_MINUS_ONE] = {expm1,           tsr_m_expm1,      tsr_c_expm1},
    [TSR_OP_STABLEHLO_FLOOR]                 = {floor,           floor,            NULL},
    [TSR_OP_STABLEHLO_LOG]                   = {log,             log,              tsr_c_log},
    [TSR_OP_STABLEHLO_LOG_PLUS_ONE]          = {log1p,           tsr_m_log1p,      tsr_c_log1p},
    [TSR_OP_STABLEHLO_LOGISTIC]              = {tsr_s_logistic,  tsr_m_logistic,   tsr_c_logistic},
    [TSR_OP_STABLEHLO_ROUND_NEAREST_AFZ]     = {round,           round,            NULL},
    [TSR_OP_STABLEHLO_ROUND_NEAREST_EVEN]    = {rint,            rint,             NULL},
    [TSR_OP_STABLEHLO_RSQRT]                 = {tsr_s_rsqrt,     tsr_m_rsqrt,      tsr_c_rsqrt},
    [TSR_OP_STABLEHLO_SINE]                  = {sin,             sin,              tsr_c_sin},
    [TSR_OP_STABLEHLO_SQRT]                  = {sqrt,            sqrt,             tsr_c_sqrt},
    [TSR_OP_STABLEHLO_TAN]                   = {tan,             tsr_m_tan,        tsr_c_tan},
    [TSR_OP_STABLEHLO_TANH]                  = {tsr_s_tanh,      tsr_m_tanh,       tsr_c_tanh},
    [TSR_OP_CHLO_ACOS]                       = {acos,            tsr_m_acos,       tsr_c_acos},
    [TSR_OP_CHLO_ACOSH]                      = {acosh,           tsr_m_acosh,      tsr_c_acosh},
    [TSR_OP_CHLO_ASIN]                       = {asin,            tsr_m_asin,       tsr_c_asin},
    [TSR_OP_CHLO_ASINH]                      = {asinh,           tsr_m_asinh,      tsr_c_asinh},
    [TSR_OP_CHLO_ATAN]                       = {atan,            tsr_m_atan,       tsr_c_atan},
    [TSR_OP_CHLO_ATANH]                      = {atanh,           tsr_m_atanh,      tsr_c_atanh},
    [TSR_OP_CHLO_COSH]                       = {cosh,            tsr_m_cosh,       tsr_c_cosh},
    [TSR_OP_CHLO_SINH]                       = {sinh,            tsr_m_sinh,       tsr_c_sinh},
    [TSR_OP_CHLO_TAN]                        = {tan,             tsr_m_tan,        tsr_c_tan},
    [TSR_OP_CHLO_SQUARE]                     = {tsr_m_square,    tsr_m_square,     tsr_c_square},
    [TSR_OP_CHLO_CONJ]                       = {NULL,            NULL,             tsr_c_conj},
    [TSR_OP_CHLO_ASIN_ACOS_KERNEL]           = {NULL,            NULL,             tsr_c_asin_acos_kernel},
    [TSR_OP_CHLO_BESSEL_I1E]                 = {tsr_m_bessel_i1e, tsr_m_bessel_i1e, NULL},
    [TSR_OP_CHLO_DIGAMMA]                    = {tsr_m_digamma,   tsr_m_digamma,    NULL},
    [TSR_OP_CHLO_ERF]                        = {erf,             tsr_m_erf,        NULL},
    [TSR_OP_CHLO_ERFC]                       = {erfc,            tsr_m_erfc,       NULL},
    [TSR_OP_CHLO_ERF_INV]                    = {tsr_s_erf_inv,   tsr_m_erf_inv,    NULL},
    [TSR_OP_CHLO_LGAMMA]                     = {real_lgamma,     tsr_m_lgamma,     NULL},
};
/* clang-format on */

/* ---- Loops ---- */

#define EACH(from, to_, expr)                                 \
    do {                                                      \
        const from *in_ = r->in[0];                           \
        to_ *out_ = r->out;                                   \
        for (int64_t i = 0, s_ = r->step[0]; i < r->n; i++) { \
            from x = in_[i * s_];                             \
            out_[i] = (to_)(expr);                            \
        }                                                     \
    } while (0)

/* Functions with a machine instruction, in f32. */
static bool fast_f32(const tsr_row *r)
{
    switch (r->opcode) {
    case TSR_OP_STABLEHLO_SQRT:
        EACH (float, float, sqrtf(x))
            ;
        return true;
    case TSR_OP_STABLEHLO_EXPONENTIAL:
        EACH (float, float, exp(x))
            ;
        return true;
    case TSR_OP_STABLEHLO_LOG:
        EACH (float, float, log(x))
            ;
        return true;
    case TSR_OP_STABLEHLO_LOGISTIC:
        EACH (float, float, 1 / (1 + exp(-(double)x)))
            ;
        return true;
    case TSR_OP_STABLEHLO_RSQRT:
        EACH (float, float, 1 / sqrt((double)x))
            ;
        return true;
    case TSR_OP_STABLEHLO_FLOOR:
        EACH (float, float, floorf(x))
            ;
        return true;
    case TSR_OP_STABLEHLO_CEIL:
        EACH (float, float, ceilf(x))
            ;
        return true;
    case TSR_OP_CHLO_SQUARE:
        EACH (float, float, x * x)
            ;
        return true;
    default: return false;
    }
}

static bool row_function(const tsr_row *r)
{
    const function *f = &functions[r->opcode];
    if (tsr_dtype_is_complex(r->d)) {
        if (!f->cplx)
            return false;
        tsr_row_wides1(r, f->cplx);
        return true;
    }
    if (!tsr_dtype_is_float(r->d) || !f->narrow)
        return false;
    if (r->d == TSR_D_F32 && fast_f32(r))
        return true;
    if (r->d == TSR_D_F32)
        EACH (float, float, f->narrow(x))
            ;
    else if (r->d == TSR_D_F64)
        EACH (double, double, f->wide(x))
            ;
    else
        tsr_row_doubles1(r, f->narrow);
    return true;
}

/* ---- abs, negate, sign ---- */

static double real_sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x; /* zeros and NaN are kept */
}

static double real_negate(double x)
{
    return -x;
}

static bool float_simple(const tsr_row *r)
{
    int op = r->opcode;
    bool is_abs = op == TSR_OP_STABLEHLO_ABS, is_sign = op == TSR_OP_STABLEHLO_SIGN;
    if (r->d == TSR_D_F32 && is_abs)
        EACH (float, float, fabsf(x))
            ;
    else if (r->d == TSR_D_F32 && !is_sign)
        EACH (float, float, -x)
            ;
    else if (r->d == TSR_D_F64 && is_abs)
        EACH (double, double, fabs(x))
            ;
    else if (r->d == TSR_D_F64 && !is_sign)
        EACH (double, double, -x)
            ;
    else
        tsr_row_doubles1(r, is_abs ? fabs : is_sign ? real_sign : real_negate);
    return true;
}

static bool row_simple(const tsr_row *r)
{
    int op = r->opcode;
    bool is_abs = op == TSR_OP_STABLEHLO_ABS, is_sign = op == TSR_OP_STABLEHLO_SIGN;
    if (tsr_dtype_is_float(r->d))
        return float_simple(r);
    if (tsr_dtype_is_complex(r->d)) {
        tsr_row_wides1(r, is_abs ? tsr_c_abs : is_sign ? tsr_c_sign : tsr_c_negate);
        return true;
    }
    if (tsr_dtype_kind(r->d) == TSR_K_BOOL ||
        (tsr_dtype_kind(r->d) == TSR_K_UINT && (is_abs || is_sign)))
        return false;
#define INTS(T, U)                                 \
    do {                                           \
        if (is_abs)                                \
            EACH (T, T, x < 0 ? (T)(0 - (U)x) : x) \
                ;                                  \
        else if (is_sign)                          \
            EACH (T, T, (x > 0) - (x < 0))         \
                ;                                  \
        else                                       \
            EACH (T, T, 0 - (U)x)                  \
                ;                                  \
    } while (0)
    switch (tsr_dtype_bytes(r->d)) { /* negation is the same for signed and unsigned */
    case 1: INTS(int8_t, uint32_t); break;
    case 2: INTS(int16_t, uint32_t); break;
    case 4: INTS(int32_t, uint32_t); break;
    default: INTS(int64_t, uint64_t);
    }
#undef INTS
    tsr_row_wrap(r->d, r->out, r->n);
    return true;
}

bool eval_unary(tsr_call *c)
{
    return tsr_unary(c, c->op->def->opcode);
}

bool tsr_row_unary(const tsr_row *r)
{
    int op = r->opcode;
    bool simple =
        op == TSR_OP_STABLEHLO_ABS || op == TSR_OP_STABLEHLO_SIGN || op == TSR_OP_STABLEHLO_NEGATE;
    return simple ? row_simple(r) : row_function(r);
}

bool tsr_unary(tsr_call *c, int op)
{
    if (op == TSR_OP_CHLO_CONJ && tsr_dtype_is_float(tsr_call_dtype(c, 0))) {
        c->out[0] = tsr_call_take(c, 0);
        return true;
    }
    return tsr_pointwise(c, op, tsr_row_unary);
}

/* ---- Bits ---- */

static uint32_t count_bits(uint64_t v)
{
    uint32_t n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static uint32_t leading_zeros(uint64_t v, uint32_t bits)
{
    uint32_t n = 0;
    for (uint64_t bit = (uint64_t)1 << (bits - 1); bit && !(v & bit); bit >>= 1)
        n++;
    return n;
}

static bool row_bits(const tsr_row *r)
{
    if (!tsr_dtype_is_int(r->d))
        return false;
    uint32_t bits = tsr_dtype_bits(r->d);
    uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    bool count = r->opcode == TSR_OP_STABLEHLO_POPCNT;
#define BITS(T) EACH (T, T, count ? count_bits(x & mask) : leading_zeros(x & mask, bits))
    switch (tsr_dtype_bytes(r->d)) {
    case 1: BITS(uint8_t); break;
    case 2: BITS(uint16_t); break;
    case 4: BITS(uint32_t); break;
    default: BITS(uint64_t);
    }
#undef BITS
    tsr_row_wrap(r->d, r->out, r->n);
    return true;
}

bool eval_bits(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, row_bits);
}
