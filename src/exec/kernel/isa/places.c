/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - elements and rows of a table at computed places. */
#include "exec/kernel/isa/isa.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

enum {
    SOME = 256,
    MANY = 16
}; /* places that are computed, and elements that are read, at a time */

/* Places along one dimension of the table: indices are clamped to its bounds. */
#define ADD_PLACES(T)                                              \
    INDEPENDENT                                                    \
    for (int64_t i = 0; i < n; i++) {                              \
        T v = ((const T *)index)[i];                               \
        v = v < 0 ? 0 : v;                                         \
        at[i] = (T)(at[i] + (v > room ? (T)room : v) * (T)stride); \
    }

/* Two places after each other: of 32 bits, none of them negative, they are one load. */
static inline __attribute__((always_inline)) void two_narrow(const int32_t *at, uint64_t *out)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t both;
    memcpy(&both, at, sizeof both);
    out[0] = (uint32_t)both;
    out[1] = both >> 32;
#else
    out[0] = (uint32_t)at[0];
    out[1] = (uint32_t)at[1];
#endif
}

static inline __attribute__((always_inline)) void two_wide(const int64_t *at, uint64_t *out)
{
    out[0] = (uint64_t)at[0];
    out[1] = (uint64_t)at[1];
}

/* Reading sixteen at a time keeps more loads in flight than the compiler's loop does. */
#define TAKE(name, T)                                                                              \
    {                                                                                              \
        typedef T four __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias)); \
        const T *from = table;                                                                     \
        T *to = (T *)out + done;                                                                   \
        int64_t i = 0;                                                                             \
        for (; i + MANY <= n; i += MANY)                                                           \
            UNROLL                                                                                 \
        for (int64_t k = i; k < i + MANY; k += 4) {                                                \
            uint64_t of[4];                                                                        \
            two_##name(at + k, of);                                                                \
            two_##name(at + k + 2, of + 2);                                                        \
            *(four *)(to + k) = (four){from[of[0]], from[of[1]], from[of[2]], from[of[3]]};        \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            to[i] = from[at[i]];                                                                   \
    }                                                                                              \
    break;

/* Copies two elements of four bytes at a time. */
typedef uint64_t two_elements __attribute__((aligned(4), may_alias));
#define TAKE_PAIRS                                                          \
    {                                                                       \
        const char *from = table;                                           \
        two_elements *to = (two_elements *)((uint32_t *)out + done);        \
        int64_t i = 0;                                                      \
        for (; i + MANY <= n; i += MANY)                                    \
            UNROLL                                                          \
        for (int64_t k = i; k < i + MANY; k += 2)                           \
            to[k / 2] = *(const two_elements *)(from + 4 * (int64_t)at[k]); \
        for (; i < n; i += 2)                                               \
            to[i / 2] = *(const two_elements *)(from + 4 * (int64_t)at[i]); \
        continue;                                                           \
    }

/* Prefetches, before elements up to end, as many lines of all as they are of all elements; returns how many have been.
 * If there are too many at a time, the machine stalls. Always inline: otherwise compilers drop its calls. */
static inline __attribute__((always_inline)) int64_t fetch_some(const tsr_lookup *l,
                                                                int64_t fetched, int64_t end)
{
    enum { LINE = 64 };
    for (; fetched * l->n < end * l->lines; fetched++)
        __builtin_prefetch(l->next + fetched * LINE);
    return fetched;
}

#define LOOKUP(name, T)                                                                  \
    static void add_places_##name(T *at, const void *index, int64_t n, T room, T stride) \
    {                                                                                    \
        ADD_PLACES(T)                                                                    \
    }                                                                                    \
    static void lookup_##name(const tsr_lookup *l, const void *table, void *out)         \
    {                                                                                    \
        T at[SOME];                                                                      \
        int64_t fetched = 0;                                                             \
        for (int64_t done = 0; done < l->n; done += SOME) {                              \
            int64_t n = l->n - done < SOME ? l->n - done : SOME;                         \
            fetched = fetch_some(l, fetched, done + n);                                  \
            if (l->base)                                                                 \
                for (int64_t i = 0; i < n; i++)                                          \
                    at[i] = ((const T *)l->base)[done + i];                              \
            else                                                                         \
                for (int64_t i = 0; i < n; i++)                                          \
                    at[i] = (T)l->first;                                                 \
            for (int k = 0; k < l->dims; k++)                                            \
                add_places_##name(at, (const T *)l->index[k] + done, n, (T)l->room[k],   \
                                  (T)l->stride[k]);                                      \
            if (l->pairs)                                                                \
                TAKE_PAIRS                                                               \
            switch (l->bytes) {                                                          \
            case 1: TAKE(name, uint8_t)                                                  \
            case 2: TAKE(name, uint16_t)                                                 \
            case 4: TAKE(name, uint32_t)                                                 \
            default: TAKE(name, uint64_t)                                                \
            }                                                                            \
        }                                                                                \
    }
