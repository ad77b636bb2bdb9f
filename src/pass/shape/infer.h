/* SPDX-License-Identifier: Apache-2.0 */
/* infer.h - the parts of tessera-infer-types. */
#ifndef TSR_PASS_INFER_H
#define TSR_PASS_INFER_H

#include "pass/shape/refine.h"

typedef struct {
    tsr_op *call, *func;
    uint32_t next; /* of the same function: 1 + its index in calls; 0: the last one */
} tsr_inferred_call;

typedef struct {
    tsr_rewriter r; /* for rules; list is used as a queue here, from head on */
    tsr_simplify_options options;
    tsr_pass *p;
    size_t head;
    tsr_rewrites_by_opcode rules;
    tsr_type **written; /* by value id: the original types */
    /* Calls (infer_calls.c). */
    TSR_VEC(tsr_inferred_call) calls;
    TSR_VEC(tsr_op *) waiting; /* functions whose arguments may be refined */
    tsr_symtab symbols;
    uint32_t *first_call; /* by op id of a function: 1 + its first call */
    uint32_t *call_place; /* by op id of a call: 1 + its index in calls */
    uint8_t *state;       /* by op id of a function: FUNC_* */
    uint32_t nid;
    /* Loops (infer_loops.c). */
    uint32_t trials;      /* number of nested trials in progress */
    const tsr_op *inside; /* the loop being tried */
    bool contradiction;   /* a trial found contradictory types */
} tsr_inference;

/* Records that v has this type, and queues its users. */
void tsr_inference_know(tsr_inference *s, tsr_value *v, tsr_attr *value);
/* The most precise type that covers both; NULL if there is none. */
tsr_type *tsr_type_either(tsr_type *a, tsr_type *b);

/* ---- Functions and calls (infer_calls.c) ---- */

void tsr_inference_start(tsr_inference *s, tsr_op *root);
void tsr_inference_end(tsr_inference *s);
/* op may be a call, or the return of a function. */
void tsr_inference_call(tsr_inference *s, tsr_op *op);
/* Refines arguments of functions from their calls; returns whether there was something to do. */
bool tsr_inference_functions(tsr_inference *s);
/* Inserts casts for ops that require their original types. */
void tsr_inference_mend(tsr_inference *s, tsr_op *root);

/* Infers types only inside op; false if types contradict each other, without a diagnostic (infer_types.c). */
bool tsr_inference_inside(tsr_inference *s, tsr_op *op);

/* ---- Loops of scf (infer_loops.c) ---- */

/* Refines loop-carried types. */
void tsr_inference_loop(tsr_inference *s, tsr_op *op);
/* The values that an scf.condition passes on are the arguments of its loop's body, and the loop's results. */
void tsr_inference_condition(tsr_inference *s, tsr_op *op);
/* The type that operand i of a loop, or of the terminator of one of its blocks, must have; NULL: op is neither. */
tsr_type *tsr_inference_carried(const tsr_op *op, const tsr_op *parent, uint32_t i);

#endif
