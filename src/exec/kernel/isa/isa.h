/* SPDX-License-Identifier: Apache-2.0 */
/* isa.h - declarations shared by the sources in this folder, each of which is compiled once for each class of machines.
 *
 * The makefile defines TSR_ISA, the name of the class, and sets the compiler's flags for it; exported names end in it.
 * Sources avoid intrinsics where loops will do: compilers vectorize branch-free loops over elements. Nothing here is
 * called before exec/kernel/isa.c has found that the machine supports the class. */
#ifndef TSR_EXEC_KERNEL_ISA_ISA_H
#define TSR_EXEC_KERNEL_ISA_ISA_H

#include "exec/kernel/fft.h"
#include "exec/kernel/scalar.h"
#include "exec/kernel/tile.h"

typedef tsr_tile_fn *tsr_tile_row[TSR_TILE__COUNT];
typedef void tsr_fold_fn(void *lanes, const void *in, size_t n);
typedef tsr_fold_fn *tsr_fold_row[TSR_FOLD__COUNT];
/* Rows of n elements each, to one result each. */
typedef void tsr_four_fn(void *out, const void *in, size_t n, size_t rows);
typedef tsr_four_fn *tsr_four_row[TSR_FOLD__COUNT];
typedef void tsr_dots_fn(void *out, const void *a, const void *b, size_t n, size_t rows);
typedef void tsr_fold_two_fn(void *lanes, void *others, const void *in, const void *from, size_t n);

/* ---- Inner loops of matrix products (isa/gemm.c) ---- */

/* By type of the factors. Sums are f32 (F32, BF16), f64, i64 or i32 (the others). */
typedef enum {
    TSR_MICRO_F32,
    TSR_MICRO_F64,
    TSR_MICRO_I32,
    TSR_MICRO_I64,
    TSR_MICRO_I16,
    TSR_MICRO_BF16,
    TSR_MICRO_AMX,    /* bf16 with the machine's tile instructions */
    TSR_MICRO_DOT_I8, /* bytes, four at a time, */
    TSR_MICRO_DOT_U8,
    TSR_MICRO_AMX_I8, /* and with the machine's tile instructions */
    TSR_MICRO_AMX_U8,
    TSR_MICRO__COUNT
} tsr_micro_kind;

/* A tile of C = or += A * B over the depth. ldb, ldc in elements (ldb in groups, for kinds that have them). */
typedef void tsr_micro_fn(const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,
                          int64_t depth, bool add);

/* The same with rows of A read in place, in runs along the depth. chain: sums continue from those in C, if add says
 * that there are some; otherwise they start from zero and are added to C. */
typedef struct {
    int64_t at, depth;
} tsr_micro_run;
typedef void tsr_window_fn(const float *const *rows, const tsr_micro_run *runs, int64_t nruns,
                           const void *b, void *c, int64_t ldc, bool add, bool chain);

/* The same with B in place, ldb elements from row to row, which is copied to a panel on the way. */
typedef void tsr_copying_fn(const void *a, const void *b, int64_t ldb, void *copy, void *c,
                            int64_t ldc, int64_t depth, bool add);
typedef void tsr_window_copying_fn(const float *const *rows, const tsr_micro_run *runs,
                                   int64_t nruns, const void *b, int64_t ldb, void *copy, void *c,
                                   int64_t ldc, bool add, bool chain);

/* The same with both panels packed; meanwhile prefetches 128 bytes at each of some places for every row of the tile,
 * into the second-level cache. A first line that ends the 128 bytes before it counts as there. */
typedef struct {
    const char *at;
    int64_t step, each; /* bytes from place to place; places for a row */
} tsr_micro_ahead;
typedef void tsr_asking_fn(const void *a, const void *b, void *c, int64_t ldc, int64_t depth,
                           bool add, const tsr_micro_ahead *next);

