/* SPDX-License-Identifier: Apache-2.0 */
/* remote_inner.h - internals of ranks, shared by the files remote*.c. */
#ifndef TSR_EVAL_REMOTE_INNER_H
#define TSR_EVAL_REMOTE_INNER_H

#include <stdatomic.h>

#include "eval/grid.h"

enum {
    RANK_HEAD_TAG = 1,
    RANK_FIRST_TAG = 16,
    RANK_TAGS = 32000,
    RANK_LITTLE = 4096,   /* bytes that are sent with a header */
    RANK_PIECE = 1 << 18, /* bytes of a message that is reduced; a multiple of all element sizes */
    RANK_LARGE = 1 << 20, /* of other messages */
};

/* SHARE: a rank has reduced its share of a meeting, which follows. BYTES: between grids. PROGRAM: the name of a program.
 * FAILED: why; op: a rank is gone. RELAY: what several ranks bring. */
typedef enum {
    SAYS_VALUES,
    SAYS_SHARE,
    SAYS_MESSAGE,
    SAYS_FAILED,
    SAYS_BYTES,
    SAYS_PROGRAM,
    SAYS_RELAY
} rank_says;

/* A header. Numbers are sent unchanged: ranks of a job have the same byte order. Followed by, for each value, its type
 * and dimensions, then its bytes if they are few. */
typedef struct {
    uint32_t what; /* rank_says */
    uint32_t tag;  /* of what follows; 0: everything is included */
    uint32_t place, nin, op, seq;
    uint32_t pieces;   /* number that follow */
    uint32_t from, to; /* MESSAGE: processes; VALUES, SHARE: to is the first of the group */
    uint32_t reduces;  /* VALUES: the reduction, if ranks reduce shares; 0: they do not */
    int64_t channel;
    uint64_t key;
    uint64_t list, grid, program; /* the run: devices, the number of their run, program */
} rank_head;

typedef struct {
    int rank;
    size_t bytes;
    char *data; /* a header and what comes with it */
} rank_arrival;

typedef struct {
    tsr_request request;
    bool out, native, result; /* result: of what another rank has reduced */
    meeting *at;
    size_t place;
    uint32_t piece; /* of a join: its number */
    message *message;
    char *own; /* freed after the transfer */
} rank_transfer;

/* Pieces that nobody wants. */
typedef struct {
    int rank, tag;
    uint32_t pieces;
} rank_refusal;

typedef struct {
    uint64_t key;
    uint32_t n;
} meeting_count;

/* Runs of a list of devices. */
typedef struct {
    uint64_t list, n;
} run_count;

/* A program that this rank has run, or another one has told of. */
typedef struct {
    uint64_t program;
    char *name;
    bool *told; /* by rank: it knows the name; NULL: a program of others */
} known_program;

/* A group of processes on different ranks that the transport knows. */
typedef struct {
    uint32_t *ids;
    size_t n;
    bool here; /* this rank is in it */
    tsr_rank_group ranks;
} native_group;

