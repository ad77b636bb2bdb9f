/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.c - the inner loops of matrix products: tiles of C that stay in registers.
 *
 * A comes in panels with as many rows as a tile, [depth][rows]. B comes in panels with a tile's columns, [depth][cols],
 * or in place, with ldb elements from row to row. Kinds with pairs multiply two steps of the depth at a time, [depth /
 * 2][rows][2]; those of bytes four. */
#include "exec/kernel/isa/fused.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
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

enum {
    VECTORS = 2, /* in a row of a tile */
    AHEAD = 16,  /* rows of B in place that are prefetched */
};
#define FUSED_i32(x, y, z) ((x) * (y) + (z))
#define FUSED_i64(x, y, z) ((x) * (y) + (z))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Prefetches the tile of C, which is needed when the sums are complete. */
#define PREFETCH(type, rows)                          \
    for (int r = 0; r < (rows); r++)                  \
        for (int v = 0; v < VECTORS * BYTES; v += 64) \
            __builtin_prefetch((char *)((type *)c_ + r * ldc) + v, 1);

/* Prefetches n elements, which may begin inside a cache line. */
#define ASK_FOR_ROW(at, n)                              \
    {                                                   \
        for (int v = 0; v < VECTORS * BYTES; v += 64)   \
            __builtin_prefetch((const char *)(at) + v); \
        __builtin_prefetch((at) + (n)-1);               \
    }

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

#define ASK_FOR_PLACES(at, step, each)                     \
    for (int64_t i = 0; i < (each); i++, (at) += (step)) { \
        __builtin_prefetch((at) + 63, 0, 2);               \
        __builtin_prefetch((at) + 127, 0, 2);              \
    }

/* A copying tile reads B in place and writes what it reads to a panel, for the tiles after it: this takes no time, since
 * a tile waits for its multiplications, not for memory. The tile of C, which is needed when the sums are complete, and
 * what later tiles read are prefetched row by row along the depth: many requests at once would hold up those for A and
 * B. */
#define MULTIPLY(rows, name, type)                                                                \
    ALWAYS_INLINE void name##_body_##rows(const type *a, const type *b, int64_t ldb, bool copies, \
                                          type *copy, type *c_, int64_t ldc, int64_t depth,       \
                                          bool add, const char *next, int64_t step, int64_t each) \
    {                                                                                             \
        typedef type vector VECTOR(type);                                                         \
        enum { WIDTH = BYTES / sizeof(type) };                                                    \
        vector acc[rows][VECTORS] = {0};                                                          \
        int64_t k = 0;                                                                            \
        for (int asked = 0; asked < (rows); asked++) {                                            \
            int64_t end = asked + 1 < (rows) ? k + depth / (rows) : depth;                        \
            for (int v = 0; v < VECTORS * BYTES; v += 64)                                         \
                __builtin_prefetch((char *)(c_ + asked * ldc) + v, 1);                            \
            ASK_FOR_PLACES(next, step, each)                                                      \
            for (; k < end; k++, a += (rows), b += ldb) {                                         \
                vector row[VECTORS];                                                              \
                UNROLL                                                                            \
                for (int v = 0; v < VECTORS; v++)                                                 \
                    row[v] = *(const vector *)(b + v * WIDTH);                                    \
                UNROLL                                                                            \
                for (int v = 0; copies && v < VECTORS; v++)                                       \
                    *(vector *)(copy + (k * VECTORS + v) * WIDTH) = row[v];                       \
                if (copies)                                                                       \
                    ASK_FOR_ROW(b + AHEAD * ldb, VECTORS * WIDTH)                                 \
                UNROLL                                                                            \
                for (int r = 0; r < (rows); r++)                                                  \
                    UNROLL                                                                        \
                for (int v = 0; v < VECTORS; v++)                                                 \
                    acc[r][v] = FUSED_##name(EACH_OF(vector, a[r]), row[v], acc[r][v]);           \
            }                                                                                     \
        }                                                                                         \
        STORE(type, vector, rows)                                                                 \
    }                                                                                             \
    static void name##_##rows(const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,    \
                              int64_t depth, bool add)                                            \
    {                                                                                             \
        name##_body_##rows(a, b, ldb, false, NULL, c, ldc, depth, add, NULL, 0, 0);               \
    }

#define MULTIPLY_COPYING(rows, name, body, type)                                              \
    static void name##_##rows(const void *a, const void *b, int64_t ldb, void *copy, void *c, \
                              int64_t ldc, int64_t depth, bool add)                           \
    {                                                                                         \
        body##_body_##rows(a, b, ldb, true, copy, c, ldc, depth, add, NULL, 0, 0);            \
    }

