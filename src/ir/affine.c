/* SPDX-License-Identifier: Apache-2.0 */
/* affine.c - affine expressions, simplified as they are made, to the forms that MLIR chooses: constants are on the
 * right, symbolic parts after others, and constants of nested sums and products are folded together. */
#include "ir/ir.h"

static bool fold_add(int64_t a, int64_t b, int64_t *out)
{
    bool over = (b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b);
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
    return !over;
}

static bool fold_mul(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a * (uint64_t)b);
    if (a == 0 || b == 0)
        return true;
    if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN))
        return false;
    return *out / b == a && *out % b == 0;
}

static bool is_const(const tsr_affine *e)
{
    return e->kind == TSR_AFFINE_CONST;
}

/* Expressions share parts, so a plain walk could take exponential time; the depth is kept small, which bounds it. */
enum { MAX_STEPS = 4096 };

static bool symbolic_within(const tsr_affine *e, int *steps)
{
    if (--*steps < 0)
        return false;
    switch (e->kind) {
    case TSR_AFFINE_CONST:
    case TSR_AFFINE_SYM: return true;
    case TSR_AFFINE_DIM: return false;
    default: return symbolic_within(e->lhs, steps) && symbolic_within(e->rhs, steps);
    }
}

static bool is_symbolic_or_const(const tsr_affine *e)
{
    int steps = MAX_STEPS;
    return symbolic_within(e, &steps);
}

