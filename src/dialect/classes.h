/* SPDX-License-Identifier: Apache-2.0 */
/* classes.h - constants for the TYPE_IS rows of constraints.def: classes of types and of elements, and of types that
 * have elements.
 *
 * A type without elements has one class; a row lists the classes it accepts alone, the shapes it accepts, and the
 * classes of elements that those may have. Included by registry.c and by the test itself (builtin/constraints.c). */
#ifndef TSR_DIALECT_CLASSES_H
#define TSR_DIALECT_CLASSES_H

/* Classes. They are split only where some constraint distinguishes types. */
enum {
    C_I1 = 1 << 0,
    C_I8 = 1 << 1,
    C_I32 = 1 << 2,
    C_I64 = 1 << 3,
    C_I_HLO = 1 << 4, /* i2, i4, i16 */
    C_I_ODD = 1 << 5, /* signless integers of other widths */
    C_UI32 = 1 << 6,
    C_UI_HLO = 1 << 7, /* ui2, ui4, ui8, ui16, ui64 */
    C_SIGNED = 1 << 8, /* si8 and the like, and unsigned integers of other widths */
    C_INDEX = 1 << 9,
    C_F32 = 1 << 10,
    C_F64 = 1 << 11,
    C_F_HLO = 1 << 12, /* 4 to 16 bits */
    C_F_ODD = 1 << 13, /* tf32, f80, f128; !ttcore.tile, which counts as a float */
    C_C_HLO = 1 << 14, /* complex of f32 or f64 */
    C_C_ODD = 1 << 15,
    C_Q = 1 << 16,  /* quantized per tensor, 2 to 32 bits, zero point within the stored range */
    C_QA = 1 << 17, /* the same per axis */
    C_NONE = 1 << 18,
    C_FUNCTION = 1 << 19,
    C_TOKEN = 1 << 20,
    C_FUTURE = 1 << 21,
    C_SHAPE = 1 << 22,
    C_SIZE = 1 << 23,
    C_WITNESS = 1 << 24,
    C_VALUE_SHAPE = 1 << 25,
    C_TUPLE = 1 << 26,
    C_NESTED =
        1
        << 27, /* a row accepts tuples of what it accepts, and of buffers and tokens; no type has this class */
    C_EFFECT_TOKEN = 1 << 28,
    C_OTHER = 1 << 29,
    C_DICT = 1 << 30,                /* !ttcore.dict */
    C_TTNN_DEVICE = -2147483647 - 1, /* bit 31 */
};

/* Sets of classes. */
enum {
    NOTHING = 0,
    EVERYTHING = ~0,
    HLO_PRED = C_I1,
    HLO_SINT = C_I8 | C_I32 | C_I64 | C_I_HLO,
    HLO_INT = HLO_SINT | C_UI32 | C_UI_HLO,
    HLO_FP = C_F32 | C_F64 | C_F_HLO,
    HLO_PLAIN = HLO_PRED | HLO_INT | HLO_FP | C_C_HLO,
    HLO_VALUE = HLO_PLAIN | C_Q,
    HLO_ANY = HLO_VALUE | C_QA,
    SIGNLESS = C_I1 | HLO_SINT | C_I_ODD,
    INTEGER = SIGNLESS | C_UI32 | C_UI_HLO | C_SIGNED,
    SIGNLESS_OR_INDEX = SIGNLESS | C_INDEX,
    FLOATING = HLO_FP | C_F_ODD,
    COMPLEX = C_C_HLO | C_C_ODD,
};

/* Kinds of types with elements, and limits on tensors of known rank. */
enum {
    S_RANKED = 1 << 0,
    S_UNRANKED = 1 << 1,
    S_VECTOR = 1 << 2,
    S_MEMREF = 1 << 3,
    S_UNRANKED_MEMREF = 1 << 4,
    S_TENSOR = S_RANKED | S_UNRANKED,
    S_LIKE = S_TENSOR | S_VECTOR,
    S_BUFFER = S_MEMREF | S_UNRANKED_MEMREF,
    S_ALL = S_LIKE | S_BUFFER,
    S_RANK0 = 1 << 5, /* with any of these three, other ranks are rejected */
    S_RANK1 = 1 << 6,
    S_RANK2 = 1 << 7,
    S_RANK_SOME = 1 << 8, /* not 0 */
    S_STATIC = 1 << 9,
    S_BOUNDED = 1 << 10, /* static, or one dynamic dimension, which has a bound */
};

#endif
