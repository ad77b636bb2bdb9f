/* SPDX-License-Identifier: Apache-2.0 */
/* test_float.c - float formats: conversion both ways, and MLIR's text. The expected texts are MLIR's. */
#include <string.h>
#include <stdlib.h>
#include <stdio.h>
#include "base/decimal.h"
#include "eval/tensor.h"
#include "unit.h"

#include <math.h>

static bool prints(tsr_float_kind kind, uint64_t bits, const char *text)
{
    tsr_buf b = {0};
    tsr_buf_float(&b, kind, bits);
    bool same = tsr_str_is(tsr_buf_text(&b), text);
    if (!same)
        fprintf(stderr, "%s 0x%llX: %.*s, not %s\n", tsr_float_formats[kind].name,
                (unsigned long long)bits, TSR_STR_ARG(tsr_buf_text(&b)), text);
    tsr_buf_free(&b);
    return same;
}

static bool prints_value(tsr_float_kind kind, double value, const char *text)
{
    return prints(kind, tsr_float_from_double(kind, value), text);
}

static void test_text(unit *u)
{
    CHECK(u, prints_value(TSR_F32, 0.0, "0.000000e+00") &&
                 prints_value(TSR_F32, -0.0, "-0.000000e+00"));
    CHECK(u, prints_value(TSR_F32, 1.0, "1.000000e+00") &&
                 prints_value(TSR_F32, -2.5, "-2.500000e+00"));
    CHECK(u, prints_value(TSR_F32, 0.1, "1.000000e-01") &&
                 prints_value(TSR_F32, 3.14159265358979, "3.14159274"));
    CHECK(u, prints_value(TSR_F64, 3.14159265358979, "3.14159265358979"));
    CHECK(u, prints_value(TSR_F32, 1e10, "1.000000e+10") &&
                 prints_value(TSR_F32, 1e-45, "1.401300e-45"));
    CHECK(u, prints_value(TSR_F64, 1e300, "1.000000e+300") &&
                 prints_value(TSR_F64, 5e-324, "4.940660e-324"));
    CHECK(u, prints_value(TSR_F32, 16777216.0, "0x4B800000") &&
                 prints_value(TSR_F32, 1234567.0, "0x4996B438"));
    CHECK(u, prints_value(TSR_F32, 0.00012345678, "1.23456775E-4") &&
                 prints_value(TSR_F64, 0.0012345678, "0.0012345678000000001"));
    CHECK(u, prints_value(TSR_F64, 123456.789, "123456.789"));
    CHECK(u,
          prints(TSR_F32, 0x7FC00000, "0x7FC00000") && prints(TSR_F32, 0xFF800000, "0xFF800000"));
    CHECK(u, prints(TSR_BF16, 0x7FC0, "0x7FC0") && prints(TSR_F16, 0xFC00, "0xFC00"));
    CHECK(u, prints_value(TSR_F16, 65504, "6.550400e+04") &&
                 prints_value(TSR_BF16, 3.140625, "3.140630e+00"));
    CHECK(u, prints_value(TSR_F8E4M3FN, 448, "4.480000e+02") &&
                 prints_value(TSR_F4E2M1FN, 6, "6.000000e+00"));
    CHECK(u, prints_value(TSR_F8E8M0FNU, 1, "1.000000e+00") &&
                 prints(TSR_F8E8M0FNU, 0, "5.877470e-39"));
}

