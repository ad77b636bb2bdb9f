/* SPDX-License-Identifier: Apache-2.0 */
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

/* A run that some ranks of a job make together. Ranks that are about to make different runs find out, as headers of
 * messages hold all of it. */
typedef struct {
    const uint32_t *ranks; /* of the n processes of the grid: the rank that runs each */
    size_t n;
    uint64_t list;    /* stands for the list of devices; the runs of a list are counted */
    uint64_t program; /* stands for the program */
    tsr_str name;     /* of the program, for messages */
} tsr_remote_run;

/* The state of a rank, for others to read when it is gone: NUL-terminated text. One writer, several readers. */
typedef struct {
    char at[200];    /* the last collective that it reached */
    char waits[600]; /* what it waits for; empty: it does not wait, or not for long */
} tsr_rank_state;

tsr_remote *tsr_remote_new(tsr_transport *t);
void tsr_remote_free(tsr_remote *r);
/* Failures end runs, and not the job: ranks die, programs differ, a wait is too long. For a process that lives on; the
 * transport must know cancel and lost. */
void tsr_remote_set_lasting(tsr_remote *r);
/* The name of a rank in messages; "rank 3" by default. */
void tsr_remote_name(tsr_remote *r, int rank, const char *name);
/* News from elsewhere, from any thread: a rank is gone. */
void tsr_remote_report(tsr_remote *r, int rank);
/* A wait of more than that many seconds ends the job, or the run; 0: no limit. */
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
/* Before and after a run of a lasting job, whether its grid has begun or not. run lives until then. Returns false if the
 * run failed because a rank is gone. */
void tsr_remote_expect(tsr_remote *r, const tsr_remote_run *run);
bool tsr_remote_settle(tsr_remote *r, bool ok, tsr_str why);
/* The range of the n processes that a rank runs: from first to last - 1. */
void tsr_remote_range(const tsr_transport *t, int rank, uint32_t n, uint32_t *first,
                      uint32_t *last);

/* All ranks contribute bytes and get those of all: all[rank], which the caller frees. Between grids. to: the only rank
 * that gets them, or -1. False: a rank has failed. */
bool tsr_remote_share(tsr_remote *r, const void *mine, size_t bytes, int to, tsr_str *all);

#endif