#define MULTIPLY_ASKING(rows, name, body, type)                                                  \
    static void name##_##rows(const void *a, const void *b, void *c, int64_t ldc, int64_t depth, \
                              bool add, const tsr_micro_ahead *next)                             \
    {                                                                                            \
        body##_body_##rows(a, b, VECTORS *BYTES / (int)sizeof(type), false, NULL, c, ldc, depth, \
                           add, next->at, next->step, next->each);                               \
    }

/* Rows of A are read in place. */
#define WINDOWS(rows_, name)                                                                       \
    ALWAYS_INLINE void name##_body_##rows_(                                                        \
        const float *const *rows, const tsr_micro_run *run, int64_t nruns, const float *b,         \
        int64_t ldb, bool copies, float *copy, float *c_, int64_t ldc, bool add, bool chain)       \
    {                                                                                              \
        typedef float vector VECTOR(float);                                                        \
        enum { WIDTH = BYTES / 4 };                                                                \
        PREFETCH(float, rows_)                                                                     \
        vector acc[rows_][VECTORS] = {0};                                                          \
        if (add && chain)                                                                          \
            UNROLL                                                                                 \
        for (int r = 0; r < (rows_); r++)                                                          \
            UNROLL                                                                                 \
        for (int v = 0; v < VECTORS; v++)                                                          \
            acc[r][v] = *(const vector *)(c_ + r * ldc + v * WIDTH);                               \
        for (; nruns > 0; nruns--, run++) {                                                        \
            const float *a[rows_];                                                                 \
            UNROLL                                                                                 \
            for (int r = 0; r < (rows_); r++)                                                      \
                a[r] = rows[r] + run->at;                                                          \
            for (int64_t k = 0; k < run->depth; k++, b += ldb) {                                   \
                vector row[VECTORS];                                                               \
                UNROLL                                                                             \
                for (int v = 0; v < VECTORS; v++)                                                  \
                    row[v] = *(const vector *)(b + v * WIDTH);                                     \
                UNROLL                                                                             \
                for (int v = 0; copies && v < VECTORS; v++, copy += WIDTH)                         \
                    *(vector *)copy = row[v];                                                      \
                if (copies)                                                                        \
                    ASK_FOR_ROW(b + AHEAD * ldb, VECTORS * WIDTH)                                  \
                UNROLL                                                                             \
                for (int r = 0; r < (rows_); r++)                                                  \
                    UNROLL                                                                         \
                for (int v = 0; v < VECTORS; v++)                                                  \
                    acc[r][v] = FUSED_f32(EACH_OF(vector, a[r][k]), row[v], acc[r][v]);            \
            }                                                                                      \
        }                                                                                          \
        add &= !chain;                                                                             \
        STORE(float, vector, rows_)                                                                \
    }                                                                                              \
    static void name##_##rows_(const float *const *rows, const tsr_micro_run *runs, int64_t nruns, \
                               const void *b, void *c, int64_t ldc, bool add, bool chain)          \
    {                                                                                              \
        name##_body_##rows_(rows, runs, nruns, b, VECTORS *BYTES / 4, false, NULL, c, ldc, add,    \
                            chain);                                                                \
    }                                                                                              \
    static void name##_copying_##rows_(const float *const *rows, const tsr_micro_run *runs,        \
                                       int64_t nruns, const void *b, int64_t ldb, void *copy,      \
                                       void *c, int64_t ldc, bool add, bool chain)                 \
    {                                                                                              \
        name##_body_##rows_(rows, runs, nruns, b, ldb, true, copy, c, ldc, add, chain);            \
    }

TILES(WINDOWS, windows)
TILES(MULTIPLY, f32, float)
TILES(MULTIPLY, f64, double)
TILES(MULTIPLY, i32, uint32_t)
TILES(MULTIPLY, i64, uint64_t)
TILES(MULTIPLY_COPYING, f32_copying, f32, float)
TILES(MULTIPLY_COPYING, f64_copying, f64, double)
TILES(MULTIPLY_ASKING, f32_asking, f32, float)
TILES(MULTIPLY_ASKING, f64_asking, f64, double)

/* ---- Pairs of 16 bits ---- */

#if defined(__SSE2__)

typedef uint32_t ints VECTOR(uint32_t);
#define ALL(x) ((ints){0} + (uint32_t)(x))

#if defined(__AVX512F__)
#define MADD_INTS(s, x, y) ((s) + (ints)_mm512_madd_epi16((__m512i)(x), (__m512i)(y)))
#elif defined(__AVX2__)
#define MADD_INTS(s, x, y) ((s) + (ints)_mm256_madd_epi16((__m256i)(x), (__m256i)(y)))
#else
#define MADD_INTS(s, x, y) ((s) + (ints)_mm_madd_epi16((__m128i)(x), (__m128i)(y)))
#endif

