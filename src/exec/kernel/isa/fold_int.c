/* SPDX-License-Identifier: Apache-2.0 */
/* fold_int.c - folds of integers and truth values in 64 lanes. See tile.h. */
#include "exec/kernel/isa/fold.h"

#define INTEGER(name, type) MOST(name, type, x > y ? x : y, x < y ? x : y)
/* Folds that do not depend on the sign. */
#define BITWISE(name, type, wide)           \
    SUMS(name, type, wide)                  \
    LANE_FOLD(and_##name, type, type, x &y) \
    LANE_FOLD(or_##name, type, type, x | y) \
    LANE_FOLD(xor_##name, type, type, x ^ y)

INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
BITWISE(w8, uint8_t, uint32_t)
BITWISE(w16, uint16_t, uint32_t)
BITWISE(w32, uint32_t, uint32_t)
BITWISE(w64, uint64_t, uint64_t)

#define INTS(name, wide)                                                                       \
    {                                                                                          \
        [TSR_FOLD_SUM] = sum_##wide, [TSR_FOLD_PRODUCT] = product_##wide,                      \
        [TSR_FOLD_MAX] = max_##name, [TSR_FOLD_MIN] = min_##name, [TSR_FOLD_AND] = and_##wide, \
        [TSR_FOLD_OR] = or_##wide, [TSR_FOLD_XOR] = xor_##wide                                 \
    }
const tsr_fold_row ISA(tsr_int_folds)[TSR_D__COUNT] = {
    [TSR_D_I8] = INTS(i8, w8),
    [TSR_D_I16] = INTS(i16, w16),
    [TSR_D_I32] = INTS(i32, w32),
    [TSR_D_I64] = INTS(i64, w64),
    [TSR_D_U8] = INTS(u8, w8),
    [TSR_D_U16] = INTS(u16, w16),
    [TSR_D_U32] = INTS(u32, w32),
    [TSR_D_U64] = INTS(u64, w64),
    /* a sum of truth values is an or, a product an and */
    [TSR_D_I1] = {[TSR_FOLD_SUM] = or_w8,
                  [TSR_FOLD_PRODUCT] = and_w8,
                  [TSR_FOLD_MAX] = or_w8,
                  [TSR_FOLD_MIN] = and_w8,
                  [TSR_FOLD_AND] = and_w8,
                  [TSR_FOLD_OR] = or_w8,
                  [TSR_FOLD_XOR] = xor_w8},
};
