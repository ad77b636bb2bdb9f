/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - internals of a grid, shared by mesh.c and lockstep.c. */
#ifndef TSR_EVAL_GRID_H
#define TSR_EVAL_GRID_H

#include "base/scope.h"
#include "eval/mesh.h"
#include "eval/remote.h"

/* LEAVING: in lockstep, until all have read what it brought to a meeting. */
typedef enum { RUNNING, ENDED, FAILED, LEAVING, IN_MEETING, IN_RECV, IN_INFEED } member_state;

typedef struct tsr_join tsr_join;
typedef struct tsr_relay tsr_relay;

/* The part of other ranks in a meeting; zeros: none. */
typedef struct {
    uint64_t key; /* hash of op, channel, round and group; and the meeting's number with it */
    uint32_t seq;
    uint32_t *
        pending; /* by place: values still to be received, and 1 until they are announced; NULL: no rank */
    size_t mine;       /* place of the first local process that arrived */
    size_t here, came; /* local processes: how many, and how many have arrived */
    size_t sends;      /* in progress */
    bool sent;         /* everything was sent, and has arrived */
    bool uncalled;     /* the last arrival was remote: the first who notices wakes the others */
    bool odd;          /* values of another type arrived */
    bool otherwise;    /* a process uses another reduction */
    bool closed;       /* nobody waits for it any more */
    tsr_join *join;    /* combines values as they arrive; NULL: when all have arrived */
    tsr_relay *relay;  /* ranks pass on what others bring; NULL: each sends to all */
} elsewhere;

/* A meeting of a group; it exists until all have left. */
typedef struct meeting {
    struct meeting *next;
    uint16_t opcode;
    int64_t channel;
    uint32_t round;
    tsr_group group;
    size_t nin;  /* of the first process that arrived */
    bool uneven; /* a process brought another number of values */
    size_t came, left;
    bool *here;          /* by place in the group */
    tsr_tensor **values; /* group.n * nin */
    const tsr_op *op;    /* of the first process that arrived */
    bool mixed;          /* a process came with another op */
    bool
        lent; /* values are in memory that their processes go on using: nobody continues before all have left */
    tsr_tensor **made; /* nin results for all; NULL: none were made */
    tsr_wants need;
    elsewhere other;
    /* tsr_mesh_join: how many processes brought tensors to be filled, which are group.n * nwanted, and whether they
     * are. */
    size_t joiners, nwanted;
    tsr_tensor **wanted;
    bool joined;
} meeting;

typedef struct message {
    struct message *next;
    int64_t channel;
    uint32_t from;
    int64_t to; /* a process, or TSR_ANYONE */
    const tsr_op *op;
    uint32_t transfers; /* to or from another rank, in progress */
    size_t n;
    tsr_tensor *values[];
} message;

/* A side effect of an op that must not be repeated: exactly one field is set. */
typedef struct {
    meeting *meeting;
    message *message;
    size_t item;
    bool done;
} tsr_log_entry;

/* A process with the grid's state for it. */
typedef struct {
    tsr_process process; /* first */
    tsr_eval eval;
    tsr_effects effects;
    pthread_t thread;
    bool has_thread;
    pthread_cond_t wake;
    member_state state;
    meeting *meetings; /* of groups that begin with it */
    bool given_up;     /* it failed only because the grid did */
    bool stopped;      /* left by a stop (base/scope.h), as all others are about to be */
    /* While it waits: */
    const tsr_op *op;
    int64_t channel, peer;
    meeting *meeting;
    message *got; /* IN_RECV */
    size_t item;  /* IN_INFEED: the item it got */
    /* In lockstep (eval/lockstep.c): */
    void *run;                  /* the engine's; NULL: not begun */
    tsr_job job;                /* what it runs */
    TSR_VEC(tsr_log_entry) log; /* what the current op has done so far */
    size_t at;                  /* position in the log when the op is run again */
    bool paused;                /* the op must be run again */
    bool starting;              /* it is starting, and waits for nobody */
    const tsr_op *outer;        /* the op that the engine runs */
    size_t staying;             /* LEAVING: meetings that others have not left */
} member;

/* Breakpoints: one process at a time waits for the user. */
typedef struct {
    pthread_mutex_t lock;
    bool ended; /* the user has ended the run: nobody is asked again */
} tsr_mesh_stops;

