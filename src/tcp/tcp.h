/* SPDX-License-Identifier: Apache-2.0 */
/* tcp.h - the transport on TCP sockets: built in, for ranks on any hosts (base/transport.h).
 *
 * A pair of ranks has one connection, made when one of them first needs it. Each rank listens on one address, which the
 * others are told by other means. A connection begins with a secret that all ranks of the job know. */
#ifndef TSR_TCP_TCP_H
#define TSR_TCP_TCP_H

#include "base/status.h"
#include "base/str.h"
#include "base/transport.h"

enum { TSR_TCP_COOKIE = 16, TSR_TCP_ADDRESS = 128 };

typedef struct {
    int rank, size;
    int listener; /* a listening socket, which then belongs to the transport; -1: it makes one */
    const char *listen; /* the address of that one, "host:port"; port 0: any */
    unsigned char cookie[TSR_TCP_COOKIE];
    double silence;  /* seconds after which a connection that answers nothing is given up; 0: 10 */
    double patience; /* seconds in which a rank that refuses connections may still be starting */
} tsr_tcp_options;

/* NULL: see status. Ended by its close. */
tsr_transport *tsr_tcp_open(const tsr_tcp_options *o, tsr_status *status);
/* The address that the rank listens on, "host:port". */
const char *tsr_tcp_address(const tsr_transport *t);
/* Sets the cookie, before any connection is made. */
void tsr_tcp_secret(tsr_transport *t, const unsigned char *cookie);
/* Sets the address of a rank, and its name for messages, which may be NULL. False: it is none. */
bool tsr_tcp_know(tsr_transport *t, int rank, tsr_str address, const char *name);
/* Bytes of messages that were sent, and messages. */
void tsr_tcp_count(const tsr_transport *t, uint64_t *messages, uint64_t *bytes);
/* Closes connections without waiting for others; they see that this rank has left. */
void tsr_tcp_leave(tsr_transport *t);

/* ---- Addresses (address.c) ---- */

/* A socket that listens on "host:port"; -1: see status. */
int tsr_tcp_listen(const char *address, tsr_status *status);
/* The address, "host:port", that a socket is bound to. False: there is none. */
bool tsr_tcp_bound(int fd, char *out, size_t size);
/* The address of this host that packets to "host:port" leave from, as "host:0". False: it cannot be found. */
bool tsr_tcp_source(const char *to, char *out, size_t size);

/* For tests: a connected socket to a rank, which has greeted. */
void tsr_tcp_adopt(tsr_transport *t, int rank, int fd);

#endif
