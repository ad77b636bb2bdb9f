/* SPDX-License-Identifier: Apache-2.0 */
/* reducer.c - see reducer.h. */
#include "dialect/reducer.h"

#include <float.h>
#include <math.h>

#include "base/float.h"

/* ---- Kinds ---- */

static const uint8_t column[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = 0
#define REDUCER(kind) +TSR_REDUCE_##kind
#define END ,
#include "dialect/ops.def"
};

tsr_reduce_kind tsr_reduce_kind_of(int opcode)
{
    return opcode >= 0 && opcode < TSR_OP__COUNT ? (tsr_reduce_kind)column[opcode]
                                                 : TSR_REDUCE_OTHER;
}

enum tsr_opcode tsr_reduce_opcode(tsr_reduce_kind kind)
{
    static const uint16_t opcodes[TSR_REDUCE__COUNT] = {
        [TSR_REDUCE_SUM] = TSR_OP_STABLEHLO_ADD,
        [TSR_REDUCE_PRODUCT] = TSR_OP_STABLEHLO_MULTIPLY,
        [TSR_REDUCE_MIN] = TSR_OP_STABLEHLO_MINIMUM,
        [TSR_REDUCE_MAX] = TSR_OP_STABLEHLO_MAXIMUM,
        [TSR_REDUCE_AND] = TSR_OP_STABLEHLO_AND,
        [TSR_REDUCE_OR] = TSR_OP_STABLEHLO_OR,
        [TSR_REDUCE_XOR] = TSR_OP_STABLEHLO_XOR};
    return (enum tsr_opcode)opcodes[kind];
}

tsr_reduce_kind tsr_reduce_from_sdy(int64_t reduction)
{
    return reduction == TSR_SDY_MAX   ? TSR_REDUCE_MAX
           : reduction == TSR_SDY_MIN ? TSR_REDUCE_MIN
                                      : TSR_REDUCE_SUM;
}

bool tsr_reduce_to_sdy(tsr_reduce_kind kind, const tsr_type *elem, tsr_sdy_reduction *out)
{
    bool truth = tsr_type_is_integer(elem, 1),
         most = kind == TSR_REDUCE_MAX || kind == TSR_REDUCE_OR;
    bool least = kind == TSR_REDUCE_MIN || kind == TSR_REDUCE_AND;
    *out = most ? TSR_SDY_MAX : least ? TSR_SDY_MIN : TSR_SDY_SUM;
    return kind == TSR_REDUCE_SUM || tsr_reduce_is_extremal(kind) ||
           (truth && (kind == TSR_REDUCE_AND || kind == TSR_REDUCE_OR));
}

tsr_reduce_kind tsr_reduce_of_truths(tsr_reduce_kind kind)
{
    return kind == TSR_REDUCE_SUM || kind == TSR_REDUCE_MAX       ? TSR_REDUCE_OR
           : kind == TSR_REDUCE_PRODUCT || kind == TSR_REDUCE_MIN ? TSR_REDUCE_AND
                                                                  : kind;
}

/* ---- Bodies ---- */

/* One op on the two. */
static bool joins(const tsr_block *b, const tsr_value *v, const tsr_value *first,
                  const tsr_value *second, tsr_reducer *out)
{
    if (v->op->nin != 2 || v->op->nregion)
        return false;
    const tsr_value *x = v->op->in[0].value, *y = v->op->in[1].value;
    out->swapped = x == second && y == first;
    if (!out->swapped && (x != first || y != second))
        return false;
    out->kind = tsr_reduce_kind_of(v->op->def->opcode);
    out->alone = b->first == v->op && v->op->next == b->last;
    return true;
}

bool tsr_reducer_of(const tsr_region *body, uint32_t n, uint32_t i, tsr_reducer *out)
{
    const tsr_block *b = body->first;
    const tsr_op *end = b && !b->next ? b->last : NULL;
    *out = (tsr_reducer){0};
    if (!end || b->nargs != 2 * n || end->nin != n || i >= n)
        return false;
    const tsr_value *v = end->in[i].value, *first = b->args[i], *second = b->args[n + i];
    out->second = v == second;
    if (v->is_arg || v->op->block != b || v->op->nout != 1)
        return false;
    if (!joins(b, v, first, second, out)) {
        out->kind = n == 1 ? tsr_reducer_truths(body) : TSR_REDUCE_OTHER;
        out->truths = out->kind != TSR_REDUCE_OTHER;
        out->swapped = false;
        if (!out->truths)
            return false;
    }
    out->op = v->op;
    return true;
}

