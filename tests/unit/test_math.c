/* test_math.c - transcendental tile kernels against libm in a wider type: the greatest error in units in the last place, on numbers of every size and on all
 * special ones. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eval/math/scalar.h"
#include "exec/kernel/tile.h"
#include "unit.h"

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* The bounds of docs/KERNELS.md. */
static const struct {
    tsr_tile_op op;
    double (*f)(double);
    double bound;
} functions[] = {
    {TSR_TILE_exponential, exp, 1.5},
    {TSR_TILE_exponential_minus_one, expm1, 2},
    {TSR_TILE_log, log, 1.5},
    {TSR_TILE_log_plus_one, log1p, 2},
    {TSR_TILE_logistic, logistic, 2.5},
    {TSR_TILE_tanh, tanh, 3},
    {TSR_TILE_sine, sin, 1.5},
    {TSR_TILE_cosine, cos, 1.5},
    {TSR_TILE_tan, tan, 4},
    {TSR_TILE_erf, erf, 2},
    {TSR_TILE_erfc, erfc, 6},
    {TSR_TILE_erf_inv, tsr_s_erf_inv, 1},
    {TSR_TILE_cbrt, cbrt, 1.5},
    {TSR_TILE_rsqrt, rsqrt, 1.5},
};

static double ulps(float got, double want)
{
    float near = (float)want;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : HUGE_VAL;
    if (isinf(near) || isinf(got)) {
        if (near == got)
            return 0;
        /* one side of the greatest number */
        return fabs(want) > (double)FLT_MAX * (1 - 0x1p-22) && signbit(near) == signbit(got)
                   ? 0.6
                   : HUGE_VAL;
    }
    if (want == 0)
        return got == 0 && (signbit(got) != 0) == (signbit(want) != 0) ? 0 : HUGE_VAL;
    int e;
    frexp(want, &e);
    return fabs(got - want) / ldexp(1, e - 24 < -149 ? -149 : e - 24);
}

/* Bits at equal distances: numbers of each exponent, both signs, NaNs. */
static double greatest_error(tsr_tile_op op, double (*f)(double), uint32_t step, float *where)
{
    enum { N = 256 };
    float in[N], out[N];
    double most = 0;
    uint64_t next = 0;
    while (next <= UINT32_MAX) {
        size_t n = 0;
        for (; n < N && next <= UINT32_MAX; n++, next += step) {
            uint32_t bits = (uint32_t)next;
            memcpy(&in[n], &bits, sizeof bits);
        }
        tsr_tile_find(op, TSR_D_F32)(out, (const void *[]){in}, n);
        for (size_t i = 0; i < n; i++) {
            double error = ulps(out[i], f(in[i]));
            if (error > most) {
                most = error;
                *where = in[i];
            }
        }
    }
    return most;
}

static const float special[] = {
    0.0f,     -0.0f,    1.0f,        -1.0f,      INFINITY, -INFINITY, NAN,       FLT_MIN,
    -FLT_MIN, 1e-45f,   -1e-45f,     FLT_MAX,    -FLT_MAX, 88.72283f, 88.72284f, -87.33655f,
    -103.97f, -103.98f, 0.99999994f, 1.0000001f, 0x1p24f,  9.1f,      -9.1f,     65536.0f,
    65537.0f, 1e10f,    3.1415927f,  1.5707964f, 10.05f,   10.06f,    10.1f};

static bool is_near(size_t i, uint32_t step)
{
    float where = 0;
    double most = greatest_error(functions[i].op, functions[i].f, step, &where);
    for (size_t k = 0; k < TSR_COUNT(special); k++) {
        float out;
        tsr_tile_find(functions[i].op, TSR_D_F32)(&out, (const void *[]){&special[k]}, 1);
        double error = ulps(out, functions[i].f(special[k]));
        if (error > most) {
            most = error;
            where = special[k];
        }
    }
    if (most > functions[i].bound)
        fprintf(stderr, "%s of %.9g (%a), class %s: error of %.3g units, bound %.3g\n",
                tsr_tile_name(functions[i].op), where, where, tsr_isa_name(), most,
                functions[i].bound);
    return most <= functions[i].bound;
}

/* What an element becomes does not depend on its neighbours. */
static bool is_alone(tsr_tile_op op)
{
    float in[70], out[70], one;
    for (int i = 0; i < 70; i++)
        in[i] = (float)(i * i) * (i == 65 ? 1e20f : 0.37f) - 5;
    tsr_tile_find(op, TSR_D_F32)(out, (const void *[]){in}, 70);
    for (int i = 0; i < 70; i++) {
        tsr_tile_find(op, TSR_D_F32)(&one, (const void *[]){&in[i]}, 1);
        if (memcmp(&one, &out[i], sizeof one) != 0 && one == one)
            return false;
    }
    return true;
}

/* Of two operands. */
static const struct {
    tsr_tile_op op;
    double (*f)(double, double);
    double bound;
} pairs[] = {{TSR_TILE_power, pow, 1.5}, {TSR_TILE_atan2, atan2, 3}};

static uint64_t state = 1;
static uint32_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Any bits, or a number of a size that is common. */
static float random_number(int size)
{
    uint32_t b = random_bits();
    float x;
    if (size)
        b = (b & 0x807FFFFF) | (127 - (uint32_t)size + b / 64 % (2 * (uint32_t)size)) << 23;
    memcpy(&x, &b, sizeof x);
    return x;
}

static bool is_near_pair(size_t i, const float *x, const float *y, size_t n)
{
    enum { N = 256 };
    float out[N];
    bool ok = true;
    tsr_tile_find(pairs[i].op, TSR_D_F32)(out, (const void *[]){x, y}, n);
    for (size_t k = 0; k < n; k++) {
        double error = ulps(out[k], pairs[i].f(x[k], y[k]));
        if (error > pairs[i].bound)
            fprintf(stderr, "%s of %a, %a, class %s: error of %.3g units, bound %.3g\n",
                    tsr_tile_name(pairs[i].op), x[k], y[k], tsr_isa_name(), error, pairs[i].bound);
        ok &= error <= pairs[i].bound;
    }
    return ok;
}

static bool are_near(size_t i)
{
    enum { N = 256 };
    static const int sizes[] = {0, 1, 3, 8};
    float x[N], y[N];
    bool ok = true;
    for (int turn = 0; turn < 200; turn++) {
        for (int k = 0; k < N; k++) {
            x[k] = random_number(sizes[turn % 4]);
            y[k] = random_number(sizes[turn / 4 % 4]);
            x[k] = turn % 3 == 1 ? fabsf(x[k]) : x[k];
            y[k] = turn % 5 == 1 ? rintf(y[k]) : y[k];
        }
        ok &= is_near_pair(i, x, y, N);
    }
    for (size_t k = 0; k < TSR_COUNT(special); k++) {
        for (size_t j = 0; j < TSR_COUNT(special); j++) {
            x[j] = special[k];
            y[j] = special[j] * (j % 2 ? 1 : 3);
        }
        ok &=
            is_near_pair(i, x, y, TSR_COUNT(special)) && is_near_pair(i, y, x, TSR_COUNT(special));
    }
    return ok;
}

void test_math(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        for (size_t i = 0; i < TSR_COUNT(pairs); i++)
            CHECK(u, are_near(i));
        for (size_t i = 0; i < TSR_COUNT(functions); i++) {
            CHECK(u, is_near(i, 60013)); /* about 70,000 numbers */
            CHECK(u, is_alone(functions[i].op));
        }
    }
    tsr_isa_use(before, NULL);
}
