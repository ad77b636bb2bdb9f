/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - reducers that need no body: lines by element type, and the loops around them. */
#include "eval/math/fold.h"

#include <math.h>

#include "base/scope.h"

/* ---- Lines ---- */

typedef struct {
    float re, im;
} c64;
typedef struct {
    double re, im;
} c128;

/* Both arrays of a fold are aligned to the element, and do not overlap. */
#define LINE(name, type, expr)                                                                     \
    static void name##_line(const tsr_fold *f, char *to, int64_t ts, const char *from, int64_t fs, \
                            int64_t n)                                                             \
    {                                                                                              \
        const int64_t size = sizeof(type);                                                         \
        (void)f;                                                                                   \
        if (ts == 0) {                                                                             \
            type a = *(type *)to;                                                                  \
            if (fs == size) {                                                                      \
                const type *restrict q = (const type *)from;                                       \
                for (int64_t i = 0; i < n; i++) {                                                  \
                    type b = q[i];                                                                 \
                    a = (expr);                                                                    \
                }                                                                                  \
            } else {                                                                               \
                for (int64_t i = 0; i < n; i++) {                                                  \
                    type b = *(const type *)(from + i * fs);                                       \
                    a = (expr);                                                                    \
                }                                                                                  \
            }                                                                                      \
            *(type *)to = a;                                                                       \
        } else if (ts == size && fs == size) {                                                     \
            type *restrict p = (type *)to;                                                         \
            const type *restrict q = (const type *)from;                                           \
            for (int64_t i = 0; i < n; i++) {                                                      \
                type a = p[i], b = q[i];                                                           \
                p[i] = (expr);                                                                     \
            }                                                                                      \
        } else {                                                                                   \
            for (int64_t i = 0; i < n; i++) {                                                      \
                type a = *(type *)(to + i * ts), b = *(const type *)(from + i * fs);               \
                *(type *)(to + i * ts) = (expr);                                                   \
            }                                                                                      \
        }                                                                                          \
    }

#define STEP(type, k, expr)                                           \
    {                                                                 \
        type a = acc##k, b = *(const type *)(from + (k)*rs + i * fs); \
        acc##k = (expr);                                              \
    }
#define ROWS(name, type, expr)                                                              \
    static void name##_rows(char *to, int64_t ts, const char *from, int64_t rs, int64_t fs, \
                            int64_t n)                                                      \
    {                                                                                       \
        type acc0 = *(type *)to, acc1 = *(type *)(to + ts), acc2 = *(type *)(to + 2 * ts);  \
        type acc3 = *(type *)(to + 3 * ts);                                                 \
        for (int64_t i = 0; i < n; i++) {                                                   \
            STEP(type, 0, expr)                                                             \
            STEP(type, 1, expr)                                                             \
            STEP(type, 2, expr)                                                             \
            STEP(type, 3, expr)                                                             \
        }                                                                                   \
        *(type *)to = acc0;                                                                 \
        *(type *)(to + ts) = acc1;                                                          \
        *(type *)(to + 2 * ts) = acc2;                                                      \
        *(type *)(to + 3 * ts) = acc3;                                                      \
    }

/* The two 16-bit floats. A sum computed in float and rounded again equals the sum rounded once: float has more than
 * twice the bits. */
static inline float bf16_float(uint16_t v)
{
    uint32_t bits = (uint32_t)v << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static inline uint16_t float_bf16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    /* NaN stays NaN. */
    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static inline float f16_float(uint16_t v)
{
    uint32_t sign = (uint32_t)(v & 0x8000) << 16, rest = (uint32_t)(v & 0x7FFF) << 13;
    float f;
    if ((v & 0x7C00) == 0x7C00)
        rest |= 0x7F800000; /* infinity or NaN */
    memcpy(&f, &rest, 4);
    /* The difference of the exponents' biases; exact for subnormals too. */
    if ((v & 0x7C00) != 0x7C00)
        f *= 0x1p112f;
    memcpy(&rest, &f, 4);
    rest |= sign;
    memcpy(&f, &rest, 4);
    return f;
}

static inline uint16_t float_f16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7FFFFFFF;
    if (bits > 0x7F800000)
        return (uint16_t)(sign | 0x7E00);
    if (bits >= 0x477FF000) /* rounds to 65536 or more */
        return (uint16_t)(sign | 0x7C00);
    if (bits <
        0x38800000) { /* below the smallest normal: adding 1/2 leaves units of 2^-24 in the mantissa */
        float v;
        memcpy(&v, &bits, 4);
        v += 0.5f;
        memcpy(&bits, &v, 4);
        return (uint16_t)(sign | (bits - 0x3F000000));
    }
    return (uint16_t)(sign | ((bits - 0x38000000 + 0xFFF + (bits >> 13 & 1)) >> 13));
}

