/* SPDX-License-Identifier: Apache-2.0 */
/* test_math.c - transcendental tile kernels of f32 and f64 against libm in long double: the greatest error in units in the last place, on numbers of every
 * size, on many of common sizes and on all special ones. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eval/math/scalar.h"
#include "exec/kernel/tile.h"
#include "unit.h"

enum { N = 256, MOST = 1 << 17 };

/* Numbers of one test, and what is wanted of them: classes of machines change seldom, since finding out whether there is one takes long. */
static double xs[MOST], ys[MOST];
static long double wanted[MOST];
static size_t count;

static long double logistic(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double rsqrt(long double x)
{
    return 1 / sqrtl(x);
}

static long double erf_inv(long double x)
{
    return tsr_m_erf_inv((double)x);
}

/* musl's acoshl gives numbers below -2, and its powl loses the sign of what is too large or too small. */
static long double acosh_of(long double x)
{
    return x < 1 ? NAN : acoshl(x);
}

static long double power_of(long double x, long double y)
{
    long double z = powl(x, y);
    return x < 0 && isfinite(y) && fabsl(fmodl(y, 2)) == 1 ? -fabsl(z) : z;
}

static long double digamma(long double x)
{
    return tsr_m_digamma((double)x);
}

/* The types. Numbers of both are kept as f64. */
static const struct {
    tsr_dtype type;
    int digits, least; /* bits; the exponent of the least number */
    long double most;
} kinds[] = {{TSR_D_F32, 24, -149, FLT_MAX}, {TSR_D_F64, 53, -1074, DBL_MAX}};

/* The bounds of docs/KERNELS.md, by type. */
static const struct {
    tsr_tile_op op;
    long double (*f)(long double);
    double bound[2];
} functions[] = {
    {TSR_TILE_exponential, expl, {1.5, 1}},  {TSR_TILE_exponential_minus_one, expm1l, {2, 1.5}},
    {TSR_TILE_log, logl, {1.5, 1}},          {TSR_TILE_log_plus_one, log1pl, {2, 1.5}},
    {TSR_TILE_logistic, logistic, {2.5, 2}}, {TSR_TILE_tanh, tanhl, {3, 2.5}},
    {TSR_TILE_sine, sinl, {2, 1}},           {TSR_TILE_cosine, cosl, {2, 1}},
    {TSR_TILE_tan, tanl, {4, 2.5}},          {TSR_TILE_erf, erfl, {2, 1.5}},
    {TSR_TILE_erfc, erfcl, {6, 5}},          {TSR_TILE_erf_inv, erf_inv, {2, 1}},
    {TSR_TILE_cbrt, cbrtl, {1.5, 1}},        {TSR_TILE_rsqrt, rsqrt, {1.5, 1.5}},
    {TSR_TILE_sinh, sinhl, {1, 3}},          {TSR_TILE_cosh, coshl, {1, 2}},
    {TSR_TILE_asinh, asinhl, {1, 2.5}},      {TSR_TILE_acosh, acosh_of, {1, 2.5}},
    {TSR_TILE_atanh, atanhl, {1, 2.5}},      {TSR_TILE_asin, asinl, {1, 3}},
    {TSR_TILE_acos, acosl, {1, 3.5}},        {TSR_TILE_atan, atanl, {1, 2.5}},
    {TSR_TILE_lgamma, lgammal, {1.5, 1}},    {TSR_TILE_digamma, digamma, {1.5, 1}},
};

/* Of two operands. */
static const struct {
    tsr_tile_op op;
    long double (*f)(long double, long double);
    double bound[2];
} pairs[] = {{TSR_TILE_power, power_of, {1.5, 1.5}}, {TSR_TILE_atan2, atan2l, {3, 3}}};

static double rounded(int kind, long double x)
{
    volatile float f = (float)x; /* else gcc 12 forgets to round in loops that become vectors */
    return kind ? (double)x : (double)f;
}

static double ulps(int kind, double got, long double want)
{
    double near = rounded(kind, want);
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : HUGE_VAL;
    if (isinf(near) || isinf(got)) {
        if (near == got)
            return 0;
        /* one side of the greatest number */
        return fabsl(want) > kinds[kind].most * (1 - ldexpl(1, 2 - kinds[kind].digits)) &&
                       signbit(near) == signbit(got)
                   ? 0.6
                   : HUGE_VAL;
    }
    if (want == 0)
        return got == 0 && (signbit(got) != 0) == (signbit(want) != 0) ? 0 : HUGE_VAL;
    int e;
    frexpl(want, &e);
    e -= kinds[kind].digits;
    return (double)(fabsl(got - want) / ldexpl(1, e < kinds[kind].least ? kinds[kind].least : e));
}

/* The kernel of the class that is in use; y is not read where there is one operand. */
static void run(int kind, tsr_tile_op op, double *out, const double *x, const double *y, size_t n)
{
    float of[N], xf[N], yf[N];
    tsr_tile_fn *fn = tsr_tile_find(op, kinds[kind].type);
    if (kind) {
        fn(out, (const void *[]){x, y}, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        xf[i] = (float)x[i];
        yf[i] = (float)y[i];
    }
    fn(of, (const void *[]){xf, yf}, n);
    for (size_t i = 0; i < n; i++)
        out[i] = of[i];
}

/* In all classes that the machine has. */
static bool is_near(int kind, tsr_tile_op op, double bound)
{
    double out[N], most = 0;
    size_t at = 0;
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        for (size_t i = 0; i < count; i++) {
            if (i % N == 0)
                run(kind, op, out, xs + i, ys + i, count - i < N ? count - i : N);
            double error = ulps(kind, out[i % N], wanted[i]);
            at = error > most ? i : at;
            most = error > most ? error : most;
        }
        if (most > bound) {
            fprintf(stderr,
                    "%s of %.17g (%a), %a, of %s, class %s: error of %.3g units, bound %.3g\n",
                    tsr_tile_name(op), xs[at], xs[at], ys[at], kind ? "f64" : "f32", *name, most,
                    bound);
            return false;
        }
    }
    return true;
}

/* Signaling NaNs become quiet ones, as most conversions to what is wider make them: of 0 as a power, libm tells them
 * apart. */
static double quiet(double x)
{
    return x != x ? copysign(NAN, x) : x;
}

static void add(int kind, double x, double y)
{
    xs[count] = quiet(rounded(kind, x));
    ys[count++] = quiet(rounded(kind, y));
}

static uint64_t state = 1;
static uint64_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 32) * 0x9E3779B97F4A7C15u;
}