struct tsr_mesh {
    pthread_mutex_t lock;
    pthread_mutex_t own_context_lock, *context_lock; /* of the outermost grid */
    tsr_mesh_stops own_stops, *stops;                /* of the outermost grid */
    uint32_t replicas, partitions, n;
    member *members;
    uint32_t running, live;
    bool stuck;        /* deadlock: no process could continue */
    uint32_t stuck_at; /* the first process that waited then */
    tsr_buf report;    /* which process waited for which */
    tsr_share share;
    message *messages, **last_message;
    const tsr_attr *infeed;
    size_t infeed_next;
    tsr_eval_host *host;
    const tsr_jobs *jobs;
    tsr_stepper *engine;               /* NULL: a thread for each process */
    void *state;                       /* the engine's, of this grid */
    TSR_VEC(uint32_t) ready, stepping; /* lockstep: can continue; do continue */
    tsr_limits *limits;                /* of the call; NULL: none */
    uint32_t level;                    /* nesting of grids */
    tsr_remote *remote;                /* NULL: all processes are local */
    uint32_t *local, nlocal;           /* the local processes, in order */
    tsr_buf why;                       /* why other ranks will never come; empty: unknown */
};

static inline member *member_of(const tsr_eval *e)
{
    return (member *)e->process;
}

/* mesh.c: called with the lock held. */
void tsr_mesh_leave(tsr_mesh *m, meeting *at);
void tsr_mesh_free_message(message *s);
void tsr_mesh_let_run(tsr_mesh *m, member *w);
/* How many must leave a meeting before it ends: local processes, and transfers to other ranks. */
static inline size_t meeting_leavers(const meeting *at)
{
    return at->other.pending ? at->other.here + 1 : at->group.n;
}
/* What is wrong with the values brought to a meeting; NULL: nothing. */
const char *tsr_meeting_complaint(const meeting *at);
/* Which local process waits for which. */
void tsr_mesh_report(tsr_mesh *m, tsr_buf *out);
void tsr_mesh_when_quiet(tsr_mesh *m);
/* A process has ended. */
void tsr_mesh_finish(member *w, bool ok);

/* lockstep.c: runs all members without a thread for each. False: the engine did not start, c says why. */
bool tsr_lockstep_run(tsr_call *c, tsr_mesh *m);
void tsr_lockstep_free(tsr_mesh *m); /* cleans up after a failure */
/* The log entry of an effect that the current op already had, when it ran up to a point where it had to wait; NULL: it
 * gets here for the first time. */
tsr_log_entry *tsr_log_next(member *w);
tsr_log_entry *tsr_log_add(member *w);
/* The op must wait: its kernel returns false, and is run again when it can continue. Called with the lock held. */
bool tsr_lockstep_pause(tsr_mesh *m, member *w, member_state state, const tsr_op *op,
                        int64_t channel);

/* remote.c: processes of other ranks. Called with the lock held, except begin, wait and end. */

void tsr_remote_begin(tsr_remote *r, tsr_mesh *m);
bool tsr_remote_has(const tsr_mesh *m, uint32_t id); /* whether this rank runs the process */
/* The process at place opens a meeting, with its values, which may be lent. False: no memory. */
bool tsr_remote_opened(const tsr_call *c, meeting *at, size_t place, bool lends);
/* whole: it brings as many values as the first one did. */
void tsr_remote_came(tsr_mesh *m, meeting *at, size_t place, bool whole, bool lends);
/* Whether all have arrived, and the result is complete if it is combined on arrival. */
bool tsr_remote_is_met(tsr_mesh *m, meeting *at);
bool tsr_join_is_met(meeting *at);
bool tsr_join_is_under_way(const meeting *at);
void tsr_join_free(tsr_join *j, size_t nin);
void tsr_relay_free(tsr_relay *y);
static inline bool meeting_is_met(tsr_mesh *m, meeting *at)
{
    return at->other.pending ? tsr_remote_is_met(m, at) : at->came == at->group.n;
}
/* A message for a process of another rank, which takes ownership of it; the oldest from peer for w, or NULL. */
void tsr_remote_send(tsr_mesh *m, message *s);
void tsr_remote_receive(tsr_mesh *m, member *w);
/* Waits until some process can continue. */
void tsr_remote_wait(tsr_mesh *m);
/* Waits until everything sent has arrived. stopped: by a stop. */
void tsr_remote_end(tsr_mesh *m, bool stopped);

#endif
