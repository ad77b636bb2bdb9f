/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - comparisons, selection, clamping, and bits: and, or, xor, not, shifts. */
#include <math.h>

#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"

/* ---- compare ---- */

#define SELF(x) (x)
#define BIT(x) ((x)&1)
#define COMPARE(T, get, rel)                                                 \
    do {                                                                     \
        const T *a_ = r->in[0], *b_ = r->in[1];                              \
        uint8_t *out_ = r->out;                                              \
        for (int64_t i = 0, s_ = r->step[0], t_ = r->step[1]; i < r->n; i++) \
            out_[i] = get(a_[i * s_]) rel get(b_[i * t_]);                   \
    } while (0)

#define COMPARE_ALL(T, get)                                    \
    do {                                                       \
        switch (dir) {                                         \
        case TSR_COMPARE_EQ: COMPARE(T, get, ==); return true; \
        case TSR_COMPARE_NE: COMPARE(T, get, !=); return true; \
        case TSR_COMPARE_GE: COMPARE(T, get, >=); return true; \
        case TSR_COMPARE_GT: COMPARE(T, get, >); return true;  \
        case TSR_COMPARE_LE: COMPARE(T, get, <=); return true; \
        default: COMPARE(T, get, <); return true;              \
        }                                                      \
    } while (0)

static bool holds(tsr_compare dir, int order)
{
    switch (dir) {
    case TSR_COMPARE_EQ: return order == 0;
    case TSR_COMPARE_NE: return order != 0;
    case TSR_COMPARE_GE: return order >= 0;
    case TSR_COMPARE_GT: return order > 0;
    case TSR_COMPARE_LE: return order <= 0;
    default: return order < 0;
    }
}

/* A sign-and-magnitude pattern as a number that orders as IEEE's totalOrder does. */
static int64_t total_key(const void *p, uint32_t bytes, uint32_t bits)
{
    uint64_t v = 0, sign = (uint64_t)1 << (bits - 1);
    memcpy(&v, p, bytes);
    return v & sign ? -(int64_t)(v & (sign - 1)) - 1 : (int64_t)v;
}

static bool compare_total(const tsr_row *r, tsr_compare dir)
{
    uint32_t bytes = tsr_dtype_bytes(r->d), bits = tsr_dtype_bits(r->d);
    const char *a = r->in[0], *b = r->in[1];
    for (int64_t i = 0; i < r->n; i++) {
        int64_t x = total_key(a + (size_t)(i * r->step[0]) * bytes, bytes, bits);
        int64_t y = total_key(b + (size_t)(i * r->step[1]) * bytes, bytes, bits);
        ((uint8_t *)r->out)[i] = holds(dir, (x > y) - (x < y));
    }
    return true;
}

/* Only equality is defined. */
static bool compare_complex(const tsr_row *r, tsr_compare dir)
{
    if (dir != TSR_COMPARE_EQ && dir != TSR_COMPARE_NE)
        return false;
    for (int64_t i = 0; i < r->n; i++) {
        int64_t k = 2 * i * r->step[0], m = 2 * i * r->step[1];
        bool equal;
        if (r->d == TSR_D_C64) {
            const float *a = r->in[0], *b = r->in[1];
            equal = a[k] == b[m] && a[k + 1] == b[m + 1];
        } else {
            const double *a = r->in[0], *b = r->in[1];
            equal = a[k] == b[m] && a[k + 1] == b[m + 1];
        }
        ((uint8_t *)r->out)[i] = equal == (dir == TSR_COMPARE_EQ);
    }
    return true;
}

static bool compare_small_float(const tsr_row *r, tsr_compare dir)
{
    uint32_t bytes = tsr_dtype_bytes(r->d);
    for (int64_t i = 0; i < r->n; i++) {
        double x, y;
        tsr_to_doubles(r->d, (const char *)r->in[0] + (size_t)(i * r->step[0]) * bytes, &x, 1);
        tsr_to_doubles(r->d, (const char *)r->in[1] + (size_t)(i * r->step[1]) * bytes, &y, 1);
        bool known = x == x && y == y;
        ((uint8_t *)r->out)[i] = known ? holds(dir, (x > y) - (x < y)) : dir == TSR_COMPARE_NE;
    }
    return true;
}

