/* SPDX-License-Identifier: Apache-2.0 */
/* short.c - folds of short rows, four at a time, and sums of products. See tile.h.
 *
 * A row has the lanes of one fold, in vectors of four: halves are joined until one vector is left. Those of four rows
 * are then interleaved, so that one vector joins the rest of all four. Missing lanes are neutral elements, which change
 * nothing: the bits are those of a row on its own. A sum is joined with its neutral element last, so that -0 becomes 0. */
#include "exec/kernel/isa/fold.h"

enum { LANES = TSR_FOLD_LANES, FOUR = 4 };

/* Vectors of four elements, at any address, and the integers of their size. */
#define FOUR_OF(type) \
    __attribute__((vector_size(FOUR * sizeof(type)), aligned(sizeof(type)), may_alias))
typedef float f32_four FOUR_OF(float);
typedef double f64_four FOUR_OF(double);
typedef int32_t i32_four FOUR_OF(int32_t);
typedef int64_t i64_four FOUR_OF(int64_t);
typedef i32_four f32_bits_four, i32_bits_four;
typedef i64_four f64_bits_four, i64_bits_four;

#if defined(__clang__)
#define MIX(name, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define MIX(name, x, y, ...) __builtin_shuffle(x, y, (name##_bits_four){__VA_ARGS__})
#endif