static double number_of(int kind, uint64_t bits)
{
    uint32_t b = (uint32_t)(bits >> 32);
    double x;
    float f;
    memcpy(&x, &bits, sizeof x);
    memcpy(&f, &b, sizeof f);
    return kind ? x : f;
}

static const double special[] = {
    0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, FLT_MIN, -FLT_MIN, 1e-45f, -1e-45f, FLT_MAX,
    -FLT_MAX, 88.72283f, 88.72284f, -87.33655f, -103.97f, -103.98f, 0.99999994f, 1.0000001f, 0x1p24,
    9.1f, -9.1f, 65536.0, 65537.0, 1e10, 3.1415927f, 1.5707964f, 10.05f, 10.06f, 10.1f,
    /* of f64; of f32 what they are there */
    DBL_MIN, -DBL_MIN, 5e-324, -5e-324, DBL_MAX, -DBL_MAX, 709.782712893384, 709.7827128933841,
    -745.1332191019411, -745.1332191019412, -745.14, -708.4, 710.4758600739439, 710.475860073944,
    0x1p40, 0x1.0000001p40, 0x1p53, -0x1p53, 0x1.fffffffffffffp52, 0.5, 1.5707963267948966,
    3.141592653589793, 26.5, 27.226, 27.25, 27.3, 28, 1 - 0x1p-53, 1 + 0x1p-52, -1 + 0x1p-53, 19.06,
    19.1, -20, 37, 0x1p60, 0x1p61, 0x1p-60, 0x1p-1040, 0x1p600,
    /* multiples of pi / 2 with a rest of 2^-58 or less: where a reduction with too few digits fails */
    0x1.6c6cbc45dc8dep+5, 0x1.6c6cbc45dc8dep+6, 0x1.b951f1572eba5p+23, 0x1.b951f1572eba5p+24};

