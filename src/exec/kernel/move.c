/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - strided copies. See move.h.
 *
 * Dimensions are sorted by the destination's strides and merged where both sides allow it; the innermost ones become
 * a contiguous copy, a strided row, or a 2-D transpose in blocks. The rest is a list of such pieces, divided into
 * chunks. */
#include "exec/kernel/move.h"

#include "base/round.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/pack.h"

/* Of a block of a transpose: shorter rows take more requests for the same bytes, on both sides. */
enum { SIDE_BYTES = 256 };

typedef struct {
    int64_t dim, dst, src; /* strides in elements */
} axis;

typedef struct {
    size_t elem;
    char *dst;
    const char *src;
    axis outer[TSR_MAX_RANK];
    size_t nouter;
    int64_t pieces, per_chunk;
    axis in; /* the innermost dimension of the destination */
    /* The innermost dimension of the source, if it is another one: pieces are blocks of a 2-D transpose. */
    axis cross;
    int64_t side, down, across; /* side of a block; number of blocks along in and along cross */
    const tsr_isa *isa;
    bool streams;
} box;

#define COPY_ROW(type)                      \
    do {                                    \
        type *d_ = (type *)dst;             \
        const type *s_ = (const type *)src; \
        for (int64_t i_ = 0; i_ < n; i_++)  \
            d_[i_ * ds] = s_[i_ * ss];      \
    } while (0)

typedef struct {
    uint64_t w[2];
} wide;

static void copy_row(size_t elem, char *dst, int64_t ds, const char *src, int64_t ss, int64_t n)
{
    if (ds == 1 && ss == 1) {
        memcpy(dst, src, (size_t)n * elem);
        return;
    }
    if (ds == 1 && ss == 2 && (elem == 4 || elem == 8)) {
        tsr_copy_firsts(elem, dst, src, n);
        return;
    }
    switch (elem) {
    case 1: COPY_ROW(uint8_t); return;
    case 2: COPY_ROW(uint16_t); return;
    case 4: COPY_ROW(uint32_t); return;
    case 8: COPY_ROW(uint64_t); return;
    default: COPY_ROW(wide);
    }
}

void tsr_copy_firsts(size_t elem, void *dst, const void *src, int64_t n)
{
    enum { QUAD = 4, TWO = 2 };
    int64_t i = 0;
    const char *from = src;
    char *to = dst;
    for (; elem == 4 && i + QUAD < n; i += QUAD) {
        const tsr_quad *x = (const tsr_quad *)(from + 8 * i);
        *(tsr_quad *)(to + 4 * i) = TSR_SHUFFLE(x[0], x[1], 0, 2, 4, 6);
    }
    for (; elem == 8 && i + TWO < n; i += TWO) {
        const tsr_two *x = (const tsr_two *)(from + 16 * i);
        *(tsr_two *)(to + 8 * i) = TSR_LOW_two(x[0], x[1]);
    }
    for (; i < n; i++)
        memcpy(to + i * (int64_t)elem, from + 2 * i * (int64_t)elem, elem);
}

/* Sixteen bytes at a time; all: what eight bytes are when they repeat an element. */
#define COPY_SHORT(type, all)                                                                \
    for (int64_t r = 0; r < rows; r++, to += bytes, from += apart) {                         \
        uint64_t x = *(const type *)from * (all);                                            \
        int64_t i = 0, end = r + last < rows ? bytes : bytes / 16 * 16;                      \
        for (; i < end; i += 16)                                                             \
            *(tsr_two *)(to + i) = repeats ? (tsr_two){x, x} : *(const tsr_two *)(from + i); \
        for (; i < bytes; i += (int64_t)sizeof(type))                                        \
            *(type *)(to + i) = *(const type *)(from + (repeats ? 0 : i));                   \
    }                                                                                        \
    return

