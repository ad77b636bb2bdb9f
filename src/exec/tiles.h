/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.h - ops on tiles of elements, by name: what instructions compute. The kernels are in kernel/tile.h. */
#ifndef TSR_EXEC_TILES_H
#define TSR_EXEC_TILES_H

#include "eval/tensor.h"

typedef enum {
#define TILE(name, operands) TSR_TILE_##name,
#include "exec/tiles.def"
    TSR_TILE__COUNT
} tsr_tile_op;

/* out may equal one or more of in whose elements have the size of the result's; no other overlap is allowed. */
typedef void tsr_tile_fn(void *out, const void *const *in, size_t n);

/* Which operands, one bit each, are scalars: one number for all elements. */
typedef enum {
    TSR_TILE_ALL = 0,
    TSR_TILE_FIRST_ONE = 1,
    TSR_TILE_SECOND_ONE = 2,
    TSR_TILE_FORMS = 16
} tsr_tile_form;
bool tsr_tile_swaps(tsr_tile_op op, tsr_dtype type); /* SWAPS and COMMUTES in tiles.def */
/* The op that computes two ops at once: second, whose operand number place is the result of first.
 * TSR_TILE__COUNT: there is none. */
tsr_tile_op tsr_tile_pair(tsr_tile_op first, tsr_tile_op second, int place);
enum { TSR_TILE_OPERANDS = 4 }; /* at most */
int tsr_tile_operands(tsr_tile_op op);
bool tsr_tile_is_cheap(tsr_tile_op op); /* CHEAP in tiles.def; false for what is no kernel */
bool tsr_tile_cancels(tsr_tile_op op);  /* CANCELS; likewise */
const char *tsr_tile_name(tsr_tile_op op);
/* What f32 is rounded to. */
typedef enum {
    TSR_NEAREST_BF16,
    TSR_NEAREST_F16,
    TSR_NEAREST_SMALL_F16,
    TSR_NEAREST__COUNT
} tsr_nearest;

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
/* The neutral element of a fold that some target has. */
void tsr_fold_neutral(tsr_fold_op op, tsr_dtype type, void *out);

#endif
