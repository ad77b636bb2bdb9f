/* tiles.c - what is known of tile ops from their rows alone (tiles.def). */
#include "exec/tiles.h"

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
