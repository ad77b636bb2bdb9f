/* tile.h - tile kernels: one op on n contiguous elements.
 *
 * A program of fused elementwise ops runs as a list of these on tiles of some hundred elements that stay in the nearest
 * cache. Elements are in memory as eval's tensors have them (eval/tensor.h): i1 is a byte of 0 or 1. What a kernel
 * computes of an element depends on that element alone, not on n or on where it is.
 *
 * Results are those of StableHLO: maximum and minimum propagate NaN and order zeros by sign, integers wrap, x / 0 is all ones and x % 0 is
 * x, shifts by the width or more leave nothing but the sign, clamp is minimum(maximum(operand, min), max). Integers, comparisons, and the float ops of IEEE 754 give
 * what eval gives, to the bit. Transcendental functions have bounds, in units in the last place of the result; the
 * test of this file measures them (docs/KERNELS.md has the table). f16, bf16 and smaller floats have no arithmetic here: they are
 * converted to f32 and back. */
#ifndef TSR_EXEC_KERNEL_TILE_H
#define TSR_EXEC_KERNEL_TILE_H

#include "eval/tensor.h"

typedef enum {
#define TILE(name, operands) TSR_TILE_##name,
#include "exec/kernel/kernels.def"
    TSR_TILE__COUNT
} tsr_tile_op;

/* out may be the same pointer as one or more of in whose elements are as large as the result's; no other overlap. */
typedef void tsr_tile_fn(void *out, const void *const *in, size_t n);

/* The kernel of an op on operands of a type (of select: the type of the second and third, the first is i1); the result is
 * of the same type, i1 for comparisons and is_finite. NULL: there is none. */
tsr_tile_fn *tsr_tile_find(tsr_tile_op op, tsr_dtype type);
/* The same where some operands, a bit each, are one number for all elements; NULL: there is none. */
typedef enum {
    TSR_TILE_ALL = 0,
    TSR_TILE_FIRST_ONE = 1,
    TSR_TILE_SECOND_ONE = 2,
    TSR_TILE_FORMS = 16
} tsr_tile_form;
tsr_tile_fn *tsr_tile_find_form(tsr_tile_op op, tsr_dtype type, tsr_tile_form form);
bool tsr_tile_swaps(tsr_tile_op op); /* SWAPS in kernels.def */
/* The op that does two at once on floats: second, whose operand number place is the result of first. TSR_TILE__COUNT: none. */
tsr_tile_op tsr_tile_pair(tsr_tile_op first, tsr_tile_op second, int place);
enum { TSR_TILE_OPERANDS = 4 }; /* at most */
int tsr_tile_operands(tsr_tile_op op);
bool tsr_tile_is_cheap(tsr_tile_op op); /* CHEAP in kernels.def */
const char *tsr_tile_name(tsr_tile_op op);
/* stablehlo.convert, as eval has it (tsr_convert). NULL: go by way of f32 or f64. out == in[0] is fine when both are of one size. */
tsr_tile_fn *tsr_tile_convert(tsr_dtype to, tsr_dtype from);

/* n times the element at value. */
void tsr_tile_splat(tsr_dtype type, void *out, const void *value, size_t n);
/* start, start + step, ... converted to the type. */
void tsr_tile_iota(tsr_dtype type, void *out, int64_t start, int64_t step, size_t n);
/* Copies n elements. streaming: past the caches, for results that are larger than the last of them; the pool makes them
 * seen by other threads at the end of its loops, tsr_tile_fence anywhere else. No overlap. */
void tsr_tile_store(tsr_dtype type, void *dst, const void *src, size_t n, bool streaming);
void tsr_tile_fence(void);

/* ---- Reductions ---- */

typedef enum {
    TSR_FOLD_SUM,
    TSR_FOLD_PRODUCT,
    TSR_FOLD_MAX,
    TSR_FOLD_MIN,
    TSR_FOLD_AND,
    TSR_FOLD_OR,
    TSR_FOLD_XOR,
    TSR_FOLD__COUNT
} tsr_fold_op;

enum { TSR_FOLD_LANES = 64, TSR_FOLD_SHORT = 16 };

/* Element i goes into lane i % 64, one after the other in the element's own type; at the end lanes are joined as a tree:
 * 32 pairs (i, i + 32), 16 pairs, ... The bits depend on the elements and their order alone. */
typedef struct tsr_fold {
    _Alignas(64) unsigned char lanes[TSR_FOLD_LANES * 8];
    void (*add)(void *lanes, const void *in, size_t n);
    uint8_t op, type;
} tsr_fold;

/* False: there is no such fold on this type (f32, f64, integers of eight bits or more, i1). */
bool tsr_fold_start(tsr_fold *f, tsr_fold_op op, tsr_dtype type);
/* n: a multiple of 64 but for the last call. */
static inline void tsr_fold_add(tsr_fold *f, const void *in, size_t n)
{
    f->add(f->lanes, in, n);
}
/* The same for two folds, of n elements each, a multiple of 64: faster where both are long and lie apart. */
void tsr_fold_add_two(tsr_fold *f, tsr_fold *g, const void *in, const void *from, size_t n);
/* Of no elements: the op's neutral element (of sums -0.0, which changes no sum). */
void tsr_fold_end(const tsr_fold *f, void *out);
/* Rows of n elements, one behind the other, each to its result. */
void tsr_fold_rows(tsr_fold_op op, tsr_dtype type, void *out, const void *in, size_t rows,
                   size_t n);

/* ---- Classes of machines ---- */

/* The name of the class whose kernels run: baseline, avx2, avx512 or neon. At first: TESSERA_ISA, when it names one that this machine has, else
 * the best that it has. */
const char *tsr_isa_name(void);
/* Takes another class. False: there is no such class, or this machine lacks it; reason (may be NULL) is a text that says so. Not while kernels
 * run. */
bool tsr_isa_use(const char *name, const char **reason);
/* Why TESSERA_ISA could not be followed; NULL: it could, or is not set. */
const char *tsr_isa_complaint(void);
/* Names of all classes of this build, best last, up to NULL. */
const char *const *tsr_isa_names(void);

#endif
