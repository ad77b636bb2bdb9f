/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.c - what is known of tile ops from their rows alone (tiles.def). */
#include "exec/tiles.h"

#include <math.h>

static const struct {
    const char *name;
    int operands;
} ops[TSR_TILE__COUNT] = {
#define TILE(name, operands) {#name, operands},
#include "exec/tiles.def"
};

int tsr_tile_operands(tsr_tile_op op)
{
    return ops[op].operands;
}

bool tsr_tile_is_cheap(tsr_tile_op op)
{
    static const bool cheap[TSR_TILE__COUNT] = {
#define CHEAP(name) [TSR_TILE_##name] = true,
#include "exec/tiles.def"
    };
    return op < TSR_TILE__COUNT && cheap[op];
}

bool tsr_tile_cancels(tsr_tile_op op)
{
    static const bool cancels[TSR_TILE__COUNT] = {
#define CANCELS(name) [TSR_TILE_##name] = true,
#include "exec/tiles.def"
    };
    return op < TSR_TILE__COUNT && cancels[op];
}

bool tsr_tile_swaps(tsr_tile_op op, tsr_dtype type)
{
    enum { ALWAYS = 1, INTEGERS };
    static const uint8_t swaps[TSR_TILE__COUNT] = {
#define SWAPS(name) [TSR_TILE_##name] = ALWAYS,
#define COMMUTES(name) [TSR_TILE_##name] = INTEGERS,
#include "exec/tiles.def"
    };
    return swaps[op] == ALWAYS || (swaps[op] == INTEGERS && tsr_dtype_is_int(type));
}

const char *tsr_tile_name(tsr_tile_op op)
{
    return ops[op].name;
}

tsr_tile_op tsr_tile_pair(tsr_tile_op first, tsr_tile_op second, int place)
{
    static const struct {
        uint8_t first, second, place, both;
    } pairs[] = {
#define PAIR(first, second, place, both) \
    {TSR_TILE_##first, TSR_TILE_##second, place, TSR_TILE_##both},
#include "exec/tiles.def"
    };
    for (size_t i = 0; i < TSR_COUNT(pairs); i++)
        if (pairs[i].first == first && pairs[i].second == second && pairs[i].place == place)
            return (tsr_tile_op)pairs[i].both;
    return TSR_TILE__COUNT;
}

void tsr_fold_neutral(tsr_fold_op op, tsr_dtype type, void *out)
{
    uint32_t bytes = tsr_dtype_bytes(type);
    if (tsr_dtype_is_float(type)) {
        static const double values[] = {[TSR_FOLD_SUM] = 0,
                                        [TSR_FOLD_PRODUCT] = 1,
                                        [TSR_FOLD_MAX] = -INFINITY,
                                        [TSR_FOLD_MIN] = INFINITY};
        tsr_from_doubles(type, &values[op], out, 1);
        return;
    }
    uint64_t ones = UINT64_MAX >> (64 - 8 * bytes), top = (uint64_t)1 << (8 * bytes - 1);
    bool is_bool = type == TSR_D_I1, is_signed = tsr_dtype_kind(type) == TSR_K_SINT;
    uint64_t least = is_signed ? top : 0, most = is_bool ? 1 : is_signed ? top - 1 : ones;
    uint64_t values[] = {[TSR_FOLD_SUM] = 0,
                         [TSR_FOLD_PRODUCT] = 1,
                         [TSR_FOLD_MAX] = least,
                         [TSR_FOLD_MIN] = most,
                         [TSR_FOLD_AND] = is_bool ? 1 : ones,
                         [TSR_FOLD_OR] = 0,
                         [TSR_FOLD_XOR] = 0};
    memcpy(out, &values[op], bytes); /* little endian */
}
