/* gemm.c - the inner loops of matrix products: tiles of C that stay in registers.
 *
 * A comes in panels of as many rows as a tile has, [depth][rows], B in panels of its columns, [depth][cols], or as it stands in
 * memory, ldb elements from row to row. Kinds with pairs multiply two steps of the depth at a time: [depth / 2][rows][2]. The
 * compiler fuses products and sums here where the machine can (the makefile says so for this file alone). */
#include "exec/kernel/isa/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define TILES(X, ...) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(12, __VA_ARGS__)
#define TILE_ROWS \
    {             \
        4, 8, 12  \
    }
#define PICK(name)                    \
    {                                 \
        name##_4, name##_8, name##_12 \
    }
#elif defined(__AVX2__)
#define TILES(X, ...) X(2, __VA_ARGS__) X(4, __VA_ARGS__) X(6, __VA_ARGS__)
#define TILE_ROWS \
    {             \
        2, 4, 6   \
    }
#define PICK(name)                   \
    {                                \
        name##_2, name##_4, name##_6 \
    }
#elif defined(__aarch64__)
#define TILES(X, ...) X(2, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__)
#define TILE_ROWS \
    {             \
        2, 4, 8   \
    }
#define PICK(name)                   \
    {                                \
        name##_2, name##_4, name##_8 \
    }
#else
#define TILES(X, ...) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(4, __VA_ARGS__)
#define TILE_ROWS \
    {             \
        1, 2, 4   \
    }
#define PICK(name)                   \
    {                                \
        name##_1, name##_2, name##_4 \
    }
#endif

enum { VECTORS = 2 }; /* in a row of a tile */

/* The tile of C is wanted when the sums are done. */
#define PREFETCH(type, rows)                          \
    for (int r = 0; r < (rows); r++)                  \
        for (int v = 0; v < VECTORS * BYTES; v += 64) \
            __builtin_prefetch((char *)((type *)c_ + r * ldc) + v, 1);

#define STORE(type, vector, rows)                                                        \
    UNROLL                                                                               \
    for (int r = 0; r < (rows); r++)                                                     \
        UNROLL                                                                           \
    for (int v = 0; v < VECTORS; v++) {                                                  \
        vector *to = (vector *)((type *)c_ + r * ldc + v * (int)(BYTES / sizeof(type))); \
        if (add)                                                                         \
            acc[r][v] += *to;                                                            \
        *to = acc[r][v];                                                                 \
    }

#define MULTIPLY(rows, name, type)                                                                \
    static void name##_##rows(const void *a_, const void *b_, int64_t ldb, void *c_, int64_t ldc, \
                              int64_t depth, bool add)                                            \
    {                                                                                             \
        typedef type vector VECTOR(type);                                                         \
        const type *a = a_, *b = b_;                                                              \
        PREFETCH(type, rows)                                                                      \
        vector acc[rows][VECTORS] = {0};                                                          \
        for (int64_t k = 0; k < depth; k++, a += (rows), b += ldb) {                              \
            vector row[VECTORS];                                                                  \
            UNROLL                                                                                \
            for (int v = 0; v < VECTORS; v++)                                                     \
                row[v] = *(const vector *)(b + v * (int)(BYTES / sizeof(type)));                  \
            UNROLL                                                                                \
            for (int r = 0; r < (rows); r++)                                                      \
                UNROLL                                                                            \
            for (int v = 0; v < VECTORS; v++)                                                     \
                acc[r][v] += a[r] * row[v];                                                       \
        }                                                                                         \
        STORE(type, vector, rows)                                                                 \
    }

/* Rows of A where they lie. */
#define WINDOWS(rows_, name)                                                                      \
    static void name##_##rows_(const float *const *rows, const tsr_micro_run *run, int64_t nruns, \
                               const void *b_, void *c_, int64_t ldc, bool add, bool chain)       \
    {                                                                                             \
        typedef float vector VECTOR(float);                                                       \
        enum { WIDTH = BYTES / 4 };                                                               \
        const float *b = b_;                                                                      \
        PREFETCH(float, rows_)                                                                    \
        vector acc[rows_][VECTORS] = {0};                                                         \
        if (add && chain)                                                                         \
            UNROLL                                                                                \
        for (int r = 0; r < (rows_); r++)                                                         \
            UNROLL                                                                                \
        for (int v = 0; v < VECTORS; v++)                                                         \
            acc[r][v] = *(const vector *)((float *)c_ + r * ldc + v * WIDTH);                     \
        for (; nruns > 0; nruns--, run++) {                                                       \
            const float *a[rows_];                                                                \
            UNROLL                                                                                \
            for (int r = 0; r < (rows_); r++)                                                     \
                a[r] = rows[r] + run->at;                                                         \
            for (int64_t k = 0; k < run->depth; k++, b += VECTORS * WIDTH) {                      \
                vector row[VECTORS];                                                              \
                UNROLL                                                                            \
                for (int v = 0; v < VECTORS; v++)                                                 \
                    row[v] = *(const vector *)(b + v * WIDTH);                                    \
                UNROLL                                                                            \
                for (int r = 0; r < (rows_); r++)                                                 \
                    UNROLL                                                                        \
                for (int v = 0; v < VECTORS; v++)                                                 \
                    acc[r][v] += a[r][k] * row[v];                                                \
            }                                                                                     \
        }                                                                                         \
        add &= !chain;                                                                            \
        STORE(float, vector, rows_)                                                               \
    }