static void test_limits(unit *u)
{
    CHECK(u, tsr_float_from_double(TSR_F16, 65519) == 0x7BFF &&
                 tsr_float_from_double(TSR_F16, 65520) == 0x7C00);
    CHECK(u, tsr_float_from_double(TSR_F32, 1e39) == 0x7F800000);
    CHECK(u, tsr_float_from_double(TSR_F8E4M3FN, 464) == 0x7E &&
                 tsr_float_from_double(TSR_F8E4M3FN, 465) == 0x7F);
    CHECK(u, tsr_float_from_double(TSR_F8E4M3FN, -INFINITY) == 0xFF);
    CHECK(u, tsr_float_from_double(TSR_F8E5M2FNUZ, -0.0) == 0 &&
                 tsr_float_from_double(TSR_F8E5M2FNUZ, 1e9) == 0x80);
    CHECK(u, tsr_float_from_double(TSR_F8E4M3FNUZ, -1e-9) == 0);
    CHECK(u, tsr_float_from_double(TSR_F4E2M1FN, 100) == 7 &&
                 tsr_float_from_double(TSR_F4E2M1FN, -100) == 15);
    CHECK(u, tsr_float_from_double(TSR_F6E3M2FN, 1e9) == 0x1F);
    CHECK(u, tsr_float_from_double(TSR_F8E8M0FNU, 1.5) == 128 &&
                 tsr_float_from_double(TSR_F8E8M0FNU, 0) == 0);
    CHECK(u, tsr_float_from_double(TSR_F8E8M0FNU, 1e39) == 0xFF);
    CHECK(u, tsr_float_from_double(TSR_F32, NAN) == 0x7FC00000 ||
                 tsr_float_from_double(TSR_F32, NAN) == 0xFFC00000);
    CHECK(u, isnan(tsr_float_to_double(TSR_F8E4M3FNUZ, 0x80)) &&
                 isinf(tsr_float_to_double(TSR_F8E5M2, 0x7C)));
    CHECK(u, tsr_float_is_finite(TSR_F8E4M3FN, 0x7E) && !tsr_float_is_finite(TSR_F8E4M3FN, 0x7F));
}