LOOKUP(narrow, int32_t)
LOOKUP(wide, int64_t)

void ISA(tsr_look_up)(const tsr_lookup *l, const void *table, void *out)
{
    if (l->wide)
        lookup_wide(l, table, out);
    else
        lookup_narrow(l, table, out);
}

/* ---- Elements of a scatter ---- */

#define FIND(T)                                                                          \
    {                                                                                    \
        T *to = at;                                                                      \
        const T most = (T)room, by = (T)stride;                                          \
        INDEPENDENT                                                                      \
        for (int64_t i = 0; i < n; i++) {                                                \
            T v = ((const T *)index)[i], inside = (to[i] >= 0) & (v >= 0) & (v <= most); \
            to[i] = inside ? to[i] + v * by : -1;                                        \
        }                                                                                \
    }

void ISA(tsr_places_find)(bool wide, void *at, const void *index, int64_t n, int64_t room,
                          int64_t stride)
{
    if (wide)
        FIND(int64_t)
    else
        FIND(int32_t)
}

/* Updates, or one number for all of them. */
#define PUT(A, T, join)                          \
    {                                            \
        T *to = p->whole;                        \
        const A *at = p->at;                     \
        const T *from = p->part, one = *from;    \
        if (p->one)                              \
            for (int64_t i = 0; i < p->n; i++) { \
                if (at[i] >= 0)                  \
                    to[at[i]] join one;          \
            }                                    \
        else                                     \
            for (int64_t i = 0; i < p->n; i++)   \
                if (at[i] >= 0)                  \
                    to[at[i]] join from[i];      \
    }                                            \
    return true;

#define PUT_ALL(name, A)                                                       \
    static bool put_##name(const tsr_put *p)                                   \
    {                                                                          \
        switch (p->adds ? TSR_D__COUNT + p->type : tsr_dtype_bytes(p->type)) { \
        case 1: PUT(A, uint8_t, =)                                             \
        case 2: PUT(A, uint16_t, =)                                            \
        case 4: PUT(A, uint32_t, =)                                            \
        case 8: PUT(A, uint64_t, =)                                            \
        case TSR_D__COUNT + TSR_D_F32: PUT(A, float, +=)                       \
        case TSR_D__COUNT + TSR_D_F64: PUT(A, double, +=)                      \
        case TSR_D__COUNT + TSR_D_I32:                                         \
        case TSR_D__COUNT + TSR_D_U32: PUT(A, uint32_t, +=)                    \
        case TSR_D__COUNT + TSR_D_I64:                                         \
        case TSR_D__COUNT + TSR_D_U64: PUT(A, uint64_t, +=)                    \
        default: return false;                                                 \
        }                                                                      \
    }
PUT_ALL(narrow, int32_t)
PUT_ALL(wide, int64_t)

bool ISA(tsr_elements_put)(const tsr_put *p)
{
    return p->wide ? put_wide(p) : put_narrow(p);
}

/* ---- Rows ---- */

#if defined(__AVX512F__)

