/* fold.h - a fold in 64 lanes as a macro, and the families of folds for floats and integers. */
#ifndef TSR_EXEC_KERNEL_ISA_FOLD_H
#define TSR_EXEC_KERNEL_ISA_FOLD_H

#include "exec/kernel/isa/isa.h"

/* Joins each lane's element x with the next one y. Lanes are an array of constant size, which compilers keep in
 * registers. */
#define EACH_LANE(wide, step)                            \
    size_t i = 0;                                        \
    for (; i + TSR_FOLD_LANES <= n; i += TSR_FOLD_LANES) \
        for (int k = 0; k < TSR_FOLD_LANES; k++) {       \
            wide x = acc[k], y = in[i + (size_t)k];      \
            step;                                        \
        }                                                \
    for (int k = 0; i < n; i++, k++) {                   \
        wide x = acc[k], y = in[i];                      \
        step;                                            \
    }

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