/* multiply(sums, the pair of one row broadcast to all columns, pairs of columns). */
#define PAIRS(rows, name, attribute, type, multiply)                                           \
    attribute static void name##_##rows(const void *a_, const void *b_, int64_t ldb, void *c_, \
                                        int64_t ldc, int64_t depth, bool add)                  \
    {                                                                                          \
        typedef type vector VECTOR(type);                                                      \
        enum { WIDTH = BYTES / 4 };                                                            \
        const uint32_t *a = a_, *b = b_;                                                       \
        vector acc[rows][VECTORS] = {0};                                                       \
        for (int64_t k = 0; k < depth; k += 2, a += (rows), b += ldb) {                        \
            ints row[VECTORS];                                                                 \
            UNROLL                                                                             \
            for (int v = 0; v < VECTORS; v++)                                                  \
                row[v] = *(const ints *)(b + v * WIDTH);                                       \
            UNROLL                                                                             \
            for (int r = 0; r < (rows); r++)                                                   \
                UNROLL                                                                         \
            for (int v = 0; v < VECTORS; v++)                                                  \
                acc[r][v] = multiply(acc[r][v], ALL(a[r]), row[v]);                            \
        }                                                                                      \
        STORE(type, vector, rows)                                                              \
    }

TILES(PAIRS, i16, , uint32_t, MADD_INTS)
#else
/* Multiplies 16-bit numbers as 32-bit ones. */
#endif

#if defined(__AVX512F__) && defined(TSR_KNOWS_BF16)
/* Adds two products of bf16 to a sum of f32, each rounded. */
#define BF16 __attribute__((target("avx512bf16")))
#define MADD_BF16(s, x, y) (vector) _mm512_dpbf16_ps((__m512)(s), (__m512bh)(x), (__m512bh)(y))
TILES(PAIRS, bf16, BF16, float, MADD_BF16)
#endif

/* ---- Bytes, four at a time ---- */

/* The instruction multiplies unsigned bytes by signed ones, and adds four products to a 32-bit sum. Panels of A
 * therefore have bytes of the other signedness, with 128 added or subtracted; 128 times the sums of B's columns is then
 * subtracted or added again. All of it wraps. */
#if defined(__AVX512F__)
#define HAS_DOTS 1
#define DOTS __attribute__((target("avx512vnni")))
#define DOT(s, x, y) (ints) _mm512_dpbusd_epi32((__m512i)(s), (__m512i)(x), (__m512i)(y))
#elif defined(__AVX2__)
#define HAS_DOTS 1
#define DOTS __attribute__((target("avxvnni")))
#define DOT(s, x, y) (ints) _mm256_dpbusd_avx_epi32((__m256i)(s), (__m256i)(x), (__m256i)(y))
#endif

#if defined(HAS_DOTS)
#define DOT_I8(s, a, b) DOT(s, a, b)
#define DOT_U8(s, a, b) DOT(s, b, a)
#define QUADS(rows, name, dot)                                                            \
    DOTS static void name##_##rows(const void *a_, const void *b_, int64_t ldb, void *c_, \
                                   int64_t ldc, int64_t depth, bool add)                  \
    {                                                                                     \
        enum { WIDTH = BYTES / 4 };                                                       \
        const uint32_t *a = a_, *b = b_;                                                  \
        ints acc[rows][VECTORS] = {0}, over[VECTORS] = {0};                               \
        for (int64_t k = 0; k < depth; k += 4, a += (rows), b += ldb) {                   \
            ints row[VECTORS];                                                            \
            UNROLL                                                                        \
            for (int v = 0; v < VECTORS; v++) {                                           \
                row[v] = *(const ints *)(b + v * WIDTH);                                  \
                over[v] = dot(over[v], ALL(0x80808080), row[v]);                          \
            }                                                                             \
            UNROLL                                                                        \
            for (int r = 0; r < (rows); r++)                                              \
                UNROLL                                                                    \
            for (int v = 0; v < VECTORS; v++)                                             \
                acc[r][v] = dot(acc[r][v], ALL(a[r]), row[v]);                            \
        }                                                                                 \
        UNROLL                                                                            \
        for (int r = 0; r < (rows); r++)                                                  \
            UNROLL                                                                        \
        for (int v = 0; v < VECTORS; v++)                                                 \
            acc[r][v] -= over[v];                                                         \
        STORE(uint32_t, ints, rows)                                                       \
    }
TILES(QUADS, dot_i8, DOT_I8)
TILES(QUADS, dot_u8, DOT_U8)
#endif

/* ---- Tile instructions of the machine (AMX) ---- */

