/* SPDX-License-Identifier: Apache-2.0 */
/* test_tile.c - tile kernels of each class of machines against eval's kernels and libm: all ops and types, all lengths of rests, results in
 * place of operands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/opcode.h"
#include "eval/kernel/pointwise.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/tile.h"
#include "unit.h"

enum { MOST = 256 };

/* Ops that eval has under these codes: results must be equal to the bit. */
static const struct {
    tsr_tile_op op;
    int opcode;
} exact[] = {
#define SAME(name, OP)                         \
    {                                          \
        TSR_TILE_##name, TSR_OP_STABLEHLO_##OP \
    }
    SAME(add, ADD),
    SAME(subtract, SUBTRACT),
    SAME(multiply, MULTIPLY),
    SAME(divide, DIVIDE),
    SAME(remainder, REMAINDER),
    SAME(maximum, MAXIMUM),
    SAME(minimum, MINIMUM),
    SAME(power, POWER),
    SAME(and, AND),
    SAME(or, OR),
    SAME(xor, XOR),
    SAME(shift_left, SHIFT_LEFT),
    SAME(shift_right_logical, SHIFT_RIGHT_LOGICAL),
    SAME(shift_right_arithmetic, SHIFT_RIGHT_ARITHMETIC),
    SAME(negate, NEGATE),
    SAME(abs, ABS),
    SAME(sign, SIGN),
    SAME(sqrt, SQRT),
    SAME(floor, FLOOR),
    SAME(ceil, CEIL),
    SAME(round_nearest_even, ROUND_NEAREST_EVEN),
    SAME(round_nearest_afz, ROUND_NEAREST_AFZ),
};

static uint64_t seed = 1;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Special values, small ones and any bits. */
static void fill(tsr_dtype d, void *out, int64_t n)
{
    static const double special[] = {0.0,   -0.0,   1,    -1,   2,         -2,        0.5,
                                     -0.5,  1.5,    2.5,  -3.5, INFINITY,  -INFINITY, NAN,
                                     1e-42, -1e-42, 3e38, 1e10, 0.49999997};
    uint32_t bytes = tsr_dtype_bytes(d);
    for (int64_t i = 0; i < n; i++) {
        uint64_t r = next_random(), bits = next_random();
        char *at = (char *)out + (size_t)i * bytes;
        if (d == TSR_D_I1)
            *at = (char)(bits & 1);
        else if (tsr_dtype_is_float(d) && r % 4 == 0)
            tsr_from_doubles(d, &special[bits % TSR_COUNT(special)], at, 1);
        else if (tsr_dtype_is_float(d) && r % 4 != 1) {
            double v = ((double)(int64_t)bits) * 0x1p-60;
            tsr_from_doubles(d, &v, at, 1);
        } else {
            bits = r % 4 == 0 ? bits % 80 - 8 : bits;
            memcpy(at, &bits, bytes);
        }
    }
    tsr_row_wrap(d, out, n);
}

static bool is_nan_at(tsr_dtype d, const void *p)
{
    double v;
    if (!tsr_dtype_is_float(d))
        return false;
    tsr_to_doubles(d, p, &v, 1);
    return v != v;
}

/* NaNs are equal whatever they carry. */
static bool same(tsr_dtype d, const void *a, const void *b, int64_t n, const char *what)
{
    uint32_t bytes = tsr_dtype_bytes(d);
    for (int64_t i = 0; i < n; i++) {
        const char *x = (const char *)a + (size_t)i * bytes,
                   *y = (const char *)b + (size_t)i * bytes;
        if (memcmp(x, y, bytes) == 0 || (is_nan_at(d, x) && is_nan_at(d, y)))
            continue;
        double v = 0, w = 0;
        tsr_to_doubles(d, x, &v, 1);
        tsr_to_doubles(d, y, &w, 1);
        fprintf(stderr, "%s of %s, class %s: element %lld of %lld is %.17g, not %.17g\n", what,
                tsr_dtype_name(d), tsr_isa_name(), (long long)i, (long long)n, v, w);
        return false;
    }
    return true;
}

static bool eval_row(int opcode, tsr_dtype d, tsr_dtype to, int64_t n, const void *a, const void *b,
                     void *out)
{
    tsr_row r = {
        .opcode = opcode, .d = d, .to = to, .n = n, .in = {a, b}, .step = {1, 1}, .out = out};
    return tsr_row_binary(&r) || tsr_row_bitwise(&r) || tsr_row_unary(&r);
}

/* Lengths that leave every rest of vectors, and one of a tile. */
static int64_t length(int i)
{
    return i <= 70 ? i : MOST;
}

static bool agrees(tsr_tile_op op, int opcode, tsr_dtype d)
{
    static _Alignas(64) uint64_t a[MOST], b[MOST], want[MOST], got[MOST + 1];
    tsr_tile_fn *fn = tsr_tile_find(op, d);
    if (!fn)
        return true;
    for (int i = 0; i <= 71; i++) {
        int64_t n = length(i);
        size_t bytes = (size_t)n * tsr_dtype_bytes(d);
        fill(d, a, n);
        fill(d, b, n);
        if (!eval_row(opcode, d, d, n, a, b, want))
            return false;
        const void *in[2] = {a, b};
        memset(got, 0xA5, sizeof got);
        fn(got, in, (size_t)n);
        if (!same(d, got, want, n, tsr_tile_name(op)) || ((unsigned char *)got)[bytes] != 0xA5)
            return false;
        if (tsr_tile_operands(op) == 2) { /* in place of the second operand */
            memcpy(got, b, bytes);
            const void *second[2] = {a, got};
            fn(got, second, (size_t)n);
            if (!same(d, got, want, n, tsr_tile_name(op)))
                return false;
        }
        fn(a, in, (size_t)n);
        if (!same(d, a, want, n, tsr_tile_name(op)))
            return false;
    }
    return true;
}