#define SELECT(name, mask, x, y) \
    ((name##_four)(((name##_bits_four)(x) & (mask)) | ((name##_bits_four)(y) & ~(mask))))
#define SUM(name, x, y) ((x) + (y))
#define PRODUCT(name, x, y) ((x) * (y))
#define LARGER(name, x, y) SELECT(name, (x) > (y), x, y)
#define SMALLER(name, x, y) SELECT(name, (x) < (y), x, y)
/* The power of two, at least FOUR, that n elements are extended to. */
static inline size_t width_of(size_t n)
{
    size_t width = FOUR;
    while (width < n)
        width *= 2;
    return width;
}

/* Copies up to four rows of n elements, extended to width by start; missing rows are neutral. */
#define PAD(name, type)                                                                           \
    static const type *pad_##name(type *out, const type *in, size_t n, size_t width, size_t rows, \
                                  type start)                                                     \
    {                                                                                             \
        const type *all = out;                                                                    \
        for (size_t r = 0; r < FOUR; r++, out += width) {                                         \
            size_t k = 0, end = r < rows ? n : 0;                                                 \
            for (; k + FOUR <= end; k += FOUR)                                                    \
                *(name##_four *)(out + k) = *(const name##_four *)(in + r * n + k);               \
            for (; k < end; k++)                                                                  \
                out[k] = in[r * n + k];                                                           \
            for (; k % FOUR; k++)                                                                 \
                out[k] = start;                                                                   \
            for (; k < width; k += FOUR)                                                          \
                *(name##_four *)(out + k) = (name##_four){start, start, start, start};            \
        }                                                                                         \
        return all;                                                                               \
    }
PAD(f32, float)
PAD(f64, double)
PAD(i32, int32_t)
PAD(i64, int64_t)

/* fours: joins four rows of width elements, in a, or the products of a and b; JOIN is an op. rows: any number of rows
 * of n elements each, in fours. */
#define INLINE static inline __attribute__((always_inline))
#define SHORT(fn, name, type, JOIN)                                                            \
    INLINE void fours_##fn(const type *a, const type *b, const int width, const bool pairs,    \
                           type start, name##_four *out)                                       \
    {                                                                                          \
        name##_four row[FOUR], q[LANES / FOUR];                                                \
        for (int r = 0; r < FOUR; r++) {                                                       \
            UNROLL                                                                             \
            for (int k = 0; k < width; k += FOUR) {                                            \
                name##_four v = *(const name##_four *)(a + r * width + k);                     \
                if (pairs)                                                                     \
                    v *= *(const name##_four *)(b + r * width + k);                            \
                q[k / FOUR] = v;                                                               \
            }                                                                                  \
            UNROLL                                                                             \
            for (int half = width / FOUR / 2; half; half /= 2)                                 \
                UNROLL                                                                         \
            for (int k = 0; k < half; k++)                                                     \
                q[k] = JOIN(name, q[k], q[k + half]);                                          \
            row[r] = q[0];                                                                     \
        }                                                                                      \
        name##_four low = MIX(name, row[0], row[1], 0, 1, 4, 5);                               \
        name##_four high = MIX(name, row[0], row[1], 2, 3, 6, 7);                              \
        name##_four ab = JOIN(name, low, high);                                                \
        low = MIX(name, row[2], row[3], 0, 1, 4, 5);                                           \
        high = MIX(name, row[2], row[3], 2, 3, 6, 7);                                          \
        name##_four cd = JOIN(name, low, high);                                                \
        name##_four even = MIX(name, ab, cd, 0, 2, 4, 6), odd = MIX(name, ab, cd, 1, 3, 5, 7); \
        *out = JOIN(name, even, odd);                                                          \
        *out = JOIN(name, *out, ((name##_four){start, start, start, start}));                  \
    }                                                                                          \
    INLINE void rows_##fn(type *out, const type *a, const type *b, size_t n, size_t rows,      \
                          type start, const bool pairs)                                        \
    {                                                                                          \
        type first[FOUR * LANES], second[FOUR * LANES];                                        \
        size_t width = width_of(n);                                                            \
        name##_four four;                                                                      \
        for (size_t r = 0; r < rows; r += FOUR) {                                              \
            size_t some = rows - r < FOUR ? rows - r : FOUR;                                   \
            bool whole = n == width && some == FOUR;                                           \
            const type *x = a + r * n, *y = pairs ? b + r * n : NULL;                          \
            if (!whole)                                                                        \
                x = pad_##name(first, x, n, width, some, start);                               \
            if (pairs && !whole)                                                               \
                y = pad_##name(second, y, n, width, some, 1);                                  \
            switch (width) {                                                                   \
            case 4: fours_##fn(x, y, 4, pairs, start, &four); break;                           \
            case 8: fours_##fn(x, y, 8, pairs, start, &four); break;                           \
            case 16: fours_##fn(x, y, 16, pairs, start, &four); break;                         \
            case 32: fours_##fn(x, y, 32, pairs, start, &four); break;                         \
            default: fours_##fn(x, y, 64, pairs, start, &four);                                \
            }                                                                                  \
            memcpy(out + r, &four, some * sizeof *out);                                        \
        }                                                                                      \
    }                                                                                          \
    static void four_rows_##fn(void *out, const void *in, size_t n, size_t rows)               \
    {                                                                                          \
        rows_##fn(out, in, NULL, n, rows, *(type *)out, false);                                \
    }

#define FLOATS(name, type)             \
    SHORT(sum_##name, name, type, SUM) \
    SHORT(product_##name, name, type, PRODUCT)
FLOATS(f32, float)
FLOATS(f64, double)
#define INTEGERS(name, type)              \
    SHORT(max_##name, name, type, LARGER) \
    SHORT(min_##name, name, type, SMALLER)
INTEGERS(i32, int32_t)
INTEGERS(i64, int64_t)

#define FLOATS_OF(name)                                                                      \
    {                                                                                        \
        [TSR_FOLD_SUM] = four_rows_sum_##name, [TSR_FOLD_PRODUCT] = four_rows_product_##name \
    }
#define INTEGERS_OF(name)                                                            \
    {                                                                                \
        [TSR_FOLD_MAX] = four_rows_max_##name, [TSR_FOLD_MIN] = four_rows_min_##name \
    }
const tsr_four_row ISA(tsr_four_folds)[TSR_D__COUNT] = {
    [TSR_D_F32] = FLOATS_OF(f32),
    [TSR_D_F64] = FLOATS_OF(f64),
    [TSR_D_I32] = INTEGERS_OF(i32),
    [TSR_D_I64] = INTEGERS_OF(i64),
};

/* ---- Sums of products ---- */

#define DOTS(name, type)                                                                        \
    static type dot_##name(const type *a, const type *b, size_t n)                              \
    {                                                                                           \
        type acc[LANES];                                                                        \
        const type start = 0;                                                                   \
        for (int k = 0; k < LANES; k++)                                                         \
            acc[k] = start;                                                                     \
        EACH_WHOLE(type, a[i + k] * b[i + k], acc[k] = x + y)                                   \
        EACH_REST(type, a[i + k] * b[i + k], acc[k] = x + y)                                    \
        EACH_HALF(type, acc[k] = x + y)                                                         \
        return acc[0];                                                                          \
    }                                                                                           \
    static void dots_##name(void *out, const void *a, const void *b, size_t n, size_t rows)     \
    {                                                                                           \
        for (size_t r = 0; n > LANES && r < rows; r++)                                          \
            ((type *)out)[r] = dot_##name((const type *)a + r * n, (const type *)b + r * n, n); \
        if (n <= LANES)                                                                         \
            rows_sum_##name(out, a, b, n, rows, 0, true);                                       \
    }
DOTS(f32, float)
DOTS(f64, double)
tsr_dots_fn *const ISA(tsr_dots)[2] = {dots_f32, dots_f64};
