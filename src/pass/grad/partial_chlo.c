/* SPDX-License-Identifier: Apache-2.0 */
/* partial_chlo.c - derivatives of CHLO's elementwise ops. x and y are operands, z is the result. */
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

static tsr_value *chlo(tsr_build *b, enum tsr_opcode opcode, tsr_value *x)
{
    return tsr_build_op(b, opcode, &x, 1, x->type);
}

static tsr_value *chlo2(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    return tsr_build_op(b, opcode, in, 2, x->type);
}

static tsr_value *rsqrt(tsr_build *b, tsr_value *x)
{
    return chlo(b, TSR_OP_STABLEHLO_RSQRT, x);
}

static tsr_value *gauss(tsr_build *b, tsr_value *x) /* exp(-x^2) */
{
    return f_exp(b, f_neg(b, f_square(b, x)));
}

static const double two_over_root_pi = 1.12837916709551257390;

// clang-format off
UNARY(acos, f_neg(b, f_mul(b, t, rsqrt(b, f_mul(b, f_rsubc(b, 1, X), f_addc(b, X, 1))))))
UNARY(asin, f_mul(b, t, rsqrt(b, f_mul(b, f_rsubc(b, 1, X), f_addc(b, X, 1)))))
UNARY(acosh, f_mul(b, t, f_mul(b, rsqrt(b, f_subc(b, X, 1)), rsqrt(b, f_addc(b, X, 1)))))
UNARY(asinh, f_mul(b, t, rsqrt(b, f_addc(b, f_square(b, X), 1))))
UNARY(atan, f_div(b, t, f_addc(b, f_square(b, X), 1)))
UNARY(atanh, f_div(b, t, f_mul(b, f_addc(b, X, 1), f_rsubc(b, 1, X))))
UNARY(cosh, f_mul(b, t, chlo(b, TSR_OP_CHLO_SINH, X)))
UNARY(sinh, f_mul(b, t, chlo(b, TSR_OP_CHLO_COSH, X)))
UNARY(lgamma, f_mul(b, t, chlo(b, TSR_OP_CHLO_DIGAMMA, X)))
UNARY(digamma, f_mul(b, t, chlo2(b, TSR_OP_CHLO_POLYGAMMA, f_const(b, X, 1), X)))
UNARY(erf, f_mul(b, t, f_mulc(b, gauss(b, X), two_over_root_pi)))
UNARY(erfc, f_mul(b, t, f_mulc(b, gauss(b, X), -two_over_root_pi)))
UNARY(erf_inv, f_mul(b, t, f_mulc(b, f_exp(b, f_square(b, Z)), 1 / two_over_root_pi)))
UNARY(square, f_mul(b, t, f_mulc(b, X, 2)))
// clang-format on

static tsr_value *not_there(tsr_build *b, const tsr_point *p)
{
    b->failed = true;
    tsr_grad_none(p->op, "it has no derivative for its first operand");
    return NULL;
}

RULE(polygamma)
{
    if (!i)
        return not_there(b, p);
    return f_mul(b, t, chlo2(b, TSR_OP_CHLO_POLYGAMMA, f_addc(b, X, 1), Y));
}

RULE(zeta)
{
    if (!i)
        return not_there(b, p);
    return f_neg(b, f_mul(b, t, f_mul(b, X, chlo2(b, TSR_OP_CHLO_ZETA, f_addc(b, X, 1), Y))));
}
