/* SPDX-License-Identifier: Apache-2.0 */
/* reducer.h - what the body of a reduction computes, and its identity element.
 *
 * The column REDUCER(kind) of a row says that the op combines two values in this way. Reductions, scatters, windows and
 * collectives call tsr_reducer_of to classify their body: no other file examines the ops of a body for that. */
#ifndef TSR_DIALECT_REDUCER_H
#define TSR_DIALECT_REDUCER_H

#include "dialect/opcode.h"
#include "dialect/sdy/sdy.h"
#include "ir/ir.h"

typedef enum {
    TSR_REDUCE_OTHER, /* anything else */
    TSR_REDUCE_SUM,
    TSR_REDUCE_PRODUCT,
    TSR_REDUCE_MIN,
    TSR_REDUCE_MAX,
    TSR_REDUCE_AND,
    TSR_REDUCE_OR,
    TSR_REDUCE_XOR,
    TSR_REDUCE__COUNT
} tsr_reduce_kind;

/* The column of an op, and its inverse: the StableHLO op that combines two values this way; 0 if there is none. */
tsr_reduce_kind tsr_reduce_kind_of(int opcode);
enum tsr_opcode tsr_reduce_opcode(tsr_reduce_kind kind);
/* Kinds that sdy has names for. */
tsr_reduce_kind tsr_reduce_from_sdy(int64_t reduction);
/* The equivalent sdy reduction, with equal results for such elements; false if there is none. */
bool tsr_reduce_to_sdy(tsr_reduce_kind kind, const tsr_type *elem, tsr_sdy_reduction *out);
/* The kind with equal results for booleans: and, or, or xor. */
tsr_reduce_kind tsr_reduce_of_truths(tsr_reduce_kind kind);
static inline bool tsr_reduce_is_extremal(tsr_reduce_kind kind)
{
    return kind == TSR_REDUCE_MIN || kind == TSR_REDUCE_MAX;
}

/* How a body on n pairs of arguments computes result i from arguments i and n + i. */
typedef struct {
    const tsr_op *op;     /* the op that combines the two; NULL: it is not one op on both */
    tsr_reduce_kind kind; /* of that op */
    bool swapped;         /* it takes the second argument first */
    bool alone;           /* the body has no other op */
    bool truths; /* op and others on booleans are together of this kind; op is the last of them */
    bool second; /* op is NULL, and the result is the second argument */
} tsr_reducer;
/* Whether op was found. */
bool tsr_reducer_of(const tsr_region *body, uint32_t n, uint32_t i, tsr_reducer *out);
/* The kind if a body on one pair is a single op, or is of this kind for all booleans; else TSR_REDUCE_OTHER. */
tsr_reduce_kind tsr_reducer_kind(const tsr_region *body);

/* MAX or MIN if a body on two pairs returns the pair whose first element is the greater or the lesser (picker.c): NaN
 * first, and of equal ones the one that comes first, or whose second is the lesser. Else TSR_REDUCE_OTHER. */
tsr_reduce_kind tsr_reducer_pick(const tsr_region *body);

/* AND, OR or XOR if a body on one pair computes that for all booleans, whatever its ops are: PyTorch's any() selects
 * true or false by an or. Else TSR_REDUCE_OTHER. */
tsr_reduce_kind tsr_reducer_truths(const tsr_region *body);

/* What represents the least and the greatest float. */
typedef enum {
    TSR_IDENTITY_INFINITE, /* infinity; a type without infinity has no identity */
    TSR_IDENTITY_GREATEST, /* infinity, or the greatest number if there is none */
    TSR_IDENTITY_FINITE    /* the greatest finite number, which changes infinities */
} tsr_identity;
/* Writes the bytes of the element that leaves others unchanged when combined with them; returns their number. 0: none
 * is known. Complex numbers have one only for sums and products. Zero is used instead of -0, which would keep the signs
 * of zeros. */
size_t tsr_reduce_identity(tsr_reduce_kind kind, const tsr_type *elem, tsr_identity how,
                           uint8_t bytes[32]);
/* The same as a scalar; NULL: none is known. */
tsr_attr *tsr_reduce_identity_attr(tsr_module *m, tsr_reduce_kind kind, tsr_type *elem,
                                   tsr_identity how);

#endif