void tsr_copy_short_rows(size_t elem, void *dst, const void *src, int64_t rows, int64_t n,
                         int64_t row, bool repeats)
{
    const char *from = src;
    char *to = dst;
    int64_t bytes = n * (int64_t)elem, apart = row * (int64_t)elem;
    if (repeats && elem == 4 && row == 1) {
        tsr_isa_now()->spread(dst, src, rows, n);
        return;
    }
    int64_t last = 1 + 15 / tsr_min(bytes, apart); /* rows with fewer than 16 bytes after them */
    switch (elem) {
    case 1: COPY_SHORT(uint8_t, UINT64_C(0x0101010101010101));
    case 2: COPY_SHORT(uint16_t, UINT64_C(0x0001000100010001));
    case 4: COPY_SHORT(uint32_t, UINT64_C(0x0000000100000001));
    default: COPY_SHORT(uint64_t, 1);
    }
}

typedef struct {
    size_t elem;
    char *dst;
    const char *from[2];
    int64_t n;
} weaver;

enum { WOVEN = 1 << 14 }; /* elements of a chunk */

static void weave_chunk(void *ctx, int64_t chunk, int worker)
{
    enum { QUAD = 4, TWO = 2 };
    const weaver *w = ctx;
    int64_t elem = (int64_t)w->elem, i = chunk * WOVEN, end = i + WOVEN < w->n ? i + WOVEN : w->n;
    const char *a = w->from[0], *b = w->from[1];
    (void)worker;
    for (; elem == 4 && i + QUAD <= end; i += QUAD) {
        tsr_quad x = *(const tsr_quad *)(a + 4 * i), y = *(const tsr_quad *)(b + 4 * i);
        ((tsr_quad *)(w->dst + 8 * i))[0] = TSR_SHUFFLE(x, y, 0, 4, 1, 5);
        ((tsr_quad *)(w->dst + 8 * i))[1] = TSR_SHUFFLE(x, y, 2, 6, 3, 7);
    }
    for (; elem == 8 && i + TWO <= end; i += TWO) {
        tsr_two x = *(const tsr_two *)(a + 8 * i), y = *(const tsr_two *)(b + 8 * i);
        ((tsr_two *)(w->dst + 16 * i))[0] = TSR_LOW_two(x, y);
        ((tsr_two *)(w->dst + 16 * i))[1] = TSR_HIGH_two(x, y);
    }
    for (; i < end; i++) {
        memcpy(w->dst + 2 * i * elem, a + i * elem, w->elem);
        memcpy(w->dst + (2 * i + 1) * elem, b + i * elem, w->elem);
    }
}

void tsr_weave(size_t elem, void *dst, const void *first, const void *second, int64_t n)
{
    weaver w = {elem, dst, {first, second}, n};
    tsr_pool_for((n + WOVEN - 1) / WOVEN, weave_chunk, &w);
}

/* Start of piece number p on both sides. */
static void find_piece(const box *b, int64_t p, int64_t *index, int64_t *dst, int64_t *src)
{
    *dst = *src = 0;
    for (size_t i = b->nouter; i-- > 0;) {
        const axis *a = &b->outer[i];
        index[i] = p % a->dim;
        p /= a->dim;
        *dst += index[i] * a->dst;
        *src += index[i] * a->src;
    }
}

static void next_piece(const box *b, int64_t *index, int64_t *dst, int64_t *src)
{
    for (size_t i = b->nouter; i-- > 0;) {
        const axis *a = &b->outer[i];
        *dst += a->dst;
        *src += a->src;
        if (++index[i] < a->dim)
            return;
        *dst -= a->dim * a->dst;
        *src -= a->dim * a->src;
        index[i] = 0;
    }
}

/* Copies pieces p to end of one contiguous run of a few bytes each, along one dimension. False: they are others. */
#define COPY_EACH(size)               \
    for (int64_t i = p; i < end; i++) \
    memcpy(b->dst + i * a->dst * elem, b->src + i * a->src * elem, size)
static bool copy_short(const box *b, int64_t p, int64_t end)
{
    int64_t elem = (int64_t)b->elem;
    const axis *a = b->outer;
    if (b->in.dst != 1 || b->in.src != 1 || b->nouter != 1 || b->streams)
        return false;
    switch (b->in.dim * elem) {
    case 2: COPY_EACH(2); return true;
    case 4: COPY_EACH(4); return true;
    case 8: COPY_EACH(8); return true;
    case 16: COPY_EACH(16); return true;
    case 32: COPY_EACH(32); return true;
    default: return false;
    }
}