static const tsr_dtype types[] = {TSR_D_I1,  TSR_D_I2,  TSR_D_I4,  TSR_D_I8,  TSR_D_I16,
                                  TSR_D_I32, TSR_D_I64, TSR_D_U2,  TSR_D_U4,  TSR_D_U8,
                                  TSR_D_U16, TSR_D_U32, TSR_D_U64, TSR_D_F32, TSR_D_F64};

static void test_exact(unit *u)
{
    int kernels = 0;
    for (size_t i = 0; i < TSR_COUNT(exact); i++)
        for (size_t t = 0; t < TSR_COUNT(types); t++) {
            bool has_bound = exact[i].op == TSR_TILE_power && tsr_dtype_is_float(types[t]);
            if (has_bound || !tsr_tile_find(exact[i].op, types[t]))
                continue;
            kernels++;
            CHECK(u, agrees(exact[i].op, exact[i].opcode, types[t]));
        }
    CHECK(u, kernels > 150);
}

static void test_compare(unit *u)
{
    static _Alignas(64) uint64_t a[MOST], b[MOST];
    uint8_t want[MOST], got[MOST];
    static const struct {
        tsr_tile_op op;
        int direction;
    } ops[] = {{TSR_TILE_compare_eq, TSR_COMPARE_EQ}, {TSR_TILE_compare_ne, TSR_COMPARE_NE},
               {TSR_TILE_compare_lt, TSR_COMPARE_LT}, {TSR_TILE_compare_le, TSR_COMPARE_LE},
               {TSR_TILE_compare_gt, TSR_COMPARE_GT}, {TSR_TILE_compare_ge, TSR_COMPARE_GE}};
    for (size_t i = 0; i < TSR_COUNT(ops); i++)
        for (size_t t = 0; t < TSR_COUNT(types); t++) {
            tsr_tile_fn *fn = tsr_tile_find(ops[i].op, types[t]);
            CHECK(u, fn != NULL);
            bool ok = fn;
            for (int k = 0; ok && k <= 71; k++) {
                int64_t n = length(k);
                fill(types[t], a, n);
                fill(types[t], b, n);
                memcpy(b, a, (size_t)(n / 3) * tsr_dtype_bytes(types[t]));
                tsr_row r = {.d = types[t],
                             .to = TSR_D_I1,
                             .n = n,
                             .in = {a, b},
                             .step = {1, 1},
                             .out = want};
                const void *in[2] = {a, b};
                fn(got, in, (size_t)n);
                ok = tsr_row_compare_as(&r, ops[i].direction) &&
                     same(TSR_D_I1, got, want, n, tsr_tile_name(ops[i].op));
            }
            CHECK(u, ok);
        }
}

/* select, clamp, not, is_finite, square, popcnt, clz: by their definitions. */
static void test_others(unit *u)
{
    static _Alignas(64) uint64_t a[MOST], b[MOST], c[MOST], p[MOST], want[MOST], got[MOST];
    for (size_t t = 0; t < TSR_COUNT(types); t++) {
        tsr_dtype d = types[t];
        bool ok = true;
        for (int k = 0; k <= 71; k++) {
            int64_t n = length(k);
            fill(d, a, n);
            fill(d, b, n);
            fill(d, c, n);
            fill(TSR_D_I1, p, n);
            tsr_row r = {.d = d, .to = d, .n = n, .in = {p, a, b}, .step = {1, 1, 1}, .out = want};
            const void *in[3] = {p, a, b}, *three[3] = {a, b, c};
            tsr_tile_find(TSR_TILE_select, d)(got, in, (size_t)n);
            ok &= tsr_row_select(&r) && same(d, got, want, n, "select");
            tsr_tile_fn *fn = tsr_tile_find(TSR_TILE_clamp, d);
            eval_row(TSR_OP_STABLEHLO_MAXIMUM, d, d, n, b, a, want);
            eval_row(TSR_OP_STABLEHLO_MINIMUM, d, d, n, want, c, want);
            fn(got, three, (size_t)n);
            ok &= same(d, got, want, n, "clamp");
            fn = tsr_tile_find(TSR_TILE_square, d);
            if (fn && eval_row(TSR_OP_STABLEHLO_MULTIPLY, d, d, n, a, a, want)) {
                fn(got, three, (size_t)n);
                ok &= same(d, got, want, n, "square");
            }
        }
        CHECK(u, ok);
    }
}

