/* SPDX-License-Identifier: Apache-2.0 */
/* ints.h - lists of integers, read in place: from an interned attribute or from an array of the caller. */
#ifndef TSR_IR_INTS_H
#define TSR_IR_INTS_H

#include "ir/ir.h"

typedef struct {
    const char *data;      /* i64 each, not always aligned; NULL: use each or attr */
    tsr_attr *const *each; /* one attribute per integer */
    const tsr_attr *attr;  /* the attribute; NULL: an array of the caller, or empty */
    uint32_t n;
    uint32_t first,
        step; /* number i is number first + i * step of those above: step is 0 for a splat */
} tsr_ints;

/* The numbers of array<i64: ...>, dense i64 data, or another list of integers; none when a is NULL. */
static inline tsr_ints tsr_attr_ints(const tsr_attr *a)
{
    tsr_ints s = {.attr = a, .step = 1};
    int64_t n = a ? tsr_attr_count(a) : 0;
    s.n = n > 0 ? (uint32_t)n : 0;
    if (s.n && a->kind == TSR_ATTR_DENSE_ARRAY && a->type->width == 64)
        s.data = a->s.data;
    if (s.n && a->kind == TSR_ATTR_DENSE && tsr_type_is_integer(a->type->elem, 64)) {
        s.data = a->s.data;
        s.step = a->sub ? 0 : 1;
    }
    return s;
}
/* An array that outlives the list. */
static inline tsr_ints tsr_ints_over(const int64_t *v, size_t n)
{
    return (tsr_ints){.data = (const char *)v, .n = (uint32_t)n, .step = 1};
}
/* Integers in n consecutive slots of an op, all of which are set. */
static inline tsr_ints tsr_ints_slots(const tsr_op *op, int slot, size_t n)
{
    tsr_assert(slot >= 0 && slot + n <= op->def->nslot, "'%.*s': slots %d to %zu of %u",
               TSR_STR_ARG(op->def->name), slot, slot + n, op->def->nslot);
    return (tsr_ints){.each = op->attrs + slot, .n = (uint32_t)n, .step = 1};
}
/* n numbers of a list: number first, and every step-th one after it. */
static inline tsr_ints tsr_ints_part(tsr_ints s, uint32_t first, uint32_t step, size_t n)
{
    s.first += first * s.step;
    s.step *= step;
    s.n = (uint32_t)n;
    return s;
}
/* A list, or one integer that applies to each of n. */
static inline tsr_ints tsr_attr_ints_each(const tsr_attr *a, size_t n)
{
    return a && a->kind == TSR_ATTR_INT
               ? (tsr_ints){.data = (const char *)&a->i, .attr = a, .n = (uint32_t)n}
               : tsr_attr_ints(a);
}

static inline int64_t tsr_ints_at(tsr_ints s, size_t i)
{
    int64_t x;
    tsr_check(i < s.n, "number %zu of %u", i, s.n);
    i = s.first + i * s.step;
    if (TSR_UNLIKELY(!s.data))
        return s.each ? s.each[i]->i : tsr_attr_int_at(s.attr, i);
    memcpy(&x, s.data + 8 * i, sizeof x);
    return x;
}
/* Number i, or the default if the list is missing or too short. */
static inline int64_t tsr_ints_or(tsr_ints s, size_t i, int64_t otherwise)
{
    return i < s.n ? tsr_ints_at(s, i) : otherwise;
}
/* The index of a number; -1 if it is not in the list. */
static inline int64_t tsr_ints_find(tsr_ints s, int64_t v)
{
    for (uint32_t i = 0; i < s.n; i++)
        if (tsr_ints_at(s, i) == v)
            return i;
    return -1;
}
static inline bool tsr_ints_has(tsr_ints s, int64_t v)
{
    return tsr_ints_find(s, v) >= 0;
}
/* Whether all are equal to v; true for an empty list. */
static inline bool tsr_ints_all(tsr_ints s, int64_t v)
{
    uint32_t i = 0;
    while (i < s.n && tsr_ints_at(s, i) == v)
        i++;
    return i == s.n;
}
/* Whether they are first, first + 1, ... */
static inline bool tsr_ints_count_from(tsr_ints s, int64_t first)
{
    uint32_t i = 0;
    while (i < s.n && tsr_ints_at(s, i) == first + (int64_t)i)
        i++;
    return i == s.n;
}

/* first, first + 1, ...: n numbers, the last of which is below 64. */
tsr_ints tsr_ints_from(int64_t first, size_t n);
/* Writes at most max numbers to out; returns how many there are. */
size_t tsr_ints_copy(tsr_ints s, int64_t *out, size_t max);
/* All of them as an array in the arena, with room for more. */
int64_t *tsr_ints_array(tsr_arena *arena, tsr_ints s, size_t more);
/* array<i64: ...>: the attribute that they come from, or a new one. */
tsr_attr *tsr_ints_attr(tsr_ctx *ctx, tsr_ints s);

#endif
