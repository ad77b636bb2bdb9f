/* attention.h - an attention while it is raised: what raise_attention.c finds and make_attention.c
 * makes an op of. */
#ifndef TSR_PASS_FUSE_ATTENTION_H
#define TSR_PASS_FUSE_ATTENTION_H

#include "pass/fuse/raise.h"

/* Labels beside the dimensions of the frame. */
enum { TSR_LABEL_VALUE = 30, TSR_LABEL_INNER = 31, TSR_LABEL_NONE = 32 };

typedef struct {
    tsr_view w;
    bool adds, invert, causal;
    double fill; /* what scores get that are hidden */
} tsr_attention_mask;

enum { TSR_MASKS = 6 };

typedef struct {
    tsr_match *m;
    tsr_product values, scores; /* the two products */
    int p, q; /* which operand of values are the probabilities, of scores the queries */
    const tsr_type *frame;
    const tsr_type *written; /* the frame before one of its dimensions was parted */
    int8_t parted;           /* that dimension, or -1 */
    int8_t rows, keys; /* dimensions of the frame; rows: TSR_LABEL_NONE when there is one query */
    int8_t order[TSR_RAISE_RANK]; /* of [leading..., rows, keys] */
    uint32_t nlead;
    double scale;
    bool safe;                           /* the graph itself gives 0 for queries that see no key */
    tsr_attention_mask masks[TSR_MASKS]; /* the last that is applied first */
    uint32_t nmask;
} tsr_attention;

/* Makes the op; labels of queries, keys, values and the result. False when it is refused. */
bool tsr_attention_make(tsr_attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv,
                        const int8_t *lo);

#endif