/* Bits at equal distances: numbers of each exponent, both signs, NaNs. Then many of sizes at which functions change their ways, and special ones. */
static bool is_function_near(int kind, size_t f)
{
    static const double sizes[] = {0.4, 1, 2.5, 10, 30, 750};
    const uint64_t step = 120011 * (uint64_t)0x100000461;
    count = 0;
    for (uint64_t bits = 0; bits <= UINT64_MAX - step; bits += step)
        add(kind, number_of(kind, bits), 0);
    for (int i = 0; i < 30000; i++)
        add(kind, sizes[i % 6] * ((double)(int64_t)random_bits() * 0x1p-63), 0);
    for (size_t i = 0; i < TSR_COUNT(special); i++)
        add(kind, special[i], 0);
    for (size_t i = 0; i < count; i++)
        wanted[i] = functions[f].f(xs[i]);
    return is_near(kind, functions[f].op, functions[f].bound[kind]);
}

/* What an element becomes does not depend on its neighbours. */
static bool is_alone(int kind, tsr_tile_op op)
{
    double in[70], out[70], one;
    for (int i = 0; i < 70; i++)
        in[i] = rounded(kind, (float)(i * i) * (i == 65 ? 1e20f : 0.37f) - 5);
    run(kind, op, out, in, in, 70);
    for (int i = 0; i < 70; i++) {
        run(kind, op, &one, &in[i], &in[i], 1);
        if (memcmp(&one, &out[i], sizeof one) != 0 && one == one)
            return false;
    }
    return true;
}

/* Any bits, or a number of a size that is common. */
static double random_number(int kind, uint64_t size)
{
    uint64_t b = random_bits();
    if (!size)
        return number_of(kind, b);
    b = (b & 0x800FFFFFFFFFFFFF) | (1023 - size + b / 64 % (2 * size)) << 52;
    return rounded(kind, number_of(1, b));
}

static bool is_pair_near(int kind, size_t f)
{
    static const uint64_t sizes[] = {0, 1, 3, 8};
    count = 0;
    for (int i = 0; i < 50000; i++) {
        double x = random_number(kind, sizes[i % 4]), y = random_number(kind, sizes[i / 4 % 4]);
        add(kind, i % 3 == 1 ? fabs(x) : x, i % 5 == 1 ? rint(y) : y);
    }
    for (size_t k = 0; k < TSR_COUNT(special); k++)
        for (size_t j = 0; j < TSR_COUNT(special); j++) {
            add(kind, special[k], special[j] * (j % 2 ? 1 : 3));
            add(kind, special[j] * (j % 2 ? 1 : 3), special[k]);
        }
    for (size_t i = 0; i < count; i++)
        wanted[i] = pairs[f].f(xs[i], ys[i]);
    return is_near(kind, pairs[f].op, pairs[f].bound[kind]);
}

void test_math(unit *u)
{
    const char *before = tsr_isa_name();
    int nkinds = LDBL_MANT_DIG > 53 ? 2 : 1; /* else nothing is wider than f64 */
    for (int kind = 0; kind < nkinds; kind++) {
        for (size_t i = 0; i < TSR_COUNT(pairs); i++)
            CHECK(u, is_pair_near(kind, i));
        for (size_t i = 0; i < TSR_COUNT(functions); i++)
            CHECK(u, is_function_near(kind, i));
    }
    for (const char *const *name = tsr_isa_names(); *name; name++)
        for (size_t i = 0, has = tsr_isa_use(*name, NULL); has && i < TSR_COUNT(functions); i++)
            CHECK(u, is_alone(0, functions[i].op) && is_alone(1, functions[i].op));
    tsr_isa_use(before, NULL);
}
