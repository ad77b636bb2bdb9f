/* SPDX-License-Identifier: Apache-2.0 */
/* scalar.h - lists of ops on single numbers, for loop bodies that have nothing else.
 *
 * The addresses of operands and results are in the list, so that an iteration costs little more than the ops
 * themselves. The float computed last is also kept in a register, "at hand". Bits are those of the tile kernels
 * (tile.h). */
#ifndef TSR_EXEC_KERNEL_SCALAR_H
#define TSR_EXEC_KERNEL_SCALAR_H

#include "exec/kernel/tile.h"

typedef struct {
    uint16_t what; /* an opcode of the enum below */
    void *out;
    const void *in[TSR_TILE_OPERANDS];
    tsr_tile_fn *fn; /* CALL */
    size_t n;        /* CALL: elements; COPY: bytes */
} tsr_scalar;

/* Conversions: X(to, type, from, type). */
#define TSR_SCALAR_CONVERTS(X)      \
    X(F32, float, I32, int32_t)     \
    X(F32, float, I64, int64_t)     \
    X(F32, float, U32, uint32_t)    \
    X(F32, float, F64, double)      \
    X(F32, float, I1, uint8_t)      \
    X(F64, double, I32, int32_t)    \
    X(F64, double, I64, int64_t)    \
    X(F64, double, U32, uint32_t)   \
    X(F64, double, F32, float)      \
    X(F64, double, I1, uint8_t)     \
    X(I32, uint32_t, I64, uint64_t) \
    X(I32, uint32_t, U32, uint32_t) \
    X(I32, uint32_t, I1, uint8_t)   \
    X(I64, uint64_t, I32, int32_t)  \
    X(I64, uint64_t, U32, uint32_t) \
    X(I64, uint64_t, I1, uint8_t)   \
    X(U32, uint32_t, I32, uint32_t) \
    X(U32, uint32_t, I64, uint64_t) \
    X(U32, uint32_t, U64, uint64_t) \
    X(U64, uint64_t, I32, int32_t)  \
    X(U64, uint64_t, U32, uint32_t)

enum {
    TSR_SCALAR_END,
    TSR_SCALAR_UNLESS, /* end of the list if in[0] is false */
    TSR_SCALAR_NEXT,   /* next iteration: back to the beginning */
    TSR_SCALAR_CALL,   /* call a tile kernel */
    TSR_SCALAR_COPY,
    TSR_SCALAR_COPY1,
    TSR_SCALAR_COPY4,
    TSR_SCALAR_COPY8,
    TSR_SCALAR_SELECT1, /* by element size in bytes */
    TSR_SCALAR_SELECT4,
    TSR_SCALAR_SELECT8,
#define BOOL1(name, expr) TSR_SCALAR_I1_##name,
#define BOOL2(name, expr) TSR_SCALAR_I1_##name,
#include "exec/tiles.def"
#define X(to, type, from, of) TSR_SCALAR_##to##_OF_##from,
    TSR_SCALAR_CONVERTS(X)
#undef X
    /* Tile ops of each type. Floats have five variants: with no operand at hand, the first, ... */
    TSR_SCALAR_I32,
    TSR_SCALAR_U32 = TSR_SCALAR_I32 + TSR_TILE__COUNT,
    TSR_SCALAR_I64 = TSR_SCALAR_U32 + TSR_TILE__COUNT,
    TSR_SCALAR_U64 = TSR_SCALAR_I64 + TSR_TILE__COUNT,
    TSR_SCALAR_F32 = TSR_SCALAR_U64 + TSR_TILE__COUNT,
    TSR_SCALAR_F64 = TSR_SCALAR_F32 + (TSR_TILE_OPERANDS + 1) * TSR_TILE__COUNT,
    TSR_SCALAR__COUNT = TSR_SCALAR_F64 + (TSR_TILE_OPERANDS + 1) * TSR_TILE__COUNT,
};

/* Runs a list to its END or UNLESS (returns true), or until its NEXT has been reached *iterations times (returns false; the
 * next call starts at the beginning). *iterations is set to the number of iterations. */
typedef bool tsr_scalar_fn(const tsr_scalar *list, int64_t *iterations);
bool tsr_scalar_run(const tsr_scalar *list, int64_t *iterations);

/* State while a list is built: the address of the number that is at hand. */
typedef struct {
    const void *f32, *f64; /* NULL: none */
} tsr_scalar_hand;
/* Sets the opcode of an op on single numbers, or of a conversion; s has fn, out and in. A CALL if there is no better
 * opcode. */
void tsr_scalar_tile(tsr_scalar_hand *h, tsr_scalar *s, tsr_tile_op op, tsr_dtype from,
                     tsr_dtype to);
void tsr_scalar_convert(tsr_scalar_hand *h, tsr_scalar *s, tsr_dtype to, tsr_dtype from);
/* Makes a copy of bytes. */
tsr_scalar tsr_scalar_copy(tsr_scalar_hand *h, void *out, const void *in, size_t bytes);

#endif
