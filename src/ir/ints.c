/* SPDX-License-Identifier: Apache-2.0 */
/* ints.c - see ints.h. */
#include "ir/ints.h"

tsr_ints tsr_ints_from(int64_t first, size_t n)
{
    static const int64_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    bool known =
        first >= 0 && n <= TSR_COUNT(numbers) && first <= (int64_t)TSR_COUNT(numbers) - (int64_t)n;
    return tsr_ints_over(known ? numbers + first : numbers, known ? n : 0);
}

size_t tsr_ints_copy(tsr_ints s, int64_t *out, size_t max)
{
    for (size_t i = 0; i < s.n && i < max; i++)
        out[i] = tsr_ints_at(s, i);
    return s.n;
}

int64_t *tsr_ints_array(tsr_arena *arena, tsr_ints s, size_t more)
{
    int64_t *out = TSR_NEW_ARRAY(arena, int64_t, s.n + more);
    tsr_ints_copy(s, out, s.n);
    return out;
}

tsr_attr *tsr_ints_attr(tsr_ctx *ctx, tsr_ints s)
{
    bool whole = s.first == 0 && s.step == 1;
    if (whole && s.attr && s.attr->kind == TSR_ATTR_DENSE_ARRAY &&
        s.n == (uint32_t)tsr_attr_count(s.attr))
        return (tsr_attr *)s.attr;
    if (whole && s.data)
        return tsr_attr_dense_array(ctx, ctx->i64, s.data, s.n);
    int64_t *copy = tsr_xmalloc((s.n + 1) * sizeof *copy);
    tsr_ints_copy(s, copy, s.n);
    tsr_attr *a = tsr_attr_i64_array(ctx, copy, s.n);
    tsr_free(copy);
    return a;
}
