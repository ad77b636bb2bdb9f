/* SPDX-License-Identifier: Apache-2.0 */
/* constants.c - queries on constants and lists of numbers, and creation of new ones, for rules. */
#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

tsr_attr *tsr_const_of(const tsr_value *v)
{
    if (!tsr_value_is_constant(v))
        return NULL;
    if (v->op->def->constant)
        return v->op->def->constant(v->op);
    int slot = tsr_opdef_slot(v->op->def, TSR_STR("value"));
    if (slot < 0)
        slot = tsr_opdef_slot(v->op->def, TSR_STR("shape"));
    tsr_attr *a = slot < 0 ? NULL : v->op->attrs[slot];
    return tsr_attr_is(a, TSR_ATTR_DENSE) ? a : NULL;
}

tsr_attr *tsr_known_of(const tsr_rewriter *r, const tsr_value *v)
{
    tsr_attr *a = tsr_const_of(v);
    return a || v->id >= r->nknown ? a : r->known[v->id];
}

tsr_attr *tsr_const_hlo(const tsr_value *v)
{
    return tsr_rw_def_is(v, TSR_OP_STABLEHLO_CONSTANT) ? tsr_const_of(v) : NULL;
}

tsr_attr *tsr_const_splat(const tsr_value *v)
{
    tsr_attr *a = tsr_const_of(v);
    return a && a->sub ? a : NULL;
}

bool tsr_elem_is_int(const tsr_type *elem)
{
    return elem->kind == TSR_TYPE_INTEGER;
}

bool tsr_elem_is_float(const tsr_type *elem)
{
    return elem->kind == TSR_TYPE_FLOAT;
}

/* The low 64 bits of element i. */
static uint64_t bits_at(const char *data, size_t size, size_t i)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < size && b < 8; b++)
        bits |= (uint64_t)(uint8_t)data[i * size + b] << 8 * b;
    return bits;
}

static bool int_is(uint64_t bits, uint32_t width, tsr_number n)
{
    uint64_t all = width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
    bits &= all;
    switch (n) {
    case TSR_IS_ZERO:
    case TSR_IS_PLUS_ZERO: return bits == 0;
    case TSR_IS_MINUS_ZERO: return false;
    case TSR_IS_ONE: return bits == 1;
    default: return bits == all;
    }
}

static bool float_is(tsr_float_kind kind, uint64_t bits, tsr_number n)
{
    double v = tsr_float_to_double(kind, bits);
    switch (n) {
    case TSR_IS_ZERO: return v == 0;
    case TSR_IS_PLUS_ZERO: return v == 0 && !(1 / v < 0);
    case TSR_IS_MINUS_ZERO: return v == 0 && 1 / v < 0;
    case TSR_IS_ONE: return v == 1;
    default: return false;
    }
}

bool tsr_const_is(const tsr_attr *a, tsr_number n)
{
    if (!a || !a->sub || !tsr_type_is_shaped(a->type))
        return false;
    const tsr_type *elem = a->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    if (!size || size > 8 || a->s.len < size)
        return false;
    uint64_t bits = bits_at(a->s.data, size, 0);
    if (elem->kind == TSR_TYPE_INTEGER)
        return int_is(bits, elem->width, n);
    return elem->kind == TSR_TYPE_FLOAT && float_is((tsr_float_kind)elem->sub, bits, n);
}

int64_t *tsr_const_ints(tsr_rewriter *r, const tsr_value *v, size_t *n)
{
    enum { MOST = 1 << 20 };
    const tsr_attr *a = tsr_known_of(r, v);
    const tsr_type *elem = a ? a->type->elem : NULL;
    int64_t count = a ? tsr_attr_count(a) : -1;
    if (count < 0 || count > MOST ||
        (elem->kind != TSR_TYPE_INTEGER && elem->kind != TSR_TYPE_INDEX) ||
        (elem->kind == TSR_TYPE_INTEGER && (elem->width == 0 || elem->width > 64)))
        return NULL;
    uint32_t unused = elem->kind == TSR_TYPE_INTEGER ? 64 - elem->width : 0;
    int64_t *out = tsr_rw_ints(r, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        out[i] = (int64_t)((uint64_t)tsr_attr_int_at(a, (size_t)i) << unused) >> unused;
    *n = (size_t)count;
    return out;
}

tsr_attr *tsr_const_resized(tsr_rewriter *r, const tsr_attr *splat, tsr_type *type)
{
    if (tsr_type_num_elements(type) == 0)
        return tsr_const_empty(r, type);
    return tsr_attr_dense(r->ctx, r->module, type, splat->s.data, splat->s.len, true);
}

tsr_attr *tsr_const_empty(tsr_rewriter *r, tsr_type *type)
{
    return tsr_attr_dense(r->ctx, r->module, type, "", 0, false);
}

tsr_attr *tsr_const_number(tsr_rewriter *r, tsr_type *type, int64_t number)
{
    const tsr_type *elem = type->elem, *part = elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem;
    size_t size = tsr_type_storage_bits(elem) / 8, one = tsr_type_storage_bits(part) / 8;
    uint8_t bytes[32] = {0};
    if (!tsr_type_has_static_shape(type) || !size || size > sizeof bytes || one > 8)
        return NULL;
    uint64_t bits = (uint64_t)number;
    if (part->kind == TSR_TYPE_FLOAT)
        bits = tsr_float_from_double((tsr_float_kind)part->sub, (double)number);
    else if (part->kind != TSR_TYPE_INTEGER && part->kind != TSR_TYPE_INDEX)
        return NULL;
    else if (part->kind == TSR_TYPE_INTEGER && part->width < 64)
        bits &= ((uint64_t)1 << part->width) - 1;
    for (size_t i = 0; i < one; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return tsr_type_num_elements(type) == 0
               ? tsr_const_empty(r, type)
               : tsr_attr_dense(r->ctx, r->module, type, bytes, size, true);
}

/* ---- Lists ---- */

bool tsr_ints_are_iota(const tsr_attr *a)
{
    for (size_t i = 0; i < tsr_hlo_len(a); i++)
        if (tsr_hlo_at(a, i) != (int64_t)i)
            return false;
    return true;
}

bool tsr_ints_are_sorted(const tsr_attr *a)
{
    for (size_t i = 1; i < tsr_hlo_len(a); i++)
        if (tsr_hlo_at(a, i - 1) > tsr_hlo_at(a, i))
            return false;
    return true;
}

bool tsr_ints_are_all(const tsr_attr *a, int64_t v)
{
    for (size_t i = 0; i < tsr_hlo_len(a); i++)
        if (tsr_hlo_at(a, i) != v)
            return false;
    return true;
}
