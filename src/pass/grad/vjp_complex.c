/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_complex.c - ops between real and complex numbers, and other elementwise ops that are not holomorphic.
 *
 * The pairing is Re(c * t), so the cotangent of re is Re(c), that of im is -Im(c), and conj turns c into conj(c). */
#include "pass/grad/grad.h"

static bool is_complex(const tsr_value *v)
{
    return tsr_elem(v)->kind == TSR_TYPE_COMPLEX;
}

bool vjp_complex(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    if (tsr_grad_varied(g, tsr_grad_in(op, 0)))
        tsr_grad_add(g, tsr_grad_in(op, 0), f_real(b, ct[0]));
    if (tsr_grad_varied(g, tsr_grad_in(op, 1)))
        tsr_grad_add(g, tsr_grad_in(op, 1), f_neg(b, f_imag(b, ct[0])));
    return true;
}

bool vjp_real(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_grad_add(g, x, is_complex(x) ? f_complex(&g->b, ct[0], f_const(&g->b, ct[0], 0)) : ct[0]);
    return true;
}

bool vjp_imag(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    if (is_complex(x))
        tsr_grad_add(g, x, f_complex(&g->b, f_const(&g->b, ct[0], 0), f_neg(&g->b, ct[0])));
    return true;
}

bool vjp_conj(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_grad_add(g, tsr_grad_in(op, 0), tsr_grad_conj(&g->b, ct[0]));
    return true;
}

/* conj(x) / |x|, or 0 where x is 0: the derivative of |x|. For real x its sign. */
static tsr_value *direction(tsr_build *b, tsr_op *op)
{
    tsr_value *x = tsr_grad_in(op, 0), *norm = &op->out[0];
    if (!is_complex(x))
        return tsr_build_op(b, TSR_OP_STABLEHLO_SIGN, &x, 1, x->type);
    tsr_value *safe = f_select(b, f_eqc(b, norm, 0), f_const(b, norm, 1), norm);
    return f_div(b, tsr_grad_conj(b, x), tsr_build_convert(b, safe, tsr_elem(x)));
}

bool vjp_abs(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *c = tsr_build_convert(&g->b, ct[0], tsr_elem(x));
    tsr_grad_add(g, x, f_mul(&g->b, c, direction(&g->b, op)));
    return true;
}

bool jvp_abs(tsr_grad *g, tsr_op *op)
{
    tsr_value *x = tsr_grad_in(op, 0), *d = f_mul(&g->b, tsr_grad_of(g, x), direction(&g->b, op));
    tsr_grad_set(g, &op->out[0], is_complex(x) ? f_real(&g->b, d) : d);
    return true;
}

/* sign(z) = z / |z|: ds = (t - s Re(conj(s) t)) / |z|, where the part along s is lost. */
static tsr_value *across(tsr_build *b, tsr_value *x, tsr_value *s, tsr_value *t)
{
    tsr_value *norm = tsr_build_op(b, TSR_OP_STABLEHLO_ABS, &x, 1, NULL);
    tsr_value *safe = f_select(b, f_eqc(b, norm, 0), f_const(b, norm, 1), norm);
    tsr_value *along = f_real(b, f_mul(b, tsr_grad_conj(b, s), t));
    tsr_value *rest = f_sub(b, t, f_mul(b, s, tsr_build_convert(b, along, tsr_elem(x))));
    return f_div(b, rest, tsr_build_convert(b, safe, tsr_elem(x)));
}

bool vjp_sign(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *s = &op->out[0];
    /* The map of tangents is symmetric as a real matrix; the pairing needs its transpose on conj(c). */
    if (is_complex(x))
        tsr_grad_add(g, x, tsr_grad_conj(&g->b, across(&g->b, x, s, tsr_grad_conj(&g->b, ct[0]))));
    return true;
}

bool jvp_sign(tsr_grad *g, tsr_op *op)
{
    tsr_value *x = tsr_grad_in(op, 0);
    if (is_complex(x))
        tsr_grad_set(g, &op->out[0], across(&g->b, x, &op->out[0], tsr_grad_of(g, x)));
    return true;
}

/* From one element type to another: the inverse conversion. Integers have no derivative. */
bool vjp_convert(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_grad_add(g, x, tsr_build_convert(&g->b, ct[0], tsr_elem(x)));
    return true;
}

bool vjp_reduce_precision(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}
