/* remote.h - processes of a grid that other ranks of a job run (base/transport.h).
 *
 * Ranks run the same grid, each a contiguous range of its processes: inner axes of a mesh stay inside a rank. What a
 * process brings to a meeting is sent to the ranks of the others at once, and is received into the meeting there, so
 * that a kernel finds the values of all in the order of the group and computes the same bits as on one rank. A thread
 * drives transfers while others compute; if no process can continue, the rank itself does, and sleeps in between. */
#ifndef TSR_EVAL_REMOTE_H
#define TSR_EVAL_REMOTE_H

#include "base/str.h"
#include "base/transport.h"

typedef struct tsr_remote tsr_remote;

/* The state of a rank, for others to read when it is gone: NUL-terminated text. One writer, several readers. */
typedef struct {
    char at[200];    /* the last collective that it reached */
    char waits[600]; /* what it waits for; empty: it does not wait, or not for long */
} tsr_rank_state;

tsr_remote *tsr_remote_new(tsr_transport *t);
void tsr_remote_free(tsr_remote *r);
/* A wait of more than that many seconds ends the job; 0: no limit. */
void tsr_remote_set_timeout(tsr_remote *r, double seconds);
/* Sets where to record the rank's state, and a callback that reports the end of a job by a timeout: a text of several
 * lines. */
void tsr_remote_watch(tsr_remote *r, tsr_rank_state *state, void (*tell)(void *user, tsr_str text),
                      void *user);
/* Uses the transport's own collectives of all ranks, if it has them. */
void tsr_remote_set_native(tsr_remote *r, bool native);
tsr_transport *tsr_remote_transport(const tsr_remote *r);
/* Seconds of the last grid in which no local process could continue until others arrived. */
double tsr_remote_waited(const tsr_remote *r);
/* A stop left requests pending: the job can only be aborted. */
bool tsr_remote_is_dead(const tsr_remote *r);
/* Another rank has failed first: failures here are its consequence. */
bool tsr_remote_follows(const tsr_remote *r);
/* A run has failed on this rank, perhaps before its grid began: others must not wait for it. */
void tsr_remote_fail(tsr_remote *r);
/* The range of the n processes that a rank runs: from first to last - 1. */
void tsr_remote_range(const tsr_transport *t, int rank, uint32_t n, uint32_t *first,
                      uint32_t *last);

/* All ranks contribute bytes and get those of all: all[rank], which the caller frees. Between grids. to: the only rank
 * that gets them, or -1. False: a rank has failed. */
bool tsr_remote_share(tsr_remote *r, const void *mine, size_t bytes, int to, tsr_str *all);

#endif