static bool compare_as(const tsr_row *r, tsr_compare dir, bool total)
{
    if (total && tsr_dtype_is_float(r->d))
        return compare_total(r, dir);
    switch (r->d) {
    case TSR_D_I1: COMPARE_ALL(uint8_t, BIT);
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8: COMPARE_ALL(int8_t, SELF);
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8: COMPARE_ALL(uint8_t, SELF);
    case TSR_D_I16: COMPARE_ALL(int16_t, SELF);
    case TSR_D_U16: COMPARE_ALL(uint16_t, SELF);
    case TSR_D_I32: COMPARE_ALL(int32_t, SELF);
    case TSR_D_U32: COMPARE_ALL(uint32_t, SELF);
    case TSR_D_I64: COMPARE_ALL(int64_t, SELF);
    case TSR_D_U64: COMPARE_ALL(uint64_t, SELF);
    case TSR_D_F32: COMPARE_ALL(float, SELF);
    case TSR_D_F64: COMPARE_ALL(double, SELF);
    case TSR_D_C64:
    case TSR_D_C128: return compare_complex(r, dir);
    default: return compare_small_float(r, dir);
    }
}

bool tsr_row_compare_as(const tsr_row *r, int dir)
{
    return compare_as(r, (tsr_compare)dir, false);
}

bool tsr_row_compare(const tsr_row *r)
{
    bool chlo = r->op->def->opcode == TSR_OP_CHLO_BROADCAST_COMPARE;
    const tsr_attr *dir = r->op->attrs[chlo ? (int)CHLO_BROADCAST_COMPARE_comparison_direction
                                            : (int)STABLEHLO_COMPARE_comparison_direction];
    const tsr_attr *type = r->op->attrs[chlo ? (int)CHLO_BROADCAST_COMPARE_compare_type
                                             : (int)STABLEHLO_COMPARE_compare_type];
    return dir &&
           compare_as(r, (tsr_compare)dir->i, type && type->i == TSR_COMPARE_TYPE_TOTALORDER);
}

bool eval_compare(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, tsr_row_compare);
}

/* ---- select ---- */

bool tsr_row_select(const tsr_row *r)
{
    const uint8_t *p = r->in[0];
    int64_t sp = r->step[0], sa = r->step[1], sb = r->step[2];
#define SELECT(T)                                           \
    do {                                                    \
        const T *a = r->in[1], *b = r->in[2];               \
        T *out = r->out;                                    \
        for (int64_t i = 0; i < r->n; i++)                  \
            out[i] = p[i * sp] & 1 ? a[i * sa] : b[i * sb]; \
    } while (0)
    typedef struct {
        uint64_t w[2];
    } wide;
    switch (tsr_dtype_bytes(r->d)) {
    case 1: SELECT(uint8_t); break;
    case 2: SELECT(uint16_t); break;
    case 4: SELECT(uint32_t); break;
    case 8: SELECT(uint64_t); break;
    default: SELECT(wide);
    }
#undef SELECT
    return true;
}

bool eval_select(tsr_call *c)
{
    return tsr_pointwise(c, TSR_OP_STABLEHLO_SELECT, tsr_row_select);
}

/* ---- clamp ---- */

/* minimum(maximum(operand, min), max); the operands are in the op's order: min, operand, max. */
static bool row_clamp(const tsr_row *r)
{
    const int64_t chunk = 1024;
    _Alignas(16) char lower[1024 * 16];
    size_t size = tsr_dtype_bytes(r->d);
    for (int64_t i = 0; i < r->n; i += chunk) {
        int64_t n = r->n - i < chunk ? r->n - i : chunk;
        const char *at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (const char *)r->in[k] + (size_t)(i * r->step[k]) * size;
        TSR_TRY(tsr_binary_run(TSR_OP_STABLEHLO_MAXIMUM, r->d, n, at[1], r->step[1], at[0],
                               r->step[0], lower));
        TSR_TRY(tsr_binary_run(TSR_OP_STABLEHLO_MINIMUM, r->d, n, lower, 1, at[2], r->step[2],
                               (char *)r->out + (size_t)i * size));
    }
    return true;
}