enum { TSR_MICRO_SIZES = 3, TSR_MICRO_MOST_ROWS = 32, TSR_MICRO_MOST_COLS = 32 };
typedef struct {
    tsr_micro_fn *fn[TSR_MICRO_SIZES]; /* NULL: the class has no such kind */
    uint8_t rows[TSR_MICRO_SIZES];     /* of the tiles, ascending */
    uint8_t cols;
    uint8_t pair; /* steps of the depth that are stored together: 1, 2 or 4 */
    uint8_t pad;  /* the depth of panels is a multiple of this, padded with zeros */
    bool lines;   /* panels of A are [depth / pad][rows][pad] */
    /* Called around the tiles of a block, in their thread; NULL: not needed. */
    void (*begin)(void), (*end)(void);
    tsr_window_fn *windows[TSR_MICRO_SIZES]; /* of the same sizes; NULL: none */
    bool flips; /* panels of A have the highest bit of each byte inverted */
    tsr_copying_fn *copying[TSR_MICRO_SIZES]; /* NULL: none */
    tsr_window_copying_fn *windows_copying[TSR_MICRO_SIZES];
    tsr_asking_fn *asking[TSR_MICRO_SIZES]; /* NULL: none */
} tsr_micro;

/* The smallest tile that has this many rows, or the largest tile. */
static inline int tsr_micro_tile(const tsr_micro *m, int64_t rows)
{
    int i = 0;
    while (i < TSR_MICRO_SIZES - 1 && m->rows[i] < rows)
        i++;
    return i;
}

/* Products with few rows (isa/thin.c): C += A * B, for f32 and f64. ldb: stride between rows of B, or between
 * columns. */
typedef void tsr_thin_fn(const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                         int64_t ldc, int64_t rows, int64_t cols, int64_t depth);
typedef struct {
    tsr_thin_fn *rows[2], *dots[2]; /* B contiguous along its rows; along the depth */
    tsr_thin_fn *in_order[2];       /* as rows, in the memory order of B */
} tsr_thin;

/* Products with few columns (isa/tall.c), for f32 and f64: sums[column][lane] = or += A * B over a part of the depth,
 * where lanes are rows. ldb: row stride of B. */
typedef void tsr_tall_fn(const void *const *rows, int64_t first, int64_t depth, const void *b,
                         int64_t ldb, void *sums, bool add);
enum { TSR_TALL_SIZES = 5, TSR_TALL_COLS = 32, TSR_TALL_LANES = 16 };
typedef struct {
    tsr_tall_fn *fn[2][TSR_TALL_SIZES];
    uint8_t cols[2][TSR_TALL_SIZES]; /* of the loops, ascending; 0: no more */
    uint8_t lanes[2];
    uint8_t most[2]; /* up to this many columns they are the fastest; at most TSR_TALL_COLS */
} tsr_tall;

/* Products of matrices with at most so many rows, columns and steps of the depth (isa/tiny.c). Strides in elements; columns
 * of c are contiguous. */
enum { TSR_TINY = 16 };
typedef struct {
    const float *a, *b;
    float *c;
    int64_t m, n, k, a_m, a_k, b_k, b_n, c_m;
} tsr_tiny;

/* Products in which each column has its own factors (isa/direct.c). */
typedef struct {
    const void *a, *b;
    void *c;
    const int64_t *a_at, *b_at; /* by step of the depth: offsets in elements */
    int64_t row, ldc;           /* row strides of a and of c */
    int64_t rows, cols, depth;
    bool add;
} tsr_direct;
typedef void tsr_direct_fn(const tsr_direct *d);

/* Transforms of convolutions with 3x3 windows (isa/winograd.c). n is a multiple of a vector's numbers; the 16 numbers of a
 * transformed tile are apart elements from one another. */
enum { TSR_WINOGRAD_LANES = 16 };
typedef struct {
    /* A tile of 4x4 pixels with n channels each, of an image with these strides. */
    void (*image)(const float *in, int64_t row, int64_t col, int64_t n, float *out, int64_t apart);
    /* Nine rows of n weights, and their magnitudes as below. */
    void (*weights)(const float *const *in, int64_t n, float *out, int64_t apart, float *most,
                    float *sum);
    /* Sums, as 2x2 pixels; NULL: a pixel is outside. */
    void (*result)(const float *in, int64_t apart, int64_t n, float *const *out);
    /* Updates the largest magnitude and the sum of magnitudes in each lane, for any n. */
    void (*survey)(const float *in, int64_t n, float *most, float *sum);
} tsr_winograd_fns;

