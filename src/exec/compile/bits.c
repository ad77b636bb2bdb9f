/* SPDX-License-Identifier: Apache-2.0 */
/* bits.c - ops on the bits of floats: comparisons in total order, next_after and reduce_precision; mulhi. EXEC hooks. Bits are
 * read as integers, on which loops do the rest. */
#include "dialect/stablehlo/cases.h"
#include "base/float.h"
#include "exec/compile/value.h"

/* The integer type with as many bits; TSR_D_NONE: not an IEEE float. */
static tsr_dtype bits_type(tsr_dtype d)
{
    switch (d) {
    case TSR_D_F16:
    case TSR_D_BF16: return TSR_D_U16;
    case TSR_D_F32: return TSR_D_U32;
    case TSR_D_F64: return TSR_D_U64;
    default: return TSR_D_NONE;
    }
}

static tsr_xid copied(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_dtype to)
{
    if (v == TSR_XNONE)
        return v;
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->n <= 0 || x->rank > TSR_VIEW_RANK)
        return TSR_XNONE;
    tsr_ctx *ctx = b->p->module->ctx;
    tsr_type *type = tsr_type_tensor(ctx, x->dims, x->rank, tsr_dtype_type(ctx, to), NULL);
    tsr_xid made = tsr_x_bits(b, op, v, type);
    tsr_xvalue_at(b, made)->part = true;
    return made;
}

/* Applies an op to bits and a number. */
static tsr_xid with(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, uint64_t number)
{
    if (x == TSR_XNONE)
        return x;
    tsr_xid n = tsr_x_integer(b, op, tsr_xdtype_of(b, x), (int64_t)number);
    return tile == TSR_TILE_compare_eq || tile == TSR_TILE_compare_gt || tile == TSR_TILE_compare_le
               ? tsr_x_compare(b, op, tile, x, n)
               : tsr_x_apply2(b, op, tile, x, n);
}

static uint32_t width_of(tsr_dtype bits)
{
    return 8 * tsr_dtype_bytes(bits);
}

/* Bits that are ordered as integers the way the floats are: all bits of negative floats are inverted, otherwise the
 * sign. */
static tsr_xid ordered(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_dtype bits)
{
    uint32_t width = width_of(bits);
    tsr_xid x = copied(b, op, v, bits);
    tsr_xid flip = with(b, op, TSR_TILE_shift_right_arithmetic, x, width - 1);
    flip = with(b, op, TSR_TILE_or, flip, (uint64_t)1 << (width - 1));
    return tsr_x_apply2(b, op, TSR_TILE_xor, x, flip);
}

bool tsr_x_total_order(tsr_xbuilder *b, tsr_op *op, uint8_t tile)
{
    tsr_dtype bits = bits_type(tsr_xdtype_of(b, tsr_x_in(b, op, 0)));
    if (bits == TSR_D_NONE)
        return false;
    tsr_xid x = ordered(b, op, tsr_x_in(b, op, 0), bits);
    tsr_xid y = ordered(b, op, tsr_x_in(b, op, 1), bits);
    return tsr_x_give(b, op, 0, tsr_x_compare(b, op, tile, x, y));
}

/* Floats of the same sign are ordered as their bits are, so the neighbour's bits are one more or one less; as in
 * lower/chlo/bits.c. */
bool exec_next_after(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0), y = tsr_x_in(b, op, 1);
    tsr_dtype d = tsr_xdtype_of(b, x), bits = bits_type(d);
    if (bits == TSR_D_NONE || tsr_xdtype_of(b, y) != d)
        return false;
    tsr_xid xb = copied(b, op, x, bits), yb = copied(b, op, y, bits);
    tsr_xid zero = tsr_x_number(b, op, d, 0);
    tsr_xid shrinks =
        tsr_x_apply2(b, op, TSR_TILE_xor, tsr_x_compare(b, op, TSR_TILE_compare_lt, x, y),
                     tsr_x_compare(b, op, TSR_TILE_compare_gt, x, zero));
    tsr_xid next = tsr_x_select(b, op, shrinks, with(b, op, TSR_TILE_subtract, xb, 1),
                                with(b, op, TSR_TILE_add, xb, 1));
    tsr_xid sign = with(b, op, TSR_TILE_and, yb, (uint64_t)1 << (width_of(bits) - 1));
    next = tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_eq, x, zero),
                        with(b, op, TSR_TILE_or, sign, 1), next);
    next = tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_eq, x, y), yb, next);
    tsr_xid nan = tsr_x_apply2(b, op, TSR_TILE_or, tsr_x_compare(b, op, TSR_TILE_compare_ne, x, x),
                               tsr_x_compare(b, op, TSR_TILE_compare_ne, y, y));
    return tsr_x_give(
        b, op, 0,
        tsr_x_select(b, op, nan, tsr_x_apply2(b, op, TSR_TILE_add, x, y), copied(b, op, next, d)));
}

