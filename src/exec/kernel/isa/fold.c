/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - folds of floats in 64 lanes, kept in vector registers. See tile.h. */
#include "exec/kernel/isa/few.h"
#include "exec/kernel/isa/fold.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

/* Two folds at once, of elements that are far apart in memory: more memory requests are in flight than with one
 * stream. */
#define FOLD_TWO(fn, type, expr)                                                          \
    static void two_##fn(void *lanes_, void *others_, const void *in_, const void *from_, \
                         size_t n)                                                        \
    {                                                                                     \
        type acc[TSR_FOLD_LANES], more[TSR_FOLD_LANES];                                   \
        const type *in = in_, *from = from_;                                              \
        memcpy(acc, lanes_, sizeof acc);                                                  \
        memcpy(more, others_, sizeof more);                                               \
        for (size_t i = 0; i < n; i += TSR_FOLD_LANES) {                                  \
            for (size_t k = 0; k < TSR_FOLD_LANES; k++) {                                 \
                type x = acc[k], y = in[i + k];                                           \
                acc[k] = expr;                                                            \
            }                                                                             \
            for (size_t k = 0; k < TSR_FOLD_LANES; k++) {                                 \
                type x = more[k], y = from[i + k];                                        \
                more[k] = expr;                                                           \
            }                                                                             \
        }                                                                                 \
        memcpy(lanes_, acc, sizeof acc);                                                  \
        memcpy(others_, more, sizeof more);                                               \
    }
FOLD_TWO(sum_f32, float, x + y)
FOLD_TWO(sum_f64, double, x + y)
tsr_fold_two_fn *const ISA(tsr_sums_two)[2] = {two_sum_f32, two_sum_f64};

/* Folds a whole row, starting from the neutral element that out holds: the tree of lanes has a constant size. The bits
 * are the same. */
#define ROW(fn, type, wide, expr)                              \
    static void row_##fn(void *out, const void *in_, size_t n) \
    {                                                          \
        type acc[TSR_FOLD_LANES], start = *(type *)out;        \
        const type *in = in_;                                  \
        for (int k = 0; k < TSR_FOLD_LANES; k++)               \
            acc[k] = start;                                    \
        EACH_WHOLE(wide, in[i + k], acc[k] = (type)(expr))     \
        EACH_REST(wide, in[i + k], acc[k] = (type)(expr))      \
        EACH_HALF(wide, acc[k] = (type)(expr))                 \
        *(type *)out = acc[0];                                 \
    }
/* The largest or smallest float: with the machine's comparison alone, which ignores NaN and signs of zeros; if there
 * are any, the row is folded again with the exact comparison. Elements may be joined twice: the end of a long row is
 * read together with elements before it. */
#define ROW_MOST(fn, type, better)                                          \
    static void most_##fn(void *out, const void *in_, size_t n)             \
    {                                                                       \
        type acc[TSR_FOLD_LANES], start = *(type *)out;                     \
        type odd[TSR_FOLD_LANES] = {0};                                     \
        const type *in = in_;                                               \
        for (int k = 0; k < TSR_FOLD_LANES; k++)                            \
            acc[k] = start;                                                 \
        EACH_WHOLE(type, in[i + k], JOIN_MOST(better))                      \
        if (i && i < n) {                                                   \
            in += n - TSR_FOLD_LANES;                                       \
            for (int k = 0; k < TSR_FOLD_LANES; k++) {                      \
                type x = acc[k], y = in[k];                                 \
                JOIN_MOST(better);                                          \
            }                                                               \
        } else                                                              \
            EACH_REST(type, in[i + k], JOIN_MOST(better))                   \
        EACH_HALF(type, acc[k] = x better y ? x : y;                        \
                  odd[k] = odd[k] > odd[k + half] ? odd[k] : odd[k + half]) \
        if (odd[0] != 0 || acc[0] == 0)                                     \
            row_##fn(out, in_, n);                                          \
        else                                                                \
            *(type *)out = acc[0];                                          \
    }
