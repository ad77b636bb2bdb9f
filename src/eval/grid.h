/* grid.h - a grid from inside: what mesh.c and lockstep.c share. */
#ifndef TSR_EVAL_GRID_H
#define TSR_EVAL_GRID_H

#include "base/scope.h"
#include "eval/mesh.h"

/* LEAVING: in lockstep, until all have read what it brought to a meeting. */
typedef enum { RUNNING, ENDED, FAILED, LEAVING, IN_MEETING, IN_RECV, IN_INFEED } member_state;

/* A place where a group meets; it stays until all have left. */
typedef struct meeting {
    struct meeting *next;
    uint16_t opcode;
    int64_t channel;
    uint32_t round;
    tsr_group group;
    size_t nin;  /* of the first who came */
    bool uneven; /* somebody brought another number of values */
    size_t came, left;
    bool *here;          /* by place in the group */
    tsr_tensor **values; /* group.n * nin */
    const tsr_op *op;    /* of the first who came */
    bool mixed;          /* somebody came with another */
    bool
        lent; /* values lie where their processes go on computing: nobody goes on before all have left */
    tsr_tensor **made; /* nin results for all; NULL: none were made */
} meeting;

typedef struct message {
    struct message *next;
    int64_t channel;
    uint32_t from;
    int64_t to; /* a process, or TSR_ANYONE */
    const tsr_op *op;
    size_t n;
    tsr_tensor *values[];
} message;

/* What an op has done that is not done twice: one of them counts. */
typedef struct {
    meeting *meeting;
    message *message;
    size_t item;
    bool done;
} tsr_log_entry;

/* A process with what only the grid knows of it. */
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
    TSR_VEC(tsr_log_entry) log; /* where the op that runs has been so far */
    size_t at;                  /* and where it is in it, when it runs once more */
    bool paused;                /* the op is to be run once more */
    bool starting;              /* it begins, and waits for nobody */
    const tsr_op *outer;        /* the op that the engine runs */
    size_t staying;             /* LEAVING: meetings that others have not left */
} member;

struct tsr_mesh {
    pthread_mutex_t lock;
    pthread_mutex_t own_context_lock, *context_lock; /* of the outermost grid */
    uint32_t replicas, partitions, n;
    member *members;
    uint32_t running, live;
    bool stuck;        /* nobody could go on */
    uint32_t stuck_at; /* the first that waited then */
    tsr_buf report;    /* who waited for whom then */
    tsr_share share;
    message *messages, **last_message;
    const tsr_attr *infeed;
    size_t infeed_next;
    tsr_eval_host *host;
    const tsr_jobs *jobs;
    tsr_stepper *engine;               /* NULL: a thread for each process */
    void *state;                       /* the engine's, of this grid */
    TSR_VEC(uint32_t) ready, stepping; /* lockstep: who may go on; who does */
    tsr_limits *limits;                /* of the call; NULL: none */
    uint32_t level;                    /* of grids inside processes of grids */
};

static inline member *member_of(const tsr_eval *e)
{
    return (member *)e->process;
}

/* mesh.c: the lock is held. */
void tsr_mesh_leave(tsr_mesh *m, meeting *at);
void tsr_mesh_free_message(message *s);
void tsr_mesh_when_quiet(tsr_mesh *m);
/* A process has ended. */
void tsr_mesh_finish(member *w, bool ok);

/* lockstep.c: runs all members without a thread for each. False: the engine did not begin, c says why. */
bool tsr_lockstep_run(tsr_call *c, tsr_mesh *m);
void tsr_lockstep_free(tsr_mesh *m); /* what is left after a failure */
/* The op that runs did this before, when it ran up to a place where it had to wait; NULL: it comes here for the first time. */
tsr_log_entry *tsr_log_next(member *w);
tsr_log_entry *tsr_log_add(member *w);
/* The op waits: its kernel is to return false, and is run again when somebody lets it run. The lock is held. */
bool tsr_lockstep_pause(tsr_mesh *m, member *w, member_state state, const tsr_op *op,
                        int64_t channel);

#endif