static void test_bits(unit *u)
{
    static const uint8_t bytes[] = {0, 1, 0x80, 0xFF, 0x41};
    uint8_t got8[5];
    const void *in[1] = {bytes};
    tsr_tile_find(TSR_TILE_popcnt, TSR_D_I8)(got8, in, 5);
    CHECK(u, got8[0] == 0 && got8[1] == 1 && got8[2] == 1 && got8[3] == 8 && got8[4] == 2);
    tsr_tile_find(TSR_TILE_clz, TSR_D_I8)(got8, in, 5);
    CHECK(u, got8[0] == 8 && got8[1] == 7 && got8[2] == 0 && got8[3] == 0 && got8[4] == 1);
    int64_t wide[] = {0, 1, INT64_MIN, -1}, got64[4];
    in[0] = wide;
    tsr_tile_find(TSR_TILE_clz, TSR_D_I64)(got64, in, 4);
    CHECK(u, got64[0] == 64 && got64[1] == 63 && got64[2] == 0 && got64[3] == 0);
    tsr_tile_find(TSR_TILE_not, TSR_D_I64)(got64, in, 4);
    CHECK(u, got64[0] == -1 && got64[1] == -2 && got64[3] == 0);
    static const uint8_t flags[] = {0, 1, 1};
    in[0] = flags;
    tsr_tile_find(TSR_TILE_not, TSR_D_I1)(got8, in, 3);
    CHECK(u, got8[0] == 1 && got8[1] == 0 && got8[2] == 0);
    static const float floats[] = {0, INFINITY, -INFINITY, NAN, 3.4e38f, -1e-45f};
    uint8_t finite[6];
    in[0] = floats;
    tsr_tile_find(TSR_TILE_is_finite, TSR_D_F32)(finite, in, 6);
    CHECK(u, finite[0] && !finite[1] && !finite[2] && !finite[3] && finite[4] && finite[5]);
}

static void test_convert(unit *u)
{
    static _Alignas(64) uint64_t a[2 * MOST], want[2 * MOST], got[2 * MOST];
    int pairs = 0;
    for (int from = 0; from < TSR_D__COUNT; from++)
        for (int to = 0; to < TSR_D__COUNT; to++) {
            tsr_tile_fn *fn = tsr_tile_convert((tsr_dtype)to, (tsr_dtype)from);
            if (!fn)
                continue;
            pairs++;
            bool ok = true;
            for (int k = 0; ok && k <= 71; k++) {
                int64_t n = length(k);
                bool is_complex = tsr_dtype_is_complex((tsr_dtype)from);
                fill(tsr_dtype_part((tsr_dtype)from), a, is_complex ? 2 * n : n);
                tsr_convert((tsr_dtype)to, want, (tsr_dtype)from, a, n);
                const void *in[1] = {a};
                fn(got, in, (size_t)n);
                bool parts = tsr_dtype_is_complex((tsr_dtype)to);
                ok = same(tsr_dtype_part((tsr_dtype)to), got, want, parts ? 2 * n : n, "convert");
            }
            if (!ok)
                fprintf(stderr, "convert from %s to %s\n", tsr_dtype_name((tsr_dtype)from),
                        tsr_dtype_name((tsr_dtype)to));
            CHECK(u, ok);
        }
    CHECK(u, pairs > 200);
}