/* Whether l goes to the right of r in a sum or product. */
static bool comes_after(const tsr_affine *l, const tsr_affine *r)
{
    if (l->kind == r->kind && (l->kind == TSR_AFFINE_DIM || l->kind == TSR_AFFINE_SYM))
        return l->value > r->value;
    return is_const(l) || (is_symbolic_or_const(l) && !is_symbolic_or_const(r));
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* The largest number known to divide the expression. */
static uint64_t divisor(const tsr_affine *e, int *steps)
{
    if (--*steps < 0)
        return 1;
    switch (e->kind) {
    case TSR_AFFINE_CONST: return magnitude(e->value);
    case TSR_AFFINE_MUL: {
        uint64_t a = divisor(e->lhs, steps), b = divisor(e->rhs, steps);
        return a && b > UINT64_MAX / a ? (a > b ? a : b) : a * b;
    }
    case TSR_AFFINE_ADD:
    case TSR_AFFINE_MOD: return gcd(divisor(e->lhs, steps), divisor(e->rhs, steps));
    case TSR_AFFINE_FLOORDIV:
    case TSR_AFFINE_CEILDIV:
        if (is_const(e->rhs) && e->rhs->value) {
            uint64_t l = divisor(e->lhs, steps), r = magnitude(e->rhs->value);
            return l && l % r == 0 ? l / r : 1;
        }
        return 1;
    default: return 1;
    }
}

static uint64_t known_divisor(const tsr_affine *e)
{
    int steps = MAX_STEPS;
    return divisor(e, &steps);
}

static int64_t floor_div(int64_t a, int64_t b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static const tsr_affine *raw(tsr_ctx *ctx, tsr_affine_kind kind, int64_t value,
                             const tsr_affine *lhs, const tsr_affine *rhs)
{
    uint64_t h = tsr_hash_mix(tsr_hash_mix(kind + 1u, (uint64_t)value), (uintptr_t)lhs);
    h = tsr_hash_mix(h, (uintptr_t)rhs);
    TSR_MAP_EACH (&ctx->affines, h, v) {
        tsr_affine *e = v;
        if (e->kind == kind && e->value == value && e->lhs == lhs && e->rhs == rhs)
            return e;
    }
    tsr_affine *e = TSR_NEW(&ctx->arena, tsr_affine);
    *e = (tsr_affine){kind, value, lhs, rhs};
    tsr_map_put(&ctx->affines, h, e);
    return e;
}

static const tsr_affine *constant(tsr_ctx *ctx, int64_t v)
{
    return raw(ctx, TSR_AFFINE_CONST, v, NULL, NULL);
}

static const tsr_affine *binary(tsr_ctx *ctx, tsr_affine_kind kind, const tsr_affine *l,
                                const tsr_affine *r)
{
    return tsr_affine_get(ctx, kind, 0, l, r);
}

/* ---- Rules: the simpler expression, or NULL when none applies ---- */

/* e as base times factor. */
static const tsr_affine *split_factor(const tsr_affine *e, int64_t *factor)
{
    *factor = 1;
    if (e->kind != TSR_AFFINE_MUL || !is_const(e->rhs))
        return e;
    *factor = e->rhs->value;
    return e->lhs;
}

/* expr - expr floordiv c * c is expr mod c. */
static const tsr_affine *sum_as_mod(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    if (r->kind != TSR_AFFINE_MUL)
        return NULL;
    const tsr_affine *a = r->lhs, *b = r->rhs;
    /* (l floordiv c) * -c */
    if (is_const(b) && a->kind == TSR_AFFINE_FLOORDIV && is_const(a->rhs) && a->lhs == l &&
        b->value == -a->rhs->value)
        return binary(ctx, TSR_AFFINE_MOD, l, a->rhs);
    /* -1 * ((l floordiv q) * q) */
    if (!is_const(b) || b->value != -1 || a->kind != TSR_AFFINE_MUL)
        return NULL;
    const tsr_affine *div = a->lhs, *q = a->rhs;
    if (div->kind == TSR_AFFINE_FLOORDIV && div->lhs == l && div->rhs == q)
        return binary(ctx, TSR_AFFINE_MOD, l, q);
    return NULL;
}

static const tsr_affine *simplify_add(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    int64_t v, fl, fr;
    if (is_const(l) && is_const(r))
        return fold_add(l->value, r->value, &v) ? constant(ctx, v) : NULL;
    if (comes_after(l, r))
        return binary(ctx, TSR_AFFINE_ADD, r, l);
    if (is_const(r) && r->value == 0)
        return l;
    bool l_sum = l->kind == TSR_AFFINE_ADD && is_const(l->rhs);
    if (l_sum && is_const(r) && fold_add(l->rhs->value, r->value, &v))
        return binary(ctx, TSR_AFFINE_ADD, l->lhs, constant(ctx, v));
    /* c1 * e + c2 * e */
    const tsr_affine *bl = split_factor(l, &fl), *br = split_factor(r, &fr);
    if (bl == br && fold_add(fl, fr, &v))
        return binary(ctx, TSR_AFFINE_MUL, bl, constant(ctx, v));
    /* A constant goes to the far right. */
    if (l_sum && !is_const(r))
        return binary(ctx, TSR_AFFINE_ADD, binary(ctx, TSR_AFFINE_ADD, l->lhs, r), l->rhs);
    return sum_as_mod(ctx, l, r);
}

static const tsr_affine *simplify_mul(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    int64_t v;
    if (is_const(l) && is_const(r))
        return fold_mul(l->value, r->value, &v) ? constant(ctx, v) : NULL;
    if (comes_after(l, r))
        return binary(ctx, TSR_AFFINE_MUL, r, l);
    if (is_const(r) && r->value == 1)
        return l;
    if (is_const(r) && r->value == 0)
        return r;
    bool l_product = l->kind == TSR_AFFINE_MUL && is_const(l->rhs);
    if (l_product && is_const(r) && fold_mul(l->rhs->value, r->value, &v))
        return binary(ctx, TSR_AFFINE_MUL, l->lhs, constant(ctx, v));
    if (l_product && !is_const(r))
        return binary(ctx, TSR_AFFINE_MUL, binary(ctx, TSR_AFFINE_MUL, l->lhs, r), l->rhs);
    return NULL;
}

static const tsr_affine *simplify_floordiv(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    if (l == r && !is_const(r))
        return constant(ctx, 1);
    if (!is_const(r) || r->value < 1)
        return NULL;
    if (is_const(l))
        return constant(ctx, floor_div(l->value, r->value));
    if (r->value == 1)
        return l;
    if (l->kind == TSR_AFFINE_MUL && is_const(l->rhs) && l->rhs->value % r->value == 0)
        return binary(ctx, TSR_AFFINE_MUL, l->lhs, constant(ctx, l->rhs->value / r->value));
    if (l->kind == TSR_AFFINE_ADD) {
        uint64_t dl = known_divisor(l->lhs), dr = known_divisor(l->rhs), d = (uint64_t)r->value;
        if (dl % d == 0 || dr % d == 0)
            return binary(ctx, TSR_AFFINE_ADD, binary(ctx, TSR_AFFINE_FLOORDIV, l->lhs, r),
                          binary(ctx, TSR_AFFINE_FLOORDIV, l->rhs, r));
    }
    return NULL;
}

static const tsr_affine *simplify_ceildiv(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    if (l == r && !is_const(r))
        return constant(ctx, 1);
    if (!is_const(r) || r->value < 1)
        return NULL;
    if (is_const(l))
        return constant(ctx, ceil_div(l->value, r->value));
    if (r->value == 1)
        return l;
    if (l->kind == TSR_AFFINE_MUL && is_const(l->rhs) && l->rhs->value % r->value == 0)
        return binary(ctx, TSR_AFFINE_MUL, l->lhs, constant(ctx, l->rhs->value / r->value));
    return NULL;
}

static const tsr_affine *simplify_mod(tsr_ctx *ctx, const tsr_affine *l, const tsr_affine *r)
{
    if (l == r && !is_const(r))
        return constant(ctx, 0);
    if (!is_const(r) || r->value < 1)
        return NULL;
    if (is_const(l))
        return constant(ctx, l->value - floor_div(l->value, r->value) * r->value);
    uint64_t d = (uint64_t)r->value;
    if (known_divisor(l) % d == 0)
        return constant(ctx, 0);
    if (l->kind == TSR_AFFINE_ADD) {
        if (known_divisor(l->lhs) % d == 0)
            return binary(ctx, TSR_AFFINE_MOD, l->rhs, r);
        if (known_divisor(l->rhs) % d == 0)
            return binary(ctx, TSR_AFFINE_MOD, l->lhs, r);
    }
    /* (e mod a) mod b is e mod b when b divides a. */
    if (l->kind == TSR_AFFINE_MOD && is_const(l->rhs) && l->rhs->value >= 1 &&
        l->rhs->value % r->value == 0)
        return binary(ctx, TSR_AFFINE_MOD, l->lhs, r);
    return NULL;
}

const tsr_affine *tsr_affine_get(tsr_ctx *ctx, tsr_affine_kind kind, int64_t value,
                                 const tsr_affine *lhs, const tsr_affine *rhs)
{
    const tsr_affine *e = NULL;
    switch (kind) {
    case TSR_AFFINE_CONST:
    case TSR_AFFINE_DIM:
    case TSR_AFFINE_SYM: return raw(ctx, kind, value, NULL, NULL);
    case TSR_AFFINE_ADD: e = simplify_add(ctx, lhs, rhs); break;
    case TSR_AFFINE_MUL: e = simplify_mul(ctx, lhs, rhs); break;
    case TSR_AFFINE_MOD: e = simplify_mod(ctx, lhs, rhs); break;
    case TSR_AFFINE_FLOORDIV: e = simplify_floordiv(ctx, lhs, rhs); break;
    case TSR_AFFINE_CEILDIV: e = simplify_ceildiv(ctx, lhs, rhs); break;
    }
    return e ? e : raw(ctx, kind, 0, lhs, rhs);
}
