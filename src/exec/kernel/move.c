/* move.c - strided copies. See move.h.
 *
 * Dimensions are put in the order of the destination's strides and joined where both sides allow it; the innermost ones become
 * a plain copy, a row with a stride, or a 2-D transpose in blocks. The rest is a list of such pieces, cut into chunks. */
#include "exec/kernel/move.h"

#include "base/threads.h"

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
    axis in; /* the innermost dimension */
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
    switch (elem) {
    case 1: COPY_ROW(uint8_t); return;
    case 2: COPY_ROW(uint16_t); return;
    case 4: COPY_ROW(uint32_t); return;
    case 8: COPY_ROW(uint64_t); return;
    default: COPY_ROW(wide);
    }
}

static void copy_pieces(void *ctx, int64_t chunk, int worker)
{
    const box *b = ctx;
    (void)worker;
    int64_t end = (chunk + 1) * b->per_chunk;
    for (int64_t p = chunk * b->per_chunk; p < end && p < b->pieces; p++) {
        int64_t rest = p, d = 0, s = 0;
        for (size_t i = b->nouter; i-- > 0;) {
            const axis *a = &b->outer[i];
            int64_t at = rest % a->dim;
            rest /= a->dim;
            d += at * a->dst;
            s += at * a->src;
        }
        copy_row(b->elem, b->dst + d * (int64_t)b->elem, b->in.dst, b->src + s * (int64_t)b->elem,
                 b->in.src, b->in.dim);
    }
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

/* Dimensions that matter, largest stride of the destination first, those that run on joined. */
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

void tsr_move_box(size_t elem, void *dst, const int64_t *dst_strides, const void *src,
                  const int64_t *src_strides, const int64_t *dims, size_t rank)
{
    enum { CHUNK = 1 << 16 }; /* bytes, at least */
    for (size_t i = 0; i < rank; i++)
        if (dims[i] <= 0)
            return;
    box b = {.elem = elem, .dst = dst, .src = src, .in = {1, 1, 1}, .pieces = 1};
    b.nouter = arrange(b.outer, dst_strides, src_strides, dims, rank);
    if (b.nouter)
        b.in = b.outer[--b.nouter];
    for (size_t i = 0; i < b.nouter; i++)
        b.pieces *= b.outer[i].dim;
    int64_t bytes = b.in.dim * (int64_t)elem;
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
