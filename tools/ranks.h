/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - one command on the ranks of a job: their output, how they end, and reports of ranks that died. */
#ifndef TSR_TOOLS_RANKS_H
#define TSR_TOOLS_RANKS_H

#include "eval/remote.h"
#include "tcp/tcp.h"
#include "tools.h"

typedef struct ranks ranks;

/* Where the ranks of a job are, if nobody else starts them (hosts.c). */
typedef struct {
    const char *list; /* --hosts: a number of ranks on this host, or an address for each */
    const char *rank; /* --rank; NULL: by the environment */
    /* Set by hosts_start: */
    int n, mine, listener;
    char (*addresses)[TSR_TCP_ADDRESS];
    unsigned char cookie[TSR_TCP_COOKIE];
} hosts;

/* Finds out which rank this is. With a number, this process starts the ranks, and waits for them: they return, and it
 * does not. */
bool hosts_start(hosts *h, tsr_status *status);
/* The transport on TCP between them. NULL: see status. */
tsr_transport *hosts_open(hosts *h, tsr_status *status);
void hosts_free(hosts *h);

/* Opens the transport of this name before anything is printed: from here on the output of ranks is kept, and the first
 * one prints it. NULL: see code. */
ranks *ranks_open(const tool *t, const char *transport, hosts *h, int *code);
int ranks_rank(const ranks *r);
int ranks_size(const ranks *r);
tsr_remote *ranks_remote(const ranks *r);

/* Called by all ranks with their current exit code; the first one prints their output. Returns the code for all: 0 if
 * it is 0 on all. */
int ranks_agree(ranks *r, int code);
/* The same, for the last time; the job is over. r may be NULL. */
int ranks_close(ranks *r, int code);

#endif