/* ---- The innermost parts of factorizations (isa/linalg.c) ---- */

enum { TSR_LEAF = 64 }; /* rows and columns of a block */

/* Solves a x = b, in place of b; a: a triangle of order n <= TSR_LEAF. Strides in elements. */
typedef struct {
    const void *a;
    void *b;
    int64_t a_r, a_c, b_r, b_c, n;
    /* Use the conjugate of a; the triangle that is read; its diagonal is one, and not read. */
    bool conj, upper, unit;
} tsr_leaf_solve;
typedef struct {
    /* c[i * step] += or -= x[i], for real or imaginary parts. */
    void (*add)(void *c, int64_t step, const void *x, int64_t n, bool minus);
    /* a = l l^H in the lower triangle, of order n <= TSR_LEAF. Returns 0, or the order of the first minor that is not
     * positive. */
    int64_t (*potrf)(void *a, int64_t rs, int64_t cs, int64_t n);
    void (*solve)(const tsr_leaf_solve *s, int64_t first, int64_t cols); /* cols <= TSR_LEAF */
    /* On contiguous columns, ld apart, n <= m: l u and pivots from 1; q r and tau. */
    int64_t (*getrf)(void *a, int64_t ld, int64_t m, int64_t n, int32_t *pivots);
    void (*geqrf)(void *a, int64_t ld, int64_t m, int64_t n, void *tau);
    /* Computes t (n x n) of n reflectors, whose product is 1 - v t v^H; products: v^H v. */
    void (*block)(void *t, const void *products, const void *tau, int64_t n);
    /* Real numbers only. q^T a q is tridiagonal: d (n) and e (n - 1). Both triangles of a are read; row i of the upper
     * one receives reflector i. work: 2 n. */
    void (*sytrd)(void *a, int64_t n, double *d, double *e, void *tau, void *work);
    /* q^T a p is bidiagonal: d (n), e (n - 1) above it. Columns are contiguous, m >= n. Reflectors of q are stored in
     * columns from the diagonal on, those of p in rows after it. work: 2 max(m, n). */
    void (*gebrd)(void *a, int64_t m, int64_t n, double *d, double *e, void *tau_q, void *tau_p,
                  void *work);
    /* For each i < count in order, rows i (x) and i + 1 (y) of n numbers become c[i] x + s[i] y and c[i] y - s[i] x. */
    void (*rotate)(void *rows, int64_t ld, int64_t count, const double *c, const double *s,
                   int64_t n);
} tsr_leaves;

/* Fourier transforms (isa/fft.c), for f32 and f64. apart: TSR_FFT_FROM_PAIRS for one transform in memory, or its
 * inverse; times: products of complex numbers. */
typedef struct {
    tsr_fft_fn *run[2];
    void (*apart[2])(void *at, const void *mix, int64_t n, int64_t from, int64_t to, bool joins);
    void (*times[2])(void *out, const void *a, const void *b, int64_t n, double scale, bool swap_in,
                     bool swap_out);
} tsr_fft_fns;

/* A strip of a matrix to be packed (isa/pack.c). */
typedef struct {
    const char *src;
    void *out;
    /* Stride in bytes from line to line (of the width), from step to step (of the depth). */
    int64_t line, step;
    /* Byte offset of each step, instead of step, if lines are contiguous; NULL: none. */
    const int64_t *at;
    int64_t lines, depth; /* that exist; the panel has width lines */
    int width, pair;
    uint32_t elem; /* bytes: 1, 2, 4, 8 */
    bool part;     /* a part of a panel: others fill the rest, zeros included */
    bool flips;    /* invert the highest bit of each byte, for single bytes */
} tsr_pack;