/* Floats of at most eight bits: every one of them, and f32 of every sign, exponent and beginning, on both sides of what they are rounded at. */
static bool narrow_agrees(tsr_dtype d)
{
    enum { N = 256 };
    static const uint32_t low[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    uint8_t codes[N], got[N], want[N];
    uint32_t wide[N];
    float numbers[N], more[N];
    const void *from_codes[1] = {codes}, *from_wide[1] = {wide};
    for (int i = 0; i < N; i++)
        codes[i] = (uint8_t)(i & ((1 << tsr_dtype_bits(d)) - 1));
    tsr_tile_convert(TSR_D_F32, d)(numbers, from_codes, N);
    tsr_convert(TSR_D_F32, more, d, codes, N);
    if (!same(TSR_D_F32, numbers, more, N, "widened"))
        return false;
    for (uint32_t high = 0; high < 1 << 16; high += N)
        for (size_t k = 0; k < TSR_COUNT(low); k++) {
            for (uint32_t i = 0; i < N; i++)
                wide[i] = (high + i) << 16 | low[k];
            tsr_tile_convert(d, TSR_D_F32)(got, from_wide, N);
            tsr_convert(d, want, TSR_D_F32, wide, N);
            if (memcmp(got, want, N) != 0)
                return false;
        }
    return true;
}

/* Rounding in place is the conversion to the type and back; of f16 also only below its normal numbers. */
static void test_nearest(unit *u)
{
    static _Alignas(64) float a[MOST], want[MOST], got[MOST];
    static uint16_t codes[MOST];
    for (int to = 0; to < TSR_NEAREST__COUNT; to++) {
        tsr_dtype d = to == TSR_NEAREST_BF16 ? TSR_D_BF16 : TSR_D_F16;
        uint32_t step = 0x10001 + 0x20000 * (uint32_t)to, bits = 1;
        bool ok = true;
        for (int k = 0; ok && k < 4096; k++) {
            int64_t n = length(k % 71);
            for (int64_t i = 0; i < n; i++, bits += step)
                memcpy(&a[i], &bits, sizeof bits);
            tsr_convert(d, codes, TSR_D_F32, a, n);
            tsr_convert(TSR_D_F32, want, d, codes, n);
            for (int64_t i = 0; i < n; i++)
                if ((to == TSR_NEAREST_SMALL_F16 && fabsf(a[i]) >= 0x1p-14f) || a[i] != a[i])
                    want[i] = a[i];
            const void *in[1] = {k & 1 ? memcpy(got, a, sizeof a) : a};
            tsr_tile_nearest((tsr_nearest)to)(got, in, (size_t)n);
            for (int64_t i = 0; i < n; i++)
                ok &= want[i] != want[i] ? got[i] != got[i]
                                         : memcmp(&got[i], &want[i], sizeof want[i]) == 0;
        }
        CHECK(u, ok);
    }
}

static void test_narrow(unit *u)
{
    static const tsr_dtype narrow[] = {
        TSR_D_F4E2M1FN, TSR_D_F6E2M3FN,   TSR_D_F6E3M2FN,   TSR_D_F8E3M4,
        TSR_D_F8E4M3,   TSR_D_F8E4M3FN,   TSR_D_F8E4M3FNUZ, TSR_D_F8E4M3B11FNUZ,
        TSR_D_F8E5M2,   TSR_D_F8E5M2FNUZ, TSR_D_F8E8M0FNU,
    };
    for (size_t t = 0; t < TSR_COUNT(narrow); t++)
        CHECK(u, narrow_agrees(narrow[t]));
}

static void test_fill(unit *u)
{
    static _Alignas(64) unsigned char out[16 * 300 + 64], want[16 * 300];
    bool ok = true;
    for (int d = 0; d < TSR_D__COUNT; d++) {
        size_t bytes = tsr_dtype_bytes((tsr_dtype)d);
        unsigned char value[16];
        for (int i = 0; i < 16; i++)
            value[i] = (unsigned char)next_random();
        for (size_t i = 0; i < 300; i++)
            memcpy(want + i * bytes, value, bytes);
        tsr_tile_splat((tsr_dtype)d, out, value, 300);
        ok &= memcmp(out, want, 300 * bytes) == 0;
        for (size_t at = 0; at < 3; at++) { /* streaming stores to any address */
            for (size_t i = 0; i < 300 * bytes; i++)
                want[i] = (unsigned char)next_random();
            memset(out, 0, sizeof out);
            tsr_tile_store((tsr_dtype)d, out + at * bytes, want, 290 + at, true);
            tsr_tile_fence();
            ok &= memcmp(out + at * bytes, want, (290 + at) * bytes) == 0 &&
                  out[(290 + 2 * at) * bytes] == 0;
        }
    }
    CHECK(u, ok);
    float f[600];
    int16_t h[600];
    tsr_tile_iota(TSR_D_F32, f, -3, 2, 600);
    tsr_tile_iota(TSR_D_I16, h, 100, -1, 600);
    CHECK(u, f[0] == -3 && f[599] == 1195 && h[0] == 100 && h[599] == -499);
    uint16_t b[4];
    tsr_tile_iota(TSR_D_BF16, b, 255, 1, 4);
    CHECK(u, b[0] == 0x437F && b[1] == 0x4380 && b[2] == 0x4380 && b[3] == 0x4381);
}

/* ---- Many numbers by one ---- */

/* A number of any mantissa, those near the ends of their range often, and an exponent of less than range. */
static double any_number(tsr_dtype d, int range)
{
    uint64_t r = next_random(), end = next_random() % 4;
    int bits = d == TSR_D_F32 ? 23 : 52;
    uint64_t whole = (uint64_t)1 << bits, mantissa = r % whole;
    if (!end)
        mantissa = r & 64 ? r % 8 : whole - 1 - r % 8;
    double v = ldexp((double)(whole + mantissa),
                     (int)(next_random() % (uint64_t)(2 * range)) - range - bits);
    return r & 128 ? -v : v;
}

/* The bits are those of a division: of whole blocks, and of those with a number that is too small, too large, or none. */
static bool division_agrees(tsr_dtype d)
{
    tsr_tile_fn *by = tsr_tile_find_form(TSR_TILE_divide, d, TSR_TILE_SECOND_ONE);
    double x[MOST], y;
    for (int turn = 0; turn < 400; turn++) {
        int range = d == TSR_D_F32 ? (turn % 8 ? 40 : 42) : (turn % 8 ? 400 : 402);
        _Alignas(8) char a[MOST * 8], b[8], got[MOST * 8], want[MOST * 8];
        y = any_number(d, range);
        for (int i = 0; i < MOST; i++)
            x[i] = any_number(d, range);
        if (turn % 16 == 1)
            x[next_random() % MOST] = turn % 32 == 1 ? -0.0 : NAN;
        tsr_from_doubles(d, x, a, MOST);
        tsr_from_doubles(d, &y, b, 1);
        for (int i = 0; i < MOST; i++)
            if (d == TSR_D_F32)
                ((float *)want)[i] = ((float *)a)[i] / *(float *)b;
            else
                ((double *)want)[i] = ((double *)a)[i] / *(double *)b;
        const void *in[2] = {a, b};
        by(got, in, MOST - turn % 5);
        if (memcmp(got, want, (size_t)(MOST - turn % 5) * tsr_dtype_bytes(d)) != 0)
            return false;
    }
    return true;
}

/* Quotients and remainders that are rounded down, as programs compute them from truncated ones. */
static bool floors_agree(tsr_dtype d, const uint64_t *a, const uint64_t *b)
{
    static _Alignas(64) uint64_t q[MOST], r[MOST], got[MOST];
    static int64_t x[MOST], y[MOST], quotient[MOST], rest[MOST];
    const void *in[2] = {a, b};
    if (d > TSR_D_I64 || !eval_row(TSR_OP_STABLEHLO_DIVIDE, d, d, MOST, a, b, q) ||
        !eval_row(TSR_OP_STABLEHLO_REMAINDER, d, d, MOST, a, b, r))
        return d > TSR_D_I64;
    tsr_convert(TSR_D_I64, x, d, a, MOST);
    tsr_convert(TSR_D_I64, y, d, b, MOST);
    tsr_convert(TSR_D_I64, quotient, d, q, MOST);
    tsr_convert(TSR_D_I64, rest, d, r, MOST);
    for (int i = 0; i < MOST; i++) {
        int sign = (x[i] > 0) - (x[i] < 0), other = (y[i] > 0) - (y[i] < 0);
        quotient[i] -= sign != other && rest[i] != 0;
        rest[i] += rest[i] != 0 && (rest[i] < 0) != (y[i] < 0) ? y[i] : 0;
    }
    tsr_convert(d, q, TSR_D_I64, quotient, MOST);
    tsr_convert(d, r, TSR_D_I64, rest, MOST);
    tsr_tile_find(TSR_TILE_floor_divide, d)(got, in, MOST);
    bool ok = same(d, got, q, MOST, "floor_divide");
    tsr_tile_find(TSR_TILE_floor_remainder, d)(got, in, MOST);
    return ok && same(d, got, r, MOST, "floor_remainder");
}

/* Indices that count from the end if they are negative, as programs compute them. */
static bool indices_agree(tsr_dtype d, const uint64_t *a, const uint64_t *b)
{
    static _Alignas(64) uint64_t want[MOST], got[MOST];
    static int64_t x[MOST], y[MOST];
    const void *in[2] = {a, b};
    if (d != TSR_D_I32 && d != TSR_D_I64)
        return true;
    tsr_convert(TSR_D_I64, x, d, a, MOST);
    tsr_convert(TSR_D_I64, y, d, b, MOST);
    for (int i = 0; i < MOST; i++)
        x[i] = x[i] < 0 ? (int64_t)((uint64_t)x[i] + (uint64_t)y[i]) : x[i];
    tsr_convert(d, want, TSR_D_I64, x, MOST);
    tsr_tile_find(TSR_TILE_from_end, d)(got, in, MOST);
    return same(d, got, want, MOST, "from_end");
}

/* Integers by one divisor for a whole block: multiples of it and their neighbours, and the ends of the range. */
static bool quotients_agree(tsr_dtype d)
{
    static _Alignas(64) uint64_t a[MOST], b[MOST], want[MOST], got[MOST];
    static const int64_t few[] = {0, 1, -1, 2, -2, 3, 7, 10, -13, 127, 255, 641, 32767, 65535};
    uint32_t bits = tsr_dtype_bits(d);
    for (int turn = 0; turn < 300; turn++) {
        int64_t y = turn < (int)TSR_COUNT(few) ? few[turn]
                                               : (int64_t)(next_random() >> next_random() % bits);
        for (int64_t i = 0; i < MOST; i++) {
            uint64_t multiple = (uint64_t)y * (next_random() >> next_random() % 64);
            int64_t near = (int64_t)(multiple + next_random() % 3) - 1;
            int64_t end = (int64_t)(((uint64_t)1 << (bits - 1)) - next_random() % 3);
            int64_t x = i % 4 ? near : i % 8 ? end : (int64_t)next_random();
            tsr_convert(d, (char *)a + i * (int64_t)tsr_dtype_bytes(d), TSR_D_I64, &x, 1);
            tsr_convert(d, (char *)b + i * (int64_t)tsr_dtype_bytes(d), TSR_D_I64, &y, 1);
        }
        const void *in[2] = {a, b};
        for (int which = 0; which < 2; which++) {
            tsr_tile_op op = which ? TSR_TILE_remainder : TSR_TILE_divide;
            int opcode = which ? TSR_OP_STABLEHLO_REMAINDER : TSR_OP_STABLEHLO_DIVIDE;
            tsr_tile_find(op, d)(got, in, MOST);
            if (!eval_row(opcode, d, d, MOST, a, b, want) || !same(d, got, want, MOST, "quotient"))
                return false;
        }
        if (!floors_agree(d, a, b) || !indices_agree(d, a, b))
            return false;
    }
    return true;
}

/* ---- Other forms of the same ops ---- */

enum { FORM_N = 200 };

/* Fills operand i of an op; all of a shift but the first are mostly in its range. */
static void fill_operand(tsr_tile_op op, tsr_dtype d, int i, void *at)
{
    fill(d, at, FORM_N);
    for (int64_t k = 0; strstr(tsr_tile_name(op), "shift") && i && k < FORM_N; k++) {
        int64_t by = (int64_t)(next_random() % (tsr_dtype_bits(d) + 2));
        tsr_convert(d, (char *)at + k * (int64_t)tsr_dtype_bytes(d), TSR_D_I64, &by, 1);
    }
}

/* Some operands one number for all, and those numbers everywhere. */
static bool form_agrees(tsr_tile_op op, tsr_dtype d, uint32_t mask, int *forms)
{
    static _Alignas(64) double x[TSR_TILE_OPERANDS][FORM_N], got[FORM_N], want[FORM_N];
    tsr_tile_fn *one = tsr_tile_find_form(op, d, (tsr_tile_form)mask);
    if (!one)
        return true;
    ++*forms;
    const void *in[TSR_TILE_OPERANDS];
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < tsr_tile_operands(op); i++) {
            fill_operand(op, d, i, x[i]);
            in[i] = x[i];
        }
        one(got, in, FORM_N);
        for (int i = 0; i < tsr_tile_operands(op); i++)
            if (mask >> i & 1)
                tsr_tile_splat(d, x[i], x[i], FORM_N);
        tsr_tile_find(op, d)(want, in, FORM_N);
        if (!same(d, got, want, FORM_N, tsr_tile_name(op)))
            return false;
    }
    return true;
}