/* NaN wins; of two zeros, the one with the right sign. */
#define MAX(a, b) ((a) > (b) || (a) != (a) ? (a) : (a) == 0 && (b) == 0 ? (a) + (b) : (b))
#define MIN(a, b) ((a) < (b) || (a) != (a) ? (a) : (a) == 0 && (b) == 0 ? -(-(a) - (b)) : (b))

LINE(add_u8, uint8_t, (uint8_t)(a + b))
LINE(add_u16, uint16_t, (uint16_t)(a + b))
LINE(add_u32, uint32_t, a + b)
LINE(add_u64, uint64_t, a + b)
LINE(add_f32, float, a + b)
ROWS(add_f32, float, a + b)
LINE(add_f64, double, a + b)
ROWS(add_f64, double, a + b)
LINE(add_c64, c64, ((c64){a.re + b.re, a.im + b.im}))
LINE(add_c128, c128, ((c128){a.re + b.re, a.im + b.im}))
LINE(add_bf16, uint16_t, float_bf16(bf16_float(a) + bf16_float(b)))
ROWS(add_bf16, uint16_t, float_bf16(bf16_float(a) + bf16_float(b)))
LINE(add_f16, uint16_t, float_f16(f16_float(a) + f16_float(b)))
ROWS(add_f16, uint16_t, float_f16(f16_float(a) + f16_float(b)))
LINE(mul_u8, uint8_t, (uint8_t)(a *b))
LINE(mul_u16, uint16_t, (uint16_t)((uint32_t)a *b))
LINE(mul_u32, uint32_t, a *b)
LINE(mul_u64, uint64_t, a *b)
LINE(mul_f32, float, a *b)
ROWS(mul_f32, float, a *b)
LINE(mul_f64, double, a *b)
ROWS(mul_f64, double, a *b)
LINE(min_i8, int8_t, a < b ? a : b)
LINE(min_i16, int16_t, a < b ? a : b)
LINE(min_i32, int32_t, a < b ? a : b)
LINE(min_i64, int64_t, a < b ? a : b)
LINE(min_u8, uint8_t, a < b ? a : b)
LINE(min_u16, uint16_t, a < b ? a : b)
LINE(min_u32, uint32_t, a < b ? a : b)
LINE(min_u64, uint64_t, a < b ? a : b)
LINE(min_f32, float, MIN(a, b))
ROWS(min_f32, float, MIN(a, b))
LINE(min_f64, double, MIN(a, b))
ROWS(min_f64, double, MIN(a, b))
LINE(max_i8, int8_t, a > b ? a : b)
LINE(max_i16, int16_t, a > b ? a : b)
LINE(max_i32, int32_t, a > b ? a : b)
LINE(max_i64, int64_t, a > b ? a : b)
LINE(max_u8, uint8_t, a > b ? a : b)
LINE(max_u16, uint16_t, a > b ? a : b)
LINE(max_u32, uint32_t, a > b ? a : b)
LINE(max_u64, uint64_t, a > b ? a : b)
LINE(max_f32, float, MAX(a, b))
ROWS(max_f32, float, MAX(a, b))
LINE(max_f64, double, MAX(a, b))
ROWS(max_f64, double, MAX(a, b))
LINE(max_bf16, uint16_t, float_bf16(MAX(bf16_float(a), bf16_float(b))))
LINE(min_bf16, uint16_t, float_bf16(MIN(bf16_float(a), bf16_float(b))))
LINE(and_u8, uint8_t, (uint8_t)(a &b))
LINE(and_u16, uint16_t, (uint16_t)(a &b))
LINE(and_u32, uint32_t, a &b)
LINE(and_u64, uint64_t, a &b)
LINE(or_u8, uint8_t, (uint8_t)(a | b))
LINE(or_u16, uint16_t, (uint16_t)(a | b))
LINE(or_u32, uint32_t, a | b)
LINE(or_u64, uint64_t, a | b)
LINE(xor_u8, uint8_t, (uint8_t)(a ^ b))
LINE(xor_u16, uint16_t, (uint16_t)(a ^ b))
LINE(xor_u32, uint32_t, a ^ b)
LINE(xor_u64, uint64_t, a ^ b)