/* Elements of a table at computed places (isa/places.c): the sum over its dimensions of an index, clamped to room,
 * times a stride; indices and places have 32 bits, or 64 (wide). */
typedef struct {
    const void *index[TSR_TILE_OPERANDS];
    const void *base; /* by element: where its place is counted from; NULL: from first */
    int64_t room[TSR_TILE_OPERANDS], stride[TSR_TILE_OPERANDS], first, n;
    const char *next; /* what is prefetched meanwhile: so many lines */
    int64_t lines;
    int dims;
    uint32_t bytes; /* of an element: 1, 2, 4, 8 */
    bool wide;
    /* Of each two elements, the second one follows the first in the table; bytes is 4, and n even. */
    bool pairs;
} tsr_lookup;

/* Element at[i] of whole becomes element i of part, or their sum, in order; none where at[i] is negative. */
typedef struct {
    void *whole;
    const void *at, *part;
    int64_t n;
    tsr_dtype type;
    bool wide; /* at has 64 bits, otherwise 32 */
    bool one;  /* part is one element */
    bool adds;
} tsr_put;

/* A list of rows of a table, and of the positions of an index that select them. */
enum { TSR_ROWS_AHEAD = 32 };
typedef struct {
    int32_t *row, *position; /* with room for TSR_ROWS_AHEAD more */
    uint32_t first, rows;    /* which rows: from first on */
} tsr_row_list;

/* Rows of updates that are added to rows of a table, in order. */
typedef struct {
    void *whole;
    const void *part;
    /* Numbers of n rows of the table and of updates, and of TSR_ROWS_AHEAD later ones, which are prefetched. */
    const int32_t *row, *position;
    int64_t n, cols, row_step,
        step; /* rows of the table, and of updates, are row_step and step elements apart */
} tsr_add_rows;

/* Random bits (isa/random.c): the counter of Philox has an upper half. */
typedef struct {
    uint64_t key, counter, upper;
} tsr_random;

/* A format of floats of at most eight bits. */
typedef struct {
    uint8_t mbits, bias;
    uint8_t sign;      /* its sign bit; the bits below it are the field */
    uint8_t most;      /* the field of the largest number */
    uint8_t over, nan; /* positive encodings: of numbers beyond the largest, and of NaN */
    uint16_t infinity; /* the field; 256: there is none */
    bool over_sign;    /* numbers beyond the largest keep their sign */
    bool one_zero;     /* -0 is NaN */
} tsr_narrow;