/* NaN beside a number is the same NaN: what prints must not depend on the compiler, which may compute with opposites. */
static bool keeps_nan(tsr_dtype d, const void *given, const void *got, int64_t n, const char *what)
{
    uint32_t bytes = tsr_dtype_bytes(d);
    for (int64_t i = 0; i < n; i++) {
        const char *x = (const char *)given + (size_t)i * bytes,
                   *y = (const char *)got + (size_t)i * bytes;
        if (is_nan_at(d, x) && memcmp(x, y, bytes) != 0) {
            fprintf(stderr, "%s of %s, class %s: NaN %lld has other bits\n", what,
                    tsr_dtype_name(d), tsr_isa_name(), (long long)i);
            return false;
        }
    }
    return true;
}

/* The greatest and the least of all pairs of numbers that have rules of their own, the second one number for all. */
static bool limits_agree(tsr_dtype d)
{
    static const double edges[] = {0.0, -0.0, 1, -1, 2.5, -2.5, NAN, -NAN, INFINITY, -INFINITY};
    enum { EDGES = TSR_COUNT(edges) };
    _Alignas(64) char x[EDGES * 8], y[EDGES * 8], got[EDGES * 8], want[EDGES * 8];
    bool ok = true;
    tsr_from_doubles(d, edges, x, EDGES);
    for (size_t i = 0; i < EDGES; i++)
        for (int op = 0; op < 2; op++) {
            tsr_tile_op of = op ? TSR_TILE_minimum : TSR_TILE_maximum;
            const void *in[2] = {x, y};
            tsr_from_doubles(d, &edges[i], y, 1);
            tsr_tile_find_form(of, d, TSR_TILE_SECOND_ONE)(got, in, EDGES);
            ok &= is_nan_at(d, y) || keeps_nan(d, x, got, EDGES, tsr_tile_name(of));
            tsr_tile_splat(d, y, y, EDGES);
            tsr_tile_find(of, d)(want, in, EDGES);
            ok &= same(d, got, want, EDGES, tsr_tile_name(of));
        }
    return ok;
}

