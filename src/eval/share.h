/* share.h - what the processes of a grid find out once for all of them.
 *
 * The first that asks makes it; from then on nobody changes it, and it lives as long as the grid. */
#ifndef TSR_EVAL_SHARE_H
#define TSR_EVAL_SHARE_H

#include <pthread.h>

#include "base/map.h"

/* Stands at the beginning of what is shared: what it was made from. */
typedef struct {
    const void *from[2];
    int how;
} tsr_shared;

typedef struct {
    pthread_mutex_t lock;
    tsr_map map;
} tsr_share;

void tsr_share_init(tsr_share *s);
void tsr_share_free(tsr_share *s);

/* What was made from key; else what make gives: one piece of memory, or NULL, which nobody keeps. make must not ask for
 * other shared things. */
typedef tsr_shared *tsr_share_fn(const tsr_shared *key, void *user);
const tsr_shared *tsr_share_get(tsr_share *s, const tsr_shared *key, tsr_share_fn *make,
                                void *user);

#endif
