/* remote_inner.h - ranks from inside: what the files remote*.c share. */
#ifndef TSR_EVAL_REMOTE_INNER_H
#define TSR_EVAL_REMOTE_INNER_H

#include "eval/grid.h"

enum {
    RANK_HEAD_TAG = 1,
    RANK_FIRST_TAG = 16,
    RANK_TAGS = 32000,
    RANK_LITTLE = 4096,   /* bytes that come with a head */
    RANK_PIECE = 1 << 18, /* bytes of a message that is to be reduced; a multiple of all elements */
    RANK_LARGE = 1 << 20, /* of others */
};

/* SHARE: a rank has reduced its share of a meeting, which follows. BYTES: between grids. */
typedef enum { SAYS_VALUES, SAYS_SHARE, SAYS_MESSAGE, SAYS_FAILED, SAYS_BYTES } rank_says;

/* Numbers come as they are: ranks of a job are of one byte order. After it: for each value what it is and its dimensions, then its bytes, when they are
 * few. */
typedef struct {
    uint32_t what; /* rank_says */
    uint32_t tag;  /* of what follows; 0: all is here */
    uint32_t place, nin, op, seq;
    uint32_t pieces;   /* that follow */
    uint32_t from, to; /* MESSAGE: processes; VALUES, SHARE: to is the first of the group */
    uint32_t reduces;  /* VALUES: how, when ranks reduce shares; 0: they do not */
    int64_t channel;
    uint64_t key, grid;
} rank_head;

typedef struct {
    int rank;
    size_t bytes;
    char *data; /* a head and what comes with it */
} rank_arrival;

