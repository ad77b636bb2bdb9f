/* SPDX-License-Identifier: Apache-2.0 */
/* pad.h - sdy-pad-for-divisibility: shared helpers of its patterns.
 *
 * A value with a dimension that its axes do not divide is padded; the padding is unspecified, unless the table gives
 * its value. Types change in place; the table has the original types. */
#ifndef TSR_SHARD_LOCAL_PAD_H
#define TSR_SHARD_LOCAL_PAD_H

#include "shard/core/make.h"
#include "shard/core/sharding.h"

/* The contents of the padding. */
typedef enum { TSR_PAD_ANY, TSR_PAD_ZERO, TSR_PAD_ONE } tsr_pad_kind;

typedef struct {
    const tsr_value *v;
    tsr_type *type; /* original type */
    tsr_pad_kind kind;
} tsr_pad_value;

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *scratch; /* of the pass */
    tsr_shardings table;
    tsr_map values; /* tsr_pad_value, by address of the value */
} tsr_padder;

/* False after a diagnostic; or without one, if there is no padded form. */
typedef bool tsr_pad_fn(tsr_padder *s, tsr_op *op);

const tsr_sharding *tsr_pad_sharding(tsr_padder *s, const tsr_value *v);
/* The type, padded so that the sharding (may be NULL) divides its dimensions. */
tsr_type *tsr_pad_type(tsr_type *type, const tsr_sharding *a);
/* The original type of v; the contents of its padding. */
tsr_type *tsr_pad_original(const tsr_padder *s, const tsr_value *v);
tsr_pad_kind tsr_pad_kind_of(const tsr_padder *s, const tsr_value *v);
void tsr_pad_set_kind(tsr_padder *s, const tsr_value *v, tsr_pad_kind kind);
/* Gives v another type, and records the original one. */
void tsr_pad_retype(tsr_padder *s, tsr_value *v, tsr_type *type);
/* Records v, which replaces a value that had this type. */
void tsr_pad_note(tsr_padder *s, const tsr_value *v, tsr_type *type);
/* Pads results as the operands and their own shardings require. */
bool tsr_pad_generic(tsr_padder *s, tsr_op *op);
/* Fills the padding of v with this number; only along dims, if given (n >= 0). Returns v itself if it has no
 * padding. */
tsr_value *tsr_pad_fill(tsr_padder *s, tsr_build *b, tsr_value *v, tsr_value *with,
                        const int64_t *dims, int64_t n);

void tsr_pad_shard_as(tsr_padder *s, tsr_value *v, const tsr_sharding *a); /* a: NULL for none */

/* Collectives of sdy: pad_collective.c. The second also handles reduce-scatters. */
tsr_pad_fn pad_all_gather, pad_all_slice, pad_all_to_all;
/* Other ops: pad_ops.c. */
tsr_pad_fn pad_constant, pad_convolution, pad_dot, pad_dot_general, pad_dynamic_slice, pad_gather,
    pad_pad, pad_reduce, pad_scatter, pad_slice;

#endif
