/* SPDX-License-Identifier: Apache-2.0 */
/* scope.h - what a block contains, as people think of it: the scopes that the user named, layers folded into one box,
 * and no box with more parts than a person can take in. */
#ifndef TSR_EXPLORE_SCOPE_H
#define TSR_EXPLORE_SCOPE_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

typedef enum {
    TSR_BOX_OP, /* no box: an op, or an argument */
    TSR_BOX_SCOPE,
    TSR_BOX_LAYER, /* ops that repeat, without a name */
    TSR_BOX_FOLD,  /* boxes that look alike: the layers of a model */
    TSR_BOX_PART,  /* some of many: neighbours */
    TSR_BOX_ARGS,
} tsr_box_kind;

typedef struct tsr_box tsr_box;

/* An op, an argument, or a box. */
typedef struct {
    tsr_op *op;
    const tsr_value *arg;
    tsr_box *box;
} tsr_item;

struct tsr_box {
    tsr_box_kind kind;
    tsr_str label;
    tsr_item *items;
    uint32_t n, nop; /* nop: ops inside, of all boxes in it */
    uint32_t turn,
        turns; /* of a layer: its index and the number of layers; of a fold: how many boxes */
};

/* The contents of a block, in the order of their first ops; memory is in the arena. whole: also arguments are put into
 * boxes. layers counts those found, steps the work. */
tsr_item *tsr_scope_items(tsr_arena *arena, const tsr_block *block, bool whole, uint32_t *n,
                          uint32_t *layers, uint64_t *steps);

/* The scopes of a stack of names, "backward / block_0 / attention". False: it names none. */
bool tsr_scope_text(tsr_buf *out, tsr_str stack);

#endif