typedef struct {
    tsr_request request;
    bool out, native, result; /* result: of what another rank has reduced */
    meeting *at;
    size_t place;
    uint32_t piece; /* of a join, whose number it is */
    message *message;
    char *own; /* to be freed then */
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

/* A group of processes of different ranks that the transport knows. */
typedef struct {
    uint32_t *ids;
    size_t n;
    bool here; /* this rank is in it */
    tsr_rank_group ranks;
} native_group;

struct tsr_remote {
    tsr_transport *t;
    tsr_mesh *m; /* the grid that runs; NULL: none */
    uint64_t grid;
    TSR_VEC(rank_transfer) active; /* in the order in which they began */
    size_t tested;                 /* those before it were tested since the first */
    TSR_VEC(rank_arrival) waiting; /* that nobody here has asked for yet */
    TSR_VEC(rank_refusal) refused;
    TSR_VEC(meeting_count) counts; /* meetings of each key */
    uint32_t open;                 /* meetings that wait for other ranks */
    uint32_t *tags;                /* by rank: of the next that is sent */
    uint32_t *ranks;               /* of the grid: by process */
    uint32_t *low, *high;          /* by rank: places of a group, first and behind the last */
    uint32_t *stamp, stamps;       /* by rank: for which group these are */
    uint64_t shared;               /* how often bytes were shared */
    TSR_VEC(native_group) groups;  /* of all ranks alike */
    bool broken;                   /* a rank has failed: nobody goes on, what comes is dropped */
    bool follows;                  /* another one has, before this one */
    bool dead, native;
    double timeout, waited;
    tsr_rank_state *state, none;
    void (*tell)(void *user, tsr_str text);
    void *user;
    const tsr_op *last; /* state tells of it */
    uint32_t kill_at,
        hang_at; /* for tests: at how many collectives from now the rank is killed, or sleeps for ever; 0: none */
    pthread_t thread;
    pthread_cond_t wake;
    bool threaded;    /* there is a thread: somebody computes while something is on its way */
    bool shares;      /* the list of blocks of the call has a lock for it */
    bool idle, ended; /* the rank itself drives; the thread is to end */
};

/* remote.c */

void *tsr_remote_numbers(size_t n); /* zeros that belong to no scope */
/* The transport itself has failed: ends the job. */
TSR_NORETURN void tsr_remote_give_up(tsr_remote *r);
void tsr_remote_begin_one(tsr_remote *r, int rank, int tag, const tsr_span *s, rank_transfer x);
/* Begins to move blocks in pieces, which are numbered from x.piece on; how many they are. Both ends cut alike. */
uint32_t tsr_remote_begin_span(tsr_remote *r, int rank, int tag, const tsr_span *s,
                               rank_transfer x);
uint32_t tsr_remote_pieces(const tsr_span *s, const rank_transfer *x);
int tsr_remote_new_tag(tsr_remote *r, int rank);
void tsr_remote_send_head(tsr_remote *r, int rank, char *data, size_t bytes, rank_transfer x);
/* The rank computes, and something is on its way: a thread is to look after it. */
void tsr_remote_drive(tsr_remote *r);
/* What nobody wants is received all the same, for its sender waits for that. */
void tsr_remote_drop(tsr_remote *r, const rank_arrival *a);

/* remote_meet.c */

/* Sets low and high of the ranks of a group; stamp tells which ranks are in it. */
void tsr_remote_find_ranks(tsr_remote *r, const tsr_group *g);
void tsr_remote_send_values(tsr_remote *r, const rank_head *h, int rank, tsr_tensor *const *values,
                            const tsr_span *spans, rank_transfer x);
/* Behind the type at a place of a head; same: it is that of t. */
const char *tsr_remote_get_type(const char *at, const tsr_tensor *t, bool *same);
/* Copies blocks to or from bytes one after the other; where these end. */
char *tsr_remote_pack(char *bytes, const tsr_span *s, bool out);
void tsr_remote_accept(tsr_remote *r, meeting *at, const rank_arrival *a);
/* The meeting that a head is for; NULL: it has not begun here. */
meeting *tsr_remote_meeting_for(const tsr_mesh *m, const rank_head *h);
void tsr_remote_check_sent(tsr_mesh *m, meeting *at);
/* A piece of what the process at place brings, or the news of it, is there. */
void tsr_remote_got_piece(tsr_mesh *m, meeting *at, size_t place);
/* The meeting is complete: the first who waits here calls the others. */
void tsr_remote_call_first(tsr_mesh *m, meeting *at);

/* remote_message.c */

bool tsr_remote_is_message(const tsr_remote *r, const rank_head *h, const member *w);
/* Begins to receive a message for w, which waits for it. */
void tsr_remote_take(tsr_remote *r, member *w, const rank_arrival *a);
void tsr_remote_deliver(tsr_mesh *m, message *s);

/* remote_join.c: what comes to a meeting becomes its result as it comes. The lock is held. */

/* Makes the join of a meeting that has one. False: no memory. */
bool tsr_join_open(tsr_mesh *m, meeting *at, const tsr_call *c, bool lends);
/* Where value i of another rank's process is received. */
tsr_span tsr_join_place(const meeting *at, size_t place, size_t i);
/* What a rank gets of a value of a process here: its share. Only where ranks reduce shares. */
uint32_t tsr_join_reduces(const meeting *at); /* how; 0: they do not */
tsr_span tsr_join_share(const meeting *at, int rank, const tsr_tensor *t);
/* The number of the first piece of value i. */
uint32_t tsr_join_piece(const meeting *at, size_t i);
/* The process at place came, here; another rank told of one. */
void tsr_join_came(tsr_remote *r, meeting *at, size_t place);
void tsr_join_told(tsr_remote *r, meeting *at);
/* A piece came. */
void tsr_join_got(tsr_remote *r, meeting *at, const rank_transfer *x);
void tsr_join_accept(tsr_remote *r, meeting *at, const rank_arrival *a);
tsr_join_kind tsr_join_kind_of(const meeting *at);
void *tsr_join_result(const meeting *at, size_t i); /* where it lies */
/* Somebody else has made the results: all have come at once. */
void tsr_join_end(tsr_remote *r, meeting *at);

/* remote_native.c: collectives of the transport's own. The lock is held but in split. */

/* Before the grid runs: groups of its program that the transport does not know yet. All ranks come here. */
void tsr_native_split(tsr_remote *r, const tsr_op *root);
void tsr_native_free(tsr_remote *r);
/* The transport does what the process at place came for. False: it does not have it. */
bool tsr_native_begin(tsr_remote *r, meeting *at, size_t place);
/* One of its operands is done. */
void tsr_native_end(tsr_remote *r, meeting *at);

#endif
