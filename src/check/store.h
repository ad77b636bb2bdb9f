/* store.h - values that wait until somebody asks: in memory, and beyond a limit in a file that has no name.
 *
 * Places are numbered. Several threads may put values; the oldest go to the file first. */
#ifndef TSR_CHECK_STORE_H
#define TSR_CHECK_STORE_H

#include <pthread.h>

#include "base/status.h"
#include "eval/tensor.h"

typedef struct {
    tsr_tensor *tensor; /* NULL: there is none, or it is in the file */
    tsr_type *elem;
    int64_t at; /* where it is in the file, + 1; 0: it is not there */
} tsr_kept;

typedef struct {
    tsr_kept *items;
    size_t n;
    size_t *order, norder,
        next; /* places in the order in which they were filled; the next to go to the file */
    uint64_t max_bytes, bytes; /* in memory; 0: no limit */
    const char *folder;
    int file; /* -1: none yet */
    int64_t end;
    pthread_mutex_t lock;
} tsr_store;

/* folder: of the file; NULL: that of TMPDIR, or /tmp. It outlives the store. */
void tsr_store_init(tsr_store *s, size_t n, uint64_t max_bytes, const char *folder);
void tsr_store_free(tsr_store *s);
/* After a stop, which has freed all memory of the call that made the store: closes the file. */
void tsr_store_close(void *store);
/* Takes a reference, instead of that of an earlier value; once: an earlier value stays. False: no room in the file, which status tells. */
bool tsr_store_put(tsr_store *s, size_t i, tsr_tensor *t, bool once, tsr_status *status);
bool tsr_store_has(const tsr_store *s, size_t i);
/* The value, of which the caller owns a reference; NULL: none, or a failure, which status tells. It is borrowed from the store, so that a
 * stop loses no reference: tsr_tensor_unborrow makes it the caller's. */
tsr_tensor *tsr_store_get(tsr_store *s, size_t i, tsr_status *status);
/* The tensor that t stands for, whoever lent it to whom; takes over the reference. NULL is fine. */
tsr_tensor *tsr_tensor_unborrow(tsr_tensor *t);
/* Tensors that stood for inputs of a run become these: when the run has ended. */
void tsr_store_own(tsr_store *s);

#endif