/* Two ops at once, and one after the other. */
static bool pair_agrees(tsr_tile_op first, tsr_tile_op second, int place, tsr_dtype d, int *pairs)
{
    static _Alignas(64) double x[TSR_TILE_OPERANDS][FORM_N], between[FORM_N], got[FORM_N],
        want[FORM_N];
    tsr_tile_op both = tsr_tile_pair(first, second, place);
    if (both == TSR_TILE__COUNT || !tsr_tile_find(both, d))
        return true;
    ++*pairs;
    int n = tsr_tile_operands(first), rest = n;
    const void *in[TSR_TILE_OPERANDS], *after[3];
    for (int i = 0; i < tsr_tile_operands(both); i++) {
        fill_operand(both, d, i, x[i]);
        in[i] = x[i];
    }
    for (int i = 0; i < tsr_tile_operands(second); i++)
        after[i] = i == place ? (void *)between : x[rest++];
    tsr_tile_find(both, d)(got, in, FORM_N);
    tsr_tile_find(first, d)(between, in, FORM_N);
    tsr_tile_find(second, d)(want, after, FORM_N);
    return rest == tsr_tile_operands(both) && same(d, got, want, FORM_N, tsr_tile_name(both));
}

static void test_forms(unit *u)
{
    static const tsr_dtype all[] = {TSR_D_F32, TSR_D_F64, TSR_D_I8,  TSR_D_U8,  TSR_D_I16,
                                    TSR_D_U16, TSR_D_I32, TSR_D_U32, TSR_D_I64, TSR_D_U64};
    int pairs = 0, forms = 0;
    for (size_t t = 0; t < 2; t++)
        CHECK(u, limits_agree(all[t]));
    for (size_t t = 0; t < TSR_COUNT(all); t++)
        for (tsr_tile_op op = 0; op < TSR_TILE__COUNT; op++) {
            for (uint32_t mask = 1; mask < TSR_TILE_FORMS; mask++)
                CHECK(u, form_agrees(op, all[t], mask, &forms));
            for (tsr_tile_op next = 0; next < TSR_TILE__COUNT; next++)
                for (int place = 0; place < 3; place++)
                    CHECK(u, pair_agrees(op, next, place, all[t], &pairs));
        }
    CHECK(u, pairs > 70 && forms > 100);
    CHECK(u, tsr_tile_find_form(TSR_TILE_add, TSR_D_F32, TSR_TILE_SECOND_ONE) != NULL);
    CHECK(u, tsr_tile_find_form(TSR_TILE_divide, TSR_D_I64, TSR_TILE_SECOND_ONE) != NULL);
}

/* ---- Folds ---- */

static bool is_negative_zero(tsr_dtype d, const void *at)
{
    double x = 1;
    if (tsr_dtype_is_float(d))
        tsr_convert(TSR_D_F64, &x, d, at, 1);
    return x == 0 && signbit(x);
}

