/* SPDX-License-Identifier: Apache-2.0 */
/* tile.c - finds tile kernels of the class that runs, and what needs no class. See tile.h. */
#include "exec/kernel/tile.h"

#include <math.h>

#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_f32.h"

const float tsr_f32_exp_bounds[2] = {-104.0f, 89.0f}, tsr_f32_expm1_bounds[2] = {-20.0f, 89.0f},
            tsr_f32_tanh_bound[1] = {10.0f}, tsr_f32_erfc_bound[1] = {10.1f};

/* Elements that select only moves: as integers of their size. */
static tsr_dtype moved_as(tsr_dtype type)
{
    switch (tsr_dtype_bytes(type)) {
    case 1: return TSR_D_U8;
    case 2: return TSR_D_U16;
    case 4: return TSR_D_U32;
    case 8: return TSR_D_U64;
    default: return TSR_D_NONE;
    }
}

tsr_tile_fn *tsr_tile_find(tsr_tile_op op, tsr_dtype type)
{
    const tsr_isa *isa = tsr_isa_now();
    if (op == TSR_TILE_select)
        type = moved_as(type);
    if (type <= TSR_D_U64)
        return (*isa->ints[type])[op];
    return tsr_tile_find_form(op, type, TSR_TILE_ALL);
}

tsr_tile_fn *tsr_tile_find_form(tsr_tile_op op, tsr_dtype type, tsr_tile_form form)
{
    static const uint8_t int_forms[TSR_TILE__COUNT] = {
#define INT1(name, expr)
#define INT2(name, expr) [TSR_TILE_##name] = TSR_TILE_SECOND_ONE,
#define INT3(name, expr)
#define QUOTIENT2(name, if_signed, if_unsigned, q) INT2(name, q)
#define INTFORM3(name, mask, expr) [TSR_TILE_##name] = (mask),
#define INTFORM4(name, mask, expr) [TSR_TILE_##name] = (mask),
#include "exec/tiles.def"
    };
    const tsr_isa *isa = tsr_isa_now();
    if (type <= TSR_D_U64)
        return int_forms[op] == form ? isa->ints[type][1][op] : NULL;
    return type == TSR_D_F32 ? isa->f32[form][op] : type == TSR_D_F64 ? isa->f64[form][op] : NULL;
}

/* ---- Conversions ---- */