/* All kernels of one class. */
typedef struct {
    const char *name;
    const tsr_tile_row *f32, *f64;   /* [TSR_TILE_FORMS] */
    const tsr_tile_row *const *ints; /* [TSR_D_U64 + 1][2]: all elements, some scalars */
    tsr_tile_fn *const (*converts)[TSR_D__COUNT]; /* [to][from] */
    tsr_tile_fn *const *nearest;                  /* [TSR_NEAREST__COUNT] */
    const tsr_fold_row *folds, *int_folds;        /* [TSR_D__COUNT]: of floats, of other types */
    /* Folds of whole rows, of floats: the result replaces the neutral element. */
    const tsr_fold_row *row_folds;
    /* The same for TSR_FOLD_SHORT rows of at most TSR_FOLD_LANES elements each; the first result replaces the neutral
     * element. */
    const tsr_fold_row *short_folds;
    /* The same for any number of rows, of floats and of integers: sums and products of floats are faster than those
     * above if the number of elements is a power of two. */
    const tsr_four_row *four_folds;
    tsr_dots_fn *const *dots;         /* of f32, of f64: sums of products */
    tsr_fold_two_fn *const *sums_two; /* of f32, of f64: n is a multiple of 64 */
    void (*stream)(void *dst, const void *src, size_t bytes); /* dst and bytes: multiples of 64 */
    void (*fill)(void *dst, const void *value, size_t size, size_t n); /* size: 1, 2, 4, 8 */
    /* Stores start, start + step, ...; false: not for this type. */
    bool (*count)(tsr_dtype type, void *dst, int64_t start, int64_t step, size_t n);
    void (*narrow)(const tsr_narrow *f, const float *in, uint8_t *out, size_t n);
    void (*widen)(const tsr_narrow *f, const uint8_t *in, float *out, size_t n);
    const tsr_micro *micros; /* by tsr_micro_kind */
    const tsr_thin *thins;
    const tsr_tall *talls;
    void (*tiny)(const tsr_tiny *t);
    tsr_direct_fn *const *directs; /* of f32, of f64 */
    const tsr_winograd_fns *winograds;
    const tsr_fft_fns *ffts;
    void (*pack)(const tsr_pack *p);
    /* out[j][i] = in[i][j], i < rows, j < cols; from, to: row strides in bytes. */
    void (*transpose)(uint32_t elem, const char *in, int64_t from, char *out, int64_t to,
                      int64_t rows, int64_t cols);
    void (*look_up)(const tsr_lookup *l, const void *table, void *out);
    /* at[i] += index[i] * stride; -1: index[i] is not from 0 to room, or at[i] is negative. wide: both have 64 bits,
     * otherwise 32. */
    void (*find_places)(bool wide, void *at, const void *index, int64_t n, int64_t room,
                        int64_t stride);
    bool (*put)(const tsr_put *p); /* false: not for this type */
    /* Adds the positions from first on, whose rows index gives, to a list of `listed` ones; returns how many it has. */
    int64_t (*list_rows)(const tsr_row_list *l, const int32_t *index, int64_t n, int32_t first,
                         int64_t listed);
    /* False: not for this type. */
    bool (*add_rows)(tsr_dtype type, const tsr_add_rows *r);
    /* n blocks from number first on: of four words each, in order; of two words, each in an array of its own. */
    void (*philox)(const tsr_random *r, int64_t first, int64_t n, uint32_t *out);
    void (*threefry)(const tsr_random *r, int64_t first, int64_t n, uint32_t *one, uint32_t *other);
    /* Words: elements of four bytes. spread: to[i * n + k] = from[i], k < n. take: to[i] = from[i * stride]; what follows
     * the last one is not read; false: not for this stride. */
    void (*spread)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t n);
    bool (*take)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t stride);
    /* Folds rows of n elements; false: it is no such fold, or there are many elements. */
    bool (*fold_few)(tsr_fold_op op, float *out, const float *in, int64_t rows, int64_t n);
    /* Adds rows of n elements to n sums, in order; false: there are too many sums. */
    bool (*add_columns)(float *sums, const float *from, int64_t rows, int64_t n);
    tsr_scalar_fn *scalars;
    const tsr_leaves *leaves; /* of f32, f64, c64, c128 */
} tsr_isa;

/* The class in use. */
const tsr_isa *tsr_isa_now(void);
/* Whether products of pairs of bf16 (AVX512-BF16) are the fastest: where they run at half the rate of f32 (Intel), they
 * are not used. */
bool tsr_isa_has_bf16(void);
/* Whether large matrices must be read in memory order: the hardware prefetches nothing else (AMD with AVX-512). */
bool tsr_isa_reads_in_order(void);
/* Whether the machine's tile instructions (AMX-BF16) may be used, and the system allows it. */
bool tsr_isa_has_amx(void);

/* How bytes are multiplied, best last: as pairs of 16 bits (or of 32, where a class has none), four at a time
 * (AVX512-VNNI, AVX-VNNI), or with the machine's tile instructions (AMX-INT8). */
typedef enum { TSR_BYTES_WIDE, TSR_BYTES_DOT, TSR_BYTES_AMX } tsr_bytes;
/* The best method of the class in use, on this machine. */
tsr_bytes tsr_isa_bytes(void);
/* For tests: use no better method than this. */
void tsr_isa_limit_bytes(tsr_bytes most);
/* For tests: what tsr_isa_near_bytes says from now on; -1: the truth. */
void tsr_isa_assume_near_bytes(int64_t bytes);
#if defined(__x86_64__) && \
    !(defined(__clang__) && __clang_major__ == 16) /* clang 16 crashes on its instructions */
