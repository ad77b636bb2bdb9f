/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - a fold in 64 lanes as a macro, and the families of folds for floats and integers. */
#ifndef TSR_EXEC_KERNEL_ISA_FOLD_H
#define TSR_EXEC_KERNEL_ISA_FOLD_H

#include "exec/kernel/isa/isa.h"

/* Joins each lane's element x with the next one y, value. Lanes are an array of constant size, which compilers keep in
 * registers. */
#define EACH_WHOLE(wide, value, step)                    \
    size_t i = 0;                                        \
    for (; i + TSR_FOLD_LANES <= n; i += TSR_FOLD_LANES) \
        for (size_t k = 0; k < TSR_FOLD_LANES; k++) {    \
            wide x = acc[k], y = (value);                \
            step;                                        \
        }
#define EACH_LANE(wide, step)          \
    EACH_WHOLE(wide, in[i + k], step)  \
    for (int k = 0; i < n; i++, k++) { \
        wide x = acc[k], y = in[i];    \
        step;                          \
    }

/* The elements of a row after the last whole group of lanes, each in its own lane; value: the element at i + k. With
 * masked loads, which vectors of four and fewer elements lack, all lanes are joined at once, those without an element
 * with the neutral one, start: one by one, they would have to go through memory. */
#if defined(__AVX2__)
#define EACH_REST(wide, value, step)                         \
    if (i < n) {                                             \
        const uint32_t rest = (uint32_t)(n - i);             \
        INDEPENDENT                                          \
        for (uint32_t k = 0; k < TSR_FOLD_LANES; k++) {      \
            wide x = acc[k], y = k < rest ? (value) : start; \
            step;                                            \
        }                                                    \
    }
#else
#define EACH_REST(wide, value, step)     \
    for (size_t k = 0; i + k < n; k++) { \
        wide x = acc[k], y = (value);    \
        step;                            \
    }
#endif

/* Joins the lanes, one half with the other; step uses both positions. Each half is a loop of its own, of constant
 * length, so that lanes stay in registers. */
#define ONE_HALF(wide, count, step)             \
    {                                           \
        enum { half = count };                  \
        for (int k = 0; k < half; k++) {        \
            wide x = acc[k], y = acc[k + half]; \
            step;                               \
        }                                       \
    }
#define EACH_HALF(wide, step) \
    ONE_HALF(wide, 32, step)  \
    ONE_HALF(wide, 16, step)  \
    ONE_HALF(wide, 8, step)   \
    ONE_HALF(wide, 4, step)   \
    ONE_HALF(wide, 2, step)   \
    ONE_HALF(wide, 1, step)
_Static_assert(TSR_FOLD_LANES == 64, "halves of other numbers of lanes");

#define LANE_FOLD(fn, type, wide, expr)                     \
    static void fn(void *lanes_, const void *in_, size_t n) \
    {                                                       \
        type acc[TSR_FOLD_LANES], *lanes = lanes_;          \
        const type *in = in_;                               \
        memcpy(acc, lanes, sizeof acc);                     \
        EACH_LANE(wide, acc[k] = (type)(expr))              \
        memcpy(lanes, acc, sizeof acc);                     \
    }

#define SUMS(name, type, wide)               \
    LANE_FOLD(sum_##name, type, wide, x + y) \
    LANE_FOLD(product_##name, type, wide, x *y)
#define MOST(name, type, max, min)         \
    LANE_FOLD(max_##name, type, type, max) \
    LANE_FOLD(min_##name, type, type, min)

#endif
