/* verify.h - what the parts of the verifier share; for ir/ alone. */
#ifndef TSR_IR_VERIFY_H
#define TSR_IR_VERIFY_H

#include "ir/ir.h"

/* One run. */
typedef struct {
    tsr_arena scratch;
    tsr_dominance *dom;
    tsr_type_vec inferred; /* of one op after the other */
    bool all;              /* go on after a bad op */
    tsr_bitset bad;        /* all: ops that were found bad, by id */
    tsr_bitset tainted;    /* all: those, and the ops that they are in */
    uint32_t nbad;
} tsr_verifier;

/* Notes that op is bad. Whether to go on. */
bool tsr_verifier_goes_on(tsr_verifier *v, const tsr_op *op);

/* What an op shows of itself: counts, structural traits, attributes, types of operands and results, other traits, and its
 * own rules; before its regions are looked into. */
bool tsr_verify_entry(const tsr_verifier *v, tsr_op *op);
/* What only makes sense after the ops in its regions were found right. */
bool tsr_verify_exit(tsr_verifier *v, tsr_op *op);

/* Counts, segments, attributes and regions against the row (verify_row.c). */
bool tsr_verify_counts(const tsr_op *op, bool quiet);
bool tsr_verify_invariants(const tsr_op *op, bool quiet);

/* What traits demand of types; what inference says about those of the results (verify_types.c). */
bool tsr_verify_types(tsr_op *op);
bool tsr_verify_inferred(tsr_op *op, tsr_type_vec *scratch);

/* Types and attributes in messages: 'tensor<2xf32>' in quotes, attributes without. The caller frees the buffer. */
tsr_buf tsr_quote_type(const tsr_ctx *ctx, const tsr_type *type);
tsr_buf tsr_quote_attr(tsr_ctx *ctx, const tsr_attr *attr);

/* The next op inside root in program order, but not inside isolated ops there (walk.c). */
tsr_op *tsr_walk_nest(tsr_op *root, tsr_op *op);

#endif
