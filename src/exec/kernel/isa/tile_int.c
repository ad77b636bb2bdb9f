/* SPDX-License-Identifier: Apache-2.0 */
/* tile_int.c - tile kernels of integers and of i1. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_int.h"

#define BITS_SET(v) (BITS > 32u ? (T)bits_set_64(v) : (T)bits_set_32((uint32_t)(v)))
#define FILLED(v) (BITS > 32u ? filled_64(v) : filled_32((uint32_t)(v)))

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define OF_WIDTH(name) JOIN(name, WIDTH)

/* Quotients by several divisors are computed with floats that have more bits than the integers, and are exact once
 * truncated: the fraction of x / y is 0 or at least 1 / y away from the next integer. By one divisor, they are
 * multiplied (math_int.h). */
enum { GROUP = 512 };
#define LOOP_QUOTIENT(fn, type, q)                                  \
    static void fn(void *out_, const void *const *in_, size_t n_)   \
    {                                                               \
        const type *a_ = in_[0], *b_ = in_[1];                      \
        type *o_ = out_, last_ = 1;                                 \
        OF_WIDTH(divisor_) by_ = DIVISOR_OF(1);                     \
        for (size_t k_ = 0; k_ < n_; k_ += GROUP) {                 \
            size_t end_ = n_ - k_ < GROUP ? n_ : k_ + GROUP;        \
            const type one_ = b_[k_];                               \
            type others_ = 0;                                       \
            for (size_t i_ = k_; i_ < end_; i_++)                   \
                others_ |= b_[i_] ^ one_;                           \
            if (others_ || one_ == 0 || one_ == (type)-1)           \
                INDEPENDENT                                         \
            for (size_t i_ = k_; i_ < end_; i_++) {                 \
                type x = a_[i_], y = b_[i_], quotient = OVER(x, y); \
                o_[i_] = (type)(q);                                 \
            }                                                       \
            else                                                    \
            {                                                       \
                by_ = one_ == last_ ? by_ : DIVISOR_OF(one_);       \
                last_ = one_;                                       \
                INDEPENDENT                                         \
                for (size_t i_ = k_; i_ < end_; i_++) {             \
                    type x = a_[i_], y = one_, quotient = TIMES(x); \
                    (void)y;                                        \
                    o_[i_] = (type)(q);                             \
                }                                                   \
            }                                                       \
        }                                                           \
    }
#define LOOP_BY_ONE(fn, type, q)                                   \
    static void fn(void *out_, const void *const *in_, size_t n_)  \
    {                                                              \
        const type *a_ = in_[0], y = *(const type *)in_[1];        \
        type *o_ = out_;                                           \
        const bool plain_ = y != 0 && y != (type)-1;               \
        const OF_WIDTH(divisor_) by_ = DIVISOR_OF(plain_ ? y : 1); \
        if (plain_)                                                \
            INDEPENDENT                                            \
        for (size_t i_ = 0; i_ < n_; i_++) {                       \
            type x = a_[i_], quotient = TIMES(x);                  \
            o_[i_] = (type)(q);                                    \
        }                                                          \
        else INDEPENDENT for (size_t i_ = 0; i_ < n_; i_++)        \
        {                                                          \
            type x = a_[i_], quotient = OVER(x, y);                \
            o_[i_] = (type)(q);                                    \
        }                                                          \
    }
/* x / y, and -1 for y = 0. The number whose bits are all ones is minus one, or the largest. */
#define OVER_LAST(x) (IS_SIGNED ? (T)(0 - (U)(x)) : (T)((x) == (T)-1))
#define SPECIAL(y) (((y) == 0) | ((y) == (T)-1))
#define FLOAT_OVER(x, y) (T) WHOLE((R)(x) / (R)(SPECIAL(y) ? 1 : (y)))
#define OVER(x, y) ((y) == 0 ? (T)-1 : (y) == (T)-1 ? OVER_LAST(x) : DIVIDED(x, y))
/* Whether the quotient of x and y, truncated, is above its floor. Divided by 0, all numbers but 0 count as such: the
 * program that floor_divide replaces compares signs. */
#define ABOVE(x, y, r) (IS_SIGNED && (r) != 0 && ((y) == 0 || ((S)(r) ^ (S)(y)) < 0))
#define REST(x, y, quotient) ((T)((U)(x) - (U)(quotient) * (U)(y)))
#define T int8_t
#define WIDTH 16
#define DIVIDED FLOAT_OVER
#define R float
#define WHOLE (int32_t)
#define S int8_t
#define W uint8_t
#define U uint32_t
#define BITS 8u
#define IS_SIGNED 1
#define N(name) tile_i8_##name
#define SAME N
#include "exec/kernel/isa/int.def"

