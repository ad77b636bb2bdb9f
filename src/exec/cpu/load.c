/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - loads of elements by views: contiguous, strided, repeated. See run.h. */
#include "exec/cpu/cpu.h"

#include "exec/kernel/isa/isa.h"
#include "exec/kernel/move.h"

#define GATHER(type)                          \
    do {                                      \
        const type *from = (const type *)src; \
        type *to = (type *)dst;               \
        for (int64_t i = 0; i < n; i++)       \
            to[i] = from[i * stride];         \
    } while (0)

void tsr_load_strided(char *dst, const char *src, int64_t stride, int64_t n, uint32_t bytes)
{
    if (stride == 2 && (bytes == 4 || bytes == 8)) {
        tsr_copy_firsts(bytes, dst, src, n);
        return;
    }
    if (bytes == 4 && tsr_isa_now()->take((uint32_t *)dst, (const uint32_t *)src, n, stride))
        return;
    switch (bytes) {
    case 1: GATHER(uint8_t); break;
    case 2: GATHER(uint16_t); break;
    case 4: GATHER(uint32_t); break;
    case 8: GATHER(uint64_t); break;
    default:
        for (int64_t i = 0; i < n; i++)
            memcpy(dst + i * bytes, src + i * stride * (int64_t)bytes, bytes);
    }
}

/* Copies the first bytes behind themselves until they are there as often as stated: in few long copies. */
static void repeat(char *at, int64_t bytes, int64_t times)
{
    for (int64_t done = 1; done < times;) {
        int64_t more = done < times - done ? done : times - done;
        memcpy(at + done * bytes, at, (size_t)(more * bytes));
        done += more;
    }
}

/* How many whole rows of a view, fewer than there are to be loaded, can be copied together; 0: they are not short. */
static int64_t short_rows(const tsr_xview *v, const int64_t *index, int64_t n, uint32_t bytes)
{
    enum {
        SHORT = 192,
        WORD = 4,
        SHORT_OF_WORDS = 1024
    }; /* bytes; rows of one word, next to each other */
    int last = v->space.rank - 1;
    int64_t dim = v->space.dims[last], rows = n / dim;
    bool words = bytes == WORD && last && !v->strides[last] && v->strides[last - 1] == 1;
    if (!last || index[last] || dim * bytes > (words ? SHORT_OF_WORDS : SHORT) || bytes > 8 ||
        v->strides[last] > 1 || v->strides[last] < 0 || v->strides[last - 1] <= 0)
        return 0;
    int64_t left = v->space.dims[last - 1] - index[last - 1];
    return (rows < left ? rows : left) - 1;
}

/* Stores n numbers from start on; a few without a call. */
static void count(tsr_dtype type, char *to, int64_t start, int64_t step, int64_t n)
{
    enum { FEW = 16 };
    if (type != TSR_D_I32 || n > FEW) {
        tsr_tile_iota(type, to, start, step, (size_t)n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        ((int32_t *)to)[i] = (int32_t)(start + i * step);
}

/* If from is NULL, stores the positions of the elements instead. */
void tsr_load_view(const tsr_xview *v, tsr_dtype type, const char *from, int64_t start, int64_t n,
                   char *to)
{
    uint32_t bytes = tsr_dtype_bytes(type);
    int64_t index[TSR_VIEW_RANK], place = v->offset, left = start;
    int last = v->space.rank - 1;
    for (int i = last; i >= 0; i--) {
        index[i] = left % v->space.dims[i];
        left /= v->space.dims[i];
        place += index[i] * v->strides[i];
    }
    int64_t stride = v->strides[last], dim = v->space.dims[last];
    for (int64_t done = 0; done < n;) {
        int64_t rows = from ? short_rows(v, index, n - done, bytes) : 0;
        if (rows > 0) {
            tsr_copy_short_rows(bytes, to, from + place * bytes, rows, dim, v->strides[last - 1],
                                !stride);
            to += rows * dim * bytes;
            done += rows * dim;
            index[last - 1] += rows;
            place += rows * v->strides[last - 1];
        }
        int64_t run = dim - index[last] < n - done ? dim - index[last] : n - done;
        if (!from)
            count(type, to, place, stride, run);
        else if (stride == 1)
            memcpy(to, from + place * bytes, (size_t)run * bytes);
        else if (stride == 0)
            tsr_tile_splat(type, to, from + place * bytes, (size_t)run);
        else
            tsr_load_strided(to, from + place * bytes, stride, run, bytes);
        if (run == dim && last && !v->strides[last - 1] && n - done >= 2 * dim) {
            int64_t most = (n - done) / dim, left_rows = v->space.dims[last - 1] - index[last - 1];
            int64_t times = most < left_rows ? most : left_rows;
            repeat(to, run * bytes, times);
            to += (times - 1) * run * bytes;
            done += (times - 1) * run;
            index[last - 1] += times - 1;
        }
        to += run * bytes;
        done += run;
        index[last] += run;
        place += run * stride;
        for (int i = last; i > 0 && index[i] == v->space.dims[i]; i--) {
            place += v->strides[i - 1] - index[i] * v->strides[i];
            index[i] = 0;
            index[i - 1]++;
        }
    }
}

bool tsr_is_contiguous(const tsr_xview *v, int64_t start, int64_t n, int64_t *place)
{
    int last = v->space.rank - 1;
    int64_t dim = v->space.dims[last], left = start / dim;
    if (v->strides[last] != 1 || start % dim + n > dim)
        return false;
    *place = v->offset + start % dim;
    for (int i = last - 1; i >= 0; i--) {
        *place += left % v->space.dims[i] * v->strides[i];
        left /= v->space.dims[i];
    }
    return true;
}