#define TSR_KNOWS_BF16 1
#endif

#if !defined(TSR_ISA)
#if defined(__aarch64__)
#define TSR_ISA neon
#else
#define TSR_ISA baseline
#endif
#endif

#define TSR_ISA_JOIN2(name, isa) name##_##isa
#define TSR_ISA_JOIN(name, isa) TSR_ISA_JOIN2(name, isa)
#define ISA(name) TSR_ISA_JOIN(name, TSR_ISA)

#define TSR_ISA_DECLARE(isa)                                                                       \
    extern const tsr_tile_row tsr_tiles_f32_##isa[TSR_TILE_FORMS];                                 \
    extern const tsr_tile_row tsr_tiles_f64_##isa[TSR_TILE_FORMS];                                 \
    extern const tsr_tile_row *const tsr_tiles_int_##isa[TSR_D_U64 + 1];                           \
    extern tsr_tile_fn *const tsr_converts_##isa[TSR_D__COUNT][TSR_D__COUNT];                      \
    extern tsr_tile_fn *const tsr_nearest_##isa[TSR_NEAREST__COUNT];                               \
    extern const tsr_fold_row tsr_folds_##isa[TSR_D__COUNT];                                       \
    extern const tsr_fold_row tsr_int_folds_##isa[TSR_D__COUNT];                                   \
    extern const tsr_fold_row tsr_row_folds_##isa[TSR_D__COUNT];                                   \
    extern const tsr_fold_row tsr_short_folds_##isa[TSR_D__COUNT];                                 \
    extern const tsr_four_row tsr_four_folds_##isa[TSR_D__COUNT];                                  \
    extern tsr_dots_fn *const tsr_dots_##isa[2];                                                   \
    extern tsr_fold_two_fn *const tsr_sums_two_##isa[2];                                           \
    void tsr_stream_##isa(void *dst, const void *src, size_t bytes);                               \
    void tsr_fill_##isa(void *dst, const void *value, size_t size, size_t n);                      \
    bool tsr_count_##isa(tsr_dtype type, void *dst, int64_t start, int64_t step, size_t n);        \
    void tsr_narrow_floats_##isa(const tsr_narrow *f, const float *in, uint8_t *out, size_t n);    \
    void tsr_widen_floats_##isa(const tsr_narrow *f, const uint8_t *in, float *out, size_t n);     \
    extern const tsr_micro tsr_micros_##isa[TSR_MICRO__COUNT];                                     \
    extern const tsr_thin tsr_thins_##isa;                                                         \
    extern const tsr_tall tsr_talls_##isa;                                                         \
    void tsr_tiny_product_##isa(const tsr_tiny *t);                                                \
    extern tsr_direct_fn *const tsr_directs_##isa[2];                                              \
    extern const tsr_winograd_fns tsr_winograds_##isa;                                             \
    extern const tsr_fft_fns tsr_ffts_##isa;                                                       \
    void tsr_pack_panel_##isa(const tsr_pack *p);                                                  \
    void tsr_transpose_block_##isa(uint32_t elem, const char *in, int64_t from, char *out,         \
                                   int64_t to, int64_t rows, int64_t cols);                        \
    void tsr_look_up_##isa(const tsr_lookup *l, const void *table, void *out);                     \
    void tsr_places_find_##isa(bool wide, void *at, const void *index, int64_t n, int64_t room,    \
                               int64_t stride);                                                    \
    bool tsr_elements_put_##isa(const tsr_put *p);                                                 \
    int64_t tsr_rows_list_##isa(const tsr_row_list *l, const int32_t *index, int64_t n,            \
                                int32_t first, int64_t listed);                                    \
    bool tsr_rows_add_##isa(tsr_dtype type, const tsr_add_rows *r);                                \
    void tsr_words_spread_##isa(uint32_t *to, const uint32_t *from, int64_t rows, int64_t n);      \
    bool tsr_words_take_##isa(uint32_t *to, const uint32_t *from, int64_t rows, int64_t stride);   \
    bool tsr_few_fold_##isa(tsr_fold_op op, float *out, const float *in, int64_t rows, int64_t n); \
    bool tsr_columns_add_##isa(float *sums, const float *from, int64_t rows, int64_t n);           \
    void tsr_philox_blocks_##isa(const tsr_random *r, int64_t first, int64_t n, uint32_t *out);    \
    void tsr_threefry_blocks_##isa(const tsr_random *r, int64_t first, int64_t n, uint32_t *one,   \
                                   uint32_t *other);                                               \
    bool tsr_scalars_##isa(const tsr_scalar *list, int64_t *iterations);                           \
    extern const tsr_leaves tsr_leaves_of_##isa[4];