/* The fast ways to half floats against the one for any format: around every boundary between two of their numbers. */
static void test_halves(unit *u)
{
    uint32_t wrong = 0;
    for (uint32_t h = 0; h < 0x7C00; h++) {
        const tsr_float_kind kinds[] = {TSR_F16, TSR_BF16};
        for (size_t k = 0; k < 2; k++) {
            double low = tsr_float_to_double(kinds[k], h),
                   high = tsr_float_to_double(kinds[k], h + 1);
            if (isinf(high))
                high = low + (low - tsr_float_to_double(kinds[k], h - 1));
            const double middle = low + (high - low) / 2;
            const double all[] = {low, middle, nextafter(middle, low), nextafter(middle, high),
                                  -middle};
            for (size_t i = 0; i < 5; i++)
                wrong += (k ? tsr_bf16_of(all[i]) : tsr_f16_of(all[i])) !=
                         tsr_float_from_double(kinds[k], all[i]);
        }
    }
    CHECK(u, wrong == 0);
    CHECK(u, tsr_bf16_of(1e39) == 0x7F80 && tsr_bf16_of(-INFINITY) == 0xFF80 &&
                 tsr_f16_of(65520) == 0x7C00);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* n digits, at random or those of a number between two doubles, with a point for us and without one for the C library, whose
 * point depends on the locale. */
static bool reads_alike(uint64_t *state, int n, int exp)
{
    char digits[900], plain[950], pointed[950];
    uint64_t bits = next_random(state);
    double middle;
    memcpy(&middle, &bits, sizeof middle);
    bool between = n > 40 && isfinite(middle) && middle != 0;
    if (between) { /* exactly half way, or one digit beside it */
        snprintf(digits, sizeof digits, "%.0f", ldexp(1, 60) + (double)(bits >> 12) * 256);
        n = (int)strlen(digits);
        exp = (int)(bits % 30) - 40;
    } else {
        for (int i = 0; i < n; i++)
            digits[i] = (char)('0' + next_random(state) % 10);
        digits[n] = 0;
    }
    int point = (int)(next_random(state) % (uint64_t)(n + 1));
    snprintf(plain, sizeof plain, "%se%d", digits, exp);
    snprintf(pointed, sizeof pointed, "%.*s.%se%d", point, digits, digits + point, exp + n - point);
    size_t used;
    double d = tsr_read_double(tsr_cstr(pointed), &used),
           f = tsr_read_single(tsr_cstr(pointed), &used);
    bool ok = used == strlen(pointed) && same_bits(d, strtod(plain, NULL)) &&
              same_bits(f, (double)strtof(plain, NULL));
    if (!ok)
        printf("%s: %a, %a\n", pointed, d, f);
    return ok;
}

static void test_decimals(unit *u)
{
    uint64_t state = 88172645463325252u;
    int wrong = 0;
    for (int i = 0; i < 20000; i++)
        wrong += !reads_alike(&state, 1 + (int)(next_random(&state) % 25),
                              (int)(next_random(&state) % 60) - 40);
    for (int i = 0; i < 1000; i++)
        wrong += !reads_alike(&state, 1 + (int)(next_random(&state) % 850),
                              (int)(next_random(&state) % 800) - 600);
    CHECK(u, wrong == 0);
    /* Half way between two doubles; a digit far behind decides. */
    static const struct {
        const char *text;
        double value;
    } known[] = {{"9007199254740993", 9007199254740992.0},
                 {"9007199254740993.0000000000000000000000000000001", 9007199254740994.0},
                 {"9007199254740995", 9007199254740996.0},
                 {"2.4703282292062327e-324", 0},
                 {"2.4703282292062328e-324", 0x1p-1074},
                 {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
                 {"1.7976931348623158e308", 0x1.fffffffffffffp1023},
                 {"1.7976931348623159e308", INFINITY},
                 {"1e400", INFINITY},
                 {"1e-400", 0},
                 {"-inf", -INFINITY},
                 {"+Infinity", INFINITY},
                 {".5", 0.5},
                 {"5.", 5},
                 {"0", 0},
                 {"0e99999999999", 0},
                 {"00000.00100e3", 1},
                 {"1e-99999999999", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t used;
        CHECK(u, same_bits(tsr_read_double(tsr_cstr(known[i].text), &used), known[i].value) &&
                     used == strlen(known[i].text));
    }
    static const char *const none[] = {"", ".", "-", "e5", "x", "+.e1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        size_t used;
        tsr_read_double(tsr_cstr(none[i]), &used);
        CHECK(u, used == 0);
    }
    size_t used;
    CHECK(u, tsr_read_double(tsr_cstr("1.5e"), &used) == 1.5 && used == 3);
    CHECK(u, tsr_read_double(tsr_cstr("1,5"), &used) == 1 && used == 1);
    CHECK(u, isnan(tsr_read_double(tsr_cstr("nan"), &used)) && used == 3);
    CHECK(u, tsr_read_single(tsr_cstr("3.4028236e38"), &used) == INFINITY &&
                 tsr_read_single(tsr_cstr("1e-46"), &used) == 0);
    CHECK(u, strcmp(tsr_spell('f', 8, 2, 3.14159).text, "    3.14") == 0 &&
                 strcmp(tsr_spell('e', 0, 3, -12345).text, "-1.234e+04") == 0);
    CHECK(u, strcmp(tsr_spell('g', 0, 6, 0.1).text, "0.1") == 0 &&
                 strcmp(tsr_spell('g', 0, 6, INFINITY).text, "inf") == 0);
}

void test_float(unit *u)
{
    test_decimals(u);
    test_text(u);
    test_limits(u);
    test_halves(u);
    /* Every pattern of the small formats comes back from its double. */
    for (int kind = 0; kind < TSR_F32; kind++) {
        int bad = 0;
        for (uint64_t bits = 0; bits < (uint64_t)1 << tsr_float_formats[kind].bits; bits++) {
            if (!tsr_float_is_finite((tsr_float_kind)kind, bits))
                continue;
            double d = tsr_float_to_double((tsr_float_kind)kind, bits);
            bad += tsr_float_from_double((tsr_float_kind)kind, d) != bits;
        }
        CHECK(u, bad == 0);
    }
    for (uint64_t bits = 1; bits < (uint64_t)1 << 63; bits = bits * 3 + 1)
        CHECK(u, tsr_float_from_double(TSR_F64, tsr_float_to_double(TSR_F64, bits)) == bits);
}
