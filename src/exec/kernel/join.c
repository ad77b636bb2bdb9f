/* SPDX-License-Identifier: Apache-2.0 */
/* join.c - the kernel that combines two elements. */
#include "exec/kernel/join.h"
#include "exec/program.h"

tsr_join tsr_join_of(tsr_tile_op tile, tsr_dtype type)
{
    tsr_dtype wide = tsr_register_type(type);
    return (tsr_join){.fn = tsr_tile_find(tile, wide),
                      .widen = wide == type ? NULL : tsr_tile_convert(wide, type),
                      .narrow = wide == type ? NULL : tsr_tile_convert(type, wide),
                      .bytes = tsr_dtype_bytes(type)};
}

void tsr_join_narrow(const tsr_join *j, char *to, const char *a, const char *b, int64_t n)
{
    enum { SOME = 64 };
    _Alignas(64) float x[SOME], y[SOME];
    for (int64_t i = 0; i < n; i += SOME) {
        size_t some = (size_t)(n - i < SOME ? n - i : SOME);
        const void *p[1] = {a + i * j->bytes}, *q[1] = {b + i * j->bytes}, *sum[1] = {x};
        const void *wide[2] = {x, y};
        j->widen(x, p, some);
        j->widen(y, q, some);
        j->fn(x, wide, some);
        j->narrow(to + i * j->bytes, sum, some);
    }
}