/* ---- Other small floats, and products: through doubles, rounded after each step ---- */

static double apply(tsr_reduce_kind op, double a, double b)
{
    switch (op) {
    case TSR_REDUCE_SUM: return a + b;
    case TSR_REDUCE_PRODUCT: return a * b;
    case TSR_REDUCE_MIN: return MIN(a, b);
    default: return MAX(a, b);
    }
}

enum { CHUNK = 256 };

static void gather_chunk(const char *from, int64_t fs, size_t size, int64_t n, double *out,
                         tsr_dtype d)
{
    char raw[CHUNK * 2];
    for (int64_t i = 0; i < n; i++)
        memcpy(raw + (size_t)i * size, from + i * fs, size);
    tsr_to_doubles(d, raw, out, n);
}

static void small_line(const tsr_fold *f, char *to, int64_t ts, const char *from, int64_t fs,
                       int64_t n)
{
    double a[CHUNK], b[CHUNK];
    char raw[CHUNK * 2];
    bool rounds = f->op == TSR_REDUCE_SUM || f->op == TSR_REDUCE_PRODUCT;
    for (int64_t at = 0; at < n; at += CHUNK) {
        int64_t k = n - at < CHUNK ? n - at : CHUNK;
        gather_chunk(from + at * fs, fs, f->size, k, b, f->dtype);
        if (ts == 0) {
            tsr_to_doubles(f->dtype, to, a, 1);
            for (int64_t i = 0; i < k; i++) {
                a[0] = apply(f->op, a[0], b[i]);
                if (rounds) {
                    tsr_from_doubles(f->dtype, a, raw, 1);
                    tsr_to_doubles(f->dtype, raw, a, 1);
                }
            }
            tsr_from_doubles(f->dtype, a, to, 1);
            continue;
        }
        gather_chunk(to + at * ts, ts, f->size, k, a, f->dtype);
        for (int64_t i = 0; i < k; i++)
            a[i] = apply(f->op, a[i], b[i]);
        tsr_from_doubles(f->dtype, a, raw, k);
        for (int64_t i = 0; i < k; i++)
            memcpy(to + (at + i) * ts, raw + (size_t)i * f->size, f->size);
    }
}

/* ---- Selection ---- */

#define USE(name) (f->line = name##_line, true)
#define USE_ROWS(name) (f->line = name##_line, f->rows = name##_rows, true)

static bool find_add_mul(tsr_fold *f, bool add)
{
    switch (f->dtype) {
    case TSR_D_I8:
    case TSR_D_U8: return add ? USE(add_u8) : USE(mul_u8);
    case TSR_D_I16:
    case TSR_D_U16: return add ? USE(add_u16) : USE(mul_u16);
    case TSR_D_I32:
    case TSR_D_U32: return add ? USE(add_u32) : USE(mul_u32);
    case TSR_D_I64:
    case TSR_D_U64: return add ? USE(add_u64) : USE(mul_u64);
    case TSR_D_F32: return add ? USE_ROWS(add_f32) : USE_ROWS(mul_f32);
    case TSR_D_F64: return add ? USE_ROWS(add_f64) : USE_ROWS(mul_f64);
    case TSR_D_BF16: return add && USE_ROWS(add_bf16);
    case TSR_D_F16: return add && USE_ROWS(add_f16);
    case TSR_D_C64: return add && USE(add_c64);
    case TSR_D_C128: return add && USE(add_c128);
    default: return false; /* integers of fewer than eight bits wrap at another width */
    }
}