/* Rounds the mantissa to nearest even; then numbers that are too large become infinite, and those too small zero. */
bool exec_reduce_precision(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0);
    tsr_dtype d = tsr_xdtype_of(b, x), bits = bits_type(d);
    int64_t to_e = tsr_attr_of(op, STABLEHLO_REDUCE_PRECISION_exponent_bits)->i;
    int64_t to_m = tsr_attr_of(op, STABLEHLO_REDUCE_PRECISION_mantissa_bits)->i;
    if (bits == TSR_D_NONE || to_e < 1 || to_m < 0)
        return false;
    const tsr_float_format *f = &tsr_float_formats[tsr_dtype_float_kind(d)];
    uint64_t sign = (uint64_t)1 << (f->bits - 1);
    uint64_t inf = (((uint64_t)1 << f->ebits) - 1) << f->mbits;
    tsr_xid v = copied(b, op, x, bits), s = with(b, op, TSR_TILE_and, v, sign);
    tsr_xid size = with(b, op, TSR_TILE_and, v, sign - 1), m = size;
    if (to_m < f->mbits) {
        uint64_t last = (uint64_t)1 << (f->mbits - to_m);
        tsr_xid odd = with(b, op, TSR_TILE_shift_right_logical, m, (uint64_t)(f->mbits - to_m));
        odd = with(b, op, TSR_TILE_and, odd, 1);
        m = tsr_x_apply2(b, op, TSR_TILE_add, with(b, op, TSR_TILE_add, m, (last >> 1) - 1), odd);
        m = with(b, op, TSR_TILE_and, m, ~(last - 1) & (sign | (sign - 1)));
    }
    if (to_e < f->ebits) {
        uint64_t bias = ((uint64_t)1 << (f->ebits - 1)) - 1;
        uint64_t to_bias = ((uint64_t)1 << (to_e - 1)) - 1;
        tsr_xid e = with(b, op, TSR_TILE_and, m, inf);
        tsr_xid large = with(b, op, TSR_TILE_compare_gt, e, (bias + to_bias) << f->mbits);
        tsr_xid small = with(b, op, TSR_TILE_compare_le, e, (bias - to_bias) << f->mbits);
        tsr_xid none = with(b, op, TSR_TILE_and, m, 0), all = with(b, op, TSR_TILE_or, none, inf);
        m = tsr_x_select(b, op, large, all, tsr_x_select(b, op, small, none, m));
    }
    m = tsr_x_apply2(b, op, TSR_TILE_or, s, m);
    m = tsr_x_select(b, op, with(b, op, TSR_TILE_compare_eq, size, inf), v, m);
    tsr_xid kept = to_m ? v : with(b, op, TSR_TILE_or, with(b, op, TSR_TILE_and, v, 0), inf);
    m = tsr_x_select(b, op, with(b, op, TSR_TILE_compare_gt, size, inf), kept, m);
    return tsr_x_give(b, op, 0, copied(b, op, m, d));
}

/* ---- The upper half of a product ---- */

static tsr_xid times(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, tsr_xid y)
{
    return tsr_x_apply2(b, op, TSR_TILE_multiply, x, y);
}

static tsr_xid plus(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, tsr_xid y)
{
    return tsr_x_apply2(b, op, TSR_TILE_add, x, y);
}

static tsr_xid high(tsr_xbuilder *b, const tsr_op *op, tsr_xid x)
{
    return with(b, op, TSR_TILE_shift_right_logical, x, 32);
}

static tsr_xid low(tsr_xbuilder *b, const tsr_op *op, tsr_xid x)
{
    return with(b, op, TSR_TILE_and, x, UINT32_MAX);
}

/* 64 bits: four products of halves; a signed product differs from the unsigned one by the operands themselves. As in
 * lower/chlo/bits.c. */
static tsr_xid high_product(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, tsr_xid y, tsr_dtype d)
{
    tsr_xid xh = high(b, op, x), xl = low(b, op, x), yh = high(b, op, y), yl = low(b, op, y);
    tsr_xid hl = times(b, op, xh, yl), lh = times(b, op, xl, yh);
    tsr_xid carry =
        plus(b, op, high(b, op, times(b, op, xl, yl)), plus(b, op, low(b, op, hl), low(b, op, lh)));
    tsr_xid most = plus(b, op, times(b, op, xh, yh), plus(b, op, high(b, op, hl), high(b, op, lh)));
    most = plus(b, op, most, high(b, op, carry));
    if (d == TSR_D_U64)
        return most;
    tsr_xid zero = with(b, op, TSR_TILE_and, x, 0);
    tsr_xid a = tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_lt, x, zero), y, zero);
    tsr_xid c = tsr_x_select(b, op, tsr_x_compare(b, op, TSR_TILE_compare_lt, y, zero), x, zero);
    return tsr_x_apply2(b, op, TSR_TILE_subtract, most, plus(b, op, a, c));
}

bool exec_mulhi(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid x = tsr_x_in(b, op, 0), y = tsr_x_in(b, op, 1);
    tsr_dtype d = tsr_xdtype_of(b, x);
    uint32_t bits = tsr_dtype_bits(d);
    bool is_signed = tsr_dtype_kind(d) == TSR_K_SINT;
    if (!tsr_dtype_is_int(d) || bits < 8 || tsr_xdtype_of(b, y) != d || tsr_xvalue_at(b, x)->n <= 0)
        return false;
    if (bits == 64)
        return tsr_x_give(b, op, 0, high_product(b, op, x, y, d));
    tsr_dtype wide = is_signed ? TSR_D_I64 : TSR_D_U64;
    tsr_xid both = times(b, op, tsr_x_as(b, op, x, wide), tsr_x_as(b, op, y, wide));
    uint8_t shift = is_signed ? TSR_TILE_shift_right_arithmetic : TSR_TILE_shift_right_logical;
    return tsr_x_give(b, op, 0, with(b, op, shift, both, bits));
}