TSR_ISA_DECLARE(baseline)
TSR_ISA_DECLARE(avx2)
TSR_ISA_DECLARE(avx512)
TSR_ISA_DECLARE(neon)

/* ---- Loops ---- */

/* Iterations are independent, although the result may overwrite an operand. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* A kernel, given its operands and the values it reads at each element. */
#define LOOP(fn, type, result, expr, operands, reads)             \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        operands;                                                 \
        result *o_ = out_;                                        \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            reads;                                                \
            o_[i_] = (result)(expr);                              \
        }                                                         \
    }
#define OPERAND(type, p, k) const type *p = in_[k]
#define READ(type, v, p) type v = p[i_]
#define LOOP1(fn, type, result, expr) \
    LOOP(fn, type, result, expr, OPERAND(type, a_, 0), READ(type, x, a_))
#define LOOP2(fn, type, result, expr)                                                           \
    LOOP(fn, type, result, expr, OPERAND(type, a_, 0); OPERAND(type, b_, 1), READ(type, x, a_); \
         READ(type, y, b_))
#define LOOP3(fn, type, result, expr)                                        \
    LOOP(fn, type, result, expr, OPERAND(type, a_, 0); OPERAND(type, b_, 1); \
         OPERAND(type, c_, 2), READ(type, x, a_); READ(type, y, b_); READ(type, z, c_))
#define LOOP4(fn, type, result, expr)                                                              \
    LOOP(fn, type, result, expr, OPERAND(type, a_, 0); OPERAND(type, b_, 1); OPERAND(type, c_, 2); \
         OPERAND(type, d_, 3), READ(type, x, a_); READ(type, y, b_); READ(type, z, c_);            \
         READ(type, w, d_))
/* The operands in mask are scalars: one number each. */
#define EITHER(type, p, one, k) \
    OPERAND(type, p, k);        \
    const type one = *p
#define READ_EITHER(type, v, p, one, k, mask) type v = (mask) >> (k)&1 ? one : p[i_]
#define LOOP_FORM2(fn, type, expr, mask)                                   \
    LOOP(fn, type, type, expr, EITHER(type, a_, x1_, 0);                   \
         EITHER(type, b_, y1_, 1), READ_EITHER(type, x, a_, x1_, 0, mask); \
         READ_EITHER(type, y, b_, y1_, 1, mask))
#define LOOP_FORM3(fn, type, expr, mask)                                           \
    LOOP(fn, type, type, expr, EITHER(type, a_, x1_, 0); EITHER(type, b_, y1_, 1); \
         EITHER(type, c_, z1_, 2), READ_EITHER(type, x, a_, x1_, 0, mask);         \
         READ_EITHER(type, y, b_, y1_, 1, mask); READ_EITHER(type, z, c_, z1_, 2, mask))
#define LOOP_FORM4(fn, type, expr, mask)                                                 \
    LOOP(fn, type, type, expr, EITHER(type, a_, x1_, 0); EITHER(type, b_, y1_, 1);       \
         EITHER(type, c_, z1_, 2);                                                       \
         EITHER(type, d_, w1_, 3), READ_EITHER(type, x, a_, x1_, 0, mask);               \
         READ_EITHER(type, y, b_, y1_, 1, mask); READ_EITHER(type, z, c_, z1_, 2, mask); \
         READ_EITHER(type, w, d_, w1_, 3, mask))