static bool find_min_max(tsr_fold *f, bool min)
{
    switch (f->dtype) {
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8: return min ? USE(min_i8) : USE(max_i8);
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8: return min ? USE(min_u8) : USE(max_u8);
    case TSR_D_I16: return min ? USE(min_i16) : USE(max_i16);
    case TSR_D_U16: return min ? USE(min_u16) : USE(max_u16);
    case TSR_D_I32: return min ? USE(min_i32) : USE(max_i32);
    case TSR_D_U32: return min ? USE(min_u32) : USE(max_u32);
    case TSR_D_I64: return min ? USE(min_i64) : USE(max_i64);
    case TSR_D_U64: return min ? USE(min_u64) : USE(max_u64);
    case TSR_D_BF16: return min ? USE(min_bf16) : USE(max_bf16);
    case TSR_D_F32: return min ? USE_ROWS(min_f32) : USE_ROWS(max_f32);
    case TSR_D_F64: return min ? USE_ROWS(min_f64) : USE_ROWS(max_f64);
    default: return false;
    }
}

static bool find_bits(tsr_fold *f)
{
    tsr_reduce_kind op = f->op;
    if (!tsr_dtype_is_int(f->dtype))
        return false;
    switch (f->size) {
    case 1:
        return op == TSR_REDUCE_AND ? USE(and_u8) : op == TSR_REDUCE_OR ? USE(or_u8) : USE(xor_u8);
    case 2:
        return op == TSR_REDUCE_AND  ? USE(and_u16)
               : op == TSR_REDUCE_OR ? USE(or_u16)
                                     : USE(xor_u16);
    case 4:
        return op == TSR_REDUCE_AND  ? USE(and_u32)
               : op == TSR_REDUCE_OR ? USE(or_u32)
                                     : USE(xor_u32);
    default:
        return op == TSR_REDUCE_AND  ? USE(and_u64)
               : op == TSR_REDUCE_OR ? USE(or_u64)
                                     : USE(xor_u64);
    }
}

bool tsr_fold_find(tsr_fold *f, tsr_reduce_kind kind, const tsr_type *elem)
{
    tsr_dtype d = tsr_dtype_of(elem);
    if (kind == TSR_REDUCE_OTHER || d == TSR_D_NONE || elem->kind == TSR_TYPE_DIALECT)
        return false;
    *f = (tsr_fold){.op = d == TSR_D_I1 ? tsr_reduce_of_truths(kind) : kind,
                    .dtype = d,
                    .size = tsr_dtype_bytes(d)};
    if (f->op >= TSR_REDUCE_AND)
        return find_bits(f);
    if (f->op <= TSR_REDUCE_PRODUCT ? find_add_mul(f, f->op == TSR_REDUCE_SUM)
                                    : find_min_max(f, f->op == TSR_REDUCE_MIN))
        return true;
    f->wide = tsr_dtype_is_float(d) && f->size <= 2;
    f->line = small_line;
    return f->wide;
}

bool tsr_fold_is_neutral(const tsr_fold *f, const void *value)
{
    if (tsr_dtype_is_complex(f->dtype)) {
        static const char zero[16];
        return memcmp(value, zero, f->size) == 0;
    }
    if (tsr_dtype_is_float(f->dtype)) {
        double v;
        tsr_to_doubles(f->dtype, value, &v, 1);
        switch (f->op) {
        case TSR_REDUCE_SUM: return v == 0;
        case TSR_REDUCE_PRODUCT: return v == 1;
        case TSR_REDUCE_MIN: return v == INFINITY;
        default: return v == -INFINITY;
        }
    }
    /* An integer is neutral if it leaves both zero and all ones unchanged. */
    static const uint64_t zero = 0, ones = ~(uint64_t)0;
    uint64_t v = 0, low = 0, high = 0, bits = tsr_dtype_bits(f->dtype);
    memcpy(&v, value, f->size);
    if (f->op == TSR_REDUCE_PRODUCT)
        return v == 1;
    if (f->op == TSR_REDUCE_SUM || f->op == TSR_REDUCE_OR || f->op == TSR_REDUCE_XOR)
        return v == 0;
    bool is_signed = tsr_dtype_kind(f->dtype) == TSR_K_SINT;
    if (f->op == TSR_REDUCE_AND)
        high = is_signed ? ones : bits == 64 ? ones : ((uint64_t)1 << bits) - 1;
    else if (is_signed) {
        high = ((uint64_t)1 << (bits - 1)) - 1;
        low = ~high;
    } else {
        high = bits == 64 ? ones : ((uint64_t)1 << bits) - 1;
        low = zero;
    }
    uint64_t want = f->op == TSR_REDUCE_MAX ? low : high,
             mask = f->size == 8 ? ones : ((uint64_t)1 << f->size * 8) - 1;
    return v == (want & mask);
}