/* The definition: lanes by index, then a tree. */
static bool fold_agrees(tsr_fold_op op, int opcode, tsr_dtype d)
{
    static _Alignas(64) uint64_t in[MOST];
    tsr_fold f;
    if (!tsr_fold_start(&f, op, d))
        return true;
    size_t bytes = tsr_dtype_bytes(d);
    for (int k = 0; k <= 71; k++) {
        int64_t n = length(k);
        fill(d, in, n);
        unsigned char lanes[TSR_FOLD_LANES * 8], got[8], neutral[8];
        tsr_fold_start(&f, op, d);
        tsr_fold_end(&f, neutral);
        memcpy(lanes, f.lanes, sizeof lanes);
        size_t first = n > 64 ? 64 : 0; /* in two calls */
        tsr_fold_add(&f, in, first);
        tsr_fold_add(&f, (char *)in + first * bytes, (size_t)n - first);
        tsr_fold_end(&f, got);
        for (int64_t i = 0; i < n; i++) {
            unsigned char *lane = lanes + (size_t)(i % TSR_FOLD_LANES) * bytes;
            eval_row(opcode, d, d, 1, lane, (char *)in + (size_t)i * bytes, lane);
        }
        for (size_t half = TSR_FOLD_LANES / 2; half; half /= 2)
            eval_row(opcode, d, d, (int64_t)half, lanes, lanes + half * bytes, lanes);
        if (!same(d, got, lanes, 1, "fold"))
            return false;
        unsigned char rows[16];
        tsr_fold_rows(op, d, rows, in, n > 1 ? 2 : 1, (size_t)(n > 1 ? n / 2 : n));
        if (n < 2 && !same(d, rows, lanes, 1, "row"))
            return false;
        for (size_t r = 0; n > 1 && r < 2; r++) {
            tsr_fold_start(&f, op, d);
            tsr_fold_add(&f, (char *)in + r * (size_t)(n / 2) * bytes, (size_t)(n / 2));
            tsr_fold_end(&f, got);
            if (!same(d, rows + r * bytes, got, 1, "rows"))
                return false;
        }
        const void *want = op == TSR_FOLD_SUM && is_negative_zero(d, in) ? (void *)neutral : in;
        memcpy(got, lanes, bytes);
        eval_row(opcode, d, d, 1, neutral, in, got);
        if (n && !same(d, got, want, 1, "neutral element"))
            return false;
    }
    return true;
}

/* Two folds at once are two folds. */
static bool two_folds_agree(tsr_fold_op op, tsr_dtype d)
{
    enum { N = 3 * TSR_FOLD_LANES };
    static _Alignas(64) uint64_t in[2][N];
    tsr_fold f[2], g[2];
    if (!tsr_fold_start(&f[0], op, d))
        return true;
    tsr_fold_start(&f[1], op, d);
    for (int i = 0; i < 2; i++) {
        fill(d, in[i], N);
        g[i] = f[i];
        tsr_fold_add(&g[i], in[i], N);
    }
    tsr_fold_add_two(&f[0], &f[1], in[0], in[1], N);
    return same(d, f[0].lanes, g[0].lanes, TSR_FOLD_LANES, "first of two folds") &&
           same(d, f[1].lanes, g[1].lanes, TSR_FOLD_LANES, "second of two folds");
}

/* Folds of rows, several at once where they are short, are folds of single rows; random numbers are mostly NaN when
 * joined, so that some rows have small ones. */
static bool rows_agree(tsr_fold_op op, tsr_dtype d)
{
    enum { ROWS = 19, LONGEST = 140 };
    static _Alignas(64) uint64_t in[ROWS * LONGEST], other[ROWS * LONGEST], all[ROWS * LONGEST];
    uint64_t got[2 * ROWS], want[2 * ROWS];
    size_t bytes = tsr_dtype_bytes(d);
    tsr_fold f;
    if (!tsr_fold_start(&f, op, d))
        return true;
    bool floats = d == TSR_D_F32 || d == TSR_D_F64, dots = op == TSR_FOLD_SUM && floats;
    for (size_t n = 1; n <= LONGEST; n++) {
        size_t rows =
            n <= 8 ? 2 * ROWS - n : 1 + n % ROWS; /* short ones: more than a vector of them */
        fill(d, in, (int64_t)(rows * n));
        fill(d, other, (int64_t)(rows * n));
        for (size_t i = 0; floats && i < rows * n; i++) {
            double small[2] = {(double)(next_random() % 2001) / 1000 - 1,
                               (double)(next_random() % 3) - 1};
            if (i / n % 3 == 0)
                continue;
            tsr_from_doubles(d, &small[0], (char *)in + i * bytes, 1);
            tsr_from_doubles(d, &small[1], (char *)other + i * bytes, 1);
        }
        tsr_fold_rows(op, d, got, in, rows, n);
        for (size_t r = 0; r < rows; r++) {
            tsr_fold_start(&f, op, d);
            tsr_fold_add(&f, (char *)in + r * n * bytes, n);
            tsr_fold_end(&f, (char *)want + r * bytes);
        }
        if (!same(d, got, want, (int64_t)rows, "rows"))
            return false;
        if (!dots)
            continue;
        const void *both[2] = {in, other};
        tsr_tile_find(TSR_TILE_multiply, d)(all, both, rows * n);
        tsr_fold_rows(op, d, want, all, rows, n);
        tsr_fold_products(d, got, in, other, rows, n);
        if (!same(d, got, want, (int64_t)rows, "sums of products"))
            return false;
    }
    return true;
}