TILES(WINDOWS, windows)
TILES(MULTIPLY, f32, float)
TILES(MULTIPLY, f64, double)
TILES(MULTIPLY, i32, uint32_t)
TILES(MULTIPLY, i64, uint64_t)

/* ---- Pairs of 16 bits ---- */

#if defined(__SSE2__)

/* zero, add(sum, pair of one row for all columns, pairs of columns). */
#if defined(__AVX512F__)
typedef __m512i ints;
#define ZERO_INTS _mm512_setzero_si512()
#define ALL_PAIRS(p) _mm512_set1_epi32(p)
#define LOAD_INTS(p) _mm512_loadu_si512(p)
#define STORE_INTS(p, v) _mm512_storeu_si512(p, v)
#define SUM_INTS(x, y) _mm512_add_epi32(x, y)
#define MADD_INTS(s, x, y) _mm512_add_epi32(s, _mm512_madd_epi16(x, y))
#elif defined(__AVX2__)
typedef __m256i ints;
#define ZERO_INTS _mm256_setzero_si256()
#define ALL_PAIRS(p) _mm256_set1_epi32(p)
#define LOAD_INTS(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE_INTS(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define SUM_INTS(x, y) _mm256_add_epi32(x, y)
#define MADD_INTS(s, x, y) _mm256_add_epi32(s, _mm256_madd_epi16(x, y))
#else
typedef __m128i ints;
#define ZERO_INTS _mm_setzero_si128()
#define ALL_PAIRS(p) _mm_set1_epi32(p)
#define LOAD_INTS(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE_INTS(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define SUM_INTS(x, y) _mm_add_epi32(x, y)
#define MADD_INTS(s, x, y) _mm_add_epi32(s, _mm_madd_epi16(x, y))
#endif

#define PAIRS(rows, name, attribute, vector, zero, all, load, multiply, sum, store)            \
    attribute static void name##_##rows(const void *a_, const void *b_, int64_t ldb, void *c_, \
                                        int64_t ldc, int64_t depth, bool add)                  \
    {                                                                                          \
        enum { WIDTH = BYTES / 4 };                                                            \
        const int32_t *a = a_, *b = b_;                                                        \
        int32_t *c = c_;                                                                       \
        vector acc[rows][VECTORS];                                                             \
        UNROLL                                                                                 \
        for (int r = 0; r < (rows); r++)                                                       \
            UNROLL                                                                             \
        for (int v = 0; v < VECTORS; v++)                                                      \
            acc[r][v] = zero;                                                                  \
        for (int64_t k = 0; k < depth; k += 2, a += (rows), b += ldb) {                        \
            ints row[VECTORS];                                                                 \
            UNROLL                                                                             \
            for (int v = 0; v < VECTORS; v++)                                                  \
                row[v] = LOAD_INTS(b + v * WIDTH);                                             \
            UNROLL                                                                             \
            for (int r = 0; r < (rows); r++)                                                   \
                UNROLL                                                                         \
            for (int v = 0; v < VECTORS; v++)                                                  \
                acc[r][v] = multiply(acc[r][v], all(a[r]), row[v]);                            \
        }                                                                                      \
        UNROLL                                                                                 \
        for (int r = 0; r < (rows); r++)                                                       \
            UNROLL                                                                             \
        for (int v = 0; v < VECTORS; v++) {                                                    \
            int32_t *to = c + r * ldc + v * WIDTH;                                             \
            store(to, add ? sum(load(to), acc[r][v]) : acc[r][v]);                             \
        }                                                                                      \
    }

TILES(PAIRS, i16, , ints, ZERO_INTS, ALL_PAIRS, LOAD_INTS, MADD_INTS, SUM_INTS, STORE_INTS)
#else
/* Products of 16 bits as ones of 32. */
#endif

#if defined(__AVX512F__) && defined(TSR_KNOWS_BF16)
/* Two products of bf16 added to a sum of f32, each rounded. */
#define BF16 __attribute__((target("avx512bf16")))
#define MADD_BF16(s, x, y) _mm512_dpbf16_ps(s, (__m512bh)(x), (__m512bh)(y))
TILES(PAIRS, bf16, BF16, __m512, _mm512_setzero_ps(), ALL_PAIRS, _mm512_loadu_ps, MADD_BF16,
      _mm512_add_ps, _mm512_storeu_ps)
