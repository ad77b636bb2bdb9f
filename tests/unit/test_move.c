/* SPDX-License-Identifier: Apache-2.0 */
/* test_move.c - strided copies and transposes against index arithmetic. */
#include <stdlib.h>
#include <string.h>

#include "exec/kernel/move.h"
#include "exec/kernel/tile.h"
#include "unit.h"

static uint64_t seed = 3;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static bool transposes(size_t elem, const int64_t *dims, const int64_t *perm, size_t rank)
{
    int64_t n = 1, strides[8], shape[8], index[8] = {0};
    for (size_t i = 0; i < rank; i++)
        n *= dims[i];
    char *in = calloc((size_t)n + 1, elem), *out = calloc((size_t)n + 1, elem);
    for (size_t i = 0; i < (size_t)n * elem; i++)
        in[i] = (char)next_random();
    tsr_transpose(elem, out, in, dims, perm, rank);
    tsr_strides(dims, rank, strides);
    for (size_t i = 0; i < rank; i++)
        shape[i] = dims[perm[i]];
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        int64_t at = 0;
        for (size_t d = 0; d < rank; d++)
            at += index[d] * strides[perm[d]];
        ok = memcmp(out + (size_t)i * elem, in + (size_t)at * elem, elem) == 0;
        tsr_next_index(index, shape, rank);
    }
    if (!ok) {
        fprintf(stderr, "transpose of %zu bytes:", elem);
        for (size_t i = 0; i < rank; i++)
            fprintf(stderr, " %lld(%lld)", (long long)dims[i], (long long)perm[i]);
        fprintf(stderr, "\n");
    }
    free(in);
    free(out);
    return ok;
}

static void test_transposes(unit *u)
{
    for (size_t elem = 1; elem <= 16; elem *= 2) {
        bool ok = transposes(elem, NULL, NULL, 0);
        for (int i = 0; i < 300; i++) {
            size_t rank = 1 + next_random() % 5;
            int64_t dims[5], perm[5], most = rank <= 2 ? 90 : rank == 3 ? 40 : 9;
            for (size_t d = 0; d < rank; d++) {
                dims[d] = (int64_t)(next_random() % (uint64_t)most) + (i % 10 != 0);
                size_t at = next_random() % (d + 1);
                perm[d] = perm[at];
                perm[at] = (int64_t)d;
            }
            ok &= transposes(elem, dims, perm, rank);
        }
        int64_t wide[2] = {700, 1030}, swap[2] = {1, 0};
        ok &= transposes(elem, wide, swap, 2);
        CHECK(u, ok);
    }
}

static void test_boxes(unit *u)
{
    enum { A = 12, B = 40, C = 33 };
    static uint32_t in[A * B * C], out[A * B * C], want[A * B * C];
    for (int i = 0; i < A * B * C; i++)
        in[i] = (uint32_t)next_random();
    bool ok = true;
    for (int round = 0; round < 200; round++) {
        int64_t dims[3], src[3], dst[3], from = 0, to = 0;
        static const int64_t size[3] = {A, B, C}, strides[3] = {B * C, C, 1};
        for (int d = 0; d < 3; d++) {
            int64_t step = 1 + (int64_t)(next_random() % 3),
                    count = 1 + (int64_t)(next_random() % (uint64_t)size[d]);
            dims[d] = (count + step - 1) / step;
            bool back = next_random() % 4 == 0, repeat = next_random() % 8 == 0;
            int64_t last = (dims[d] - 1) * step;
            from += (back ? last : 0) * strides[d];
            src[d] = repeat ? 0 : (back ? -step : step) * strides[d];
            dst[d] = strides[d];
            to += (size[d] - dims[d]) * strides[d];
        }
        memset(out, 0, sizeof out);
        memset(want, 0, sizeof want);
        for (int64_t i = 0; i < dims[0]; i++)
            for (int64_t j = 0; j < dims[1]; j++)
                for (int64_t k = 0; k < dims[2]; k++)
                    want[to + i * dst[0] + j * dst[1] + k * dst[2]] =
                        in[from + i * src[0] + j * src[1] + k * src[2]];
        tsr_move_box(4, out + to, dst, in + from, src, dims, 3);
        ok &= memcmp(out, want, sizeof out) == 0;
    }
    CHECK(u, ok);
    int64_t dims[2] = {3, 5}, strides[2] = {10, 2};
    uint32_t value = 9;
    memset(out, 0, sizeof out);
    tsr_fill_box(4, out, strides, &value, dims, 2);
    CHECK(u, out[0] == 9 && out[1] == 0 && out[28] == 9 && out[29] == 0 && out[30] == 0);
}

/* Both arrays end where the last row does: nothing is read or written behind it. */
static bool copies_short_rows(size_t elem, int64_t rows, int64_t n, int64_t row, bool repeats)
{
    size_t held = (size_t)((rows - 1) * row + (repeats ? 1 : n)), all = (size_t)(rows * n);
    char *in = malloc(held * elem), *out = malloc(all * elem + 1);
    bool ok = true;
    for (size_t i = 0; i < held * elem; i++)
        in[i] = (char)next_random();
    out[all * elem] = 0x55;
    tsr_copy_short_rows(elem, out, in, rows, n, row, repeats);
    for (int64_t i = 0; i < rows * n; i++)
        ok &= memcmp(out + (size_t)i * elem,
                     in + (size_t)(i / n * row + (repeats ? 0 : i % n)) * elem, elem) == 0;
    ok &= out[all * elem] == 0x55;
    free(in);
    free(out);
    return ok;
}

static void test_short_rows(unit *u)
{
    for (size_t elem = 1; elem <= 8; elem *= 2)
        for (int64_t n = 1; n < 24; n++)
            for (int64_t rows = 1; rows < 40; rows += 3)
                for (int repeats = 0; repeats < 2; repeats++)
                    CHECK(u, copies_short_rows(elem, rows, n, n, repeats) &&
                                 copies_short_rows(elem, rows, n, n + 3, repeats) &&
                                 copies_short_rows(elem, rows, n, 1, repeats));
}

void test_move(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        test_transposes(u);
        test_boxes(u);
    }
    tsr_isa_use(before, NULL);
    test_short_rows(u);
}
