/* SPDX-License-Identifier: Apache-2.0 */
/* verify.h - shared by the files of the verifier; for ir/ only. */
#ifndef TSR_IR_VERIFY_H
#define TSR_IR_VERIFY_H

#include "ir/ir.h"

/* One verification. */
typedef struct {
    tsr_arena scratch;
    tsr_dominance *dom;
    tsr_type_vec inferred; /* reused for each op */
    bool all;              /* continue after a bad op */
    tsr_bitset bad;        /* with all: bad ops, by id */
    tsr_bitset tainted;    /* with all: bad ops and the ops that contain them */
    uint32_t nbad;
} tsr_verifier;

/* Records that op is bad. Returns whether to continue. */
bool tsr_verifier_goes_on(tsr_verifier *v, const tsr_op *op);

/* Checks of the op itself: counts, structural traits, attributes, types of operands and results, other traits, and its
 * own rules; before its regions are visited. */
bool tsr_verify_entry(const tsr_verifier *v, tsr_op *op);
/* Checks that only make sense after the ops in its regions were found valid. */
bool tsr_verify_exit(tsr_verifier *v, tsr_op *op);

/* Counts, segments, attributes and regions against the row (verify_row.c). */
bool tsr_verify_counts(const tsr_op *op, bool quiet);
bool tsr_verify_invariants(const tsr_op *op, bool quiet);

/* Rules of traits about types, and inferred against actual result types (verify_types.c). */
bool tsr_verify_types(tsr_op *op);
bool tsr_verify_inferred(tsr_op *op, tsr_type_vec *scratch);

/* Types and attributes in messages: 'tensor<2xf32>' in quotes, attributes without. The caller frees the buffer. */
tsr_buf tsr_quote_type(const tsr_ctx *ctx, const tsr_type *type);
tsr_buf tsr_quote_attr(tsr_ctx *ctx, const tsr_attr *attr);

/* The next op inside root in program order, but not inside isolated ops there (walk.c). */
tsr_op *tsr_walk_nest(tsr_op *root, tsr_op *op);

#endif
