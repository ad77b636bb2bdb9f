/* SPDX-License-Identifier: Apache-2.0 */
/* nn.h - shared by TTNN's passes: the names of their rule sets, and the context in which a rule works.
 *
 * Rules are in rules.def; pass/simplify's driver applies them. A rule creates ops before the one that it examines with
 * dialect/ttnn/build.h's builders on n.b, then ends with one of the functions below, which notify the driver of new
 * ops. */
#ifndef TSR_PASS_TTNN_NN_H
#define TSR_PASS_TTNN_NN_H

#include "dialect/ttnn/build.h"
#include "pass/simplify/simplify.h"

enum {
    TSR_NN_FOLD = 1 << 0,       /* with every other set */
    TSR_NN_CANON = 1 << 1,      /* canonicalize */
    TSR_NN_WORK = 1 << 2,       /* ttnn-workaround */
    TSR_NN_WORK_LATE = 1 << 3,  /* the same below optimization level 2 */
    TSR_NN_FUSE = 1 << 4,       /* ttnn-fusing */
    TSR_NN_DECOMPOSE = 1 << 5,  /* ttnn-decomposition */
    TSR_NN_SPACE = 1 << 6,      /* ttnn-memory-management */
    TSR_NN_SPACE_MORE = 1 << 7, /* the same, even if it may cost time */
};

enum { TSR_NN_ROUNDS = 10 };

#define RULE(id, sets, eager, fn) bool rule_##fn(tsr_rewriter *r, tsr_op *op);
#include "pass/ttnn/rules.def"
extern const tsr_rewrites tsr_nn_rewrites;
extern const tsr_simplify_options canonicalize_ttnn; /* pass/pass.def: CANONICALIZER */

/* Applies sets of rules, first op first. */
bool tsr_nn_apply(tsr_pass *p, tsr_op *root, unsigned sets);

/* ---- For rules ---- */

typedef struct {
    tsr_build b; /* new ops are inserted before op */
    tsr_rewriter *r;
    tsr_op *op, *before;
} tsr_nn;

tsr_nn tsr_nn_at(tsr_rewriter *r, tsr_op *op);
/* Replaces op's results by values, and erases op; always true. */
bool tsr_nn_becomes(tsr_nn *n, tsr_value *v);
bool tsr_nn_becomes_all(tsr_nn *n, tsr_value *const *values);
/* op stays, with other operands or attributes; always true. */
bool tsr_nn_stays(tsr_nn *n);
/* The definition of v, if it is an op of this kind without other users. */
tsr_op *tsr_nn_single(const tsr_value *v, uint16_t opcode);
/* A tensor of static shape and limited rank. */
bool tsr_nn_tensor(const tsr_value *v);

#endif
