/* pad.h - sdy-pad-for-divisibility: what its patterns share.
 *
 * A value whose axes do not divide a dimension gets a longer one; what is in the added elements
 * is anything, unless the table says which number it is. Types change in place; the table has the
 * types that values had. */
#ifndef TSR_SHARD_LOCAL_PAD_H
#define TSR_SHARD_LOCAL_PAD_H

#include "shard/core/make.h"
#include "shard/core/sharding.h"

/* What is in added elements. */
typedef enum { TSR_PAD_ANY, TSR_PAD_ZERO, TSR_PAD_ONE } tsr_pad_kind;

typedef struct {
    const tsr_value *v;
    tsr_type *type; /* that it had */
    tsr_pad_kind kind;
} tsr_pad_value;

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *scratch; /* of the pass */
    tsr_shardings table;
    tsr_map values; /* tsr_pad_value, by address of the value */
} tsr_padder;

/* False after a diagnostic; or without one, when there is no padded form. */
typedef bool tsr_pad_fn(tsr_padder *s, tsr_op *op);

const tsr_sharding *tsr_pad_sharding(tsr_padder *s, const tsr_value *v);
/* The type with dimensions that the sharding (may be NULL) divides. */
tsr_type *tsr_pad_type(tsr_type *type, const tsr_sharding *a);
/* The type that v had; what is in its added elements. */
tsr_type *tsr_pad_original(const tsr_padder *s, const tsr_value *v);
tsr_pad_kind tsr_pad_kind_of(const tsr_padder *s, const tsr_value *v);
void tsr_pad_set_kind(tsr_padder *s, const tsr_value *v, tsr_pad_kind kind);
/* Gives v another type, and notes the one that it had. */
void tsr_pad_retype(tsr_padder *s, tsr_value *v, tsr_type *type);
/* v, which stands for what had this type. */
void tsr_pad_note(tsr_padder *s, const tsr_value *v, tsr_type *type);
/* Results get longer, as operands and their own shardings want it. */
bool tsr_pad_generic(tsr_padder *s, tsr_op *op);
/* The number in the added elements of v; only along dims, when they are given (n >= 0). v itself
 * when it has none. */
tsr_value *tsr_pad_fill(tsr_padder *s, tsr_build *b, tsr_value *v, tsr_value *with,
                        const int64_t *dims, int64_t n);

void tsr_pad_shard_as(tsr_padder *s, tsr_value *v, const tsr_sharding *a); /* a: NULL for none */

/* Collectives of sdy: pad_collective.c. The second is for reduce-scatters, too. */
tsr_pad_fn pad_all_gather, pad_all_slice, pad_all_to_all;
/* Other ops: pad_ops.c. */
tsr_pad_fn pad_constant, pad_convolution, pad_dot, pad_dot_general, pad_dynamic_slice, pad_gather,
    pad_pad, pad_reduce, pad_scatter, pad_slice;

#endif