#define JOIN_MOST(better)        \
    acc[k] = x better y ? x : y; \
    odd[k] = y != y ? 1 : odd[k]
#define ROWS(name, type, max, min)        \
    ROW(sum_##name, type, type, x + y)    \
    ROW(product_##name, type, type, x *y) \
    ROW(max_##name, type, type, max)      \
    ROW(min_##name, type, type, min)      \
    ROW_MOST(max_##name, type, >)         \
    ROW_MOST(min_##name, type, <)
ROWS(f32, float, F32_max(x, y), F32_min(x, y))
ROWS(f64, double, F64_max(x, y), F64_min(x, y))
#if defined(__AVX2__)
#define COLUMNS(n)                                                                        \
    case n:                                                                               \
        for (int r = 0; r < TSR_FOLD_SHORT; r += FEW_LANES) {                             \
            few_vector v[n];                                                              \
            UNROLL                                                                        \
            for (int k = 0; k < n; k++)                                                   \
                v[k] = FEW_LOAD((const uint32_t *)in + r * n + k * FEW_LANES);            \
            UNROLL                                                                        \
            for (int k = 0; k < n; k++)                                                   \
                FEW_STORE((uint32_t *)out + k * TSR_FOLD_SHORT + r, few_column(v, n, k)); \
        }                                                                                 \
        return true

/* Transposes rows of a few elements of four bytes; false: there are more. */
static bool transpose_few(const void *in, size_t n, void *out)
{
    switch (n) {
        COLUMNS(2);
        COLUMNS(3);
        COLUMNS(4);
        COLUMNS(5);
        COLUMNS(6);
        COLUMNS(7);
    default: return false;
    }
}
#else
static bool transpose_few(const void *in, size_t n, void *out)
{
    (void)in, (void)n, (void)out;
    return false;
}
#endif

/* Transposes TSR_FOLD_SHORT rows of n elements. */
static inline void transpose(size_t size, const void *in, size_t n, void *out)
{
    if (size != 4 || !transpose_few(in, n, out))
        ISA(tsr_transpose_block)
    ((uint32_t)size, in, (int64_t)(n * size), out, (int64_t)(TSR_FOLD_SHORT * size), TSR_FOLD_SHORT,
     (int64_t)n);
}

/* Folds sixteen short rows at once, one in each lane: the transposed columns are joined as the lanes of a single row
 * would be. out holds the neutral element at first; joining with it changes nothing but the sign of a zero. */
#define SHORT(fn, type, expr)                                         \
    static void short_##fn(void *out, const void *in, size_t n)       \
    {                                                                 \
        type t[TSR_FOLD_LANES][TSR_FOLD_SHORT], start = *(type *)out; \
        transpose(sizeof(type), in, n, t);                            \
        for (size_t k = 0; k < n; k++)                                \
            for (int r = 0; r < TSR_FOLD_SHORT; r++) {                \
                type x = start, y = t[k][r];                          \
                t[k][r] = expr;                                       \
            }                                                         \
        for (size_t half = TSR_FOLD_LANES / 2; half; half /= 2)       \
            for (size_t k = 0; k < half && k + half < n; k++)         \
                for (int r = 0; r < TSR_FOLD_SHORT; r++) {            \
                    type x = t[k][r], y = t[k + half][r];             \
                    t[k][r] = expr;                                   \
                }                                                     \
        memcpy(out, t[0], sizeof t[0]);                               \
    }
#define SHORTS(name, type, max, min)  \
    SHORT(sum_##name, type, x + y)    \
    SHORT(product_##name, type, x *y) \
    SHORT(max_##name, type, max)      \
    SHORT(min_##name, type, min)
SHORTS(f32, float, F32_max(x, y), F32_min(x, y))
SHORTS(f64, double, F64_max(x, y), F64_min(x, y))
#define SHORTS_OF(name)                                                               \
    {                                                                                 \
        [TSR_FOLD_SUM] = short_sum_##name, [TSR_FOLD_PRODUCT] = short_product_##name, \
        [TSR_FOLD_MAX] = short_max_##name, [TSR_FOLD_MIN] = short_min_##name          \
    }
const tsr_fold_row ISA(tsr_short_folds)[TSR_D__COUNT] = {
    [TSR_D_F32] = SHORTS_OF(f32),
    [TSR_D_F64] = SHORTS_OF(f64),
};

#define ROWS_OF(name)                                                             \
    {                                                                             \
        [TSR_FOLD_SUM] = row_sum_##name, [TSR_FOLD_PRODUCT] = row_product_##name, \
        [TSR_FOLD_MAX] = most_max_##name, [TSR_FOLD_MIN] = most_min_##name        \
    }
const tsr_fold_row ISA(tsr_row_folds)[TSR_D__COUNT] = {
    [TSR_D_F32] = ROWS_OF(f32),
    [TSR_D_F64] = ROWS_OF(f64),
};

SUMS(f32, float, float)
MOST(f32, float, F32_max(x, y), F32_min(x, y))
SUMS(f64, double, double)
MOST(f64, double, F64_max(x, y), F64_min(x, y))

#define FLOATS(name)                                                      \
    {                                                                     \
        [TSR_FOLD_SUM] = sum_##name, [TSR_FOLD_PRODUCT] = product_##name, \
        [TSR_FOLD_MAX] = max_##name, [TSR_FOLD_MIN] = min_##name          \
    }
const tsr_fold_row ISA(tsr_folds)[TSR_D__COUNT] = {
    [TSR_D_F32] = FLOATS(f32),
    [TSR_D_F64] = FLOATS(f64),
};

/* ---- Filling and streaming stores ---- */

#define FILL(type)                                \
    do {                                          \
        type v = *(const type *)value, *to = dst; \
        for (size_t i = 0; i < n; i++)            \
            to[i] = v;                            \
    } while (0)

void ISA(tsr_fill)(void *dst, const void *value, size_t size, size_t n)
{
    switch (size) {
    case 1: FILL(uint8_t); return;
    case 2: FILL(uint16_t); return;
    case 4: FILL(uint32_t); return;
    default: FILL(uint64_t); return;
    }
}

/* start, start + step, ..., modulo the type. */
#define COUNT(name, T)                                                       \
    static void count_##name(T *to, uint64_t start, uint64_t step, size_t n) \
    {                                                                        \
        const T first = (T)start, by = (T)step;                              \
        for (size_t i = 0; i < n; i++)                                       \
            to[i] = first + (T)i * by;                                       \
    }
COUNT(u32, uint32_t)
COUNT(u64, uint64_t)

bool ISA(tsr_count)(tsr_dtype type, void *dst, int64_t start, int64_t step, size_t n)
{
    switch (type) {
    case TSR_D_I32:
    case TSR_D_U32: count_u32(dst, (uint64_t)start, (uint64_t)step, n); return true;
    case TSR_D_I64:
    case TSR_D_U64: count_u64(dst, (uint64_t)start, (uint64_t)step, n); return true;
    default: return false;
    }
}

/* By builtins: the header of intrinsics takes longer to read than many a kernel to compile. */
#if defined(__clang__) && defined(__SSE2__)
#define STREAM(to, x) __builtin_nontemporal_store(x, to)
#elif defined(__AVX512F__)
#define STREAM(to, x) __builtin_ia32_movntdq512(to, x)
#elif defined(__AVX2__)
#define STREAM(to, x) __builtin_ia32_movntdq256(to, x)
#elif defined(__SSE2__)
#define STREAM(to, x) __builtin_ia32_movntdq(to, x)
#endif

void ISA(tsr_stream)(void *dst, const void *src, size_t bytes)
{
#ifdef STREAM
    typedef long long wide __attribute__((vector_size(BYTES), may_alias));
    for (size_t i = 0; i < bytes; i += sizeof(wide)) {
        wide x;
        memcpy(&x, (const char *)src + i, sizeof x);
        STREAM((wide *)(void *)((char *)dst + i), x);
    }
#else
    memcpy(dst, src, bytes);
#endif
}
