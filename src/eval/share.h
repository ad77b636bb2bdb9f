/* SPDX-License-Identifier: Apache-2.0 */
/* share.h - data that the processes of a grid compute once for all.
 *
 * The first that requests it makes it; from then on it is immutable, and lives as long as the grid. */
#ifndef TSR_EVAL_SHARE_H
#define TSR_EVAL_SHARE_H

#include <pthread.h>

#include "base/map.h"

/* The first member of shared data: the key that it was made from. */
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

/* The data made from key; if there is none, what make returns: one block of memory, or NULL, which is not kept. make
 * must not request other shared data. */
typedef tsr_shared *tsr_share_fn(const tsr_shared *key, void *user);
const tsr_shared *tsr_share_get(tsr_share *s, const tsr_shared *key, tsr_share_fn *make,
                                void *user);

#endif