bool eval_clamp(tsr_call *c)
{
    return tsr_pointwise(c, TSR_OP_STABLEHLO_CLAMP, row_clamp);
}

/* ---- Bits ---- */

#define EACH(T, expr)                                                          \
    do {                                                                       \
        const T *a_ = r->in[0], *b_ = r->in[1];                                \
        T *out_ = r->out;                                                      \
        for (int64_t i = 0, s_ = r->step[0], t_ = r->step[1]; i < r->n; i++) { \
            T x = a_[i * s_], y = b_[i * t_];                                  \
            out_[i] = (T)(expr);                                               \
        }                                                                      \
    } while (0)

/* T, S: unsigned and signed. A shift by at least the number of bits leaves nothing but the sign. */
#define BITWISE(T, S)                                                                               \
    do {                                                                                            \
        T mask = bits == 8 * sizeof(T) ? (T)-1 : (T)(((T)1 << bits) - 1);                           \
        switch (r->opcode) {                                                                        \
        case TSR_OP_STABLEHLO_AND:                                                                  \
            EACH (T, x & y)                                                                         \
                ;                                                                                   \
            break;                                                                                  \
        case TSR_OP_STABLEHLO_OR:                                                                   \
            EACH (T, x | y)                                                                         \
                ;                                                                                   \
            break;                                                                                  \
        case TSR_OP_STABLEHLO_XOR:                                                                  \
            EACH (T, x ^ y)                                                                         \
                ;                                                                                   \
            break;                                                                                  \
        case TSR_OP_STABLEHLO_SHIFT_LEFT:                                                           \
            EACH (T, (y & mask) < bits ? (uint64_t)x << (y & mask) : 0)                             \
                ;                                                                                   \
            break;                                                                                  \
        case TSR_OP_STABLEHLO_SHIFT_RIGHT_LOGICAL:                                                  \
            EACH (T, (y & mask) < bits ? (T)(x & mask) >> (y & mask) : 0)                           \
                ;                                                                                   \
            break;                                                                                  \
        case TSR_OP_STABLEHLO_SHIFT_RIGHT_ARITHMETIC:                                               \
            /* small ones are sign-extended in their byte; unsigned small ones are extended here */ \
            EACH (T, (S)(T)(x << (8 * sizeof(T) - bits)) >> (8 * sizeof(T) - bits) >>               \
                         ((y & mask) < bits ? (y & mask) : bits - 1))                               \
                ;                                                                                   \
            break;                                                                                  \
        default: return false;                                                                      \
        }                                                                                           \
    } while (0)

bool tsr_row_bitwise(const tsr_row *r)
{
    if (!tsr_dtype_is_int(r->d))
        return false;
    uint32_t bits = tsr_dtype_bits(r->d);
    switch (tsr_dtype_bytes(r->d)) {
    case 1: BITWISE(uint8_t, int8_t); break;
    case 2: BITWISE(uint16_t, int16_t); break;
    case 4: BITWISE(uint32_t, int32_t); break;
    default: BITWISE(uint64_t, int64_t);
    }
    tsr_row_wrap(r->d, r->out, r->n);
    return true;
}

static bool row_not(const tsr_row *r)
{
    if (!tsr_dtype_is_int(r->d))
        return false;
    size_t bytes = (size_t)r->n * tsr_dtype_bytes(r->d), step = (size_t)r->step[0];
    const uint8_t *in = r->in[0];
    uint8_t *out = r->out;
    for (size_t i = 0; step && i < bytes; i++)
        out[i] = (uint8_t)~in[i];
    for (size_t i = 0, size = tsr_dtype_bytes(r->d); !step && i < bytes; i++)
        out[i] = (uint8_t)~in[i % size];
    tsr_row_wrap(r->d, r->out, r->n);
    return true;
}

bool eval_bitwise(tsr_call *c)
{
    int op = c->op->def->opcode;
    return tsr_pointwise(c, op, op == TSR_OP_STABLEHLO_NOT ? row_not : tsr_row_bitwise);
}