static void copy_pieces(void *ctx, int64_t chunk, int worker)
{
    const box *b = ctx;
    (void)worker;
    int64_t index[TSR_MAX_RANK], dst, src, elem = (int64_t)b->elem, p = chunk * b->per_chunk;
    int64_t end = p + b->per_chunk < b->pieces ? p + b->per_chunk : b->pieces;
    bool whole = b->in.dst == 1 && b->in.src == 1;
    if (copy_short(b, p, end))
        return;
    for (find_piece(b, p, index, &dst, &src); p < end; p++, next_piece(b, index, &dst, &src)) {
        if (whole)
            tsr_tile_store(TSR_D_U8, b->dst + dst * elem, b->src + src * elem,
                           (size_t)(b->in.dim * elem), b->streams);
        else
            copy_row(b->elem, b->dst + dst * elem, b->in.dst, b->src + src * elem, b->in.src,
                     b->in.dim);
    }
}

/* Prefetches the block below, into the second cache: its rows are too far apart for the hardware prefetcher. */
static inline __attribute__((always_inline)) void ask_below(const box *b, const char *from,
                                                            int64_t rows, int64_t bytes)
{
    enum { LINE = 64, SECOND = 2 };
    for (int64_t i = 0; i < rows; i++)
        for (int64_t at = 0; at < bytes; at += LINE)
            __builtin_prefetch(from + i * b->in.src * (int64_t)b->elem + at, 0, SECOND);
}

/* Transposes one block within the nearer caches, then stores it row by row. */
static void turn_piece(void *ctx, int64_t chunk, int worker)
{
    enum { FEW = 256 }; /* elements: rows are too short for stores of their own */
    const box *b = ctx;
    (void)worker;
    _Alignas(64) char block[SIDE_BYTES * SIDE_BYTES];
    int64_t index[TSR_MAX_RANK], dst, src, elem = (int64_t)b->elem, side = b->side;
    int64_t i0 = chunk % b->down * side, j0 = chunk / b->down % b->across * side;
    find_piece(b, chunk / b->down / b->across, index, &dst, &src);
    int64_t rows = b->in.dim - i0 < side ? b->in.dim - i0 : side,
            cols = b->cross.dim - j0 < side ? b->cross.dim - j0 : side;
    const char *from = b->src + (src + i0 * b->in.src + j0) * elem;
    char *to = b->dst + (dst + i0 + j0 * b->cross.dst) * elem;
    if (rows * cols <= FEW && !b->streams) {
        b->isa->transpose((uint32_t)elem, from, b->in.src * elem, to, b->cross.dst * elem, rows,
                          cols);
        return;
    }
    int64_t below = b->in.dim - i0 - rows;
    ask_below(b, from + rows * b->in.src * elem, below < side ? below : side, cols * elem);
    b->isa->transpose((uint32_t)elem, from, b->in.src * elem, block, side * elem, rows, cols);
    for (int64_t j = 0; j < cols; j++)
        tsr_tile_store(TSR_D_U8, to + j * b->cross.dst * elem, block + j * side * elem,
                       (size_t)(rows * elem), b->streams);
}

