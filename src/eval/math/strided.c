/* SPDX-License-Identifier: Apache-2.0 */
/* strided.c - copies between arrays of any strides. */
#include "eval/math/strided.h"

#include "base/scope.h"

enum { TILE = 16 }; /* side of a tile of a transposition, in units */

void tsr_byte_strides(const int64_t *dims, size_t rank, size_t size, int64_t *out)
{
    /* If another dimension is empty, this may overflow: it wraps, and is not used. */
    uint64_t s = size;
    for (size_t d = rank; d-- > 0;) {
        out[d] = (int64_t)s;
        s *= (uint64_t)dims[d];
    }
}

size_t tsr_merge_loops(int64_t *dims, int64_t *to, int64_t *from, size_t rank, bool *some)
{
    size_t n = 0;
    *some = true;
    for (size_t d = 0; d < rank; d++)
        if (dims[d] <= 0) {
            *some = false;
            return 0;
        }
    for (size_t d = 0; d < rank; d++) {
        if (dims[d] == 1)
            continue;
        if (n && to[n - 1] == to[d] * dims[d] && from[n - 1] == from[d] * dims[d]) {
            dims[n - 1] *= dims[d];
            to[n - 1] = to[d];
            from[n - 1] = from[d];
            continue;
        }
        dims[n] = dims[d];
        to[n] = to[d];
        from[n] = from[d];
        n++;
    }
    return n;
}

static void swap_loops(tsr_move *m, size_t a, size_t b)
{
    int64_t d = m->dims[a], t = m->to[a], f = m->from[a];
    m->dims[a] = m->dims[b];
    m->to[a] = m->to[b];
    m->from[a] = m->from[b];
    m->dims[b] = d;
    m->to[b] = t;
    m->from[b] = f;
}

void tsr_move_init(tsr_move *m, const int64_t *dims, const int64_t *to, const int64_t *from,
                   size_t rank, size_t size)
{
    m->size = size;
    m->tiled = false;
    memcpy(m->dims, dims, rank * sizeof *dims);
    memcpy(m->to, to, rank * sizeof *to);
    memcpy(m->from, from, rank * sizeof *from);
    bool some;
    m->rank = tsr_merge_loops(m->dims, m->to, m->from, rank, &some);
    m->empty = !some;
    size_t last = m->rank - 1;
    if (m->rank && m->to[last] == (int64_t)size && m->from[last] == (int64_t)size) {
        m->size *= (size_t)m->dims[last];
        m->rank--;
        last--;
    }
    if (m->rank < 2 || m->to[last] != (int64_t)m->size || m->size > 16 || m->dims[last] < TILE / 2)
        return;
    for (size_t d = 0; d < last; d++)
        if (m->from[d] == (int64_t)m->size && m->dims[d] >= TILE / 2) {
            swap_loops(m, d, last - 1);
            m->tiled = true;
            return;
        }
}

/* Copies n units. The unit's size is a constant in each loop, so that a copy is a load and a store. */
static void move_line(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, size_t size)
{
#define LINE(bytes)                                           \
    case bytes:                                               \
        if (fs == 0 && ts == (bytes)) {                       \
            char v[bytes];                                    \
            memcpy(v, from, bytes);                           \
            for (int64_t i = 0; i < n; i++)                   \
                memcpy(to + i * (bytes), v, bytes);           \
            return;                                           \
        }                                                     \
        for (int64_t i = 0; i < n; i++, to += ts, from += fs) \
            memcpy(to, from, bytes);                          \
        return;
    switch (size) {
        LINE(1)
        LINE(2)
        LINE(4)
        LINE(8)
        LINE(16)
    default:
        for (int64_t i = 0; i < n; i++, to += ts, from += fs)
            memcpy(to, from, size);
    }
#undef LINE
}

/* The same for any length; the run can be stopped between pieces. */
static void move_long_line(char *to, int64_t ts, const char *from, int64_t fs, int64_t n,
                           size_t size)
{
    enum { PIECE = 1 << 18 };
    for (; n > PIECE; n -= PIECE, to += ts * PIECE, from += fs * PIECE) {
        move_line(to, ts, from, fs, PIECE, size);
        tsr_work(PIECE);
    }
    move_line(to, ts, from, fs, n, size);
    tsr_work(n);
}

/* rows x cols units, contiguous along rows in from and along cols in to. A tile goes through a buffer, so that each
 * cache line is read and written once even when rows are a power of two apart. */
static void move_tiles(char *to, int64_t tr, const char *from, int64_t fc, int64_t rows,
                       int64_t cols, size_t size)
{
    char tile[TILE * TILE * 16];
    int64_t unit = (int64_t)size;
    for (int64_t r = 0; r < rows; r += TILE) {
        int64_t nr = rows - r < TILE ? rows - r : TILE;
        tsr_work(nr * cols);
        for (int64_t k = 0; k < cols; k += TILE) {
            int64_t nk = cols - k < TILE ? cols - k : TILE;
            for (int64_t i = 0; i < nk; i++)
                memcpy(tile + i * TILE * unit, from + r * unit + (k + i) * fc, (size_t)(nr * unit));
            for (int64_t i = 0; i < nr; i++)
                move_line(to + (r + i) * tr + k * unit, unit, tile + i * unit, TILE * unit, nk,
                          size);
        }
    }
}

