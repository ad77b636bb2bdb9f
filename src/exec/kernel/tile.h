/* SPDX-License-Identifier: Apache-2.0 */
/* tile.h - tile kernels: one op on n contiguous elements.
 *
 * A program of fused elementwise ops runs as a list of these on tiles of some hundred elements that stay in the
 * first-level cache. Elements are stored as in eval's tensors (eval/tensor.h): i1 is a byte of 0 or 1. Each result
 * element depends only on the operand elements at its position, not on n or on the position.
 *
 * Results are those of StableHLO: maximum and minimum propagate NaN and order zeros by sign, integers wrap, x / 0 is
 * all ones and x % 0 is x, shifts by the width or more leave nothing but the sign, clamp is minimum(maximum(operand,
 * min), max). Integer ops, comparisons, and the float ops of IEEE 754 have the same bits as in eval. Transcendental
 * functions have error bounds, in units in the last place of the result, which the test of this file measures (table in
 * docs/KERNELS.md). f16, bf16 and smaller floats have no arithmetic here: they are converted to f32 and back. */
#ifndef TSR_EXEC_KERNEL_TILE_H
#define TSR_EXEC_KERNEL_TILE_H

#include "exec/tiles.h"

/* The kernel of an op on operands of a type (for select: the type of the second and third, the first is i1); the result
 * has the same type, or i1 for comparisons and is_finite. NULL: there is none. */
tsr_tile_fn *tsr_tile_find(tsr_tile_op op, tsr_dtype type);
/* The same if some operands, one bit each, are scalars: one number for all elements. NULL: there is none. */
tsr_tile_fn *tsr_tile_find_form(tsr_tile_op op, tsr_dtype type, tsr_tile_form form);
/* stablehlo.convert, with eval's results (tsr_convert). NULL: convert through f32 or f64. out may equal in[0] if both
 * types have the same size. */
tsr_tile_fn *tsr_tile_convert(tsr_dtype to, tsr_dtype from);
/* f32 rounded to the nearest number of a narrower type, or only so that it is 0 where that is, and multiples of the
 * type's least number below its normal ones. out may equal in[0]. */
tsr_tile_fn *tsr_tile_nearest(tsr_nearest to);

/* Fills out with n copies of the element at value. */
void tsr_tile_splat(tsr_dtype type, void *out, const void *value, size_t n);
/* Stores start, start + step, ... converted to the type. */
void tsr_tile_iota(tsr_dtype type, void *out, int64_t start, int64_t step, size_t n);
/* Copies n elements. streaming: past the caches, for results larger than the last-level cache; the pool makes them
 * visible to other threads at the end of its loops, elsewhere tsr_tile_fence does. No overlap. */
void tsr_tile_store(tsr_dtype type, void *dst, const void *src, size_t n, bool streaming);
void tsr_tile_fence(void);

/* ---- Reductions ---- */

enum { TSR_FOLD_LANES = 64, TSR_FOLD_SHORT = 16 };

/* Element i goes into lane i % 64; each lane is folded in order, in the element's own type; at the end lanes are joined
 * as a tree: 32 pairs (i, i + 32), 16 pairs, ... The bits depend on the elements and their order alone. */
typedef struct tsr_fold {
    _Alignas(64) unsigned char lanes[TSR_FOLD_LANES * 8];
    void (*add)(void *lanes, const void *in, size_t n);
    uint8_t op, type;
} tsr_fold;

/* False: there is no such fold on this type (f32, f64, integers of eight bits or more, i1). */
bool tsr_fold_start(tsr_fold *f, tsr_fold_op op, tsr_dtype type);
/* n: a multiple of 64 except in the last call. */
static inline void tsr_fold_add(tsr_fold *f, const void *in, size_t n)
{
    f->add(f->lanes, in, n);
}
/* The same for two folds of n elements each, a multiple of 64: faster if both are long and far apart in memory. */
void tsr_fold_add_two(tsr_fold *f, tsr_fold *g, const void *in, const void *from, size_t n);
/* With no elements: the op's neutral element. Sums begin with 0, so that they are never -0. */
void tsr_fold_end(const tsr_fold *f, void *out);
/* Folds contiguous rows of n elements, each to its own result. */
void tsr_fold_rows(tsr_fold_op op, tsr_dtype type, void *out, const void *in, size_t rows,
                   size_t n);
/* Sums of the products of two such matrices, of f32 or f64: the bits are those of the products, folded. */
void tsr_fold_products(tsr_dtype type, void *out, const void *a, const void *b, size_t rows,
                       size_t n);

/* ---- Classes of machines ---- */

/* The name of the class in use: baseline, avx2, avx512 or neon. Initially that of TESSERA_ISA, if this machine supports
 * it, otherwise the best supported one. */
const char *tsr_isa_name(void);
/* Selects a class. False: unknown name, or this machine does not support it; reason (may be NULL) says why. Must not be
 * called while kernels run. */
bool tsr_isa_use(const char *name, const char **reason);
/* Why the class of TESSERA_ISA is not used; NULL: it is, or the variable is not set. */
const char *tsr_isa_complaint(void);
/* Names of all classes in this build, best last, terminated by NULL. */
const char *const *tsr_isa_names(void);
/* Cache lines that may be prefetched at once, relative to other machines: AMD's cores with AVX-512 have room for more
 * outstanding requests, and memory serves them faster if adjacent lines are requested together. */
int tsr_isa_burst(void);
/* Results of fewer bytes are not written past the caches, unless their loop reads and writes 3/2 of that in all. AMD's
 * last cache belongs to a few cores, and a later loop finds the result there. 0: the compiler's limit alone decides
 * (exec/cpu/code.c). */
uint64_t tsr_isa_bytes_kept(void);
/* Bytes of a core's second-level cache; 0: not known. */
int64_t tsr_isa_near_bytes(void);

#endif