#if defined(__AVX512F__)
/* Eight tiles of 16 rows of 64 bytes. */
typedef struct {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
} tile_config;

/* In memory from the start: compilers do not know how much of it the instruction reads. */
static const tile_config config = {
    .palette = 1,
    .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
    .rows = {16, 16, 16, 16, 16, 16, 16, 16},
};

/* Two tiles of rows by two of columns; two tiles of A, two of B. A tile of A has 64 bytes of the depth; the depth is a
 * multiple of that many steps. */
#define AMX(rows_, second, name, what, multiply, steps)                                    \
    __attribute__((target("amx-tile," what))) static void name##_##rows_(                  \
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
        for (int64_t k = 0; k < depth; k += (steps), a += (rows_)*64, b += 16 * ldb * 4) { \
            _tile_loadd(4, a, 64);                                                         \
            _tile_loadd(6, b, ldb * 4);                                                    \
            _tile_loadd(7, b + 64, ldb * 4);                                               \
            multiply(0, 4, 6);                                                             \
            multiply(1, 4, 7);                                                             \
            if (second) {                                                                  \
                _tile_loadd(5, a + 16 * 64, 64);                                           \
                multiply(2, 5, 6);                                                         \
                multiply(3, 5, 7);                                                         \
            }                                                                              \
        }                                                                                  \
        _tile_stored(0, c, ldc * 4);                                                       \
        _tile_stored(1, c + 64, ldc * 4);                                                  \
        if (second) {                                                                      \
            _tile_stored(2, c + 16 * ldc * 4, ldc * 4);                                    \
            _tile_stored(3, c + 16 * ldc * 4 + 64, ldc * 4);                               \
        }                                                                                  \
    }
__attribute__((target("amx-tile"))) static void amx_begin(void)
{
    _tile_loadconfig(&config);
}
__attribute__((target("amx-tile"))) static void amx_end(void)
{
    _tile_release();
}
#define AMX_SIZES(...) AMX(16, false, __VA_ARGS__) AMX(32, true, __VA_ARGS__)
AMX_SIZES(amx, "amx-bf16", _tile_dpbf16ps, 32)
AMX_SIZES(amx_i8, "amx-int8", _tile_dpbssd, 64)
AMX_SIZES(amx_u8, "amx-int8", _tile_dpbuud, 64)

#define AMX_MICRO(name, pair, pad)                                                            \
    {                                                                                         \
        {name##_16, name##_32, name##_32}, {16, 32, 32}, VECTORS *BYTES / 4, pair, pad, true, \
            amx_begin, amx_end, {0}, false, {0}, {0},                                         \
        {                                                                                     \
            0                                                                                 \
        }                                                                                     \
    }
#endif

#define PLAIN(name, size, pair, flips)                                                             \
    {                                                                                              \
        PICK(name), TILE_ROWS, VECTORS *BYTES / (size), pair, pair, false, NULL, NULL, {0}, flips, \
            {0}, {0},                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
const tsr_micro ISA(tsr_micros)[TSR_MICRO__COUNT] = {
    [TSR_MICRO_F32] = {PICK(f32), TILE_ROWS, VECTORS *BYTES / 4, 1, 1, false, NULL, NULL,
                       PICK(windows), false, PICK(f32_copying), PICK(windows_copying),
                       PICK(f32_asking)},
    [TSR_MICRO_F64] = {PICK(f64),
                       TILE_ROWS,
                       VECTORS *BYTES / 8,
                       1,
                       1,
                       false,
                       NULL,
                       NULL,
                       {0},
                       false,
                       PICK(f64_copying),
                       {0},
                       PICK(f64_asking)},
    [TSR_MICRO_I32] = PLAIN(i32, 4, 1, false),
    [TSR_MICRO_I64] = PLAIN(i64, 8, 1, false),
#if defined(__SSE2__)
    [TSR_MICRO_I16] = PLAIN(i16, 4, 2, false),
#endif
#if defined(HAS_DOTS)
    [TSR_MICRO_DOT_I8] = PLAIN(dot_i8, 4, 4, true),
    [TSR_MICRO_DOT_U8] = PLAIN(dot_u8, 4, 4, true),
#endif
#if defined(__AVX512F__)
    [TSR_MICRO_AMX] = AMX_MICRO(amx, 2, 32),
    [TSR_MICRO_AMX_I8] = AMX_MICRO(amx_i8, 4, 64),
    [TSR_MICRO_AMX_U8] = AMX_MICRO(amx_u8, 4, 64),
#endif
#if defined(__AVX512F__) && defined(TSR_KNOWS_BF16)
    [TSR_MICRO_BF16] = PLAIN(bf16, 4, 2, false),
#endif
};
