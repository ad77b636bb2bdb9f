/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.c - decimals to binary numbers, exactly.
 *
 * A decimal is digits * 10^exp. Few digits with a small power take one operation on doubles. Up to 19 digits with
 * powers up to 27 take one operation on 128-bit integers; all others use long integers. Both give the first 64 bits and
 * whether anything follows, which are then rounded once. */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>

#include "base/big.h"
#include "base/char.h"

/* ---- Rounding ---- */

typedef struct {
    uint64_t bits; /* the highest bit is set */
    int exp;       /* bits * 2^exp */
    bool more;     /* nonzero bits follow */
} binary;

typedef struct {
    int precision, least; /* bits of a number; the exponent of the smallest one */
    double end;           /* values from here on are infinite; 0: left to ldexp */
} target;

static const target as_double = {53, -1074, 0}, as_single = {24, -149, 0x1p128};

static double rounded(binary b, const target *t)
{
    int exp = b.exp + 64 - t->precision, shift;
    exp = exp < t->least ? t->least : exp;
    shift = exp - b.exp;
    if (shift > 64)
        return 0;
    uint64_t kept = shift == 64 ? 0 : b.bits >> shift, half = (uint64_t)1 << (shift - 1);
    uint64_t rest = b.bits & (half | (half - 1));
    kept += rest > half || (rest == half && (b.more || (kept & 1)));
    double v = ldexp((double)kept, exp);
    return t->end != 0 && v >= t->end ? (double)INFINITY : v;
}

static int leading_zeros(uint64_t v)
{
    int n = 0;
    for (int step = 32; step; step /= 2)
        if (!(v >> (64 - step))) {
            v <<= step;
            n += step;
        }
    return n;
}

/* ---- Up to 19 digits ---- */

enum { SMALL_POWER = 27 }; /* 5^27 has 63 bits */

// clang-format off
static const uint64_t powers_of_five[SMALL_POWER + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u,
    244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u,
    3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
    11920928955078125u, 59604644775390625u, 298023223876953125u, 1490116119384765625u,
    7450580596923828125u};
// clang-format on

static binary product(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), x = (a >> 32) * (b & UINT32_MAX),
             y = (a & UINT32_MAX) * (b >> 32);
    uint64_t middle = (low >> 32) + (x & UINT32_MAX) + (y & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32) + (x >> 32) + (y >> 32) + (middle >> 32);
    low = middle << 32 | (low & UINT32_MAX);
    if (!high) {
        int z = leading_zeros(low);
        return (binary){low << z, -z, false};
    }
    int z = leading_zeros(high);
    uint64_t top = z ? high << z | low >> (64 - z) : high;
    return (binary){top, 64 - z, low << z != 0};
}

static binary quotient(uint64_t a, uint64_t b)
{
    int za = leading_zeros(a), zb = leading_zeros(b), exp = zb - za - 64;
    uint64_t d = b << zb, high = a << za, low = 0, q = 0;
    if (high >= d) {
        low = high << 63;
        high >>= 1;
        exp++;
    }
    for (int half = 0; half < 2; half++) { /* 32 bits at a time; high < d, so the quotient has 64 */
        uint64_t next = half ? low & UINT32_MAX : low >> 32, guess = high / (d >> 32),
                 rest = high % (d >> 32);
        while (rest <= UINT32_MAX &&
               (guess > UINT32_MAX || guess * (d & UINT32_MAX) > (rest << 32 | next))) {
            guess--;
            rest += d >> 32;
        }
        high = (high << 32 | next) - guess * d;
        q = q << 32 | guess;
    }
    return (binary){q, exp, high != 0};
}

/* ---- Any number of digits ---- */

/* a / b. Both change. */
static binary long_quotient(tsr_big *a, tsr_big *b)
{
    int shift = tsr_big_bits(b) + 64 - tsr_big_bits(a); /* the quotient has 64 bits then, or 65 */
    binary q = {0, -shift, false};
    tsr_big_shift(shift > 0 ? a : b, shift > 0 ? shift : -shift);
    tsr_big_shift(b, 64);
    if (tsr_big_compare(a, b) >= 0)
        q.exp++;
    else
        tsr_big_halve(b);
    for (int i = 63; i >= 0; i--, tsr_big_halve(b))
        if (tsr_big_compare(a, b) >= 0) {
            tsr_big_subtract(a, b);
            q.bits |= (uint64_t)1 << i;
        }
    q.more = a->n != 0;
    return q;
}

/* ---- Text ---- */

/* Digits beyond MOST matter only in that they exist: a decimal halfway between two doubles has fewer. */
enum { MOST = 770, ABOVE = 310, BELOW = -345 };

typedef struct {
    tsr_str digits; /* with a point among them, from the first that is not 0 */
    uint64_t first; /* up to 19 of them */
    int n;          /* how many there are, without trailing zeros; more than MOST: MOST + 1 */
    int exp;        /* of the first one: d.ddd * 10^exp */
} decimal;

static binary exactly(const decimal *d)
{
    int n = 0, exp = d->exp - d->n + 1;
    tsr_big a, b;
    tsr_big_set(&a, 0, 0, 0);
    for (size_t i = 0; n < d->n; i++) {
        if (!tsr_is_digit(d->digits.data[i]))
            continue;
        n++;
        tsr_big_mul(&a, 10, n > MOST ? 1u : (uint32_t)(d->digits.data[i] - '0'));
    }
    tsr_big_set(&b, 1, exp < 0 ? -exp : 0, exp < 0 ? -exp : 0);
    for (; exp > 0; exp--)
        tsr_big_mul(&a, 10, 0);
    return long_quotient(&a, &b);
}

