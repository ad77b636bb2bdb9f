/* SPDX-License-Identifier: Apache-2.0 */
/* store.h - keeps values until they are asked for: in memory, and beyond a limit in an unnamed file.
 *
 * Places are numbered. Several threads may store values; the oldest are written to the file first. */
#ifndef TSR_CHECK_STORE_H
#define TSR_CHECK_STORE_H

#include <pthread.h>

#include "base/status.h"
#include "eval/tensor.h"

typedef struct {
    tsr_tensor *tensor; /* NULL: none, or it is in the file */
    tsr_type *elem;
    int64_t at; /* 1 + its offset in the file; 0: not in the file */
} tsr_kept;

typedef struct {
    tsr_kept *items;
    size_t n;
    size_t *order, norder,
        next; /* places in the order in which they were filled; the next one to write to the file */
    uint64_t max_bytes, bytes; /* in memory; 0: no limit */
    const char *folder;
    int file; /* -1: none yet */
    int64_t end;
    pthread_mutex_t lock;
} tsr_store;

/* folder: for the file; NULL: that of TMPDIR, or /tmp. The string must outlive the store. */
void tsr_store_init(tsr_store *s, size_t n, uint64_t max_bytes, const char *folder);
void tsr_store_free(tsr_store *s);
/* For use after a stop, which has already freed all memory of the call that made the store: closes the file. */
void tsr_store_close(void *store);
/* Takes a reference, in place of an earlier value's; once: an earlier value stays. False: the file has no room; status
 * has the error. */
bool tsr_store_put(tsr_store *s, size_t i, tsr_tensor *t, bool once, tsr_status *status);
bool tsr_store_has(const tsr_store *s, size_t i);
/* Returns the value with a reference that the caller owns; NULL: none, or a failure, recorded in status. The reference
 * is borrowed from the store, so that a stop loses none; tsr_tensor_unborrow makes it the caller's. */
tsr_tensor *tsr_store_get(tsr_store *s, size_t i, tsr_status *status);
/* The tensor behind any number of borrows of t; takes over the reference. t may be NULL. */
tsr_tensor *tsr_tensor_unborrow(tsr_tensor *t);
/* Replaces borrowed inputs of a run by the tensors themselves, when the run has ended. */
void tsr_store_own(tsr_store *s);

#endif
