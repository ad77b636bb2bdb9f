/* isa.h - what the sources of this folder have in common: each is compiled once for each class of machines.
 *
 * The makefile defines TSR_ISA, the name of the class, and sets the compiler's flags for it; exported names end in it. Sources use no
 * instructions by name where loops will do: compilers turn loops over elements without branches into vectors. Nothing here is
 * called before exec/kernel/isa.c has found that the machine has the class. */
#ifndef TSR_EXEC_KERNEL_ISA_ISA_H
#define TSR_EXEC_KERNEL_ISA_ISA_H

#include "exec/kernel/tile.h"

typedef tsr_tile_fn *tsr_tile_row[TSR_TILE__COUNT];
typedef void tsr_fold_fn(void *lanes, const void *in, size_t n);
typedef tsr_fold_fn *tsr_fold_row[TSR_FOLD__COUNT];

/* Kernels of one class. */
typedef struct {
    const char *name;
    const tsr_tile_row *f32, *f64;
    const tsr_tile_row *const *ints;                          /* [TSR_D_U64 + 1] */
    tsr_tile_fn *const (*converts)[TSR_D__COUNT];             /* [to][from] */
    const tsr_fold_row *folds;                                /* [TSR_D__COUNT] */
    void (*stream)(void *dst, const void *src, size_t bytes); /* dst: a multiple of 64; bytes too */
} tsr_isa;

/* The class that runs. */
const tsr_isa *tsr_isa_now(void);

#if !defined(TSR_ISA)
#if defined(__aarch64__)
#define TSR_ISA neon
#else
#define TSR_ISA baseline
#endif
#endif

#define TSR_ISA_JOIN2(name, isa) name##_##isa
#define TSR_ISA_JOIN(name, isa) TSR_ISA_JOIN2(name, isa)
#define ISA(name) TSR_ISA_JOIN(name, TSR_ISA)

#define TSR_ISA_DECLARE(isa)                                                  \
    extern const tsr_tile_row tsr_tiles_f32_##isa, tsr_tiles_f64_##isa;       \
    extern const tsr_tile_row *const tsr_tiles_int_##isa[TSR_D_U64 + 1];      \
    extern tsr_tile_fn *const tsr_converts_##isa[TSR_D__COUNT][TSR_D__COUNT]; \
    extern const tsr_fold_row tsr_folds_##isa[TSR_D__COUNT];                  \
    void tsr_stream_##isa(void *dst, const void *src, size_t bytes);
TSR_ISA_DECLARE(baseline)
TSR_ISA_DECLARE(avx2)
TSR_ISA_DECLARE(avx512)
TSR_ISA_DECLARE(neon)

/* ---- Loops ---- */

/* Elements of a loop do not depend on each other, although the result may stand where an operand stood. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define LOOP1(fn, type, result, expr)                             \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        const type *a_ = in_[0];                                  \
        result *o_ = out_;                                        \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            type x = a_[i_];                                      \
            o_[i_] = (result)(expr);                              \
        }                                                         \
    }
#define LOOP2(fn, type, result, expr)                             \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        const type *a_ = in_[0], *b_ = in_[1];                    \
        result *o_ = out_;                                        \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            type x = a_[i_], y = b_[i_];                          \
            o_[i_] = (result)(expr);                              \
        }                                                         \
    }
#define LOOP3(fn, type, result, expr)                             \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        const type *a_ = in_[0], *b_ = in_[1], *c_ = in_[2];      \
        result *o_ = out_;                                        \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            type x = a_[i_], y = b_[i_], z = c_[i_];              \
            o_[i_] = (result)(expr);                              \
        }                                                         \
    }
/* The first operand is i1. */
#define LOOP_SELECT(fn, type)                                     \
    static void fn(void *out_, const void *const *in_, size_t n_) \
    {                                                             \
        const uint8_t *p_ = in_[0];                               \
        const type *a_ = in_[1], *b_ = in_[2];                    \
        type *o_ = out_;                                          \
        INDEPENDENT                                               \
        for (size_t i_ = 0; i_ < n_; i_++) {                      \
            type x = a_[i_], y = b_[i_];                          \
            o_[i_] = p_[i_] & 1 ? x : y;                          \
        }                                                         \
    }

#endif