static double value_of(const decimal *d, const target *t)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int exp = d->exp - d->n + 1;
    if (!d->n || d->exp < BELOW)
        return 0;
    if (d->exp > ABOVE)
        return INFINITY;
    /* Both are exact in a double, and so one operation rounds once. */
    if (t == &as_double && d->n <= 19 && d->first < (uint64_t)1 << 53 && exp >= -22 && exp <= 22)
        return exp < 0 ? (double)d->first / powers[-exp] : (double)d->first * powers[exp];
    if (d->n > 19 || exp > SMALL_POWER || exp < -SMALL_POWER)
        return rounded(exactly(d), t);
    uint64_t five = powers_of_five[exp < 0 ? -exp : exp];
    binary b = exp < 0 ? quotient(d->first, five) : product(d->first, five);
    b.exp += exp;
    return rounded(b, t);
}

double tsr_decimal_value(uint64_t digits, int exp)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)digits);
    decimal d = {
        .digits = {text, (size_t)n}, .first = digits, .n = digits ? n : 0, .exp = exp + n - 1};
    return value_of(&d, &as_double);
}

/* Adds one digit of the mantissa to d. */
static void take_digit(decimal *d, char c, int *zeros)
{
    if (c == '0' && !d->n)
        return;
    if (c == '0') { /* perhaps the last */
        ++*zeros;
        return;
    }
    for (; *zeros >= 0; --*zeros) {
        unsigned digit = *zeros ? 0 : (unsigned)(c - '0');
        if (d->n < 19)
            d->first = d->first * 10 + digit;
        d->n += d->n <= MOST;
    }
    *zeros = 0;
}

/* digits [. digits]; how much of the text it takes. */
static size_t read_digits(tsr_str s, decimal *d)
{
    size_t at = 0, start = 0;
    int zeros = 0, point = -1, before = 0, first = -1;
    bool some = false;
    for (; at < s.len; at++) {
        char c = s.data[at];
        if (c == '.' && point < 0) {
            point = before;
            continue;
        }
        if (!tsr_is_digit(c))
            break;
        some = true;
        take_digit(d, c, &zeros);
        if (d->n && first < 0) {
            first = before;
            start = at;
        }
        before += before < 1000000000;
    }
    if (!some)
        return 0;
    d->digits = tsr_str_of(s.data + start, at - start);
    d->exp = (point < 0 ? before : point) - first - 1;
    return at;
}

/* The exponent after digits; how much of the text it takes, 0 when it is none. */
static size_t read_exponent(tsr_str s, int *out)
{
    size_t at = 1;
    int e = 0;
    if (s.len < 2 || (s.data[0] != 'e' && s.data[0] != 'E'))
        return 0;
    bool minus = s.data[at] == '-';
    at += minus || s.data[at] == '+';
    if (at >= s.len || !tsr_is_digit(s.data[at]))
        return 0;
    for (; at < s.len && tsr_is_digit(s.data[at]); at++)
        e = e < 10000000 ? e * 10 + (s.data[at] - '0') : e;
    *out = minus ? -e : e;
    return at;
}

static size_t word(tsr_str s, const char *lower)
{
    size_t n = 0;
    for (; lower[n]; n++)
        if (n >= s.len || (s.data[n] | 32) != lower[n])
            return 0;
    return n;
}

static double read_number(tsr_str s, const target *t, size_t *used)
{
    decimal d = {.n = 0};
    double v;
    int exp = 0;
    size_t sign = s.len && (s.data[0] == '-' || s.data[0] == '+');
    bool minus = sign && s.data[0] == '-';
    s = tsr_str_of(s.data + sign, s.len - sign);
    size_t n = word(s, "infinity");
    n = n ? n : word(s, "inf");
    if (n) {
        v = INFINITY;
    } else if ((n = word(s, "nan")) != 0) {
        v = NAN;
    } else {
        n = read_digits(s, &d);
        if (n)
            n += read_exponent(tsr_str_of(s.data + n, s.len - n), &exp);
        d.exp += exp;
        v = value_of(&d, t);
    }
    *used = n ? n + sign : 0;
    return minus ? -v : v;
}

double tsr_read_double(tsr_str text, size_t *used)
{
    return read_number(text, &as_double, used);
}

double tsr_read_single(tsr_str text, size_t *used)
{
    return read_number(text, &as_single, used);
}

bool tsr_str_double(tsr_str text, double *out)
{
    size_t used;
    *out = tsr_read_double(text, &used);
    return used && used == text.len;
}

/* Any byte that no number contains is part of the decimal point, which has several bytes in some locales. */
tsr_spelling tsr_spell(char conversion, int width, int precision, double value)
{
    tsr_spelling s = {""};
    char raw[512];
    size_t n = 0;
    if (conversion == 'e')
        snprintf(raw, sizeof raw, "%*.*e", width, precision, value);
    else if (conversion == 'f')
        snprintf(raw, sizeof raw, "%*.*f", width, precision, value);
    else
        snprintf(raw, sizeof raw, "%*.*g", width, precision, value);
    for (const char *p = raw; *p && n + 1 < sizeof s.text; p++) {
        if (tsr_is_alnum(*p) || *p == ' ' || *p == '+' || *p == '-')
            s.text[n++] = *p;
        else if (!n || s.text[n - 1] != '.')
            s.text[n++] = '.';
    }
    s.text[n] = 0;
    return s;
}
