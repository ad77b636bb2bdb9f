/* SPDX-License-Identifier: Apache-2.0 */
/* raise_point.c - raises softmax, gelu and silu from their parts. */
#include "pass/fuse/raise.h"

/* ---- softmax: e / sum(e), e = exp(x - max(x)) ---- */

bool tsr_raise_softmax(tsr_match *m)
{
    tsr_op *op = m->root;
    tsr_type *t = op->out[0].type;
    tsr_view root = tsr_view_of(&op->out[0]), e = tsr_view_in(&root, 0), sum, x, most;
    int64_t along, dim;
    tsr_view_top(m, &e);
    if (tsr_role_made(e.v) != ROLE_EXP || !tsr_view_whole(&e, t) ||
        !tsr_reduced(m, tsr_view_in(&root, 1), t, TSR_TESSERA_SUM, &sum, &along, NULL))
        return false;
    tsr_view_top(m, &sum);
    tsr_view less = tsr_view_in(&e, 0);
    if (sum.v != e.v || !tsr_take(m, e.v->op))
        return false;
    tsr_view_top(m, &less);
    if (tsr_role_made(less.v) != ROLE_SUB || !tsr_view_whole(&less, t) || !tsr_take(m, less.v->op))
        return false;
    x = tsr_view_in(&less, 0);
    if (!tsr_view_whole(&x, t) ||
        !tsr_reduced(m, tsr_view_in(&less, 1), t, TSR_TESSERA_MAX, &most, &dim, NULL) ||
        dim != along || !tsr_same(most.v, x.v))
        return false;
    m->what = "softmax";
    if (!tsr_alone(m))
        return false;
    tsr_op *made = tsr_raise_layer(m, TSR_OP_TESSERA_SOFTMAX, &x.v, 1);
    if (dim != (int64_t)t->n - 1)
        made->attrs[TESSERA_SOFTMAX_axis] = tsr_attr_i64(op->module->ctx, dim);
    return tsr_raise_put(m, &made->out[0]);
}

/* ---- gelu ---- */

enum { DEGREE = 3 };

static bool is_zero(const double *c, int from)
{
    for (; from <= DEGREE; from++)
        if (c[from] != 0)
            return false;
    return true;
}

static bool times(const double *a, const double *b, double *out)
{
    double c[2 * DEGREE + 1] = {0};
    for (int i = 0; i <= DEGREE; i++)
        for (int k = 0; k <= DEGREE; k++)
            c[i + k] += a[i] * b[k];
    for (int i = DEGREE + 1; i <= 2 * DEGREE; i++)
        if (c[i] != 0)
            return false;
    memcpy(out, c, (DEGREE + 1) * sizeof *c);
    return true;
}

/* w as a polynomial in x. */
static bool polynomial(tsr_match *m, tsr_view w, tsr_value *x, double *c, int depth)
{
    double a[DEGREE + 1], b[DEGREE + 1], n;
    memset(c, 0, (DEGREE + 1) * sizeof *c);
    if (tsr_same(w.v, x)) {
        c[1] = 1;
        return true;
    }
    if (tsr_splat_number(w.v, c))
        return true;
    for (int i = 0; i < 4 && tsr_role_made(w.v) == ROLE_CONVERT && tsr_view_up(m, &w); i++)
        ;
    tsr_op *op = tsr_maker(w.v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    bool two = role == ROLE_ADD || role == ROLE_SUB || role == ROLE_MUL || role == ROLE_DIV;
    if ((!two && role != ROLE_NEG && role != ROLE_SQUARE && role != ROLE_POW) || !depth ||
        !polynomial(m, tsr_view_in(&w, 0), x, a, depth - 1) || !tsr_take(m, op) ||
        (two && !polynomial(m, tsr_view_in(&w, 1), x, b, depth - 1)))
        return false;
    switch (role) {
    case ROLE_ADD:
    case ROLE_SUB:
        for (int i = 0; i <= DEGREE; i++)
            c[i] = role == ROLE_ADD ? a[i] + b[i] : a[i] - b[i];
        return true;
    case ROLE_MUL: return times(a, b, c);
    case ROLE_DIV:
        for (int i = 0; i <= DEGREE; i++)
            c[i] = a[i] / b[0];
        return b[0] != 0 && is_zero(b, 1);
    case ROLE_NEG:
        for (int i = 0; i <= DEGREE; i++)
            c[i] = -a[i];
        return true;
    case ROLE_SQUARE: return times(a, a, c);
    default:
        if (!tsr_splat_number(op->in[1].value, &n) || (n != 2 && n != 3) || !times(a, a, c))
            return false;
        memcpy(b, c, sizeof b);
        return n == 2 || times(a, b, c);
    }
}

/* w = one + c * (a function with this role); w becomes the argument of the function. */
static bool one_plus(tsr_match *m, tsr_view *w, tsr_role role, double *one, double *c)
{
    *one = 0;
    *c = 1;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_op *op = tsr_maker(w->v);
        tsr_role at = op ? tsr_role_of(op) : ROLE_NONE;
        if (at == role) {
            if (!tsr_take(m, op))
                return false;
            *w = tsr_view_in(w, 0);
            return true;
        }
        double x;
        if (at == ROLE_ADD) {
            uint32_t k = tsr_splat_number(op->in[0].value, &x) ? 0 : 1;
            if ((k && !tsr_splat_number(op->in[1].value, &x)) || !tsr_take(m, op))
                return false;
            *one += *c * x;
            *w = tsr_view_in(w, 1 - k);
        } else if (!tsr_scaled(m, w, c) && !(at == ROLE_CONVERT && tsr_view_up(m, w))) {
            return false;
        }
    }
    return false;
}

