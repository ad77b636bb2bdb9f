/* infer.h - the parts of tessera-infer-types. */
#ifndef TSR_PASS_INFER_H
#define TSR_PASS_INFER_H

#include "pass/shape/refine.h"

typedef struct {
    tsr_op *call, *func;
    uint32_t next; /* of the same function: 1 + its place in calls; 0: the last one */
} tsr_inferred_call;

typedef struct {
    tsr_rewriter r; /* for rules; list is a queue here, from head on */
    tsr_simplify_options options;
    tsr_pass *p;
    size_t head;
    tsr_rewrites_by_opcode rules;
    tsr_type **written; /* by value id: the types at the start */
    /* Calls (infer_calls.c). */
    TSR_VEC(tsr_inferred_call) calls;
    TSR_VEC(tsr_op *) waiting; /* functions whose arguments may be refined */
    tsr_symtab symbols;
    uint32_t *first_call; /* by op id of a function: 1 + its first call */
    uint32_t *call_place; /* by op id of a call: 1 + its place in calls */
    uint8_t *state;       /* by op id of a function: FUNC_* */
    uint32_t nid;
    /* Loops (infer_loops.c). */
    uint32_t trials;      /* that are going on inside each other */
    const tsr_op *inside; /* the loop that is tried */
    bool contradiction;   /* a trial found types that contradict each other */
} tsr_inference;

/* v is known to be this; its users are looked at again. */
void tsr_inference_know(tsr_inference *s, tsr_value *v, tsr_attr *value);
/* What is known when either holds; NULL when nothing is. */
tsr_type *tsr_type_either(tsr_type *a, tsr_type *b);

/* ---- Functions and calls (infer_calls.c) ---- */

void tsr_inference_start(tsr_inference *s, tsr_op *root);
void tsr_inference_end(tsr_inference *s);
/* op may be a call, or the return of a function. */
void tsr_inference_call(tsr_inference *s, tsr_op *op);
/* Refines arguments of functions by their calls; whether there was something to do. */
bool tsr_inference_functions(tsr_inference *s);
/* Casts for those who insist on the types that they were written with. */
void tsr_inference_mend(tsr_inference *s, tsr_op *root);

/* Infers what is inside op, and nothing else; false when types contradict each other, without a word (infer_types.c). */
bool tsr_inference_inside(tsr_inference *s, tsr_op *op);

/* ---- Loops of scf (infer_loops.c) ---- */

/* Refines what a loop carries. */
void tsr_inference_loop(tsr_inference *s, tsr_op *op);
/* What an scf.condition hands on is what its loop's body takes, and what the loop gives. */
void tsr_inference_condition(tsr_inference *s, tsr_op *op);
/* The type that operand i of a loop, or of what ends its blocks, has to have; NULL: op is none of them. */
tsr_type *tsr_inference_carried(const tsr_op *op, const tsr_op *parent, uint32_t i);

#endif