/* A sum of nothing but -0 is 0, as it begins with 0: of rows, of products, in lanes. */
static bool zeros_have_no_sign(tsr_dtype d)
{
    enum { ROWS = 19, LONGEST = 140 };
    static _Alignas(64) uint64_t in[ROWS * LONGEST], other[ROWS * LONGEST];
    uint64_t got[ROWS], zeros[ROWS] = {0}, minus = 0, one = 0;
    tsr_fold f;
    tsr_from_doubles(d, &(double){-0.0}, &minus, 1);
    tsr_from_doubles(d, &(double){1}, &one, 1);
    tsr_tile_splat(d, in, &minus, ROWS * LONGEST);
    tsr_tile_splat(d, other, &one, ROWS * LONGEST);
    for (size_t n = 0; n <= LONGEST; n++) {
        size_t rows = 1 + n % ROWS;
        tsr_fold_rows(TSR_FOLD_SUM, d, got, in, rows, n);
        if (!same(d, got, zeros, (int64_t)rows, "rows of -0"))
            return false;
        tsr_fold_products(d, got, in, other, rows, n);
        if (n && !same(d, got, zeros, (int64_t)rows, "products that are -0"))
            return false;
        tsr_fold_start(&f, TSR_FOLD_SUM, d);
        tsr_fold_add(&f, in, n);
        tsr_fold_end(&f, got);
        if (!same(d, got, zeros, 1, "lanes of -0"))
            return false;
    }
    return true;
}

static void test_folds(unit *u)
{
    static const struct {
        tsr_fold_op op;
        int opcode;
    } ops[] = {
        {TSR_FOLD_SUM, TSR_OP_STABLEHLO_ADD},     {TSR_FOLD_PRODUCT, TSR_OP_STABLEHLO_MULTIPLY},
        {TSR_FOLD_MAX, TSR_OP_STABLEHLO_MAXIMUM}, {TSR_FOLD_MIN, TSR_OP_STABLEHLO_MINIMUM},
        {TSR_FOLD_AND, TSR_OP_STABLEHLO_AND},     {TSR_FOLD_OR, TSR_OP_STABLEHLO_OR},
        {TSR_FOLD_XOR, TSR_OP_STABLEHLO_XOR}};
    tsr_fold f;
    CHECK(u, tsr_fold_start(&f, TSR_FOLD_SUM, TSR_D_F32) &&
                 !tsr_fold_start(&f, TSR_FOLD_AND, TSR_D_F32) &&
                 !tsr_fold_start(&f, TSR_FOLD_SUM, TSR_D_BF16));
    CHECK(u, zeros_have_no_sign(TSR_D_F32) && zeros_have_no_sign(TSR_D_F64));
    for (size_t i = 0; i < TSR_COUNT(ops); i++)
        for (size_t t = 0; t < TSR_COUNT(types); t++)
            CHECK(u, fold_agrees(ops[i].op, ops[i].opcode, types[t]) &&
                         two_folds_agree(ops[i].op, types[t]) && rows_agree(ops[i].op, types[t]));
}

/* Elements of four bytes, several times or one of each row, and sums of few columns; nothing is written after the last
 * one, and what follows the last element that is read is not. */
static bool words_agree(void)
{
    enum { ROWS = 70, LONGEST = 20 };
    const tsr_isa *isa = tsr_isa_now();
    for (int64_t n = 1; n <= LONGEST; n++)
        for (int64_t rows = 0; rows <= ROWS; rows += 1 + rows / 20) {
            int64_t reads = rows ? (rows - 1) * n + 1 : 0;
            uint32_t *from = malloc((size_t)(rows * n + 1) * 4),
                     *few = malloc((size_t)reads * 4 + 4);
            uint32_t to[ROWS * LONGEST + 1];
            float sums[LONGEST], want[LONGEST], *rows_of = malloc((size_t)(rows * n + 1) * 4);
            bool ok = from && few && rows_of, added = false;
            for (int64_t i = 0; ok && i < rows * n; i++) {
                from[i] = (uint32_t)next_random();
                rows_of[i] = (float)(int32_t)next_random() * 0x1p-20f;
            }
            for (int64_t i = 0; ok && i < reads; i++)
                few[i] = from[i];
            to[rows * n] = 77;
            if (ok)
                isa->spread(to, from, rows, n);
            for (int64_t i = 0; ok && i < rows * n; i++)
                ok = to[i] == from[i / n];
            ok = ok && to[rows * n] == 77;
            to[rows] = 78;
            bool takes = ok && isa->take(to, few, rows, n);
            for (int64_t i = 0; takes && i < rows; i++)
                ok &= to[i] == from[i * n];
            ok = ok && to[rows] == 78 && (!takes || (n > 2 && n <= 8));
            for (int64_t k = 0; k < n; k++)
                sums[k] = want[k] = (float)k;
            for (int64_t i = 0; ok && i < rows * n; i++)
                want[i % n] += rows_of[i];
            added = ok && isa->add_columns(sums, rows_of, rows, n);
            ok = ok && (added ? n <= 8 && memcmp(sums, want, (size_t)n * 4) == 0 : n > 8);
            free(from);
            free(few);
            free(rows_of);
            if (!ok)
                return false;
        }
    return true;
}

void test_tile(unit *u)
{
    const char *reason = NULL, *before = tsr_isa_name();
    CHECK(u, !tsr_isa_use("sse17", &reason) && reason && strcmp(before, tsr_isa_name()) == 0);
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, &reason))
            continue;
        CHECK(u, strcmp(tsr_isa_name(), *name) == 0);
        test_exact(u);
        test_compare(u);
        test_others(u);
        test_bits(u);
        test_convert(u);
        test_narrow(u);
        test_nearest(u);
        test_fill(u);
        test_folds(u);
        CHECK(u, words_agree());
        test_forms(u);
        CHECK(u, division_agrees(TSR_D_F32) && division_agrees(TSR_D_F64));
        for (size_t t = 0; t < TSR_COUNT(types); t++)
            CHECK(u, tsr_dtype_bits(types[t]) < 8 || !tsr_dtype_is_int(types[t]) ||
                         quotients_agree(types[t]));
    }
    tsr_isa_use(before, NULL);
}