int64_t ISA(tsr_rows_list)(const tsr_row_list *l, const int32_t *index, int64_t n, int32_t first,
                           int64_t listed)
{
    enum { LANES = 16 };
    const __m512i from = _mm512_set1_epi32((int)l->first), rows = _mm512_set1_epi32((int)l->rows),
                  by = _mm512_set1_epi32(LANES);
    __m512i at =
        _mm512_add_epi32(_mm512_set1_epi32(first),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (int64_t i = 0; i < n; i += LANES, at = _mm512_add_epi32(at, by)) {
        __mmask16 some = (__mmask16)(n - i < LANES ? (1u << (n - i)) - 1 : 0xffff);
        __m512i v = _mm512_maskz_loadu_epi32(some, index + i);
        some = _mm512_mask_cmplt_epu32_mask(some, _mm512_sub_epi32(v, from), rows);
        _mm512_storeu_si512(l->row + listed, _mm512_maskz_compress_epi32(some, v));
        _mm512_storeu_si512(l->position + listed, _mm512_maskz_compress_epi32(some, at));
        listed += __builtin_popcount(some);
    }
    return listed;
}

#else

static inline __attribute__((always_inline)) bool is_listed(const tsr_row_list *l, int32_t v)
{
    return (uint32_t)v - l->first < l->rows;
}

/* If all are, they are copied as vectors. */
int64_t ISA(tsr_rows_list)(const tsr_row_list *l, const int32_t *index, int64_t n, int32_t first,
                           int64_t listed)
{
    int32_t *row = l->row + listed, *position = l->position + listed, all = 0;
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        all += is_listed(l, index[i]);
    for (int64_t i = 0; all < n && i < n; i++) {
        row[k] = index[i];
        position[k] = first + (int32_t)i;
        k += is_listed(l, index[i]);
    }
    if (all < n)
        return listed + k;
    INDEPENDENT
    for (int64_t i = 0; i < n; i++) {
        row[i] = index[i];
        position[i] = first + (int32_t)i;
    }
    return listed + n;
}

#endif

/* Adds rows of updates to rows of a table, in order. Rows of both are prefetched. Rows of 64, which a chunk of wider
 * ones has, are added without a loop. */
#define ADD_ROWS(name, T)                                                                          \
    static inline __attribute__((always_inline)) void add_some_##name(const tsr_add_rows *r,       \
                                                                      const int64_t cols)          \
    {                                                                                              \
        enum {                                                                                     \
            NEAR = TSR_ROWS_AHEAD / 2,                                                             \
            FAR = TSR_ROWS_AHEAD,                                                                  \
            LINE = 64,                                                                             \
            LANES = BYTES / sizeof(T)                                                              \
        };                                                                                         \
        typedef T vector VECTOR(T);                                                                \
        for (int64_t k = 0; k < r->n; k++) {                                                       \
            T *to = (T *)r->whole + r->row[k] * r->row_step;                                       \
            const T *from = (const T *)r->part + r->position[k] * r->step;                         \
            const char *next = (const char *)((T *)r->whole + r->row[k + NEAR] * r->row_step);     \
            const char *far = (const char *)((const T *)r->part + r->position[k + FAR] * r->step); \
            int64_t i = 0;                                                                         \
            UNROLL                                                                                 \
            for (int64_t l = 0; l < cols * (int64_t)sizeof(T); l += LINE) {                        \
                __builtin_prefetch(next + l, 1);                                                   \
                __builtin_prefetch(far + l);                                                       \
            }                                                                                      \
            UNROLL                                                                                 \
            for (; i + LANES <= cols; i += LANES)                                                  \
                *(vector *)(to + i) += *(const vector *)(from + i);                                \
            for (; i < cols; i++)                                                                  \
                to[i] += from[i];                                                                  \
        }                                                                                          \
    }                                                                                              \
    static void add_rows_##name(const tsr_add_rows *r)                                             \
    {                                                                                              \
        if (r->cols == 64)                                                                         \
            add_some_##name(r, 64);                                                                \
        else                                                                                       \
            add_some_##name(r, r->cols);                                                           \
    }
ADD_ROWS(f32, float)
ADD_ROWS(f64, double)
ADD_ROWS(i32, uint32_t)
ADD_ROWS(i64, uint64_t)

bool ISA(tsr_rows_add)(tsr_dtype type, const tsr_add_rows *r)
{
    switch (type) {
    case TSR_D_F32: add_rows_f32(r); return true;
    case TSR_D_F64: add_rows_f64(r); return true;
    case TSR_D_I32:
    case TSR_D_U32: add_rows_i32(r); return true;
    case TSR_D_I64:
    case TSR_D_U64: add_rows_i64(r); return true;
    default: return false;
    }
}