static const struct {
    tsr_role function;
    double one, scale, c1, c3; /* x (one + scale f(c1 x + c3 x^3)) */
    const char *approximate;
} gelus[] = {{ROLE_TANH, 0.5, 0.5, 0.7978845608, 0.7978845608 * 0.044715, "tanh"},
             {ROLE_ERF, 0.5, 0.5, 0.7071067812, 0, NULL},
             {ROLE_ERFC, 0, 0.5, -0.7071067812, 0, NULL}};

static bool close_to(const tsr_type *t, double a, double b)
{
    return fabs(a - b) <= 2 * tsr_precision(t->elem) * fabs(b); /* two constants are multiplied */
}

bool tsr_raise_gelu(tsr_match *m)
{
    tsr_type *t = m->root->out[0].type;
    tsr_view root = tsr_view_of(&m->root->out[0]);
    tsr_factors f;
    if (!tsr_factor(m, &root, &f) || f.n != 2 || f.divides[0] || f.divides[1])
        return false;
    size_t mark = m->n;
    for (size_t k = 0; k < 2 * TSR_COUNT(gelus); k++) {
        size_t g = k / 2, i = k % 2;
        tsr_view x = f.of[i], gate = f.of[1 - i];
        double one, scale, c[DEGREE + 1];
        m->n = mark;
        if (!tsr_view_whole(&x, t) || !one_plus(m, &gate, gelus[g].function, &one, &scale) ||
            !polynomial(m, gate, x.v, c, 6) || !close_to(t, one * f.number, gelus[g].one) ||
            !close_to(t, scale * f.number, gelus[g].scale) || c[0] != 0 || c[2] != 0 ||
            !close_to(t, c[1], gelus[g].c1) || !close_to(t, c[3], gelus[g].c3))
            continue;
        m->what = "gelu";
        if (!tsr_alone(m))
            return false;
        tsr_op *made = tsr_raise_layer(m, TSR_OP_TESSERA_GELU, &x.v, 1);
        if (gelus[g].approximate)
            made->attrs[TESSERA_GELU_approximate] =
                tsr_attr_string(made->module->ctx, tsr_cstr(gelus[g].approximate));
        return tsr_raise_put(m, &made->out[0]);
    }
    return false;
}

/* ---- silu: x / (1 + exp(-x)), x sigmoid(x) ---- */

bool tsr_raise_silu(tsr_match *m)
{
    tsr_type *t = m->root->out[0].type;
    tsr_view root = tsr_view_of(&m->root->out[0]);
    tsr_factors f;
    if (!tsr_factor(m, &root, &f) || f.n != 2 || f.number != 1)
        return false;
    size_t mark = m->n;
    for (size_t i = 0; i < 2; i++) {
        tsr_view x = f.of[i], gate = f.of[1 - i];
        double one, scale, c[DEGREE + 1], sign = f.divides[1 - i] ? -1 : 1;
        m->n = mark;
        if (f.divides[i] || !tsr_view_whole(&x, t) ||
            !one_plus(m, &gate, f.divides[1 - i] ? ROLE_EXP : ROLE_SIGMOID, &one, &scale) ||
            scale != 1 || one != (f.divides[1 - i] ? 1 : 0) || !polynomial(m, gate, x.v, c, 3) ||
            c[0] != 0 || c[1] != sign || !is_zero(c, 2))
            continue;
        m->what = "silu";
        if (!tsr_alone(m))
            return false;
        return tsr_raise_put(m, &tsr_raise_layer(m, TSR_OP_TESSERA_SILU, &x.v, 1)->out[0]);
    }
    return false;
}