#endif

/* ---- Tiles of the machine ---- */

#if defined(__AVX512F__)
/* 16 rows of 64 bytes in each of eight. */
typedef struct {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
} tile_config;

/* In memory from the start: the compiler need not know how much of it the instruction reads. */
static const tile_config config = {
    .palette = 1,
    .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
    .rows = {16, 16, 16, 16, 16, 16, 16, 16},
};

/* Two tiles of rows by two of columns; two tiles of A, two of B. The depth is a multiple of 32. */
#define AMX(rows_, second)                                                                 \
    __attribute__((target("amx-tile,amx-bf16"))) static void amx_##rows_(                  \
        const void *a_, const void *b_, int64_t ldb, void *c_, int64_t ldc, int64_t depth, \
        bool add)                                                                          \
    {                                                                                      \
        const char *a = a_, *b = b_;                                                       \
        char *c = c_;                                                                      \
        for (int r = 0; r < (rows_); r++) {                                                \
            __builtin_prefetch(c + r * ldc * 4, 1);                                        \
            __builtin_prefetch(c + r * ldc * 4 + 64, 1);                                   \
        }                                                                                  \
        _tile_zero(0);                                                                     \
        _tile_zero(1);                                                                     \
        if (add) {                                                                         \
            _tile_loadd(0, c, ldc * 4);                                                    \
            _tile_loadd(1, c + 64, ldc * 4);                                               \
        }                                                                                  \
        if (second) {                                                                      \
            _tile_zero(2);                                                                 \
            _tile_zero(3);                                                                 \
        }                                                                                  \
        if ((second) && add) {                                                             \
            _tile_loadd(2, c + 16 * ldc * 4, ldc * 4);                                     \
            _tile_loadd(3, c + 16 * ldc * 4 + 64, ldc * 4);                                \
        }                                                                                  \
        for (int64_t k = 0; k < depth; k += 32, a += (rows_)*64, b += 16 * ldb * 4) {      \
            _tile_loadd(4, a, 64);                                                         \
            _tile_loadd(6, b, ldb * 4);                                                    \
            _tile_loadd(7, b + 64, ldb * 4);                                               \
            _tile_dpbf16ps(0, 4, 6);                                                       \
            _tile_dpbf16ps(1, 4, 7);                                                       \
            if (second) {                                                                  \
                _tile_loadd(5, a + 16 * 64, 64);                                           \
                _tile_dpbf16ps(2, 5, 6);                                                   \
                _tile_dpbf16ps(3, 5, 7);                                                   \
            }                                                                              \
        }                                                                                  \
        _tile_stored(0, c, ldc * 4);                                                       \
        _tile_stored(1, c + 64, ldc * 4);                                                  \
        if (second) {                                                                      \
            _tile_stored(2, c + 16 * ldc * 4, ldc * 4);                                    \
            _tile_stored(3, c + 16 * ldc * 4 + 64, ldc * 4);                               \
        }                                                                                  \
    }
__attribute__((target("amx-tile,amx-bf16"))) static void amx_begin(void)
{
    _tile_loadconfig(&config);
}
__attribute__((target("amx-tile,amx-bf16"))) static void amx_end(void)
{
    _tile_release();
}
AMX(16, false)
AMX(32, true)
#endif

const tsr_micro ISA(tsr_micros)[TSR_MICRO__COUNT] = {
    [TSR_MICRO_F32] = {PICK(f32), TILE_ROWS, VECTORS *BYTES / 4, 1, 1, false, NULL, NULL,
                       PICK(windows)},
    [TSR_MICRO_F64] = {PICK(f64), TILE_ROWS, VECTORS *BYTES / 8, 1, 1, false, NULL, NULL, {0}},
    [TSR_MICRO_I32] = {PICK(i32), TILE_ROWS, VECTORS *BYTES / 4, 1, 1, false, NULL, NULL, {0}},
    [TSR_MICRO_I64] = {PICK(i64), TILE_ROWS, VECTORS *BYTES / 8, 1, 1, false, NULL, NULL, {0}},
#if defined(__SSE2__)
    [TSR_MICRO_I16] = {PICK(i16), TILE_ROWS, VECTORS *BYTES / 4, 2, 2, false, NULL, NULL, {0}},
#endif
#if defined(__AVX512F__)
    [TSR_MICRO_AMX] = {{amx_16, amx_32, amx_32},
                       {16, 32, 32},
                       VECTORS *BYTES / 4,
                       2,
                       32,
                       true,
                       amx_begin,
                       amx_end,
                       {0}},
#endif
#if defined(__AVX512F__) && defined(TSR_KNOWS_BF16)
    [TSR_MICRO_BF16] = {PICK(bf16), TILE_ROWS, VECTORS *BYTES / 4, 2, 2, false, NULL, NULL, {0}},
#endif
};
