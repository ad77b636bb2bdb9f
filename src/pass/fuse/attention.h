/* SPDX-License-Identifier: Apache-2.0 */
/* attention.h - an attention while it is raised: raise_attention.c finds it, make_attention.c builds the op. */
#ifndef TSR_PASS_FUSE_ATTENTION_H
#define TSR_PASS_FUSE_ATTENTION_H

#include "pass/fuse/raise.h"

/* Labels besides the dimensions of the frame. */
enum { TSR_LABEL_VALUE = 30, TSR_LABEL_INNER = 31, TSR_LABEL_NONE = 32 };

typedef struct {
    tsr_view w;
    bool adds, invert, causal;
    double fill; /* the value of hidden scores */
} tsr_attention_mask;

enum { TSR_MASKS = 6 };

typedef struct {
    tsr_match *m;
    tsr_product values, scores; /* the two products */
    int p, q; /* which operand of values is the probabilities, and of scores the queries */
    const tsr_type *frame;
    const tsr_type *written; /* the frame before one of its dimensions was split */
    int8_t parted;           /* that dimension, or -1 */
    int8_t rows, keys; /* dimensions of the frame; rows: TSR_LABEL_NONE if there is one query */
    int8_t order[TSR_RAISE_RANK]; /* as [leading..., rows, keys] */
    uint32_t nlead;
    double scale;
    /* the graph itself returns 0 for queries that see no key */
    bool safe;
    tsr_attention_mask masks[TSR_MASKS]; /* in reverse order of application */
    uint32_t nmask;
} tsr_attention;

/* Builds the op; labels of queries, keys, values and the result. False if it is refused. */
bool tsr_attention_make(tsr_attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv,
                        const int8_t *lo);

#endif