void tsr_move_run(const tsr_move *m, char *to, const char *from)
{
    if (m->empty)
        return;
    if (m->rank == 0) {
        move_line(to, 0, from, 0, 1, m->size);
        return;
    }
    size_t outer = m->rank - (m->tiled ? 2 : 1), last = m->rank - 1;
    int64_t index[TSR_MAX_RANK];
    for (size_t d = 0; d < outer; d++)
        index[d] = 0;
    for (;;) {
        if (m->tiled)
            move_tiles(to, m->to[outer], from, m->from[last], m->dims[outer], m->dims[last],
                       m->size);
        else
            move_long_line(to, m->to[last], from, m->from[last], m->dims[last], m->size);
        size_t d = outer;
        for (;;) {
            if (d-- == 0)
                return;
            to += m->to[d];
            from += m->from[d];
            if (++index[d] < m->dims[d])
                break;
            to -= m->to[d] * m->dims[d];
            from -= m->from[d] * m->dims[d];
            index[d] = 0;
        }
    }
}

void tsr_move_once(char *to, const int64_t *to_strides, const char *from,
                   const int64_t *from_strides, const int64_t *dims, size_t rank, size_t size)
{
    tsr_move m;
    tsr_move_init(&m, dims, to_strides, from_strides, rank, size);
    tsr_move_run(&m, to, from);
}

void tsr_fill(void *to, const void *value, size_t size, int64_t n)
{
    const char *v = value;
    bool same = true;
    for (size_t i = 1; i < size; i++)
        same &= v[i] == v[0];
    if (same)
        memset(to, (unsigned char)v[0], (size_t)n * size);
    else
        move_long_line(to, (int64_t)size, value, 0, n, size);
}

void tsr_pad_into(tsr_tensor *t, const tsr_tensor *x, const void *value, const int64_t *low,
                  const int64_t *step)
{
    size_t rank = x->rank, size = tsr_elem_size(x);
    int64_t to[TSR_MAX_RANK], from[TSR_MAX_RANK], n[TSR_MAX_RANK];
    bool holes = false, some = true;
    if (!t->n)
        return;
    tsr_byte_strides(t->dims, rank, size, to);
    tsr_byte_strides(x->dims, rank, size, from);
    char *first_to = t->data;
    const char *first_from = x->data;
    for (size_t d = 0; some && d < rank; d++) {
        /* Elements first to last of x are inside the result. */
        int64_t first = low[d] < 0 ? (-low[d] + step[d] - 1) / step[d] : 0;
        int64_t end = t->dims[d] - 1 - low[d], last = end < 0 ? -1 : end / step[d];
        last = last < x->dims[d] ? last : x->dims[d] - 1;
        n[d] = last - first + 1;
        some = n[d] > 0;
        holes |= n[d] != t->dims[d];
        if (!some)
            break;
        first_to += (low[d] + first * step[d]) * to[d];
        first_from += first * from[d];
        to[d] = n[d] > 1 ? to[d] * step[d] : 0;
    }
    if (holes || !some)
        tsr_fill(t->data, value, size, t->n);
    if (some)
        tsr_move_once(first_to, to, first_from, from, n, rank, size);
}

int64_t tsr_get_index(const tsr_tensor *t, int64_t i)
{
    int64_t v = tsr_get_int(t, i);
    return t->dtype == TSR_D_U64 && v < 0 ? INT64_MAX : v;
}

size_t tsr_index_list(const tsr_tensor *t, int64_t *out, size_t max)
{
    size_t n = (size_t)t->n < max ? (size_t)t->n : max;
    for (size_t i = 0; i < n; i++)
        out[i] = tsr_get_index(t, (int64_t)i);
    return (size_t)t->n;
}

tsr_tensor *tsr_converted(tsr_call *c, tsr_tensor *t, tsr_type *elem)
{
    tsr_dtype d = tsr_dtype_of(elem);
    if (d == (tsr_dtype)t->dtype)
        return tsr_tensor_ref(t);
    tsr_tensor *to = tsr_tensor_like(t, elem);
    if (!to) {
        tsr_fail_memory(c, "a converted operand");
        return NULL;
    }
    tsr_convert(d, to->data, (tsr_dtype)t->dtype, t->data, t->n);
    return to;
}

bool tsr_distinct_below(const int64_t *values, size_t n, size_t below)
{
    uint64_t seen = 0; /* below is at most TSR_MAX_RANK */
    for (size_t i = 0; i < n; i++) {
        if (values[i] < 0 || (uint64_t)values[i] >= below || seen >> values[i] & 1)
            return false;
        seen |= (uint64_t)1 << values[i];
    }
    return true;
}