/* ---- Loops ---- */

static void move_loop(tsr_fold_loops *l, size_t from, size_t to)
{
    int64_t d = l->dims[from], t = l->to[from], f = l->from[from];
    for (; from < to; from++) {
        l->dims[from] = l->dims[from + 1];
        l->to[from] = l->to[from + 1];
        l->from[from] = l->from[from + 1];
    }
    l->dims[to] = d;
    l->to[to] = t;
    l->from[to] = f;
}

void tsr_fold_init(tsr_fold_loops *l, const tsr_fold *f, const int64_t *dims, const int64_t *to,
                   const int64_t *from, size_t rank)
{
    enum { CACHED = 16384 };
    *l = (tsr_fold_loops){.empty = false};
    memcpy(l->dims, dims, rank * sizeof *dims);
    memcpy(l->to, to, rank * sizeof *to);
    memcpy(l->from, from, rank * sizeof *from);
    bool some;
    l->rank = tsr_merge_loops(l->dims, l->to, l->from, rank, &some);
    l->empty = !some;
    if (l->rank < 2)
        return;
    size_t last = l->rank - 1, kept = l->rank;
    bool reduces = false;
    for (size_t d = 0; d < l->rank; d++) {
        reduces |= l->to[d] == 0;
        if (l->to[d] != 0)
            kept = d;
    }
    /* Everything is reduced to one element. */
    if (kept == l->rank)
        return;
    if (l->to[last] != 0) {
        int64_t most = CACHED / (int64_t)f->size;
        l->block = reduces && l->dims[last] > most ? most : 0;
    } else if (f->rows && l->dims[kept] >= TSR_FOLD_ROWS) {
        move_loop(l, kept, last - 1); /* loops over different results may be in any order */
        l->by_rows = true;
    } else if (f->wide && l->dims[kept] >= TSR_FOLD_ROWS) {
        move_loop(l, kept, last);
    }
}

static void run_inner(const tsr_fold_loops *l, const tsr_fold *f, char *to, const char *from,
                      int64_t n)
{
    size_t last = l->rank - 1;
    tsr_work(l->by_rows ? n * l->dims[last - 1] : n);
    if (!l->by_rows) {
        f->line(f, to, l->to[last], from, l->from[last], n);
        return;
    }
    int64_t rows = l->dims[last - 1], ts = l->to[last - 1], rs = l->from[last - 1],
            fs = l->from[last], k = 0;
    for (; k + TSR_FOLD_ROWS <= rows; k += TSR_FOLD_ROWS)
        f->rows(to + k * ts, ts, from + k * rs, rs, fs, n);
    for (; k < rows; k++)
        f->line(f, to + k * ts, 0, from + k * rs, fs, n);
}

static void run_loops(const tsr_fold_loops *l, const tsr_fold *f, char *to, const char *from,
                      int64_t n)
{
    size_t outer = l->rank - (l->by_rows ? 2 : 1);
    int64_t index[TSR_MAX_RANK];
    for (size_t d = 0; d < outer; d++)
        index[d] = 0;
    for (;;) {
        run_inner(l, f, to, from, n);
        size_t d = outer;
        for (;;) {
            if (d-- == 0)
                return;
            to += l->to[d];
            from += l->from[d];
            if (++index[d] < l->dims[d])
                break;
            to -= l->to[d] * l->dims[d];
            from -= l->from[d] * l->dims[d];
            index[d] = 0;
        }
    }
}

void tsr_fold_run(const tsr_fold_loops *l, const tsr_fold *f, char *to, const char *from)
{
    if (l->empty)
        return;
    if (l->rank == 0) {
        f->line(f, to, 0, from, 0, 1);
        return;
    }
    int64_t n = l->dims[l->rank - 1], step = l->block ? l->block : n;
    for (int64_t at = 0; at < n; at += step) {
        tsr_tick();
        run_loops(l, f, to + at * l->to[l->rank - 1], from + at * l->from[l->rank - 1],
                  n - at < step ? n - at : step);
    }
}
