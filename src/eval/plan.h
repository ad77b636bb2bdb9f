/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - facts known before a run: slots of values, and where they die. */
#ifndef TSR_EVAL_PLAN_H
#define TSR_EVAL_PLAN_H

#include "eval/tt_mesh.h"

struct tsr_plan {
    tsr_arena arena;
    /* By tsr_plan_frames; NULL before. */
    uint32_t *slot;  /* by value id: its index in the frame of its function */
    uint32_t *first; /* by op id: the first slot of the values in it */
    uint32_t *nslot; /* by op id: size of the frame of a function */
    bool **last;     /* by op id: one flag per operand: the value dies here; NULL: none does */
    const tsr_op **
        views; /* by op id: the TTIR view of a TTNN op, if it has one; NULL: there are no TTNN ops */
    bool *quantized;    /* by op id: some operand or result is quantized */
    tsr_symtab symbols; /* of the module */
    tsr_map blobs;      /* that dense_resource constants refer to */
    bool
        writes; /* some op changes an operand in place (WRITES): calls pass changes of arguments back */
    bool writes_deep;     /* in a region of another op, or with function calls */
    bool looks;           /* some op inspects the values that the evaluator holds (LOOKS) */
    tsr_tt_mesh mesh;     /* of a TTIR program; one device if there is none */
    const char *bad_mesh; /* why its mesh is invalid; NULL: it is valid */
};

/* A plan without slots: what compiling a program asks for. The caller ends it with tsr_plan_free. */
tsr_plan *tsr_plan_facts(tsr_module *m);
/* Adds the slots of values, without which nothing runs on the evaluator; m: the plan's module. Not thread-safe. */
void tsr_plan_frames(tsr_plan *p, tsr_module *m);

/* The module has ops that compiled programs do not support: the evaluator runs it. */
static inline bool tsr_plan_needs_evaluator(const tsr_plan *p)
{
    return p->writes_deep || p->looks;
}

/* Values of one call of a function; or of one run of an isolated op in it, which sees no others. */
typedef struct tsr_frame {
    tsr_tensor **slots; /* n, of which the first is slot number first */
    uint32_t first, n;
} tsr_frame;

/* A frame for the values in op, a function or an isolated op; false: no memory. */
bool tsr_frame_init(tsr_frame *f, const tsr_plan *p, const tsr_op *op);
void tsr_frame_free(tsr_frame *f);
static inline tsr_tensor **tsr_frame_at(const tsr_frame *f, const tsr_plan *p, const tsr_value *v)
{
    uint32_t i = p->slot[v->id] - f->first;
    tsr_assert(i < f->n, "slot %u of a frame of %u", i, f->n);
    return &f->slots[i];
}

/* The operand that the op changes in place (WRITES); -1: none, or several. */
int tsr_written_operand(const tsr_op *op);
/* All that it changes (WRITES, WRITES_MANY), a bit each. */
uint32_t tsr_written_operands(const tsr_op *op);
/* The row's kernel; NULL if there is none. */
eval_fn *tsr_kernel_of(const tsr_op *op);
bool tsr_run_block(tsr_eval *e, tsr_frame *f, const tsr_block *block, tsr_tensor **out,
                   size_t nout);

#endif
