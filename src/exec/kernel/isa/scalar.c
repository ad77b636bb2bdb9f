/* SPDX-License-Identifier: Apache-2.0 */
/* scalar.c - runs lists of ops on single numbers. See exec/kernel/scalar.h. */
#include "exec/kernel/scalar.h"

#include "exec/kernel/isa/isa.h"
/* Long functions, except the common ones of f32, are not inlined: there is one copy of each. */
#define MATH static __attribute__((noinline))
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"
#include "exec/kernel/isa/math_int.h"

#define IN(T, i) (*(const T *)s->in[i])
#define OUT(T) (*(T *)s->out)

/* One flat switch: each case is a row of a table, and a call per case would cost more than most of them do. */
bool ISA(tsr_scalars)(const tsr_scalar *list, int64_t *iterations)
{
    int64_t most = *iterations, made = 0;
    float hand_F32 = 0;
    double hand_F64 = 0;
    for (const tsr_scalar *s = list;; s++)
        switch (s->what) {
        case TSR_SCALAR_END: *iterations = made; return true;
        case TSR_SCALAR_UNLESS:
            if (IN(uint8_t, 0))
                break;
            *iterations = made;
            return true;
        case TSR_SCALAR_NEXT:
            if (++made == most) {
                *iterations = made;
                return false;
            }
            s = list - 1;
            break;
        case TSR_SCALAR_CALL: s->fn(s->out, s->in, s->n); break;
        case TSR_SCALAR_COPY: memcpy(s->out, s->in[0], s->n); break;
        case TSR_SCALAR_COPY1: OUT(uint8_t) = IN(uint8_t, 0); break;
        case TSR_SCALAR_COPY4: OUT(uint32_t) = IN(uint32_t, 0); break;
        case TSR_SCALAR_COPY8: OUT(uint64_t) = IN(uint64_t, 0); break;
#define SELECT(T) (IN(uint8_t, 0) & 1 ? IN(T, 1) : IN(T, 2))
        case TSR_SCALAR_SELECT1: OUT(uint8_t) = SELECT(uint8_t); break;
        case TSR_SCALAR_SELECT4: OUT(uint32_t) = SELECT(uint32_t); break;
        case TSR_SCALAR_SELECT8: OUT(uint64_t) = SELECT(uint64_t); break;
#define BOOL1(name, expr)               \
    case TSR_SCALAR_I1_##name: {        \
        uint8_t x = IN(uint8_t, 0);     \
        OUT(uint8_t) = (uint8_t)(expr); \
        break;                          \
    }
#define BOOL2(name, expr)                               \
    case TSR_SCALAR_I1_##name: {                        \
        uint8_t x = IN(uint8_t, 0), y = IN(uint8_t, 1); \
        OUT(uint8_t) = (uint8_t)(expr);                 \
        break;                                          \
    }
#include "exec/tiles.def"
#define X(to, type, from, of) \
    case TSR_SCALAR_##to##_OF_##from: OUT(type) = (type)IN(of, 0); break;
            TSR_SCALAR_CONVERTS(X)
#undef X
#define D I32
#define T int32_t
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 1
#include "exec/kernel/isa/scalar_int.def"
#define D U32
#define T uint32_t
#define S int32_t
#define W uint32_t
#define U uint32_t
#define BITS 32u
#define IS_SIGNED 0
#include "exec/kernel/isa/scalar_int.def"
#define D I64
#define T int64_t
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 1
#include "exec/kernel/isa/scalar_int.def"
#define D U64
#define T uint64_t
#define S int64_t
#define W uint64_t
#define U uint64_t
#define BITS 64u
#define IS_SIGNED 0
#include "exec/kernel/isa/scalar_int.def"
#define T float
#define F(name) F32_##name
#define HAND hand_F32
#define FIRST TSR_SCALAR_F32
#define AT 0
#include "exec/kernel/isa/scalar_float.def"
#define AT 1
#include "exec/kernel/isa/scalar_float.def"
#define AT 2
#include "exec/kernel/isa/scalar_float.def"
#define AT 3
#include "exec/kernel/isa/scalar_float.def"
#define AT 4
#include "exec/kernel/isa/scalar_float.def"
#undef T
#undef F
#undef HAND
#undef FIRST
#define T double
#define F(name) F64_##name
#define HAND hand_F64
#define FIRST TSR_SCALAR_F64
#define AT 0
#include "exec/kernel/isa/scalar_float.def"
#define AT 1
#include "exec/kernel/isa/scalar_float.def"
#define AT 2
#include "exec/kernel/isa/scalar_float.def"
#define AT 3
#include "exec/kernel/isa/scalar_float.def"
#define AT 4
#include "exec/kernel/isa/scalar_float.def"
#undef T
#undef F
#undef HAND
#undef FIRST
        default: __builtin_unreachable();
        }
}
