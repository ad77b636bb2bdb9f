/* tile_int.c - tile kernels of integers and of i1. The class avx512 runs those of avx2: memory is what they wait for. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_int.h"

#define T int8_t
#define S int8_t
#define W uint8_t
#define U uint32_t
#define BITS 8u
#define IS_SIGNED 1
#define N(name) tile_i8_##name
#include "exec/kernel/isa/int.def"

#define T uint8_t
#define S int8_t
#define W uint8_t
#define U uint32_t
#define BITS 8u
#define IS_SIGNED 0
#define N(name) tile_u8_##name
#include "exec/kernel/isa/int.def"

#define T int16_t
#define S int16_t
#define W uint16_t
#define U uint32_t
#define BITS 16u
#define IS_SIGNED 1
#define N(name) tile_i16_##name
#include "exec/kernel/isa/int.def"

#define T uint16_t
#define S int16_t
#define W uint16_t
#define U uint32_t
#define BITS 16u
#define IS_SIGNED 0
#define N(name) tile_u16_##name
#include "exec/kernel/isa/int.def"

#define T int32_t
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 1
#define N(name) tile_i32_##name
#include "exec/kernel/isa/int.def"

#define T uint32_t
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 0
#define N(name) tile_u32_##name
#include "exec/kernel/isa/int.def"

#define T int64_t
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 1
#define N(name) tile_i64_##name
#include "exec/kernel/isa/int.def"

#define T uint64_t
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 0
#define N(name) tile_u64_##name
#include "exec/kernel/isa/int.def"

/* ---- i1 ---- */

#define BOOL1(name, expr) LOOP1(tile_i1_##name, uint8_t, uint8_t, expr)
#define BOOL2(name, expr) LOOP2(tile_i1_##name, uint8_t, uint8_t, expr)
#include "exec/kernel/kernels.def"

/* Bytes of 0 and 1 compare as ui8 does. */
static const tsr_tile_row tile_i1_row = {
    [TSR_TILE_select] = tile_u8_select,
    [TSR_TILE_clamp] = tile_u8_clamp,
#define FLAG2(name, expr) [TSR_TILE_##name] = tile_u8_##name,
#define BOOL1(name, expr) [TSR_TILE_##name] = tile_i1_##name,
#define BOOL2(name, expr) [TSR_TILE_##name] = tile_i1_##name,
#include "exec/kernel/kernels.def"
};

/* ---- Fewer than eight bits ---- */

static const tsr_tile_row tile_small_signed_row = {
#define KEEPS(name) [TSR_TILE_##name] = tile_i8_##name,
#include "exec/kernel/kernels.def"
};
static const tsr_tile_row tile_small_unsigned_row = {
#define KEEPS(name) [TSR_TILE_##name] = tile_u8_##name,
#include "exec/kernel/kernels.def"
};

const tsr_tile_row *const ISA(tsr_tiles_int)[TSR_D_U64 + 1] = {
    [TSR_D_I1] = &tile_i1_row,
    [TSR_D_I2] = &tile_small_signed_row,
    [TSR_D_I4] = &tile_small_signed_row,
    [TSR_D_I8] = &tile_i8_row,
    [TSR_D_I16] = &tile_i16_row,
    [TSR_D_I32] = &tile_i32_row,
    [TSR_D_I64] = &tile_i64_row,
    [TSR_D_U2] = &tile_small_unsigned_row,
    [TSR_D_U4] = &tile_small_unsigned_row,
    [TSR_D_U8] = &tile_u8_row,
    [TSR_D_U16] = &tile_u16_row,
    [TSR_D_U32] = &tile_u32_row,
    [TSR_D_U64] = &tile_u64_row,
};
