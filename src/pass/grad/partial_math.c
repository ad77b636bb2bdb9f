/* SPDX-License-Identifier: Apache-2.0 */
/* partial_math.c - derivatives of StableHLO's elementwise ops. x and y are operands, z is the result; where a
 * derivative does not exist (ties, kinks) it is that of JAX. */
#include "pass/grad/grad.h"

#define X p->in[0]
#define Y p->in[1]
#define Z p->out
#define RULE(name) \
    tsr_value *partial_##name(tsr_build *b, const tsr_point *p, uint32_t i, tsr_value *t)
#define UNARY(name, value) \
    RULE(name)             \
    {                      \
        (void)i, (void)p;  \
        return value;      \
    }

/* x where it is not 0, else 1. */
static tsr_value *not_zero(tsr_build *b, tsr_value *x)
{
    return f_select(b, f_eqc(b, x, 0), f_const(b, x, 1), x);
}

static tsr_value *zero(tsr_build *b, tsr_value *t)
{
    return f_const(b, t, 0);
}

// clang-format off
UNARY(cbrt, f_div(b, f_mulc(b, t, 1.0 / 3), f_square(b, Z)))
UNARY(cosine, f_neg(b, f_mul(b, t, f_sin(b, X))))
UNARY(sine, f_mul(b, t, f_cos(b, X)))
UNARY(tan, f_mul(b, t, f_addc(b, f_square(b, Z), 1)))
UNARY(tanh, f_mul(b, t, f_rsubc(b, 1, f_square(b, Z))))
UNARY(logistic, f_mul(b, t, f_mul(b, Z, f_rsubc(b, 1, Z))))
UNARY(exp, f_mul(b, t, Z))
UNARY(expm1, f_mul(b, t, f_addc(b, Z, 1)))
UNARY(log, f_div(b, t, X))
UNARY(log1p, f_div(b, t, f_addc(b, X, 1)))
UNARY(negate, f_neg(b, t))
UNARY(sqrt, f_div(b, f_mulc(b, t, 0.5), Z))
UNARY(rsqrt, f_mul(b, t, f_mulc(b, f_div(b, Z, X), -0.5)))
// clang-format on

RULE(add)
{
    (void)b, (void)p, (void)i;
    return t;
}

RULE(subtract)
{
    (void)p;
    return i ? f_neg(b, t) : t;
}

RULE(multiply)
{
    return f_mul(b, t, p->in[1 - i]);
}

RULE(divide)
{
    return i ? f_neg(b, f_mul(b, t, f_div(b, Z, Y))) : f_div(b, t, Y);
}

RULE(remainder)
{
    if (!i)
        return t;
    tsr_value *q = f_div(b, X, Y);
    tsr_value *whole = f_floor(b, f_abs(b, q));
    return f_mul(b, t, f_select(b, f_ltc(b, q, 0), whole, f_neg(b, whole)));
}

/* Equal operands share the derivative. */
static tsr_value *extremal(tsr_build *b, const tsr_point *p, uint32_t i, tsr_value *t)
{
    tsr_value *half = f_mulc(b, t, 0.5);
    tsr_value *mine = f_eq(b, p->in[i], Z);
    return f_select(b, f_eq(b, X, Y), half, f_select(b, mine, t, zero(b, t)));
}

RULE(maximum)
{
    return extremal(b, p, i, t);
}

RULE(minimum)
{
    return extremal(b, p, i, t);
}

RULE(power)
{
    if (i)
        return f_mul(b, t, f_mul(b, f_log(b, not_zero(b, X)), Z));
    tsr_value *d = f_mul(b, Y, f_pow(b, X, f_subc(b, Y, 1)));
    return f_mul(b, t, f_selectc(b, f_eqc(b, Y, 0), 0, d));
}

RULE(atan2)
{
    tsr_value *norm = f_add(b, f_square(b, X), f_square(b, Y));
    return i ? f_neg(b, f_mul(b, t, f_div(b, X, norm))) : f_mul(b, t, f_div(b, Y, norm));
}

RULE(select)
{
    if (!i)
        return NULL;
    return i == 1 ? f_select(b, p->in[0], t, zero(b, t)) : f_select(b, p->in[0], zero(b, t), t);
}

RULE(clamp)
{
    tsr_value *low = p->in[0], *x = p->in[1], *high = p->in[2];
    tsr_value *mine = i == 0   ? f_gt(b, low, x)
                      : i == 1 ? f_and(b, f_gt(b, x, low), f_lt(b, x, high))
                               : f_lt(b, high, x);
    return f_select(b, mine, t, zero(b, t));
}