/* Those that models seldom need go through eval's. */
#define BY_EVAL(to, from)                                                  \
    static void to##_of_##from(void *out, const void *const *in, size_t n) \
    {                                                                      \
        tsr_convert(TSR_D_##to, out, TSR_D_##from, in[0], (int64_t)n);     \
    }
/* Floats of at most eight bits with f32, by vectors. */
static void narrow(tsr_float_kind kind, const void *in, void *out, size_t n, bool widens)
{
    const tsr_float_format *f = &tsr_float_formats[kind];
    uint32_t all = (1u << (f->ebits + f->mbits)) - 1, last = ((1u << f->ebits) - 1) << f->mbits;
    bool ieee = f->specials == TSR_FLOAT_IEEE, zero = f->specials == TSR_FLOAT_FNUZ;
    tsr_narrow to = {.mbits = (uint8_t)f->mbits,
                     .bias = (uint8_t)f->bias,
                     .sign = (uint8_t)(all + 1),
                     .most = (uint8_t)(ieee                          ? last - 1
                                       : f->specials == TSR_FLOAT_FN ? all - 1
                                                                     : all),
                     .infinity = ieee ? (uint16_t)last : 256,
                     .over = (uint8_t)tsr_float_from_double(kind, INFINITY),
                     .nan = (uint8_t)tsr_float_from_double(kind, NAN),
                     .over_sign = !zero,
                     .one_zero = zero};
    if (widens)
        tsr_isa_now()->widen(&to, in, out, n);
    else
        tsr_isa_now()->narrow(&to, in, out, n);
}
#define BY_VECTORS(to, from)                                               \
    static void to##_of_##from(void *out, const void *const *in, size_t n) \
    {                                                                      \
        narrow(TSR_##from, in[0], out, n, true);                           \
    }                                                                      \
    static void from##_of_##to(void *out, const void *const *in, size_t n) \
    {                                                                      \
        narrow(TSR_##from, in[0], out, n, false);                          \
    }

/* All types but f32 and f64 with each of these. */
/* clang-format off */
#define SMALL(X, t) \
    X(t, F4E2M1FN) X(t, F6E2M3FN) X(t, F6E3M2FN) X(t, F8E3M4) X(t, F8E4M3) X(t, F8E4M3FN) X(t, F8E4M3FNUZ) X(t, F8E4M3B11FNUZ) \
    X(t, F8E5M2) X(t, F8E5M2FNUZ)
#define RARE(X, t) \
    X(t, I2) X(t, I4) X(t, U2) X(t, U4) X(t, F8E8M0FNU) X(t, C64) X(t, C128)
#define PLAIN(X, t) \
    X(t, I1) X(t, I8) X(t, I16) X(t, I32) X(t, I64) X(t, U8) X(t, U16) X(t, U32) X(t, U64)
#define ALL(X) \
    RARE(X, F32) RARE(X, F64) SMALL(X, F64) PLAIN(X, F16) PLAIN(X, BF16) X(F16, F64) X(BF16, F64) X(F16, BF16)
/* clang-format on */
#define BOTH_WAYS(a, b) BY_EVAL(a, b) BY_EVAL(b, a)
ALL(BOTH_WAYS)
SMALL(BY_VECTORS, F32)

typedef struct {
    uint8_t to, from;
    tsr_tile_fn *fn;
} conversion;
static const conversion conversions[] = {
#define ENTRIES(a, b) {TSR_D_##a, TSR_D_##b, a##_of_##b}, {TSR_D_##b, TSR_D_##a, b##_of_##a},
    ALL(ENTRIES) SMALL(ENTRIES, F32)};

#define COPY(bytes)                                                      \
    static void copy_##bytes(void *out, const void *const *in, size_t n) \
    {                                                                    \
        if (out != in[0])                                                \
            memcpy(out, in[0], n *(bytes));                              \
    }
COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(16)

static tsr_tile_fn *copy_of(tsr_dtype type)
{
    switch (tsr_dtype_bytes(type)) {
    case 1: return copy_1;
    case 2: return copy_2;
    case 4: return copy_4;
    case 8: return copy_8;
    default: return copy_16;
    }
}

tsr_tile_fn *tsr_tile_convert(tsr_dtype to, tsr_dtype from)
{
    if (to == from)
        return copy_of(to);
    tsr_tile_fn *fn = tsr_isa_now()->converts[to][from];
    for (size_t i = 0; !fn && i < TSR_COUNT(conversions); i++)
        if (conversions[i].to == to && conversions[i].from == from)
            fn = conversions[i].fn;
    return fn;
}

tsr_tile_fn *tsr_tile_nearest(tsr_nearest to)
{
    return tsr_isa_now()->nearest[to];
}

/* ---- Filling and storing ---- */

void tsr_tile_splat(tsr_dtype type, void *out, const void *value, size_t n)
{
    size_t size = tsr_dtype_bytes(type);
    uint64_t v[2] = {0, 0};
    memcpy(v, value, size);
    switch (size) {
    case 1:
    case 2:
    case 4:
    case 8: tsr_isa_now()->fill(out, v, size, n); return;
    default:
        for (size_t i = 0; i < n; i++)
            memcpy((char *)out + i * size, v, size);
    }
}

void tsr_tile_iota(tsr_dtype type, void *out, int64_t start, int64_t step, size_t n)
{
    enum { CHUNK = 256 };
    int64_t v[CHUNK];
    const tsr_isa *isa = tsr_isa_now();
    tsr_tile_fn *convert = isa->converts[type][TSR_D_I64];
    if (isa->count(type, out, start, step, n))
        return;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t k = n - at < CHUNK ? n - at : CHUNK;
        (void)isa->count(TSR_D_I64, v, (int64_t)((uint64_t)start + (uint64_t)step * at), step, k);
        char *to = (char *)out + at * tsr_dtype_bytes(type);
        const void *in[1] = {v};
        if (convert)
            convert(to, in, k);
        else
            tsr_convert(type, to, TSR_D_I64, v, (int64_t)k);
    }
}

void tsr_tile_store(tsr_dtype type, void *dst, const void *src, size_t n, bool streaming)
{
    enum { LINE = 64 };
    size_t bytes = n * tsr_dtype_bytes(type), head = -(uintptr_t)dst % LINE;
    if (!streaming || bytes < head + LINE) {
        memcpy(dst, src, bytes);
        return;
    }
    size_t body = (bytes - head) / LINE * LINE;
    memcpy(dst, src, head);
    tsr_isa_now()->stream((char *)dst + head, (const char *)src + head, body);
    memcpy((char *)dst + head + body, (const char *)src + head + body, bytes - head - body);
}

void tsr_tile_fence(void)
{
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

/* ---- Folds ---- */

bool tsr_fold_start(tsr_fold *f, tsr_fold_op op, tsr_dtype type)
{
    const tsr_isa *isa = tsr_isa_now();
    f->add = isa->folds[type][op] ? isa->folds[type][op] : isa->int_folds[type][op];
    f->op = (uint8_t)op;
    f->type = (uint8_t)type;
    if (!f->add)
        return false;
    unsigned char value[8];
    tsr_fold_neutral(op, type, value);
    tsr_tile_splat(type, f->lanes, value, TSR_FOLD_LANES);
    return true;
}

void tsr_fold_add_two(tsr_fold *f, tsr_fold *g, const void *in, const void *from, size_t n)
{
    bool is_float = f->type == TSR_D_F32 || f->type == TSR_D_F64;
    if (f->op == TSR_FOLD_SUM && is_float) {
        tsr_isa_now()->sums_two[f->type == TSR_D_F64](f->lanes, g->lanes, in, from, n);
        return;
    }
    tsr_fold_add(f, in, n);
    tsr_fold_add(g, from, n);
}

void tsr_fold_end(const tsr_fold *f, void *out)
{
    tsr_fold t = *f;
    size_t bytes = tsr_dtype_bytes((tsr_dtype)f->type);
    for (size_t half = TSR_FOLD_LANES / 2; half; half /= 2)
        t.add(t.lanes, t.lanes + half * bytes, half); /* fewer than all: into the first lanes */
    memcpy(out, t.lanes, bytes);
}

/* The fold of four short rows at a time; NULL: there is none, or another one is faster. */
static tsr_four_fn *fold_of_four(tsr_fold_op op, tsr_dtype type, size_t n)
{
    bool power = n >= 4 && !(n & (n - 1)), is_float = tsr_dtype_is_float(type);
    return n && n <= TSR_FOLD_LANES && (power || !is_float) ? tsr_isa_now()->four_folds[type][op]
                                                            : NULL;
}

/* Folds fewer than TSR_FOLD_SHORT rows like as many: those that are missing are any. */
static void fold_rest(tsr_fold_fn *some, void *out, const void *in, const void *start, size_t rows,
                      size_t n, size_t bytes)
{
    _Alignas(64) char all[TSR_FOLD_SHORT * TSR_FOLD_SHORT * 8] = {0};
    char results[TSR_FOLD_SHORT * 8];
    memcpy(all, in, rows * n * bytes);
    memcpy(results, start, bytes);
    some(results, all, n);
    memcpy(out, results, rows * bytes);
}

void tsr_fold_rows(tsr_fold_op op, tsr_dtype type, void *out, const void *in, size_t rows, size_t n)
{
    enum { FEW = 2 };
    size_t bytes = tsr_dtype_bytes(type);
    tsr_fold_fn *whole = tsr_isa_now()->row_folds[type][op];
    if (type == TSR_D_F32 && tsr_isa_now()->fold_few(op, out, in, (int64_t)rows, (int64_t)n))
        return;
    unsigned char start[8];
    tsr_fold_neutral(op, type, start);
    tsr_four_fn *four = fold_of_four(op, type, n);
    if (four && rows) {
        memcpy(out, start, bytes);
        four(out, in, n, rows);
        return;
    }
    tsr_fold_fn *some = n <= TSR_FOLD_LANES ? tsr_isa_now()->short_folds[type][op] : NULL;
    size_t first = some ? rows / TSR_FOLD_SHORT * TSR_FOLD_SHORT : 0;
    for (size_t i = 0; i < first; i += TSR_FOLD_SHORT) {
        memcpy((char *)out + i * bytes, start, bytes);
        some((char *)out + i * bytes, (const char *)in + i * n * bytes, n);
    }
    if (some && rows - first > FEW && n <= TSR_FOLD_SHORT) {
        fold_rest(some, (char *)out + first * bytes, (const char *)in + first * n * bytes, start,
                  rows - first, n, bytes);
        return;
    }
    for (size_t i = first; i < rows; i++) {
        char *to = (char *)out + i * bytes;
        const char *from = (const char *)in + i * n * bytes;
        if (whole) {
            memcpy(to, start, bytes);
            whole(to, from, n);
            continue;
        }
        tsr_fold f;
        tsr_fold_start(&f, op, type);
        tsr_fold_add(&f, from, n);
        tsr_fold_end(&f, to);
    }
}

void tsr_fold_products(tsr_dtype type, void *out, const void *a, const void *b, size_t rows,
                       size_t n)
{
    tsr_isa_now()->dots[type == TSR_D_F64](out, a, b, n, rows);
}