#define T uint8_t
#define WIDTH 16
#define DIVIDED FLOAT_OVER
#define R float
#define WHOLE (int32_t)
#define S int8_t
#define W uint8_t
#define U uint32_t
#define BITS 8u
#define IS_SIGNED 0
#define N(name) tile_u8_##name
#define SAME(name) tile_i8_##name
#include "exec/kernel/isa/int.def"

#define T int16_t
#define WIDTH 16
#define DIVIDED FLOAT_OVER
#define R float
#define WHOLE (int32_t)
#define S int16_t
#define W uint16_t
#define U uint32_t
#define BITS 16u
#define IS_SIGNED 1
#define N(name) tile_i16_##name
#define SAME N
#include "exec/kernel/isa/int.def"

#define T uint16_t
#define WIDTH 16
#define DIVIDED FLOAT_OVER
#define R float
#define WHOLE (int32_t)
#define S int16_t
#define W uint16_t
#define U uint32_t
#define BITS 16u
#define IS_SIGNED 0
#define N(name) tile_u16_##name
#define SAME(name) tile_i16_##name
#include "exec/kernel/isa/int.def"

#define T int32_t
#define WIDTH 32
#define DIVIDED FLOAT_OVER
#define R double
#define WHOLE (int32_t)
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 1
#define N(name) tile_i32_##name
#define SAME N
#include "exec/kernel/isa/int.def"

#define T uint32_t
#define WIDTH 32
#define DIVIDED FLOAT_OVER
#define R double
#define WHOLE whole_u32
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 0
#define N(name) tile_u32_##name
#define SAME(name) tile_i32_##name
#include "exec/kernel/isa/int.def"

#define T int64_t
#define WIDTH 64
#define DIVIDED(x, y) ((x) / (y))
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 1
#define N(name) tile_i64_##name
#define SAME N
#include "exec/kernel/isa/int.def"

#define T uint64_t
#define WIDTH 64
#define DIVIDED(x, y) ((x) / (y))
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 0
#define N(name) tile_u64_##name
#define SAME(name) tile_i64_##name
#include "exec/kernel/isa/int.def"

/* ---- i1 ---- */

#define BOOL1(name, expr) LOOP1(tile_i1_##name, uint8_t, uint8_t, expr)
#define BOOL2(name, expr) LOOP2(tile_i1_##name, uint8_t, uint8_t, expr)
#include "exec/tiles.def"

/* Bytes of 0 and 1 compare as ui8 does. */
static const tsr_tile_row tile_i1_rows[2] = {{
    [TSR_TILE_select] = tile_i8_select,
    [TSR_TILE_clamp] = tile_u8_clamp,
#define FLAG2(name, expr) [TSR_TILE_##name] = tile_u8_##name,
#define EQUAL2(name, expr) [TSR_TILE_##name] = tile_i8_##name,
#define BOOL1(name, expr) [TSR_TILE_##name] = tile_i1_##name,
#define BOOL2(name, expr) [TSR_TILE_##name] = tile_i1_##name,
#include "exec/tiles.def"
}};

/* ---- Fewer than eight bits ---- */

static const tsr_tile_row tile_small_signed_rows[2] = {{
#define KEEPS(name) [TSR_TILE_##name] = tile_i8_##name,
#include "exec/tiles.def"
}};
static const tsr_tile_row tile_small_unsigned_rows[2] = {{
#define KEEPS(name) [TSR_TILE_##name] = tile_u8_##name,
#define KEEPS_BITS(name) [TSR_TILE_##name] = tile_i8_##name,
#include "exec/tiles.def"
}};

const tsr_tile_row *const ISA(tsr_tiles_int)[TSR_D_U64 + 1] = {
    [TSR_D_I1] = tile_i1_rows,
    [TSR_D_I2] = tile_small_signed_rows,
    [TSR_D_I4] = tile_small_signed_rows,
    [TSR_D_I8] = tile_i8_rows,
    [TSR_D_I16] = tile_i16_rows,
    [TSR_D_I32] = tile_i32_rows,
    [TSR_D_I64] = tile_i64_rows,
    [TSR_D_U2] = tile_small_unsigned_rows,
    [TSR_D_U4] = tile_small_unsigned_rows,
    [TSR_D_U8] = tile_u8_rows,
    [TSR_D_U16] = tile_u16_rows,
    [TSR_D_U32] = tile_u32_rows,
    [TSR_D_U64] = tile_u64_rows,
};