/* Removes the dimension that is contiguous in the source from the outer ones, if the innermost is another. */
static bool find_crossing(box *b)
{
    enum { FEW = 4 };
    if (b->in.dst != 1 || b->in.src == 1 || b->in.src == 0)
        return false;
    for (size_t i = 0; i < b->nouter; i++) {
        if (b->outer[i].src != 1 || b->outer[i].dim < FEW)
            continue;
        b->cross = b->outer[i];
        b->nouter--;
        memmove(b->outer + i, b->outer + i + 1, (b->nouter - i) * sizeof *b->outer);
        b->side = SIDE_BYTES / (int64_t)b->elem;
        b->down = (b->in.dim + b->side - 1) / b->side;
        b->across = (b->cross.dim + b->side - 1) / b->side;
        return true;
    }
    return false;
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

/* Dimensions of more than one element, largest stride of the destination first; adjacent ones are merged. */
static size_t arrange(axis *out, const int64_t *dst, const int64_t *src, const int64_t *dims,
                      size_t rank)
{
    size_t n = 0;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] == 1)
            continue;
        size_t at = n++;
        axis a = {dims[i], dst[i], src ? src[i] : 0};
        for (; at > 0 && magnitude(out[at - 1].dst) < magnitude(a.dst); at--)
            out[at] = out[at - 1];
        out[at] = a;
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        axis *last = kept ? &out[kept - 1] : NULL;
        if (last && last->dst == out[i].dim * out[i].dst && last->src == out[i].dim * out[i].src)
            *last = (axis){last->dim * out[i].dim, out[i].dst, out[i].src};
        else
            out[kept++] = out[i];
    }
    return kept;
}

/* Divides a row into pieces of n elements; the remainder is copied here. */
static void cut_row(box *b, int64_t n)
{
    int64_t pieces = b->in.dim / n, done = pieces * n, elem = (int64_t)b->elem;
    copy_row(b->elem, b->dst + done * b->in.dst * elem, b->in.dst, b->src + done * b->in.src * elem,
             b->in.src, b->in.dim - done);
    b->outer[0] = (axis){pieces, n * b->in.dst, n * b->in.src};
    b->nouter = 1;
    b->pieces = pieces;
    b->in.dim = n;
}

void tsr_move_box(size_t elem, void *dst, const int64_t *dst_strides, const void *src,
                  const int64_t *src_strides, const int64_t *dims, size_t rank)
{
    enum { CHUNK = 1 << 16 };      /* bytes, at least */
    const int64_t large = 8 << 20; /* bytes; larger copies are stored past the caches */
    for (size_t i = 0; i < rank; i++)
        if (dims[i] <= 0)
            return;
    box b = {
        .elem = elem, .dst = dst, .src = src, .in = {1, 1, 1}, .pieces = 1, .isa = tsr_isa_now()};
    b.nouter = arrange(b.outer, dst_strides, src_strides, dims, rank);
    if (b.nouter)
        b.in = b.outer[--b.nouter];
    bool crosses = find_crossing(&b);
    for (size_t i = 0; i < b.nouter; i++)
        b.pieces *= b.outer[i].dim;
    int64_t bytes = b.in.dim * (int64_t)elem;
    b.streams = b.pieces * bytes * (crosses ? b.cross.dim : 1) >= large;
    if (crosses) {
        tsr_pool_for(b.pieces * b.down * b.across, turn_piece, &b);
        return;
    }
    if (b.nouter == 0 && bytes > CHUNK) /* divide one long row */
        cut_row(&b, CHUNK / (int64_t)elem);
    bytes = b.in.dim * (int64_t)elem;
    b.per_chunk = bytes >= CHUNK ? 1 : CHUNK / bytes;
    tsr_pool_for((b.pieces + b.per_chunk - 1) / b.per_chunk, copy_pieces, &b);
}

void tsr_transpose(size_t elem, void *out, const void *in, const int64_t *dims, const int64_t *perm,
                   size_t rank)
{
    int64_t to[TSR_MAX_RANK], from[TSR_MAX_RANK], own[TSR_MAX_RANK], shape[TSR_MAX_RANK];
    tsr_strides(dims, rank, own);
    for (size_t i = 0; i < rank; i++) {
        shape[i] = dims[perm[i]];
        from[i] = own[perm[i]];
    }
    tsr_strides(shape, rank, to);
    tsr_move_box(elem, out, to, in, from, shape, rank);
}

void tsr_fill_box(size_t elem, void *dst, const int64_t *dst_strides, const void *value,
                  const int64_t *dims, size_t rank)
{
    int64_t zeros[TSR_MAX_RANK] = {0};
    tsr_move_box(elem, dst, dst_strides, value, zeros, dims, rank);
}
