/* SPDX-License-Identifier: Apache-2.0 */
/* inner.h - internals of the TCP transport: messages (tcp.c) and connections (link.c).
 *
 * After the greeting a connection carries frames. Short messages are sent at once (SHORT). Long ones are asked for (ASK),
 * and sent when the receiver has memory for them (GO, DATA), or withdrawn (DROP). */
#ifndef TSR_TCP_INNER_H
#define TSR_TCP_INNER_H

#include "tcp/tcp.h"

enum {
    TCP_SHORT_MOST = 1 << 17, /* bytes of a short message */
    TCP_GUESTS = 64,
};

typedef enum { TCP_SHORT = 1, TCP_ASK, TCP_GO, TCP_DATA, TCP_DROP, TCP_BYE } tcp_kind;

/* Numbers are sent unchanged: the greeting of a machine with another byte order is refused. */
typedef struct {
    uint32_t kind, tag;
    uint64_t id, bytes;
} tcp_frame;

typedef struct {
    char mark[8];
    uint32_t order, rank, size, unused;
    unsigned char cookie[TSR_TCP_COOKIE];
} tcp_hello;

/* A request. */
typedef struct transfer {
    struct transfer *next;
    tsr_span span;
    size_t bytes;
    uint64_t id;
    int rank, tag;
    bool out, done, failed;
    bool orphan; /* cancelled while it arrives: its bytes are dropped */
} transfer;

/* What is to be sent. */
typedef struct item {
    struct item *next;
    tcp_frame frame;
    size_t sent; /* of the frame and its data */
    tsr_span span;
    char *own;   /* its data, if the transport owns them */
    transfer *x; /* done when it is sent; NULL: nobody waits */
} item;

/* A message that nobody has asked for: a short one, or the announcement of a long one. */
typedef struct packet {
    struct packet *next;
    tcp_frame frame;
    char data[];
} packet;

typedef enum {
    LINK_NONE,     /* not needed yet */
    LINK_LATER,    /* dials again after a moment */
    LINK_DIALING,  /* connecting */
    LINK_GREETING, /* has greeted, and waits for the answer */
    LINK_UP,
    LINK_GONE
} link_state;

typedef struct {
    int rank, fd;
    link_state state;
    char address[TSR_TCP_ADDRESS], name[120], why[160];
    double since, first; /* when the state began; the first attempt to connect */
    bool left;           /* it has said that it ends */
    bool blocked;        /* the socket takes no more */
    uint64_t next_id;
    item *out, **out_end;
    transfer *asked, **asked_end;   /* announced */
    transfer *posted, **posted_end; /* wait for a message */
    transfer *coming;               /* wait for the data of a long message */
    packet *kept, **kept_end;
    /* What is being received: */
    tcp_frame frame;
    size_t got; /* of the frame, then of the data */
    bool has_frame;
    transfer *into; /* where the data go; else keep; else they are dropped */
    packet *keep;
    tcp_hello hello;
} tcp_link;

/* A connection whose rank is not known yet. */
typedef struct {
    int fd; /* -1: free */
    double since;
    size_t got;
    tcp_hello hello;
} tcp_guest;

typedef struct {
    tsr_transport t; /* first */
    tsr_tcp_options o;
    char address[TSR_TCP_ADDRESS];
    int listener, poll;
    tcp_link *links;
    tcp_guest guests[TCP_GUESTS];
    uint32_t unsettled; /* links and guests that a clock moves on */
    double looked;
    const transfer *tested; /* the last one that was not done */
    uint64_t messages, bytes;
} tcp;

/* Memory that belongs to no call. */
void *tsr_tcp_new(size_t bytes);

/* address.c: a socket that is connecting; -1: error says why. */
int tsr_tcp_connect(const char *address, const char **error);

/* tcp.c */

/* Reads what the socket of a link has; frames that are none end the link. */
void tsr_tcp_pull(tcp *t, tcp_link *l);
/* Sends what its socket takes. */
void tsr_tcp_push(tcp *t, tcp_link *l);
/* All requests of a link that is gone fail. */
void tsr_tcp_fail_all(tcp_link *l);

/* link.c */

void tsr_tcp_lose(tcp *t, tcp_link *l, const char *why);
/* Makes sure that there is a connection, or soon will be. */
void tsr_tcp_reach(tcp *t, tcp_link *l);
/* Moves everything on; waits at most so long for something to happen. */
void tsr_tcp_progress(tcp *t, long nanoseconds);
/* Whether the socket has to be polled for room. */
void tsr_tcp_await_room(tcp *t, tcp_link *l, bool on);
void tsr_tcp_tune(const tcp *t, int fd);
/* Prepares the listener; false: errno says why. */
bool tsr_tcp_listens(tcp *t);

#endif