/* Numbers up to F(bound) in a vector loop. The others are rare: they are saved, since the result may overwrite them,
 * and computed one by one afterwards. */
#define LOOP_BOUNDED(fn, type, near_, far_)                         \
    static void fn(void *out_, const void *const *in_, size_t n_)   \
    {                                                               \
        const type *a_ = in_[0];                                    \
        type *o_ = out_, kept_[64];                                 \
        for (size_t k_ = 0; k_ < n_; k_ += 64) {                    \
            size_t end_ = n_ - k_ < 64 ? n_ : k_ + 64, others_ = 0; \
            for (size_t i_ = k_; i_ < end_; i_++)                   \
                others_ += !(F(abs)(a_[i_]) <= F(bound));           \
            if (others_)                                            \
                memcpy(kept_, a_ + k_, (end_ - k_) * sizeof *a_);   \
            INDEPENDENT                                             \
            for (size_t i_ = k_; i_ < end_; i_++) {                 \
                type x = a_[i_];                                    \
                o_[i_] = (near_);                                   \
            }                                                       \
            for (size_t i_ = k_; others_ && i_ < end_; i_++) {      \
                type x = kept_[i_ - k_];                            \
                if (!(F(abs)(x) <= F(bound)))                       \
                    o_[i_] = (far_);                                \
            }                                                       \
        }                                                           \
    }
/* Divides by one number: multiplies by its reciprocal and corrects with two remainders, which gives the bits of a
 * division unless an intermediate value overflows or underflows. A block where it could, or with such a divisor, is
 * divided: numbers are outside if a difference of their bits, without the sign, from those of a bound is negative. */
#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
#define LOOP_DIVIDE(fn, type, F)                                         \
    static void fn(void *out_, const void *const *in_, size_t n_)        \
    {                                                                    \
        const type *a_ = in_[0], y = *(const type *)in_[1], by_ = 1 / y; \
        const F(int) least_ = F(int_of)(F(least_ratio));                 \
        const F(int) most_ = F(int_of)(1 / F(least_ratio));              \
        const F(int) own_ = F(int_of)(F(abs)(y));                        \
        type *o_ = out_;                                                 \
        for (size_t k_ = 0; k_ < n_; k_ += 64) {                         \
            size_t end_ = n_ - k_ < 64 ? n_ : k_ + 64;                   \
            F(int) outside_ = (own_ - least_) | (most_ - own_);          \
            for (size_t i_ = k_; i_ < end_; i_++) {                      \
                F(int) x = F(int_of)(F(abs)(a_[i_]));                    \
                outside_ |= (x - least_) | (most_ - x);                  \
            }                                                            \
            if (outside_ < 0)                                            \
                INDEPENDENT                                              \
            for (size_t i_ = k_; i_ < end_; i_++)                        \
                o_[i_] = a_[i_] / y;                                     \
            else INDEPENDENT for (size_t i_ = k_; i_ < end_; i_++)       \
            {                                                            \
                type x = a_[i_], q_ = x * by_;                           \
                q_ = F(fma)(F(fma)(-q_, y, x), by_, q_);                 \
                o_[i_] = F(fma)(F(fma)(-q_, y, x), by_, q_);             \
            }                                                            \
        }                                                                \
    }
#else
#define LOOP_DIVIDE(fn, type, F) LOOP_FORM2(fn, type, x / y, 2)
#endif
/* The first operand is i1. */
#define LOOP_SELECT(fn, type)                                     \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        const uint8_t *p_ = in_[0];                               \
        const type *a_ = in_[1], *b_ = in_[2];                    \
        type *o_ = out_;                                          \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            type x = a_[i_], y = b_[i_];                          \
            o_[i_] = p_[i_] & 1 ? x : y;                          \
        }                                                         \
    }

/* Loops with a small constant number of iterations. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
/* Bytes of a vector, and a vector type aligned as its element type. */
#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX2__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
#define VECTOR(type) __attribute__((vector_size(BYTES), aligned(sizeof(type)), may_alias))

#endif
