/* SPDX-License-Identifier: Apache-2.0 */
/* float.c - conversions between formats, and the decimal text of a value.
 *
 * The text must match MLIR's byte for byte, which comes from LLVM's APFloat: the value is written out in decimal
 * exactly, surplus low digits are cut off in powers of ten that are estimated from the number of bits, and the rest is
 * rounded half up. The estimate affects the result, so it is repeated here with the same integer ratio (59/196 digits
 * per bit). */
#include "base/float.h"

#include "base/big.h"
#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>

const tsr_float_format tsr_float_formats[] = {
#define FLOAT(id, name, bits, ebits, mbits, bias, specials) \
    {name, bits, ebits, mbits, bias, TSR_FLOAT_##specials},
#include "base/float.def"
};

/* Formats of more than 64 bits are kept as doubles. */
static const tsr_float_format *format_of(tsr_float_kind kind)
{
    return &tsr_float_formats[kind > TSR_F64 ? TSR_F64 : kind];
}

static uint64_t ones(unsigned n)
{
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

/* ---- Fields ---- */

typedef enum { ZERO, FINITE, INFINITE, NAN_ } value_class;

typedef struct {
    value_class cls;
    bool negative;
    uint64_t sig; /* FINITE: value = sig * 2^exp */
    int exp;
} fields;

static fields take_apart(const tsr_float_format *f, uint64_t bits)
{
    fields v = {.cls = FINITE};
    uint64_t field = bits & ones(f->ebits + f->mbits), sig = bits & ones(f->mbits),
             top = ones(f->ebits);
    uint64_t e = (field >> f->mbits) & top;
    v.negative = f->specials != TSR_FLOAT_E8M0 && (bits >> (f->ebits + f->mbits) & 1);
    switch (f->specials) {
    case TSR_FLOAT_IEEE:
        if (e == top)
            v.cls = sig ? NAN_ : INFINITE;
        break;
    case TSR_FLOAT_FN:
        if (field == ones(f->ebits + f->mbits))
            v.cls = NAN_;
        break;
    case TSR_FLOAT_FNUZ:
        if (field == 0 && v.negative)
            v.cls = NAN_;
        break;
    case TSR_FLOAT_NONE: break;
    case TSR_FLOAT_E8M0:
        if (e == top)
            v.cls = NAN_;
        v.sig = 1;
        v.exp = (int)e - f->bias;
        return v;
    }
    if (v.cls != FINITE)
        return v;
    if (field == 0)
        v.cls = ZERO;
    v.sig = e ? sig | (uint64_t)1 << f->mbits : sig;
    v.exp = (int)(e ? e : 1) - f->bias - f->mbits;
    return v;
}

bool tsr_float_is_finite(tsr_float_kind kind, uint64_t bits)
{
    value_class cls = take_apart(format_of(kind), bits).cls;
    return cls == ZERO || cls == FINITE;
}

static double as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* sig * 2^exp for values that a double can hold; ldexp without libm. */
static double scale(uint64_t sig, int exp)
{
    double d = (double)sig;
    for (; exp > 1000; exp -= 1000)
        d *= 0x1p1000;
    for (; exp < -1000; exp += 1000)
        d *= 0x1p-1000;
    return d * as_double((uint64_t)(exp + 1023) << 52);
}

double tsr_float_to_double(tsr_float_kind kind, uint64_t bits)
{
    if (kind >= TSR_F64)
        return as_double(bits);
    fields v = take_apart(format_of(kind), bits);
    double d = v.cls == ZERO       ? 0.0
               : v.cls == INFINITE ? as_double((uint64_t)0x7FF << 52)
               : v.cls == NAN_     ? as_double((uint64_t)0xFFF << 51)
                                   : scale(v.sig, v.exp);
    return v.negative ? -d : d;
}

/* ---- Rounding ---- */

static uint64_t largest(const tsr_float_format *f)
{
    switch (f->specials) {
    case TSR_FLOAT_IEEE: return (ones(f->ebits) << f->mbits) - 1;
    case TSR_FLOAT_FN:
    case TSR_FLOAT_E8M0: return ones(f->ebits + f->mbits) - 1;
    default: return ones(f->ebits + f->mbits);
    }
}

/* The pattern for a NaN, or for a number beyond the largest. */
static uint64_t special(const tsr_float_format *f, bool nan, uint64_t sign)
{
    switch (f->specials) {
    case TSR_FLOAT_IEEE:
        return sign | ones(f->ebits) << f->mbits | (nan ? (uint64_t)1 << (f->mbits - 1) : 0);
    case TSR_FLOAT_FN: return sign | ones(f->ebits + f->mbits);
    case TSR_FLOAT_FNUZ: return (uint64_t)1 << (f->ebits + f->mbits);
    case TSR_FLOAT_E8M0: return ones(f->ebits);
    case TSR_FLOAT_NONE: break;
    }
    return sign | largest(f);
}

static unsigned bit_length(uint64_t v)
{
    unsigned n = 0;
    for (unsigned step = 32; step; step /= 2)
        if (v >> step) {
            v >>= step;
            n += step;
        }
    return v ? n + 1 : 0;
}

/* v / 2^shift to nearest, ties to even. */
static uint64_t shift_round(uint64_t v, int shift)
{
    if (shift <= 0)
        return v << -shift;
    if (shift > 63)
        return 0;
    uint64_t out = v >> shift, rest = v & ones((unsigned)shift), half = (uint64_t)1 << (shift - 1);
    return out + (rest > half || (rest == half && (out & 1)));
}

uint64_t tsr_float_from_double(tsr_float_kind kind, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (kind >= TSR_F64)
        return bits;
    const tsr_float_format *f = format_of(kind);
    fields v = take_apart(&tsr_float_formats[TSR_F64], bits);
    uint64_t sign =
        v.negative && f->specials != TSR_FLOAT_E8M0 ? (uint64_t)1 << (f->ebits + f->mbits) : 0;
    if (v.cls == NAN_ || v.cls == INFINITE)
        return special(f, v.cls == NAN_, sign);
    if (v.cls == ZERO)
        return f->specials == TSR_FLOAT_FNUZ ? 0 : sign;
    int top = v.exp + (int)bit_length(v.sig) - 1; /* the value is in [2^top, 2^(top+1)) */
    /* The exponent field 0 represents small numbers, except in formats that have only an exponent. */
    int least = f->specials == TSR_FLOAT_E8M0 ? -f->bias : 1 - f->bias;
    if (f->specials == TSR_FLOAT_E8M0 && top < least)
        return 0;
    int unit = (top > least ? top : least) - f->mbits;
    uint64_t field = shift_round(v.sig, unit - v.exp);
    /* The leading bit of field adds one to the exponent, as does a carry out of rounding. */
    if (top >= least)
        field += (uint64_t)(top - least) << f->mbits;
    if (f->specials == TSR_FLOAT_E8M0)
        field -= 1;
    if (field > largest(f))
        return special(f, false, sign);
    if (field == 0 && f->specials == TSR_FLOAT_FNUZ)
        return 0;
    return sign | field;
}

/* ---- Exact decimals ---- */

/* How many low digits to drop when a number of so many bits is cut to about this many digits. */
static int surplus_digits(unsigned bits, int digits)
{
    unsigned need = ((unsigned)digits * 196 + 58) / 59;
    return bits <= need ? 0 : (int)((bits - need) * 59 / 196);
}

// clang-format off
static const uint64_t powers_of_ten[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u, 100000000000u,
    1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u, 100000000000000000u,
    1000000000000000000u, 10000000000000000000u};
// clang-format on

typedef struct {
    uint64_t digits; /* without trailing zeros */
    int n;           /* how many digits */
    int exp;         /* value = digits * 10^exp */
    bool exact;      /* nothing was cut off or rounded */
} decimal;

/* sig * 2^exp (sig odd) in decimal, its lowest digits cut off: about 61 bits remain at most. */
static uint64_t cut(uint64_t sig, int exp, int digits, int *exp10, bool *exact)
{
    int five = exp < 0 ? -exp : 0, two = exp > 0 ? exp : 0;
    unsigned bits = bit_length(sig);
    *exp10 = -five;
    if (bits + (unsigned)two <= 64 && five <= 27 && bits + ((unsigned)five * 7 + 2) / 3 <= 64) {
        uint64_t v = sig << two;
        for (int i = 0; i < five; i++)
            v *= 5;
        int t = surplus_digits(bit_length(v), digits);
        *exp10 += t;
        *exact = t == 0;
        return v / powers_of_ten[t];
    }
    tsr_big b;
    tsr_big_set(&b, sig, five, two);
    int t = surplus_digits((unsigned)(b.n - 1) * 32 + bit_length(b.limb[b.n - 1]), digits);
    *exp10 += t;
    *exact = t == 0;
    for (; t >= 9; t -= 9)
        tsr_big_div(&b, 1000000000);
    if (t)
        tsr_big_div(&b, (uint32_t)powers_of_ten[t]);
    return (b.n > 1 ? (uint64_t)b.limb[1] << 32 : 0) | b.limb[0];
}

static decimal to_decimal(uint64_t sig, int exp, int digits)
{
    decimal d = {0};
    unsigned zeros = bit_length(sig & (0 - sig)) - 1;
    d.digits = cut(sig >> zeros, exp + (int)zeros, digits, &d.exp, &d.exact);
    while (d.n < (int)TSR_COUNT(powers_of_ten) && d.digits >= powers_of_ten[d.n])
        d.n++;
    if (d.n > digits) {
        uint64_t low = powers_of_ten[d.n - digits];
        uint64_t next = d.digits / (low / 10) % 10;
        d.exact = d.exact && d.digits % low == 0;
        d.digits = d.digits / low + (next >= 5);
        d.exp += d.n - digits;
        d.n = digits;
        if (d.digits == powers_of_ten[digits])
            d.n++;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exp++;
        d.n--;
    }
    return d;
}

/* ---- Text ---- */

static bool reads_back(decimal d, tsr_float_kind kind, bool negative, uint64_t bits)
{
    double value = tsr_decimal_value(d.digits, d.exp);
    return tsr_float_from_double(kind, negative ? -value : value) == bits;
}

static int spell(const decimal *d, char *out)
{
    uint64_t v = d->digits;
    for (int i = d->n; i-- > 0; v /= 10)
        out[i] = (char)('0' + v % 10);
    return d->n;
}

/* Writes the exponent after mark and returns its end. */
static char *put_exponent(char *out, char mark, int exp, bool two_digits)
{
    unsigned e = exp < 0 ? (unsigned)-exp : (unsigned)exp;
    *out++ = mark;
    *out++ = exp < 0 ? '-' : '+';
    if (e >= 100)
        *out++ = (char)('0' + e / 100);
    if (two_digits || e >= 10)
        *out++ = (char)('0' + e / 10 % 10);
    *out++ = (char)('0' + e % 10);
    return out;
}

/* d.dddddde+xx, with the given number of digits after the point. */
static void put_exponential(tsr_buf *b, const decimal *d, size_t after, bool negative)
{
    char digits[24] = "00000000000000000000000", text[40], *out = text;
    int n = spell(d, digits);
    if (n < (int)sizeof digits)
        digits[n] = '0';
    if (negative)
        *out++ = '-';
    *out++ = digits[0];
    *out++ = '.';
    memcpy(out, digits + 1, after);
    out = put_exponent(out + after, 'e', d->exp + n - 1, true);
    tsr_buf_str(b, tsr_str_of(text, (size_t)(out - text)));
}

/* The round-trip form; false when it would have no point. */
static bool put_long(tsr_buf *b, const decimal *d, int max_digits, bool negative)
{
    enum { PADDING = 3 };
    char digits[24];
    int n = spell(d, digits), top = d->exp + n - 1;
    bool scientific =
        d->exp >= 0 ? d->exp > PADDING || n + d->exp > max_digits : top < 0 && -top > PADDING;
    if (!scientific && d->exp >= 0)
        return false;
    if (negative)
        tsr_buf_char(b, '-');
    if (scientific) {
        tsr_buf_char(b, digits[0]);
        tsr_buf_char(b, '.');
        tsr_buf_str(b, n == 1 ? TSR_STR("0") : tsr_str_of(digits + 1, (size_t)n - 1));
        char exponent[8];
        tsr_buf_str(
            b, tsr_str_of(exponent, (size_t)(put_exponent(exponent, 'E', top, false) - exponent)));
        return true;
    }
    int whole = top + 1;
    if (whole > 0) {
        tsr_buf_str(b, tsr_str_of(digits, (size_t)whole));
        tsr_buf_char(b, '.');
        tsr_buf_str(b, tsr_str_of(digits + whole, (size_t)(n - whole)));
        return true;
    }
    tsr_buf_cstr(b, "0.");
    for (int i = whole; i < 0; i++)
        tsr_buf_char(b, '0');
    tsr_buf_str(b, tsr_str_of(digits, (size_t)n));
    return true;
}

enum { SHORT_DIGITS = 6 };

/* How many digits distinguish every number of the kind. */
static int all_digits(const tsr_float_format *f)
{
    return 2 + (f->mbits + 1) * 59 / 196;
}

bool tsr_float_is_short(tsr_float_kind kind, uint64_t bits)
{
    fields v = take_apart(format_of(kind), bits);
    if (v.cls != FINITE)
        return true;
    decimal d = to_decimal(v.sig, v.exp, SHORT_DIGITS);
    return d.exact || reads_back(d, kind, v.negative, bits);
}

void tsr_buf_float_long(tsr_buf *b, tsr_float_kind kind, uint64_t bits)
{
    const tsr_float_format *f = format_of(kind);
    fields v = take_apart(f, bits);
    decimal d = {.n = 1}; /* zero */
    if (v.cls == FINITE)
        d = to_decimal(v.sig, v.exp, all_digits(f));
    if (v.cls == FINITE || v.cls == ZERO)
        put_exponential(b, &d, (size_t)all_digits(f) - 1, v.negative);
    else
        tsr_buf_float(b, kind, bits);
}

void tsr_buf_float(tsr_buf *b, tsr_float_kind kind, uint64_t bits)
{
    const tsr_float_format *f = format_of(kind);
    fields v = take_apart(f, bits);
    if (v.cls == ZERO) {
        tsr_buf_cstr(b, v.negative ? "-0.000000e+00" : "0.000000e+00");
        return;
    }
    if (v.cls == FINITE) {
        decimal d = to_decimal(v.sig, v.exp, SHORT_DIGITS);
        if (d.exact || reads_back(d, kind, v.negative, bits)) {
            put_exponential(b, &d, SHORT_DIGITS, v.negative);
            return;
        }
        int digits = all_digits(f);
        d = to_decimal(v.sig, v.exp, digits);
        if (put_long(b, &d, digits, v.negative))
            return;
    }
    tsr_buf_printf(b, "0x%llX", (unsigned long long)bits);
}