struct tsr_remote {
    tsr_transport *t;
    tsr_mesh *m;                  /* the running grid; NULL: none */
    uint64_t list, grid, program; /* the run */
    bool lasting;                 /* failures end runs, not the job */
    const tsr_remote_run *run;    /* between expect and settle */
    TSR_VEC(run_count) runs;
    TSR_VEC(known_program) programs;
    char (*names)[100]; /* of ranks */
    atomic_bool *reported;
    atomic_int nreported;
    bool failing; /* the run must end */
    bool lost;    /* because a rank is gone */
    bool told;    /* the other ranks know */
    char why[1400];
    TSR_VEC(rank_transfer) active; /* in the order in which they began */
    size_t tested;                 /* how many at the front were tested in this pass */
    TSR_VEC(rank_arrival) waiting; /* not requested here yet */
    TSR_VEC(rank_refusal) refused;
    TSR_VEC(meeting_count) counts; /* meetings of each key */
    uint32_t open;                 /* meetings that wait for other ranks */
    uint32_t *tags;                /* by rank: the next tag for sending */
    uint32_t *ranks;               /* of the grid: by process */
    uint32_t *low, *high;          /* by rank: range of places in a group, [low, high) */
    uint32_t *stamp, stamps;       /* by rank: which group low and high are for */
    uint64_t shared;               /* how often bytes were shared */
    TSR_VEC(native_group) groups;  /* the same on all ranks */
    bool broken;                   /* a rank has failed: nobody continues, arrivals are dropped */
    bool follows;                  /* another rank has failed before this one */
    bool dead, native;
    double timeout, waited;
    tsr_rank_state *state, none;
    void (*tell)(void *user, tsr_str text);
    void *user;
    const tsr_op *last; /* recorded in state */
    uint32_t kill_at,
        hang_at; /* for tests: number of collectives until the rank is killed, or sleeps for ever; 0: none */
    pthread_t thread;
    pthread_cond_t wake;
    bool threaded;    /* there is a thread: processes compute while transfers are pending */
    bool shares;      /* the call's list of blocks has a lock for it */
    bool idle, ended; /* the rank itself drives transfers; the thread must end */
};

/* remote.c */

void *tsr_remote_numbers(size_t n); /* zeros that belong to no scope */
/* The transport itself has failed: ends the run, at the next pump, or the job. */
void tsr_remote_give_up(tsr_remote *r);
void tsr_remote_say(tsr_remote *r, const char *what);
void tsr_remote_end_transfer(tsr_remote *r, const rank_transfer *x, bool arrived);
void tsr_remote_begin_one(tsr_remote *r, int rank, int tag, const tsr_span *s, rank_transfer x);
/* Begins to transfer blocks in pieces, numbered from x.piece on; returns how many there are. Both ends divide alike. */
uint32_t tsr_remote_begin_span(tsr_remote *r, int rank, int tag, const tsr_span *s,
                               rank_transfer x);
uint32_t tsr_remote_pieces(const tsr_span *s, const rank_transfer *x);
int tsr_remote_new_tag(tsr_remote *r, int rank);
void tsr_remote_send_head(tsr_remote *r, int rank, char *data, size_t bytes, rank_transfer x);
/* The rank computes while transfers are pending: starts a thread that drives them. */
void tsr_remote_drive(tsr_remote *r);
/* Receives unwanted data anyway, because its sender waits for that. */
void tsr_remote_drop(tsr_remote *r, const rank_arrival *a);

/* remote_run.c: runs of a lasting job. */

/* The name of a rank, for messages. */
const char *tsr_remote_rank_name(const tsr_remote *r, int rank);
/* The run must end; the first reason counts. */
void tsr_remote_doubt(tsr_remote *r, bool lost, const char *why, ...) TSR_PRINTF(3, 4);
/* Completes a header, and makes sure that the rank knows the program's name. */
void tsr_remote_stamp(tsr_remote *r, int rank, char *data);
/* What is not for the running grid, or tells of it: true if it is dealt with. */
bool tsr_remote_sort(tsr_remote *r, const rank_arrival *a, const rank_head *h);
/* Whether an arrival belongs to the current run or one before. */
bool tsr_remote_is_past(const tsr_remote *r, const rank_head *h);
/* Ranks that are gone, and ranks that this one waits for while they are in another run. */
void tsr_remote_check_ranks(tsr_remote *r);
void tsr_remote_check_order(tsr_remote *r);
/* Ends the run: tells the others, drops all transfers. */
void tsr_remote_break(tsr_remote *r);
/* Cancels all transfers. settles: meetings and messages learn of it. */
void tsr_remote_drop_all(tsr_remote *r, bool settles);
/* Sets the places of the running grid's processes. */
void tsr_remote_place(tsr_remote *r, tsr_mesh *m);
void tsr_remote_tell_failed(tsr_remote *r, bool lost, const char *why);
void tsr_remote_free_runs(tsr_remote *r);

/* remote_meet.c */

