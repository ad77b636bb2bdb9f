/* remote.h - processes of a grid that other ranks of a job run (base/transport.h).
 *
 * Ranks run the same grid, each a run of its processes, in order: inner axes of a mesh stay inside a rank. What a process brings to a
 * meeting goes to the ranks of the others as soon as it comes, and is received into the meeting there, so that a kernel finds the values of all
 * in the order of the group and computes the same bits as on one rank. A thread drives what is on its way while others compute; where nobody
 * can, the rank itself does, and sleeps in between. */
#ifndef TSR_EVAL_REMOTE_H
#define TSR_EVAL_REMOTE_H

#include "base/str.h"
#include "base/transport.h"

typedef struct tsr_remote tsr_remote;

/* Where a rank is, for those who look when it is gone: text ends with 0. One writes, others read. */
typedef struct {
    char at[200];    /* the collective that it came to last */
    char waits[600]; /* what it waits for; empty: it does not wait, or not for long */
} tsr_rank_state;

tsr_remote *tsr_remote_new(tsr_transport *t);
void tsr_remote_free(tsr_remote *r);
/* A wait of more than that many seconds ends the job; 0: none does. */
void tsr_remote_set_timeout(tsr_remote *r, double seconds);
/* Told where the rank is; and who tells of a job that a timeout ends: a text of several lines. */
void tsr_remote_watch(tsr_remote *r, tsr_rank_state *state, void (*tell)(void *user, tsr_str text),
                      void *user);
/* Collectives of all ranks are the transport's own where it has them. */
void tsr_remote_set_native(tsr_remote *r, bool native);
tsr_transport *tsr_remote_transport(const tsr_remote *r);
/* Seconds of the last grid in which nobody here could go on before others came. */
double tsr_remote_waited(const tsr_remote *r);
/* Requests were left under way by a stop: the job can only be aborted. */
bool tsr_remote_is_dead(const tsr_remote *r);
/* Another rank has failed first: what fails here fails because of it. */
bool tsr_remote_follows(const tsr_remote *r);
/* A run has failed on this rank, perhaps before its grid began: others are not to wait for it. */
void tsr_remote_fail(tsr_remote *r);
/* The processes of n that a rank runs: from first to last - 1. */
void tsr_remote_range(const tsr_transport *t, int rank, uint32_t n, uint32_t *first,
                      uint32_t *last);

/* All ranks bring bytes and get those of all: all[rank], which the caller frees. Between grids. to: the only rank that gets them, or -1.
 * False: a rank has failed. */
bool tsr_remote_share(tsr_remote *r, const void *mine, size_t bytes, int to, tsr_str *all);

#endif