tsr_reduce_kind tsr_reducer_kind(const tsr_region *body)
{
    tsr_reducer r;
    return tsr_reducer_of(body, 1, 0, &r) && (r.alone || r.truths) ? r.kind : TSR_REDUCE_OTHER;
}

/* ---- Identities ---- */

static bool is_integer(const tsr_type *t)
{
    return t->kind == TSR_TYPE_INTEGER && t->width && t->width <= 64;
}

/* The least or greatest integer; booleans have no sign. */
static uint64_t extreme_integer(const tsr_type *t, bool least)
{
    uint64_t ones = t->width == 64 ? UINT64_MAX : ((uint64_t)1 << t->width) - 1;
    if (t->sub == TSR_UNSIGNED || t->width == 1)
        return least ? 0 : ones;
    return least ? ones ^ ones >> 1 : ones >> 1;
}

/* Rounding a number above all finite ones gives the greatest one, or what follows it: infinity or NaN. */
static bool extreme_float(const tsr_type *t, bool least, tsr_identity how, uint64_t *bits)
{
    tsr_float_kind kind = (tsr_float_kind)t->sub;
    uint64_t infinite = tsr_float_from_double(kind, INFINITY);
    bool has_infinity = isinf(tsr_float_to_double(kind, infinite));
    *bits = tsr_float_from_double(kind, DBL_MAX);
    *bits -= !tsr_float_is_finite(kind, *bits);
    if (how != TSR_IDENTITY_FINITE && has_infinity)
        *bits = infinite;
    *bits |= least ? (uint64_t)1 << (t->width - 1) : 0;
    return has_infinity || how != TSR_IDENTITY_INFINITE;
}

/* Bits of an element that is not complex. */
static bool identity_bits(tsr_reduce_kind kind, const tsr_type *t, tsr_identity how, uint64_t *bits)
{
    bool real = t->kind == TSR_TYPE_FLOAT;
    *bits = 0;
    if (!real && !is_integer(t))
        return false;
    switch (kind) {
    case TSR_REDUCE_SUM: /* a float type without zero has none */
        return !real || tsr_float_to_double((tsr_float_kind)t->sub, 0) == 0;
    case TSR_REDUCE_OR:
    case TSR_REDUCE_XOR: return true;
    case TSR_REDUCE_PRODUCT:
        *bits = real ? tsr_float_from_double((tsr_float_kind)t->sub, 1) : 1;
        return !real || tsr_float_to_double((tsr_float_kind)t->sub, *bits) == 1;
    case TSR_REDUCE_AND:
        *bits = real ? 0 : extreme_integer(t, true) | extreme_integer(t, false);
        return !real;
    case TSR_REDUCE_MIN:
    case TSR_REDUCE_MAX:
        if (real)
            return extreme_float(t, kind == TSR_REDUCE_MAX, how, bits);
        *bits = extreme_integer(t, kind == TSR_REDUCE_MAX);
        return true;
    default: return false;
    }
}

size_t tsr_reduce_identity(tsr_reduce_kind kind, const tsr_type *elem, tsr_identity how,
                           uint8_t bytes[32])
{
    bool complex = elem->kind == TSR_TYPE_COMPLEX;
    const tsr_type *part = complex ? elem->elem : elem;
    uint64_t bits;
    memset(bytes, 0, 32);
    if ((complex && kind != TSR_REDUCE_SUM && kind != TSR_REDUCE_PRODUCT) ||
        !identity_bits(kind, part, how, &bits))
        return 0;
    for (uint32_t i = 0; i < tsr_type_storage_bits(part) / 8 && i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return tsr_type_storage_bits(elem) / 8;
}

tsr_attr *tsr_reduce_identity_attr(tsr_module *m, tsr_reduce_kind kind, tsr_type *elem,
                                   tsr_identity how)
{
    uint8_t bytes[32];
    size_t n = tsr_reduce_identity(kind, elem, how, bytes);
    tsr_type *scalar = tsr_type_tensor(m->ctx, NULL, 0, elem, NULL);
    return n ? tsr_attr_dense(m->ctx, m, scalar, bytes, n, true) : NULL;
}