/* Sets low and high of the ranks of a group; stamp tells which ranks are in it. */
void tsr_remote_find_ranks(tsr_remote *r, const tsr_group *g);
void tsr_remote_send_values(tsr_remote *r, const rank_head *h, int rank, tsr_tensor *const *values,
                            const tsr_span *spans, rank_transfer x);
/* The position after a type in a header; same: whether it is that of t. */
const char *tsr_remote_get_type(const char *at, const tsr_tensor *t, bool *same);
/* Copies blocks to or from contiguous bytes; returns their end. */
char *tsr_remote_pack(char *bytes, const tsr_span *s, bool out);
void tsr_remote_accept(tsr_remote *r, meeting *at, const rank_arrival *a);
/* The meeting that a header is for; NULL: it has not begun here. */
meeting *tsr_remote_meeting_for(const tsr_mesh *m, const rank_head *h);
void tsr_remote_check_sent(tsr_mesh *m, meeting *at);
/* A piece of the value of the process at place, or its header, has arrived. */
void tsr_remote_got_piece(tsr_mesh *m, meeting *at, size_t place);
/* The meeting is complete: the first that waits here wakes the others. */
void tsr_remote_call_first(tsr_mesh *m, meeting *at);

/* remote_message.c */

bool tsr_remote_is_message(const tsr_remote *r, const rank_head *h, const member *w);
/* Begins to receive a message for w, which waits for it. */
void tsr_remote_take(tsr_remote *r, member *w, const rank_arrival *a);
void tsr_remote_deliver(tsr_mesh *m, message *s);

/* remote_join.c: combines values of a meeting on arrival. Called with the lock held. */

/* Creates the join of a meeting that has one. False: no memory. */
bool tsr_join_open(tsr_mesh *m, meeting *at, const tsr_call *c, bool lends);
/* Where value i of another rank's process is received. */
tsr_span tsr_join_place(const meeting *at, size_t place, size_t i);
/* The part of a local process's value that a rank gets: its share. Only if ranks reduce shares. */
uint32_t tsr_join_reduces(const meeting *at); /* how; 0: they do not */
tsr_span tsr_join_share(const meeting *at, int rank, const tsr_tensor *t);
/* The number of the first piece of value i. */
uint32_t tsr_join_piece(const meeting *at, size_t i);
/* The process at place has arrived here; another rank has announced one. */
void tsr_join_came(tsr_remote *r, meeting *at, size_t place);
void tsr_join_told(tsr_remote *r, meeting *at);
/* A piece has arrived. */
void tsr_join_got(tsr_remote *r, meeting *at, const rank_transfer *x);
void tsr_join_accept(tsr_remote *r, meeting *at, const rank_arrival *a);
tsr_join_kind tsr_join_kind_of(const meeting *at);
void *tsr_join_result(const meeting *at, size_t i); /* where it is stored */
/* The results were made by other means: all have arrived at once. */
void tsr_join_end(tsr_remote *r, meeting *at);

/* remote_relay.c: ranks pass on what others bring. Called with the lock held. */

/* Begins that for a meeting, if it pays; the ranks of its group are stamped. */
void tsr_relay_open(tsr_remote *r, meeting *at);
/* A local process has come, with its values as a message. */
void tsr_relay_came(tsr_remote *r, meeting *at, const char *packet, size_t bytes);
void tsr_relay_accept(tsr_remote *r, meeting *at, const rank_arrival *a);
/* Whether a rank has still to send something for the meeting to this one. */
bool tsr_relay_awaits(const meeting *at, int rank);

/* remote_native.c: the transport's own collectives. Called with the lock held, except split. */

/* Before the grid runs: creates groups of its program that the transport does not know yet. Called by all ranks. */
void tsr_native_split(tsr_remote *r, const tsr_op *root);
void tsr_native_free(tsr_remote *r);
/* Starts the transport's collective for the process at place. False: it does not have one. */
bool tsr_native_begin(tsr_remote *r, meeting *at, size_t place);
/* One of its operands is done. */
void tsr_native_end(tsr_remote *r, meeting *at);

#endif
