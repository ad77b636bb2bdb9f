/* SPDX-License-Identifier: Apache-2.0 */
/* target.h - what the machine that runs a program can do, and what pays there: asked while a program is compiled.
 *
 * A target is data and pure functions, so that the same program text compiles to the same program. An op whose nodes a
 * target does not have takes another form, or runs on the evaluator's kernel. */
#ifndef TSR_EXEC_TARGET_H
#define TSR_EXEC_TARGET_H

#include "exec/contract.h"
#include "exec/fft.h"
#include "exec/program.h"

/* A chain: rows of A * B (m x k by k x n), on which a loop runs, times n x d matrices; tail: a product contracts them. */
typedef struct {
    int64_t batch, m, n, k, d;
    bool tail;
} tsr_chain_shape;

/* A product in its group. */
typedef struct {
    const tsr_contract *contract;
    bool by_rows; /* a loop runs on whole rows of it */
    bool strict;
} tsr_product_of;

typedef struct tsr_target {
    const char *name;
    /* ---- What there is ---- */
    bool (*tile)(tsr_tile_op op, tsr_dtype type);
    bool (*convert)(tsr_dtype to, tsr_dtype from);
    bool (*fold)(tsr_fold_op op, tsr_dtype type);
    bool (*product)(tsr_dtype type, tsr_dtype to);
    bool (*move)(tsr_move_kind kind, tsr_dtype type);
    /* The transform of a dimension, whose length, direction and type are set. False: there is none. */
    bool (*transform)(tsr_arena *arena, tsr_fft_step *step, int64_t rows);
    /* n elements of an op on known integers or truth values, which tile has. */
    void (*compute)(tsr_tile_op op, tsr_dtype type, void *out, const void *const *in, size_t n);
    /* Bytes that the code of a group works in beside its values, planned with them; NULL: none. */
    size_t (*workspace)(const tsr_program *p, const tsr_xgroup *g);
    /* ---- What pays ---- */
    /* Products of this size are as fast as larger ones: a dimension of their lines may become one of the batch. */
    bool (*batch_pays)(int64_t rows, int64_t cols, int64_t depth);
    /* A loop runs on blocks of the product, rather than after it; on whole rows at no extra cost. */
    bool (*loop_on_product)(const tsr_contract *c);
    bool (*loop_on_rows)(int64_t rows, int64_t cols, int64_t depth);
    /* How often each element of a factor would be computed while it is packed; 0: rather before.
     * NULL: factors are in memory. */
    int64_t (*computed_factor)(const tsr_product_of *x, int side);
    bool (*chain)(const tsr_chain_shape *s);
    /* The second factor is read in short pieces, far apart: a contiguous copy costs less than it saves. */
    bool (*reads_pieces)(const tsr_contract *c);
    /* How the product is computed, for dumps; NULL: as all are. */
    const char *(*way)(const tsr_product_of *x);
    bool
        any_strides; /* batches with several strides; results that are not one matrix after the other */
    bool chain_tails;      /* chains whose rows are contracted */
    bool bits_in_loops;    /* bits of one type as those of another */
    bool lookups_in_loops; /* elements of tables */
    bool
        compares_places; /* one element of each row, by comparing places: rows need not be in memory */
    bool moves_in_loops;   /* movements that one loop reads element by element */
    bool slices_in_place;  /* contiguous dynamic slices */
    bool columns_in_place; /* a column of short rows is read where it is */
    bool interleaves;      /* sums of rows with zeros between them */
    bool unordered_keys;   /* sorts by floats whose NaNs have no order */
    bool checked; /* ops whose nodes it does not have are taken back, and run by the evaluator */
    /* Elements: longer rows are reduced piece by piece; longer ones are not read again after their reduction. */
    int64_t long_row, staged_row;
    /* Elements: smaller movements, and those in shorter pieces, are groups of their own; the same for slices. */
    int64_t part, part_run, slice;
    int64_t align; /* bytes: where values of the arena begin */
} tsr_target;

extern const tsr_target tsr_target_cpu; /* kernel/target.c */
extern const tsr_target
    tsr_target_null; /* null/null.c: it has nothing; a new target begins as its copy */

/* Whether narrow floats can be joined by an op, which is computed in f32. */
bool tsr_target_joins(const tsr_target *t, tsr_tile_op op, tsr_dtype type);
/* Whether a target has what a node needs. */
bool tsr_target_has(const tsr_target *t, const tsr_program *p, const tsr_node *n);

#endif
